"""Anthropic Messages: blocks of text, each with the citations that support it, whole or as a stream."""

from __future__ import annotations

from typing import Any

from ragcite_nb.models import Source
from ragcite_nb.read import fields
from ragcite_nb.read.draft import Draft

_CUT = ("max_tokens", "model_context_window_exceeded", "pause_turn")
_EVENTS = (
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
)
_LOCATIONS = {
    "char_location": ("characters", "start_char_index", "end_char_index"),
    "page_location": ("p.", "start_page_number", "end_page_number"),
    "content_block_location": ("block", "start_block_index", "end_block_index"),
    "search_result_location": ("block", "start_block_index", "end_block_index"),
}


def is_message(data: dict[str, Any]) -> bool:
    """A whole response."""
    return data.get("type") == "message" and bool(fields.items(data.get("content")) or "stop_reason" in data)


def is_event(data: dict[str, Any]) -> bool:
    """One event of a stream."""
    return data.get("type") in _EVENTS


def join(events: list[dict[str, Any]], done: bool) -> dict[str, Any]:
    """The events of a stream as one response."""
    message: dict[str, Any] = {}
    usage: dict[str, Any] = {}
    blocks: dict[int, dict[str, Any]] = {}
    pieces: dict[int, list[str]] = {}
    ended = done
    for event in events:
        kind = event.get("type")
        index = fields.int_or_none(event.get("index")) or 0
        if kind == "message_start":
            message = fields.mapping(event.get("message"))
            usage |= fields.mapping(message.get("usage"))
            for place, block in enumerate(map(fields.mapping, fields.items(message.get("content")))):
                blocks[place] = dict(block)
        elif kind == "content_block_start":
            blocks[index] = dict(fields.mapping(event.get("content_block")))
        elif kind == "content_block_delta":
            delta = fields.mapping(event.get("delta"))
            block = blocks.setdefault(index, {"type": "thinking" if delta.get("type") == "thinking_delta" else "text"})
            if delta.get("type") == "citations_delta":
                block["citations"] = [*fields.items(block.get("citations")), delta.get("citation")]
            else:
                pieces.setdefault(index, []).append(fields.text(fields.first(delta, "text", "thinking")))
        elif kind == "message_delta":
            message = {**message, **{k: v for k, v in fields.mapping(event.get("delta")).items() if v is not None}}
            usage |= {k: v for k, v in fields.mapping(event.get("usage")).items() if v is not None}
        elif kind == "message_stop":
            ended = True
    for index, texts in pieces.items():
        key = "thinking" if blocks[index].get("type") == "thinking" else "text"
        blocks[index][key] = fields.text(blocks[index].get(key)) + "".join(texts)
    content = [blocks[index] for index in sorted(blocks)]
    cut = not ended and not message.get("stop_reason")
    return {**message, "type": "message", "content": content, "usage": usage, "cut": cut}


def read(data: dict[str, Any]) -> Draft:
    """Read a response."""
    usage = fields.mapping(data.get("usage"))
    prompt = [
        fields.count(usage.get(k)) for k in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    ]
    reason = fields.name(data.get("stop_reason"))
    draft = Draft(
        format="anthropic.messages",
        finish_reason=reason,
        prompt_tokens=sum(n or 0 for n in prompt) if prompt[0] is not None else None,
        output_tokens=fields.count(usage.get("output_tokens")),
    )
    read_blocks(draft, fields.items(data.get("content")))
    draft.truncated = reason in _CUT or data.get("cut") is True
    if reason == "refusal":
        details = fields.mapping(data.get("stop_details"))
        draft.refusal = fields.text(fields.first(details, "explanation", "category")) or "refusal"
        draft.truncated |= bool(draft.text)  # stopped while it was being written
    return draft


def read_blocks(draft: Draft, blocks: list[Any]) -> None:
    """Add content blocks to an answer: a citation supports the whole text block that it stands in."""
    parts = [draft.text]
    position = len(draft.text)
    for item in blocks:
        block = {"type": "text", "text": item} if isinstance(item, str) else fields.mapping(item)
        kind = block.get("type")
        if kind in ("web_search_tool_result", "web_fetch_tool_result"):
            _add_results(draft, block)
        elif kind in ("thinking", "reasoning"):
            draft.reasoning.append(fields.text(fields.first(block, "thinking", "reasoning")))
        elif kind == "text":
            text = fields.text(block.get("text"))
            span = (position, position + len(text))
            for citation in map(fields.mapping, fields.items(block.get("citations"))):
                _cite(draft, citation, span)
            parts.append(text)
            position = span[1]
    draft.text = "".join(parts)


def _add_results(draft: Draft, block: dict[str, Any]) -> None:
    """The pages of a web search; their text comes encrypted, that of a fetched page does not."""
    content = block.get("content")
    for result in map(fields.mapping, fields.items(content) or [content]):
        url = fields.name(result.get("url"))
        if url is None:
            continue
        document = fields.mapping(result.get("content"))
        text = fields.text(fields.mapping(document.get("source")).get("data")) or None
        title = fields.name(fields.first(result, "title") or document.get("title"))
        draft.book.add(
            Source(text, title=title, url=url, last_updated=fields.name(result.get("page_age"))), ("url", url)
        )


def _cite(draft: Draft, citation: dict[str, Any], span: tuple[int, int]) -> None:
    kind = fields.text(citation.get("type"))
    title = fields.name(fields.first(citation, "document_title", "title"))
    known: dict[str, Any] = {
        "quote": citation["cited_text"] if isinstance(citation.get("cited_text"), str) else None,
        "locator": locator(kind, citation),
        "title": title,
    }
    if kind == "web_search_result_location":
        url = fields.name(citation.get("url"))
        known |= {"url": url, "payload_source": draft.book.add(Source(title=title, url=url), ("url", url or title))}
        known["reference"] = title or url or ""
    else:
        # Documents and search results of the request are counted apart.
        counted = "search_result" if kind == "search_result_location" else "document"
        index = fields.int_or_none(citation.get(f"{counted}_index"))
        origin = fields.name(citation.get("source"))
        url = origin if origin and "://" in origin else None
        own = origin if not url else None
        own = own or fields.name(citation.get("file_id"))
        known |= {"sent_source": index, "url": url, "id": own}
        known["payload_source"] = draft.book.add(
            Source(id=own, title=title, url=url), (counted, index if index is not None else title)
        )
        known["reference"] = title or origin or ("" if index is None else str(index + 1))
    draft.cite(span, **known)


def locator(kind: str, citation: dict[str, Any]) -> str | None:
    """Where in the source, as text. Ends are exclusive: pages 3 to 4 are page 3.

    >>> locator("page_location", {"start_page_number": 3, "end_page_number": 4})
    'p. 3'
    """
    if kind not in _LOCATIONS:
        return None
    word, first, last = _LOCATIONS[kind]
    return _range(word, fields.int_or_none(citation.get(first)), fields.int_or_none(citation.get(last)))


def _range(word: str, start: int | None, end: int | None) -> str | None:
    if start is None:
        return None
    if word == "characters":
        return f"{word} {start}–{end}" if end is not None else None
    last = start if end is None or end <= start else end - 1
    return f"{word} {start}" if last == start else f"{word} {start}–{last}"
