"""One answer, examined: all the stages in order, with counts ready and objects not yet built.

Both roads go through here. ``check()`` builds a :class:`~ragcite_nb.models.CheckResult` from an :class:`Examined`, the frame
path reads its counts, so that both always agree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ragcite_nb import claims as claim_lists
from ragcite_nb import given, languages, score
from ragcite_nb.claims import claim_rules, core_of
from ragcite_nb.markers import Item, locator_of
from ragcite_nb.quotes import Searcher
from ragcite_nb.resolve import Resolved
from ragcite_nb.scan import Mark, Scanner
from ragcite_nb.segment import FILL, HEAD, HEADING, ITEM, ROW, TEXT, has_word, layout, sentence_rules, sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragcite_nb.models import Answer, Options, ProviderCitation, SentenceKind
    from ragcite_nb.quotes import FoldCache
    from ragcite_nb.resolve import SourceIndex
    from ragcite_nb.scan import Scan
    from ragcite_nb.segment import Entry, Layout, Unit

_STOPS = frozenset(".!?…。！？।؟۔｡")
_NOT_FOUND = frozenset({"near", "altered", "elsewhere", "absent"})
_TAIL = frozenset(f' \t\n\u00a0{FILL}*_~"”’»)]`')


class Span(NamedTuple):
    """A sentence: its place, its kind, and the range of marks in it."""

    start: int
    end: int
    kind: SentenceKind
    first: int
    last: int
    block: int


_span = tuple.__new__  # a quarter of the time that Span(...) takes, for the inner loop


class Quote(NamedTuple):
    """A quoted text to be looked up: its span in the answer if it stands there, and what it cites."""

    text: str
    start: int | None
    end: int | None
    origin: str
    mark: int | None
    """Position of the mark that it belongs to; ``None`` when it belongs to all of its sentence or to data."""
    data: int | None
    """Position of the provider citation that it came with."""
    sentence: int | None
    cited: tuple[int, ...]
    short: bool


class Examined:
    """What was found in one answer. Counts are attributes; the rest is raw material for objects."""

    __slots__ = (
        "abstained", "ambiguous", "answer", "citation_count", "cited_bits", "claims", "contradiction", "covered", "data",
        "data_sentences", "duplicates", "footer_only", "index", "language", "layout", "locator_mismatches", "loose", "malformed",
        "masked", "numbering_unsure", "options", "partial", "placed", "quote_statuses", "quotes", "quotes_not_found", "references", "scan",
        "score", "sentences", "supported", "text", "truncated", "uncited", "unknown", "unknown_references", "url_mismatches",
        "valid",
    )  # fmt: skip

    text: str
    answer: Answer | None
    """The answer that was read; ``None`` when it was plain text."""
    truncated: bool
    options: Options
    index: SourceIndex
    layout: Layout
    scan: Scan
    masked: str
    language: str
    sentences: list[Span]
    covered: dict[int, list[int]]
    """Marks of elsewhere that cover a sentence too, under ``scope="block"``."""
    data: list[tuple[ProviderCitation, Resolved, int | None]]
    """Provider citations with what they cite, and the mark whose resolution they are."""
    data_sentences: list[list[int]]
    loose: list[ProviderCitation]
    """Quotes that came as data without saying which source they cite."""
    quotes: list[Quote]
    quote_statuses: list[str]
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
    unknown_references: int
    cited_bits: int
    numbering_unsure: bool
    url_mismatches: list[tuple[Mark, int]]
    locator_mismatches: list[tuple[Mark, int]]
    duplicates: Sequence[int]
    contradiction: dict[str, Any] | None


def examine(
    text: str,
    texts: Sequence[str | None],
    index: SourceIndex,
    folded: FoldCache,
    options: Options,
    scanner: Scanner,
    answer: Answer | None = None,
    *,
    own_sources: bool = False,
) -> Examined:
    """Run all stages over one answer.

    Args:
        text: the answer's text.
        texts: the texts of the sources.
        index: the sources, to look references up in.
        folded: sources that were folded before in this run.
        options: how to judge.
        scanner: scans for the markers that ``options`` ask for.
        answer: the answer that was read, when it is more than its text.
        own_sources: whether the sources are the payload's own.
    """
    x = Examined()
    x.text, x.answer, x.options, x.index = text, answer, options, index
    x.truncated = answer is not None and answer.truncated
    x.layout = layout(text)
    x.scan = scanner.scan(text, index, x.layout.regions)
    x.numbering_unsure = False
    if index.by_id is not None:
        _numbering(x, scanner)
        index = x.index
    x.language = options.language if options.language != "auto" else languages.detect(text)
    x.masked = _mask(x)
    given.place(x, texts, own_sources=own_sources)
    _split(x)
    _count(x)
    _look_up_quotes(x, Searcher(texts, folded))
    x.references = [(entry, _reference(index, entry)) for entry in x.layout.entries]
    x.unknown_references = sum(r.status == "unknown" for _, r in x.references)
    x.duplicates = ()
    if x.contradiction is None and x.supported > 1:
        x.contradiction = _figures_differ(x)
    return x


# ------------------------------------------------------------------------------------------------------------ numbers
def _numbering(x: Examined, scanner: Scanner) -> None:
    """Numbers mean ids where all sources have whole-number ids, unless none is one and all are positions."""
    numbers = [
        i.low for mark in x.scan.marks for i in mark.reading.parsed.items if i.kind in ("number", "range") and mark.reading.kind == "citation"
    ]  # fmt: skip
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
    if not (scan.marks or scan.masks or scan.leaks):
        return text
    spans = [(mark[0], mark[1], FILL) for mark in scan.marks if mark[4] is None]
    if len(spans) < len(scan.marks) or scan.masks or scan.leaks:
        for mark in scan.marks:
            if mark.wraps is not None:  # only the tags are masked
                spans += [(mark.start, mark.wraps[0], FILL), (mark.wraps[1], mark.end, FILL)]
        spans += [(a, b, "x") for a, b in scan.masks]
        spans += [(a, b, FILL) for a, b in scan.leaks]
        spans.sort()
    pieces: list[str] = []
    pos = 0
    for start, end, fill in spans:
        if start >= pos:
            pieces.append(text[pos:start])
            pieces.append(fill * (end - start))
            pos = end
        elif end > pos:
            pieces.append(fill * (end - pos))
            pos = end
    pieces.append(text[pos:])
    return "".join(pieces)


# ----------------------------------------------------------------------------------------------------------- sentences
def _split(x: Examined) -> None:
    """Sentences with their kinds, and which marks stand in each."""
    text, masked, units = x.text, x.masked, x.layout.units
    rules = sentence_rules(x.language)
    lists = claim_rules(x.language)
    possible = lists.possible(text)
    marks, kept = x.scan.marks, x.scan.kept
    found: list[Span] = []
    x.sentences, x.partial = found, False
    stated = ""
    everything = x.options.claims == "all"
    mark, count = 0, len(marks)
    quote, quotes = 0, len(kept)
    for number, unit in enumerate(units):
        kind, start, end, block = unit[0], unit[1], unit[2], unit[3]
        if kind == TEXT or kind == ITEM:
            first_quote = quote
            while quote < quotes and kept[quote][0] < end:
                quote += 1
            leads = mark < count and marks[mark][0] == start
            spans = sentences(masked, start, end, rules, kept[first_quote:quote], leads=leads)
            heading = len(spans) == 1 and _is_heading(text, masked, units, number)
        else:
            spans = [(start, end)]
            heading = kind in (HEADING, HEAD)
        for begin, stop in spans:
            first = mark
            while mark < count and marks[mark].start < stop:
                mark += 1
            said: SentenceKind = "claim"
            if heading:
                said = "heading"
            else:
                at = stop - 1
                while at > begin and masked[at] in _TAIL:
                    at -= 1
                last = masked[at]
                if last in "?？؟":
                    said = "question"
                elif last in ":：" and kind != ROW:
                    said = "lead_in"
                else:
                    flags = possible
                    if first == mark and lists.may_be_aside(masked[begin:stop]):
                        flags |= claim_lists.ASIDE
                    if flags:
                        core = core_of(masked[begin:stop])
                        flags = lists.flags(core, flags)
                        if flags & claim_lists.PARTIAL:
                            x.partial = True
                        if flags & claim_lists.CONTRADICTION and not stated:
                            stated = text[begin:stop]
                        if flags & claim_lists.ABSTENTION:
                            said = "abstention"
                        elif flags & claim_lists.ASIDE or (
                            flags
                            and not any(m.reading.citations for m in marks[first:mark])
                            and lists.is_about_sources(core)
                        ):
                            said = "aside"
                if everything and said not in ("heading", "abstention"):
                    said = "claim"
                if at == begin and not has_word(masked, begin, stop):
                    # Only markers, or no word at all: what stands here belongs to the sentence before.
                    if found and any(m.reading.citations for m in marks[first:mark]):
                        found[-1] = found[-1]._replace(last=mark)
                    continue
            found.append(_span(Span, (begin, stop, said, first, mark, block)))
    if x.truncated and found and not everything:
        _unfinished(x)
    x.contradiction = {"kind": "stated", "first": stated, "second": "", "count": 1} if stated else None
    if possible & claim_lists.ABSTENTION and any(s.kind == "abstention" for s in found):
        items = {unit.start for unit in units if unit.kind == ITEM}
        for i, s in enumerate(found):
            if (
                s.kind == "claim"
                and s.first == s.last
                and s.start in items
                and lists.is_referral(core_of(masked[s.start : s.end]))
            ):
                found[i] = s._replace(kind="aside")
    x.covered = _cover(x) if x.options.scope == "block" else {}


def _is_heading(text: str, masked: str, units: Sequence[Unit], number: int) -> bool:
    """A line that is all bold, or a list item that only heads a deeper list."""
    unit = units[number]
    start, end = unit.start, unit.end
    if end - start > 160:
        return False
    if text[start : start + 2] in ("**", "__") and text[end - 2 : end] == text[start : start + 2]:
        inner = masked[start + 2 : end - 2].rstrip(f" {FILL}")
        if "**" not in inner and "__" not in inner and inner[-1:] not in _STOPS and inner[-1:] not in ":：":
            return unit.kind == TEXT or _heads_list(units, number)
    tail = masked[start:end].rstrip("*_ " + FILL)[-1:]
    return (
        unit.kind == ITEM
        and end - start <= 90
        and tail not in _STOPS
        and tail not in ":："
        and _heads_list(units, number)
    )


def _heads_list(units: Sequence[Unit], number: int) -> bool:
    following = units[number + 1] if number + 1 < len(units) else None
    unit = units[number]
    return (
        following is not None
        and following.kind == ITEM
        and following.block == unit.block + 1
        and following.depth > unit.depth
    )


def _unfinished(x: Examined) -> None:
    """The last sentence of a truncated answer is no claim when it stops in the middle."""
    last = x.sentences[-1]
    if last.kind != "claim":
        return
    tail = x.masked[last.start : last.end].rstrip(f' \t\n*_~"”’»){FILL}')
    closed = any(
        mark.reading.kind == "citation" for mark in x.scan.marks[last.first : last.last] if mark.end >= last.end - 2
    )
    if tail[-1:] not in _STOPS and not closed and not x.text[last.end :].strip():
        x.sentences[-1] = last._replace(kind="aside")


def _cover(x: Examined) -> dict[int, list[int]]:
    """Under ``scope="block"``: a marker at the end of a paragraph or of a list's lead-in covers the whole of it."""
    covered: dict[int, list[int]] = {}
    spans, units = x.sentences, x.layout.units
    by_block: dict[int, list[int]] = {}
    for i, s in enumerate(spans):
        by_block.setdefault(s.block, []).append(i)
    kinds = {unit.block: (unit.kind, unit.depth) for unit in units}
    blocks = list(by_block)
    lead: list[tuple[int, list[int]]] = []  # open lead-ins: their depth, their marks
    for position, block in enumerate(blocks):
        kind, depth = kinds[block]
        inside = by_block[block]
        final = spans[inside[-1]]
        closing = _citing(x, final)
        if kind in (TEXT, ITEM) and closing:
            for i in inside[:-1]:
                if not _citing(x, spans[i]):
                    covered[i] = closing
        if kind == ITEM:
            while lead and depth < lead[-1][0]:
                lead.pop()
            if lead and not _citing(x, spans[inside[0]]):
                for i in inside:
                    if not _citing(x, spans[i]):
                        covered[i] = lead[-1][1]
        elif kind not in (ROW, HEAD):
            lead = []
        following = kinds[blocks[position + 1]] if position + 1 < len(blocks) else None
        if closing and following is not None and following[0] == ITEM:
            deeper = following[1] > depth if kind == ITEM else True
            if deeper and (
                final.kind in ("lead_in", "heading")
                or kind in (ITEM, HEADING)
                or x.masked[final.start : final.end].rstrip(f" {FILL}*")[-1:] in ":："
            ):
                lead.append((following[1], closing))
        elif kind == TEXT and following is not None and following[0] == ITEM:
            lead = []
    return covered


