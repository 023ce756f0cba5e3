"""Doctests of adapters whose engine is not installed are left out; the tests themselves say why they are skipped."""

from importlib.util import find_spec

collect_ignore = [
    f"ragcite_nb/{name}.py" for name, needs in (("dask", "dask"), ("spark", "pyspark")) if not find_spec(needs)
]
