"""Checks of Spark frames: every Python worker checks the Arrow batches that Spark hands to it.

The package must be installed where the executors run, and ``PYSPARK_PYTHON`` name that Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
from pyspark.sql.types import BooleanType, DoubleType, LongType, StringType, StructField, StructType

from ragcite_nb import arrow
from ragcite_nb.cells import Cells
from ragcite_nb.frame import SCHEMA, accept_errors, without_ours
from ragcite_nb.models import InputError, Options
from ragcite_nb.read import read_corpus
from ragcite_nb.rows import RowCheck

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import DataFrame

    from ragcite_nb.frame import Errors

TYPES = {"Int64": LongType(), "Float64": DoubleType(), "boolean": BooleanType(), "string": StringType()}
"""The Spark type of each dtype in the schema."""


def check(
    sdf: DataFrame,
    answer: str | None = None,
    sources: str | None = None,
    *,
    corpus: Any = None,
    prefix: str = "",
    append: bool = True,
    errors: Errors = "coerce",
    **options: Any,
) -> DataFrame:
    """The Spark frame with the columns of a check added; the arguments are those of :func:`ragcite_nb.check_frame`.

    ``errors="raise"`` fails the job at the first row that cannot be read.
    """
    accept_errors(errors)
    for keyword, value in (("answer", answer), ("sources", sources)):
        if value is not None and not isinstance(value, str):
            raise InputError(f"{keyword}= must be the name of a column of the Spark frame")
    names = pd.DataFrame(columns=sdf.columns)
    job = RowCheck(
        Cells(names, answer, sources).columns,
        Options.of(options),
        corpus=None if corpus is None else read_corpus(corpus),
        stop=errors == "raise",
    )
    replaced = {prefix + name for name in SCHEMA}
    kept = [name for name in map(str, without_ours(names, prefix).columns) if append and name not in replaced]
    ours = [StructField(prefix + name, TYPES[dtype]) for name, dtype in SCHEMA.items()]
    schema = StructType([*(sdf.schema[name] for name in kept), *ours])
    return sdf.mapInArrow(_checker(job, kept, prefix), schema)


def _checker(
    job: RowCheck, kept: list[str], prefix: str
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def check_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        check = job.start()
        cells = job.columns.row or (job.columns.answer, job.columns.sources)
        for batch in batches:
            lists = [[None] * batch.num_rows if name is None else arrow.cells_of(batch.column(name)) for name in cells]
            checked = check(zip(*lists, strict=True))
            if job.stop and checked.failures:
                raise InputError(checked.failures[0].reason)
            ours = arrow.batch([checked], prefix)
            yield pa.RecordBatch.from_arrays(
                [*(batch.column(name) for name in kept), *ours.columns], names=[*kept, *ours.schema.names]
            )

    return check_batches
