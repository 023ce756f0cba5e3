"""Payloads that are an answer in JSON themselves, without a provider's response around it."""

from __future__ import annotations

from typing import Any

from ragcite_nb.read import fields, structured
from ragcite_nb.read.draft import Draft
from ragcite_nb.read.sources import describe_sources

_CONTEXTS = ("context", "contexts", "source_documents", "documents", "retrieved_contexts", "sources")

is_rich = structured.is_rich
is_answer = structured.is_answer


def read_rich(data: dict[str, Any], opened: frozenset[int] = frozenset()) -> Draft:
    """Read the rich form."""
    return _read(data, "rich", opened)


def read(data: dict[str, Any], opened: frozenset[int] = frozenset()) -> Draft:
    """Read ``{"answer": …, "citations": […]}``."""
    return _read(data, "json", opened)


def _read(data: dict[str, Any], name: str, opened: frozenset[int]) -> Draft:
    unpacked = structured.unpack(data, opened)
    draft = Draft(format=name, structured=True)
    if unpacked is not None:
        draft.text = unpacked.text
        draft.citations.extend(unpacked.citations)
    for key in _CONTEXTS:
        listed = fields.items(data.get(key))
        if listed and any(_has_text(item) for item in listed):
            draft.book.extend(describe_sources(listed)[0] or ())
            break
    return draft


def _has_text(item: Any) -> bool:
    """Whether an item is a source with its text, and not the citation of one."""
    data = fields.mapping(item)
    return any(isinstance(data.get(key), str) for key in ("text", "content", "page_content")) and "quote" not in data
