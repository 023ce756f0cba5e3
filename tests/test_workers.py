"""Several processes: the same result in the same order, whatever happens to one of them."""

import os
import signal
import sys
import threading
import types
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joblib.externals.loky import get_reusable_executor

from ragcite_nb import workers
from ragcite_nb.columns import Columns
from ragcite_nb.frame import check_frame, citations, quotes
from ragcite_nb.models import InputError, Options
from ragcite_nb.rows import RowCheck
from ragcite_nb.workers import SharedRows, count, shared_rows

JOB = RowCheck(Columns("answer", "sources"), Options())

SOURCES = ["Returns take 30 days.", "Shipping costs 4.90 euros.", "The warranty lasts 24 months. \ud800 \x00 ☃ 🎒"]


def frame(rows):
    answers = [f'Row {i}: it takes 30 days [{i % 5}]. "Shipping costs {i % 7}.90 euros" [2].' for i in range(rows)]
    return pd.DataFrame({"answer": answers, "sources": [SOURCES] * rows})


def test_same_as_one_process():
    """Columns, lists and tidy frames, in order, with bad rows in between."""
    df = frame(1203)
    df.loc[::100, "sources"] = 3
    df.index = df.index % 7
    pd.testing.assert_frame_equal(check_frame(df, workers=2, details=True), check_frame(df, details=True))
    with pytest.warns(UserWarning, match="13 of 1203"):
        one, two = quotes(df), quotes(df, workers=2)
    pd.testing.assert_frame_equal(one, two)
    with pytest.raises(InputError, match=r"^row 0 "):
        check_frame(df, workers=2, errors="raise")


def test_corpus_and_columns_travel():
    """What belongs to the job reaches the workers."""
    texts = {f"d{i}": text for i, text in enumerate(SOURCES)}
    df = frame(200).assign(sources=[list(texts)] * 200)
    pd.testing.assert_frame_equal(check_frame(df, corpus=texts, workers=2), check_frame(df, corpus=texts))
    joined = pd.DataFrame(
        {"actual_output": ["It is free [2]."] * 90, "retrieval_context": ["Dogs pay.|Cats travel free."] * 90}
    )
    assert check_frame(joined, workers=2)["valid_citations"].sum() == 90


def test_rows_larger_than_a_slot(monkeypatch):
    """What does not fit into the shared file goes along."""
    monkeypatch.setattr(workers, "SLOT_BYTES", 2_000)
    df = frame(60)
    df["sources"] = [[text * (1 + i) for text in SOURCES] for i in range(60)]
    pd.testing.assert_frame_equal(check_frame(df, workers=2), check_frame(df))


def test_cells_that_cannot_travel(monkeypatch):
    """Objects that cannot be pickled, or that the other process does not know, are checked here."""
    here = types.ModuleType("only_here")
    exec(
        "class Doc:\n    def __init__(self, text): self.text = text\n    def to_dict(self): return {'text': self.text}",
        here.__dict__,
    )
    monkeypatch.setitem(sys.modules, "only_here", here)
    locked = here.Doc("Returns take 30 days.")
    locked.lock = threading.Lock()
    df = frame(50)
    df["sources"] = [
        [locked] if i % 10 == 3 else [here.Doc(text) for text in SOURCES] if i % 10 == 5 else SOURCES for i in range(50)
    ]
    out = check_frame(df, workers=2)
    assert out["cite_error"].isna().all()
    pd.testing.assert_frame_equal(out, check_frame(df))


class Deadly:
    """A cell that kills the process which unpickles it, unless that is the one that made it."""

    def __init__(self, home):
        self.home = home

    def __reduce__(self):
        return _die, (self.home,)


def _die(home):
    if os.getpid() != home:
        os.kill(os.getpid(), signal.SIGKILL)
    return "survived"


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_a_worker_that_dies(monkeypatch):
    """The row that kills is found and named; all others are checked."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    df = frame(80)
    want = check_frame(df)
    df["sources"] = [Deadly(os.getpid()) if i == 37 else SOURCES for i in range(80)]
    out = check_frame(df, workers=2)
    assert "worker process" in out["cite_error"].iloc[37]
    rest = [i for i in range(80) if i != 37]
    columns = [name for name in want.columns if name != "sources"]
    pd.testing.assert_frame_equal(out.iloc[rest][columns], want.iloc[rest][columns])


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_too_many_deaths(monkeypatch):
    """When every row kills, it is the machine, and the run ends with the rows at hand."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.setattr(workers, "MOST_DEATHS", 1)
    df = frame(20).assign(sources=[Deadly(os.getpid())] * 20)
    with pytest.raises(RuntimeError, match=r"worker processes died, the last one with \d+ rows at hand"):
        check_frame(df, workers=2)
    assert citations(frame(20), workers=2)["row"].nunique() == 20


