"""Guards: the numbers and negations in which a near match may not differ.

Similarity cannot tell a typing error from a lie: "85 %" and "87 %" are 97 % alike, and a dropped "not" still leaves
91 %. So passages that are near each other are compared once more by what turns their meaning over. All functions take
folded text and look at words, not at meaning: "un-" and "in-" are letters here, and so are number words ("thirty").
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

_CJK_NUMBER = "[〇零一二三四五六七八九十百千万萬億亿兆]+"
_SIGN = r"(?:(?<![\w.,)\]%])-(?=\d))?"
_DIGIT_GROUPS = re.compile(rf"{_SIGN}\d+|{_CJK_NUMBER}")
_UNITS = re.compile("[€$£¥₹%‰]")

_PLAIN = (
    "not|no|never|none|nor|neither|nobody|nothing|nowhere|without"  # en
    "|sans|non"  # fr; the rest below
    "|nicht|nichts|kein(?:e[mnrs]?)?|ohne|niemals|nie|niemand(?:e[mn])?|weder|nirgends"  # de
    "|nunca|jamás|sin|ningun[ao]?|ningún|nada|senza|nessun[ao]?|não|nem|sem|niet|geen|zonder|nooit|не|нет|без"
)
_FRENCH_SECOND = "pas|jamais|rien|aucune?s?|ni|nulle?s?"
_NEGATION = (
    r"(?P<ne>(?<!\w)(?:n'(?=\w)|ne(?!\w)))"
    rf"|(?P<second>(?<!\w)(?:{_FRENCH_SECOND})(?!\w))"
    rf"|(?P<plain>(?<!\w)(?:{_PLAIN})(?!\w)|(?<=\w)n't(?!\w)|(?<=\bcan)not(?!\w)|[不没沒無无未非]|ない|なく|なかっ|ません|않|없|못하)"
)
_NEGATIONS = re.compile(_NEGATION)
_SKELETON = re.compile(rf"(?P<number>{_SIGN}\d+(?:[.,:/'^-]\d+)*|{_CJK_NUMBER})|(?:{_NEGATION}) ?")


def numbers(text: str) -> list[str]:
    """The groups of digits in order, with their signs.

    >>> numbers("2.40 bar at -5 °c on 2024-01-31, 1,000 times")
    ['2', '40', '-5', '2024', '01', '31', '1', '000']
    """
    return _DIGIT_GROUPS.findall(text)


def negations(text: str) -> int:
    """How many negations the text has.

    >>> [negations(t) for t in ("he can't go", "il ne va pas", "il va pas", "er geht nicht", "he goes")]
    [1, 1, 1, 1, 0]
    """
    count, open_ne = 0, False
    for match in _NEGATIONS.finditer(text):
        if match.lastgroup == "second" and open_ne:
            open_ne = False  # "ne … pas" is one negation, and so is the spoken "pas"
        else:
            count += 1
            open_ne = match.lastgroup == "ne"
    return count


def differences(quote: str, passage: str) -> tuple[str, ...]:
    """What makes the quote say something else than the passage: ``number_differs``, ``negation_differs``.

    >>> differences("87% of members may fish", "85% of members may not fish")
    ('number_differs', 'negation_differs')
    >>> differences("12,500 euros", "12 500 euros")
    ()
    """
    found = []
    if numbers(quote) != numbers(passage) or _units_differ(quote, passage):
        found.append("number_differs")
    if negations(quote) != negations(passage):
        found.append("negation_differs")
    return tuple(found)


def _units_differ(quote: str, passage: str) -> bool:
    # "10 %" and "10 percent" are the same number; "10 €" and "10 $" are not.
    ours, theirs = _UNITS.findall(quote), _UNITS.findall(passage)
    return len(ours) == len(theirs) and ours != theirs


class Skeleton:
    """A text with every number made equal and every negation left out: what a quote with a changed number still shares.

    >>> Skeleton("dogs do not pay 12.50 euros").text
    'dogs do pay 0 euros'
    """

    __slots__ = ("_here", "_there", "text")

    def __init__(self, text: str) -> None:
        pieces: list[str] = []
        here, there = [0], [0]
        length = done = 0
        for match in _SKELETON.finditer(text):
            start, end = match.span()
            new = "0" if match["number"] else ""
            pieces += (text[done:start], new)
            length += start - done
            here += (length, length + len(new))
            there += (start, end)
            length += len(new)
            done = end
        pieces.append(text[done:])
        self.text = "".join(pieces)
        self._here, self._there = here, there

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original text behind a span of the skeleton; negations at its edges are outside."""
        at = bisect_right(self._here, start) - 1
        first = self._there[at] + start - self._here[at]
        at = bisect_left(self._here, end)
        if at < len(self._here) and self._here[at] == end:
            return first, self._there[at]
        return first, self._there[at - 1] + end - self._here[at - 1]
