"""The view as static HTML: no script, no request, and still readable where styles, ids and classes are stripped.

``<details>`` carries the evidence, ``<mark>`` the passages, ``<table>`` and ``<ol>`` the rest; style only adds to that.
Everything but the answer, which :mod:`.markdown` has rendered, is escaped here.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragcite_nb.display.view import build_view

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from os import PathLike

    from ragcite_nb.models import CheckResult

STATIC = Path(__file__).parent / "static"
_PLACEHOLDER = re.compile(r'<(span|div) data-ragcite-(?:badge|panels)="([\d ]*)"></\1>')
_PAGE_STYLE = """
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; background: light-dark(#fff, #0e1013); }
"""


def fragment(result: CheckResult, locale: str | None = None) -> str:
    """HTML to put into a page or a notebook's output; ids are new at every call.

    >>> import ragcite_nb as rc
    >>> html = fragment(rc.check("Dogs are free [1].", ["Dogs travel free."]))
    >>> "<script" in html, html.count("<details")
    (False, 3)
    """
    return section(build_view(result, locale))


def page(result: CheckResult, locale: str | None = None) -> str:
    """A whole page that makes no request; its content security policy forbids everything but its own style.

    >>> import ragcite_nb as rc
    >>> page(rc.check("Dogs are free [1].", ["Dogs travel free."])).startswith("<!doctype html>")
    True
    """
    view = build_view(result, locale)
    return document(view["title"], view["locale"], section(view, style=False))


def write(html: str, path: str | PathLike[str] | None) -> str:
    """Write ``html`` to ``path`` if one is given; return ``html``."""
    if path is not None:
        Path(path).write_text(html, encoding="utf-8")
    return html


def document(title: str, locale: str, body: str, style: str = "") -> str:
    """A page around ``body``, which must hold no script and no inline style.

    >>> "default-src 'none'" in document("Title", "en", "<p>Text</p>")
    True
    """
    css = f"{stylesheet()}{_PAGE_STYLE}{style}"
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        f'<!doctype html>\n<html lang="{escape(locale)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(title)}</title>\n<style>{css}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


@cache
def stylesheet() -> str:
    """The style that the static view and the widget share; every rule is scoped to ``.ragcite``."""
    return (STATIC / "widget.css").read_text(encoding="utf-8")


def section(view: dict[str, Any], *, style: bool = True) -> str:
    """The view as one ``<section>``, by default with its style inside."""
    draw = _Drawer(view)
    parts = [
        f'<section class="ragcite" lang="{escape(view["locale"])}" aria-label="{escape(view["title"])}">',
        f"<style>{stylesheet()}</style>" if style else "",
        draw.kpis(),
        draw.alerts(),
        draw.answer(),
        draw.citations(),
        draw.sources(),
        draw.references(),
        f'<div class="ragcite-foot"><p>{escape(view["reading"])}</p><p>{escape(view["caveat"])}</p></div>',
        "</section>",
    ]
    return "\n".join(part for part in parts if part)


class _Drawer:
    def __init__(self, view: dict[str, Any]) -> None:
        self.view = view
        self.labels = view["labels"]
        self.sources_by_index = {source["index"]: source for source in view["sources"]}
        self.uid = f"ragcite-{secrets.token_hex(4)}"

    def kpis(self) -> str:
        items = (
            f'<li class="ragcite-{kpi["tone"]}"><strong>{escape(kpi["value"])}</strong> {escape(kpi["label"])}</li>'
            for kpi in self.view["kpis"]
        )
        return f'<ul class="ragcite-kpis">{"".join(items)}</ul>'

    def alerts(self) -> str:
        items = (
            f'<li class="ragcite-{alert["severity"]}"><details>'
            f"<summary><strong>{escape(alert['severity_text'])}</strong> {_isolated(alert['message'])}</summary>"
            f"<p>{escape(alert['meaning'])}</p></details></li>"
            for alert in self.view["alerts"]
        )
        title = escape(self.labels["alerts"])
        return _unless_empty(f'<ul class="ragcite-alerts" aria-label="{title}">', items, "</ul>")

    def answer(self) -> str:
        answer = self.view["answer"]
        none = f'<p class="ragcite-muted">{escape(self.labels["no_answer"])}</p>' if answer["empty"] else ""
        lang = f' lang="{escape(answer["lang"])}"' if answer["lang"] else ""
        return f'<div class="ragcite-answer"{lang}>\n{none}{_PLACEHOLDER.sub(self._fill, answer["html"])}</div>'

    def _fill(self, placeholder: re.Match[str]) -> str:
        badges = [self.view["badges"][int(number)] for number in placeholder[2].split()]
        if placeholder[1] == "span":
            return "".join(map(self._badge, badges))
        locale = escape(self.view["locale"])
        return f'<div class="ragcite-panels" lang="{locale}">{"".join(map(self._panel, badges))}</div>'

    def _badge(self, badge: dict[str, Any]) -> str:
        symbol = f" {badge['symbol']}" if badge["symbol"] else ""
        name = escape(badge["name"])
        return (
            f'<bdi class="ragcite-badge ragcite-{badge["tone"]}">'
            f'<a href="#{self.uid}-{badge["index"]}" aria-label="{name}" title="{name}">'
            f"{escape(badge['label'])}{symbol}</a></bdi>"
        )

    def _panel(self, badge: dict[str, Any]) -> str:
        citations = [self.view["citations"][i] for i in badge["citations"]]
        titles = ", ".join(dict.fromkeys(c["title"] for c in citations if c["source"] is not None))
        words = " · ".join(dict.fromkeys(c["state_text"] for c in citations)) or badge["explain"]
        head = " ".join(filter(None, [badge["symbol"], f"{escape(titles)}:" if titles else "", escape(words)]))
        several = len(citations) > 1
        body = (
            "".join(self.evidence(citation, several=several) for citation in citations)
            or f"<p>{escape(badge['explain'])}</p>"
        )
        return (
            f'<details class="ragcite-panel ragcite-{badge["tone"]}">'
            f"<summary><bdi>{escape(badge['label'])}</bdi> {head}</summary>"
            f'<div class="ragcite-panel-body" id="{self.uid}-{badge["index"]}">{body}</div></details>'
        )

    def evidence(self, citation: dict[str, Any], *, several: bool) -> str:
        """What there is to say of one citation: its source, its quotes, the passage; which it is, among several."""
        parts = []
        if citation["source"] is not None:
            parts.append(self._source_line(self.sources_by_index[citation["source"]], citation["locator"]))
        elif several:
            parts.append(f"<p><bdi>{escape(citation['reference'])}</bdi></p>")
        if not citation["quotes"] or citation["source"] is None:
            parts.append(f"<p>{_state(citation)}. {escape(citation['explain'])}</p>")
        parts += map(self._quote, citation["quotes"])
        if citation["source"] is not None:
            parts.append(self._excerpt(citation["excerpt"]))
        if citation["others"]:
            parts.append(f"<p>{escape(citation['others_title'])}</p>")
        for other in citation["others"]:
            parts.append(
                f"<p><bdi><strong>{escape(other['title'])}</strong></bdi></p>{self._excerpt(other['excerpt'])}"
            )
        if citation["verified"]:
            parts.append(f"<p><strong>{escape(citation['verified'])}</strong></p>")
        return f'<div class="ragcite-evidence">{"".join(parts)}</div>'

    def _quote(self, quote: dict[str, Any]) -> str:
        labels = self.labels
        html = f'<p>{_state(quote)}: <q dir="auto">{escape(quote["text"])}</q></p>'
        if quote["tone"] != "good":
            html += f'<p class="ragcite-muted">{escape(quote["explain"])}</p>'
        if quote["source_says"]:
            html += f'<p>{escape(labels["source_says"])}: <q dir="auto">{escape(quote["source_says"])}</q></p>'
        if quote["excerpt"] is not None:
            html += f"<p>{escape(quote['elsewhere'])}</p>{self._excerpt(quote['excerpt'])}"
        return html

    def _excerpt(self, number: int | None) -> str:
        if number is None:
            return f'<p class="ragcite-muted">{escape(self.labels["no_text"])}</p>'
        text = "".join(_segment(text, kind) for text, kind in self.view["excerpts"][number]["segments"])
        return f'<blockquote dir="auto">{text}</blockquote>'

    def _source_line(self, source: dict[str, Any], locator: str = "") -> str:
        parts = [f"<bdi>[{escape(source['number'])}] <strong>{escape(source['title'])}</strong></bdi>"]
        details = [*source["details"], *([locator] if locator else [])]
        if details:
            parts.append(f'<bdi class="ragcite-muted">{escape(" · ".join(details))}</bdi>')
        if source["confidence"]:
            level, text = source["confidence"]["level"], source["confidence"]["text"]
            level = "fine" if level == "good" else level
            parts.append(f'<span class="ragcite-confidence ragcite-{level}">{escape(text)}</span>')
        if source["url"]:
            parts.append(
                f'<a href="{escape(source["url"])}" rel="noopener noreferrer nofollow" target="_blank" '
                f'title="{escape(source["url"])}">{escape(self.labels["open_link"])}</a>'
            )
        return f"<p>{' '.join(parts)}</p>"

    def citations(self) -> str:
        view, labels = self.view, self.labels
        if not view["citations"]:
            return ""
        heads = "".join(
            f'<th scope="col">{escape(text)}</th>' for text in (labels["citation"], labels["excerpt"], labels["result"])
        )
        more = f"<p>{escape(view['citations_more'])}</p>" if view["citations_more"] else ""
        rows = "".join(map(self._row, view["citations"]))
        table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{more}"
        return _folded(f"{labels['citations']} ({len(view['citations'])})", table)

    def _row(self, citation: dict[str, Any]) -> str:
        label = "" if citation["badge"] is None else self.view["badges"][citation["badge"]]["label"]
        details: Iterable[str] = ()
        if citation["source"] is not None:
            source = self.sources_by_index[citation["source"]]
            details = (*source["details"], *filter(None, [citation["locator"]]))
        about = f'<bdi>{escape(citation["title"])}</bdi> <bdi class="ragcite-muted">{escape(" · ".join(details))}</bdi>'
        quotes = "".join(f'<br><q dir="auto">{escape(quote["text"])}</q>' for quote in citation["quotes"])
        verified = f"<br>{escape(citation['verified'])}" if citation["verified"] else ""
        return (
            f"<tr><td>{escape(citation['number'])} <bdi>{escape(label)}</bdi></td><td>{about}{quotes}</td>"
            f"<td>{_state(citation)}{verified}</td></tr>"
        )

    def sources(self) -> str:
        view, labels = self.view, self.labels
        if not view["sources"]:
            return ""
        items = (
            f'<li>{self._source_line(source)}<p class="ragcite-muted">{escape(source["times_text"])}</p>'
            f"{self._excerpt(source['excerpt'])}</li>"
            for source in view["sources"]
        )
        more = f"<p>{escape(view['sources_more'])}</p>" if view["sources_more"] else ""
        listed = f'<ul class="ragcite-sources">{"".join(items)}</ul>{more}'
        return _folded(f"{labels['sources']} ({view['sources_total']})", listed)

    def references(self) -> str:
        items = (
            f"<li><bdi>{escape(entry['label'])}</bdi>: {escape(entry['text'])}</li>"
            for entry in self.view["reference_list"]
        )
        listed = _unless_empty("<ul>", items, "</ul>")
        return _folded(self.labels["reference_list"], listed) if listed else ""


def _folded(title: str, body: str) -> str:
    return f'<details class="ragcite-section"><summary>{escape(title)}</summary>{body}</details>'


def _state(item: dict[str, Any]) -> str:
    symbol = f"{item['symbol']} " if item["symbol"] else ""
    return f'<span class="ragcite-state ragcite-{item["tone"]}">{symbol}{escape(item["state_text"])}</span>'


_SEGMENTS: dict[str, Callable[[str], str]] = {
    "": str,
    "found": "<mark>{}</mark>".format,
    "near": '<mark class="ragcite-near">{}</mark>'.format,
    "gap": ' <span class="ragcite-gap">{}</span> '.format,
}


def _segment(text: str, kind: str) -> str:
    return _SEGMENTS[kind](escape(text))


def _isolated(text: str) -> str:
    """Text that quotes others: its direction is its own."""
    return f"<bdi>{escape(text)}</bdi>"


def _unless_empty(opening: str, items: Iterable[str], closing: str) -> str:
    inside = "".join(items)
    return f"{opening}{inside}{closing}" if inside else ""
