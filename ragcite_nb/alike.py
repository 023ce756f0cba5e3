"""Whether two names say the same although their letters differ: judged word by word.

A typing error, an accent or a plural leaves a name the same; another word makes it another one, however long the rest is:
``Terms of Sale`` are not the ``Terms of Use``, ``Annex IV`` is not ``Annex I``.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import OSA

_WORD = re.compile(r"[^\W_]+")
_ELIDED = re.compile(r"(?<![^\W_])(?:[dl]|qu)['’](?=\w)|(?<=\w)['’]s(?!\w)", re.IGNORECASE)
"""The article in ``l'utilisateur`` and the ending in ``driver's``."""
_GRAMMAR = frozenset({
    "the", "of", "for", "and", "et", "und", "la", "le", "les", "du", "de", "des", "der", "die", "das", "dem", "den",
    "fur", "zu", "zum", "zur", "el", "los", "las", "del", "il", "lo", "gli", "di", "della",
})  # fmt: skip
"""Words that a name may gain or lose, but at its end: "Handbook de" is the German one."""
_LETTERS = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ı": "i"})
_UMLAUT = re.compile(r"([aou])e")
_ENDINGS = ("s", "es", "e", "n", "en", "em", "x")
"""What a plural or a case adds."""
_ROMAN = re.compile(r"(?=.)m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_SHORTEST_TYPO = 5
"""Letters of the shortest word in which one of them may be wrong."""
_LONGEST_CODE = 6
"""Letters of the longest word in capitals that counts as an abbreviation: exactly this one."""
_WITHOUT_ALPHABET = re.compile("[\u2e80-\ud7ff\uf900-\ufaff]")
"""Scripts in which one character is a word or a syllable."""


class _Word(NamedTuple):
    letters: str
    exact: bool
    """Whether it has to be exactly this word: an abbreviation, a numeral, a letter, anything with a digit."""


def are_alike(a: str, b: str) -> bool:
    """Whether each word of one name is the same word in the other.

    >>> are_alike("Guide utilisatteur", "Guide de l'utilisateur"), are_alike("User Guides", "user guide")
    (True, True)
    >>> are_alike("Terms of Use", "Terms of Sale"), are_alike("Annex IV", "Annex I")
    (False, False)
    """
    first, second = _words(a), _words(b)
    if len(first) == len(second) and all(map(_same_word, first, second)):
        return True
    # "Hand book", "e-mail".
    return "".join(w.letters for w in first) == "".join(w.letters for w in second)


@lru_cache(maxsize=4096)
def _words(name: str) -> tuple[_Word, ...]:
    name = name[:300]
    shouted = name.isupper()
    found = []
    words = _WORD.findall(_ELIDED.sub("", unicodedata.normalize("NFC", name)))
    for number, written in enumerate(words, start=1):
        capitals = not shouted and written.isupper()
        letters = _plain(written.casefold())
        if letters in _GRAMMAR and not capitals and number < len(words):
            continue
        exact = (
            (capitals and len(letters) <= _LONGEST_CODE)
            or not letters.isalpha()
            or _ROMAN.fullmatch(letters) is not None
            or _WITHOUT_ALPHABET.search(letters) is not None
        )
        found.append(_Word(letters, exact))
    return tuple(found)


def _plain(word: str) -> str:
    """A word without accents."""
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFKD", word.translate(_LETTERS))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def _same_word(a: _Word, b: _Word) -> bool:
    if a.letters == b.letters:
        return True
    if a.exact or b.exact:
        return False
    short, long = sorted((a.letters, b.letters), key=len)
    if len(short) > 1 and long.startswith(short) and long[len(short) :] in _ENDINGS:
        return True
    if short.endswith("y") and long == f"{short[:-1]}ies":
        return True
    if _UMLAUT.sub(r"\1", short) == _UMLAUT.sub(r"\1", long):
        return True
    # A typing error leaves the ends alone; letters that differ there make another word: import and export, paid and
    # unpaid, employee and employer.
    return (
        len(long) >= _SHORTEST_TYPO
        and short[0] == long[0]
        and short[-1] == long[-1]
        and OSA.distance(short, long, score_cutoff=1) == 1
    )
