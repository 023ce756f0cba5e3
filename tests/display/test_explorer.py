"""The explorer filters, sorts and pages in Python and sends only what is seen."""

import json
import time

import pandas as pd
import pytest
from made_results import FERRY, mark, result
from parsed_html import parse

from ragcite_nb.display.widget import AnswerExplorer
from ragcite_nb.frame import SCHEMA
from ragcite_nb.models import InputError

NA = pd.NA


def frame(scores, alerts, **more) -> pd.DataFrame:
    counts = range(len(scores))
    values = {name: list(counts) for name in SCHEMA} | {
        "traceability_score": scores,
        "cite_alerts": alerts,
        "cite_error": [NA] * len(scores),
    }
    values |= {name: [False] * len(scores) for name, dtype in SCHEMA.items() if dtype == "boolean"}
    return pd.DataFrame(values | more).astype(SCHEMA)


def answer_of(row: int):
    if row == 3:
        raise InputError("the cell is a number")
    return result(f"Answer {row} [1].", FERRY, [mark("[1]", 0)])


@pytest.fixture
def explorer():
    df = frame([0.5, 1.0, NA, 0.0, 0.5], ["a; b", NA, "a", "b", "aa"], model=["m1", "m2", "m1", "m2", NA])
    return AnswerExplorer(df, answer_of, page_size=3)


def shown(explorer) -> list[int]:
    return [row["position"] for row in explorer.table["rows"]]


def ask(explorer, **query) -> list[int]:
    explorer.query = {**explorer.query, "page": 0, **query}
    return shown(explorer)


def test_one_page_of_rows_travels(explorer):
    assert shown(explorer) == [0, 1, 2]
    assert explorer.table["position"] == "Page 1 of 2"
    assert ask(explorer, page=1) == [3, 4]
    assert ask(explorer, page=99) == [3, 4]


def test_filter_by_alert(explorer):
    assert ask(explorer, alert="a") == [0, 2]
    assert explorer.table["summary"] == "2 of 5 rows"
    assert ask(explorer, alert="-") == [1]
    assert [(o["value"], o["label"]) for o in explorer.columns["alerts"]][2:] == [
        ("a", "a (2)"),
        ("b", "b (2)"),
        ("aa", "aa (1)"),
    ]


def test_filter_by_model(explorer):
    assert ask(explorer, group="m2") == [1, 3]
    assert [o["value"] for o in explorer.columns["groups"]] == ["", "m1", "m2"]
    assert ask(explorer, group="m2", alert="b") == [3]


def test_sort_by_traceability_with_missing_scores_last(explorer):
    assert ask(explorer, sort="traceability") + ask(explorer, sort="traceability", page=1) == [3, 0, 4, 1, 2]
    assert ask(explorer, sort="traceability", descending=True) == [1, 0, 4]


def test_a_selected_row_is_shown(explorer):
    explorer.row = 2
    assert "Answer 2" in explorer.view["answer"]["html"]
    assert explorer.result == answer_of(2)
    explorer.expanded = [0]
    explorer.row = 1
    assert explorer.expanded == []
    explorer.row = None
    assert explorer.view == {}


def test_a_row_that_cannot_be_read_says_why(explorer):
    explorer.row = 3
    assert explorer.view == {}
    assert explorer.error == "This row could not be read: the cell is a number"
    explorer.row = 0
    assert explorer.error == ""


def test_a_query_from_outside_is_made_valid(explorer):
    explorer.query = {"sort": "__class__", "page": -4, "evil": 1}
    assert explorer.query == {"alert": "", "group": "", "sort": "row", "descending": False, "page": 0}


def test_the_state_is_json_and_the_static_view_is_a_table(explorer):
    explorer.row = 0
    state = explorer.get_state(["columns", "query", "table", "row", "view"])
    json.dumps(state)
    tree = parse(explorer._repr_mimebundle_()[0]["text/html"])
    assert [cell.text for cell in tree.all("table")[0].all("tr")[1].all("td")][:4] == [
        "0",
        "Answer 0 [1].",
        "m1",
        "50%",
    ]
    assert "Source 1" in tree.text


def test_labels_are_the_frames_index_whatever_it_holds():
    df = frame([1.0, 1.0], [NA, NA]).set_axis(["<b>x</b>", "x"])
    explorer = AnswerExplorer(df, answer_of)
    assert [row["label"] for row in explorer.table["rows"]] == ["<b>x</b>", "x"]
    assert parse(explorer._repr_mimebundle_()[0]["text/html"]).all("b") == []


def test_an_unknown_column_is_refused():
    with pytest.raises(InputError, match="'nope'"):
        AnswerExplorer(frame([1.0], [NA]), answer_of, by="nope")


def test_a_hundred_thousand_rows_are_paged_fast_and_only_the_page_is_sent():
    n = 100_000
    df = frame(
        [i % 7 / 7 for i in range(n)],
        ["a; b" if i % 3 else "" for i in range(n)],
        model=[f"m{i % 2}" for i in range(n)],
    )
    explorer = AnswerExplorer(df, lambda row: result(f"Answer {row}.", FERRY))
    started = time.perf_counter()
    assert len(ask(explorer, alert="b", group="m1", sort="traceability", descending=True, page=40)) == 20
    assert time.perf_counter() - started < 2
    assert len(json.dumps(explorer.get_state(["columns", "query", "table"]))) < 30_000


def test_a_frame_that_is_not_checked_is_checked_first():
    df = pd.DataFrame({"answer": ["Dogs are free [2].", "No [7]."], "sources": [FERRY, FERRY]})
    explorer = AnswerExplorer(df)
    assert ask(explorer, alert="invalid_citation") == [1]
    explorer.row = 1
    assert explorer.view["badges"][0]["state"] == "unknown"
    assert "valid_citations" not in df.columns
