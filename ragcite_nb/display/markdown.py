"""Markdown to HTML, once, with the checker's citations in their places.

A renderer that looks for ``[1]`` in finished HTML loses marks that Markdown has eaten (``[[1]]``, ``[Doc: *x*]``) and
finds some that the checker did not mean. So each mark is replaced by a *sentinel* before parsing: private-use
characters between two brackets that no Markdown rule knows. The sentinel becomes an empty element after parsing, which
the static view and the widget fill with a badge, and each block that holds badges is followed by an empty element for
their panels:

    <p dir="auto">It is free <span data-ragcite-badge="0"></span>.</p>
    <div data-ragcite-panels="0"></div>

Text of the answer cannot forge these elements: raw HTML is off, so its ``<`` is always escaped. The brackets around the
sentinel make it count as punctuation, as the mark's own brackets do; emphasis next to a mark depends on that.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAX_MARKDOWN = 200_000
"""Longer answers are shown as plain paragraphs: parsing Markdown takes seconds there, and nobody reads it."""

MAX_NESTING = 20
"""Deeper nested emphasis, quotes and lists are shown as text; hostile nesting would cost time and stack."""


_LINES_BACK = 50
_BLANKS_BACK = 2_000


class Place(NamedTuple):
    """Where badge ``badge`` goes: instead of ``text[start:end]``, or at ``start`` when both are equal."""

    start: int
    end: int
    badge: int


_OPEN, _CLOSE = "\u27e6", "\u27e7"
_BADGE, _CHARACTER, _UNCITED_START, _UNCITED_END = "\ue000", "\ue001", "\ue002", "\ue003"
_DIGITS = "".join(chr(0xE010 + digit) for digit in range(10))
_TO_DIGITS = str.maketrans("0123456789", _DIGITS)
_FROM_DIGITS = str.maketrans(_DIGITS, "0123456789")
_RESERVED = re.compile("[\ue000-\ue019]")
_SENTINEL = re.compile(f"{_OPEN}([\ue000-\ue003])([{_DIGITS}]*){_CLOSE}")

_UNUSABLE = re.compile("[\x00\ud800-\udfff]")
"""NUL and lone surrogates: neither UTF-8 nor HTML can carry them."""

# A line that is pure block syntax up to the insertion: text appended to it would undo a fence, a rule, an underline
# or a table. Each alternative starts differently, so matching is linear.
_BLOCK_SYNTAX = re.compile(r"[ \t>]*(?:```[^\n]*|~~~[^\n]*|[-=*_|: \t]*|#+[ \t]*|\d{1,9}[.)][ \t]*|[+][ \t]*)$")
_SAFE_LINK = re.compile(r"(?:https?|mailto):", re.IGNORECASE)


def clean(text: str) -> str:
    r"""``text`` without characters that no HTML or JSON message can carry; the length stays.

    >>> clean("a\x00b")
    'a�b'
    """
    return _UNUSABLE.sub("\ufffd", text)


def safe_url(url: str | None) -> str | None:
    """``url`` if it is one that may be made a link: http, https or mailto.

    >>> safe_url("javascript:alert(1)") is None
    True
    >>> safe_url(" https://example.org/a ")
    'https://example.org/a'
    """
    url = clean(url or "").strip()
    return url if _SAFE_LINK.match(url) and not re.search(r"[\s<>\"]", url) else None


def render(
    text: str,
    places: Sequence[Place] = (),
    hidden: Iterable[tuple[int, int]] = (),
    uncited: Iterable[tuple[int, int]] = (),
    *,
    uncited_mark: str = "uncited",
    last: Sequence[int] = (),
    last_title: str = "",
) -> str:
    """HTML of ``text`` with an empty element for each badge and for each block's panels.

    Args:
        text: the answer, Markdown of unknown origin.
        places: where the badges go.
        hidden: spans that are not shown, such as the tags of ``<cite>…</cite>``.
        uncited: spans of sentences to be marked as uncited.
        uncited_mark: the words for that, shown behind the sentence.
        last: badges without a place in the text; they stand at the end.
        last_title: the words before those.

    >>> print(render("It is *free [1]*.", [Place(12, 15, 0)]))
    <p dir="auto">It is <em>free <span data-ragcite-badge="0"></span></em>.</p>
    <div data-ragcite-panels="0"></div>
    """
    text = clean(text)
    source = _with_sentinels(text, places, hidden, uncited)
    parse = _PARSER.parse if len(source) <= MAX_MARKDOWN else _paragraphs
    placed: set[int] = set()
    tokens = list(_place(parse(source), uncited_mark, placed))
    rest = [place.badge for place in places if place.badge not in placed] + list(last)
    if rest:
        title = f"{escape(last_title)}: " if last_title else ""
        shown = f'<p class="ragcite-rest">{title}{" ".join(map(_badge, rest))}</p>'
        tokens.append(_raw(f"{shown}\n{_panels(rest)}\n", block=True))
    return str(_PARSER.renderer.render(tokens, _PARSER.options, {}))


# ---------------------------------------------------------------------------------------------- before parsing


def _with_sentinels(
    text: str, places: Iterable[Place], hidden: Iterable[tuple[int, int]], uncited: Iterable[tuple[int, int]]
) -> str:
    cuts = _disjoint([(p.start, p.end, _sentinel(_BADGE, p.badge)) for p in places if p.end > p.start], hidden)
    ends = {start: end for start, end, _ in cuts}
    inside = _Inside(cuts)
    # Of several things at one position, the end of one sentence comes before a badge, and that before the next start.
    points: list[tuple[int, int, str]] = []
    for start, end in uncited:
        first, behind = _trim_row(text, start, end)
        if first < behind:
            points.append((inside.before(first), 2, _sentinel(_UNCITED_START)))
            points.append((inside.after(behind), 0, _sentinel(_UNCITED_END)))
    points += [
        (inside.after(position), 1, _sentinel(_BADGE, place.badge))
        for place in places
        if place.start == place.end and (position := _insertion_point(text, place.start)) is not None
    ]
    points.sort(key=lambda point: point[:2])

    pieces: list[str] = []
    done = 0
    cut_at = iter(cuts)
    cut = next(cut_at, None)
    for position, _, sentinel in [*points, (len(text), 3, "")]:
        while cut is not None and cut[0] < position:
            pieces += (_escape_reserved(text[done : cut[0]]), cut[2])
            done = ends[cut[0]]
            cut = next(cut_at, None)
        pieces += (_escape_reserved(text[done:position]), sentinel)
        done = max(done, position)
    return "".join(pieces)


def _sentinel(kind: str, number: int | None = None) -> str:
    return f"{_OPEN}{kind}{'' if number is None else str(number).translate(_TO_DIGITS)}{_CLOSE}"


def _escape_reserved(text: str) -> str:
    """Private-use characters of the answer that sentinels are made of, as sentinels of their own."""
    return _RESERVED.sub(lambda match: _sentinel(_CHARACTER, ord(match[0])), text)


def _disjoint(replaced: list[tuple[int, int, str]], hidden: Iterable[tuple[int, int]]) -> list[tuple[int, int, str]]:
    """Spans to be cut, in order, none overlapping: of two that do, the one that begins first stays."""
    kept: list[tuple[int, int, str]] = []
    for start, end, sentinel in sorted([*replaced, *((start, end, "") for start, end in hidden if end > start)]):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end, sentinel))
    return kept


class _Inside:
    """Moves positions out of the cut spans; they are asked for in any order."""

    def __init__(self, cuts: Sequence[tuple[int, int, str]]) -> None:
        self.starts = [start for start, _, _ in cuts]
        self.ends = [end for _, end, _ in cuts]

    def before(self, position: int) -> int:
        cut = self._cut(position)
        return position if cut is None else self.starts[cut]

    def after(self, position: int) -> int:
        cut = self._cut(position)
        return position if cut is None else self.ends[cut]

    def _cut(self, position: int) -> int | None:
        cut = bisect_left(self.starts, position) - 1
        return cut if cut >= 0 and position < self.ends[cut] else None


def _trim_row(text: str, start: int, end: int) -> tuple[int, int]:
    """A span without the cell borders of a table row at its ends: a sentinel outside of them would be a new cell."""
    while start < end and text[start] in "| \t":
        start += 1
    while end > start and text[end - 1] in "| \t":
        end -= 1
    return start, end


def _insertion_point(text: str, position: int) -> int | None:
    """The nearest position at or before ``position`` where an insertion leaves Markdown's blocks as they are."""
    for _ in range(_LINES_BACK):
        nearby = text[max(0, position - _BLANKS_BACK) : position]
        position -= len(nearby) - len(nearby.rstrip())
        if position <= 0:
            break
        line = text.rfind("\n", 0, position) + 1
        if _BLOCK_SYNTAX.match(text, line, position):
            position = line
            continue
        if text[line:position].lstrip(" \t>").startswith("|"):
            position = line + len(text[line:position].rstrip("| \t"))
        while position < len(text) and text[position] == text[position - 1] and text[position] in "*_~`":
            position += 1
        return position
    return None


