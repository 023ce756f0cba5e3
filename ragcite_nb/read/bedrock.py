"""Amazon Bedrock: Converse, RetrieveAndGenerate, agents, whole or as a list of events."""

from __future__ import annotations

from typing import Any

from ragcite_nb.models import Source
from ragcite_nb.read import containers, fields, offsets
from ragcite_nb.read.draft import Draft, SourceBook

_CUT = ("max_tokens", "model_context_window_exceeded", "content_filtered")
_REFUSED = ("guardrail_intervened", "content_filtered")
_CONVERSE_EVENTS = ("messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop")
_PLACES = {
    "documentChar": ("characters", "documentIndex"), "documentPage": ("p.", "documentIndex"),
    "documentChunk": ("block", "documentIndex"), "searchResultLocation": ("block", "searchResultIndex"),
}  # fmt: skip


def is_converse(data: dict[str, Any]) -> bool:
    """A whole response of Converse."""
    return "message" in fields.mapping(data.get("output"))


def is_converse_event(data: dict[str, Any]) -> bool:
    """One event of a stream of Converse."""
    return any(name in data for name in _CONVERSE_EVENTS)


def join_converse(events: list[dict[str, Any]], done: bool) -> dict[str, Any]:
    """The events of a stream as one response."""
    blocks: dict[int, dict[str, list[Any]]] = {}
    joined: dict[str, Any] = {"cut": not done}
    for event in events:
        block = fields.mapping(event.get("contentBlockDelta"))
        delta = fields.mapping(block.get("delta"))
        if delta:
            held = blocks.setdefault(fields.int_or_none(block.get("contentBlockIndex")) or 0, {})
            if isinstance(delta.get("text"), str):
                held.setdefault("text", []).append(delta["text"])
            if delta.get("citation"):
                held.setdefault("citations", []).append(delta["citation"])
            thought = fields.text(fields.mapping(delta.get("reasoningContent")).get("text"))
            held.setdefault("thoughts", []).append(thought)
        stop = fields.mapping(event.get("messageStop"))
        if stop or "messageStop" in event:
            joined |= {"stopReason": stop.get("stopReason"), "cut": False}
        joined["usage"] = fields.mapping(event.get("metadata")).get("usage") or joined.get("usage")
    content: list[dict[str, Any]] = []
    for index in sorted(blocks):
        held = blocks[index]
        if any(held.get("thoughts", [])):
            content.append({"reasoningContent": {"reasoningText": {"text": "".join(held["thoughts"])}}})
        text = {"text": "".join(held.get("text", []))}
        cited = held.get("citations")
        content.append({"citationsContent": {"content": [text], "citations": cited}} if cited else text)
    return {**joined, "output": {"message": {"content": content}}}


def read_converse(data: dict[str, Any], book: SourceBook | None = None) -> Draft:
    """Read a response of Converse; ``book`` holds the documents of its request."""
    usage = fields.mapping(data.get("usage"))
    reason = fields.name(data.get("stopReason"))
    draft = Draft(
        format="bedrock.converse",
        finish_reason=reason,
        truncated=reason in _CUT or data.get("cut") is True,
        refusal=reason if reason in _REFUSED else None,
        prompt_tokens=fields.count(usage.get("inputTokens")),
        output_tokens=fields.count(usage.get("outputTokens")),
        book=book or SourceBook(),
    )
    parts: list[str] = []
    position = 0
    message = fields.mapping(fields.mapping(data.get("output")).get("message"))
    for block in map(fields.mapping, fields.items(message.get("content"))):
        thought = fields.mapping(fields.mapping(block.get("reasoningContent")).get("reasoningText"))
        draft.reasoning.append(fields.text(thought.get("text")))
        cited = fields.mapping(block.get("citationsContent"))
        inner = [fields.mapping(part) for part in fields.items(cited.get("content"))]
        text = fields.text(block.get("text")) + "".join(fields.text(part.get("text")) for part in inner)
        for citation in map(fields.mapping, fields.items(cited.get("citations"))):
            _cite(draft, citation, (position, position + len(text)))
        parts.append(text)
        position += len(text)
    draft.text = "".join(parts)
    return draft


