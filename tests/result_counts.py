"""The cells of a row, counted from the full result: what both roads must agree on."""


def counts_of(result):
    uncited = result.uncited_sentences
    return {
        "valid_citations": len(result.valid_citations),
        "invalid_citations": len(result.invalid_citations),
        "uncited_sentences": None if uncited is None else len(uncited),
        "traceability_score": result.traceability_score,
        "cite_sentences": len(result.sentences),
        "cite_claims": len(result.claims),
        "cite_quotes": len(result.quotes),
        "cite_quotes_not_found": len(result.quotes_not_found),
        "cite_unused_sources": len(result.unused_sources),
        "cite_truncated": result.truncated,
        "cite_abstained": result.abstained,
        "cite_alerts": "; ".join(dict.fromkeys(a.code for a in result.alerts)),
    }
