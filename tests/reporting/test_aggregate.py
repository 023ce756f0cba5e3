import pandas as pd
import pytest

from ragcite_nb.models import InputError
from ragcite_nb.reporting.aggregate import alert_codes, groups, verification_counts


def tally(frame, **how):
    (group,) = groups(frame, (), None, how.get("prefix", ""), how.get("verifications"))
    return group.tally


def test_every_response_is_counted_in_one_class(mixed):
    total = tally(mixed)
    assert total.total_responses == 12
    assert (total.fully_cited, total.partially_cited, total.weakly_cited, total.unscored) == (4, 3, 3, 2)


def test_what_is_counted_beside_the_classes(mixed):
    total = tally(mixed)
    assert total.without_citations == 1, "the response with invalid citations alone does cite something"
    assert total.invalid_citations == 2, "responses, not citations"
    assert (total.errors, total.abstained, total.truncated) == (1, 1, 1)
    assert (total.altered_quotes, total.absent_quotes, total.elsewhere_quotes) == (1, 1, 1)
    assert total.quotes_not_found == 2
    assert total.quotes == 14
    assert total.unused_sources == 11
    assert total.mean_traceability == pytest.approx(mixed["traceability_score"].mean())


def test_alerts_are_counted_by_response(checked):
    frame = checked([{"cite_alerts": "truncated; truncated"}, {"cite_alerts": "truncated"}, {"cite_alerts": ""}])
    assert dict(tally(frame).alerts) == {"truncated": 2}


def test_a_score_on_a_threshold_belongs_to_the_better_class(checked):
    total = tally(checked([{"traceability_score": 0.9}, {"traceability_score": 0.5}]))
    assert (total.fully_cited, total.partially_cited, total.weakly_cited) == (1, 1, 0)


def test_tallies_of_parts_add_up_exactly(checked):
    """Float sums would differ in their last digits with the cut."""
    frame = checked([{"traceability_score": (i % 7) / 7} for i in range(50)])
    for cut in (0, 1, 13, 49, 50):
        assert tally(frame[:cut]) + tally(frame[cut:]) == tally(frame)


def test_an_empty_frame_counts_nothing(checked):
    total = tally(checked([]))
    assert total.total_responses == 0
    assert total.mean_traceability is None
    assert set(total.intervals.values()) == {None}


def test_groups_are_the_values_of_the_columns(checked):
    frame = checked([{"model": "a", "k": 5}, {"model": None, "k": 5}, {"model": "a", "k": 10}])
    labels = [group.labels for group in groups(frame, ("model", "k"), None, "", None)]
    assert labels == [{"model": "a", "k": 5}, {"model": None, "k": 5}, {"model": "a", "k": 10}]
    assert type(labels[0]["k"]) is int


def test_categories_that_do_not_occur_are_no_groups(checked):
    frame = checked([{"model": "a"}, {"model": "b"}])
    frame["model"] = pd.Categorical(frame["model"], categories=["a", "b", "c"])
    assert len(groups(frame[:1], ("model",), None, "", None)) == 1


def test_the_index_plays_no_part(checked):
    frame = checked([{"model": "a"}, {"model": "b", "cite_alerts": "truncated"}], index=[7, 7])
    first, second = groups(frame, ("model",), None, "", None)
    assert (first.tally.alerts["truncated"], second.tally.alerts["truncated"]) == (0, 1)


def test_a_column_of_lists_makes_no_groups(checked):
    frame = checked([{"tags": ["a"]}, {"tags": ["b"]}])
    with pytest.raises(InputError, match="holds lists or objects"):
        groups(frame, ("tags",), None, "", None)


def test_a_column_of_ids_makes_too_many_groups(checked):
    frame = checked([{"id": i} for i in range(1001)])
    with pytest.raises(InputError, match="1001 groups"):
        groups(frame, ("id",), None, "", None)


def test_columns_with_a_prefix_are_read(checked):
    assert tally(checked([{"invalid_citations": 1}], prefix="rc_"), prefix="rc_").invalid_citations == 1


class Answer:
    """Stands for a widget: what counts is that it holds verifications."""

    def __init__(self, verifications):
        self.verifications = verifications


@pytest.mark.parametrize(
    ("given", "counts"),
    [
        ("seen", [2, 0, 1]),
        ([3, None, True], [3, 0, 1]),
        ([[{"citation": 0}], [], float("nan")], [1, 0, 0]),
        ([Answer(({}, {})), Answer(()), pd.NA], [2, 0, 0]),
        ({2: 4}, [0, 0, 4]),
        (Answer([{"row": 1, "citation": 0}, {"row": 1, "citation": 2}, {"row": 0, "citation": 0}]), [1, 2, 0]),
        ([{"row": 2, "citation": 0}], [0, 0, 1]),
        (Answer([]), [0, 0, 0]),
        (None, [0, 0, 0]),
    ],
)
def test_verifications_come_in_many_shapes(checked, given, counts):
    frame = checked([{"seen": 2}, {"seen": None}, {"seen": 1}])
    assert verification_counts(frame, given).tolist() == counts


def test_the_column_user_verifications_is_found(checked):
    total = tally(checked([{"user_verifications": 2}, {"user_verifications": 0}]))
    assert (total.verified_responses, total.user_verifications, total.verification_rate) == (1, 2, 0.5)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("seen_by", "no such column; the columns are"),
        ([1, 2], "2 values for 1 rows"),
        ({5: 1}, "row 5"),
        ([{"row": 1}], "row 1"),
        (["yes"], "accepted"),
        ([-1], "no count"),
        ([0.5], "no count"),
        (7, "a column's name"),
    ],
)
def test_verifications_that_mean_nothing_are_refused(checked, given, said):
    with pytest.raises(InputError, match=said):
        verification_counts(checked([{}]), given)


def test_codes_are_split_and_blanks_dropped():
    assert alert_codes("") == frozenset()
    assert alert_codes(" truncated ;; refusal") == {"truncated", "refusal"}
