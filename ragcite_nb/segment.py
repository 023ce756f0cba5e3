"""The answer's layout: blocks and the units of text in them, and the sentences of a unit.

A line scanner is enough here and ten times faster than a Markdown parser. It yields *units*: a heading, a table row, a list
item, or one or more lines of a paragraph that belong together. No sentence crosses the border of a unit.

Sentences are split on a *masked* text of the same length, in which markers, code and the like cannot be mistaken for the end
of a sentence. Most ends are decided by cheap rules; where a short word before a full stop leaves doubt, sentencex decides.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

import sentencex

from ragcite_nb import languages

# Control characters that no text has. They are ASCII, so that the masked text stays ASCII where the answer is: searching is
# faster then, and changing case much faster.
FILL = "\x7f"
"""Stands for each character of a marker, in the masked text."""
LEAK = "\x1a"
"""Stands for each character of leaked markup, which belongs to the words after it."""

# Kinds of units.
TEXT, ITEM, HEADING, ROW, HEAD = range(5)


class Unit(NamedTuple):
    """A run of text that no sentence leaves. ``block`` counts paragraphs, lists items apart; ``depth`` is the indent."""

    kind: int
    start: int
    end: int
    block: int
    depth: int


_named: Any = tuple.__new__  # a third of the time that Unit(...) takes, for the common case


class Entry(NamedTuple):
    """One line of the answer's closing list of sources."""

    start: int
    end: int
    number: int | None
    name: str
    url: str | None


class Layout(NamedTuple):
    """Units of text, the regions that hold none (code, closing lists, definitions), and the entries of closing lists."""

    units: list[Unit]
    regions: list[tuple[int, int]]
    entries: list[Entry]
    open_fence: bool


_LINE = re.compile(
    r"(?P<fence>`{3,}|~{3,})|(?P<maths>\\\[|\$\$)|(?P<rule>(?:(?P<line>[-*_=])[ \t]*+)(?:(?P=line)[ \t]*+){2,}$)|(?P<heading>\#{1,6}(?:[ \t]+|$))|(?P<quote>>[ \t]*)|"
    r"(?P<item>(?:[-*+•‣▪◦●○–·][ \t]+|\(?\d{1,3}[.)][ \t]+|[a-zA-Z]\)[ \t]+)(?:\[[ xX]\][ \t]+)?)|(?P<row>\|)|"
    r"(?P<definition>\[\^?[^\[\]\n]{1,60}\]:[ \t]+\S)",
    re.MULTILINE,
)
_SPECIAL = frozenset(":`\\$~-*_=#>+•‣▪◦●○–·|[(0123456789")
_QUOTE_MARKS = re.compile(r"(?:>[ \t]*)+")
_ESCAPED_MARKER = re.compile(r"\\\[[\s\d,;–-]{1,60}\\\]")
_LONGEST_FORMULA = 2000
_DELIMITER = re.compile(r"[ \t]*\|?[ \t]*:?-++:?[ \t]*(?:\|[ \t]*:?-++:?[ \t]*)*+\|?[ \t]*$", re.MULTILINE)
"""Looked for in lines with a pipe only; one dash a column is enough."""
_LINE_ENDS = frozenset(".]!?)")
_BLANK = re.compile(r"[ \t\r\f\v\u00a0\u3000>]*")
_LIST_WORDS = (
    r"sources?|references?|refs|citations?|bibliography|works cited|footnotes|notes and references|sources?(?: and | & | / )references?|"
    r"références?(?: bibliographiques)?|bibliographie|notes de bas de page|quellen(?:angaben|verzeichnis|nachweise?)?|quelle|"
    r"literatur(?:verzeichnis)?|nachweise|einzelnachweise|belege|referenzen|fuentes?|referencias?(?: bibliográficas)?|bibliografía|"
    r"fonti|fontes?|riferimenti(?: bibliografici)?|bibliografia|referências?(?: bibliográficas)?|bronnen|bron|referenties|источники|"
    r"литература|список литературы|список источников|参考文献|参考资料|参考來源|参考来源|資料來源|資料|来源|來源|引用来源|引用文献|引用|出典|參考文獻|參考資料|"
    r"참고문헌|참고 자료|출처|المصادر|المراجع|स्रोत|संदर्भ"
)
_LIST_EXTRAS = (
    r"(?:[ \t]+(?:consultées?|utilisées?|citées?|cited|used|consulted|list|and (?:useful |related |further )?(?:references|sources|reading|links|resources|notes)|"
    r"et (?:références|liens)|und (?:referenzen|links)|verwendete?|zitierte?|utilizadas|consultadas|consultate|utilizzate|gebruikt)|(?:及|与|和)(?:有用|相关)?(?:链接|来源|资料))?"
)
_ORNAMENT = r"(?:[\u2190-\u2bff\U0001f000-\U0001faff]\ufe0f?[ \t]*)?"
_LIST_TITLE = (
    rf"[ \t>]*(?:\#{{1,6}}[ \t]*){{0,3}}{_ORNAMENT}(?:<(?:b|strong|h[1-6])>)?(?:\*\*|__|\*|_)?[ \t]*{_ORNAMENT}(?:\d{{1,2}}[.)][ \t]*|[一二三四五六七八九十]+、[ \t]*)?"
    rf"(?:list of |liste des |verwendete |zitierte |cited |key |main |主要|相关)?(?:{_LIST_WORDS}){_LIST_EXTRAS}[ \t]*{_ORNAMENT}(?:\([^()\n]{{0,60}}\))?[ \t]*"
)
_LIST_HEADING = re.compile(
    rf"{_LIST_TITLE}[:：]?[ \t]*(?:\*\*|__|\*|_)?[:：]?(?:</(?:b|strong|h[1-6])>)?[ \t]*[:：—–-]?[ \t]*\#{{0,6}}[ \t]*",
    re.IGNORECASE,
)
"""A line that is nothing but the heading of a list of sources."""
_LIST_INLINE = re.compile(
    rf"{_LIST_TITLE}(?:[:：][ \t]*(?:\*\*|__|\*|_)?|(?:\*\*|__|\*|_)[:：])[ \t]*(?=\S)", re.IGNORECASE
)
"""A heading with its list on the same line."""
_ENTRY = re.compile(
    r"[ \t>]*(?:(?:[-*+•‣–·][ \t]+)?(?:\[\^?(\d{1,5})\^?\][.:]?(?!\()|【(\d{1,5})】|［(\d{1,5})］|(\d{1,5})[.)、](?=[ \t\[*]|\S)|\((\d{1,5})\)(?=[ \t])|"
    r"\[(\d{1,5})\](?=\()|<sup>(\d{1,5})</sup>|([¹²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹]{0,2}))[ \t]*|[-*+•‣–·][ \t]+|(?=https?://)|(?=\[[^\[\]\n]{1,300}\]\(https?://))"
)
_ENTRY_MARK = re.compile(r"\[\^?(\d{1,5})\^?\]")
_LINK = re.compile(
    r"\[([^\[\]\n]{1,300})\]\((https?://[^\s()]{1,800}(?:\([^\s()]{0,100}\)[^\s()]{0,200})?)[^()\n]{0,200}\)"
)
_ANY_URL = re.compile(r"https?://[^\s<>()\[\]]+")
_BRACKETED = re.compile(r"(?:\[[^\[\]\n]{2,200}+\][ \t]*[,;]?[ \t]*)+")
_TRAILER = re.compile(
    r"\s*[(\[](?:pertinence|relevance|relevanz|score|confidence|confiance|similarity)\b[^()\[\]]{0,40}[)\]]",
    re.IGNORECASE,
)
_SUPER = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_STARTS_WITH_MARKER = re.compile(
    r"[ \t]*(?:\[\^?\d|\[\[\d|【|［\d|\[(?:source|doc|réf|ref|cite|citation|quelle|id|faq|api|code|loi|law|règl|contrat|fuente|fonte|art)\b)",
    re.IGNORECASE,
)


