"""The notebook that goes from documents to a mended answer: its cells run, and print what is committed."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

NOTEBOOK = Path(__file__).parent.parent / "notebooks" / "03-prompt-check-mend.ipynb"


def test_cells_print_what_is_committed():
    cells = [c for c in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if c["cell_type"] == "code"]
    assert len(cells) > 15
    names = {"__name__": "notebook"}
    for number, cell in enumerate(cells):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
        committed = "".join(
            "".join(o["text"]) for o in cell["outputs"] if o["output_type"] == "stream" and o["name"] == "stdout"
        )
        assert printed.getvalue() == committed, f"cell {number}"