def test_workers_that_cannot_start(tmp_path, monkeypatch):
    """A package that cannot be imported there is no fault of a row: the run ends with what Python says."""
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "class Broken:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'ragcite_nb':\n"
        "            raise ImportError('broken here')\n"
        "sys.meta_path.insert(0, Broken())\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    get_reusable_executor().shutdown(wait=True, kill_workers=True)
    with pytest.raises(BrokenProcessPool) as error:
        check_frame(frame(20), workers=2)
    assert "broken here" in str(error.value.__cause__)
    get_reusable_executor().shutdown(wait=True, kill_workers=True)


def test_count():
    """workers= is a number of processes, -1 all cores."""
    assert count(3) == 3
    assert count(-1) >= 1
    for wrong in (0, -2, 1.5, "2", True, None):
        with pytest.raises(InputError, match="workers="):
            count(wrong)


class Full:
    """A file on a device that has room for the marks of the slots, and then takes ``room`` bytes or fails."""

    def __init__(self, file, room):
        self.file, self.room = file, room
        self.seek, self.read, self.close = file.seek, file.read, file.close

    def write(self, data):
        if len(data) > 8 and self.room is None:
            raise OSError(28, "No space left on device")
        return self.file.write(data[: self.room])


@pytest.mark.parametrize("room", [None, 100])
def test_no_room_for_the_shared_file(room, monkeypatch):
    """Rows that cannot be written go along as bytes, whole."""
    made = SharedRows.__init__

    def full(self, *args):
        made(self, *args)
        self.file = Full(self.file, room)

    monkeypatch.setattr(SharedRows, "__init__", full)
    with shared_rows(2, JOB) as shared:
        sent = shared.send([("a" * 90, ["b"]), ("c" * 90, ["d"])])
        assert sent.slot == -1
        assert list(workers._received(memoryview(sent.loose), sent.ends)) == [("a" * 90, ["b"]), ("c" * 90, ["d"])]
    df = frame(60)
    pd.testing.assert_frame_equal(check_frame(df, workers=2), check_frame(df))


def test_a_full_device_in_memory(tmp_path, monkeypatch):
    """A job or a file that finds no room there goes to the folder for temporary files."""
    monkeypatch.setattr(workers, "_IN_MEMORY", tmp_path)
    described = workers.describe

    def describe(job, folder):
        if folder.parent == tmp_path:
            raise OSError(28, "No space left on device")
        described(job, folder)

    monkeypatch.setattr(workers, "describe", describe)
    with shared_rows(2, JOB) as shared:
        assert shared.folder.parent != tmp_path
        assert list(tmp_path.iterdir()) == []


def test_runs_in_threads_of_one_process(tmp_path):
    """Where joblib starts no process, each thread gets its own run's job."""
    folders = []
    for i in range(4):
        folder = tmp_path / str(i)
        folder.mkdir()
        workers.describe(JOB, folder)
        folders.append(folder)

    def look(i):
        return all(workers.of_run(folders[i], lambda _job, i=i: i) == i for _ in range(300))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            assert all(threads.map(look, range(4)))
    finally:
        sys.setswitchinterval(interval)


def test_a_cell_that_cannot_be_measured():
    """It is reported with its row; how much text a row holds is only estimated."""
    deep = "x"
    for _ in range(5_000):
        deep = [deep]
    df = pd.DataFrame({"answer": ["It is free [1]."] * 40, "sources": [deep] + [["It is free."]] * 39})
    assert check_frame(df, workers=2)["cite_error"].notna().tolist() == [True] + [False] * 39


@given(st.integers(0, 5_000), st.integers(1, 1_000), st.integers(1, 64))
def test_shares_are_all_rows_once(rows, most, count):
    """In order, without a gap, never more than allowed, never growing."""
    cuts = list(workers.shares(rows, most, count))
    sizes = [stop - start for start, stop in cuts]
    assert [row for start, stop in cuts for row in range(start, stop)] == list(range(rows))
    assert all(0 < size <= most for size in sizes)
    assert sizes == sorted(sizes, reverse=True)


def test_nothing_is_left_behind(tmp_path):
    """The shared file goes away, with the folder it is in."""
    with shared_rows(2, JOB) as shared:
        folder = shared.folder
        assert folder.exists()
    assert not folder.exists()
    with SharedRows.inside(tmp_path, 1, JOB) as shared:
        sent = shared.send([("a", ["b"])])
        assert (sent.slot, sent.loose) == (0, b"")
        assert shared.send([("a", ["b"])]).slot == -1  # no slot is free, so the rows travel by themselves
        shared.empty()
        assert shared.send([("a", ["b"])]).slot == 0
    assert list(tmp_path.iterdir()) == []
