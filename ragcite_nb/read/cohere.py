"""Cohere chat, versions 1 and 2. The ``text`` of its citations is a piece of the answer, never of a source."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ragcite_nb.models import Source
from ragcite_nb.read import fields, offsets
from ragcite_nb.read.draft import Draft
from ragcite_nb.read.sources import source_from

_CUT = ("MAX_TOKENS", "ERROR_LIMIT")
_STOPPED = ("ERROR", "ERROR_TOXIC")


def is_v2(data: dict[str, Any]) -> bool:
    """A whole response of version 2."""
    message = fields.mapping(data.get("message"))
    reason = fields.text(data.get("finish_reason"))
    return bool(message) and "finish_reason" in data and reason == reason.upper() and "choices" not in data


def is_v1(data: dict[str, Any]) -> bool:
    """A whole response of version 1."""
    return isinstance(data.get("text"), str) and "generation_id" in data


def is_v2_event(data: dict[str, Any]) -> bool:
    """One event of a stream of version 2."""
    return data.get("type") in (
        "message-start", "content-start", "content-delta", "content-end", "citation-start", "citation-end",
        "message-end",
        "tool-plan-delta",
    )  # fmt: skip


def is_v1_event(data: dict[str, Any]) -> bool:
    """One event of a stream of version 1."""
    return isinstance(data.get("event_type"), str)


def join_v2(events: list[dict[str, Any]], done: bool) -> dict[str, Any]:
    """The events of a stream as one response."""
    contents: dict[int, dict[str, Any]] = {}
    texts: dict[int, list[str]] = {}
    citations: list[Any] = []
    plan: list[str] = []
    ended: dict[str, Any] = {}
    for event in events:
        kind = event.get("type")
        index = fields.int_or_none(event.get("index")) or 0
        delta = fields.mapping(event.get("delta"))
        message = fields.mapping(delta.get("message"))
        content = fields.mapping(message.get("content"))
        if kind in ("content-start", "content-delta"):
            contents.setdefault(index, {"type": "thinking" if "thinking" in content else "text"})
            if content.get("type"):
                contents[index]["type"] = content["type"]
            texts.setdefault(index, []).append(fields.text(content.get("text")) or fields.text(content.get("thinking")))
        elif kind == "citation-start":
            found = message.get("citations")
            citations.extend(fields.items(found) or [found])
        elif kind == "tool-plan-delta":
            plan.append(fields.text(message.get("tool_plan")))
        elif kind == "message-end":
            ended = {"finish_reason": delta.get("finish_reason") or "COMPLETE", "usage": delta.get("usage")}
    content_list = []
    for index in sorted(contents):
        key = "thinking" if contents[index]["type"] == "thinking" else "text"
        content_list.append(contents[index] | {key: "".join(texts.get(index, ()))})
    joined_message = {"content": content_list, "citations": citations, "tool_plan": "".join(plan)}
    return {"finish_reason": None, "cut": not (ended or done), **ended, "message": joined_message}


def join_v1(events: list[dict[str, Any]], done: bool) -> dict[str, Any]:
    """The events of a stream as one response: the last event holds it whole."""
    joined: dict[str, Any] = {"generation_id": None, "cut": not done}
    texts: list[str] = []
    citations: list[Any] = []
    for event in events:
        kind = event.get("event_type")
        if kind == "text-generation":
            texts.append(fields.text(event.get("text")))
        elif kind == "citation-generation":
            citations.extend(fields.items(event.get("citations")))
        elif kind == "search-results":
            joined["documents"] = event.get("documents")
        elif kind == "stream-end":
            response = fields.mapping(event.get("response"))
            joined |= {key: value for key, value in response.items() if value is not None}
            joined |= {"finish_reason": event.get("finish_reason") or response.get("finish_reason"), "cut": False}
    joined.setdefault("citations", citations)
    if not isinstance(joined.get("text"), str):
        joined["text"] = "".join(texts)
    return joined


def read_v2(data: dict[str, Any]) -> Draft:
    """Read a response of version 2."""
    message = fields.mapping(data.get("message"))
    draft = _draft("cohere.v2", data, fields.mapping(data.get("usage")))
    draft.reasoning.append(fields.text(message.get("tool_plan")))
    parts: list[str] = []
    bases: dict[int, tuple[int, str]] = {}
    position = 0
    content = message.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else fields.items(content)
    for index, block in enumerate(map(fields.mapping, blocks)):
        if block.get("type") == "thinking":
            draft.reasoning.append(fields.text(block.get("thinking")))
            continue
        text = fields.text(block.get("text"))
        bases[index] = (position, text)
        parts.append(text)
        position += len(text)
    draft.text = "".join(parts)
    for citation in map(fields.mapping, fields.items(message.get("citations"))):
        if citation.get("type") in ("THINKING_CONTENT", "PLAN"):
            continue
        base = bases.get(fields.int_or_none(citation.get("content_index")) or 0)
        span = _span(draft.text, citation, base)
        for source in map(fields.mapping, fields.items(citation.get("sources"))):
            read = _source(source)
            place = draft.book.add(read, ("id", read.id) if read.id is not None else None)
            draft.cite(
                span,
                reference=str(read.id or ""),
                id=_text(read.id),
                payload_source=place,
                title=read.title,
                url=read.url,
            )
    _settle(draft)
    return draft


def read_v1(data: dict[str, Any]) -> Draft:
    """Read a response of version 1."""
    meta = fields.mapping(data.get("meta"))
    draft = _draft("cohere.v1", data, meta)
    draft.text = fields.text(data.get("text"))
    for document in map(fields.mapping, fields.items(data.get("documents"))):
        read = source_from(document or None)
        draft.book.add(read, ("id", _text(read.id)) if read.id is not None else ("position", len(draft.book)))
    for citation in map(fields.mapping, fields.items(data.get("citations"))):
        span = _span(draft.text, citation, None)
        for own in filter(None, map(fields.name, fields.items(citation.get("document_ids")))):
            draft.cite(span, reference=own, id=own, payload_source=draft.book.find(("id", own)))
    _settle(draft)
    return draft


def _draft(name: str, data: dict[str, Any], usage: dict[str, Any]) -> Draft:
    tokens = fields.mapping(fields.first(usage, "tokens", "billed_units"))
    reason = fields.name(data.get("finish_reason"))
    return Draft(
        format=name,
        finish_reason=reason,
        truncated=reason in _CUT or data.get("cut") is True,
        refusal=reason if reason in _STOPPED else None,
        prompt_tokens=fields.count(tokens.get("input_tokens")),
        output_tokens=fields.count(tokens.get("output_tokens")),
    )


def _settle(draft: Draft) -> None:
    # Stopped while it was being written.
    draft.truncated |= draft.refusal is not None and bool(draft.text)


def _span(text: str, citation: dict[str, Any], base: tuple[int, str] | None) -> offsets.Span | None:
    """The cited span: within its content block, else within the whole text."""
    start, end = fields.int_or_none(citation.get("start")), fields.int_or_none(citation.get("end"))
    piece = fields.text(citation.get("text"))
    if not piece:
        return None if start is None or end is None else offsets.inside(text, start, end)
    if base is not None:
        span = offsets.shifted(offsets.fit(base[1], piece, start, end), base[0])
        if span is not None:
            return span
    return offsets.fit(text, piece, start, end)


def _source(data: dict[str, Any]) -> Source:
    """A cited document, or the output of a tool."""
    inner = fields.mapping(fields.first(data, "document", "tool_output"))
    source = source_from(inner) if inner else Source()
    if source.text is None and inner:
        source = replace(source, text=fields.as_json(inner))
    own = fields.name(data.get("id"))
    return replace(source, id=own) if own is not None else source


def _text(value: str | int | None) -> str | None:
    return None if value is None else str(value)