def layout(text: str) -> Layout:
    r"""Scan the lines of an answer.

    >>> text = "# Title\n\nOne. Two.\n- an item"
    >>> [text[u.start:u.end] for u in layout(text).units]
    ['Title', 'One. Two.', 'an item']
    """
    units: list[Unit] = []
    regions: list[tuple[int, int]] = []
    entries: list[Entry] = []
    size, pos, block = len(text), 0, 0
    written = len(text.rstrip())
    colon = ":" in text or "：" in text
    bars = "|" in text
    last_line = text.rfind("\n", 0, written) + 1
    current = -1  # kind of the block that a following line may continue; -1 for none
    fence, fence_start, quoted = "", 0, False
    table = False
    depth = 0
    while pos < size:
        end = text.find("\n", pos)
        if end < 0:
            end = size
        if not fence:
            # The common cases, quickly: an empty line, and a long line that begins a paragraph.
            if end == pos:
                current = -1
                table = False
                pos += 1
                continue
            if (
                current == -1
                and end - pos > 80
                and text[pos].isupper()
                and text[end - 1] in _LINE_ENDS
                and text[pos + 1] != ")"
                and not (bars and text.find("|", pos, end) >= 0)
                and (pos != last_line or not (colon and _LIST_INLINE.match(text, pos, end)))
            ):
                block += 1
                current, depth, table = TEXT, 0, False
                units.append(_named(Unit, (TEXT, pos, end, block, 0)))
                pos = end + 1
                continue
        line_start, pos = pos, end + 1
        start = line_start
        while start < end and ((first := text[start]).isspace() or first == "\ufeff"):
            start += 1
        if fence and quoted and text[start : start + 1] != ">":
            regions.append((fence_start, line_start))  # with the quotation its code ends
            fence = ""
        if fence:
            inside = _QUOTE_MARKS.match(text, start, end) if quoted else None
            at = inside.end() if inside else start
            if text.startswith(fence, at) and not text[at:end].strip(fence[0] + " \t\r"):
                regions.append((fence_start, end))
                fence = ""
            continue
        stop = end
        while stop > start and text[stop - 1].isspace():
            stop -= 1
        if start == stop:
            current = -1
            table = False
            continue
        indent = start - line_start
        if stop - start < 80 and _LIST_HEADING.fullmatch(text, start, stop):
            listed = _closing_list(text, end + 1)
            if listed:
                found, pos = listed
                entries += found
                regions.append((line_start, min(pos, size)))
                current = -1
                continue
        if line_start == last_line and colon and (inline := _LIST_INLINE.match(text, start, stop)):
            # "Sources: [1] Timetable, [2] Pet rules" as the last line of the answer.
            found = _one_line(text, inline.end(), stop)
            if found and (current == -1 or any(entry.name for entry in found)):
                entries += found
                regions.append((line_start, size))
                break
        if first in _SPECIAL or text[start + 1 : start + 2] == ")":
            kind, at, column = TEXT, start, start
            for _ in range(4):  # a quote may hold an item, an item a heading
                m = _LINE.match(text, at, stop)
                if m is None:
                    break
                what = m.lastgroup
                if what == "fence":
                    # Back-ticks that close on the same line are inline code.
                    if m[0][0] == "`" and "`" in text[m.end() : stop]:
                        break
                    fence, fence_start, quoted = m[0], line_start, text[start] == ">"
                    kind = -1
                elif what == "maths":
                    if _ESCAPED_MARKER.match(text, at):
                        break
                    closing = "$$" if m[0] == "$$" else "\\]"
                    close = text.find(closing, m.end(), m.end() + _LONGEST_FORMULA)
                    rest = text.find("\n", close) if close >= 0 else -1
                    rest = size if rest < 0 else rest
                    if close < 0 or text[close + 2 : rest].strip(" \t\r.,;"):
                        break
                    regions.append((line_start, rest))  # a formula with lines of its own
                    pos = rest + 1
                    kind = -1
                elif what == "rule":
                    if m[0][0] == "=" and units and current == TEXT and units[-1].kind == TEXT:
                        units[-1] = units[-1]._replace(kind=HEADING)
                    kind = -1
                elif what == "heading":
                    kind, at = HEADING, m.end()
                    break
                elif what == "quote":
                    at = m.end()
                    if current == -1 or kind != TEXT:
                        current = -1
                    continue
                elif what == "item":
                    kind, column, at = ITEM, at, m.end()
                    continue
                elif what == "row":
                    kind = ROW
                    break
                elif what == "definition" and kind == TEXT:
                    while pos < size and text[pos] in " \t":  # indented lines go on with it
                        end = text.find("\n", pos)
                        end = size if end < 0 else end
                        pos = end + 1
                    regions.append((line_start, end))
                    kind = -2
                break
            while at < stop and text[at].isspace():
                at += 1
            if kind < 0:
                if kind == -1:
                    current = -1
                table = False
                continue
            if kind == ROW or (table and "|" in text[start:stop]):
                if _DELIMITER.match(text, start, stop):
                    if units and units[-1].kind == ROW and not table:
                        units[-1] = units[-1]._replace(kind=HEAD)
                    table = True
                    continue
                block += 1
                _row(text, start, stop, block, units)
                current = -1
                continue
            if kind == HEADING:
                tail = stop
                while tail > at and (text[tail - 1] == "#" or text[tail - 1].isspace()):
                    tail -= 1
                block += 1
                if tail > at:
                    units.append(Unit(HEADING, at, tail, block, 0))
                current = -1
                continue
            if kind == ITEM:
                block += 1
                depth = indent + column - start
                if at < stop:
                    units.append(Unit(ITEM, at, stop, block, depth))
                current = ITEM
                continue
            start = at
            if start >= stop:
                current = -1
                continue
            first = text[start]
        if text.find("|", start, stop) >= 0:
            head = not table and pos < size and _is_delimiter_row(text, pos)
            if table or head:
                block += 1
                _row(text, start, stop, block, units, HEAD if head else ROW)
                current = -1
                table = True
                continue
        table = False
        if current == -1:
            block += 1
            current = TEXT
            depth = indent
            units.append(Unit(TEXT, start, stop, block, depth))
            continue
        # A line of the same paragraph or item: it goes on with the sentence if it begins in lower case or with a marker.
        last = units[-1] if units and units[-1].block == block else None
        if (
            last is not None
            and (first.islower() or (first in "[【［" and _STARTS_WITH_MARKER.match(text, start, stop)))
            and not (first == "[" and (text[last.start] in "[【［" or _leads_line(text, last.end, start, stop)))
        ):
            units[-1] = last._replace(end=stop)
        else:
            units.append(Unit(current, start, stop, block, depth))
    if fence:
        regions.append((fence_start, size))
    if not entries:
        _unheaded_list(text, written, units, regions, entries)
    made: Layout = _named(Layout, (units, regions, entries, bool(fence)))
    return made


