"""One pass over an answer: its citation markers, the regions that are no prose (code, maths, links), and its quotations.

Numbers in brackets are told first and at once, for most markers are that. The few characters at which anything else can
begin are looked for one by one, which is faster than looking for a class of characters; what begins there is decided by
hand. A marker is judged where it stands: in code it is code, after an identifier it is an index, in ``[text](url)`` it is
a link. Each step looks ahead a bounded distance, so that hostile text costs linear time.
"""

from __future__ import annotations

import re
import sys
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from ragcite_nb import markers
from ragcite_nb.markers import Parsed
from ragcite_nb.resolve import Reading, Resolved
from ragcite_nb.segment import FILL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragcite_nb.markers import Syntax
    from ragcite_nb.resolve import SourceIndex


class Mark(NamedTuple):
    """A marker in its place. ``wraps`` is the span of answer text that the marker's tags enclose."""

    start: int
    end: int
    reading: Reading
    url: str | None = None
    wraps: tuple[int, int] | None = None


_named: Any = tuple.__new__  # a quarter of the time that Scan(...) takes


MarkFields = tuple[int, int, Reading, "str | None", "tuple[int, int] | None"]
"""The fields of a :class:`Mark` without their names: naming takes longer than finding, and counting needs no names."""


class Scan(NamedTuple):
    """What one pass found, each in order of place."""

    marks: list[MarkFields]
    masks: list[tuple[int, int]]
    quotes: list[tuple[int, int]]
    """Spans of quoted text, without the quotation marks."""
    leaks: list[tuple[int, int]]
    images: list[tuple[int, int]]
    wraps: bool
    """Whether a mark may wrap answer text: the text holds a tag."""
    kept: list[tuple[int, int]]
    """Spans in which no sentence ends: the quotations, and sentences between single quotation marks."""
    masked: str | None = None
    """The text with its markers filled, where the markers are all that is to be masked."""

    def named(self) -> list[Mark]:
        """The marks with the names of their fields; the list stays the same."""
        marks: list[Any] = self.marks
        marks[:] = map(Mark._make, marks)
        return marks


