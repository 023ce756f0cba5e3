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
from collections import Counter
from typing import TYPE_CHECKING, Literal, NamedTuple

from rapidfuzz import fuzz

from ragcite_nb import guards, passages
from ragcite_nb.normalize import bracketed_numbers, fold, fold_map, has_broken_word, is_marked_up
from ragcite_nb.passages import cut_after, cut_before

if TYPE_CHECKING:
    from collections.abc import Sequence

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
_HEAD = re.compile(rf"(?:[{_SIGNS}]|{_ELLIPSIS}|\[(?:{_ELLIPSIS}|\.\.)\]|\((?:{_ELLIPSIS}|\.\.)\)|[-–—](?=\s))+")
_TAIL = re.compile(rf"(?:[{_SIGNS}.…]|\](?:{_ELLIPSIS}|\.\.)\[|\)(?:{_ELLIPSIS}|\.\.)\(|[-–—](?=\s))+")
_GAP = re.compile(r" ?[\[(]? ?\.(?: ?\.){2,} ?[\])]? ?")
_ADAPTED_LETTER = re.compile(r"\[([^\W\d_])\](?=\w)")
# LlamaIndex's citation engine sends each source with its number as first line.
_SOURCE_HEAD = re.compile(r"Source \d{1,6}:\n")
_LONGEST_HEAD = 16
_HYPHEN = re.compile(r"-(?<=[^\W\d_]-)(?=[^\W\d_])")
_LONG_NUMBER = re.compile(r"(?<![\d.,])\d{4,30}(?!\d)")
_THREE_DIGITS = re.compile(r"\d{3}")
_GROUP_ENDS = re.compile(r"(?<=\d)(?=(?:\d{3})+\Z)")
_LONGEST_GROUPED = 1000
_SENTENCE_END = re.compile(r"[.!?] |[。！？]")
_WORDS = re.compile(r"[^\W_]{4,}")
_LONGEST_GAP = 1000
_AROUND = 60
_MOST_PARTS = 20
_MOST_CHAINS = 200
_LEAST_PART = 8
_LEAST_SKELETON = 4


def _trim(text: str) -> str:
    """The text without quotation marks, ellipses and stops at its edges: quoting adds and drops them freely."""
    if text[:1].isalnum() and text[-1:].isalnum():
        return text
    head = _HEAD.match(text)
    if head:
        text = text[head.end() :]
    tail = _TAIL.match(text[::-1])
    return text[: len(text) - tail.end()] if tail else text


