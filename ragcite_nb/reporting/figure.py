"""A report as a matplotlib figure, for papers and dashboards; matplotlib is an optional dependency."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragcite_nb import messages
from ragcite_nb.reporting.tally import BINS
from ragcite_nb.reporting.text import alert_label, heading, label, labelled, say
from ragcite_nb.score import SEVERITY

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ragcite_nb.report import Report

_COLOURS = {"error": "#b83232", "warning": "#b7791f", "info": "#3a6ea5"}


def figure(report: Report) -> Figure:
    """Histogram of traceability, alerts, and with groups their means with intervals, side by side.

    Raises:
        ImportError: when matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure as NewFigure
    except ImportError as error:
        raise ImportError(
            "Report.plot() needs matplotlib: pip install 'ragcite_nb[plot]'. "
            "Report.to_html() has the same plots without it."
        ) from error
    locale = report.locale
    panels = 3 if report.by and report.parts else 2
    # Made without pyplot: nothing is registered globally, and a notebook shows the returned figure once.
    drawn = NewFigure(figsize=(5.2 * panels, 4.2), layout="constrained")
    axes = drawn.subplots(1, panels)
    _histogram(axes[0], report)
    _alerts(axes[1], report)
    if panels == 3:
        _groups(axes[2], report)
    drawn.suptitle(labelled(say("title", locale), heading(report), locale))
    drawn.supxlabel(messages.text("view", "caveat", locale), fontsize="small", color="0.35")
    return drawn


def _histogram(axis: Any, report: Report) -> None:
    edges = [i / BINS for i in range(BINS)]
    colours = [_COLOURS["error"] if e < 0.5 else _COLOURS["warning"] if e < 0.9 else "#1f7a5c" for e in edges]
    axis.bar(edges, report.total.histogram, width=1 / BINS, align="edge", color=colours, edgecolor="white")
    axis.set_title(say("section", report.locale, part="histogram"))
    axis.set_xlabel(say("axis", report.locale, part="traceability"))
    axis.set_ylabel(say("axis", report.locale, part="responses"))
    axis.set_xlim(0, 1)


def _alerts(axis: Any, report: Report) -> None:
    codes = list(report.alerts)[::-1]  # matplotlib draws from the bottom
    colours = [_COLOURS[SEVERITY.get(code, "info")] for code in codes]
    axis.barh([alert_label(code, report.locale) for code in codes], [report.alerts[c] for c in codes], color=colours)
    axis.set_title(say("section", report.locale, part="alerts"))
    axis.set_xlabel(say("axis", report.locale, part="responses"))


def _groups(axis: Any, report: Report) -> None:
    scored = [part for part in report.parts if part.tally.scored][::-1]
    for row, part in enumerate(scored):
        mean, pair = part.tally.mean_traceability, part.tally.intervals["mean_traceability"]
        axis.plot(pair, (row, row), color=_COLOURS["info"], linewidth=2)
        axis.plot((mean,), (row,), "o", color=_COLOURS["info"])
    axis.set_yticks(range(len(scored)), [label(part.labels, report.locale) for part in scored])
    axis.set_ylim(-0.7, len(scored) - 0.3)
    axis.set_title(say("kpi", report.locale, part="mean_traceability"))
