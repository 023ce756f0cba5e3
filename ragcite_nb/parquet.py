"""Checks of parquet files that are larger than memory.

A file is read in blocks of rows, each by the process that checks it, so no text travels between processes. What a block
yields is written beside the result at once; a run that was interrupted goes on from there. The result is put together
block by block as they get ready, and takes its name only when it is complete.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import shutil
import tempfile
from collections import deque
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ragcite_nb import arrow, blocks
from ragcite_nb import workers as processes
from ragcite_nb.blocks import BlockCheck, Reader, Task
from ragcite_nb.cells import PROBE, Cells
from ragcite_nb.frame import accept_errors, progress_bar, without_ours
from ragcite_nb.models import InputError, Options
from ragcite_nb.read import read_corpus
from ragcite_nb.rows import RowCheck

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from os import PathLike

    from ragcite_nb.columns import Columns
    from ragcite_nb.frame import Errors
    from ragcite_nb.rows import Checked, Failure


_OTHER_FORMATS = frozenset([".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".xlsx", ".txt", ".gz", ".feather", ".html"])
"""Endings of a file's name that would say something else of what is in it."""


def check_parquet(
    src: str | PathLike[str],
    dst: str | PathLike[str],
    answer: str | None = None,
    sources: str | None = None,
    *,
    columns: Sequence[str] | None = None,
    corpus: Any = None,
    prefix: str = "",
    append: bool = True,
    workers: int = 1,
    progress: bool | None = None,
    errors: Errors = "coerce",
    **options: Any,
) -> Path:
    """Check a parquet file of any size and write one with the columns of a check added.

    Memory stays flat, whatever the number of rows and the size of row groups. A run that was interrupted is resumed by
    the same call: finished blocks wait in a folder beside ``dst``, which goes away in the end.

    Args:
        src: a parquet file, or a folder of parquet files, which are read in the order of their names.
        dst: the file to write; one that exists is replaced in the end.
        answer: name of the answers' column; found by itself for known tools.
        sources: name of the sources' column; found by itself for known tools.
        columns: the input columns to keep; by default all.
        corpus: as for :func:`ragcite_nb.check_frame`.
        prefix: in front of the names of the added columns.
        append: False writes only the added columns.
        workers: processes to use; -1 for all cores.
        progress: show a progress bar; by default when the work takes more than two seconds.
        errors: as for :func:`ragcite_nb.check_frame`.
        options: the fields of :class:`ragcite_nb.Options`.

    Returns:
        The path that was written.

    Raises:
        InputError: for columns that are missing, ambiguous or taken; for a bad row with ``errors="raise"``.

    >>> import pandas as pd, tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> df = pd.DataFrame({"answer": ["It is free [1]."], "sources": [["It is free."]]})
    >>> df.to_parquet(folder / "log.parquet")
    >>> written = check_parquet(folder / "log.parquet", folder / "checked.parquet")
    >>> pd.read_parquet(written)["valid_citations"].tolist()
    [1]
    """
    accept_errors(errors)
    count = processes.count(workers)
    # Workers live on from call to call, where they were started: relative paths would mean other files to them.
    target = Path(dst).absolute()
    files = _files(Path(src).absolute())
    if any(file.resolve() == target.resolve() for file in files):
        raise InputError(f"dst={str(dst)!r} is a file that is read; write another one")
    if target.suffix.lower() in _OTHER_FORMATS:
        raise InputError(f"dst={str(dst)!r}: this writes parquet; give the file a name that ends in .parquet")
    layout = _layout(files, answer, sources, prefix, [] if not append else columns)
    job = RowCheck(
        layout.columns,
        Options.of(options),
        corpus=None if corpus is None else read_corpus(corpus),
        stop=errors == "raise",
    )
    parts = _resume(target, _identity(files, job))
    unfinished = target.with_name(target.name + ".unfinished")
    try:
        batch = blocks.batch_rows(layout.row_bytes)
        with tempfile.TemporaryDirectory(prefix="ragcite-") as run:
            processes.describe(job, Path(run))
            tasks = [
                Task(run, block, str(parts / f"{number:06}.parquet"), batch)
                for number, block in enumerate(b for file in files for b in blocks.blocks(file, layout.row_bytes))
            ]
            rows = sum(task.block.stop - task.block.start for task in tasks)
            kept = Reader(layout.kept, batch)
            with (
                progress_bar(rows, progress) as bar,
                pq.ParquetWriter(unfinished, layout.schema) as writer,
                closing(_checked(tasks, job, count)) as results,
            ):
                for task, failure in results:
                    if failure is not None:
                        position = task.block.first + failure.position
                        raise InputError(f"row {position} of {task.block.file}: {failure.reason}")
                    for table in _beside(kept, task, layout):
                        writer.write_table(table)
                    bar.update(task.block.stop - task.block.start)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    shutil.rmtree(parts)
    return target


class Layout(NamedTuple):
    """What is read from the input and what the result looks like."""

    columns: Columns
    kept: list[str]
    schema: pa.Schema
    row_bytes: int


def _files(src: Path) -> list[Path]:
    if src.is_dir():
        # Names with a dot or an underscore in front are notes that Spark and others leave in such folders.
        files = sorted(path for path in src.glob("*.parquet") if path.name[0] not in "._")
        if not files:
            raise InputError(f"src={str(src)!r}: there is no *.parquet file in this folder")
        return files
    if not src.is_file():
        raise InputError(f"src={str(src)!r}: there is no such file or folder")
    return [src]


