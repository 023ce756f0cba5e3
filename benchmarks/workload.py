"""Writes logged answers to measure on: every row six sources of about 650 characters and an answer that cites them.

    python benchmarks/workload.py log.parquet --rows 1000000

About one row in ten cites a source that is not there, one in five alters a quote, one in seven leaves a sentence
uncited. 1,000,000 rows hold about 4.5 GB of text. The same arguments always give the same rows.
"""

import argparse
import random
from collections.abc import Iterator

THINGS = [
    "the parcel",
    "the voucher",
    "the battery",
    "the invoice",
    "the return label",
    "the tariff",
    "the meter reading",
    "the safety notice",
    "the spare key",
    "the cargo bike",
    "the annual ticket",
    "the water filter",
    "the repair kit",
    "the delivery slot",
    "the deposit",
    "the access card",
    "the user manual",
    "the smoke detector",
    "the rental contract",
    "the cooling unit",
]
DEEDS = [
    "must be returned",
    "is replaced",
    "is checked",
    "can be cancelled",
    "is delivered",
    "has to be registered",
    "is refunded",
    "can be extended",
    "is inspected",
    "expires",
    "may be transferred",
    "is stored",
]
TERMS = [
    "within {n} days",
    "after {n} months",
    "for a fee of {n}.{m}0 euros",
    "at {n} percent of the price",
    "before week {n}",
    "below {n} degrees",
    "after {n} kilometres",
    "with at least {n} photos",
    "between {m} and {n} o'clock",
    "in {n} of the member states",
]
ENDS = [
    " if the seal is intact",
    " by registered letter",
    " at any branch office",
    " unless a technician objects",
    " for private customers",
    " without further notice",
    " as the appendix describes",
    " during the first year",
    "",
    "",
    "",
    "",
]


def sentence(rng: random.Random) -> str:
    term = rng.choice(TERMS).format(n=rng.randint(2, 98), m=rng.randint(1, 9))
    text = f"{rng.choice(THINGS)} {rng.choice(DEEDS)} {term}{rng.choice(ENDS)}"
    return text[0].upper() + text[1:] + "."


def passages(rng: random.Random, count: int) -> list[list[str]]:
    """Texts of about 650 characters, as their sentences."""
    made = []
    for _ in range(count):
        lines: list[str] = []
        while sum(map(len, lines)) < 600:
            lines.append(sentence(rng))
        made.append(lines)
    return made


def answer(rng: random.Random, sources: list[list[str]]) -> str:
    count = len(sources)
    wrong = rng.randrange(7) if rng.random() < 0.1 else -1
    bare = rng.randrange(7) if rng.random() < 0.15 else -1
    altered = rng.random() < 0.2
    lines = []
    for i in range(7):
        cited = rng.randrange(count)
        said = rng.choice(sources[cited])[:-1]
        numbers = [cited + 1] + ([rng.randint(1, count)] if rng.random() < 0.2 else [])
        if i == wrong:
            numbers[-1] = count + rng.randint(1, 9)
        if i in (2, 5):
            quoted = said
            if altered and i == 2:
                digit = next(c for c in said if c.isdigit())
                quoted = said.replace(digit, str((int(digit) + 3) % 9 + 1), 1)
            said = f'The terms state that "{quoted[0].lower()}{quoted[1:]}"'
        if i == bare:
            lines.append(f"{said}.")
        else:
            marker = "[" + ", ".join(map(str, dict.fromkeys(numbers))) + "]"
            lines.append(f"{said} {marker}." if rng.random() < 0.7 else f"{said}. {marker}")
    return " ".join(lines[:4]) + "\n\n" + " ".join(lines[4:])


def rows(count: int, seed: int = 7, pool: int = 20_000) -> Iterator[dict]:
    """``count`` rows whose sources are drawn from ``pool`` passages."""
    rng = random.Random(seed)
    texts = passages(rng, pool)
    joined = [" ".join(lines) for lines in texts]
    for number in range(count):
        chosen = rng.sample(range(pool), 6)
        yield {
            "id": number,
            "question": "What do the terms say?",
            "answer": answer(rng, [texts[i] for i in chosen]),
            "sources": [joined[i] for i in chosen],
            "model": f"model-{number % 3}",
        }


def main() -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--group", type=int, default=20_000, help="rows per row group")
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    text = 0
    batch: list[dict] = []
    writer = None
    for made, row in enumerate(rows(args.rows, args.seed), 1):
        batch.append(row)
        text += len(row["answer"]) + sum(map(len, row["sources"]))
        if len(batch) == args.group or made == args.rows:
            table = pa.Table.from_pylist(batch)
            writer = writer or pq.ParquetWriter(args.out, table.schema)
            writer.write_table(table)
            batch = []
    if writer is not None:
        writer.close()
    print(f"{args.rows:,} rows, {text / 1e9:.2f} GB of text, {text / max(1, args.rows):,.0f} characters a row")


if __name__ == "__main__":
    main()
