"""Other engines give exactly what pandas gives, for real: a Dask cluster, a Spark session, the recipes of the docs."""

import importlib.util
import os
import re
import shutil
import sys
from pathlib import Path

import pandas as pd
import pytest

from ragcite_nb.frame import SCHEMA, check_frame, is_checked
from ragcite_nb.models import InputError

pytestmark = pytest.mark.engines

ROWS = 20_000
SOURCES = ["Returns take 30 days.", "Shipping costs 4.90 euros and takes 3 days.", "The warranty lasts 24 months."]


def there(*modules):
    """A mark that skips, saying which package is missing."""
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


def frame(rows=ROWS):
    """Rows of all kinds, bad ones and empty ones among them."""
    answers = [
        None
        if i % 97 == 5
        else f'Row {i}: it takes 30 days [{i % 5}]. "Shipping costs {i % 7}.90 euros" [2]. It is free.'
        for i in range(rows)
    ]
    return pd.DataFrame({"id": range(rows), "answer": answers, "sources": [SOURCES] * rows})


@pytest.fixture(scope="module")
def df():
    return frame()


@pytest.fixture(scope="module")
def want(df):
    return check_frame(df, append=False)


@pytest.fixture(scope="module")
def cluster():
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster,
        Client(cluster),
    ):
        yield cluster


class TestDask:
    pytestmark = there("dask", "distributed")

    @pytest.mark.usefixtures("cluster")
    def test_same_as_pandas(self, df, want, tmp_path):
        """20,000 rows over a cluster of processes, from memory and from parquet: values and dtypes."""
        import dask.dataframe as dd

        import ragcite_nb.dask  # noqa: F401 - registers the accessor

        df.to_parquet(tmp_path / "log.parquet", row_group_size=3000)
        for ddf in (
            dd.from_pandas(df, npartitions=7),
            dd.read_parquet(tmp_path / "log.parquet", split_row_groups=True),
        ):
            lazy = ddf.ragcite.check()
            assert is_checked(lazy._meta)
            out = lazy.compute()
            assert out["id"].tolist() == df["id"].tolist()
            pd.testing.assert_frame_equal(out[list(SCHEMA)].reset_index(drop=True), want)

    @pytest.mark.usefixtures("cluster")
    def test_report_adds_up(self, df, want):
        """The report over partitions is the report over all rows."""
        import dask.dataframe as dd

        import ragcite_nb.dask  # noqa: F401
        from ragcite_nb.report import report

        assert (
            dd.from_pandas(df, npartitions=3).ragcite.report().to_dict()
            == report(pd.concat([df, want], axis=1)).to_dict()
        )

    def test_arguments(self):
        """Options travel; what is wrong fails before anything is computed."""
        import dask
        import dask.dataframe as dd

        import ragcite_nb.dask  # noqa: F401

        small = frame(60)
        ddf = dd.from_pandas(small, npartitions=3)
        how = {"prefix": "p_", "append": False, "first_number": 0}
        with dask.config.set(scheduler="sync"):
            out = ddf.ragcite.check(**how).compute()
            pd.testing.assert_frame_equal(out, check_frame(small, **how))
            details = ddf.ragcite.check(details=True).compute()
            assert details["invalid_labels"].tolist() == check_frame(small, details=True)["invalid_labels"].tolist()
            corpus = {f"d{i}": text for i, text in enumerate(SOURCES)}
            ids = dd.from_pandas(small.assign(sources=[list(corpus)] * 60), npartitions=2)
            assert (
                ids.ragcite.check(corpus=corpus).compute()["valid_citations"].tolist()
                == check_frame(small)["valid_citations"].tolist()
            )
            with pytest.raises(InputError, match="index 3"):
                dd.from_pandas(small.assign(sources="['a' 'b'\n 'c']").tail(57), npartitions=1).ragcite.check(
                    errors="raise"
                ).compute()
        with pytest.raises(TypeError, match="did you mean 'scope'"):
            ddf.ragcite.check(scop="block")
        with pytest.raises(InputError, match="no column 'x'"):
            ddf.ragcite.check(answer="x")
        with pytest.raises(InputError, match="must be the name of a column of the Dask frame"):
            ddf.ragcite.check(sources=[SOURCES])


