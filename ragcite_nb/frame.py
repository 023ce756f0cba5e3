"""Checks of whole frames: columns beside the logged answers, and tidy frames of what was found.

Rows are added by position, never by index, and the input is left alone. The dtypes of the columns are those of
:data:`SCHEMA`, whatever the data; the same table serves Dask, Spark and parquet.
"""

from __future__ import annotations

import re
from contextlib import closing, contextmanager
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from ragcite_nb import workers as processes
from ragcite_nb.cells import Cells, refuse_other_frames, refuse_unclear
from ragcite_nb.columns import find
from ragcite_nb.models import Citation, InputError, Options, QuoteCheck, Sentence
from ragcite_nb.read.sources import read_corpus
from ragcite_nb.rows import RowCheck

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Hashable, Iterable, Iterator, Sequence

    from ragcite_nb.models import CheckResult
    from ragcite_nb.rows import Checked

Errors = Literal["coerce", "raise"]

SCHEMA: dict[str, str] = {
    "valid_citations": "Int64",
    "invalid_citations": "Int64",
    "uncited_sentences": "Int64",
    "traceability_score": "Float64",
    "cite_sentences": "Int64",
    "cite_claims": "Int64",
    "cite_quotes": "Int64",
    "cite_quotes_not_found": "Int64",
    "cite_unused_sources": "Int64",
    "cite_truncated": "boolean",
    "cite_abstained": "boolean",
    "cite_alerts": "string",
    "cite_error": "string",
}
"""The columns that a check adds, with their dtypes."""

DETAILS = ("invalid_labels", "uncited_texts", "unused_labels")
"""The further columns of ``details=True``: lists, as objects."""

ERROR = "cite_error"
KINDS = ("claim", "abstention", "question", "heading", "lead_in", "aside")

_CHUNK = 1_000
_SHOW_AFTER = 2.0
"""Seconds of work before a progress bar appears by itself."""


def check_frame(
    df: pd.DataFrame,
    answer: Any = None,
    sources: Any = None,
    *,
    corpus: Any = None,
    prefix: str = "",
    details: bool = False,
    append: bool = True,
    workers: int = 1,
    progress: bool | None = None,
    errors: Errors = "coerce",
    **options: Any,
) -> pd.DataFrame:
    """Check every row and return the frame with the columns of :data:`SCHEMA` added.

    Args:
        df: the answers, one a row. It is not changed.
        answer: name of the answers' column, or the answers themselves, one per row. By default the column is found.
        sources: name of the sources' column, or the sources of each row. By default the column is found; answers that
            are whole responses may carry their sources.
        corpus: texts by id, when the sources are ids: a mapping, or a frame with an id and a text column.
        prefix: in front of the names of the added columns.
        details: add lists of the invalid references, the uncited sentences and the labels of unused sources.
        append: False returns only the added columns.
        workers: processes to use; -1 for all cores.
        progress: show a progress bar; by default when the work takes more than two seconds.
        errors: ``"coerce"``: a row that cannot be read gets its reason in ``cite_error`` and NA elsewhere;
            ``"raise"``: stop at it.
        options: the fields of :class:`ragcite_nb.Options`.

    Raises:
        InputError: for columns that are missing, ambiguous or taken; for a bad row with ``errors="raise"``.

    >>> df = pd.DataFrame({"answer": ["It is free [1].", "It is free [7]."], "sources": [["It is free."]] * 2})
    >>> check_frame(df)["invalid_citations"].tolist()
    [0, 1]
    """
    accept_errors(errors)
    refuse_other_frames(df)
    refuse_unclear(df.columns)
    base = without_ours(df, prefix, details=details)
    cells = Cells(df, answer, sources)
    job = RowCheck(
        cells.columns,
        Options.of(options),
        product="details" if details else "columns",
        corpus=None if corpus is None else read_corpus(corpus),
        stop=errors == "raise",
    )
    stretches = (checked for _, checked in _checked(cells, job, workers, progress, df.index))
    added = by_column(stretches, details=details)
    columns = {prefix + name: _array(values, SCHEMA.get(name, "object")) for name, values in added.items()}
    if not append:
        return pd.DataFrame(columns, index=df.index)
    return base.assign(**columns)


