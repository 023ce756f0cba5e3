"""Groups of answers compared with each other: what differs, by how much, and whether it is more than noise."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ragcite_nb.reporting.intervals import Interval, mean_interval, paired_interval, unpaired_interval, wilson
from ragcite_nb.reporting.permutation import GRID, holm, least_paired_p, least_unpaired_p, paired_p, unpaired_p

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from ragcite_nb.reporting.pairing import PairTable
    from ragcite_nb.reporting.tally import Tally

OUTCOMES = ("mean_traceability", "invalid_citations", "quotes_not_found")
"""What groups are compared by: a mean of scores, then shares of the responses that could be read."""

MOST_GROUPS = 25
"""With more groups than this nothing is compared: the correction for hundreds of pairs would hide every difference."""

SIGNIFICANCE = 0.03
"""Chance that a report on groups that do not differ calls any of them different, all its comparisons together.

Below the usual 5 %, so that a thousand such reports stay below 5 % in every run and not only on average.
"""


class Group(NamedTuple):
    """One group to compare: its labels by column, its sums, and its questions if they are known."""

    labels: Mapping[str, Any]
    tally: Tally
    pairs: PairTable | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """One outcome compared between two groups.

    Attributes:
        first, second: the groups, as ``{column: value}``.
        outcome: ``"mean_traceability"``, or a share of responses: ``"invalid_citations"``, ``"quotes_not_found"``.
        first_value, second_value: the outcome of each; when paired, over the shared questions alone.
        difference: second minus first.
        low, high: interval of the difference, wide enough to hold for all comparisons of the report together; that of a
            difference that could be noise always holds 0.
        p_value: how often names dealt at random give a difference at least this large.
        adjusted_p: the same, corrected by Holm for the comparisons of the report. One that could not have come out as a
            difference whatever its values (a single invalid citation in all) does not burden the others and gets 1.
        different: ``adjusted_p`` is below :data:`SIGNIFICANCE`: more than noise.
        paired: whether the same questions were compared.
        sizes: what was compared in each group: questions when paired, else responses.
    """

    first: Mapping[str, Any]
    second: Mapping[str, Any]
    outcome: str
    first_value: float
    second_value: float
    difference: float
    low: float
    high: float
    p_value: float
    adjusted_p: float
    different: bool
    paired: bool
    sizes: tuple[int, int]

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain JSON data."""
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return values | {"first": dict(self.first), "second": dict(self.second), "sizes": list(self.sizes)}


class _Test(NamedTuple):
    first: Group
    second: Group
    outcome: int
    values: tuple[float, float]
    p_value: float
    least_p: float
    sizes: tuple[int, int]
    differences: NDArray[np.float64] | None


def compare(groups: Sequence[Group]) -> tuple[Comparison, ...]:
    """Every pair of groups by every outcome that varies at all, corrected for all of them together."""
    if not 2 <= len(groups) <= MOST_GROUPS:
        return ()
    outcomes = [i for i in range(len(OUTCOMES)) if _varies([group.tally for group in groups], i)]
    tests = [
        test
        for first, second in combinations(groups, 2)
        for outcome in outcomes
        if (test := _test(first, second, outcome)) is not None
    ]
    # Which tests stand a chance follows from how many values vary, not from who has them: the choice favours nobody.
    fit = [test.least_p <= SIGNIFICANCE for test in tests]
    corrected = iter(holm([test.p_value for test, stands in zip(tests, fit, strict=True) if stands]))
    confidence = 1 - SIGNIFICANCE / max(1, sum(fit))  # so that all intervals hold together
    return tuple(
        _comparison(test, next(corrected) if stands else 1.0, confidence)
        for test, stands in zip(tests, fit, strict=True)
    )


def _varies(tallies: Iterable[Tally], outcome: int) -> bool:
    held = sum((counts(tally, outcome) for tally in tallies), start=np.zeros(1, dtype=np.int64))
    return int(np.count_nonzero(held)) > 1


def counts(tally: Tally, outcome: int) -> NDArray[np.int64]:
    """How many responses have each value of an outcome: a step of the score's grid, or no and yes."""
    if OUTCOMES[outcome] == "mean_traceability":
        steps = np.zeros(GRID + 1, dtype=np.int64)
        steps[list(tally.scores)] = list(tally.scores.values())
        return steps
    hits = int(getattr(tally, OUTCOMES[outcome]))
    return np.array([tally.total_responses - tally.errors - hits, hits], dtype=np.int64)


def _test(first: Group, second: Group, outcome: int) -> _Test | None:
    if first.pairs is not None and second.pairs is not None:
        mine, theirs = first.pairs.shared(second.pairs, outcome)
        # A few questions in common do not make up for leaving all others out.
        if 2 * mine.size >= min(first.pairs.asked(outcome), second.pairs.asked(outcome)) and mine.size >= 2:
            differences = theirs - mine
            values = float(mine.mean()), float(theirs.mean())
            p_value, least_p = paired_p(differences), least_paired_p(differences)
            return _Test(first, second, outcome, values, p_value, least_p, (mine.size, theirs.size), differences)
    before, after = counts(first.tally, outcome), counts(second.tally, outcome)
    sizes = int(before.sum()), int(after.sum())
    if 0 in sizes:
        return None
    values = _value(first.tally, outcome, sizes[0]), _value(second.tally, outcome, sizes[1])
    p_value, least_p = unpaired_p(before, after), least_unpaired_p(before, after)
    return _Test(first, second, outcome, values, p_value, least_p, sizes, None)


def _value(tally: Tally, outcome: int, size: int) -> float:
    if OUTCOMES[outcome] == "mean_traceability":
        return float(tally.score_sum / size)
    return int(getattr(tally, OUTCOMES[outcome])) / size


def _comparison(test: _Test, adjusted_p: float, confidence: float) -> Comparison:
    if test.differences is not None:
        low, high = paired_interval(test.differences, confidence)
    else:
        before, after = test.values
        low, high = unpaired_interval(
            _interval(test.first.tally, test.outcome, confidence),
            before,
            _interval(test.second.tally, test.outcome, confidence),
            after,
        )
    different = adjusted_p < SIGNIFICANCE
    if not different:
        # The test counts out what the interval only approximates, so with few answers the two may disagree.
        low, high = min(low, 0.0), max(high, 0.0)
    return Comparison(
        first=test.first.labels,
        second=test.second.labels,
        outcome=OUTCOMES[test.outcome],
        first_value=test.values[0],
        second_value=test.values[1],
        difference=test.values[1] - test.values[0],
        low=low,
        high=high,
        p_value=test.p_value,
        adjusted_p=adjusted_p,
        different=different,
        paired=test.differences is not None,
        sizes=test.sizes,
    )


def _interval(tally: Tally, outcome: int, confidence: float) -> Interval:
    if OUTCOMES[outcome] == "mean_traceability":
        interval = mean_interval(float(tally.score_sum), float(tally.score_squares), tally.scored, confidence)
    else:
        interval = wilson(getattr(tally, OUTCOMES[outcome]), tally.total_responses - tally.errors, confidence)
    return interval or (0.0, 1.0)
