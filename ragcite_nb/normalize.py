"""Folding: what two texts must share to count as the same words.

A quote rarely keeps the bytes of its source: PDF extraction leaves ligatures and line ends, a model types straight
quotation marks, Markdown puts asterisks around words. :func:`fold` removes these differences and no others: letters,
digits and their grouping stay, so that "2.4" and "2.40" remain different texts.

Most time of a check goes into folding, so :func:`fold` looks before it works: whole-string guards and
``str.replace``, no regular expression unless a character asks for it. :func:`fold_map` takes the same steps slowly and
keeps book of where every folded character came from; it is for the few texts in which a position is asked for.
Both run in linear time on any text.
"""

from __future__ import annotations

import html
import re
import unicodedata
from array import array
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

CJK = (
    "\u1100-\u11ff\u2e80-\u300f\u3012-\u303b\u303d-\u312f\u3130-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f"
    "\uff61-\uffdc\U0001b000-\U0001b2ff\U00020000-\U0003ffff"
)
"""Ranges, for a character class, of the scripts in which spaces carry no meaning for matching: Chinese, Japanese,
Korean and their punctuation, but not the brackets of 【4】. Full-width letters and digits are missing, for they are
Latin once folded."""

# One character each, replaced before compatibility normalisation: it would tear some apart (´ becomes space + accent),
# and a text that holds none but these needs no normalisation at all, which is much slower.
_REPLACED = {
    **dict.fromkeys("‘’‚‛′‵ʹʹʻʼʽˈ´‹›＇׳", "'"),
    **dict.fromkeys("“”„‟″‶«»〝〞〟＂「」『』｢｣﹁﹂﹃﹄״", '"'),
    **dict.fromkeys("‐‑‒–—―−⁃﹘﹣－︱︲", "-"),
    **dict.fromkeys("\x85\xa0\u1680\u2007\u2009\u200a\u2028\u2029\u202f\u3000", " "),
    **dict(zip("œŒæÆ", ("oe", "OE", "ae", "AE"), strict=True)),
    "…": "...",
    "ŉ": "'n",
    "⁄": "/",
}
# Invisible characters, and marks that are no part of the wording; ™ would turn into the letters "TM".
_DELETED = (
    "\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e\u206f\ufe0e\ufe0f\ufeff™℠®"
)
_PLAIN = _REPLACED | dict.fromkeys(_DELETED, "")
_RARE_SPACES = "\t\r\x0b\x0c\x1c\x1d\x1e\x1f"
_LEFT_OUT = _RARE_SPACES + '*_`~[<&"'
_MIDDLE_DOTS = "·‧∙⋅・"