# ----------------------------------------------------------------------------------------------------- parsing


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False, "breaks": True, "maxNesting": MAX_NESTING})
    parser.enable(["table", "strikethrough"])
    # "reference" would swallow lines such as "[1]: https://…", and pictures would let a remote host count readers.
    parser.disable(["reference", "image", "html_block", "html_inline"])
    parser.validateLink = lambda url: safe_url(_strip(url)) is not None  # type: ignore[method-assign]
    normalize = parser.normalizeLink
    parser.normalizeLink = lambda url: normalize(_strip(url))  # type: ignore[method-assign]
    return parser


def _strip(text: str) -> str:
    """``text`` as the answer has it: badges out, escaped characters back."""
    return _SENTINEL.sub(lambda match: _character(match) if match[1] == _CHARACTER else "", text)


def _character(match: re.Match[str]) -> str:
    return chr(int(match[2].translate(_FROM_DIGITS)))


_PARSER = _parser()


def _paragraphs(source: str) -> list[Token]:
    """The tokens of ``source`` read as plain paragraphs."""
    tokens = []
    for block in re.split(r"\n[ \t]*\n", source):
        inline = Token("inline", "", 0, content=block, children=[])
        for number, line in enumerate(block.split("\n")):
            if number:
                inline.children.append(Token("hardbreak", "br", 0))  # type: ignore[union-attr]
            inline.children.append(Token("text", "", 0, content=line))  # type: ignore[union-attr]
        opening = Token("paragraph_open", "p", 1, block=True)
        tokens += [opening, inline, Token("paragraph_close", "p", -1, block=True)]
    return tokens


