"""Counting: citations by status, claims by what they cite, and what is wrong with single marks."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from ragcite_nb import score, statements
from ragcite_nb.resolve import plain_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragcite_nb.examine import Examined


def count(x: Examined) -> None:
    """Fill the counts and the score of an answer whose sentences are split."""
    marks = x.scan.marks
    valid = invalid = bits = 0
    for mark in marks:
        reading = mark[2]
        valid += reading.valid
        invalid += reading.invalid
        bits |= reading.cited
    ambiguous = 0
    if invalid:
        ambiguous = sum(c.status == "ambiguous" for mark in marks if mark[2].invalid for c in mark[2].citations)
    placed: list[int] = []
    if x.data:
        placed = [i for i, (data, _, mark) in enumerate(x.data) if mark is None and data.start is not None]
        for _, resolved, touched in x.data:
            if touched is None:
                valid += resolved.status == "valid"
                invalid += resolved.status != "valid"
                ambiguous += resolved.status == "ambiguous"
            if resolved.status == "valid":
                for s in resolved.sources:
                    bits |= 1 << s
    x.valid, x.unknown, x.ambiguous, x.cited_bits = valid, invalid - ambiguous, ambiguous, bits
    x.malformed = sum(mark[2].kind == "malformed" for mark in marks) if len(marks) > valid else 0
    x.citation_count = valid + invalid
    x.unknown_references = [r.status for _, r in x.references].count("unknown") if x.references else 0
    data_only = bool(x.data or x.loose) and not placed and not any(mark[2].citations for mark in marks)
    x.footer_only = not x.citation_count and bool(x.layout.entries)
    x.placed = not (data_only or x.footer_only)
    if placed:
        x.data_sentences = _overlapping(x, placed)
        statements.recount(x)
    x.score = score.traceability(x.claims, x.supported) if x.placed else None
    x.url_mismatches, x.locator_mismatches = [], []
    if x.index.sources:
        _compare(x)
    if not x.numbering_unsure and x.unknown and x.options.first_number == 1 and x.index.by_id is None and x.index.count:
        # A zero in a one-based answer: the log may be zero-based.
        x.numbering_unsure = any(
            c.reference == "0" and c.status == "unknown" for mark in marks if mark[2].invalid for c in mark[2].citations
        )


def _overlapping(x: Examined, placed: Sequence[int]) -> list[list[int]]:
    """For each sentence, the provider citations whose span overlaps it."""
    spans = x.named_sentences()
    found: list[list[int]] = [[] for _ in spans]
    ends = [s.end for s in spans]
    for d in placed:
        data = x.data[d][0]
        start, end = data.start or 0, data.end or 0
        # An insertion point counts for the sentence that it stands in or directly after.
        at = first = bisect_left(ends, start if start == end else start + 1)
        while at < len(spans) and (spans[at].start < end if start < end else spans[at].start < start and at == first):
            found[at].append(d)
            at += 1
        if at == first and first and not x.text[ends[first - 1] : start].strip():
            found[first - 1].append(d)
    return found


def _compare(x: Examined) -> None:
    """Marks whose link leads elsewhere than their source, or whose page is not their source's."""
    for mark in x.scan.named():
        if mark.url is not None and mark.reading.valid:
            known = [(s, url) for c in mark.reading.citations for s in c.sources if (url := x.index.sources[s].url)]
            if known and not any(_page(mark.url) == _page(url) for _, url in known):
                x.url_mismatches.append((mark, known[0][0]))
        if mark.reading.codes:
            source = mark.reading.citations[0].source
            if source is not None:
                x.locator_mismatches.append((mark, source))


def _page(url: str) -> str:
    """What a link leads to, wherever on the page."""
    return plain_url(url.partition("#")[0])
