"""100,000 rows, one in a hundred broken in one of twenty ways: is every good row checked and every bad one named?

python benchmarks/broken.py
"""

import argparse
import datetime as dt
import time

import numpy as np
import pandas as pd

import ragcite_nb as rc

SOURCES = ["Returns take 30 days.", "Shipping costs 4.90 euros.", "The warranty lasts 24 months."]

BROKEN_SOURCES = {
    "a number": 3,
    "a fraction": 2.5,
    "a truth value": True,
    "a date": dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
    "a day": dt.date(2026, 1, 1),
    "a duration": dt.timedelta(3),
    "a timestamp": pd.Timestamp("2026-01-01"),
    "an array printed into CSV": "['Returns take' 'Shipping costs'\n 'The warranty']",
    "a printed array with a gap": "['a' 'b' ... 'z']",
    "a list of numbers": [1, 2],
    "an array of numbers": np.array([1.5, 2.5]),
    "a set of numbers": {1, 2},
    "an object without fields": object(),
    "a function": print,
    "a class": dict,
    "a complex number": 3j,
    "a range of numbers": [[1], [2]],
}
BROKEN_ANSWERS = {
    "a number": 7,
    "an object without an answer": {"no": "answer"},
    "a date": dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
}
KINDS = [("sources", *item) for item in BROKEN_SOURCES.items()] + [("answer", *item) for item in BROKEN_ANSWERS.items()]
"""Twenty kinds of cells that no reading fits: (column, what it is, the cell)."""


def frame(rows: int, every: int) -> tuple[pd.DataFrame, pd.DataFrame, np.ndarray]:
    """A frame with one row in ``every`` broken, the same frame without faults, and the positions of the broken rows."""
    answers: list = [f"Row {i}: it takes 30 days [{i % 4 + 1}]. It is free." for i in range(rows)]
    sources: list = [SOURCES] * rows
    good = pd.DataFrame({"answer": pd.Series(answers, dtype=object), "sources": pd.Series(sources, dtype=object)})
    broken = np.arange(every // 2, rows, every)
    answers, sources = list(answers), list(sources)
    for turn, position in enumerate(broken):
        column, _, cell = KINDS[turn % len(KINDS)]
        (sources if column == "sources" else answers)[position] = cell
    bad = pd.DataFrame({"answer": answers, "sources": sources}, dtype=object)
    return bad, good, broken


def faults(out: pd.DataFrame, good: pd.DataFrame, broken: np.ndarray) -> list[str]:
    """What is wrong with a run; nothing, it is hoped."""
    found = []
    named = out["cite_error"].notna().to_numpy()
    expected = np.zeros(len(out), bool)
    expected[broken] = True
    for position in np.flatnonzero(named != expected)[:20]:
        kind = KINDS[list(broken).index(position) % len(KINDS)][:2] if expected[position] else "a good row"
        found.append(f"row {position} ({kind}): cite_error is {out['cite_error'].iloc[position]!r}")
    for turn, position in enumerate(broken):
        reason, column = out["cite_error"].iloc[position], KINDS[turn % len(KINDS)][0]
        if isinstance(reason, str) and not reason.startswith(f"{column}: "):
            found.append(f"row {position}: {reason!r} does not name the column {column!r}")
    columns = [name for name in rc.SCHEMA if name != "cite_error"]
    if not out.loc[expected & named, columns].isna().all(axis=None):
        found.append("a broken row has figures")
    if not out.loc[~expected, columns].equals(good.loc[~expected, columns]):
        found.append("a good row has other figures than without the broken ones")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args()
    bad, good, broken = frame(args.rows, 100)
    cells = [list(bad["answer"]), list(bad["sources"])]
    started = time.perf_counter()
    out = rc.check_frame(bad, workers=args.workers)
    seconds = time.perf_counter() - started
    found = faults(out, rc.check_frame(good), broken)
    if any(
        now is not then
        for name, was in zip(("answer", "sources"), cells, strict=True)
        for now, then in zip(bad[name], was, strict=True)
    ):
        found.append("the input changed")
    reasons = out["cite_error"].dropna()
    print(f"{len(out):,} rows in {seconds:.1f} s, {len(broken):,} broken, {len(reasons):,} named, {len(found)} faults")
    for (column, kind, _), reason in zip(KINDS, reasons, strict=False):
        print(f"  {column}, {kind}: {reason[:110]}")
    print("\n".join(found))


if __name__ == "__main__":
    main()
