"""Payloads that are an answer in JSON themselves, without a provider's response around it."""

from __future__ import annotations

from typing import Any

from ragcite_nb.read import fields, structured
from ragcite_nb.read.draft import Draft
from ragcite_nb.read.sources import describe_sources

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
    about = fields.mapping(data.get("metadata"))
    held = [*(data.get(key) for key in structured.CONTEXTS), about.get("retriever_resources")]  # the last one is Dify's
    for listed in held:
        if structured.holds_texts(listed):
            draft.book.extend(describe_sources(fields.items(listed))[0] or ())
            break
    return draft
