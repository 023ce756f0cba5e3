"""Cases: an answer, its sources, and what a reader of both would say; one JSON object a line under ``cases/``.

``expect`` holds only what a case is about; every key has its function in ``EXPECT``. Positions of sources count from 0.
A case without sources is checked against nine texts.
"""

import html
import json
import re
from pathlib import Path

import pytest

import ragcite_nb as rc

FILES = ("answers", "others", "markers", "sentences", "claims", "more")
NINE = [f"Text of source {i}." for i in range(1, 10)]


def load():
    folder = Path(__file__).with_name("cases")
    for name in FILES:
        file = folder / f"{name}.jsonl"
        if file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                case = json.loads(line)
                yield pytest.param(case, id=f"{name}-{case['id']}")


def squash(text):
    return " ".join(text.split())


def unknown(citations):
    return [c.reference for c in citations if c.status != "valid"]


def valid(citations):
    return [c.source for c in citations if c.status == "valid"]


def texts(sentences):
    return [squash(s.text) for s in sentences]


def is_markers(result, expected):
    """The markers that cite, in order, with the sources that they cite and the references that fit none."""
    markers = [m for m in result.markers if m.kind == "citation"]
    assert [m.raw for m in markers] == [e["raw"] for e in expected]
    for marker, e in zip(markers, expected, strict=True):
        citations = [result.citations[i] for i in marker.citations]
        assert marker.start == e.get("start", marker.start)
        if "valid" in e:
            assert valid(citations) == e["valid"]
        if "unknown" in e:
            assert unknown(citations) == e["unknown"]
        if "references" in e:
            assert [c.reference for c in citations] == e["references"]
        if "nearest" in e:
            assert e["nearest"] in [c.nearest for c in citations]
        if "locator" in e:
            assert e["locator"] in (marker.locator, *(c.locator for c in citations))
        if "text" in e:
            assert result.text[marker.text_start : marker.text_end] == e["text"]
        if "url" in e:
            assert marker.url == e["url"]


def is_quotes(result, expected):
    """Texts of all quotes, or for some of them what was found."""
    if all(isinstance(e, str) for e in expected):
        assert [q.text for q in result.quotes] == expected
        return
    for e in expected:
        [quote] = [q for q in result.quotes if squash(q.text).strip('".') == squash(e["text"]).strip('".')]
        assert quote.status == e["status"]
        if "span" in e:
            assert [quote.source_start, quote.source_end] == e["span"]
        if "found_in" in e:
            assert list(quote.found_in) == e["found_in"]


def is_kind(result, expected):
    """The kind of the last sentence: a claim, an abstention, or anything else that needs no citation."""
    kind = result.sentences[-1].kind
    assert kind not in ("claim", "abstention") if expected == "not_claim" else kind == expected


def codes(result):
    return {alert.code for alert in result.alerts}


def utf16(text):
    return len(text.encode("utf-16-le")) // 2


def without_valid_citation(result):
    return [s for s in result.claims if not any(result.citations[i].status == "valid" for i in s.citations)]


def cited(result):
    return sorted({s for c in result.citations if c.status == "valid" for s in c.sources})


def sentence_citations(result):
    return [[result.citations[i].reference for i in s.citations] for s in result.sentences]


def shown_text(result):
    return html.unescape(re.sub(r"<[^>]*>", "", result._repr_html_()))


def lacks_patterns(result, expected):
    assert not [pattern for pattern in expected if re.search(pattern, result._repr_html_())]


def same(got):
    """A check that what ``got`` takes from the result is what is expected."""

    def check(result, expected):
        assert got(result) == expected

    return check


def none_of(got):
    def check(result, expected):
        assert not [e for e in expected if e in got(result)]

    return check


def all_of(got):
    def check(result, expected):
        assert not [e for e in expected if e not in got(result)]

    return check


EXPECT = {
    "markers": is_markers,
    "malformed": same(lambda r: [m.raw for m in r.markers if m.kind == "malformed"]),
    "provenance": same(lambda r: [m.raw for m in r.markers if m.kind == "provenance"]),
    "cited": same(lambda r: sorted({c.source for c in r.citations if c.status == "valid"})),
    "cited_chunks": same(cited),
    "unused": same(lambda r: list(r.unused_sources)),
    "references": same(lambda r: sorted({c.reference for c in r.citations})),
    "unknown": same(lambda r: sorted(unknown(r.citations))),
    "ambiguous": same(lambda r: [c.reference for c in r.citations if c.status == "ambiguous"]),
    "distinct_unknown": same(lambda r: sorted({c.lower() for c in unknown(r.citations)})),
    "citations": same(lambda r: len(r.citations)),
    "spans": same(lambda r: [[c.start, c.end] for c in r.citations]),
    "spans_utf16": same(lambda r: [[utf16(r.text[: m.start]), utf16(r.text[: m.end])] for m in r.markers]),
    "reference_list": same(lambda r: [e.label for e in r.reference_list]),
    "sentences": same(lambda r: [s.text for s in r.sentences]),
    "sentence_count": same(lambda r: len(r.sentences)),
    "sentence_citations": same(sentence_citations),
    "kinds": same(lambda r: [s.kind for s in r.sentences]),
    "kind": is_kind,
    "claims": same(lambda r: texts(r.claims)),
    "not_claims": none_of(lambda r: texts(r.claims)),
    "uncited": same(lambda r: texts(r.uncited_sentences)),
    "uncited_count": same(lambda r: len(r.uncited_sentences)),
    "without_valid_citation": same(lambda r: texts(without_valid_citation(r))),
    "score": same(lambda r: r.traceability_score),
    "truncated": same(lambda r: r.truncated),
    "abstained": same(lambda r: r.abstained),
    "quotes": is_quotes,
    "quote_found": same(lambda r: r.quotes[0].found),
    "no_quote_is": none_of(lambda r: [q.status for q in r.quotes]),
    "alerts": all_of(codes),
    "no_alerts": none_of(codes),
    "html_lacks": lacks_patterns,
    "html_shows": all_of(shown_text),
}


@pytest.mark.parametrize("case", list(load()))
def test_case(case):
    """What the checker says of an answer is what a reader would say."""
    result = rc.check(case["answer"], case.get("sources", NINE), **case.get("options", {}))
    for key, expected in case["expect"].items():
        EXPECT[key](result, expected)
    for marker in result.markers:
        assert result.text[marker.start : marker.end] == marker.raw
    for sentence in result.sentences:
        assert result.text[sentence.start : sentence.end] == sentence.text
