"""A report in words: the findings that a release is decided on, and the plain-text summary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragcite_nb import messages
from ragcite_nb.reporting.comparison import MOST_GROUPS, SIGNIFICANCE, Comparison
from ragcite_nb.reporting.numerals import percent, points, probability, whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragcite_nb.report import Report
    from ragcite_nb.reporting.intervals import Interval

COUNTS = (
    "fully_cited", "partially_cited", "weakly_cited", "without_citations", "unscored", "invalid_citations",
    "altered_quotes", "absent_quotes", "elsewhere_quotes", "quotes_not_found", "truncated", "abstained", "errors",
    "verified_responses",
)  # fmt: skip
"""Counts of responses, in the order in which a report shows them."""

_MOST_NAMED = 3
_MOST_COMPARED = 9
_LONGEST_LABEL = 60


def say(key: str, locale: str, part: str | None = None, **params: Any) -> str:
    """A text of the report."""
    return messages.text("report", key, locale, part, **params)


def heading(report: Report) -> str:
    """How many responses, by which columns, on which questions."""
    locale = report.locale
    total = report.total_responses
    parts = [say("responses", locale, count=total, number=whole(total, locale))]
    if report.by:
        parts.append(say("by", locale, columns=", ".join(map(str, report.by))))
    if any(comparison.paired for comparison in report.comparisons):
        parts.append(say("paired_on", locale, column=report.pair_on))
    return " · ".join(parts)


def label(labels: Mapping[str, Any], locale: str) -> str:
    """A group's name.

    >>> label({"model": "a", "prompt": None}, "en")
    'a / (none)'
    """
    return " / ".join(say("missing", locale) if value is None else _cut(str(value)) for value in labels.values())


def _cut(text: str) -> str:
    """Prompts make groups too, and are longer than any sentence about them should be."""
    return text if len(text) <= _LONGEST_LABEL else text[: _LONGEST_LABEL - 1] + "…"


def labelled(name: str, value: str, locale: str) -> str:
    """A name with its value, with the colon as the language sets it."""
    return say("labelled", locale, label=name, value=value)


def interval(pair: Interval | None, locale: str) -> str:
    """The two ends of an interval of a share."""
    return "–" if pair is None else say("interval", locale, low=percent(pair[0], locale), high=percent(pair[1], locale))


def findings(report: Report) -> list[str]:
    """One sentence for each thing to know before a release."""
    locale, total = report.locale, report.total
    if not total.total_responses:
        return [say("no_responses", locale)]
    pair = total.intervals["traceability_rate"]
    assert pair is not None
    sentences = [
        say(
            "lead",
            locale,
            part="full" if total.scored else "full_unscored",
            percent=percent(total.traceability_rate, locale),
            interval=say("interval_note", locale, low=percent(pair[0], locale), high=percent(pair[1], locale)),
            mean=percent(total.mean_traceability, locale),
        )
    ]
    for key, count in (
        ("invalid", total.invalid_citations),
        ("altered", total.altered_quotes),
        ("absent", total.absent_quotes),
        ("errors", total.errors),
    ):
        if count:
            share = percent(count / total.total_responses, locale)
            sentences.append(say("lead", locale, part=key, count=count, number=whole(count, locale), percent=share))
        elif key == "invalid" and total.errors < total.total_responses:
            sentences.append(say("lead", locale, part="no_invalid"))
    if report.comparisons:
        different = sorted((c for c in report.comparisons if c.different), key=lambda c: c.adjusted_p)
        if different:
            number = len(different)
            sentences.append(say("lead", locale, part="different", count=number, number=whole(number, locale)))
            sentences += [_difference(comparison, locale) for comparison in different[:_MOST_NAMED]]
        else:
            sentences.append(say("lead", locale, part="noise"))
    return sentences


def _difference(comparison: Comparison, locale: str) -> str:
    return say(
        "lead",
        locale,
        part="which",
        outcome=say("outcome", locale, part=comparison.outcome),
        verdict=verdict(comparison, locale),
        first=label(comparison.first, locale),
        difference=points(comparison.difference, locale, sign=False),
        first_value=percent(comparison.first_value, locale),
        second_value=percent(comparison.second_value, locale),
        basis=basis(comparison, locale),
    )


def why_not_compared(report: Report) -> str | None:
    """Why there is no comparison although groups were asked for."""
    if not report.by or report.comparisons or not report.parts:
        return None
    if len(report.parts) == 1:
        return say("one_group", report.locale)
    if len(report.parts) > MOST_GROUPS:
        return say("too_many_groups", report.locale, number=MOST_GROUPS)
    return say("nothing_varies", report.locale)


def verdict(comparison: Comparison, locale: str) -> str:
    """Which group is higher, or that it could be noise."""
    if not comparison.different:
        return say("verdict", locale, part="noise")
    part = "higher" if comparison.difference > 0 else "lower"
    return say("verdict", locale, part=part, second=label(comparison.second, locale))


def basis(comparison: Comparison, locale: str) -> str:
    """What was compared: shared questions, or all responses of both groups."""
    first, second = comparison.sizes
    if comparison.paired:
        return say("basis", locale, part="paired", count=first, number=whole(first, locale))
    return say("basis", locale, part="unpaired", first=whole(first, locale), second=whole(second, locale))


def significance_note(locale: str) -> str:
    """What the verdicts mean."""
    return say("comparison_note", locale, level=percent(SIGNIFICANCE, locale))


def summary(report: Report) -> str:
    """The report as plain text."""
    locale, total = report.locale, report.total
    lines = [
        labelled(say("title", locale), heading(report), locale),
        *(f"  {sentence}" for sentence in findings(report)),
    ]
    if not total.total_responses:
        return "\n".join(lines)
    lines.append("")
    rows = [
        (say("kpi", locale, part=name), whole(count, locale), percent(count / total.total_responses, locale))
        for name in COUNTS
        if (count := getattr(total, name)) or name in ("fully_cited", "partially_cited", "weakly_cited")
    ]
    lines += _aligned(rows)
    if report.alerts:
        lines += ["", say("section", locale, part="alerts")]
        lines += _aligned([(alert_label(code, locale), whole(count, locale)) for code, count in report.alerts.items()])
    if report.by and report.parts:
        lines += ["", say("section", locale, part="groups")]
        lines += _aligned(
            [
                (
                    label(part.labels, locale),
                    say(
                        "responses",
                        locale,
                        count=part.tally.total_responses,
                        number=whole(part.tally.total_responses, locale),
                    ),
                    percent(part.tally.mean_traceability, locale),
                    interval(part.tally.intervals["mean_traceability"], locale),
                )
                for part in report.parts
            ]
        )
        compared = sorted(report.comparisons, key=lambda comparison: comparison.adjusted_p)
        lines += _aligned([_compared(comparison, locale) for comparison in compared[:_MOST_COMPARED]])
        if rest := len(compared[_MOST_COMPARED:]):
            lines.append(f"  {say('more', locale, count=rest, number=whole(rest, locale))}")
        lines += [f"  {reason}" for reason in [why_not_compared(report)] if reason]
    lines += ["", messages.text("view", "caveat", locale)]
    return "\n".join(lines)


def _compared(comparison: Comparison, locale: str) -> tuple[str, ...]:
    chance = say("column", locale, part="chance").lower()
    return (
        f"{label(comparison.first, locale)} → {label(comparison.second, locale)}",
        say("outcome", locale, part=comparison.outcome),
        points(comparison.difference, locale),
        verdict(comparison, locale),
        f"({chance} {probability(comparison.adjusted_p, locale)}, {basis(comparison, locale)})",
    )


def alert_label(code: str, locale: str) -> str:
    """A short name for an alert; a code of a later version is shown as it is."""
    labels: dict[str, str] = messages.catalog("report", locale)["alert"]
    return labels.get(code, code)


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
