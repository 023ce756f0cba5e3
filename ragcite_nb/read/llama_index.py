"""LlamaIndex: a response with the nodes that it was written from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragcite_nb.read import fields
from ragcite_nb.read.draft import Draft
from ragcite_nb.read.sources import source_from

if TYPE_CHECKING:
    from ragcite_nb.models import Source

_WRAPPED = ("__data__", "data")


def is_response(data: dict[str, Any]) -> bool:
    """A response of a query engine or a chat engine."""
    return "source_nodes" in data and "response" in data


def read(data: dict[str, Any]) -> Draft:
    """Read a response."""
    response = data.get("response")
    inner = fields.mapping(response)
    blocks = [fields.mapping(block) for block in fields.items(inner.get("blocks"))]
    text = fields.text(response) or "".join(fields.text(block.get("text")) for block in blocks)
    draft = Draft(format="llama_index", text=text or fields.text(fields.first(inner, "answer", "response", "content")))
    draft.book.extend(tuple(_node(fields.mapping(item)) for item in fields.items(data["source_nodes"])))
    return draft


def _node(item: dict[str, Any]) -> Source:
    """A node; the "Source n:" that a citation engine puts before its text stays."""
    node = fields.mapping(item.get("node")) or item
    for name in _WRAPPED:
        node = fields.mapping(node.get(name)) or node
    resource = fields.mapping(node.get("text_resource"))
    known = {
        "text": fields.first(node, "text", "content") or resource.get("text"),
        "id": fields.first(node, "id_", "node_id", "id", "doc_id"),
        "metadata": fields.first(node, "metadata", "extra_info"),
        "ref_doc_id": node.get("ref_doc_id"),
        "score": item.get("score"),
    }
    return source_from({key: value for key, value in known.items() if value is not None} or None)
