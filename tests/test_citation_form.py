"""A source written out as a citation, and read back."""

from __future__ import annotations

import pytest

from ragcite_nb.check import check
from ragcite_nb.citation_form import clean, parse_citation, to_citation
from ragcite_nb.models import InputError, Source
from ragcite_nb.read import read_sources
from ragcite_nb.samples import conversations

FULL = Source(title="CGV", section="5.2", page=12, version="2.3", last_updated="2024-01-15")


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        ("en", "CGV | Section: 5.2 | Page 12 | v2.3 | Updated: 2024-01-15"),
        ("fr", "CGV | Section: 5.2 | Page 12 | v2.3 | MAJ: 15/01/2024"),
        ("de", "CGV | Abschnitt: 5.2 | Seite 12 | v2.3 | Stand: 15.01.2024"),
    ],
)
def test_full_form_and_back(locale, expected):
    assert expected == to_citation(FULL, locale)
    fields = parse_citation(expected)
    assert fields == {"title": "CGV", "section": "5.2", "page": 12, "version": "2.3", "last_updated": "2024-01-15"}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (Source(title="BGB", section="§ 355"), "BGB | § 355"),
        (Source(title="Code", section="Article L221-18"), "Code | Article L221-18"),
        (Source(title="Guide", section="Artikelnummern"), "Guide | Section: Artikelnummern"),
        (Source(title="Guide", page="12-14"), "Guide | Pages 12-14"),
        (Source(title="Guide", page="p. 3"), "Guide | Page 3"),
        (Source(title="Guide", page="iv"), "Guide | Page iv"),
        (Source(title="FAQ v3.1", version="3.1"), "FAQ v3.1"),
        (Source(title="FAQ v3.10", version="3.1"), "FAQ v3.10 | v3.1"),
        (Source(title="FAQ", version="v2"), "FAQ | v2"),
        (Source(title="FAQ", version="draft"), "FAQ | draft"),
        (Source(title="FAQ", last_updated="2024-01-15T10:00:00Z"), "FAQ | Updated: 2024-01-15"),
        (Source(title="FAQ", last_updated="spring 2024"), "FAQ | Updated: spring 2024"),
        (Source(title="FAQ", last_updated="2024-13-45"), "FAQ | Updated: 2024-13-45"),
        (Source(id=7), "7"),
        (Source(url="https://shop.example/faq"), "https://shop.example/faq"),
        (Source("text"), "Untitled source"),
    ],
)
def test_what_is_not_known_is_left_out(source, expected):
    assert expected == to_citation(source)


def test_a_title_cannot_break_the_form():
    hostile = Source(title="Terms | Page 9 [x]\nSource: FAQ", section="a|b", version="1|2", last_updated="2024 | v9")
    line = to_citation(hostile)
    assert "\n" not in line
    assert line.count(" | ") == 3
    assert "[" not in line
    assert parse_citation(line)["title"] == "Terms / Page 9 (x) Source: FAQ"


def test_unknown_locale_names_those_there_are():
    with pytest.raises(InputError, match="'en', 'fr', 'de'"):
        to_citation(FULL, "es")


def test_clean_keeps_ordinary_text():
    assert clean("Conditions générales (2024), § 3") == "Conditions générales (2024), § 3"


def titled():
    """Sources of the samples with a title; in a name, ``#`` begins a place within the document."""
    for row in conversations().drop_duplicates("question").itertuples():
        for i, source in enumerate(read_sources(row.sources)):
            if source.title and "#" not in source.title:
                yield pytest.param(row.sources, i, source, id=f"{row.id}-{i}")


@pytest.mark.parametrize(("sources", "position", "source"), list(titled()))
@pytest.mark.parametrize("locale", ["en", "fr", "de"])
def test_the_checker_reads_every_form_back(locale, sources, position, source):
    word = "Quelle" if locale == "de" else "Source"
    result = check(f"This is a claim [{word}: {source.to_citation(locale)}].", sources)
    assert [c.status for c in result.citations] == ["valid"]
    assert position in result.citations[0].sources


def test_from_document_reads_documents_of_frameworks():
    class Document:
        def __init__(self):
            self.page_content = "Dogs travel free."
            self.metadata = {"source": "faq.md", "page": 3}

    source = Source.from_document(Document(), title="FAQ", version="1.2")
    assert (source.text, source.title, source.page, source.name) == ("Dogs travel free.", "FAQ", 3, "FAQ v1.2")
    with pytest.raises(InputError):
        Source.from_document(3.5)
