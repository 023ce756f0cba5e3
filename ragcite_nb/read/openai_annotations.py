"""The annotations of OpenAI's family: web, file and document citations beside the text, nested or flat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragcite_nb.models import Source
from ragcite_nb.read import fields, offsets

if TYPE_CHECKING:
    from ragcite_nb.read.draft import Draft

_KINDS = ("url_citation", "file_citation", "container_file_citation", "document_citation", "function_citation")


def add(draft: Draft, annotations: list[Any], text: str, base: int) -> None:
    """Add the citations among the annotations of one text, which begins at ``base`` in the answer."""
    for annotation in map(fields.mapping, annotations):
        kind = annotation.get("type")
        if kind not in _KINDS:
            continue  # such as file_path, a file that the model made
        data = {**annotation, **fields.mapping(annotation.get(kind))}
        if kind == "url_citation":
            _add_url(draft, data, text, base)
        else:
            _add_file(draft, data, text, base)


def _add_url(draft: Draft, data: dict[str, Any], text: str, base: int) -> None:
    url, title = fields.name(data.get("url")), fields.name(data.get("title"))
    start, end = fields.int_or_none(data.get("start_index")), fields.int_or_none(data.get("end_index"))
    place = draft.book.add(Source(url=url, title=title), ("url", url or title))
    known: dict[str, Any] = {"reference": title or url or "", "url": url, "title": title, "payload_source": place}
    if start is None or end is None:
        draft.cite_unplaced(**known)
    else:
        draft.cite(offsets.shifted(offsets.fit_link(text, url or "", start, end), base), **known)


def _add_file(draft: Draft, data: dict[str, Any], text: str, base: int) -> None:
    own = fields.name(fields.first(data, "file_id", "document_id", "tool_call_id"))
    title = fields.name(fields.first(data, "filename", "title"))
    start, end = fields.int_or_none(data.get("start_index")), fields.int_or_none(data.get("end_index"))
    index = fields.int_or_none(data.get("index"))
    marker, quote = fields.text(data.get("text")), fields.text(data.get("quote"))
    if title is None and marker:
        title = _file_of(marker)
    place = draft.book.find(("file", own))
    if place is None or own is None:
        place = draft.book.add(Source(id=own, title=title), ("file", own or title))
    elif title is not None and draft.book.sources[place].title is None:
        place = draft.book.add(Source(title=title), ("file", own))
    known: dict[str, Any] = {"reference": title or own or "", "id": own, "title": title, "payload_source": place}
    if quote:
        known["quote"] = quote
    if marker:
        draft.cite(offsets.shifted(offsets.fit(text, marker, start, end), base), **known)
    elif start is not None and end is not None:
        draft.cite(offsets.shifted(offsets.inside(text, start, end), base), **known)
    elif index is not None:
        draft.cite(
            offsets.shifted(offsets.inside(text, index, index), base), **known
        )  # one index: where a mark would go
    else:
        draft.cite_unplaced(**known)


def _file_of(marker: str) -> str | None:
    """The file name in a marker such as ``【4:1†policy.md】``; older ones say only "source"."""
    name = marker.strip("【】").partition("†")[2].partition("†")[0].strip()
    return name if name and name != "source" else None
