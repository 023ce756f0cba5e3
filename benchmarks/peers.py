"""Other tools on the same rows in the same run, each doing what it can do of the job.

    pip install groundcite gtrex
    python benchmarks/peers.py --rows 2000

groundcite: numbers, uncited sentences, quotes. gtrex: the two quotes only. difflib: numbers, and quotes by a sliding
window of ``difflib.SequenceMatcher``, as many write it themselves. All get their quotes by one regular expression.
"""

import argparse
import difflib
import re
import time

import pandas as pd
import workload

import ragcite_nb as rc

QUOTE = re.compile(r'"([^"]+)"[^\[]*\[(\d+)')
MARKER = re.compile(r"\[([\d, ]+)\]")


def with_groundcite(rows: list[dict]) -> int:
    from groundcite import NUMERIC, validate

    bad = 0
    for row in rows:
        texts = {n + 1: text for n, text in enumerate(row["sources"])}
        quotes: dict = {}
        for quote, number in QUOTE.findall(row["answer"]):
            if int(number) in texts:
                quotes.setdefault(int(number), []).append(quote)
        report = validate(row["answer"], list(texts), NUMERIC, quotes=quotes, source_texts=texts)
        bad += bool(report.unresolved_refs)
    return bad


def with_gtrex(rows: list[dict]) -> int:
    from gtrex import Policy, Verifier

    policy = Policy()
    absent = 0
    for row in rows:
        for quote, number in QUOTE.findall(row["answer"]):
            if int(number) <= len(row["sources"]):
                absent += not Verifier(row["sources"][int(number) - 1], policy).verify(quote).grounded
    return absent


def with_difflib(rows: list[dict]) -> int:
    bad = 0
    for row in rows:
        count = len(row["sources"])
        numbers = [int(n) for group in MARKER.findall(row["answer"]) for n in group.split(",")]
        bad += any(not 1 <= n <= count for n in numbers)
        for quote, number in QUOTE.findall(row["answer"]):
            if int(number) > count:
                continue
            source, wanted = row["sources"][int(number) - 1].lower(), quote.lower()
            if wanted in source:
                continue
            matcher = difflib.SequenceMatcher(b=wanted, autojunk=False)
            best, step = 0.0, max(1, len(wanted) // 8)
            for start in range(0, max(1, len(source) - len(wanted)), step):
                matcher.set_seq1(source[start : start + len(wanted)])
                if matcher.quick_ratio() > best:
                    best = max(best, matcher.ratio())
    return bad


def with_ragcite(rows: list[dict]) -> int:
    df = pd.DataFrame({"answer": [row["answer"] for row in rows], "sources": [row["sources"] for row in rows]})
    return int((rc.check_frame(df, progress=False)["invalid_citations"] > 0).sum())


TOOLS = {"ragcite_nb": with_ragcite, "groundcite": with_groundcite, "gtrex": with_gtrex, "difflib": with_difflib}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2_000)
    args = parser.parse_args()
    rows = list(workload.rows(args.rows, pool=4_000))
    for name, check in TOOLS.items():
        try:
            check(rows[:20])
        except ImportError as missing:
            print(f"{name}: not installed ({missing.name})")
            continue
        best = None
        for _ in range(3):
            started = time.process_time()
            found = check(rows)
            taken = time.process_time() - started
            best = taken if best is None else min(best, taken)
        print(f"{name}: {len(rows) / best:,.0f} rows/s ({best / len(rows) * 1e6:,.0f} µs a row), found {found}")


if __name__ == "__main__":
    main()
