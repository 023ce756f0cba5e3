"""Rows of trackers and evaluation tools, and span tables joined into conversations."""

import json

import numpy as np
import pandas as pd
import pytest
from read_fixtures import FAQ, FRAMES, POLICY

from ragcite_nb.models import InputError
from ragcite_nb.read import conversations, read_answer, read_row, read_sources

ANSWER = "30 days [1]. 5 days [2]."
DOCUMENTS = [{"page_content": POLICY, "metadata": {"source": "policy.md"}}, {"page_content": FAQ, "metadata": {}}]
RUN = {"trace_id": "t", "inputs": {"question": "How long?"}}
BY_SCHEMA = {frame["schema"]: frame for frame in FRAMES}


@pytest.mark.parametrize("frame", [f for f in FRAMES if not f["join"]], ids=lambda f: f["schema"])
@pytest.mark.parametrize("form", [lambda v: v, lambda v: np.array(v, dtype=object) if isinstance(v, list) else v,
                                  lambda v: json.dumps(v) if isinstance(v, (list, dict)) else v,
                                  lambda v: repr(v) if isinstance(v, (list, dict)) else v],
                         ids=["as it is", "array", "JSON", "repr"])  # fmt: skip
def test_frames(frame, form):
    answer, sources = read_row({name: form(value) for name, value in frame["row"].items()})
    want = frame["expected"]
    assert read_answer(answer).text == want["answer"]
    assert [s.text for s in read_sources(sources)] == [s["text"] for s in want["sources"]]


@pytest.mark.parametrize("row", [
    {"outputs": {"answer": ANSWER, "context": DOCUMENTS}}, {"outputs": {"output": ANSWER, "source_documents": DOCUMENTS}},
    {"output": {"response": ANSWER, "contexts": [POLICY, FAQ]}}, {"outputs.answer": ANSWER, "outputs.context": [POLICY, FAQ]},
    {"output.answer": ANSWER, "output.context": json.dumps([POLICY, FAQ]), "inputs.question": "q"},
    {"output": json.dumps({"answer": ANSWER, "context": [POLICY, FAQ]})}, {"output": '"' + ANSWER + '"', "context": [POLICY, FAQ]},
    {"question": "q", "answer": ANSWER, "contexts": np.array([POLICY, FAQ], dtype=object)}, {"input": "q", "actualOutput": ANSWER, "retrievalContext": [POLICY, FAQ]},
    {"gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": ANSWER}]}]),
     "gen_ai.retrieval.documents": json.dumps([{"id": "a", "content": POLICY}, {"id": "b", "content": FAQ}])},
    {"output": {"messages": [{"role": "assistant", "content": ANSWER}]}, "contexts": [POLICY, FAQ]},
    {"response": {"choices": [{"message": {"content": ANSWER}, "finish_reason": "stop"}]}, "context": [POLICY, FAQ]},
    {"outputs": {"answer": {"answer": ANSWER, "citations": []}, "context": DOCUMENTS}}, {"outputs": {"output": {"answer": ANSWER, "docs": DOCUMENTS}}},
    {"output": [{"role": "user", "content": "q"}, {"role": "assistant", "content": ANSWER}], "context": f"{POLICY}\n\n{FAQ}"},
])  # fmt: skip
def test_rows(row):
    answer, sources = read_row(row)
    assert read_answer(answer).text == ANSWER
    assert [s.text for s in read_sources(sources)] == [POLICY, FAQ]


def test_row_without_sources_or_answer():
    assert read_row({"output": ANSWER, "context": float("nan")}) == (ANSWER, None)
    with pytest.raises(InputError, match="'a', 'b'"):
        read_row({"a": 1, "b": 2})


def test_mlflow_trace_column():
    row = BY_SCHEMA["MLflow search_traces"]["row"]
    trace = {"info": {}, "data": {"spans": row["spans"]}}
    answer, sources = read_row({"trace_id": "t", "trace": json.dumps(trace)})
    assert read_answer(answer).text.startswith("You can return")
    assert len(read_sources(sources)) == 2


RECORD = json.dumps({"record_id": "t", "main_input": "How long?", "main_output": ANSWER,
                     "calls": [{"stack": [{"method": {"name": "query"}}, {"method": {"name": "retrieve"}}], "rets": [POLICY, FAQ]}]})  # fmt: skip


