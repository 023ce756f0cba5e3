"""Gemini: candidates with grounding metadata, in camelCase from REST or snake_case from an SDK object.

Offsets count UTF-8 bytes within a part, and the text of a segment is text of the answer, never of a source.
"""

from __future__ import annotations

from typing import Any

from ragcite_nb.models import Source
from ragcite_nb.read import fields, offsets
from ragcite_nb.read.draft import Draft

_CUT = ("MAX_TOKENS", "CONTINUATION")
_SAFETY = (
    "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "IMAGE_SAFETY",
    "IMAGE_PROHIBITED_CONTENT",
    "IMAGE_RECITATION", "MODEL_ARMOR",
)  # fmt: skip


def is_response(data: dict[str, Any]) -> bool:
    """A whole response, or one event of a stream: they look alike."""
    candidates = fields.items(data.get("candidates"))
    if any("content" in c or "finishReason" in c or "finish_reason" in c for c in map(fields.mapping, candidates)):
        return True
    return bool(fields.mapping(get(data, "promptFeedback")))


def get(data: dict[str, Any], name: str) -> Any:
    """A field in camelCase or snake_case."""
    value = data.get(name)
    return value if value is not None else data.get("".join(f"_{c.lower()}" if c.isupper() else c for c in name))


def join(events: list[dict[str, Any]], done: bool) -> dict[str, Any]:
    """The events of a stream as one response."""
    parts: list[Any] = []
    joined: dict[str, Any] = {}
    reason = None
    grounding: dict[str, Any] = {}
    for event, candidate in zip(events, fields.first_alternative(events, "candidates"), strict=True):
        for name in ("promptFeedback", "usageMetadata"):
            joined[name] = get(event, name) or joined.get(name)
        reason = get(candidate, "finishReason") or reason
        parts.extend(fields.items(fields.mapping(candidate.get("content")).get("parts")))
        found = fields.mapping(get(candidate, "groundingMetadata"))
        for name in ("groundingChunks", "groundingSupports"):
            listed = fields.items(get(found, name))
            if len(listed) >= len(grounding.get(name, [])):
                grounding[name] = listed
    merged: list[dict[str, Any]] = []
    for part in map(fields.mapping, parts):
        # The pieces of one part: offsets count within all of it.
        if merged and bool(merged[-1].get("thought")) == bool(part.get("thought")) and "text" in part:
            merged[-1] = merged[-1] | {"text": fields.text(merged[-1].get("text")) + fields.text(part.get("text"))}
        elif "text" in part:
            merged.append(part)
    whole = {"content": {"parts": merged}, "finishReason": reason, "groundingMetadata": grounding}
    blocked = bool(fields.mapping(joined.get("promptFeedback")).get("blockReason"))
    return {**joined, "candidates": [whole], "cut": reason is None and not done and not blocked}


def read(data: dict[str, Any]) -> Draft:
    """Read a response."""
    candidate = fields.first_alternative([data], "candidates")[0]
    usage = fields.mapping(get(data, "usageMetadata"))
    reason = _word(get(candidate, "finishReason"))
    blocked = _word(get(fields.mapping(get(data, "promptFeedback")), "blockReason"))
    written, thought = (
        fields.count(get(usage, "candidatesTokenCount")),
        fields.count(get(usage, "thoughtsTokenCount")),
    )
    draft = Draft(
        format="gemini",
        finish_reason=reason,
        truncated=reason in _CUT or data.get("cut") is True,
        refusal=reason if reason in _SAFETY else blocked,
        prompt_tokens=fields.count(get(usage, "promptTokenCount")),
        output_tokens=written if thought is None else (written or 0) + thought,
    )
    pieces: list[tuple[int, int, str]] = []
    position = 0
    for index, part in enumerate(
        map(fields.mapping, fields.items(fields.mapping(candidate.get("content")).get("parts")))
    ):
        text = fields.text(part.get("text"))
        if part.get("thought"):
            draft.reasoning.append(text)
        elif text:
            pieces.append((index, position, text))
            position += len(text)
    draft.text = "".join(text for _, _, text in pieces)
    draft.truncated |= draft.refusal is not None and bool(draft.text)  # stopped while it was being written
    add_grounding(draft, fields.mapping(get(candidate, "groundingMetadata")), pieces)
    return draft


def _word(value: Any) -> str | None:
    """The name of an enum, which SDK objects write as ``FinishReason.STOP``."""
    word = fields.name(value) or fields.name(getattr(value, "value", None))
    word = word.rpartition(".")[2] if word else None
    return None if word and word.endswith("UNSPECIFIED") else word


def add_grounding(draft: Draft, grounding: dict[str, Any], pieces: list[tuple[int, int, str]]) -> None:
    """Add the citations of an answer; ``pieces`` are its parts as (index, position, text)."""
    places = [
        draft.book.add(_chunk(fields.mapping(chunk)), ("chunk", number))
        for number, chunk in enumerate(fields.items(get(grounding, "groundingChunks")))
    ]
    for support in map(fields.mapping, fields.items(get(grounding, "groundingSupports"))):
        span = _span(draft.text, fields.mapping(support.get("segment")), pieces)
        for index in map(fields.int_or_none, fields.items(get(support, "groundingChunkIndices"))):
            if index is None or not 0 <= index < len(places):
                continue
            source = draft.book.sources[places[index]]
            shown = source.title or source.url or str(index + 1)
            draft.cite(span, reference=shown, payload_source=places[index], url=source.url, title=source.title)


def _span(text: str, segment: dict[str, Any], pieces: list[tuple[int, int, str]]) -> offsets.Span | None:
    start = fields.int_or_none(get(segment, "startIndex")) or 0  # left out when it is 0
    end = fields.int_or_none(get(segment, "endIndex"))
    wanted = fields.int_or_none(get(segment, "partIndex")) or 0
    piece = fields.text(segment.get("text"))
    # Whether thoughts count among the parts is not documented: the part with that index, else the one at that place.
    homes = [p for p in pieces if p[0] == wanted] or pieces[wanted : wanted + 1]
    for base, part in [(home[1], home[2]) for home in homes] + [(0, text)]:
        if piece:
            span = offsets.fit(part, piece, start, end, unit="bytes")
        else:
            span = None if end is None else offsets.from_bytes(part, start, end)
        if span is not None:
            return offsets.shifted(span, base)
    return None


def _chunk(chunk: dict[str, Any]) -> Source:
    web, maps = fields.mapping(chunk.get("web")), fields.mapping(chunk.get("maps"))
    found = fields.mapping(get(chunk, "retrievedContext")) or web or maps
    rag = fields.mapping(get(found, "ragChunk"))
    text = fields.text(rag.get("text")) or fields.text(found.get("text"))
    page = fields.int_or_none(get(fields.mapping(get(rag, "pageSpan")), "firstPage"))
    extra = {name: found[name] for name in ("domain", "documentName", "document_name", "placeId") if found.get(name)}
    return Source(
        text or None,
        title=fields.name(found.get("title")),
        url=fields.name(found.get("uri")),
        page=page,
        metadata=extra,
    )
