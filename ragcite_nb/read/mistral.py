"""Mistral: chat content in chunks, and conversations. A reference chunk cites the text chunk before it."""

from __future__ import annotations

import unicodedata
from typing import Any

from ragcite_nb.models import Source
from ragcite_nb.read import fields
from ragcite_nb.read.draft import Draft

_REFERENCES = ("reference", "tool_reference")


def is_reference(chunk: Any) -> bool:
    """Whether a chunk cites the text before it."""
    return fields.mapping(chunk).get("type") in _REFERENCES


def merge_text(chunks: list[Any]) -> list[dict[str, Any]]:
    """The chunks of a stream with the pieces of one text joined: a reference cites all of it."""
    merged: list[dict[str, Any]] = []
    for chunk in chunks:
        data = {"type": "text", "text": chunk} if isinstance(chunk, str) else fields.mapping(chunk)
        if data.get("type") == "text" and merged and merged[-1].get("type") == "text":
            merged[-1] = merged[-1] | {"text": fields.text(merged[-1].get("text")) + fields.text(data.get("text"))}
        elif data:
            merged.append(data)
    return merged


def read_chunks(draft: Draft, chunks: list[Any]) -> None:
    """Add content in chunks to an answer."""
    parts = [draft.text]
    last = ""  # the text chunk that a reference cites
    begin, end = len(draft.text), len(draft.text)
    for chunk in chunks:
        # Content may mix texts and chunks.
        data = {"type": "text", "text": chunk} if isinstance(chunk, str) else fields.mapping(chunk)
        kind = data.get("type")
        if kind in _REFERENCES:
            _cite(draft, data, cited_span(last, begin))
        elif kind == "thinking":
            inner = fields.items(data.get("thinking"))
            thoughts = [fields.text(fields.mapping(part).get("text")) for part in inner]
            draft.reasoning.append("".join(thoughts) or fields.text(data.get("thinking")))
        elif kind == "refusal":
            draft.refusal = fields.text(data.get("refusal")) or draft.refusal
        else:
            text = fields.text(data.get("text"))
            if text:
                begin, end = end, end + len(text)
                last = text
                parts.append(text)
    draft.text = "".join(parts)


def cited_span(text: str, base: int) -> tuple[int, int]:
    """The span of a cited text chunk without the spaces and the punctuation that end the sentence before.

    >>> cited_span(". Refunds take 5 days", 10)
    (12, 31)
    """
    skip = 0
    while skip < len(text) and (text[skip].isspace() or unicodedata.category(text[skip])[0] == "P"):
        if unicodedata.category(text[skip]) in ("Ps", "Pi"):
            break  # an opening bracket or quotation mark begins what follows
        skip += 1
    return (base + skip, base + len(text)) if skip < len(text) else (base, base)


def _cite(draft: Draft, data: dict[str, Any], span: tuple[int, int]) -> None:
    if data.get("type") == "tool_reference":
        url, title = fields.name(data.get("url")), fields.name(data.get("title"))
        place = draft.book.add(Source(url=url, title=title), ("url", url or title))
        draft.cite(span, reference=title or url or "", url=url, title=title, payload_source=place)
        return
    for reference in fields.items(data.get("reference_ids")):
        own = fields.name(reference)
        if own is not None:
            draft.cite(span, reference=own, id=own, sent_source=fields.int_or_none(reference))


def is_conversation(data: dict[str, Any]) -> bool:
    """A whole response of the conversations API."""
    if fields.text(data.get("object")).startswith("conversation.response"):
        return True
    outputs = [fields.mapping(item) for item in fields.items(data.get("outputs"))]
    return any(item.get("type") == "message.output" for item in outputs)


def is_conversation_event(data: dict[str, Any]) -> bool:
    """One event of a stream of the conversations API."""
    return fields.text(data.get("type")).startswith(("conversation.response.", "message.output.delta"))


def join_conversation(events: list[dict[str, Any]], done: bool) -> dict[str, Any]:
    """The events of a stream as one response."""
    outputs: dict[int, list[Any]] = {}
    usage: Any = None
    ended = done
    for event in events:
        if event.get("type") == "conversation.response.done":
            ended, usage = True, event.get("usage")
        elif event.get("type") == "message.output.delta":
            index = fields.int_or_none(event.get("output_index")) or 0
            outputs.setdefault(index, []).append(event.get("content"))
    listed = [{"type": "message.output", "content": merge_text(outputs[index])} for index in sorted(outputs)]
    return {"object": "conversation.response", "outputs": listed, "usage": usage, "cut": not ended}


def read_conversation(data: dict[str, Any]) -> Draft:
    """Read a response of the conversations API."""
    usage = fields.mapping(data.get("usage"))
    draft = Draft(
        format="mistral.conversations",
        truncated=data.get("cut") is True,
        prompt_tokens=fields.count(usage.get("prompt_tokens")),
        output_tokens=fields.count(usage.get("completion_tokens")),
    )
    for item in map(fields.mapping, fields.items(data.get("outputs"))):
        if item.get("type") == "message.output":
            content = item.get("content")
            read_chunks(draft, [content] if isinstance(content, str) else fields.items(content))
    return draft
