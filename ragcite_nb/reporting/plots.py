"""The plots of a report as inline SVG: no script, no font, no network; colours come from the page's style.

Every plot carries a title and a description that says in words what it shows, and colour never carries a meaning alone.
"""

from __future__ import annotations

import hashlib
import math
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from ragcite_nb import messages
from ragcite_nb.reporting.numerals import counted, percent, whole
from ragcite_nb.score import FULLY, WEAK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragcite_nb.reporting.intervals import Interval

WIDTH = 560
"""Width of every plot in its own units; pages scale it down where there is less room."""


class Bar(NamedTuple):
    """One bar: its label, its number of responses, and the class that colours it."""

    label: str
    number: int
    kind: str


class Point(NamedTuple):
    """One group: its label, its value and the interval around it."""

    label: str
    value: float
    interval: Interval


def stacked(title: str, bars: Sequence[Bar], locale: str) -> str:
    """Parts of a whole as one bar; the numbers of narrow parts are left to a legend beside it."""
    total = sum(bar.number for bar in bars)
    parts, left = [], 0.0
    for bar in bars:
        width = WIDTH * bar.number / total
        parts.append(_rect(bar.kind, left, 0, width, 34))
        if left and width:
            parts.append(_line("gap", left, 0, left, 34))
        if width > 60:
            parts.append(_text("on", left + width / 2, 22, percent(bar.number / total, locale), "middle"))
        left += width
    words = "; ".join(f"{bar.label}: {counted(bar.number, total, locale)}" for bar in bars)
    return _svg(title, messages.text("report", "describe", locale, part="shares", parts=words), 34, parts)


def histogram(title: str, counts: Sequence[int], locale: str) -> str:
    """Scores from 0 to 1 in equal steps, coloured by the class of the response."""
    highest = max(counts)
    left, top, height = 8, 22, 150
    width, bottom = WIDTH - 2 * left, top + height
    step = width / len(counts)
    parts = [_line("axis", left, bottom, WIDTH - left, bottom)]
    for i, count in enumerate(counts):
        if not count:
            continue
        tall = max(1.5, height * count / highest)
        low, x = i / len(counts), left + i * step
        kind = "full" if low >= FULLY else "partial" if low >= WEAK else "weak"
        parts.append(_rect(kind, x + 1, bottom - tall, step - 2, tall))
        parts.append(_text("count", x + step / 2, bottom - tall - 5, _short(count, locale), "middle"))
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        x = left + share * width
        parts.append(_line("axis", x, bottom, x, bottom + 5))
        anchor = "start" if share == 0 else "end" if share == 1 else "middle"
        parts.append(_text("tick", x, bottom + 20, percent(share, locale), anchor))
    axis = messages.text("report", "axis", locale, part="traceability")
    parts.append(_text("tick", WIDTH / 2, bottom + 40, axis, "middle"))
    words = messages.text(
        "report",
        "describe",
        locale,
        part="histogram",
        number=whole(sum(counts), locale),
        top=whole(counts[-1], locale),
        low=whole(sum(counts[: len(counts) // 2]), locale),
    )
    return _svg(title, words, bottom + 48, parts)


def bars(title: str, shown: Sequence[Bar], total: int, locale: str) -> str:
    """Counts as horizontal bars, each with its number and its share of all responses."""
    longest = max(bar.number for bar in shown)
    left, right, row = 224, 96, 26
    parts = []
    for i, bar in enumerate(shown):
        y = i * row
        long = max(2.0, (WIDTH - left - right) * bar.number / longest)
        parts.append(_text("label", left - 10, y + 17, _cut(bar.label, 34), "end"))
        parts.append(_rect(bar.kind, left, y + 4, long, row - 8))
        parts.append(_text("tick", left + long + 6, y + 17, counted(bar.number, total, locale)))
    words = "; ".join(f"{bar.label}: {whole(bar.number, locale)}" for bar in shown)
    return _svg(title, messages.text("report", "describe", locale, part="alerts", parts=words), len(shown) * row, parts)


def intervals(title: str, points: Sequence[Point], locale: str) -> str:
    """A point with its interval per group, on one axis that is cut to what is shown."""
    left, right, row = 196, 56, 30
    # In tenths, so that the axis begins and ends on a labelled line.
    first = math.floor(min(point.interval[0] for point in points) * 10)
    last = max(math.ceil(max(point.interval[1] for point in points) * 10), first + 1)

    def x(value: float) -> float:
        return left + (WIDTH - left - right) * (value * 10 - first) / (last - first)

    bottom = len(points) * row
    parts = []
    for tenth in range(first, last + 1, 1 if last - first <= 5 else 2):
        at = x(tenth / 10)
        parts.append(_line("grid", at, 0, at, bottom))
        parts.append(_text("tick", at, bottom + 16, percent(tenth / 10, locale), "middle"))
    words = []
    for i, (label, value, (low, high)) in enumerate(points):
        y = i * row + row / 2
        parts.append(_text("label", left - 12, y + 5, _cut(label, 25), "end"))
        parts.append(_line("range", x(low), y, x(high), y))
        parts.append(f'<circle class="rr-point" cx="{x(value):.1f}" cy="{y:.1f}" r="5"/>')
        parts.append(_text("value", WIDTH, y + 5, percent(value, locale), "end"))
        span = messages.text("report", "interval", locale, low=percent(low, locale), high=percent(high, locale))
        words.append(f"{label}: {percent(value, locale)} ({span})")
    described = messages.text("report", "describe", locale, part="groups", parts="; ".join(words))
    return _svg(title, described, bottom + 22, parts)


def _rect(kind: str, x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="rr-{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="rr-{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(kind: str, x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text class="rr-{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(title: str, description: str, height: float, parts: Sequence[str]) -> str:
    body = "".join(parts)
    # Ids must differ between plots of one page and stay the same from run to run, so that notebooks do not change.
    name = "rr-" + hashlib.blake2b((title + description + body).encode(), digest_size=6).hexdigest()
    return (
        f'<svg class="rr-plot" viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-labelledby="{name}-t {name}-d">'
        f'<title id="{name}-t">{escape(title)}</title><desc id="{name}-d">{escape(description)}</desc>{body}</svg>'
    )


def _cut(label: str, most: int) -> str:
    return label if len(label) <= most else label[: most - 1] + "…"


def _short(count: int, locale: str) -> str:
    """A count that fits on a bar: 12345 is 12k."""
    return whole(count, locale) if count < 10_000 else f"{whole(count // 1000, locale)}k"
