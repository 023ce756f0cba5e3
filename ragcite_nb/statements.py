"""The sentences of an answer: their kinds, the marks in each, and what a marker covers beyond its own sentence."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from ragcite_nb.claims import ABSTENTION, ASIDE, CONTRADICTION, PARTIAL, claim_rules, core_of, with_claims
from ragcite_nb.guards import denies
from ragcite_nb.segment import FILL, HEAD, HEADING, ITEM, LEAK, ROW, TEXT, has_word, sentence_rules, sentences, stops_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ragcite_nb.claims import ClaimRules
    from ragcite_nb.examine import Examined
    from ragcite_nb.models import SentenceKind
    from ragcite_nb.scan import Mark, MarkFields
    from ragcite_nb.segment import Unit

_STOPS = frozenset(".!?…。！？।؟۔｡")
_QUESTIONS = frozenset("?？؟")
_COLONS = frozenset(":：")
_QUESTIONS_COLONS = _QUESTIONS | _COLONS
_TAIL = f' \t\n\u00a0{FILL}{LEAK}*_~"”“’»«」』)]`'
"""What may follow the last word of a sentence without saying what kind it is."""
_TAILS = frozenset(_TAIL)
_AROUND_QUOTE = f" \t\n\u00a0{FILL}{LEAK}*_~)].。`"
_OPENS = {'"': '"', "”": "“„”", "“": "„", "»": "«", "«": "»", "」": "「", "』": "『"}
"""What may open the quotation that a mark closes."""
_ASKS = re.compile(
    r"(?:am|are|can|could|did|do|does|had|has|have|how|is|may|might|must|should|was|were|what|when|where|which|who|whose|why|will|would|"
    r"darf|haben|hast|hat|ist|kann|können|sind|soll|warum|welche[rs]?|wer|wie|wo|"
    r"avez|comment|est|est-ce|où|pourquoi|quand|quel(?:le)?s?|qui)\b",
    re.IGNORECASE,
)
"""First words of a question that may itself end in a quoted one."""
_POINTER = re.compile(
    rf"[\s(（*_]*(?:see(?: also)?|cf|vgl|siehe(?: auch)?|voir(?: aussi)?|sources?|src|quellen?|refs?|références?|belege?|参考|参见|参照|见|来源)"
    rf"[\s.:：,，;；&*_{FILL}]*(?:(?:and|und|et)[\s{FILL}]*)*[\s.。)）*_]*",
    re.IGNORECASE,
)
"""A sentence that only points to sources: (See also [3], [2].) Source: [1]"""
_LONGEST_POINTER = 60
_LEADING = 4
"""How far from the beginning of a unit its leading marker may stand, behind emphasis."""
_TELLS_LANGUAGE = 40
"""Characters of an answer that are enough to tell its language."""
_SOURCED = re.compile(
    rf"[(（]\s*(?:sources?|src|quellen?|refs?\.?|références?|belege?|来源|出典)\s?[:：][\s,;{FILL}]*[)）]?[\s.]*$",
    re.IGNORECASE,
)
_COLON_AND_MARKS = re.compile(rf"[:：][\s*_]*{FILL}[\s*_,;{FILL}]*[.。]?[\s*_]*$")
_STATES = re.compile(rf"[:：\d{FILL}]")
"""What makes a statement of a list item that heads another list: a text after a label, a figure, a citation."""
_CLAUSES = re.compile("[，。；;]")
"""What no heading has: it is a few words in one clause."""
_TURN = re.compile(
    r"[;；]|[,，]?\s*(?:\b(?:but|however|yet|though|although|whereas|mais|cependant|toutefois|aber|jedoch|doch|allerdings)\b|但|然而|不过)",
    re.IGNORECASE,
)
"""Where a sentence turns from what it stated to something else."""
_FIRM_TURN = re.compile(
    r"[;；]|[,，]?\s*\b(?:but|yet|though|although|whereas|mais)\b|"
    r"[,，]\s*(?:however|cependant|toutefois|jedoch|allerdings|aber|doch)\b(?!\s*,)|但|然而|不过",
    re.IGNORECASE,
)
"""The same without asides between commas: "What it is, however, is not stated"."""
_MOST_TITLE_WORDS = 8
_SMALL_WORDS = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "for",
        "to",
        "and",
        "or",
        "by",
        "with",
        "from",
        "at",
        "vs",
        "as",
        "&",
        "de",
        "la",
        "le",
        "les",
        "des",
        "du",
        "et",
        "en",
        "au",
        "aux",
        "un",
        "une",
        "pour",
        "sur",
        "und",
        "der",
        "die",
        "das",
        "den",
        "von",
        "zu",
        "für",
        "im",
        "am",
        "mit",
        "y",
        "el",
        "los",
        "del",
        "e",
        "il",
        "di",
        "da",
    ]
)
"""Words that stand in lower case in a title."""
_MOST_COVERING = 20
"""Marks of one sentence that can cover others: bounds the work on hostile text."""
_LONGEST_HEADING, _LONGEST_ITEM_HEADING = 160, 90
_FIRST_ORNAMENT = "\u2190"
_ORNAMENTS = re.compile(r"^(?:[\u2190-\u2bff\U0001f000-\U0001faff]\ufe0f?\s*)+")
"""Arrows, signs and pictures before a heading."""


class Span(NamedTuple):
    """A sentence: its place, its kind, the range of marks in it, and whether they cite (1) and cite validly (2)."""

    start: int
    end: int
    kind: SentenceKind
    first: int
    last: int
    block: int
    cited: int


SpanFields = tuple[int, int, "SentenceKind", int, int, int, int]
"""The fields of a :class:`Span` without their names: naming takes longer than telling, and counting needs no names."""


def _split(x: Examined) -> Iterator[list[tuple[int, int, bool]]]:
    """The sentences of each unit, as :func:`ragcite_nb.segment.sentences` gives them."""
    masked, marks, kept = x.masked, x.scan.marks, x.scan.kept
    rules = sentence_rules(x.language)
    stops = stops_of(masked)
    mark, count = 0, len(marks)
    quote, quotes = 0, len(kept)
    for unit_kind, start, end, _, _ in x.layout.units:
        if unit_kind != TEXT and unit_kind != ITEM:  # noqa: PLR1714  # faster than a membership test
            yield [(start, end, False)]
            continue
        first_quote = quote
        while quote < quotes and kept[quote][0] < end:
            quote += 1
        while mark < count and marks[mark][0] < start:
            mark += 1
        leads = mark < count and marks[mark][0] - start < _LEADING and _leads(masked, start, marks[mark])
        yield sentences(masked, start, end, rules, kept[first_quote:quote], stops, leads=leads)


def classify(x: Examined) -> None:
    """Find the sentences, and say what kind each is and what it cites.

    Fills ``x.sentences``, ``x.covered``, the counts of claims, ``x.partial`` and a stated ``x.contradiction``.
    """
    text, masked, units = x.text, x.masked, x.layout.units
    lists, possible = claim_rules(x.language), x.possible
    marks = x.scan.marks
    places = [mark[0] for mark in marks]
    places.append(len(text) + 1)
    cites = [mark[2].cites for mark in marks]
    found: list[SpanFields] = []
    partial, stated, abstained = False, "", False
    claims = [0, 0, 0]  # by what they cite: nothing, something, validly
    everything = x.options.claims == "all"
    unsure = len(text) < _TELLS_LANGUAGE and x.options.language == "auto"
    mark = 0
    for number, spans in enumerate(_split(x)):
        unit_kind, _, _, block, _ = units[number]
        heading = unit_kind in (HEADING, HEAD) or (
            len(spans) == 1 and unit_kind != ROW and _is_heading(masked, units, number)
        )
        if unit_kind == ITEM and found and not everything:
            before = Span(*found[-1])
            if _introduced(masked, units, number, before):
                found[-1] = before._replace(kind="lead_in")
                claims[before.cited] -= 1
        plain = not (possible or heading)
        for begin, stop, letter_to_stop in spans:
            first, cited = mark, 0
            while places[mark] < stop:
                if cites[mark] > cited:  # noqa: PLR1730  # a call of max() would take longer
                    cited = cites[mark]
                mark += 1
            if letter_to_stop:
                last = "."
            else:
                last = masked[stop - 1]
                if last in _TAILS:
                    last = masked[begin:stop].rstrip(_TAIL)[-1:]
                letter_to_stop = last == "." and masked[begin].isalpha()  # noqa: PLW2901
            if (
                letter_to_stop
                and plain
                and stop - begin >= _LONGEST_POINTER
                and (first < mark or not lists.may_be_aside(masked[begin:stop]))
            ):
                # The common case, quickly.
                claims[cited] += 1
                found.append((begin, stop, "claim", first, mark, block, cited))
                continue
            only_marks = not masked[begin].isalnum() and not has_word(masked, begin, stop)
            if only_marks or (
                stop - begin < _LONGEST_POINTER and found and cited and _POINTER.fullmatch(masked, begin, stop)
            ):
                # Only markers, or no word at all: what stands here belongs to the sentence before.
                if found and cited:
                    before = Span(*found[-1])
                    found[-1] = before._replace(last=mark, cited=max(before.cited, cited))
                    if before.kind == "claim":
                        claims[before.cited] -= 1
                        claims[max(before.cited, cited)] += 1
                continue
            kind: SentenceKind
            if heading:
                kind = "heading"
            elif (
                last in _QUESTIONS_COLONS
                and _kind_of_end(masked, begin, stop) in _QUESTIONS_COLONS
                and (last in _QUESTIONS or (unit_kind != ROW and not (masked[stop - 1] == FILL and unit_kind == ITEM)))
                and not _ends_in_quotation(masked, begin, stop)
            ):
                kind = "question" if last in _QUESTIONS else "lead_in"  # but "Product: [1]" says something
            else:
                kind, flags = _told(
                    masked[begin:stop], lists, possible, marked=first < mark, cited=cited > 0, unsure=unsure
                )
                partial = partial or flags & PARTIAL > 0
                abstained = abstained or kind == "abstention"
                if flags & CONTRADICTION and not stated:
                    stated = text[begin:stop]
            if kind == "claim":
                claims[cited] += 1
            elif everything and not heading and kind != "abstention":
                kind = "claim"
                claims[cited] += 1
            found.append((begin, stop, kind, first, mark, block, cited))
    x.claims, x.supported, x.uncited = sum(claims), claims[2], claims[0]
    x.abstained = abstained and not x.claims
    x.sentences = found
    x.partial = partial
    x.contradiction = {"kind": "stated", "first": stated, "second": "", "count": 1} if stated else None
    if x.truncated and found and not everything:
        _unfinished(x)
    if abstained and not everything:
        _referrals(x)
    signed = not everything and len(found) > 1 and not found[-1][6] and _sign(x)
    x.covered = _cover(x) if x.options.scope == "block" else {}
    if x.scan.wraps:
        _wrapped(x)
    if x.covered or x.truncated or abstained or signed:
        recount(x)


def _told(
    sentence: str, lists: ClaimRules, possible: int, *, marked: bool, cited: bool, unsure: bool
) -> tuple[SentenceKind, int]:
    """What the lists say of a sentence of the masked text: its kind, and the lists that it is on, as flags."""
    flags = possible if possible and lists.may_match(sentence) else 0
    if not marked and lists.may_be_aside(sentence):
        flags |= ASIDE
    elif not marked and unsure and (foreign := _foreign(sentence)):
        return foreign, 0
    if not flags:
        return "claim", 0
    core = core_of(sentence)
    flags = lists.flags(core, flags)
    if flags & ABSTENTION:
        return ("claim", flags | PARTIAL) if _states_apart(sentence, lists, cited=cited) else ("abstention", flags)
    aside = flags & ASIDE or (flags and not cited and lists.is_about_sources(core))
    return "aside" if aside else "claim", flags


def _foreign(sentence: str) -> SentenceKind | None:
    """An aside or abstention in any language: a greeting or a refusal alone does not tell in which it is."""
    core = core_of(sentence)
    for lists in map(claim_rules, with_claims()):
        if lists.may_be_aside(core) and lists.flags(core, ASIDE):
            return "aside"
        if lists.is_refusal(core):
            return "abstention"
    return None


def _kind_of_end(masked: str, begin: int, stop: int) -> str:
    """The last character that counts, without a "(Source: [1])" at the end."""
    sourced = _SOURCED.search(masked, max(begin, stop - _LONGEST_POINTER), stop)
    return masked[begin : sourced.start() if sourced else stop].rstrip(_TAIL)[-1:]


def _ends_in_quotation(masked: str, begin: int, stop: int) -> bool:
    """Whether a quotation closes a sentence that says something of it, as in: Customers often ask, "Is it free?".

    One that is the whole sentence, or has only a label before it (Question: "Is it free?"), asks for itself.
    """
    end = begin + len(masked[begin:stop].rstrip(_AROUND_QUOTE)) - 1
    openers = _OPENS.get(masked[end], "")
    opener = max((masked.rfind(mark, begin, end) for mark in openers), default=-1)
    if opener <= begin or not has_word(masked, begin, opener):
        return False
    words = core_of(masked[begin:opener]).split()
    if not words:
        return False  # nothing but emphasis and a number in front
    labelled = words[-1][-1] in _COLONS and sum(not any(map(str.isdigit, word)) for word in words) < 2
    return not labelled and _ASKS.match(words[0]) is None


def _introduced(masked: str, units: Sequence[Unit], number: int, before: Span) -> bool:
    """Whether a claim only introduces the list that begins with this item: "It has these parts: [2].", "- Tools: [2]"."""
    above, item = units[number - 1], units[number]
    return (
        before.kind == "claim"
        and before.end == above.end
        and above.block != item.block
        and (above.kind == TEXT or (above.kind == ITEM and item.depth > above.depth))
        and _COLON_AND_MARKS.search(masked, max(before.start, before.end - _LONGEST_POINTER), before.end) is not None
    )


def _wrapped(x: Examined) -> None:
    """A mark that wraps several sentences covers each of them."""
    spans = x.named_sentences()
    ends = [s.end for s in spans]
    for k, mark in enumerate(x.scan.named()):
        if mark.wraps is None or not mark.reading.citations:
            continue
        start, end = mark.wraps
        for i in range(bisect_right(ends, start), len(ends)):
            s = spans[i]
            if s.start >= end:
                break
            if not s.first <= k < s.last:
                x.covered.setdefault(i, []).append(k)


def recount(x: Examined) -> None:
    """Count the claims again: kinds were changed, or something outside a sentence cites for it."""
    spans = x.named_sentences()
    claims = [(i, s.cited) for i, s in enumerate(spans) if s.kind == "claim"]
    cited = [max(own, _cited_elsewhere(x, i)) if own < 2 else own for i, own in claims]
    x.claims, x.supported, x.uncited = len(claims), cited.count(2), cited.count(0)
    x.abstained = not claims and any(s.kind == "abstention" for s in spans)


def _cited_elsewhere(x: Examined, sentence: int) -> int:
    """Whether marks of the block or provider citations cite for a sentence (1), and do so validly (2)."""
    covering = x.covered.get(sentence, ())
    data = x.data_sentences[sentence] if x.data_sentences else ()
    if any(x.scan.marks[k][2].valid for k in covering) or any(x.data[d][1].status == "valid" for d in data):
        return 2
    return 1 if covering or data else 0


def _leads(masked: str, start: int, mark: MarkFields) -> bool:
    """Whether a unit begins with a marker, perhaps in bold; one that wraps words does not lead."""
    at, _, _, _, wraps = mark
    return wraps is None and at >= start and not masked[start:at].strip("*_^( ")


def _is_heading(masked: str, units: Sequence[Unit], number: int) -> bool:
    """A line that is all bold, a title on a line of its own, or a list item that only heads a deeper list."""
    unit = units[number]
    if unit.end - unit.start > _LONGEST_HEADING:
        return False
    written = masked[unit.start : unit.end]
    line = written.rstrip(f" {FILL}")
    if line[:1] >= _FIRST_ORNAMENT:
        line = _ORNAMENTS.sub("", line)
    if number and unit.kind == TEXT and FILL in written[-3:]:
        # "Casting in Sand [2].": a stop beside the marker of a title. One word, or the first line, may be a short answer.
        title = written.rstrip(f" .{FILL}")
        if " " in title and _is_title(title):
            line = title
    if line[-1:] in _STOPS or line[-1:] in _COLONS:
        return False
    if unit.kind == ITEM and (_CLAUSES.search(line) or line.count(" ") >= _MOST_TITLE_WORDS):
        return False
    following = units[number + 1] if number + 1 < len(units) else None
    if line[:2] in ("**", "__") and line[-2:] == line[:2] and line[:2] not in line[2:-2]:
        inner = line[2:-2].rstrip(f" {FILL}")[-1:]
        if inner in _STOPS or inner in _COLONS:
            return False
        # A bold list item is a heading when something stands below it.
        return (
            unit.kind == TEXT or _heads_list(units, number) or (following is not None and following.block == unit.block)
        )
    if unit.kind == TEXT:
        return (
            following is not None
            and following.block != unit.block
            and following.kind in (TEXT, ITEM)
            and _is_title(line)
        )
    if len(line) > _LONGEST_ITEM_HEADING or _STATES.search(line):
        return False
    if FILL in written and not _is_title(line):
        return False  # "Iron bells crack in frost [2]" cites for what it states
    return _heads_list(units, number)


def _states_apart(sentence: str, lists: ClaimRules, *, cited: bool) -> bool:
    """Whether a clause that states something stands beside the one that finds nothing: "Bells are iron, but the sources …".

    In a sentence that cites, it is the clause that does; in another one, a clause of some words that speaks neither of the
    sources nor to the reader.
    """
    clauses = [clause.strip(" ,，.") for clause in (_TURN if cited else _FIRM_TURN).split(sentence)]
    return len(clauses) > 1 and any(_states(clause, lists, cited=cited) for clause in clauses)


def _states(clause: str, lists: ClaimRules, *, cited: bool) -> bool:
    core = core_of(clause)
    if not has_word(clause, 0, len(clause)) or lists.flags(core, ABSTENTION | ASIDE):
        return False
    if cited:
        return FILL in clause
    hedged = _HEDGED.search(core) is not None or denies(core.casefold())
    return len(core.split()) >= _FEWEST_WORDS and not hedged and not lists.is_about_sources(core)


_FEWEST_WORDS = 3
_HEDGED = re.compile(
    r"\b(?:may|might|could|can|perhaps|peut|peuvent|pourrait|könnten?|kann|können|vielleicht|womöglich)\b",
    re.IGNORECASE,
)
"""What makes a guess of a clause: "but it may stand elsewhere"."""


def _is_title(line: str) -> bool:
    """A few words, each longer one with a capital, without figures: a heading that lacks its mark."""
    words = line.strip("*_ ").split()
    if not 0 < len(words) <= _MOST_TITLE_WORDS or not (line[-1].isalpha() or line[-1] in ")*_"):
        return False
    if FILL in line or any(c.isdigit() for c in line):
        return False
    return words[0][:1].isupper() and all(word[:1].isupper() or word.lower() in _SMALL_WORDS for word in words)


def _heads_list(units: Sequence[Unit], number: int) -> bool:
    if number + 1 == len(units):
        return False
    unit, following = units[number], units[number + 1]
    return following.kind == ITEM and following.block == unit.block + 1 and following.depth > unit.depth


def _unfinished(x: Examined) -> None:
    """The last sentence of a truncated answer is no claim when it stops in the middle."""
    last = x.named_sentences()[-1]
    if last.kind != "claim":
        return
    tail = x.masked[last.start : last.end].rstrip(f' \t\n*_~"”’»){FILL}')
    closed = any(m.reading.kind == "citation" for m in x.scan.named()[last.first : last.last] if m.end >= last.end - 2)
    if tail[-1:] not in _STOPS and not closed and not x.text[last.end :].strip():
        x.sentences[-1] = last._replace(kind="aside")


def _referrals(x: Examined) -> None:
    """List items that only say where else to ask, in an answer that abstains."""
    lists = claim_rules(x.language)
    items = {unit.start for unit in x.layout.units if unit.kind == ITEM}
    for i, s in enumerate(x.named_sentences()):
        if (
            s.kind == "claim"
            and not s.cited
            and s.start in items
            and lists.is_referral(core_of(x.masked[s.start : s.end]))
        ):
            x.sentences[i] = s._replace(kind="aside")


def _sign(x: Examined) -> bool:
    """Make an aside of who signs: the last line or two, short and without a stop, below "Best regards,"."""
    names: list[int] = []
    spans = x.named_sentences()
    for i in range(len(spans) - 1, max(len(spans) - 4, 0), -1):
        s = spans[i]
        if s.kind != "claim" or s.cited or s.end - s.start > _LONGEST_NAME:
            return False
        name = x.masked[s.start : s.end]
        if name[-1] in _STOPS or name[-1] in _COLONS or any(map(str.isdigit, name)):
            return False
        names.append(i)
        above = spans[i - 1]
        if above.kind == "aside":
            if _SIGN_OFF.fullmatch(core_of(x.masked[above.start : above.end])) is None:
                return False
            for number in names:
                x.sentences[number] = spans[number]._replace(kind="aside")
            return True
    return False


_LONGEST_NAME = 60
_SIGN_OFF = re.compile(
    r"(?:(?:best|kind|kindest|warm|warmest|many|with (?:best|kind|warm)) (?:regards|wishes)|regards|cheers|(?:yours )?(?:sincerely|faithfully|truly)"
    r"(?: yours)?|mit (?:freundlichen|besten|herzlichen|lieben) grüßen|(?:freundliche|viele|beste|herzliche|liebe) grüße|"
    r"(?:bien |très )?cordialement|bien à vous|(?:sincères|meilleures|cordiales) salutations|salutations(?: distinguées)?)[ ,.!]*",
    re.IGNORECASE,
)


def _cover(x: Examined) -> dict[int, list[int]]:
    """Under ``scope="block"``: a marker at the end of a paragraph or of a list's lead-in covers the whole of it."""
    covered: dict[int, list[int]] = {}
    spans, marks = x.named_sentences(), x.scan.named()
    by_block: dict[int, list[int]] = {}
    for i, s in enumerate(spans):
        by_block.setdefault(s.block, []).append(i)
    layout = {unit.block: (unit.kind, unit.depth) for unit in x.layout.units}
    blocks = list(by_block)
    lead: list[tuple[int, list[int]]] = []  # open lead-ins: the depth of their list, their marks
    for position, block in enumerate(blocks):
        kind, depth = layout[block]
        inside = by_block[block]
        final = spans[inside[-1]]
        closing = _citing(marks, final)
        if kind in (TEXT, ITEM) and closing:
            for i in inside[:-1]:
                if not spans[i].cited:
                    covered[i] = closing
        if kind == ITEM:
            while lead and depth < lead[-1][0]:
                lead.pop()
            if lead and not spans[inside[0]].cited:
                for i in inside:
                    if not spans[i].cited:
                        covered[i] = lead[-1][1]
        elif kind not in (ROW, HEAD):
            lead = []
        following = layout[blocks[position + 1]] if position + 1 < len(blocks) else None
        if following is None or following[0] != ITEM:
            continue
        if closing:
            heads = final.kind in ("lead_in", "heading") or kind in (ITEM, HEADING)
            heads = heads or x.masked[final.start : final.end].rstrip(f" {FILL}*")[-1:] in _COLONS
            if heads and (kind != ITEM or following[1] > depth):
                lead.append((following[1], closing))
        elif kind == TEXT:
            lead = []
    return covered


def _citing(marks: Sequence[Mark], span: Span) -> list[int]:
    return [i for i in range(max(span.first, span.last - _MOST_COVERING), span.last) if marks[i].reading.citations]
