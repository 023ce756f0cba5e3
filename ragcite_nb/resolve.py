"""Markers × sources: which source does a reference mean, if any.

A :class:`SourceIndex` knows one set of sources by number and by name. Numbers are compared exactly. Names are compared by
parts: the document, then what says where in it (section, article, page, version, date). Letters may differ a little, digits
and whole words never: ``FAQ v3.1`` is not ``FAQ v3.2``.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz import fuzz

from ragcite_nb.alike import are_alike
from ragcite_nb.markers import FILE_ENDING, Item, Parsed, has_prefix, is_file, locator_of, read_inside, without_prefix

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ragcite_nb.models import CitationStatus, Source

MOST_UNKNOWN = 10
"""Numbers of a range beyond the sources that are unknown one by one; more of them are one unknown citation."""
NEAR = 60
"""How alike (0-100) the nearest source's name must be to be named for an unknown citation."""


class Resolved(NamedTuple):
    """One citation: the reference as written and the sources that it fits."""

    reference: str
    status: CitationStatus
    source: int | None
    sources: tuple[int, ...]
    nearest: int | None = None
    score: float | None = None
    locator: str | None = None


class Reading:
    """What one marker text means among one set of sources; shared by all its occurrences."""

    __slots__ = ("citations", "cited", "cites", "codes", "invalid", "kind", "locator", "parsed", "sources", "valid")

    def __init__(self, parsed: Parsed, citations: tuple[Resolved, ...], codes: tuple[str, ...] = ()) -> None:
        self.parsed = parsed
        self.kind = parsed.kind
        self.locator = parsed.locator
        self.citations = citations
        self.codes = codes
        """Alert codes that this marker raises by itself."""
        self.valid = sum(c.status == "valid" for c in citations)
        self.invalid = len(citations) - self.valid
        self.cites = 2 if self.valid else 1 if self.invalid else 0
        """What it does for its sentence: cite validly (2), cite (1), nothing (0)."""
        self.sources = tuple(dict.fromkeys(s for c in citations if c.status == "valid" for s in c.sources))
        """The sources that its valid citations cite."""
        self.cited = sum(1 << s for s in self.sources)
        """The same as a bit set."""


def is_described(source: Source) -> bool:
    """Whether anything but its text is known of a source, by which a reference could name it."""
    return bool(
        source.id is not None or source.title or source.url or source.metadata or source.document_type or source.section
        or source.version or source.page is not None
    )  # fmt: skip


_FOUND_AT = re.compile(r"[?&]utm_[^&#\s]*(?:&utm_[^&#\s]*)*(?=$|#)", re.IGNORECASE)
"""What search tools and mails add to links: ?utm_source=openai."""


def plain_url(url: str) -> str:
    """A link without what does not matter for what it leads to: scheme, ``www.``, closing slash, case, where it was found.

    >>> plain_url("https://www.shop.example/FAQ/?utm_source=openai") == plain_url("http://shop.example/faq")
    True
    """
    url = _FOUND_AT.sub("", url.strip())
    return url.partition("://")[2].removeprefix("www.").rstrip("/").casefold() or url.casefold()