def _citing(x: Examined, span: Span) -> list[int]:
    return [i for i in range(span.first, span.last) if x.scan.marks[i].reading.citations]


# --------------------------------------------------------------------------------------------------------------- counts
def _count(x: Examined) -> None:
    marks = x.scan.marks
    valid = unknown = ambiguous = malformed = bits = 0
    for mark in marks:
        reading = mark[2]
        valid += reading.valid
        bits |= reading.cited
        if reading.invalid:
            ambiguous_here = sum(c.status == "ambiguous" for c in reading.citations)
            ambiguous += ambiguous_here
            unknown += reading.invalid - ambiguous_here
        elif reading.kind == "malformed":
            malformed += 1
    placed_data = [i for i, (data, _, mark) in enumerate(x.data) if mark is None and data.start is not None]
    for _, resolved, mark in x.data:
        if mark is None:
            valid += resolved.status == "valid"
            unknown += resolved.status == "unknown"
            ambiguous += resolved.status == "ambiguous"
        if resolved.status == "valid":
            for s in resolved.sources:
                bits |= 1 << s
    x.valid, x.unknown, x.ambiguous, x.malformed, x.cited_bits = valid, unknown, ambiguous, malformed, bits
    x.citation_count = valid + unknown + ambiguous
    data_only = bool(x.data or x.loose) and not placed_data and not any(mark.reading.citations for mark in marks)
    x.footer_only = not x.citation_count and bool(x.layout.entries)
    x.placed = not (data_only or x.footer_only)
    x.data_sentences = _overlapping(x, placed_data)
    claims = supported = uncited = 0
    abstentions = False
    covered = x.covered
    for i, (_, _, kind, first, last, _) in enumerate(x.sentences):
        if kind != "claim":
            if kind == "abstention":
                abstentions = True
            continue
        claims += 1
        cited = good = False
        for k in range(first, last):
            reading = marks[k].reading
            if reading.valid:
                cited = good = True
                break
            if reading.invalid:
                cited = True
        if not good and covered and i in covered:
            cited = True
            good = any(marks[k].reading.valid for k in covered[i])
        if not good and x.data_sentences and x.data_sentences[i]:
            cited = True
            good = any(x.data[d][1].status == "valid" for d in x.data_sentences[i])
        supported += good
        uncited += not cited
    x.claims, x.supported, x.uncited = claims, supported, uncited
    x.score = score.traceability(claims, supported) if x.placed else None
    x.abstained = abstentions and not claims
    x.url_mismatches, x.locator_mismatches = [], []
    if x.index.sources:
        for mark in marks:
            if mark.url is not None and mark.reading.valid:
                _compare_url(x, mark)
            if mark.reading.codes:
                c = mark.reading.citations[0]
                if c.source is not None:
                    x.locator_mismatches.append((mark, c.source))
    if not x.numbering_unsure and unknown and x.options.first_number == 1 and x.index.by_id is None and x.index.count:
        x.numbering_unsure = any(
            c.reference == "0" and c.status == "unknown"
            for mark in marks
            if mark.reading.invalid
            for c in mark.reading.citations
        )


