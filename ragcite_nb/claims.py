"""What kind of statement a sentence is: does it need a citation?

The rule is "a claim, unless it is on a closed list": a list of what needs no citation can be complete, one of what does cannot.
The lists are data, one file per language under ``claims`` in ``languages/``: regular expressions for abstentions, asides
(greetings, offers of help, referrals without figures), statements that information is partial and that sources disagree.

The expressions are costly, so each list has *cues*, plain pieces of text of which one must occur; ``may_hold`` looks for
them in a whole answer at once, and most answers hold none.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from ragcite_nb import languages
from ragcite_nb.segment import FILL

_LONGEST = 300
"""Characters of a sentence that are looked at; keeps the expressions linear."""
_CLEAN = re.compile(rf"{FILL}+|[*_`~]+|[\u200b-\u200f\u2060\ufeff]+")
_BULLET = re.compile(r"\s*(?:[-*+•>]\s+|\d{1,3}[.)]\s+)+")

ABSTENTION, PARTIAL, CONTRADICTION, ASIDE = 1, 2, 4, 8


class _List(NamedTuple):
    cues: tuple[str, ...]
    topics: tuple[str, ...]
    pattern: re.Pattern[str]

    def may_hold(self, low: str) -> bool:
        for cue in self.cues:
            if cue in low:
                break
        else:
            return False
        if not self.topics:
            return True
        return any(topic in low for topic in self.topics)

    def matches(self, core: str, low: str) -> bool:
        return self.may_hold(low) and self.pattern.search(core) is not None


class ClaimRules:
    """The lists of one language."""

    def __init__(self, code: str) -> None:
        data = languages.rules(code).get("claims") or languages.rules("en")["claims"]
        self.lists = {
            flag: _List(
                tuple(data[name].get("cues", ())),
                tuple(data[name].get("topics", ())),
                re.compile("|".join(f"(?:{p})" for p in data[name]["patterns"]), re.IGNORECASE),
            )
            for flag, name in ((ABSTENTION, "abstention"), (PARTIAL, "partial"), (CONTRADICTION, "contradiction"), (ASIDE, "aside"))
        }
        self.referral = re.compile("|".join(f"(?:{p})" for p in data["referral"]["patterns"]), re.IGNORECASE)

    def may_hold(self, text: str) -> int:
        """Which of the lists can match anywhere in ``text``, as flags; a cheap look for their cues."""
        low = _lower(text.replace("\n", " "))
        flags = 0
        for flag, entries in self.lists.items():
            if entries.may_hold(low):
                flags |= flag
        return flags

    def flags(self, core: str, possible: int) -> int:
        """Which of the lists match one sentence, cleaned by :func:`core_of`."""
        low = _lower(core)
        found = 0
        for flag, entries in self.lists.items():
            if possible & flag and entries.matches(core, low):
                found |= flag
        return found

    def is_referral(self, core: str) -> bool:
        """Whether a list item only says where else to ask, as they follow an abstention."""
        return self.referral.search(core) is not None


@cache
def claim_rules(code: str) -> ClaimRules:
    """The rules of a language, compiled once; a language without lists has the English ones.

    >>> rules = claim_rules("fr")
    >>> rules.flags("Je n'ai pas trouvé d'information sur ce sujet.", rules.may_hold("Je n'ai pas trouvé d'information.")) == ABSTENTION
    True
    """
    return ClaimRules(code)


def _lower(text: str) -> str:
    return f" {text.lower()} ".replace("’", "'")


def core_of(masked: str) -> str:
    """A sentence of the masked text without markers, emphasis and bullets, as the lists expect it.

    >>> core_of("**Dogs** ride free.")
    'Dogs ride free.'
    """
    core = _CLEAN.sub("", masked[: 2 * _LONGEST]).replace("\u00a0", " ").replace("\u202f", " ").replace("’", "'")
    core = " ".join(core.split())[:_LONGEST]
    bullet = _BULLET.match(core)
    return core[bullet.end() :] if bullet else core
