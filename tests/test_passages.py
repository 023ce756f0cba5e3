"""Where words stand: never inside a word or a number, and nearly."""

import pytest

from ragcite_nb.passages import (
    cut_after,
    cut_before,
    find,
    nearest,
    places,
    same_skeleton,
    small_edits,
    threshold,
    weight,
)


@pytest.mark.parametrize(
    ("words", "text", "at"),
    [
        ("costs 10", "costs 100", -1),
        ("costs 10", "costs 10.5", -1),
        ("costs 10", "costs 10.", 0),
        ("costs 10.", "costs 10.5", -1),
        ("costs 10", "costs 10:30", -1),
        ("costs 10", "costs 10 500", -1),
        ("in 2024", "in 2024 300 dogs", 0),
        ("300 dogs", "in 2024 300 dogs", 8),
        ("500 euros", "12 500 euros", -1),
        ("5 °c", "at -5 °c", -1),
        ("15 pages", "10-15 pages", 3),
        (".5 mg", "2.5 mg", -1),
        ("10 volts", "10 volts", 0),
        ("of 10", "of 10^5", -1),
        ("in 2019", "in 2019^2", 0),
        ("open", "reopened open", 9),
        ("snake", "snake_case", -1),
        ("14 days", "_14 days_", 1),
        ("caf", "cafe\u0301", -1),
        ("cafe", "cafe\u0301", -1),
        ("10", "1\u200b10", -1),
        ("can", "he can't", -1),
        ("user", "the user's", 4),
        ("契約", "本契約は", 1),
        ("十日", "二十日", -1),
        ("กา", "การ", 0),
    ],
)
def test_find_never_cuts(words, text, at):
    assert find(words, text) == at


def test_places_gives_all():
    assert list(places("ab", "ab abc ab, cab ab")) == [0, 7, 15]


def test_edges_of_a_text_cut_nothing():
    assert not cut_before("abc", 0)
    assert not cut_after("abc", 3)


def test_weight_and_threshold():
    """Shorter texts must be more alike; very short and very long ones are never near."""
    assert weight("圧力 ab") == 7
    assert [threshold("x" * n) for n in (23, 24, 39, 40, 79, 80, 10_000, 10_001)] == [
        None,
        90,
        90,
        85,
        85,
        80,
        80,
        None,
    ]
    assert threshold("圧" * 12) == 90


TEXT = "First, nothing. The carrier delivers all spare parts within two weeks of the order. Last, nothing at all."


@pytest.mark.parametrize(
    "words",
    [
        "the carrier delivers all spare parts within two weeks of the order",
        "teh carrier delivers all spare parts within two weeks of the ordre",
        "the carier delivers spare parts within two weeks of order",
        "the carrier delivers certainly all spare parts within two weeks of the order",
    ],
)
@pytest.mark.parametrize("before", [0, 300])
def test_nearest_gives_whole_words(words, before):
    """In short texts by a scan, in long ones by the pieces that they share."""
    text = "Some other words stand here. " * before * 3 + TEXT
    passage = nearest(words, text.lower(), 80)
    assert passage is not None
    assert text[passage.start : passage.end] == "The carrier delivers all spare parts within two weeks of the order"


def test_nearest_keeps_its_limit():
    assert nearest("an entirely other sentence about kitchens and tables", TEXT.lower(), 80) is None
    assert nearest(TEXT.lower() * 3, TEXT.lower(), 80) is None


@pytest.mark.parametrize(
    ("a", "b", "small"),
    [
        ("the delivrey", "the delivery", True),
        ("data base", "database", True),
        ("goods, here", "goods here", True),
        ("a dog", "dog", True),
        ("dog", "dog barks", False),
        ("six days", "ten days", False),
        ("the buyer", "the seller", False),
        ("書面により", "電話により", False),
        ("書面により", "書類により", True),
        ("", "", True),
    ],
)
def test_small_edits(a, b, small):
    assert small_edits(a, b) is small


def test_same_skeleton():
    found = same_skeleton("within 14 days", "pay within 30 days or not")
    assert (found.start, found.end) == (4, 18)
    assert same_skeleton("within 14 days", "within weeks") is None
    assert same_skeleton("14 %", "30 %") is None
    assert same_skeleton("12 ab", "34 ab") is None
