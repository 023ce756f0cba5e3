"""What the findings add up to: the score, and the alerts that a reader should see.

The only place with thresholds. ``codes`` says which alerts an examined answer raises; ``alerts`` words them out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragcite_nb.models import Alert

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ragcite_nb.examine import Examined
    from ragcite_nb.models import CheckResult, QuoteCheck, Severity

FULLY = 0.9
"""Traceability from which an answer is fully sourced."""
WEAK = 0.5
"""Traceability below which an answer is weakly sourced; from it to ``FULLY`` it is partially sourced."""

SEVERITY: dict[str, Severity] = {
    "invalid_citation": "error",
    "quote_altered": "error",
    "quote_absent": "error",
    "no_sources": "error",
    "weakly_sourced": "warning",
    "no_citations": "warning",
    "truncated": "warning",
    "quote_elsewhere": "warning",
    "ambiguous_citation": "warning",
    "malformed_marker": "warning",
    "unknown_reference": "warning",
    "url_mismatch": "warning",
    "locator_mismatch": "warning",
    "numbering_unsure": "warning",
    "position_unsure": "warning",
    "leaked_markup": "warning",
    "duplicate_source": "warning",
    "refusal": "warning",
    "empty_answer": "warning",
    "abstention_with_citation": "warning",
    "contradiction": "info",
    "uncited_claims": "info",
    "unused_sources": "info",
    "abstention": "info",
    "partial_information": "info",
    "unplaced_citations": "info",
    "footer_only": "info",
    "quote_near": "info",
}
"""Every alert and how grave it is, in the order in which they are shown."""


def traceability(claims: int, supported: int) -> float | None:
    """Share of claims with at least one valid citation; ``None`` without claims.

    >>> traceability(4, 3), traceability(0, 0)
    (0.75, None)
    """
    return supported / claims if claims else None


def codes(x: Examined) -> list[str]:
    """The alerts that an answer raises, in the order of ``SEVERITY``."""
    found = []
    if x.unknown:
        found.append("invalid_citation")
    # Most answers have no such quote.
    missing = frozenset(x.quote_statuses) if x.quotes_not_found else ()
    if "altered" in missing:
        found.append("quote_altered")
    if "absent" in missing:
        found.append("quote_absent")
    if not x.index.count:
        found.append("no_sources")
    if x.score is not None and x.score < WEAK:
        found.append("weakly_sourced")
    if x.placed and x.claims and not x.citation_count:
        found.append("no_citations")
    if x.truncated:
        found.append("truncated")
    if "elsewhere" in missing:
        found.append("quote_elsewhere")
    if x.ambiguous:
        found.append("ambiguous_citation")
    if x.malformed:
        found.append("malformed_marker")
    if x.unknown_references:
        found.append("unknown_reference")
    if x.url_mismatches:
        found.append("url_mismatch")
    if x.locator_mismatches:
        found.append("locator_mismatch")
    if x.numbering_unsure:
        found.append("numbering_unsure")
    if x.misplaced:
        found.append("position_unsure")
    if x.scan.leaks:
        found.append("leaked_markup")
    if x.duplicates:
        found.append("duplicate_source")
    if x.answer is not None and x.answer.refusal:
        found.append("refusal")
    if not x.text or x.text.isspace():
        found.append("empty_answer")
    if x.abstained and x.citation_count:
        found.append("abstention_with_citation")
    if x.contradiction is not None:
        found.append("contradiction")
    if x.placed and x.uncited:
        found.append("uncited_claims")
    if x.index.count and x.cited_bits != (1 << x.index.count) - 1:
        found.append("unused_sources")
    if x.abstained:
        found.append("abstention")
    if x.partial:
        found.append("partial_information")
    if not x.placed:
        found.append("footer_only" if x.footer_only else "unplaced_citations")
    if "near" in missing:
        found.append("quote_near")
    return found


def alerts(x: Examined, result: CheckResult) -> tuple[Alert, ...]:
    """The alerts of an answer, worded out: one per code, but one per quote."""
    return tuple(
        Alert(code, SEVERITY[code], params, result.locale) for code in codes(x) for params in _PARAMS[code](x, result)
    )


# ------------------------------------------------------------------------------------------- what the messages name
_LISTED = 5


def _listed(names: Sequence[str]) -> str:
    distinct = list(dict.fromkeys(names))
    return ", ".join(distinct[:_LISTED]) + (", …" if len(distinct) > _LISTED else "")


def _shown(result: CheckResult, citation: int | None) -> str:
    """What people see of a citation: its marker, else its number in the order of citations."""
    if citation is None:
        return "?"
    marker = result.citations[citation].marker
    return _short(result.markers[marker].raw) if marker is not None else f"#{citation + 1}"


def _short(text: str, most: int = 80) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


def _invalid(x: Examined, result: CheckResult, status: str) -> list[dict[str, Any]]:
    bad = [i for i, c in enumerate(result.citations) if c.status == status]
    shown = [
        _shown(result, i) if (m := result.citations[i].marker) is not None and len(result.markers[m].citations) == 1
        else f"[{_short(result.citations[i].reference)}]"
        for i in bad
    ]  # fmt: skip
    names: Any = x.index.count
    if status == "ambiguous":
        names = _listed([result.label(s) for i in bad for s in result.citations[i].sources])
    return [{"count": len(bad), "citation": _listed(shown), "sources": names}]


def _quotes(status: str) -> Any:
    def params(x: Examined, result: CheckResult) -> Iterator[dict[str, Any]]:  # noqa: ARG001
        for quote in result.quotes:
            if quote.status == status:
                yield _quote(result, quote)

    return params


def _quote(result: CheckResult, quote: QuoteCheck) -> dict[str, Any]:
    cited = quote.sources
    found: dict[str, Any] = {
        "count": 1,
        "citation": _shown(result, quote.citation),
        "quote": _short(quote.text, 160),
        "source": _listed([result.label(s) for s in cited]) if cited else _cited_reference(result, quote),
    }
    if quote.status in ("altered", "near") and quote.source is not None and quote.source_start is not None:
        text = result.sources[quote.source].text or ""
        found["found"] = _short(text[quote.source_start : quote.source_end], 160)
        found["percent"] = round(quote.score or 0)
    elif quote.status in ("altered", "near"):
        found |= {"found": "…", "percent": round(quote.score or 0)}
    if quote.status == "elsewhere":
        found["elsewhere"] = _listed([result.label(s) for s in quote.found_in])
    return found


def _cited_reference(result: CheckResult, quote: QuoteCheck) -> str:
    return result.citations[quote.citation].reference if quote.citation is not None else "?"


def _one(**fields: Any) -> Any:
    return lambda x, result: [{name: value(x, result) if callable(value) else value for name, value in fields.items()}]


_PARAMS: dict[str, Any] = {
    "invalid_citation": lambda x, r: _invalid(x, r, "unknown"),
    "quote_altered": _quotes("altered"),
    "quote_absent": _quotes("absent"),
    "no_sources": _one(count=lambda x, r: len(r.citations)),
    "weakly_sourced": _one(
        percent=lambda x, r: round(100 * (x.score or 0)), cited=lambda x, r: x.supported, claims=lambda x, r: x.claims,
        count=lambda x, r: x.claims,
    ),
    "no_citations": _one(claims=lambda x, r: x.claims, count=lambda x, r: x.claims),
    "truncated": _one(reason=lambda x, r: r.answer.finish_reason or "—"),
    "quote_elsewhere": _quotes("elsewhere"),
    "ambiguous_citation": lambda x, r: _invalid(x, r, "ambiguous"),
    "malformed_marker": _one(
        count=lambda x, r: x.malformed, marker=lambda x, r: _listed([_short(m.raw) for m in r.markers if m.kind == "malformed"]),
    ),
    "unknown_reference": _one(
        count=lambda x, r: x.unknown_references,
        label=lambda x, r: _listed([_short(e.label) for e in r.reference_list if e.status == "unknown"]),
    ),
    "url_mismatch": lambda x, r: [
        {"count": 1, "citation": _short(x.text[m.start : m.end]), "url": _short(m.url or ""), "source": r.label(s)} for m, s in x.url_mismatches
    ],
    "locator_mismatch": lambda x, r: [
        {"count": 1, "citation": _short(x.text[m.start : m.end]), "source": r.label(s), "locator": m.reading.locator or ""}
        for m, s in x.locator_mismatches
    ],
    "numbering_unsure": _one(count=lambda x, r: len(r.citations)),
    "position_unsure": _one(count=lambda x, r: x.misplaced),
    "leaked_markup": _one(
        count=lambda x, r: len(x.scan.leaks), markup=lambda x, r: _listed([_short(x.text[a:b]) for a, b in x.scan.leaks]),
    ),
    "duplicate_source": _one(count=lambda x, r: len(x.duplicates), label=lambda x, r: _listed([r.label(i) for i in x.duplicates])),
    "refusal": _one(reason=lambda x, r: _short(r.answer.refusal or "")),
    "empty_answer": _one(),
    "abstention_with_citation": _one(citation=lambda x, r: _shown(r, 0), count=lambda x, r: len(r.citations)),
    "contradiction": lambda x, r: [x.contradiction],
    "uncited_claims": _one(count=lambda x, r: x.uncited, claims=lambda x, r: x.claims),
    "unused_sources": _one(
        count=lambda x, r: len(r.unused_sources), label=lambda x, r: _listed([r.label(i) for i in r.unused_sources]),
        sources=lambda x, r: x.index.count,
    ),
    "abstention": _one(),
    "partial_information": _one(),
    "unplaced_citations": _one(count=lambda x, r: len(r.citations)),
    "footer_only": _one(count=lambda x, r: len(r.reference_list)),
    "quote_near": _quotes("near"),
}  # fmt: skip