_TAG = re.compile(r"</?(?:b|i|u|em|strong|mark|su[bp])>|<br ?/?>", re.IGNORECASE)
_RAISED = re.compile(r"<sup>(\d{1,3}(?:, ?\d{1,3}){0,5})</sup>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d{2,6}|#[xX][\da-fA-F]{2,5}|[a-zA-Z][a-zA-Z\d]{1,30});")
# [health portal](https://…), or its end in a quote that begins within.
_LINK = re.compile(
    r"(?:\[([^\[\]]{1,200}))?\]\((?:[a-z][a-z\d+-]{1,9}://|www\.|mailto:|[/#.])[^()\s]{0,500}\)", re.IGNORECASE
)
_CITES = re.compile(r"\^?\d{1,3}\Z")
# French sets blanks inside its quotation marks; German marks of the same shape have them outside.
_INNER_BLANK = re.compile(r"(?<![^\s(])«(\s++)|(?<!\s)(\s++)»(?![^\W_])")
# French sets some signs apart: "Attention : non".
_BLANK_BEFORE = re.compile(r" (?=[:;!?])(?:(?<=[^\W\d_] )|(?<=[)'%] ))")
# Single marks stand inside double ones by some rules, by others the reverse. Behind a figure they are feet and inches.
_DOUBLE = re.compile(r'"(?<!\d")')
_INCHES = re.compile(r'"(?<=\d")')
_TYPOGRAPHY = re.compile(f"[{re.escape(''.join(_REPLACED))}]")
_INVISIBLE = re.compile(f"[{re.escape(_DELETED)}]")
# Extraction leaves a soft hyphen and the line end that it caused.
_SOFT_HYPHEN = re.compile("\u00ad\\s*")
# Patterns begin with a class of the characters that matter and look back from there: ten times faster than the reverse.
# "10⁵" is not "105" and "1½" is not "11/2": digits that only look glued are set apart before they become plain digits.
_SUPERSCRIPTS = "¹²³⁰⁴-⁹"
_ODD_DIGIT = f"[{_SUPERSCRIPTS}₀-₉¼-¾⅐-⅟↉①-⒛⓪㉈-㉏㉑-㉟㊱-㊿🄀-🄌]"
_IS_SUPERSCRIPT = re.compile(f"[{_SUPERSCRIPTS}]")
_GLUED_DIGIT = re.compile(rf"{_ODD_DIGIT}(?:(?<=\d.)|(?=\d))")
# What may be the number of a note ("stable.¹²"), and what must stand before it: no unit, no formula.
_NOTE = re.compile(
    rf"[{_SUPERSCRIPTS}](?<![{_SUPERSCRIPTS}].)[{_SUPERSCRIPTS}]*+(?:[,-][{_SUPERSCRIPTS}]++){{0,9}}(?![^\W_]|[⁺⁻])"
)
_LAST_WORD = re.compile(r"[^\W\d_]+\Z")
_LAST_STOP = re.compile(r"(?:[^\W\d_]|[)\"'”’»])(?:[.,;:!?][\"'”’»]?|[\"”»])\Z")
_EN_MEASURES = "inch inches foot feet yard yards mile miles metre metres meter meters acre hour"
_MEASURES = frozenset(
    f"{_EN_MEASURES} mètre mètres zoll fuß meile meilen pied pieds mol bar sec min sin cos tan log exp sinh cosh tanh".split()
)
_PREFIXED = ("metre", "metres", "meter", "meters", "mètre", "mètres")
_MIDDLE_DOT = re.compile(rf"[{_MIDDLE_DOTS}](?<=\d.)(?=\d)")
_SPACES = re.compile(r"\s{2,}|[^\S ]|\A | \Z")
_CJK = re.compile(f"[{CJK}]")
_CJK_SPACE = re.compile(f" (?:(?<=[{CJK}] )|(?=[{CJK}]))")
# A run of emphasis signs goes when it opens (no letter before it, text after it) or closes (the reverse). Between two
# letters it is snake_case or 2**3, between two spaces a product or a bullet. Possessive, so that a run counts whole.
_WORD = rf"[^\W_{CJK}]"
_EMPHASIS = re.compile(rf"[*_`](?<![*_`].)(?:(?<!{_WORD}.)[*_`]*+(?=\S)|(?<=\S.)[*_`]*+(?!{_WORD}))")
_STRIKE = re.compile(rf"~(?<!~~)(?:(?<!{_WORD}~)~++(?=\S)|(?<=\S~)~++(?!{_WORD}))")
# [1], [^1], [1, 3], [1-3], 【4†L1】
_ONE_MARKER = r"(?:\[\^?\d{1,3}(?: ?[,;-] ?\^?\d{1,3})*\]|【\d{1,3}(?:[:†][^】]{0,60})?】)"
_MARKERS = re.compile(f"{_ONE_MARKER}(?: ?{_ONE_MARKER})*")
_FIRST_NUMBERS = re.compile(r"(?<![:†\d])\d+")
_INDEXED = re.compile(r"(?:(?<![^\W_])[A-Za-z]|\w_\w*|[a-z][A-Z]\w*|\.[a-z_]\w*|\))\Z")
_SHORT = 4_000
_LONGEST_NAME = 40
# A hyphen with a space after it, but none before it: almost always a line end ("inter-\nnational").
_BROKEN_WORD = re.compile(r"-(?<=[^\W_]-) (?=[^\W_])")
_LOOSE_HYPHEN = re.compile(r"-(?<=\S-)(?![^\W_])")
_ASCII = bytes(range(128))
_BESIDE_NON_ASCII = re.compile(r"[\x00-\x7f]?[^\x00-\x7f]+")
_MOST_MARKS = 30

Edit = tuple[int, int, str]


