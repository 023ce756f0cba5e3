"""Break valid citations on purpose and see how often the true source is suggested first.

    python benchmarks/mend.py answers.jsonl.gz [--rows 800] [--each 3] [--seed 1] [--kinds page …] [--half odd] [--left FILE]

Each line of the file is an object with ``answer`` and ``sources`` (objects with ``id`` and ``text``; an id that ends in
``#page=n`` gives the page). Rows with two sources of one id are left out: their citations fit no single source. Of each
answer some citations that fit one source are broken, one at a time:

- number: sources are numbered, the number is one beyond the last or one before the first;
- page: the page in the name becomes the next one that no source has;
- version: the same with a version behind the name;
- zero: the numbers of the whole answer count from 0;
- marker: the marker is taken out.

"true first" is how often the cited source is the first suggestion, "or twin" adds those where a twin of it is.

For each the same is done with the true source taken out: then nothing should be suggested. Taking out the one source
that is cited ("none, cited out") is not enough to take the truth away where another source says the same; so "none, all
out" is measured with its twins taken out too. A twin is a source in which the passage of the cited source that is most
like the sentence stands as well (``SAME`` of 100 letter for letter), or that is more like the sentence, letter for
letter, than the cited source itself, and not merely by chance (``ALIKE``). This is told by letters alone, while
suggestions rest on weighted words, so that one does not measure itself. Cases without any source left are not counted.
Letters miss what is said in other words: ``--left FILE`` writes what is suggested nevertheless, for reading.

``--half even`` and ``--half odd`` take every other row: thresholds are chosen on the even rows, judged on the odd ones.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import time
from collections import Counter, defaultdict
from pathlib import Path

from rapidfuzz import fuzz

import ragcite_nb as rc
from ragcite_nb.write.answer_format import bare_sentence

PAGE = re.compile(r"^(.*?)(?:#page=(\d+))?$")
KINDS = ("number", "page", "version", "zero", "marker")
SAME = 80
ALIKE = 70


def read(path: Path, rows: int):
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    for line in data.decode("utf-8").splitlines()[:rows]:
        yield json.loads(line)


def candidates(result):
    """Citations that stand alone in their marker, fit one source, and are the only ones of their claim."""
    for i, citation in enumerate(result.citations):
        alone = citation.status == "valid" and len(citation.sources) == 1
        if not alone or citation.marker is None or citation.sentence is None:
            continue
        sentence = result.sentences[citation.sentence]
        long_enough = len(bare_sentence(result, citation.sentence).split()) >= 4
        only = len(result.markers[citation.marker].citations) == len(sentence.citations) == 1
        if only and long_enough and sentence.kind == "claim":
            yield i


def twins(result, index: int) -> set[int]:
    """The sources that say what the cited source says about the sentence, without that source itself."""
    citation = result.citations[index]
    sentence = bare_sentence(result, citation.sentence).casefold()
    texts = [(source.text or "").casefold() for source in result.sources]
    at = fuzz.partial_ratio_alignment(sentence, texts[citation.source])
    if at is None:
        return set()
    # A sentence that is longer than the source is compared with all of it.
    whole = len(sentence) > len(texts[citation.source])
    passage = texts[citation.source] if whole else texts[citation.source][at.dest_start : at.dest_end]
    return {
        s
        for s, text in enumerate(texts)
        if s != citation.source
        and (fuzz.partial_ratio(passage, text) >= SAME or fuzz.partial_ratio(sentence, text) >= max(ALIKE, at.score))
    }


class Broken:
    """One answer with one broken citation."""

    def __init__(self, result, broken: int, kind: str, out=frozenset()) -> None:
        self.result, self.broken, self.kind = result, broken, kind
        self.true = result.citations[broken].source
        self.kept = [s for s in range(len(result.sources)) if s not in out]
        self.at = -1

    def names(self):
        found = [PAGE.match(str(self.result.sources[s].id)) for s in range(len(self.result.sources))]
        return [(m[1], int(m[2] or 1)) for m in found]

    def mark(self, source: int, *, broken: bool) -> str:
        if self.kind in ("number", "zero", "marker"):
            if broken and self.kind == "number":
                return "[0]" if self.low else f"[{len(self.kept) + 1}]"
            if broken and self.kind == "marker":
                return ""
            if source not in self.kept:
                return f"[{len(self.kept) + 1}]" if broken else ""
            return f"[{self.kept.index(source) + (self.kind != 'zero')}]"
        name, page = self.names()[source]
        if broken:
            while (name, page) in self.names():
                page += 1
        return f"[{name}#page={page}]" if self.kind == "page" else f"[Source: {name} v1.{page}]"

    @property
    def low(self) -> bool:
        return self.true == 0

    def build(self):
        result, pieces, at = self.result, [], 0
        for i, marker in enumerate(result.markers):
            cited = [c for c in marker.citations if result.citations[c].source is not None]
            pieces.append(result.text[at : marker.start])
            if self.broken in marker.citations:
                self.at = sum(map(len, pieces))
                self.marker = i
                pieces.append(self.mark(self.true, broken=True))
            else:
                pieces += [self.mark(result.citations[c].source, broken=False) for c in cited]
            at = marker.end
        text = "".join([*pieces, result.text[at:]])
        sources = []
        for s in self.kept:
            source = result.sources[s]
            name, page = self.names()[s]
            if self.kind == "page":
                sources.append({"id": source.id, "text": source.text})
            elif self.kind == "version":
                sources.append({"title": name, "version": f"1.{page}", "text": source.text})
            else:
                sources.append(source.text)
        return text, sources

    def suggested(self):
        """The sources suggested for the broken place, by their first positions; ``None`` if nothing is broken."""
        text, sources = self.build()
        if self.kind == "zero" and "[0]" not in text:
            return None  # all numbers fit: nothing can be seen
        checked = rc.check(text, sources)
        if self.kind == "marker":
            sentence = next(
                (i for i, s in enumerate(checked.sentences) if s.start <= self.at <= s.end and s.kind == "claim"), None
            )
            if sentence is None or checked.sentences[sentence].citations:
                return None
            found = [s for s in checked.suggest() if s.fault == "claim" and s.index == sentence]
        else:
            index = next((i for i, c in enumerate(checked.citations) if c.start == self.at), None)
            if index is None or (self.kind != "zero" and checked.citations[index].status == "valid"):
                return None
            found = [s for s in checked.suggest() if s.fault == "citation" and s.index == index]
        return [self.kept[s.source] for s in found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("path", type=Path)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--each", type=int, default=3, help="citations broken per answer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--half", choices=("even", "odd"), help="every other row only")
    parser.add_argument(
        "--left", type=Path, help="write here what is suggested with the truth taken out, as JSON lines"
    )
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    options = parser.parse_args()
    counts: dict[str, Counter] = defaultdict(Counter)
    remaining: list[dict[str, str]] = []
    started = time.perf_counter()
    for number, row in enumerate(read(options.path, options.rows)):
        if options.half and number % 2 != (options.half == "odd"):
            continue
        result = rc.check(row["answer"], row["sources"])
        if any(s.id is None for s in result.sources) or len({str(s.id) for s in result.sources}) < len(result.sources):
            continue
        chosen = list(candidates(result))
        rng = random.Random(f"{options.seed} {number}")  # the same of a row, whichever rows are taken
        for index in rng.sample(chosen, min(options.each, len(chosen))):
            true, twin = result.citations[index].source, twins(result, index)
            for kind in options.kinds:
                if kind == "number" and true not in (0, len(result.sources) - 1):
                    continue
                count = counts[kind]
                found = Broken(result, index, kind).suggested()
                if found is not None:
                    count["broken"] += 1
                    count["first"] += found[:1] == [true]
                    count["or twin"] += bool(found) and found[0] in {true, *twin}
                    count["listed"] += true in found
                    count["silent"] += not found
                if kind == "zero":
                    continue
                for name, out in (("cited out", {true}), ("all out", {true, *twin})):
                    left = len(out) < len(result.sources)
                    found = Broken(result, index, kind, out).suggested() if left else None
                    if found is not None:
                        count[name] += 1
                        count[f"none, {name}"] += not found
                        if found and name == "all out":
                            claim = bare_sentence(result, result.citations[index].sentence)
                            suggested = result.sources[found[0]].text
                            remaining.append({"break": kind, "claim": claim, "suggested": suggested})
    heads = ("cases", "true first", "or twin", "listed", "silent", "cited out", "none", "all out", "none")
    print(f"{'break':<9}" + "".join(f"{head:>11}" for head in heads))
    for kind, c in counts.items():
        broken = max(c["broken"], 1)
        cells = [str(c["broken"]), *(f"{c[name] / broken:.1%}" for name in ("first", "or twin", "listed", "silent"))]
        for name in ("cited out", "all out"):
            cells += [str(c[name]), f"{c[f'none, {name}'] / max(c[name], 1):.1%}"]
        print(f"{kind:<9}" + "".join(f"{cell:>11}" for cell in cells))
    print(f"{time.perf_counter() - started:.0f} s")
    if options.left:
        options.left.write_text("".join(json.dumps(one) + "\n" for one in remaining), encoding="utf-8")


if __name__ == "__main__":
    main()
