"""Guards: the numbers and negations in which a near match may not differ.

Similarity cannot tell a typing error from a lie: "85 %" and "87 %" are 97 % alike, and a dropped "not" still leaves
91 %. So passages that are near each other are compared once more by what turns their meaning over. All functions take
folded text and look at words, not at meaning: number words ("thirty") are letters here, and so is "un-" in a word that has
no counterpart without it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from ragcite_nb.normalize import CJK

_DIGITS = re.compile(r"\d+")
_CJK_NUMBER = "[〇零一二三四五六七八九十百千万萬億亿兆]+"
# A sign, not a dash between two numbers: "at -5", but not "10-15".
_SIGNED_DIGITS = re.compile(rf"\d+|-(?<![\w.,)\]%].)\d+|{_CJK_NUMBER}")
# 12,500 and 1.000.000 and 12 500, but not 12,50: every group has three digits.
_GROUPED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}([ .,'’])\d{3}(?:\1\d{3}){0,9}(?!\d)")
_UNITS = re.compile("[€$£¥₹%‰]")

# By language; English contractions are those words that end in "n't".
_EN = "not no never none nor neither nobody nothing nowhere without cannot"
_FR = "sans non"
_DE = "nicht nichts kein keine keinem keinen keiner keines ohne niemals nie niemand niemandem niemanden weder nirgends"
_ES_IT_PT = "nunca jamás sin ningún ninguno ninguna nada senza nessun nessuno nessuna não nem sem"
_NL_RU = "niet geen zonder nooit не нет без"
_NEGATING = frozenset(f"{_EN} {_FR} {_DE} {_ES_IT_PT} {_NL_RU}".split())
_NE = frozenset(("ne", "n"))
_AFTER_NE = frozenset(("pas", "jamais", "rien", "aucun", "aucune", "aucuns", "aucunes", "ni", "nul", "nulle"))
_LAST_WORD = re.compile(r"([^\W\d_]+) $")
_DO = frozenset(("do", "does", "did"))
_NEGATING_OR_NE = _NEGATING | _NE | _AFTER_NE
_NEGATING_OR_DO = _NEGATING_OR_NE | _DO
_DENIALS = frozenset(map(str.encode, _NEGATING_OR_NE))
_APART = bytes(code if chr(code).isalpha() else 32 for code in range(256))
"""Sets the words of an ASCII text apart, several times faster than an expression."""
_CJK_NEGATION = re.compile("[不没沒無无未非]|ない|なく|なかっ|ません|않|없|못하")
_WORDS = re.compile(r"[^\W\d_]+(?:'t(?!\w))?")
_FIGURES = r"\d+(?:[.,:/'^-]\d+)*"
_SKELETON = re.compile(rf"[^\W\d_]+(?:'t(?!\w))?|{_FIGURES}(?:(?:st|nd|rd|th)(?![^\W_]))?|-(?<![\w.,)\]%].){_FIGURES}")
# A word of Chinese or Japanese does not end where its denial or number begins.
_CJK_SKELETON = re.compile(rf"{_CJK_NUMBER}|{_CJK_NEGATION.pattern}|{_SKELETON.pattern.replace('[^', f'[^{CJK}', 1)}")
_POLITE = "ません"
_DETERMINERS = "a an any some the des un une du de d der die das den dem ein eine einen einem einer"
_WEAK = frozenset(f"do does did {_DETERMINERS}".split())
"""Words that come, go or change with a denial: "does sail", "does not sail"; "des frais", "pas de frais"."""
_LOOSE = _NEGATING_OR_DO | _WEAK
_UN = re.compile(
    r"un(?=\w{4})|(?:dis|non)(?=\w{5})|i[nmlr](?=\w{2,}(?:a[rl]|ant|ble|ct|ent|id|it[eé]|ity|ive|ly|ous)e?s?\Z)"
)
"""What denies as the beginning of a word, where the rest is a word too: unlawful, invalid, irregular."""


def is_loose(word: str) -> bool:
    """Whether a word denies, or comes, goes or changes with a denial.

    >>> is_loose("never"), is_loose("does"), is_loose("dogs")
    (True, True, False)
    """
    return word in _LOOSE


def numbers(text: str) -> list[str]:
    """The groups of digits in order, with their signs.

    >>> numbers("2.40 bar at -5 °c on 2024-01-31, 1,000 times")
    ['2', '40', '-5', '2024', '01', '31', '1', '000']
    """
    return (_DIGITS if text.isascii() and "-" not in text else _SIGNED_DIGITS).findall(text)


def ungrouped(text: str) -> str:
    """The text with its long numbers in one run of digits.

    >>> ungrouped("12,500 or 1.000.000 or 1'250.50, not 2.50 or 0.125")
    '12500 or 1000000 or 1250.50, not 2.50 or 0.125'
    """
    return _GROUPED.sub(lambda match: "".join(filter(str.isdecimal, match[0])), text)


def denies(text: str) -> bool:
    """Whether the text has a negation.

    >>> denies("he may not go"), denies("he may go"), denies("it isn't far")
    (True, False, True)
    """
    if _is_simple(text):
        return not _DENIALS.isdisjoint(text.encode().translate(_APART).split())
    return negations(text) > 0


def _is_simple(text: str) -> bool:
    """Whether a denial in the text must be one of :data:`_DENIALS`."""
    return text.isascii() and "'t" not in text


def negations(text: str) -> int:
    """How many negations the text has.

    >>> [negations(t) for t in ("he can't go", "il ne va pas", "il va pas", "er geht nicht", "he goes")]
    [1, 1, 1, 1, 0]
    """
    if _is_simple(text) and not denies(text):
        return 0
    words = _WORDS.findall(text)
    count = 0 if text.isascii() else len(_CJK_NEGATION.findall(text))
    open_ne = False
    for word in words:
        if word in _AFTER_NE:
            count += not open_ne  # "ne … pas" is one negation, and so is the spoken "pas"
            open_ne = False
        elif word in _NE:
            count += 1
            open_ne = True
        else:
            count += word in _NEGATING or word.endswith("'t")
    return count


def differences(quote: str, passage: str, apart: tuple[str, str] | None = None) -> tuple[str, ...]:
    """What makes the quote say something else than the passage: ``number_differs``, ``negation_differs``.

    ``apart`` is what :func:`unlike` says of the two, where it is known.

    >>> differences("87% of members may fish", "85% of members may not fish")
    ('number_differs', 'negation_differs')
    >>> differences("12,500 euros", "12 500 euros"), differences("12,500 euros", "12500 euros")
    ((), ())
    """
    ours, theirs = apart or unlike(quote, passage)
    found = []
    if (numbers(ours) != numbers(theirs) and numbers(ungrouped(ours)) != numbers(ungrouped(theirs))) or _units_differ(
        ours, theirs
    ):
        found.append("number_differs")
    # A "ne" and its "pas" may stand on both sides of what is unlike, so they are counted in the whole.
    if ((denies(ours) or denies(theirs)) and negations(quote) != negations(passage)) or (
        ours and theirs and _prefix_differs(ours.split(), theirs.split())
    ):
        found.append("negation_differs")
    return tuple(found)


def spelled_out(text: str) -> str:
    """Folded English text with its denials in two words.

    >>> spelled_out("members can't pay"), spelled_out("it isn't free")
    ('members can not pay', 'it is not free')
    """
    for short, long in (("can't", "can not"), ("cannot", "can not"), ("won't", "will not"), ("n't", " not")):
        text = text.replace(short, long)
    return text


def unlike(quote: str, passage: str) -> tuple[str, str]:
    """What is left of both without the words that they share at their beginning and end.

    >>> unlike("the dog may not swim here", "the dog may swim here")
    ('not', '')
    """
    ours, theirs = quote.split(), passage.split()
    most = min(len(ours), len(theirs))
    start = 0
    while start < most and ours[start] == theirs[start]:
        start += 1
    end = 0
    while end < most - start and ours[-1 - end] == theirs[-1 - end]:
        end += 1
    return " ".join(ours[start : len(ours) - end]), " ".join(theirs[start : len(theirs) - end])


def denial_before(text: str, at: int) -> int | None:
    """Where the word right before ``at`` begins, if it denies what follows: "no", "keine".

    >>> denial_before("with no dogs", 8), denial_before("with two dogs", 9)
    (5, None)
    """
    words = _LAST_WORD.search(text, max(0, at - 20), at)
    return words.start() if words and words[1] in _NEGATING_OR_NE else None


def denial_across(text: str, at: int) -> int:
    """Where a denial of Chinese, Japanese or Korean ends that begins up to ``at`` and reaches beyond it; else ``at``.

    >>> denial_across("できません", 3), denial_across("できます", 3)
    (5, 3)
    """
    for match in _CJK_NEGATION.finditer(text, max(0, at - 2), at + 3):
        if match.start() <= at < match.end():
            return match.end()
    return at


def _prefix_differs(ours: list[str], theirs: list[str]) -> bool:
    """Whether a word of one is the other's with a denying prefix: "lawful", "unlawful"."""
    mine, other = set(ours), set(theirs)
    return any(
        (prefix := _UN.match(word)) is not None and word[prefix.end() :] in there
        for here, there in ((mine - other, other - mine), (other - mine, mine - other))
        for word in here
    )


