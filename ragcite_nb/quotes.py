"""Quotes: whether a quoted text stands in its sources, where, and if not, what stands there instead.

The cheapest look comes first, and each later one only when all before it have failed: the characters as they are →
folded → the parts around an ellipsis → the nearest passage → the same words with other numbers or negations → the
other sources. Most quotes never get past the first, so sources are folded when they are needed and not before.

What is *near* is judged strictly, because it may be shown with a mild word: letters and punctuation may differ a
little, whole words may not. A quote in which a word was exchanged, or more than an article is missing, is absent. A
quote whose number or negation differs is altered, however near it is otherwise.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from ragcite_nb import guards, passages
from ragcite_nb.normalize import fold, fold_map, has_broken_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Status = Literal["verbatim", "normalized", "elided", "near", "altered", "elsewhere", "absent", "unverifiable"]


class Verdict(NamedTuple):
    """What was found about one quote.

    Attributes:
        status: see :class:`ragcite_nb.models.QuoteCheck`.
        found_in: every source that has the quote, cited or not.
        source, start, end: the passage, as a span of that source's own text: the quote itself where it is found, the
            nearest passage for near and altered; ``None`` where there is none.
        score: how alike quote and passage are, 0 to 100.
        warnings: for elided quotes what the ellipsis swallows (``negation_in_gap``, ``number_in_gap``); for altered
            ones what differs (``number_differs``, ``negation_differs``).
    """

    status: Status
    found_in: tuple[int, ...] = ()
    source: int | None = None
    start: int | None = None
    end: int | None = None
    score: float | None = None
    warnings: tuple[str, ...] = ()


class FoldCache:
    """Folded sources, kept while a run lasts: logs send the same chunks again and again.

    The oldest go first when ``max_bytes`` are used up.

    >>> cache = FoldCache()
    >>> cache.fold("A  Day"), len(cache)
    ('a day', 1)
    """

    __slots__ = ("_bytes", "_folded", "max_bytes")

    def __init__(self, max_bytes: int = 64_000_000) -> None:
        self.max_bytes = max_bytes
        self._bytes = 0
        self._folded: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._folded)

    def fold(self, text: str) -> str:
        """The folded text, remembered."""
        folded = self._folded.get(text)
        if folded is None:
            folded = fold(text)
            size = _bytes(text, folded)
            if size <= self.max_bytes // 8:
                self._folded[text] = folded
                self._bytes += size
                while self._bytes > self.max_bytes:
                    oldest = next(iter(self._folded))
                    self._bytes -= _bytes(oldest, self._folded.pop(oldest))
        return folded


def _bytes(text: str, folded: str) -> int:
    # An upper bound without asking each string for its width.
    return (len(text) + len(folded)) * (1 if text.isascii() else 4) + 200


class _Hit(NamedTuple):
    """A passage in one source. ``layer`` says which text the span counts in: 0 the source, 1 and 2 its foldings."""

    status: Status
    start: int
    end: int
    layer: int
    score: float = 100.0
    warnings: tuple[str, ...] = ()

    @property
    def found(self) -> bool:
        return self.status in ("verbatim", "normalized") or (self.status == "elided" and not self.warnings)


_SIGNS = "\\s\"'“”‘’„‚‟«»‹›「」『』,;:!?。、，；：！？*_`"
_ELLIPSIS = r"(?:…|\.{3,}|(?:\. ){2,}\.)"
_HEAD = re.compile(rf"(?:[{_SIGNS}]|{_ELLIPSIS}|\[{_ELLIPSIS}\]|\({_ELLIPSIS}\)|[-–—](?=\s))+")
_TAIL = re.compile(rf"(?:[{_SIGNS}.…]|\]{_ELLIPSIS}\[|\){_ELLIPSIS}\(|[-–—](?=\s))+")
_GAP = re.compile(r" ?[\[(]? ?\.(?: ?\.){2,} ?[\])]? ?")
_NUMBERED = re.compile(r"[\[【]\^?\d")
_ADAPTED_LETTER = re.compile(r"\[([^\W\d_])\](?=\w)")
# LlamaIndex's citation engine sends each source with its number as first line.
_SOURCE_HEAD = re.compile(r"Source \d{1,6}:\n")
_SENTENCE_END = re.compile(r"[.!?] |[。！？]")
_WORDS = re.compile(r"[^\W_]{4,}")
_LONGEST_GAP = 1000
_MOST_PARTS = 20
_MOST_CHAINS = 200
_LEAST_PART = 8
_LEAST_SKELETON = 4


def _trim(text: str) -> str:
    """The text without quotation marks, ellipses and stops at its edges: quoting adds and drops them freely."""
    head = _HEAD.match(text)
    if head:
        text = text[head.end() :]
    tail = _TAIL.match(text[-1:] and text[::-1])
    return text[: len(text) - tail.end()] if tail else text


class _Quote:
    """A quote and the forms of it that the later looks need, each made once."""

    __slots__ = ("kept", "numbered", "parts", "plain", "text", "trimmed", "words")

    def __init__(self, quote: str) -> None:
        self.text = quote.strip()
        self.trimmed = _trim(self.text)
        self.plain = _trim(fold(self.text))
        if "[" in self.plain and (adapted := _ADAPTED_LETTER.sub(r"\1", self.plain)) != self.plain:
            self.plain = adapted  # "[T]he tenant": the customary sign for a changed capital
        self.kept = _trim(fold(self.text, keep_hyphens=True)) if has_broken_word(self.text) else self.plain
        self.numbered = _NUMBERED.search(self.text) is not None
        self.parts = _parts(self.plain)
        self.words = sorted(_WORDS.findall(self.plain[:10_000]), key=len)[-3:]
        """The longest words: the least likely to stand in a text by chance."""


class Searcher:
    """Looks quotes up in the sources of one answer.

    Args:
        texts: the sources' texts; ``None`` for a source without text.
        cache: folded texts to share with other answers.

    >>> searcher = Searcher(["The ferry leaves at 07:40.", "Dogs travel *free of charge*."])
    >>> searcher.status("dogs travel free of charge", (1,))
    'normalized'
    >>> searcher.check("The ferry leaves at 07:45", (0,))
    Verdict(status='altered', found_in=(), source=0, start=0, end=25, score=96.0, warnings=('number_differs',))
    """

    __slots__ = ("_cache", "_folded", "_kept", "_texts")

    def __init__(self, texts: Sequence[str | None], cache: FoldCache | None = None) -> None:
        self._texts = texts
        self._cache = cache
        self._folded: dict[int, str] = {}
        self._kept: dict[int, str] = {}

    def status(self, quote: str, cited: Iterable[int]) -> Status:
        """The status of the quote, with the least work.

        Args:
            quote: the quoted text, without its quotation marks.
            cited: positions of the sources that are cited for it; none when the citation fits no source.
        """
        cited = tuple(cited)
        text = quote.strip()
        if _has_words(text):
            for index in cited:
                if self._raw(text, index) is not None:
                    return "verbatim"
        status, _, hit = self._decide(_Quote(quote), cited)
        return hit.status if hit and status is None else status or "absent"

    def check(self, quote: str, cited: Iterable[int]) -> Verdict:
        """All that can be said about the quote; the same status as :meth:`status`."""
        cited = tuple(cited)
        prepared = _Quote(quote)
        status, index, hit = self._decide(prepared, cited)
        if status == "unverifiable":
            return Verdict("unverifiable")
        found_in = tuple(
            other
            for other in range(len(self._texts))
            if (hit is not None and other == index and hit.found) or self._found(prepared, other) is not None
        )
        if hit is None or index is None:
            return Verdict("absent", found_in)
        start, end = self._locate(index, hit)
        return Verdict(status or hit.status, found_in, index, start, end, hit.score, hit.warnings)

    def _decide(self, quote: _Quote, cited: tuple[int, ...]) -> tuple[Status | None, int | None, _Hit | None]:
        """A status that is not the passage's own, the source, and the passage in it."""
        readable = [index for index in cited if self._has_text(index)]
        if not _has_words(quote.plain) or (cited and not readable):
            return "unverifiable", None, None
        looks = (self._verbatim, self._normalized, self._elided, self._near)
        for look in looks:
            best: tuple[int, _Hit] | None = None
            for index in readable:
                hit = look(quote, index)
                if hit and (best is None or (hit.found, hit.score) > (best[1].found, best[1].score)):
                    best = index, hit
                    if hit.found:
                        break
            if best:
                return None, *best
        others = [index for index in range(len(self._texts)) if index not in cited and self._has_text(index)]
        if not (readable or others):
            return "unverifiable", None, None
        for index in others:
            if hit := self._found(quote, index):
                return "elsewhere", index, hit
        return "absent", None, None

    def _found(self, quote: _Quote, index: int) -> _Hit | None:
        """The quote in a source, if it counts as found there."""
        if not self._has_text(index):
            return None
        hit = self._verbatim(quote, index)
        if hit is None and self._may_hold(quote, index):
            hit = self._normalized(quote, index) or self._elided(quote, index)
        return hit if hit and hit.found else None

    def _may_hold(self, quote: _Quote, index: int) -> bool:
        """A cheap look that never says no to a source that has the quote."""
        text = self._texts[index]
        if not text:
            return False
        if index not in self._folded:
            if not text.isascii() or has_broken_word(text):
                return True
            if not quote.plain.isascii():
                return False
            text = text.casefold()
        else:
            text = self._folded[index]
            if index in self._kept or has_broken_word(self._texts[index] or ""):
                return True
        return all(word in text for word in quote.words)

    # The looks, from cheap to dear.

    def _raw(self, words: str, index: int) -> int | None:
        text = self._texts[index]
        if not text or len(words) > len(text):
            return None
        at = passages.find(words, text, _head(text))
        return at if at >= 0 else None

    def _verbatim(self, quote: _Quote, index: int) -> _Hit | None:
        for words in (quote.text, quote.trimmed) if quote.text != quote.trimmed else (quote.text,):
            if (at := self._raw(words, index)) is not None:
                return _Hit("verbatim", at, at + len(words), 0)
        return None

    def _normalized(self, quote: _Quote, index: int) -> _Hit | None:
        text = self._fold(index)
        at = passages.find(quote.plain, text)
        if at >= 0:
            hit = _Hit("normalized", at, at + len(quote.plain), 1)
        else:
            if not has_broken_word(self._texts[index] or ""):
                return None
            at = passages.find(quote.kept, self._keep(index))
            if at < 0:
                return None
            hit = _Hit("normalized", at, at + len(quote.kept), 2)
        if quote.numbered and guards.numbers(quote.trimmed) != guards.numbers(self._original(index, hit)):
            # Folding leaves markers out, but "[14] days" in a contract is no marker.
            return hit._replace(status="altered", warnings=("number_differs",))
        return hit

    def _elided(self, quote: _Quote, index: int) -> _Hit | None:
        if not quote.parts:
            return None
        text = self._fold(index)
        # For each place of a part: its end, where the chain of parts began, and what its gaps swallow.
        chains: list[tuple[int, int, tuple[str, ...]]] = []
        for number, part in enumerate(quote.parts):
            longer: list[tuple[int, int, tuple[str, ...]]] = []
            first = chains[0][0] if chains else 0
            for at in passages.places(part, text, first):
                if len(longer) == _MOST_CHAINS or (number and at > chains[-1][0] + _LONGEST_GAP):
                    break
                if not number:
                    longer.append((at + len(part), at, ()))
                    continue
                near = [c for c in chains if c[0] <= at <= c[0] + _LONGEST_GAP][-3:]
                joined = [(start, tuple(dict.fromkeys(w + _swallowed(text[end:at])))) for end, start, w in near]
                if joined:
                    start, warnings = min(joined, key=lambda chain: (len(chain[1]), -chain[0]))
                    longer.append((at + len(part), start, warnings))
            chains = longer
            if not chains:
                return None
        end, start, warnings = min(chains, key=lambda chain: len(chain[2]))
        return _Hit("elided", start, end, 1, warnings=warnings)

    def _near(self, quote: _Quote, index: int) -> _Hit | None:
        text = self._fold(index)
        if not quote.parts:
            return self._near_words(quote, quote.plain, text, 0, index)
        hits: list[_Hit] = []
        at = 0
        for part in quote.parts:
            stop = at + _LONGEST_GAP + 2 * len(part) if hits else len(text)
            place = passages.find(part, text[:stop], at)
            hit = (
                _Hit("normalized", place, place + len(part), 1)
                if place >= 0
                else self._near_words(quote, part, text[at:stop], at, index)
            )
            if hit is None:
                return None
            hits.append(hit)
            at = hit.end
        if all(hit.status == "normalized" for hit in hits):
            return None
        status: Status = "altered" if any(hit.status == "altered" for hit in hits) else "near"
        warnings = tuple(dict.fromkeys(warning for hit in hits for warning in hit.warnings))
        return _Hit(status, hits[0].start, hits[-1].end, 1, min(hit.score for hit in hits), warnings)

    def _near_words(self, quote: _Quote, words: str, text: str, offset: int, index: int) -> _Hit | None:
        least = passages.threshold(words)
        passage = passages.nearest(words, text, least) if least is not None else None
        if passage is not None:
            there = text[passage.start : passage.end]
            hit = _Hit("near", passage.start + offset, passage.end + offset, 1, passage.score)
            differs = guards.differences(words, there)
            if differs and not self._same_with_markers(quote, words, index, hit, differs):
                return hit._replace(status="altered", warnings=differs)
            if passages.small_edits(words, there):
                return hit
        same = passages.same_skeleton(words, text)
        if same is None:
            return None
        differs = guards.differences(words, text[same.start : same.end]) or ("negation_differs",)  # one that moved
        return _Hit("altered", same.start + offset, same.end + offset, 1, same.score, differs)

    def _same_with_markers(self, quote: _Quote, words: str, index: int, hit: _Hit, differs: tuple[str, ...]) -> bool:
        """Whether the numbers agree once bracketed ones count, which folding takes for markers."""
        if differs != ("number_differs",):
            return False
        if not quote.numbered and not _NUMBERED.search(self._texts[index] or ""):
            return False
        ours = {tuple(guards.numbers(words)), tuple(guards.numbers(quote.trimmed))}
        return tuple(guards.numbers(self._original(index, hit))) in ours

    # Texts and places.

    def _has_text(self, index: int) -> bool:
        text = self._texts[index]
        return bool(text) and not text.isspace()  # type: ignore[union-attr]

    def _fold(self, index: int) -> str:
        folded = self._folded.get(index)
        if folded is None:
            text = self._texts[index] or ""
            if head := _head(text):
                text = text[head:]
            folded = self._cache.fold(text) if self._cache else fold(text)
            self._folded[index] = folded
        return folded

    def _keep(self, index: int) -> str:
        kept = self._kept.get(index)
        if kept is None:
            text = self._texts[index] or ""
            kept = self._kept[index] = fold(text[_head(text) :], keep_hyphens=True)
        return kept

    def _locate(self, index: int, hit: _Hit) -> tuple[int, int]:
        """The span of a passage in its source as it was given."""
        if hit.layer == 0:
            return hit.start, hit.end
        text = self._texts[index] or ""
        head = _head(text)
        _, offsets = fold_map(text[head:], keep_hyphens=hit.layer == 2)
        start, end = offsets.span(hit.start, hit.end)
        return start + head, end + head

    def _original(self, index: int, hit: _Hit) -> str:
        start, end = self._locate(index, hit)
        return (self._texts[index] or "")[start:end]


def _parts(plain: str) -> list[str]:
    """The parts around ellipses; none without an ellipsis, or when the parts are too many or too short to tell."""
    if "..." not in plain and ". . ." not in plain:
        return []
    parts = [part for piece in _GAP.split(plain) if (part := _trim(piece))]
    tell = 1 < len(parts) <= _MOST_PARTS and max(map(passages.weight, parts)) >= _LEAST_PART
    return parts if tell else []


def _has_words(text: str) -> bool:
    return _ALNUM.search(text) is not None


_ALNUM = re.compile(r"[^\W_]")


def _head(text: str) -> int:
    if text.startswith("Source ") and (match := _SOURCE_HEAD.match(text)):
        return match.end()
    return 0


def _swallowed(gap: str) -> tuple[str, ...]:
    """What an ellipsis leaves out of the sentences that it cuts; to leave out whole sentences is the quoter's right."""
    ends = list(_SENTENCE_END.finditer(gap))
    if ends:
        gap = f"{gap[: ends[0].start()]} | {gap[ends[-1].end() :]}"
    warnings = []
    if guards.negations(gap):
        warnings.append("negation_in_gap")
    if guards.numbers(gap):
        warnings.append("number_in_gap")
    return tuple(warnings)
