"""Which columns of a frame hold the answers and the sources.

Logs name them after the tool that wrote them, so the known tools come first, each with the pair of columns that belong
together; other frames are searched for plain names. A guess is made only when there is one candidate: a frame with two
is refused, because checking answers against the wrong column would give numbers that look right.

Some tools keep a whole run in nested cells (the sources inside a list of spans, the answer inside an output dict). Of
these tables a row is handed on as one mapping, and :mod:`ragcite_nb.read` takes it apart.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ragcite_nb.models import InputError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence


class Pair(NamedTuple):
    """Two columns that a tool writes side by side, by their folded names."""

    tool: str
    answer: str
    sources: str


PAIRS = (
    Pair("ragas", "response", "retrieved_contexts"),
    Pair("ragas 0.1 and Hugging Face", "answer", "contexts"),
    Pair("deepeval", "actual_output", "retrieval_context"),
    Pair("Phoenix get_input_output_context", "output", "context"),
    Pair("LangChain", "result", "source_documents"),
    Pair("LangChain", "answer", "source_documents"),
    Pair("LangChain", "answer", "context"),
    Pair("LlamaIndex", "response", "source_nodes"),
    Pair("plain names", "answer", "sources"),
)
"""Known pairs. A frame that holds exactly one of them is read by it, whatever other columns it has."""

ANSWERS = (
    ("answer", "response", "completion", "actual_output", "generated_answer", "generated_response", "generated_text",
     "model_answer", "model_output", "model_response", "llm_answer", "llm_output", "llm_response", "rag_answer",
     "predicted_answer", "bot_answer", "bot_response", "assistant_response", "answer_text", "reponse", "antwort"),
    ("output", "outputs", "result", "reply", "prediction", "generation", "assistant"),
    ("messages", "conversation", "transcript"),
)  # fmt: skip
"""Plain names of the answers' column, the sure ones first; a later tier counts only when an earlier one has none."""

SOURCES = (
    ("sources", "contexts", "documents", "passages", "chunks", "source_documents", "source_nodes", "source_texts",
     "retrieved_contexts", "retrieved_context", "retrieval_context", "retrieved_documents", "retrieved_docs",
     "retrieved_passages", "retrieved_chunks", "search_results", "quellen"),
    ("context", "docs", "references", "source", "evidence", "kontext", "contexte"),
)  # fmt: skip
"""Plain names of the sources' column, in tiers like :data:`ANSWERS`."""


class Nested(NamedTuple):
    """A tool that keeps a whole run in one row; any of ``signatures`` (folded names) tells its table."""

    tool: str
    signatures: tuple[frozenset[str], ...]
    answer: tuple[str, ...]
    sources: tuple[str, ...]


NESTED = (
    Nested("MLflow traces", (frozenset({"response", "spans"}), frozenset({"trace", "trace_id"})),
           ("response", "trace"), ("spans", "trace")),
    Nested("Weave calls", (frozenset({"op_name", "output"}),), ("output",), ("output",)),
    Nested("LangSmith runs", (frozenset({"run_type", "outputs"}),), ("outputs",), ("outputs",)),
    Nested("TruLens records", (frozenset({"record_id", "output"}), frozenset({"record_json"})),
           ("output", "record_json"), ("record_json", "output")),
    Nested("Langfuse traces", (frozenset({"output", "trace_id"}), frozenset({"output", "session_id"})),
           ("output",), ("output",)),
    Nested("OpenTelemetry GenAI", (frozenset({"gen_ai.output.messages"}), frozenset({"gen_ai.completion.0.content"})),
           ("gen_ai.output.messages", "gen_ai.completion.0.content"), ("gen_ai.retrieval.documents",)),
    Nested("inputs and outputs", (frozenset({"inputs", "outputs"}), frozenset({"input", "output"})),
           ("outputs", "output"), ("outputs", "output")),
)  # fmt: skip
"""Tables whose rows are read as a whole, the most telling first."""

