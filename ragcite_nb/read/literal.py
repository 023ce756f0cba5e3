"""A linear parser for JSON and Python literals that also reads what is there when the text is cut off.

``json.loads`` knows nothing of a cut, and ``ast.literal_eval`` joins the strings of a printed numpy array into one
without a word, and builds a tree for the whole of a hostile text. This parser reads both notations with a stack of
its own.
"""

from __future__ import annotations

import ast
import re
import warnings
from json.decoder import scanstring  # type: ignore[attr-defined]  # undocumented: the scanner of all JSON strings
from typing import Any, NamedTuple

from ragcite_nb.models import InputError

PRINTED_ARRAY = (
    "a printed numpy array, such as ['a' 'b'], cannot be told apart into its items: write lists with json.dumps, "
    "or call array.tolist() before to_csv"
)
"""What is wrong with text such as ``['a' 'b'\\n 'c']`` and what to do about it."""

_SPACE = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9.]*|<NA>")
_BODY = {'"': re.compile(r'[^"\\]*(?:\\.[^"\\]*)*', re.DOTALL), "'": re.compile(r"[^'\\]*(?:\\.[^'\\]*)*", re.DOTALL)}
_FALSE_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_WORDS = {"true": True, "false": False, "null": None, "NaN": None, "Infinity": None, "-Infinity": None}
_PYTHON_WORDS = _WORDS | {
    "True": True,
    "False": False,
    "None": None,
    "nan": None,
    "inf": None,
    "<NA>": None,
    "NaT": None,
}
_MAX_DEPTH = 200
"""No payload nests deeper; what comes after this stage walks its data by recursion."""
_CLOSERS = {"[": "]", "(": ")", "{": "}"}


class NotLiteral(ValueError):  # noqa: N818 - no error: callers go on with another reading
    """The text is not in the notation that was asked for."""


class Parsed(NamedTuple):
    """A value, where it ends, and whether the text stops inside it.

    ``open`` holds the ids of the containers that the text does not close.
    """

    value: Any
    end: int
    cut: bool
    open: frozenset[int]


class _Frame:
    """A container that is being read; ``want`` is what comes next: a value, a key, ``:`` or ``,``."""

    __slots__ = ("call", "closer", "key", "keywords", "value", "want")

    def __init__(self, opener: str, *, call: bool = False) -> None:
        self.closer = _CLOSERS[opener]
        self.value: Any = {} if opener == "{" else []
        self.keywords: dict[str, Any] = {}
        self.key: Any = None
        self.call = call
        self.want = "key" if opener == "{" else "value"

    def put(self, value: Any) -> None:
        if self.call and self.key is not None:
            self.keywords[self.key] = value
            self.key = None
        elif isinstance(self.value, dict):
            self.value[self.key] = value
        else:
            self.value.append(value)
        self.want = ","

    def finished(self) -> Any:
        """The container's value: ``array([…])`` is its list, ``Document(text=…)`` a dict of its fields."""
        if self.call:
            return self.keywords if not self.value else self.value[0] if len(self.value) == 1 else None
        return tuple(self.value) if self.closer == ")" else self.value


def parse(text: str, start: int = 0, *, python: bool = False) -> Parsed:
    """Read one literal that begins at ``start``.

    A string that is cut keeps what is there of it; a cut number or word is dropped, since its end is unknown.
    Slips that models make are read over: commas before a closing bracket, raw line breaks and backslashes in strings.

    Args:
        text: the text.
        start: where the literal begins.
        python: read the notation of Python (``repr``) instead of JSON: quotes of both kinds, ``None``, tuples,
            ``array(…)``, and objects such as ``Document(page_content='…')``, which become dicts. Nothing is executed.

    Raises:
        NotLiteral: at the first character that does not belong to the notation.
        InputError: for a printed numpy array, whose strings stand side by side without commas.

    >>> parse('{"answer": "Dogs are free [2].", "citations": [{"source": 2, "quote": "Dogs tra').value
    {'answer': 'Dogs are free [2].', 'citations': [{'source': 2, 'quote': 'Dogs tra'}]}
    >>> parse("[Document(page_content='Dogs travel free.', metadata={'page': None})]", python=True).value
    [{'page_content': 'Dogs travel free.', 'metadata': {'page': None}}]
    """
    stack: list[_Frame] = []
    value: Any
    words = _PYTHON_WORDS if python else _WORDS
    position, length = start, len(text)
    while True:
        position = _skip(text, position)
        if position >= length:
            return _cut(stack, length)
        char = text[position]
        frame = stack[-1] if stack else None
        if frame is not None:
            want = frame.want
            if want == ":":
                if char != ":":
                    raise NotLiteral
                frame.want = "value"
                position += 1
                continue
            if char == frame.closer and (want != "value" or not isinstance(frame.value, dict)):
                stack.pop()
                position += 1
                if not stack:
                    return Parsed(frame.finished(), position, cut=False, open=frozenset())
                stack[-1].put(frame.finished())
                continue
            if want == ",":
                if char != ",":
                    if python and _is_printed_array(frame, text, position):
                        raise InputError(PRINTED_ARRAY)
                    raise NotLiteral
                frame.want = "key" if isinstance(frame.value, dict) else "value"
                position += 1
                continue
        if char in "[{" or (python and char == "("):
            if (frame is not None and frame.want == "key") or len(stack) >= _MAX_DEPTH:
                raise NotLiteral
            stack.append(_Frame(char))
            position += 1
            continue
        if char == '"' or (python and char == "'"):
            value, position, cut = _python_string(text, position) if python else _json_string(text, position)
            if cut:
                return _cut(stack, length, value)
        elif (number := _NUMBER.match(text, position)) is not None:
            position = number.end()
            if position >= length and stack:
                return _cut(stack, length)
            value = _number(number.group())
        elif (word := _WORD.match(text, position)) is not None:
            position = word.end()
            if position >= length and stack:
                return _cut(stack, length)
            follows = text[position : position + 1]
            if python and follows == "(":
                stack.append(_Frame("(", call=True))
                position += 1
                continue
            if frame is not None and frame.call and frame.key is None and follows == "=":
                frame.key = word.group()
                position += 1
                continue
            if word.group() in words:
                value = words[word.group()]
            elif frame is not None and frame.call and frame.key is not None:
                value = None  # such as the object in dtype=object
            else:
                raise NotLiteral
        elif python and text.startswith("...", position) and frame is not None:
            raise InputError(PRINTED_ARRAY)
        else:
            raise NotLiteral
        if frame is None:
            return Parsed(value, position, cut=False, open=frozenset())
        if frame.want == "key":
            frame.key = value
            frame.want = ":"
        else:
            frame.put(value)


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _is_printed_array(frame: _Frame, text: str, position: int) -> bool:
    """Whether two items of a list stand side by side without a comma."""
    if not isinstance(frame.value, list) or frame.closer != "]" or not frame.value:
        return False
    before, char = frame.value[-1], text[position]
    return (isinstance(before, str) and char in "'\"") or (isinstance(before, dict) and char == "{") or char == "."


