"""A checked answer, written out for its readers: with numbers and a list, a footer, footnotes, HTML, or as data.

Only citations that fit a source are written. Every number is the one that the checker knows the source by, so that the
written answer can be checked again against the same sources.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

from ragcite_nb import messages
from ragcite_nb.citation_form import WORDS, clean, to_citation
from ragcite_nb.models import CheckResult, InputError, plain
from ragcite_nb.segment import layout
from ragcite_nb.support import Supporters
from ragcite_nb.write.choices import one_of
from ragcite_nb.write.marks import marks_for
from ragcite_nb.write.numbering import numbers
from ragcite_nb.write.templates import templates_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ragcite_nb.models import Citation, Source

AnswerStyle = Literal["inline", "named", "footer", "footnotes", "html", "rich"]
ANSWER_STYLES = ("inline", "named", "footer", "footnotes", "html", "rich")
LISTED_FOR_ONE_CLAIM = 3
"""Names of sources that are listed for one claim; more of them become "CGV and 3 other sources"."""
_EXCERPT = 160
"""Characters of an excerpt."""
_RELEVANCE = ("relevance", "relevance_score", "score", "similarity")
"""Fields of a source's metadata that hold a retrieval score, when it lies between 0 and 1."""


class FormattedAnswer(str):
    """A written answer; a ``str`` that also knows what it leaves out.

    Attributes:
        cited: positions of the sources in the list, in its order.
        dropped: positions of the sources that ``max_citations`` left out.
        removed: the citations that fit no source, as they were written in the answer.
        notes: what was left out, in words.
    """

    __slots__ = ("cited", "dropped", "notes", "removed")

    cited: tuple[int, ...]
    dropped: tuple[int, ...]
    removed: tuple[str, ...]
    notes: tuple[str, ...]

    def __new__(
        cls, text: str, cited: Sequence[int], dropped: Sequence[int], removed: Sequence[str], notes: Sequence[str]
    ) -> Self:
        """Keep what the answer leaves out beside its text."""
        self = super().__new__(cls, text)
        self.cited, self.dropped = tuple(cited), tuple(dropped)
        self.removed, self.notes = tuple(removed), tuple(notes)
        return self

    def __getnewargs__(self) -> tuple[Any, ...]:
        return str(self), self.cited, self.dropped, self.removed, self.notes


def format_answer(
    result: CheckResult,
    style: AnswerStyle = "inline",
    *,
    include_confidence: bool = False,
    max_citations: int | None = None,
    locale: str | None = None,
) -> FormattedAnswer | dict[str, Any]:
    """Write a checked answer out for its readers.

    Args:
        result: what :func:`ragcite_nb.check` returned.
        style: ``"inline"`` for ``[1]`` and a list of sources; ``"named"`` for names in the text; ``"footer"`` for the
            bare text with its sources below and their relevance; ``"footnotes"`` for Markdown footnotes; ``"html"``;
            ``"rich"`` for a dict that holds the text and all that is known of each citation.
        include_confidence: add how reliable each source is said to be.
        max_citations: most sources that are listed: those that support the answer best; the rest is named as left out.
        locale: ``"en"``, ``"fr"`` or ``"de"``; the result's own by default.

    Raises:
        InputError: for a style or locale that there is none of.

    >>> import ragcite_nb as rc
    >>> result = rc.check("Dogs are free [1].", [{"title": "FAQ", "text": "Dogs travel free.", "page": 3}])
    >>> print(format_answer(result))
    Dogs are free [1].
    <BLANKLINE>
    Sources:
    [1] FAQ | Page 3
    """
    if not isinstance(result, CheckResult):
        raise InputError(f"result: {type(result).__name__} found; accepted is what check() returned")
    one_of("style", style, ANSWER_STYLES)
    locale = result.locale if locale is None else locale
    one_of("locale", locale, WORDS)
    if max_citations is not None and (
        isinstance(max_citations, bool) or not isinstance(max_citations, int) or max_citations < 1
    ):
        raise InputError(f"max_citations={max_citations!r}: a whole number of at least 1 is accepted")
    return _Writer(result, locale, max_citations, include_confidence=include_confidence).write(style)


class _Place(NamedTuple):
    """One place of the answer where sources are cited: the text to replace and the sources to name, in order.

    ``closes``: whether blanks before it go with it when no source is left to name. ``listed``: whether it is a list of the
    answer's own, between two paragraphs.
    """

    start: int
    end: int
    sources: tuple[int, ...]
    closes: bool = True
    listed: bool = False


