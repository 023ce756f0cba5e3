"""Files larger than memory: the result of check_frame, block by block, and again after an interruption."""

import json
import os
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

pa = pytest.importorskip("pyarrow", reason="check_parquet needs pyarrow")
import pyarrow.parquet as pq  # noqa: E402

from ragcite_nb import blocks, parquet  # noqa: E402
from ragcite_nb.check import Checker  # noqa: E402
from ragcite_nb.frame import SCHEMA, check_frame, is_checked  # noqa: E402
from ragcite_nb.models import InputError  # noqa: E402
from ragcite_nb.parquet import check_parquet  # noqa: E402

SOURCES = ["Returns take 30 days.", "Shipping costs 4.90 euros.", "The warranty lasts 24 months."]


def frame(rows):
    answers = [
        None if i % 50 == 7 else f'Row {i}: it takes 30 days [{i % 5}]. "Shipping costs {i % 7}.90 euros" [2].'
        for i in range(rows)
    ]
    return pd.DataFrame({"id": range(rows), "answer": answers, "sources": [SOURCES] * rows, "model": ["a"] * rows})


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Blocks of about a hundred rows, read thirty at a time."""
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 15_000)
    monkeypatch.setattr(blocks, "MOST_BATCH_ROWS", 30)


def written(df, path, **how):
    df.to_parquet(path, **how)
    return path


def assert_same(path, want):
    """The file holds the frame that check_frame returns, dtypes and index included."""
    got = pd.read_parquet(path)
    lists = [name for name in want.columns if name == "sources"]
    pd.testing.assert_frame_equal(got.drop(columns=lists), want.drop(columns=lists))
    for name in lists:
        assert [list(cell) for cell in got[name]] == [list(cell) for cell in want[name]]
    assert is_checked(got)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("groups", [None, 40, 333])
def test_same_as_check_frame(tmp_path, workers, groups):
    """Whatever the row groups and the number of processes."""
    df = frame(1000)
    src = written(df, tmp_path / "log.parquet", row_group_size=groups)
    out = check_parquet(src, tmp_path / "out.parquet", workers=workers)
    assert_same(out, check_frame(df))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log.parquet", "out.parquet"]


def test_index_and_prefix(tmp_path):
    """Labels, also of several levels, come through; prefixes name the columns."""
    df = frame(300).set_index(["model", "id"])
    src = written(df, tmp_path / "log.parquet")
    check_parquet(src, tmp_path / "out.parquet", prefix="rc_", scope="block")
    got = pd.read_parquet(tmp_path / "out.parquet")
    want = check_frame(df, prefix="rc_", scope="block")
    pd.testing.assert_frame_equal(got.drop(columns="sources"), want.drop(columns="sources"))


def test_columns_that_are_kept(tmp_path):
    """Some input columns, or none of them."""
    df = frame(300)
    src = written(df, tmp_path / "log.parquet")
    check_parquet(src, tmp_path / "some.parquet", columns=["id"])
    assert pq.read_schema(tmp_path / "some.parquet").names == ["id", *SCHEMA]
    check_parquet(src, tmp_path / "none.parquet", append=False)
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "none.parquet"), check_frame(df, append=False))
    with pytest.raises(InputError, match=r"columns=\['ids'\]: the file has 'id', 'answer'"):
        check_parquet(src, tmp_path / "x.parquet", columns=["ids"])


def test_second_run_and_foreign_columns(tmp_path):
    """A checked file is checked anew; somebody else's column is not overwritten."""
    df = frame(200)
    first = check_parquet(written(df, tmp_path / "log.parquet"), tmp_path / "1.parquet")
    second = check_parquet(first, tmp_path / "2.parquet")
    assert sorted(pq.read_schema(second).names) == sorted(pq.read_schema(first).names)
    assert is_checked(pd.read_parquet(second))
    taken = written(df.assign(cite_error="mine"), tmp_path / "taken.parquet")
    with pytest.raises(InputError, match=r"'cite_error'.*prefix="):
        check_parquet(taken, tmp_path / "3.parquet")


