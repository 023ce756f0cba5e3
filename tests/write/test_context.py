"""The context block of a prompt: numbering, budgets, and reading back."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from ragcite_nb.models import InputError, Source
from ragcite_nb.read import read_sources
from ragcite_nb.write.context import CONTEXT_STYLES, format_context

SOURCES = [
    {"id": "faq-1", "title": "FAQ", "text": "Dogs travel free.\n\nOn a lead.", "page": 3, "version": "1.2"},
    {"id": "price", "title": "Price list", "text": "Bicycles cost 4 euros.", "section": "3"},
    {"id": "x", "title": "Rules", "text": "--- \nQuiet, please.\n---", "last_updated": "2024-05-01"},
]


@pytest.mark.parametrize("language", ["en", "fr", "de"])
@pytest.mark.parametrize("style", CONTEXT_STYLES)
def test_what_is_written_is_read_back(style, language):
    context = format_context(SOURCES[:2], style, language=language)
    back = read_sources(str(context))
    assert [s["text"] for s in SOURCES[:2]] == [s.text for s in back]
    if style != "rule":
        assert [s.title for s in back] == ["FAQ", "Price list"]
        assert [s.page for s in back] == [3, None]
        assert [s.version for s in back] == ["1.2", None]
        assert [s.section for s in back] == [None, "3"]


@pytest.mark.parametrize(
    "texts", [["One.\n\nTwo."], ['["a", "b"]'], ["[1] x", "y"], ["a\n---\nb", "c"], [None, "b"], ["", "b"]]
)
def test_bare_texts_keep_their_count(texts):
    assert len(texts) == len(read_sources(str(format_context(texts, "rule"))))


def test_numbers_are_those_of_the_checker():
    assert "[Document 34]" in format_context([{"id": 34, "text": "A."}, {"id": 58, "text": "B."}])
    assert json.loads(format_context([{"id": "34", "text": "A."}], "json"))[0]["number"] == 34
    assert '<document index="2">' in format_context(["A.", "B."], "xml")


@pytest.mark.parametrize("style", CONTEXT_STYLES)
def test_a_budget_keeps_the_first_sources_and_says_what_was_left_out(style):
    sources = [f"Source text number {i} with some words." for i in range(10)]
    whole = format_context(sources, style)
    context = format_context(sources, style, max_chars=len(whole) // 2)
    assert len(context) <= len(whole) // 2
    kept = len(context.included)
    assert 0 < kept < 10
    assert tuple(range(kept, 10)) == context.left_out
    assert sources[:kept] == [s.text for s in read_sources(str(context))]
    longer = format_context(sources[: kept + 1], style)
    assert len(longer) > len(whole) // 2, "one more would have fitted"
    assert f"{10 - kept} of 10 sources" in context.note
    assert f"[{kept + 1}]" in context.note


def test_nothing_left_out_has_no_note():
    context = format_context(SOURCES, max_chars=10_000)
    assert context.left_out == ()
    assert context.note == ""


def test_the_note_is_written_in_the_language():
    context = format_context(
        [Source("a" * 50, title="CGV"), Source("b" * 50, title="FAQ")], language="fr", max_chars=90
    )
    assert context.note == "1 source sur 2 dépasse le budget et a été laissée de côté : [2] FAQ"


def test_tokens_are_counted_by_the_given_tokenizer():
    calls = []

    def count(text):
        calls.append(text)
        return len(text.split())

    context = format_context(["one two three"] * 64, "rule", max_tokens=40, count_tokens=count)
    assert count(str(context)) == 40
    assert len(context.included) == 10
    assert len(calls) < 12, "a tokenizer may be slow"


def test_tokens_without_a_tokenizer_are_four_characters():
    assert len(format_context(["abcd" * 25] * 9, "rule", max_tokens=100)) <= 400


def test_a_budget_below_the_first_source_is_refused():
    with pytest.raises(InputError, match="not even the first source fits"):
        format_context(["a long enough text"], max_chars=10)


@pytest.mark.parametrize("bad", [0, -1, True, "10", 2.5])
def test_a_budget_is_a_whole_number(bad):
    with pytest.raises(InputError, match="whole number"):
        format_context(["a"], max_chars=bad)


def test_unknown_choices_name_those_there_are():
    with pytest.raises(InputError, match="'numbered', 'xml', 'json', 'rule'"):
        format_context(["a"], "yaml")
    with pytest.raises(InputError, match="'en', 'fr', 'de'"):
        format_context(["a"], language="it")
    with pytest.raises(InputError, match="one for each source"):
        format_context(["a", "b"], marks=["[1]"])


def test_no_sources_give_an_empty_context():
    assert format_context([]) == ""
    assert format_context([], max_chars=10).left_out == ()


def test_context_survives_pickle_and_copy():
    context = format_context(["abc" * 10, "def" * 10], max_chars=60)
    for again in (pickle.loads(pickle.dumps(context)), copy.deepcopy(context)):
        assert again == context
        assert again.left_out == context.left_out
        assert again.sources == context.sources
