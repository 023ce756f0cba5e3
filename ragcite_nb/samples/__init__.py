"""Logged conversations about a fictional shop, to try everything on; README.md says what each of them shows."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("id", "language", "question", "answer", "sources", "model")


def conversations() -> pd.DataFrame:
    """24 questions to a shop for outdoor gear, each answered by two models, in English, French and German.

    ``answer`` holds text or a response as its log keeps it (a JSON string); ``sources`` holds a list per row, of
    dicts or of plain strings. Every call returns a fresh frame.

    >>> df = conversations()
    >>> df.shape
    (48, 6)
    >>> df["model"].value_counts().to_dict() == {"birch-70b": 24, "alder-8b": 24}
    True
    """
    import pandas as pd

    lines = files(__name__).joinpath("conversations.jsonl").read_text(encoding="utf-8").splitlines()
    return pd.DataFrame([json.loads(line) for line in lines], columns=list(COLUMNS))
