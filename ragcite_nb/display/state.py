"""One word for how a citation stands: its own status and the statuses of its quotes, the worst of them first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ragcite_nb.models import Citation, QuoteCheck

Tone = Literal["good", "neutral", "aside", "doubtful", "bad"]

_SYMBOLS: dict[str, tuple[str, Tone]] = {
    "unknown": ("✗", "bad"),
    "altered": ("≠", "bad"),
    "absent": ("✗", "bad"),
    "elsewhere": ("⇄", "bad"),
    "elided_warned": ("≠", "bad"),
    "ambiguous": ("?", "doubtful"),
    "malformed": ("?", "doubtful"),
    "near": ("≈", "doubtful"),
    "unverifiable": ("", "neutral"),
    "valid": ("", "neutral"),
    "provenance": ("", "aside"),
    "elided": ("✓", "good"),
    "normalized": ("✓", "good"),
    "verbatim": ("✓", "good"),
}
_RANK = {state: rank for rank, state in enumerate(_SYMBOLS)}


def symbol(state: str) -> str:
    """A sign for the state, so that colour is never the only one.

    >>> symbol("verbatim"), symbol("altered"), symbol("valid")
    ('✓', '≠', '')
    """
    return _SYMBOLS[state][0]


def tone(state: str) -> Tone:
    """How good or bad the state is: the colour."""
    return _SYMBOLS[state][1]


def worst(states: Iterable[str]) -> str:
    """The state that a reader must know of first.

    >>> worst(["verbatim", "altered", "valid"])
    'altered'
    """
    return min(states, key=_RANK.__getitem__)


def of_quote(quote: QuoteCheck) -> str:
    """The state of one quote."""
    return "elided_warned" if quote.status == "elided" and quote.warnings else quote.status


def of_citation(citation: Citation, quotes: Iterable[QuoteCheck]) -> str:
    """The state of a citation with the quotes that belong to it.

    A quote that cannot be checked says less than that its source exists.
    """
    states = [of_quote(quote) for quote in quotes if quote.status != "unverifiable"]
    if citation.status != "valid":
        states.append(citation.status)
    return worst(states) if states else "valid"
