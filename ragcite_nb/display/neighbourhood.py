"""Where in a long source a claim's own words stand closest together: the part to show when no quote says which.

It is shown without any mark: the words of a claim are no proof, only a place to start reading.
"""

from __future__ import annotations

import re

LONGEST = 50_000
"""Of a longer source only this much is looked through."""

MOST_TIMES = 200
"""A word that stands more often in a source says nothing about a place."""

_WORD = re.compile(r"\w{3,}")


class Neighbourhood:
    """The words of one source, to be asked for many claims.

    >>> text = "The ferry leaves at noon. " * 40 + "Dogs travel free of charge on all ferries."
    >>> near = Neighbourhood(text)
    >>> start = near.start("Dogs travel free", 100)
    >>> "Dogs travel free of charge" in text[start : start + 100]
    True
    """

    def __init__(self, text: str) -> None:
        self._positions: dict[str, list[int]] = {}
        for match in _WORD.finditer(text[:LONGEST]):
            positions = self._positions.setdefault(match[0].casefold(), [])
            if len(positions) < MOST_TIMES:
                positions.append(match.start())

    def start(self, claim: str, length: int) -> int:
        """Start of the part of ``length`` with most different words of ``claim``; 0 where fewer than two are found."""
        words = {match[0].casefold() for match in _WORD.finditer(claim)}
        found = sorted((position, word) for word in words for position in self._positions.get(word, ()))
        inside: dict[str, int] = {}
        best, best_first, best_last = 1, 0, 0
        first = 0
        for last, (position, word) in enumerate(found):
            inside[word] = inside.get(word, 0) + 1
            while found[first][0] <= position - length:
                gone = found[first][1]
                inside[gone] -= 1
                if not inside[gone]:
                    del inside[gone]
                first += 1
            if len(inside) > best:
                best, best_first, best_last = len(inside), first, last
        if best == 1:
            return 0
        begin, end = found[best_first][0], found[best_last][0]
        return max(0, begin - (length - (end - begin)) // 2)
