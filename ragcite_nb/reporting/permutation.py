"""How often chance alone would make a difference this large: permutation tests on counts, and Holm's correction.

The question of each test: had the group names been dealt out at random, how often would the difference be at least
this large? Nothing is assumed about how scores are distributed. Few scores, or scores that are mostly equal, are
counted out or dealt out many times: a normal curve would be too sure of itself there.

Scores stand on a grid of 1/120, on which every share of up to 6 claims and of 8, 10, 12, 15, 20, 24, 30, 40, 60 or 120
claims is exact, so that a group is 121 counts however many rows it has.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

GRID = 120
"""Steps between a score of 0 and a score of 1."""

_DEALS = 19_999
_MOST_SIGNS = 100
_MOST_TERMS = 5_000


def unpaired_p(first: NDArray[np.int64], second: NDArray[np.int64]) -> float:
    """Probability that two random halves differ in their means at least as much as these two groups do.

    Both are counts on the grid: ``first[k]`` values of ``k / (len(first) - 1)``.

    >>> import numpy as np
    >>> round(unpaired_p(np.array([0, 5]), np.array([5, 0])), 4)  # 2 of the 252 ways to deal them
    0.0079
    """
    if first.sum() > second.sum():
        first, second = second, first
    small, large = int(first.sum()), int(second.sum())
    pooled = first + second
    values = np.arange(pooled.size)
    if small == 0 or np.count_nonzero(pooled) < 2:
        return 1.0
    size = small + large
    observed = int(first @ values)
    expected = small * int(pooled @ values) / size
    if np.count_nonzero(pooled) == 2 and min(int(pooled.max()), size - int(pooled.max()), small) <= _MOST_TERMS:
        return _two_valued_p(first, pooled)
    deviations = values - int(pooled @ values) / size
    variance = float(pooled @ deviations**2) / (size - 1) * small * large / size
    skew = float(pooled @ deviations**3) / size / (float(pooled @ deviations**2) / size) ** 1.5
    skew_of_sum = abs(skew) * (large - small) / math.sqrt(small * large * size)
    varied = size - int(pooled.max())
    if small >= 30 and varied >= 30 and skew_of_sum < 0.25:
        return _normal_p((observed - expected) / math.sqrt(variance))
    # Few values, or few that are not the same: the normal curve would be too sure of itself.
    rng = np.random.default_rng(observed)
    held = np.flatnonzero(pooled)
    sums = rng.multivariate_hypergeometric(pooled[held], small, size=_DEALS, method="marginals") @ held
    reached = np.abs(sums - expected) >= abs(observed - expected) - 1e-9
    return (1 + int(reached.sum())) / (1 + _DEALS)


def _two_valued_p(first: NDArray[np.int64], pooled: NDArray[np.int64]) -> float:
    """Fisher's exact test, two-sided by distance from the expected count."""
    rare = int(np.flatnonzero(pooled)[np.argmin(pooled[np.flatnonzero(pooled)])])
    hits, size, drawn = int(pooled[rare]), int(pooled.sum()), int(first.sum())
    expected = hits * drawn / size
    distance = abs(int(first[rare]) - expected) - 1e-9
    least, most = max(0, drawn - (size - hits)), min(hits, drawn)
    reached = (k for k in range(least, most + 1) if abs(k - expected) >= distance)
    return min(1.0, math.fsum(_chance(k, hits, size, drawn) for k in reached))


def least_unpaired_p(first: NDArray[np.int64], second: NDArray[np.int64]) -> float:
    """A bound below which :func:`unpaired_p` cannot come out, whoever had been dealt which of these values.

    >>> least_unpaired_p(np.array([99, 1]), np.array([100, 0]))  # a single hit must have landed somewhere
    1.0
    """
    pooled, drawn, size = first + second, min(int(first.sum()), int(second.sum())), int(first.sum() + second.sum())
    held = pooled[pooled > 0]
    if held.size < 2 or drawn == 0:
        return 1.0
    if held.size > 2:
        return math.exp(-_log_choose(size, drawn))
    hits = int(held.min())
    expected = hits * drawn / size
    ends = {max(0, drawn - (size - hits)), min(hits, drawn)}
    farthest = max(abs(end - expected) for end in ends) - 1e-9
    return min(1.0, math.fsum(_chance(end, hits, size, drawn) for end in ends if abs(end - expected) >= farthest))


def _chance(k: int, hits: int, size: int, drawn: int) -> float:
    """Probability of ``k`` hits among ``drawn`` of ``size`` values that hold ``hits``."""
    return math.exp(_log_choose(hits, k) + _log_choose(size - hits, drawn - k) - _log_choose(size, drawn))


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def paired_p(differences: NDArray[np.float64]) -> float:
    """Probability of a mean difference at least this large if each question's difference could as well be reversed.

    For yes-or-no outcomes this is McNemar's exact test.

    >>> import numpy as np
    >>> paired_p(np.array([1.0, 1.0, 1.0, 1.0, 1.0, 0.0])) == 2 / 2**5
    True
    """
    steps = np.rint(differences * GRID).astype(np.int64)
    steps = steps[steps != 0]
    if steps.size == 0:
        return 1.0
    observed = abs(int(steps.sum()))
    if steps.size > _MOST_SIGNS:
        return _normal_p(observed / math.sqrt(float((steps**2).sum())))
    steps = np.abs(steps)
    reach = int(steps.sum())
    # chances[k] is the probability that the differences with random signs add up to k - reach.
    chances = np.zeros(2 * reach + 1)
    chances[reach] = 1.0
    for step in steps.tolist():
        moved = np.zeros_like(chances)
        moved[step:] = chances[:-step]
        moved[:-step] += chances[step:]
        chances = moved / 2
    return (
        min(1.0, float(chances[: reach - observed + 1].sum() + chances[reach + observed :].sum())) if observed else 1.0
    )


def least_paired_p(differences: NDArray[np.float64]) -> float:
    """A bound below which :func:`paired_p` cannot come out, whatever the signs of these differences.

    >>> least_paired_p(np.array([1.0, 0.0, -1.0]))
    0.5
    """
    return min(1.0, 2.0 ** (1 - int(np.count_nonzero(np.rint(differences * GRID)))))


def _normal_p(z: float) -> float:
    return math.erfc(abs(z) / math.sqrt(2))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's correction: with all of these tests together, at most 5 % of innocent families hold a value below 0.05.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    adjusted = [1.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted
