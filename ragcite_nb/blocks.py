"""Blocks of a parquet file: reading their rows forward, and checking them where they are read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow.parquet as pq

from ragcite_nb import arrow, workers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa

    from ragcite_nb.rows import Checked, Failure, RowCheck

BLOCK_BYTES = 24_000_000
"""About so much data is in a block: what an interruption can cost, and what the writer of the result holds at once."""
MOST_ROWS = 100_000
BATCH_BYTES = 4_000_000
"""About so much text is turned into Python objects at once."""
MOST_BATCH_ROWS = 500


class Block(NamedTuple):
    """Rows ``start`` to ``stop`` of a row group; ``first`` is the position in the file of the first of them."""

    file: str
    group: int
    start: int
    stop: int
    first: int


class Task(NamedTuple):
    """A block to check, ``batch`` rows at a time: ``run`` is the folder with the job, ``part`` takes what is found."""

    run: str
    block: Block
    part: str
    batch: int


def batch_rows(row_bytes: int) -> int:
    """How many rows of so much text are read at once.

    >>> batch_rows(10), batch_rows(1_000_000)
    (500, 4)
    """
    return max(1, min(MOST_BATCH_ROWS, BATCH_BYTES // row_bytes))


def blocks(file: Path, row_bytes: int) -> Iterator[Block]:
    """The blocks of a file: a row group each, or pieces of one, because pandas writes a million rows into one.

    ``row_bytes`` is about how much text a row holds. The file's own figure is that of its encoding, in which repeated
    texts take hardly any room; the larger one counts.
    """
    metadata = pq.read_metadata(file)
    first = 0
    for group in range(metadata.num_row_groups):
        about = metadata.row_group(group)
        rows = about.num_rows
        step = max(1, min(MOST_ROWS, BLOCK_BYTES // max(row_bytes, about.total_byte_size // max(1, rows))))
        for start in range(0, rows, step):
            stop = min(start + step, rows)
            yield Block(str(file), group, start, stop, first + start)
        first += rows


class Reader:
    """Batches of rows of some columns, block after block.

    Parquet cannot be entered in the middle of a row group, so the place of the last block is kept, and a later block of
    the same group is reached by reading on.
    """

    def __init__(self, columns: Sequence[str], batch: int) -> None:
        self.columns = list(columns)
        self.batch = batch
        self._group: tuple[str, int] | None = None
        self._at = 0
        self._batches: Iterator[pa.RecordBatch] = iter(())
        self._left: pa.RecordBatch | None = None

    def read(self, block: Block) -> Iterator[pa.RecordBatch]:
        """The rows of ``block``, some at a time."""
        if self._group != (block.file, block.group) or self._at > block.start:
            # A small buffer: otherwise whole column chunks are read at once, however large.
            file = pq.ParquetFile(block.file, buffer_size=1 << 20, pre_buffer=False)
            self._batches = file.iter_batches(self.batch, [block.group], columns=self.columns, use_threads=False)
            self._group, self._at, self._left = (block.file, block.group), 0, None
        while self._at < block.stop:
            batch = next(self._batches) if self._left is None else self._left
            skip = min(max(0, block.start - self._at), batch.num_rows)
            take = min(batch.num_rows, block.stop - self._at)
            self._at += take
            self._left = batch.slice(take) if take < batch.num_rows else None
            if take > skip:
                yield batch.slice(skip, take - skip)

    def rows(self, block: Block, cells: Sequence[Any]) -> Iterator[list[tuple[Any, ...]]]:
        """The rows of ``block`` as tuples of the columns ``cells``, ``None`` standing for a cell that is not there."""
        for batch in self.read(block):
            lists = [[None] * batch.num_rows if name is None else arrow.cells_of(batch.column(name)) for name in cells]
            yield list(zip(*lists, strict=True))


def reader_of(cells: Sequence[Any], batch: int) -> Reader:
    """A reader of the columns that are cells of a row."""
    return Reader(sorted({str(name) for name in cells if name is not None}), batch)


class BlockCheck:
    """Checks block after block in one process, keeping the caches of the run and the place in the file."""

    def __init__(self, job: RowCheck) -> None:
        self._cells = job.columns.row or (job.columns.answer, job.columns.sources)
        self._check = job.start()
        self._reader: Reader | None = None

    def __call__(self, task: Task) -> Failure | None:
        """Check a block and write what was found; a failure is returned only when it ends the run."""
        if Path(task.part).exists():
            return None
        if self._reader is None:
            self._reader = reader_of(self._cells, task.batch)
        checked: list[Checked] = []
        place = 0
        for rows in self._reader.rows(task.block, self._cells):
            checked.append(self._check(rows))
            if len(checked[-1].outcomes) < len(rows):
                failure = checked[-1].failures[0]
                return failure._replace(position=place + failure.position)
            place += len(rows)
        write_part(task, checked)
        return None


def check_block(task: Task) -> Failure | None:
    """In a worker: check a block by the job of its run."""
    check: BlockCheck = workers.of_run(Path(task.run), BlockCheck)
    return check(task)


def write_part(task: Task, checked: Sequence[Checked]) -> None:
    """Write what was found in a block; the file is there only when it is whole."""
    unfinished = f"{task.part}.{os.getpid()}"
    with pq.ParquetWriter(unfinished, arrow.schema()) as writer:
        writer.write_batch(arrow.batch(checked))
    Path(unfinished).replace(task.part)
