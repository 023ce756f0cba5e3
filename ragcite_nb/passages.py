"""Passages: where words stand in a text, exactly or nearly.

A passage never begins or ends inside a word or a number: "costs 10" is not in "costs 100", "open" not in "reopened",
"2" not in "2.5". Scripts without spaces between words have no such edges. All searches are linear in the text.
"""

from __future__ import annotations

import re
import unicodedata
from operator import ne
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from ragcite_nb import guards
from ragcite_nb.guards import Skeleton
from ragcite_nb.normalize import CJK

if TYPE_CHECKING:
    from collections.abc import Iterator

# Scripts written without spaces between words (and Korean, whose particles follow a quoted word without one).
_UNSPACED = re.compile(f"[{CJK}\u0e00-\u109f\u1780-\u17ff]")
_CJK_DIGITS = frozenset("〇零一二三四五六七八九十百千万萬億亿兆")
_JOIN_DIGITS = frozenset(".,:/'’·⁄")
_SIGNED = re.compile(r"(?:\A|[\s(\[=~])[-−]\Z")
_THOUSANDS_BEFORE = re.compile(r"(?<!\d)(?<!\d[.,])\d{1,3}\s\Z")
_THOUSANDS = re.compile(r"\d{3}(?!\d)")
_THOUSANDS_AFTER = re.compile(r"\s\d{3}(?!\d)")
_ENDS_SHORT_NUMBER = re.compile(r"(?<!\d)(?<!\d[.,])\d{1,3}\Z")
_POWER = re.compile(r"(?<!\d)(?:10|2)\Z")
_CANNOT = re.compile(r"['’]t(?!\w)")


def _in_word(char: str) -> bool:
    """Whether the character belongs to a word: letters, digits, accents that combine, invisible joiners."""
    return char.isalnum() or (char > "\x7f" and unicodedata.category(char) in ("Mn", "Mc", "Me", "Cf"))


def cut_before(text: str, at: int) -> bool:
    """Whether a passage that begins at ``at`` begins inside a word or a number.

    >>> cut_before("reopened", 2), cut_before("2.5 mg", 2), cut_before("it is open", 6)
    (True, True, False)
    """
    if at == 0:
        return False
    before, first = text[at - 1], text[at]
    if before in " \n" and first.isalpha():
        return False
    if first.isdecimal():
        if before.isdecimal():
            return True
        if before in _JOIN_DIGITS:
            return at > 1 and text[at - 2].isdecimal()
        if before in "-−":
            return _SIGNED.search(text[max(0, at - 2) : at]) is not None
        if before.isspace() and _THOUSANDS.match(text, at):
            return _THOUSANDS_BEFORE.search(text[max(0, at - 6) : at]) is not None
    elif first in _JOIN_DIGITS:
        return before.isdecimal() and text[at + 1 : at + 2].isdecimal()
    elif first in _CJK_DIGITS and before in _CJK_DIGITS:
        return True
    if before == "_":
        return at > 1 and text[at - 2].isalnum() and first.isalnum()
    if not (_in_word(before) and _in_word(first)):
        return False
    return not (_UNSPACED.match(before) or _UNSPACED.match(first))


def cut_after(text: str, at: int) -> bool:
    """Whether a passage that ends at ``at`` ends inside a word or a number.

    >>> cut_after("costs 100", 8), cut_after("2.5 mg", 1), cut_after("open today", 4)
    (True, True, False)
    """
    if at >= len(text):
        return False
    last, after = text[at - 1], text[at]
    if after in " .,\n" and last.isalpha():
        return False
    if last.isdecimal():
        if after.isdecimal():
            return True
        if after in _JOIN_DIGITS:
            return text[at + 1 : at + 2].isdecimal()
        if after == "^":
            return _POWER.search(text[max(0, at - 3) : at]) is not None
        if after.isspace() and _THOUSANDS_AFTER.match(text, at):
            return _ENDS_SHORT_NUMBER.search(text[max(0, at - 5) : at]) is not None
    elif last in _JOIN_DIGITS:
        return after.isdecimal() and at > 1 and text[at - 2].isdecimal()
    elif last in _CJK_DIGITS and after in _CJK_DIGITS:
        return True
    if after in "'’":
        return text[at - 3 : at].lower() == "can" and _CANNOT.match(text, at) is not None
    if after == "_":
        return last.isalnum() and text[at + 1 : at + 2].isalnum()
    if not (_in_word(last) and _in_word(after)):
        return False
    if unicodedata.category(after)[0] == "M":
        return True
    return not (_UNSPACED.match(last) or _UNSPACED.match(after))


