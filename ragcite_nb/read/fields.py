"""Fields of data that anybody may have written: every function takes any value and returns its type or a neutral one.

Logs hold broken data, so a reader never indexes or iterates a payload itself. Objects of SDKs are turned into plain
mappings here, at the moment they are looked into, by what they offer (``model_dump``, ``to_dict``, dataclass fields);
no SDK is imported.
"""

from __future__ import annotations

import dataclasses
import json
import math
import operator
from collections.abc import Mapping
from typing import Any

from ragcite_nb.models import InputError

_ATOMS = (str, bytes, bytearray, int, float, complex, type(None))


def is_missing(value: Any) -> bool:
    """Whether ``value`` says that there is nothing: ``None``, NaN, ``pandas.NA`` or ``NaT``.

    >>> is_missing(float("nan")), is_missing(""), is_missing([])
    (True, False, False)
    """
    if value is None:
        return True
    kind = type(value)
    if kind is str or kind is list or kind is dict:
        return False
    if isinstance(value, float):
        return math.isnan(value)
    return kind.__name__ in ("NAType", "NaTType") or (kind.__module__ == "numpy" and _is_numpy_nan(value))


def _is_numpy_nan(value: Any) -> bool:
    if getattr(value, "shape", None) != ():
        return False
    item = value.item()
    return item is None or (isinstance(item, float) and math.isnan(item))


def mapping(value: Any) -> dict[str, Any]:
    """``value`` as a dict: mappings, SDK objects, dataclasses, Arrow map cells; ``{}`` for anything else.

    >>> mapping([("title", "FAQ"), ("page", 3)])
    {'title': 'FAQ', 'page': 3}
    >>> mapping("text")
    {}
    """
    if type(value) is dict:
        return value
    if isinstance(value, _ATOMS):
        return {}
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, list):
        return dict(value) if is_pairs(value) else {}
    return dump(value) or {}


def is_pairs(value: list[Any]) -> bool:
    """Whether a list holds (key, value) tuples, the form in which Arrow map cells arrive.

    >>> is_pairs([("a", 1)]), is_pairs([["a", 1]]), is_pairs([])
    (True, False, False)
    """
    return bool(value) and all(isinstance(v, tuple) and len(v) == 2 and isinstance(v[0], str) for v in value)


def dump(value: Any) -> dict[str, Any] | None:
    """The fields of an object as a dict, one level deep; ``None`` when it has none that can be read.

    >>> from ragcite_nb.models import Source
    >>> dump(Source("Dogs travel free."))["text"]
    'Dogs travel free.'
    >>> dump(3) is None
    True
    """
    if isinstance(value, (*_ATOMS, type, list, set, frozenset)) or hasattr(value, "columns"):
        return None
    if dataclasses.is_dataclass(value):
        return {f.name: getattr(value, f.name, None) for f in dataclasses.fields(value)}
    kind = type(value)
    try:
        dumped: Any = None
        if callable(getattr(kind, "model_dump", None)):
            try:
                dumped = value.model_dump(mode="json", warnings=False)
            except Exception:  # noqa: BLE001 - a field without a JSON form, or a model_dump of another kind
                dumped = value.model_dump()
        elif callable(getattr(kind, "to_dict", None)):
            dumped = kind.to_dict(value)  # protobuf messages have it on their metaclass only
        elif callable(getattr(kind, "_asdict", None)):
            dumped = value._asdict()
        elif isinstance(getattr(value, "__dict__", None), dict):
            dumped = vars(value)
    except Exception as error:  # foreign code may raise anything
        raise InputError(
            f"the {kind.__module__}.{kind.__qualname__} object cannot be turned into a dict: {error}"
        ) from error
    return dict(dumped) if isinstance(dumped, Mapping) and dumped else None


def items(value: Any) -> list[Any]:
    """``value`` as a list: lists, tuples, sets, arrays; ``[]`` for anything else.

    >>> items(("a", "b")), items("ab"), items(None)
    (['a', 'b'], [], [])
    """
    if type(value) is list:
        return value
    if isinstance(value, (*_ATOMS, Mapping)):
        return []
    if isinstance(value, (list, tuple, set, frozenset)):
        return list(value)
    if callable(getattr(value, "tolist", None)):
        listed = value.tolist()
        return listed if isinstance(listed, list) else []
    if callable(getattr(value, "to_pylist", None)):
        listed = value.to_pylist()
        return listed if isinstance(listed, list) else []
    return []


def first(data: Mapping[str, Any], *names: str) -> Any:
    """The first of the named fields that is there and not ``None``.

    >>> first({"uri": None, "url": "https://shop.example"}, "uri", "url")
    'https://shop.example'
    """
    for name in names:
        value = data.get(name)
        if value is not None:
            return value
    return None


def first_alternative(events: list[dict[str, Any]], field: str) -> list[dict[str, Any]]:
    """In each event of a stream its piece of the first of several answers; ``{}`` where there is none.

    A model that is asked for several answers streams them in turns; a whole response is a stream of one event.

    >>> first_alternative([{"choices": [{"index": 1, "text": "B"}]}, {"choices": [{"index": 0, "text": "A"}]}], "choices")
    [{}, {'index': 0, 'text': 'A'}]
    """
    pieces = [[mapping(item) for item in items(event.get(field))] for event in events]
    lowest = min((_index(item) for listed in pieces for item in listed), default=0)
    return [next((item for item in listed if _index(item) == lowest), {}) for listed in pieces]


def _index(item: dict[str, Any]) -> int:
    return int_or_none(item.get("index")) or 0


def text(value: Any) -> str:
    """``value`` if it is a string, else ``""``.

    >>> text("a"), text(3), text(None)
    ('a', '', '')
    """
    return value if isinstance(value, str) else ""


def name(value: Any) -> str | None:
    """A name, id or word as text: a non-empty string or a number; ``None`` for anything else.

    >>> name("faq"), name(3), name(3.0), name(""), name([])
    ('faq', '3', '3', None, None)
    """
    if isinstance(value, str):
        return value or None
    if isinstance(value, float) and value != int_or_none(value):
        return None if math.isnan(value) else str(value)
    whole = int_or_none(value)
    return None if whole is None else str(whole)


def int_or_none(value: Any) -> int | None:
    """A whole number: int, integral float, or digits in a string; ``None`` for anything else, also for booleans.

    >>> int_or_none(3.0), int_or_none("48"), int_or_none(2.5), int_or_none(True), int_or_none(None)
    (3, 48, None, None, None)
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, str):
        value = value.strip()
        return int(value) if value.isascii() and value.isdigit() and len(value) <= 18 else None
    if isinstance(value, (bytes, Mapping, list, tuple)):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def as_json(value: Any) -> str:
    """A record as text, for a source that is one; ``""`` when it cannot be written.

    >>> as_json({"price": 3, "unit": "€"})
    '{"price": 3, "unit": "€"}'
    """
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, TypeError, RecursionError):
        return ""


def is_deep(value: Any, limit: int = 40) -> bool:
    """Whether containers nest deeper than any record of a source does.

    >>> is_deep([[1]]), is_deep([[1]], limit=1)
    (False, True)
    """
    level = [value]
    for _ in range(limit):
        level = [
            inner
            for item in level
            if isinstance(item, (dict, list, tuple))
            for inner in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            return False
    return any(isinstance(item, (dict, list, tuple)) for item in level)


def count(value: Any) -> int | None:
    """A number of tokens: a whole number that is not negative.

    >>> count(306), count(700.0), count(-1)
    (306, 700, None)
    """
    number = int_or_none(value)
    return number if number is not None and number >= 0 else None
