"""Each format is read as its provider means it: text, citations, sources, truncation, refusal, tokens."""

import json

import numpy as np
import pandas as pd
import pytest
from read_fixtures import CASES, PAYLOADS

from ragcite_nb.models import Answer, InputError
from ragcite_nb.read import is_plain, read_answer, read_sources
from ragcite_nb.read.registry import FORMATS


def place(citation, want, sent):
    """The source that a citation means, as a position."""
    if sent:
        if citation.sent_source is not None:
            return citation.sent_source
        return next(
            (i for i, s in enumerate(sent) if citation.id == str(s.id) or (citation.url and citation.url == s.url)),
            None,
        )
    return citation.payload_source


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case):
    answer, want = read_answer(case["input"]), case["expected"]
    assert answer.text == (want["answer"] or "")
    assert answer.truncated is want["truncated"]
    assert bool(answer.refusal) is bool(want["refusal"])
    assert answer.finish_reason == want["finish"]
    assert (answer.prompt_tokens, answer.output_tokens) == (want["tokens"]["in"], want["tokens"]["out"])
    assert bool(answer.reasoning) is bool(want.get("reasoning"))
    assert answer.misplaced == 0
    sent = read_sources(case["sent_sources"]) if case["sent_sources"] else None
    if sent is None:
        assert [(s.text, s.title, s.url) for s in answer.sources] == [
            (s["text"], s["title"], s["url"]) for s in want["sources"]
        ]
    delivered = [c for c in want["citations"] if not c.get("marker")]
    if not delivered and answer.citations:
        delivered = want["citations"]  # marks that the provider resolves itself
    assert len(answer.citations) == len(delivered)
    ids = {s.get("id"): i for i, s in enumerate(want["sources"])}
    for got, wanted in zip(answer.citations, delivered, strict=True):
        span = wanted["answer_span"]
        assert (got.start, got.end) == (tuple(span) if span else (None, None))
        assert got.quote == wanted["quote"]
        if got.origin == "provider":
            assert place(got, wanted, sent) == ids.get(wanted["source"], wanted["source"])
        else:
            assert got.reference == str(wanted["source"] + 1)


@pytest.mark.parametrize("name", PAYLOADS)
def test_payload(name):
    payload, want = PAYLOADS[name]
    if "error" in want:
        with pytest.raises(InputError, match=want["error"]):
            read_answer(payload)
        return
    answer = read_answer(payload)
    for field in (
        "text",
        "format",
        "structured",
        "reasoning",
        "finish_reason",
        "truncated",
        "refusal",
        "prompt_tokens",
        "output_tokens",
        "misplaced",
    ):
        if field in want:
            assert getattr(answer, field) == want[field], field
    if "sources" in want:
        assert (None if answer.sources is None else [s.text for s in answer.sources]) == want["sources"]
    if "cites" in want:
        assert len(answer.citations) == len(want["cites"]), answer.citations
        for got, wanted in zip(answer.citations, want["cites"], strict=True):
            assert {key: getattr(got, key) for key in wanted} == wanted


@pytest.mark.parametrize("name", PAYLOADS)
def test_payload_as_json(name):
    """A payload reads the same from its JSON text, and a list of events from NDJSON."""
    payload, want = PAYLOADS[name]
    if "error" in want or isinstance(payload, (str, bytes)) or name in ("agent", "arrow map"):
        pytest.skip("is no JSON")
    assert read_answer(json.dumps(payload)) == read_answer(payload)
    if isinstance(payload, list) and len(payload) > 1:
        assert read_answer("\n".join(json.dumps(item) for item in payload)) == read_answer(payload)


@pytest.mark.parametrize(
    "text",
    [p for p, w in PAYLOADS.values() if isinstance(p, str) and w.get("text", p) != p]
    + [c["input"] for c in CASES if isinstance(c["input"], str)],
)
def test_what_is_plain_is_read_as_it_is(text):
    """The cheap test never calls a text plain that reading changes."""
    assert not is_plain(text)


@pytest.mark.parametrize("payload", [None, float("nan"), "", np.float64("nan"), pd.NA, pd.NaT])
def test_nothing_is_an_empty_answer(payload):
    assert read_answer(payload) == Answer()


def test_text_is_never_altered():
    for text in ("  two spaces \n", "\ud83d lone", "a\r\nb", "<b>bold</b>", "tab\t"):
        assert read_answer(text).text == text


@pytest.mark.parametrize("payload", [{"foo": 1, "bar": 2}, '{"foo": 1, "bar": 2}', [{"foo": 1, "bar": 2}]])
def test_unknown_shape(payload):
    """The message names the keys found and the shapes known."""
    with pytest.raises(InputError, match=r"'foo', 'bar'.*choices.*candidates"):
        read_answer(payload)


@pytest.mark.parametrize("payload", [3, object(), [], [1], ["a", "b"], {}, 1j, b"\xff"])
def test_no_answer_at_all(payload):
    with pytest.raises(InputError):
        read_answer(payload)


def test_a_stream_that_is_not_read_yet():
    with pytest.raises(InputError, match=r"list\(stream\)"):
        read_answer(event for event in [{}])


def test_two_shapes_at_once():
    """The shape that stands first in the registry, which is the more specific one."""
    both = {"answer": "chain", "context": ["a"], "choices": [{"message": {"content": "chat"}}]}
    assert read_answer(both).text == "chat"
    assert read_answer({"answer": "A.", "context": ["a"], "citations": [1]}).format == "langchain.chain"
    assert read_answer({"text": "v1", "generation_id": "g", "citations": [{"id": 1}]}).format == "cohere.v1"


def test_each_row_of_the_registry_is_used():
    """Every format has a payload here that it, and no earlier row, recognises."""
    used = set()
    for payload in [p for p, _ in PAYLOADS.values()] + [c["input"] for c in CASES]:
        events = payload if isinstance(payload, list) else [payload]
        for event in events:
            if isinstance(event, dict):
                row = next((r for r in FORMATS if r.detect(event)), None) or next(
                    (r for r in FORMATS if r.is_event and r.is_event(event)), None
                )
                used.add(row and row.name)
    assert {row.name for row in FORMATS} <= used


def test_numpy_cells():
    """Lists of parquet cells are arrays of dicts whose missing fields are None."""
    messages = np.array(
        [{"role": "user", "content": "q", "name": None}, {"role": "assistant", "content": "30 days.", "name": None}],
        dtype=object,
    )
    assert read_answer(messages).text == "30 days."
    blocks = np.array([{"type": "text", "text": "30 "}, {"type": "text", "text": "days."}], dtype=object)
    assert read_answer([{"role": "assistant", "content": blocks}]).text == "30 days."
