from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragcite_nb.reporting.permutation import (
    GRID,
    holm,
    least_paired_p,
    least_unpaired_p,
    paired_p,
    unpaired_p,
)


def counts(steps, size=GRID + 1):
    return np.bincount(np.array(steps, dtype=int), minlength=size)


def dealt_in_full(first, second):
    """The definition, by looking at every way to deal out the names."""
    pooled = [*first, *second]
    expected = len(first) * sum(pooled) / len(pooled)
    distance = abs(sum(first) - expected) - 1e-9
    deals = [abs(sum(deal) - expected) >= distance for deal in combinations(pooled, len(first))]
    return sum(deals) / len(deals)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(0, 1), min_size=1, max_size=6), st.lists(st.integers(0, 1), min_size=1, max_size=6))
def test_yes_or_no_is_counted_out_exactly(first, second):
    assert unpaired_p(counts(first, 2), counts(second, 2)) == pytest.approx(dealt_in_full(first, second))


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(0, 1), min_size=2, max_size=7), st.data())
def test_no_deal_of_yes_and_no_comes_out_below_the_least(pooled, data):
    drawn = data.draw(st.integers(1, len(pooled) - 1))
    deals = [
        unpaired_p(counts(pooled_part, 2), counts(pooled, 2) - counts(pooled_part, 2))
        for pooled_part in map(list, combinations(pooled, drawn))
    ]
    first = pooled[:drawn]
    assert least_unpaired_p(counts(first, 2), counts(pooled[drawn:], 2)) == pytest.approx(min(deals))


def test_no_deal_of_scores_comes_out_below_the_least():
    pooled = [10, 20, 60, 61, 90, 120]
    for deal in combinations(pooled, 3):
        rest = counts(pooled) - counts(deal)
        assert unpaired_p(counts(deal), rest) >= least_unpaired_p(counts(deal), rest) == pytest.approx(1 / 20)


@settings(deadline=None)
@given(st.lists(st.integers(-GRID, GRID), min_size=1, max_size=7))
def test_no_signs_come_out_below_the_least(steps):
    signed = [np.array(sign) * np.array(steps) / GRID for sign in product((1, -1), repeat=len(steps))]
    assert least_paired_p(signed[0]) <= min(paired_p(differences) for differences in signed) + 1e-12


@pytest.mark.parametrize("seed", range(4))
def test_scores_are_dealt_out_close_to_the_full_count(seed):
    rng = np.random.default_rng(seed)
    first, second = rng.integers(60, GRID + 1, 7), rng.integers(30, GRID + 1, 8)
    expected = dealt_in_full(first.tolist(), second.tolist())
    assert unpaired_p(counts(first), counts(second)) == pytest.approx(expected, abs=0.015)


@settings(deadline=None)
@given(st.lists(st.integers(-GRID, GRID), min_size=1, max_size=9))
def test_paired_differences_are_counted_out_exactly(steps):
    signs = list(product((1, -1), repeat=len(steps)))
    reached = [abs(sum(s * d for s, d in zip(sign, steps, strict=True))) >= abs(sum(steps)) for sign in signs]
    assert paired_p(np.array(steps) / GRID) == pytest.approx(sum(reached) / len(signs))


def test_many_paired_differences_agree_with_the_exact_count():
    """Above 100 differences a normal curve is used; at the border both must say the same."""
    rng = np.random.default_rng(3)
    differences = rng.integers(-40, 60, 100) / GRID
    differences[differences == 0] = 1 / GRID
    exact = paired_p(differences)
    curve = paired_p(np.append(differences, [1 / GRID, -1 / GRID]))
    assert 0.0005 < exact < 0.5
    assert exact * 0.99 <= curve <= exact * 1.2  # never the bolder one


@pytest.mark.parametrize("group", [[120] * 5, [0, 60, 120], [7]])
def test_the_same_group_twice_is_no_difference(group):
    assert unpaired_p(counts(group), counts(group)) == 1.0
    assert paired_p(np.zeros(len(group))) == 1.0


def test_one_row_a_group_is_never_a_difference():
    assert unpaired_p(counts([0]), counts([120])) == 1.0
    assert paired_p(np.array([1.0])) == 1.0


def test_a_few_perfect_scores_against_a_few_others_are_no_proof():
    """Three against three: chance deals this out once in ten times, however clear it looks."""
    assert unpaired_p(counts([120] * 3), counts([60] * 3)) == pytest.approx(2 / comb(6, 3))


def test_a_large_difference_is_seen():
    rng = np.random.default_rng(0)
    better, worse = rng.integers(80, GRID + 1, 400), rng.integers(40, GRID + 1, 400)
    assert unpaired_p(counts(better), counts(worse)) < 1e-9
    assert paired_p((better - worse) / GRID) < 1e-9


def test_the_order_of_the_groups_does_not_matter():
    rng = np.random.default_rng(1)
    first, second = counts(rng.integers(0, 121, 12)), counts(rng.integers(0, 121, 25))
    assert unpaired_p(first, second) == unpaired_p(second, first)


def test_rare_events_in_groups_of_very_different_size():
    """2 of 25 against 20 of 5,000: a normal curve would call it one in a hundred million."""
    p = unpaired_p(counts([1] * 2 + [0] * 23, 2), counts([1] * 20 + [0] * 4980, 2))
    assert 0.004 < p < 0.008


@pytest.mark.parametrize("sizes", [(8, 8), (12, 20), (60, 60), (100, 1000)])
def test_equal_groups_are_called_different_at_most_as_often_as_said(sizes):
    rng = np.random.default_rng(sum(sizes))

    def scores(n):
        claims = rng.integers(1, 9, n)
        return np.rint(rng.binomial(claims, 0.9) / claims * GRID).astype(int)

    runs = 200
    called = sum(unpaired_p(counts(scores(sizes[0])), counts(scores(sizes[1]))) < 0.05 for _ in range(runs))
    assert called / runs <= 0.095  # 5 % and three standard errors


def test_holm_multiplies_the_smallest_and_keeps_the_order():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([]) == []
