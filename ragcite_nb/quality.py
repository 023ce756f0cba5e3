"""Whether a batch of answers is good enough for a pipeline to go on: alerts about the batch as a whole."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from ragcite_nb.models import InputError, Severity
from ragcite_nb.report import Report, report
from ragcite_nb.reporting.comparison import Comparison, Group, compare
from ragcite_nb.reporting.numerals import percent, points, whole
from ragcite_nb.reporting.text import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from ragcite_nb.reporting.tally import Tally


class _Share(NamedTuple):
    """A share of responses, the most of it that is accepted, and how bad it is to exceed it."""

    most: float
    severity: Severity
    count: Callable[[Tally], int]


_SHARES = {
    "weakly_cited": _Share(0.10, "warning", lambda tally: tally.weakly_cited),
    "without_citations": _Share(0.05, "warning", lambda tally: tally.without_citations),
    "invalid_citations": _Share(0.02, "error", lambda tally: tally.invalid_citations),
    "altered_quotes": _Share(0.0, "error", lambda tally: tally.altered_quotes),
    "absent_quotes": _Share(0.01, "error", lambda tally: tally.absent_quotes),
    "contradictions": _Share(0.05, "warning", lambda tally: tally.alerts["contradiction"]),
    "truncated": _Share(0.02, "warning", lambda tally: tally.truncated),
    "errors": _Share(0.0, "error", lambda tally: tally.errors),
}
_LEAST_TRACEABILITY = 0.8

THRESHOLDS = {name: share.most for name, share in _SHARES.items()} | {"mean_traceability": _LEAST_TRACEABILITY}
"""Defaults of the thresholds of :func:`check_quality`: the largest share of responses that is accepted, and for
``mean_traceability`` the smallest mean."""


@dataclass(frozen=True, slots=True)
class QualityAlert:
    """One thing that is wrong with a batch.

    Attributes:
        code: the threshold's name, ``"no_responses"``, or ``"drop"`` for a change for the worse against the baseline.
        severity: ``"error"`` or ``"warning"``.
        value: the share or mean that was found.
        threshold: what is accepted; for a drop the baseline's value.
        count, total: responses concerned, of all; for a mean or a drop the responses it is taken over.
        comparison: for a drop, the comparison with the baseline.
        locale: language of ``message``.
    """

    code: str
    severity: Severity
    value: float | None
    threshold: float | None
    count: int
    total: int
    comparison: Comparison | None = None
    locale: str = "en"

    @property
    def message(self) -> str:
        """One sentence with the figures."""
        locale = self.locale
        if (change := self.comparison) is not None:
            return say(
                "quality",
                locale,
                part="drop",
                outcome=say("outcome", locale, part=change.outcome),
                before=percent(change.first_value, locale),
                after=percent(change.second_value, locale),
                difference=points(change.difference, locale),
            )
        return say(
            "quality",
            locale,
            part=self.code,
            count=whole(self.count, locale),
            total=whole(self.total, locale),
            percent=percent(self.value, locale),
            value=percent(self.value, locale),
            threshold=percent(self.threshold, locale),
        )

    def to_dict(self) -> dict[str, Any]:
        """The alert as plain JSON data, its message included."""
        fields = {name: getattr(self, name) for name in ("code", "severity", "value", "threshold", "count", "total")}
        comparison = None if self.comparison is None else self.comparison.to_dict()
        return fields | {"comparison": comparison, "message": self.message}


def check_quality(
    report_or_frame: Report | pd.DataFrame,
    baseline: Report | pd.DataFrame | None = None,
    *,
    locale: str | None = None,
    **thresholds: float | None,
) -> tuple[QualityAlert, ...]:
    """Alerts about a batch of answers, errors first; empty when it is good.

    Args:
        report_or_frame: the batch: a report, or a frame (checked first unless it is).
        baseline: what the batch is measured against, such as last week's answers. Traceability that fell, or invalid
            citations or quotes not found that became more frequent, raise ``"drop"`` if the change is more than
            noise. Where the question is known, the same questions are compared.
        locale: language of the messages; by default the report's.
        thresholds: instead of the defaults in :data:`THRESHOLDS`; ``None`` turns one off. Shares of responses that
            are accepted at most (with the default): ``weakly_cited`` (0.10), ``without_citations`` (0.05),
            ``invalid_citations`` (0.02), ``altered_quotes`` (0), ``absent_quotes`` (0.01), ``contradictions`` (0.05),
            ``truncated`` (0.02), ``errors`` (0, rows that could not be read). The mean that is expected at least:
            ``mean_traceability`` (0.8).

    Raises:
        TypeError: for a threshold that does not exist; the message names the near one.
        InputError: for a threshold that is no share.

    >>> df = pd.DataFrame({"answer": ["Dogs are free [7]."], "sources": [["Dogs are free."]]})
    >>> [alert.code for alert in check_quality(df, weakly_cited=None, mean_traceability=None)]
    ['invalid_citations']
    """
    bars = _bars(thresholds)
    batch = _report(report_or_frame, locale)
    locale, total = locale or batch.locale, batch.total
    size = total.total_responses
    if not size:
        return (QualityAlert("no_responses", "error", None, None, 0, 0, locale=locale),)
    alerts = []
    for code, share in _SHARES.items():
        count, most = share.count(total), bars[code]
        if most is not None and count / size > most:
            alerts.append(QualityAlert(code, share.severity, count / size, most, count, size, locale=locale))
    mean, least = total.mean_traceability, bars["mean_traceability"]
    if mean is not None and least is not None and mean < least:
        alerts.append(QualityAlert("mean_traceability", "warning", mean, least, total.scored, size, locale=locale))
    if baseline is not None:
        for change in _changes(_report(baseline, locale), batch):
            if change.different and (change.difference < 0) == (change.outcome == "mean_traceability"):
                values = change.second_value, change.first_value
                alerts.append(QualityAlert("drop", "error", *values, change.sizes[1], size, change, locale))
    return tuple(sorted(alerts, key=lambda alert: alert.severity))  # "error" comes before "warning"


def _bars(thresholds: dict[str, float | None]) -> dict[str, float | None]:
    for name, value in thresholds.items():
        if name not in THRESHOLDS:
            near = difflib.get_close_matches(name, THRESHOLDS, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else "."
            raise TypeError(f"unknown threshold {name!r}{hint} The thresholds are {', '.join(THRESHOLDS)}")
        if value is not None and (
            isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1
        ):
            raise InputError(f"{name}={value!r}: a share from 0 to 1 is accepted, or None to turn it off")
    return {**THRESHOLDS, **thresholds}


def _report(value: Report | pd.DataFrame, locale: str | None) -> Report:
    if isinstance(value, Report):
        return value
    if isinstance(value, pd.DataFrame):
        return report(value, locale=locale)
    raise InputError(f"a Report or a DataFrame is accepted, not {type(value).__name__}")


def _changes(baseline: Report, batch: Report) -> tuple[Comparison, ...]:
    return compare([_whole("baseline", baseline, batch), _whole("batch", batch, baseline)])


def _whole(name: str, value: Report, other: Report) -> Group:
    """All groups of a report as one."""
    pairs = None
    if value.pair_on == other.pair_on and value.parts and all(part.pairs is not None for part in value.parts):
        tables = [part.pairs for part in value.parts if part.pairs is not None]
        pairs = sum(tables[1:], start=tables[0])
    return Group({"report": name}, value.total, pairs)