class Offsets:
    """Where the characters of a folded text came from: character ``i`` from ``text[starts[i]:ends[i]]``."""

    __slots__ = ("ends", "starts")

    def __init__(self, starts: array[int], ends: array[int]) -> None:
        self.starts = starts
        self.ends = ends

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original text that gave the characters ``start`` to ``end`` of the folded one.

        >>> folded, offsets = fold_map("a ﬁne  day")
        >>> offsets.span(folded.index("fine"), folded.index("day"))
        (2, 7)
        """
        if start >= end:
            at = self.starts[start] if start < len(self.starts) else (self.ends[-1] if self.ends else 0)
            return at, at
        return self.starts[start], self.ends[end - 1]


def fold(text: str, *, keep_hyphens: bool = False) -> str:
    r"""The text without differences of layout and typography, in lower case.

    Args:
        text: any text.
        keep_hyphens: how to read a hyphen at a line end: by default the word goes on without it ("inter-⏎national"),
            with ``True`` the hyphen belongs to the word ("per-⏎tenant"). Only a reader who knows the language can
            tell, so a search tries both.

    >>> fold("It’s “**signiﬁcant**”\u00a0– see\n section １２ [3].")
    "it's 'significant' - see section 12."
    >>> fold("次の 場合\nに"), fold("snake_case = 4 * x[1]")
    ('次の場合に', 'snake_case = 4 * x[1]')
    """
    spaceless = False
    if "<" in text or "&" in text or ("]" in text and "](" in text):
        text = _without_markup(text)
    if not text.isascii():
        text, spaceless = _unify(text)
    if "\n" in text:
        text = text.replace("\n", " ")
    for space in _RARE_SPACES:
        if space in text:
            text = text.replace(space, " ")
    if len(text) > _SHORT:
        text = " ".join(text.split())
    else:  # several times faster while double spaces are few
        while "  " in text:
            text = text.replace("  ", " ")
        text = text.strip(" ")
    if "*" in text or "_" in text or "`" in text or "~" in text:
        text = _STRIKE.sub("", _EMPHASIS.sub("", text))
    if "[" in text or "【" in text:
        text = _without(text, _marker_spans(text))
    if '"' in text:
        text = _DOUBLE.sub("'", text) if _INCHES.search(text) else text.replace('"', "'")
    if _is_set_apart(text):
        text = _BLANK_BEFORE.sub("", text)
    if spaceless:
        text = _CJK_SPACE.sub("", text)
    text = text.casefold()
    if "-" in text and "- " in text:
        text = _BROKEN_WORD.sub(_mended_keep if keep_hyphens else _mended_join, text)
    return text


def _is_set_apart(text: str) -> bool:
    """Whether a sign has a blank before it."""
    # One character is found several times faster than two.
    return (
        (":" in text and " :" in text)
        or (";" in text and " ;" in text)
        or ("!" in text and " !" in text)
        or ("?" in text and " ?" in text)
    )


def is_marked_up(text: str) -> bool:
    r"""Whether :func:`fold` may leave out or join characters of an ASCII text beyond line breaks; may err towards yes.

    >>> is_marked_up("It costs\n4 euros."), is_marked_up("It *costs* 4 euros.")
    (False, True)
    """
    if any(map(text.__contains__, _LEFT_OUT)):
        return True
    text = text.replace("\n", " ")
    return "  " in text or _is_set_apart(text) or has_broken_word(text)


def has_broken_word(folded_from: str) -> bool:
    r"""Whether :func:`fold` gives another text with ``keep_hyphens``; may err towards yes.

    >>> has_broken_word("a per-\ntenant basis"), has_broken_word("a per-tenant basis")
    (True, False)
    """
    return "-" in folded_from and _LOOSE_HYPHEN.search(folded_from) is not None


def bracketed_numbers(text: str) -> list[str]:
    """The numbers in what :func:`fold` takes for citation markers and leaves out.

    >>> bracketed_numbers("within [14] days [2, 3] of x[1]")
    ['14', '2', '3']
    """
    if "[" not in text and "【" not in text:
        return []
    return [number for start, end in _marker_spans(text) for number in _FIRST_NUMBERS.findall(text[start:end])]


def fold_map(text: str, *, keep_hyphens: bool = False) -> tuple[str, Offsets]:
    r"""What :func:`fold` returns, and where each of its characters came from.

    >>> folded, offsets = fold_map("20 ℃, stir\ntwice")
    >>> folded, offsets.span(3, 5), offsets.span(7, 17)
    ('20 °c, stir twice', (3, 4), (6, 16))
    """
    trace = _Trace(text)
    trace.replace(_RAISED, _lowered)
    trace.replace(_TAG, _tag)
    trace.replace(_ENTITY, _entity)
    trace.edit((start, end, "") for start, end in _link_spans(trace.text))
    if not trace.text.isascii():
        trace.replace(_SOFT_HYPHEN, _nothing)
        trace.edit((start, end, "") for start, end in _inner_blanks(trace.text))
        trace.replace(_INVISIBLE, _nothing)
        trace.replace(_TYPOGRAPHY, lambda match: _REPLACED[match[0]])
        if not unicodedata.is_normalized("NFKC", trace.text):
            trace.replace(_NOTE, _note)
            trace.replace(_GLUED_DIGIT, _set_apart)
            if excess := _excess_marks(set(trace.text)):
                trace.replace(excess, lambda match: match[1])
            trace.edit(_compatibility_edits(trace.text))
            trace.text = trace.text.replace("⁄", "/")
        trace.replace(_MIDDLE_DOT, lambda _match: ".")
    length = len(trace.text)
    trace.replace(_SPACES, lambda match: "" if match.start() == 0 or match.end() == length else " ")
    trace.replace(_EMPHASIS, _nothing)
    trace.replace(_STRIKE, _nothing)
    trace.edit((start, end, "") for start, end in _marker_spans(trace.text))
    trace.replace(_DOUBLE, lambda _match: "'")
    trace.replace(_BLANK_BEFORE, _nothing)
    trace.replace(_CJK_SPACE, _nothing)
    trace.casefold()
    trace.replace(_BROKEN_WORD, _mended_keep if keep_hyphens else _mended_join)
    return trace.text, Offsets(trace.starts, trace.ends)


def _unify(text: str) -> tuple[str, bool]:
    """A text with typographic and compatibility characters made plain, and whether it has CJK characters."""
    # Bytes are several times faster than a search; the characters that are not ASCII, each once.
    found = set(text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass"))
    if "\u00ad" in found:
        text = _SOFT_HYPHEN.sub("", text)
    if "«" in found or "»" in found:
        text = _without(text, _inner_blanks(text))
    for char in found:
        plain = _PLAIN.get(char)
        if plain is not None:
            text = text.replace(char, plain)
    if text.isascii():
        return text, False
    if not unicodedata.is_normalized("NFKC", text):
        text = _GLUED_DIGIT.sub(_set_apart, _NOTE.sub(_note, text))
        if excess := _excess_marks(found):
            text = excess.sub(r"\1", text)
        text = unicodedata.normalize("NFKC", text)
        if "⁄" in text:
            text = text.replace("⁄", "/")
    for dot in _MIDDLE_DOTS:
        if dot in text:
            text = _MIDDLE_DOT.sub(".", text)
            break
    return text, max(found) >= "\u1100" and _CJK.search(text) is not None


def _without_markup(text: str) -> str:
    """A text without tags, character references and link targets."""
    if "<" in text:
        text = _TAG.sub(_tag, _RAISED.sub(_lowered, text))
    if "&" in text:
        text = _ENTITY.sub(_entity, text)
    return _without(text, _link_spans(text)) if "](" in text else text


def _tag(match: re.Match[str]) -> str:
    return " " if match[0][1:3].lower() == "br" else ""


def _entity(match: re.Match[str]) -> str:
    return html.unescape(match[0])


def _lowered(match: re.Match[str]) -> str:
    """The digits of a raised number that is no note: m<sup>2</sup>, 10<sup>5</sup>."""
    text, at = match.string, match.start()
    if _is_noted(text, at):
        return ""
    before = "^" if at and text[at - 1].isdecimal() else ""
    after = " " if match.end() < len(text) and text[match.end()].isdecimal() else ""
    return before + match[1] + after


def _note(match: re.Match[str]) -> str:
    return "" if _is_noted(match.string, match.start()) else match[0]


def _is_noted(text: str, at: int) -> bool:
    """Whether a raised number at ``at`` is that of a note: after a whole word or a stop, not after a unit."""
    word = _LAST_WORD.search(text, max(0, at - 24), at)
    if word is None:
        return _LAST_STOP.search(text, max(0, at - 4), at) is not None
    last = word[0].casefold()
    return len(last) > 2 and last not in _MEASURES and not last.endswith(_PREFIXED)


def _link_spans(text: str) -> Iterable[tuple[int, int]]:
    """What is no wording in links; the number of a citation keeps its brackets, for it is left out as a marker."""
    for match in _LINK.finditer(text):
        if match[1] is None:
            yield match.span()
        elif _CITES.match(match[1]):
            yield match.end(1) + 1, match.end()
        else:
            yield match.start(), match.start(1)
            yield match.end(1), match.end()


def _inner_blanks(text: str) -> Iterable[tuple[int, int]]:
    for match in _INNER_BLANK.finditer(text):
        yield match.span(1) if match[1] else match.span(2)


def _nothing(_match: re.Match[str]) -> str:
    return ""


def _set_apart(match: re.Match[str]) -> str:
    at, text, char = match.start(), match.string, match[0]
    sign = "^" if _IS_SUPERSCRIPT.match(char) else " "
    before = sign if at and text[at - 1].isdecimal() else ""
    after = " " if match.end() < len(text) and text[match.end()].isdecimal() else ""
    return before + char + after


def _marker_spans(text: str) -> Iterable[tuple[int, int]]:
    """Citation markers, each with the space before it; at the start of the text with the one after it.

    An array index is none: ``x[1]`` and ``x[2]`` are different things.
    """
    for match in _MARKERS.finditer(text):
        start, end = match.span()
        if start == 0:
            yield start, end + (text[end : end + 1] == " ")
        elif text[start - 1] == " ":
            yield start - 1, end
        elif text[start] == "【" or not _INDEXED.search(text[max(0, start - _LONGEST_NAME) : start]):
            yield start, end


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    pieces, done = [], 0
    for start, end in spans:
        pieces.append(text[done:start])
        done = end
    return "".join(pieces) + text[done:] if done else text


def _mended_join(match: re.Match[str]) -> str:
    return "-" if match.string[match.start() - 1].isdecimal() else ""


def _mended_keep(_match: re.Match[str]) -> str:
    return "-"


@lru_cache(maxsize=4096)
def _first_part(char: str) -> str:
    return unicodedata.normalize("NFKD", char)[0]


def _is_mark(char: str) -> bool:
    return char > "\u02ff" and unicodedata.combining(_first_part(char)) != 0


def _joins(char: str) -> bool:
    """Whether normalisation may combine the character with those before it; may err towards yes."""
    first = _first_part(char)
    kirat_rai, jamo = "\U00016d60" <= first <= "\U00016d7f", "\u1160" <= first <= "\u11ff"
    return jamo or kirat_rai or unicodedata.category(first)[0] == "M"


def _excess_marks(chars: Iterable[str]) -> re.Pattern[str] | None:
    """A pattern for letters with absurdly many combining marks; the marks to keep are its first group.

    Normalisation sorts the marks of a letter in quadratic time. No writing system has more than a few.
    """
    marks = "".join(filter(_is_mark, chars))
    if not marks:
        return None
    return re.compile(f"([{re.escape(marks)}]{{{_MOST_MARKS}}})[{re.escape(marks)}]+")


def _compatibility_edits(text: str) -> Iterable[Edit]:
    """The edits that bring a text to NFKC, each of them as small as normalisation allows."""
    for run in _BESIDE_NON_ASCII.finditer(text):
        if unicodedata.is_normalized("NFKC", run[0]):
            continue
        start, stop = run.span()
        while start < stop:
            end = start + 1
            while end < stop and _joins(text[end]):
                end += 1
            cluster = text[start:end]
            if (plain := unicodedata.normalize("NFKC", cluster)) != cluster:
                yield start, end, plain
            start = end


class _Trace:
    """A text under edit, with the span of the original for each of its characters."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = array("l", range(len(text)))
        self.ends = array("l", range(1, len(text) + 1))

    def replace(self, pattern: re.Pattern[str], with_: Callable[[re.Match[str]], str]) -> None:
        self.edit((match.start(), match.end(), with_(match)) for match in pattern.finditer(self.text))

    def casefold(self) -> None:
        folded = self.text.casefold()
        if len(folded) == len(self.text):
            self.text = folded
        else:
            self.edit((at, at + 1, char.casefold()) for at, char in enumerate(self.text) if len(char.casefold()) > 1)
            self.text = self.text.casefold()

    def edit(self, edits: Iterable[Edit]) -> None:
        """Replace spans, given in order; all that replaces a span came from the whole of it."""
        text, starts, ends = self.text, array("l"), array("l")
        pieces: list[str] = []
        done = 0
        for start, end, new in edits:
            if text[start:end] == new:
                continue
            pieces += (text[done:start], new)
            starts += self.starts[done:start]
            ends += self.ends[done:start]
            for _ in new:
                starts.append(self.starts[start])
                ends.append(self.ends[end - 1])
            done = end
        if done:
            self.text = "".join(pieces) + text[done:]
            self.starts = starts + self.starts[done:]
            self.ends = ends + self.ends[done:]
