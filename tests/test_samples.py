"""The shipped conversations: their shape here, and that each row shows what its README says."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest

from ragcite_nb.check import check
from ragcite_nb.samples import COLUMNS, conversations

README = files("ragcite_nb.samples").joinpath("README.md").read_text(encoding="utf-8")
TABLE = {
    row_id: [code.strip() for code in alerts.split(",") if code.strip()]
    for row_id, alerts in re.findall(r"^\| ((?:en|fr|de)-\S+) \|[^|]+\|([^|]*)\|$", README, flags=re.MULTILINE)
}
SOURCE_KEYS = {
    "id",
    "title",
    "text",
    "document_type",
    "section",
    "page",
    "version",
    "last_updated",
    "confidence",
}


def test_two_models_answer_the_same_questions_with_the_same_sources():
    df = conversations()
    assert list(COLUMNS) == list(df.columns)
    assert len(df) >= 44
    assert df["id"].is_unique
    assert {"en", "fr", "de"} == set(df["language"])
    for _, group in df.groupby("question"):
        assert 2 == group["model"].nunique() == len(group)
        assert group["sources"].iloc[0] == group["sources"].iloc[1]


def test_every_cell_holds_what_a_log_holds():
    df = conversations()
    assert df["answer"].map(lambda a: isinstance(a, str) and bool(a.strip())).all()
    kinds = set()
    for sources in df["sources"]:
        assert isinstance(sources, list)
        assert 3 <= len(sources) <= 7
        kinds |= {type(s) for s in sources}
        for source in sources:
            if isinstance(source, dict):
                assert {"id", "title", "text"} <= set(source) <= SOURCE_KEYS
    assert {dict, str} == kinds
    finish = {
        json.loads(a).get("done_reason") or json.loads(a).get("choices", [{}])[0].get("finish_reason")
        for a in df["answer"]
        if a.startswith("{")
    }
    assert {"length", "stop", None} == finish


def test_each_call_returns_a_fresh_frame():
    first = conversations()
    first.loc[0, "answer"] = "changed"
    first["sources"].iloc[0].clear()
    again = conversations()
    assert again.loc[0, "answer"] != "changed"
    assert again["sources"].iloc[0]


def test_readme_lists_every_row():
    assert list(conversations()["id"]) == list(TABLE)


@pytest.mark.parametrize("row_id", TABLE)
def test_row_shows_what_the_readme_says(row_id):
    row = conversations().set_index("id").loc[row_id]
    result = check(row["answer"], row["sources"])
    codes = {alert.code for alert in result.alerts}
    assert set(TABLE[row_id]) <= codes
    # Faults are shown on purpose only.
    assert not {a.code for a in result.alerts if a.severity == "error"} - set(TABLE[row_id])


def test_one_model_cites_better_at_like_coverage():
    df = conversations()
    invalid, score = {}, {}
    for model, rows in df.groupby("model"):
        results = [check(a, s) for a, s in zip(rows["answer"], rows["sources"], strict=True)]
        invalid[model] = sum(bool(r.invalid_citations) for r in results)
        scores = [r.traceability_score for r in results if r.traceability_score is not None]
        score[model] = sum(scores) / len(scores)
    assert invalid["birch-70b"] + 6 <= invalid["alder-8b"]
    assert abs(score["birch-70b"] - score["alder-8b"]) < 0.1
