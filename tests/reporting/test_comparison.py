import numpy as np
import pytest

from ragcite_nb.report import report
from ragcite_nb.reporting.comparison import MOST_GROUPS


def by_outcome(comparisons):
    return {comparison.outcome: comparison for comparison in comparisons}


def test_the_same_questions_are_compared_with_each_other(two_models):
    (found,) = report(two_models, by="model").comparisons
    assert found.outcome == "mean_traceability"
    assert found.paired
    assert found.sizes == (40, 40)
    assert (found.first, found.second) == ({"model": "a"}, {"model": "b"})
    assert found.difference == pytest.approx(found.second_value - found.first_value)
    assert found.low < found.difference < found.high < 0
    assert found.different
    assert found.p_value <= found.adjusted_p < 0.001


def test_without_questions_whole_groups_are_compared(two_models):
    (found,) = report(two_models.drop(columns="question"), by="model").comparisons
    assert not found.paired
    assert found.sizes == (40, 40)
    assert found.different


def test_pairing_sees_what_the_questions_hide(checked):
    """Hard and easy questions differ far more than the two models do."""
    rows = []
    for i in range(30):
        ease = (i % 10) / 10
        rows.append({"model": "a", "question": i, "traceability_score": ease})
        rows.append({"model": "b", "question": i, "traceability_score": ease + 0.1 if i % 5 else ease})
    frame = checked(rows)
    assert report(frame, by="model").comparisons[0].different
    assert not report(frame.drop(columns="question"), by="model").comparisons[0].different


def test_a_few_shared_questions_do_not_make_a_pair(checked):
    rows = [{"model": "a", "question": f"a{i}", "traceability_score": i % 3 / 2} for i in range(20)]
    rows += [{"model": "b", "question": f"b{i}", "traceability_score": i % 3 / 2} for i in range(20)]
    rows += [{"model": m, "question": "both", "traceability_score": 1.0} for m in "ab"]
    (found,) = report(checked(rows), by="model").comparisons
    assert not found.paired
    assert found.sizes == (21, 21)


def test_the_question_column_can_be_named(two_models):
    frame = two_models.rename(columns={"question": "case"})
    assert not report(frame, by="model").comparisons[0].paired
    assert report(frame, by="model", pair_on="case").comparisons[0].paired


def test_repeated_answers_to_a_question_are_averaged(checked):
    rows = [{"model": m, "question": q, "traceability_score": s} for m, s in (("a", 0.5), ("b", 1.0)) for q in range(8)]
    once = report(checked(rows), by="model").comparisons[0]
    often = report(checked(rows * 50), by="model").comparisons[0]
    assert often.sizes == once.sizes == (8, 8)
    assert often.p_value == once.p_value, "the same eight questions asked again prove nothing more"


def test_every_outcome_that_varies_is_compared_and_corrected(checked):
    rows = []
    for i in range(40):
        rows.append({"model": "a", "question": i, "invalid_citations": 0, "cite_quotes_not_found": i % 20 == 0})
        rows.append({"model": "b", "question": i, "invalid_citations": i % 2, "cite_quotes_not_found": i % 20 == 1})
    found = by_outcome(report(checked(rows), by="model").comparisons)
    assert set(found) == {"invalid_citations", "quotes_not_found"}, "all scores are equal"
    assert found["invalid_citations"].different
    assert found["invalid_citations"].difference == pytest.approx(0.5)
    assert not found["quotes_not_found"].different


def test_all_comparisons_together_are_corrected(checked):
    rows = [
        {
            "model": m,
            "traceability_score": (i + (m == "c")) % 5 / 4,
            "invalid_citations": i % 3 == 0 or (m == "b" and i % 2),
        }
        for m in "abc"
        for i in range(60)
    ]
    comparisons = report(checked(rows), by="model").comparisons
    assert len(comparisons) == 6
    assert min(c.adjusted_p for c in comparisons) == pytest.approx(6 * min(c.p_value for c in comparisons))


def test_a_comparison_that_cannot_come_out_does_not_burden_the_others(checked):
    """One invalid citation in all can be no difference, so it costs the comparison of scores nothing."""
    rows = [{"model": "a", "question": i, "traceability_score": 0.5} for i in range(8)]
    rows += [{"model": "b", "question": i, "traceability_score": 0.75, "invalid_citations": i == 0} for i in range(8)]
    found = by_outcome(report(checked(rows), by="model").comparisons)
    assert found["mean_traceability"].adjusted_p == found["mean_traceability"].p_value == 2 / 2**8
    assert found["invalid_citations"].adjusted_p == 1.0


def test_the_interval_of_what_could_be_noise_holds_0(checked):
    """9 invalid against 1 of 24: a rough interval would leave 0 out, the exact test does not."""
    rows = [
        {"model": "a", "question": i, "invalid_citations": int(i < 9), "cite_quotes_not_found": i % 2}
        for i in range(24)
    ]
    rows += [
        {"model": "b", "question": i, "invalid_citations": int(i == 9), "cite_quotes_not_found": i % 3}
        for i in range(24)
    ]
    found = by_outcome(report(checked(rows), by="model").comparisons)["invalid_citations"]
    assert found.adjusted_p > 0.03
    assert not found.different
    assert found.low < found.high == 0.0


def test_rows_that_could_not_be_read_are_not_compared(mixed):
    found = by_outcome(report(mixed.drop(columns="question"), by="model").comparisons)
    assert found["invalid_citations"].sizes == (6, 5)
    assert found["invalid_citations"].second_value == pytest.approx(2 / 5)


def test_groups_of_one_are_compared_and_never_different(checked):
    rows = [{"model": "a", "traceability_score": 1.0}, {"model": "b", "traceability_score": 0.0}]
    (found,) = report(checked(rows), by="model").comparisons
    assert not found.different
    assert found.p_value == 1.0


def test_one_group_or_too_many_are_not_compared(checked):
    assert report(checked([{"model": "a"}] * 3), by="model").comparisons == ()
    rows = [{"model": i % (MOST_GROUPS + 1), "traceability_score": i % 2} for i in range(100)]
    assert report(checked(rows), by="model").comparisons == ()


def test_a_group_without_any_score_is_compared_by_what_it_has(checked):
    rows = [{"model": "a", "traceability_score": None}] * 5 + [{"model": "b", "traceability_score": 0.5}] * 5
    rows += [{"model": "b", "invalid_citations": 1}] * 5
    found = by_outcome(report(checked(rows), by="model").comparisons)
    assert set(found) == {"invalid_citations"}


@pytest.mark.parametrize("paired", [True, False])
def test_equal_models_are_rarely_called_different(checked, paired):
    """All three outcomes vary; benchmarks/noise.py does this with 1,000 pairs of every size."""
    rng = np.random.default_rng(11)
    called, runs, size = 0, 60, 40
    for _ in range(runs):
        hard = np.tile(rng.beta(6, 1.5, size), 2)
        claims = rng.integers(1, 8, 2 * size)
        cited = rng.binomial(claims, hard)
        rows = [
            {
                "model": "ab"[i // size],
                "question": i % size if paired else i,
                "traceability_score": float(cited[i] / claims[i]),
                "invalid_citations": int(rng.random() < 0.1),
                "cite_quotes_not_found": int(rng.random() < 0.1),
            }
            for i in range(2 * size)
        ]
        called += any(comparison.different for comparison in report(checked(rows), by="model").comparisons)
    assert called / runs <= 0.1  # 3 % and three standard errors