def _cut(stack: list[_Frame], length: int, value: Any = None) -> Parsed:
    """What is there when the text ends inside the containers of ``stack``, the innermost of which holds ``value``."""
    if not stack:
        if value is None:
            raise NotLiteral
        return Parsed(value, length, cut=True, open=frozenset())
    opened = set()
    while True:
        frame = stack.pop()
        if value is not None and frame.want == "value":
            frame.put(value)
        value = frame.keywords if frame.call and not frame.value else frame.value
        opened.add(id(value))
        if not stack:
            return Parsed(value, length, cut=True, open=frozenset(opened))


def _json_string(text: str, position: int) -> tuple[str, int, bool]:
    """The string at ``position``, where it ends, and whether it is cut."""
    try:
        value, end = scanstring(text, position + 1, False)  # noqa: FBT003
    except ValueError:
        body = _match_body('"', text, position)
        end = position + 1 + len(body)
        cut = end >= len(text) or text[end] != '"'
        if cut:
            body = _without_cut_escape(body)
        body = _FALSE_ESCAPE.sub(lambda m: m.group() if m[1] in '"\\/bfnrtu' else "\\" + m.group(), body)
        try:
            value = scanstring(f'"{body}"', 1, False)[0]  # noqa: FBT003
        except ValueError:
            raise NotLiteral from None
        if cut:
            return _without_half_character(value), len(text), True
        end += 1
    return value, end, False


def _python_string(text: str, position: int) -> tuple[str, int, bool]:
    """The string at ``position``, where it ends, and whether it is cut."""
    quote = text[position]
    body = _match_body(quote, text, position)
    end = position + 1 + len(body)
    cut = end >= len(text) or text[end] != quote
    if "\\" in body:
        # One flat token of the text, never the whole: neither depth nor size can hurt.
        token = quote + (_without_cut_escape(body) if cut else body) + quote
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # "invalid escape sequence": logs hold Windows paths and LaTeX
                body = ast.literal_eval(token.replace("\n", "\\n").replace("\r", "\\r"))
        except (ValueError, SyntaxError, MemoryError):
            raise NotLiteral from None
    return body, len(text) if cut else end + 1, cut


def _match_body(quote: str, text: str, position: int) -> str:
    match = _BODY[quote].match(text, position + 1)
    return match.group() if match else ""


def _without_cut_escape(body: str) -> str:
    """``body`` without an escape that its end cuts in two, such as the letter u with three digits."""
    for mark, size in (("\\u", 6), ("\\x", 4), ("\\U", 10)):
        at = body.rfind(mark, max(0, len(body) - size + 1))
        if at >= 0:
            slashes = at - len(body[:at].rstrip("\\"))
            if slashes % 2 == 0:
                return body[:at]
    return body


def _without_half_character(value: str) -> str:
    """``value`` without a high surrogate at its end, whose other half was cut off."""
    return value[:-1] if value and "\ud800" <= value[-1] <= "\udbff" else value


def _number(token: str) -> int | float:
    # A number of thousands of digits is no number that a log means, and int() refuses it.
    return int(token) if len(token) <= 300 and token.lstrip("+-").isdigit() else float(token)
