"""The table of formats: how each is recognised and which function reads it.

The first row that recognises a payload reads it, so the more specific shapes stand first: a payload that has the fields of two
shapes is read as the one that stands higher. A new provider is one module and one row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from ragcite_nb.read import fields, json_answer, ollama, openai_chat, ragflow
from ragcite_nb.read.draft import Draft


class Join(Protocol):
    """Puts the events of a stream together; ``done`` says that the stream called itself complete."""

    def __call__(self, events: list[dict[str, Any]], *, done: bool = False) -> dict[str, Any]: ...


class Format(NamedTuple):
    """One row.

    Attributes:
        name: how people call it.
        fields: the fields that tell it, for messages.
        detect: whether a whole response has this shape.
        read: reads a whole response.
        is_event: whether one event of a stream has this shape.
        join: puts events together into a whole response.
        takes_open: ``read`` also takes the ids of containers that a cut left open.
    """

    name: str
    fields: str
    detect: Callable[[dict[str, Any]], bool]
    read: Callable[..., Draft]
    is_event: Callable[[dict[str, Any]], bool] | None = None
    join: Join | None = None
    takes_open: bool = False


FORMATS: tuple[Format, ...] = (
    Format(
        "OpenAI chat", "choices", openai_chat.is_completion, openai_chat.read, openai_chat.is_chunk, openai_chat.join
    ),
    Format("Ollama chat", "message, done", ollama.is_chat, ollama.read_chat, ollama.is_chat, ollama.join_chat),
    Format(
        "Ollama generate",
        "response, done",
        ollama.is_generate,
        ollama.read_generate,
        ollama.is_generate,
        ollama.join_generate,
    ),
    Format(
        "RAGFlow", "data.answer, data.reference", ragflow.is_response, ragflow.read, ragflow.is_response, ragflow.join
    ),
    Format("rich answer", "text, citations", json_answer.is_rich, json_answer.read_rich, takes_open=True),
    Format("JSON answer", "answer, citations", json_answer.is_answer, json_answer.read, takes_open=True),
)


def unwrap(data: dict[str, Any]) -> dict[str, Any]:
    """A payload without the envelope that a client or a serializer put around it.

    >>> unwrap({"lc": 1, "type": "constructor", "id": ["AIMessage"], "kwargs": {"content": "30 days"}})["content"]
    '30 days'
    """
    if data.get("lc") == 1 and "kwargs" in data:
        return {
            "type": _LC_TYPES.get(str((data.get("id") or [""])[-1]), "constructor"),
            **fields.mapping(data["kwargs"]),
        }
    inner = fields.mapping(data.get("data"))
    if inner and set(data) <= {"data", "event", "id", "retry"} and not ragflow.is_response(data):
        return inner
    return data


_LC_TYPES = {"AIMessage": "ai", "AIMessageChunk": "AIMessageChunk", "HumanMessage": "human", "ToolMessage": "tool"}