def is_checked(df: pd.DataFrame, prefix: str = "") -> bool:
    """Whether the frame holds all columns of a check with their dtypes.

    >>> df = pd.DataFrame({"answer": ["It is free [1]."], "sources": [["It is free."]]})
    >>> is_checked(df), is_checked(check_frame(df))
    (False, True)
    """
    if not df.columns.is_unique:
        return False
    for name, dtype in SCHEMA.items():
        if prefix + name not in df.columns:
            return False
        found = df[prefix + name].dtype
        # Text keeps its meaning in whatever storage pandas, Dask or a file put it.
        if not (isinstance(found, pd.StringDtype) if dtype == "string" else found == dtype):
            return False
    return True


def find_columns(df: pd.DataFrame) -> tuple[Hashable | None, Hashable | None]:
    """The names of the columns that hold answers and sources; ``None`` for sources that the answers carry themselves.

    >>> find_columns(pd.DataFrame(columns=["user_input", "retrieved_contexts", "response"]))
    ('response', 'retrieved_contexts')
    """
    refuse_other_frames(df)
    refuse_unclear(df.columns)
    columns = find(df.columns)
    return columns.answer, columns.sources


def result(
    df: pd.DataFrame, row: int, answer: Any = None, sources: Any = None, *, corpus: Any = None, **options: Any
) -> CheckResult:
    """The full result of one row, by its position.

    >>> df = pd.DataFrame({"answer": ["It is free [7]."], "sources": [["It is free."]]})
    >>> result(df, 0).invalid_citations[0].reference
    '7'
    """
    cells = Cells(df, answer, sources)
    job = RowCheck(
        cells.columns, Options.of(options), product="result", corpus=None if corpus is None else read_corpus(corpus),
        stop=True,
    )  # fmt: skip
    rows = cells.row(row)
    checked = job.start()(rows)
    if checked.failures:
        _refuse(checked, range(len(df))[row], df.index)
    found: CheckResult = checked.outcomes[0]
    return found


def citations(df: pd.DataFrame, answer: Any = None, sources: Any = None, **how: Any) -> pd.DataFrame:
    """One row per citation: ``row`` (the answer's position), the index, then the fields of a citation.

    Takes ``corpus``, ``workers``, ``progress``, ``errors`` and the options as :func:`check_frame` does. Rows that
    cannot be read are left out with a warning that counts them.

    >>> df = pd.DataFrame({"answer": ["It is free [1][7]."], "sources": [["It is free."]]}, index=["a"])
    >>> citations(df)[["row", "reference", "status"]]
       row reference   status
    a    0         1    valid
    a    0         7  unknown
    """
    return _tidy(df, answer, sources, "citations", Citation, **how)


def sentences(
    df: pd.DataFrame, answer: Any = None, sources: Any = None, *, only: str | Collection[str] | None = None, **how: Any
) -> pd.DataFrame:
    """One row per sentence: ``row``, the index, then the fields of a sentence. Takes what :func:`citations` takes.

    ``only`` keeps some kinds of sentences (``"claim"``, ``"abstention"``, …), or with ``"uncited"`` the claims that
    have no citation.

    >>> df = pd.DataFrame({"answer": ["It is free [1]. It is fast."], "sources": [["It is free."]]})
    >>> sentences(df, only="uncited")["text"].tolist()
    ['It is fast.']
    """
    wanted = (only,) if isinstance(only, str) else only
    for kind in wanted or ():
        _one_of("only", kind, (*KINDS, "uncited"))
    found = _tidy(df, answer, sources, "sentences", Sentence, **how)
    if wanted is None:
        return found
    keep = found["kind"].isin([kind for kind in wanted if kind != "uncited"]).to_numpy(bool)
    if "uncited" in wanted:
        bare = np.fromiter((cited is not None and not len(cited) for cited in found["citations"]), bool, len(found))
        keep = keep | (found["kind"].eq("claim").to_numpy(bool) & bare)
    return found[keep]