_BEFORE_NUMBERS = frozenset(' \n"*,.;!?|[]()”»’%。，、：；！？（）」')
_AFTER_NUMBERS = _BEFORE_NUMBERS - {"("}
_NUMBERS = re.compile(r" ?\d{1,4}(?: ?[,;–-] ?\d{1,4})*+ ?")
_OPENERS = '"“”„«»「」『』【［`$\\<(\ue200\ue202'
"""What anything but a square bracket begins with."""
_CLOSES = {"“": "”", "„": "“”", "«": "»", "»": "«", "「": "」", "『": "』"}
_START = itemgetter(0)
_LONGEST_QUOTE = 1500
_LONGEST_SPAN = 2000
"""How far apart the two ends of a code span or formula may be."""
_HELD_TOGETHER = re.compile(r"(?<=(?<!\w)['‘])[A-ZÀ-Ý][^'‘’\n]{1,300}+(?=['’](?!\w))|《[^《》\n]{1,200}》")
"""Sentences between single quotation marks, and titles."""
_SENTENCE_IN_SINGLE = re.compile(r"'(?<=[.?!]')")
_QUOTE_BREAK = re.compile(r"\n[ \t]*(?:\n|[-*+•][ \t]|\d{1,3}[.)][ \t]|#|\||```)")
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
_FIGURE = re.compile(r"\s*(?:[1-9]\d{0,2}(?:,\d{3})*,0\d\d(?:,\d{3})*|\d{1,2}([/.-])\d{1,2}\1\d{4})\s*")
"""One number with separators, such as 10,000, told by a group that begins with 0; and dates."""
_BESIDE_INTERVAL = ("→", "->", "∪", "∩", "×")
_BEFORE_INTERVAL = ("∈", "∉", *_BESIDE_INTERVAL)
_RUN = re.compile(r"(?:\[[^\[\]\n]{1,40}\])+")
_AFTER_INDEX = re.compile(r"\.[a-zA-Z_]|[ \t]{0,2}[+\-*/]?=(?!=)|\((?![^()\s]{0,200}(?:://|[/#])|\s)")
_TOKEN = re.compile(r"[\w.]+$")
_SHORTENED = frozenset({"e.g", "i.e", "a.m", "p.m", "z.b", "d.h", "p.ex", "c.f"})
_CAMEL = re.compile(r"[a-z]{2,}[0-9]*(?:[A-Z][a-z0-9]*)+")  # rowItems; kWh and xAPI are words
_LINK_TARGET = re.compile(
    r"\((?P<url>(?>[^()\s]|\([^()\n]{0,200}\)|(?<=\S) (?=\S[^\n\"]{0,40}\)))*)(?:\s+[\"'(][^\n]{0,200}?[\"')])?\s*\)"
)
_TARGET_LIKE = re.compile(r"$|#|[a-zA-Z][\w+.-]*:|www\.|[./~]|\S*[/.]\S*$")
"""What can be the target of a link: empty, an anchor, a scheme, a path, a file or host name."""
_BRACKET = re.compile(r"\[[^\[\]\n]{1,400}+\]")
_TEXT_LINK = re.compile(r"\[(?>[^\[\]\n]|!?\[[^\[\]\n]{0,200}\](?:\([^()\n]{0,300}\))?){1,400}\](?=\()")
_URLS = re.compile(r"(?:https?://|www\.)[^\s<>\"'“”«»\[\]【】［］（），。！？；：、「」『』|`\\]+")
_UNIT_BEFORE = re.compile(r"(?<![^\W\d_])(?:[kcdmµn]?m|km|ft|in|yd|mi|s|x|n|r|\d+)$", re.IGNORECASE)
_LINE_REST = re.compile(r"[^\[\]\n]{0,160}")
_SHORTEST_INTERVAL = len("[1-3]")
_STATISTICS = re.compile(r"(?:\b(?:CI|IC|KI|CrI|IQR)|\brange|\binterval|\bintervalle?|\bSpanne)s?\s*[:=,]?\s*$")
_ENDS_STATISTICS = frozenset(["CI", "IC", "KI", "rI", "QR", "ge", "al", "ll", "le", "ne"])
"""How what stands there may end: a cheap first look."""
_INTERVAL_WORDS = re.compile(
    r"(?:\b(?:in|from|range|interval|intervalle|intervall|between|domain|over))\s*$", re.IGNORECASE
)


