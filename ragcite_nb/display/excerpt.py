"""The part of a source that is worth showing: the passages that were found, with some text around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Kind = Literal["", "found", "near", "gap"]
"""Plain text, a passage that was found, one that is merely similar, or text left out."""

Span = tuple[int, int, Kind]

ROOM = 600
"""A source up to this long is shown whole; of a longer one without passages, this much."""

AROUND = 160
"""Characters of context before and after a passage."""

LONGEST = 1_500
"""A longer passage is shown by its beginning and its end."""

MOST_PASSAGES = 8
GAP = "…"
_WORD = 24  # how far a cut may move to spare a word


def excerpt(text: str, spans: Iterable[Span] = (), start: int = 0) -> list[list[str]]:
    """``text`` around ``spans``, or without any from about ``start`` on, as ``[text, kind]`` pairs.

    Nothing is doubled or lost but what a gap stands for.

    >>> excerpt("Dogs travel free of charge.", [(0, 11, "found"), (5, 16, "found")])
    [['Dogs travel free', 'found'], [' of charge.', '']]
    """
    marks = _resolve(len(text), spans)
    segments: list[list[str]] = []
    done = 0
    for begin, end in _windows(text, marks, start):
        if begin > done:
            segments.append([GAP, "gap"])
        position = begin
        for first, behind, kind in marks:
            if first < begin or behind > end:
                continue
            segments.append([text[position:first], ""])
            segments += _passage(text[first:behind], kind)
            position = behind
        segments.append([text[position:end], ""])
        done = end
    if done < len(text):
        segments.append([GAP, "gap"])
    return [segment for segment in segments if segment[0]]


def _resolve(length: int, spans: Iterable[Span]) -> list[Span]:
    """The spans without overlaps: where two do, they become one, which is "found" if one of them is."""
    merged: list[Span] = []
    for start, end, kind in sorted(spans)[: MOST_PASSAGES * 4]:
        first, behind = max(0, min(start, length)), max(0, min(end, length))
        if first >= behind:
            continue
        if merged and first < merged[-1][1]:
            before = merged.pop()
            merged.append((before[0], max(before[1], behind), before[2] if before[2] == kind else "found"))
        else:
            merged.append((first, behind, kind))
    return merged[:MOST_PASSAGES]


def _windows(text: str, marks: Sequence[Span], begin: int) -> list[tuple[int, int]]:
    if len(text) <= ROOM:
        return [(0, len(text))]
    if not marks:
        begin = _whole_word(text, min(begin, len(text) - ROOM), 1)
        return [(begin, _whole_word(text, begin + ROOM, -1))]
    windows: list[tuple[int, int]] = []
    for first, behind, _ in marks:
        start, end = _whole_word(text, first - AROUND, 1), _whole_word(text, behind + AROUND, -1)
        start, end = min(start, first), max(end, behind)
        if windows and start - windows[-1][1] < AROUND // 2:
            windows[-1] = (windows[-1][0], max(end, windows[-1][1]))
        else:
            windows.append((start, end))
    if windows[0][0] < AROUND // 2:
        windows[0] = (0, windows[0][1])
    if len(text) - windows[-1][1] < AROUND // 2:
        windows[-1] = (windows[-1][0], len(text))
    return windows


def _whole_word(text: str, position: int, step: int) -> int:
    """``position``, moved a little so that it cuts no word."""
    if not 0 < position < len(text):
        return max(0, min(position, len(text)))
    for moved in range(position, position + step * _WORD, step):
        if not 0 < moved < len(text) or text[moved].isspace():
            return max(0, min(moved + (step > 0), len(text)))
    return position


def _passage(text: str, kind: Kind) -> list[list[str]]:
    if len(text) <= LONGEST:
        return [[text, kind]]
    half = LONGEST // 2
    return [[text[:half], kind], [GAP, "gap"], [text[-half:], kind]]
