"""Reasoning that a model writes before or between the parts of its answer, told apart by its tags.

Known are ``<think>`` and its kin, also with the opening tag in the prompt (a lone ``</think>``) or the closing one
missing because the answer was cut, Mistral's ``[THINK]``, the channels of gpt-oss, and the wrappers ``<response>`` and
``<answer>`` that follow reasoning. Tags inside code are text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_TAG = re.compile(r"<(/?)(?:think|thinking|reasoning|seed:think)>|\[(/?)THINK\]|◁(/?)think▷", re.IGNORECASE)
_WRAPPER = re.compile(r"\s*<(response|answer)>\s*", re.IGNORECASE)
_CHANNEL = "<|channel|>"
_HEADER = re.compile(r"<\|channel\|>\s{0,3}(\w{1,40})[^<]{0,100}<\|message\|>")
_CHANNEL_END = re.compile(r"<\|(?:return|end|call|start|channel)\|>")


class Split(NamedTuple):
    """The answer without its reasoning: ``kept`` are the spans of the given text that are left, in order."""

    kept: tuple[tuple[int, int], ...]
    reasoning: str
    unclosed: bool


def may_hold_reasoning(text: str) -> bool:
    """A cheap test that has no misses.

    >>> may_hold_reasoning("I think so."), may_hold_reasoning("<think>Hm.</think>Yes.")
    (False, True)
    """
    return ("<" in text and (">" in text)) or "THINK]" in text or "◁" in text


def split(text: str) -> Split | None:
    r"""Tell reasoning and answer apart; ``None`` when there is no reasoning.

    >>> s = split("<think>Maybe [3].</think>\nDogs are free [2].")
    >>> [("<think>Maybe [3].</think>\nDogs are free [2].")[a:b] for a, b in s.kept], s.reasoning
    (['Dogs are free [2].'], 'Maybe [3].')
    >>> split("<think>Maybe [3]").unclosed
    True
    """
    if not may_hold_reasoning(text):
        return None
    if _CHANNEL in text:
        return _split_channels(text)
    found = _reasoning_spans(text)
    if found is None:
        return _unwrap(text, [(0, len(text))], "", unclosed=False)
    cuts, thoughts, unclosed = found
    kept: list[tuple[int, int]] = []
    position = 0
    for start, end in [*cuts, (len(text), len(text))]:
        if start > position:
            kept.append((position, start))
        position = end
        while position < len(text) and text[position].isspace():
            position += 1
    return _unwrap(text, kept, "\n".join(t for t in thoughts if t), unclosed=unclosed)


def _reasoning_spans(text: str) -> tuple[list[tuple[int, int]], list[str], bool] | None:
    """Spans to cut out with the tags, the reasoning in them, and whether the last one is unclosed."""
    tags: list[tuple[int, int, bool]] = []
    fences = position = 0
    for match in _TAG.finditer(text):
        start, end = match.span()
        fences += text.count("```", position, start)
        position = start
        in_code = fences % 2 == 1 or (text[start - 1 : start] == "`" and text[end : end + 1] == "`")
        if not in_code:
            tags.append((start, end, "/" in match.group()))
    if not tags:
        return None
    last_close = max((start for start, _, closes in tags if closes), default=-1)
    cuts: list[tuple[int, int]] = []
    thoughts: list[str] = []
    opened: tuple[int, int] | None = None
    for start, end, closes in tags:
        if closes:
            if opened is None and not cuts:
                opened = (0, 0)  # the opening tag was part of the prompt
            if opened is not None:
                cuts.append((opened[0], end))
                thoughts.append(text[opened[1] : start].strip())
                opened = None
        elif opened is None:
            if start < last_close:
                opened = (start, end)
            elif not text[text.rfind("\n", 0, start) + 1 : start].strip():
                cuts.append((start, len(text)))
                thoughts.append(text[end:].strip())
                return cuts, thoughts, True
    return (cuts, thoughts, False) if cuts else None


def _unwrap(text: str, kept: list[tuple[int, int]], reasoning: str, *, unclosed: bool) -> Split | None:
    """Take ``<response>…</response>`` off what is left."""
    if kept:
        start, end = kept[0]
        match = _WRAPPER.match(text, start, end)
        if match and (reasoning or f"</{match[1]}>" in text[match.end() :]):
            closing = text.rfind(f"</{match[1]}>", match.end())
            stop = kept[-1][1]
            if closing >= kept[-1][0] and not text[closing + len(match[1]) + 3 : stop].strip():
                kept[-1] = (kept[-1][0], len(text[:closing].rstrip()))
            kept[0] = (match.end(), max(match.end(), kept[0][1]))
            return Split(tuple(kept), reasoning, unclosed)
    return Split(tuple(kept), reasoning, unclosed) if reasoning or kept != [(0, len(text))] else None


def _split_channels(text: str) -> Split | None:
    """The messages of gpt-oss: ``<|channel|>analysis<|message|>…`` is reasoning, ``final`` is the answer."""
    kept: list[tuple[int, int]] = []
    thoughts: list[str] = []
    for header in _HEADER.finditer(text):
        closing = _CHANNEL_END.search(text, header.end())
        end = closing.start() if closing else len(text)
        if header[1].startswith("final"):
            kept.append((header.end(), end))
        else:
            thoughts.append(text[header.end() : end].strip())
    if not kept and not thoughts:
        return None
    return Split(tuple(kept), "\n".join(thoughts), unclosed=not kept)
