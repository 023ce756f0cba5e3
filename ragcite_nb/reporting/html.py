"""A report as HTML that needs neither script nor network: a fragment for notebooks, a page for a file.

Without any style (as some sites show notebooks) it is still headings, sentences and tables that hold every number.
"""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pandas as pd

from ragcite_nb import messages
from ragcite_nb.reporting.aggregate import alert_codes
from ragcite_nb.reporting.intervals import wilson
from ragcite_nb.reporting.numerals import counted, percent, points, probability, signed, whole
from ragcite_nb.reporting.plots import Bar, Point, bars, histogram, intervals, stacked
from ragcite_nb.reporting.text import (
    COUNTS,
    alert_label,
    basis,
    findings,
    heading,
    interval,
    label,
    labelled,
    say,
    significance_note,
    verdict,
    why_not_compared,
)
from ragcite_nb.score import SEVERITY

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ragcite_nb.report import Report
    from ragcite_nb.reporting.comparison import Comparison

WORST = 10
"""Rows that a report shows in full."""

_LONGEST = 180
_MOST_COMPARED = 12
_MOST_DRAWN = 40
_RANKS = {"error": 0, "warning": 1, "info": 2}

_CLASSES = (
    ("fully_cited", "full"),
    ("partially_cited", "partial"),
    ("weakly_cited", "weak"),
    ("unscored", "none"),
)


@cache
def _style() -> str:
    return files(__package__).joinpath("report.css").read_text(encoding="utf-8")


def fragment(report: Report) -> str:
    """The report as a piece of HTML that brings its style along."""
    return f'<div class="rr" lang="{report.locale}"><style>{_style()}</style>{_body(report)}</div>'


def page(report: Report) -> str:
    """The report as a page of its own."""
    title = escape(f"{say('title', report.locale)} · {heading(report)}")
    return (
        f'<!DOCTYPE html>\n<html lang="{report.locale}"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{title}</title><style>body{{margin:0;padding:2em clamp(1em,4vw,3em);background:#fff}}"
        "@media (prefers-color-scheme:dark){body{background:#161c22}}main{max-width:1060px;margin:auto}"
        f"</style></head><body><main>{fragment(report)}</main></body></html>\n"
    )


def _body(report: Report) -> str:
    locale = report.locale
    lead = "".join(f"<li>{escape(sentence)}</li>" for sentence in findings(report))
    parts = [
        f'<header><h2>{escape(say("title", locale))}</h2><p class="rr-sub">{escape(heading(report))}</p></header>',
        f'<div class="rr-lead" role="group" aria-label="{escape(say("in_short", locale))}"><ul>{lead}</ul></div>',
    ]
    if report.total_responses:
        parts += [
            _cards(report),
            _shares(report),
            '<div class="rr-two">',
            _histogram(report),
            _alerts(report),
            "</div>",
        ]
        if report.by:
            parts += [_groups(report), _comparisons(report)]
        parts += [_worst(report), _figures(report)]
    caveat, definitions = escape(messages.text("view", "caveat", locale)), escape(say("definitions", locale))
    parts.append(f'<footer><p class="rr-caveat">{caveat}</p><p class="rr-note">{definitions}</p></footer>')
    return "".join(parts)


def severity(code: str) -> str:
    """The severity of an alert; a code of a later version is taken for a note."""
    return SEVERITY.get(code, "info")


def _severity_word(name: str, locale: str) -> str:
    return escape(messages.text("view", "severity", locale, part=name))


def _section(report: Report, name: str, content: str) -> str:
    return f"<section><h3>{escape(say('section', report.locale, part=name))}</h3>{content}</section>"


