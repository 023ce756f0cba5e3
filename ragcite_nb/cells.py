"""The cells of a frame's answers and sources, as plain Python objects, a stretch of rows at a time."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ragcite_nb.columns import Columns, find, no_sources
from ragcite_nb.models import InputError
from ragcite_nb.read import is_plain
from ragcite_nb.read.rows import read_row

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

PROBE = 50
"""So many rows are looked at where the names of the columns do not decide."""


class Cells:
    """Where every row's answer and sources come from.

    >>> df = pd.DataFrame({"answer": ["It is free [1]."], "sources": [["It is free."]]})
    >>> next(Cells(df).chunks(1000))
    [('It is free [1].', ['It is free.'])]
    """

    def __init__(self, df: pd.DataFrame, answer: Any = None, sources: Any = None) -> None:
        refuse_other_frames(df)
        refuse_unclear(df.columns)
        outside = {
            name: _outside(df, name, value)
            for name, value in (("answer", answer), ("sources", sources))
            if _is_values(value)
        }
        self.rows = len(df)
        self.columns: Columns = find(
            df.columns,
            None if "answer" in outside else answer,
            None if "sources" in outside else sources,
            need_answer="answer" not in outside,
            need_sources="sources" not in outside,
        )
        names: tuple[Hashable | None, ...] = self.columns.row or (self.columns.answer, self.columns.sources)
        self._series: list[pd.Series | None] = [None if name is None else df[name] for name in names]
        if not self.columns.row:
            for place, name in enumerate(("answer", "sources")):
                self._series[place] = outside.get(name, self._series[place])
        if self.columns.row:
            _refuse_span_rows(df)
        self._refuse_without_sources(df)

    def chunk(self, start: int, stop: int) -> list[tuple[Any, ...]]:
        """The cells of the rows from ``start`` to ``stop``, a tuple per row."""
        stop = min(stop, self.rows)
        return list(zip(*(self._take(series, start, stop) for series in self._series), strict=True))

    def chunks(self, size: int) -> Iterator[list[tuple[Any, ...]]]:
        """All rows, ``size`` at a time."""
        for start in range(0, self.rows, size):
            yield self.chunk(start, start + size)

    def row(self, position: int) -> list[tuple[Any, ...]]:
        """One row; negative positions count from the end."""
        if isinstance(position, bool) or not hasattr(position, "__index__"):
            raise InputError(f"row={position!r}: the position of a row is accepted, as for df.iloc")
        if not -self.rows <= position < self.rows:
            there = f"positions 0 to {self.rows - 1}" if self.rows else "no rows"
            raise InputError(f"row={position}: the frame has {there}")
        position = range(self.rows)[position]
        return self.chunk(position, position + 1)

    def text_bytes(self) -> int:
        """About how much text a row holds, from a few rows all over the frame."""
        if not self.rows:
            return 1
        places = sorted({self.rows * i // 20 for i in range(20)})
        sizes = []
        for place in places:
            with suppress(Exception):  # a cell that cannot be looked at is reported with its row
                sizes.append(_size(self.chunk(place, place + 1)))
        return max(1, sum(sizes) // max(1, len(sizes)))

    @staticmethod
    def _take(series: pd.Series | None, start: int, stop: int) -> list[Any]:
        if series is None:
            return [None] * (stop - start)
        cells = series.iloc[start:stop]
        try:
            return cells.astype(object).tolist()
        except Exception:  # Arrow's own errors, for text that is none
            if not hasattr(cells.array, "__arrow_array__"):
                raise
            from ragcite_nb.arrow import cells_of

            return cells_of(cells.array.__arrow_array__())

    def _refuse_without_sources(self, df: pd.DataFrame) -> None:
        """Plain answers without sources: their column was not found, and every citation would be called wrong."""
        names = list(df.columns)
        if self.columns.beside:
            return  # their column was found
        if self.columns.row:
            rows = self.chunk(0, PROBE)
            if rows and all(self._is_bare(row) for row in rows):
                raise no_sources(names, self.columns.answer)
        elif self._series[1] is None:
            answers = [answer for answer, _ in self.chunk(0, PROBE) if not _is_missing(answer)]
            if answers and all(isinstance(answer, str) and is_plain(answer) for answer in answers):
                raise no_sources(names, self.columns.answer)

    def _is_bare(self, row: Sequence[Any]) -> bool:
        try:
            answer, sources = read_row(dict(zip(self.columns.row, row, strict=True)))
        except InputError:
            return False  # reported with its row
        return sources is None and (_is_missing(answer) or (isinstance(answer, str) and is_plain(answer)))


def refuse_other_frames(df: Any) -> None:
    """Raise for anything that is not a pandas frame, saying what to call instead."""
    if isinstance(df, pd.DataFrame):
        return
    kind = f"{type(df).__module__.split('.')[0]}.{type(df).__name__}"
    advice = {
        "dask": "import ragcite_nb.dask, then ddf.ragcite.check()",
        "pyspark": "ragcite_nb.spark.check(sdf)",
        "polars": "check_frame(df.to_pandas())",
        "duckdb": "check_frame(relation.df())",
        "pyarrow": "check_frame(table.to_pandas())",
        "datasets": "check_frame(dataset.to_pandas())",
    }.get(kind.split(".", maxsplit=1)[0], "a pandas.DataFrame is accepted")
    raise InputError(f"{kind} found instead of a pandas.DataFrame: {advice}")


def refuse_unclear(columns: pd.Index[Any]) -> None:
    """Raise when a name does not mean one column.

    >>> refuse_unclear(pd.Index(["answer", "answer"]))
    Traceback (most recent call last):
        ...
    ragcite_nb.models.InputError: the frame has several columns named 'answer'; rename or drop one, ...
    """
    if isinstance(columns, pd.MultiIndex):
        raise InputError(
            f"the frame's columns have {columns.nlevels} levels; flatten them first, for example by "
            "df.columns = ['_'.join(map(str, c)) for c in df.columns]"
        )
    if not columns.is_unique:
        twice = [name for name, times in Counter(columns).items() if times > 1]
        raise InputError(
            f"the frame has several columns named {', '.join(map(repr, twice))}; rename or drop one, "
            "for example by df.loc[:, ~df.columns.duplicated()]"
        )


def _is_values(value: Any) -> bool:
    """Whether ``answer=`` or ``sources=`` is the cells themselves and not a column's name."""
    return isinstance(value, list) or (hasattr(value, "ndim") and not isinstance(value, str))