def _overlapping(x: Examined, placed: Sequence[int]) -> list[list[int]]:
    """For each sentence, the provider citations whose span overlaps it."""
    if not placed:
        return []
    found: list[list[int]] = [[] for _ in x.sentences]
    for d in placed:
        data = x.data[d][0]
        start, end = data.start or 0, data.end or 0
        hit = False
        for i, s in enumerate(x.sentences):
            # An insertion point counts for the sentence that it stands in or directly after.
            if (s.start < end and start < s.end) or (start == end and s.start < start <= s.end):
                found[i].append(d)
                hit = True
        if not hit:
            before = [i for i, s in enumerate(x.sentences) if s.end <= start]
            if before and not x.text[x.sentences[before[-1]].end : start].strip():
                found[before[-1]].append(d)
    return found


def _compare_url(x: Examined, mark: Mark) -> None:
    sources = [s for c in mark.reading.citations for s in c.sources]
    known = [(s, url) for s in sources if (url := x.index.sources[s].url)]
    if known and mark.url is not None and not any(_same_url(mark.url, url) for _, url in known):
        x.url_mismatches.append((mark, known[0][0]))


def _same_url(a: str, b: str) -> bool:
    def plain(url: str) -> str:
        return url.strip().partition("://")[2].removeprefix("www.").rstrip("/").casefold() or url.strip().casefold()

    return plain(a) == plain(b)