class _Entry(NamedTuple):
    """One line of the list of sources. Chunks of one document that are written alike share it."""

    sources: tuple[int, ...]
    line: str


class _Writer:
    def __init__(
        self, result: CheckResult, locale: str, max_citations: int | None, *, include_confidence: bool
    ) -> None:
        self.result, self.locale, self.include_confidence = result, locale, include_confidence
        self.numbers = numbers(result.sources, result.options.first_number)
        self.removed = tuple(dict.fromkeys(c.reference for c in result.invalid_citations))
        cited = list(dict.fromkeys(c.source for c in result.valid_citations if c.source is not None))
        if not cited:  # an answer that only lists its sources
            cited = list(dict.fromkeys(r.source for r in result.reference_list if r.source is not None))
        self.cited = sorted(dict.fromkeys(self._first_with_number(i) for i in cited), key=lambda i: self.numbers[i])
        self.dropped: tuple[int, ...] = ()
        if max_citations is not None and len(self.cited) > max_citations:
            kept = set(self._by_support()[:max_citations])
            self.dropped = tuple(i for i in self.cited if i not in kept)
            self.cited = [i for i in self.cited if i in kept]

    def write(self, style: AnswerStyle) -> FormattedAnswer | dict[str, Any]:
        if style == "rich":
            return self._rich()
        if style == "html":
            return self._done(self._html())
        if style == "footnotes":
            text = self._text(lambda sources: "".join(f"[^{self.numbers[i]}]" for i in sources))
            lines = [f"[^{self.numbers[i]}]: {self._line(i)}" for i in self.cited]
            if lines and self._notes():
                # A paragraph of its own would be a claim of the answer, a footnote that nothing refers to is not shown.
                lines[-1] = " — ".join([lines[-1], *self._notes()])
                return self._done(_joined(text, lines))
            return self._done(self._below(text, lines))
        if style == "footer":
            text = self._text(lambda sources: "")  # noqa: ARG005
            return self._done(self._with_list(text, "footer_heading", relevance=True))
        if style == "named":
            return self._done(self._text(self._named))
        text = self._text(self._numbered)
        return self._done(self._with_list(text, "sources_heading", relevance=False))

    def _done(self, text: str) -> FormattedAnswer:
        return FormattedAnswer(text, self.cited, self.dropped, self.removed, self._notes())

    # ------------------------------------------------------------------------------------------------------ the sources
    def _first_with_number(self, source: int) -> int:
        """Chunks that share a number are one document."""
        return self.numbers.index(self.numbers[source])

    def _by_support(self) -> list[int]:
        """Cited sources, those first whose quotes are found and whose words carry the claims that cite them."""
        result = self.result
        supporters = Supporters([s.text for s in result.sources])
        found: dict[int, int] = defaultdict(int)
        carried: dict[int, float] = defaultdict(float)
        times: dict[int, int] = defaultdict(int)
        for quote in result.quotes:
            if quote.found and quote.source is not None:
                found[self._first_with_number(quote.source)] += 1
        for citation in result.valid_citations:
            if citation.source is None:
                continue
            source = self._first_with_number(citation.source)
            times[source] += 1
            if citation.sentence is not None:
                claim = bare_sentence(result, citation.sentence)
                best = supporters.ranked(claim, citation.sources)
                carried[source] += best[0].score if best else 0.0
        return sorted(self.cited, key=lambda i: (-found[i], -carried[i], -times[i], self.numbers[i]))

    def _line(self, source: int, *, relevance: bool = False) -> str:
        """How a source stands in the list, with its percentages in brackets behind it."""
        known = self.result.sources[source]
        line = to_citation(known, self.locale)
        named = known.title or known.url or (known.id is not None and str(known.id) != str(self.numbers[source]))
        if not named and known.text:
            line = _shortened(clean(known.text), _EXCERPT // 2)
        extra = []
        score = _relevance(known) if relevance else None
        if score is not None:
            extra.append(self._say("relevance", percent=self._percent(score)))
        if self.include_confidence and known.confidence is not None:
            extra.append(self._say("confidence", percent=self._percent(known.confidence)))
        return f"{line} ({', '.join(extra)})" if extra else line

    def _entries(self, *, relevance: bool) -> list[_Entry]:
        lines: dict[str, list[int]] = {}
        for source in self.cited:
            line = self._line(source, relevance=relevance)
            lines.setdefault(line if self.result.sources[source].title else f"{source} {line}", []).append(source)
        return [_Entry(tuple(found), self._line(found[0], relevance=relevance)) for found in lines.values()]

    def _with_list(self, text: str, heading: str, *, relevance: bool) -> str:
        colon = " :" if self.locale == "fr" else ":"
        entries = [f"{self._numbered(e.sources)} {e.line}" for e in self._entries(relevance=relevance)]
        return self._below(text, [f"{self._say(heading)}{colon}", *entries] if entries else [])

    def _below(self, text: str, lines: list[str]) -> str:
        """The text, and below it the list and the notes; indented, the notes belong to the list and are no claims."""
        notes = self._notes()
        lines = [*lines, *(f"    {note}" for note in notes)] if lines else list(notes)
        return _joined(text, lines)

    def _notes(self) -> tuple[str, ...]:
        notes = []
        if self.dropped:
            names = "; ".join(self._reference(i) for i in self.dropped)
            notes.append(self._say("dropped_sources", count=len(self.dropped), names=names))
        if self.removed:
            names = "; ".join(clean(reference) for reference in self.removed)
            notes.append(self._say("dropped_citations", count=len(self.removed), names=names))
        return tuple(notes)

    def _say(self, key: str, **params: Any) -> str:
        return messages.text("write", key, self.locale, **params)

    def _percent(self, share: float) -> str:
        return self._say("percent", number=round(100 * share))

    # --------------------------------------------------------------------------------------------------------- the text
    def _numbered(self, sources: Iterable[int]) -> str:
        return "".join(f"[{self.numbers[i]}]" for i in sources)

    def _named(self, sources: tuple[int, ...]) -> str:
        if len(sources) > LISTED_FOR_ONE_CLAIM:
            return f"[{'Quelle' if self.locale == 'de' else 'Source'}: {self.names(sources)}]"
        return "".join(dict.fromkeys(self._marks[i] for i in sources))

    @cached_property
    def _marks(self) -> tuple[str, ...]:
        """For each source the mark that cites it by name."""
        result, forms = self.result, templates_for(self.locale)["marks"]
        return marks_for(result.sources, "named", self.locale, forms, result.options.first_number).marks

    def names(self, sources: Sequence[int]) -> str:
        """The names of the sources of one claim: up to three, else the first and how many more there are."""
        names = list(dict.fromkeys(clean(self.result.label(i)) for i in sources))
        if len(names) > LISTED_FOR_ONE_CLAIM:
            return self._say("and_others", name=names[0], count=len(names) - 1)
        return "; ".join(names)

    def _places(self) -> list[_Place]:
        """Where the answer cites, in order; a marker's wrapping tags are places of their own without sources.

        Its own lists of sources are such places too: the list that is written replaces them.
        """
        result, kept = self.result, set(self.cited)
        places = []

        def sources(citations: Iterable[Citation]) -> tuple[int, ...]:
            valid = (c.source for c in citations if c.status == "valid" and c.source is not None)
            return tuple(dict.fromkeys(i for s in valid if (i := self._first_with_number(s)) in kept))

        for marker in result.markers:
            if marker.kind != "citation":
                continue
            cited = sources(result.citations[i] for i in marker.citations)
            if marker.text_start is None or marker.text_end is None:
                places.append(_Place(marker.start, marker.end, cited))
            else:
                places.append(_Place(marker.start, marker.text_start, (), closes=False))
                places.append(_Place(marker.text_end, marker.end, cited, closes=False))
        ends: dict[int, list[Citation]] = defaultdict(list)
        for citation in result.citations:
            if citation.marker is None and citation.end is not None:
                ends[self._before_stop(citation.start or 0, citation.end)].append(citation)
        places += [_Place(end, end, cited, closes=False) for end, found in ends.items() if (cited := sources(found))]
        places += [_Place(start, end, (), closes=False, listed=True) for start, end in _own_lists(result)]
        return sorted(places, key=lambda p: (p.start, p.end))

    def _before_stop(self, start: int, end: int) -> int:
        """Where a citation of the text up to ``end`` goes: before the full stop and blanks at its end."""
        text = self.result.text
        while end > start + 1 and (text[end - 1].isspace() or text[end - 1] in ".!?…"):
            end -= 1
        return end

    def _text(self, mark: Callable[[tuple[int, ...]], str]) -> str:
        """The answer's text with each place replaced by its mark."""
        return self._marked(mark)[0]

    def _marked(self, mark: Callable[[tuple[int, ...]], str]) -> tuple[str, list[tuple[int, int, tuple[int, ...]]]]:
        """The text, and the span of every mark in it with its sources."""
        text = self.result.text
        pieces: list[str] = []
        spans = []
        size = at = 0
        for place in self._places():
            start, end, sources = place.start, place.end, place.sources
            if start < at:
                continue
            pieces.append(text[at:start])
            size += start - at
            written = mark(sources) if sources else ""
            at = end
            if written:
                if not place.closes and text[start - 1 : start].isalnum():
                    written = f" {written}"
                begin = size + (written[0] == " ")
                pieces.append(written)
                size += len(written)
                spans.append((begin, size, sources))
            elif place.listed:
                gap = "\n\n" if size else ""
                pieces.append(gap)
                size += len(gap)
            elif place.closes:
                # Nothing stands in the marker's place: close the gap that it leaves.
                before = pieces[-1]
                if not text[at : at + 1].isalnum():
                    pieces[-1] = before.rstrip(" \t\u00a0")
                    size -= len(before) - len(pieces[-1])
                elif text[:start].rstrip(" \t")[-1:] in ("", "\n"):
                    at += len(text[at:]) - len(text[at:].lstrip(" "))
        pieces.append(text[at:])
        whole = "".join(pieces).rstrip()
        return whole, spans

    # -------------------------------------------------------------------------------------------------- as data, HTML
    def _rich(self) -> dict[str, Any]:
        text, spans = self._marked(self._numbered)
        positions: dict[int, list[list[int]]] = defaultdict(list)
        for start, _, sources in spans:
            at = start
            for source in sources:
                end = at + len(self._numbered((source,)))
                positions[source].append([at, end])
                at = end
        citations = []
        for source in self.cited:
            known = self.result.sources[source]
            passage = self._passage(source)
            citations.append(
                {
                    "id": self.numbers[source],
                    "text": passage,
                    "source": self._reference(source),
                    "label": self._line(source),
                    "document_type": known.document_type,
                    "section": known.section,
                    "page": known.page,
                    "version": known.version,
                    "last_updated": known.last_updated,
                    "url": known.url,
                    "confidence": known.confidence,
                    "relevance": _relevance(known),
                    "excerpt": _shortened(passage or "", _EXCERPT) or None,
                    "positions": positions[source],
                }
            )
        claims = [{"positions": [start, end], "sources": self.names(sources)} for start, end, sources in spans]
        return {
            "text": text,
            "citations": plain(citations),
            "places": claims,
            "dropped": [self.result.label(i) for i in self.dropped],
            "removed": list(self.removed),
            "notes": list(self._notes()),
        }

    def _reference(self, source: int) -> str:
        """What names this source and no other: its name with its place in the document, else its id or number."""
        return self._marks[source][1:-1].split(": ", 1)[-1]

    def _passage(self, source: int) -> str | None:
        """The source's own words that the answer leans on: its quote, else what carries its claims best."""
        result = self.result
        text = result.sources[source].text
        if not text:
            return None
        for quote in result.quotes:
            if quote.found and quote.source == source and quote.source_start is not None:
                return text[quote.source_start : quote.source_end]
        supporters = Supporters([text])
        best = None
        for citation in result.valid_citations:
            if citation.source == source and citation.sentence is not None:
                ranked = supporters.ranked(bare_sentence(result, citation.sentence))
                if ranked and (best is None or ranked[0].score > best.score):
                    best = ranked[0]
        return text[best.start : best.end].strip() if best is not None else None

    def _html(self) -> str:
        """The answer's Markdown as HTML, each citation a link to its line in the list below."""
        # Display stands above writing; it is needed for this style only.
        from ragcite_nb.display.markdown import Place, render, safe_url

        text, spans = self._marked(self._numbered)
        anchor = f"source-{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}"
        body = render(text, [Place(start, end, k) for k, (start, end, _) in enumerate(spans)])

        def badge(m: re.Match[str]) -> str:
            sources = spans[int(m[1])][2]
            links = "".join(
                f'<a href="#{anchor}-{self.numbers[i]}" title="{escape(self._line(i))}">[{self.numbers[i]}]</a>'
                for i in sources
            )
            named = f' title="{escape(self.names(sources))}"' if len(sources) > LISTED_FOR_ONE_CLAIM else ""
            return f"<sup{named}>{links}</sup>"

        body = _PANELS.sub("", _BADGE.sub(badge, body))
        items = []
        for entry in self._entries(relevance=False):
            url = safe_url(self.result.sources[entry.sources[0]].url)
            line = escape(entry.line)
            if url:
                line = f'<a href="{escape(url)}">{line}</a>'
            anchors = "".join(
                f'<span id="{anchor}-{self.numbers[i]}">[{self.numbers[i]}]</span>' for i in entry.sources
            )
            items.append(f"<li>{anchors} {line}</li>")
        heading = f"<p><strong>{escape(self._say('sources_heading'))}</strong></p>\n" if items else ""
        listed = "<ul>\n" + "\n".join(items) + "\n</ul>\n" if items else ""
        notes = "".join(f"<p><small>{escape(note)}</small></p>\n" for note in self._notes())
        return f"{body}{heading}{listed}{notes}"


_BADGE = re.compile(r'<span data-ragcite-badge="(\d+)"></span>')
_PANELS = re.compile(r'<div data-ragcite-panels="[\d ]*"></div>\n?')


def _relevance(source: Source) -> float | None:
    for name in _RELEVANCE:
        value = source.metadata.get(name)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1:
            return float(value)
    return None


def _shortened(text: str, most: int) -> str:
    """``text`` on one line, cut at a word."""
    text = " ".join(text.split())
    if len(text) <= most:
        return text
    cut = text[: most - 1]
    return f"{cut[: cut.rfind(' ')] if ' ' in cut[most // 2 :] else cut}…"


def bare_sentence(result: CheckResult, sentence: int) -> str:
    """A sentence of the answer without its markers.

    >>> import ragcite_nb as rc
    >>> bare_sentence(rc.check("Dogs are free [1][2].", ["a", "b"]), 0)
    'Dogs are free .'
    """
    s = result.sentences[sentence]
    text, at = [], s.start
    for marker in result.markers:
        if marker.start >= s.end:
            break
        if marker.end <= s.start or marker.kind == "provenance":
            continue
        if marker.text_start is None or marker.text_end is None:
            text.append(result.text[at : max(at, marker.start)])
        else:
            text += [result.text[at : max(at, marker.start)], result.text[marker.text_start : marker.text_end]]
        at = max(at, marker.end)
    text.append(result.text[at : s.end])
    return "".join(text)


_BLANK_LINES = re.compile(r"(?:[^\S\n]*\n)*")
_RULE = re.compile(r"[ \t]*([-*_])(?:[ \t]*\1){2,}")
_FENCE = re.compile(r"`{3,}|~{3,}")
_NO_QUOTE = re.compile(r"[^\s>]")


def _own_lists(result: CheckResult) -> list[tuple[int, int]]:
    """The spans of the answer's own lists of sources: with their headings, a rule above, and the empty lines around them."""
    text = result.text
    if not result.reference_list:
        return []
    found = layout(text)
    regions = {max(r for r in found.regions if r[0] <= entry.start < r[1]) for entry in found.entries}
    spans: list[tuple[int, int]] = []
    for first, last in sorted(regions):
        before = text[:first].rstrip()
        line = before.rfind("\n") + 1
        start = len(before[:line].rstrip()) if _RULE.fullmatch(before, line) else len(before)
        if spans and start <= spans[-1][1]:  # one list behind the other
            start = spans.pop()[0]
        behind = _BLANK_LINES.match(text, last)
        spans.append((start, behind.end() if behind is not None else last))
    return spans


def _joined(text: str, lines: Sequence[str]) -> str:
    """The text, and lines below it, before which a code fence that the text leaves open is closed: they are no code."""
    if not lines:
        return text
    found = layout(text)
    if found.open_fence:
        start = next(first for first, last in found.regions if last == len(text))
        fence = _FENCE.search(text, start)
        if fence is not None:
            # A fence in a list item or a quotation is closed there.
            text = f"{text}\n{_NO_QUOTE.sub(' ', text[start : fence.start()])}{fence[0]}"
    return "\n\n".join(part for part in (text, "\n".join(lines)) if part)
