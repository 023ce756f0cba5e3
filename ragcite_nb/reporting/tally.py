"""What is counted about checked answers. Everything is a sum, so tallies of parts add up to the tally of the whole."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ragcite_nb.reporting.intervals import Interval, mean_interval, wilson
from ragcite_nb.reporting.permutation import GRID

if TYPE_CHECKING:
    from collections.abc import Mapping

BINS = 20
"""Bars of the histogram of traceability scores."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts over checked answers, and the rates that follow from them.

    Every response is in exactly one of ``fully_cited`` (traceability of at least 0.9), ``partially_cited`` (at least
    0.5), ``weakly_cited`` (below 0.5) and ``unscored`` (no claims, citations without a place in the text, or a row that
    could not be read). ``without_citations`` are responses with claims but no citation at all; they score 0 and
    so are a part of ``weakly_cited``. ``errors`` are a part of ``unscored``.

    Attributes:
        invalid_citations: responses with at least one citation that fits no source, or several.
        verified_responses: responses that a user has verified at least one citation of.
        user_verifications: all verifications by users.
        abstained, truncated: responses that say they have no answer; responses that were cut off.
        altered_quotes, absent_quotes, elsewhere_quotes: responses with at least one such quote.
        quotes_not_found: responses with at least one quote that does not stand in the cited source, for any reason.
        quotes, unused_sources: quotes that were checked and sources that were never cited, all counted.
        score_sum, score_squares: exact sums over the scored responses.
        scores: how many responses have a score of k / 120.
        alerts: responses by alert code.
    """

    total_responses: int = 0
    fully_cited: int = 0
    partially_cited: int = 0
    weakly_cited: int = 0
    without_citations: int = 0
    invalid_citations: int = 0
    verified_responses: int = 0
    user_verifications: int = 0
    unscored: int = 0
    errors: int = 0
    abstained: int = 0
    truncated: int = 0
    altered_quotes: int = 0
    absent_quotes: int = 0
    elsewhere_quotes: int = 0
    quotes_not_found: int = 0
    quotes: int = 0
    unused_sources: int = 0
    # Fractions: a float sum would depend on how the rows were cut into parts.
    score_sum: Fraction = Fraction(0)
    score_squares: Fraction = Fraction(0)
    scores: Counter[int] = field(default_factory=Counter)
    alerts: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: Tally) -> Tally:
        return Tally(**{f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)})

    @property
    def scored(self) -> int:
        """Responses with a traceability score."""
        return self.total_responses - self.unscored

    @property
    def traceability_rate(self) -> float | None:
        """Share of all responses that are fully cited."""
        return self._share(self.fully_cited)

    @property
    def partial_rate(self) -> float | None:
        """Share of all responses that are partially cited."""
        return self._share(self.partially_cited)

    @property
    def uncited_rate(self) -> float | None:
        """Share of all responses that are weakly cited, those without citations included."""
        return self._share(self.weakly_cited)

    @property
    def invalid_rate(self) -> float | None:
        """Share of all responses with an invalid citation."""
        return self._share(self.invalid_citations)

    @property
    def verification_rate(self) -> float | None:
        """Share of all responses that a user has verified at least one citation of."""
        return self._share(self.verified_responses)

    @property
    def mean_traceability(self) -> float | None:
        """Mean score of the scored responses."""
        return float(self.score_sum / self.scored) if self.scored else None

    def _share(self, count: int) -> float | None:
        return count / self.total_responses if self.total_responses else None

    @property
    def intervals(self) -> Mapping[str, Interval | None]:
        """95 % intervals, by the name of the rate."""
        total = self.total_responses
        return {
            "traceability_rate": wilson(self.fully_cited, total),
            "partial_rate": wilson(self.partially_cited, total),
            "uncited_rate": wilson(self.weakly_cited, total),
            "invalid_rate": wilson(self.invalid_citations, total),
            "verification_rate": wilson(self.verified_responses, total),
            "mean_traceability": mean_interval(float(self.score_sum), float(self.score_squares), self.scored),
        }

    @property
    def histogram(self) -> tuple[int, ...]:
        """Scored responses in 20 steps of 0.05; the last one holds 0.95 to 1."""
        bars = [0] * BINS
        for step, count in self.scores.items():
            bars[min(step * BINS // GRID, BINS - 1)] += count
        return tuple(bars)

    def to_dict(self) -> dict[str, Any]:
        """Counts, rates and intervals as plain JSON data."""
        counts = {f.name: getattr(self, f.name) for f in fields(self) if f.type == "int"}
        return {
            **counts,
            **{name: getattr(self, name) for name in self.intervals},
            # The most frequent first, and by name among equals, so that the order does not depend on the rows'.
            "alerts": dict(sorted(self.alerts.items(), key=lambda item: (-item[1], item[0]))),
            "intervals": {name: list(pair) if pair else None for name, pair in self.intervals.items()},
            "histogram": list(self.histogram),
        }
