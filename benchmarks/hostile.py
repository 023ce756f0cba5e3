"""How the cost of a check grows with hostile input.

Each input is built so that a careless pattern or loop would take quadratic time or worse. The table gives the CPU time
for n, 2n and 4n characters, and the exponent: 1.0 is linear growth, 2.0 quadratic.

    python benchmarks/hostile.py [--size 100000] [--only NAME] [--slow SECONDS]

Exit status 1 when an input grows faster than n ** 1.5 and takes longer than 0.3 seconds.
"""

import argparse
import math
import sys
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from ragcite_nb.check import check

SOURCES = ["The ferry leaves at 07:40 on weekdays.", "Dogs travel free of charge.", "Bicycles cost 4 euros."]
NAMED = [
    {"id": "guide.pdf", "title": "Ferry guide v2.1", "page": 3, "text": SOURCES[0]},
    {"id": "doc-2", "title": "Pet rules", "section": "5.2", "text": SOURCES[1]},
    {"id": "faq", "title": "FAQ v3.1", "url": "https://ferry.example/faq", "text": SOURCES[2]},
]


class Hostile(NamedTuple):
    """A way to build a hostile answer of about ``n`` characters, with the sources and options that go with it."""

    build: Callable[[int], Any]
    sources: Any = None
    options: Mapping[str, Any] = MappingProxyType({})


