"""``df.ragcite``: the same as the functions, safe wherever pandas looks at it."""

import importlib
import inspect
import warnings

import pandas as pd
import pytest

import ragcite_nb as rc
from ragcite_nb import accessor, frame
from ragcite_nb.models import InputError


@pytest.fixture
def df():
    return pd.DataFrame(
        {
            "question": ["a", "b"],
            "answer": ['It is free [1]. "It is fast" [2].', "It is fast [7]. It is free."],
            "sources": [["It is free.", "It is fast."]] * 2,
            "model": ["x", "y"],
        }
    )


def test_methods_are_the_functions(df):
    """Sugar only: every method gives what the function gives."""
    pd.testing.assert_frame_equal(df.ragcite.check(details=True), frame.check_frame(df, details=True))
    pd.testing.assert_frame_equal(
        df.ragcite.check("answer", "sources", prefix="p_"), frame.check_frame(df, prefix="p_")
    )
    pd.testing.assert_frame_equal(df.ragcite.citations(), frame.citations(df))
    pd.testing.assert_frame_equal(df.ragcite.sentences(only="uncited"), frame.sentences(df, only="uncited"))
    pd.testing.assert_frame_equal(df.ragcite.quotes(), frame.quotes(df))
    assert df.ragcite.result(1).to_dict() == rc.check(df["answer"].iloc[1], df["sources"].iloc[1]).to_dict()


def test_signatures_agree():
    """What check_frame takes, check takes, with the same defaults."""
    theirs = inspect.signature(frame.check_frame).parameters
    ours = inspect.signature(accessor.RagciteAccessor.check).parameters
    assert {n: p.default for n, p in theirs.items() if n != "df"} == {
        n: p.default for n, p in ours.items() if n != "self"
    }


def test_report(df):
    """The report of the same rows, compared by a column."""
    assert df.ragcite.report().total_responses == 2
    assert set(df.ragcite.report(by="model").groups) == {"x", "y"}


def test_any_frame_can_be_looked_at():
    """Access never fails, so dir(), completion and getattr work on every frame; methods say what is missing."""
    for odd in (pd.DataFrame(), pd.DataFrame([[1, 2]], columns=["a", "a"]), pd.DataFrame({"x": [1]})):
        assert "ragcite" in dir(odd)
        assert isinstance(odd.ragcite, accessor.RagciteAccessor)
        with pytest.raises(InputError):
            odd.ragcite.check()


def test_reload(df):
    """Reloading the module in a notebook warns of nothing and serves the new class."""
    before = pd.DataFrame.ragcite
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        importlib.reload(accessor)
    assert pd.DataFrame.ragcite is not before
    assert df.ragcite.check()["invalid_citations"].tolist() == [0, 1]


def test_somebody_elses_accessor_is_not_replaced_in_silence(monkeypatch):
    """pandas warns when a name is taken; only our own registration is renewed without."""
    other = type("Other", (), {"__init__": lambda self, df: None, "__module__": "elsewhere"})
    monkeypatch.setattr(pd.DataFrame, "ragcite", other)
    with pytest.warns(UserWarning, match="ragcite"):
        accessor.register()
