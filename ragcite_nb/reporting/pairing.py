"""Which answers belong to the same question: a compact table per group, to compare groups question by question.

A question is kept as a 64-bit hash, never as text: a report over a million rows stays small, and can be stored or sent
without the questions themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from numpy.typing import NDArray

QUESTION_COLUMNS = ("question", "query", "user_input", "user_query", "question_id", "qid", "input", "prompt", "id")
"""Columns that say which question a row answers, the most telling first."""


@dataclass(frozen=True, slots=True, eq=False)
class PairTable:
    """Sums per question: for each outcome, how many rows have it and what it adds up to.

    Attributes:
        keys: hashes of the questions, ascending, each once.
        counts: rows by question (down) and outcome (across).
        sums: sums by question and outcome.
    """

    keys: NDArray[np.uint64]
    counts: NDArray[np.float64]
    sums: NDArray[np.float64]

    @classmethod
    def of(cls, keys: NDArray[np.uint64], values: NDArray[np.float64]) -> PairTable:
        """Gather the rows of each question; a missing value (NaN) does not count."""
        known = ~np.isnan(values)
        return cls._gathered(keys, known.astype(float), np.where(known, values, 0.0))

    @classmethod
    def _gathered(cls, keys: NDArray[np.uint64], counts: NDArray[np.float64], sums: NDArray[np.float64]) -> PairTable:
        unique, place = np.unique(keys, return_inverse=True)
        width = counts.shape[1]

        def gather(table: NDArray[np.float64]) -> NDArray[np.float64]:
            gathered = np.zeros((unique.size, width))
            for i in range(width):
                gathered[:, i] = np.bincount(place, table[:, i], unique.size)
            return gathered

        return cls(unique, gather(counts), gather(sums))

    def __add__(self, other: PairTable) -> PairTable:
        return self._gathered(
            np.concatenate([self.keys, other.keys]),
            np.concatenate([self.counts, other.counts]),
            np.concatenate([self.sums, other.sums]),
        )

    def asked(self, outcome: int) -> int:
        """How many questions have this outcome."""
        return int(np.count_nonzero(self.counts[:, outcome]))

    def shared(self, other: PairTable, outcome: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean outcome of each question that both tables have, in the same order for both."""
        _, mine, theirs = np.intersect1d(self.keys, other.keys, assume_unique=True, return_indices=True)
        both = (self.counts[mine, outcome] > 0) & (other.counts[theirs, outcome] > 0)
        mine, theirs = mine[both], theirs[both]
        return (
            self.sums[mine, outcome] / self.counts[mine, outcome],
            other.sums[theirs, outcome] / other.counts[theirs, outcome],
        )


def question_column(columns: pd.Index) -> str | None:
    """The column that says which question a row answers; ``None`` when there is none.

    >>> question_column(pd.Index(["id", "question", "answer"]))
    'question'
    """
    return next((name for name in QUESTION_COLUMNS if name in columns), None)


def question_hashes(column: pd.Series) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
    """A hash for each row's question, equal for equal questions in every frame and process, and which rows have one.

    1, 1.0 and "1" are the same question: a missing value somewhere turns a column of numbers into floats.
    """
    cells = column.astype(object)
    missing = cells.isna().to_numpy(dtype=bool)
    texts = [
        str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)
        for cell in cells[~missing].tolist()
    ]
    hashes = np.zeros(len(cells), dtype=np.uint64)
    hashes[~missing] = pd.util.hash_array(np.array(texts, dtype=object)) if texts else 0
    return hashes, ~missing
