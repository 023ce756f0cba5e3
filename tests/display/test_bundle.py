"""The front end: its own tests, its types and lint, and a committed bundle that is what its source builds to."""

import gzip
import json
import shutil
import subprocess
from pathlib import Path

import front_end_fixture
import pytest

ROOT = Path(__file__).parents[2]
JS = ROOT / "js"
STATIC = ROOT / "ragcite_nb" / "display" / "static"

node = pytest.mark.skipif(
    shutil.which("npm") is None or not (JS / "node_modules").is_dir(),
    reason="the front end's tools are missing: run `npm ci` in js/ (needs Node 20.19 or newer)",
)


def run(*command: str) -> None:
    done = subprocess.run(command, cwd=JS, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@node
def test_the_committed_bundle_is_what_the_source_builds_to(tmp_path):
    run("node", "build.js", str(tmp_path))
    for name in ("widget.js", "widget.css"):
        assert (tmp_path / name).read_bytes() == (STATIC / name).read_bytes(), (
            f"{name}: run `npm run build` in js/ and commit it"
        )


@node
@pytest.mark.parametrize("script", ["check", "lint", "test"])
def test_types_lint_and_unit_tests(script):
    run("npm", "run", "--silent", script)


def test_the_bundle_is_small_and_asks_for_nothing():
    code = (STATIC / "widget.js").read_text(encoding="utf-8")
    style = (STATIC / "widget.css").read_text(encoding="utf-8")
    assert len(gzip.compress((code + style).encode())) <= 25_000
    for word in ("fetch(", "import(", "XMLHttpRequest", "eval(", "new Function", "http://", "localStorage"):
        assert word not in code
    assert "url(" not in style
    assert "@import" not in style


def test_the_lock_file_names_no_registry():
    assert '"resolved"' not in (JS / "package-lock.json").read_text(encoding="utf-8")


def test_the_front_ends_tests_draw_what_python_sends():
    assert json.loads(front_end_fixture.written()) == json.loads(front_end_fixture.PATH.read_text(encoding="utf-8")), (
        "run tests/display/front_end_fixture.py and commit what it writes"
    )