def quotes(df: pd.DataFrame, answer: Any = None, sources: Any = None, **how: Any) -> pd.DataFrame:
    """One row per quote: ``row``, the index, then the fields of a quote. Takes what :func:`citations` takes.

    >>> df = pd.DataFrame({"answer": ['It says "dogs travel free" [1].'], "sources": [["Dogs travel free."]]})
    >>> quotes(df)["status"].tolist()
    ['normalized']
    """
    return _tidy(df, answer, sources, "quotes", QuoteCheck, **how)


def without_ours(df: pd.DataFrame, prefix: str = "", *, details: bool = False) -> pd.DataFrame:
    """The frame as a check may add to it: without the lists of an earlier check, which the new one may not renew.

    Raises:
        InputError: for a column of the same name that no check wrote.
    """
    dtypes = dict(zip(df.columns, df.dtypes, strict=True))
    ours = {prefix + name: dtype for name, dtype in SCHEMA.items()}
    lists = [prefix + name for name in DETAILS]
    foreign = [name for name, dtype in ours.items() if name in dtypes and not _could_be_ours(dtypes[name], dtype)]
    if df.empty:
        foreign = []  # no values, so their dtypes say nothing
    if not foreign and all(name in dtypes for name in ours):
        return df.drop(columns=[name for name in lists if name in dtypes])
    taken = foreign or [name for name in (*ours, *(lists if details else ())) if name in dtypes]
    if taken:
        raise InputError(
            f"the frame has columns named {', '.join(map(repr, taken))} that this check did not write; "
            "pass prefix='rc_' (or another one) to name the added columns differently, or rename those"
        )
    return df


def _could_be_ours(found: Any, dtype: str) -> bool:
    """Whether a column of a check may have this dtype, also after a way through a text file."""
    return pd.api.types.is_numeric_dtype(found) if dtype in ("Int64", "Float64") else True


def by_column(stretches: Iterable[Checked], *, details: bool = False) -> dict[str, list[Any]]:
    """What a check adds to rows, as the values of each column; ``None`` where a row failed.

    >>> list(by_column([]).items())[:2]
    [('valid_citations', []), ('invalid_citations', [])]
    """
    columns: dict[str, list[Any]] = {name: [] for name in (*SCHEMA, *(DETAILS if details else ()))}
    names = [name for name in columns if name != ERROR]
    failed = (None,) * len(names)
    # Rows are taken apart at once: kept by the thousand, they would be gone through again and again as possible garbage.
    for outcomes, failures in stretches:
        rows = [failed if row is None else row for row in outcomes] if failures else outcomes
        if rows:
            for name, values in zip(names, zip(*rows, strict=True), strict=True):
                columns[name] += values
        reasons: list[str | None] = [None] * len(rows)
        for failure in failures:
            reasons[failure.position] = failure.reason
        columns[ERROR] += reasons
    return columns


_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


def _array(values: Sequence[Any], dtype: str) -> Any:
    """A pandas array of the schema's dtype; much faster than ``pd.array``, which looks at every value for its type."""
    if dtype == "string":
        try:
            return pd.array(values, dtype="string")
        except UnicodeEncodeError:  # half a character, as logs that were cut have it, which Arrow cannot hold
            whole = [value and _HALF_CHARACTER.sub("\ufffd", value) for value in values]
            return pd.array(whole, dtype="string")
    if dtype == "object":
        return np.fromiter(values, dtype=object, count=len(values))
    scalar, filler, masked = {
        "Int64": (np.int64, 0, pd.arrays.IntegerArray),
        "Float64": (np.float64, 0.0, pd.arrays.FloatingArray),
        "boolean": (np.bool_, False, pd.arrays.BooleanArray),
    }[dtype]
    filled: Any
    if None in values:
        mask = np.fromiter((value is None for value in values), np.bool_, len(values))
        filled = np.array([filler if value is None else value for value in values], dtype=scalar)
    else:
        mask = np.zeros(len(values), np.bool_)
        filled = np.array(values, dtype=scalar)
    return masked(filled, mask)


TIDY_DTYPES = {
    **dict.fromkeys(("marker", "sentence", "citation", "source", "nearest"), "Int64"),
    **dict.fromkeys(("start", "end", "source_start", "source_end"), "Int64"),
    **dict.fromkeys(("reference", "status", "locator", "text", "kind", "origin"), "string"),
    **dict.fromkeys(("sources", "citations", "found_in", "warnings"), "object"),
    "score": "Float64",
}  # fmt: skip
"""The dtypes of the tidy frames' columns."""