IDEAL_CONTEXT = "context"
"""deepeval's name for the ideal context: what should have been retrieved, not what was sent to the model."""

JOINED = "retrieval_context"
"""deepeval's column of sources, which its CSV export writes as one text joined by :data:`JOINED_BY`."""
JOINED_BY = "|"

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ACCENTS = str.maketrans("éèêà", "eeea")


def fold(name: Hashable) -> str:
    """A column's name without what exports change: case, camel case, blanks, an ``outputs.`` prefix.

    >>> fold("retrievalContext"), fold("Retrieved Contexts"), fold("output.answer"), fold(3)
    ('retrieval_context', 'retrieved_contexts', 'answer', '')
    """
    if not isinstance(name, str):
        return ""
    folded = _CAMEL.sub("_", name.strip()).casefold().translate(_ACCENTS)
    folded = re.sub(r"[\s-]+", "_", folded)
    for prefix in ("outputs.", "output."):
        folded = folded.removeprefix(prefix)
    return folded


@dataclass(frozen=True, slots=True)
class Columns:
    """Where a row's answer and sources stand.

    Attributes:
        answer: name of the answers' column; ``None`` when they were passed beside the frame.
        sources: name of the sources' column; ``None`` when the answers' payloads carry them or they were passed.
        row: not empty for nested tables: all columns that make one row, handed on together.
        beside: the row is a nested table's, but its sources stand in a column of their own: ``sources``, one of ``row``.
    """

    answer: Hashable | None
    sources: Hashable | None
    row: tuple[Hashable, ...] = ()
    beside: bool = False

    @property
    def joined(self) -> bool:
        """Whether a text in the sources' column is several sources joined by :data:`JOINED_BY`."""
        return fold(self.sources) == JOINED


def find(
    names: Iterable[Hashable],
    answer: Hashable | None = None,
    sources: Hashable | None = None,
    *,
    need_answer: bool = True,
    need_sources: bool = True,
) -> Columns:
    """The columns to read, from their names alone; those that are given are taken and must exist.

    Args:
        names: all columns of the frame.
        answer: the answers' column, if known.
        sources: the sources' column, if known.
        need_answer: False when the answers come from outside the frame.
        need_sources: False when the sources come from outside the frame.

    Raises:
        InputError: for a name that is not there, several candidates, or none for the answers. A frame without a
            candidate for the sources is let through: its answers may be payloads that carry them.

    >>> find(["question", "contexts", "answer"])
    Columns(answer='answer', sources='contexts', row=(), beside=False)
    """
    present = list(names)
    for keyword, name in (("answer", answer), ("sources", sources)):
        if name is not None and name not in present:
            raise InputError(_missing(keyword, name, present))
    if (answer is not None or not need_answer) and (sources is not None or not need_sources):
        return Columns(answer, sources)
    folded = {name: fold(name) for name in present}
    if answer is None and sources is None and need_answer and need_sources:
        _refuse_spans(present)
    pairs = _pairs(folded, answer, sources) if need_answer and need_sources else []
    if len(set(pairs)) == 1:
        return Columns(*pairs[0])
    if pairs:
        listed = " or ".join(f"answer={a!r}, sources={s!r}" for a, s in dict.fromkeys(pairs))
        raise InputError(f"several columns could be meant: pass {listed}. {_there_are(present)}")
    nested = None
    if answer is None and sources is None and need_answer and need_sources:
        nested = _nested(present, folded)
        # A column of sources beside the tool's own was put there by somebody who wants it read.
        if nested and _one(present, folded, SOURCES[:1], "sources", {nested.answer}) is None:
            return nested
    if answer is None and need_answer:
        answer = _one(present, folded, ANSWERS, "answer", {sources})
        if answer is None and nested is None:
            raise InputError(f"no column of answers found; pass answer='…'. {_there_are(present)}")
    if sources is None and need_sources:
        hidden: set[Hashable] = {nested.answer if answer is None and nested else answer}
        if fold(answer) == "actual_output":
            hidden |= {name for name, plain in folded.items() if plain == IDEAL_CONTEXT}
        sources = _one(present, folded, SOURCES, "sources", hidden)
    if answer is None and nested:
        return Columns(nested.answer, sources, tuple(dict.fromkeys([*nested.row, sources])), beside=True)
    return Columns(answer, sources)


