"""One row of a log or an evaluation table: which of its cells, or what inside them, are the answer and the sources.

Trackers keep whole outputs in one cell (MLflow ``response`` and ``spans``, Weave ``output``, LangSmith ``outputs``)
or spread them over columns such as ``outputs.answer``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragcite_nb.models import InputError
from ragcite_nb.read import containers, conversation, fields, registry, structured

if TYPE_CHECKING:
    from collections.abc import Mapping

ANSWERS = (
    "answer", "response", "output", "outputs", "result", "actual_output", "actualOutput", "completion", "generation",
    "prediction",
    "output_text", "final_answer", "content", "text", "attributes.output.value", "attributes.llm.output_messages",
    "gen_ai.output.messages", "attributes.gen_ai.output.messages", "gen_ai.completion.0.content",
)  # fmt: skip
"""Names of an answer, the likeliest first."""

SOURCES = (
    "retrieved_contexts", "retrieval_context", "retrievalContext", "contexts", "context", "source_documents",
    "sources", "documents",
    "retrieved_documents", "docs", "chunks", "passages", "source_nodes", "attributes.retrieval.documents",
    "retrieval.documents", "gen_ai.retrieval.documents", "attributes.gen_ai.retrieval.documents",
)  # fmt: skip
"""Names of the sources, the likeliest first."""

QUESTIONS = (
    "question",
    "query",
    "user_input",
    "input",
    "q",
    "prompt",
    "user_query",
    "text",
    "content",
    "messages",
    "inputs",
)
"""Names of a question, the likeliest first."""

_PREFIXES = ("outputs.", "output.", "response.")
_DEPTH = 4


def read_row(row: Any) -> tuple[Any, Any]:
    """The answer and the sources of a row, as :func:`read_answer` and :func:`describe_sources` take them.

    Args:
        row: the row's cells by column name.

    Returns:
        The answer's cell and the sources' cell; ``None`` sources when the row has none outside of its answer.

    Raises:
        InputError: when no cell holds an answer.

    >>> read_row({"trace_id": "t", "output": {"answer": "30 days [1].", "context": ["Within 30 days."]}})
    ('30 days [1].', ['Within 30 days.'])
    """
    from ragcite_nb.read import spans  # spans read single rows too

    table = nest({str(key): value for key, value in fields.mapping(row).items() if not fields.is_missing(value)})
    answer, sources = split(table)
    # A record of TruLens is its own span; MLflow keeps those of a run in one cell.
    traced = [table] if "record_json" in table else spans.trace_of(table)
    if traced is not None:
        found = spans.join_trace(traced)
        answer = answer if answer is not None else found["answer"]
        sources = sources if sources is not None else found["sources"]
    if answer is None:
        names = ", ".join(repr(name) for name in list(table)[:12])
        raise InputError(
            f"row: no answer found in the columns {names or '(none)'}; accepted are {', '.join(ANSWERS[:8])} …"
        )
    return answer, sources


def nest(table: dict[str, Any]) -> dict[str, Any]:
    """Columns such as ``outputs.answer`` put together again.

    >>> nest({"outputs.answer": "30 days", "id": 1})
    {'id': 1, 'outputs': {'answer': '30 days'}}
    """
    spread = [name for name in table if name.startswith(_PREFIXES)]
    if not spread:
        return table
    nested = {name: value for name, value in table.items() if name not in spread}
    for name in spread:
        head, _, rest = name.partition(".")
        held = nested.get(head)
        nested[head] = {**held, rest: table[name]} if isinstance(held, dict) else {rest: table[name]}
    return nested


def opened(value: Any) -> Any:
    """A cell, opened if it is JSON; a text that was written as JSON comes without its quotation marks."""
    if isinstance(value, str) and value[:1] in ("{", "[", '"'):
        try:
            found = containers.open_text(value)
        except InputError:
            return value
        if found.kind not in ("text", "prefix") and not found.cut:
            return found.value
        inner = containers.open_string(value)
        return value if inner is None else inner
    return value


def split(value: Any, depth: int = 0) -> tuple[Any, Any]:
    """The answer and the sources inside a cell; ``None`` for what it does not hold."""
    inner = opened(value)
    listed = fields.items(inner)
    if listed and not fields.is_pairs(listed):
        messages = [fields.mapping(item) for item in listed]
        return (inner, None) if any(conversation.is_message(m) for m in messages) else (None, None)
    if isinstance(inner, str):
        return inner, None
    table = registry.unwrap(fields.mapping(inner))
    if not table:
        return None, None
    if depth and _is_response(table):
        return table, None
    sources = None
    for name in SOURCES:
        found = table.get(name)
        if found is not None and not fields.is_missing(found) and _holds_sources(found):
            sources = found
            break
    if depth and structured.is_answer(table) and ("citations" in table or "references" in table):
        return {k: v for k, v in table.items() if v is not sources}, sources
    for name in ANSWERS:
        found = table.get(name)
        if found is None or found is sources or depth >= _DEPTH or fields.is_missing(found):
            continue
        answer, nested = split(found, depth + 1)
        if answer is not None:
            return answer, sources if sources is not None else nested
    if conversation.is_conversation(table):
        return {"messages": fields.first(table, "messages", "conversation")}, sources
    return None, sources


def _is_response(table: Mapping[str, Any]) -> bool:
    """Whether a provider's or framework's reader takes an object whole."""
    own = ("rich answer", "JSON answer", "chain", "conversation")
    return any(row.detect(dict(table)) for row in registry.FORMATS if row.name not in own)


def _holds_sources(value: Any) -> bool:
    return (
        isinstance(value, str) or bool(fields.items(value)) or bool(fields.mapping(value)) or hasattr(value, "tolist")
    )


def question_of(value: Any, depth: int = 0) -> str | None:
    """The question in a cell: a text, an object with one, or the last message of a user.

    >>> question_of({"messages": [{"role": "user", "content": "How long?"}]})
    'How long?'
    """
    inner = opened(value)
    if isinstance(inner, str):
        return inner or None
    listed = fields.items(inner)
    if listed and not fields.is_pairs(listed):
        return conversation.last_question([fields.mapping(item) for item in listed])
    table = fields.mapping(inner)
    for name in QUESTIONS:
        found = table.get(name)
        if found is not None and depth < _DEPTH:
            question = question_of(found, depth + 1)
            if question is not None:
                return question
    alone = [v for v in table.values() if isinstance(v, str)]
    return alone[0] if len(table) == 1 and alone else None
