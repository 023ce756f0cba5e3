"""The part of a long source that a claim is nearest to."""

import time

from hypothesis import given
from hypothesis import strategies as st
from made_results import mark, result

from ragcite_nb.display.neighbourhood import Neighbourhood
from ragcite_nb.display.view import build_view

LONG = "The ferry leaves at noon from the old pier. " * 50


def test_the_densest_part_is_found_in_the_middle():
    text = LONG + "Dogs travel free of charge. " + LONG
    start = Neighbourhood(text).start("Dogs are free and travel with you.", 200)
    assert "Dogs travel free of charge." in text[start : start + 200]


def test_one_common_word_is_no_neighbourhood():
    assert Neighbourhood(LONG + "Dogs.").start("Dogs bark.", 200) == 0


def test_the_view_shows_that_part_without_a_mark():
    view = build_view(result("Dogs travel free [1].", [LONG + "Dogs travel free of charge. " + LONG], [mark("[1]", 0)]))
    segments = view["excerpts"][view["citations"][0]["excerpt"]]["segments"]
    assert [kind for _, kind in segments] == ["gap", "", "gap"]
    assert "Dogs travel free of charge." in segments[1][0]
    assert view["excerpts"][view["sources"][0]["excerpt"]]["segments"][0][0].startswith("The ferry leaves")


def test_many_claims_on_a_huge_source_are_fast():
    near = Neighbourhood("dogs travel free " * 60_000)
    started = time.perf_counter()
    for _ in range(20):
        near.start("dogs travel free " * 50, 600)
    assert time.perf_counter() - started < 2


@given(st.text(alphabet="abc d", max_size=300), st.text(alphabet="abc d", max_size=60), st.integers(10, 100))
def test_the_start_lies_in_the_text(text, claim, length):
    assert 0 <= Neighbourhood(text).start(claim, length) <= len(text)