def _layout(
    files: list[Path], answer: str | None, sources: str | None, prefix: str, columns: Sequence[str] | None
) -> Layout:
    for keyword, value in (("answer", answer), ("sources", sources)):
        if value is not None and not isinstance(value, str):
            raise InputError(f"{keyword}= must be the name of a column of the file")
    schemas = [_schema(file) for file in files]
    names = list(schemas[0].names)
    for file, other in zip(files, schemas, strict=True):
        if set(other.names) != set(names):
            differ = sorted(set(other.names) ^ set(names))
            raise InputError(f"{file}: its columns differ from those of {files[0].name}: {', '.join(differ)}")
    cells = Cells(_sample(files), answer, sources)
    ours = arrow.schema(prefix)
    stay = [name for name in without_ours(pd.DataFrame(columns=names), prefix).columns if name not in ours.names]
    if columns is not None:
        missing = [name for name in columns if name not in names]
        if missing:
            raise InputError(f"columns={missing!r}: the file has {', '.join(map(repr, names))}")
        wanted = {*columns, *_index_columns(schemas[0])}
        stay = [name for name in stay if name in wanted]
    schema = pa.schema([*(schemas[0].field(name) for name in stay), *ours], metadata=schemas[0].metadata)
    return Layout(cells.columns, stay, arrow.with_pandas_dtypes(schema, prefix), cells.text_bytes())


def _schema(file: Path) -> pa.Schema:
    try:
        return pq.read_schema(file)
    except pa.ArrowInvalid as error:
        raise InputError(f"{file}: this is no parquet file: {error}") from error


def _sample(files: list[Path]) -> pd.DataFrame:
    """A few rows, to see what the names of the columns leave open."""
    for path in files:
        file = pq.ParquetFile(path, buffer_size=1 << 20, pre_buffer=False)
        for batch in file.iter_batches(PROBE, use_threads=False):
            return pd.DataFrame(pa.Table.from_batches([batch]).to_pandas())
    return pd.DataFrame(pq.read_schema(files[0]).empty_table().to_pandas())


def _index_columns(schema: pa.Schema) -> list[str]:
    note = json.loads((schema.metadata or {}).get(b"pandas", b"{}"))
    return [name for name in note.get("index_columns", ()) if isinstance(name, str)]


def _identity(files: list[Path], job: RowCheck) -> str:
    """What makes finished blocks useful for this call: the same input judged in the same way."""
    try:
        ours = version("ragcite_nb")
    except PackageNotFoundError:  # run from a folder that was not installed
        ours = "unknown"
    about = {
        "version": ours,
        "files": [[str(file.resolve()), file.stat().st_size, file.stat().st_mtime_ns] for file in files],
        "columns": repr(job.columns),
        "options": repr(job.options),
        "corpus": None if job.corpus is None else hashlib.sha256(pickle.dumps(job.corpus)).hexdigest(),
    }
    return json.dumps(about, indent=1)


def _resume(target: Path, identity: str) -> Path:
    """The folder of finished blocks: the one that an interrupted run of this very job left, or a new one."""
    folder = target.with_name(target.name + ".parts")
    note = folder / "run.json"
    if folder.exists():
        if not note.is_file():
            raise InputError(f"{str(folder)!r} is in the way: finished blocks are kept there, and no run made it")
        if note.read_text(encoding="utf-8") == identity:
            return folder
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    note.write_text(identity, encoding="utf-8")
    return folder


def _checked(tasks: list[Task], job: RowCheck, count: int) -> Generator[tuple[Task, Failure | None], None, None]:
    """Each block when it is checked, in order."""
    if count == 1:
        check = BlockCheck(job)
        for task in tasks:
            yield task, check(task)
        return
    source = iter(tasks)
    waiting: deque[Task] = deque()

    def sent() -> Iterator[Task]:
        for task in source:
            waiting.append(task)
            yield task

    while True:
        try:
            with processes.pool(blocks.check_block, sent(), count) as results:
                for failure in results:
                    yield waiting.popleft(), failure
        except BrokenProcessPool as broken:
            if not processes.died(broken):
                raise
            lost = list(waiting)
            waiting.clear()
            for task in lost:
                yield task, _apart(task, job)
        else:
            return


def _apart(task: Task, job: RowCheck) -> Failure | None:
    """Check a block that may have killed a worker, so that only the row that kills is lost."""
    if Path(task.part).exists():
        return None
    cells = job.columns.row or (job.columns.answer, job.columns.sources)
    reader = blocks.reader_of(cells, task.batch)
    checked: list[Checked] = []
    place = 0
    with closing(processes.in_order(reader.rows(task.block, cells), job, 2)) as results:
        for part in results:
            if job.stop and part.failures:
                return part.failures[0]._replace(position=place + part.failures[0].position)
            checked.append(part)
            place += len(part.outcomes)
    blocks.write_part(task, checked)
    return None


def _beside(kept: Reader, task: Task, layout: Layout) -> Iterator[pa.Table]:
    """The kept columns of a block with what was found beside them, in tables of about one block's bytes."""
    ours = pq.read_table(task.part)
    if not layout.kept:
        yield _table(list(ours.columns), layout.schema)
        return
    start = rows = size = 0
    waiting: list[pa.RecordBatch] = []
    for batch in kept.read(task.block):
        waiting.append(batch)
        rows += batch.num_rows
        size += batch.nbytes
        if size >= blocks.BLOCK_BYTES or start + rows == ours.num_rows:
            theirs = pa.Table.from_batches(waiting).select(layout.kept)
            yield _table([*theirs.columns, *ours.slice(start, rows).columns], layout.schema)
            start, rows, size, waiting = start + rows, 0, 0, []


def _table(columns: list[Any], schema: pa.Schema) -> pa.Table:
    """A table of the result's schema; files of one folder may store a column in different types, the first decides."""
    fitting = [
        column if column.type == field.type else column.cast(field.type)
        for column, field in zip(columns, schema, strict=True)
    ]
    return pa.table(fitting, schema=schema)
