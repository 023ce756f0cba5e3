"""Haystack: a generated answer with its documents."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ragcite_nb.read import fields
from ragcite_nb.read.draft import Draft
from ragcite_nb.read.sources import source_from

if TYPE_CHECKING:
    from ragcite_nb.models import Source

_CUT = ("length", "max_tokens", "content_filter")


def _answer(data: dict[str, Any]) -> dict[str, Any]:
    """The first answer in what a pipeline, a builder or a serializer returns."""
    for _ in range(4):
        if "init_parameters" in data and "type" in data:
            data = fields.mapping(data["init_parameters"])
        elif fields.items(data.get("answers")):
            data = fields.mapping(fields.items(data["answers"])[0])
        elif isinstance(data.get("answer_builder"), dict):
            data = data["answer_builder"]
        else:
            break
    return data


def is_answer(data: dict[str, Any]) -> bool:
    """A generated answer."""
    inner = _answer(data)
    return isinstance(inner.get("data"), str) and "query" in inner and "documents" in inner


def read(data: dict[str, Any]) -> Draft:
    """Read a generated answer."""
    inner = _answer(data)
    meta = fields.mapping(inner.get("meta"))
    usage = fields.mapping(meta.get("usage"))
    reason = fields.name(meta.get("finish_reason"))
    draft = Draft(
        format="haystack",
        text=fields.text(inner.get("data")),
        finish_reason=reason,
        truncated=reason in _CUT,
        refusal=reason if reason == "content_filter" else None,
        prompt_tokens=fields.count(usage.get("prompt_tokens")),
        output_tokens=fields.count(usage.get("completion_tokens")),
    )
    documents = [fields.mapping(item) for item in fields.items(inner.get("documents"))]
    documents = [fields.mapping(d["init_parameters"]) if "init_parameters" in d else d for d in documents]
    sources = tuple(source_from(document or None) for document in documents)
    numbers = [fields.int_or_none(source.metadata.get("source_index")) for source in sources]
    if sources and all(number is not None for number in numbers):
        # Only the documents that are cited come back: their numbers say which marks mean them, not their positions.
        sources = tuple(_numbered(source, number) for source, number in zip(sources, numbers, strict=True))
    draft.book.extend(sources)
    return draft


def _numbered(source: Source, number: int | None) -> Source:
    return replace(
        source, id=number, metadata={**source.metadata, **({"id": source.id} if source.id is not None else {})}
    )
