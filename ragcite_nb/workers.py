"""Rows checked by several processes, in order.

Threads gain nothing here, and sending texts through pipes costs about as much as checking them. So the rows are pickled
one by one into a file (on Linux one that never reaches a disk), in slots that are used again and again; what travels
through the pipe is only where they stand. Workers are those of joblib (loky): they start without inheriting anything,
and they live on for the next call. Nothing they need imports pandas, which would be most of the time they take to start.

A process that dies (killed for memory, crashed in native code) takes joblib's whole pool with it. The rows that were on
their way are then tried again apart from the others, halved until the row that kills is alone; it is reported as
failed, and the run goes on.
"""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import tempfile
import warnings
from collections import deque
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import joblib

from ragcite_nb.models import InputError
from ragcite_nb.rows import Checked, Failure, RowCheck, UnsentError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    Check = Callable[[Iterable[Sequence[Any]]], Checked]
    Start = Callable[[], Check]

Rows = list[tuple[Any, ...]]

CHUNK_BYTES = 4_000_000
"""About so much text goes to a worker at once: enough to make the messages cheap, little enough to keep memory flat."""
LEAST_ROWS = 16
"""Fewer rows are not worth a message."""
SLOT_BYTES = CHUNK_BYTES * 3 // 2
MOST_DEATHS = 40
"""A run gives up after so many dead workers: then it is the machine, not a row."""
DIED = (
    "the worker process that checked this row died (out of memory, or a crash outside Python); "
    "the other rows were checked"
)


def count(workers: int) -> int:
    """The number of processes that ``workers=`` asks for; -1 means all cores.

    >>> count(1)
    1
    """
    if isinstance(workers, bool) or not isinstance(workers, int) or (workers < 1 and workers != -1):
        raise InputError(f"workers={workers!r}: a whole number of at least 1 is accepted, or -1 for all cores")
    return int(joblib.cpu_count()) if workers == -1 else workers


def shares(rows: int, most: int, workers: int) -> Iterator[tuple[int, int]]:
    """Where chunks of rows begin and end: of at most ``most`` rows, smaller towards the end, to finish together.

    >>> list(shares(100, 30, 2))
    [(0, 25), (25, 43), (43, 59), (59, 75), (75, 91), (91, 100)]
    """
    start = 0
    while start < rows:
        fair = (rows - start) // (2 * workers)
        stop = min(start + min(most, max(fair, LEAST_ROWS)), rows)
        yield start, stop
        start = stop


def in_order(chunks: Iterable[Rows], job: RowCheck, workers: int) -> Generator[Checked, None, None]:
    """Check ``chunks`` in ``workers`` processes and yield what became of their rows, in order."""
    source = iter(chunks)
    waiting: deque[Rows] = deque()  # handed to the pool, not yet back
    deaths = 0
    here = cache(job.start)
    with shared_rows(2 * workers + 2, job) as shared:
        while True:
            try:
                with pool(check_sent, _sent(source, waiting, shared), workers) as results:
                    for checked in results:
                        yield _complete(checked, waiting.popleft(), here)
            except BrokenProcessPool as broken:
                if not died(broken):
                    raise
                lost = list(waiting)
                waiting.clear()
                for rows in lost:
                    deaths = yield from _alone(rows, shared, here, deaths)
            else:
                return


def _sent(source: Iterator[Rows], waiting: deque[Rows], shared: SharedRows) -> Iterator[Sent]:
    for rows in source:
        waiting.append(rows)
        yield shared.send(rows)


def _alone(rows: Rows, shared: SharedRows, here: Start, deaths: int) -> Generator[Checked, None, int]:
    """Check rows that may have killed a worker; returns how many died so far."""
    shared.empty()
    try:
        # joblib starts no process for n_jobs=1.
        with pool(check_sent, [shared.send(rows)], workers=2) as results:
            for checked in results:
                yield _complete(checked, rows, here)
    except BrokenProcessPool as broken:
        if not died(broken):
            raise
        deaths += 1
        if deaths > MOST_DEATHS:
            raise RuntimeError(
                f"{deaths} worker processes died, the last one with {len(rows)} rows at hand: "
                "is there enough memory? workers=1 checks in this process"
            ) from None
        if len(rows) == 1:
            yield Checked([None], [Failure(0, DIED)])
        else:
            half = len(rows) // 2
            deaths = yield from _alone(rows[:half], shared, here, deaths)
            deaths = yield from _alone(rows[half:], shared, here, deaths)
    return deaths


