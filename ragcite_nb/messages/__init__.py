"""Everything that people read, by section and locale: JSON files named ``<section>.<locale>.json`` in this folder.

A message is a text with ``{name}`` fields, or an object of such texts (``{"message": …, "meaning": …}``; plural forms are
``{"one": …, "other": …}``, chosen by the field ``count``).
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

LOCALES = ("en", "fr", "de")
"""Locales that every section is written in."""


@cache
def catalog(section: str, locale: str) -> dict[str, Any]:
    """All messages of a section; a locale that is not there falls back to English.

    >>> sorted(catalog("alerts", "fr")) == sorted(catalog("alerts", "en"))
    True
    """
    locale = locale if locale in LOCALES else "en"
    loaded: dict[str, Any] = json.loads(
        files(__name__).joinpath(f"{section}.{locale}.json").read_text(encoding="utf-8")
    )
    return loaded


def text(section: str, key: str, locale: str, part: str | None = None, **params: Any) -> str:
    """One message, filled in.

    >>> text("alerts", "truncated", "fr", part="message").startswith("La réponse")
    True
    """
    message = catalog(section, locale)[key]
    if part is not None:
        message = message[part]
    if isinstance(message, dict):
        message = message["one" if params.get("count") == 1 else "other"]
    return str(message).format_map(params)
