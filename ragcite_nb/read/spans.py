"""Span tables of tracing tools as conversations: retriever spans give the sources, the root span the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ragcite_nb.models import InputError
from ragcite_nb.read import fields, rows

if TYPE_CHECKING:
    from collections.abc import Iterable


class Kind(NamedTuple):
    """How a tool names the columns of its spans; each is a tuple of names, the first of which that is there counts."""

    name: str
    sign: tuple[str, ...]
    trace: tuple[str, ...]
    span: tuple[str, ...]
    parent: tuple[str, ...]
    type: tuple[str, ...]
    start: tuple[str, ...]
    input: tuple[str, ...]
    output: tuple[str, ...]
    documents: tuple[str, ...] = ()


KINDS: tuple[Kind, ...] = (
    Kind(
        name="otel",
        sign=(
            "gen_ai.operation.name",
            "attributes.gen_ai.operation.name",
            "gen_ai.output.messages",
            "attributes.gen_ai.output.messages",
            "gen_ai.retrieval.documents",
            "attributes.gen_ai.retrieval.documents",
            "gen_ai.completion.0.content",
            "attributes.gen_ai.completion.0.content",
        ),
        trace=("trace_id", "traceId", "context.trace_id"),
        span=("span_id", "spanId", "context.span_id"),
        parent=("parent_span_id", "parentSpanId", "parent_id"),
        type=("gen_ai.operation.name", "attributes.gen_ai.operation.name"),
        start=("start_time", "startTime", "start_time_unix_nano", "startTimeUnixNano"),
        input=(
            "gen_ai.input.messages",
            "attributes.gen_ai.input.messages",
            "gen_ai.prompt.0.content",
            "attributes.gen_ai.prompt.0.content",
        ),
        output=(
            "gen_ai.output.messages",
            "attributes.gen_ai.output.messages",
            "gen_ai.completion.0.content",
            "attributes.gen_ai.completion.0.content",
        ),
        documents=("gen_ai.retrieval.documents", "attributes.gen_ai.retrieval.documents"),
    ),
    Kind(
        name="mlflow",
        sign=("attributes.mlflow.spanType", "attributes.mlflow.spanOutputs", "mlflow.spanType"),
        trace=("trace_id", "request_id"),
        span=("span_id",),
        parent=("parent_span_id", "parent_id"),
        type=("attributes.mlflow.spanType", "mlflow.spanType", "span_type"),
        start=("start_time_unix_nano", "start_time_ns", "start_time"),
        input=("attributes.mlflow.spanInputs", "mlflow.spanInputs", "inputs"),
        output=("attributes.mlflow.spanOutputs", "mlflow.spanOutputs", "outputs"),
    ),
    Kind(
        name="phoenix",
        sign=(
            "context.trace_id",
            "attributes.openinference.span.kind",
            "openinference.span.kind",
            "attributes.retrieval.documents",
            "attributes.llm.output_messages",
        ),
        trace=("context.trace_id", "trace_id", "traceId"),
        span=("context.span_id", "span_id", "spanId"),
        parent=("parent_id", "parent_span_id", "parentSpanId"),
        type=("attributes.openinference.span.kind", "openinference.span.kind", "span_kind"),
        start=("start_time", "startTime"),
        input=("attributes.input.value", "input.value", "attributes.llm.input_messages", "llm.input_messages"),
        output=("attributes.output.value", "output.value", "attributes.llm.output_messages", "llm.output_messages"),
        documents=(
            "attributes.reranker.output_documents",
            "attributes.retrieval.documents",
            "reranker.output_documents",
            "retrieval.documents",
        ),
    ),
    Kind(
        name="langsmith",
        sign=("run_type", "parent_run_id"),
        trace=("trace_id", "session_trace_id"),
        span=("id", "run_id"),
        parent=("parent_run_id",),
        type=("run_type",),
        start=("start_time",),
        input=("inputs",),
        output=("outputs",),
    ),
    Kind(
        name="trulens",
        sign=("record_id", "record_json"),
        trace=("record_id",),
        span=("record_id",),
        parent=(),
        type=("type",),
        start=("ts",),
        input=("input", "main_input"),
        output=("output", "main_output"),
        documents=("contexts", "retrieved_contexts"),
    ),
    Kind(
        name="weave",
        sign=("op_name",),
        trace=("trace_id",),
        span=("id",),
        parent=("parent_id",),
        type=("attributes.kind", "kind", "op_name"),
        start=("started_at",),
        input=("inputs",),
        output=("output", "outputs"),
    ),
    Kind(
        name="langfuse",
        sign=("traceId", "parentObservationId", "parent_observation_id", "usageDetails", "traceName"),
        trace=("traceId", "trace_id"),
        span=("id", "observation_id"),
        parent=("parentObservationId", "parent_observation_id"),
        type=("type",),
        start=("startTime", "start_time", "timestamp"),
        input=("input",),
        output=("output",),
    ),
    Kind(
        name="spans",
        sign=("trace_id",),
        trace=("trace_id",),
        span=("span_id", "id"),
        parent=("parent_span_id", "parent_id"),
        type=("span_type", "span_kind", "run_type", "type", "kind"),
        start=("start_time", "started_at", "timestamp"),
        input=("input", "inputs", "request"),
        output=("output", "outputs", "response"),
    ),
)
"""The tools whose span tables are known; the last row takes what has at least a trace id."""


class _Span(NamedTuple):
    trace: str | None
    id: str | None
    parent: str | None
    type: str
    start: Any
    order: int
    input: Any
    output: Any
    documents: Any


def conversations(spans: Iterable[Any], kind: str | None = None) -> list[dict[str, Any]]:
    """The conversations in a table of spans, one for each trace, in the order of their first rows.

    Args:
        spans: rows as dicts by column name, or span objects.
        kind: the tool that wrote them: "phoenix", "mlflow", "langsmith", "langfuse", "otel",
        "trulens" or "weave"; ``None``
            tells it from the columns.

    Returns:
        Dicts with ``question``, ``answer``, ``sources`` and ``trace_id``; ``None`` for what a trace does not hold.

    Raises:
        InputError: for an unknown kind, or rows without the columns of a span.

    >>> spans = [
    ...     {"run_type": "chain", "id": "1", "trace_id": "t", "outputs": {"answer": "30 days [1]."}},
    ...     {"run_type": "retriever", "id": "2", "trace_id": "t", "parent_run_id": "1",
    ...      "outputs": {"documents": [{"page_content": "Within 30 days."}]}},
    ... ]
    >>> conversations(spans)[0]["sources"]
    [{'page_content': 'Within 30 days.'}]
    """
    names = [row.name for row in KINDS]
    if kind is not None and kind not in names:
        raise InputError(
            f"kind={kind!r}: accepted are {', '.join(map(repr, names[:-1]))}, or None to tell it from the columns"
        )
    chosen = next((row for row in KINDS if row.name == kind), None)
    traces: dict[Any, list[_Span]] = {}
    whole: dict[Any, dict[str, Any]] = {}
    for order, item in enumerate(spans):
        table = {str(key): value for key, value in fields.mapping(item).items() if not fields.is_missing(value)}
        if not table:
            raise InputError(f"spans: row {order} is a value of type {type(item).__name__}; accepted are rows as dicts")
        traced = trace_of(table)
        if traced is not None and chosen in (None, _MLFLOW):
            answer, sources = rows.split(rows.nest(table))
            joined = join_trace(traced)
            key = _name(table, ("trace_id", "request_id")) or order
            question = rows.question_of(table.get("request")) if "request" in table else None
            whole[key] = {
                "question": question if question is not None else joined["question"],
                "answer": answer if answer is not None else joined["answer"],
                "sources": sources if sources is not None else joined["sources"],
                "trace_id": None if key is order else key,
            }
            traces[key] = []
            continue
        table = _flatten(table)
        row = chosen or _kind_of(table)
        if row is None:
            shown = ", ".join(repr(name) for name in list(table)[:12])
            raise InputError(
                f"spans: row {order} with the columns {shown} is no span of a known tool ({', '.join(names[:-1])})"
            )
        span = _span(table, row, order)
        traces.setdefault(span.trace if span.trace is not None else order, []).append(span)
    return [whole[key] if key in whole else _join(found) for key, found in traces.items()]


_MLFLOW = next(row for row in KINDS if row.name == "mlflow")


def trace_of(table: dict[str, Any]) -> list[Any] | None:
    """The spans in one row that is a whole trace, as MLflow keeps it; ``None`` for any other row."""
    listed = fields.items(rows.opened(table.get("spans")))
    if not listed and isinstance(table.get("trace"), (str, dict)):
        trace = fields.mapping(rows.opened(table["trace"]))
        listed = fields.items(fields.mapping(trace.get("data")).get("spans")) or fields.items(trace.get("spans"))
    return listed if listed and all(fields.mapping(span) for span in listed) else None


def join_trace(spans: list[Any]) -> dict[str, Any]:
    """One conversation from the spans of one trace."""
    found = []
    for order, item in enumerate(spans):
        table = _flatten(
            {str(key): value for key, value in fields.mapping(item).items() if not fields.is_missing(value)}
        )
        found.append(_span(table, _kind_of(table) or KINDS[-1], order))
    return _join(found)


def _kind_of(table: dict[str, Any]) -> Kind | None:
    return next((row for row in KINDS if any(name in table for name in row.sign)), None)


def _flatten(table: dict[str, Any]) -> dict[str, Any]:
    """A row with nested attributes spread over dotted names, and numbered ones put together into lists."""
    attributes = fields.mapping(rows.opened(table.get("attributes")))
    flat = {name: value for name, value in table.items() if name != "attributes" or not attributes}
    stack: list[tuple[str, dict[str, Any], int]] = [("attributes", attributes, 0)]
    while stack:
        head, nested, depth = stack.pop()
        for name, value in nested.items():
            if isinstance(value, dict) and depth < 6:
                stack.append((f"{head}.{name}", value, depth + 1))
            elif not fields.is_missing(value):
                flat[f"{head}.{name}"] = value
    for name in [*flat]:
        for stem in (
            "retrieval.documents.",
            "reranker.output_documents.",
            "llm.output_messages.",
            "llm.input_messages.",
        ):
            head, found, rest = name.partition(stem)
            number, _, field = rest.partition(".")
            if found and number.isdigit() and field and head in ("", "attributes."):
                flat.setdefault(head + stem[:-1], _Numbered())
                if isinstance(flat[head + stem[:-1]], _Numbered):
                    flat[head + stem[:-1]].setdefault(int(number), {})[field] = flat[name]
    return {name: [v[n] for n in sorted(v)] if isinstance(v, _Numbered) else v for name, v in flat.items()}


class _Numbered(dict[int, dict[str, Any]]):
    """Items by their number, until all columns of a row were seen."""


def _name(table: dict[str, Any], names: tuple[str, ...]) -> str | None:
    return fields.name(fields.first(table, *names))


def _span(table: dict[str, Any], kind: Kind, order: int) -> _Span:
    record = fields.mapping(rows.opened(table.get("record_json"))) if kind.name == "trulens" else {}
    table = {**record, **table}
    documents = fields.first(table, *kind.documents) if kind.documents else None
    word = rows.opened(fields.first(table, *kind.type))
    if documents is None:
        documents = _trulens_contexts(record)
    return _Span(
        trace=_name(table, kind.trace),
        id=_name(table, kind.span),
        parent=_name(table, kind.parent),
        type=(fields.name(word) or "").lower(),
        start=fields.first(table, *kind.start),
        order=order,
        input=fields.first(table, *kind.input),
        output=fields.first(table, *kind.output),
        documents=rows.opened(documents),
    )


def _trulens_contexts(record: dict[str, Any]) -> list[Any] | None:
    """What the retrieval calls of a TruLens record returned."""
    found: list[Any] = []
    for call in map(fields.mapping, fields.items(record.get("calls"))):
        frames = [fields.mapping(frame) for frame in fields.items(call.get("stack"))]
        method = fields.mapping(frames[-1].get("method")) if frames else {}
        name = (fields.name(method.get("name")) or "").lower()
        if "retriev" in name or "relevant_documents" in name:
            returned = call.get("rets")
            found.extend(fields.items(fields.mapping(returned).get("rets")) or fields.items(returned))
    return found or None


def _is_retrieval(span: _Span) -> bool:
    return "retriev" in span.type or span.type in ("rerank", "reranker")


def _documents(span: _Span) -> list[Any]:
    """What a span found: its documents, or its output if it is a retriever."""
    found = fields.items(span.documents)
    if found or not _is_retrieval(span):
        return found
    output = rows.opened(span.output)
    listed = fields.items(output)
    if listed:
        return listed
    table = fields.mapping(output)
    for name in (*rows.SOURCES, "output", "result", "results", "rets"):
        listed = fields.items(rows.opened(table.get(name)))
        if listed:
            return listed
    return []


def _sort_key(span: _Span) -> tuple[str, int]:
    number = fields.int_or_none(span.start)
    return (f"{number:030d}" if number is not None else str(span.start or ""), span.order)


def _join(spans: list[_Span]) -> dict[str, Any]:
    """One conversation from its spans: what the root got and gave, else what a model did; what the retrievers found."""
    known = {span.id for span in spans}
    timed = sorted(spans, key=_sort_key)
    retrievals = [span for span in timed if _is_retrieval(span) or fields.items(span.documents)]
    reranked = [span for span in retrievals if "rerank" in span.type]
    others = [span for span in timed if not _is_retrieval(span)]
    roots = [span for span in others if span.parent is None or span.parent not in known]
    answer, sources = None, None
    for span in [*roots[:1], *reversed(others)]:
        answer, nested = rows.split(span.output, depth=1) if span.output is not None else (None, None)
        sources = nested if sources is None else sources
        if answer is not None:
            break
    found = [document for span in reranked[-1:] or retrievals for document in _documents(span)]
    question = None
    for span in [*roots, *others, *retrievals]:
        question = rows.question_of(span.input) if span.input is not None else None
        if question is not None:
            break
    return {
        "question": question,
        "answer": answer,
        "sources": found or (sources if sources is not None else ([] if retrievals else None)),
        "trace_id": next((span.trace for span in spans if span.trace is not None), None),
    }