class Scanner:
    """Scans answers for one choice of opt-in syntaxes.

    >>> from ragcite_nb.resolve import SourceIndex
    >>> found = Scanner().scan("It is free [1], see `a[2]`.", SourceIndex(2), [])
    >>> [mark[:2] for mark in found.marks], found.masks
    ([(11, 14)], [(20, 26)])
    """

    def __init__(self, optional: Sequence[str] = ()) -> None:
        self._rows = markers.by_opening(tuple(optional))
        openers = dict.fromkeys([*_OPENERS, *(c for c in self._rows if c not in "[#:")])
        self._openers = tuple(openers)
        self._ascii_openers = tuple(filter(str.isascii, openers))
        self._superscript = "superscript" in optional

    def scan(self, text: str, index: SourceIndex, regions: list[tuple[int, int]]) -> Scan:
        """Scan ``text``; nothing is looked for in ``regions``, which are sorted."""
        marks: list[MarkFields] = []
        masks: list[tuple[int, int]] = []
        quotes: list[tuple[int, int]] = []
        leaks: list[tuple[int, int]] = []
        images: list[tuple[int, int]] = []
        wraps = "<" in text
        found: Scan = _named(Scan, (marks, masks, quotes, leaks, images, wraps, quotes, None))
        plain, places, filled = _plain(text, index)
        colon = ":" in text
        places += self._places(text, wide=("$" in text and "$$" in text) or (colon and ":cite[" in text))
        places.sort()
        skip = 0
        skipped: list[tuple[int, int]] = []
        opened, opener, closer = -1, "", ""
        nested = False  # whether the open quotation holds another of its kind
        pairs: dict[int, int] | None = None
        urls = [_url_span(text, m) for m in _URLS.finditer(text)] if (colon and "://" in text) or "www." in text else []
        blocked = _merged(regions, urls) if urls else regions
        next_region = 0
        region_start = blocked[0][0] if blocked else _FAR
        code_runs: _CodeRuns | None = None
        for at in places:
            if at >= region_start:
                skip, next_region, region_start = _past(blocked, next_region, at, skip)
            if at < skip:
                continue
            char = text[at]
            if char == '"':
                before, after = text[at - 1 : at], text[at + 1 : at + 2]
                if opened >= 0 and opener == '"':
                    if before in _BEFORE_QUOTE and not after.isspace():
                        opened = at  # this one can only open: the last one was never closed
                    else:
                        _close(text, opened, at, quotes)
                        opened = -1
                elif opened < 0:
                    if (before in _BEFORE_QUOTE or _opens(text, at)) and not after.isspace():
                        opened, opener, closer, nested = at, '"', '"', False
                elif opener in "“„" and _closes_plainly(text, opened, at):
                    _close(text, opened, at, quotes)
                    opened = -1
                continue
            if char in "“”„«»「」『』":
                if opened >= 0 and char in closer:
                    if nested or (char == "“" and _leads(text, at)):
                        if pairs is None:
                            pairs = _pairs(text)
                        if pairs.get(opened, at) > at:
                            nested = True
                            continue
                    _close(text, opened, at, quotes)
                    opened = -1
                elif (
                    char in _CLOSES
                    and (opened < 0 or at - opened > _LONGEST_QUOTE or (opener == '"' and char == "“"))
                    and (char != "»" or (_opens(text, at) and "«" in text[at : at + _LONGEST_QUOTE]))
                ):
                    opened, opener, closer, nested = at, char, _CLOSES[char], False
                elif char == opener:
                    nested = True
                continue
            if char == "[":
                skip = self._square(text, at, index, found)
            elif char == "`":
                if code_runs is None:
                    code_runs = _CodeRuns(text)
                skip = code_runs.end(at)
                if skip > at + 1 and text[skip - 1] == "`" and skip > code_runs.run_end(at):
                    masks.append((at, skip))
            elif char == "$":
                skip = _maths(text, at, masks)
            else:
                skip = self._other(text, at, char, index, found)
            if skip > at + 1:
                skipped.append((at, skip))
        turns = "citeturn" in text
        masked = None
        if skipped or blocked:
            plain = _outside(plain, sorted([*skipped, *blocked]))
        elif not (marks or wraps or turns):
            masked = "".join(filled)
        marks[:] = sorted([*plain, *marks], key=_START) if marks else plain
        if turns:
            self._bare_turns(text, index, found, blocked)
        if urls:
            taken = sorted([*(mark[:2] for mark in marks), *masks, *images, *regions])
            masks += _outside(urls, taken)
            masks.sort()
        kept = quotes
        if ("'" in text and _SENTENCE_IN_SINGLE.search(text)) or "’" in text or "《" in text:
            kept = sorted([*quotes, *(m.span() for m in _HELD_TOGETHER.finditer(text))])
        made: Scan = _named(Scan, (marks, masks, quotes, leaks, images, wraps, kept, masked))
        return made

    def _places(self, text: str, *, wide: bool) -> list[int]:
        """Where anything but a square bracket may begin, in order; ``wide``: also the syntaxes behind "#" and ":"."""
        places: list[int] = []
        for char in self._ascii_openers if text.isascii() else self._openers:
            if char in text:
                places += _all(text, char)
        if wide:
            places += [*_all(text, "#"), *_all(text, ":")]
        places.sort()
        return places

    def _square(self, text: str, start: int, index: SourceIndex, found: Scan) -> int:
        """What begins with a square bracket; returns where to go on."""
        if text.startswith("[[[", start):
            return start + 1  # at most two brackets belong to a marker
        before = text[start - 1 : start]
        m = _BRACKET.match(text, start)
        if before == "!":  # an image
            m = m or _TEXT_LINK.match(text, start)
            end = m.end() if m else start + 1
            target = _LINK_TARGET.match(text, end) if m else None
            if target:
                found.images.append((start - 1, target.end()))
                return target.end()
            return end
        if m is None:
            if text.startswith("[[", start) and (double := self._row(text, start, "[", index, found)):
                return double
            if _TEXT_LINK.match(text, start):
                return start + 1
            return self._cut(text, start, index, found)
        end = m.end()
        after = text[end : end + 1]
        if after == "(" and (target := _LINK_TARGET.match(text, end)):
            linked = self._link(text, start, end, target, index, found)
            if linked:
                return linked
        if after == ":" and _at_line_start(text, start) and text[end + 1 : end + 2] in (" ", "\t", ""):
            found.masks.append((start, end))
            return end
        if before.isalnum() or before == "_":
            run = _RUN.match(text, start)
            run_end = run.end() if run else end
            if _is_index(text, start, run_end, index):
                return run_end
        marked = self._row(text, start, "[", index, found)
        return marked or start + 1

    def _link(self, text: str, start: int, end: int, target: re.Match[str], index: SourceIndex, found: Scan) -> int:
        """``[1](url)`` is a citation with its link; the text of any other link is prose, its target is not."""
        url = target["url"]
        if not _TARGET_LIKE.match(url) or (not url and text[start - 1 : start].isalnum()):
            return 0
        raw = text[start:end]
        begin, stop = start, target.end()
        if text[start - 1 : start] == "[" and text[end : end + 1] == "]":
            return 0
        reading = _cached(index, raw)
        if reading is not None and reading.parsed.syntax == "file" and not reading.valid:
            reading = None  # a link whose text is a URL or a file name
        if (
            reading is None
            and index.names is not None
            and (named := index.names.exact(url) or index.names.exact(url.rstrip("/")))
        ):
            reading = Reading(
                Parsed("link", "citation", (markers.Item("name", url),)),
                (Resolved(url, "valid", named[0], named, score=100.0),),
            )
            if text[begin - 1 : begin] == "(" and text[stop : stop + 1] == ")":
                begin, stop = begin - 1, stop + 1
        if reading is not None and reading.kind == "citation":
            # A target on the same page names no document that could be compared.
            found.marks.append(Mark(begin, stop, reading, None if url[:1] in ("", "#") else url))
            return stop
        found.masks.append((end, target.end()))
        return target.end()

    def _row(self, text: str, start: int, char: str, index: SourceIndex, found: Scan) -> int:
        """Try the rows of the table that open with ``char``; returns where the marker ends, or 0."""
        for row in self._rows.get(char, ()):
            m = row.pattern.match(text, start)
            if m is None:
                continue
            end = m.end()
            if row.name == "double" and text[end : end + 1] == "(" and (target := _LINK_TARGET.match(text, end)):
                reading = _cached(index, text[start:end], row, m)
                if reading is not None and reading.kind == "citation":
                    found.marks.append(Mark(start, target.end(), reading, target["url"]))
                    return target.end()
            if row.name in ("superscript", "sup") and _UNIT_BEFORE.search(text[max(0, start - 5) : start]):
                continue
            if row.name == "round" and _spells_out(text, start, m[1]):
                continue
            if row.name in ("paren", "curly") and _numbers_item(text, start):
                continue
            reading = _cached(index, text[start:end], row, m)
            if reading is None:
                continue
            if reading.kind == "malformed" and (text[end : end + 1].isalnum() or text[end : end + 1] == "-"):
                continue  # chemistry: [3H]thymidine
            if row.name == "superscript":
                reading = _split_superscript(index, reading)
            if reading.kind == "leaked":
                found.leaks.append((start, end))
                return end
            wraps = reading.parsed.wraps
            span = (start + wraps[0], start + wraps[1]) if wraps else None
            found.marks.append(
                Mark(start, end, reading, None, span if span and text[span[0] : span[1]].strip() else None)
            )
            return end
        return 0

    def _other(self, text: str, start: int, char: str, index: SourceIndex, found: Scan) -> int:
        marked = self._row(text, start, char, index, found) if char in self._rows else 0
        if marked:
            return marked
        if char == "\\":
            following = text[start + 1 : start + 2]
            if following in ("(", "["):
                close = text.find("\\)" if following == "(" else "\\]", start + 2, start + _LONGEST_SPAN)
                if close > 0:
                    found.masks.append((start, close + 2))
                    return close + 2
            return start + 2
        if char == "<":
            if link := _AUTOLINK.match(text, start):
                found.masks.append(link.span())
                return link.end()
            m = _MARKUP.match(text, start)
            if m:
                found.leaks.append((start, m.end()))
                return m.end()
            if text.startswith("<|file-", start) and "|>" not in text[start : start + 200]:
                stop = _LINE_REST.match(text, start)
                end = stop.end() if stop else start + 1
                if end == len(text):
                    found.marks.append(Mark(start, end, Reading(Parsed("file_token", "malformed"), ())))
                    return end
        return start + 1

    def _cut(self, text: str, start: int, index: SourceIndex, found: Scan) -> int:
        """A marker that is never closed on its line."""
        rest = _LINE_REST.match(text, start + 1)
        stop = rest.end() if rest else start + 1
        if ")" in text[start:stop] and "(" not in text[start:stop]:
            return start + 1  # a half-open interval
        ends = stop == len(text) or text[stop] == "\n"
        m = markers.CUT.match(text, start, stop) if ends else None
        if m is None or (m.end() - start == 1 and stop < len(text)):
            m = markers.CUT_NUMBER.match(text, start, stop)
            # "[1 of them" may be any text in brackets; before a stop or another bracket it is a marker.
            indexed = text[start - 1 : start].isalnum() or text[start - 1 : start] in ("_", ")", "]")
            if m is None or indexed or (ends and not m[2]) or not index.positions(int(m[1])):
                return start + 1
        end = start + len(m[0].rstrip(" ,;"))
        found.marks.append(Mark(start, end, Reading(Parsed("square", "malformed"), ())))
        return end

    def _bare_turns(self, text: str, index: SourceIndex, found: Scan, blocked: list[tuple[int, int]]) -> None:
        spans = [m.span() for m in markers.BARE_TURN.finditer(text)]
        taken = sorted([*(mark[:2] for mark in found.marks), *found.masks, *blocked])
        for start, end in _outside(spans, taken):
            m = markers.BARE_TURN.match(text, start)
            parsed = markers.read_turn(m) if m else None
            if parsed and (reading := index.read(parsed)):
                found.marks.append(Mark(start, end, reading))
        found.marks.sort(key=_START)


