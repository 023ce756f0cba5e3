"""Whole frames: the added columns, the tidy frames, and what pandas may hold."""

import contextlib
import gc
import importlib.util
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ragcite_nb as rc
from ragcite_nb import frame as module
from ragcite_nb.check import Checker
from ragcite_nb.frame import (
    DETAILS,
    SCHEMA,
    check_frame,
    citations,
    find_columns,
    is_checked,
    quotes,
    result,
    sentences,
)
from ragcite_nb.models import InputError

SOURCES = ["Returns take 30 days.", "Shipping costs 4.90 euros and takes 3 days.", "The warranty lasts 24 months."]
ANSWERS = [
    "You can return it within 30 days [1]. Shipping costs 4.90 euros [2].",
    'Shipping takes 3 days [7]. The policy says "the warranty lasts 24 months" [3].',
    "It is free. You can return it within 30 days [1].",
    'It says "shipping costs 5.90 euros and takes 3 days" [2].',
    "",
    None,
]


def frame(rows=6, **columns):
    answers = [ANSWERS[i % len(ANSWERS)] for i in range(rows)]
    return pd.DataFrame(
        {"answer": pd.Series(answers, dtype=object), "sources": [list(SOURCES) for _ in range(rows)]} | columns
    )


@pytest.fixture
def df():
    return frame()


def dtypes(df, prefix=""):
    return {name: str(df[prefix + name].dtype) for name in SCHEMA}


