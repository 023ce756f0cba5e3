"""The example notebooks run, and give what is committed; only what must differ may."""

import re
from pathlib import Path

import nbformat
import pandas as pd
import pytest
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
WIDGET = "application/vnd.jupyter.widget-view+json"
# Frames are printed by pandas, and each version has its own way.
SAME_PANDAS = pd.__version__.split(".")[0] == "3"


def comparable(output: dict) -> dict:
    """An output without ids of views and widgets, style, and tables of another pandas."""
    if output["output_type"] == "stream":
        return {"text": output["text"]}
    data = {mime: value for mime, value in output["data"].items() if mime != WIDGET}
    html = data.get("text/html", "")
    if 'class="dataframe"' in html and not SAME_PANDAS:
        return {"frame": True}
    html = re.sub(r"<style.*?</style>", "", html, flags=re.DOTALL)
    return data | {"text/html": re.sub(r"ragcite-[0-9a-f]{8}\b", "ragcite-id", html)}


@pytest.mark.parametrize("name", ["01-check-one-answer", "02-check-a-dataframe"])
def test_a_notebook_gives_what_is_committed(name, tmp_path):
    committed = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    run = nbformat.from_dict(committed)
    NotebookClient(run, timeout=120, resources={"metadata": {"path": tmp_path}}).execute()
    fresh = [cell for cell in run.cells if cell.cell_type == "code"]
    kept = [cell for cell in nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4).cells if cell.cell_type == "code"]
    assert any(cell.outputs for cell in kept)
    for number, (before, after) in enumerate(zip(kept, fresh, strict=True), 1):
        expected = [comparable(output) for output in before.outputs]
        assert [comparable(output) for output in after.outputs] == expected, (
            f"code cell {number}: run the notebook anew"
        )
        assert before.execution_count == number


@pytest.mark.parametrize("name", ["01-check-one-answer", "02-check-a-dataframe"])
def test_a_committed_notebook_can_be_read_without_running(name):
    notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert "widgets" not in notebook.metadata  # a saved widget would show an error where its kernel is gone
    data = [output["data"] for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
    assert all("text/html" in each or "text/plain" in each for each in data)
    assert not any(WIDGET in each for each in data)
    assert any("<details" in each.get("text/html", "") for each in data)
