"""The check of a frame's rows, whatever engine they come from.

A :class:`RowCheck` says what is to be done and can be sent to another process; :meth:`RowCheck.start` makes the
function that does it, with the caches of a run. A row that cannot be read never stops the others: it yields a
:class:`Failure`.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from dataclasses import dataclass, fields
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from ragcite_nb.columns import JOINED_BY
from ragcite_nb.models import Citation, InputError, Options, QuoteCheck, Sentence
from ragcite_nb.read import read_answer
from ragcite_nb.read.rows import read_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ragcite_nb.check import Checker
    from ragcite_nb.columns import Columns

_TOGETHER = 64
"""Rows that are examined together; more gain no time. Where one of them fails, the others are told from it by halves."""
LONGEST_REASON = 500
"""Reasons are cut here, in characters: they quote the input, which may be megabytes."""


class UnsentError(Exception):
    """The row's cells did not survive the way to another process; here they can still be checked."""


class Failure(NamedTuple):
    """Why the row at ``position`` could not be checked; ``unsent``: it did not reach the process that should have."""

    position: int
    reason: str
    column: str | None = None
    unsent: bool = False


class Checked(NamedTuple):
    """What became of some rows, in order: an outcome each, ``None`` for those that failed."""

    outcomes: list[Any]
    failures: list[Failure]


Rows = list[tuple[Any, Any]]
"""Answer and sources of some rows."""


@contextmanager
def _collector_paused() -> Iterator[None]:
    """For the moment of a batch, without the collector of cyclic garbage.

    Rows that are examined together keep thousands of small objects, none of them in a cycle. The collector would go
    through them several times a batch, which costs as much as a stage.
    """
    enabled = gc.isenabled()
    try:
        gc.disable()
        yield
    finally:
        if enabled:
            gc.enable()


def _columns(checker: Checker, rows: Rows) -> list[Any]:
    return checker.rows(rows)


def _results(checker: Checker, rows: Rows) -> list[Any]:
    return [checker.result(answer, sources) for answer, sources in rows]


def _details(checker: Checker, rows: Rows) -> list[Any]:
    return [
        (
            *row,
            [citation.reference for citation in result.invalid_citations],
            None if (uncited := result.uncited_sentences) is None else [sentence.text for sentence in uncited],
            [result.label(index) for index in result.unused_sources],
        )
        for row, result in zip(checker.rows(rows), _results(checker, rows), strict=True)
    ]


def _tidy(name: str, kind: type[Citation | Sentence | QuoteCheck]) -> Callable[[Checker, Rows], list[Any]]:
    names = [field.name for field in fields(kind)]

    def flatten(checker: Checker, rows: Rows) -> list[Any]:
        return [
            [
                [list(v) if isinstance(v := getattr(item, n), tuple) else v for n in names]
                for item in getattr(result, name)
            ]
            for result in _results(checker, rows)
        ]

    return flatten


PRODUCTS: dict[str, Callable[[Checker, Rows], list[Any]]] = {
    "columns": _columns,
    "result": _results,
    "details": _details,
    "citations": _tidy("citations", Citation),
    "sentences": _tidy("sentences", Sentence),
    "quotes": _tidy("quotes", QuoteCheck),
}
"""What rows can be made into, by name, so that only the name travels to other processes."""


@dataclass(frozen=True, slots=True)
class RowCheck:
    """What is done with every row.

    Attributes:
        columns: where answers and sources stand; with ``columns.row`` a row is read as one mapping.
        options: how answers are judged.
        product: what a row is made into, a key of :data:`PRODUCTS`.
        corpus: texts by id, for sources that are ids.
        stop: end at the first row that fails.
    """

    columns: Columns
    options: Options
    product: str = "columns"
    corpus: Any = None
    stop: bool = False

    def start(self) -> Callable[[Iterable[Sequence[Any]]], Checked]:
        """The function that checks rows of cells; made once per process, because it keeps what was read before."""
        from ragcite_nb.check import Checker

        checker = Checker(self.options, corpus=self.corpus)
        product = PRODUCTS[self.product]
        read = self._reader()
        stop = self.stop

        def check(rows: Iterable[Sequence[Any]]) -> Checked:
            outcomes: list[Any] = []
            failures: list[Failure] = []
            rest = iter(rows)
            while together := list(islice(rest, _TOGETHER)):
                waiting = [together]
                while waiting:
                    some = waiting.pop()
                    try:
                        with _collector_paused():
                            outcomes += product(checker, list(map(read, some)))
                    except Exception as error:  # noqa: BLE001 - whatever one row does, the others are checked
                        if len(some) > 1:
                            half = len(some) // 2
                            waiting += [some[half:], some[:half]]
                            continue
                        failures.append(self._failure(len(outcomes), some[0], error))
                        outcomes.append(None)
                        if stop:
                            return Checked(outcomes, failures)
            return Checked(outcomes, failures)

        return check

    def _reader(self) -> Callable[[Sequence[Any]], tuple[Any, Any]]:
        """From the cells of a row to answer and sources."""
        names, joined = self.columns.row, self.columns.joined
        if not names and not joined:
            return tuple

        def read(cells: Sequence[Any]) -> tuple[Any, Any]:
            if not names:
                answer, sources = cells
            elif not self.columns.beside:
                answer, sources = read_row(dict(zip(names, cells, strict=True)))
            else:
                row = dict(zip(names, cells, strict=True))
                sources = row.pop(self.columns.sources)
                answer, _ = read_row(row)
            if joined:
                sources = split_joined(sources)
            return answer, sources

        return read

    def _failure(self, position: int, cells: Sequence[Any], error: Exception) -> Failure:
        if not isinstance(error, InputError):
            reason = shorten(f"internal error: {type(error).__name__}: {error}")
            return Failure(position, reason, unsent=isinstance(error, UnsentError))
        if self.columns.row:
            return Failure(position, shorten(str(error)))
        try:
            read_answer(cells[0])
        except InputError:
            role, name = "answer", self.columns.answer
        else:
            role, name = "sources", self.columns.sources
        # The reader speaks of the answer or the sources; people look for the column.
        column = role if name is None else str(name)
        said = str(error).removeprefix(f"{role}: ").removeprefix(f"{role}, ")
        return Failure(position, shorten(f"{column}: {said}"), column)


def split_joined(cell: Any) -> Any:
    """Sources as deepeval's CSV export joins them, taken apart; JSON and printed lists are left to the reader.

    >>> split_joined("Dogs travel free.|Cats pay 5 €.")
    ['Dogs travel free.', 'Cats pay 5 €.']
    """
    if isinstance(cell, str) and cell.strip() and cell.lstrip()[0] not in "[{":
        return cell.split(JOINED_BY)
    return cell


def shorten(reason: str) -> str:
    """A reason of at most :data:`LONGEST_REASON` characters.

    >>> len(shorten("x" * 9999))
    500
    """
    return reason if len(reason) <= LONGEST_REASON else reason[: LONGEST_REASON - 1] + "…"