class TestColumns:
    def test_figures(self, df):
        """The columns count what check() finds in each row."""
        out = check_frame(df)
        for position, (answer, sources) in enumerate(zip(df["answer"], df["sources"], strict=True)):
            one = rc.check(answer, sources)
            row = out.iloc[position]
            assert row["valid_citations"] == len(one.valid_citations)
            assert row["invalid_citations"] == len(one.invalid_citations)
            assert row["uncited_sentences"] == len(one.uncited_sentences)
            assert row["cite_sentences"] == len(one.sentences)
            assert row["cite_claims"] == len(one.claims)
            assert row["cite_quotes"] == len(one.quotes)
            assert row["cite_quotes_not_found"] == len(one.quotes_not_found)
            assert row["cite_unused_sources"] == len(one.unused_sources)
            assert row["cite_truncated"] == one.truncated
            assert row["cite_abstained"] == one.abstained
            assert row["cite_alerts"] == "; ".join(alert.code for alert in one.alerts)
            if one.traceability_score is None:
                assert pd.isna(row["traceability_score"])
            else:
                assert row["traceability_score"] == one.traceability_score
        assert out["cite_error"].isna().all()
        assert out["invalid_citations"].tolist() == [0, 1, 0, 0, 0, 0]
        assert out["cite_quotes_not_found"].tolist() == [0, 0, 0, 1, 0, 0]

    def test_dtypes_do_not_depend_on_the_data(self, df):
        """Full, empty, all-missing and failing frames have the dtypes of the schema."""
        bad = frame(sources=[3] * len(df))
        for case in (df, df.iloc[:0], df.iloc[-1:], bad, df.iloc[:1]):
            assert dtypes(check_frame(case)) == SCHEMA
        assert dtypes(check_frame(df, append=False)) == SCHEMA

    def test_input_is_left_alone(self, df):
        """Neither the frame nor its cells change."""
        before = df.copy(deep=True)
        kept = [list(cell) for cell in df["sources"]]
        out = check_frame(df)
        pd.testing.assert_frame_equal(df, before)
        assert list(df["sources"]) == kept
        assert list(out.columns) == [*before.columns, *SCHEMA]
        out.loc[:, "answer"] = "changed"
        assert df["answer"].iloc[0] == ANSWERS[0]

    def test_append_false(self, df):
        """Only the added columns, with the frame's index."""
        df.index = pd.Index(list("abcabc"), name="id")
        out = check_frame(df, append=False)
        assert list(out.columns) == list(SCHEMA)
        assert out.index.equals(df.index)

    def test_second_run_replaces(self, df):
        """Our own columns are written again, in their places, and with other options."""
        first = check_frame(df)
        assert is_checked(first)
        pd.testing.assert_frame_equal(check_frame(first), first)
        again = check_frame(first, first_number=0)
        assert list(again.columns) == list(first.columns)
        pd.testing.assert_frame_equal(again, check_frame(df, first_number=0))

    def test_second_run_drops_lists_of_the_first(self, df):
        """The lists of an earlier details=True would not fit the new counts."""
        first = check_frame(df, details=True)
        assert set(DETAILS) <= set(first.columns)
        assert not set(DETAILS) & set(check_frame(first).columns)

    def test_ours_after_a_file_lost_their_dtypes(self, df, tmp_path):
        """CSV keeps names but not dtypes: all names together are still ours, checked again and replaced."""
        check_frame(df.head(3)).to_csv(tmp_path / "a.csv", index=False)
        back = pd.read_csv(tmp_path / "a.csv")
        assert not is_checked(back)
        assert dtypes(check_frame(back)) == SCHEMA

    @pytest.mark.parametrize("name", ["valid_citations", "cite_error"])
    def test_foreign_column_of_the_same_name(self, df, name):
        """Somebody else's column is never overwritten."""
        df[name] = 1
        with pytest.raises(InputError, match=f"'{name}'.*prefix="):
            check_frame(df)
        out = check_frame(df, prefix="rc_")
        assert (out[name] == 1).all()
        assert dtypes(out, "rc_") == SCHEMA
        assert is_checked(out, "rc_")
        assert not is_checked(out)

    def test_foreign_values_in_a_checked_frame(self, df):
        """A column that no check can have written is not ours, whatever stands beside it."""
        out = check_frame(df)
        out["valid_citations"] = "mine"
        with pytest.raises(InputError, match="columns named 'valid_citations' that"):
            check_frame(out)

    def test_foreign_details_column(self, df):
        """The names of the lists are taken only when they are written."""
        df["uncited_texts"] = 1
        assert (check_frame(df)["uncited_texts"] == 1).all()
        with pytest.raises(InputError, match="'uncited_texts'"):
            check_frame(df, details=True)

    def test_details(self, df):
        """Lists of what was found, as objects, NA where nothing could be said."""
        out = check_frame(df, details=True, append=False)
        assert out["invalid_labels"].tolist() == [[], ["7"], [], [], [], []]
        assert out["uncited_texts"].tolist() == [[], [], ["It is free."], [], [], []]
        assert out["unused_labels"].iloc[0] == ["3"]
        assert {str(out[name].dtype) for name in DETAILS} == {"object"}
        bad = check_frame(frame(1, sources=[3]), details=True)
        assert bad["invalid_labels"].iloc[0] is None

    def test_options_reach_the_check(self, df):
        """All options of check() are taken, others refused with the near name."""
        assert (
            check_frame(df, claims="all", min_quote=99)["cite_quotes"].iloc[3]
            == rc.check(ANSWERS[3], SOURCES, claims="all", min_quote=99).to_dict()["quotes"].__len__()
        )
        with pytest.raises(TypeError, match="did you mean 'scope'"):
            check_frame(df, scop="block")
        with pytest.raises(InputError, match="errors='ignore': accepted are 'coerce', 'raise'"):
            check_frame(df, errors="ignore")
        with pytest.raises(InputError, match="progress='yes'"):
            check_frame(df, progress="yes")
        with pytest.raises(InputError, match="workers=0"):
            check_frame(df, workers=0)


