"""Check, offline and without a model, whether the citations of RAG answers hold."""

from ragcite_nb.check import check
from ragcite_nb.models import (
    Alert,
    Answer,
    CheckResult,
    Citation,
    InputError,
    Marker,
    Options,
    ProviderCitation,
    QuoteCheck,
    Reference,
    Sentence,
    Source,
)
from ragcite_nb.read import read_answer, read_sources

__all__ = [
    "Alert",
    "Answer",
    "CheckResult",
    "Citation",
    "InputError",
    "Marker",
    "Options",
    "ProviderCitation",
    "QuoteCheck",
    "Reference",
    "Sentence",
    "Source",
    "check",
    "read_answer",
    "read_sources",
]
