"""Answers that a model or an application wrote as JSON: ``{"answer": …, "citations": […]}`` and the rich form.

The names of the keys come from the caller's schema, not from a provider, so the usual ones are read.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from ragcite_nb.models import ProviderCitation
from ragcite_nb.read import fields

_ANSWERS = ("answer", "response", "final_answer", "output", "result", "answer_text", "completion", "antwort", "réponse")
_CITATIONS = (
    "citations", "references", "citation", "cited_sources", "sources", "source_ids", "quellen", "belege", "zitate",
)  # fmt: skip
_QUOTES = ("quotes", "evidence", "evidences", "supporting_quotes")
_SOURCE = ("source", "source_id", "document", "document_id", "doc_id", "doc", "index", "number", "reference", "ref",
           "citation", "chunk_id", "id")  # fmt: skip
_QUOTE = ("quote", "cited_text", "quoted_text", "excerpt", "evidence", "snippet", "passage", "extract", "citation_text")
_TEXTS = ("text", "content", "page_content")
CONTEXTS = (
    "context", "contexts", "source_documents", "retrieved_contexts", "retrieval_context", "documents", "docs", "chunks",
    "retrieved_documents", "passages", "sources",
)  # fmt: skip
"""Keys under which applications return the sources together with the answer."""

_MAX_LABEL = 200
_SEPARATOR = re.compile(r",\s*|\s*\n\s*")
_ID = re.compile(r"(?=[^\d._/-]*[\d._/-])[^\s,]+")
"""A file name, a URL, an id or a number, as LangChain's chains list them in one text; a word could be part of a name."""


class Unpacked(NamedTuple):
    """What a JSON answer holds."""

    text: str
    citations: tuple[ProviderCitation, ...]
    cut: bool


def is_answer(data: dict[str, Any]) -> bool:
    """Whether an object is an answer in JSON, with its text under a known key.

    >>> is_answer({"answer": "30 days", "citations": []}), is_answer({"price": 3})
    (True, False)
    """
    return _answer_text(data) is not None or (any(key in data for key in _QUOTES) and len(data) <= 2)


def _answer_text(data: dict[str, Any]) -> str | None:
    """The answer's text: under a usual key, or under the only key beside the citations."""
    for key in _ANSWERS:
        if isinstance(data.get(key), str):
            return str(data[key])
    others = [value for key, value in data.items() if key not in _CITATIONS and key not in _QUOTES]
    return others[0] if len(others) == 1 < len(data) and isinstance(others[0], str) else None


def is_written(data: dict[str, Any]) -> bool:
    """Whether an object that a model wrote is an answer with citations, and not some other record.

    >>> is_written({"answer": "30 days"}), is_written({"result": "positive", "score": 3})
    (True, False)
    """
    cites = any(key in data for key in (*_CITATIONS, *_QUOTES))
    return is_rich(data) or (is_answer(data) and (cites or "answer" in data or len(data) == 1))


def is_rich(data: dict[str, Any]) -> bool:
    """Whether an object is the rich form: ``text`` with citations whose ``text`` is quoted from a source.

    >>> is_rich({"text": "30 days [1].", "citations": [{"id": 1, "text": "within 30 days", "source": "faq"}]})
    True
    """
    if not isinstance(data.get("text"), str) or "citations" not in data or "generation_id" in data:
        return False
    cited = fields.items(data["citations"])
    return all("source" in item or "id" in item for item in map(fields.mapping, cited))


def holds_texts(value: Any) -> bool:
    """Whether a list holds sources with their texts, and not citations of sources.

    >>> holds_texts([{"text": "Dogs travel free."}]), holds_texts([{"source": 1, "quote": "free"}]), holds_texts([1, 2])
    (True, False, False)
    """
    for item in map(fields.mapping, fields.items(value)):
        if any(name in item for name in (*_QUOTE, "generation_id")):
            return False
        nested = fields.mapping(item.get("node"))
        if any(isinstance(part.get(name), str) for part in (item, nested) for name in (*_TEXTS, "document.content")):
            return True
        pieces = fields.items(item.get("document"))  # in Open WebUI a list of texts
        if pieces and all(isinstance(piece, str) for piece in pieces):
            return True
    return False


def unpack(data: dict[str, Any], opened: frozenset[int] = frozenset(), *, cut: bool = False) -> Unpacked | None:
    """The text and the citations of a JSON answer; ``None`` when the object is none.

    Args:
        data: the object.
        opened: ids of the containers in it that a cut left open: their citations are incomplete.
        cut: whether the JSON was cut.

    >>> unpack({"answer": "30 days.", "citations": [{"source": 2, "quote": "within 30 days"}]}).citations[0].quote
    'within 30 days'
    """
    if is_rich(data):
        return Unpacked(
            data["text"], tuple(_rich_citations(data["text"], fields.items(data["citations"]), opened)), cut
        )
    if not is_answer(data):
        return None
    text = _answer_text(data) or ""
    citations: list[ProviderCitation] = []
    for key in _CITATIONS:
        if key in CONTEXTS and holds_texts(data.get(key)):
            continue
        for item in _listed(data.get(key)):
            citations.extend(_citation(item, opened, quote_key=False))
        if citations:
            break
    for key in _QUOTES:
        for item in _listed(data.get(key)):
            citations.extend(_citation(item, opened, quote_key=True))
    return Unpacked(text, tuple(citations), cut)


