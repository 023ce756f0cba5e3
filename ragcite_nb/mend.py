"""What could be meant where a citation, a quote or a missing citation is at fault, and how to apply what was chosen.

A suggestion is a place in the answer's text, what to write there, and why. Nothing is applied by itself; :func:`repair`
applies the suggestions that it is given and checks the new text again.

Evidence is of two kinds: how the reference is written (a number beside one that exists, a name near one that exists),
and whether the source shares the words of the sentence (``support.py``). A reference that points to a source by the way
it is written still needs words in common, so that seldom anything is suggested when the true source is not there.
"""

from __future__ import annotations

import difflib
import re
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

from rapidfuzz import fuzz

from ragcite_nb import messages
from ragcite_nb.models import InputError
from ragcite_nb.resolve import SourceIndex, parts_of
from ragcite_nb.support import Support, Supporters
from ragcite_nb.write.answer_format import bare_sentence
from ragcite_nb.write.marks import marks_for, reads_as
from ragcite_nb.write.numbering import numbers
from ragcite_nb.write.templates import LANGUAGES, STYLES, templates_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ragcite_nb.models import CheckResult, Citation, ProviderCitation, QuoteCheck
    from ragcite_nb.resolve import Resolved

Fault = Literal["citation", "claim", "quote"]
Reason = Literal[
    "off_by_one",
    "zero_based",
    "shift",
    "nearest_name",
    "one_of_several",
    "carries_claim",
    "own_wording",
    "other_source",
]

# The thresholds were chosen with benchmarks/mend.py on every other answer and judged on the rest.
CARRIES = 0.6
"""Support from which a source is suggested for a claim on the words alone."""
AGREES = 0.38
"""Support from which a source is suggested for a citation whose reference is a near miss of its name."""
AGREES_NUMBER = 0.42
"""The same for a near miss of its number, which says less: nearly every wrong number has a neighbour."""
AGREES_FAR = 0.55
"""The same where the name is alike but its numbers are far apart: page 3 for page 38."""
NEAR_NAME = 60.0
"""How alike (0 to 100) a reference and a source's name must be for the name to point to the source."""
NEAR_LETTERS = 80.0
"""How alike (0 to 100) the letters of a reference and a name must be for the one to be a near miss of the other."""
NEAR_NUMBER = 2
"""How far apart two numbers may be for the same."""
STANDS_OUT = 0.25
"""Support that is enough for a near miss when it is ``AHEAD`` times that of every other source, if others have any."""
AHEAD = 3
_NEAR_FIRST = 0.5
"""What a near miss counts for, in support, when candidates are ranked."""
MOST = 3
"""Suggestions for one fault."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One possible correction; the best one for a fault comes first.

    Attributes:
        fault: what is at fault: a ``"citation"`` that fits no source, a ``"claim"`` without one, a ``"quote"``.
        index: its position in the result's ``citations``, ``sentences`` or ``quotes``.
        reason: why: ``"off_by_one"``, ``"zero_based"``, ``"shift"``, ``"nearest_name"``, ``"one_of_several"``,
            ``"carries_claim"``, ``"own_wording"`` (the source's own words for a quote), ``"other_source"`` (the quote
            stands elsewhere).
        source: position of the suggested source.
        score: how well the source's words carry the sentence, or how alike the quote and the passage are, 0 to 1;
            ``None`` where there is no sentence to compare.
        passage_start, passage_end: the passage in the source's text, if one was found.
        start, end: the place in the answer's text; ``None`` when the fault has none, or stands in a tag that wraps text:
            nothing can be applied then.
        old, new: the text there, and what would be written instead.
        message: the reason in words.
    """

    fault: Fault
    index: int
    reason: Reason
    source: int
    score: float | None
    passage_start: int | None
    passage_end: int | None
    start: int | None
    end: int | None
    old: str
    new: str
    message: str