def _leads_line(text: str, before: int, start: int, stop: int) -> bool:
    """Whether a marker that begins a line belongs to the words behind it: the line above only introduces them."""
    close = text.find("]", start, stop)
    return text[before - 1] in ":：" and close > 0 and any(c.isalpha() for c in text[close + 1 : close + 5])


def _is_delimiter_row(text: str, pos: int) -> bool:
    end = text.find("\n", pos)
    end = len(text) if end < 0 else end
    return (
        text.find("|", pos, end) >= 0 and text.find("-", pos, end) >= 0 and _DELIMITER.match(text, pos, end) is not None
    )


def _row(text: str, start: int, stop: int, block: int, units: list[Unit], kind: int = ROW) -> None:
    while start < stop and (text[start] == "|" or text[start].isspace()):
        start += 1
    while stop > start and (text[stop - 1] == "|" or text[stop - 1].isspace()):
        stop -= 1
    if start < stop:
        units.append(Unit(kind, start, stop, block, 0))


# ------------------------------------------------------------------------------------------------------- closing lists
def _closing_list(text: str, pos: int) -> tuple[list[Entry], int] | None:
    """The entries under a heading such as "Sources:", and where they end; ``None`` if no real list stands there."""
    size = len(text)
    entries: list[Entry] = []
    last = pos
    blank = False
    while pos < size:
        end = text.find("\n", pos)
        if end < 0:
            end = size
        if not text[pos:end].strip(" \t\r>"):
            blank = True
            pos = end + 1
            continue
        m = _ENTRY.match(text, pos, end)
        if m is None or (not m[0].strip() and not text[m.end() : end].strip()):
            # A further line of an entry is indented or follows without a blank line.
            if entries and (not blank or text[pos] in " \t") and text[pos] not in "#|*" and len(entries) < 5000:
                entries[-1] = entries[-1]._replace(end=pos + len(text[pos:end].rstrip()))
                pos = last = end + 1
                continue
            if entries or not _table_line(text, pos, end):
                break
            table = _table_entries(text, pos)
            if table is None:
                break
            entries, last = table
            break
        if (
            entries
            and not blank
            and not m[0].strip()
            and entries[-1].number is not None
            and text.startswith("http", m.end())
        ):
            # The link of the entry above, on a line of its own.
            url = _ANY_URL.match(text, m.end(), end)
            entries[-1] = entries[-1]._replace(end=pos + len(text[pos:end].rstrip()), url=url[0] if url else None)
        else:
            entries.append(_entry(text, pos, end, m))
        blank = False
        pos = last = end + 1
    return (entries, last) if entries else None