@pytest.mark.parametrize(
    "row", [{"record_id": "t", "input": "q", "output": ANSWER, "record_json": RECORD}, {"record_json": RECORD}]
)
def test_trulens_record(row):
    """A row gives what the conversation gives that is made of it."""
    answer, sources = read_row(row)
    assert (answer, sources) == (ANSWER, [POLICY, FAQ])
    assert [(c["answer"], c["sources"], c["trace_id"]) for c in conversations([row])] == [(ANSWER, [POLICY, FAQ], "t")]


def test_cells_written_twice():
    spans = json.dumps(json.dumps(BY_SCHEMA["MLflow search_traces"]["row"]["spans"]))
    assert len(read_sources(read_row({"response": ANSWER, "spans": spans})[1])) == 2
    twice = json.dumps(json.dumps({"answer": ANSWER, "context": [POLICY, FAQ]}))
    assert read_row({"output": twice}) == (ANSWER, [POLICY, FAQ])


def joined(spans, **more):
    (found,) = conversations(spans, **more)
    return (
        found["question"],
        read_answer(found["answer"]).text,
        [s.text for s in read_sources(found["sources"])],
        found["trace_id"],
    )


WANT = ("How long?", ANSWER, [POLICY, FAQ], "t")
OPENINFERENCE = [{"document.id": "p", "document.content": POLICY}, {"document.id": "f", "document.content": FAQ}]
SPANS = {
    "phoenix": [
        {"context.trace_id": "t", "context.span_id": "1", "parent_id": None, "span_kind": "CHAIN", "attributes.input.value": "How long?", "attributes.output.value": ANSWER, "start_time": "1"},
        {"context.trace_id": "t", "context.span_id": "2", "parent_id": "1", "span_kind": "RETRIEVER", "attributes.retrieval.documents": OPENINFERENCE, "start_time": "2"},
        {"context.trace_id": "t", "context.span_id": "3", "parent_id": "1", "span_kind": "LLM", "attributes.output.value": "other", "start_time": "3"},
    ],
    "phoenix, raw attributes": [
        {"trace_id": "t", "span_id": "1", "attributes": {"openinference": {"span": {"kind": "RETRIEVER"}}, "input": {"value": "How long?"},
         "retrieval.documents.0.document.content": POLICY, "retrieval.documents.1.document.content": FAQ, "retrieval.documents.0.document.metadata": "{}"}},
        {"trace_id": "t", "span_id": "2", "attributes": json.dumps({"openinference.span.kind": "LLM", "llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": ANSWER})},
    ],
    "phoenix, reranked": [
        {"context.trace_id": "t", "context.span_id": "1", "span_kind": "CHAIN", "attributes.input.value": json.dumps({"question": "How long?"}), "attributes.output.value": json.dumps({"answer": ANSWER})},
        {"context.trace_id": "t", "context.span_id": "2", "parent_id": "1", "attributes.openinference.span.kind": "RETRIEVER", "attributes.retrieval.documents": [{"document.content": "x"}, *OPENINFERENCE]},
        {"context.trace_id": "t", "context.span_id": "3", "parent_id": "1", "attributes.openinference.span.kind": "RERANKER", "attributes.reranker.output_documents": OPENINFERENCE},
    ],
    "mlflow": [
        {"trace_id": "t", "span_id": "1", "parent_span_id": None, "attributes": {"mlflow.spanType": '"CHAIN"', "mlflow.spanInputs": '{"q": "How long?"}', "mlflow.spanOutputs": json.dumps(ANSWER)}},
        {"trace_id": "t", "span_id": "2", "parent_span_id": "1", "attributes": {"mlflow.spanType": '"RETRIEVER"', "mlflow.spanOutputs": json.dumps(DOCUMENTS)}},
    ],
    "langsmith": [
        {**RUN, "id": "1", "run_type": "chain", "parent_run_id": None, "outputs": {"answer": ANSWER}},
        {"trace_id": "t", "id": "2", "parent_run_id": "1", "run_type": "retriever", "inputs": {"query": "rewritten"}, "outputs": {"documents": DOCUMENTS}},
        {"trace_id": "t", "id": "3", "parent_run_id": "1", "run_type": "llm", "outputs": {"generations": [[{"text": "draft"}]]}},
    ],
    "langsmith, JSON cells": [
        {"trace_id": "t", "id": "1", "run_type": "chain", "inputs": '{"input": "How long?"}', "outputs": json.dumps({"output": ANSWER, "context": DOCUMENTS})},
    ],
    "langfuse": [
        {"traceId": "t", "id": "1", "type": "SPAN", "input": {"query": "How long?"}, "output": ANSWER, "parentObservationId": None, "startTime": "2026-01-01"},
        {"traceId": "t", "id": "2", "type": "RETRIEVER", "parentObservationId": "1", "input": "x", "output": json.dumps([POLICY, FAQ]), "startTime": "2026-01-02"},
    ],
    "otel": [
        {"trace_id": "t", "span_id": "1", "gen_ai.operation.name": "retrieval", "gen_ai.retrieval.documents": json.dumps([{"id": "a", "content": POLICY}, {"id": "b", "content": FAQ}])},
        {"trace_id": "t", "span_id": "2", "gen_ai.operation.name": "chat", "gen_ai.input.messages": json.dumps([{"role": "user", "parts": [{"type": "text", "content": "How long?"}]}]),
         "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": ANSWER}], "finish_reason": "stop"}])},
    ],
    "otel, older": [
        {"trace_id": "t", "span_id": "1", "gen_ai.operation.name": "retrieval", "gen_ai.retrieval.documents": [{"content": POLICY}, {"content": FAQ}]},
        {"trace_id": "t", "span_id": "2", "attributes": {"gen_ai.prompt.0.content": "How long?", "gen_ai.completion.0.content": ANSWER}},
    ],
    "trulens": [
        {"record_id": "t", "app_id": "a", "input": "How long?", "output": ANSWER, "record_json": json.dumps({"calls": [{"stack": [{"method": {"name": "query"}}, {"method": {"name": "retrieve"}}], "rets": [POLICY, FAQ]}]})},
    ],
    "weave": [
        {"id": "1", "op_name": "weave:///e/p/op/rag:v1", "trace_id": "t", "parent_id": None, "inputs": {"question": "How long?"}, "output": {"answer": ANSWER}},
        {"id": "2", "op_name": "weave:///e/p/op/retrieve:v1", "trace_id": "t", "parent_id": "1", "inputs": {"q": "x"}, "output": [POLICY, FAQ]},
    ],
    "weave, one call": [{"id": "1", "op_name": "op/rag", "trace_id": "t", "inputs": {"question": "How long?"}, "output": {"answer": ANSWER, "context": [POLICY, FAQ]}}],
}  # fmt: skip