def test_folder_of_files(tmp_path):
    """Files of a folder are one input; their names give the order, notes of other tools are left out."""
    df = frame(500)
    (tmp_path / "log").mkdir()
    for number in range(5):
        written(df.iloc[number * 100 : number * 100 + 100], tmp_path / "log" / f"part-{number}.parquet")
    (tmp_path / "log" / "_metadata.parquet").write_bytes(b"")
    check_parquet(tmp_path / "log", tmp_path / "out.parquet", workers=2)
    got = pd.read_parquet(tmp_path / "out.parquet").reset_index(drop=True)
    pd.testing.assert_frame_equal(got.drop(columns="sources"), check_frame(df).drop(columns="sources"))
    written(df.drop(columns="model"), tmp_path / "log" / "part-9.parquet")
    with pytest.raises(InputError, match=r"part-9\.parquet: its columns differ .*: model"):
        check_parquet(tmp_path / "log", tmp_path / "out.parquet")


def test_structs_and_payloads(tmp_path):
    """Sources as structs, filled up with None by Arrow; answers that carry their sources."""
    df = frame(150)
    df["sources"] = [[{"page_content": text, "metadata": {"page": 3, "source": None}} for text in SOURCES]] * 150
    check_parquet(written(df, tmp_path / "a.parquet"), tmp_path / "b.parquet")
    want = check_frame(df, append=False)
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "b.parquet")[list(SCHEMA)], want)
    payload = json.dumps(
        {
            "messages": [
                {"role": "tool", "content": SOURCES[0]},
                {"role": "assistant", "content": "It takes 30 days [1]."},
            ]
        }
    )
    bare = pd.DataFrame({"response": [payload] * 150})
    check_parquet(written(bare, tmp_path / "c.parquet"), tmp_path / "d.parquet", workers=2)
    assert pd.read_parquet(tmp_path / "d.parquet")["valid_citations"].sum() == 150


def test_nested_rows(tmp_path):
    """Tables of runs are read row by row here too."""
    df = pd.DataFrame(
        {"op_name": ["rag"] * 120, "output": [{"answer": "It takes 30 days [1].", "context": SOURCES}] * 120}
    )
    check_parquet(written(df, tmp_path / "a.parquet"), tmp_path / "b.parquet")
    assert pd.read_parquet(tmp_path / "b.parquet")["valid_citations"].sum() == 120


def test_corpus(tmp_path):
    """Ids are looked up in every process."""
    df = frame(200)
    texts = {f"d{i}": text for i, text in enumerate(SOURCES)}
    df["sources"] = [list(texts)] * 200
    check_parquet(written(df, tmp_path / "a.parquet"), tmp_path / "b.parquet", corpus=texts, workers=2)
    pd.testing.assert_frame_equal(
        pd.read_parquet(tmp_path / "b.parquet")[list(SCHEMA)], check_frame(df, corpus=texts, append=False)
    )


def test_empty_file(tmp_path):
    """No rows: a file with the schema."""
    check_parquet(written(frame(1).iloc[:0], tmp_path / "a.parquet"), tmp_path / "b.parquet")
    assert is_checked(pd.read_parquet(tmp_path / "b.parquet"))


@pytest.mark.parametrize("workers", [1, 2])
def test_bad_rows(tmp_path, workers):
    """A bad row is reported; errors="raise" names its place in the file and leaves no result behind."""
    df = frame(400)
    df["sources"] = [json.dumps(SOURCES) if i != 250 else "['a' 'b'\n 'c']" for i in range(400)]
    src = written(df, tmp_path / "log.parquet", row_group_size=150)
    out = pd.read_parquet(check_parquet(src, tmp_path / "out.parquet", workers=workers))
    assert out["cite_error"].notna().to_numpy().nonzero()[0].tolist() == [250]
    with pytest.raises(InputError, match=r"^row 250 of .*log\.parquet: sources: "):
        check_parquet(src, tmp_path / "raised.parquet", errors="raise", workers=workers)
    assert not (tmp_path / "raised.parquet").exists()