class Prepared:
    """A quote in the forms that the looks need."""

    __slots__ = ("_words", "bracketed", "kept", "parts", "plain", "raw", "trimmed")

    def __init__(self, text: str, *, raw: bool = True) -> None:
        self.trimmed = _trim(text)
        self.raw = [text] if raw else []
        """The forms to look for without folding."""
        if self.trimmed != text:
            self.raw.append(self.trimmed)
        plain = _trim(fold(text))
        self.bracketed = bracketed_numbers(text)
        if "[" in plain:
            plain = _ADAPTED_LETTER.sub(r"\1", plain)  # "[T]he tenant": the customary sign for a changed capital
        self.plain = plain
        self.kept = _trim(fold(text, keep_hyphens=True)) if has_broken_word(text) else plain
        self.parts = _parts(plain)
        self._words: list[str] | None = None

    @property
    def words(self) -> list[str]:
        """Its words, the longest first: they are the least likely to stand in a text by chance."""
        if self._words is None:
            self._words = sorted(set(_WORDS.findall(self.plain[:2_000])), key=len, reverse=True)
        return self._words


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

    def status(self, quote: str, cited: Sequence[int]) -> Status:
        """The status of the quote, with the least work.

        Args:
            quote: the quoted text, without its quotation marks.
            cited: positions of the sources that are cited for it; none when the citation fits no source.
        """
        found = self.glance(quote, cited)
        return found if isinstance(found, str) else self.search(found, cited)

    def glance(self, quote: str, cited: Sequence[int]) -> Status | Prepared:
        """The status of a quote that is found in the common ways, without the detours of the rare ones; else it prepared."""
        words = quote.strip()
        texts = self._texts
        again = False
        if words[:1].isalnum() or _has_words(words):
            for index in cited:
                text = texts[index]
                if text and (at := text.find(words)) >= 0:
                    end = at + len(words)
                    if not (cut_before(text, at) or cut_after(text, end) or (at < _LONGEST_HEAD and at < _head(text))):
                        return "verbatim"
                    again = True  # it may stand there once more
        prepared = Prepared(words, raw=again or "[" in words)  # other sources may have "[T]he tenant" as it is
        if not prepared.raw and not prepared.bracketed and _has_words(prepared.plain):
            for index in cited:
                if texts[index]:
                    folded = self._fold(index)
                    at = folded.find(prepared.plain)
                    if at >= 0 and not (cut_before(folded, at) or cut_after(folded, at + len(prepared.plain))):
                        return "normalized"
        return prepared

    def search(self, quote: Prepared, cited: Sequence[int]) -> Status:
        """The status of a quote that a glance did not find."""
        status, _, hit = self._decide(quote, cited)
        return hit.status if hit and status is None else status or "absent"

    def check(self, quote: str, cited: Sequence[int]) -> Verdict:
        """All that can be said about the quote; the same status as :meth:`status`."""
        prepared = Prepared(quote.strip())
        status, index, hit = self._decide(prepared, cited)
        if status == "unverifiable":
            return Verdict("unverifiable")
        found_in = tuple(
            other
            for other in range(len(self._texts))
            if (hit is not None and other == index and hit.found)
            or (self._may_hold(prepared, other) and self._found(prepared, other) is not None)
        )
        if hit is None or index is None:
            return Verdict("absent", found_in)
        start, end = self._locate(index, hit)
        return Verdict(status or hit.status, found_in, index, start, end, hit.score, hit.warnings)

    def _decide(self, quote: Prepared, cited: Sequence[int]) -> tuple[Status | None, int | None, _Hit | None]:
        """A status that is not the passage's own, the source, and the passage in it."""
        readable = [index for index in cited if self._has_text(index)]
        if (cited and not readable) or not _has_words(quote.plain):
            return "unverifiable", None, None
        for look in (self._verbatim, self._normalized, self._elided, self._near):
            best: tuple[int, _Hit] | None = None
            for index in readable:
                hit = look(quote, index)
                if hit is not None and (best is None or hit.found > best[1].found or hit.score > best[1].score):
                    best = index, hit
                    if hit.found:
                        break
            if best is not None:
                return None, *best
        for index in range(len(self._texts)):
            if index not in cited and self._may_hold(quote, index) and (hit := self._found(quote, index)) is not None:
                return "elsewhere", index, hit
        if not any(map(self._has_text, readable or range(len(self._texts)))):
            return "unverifiable", None, None
        return "absent", None, None

    def _found(self, quote: Prepared, index: int) -> _Hit | None:
        """The quote in a source, if it counts as found there."""
        hit = self._verbatim(quote, index) or self._normalized(quote, index) or self._elided(quote, index)
        return hit if hit and hit.found else None

    def _may_hold(self, quote: Prepared, index: int) -> bool:
        """A cheap look that never says no to a source that has the quote."""
        text = self._texts[index]
        if not text:
            return False
        folded = self._folded.get(index)
        if folded is None:
            if not text.isascii() or ("&" in text and ";" in text):
                return True
            if not quote.plain.isascii():
                return False
            folded = text.casefold()
        # One after the other, but in C: the first that is missing tells.
        if not all(map(folded.__contains__, quote.words)):
            return "<" in text or ("]" in text and "](" in text) or ("-" in text and has_broken_word(text))
        # Where folding leaves nothing out, the words stand side by side or not at all.
        return bool(quote.parts) or quote.plain in folded.replace("\n", " ") or is_marked_up(text)

    # The looks, from cheap to dear.

    def _verbatim(self, quote: Prepared, index: int) -> _Hit | None:
        text = self._texts[index] or ""
        for words in quote.raw:
            at = passages.find(words, text, _head(text))
            if at >= 0:
                return _Hit("verbatim", at, at + len(words), 0)
        return None

    def _normalized(self, quote: Prepared, index: int) -> _Hit | None:
        text = self._fold(index)
        words = quote.plain
        at = passages.find(words, text)
        if at < 0 and (bracket := words.rfind("[")) > words.rfind("]"):
            words = words[:bracket] + words[bracket + 1 :]  # the quote ends inside the words of a link
            at = passages.find(words, text)
        if at >= 0:
            hit = _Hit("normalized", at, at + len(words), 1)
        else:
            if not self._may_be_broken(quote, index, text):
                return None
            at = passages.find(quote.kept, self._keep(index))
            if at < 0:
                return None
            hit = _Hit("normalized", at, at + len(quote.kept), 2)
        if (
            quote.bracketed
            and (theirs := bracketed_numbers(self._original(index, hit)))
            and not Counter(quote.bracketed) <= Counter(theirs)
        ):
            # Folding leaves markers out, but "[14] days" in a contract is none.
            return hit._replace(status="altered", warnings=("number_differs",))
        return hit

    def _may_be_broken(self, quote: Prepared, index: int, joined: str) -> bool:
        """Whether the other reading of hyphens at line ends could have the quote: a cheap look before folding again."""
        # "per-tenant" in "per-⏎tenant", or "und Ausfuhr" in "Ein- und Ausfuhr"
        hyphen = "-" in quote.kept
        possible = all(word in joined for word in quote.words) if hyphen else quote.plain in joined
        return possible and has_broken_word(self._texts[index] or "")

    def _elided(self, quote: Prepared, index: int) -> _Hit | None:
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

    def _near(self, quote: Prepared, index: int) -> _Hit | None:
        text = self._fold(index)
        if not quote.parts:
            other = _other_hyphens(quote, text) or _other_grouping(quote, text)
            return other or self._near_words(quote, quote.plain, text, 0, index)
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

    def _near_words(self, quote: Prepared, words: str, text: str, offset: int, index: int) -> _Hit | None:
        least = passages.threshold(words)
        passage = passages.nearest(words, text, least) if least is not None else None
        if passage is not None:
            passage = passages.with_denial(words, text, passage)
            there = text[passage.start : passage.end]
            hit = _Hit("near", passage.start + offset, passage.end + offset, 1, passage.score)
            apart = guards.unlike(words, there)
            differs = guards.differences(words, there, apart)
            if differs and not self._same_with_markers(quote, words, index, hit, differs):
                return hit._replace(status="altered", warnings=differs)
            if passages.small_edits(*apart):
                return hit
            # A denial shifts what follows it, so that the nearest passage may leave it out.
            around = text[max(0, passage.start - _AROUND) : passage.end + _AROUND]
            if not (guards.denies(around) or guards.denies(words)):
                return None
        same = passages.same_skeleton(words, text)
        if same is None:
            return None
        there = text[same.start : same.end]
        if guards.ungrouped(guards.spelled_out(words)) == guards.ungrouped(guards.spelled_out(there)):
            # "don't" for "do not", "12,500" for "12500"
            return _Hit("near", same.start + offset, same.end + offset, 1, same.score)
        differs = guards.differences(words, there) or ("negation_differs",)  # one that moved
        return _Hit("altered", same.start + offset, same.end + offset, 1, same.score, differs)

    def _same_with_markers(self, quote: Prepared, words: str, index: int, hit: _Hit, differs: tuple[str, ...]) -> bool:
        """Whether the numbers agree once bracketed ones count, which folding takes for markers."""
        if differs != ("number_differs",):
            return False
        text = self._texts[index] or ""
        if not quote.bracketed:
            here = guards.numbers(self._fold(index)[hit.start : hit.end])
            lacking = Counter(guards.numbers(words)) - Counter(here)
            if not lacking or not lacking <= Counter(bracketed_numbers(text)):
                return False
        return guards.numbers(self._original(index, hit)) in (guards.numbers(words), guards.numbers(quote.trimmed))

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
            folded = fold(text) if self._cache is None else self._cache.fold(text)
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


