"""Contradicting claims: two that make the same statement with different figures and cite different documents.

Nearly every answer has figures and hardly one contradicts itself, so the looks go from cheap to dear: a unit that several
figures have, the same word before them, and only then the words of the claims.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragcite_nb.examine import Examined
    from ragcite_nb.statements import SpanFields

_FIGURE = re.compile(r"([0-9][0-9.,]{0,40}+) ?(%|€|\$|£|[^\W\d_]{1,40})")
# Looking for one character is several times faster than looking for ten, so figures are found in bytes in which every digit
# is "0". A character that has no byte of its own is "?" there.
_PLACES = re.compile(rb"0(?<!00)[0.,]{0,40}+ ?([%$?\xa3A-Za-z\xaa\xb5\xba\xc0-\xd6\xd8-\xf6\xf8-\xff]{1,40})")
_ZEROES = bytes(ord("0") if 0x30 <= byte <= 0x39 else byte for byte in range(256))
_NUMBER = re.compile(r"\d[\d.,]*+")
_WORDS = re.compile(r"[^\W\d_]+")
_EN = (
    "according to the source sources document documents says states say state however but while whereas although another "
    "other also that is are was be of a an it its one for and"
)
_FR = "selon la le les indique dit mais alors tandis cependant toutefois que est sont de du des un une et"
_DE = (
    "laut der die das quelle dokument sagt nennt aber jedoch während hingegen dagegen ist sind beträgt ein eine den dem "
    "und dass"
)
_ATTRIBUTION = frozenset(f"{_EN} {_FR} {_DE}".split())
"""Words that say who says something, and the smallest ones."""
_NO_UNITS = frozenset(
    "of and or to in the a is for by at on et ou de du des à la le und oder der die das von im".encode(
        "latin-1"
    ).split()
)
"""Words that follow numbers without being their unit: section 5 of the terms."""
_MOST_LONGER = 60
"""Characters by which one of two claims that make the same statement may be longer, for its attribution: a cheap first look."""
_MOST_APART = 12
"""Words in which claims that make the same statement may differ, figures, markers and attributions: another cheap look."""
_FEWEST_WORDS = 3
_KEPT = 8
"""Claims with one word and unit that later ones are compared with; bounds the work."""
_LONGEST_WORD = 100
_FAR = float("inf")


def figures_differ(x: Examined) -> dict[str, Any] | None:
    """Two claims that differ in nothing but one figure and cite different documents.

    Both have the same word before the figure and the same unit behind it; only for such claims all words are compared.
    """
    masked = x.masked
    digits = masked.encode("latin-1", "replace").translate(_ZEROES)
    units = _PLACES.findall(digits)
    if len(set(units)) == len(units):
        return None
    once: set[bytes] = set()
    repeated: set[bytes] = set()
    for unit in units:
        (repeated if unit in once else once).add(unit)
    repeated -= _NO_UNITS
    if not repeated:
        return None
    by_context: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for place in _PLACES.finditer(digits):
        if place[1] in repeated:
            start = place.start()
            figure = _FIGURE.match(masked, start)
            if figure is not None:
                before = masked[masked.rfind(" ", max(0, start - _LONGEST_WORD), max(0, start - 1)) + 1 : start]
                by_context.setdefault((before, figure[2]), []).append((figure[1], start))
    for figures in by_context.values():
        if len(figures) > 1 and (found := _contradicting(x, figures)):
            return found
    return None


def _contradicting(x: Examined, figures: Sequence[tuple[str, int]]) -> dict[str, Any] | None:
    """The first two claims with one of these figures and no other that make the same statement with different ones."""
    spans, masked = x.sentences, x.masked
    claims: list[tuple[str, str, SpanFields]] = []
    for value, start in figures:
        at = bisect_right(spans, (start, _FAR)) - 1
        if at < 0:
            continue
        span = spans[at]
        begin, stop, kind, _, _, _, cited = span
        if start >= stop or kind != "claim" or cited < 2:
            continue
        words = masked[begin:stop].lower()
        for other, others, before in claims:
            if (
                other != value
                and abs(len(words) - len(others)) <= _MOST_LONGER
                and _first_word(others) in words
                and not _cited(x, before) & _cited(x, span)
                and _same(others, words)
            ):
                return {
                    "kind": "figures",
                    "first": x.text[before[0] : before[1]],
                    "second": x.text[begin:stop],
                    "count": 2,
                }
        if len(claims) < _KEPT:
            claims.append((value, words, span))
    return None


def _cited(x: Examined, span: SpanFields) -> int:
    """The sources that a sentence cites, as bits."""
    bits = 0
    for mark in x.scan.marks[span[3] : span[4]]:
        bits |= mark[2].cited
    return bits


def _same(one: str, other: str) -> bool:
    """Whether two claims say the same of something, and each has no figure but one."""
    if len(set(one.split()).symmetric_difference(other.split())) > _MOST_APART:
        return False
    words = same_statement(one)
    return (
        len(words) >= _FEWEST_WORDS
        and words == same_statement(other)
        and len(_NUMBER.findall(one)) == len(_NUMBER.findall(other)) == 1
    )


def _first_word(text: str) -> str:
    """The first word that :func:`same_statement` counts; empty if there is none."""
    found = _WORDS.search(text)
    while found is not None and found[0] in _ATTRIBUTION:
        found = _WORDS.search(text, found.end())
    return found[0] if found is not None else ""


def same_statement(text: str) -> frozenset[str]:
    """The words that say what a statement is about, without figures and attributions.

    Two claims are taken to be about the same thing only when these are all the same: a different plan, product or country
    must never look like a contradiction. ``text`` is in lower case.

    >>> sorted(same_statement("according to source 1, the fee is 4 euros"))
    ['euros', 'fee']
    """
    return frozenset(_WORDS.findall(text)) - _ATTRIBUTION