class TestResume:
    def interrupt(self, monkeypatch, src, dst, after):
        """Ctrl-C after so many rows; returns how many finished blocks wait."""
        checked = Checker.read
        rows = iter(range(after))

        def row(self, *cells):
            if next(rows, None) is None:
                raise KeyboardInterrupt
            return checked(self, *cells)

        with monkeypatch.context() as patched:
            patched.setattr(Checker, "read", row)
            with pytest.raises(KeyboardInterrupt):
                check_parquet(src, dst)
        return len(list(Path(f"{dst}.parts").glob("*.parquet")))

    def test_goes_on_where_it_stopped(self, tmp_path, monkeypatch):
        """Finished blocks are not checked again, and the result is whole."""
        df = frame(1000)
        src, dst = written(df, tmp_path / "log.parquet"), tmp_path / "out.parquet"
        finished = self.interrupt(monkeypatch, src, dst, 700)
        assert finished >= 5
        assert not dst.exists()
        seen = []
        checked = Checker.read
        monkeypatch.setattr(Checker, "read", lambda self, *cells: seen.append(1) or checked(self, *cells))
        check_parquet(src, dst)
        monkeypatch.undo()
        assert 300 <= len(seen) <= 1000 - 100 * (finished - 1)
        assert_same(dst, check_frame(df))
        assert sorted(path.name for path in tmp_path.iterdir()) == ["log.parquet", "out.parquet"]

    @pytest.mark.parametrize("change", ["options", "input", "columns"])
    def test_another_job_starts_anew(self, tmp_path, monkeypatch, change):
        """Blocks of other options or another input would be wrong."""
        df = frame(1000)
        src, dst = written(df, tmp_path / "log.parquet"), tmp_path / "out.parquet"
        assert self.interrupt(monkeypatch, src, dst, 700)
        how = {}
        if change == "options":
            how["first_number"] = 0
        elif change == "input":
            df["answer"] = "It is free [9]."
            written(df, src)
            os.utime(src, ns=(1, 1))
        else:
            df = df.assign(other=["It is free [9]."] * 1000)
            written(df, src)
            how["answer"] = "other"
        check_parquet(src, dst, **how)
        assert_same(dst, check_frame(df, **how))

    def test_existing_result_is_replaced_at_the_end(self, tmp_path, monkeypatch):
        """Until then the old one stays."""
        src, dst = written(frame(1000), tmp_path / "log.parquet"), tmp_path / "out.parquet"
        dst.write_bytes(b"old")
        self.interrupt(monkeypatch, src, dst, 700)
        assert dst.read_bytes() == b"old"
        check_parquet(src, dst)
        assert is_checked(pd.read_parquet(dst))

    def test_somebody_elses_folder(self, tmp_path):
        """A folder of that name which no run made is never deleted."""
        src = written(frame(10), tmp_path / "log.parquet")
        (tmp_path / "out.parquet.parts").mkdir()
        with pytest.raises(InputError, match="is in the way"):
            check_parquet(src, tmp_path / "out.parquet")


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_a_worker_that_dies(tmp_path, monkeypatch):
    """A row that kills its process is reported; the block it was in is checked without it."""
    folder = tmp_path / "site"
    folder.mkdir()
    # Workers import this at their start: in them, and only there, one answer kills.
    (folder / "sitecustomize.py").write_text(
        "import os, signal\n"
        "from ragcite_nb.check import Checker\n"
        "row = Checker.read\n"
        "def deadly(self, answer, sources):\n"
        "    if answer == 'kill':\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return row(self, answer, sources)\n"
        "Checker.read = deadly\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), *sys.path]))
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor(max_workers=2).shutdown(wait=True, kill_workers=True)  # new workers, with that import
    df = frame(12)
    df.loc[5, "answer"] = "kill"
    out = pd.read_parquet(check_parquet(written(df, tmp_path / "a.parquet"), tmp_path / "b.parquet", workers=2))
    get_reusable_executor(max_workers=2).shutdown(wait=True, kill_workers=True)
    assert out["cite_error"].notna().to_numpy().nonzero()[0].tolist() == [5]
    assert "worker process" in out["cite_error"].iloc[5]
    rest = np.arange(12) != 5
    pd.testing.assert_frame_equal(out[rest][list(SCHEMA)], check_frame(df)[rest][list(SCHEMA)])


def test_what_cannot_be_read(tmp_path):
    """Paths and arguments that make no sense are refused before anything is written."""
    src = written(frame(10), tmp_path / "log.parquet")
    with pytest.raises(InputError, match="there is no such file or folder"):
        check_parquet(tmp_path / "nowhere.parquet", tmp_path / "out.parquet")
    with pytest.raises(InputError, match="is a file that is read"):
        check_parquet(src, src)
    with pytest.raises(InputError, match="this writes parquet"):
        check_parquet(src, tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"no \*\.parquet file"):
        check_parquet(tmp_path / "empty", tmp_path / "out.parquet")
    with pytest.raises(InputError, match="name of a column of the file"):
        check_parquet(src, tmp_path / "out.parquet", sources=[SOURCES] * 10)
    with pytest.raises(TypeError, match="unknown option 'details'"):
        check_parquet(src, tmp_path / "out.parquet", details=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "log.parquet"]


def test_relative_paths(tmp_path, monkeypatch):
    """They mean the caller's folder, also to workers that were started in another one."""
    for name in "ab":
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        written(frame(200), "log.parquet")
        check_parquet("log.parquet", "out.parquet", workers=2)
        assert is_checked(pd.read_parquet(tmp_path / name / "out.parquet"))


def test_blocks(tmp_path, monkeypatch):
    """Every row is in one block, in order; large row groups are cut."""
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 2_000)
    src = written(frame(500), tmp_path / "a.parquet", row_group_size=200)
    made = list(blocks.blocks(src, 1))
    assert [row for block in made for row in range(block.first, block.first + block.stop - block.start)] == list(
        range(500)
    )
    assert max(block.stop - block.start for block in made) < 200
    reader = blocks.Reader(["id"], 30)
    for chosen in (made, made[::2], made[::-1]):
        for block in chosen:
            ids = [i for batch in reader.read(block) for i in batch.column("id").to_pylist()]
            assert ids == list(range(block.first, block.first + block.stop - block.start))


