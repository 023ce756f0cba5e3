"""The main job on the shipped sample: check every answer, print the KPIs and the worst rows, write the report."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import ragcite_nb as rc
from ragcite_nb.report import report

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "demo"


def main() -> None:
    """Run the demonstration; files go to ``demo/``."""
    OUT.mkdir(exist_ok=True)
    df = rc.samples.conversations()
    started = time.perf_counter()
    checked = df.ragcite.check()
    seconds = time.perf_counter() - started
    print(f"{len(df)} logged answers checked in {seconds:.2f} s\n")

    by_model = report(checked, by="model")
    print(by_model)
    print("\nThe worst five rows:")
    columns = [
        "id",
        "model",
        "traceability_score",
        "valid_citations",
        "invalid_citations",
        "uncited_sentences",
        "cite_alerts",
    ]
    print(by_model.worst(5)[columns].to_string(index=False))

    path = OUT / "report.html"
    by_model.to_html(path)
    print(f"\nwrote {path.relative_to(ROOT)}")

    notebook = ROOT / "notebooks" / "01-check-one-answer.ipynb"
    command = [
        sys.executable,
        "-m",
        "nbconvert",
        "--to",
        "html",
        "--execute",
        "--log-level",
        "WARN",
        "--output-dir",
        str(OUT),
    ]
    subprocess.run([*command, str(notebook)], check=True)  # noqa: S603
    print(f"wrote {(OUT / notebook.with_suffix('.html').name).relative_to(ROOT)}")


if __name__ == "__main__":
    main()