def _entry(text: str, pos: int, end: int, m: re.Match[str]) -> Entry:
    start = pos + len(text[pos:end]) - len(text[pos:end].lstrip(" \t>"))
    stop = pos + len(text[pos:end].rstrip())
    number = next((int(g.translate(_SUPER)) for g in m.groups() if g), None)
    rest = text[m.end() : stop]
    if number is None and (mark := _ENTRY_MARK.search(rest)):
        number = int(mark[1])
        rest = rest[: mark.start()] + rest[mark.end() :]
    link = _LINK.search(rest)
    bare = _ANY_URL.search(rest)
    url = link[2] if link else (bare[0].rstrip(".,;") if bare else None)
    name = link[1] if link and not link[1].isdigit() else (rest[: bare.start()] if bare and not link else rest)
    name = _TRAILER.sub("", name).strip(' \t*_`:-–—.,;()[]"“”«»') or (url or "")
    return Entry(start, stop, number, name, url)


def _table_line(text: str, pos: int, end: int) -> bool:
    return text[pos:end].lstrip().startswith("|")


def _table_entries(text: str, pos: int) -> tuple[list[Entry], int] | None:
    """A closing list in the form of a table whose first column numbers the sources."""
    entries: list[Entry] = []
    size, row, last = len(text), 0, pos
    while pos < size:
        end = text.find("\n", pos)
        if end < 0:
            end = size
        if not _table_line(text, pos, end):
            break
        cells = [c.strip() for c in text[pos:end].strip().strip("|").split("|")]
        number = re.fullmatch(r"\[?\^?(\d{1,5})\]?", cells[0])
        if number:
            start = pos + len(text[pos:end]) - len(text[pos:end].lstrip())
            url = _ANY_URL.search(text, pos, end)
            entries.append(
                Entry(
                    start,
                    pos + len(text[pos:end].rstrip()),
                    int(number[1]),
                    cells[1] if len(cells) > 1 else "",
                    url[0] if url else None,
                )
            )
        elif row > 1:
            break
        row += 1
        pos = last = end + 1
    return (entries, last) if entries else None


def _one_line(text: str, start: int, stop: int) -> list[Entry]:
    rest = text[start:stop]
    marks = list(_ENTRY_MARK.finditer(rest))
    entries = []
    if marks:
        if rest[: marks[0].start()].strip():
            return []
        for mark, following in zip(marks, [*marks[1:], None], strict=True):
            tail = rest[mark.end() : following.start() if following else len(rest)]
            if len(tail) > 200:
                return []
            name = tail.strip(" \t,;.:-–—*_()")
            end = mark.end() + len(tail.rstrip(" \t,;"))
            entries.append(Entry(start + mark.start(), start + end, int(mark[1]), name, None))
        return entries
    if named := _BRACKETED.fullmatch(rest.strip(" \t,;.")):
        offset = start + rest.index(named[0])
        return [
            Entry(offset + m.start(), offset + m.end(), None, m[1].strip(), None)
            for m in re.finditer(r"\[([^\[\]]+)\]", named[0])
        ]
    if re.search(r"[.!?]\s*$|\w\s+\w+\s+\w+\s+\w+\s+\w+\s+\w+\s+\w+", rest):
        return []
    for m in re.finditer(r"[^,;|]+", rest):
        name = _TRAILER.sub("", m[0]).strip(" \t*_.[]")
        if name:
            lead = len(m[0]) - len(m[0].lstrip())
            entries.append(Entry(start + m.start() + lead, start + m.start() + len(m[0].rstrip()), None, name, None))
    return entries


_NUMBERED_LINE = re.compile(r"[ \t]*(?:\[\^?(\d{1,5})\^?\]:?|【(\d{1,5})】)(?!\()[ \t]*\S")


def _unheaded_list(
    text: str, end: int, units: list[Unit], regions: list[tuple[int, int]], entries: list[Entry]
) -> None:
    """A last paragraph whose lines begin with rising numbers is a list of sources, with a title line or without."""
    cut = text.rfind("\n\n", 0, end) + 2
    if cut < 2 or not units or text.find("\n", cut, end) < 0:
        return
    found: list[tuple[int, int]] = []
    numbers: list[int] = []
    pos = cut
    while pos < end:
        stop = text.find("\n", pos, end)
        if stop < 0:
            stop = end
        m = _NUMBERED_LINE.match(text, pos, stop)
        if m is not None:
            numbers.append(int(m[1] or m[2]))
            found.append((pos, stop))
        elif pos > cut or stop - pos > 60 or text[stop - 1] in ".!?":
            return
        pos = stop + 1
    if len(numbers) < 2 or numbers != sorted(set(numbers)) or not ("[" in text[:cut] or "【" in text[:cut]):
        return
    while units and units[-1].end > cut:
        units.pop()
    regions[:] = [r for r in regions if r[0] < cut]
    regions.append((cut, len(text)))
    for start, stop in found:
        m = _ENTRY.match(text, start, stop)
        if m:
            entries.append(_entry(text, start, stop, m))


