"""The view as a short plain text, for ``print`` and for consoles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragcite_nb.display.view import build_view

if TYPE_CHECKING:
    from ragcite_nb.models import CheckResult

_MOST_LINES = 20


def summary(result: CheckResult, locale: str | None = None) -> str:
    """Figures, alerts, citations and how things were read.

    >>> import ragcite_nb as rc
    >>> print(summary(rc.check("Dogs are free [1].", ["Dogs travel free."])))
    Checked answer: traceability 100% · 1 of 1 claims with a valid citation · 0 uncited · 1 citation · 0 invalid
    1 source (strings); answer read as plain text
    Citations
      #1 [1] Source 1: source exists, no quote to check
    A match of numbers, names and quotes does not make an answer right: ...
    """
    view = build_view(result, locale)
    score, *counts = view["kpis"]
    figures = " · ".join([f"{score['label']} {score['value']}", *(f"{kpi['value']} {kpi['label']}" for kpi in counts)])
    colon, before, after = _TYPOGRAPHY[view["locale"]]
    lines = [f"{view['title']}{colon} {figures}", view["reading"]]
    lines += [f"{alert['severity_text']}{colon} {alert['message']}" for alert in view["alerts"][:_MOST_LINES]]
    citations = view["citations"]
    if citations:
        lines.append(view["labels"]["citations"])
    for citation in citations[:_MOST_LINES]:
        label = "" if citation["badge"] is None else f" {view['badges'][citation['badge']]['label']}"
        mark = f"{citation['symbol']} " if citation["symbol"] else ""
        quotes = "".join(f" {before}{_start(quote['text'])}{after}" for quote in citation["quotes"])
        lines.append(f"  {citation['number']}{label} {citation['title']}{colon} {mark}{citation['state_text']}{quotes}")
    if len(citations) > _MOST_LINES:
        lines.append("  …")
    lines.append(view["caveat"])
    return "\n".join(lines)


_TYPOGRAPHY = {"en": (":", "“", "”"), "fr": (" :", "« ", " »"), "de": (":", "„", "“")}
"""By language: the colon, and the marks around a quotation."""


def _start(text: str, length: int = 80) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"
