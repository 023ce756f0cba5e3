"""OpenAI Assistants: messages of a thread, whole or as a stream, with marks such as ``【4:0†source】`` in the text."""

from __future__ import annotations

from typing import Any

from ragcite_nb.read import fields, openai_annotations
from ragcite_nb.read.draft import Draft


def is_message(data: dict[str, Any]) -> bool:
    """A message, or a list of messages as the API returns it."""
    return data.get("object") == "thread.message" or _newest(data) is not None


def _newest(data: dict[str, Any]) -> dict[str, Any] | None:
    """The newest message of the assistant in a list of messages, which begins with the newest."""
    if data.get("object") != "list":
        return None
    messages = [fields.mapping(item) for item in fields.items(data.get("data"))]
    messages = [m for m in messages if m.get("object") == "thread.message" and m.get("role") == "assistant"]
    return max(messages, key=lambda m: fields.int_or_none(m.get("created_at")) or 0, default=None)


def is_event(data: dict[str, Any]) -> bool:
    """One event of a stream, or its data."""
    return data.get("object") in ("thread.message.delta", "thread.message") or fields.text(
        data.get("event")
    ).startswith("thread.")


def join(events: list[dict[str, Any]], done: bool) -> dict[str, Any]:
    """The events of a stream as one message: the completed one, or its pieces when the log was cut."""
    texts: dict[int, list[str]] = {}
    marks: dict[int, list[Any]] = {}
    for event in events:
        data = fields.mapping(event.get("data")) or event
        if (
            data.get("object") == "thread.message"
            and data.get("status") in ("completed", "incomplete")
            and data.get("content")
        ):
            return data
        for part in map(fields.mapping, fields.items(fields.mapping(data.get("delta")).get("content"))):
            index = fields.int_or_none(part.get("index")) or 0
            text = fields.mapping(part.get("text"))
            texts.setdefault(index, []).append(fields.text(text.get("value")))
            marks.setdefault(index, []).extend(fields.items(text.get("annotations")))
    content = [
        {"type": "text", "text": {"value": "".join(texts[index]), "annotations": marks[index]}}
        for index in sorted(texts)
    ]
    return {"object": "thread.message", "content": content, "status": "completed" if done else "in_progress"}


def read(data: dict[str, Any]) -> Draft:
    """Read a message."""
    data = _newest(data) or data
    status = fields.name(data.get("status"))
    reason = fields.name(fields.mapping(data.get("incomplete_details")).get("reason"))
    draft = Draft(
        format="openai.assistants",
        finish_reason=reason or status,
        truncated=status in ("incomplete", "in_progress"),
        refusal=reason if reason == "content_filter" else None,
    )
    parts: list[str] = []
    position = 0
    for part in map(fields.mapping, fields.items(data.get("content"))):
        if part.get("type") == "refusal":
            draft.refusal = fields.text(part.get("refusal")) or "refusal"
        elif part.get("type") == "text":
            inner = fields.mapping(part.get("text"))
            text = fields.text(inner.get("value")) or fields.text(part.get("text"))
            openai_annotations.add(draft, fields.items(inner.get("annotations")), text, position)
            parts.append(text)
            position += len(text)
    draft.text = "".join(parts)
    return draft
