"""What reading costs beside checking, for every format: microseconds an answer.

    python benchmarks/read.py [repetitions]

The payloads are those of the tests. Where the checker can be imported, each row also says what part of a whole check
the reading is.
"""

import json
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "read"))

from read_fixtures import CASES, PAYLOADS  # noqa: E402

from ragcite_nb.read import is_plain, plain_sources, read_answer, read_sources  # noqa: E402

PLAIN = "You can return items within 30 days of delivery [1]. " * 15


def micros(work, repeat):
    """Median CPU time of one call in microseconds."""
    times = []
    for _ in range(repeat):
        started = time.process_time_ns()
        for _ in range(20):
            work()
        times.append((time.process_time_ns() - started) / 20_000)
    return statistics.median(times)


def checker():
    """The whole check, or None while it cannot be imported."""
    try:
        from ragcite_nb.check import check
    except ImportError:
        return None
    return check


def main():
    repeat = int(sys.argv[1]) if len(sys.argv) > 1 else 25
    check = checker()
    by_format = {}
    for payload in [case["input"] for case in CASES] + [
        payload for payload, want in PAYLOADS.values() if "error" not in want
    ]:
        answer = read_answer(payload)
        form = f"{answer.format}{' (log)' if isinstance(payload, (str, list)) and answer.format != 'text' else ''}"
        by_format.setdefault(form, []).append(payload)
    print(f"{'format':44} {'payloads':>8} {'read µs':>9} {'check µs':>9} {'share':>6}")
    for form, payloads in sorted(by_format.items()):
        reading = statistics.mean(micros(lambda p=p: read_answer(p), repeat) for p in payloads)
        whole = statistics.mean(micros(lambda p=p: check(p), max(3, repeat // 5)) for p in payloads) if check else None
        print(
            f"{form:44} {len(payloads):8} {reading:9.1f} "
            + (f"{whole:9.1f} {reading / whole:6.0%}" if whole else f"{'–':>9} {'–':>6}")
        )
    print()
    texts = ["Items may be returned within 30 days of delivery. " * 20] * 5
    objects = [{"page_content": text, "metadata": {"source": "policy.md", "page": 3}} for text in texts]
    as_json, as_repr = json.dumps(texts), repr(texts)
    for name, work in {
        "is_plain, 800 characters": lambda: is_plain(PLAIN),
        "read_answer, 800 characters": lambda: read_answer(PLAIN),
        "plain_sources, 5 strings": lambda: plain_sources(texts),
        "read_sources, 5 strings": lambda: read_sources(texts),
        "read_sources, 5 documents": lambda: read_sources(objects),
        "read_sources, JSON of 5 strings": lambda: read_sources(as_json),
        "read_sources, Python repr of 5 strings": lambda: read_sources(as_repr),
    }.items():
        print(f"{name:44} {'':8} {micros(work, repeat):9.2f}")


if __name__ == "__main__":
    main()