# ---------------------------------------------------------------------------------------------------------- sentences
# The stop with what closes behind it, then the markers that follow. What a pattern begins with lets the engine skip: a single
# character best of all, so that answers with full stops only have their own.
_POINTING = r"(?i:see also|see|cf\.?|vgl\.?|siehe auch|siehe|voir|sources?|src|quellen?|refs?\.?|références?|belege?)"
_ENDING = (
    rf"(?:[.!?…。！？\"”’»“«)\]』」〉》）*_~']|[ \u00a0\u202f]»|[⁰¹²³⁴⁵⁶⁷⁸⁹](?=[⁰¹²³⁴⁵⁶⁷⁸⁹]*+(?:\s|$)))*+"
    rf"((?:\s*+[*_^(]*+(?:(?<=\(){_POINTING}[ \u00a0]?:?[ \u00a0]?)?{FILL}++(?:(?:[,;] ?| (?:and|et|und|&) ){FILL}++)*+[*_^)]*+)*+)"
)
_GOES_ON = r"(?![^\W_⁰¹²³⁴⁵⁶⁷⁸⁹])"
_PLAIN_ENDING = rf"((?: ?{FILL}++)*+)(?= [A-ZÀ-ÖØ-Þ])"
_END = re.compile(rf"[.!?…।؟۔。！？｡](?:(?<=\.){_PLAIN_ENDING}|(?:(?<=[。！？｡])|{_GOES_ON}){_ENDING})")
_FULL_STOP = re.compile(rf"\.(?:{_PLAIN_ENDING}|{_GOES_ON}{_ENDING})")
_CAPITALS = frozenset(
    map(chr, (*range(0x41, 0x5B), *range(0xC0, 0xD7), *range(0xD8, 0xDF)))
)  # as _PLAIN_ENDING has them
_OTHER_STOPS = "!?…।؟۔。！？｡"
_NEXT = re.compile(r"\S")
_OPENERS = re.compile(rf"[{LEAK}\s\"“„«»‘'(*_~>\[¿¡「『–—-]*+")
_WORD_BEFORE = re.compile(r"[^\s\"“„«»‘(\[*_/]+$")
_NO_WORD = frozenset(f'{FILL}"“„«»*_')
"""What may stand before a full stop that shortens no word."""
_CJK_BEFORE = re.compile(r".*[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff00-\uffef]")
_WORD_AFTER = re.compile(r"[^\W\d_]+")
_INITIAL = re.compile(r"[^\W\d_]\.(?:\s|-)")
_CAMEL = re.compile(r"[a-z]{1,3}[A-Z]")
_ROMAN = re.compile(r"[IVXLC]+")
_AROUND_NUMBER = f"{FILL}*_ ("
_CJK_STOPS = frozenset("。！？｡")
_QUOTED = frozenset('"”»“」』')
_AFTER_NUMBER = re.compile(r"\d[ \u00a0\u202f][^\W\d_]{1,4}$")
_DAYS = frozenset(
    [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "est",
        "pst",
        "cet",
        "gmt",
        "utc",
    ]
)
_CLOSED = frozenset(')]"”»')
_HIRAGANA_JOINS = frozenset("とはがをのにでもやへかなだ")
_HANZI_JOINS = frozenset("并便就的等和与及或且而")
_CODE_BEFORE = re.compile(rf"(?<![^\s(])(?:[A-Z]\.){{1,3}}[A-Z]{FILL}++$")
"""A code by its letters, cited before its last stop."""
_UNION = re.compile(r"\((?:EU|EC|EEC|EG|EWG|UE|CE|CEE)\)")
"""Whose act an abbreviation before it names: Reg. (EU) No. 1169/2011."""
_FIRST_MOOD = "\u2600"
_MOOD_SIGNS = (
    "\u2728\u2764\u263a\U0001f31f\U0001f389\U0001f38a\U0001f44b\U0001f44d\U0001f44f\U0001f4aa\U0001f4af\U0001f525"
    "\U0001f600-\U0001f64f\U0001f680\U0001f910-\U0001f92f\U0001f970-\U0001f97a"
)
_MOOD = re.compile(
    rf"[{_MOOD_SIGNS}](?:[{_MOOD_SIGNS}\ufe0f\u200d\U0001f3fb-\U0001f3ff]| (?=[{_MOOD_SIGNS}]))*+(?: ?{FILL}++)*+(?=\s|$)"
)
"""Pictures of a mood, which close a sentence, with markers behind them; other pictures label what follows."""
_SPACE_LIKE = re.compile(r"[^\S ]")
_LETTER_NOUNS = frozenset(
    [
        "vitamin",
        "vitamine",
        "plan",
        "type",
        "typ",
        "group",
        "groupe",
        "gruppe",
        "class",
        "classe",
        "klasse",
        "hepatitis",
        "hépatite",
        "section",
        "abschnitt",
        "appendix",
        "annex",
        "annexe",
        "anhang",
        "option",
        "grade",
        "level",
        "part",
        "teil",
        "phase",
        "category",
        "catégorie",
        "kategorie",
        "tier",
        "zone",
        "team",
        "model",
        "modell",
        "version",
        "point",
        "schedule",
        "exhibit",
        "figure",
        "table",
        "gate",
        "block",
        "building",
        "bâtiment",
        "column",
        "row",
        "vitamina",
        "tipo",
        "grupo",
    ]
)
_ORDINAL_WORDS = frozenset(
    [
        "am",
        "dem",
        "den",
        "das",
        "der",
        "die",
        "im",
        "vom",
        "zum",
        "zur",
        "ab",
        "bis",
        "seit",
        "des",
        "eine",
        "ein",
        "jeden",
        "jedem",
    ]
)


