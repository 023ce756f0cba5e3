"""A checked answer written out: what is written can be checked again."""

from __future__ import annotations

import html
import pickle
import re

import pytest

from ragcite_nb.check import check
from ragcite_nb.models import InputError
from ragcite_nb.samples import conversations
from ragcite_nb.write.answer_format import ANSWER_STYLES, format_answer

LOCALES = ("en", "fr", "de")
CGV = {"title": "CGV", "version": "2.1", "section": "5.2", "page": 12, "last_updated": "2024-01-15", "confidence": 0.97}
FAQ = {"title": "FAQ", "page": 3, "score": 0.834, "url": "https://shop.example/faq?a=1&b=2"}
SOURCES = [
    CGV | {"text": "Dogs travel free of charge. Bicycles cost 4 euros."},
    FAQ | {"text": "Bicycles cost 4 euros per crossing."},
    {"id": "G-1", "title": "Guide", "text": "Boats leave at 7:40."},
    {"text": "Cats must stay in a basket on board."},
    {"id": "old", "title": "Leaflet", "text": "Nothing of note."},
]


def rows():
    return [pytest.param(r.answer, r.sources, id=r.id) for r in conversations().itertuples()]


@pytest.mark.parametrize(("answer", "sources"), rows())
@pytest.mark.parametrize("style", ["inline", "named", "footnotes", "rich"])
def test_round_trip_keeps_every_valid_citation(style, answer, sources):
    before = check(answer, sources)
    for locale in LOCALES:
        after = check(format_answer(before, style, locale=locale), sources)
        if before.reference_list and not before.citations and style == "rich":
            expected = [r.source for r in before.reference_list]  # a list without places is data too
        else:
            expected = [c.source for c in before.valid_citations]
        assert [c.source for c in after.valid_citations] == expected
        assert after.invalid_citations == ()
        if not before.truncated and before.placed and style != "rich":
            assert after.traceability_score == before.traceability_score


@pytest.mark.parametrize(("answer", "sources"), rows())
@pytest.mark.parametrize("locale", LOCALES)
def test_footer_round_trip_keeps_the_sources(locale, answer, sources):
    before = check(answer, sources)
    footer = format_answer(before, "footer", locale=locale)
    after = check(footer, sources)
    assert after.citations == ()
    assert tuple(r.source for r in after.reference_list) == footer.cited
    assert all(r.status == "valid" for r in after.reference_list)
    cited = {c.source for c in before.valid_citations} or {r.source for r in before.reference_list}
    assert set(footer.cited) == cited


def test_inline():
    result = check("Bikes cost 4 euros [2][1]. Cats need a basket [4].", SOURCES)
    assert format_answer(result, "inline", include_confidence=True, locale="fr") == (
        "Bikes cost 4 euros [2][1]. Cats need a basket [4].\n\n"
        "Sources :\n"
        "[1] CGV | Section: 5.2 | Page 12 | v2.1 | MAJ: 15/01/2024 (fiabilité 97 %)\n"
        "[2] FAQ | Page 3\n"
        "[4] Cats must stay in a basket on board."
    )


def test_footer_gives_the_relevance_if_it_is_known():
    result = check("Bikes cost 4 euros [2][1].", SOURCES)
    assert format_answer(result, "footer", locale="fr", include_confidence=True) == (
        "Bikes cost 4 euros.\n\n"
        "Sources consultées :\n"
        "[1] CGV | Section: 5.2 | Page 12 | v2.1 | MAJ: 15/01/2024 (fiabilité 97 %)\n"
        "[2] FAQ | Page 3 (pertinence 83 %)"
    )


@pytest.mark.parametrize("score", [17.3, -0.2, "high", True, None])
def test_a_score_that_is_no_share_is_no_percentage(score):
    result = check("Bikes cost 4 euros [1].", [{"title": "FAQ", "text": "Bikes cost 4 euros.", "score": score}])
    assert "%" not in format_answer(result, "footer")


def test_footnotes():
    result = check("Dogs are free [1]. Boats leave at 7:40 [Doc: Guide].", SOURCES)
    assert format_answer(result, "footnotes", locale="en") == (
        "Dogs are free [^1]. Boats leave at 7:40 [^3].\n\n"
        "[^1]: CGV | Section: 5.2 | Page 12 | v2.1 | Updated: 2024-01-15\n"
        "[^3]: Guide"
    )


