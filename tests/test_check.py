"""The public check: inputs of all kinds, results that add up, and the same counts for a frame's row."""

import dataclasses
import json

import pandas as pd
import pytest
from result_counts import counts_of

import ragcite_nb as rc
from ragcite_nb.check import Checker
from ragcite_nb.models import InputError, Options, Source

PGVECTOR = [
    "pgvector adds vector types to PostgreSQL. Exact search scans all rows; an index trades recall for speed.",
    "An HNSW index is searched with a list of candidates whose size is set by hnsw.ef_search. The value of hnsw.ef_search is 40 by default.",
    "An IVFFlat index splits the vectors into lists and searches only those near to the query; lists and probes are to be chosen.",
    "Each vector takes 4 * dimensions + 8 bytes of storage; a half-precision vector takes 2 * dimensions + 8 bytes.",
]
FERRY = ["The ferry leaves at 07:40.", "Dogs travel free of charge.", "Bicycles cost 4 euros."]


def pgvector_response():
    """A chat response of Ollama whose content is the JSON that the prompt asked for."""
    content = {
        "answer": "The candidate list of an HNSW index has 40 entries by default. A vector takes 4 bytes per dimension plus 8.",
        "citations": [
            {"source": 2, "quote": "hnsw.ef_search is 40 by default"},
            {"source": 4, "quote": "4 bytes per dimension plus 8"},
        ],
    }
    return {
        "model": "llama3.2",
        "created_at": "2024-11-05T10:00:00Z",
        "message": {"role": "assistant", "content": json.dumps(content)},
        "done": True,
        "done_reason": "stop",
        "prompt_eval_count": 306,
        "eval_count": 88,
    }


def test_an_ollama_response_with_a_true_and_an_invented_quote():
    """What a user sees first: one excerpt stands in its source, the other does not, and two sources are never cited."""
    result = rc.check(pgvector_response(), json.dumps(PGVECTOR))
    assert (result.answer.format, result.answer.structured, result.answer.prompt_tokens) == ("ollama.chat", True, 306)
    assert result.sources_format == "JSON array of strings"
    assert [(c.reference, c.status, c.source) for c in result.citations] == [("2", "valid", 1), ("4", "valid", 3)]
    assert [q.status for q in result.quotes] == ["verbatim", "absent"]
    assert PGVECTOR[1][result.quotes[0].source_start : result.quotes[0].source_end] == "hnsw.ef_search is 40 by default"
    assert result.unused_sources == (0, 2)
    assert (result.uncited_sentences, result.traceability_score) == (None, None)
    [alert] = [a for a in result.alerts if a.code == "quote_absent"]
    assert "the excerpt of citation #2 is not in source [4]" in alert.message
    assert {a.code for a in result.alerts} == {"quote_absent", "unplaced_citations", "unused_sources"}
    assert not result.ok()


def test_what_its_view_says():
    shown = rc.check(pgvector_response(), json.dumps(PGVECTOR))._repr_html_()
    for part in ("JSON array of strings", "306", "Ollama", "hnsw.ef_search is 40 by default"):
        assert part in shown


@pytest.mark.parametrize(
    "sources",
    [
        FERRY,
        tuple(FERRY),
        [{"text": t} for t in FERRY],
        [Source(t) for t in FERRY],
        json.dumps(FERRY),
        "\n---\n".join(FERRY),
        "\n\n".join(FERRY),
        {str(i): t for i, t in enumerate(FERRY, 1)},
        pd.DataFrame({"text": FERRY}),
        pd.Series(FERRY),
    ],
    ids=lambda s: type(s).__name__,
)
def test_sources_of_any_shape(sources):
    result = rc.check("Dogs ride free [2].", sources)
    assert [s.text for s in result.sources] == FERRY
    assert [(c.source, c.status) for c in result.citations] == [(1, "valid")]


def test_sources_of_the_payload_are_taken_when_none_are_given():
    payload = {"question": "q", "answer": "Dogs ride free [2].", "context": FERRY}
    result = rc.check(payload)
    assert ([s.text for s in result.sources], result.sources_format) == (FERRY, "payload")
    assert rc.check(payload, ["only"]).invalid_citations