_AUTOLINK = re.compile(r"<https?://[^\s<>]{1,1000}+>", re.IGNORECASE)
_MARKUP = re.compile(
    r"</?(?:co|cite|uip:cite|grok:render|grounding|source|document|doc|context|answer|response)\b[^<>\n]{0,200}>|<\|(?:start|end)_of_(?:cite|role|text)\|>",
    re.IGNORECASE,
)
_MOST_READINGS = 20_000
_WITH_NAMES = frozenset(["double", "escaped", "lenticular", "full_width", "round"])
"""Rows whose brackets may hold a source's name and nothing else."""


def _read(index: SourceIndex, raw: str) -> Reading | None:
    """Read a square bracket's raw text and remember the reading."""
    inside = raw[1:-1]
    figure = _FIGURE.fullmatch(inside) is not None and not (index.names is not None and index.names.exact(inside))
    parsed = None if figure else index.parse(inside)
    reading = index.read(parsed) if parsed is not None else None
    if len(index.readings) > _MOST_READINGS:
        index.readings.clear()
    index.readings[raw] = reading
    return reading


def _plain(text: str, index: SourceIndex) -> tuple[list[MarkFields], list[int], list[str]]:
    """The markers that are told at once: numbers in brackets between blanks and punctuation.

    Returns:
        Each as the fields of a :class:`Mark`, the places of the other square brackets, and the text in pieces with these
        markers filled.
    """
    numbers = index.numbers
    marks: list[MarkFields] = []
    others: list[int] = []
    pieces = iter(text.split("["))  # quicker than looking for one bracket after the other
    first = next(pieces)
    filled = [first]
    start, before = len(first), first[-1:]
    for piece in pieces:
        inside, closed, after = piece.partition("]")
        reading = numbers.get(inside, _UNKNOWN)
        if reading is _UNKNOWN:
            reading = _numbered(index, inside)
        if (
            reading is _UNKNOWN
            or not closed
            or before not in _BEFORE_NUMBERS
            or (after and after[0] not in _AFTER_NUMBERS)
        ):
            others.append(start)
            filled += ("[", piece)
            before = piece[-1:] or "["
            start += 1 + len(piece)
            continue
        size = len(inside) + 2
        if reading is not None and (size < _SHORTEST_INTERVAL or not _is_literal(text, start, inside)):
            marks.append((start, start + size, reading, None, None))
            filled.append(FILL * size)
            filled.append(after)
        else:
            filled += ("[", piece)
        before = after[-1] if after else "]"
        start += 1 + len(piece)
    return marks, others, filled


