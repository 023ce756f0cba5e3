"""Vertex AI Search answers. Offsets are UTF-8 bytes, which JSON carries as strings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ragcite_nb.models import Source
from ragcite_nb.read import fields, offsets
from ragcite_nb.read.draft import Draft
from ragcite_nb.read.gemini import get
from ragcite_nb.read.sources import source_from


def _inner(data: dict[str, Any]) -> dict[str, Any]:
    inner = fields.mapping(data.get("answer"))
    return inner or data


def is_answer(data: dict[str, Any]) -> bool:
    """A whole answer, or one event of a stream."""
    inner = _inner(data)
    return isinstance(get(inner, "answerText"), str) or (bool(get(inner, "answerSkippedReasons")) and "state" in inner)


def join(events: list[dict[str, Any]], _done: bool) -> dict[str, Any]:
    """The events of a stream as one answer: each holds the answer so far, or the next piece of it."""
    joined: dict[str, Any] = {}
    text = ""
    for event in events:
        inner = _inner(event)
        piece = fields.text(get(inner, "answerText"))
        whole = piece.startswith(text) or get(inner, "state") == "SUCCEEDED"
        text = (piece or text) if whole else text + piece
        joined |= {key: value for key, value in inner.items() if value}
    return {"answer": joined | {"answerText": text}}


def read(data: dict[str, Any]) -> Draft:
    """Read an answer."""
    inner = _inner(data)
    state = fields.name(inner.get("state"))
    skipped = [fields.name(reason) for reason in fields.items(get(inner, "answerSkippedReasons"))]
    draft = Draft(
        format="vertex.answer",
        text=fields.text(get(inner, "answerText")),
        finish_reason=state,
        truncated=state in ("IN_PROGRESS", "STREAMING", "FAILED"),
        refusal=next(filter(None, skipped), None),
    )
    for number, reference in enumerate(map(fields.mapping, fields.items(inner.get("references")))):
        draft.book.add(_reference(reference, number), ("reference", number))
    for citation in map(fields.mapping, fields.items(inner.get("citations"))):
        start = fields.int_or_none(get(citation, "startIndex")) or 0  # left out when it is 0
        end = fields.int_or_none(get(citation, "endIndex"))
        span = None if end is None else offsets.from_bytes(draft.text, start, end)
        for source in map(fields.mapping, fields.items(citation.get("sources"))):
            own = fields.name(get(source, "referenceId"))
            index = fields.int_or_none(own)
            place = None if index is None else draft.book.find(("reference", index))
            title = None if place is None else draft.book.sources[place].title
            url = None if place is None else draft.book.sources[place].url
            draft.cite(span, reference=own or "", id=own, payload_source=place, title=title, url=url)
    return draft


def _reference(data: dict[str, Any], number: int) -> Source:
    chunk = fields.mapping(get(data, "chunkInfo"))
    document = fields.mapping(get(data, "unstructuredDocumentInfo"))
    record = fields.mapping(get(data, "structuredDocumentInfo"))
    about = fields.mapping(get(chunk, "documentMetadata")) or document or record
    contents = [fields.mapping(c) for c in fields.items(get(document, "chunkContents"))]
    texts = [fields.text(chunk.get("content")), *(fields.text(c.get("content")) for c in contents)]
    pages = [fields.name(get(about, "pageIdentifier")), *(fields.name(get(c, "pageIdentifier")) for c in contents)]
    own = fields.mapping(get(about, "structData"))
    source = source_from(own) if own else Source()
    text = "\n".join(t for t in texts if t) or source.text
    if text is None and record:
        text = fields.as_json(own) if own else None
    page = next(filter(None, pages), None)
    score = fields.first(chunk, "relevanceScore", "relevance_score")
    extra = {k: v for k, v in {"document": about.get("document"), "relevance_score": score}.items() if v is not None}
    return replace(
        source,
        text=text,
        id=str(number),
        title=fields.name(about.get("title")) or source.title,
        url=fields.name(about.get("uri")) or source.url,
        page=fields.int_or_none(page) or page or source.page,
        metadata={**source.metadata, **extra},
    )
