"""Numbers and negations: what a near match may not differ in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragcite_nb.guards import Skeleton, differences, negations, numbers, unlike


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("dogs travel free", 0),
        ("dogs do not travel", 1),
        ("dogs don't travel and can't swim", 2),
        ("dogs cannot travel without a leash, never", 3),
        ("les chiens ne voyagent pas", 1),
        ("les chiens voyagent pas", 1),
        ("les chiens n'ont aucun droit", 1),
        ("il ne peut voyager", 1),
        ("sans frais, et jamais le lundi", 2),
        ("nicht ohne hund", 2),
        ("keine hunde, niemals", 2),
        ("keineswegs unverbindlich", 0),
        ("notable northern nonsense, a knot", 0),
        ("не всегда", 1),
        ("契約を解除しない", 1),
        ("不可", 1),
    ],
)
def test_negations(text, count):
    assert negations(text) == count


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("no number", []),
        ("2.4 and 2.40", ["2", "4", "2", "40"]),
        ("10-15 at -5 or (-7)", ["10", "15", "-5", "-7"]),
        ("a-1 b -1", ["a1"[1:], "-1"]),
        ("第十条 2 項", ["十", "2"]),
    ],
)
def test_numbers(text, groups):
    assert numbers(text) == groups


@pytest.mark.parametrize(
    ("quote", "passage", "differs"),
    [
        ("costs 10 euros", "costs 10 euros", ()),
        ("costs 1,000 euros", "costs 1000 euros", ()),
        ("costs 1.250.000,50 euros", "costs 1250000,50 euros", ()),
        ("costs 1'000 francs", "costs 1000 francs", ()),
        ("costs 12,500 euros", "costs 12.5 euros", ("number_differs",)),
        ("costs 12,50 euros", "costs 1250 euros", ("number_differs",)),
        ("costs 0.125 euros", "costs 0125 euros", ("number_differs",)),
        ("costs 1,000,00 euros", "costs 100000 euros", ("number_differs",)),
        ("costs 1,000 euros", "costs 1001 euros", ("number_differs",)),
        ("costs 1,000 euros", "costs 1 000 euros", ()),
        ("costs 10 €", "costs 10 $", ("number_differs",)),
        ("costs 10 %", "costs 10 percent", ()),
        ("il va pas à la mer", "il ne va pas à la mer", ()),
        ("a lawful use", "an unlawful use", ("negation_differs",)),
        ("eine zulässige frist", "eine unzulässige frist", ("negation_differs",)),
        ("an irregular case", "a regular case", ("negation_differs",)),
        ("we disallow it", "we allow it", ("negation_differs",)),
        ("the port of goods", "the import of goods", ()),
        ("the inside is white", "the side is white", ()),
        ("an unlawful use", "an unlawfull use", ()),
        ("it is not 10", "it is 20", ("number_differs", "negation_differs")),
    ],
)
def test_differences(quote, passage, differs):
    assert differences(quote, passage) == differs


@given(
    st.lists(st.sampled_from(["a", "b", "not", "3", "c"]), max_size=12),
    st.lists(st.sampled_from(["a", "b", "not", "3"]), max_size=12),
)
def test_unlike_keeps_all_that_differs(ours, theirs):
    a, b = unlike(" ".join(ours), " ".join(theirs))
    assert (ours == theirs) is (a == b == "")
    assert len(ours) - len(a.split()) == len(theirs) - len(b.split())
    assert (numbers(a) == numbers(b)) is (numbers(" ".join(ours)) == numbers(" ".join(theirs)))


@given(
    st.lists(
        st.sampled_from(["dogs", "not", "3", "12.5", "swim", "can't", "ne", "十", "cannot", "-7"]),
        min_size=1,
        max_size=15,
    ),
    st.data(),
)
def test_skeleton_spans_lead_back(words, data):
    """A word that stays as it is stands in the text where its span says."""
    text = " ".join(words)
    skeleton = Skeleton(text)
    for word in ("dogs", "swim"):
        at = skeleton.text.find(word)
        if at >= 0:
            start, end = skeleton.span(at, at + len(word))
            assert text[start:end] == word
    assert "not" not in skeleton.text
    assert not any(digit in skeleton.text for digit in "12357十")


def test_skeleton_makes_numbers_equal():
    assert Skeleton("pay 1,000.50 or 7").text == Skeleton("pay 20 or 2024-01-31").text == "pay 0 or 0"
    assert Skeleton("the 1st").text == Skeleton("the 22nd").text != Skeleton("the 22").text
    assert Skeleton("限为十四天").text == Skeleton("限为30天").text


def test_skeleton_leaves_denials_inside_words_of_chinese_and_japanese_out():
    assert Skeleton("本产品不支持退货").text == "本产品支持退货"
    assert Skeleton("返品できません").text == "返品できます"


def test_loose_skeleton_leaves_out_what_changes_with_a_negation():
    pairs = [("it does sail", "it does not sail"), ("des frais", "pas de frais"), ("some rights", "not any rights")]
    for ours, theirs in pairs:
        assert Skeleton(ours, loose=True).text == Skeleton(theirs, loose=True).text