def _cards(report: Report) -> str:
    """The figures that matter most, each with its count and interval."""
    locale, total = report.locale, report.total
    pairs, size = total.intervals, total.total_responses

    def share(name: str, kind: str, count: int, rate: str) -> str:
        return _card(locale, kind, name, count / size, [_of(count, size, locale), interval(pairs[rate], locale)])

    cards = [
        share("fully_cited", "full", total.fully_cited, "traceability_rate"),
        share("weakly_cited", "weak", total.weakly_cited, "uncited_rate"),
        _card(
            locale, "info", "mean_traceability", total.mean_traceability, [interval(pairs["mean_traceability"], locale)]
        ),
        share("invalid_citations", "weak", total.invalid_citations, "invalid_rate"),
    ]
    if total.quotes:
        kinds = ("altered_quotes", "absent_quotes", "elsewhere_quotes")
        lines = [_of(total.quotes_not_found, size, locale)]
        lines += [
            labelled(say("kpi", locale, part=name), whole(getattr(total, name), locale), locale)
            for name in kinds
            if getattr(total, name)
        ]
        kind = "weak" if total.altered_quotes or total.absent_quotes else "info"
        cards.append(_card(locale, kind, "quotes_not_found", total.quotes_not_found / size, lines))
    return f'<div class="rr-cards">{"".join(cards)}</div>'


def _card(locale: str, kind: str, name: str, share: float | None, lines: Sequence[str]) -> str:
    explained, title = escape(say("explain", locale, part=name)), escape(say("kpi", locale, part=name))
    return (
        f'<div class="rr-card rr-card-{kind}"><div class="rr-name" title="{explained}">{title}</div>'
        f'<div class="rr-big">{percent(share, locale)}</div>'
        f'<div class="rr-small">{"<br>".join(map(escape, lines))}</div></div>'
    )


def _of(count: int, total: int, locale: str) -> str:
    return say("of", locale, count=whole(count, locale), total=whole(total, locale))


def _shares(report: Report) -> str:
    locale, total = report.locale, report.total
    shown = [Bar(say("kpi", locale, part=name), getattr(total, name), kind) for name, kind in _CLASSES]
    legend = "".join(
        f'<li title="{escape(say("explain", locale, part=name))}"><span class="rr-key rr-key-{bar.kind}"></span>'
        f"{escape(labelled(bar.label, counted(bar.number, total.total_responses, locale), locale))}</li>"
        for (name, _), bar in zip(_CLASSES, shown, strict=True)
    )
    plot = stacked(say("section", locale, part="shares"), shown, locale)
    return _section(report, "shares", f'{plot}<ul class="rr-legend">{legend}</ul>')


def _histogram(report: Report) -> str:
    locale, counts = report.locale, report.total.histogram
    if not any(counts):
        return _section(report, "histogram", f"<p>{escape(say('no_scores', locale))}</p>")
    rows = [
        (f"{percent(i / len(counts), locale)} – {percent((i + 1) / len(counts), locale)}", whole(count, locale))
        for i, count in enumerate(counts)
        if count
    ]
    table = _table(locale, ("score", "count"), rows, numeric=(1,))
    plot = histogram(say("section", locale, part="histogram"), counts, locale)
    return _section(report, "histogram", plot + _details(table, locale))


def _alerts(report: Report) -> str:
    locale, total = report.locale, report.total_responses
    if not report.alerts:
        return _section(report, "alerts", f"<p>{escape(say('no_alerts', locale))}</p>")
    ordered = sorted(report.alerts.items(), key=lambda item: _RANKS[severity(item[0])])
    shown = [Bar(alert_label(code, locale), count, severity(code)) for code, count in ordered]
    rows = []
    for code, count in ordered:
        word = _severity_word(severity(code), locale)
        # One meaning for many responses: what differs between them stands in each response's own alert.
        meaning = messages.text("alerts", code, locale, part="meaning", reason="…", count=2) if code in SEVERITY else ""
        rows.append(
            (alert_label(code, locale), _Html(f'<span class="rr-sev-{severity(code)}">{word}</span>'),
             whole(count, locale), percent(count / total, locale), meaning)
        )  # fmt: skip
    table = _table(locale, ("alert", "severity", "count", "share", "meaning"), rows, numeric=(2, 3))
    keys = "".join(
        f'<li><span class="rr-key rr-key-{kind}"></span>{_severity_word(name, locale)}</li>'
        for name, kind in (("error", "weak"), ("warning", "partial"), ("info", "info"))
        if any(bar.kind == name for bar in shown)
    )
    plot = bars(say("section", locale, part="alerts"), shown, total, locale)
    return _section(report, "alerts", f'{plot}<ul class="rr-legend">{keys}</ul>{_details(table, locale)}')


