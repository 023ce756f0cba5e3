"""Ollama: ``/api/chat`` and ``/api/generate``, whole or as NDJSON."""

from __future__ import annotations

from typing import Any

from ragcite_nb.read import fields
from ragcite_nb.read.draft import Draft

_META = ("done", "created_at", "total_duration", "eval_count", "done_reason")


def is_chat(data: dict[str, Any]) -> bool:
    """A response, or one line of a stream, of ``/api/chat``."""
    message = fields.mapping(data.get("message"))
    return isinstance(message.get("content"), (str, type(None))) and bool(message) and any(key in data for key in _META)


def is_generate(data: dict[str, Any]) -> bool:
    """A response, or one line of a stream, of ``/api/generate``."""
    return isinstance(data.get("response"), str) and any(key in data for key in _META)


def join_chat(events: list[dict[str, Any]], _done: bool) -> dict[str, Any]:
    """The lines of a stream as one response."""
    joined = _join(events)
    messages = [fields.mapping(event.get("message")) for event in events]
    joined["message"] = {
        "role": "assistant",
        "content": "".join(fields.text(m.get("content")) for m in messages),
        "thinking": "".join(fields.text(m.get("thinking")) for m in messages),
    }
    return joined


def join_generate(events: list[dict[str, Any]], _done: bool) -> dict[str, Any]:
    """The lines of a stream as one response."""
    joined = _join(events)
    for key in ("response", "thinking"):
        joined[key] = "".join(fields.text(event.get(key)) for event in events)
    return joined


def _join(events: list[dict[str, Any]]) -> dict[str, Any]:
    """The statistics stand on the line with ``done: true``; a log without one was cut."""
    joined: dict[str, Any] = {"done": False}
    for event in events:
        joined.update((key, value) for key, value in event.items() if value is not None)
    return joined


def read_chat(data: dict[str, Any]) -> Draft:
    """Read a response of ``/api/chat``."""
    message = fields.mapping(data.get("message"))
    return _read(data, "ollama.chat", message.get("content"), message.get("thinking"))


def read_generate(data: dict[str, Any]) -> Draft:
    """Read a response of ``/api/generate``."""
    return _read(data, "ollama.generate", data.get("response"), data.get("thinking"))


def _read(data: dict[str, Any], name: str, text: Any, thinking: Any) -> Draft:
    reason = fields.name(data.get("done_reason"))
    done = data.get("done")
    return Draft(
        format=name,
        text=fields.text(text),
        reasoning=[fields.text(thinking)],
        finish_reason=reason,
        # A server that says why it stopped has stopped, whatever became of the flag in the log.
        truncated=reason == "length" or (done is not True and "done" in data and reason is None),
        prompt_tokens=fields.count(data.get("prompt_eval_count")),
        output_tokens=fields.count(data.get("eval_count")),
    )