@dataclass(frozen=True, slots=True)
class Repair:
    """An answer with the chosen suggestions applied.

    Attributes:
        text: the new text.
        diff: what changed, as a unified diff, one word group a line.
        result: the new text, checked again.
        applied: the suggestions, in the order of their places.
    """

    text: str
    diff: str
    result: CheckResult
    applied: tuple[Suggestion, ...]

    def __str__(self) -> str:
        return self.diff


def suggest(result: CheckResult) -> tuple[Suggestion, ...]:
    """What could be meant, for every fault that there is a good guess for; nothing is changed.

    >>> import ragcite_nb as rc
    >>> sources = ["Dogs travel free of charge.", "Bicycles cost 4 euros per crossing."]
    >>> found = suggest(rc.check("Dogs travel free [1]. A bicycle costs 4 euros per crossing [3].", sources))
    >>> [(s.reason, s.old, s.new) for s in found]
    [('off_by_one', '[3]', '[2]')]
    """
    return tuple(_Mender(result).suggestions()) if result.sources else ()


class _Pointed(NamedTuple):
    """A source that a reference points to by the way it is written: why, how strongly (0 to 1), whether narrowly."""

    reason: Reason
    likeness: float
    near: bool


class _Candidate(NamedTuple):
    source: int
    reason: Reason
    support: Support | None
    rank: float


