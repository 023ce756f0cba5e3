"""The views that the front end's unit tests draw: made here, so that both sides agree on their shape.

Run this file to write them anew after a change of the view.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
from made_results import FERRY, mark, quote, result

from ragcite_nb.display.explorer import AnswerExplorer
from ragcite_nb.display.view import build_view
from ragcite_nb.frame import SCHEMA
from ragcite_nb.models import Reference, Source

PATH = Path(__file__).parents[2] / "js" / "test" / "fixture.json"


def build() -> dict[str, Any]:
    """One answer with badges of every kind, an answer in French that is empty, and an explorer."""
    evil = Source(
        "<img src=x> Dogs travel free of charge.", title="<b>CGV</b>", version="2.1", section="5.2", page=12, confidence=0.95, url="https://a.example"
    )  # fmt: skip
    text = '"free of charge" [1] and "a cat" [2].\n\n- Tickets [7]\n- Nobody [1, 3] [2b]\n'
    answer = result(
        text,
        [evil, *FERRY[1:]],
        [
            mark("[1]", 0),
            mark("[2]", 1),
            mark("[7]", None, nearest=2),
            mark("[1, 3]", 0, 2),
            mark("[2b]", kind="malformed"),
        ],
        [quote("free of charge"), quote("a cat", "elsewhere", citation=1, source=2, at="Bicycles")],
        alerts=[("invalid_citation", {"count": 1, "citation": "[7]", "sources": 3})],
        references=[Reference(0, 1, "X", None, "unknown")],
    )
    rows = 5
    columns = {name: [1] * rows for name in SCHEMA} | {"traceability_score": [n / 4 for n in range(rows)]}
    columns |= {name: [False] * rows for name, dtype in SCHEMA.items() if dtype == "boolean"}
    columns |= {"cite_alerts": ["a; b", "", "a", "", ""], "cite_error": [None] * rows}
    df = pd.DataFrame(columns).astype(SCHEMA).assign(model=["m1", "m2", "m1", "m2", "m1"])
    explorer = AnswerExplorer(df, lambda row: result(f"Answer {row} [2].", FERRY, [mark("[2]", 1)]), page_size=3)
    return {
        "answer": build_view(answer),
        "empty": build_view(result("", [], sources_format="none", score=None, locale="fr")),
        "explorer": explorer.get_state(["columns", "query", "table", "row", "view", "error"]),
    }


def written() -> str:
    return json.dumps(build(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    PATH.write_text(written(), encoding="utf-8")
