"""Answers, examined: all the stages in order, with counts ready and objects not yet built.

Both roads go through here. ``check()`` builds a :class:`~ragcite_nb.models.CheckResult` from an :class:`Examined`, the frame
path reads its counts, so that both always agree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragcite_nb import contradictions, counts, given, languages, quoted, statements
from ragcite_nb.claims import claim_rules
from ragcite_nb.markers import Item, locator_of
from ragcite_nb.resolve import Resolved
from ragcite_nb.segment import FILL, LEAK, layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragcite_nb.models import Answer, Options, ProviderCitation, QuoteStatus
    from ragcite_nb.quoted import Quote
    from ragcite_nb.quotes import FoldCache
    from ragcite_nb.resolve import SourceIndex
    from ragcite_nb.scan import Mark, Scan, Scanner
    from ragcite_nb.segment import Entry, Layout
    from ragcite_nb.statements import Span, SpanFields


class Examined:
    """What was found in one answer. Counts are attributes; the rest is raw material for objects.

    Args:
        text: the answer's text.
        texts: the texts of the sources.
        index: the sources, to look references up in.
        options: how to judge.
        answer: the answer that was read, when it is more than its text.
        own_sources: whether the sources are the payload's own.
    """

    __slots__ = (
        "abstained", "ambiguous", "answer", "citation_count", "cited_bits", "claims", "contradiction", "covered",
        "data", "data_sentences", "duplicates", "footer_only", "index", "language", "layout", "locator_mismatches",
        "loose", "malformed", "masked", "misplaced", "numbering_unsure", "options", "own_sources", "partial",
        "placed", "possible", "quote_statuses", "quotes", "quotes_not_found", "references", "scan",
        "score", "sentences", "supported", "text", "texts", "truncated", "uncited", "unknown", "unknown_references",
        "url_mismatches", "valid",
    )  # fmt: skip

    text: str
    texts: Sequence[str | None]
    answer: Answer | None
    """The answer that was read; ``None`` when it was plain text."""
    own_sources: bool
    truncated: bool
    options: Options
    index: SourceIndex
    layout: Layout
    scan: Scan
    masked: str
    language: str
    possible: int
    """The lists of what is no claim that may match somewhere, as flags."""
    sentences: list[SpanFields]
    covered: dict[int, list[int]]
    """Marks of elsewhere that cover a sentence too, under ``scope="block"``."""
    data: list[tuple[ProviderCitation, Resolved, int | None]]
    """Provider citations with what they cite, and the mark whose resolution they are."""
    data_sentences: list[list[int]]
    loose: list[ProviderCitation]
    """Quotes that came as data without saying which source they cite."""
    quotes: list[Quote]
    quote_statuses: list[QuoteStatus]
    quotes_not_found: int
    references: list[tuple[Entry, Resolved]]
    valid: int
    unknown: int
    ambiguous: int
    citation_count: int
    claims: int
    supported: int
    uncited: int
    score: float | None
    placed: bool
    footer_only: bool
    abstained: bool
    partial: bool
    malformed: int
    misplaced: int
    """Data citations whose span is not of this text."""
    unknown_references: int
    cited_bits: int
    numbering_unsure: bool
    url_mismatches: list[tuple[Mark, int]]
    locator_mismatches: list[tuple[Mark, int]]
    duplicates: Sequence[int]
    contradiction: dict[str, Any] | None

    def __init__(
        self,
        text: str,
        texts: Sequence[str | None],
        index: SourceIndex,
        options: Options,
        answer: Answer | None = None,
        *,
        own_sources: bool = False,
    ) -> None:
        self.text, self.texts, self.index, self.options = text, texts, index, options
        self.answer, self.own_sources = answer, own_sources
        self.truncated = answer is not None and answer.truncated
        self.numbering_unsure = False
        self.duplicates = ()

    def named_sentences(self) -> list[Span]:
        """The sentences with the names of their fields; the list stays the same."""
        sentences: list[Any] = self.sentences
        sentences[:] = map(statements.Span._make, sentences)
        return sentences


def examine(answers: Sequence[Examined], scanner: Scanner, folded: FoldCache) -> None:
    """Run all stages over some answers.

    They go stage by stage, not answer by answer: what a stage needs then stays in the processor's caches, which makes
    many answers a sixth faster than one after the other.

    Args:
        answers: the answers to be examined, which are filled.
        scanner: scans for the markers that the options ask for.
        folded: sources that were folded before in this run.
    """
    for x in answers:
        x.layout = layout(x.text)
    for x in answers:
        x.scan = scanner.scan(x.text, x.index, x.layout.regions)
        if x.index.by_id is not None:
            _numbering(x, scanner)
    for x in answers:
        x.language = x.options.language if x.options.language != "auto" else languages.detect(x.text)
    for x in answers:
        x.possible = claim_rules(x.language).possible(x.text)
    for x in answers:
        x.masked = _mask(x)
        given.place(x)
    for x in answers:
        statements.classify(x)
    for x in answers:
        entries = x.layout.entries
        x.references = [(entry, _reference(x.index, entry)) for entry in entries] if entries else []
        counts.count(x)
    for x in answers:
        quoted.collect(x)
    quoted.look_up(answers, folded)
    for x in answers:
        if x.contradiction is None and x.supported > 1:
            x.contradiction = contradictions.figures_differ(x)


# ------------------------------------------------------------------------------------------------------------ numbers
def _numbering(x: Examined, scanner: Scanner) -> None:
    """Numbers mean ids where all sources have whole-number ids, unless none is one and all are positions."""
    numbers = [
        item.low
        for mark in x.scan.named()
        if mark.reading.kind == "citation"
        for item in mark.reading.parsed.items
        if item.kind in ("number", "range")
    ]
    if numbers and x.index.by_id is not None and not any(n in x.index.by_id for n in numbers):
        by_position = x.index.by_position()
        if all(by_position.positions(n) for n in numbers):
            x.index = by_position
            x.scan = scanner.scan(x.text, by_position, x.layout.regions)
            x.numbering_unsure = True


# ------------------------------------------------------------------------------------------------------------- masking
def _mask(x: Examined) -> str:
    """The answer with the same length, in which markers and code cannot be mistaken for words or for ends of sentences."""
    text, scan = x.text, x.scan
    if scan.masked is not None:
        return scan.masked
    pieces: list[str] = []
    add = pieces.append
    pos = 0
    spans = [(mark[0], mark[1], FILL) for mark in scan.marks if mark[4] is None]
    for mark in scan.named():
        if mark.wraps is not None:  # only the tags are masked
            spans += [(mark.start, mark.wraps[0], FILL), (mark.wraps[1], mark.end, FILL)]
    spans += [(a, b, "x") for a, b in scan.masks]
    spans += [(a, b, LEAK) for a, b in scan.leaks]
    spans += [(a, b, FILL) for a, b in scan.images]
    spans.sort()
    for start, end, fill in spans:
        if start >= pos:
            add(text[pos:start])
            add(fill * (end - start))
            pos = end
        elif end > pos:
            add(fill * (end - pos))
            pos = end
    add(text[pos:])
    return "".join(pieces)


# ----------------------------------------------------------------------------------------------------- closing lists
def _reference(index: SourceIndex, entry: Entry) -> Resolved:
    """Which source an entry of the closing list means: by its link or name, else by its number."""
    label = str(entry.number) if entry.number is not None else entry.name
    names = index.names
    if entry.number is not None and entry.url and index.sources:
        numbered = index.number(entry.number, label)
        if numbered.source is not None and index.sources[numbered.source].url == entry.url:
            return numbered
    if names is not None:
        for key in (entry.url, entry.name):
            if key and (found := names.exact(key) or names.exact(key.rstrip("/"))):
                if len(found) > 1 and entry.number is not None:
                    numbered = index.number(entry.number, label)
                    if numbered.source in found:
                        return numbered
                return names.cited(label, found, 100.0)
    if entry.number is not None:
        return index.number(entry.number, label)
    if names is not None and entry.name:
        several = names.find(Item("name", entry.name[:300], locator=locator_of(entry.name[:300])), sure=True)
        if several:
            return several[0]._replace(reference=label)
    return Resolved(label, "unknown", None, ())