def find(words: str, text: str, start: int = 0) -> int:
    """The first place of the words as whole words, from ``start``; -1 for none.

    >>> find("costs 10", "It costs 100, or it costs 10.")
    20
    """
    return next(places(words, text, start), -1)


def places(words: str, text: str, start: int = 0) -> Iterator[int]:
    """All places of the words as whole words, from ``start``."""
    size = len(words)
    at = text.find(words, start)
    # Places that overlap (in "aaaa…") could make the search quadratic: they end it when they are absurdly many.
    work = 4 * len(text) + 10_000
    while at >= 0 and work > 0:
        if not (cut_before(text, at) or cut_after(text, at + size)):
            yield at
        work -= size
        at = text.find(words, at + 1)


class Passage(NamedTuple):
    """A part of a text that resembles the words looked for; ``score`` from 0 to 100."""

    start: int
    end: int
    score: float


_DIGIT = re.compile(r"\d")
_NUMBER_PLACE = re.compile("0(?:th)?")
_TOKENS = re.compile(f"[{CJK}]|[^\\W{CJK}]+")
_ASCII_TOKENS = re.compile(r"\w+")
_WORD_STARTS = re.compile(f"[{CJK}]|(?<![^\\W{CJK}])\\w")
_WORD_ENDS = re.compile(f"[{CJK}]|\\w(?![^\\W{CJK}])")
_HEAD, _TAIL = re.compile(r"\W*"), re.compile(r"(?<!\W)\W*+\Z")
LONGEST = 10_000
"""Longer words are only looked for exactly: comparing them would take time that grows with the square."""
_SHORT = 128
_SCANNED = 20_000
_EDGE = 6
_COMPARED = 128
_MOST_SEEDS = 20
_MOST_PLACES = 40
_LEAST_LETTERS = 4
_MOST_COMPARED = 100_000


def weight(text: str) -> int:
    """The length of a text in letters, where a CJK character counts 2.

    >>> weight("ten words"), weight("圧力は2.4")
    (9, 9)
    """
    return len(text) if text.isascii() else len(text) + len(_CJK_CHAR.findall(text))


_CJK_CHAR = re.compile(f"[{CJK}]")


def threshold(words: str) -> float | None:
    """How alike a passage must be to count as near, 0 to 100; ``None``: too short to be near anything.

    The shorter the words, the easier they resemble something by chance; benchmarks/quotes.py looks up quotes that are
    in no source and shows how many come this near.
    """
    size = weight(words)
    if size < 24 or len(words) > LONGEST:
        return None
    return 90.0 if size < 40 else 85.0 if size < 80 else 80.0


def nearest(words: str, text: str, least: float) -> Passage | None:
    """The passage of whole words that is most like the words, if it is at least ``least`` alike.

    Short pieces of the words are looked up in the text; those that fit lie on one diagonal, and only there the two
    are compared.
    """
    if len(words) <= _SHORT and len(words) < len(text) <= _SCANNED:
        # The scan compares windows as long as the words; what the passage has more than them is made up for by _fit.
        window = fuzz.partial_ratio_alignment(words, text, score_cutoff=least - 10)
        around = [(window.dest_start, window.dest_end)] if window else []
    else:
        around = _candidates(words, text)
    best: Passage | None = None
    for place in around:
        start, end = _fit(words, text, *place)
        score = fuzz.ratio(words, text[start:end], score_cutoff=least)
        if score and (best is None or score > best.score):
            best = Passage(start, end, score)
    return best


