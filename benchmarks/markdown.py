"""Does the cost of a long Markdown answer grow with its length alone?

    python benchmarks/markdown.py [--sources 20] [--source-kb 5]

Answers of 1 to 64 KB with headings, lists, tables, code, links, emphasis and quotations against the same sources; each
is checked through a frame, in processor time. A quotation in four is altered, so that it is looked up everywhere.
"""

import argparse
import random
import statistics
import time

import pandas as pd

import ragcite_nb as rc

WORDS = [
    *[
        "bells",
        "bronze",
        "casting",
        "clapper",
        "copper",
        "crack",
        "cools",
        "crown",
        "fired",
        "foundry",
        "frame",
        "frost",
    ],
    *[
        "furnace",
        "hall",
        "iron",
        "mould",
        "moulds",
        "pitch",
        "poured",
        "rope",
        "shape",
        "sounds",
        "stands",
        "steel",
        "strike",
    ],
    *["swings", "tin", "tower", "tuned", "wheel", "winter", "wood", "yoke"],
]


def sentence(rng: random.Random) -> str:
    words = rng.choices(WORDS, k=rng.randint(8, 16))
    return f"{' '.join(words).capitalize()} {rng.randint(2, 90)} days."


def block(rng: random.Random, sources: list[str]) -> str:
    """One piece of Markdown of about 400 characters."""
    number = rng.randint(1, len(sources))
    cited = f"[{number}]"
    said = [sentence(rng)[:-1] for _ in range(3)]
    quoted = rng.choice(sources[number - 1].split(". "))
    if rng.random() < 0.25:
        quoted = quoted.replace(" ", " not ", 1)
    return rng.choice(
        (
            f"## {said[0].title()[:40]}\n\n{said[0]} {cited}. **{said[1]}**, as `code[{number}]` shows {cited}.",
            f"- {said[0]} {cited}\n- *{said[1]}* [link](https://bells.example/{number})\n  1. {said[2]} {cited}, see p. 3.",
            f"| Part | Days |\n|---|---|\n| {said[0][:60]} | 12 {cited} |\n| {said[1][:60]} | 30 |",
            f'{said[0]} {cited}. The source says "{quoted}" {cited}. {said[1]}, e.g. {said[2]} [{number}, 1].',
        )
    )


def answer(rng: random.Random, sources: list[str], size: int) -> str:
    blocks: list[str] = []
    while sum(map(len, blocks)) + 2 * len(blocks) < size:
        blocks.append(block(rng, sources))
    return "\n\n".join(blocks)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", type=int, default=20)
    parser.add_argument("--source-kb", type=float, default=5)
    parser.add_argument("--kb", type=int, default=2_000, help="KB of answers in each run")
    args = parser.parse_args()
    rng = random.Random(1)
    texts = []
    for _ in range(args.sources):
        text = ""
        while len(text) < args.source_kb * 1000:
            text += sentence(rng) + " "
        texts.append(text)
    print(f"{args.sources} sources of {args.source_kb:g} KB\n{'KB':>4}{'rows':>7}{'µs a row':>11}{'µs per KB':>11}")
    for size in (1, 2, 4, 8, 16, 32, 64):
        answers = [answer(rng, texts, size * 1000) for _ in range(max(args.kb // size, 8))]
        df = pd.DataFrame({"answer": answers, "sources": [texts] * len(answers)})
        rc.check_frame(df.head(2), progress=False)
        taken = []
        for _ in range(3):
            started = time.process_time()
            rc.check_frame(df, progress=False)
            taken.append(time.process_time() - started)
        spent = statistics.median(taken) * 1e6
        kilobytes = sum(map(len, answers)) / 1000
        print(f"{size:>4}{len(df):>7}{spent / len(df):>11,.0f}{spent / kilobytes:>11.0f}")


if __name__ == "__main__":
    main()