@pytest.fixture(scope="module")
def spark():
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.executorEnv.PYTHONPATH", os.pathsep.join(sys.path))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def java():
    return (
        there("pyspark")
        if shutil.which("java")
        else pytest.mark.skip(reason="Spark needs Java, and there is no java command")
    )


@java()
@pytest.mark.filterwarnings("ignore")  # Spark warns about new versions of pandas
class TestSpark:
    def test_same_as_pandas(self, spark, df, want, tmp_path):
        """20,000 rows in two tasks: values exactly, in the order of the input."""
        import ragcite_nb.spark

        df.to_parquet(tmp_path / "log.parquet", row_group_size=3000)
        sdf = ragcite_nb.spark.check(spark.read.parquet(str(tmp_path / "log.parquet")))
        assert sdf.columns == ["id", "answer", "sources", *SCHEMA]
        out = sdf.toPandas().sort_values("id", ignore_index=True)
        assert out["id"].tolist() == df["id"].tolist()
        pd.testing.assert_frame_equal(out[list(SCHEMA)].astype(SCHEMA), want)

    def test_arguments(self, spark, tmp_path):
        """Options travel; bad rows are reported, or end the job with errors="raise"."""
        import ragcite_nb.spark

        small = frame(60)
        small["sources"] = ["['a' 'b'\n 'c']" if i == 7 else repr(SOURCES) for i in range(60)]
        small.to_parquet(tmp_path / "log.parquet")
        sdf = spark.read.parquet(str(tmp_path / "log.parquet"))
        out = ragcite_nb.spark.check(sdf, prefix="p_", append=False, first_number=0).toPandas()
        assert list(out.columns) == [f"p_{name}" for name in SCHEMA]
        found = out.astype({f"p_{name}": dtype for name, dtype in SCHEMA.items()})
        pd.testing.assert_frame_equal(found, check_frame(small, prefix="p_", append=False, first_number=0))
        with pytest.raises(Exception, match="sources: "):
            ragcite_nb.spark.check(sdf, errors="raise").collect()
        twice = ragcite_nb.spark.check(ragcite_nb.spark.check(sdf))
        assert len(twice.columns) == len(set(twice.columns)) == 3 + len(SCHEMA)
        with pytest.raises(InputError, match="no column 'x'"):
            ragcite_nb.spark.check(sdf, answer="x")
        with pytest.raises(InputError, match="must be the name of a column of the Spark frame"):
            ragcite_nb.spark.check(sdf, sources=[SOURCES])


DOCS = Path(__file__).parent.parent / "docs" / "engines.md"
NEEDS = {
    "Dask": ("dask", "distributed"),
    "Polars": ("polars",),
    "DuckDB": ("duckdb",),
    "pandas": (),
    "Parquet": ("pyarrow",),
}


@pytest.mark.parametrize("engine", [pytest.param(name, marks=there(*modules)) for name, modules in NEEDS.items()])
def test_recipes_run(engine, tmp_path, monkeypatch):
    """What the docs show runs, with its asserts. (The Spark recipe is what TestSpark runs, in its session.)"""
    monkeypatch.chdir(tmp_path)
    docs = DOCS.read_text(encoding="utf-8")
    sections = re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", docs, re.DOTALL | re.MULTILINE)
    recipes = {name: "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL)) for name, text in sections}
    names: dict = {}
    exec(recipes["pandas"], names)
    if importlib.util.find_spec("pyarrow"):
        exec(recipes["Parquet"], names)
    if engine not in ("pandas", "Parquet"):
        exec(recipes[engine], names)
    assert "assert" in recipes[engine]


@there("pyspark")
def test_spark_recipe_compiles():
    """The Spark recipe names what exists."""
    recipe = re.search(r"^## Spark\n.*?```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    import ragcite_nb.spark

    compile(recipe[1], "engines.md", "exec")
    assert "ragcite_nb.spark.check(sdf)" in recipe[1]
    assert callable(ragcite_nb.spark.check)
