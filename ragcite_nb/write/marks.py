"""The exact mark by which each source is to be cited, in a given style.

A prompt tells the model these marks, so that it has nothing to invent; the checker reads every one of them back.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ragcite_nb.citation_form import clean, page_words, section_words, version_words, words_of
from ragcite_nb.markers import read_inside
from ragcite_nb.resolve import SourceIndex
from ragcite_nb.write.numbering import numbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ragcite_nb.models import Source

_KINDS = {
    "faq": "faq",
    "api": "api", "endpoint": "api",
    "code": "source_code", "source_code": "source_code", "source code": "source_code",
    "law": "law", "loi": "law", "gesetz": "law", "statute": "law",
    "regulation": "regulation", "règlement": "regulation", "verordnung": "regulation", "directive": "regulation",
    "richtlinie": "regulation",
    "contract": "contract", "contrat": "contract", "vertrag": "contract",
}  # fmt: skip
"""What a document type means for the mark; any other type is a document."""
_USED = {"support": ("faq",), "technical": ("api", "source_code"), "legal": ("law", "regulation", "contract")}
"""The kinds that a style tells apart."""
_ARTICLE = {
    "law": {"en": "Section {}", "fr": "Article {}", "de": "§ {}"},
    "regulation": {"en": "Art. {}", "fr": "Art. {}", "de": "Art. {}"},
}
_PLACE_WORD = re.compile(r"(?:§|art|section|sec|abschnitt|abs|clause|chap|kapitel)", re.IGNORECASE)
_BREAKS_MARKER = re.compile(r"[\[\]【】;|\n\r<>{}]")
_CODE = re.compile(r"(?=\S*\d)[\w./-]{1,40}")
_LINE = re.compile(r"L?\d+(?:-L?\d+)?")
_LONGEST = 150
"""Characters of a name beyond which it is no name for a marker."""


class Marks(NamedTuple):
    """One mark per source, and the sources that could not be called by their titles."""

    marks: tuple[str, ...]
    by_id: tuple[int, ...]
    """Positions of the sources that cannot be called by a title and are called by their id."""
    by_number: tuple[int, ...]
    """Positions of those that have no id either and are called by their number."""


def marks_for(
    sources: Sequence[Source], style: str, language: str, forms: Mapping[str, str], first_number: int = 1
) -> Marks:
    """The marks of ``sources``; ``forms`` are the ``marks`` of a prompt's templates.

    Each source gets the fullest mark that the checker reads as this source and no other, when it counts from ``first_number``.

    >>> from ragcite_nb.models import Source
    >>> forms = {"named": "[Source: {name}]"}
    >>> marks_for([Source(title="CGV", version="2.1", section="5.2"), Source(id="faq-3")], "named", "en", forms)
    Marks(marks=('[Source: CGV v2.1, Section 5.2]', '[Source: faq-3]'), by_id=(1,), by_number=())
    """
    index = SourceIndex(len(sources), first_number, sources)
    marks, by_id, by_number = [], [], []
    for i, (source, number) in enumerate(zip(sources, numbers(sources, first_number), strict=True)):
        title, own_id = source.title, None if source.id is None else str(source.id)
        titled = list(_marks(source, style, language, forms)) if title and _fit(title) else []
        mark = next((m for m in titled if reads_as(m, i, index)), None)
        if mark is None and own_id and _fit(own_id):
            mark = next((m for m in _id_marks(source, own_id, style, forms) if reads_as(m, i, index)), None)
            if mark is not None and style != "support":
                by_id.append(i)
        if mark is None:
            by_number.append(i)
        marks.append(mark or f"[{number}]")
    return Marks(tuple(marks), tuple(by_id), tuple(by_number))


def reads_as(mark: str, position: int, index: SourceIndex) -> bool:
    """Whether the checker reads a mark as the source at ``position``."""
    parsed = read_inside(mark[1:-1])
    reading = index.read(parsed) if parsed is not None else None
    if reading is None or len(reading.citations) != 1 or reading.codes:
        return False
    citation = reading.citations[0]
    return citation.status == "valid" and position in citation.sources


def _fit(name: str) -> bool:
    """Whether a name can stand in a marker."""
    return bool(name.strip()) and not _BREAKS_MARKER.search(name) and len(name) <= _LONGEST


def _id_marks(source: Source, own_id: str, style: str, forms: Mapping[str, str]) -> Iterator[str]:
    if style == "support":
        if _kind(source, style) == "faq":
            yield forms["faq"].format(name=own_id.lstrip("#"))
        yield forms["code"].format(name=own_id)
    yield forms["named"].format(name=own_id)


def _kind(source: Source, style: str) -> str:
    kind = _KINDS.get((source.document_type or "").casefold(), "doc")
    return kind if kind in _USED.get(style, ()) else "doc"


def _marks(source: Source, style: str, language: str, forms: Mapping[str, str]) -> Iterator[str]:
    """Marks by the source's title, the fullest first."""
    kind = _kind(source, style)
    own_id = None if source.id is None else str(source.id)
    if style == "support" and own_id and _fit(own_id) and (kind == "faq" or _CODE.fullmatch(own_id)):
        # A code or the number of a question is how this trade calls a document.
        yield from _id_marks(source, own_id, style, forms)
    title = clean(source.title or "")
    words = words_of(language)
    section = clean(source.section) if source.section and _fit(source.section) else None
    page = page_words(source.page, words) if source.page is not None and _fit(str(source.page)) else None
    if kind == "faq":
        yield forms["faq"].replace("#", "").format(name=title)
    if kind == "api" and source.version:
        yield forms["api"].format(name=f"{title}, {version_words(clean(source.version))}")
    if kind == "source_code":
        place = section or ("" if source.page is None else str(source.page))
        if _LINE.fullmatch(place):
            yield forms["source_code"].format(name=f"{title}:{place}")
    if kind in ("law", "regulation") and section:
        article = section if _PLACE_WORD.match(section) else _ARTICLE[kind][language].format(section)
        yield forms[kind].format(name=f"{title}, {article}")
    if kind == "contract" and section:
        yield forms["contract"].format(name=section_words(section, words))
    form = forms["named" if style == "named" else kind]
    if style == "technical" and section:
        yield form.format(name=f"{title}#{section}")
    name = title if style in ("support", "technical") else clean(source.name or title)
    places = [section_words(section, words)] if section else []
    if style != "support":
        if places:
            yield form.format(name=", ".join([name, *places]))
        if page:
            yield form.format(name=", ".join([name, *places, page]))
            yield form.format(name=f"{name}, {page}")
    yield form.format(name=name)