def died(broken: BrokenProcessPool) -> bool:
    """Whether a pool broke because a process died, and not because processes cannot import this package."""
    # loky's own name for it; where joblib keeps loky differs between versions.
    return type(broken).__name__ == "TerminatedWorkerError"


def _complete(checked: Checked, rows: Rows, here: Start) -> Checked:
    """``checked`` with the rows that did not reach the worker checked in this process."""
    if not any(failure.unsent for failure in checked.failures):
        return checked
    check = here()
    outcomes: list[Any] = list(checked.outcomes)
    failures: list[Failure] = []
    for failure in checked.failures:
        if failure.unsent:
            mine = check([rows[failure.position]])
            outcomes[failure.position] = mine.outcomes[0]
            failures.extend(own._replace(position=failure.position) for own in mine.failures)
        else:
            failures.append(failure)
    return Checked(outcomes, failures)


@contextlib.contextmanager
def pool(work: Callable[[Any], Any], tasks: Iterable[Any], workers: int) -> Iterator[Iterator[Any]]:
    """The results of ``work`` for each task, in order, from processes.

    Whoever leaves early waits for the tasks under way: they are few, and stopping them would end the processes. An
    interruption does end them; the next call starts new ones.
    """
    left = False

    def calls() -> Iterator[Any]:
        for task in tasks:
            if left:
                return
            yield joblib.delayed(work)(task)

    parallel = joblib.Parallel(
        n_jobs=workers, backend="loky", return_as="generator", pre_dispatch=2 * workers, batch_size=1, max_nbytes=None
    )
    results = parallel(calls())
    try:
        yield results
    except (Exception, GeneratorExit):
        left = True
        with contextlib.suppress(Exception):
            for _ in results:
                pass
        raise
    finally:
        with warnings.catch_warnings():
            # joblib warns that an interruption drops work under way; it is meant to.
            warnings.simplefilter("ignore", UserWarning)
            results.close()


class Sent(NamedTuple):
    """Rows on their way to a worker: in a slot of the shared file from ``start`` on, or in ``loose``."""

    folder: str
    slot: int
    start: int
    ends: list[int]
    loose: bytes


_IN_MEMORY = Path("/dev/shm")  # noqa: S108 - the folder in it is private


@contextlib.contextmanager
def shared_rows(slots: int, job: RowCheck) -> Iterator[SharedRows]:
    """A :class:`SharedRows` for a job, in a folder of its own: in memory where the system offers that and has room."""
    with contextlib.ExitStack() as stack:
        shared = None
        if _IN_MEMORY.is_dir() and os.access(_IN_MEMORY, os.W_OK):
            with contextlib.suppress(OSError):
                shared = stack.enter_context(SharedRows.inside(_IN_MEMORY, slots, job))
        yield shared or stack.enter_context(SharedRows.inside(None, slots, job))