def _cite(draft: Draft, citation: dict[str, Any], span: offsets.Span) -> None:
    title, origin = fields.name(citation.get("title")), fields.name(citation.get("source"))
    places = fields.mapping(citation.get("location"))
    locator = index = counted = None
    url = fields.name(fields.mapping(places.get("web")).get("url"))
    for name, (word, counted_by) in _PLACES.items():
        place = fields.mapping(places.get(name))
        if place:
            index, counted = fields.int_or_none(place.get(counted_by)), counted_by
            start, end = fields.int_or_none(place.get("start")), fields.int_or_none(place.get("end"))
            # Whether ends are inclusive is not documented: only the start is certain.
            locator = f"{word} {start}" + (f"–{end}" if word == "characters" and end is not None else "")
            locator = locator if start is not None else None
    if url is None and origin and "://" in origin:
        url = origin
    own = origin if origin != url else None
    quoted = [fields.text(fields.mapping(part).get("text")) for part in fields.items(citation.get("sourceContent"))]
    key = (counted, index) if index is not None else ("source", url or own or title)
    place_in_book = draft.book.add(Source(id=own, title=title, url=url), key)
    known: dict[str, Any] = {"locator": locator, "sent_source": index, "id": own, "url": url, "title": title}
    known["reference"] = title or origin or url or ("" if index is None else str(index + 1))
    draft.cite(span, quote="".join(quoted) or None, payload_source=place_in_book, **known)


def is_generated(data: dict[str, Any]) -> bool:
    """A whole response of RetrieveAndGenerate."""
    output = fields.mapping(data.get("output"))
    return isinstance(output.get("text"), str) and any(k in data for k in ("sessionId", "citations", "guardrailAction"))


def is_generated_event(data: dict[str, Any]) -> bool:
    """One event of a stream of RetrieveAndGenerate."""
    if set(data) & {"output", "citation", "guardrail"} and len(data) == 1:
        inner = fields.mapping(next(iter(data.values())))
        return bool({"text", "retrievedReferences", "generatedResponsePart", "citation", "action"} & set(inner))
    return False


def join_generated(events: list[dict[str, Any]], _done: bool) -> dict[str, Any]:
    """The events of a stream as one response."""
    joined: dict[str, Any] = {}
    texts: list[str] = []
    citations: list[Any] = []
    for event in events:
        texts.append(fields.text(fields.mapping(event.get("output")).get("text")))
        citation = fields.mapping(event.get("citation"))
        if citation:
            # The event holds the same data twice, flat and in a deprecated field of their own.
            flat = citation.get("generatedResponsePart") or citation.get("retrievedReferences")
            citations.append(citation if flat else citation.get("citation"))
        action = fields.mapping(event.get("guardrail")).get("action")
        if action:
            joined["guardrailAction"] = action
    return {**joined, "output": {"text": "".join(texts)}, "citations": citations}


def read_generated(data: dict[str, Any]) -> Draft:
    """Read a response of RetrieveAndGenerate."""
    action = fields.name(data.get("guardrailAction"))
    draft = Draft(
        format="bedrock.retrieve_and_generate",
        text=fields.text(fields.mapping(data.get("output")).get("text")),
        refusal=f"guardrail {action}" if action == "INTERVENED" else None,
    )
    _add_parts(draft, fields.items(data.get("citations")))
    return draft