class Rules(NamedTuple):
    """What decides about full stops in one language."""

    code: str
    own: bool
    titles: frozenset[str]
    abbreviations: frozenset[str]
    before_number: frozenset[str]
    never_end: frozenset[str]
    may_end: frozenset[str]
    starters: frozenset[str]
    number_endings: tuple[str, ...]
    months: frozenset[str]
    short: frozenset[str]
    """All words that a full stop may only shorten."""


@cache
def sentence_rules(code: str) -> Rules:
    """The rules of a language; a language without a file has the English ones, and sentencex decides more often."""
    data = languages.rules(code)

    def get(name: str) -> frozenset[str]:
        return frozenset(data.get(name, ()))

    return Rules(
        code, code in languages.codes(), get("titles"), get("abbreviations"), get("before_number"), get("never_end"), get("may_end"),
        get("starters"), tuple(data.get("number_endings", ())), get("months"),
        get("titles") | get("abbreviations") | get("before_number") | get("may_end"),
    )  # fmt: skip


def stops_of(masked: str) -> re.Pattern[str]:
    """What finds the stops of an answer: a faster expression where there are only full stops."""
    if masked.isascii():
        return _END if "!" in masked or "?" in masked else _FULL_STOP
    return _END if any(map(masked.__contains__, _OTHER_STOPS)) else _FULL_STOP


def sentences(
    masked: str,
    start: int,
    end: int,
    rules: Rules,
    kept: list[tuple[int, int]],
    stops: re.Pattern[str],
    *,
    leads: bool = False,
) -> list[tuple[int, int, bool]]:
    """Split one unit into sentences: where each begins and ends, and whether it surely goes from a letter to a full stop.

    Args:
        masked: the answer with the same length, its markers replaced by ``FILL``.
        start: where the unit begins.
        end: where it ends.
        rules: of the answer's language.
        kept: spans of quoted text, in order; no sentence ends inside one.
        stops: what finds stops in the answer, see :func:`stops_of`.
        leads: whether markers lead their sentences in this unit, as they do where one begins it.
    """
    found: list[tuple[int, int, bool]] = []
    begin = pos = start
    doubt: frozenset[int] | None = None
    depth, seen = 0, start
    has_round = ("(" in masked and masked.find("(", start, end) >= 0) or (
        not masked.isascii() and masked.find("（", start, end) >= 0
    )
    plain = not (has_round or leads)
    # Whether the sentence that begins at ``begin`` begins with a letter, and any plain ending ends it.
    sure = plain and masked[start].isalpha()
    next_kept, count = 0, len(kept)
    kept_start, kept_end = kept[0] if kept else (end, end)
    while True:
        if stops is _FULL_STOP:
            # Looking for a character is far quicker than looking for an expression.
            at = masked.find(".", pos, end)
            last = at + 1
            m = None
            if at < 0 or last == end:
                break
            after = masked[last]
            if after == " ":  # no unit ends with one
                after = masked[last + 1]
                if after == FILL:
                    last += 2
                    while last < end and masked[last] == FILL:
                        last += 1
                    after = masked[last + 1] if last < end and masked[last] == " " else ""
                plain_ending = after in _CAPITALS
            elif after.isalnum() and after.isascii():
                pos = last
                continue
            else:
                plain_ending = False
            if not plain_ending:
                m = stops.match(masked, at, end)
                if m is None:
                    pos = at + 1
                    continue
                last, plain_ending = m.end(), m.lastindex == 1
        else:
            m = stops.search(masked, pos, end)
            if m is None:
                break
            at, last = m.span()
            plain_ending = m.lastindex == 1
        while kept_end <= at:
            next_kept += 1
            kept_start, kept_end = kept[next_kept] if next_kept < count else (end, end)
        if (
            plain_ending
            and sure
            and kept_start > at
            and (masked[at - 1] in _NO_WORD or _plain_end(masked, begin, at, rules))
        ):
            # The common case, quickly: behind a marker, a quotation or a long word a full stop, a blank and a capital.
            found.append((begin, last, True))
            begin = pos = last + 1
            continue
        pos = last
        if last >= end:
            break
        n = last + 1
        stop = at + 1 if m is None else m.start(1 if plain_ending else 2)
        if at - begin < 9 and begin == start and masked[begin:at].strip(_AROUND_NUMBER).isdigit():
            continue  # the number of a list item or heading
        if masked[last] == " " and n < end and not masked[n].isspace():
            cjk = False
        else:
            cjk = masked[at] in _CJK_STOPS
            if not cjk and not masked[last].isspace() and stop == last:
                continue
            following = _NEXT.search(masked, last, end)
            if following is None:
                break
            n = following.start()
        if kept:
            if stop - at > 1 and (opener := _opening(kept, next_kept, at, stop)):
                stop = last = opener  # a quotation that begins behind the stop belongs to what follows
                n = opener
            if kept_start <= at and stop <= kept_end:
                continue
        if has_round:
            depth = max(0, depth + _opened(masked, seen, stop))
            seen = stop
            if depth and _closes(masked, stop, end):
                continue
        if cjk:
            verdict: bool | None = _cjk_end(masked, begin, at, stop, n)
        elif (
            masked[at] == "."
            and masked[n].isupper()
            and (masked[at - 1] in _NO_WORD or _plain_end(masked, begin, at, rules))
        ):
            verdict = True
        else:
            verdict = _ends(masked, begin, at, stop, n, end, rules, marked=stop < last)
        if stop < last and (leads or (verdict is not True and masked[n].islower())):
            # The markers begin the next sentence: in a unit that they lead, or as the subject of a verb ("[2] reports").
            n = _NEXT.search(masked, stop, end).start()  # type: ignore[union-attr]
            last = stop
            verdict = _ends(masked, begin, at, stop, n, end, rules) if not cjk else True
        if verdict is None:
            if doubt is None:
                doubt = _by_sentencex(masked, start, end, rules)
            verdict = any(p in doubt for p in range(stop, n + 1))
        if not verdict:
            continue
        if masked[n] >= _FIRST_MOOD and (mood := _mood_behind(masked, start, last, n, end)):
            following = _NEXT.search(masked, mood, end)
            if following is None:
                break
            last, n = mood, following.start()
            pos = n
        if found and not masked[begin].isalnum() and not has_word(masked, begin, stop):
            found[-1] = (found[-1][0], last, False)
        else:
            found.append((begin, last, False))
        begin = n
        sure = plain and masked[n].isalpha()
    if begin < end:
        if found and not masked[begin].isalnum() and not has_word(masked, begin, end):
            found[-1] = (found[-1][0], end, False)
        else:
            found.append((begin, end, sure and masked[end - 1] == "."))
    return found