# ----------------------------------------------------------------------------------------------- after parsing

_DIRECTED = {f"{name}_open" for name in ("paragraph", "heading", "list_item", "blockquote", "th", "td")}
_DIRECTED |= {"bullet_list_open", "ordered_list_open"}  # on which side the bullets stand
_CODE = {"fence", "code_block"}
_ENDS_BLOCK = {"paragraph_close", "heading_close", "table_close", *_CODE}
_HEADING_SHIFT = 2  # a notebook's own headings stay above those of an answer


def _place(tokens: Iterable[Token], uncited_mark: str, placed: set[int]) -> Iterator[Token]:
    """The tokens with badges and panels in them; ``placed`` gets the badges that were found."""
    inline = _Inline(uncited_mark)
    waiting: list[int] = []
    tables = 0
    for token in tokens:
        if token.type in _DIRECTED:
            token.attrSet("dir", "auto")
        if "style" in token.attrs:  # of table cells; a strict content security policy forbids it
            token.attrSet("class", "ragcite-" + str(token.attrs.pop("style")).removeprefix("text-align:"))
        if token.tag in ("h1", "h2", "h3", "h4", "h5"):
            token.tag = f"h{min(int(token.tag[1]) + _HEADING_SHIFT, 6)}"
        if token.type == "table_open":
            tables += 1
            yield _raw('<div class="ragcite-scroll" tabindex="0">\n', block=True)
        if token.type == "inline":
            waiting += inline.place(token)
        elif token.type in _CODE:
            waiting += _badges_in(token.content) + _badges_in(token.info)
            token.content, token.info = _strip(token.content), _strip(token.info)
            token.attrSet("dir", "ltr")
        yield token
        if token.type in _CODE and waiting:
            yield _raw(f"<p>{' '.join(map(_badge, waiting))}</p>\n", block=True)
        if token.type == "table_close":
            tables -= 1
            yield _raw("</div>\n", block=True)
        if waiting and not tables and token.type in _ENDS_BLOCK:
            yield _raw(_panels(waiting) + "\n", block=True)
            placed.update(waiting)
            waiting = []


