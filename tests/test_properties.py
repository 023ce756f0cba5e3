"""What holds for every answer: spans give their text, nothing overlaps, nothing depends on neighbours, rows agree with results."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from result_counts import counts_of

import ragcite_nb as rc
from ragcite_nb.check import Checker
from ragcite_nb.models import Answer, Options, ProviderCitation, Source

PIECES = [
    "Dogs ride free", "Bikes cost 4 euros", "The boat leaves at 07:40", "It is 14 days", "e.g. this", "Dr. No", "U.S.", "see p. 3", "vitamin C",
    "Le délai est de 30 jours", "Die Frist beträgt 14 Tage", "z. B. Hunde", "犬は無料です", "狗免费", "개는 무료입니다", "الكلاب مجانية", "कुत्ते", "Собаки едут",
    "The documents do not mention cats", "I hope this helps", "Hello", "Les sources se contredisent", "Is it free", "Sources",
    ". ", ".", "! ", "? ", "… ", "。", "？", "।", ", ", ": ", ":\n", " ", "\n", "\n\n", "  \n", "\r\n",
    "[1]", "[2]", "[3]", "[9]", "[0]", "[1, 3]", "[2-3]", "[1-99]", "[3-1]", "[2b]", "[1", "[", "]", "[[2]]", "[^2]", "[^1^][2]", "[2024]",
    "[1](http://a.example)", "[rules](http://a.example/x)", "[Source: guide.pdf, p. 7]", "[guide.pdf#page=3]", "[FAQ]", "[doc-9]", "(Source 2)", "(guide.pdf)",
    "[ID:0]", "##1$$", "【2】", "【4:0†source】", "［２］", "<co: 1>", "</co: 1>", "<co: 0>text</co: 0>", '<cite id="1">', "</cite>", "[cite_start]", "[cite: 1]",
    "\ue200cite\ue202turn0search1\ue201", "citeturn0search0", "[tool:x]", "\\[1\\]", "\\[", "\\(", "\\)", "<sup>2</sup>", "²", "(1)", "{1}", "a[1]", "rows[0][2]",
    '"', '"Dogs travel free of charge"', '"Bicycles cost 5 euros per crossing"', "“Dogs travel”", "«", "»", "「", "」", "'", "`", "`a[1]`", "```", "\n```\n", "$", "$x$", "$$",
    "# ", "\n# ", "\n- ", "\n  - ", "\n1. ", "\n> ", "\n---\n", "\n| a | b |\n|---|---|\n| c [1] | d |\n", "| ", "**", "*", "_", "\n\nSources:\n[1] Timetable\n[7] Cats\n", "\n[1]: http://a.example\n",
    "http://a.example/x?y=[1]", "www.a.example.", "![1](a.png)", "\ud800", "\0", "\u202e", "\u200b", "\u00a0", "\u0301", "🦭", "ﬁ", "İ", "\x7f", "\x1a", "\ufeff", "<think>", "</think>", "{", "}",
]  # fmt: skip
TEXTS = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=30).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=30).map(" ".join),
    st.text(st.sampled_from('[]()1,2-^ .\n"`$\\<>#*|:_aB。【】'), max_size=60),
    st.text(max_size=40),
)
SOURCES = [
    Source("The ferry leaves at 07:40 on weekdays.", id="guide.pdf", page=3, url="http://a.example"),
    Source("Dogs travel free of charge on all ferries.", id="guide.pdf", page=7),
    Source("Bicycles cost 4 euros per crossing.", title="FAQ v3.1"),
    Source(None, title="FAQ v3.2", id="doc-1"),
]
PLAIN = [
    "The ferry leaves at 07:40 on weekdays.",
    "Dogs travel free of charge on all ferries.",
    "Bicycles cost 4 euros per crossing.",
]
SETS = st.sampled_from([PLAIN, SOURCES, [], None, ["a", None, "\ud800 \0"], [Source("x", id=10), Source("y", id=20)]])
OPTIONS = st.builds(
    Options,
    first_number=st.sampled_from([0, 1]),
    syntaxes=st.sampled_from([None, ("paren", "superscript", "curly")]),
    scope=st.sampled_from(["sentence", "block"]),
    claims=st.sampled_from(["default", "all"]),
)


@st.composite
def answers(draw):
    """An answer's text, at times with citations that came as data, at times cut off."""
    text = draw(TEXTS)
    if draw(st.integers(0, 2)):
        return text
    places = st.integers(0, len(text))
    data = st.builds(
        ProviderCitation,
        reference=st.sampled_from(["1", "2", "9", "FAQ v3.1", "guide.pdf", "", "x"]),
        start=st.none() | places,
        quote=st.sampled_from([None, "", "Dogs travel free", "Bicycles cost 5 euros"]),
        origin=st.sampled_from(["provider", "structured"]),
        id=st.sampled_from([None, "guide.pdf", "zz"]),
    )
    citations = [
        c._replace(end=None if c.start is None else draw(st.integers(c.start, len(text))))
        for c in draw(st.lists(data, max_size=4))
    ]
    return Answer(text, citations=tuple(citations), truncated=draw(st.booleans()))


def run(answer, sources, options):
    return Checker(options).result(answer, sources)


EXAMPLES = settings(max_examples=120, deadline=None)