class _Mender:
    def __init__(self, result: CheckResult) -> None:
        self.result = result
        self.supporters = Supporters([s.text for s in result.sources])
        self.numbers = numbers(result.sources, result.options.first_number)
        self._ranked: dict[int, dict[int, Support]] = {}

    def suggestions(self) -> Iterator[Suggestion]:
        result, shift = self.result, self._shift
        if shift:
            yield from self._shifted(shift)
        for i, citation in enumerate(result.citations):
            if citation.status == "valid" or (shift and _number(citation) is not None):
                continue
            for candidate in self._candidates(citation)[:MOST]:
                yield self._for_citation(i, citation, candidate)
        if result.placed:
            for i, sentence in enumerate(result.sentences):
                if sentence.kind == "claim" and not sentence.citations:
                    ranked = sorted(self._support(i).values(), key=lambda s: (-s.score, s.source))
                    for support in [s for s in ranked if s.score >= CARRIES][:MOST]:
                        yield self._for_claim(i, support)
        for i, quote in enumerate(result.quotes):
            if not quote.found and quote.status != "unverifiable":
                yield from self._for_quote(i, quote)

    # -------------------------------------------------------------------------------------------------------- citations
    def _support(self, sentence: int) -> dict[int, Support]:
        """For each source how well it carries a sentence."""
        if sentence not in self._ranked:
            ranked = self.supporters.ranked(bare_sentence(self.result, sentence))
            self._ranked[sentence] = {s.source: s for s in ranked}
        return self._ranked[sentence]

    def _pooled(self, citation: Citation) -> dict[int, tuple[float, Support]]:
        """For each source its mean support over all sentences that cite this reference, and that of this sentence."""
        if citation.sentence is None:
            return {}
        sentences = {
            c.sentence for c in self.result.citations if c.reference == citation.reference and c.sentence is not None
        }
        total: dict[int, float] = defaultdict(float)
        for sentence in sentences:
            for source, support in self._support(sentence).items():
                total[source] += support.score
        own = self._support(citation.sentence)
        return {source: (total[source] / len(sentences), own[source]) for source in own}

    @cached_property
    def _shift(self) -> int:
        """What to add to every number of the answer so that all of them fit; 0 when they fit or nothing does.

        Only a whole answer can be shifted: at least two different numbers, one of which fits no source.
        """
        found = {n for c in self.result.citations if (n := _number(c)) is not None}
        known = set(self.numbers)
        if len(found) < 2 or found <= known:
            return 0
        fitting = [s for s in (min(known) - min(found), max(known) - max(found)) if {n + s for n in found} <= known]
        best = max(fitting, key=self._agreement, default=0)
        # Shifted, the sources must carry the sentences, and better than they do as the numbers stand. There a number
        # that fits no source may be that one's fault alone: it counts like a near miss, so that it does not draw all
        # the others with it.
        share = self._agreement(best)
        return best if share >= STANDS_OUT and share > self._agreement(0, unknown=AGREES_NUMBER) else 0

    def _shifted(self, shift: int) -> Iterator[Suggestion]:
        """One suggestion for each marker, those with valid numbers too: they mean other sources then."""
        result = self.result
        reason: Reason = "zero_based" if shift == 1 and result.options.first_number == 1 else "shift"
        for m, marker in enumerate(result.markers):
            changes = self._by_shift(m, shift)
            if not changes:
                continue
            first, source = next(iter(changes.items()))
            citation = result.citations[first]
            support = self._support(citation.sentence).get(source) if citation.sentence is not None else None
            yield self._suggestion(
                "citation", first, reason, source, support, marker.start, marker.end, marker.raw,
                self.rewritten(m, changes), citation.reference,
            )  # fmt: skip

    def _by_shift(self, marker: int, shift: int) -> dict[int, int]:
        """The sources that the numbers of a marker mean when ``shift`` is added, by index of the citation."""
        return {
            i: self.numbers.index(number + shift)
            for i in self.result.markers[marker].citations
            if (number := _number(self.result.citations[i])) is not None
        }

    def _agreement(self, shift: int, unknown: float = 0.0) -> float:
        """Mean support of the sentences by the sources that their numbers mean when ``shift`` is added."""
        scores = []
        for citation in self.result.citations:
            number = _number(citation)
            if citation.sentence is None or number is None:
                continue
            if number + shift not in self.numbers:
                scores.append(unknown)
                continue
            support = self._support(citation.sentence).get(self.numbers.index(number + shift))
            scores.append(support.score if support else 0.0)
        return sum(scores) / len(scores) if scores else 0.0

    def _candidates(self, citation: Citation) -> list[_Candidate]:
        pooled = self._pooled(citation)
        pointed = self._pointed(citation)
        # A source that the sentence cites already needs no second citation.
        sentence = self.result.sentences[citation.sentence] if citation.sentence is not None else None
        beside = (self.result.citations[i] for i in sentence.citations) if sentence is not None else ()
        cited = {s for c in beside if c.status == "valid" for s in c.sources}
        found = []
        for source, (reason, likeness, near) in pointed.items():
            if citation.sentence is None:
                if near:  # there is no sentence to compare with
                    found.append(_Candidate(source, reason, None, likeness))
                continue
            mean, support = pooled.get(source, (0.0, None))
            others = max((m for s, (m, _) in pooled.items() if s != source), default=0.0)
            # Where no other source shares a word with the sentence there is nothing to stand out from.
            stands_out = mean >= STANDS_OUT and mean >= AHEAD * others > 0
            needed = AGREES_FAR if not near else AGREES_NUMBER if reason == "off_by_one" else AGREES
            if source not in cited and (mean >= needed or (near and stands_out)):
                found.append(_Candidate(source, reason, support, mean + 0.1 * likeness + _NEAR_FIRST * near))
        for source, (mean, support) in pooled.items():
            if source not in pointed and source not in cited and mean >= CARRIES:
                found.append(_Candidate(source, "carries_claim", support, mean))
        return sorted(found, key=lambda c: (-c.rank, c.source))

    def _pointed(self, citation: Citation) -> dict[int, _Pointed]:
        """The sources that a reference points to by the way it is written, with how strongly (0 to 1)."""
        result = self.result
        if citation.status == "ambiguous":
            return dict.fromkeys(citation.sources, _Pointed("one_of_several", 1.0, near=True))
        pointed: dict[int, _Pointed] = {}
        reference = citation.reference
        number = _number(citation)
        if number is not None:
            for neighbour in (number - 1, number + 1):
                if neighbour in self.numbers:
                    pointed[self.numbers.index(neighbour)] = _Pointed("off_by_one", 0.9, near=True)
            return pointed
        inside = result.markers[citation.marker].raw.strip("[]【】") if citation.marker is not None else reference
        for source in range(len(result.sources)):
            likeness = max(self._likeness(reference, source), self._likeness(inside, source))
            near = self._near_miss(reference, source) or self._near_miss(inside, source)
            if near or likeness >= NEAR_NAME or source == citation.nearest:
                pointed[source] = _Pointed("nearest_name", max(likeness, NEAR_NAME) / 100, near)
        return pointed

    def _likeness(self, reference: str, source: int) -> float:
        """How alike the letters of a reference and of a source's names are, and how near their numbers, 0 to 100."""
        return max(
            (0.8 * _letters(reference, name) + 20 * _nearness(reference, name) for name in self._called(source)),
            default=0.0,
        )

    def _near_miss(self, reference: str, source: int) -> bool:
        """Whether a reference is a source's name but for a digit or a version, page, section or article beside it."""
        for name in self._called(source):
            if _letters(reference, name) >= NEAR_LETTERS and _all_near(reference, name):
                return True
        wanted, known = parts_of(reference), self.result.sources[source]
        if not wanted.document or not known.title or _letters(wanted.document, known.title) < NEAR_LETTERS:
            return False
        page = None if wanted.page is None else str(wanted.page[0])
        told = (
            (wanted.version, known.version),
            (page, known.page),
            (wanted.section, known.section),
            (wanted.article, known.section),
        )
        return all(_all_near(str(asked), str(own)) for asked, own in told if asked is not None and own is not None)

    def _called(self, source: int) -> list[str]:
        known = self.result.sources[source]
        names = (known.name, known.id, known.title, known.url)
        return [str(name) for name in names if name is not None and name != ""]

    # --------------------------------------------------------------------------------------------------------- writing
    def _mark(self, source: int, like: str) -> str:
        """How the answer would cite a source, in the form that is most like the marker ``like``."""
        number = str(self.numbers[source])
        written = [_NUMBER.sub(number, like, count=1)] if len(_NUMBER.findall(like)) == 1 else []
        if _WORD.search(like):
            written += sorted(self._names(source), key=lambda mark: -fuzz.ratio(mark, like))
        for mark in written:
            if reads_as(mark, source, self._index):
                return mark
        return f"[{number}]"

    def data(self, citation: ProviderCitation, source: int) -> ProviderCitation:
        """A citation that came as data, set to another source."""
        reference = str(self.numbers[source]) if citation.reference.isdigit() else self.result.label(source)
        return citation._replace(
            reference=reference, payload_source=None, sent_source=source, id=None, url=None, title=None
        )

    def _names(self, source: int) -> Iterator[str]:
        """Marks that cite a source by name: bare, and in the form of every trade and language."""
        known = self.result.sources[source]
        for name in (known.id, known.name, known.title):
            if name is not None:
                yield f"[{name}]"
        for marks in self._named_marks:
            yield marks[source]

    @cached_property
    def _named_marks(self) -> list[tuple[str, ...]]:
        sources, first_number = self.result.sources, self.result.options.first_number
        return [
            marks_for(sources, style, language, templates_for(language)["marks"], first_number).marks
            for style in STYLES
            if style not in ("numbered", "json")
            for language in LANGUAGES
        ]

    @cached_property
    def _index(self) -> SourceIndex:
        return SourceIndex(len(self.result.sources), self.result.options.first_number, self.result.sources)

    def _for_citation(self, index: int, citation: Citation, candidate: _Candidate) -> Suggestion:
        result = self.result
        start = end = None
        old = new = ""
        if citation.marker is not None:
            marker = result.markers[citation.marker]
            start, end, old = marker.start, marker.end, marker.raw
            new = self.rewritten(citation.marker, {index: candidate.source})
            if marker.text_start is not None:
                start = end = None  # a tag that wraps text is rewritten by hand
        reason = candidate.reason
        return self._suggestion(
            "citation",
            index,
            reason,
            candidate.source,
            candidate.support,
            start,
            end,
            old,
            new,
            reference=citation.reference,
        )

    def rewritten(self, marker: int, changes: Mapping[int, int]) -> str:
        """A marker with some of its citations (by index) set to other sources; the others keep theirs."""
        raw = self.result.markers[marker].raw
        cited = self.result.markers[marker].citations
        if len(cited) == 1:
            return self._mark(changes[cited[0]], raw)
        marks = []
        for i in cited:
            citation = self.result.citations[i]
            source = changes.get(i, citation.source)
            marks.append(f"[{citation.reference}]" if source is None else self._mark(source, raw))
        return "".join(dict.fromkeys(marks))

    def changes(self, suggestion: Suggestion) -> dict[int, int]:
        """The citations (by index) that a suggestion sets to other sources."""
        index, citations = suggestion.index, self.result.citations
        if suggestion.reason in ("shift", "zero_based"):
            number, marker = _number(citations[index]), citations[index].marker
            if number is not None and marker is not None:
                return self._by_shift(marker, self.numbers[suggestion.source] - number)
        if suggestion.fault == "citation":
            return {index: suggestion.source}
        citation = self.result.quotes[index].citation if suggestion.reason == "other_source" else None
        return {} if citation is None else {citation: suggestion.source}

    def _for_claim(self, index: int, support: Support) -> Suggestion:
        sentence = self.result.sentences[index]
        place = sentence.start + len(sentence.text.rstrip(".!?…:; \t\n\u00a0"))
        style = next((m.raw for m in self.result.markers if m.kind == "citation"), "[1]")
        return self._suggestion(
            "claim",
            index,
            "carries_claim",
            support.source,
            support,
            place,
            place,
            "",
            f" {self._mark(support.source, style)}",
        )

    def _for_quote(self, index: int, quote: QuoteCheck) -> Iterator[Suggestion]:
        """The source's own wording for a near or altered quote; the right source for one that stands elsewhere."""
        result = self.result
        if quote.status == "elsewhere" and quote.citation is not None:
            citation = result.citations[quote.citation]
            marker = result.markers[citation.marker] if citation.marker is not None else None
            for source in quote.found_in[:MOST]:
                if marker is None or marker.text_start is not None or citation.marker is None:
                    # Without a marker, or in a tag that wraps text, the citation is rewritten by hand.
                    yield self._suggestion("quote", index, "other_source", source, None, None, None, "", "")
                else:
                    new = self.rewritten(citation.marker, {quote.citation: source})
                    place = marker.start, marker.end
                    yield self._suggestion("quote", index, "other_source", source, None, *place, marker.raw, new)
            return
        if quote.source is not None and quote.source_start is not None and quote.source_end is not None:
            support = Support(quote.source, (quote.score or 0) / 100, quote.source_start, quote.source_end)
        else:
            ranked = self.supporters.ranked(quote.text, quote.sources or None)
            if not ranked or ranked[0].score < AGREES:
                return
            support = ranked[0]
        text = result.sources[support.source].text or ""
        wording = " ".join(text[support.start : support.end].split())
        yield self._suggestion(
            "quote", index, "own_wording", support.source, support, quote.start, quote.end,
            result.text[quote.start : quote.end] if quote.start is not None else "", wording,
        )  # fmt: skip

    def _suggestion(
        self,
        fault: Fault,
        index: int,
        reason: Reason,
        source: int,
        support: Support | None,
        start: int | None,
        end: int | None,
        old: str,
        new: str,
        reference: str = "",
    ) -> Suggestion:
        label = self.result.sources[source].name
        target = f"[{self.numbers[source]}]" + (f" {label}" if label else "")
        score = None if support is None else round(support.score, 4)
        message = messages.text(
            "write",
            reason,
            self.result.locale,
            reference=f"[{reference}]",
            target=target,
            shift=f"{self._shift:+d}" if reason == "shift" else "",
            percent=messages.text("write", "percent", self.result.locale, number=round(100 * (score or 0))),
        )
        return Suggestion(
            fault, index, reason, source, score,
            None if support is None else support.start, None if support is None else support.end,
            start, end, old, new, message,
        )  # fmt: skip


