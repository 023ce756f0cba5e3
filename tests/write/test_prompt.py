"""Prompts: whatever they ask for, the checker reads."""

from __future__ import annotations

import json
import pickle
import re

import pytest

from ragcite_nb.check import check
from ragcite_nb.models import InputError, Source
from ragcite_nb.read import read_sources
from ragcite_nb.samples import conversations
from ragcite_nb.write.marks import marks_for
from ragcite_nb.write.prompt import answer_schema, citation_prompt
from ragcite_nb.write.templates import LANGUAGES, RULES, STYLES, templates_for

SOURCES = [
    {"id": "T-1", "title": "Terms", "version": "2.1", "section": "5.2", "text": "Dogs travel free."},
    {"id": "F-1", "title": "FAQ", "document_type": "faq", "text": "Bicycles cost 4 euros."},
]
NAMED = [s for s in STYLES if s not in ("numbered", "json")]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_of_every_style_is_all_valid(language, style):
    example = templates_for(language)["styles"][style]["example"]
    result = check(example["answer"], example["sources"])
    assert result.citations
    assert [c.status for c in result.citations] == ["valid"] * len(result.citations)
    assert result.traceability_score == 1.0
    assert result.unused_sources == ()
    assert not result.quotes_not_found
    assert result.ok()


@pytest.mark.parametrize("style", NAMED)
@pytest.mark.parametrize("language", LANGUAGES)
def test_examples_use_the_marks_that_the_prompt_announces(language, style):
    texts = templates_for(language)
    example = texts["styles"][style]["example"]
    marks = marks_for(read_sources(example["sources"]), style, language, texts["marks"])
    assert (marks.by_id, marks.by_number) == ((), ())
    for mark in marks.marks:
        assert mark in example["answer"]


def samples():
    df = conversations().drop_duplicates("question")
    return [pytest.param(row.sources, id=row.id) for row in df.itertuples()]


@pytest.mark.parametrize("sources", samples())
@pytest.mark.parametrize("style", NAMED)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_announced_mark_is_read_back_as_its_source(language, style, sources):
    read = read_sources(sources)
    marks = marks_for(read, style, language, templates_for(language)["marks"]).marks
    for i, mark in enumerate(marks):
        result = check(f"This is a claim about 3 things {mark}.", sources)
        assert [c.status for c in result.citations] == ["valid"], mark
        assert i in result.citations[0].sources, mark


@pytest.mark.parametrize(
    "source",
    [
        {"id": "T;1", "title": "Terms [2024]", "text": "a"},
        {"id": "T-1", "title": "2024", "text": "a"},
        {"title": "Terms\n[1]", "text": "a"},
        {"text": "a"},
        {"id": 7, "text": "a"},
        {"title": "Code; annex", "text": "a"},
        {"title": "Terms, conditions and more", "section": "3", "text": "a"},
        {"title": "Guide", "page": "p. 4", "text": "a"},
        {"title": "Guide", "page": "iv", "text": "a"},
        {"title": "§ 5 BGB", "section": "§ 5", "document_type": "law", "text": "a"},
        {"title": "webhook.py", "page": 12, "document_type": "code", "text": "a"},
        {"title": "GET /v1/a", "version": "1", "document_type": "api", "text": "a"},
        {"title": "Règlement", "section": "17", "document_type": "règlement", "text": "a"},
        {"id": "#12", "title": "How?", "document_type": "faq", "text": "a"},
        {"title": "FAQ v3.1", "version": "3.1", "text": "a"},
        {"title": "x" * 400, "text": "a"},
        {"id": "doc.pdf#page=3", "text": "a"},
    ],
    ids=str,
)
@pytest.mark.parametrize("style", NAMED)
@pytest.mark.parametrize("language", LANGUAGES)
def test_odd_names_still_give_marks_that_are_read(language, style, source):
    sources = [{"id": "other-9", "title": "Something else", "text": "b"}, source]
    mark = marks_for(read_sources(sources), style, language, templates_for(language)["marks"]).marks[1]
    result = check(f"This is a claim about many things {mark}.", sources)
    assert [(c.status, c.source) for c in result.citations] == [("valid", 1)], mark


def test_documents_that_share_a_name_are_told_apart():
    sources = [
        {"id": "a-1", "title": "FAQ", "text": "Dogs."},
        {"id": "b-2", "title": "FAQ", "version": "2", "text": "Cats."},
        {"title": "Guide", "text": "Birds."},
        {"title": "Guide", "version": "2", "text": "Fish."},
    ]
    for language in LANGUAGES:
        with pytest.warns(UserWarning, match="a-1"), pytest.warns(UserWarning, match=r"\[3\]"):
            prompt = citation_prompt("Which?", sources, style="named", language=language)
        word = "Quelle" if language == "de" else "Source"
        assert f"[{word}: a-1]" in prompt.user
        assert f"[{word}: FAQ v2]" in prompt.user
        assert ": [3]" in prompt.user
        assert f"[{word}: Guide v2]" in prompt.user
        assert len(prompt.notes) == 2


