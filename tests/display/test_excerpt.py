"""An excerpt shows the passages with their context; nothing is doubled or lost but what a gap stands for."""

from hypothesis import given
from hypothesis import strategies as st

from ragcite_nb.display.excerpt import LONGEST, ROOM, excerpt


def test_overlapping_passages_become_one():
    text = "Dogs travel free of charge on all ferries."
    segments = excerpt(text, [(0, 26, "found"), (12, 41, "found")])
    assert segments == [["Dogs travel free of charge on all ferries", "found"], [".", ""]]


def test_a_short_source_is_shown_whole():
    assert excerpt("Dogs.") == [["Dogs.", ""]]


def test_a_long_source_without_passages_is_cut_at_a_word():
    segments = excerpt("word " * 500)
    assert segments[-1] == ["…", "gap"]
    assert segments[0][0].endswith("word")
    assert len(segments[0][0]) <= ROOM


def test_a_passage_in_a_long_source_stands_in_its_context():
    text = "a " * 2_000 + "PASSAGE" + " b" * 2_000
    segments = excerpt(text, [(4_000, 4_007, "found")])
    assert [kind for _, kind in segments] == ["gap", "", "found", "", "gap"]
    assert segments[2][0] == "PASSAGE"


def test_passages_far_apart_have_a_gap_between_them():
    text = "ONE" + " a" * 2_000 + " TWO"
    kinds = [kind for _, kind in excerpt(text, [(0, 3, "found"), (len(text) - 3, len(text), "near")])]
    assert kinds == ["found", "", "gap", "", "near"]


def test_a_very_long_passage_is_shown_by_its_ends():
    segments = excerpt("x" * 50_000, [(0, 50_000, "found")])
    assert sum(len(text) for text, _ in segments) <= LONGEST + 1


SPANS = st.lists(st.tuples(st.integers(-3, 900), st.integers(-3, 900), st.sampled_from(["found", "near"])), max_size=12)


@given(st.text(alphabet="ab \n", max_size=ROOM), SPANS)
def test_a_short_text_is_never_changed(text, spans):
    assert "".join(part for part, _ in excerpt(text, spans)) == text


@given(st.text(alphabet="abc ", min_size=700, max_size=1400), SPANS)
def test_what_is_shown_stands_in_the_text_in_order(text, spans):
    position = 0
    for part, kind in excerpt(text, spans):
        if kind != "gap":
            position = text.index(part, position) + len(part)