def _other_hyphens(quote: Prepared, text: str) -> _Hit | None:
    """The same words with a blank for a hyphen, or the reverse: "black-box" in "the black box"."""
    words = quote.plain
    if ("-" not in words and "-" not in text) or not all(map(text.__contains__, quote.words)):
        return None
    at = passages.find(_HYPHEN.sub(" ", words), _HYPHEN.sub(" ", text))
    end = at + len(words)
    return _Hit("near", at, end, 1, fuzz.ratio(words, text[at:end])) if at >= 0 else None


def _other_grouping(quote: Prepared, text: str) -> _Hit | None:
    """The same words with long numbers written in other groups: "12,500 euros" in "costs 12500 euros"."""
    words = quote.plain
    if len(words) > _LONGEST_GROUPED or not _THREE_DIGITS.search(words):
        return None
    joined = guards.ungrouped(words)
    pieces = _LONG_NUMBER.split(joined)
    if len(pieces) == 1 or not all(piece in text for piece in pieces):
        return None
    pattern = re.escape(pieces[0])
    for number, piece in zip(_LONG_NUMBER.findall(joined), pieces[1:], strict=True):
        pattern += _GROUP_ENDS.sub("[ .,'’]?", number) + re.escape(piece)
    for match in re.finditer(pattern, text):
        start, end = match.span()
        if not (cut_before(text, start) or cut_after(text, end)):
            return _Hit("near", start, end, 1, fuzz.ratio(words, match[0]))
    return None


def _parts(plain: str) -> list[str]:
    """The parts around ellipses; none without an ellipsis, or when the parts are too many or too short to tell."""
    if "." not in plain:
        return []
    if "[..]" in plain or "(..)" in plain:
        plain = plain.replace("[..]", "...").replace("(..)", "...")
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
    if guards.denies(gap):
        warnings.append("negation_in_gap")
    if guards.numbers(gap):
        warnings.append("number_in_gap")
    return tuple(warnings)
