"""Which columns of a frame are read, from their names."""

import pytest

from ragcite_nb.columns import NESTED, PAIRS, Columns, find
from ragcite_nb.models import InputError


@pytest.mark.parametrize(
    ("names", "answer", "sources"),
    [
        (["user_input", "retrieved_contexts", "response", "reference"], "response", "retrieved_contexts"),
        (["question", "contexts", "answer", "ground_truth"], "answer", "contexts"),
        (
            ["input", "actual_output", "expected_output", "context", "retrieval_context"],
            "actual_output",
            "retrieval_context",
        ),
        (
            ["input", "actualOutput", "expectedOutput", "context", "retrievalContext"],
            "actualOutput",
            "retrievalContext",
        ),
        (["context.span_id", "context.trace_id", "input", "output", "context", "metadata"], "output", "context"),
        (["question", "answer", "sources", "model"], "answer", "sources"),
        (["Question", "Answer", "Retrieved Contexts"], "Answer", "Retrieved Contexts"),
        (["query", "result", "source_documents"], "result", "source_documents"),
        (["prompt", "completion", "passages"], "completion", "passages"),
        (["inputs.question", "output.answer", "output.context"], "output.answer", "output.context"),
        (["frage", "antwort", "quellen"], "antwort", "quellen"),
        (["prediction", "docs"], "prediction", "docs"),
        (["response", "answer", "retrieved_contexts"], "response", "retrieved_contexts"),
        (["messages"], "messages", None),
        ([0, 1, "answer", "chunks"], "answer", "chunks"),
    ],
)
def test_flat_tables(names, answer, sources):
    """Known pairs and plain names, in the spellings that exports give them."""
    assert find(names) == Columns(answer, sources)


@pytest.mark.parametrize(
    ("names", "answer", "sources"),
    [
        (["trace_id", "state", "request", "response", "spans"], "response", "spans"),
        (["trace_id", "trace", "request"], "trace", "trace"),
        (["id", "op_name", "trace_id", "inputs", "output"], "output", "output"),
        (["id", "run_type", "inputs", "outputs", "trace_id"], "outputs", "outputs"),
        (["app_id", "record_id", "input", "output", "record_json"], "output", "record_json"),
        (["id", "traceId", "name", "input", "output", "metadata"], "output", "output"),
        (
            ["gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.retrieval.documents"],
            "gen_ai.output.messages",
            "gen_ai.retrieval.documents",
        ),
    ],
)
def test_nested_tables(names, answer, sources):
    """Tables of runs are handed on row by row, with all their columns."""
    assert find(names) == Columns(answer, sources, tuple(names))


def test_sources_beside_a_nested_table_are_read():
    """Somebody who adds a column of sources to a table of runs wants it read."""
    assert find(["run_type", "outputs", "sources"]) == Columns("outputs", "sources")


@pytest.mark.parametrize(
    ("names", "answer"),
    [
        (["gen_ai.completion.0.content", "sources"], "gen_ai.completion.0.content"),
        (["gen_ai.output.messages", "gen_ai.retrieval.documents", "sources"], "gen_ai.output.messages"),
        (["trace_id", "trace", "sources"], "trace"),
        (["record_json", "sources"], "record_json"),
    ],
)
def test_sources_beside_an_answer_that_only_its_tool_knows(names, answer):
    """The row is read for its answer as it would be without the column."""
    assert find(names) == Columns(answer, "sources", tuple(names), beside=True)


def test_several_columns_of_sources_beside_a_nested_table():
    with pytest.raises(InputError, match="pass sources='sources' or sources='contexts'"):
        find(["trace_id", "trace", "sources", "contexts"])


@pytest.mark.parametrize(
    "names",
    [
        ["answer", "response", "documents"],
        ["answer", "contexts", "sources"],
        ["answer", "Answer", "sources"],
        ["answer", "passages", "chunks"],
    ],
)
def test_several_candidates_are_refused(names):
    """A guess between columns would give numbers that look right; the error names what to pass."""
    with pytest.raises(InputError, match=r"several columns could .*pass (answer|sources)=") as error:
        find(names)
    assert all(repr(name) in str(error.value) for name in names)


def test_a_given_name_decides():
    """With one of the two given, its partner is the one that belongs to it."""
    names = ["answer", "response", "contexts", "retrieved_contexts"]
    assert find(names, answer="response") == Columns("response", "retrieved_contexts")
    assert find(names, sources="contexts") == Columns("answer", "contexts")
    assert find(names, "answer", "retrieved_contexts") == Columns("answer", "retrieved_contexts")


def test_names_that_are_not_there():
    """The error says which columns there are, and which is near."""
    with pytest.raises(
        InputError, match=r"no column 'anwser' for answer=; did you mean 'answer'\? The columns are 'answer', 'x'"
    ):
        find(["answer", "x"], answer="anwser")
    with pytest.raises(InputError, match=r"no column of answers found; pass answer='…'\. The columns are 'a', 'b'"):
        find(["a", "b"])
    with pytest.raises(InputError, match=r"The frame has no columns\."):
        find([])
    with pytest.raises(InputError, match=r"… \(99 in all\)"):
        find(range(99))


def test_the_ideal_context_is_not_what_was_retrieved():
    """In deepeval ``context`` is what should have been retrieved: never taken by itself."""
    assert find(["actual_output", "context"]) == Columns("actual_output", None)


def test_span_tables_are_refused():
    """One row per span: the answer and its sources stand in different rows."""
    with pytest.raises(InputError, match="conversations"):
        find(["context.trace_id", "attributes.output.value", "output"])


def test_every_known_pair_is_found():
    """The table of pairs holds no two that hide each other."""
    for pair in PAIRS:
        assert find([pair.answer, pair.sources]) == Columns(pair.answer, pair.sources)


def test_every_nested_signature_is_found():
    """Each tool's table is recognised by each of its signatures."""
    for tool in NESTED:
        for signature in tool.signatures:
            assert find(sorted(signature)).row == tuple(sorted(signature)), tool.tool
