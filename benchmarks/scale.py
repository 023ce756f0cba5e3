"""Checks a parquet file by one engine and says what it took: time, processor time and memory of all processes together.

    python benchmarks/scale.py log.parquet --engine parquet --workers 2

Engines: parquet (``check_parquet``), pandas (``check_frame``, all rows in memory), dask, spark. Memory is the sum of
what every process of the run holds (proportional set size), looked at twice a second.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def with_parquet(src: str, dst: str, workers: int, kept: list[str] | None) -> None:
    import ragcite_nb as rc

    rc.check_parquet(src, dst, workers=workers, columns=kept, progress=False)


def with_pandas(src: str, dst: str, workers: int, kept: list[str] | None) -> None:
    import pandas as pd

    import ragcite_nb as rc

    out = rc.check_frame(pd.read_parquet(src), workers=workers, progress=False)
    (out if kept is None else out[[*kept, *rc.SCHEMA]]).to_parquet(dst)


def with_dask(src: str, dst: str, workers: int, kept: list[str] | None) -> None:
    import dask.dataframe as dd
    import pyarrow as pa
    import pyarrow.parquet as pq
    from distributed import Client, LocalCluster

    import ragcite_nb.dask  # noqa: F401
    from ragcite_nb import SCHEMA
    from ragcite_nb.arrow import schema

    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
        out = dd.read_parquet(src, split_row_groups=True).ragcite.check()
        # Dask cannot tell by itself what an object column holds.
        theirs = [field for field in pq.read_schema(src) if kept is None or field.name in kept]
        (out if kept is None else out[[*kept, *SCHEMA]]).to_parquet(dst, schema=pa.schema([*theirs, *schema()]))


def with_spark(src: str, dst: str, workers: int, kept: list[str] | None) -> None:
    from pyspark.sql import SparkSession

    import ragcite_nb.spark
    from ragcite_nb import SCHEMA

    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = (
        SparkSession.builder.master(f"local[{workers}]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "1000")
        .config("spark.driver.memory", "2g")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    out = ragcite_nb.spark.check(spark.read.parquet(src))
    (out if kept is None else out.select(*kept, *SCHEMA)).write.parquet(dst)
    spark.stop()


ENGINES = {"parquet": with_parquet, "pandas": with_pandas, "dask": with_dask, "spark": with_spark}


def watch(process) -> tuple[float, float, float]:
    """Seconds, processor seconds and the largest memory in GiB of a process and all that it starts."""
    import psutil

    started = time.perf_counter()
    peak = 0
    spent: dict[tuple[int, float], float] = {}
    top = psutil.Process(process.pid)
    while process.poll() is None:
        now = 0
        for one in [top, *_children(top)]:
            try:
                now += one.memory_full_info().pss if hasattr(one.memory_full_info(), "pss") else one.memory_info().rss
                times = one.cpu_times()
                spent[one.pid, one.create_time()] = times.user + times.system
            except psutil.Error:
                continue
        peak = max(peak, now)
        time.sleep(0.5)
    return time.perf_counter() - started, sum(spent.values()), peak / 2**30


def _children(top):
    import psutil

    try:
        return top.children(recursive=True)
    except psutil.Error:
        return []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("src")
    parser.add_argument("--engine", choices=ENGINES, default="parquet")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--columns", nargs="*", help="input columns to keep; by default all")
    parser.add_argument("--run", help=argparse.SUPPRESS)  # the child: do it, into this path
    args = parser.parse_args()
    if args.run:
        ENGINES[args.engine](args.src, args.run, args.workers, args.columns)
        return
    import pyarrow.parquet as pq

    with tempfile.TemporaryDirectory() as folder:
        dst = Path(folder) / "checked.parquet"
        child = subprocess.Popen([sys.executable, *sys.argv, "--run", str(dst)])
        wall, cpu, peak = watch(child)
        if child.returncode:
            sys.exit(child.returncode)
        count = pq.ParquetDataset(dst).read(columns=["valid_citations"]).num_rows
    print(
        f"{args.engine}, {args.workers} workers: {count:,} rows, {wall:.0f} s, {cpu:.0f} s of processor time, "
        f"{peak:.2f} GiB at most, {count / wall:,.0f} rows/s"
    )


if __name__ == "__main__":
    main()
