"""Files of logged answers: what the command line reads and writes.

A file is a table (parquet, CSV, or JSON with one object a row) or one response (JSON, or the text of a stream). Which
of the two a JSON file is depends on its fields: rows have a column of answers, everything else is left to the reader of
responses.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from ragcite_nb.frame import find_columns
from ragcite_nb.models import InputError, plain
from ragcite_nb.read import read_answer

if TYPE_CHECKING:
    from collections.abc import Iterable

RESPONSE = "whole_response"
"""Column that holds whole responses when a file holds several of them instead of rows; their fields stand beside it."""

READABLE = (".parquet", ".pq", ".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".txt", ".md", ".sse")
WRITABLE = (".parquet", ".pq", ".csv", ".tsv", ".jsonl", ".ndjson", ".json")
_GZIP = ".gz"
_PARQUET = b"PAR1"


class Loaded(NamedTuple):
    """What a file holds: rows, or one response.

    Attributes:
        frame: the rows; ``None`` for one response.
        payload: the response; ``None`` for rows.
        answer: the column of answers where the loader knows it and the columns' names do not tell.
    """

    frame: pd.DataFrame | None
    payload: Any = None
    answer: str | None = None


def suffix(path: str) -> str:
    """The ending that says what a file holds, in lower case and without ``.gz``.

    >>> suffix("logs/May.JSONL.gz")
    '.jsonl'
    """
    name = Path(path)
    if name.suffix.lower() == _GZIP:
        name = name.with_suffix("")
    return name.suffix.lower()


def load(path: str, answer: str | None = None) -> Loaded:
    """Read a file, or standard input for ``-``.

    Raises:
        InputError: for a file that is not there or holds something else than its name says.
    """
    if path == "-":
        return _parse(sys.stdin.buffer.read(), "", "standard input", answer)
    kind = suffix(path)
    if kind not in READABLE:
        raise InputError(f"{path}: files ending in {', '.join(READABLE)} are read, all but parquet also with .gz")
    try:
        with _opened(path) as file:
            if kind in (".jsonl", ".ndjson"):
                # Line by line: a log may be as large as memory, its text need not be there a second time.
                return _of_items(_lines(file, path), path, answer)
            return _parse(file.read(), kind, path, answer)
    except (EOFError, gzip.BadGzipFile) as error:
        raise InputError(f"{path}: not a gzip file, or cut off ({error})") from error
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error


def _opened(path: str) -> IO[bytes]:
    return gzip.open(path) if path.lower().endswith(_GZIP) else Path(path).open("rb")  # type: ignore[return-value]


def _lines(lines: Iterable[bytes], name: str) -> list[Any]:
    """The JSON value of each line that is not blank."""
    items = []
    for number, line in enumerate(lines, 1):
        bare = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
        if bare.strip():
            try:
                items.append(json.loads(bare))
            except ValueError as error:  # not JSON, or not UTF-8
                raise InputError(f"{name}, line {number}: not JSON ({error})") from error
    return items


def _parse(data: bytes, kind: str, name: str, answer: str | None) -> Loaded:
    if kind in (".parquet", ".pq") or data[:4] == _PARQUET:
        return Loaded(_parquet(data, name))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not UTF-8 text ({error.reason} at byte {error.start})") from error
    if not text.strip():
        raise InputError(f"{name}: the file is empty")
    if kind in (".csv", ".tsv"):
        return Loaded(_csv(text, "\t" if kind == ".tsv" else ",", name))
    if kind in (".txt", ".md", ".sse"):
        return Loaded(None, text)
    if kind == "" and text.lstrip()[:1] not in "{[":
        # Only standard input has no ending: a table begins with a line of names, a stream with "data:" or "event:".
        return Loaded(None, text) if text.lstrip().startswith(("data:", "event:")) else Loaded(_csv(text, ",", name))
    return _json(text, name, answer)


def _parquet(data: bytes, name: str) -> pd.DataFrame:
    try:
        return pd.read_parquet(io.BytesIO(data))
    except ImportError as error:
        raise InputError(f"{name}: parquet files need pyarrow: pip install 'ragcite_nb[parquet]'") from error
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: not a parquet file that can be read ({error})") from error


def _csv(text: str, separator: str, name: str) -> pd.DataFrame:
    try:
        # All cells stay text: "007" is an id, and an answer may well be "None" or "NA".
        return pd.read_csv(io.StringIO(text), sep=separator, dtype=str, keep_default_na=False, na_values=[""])
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise InputError(f"{name}: not a table of separated values ({str(error).strip()})") from error


def _json(text: str, name: str, answer: str | None) -> Loaded:
    """One JSON document, or one a line whatever the file's ending says."""
    try:
        value = json.loads(text)
    except ValueError as error:
        try:
            value = _lines(text.encode().splitlines(), name)
        except InputError:
            # A response whose log was cut off is still one: the reader says what is left of it.
            if read_answer(text).format == "text":
                raise InputError(f"{name}: not JSON ({error})") from error
            return Loaded(None, text)
    return _of_items(value, name, answer) if isinstance(value, list) else _of_object(value, name, answer)