def _tidy(
    df: pd.DataFrame,
    answer: Any,
    sources: Any,
    product: str,
    kind: type[Citation | Sentence | QuoteCheck],
    *,
    corpus: Any = None,
    workers: int = 1,
    progress: bool | None = None,
    errors: Errors = "coerce",
    **options: Any,
) -> pd.DataFrame:
    accept_errors(errors)
    cells = Cells(df, answer, sources)
    job = RowCheck(
        cells.columns,
        Options.of(options),
        product=product,
        corpus=None if corpus is None else read_corpus(corpus),
        stop=errors == "raise",
    )
    positions: list[int] = []
    items: list[list[Any]] = []
    failed: list[int] = []
    for start, checked in _checked(cells, job, workers, progress, df.index):
        for place, found in enumerate(checked.outcomes):
            if found:
                positions.extend([start + place] * len(found))
                items.extend(found)
        failed.extend(start + failure.position for failure in checked.failures)
    if failed:
        _warn_of(failed, len(df))
    names = [field.name for field in fields(kind)]
    columns = list(zip(*items, strict=True)) if items else [()] * len(names)
    made = {name: _array(column, TIDY_DTYPES[name]) for name, column in zip(names, columns, strict=True)}
    return pd.DataFrame({"row": np.array(positions, dtype=np.int64), **made}, index=df.index.take(positions))


def _warn_of(failed: list[int], rows: int) -> None:
    import warnings

    shown = ", ".join(map(str, failed[:10])) + (", …" if len(failed) > 10 else "")
    warnings.warn(
        f"{len(failed)} of {rows} rows could not be read and are missing here (positions {shown}); "
        f"the column {ERROR!r} of check() says why",
        UserWarning,
        stacklevel=4,
    )


def _checked(
    cells: Cells, job: RowCheck, workers: int, progress: bool | None, index: pd.Index[Any]
) -> Iterator[tuple[int, Checked]]:
    """All rows in order, as the position of the first of a stretch and what became of it."""
    with progress_bar(cells.rows, progress) as bar, closing(_stretches(cells, job, workers)) as stretches:
        start = 0
        for checked in stretches:
            if job.stop and checked.failures:
                _refuse(checked, start, index)
            yield start, checked
            start += len(checked.outcomes)
            bar.update(len(checked.outcomes))


def _stretches(cells: Cells, job: RowCheck, workers: int) -> Generator[Checked, None, None]:
    count = processes.count(workers)
    if count == 1 or cells.rows < 2:
        check = job.start()
        for rows in cells.chunks(_CHUNK):
            yield check(rows)
        return
    most = max(1, min(_CHUNK, processes.CHUNK_BYTES // cells.text_bytes()))
    chunks = (cells.chunk(start, stop) for start, stop in processes.shares(cells.rows, most, count))
    with closing(processes.in_order(chunks, job, count)) as stretches:
        yield from stretches


@contextmanager
def progress_bar(rows: int, progress: bool | None) -> Iterator[Any]:
    """A progress bar on stderr, or in the notebook; by default it appears when the work takes longer than expected."""
    if progress is not None and not isinstance(progress, bool):
        raise InputError(f"progress={progress!r}: True, False or None is accepted")
    from tqdm.auto import tqdm

    with tqdm(
        total=rows,
        unit="row",
        unit_scale=True,
        disable=progress is False,
        delay=_SHOW_AFTER if progress is None else 0,
    ) as bar:
        yield bar


def _refuse(checked: Checked, start: int, index: pd.Index[Any]) -> None:
    failure = checked.failures[0]
    position = start + failure.position
    raise InputError(f"row {position} (index {index[position]!r}): {failure.reason}")


def accept_errors(errors: object) -> None:
    """Raise for a value of ``errors=`` that does not exist."""
    _one_of("errors", errors, ("coerce", "raise"))


def _one_of(name: str, value: object, accepted: Sequence[str]) -> None:
    if value not in accepted:
        raise InputError(f"{name}={value!r}: accepted are {', '.join(map(repr, accepted))}")
