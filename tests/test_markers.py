"""The grammar: every row of the table reads its example, and nothing that only looks like it."""

import pytest

from ragcite_nb import markers
from ragcite_nb.markers import OPTIONAL, SYNTAXES, by_opening, locator_of, read_inside


def numbers(inside):
    """Low and high of each number in square brackets, or what kind of marker it is instead."""
    parsed = read_inside(inside)
    if (
        parsed is None
        or parsed.kind != "citation"
        or not all(i.kind in ("number", "range", "zero") for i in parsed.items)
    ):
        return None
    return [(i.low, i.high) for i in parsed.items]


def names(inside):
    """The names in square brackets, and whether they are a marker whatever the sources are."""
    parsed = read_inside(inside)
    return parsed and parsed.kind == "citation" and ([i.text for i in parsed.items], parsed.sure)


ROWS = [*SYNTAXES, *OPTIONAL.values()]


@pytest.mark.parametrize("row", ROWS, ids=[f"{i}-{row.name}" for i, row in enumerate(ROWS)])
def test_every_row_reads_its_example(row):
    """The example holds exactly one marker of the row's syntax, at one of its opening characters, and citing something."""
    found = [m for m in row.pattern.finditer(row.example) if m[0][0] in row.opens]
    assert len(found) == 1
    parsed = row.read(found[0])
    assert parsed.kind == "citation"
    assert parsed.items


@pytest.mark.parametrize("row", ROWS, ids=[f"{i}-{row.name}" for i, row in enumerate(ROWS)])
def test_no_row_reads_prose(row):
    prose = "Dogs ride free (all year), see [the menu] or m² and {x}; it costs $5 # or <b>more</b>: \\[x\\]."
    for m in row.pattern.finditer(prose):
        parsed = row.read(m)
        assert parsed is None or not parsed.sure or row.name == "superscript"  # m² is told apart where it stands


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("1", [(1, 1)]),
        (" 1 ", [(1, 1)]),
        ("01", [(1, 1)]),
        ("1, 3", [(1, 1), (3, 3)]),
        ("1,3", [(1, 1), (3, 3)]),
        ("1 ,3", [(1, 1), (3, 3)]),
        ("1;3", [(1, 1), (3, 3)]),
        ("1/3", [(1, 1), (3, 3)]),
        ("1、3", [(1, 1), (3, 3)]),
        ("1，3", [(1, 1), (3, 3)]),
        ("1، 3", [(1, 1), (3, 3)]),
        ("1 and 3", [(1, 1), (3, 3)]),
        ("1, 2, and 3", [(1, 1), (2, 2), (3, 3)]),
        ("1 et 3", [(1, 1), (3, 3)]),
        ("1 und 3", [(1, 1), (3, 3)]),
        ("1 & 3", [(1, 1), (3, 3)]),
        ("1-3", [(1, 3)]),
        ("1–3", [(1, 3)]),
        ("1 — 3", [(1, 3)]),
        ("1‑3", [(1, 3)]),
        ("1, 3-4", [(1, 1), (3, 4)]),
        ("3-1", [(3, 1)]),
        ("^2", [(2, 2)]),
        ("^2^", [(2, 2)]),
        ("ID:0", [(0, 0)]),
        ("ID:0, ID:5", [(0, 0), (5, 5)]),
        ("Source 1, Source 2", [(1, 1), (2, 2)]),
        ("cite: 1-3", [(1, 3)]),
        ("citation:2", [(2, 2)]),
        ("Doc 3", [(3, 3)]),
        ("DOC3", [(3, 3)]),
        ("source: 1", [(1, 1)]),
        ("Quelle Nr. 2", [(2, 2)]),
        ("Réf. 2", [(2, 2)]),
        ("1.5", None),
        ("1.5-2.5", None),
        ("10:30", None),
        ("0x1F", None),
        ("-3", None),
        ("1,", None),
        (",1", None),
        ("1,,3", None),
        ("1--3", None),
        ("1-3-5", None),
        ("5 mg", None),
        ("1 slide deck", None),
        ("3 steps", None),
        ("3 cap. on", None),
        ("5%", None),
        ("12345678901234567890", None),
        ("2Fe-2S", None),
        ("Source: Document 2", [(2, 2)]),
        ("Source: #2", [(2, 2)]),
        ("Sources: Document 1, Document 3-4", [(1, 1), (3, 4)]),
        ("Source: Document 2016/679", None),
        ("Source: Article 2", None),
        ("Source of the data", None),
        ("", None),
        (" ", None),
        ("…", None),
    ],
)
def test_numbers(inside, expected):
    assert numbers(inside) == expected


@pytest.mark.parametrize(
    ("inside", "locator"),
    [
        ("1, p. 6–7", "p. 6–7"),
        ("1, pp. 6", "pp. 6"),
        ("1 § 5", "§ 5"),
        ("1: lines 3-9", "lines 3-9"),
        ("1, S. 14", "S. 14"),
        ("1, Section 5.2", "Section 5.2"),
        ("1, Art. 17", "Art. 17"),
        ("Source 1, p. 4", "p. 4"),
        ("1, pag. 3", "pag. 3"),
        ("1, sección 3", "sección 3"),
        ("1, slide 4", "slide 4"),
        ("1，第3页", "第3页"),
        ("1、3ページ", "3ページ"),
    ],
)
def test_a_locator_stands_apart_from_its_number(inside, locator):
    parsed = read_inside(inside)
    assert ([i.text for i in parsed.items], parsed.locator) == (["1"], locator)