@pytest.mark.parametrize(
    ("locale", "several", "many"),
    [
        (
            "en",
            "[Source: CGV v2.1, Section 5.2][Source: FAQ, Page 3][Source: Guide]",
            "[Source: CGV v2.1 and 3 other sources]",
        ),
        (
            "fr",
            "[Source: CGV v2.1, Section 5.2][Source: FAQ, Page 3][Source: Guide]",
            "[Source: CGV v2.1 et 3 autres sources]",
        ),
        (
            "de",
            "[Quelle: CGV v2.1, Abschnitt 5.2][Quelle: FAQ, Seite 3][Quelle: Guide]",
            "[Quelle: CGV v2.1 und 3 weitere Quellen]",
        ),
    ],
)
def test_up_to_three_names_are_listed_for_one_claim(locale, several, many):
    three = format_answer(check("Travel is cheap [1][2][3].", SOURCES), "named", locale=locale)
    four = format_answer(check("Travel is cheap [1, 2, 3, 5].", SOURCES), "named", locale=locale)
    assert three == f"Travel is cheap {several}."
    assert four == f"Travel is cheap {many}."
    assert [c.source for c in check(four, SOURCES).valid_citations] == [0]


def test_rich_holds_what_is_known():
    result = check('Dogs are free [1]. "Bicycles cost 4 euros per crossing" [2][2].', SOURCES)
    rich = format_answer(result, "rich", locale="en")
    assert rich["text"] == 'Dogs are free [1]. "Bicycles cost 4 euros per crossing" [2][2].'
    first, second = rich["citations"]
    assert first["id"] == 1
    assert first["source"] == "CGV v2.1, Section 5.2"
    assert first["text"] == "Dogs travel free of charge."
    assert (first["version"], first["page"], first["confidence"]) == ("2.1", 12, 0.97)
    assert second["text"] == "Bicycles cost 4 euros per crossing"
    assert second["url"] == FAQ["url"]
    assert second["relevance"] == 0.834
    for citation in rich["citations"]:
        assert citation["text"] in SOURCES[citation["id"] - 1]["text"]
        for start, end in citation["positions"]:
            assert rich["text"][start:end] == f"[{citation['id']}]"
    assert rich["places"][0] == {"positions": [14, 17], "sources": "CGV v2.1"}


def test_html_is_escaped_and_linked():
    sources = [
        {"title": '<b>FAQ</b> "x"', "text": "a", "url": "https://shop.example/?a=1&b=2"},
        {"title": "T", "text": "b", "url": "javascript:alert(1)"},
    ]
    result = check("**Free** <script>alert(1)</script> [1].\n\n- item [2]", sources)
    written = format_answer(result, "html")
    assert "<script" not in written
    assert "<b>" not in written
    assert "javascript" not in written
    assert "<strong>Free</strong>" in written
    assert 'href="https://shop.example/?a=1&amp;b=2"' in written
    for target in re.findall(r'href="#([^"]+)"', written):
        assert f'id="{target}"' in written
    assert written.count("<sup>") == 2
    assert "data-ragcite" not in written
    assert html.unescape(written).count('<b>FAQ</b> "x"') == 2


def test_max_citations_keeps_the_best_supported_and_says_what_it_dropped():
    text = 'Nice boats [5]. "Dogs travel free of charge" [1]. Bicycles cost 4 euros per crossing [2].'
    result = check(text, SOURCES)
    written = format_answer(result, "inline", max_citations=2, locale="en")
    assert written.cited == (0, 1)
    assert written.dropped == (4,)
    assert written.startswith('Nice boats. "Dogs travel free of charge" [1].')
    assert written.endswith("\n    1 more source is not listed: Leaflet")
    assert written.notes == ("1 more source is not listed: Leaflet",)
    one = format_answer(result, "rich", max_citations=1, locale="fr")
    assert [c["id"] for c in one["citations"]] == [1]
    assert one["notes"] == ["2 autres sources ne sont pas affichées : FAQ, Page 3; Leaflet"]
    assert format_answer(result, "inline", max_citations=9).dropped == ()