def _mood_behind(masked: str, start: int, last: int, n: int, end: int) -> int:
    """Where a picture ends that closes the sentence before it, as "Free! 🎉" has; 0 if it begins a line, or pictures lead here."""
    mood = None if "\n" in masked[last:n] or masked[start] >= _FIRST_MOOD else _MOOD.match(masked, n, end)
    return mood.end() if mood else 0


def _opening(kept: list[tuple[int, int]], number: int, at: int, stop: int) -> int:
    """Where a quotation mark that was taken for a closing one opens a quotation; 0 if none does."""
    for start, _ in kept[number : number + 3]:
        if at + 1 < start <= stop:
            return start - 1
    return 0


def _opened(masked: str, start: int, stop: int) -> int:
    """How many more round brackets open than close, ASCII and full width."""
    change = masked.count("(", start, stop) - masked.count(")", start, stop)
    return change + masked.count("（", start, stop) - masked.count("）", start, stop)


def _closes(masked: str, stop: int, end: int) -> bool:
    """Whether a round bracket closes soon; one that does not was no bracket around a sentence."""
    limit = min(end, stop + 300)
    return masked.find(")", stop, limit) >= 0 or masked.find("）", stop, limit) >= 0


_HAS_WORD = re.compile(r"[^\W_]")


def has_word(masked: str, start: int, end: int) -> bool:
    """Whether a stretch of the masked text holds a letter or digit that is not a marker's."""
    return _HAS_WORD.search(masked, start, end) is not None


def _cjk_end(masked: str, begin: int, at: int, stop: int, n: int) -> bool:
    """Whether a CJK stop ends its sentence; after a closed quotation a particle goes on with it (「…。」と書かれています).

    So do words of Chinese that join clauses, and what follows a quoted question that the sentence introduced (她问：“…？”店员…).
    """
    if n != stop or masked[stop - 1] not in "」』”":
        return True
    if masked[n] in _HIRAGANA_JOINS:
        return False
    if masked[stop - 1] != "”" or masked.rfind("“", begin, at) <= begin:
        return True
    return masked[n] not in _HANZI_JOINS and (masked[at] == "。" or masked[n] == "答")


def _plain_end(masked: str, begin: int, at: int, rules: Rules) -> bool:
    """The common case, quickly: a full stop after a long word in lower case that is no abbreviation."""
    word = masked[masked.rfind(" ", begin, at) + 1 : at]
    return len(word) > 3 and rules.own and word.islower() and word.isalpha() and word not in rules.short