def no_sources(names: Sequence[Hashable], answer: Hashable | None) -> InputError:
    """The error for a frame of plain answers in which no column of sources is found."""
    ideal = [name for name in names if fold(name) == IDEAL_CONTEXT and fold(answer) == "actual_output"]
    hint = f" ({ideal[0]!r} is the ideal context in deepeval, not what the model got.)" if ideal else ""
    return InputError(
        f"no column of sources found; pass sources='…', or sources=[None] * len(df) to check without any.{hint} "
        f"{_there_are(names)}"
    )


def _missing(keyword: str, name: Hashable, present: list[Hashable]) -> str:
    near = difflib.get_close_matches(str(name), [str(p) for p in present], n=1)
    hint = f"; did you mean {near[0]!r}?" if near else "."
    return f"there is no column {name!r} for {keyword}={hint} {_there_are(present)}"


def _there_are(present: Sequence[Hashable]) -> str:
    if not present:
        return "The frame has no columns."
    shown = ", ".join(repr(name) for name in present[:40])
    more = f", … ({len(present)} in all)" if len(present) > 40 else ""
    return f"The columns are {shown}{more}"


def _refuse_spans(present: list[Hashable]) -> None:
    """Tables of spans hold the answer and its sources in different rows."""
    text = [name for name in present if isinstance(name, str)]
    if "context.trace_id" in text and any(name.startswith("attributes.") for name in text):
        raise InputError(
            "this is a table of spans, with the answer and its sources in different rows; "
            "ragcite_nb.conversations(df) joins them into one row per answer, which can be checked"
        )


def _pairs(
    folded: dict[Hashable, str], answer: Hashable | None, sources: Hashable | None
) -> list[tuple[Hashable, Hashable]]:
    by_fold: dict[str, list[Hashable]] = {}
    for name, plain in folded.items():
        by_fold.setdefault(plain, []).append(name)
    return [
        (a, s)
        for pair in PAIRS
        for a in by_fold.get(pair.answer, ())
        for s in by_fold.get(pair.sources, ())
        if answer in (None, a) and sources in (None, s)
    ]


def _nested(present: list[Hashable], folded: dict[Hashable, str]) -> Columns | None:
    """How the table of a tool is read whose rows hold whole runs; ``None`` for other tables."""
    plain = {value: name for name, value in folded.items()}
    # The prefix is part of the name in these tables (gen_ai.output.messages), so the names as they are count too.
    plain |= {name: name for name in present if isinstance(name, str)}
    for tool in NESTED:
        if not any(signature <= plain.keys() for signature in tool.signatures):
            continue
        answer = next((plain[name] for name in tool.answer if name in plain), None)
        sources = next((plain[name] for name in tool.sources if name in plain), None)
        return Columns(answer, sources, tuple(name for name in present if isinstance(name, str)))
    return None


def _one(
    present: list[Hashable],
    folded: dict[Hashable, str],
    tiers: tuple[tuple[str, ...], ...],
    keyword: str,
    taken: set[Hashable],
) -> Hashable | None:
    """The only candidate of the first tier that has any; ``None`` without one."""
    for tier in tiers:
        found = [name for name in present if folded[name] in tier and name not in taken]
        if len(found) == 1:
            return found[0]
        if found:
            listed = " or ".join(f"{keyword}={name!r}" for name in found)
            raise InputError(f"several columns could hold the {keyword}: pass {listed}. {_there_are(present)}")
    return None