def _groups(report: Report) -> str:
    locale = report.locale
    scored = [part for part in report.parts if part.tally.scored]
    plot = ""
    if 0 < len(scored) <= _MOST_DRAWN:
        plot = intervals(
            f"{say('section', locale, part='groups')}: {say('kpi', locale, part='mean_traceability')}",
            [
                Point(label(part.labels, locale), part.tally.mean_traceability or 0.0, pair)
                for part in scored
                if (pair := part.tally.intervals["mean_traceability"])
            ],
            locale,
        )
    optional = ("unscored", "invalid_citations", "quotes_not_found", "errors")
    names = ("fully_cited", "weakly_cited", *(name for name in optional if getattr(report.total, name)))
    head = [say("column", locale, part="group"), say("kpi", locale, part="total_responses")]
    head += [say("kpi", locale, part="mean_traceability"), say("column", locale, part="interval")]
    head += [say("kpi", locale, part=name) for name in names]
    rows = [
        (
            label(part.labels, locale),
            whole(part.tally.total_responses, locale),
            percent(part.tally.mean_traceability, locale),
            interval(part.tally.intervals["mean_traceability"], locale),
            *(percent(getattr(part.tally, name) / part.tally.total_responses, locale) for name in names),
        )
        for part in report.parts
    ]
    return _section(report, "groups", plot + _table_of(head, rows, numeric=range(1, len(head))))


def _comparisons(report: Report) -> str:
    locale = report.locale
    reason = why_not_compared(report)
    if reason:
        return _section(report, "comparisons", f"<p>{escape(reason)}</p>")
    ranked = sorted(report.comparisons, key=lambda comparison: comparison.adjusted_p)
    rows = [_comparison(comparison, locale) for comparison in ranked]
    names = ("group", "outcome", "values", "difference", "range", "verdict", "chance", "basis")
    tables = _table(locale, names, rows[:_MOST_COMPARED], numeric=(2, 3, 4, 6))
    if rest := rows[_MOST_COMPARED:]:
        more = escape(say("more", locale, count=len(rest), number=whole(len(rest), locale)))
        tables += f"<details><summary>{more}</summary>{_table(locale, names, rest, numeric=(2, 3, 4, 6))}</details>"
    return _section(report, "comparisons", f'{tables}<p class="rr-note">{escape(significance_note(locale))}</p>')


def _comparison(comparison: Comparison, locale: str) -> tuple[str, ...]:
    return (
        f"{label(comparison.first, locale)} → {label(comparison.second, locale)}",
        say("outcome", locale, part=comparison.outcome),
        f"{percent(comparison.first_value, locale)} → {percent(comparison.second_value, locale)}",
        points(comparison.difference, locale),
        say("points_interval", locale, low=signed(comparison.low, locale), high=signed(comparison.high, locale)),
        _verdict(comparison, locale),
        probability(comparison.adjusted_p, locale),
        basis(comparison, locale),
    )


def _verdict(comparison: Comparison, locale: str) -> _Html:
    words = escape(verdict(comparison, locale))
    if not comparison.different:
        return _Html(words)
    better = (comparison.difference > 0) == (comparison.outcome == "mean_traceability")
    return _Html(f'<span class="rr-{"better" if better else "worse"}">{words}</span>')


