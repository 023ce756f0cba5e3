"""A choice among named ones, checked the same way everywhere."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from ragcite_nb.models import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable


def one_of(name: str, value: object, accepted: Iterable[str]) -> None:
    """Raise an :class:`InputError` that names what there is, unless ``value`` is one of the accepted ones.

    >>> one_of("style", "foter", ("inline", "footer"))
    Traceback (most recent call last):
        ...
    ragcite_nb.models.InputError: style='foter': did you mean 'footer'? Accepted are 'inline', 'footer'
    """
    accepted = tuple(accepted)
    if isinstance(value, str) and value in accepted:
        return
    near = difflib.get_close_matches(value, accepted, n=1) if isinstance(value, str) else []
    hint = f"did you mean {near[0]!r}? Accepted are" if near else "accepted are"
    raise InputError(f"{name}={value!r}: {hint} {', '.join(map(repr, accepted))}")
