"""The view: everything that a display of one result shows, in words, as plain JSON data.

:mod:`.html`, :mod:`.text` and the widget draw this and nothing else, so they cannot tell different stories. All texts
are in one locale; HTML is only in ``answer["html"]``, everything else is text that the drawer escapes.

Sources are referred to by position in ``sources`` of the result (``index``), excerpts, badges and citations by position
in their own lists. A badge stands for one marker, or for one citation without a marker, and lists its citations.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from ragcite_nb import messages
from ragcite_nb.display import markdown, state
from ragcite_nb.display.excerpt import ROOM, Span, excerpt
from ragcite_nb.display.neighbourhood import Neighbourhood
from ragcite_nb.display.words import Words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ragcite_nb.models import CheckResult, Citation, Marker, QuoteCheck, Source

SCHEMA_VERSION = 1
"""Version of the shape that :func:`build_view` returns."""

MAX_BADGES = 1_000
"""More marks stay plain text: a page with more buttons helps nobody and takes minutes to draw."""

MAX_SOURCES = 200
"""Of more sources only the cited ones are listed."""

LABEL_LENGTH = 40
TEXT_LENGTH = 1_200

_JSON_FORMS = ("json", "rich")  # the names say already that the citations are JSON
_CONFIDENCE = ((0.9, "high"), (0.7, "good"), (0.5, "moderate"), (0.0, "low"))
_RETRIEVAL_SCORES = ("score", "retrieval_score", "relevance_score", "similarity", "similarity_score", "relevance")


_LABELS = (
    *("alerts", "citations", "citation", "sources", "result", "excerpt", "source_says", "no_text"),
    *("reference_list", "open_link", "close", "expand_all", "collapse_all", "copy", "copied", "copy_failed"),
    *("verify", "no_answer"),
)


def build_view(result: CheckResult, locale: str | None = None) -> dict[str, Any]:
    """The view of ``result`` in ``locale``, by default that of its messages.

    >>> import ragcite_nb as rc
    >>> view = build_view(rc.check("Dogs are free [1].", ["Dogs travel free."]))
    >>> view["badges"][0]["name"]
    'Source 1, source exists, no quote to check'
    """
    view: dict[str, Any] = _cleaned(_Builder(result, Words(locale or result.locale)).build())
    return view


def confidence_level(confidence: float) -> str:
    """``"high"``, ``"good"``, ``"moderate"`` or ``"low"``.

    >>> confidence_level(0.9), confidence_level(0.4999)
    ('high', 'low')
    """
    return next((level for least, level in _CONFIDENCE if confidence >= least), "low")


class _Builder:
    def __init__(self, result: CheckResult, say: Words) -> None:
        self.result = result
        self.say = say
        self.excerpts: list[dict[str, Any]] = []
        self._excerpt_at: dict[tuple[int, tuple[Span, ...], int], int] = {}
        self._neighbourhoods: dict[int, Neighbourhood] = {}
        self.quotes_of = _quotes_by_citation(result)
        self.states = [state.of_citation(c, self.quotes_of[i]) for i, c in enumerate(result.citations)]
        self.badge_of: dict[int, int] = {}

    def build(self) -> dict[str, Any]:
        result, say = self.result, self.say
        html, badges = self._answer()
        shown = range(min(len(result.citations), MAX_BADGES))
        citations = [self._citation(i) for i in shown]
        sources = self._sources()
        return {
            "schema_version": SCHEMA_VERSION,
            "locale": say.locale,
            "title": say("title"),
            "reading": self._reading(),
            "kpis": self._kpis(),
            "alerts": [self._alert(alert.code, alert.severity, alert.params) for alert in result.alerts],
            "answer": {"html": html, "lang": _language(result.language), "empty": not result.text.strip()},
            "badges": badges,
            "citations": citations,
            "citations_more": self._more("more_citations", len(result.citations) - len(citations)),
            "excerpts": self.excerpts,
            "sources": sources,
            "sources_total": len(result.sources),
            "sources_more": self._more("more_sources", len(result.sources) - len(sources)),
            "reference_list": [
                {
                    "label": _short(entry.label, LABEL_LENGTH * 3),
                    "source": entry.source,
                    "status": entry.status,
                    "text": say("reference", entry.status),
                }
                for entry in result.reference_list[:MAX_SOURCES]
            ],
            "copy_text": self._copy_text(),
            "caveat": say("caveat"),
            "labels": self._labels(),
        }

    # ------------------------------------------------------------------------------------------ the answer

    def _answer(self) -> tuple[str, list[dict[str, Any]]]:
        result = self.result
        ordered: list[tuple[int, int, Marker | None, int]] = [
            (marker.start, 0, marker, i) for i, marker in enumerate(result.markers)
        ]
        ordered += [
            (citation.end, 1, None, i)
            for i, citation in enumerate(result.citations)
            if citation.marker is None and citation.end is not None
        ]
        ordered.sort(key=lambda item: (item[0], item[1], item[3]))
        badges: list[dict[str, Any]] = []
        places: list[markdown.Place] = []
        hidden: list[tuple[int, int]] = []
        for _, _, marker, i in ordered[:MAX_BADGES]:
            number = len(badges)
            if marker is None:
                end = result.citations[i].end or 0
                places.append(markdown.Place(end, end, number))
                badges.append(self._citation_badge(number, i))
                continue
            start, end = marker.start, marker.end
            if marker.text_start is not None and marker.text_end is not None:
                hidden.append((start, marker.text_start))
                # The closing tag may be missing; the badge then stands behind the text.
                start = marker.text_end
            places.append(markdown.Place(start, end, number))
            badges.append(self._marker_badge(number, marker))
        last = [
            i
            for i, citation in enumerate(result.citations[:MAX_BADGES])
            if citation.marker is None and citation.end is None
        ]
        first_last = len(badges)
        badges += [self._citation_badge(first_last + offset, i) for offset, i in enumerate(last)]
        uncited = [(s.start, s.end) for s in result.uncited_sentences or ()]
        html = markdown.render(
            result.text,
            places,
            hidden,
            uncited,
            uncited_mark=self.say("uncited_mark"),
            last=range(first_last, len(badges)),
            last_title=self.say("elsewhere_in_answer"),
        )
        return html, badges

    def _marker_badge(self, number: int, marker: Marker) -> dict[str, Any]:
        if marker.kind != "citation":
            return self._badge(number, _mark(marker, ()), marker.kind, ())
        references = [self.result.citations[i].reference for i in marker.citations]
        return self._badge(number, _mark(marker, references), None, marker.citations)

    def _citation_badge(self, number: int, citation: int) -> dict[str, Any]:
        reference = self.result.citations[citation].reference.strip()
        return self._badge(number, f"[{reference or f'#{citation + 1}'}]", None, (citation,))

    def _badge(self, number: int, label: str, kind: str | None, citations: Iterable[int]) -> dict[str, Any]:
        # A marker may list thousands of numbers; what is beyond the limit is counted below the table.
        citations = [i for i in citations if i < MAX_BADGES]
        for i in citations:
            self.badge_of[i] = number
        current = kind or state.worst([self.states[i] for i in citations] or ["unknown"])
        say = self.say
        label = _short(" ".join(label.split()), LABEL_LENGTH)
        name = say("separator").join(self._spoken(i) for i in citations[:5])
        return {
            "index": number,
            "label": label,
            "state": current,
            "symbol": state.symbol(current),
            "tone": state.tone(current),
            "name": name or f"{label}: {say('state', current)}",
            "panel_name": say("panel_label", badge=label),
            "explain": "" if citations else say("explain", current),
            "citations": citations,
        }

    def _spoken(self, index: int) -> str:
        """What a screen reader says of a citation: number, source and state."""
        citation = self.result.citations[index]
        words = self.say("state", self.states[index])
        if citation.source is None:
            return f"[{_short(citation.reference, LABEL_LENGTH)}]: {words}"
        source = self.result.sources[citation.source]
        number = self.say("source", number=citation.source + self.result.options.first_number)
        name = f"{number}: {_short(source.name, LABEL_LENGTH * 2)}" if source.name else number
        return ", ".join([name, *self._place_in(source), words])

    # ------------------------------------------------------------------------------------------- citations

    def _citation(self, index: int) -> dict[str, Any]:
        citation, say = self.result.citations[index], self.say
        quotes = self.quotes_of[index]
        current = self.states[index]
        source = self._shown_source(citation, quotes)
        others, others_title = self._others(citation)
        return {
            "index": index,
            "number": f"#{index + 1}",
            "badge": self.badge_of.get(index),
            "reference": _short(citation.reference, LABEL_LENGTH * 2),
            "locator": say("detail", "locator", value=_short(citation.locator, LABEL_LENGTH))
            if citation.locator
            else "",
            "state": current,
            "symbol": state.symbol(current),
            "tone": state.tone(current),
            "state_text": self._state_text(current, quotes),
            "explain": say("explain", current),
            "source": source,
            "title": self._title(source) if source is not None else say("not_cited_text"),
            "excerpt": None if source is None else self._passages(source, quotes, self._claim(citation)),
            "quotes": [self._quote(quote, source) for quote in quotes],
            "others": others,
            "others_title": others_title,
            "verified": "",
        }

    def _state_text(self, current: str, quotes: Iterable[QuoteCheck]) -> str:
        words = self.say("state", current)
        scores = [quote.score for quote in quotes if quote.score is not None and state.of_quote(quote) == current]
        if current == "near" and scores:
            return self.say("confidence_of", level=words, percent=self.say.percent(min(scores) / 100))
        return words

    def _shown_source(self, citation: Citation, quotes: Iterable[QuoteCheck]) -> int | None:
        """Of the chunks that a valid citation fits, the one that holds its quote."""
        if citation.status != "valid":
            return None
        found = (quote.source for quote in quotes if quote.source is not None and quote.source in citation.sources)
        return next(found, citation.source)

    def _quote(self, quote: QuoteCheck, shown: int | None) -> dict[str, Any]:
        current = state.of_quote(quote)
        elsewhere = quote.source is not None and quote.source != shown
        says = ""
        if not quote.found and quote.source is not None and quote.source_start is not None:
            text = self.result.sources[quote.source].text or ""
            says = _short(text[quote.source_start : quote.source_end], TEXT_LENGTH)
        return {
            "text": _short(quote.text, TEXT_LENGTH),
            "state": current,
            "symbol": state.symbol(current),
            "tone": state.tone(current),
            "state_text": self._state_text(current, (quote,)),
            "explain": self.say("explain", current),
            "source_says": says if current != "elsewhere" else "",
            "elsewhere": self.say("found_in", source=self._numbered(quote.source))
            if elsewhere and quote.source is not None
            else "",
            "excerpt": self._passages(quote.source, (quote,)) if elsewhere and quote.source is not None else None,
        }

    def _others(self, citation: Citation) -> tuple[list[dict[str, Any]], str]:
        """Sources that a citation may have meant."""
        if citation.status == "ambiguous":
            indexes, title = list(citation.sources[:5]), self.say("candidates")
        elif citation.status == "unknown" and citation.nearest is not None:
            indexes, title = [citation.nearest], self.say("nearest")
        else:
            return [], ""
        return [{"source": i, "title": self._numbered(i), "excerpt": self._passages(i, ())} for i in indexes], title

    def _claim(self, citation: Citation) -> str:
        return "" if citation.sentence is None else self.result.sentences[citation.sentence].text

    def _passages(self, source: int, quotes: Iterable[QuoteCheck], claim: str = "") -> int | None:
        """The excerpt of ``source`` with the passages of ``quotes`` marked; ``None`` for a source without text.

        Without passages it is the part that has most words of ``claim``.
        """
        text = self.result.sources[source].text
        if not text:
            return None
        spans: tuple[Span, ...] = tuple(
            (quote.source_start, quote.source_end, "found" if quote.found or quote.status == "elsewhere" else "near")
            for quote in quotes
            if quote.source == source and quote.source_start is not None and quote.source_end is not None
        )
        start = 0
        if claim and not spans and len(text) > ROOM:
            if source not in self._neighbourhoods:
                self._neighbourhoods[source] = Neighbourhood(text)
            start = self._neighbourhoods[source].start(claim, ROOM)
        key = (source, spans, start)
        if key not in self._excerpt_at:
            self._excerpt_at[key] = len(self.excerpts)
            self.excerpts.append({"source": source, "segments": excerpt(text, spans, start)})
        return self._excerpt_at[key]

    # --------------------------------------------------------------------------------------------- sources

    def _sources(self) -> list[dict[str, Any]]:
        result, say = self.result, self.say
        quoted: dict[int, list[QuoteCheck]] = {}
        for quote in result.quotes:
            if quote.source is not None:
                quoted.setdefault(quote.source, []).append(quote)
        named = {
            i
            for c in self.result.citations[:MAX_BADGES]
            for i in (c.source, c.nearest, *c.sources[:5])
            if i is not None
        }
        named.update(quoted)
        sources = []
        for i, source in enumerate(result.sources):
            if i >= MAX_SOURCES and i not in named:
                continue
            times = result.times_cited[i]
            sources.append(
                {
                    "index": i,
                    "number": str(i + result.options.first_number),
                    "label": _short(result.label(i), LABEL_LENGTH * 2),
                    "title": self._title(i),
                    "details": self._details(source),
                    "url": markdown.safe_url(source.url),
                    "confidence": self._confidence(source.confidence),
                    "times_cited": times,
                    "times_text": say.count("times_cited", times) if times else say("never_cited"),
                    "excerpt": self._passages(i, quoted.get(i, ())),
                }
            )
        return sources

    def _title(self, index: int) -> str:
        source = self.result.sources[index]
        number = index + self.result.options.first_number
        return _short(source.name, LABEL_LENGTH * 3) if source.name else self.say("source", number=number)

    def _numbered(self, index: int) -> str:
        """Number and name of a source."""
        number = index + self.result.options.first_number
        name = self.result.sources[index].name
        return f"[{number}] {_short(name, LABEL_LENGTH * 3)}" if name else f"[{number}]"

    def _place_in(self, source: Source) -> list[str]:
        """Section and page, in words."""
        places = []
        for key, value in (("section", source.section), ("page", source.page)):
            shown = _short(value, LABEL_LENGTH * 2)
            if shown:
                places.append(self.say("detail", key, value=shown) if shown[0].isdigit() else shown)
        return places

    def _details(self, source: Source) -> list[str]:
        details = [_short(source.document_type, LABEL_LENGTH), *self._place_in(source)]
        version = _short(source.version, LABEL_LENGTH)
        if version and version.casefold() not in (source.name or "").casefold():
            details.append(self.say("detail", "version", value=version))
        if source.last_updated:
            details.append(self.say("detail", "date", value=_short(source.last_updated, LABEL_LENGTH)))
        for name in _RETRIEVAL_SCORES:
            value = source.metadata.get(name)
            if isinstance(value, (int, float)) and not isinstance(value, bool) and value - value == 0:
                details.append(self.say("detail", "retrieval", value=self.say.decimal(value)))
                break
        return [detail for detail in details if detail]

    def _confidence(self, confidence: float | None) -> dict[str, str] | None:
        if confidence is None or confidence - confidence != 0:
            return None
        level = confidence_level(confidence)
        words = self.say("confidence", level)
        return {"level": level, "text": self.say("confidence_of", level=words, percent=self.say.percent(confidence))}

    # ------------------------------------------------------------------------------------------ the figures

    def _reading(self) -> str:
        result, say = self.result, self.say
        answer = result.answer
        form = result.sources_format
        if result.sources or form not in ("none", ""):
            how = say("sources_format", form) if say.has("sources_format", form) else form
            sources = f"{say.count('sources_count', len(result.sources))} ({how})"
        else:
            sources = say("no_sources")
        known = answer.format if say.has("format", answer.format) else "other"
        read = say("format", known, name=answer.format)
        if answer.structured and answer.format not in _JSON_FORMS:
            read = say("with_json", format=read)
        parts = [sources, say("answer_read", format=read)]
        if answer.prompt_tokens is not None:
            parts.append(say.count("prompt_tokens", answer.prompt_tokens))
        return say("separator").join(parts)

    def _kpis(self) -> list[dict[str, str]]:
        result, say = self.result, self.say

        def figure(key: str, value: str | int, tone: str, whole: int | None = None) -> dict[str, str]:
            shown = say.number(value) if isinstance(value, int) else value
            if whole is not None:
                shown = say("of", some=shown, whole=say.number(whole))
            return {"key": key, "label": say("kpi", key, count=value), "value": shown, "tone": tone}

        score, claims = result.traceability_score, result.claims
        if score is None:
            kpis = [figure("traceability", say("not_measured"), "neutral")]
        else:
            weak = any(alert.code == "weakly_sourced" for alert in result.alerts)
            tone = "good" if result.fully_sourced else "bad" if weak else "doubtful"
            kpis = [figure("traceability", say.percent(score), tone)]
        if result.placed and claims:
            cited = sum(any(result.citations[i].status == "valid" for i in s.citations) for s in claims)
            uncited = len(result.uncited_sentences or ())
            kpis.append(figure("claims", cited, "neutral", len(claims)))
            kpis.append(figure("uncited", uncited, "doubtful" if uncited else "good"))
        kpis.append(figure("citations", len(result.citations), "neutral"))
        if result.citations:
            invalid = len(result.invalid_citations)
            kpis.append(figure("invalid", invalid, "bad" if invalid else "good"))
        checked = [quote for quote in result.quotes if quote.status != "unverifiable"]
        if checked:
            found = sum(quote.found for quote in checked)
            kpis.append(figure("quotes", found, "good" if found == len(checked) else "bad", len(checked)))
        return kpis

    def _alert(self, code: str, severity: str, params: Any) -> dict[str, str]:
        locale = self.say.locale
        return {
            "code": code,
            "severity": severity,
            "severity_text": self.say("severity", severity),
            "message": messages.text("alerts", code, locale, part="message", **params),
            "meaning": messages.text("alerts", code, locale, part="meaning", **params),
        }

    def _more(self, key: str, number: int) -> str:
        return self.say.count(key, number) if number > 0 else ""

    def _copy_text(self) -> str:
        """The answer as it was written, with the cited sources behind it, each once, in order of first use."""
        result = self.result
        lines: dict[str, None] = {}
        for citation in result.citations:
            if citation.status == "valid" and citation.source is not None:
                source = result.sources[citation.source]
                about = ", ".join([source.name or "", *self._place_in(source), markdown.safe_url(source.url) or ""])
                about = about.strip(", ") if source.name or source.url else _short(source.text, LABEL_LENGTH * 3)
                lines[f"[{citation.source + result.options.first_number}] {about}".rstrip()] = None
                if len(lines) >= MAX_SOURCES:
                    break
        text = result.text.rstrip()
        return f"{text}\n\n{self.say('sources')}\n" + "\n".join(lines) if lines else text

    def _labels(self) -> dict[str, Any]:
        labels: dict[str, Any] = {key: self.say(key) for key in _LABELS}
        labels["source"] = self.say("source", number="").strip()
        return labels | {key: self.say.parts(key) for key in ("verdict", "verified")}


def _quotes_by_citation(result: CheckResult) -> list[list[QuoteCheck]]:
    """For each citation the quotes that belong to it.

    A quote without a citation of its own belongs to all those of its sentence; once found, only to those that cite the
    source that has it.
    """
    quotes: list[list[QuoteCheck]] = [[] for _ in result.citations]
    starts = [sentence.start for sentence in result.sentences]
    for quote in result.quotes:
        if quote.citation is not None:
            quotes[quote.citation].append(quote)
        elif quote.start is not None and (at := bisect_right(starts, quote.start) - 1) >= 0:
            for i in result.sentences[at].citations:
                if not quote.found or quote.source is None or quote.source in result.citations[i].sources:
                    quotes[i].append(quote)
    return quotes


def _mark(marker: Marker, references: Iterable[str]) -> str:
    """A mark as it was written, or its references where that would show markup or private glyphs."""
    raw = marker.raw.strip()
    written = marker.text_start is None and raw[:1] != "<" and raw.replace("\n", " ").isprintable()
    return raw if written else f"[{', '.join(references) or '?'}]"


def _language(language: str) -> str:
    """A language that may stand in an attribute; nothing for ``"auto"``."""
    return language if len(language) in (2, 3) and language.isalpha() else ""


def _short(value: object, length: int) -> str:
    """``value`` as one line of text, cut to ``length``; nothing for ``None``."""
    if value is None:
        return ""
    text = " ".join(str(value)[: length * 4].split())
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def _cleaned(value: Any) -> Any:
    """``value`` with all texts fit for JSON and HTML."""
    if isinstance(value, str):
        return markdown.clean(value)
    if isinstance(value, dict):
        return {key: _cleaned(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_cleaned(item) for item in value]
    return value