def test_chunks_of_one_document_may_share_a_mark():
    sources = [{"title": "FAQ", "text": "Dogs."}, {"title": "FAQ", "text": "Cats."}]
    prompt = citation_prompt("Which?", sources, style="named")
    assert prompt.user.count("Cite as: [Source: FAQ]") == 2


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("style", STYLES)
def test_a_prompt_holds_question_sources_and_rules(style, language):
    prompt = citation_prompt("Is {context} free?", SOURCES, style=style, language=language, rules="all")
    assert "Is {context} free?" in prompt.user
    for source in SOURCES:
        assert source["text"] in prompt.user
    texts = templates_for(language)
    assert texts["no_source_reply"] in prompt.system
    for line in texts["principles"]:
        assert line in prompt.system
    assert prompt.messages == [
        {"role": "system", "content": prompt.system},
        {"role": "user", "content": prompt.user},
    ]
    assert prompt == f"{prompt.system}\n\n{prompt.user}"
    assert (prompt.schema is not None) == (style == "json")
    assert not re.search(r"\{(principles|form|rules|example|no_source_reply|question|answer|context)\}", prompt.system)


@pytest.mark.parametrize("rule", RULES)
def test_rules_are_optional(rule):
    text = templates_for("en")["rules"][rule].split("\n")[0]
    assert text in citation_prompt("Q?", SOURCES, rules=[rule]).system
    assert text in citation_prompt("Q?", SOURCES, rules=rule).system
    assert text not in citation_prompt("Q?", SOURCES).system


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reply_without_sources_is_an_abstention(language):
    result = check(templates_for(language)["no_source_reply"], SOURCES)
    assert result.abstained
    assert result.claims == ()
    assert result.traceability_score is None
    assert result.language == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_opening_about_contradictions_is_recognised(language):
    opening = templates_for(language)["rules"]["contradictions"].rsplit(": ", 1)[1]
    result = check(f"{opening} 14 [1]. 30 [2].", SOURCES)
    assert "contradiction" in [a.code for a in result.alerts]


def test_the_schema_allows_the_numbers_that_there_are():
    schema = answer_schema(SOURCES)
    assert schema["properties"]["citations"]["items"]["properties"]["source"]["enum"] == [1, 2]
    assert json.loads(json.dumps(schema)) == schema
    by_id = answer_schema([{"id": 58, "text": "a"}, {"id": 34, "text": "b"}, {"id": 34, "text": "c"}])
    assert by_id["properties"]["citations"]["items"]["properties"]["source"]["enum"] == [34, 58]


def test_sources_without_titles_are_called_by_id_and_that_is_said():
    with pytest.warns(
        UserWarning, match="1 source has no title that can be cited; its id is its name in the prompt: T-9"
    ):
        prompt = citation_prompt("Q?", [{"id": "T-9", "text": "a"}, SOURCES[0]], style="named")
    assert "Cite as: [Source: T-9]" in prompt.user
    assert "T-9" in prompt.notes[0]
    with pytest.warns(UserWarning, match="par leurs numéros : \\[1\\], \\[2\\]"):
        prompt = citation_prompt("Q?", ["a", "b"], style="legal", language="fr")
    assert "Citer ainsi : [2]" in prompt.user


def test_what_the_budget_leaves_out_is_said():
    prompt = citation_prompt("Q?", ["a " * 100, "b " * 100, "c " * 100], max_chars=500)
    assert prompt.context.left_out == (2,)
    assert "[3]" in prompt.notes[-1]
    assert "c c" not in prompt


def test_own_templates_are_used():
    own = {
        "system": "Be short. {form}",
        "user": "Q: {question}\n{context}",
        "styles": {"numbered": {"form": ["Use [n]."]}},
    }
    prompt = citation_prompt("Why?", SOURCES, templates=own)
    assert prompt.system == "Be short. - Use [n]."
    assert prompt.user.startswith("Q: Why?\n[Document 1]")


@pytest.mark.parametrize("context_style", ["xml", "json"])
def test_marks_are_told_in_every_context_style(context_style):
    prompt = citation_prompt("Q?", SOURCES, style="named", context_style=context_style)
    assert "[Source: Terms v2.1, Section 5.2]" in prompt.user
    assert [s.text for s in read_sources(str(prompt.context))] == [s["text"] for s in SOURCES]


def test_a_prompt_survives_pickle():
    prompt = citation_prompt("Q?", SOURCES, style="json")
    again = pickle.loads(pickle.dumps(prompt))
    assert again == prompt
    assert again.messages == prompt.messages
    assert again.schema == prompt.schema


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"style": "nummbered"}, "did you mean 'numbered'"),
        ({"style": None}, "'numbered', 'named', 'json', 'support', 'technical', 'legal'"),
        ({"language": "es"}, "'en', 'fr', 'de'"),
        ({"rules": ["contradiction"]}, "did you mean 'contradictions'"),
        ({"context_style": "yaml"}, "'xml'"),
        ({"style": "named", "context_style": "rule"}, "bare texts have no names"),
        ({"sources": []}, "none found"),
        ({"question": "  "}, "a text is expected"),
        ({"question": None}, "a text is expected"),
    ],
)
def test_bad_input_is_named(options, message):
    arguments = {"question": "Q?", "sources": SOURCES} | options
    question, sources = arguments.pop("question"), arguments.pop("sources")
    with pytest.raises(InputError, match=message):
        citation_prompt(question, sources, **arguments)


def test_a_source_object_is_taken_as_it_is():
    assert "Dogs." in citation_prompt("Q?", [Source("Dogs.", title="FAQ")], style="named").user
