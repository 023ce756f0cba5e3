"""What kind of statement a sentence is: does it need a citation?

The rule is "a claim, unless it is on a closed list": a list of what needs no citation can be complete, one of what does cannot.
The lists are data, one file per language under ``claims`` in ``languages/``: regular expressions for abstentions, asides
(greetings, offers of help, referrals without figures), statements that information is partial and that sources disagree.

The expressions are costly, so each list has a cheap necessary condition. Most are *cues*, beginnings of words of which one must
occur (and one *topic*, where the cues are common words); :meth:`ClaimRules.possible` looks for them in a whole answer at
once, and most answers hold none. Most asides are told by the first word of the sentence.

Words that are too common for a search anywhere ("is not given") still tell of an abstention when the whole sentence is known:
``whole`` holds expressions that must match from its beginning to its stop. Their ``<parts>`` are written once, by name.
"""

from __future__ import annotations

import re
from functools import cache, cached_property
from typing import Any

from ragcite_nb import languages
from ragcite_nb.segment import FILL, LEAK

ABSTENTION, PARTIAL, CONTRADICTION, ASIDE = 1, 2, 4, 8
"""Flags for the lists."""

_LONGEST = 300
"""Characters of a sentence that are looked at; keeps the expressions linear."""
_CLEAN = re.compile(rf"[{FILL}{LEAK}]+|[*_`~]+|[\u200b-\u200f\u2060\ufeff]+")
_DIGIT = re.compile(r"(?<!\()\d|\d(?!\))")
"""A figure; the number of a list in the text, as (1), is none."""
_PART = re.compile(r"<(\w+)>")
"""A part of an expression, by its name."""
_BULLET = re.compile(r"\s*(?:[-*+•>]\s+|\d{1,3}[.)]\s+)+")