class TestPandas:
    """What frames may be made of."""

    @pytest.mark.parametrize(
        "dtype", ["object", "string", "category", "string[pyarrow]", "large_string[pyarrow]", "str"]
    )
    def test_text_dtypes(self, dtype):
        """Text in every storage reads the same."""
        if "pyarrow" in dtype:
            pytest.importorskip("pyarrow")
        want = check_frame(frame(), append=False)
        df = frame()
        if dtype == "str":
            df["answer"] = df["answer"].fillna("").astype(str)
            want = check_frame(df.astype({"answer": object}), append=False)
        else:
            df["answer"] = df["answer"].astype(dtype)
        pd.testing.assert_frame_equal(check_frame(df, append=False), want)

    @pytest.mark.parametrize(
        "cell",
        [
            lambda s: np.array(s, dtype=object),
            np.array,
            tuple,
            lambda s: '["' + '", "'.join(s) + '"]',
            repr,
            "\n---\n".join,
            lambda s: [{"text": text} for text in s],
            lambda s: np.array(
                [{"page_content": t, "metadata": {"page": 3.0, "source": None}} for t in s], dtype=object
            ),
            lambda s: {str(i + 1): text for i, text in enumerate(s)},
        ],
        ids=["object array", "str array", "tuple", "JSON", "repr", "blocks", "dicts", "array of structs", "mapping"],
    )
    def test_cells_of_sources(self, cell):
        """Lists in every form that files and libraries give them."""
        want = check_frame(frame(), append=False)
        df = frame()
        df["sources"] = pd.Series([cell(list(SOURCES)) for _ in range(len(df))], dtype=object)
        columns = ["valid_citations", "invalid_citations", "cite_quotes_not_found", "cite_unused_sources", "cite_error"]
        pd.testing.assert_frame_equal(check_frame(df, append=False)[columns], want[columns])

    def test_arrow_lists(self):
        """Arrow-backed columns of lists and structs."""
        pa = pytest.importorskip("pyarrow")
        want = check_frame(frame(), append=False)
        df = frame()
        df["sources"] = pd.Series(pd.array(df["sources"].tolist(), dtype=pd.ArrowDtype(pa.list_(pa.string()))))
        pd.testing.assert_frame_equal(check_frame(df, append=False), want)

    @pytest.mark.parametrize(
        "index",
        [
            list("aaabbb"),
            pd.MultiIndex.from_product([["x", "y"], [1, 2, 3]], names=["k", "n"]),
            [5, 4, 3, 2, 1, 0],
            [None, None, 1.0, 2.0, 2.0, 3.0],
        ],
    )
    def test_indexes(self, df, index):
        """Rows are added by position, whatever their labels."""
        want = check_frame(df)
        df.index = index
        out = check_frame(df)
        assert out.index.equals(df.index)
        pd.testing.assert_frame_equal(out.reset_index(drop=True), want)
        assert citations(df).index.equals(df.index.take(citations(df)["row"]))

    def test_filtered_frame(self, df):
        """A slice of a frame keeps its labels and its rows."""
        out = check_frame(df[df["answer"].notna()].iloc[1:3])
        assert out["invalid_citations"].to_dict() == {1: 1, 2: 0}

    def test_duplicate_and_multi_level_columns(self, df):
        """Names that do not mean one column are refused before anything is checked."""
        with pytest.raises(InputError, match="several columns named 'answer'"):
            check_frame(pd.concat([df, df["answer"]], axis=1))
        with pytest.raises(InputError, match="columns have 2 levels"):
            check_frame(pd.concat({"log": df}, axis=1))

    def test_subclass_and_attrs(self, df):
        """attrs stay as they are, nothing of ours is put into them."""
        df.attrs["run"] = {"id": 3}
        assert check_frame(df).attrs == {"run": {"id": 3}}

    def test_parquet_round_trip(self, df, tmp_path):
        """A checked frame comes back from parquet as a checked frame."""
        pytest.importorskip("pyarrow")
        out = check_frame(df)
        out.to_parquet(tmp_path / "a.parquet")
        back = pd.read_parquet(tmp_path / "a.parquet")
        assert is_checked(back)
        pd.testing.assert_frame_equal(back[list(SCHEMA)], out[list(SCHEMA)])
        pd.testing.assert_frame_equal(check_frame(back)[list(SCHEMA)], out[list(SCHEMA)])

    def test_csv_round_trip(self, tmp_path):
        """Lists written as Python reprs are read as the lists they were."""
        df = frame(4)
        df.to_csv(tmp_path / "a.csv", index=False)
        pd.testing.assert_frame_equal(
            check_frame(pd.read_csv(tmp_path / "a.csv"), append=False), check_frame(df, append=False)
        )

    def test_array_printed_into_csv_is_refused(self, tmp_path):
        """literal_eval would join its items into one source without a word."""
        df = frame(2)
        df["sources"] = pd.Series([np.array(SOURCES, dtype=object)] * 2, dtype=object)
        df.to_csv(tmp_path / "a.csv", index=False)
        out = check_frame(pd.read_csv(tmp_path / "a.csv"))
        assert out["cite_error"].str.startswith("sources: ").all()
        assert out["valid_citations"].isna().all()

    def test_empty_and_missing(self):
        """No rows, no answers, no sources: defined, never an error."""
        assert check_frame(frame(0)).shape == (0, 2 + len(SCHEMA))
        nothing = pd.DataFrame({"answer": [None, np.nan, pd.NA, ""], "sources": [None, np.nan, pd.NA, []]})
        out = check_frame(nothing)
        assert out["cite_error"].isna().all()
        assert out["valid_citations"].tolist() == [0] * 4
        assert out["traceability_score"].isna().all()
        assert out["cite_alerts"].str.contains("empty_answer").all()

    @pytest.mark.parametrize("other", [[{"answer": "x"}], {"answer": ["x"]}, pd.Series(["x"]), None])
    def test_not_a_frame(self, other):
        """Anything else is refused with what is accepted."""
        with pytest.raises(InputError, match=r"instead of a pandas\.DataFrame"):
            check_frame(other)