def test_a_source_without_text_counts():
    result = rc.check('It says "Dogs travel free of charge" [2].', ["a", None])
    assert [c.status for c in result.citations] == ["valid"]
    assert [q.status for q in result.quotes] == ["unverifiable"]


@pytest.mark.parametrize("answer", [None, "", float("nan"), pd.NA, " "])
def test_an_empty_answer(answer):
    result = rc.check(answer, FERRY)
    assert [a.code for a in result.alerts] == ["empty_answer", "unused_sources"]
    assert (result.traceability_score, result.sentences, result.unused_sources) == (None, (), (0, 1, 2))


@pytest.mark.parametrize("sources", [None, float("nan"), []])
def test_no_sources(sources):
    result = rc.check("Dogs ride free [1].", sources)
    assert ([c.status for c in result.citations], result.traceability_score) == (["unknown"], 0.0)
    assert "no_sources" in [a.code for a in result.alerts]


@pytest.mark.parametrize("answer", [{"unknown": 1}, [1, 2], 5, object()])
def test_input_that_cannot_be_read(answer):
    with pytest.raises(InputError, match="ccepted"):
        rc.check(answer, FERRY)


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"scop": "block"}, TypeError, "did you mean 'scope'"),
        ({"first_numbr": 0}, TypeError, "did you mean 'first_number'"),
        ({"zzz": 1}, TypeError, "unknown option 'zzz'"),
        ({"scope": "page"}, InputError, "'sentence', 'block'"),
        ({"claims": "none"}, InputError, "'default', 'all'"),
        ({"first_number": 2}, InputError, "0 and 1"),
        ({"first_number": True}, InputError, "0 and 1"),
        ({"syntaxes": ("round",)}, InputError, "'paren'"),
        ({"locale": "es"}, InputError, "'fr'"),
        ({"name_threshold": 80}, InputError, "from 0 to 1"),
        ({"min_quote": 0}, InputError, "at least 1"),
        ({"language": "french"}, InputError, "a code in small letters"),
    ],
)
def test_options_that_do_not_exist(options, error, match):
    with pytest.raises(error, match=match):
        rc.check("Dogs ride free [1].", FERRY, **options)


def test_one_optional_syntax_may_be_a_word():
    assert [m.raw for m in rc.check("It is free (1).", FERRY, syntaxes="paren").markers] == ["(1)"]


# ----------------------------------------------------------------------------------------------------- results that add up
ANSWERS = [
    "",
    "Dogs ride free [2]. Bikes cost 4 euros [3]. The boat leaves [7].",
    'It says "Dogs travel free of charge" [2] and "Bicycles cost 5 euros" [3]. Cats "stay at home alone" [1].',
    "The documents do not mention cats.",
    "# Pets\n\n- Dogs ride free [2]\n- Cats too\n\nSources:\n[2] Pets\n[9] Cats",
    "Dogs ride free.\n\nSources:\n[2] Pets",
    "<co: 1>Dogs ride free</co: 1>. [cite_start]Bikes pay[cite: 3]. So [2b] or [1",
    "Les chiens voyagent gratuitement [2]. Il n'y a pas d'information sur les chats dans les sources.",
    {
        "answer": "Dogs ride free.",
        "citations": [{"source": 2, "quote": "Dogs travel free"}, {"source": 9, "quote": "Bicycles cost 4"}],
    },
    {"message": {"content": "Dogs ride free [2]. Bikes co"}, "done": True, "done_reason": "length"},
]


@pytest.mark.parametrize("answer", ANSWERS, ids=range(len(ANSWERS)))
@pytest.mark.parametrize("options", [{}, {"scope": "block"}, {"claims": "all"}, {"first_number": 0}], ids=str)
def test_a_row_has_the_counts_of_the_result(answer, options):
    checker = Checker(Options.of(options))
    result = checker.result(answer, FERRY)
    names = [name for name in rc.SCHEMA if name != "cite_error"]
    row = dict(zip(names, checker.rows([(answer, FERRY)])[0], strict=True))
    assert row == counts_of(result)