def _units_differ(quote: str, passage: str) -> bool:
    # "10 %" and "10 percent" are the same number; "10 €" and "10 $" are not.
    ours, theirs = _UNITS.findall(quote), _UNITS.findall(passage)
    return len(ours) == len(theirs) and ours != theirs


class Skeleton:
    """A text with every number made equal and every negation left out: what a quote with a changed number still shares.

    ``loose`` leaves out what may change with a negation, too: articles and "do".

    >>> Skeleton("dogs do not pay 12.50 euros").text
    'dogs pay 0 euros'
    >>> Skeleton("il y a des frais", loose=True).text, Skeleton("il n'y a pas de frais", loose=True).text
    ('il y frais', 'il y frais')
    """

    __slots__ = ("_here", "_original", "_there", "text")

    def __init__(self, text: str, *, loose: bool = False) -> None:
        pieces: list[str] = []
        here, there = [0], [0]
        length = done = 0
        dropped = _LOOSE if loose else _NEGATING_OR_DO
        for match in (_SKELETON if text.isascii() else _CJK_SKELETON).finditer(text):
            word = match[0]
            if word.isascii() and word.isalpha() and word not in dropped:
                continue
            start, end = match.span()
            if word[0].isdecimal() or word[-1].isdecimal() or word[0] in _CJK_NUMBER:
                new = "0th" if word.endswith(("st", "nd", "rd", "th")) else "0"
            elif word == _POLITE:
                new = "ます"  # the same without its denial
            elif word in _NEGATING_OR_NE or _CJK_NEGATION.fullmatch(word):
                new = "can" if word == "cannot" else ""
            elif loose and word in _WEAK:
                new = ""
            elif word.endswith("'t"):
                new = "can" if word == "can't" else "" if word[:-3] in _DO else word[:-3]
            elif word in _DO and text.startswith(" not ", end):
                new = ""  # "do not pay" denies "pay"
            else:
                continue
            if not new and text[end : end + 1] in " '":
                end += 1
            pieces += (text[done:start], new)
            length += start - done
            here += (length, length + len(new))
            there += (start, end)
            length += len(new)
            done = end
        pieces.append(text[done:])
        self.text = "".join(pieces)
        self._original = text
        self._here, self._there = here, there

    def denial_before(self, at: int) -> int | None:
        """:func:`denial_before` in the original text."""
        return denial_before(self._original, at)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original text behind a span of the skeleton; negations at its edges are outside."""
        at = bisect_right(self._here, start) - 1
        first = self._there[at] + start - self._here[at]
        at = bisect_left(self._here, end)
        if at < len(self._here) and self._here[at] == end:
            return first, self._there[at]
        return first, self._there[at - 1] + end - self._here[at - 1]
