import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragcite_nb.reporting.intervals import mean_interval, paired_interval, unpaired_interval, wilson


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    # Newcombe 1998, table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_published_limits(count, total, low, high):
    assert wilson(count, total) == pytest.approx((low, high), abs=5e-5)


def test_nothing_counted_has_no_interval():
    assert wilson(0, 0) is None
    assert mean_interval(0, 0, 0) is None


@given(st.integers(1, 10_000), st.data())
def test_wilson_holds_its_share_and_stays_between_0_and_1(total, data):
    count = data.draw(st.integers(0, total))
    low, high = wilson(count, total)
    assert 0 <= low <= count / total <= high <= 1
    assert high > low


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60))
def test_the_interval_of_a_mean_holds_the_mean(scores):
    low, high = mean_interval(sum(scores), sum(s * s for s in scores), len(scores))
    assert 0 <= low <= high <= 1
    assert low - 1e-12 <= sum(scores) / len(scores) <= high + 1e-12


def test_equal_scores_are_not_certain():
    low, high = mean_interval(3.0, 3.0, 3)
    assert (low, high) == pytest.approx(wilson(3, 3))
    low, high = mean_interval(1.5, 0.75, 3)
    assert high - low > 0.3


def test_yes_or_no_scores_get_the_interval_of_a_share():
    assert mean_interval(700, 700, 1000) == pytest.approx(wilson(700, 1000), abs=1e-4)


def test_less_spread_gives_a_narrower_interval():
    wide = mean_interval(50, 50, 100)
    narrow = mean_interval(50, 26, 100)
    assert narrow[1] - narrow[0] < (wide[1] - wide[0]) / 2


@pytest.mark.parametrize("n", [5, 30, 300])
def test_95_percent_intervals_hold_the_true_mean_95_percent_of_the_time(n):
    rng = np.random.default_rng(n)
    claims = rng.integers(1, 9, (1500, n))
    # Mostly well cited answers, and some that are cited by half: the shape of real logs.
    scores = rng.binomial(claims, np.where(rng.random((1500, n)) < 0.8, 0.95, 0.5)) / claims
    truth = 0.8 * 0.95 + 0.2 * 0.5
    held = 0
    for row in scores:
        low, high = mean_interval(row.sum(), (row**2).sum(), n)
        held += low <= truth <= high
    assert held / 1500 >= 0.935


def test_a_paired_difference_lies_in_its_interval():
    differences = np.array([0.5, 0.0, 0.25, 0.0, -0.25, 0.5])
    low, high = paired_interval(differences)
    assert -1 <= low < differences.mean() < high <= 1


def test_unpaired_differences_combine_both_intervals():
    # Newcombe 1998, table II, case (a), method 10: 56/70 against 48/80.
    first, second = wilson(48, 80), wilson(56, 70)
    assert unpaired_interval(first, 48 / 80, second, 56 / 70) == pytest.approx((0.0524, 0.3339), abs=5e-5)