_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(r"(?<![\w.])\d{1,9}(?![\w.])")
_WORD = re.compile(r"[^\W\d_]{2}")


def _number(citation: Citation) -> int | None:
    reference = citation.reference
    return int(reference) if reference.isascii() and reference.isdigit() and len(reference) < 10 else None


def _letters(a: str, b: str) -> float:
    """How alike two names are but for their numbers, 0 to 100."""
    return fuzz.ratio(_DIGITS.sub("0", a.casefold())[:300], _DIGITS.sub("0", b.casefold())[:300])


def _digit_pairs(a: str, b: str) -> list[tuple[str, str]] | None:
    first, second = _DIGITS.findall(a), _DIGITS.findall(b)
    return list(zip(first, second, strict=True)) if len(first) == len(second) else None


def _apart(a: str, b: str) -> int:
    """How far apart two numbers are; digits that were turned round are one step."""
    return int(sorted(a) != sorted(b)) * abs(int(a[:9]) - int(b[:9])) or int(a != b)


def _all_near(a: str, b: str) -> bool:
    """Whether two names have the same numbers or nearly so.

    >>> _all_near("FAQ #211", "FAQ #112"), _all_near("v3.1", "v3.0"), _all_near("page 38", "page 3")
    (True, True, False)
    """
    pairs = _digit_pairs(a, b)
    return pairs is not None and all(_apart(x, y) <= NEAR_NUMBER for x, y in pairs)


