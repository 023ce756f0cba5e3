"""The cells that are read, and what is refused before anything is checked."""

import numpy as np
import pandas as pd
import pytest

from ragcite_nb.cells import Cells
from ragcite_nb.models import InputError


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