def _add_parts(draft: Draft, citations: list[Any]) -> None:
    """Add the citations of the parts of an answer, which stand in its order."""
    position = 0
    for citation in map(fields.mapping, citations):
        part = fields.mapping(fields.mapping(citation.get("generatedResponsePart")).get("textResponsePart"))
        numbers = fields.mapping(part.get("span"))
        start, end = fields.int_or_none(numbers.get("start")), fields.int_or_none(numbers.get("end"))
        piece = fields.text(part.get("text"))
        at = draft.text.find(piece, position) if piece else -1
        if at >= 0 and (start is None or draft.text[start : start + len(piece)] != piece):
            span: offsets.Span | None = (at, at + len(piece))
        else:
            span = offsets.fit(draft.text, piece, start, end)
        if span is not None:
            position = span[1]
        for reference in map(fields.mapping, fields.items(citation.get("retrievedReferences"))):
            source = _retrieved(reference)
            place = draft.book.add(source, ("retrieved", source.url or source.id, source.text))
            own = fields.name(source.id)
            draft.cite(span, reference=own or str(place + 1), id=own, url=source.url, payload_source=place)


def _retrieved(reference: dict[str, Any]) -> Source:
    location = fields.mapping(reference.get("location"))
    address = None
    for value in location.values():
        inner = fields.mapping(value)
        address = address or fields.name(fields.first(inner, "uri", "url", "id", "query"))
    metadata = fields.mapping(reference.get("metadata"))
    content = fields.mapping(reference.get("content"))
    row = [fields.mapping(cell) for cell in fields.items(content.get("row"))]
    cells = [f"{cell.get('columnName')}: {cell.get('columnValue')}" for cell in row]
    return Source(
        fields.text(content.get("text")) or "\n".join(cells) or None,
        id=address or fields.name(metadata.get("x-amz-bedrock-kb-chunk-id")),
        url=address if address and "://" in address else None,
        page=fields.int_or_none(metadata.get("x-amz-bedrock-kb-document-page-number")),
        metadata=metadata,
    )


def is_agent_event(data: dict[str, Any]) -> bool:
    """One event of an agent's stream."""
    return "bytes" in fields.mapping(data.get("chunk"))


def join_agent(events: list[dict[str, Any]], _done: bool) -> dict[str, Any]:
    """The events of an agent's stream as one response."""
    texts: list[str] = []
    citations: list[Any] = []
    for event in events:
        chunk = fields.mapping(event.get("chunk"))
        piece = chunk.get("bytes")
        texts.append(containers.decode(bytes(piece)) if isinstance(piece, (bytes, bytearray)) else fields.text(piece))
        citations.extend(fields.items(fields.mapping(chunk.get("attribution")).get("citations")))
    return {"output": {"text": "".join(texts)}, "citations": citations}


def is_agentic(data: dict[str, Any]) -> bool:
    """An answer of agentic retrieval: spans count characters."""
    cited = [fields.mapping(c) for c in fields.items(data.get("citations"))]
    return isinstance(data.get("answer"), str) and any("startIndex" in c and "references" in c for c in cited)


def read_agentic(data: dict[str, Any]) -> Draft:
    """Read an answer of agentic retrieval."""
    draft = Draft(format="bedrock.agentic_retrieve", text=fields.text(data.get("answer")))
    for result in map(fields.mapping, fields.items(data.get("results"))):
        source = _retrieved(result)
        draft.book.add(source, ("retrieved", source.url or source.id, source.text))
    for citation in map(fields.mapping, fields.items(data.get("citations"))):
        start, end = fields.int_or_none(citation.get("startIndex")), fields.int_or_none(citation.get("endIndex"))
        span = None if start is None or end is None else offsets.inside(draft.text, start, end)
        for reference in fields.items(citation.get("references")):
            index = fields.int_or_none(reference)
            if index is not None:
                place = index if 0 <= index < len(draft.book) else None
                draft.cite(span, reference=str(index + 1), payload_source=place)
                continue
            source = _retrieved(fields.mapping(reference))
            place = draft.book.add(source, ("retrieved", source.url or source.id, source.text))
            own = fields.name(source.id)
            draft.cite(span, reference=own or str(place + 1), id=own, url=source.url, payload_source=place)
    return draft