class SharedRows:
    """A file cut into slots, with one byte per slot in front that says if it is taken.

    joblib asks for the next task when a worker has finished one, so with more slots than tasks under way one is free:
    a worker frees its slot before it answers.
    """

    def __init__(self, folder: Path, slots: int) -> None:
        self.folder = folder
        self.slots = slots
        self.file = (folder / "rows").open("w+b", buffering=0)
        self.empty()
        self._pickled = io.BytesIO()

    @classmethod
    @contextlib.contextmanager
    def inside(cls, parent: Path | None, slots: int, job: RowCheck) -> Iterator[SharedRows]:
        """One in a new folder in ``parent``, beside its job; the folder goes away with everything in it."""
        with tempfile.TemporaryDirectory(prefix="ragcite-", dir=parent, ignore_cleanup_errors=True) as folder:
            describe(job, Path(folder))
            shared = cls(Path(folder), slots)
            try:
                yield shared
            finally:
                shared.file.close()

    def empty(self) -> None:
        """Free all slots, at first and after a pool died."""
        self.file.seek(0)
        self.file.write(bytes(self.slots))

    def send(self, rows: Rows) -> Sent:
        """Put ``rows`` into a free slot; if there is none, or no room in it or on the device, they go along as bytes."""
        ends = self._pickle(rows)
        with self._pickled.getbuffer() as buffer, buffer[: ends[-1]] as pickled:
            slot = self._write(pickled) if len(pickled) <= SLOT_BYTES else -1
            loose = b"" if slot >= 0 else bytes(pickled)
        if loose:
            self._pickled = io.BytesIO()  # it may have grown to the size of a very large row
        return Sent(str(self.folder), slot, self._start(slot), ends, loose)

    def _pickle(self, rows: Rows) -> list[int]:
        """Pickle the rows one by one, so that one that cannot be read costs no other; where each of them ends."""
        ends = [0]
        self._pickled.seek(0)
        pickler = pickle.Pickler(self._pickled, protocol=5)
        for row in rows:
            try:
                pickler.dump(row)
            except Exception:  # noqa: BLE001 - objects of any library, which may refuse in any way
                self._pickled.seek(ends[-1])
                pickler = pickle.Pickler(self._pickled, protocol=5)
                pickler.dump(_UNSENT)
            pickler.clear_memo()
            ends.append(self._pickled.tell())
        return ends

    def _write(self, pickled: memoryview) -> int:
        """Write into a free slot and return it; -1 if that is not possible."""
        self.file.seek(0)
        slot = self.file.read(self.slots).find(0)
        if slot < 0:
            return -1
        self.file.seek(self._start(slot))
        try:
            if self.file.write(pickled) < len(pickled):
                return -1
        except OSError:  # no room
            return -1
        self.file.seek(slot)
        self.file.write(b"\1")
        return slot

    def _start(self, slot: int) -> int:
        return self.slots + slot * SLOT_BYTES


class _Unsent:
    """Stands for a row that cannot be pickled or unpickled; whoever looks for its cells is told so."""

    def __iter__(self) -> Iterator[Any]:
        raise UnsentError("its cells cannot be sent to another process")

    def __getitem__(self, position: int) -> Any:
        raise UnsentError("its cells cannot be sent to another process")


_UNSENT = _Unsent()

_run: tuple[Path, Any] | None = None
"""In a worker: the folder of the run under way and what is kept during it, such as the caches."""


def describe(job: RowCheck, folder: Path) -> None:
    """Leave the job where the workers find it, so that it travels once and not with every task."""
    try:
        description = pickle.dumps(job)
    except Exception as error:
        raise InputError(
            f"the corpus cannot be sent to worker processes ({type(error).__name__}: {error}); pass texts, or workers=1"
        ) from error
    (folder / "job").write_bytes(description)


def of_run(folder: Path, make: Callable[[RowCheck], Any]) -> Any:
    """In a worker: what ``make`` makes of the job in ``folder``, made once; an earlier run's is dropped."""
    global _run  # noqa: PLW0603 - a process has one run at a time; threads that share one each keep their own below
    run = _run
    if run is None or run[0] != folder:
        run = _run = None
        run = _run = (folder, make(pickle.loads((folder / "job").read_bytes())))  # noqa: S301 - by our own process
    return run[1]


def check_sent(sent: Sent) -> Checked:
    """In a worker: check the rows that were sent."""
    check: Check = of_run(Path(sent.folder), RowCheck.start)
    return check(_received(memoryview(sent.loose or _read(sent)), sent.ends))


def _read(sent: Sent) -> bytes:
    with (Path(sent.folder) / "rows").open("r+b", buffering=0) as file:
        file.seek(sent.start)
        pickled = file.read(sent.ends[-1])
        file.seek(sent.slot)
        file.write(b"\0")
    return pickled


def _received(pickled: memoryview, ends: list[int]) -> Iterator[Sequence[Any]]:
    """The rows, unpickled one at a time, so that the memory of one serves for the next."""
    for start, end in pairwise(ends):
        try:
            yield pickle.loads(pickled[start:end])  # noqa: S301 - as above
        except Exception:  # noqa: BLE001 - classes of any library
            yield _UNSENT  # type: ignore[misc]
