"""The exact mark by which each source is to be cited, in a given style.

A prompt tells the model these marks, so that it has nothing to invent; the checker reads every one of them back.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ragcite_nb.citation_form import clean, page_words, section_words, version_words, words_of
from ragcite_nb.numbering import numbers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
_LOCATOR_WORD = re.compile(r"(?:§|art|section|sec|abschnitt|abs|clause|chap|kapitel)", re.IGNORECASE)
_BREAKS_MARKER = re.compile(r"[\[\]【】;|\n\r<>{}]")
_CODE = re.compile(r"(?=\S*\d)[\w./-]{1,40}")
_LINE = re.compile(r"L?\d+(?:-L?\d+)?")


class Marks(NamedTuple):
    """One mark per source, and the sources that could not be called by their titles."""

    marks: tuple[str, ...]
    by_id: tuple[int, ...]
    """Positions of the sources that have no title fit for a marker and are called by their id."""
    by_number: tuple[int, ...]
    """Positions of those that have no id either and are called by their number."""


def marks_for(sources: Sequence[Source], style: str, language: str, forms: Mapping[str, str]) -> Marks:
    """The marks of ``sources``; ``forms`` are the ``marks`` of a prompt's templates.

    >>> from ragcite_nb.models import Source
    >>> forms = {"named": "[Source: {name}]"}
    >>> marks_for([Source(title="CGV", version="2.1", section="5.2"), Source(id="faq-3")], "named", "en", forms)
    Marks(marks=('[Source: CGV v2.1, Section 5.2]', '[Source: faq-3]'), by_id=(1,), by_number=())
    """
    written = [_mark(source, style, language, forms) for source in sources]
    cited_by = numbers(sources)
    by_id = [i for i, source in enumerate(sources) if not _fit(source.title) and _fit(_id(source))]
    by_number = [i for i, source in enumerate(sources) if not _fit(source.title) and not _fit(_id(source))]
    # A mark that means two documents is no mark: the id tells them apart, else the number does.
    for i in range(len(sources)):
        same = [
            j for j, mark in enumerate(written) if mark is not None and mark.casefold() == (written[i] or "").casefold()
        ]
        if len({_document(sources[j], j) for j in same}) > 1:
            for j in same:
                written[j] = forms["named"].format(name=_id(sources[j])) if _fit(_id(sources[j])) else None
            by_number += [j for j in same if written[j] is None and j not in by_number]
    return Marks(
        tuple(mark or f"[{number}]" for mark, number in zip(written, cited_by, strict=True)),
        tuple(by_id),
        tuple(sorted(by_number)),
    )


def _id(source: Source) -> str | None:
    return None if source.id is None else str(source.id)


def _document(source: Source, position: int) -> Any:
    return source.id if source.id is not None else position


def _fit(name: str | None) -> bool:
    """Whether a name can stand in a marker and be read back as that name."""
    return bool(name and not _BREAKS_MARKER.search(name) and not name.strip().isdecimal() and len(name) <= 150)


def _mark(source: Source, style: str, language: str, forms: Mapping[str, str]) -> str | None:
    kind = _KINDS.get((source.document_type or "").casefold(), "doc")
    if kind not in _USED.get(style, ()):
        kind = "doc"
    own_id = _id(source)
    if style == "support":
        if kind == "faq" and own_id and not _BREAKS_MARKER.search(own_id):
            return forms["faq"].format(name=own_id.lstrip("#"))
        if kind != "faq" and own_id and _fit(own_id) and _CODE.fullmatch(own_id):
            return forms["code"].format(name=own_id)
    if not _fit(source.title):
        return forms["named"].format(name=own_id) if _fit(own_id) else None
    title = clean(source.title or "")
    words = words_of(language)
    section = clean(source.section) if source.section and not _BREAKS_MARKER.search(source.section) else None
    if kind == "faq":
        return forms["faq"].replace("#", "").format(name=title)
    if kind == "api":
        return forms["api"].format(
            name=", ".join([title, *([version_words(source.version)] if source.version else [])])
        )
    if kind == "source_code":
        place = section or ("" if source.page is None else str(source.page))
        return forms["source_code"].format(name=f"{title}:{place}" if _LINE.fullmatch(place) else title)
    if kind in ("law", "regulation"):
        if section and not _LOCATOR_WORD.match(section):
            section = _ARTICLE[kind][language].format(section)
        return forms[kind].format(name=", ".join([title, *([section] if section else [])]))
    if kind == "contract" and section:
        return forms["contract"].format(name=section_words(section, words))
    if style == "technical":
        if section:
            return forms["doc"].format(name=f"{title}#{section}")
        return forms["doc"].format(name=", ".join([title, *([page_words(source.page, words)] if source.page else [])]))
    form = forms["named" if style == "named" else "doc" if kind == "doc" else kind]
    if style == "support":
        return form.format(name=title)
    name = clean(source.name or title)
    places = [section_words(section, words)] if section else []
    places += [page_words(source.page, words)] if source.page is not None and not places else []
    return form.format(name=", ".join([name, *places]))
