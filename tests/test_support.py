"""How well a sentence is carried by a source, by its words."""

from __future__ import annotations

import time

import pytest

from ragcite_nb.support import Supporters

TEXTS = [
    "Dogs travel free of charge on all ferries. They must be kept on a lead. Cats pay 3 euros.",
    "Bicycles cost 4 euros per crossing, or 1,080 euros for a yearly pass.",
    None,
    "",
    "Das Rücksendeetikett liegt jedem Paket bei.",
]


def best(claim, texts=TEXTS):
    ranked = Supporters(texts).ranked(claim)
    return (ranked[0].source, texts[ranked[0].source][ranked[0].start : ranked[0].end]) if ranked else None


@pytest.mark.parametrize(
    ("claim", "source", "passage"),
    [
        ("Your dog travels free of charge.", 0, "Dogs travel free of charge on all ferries."),
        ("A bicycle costs 4 euros.", 1, TEXTS[1]),
        ("The yearly pass costs 1.080 euros.", 1, TEXTS[1]),
        ("Cats cost three euros.", 0, "Cats pay 3 euros."),
        ("Ein Etikett liegt dem Paket bei.", 4, TEXTS[4]),
        (
            "Dogs are free and must be kept on a lead.",
            0,
            "Dogs travel free of charge on all ferries. They must be kept on a lead.",
        ),
    ],
)
def test_the_passage_that_shares_the_words(claim, source, passage):
    assert best(claim) == (source, passage)


@pytest.mark.parametrize(
    "claim", ["A bicycle costs 5 euros.", "The yearly pass costs 1,081 euros.", "Cats pay 30 euros."]
)
def test_a_number_that_is_not_there_rules_a_source_out(claim):
    assert best(claim) is None


def test_a_number_elsewhere_in_the_source_counts_less():
    near, far = (Supporters([text]).ranked("The red boat leaves at 9.")[0].score for text in
                 ("The red boat leaves at 9. Bye.", "The red boat leaves. A. B. C. D. Room 9."))  # fmt: skip
    assert far < near


def test_only_among_some_sources():
    assert Supporters(TEXTS).ranked("Dogs travel free.", among=[1]) == ()


@pytest.mark.parametrize("claim", ["", "   ", "!?", "…"])
def test_nothing_to_compare(claim):
    assert Supporters(TEXTS).ranked(claim) == ()
    assert Supporters([]).ranked("Dogs travel free.") == ()


def test_words_of_languages_without_blanks():
    assert (
        best("配送には三日かかります。", ["返品は無料です。", "配送には三日ほどかかります。送料は無料です。"])[0] == 1
    )


@pytest.mark.parametrize("unit", ["a ", "word. ", "1 ", "etikett ", "rücksendeetikett", "\n", "1,000,"])
def test_hostile_texts_take_linear_time(unit):
    started = time.process_time()
    Supporters([unit * 40_000]).ranked(unit * 2_000 + " etikett sende 7")
    assert time.process_time() - started < 4


def test_passages_end_at_bullets_and_where_a_blank_is_missing():
    text = "Tips: · Dogs travel free. · Bicycles cost 4 euros per crossing · Cats pay.See Node.js for more."
    support = Supporters([text]).ranked("Bicycles cost 4 euros per crossing")[0]
    assert text[support.start : support.end].strip() == "Bicycles cost 4 euros per crossing"
    support = Supporters(["The ferry is late.Cats pay 3 euros."]).ranked("Cats pay 3 euros")[0]
    assert (support.start, support.end) == (18, 35)


def test_a_passage_much_longer_than_the_claim_counts_less():
    claim, filler = "Bicycles cost 4 euros", " and so on" * 40
    short, long = (Supporters([text]).ranked(claim)[0].score for text in (claim + ".", claim + filler + "."))
    assert short > 0.99
    assert long < 0.8