def _listed(value: Any) -> list[Any]:
    """A list of citations; models also write a list as a string, or a lone citation without a list."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return [value]
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        ids = _SEPARATOR.split(value.strip()) if isinstance(value, str) else []
        return list(ids) if len(ids) > 1 and all(map(_ID.fullmatch, ids)) else [value]
    listed = fields.items(value)
    if listed:
        return listed
    alone = fields.mapping(value)
    return [alone] if alone else []


def _citation(item: Any, opened: frozenset[int], *, quote_key: bool) -> list[ProviderCitation]:
    """One entry of the list of citations: an id, a quote, or an object; one citation for each quote in it."""
    label = fields.name(item)
    if label is not None:
        if quote_key or len(label) > _MAX_LABEL:
            return [ProviderCitation("", quote=label, origin="structured")]
        return [ProviderCitation(label, origin="structured")]
    data = fields.mapping(item)
    if not data:
        return []
    known = _known(data)
    known["complete"] = id(item) not in opened
    quotes = next((data[key] for key in (*_QUOTE, "quotes", *_TEXTS) if data.get(key) is not None), None)
    texts = [quotes] if isinstance(quotes, str) else [q for q in fields.items(quotes) if isinstance(q, str)]
    return [ProviderCitation(**known, quote=quote) for quote in texts] or [ProviderCitation(**known)]


def _known(data: dict[str, Any], names: tuple[str, ...] = _SOURCE) -> dict[str, Any]:
    """What a citation says about its source."""
    reference, inner = "", {}
    for key in names:
        inner = fields.mapping(data.get(key))
        found = fields.name(data.get(key)) or fields.name(fields.first(inner, "title", "name", "id", "source_document"))
        if found is not None:
            reference = found
            break
    table = {**inner, **data}
    title = fields.name(fields.first(table, "title", "source_document", "document_title", "source_title", "file_name"))
    url = fields.name(fields.first(table, "url", "uri", "link"))
    return {
        "reference": reference or title or url or "",
        "origin": "structured",
        "locator": _locator(table),
        "title": title if title != reference else None,
        "url": url,
    }


def _locator(data: dict[str, Any]) -> str | None:
    page = fields.name(fields.first(data, "page", "page_number", "page_label", "pages"))
    section = fields.name(fields.first(data, "section", "article", "chapter"))
    given = fields.name(data.get("locator"))
    parts = [given or "", f"p. {page}" if page and page[:1].isdigit() else page or "", section or ""]
    return ", ".join(part for part in parts if part) or None


def _rich_citations(text: str, entries: list[Any], opened: frozenset[int]) -> list[ProviderCitation]:
    """The citations of the rich form.

    Where the text has the citation's own id as a marker, such as ``[c1]``, that marker is its place.
    """
    citations: list[ProviderCitation] = []
    for item in entries:
        label = fields.name(item)
        data = fields.mapping(item)
        if not data:
            if label is not None:
                citations.append(ProviderCitation(label, origin="structured"))
            continue
        known = _known(data)
        known["complete"] = id(item) not in opened
        quote = fields.first(data, "text", *_QUOTE)
        known["quote"] = quote if isinstance(quote, str) else None
        places = _places(text, fields.name(data.get("id"))) if known["reference"] != fields.name(data.get("id")) else []
        start, end = fields.int_or_none(data.get("start")), fields.int_or_none(data.get("end"))
        if not places and start is not None and end is not None and 0 <= start <= end <= len(text):
            places = [(start, end)]
        cited = ProviderCitation(**known)
        citations.append(cited._replace(start=places[0][0], end=places[0][1]) if places else cited)
        # The quote was given once; the other places of the marker cite the same source without it.
        known["quote"] = None
        citations.extend(ProviderCitation(**known, start=first, end=last) for first, last in places[1:])
    return citations


def _places(text: str, label: str | None) -> list[tuple[int, int]]:
    """Where the text has ``[label]``."""
    if label is None:
        return []
    found: list[tuple[int, int]] = []
    for marker in (f"[{label}]", f"[^{label}]"):
        at = text.find(marker)
        while at >= 0:
            found.append((at, at + len(marker)))
            at = text.find(marker, at + len(marker))
    return sorted(found)
