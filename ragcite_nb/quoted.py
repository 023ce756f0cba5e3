"""The quotations of an answer: which texts are quoted, what each cites, and what the sources say to that."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Any, NamedTuple

from ragcite_nb.quotes import Prepared, Searcher

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragcite_nb.examine import Examined
    from ragcite_nb.models import QuoteOrigin, QuoteStatus
    from ragcite_nb.quotes import FoldCache

_NOT_FOUND = frozenset({"near", "altered", "elsewhere", "absent"})


class Quote(NamedTuple):
    """A quoted text to be looked up: its span in the answer if it stands there, and what it cites."""

    text: str
    start: int | None
    end: int | None
    origin: QuoteOrigin
    mark: int | None
    """Position of the mark that it belongs to; ``None`` when it belongs to all of its sentence or to data."""
    data: int | None
    """Position of the provider citation that it came with."""
    sentence: int | None
    cited: tuple[int, ...]
    unchecked: str | None
    """Why it is not looked up: ``"too_short"``, or ``"example"`` for a question that the answer makes up."""


_EXAMPLE = re.compile(
    r"(?:such as|like|e\.g\.|for example|for instance|ask(?:ing|s)?|questions?|par exemple|comme|demander|questions? :|"
    r"zum beispiel|z\. ?b\.|etwa|fragen?|wie)[\s:,(]*[\"“„«「]?\s*$",
    re.IGNORECASE,
)
"""What leads to a question that the answer makes up, in quotation marks: "asking questions such as"."""

_FAR = float("inf")
_quote: Any = tuple.__new__  # a quarter of the time that Quote(...) takes


def collect(x: Examined) -> None:
    """Find the quotations; fills ``x.quotes``."""
    found: list[Quote] = []
    if x.scan.quotes and x.citation_count:
        _in_text(x, found)
    for d, (data, resolved, _) in enumerate(x.data):
        if data.quote is not None and data.complete:
            cited = resolved.sources if resolved.status == "valid" else ()
            found.append(Quote(data.quote, None, None, data.origin, None, d, None, cited, unchecked=None))
    for data in x.loose:
        if data.quote is not None and data.complete:
            everywhere = tuple(range(x.index.count))
            found.append(Quote(data.quote, None, None, data.origin, None, None, None, everywhere, unchecked=None))
    x.quotes = found


def look_up(answers: Sequence[Examined], folded: FoldCache) -> None:
    """Look the quotations of some answers up in their sources; fills ``x.quote_statuses`` and ``x.quotes_not_found``.

    Few are not found at a glance; those of all answers come together at the end.
    """
    hidden: list[tuple[Examined, int, str, Searcher, Prepared]] = []
    for x in answers:
        statuses: list[QuoteStatus] = []
        if x.quotes:
            searcher = Searcher(x.texts, folded)
            for q in x.quotes:
                if q.unchecked:
                    statuses.append("unverifiable")
                    continue
                text = q.text if "[" not in q.text else bare(x, q)
                status = searcher.glance(text, q.cited)
                if isinstance(status, Prepared):
                    hidden.append((x, len(statuses), text, searcher, status))
                    status = "absent"
                statuses.append(status)
        x.quote_statuses, x.quotes_not_found = statuses, 0
    for x, number, text, searcher, prepared in hidden:
        cited = x.quotes[number].cited
        status = x.quote_statuses[number] = searcher.search(prepared, cited)
        if status in _NOT_FOUND or (status == "elided" and searcher.check(text, cited).warnings):
            x.quotes_not_found += 1


def _in_text(x: Examined, found: list[Quote]) -> None:
    """The quotations in sentences that cite. Each belongs to the marker that follows it before the next quotation."""
    marks, spans, text = x.scan.marks, x.sentences, x.text
    least = x.options.min_quote
    quotes = x.scan.quotes if len(x.scan.quotes) < 2 else sorted(x.scan.quotes)
    for number, (start, end) in enumerate(quotes, 1):
        at = bisect_right(spans, (start, _FAR)) - 1
        if at < 0:
            continue
        span = spans[at]
        if start >= span[1] or span[2] == "abstention":  # what the sources do not say cannot be quoted from them
            continue
        first, last = span[3], span[4]
        mark = bisect_left(marks, (start,), first, last)
        limit = quotes[number][0] if number < len(quotes) else span[1]
        own = mark if mark < last and marks[mark][0] < limit and marks[mark][2].citations else None
        if own is not None:
            cited = marks[own][2].sources
            beside = own + 1
            while (
                beside < last
                and marks[beside][0] < limit
                and not text[marks[beside - 1][1] : marks[beside][0]].strip(" ,;")
            ):
                cited += marks[beside][2].sources  # one run of markers
                beside += 1
            if beside > own + 1:
                cited = tuple(dict.fromkeys(cited))
        else:
            data = x.data_sentences[at] if x.data_sentences else ()
            citing = [k for k in (*range(first, last), *x.covered.get(at, ())) if marks[k][2].citations]
            if not citing and not data:
                continue
            sources = dict.fromkeys(s for k in citing for s in marks[k][2].sources)
            sources |= dict.fromkeys(s for d in data if x.data[d][1].status == "valid" for s in x.data[d][1].sources)
            cited = tuple(sources)
        quoted = text[start:end]
        unchecked = None
        if end - start < least and _length(quoted) < least:
            unchecked = "too_short"
        elif quoted[-1] == "?" and _EXAMPLE.search(text, max(0, start - 40), start):
            unchecked = "example"
        found.append(_quote(Quote, (quoted, start, end, "answer", own, None, at, cited, unchecked)))


def _length(text: str) -> int:
    """Characters, of which one of Chinese, Japanese or Korean says as much as two."""
    wide = sum("\u2e80" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7af" or "\uff00" <= c <= "\uff60" for c in text)
    return len(text) + wide


def bare(x: Examined, quote: Quote) -> str:
    """The quoted text without the answer's own markers in it."""
    if quote.start is None or quote.end is None:
        return quote.text
    pieces, pos = [], quote.start
    marks = x.scan.marks
    for k in range(bisect_left(marks, (quote.start,)), len(marks)):
        start, end, _, _, wraps = marks[k]
        if start >= quote.end:
            break
        if start >= pos and end <= quote.end and wraps is None:
            pieces.append(x.text[pos:start])
            pos = end
    return "".join(pieces) + x.text[pos : quote.end] if pieces else quote.text