def test_identity_knows_the_corpus(tmp_path):
    """Texts by id are part of what a block was judged by."""
    from ragcite_nb.columns import Columns
    from ragcite_nb.models import Options
    from ragcite_nb.read import read_corpus
    from ragcite_nb.rows import RowCheck

    src = written(frame(10), tmp_path / "log.parquet")
    jobs = [
        RowCheck(Columns("answer", "sources"), Options(), corpus=read_corpus({"a": text})) for text in ("x", "y", "x")
    ]
    one, two, three = (parquet._identity([src], job) for job in jobs)
    assert one != two
    assert one == three


def test_text_that_is_no_utf8(tmp_path):
    """Nothing keeps it out of a file: its row is named, all others are checked, in memory and out of it."""
    texts = [b"It is free [1]."] * 60
    texts[55] = b"It is fr\xe9e [1]."
    answers = pa.Array.from_buffers(pa.string(), 60, pa.array(texts, pa.binary()).buffers())
    pq.write_table(pa.table({"answer": answers, "sources": pa.array([["It is free."]] * 60)}), tmp_path / "log.parquet")
    # pandas 2 cannot read it into texts of its own.
    out = check_frame(pd.read_parquet(tmp_path / "log.parquet", dtype_backend="pyarrow"), append=False)
    assert out["valid_citations"].sum() == 59
    assert out["cite_error"].dropna().index.tolist() == [55]
    assert "not UTF-8" in out["cite_error"].iloc[55]
    check_parquet(tmp_path / "log.parquet", tmp_path / "out.parquet", append=False)
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "out.parquet"), out)