@pytest.mark.parametrize("name", SPANS)
@pytest.mark.parametrize("turn", [lambda rows: rows, lambda rows: rows[::-1]], ids=["in order", "turned round"])
def test_joined_spans(name, turn):
    assert joined(turn(SPANS[name])) == WANT


@pytest.mark.parametrize("name", SPANS)
def test_kind_given(name):
    assert joined(SPANS[name], kind=name.split(",")[0]) == WANT


def test_rows_of_a_frame():
    """Frames fill what a span does not have with NaN."""
    for name, spans in SPANS.items():
        assert joined(pd.DataFrame(spans).to_dict("records")) == WANT, name


def test_cases_joined():
    rows = [frame["row"] for frame in FRAMES if frame["schema"].startswith("Phoenix get_spans")]
    question, answer, sources, trace = joined(rows)
    assert (question, trace) == ("How long can I return an item?", "t1")
    assert answer.startswith("You can return items")
    assert len(sources) == 4


def test_mlflow_traces_are_conversations_already():
    found = conversations([BY_SCHEMA["MLflow search_traces"]["row"]])[0]
    assert (found["question"], found["trace_id"]) == ("how long?", "tr-1")
    assert len(found["sources"]) == 2


def test_traces_stay_apart_and_in_order():
    spans = [dict(span, trace_id=trace) for trace in ("b", "a") for span in SPANS["langsmith"]]
    assert [c["trace_id"] for c in conversations(iter(spans))] == ["b", "a"]


def test_nothing_found_is_not_the_same_as_nothing_logged():
    chain = SPANS["langsmith"][0]
    assert conversations([chain])[0]["sources"] is None
    assert (
        conversations([chain, {"trace_id": "t", "id": "2", "run_type": "retriever", "outputs": {"documents": []}}])[0][
            "sources"
        ]
        == []
    )


def test_bad_spans():
    with pytest.raises(InputError, match=r"kind='x'.*'phoenix'"):
        conversations([], kind="x")
    with pytest.raises(InputError, match=r"row 0.*'foo'"):
        conversations([{"foo": 1}])
    with pytest.raises(InputError, match=r"row 1.*str"):
        conversations([SPANS["langsmith"][0], "text"])
    assert conversations([]) == []
