"""Checked frames made by hand, so that what a report says of them is known without running a check."""

import pandas as pd
import pytest

from ragcite_nb.frame import SCHEMA

GOOD_ROW = {
    "valid_citations": 2,
    "invalid_citations": 0,
    "uncited_sentences": 0,
    "traceability_score": 1.0,
    "cite_sentences": 3,
    "cite_claims": 2,
    "cite_quotes": 1,
    "cite_quotes_not_found": 0,
    "cite_unused_sources": 1,
    "cite_truncated": False,
    "cite_abstained": False,
    "cite_alerts": "",
    "cite_error": None,
}


def checked_frame(rows, *, prefix="", index=None):
    """A frame as a check leaves it; each row names only what differs from a good one."""
    table = {}
    for name, dtype in SCHEMA.items():
        table[prefix + name] = pd.array([{**GOOD_ROW, **row}[name] for row in rows], dtype=dtype)
    for name in dict.fromkeys(key for row in rows for key in row if key not in SCHEMA):
        table[name] = [row.get(name) for row in rows]
    return pd.DataFrame(table, index=index)


UNREADABLE = dict.fromkeys(GOOD_ROW) | {"cite_error": "answer: a number was found"}


@pytest.fixture
def checked():
    return checked_frame


@pytest.fixture
def mixed():
    """Twelve rows of two models on six questions: every class, every count, one row that could not be read."""
    rows = [
        {"model": "a"},
        {"model": "a", "traceability_score": 0.9, "cite_quotes": 2},
        {"model": "a", "traceability_score": 0.5, "uncited_sentences": 1, "cite_alerts": "uncited_claims"},
        {"model": "a", "traceability_score": 0.25, "cite_alerts": "weakly_sourced; truncated", "cite_truncated": True},
        {
            "model": "a",
            "traceability_score": 0.0,
            "valid_citations": 0,
            "cite_alerts": "weakly_sourced; no_citations",
        },
        {"model": "a", "traceability_score": None, "cite_claims": 0, "cite_abstained": True, "cite_alerts": "abstention"},
        {"model": "b"},
        {"model": "b", "traceability_score": 0.75, "invalid_citations": 2, "cite_alerts": "invalid_citation"},
        {
            "model": "b",
            "traceability_score": 0.5,
            "cite_quotes": 3,
            "cite_quotes_not_found": 2,
            "cite_alerts": "quote_altered; quote_absent",
        },
        {"model": "b", "cite_quotes_not_found": 1, "cite_alerts": "quote_elsewhere; contradiction"},
        {"model": "b", "traceability_score": 0.0, "valid_citations": 0, "invalid_citations": 1,
         "cite_alerts": "invalid_citation; weakly_sourced"},
        {"model": "b", **UNREADABLE},
    ]  # fmt: skip
    for position, row in enumerate(rows):
        row["question"] = f"question {position % 6}"
    return checked_frame(rows)


@pytest.fixture
def two_models():
    """Two models on the same 40 questions: b cites half as often."""
    rows = [{"model": "a", "question": f"q{i}", "traceability_score": 1.0 if i % 4 else 0.75} for i in range(40)]
    rows += [{"model": "b", "question": f"q{i}", "traceability_score": 0.5 if i % 3 else 1.0} for i in range(40)]
    return checked_frame(rows)
