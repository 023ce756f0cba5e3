"""Where a provider's citation stands in the answer: offsets of every unit, fitted to the text that they claim to mark.

Providers count code points, UTF-8 bytes or UTF-16 units, with an end that is exclusive or not, and seldom say which.
So the text fields are trusted over the numbers: of all readings of the numbers the one is taken whose slice is the
text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Span = tuple[int, int]
Unit = Literal["chars", "bytes", "utf16"]


def from_bytes(text: str, start: int, end: int) -> Span | None:
    """Code points of a span of UTF-8 bytes; ``None`` outside the text or inside a character.

    >>> from_bytes("Café is open.", 0, 5), from_bytes("Café", 0, 4)
    ((0, 4), None)
    """
    if text.isascii():
        return inside(text, start, end)
    return _from_units(text.encode("utf-8", "surrogatepass"), "utf-8", start, end)


def from_utf16(text: str, start: int, end: int) -> Span | None:
    """Code points of a span of UTF-16 units; ``None`` outside the text or inside a surrogate pair.

    >>> from_utf16("🎒 bags", 3, 7)
    (2, 6)
    """
    if text.isascii():
        return inside(text, start, end)
    return _from_units(text.encode("utf-16-le", "surrogatepass"), "utf-16-le", start * 2, end * 2)


def _from_units(data: bytes, encoding: str, start: int, end: int) -> Span | None:
    if not 0 <= start <= end <= len(data):
        return None
    try:
        first = len(data[:start].decode(encoding, "surrogatepass"))
        return first, first + len(data[start:end].decode(encoding, "surrogatepass"))
    except UnicodeDecodeError:
        return None


def inside(text: str, start: int, end: int) -> Span | None:
    """The span itself if it lies in the text.

    >>> inside("abc", 1, 3), inside("abc", 2, 9)
    ((1, 3), None)
    """
    return (start, end) if 0 <= start <= end <= len(text) else None


_UNITS: dict[Unit, Callable[[str, int, int], Span | None]] = {"chars": inside, "bytes": from_bytes, "utf16": from_utf16}


def _readings(text: str, start: int, end: int, unit: Unit) -> Iterator[Span]:
    """All spans that the numbers can mean, the likeliest first."""
    order = [unit, *(u for u in _UNITS if u != unit)]
    for convert in (_UNITS[u] for u in order):
        for last in (end, end + 1, end - 1):
            span = convert(text, start, last)
            if span is not None:
                yield span


def fit(text: str, piece: str, start: int | None, end: int | None, unit: Unit = "chars") -> Span | None:
    """The span that holds ``piece``: by the numbers in any unit, else where ``piece`` stands.

    Where the numbers fit nothing, ``piece`` is taken where it stands once, or nearest to the start that was given as
    long as that lies in the text.

    >>> fit("🎒 Café: 30 days. 5 days.", "5 days.", 21, 28, unit="bytes")
    (17, 24)
    >>> fit("30 days. 5 days.", "5 days.", None, None)
    (9, 16)
    >>> fit("30 days.", "7 days", 0, 6) is None
    True
    """
    if not piece:
        return None
    if start is not None and end is not None:
        for span in _readings(text, start, end, unit):
            if text[span[0] : span[1]] == piece:
                return span
    return locate(text, piece, start)


def locate(text: str, piece: str, hint: int | None) -> Span | None:
    """Where ``piece`` stands in the text: the only place, or the one nearest to ``hint``.

    >>> locate("a b a", "b", None), locate("a b a", "a", None), locate("a b a", "a", 3)
    ((2, 3), None, (4, 5))
    """
    found = text.find(piece) if piece else -1
    if found < 0:
        return None
    if text.find(piece, found + 1) < 0:
        return found, found + len(piece)
    if hint is None or not 0 <= hint <= len(text):
        return None
    before, after = text.rfind(piece, 0, hint + len(piece)), text.find(piece, hint)
    best = min((place for place in (before, after) if place >= 0), key=lambda place: abs(place - hint))
    return best, best + len(piece)


def fit_link(text: str, url: str, start: int, end: int) -> Span | None:
    """The span of a web citation, whose numbers have no text to be compared with.

    A span that holds its link proves its unit; without one in any unit the numbers are code points, if they lie in
    the text.

    >>> fit_link("🎒 [a](https://a.example)", "https://a.example", 3, 25)
    (2, 24)
    >>> fit_link("Dogs are free.", "https://a.example", 0, 14)
    (0, 14)
    """
    plain = inside(text, start, end)
    if text.isascii() or not url or url not in text:
        return plain
    for convert in _UNITS.values():
        span = convert(text, start, end)
        if span is not None and url in text[span[0] : span[1]]:
            return span
    return plain


def shifted(span: Span | None, base: int) -> Span | None:
    """A span of a part of the answer as a span of the whole.

    >>> shifted((1, 2), 10), shifted(None, 10)
    ((11, 12), None)
    """
    return None if span is None else (span[0] + base, span[1] + base)