def _worst(report: Report) -> str:
    """The first rows to look at, when the report has its rows and there is anything wrong with them."""
    if report.frame is None:
        return ""
    locale = report.locale
    rows = _worst_rows(report, report.worst(WORST))
    if not rows:
        return _section(report, "worst", f"<p>{escape(say('no_worst', locale))}</p>")
    names = ["row", *(["group"] if report.by else []), "score", "alert", *(["question"] if report.pair_on else [])]
    return _section(report, "worst", _table(locale, names, rows, numeric=(names.index("score"),)))


def _worst_rows(report: Report, frame: pd.DataFrame) -> list[tuple[str, ...]]:
    """Cells of the rows that have a warning, an error or a score below 1."""
    locale, prefix = report.locale, report.prefix
    names = [prefix + name for name in ("traceability_score", "cite_alerts", "cite_error")]
    columns = [frame[name].astype(object).tolist() for name in (*names, *report.by)]
    questions = frame[report.pair_on].astype(object).tolist() if report.pair_on else [""] * len(frame)
    rows = []
    for index, question, values in zip(frame.index, questions, zip(*columns, strict=True), strict=True):
        score, cell, error, *group = (None if _missing(value) else value for value in values)
        codes = sorted(alert_codes(cell or ""), key=lambda code: (_RANKS[severity(code)], code))
        if error is None and (score is None or score == 1) and all(severity(code) == "info" for code in codes):
            continue
        found = ", ".join(alert_label(code, locale) for code in codes)
        if error is not None:
            found = say("unread", locale, reason=_cut(str(error)))
        cells = [str(index)]
        if report.by:
            cells.append(label(dict(zip(report.by, group, strict=True)), locale))
        cells += [percent(score, locale), found]
        if report.pair_on:
            cells.append("" if _missing(question) else _cut(str(question)))
        rows.append(tuple(cells))
    return rows


def _missing(value: Any) -> bool:
    return value is None or (pd.api.types.is_scalar(value) and bool(pd.isna(value)))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _figures(report: Report) -> str:
    """Every count, closed at first."""
    locale, total = report.locale, report.total
    rows = [
        (say("kpi", locale, part=name), whole(getattr(total, name), locale),
         percent(getattr(total, name) / total.total_responses, locale),
         interval(wilson(getattr(total, name), total.total_responses), locale))
        for name in COUNTS
    ]  # fmt: skip
    rows += [
        (say("kpi", locale, part=name), whole(getattr(total, name), locale), "", "")
        for name in ("quotes", "unused_sources", "user_verifications")
    ]
    table = _table(locale, ("measure", "count", "share", "interval"), rows, numeric=(1, 2, 3))
    title = escape(say("section", locale, part="figures"))
    return f"<section><details><summary>{title}</summary>{table}</details></section>"


def _details(table: str, locale: str) -> str:
    return f"<details><summary>{escape(say('text_alternative', locale))}</summary>{table}</details>"


def _table(locale: str, names: Sequence[str], rows: Sequence[Sequence[str]], numeric: Collection[int]) -> str:
    return _table_of([say("column", locale, part=name) for name in names], rows, numeric)


def _table_of(head: Sequence[str], rows: Sequence[Sequence[str]], numeric: Collection[int]) -> str:
    """A table whose first column names its rows; the columns ``numeric`` are set to the right."""

    def attribute(column: int) -> str:
        return ' class="rr-n"' if column in numeric else ' class="rr-text"' if column else ""

    cells = "".join(f'<th scope="col"{attribute(i)}>{escape(name)}</th>' for i, name in enumerate(head))
    lines = "".join(
        "<tr>"
        + "".join(
            f'<th scope="row" class="rr-text">{_escaped(cell)}</th>'
            if i == 0
            else f"<td{attribute(i)}>{_escaped(cell)}</td>"
            for i, cell in enumerate(row)
        )
        + "</tr>"
        for row in rows
    )
    return f'<div class="rr-scroll"><table><thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table></div>'


class _Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def _escaped(cell: str) -> str:
    return cell if isinstance(cell, _Html) else escape(cell)