def _outside(df: pd.DataFrame, keyword: str, value: Any) -> pd.Series:
    if len(value) != len(df):
        raise InputError(f"{keyword}= holds {len(value)} values, the frame has {len(df)} rows")
    if isinstance(value, pd.Series):
        if not value.index.equals(df.index) and set(value.index) == set(df.index):
            raise InputError(
                f"{keyword}= has the frame's index in another order, so it is unclear which value belongs to which "
                f"row; pass {keyword}.loc[df.index] to go by labels or {keyword}.tolist() to go by position"
            )
        return value
    # Item by item: a list of equally long lists would be taken for a table.
    return pd.Series(np.fromiter(value, dtype=object, count=len(value)), dtype=object)


def _refuse_span_rows(df: pd.DataFrame) -> None:
    """A table with a row for the retriever holds the answer in another row."""
    for name in ("run_type", "type", "span_kind"):
        if name in df.columns and df[name].astype(str).str.upper().eq("RETRIEVER").any():
            raise InputError(
                f"column {name!r} says that some rows are retriever runs: the answer and its sources stand in "
                "different rows; ragcite_nb.conversations(df) joins them into one row per answer, which can be checked"
            )


def _is_missing(value: Any) -> bool:
    return value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and math.isnan(value))


def _size(value: Any) -> int:
    """The characters in a cell; what is neither text nor a container of texts counts little."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(map(_size, value.values()))
    if isinstance(value, (list, tuple)):
        return sum(map(_size, itertools.islice(value, 1000)))
    return _size(value.tolist()) if getattr(value, "ndim", 0) == 1 else 50
