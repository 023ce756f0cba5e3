"""How well sources carry a sentence, judged by words alone: which passage shares its rare words, runs and numbers.

This finds candidates for a reader to look at; it does not understand either text. A sentence is never taken to be
carried by a source that lacks one of its numbers.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

WINDOW = 3
"""Most sentences of a source that carry one claim together."""
_WIDER = 0.97
"""Factor for each sentence beyond the first, so that the tightest passage wins."""
_DILUTED = 0.1
"""How much a passage loses for each e-fold by which it is longer than the claim: any page holds many words."""
_ELSEWHERE = 0.85
"""Factor when a number of the claim stands in the source, but not in the passage."""
_RUNS = {2: 0.25, 3: 0.25}
"""Weight of a run of neighbouring words, by its length, as a share of the weight of all of them."""
_LONG = 5
"""Letters of a word that may stand inside a compound, which has at least twice as many."""
_MOST_COMPOUNDS = 500
_LONGEST_CLAIM = 120
"""Words of a claim that are looked at."""

_TOKEN = re.compile(r"\d+(?:[.,'’\u00a0\u202f ]\d{3})*(?:[.,]\d+)?|[^\W\d_]+")
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+")
# Text that was taken from a PDF has lists without line breaks and sentences without a blank between them.
_BREAK = re.compile(r"(?<=[.!?…])[\s\u00a0]+|\n+|(?<=[。！？])|(?<=[^\W\d_A-Z]{2}[.!?])(?=[A-Z])|[·•●▪◦‣■]")
_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SUFFIXES = ("es", "en", "er", "s", "e", "n", "x")
_NUMBER_WORDS = {
    word: str(number)
    for number, words in enumerate(
        (
            "two deux zwei", "three trois drei", "four quatre vier", "five cinq funf", "six sechs", "seven sept sieben",
            "eight huit acht", "nine neuf neun", "ten dix zehn", "eleven onze elf", "twelve douze zwolf",
            "thirteen treize dreizehn", "fourteen quatorze vierzehn", "fifteen quinze funfzehn",
        ),
        start=2,
    )
    for word in words.split()
}  # fmt: skip


class Support(NamedTuple):
    """How well a source carries a claim: the share (0 to 1) of its weighted words in ``start`` to ``end``."""

    source: int
    score: float
    start: int
    end: int


class _Words(NamedTuple):
    stems: tuple[str, ...]
    numbers: frozenset[str]
    long: frozenset[str]
    """Words that may be compounds, whole."""


class _Sentence(NamedTuple):
    source: int
    start: int
    end: int
    numbers: frozenset[str]


class Supporters:
    """The passages of a set of sources, indexed by their words.

    >>> supporters = Supporters(["Dogs travel free. Cats pay 3 euros.", "Bicycles cost 4 euros per crossing."])
    >>> supporters.ranked("A bicycle costs 4 euros for one crossing.")[0].source
    1
    >>> supporters.ranked("A bicycle costs 9 euros for one crossing.")
    ()
    """

    def __init__(self, texts: Sequence[str | None]) -> None:
        self._sentences: list[_Sentence] = []
        self._numbers: list[frozenset[str]] = []
        self._postings: dict[str, list[int]] = defaultdict(list)
        self._holding: dict[str, list[int]] = defaultdict(list)
        for source, text in enumerate(texts):
            found: set[str] = set()
            for start, end in _sentences(text or ""):
                words = _words((text or "")[start:end])
                found |= words.numbers
                at = len(self._sentences)
                self._sentences.append(_Sentence(source, start, end, words.numbers))
                for word in words.long:
                    self._holding[word].append(at)
                for term in {*words.stems, *(term for n in _RUNS for term in _runs(words.stems, n))}:
                    self._postings[term].append(at)
            self._numbers.append(frozenset(found))
        self._long_words = "".join(f"{word}\n" for word in self._holding)

    def ranked(self, claim: str, among: Collection[int] | None = None) -> tuple[Support, ...]:
        """The sources that share words with ``claim`` and have all its numbers, best first; only ``among`` if given."""
        words = _words(claim)
        stems = words.stems[:_LONGEST_CLAIM]
        singles = {stem: self._weight(stem) for stem in dict.fromkeys(stems)}
        weights = [*singles.values()]
        terms = [*singles]
        for length, share in _RUNS.items():
            runs = dict.fromkeys(_runs(stems, length))
            terms += runs
            weights += [share * sum(singles[stem] for stem in run.split(" ")) for run in runs]
        total = sum(weights)
        if not total:
            return ()
        masks: dict[int, int] = defaultdict(int)
        for bit, term in enumerate(terms):
            for at in self._postings.get(term) or self._compounds(term):
                masks[at] |= 1 << bit
        best: dict[int, Support] = {}
        for at in masks:
            source = self._sentences[at].source
            if (among is not None and source not in among) or not words.numbers <= self._numbers[source]:
                continue
            for support in self._windows(at, masks, weights, total, words.numbers, len(claim)):
                if source not in best or support.score > best[source].score:
                    best[source] = support
        return tuple(sorted(best.values(), key=lambda s: (-s.score, s.source)))

    def _windows(
        self, at: int, masks: dict[int, int], weights: Sequence[float], total: float, numbers: frozenset[str], size: int
    ) -> list[Support]:
        """The passages that begin with sentence ``at``, the shortest first."""
        first = self._sentences[at]
        mask, held, factor, last = 0, frozenset[str](), 1.0, -1.0
        found = []
        for sentence in self._sentences[at : at + WINDOW]:
            if sentence.source != first.source:
                break
            mask |= masks.get(at, 0)
            held |= sentence.numbers
            share = sum(w for bit, w in enumerate(weights) if mask >> bit & 1) / total
            longer = max((sentence.end - first.start) / size, 1.0)
            score = factor * share / (1 + _DILUTED * math.log(longer))
            if not numbers <= held:
                score *= _ELSEWHERE
            if score > last:
                found.append(Support(first.source, min(score, 1.0), first.start, sentence.end))
                last = score
            factor *= _WIDER
            at += 1
        return found

    def _compounds(self, stem: str) -> list[int]:
        """Sentences with a long word that holds ``stem``: "Etikett" in "Rücksendeetikett"."""
        if len(stem) < _LONG or not stem.isalpha():
            return []
        found: set[int] = set()
        at = self._long_words.find(stem)
        while at >= 0 and len(found) < _MOST_COMPOUNDS:
            start = self._long_words.rfind("\n", 0, at) + 1
            end = self._long_words.find("\n", at)
            found.update(self._holding[self._long_words[start:end]])
            at = self._long_words.find(stem, end)
        return sorted(found)

    def _weight(self, stem: str) -> float:
        """Rare words weigh more; those of one to three letters, which are mostly grammar, little."""
        count = len(self._sentences)
        holding = len(self._postings.get(stem, ()))
        rarity = math.log(1 + (count - holding + 0.5) / (holding + 0.5))
        return rarity * (0.3 if len(stem) <= 3 and stem.isalpha() and not _IDEOGRAPH.match(stem) else 1.0)


def _sentences(text: str) -> list[tuple[int, int]]:
    spans, start = [], 0
    for m in _BREAK.finditer(text):
        if m.start() > start:
            spans.append((start, m.start()))
        start = m.end()
    if start < len(text):
        spans.append((start, len(text)))
    return spans


def _runs(stems: Sequence[str], length: int) -> list[str]:
    """Neighbouring words, joined: stems hold no blanks."""
    return [" ".join(stems[i : i + length]) for i in range(len(stems) - length + 1)]


def _words(text: str) -> _Words:
    stems: list[str] = []
    numbers: set[str] = set()
    long: set[str] = set()
    for token in _TOKEN.findall(text):
        if token[0].isdigit():
            stem = _number(token)
            numbers.add(stem)
        else:
            folded = _unaccented(token.casefold())
            if _IDEOGRAPH.search(folded):
                stems += [a + b for a, b in pairwise(folded)] or [folded]
                continue
            written = _NUMBER_WORDS.get(folded)
            if written:
                numbers.add(written)
            stem = written or _stem(folded)
            if len(folded) >= 2 * _LONG:
                long.add(folded)
        stems.append(stem)
    return _Words(tuple(stems), frozenset(numbers), frozenset(long))


def _number(token: str) -> str:
    """A number without its thousands separators and with a decimal point.

    >>> _number("1.080"), _number("1,080"), _number("9,5")
    ('1080', '1080', '9.5')
    """
    if _THOUSANDS.fullmatch(token):
        return re.sub(r"\D", "", token)
    return re.sub(r"[.,](?=\d{1,2}$|\d{4,}$)", ".", re.sub(r"['’\u00a0\u202f ]", "", token))


def _unaccented(word: str) -> str:
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))


def _stem(word: str) -> str:
    """The beginning of a word without its ending: enough for plurals and cases, not a grammar.

    >>> _stem("refunds"), _stem("cartes"), _stem("hauser"), _stem("haus")
    ('refund', 'cart', 'haus', 'haus')
    """
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 4:
            word = word[: -len(suffix)]
            break
    return word[:6]