class SourceIndex:
    """One set of sources, to look references up in.

    Args:
        count: how many sources there are.
        first_number: the number of the first one.
        sources: what is known of them; ``None`` when they are texts only.
        threshold: how alike the letters of two names must be, 0 to 1.
    """

    def __init__(
        self, count: int, first_number: int = 1, sources: Sequence[Source] | None = None, threshold: float = 0.8
    ) -> None:
        self.count = count
        self.first_number = first_number
        self.threshold = threshold * 100
        self.readings: dict[str, Reading | None] = {}
        """Readings by a marker's raw text, so that a text is parsed and resolved once."""
        self.numbers: dict[str, Reading | None] = {}
        """Readings of square brackets that hold nothing but numbers, as most markers do, by what is inside."""
        self.sources = sources or ()
        self._names: _Names | None = None
        self.by_id = self._whole_number_ids()

    @property
    def names(self) -> _Names | None:
        """The sources by name; ``None`` when none of them has one."""
        if self._names is None and any(map(is_described, self.sources)):
            self._names = _Names(self.sources, self.threshold)
        return self._names

    def _whole_number_ids(self) -> dict[int, tuple[int, ...]] | None:
        """Positions by id when every source has a whole-number id."""
        found: dict[int, tuple[int, ...]] = {}
        for i, source in enumerate(self.sources):
            number = source.id
            if isinstance(number, str) and number.isascii() and number.isdigit() and len(number) < 10:
                number = int(number)
            if not isinstance(number, int) or isinstance(number, bool):
                return None
            found[number] = (*found.get(number, ()), i)
        return found or None

    def by_position(self) -> SourceIndex:
        """The same sources, numbers meaning positions even though all have whole-number ids."""
        other = SourceIndex(self.count, self.first_number, self.sources, self.threshold / 100)
        other.by_id = None
        return other

    # --------------------------------------------------------------------------------------------------------- markers
    def parse(self, inside: str) -> Parsed | None:
        """What stands in square brackets; a name that a source has comes before all other readings."""
        parsed = read_inside(inside)
        if self.names is None:
            return parsed
        named = self.named(inside)
        if named is not None:
            return named._replace(syntax=parsed.syntax) if parsed is not None else named
        if parsed is not None and (like := self.like_names(inside, parsed)) is not None:
            return like
        if parsed is not None and parsed.sure and parsed.items and parsed.items[0].kind != "name":
            return parsed
        bare = _MARKUP.sub("", inside)
        if bare != inside and (found := self.parse(bare)) is not None and (found.sure or self.named(bare) is not None):
            return None if "`" in inside and bare.strip().isdigit() else found
        return parsed

    def like_names(self, inside: str, parsed: Parsed) -> Parsed | None:
        """A number behind a prefix as a name, where the sources are called so: "[doc2]" beside doc1 and doc5 is not the second."""
        if self.names is None or not parsed.items or parsed.items[0].kind not in ("number", "zero"):
            return None
        if not has_prefix(inside):
            return None
        text = without_prefix(inside)
        if text is None:
            text = inside.strip()
            return Parsed("name", "citation", (Item("name", text),)) if self.names.are_all_like(text) else None
        pieces = _LISTED.split(text)
        if all(map(has_prefix, pieces)) and any(map(self.names.exact, pieces)):
            return Parsed("name", "citation", tuple(Item("name", piece) for piece in pieces))
        document = parts_of(text).document
        if self.names.are_all_like(document) or self.names.exact(document):
            return Parsed("name", "citation", (Item("name", text, locator=locator_of(text)),))
        return None

    def named(self, inside: str) -> Parsed | None:
        """What stands in brackets, if it is exactly the name of a source, a list of names, or a number with its name."""
        text = inside.strip()
        names = self.names
        if names is None or not text or text.isdecimal():
            return None
        if inner := without_prefix(text):
            return self.named(inner)
        if names.exact(text):
            return Parsed("name", "citation", (Item("name", text),))
        if not _NUMBERS.fullmatch(text) and (listed := names.listed(text)) and self._is_bare(listed[0]):
            return Parsed("name", "citation", tuple(Item("name", piece) for piece in listed))
        numbered = _NUMBER_AND_NAME.fullmatch(text)
        if numbered and set(self.positions(int(numbered[1]))) & set(names.exact(numbered[2])):
            number = int(numbered[1])
            return Parsed("number", "citation", (Item("number", numbered[1], number, number),))
        return None

    def _is_bare(self, name: str) -> bool:
        """Whether a name is a source's own, or at least has no prefix in front of it."""
        return bool(self.names and self.names.exact(name)) or not has_prefix(name)

    def read(self, parsed: Parsed) -> Reading | None:
        """Resolve a marker; ``None`` when it turns out to be no marker at all."""
        if parsed.kind == "malformed":
            item = parsed.items[0]
            return Reading(parsed, ()) if self.positions(item.low) else None
        if parsed.kind != "citation":
            return Reading(parsed, ())
        if self._is_years(parsed.items):
            return None
        citations: list[Resolved] = []
        codes: list[str] = []
        unnamed = 0
        for item in parsed.items:
            if item.kind in ("number", "zero"):
                citations.append(self.number(item.low, item.text, item.locator, zero=item.kind == "zero"))
            elif item.kind == "range":
                if item.low > item.high:
                    return Reading(parsed._replace(kind="malformed"), ())
                if item.low == 0 and self.first_number == 1 and item.family != "zero" and not self.positions(0):
                    return None
                citations += self._range(item)
            else:
                named = self._item(item, parsed)
                if named is None:
                    unnamed += 1
                citations += named or [Resolved(item.text, "unknown", None, (), locator=item.locator)]
        if unnamed and not any(c.status == "valid" for c in citations):
            return None  # words in brackets
        if parsed.locator or any(item.locator for item in parsed.items):
            codes += self._page_mismatch(parsed, citations)
        return Reading(parsed, tuple(citations), tuple(codes))

    def _is_years(self, items: tuple[Item, ...]) -> bool:
        return all(
            i.kind in ("number", "range")
            and len(i.text) in (4, 9)
            and 1800 <= i.low <= 2100
            and not self.positions(i.low)
            for i in items
        )

    def positions(self, number: int, *, zero: bool = False) -> tuple[int, ...]:
        """Where the source with this number stands; several for the chunks of one document."""
        if zero:
            return (number,) if 0 <= number < self.count else ()
        if self.by_id is not None:
            return self.by_id.get(number, ())
        position = number - self.first_number
        return (position,) if 0 <= position < self.count else ()

    def number(self, number: int, reference: str, locator: str | None = None, *, zero: bool = False) -> Resolved:
        """One number as a citation."""
        found = self.positions(number, zero=zero)
        if found:
            return Resolved(reference, "valid", found[0], found, score=100.0, locator=locator)
        return Resolved(reference, "unknown", None, (), locator=locator)

    def _range(self, item: Item) -> list[Resolved]:
        zero = item.family == "zero"
        if self.by_id is not None and not zero:
            last = max(self.by_id)
        else:
            last = self.count - 1 + (0 if zero else self.first_number)
        first_beyond = max(item.low, last + 1)
        known = [
            self.number(n, str(n), zero=zero) for n in range(item.low, min(item.high, last, item.low + 10_000) + 1)
        ]
        beyond = item.high - first_beyond + 1
        if beyond <= 0:
            return known
        if beyond <= MOST_UNKNOWN:
            return known + [Resolved(str(n), "unknown", None, ()) for n in range(first_beyond, item.high + 1)]
        return [*known, Resolved(f"{first_beyond}-{item.high}", "unknown", None, ())]

    def _item(self, item: Item, parsed: Parsed) -> list[Resolved] | None:
        names = self.names
        if item.kind == "name" and item.text.isdecimal() and len(parsed.items) > 1 and len(item.text) < 7:
            return [self.number(int(item.text), item.text)]  # a number among names
        if item.kind in ("id", "turn"):
            found = names.exact(item.text) if names else ()
            if not found and item.locator and names:
                found = names.exact(item.locator)
            if not found and item.low and self.by_id is None and parsed.syntax in ("tag", "granite", "grok"):
                found = self.positions(item.low)
            if not found and parsed.syntax == "assistants":
                label = item.locator if item.locator and FILE_ENDING.search(item.locator) else None
                if label and names and names.are_files:
                    found = names.spelled(label, sure=True)
                else:
                    found = self.positions(item.low, zero=True)
            status: CitationStatus = "valid" if found else "unknown"
            return [
                Resolved(
                    item.text,
                    status,
                    found[0] if found else None,
                    found,
                    score=100.0 if found else None,
                    locator=item.locator,
                )
            ]
        if names is None:
            return [Resolved(item.text, "unknown", None, (), locator=item.locator)] if parsed.sure else None
        return names.find(item, sure=parsed.sure, exact_only=parsed.syntax == "round" and not parsed.sure)

    def _page_mismatch(self, parsed: Parsed, citations: Iterable[Resolved]) -> list[str]:
        """A page in a numbered marker that contradicts the page its source says it has."""
        if not self.sources:
            return []
        for citation, item in zip(citations, parsed.items, strict=False):
            locator = item.locator or parsed.locator
            if item.kind not in ("number", "zero") or citation.status != "valid" or not locator:
                continue
            wanted = parts_of(locator).page
            if wanted and all(
                (page := page_of(self.sources[s])) is not None and not _overlap(page, wanted) for s in citation.sources
            ):
                return ["locator_mismatch"]
        return []


