"""How often a report calls equal groups different, and how often it sees a difference that is there.

Each run simulates two models that answer by the same rule (or by one that cites worse) and asks the report for its
verdict over all outcomes together. Questions differ in how well they can be cited, claims are few, faults are rare: the
shape of real logs.

    python benchmarks/noise.py [runs]
"""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd

from ragcite_nb.frame import SCHEMA
from ragcite_nb.report import report

FAULTS = 0.05
"""Share of responses with an invalid citation, and with a quote that is not found."""


def answers(rng: np.random.Generator, hard: np.ndarray, model: str, questions: np.ndarray, loss: float) -> pd.DataFrame:
    size = hard.size
    claims = rng.integers(0, 9, size)
    cited = rng.binomial(claims, hard * (1 - loss))
    invalid, altered = rng.random((2, size)) < FAULTS
    values = {
        "valid_citations": cited,
        "invalid_citations": invalid,
        "uncited_sentences": claims - cited,
        "traceability_score": np.where(claims > 0, cited / np.maximum(claims, 1), np.nan),
        "cite_sentences": claims + 1,
        "cite_claims": claims,
        "cite_quotes": np.ones(size),
        "cite_quotes_not_found": altered,
        "cite_unused_sources": np.zeros(size),
        "cite_truncated": np.zeros(size, dtype=bool),
        "cite_abstained": claims == 0,
        "cite_alerts": np.where(invalid, "invalid_citation", ""),
        "cite_error": [None] * size,
    }
    columns = {name: pd.Series(values[name]).astype(dtype) for name, dtype in SCHEMA.items()}
    return pd.DataFrame({"model": model, "question": questions, **columns})


def called_different(rng: np.random.Generator, size: int, *, paired: bool, loss: float = 0.0) -> bool:
    hard = rng.beta(6, 1.5, size)
    other = hard if paired else rng.beta(6, 1.5, size)
    numbers = np.arange(size)
    frame = pd.concat(
        [
            answers(rng, hard, "a", numbers, 0.0),
            answers(rng, other, "b", numbers if paired else numbers + size, loss),
        ],
        ignore_index=True,
    )
    return any(comparison.different for comparison in report(frame, by="model").comparisons)


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rng = np.random.default_rng(2024)
    print(f"of {runs} pairs of groups, called different:")
    for size in (20, 100, 500):
        for paired in (True, False):
            equal = sum(called_different(rng, size, paired=paired) for _ in range(runs)) / runs
            worse = sum(called_different(rng, size, paired=paired, loss=0.1) for _ in range(runs // 4)) / (runs // 4)
            how = "same questions " if paired else "other questions"
            print(f"  {size:>4} each, {how}: equal {equal:5.1%}, one that cites a tenth less {worse:5.1%}", flush=True)


if __name__ == "__main__":
    main()
