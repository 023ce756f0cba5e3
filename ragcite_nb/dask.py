"""``ddf.ragcite`` for Dask frames: importing this module registers it.

Every partition is checked by :func:`ragcite_nb.check_frame` where it lives; nothing is computed before it is asked for.
"""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

import dask
from dask.dataframe.extensions import register_dataframe_accessor

from ragcite_nb.cells import Cells
from ragcite_nb.frame import accept_errors, check_frame
from ragcite_nb.models import InputError
from ragcite_nb.read import read_corpus
from ragcite_nb.report import report

if TYPE_CHECKING:
    import pandas as pd
    from dask.dataframe import DataFrame

    from ragcite_nb.frame import Errors
    from ragcite_nb.report import Report


@register_dataframe_accessor("ragcite")
class DaskAccessor:
    """Checks of the logged answers in a Dask frame."""

    def __init__(self, ddf: DataFrame) -> None:
        self._ddf = ddf

    def check(
        self,
        answer: str | None = None,
        sources: str | None = None,
        *,
        corpus: Any = None,
        prefix: str = "",
        details: bool = False,
        append: bool = True,
        errors: Errors = "coerce",
        **options: Any,
    ) -> DataFrame:
        """The frame with the columns of a check added; the arguments are those of :func:`ragcite_nb.check_frame`."""
        how = {"prefix": prefix, "details": details, "append": append, "errors": errors, **options}
        accept_errors(errors)
        how |= self._named(answer, sources)
        if corpus is not None:
            how["corpus"] = read_corpus(corpus)
        # The empty frame is checked here, so that wrong arguments fail now, and the dtypes are those of the schema.
        meta = check_frame(self._ddf._meta, **how)  # noqa: SLF001 - how Dask's own adapters look at dtypes
        return self._ddf.map_partitions(_check, meta=meta, **how)

    def report(self, by: Any = None, answer: str | None = None, sources: str | None = None, **how: Any) -> Report:
        """The report over all partitions, computed at once; the arguments are those of ``df.ragcite.report``."""
        how |= self._named(answer, sources)
        parts = [dask.delayed(report)(part, by, **how) for part in self._ddf.to_delayed()]
        (reports,) = dask.compute(parts)
        total: Report = reduce(add, reports)
        return total

    def _named(self, answer: Any, sources: Any) -> dict[str, Any]:
        """The columns to read, found once for all partitions."""
        for keyword, value in (("answer", answer), ("sources", sources)):
            if value is not None and not isinstance(value, str):
                raise InputError(f"{keyword}= must be the name of a column of the Dask frame")
        columns = Cells(self._ddf._meta, answer, sources).columns  # noqa: SLF001
        return {} if columns.row else {"answer": columns.answer, "sources": columns.sources}


def _check(part: pd.DataFrame, **how: Any) -> pd.DataFrame:
    return check_frame(part, progress=False, **how)