# -------------------------------------------------------------------------------------------------------- names by parts
class Parts(NamedTuple):
    """A name taken apart. ``page`` is a range of pages, ``section`` and ``version`` are dotted numbers or words."""

    document: str
    section: str | None = None
    article: str | None = None
    page: tuple[int, int] | None = None
    version: str | None = None
    date: tuple[int, int, int] | None = None
    tail: str | None = None
    """What follows the name behind ``:`` or ``#``, with a digit: a line, a chunk, an edition."""


_PAGE = re.compile(
    r"(?<![\w.])(?:#?page|pages|pp?\.?|seiten?|s\.|p[áa]g(?:s|inas?|ine)?\.?|str\.)\s*[:=]?\s*(\d{1,6})(?:\s*[-–—]\s*(\d{1,6}))?(?![\w]|\.\d)",
    re.IGNORECASE,
)
_SECTION = re.compile(
    r"(?<![\w.])(?:sections?|sect?\.?|abschnitt|abschn\.?|punkt|point|kapitel|kap\.|chapters?|chap\.?|chapitre|clause|ziffer|§+|"
    r"paragraph(?:e?s|e)?|para\.?)(?![^\W\d_])"
    r"[\s:#.-]*(\d\w*(?:[.-]\w+)*|[^\W\d_][^,|;()\[\]\n]{0,60})",
    re.IGNORECASE,
)
_NUMBERED_SECTION = re.compile(
    r"(?<![\w.])(?:sezion[ei]|secci[óo]n|seç[ãa]o|cap\.?|cap[íi]tulo|capitolo|apartado|paragrafo|párrafo)[\s:#.-]*(\d\w*(?:[.-]\w+)*)",
    re.IGNORECASE,
)
_CJK_PLACE = re.compile(
    r"(?:第\s{0,4})?(\d{1,6})(?:\s{0,4}[-–—~〜]\s{0,4}(\d{1,6}))?\s{0,4}(?:页|頁|ページ|쪽|페이지)|"
    r"第\s{0,4}(?P<section>\d{1,4}(?:\.\d{1,4}){0,5})\s{0,4}[章节節]|第\s{0,4}(?P<article>\d{1,6})\s{0,4}[条條]"
)
_BARE_SECTION = re.compile(r"[,|]\s*(\d{1,3}(?:\.\d{1,3}){1,4})\s*$")
_ARTICLE = re.compile(
    r"(?<![\w.])(?:articles?|artikel|art\.?|artículo|articolo|artigo)[\s:.]*([\w]+(?:[.-]\w+)*)", re.IGNORECASE
)
_VERSION = re.compile(r"(?<![\w.])v(?:ersion|er)?\.?\s*:?\s*(\d+(?:\.\d+)*)(?![\w])", re.IGNORECASE)
_DATE_WORD = (
    r"(?:m\.?a\.?j\.?|mise à jour|mis à jour|updated|last updated|stand|aktualisiert(?: am)?|date|datum|vom|du)"
)
_DATE = re.compile(
    rf"(?:(?<!\w){_DATE_WORD}[\s:.]*)?(?<![\w/.])(\d{{1,4}})([/.-])(\d{{1,2}})\2(\d{{1,4}})(?![\w/])", re.IGNORECASE
)
_WORD_DATE = re.compile(rf"(?<!\w){_DATE_WORD}\s*:", re.IGNORECASE)
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_MARKUP = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)")
_NUMBERS = re.compile(r"\d+(?:\s*(?:[,;/&]|\b(?:and|et|und)\b)\s*\d+)*", re.IGNORECASE)
_NUMBER_AND_NAME = re.compile(r"(\d{1,4})\s*[:,;–-]\s*(\S.*)")
_SPACES = re.compile(r"[\s\u00a0]+")
_EDGES = ' \t,;:|-–—#()[]."“”„«»「」『』《》，、；：'
_TAIL = re.compile(r"(?<=\w)[:#]([^\s:#/]*\d[^\s:#/]*)\s*$")
_EXTENSION = re.compile(r"\.[a-z][a-z0-9]{0,4}$", re.IGNORECASE)
_IDENTIFIER = re.compile(r"\S*(?:[\\/_.]|\w-\w)\S*|\S*\d\S*")
"""A name without blanks that is built like an id, a path or a file name: compared exactly."""