class TestInput:
    def test_columns_by_name(self):
        """Names that nobody can guess are passed."""
        df = frame().rename(columns={"answer": "x", "sources": "y"})
        assert check_frame(df, "x", "y")["valid_citations"].tolist() == check_frame(frame())["valid_citations"].tolist()
        with pytest.raises(InputError, match=r"no column of answers found; pass answer='…'\. The columns are 'x', 'y'"):
            check_frame(df)
        with pytest.raises(InputError, match=r"no column of sources found; pass sources='…'"):
            check_frame(df, answer="x")

    def test_values_beside_the_frame(self, df):
        """answer= and sources= may be the cells themselves, by position."""
        want = check_frame(df)
        df.index = list("fedcba")
        bare = df[["answer"]]
        for sources in (
            df["sources"].tolist(),
            df["sources"],
            df["sources"].to_numpy(),
            pd.Series(df["sources"].tolist()),
        ):
            assert check_frame(bare, sources=sources)["valid_citations"].tolist() == want["valid_citations"].tolist()
        assert (
            check_frame(df[["sources"]], answer=df["answer"].array)["valid_citations"].tolist()
            == want["valid_citations"].tolist()
        )
        with pytest.raises(InputError, match="sources= holds 2 values, the frame has 6 rows"):
            check_frame(bare, sources=[[], []])
        with pytest.raises(InputError, match="index in another order"):
            check_frame(bare, sources=df["sources"].sort_index())

    def test_without_sources(self):
        """No column found is an error; no sources on purpose is a result."""
        df = frame()[["answer"]]
        with pytest.raises(InputError, match=r"sources=\[None\] \* len\(df\)"):
            check_frame(df)
        out = check_frame(df, sources=[None] * len(df))
        assert "no_sources" in out["cite_alerts"].iloc[0]

    def test_answers_that_carry_their_sources(self):
        """Whole responses need no column of sources."""
        payload = {
            "messages": [
                {"role": "tool", "content": SOURCES[0]},
                {"role": "assistant", "content": "Returns take 30 days [1]."},
            ]
        }
        out = check_frame(pd.DataFrame({"response": [payload, None]}))
        assert out["valid_citations"].iloc[0] == 1

    def test_corpus(self, df):
        """Sources that are ids are looked up, in a mapping or a frame."""
        want = check_frame(df, append=False)
        texts = {f"d{i}": text for i, text in enumerate(SOURCES)}
        df["sources"] = [list(texts)] * len(df)
        table = pd.DataFrame({"id": list(texts), "text": list(texts.values())})
        columns = ["valid_citations", "invalid_citations", "cite_quotes_not_found"]
        for corpus in (texts, table, pd.Series(texts)):
            pd.testing.assert_frame_equal(check_frame(df, corpus=corpus, append=False)[columns], want[columns])
        df["sources"] = [["nowhere"] if i == 1 else list(texts) for i in range(len(df))]
        out = check_frame(df, corpus=texts)
        assert "nowhere" in out["cite_error"].iloc[1]
        assert out["cite_error"].notna().sum() == 1

    def test_deepeval_csv(self):
        """Its export joins the sources by a bar; only its own column is split there."""
        df = pd.DataFrame({"actual_output": ["It is free [2]."], "retrieval_context": ["Dogs pay.|Cats travel free."]})
        assert check_frame(df)["valid_citations"].tolist() == [1]
        other = df.rename(columns={"actual_output": "answer", "retrieval_context": "sources"})
        assert check_frame(other)["valid_citations"].tolist() == [0]

    def test_nested_rows(self):
        """A run in one row: the answer and its sources are taken out of its cells."""
        df = pd.DataFrame(
            {
                "op_name": ["rag", "rag"],
                "inputs": [{"question": "?"}] * 2,
                "output": [
                    {"answer": "It is free [2].", "context": SOURCES},
                    {"answer": "It is free [9].", "context": SOURCES},
                ],
            }
        )
        out = check_frame(df)
        assert out["valid_citations"].tolist() == [1, 0]
        assert out["invalid_citations"].tolist() == [0, 1]
        assert result(df, 1).invalid_citations[0].reference == "9"

    def test_nested_rows_without_sources(self):
        """Runs that hold no sources are refused like flat frames without them."""
        with pytest.raises(InputError, match="no column of sources found"):
            check_frame(pd.DataFrame({"inputs": ["?"], "outputs": ["It is free [1]."]}))

    def test_retriever_rows(self):
        """A table with the answer and its sources in different rows is sent to conversations()."""
        df = pd.DataFrame(
            {"run_type": ["retriever", "chain"], "inputs": [{}, {}], "outputs": [{"documents": []}, {"answer": "x"}]}
        )
        with pytest.raises(InputError, match=r"conversations\(df\)"):
            check_frame(df)

    def test_find_columns(self, df):
        """The names alone, for those who show them."""
        assert find_columns(df) == ("answer", "sources")
        assert find_columns(df.rename(columns={"sources": "contexts"})) == ("answer", "contexts")


