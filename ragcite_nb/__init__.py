"""Check, offline and without a model, whether the citations of RAG answers hold.

``check`` and ``show`` take one answer, ``df.ragcite`` whole frames of them; ``citation_prompt``, ``format_context`` and
``format_answer`` write what makes answers checkable.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ragcite_nb import samples
from ragcite_nb.check import check
from ragcite_nb.models import (
    Alert,
    Answer,
    CheckResult,
    Citation,
    InputError,
    Marker,
    Options,
    QuoteCheck,
    Reference,
    Sentence,
    Source,
)
from ragcite_nb.read import read_answer, read_sources
from ragcite_nb.registration import register_with_pandas

if TYPE_CHECKING:
    from ragcite_nb.display.widget import AnswerExplorer, CitedAnswer
    from ragcite_nb.frame import SCHEMA, check_frame
    from ragcite_nb.mend import Repair, Suggestion
    from ragcite_nb.parquet import check_parquet
    from ragcite_nb.quality import check_quality
    from ragcite_nb.report import Report
    from ragcite_nb.spans import conversations
    from ragcite_nb.write.answer_format import format_answer
    from ragcite_nb.write.context import format_context
    from ragcite_nb.write.prompt import citation_prompt

__all__ = [
    "SCHEMA",
    "Alert",
    "Answer",
    "AnswerExplorer",
    "CheckResult",
    "Citation",
    "CitedAnswer",
    "InputError",
    "Marker",
    "Options",
    "QuoteCheck",
    "Reference",
    "Repair",
    "Report",
    "Sentence",
    "Source",
    "Suggestion",
    "check",
    "check_frame",
    "check_parquet",
    "check_quality",
    "citation_prompt",
    "conversations",
    "format_answer",
    "format_context",
    "read_answer",
    "read_sources",
    "samples",
    "show",
]

_LATER = {
    "AnswerExplorer": "display.widget",
    "CitedAnswer": "display.widget",
    "Repair": "mend",
    "Report": "report",
    "SCHEMA": "frame",
    "Suggestion": "mend",
    "check_frame": "frame",
    "check_parquet": "parquet",
    "check_quality": "quality",
    "citation_prompt": "write",
    "conversations": "spans",
    "format_answer": "write",
    "format_context": "write",
}
"""Names whose modules are imported when they are first used, so that ``import ragcite_nb`` stays quick."""

register_with_pandas()


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


def show(answer: Any, sources: Any = None, **options: Any) -> CitedAnswer:
    """Check an answer and show it as a widget: a badge per citation, the evidence one click away.

    Takes what :func:`check` takes.

    >>> show("Dogs ride free [1].", ["Dogs travel free of charge."]).result.traceability_score
    1.0
    """
    from ragcite_nb.display.widget import CitedAnswer

    return CitedAnswer(answer, sources, **options)