@lru_cache(maxsize=4096)
def parts_of(name: str) -> Parts:
    """Take a name apart.

    >>> parts_of("CGV | Section: 5.2 | Page 12 | v2.1")
    Parts(document='CGV', section='5.2', article=None, page=(12, 12), version='2.1', date=None, tail=None)
    """
    text = name.replace("|", ",")
    page = section = article = version = date = None
    cut = len(text)
    # The document's name ends where the first locator begins, if something stands before it.
    if (m := _DATE.search(text)) and (found := _date(m)):
        date, cut = found, min(cut, m.start())
    if (m := _PAGE.search(text)) is not None:
        page, cut = _pages(m), min(cut, m.start())
    if (m := _SECTION.search(text) or _NUMBERED_SECTION.search(text)) is not None:
        section, cut = m[1].strip().casefold(), min(cut, m.start())
    elif (m := _BARE_SECTION.search(text)) is not None:
        section, cut = m[1], min(cut, m.start())
    if (m := _ARTICLE.search(text)) is not None:
        article, cut = m[1].casefold(), min(cut, m.start())
    if (m := _VERSION.search(text)) is not None:
        version, cut = m[1], min(cut, m.start())
    for m in () if text.isascii() else _CJK_PLACE.finditer(text):
        page = _pages(m) if m[1] else page
        section, article, cut = m["section"] or section, m["article"] or article, min(cut, m.start())
    document = text[:cut] if text[:cut].strip(_EDGES) else text[:0]
    if cut == len(text):
        document = text
    locator = locator_of(document)
    if locator is not None and locator in document:
        document = document[: document.rindex(locator)]
    if (m := _WORD_DATE.search(document)) is not None:
        document = document[: m.start()]
    tail = m[1] if (m := _TAIL.search(name)) else None
    return Parts(_SPACES.sub(" ", document).strip(_EDGES), section, article, page, version, date, tail)


def _pages(m: re.Match[str]) -> tuple[int, int]:
    first = int(m[1])
    last = int(m[2]) if m[2] else first
    return (first, last) if last >= first else (first, first)