def _nearness(a: str, b: str) -> float:
    """1 for names with the same numbers, less the further apart they are, 0 if one has more than the other."""
    pairs = _digit_pairs(a, b)
    if pairs is None:
        return 0.0
    return sum(1 / (1 + _apart(x, y)) for x, y in pairs) / len(pairs) if pairs else 1.0


def repair(result: CheckResult, suggestions: Iterable[Suggestion]) -> Repair:
    """Apply the chosen suggestions and check the new text against the same sources.

    Raises:
        InputError: for suggestions that have no place, that belong to another text, or that meet at one place.

    >>> import ragcite_nb as rc
    >>> result = rc.check("A bicycle costs 4 euros per crossing [3].", ["Dogs.", "Bicycles cost 4 euros per crossing."])
    >>> mended = repair(result, suggest(result))
    >>> mended.text, mended.result.ok()
    ('A bicycle costs 4 euros per crossing [2].', True)
    """
    if isinstance(suggestions, Suggestion):
        suggestions = (suggestions,)
    chosen = list(suggestions)
    for suggestion in chosen:
        if not isinstance(suggestion, Suggestion):
            found = type(suggestion).__name__
            raise InputError(f"suggestions: a {found} found; accepted are those that suggest() returned")
        if suggestion.start is None or suggestion.end is None:
            raise InputError(f"suggestions: {suggestion.message!r} has no place in the text; it cannot be applied")
        if result.text[suggestion.start : suggestion.end] != suggestion.old:
            raise InputError(f"suggestions: {suggestion.message!r} belongs to another text")
    edits = _edits(result, chosen)
    pieces, at = [], 0
    for start, end, new in edits:
        pieces += [result.text[at:start], new]
        at = end
    text = "".join([*pieces, result.text[at:]])
    chosen.sort(key=lambda s: (s.start or 0, s.end or 0))
    return Repair(text, _diff(result.text, text), _checked(result, text, edits, chosen), tuple(chosen))


