"""RAGFlow: an answer with the chunks that it refers to, whole or as a stream."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ragcite_nb.read import fields
from ragcite_nb.read.draft import Draft, SourceBook
from ragcite_nb.read.sources import source_from

_NAMES = {
    "chunk_id": "id", "content_ltks": "content", "content_with_weight": "content", "docnm_kwd": "document_name",
    "doc_name": "document_name", "document_keyword": "document_name",
}  # fmt: skip
"""Names that older versions gave to the fields of a chunk."""


def is_response(data: dict[str, Any]) -> bool:
    """A whole response."""
    inner = fields.mapping(data.get("data"))
    return isinstance(inner.get("answer"), str) and "reference" in inner


def is_event(data: dict[str, Any]) -> bool:
    """One event of a stream: the first ones may be without references."""
    return is_response(data) or ("code" in data and isinstance(fields.mapping(data.get("data")).get("answer"), str))


def join(events: list[dict[str, Any]], done: bool) -> dict[str, Any]:
    """The events of a stream as one response.

    Older servers repeat the whole answer in each event, newer ones send what is new; the event with the references may
    hold the answer again, with its marks put in.
    """
    text = ""
    last: dict[str, Any] = {}
    ended = done
    for event in events:
        inner = fields.mapping(event.get("data"))
        if event.get("data") is True or inner.get("final") is True:
            ended = True
        answer = fields.text(inner.get("answer"))
        has_chunks = bool(fields.mapping(inner.get("reference")).get("chunks"))
        if inner:
            last = {**last, **{k: v for k, v in inner.items() if v or k not in last}}
        if not answer:
            continue
        again = answer.startswith(text) or (has_chunks and len(answer) >= len(text))
        text = answer if again else text + answer
    return {"data": {**last, "answer": text, "cut": not ended}}


def read(data: dict[str, Any]) -> Draft:
    """Read a response."""
    inner = fields.mapping(data.get("data"))
    draft = Draft(format="ragflow", text=fields.text(inner.get("answer")), truncated=inner.get("cut") is True)
    add_chunks(draft.book, inner.get("reference"))
    return draft


def add_chunks(book: SourceBook, reference: Any) -> None:
    """Add the chunks of a reference, which marks such as ``[ID:0]`` count from 0."""
    data = fields.mapping(reference)
    chunks = data.get("chunks") if data else reference
    listed = fields.items(chunks) or list(fields.mapping(chunks).values())
    sources = []
    for chunk in map(fields.mapping, listed):
        named = {_NAMES.get(key, key): value for key, value in chunk.items()}
        metadata = {"document_id": named.pop("document_id", None) or named.pop("doc_id", None)}
        source = source_from({k: v for k, v in named.items() if k != "doc_id"} or None)
        sources.append(replace(source, metadata={**{k: v for k, v in metadata.items() if v}, **source.metadata}))
    if sources or "chunks" in data:
        book.extend(tuple(sources))