# --------------------------------------------------------------------------------------------------------------- quotes
def _cjk_length(text: str) -> int:
    return (
        len(text)
        if text.isascii()
        else len(text)
        + sum("\u2e80" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7af" or "\uff00" <= c <= "\uff60" for c in text)
    )


def _look_up_quotes(x: Examined, searcher: Searcher) -> None:
    x.quotes, x.quote_statuses = [], []
    found = x.quotes
    marks, spans, text = x.scan.marks, x.sentences, x.text
    if x.scan.quotes and x.citation_count:
        at, count = 0, len(spans)
        next_mark = 0
        quotes = sorted(x.scan.quotes)
        for number, (start, end) in enumerate(quotes):
            while at < count and spans[at].end <= start:
                at += 1
            if at == count:
                break
            span = spans[at]
            if start < span.start:
                continue
            first, last = span.first, span.last
            if first == last and at not in x.covered and not (x.data_sentences and x.data_sentences[at]):
                continue
            limit = quotes[number + 1][0] if number + 1 < len(quotes) else span.end
            next_mark = max(next_mark, first)
            while next_mark < last and marks[next_mark].start < start:
                next_mark += 1
            mark = None
            if next_mark < last and marks[next_mark].start < limit and marks[next_mark].reading.citations:
                mark = next_mark
            if mark is not None:
                cited = _sources(x, [mark], ())
            else:
                elsewhere = x.covered.get(at, ())
                data = x.data_sentences[at] if x.data_sentences else ()
                citing = [k for k in (*range(first, last), *elsewhere) if marks[k].reading.citations]
                if not citing and not data:
                    continue
                cited = _sources(x, citing, data)
            quoted = text[start:end]
            found.append(
                Quote(
                    quoted, start, end, "answer", mark, None, at, cited, short=_cjk_length(quoted) < x.options.min_quote
                )
            )
    for d, (data, resolved, _) in enumerate(x.data):
        if data.quote is not None and data.complete:
            cited = resolved.sources if resolved.status == "valid" else ()
            found.append(Quote(data.quote, None, None, data.origin, None, d, None, cited, short=False))
    everywhere = tuple(range(x.index.count))
    for data in x.loose:
        if data.quote is not None and data.complete:
            found.append(Quote(data.quote, None, None, data.origin, None, None, None, everywhere, short=False))
    missing = 0
    for q in found:
        if q.short:
            x.quote_statuses.append("unverifiable")
            continue
        status = searcher.status(_bare(x, q), q.cited)
        x.quote_statuses.append(status)
        if status in _NOT_FOUND or (status == "elided" and searcher.check(_bare(x, q), q.cited).warnings):
            missing += 1
    x.quotes_not_found = missing


def _sources(x: Examined, citing: Sequence[int], data: Sequence[int]) -> tuple[int, ...]:
    if len(citing) == 1 and not data:
        citations = x.scan.marks[citing[0]].reading.citations
        if len(citations) == 1:
            return citations[0].sources if citations[0].status == "valid" else ()
    found: dict[int, None] = {}
    for k in citing:
        for c in x.scan.marks[k].reading.citations:
            if c.status == "valid":
                found |= dict.fromkeys(c.sources)
    for d in data:
        if x.data[d][1].status == "valid":
            found |= dict.fromkeys(x.data[d][1].sources)
    return tuple(found)


def _bare(x: Examined, quote: Quote) -> str:
    """The quoted text without the answer's own markers in it."""
    if quote.start is None or quote.end is None or "[" not in quote.text:
        return quote.text
    pieces, pos = [], quote.start
    for mark in x.scan.marks:
        if mark.start >= quote.end:
            break
        if mark.start >= pos and mark.end <= quote.end and mark.wraps is None:
            pieces.append(x.text[pos : mark.start])
            pos = mark.end
    return "".join(pieces) + x.text[pos : quote.end] if pieces else quote.text


bare_quote = _bare


# ----------------------------------------------------------------------------------------------------- closing lists
def _reference(index: SourceIndex, entry: Entry) -> Resolved:
    """Which source an entry of the closing list means: by its link or name, else by its number."""
    label = str(entry.number) if entry.number is not None else entry.name
    names = index.names
    if names is not None:
        for key in (entry.url, entry.name):
            if key and (found := names.exact(key) or names.exact(key.rstrip("/"))):
                return Resolved(label, "valid", found[0], found, score=100.0)
    if entry.number is not None:
        return index.number(entry.number, label)
    if names is not None and entry.name:
        named = names.find(Item("name", entry.name[:300], locator=locator_of(entry.name[:300])), sure=True)
        if named:
            return named[0]._replace(reference=label)
    return Resolved(label, "unknown", None, ())


# ------------------------------------------------------------------------------------------------------ contradictions
def _figures_differ(x: Examined) -> dict[str, Any] | None:
    """Two claims that differ in nothing but one figure and cite different documents."""
    units: dict[str, str] = {}
    repeated = {unit for value, unit in score.FIGURE.findall(x.masked) if units.setdefault(unit, value) != value}
    if not repeated:
        return None
    figures = [(m.start(), m[1], m[2]) for m in score.FIGURE.finditer(x.masked)]
    spans, marks, masked = x.sentences, x.scan.marks, x.masked
    # What could contradict something: a claim with one figure and valid citations, by its unit and its longest word.
    seen: dict[tuple[str, str], list[tuple[str, int, Span]]] = {}
    at, count = 0, len(spans)
    for number, (start, value, unit) in enumerate(figures):
        if unit not in repeated:
            continue
        while at < count and spans[at].end <= start:
            at += 1
        if at == count:
            break
        s = spans[at]
        if start < s.start or s.kind != "claim" or s.first == s.last:
            continue
        if (number and figures[number - 1][0] >= s.start) or (
            number + 1 < len(figures) and figures[number + 1][0] < s.end
        ):
            continue
        bits = 0
        for k in range(s.first, s.last):
            bits |= marks[k].reading.cited
        if not bits:
            continue
        said = masked[s.start : s.end].lower()
        others = seen.setdefault((unit, max(said.split(), key=len)), [])
        for other, other_bits, span in others:
            if other == value or other_bits & bits:
                continue
            words = score.same_statement(said)
            if (
                len(words) >= 3
                and words == score.same_statement(masked[span.start : span.end].lower())
                and len(score.NUMBER.findall(said)) == 1
            ):
                return {
                    "kind": "figures",
                    "first": x.text[span.start : span.end],
                    "second": x.text[s.start : s.end],
                    "count": 2,
                }
        if len(others) < 8:
            others.append((value, bits, s))
    return None
