"""A checked frame, column by column, into one tally and one table of questions per group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ragcite_nb.models import InputError, plain
from ragcite_nb.reporting.comparison import OUTCOMES, Group
from ragcite_nb.reporting.pairing import PairTable, question_hashes
from ragcite_nb.reporting.permutation import GRID
from ragcite_nb.reporting.tally import Tally
from ragcite_nb.score import FULLY, WEAK

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_GROUPS = 1_000
"""More groups than this are refused: a column of ids or questions was probably named by mistake."""


VERIFICATIONS = "user_verifications"
"""The column that is taken when nobody says where the verifications by users stand."""


def groups(
    frame: pd.DataFrame, by: tuple[str, ...], pair_on: str | None, prefix: str, verifications: object
) -> tuple[Group, ...]:
    """One group per combination of values in the columns ``by``; without any, one group of all rows."""
    labels, codes = _group_codes(frame, by)
    columns = _Columns(frame, prefix, verification_counts(frame, verifications))
    tallies = columns.tallies(codes, len(labels))
    pairs: Sequence[PairTable | None] = [None] * len(labels)
    if pair_on is not None:
        pairs = columns.pair_tables(codes, len(labels), frame[pair_on])
    return tuple(Group(*parts) for parts in zip(labels, tallies, pairs, strict=True))


def _group_codes(frame: pd.DataFrame, by: tuple[str, ...]) -> tuple[list[dict[str, Any]], NDArray[np.int64]]:
    if not by:
        return [{}], np.zeros(len(frame), dtype=np.int64)
    keys = frame[list(by)].astype(object)
    try:
        codes = np.asarray(keys.groupby(list(by), dropna=False, sort=False).ngroup(), dtype=np.int64)
    except TypeError as error:
        raise InputError(
            f"by={list(by)}: the column holds lists or objects; group by a column of plain values"
        ) from error
    _, first_rows = np.unique(codes, return_index=True)
    if first_rows.size > MOST_GROUPS:
        raise InputError(
            f"by={list(by)} makes {first_rows.size} groups; at most {MOST_GROUPS} are compared in one report"
        )
    rows = keys.iloc[first_rows]
    missing = rows.isna().to_numpy()
    return [
        {name: None if missing[i, j] else plain(value) for j, (name, value) in enumerate(zip(by, row, strict=True))}
        for i, row in enumerate(rows.itertuples(index=False, name=None))
    ], codes


def verification_counts(frame: pd.DataFrame, verifications: Any) -> NDArray[np.int64]:
    """How many verifications by users each row has.

    Args:
        frame: the rows.
        verifications: what users verified, in any of these shapes; ``None`` takes the column ``user_verifications`` if
            there is one. A column's name; an :class:`AnswerExplorer` over the frame, or its ``verifications`` (dicts
            that name their ``row``); a mapping from row position; or one value per row. A value is a count, true or
            false, a collection of verifications, or a :class:`CitedAnswer` that holds them.

    >>> verification_counts(pd.DataFrame({"checked_by": [["ann", "bob"], None]}), "checked_by").tolist()
    [2, 0]
    """
    if verifications is None:
        verifications = VERIFICATIONS if VERIFICATIONS in frame.columns else ()
    verifications = getattr(verifications, "verifications", verifications)
    if isinstance(verifications, str):
        if verifications not in frame.columns:
            raise InputError(f"verifications={verifications!r}: no such column; the columns are {_names(frame)}")
        return _counts(frame[verifications].astype(object).tolist())
    if isinstance(verifications, Mapping):
        cells: list[Any] = [0] * len(frame)
        for row, cell in verifications.items():
            cells[_position(row, frame)] = cell
        return _counts(cells)
    if not isinstance(verifications, Iterable):
        raise InputError(f"verifications: a column's name, a mapping or one value per row, not {verifications!r}")
    listed = list(verifications)
    if all(isinstance(entry, Mapping) and "row" in entry for entry in listed):
        rows = [_position(entry["row"], frame) for entry in listed]
        return np.bincount(rows, minlength=len(frame)) if rows else np.zeros(len(frame), dtype=np.int64)
    if len(listed) != len(frame):
        raise InputError(f"verifications: {len(listed)} values for {len(frame)} rows; one per row is accepted")
    return _counts(listed)


def _position(row: object, frame: pd.DataFrame) -> int:
    if not isinstance(row, int) or not 0 <= row < len(frame):
        raise InputError(f"verifications: row {row!r} is not among the positions 0 to {len(frame) - 1}")
    return row


def _counts(cells: list[Any]) -> NDArray[np.int64]:
    return np.fromiter(map(_verifications, cells), dtype=np.int64, count=len(cells))


def _verifications(cell: Any) -> int:
    cell = getattr(cell, "verifications", cell)
    if cell is None or cell is pd.NA or cell is pd.NaT:
        return 0
    if isinstance(cell, (bool, int, float, np.number, np.bool_)):
        if cell != cell:  # noqa: PLR0124 - NaN
            return 0
        if cell < 0 or cell != int(cell):
            raise InputError(f"verifications: {cell!r} is no count")
        return int(cell)
    if hasattr(cell, "__len__") and not isinstance(cell, (str, bytes)):
        return len(cell)
    raise InputError(f"verifications: a count, true or false or a collection is accepted, not {cell!r}")


def _names(frame: pd.DataFrame) -> str:
    return ", ".join(map(repr, frame.columns.tolist()))


class _Columns:
    """The columns of a checked frame as plain arrays."""

    def __init__(self, frame: pd.DataFrame, prefix: str, verified: NDArray[np.int64]) -> None:
        def numbers(name: str) -> NDArray[np.float64]:
            return frame[prefix + name].to_numpy(dtype=float, na_value=np.nan)

        self.verified = verified
        self.score = numbers("traceability_score")
        self.citations = numbers("valid_citations") + numbers("invalid_citations")
        self.invalid = numbers("invalid_citations")
        self.not_found = numbers("cite_quotes_not_found")
        self.quotes = numbers("cite_quotes")
        self.unused = numbers("cite_unused_sources")
        self.truncated = numbers("cite_truncated")
        self.abstained = numbers("cite_abstained")
        self.alerts = frame[prefix + "cite_alerts"].reset_index(drop=True)
        self.error = frame[prefix + "cite_error"].notna().to_numpy(dtype=bool)

    def tallies(self, codes: NDArray[np.int64], size: int) -> list[Tally]:
        """One tally per group."""

        def rows(mask: NDArray[np.bool_]) -> list[int]:
            counts: list[int] = np.bincount(codes[mask], minlength=size).tolist()
            return counts

        def total(values: NDArray[np.float64]) -> list[int]:
            return [int(value) for value in np.bincount(codes, np.nan_to_num(values), minlength=size)]

        score, scored = self.score, ~np.isnan(self.score)
        alerts = self._alerts(codes, size)
        scores = self._scores(codes, size)
        columns: dict[str, Sequence[Any]] = {
            "total_responses": rows(np.ones(codes.size, dtype=bool)),
            "fully_cited": rows(score >= FULLY),
            "partially_cited": rows((score >= WEAK) & (score < FULLY)),
            "weakly_cited": rows(score < WEAK),
            "without_citations": rows(scored & (self.citations == 0)),
            "invalid_citations": rows(self.invalid > 0),
            "verified_responses": rows(self.verified > 0),
            "user_verifications": total(self.verified.astype(float)),
            "unscored": rows(~scored),
            "errors": rows(self.error),
            "abstained": rows(self.abstained == 1),
            "truncated": rows(self.truncated == 1),
            "altered_quotes": [held["quote_altered"] for held in alerts],
            "absent_quotes": [held["quote_absent"] for held in alerts],
            "elsewhere_quotes": [held["quote_elsewhere"] for held in alerts],
            "quotes_not_found": rows(self.not_found > 0),
            "quotes": total(self.quotes),
            "unused_sources": total(self.unused),
            # Few scores are different, so exact sums cost nothing.
            "score_sum": [sum((Fraction(s) * n for s, n in held.items()), Fraction(0)) for held in scores],
            "score_squares": [sum((Fraction(s) ** 2 * n for s, n in held.items()), Fraction(0)) for held in scores],
            "scores": [_on_grid(held) for held in scores],
            "alerts": alerts,
        }
        return [Tally(**{name: values[i] for name, values in columns.items()}) for i in range(size)]

    def _alerts(self, codes: NDArray[np.int64], size: int) -> list[Counter[str]]:
        """Responses by alert code; equal cells are read once."""
        found: list[Counter[str]] = [Counter() for _ in range(size)]
        for group, cell, count in _counted(codes, self.alerts.astype(object)):
            for code in alert_codes(cell):
                found[group][code] += count
        return found

    def _scores(self, codes: NDArray[np.int64], size: int) -> list[Counter[float]]:
        found: list[Counter[float]] = [Counter() for _ in range(size)]
        for group, score, count in _counted(codes, pd.Series(self.score)):
            found[group][score] += count
        return found

    def pair_tables(self, codes: NDArray[np.int64], size: int, questions: pd.Series) -> list[PairTable]:
        """One table of questions per group; rows without a question, or that could not be read, stand in none."""
        keys, known = question_hashes(questions)
        outcomes = {
            "mean_traceability": self.score,
            "invalid_citations": np.where(np.isnan(self.invalid), np.nan, self.invalid > 0),
            "quotes_not_found": np.where(np.isnan(self.not_found), np.nan, self.not_found > 0),
        }
        values = np.column_stack([outcomes[name] for name in OUTCOMES])
        tables = []
        for group in range(size):
            rows = known & (codes == group)
            tables.append(PairTable.of(keys[rows], values[rows]))
        return tables


def _counted(codes: NDArray[np.int64], cells: pd.Series) -> Iterable[tuple[int, Any, int]]:
    """Each group's different values and how often it has them; missing ones are left out."""
    counts = pd.DataFrame({"group": codes, "cell": cells}).dropna().value_counts(sort=False)
    groups, values = counts.index.get_level_values("group"), counts.index.get_level_values("cell")
    return zip(groups.tolist(), values.tolist(), counts.tolist(), strict=True)


def alert_codes(cell: str) -> frozenset[str]:
    """The codes in a cell of ``cite_alerts``.

    >>> sorted(alert_codes("truncated; invalid_citation"))
    ['invalid_citation', 'truncated']
    """
    return frozenset(code for part in cell.split(";") if (code := part.strip()))


def _on_grid(scores: Counter[float]) -> Counter[int]:
    steps: Counter[int] = Counter()
    for score, count in scores.items():
        # Down, so that no score is shown in a better class than it is counted in; 1e-9 is for shares such as 0.29.
        steps[int(score * GRID + 1e-9)] += count
    return steps
