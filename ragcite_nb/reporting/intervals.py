"""Confidence intervals for shares and for means of scores, computed from sums alone.

Both are Wilson score intervals: unlike mean ± 1.96 standard errors they never leave 0 to 1, and three perfect answers
out of three do not come out as certainty.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Interval = tuple[float, float]

CONFIDENCE = 0.95
"""Confidence of every interval that a report shows."""


def wilson(count: float, total: float, confidence: float = CONFIDENCE) -> Interval | None:
    """Interval of a share, ``count`` out of ``total``; ``None`` when there is nothing to count.

    >>> low, high = wilson(8, 10)
    >>> f"{low:.3f} to {high:.3f}"
    '0.490 to 0.943'
    >>> wilson(0, 0)
    """
    if total <= 0:
        return None
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = count / total
    shrink = 1 + z * z / total
    middle = (share + z * z / (2 * total)) / shrink
    half = z / shrink * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    # At the ends the formula gives 0 and 1 but for rounding, which must not push the share out of its own interval.
    return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))


def mean_interval(total: float, squares: float, n: int, confidence: float = CONFIDENCE) -> Interval | None:
    """Interval of the mean of ``n`` scores between 0 and 1, from their sum and the sum of their squares.

    Scores spread less than yes-or-no values with the same mean. The ratio of the two variances says how many yes-or-no
    values the scores are worth, and Wilson's interval is taken for that many. Half a score of 0 and half a score of 1
    are added for the ratio alone, so that a handful of equal scores does not pass for no spread at all.

    >>> low, high = mean_interval(total=2.5, squares=2.25, n=3)  # scores 1, 1 and 0.5
    >>> f"{low:.2f} to {high:.2f}"
    '0.38 to 0.98'
    """
    if n <= 0:
        return None
    padded = n + 1
    padded_mean = (total + 0.5) / padded
    spread = ((squares + 0.5) / padded - padded_mean**2) / (padded_mean * (1 - padded_mean))
    worth = n / min(1.0, spread)
    mean = min(1.0, max(0.0, total / n))
    return wilson(mean * worth, worth, confidence)


def paired_interval(differences: NDArray[np.float64], confidence: float = CONFIDENCE) -> Interval:
    """Interval of a mean of differences between -1 and 1."""
    halved = (differences + 1) / 2  # from 0 to 1, as the interval of a mean of scores wants them
    interval = mean_interval(float(halved.sum()), float((halved**2).sum()), halved.size, confidence)
    low, high = interval or (0.0, 1.0)
    return 2 * low - 1, 2 * high - 1


def unpaired_interval(first: Interval, first_mean: float, second: Interval, second_mean: float) -> Interval:
    """Interval of ``second_mean - first_mean`` from the interval of each (Newcombe's square-and-add rule).

    >>> low, high = unpaired_interval((0.4, 0.6), 0.5, (0.7, 0.9), 0.8)
    >>> f"{low:.2f} to {high:.2f}"
    '0.16 to 0.44'
    """
    difference = second_mean - first_mean
    down = math.hypot(second_mean - second[0], first[1] - first_mean)
    up = math.hypot(second[1] - second_mean, first_mean - first[0])
    return max(-1.0, difference - down), min(1.0, difference + up)
