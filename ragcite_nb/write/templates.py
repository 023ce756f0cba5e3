"""The texts of prompts, as data: one file per language in ``prompts/``, which a user's own templates can replace.

Keys of a file: ``system`` and ``user`` (the two messages), ``example`` (how an example is laid out), ``principles``
(a list of rules), ``styles`` (for each the ``form`` of its citations and an ``example`` with sources and answer),
``rules`` (optional ones), ``no_source_reply`` and ``marks`` (how each kind of document is cited).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragcite_nb.models import InputError
from ragcite_nb.write.choices import one_of

if TYPE_CHECKING:
    from os import PathLike

LANGUAGES = ("en", "fr", "de")
STYLES = ("numbered", "named", "json", "support", "technical", "legal")
RULES = ("contradictions", "partial", "no_source")

_MUST_HOLD = {"system": ("form",), "user": ("context", "question"), "example": ("question", "answer")}
"""Fields without which a template would lose what it is for."""
_EXPECTED: dict[type, str] = {str: "a text", list: "a list", Mapping: "an object"}
_FIELD = re.compile(r"\{([a-z_]{1,20})\}")


@cache
def _shipped(language: str) -> dict[str, Any]:
    file = files("ragcite_nb.write").joinpath("prompts").joinpath(f"{language}.json")
    loaded: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return loaded


def templates_for(language: str, own: Mapping[str, Any] | str | PathLike[str] | None = None) -> dict[str, Any]:
    r"""The templates of a language, with a user's ``own`` in place of those that they replace.

    Raises:
        InputError: for a language that there is none of, an unknown key, and a template that lacks what it needs.

    >>> templates_for("fr", {"user": "{question}\n\n{context}"})["user"]
    '{question}\n\n{context}'
    """
    one_of("language", language, LANGUAGES)
    shipped = _shipped(language)
    if own is None:
        return shipped
    merged = _merge(shipped, _read(own), "")
    for name, needed in _MUST_HOLD.items():
        there = _FIELD.findall(merged[name])
        lacking = [field for field in needed if field not in there]
        if lacking:
            raise InputError(f"templates, {name!r}: {', '.join(f'{{{f}}}' for f in lacking)} is missing")
    return merged


def _read(own: Mapping[str, Any] | str | PathLike[str]) -> Mapping[str, Any]:
    if isinstance(own, Mapping):
        return own
    try:
        loaded = json.loads(Path(own).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"templates={own!r}: cannot be read as a JSON file: {error}") from error
    if not isinstance(loaded, Mapping):
        raise InputError(f"templates={own!r}: an object is expected, a {type(loaded).__name__} was found")
    return loaded


def _merge(base: Mapping[str, Any], own: Mapping[str, Any], where: str) -> dict[str, Any]:
    merged = dict(base)
    for name, value in own.items():
        path = f"{where}{name}"
        one_of(f"templates, key in {where[:-1]!r}" if where else "templates, key", name, base)
        kind: type = Mapping if isinstance(base[name], dict) else type(base[name])
        if not isinstance(value, kind):
            expected = _EXPECTED[kind]
            raise InputError(f"templates, {path!r}: {expected} is expected, a {type(value).__name__} was found")
        # What a style's example cites is the user's own, so it is replaced as a whole.
        merged[name] = (
            _merge(base[name], value, f"{path}.") if isinstance(value, Mapping) and name != "example" else value
        )
    return merged


def fill(template: str, **values: str) -> str:
    """``template`` with its ``{fields}`` filled in one pass; unknown ones and other braces stay as they are.

    >>> fill('{question} {"answer": "{x}"}', question="Why {x}?")
    'Why {x}? {"answer": "{x}"}'
    """
    return _FIELD.sub(lambda m: values.get(m[1], m[0]), template)