_UNKNOWN = Reading(Parsed("square", "malformed"), ())
"""In place of the reading of a square bracket that holds anything but numbers."""


def _numbered(index: SourceIndex, inside: str) -> Reading | None:
    """How a square bracket reads that holds nothing but numbers; remembered."""
    if _NUMBERS.fullmatch(inside) is None:
        return _UNKNOWN
    if len(index.numbers) > _MOST_READINGS:
        index.numbers.clear()
    reading = index.numbers[inside] = _read(index, f"[{inside}]")
    return reading


def _cached(index: SourceIndex, raw: str, row: Syntax | None = None, m: re.Match[str] | None = None) -> Reading | None:
    key = raw if row is None or row.name == "square" else f"{row.name} {raw}"
    if key in index.readings:
        return index.readings[key]
    if row is None or m is None or row.name == "square":
        return _read(index, raw)
    parsed = (index.named(m[1]) if row.name in _WITH_NAMES else None) or row.read(m)
    if parsed is not None and row.name in _WITH_NAMES:
        parsed = index.like_names(m[1], parsed) or parsed
    reading = index.read(parsed) if parsed is not None else None
    if len(index.readings) > _MOST_READINGS:
        index.readings.clear()
    index.readings[key] = reading
    return reading


_BEFORE_QUOTE = frozenset(" \n(")
_SPACELESS = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
"""Letters of scripts in which no blank stands before a quotation mark."""
_WORD_CHAR = re.compile(rf"(?!{_SPACELESS.pattern})[^\W_]")
_PAIRED = re.compile("[“”„«»「」『』]")
_NEXT_MARK = re.compile('["“”„]')
_FAMILIES = {char: family for family in ("“”„", "«»", "「」", "『』") for char in family}


