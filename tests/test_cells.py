"""The cells that are read, and what is refused before anything is checked."""

import json

import numpy as np
import pandas as pd
import pytest

from ragcite_nb.cells import Cells
from ragcite_nb.frame import check_frame
from ragcite_nb.models import InputError, Options
from ragcite_nb.rows import RowCheck


def test_chunks_cover_all_rows_in_order():
    """Every row once, in stretches of the size asked for."""
    df = pd.DataFrame({"answer": list(map(str, range(7))), "sources": [[str(i)] for i in range(7)]})
    chunks = list(Cells(df).chunks(3))
    assert [len(chunk) for chunk in chunks] == [3, 3, 1]
    assert [row for chunk in chunks for row in chunk] == [(str(i), [str(i)]) for i in range(7)]
    assert list(Cells(df.iloc[:0]).chunks(3)) == []


def test_values_keep_their_shape():
    """Lists of equal length stay lists, arrays of arrays become one cell per row."""
    df = pd.DataFrame({"answer": ["a", "b"]})
    assert Cells(df, sources=[["x", "y"], ["z", "w"]]).chunk(0, 2) == [("a", ["x", "y"]), ("b", ["z", "w"])]
    table = Cells(df, sources=np.array([["x", "y"], ["z", "w"]])).chunk(0, 2)
    assert [list(sources) for _, sources in table] == [["x", "y"], ["z", "w"]]


def test_a_numpy_string_is_a_name():
    """Names taken from an array of names are names."""
    df = pd.DataFrame({"x": ["a"], "y": [["b"]]})
    assert Cells(df, np.array(["x"])[0], np.array(["y"])[0]).chunk(0, 1) == [("a", ["b"])]


def test_text_bytes_looks_at_all_kinds_of_cells():
    """The estimate sees texts in lists, arrays and dicts."""
    texts = ["x" * 1000] * 3
    cells = [texts, np.array(texts, dtype=object), [{"text": t} for t in texts], "x" * 3000]
    for cell in cells:
        df = pd.DataFrame({"answer": ["y" * 100] * 40, "sources": pd.Series([cell] * 40, dtype=object)})
        assert 2900 <= Cells(df).text_bytes() <= 3300
    assert Cells(df.iloc[:0]).text_bytes() == 1


@pytest.mark.parametrize(
    ("module", "advice"),
    [("dask.dataframe", "ragcite_nb.dask"), ("pyspark.sql", "ragcite_nb.spark"), ("polars.dataframe", "to_pandas")],
)
def test_frames_of_other_libraries(module, advice):
    """Each is told its own way."""
    other = type("DataFrame", (), {"__module__": module})()
    with pytest.raises(InputError, match=advice):
        Cells(other)


ANSWER = "Dogs travel free [2]."
TRACE = {"data": {"spans": [{"span_id": "1", "attributes": {"mlflow.spanType": '"CHAIN"', "mlflow.spanOutputs": json.dumps(ANSWER)}},
                            {"span_id": "2", "parent_id": "1", "attributes": {"mlflow.spanType": '"RETRIEVER"', "mlflow.spanOutputs": '["Other."]'}}]}}  # fmt: skip
RECORD = {"main_output": ANSWER, "calls": [{"stack": [{"method": {"name": "retrieve"}}], "rets": ["Other."]}]}


@pytest.mark.parametrize(
    "row",
    [
        {"gen_ai.completion.0.content": ANSWER},
        {"gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": ANSWER}]}])},
        {
            "gen_ai.output.messages": [{"role": "assistant", "content": ANSWER}],
            "gen_ai.retrieval.documents": ["Other."],
        },
        {"trace_id": "t", "trace": TRACE},
        {"trace_id": "t", "trace": json.dumps(TRACE)},
        {"record_json": json.dumps(RECORD)},
    ],
)
@pytest.mark.parametrize("name", ["sources", "Retrieved Docs", "contexts"])
def test_sources_beside_a_table_of_runs(row, name):
    """The column that somebody put there is checked against, not what the run itself found."""
    sources = ["Ferries leave at 07:40.", "Dogs travel free of charge."]
    cells = Cells(pd.DataFrame({**{key: [value] for key, value in row.items()}, name: [sources]}))
    checked = RowCheck(cells.columns, Options(), "result").start()(cells.chunk(0, 1))
    assert checked.failures == []
    assert [source.text for source in checked.outcomes[0].sources] == sources
    assert [citation.status for citation in checked.outcomes[0].citations] == ["valid"]


def test_a_trulens_record_brings_its_contexts():
    """The accessor finds the sources that ``conversations`` finds in the same frame."""
    row = {"record_id": "r", "input": "q", "output": "It is so [1].", "record_json": json.dumps(RECORD)}
    cells = Cells(pd.DataFrame([row]))
    checked = RowCheck(cells.columns, Options(), "result").start()(cells.chunk(0, 1))
    assert [source.text for source in checked.outcomes[0].sources] == ["Other."]


def test_half_a_character_in_a_list_beside_the_frame():
    """As in a column of objects, which Arrow could not hold either."""
    out = check_frame(
        pd.DataFrame({"id": [1, 2]}),
        answer=["half \ud800 [1].", "It is free [1]."],
        sources=[["half"], ["It is free."]],
    )
    assert out["valid_citations"].tolist() == [1, 1]