def _of_object(value: Any, name: str, answer: str | None) -> Loaded:
    """One object: a row when it has an answer beside sources, else a response."""
    if not isinstance(value, dict):
        raise InputError(f"{name}: a list or an object was expected, not {type(value).__name__}")
    if answer is not None or _is_row(value):
        return Loaded(_frame([value]))
    read_answer(value)  # says what is wrong with it, if anything is
    return Loaded(None, value)


def _is_row(value: dict[str, Any]) -> bool:
    try:
        found = find_columns(pd.DataFrame(columns=list(value)))
    except InputError:
        return False
    return found[1] is not None


def _of_items(items: list[Any], name: str, answer: str | None) -> Loaded:
    """A list of objects: rows, responses, or the messages or events of one response."""
    if not items:
        raise InputError(f"{name}: the list is empty")
    for number, item in enumerate(items, 1):
        if not isinstance(item, dict):
            raise InputError(f"{name}: item {number} is no object but {type(item).__name__}; rows are JSON objects")
    rows = _frame(items)
    if answer is not None:
        return Loaded(rows)
    if all(map(_is_response, items[:5])):
        return Loaded(rows.assign(**{RESPONSE: items}), answer=RESPONSE) if len(items) > 1 else Loaded(None, items[0])
    try:
        find_columns(rows)
    except InputError as unclear:
        try:
            read_answer(items)
        except InputError:
            raise unclear from None
        return Loaded(None, items)
    return Loaded(rows)


def _is_response(item: dict[str, Any]) -> bool:
    """Whether an object is a complete response by itself: neither a row, nor a message, nor an event of a stream."""
    if "role" in item or _is_row(item):
        return False
    try:
        answer = read_answer(item)
    except InputError:
        return False
    return bool(answer.text) and not answer.truncated


def _frame(items: list[dict[str, Any]]) -> pd.DataFrame:
    return pd.DataFrame.from_records(items) if items else pd.DataFrame()


def corpus(path: str) -> Any:
    """The texts that ids refer to: a JSON object id → text, or a table with an id and a text column."""
    if suffix(path) == ".json":
        try:
            return json.loads(Path(path).read_text(encoding="utf-8-sig"))
        except (OSError, ValueError) as error:
            raise InputError(f"{path}: {error}") from error
    if suffix(path) in (".jsonl", ".ndjson"):
        try:
            return [json.loads(line) for line in Path(path).read_text(encoding="utf-8-sig").split("\n") if line.strip()]
        except (OSError, ValueError) as error:
            raise InputError(f"{path}: {error}") from error
    loaded = load(path)
    if loaded.frame is None:
        raise InputError(f"{path}: a JSON object id → text or a table with an id and a text column is accepted")
    return loaded.frame


def check_writable(path: str) -> None:
    """Refuse an ending that cannot be written, before any work is done."""
    if suffix(path) not in WRITABLE:
        raise InputError(f"{path}: files ending in {', '.join(WRITABLE)} are written")


def save(frame: pd.DataFrame, path: str) -> None:
    """Write a table; lists and objects in cells become JSON where the format has none of its own."""
    kind = suffix(path)
    if kind in (".parquet", ".pq"):
        _save_parquet(frame, path)
        return
    zipped = path.lower().endswith(_GZIP)
    columns = [frame[name].astype(object).tolist() for name in frame.columns]
    names = [str(name) for name in frame.columns]
    rows = zip(*columns, strict=True)
    with (
        gzip.open(path, "wb") if zipped else Path(path).open("wb") as raw,
        io.TextIOWrapper(raw, "utf-8", newline="") as file,
    ):
        if kind in (".csv", ".tsv"):
            writer = csv.writer(file, delimiter="\t" if kind == ".tsv" else ",", lineterminator="\n")
            writer.writerow(names)
            writer.writerows([_csv_cell(cell) for cell in row] for row in rows)
        elif kind == ".json":
            json.dump([_object(names, row) for row in rows], file, ensure_ascii=False, indent=1)
        else:
            file.writelines(json.dumps(_object(names, row), ensure_ascii=False) + "\n" for row in rows)


def _save_parquet(frame: pd.DataFrame, path: str) -> None:
    try:
        frame.to_parquet(path)
    except ImportError as error:
        raise InputError(f"{path}: parquet files need pyarrow: pip install 'ragcite_nb[parquet]'") from error
    except (ValueError, TypeError) as error:  # pyarrow's errors are these
        raise InputError(f"{path}: a column holds values of mixed types; write .jsonl instead ({error})") from error


def _object(names: list[str], row: tuple[Any, ...]) -> dict[str, Any]:
    return {name: _json_cell(cell) for name, cell in zip(names, row, strict=True)}


def _json_cell(cell: Any) -> Any:
    return None if cell is pd.NA or cell is pd.NaT else plain(cell)


def _csv_cell(cell: Any) -> Any:
    value = _json_cell(cell)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict)) else value
