"""A real Chromium, and a real Jupyter server that leaves the user's own settings alone."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
START_SECONDS = 60


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of this folder drive a browser; they share one server, so they stay together and in order."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator:
    if CHROMIUM is None:
        pytest.skip("no Chromium: the browser tests need one (on Debian: apt-get install chromium)")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.fail("Chromium is there, but not the rest: pip install --group browser")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, headless=True, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield chromium
        chromium.close()


@pytest.fixture
def new_page(browser) -> Iterator:
    """Opens pages and closes their contexts after the test."""
    contexts = []

    def open_page(**options):
        context = browser.new_context(**options)
        contexts.append(context)
        context.set_default_timeout(60_000)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()


class Server:
    """One Jupyter server; it serves JupyterLab and Notebook 7."""

    def __init__(self, home: Path) -> None:
        self.root = home / "notebooks"
        self.root.mkdir(parents=True)
        self.token = secrets.token_hex(16)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        settings = {
            "apputils-extension/notification": '{"fetchNews": "false", "checkForUpdates": false}',
            # Otherwise JupyterLab takes the outputs of cells that are out of sight out of the page.
            "notebook-extension/tracker": '{"windowingMode": "none"}',
        }
        for name, text in settings.items():
            path = home / f"settings/@jupyterlab/{name}.jupyterlab-settings"
            path.parent.mkdir(parents=True)
            path.write_text(text)
        places = {
            "JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime", "IPYTHONDIR": "ipython",
            "JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        }  # fmt: skip
        env = (
            os.environ | {name: str(home / folder) for name, folder in places.items()} | {"JUPYTER_PLATFORM_DIRS": "1"}
        )
        command = [
            sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}",
            "--ServerApp.port_retries=0", f"--IdentityProvider.token={self.token}", f"--ServerApp.root_dir={self.root}",
            "--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
            "--LabApp.extension_manager=readonly", "--LabApp.expose_app_in_browser=True", "--JupyterNotebookApp.expose_app_in_browser=True",
        ]  # fmt: skip
        self.log = home / "server.log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=env)
        self._wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                break
            try:
                urllib.request.urlopen(f"{self.url}/api?token={self.token}", timeout=1).read()
            except OSError:
                time.sleep(0.1)
            else:
                return
        self.stop()
        pytest.fail(f"the Jupyter server did not start:\n{self.log.read_text()}")

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def add(self, name: str, *cells: str) -> str:
        """Put a notebook of code cells into the server's folder."""
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
        nbformat.write(notebook, self.root / name)
        return name


@pytest.fixture(scope="session")
def server(browser, tmp_path_factory) -> Iterator[Server]:
    # The browser comes first: without one there is no need for a server.
    running = Server(tmp_path_factory.mktemp("jupyter"))
    yield running
    running.stop()


class Notebook:
    """A notebook in JupyterLab or Notebook 7, driven by the application's own commands."""

    def __init__(self, page, server: Server, app: str, name: str) -> None:
        self.page = page
        self.foreign: list[str] = []
        own = (server.url, server.url.replace("http", "ws"), "data:", "blob:")
        page.on("request", lambda request: None if request.url.startswith(own) else self.foreign.append(request.url))
        # A workspace of its own: JupyterLab would open the notebooks of the pages before as well.
        road = f"lab/workspaces/{secrets.token_hex(4)}/tree" if app == "lab" else "notebooks"
        page.goto(f"{server.url}/{road}/{name}?token={server.token}")
        page.locator(".jp-CodeCell").first.wait_for()
        page.wait_for_function(
            """() => { const shown = window.jupyterapp?.shell?.currentWidget;
                return shown?.sessionContext?.isReady && shown.sessionContext.session?.kernel?.status === 'idle' }"""
        )

    def cell(self, index: int):
        return self.page.locator(".jp-Notebook .jp-CodeCell").nth(index)

    def command(self, index: int, command: str) -> None:
        """A click in a widget selects its cell, so the cell is made the active one first."""
        self.page.evaluate(
            """([index, command]) => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = index;
                return window.jupyterapp.commands.execute(command) }""",
            [index, command],
        )

    def run(self, index: int):
        """Run a cell to its end; returns its output."""
        self.command(index, "notebook:run-cell")
        self.page.wait_for_function(
            """index => { const cell = window.jupyterapp.shell.currentWidget.content.widgets[index];
                return typeof cell.model.executionCount === 'number' && cell.model.executionState !== 'running' }""",
            arg=index,
        )
        return self.cell(index).locator(".jp-OutputArea")

    def close(self) -> None:
        self.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")


@pytest.fixture(scope="module")
def open_notebook(server, browser) -> Iterator:
    """Opens notebooks that live for the tests of a module: starting one takes longer than most tests."""
    opened: list[Notebook] = []

    def open_it(app: str, *cells: str, **options) -> Notebook:
        name = server.add(f"{app}-{secrets.token_hex(4)}.ipynb", *cells)
        context = browser.new_context(viewport={"width": 1100, "height": 900}, **options)
        context.set_default_timeout(30_000)
        opened.append(Notebook(context.new_page(), server, app, name))
        return opened[-1]

    yield open_it
    for notebook in opened:
        notebook.close()
        notebook.page.context.close()