def test_invalid_citations_are_taken_out_and_named():
    result = check("Dogs are free [1][9]. It rains [7]. [8] Always.", SOURCES)
    written = format_answer(result, "inline", locale="de")
    assert written.startswith("Dogs are free [1]. It rains. Always.")
    assert written.removed == ("9", "7", "8")
    assert written.splitlines()[-1] == "    3 Belege ohne passende Quelle wurden entfernt: 9; 7; 8"
    assert check(written, SOURCES).ok()


def test_only_invalid_citations_leave_no_list():
    written = format_answer(check("It rains [7].", SOURCES), "inline", locale="en")
    assert written == "It rains.\n\n1 citation that fits no source was removed: 7"
    assert written.cited == ()


def test_the_own_list_of_an_answer_is_replaced():
    text = "Dogs are free [1].\n\n---\n\n## Sources\n\n1. CGV\n2. FAQ\n"
    written = format_answer(check(text, SOURCES), "inline", locale="en")
    assert written.count("Sources") == 1
    assert written.startswith("Dogs are free [1].\n\nSources:\n[1] CGV | ")


def test_chunks_of_one_document_share_a_line():
    chunks = [
        {"id": "T", "title": "Terms", "text": "Dogs are free."},
        {"id": "T", "title": "Terms", "text": "Cats are not."},
    ]
    written = format_answer(check("Dogs are free [1]. Cats are not [2].", chunks), "inline", locale="en")
    assert written.endswith("Sources:\n[1][2] Terms")
    assert [r.status for r in check(written, chunks).reference_list] == ["valid"]


def test_numbers_are_ids_where_the_checker_takes_them_so():
    sources = [{"id": 34, "title": "Watch", "text": "GPS."}, {"id": 58, "title": "Lamp", "text": "350 lumens."}]
    written = format_answer(check("It has GPS [34]. It gives 350 lumens [58].", sources), "inline", locale="en")
    assert written.endswith("[34] Watch\n[58] Lamp")
    zero = check("Dogs are free [0].", SOURCES, first_number=0)
    assert "[0] CGV" in format_answer(zero, "inline")


def test_wrapping_tags_leave_their_text():
    result = check("Note <co: 0>dogs are free</co: 0> here.", SOURCES)
    assert format_answer(result, "inline", locale="en").startswith("Note dogs are free [1] here.")
    assert format_answer(result, "footer", locale="en").startswith("Note dogs are free here.")


def test_provider_citations_stand_before_the_full_stop():
    row = conversations().set_index("id").loc["en-08-birch"]
    written = format_answer(check(row["answer"], row["sources"]), "inline")
    assert written.startswith("Parcels to Norway take 5 to 8 working days [1]. Shipping costs")


def test_code_and_arrays_stay():
    text = "Use `a[1]` and x[2] here [1].\n\n```\nprint([1])\n```"
    assert format_answer(check(text, SOURCES), "footer").startswith("Use `a[1]` and x[2] here.\n\n```\nprint([1])\n```")


@pytest.mark.parametrize("style", ANSWER_STYLES)
@pytest.mark.parametrize("answer", ["", "No citation at all.", None])
def test_answers_without_citations_are_written_too(style, answer):
    written = format_answer(check(answer, SOURCES), style)
    assert (written["citations"] if style == "rich" else list(written.cited)) == []


def test_written_answers_survive_pickle():
    written = format_answer(check("Free [1][9].", SOURCES))
    again = pickle.loads(pickle.dumps(written))
    assert (again, again.removed, again.cited) == (written, written.removed, written.cited)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"style": "foter"}, "did you mean 'footer'"),
        ({"locale": "es"}, "'en', 'fr', 'de'"),
        ({"max_citations": 0}, "at least 1"),
        ({"max_citations": True}, "at least 1"),
        ({"max_citations": "2"}, "at least 1"),
    ],
)
def test_bad_input_is_named(options, message):
    with pytest.raises(InputError, match=message):
        format_answer(check("Free [1].", SOURCES), **options)


def test_a_text_is_no_result():
    with pytest.raises(InputError, match="str found"):
        format_answer("Free [1].")


def test_a_source_without_a_name_is_shown_by_its_words():
    sources = [{"id": 7, "text": "Dogs travel free of charge. " * 9}, {"id": 8, "text": None}]
    written = format_answer(check("Free [7][8].", sources), locale="en")
    assert written.endswith("[7] Dogs travel free of charge. Dogs travel free of charge. Dogs travel free of…\n[8] 8")


