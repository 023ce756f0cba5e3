"""Results made by hand, so that tests of the display show what it does with any finding, not what the checker finds."""

from __future__ import annotations

from typing import Any

from ragcite_nb.models import (
    Alert,
    Answer,
    CheckResult,
    Citation,
    Marker,
    Options,
    QuoteCheck,
    Reference,
    Sentence,
    Source,
)  # fmt: skip

SEVERITIES = {
    "invalid_citation": "error",
    "quote_altered": "error",
    "quote_absent": "error",
    "weakly_sourced": "warning",
}


def mark(raw: str, *sources: int | None, status: str | None = None, reference: str | None = None, **more: Any) -> dict:
    """One marker, as it stands in the text, and the sources of its citations (None = unknown)."""
    return {"raw": raw, "sources": sources or (None,), "status": status, "reference": reference, **more}


def quote(
    text: str,
    status: str = "verbatim",
    citation: int | None = 0,
    source: int | None = None,
    at: str | None = None,
    **more: Any,
) -> dict:
    """One quote; ``at`` is the passage in the source, by default the quote itself."""
    return {"text": text, "status": status, "citation": citation, "source": source, "at": at or text, **more}


def result(
    text: str,
    sources: list[Any],
    marks: list[dict] = (),
    quotes: list[dict] = (),
    uncited: list[str] = (),
    *,
    alerts: list[tuple[str, dict]] = (),
    references: list[Reference] = (),
    provided: list[Citation] = (),
    locale: str = "en",
    score: float | None = 1.0,
    placed: bool = True,
    sources_format: str = "strings",
    first_number: int = 1,
    **answer: Any,
) -> CheckResult:
    given = tuple(s if isinstance(s, Source) else Source(s) for s in sources)
    markers, citations, position = [], [], 0
    for m in marks:
        start = text.index(m["raw"], position)
        position = end = start + len(m["raw"])
        inner = m.get("inner")
        text_start = text.index(inner, start) if inner else None
        kind = m.get("kind", "citation")
        indexes = []
        for source in m["sources"] if kind == "citation" else ():
            status = m["status"] or ("unknown" if source is None else "valid")
            found = tuple(m.get("candidates", ())) or (() if source is None else (source,))
            indexes.append(len(citations))
            citations.append(
                Citation(
                    marker=len(markers), sentence=0, reference=m["reference"] or m["raw"].strip("[]"), status=status,
                    source=source if status == "valid" else None, sources=found, nearest=m.get("nearest"), score=None,
                    locator=m.get("locator"), start=start, end=end,
                )
            )  # fmt: skip
        markers.append(
            Marker(
                start,
                end,
                m["raw"],
                "bracket",
                kind,
                None,
                None,
                text_start,
                text_start + len(inner) if inner else None,
                tuple(indexes),
            )
        )
    citations += provided
    sentences = [Sentence(0, len(text), text, "claim", tuple(range(len(citations))))] if text and not uncited else []
    for claim in uncited:
        start = text.index(claim)
        sentences.append(Sentence(start, start + len(claim), claim, "claim", ()))
    checks = []
    for q in quotes:
        source = q["source"]
        if source is None and q["citation"] is not None and q["status"] not in ("absent", "unverifiable"):
            source = citations[q["citation"]].source
        start = given[source].text.find(q["at"]) if source is not None else -1
        checks.append(
            QuoteCheck(
                q["text"], text.find(q["text"]) if q["text"] in text else None, None, q.get("origin", "answer"), q["citation"], (), q["status"],
                () if source is None else (source,), source if start >= 0 else None, start if start >= 0 else None,
                start + len(q["at"]) if start >= 0 else None, q.get("score"), q.get("warnings", ()),
            )
        )  # fmt: skip
    times = [sum(c.source == i for c in citations) for i in range(len(given))]
    return CheckResult(
        answer=Answer(text, **answer), sources=given, sources_format=sources_format, markers=tuple(markers), citations=tuple(citations),
        sentences=tuple(sentences), quotes=tuple(checks), reference_list=tuple(references),
        unused_sources=tuple(i for i, n in enumerate(times) if not n), times_cited=tuple(times), traceability_score=score,
        fully_sourced=bool(score and score >= 0.9), abstained=False, placed=placed,
        alerts=tuple(Alert(code, SEVERITIES.get(code, "info"), params, locale) for code, params in alerts),
        language=locale, locale=locale, options=Options(first_number=first_number),
    )  # fmt: skip


FERRY = [
    "The ferry leaves at 07:40 on weekdays.",
    "Dogs travel free of charge on all ferries.",
    "Bicycles cost 4 euros per crossing.",
]