_Edit = tuple[int, int, str]


def _edits(result: CheckResult, chosen: Iterable[Suggestion]) -> list[_Edit]:
    """The changes of the text, in order; several citations of one marker are one change."""
    places: dict[tuple[int, int], list[Suggestion]] = defaultdict(list)
    for suggestion in chosen:
        if suggestion.start is not None and suggestion.end is not None:
            places[suggestion.start, suggestion.end].append(suggestion)
    edits: list[_Edit] = []
    for (start, end), found in sorted(places.items()):
        if len(found) == 1:
            edits.append((start, end, found[0].new))
            continue
        changes = {s.index: s.source for s in found}
        marker = result.citations[found[0].index].marker if found[0].fault == "citation" else None
        if marker is None or len(changes) < len(found) or any(s.fault != "citation" for s in found):
            raise InputError(f"suggestions: {_listed(found)} meet at one place of the text; choose one of them")
        edits.append((start, end, _Mender(result).rewritten(marker, changes)))
    for (_, end, first), (start, _, second) in pairwise(edits):
        if start < end:
            raise InputError(f"suggestions: {first!r}, {second!r} overlap in the text; choose one of them")
    return edits


def _listed(suggestions: Iterable[Suggestion]) -> str:
    return ", ".join(repr(s.new) for s in suggestions)


