"""The containers that payloads come in, opened: JSON, NDJSON, server-sent events, Python literals, byte strings.

What comes out is the text itself when it is none of these, one dict, or a list of items (events of a stream, messages).
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from ragcite_nb.models import InputError
from ragcite_nb.read import literal

_OPENS = re.compile(r"\s*[\[{(]\s*[\[{('\"\]}A-Za-z]")
"""How JSON or a Python literal that can be an answer begins; ``[1]`` is a marker."""

_QUOTED = re.compile(r'\s*"[\s\\"nrt]*[\[{]')
"""How a JSON string begins that holds JSON: quotes, escapes and blanks before the first bracket."""

_LIST = re.compile(r"[\[(]|(?:np\.|numpy\.)?array\(")
_EVENT_LINE = re.compile(r"(?:data|event|id|retry)\s?:|:")
_FENCE = re.compile(r"```[ \t]*(?:json|JSON)?[ \t]*\r?\n")
_DECODER = json.JSONDecoder(strict=False)
_LINE_END = re.compile(r"\r\n|\n|\r")  # str.splitlines() would also split inside the strings of events
_DONE = "[DONE]"
_REMARK = 120
"""Longest remark around JSON that a model wrote as its answer; more prose than that is the answer itself."""


class Opened(NamedTuple):
    """What a container held.

    Attributes:
        value: a text, a dict, or a list of items.
        kind: "text", "json", "python", "ndjson", "sse", or "prefix" for a document with prose behind it.
        cut: the text ended inside the last item.
        open: ids of the containers in ``value`` that were not closed.
        done: a stream said of itself that it is complete (``[DONE]``).
    """

    value: Any
    kind: str
    cut: bool = False
    open: frozenset[int] = frozenset()
    done: bool = False


def may_be_container(text: str) -> bool:
    """A cheap test that has no misses but for fenced blocks.

    >>> may_be_container('{"answer": "30 days"}'), may_be_container("[1] says 30 days.")
    (True, False)
    """
    return bool(
        _OPENS.match(text)
        or _QUOTED.match(text)
        or (text[:1] in "\ufeffdeir: \n\r\t" and _EVENT_LINE.match(text.lstrip("\ufeff \n\r\t")))
        or (text[:1] == "\ufeff" and (_OPENS.match(text, 1) or _QUOTED.match(text, 1)))
    )


def open_text(text: str) -> Opened:
    r"""Open a text that may be a container.

    >>> open_text('{"answer": "30 days"}').value
    {'answer': '30 days'}
    >>> open_text('data: {"type": "ping"}\n\ndata: [DONE]\n').value
    [{'type': 'ping'}]
    >>> open_text('"{\\"answer\\": 1}"').value
    {'answer': 1}
    >>> open_text("{braces} are text").value
    '{braces} are text'
    """
    body = text.lstrip("\ufeff \t\r\n")
    inner = unquoted(body)
    if inner is not None:
        held = open_text(inner)
        return held if held.kind != "text" else Opened(text, "text")
    if _OPENS.match(body):
        opened = _open_literal(body)
        if opened is not None:
            return opened
    elif _EVENT_LINE.match(body):
        opened = _open_events(body)
        if opened is not None:
            return opened
    return Opened(text, "text")


def open_fence(text: str) -> Opened | None:
    r"""Open the JSON in a fenced block, if the text has one: models wrap their JSON although they are asked not to.

    >>> open_fence('Here it is:\n```json\n{"answer": "30 days"}\n```').value
    {'answer': '30 days'}
    """
    fence = _FENCE.search(text)
    if fence is None:
        return None
    closing = text.find("```", fence.end())
    body = text[fence.end() : closing if closing >= 0 else len(text)].strip()
    after = text[closing + 3 :].strip() if closing >= 0 else ""
    if max(len(text[: fence.start()].strip()), len(after)) > _REMARK:
        return None  # an answer that shows JSON, not one in JSON
    return _open_literal(body) if body[:1] in ("{", "[") and _OPENS.match(body) else None


def open_list(text: str) -> Opened | None:
    """Open a text that is one list, were it one of numbers: ``[1]`` is a marker in an answer, but not among ids.

    >>> open_list("[11, 12]").value, open_list("11, 12") is None
    ([11, 12], True)
    """
    body = (unquoted(text) or text).strip()
    opened = _open_literal(body) if _LIST.match(body) else None
    return opened if opened and opened.kind != "ndjson" and isinstance(opened.value, (list, tuple)) else None


def _open_literal(body: str) -> Opened | None:
    """One JSON document, several in a row (NDJSON), a Python literal, or one of these cut off."""
    values: list[Any] = []
    opened: frozenset[int] = frozenset()
    position, length, cut, kind = 0, len(body), False, "json"
    while position < length:
        try:
            value, position = _DECODER.raw_decode(body, position)
        except (ValueError, RecursionError):
            # A cut or slightly wrong document. Whatever follows a whole one that is no JSON is prose around it.
            parsed = _parse(body, position, python=not values)
            if parsed is None:
                break
            (value, position, cut, opened), kind = parsed
        values.append(value)
        while position < length and body[position] in " \t\r\n,\x1e":
            position += 1
    if not values:
        return None
    if len(values) == 1:
        if position < length and (not isinstance(values[0], dict) or length - position > _REMARK):
            return None
        # An object with prose behind it is the caller's JSON with a closing remark.
        return Opened(values[0], kind if position >= length else "prefix", cut, opened)
    if position < length or not all(isinstance(v, (dict, list)) for v in values):
        return None
    return Opened(values, "ndjson", cut, opened)


def _parse(body: str, position: int, *, python: bool) -> tuple[literal.Parsed, str] | None:
    try:
        return literal.parse(body, position), "json"
    except literal.NotLiteral:
        if not python:
            return None
    try:
        return literal.parse(body, position, python=True), "python"
    except literal.NotLiteral:
        return None


def _open_events(body: str) -> Opened | None:
    """The events of a server-sent stream.

    Lines of one event are joined by line breaks; where the blank lines between events were lost, one such event holds
    several documents.
    """
    events: list[Any] = []
    data: list[str] = []
    opened: frozenset[int] = frozenset()
    done = cut = False
    for line in [*_LINE_END.split(body), ""]:
        if line:
            field, _, value = line.partition(":")
            if field.strip() == "data":
                data.append(value.removeprefix(" "))
            elif field and field.strip() not in ("event", "id", "retry"):
                return None  # prose that begins like an event
            continue
        if not data:
            continue
        block = "\n".join(data)
        data = []
        for part in _without_done(block):
            if part is None:
                done = True
                continue
            item = _open_literal(part) if part[:1] in ("{", "[") else None
            if item is None:
                if not events and not part.startswith(("{", "[")):
                    return None
                continue
            events.extend(item.value if item.kind == "ndjson" else [item.value])
            if item.cut:
                cut, opened = True, opened | item.open
    return Opened(events, "sse", cut, opened, done) if events or done else None


def _without_done(block: str) -> list[str | None]:
    """The block's documents, with ``None`` for the mark that ends the stream."""
    block = block.strip()
    if _DONE not in block:
        return [block] if block else []
    lines: list[str | None] = []
    for line in block.split("\n"):
        if line.strip() == _DONE:
            lines.append(None)
        elif lines and isinstance(lines[-1], str):
            lines[-1] += "\n" + line
        else:
            lines.append(line.strip())
    return lines


def decode(payload: bytes) -> str:
    """Bytes of a log as text.

    >>> decode("Café".encode())
    'Café'
    """
    try:
        return payload.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"the payload is bytes that are not UTF-8 ({error.reason} at byte {error.start})") from None


def open_string(text: str) -> str | None:
    """The string in a JSON text that is nothing but a string.

    >>> open_string('"30 days"'), open_string('"30" days') is None
    ('30 days', True)
    """
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, str) else None


def unquoted(text: str) -> str | None:
    r"""The text inside a JSON string that holds JSON, as a log has it that was written twice or more often.

    >>> unquoted('"[\\"30 days\\"]"'), unquoted('"30 days"') is None
    ('["30 days"]', True)
    """
    if not _QUOTED.match(text):
        return None
    inner: str | None = text
    while inner is not None and inner.lstrip()[:1] == '"':
        inner = open_string(inner)
    return inner if inner is not None and inner.lstrip()[:1] in ("[", "{") else None
