"""``df.ragcite``: sugar over :mod:`ragcite_nb.frame`, the report and the explorer.

Type checkers take ``df.ragcite`` for a column; code that wants types calls :func:`ragcite_nb.check_frame` and its like.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from ragcite_nb import frame

if TYPE_CHECKING:
    from collections.abc import Collection

    from ragcite_nb.display.widget import AnswerExplorer
    from ragcite_nb.frame import Errors
    from ragcite_nb.models import CheckResult
    from ragcite_nb.report import Report

NAME = "ragcite"


class RagciteAccessor:
    """Checks of the logged answers in a frame; all methods take ``answer=``, ``sources=``, ``corpus=`` and options."""

    def __init__(self, df: pd.DataFrame) -> None:
        # pandas makes one at every access, and errors here would break dir(df): nothing is looked at yet.
        self._df = df

    def check(
        self,
        answer: Any = None,
        sources: Any = None,
        *,
        corpus: Any = None,
        prefix: str = "",
        details: bool = False,
        append: bool = True,
        workers: int = 1,
        progress: bool | None = None,
        errors: Errors = "coerce",
        **options: Any,
    ) -> pd.DataFrame:
        """The frame with the columns of a check added; see :func:`ragcite_nb.check_frame`.

        >>> df = pd.DataFrame({"answer": ["It is free [7]."], "sources": [["It is free."]]})
        >>> df.ragcite.check()["invalid_citations"].tolist()
        [1]
        """
        return frame.check_frame(
            self._df,
            answer,
            sources,
            corpus=corpus,
            prefix=prefix,
            details=details,
            append=append,
            workers=workers,
            progress=progress,
            errors=errors,
            **options,
        )

    def citations(self, answer: Any = None, sources: Any = None, **how: Any) -> pd.DataFrame:
        """One row per citation; see :func:`ragcite_nb.frame.citations`."""
        return frame.citations(self._df, answer, sources, **how)

    def sentences(
        self, answer: Any = None, sources: Any = None, *, only: str | Collection[str] | None = None, **how: Any
    ) -> pd.DataFrame:
        """One row per sentence; see :func:`ragcite_nb.frame.sentences`."""
        return frame.sentences(self._df, answer, sources, only=only, **how)

    def quotes(self, answer: Any = None, sources: Any = None, **how: Any) -> pd.DataFrame:
        """One row per quote; see :func:`ragcite_nb.frame.quotes`."""
        return frame.quotes(self._df, answer, sources, **how)

    def result(
        self, row: int, answer: Any = None, sources: Any = None, *, corpus: Any = None, **options: Any
    ) -> CheckResult:
        """The full result of one row, by position; see :func:`ragcite_nb.frame.result`."""
        return frame.result(self._df, row, answer, sources, corpus=corpus, **options)

    def report(self, by: Any = None, **how: Any) -> Report:
        """Figures over all rows, compared by a column with ``by="model"``; see :func:`ragcite_nb.report.report`."""
        from ragcite_nb.report import report

        return report(self._df, by, **how)

    def explore(self, answer: Any = None, sources: Any = None, **how: Any) -> AnswerExplorer:
        """A widget to look through all rows; see :class:`ragcite_nb.display.widget.AnswerExplorer`."""
        from ragcite_nb.display.widget import AnswerExplorer

        return AnswerExplorer(self._df, answer=answer, sources=sources, **how)


def register() -> None:
    """Put the accessor onto pandas frames; again without a warning when this module is reloaded in a notebook."""
    present = getattr(pd.DataFrame, NAME, None)
    if getattr(present, "__module__", None) == __name__:
        delattr(pd.DataFrame, NAME)
    pd.api.extensions.register_dataframe_accessor(NAME)(RagciteAccessor)


register()