def _opens(text: str, at: int) -> bool:
    """Whether a quotation mark at ``at`` can open: nothing word-like before it, something after it."""
    before = text[at - 1] if at else " "
    after = text[at + 1] if at + 1 < len(text) else " "
    if before.isalnum():
        return _SPACELESS.match(before) is not None and not after.isspace()
    return before not in ".,!?;%)]”" and not after.isspace()


def _leads(text: str, at: int) -> bool:
    """Whether a mark that closes some quotations and opens others stands where it opens: before a word, after none."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    return (not before or before in _BEFORE_QUOTE) and not after.isspace()


def _closes_plainly(text: str, opened: int, at: int) -> bool:
    """Whether a plain quotation mark closes a typographic one („thirty days"): it stands where it closes, and no better one follows."""
    limit = opened + _LONGEST_QUOTE
    if at > limit or text[at - 1].isspace() or _WORD_CHAR.match(text, at + 1):
        return False
    last = text.rfind('"', opened, at)
    if _leads(text, at) or (last > 0 and _leads(text, last)):
        return False  # a quotation inside
    following = _NEXT_MARK.search(text, at + 1, limit)
    if following is None or _QUOTE_BREAK.search(text, at, following.start()):
        return True
    if following[0] == '"':
        inches = text[at - 1].isdecimal() and not _leads(text, following.start())
        return not inches
    return following[0] not in _CLOSES[text[opened]] or _leads(text, following.start())


def _pairs(text: str) -> dict[int, int]:
    """Where the quotation that opens at a place closes, counting those of its kind inside.

    A mark without its partner leaves the ones around it without theirs.
    """
    ends: dict[int, int] = {}
    open_marks: dict[str, list[int]] = {family: [] for family in _FAMILIES.values()}
    last = 0
    for m in _PAIRED.finditer(text):
        at, char = m.start(), m[0]
        if text.find("\n", last, at) >= 0 and _QUOTE_BREAK.search(text, last, at):
            for marks in open_marks.values():
                marks.clear()
        last = at
        marks = open_marks[_FAMILIES[char]]
        if marks and char in _CLOSES[text[marks[-1]]] and not (char == "“" and _leads(text, at)):
            start = marks.pop()
            if at - start <= _LONGEST_QUOTE:
                ends[start] = at
        elif char in _CLOSES and (char != "»" or (_opens(text, at) and text[at + 1].isalnum())):
            marks.append(at)
    return ends


def _close(text: str, opened: int, at: int, quotes: list[tuple[int, int]]) -> None:
    start, end = opened + 1, at
    if end - start > _LONGEST_QUOTE or (text.find("\n", start, end) >= 0 and _QUOTE_BREAK.search(text, start, end)):
        return
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        quotes.append((start, end))


def _is_literal(text: str, start: int, numbers: str) -> bool:
    """``x ∈ [1, 3]``, ``[0, 1] → [0, 2]`` and ``95% CI [1-3]`` are intervals, ``x = [1, 2, 3]`` is a list."""
    commas = numbers.count(",")
    if not commas and "-" not in numbers and "–" not in numbers:
        return False
    before = text[max(0, start - 14) : start].rstrip()
    if commas and before.endswith("="):
        return True
    if before.rstrip(" :=,s")[-2:] in _ENDS_STATISTICS and _STATISTICS.search(before):
        return True
    if commas != 1:
        return False
    if before.endswith(_BEFORE_INTERVAL):
        return True
    if numbers[0] != "0":
        return False
    after = text[start + len(numbers) + 2 :][:4].lstrip()
    return after.startswith(_BESIDE_INTERVAL) or _INTERVAL_WORDS.search(before) is not None


def _is_index(text: str, start: int, run_end: int, index: SourceIndex) -> bool:
    """Whether the run of brackets from ``start`` is an array index: judged by the token before it and what follows."""
    if _AFTER_INDEX.match(text, run_end):
        return True
    token = _TOKEN.search(text, max(0, start - 60), start)
    if token is None or ("." in token[0] and (token[0].isupper() or token[0].lower() in _SHORTENED)):
        return False  # U.S.C[2]. e.g[4].
    name = token[0].rpartition(".")[2]
    if not name.isascii() or not name.strip("_"):
        return False  # _[2]_ is emphasis
    if len(name) == 1 and name.isalpha():
        return text[token.start() - 1 : token.start()] != "/"  # 5 m/s[4] is a unit
    if "_" in name or _CAMEL.fullmatch(name):
        return True
    # A zero after a word in one-based answers: rows[0][2].
    return text.startswith("[0]", start) and not index.positions(0) and name.isalpha()


def _spells_out(text: str, start: int, inside: str) -> bool:
    """Whether round brackets only spell out the abbreviation before them, or the reverse: MCP (Model Context Protocol)."""
    before = text[max(0, start - _LONGEST_SPELT) : start].split()
    if not before:
        return False
    initials = "".join(word[0] for word in inside.split())
    if len(initials) > 1 and before[-1].casefold() == initials.casefold():
        return True
    words = re.split(r"[\W_]+", " ".join(before).strip())
    spelled = "".join(word[:1] for word in words[-len(inside) :])
    return 1 < len(inside) <= _LONGEST_SHORT and spelled.casefold() == inside.casefold()


_LONGEST_SHORT, _LONGEST_SPELT = 7, 120
"""Characters of an abbreviation, and of what it stands for."""


def _numbers_item(text: str, at: int) -> bool:
    """Whether what begins here stands where the number of a list item does, perhaps behind another one."""
    line = max(text.rfind("\n", 0, at) + 1, at - _LONGEST_INDENT)
    return _ITEM_MARKS.fullmatch(text, line, at) is not None


_LONGEST_INDENT = 120
_ITEM_MARKS = re.compile(r"[ \t>]*+(?:(?:[-*+•‣▪◦●○–·]|\(?\d{1,3}[.)]|[a-zA-Z]\))[ \t]++)*+")


def _at_line_start(text: str, at: int) -> bool:
    line = text.rfind("\n", max(0, at - 20), at) + 1
    return (line > 0 or at < 20) and not text[line or 0 : at].strip(" \t>")


class _CodeRuns:
    """Runs of back-ticks and which run closes which, by CommonMark's rule; each lookup is constant time."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._runs = {m.start(): m.end() for m in re.finditer("`+", text)}
        closing: dict[int, int] = {}
        self._close: dict[int, int] = {}
        for start in reversed(self._runs):
            length = self._runs[start] - start
            if length in closing:
                self._close[start] = closing[length]
            closing[length] = start

    def run_end(self, start: int) -> int:
        return self._runs.get(start, start + 1)

    def end(self, start: int) -> int:
        """Where the code span that opens at ``start`` ends, or where its back-ticks do."""
        run_end = self.run_end(start)
        close = self._close.get(start)
        if close is None or close - start > _LONGEST_SPAN or _BLANK_LINE.search(self._text, run_end, close):
            return run_end
        return self._runs[close]


def _maths(text: str, start: int, masks: list[tuple[int, int]]) -> int:
    """A formula between dollar signs by Pandoc's rule: no blank inside the dollars, no digit after the last one."""
    if text.startswith("$$", start):
        close = text.find("$$", start + 2, start + 2 + _LONGEST_SPAN)
        if close > start + 2:
            masks.append((start, close + 2))
            return close + 2
        return start + 2
    if text[start + 1 : start + 2].isspace():
        return start + 1
    close = text.find("$", start + 1, start + 400)
    if (
        close < 0
        or text[close - 1].isspace()
        or text[close - 1] == "\\"
        or text[close + 1 : close + 2].isdigit()
        or close == start + 1
    ):
        return start + 1
    if _BLANK_LINE.search(text, start, close):
        return start + 1
    masks.append((start, close + 1))
    return close + 1


def _url_span(text: str, m: re.Match[str]) -> tuple[int, int]:
    """A bare URL without the punctuation that ends its sentence."""
    start, end = m.span()
    unopened = text.count(")", start, end) - text.count("(", start, end)
    while end > start:
        last = text[end - 1]
        if last in ".,;:*_~" or (
            last in "!?" and (end == len(text) or text[end : end + 1] != " " or not text[end + 1 : end + 2].islower())
        ):
            end -= 1
        elif last == ")" and unopened > 0:
            unopened -= 1
            end -= 1
        else:
            break
    return start, end


def _all(text: str, char: str) -> list[int]:
    """Every place of a character."""
    found = []
    at = text.find(char)
    while at >= 0:
        found.append(at)
        at = text.find(char, at + 1)
    return found


def _past(regions: list[tuple[int, int]], number: int, at: int, skip: int) -> tuple[int, int, int]:
    """Go past the regions that begin up to ``at``: where to go on, the number of the next region, and its start."""
    while number < len(regions) and regions[number][0] <= at:
        skip = max(skip, regions[number][1])
        number += 1
    return skip, number, regions[number][0] if number < len(regions) else _FAR


_FAR = sys.maxsize


def _merged(first: list[tuple[int, int]], second: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Two sorted lists of spans as one; spans of the second that lie in one of the first are left out."""
    return sorted([*first, *_outside(second, first)])


def _outside(spans: list[Any], taken: Sequence[tuple[int, int]]) -> list[Any]:
    """The spans that touch none of ``taken``; both are sorted."""
    kept = []
    i = 0
    for span in spans:
        while i < len(taken) and taken[i][1] <= span[0]:
            i += 1
        if i == len(taken) or span[1] <= taken[i][0]:
            kept.append(span)
    return kept


def _split_superscript(index: SourceIndex, reading: Reading) -> Reading:
    """¹² is 12 where there are 12 sources, else 1 and 2."""
    items = reading.parsed.items
    if (
        len(items) == 1
        and len(items[0].text) > 1
        and reading.invalid
        and all(index.positions(int(d)) for d in items[0].text)
    ):
        digits = tuple(markers.Item("number", d, int(d), int(d)) for d in items[0].text)
        return index.read(reading.parsed._replace(items=digits)) or reading
    return reading