def _candidates(words: str, text: str) -> list[tuple[int, int]]:
    size = len(words)
    seed = max(3, min(10, size // 6))
    step = max(1, seed // 2, size // _MOST_SEEDS)
    hits: list[tuple[int, int]] = []
    for at in range(0, size - seed + 1, step):
        piece = words[at : at + seed]
        place = text.find(piece)
        found: list[tuple[int, int]] = []
        while place >= 0 and len(found) <= _MOST_PLACES:
            found.append((place - at, at))
            place = text.find(piece, place + 1)
        if len(found) <= _MOST_PLACES:  # a piece that stands everywhere tells nothing
            hits += found
    hits.sort()
    width = max(12, size // 8)
    clusters: list[tuple[int, int, int]] = []
    first = 0
    for last, (diagonal, _) in enumerate(hits):
        while diagonal - hits[first][0] > width:
            first += 1
        clusters.append((last - first + 1, first, last))
    clusters.sort(key=lambda cluster: (-cluster[0], cluster[1]))
    chosen: list[tuple[int, int]] = []
    taken: list[int] = []
    for votes, first, last in clusters:
        if len(chosen) == 3 or votes * 3 < clusters[0][0]:
            break
        diagonal = hits[last][0]
        if any(abs(diagonal - other) <= width for other in taken):
            continue
        taken.append(diagonal)
        group = hits[first : last + 1]
        start = min(group, key=lambda hit: hit[1])[0]
        end = max(group, key=lambda hit: hit[1])[0] + size
        chosen.append((max(0, start), min(len(text), max(end, start + 1))))
    return chosen


def _fit(words: str, text: str, start: int, end: int) -> tuple[int, int]:
    """Move the edges of a passage to the edges of words where it is most like the words."""
    size = len(words)
    slack = min(40, max(12, size // 6))
    head, tail = words[:_EDGE], words[-_EDGE:]
    if end <= start:
        end = min(len(text), start + size)
    if not text.endswith(tail, start, end) or cut_after(text, end):
        at = text.rfind(tail, max(start, end - slack - _EDGE), end + slack)
        if at >= 0 and not cut_after(text, at + len(tail)):
            end = at + len(tail)
        else:
            end = _likely_end(words, text, start, end, slack)
    if not text.startswith(head, start) or cut_before(text, start):
        at = text.find(head, max(0, start - slack), min(end, start + slack + _EDGE))
        start = at if at >= 0 and not cut_before(text, at) else _likely_start(words, text, start, end, slack)
    start, end = _whole_words(text, start, end)
    # What the words have at their edges beside words, such as a currency sign, belongs to the passage too.
    if words[0].isalnum() and words[-1].isalnum():
        return start, end
    head, tail = _HEAD.match(words)[0], _TAIL.search(words)[0]  # type: ignore[index]
    if head and text.endswith(head, 0, start):
        start -= len(head)
    if tail and text.startswith(tail, end):
        end += len(tail)
    return start, end


def _likely_start(words: str, text: str, start: int, end: int, slack: int) -> int:
    spots = [m.start() for m in _WORD_STARTS.finditer(text, max(0, start - slack), min(end, start + slack))]
    if not spots:
        return start
    if len(words) <= _COMPARED:
        return max(spots, key=lambda at: (fuzz.ratio(words, text[at:end]), -abs(at - start)))
    head = words[:_COMPARED]
    return max(spots, key=lambda at: (fuzz.ratio(head, text[at : at + len(head)]), -abs(at - start)))


def _likely_end(words: str, text: str, start: int, end: int, slack: int) -> int:
    spots = [m.end() for m in _WORD_ENDS.finditer(text, max(start, end - slack), min(len(text), end + slack))]
    if not spots:
        return end
    if len(words) <= _COMPARED:
        return max(spots, key=lambda at: (fuzz.ratio(words, text[start:at]), -abs(at - end)))
    tail = words[-_COMPARED:]
    return max(spots, key=lambda at: (fuzz.ratio(tail, text[max(start, at - len(tail)) : at]), -abs(at - end)))


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """The passage with the rest of the words and numbers in which it begins and ends."""
    while cut_before(text, start) or (start and text[start] == " "):  # a space inside "12 500"
        start -= 1
    while cut_after(text, end) or (end < len(text) and text[end - 1] == " "):
        end += 1
    return start, end


def with_denial(words: str, text: str, passage: Passage) -> Passage:
    """The passage with the denial beside it that has something else in its place in the words.

    >>> with_denial("a user can cancel", "no user can cancel", Passage(3, 18, 90.0))
    Passage(start=0, end=18, score=90.0)
    >>> with_denial("user may cancel", "no user can cancel", Passage(3, 18, 90.0))
    Passage(start=3, end=18, score=90.0)
    """
    start, end, score = passage
    denied = guards.denial_before(text, start)
    if denied is not None:
        first, _, rest = words.partition(" ")
        if rest.partition(" ")[0] == text[start:end].partition(" ")[0]:
            start = denied
            if text.endswith(f" {first} ", 0, denied) or text[:denied] == f"{first} ":
                start = denied - len(first) - 1  # "dogs never travel" for "dogs travel"
    if words[-1] != text[end - 1]:
        end = guards.denial_across(text, end)
    return Passage(start, end, score)


def small_edits(words: str, passage: str) -> bool:
    """Whether two texts differ in letters and punctuation only, and not by whole words.

    A word that has become another one ("buyer" → "seller"), one that is missing or was added, changes what is said. Up
    to three letters may be missing: an article, a preposition.

    >>> small_edits("the delivrey takes three days", "the delivery takes three days")
    True
    >>> small_edits("the seller pays the costs", "the buyer pays the costs")
    False
    """
    ours, theirs = _tokens(words), _tokens(passage)
    if len(ours) == len(theirs):
        if _is_small(ours, theirs):
            return True
        if sum(map(ne, ours, theirs)) == 1:
            return False  # one word in place of another one
    regions: list[tuple[int, int, int, int]] = []
    for op in Levenshtein.opcodes(ours, theirs):
        if op.tag == "equal":
            continue
        if regions and regions[-1][1] == op.src_start and regions[-1][3] == op.dest_start:
            before = regions.pop()
            regions.append((before[0], op.src_end, before[2], op.dest_end))
        else:
            regions.append((op.src_start, op.src_end, op.dest_start, op.dest_end))
    return all(_is_small(ours[i1:i2], theirs[j1:j2]) for i1, i2, j1, j2 in regions)


def _tokens(text: str) -> list[str]:
    """The words of a text; each CJK character is one."""
    return (_ASCII_TOKENS if text.isascii() else _TOKENS).findall(text)


def _is_small(ours: list[str], theirs: list[str]) -> bool:
    if len(ours) == len(theirs):
        changed = [(a, b) for a, b in zip(ours, theirs, strict=True) if a != b]
        # Two characters of CJK make a word.
        return sum(_CJK_CHAR.match(a) is not None for a, _ in changed) < 2 and all(_same_word(a, b) for a, b in changed)
    a, b = "".join(ours), "".join(theirs)
    if not a or not b:
        return weight(a + b) <= 3
    return _same_word(a, b)


def _same_word(a: str, b: str) -> bool:
    distance = Levenshtein.distance(a, b)
    return distance < 3 or distance <= 0.6 * max(len(a), len(b))


def _in_skeleton(wanted: str, skeleton: Skeleton) -> tuple[int, int] | None:
    """The span of a skeleton's text that has the words, perhaps with a denial in the place of their article."""
    place = find(wanted, skeleton.text)
    if place >= 0:
        return skeleton.span(place, place + len(wanted))
    article, _, rest = wanted.partition(" ")
    if article not in _ARTICLES or not rest:
        return None
    place = find(rest, skeleton.text)
    if place < 0:
        return None
    start, end = skeleton.span(place, place + len(rest))
    denied = skeleton.denial_before(start)
    return (denied, end) if denied is not None else None


_DETERMINERS = "a an any some the all every each un une des le la les tout tous toutes chaque"
_GERMAN = "ein eine einen einem einer der die das den dem alle jede jeder jedes"
_ARTICLES = frozenset(f"{_DETERMINERS} {_GERMAN}".split())


def same_skeleton(words: str, text: str) -> Passage | None:
    """The passage that has the same words but other numbers or negations.

    This finds what similarity cannot: short texts, and texts that consist of numbers for the most part.

    >>> same_skeleton("costs 10 euros", "a bike costs 4 euros")
    Passage(start=7, end=20, score=88.88...)
    """
    if len(words) > LONGEST:
        return None
    lacking = _lacking(words, text)
    if lacking and "'t" not in words and not all(map(_ARTICLES.__contains__, lacking)):
        return None  # a cheap look
    found = _with_skeleton(words, text, loose=False)
    if found is None and not lacking:
        found = _with_skeleton(words, text, loose=True)
    return found


def _lacking(words: str, text: str) -> list[str]:
    """Long words of a quote that a text lacks, but for those that come and go with a denial."""
    if not words.isascii():
        return []
    return [
        word
        for word in _ASCII_TOKENS.findall(words)
        if len(word) > 3 and word not in text and word.isalpha() and not guards.is_loose(word)
    ]


def _with_skeleton(words: str, text: str, *, loose: bool) -> Passage | None:
    wanted = Skeleton(words, loose=loose).text.strip()
    letters = [word for word in _tokens(wanted) if not _DIGIT.search(word)]
    if sum(map(weight, letters)) < _LEAST_LETTERS:
        return None
    if "ます" in wanted and "ません" in text:
        letters = [letter for letter in letters if letter != "す"] or letters
    # A denial may stand in the place of an article: "a fee", "no fee".
    needed = (letters[0] in _ARTICLES and letters[1:]) or letters
    if not all(map(text.__contains__, needed)):
        return None
    # Windows are laid around the rarest of the long words; a text that lacks one of them needs no window.
    anchor, fewest = "", len(text)
    for word in sorted(needed, key=len)[-4:]:
        count = text.count(word)
        if count <= fewest:
            anchor, fewest = word, count
    if not fewest:
        return None
    between = _NUMBER_PLACE.split(wanted)
    reach = 2 * len(words) + 40
    denied = loose and guards.denies(words)
    done = -1
    at = text.find(anchor)
    budget = _MOST_COMPARED
    while at >= 0 and budget > 0:
        low, high = max(0, at - reach), min(len(text), at + reach)
        window = text[low:high]
        # Where nothing is denied, only numbers are replaced, and what stands between them is there as it is.
        possible = all(map(window.__contains__, needed)) and (
            (denied if loose else all(map(window.__contains__, between))) or guards.denies(window)
        )
        if possible and (found := _in_skeleton(wanted, Skeleton(window, loose=loose))) is not None:
            start, end = _whole_words(text, found[0] + low, found[1] + low)
            if guards.denies(text[start:end]) != denied if loose else text[start:end] != words:
                return Passage(start, end, fuzz.ratio(words, text[start:end]))
        budget -= high - low
        done = high
        # The window has covered what follows up to its end, but for words that begin before it.
        at = text.find(anchor, max(at + 1, done - len(words) - 40))
    return None
