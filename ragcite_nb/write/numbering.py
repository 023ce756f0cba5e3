"""The numbers by which sources are cited: the same for a prompt, for checking its answer and for writing it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragcite_nb.models import Source


def numbers(sources: Sequence[Source], first_number: int = 1) -> tuple[int, ...]:
    """For each source the number that cites it: its id when all ids are whole numbers, else its position.

    >>> from ragcite_nb.models import Source
    >>> numbers([Source("a", id="34"), Source("b", id=58)])
    (34, 58)
    >>> numbers([Source("a", id="34"), Source("b", id="faq")])
    (1, 2)
    """
    ids = [_whole(source.id) for source in sources]
    if ids and all(number is not None for number in ids):
        return tuple(number for number in ids if number is not None)
    return tuple(range(first_number, first_number + len(sources)))


def _whole(value: str | int | None) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9 else None