class _Cued:
    """A list of expressions behind cues and topics."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.cues = _beginnings(data["cues"])
        self.topics = _beginnings(data["topics"])
        self._patterns: list[str] = data["patterns"]
        self._exceptions: list[str] = data.get("except", [])
        self._whole: dict[str, Any] = data.get("whole", {})

    def matches(self, core: str, low: str) -> bool:
        """Whether a sentence, and the same in lower case, is on the list."""
        if self.cues.search(low) is None:
            return False
        if self.topics.search(low) is not None and _any_of(*self._patterns).search(core) is not None:
            return not self._exceptions or _any_of(*self._exceptions).search(core) is None
        return bool(self._whole) and self.is_whole(core)

    def is_whole(self, core: str) -> bool:
        """Whether all of a sentence is an expression of ``whole``."""
        return self._whole_expression.fullmatch(core) is not None

    @cached_property
    def _whole_expression(self) -> re.Pattern[str]:
        """Compiled when a sentence first needs it, as in :func:`_any_of`."""
        joined = "|".join(f"(?:{p})" for p in self._whole["patterns"])
        while named := _PART.search(joined):
            joined = joined.replace(named[0], self._whole["parts"][named[1]])
        return re.compile(rf"(?:{joined})[ .!]*", re.IGNORECASE)


class ClaimRules:
    """The lists of one language."""

    def __init__(self, code: str) -> None:
        data = languages.rules(code).get("claims") or languages.rules("en")["claims"]
        self._cued = tuple(
            (flag, _Cued(data[name]))
            for flag, name in ((ABSTENTION, "abstention"), (PARTIAL, "partial"), (CONTRADICTION, "contradiction"))
        )
        aside = data["aside"]
        self._asides: list[str] = aside["patterns"]
        self.first_words: dict[str, tuple[str, ...]] = {
            word: tuple(rest) for word, rest in aside["first_words"].items()
        }
        """First words that can begin an aside, with the beginnings that they must then have (any, when there are none)."""
        self._anywhere = _beginnings(aside["anywhere"])
        self._any_cue = _beginnings(
            [*data["abstention"]["cues"], *data["contradiction"]["cues"], *data["partial"]["topics"]]
        )
        self._referrals: list[str] = data["referral"]["patterns"]
        self._about_sources = re.compile(data["about_sources"], re.IGNORECASE)

    def possible(self, text: str) -> int:
        """Which lists can match anywhere in ``text``, as flags; asides are told sentence by sentence."""
        return ABSTENTION | PARTIAL | CONTRADICTION if self._any_cue.search(_lower(text)) is not None else 0

    def may_be_aside(self, sentence: str) -> bool:
        """Whether a sentence can be an aside: a cheap look at its first word and for a few phrases."""
        words = sentence[:40].split(None, 1)
        if not words:
            return False
        continuations = self.first_words.get(words[0].lower().replace("’", "'").strip("*_,.!:;"))
        if continuations is not None and (
            not continuations or _lower(sentence).lstrip(" *_").startswith(continuations)
        ):
            return True
        return self._anywhere.search(_lower(sentence)) is not None

    def may_match(self, sentence: str) -> bool:
        """Whether one sentence, not yet cleaned, can be on a list of :meth:`possible`: a cheap look for its cues."""
        if not (sentence.isascii() and sentence[:1].isalnum()) or any(map(sentence.__contains__, "*_`~")):
            return True  # cleaning may bring a cue to light
        return self._any_cue.search(_lower(" ".join(sentence.split()))) is not None

    def flags(self, core: str, possible: int) -> int:
        """Which of the possible lists match one sentence, cleaned by :func:`core_of`."""
        low = _lower(core)
        # A figure makes a claim of whatever it stands in.
        found = ASIDE if possible & ASIDE and not _DIGIT.search(core) and _any_of(*self._asides).search(core) else 0
        for flag, cued in self._cued:
            if possible & flag and cued.matches(core, low):
                found |= flag
        return found

    def is_refusal(self, core: str) -> bool:
        """Whether a whole sentence is an abstention, whatever the words in it."""
        abstention = self._cued[0][1]
        return abstention.cues.search(_lower(core)) is not None and abstention.is_whole(core)

    def is_about_sources(self, core: str) -> bool:
        """Whether a sentence speaks of the sources and states no figure: that they disagree, or hold only a part."""
        return self._about_sources.search(core) is not None and not _DIGIT.search(core)

    def is_referral(self, core: str) -> bool:
        """Whether a list item only says where else to ask, as they follow an abstention."""
        return _any_of(*self._referrals).search(core) is not None


@cache
def claim_rules(code: str) -> ClaimRules:
    """The rules of a language, compiled once; a language without lists has the English ones.

    >>> rules = claim_rules("fr")
    >>> text = "Je n'ai pas trouvé d'information sur ce sujet."
    >>> rules.flags(text, rules.possible(text)) == ABSTENTION
    True
    """
    return ClaimRules(code)


@cache
def with_claims() -> tuple[str, ...]:
    """The languages that have lists of their own.

    >>> with_claims()
    ('de', 'en', 'fr')
    """
    return tuple(code for code in languages.codes() if "claims" in languages.rules(code))


def _beginnings(words: list[str]) -> re.Pattern[str]:
    """Finds the beginnings of words, quickly: a tree of letters behind a blank."""
    tree: dict[str, Any] = {}
    for word in words:
        node = tree
        for letter in _lower(word)[1:-1]:
            node = node.setdefault(letter, {})
        node[""] = {}

    def branch(node: dict[str, Any]) -> str:
        if "" in node:  # a shorter word is enough
            return ""
        found = [re.escape(letter) + branch(below) for letter, below in sorted(node.items())]
        return found[0] if len(found) == 1 else f"(?:{'|'.join(found)})"

    return re.compile(" " + branch(tree))


@cache
def _any_of(*patterns: str) -> re.Pattern[str]:
    """Compiled when a sentence first needs it: most never do. All begin where a word does, which spares most tries."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(f'(?:{p})' for p in patterns)})", re.IGNORECASE)


def _lower(text: str) -> str:
    """Lower case, each word behind a blank, elided ones (``l'information``) too."""
    low = f" {text} ".lower().replace("\n", " ")
    if "’" in low:
        low = low.replace("’", "'")
    return low.replace("'", "' ") if "'" in low else low


def core_of(masked: str) -> str:
    """A sentence of the masked text without markers, emphasis and bullets, as the lists expect it.

    >>> core_of("**Dogs** ride free.")
    'Dogs ride free.'
    """
    core = _CLEAN.sub("", masked[: 2 * _LONGEST]).replace("\u00a0", " ").replace("\u202f", " ").replace("’", "'")
    core = " ".join(core.split())[:_LONGEST]
    bullet = _BULLET.match(core)
    return core[bullet.end() :] if bullet else core
