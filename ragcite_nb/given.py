"""Citations that came as data: which source each means, and which marker it belongs to.

Providers deliver citations beside the text, models write them into JSON. One whose span touches a marker *is* that marker's
resolution; one without a place belongs to the marker that cites the same source.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from ragcite_nb.markers import read_inside
from ragcite_nb.resolve import Reading, Resolved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragcite_nb.examine import Examined
    from ragcite_nb.models import ProviderCitation, Source
    from ragcite_nb.resolve import SourceIndex
    from ragcite_nb.scan import Mark


def place(x: Examined) -> None:
    """Resolve the data citations of a scanned answer and join them with its markers; fills ``x.data`` and ``x.loose``."""
    x.data, x.data_sentences, x.loose = [], [], []
    x.misplaced = 0
    if x.answer is None:
        return
    x.misplaced = x.answer.misplaced
    if not x.answer.citations:
        return
    marks = x.scan.named()
    said: dict[int, list[Resolved]] = {}
    cites = _what_marks_cite(marks) if any(data.start is None for data in x.answer.citations) else {}
    size = len(x.text)
    for data in x.answer.citations:
        if data.start is not None and data.end is not None and not 0 <= data.start <= data.end <= size:
            # Never slice blindly: a span that is not of this text has no place in it.
            data = data._replace(start=None, end=None)  # noqa: PLW2901
            x.misplaced += 1
        if not data.reference and data.start is None and data.payload_source is None and data.sent_source is None:
            x.loose.append(data)
            continue
        resolved = resolve(x.index, data, x.answer.sources or (), x.texts, own_sources=x.own_sources)
        if data.start is not None and data.end is not None:
            mark = _touched(marks, data.start, data.end)
            if mark is not None:
                said.setdefault(mark, []).append(resolved)
        else:
            # A citation without a place belongs to the first marker that cites the same.
            keys: Sequence[int | str] = resolved.sources or (resolved.reference,)
            mark = min((cites[key] for key in keys if key in cites), default=None)
        x.data.append((data, resolved, mark))
    for position, citations in said.items():
        old = marks[position].reading
        kept = tuple(dict.fromkeys(c._replace(locator=c.locator or old.locator) for c in citations))
        marks[position] = marks[position]._replace(reading=Reading(old.parsed, kept))


def resolve(
    index: SourceIndex,
    data: ProviderCitation,
    payload: Sequence[Source],
    texts: Sequence[str | None],
    *,
    own_sources: bool,
) -> Resolved:
    """The source that one data citation means: by position, by its id, link or title, by its text, last by its reference."""
    found: tuple[int, ...] = ()
    if own_sources and data.payload_source is not None:
        found = (data.payload_source,) if 0 <= data.payload_source < index.count else ()
    else:
        named = _named(index, data)
        if data.sent_source is not None and (not named or data.sent_source in named):
            # A title or link that names another source is trusted more: providers count documents in several ways.
            if not 0 <= data.sent_source < index.count:
                return Resolved(data.reference, "unknown", None, (), locator=data.locator)
            found = (data.sent_source,)
        else:
            found = named or _same_text(data, payload, texts)
    if found:
        return Resolved(data.reference, "valid", found[0], found, score=100.0, locator=data.locator)
    parsed = read_inside(data.reference)
    if parsed is None or not parsed.sure:
        parsed = read_inside(f"Source: {data.reference}")
    reading = index.read(parsed) if parsed is not None else None
    if reading is not None and reading.citations:
        first = reading.citations[0]
        return first._replace(reference=data.reference, locator=data.locator or first.locator)
    return Resolved(data.reference, "unknown", None, (), locator=data.locator)


def _named(index: SourceIndex, data: ProviderCitation) -> tuple[int, ...]:
    names = index.names
    if names is None:
        return ()
    for key in (data.id, data.url, data.title):
        if key and (found := names.exact(key)):
            return found
    return ()


def _same_text(data: ProviderCitation, payload: Sequence[Source], texts: Sequence[str | None]) -> tuple[int, ...]:
    """The sent source that has the text of the payload's source: services hand chunks back without their ids."""
    if data.payload_source is None or not 0 <= data.payload_source < len(payload):
        return ()
    wanted = (payload[data.payload_source].text or "").strip()
    return tuple(i for i, text in enumerate(texts) if wanted and text and text.strip() == wanted)


def _touched(marks: Sequence[Mark], start: int, end: int) -> int | None:
    """The one mark that a span overlaps, or that an insertion point stands beside."""
    touched = None
    for i in range(max(0, bisect_left(marks, (start,)) - 1), len(marks)):
        mark = marks[i]
        if mark.start > end:
            break
        beside = start == end and mark.start <= start <= mark.end
        if (beside or (mark.start < end and start < mark.end)) and mark.reading.citations:
            if touched is not None and not beside:
                return None
            touched = i
    return touched


def _what_marks_cite(marks: Sequence[Mark]) -> dict[int | str, int]:
    """The first mark that cites a source, by the source's position; or that has a reference, by its text."""
    first: dict[int | str, int] = {}
    for i, mark in enumerate(marks):
        for c in mark.reading.citations:
            for source in c.sources:
                first.setdefault(source, i)
            first.setdefault(c.reference, i)
    return first