@pytest.mark.parametrize("answer", ANSWERS, ids=range(len(ANSWERS)))
def test_positions_point_at_one_another(answer):
    result = rc.check(answer, FERRY)
    for i, marker in enumerate(result.markers):
        assert all(result.citations[c].marker == i for c in marker.citations)
        assert result.text[marker.start : marker.end] == marker.raw
    for i, citation in enumerate(result.citations):
        if citation.marker is not None:
            marker = result.markers[citation.marker]
            assert i in marker.citations
            assert (citation.start, citation.end) == (marker.start, marker.end)
        if citation.sentence is not None:
            assert i in result.sentences[citation.sentence].citations
        assert (citation.source is None) == (citation.status != "valid")
        assert citation.source is None or citation.source in citation.sources
    for quote in result.quotes:
        assert quote.start is None or result.text[quote.start : quote.end] == quote.text
        assert (
            quote.source is None
            or quote.source_start is None
            or result.sources[quote.source].text[quote.source_start : quote.source_end]
        )
    assert sum(result.times_cited) == sum(len(c.sources) for c in result.valid_citations)
    assert result.unused_sources == tuple(i for i, n in enumerate(result.times_cited) if not n)


@pytest.mark.parametrize("answer", ANSWERS, ids=range(len(ANSWERS)))
def test_to_dict_is_json_with_the_promised_keys(answer):
    data = rc.check(answer, FERRY).to_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert list(data) == [
        "schema_version", "answer", "sources", "markers", "citations", "sentences", "quotes", "reference_list", "unused_sources",
        "traceability_score", "fully_sourced", "abstained", "alerts",
    ]  # fmt: skip
    keys = {
        "answer": {"text", "reasoning", "format", "sources_format", "structured", "finish_reason", "truncated", "refusal", "prompt_tokens", "output_tokens"},
        "sources": {"index", "label", "id", "title", "text", "url", "document_type", "section", "page", "version", "last_updated", "confidence", "metadata", "times_cited"},
        "markers": {"start", "end", "raw", "syntax", "kind", "locator", "url", "text_start", "text_end", "citations"},
        "citations": {"marker", "sentence", "reference", "status", "source", "sources", "nearest", "score", "locator", "start", "end"},
        "sentences": {"start", "end", "text", "kind", "citations"},
        "quotes": {"text", "start", "end", "origin", "citation", "sources", "status", "found_in", "source", "source_start", "source_end", "score", "warnings"},
        "reference_list": {"start", "end", "label", "source", "status"},
        "alerts": {"code", "severity", "message", "params"},
    }  # fmt: skip
    for name, expected in keys.items():
        for entry in data[name] if isinstance(data[name], list) else [data[name]]:
            assert set(entry) == expected


def test_one_checker_gives_the_same_results_whatever_it_checked_before():
    checker = Checker()
    first = [checker.result(a, FERRY).to_dict() for a in ANSWERS]
    again = [checker.result(a, FERRY).to_dict() for a in reversed(ANSWERS)]
    fresh = [Checker().result(a, FERRY).to_dict() for a in ANSWERS]
    assert first == again[::-1] == fresh


def test_a_result_cannot_be_changed():
    result = rc.check("Dogs ride free [2].", FERRY)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.fully_sourced = False


# ---------------------------------------------------------------------------------------------------------- documents
def test_chunks_of_one_document_are_no_duplicates():
    chunks = [Source("a", id="x.pdf", page=1), Source("b", id="x.pdf", page=2)]
    assert "duplicate_source" not in [a.code for a in rc.check("So [x.pdf].", chunks).alerts]


@pytest.mark.parametrize("sources", [["same text", "same text"], [Source("a", id=1), Source("b", id=1)]])
def test_duplicates(sources):
    assert "duplicate_source" in [a.code for a in rc.check("So [1].", sources).alerts]


def test_labels_are_names_or_numbers():
    sources = [Source("a", title="CGV", version="2.1"), Source("b", id="s2"), Source("c")]
    assert [rc.check("So [1].", sources).label(i) for i in range(3)] == ["CGV v2.1", "s2", "3"]
    assert rc.check("So [0].", ["a"], first_number=0).label(0) == "0"


def test_times_cited():
    assert rc.check("So [1] and [1, 3] and [9].", FERRY).times_cited == (2, 0, 1)