@pytest.mark.parametrize("inside", ["2b", "12a", " 2b "])
def test_a_letter_stuck_to_a_number_is_malformed(inside):
    assert read_inside(inside).kind == "malformed"


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("Source: CGV", (["CGV"], True)),
        ("Source: CGV, Section 5.2", (["CGV, Section 5.2"], True)),
        ("Source: CGV; FAQ", (["CGV", "FAQ"], True)),
        ("Sources: CGV, FAQ", (["CGV", "FAQ"], True)),
        ("Sources: CGV, Section 5.2, FAQ", (["CGV, Section 5.2", "FAQ"], True)),
        ("Source: CGV, FAQ", (["CGV, FAQ"], True)),
        ("CGV et 2 autres sources", (["CGV"], False)),
        ("Source: CGV and 3 more", (["CGV"], True)),
        ("policy.pdf", (["policy.pdf"], True)),
        ("policy.pdf#page=3", (["policy.pdf#page=3"], True)),
        ("a.pdf#page=1, b.pdf#page=2", (["a.pdf#page=1", "b.pdf#page=2"], True)),
        ("my policy.docx", (["my policy.docx"], True)),
        ("src/auth.py:45", (["src/auth.py:45"], True)),
        ("https://shop.example/faq", (["https://shop.example/faq"], True)),
        ("@doe2020, p. 3; @roe", (["doe2020", "roe"], True)),
        ("CGV | Section: 5.2 | Page 12", (["CGV | Section: 5.2 | Page 12"], True)),
        ("the rules", (["the rules"], False)),
        ("Speed", (["Speed"], False)),
        ("sic", None),
        ("ibid.", None),
        ("emphasis added", None),
        ("Source:", (["Source:"], False)),
        ("a" * 500, None),
    ],
)
def test_names(inside, expected):
    assert names(inside) == expected


@pytest.mark.parametrize(
    ("inside", "family"),
    [
        ("FAQ: returns", "faq"),
        ("API: v2.1", "api"),
        ("Code: a.py:4", "code"),
        ("Loi: Informatique", "law"),
        ("Law: Data Act", "law"),
        ("Gesetz: BGB", "law"),
        ("Règl: UE 2016/679", "regulation"),
        ("Reg: EU 2016/679", "regulation"),
        ("Verordnung: EU 2016/679", "regulation"),
        ("Contrat: Cadre", "contract"),
        ("Contract: Frame", "contract"),
        ("Vertrag: Rahmen", "contract"),
        ("Source: CGV", None),
        ("Réf: SKU-1", None),
        ("Doc: a", None),
    ],
)
def test_a_prefix_can_ask_for_a_kind_of_document(inside, family):
    [item] = read_inside(inside).items
    assert item.family == family


@pytest.mark.parametrize(
    "inside",
    [
        "tool:inventory",
        "policy",
        "unverified",
        "calculated",
        "assumption",
        "general knowledge",
        "non vérifié",
        "Annahme",
        "citation needed",
    ],
)
def test_provenance_tags_cite_nothing(inside):
    assert read_inside(inside).kind == "provenance"


@pytest.mark.parametrize("inside", ["cite_start", "webpage 3 begin", "webpage 3 end", "INST", "/INST"])
def test_markup_of_prompts_is_leaked(inside):
    assert read_inside(inside).kind == "leaked"


def test_graphrag_names_the_record():
    parsed = read_inside("Data: Sources (15, 16), Reports (1); Claims (2, +more)")
    assert [i.text for i in parsed.items] == ["Sources:15", "Sources:16", "Reports:1", "Claims:2"]


@pytest.mark.parametrize(
    ("name", "locator"),
    [
        ("CGV, Section 5.2", "Section 5.2"),
        ("CGV | Section: 5.2 | Page 12", "Section: 5.2 | Page 12"),
        ("policy.pdf#page=3", "page=3"),
        ("src/auth.py:45", "45"),
        ("Limits#section-3", "section-3"),
        ("https://a.example/x#y", "y"),
        ("https://a.example/x:80", None),
        ("CGV", None),
        ("Smith, John", None),
    ],
)
def test_the_locator_of_a_name(name, locator):
    assert locator_of(name) == locator


@pytest.mark.parametrize(
    ("rest", "cut"),
    [
        ("[1", "[1"),
        ("[1, 2", "[1, 2"),
        ("[1,", "[1"),
        ("[", "["),
        ("[Source: Pet ru", "[Source: Pet ru"),
        ("[1 of the two", None),
        ("[see there", None),
    ],
)
def test_markers_that_were_cut_off(rest, cut):
    m = markers.CUT.match(rest)
    assert (m and rest[: m.end()].rstrip()) == cut


def test_optional_syntaxes_are_tried_only_on_request():
    assert "{" not in by_opening(())
    assert [row.name for row in by_opening(("paren",))["("]] == ["paren", "round"]