def _ends(
    masked: str, begin: int, at: int, stop: int, n: int, end: int, rules: Rules, *, marked: bool = False
) -> bool | None:
    """Whether the stop at ``at`` ends the sentence, when the next word begins at ``n``; ``None`` when in doubt.

    ``marked``: markers stand between the two, which tells of an end unless the word before is an abbreviation.
    """
    before = masked[at - 1 : at]
    spoken = masked[begin:at].rstrip(f"{FILL} ")[-1:] if before == FILL and at - begin < 2000 else before
    if spoken.isalpha() and not spoken.islower() and not spoken.isupper():
        return True  # a script without case: the next word's case says nothing
    opened = _OPENERS.match(masked, n, end)
    word_at = opened.end() if opened and opened.end() < end else n
    a = masked[word_at]
    if a.islower() and not _CAMEL.match(masked, word_at):
        return False
    if masked[n] == "." and n > stop and not marked:
        return False  # inside a spaced ellipsis
    if masked[at] != "." or (stop - at > 1 and masked[at + 1] in ".!?…"):
        return True
    if before == FILL and a == "§" and _CODE_BEFORE.search(masked, max(begin, at - 60), at):
        return False  # 35 U.S.C[2]. § 102
    if before == FILL or (stop - at > 2 and masked[stop - 1] in ".!?" and masked[stop - 2] in _CLOSED):
        return True
    found = _WORD_BEFORE.search(masked, max(begin, at - 40), at)
    word = found[0] if found else ""
    if not word:
        return True
    if not word.isascii():
        word = _CJK_BEFORE.sub("", word) or word  # 获A.M. Best: no blank stands between the scripts
    low = word.lower()
    if "'" in low or "’" in low:  # l'art., d'env.
        low = low.replace("’", "'").rpartition("'")[2]
    for dash in (".–", ".-"):
        last = word.rpartition(dash)[2] if dash in word else ""
        if len(last) > 1 and (last in rules.before_number or last.lower() in rules.before_number):
            word, low = last, last.lower()  # Mon.–Fri. 9–5
    digit_next = a.isdigit() or a == "§"
    if word[-1].isdigit():
        if digit_next and _in_date(masked, begin, at):
            return False
        if word.isdigit():
            if at - len(word) == begin and len(word) <= 3:
                return False  # the number of a list item or heading
            if rules.code == "de" and _ORDINALS.search(masked, max(begin, at - 20), at):
                return False  # die 2. und 3. Auflage
            if rules.months and len(word) <= 2 and not digit_next:
                after = _WORD_AFTER.match(masked, word_at, end)
                if after and after[0].lower() in rules.months:
                    return False
                previous = _WORD_BEFORE.search(masked[max(begin, at - 40) : at - len(word)].rstrip())
                if (
                    previous
                    and previous[0].lower() in _ORDINAL_WORDS
                    and after
                    and after[0].lower() not in rules.starters
                ):
                    return False
        return True
    if low in rules.titles or word in rules.titles or low.replace(".", "").rpartition("-")[2] in rules.titles:
        return False
    numbered = low in rules.before_number or word in rules.before_number
    if (digit_next or a == FILL) and (numbered or low.endswith(rules.number_endings)):
        return False
    if low == "al" and masked[n] in "([" and masked.endswith("et ", begin, at - 2):
        return False  # Jones et al. (2020)
    if masked[n] == "(" and word[0].isupper() and len(word) < 6 and _UNION.match(masked, n):
        return False
    if not any(map(str.isalpha, word)):
        return True  # 5 €. 20 %.
    if stop - at > 1 and masked[stop - 1] in _QUOTED:
        return True
    after = _WORD_AFTER.match(masked, word_at, end)
    elided = after is not None and masked[after.end() : after.end() + 1] in ("'", "’")
    starts = (
        after is not None and after[0].lower() in rules.starters and (len(after[0]) > 1 or elided or rules.code == "en")
    )
    initial = _INITIAL.match(masked, word_at) is not None
    if after is not None and low in rules.short:
        if _ROMAN.fullmatch(after[0]) and low in rules.before_number:
            return False
        if masked[after.end() : after.end() + 1] == "." and after[0].lower() in rules.short:
            return False  # one abbreviation after the other: Reg. No. 261
    elif after is not None and word in rules.before_number:
        following = after[0].lower()
        shortened = masked[after.end() : after.end() + 1] == "." and (
            following in rules.short or after[0] in rules.short
        )
        if following in _DAYS or shortened:
            return False  # Tue. March 5, Cal. Civ. Code
    if low in rules.may_end and (starts or word.islower()):
        return starts or (after is not None and after[0].lower() not in _DAYS)
    if low in ("f", "ff") and rules.code == "de" and after is not None and sum(map(str.isupper, after[0])) > 1:
        return False  # §§ 433 ff. BGB
    if numbered and low not in rules.abbreviations and not (len(word) == 1 and word.isupper()):
        return after is not None and (len(after[0]) > 1 or elided)  # not before the A of "Fig. A"
    if after is not None and len(word) < 5 and not initial and _AFTER_NUMBER.search(masked, max(begin, at - 40), at):
        # A unit (12 V. 5 mm.), if it is not an abbreviation of a number (5 Mio. Euro).
        return word.isupper() or low not in rules.abbreviations or (starts and low not in rules.never_end)
    if len(word) == 1 or (len(word) == 3 and word[1] in ".-"):
        return _initial(masked, begin, at, word, low, n, rules, starts)
    if low in rules.abbreviations:
        return starts and low not in rules.never_end
    if len(word) > 3 and low.endswith(rules.number_endings) and not starts:
        return False  # Hauptstr. Berlin
    if marked or (stop - at > 1 and masked[stop - 1] in "*_"):
        return True
    if "." in word:
        if len(word) <= 8 and all(len(p) <= 2 for p in word.split(".")):
            return starts and low not in rules.never_end  # letters with stops, such as U.S. and p.p.m.
        return True
    if len(word) > 3 and rules.own:
        return True
    if starts and len(word) > 1:
        return True
    return None


def _in_date(masked: str, begin: int, at: int) -> bool:
    """Whether a stop between digits belongs to a date with blanks: 31. 12. 2024."""
    return any(m.start() <= at < m.end() for m in _SPACED_DATE.finditer(masked, max(begin, at - 10), at + 12))


_SPACED_DATE = re.compile(r"(?<!\d)\d{1,2}\. \d{1,2}\. ?\d{4}(?!\d)")
_ORDINALS = re.compile(r"\d\. (?:und|oder|bis|sowie) \d{1,3}$")


def _initial(masked: str, begin: int, at: int, word: str, low: str, n: int, rules: Rules, starts: bool) -> bool | None:
    """A single letter before a full stop: an initial, an abbreviation in pieces (z. B.), or the end after "vitamin C"."""
    if "." in word or "-" in word:
        return starts and low not in rules.never_end and low in rules.abbreviations
    if word.isdigit():
        return True
    if not word.isupper():
        return starts and low not in rules.abbreviations
    if _INITIAL.match(masked, n):
        return False
    previous = _WORD_BEFORE.search(masked[max(begin, at - 60) : at - len(word)].rstrip())
    if previous is None:
        return False
    name = previous[0]
    if name.lower() in _LETTER_NOUNS:
        return True
    if low in rules.abbreviations and not starts:
        return False
    if name.endswith("."):
        return False
    return starts and not (name[:1].isupper() and len(name) > 1 and word != "I")


def _by_sentencex(masked: str, start: int, end: int, rules: Rules) -> frozenset[int]:
    """Ends of sentences that sentencex sees in a unit."""
    # sentencex panics on some space-like characters, and the fill must look like a letter to it.
    piece = _SPACE_LIKE.sub(" ", masked[start:end]).replace(FILL, "x")
    found = []
    pos = start
    for sentence in sentencex.segment(rules.code, piece.encode("utf-8", "replace").decode("utf-8")):
        pos += len(sentence)
        found.append(pos)
    return frozenset(found)