def _date(m: re.Match[str]) -> tuple[int, int, int] | None:
    first, second, third = int(m[1]), int(m[3]), int(m[4])
    if len(m[1]) == 4:
        year, month, day = first, second, third
    elif len(m[4]) == 4:
        day, month, year = first, second, third
    else:
        return None
    if month > 12 >= day:  # month first, as in the United States
        day, month = month, day
    return (year, month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def page_of(source: Source) -> tuple[int, int] | None:
    """The page or pages that a source says it stands on."""
    page = source.page
    if isinstance(page, str):
        m = re.fullmatch(r"\D{0,8}(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?", page.strip())
        return _pages(m) if m else None
    return None if page is None else (int(page), int(page))


def _overlap(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return a[0] <= b[1] and b[0] <= a[1]


def fold_name(name: str) -> str:
    """A name for exact comparison: case and blanks folded."""
    return " ".join(name.split()).casefold()


class _Document:
    """One source's names and what it says of itself.

    Attributes:
        key: what makes chunks one document: the id, or the label.
        parts: what its title, id and fields say; only looked at when no name fits exactly.
    """

    def __init__(self, position: int, source: Source) -> None:
        self.position = position
        self._source = source
        self.key = f"id:{fold_name(str(source.id))}" if source.id is not None else f"#{position}"
        self.label = fold_name(source.name or "") if source.title else self.key
        self.family = _FAMILY_OF_TYPE.get((source.document_type or "").casefold(), "")
        self.names = _names_of(source)

    @property
    def written(self) -> list[str]:
        """Its names as they are written, and the title without what says where; no addresses, whose paths name little."""
        own = [name for name in (*_written_names(self._source), self.parts.document) if "://" not in name]
        return own + _base_names(own)

    @cached_property
    def parts(self) -> Parts:
        source = self._source
        called = source.title or (str(source.id) if source.id is not None else "")
        told = parts_of(called)
        coded = parts_of(str(source.id)) if source.title and source.id is not None else told
        section = _section_of(source.section)
        article = None
        if source.section and (m := _ARTICLE.search(source.section)):
            article = m[1].casefold()
        return Parts(
            told.document or called,
            section or told.section or coded.section,
            article or told.article,
            page_of(source) or told.page or coded.page,
            (source.version or "").lstrip("vV ") or told.version or coded.version,
            _date_of(source.last_updated) or told.date,
            told.tail,
        )


_FAMILY_OF_TYPE = {
    "faq": "faq", "api": "api", "code": "code", "source_code": "code", "law": "law", "loi": "law", "gesetz": "law",
    "regulation": "regulation", "règlement": "regulation", "reglement": "regulation", "verordnung": "regulation", "directive": "regulation",
    "contract": "contract", "contrat": "contract", "vertrag": "contract", "manual": "manual", "guide": "manual",
    "handbuch": "manual", "manuel": "manual", "ticket": "ticket", "kb": "kb", "kb_article": "kb",
}  # fmt: skip
_PREFIX_WORDS = {
    "law": ("loi", "law", "gesetz"), "regulation": ("règlement", "regulation", "verordnung", "règl", "reg"),
    "contract": ("contrat", "contract", "vertrag"), "faq": ("faq",), "api": ("api",), "code": ("code",),
    "manual": ("manual", "manuel", "handbuch", "guide"), "article": ("art.", "article", "artikel"), "ticket": ("ticket",), "kb": ("kb",),
}  # fmt: skip
_JOINED = re.compile(r"\s+(?:and|et|und|&|y|e)\s+|\s*[,;+]\s*", re.IGNORECASE)
_LISTED = re.compile(r"\s*[,;，；、]\s*|\s+(?:and|et|und|&|\+|/)\s+", re.IGNORECASE)
_MOST_LISTED = 20
_COMMA = re.compile(r"\s*[,，、|]\s*")
_PAIR = re.compile(r"\s+[-–—]\s+|\s*[:：]\s*(?=\S)|\s*[(（]\s*|\s*[,，|]\s*")
"""What stands between an id and its title."""
_YEAR_AT_END = re.compile(r"[ _-]\(?(?:19|20)\d\d\)?$")
_LONGEST_YEAR = 7
_GAPS = re.compile(r"[\s_‐-―-]+")
_Spellings = tuple[dict[str, list[int]], dict[str, list[int]]]
"""Positions by names with blanks for ``_`` and ``-``, and by those of files without their extension."""
_SHAPE = re.compile(r"[^\W\d_]+|\d+", re.UNICODE)


class _Pair(NamedTuple):
    """What an id with a title fits; nothing where they contradict."""

    fitting: tuple[int, ...]
    nearest: int


class _Names:
    """The names of one set of sources."""

    def __init__(self, sources: Sequence[Source], threshold: float) -> None:
        self.threshold = threshold
        self.documents = [_Document(i, source) for i, source in enumerate(sources)]
        self._exact: dict[str, list[int]] = {}
        for document in self.documents:
            for name in document.names:
                self._exact.setdefault(name, []).append(document.position)
        self._shapes: frozenset[str] | None = None

    def exact(self, name: str) -> tuple[int, ...]:
        """Positions of the sources that have exactly this name."""
        folded = fold_name(name)
        found = self._exact.get(folded) or self._exact.get(folded.lstrip("#")) or ()
        if not found and folded.startswith("http"):
            found = self._exact.get(plain_url(folded)) or ()
        if not found and (bare := _EXTENSION.sub("", folded)) != folded and "/" not in folded:
            # A marker may add an extension: File3.pdf for File3.
            found = self._exact.get(bare) or ()
        return tuple(dict.fromkeys(found))

    def spelled(self, name: str, *, sure: bool) -> tuple[int, ...]:
        """Positions of the sources with this name but for a file's extension, or blanks for ``_`` and ``-``.

        Words without a prefix must have the case of the name too: they may as well be ordinary words in brackets.
        """
        names, stems = self._spellings if sure else self._cased_spellings
        key = _spaced(name.casefold() if sure else name)
        bare = FILE_ENDING.sub("", key)
        return tuple(dict.fromkeys(names.get(key, []) + (stems.get(key, []) if bare == key else names.get(bare, []))))

    @cached_property
    def _cased_spellings(self) -> _Spellings:
        names: dict[str, list[int]] = {}
        stems: dict[str, list[int]] = {}
        for d in self.documents:
            for name in map(_spaced, d.written):
                names.setdefault(name, []).append(d.position)
                if (bare := FILE_ENDING.sub("", name)) != name:
                    stems.setdefault(bare, []).append(d.position)
        return names, stems

    @cached_property
    def _spellings(self) -> _Spellings:
        folded: list[dict[str, list[int]]] = []
        for spellings in self._cased_spellings:
            folded.append({})
            for name, positions in spellings.items():
                folded[-1].setdefault(name.casefold(), []).extend(positions)
        return folded[0], folded[1]

    def find(self, item: Item, *, sure: bool, exact_only: bool = False) -> list[Resolved] | None:
        """The citations of a name; ``None`` when words in brackets name nothing and so are no marker."""
        text = item.text
        found = self.exact(text)
        if not found and item.family:
            for word in _PREFIX_WORDS[item.family]:
                found = found or self.exact(f"{word} {text}")
        if found:
            return [self.cited(text, found, 100.0, item.locator)]
        if exact_only:
            return None
        if listed := self.listed(text):
            pieces = [item._replace(text=piece, locator=locator_of(piece)) for piece in listed]
            return [c for piece in pieces for c in self.find(piece, sure=True) or ()]
        one = self._by_parts(item, sure=sure)
        if one is not None and one.status != "unknown":
            return [one]
        joined = _JOINED.split(text)
        if 1 < len(joined) <= _MOST_LISTED:
            several = [
                self._by_parts(Item("name", p, locator=locator_of(p), family=item.family), sure=sure)
                for p in joined
                if p
            ]
            known = [s for s in several if s is not None and s.status != "unknown"]
            if len(known) == len(several):
                return known
        if sure:
            return [one] if one is not None else None
        if one is not None and one.nearest is not None and one.score == _CONTRADICTED:
            return [one]
        return (
            [Resolved(text, "unknown", None, (), self._nearest(text), locator=item.locator)]
            if self._has_shape(text) or self._differs_in_digits(text)
            else None
        )

    @cached_property
    def are_files(self) -> bool:
        """Whether all sources have a file's name."""
        return all(any(map(FILE_ENDING.search, d.names)) for d in self.documents)

    def listed(self, text: str) -> list[str]:
        """The names in a list of which a source has one, and the others are built like names; else none."""
        pieces = _LISTED.split(text)
        if not 1 < len(pieces) <= _MOST_LISTED or not any(map(self.exact, pieces)):
            return []
        fit = all(self.exact(piece) or self._has_shape(piece) or is_file(piece) for piece in pieces)
        return pieces if fit else []

    def are_all_like(self, text: str) -> bool:
        """Whether the sources are all called like ``text``, digits aside: Document 4, Document 7."""
        return _digitless(text) in self._shared

    def _differs_in_digits(self, text: str) -> bool:
        """Whether a source's name is the same but for its digits: Annual Report 2023 for 2024."""
        return any(map(str.isdigit, text)) and any(map(str.isalpha, text)) and _digitless(text) in self._known

    @cached_property
    def _known(self) -> frozenset[str]:
        """The sources' names, digits aside."""
        return frozenset(_digitless(name) for d in self.documents for name in d.names)

    @cached_property
    def _shared(self) -> frozenset[str]:
        """Those that every source has."""
        return frozenset.intersection(*(frozenset(map(_digitless, d.names)) for d in self.documents))

    def cited(self, reference: str, found: Sequence[int], score: float, locator: str | None = None) -> Resolved:
        """The sources that a reference fits as one citation: valid when they are one document, else ambiguous."""
        keys = {self.documents[i].key for i in found}
        labels = {self.documents[i].label for i in found}
        if len(keys) == 1 or len(labels) == 1:
            return Resolved(reference, "valid", found[0], tuple(found), score=score, locator=locator)
        return Resolved(reference, "ambiguous", None, tuple(found), score=score, locator=locator)

    def _by_parts(self, item: Item, *, sure: bool) -> Resolved | None:
        wanted = parts_of(item.text)
        locator = item.locator
        paired = self._paired(wanted.document)
        if paired is not None and not paired.fitting:
            return Resolved(item.text, "unknown", None, (), paired.nearest, _CONTRADICTED, locator)
        scored = (
            dict.fromkeys(paired.fitting, 100.0) if paired else self._documents_named(wanted, item.family, sure=sure)
        )
        if not scored and sure and (headed := self._headed(wanted.document)):
            scored = dict.fromkeys(headed, 100.0)
            locator = _COMMA.split(item.text, maxsplit=1)[-1].strip() or locator
        if not scored:
            if not sure:
                return None
            return Resolved(
                item.text, "unknown", None, (), self._nearest(wanted.document or item.text), locator=locator
            )
        agreed: list[int] = []
        silent: list[int] = []
        for position in scored:
            verdict = _agreement(wanted, self.documents[position].parts)
            if verdict is None:
                continue
            (agreed if verdict else silent).append(position)
        best = agreed or silent
        if not best:
            nearest = max(scored, key=lambda p: scored[p])
            return Resolved(item.text, "unknown", None, (), nearest, _CONTRADICTED, locator)
        if not wanted.document and not agreed:
            return Resolved(item.text, "unknown", None, (), best[0], locator=locator) if sure else None
        top = max(scored[p] for p in best)
        kept = [p for p in best if scored[p] >= top - 1e-9]
        return self.cited(item.text, kept, top, locator)

    def _paired(self, text: str) -> _Pair | None:
        """The sources that both parts of a text fit, an id with its title; ``None`` where not both parts are names."""
        if self.exact(text):
            return None
        for m in islice(_PAIR.finditer(text), _MOST_LISTED):
            head, rest = text[: m.start()].strip(_EDGES), text[m.end() :].strip(_EDGES)
            first, second = self.exact(head), self.exact(rest)
            both = tuple(i for i in first if i in second)
            if both or (first and second and not rest.isdecimal()):  # main.py:42 is a line
                return _Pair(both, first[0])
            for found, other in ((first, rest), (second, head)):
                if alike := tuple(i for i in found if are_alike(other, self.documents[i].parts.document)):
                    return _Pair(alike, alike[0])
        return None

    def _headed(self, text: str) -> tuple[int, ...]:
        """The one document that stands before the first comma, where the rest names none: CGV, Droit de retour.

        Digits in the rest may be those of another edition.
        """
        head, *rest = _COMMA.split(text)
        if not rest or len(rest) > _MOST_LISTED or any(map(str.isdigit, "".join(rest))):
            return ()
        found = tuple(self._documents_named(parts_of(head), None, sure=True))
        if not found or self.cited(head, found, 100.0).status != "valid":
            return ()
        named = any(is_file(piece) or self._documents_named(parts_of(piece), None, sure=True) for piece in rest)
        return () if named else found

    @cached_property
    def _undated(self) -> dict[str, list[int]]:
        """Positions by a name that ends in a year, without it."""
        found: dict[str, list[int]] = {}
        for d in self.documents:
            name = fold_name(d.parts.document)
            if m := _YEAR_AT_END.search(name[-_LONGEST_YEAR:]):
                found.setdefault(name[: -len(m[0])].rstrip(" _-"), []).append(d.position)
        return found

    def _documents_named(self, wanted: Parts, family: str | None, *, sure: bool) -> dict[int, float]:
        """Positions of the documents whose name agrees, with the likeness of the letters."""
        if not wanted.document:
            return {d.position: 100.0 for d in self.documents if family and d.family == family}
        name = fold_name(wanted.document)
        found = dict.fromkeys(self.exact(name), 100.0)
        names = [name]
        if family:
            names += [f"{word} {name}" for word in _PREFIX_WORDS[family]]
            for n in names[1:]:
                found |= dict.fromkeys(self.exact(n), 100.0)
        for d in self.documents:
            if d.parts.document and fold_name(d.parts.document) in names:
                found.setdefault(d.position, 100.0)
        if not found:
            found = dict.fromkeys(self.spelled(wanted.document, sure=sure), 100.0)
        if found or _IDENTIFIER.fullmatch(name):
            return found
        digits = _DIGITS.findall(name)
        for d in self.documents:
            own = fold_name(d.parts.document)
            if not own or _IDENTIFIER.fullmatch(own) or _DIGITS.findall(own) != digits:
                continue
            score = max(_likeness(n, own) for n in names)
            # Words without a prefix must be all but equal to a name: they may as well be ordinary words in brackets.
            if score < (self.threshold if sure else max(self.threshold, 90.0)):
                continue
            if any(are_alike(n, d.parts.document) for n in (wanted.document, *names[1:])):
                found[d.position] = score
        if not found and wanted.date is None:
            # As "FAQ" stands for each FAQ with a version, "Annual Report" does for that of each year.
            found = dict.fromkeys(self._undated.get(name, ()), 100.0)
        return found

    def _nearest(self, name: str) -> int | None:
        folded = fold_name(name)[:200]
        best, most = None, float(NEAR)
        for d in self.documents:
            for own in d.names:
                score = fuzz.ratio(folded, own[:200], score_cutoff=most)
                if score > most or (score == most and best is None and score):
                    best, most = d.position, score
        return best

    def _has_shape(self, text: str) -> bool:
        """Whether words in brackets are built like the sources' ids: ``doc-99`` beside ``doc-1``."""
        if " " in text or not any(map(str.isdigit, text)):
            return False
        if self._shapes is None:
            self._shapes = frozenset(
                s
                for d in self.documents
                for n in d.names
                if " " not in n and (s := _shape(n)) and any(map(str.isdigit, s))
            )
        return _shape(fold_name(text)) in self._shapes


_CONTRADICTED = 0.0
"""Score of a citation whose document is there, but whose locator contradicts it."""


def _shape(name: str) -> str:
    """Runs of letters and digits as one character each, so that ids of one make look alike."""
    return _SHAPE.sub(lambda m: "9" if m[0][0].isdigit() else "a", name)


def _digitless(name: str) -> str:
    return _DIGITS.sub("0", fold_name(name))


def _likeness(a: str, b: str) -> float:
    return fuzz.ratio(a[:300], b[:300])


def _spaced(name: str) -> str:
    return _GAPS.sub(" ", name).strip()


def _written_names(source: Source) -> list[str]:
    own = [str(source.id)] if source.id is not None else []
    if source.title:
        own.append(source.title)
        if source.name:
            own.append(source.name)
        if source.version:
            own.append(f"{source.title} {source.version.lstrip('vV ')}")
    file_name = source.metadata.get("file_name") or source.metadata.get("filename") or source.metadata.get("filepath")
    if isinstance(file_name, str):
        own.append(file_name)
    return own


def _names_of(source: Source) -> tuple[str, ...]:
    names: list[str] = []
    own = _written_names(source)
    if source.url:
        own += [source.url, plain_url(source.url)]
    for name in own + _base_names(own):
        folded = fold_name(name)
        if folded and folded not in names:
            names.append(folded)
            if folded.startswith("#"):
                names.append(folded[1:])
    return tuple(names)


_PATH = re.compile(r".*[/\\]([^/\\?#]+\.[A-Za-z][A-Za-z0-9]{0,4})(?:[?#].*)?")


def _base_names(names: list[str]) -> list[str]:
    """The file names of paths: models cite ``rules.pdf`` where the log has ``/data/docs/rules.pdf``."""
    return [m[1] for name in names if (m := _PATH.fullmatch(name[:1000]))]


def _section_of(section: str | None) -> str | None:
    if not section:
        return None
    m = _SECTION.match(section.strip()) or re.match(r"\s*(\d[\w]*(?:[.-]\w+)*)", section)
    return (m[1] if m else section).strip().casefold()


def _date_of(text: str | None) -> tuple[int, int, int] | None:
    m = _DATE.search(text[:10] if text and text[4:5] == "-" else text) if text else None
    return _date(m) if m else None


def _agreement(wanted: Parts, own: Parts) -> bool | None:
    """Whether a reference's locator agrees with what a source says of itself: True, False for silence, None for no."""
    agreed = False
    if wanted.tail and own.tail and not (wanted.page and own.page):
        # "ISO 27001:2013" is not "ISO 27001:2022"; only a name without such a tail of its own has lines.
        if wanted.tail.casefold() != own.tail.casefold():
            return None
        agreed = True
    if wanted.version and own.version:
        if wanted.version != own.version:
            return None
        agreed = True
    if wanted.page and own.page:
        if not _overlap(wanted.page, own.page):
            return None
        agreed = True
    if wanted.date and own.date:
        if wanted.date != own.date:
            return None
        agreed = True
    if wanted.section and own.section:
        if not _same_section(wanted.section, own.section):
            return None
        agreed = True
    if wanted.article:
        mine = own.article or (own.section if own.section and own.section[:1].isdigit() else None)
        if mine:
            if not _same_section(wanted.article, mine):
                return None
            agreed = True
    return agreed


def _same_section(a: str, b: str) -> bool:
    """``5`` holds ``5.2`` and the other way round; words must be alike, digits equal."""
    if a == b or a.startswith(b + ".") or b.startswith(a + "."):
        return True
    return (
        _DIGITS.findall(a) == _DIGITS.findall(b) and not a[:1].isdigit() and _likeness(a, b) >= 80 and are_alike(a, b)
    )
