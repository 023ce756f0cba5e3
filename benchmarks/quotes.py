"""How well and how fast quotes are found, measured on real prose: docstrings, readmes and licences of this very Python.

    python benchmarks/quotes.py [--quotes 500] [--seed 1] [--timing-only | --quality-only]

Every quote is cut from a text (or from one that is kept out of it), changed in a known way, and looked up. Nothing is
downloaded; other installed packages give other texts and slightly other figures.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import statistics
import sys
import sysconfig
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from ragcite_nb import guards
from ragcite_nb.normalize import fold
from ragcite_nb.quotes import FoldCache, Searcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FOUND = ("verbatim", "normalized", "elided")
LETTERS = "abcdefghijklmnopqrstuvwxyz"
NEGATION = re.compile(r"\b(?:not|no|never|cannot|without)\b")
DIGITS = re.compile(r"\d+")


def paragraphs() -> list[str]:
    """Paragraphs of prose, each once."""
    seen: dict[str, None] = {}
    for text in texts():
        for paragraph in re.split(r"\n\s*\n", text):
            clean = "\n".join(line.strip() for line in paragraph.strip().splitlines())
            if 200 <= len(clean) <= 2_000 and sum(c.isalpha() or c == " " for c in clean) > 0.8 * len(clean):
                seen.setdefault(clean)
    return list(seen)


def texts() -> Iterator[str]:
    paths = sysconfig.get_paths()
    for folder in sorted({paths["purelib"], paths["platlib"]}):
        for info in sorted(Path(folder).glob("*.dist-info")):
            for file in sorted(info.rglob("*")):
                if file.is_file() and file.name.upper().startswith(
                    ("METADATA", "LICENSE", "LICENCE", "COPYING", "NOTICE")
                ):
                    yield file.read_text(encoding="utf-8", errors="replace")
    for file in sorted(Path(paths["stdlib"]).glob("*.py")) + sorted(Path(paths["stdlib"]).glob("[a-m]*/*.py")):
        if "site-packages" in file.parts or "test" in file.parts:
            continue
        try:
            tree = ast.parse(file.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                yield ast.get_docstring(node) or ""


def cut(text: str, rng: random.Random, size: int) -> str:
    """A run of whole words of about ``size`` characters that begins and ends with a letter or digit."""
    spots = [m.start() for m in re.finditer(r"(?<!\S)[^\W_]", text)]
    for _ in range(50):
        start = rng.choice(spots)
        match = re.compile(rf"[\w\W]{{{size},{size + 40}}}?[^\W_](?=[\s,;]|\.\s)").match(text, start)
        if match and len(match[0].split()) > 3:
            return match[0]
    return ""


# ---------------------------------------------------------------- changes: (quote, source) -> (quote, source) or None


def as_it_is(quote: str, source: str, _rng: random.Random) -> tuple[str, str] | None:
    return quote, source


def retyped(quote: str, source: str, rng: random.Random) -> tuple[str, str] | None:
    changes: list[Callable[[str], str]] = [
        lambda q: " ".join(q.split()),
        str.upper,
        lambda q: q[0].swapcase() + q[1:],
        lambda q: q.replace("'", "’").replace('"', "“"),
        lambda q: "".join(chr(ord(c) + 0xFEE0) if c.isdigit() else c for c in q),
        lambda q: q.replace("-", "–"),
        lambda q: q.replace(" ", "\u00a0", 2),
        lambda q: q + "…",
    ]
    for change in rng.sample(changes, 3):
        quote = change(quote)
    return quote, source


def as_extracted(quote: str, source: str, rng: random.Random) -> tuple[str, str] | None:
    """The source as PDF and Markdown leave it; the quote clean."""
    at = source.index(quote)
    clean = " ".join(quote.split())
    words = re.split(r"(\s+)", quote)
    for _ in range(3):
        spot = rng.randrange(0, len(words), 2)
        word = words[spot]
        kind = rng.randrange(6)
        if kind == 0 and len(word) > 6 and word.isalpha():
            words[spot] = f"{word[:3]}-\n{word[3:]}"
        elif kind == 1 and len(word) > 6 and word.isalpha():
            words[spot] = f"{word[:3]}\u00ad{word[3:]}"
        elif kind == 2 and word.isalpha():
            words[spot] = f"**{word}**"
        elif kind == 3 and word.isalpha() and spot:
            words[spot] = f"{word} [{rng.randint(1, 30)}]"
        elif kind == 4:
            words[spot] = word.replace("fi", "ﬁ").replace("fl", "ﬂ")
        elif word.isalpha():
            words[spot] = f"\u200b_{word}_"
    return clean, source[:at] + "".join(words) + source[at + len(quote) :]


def elided(quote: str, source: str, rng: random.Random) -> tuple[str, str] | None:
    words = quote.split(" ")
    if len(words) < 9:
        return None
    low = rng.randint(3, len(words) - 5)
    high = rng.randint(low + 1, len(words) - 3)
    gap = " ".join(words[low:high])
    if DIGITS.search(gap) or guards.negations(fold(gap)):
        return None
    return " ".join([*words[:low], rng.choice(["…", "[...]", "..."]), *words[high:]]), source


def misspelt(quote: str, source: str, rng: random.Random) -> tuple[str, str] | None:
    if len(quote) < 60:
        return None
    chars = list(quote)
    for _ in range(max(1, round(len(quote) * rng.uniform(0.02, 0.05)))):
        at = rng.choice([i for i, c in enumerate(chars) if c.isalpha()])
        kind = rng.randrange(3)
        if kind == 0:
            chars[at] = rng.choice(LETTERS)
        elif kind == 1:
            del chars[at]
        else:
            chars[at] += rng.choice(LETTERS)
        chars = list("".join(chars))
    changed = "".join(chars)
    return None if guards.negations(fold(changed)) != guards.negations(fold(quote)) else (changed, source)


def other_number(quote: str, source: str, rng: random.Random) -> tuple[str, str] | None:
    found = list(DIGITS.finditer(quote))
    if not found:
        return None
    match = rng.choice(found)
    number = str(int(match[0]) + rng.randint(1, 9)) if rng.random() < 0.7 else match[0] + rng.choice("05")
    changed = quote[: match.start()] + number + quote[match.end() :]
    return None if fold(changed) in fold(source) else (changed, source)


def other_negation(quote: str, source: str, rng: random.Random) -> tuple[str, str] | None:
    if match := NEGATION.search(quote):
        word = "can" if match[0] == "cannot" else ""
        changed = quote[: match.start()] + word + quote[match.end() :]
    else:
        match = rng.choice(list(re.finditer(r"\b(?:is|are|may|can|will|must|should|to|be|and)\b", quote)) or [None])
        if match is None:
            return None
        changed = quote[: match.end()] + " not" + quote[match.end() :]
    return None if not changed.strip() or fold(changed) in fold(source) else (changed.strip(), source)


def other_word(quote: str, source: str, rng: random.Random) -> tuple[str, str] | None:
    words = quote.split(" ")
    long = [i for i, word in enumerate(words) if len(word) > 4 and word.isalpha()]
    if not long:
        return None
    at = rng.choice(long)
    words[at] = rng.choice(["kitchen", "government", "violet", "seldom", "margin", "question", "horizon"])
    return " ".join(words), source


CASES: dict[str, tuple[Callable[[str, str, random.Random], tuple[str, str] | None], tuple[str, ...], float]] = {
    "verbatim": (as_it_is, ("verbatim",), 0.995),
    "retyped": (retyped, ("verbatim", "normalized"), 0.995),
    "as extracted": (as_extracted, ("verbatim", "normalized"), 0.995),
    "elided": (elided, ("elided",), 0.995),
    "2-5 % of letters": (misspelt, ("near", *FOUND), 0.97),
    "other number": (other_number, ("altered",), 0.95),
    "other negation": (other_negation, ("altered",), 0.95),
    "other word": (other_word, ("absent", "elsewhere"), 0.95),
}


def in_place(quote: str, passage: str) -> bool:
    """Whether the passage is the quote and nothing more, punctuation at the edges aside."""
    return fold(passage).strip("\"'.,;: ") in fold(quote) or fold(passage, keep_hyphens=True) in fold(quote)


def quality(documents: list[str], held_out: list[str], count: int, seed: int) -> bool:
    good = True
    print(f"{'change':18} {'quotes':>7} {'right':>7} {'goal':>7}  found  statuses")
    for name, (change, right, goal) in CASES.items():
        rng = random.Random(f"{seed} {name}")
        statuses: Counter[str] = Counter()
        misplaced = 0
        for _ in range(20 * count):
            if statuses.total() == count:
                break
            source = rng.choice(documents)
            quote = cut(source, rng, rng.choice([30, 50, 80, 150, 300]))
            case = quote and change(quote, source, rng)
            if not case:
                continue
            quote, source = case
            verdict = Searcher([source]).check(quote, (0,))
            if verdict.status != Searcher([source]).status(quote, (0,)):
                raise AssertionError(quote)
            status = verdict.status
            if status in ("verbatim", "normalized") and not in_place(quote, source[verdict.start : verdict.end]):
                misplaced += 1
                status = f"{status}, misplaced"
            statuses[status] += 1
        share = sum(statuses[status] for status in right) / statuses.total()
        found = sum(statuses[status] for status in FOUND)
        bad = share < goal or (name in ("other number", "other negation", "other word") and found)
        good &= not bad
        print(
            f"{name:18} {statuses.total():7} {share:7.1%} {goal:7.1%} {found:6}  {dict(statuses)}"
            + ("  <-- short" if bad else "")
        )
    rng = random.Random(f"{seed} absent")
    statuses = Counter()
    everything = " ".join(map(fold, documents))
    while statuses.total() < 4 * count:
        quote = cut(rng.choice(held_out), rng, rng.choice([12, 30, 50, 80, 150, 300]))
        if quote and fold(quote) not in everything:
            statuses[Searcher(rng.sample(documents, 4)).status(quote, (0, 1, 2))] += 1
    found = sum(statuses[status] for status in (*FOUND, "elsewhere"))
    good &= not found
    print(
        f"{'absent':18} {statuses.total():7} {statuses['absent'] / statuses.total():7.1%} {'':7} {found:6}"
        f"  {dict(statuses)}"
    )
    return good


def timing(documents: list[str], held_out: list[str], seed: int) -> None:
    rng = random.Random(seed)
    text = "\n\n".join(documents)
    while len(text) < 1_000_000:
        text += "\n\n" + text
    for folded in (False, True):
        print(f"\nmilliseconds for one quote of 80 / 300 characters, source {'' if folded else 'not '}folded before")
        table(text, held_out, rng, folded=folded)


def table(text: str, held_out: list[str], rng: random.Random, *, folded: bool) -> None:
    print(
        f"{'source':>9}"
        + "".join(f"{kind:>18}" for kind in ("verbatim", "retyped", "misspelt", "other number", "absent"))
    )
    for size in (1_000, 10_000, 100_000, 1_000_000):
        line = f"{size:9,}"
        for change in (as_it_is, retyped, misspelt, other_number, None):
            cells = []
            for length in (80, 300):
                times = []
                for _ in range(200):
                    if len(times) == (15 if size < 1_000_000 else 5):
                        break
                    at = rng.randrange(0, len(text) - size)
                    source = text[at : at + size]
                    quote = cut(source if change else rng.choice(held_out), rng, length)
                    case = quote and (change(quote, source, rng) if change else (quote, source))
                    if not case:
                        continue
                    cache = FoldCache(200_000_000)
                    if folded:
                        cache.fold(case[1])
                    started = time.process_time()
                    Searcher([case[1]], cache).status(case[0], (0,))
                    times.append((time.process_time() - started) * 1000)
                cells.append(f"{statistics.median(times):.3f}" if times else "-")
            line += f"{' / '.join(cells):>18}"
        print(line)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quotes", type=int, default=500, help="quotes of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timing-only", action="store_true")
    parser.add_argument("--quality-only", action="store_true")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    found = paragraphs()
    rng.shuffle(found)
    half = len(found) // 2
    inside, held_out = found[:half], found[half:]
    documents = ["\n\n".join(inside[at : at + 5]) for at in range(0, len(inside), 5)]
    print(
        f"{len(found):,} paragraphs, {len(documents):,} documents "
        f"of {statistics.median(map(len, documents)):,.0f} characters"
    )
    good = args.timing_only or quality(documents, held_out, args.quotes, args.seed)
    if not args.quality_only:
        timing(documents, held_out, args.seed)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
