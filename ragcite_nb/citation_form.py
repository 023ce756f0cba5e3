"""A source in the written form of its trade: ``CGV | Section: 5.2 | Page 12 | v2.3 | MAJ: 15/01/2024``.

The parts stand in a fixed order, divided by bars: name, section, page, version, date. :func:`parse_citation` takes such
a line apart again, in whichever of the three languages it was written.
"""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from ragcite_nb import messages
from ragcite_nb.models import InputError

if TYPE_CHECKING:
    from ragcite_nb.models import Source

_BLANKS = re.compile(r"\s+")
_ISO_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?")
_LOCATOR_WORD = re.compile(
    r"(?:§+|(?:sections?|sec\.|articles?|artikel|art\.|abschnitt|absatz|abs\.|kapitel|kap\.|chapters?|chapitre|chap\.|clause|"
    r"ziffer|paragraph|annexe?|anhang|appendix)(?![^\W\d_]))",
    re.IGNORECASE,
)
"""How a section begins that says by itself what kind of place it is: "Article 5", "§ 355"."""
_PAGES = re.compile(r"(?:\D{0,8}\s?)?(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?")
_SWAPPED = str.maketrans({"|": "/", "[": "(", "]": ")", "【": "(", "】": ")", ";": ","})
"""Characters that end a marker or a part of one, and what is written in their place."""


class _Words(NamedTuple):
    section: str
    page: str
    pages: str
    updated: str
    date: str


WORDS = {
    "en": _Words("Section", "Page", "Pages", "Updated", "%Y-%m-%d"),
    "fr": _Words("Section", "Page", "Pages", "MAJ", "%d/%m/%Y"),
    "de": _Words("Abschnitt", "Seite", "Seiten", "Stand", "%d.%m.%Y"),
}
"""The words of a written citation, by locale; they are read back by the checker, so they are not free text."""


def to_citation(source: Source, locale: str = "en") -> str:
    """The source as a reader expects it in a list of sources; what is not known is left out.

    Raises:
        InputError: for a locale that there is none of.

    >>> from ragcite_nb.models import Source
    >>> source = Source(title="CGV", section="5.2", page=12, version="2.3", last_updated="2024-01-15")
    >>> to_citation(source, "fr")
    'CGV | Section: 5.2 | Page 12 | v2.3 | MAJ: 15/01/2024'
    >>> to_citation(source, "de")
    'CGV | Abschnitt: 5.2 | Seite 12 | v2.3 | Stand: 15.01.2024'
    """
    words = words_of(locale)
    name = source.title or (None if source.id is None else str(source.id)) or source.url
    parts = [clean(name) if name else messages.text("write", "unnamed_source", locale)]
    if source.section:
        parts.append(section_words(source.section, words, ": "))
    if source.page is not None and str(source.page).strip():
        parts.append(page_words(source.page, words))
    if source.version and not _says_version(parts[0], source.version):
        parts.append(version_words(source.version))
    if source.last_updated:
        parts.append(f"{words.updated}: {_date(clean(source.last_updated), words)}")
    return " | ".join(parts)


def words_of(locale: str) -> _Words:
    """The words of a locale."""
    if locale not in WORDS:
        raise InputError(f"locale={locale!r}: accepted are {', '.join(map(repr, WORDS))}")
    return WORDS[locale]


def clean(text: str) -> str:
    r"""``text`` on one line, without the characters that end a marker.

    >>> clean("Terms [2024]\n| annex")
    'Terms (2024) / annex'
    """
    return _BLANKS.sub(" ", text.translate(_SWAPPED)).strip()


def section_words(section: str, words: _Words, joint: str = " ") -> str:
    """``Section: 5.2``; a section that says by itself what it is stays as it is."""
    section = clean(section)
    return section if _LOCATOR_WORD.match(section) else f"{words.section}{joint}{section}"


def page_words(page: int | str, words: _Words) -> str:
    """``Page 12`` or ``Pages 12-14``."""
    text = clean(str(page))
    if m := _PAGES.fullmatch(text):
        return f"{words.pages} {m[1]}-{m[2]}" if m[2] else f"{words.page} {m[1]}"
    return f"{words.page} {text}"


def version_words(version: str) -> str:
    """``v2.3``; a version that does not begin with a digit stays as it is."""
    version = clean(version)
    return f"v{version}" if version[:1].isdigit() else version


def _says_version(name: str, version: str) -> bool:
    return bool(re.search(rf"(?<![\w.]){re.escape(version_words(version))}(?![\w.])", name, re.IGNORECASE))


def _date(text: str, words: _Words) -> str:
    """An ISO date in the locale's form; anything else as it is written."""
    m = _ISO_DATE.fullmatch(text)
    if m is None:
        return text
    try:
        # isoformat and strftime("%Y") differ for years before 1000, which no document has.
        return date(int(m[1]), int(m[2]), int(m[3])).strftime(words.date)
    except ValueError:
        return text


_UPDATED = re.compile(rf"(?:{'|'.join(w.updated for w in WORDS.values())})\s*:\s*(\S.*)", re.IGNORECASE)
_SECTION = re.compile(rf"(?:{'|'.join({w.section for w in WORDS.values()})})\s*:\s*(\S.*)", re.IGNORECASE)
_PAGE = re.compile(
    rf"(?:{'|'.join({w for ws in WORDS.values() for w in (ws.pages, ws.page)})})\s+(\S.*)", re.IGNORECASE
)
_VERSION = re.compile(r"v(\d\S*)", re.IGNORECASE)
_WRITTEN_DATE = re.compile(r"(\d{1,2})([./])(\d{1,2})\2(\d{4})")


def parse_citation(line: str) -> dict[str, Any]:
    """The fields of a written citation, by their names in :class:`~ragcite_nb.models.Source`.

    >>> parse_citation("CGV | Section: 5.2 | Page 12 | v2.3 | MAJ: 15/01/2024")
    {'title': 'CGV', 'section': '5.2', 'page': 12, 'version': '2.3', 'last_updated': '2024-01-15'}
    """
    name, *parts = (part.strip() for part in line.split(" | "))
    found: dict[str, Any] = {"title": name}
    for part in parts:
        if m := _UPDATED.fullmatch(part):
            d = _WRITTEN_DATE.fullmatch(m[1])
            found["last_updated"] = f"{d[4]}-{int(d[3]):02}-{int(d[1]):02}" if d else m[1]
        elif m := _SECTION.fullmatch(part):
            found["section"] = m[1]
        elif m := _PAGE.fullmatch(part):
            found["page"] = int(m[1]) if m[1].isdecimal() and len(m[1]) < 7 else m[1]
        elif m := _VERSION.fullmatch(part):
            found["version"] = m[1]
        elif "section" not in found and _LOCATOR_WORD.match(part):
            found["section"] = part
        else:
            found["version"] = part
    return found