def test_citations_without_a_place_are_listed():
    result = check({"answer": "Dogs are free.", "citations": [{"source": 1, "quote": "Dogs travel free"}]}, SOURCES)
    assert format_answer(result, locale="en").startswith("Dogs are free.\n\nSources:\n[1] CGV")


@pytest.mark.parametrize("style", ["inline", "named", "footnotes", "rich"])
@pytest.mark.parametrize("sources", [["Dogs go free.", "Cats pay.", "Birds fly."], SOURCES], ids=["texts", "titles"])
def test_a_log_that_counts_from_zero_is_written_so(sources, style):
    before = check("Dogs go free [0]. Cats pay [1]. Birds fly [2].", sources, first_number=0)
    after = check(format_answer(before, style), sources, first_number=0)
    assert [c.source for c in after.citations] == [0, 1, 2]


def test_data_name_a_source_by_the_number_that_stands_in_the_text():
    rich = format_answer(check("Dogs go free [0].", ["Dogs go free.", "Cats pay."], first_number=0), "rich")
    assert [(c["id"], c["source"]) for c in rich["citations"]] == [(0, "0")]


LISTS = {
    "headed": "## Sources\n1. CGV\n2. FAQ",
    "headed twice": "Sources:\n[1] CGV\n\nReferences\n- FAQ",
    "below a rule": "---\n\n**Sources**\n\n- CGV\n- FAQ",
    "table": "### Sources\n| # | Title |\n|---|---|\n| 1 | CGV |\n| 2 | FAQ |",
}


@pytest.mark.parametrize("own", LISTS.values(), ids=LISTS)
@pytest.mark.parametrize("behind", ["Boats leave at 7:40 [3].", "## Next steps\nBoats leave at 7:40 [3]."])
@pytest.mark.parametrize("style", ANSWER_STYLES)
def test_what_follows_the_own_list_is_kept(style, behind, own):
    before = check(f"Dogs are free [1].\n\n{own}\n\n{behind}", SOURCES)
    bare = check(f"Dogs are free [1].\n\n{behind}", SOURCES)
    assert before.reference_list
    written, expected = (format_answer(result, style, locale="en") for result in (before, bare))
    assert written == expected
    if style in ("inline", "named", "footnotes", "rich"):
        assert [c.source for c in check(written, SOURCES).citations] == [0, 2]


@pytest.mark.parametrize("own", [*LISTS.values(), "Sources: [1] CGV, [2] FAQ", "Listed:\n[1] CGV\n[2] FAQ"])
def test_an_own_list_at_either_end_leaves_no_gap(own):
    last = check(f"Dogs are free [1].\n\n{own}\n", SOURCES)
    assert last.reference_list
    assert format_answer(last, "named") == "Dogs are free [Source: CGV v2.1, Section 5.2]."
    first = check(f"{own}\n\nDogs are free [1].", SOURCES)
    if first.reference_list:
        assert format_answer(first, "named") == "Dogs are free [Source: CGV v2.1, Section 5.2]."


def test_code_above_the_own_list_is_no_part_of_it():
    text = "Run this [1]:\n\n```\npip install ferry\n```\n\nSources:\n[1] CGV"
    written = format_answer(check(text, SOURCES), "inline", locale="en")
    assert written.startswith("Run this [1]:\n\n```\npip install ferry\n```\n\nSources:\n[1] CGV | ")


@pytest.mark.parametrize(
    ("code", "closed"),
    [
        ("```\npip install x", "\n```"),
        ("~~~~sh\npip install x\n~~~", "\n~~~~"),
        ("- here:\n  ```\n  x", "\n  ```"),
        ("- ```\n  x", "\n  ```"),
    ],
)
def test_an_open_code_fence_is_closed_before_the_list(code, closed):
    before = check(f"Dogs are free [1][9].\n\n{code}", SOURCES)
    for style in ("inline", "footer"):
        written = format_answer(before, style, locale="en")
        assert f"{code}{closed}\n\nSources" in written
        assert [r.source for r in check(written, SOURCES).reference_list] == [0]
    assert f"{code}{closed}\n\n[^1]: CGV" in format_answer(before, "footnotes", locale="en")
    assert format_answer(before, "named", locale="en").endswith(code)
    only_note = format_answer(check(f"Dogs are free [9].\n\n{code}", SOURCES), "inline", locale="en")
    assert f"{code}{closed}\n\n1 citation" in only_note