def repeated(piece: str, before: str = "", after: str = "", **more: Any) -> Hostile:
    return Hostile(lambda n: before + piece * max(1, n // len(piece)) + after, **more)


def counted(piece: str, before: str = "", **more: Any) -> Hostile:
    """``piece`` with a running number in it, so that no cache helps."""
    return Hostile(lambda n: before + "".join(piece.format(i=i) for i in range(max(1, n // (len(piece) + 3)))), **more)


PLAIN: dict[str, Hostile] = {
    "opening brackets": repeated("["),
    "closing brackets": repeated("]"),
    "bracket pairs": repeated("[]"),
    "nested brackets": Hostile(lambda n: "[" * (n // 2) + "]" * (n // 2)),
    "cut markers": repeated("[1"),
    "cut markers on lines": repeated("[1\n"),
    "cut named markers": repeated("[Source: a "),
    "double brackets open": repeated("[[1"),
    "double brackets": repeated("[[1]]"),
    "marker run": repeated("[1]"),
    "marker run after a word": repeated("[1]", "word"),
    "marker run after an index": repeated("[1]", "a"),
    "marker list": repeated("1, ", "[", "1]"),
    "long group": counted("{i}, ", "["),
    "huge ranges": repeated("[1-999999999] "),
    "many ranges": counted("[{i}-9{i}] "),
    "distinct numbers": counted("It is so [{i}]. "),
    "distinct names": counted("It is so [Source: name {i}]. "),
    "escaped brackets": repeated("\\["),
    "escaped pairs": repeated("\\[1\\]"),
    "backslashes": repeated("\\"),
    "escaped parens": repeated("\\("),
    "link middles": repeated("]("),
    "link starts": repeated("[a]("),
    "nested links": repeated("[a](b"),
    "link texts": repeated("[a [b] "),
    "images": repeated("![a]("),
    "nested images": repeated("[![a](b)"),
    "link targets with parens": repeated("(", "[1](http://a"),
    "link targets with pairs": repeated("()", "[1](http://a"),
    "link titles": repeated('"', "[1](http://a "),
    "link blanks": repeated(" a", "[1](http://a"),
    "tags": repeated("<a "),
    "attributes": repeated('x="'),
    "cite tags": repeated("<cite "),
    "cite tags open": repeated('<cite index="1">'),
    "cite tags closed": repeated("</cite>"),
    "cite tags with text": repeated('<cite index="1">a b'),
    "cohere tags": repeated("<co: 1>"),
    "cohere tags with text": repeated("<co: 1>a b"),
    "cohere pairs": repeated("<co: 1>a</co: 1>"),
    "granite": repeated('<|start_of_cite|>{"document_id": "1"}'),
    "grok": repeated('<grok:render a="b">'),
    "sup": repeated("<sup>1"),
    "file tokens": repeated("<|file-1"),
    "document tags": repeated("<source "),
    "angle brackets": repeated("<"),
    "thinking": repeated("<think>"),
    "thinking ends": repeated("</think>"),
    "turn glyphs": repeated("\ue200cite\ue202turn0search0"),
    "turn glyphs closed": repeated("\ue200cite\ue202turn0search0\ue201"),
    "turn separators": repeated("\ue202turn0search0"),
    "turn openings": repeated("\ue200cite\ue202"),
    "bare turns": repeated("citeturn0search0"),
    "bare turn words": repeated("citeturn"),
    "lenticular": repeated("【4:0†source】"),
    "lenticular open": repeated("【4:0†"),
    "full width": repeated("［1"),
    "ragflow": repeated("##1$$ "),
    "directives": repeated(":cite["),
    "backticks": repeated("`"),
    "backtick runs": Hostile(lambda n: " ".join("`" * (i % 300 + 1) for i in range(n // 150))),
    "backtick words": repeated("`a "),
    "backtick lengths": Hostile(lambda n: " ".join("`" * i for i in range(1, int(math.sqrt(2 * n))))),
    "fences": repeated("```\n"),
    "fences with words": repeated("```a\nb\n"),
    "tildes": repeated("~~~a\n"),
    "dollars": repeated("$"),
    "formulas open": repeated("$x "),
    "formulas": repeated("$x$ "),
    "double dollars": repeated("$$x "),
    "initials": repeated("A. "),
    "abbreviations": repeated("e.g. "),
    "etc": repeated("etc. "),
    "numbers with stops": repeated("1. "),
    "stops": repeated(". "),
    "dots": repeated("."),
    "question marks": repeated("?"),
    "ellipses": repeated("… "),
    "long words with stops": repeated("a.b."),
    "open quotes": repeated('"a. B '),
    "typographic quotes open": repeated("“a. B "),
    "guillemets open": repeated("« a. B "),
    "guillemets reversed": repeated("»a. B "),
    "corner quotes open": repeated("「a。B"),
    "quotes": repeated('"a quoted text" [1] '),
    "distinct quotes": counted('"a quoted text {i}" [1] '),
    "nested quotes": repeated("“„«「"),
    "open parens": repeated("(a. B "),
    "parens": repeated("("),
    "paren pairs": repeated("()"),
    "closed parens": repeated("(a. B) "),
    "emphasis": repeated("**"),
    "emphasis words": repeated("**a "),
    "underscores": repeated("_"),
    "underscore words": repeated("_a."),
    "underscored index": repeated("a_[1]"),
    "list items": repeated("- a\n"),
    "empty list items": repeated("- "),
    "list markers": repeated("- \n"),
    "numbered items": repeated("1. [1] x\n"),
    "deep lists": Hostile(lambda n: "".join(" " * i + "- a\n" for i in range(int(math.sqrt(2 * n))))),
    "block quotes": repeated("> "),
    "quoted lines": repeated("> a\n"),
    "headings": repeated("# a\n"),
    "heading marks": repeated("#"),
    "rules": repeated("- - "),
    "rule lines": repeated("---\n"),
    "broken rules": repeated("- ", "", "x"),
    "star rules": repeated("*", "", "x"),
    "table rows": repeated("| a | b |\n"),
    "table row": repeated("| a "),
    "table cells": repeated("|"),
    "delimiter row": repeated("|-"),
    "delimiter rows": repeated("|--|--|\n"),
    "broken delimiter": repeated("|--", "a | b\n", "x"),
    "pipes and dashes": repeated("a|-\n"),
    "source headings": repeated("Sources:\n"),
    "source headings with entries": repeated("Sources:\n[1] a\n\n"),
    "source headings with blanks": repeated("Sources:\n\n\n"),
    "sources on one line": repeated("[1] a ", "Sources: "),
    "sources with commas": repeated("a, ", "Sources: "),
    "sources then lines": repeated("a\n", "Sources:\n[1] x\n"),
    "source tables": repeated("| 1 | a |\n", "Sources:\n"),
    "heading blanks": repeated("# " + " " * 60 + "\n"),
    "definitions": repeated("[1]: http://a.b\n"),
    "definition starts": repeated("[1]: "),
    "footnotes": repeated("[^1]: a\n"),
    "numbered lines": counted("[{i}] a\n", "x [1]\n\n"),
    "line feeds": repeated("\n"),
    "carriage returns": repeated("\r\n"),
    "blank lines": repeated(" \n"),
    "blanks": repeated(" "),
    "tabs": repeated("\t"),
    "no-break spaces": repeated("\u00a0"),
    "trailing blanks": repeated("a" + " " * 50 + "\n"),
    "one line": repeated("The ferry leaves at seven and goes on "),
    "one word": repeated("a"),
    "one upper-case word": repeated("A"),
    "digits": repeated("1"),
    "digits with stops": repeated("1."),
    "digits with commas": repeated("1,"),
    "figures": counted("It costs {i} euros [1]. "),
    "same figures": counted("The free plan costs {i} euros [1]. "),
    "sentences": repeated("Dogs are free [1]. "),
    "sentences without markers": repeated("Dogs are free. "),
    "short sentences": repeated("A b. "),
    "questions": repeated("Is it so? "),
    "abstentions": repeated("The documents do not mention it. "),
    "cue words": repeated("not mention sources information "),
    "urls": repeated("http://a.b/ "),
    "url": repeated("http://"),
    "url with parens": repeated("(", "http://a.b/"),
    "url with closing parens": repeated(")", "http://a.b/"),
    "url with stops": repeated(".", "http://a.b/"),
    "url with marks": repeated("!?", "http://a.b/"),
    "www": repeated("www."),
    "cjk stops": repeated("。"),
    "cjk sentences": repeated("犬は無料です。"),
    "cjk sentences with markers": repeated("犬は無料です[1]。"),
    "cjk without stops": repeated("犬は無料です"),
    "hindi stops": repeated("क। "),
    "arabic": repeated("كلب؟ "),
    "superscripts": repeated("²"),
    "superscripts after stops": repeated("kg.² "),
    "lone surrogates": repeated("\ud800"),
    "surrogates in words": repeated("a\udfff. B "),
    "nulls": repeated("\0"),
    "nulls in markers": repeated("[1\0]"),
    "bidi controls": repeated("\u202e[1]\u202c "),
    "combining marks": repeated("\u0301"),
    "fill characters": repeated("\uf8ff"),
    "fill characters with stops": repeated("\uf8ff. A "),
    "zero-width": repeated("\u200b"),
    "emoji": repeated("🦭"),
    "ligatures": repeated("ﷺ"),
    "named parts": counted("part {i}, ", "[Source: "),
    "named parts over lines": repeated("[Sources: a, b, c, d, e, f, g, h] "),
    "joined names": repeated("a and ", "[Sources: "),
    "files": repeated("a.pdf, ", "["),
    "file name": repeated("a ", "[", ".pdf]"),
    "file names": repeated("[" + "a " * 60 + ".pdf] "),
    "pandoc": repeated("@a; ", "["),
    "graphrag": repeated("Sources (1), ", "[Data: "),
    "provenance": repeated("[tool:x] "),
    "json braces": repeated("{"),
    "json objects": repeated('{"a":'),
    "json lists": repeated("[["),
    "json answer": repeated("a [1]. ", '{"answer": "', '", "citations": []}'),
    "stream lines": repeated("data: {}\n"),
    "separators": repeated("---\n"),
    "granite evidence": repeated('{"id": "citation"}\n', "Dogs are free.\n"),
    "grounded text": repeated("Grounded answer: "),
}

_ALSO_NAMED = (
    "distinct names",
    "named parts",
    "joined names",
    "files",
    "file names",
    "distinct numbers",
    "bracket pairs",
    "parens",
    "open parens",
    "link starts",
    "cut named markers",
    "paren pairs",
    "closed parens",
    "marker run",
    "nested links",
    "definitions",
)
NAMES: dict[str, Hostile] = {f"{name} (named sources)": PLAIN[name]._replace(sources=NAMED) for name in _ALSO_NAMED}
NAMES |= {
    "words in brackets (named sources)": counted("[word number {i}] ", sources=NAMED),
    "words in parens (named sources)": counted("(word number {i}) ", sources=NAMED),
    "joined words (named sources)": repeated("[" + "a and " * 60 + "b] ", sources=NAMED),
    "distinct joined words (named sources)": counted("[x{i} and " + "a and " * 50 + "b] ", sources=NAMED),
    "section words (named sources)": counted("[Source: a{i}" + " section" * 40 + "] ", sources=NAMED),
    "dated names (named sources)": counted("[Source: a{i} " + "1/" * 60 + "] ", sources=NAMED),
    "page words (named sources)": counted("[Source: a{i} " + "page " * 60 + "] ", sources=NAMED),
    "version words (named sources)": counted("[Source: a{i} " + "v1." * 60 + "x] ", sources=NAMED),
    "links to sources (named sources)": repeated("[1](https://ferry.example/faq) ", sources=NAMED),
    "closing list (named sources)": counted("- name {i}\n", "A [1].\n\nSources:\n", sources=NAMED),
}

OPTIONS: dict[str, Hostile] = {
    "parens (paren)": repeated("(1", options={"syntaxes": ("paren",)}),
    "superscripts (superscript)": Hostile(lambda n: "²" * (n // 4), options={"syntaxes": ("superscript",)}),
    "superscripts with commas (superscript)": repeated("a², ", options={"syntaxes": ("superscript",)}),
    "braces (curly)": repeated("{1", options={"syntaxes": ("curly",)}),
    "list items (block)": repeated("- a\n", "See [1]:\n\n", options={"scope": "block"}),
    "deep lists (block)": Hostile(
        lambda n: "See [1]:\n" + "".join(" " * i + "- a [1]\n" for i in range(int(math.sqrt(2 * n)))),
        options={"scope": "block"},
    ),
    "paragraph (block)": repeated("Dogs are free. ", "", "It is so [1].", options={"scope": "block"}),
    "paragraph of markers (block)": repeated("[1]", "Dogs are free. Cats too. ", options={"scope": "block"}),
    "lead-ins (block)": repeated("See [1]:\n- a\n", options={"scope": "block"}),
    "covered items (block)": Hostile(
        lambda n: "See " + "[1]" * (n // 12) + ":\n\n" + "- a\n" * (n // 6), options={"scope": "block"}
    ),
    "covered sentences (block)": Hostile(
        lambda n: "Dogs go. " * (n // 14) + "It is " + "[1]" * (n // 14) + ".", options={"scope": "block"}
    ),
    "sentences (all)": repeated("Dogs are free. ", options={"claims": "all"}),
    "sentences (zero-based)": repeated("Dogs are free [0]. ", options={"first_number": 0}),
}


def constant(text: str, sources: str) -> Hostile:
    """One answer for sources that grow."""
    return Hostile(lambda n: text, sources)  # noqa: ARG005


def structured(answer: str, citations: Callable[[int], list[dict[str, Any]]], sources: Any = None) -> Hostile:
    """JSON with citations that grow; ``answer`` is repeated as often as there are citations."""
    return Hostile(lambda n: {"answer": answer * len(citations(n)), "citations": citations(n)}, sources)


def annotated(sentence: str, start: int, end: int) -> Hostile:
    """Many sentences, each with the span of a provider's citation in it."""

    def build(n: int) -> Any:
        count, length = n // 40, len(sentence)
        spans = [
            {
                "type": "url_citation",
                "url": "https://a.example",
                "title": "a",
                "start_index": length * i + start,
                "end_index": length * i + end,
            }
            for i in range(count)
        ]
        part = {"type": "output_text", "text": sentence * count, "annotations": spans}
        message = {"type": "message", "role": "assistant", "content": [part]}
        return {"object": "response", "status": "completed", "output": [message]}

    return Hostile(build)


_QUOTED = counted('"dogs are never free {i} times" [1]. ')
_UNKNOWN = counted("x [Source: q{i}]. ")

SOURCE_SIDE: dict[str, Hostile] = {
    "many sources": constant("Dogs are free [1].", "texts"),
    "many named sources": constant("Dogs are free [Source: name 7]. Cats [none].", "named"),
    "many similar names": constant("Dogs are free [Source: the long nam]. ", "named"),
    "unknown names, many sources": Hostile(lambda n: _UNKNOWN.build(n // 100), "named"),
    "long names": constant("Dogs are free [Source: " + "a" * 300 + "]. [guide] (guide)", "long names"),
    "long text, absent quote": constant('"dogs are never ever free on this boat" [1].', "long text"),
    "long text, many quotes": Hostile(lambda n: _QUOTED.build(n // 100), "long text"),
    "repeating text": constant('"abababababababababababababababababababac" [1].', "repeating text"),
    "long quote": constant('"' + "dogs are free " * 100 + '" [1].', "long text"),
    "structured quotes": structured(
        "Dogs [1]. ", lambda n: [{"source": 1, "quote": f"dogs are free {i}"} for i in range(n // 60)]
    ),
    "long structured quote": structured(
        "Dogs [1].", lambda n: [{"source": 1, "quote": "dogs are " * (n // 9)}], "long text"
    ),
    "elided quote": structured("Dogs [1].", lambda n: [{"source": 1, "quote": "dogs ... " * (n // 9)}], "long text"),
    "spans in sentences": annotated("Dogs go. ", 0, 8),
    "spans over sentences": annotated("Dogs go. ", 0, 4000),
    "spans on markers": annotated("Go [1]. ", 3, 6),
    "insertion points": annotated("Dogs go. ", 8, 8),
    "citations beside markers": structured("Go [1]. ", lambda n: [{"source": i % 3 + 1} for i in range(n // 40)]),
    "unknown citations beside markers": structured("Go [1]. ", lambda n: [{"source": 7 + i} for i in range(n // 40)]),
}

ALL = PLAIN | NAMES | OPTIONS | SOURCE_SIDE


def sources_of(row: Hostile, n: int) -> Any:
    """The sources of an input; those that have a word for them grow with it."""
    match row.sources:
        case None:
            return SOURCES
        case "texts":
            return [f"Text {i}." for i in range(n // 50)]
        case "named":
            return [{"id": f"id {i}", "title": f"the long name {i}", "text": f"Text {i}."} for i in range(n // 100)]
        case "long names":
            titled = {"id": "guide", "title": "v1." * (n // 3), "text": "x"}
            return [{"id": "a" * n, "title": "b " * (n // 2), "text": "Text."}, titled]
        case "long text":
            return ["dogs are free of charge on all boats " * (n // 37)]
        case "repeating text":
            return ["ab" * (n // 2)]
    return row.sources


def seconds(row: Hostile, n: int, runs: int = 1) -> float:
    """CPU time of one check of a hostile input of ``n`` characters, the best of several runs."""
    answer, sources = row.build(n), sources_of(row, n)
    best = math.inf
    for _ in range(runs):
        started = time.process_time()
        check(answer, sources, **row.options)
        best = min(best, time.process_time() - started)
        if best > 2:
            break
    return best


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=50_000, help="n, the smallest size in characters")
    parser.add_argument("--only", default="", help="only inputs whose name holds this")
    parser.add_argument(
        "--slow", type=float, default=0.0, help="show only what takes this long at 4n, or grows too fast"
    )
    args = parser.parse_args()
    bad = 0
    print(f"{'input':44} {'n':>8} {'2n':>8} {'4n':>8}  exponent   (ms of CPU, n = {args.size:,})")
    for name, row in ALL.items():
        if args.only not in name:
            continue
        times = []
        for factor in (1, 2, 4):
            times.append(seconds(row, args.size * factor, runs=3))
            if times[-1] > 20:
                break
        exponent = math.log(times[-1] / times[0], 2 ** (len(times) - 1)) if len(times) > 1 else math.inf
        fast = times[-1] > 0.3 and exponent > 1.5
        bad += fast
        if fast or times[-1] >= args.slow:
            shown = " ".join(f"{1000 * t:8.1f}" for t in times) + " " * 9 * (3 - len(times))
            print(f"{name:44} {shown}  {exponent:8.2f} {'  <-- grows too fast' if fast else ''}", flush=True)
    print(f"{bad} of {len(ALL)} grow too fast")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