class _Inline:
    """Badges and uncited marks inside inline content; whether a sentence is open lasts across table cells."""

    def __init__(self, uncited_mark: str) -> None:
        self.mark = f' <sup class="ragcite-uncited-mark">{escape(uncited_mark)}</sup>'
        self.uncited = False

    def place(self, token: Token) -> list[int]:
        """Put badges into an inline token; return them."""
        found: list[int] = []
        children: list[Token] = []
        links = 0
        after_link: list[int] = []  # a button inside of a link could not be pressed

        def put(badge: int) -> None:
            if links:
                after_link.append(badge)
            else:
                found.append(badge)
                children.append(_raw(_badge(badge)))

        for child in token.children or ():
            if child.type == "link_open":
                links += 1
                child.attrSet("rel", "noopener noreferrer nofollow")
                child.attrSet("target", "_blank")
                if "title" in child.attrs:
                    child.attrSet("title", _strip(str(child.attrs["title"])))
                children.append(child)
            elif child.type == "link_close":
                links -= 1
                children.append(child)
                if not links:
                    for badge in after_link:
                        put(badge)
                    after_link = []
            elif child.type == "text":
                done = 0
                for match in _SENTINEL.finditer(child.content):
                    self._text(child.content[done : match.start()], children)
                    done = match.end()
                    if match[1] == _BADGE:
                        put(int(match[2].translate(_FROM_DIGITS)))
                    elif match[1] == _CHARACTER:
                        self._text(_character(match), children)
                    elif match[1] == _UNCITED_END and self.uncited:
                        self.uncited = False
                        children.append(_raw(self.mark))
                    else:
                        self.uncited = match[1] == _UNCITED_START
                self._text(child.content[done:], children)
            else:
                badges = _badges_in(child.content)
                child.content = _strip(child.content)
                children.append(child)
                for badge in badges:
                    put(badge)
        token.children = children
        return found

    def _text(self, text: str, children: list[Token]) -> None:
        if text:
            shown = escape(text, quote=False)
            wrapped = self.uncited and not text.isspace()
            children.append(_raw(f'<span class="ragcite-uncited">{shown}</span>' if wrapped else shown))


def _badges_in(text: str) -> list[int]:
    return [int(match[2].translate(_FROM_DIGITS)) for match in _SENTINEL.finditer(text) if match[1] == _BADGE]


def _badge(badge: int) -> str:
    return f'<span data-ragcite-badge="{badge}"></span>'


def _panels(badges: Iterable[int]) -> str:
    return f'<div data-ragcite-panels="{" ".join(map(str, badges))}"></div>'


def _raw(html: str, *, block: bool = False) -> Token:
    """A token that is rendered as it is."""
    return Token("html_block" if block else "html_inline", "", 0, content=html, block=block)
