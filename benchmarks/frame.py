"""What a frame costs beside the check itself, and what several processes gain.

python benchmarks/frame.py --rows 20000 --workers 2
"""

import argparse
import statistics
import time
from functools import partial

import pandas as pd
import workload

import ragcite_nb as rc
from ragcite_nb.check import Checker


def seconds(work, clock=time.perf_counter, times: int = 3) -> float:
    """The median of some runs."""
    taken = []
    for _ in range(times):
        started = clock()
        work()
        taken.append(clock() - started)
    return statistics.median(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=16, help="runs in one process and in several, by turns")
    args = parser.parse_args()
    df = pd.DataFrame(workload.rows(args.rows, pool=4_000))
    rc.check_frame(df.head(50))

    check, found = Checker.rows, (7, 0, 0, 1.0, 7, 7, 2, 0, 1, False, False, "unused_sources")
    Checker.rows = lambda _, rows: [found] * len(rows)
    beside = seconds(lambda: rc.check_frame(df, progress=False), time.process_time, 5)
    Checker.rows = check
    print(f"beside the check: {beside / len(df) * 1e6:.2f} µs a row")

    spread = partial(rc.check_frame, df, workers=args.workers, progress=False)
    cold = seconds(spread, times=1)
    pairs = [
        (seconds(lambda: rc.check_frame(df, progress=False), times=1), seconds(spread, times=1))
        for _ in range(args.pairs)
    ]
    one, warm = (statistics.median(taken) for taken in zip(*pairs, strict=True))
    print(f"1 process: {one:.2f} s, {len(df) / one:,.0f} rows/s, {one / len(df) * 1e6:.0f} µs a row")
    print(f"{args.workers} processes, started first: {cold:.2f} s ({one / cold:.2f} ×)")
    gains = sorted(alone / several for alone, several in pairs)
    print(
        f"{args.workers} processes, already there: {warm:.2f} s ({one / warm:.2f} ×; "
        f"the pairs {gains[0]:.2f} to {gains[-1]:.2f}, median {statistics.median(gains):.2f})"
    )


if __name__ == "__main__":
    main()