@EXAMPLES
@given(answers(), SETS, OPTIONS)
def test_spans_give_their_text(answer, sources, options):
    result = run(answer, sources, options)
    text = result.text
    for marker in result.markers:
        assert text[marker.start : marker.end] == marker.raw != ""
        if marker.text_start is not None:
            assert marker.start <= marker.text_start <= marker.text_end <= marker.end
    for sentence in result.sentences:
        assert text[sentence.start : sentence.end] == sentence.text == sentence.text.strip(" \t\r\n\u00a0") != ""
    for quote in result.quotes:
        assert quote.start is None or text[quote.start : quote.end] == quote.text
        if quote.source_start is not None:
            assert 0 <= quote.source_start < quote.source_end <= len(result.sources[quote.source].text)
    for entry in result.reference_list:
        assert 0 <= entry.start < entry.end <= len(text)


@EXAMPLES
@given(answers(), SETS, OPTIONS)
def test_nothing_overlaps_and_all_is_in_order(answer, sources, options):
    result = run(answer, sources, options)
    for spans in (result.markers, result.sentences, result.reference_list):
        ends = [0]
        for span in spans:
            assert ends[-1] <= span.start < span.end
            ends.append(span.end)


@EXAMPLES
@given(answers(), SETS, OPTIONS)
@example(Answer("0) (0) 0"), PLAIN, Options(first_number=0, syntaxes=("paren",)))
def test_citations_are_where_they_count(answer, sources, options):
    """Under scope="sentence", a citation of a sentence lies in it, overlaps it, or stands between it and the next."""
    result = run(answer, sources, options)
    following = [s.start for s in result.sentences[1:]] + [len(result.text)]
    for i, sentence in enumerate(result.sentences):
        for c in sentence.citations:
            citation = result.citations[c]
            assert citation.start is not None
            if options.scope == "sentence":
                assert citation.start <= max(following[i], sentence.end)
                assert citation.end >= sentence.start
    for citation in result.citations:
        if citation.source is not None:
            assert citation.source in citation.sources
            assert citation.status == "valid"
        assert all(0 <= s < len(result.sources) for s in citation.sources)


@EXAMPLES
@given(answers(), SETS, OPTIONS)
def test_the_score_is_a_share(answer, sources, options):
    result = run(answer, sources, options)
    score, claims = result.traceability_score, result.claims
    if not result.placed or not claims:
        assert score is None
    else:
        good = sum(any(result.citations[c].status == "valid" for c in s.citations) for s in claims)
        assert score == good / len(claims)
        assert 0 <= score <= 1
    assert result.fully_sourced is (score is not None and score >= 0.9)


@EXAMPLES
@given(answers(), SETS, OPTIONS)
def test_a_row_has_the_counts_of_the_result(answer, sources, options):
    checker = Checker(options)
    row = dict(
        zip([name for name in rc.SCHEMA if name != "cite_error"], checker.rows([(answer, sources)])[0], strict=True)
    )
    result = checker.result(answer, sources)
    assert row == counts_of(result)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(answers(), SETS), min_size=2, max_size=8), OPTIONS)
def test_rows_examined_together_are_as_alone(rows, options):
    together = Checker(options).rows(rows)
    assert together == [Checker(options).rows([row])[0] for row in rows]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(answers(), SETS), min_size=2, max_size=5), OPTIONS)
def test_a_check_depends_on_nothing_but_its_input(rows, options):
    shared = Checker(options)
    together = [json.dumps(shared.result(*row).to_dict()) for row in rows]
    backwards = [json.dumps(shared.result(*row).to_dict()) for row in reversed(rows)]
    alone = [json.dumps(run(*row, options).to_dict()) for row in rows]
    assert together == backwards[::-1] == alone


@EXAMPLES
@given(answers(), SETS, OPTIONS)
def test_a_result_is_json(answer, sources, options):
    data = run(answer, sources, options).to_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data


@EXAMPLES
@given(TEXTS, st.integers(1, 4), st.integers(1, 3))
def test_another_source_makes_no_valid_number_unknown(text, count, more):
    before = rc.check(text, [f"Text {i}." for i in range(count)])
    after = rc.check(text, [f"Text {i}." for i in range(count + more)])
    numbered = {(c.start, c.reference): c.source for c in after.citations}
    for citation in before.valid_citations:
        assert numbered.get((citation.start, citation.reference)) == citation.source


@EXAMPLES
@given(TEXTS)
def test_quotes_of_a_source_are_found_in_it(text):
    """Whatever a source holds, a quotation of a run of its words is never called absent or altered."""
    words = text.split()
    quoted = " ".join(words[1:7])
    if len(quoted) < 12 or not quoted[0].isalpha() or "[" in quoted:
        return
    result = rc.check({"answer": "So it is.", "citations": [{"source": 1, "quote": quoted}]}, [text])
    assert [q.status for q in result.quotes if q.status in ("absent", "altered", "elsewhere")] == []


@pytest.mark.parametrize("piece", PIECES)
def test_every_piece_alone_and_twice(piece):
    for text in (piece, piece + piece, f"Dogs {piece} ride {piece}. Bikes pay [1]."):
        result = rc.check(Answer(text), PLAIN)
        assert all(result.text[s.start : s.end] == s.text for s in result.sentences)