def _checked(result: CheckResult, text: str, edits: Sequence[_Edit], chosen: Iterable[Suggestion]) -> CheckResult:
    from ragcite_nb.check import Checker

    checker = Checker(result.options)
    sources = None if result.sources_format == "payload" else result.sources
    answer = replace(result.answer, text=text)
    if answer.citations:
        x = checker.examined([(result.answer, sources)])[0]
        moved = [*_moved_data(result, x.data, edits, chosen), *x.loose]
        answer = replace(answer, citations=tuple(moved), misplaced=x.misplaced)
    return checker.result(answer, sources)


def _moved_data(
    result: CheckResult,
    data: Iterable[tuple[ProviderCitation, Resolved, int | None]],
    edits: Sequence[_Edit],
    chosen: Iterable[Suggestion],
) -> Iterator[ProviderCitation]:
    """Citations that came as data move with the text, and with their marker: to another source when it is set to one.

    One whose quote stands in the source that it cites is right whatever the marker was, and keeps its source.
    """
    mender = _Mender(result)
    changes = {i: source for suggestion in chosen for i, source in mender.changes(suggestion).items()}
    rewritten = {(start, end) for start, end, _ in edits}
    found = {(quote.text, quote.sources) for quote in result.quotes if quote.start is None and quote.found}
    for citation, resolved, mark in data:
        marker = result.markers[mark] if mark is not None else None
        if marker is None or (marker.start, marker.end) not in rewritten:
            if (moved := _moved(citation, edits)) is not None:
                yield moved
            continue
        own = next((i for i in marker.citations if _cite_same(result.citations[i], resolved)), None)
        # The place is the marker's: without one, the citation belongs to the marker that cites the same.
        moved = citation._replace(start=None, end=None)
        if own in changes and (citation.quote, resolved.sources) not in found:
            yield mender.data(moved, changes[own])
        else:
            yield moved


def _cite_same(citation: Citation, resolved: Resolved) -> bool:
    if resolved.sources:
        return not set(citation.sources).isdisjoint(resolved.sources)
    return citation.reference == resolved.reference


def _moved(citation: ProviderCitation, edits: Sequence[_Edit]) -> ProviderCitation | None:
    """The citation with its span counted in the new text; ``None`` when its border was rewritten."""
    if citation.start is None or citation.end is None:
        return citation
    start, end = citation.start, citation.end
    for first, last, new in edits:
        if last <= citation.start:
            start += len(new) - (last - first)
        if last <= citation.end:
            end += len(new) - (last - first)
        inside = citation.start <= first and last <= citation.end
        if first < citation.end and citation.start < last and not inside:
            return None
    return citation._replace(start=start, end=end)


def _diff(old: str, new: str) -> str:
    """A unified diff of the sentences, so that every change can be seen in its own line."""
    lines = difflib.unified_diff(_lines(old), _lines(new), "answer", "repaired", lineterm="", n=1)
    return "\n".join(lines)


_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+|\n+")


def _lines(text: str) -> list[str]:
    return [line for line in _SENTENCE_END.split(text) if line]