def _broken():
    """The script that breaks rows in twenty ways, whose cells are used here too."""
    path = Path(__file__).parent.parent / "benchmarks" / "broken.py"
    spec = importlib.util.spec_from_file_location("broken", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


broken = _broken()


class TestErrors:
    @pytest.mark.parametrize("workers", [1, 2])
    def test_bad_rows_of_twenty_kinds(self, workers):
        """Every bad row is named with its column and reason, every good one is checked, nothing changes."""
        bad, good, places = broken.frame(rows=800, every=20)
        cells = [cell for name in bad for cell in bad[name]]
        out = check_frame(bad, workers=workers)
        assert len(broken.KINDS) == 20
        assert len(places) == 40
        assert broken.faults(out, check_frame(good), places) == []
        assert all(now is then for now, then in zip((cell for name in bad for cell in bad[name]), cells, strict=True))

    @pytest.mark.parametrize(("column", "kind", "cell"), broken.KINDS)
    def test_each_kind_alone(self, column, kind, cell):
        """A column of nothing but such cells is no error of the run either."""
        df = frame(2)
        df[column] = pd.Series([cell, cell], dtype=object)
        assert check_frame(df, "answer", "sources")["cite_error"].str.startswith(f"{column}: ").all(), kind

    def test_raise_names_row_and_column(self):
        """errors="raise" stops at the first bad row and says where it is."""
        df = frame(6, sources=[list(SOURCES)] * 4 + [3, 4]).set_axis(list("abcdef"))
        with pytest.raises(InputError, match=r"^row 4 \(index 'e'\): sources: .*int"):
            check_frame(df, errors="raise")
        renamed = df.rename(columns={"sources": "contexts"})
        with pytest.raises(InputError, match=r"^row 4 \(index 'e'\): contexts: "):
            check_frame(renamed, errors="raise")
        with pytest.raises(InputError, match=r"^row 4 "):
            citations(df, errors="raise")

    def test_the_answer_is_blamed_for_its_own_faults(self):
        """The reason begins with the column at fault."""
        df = pd.DataFrame({"response": pd.Series([{"no": "answer"}, 7], dtype=object), "contexts": [["x"], ["x"]]})
        out = check_frame(df, "response", "contexts")
        assert out["cite_error"].str.startswith("response: ").all()

    def test_unexpected_exceptions(self, df, monkeypatch):
        """A fault of ours in one row is that row's error too."""
        row = Checker.read

        def fail(self, answer, sources):
            if answer == ANSWERS[2]:
                raise ZeroDivisionError("oops")
            return row(self, answer, sources)

        monkeypatch.setattr(Checker, "read", fail)
        out = check_frame(df)
        assert out["cite_error"].iloc[2] == "internal error: ZeroDivisionError: oops"
        assert out["cite_error"].notna().sum() == 1
        with pytest.raises(InputError, match=r"row 2 .*ZeroDivisionError"):
            check_frame(df, errors="raise")

    @pytest.mark.parametrize(
        "stage", ["ragcite_nb.statements.classify", "ragcite_nb.counts.count", "ragcite_nb.quoted.collect"]
    )
    def test_a_stage_that_fails(self, monkeypatch, stage):
        """Rows are examined together, but one that fails takes no other with it, and all keep their places."""
        df = frame(200)
        want = check_frame(df)
        df.loc[[3, 64, 65, 199], "answer"] = "Broken [1]."
        module, name = stage.rsplit(".", 1)
        done = getattr(sys.modules[module], name)

        def fail(x):
            if x.text == "Broken [1].":
                raise ZeroDivisionError("oops")
            return done(x)

        monkeypatch.setattr(stage, fail)
        out = check_frame(df)
        assert out["cite_error"].notna().to_numpy().nonzero()[0].tolist() == [3, 64, 65, 199]
        good = out["cite_error"].isna()
        pd.testing.assert_frame_equal(out[good], want[good])
        with pytest.raises(InputError, match=r"row 3 .*ZeroDivisionError"):
            check_frame(df, errors="raise")

    def test_long_reasons_are_cut(self, df, monkeypatch):
        """A reason quotes its input only so far."""

        def fail(*_):
            raise InputError("x" * 99_999)

        monkeypatch.setattr(Checker, "read", fail)
        assert check_frame(df)["cite_error"].str.len().max() == 500

    def test_deep_nesting(self):
        """Cells that nest without end are errors of their rows."""
        deep: list = []
        for _ in range(100_000):
            deep = [deep]
        out = check_frame(frame(2, sources=[deep, list(SOURCES)]))
        assert pd.isna(out["cite_error"].iloc[1])
        assert pd.isna(out["valid_citations"].iloc[0]) == pd.notna(out["cite_error"].iloc[0])
        while deep:  # taken apart by hand: freeing it at once would recurse too
            deep = deep.pop()

    def test_interrupt(self, df, monkeypatch):
        """Ctrl-C is not an error of a row."""

        def stop(*_):
            raise KeyboardInterrupt

        monkeypatch.setattr(Checker, "read", stop)
        with pytest.raises(KeyboardInterrupt):
            check_frame(df)


class TestCollector:
    """The collector of cyclic garbage rests while rows are examined, and then is as it was before."""

    @pytest.mark.parametrize("enabled", [True, False])
    @pytest.mark.parametrize("error", [None, ZeroDivisionError, KeyboardInterrupt])
    def test_is_as_before(self, df, monkeypatch, enabled, error):
        seen = []
        read = Checker.read

        def watch(self, answer, sources):
            seen.append(gc.isenabled())
            if error:
                raise error
            return read(self, answer, sources)

        monkeypatch.setattr(Checker, "read", watch)
        before = gc.isenabled()
        try:
            (gc.enable if enabled else gc.disable)()
            with pytest.raises(KeyboardInterrupt) if error is KeyboardInterrupt else contextlib.nullcontext():
                check_frame(df)
            assert gc.isenabled() is enabled
            assert seen
            assert not any(seen)
        finally:
            (gc.enable if before else gc.disable)()


class TestTidy:
    def test_fields_are_those_of_to_dict(self, df):
        """Every tidy row is the item of that row's to_dict()."""
        for make, key in ((citations, "citations"), (sentences, "sentences"), (quotes, "quotes")):
            tidy = make(df)
            wanted = [(i, item) for i in range(len(df)) for item in rc.check(ANSWERS[i], SOURCES).to_dict()[key]]
            assert tidy["row"].tolist() == [i for i, _ in wanted]
            assert list(tidy.columns) == ["row", *wanted[0][1]]
            for (_, row), (_, item) in zip(tidy.iterrows(), wanted, strict=True):
                for name, value in item.items():
                    if value is None:
                        assert pd.isna(row[name])
                    else:
                        assert row[name] == value

    def test_index_and_dtypes(self, df):
        """The frame's index is repeated; dtypes do not depend on the data."""
        df.index = pd.MultiIndex.from_product([["x", "y"], [1, 2, 3]], names=["k", "n"])
        for make in (citations, sentences, quotes):
            full, empty = make(df), make(df.iloc[:0])
            assert full.index.names == ["k", "n"]
            assert full.dtypes.to_dict() == empty.dtypes.to_dict()
            assert list(full.columns) == list(empty.columns)

    def test_only(self, df):
        """Sentences of some kinds, or the uncited claims."""
        everything = sentences(df)
        assert sentences(df, only="uncited")["text"].tolist() == ["It is free."]
        assert len(sentences(df, only="claim")) == (everything["kind"] == "claim").sum()
        assert len(sentences(df, only=["claim", "aside"])) == everything["kind"].isin(["claim", "aside"]).sum()
        with pytest.raises(InputError, match="only='claims': accepted are 'claim'"):
            sentences(df, only="claims")

    def test_rows_that_cannot_be_read_are_counted(self):
        """They leave no tidy rows, so a warning says how many there are."""
        df = frame(3, sources=[SOURCES, 3, SOURCES])
        with pytest.warns(UserWarning, match=r"1 of 3 rows could not be read and are missing here \(positions 1\)"):
            assert set(citations(df)["row"]) == {0, 2}

    def test_result(self, df):
        """The full result of a row, by position."""
        df.index = list("abcabc")
        assert result(df, 1).to_dict() == rc.check(ANSWERS[1], SOURCES).to_dict()
        assert result(df, -1).to_dict() == rc.check(None, SOURCES).to_dict()
        assert result(df, np.int64(1)).text == ANSWERS[1]
        with pytest.raises(InputError, match="row=6: the frame has positions 0 to 5"):
            result(df, 6)
        with pytest.raises(InputError, match="row='a': the position"):
            result(df, "a")
        with pytest.raises(InputError, match=r"row 1 \(index 1\): sources: "):
            result(frame(2, sources=[SOURCES, 3]), 1)


class TestProgress:
    def test_quiet_when_quick(self, df, capsys):
        """Short work shows nothing, on request it does."""
        check_frame(df)
        assert capsys.readouterr() == ("", "")
        check_frame(df, progress=True)
        shown = capsys.readouterr()
        assert shown.out == ""
        assert "6.00/6.00" in shown.err
        check_frame(df, progress=False)
        assert capsys.readouterr() == ("", "")

    def test_appears_after_a_while(self, df, capsys, monkeypatch):
        """By default the bar comes when the work takes long."""
        monkeypatch.setattr(module, "_SHOW_AFTER", 1e-9)
        check_frame(df)
        assert "6.00/6.00" in capsys.readouterr().err


def test_interrupted_in_a_process_of_its_own(tmp_path):
    """After Ctrl-C in the middle of a run with workers, the same Python checks on."""
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(
            """
            import _thread, signal, threading
            import pandas as pd
            from ragcite_nb.frame import check_frame

            # A shell's background jobs inherit that interruptions are ignored.
            signal.signal(signal.SIGINT, signal.default_int_handler)
            if __name__ == "__main__":
                text = "Returns take 30 days. " * 200
                df = pd.DataFrame({"answer": ["It takes 30 days [1]. " * 40] * 60_000, "sources": [[text] * 8] * 60_000})
                check_frame(df.head(50), workers=2, progress=False)
                threading.Timer(1.0, _thread.interrupt_main).start()
                try:
                    check_frame(df, workers=2, progress=False)
                except KeyboardInterrupt:
                    print("interrupted")
                print(check_frame(df.head(300), workers=2, progress=False)["valid_citations"].sum())
            """
        )
    )
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=300, check=False, env=env)
    assert ran.stdout.split() == ["interrupted", str(300 * 40)], ran.stderr
    assert ran.stderr == ""


def test_half_a_character_does_not_end_a_tidy_frame():
    """Logs that were cut hold half an emoji; Arrow's text cannot."""
    df = pd.DataFrame({"answer": pd.Series(["It is \ud83c free [1]."], dtype=object), "sources": [["It is free."]]})
    # Texts that are Python's own, as in pandas 2, can hold it.
    assert sentences(df)["text"].tolist() in (["It is \ufffd free [1]."], ["It is \ud83c free [1]."])
    assert check_frame(df)["valid_citations"].tolist() == [1]
