"""The columns of a check as Arrow data, for parquet files and Spark."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ragcite_nb.frame import SCHEMA, by_column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragcite_nb.rows import Checked

TYPES = {"Int64": pa.int64(), "Float64": pa.float64(), "boolean": pa.bool_(), "string": pa.string()}
"""The Arrow type of each dtype in the schema."""


def schema(prefix: str = "") -> pa.Schema:
    """The added columns.

    >>> schema("rc_").names[0]
    'rc_valid_citations'
    """
    return pa.schema([(prefix + name, TYPES[dtype]) for name, dtype in SCHEMA.items()])


def batch(checked: Sequence[Checked], prefix: str = "") -> pa.RecordBatch:
    """The added columns of some rows.

    >>> from ragcite_nb.rows import Checked, Failure
    >>> batch([Checked([None], [Failure(0, "it is a number")])])["cite_error"].to_pylist()
    ['it is a number']
    """
    columns = by_column(checked)
    return pa.record_batch(
        [pa.array(columns[name], TYPES[dtype]) for name, dtype in SCHEMA.items()], schema=schema(prefix)
    )


def cells_of(column: pa.Array) -> list[Any]:
    """The values of a column; texts that are no UTF-8, which nothing keeps out of a file, as their bytes.

    >>> cells_of(pa.array(["It is free.", None]))
    ['It is free.', None]
    """
    try:
        return list(column.to_pylist())
    except UnicodeDecodeError:
        if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
            raise
        return [_text(value) for value in column.cast(pa.large_binary()).to_pylist()]


def _text(value: bytes | None) -> str | bytes | None:
    try:
        return value and value.decode()
    except UnicodeDecodeError:
        return value


def with_pandas_dtypes(table: pa.Schema, prefix: str = "") -> pa.Schema:
    """The schema with the note by which pandas restores our dtypes, beside what it notes of the input's columns.

    Without it pandas would read counts without NA as ``int64`` and with NA as ``float64``.
    """
    ours = pa.Table.from_pandas(_empty(prefix), preserve_index=False).schema.metadata[b"pandas"]
    note = json.loads(ours)
    kept = json.loads((table.metadata or {}).get(b"pandas", b"null"))
    if kept is not None:
        names = set(table.names)
        theirs = [column for column in kept["columns"] if column.get("field_name") in names]
        fields = {column["field_name"] for column in note["columns"]}
        kept["columns"] = [c for c in theirs if c["field_name"] not in fields] + note["columns"]
        # An index column that is left out cannot be restored.
        kept["index_columns"] = [i for i in kept["index_columns"] if isinstance(i, dict) or i in names]
        note = kept
    return table.with_metadata({**(table.metadata or {}), b"pandas": json.dumps(note).encode()})


def _empty(prefix: str) -> Any:
    import pandas as pd

    return pd.DataFrame({prefix + name: pd.Series([], dtype=dtype) for name, dtype in SCHEMA.items()})
