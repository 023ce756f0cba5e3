"""Span tables of tracing tools as frames with one row per answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ragcite_nb.cells import refuse_unclear
from ragcite_nb.models import InputError
from ragcite_nb.read import spans as reader

if TYPE_CHECKING:
    from collections.abc import Iterable

COLUMNS = ("question", "answer", "sources", "trace_id")


def conversations(spans: pd.DataFrame | Iterable[Any], kind: str | None = None) -> pd.DataFrame:
    """One row per conversation, with ``question``, ``answer``, ``sources`` and ``trace_id``, ready to be checked.

    Args:
        spans: a frame with one row per span, as Phoenix, MLflow, LangSmith, Langfuse, Weave, TruLens and OpenTelemetry
            exporters give it, or spans as dicts or objects.
        kind: the tool that wrote them; by default told from the columns.

    Raises:
        InputError: for a table without the columns of a span, or an unknown kind.

    >>> spans = pd.DataFrame([
    ...     {"run_type": "chain", "id": "1", "trace_id": "t", "outputs": {"answer": "30 days [1]."}},
    ...     {"run_type": "retriever", "id": "2", "trace_id": "t", "parent_run_id": "1",
    ...      "outputs": {"documents": [{"page_content": "Within 30 days."}]}},
    ... ])
    >>> conversations(spans).ragcite.check()["valid_citations"].tolist()
    [1]
    """
    if isinstance(spans, pd.DataFrame):
        refuse_unclear(spans.columns)
        # Phoenix keeps the ids of spans in the index.
        levels = [name for name in spans.index.names if name is not None and name not in spans.columns]
        rows: Iterable[Any] = spans.reset_index(level=levels).to_dict("records") if levels else spans.to_dict("records")
    elif isinstance(spans, (str, bytes, dict)) or not hasattr(spans, "__iter__"):
        raise InputError(
            f"spans: {type(spans).__name__} found; a frame with one row per span is accepted, or their dicts"
        )
    else:
        rows = spans
    found = reader.conversations(rows, kind)
    # As objects: an answer may be a whole response, and pandas must not make a table of equally long lists.
    return pd.DataFrame(
        {name: np.fromiter((row[name] for row in found), dtype=object, count=len(found)) for name in COLUMNS}
    )
