"""The view holds everything that a display shows, in words, as plain JSON."""

import json

import pytest
from made_results import FERRY, mark, quote, result

from ragcite_nb.display.view import MAX_BADGES, MAX_SOURCES, build_view
from ragcite_nb.models import Citation, Reference, Source

NO_PLACE = Citation(None, None, "2", "valid", 1, (1,), None, None, None, None, None)


def placed(end: int | None, reference: str = "2", source: int | None = 1) -> Citation:
    sources = () if source is None else (source,)
    status = "unknown" if source is None else "valid"
    return Citation(None, None, reference, status, source, sources, None, None, None, None if end is None else 0, end)


def only(view: dict, key: str) -> dict:
    (item,) = view[key]
    return item


def test_a_badge_says_number_source_place_and_state():
    cgv = Source("Trente jours.", title="CGV", section="5.2", page=12)
    view = build_view(
        result("Oui « Trente jours » [1].", [cgv], [mark("[1]", 0)], [quote("Trente jours")], locale="fr")
    )
    assert only(view, "badges")["name"] == "Source 1: CGV, section 5.2, p. 12, retrouvé mot pour mot"
    assert only(view, "badges")["label"] == "[1]"


def test_a_source_without_title_has_a_fallback_name():
    view = build_view(result("Free [1].", [Source("Dogs travel free.", id=None)], [mark("[1]", 0)]))
    assert only(view, "sources")["title"] == "Source 1"
    assert only(view, "badges")["name"].startswith("Source 1,")
    assert "None" not in json.dumps(view["badges"] + view["citations"] + view["sources"])


@pytest.mark.parametrize(
    ("status", "warnings", "state"),
    [
        ("verbatim", (), "verbatim"),
        ("normalized", (), "normalized"),
        ("elided", (), "elided"),
        ("elided", ("negation_in_gap",), "elided_warned"),
        ("near", (), "near"),
        ("altered", (), "altered"),
        ("absent", (), "absent"),
        ("unverifiable", (), "valid"),
    ],
)
def test_a_citation_stands_as_its_quote_does(status, warnings, state):
    made = result(
        '"free of charge" [2].',
        FERRY,
        [mark("[2]", 1)],
        [quote("free of charge", status, warnings=warnings, score=93.0)],
    )
    view = build_view(made)
    assert only(view, "citations")["state"] == state
    assert only(view, "badges")["state"] == state


def test_the_worst_of_a_marks_citations_decides_its_badge():
    view = build_view(result("Free [2, 7].", FERRY, [mark("[2, 7]", 1, None)]))
    assert only(view, "badges")["state"] == "unknown"
    assert [c["state"] for c in view["citations"]] == ["valid", "unknown"]


def test_near_gives_its_percentage():
    made = result(
        '"fre of charge" [2].',
        FERRY,
        [mark("[2]", 1)],
        [quote("fre of charge", "near", at="free of charge", score=93.2)],
    )
    citation = only(build_view(made), "citations")
    assert citation["state_text"] == "near, not word for word (93%)"
    assert only(citation, "quotes")["source_says"] == "free of charge"


def test_a_found_passage_is_marked_in_the_excerpt():
    view = build_view(result('"free of charge" [2].', FERRY, [mark("[2]", 1)], [quote("free of charge")]))
    segments = view["excerpts"][only(view, "citations")["excerpt"]]["segments"]
    assert segments == [["Dogs travel ", ""], ["free of charge", "found"], [" on all ferries.", ""]]


def test_two_overlapping_quotes_lose_and_double_nothing():
    text = '"Dogs travel free of charge" and "free of charge on all ferries" [2].'
    quotes = [quote("Dogs travel free of charge"), quote("free of charge on all ferries")]
    view = build_view(result(text, FERRY, [mark("[2]", 1)], quotes))
    segments = view["excerpts"][only(view, "citations")["excerpt"]]["segments"]
    assert "".join(text for text, _ in segments) == FERRY[1]


def test_a_quote_found_elsewhere_shows_the_other_source():
    made = result('"free of charge" [1].', FERRY, [mark("[1]", 0)], [quote("free of charge", "elsewhere", source=1)])
    view = build_view(made)
    shown = only(only(view, "citations"), "quotes")
    assert shown["elsewhere"] == "Found in [2]"
    assert view["excerpts"][shown["excerpt"]]["source"] == 1
    assert view["excerpts"][only(view, "citations")["excerpt"]]["segments"] == [[FERRY[0], ""]]


def test_of_several_chunks_the_one_with_the_quote_is_shown():
    chunks = [Source("Open it.", id="g.pdf", page=3), Source("Close it after use.", id="g.pdf", page=7)]
    made = result(
        '"Close it after use" [g.pdf].',
        chunks,
        [mark("[g.pdf]", 0, candidates=(0, 1))],
        [quote("Close it after use", source=1)],
    )
    citation = only(build_view(made), "citations")
    assert citation["source"] == 1


def test_an_unknown_citation_names_the_nearest_source_and_an_ambiguous_one_its_candidates():
    faq = [Source("30 days.", title="FAQ v3.1"), Source("14 days.", title="FAQ v3.2")]
    marks = [mark("[FAQ]", None, status="ambiguous", candidates=(0, 1)), mark("[FAQ v3]", None, nearest=1)]
    view = build_view(result("A [FAQ]. B [FAQ v3].", faq, marks))
    assert [[other["title"] for other in c["others"]] for c in view["citations"]] == [
        ["[1] FAQ v3.1", "[2] FAQ v3.2"],
        ["[2] FAQ v3.2"],
    ]
    assert [c["others_title"] for c in view["citations"]] == ["Documents that fit", "Nearest source"]


def test_marks_that_are_no_citations_say_why():
    view = build_view(
        result("A [2b]. B [policy].", FERRY, [mark("[2b]", kind="malformed"), mark("[policy]", kind="provenance")])
    )
    assert [b["explain"] for b in view["badges"]] == [
        "This looks like a citation but cannot be read as one.",
        "The answer itself says that this does not come from a source.",
    ]


def test_a_wrapping_mark_shows_its_reference_and_hides_its_tags():
    raw = "<co: 0>Dogs are free</co: 0>"
    view = build_view(result(f"{raw} here.", FERRY, [mark(raw, 0, reference="0", inner="Dogs are free")]))
    assert only(view, "badges")["label"] == "[0]"
    assert view["answer"]["html"].startswith(
        '<p dir="auto">Dogs are free<span data-ragcite-badge="0"></span> here.</p>'
    )


def test_glyphs_that_nobody_can_read_are_shown_as_their_reference():
    raw = "\ue200cite\ue202turn0search1\ue201"
    view = build_view(result(f"Free {raw}.", FERRY, [mark(raw, None, reference="turn0search1")]))
    assert only(view, "badges")["label"] == "[turn0search1]"


def test_a_provider_citation_has_its_badge_at_the_end_of_its_span():
    view = build_view(result("Dogs are free. Bikes pay.", FERRY, provided=[placed(14)]))
    assert view["answer"]["html"].startswith('<p dir="auto">Dogs are free.<span data-ragcite-badge="0"></span> Bikes')


def test_a_citation_without_a_place_has_its_badge_behind_the_answer():
    view = build_view(result("Dogs are free.", FERRY, provided=[NO_PLACE, placed(None, "", None)]))
    assert '<p class="ragcite-rest">Citations beside the text: <span data-ragcite-badge="0">' in view["answer"]["html"]
    assert [badge["label"] for badge in view["badges"]] == ["[2]", "[#2]"]


def test_code_points_beyond_the_basic_plane_move_no_badge():
    view = build_view(result("Seals 🦭🦭 rest here [1].", ["Seals rest here."], [mark("[1]", 0)]))
    assert view["answer"]["html"].startswith(
        '<p dir="auto">Seals 🦭🦭 rest here <span data-ragcite-badge="0"></span>.</p>'
    )


@pytest.mark.parametrize(
    ("confidence", "text"),
    [(1.0, "Très fiable (100\u202f%)"), (0.9, "Très fiable (90\u202f%)"), (0.89, "Fiable (89\u202f%)"), (0.7, "Fiable (70\u202f%)"),
     (0.5, "Modéré (50\u202f%)"), (0.49, "À vérifier (49\u202f%)"), (0.0, "À vérifier (0\u202f%)")],
)  # fmt: skip
def test_confidence_is_told_in_words_and_percent(confidence, text):
    view = build_view(result("A.", [Source("x", confidence=confidence)]), "fr")
    assert only(view, "sources")["confidence"]["text"] == text


def test_a_source_without_a_confidence_has_none_and_a_retrieval_score_is_called_so():
    view = build_view(result("A.", [Source("x", metadata={"score": 0.83}), Source("y", confidence=float("nan"))]))
    assert [source["confidence"] for source in view["sources"]] == [None, None]
    assert view["sources"][0]["details"] == ["retrieval score 0.83"]


def test_details_of_a_source():
    source = Source(
        "x",
        title="CGV",
        document_type="contract",
        section="Article 5",
        page="iv",
        version="2.1",
        last_updated="2024-01-15",
        url="https://a.example",
    )
    view = build_view(result("A.", [source]))
    assert only(view, "sources")["title"] == "CGV v2.1"
    assert only(view, "sources")["details"] == ["contract", "Article 5", "iv", "updated 2024-01-15"]
    assert only(view, "sources")["url"] == "https://a.example"


def test_sources_say_how_often_they_are_cited():
    view = build_view(result("A [2]. B [2]. C [3].", FERRY, [mark("[2]", 1), mark("[2]", 1), mark("[3]", 2)]))
    assert [source["times_text"] for source in view["sources"]] == ["never cited", "cited 2 times", "cited once"]


def test_the_view_holds_excerpts_not_whole_sources():
    view = build_view(result("A [1].", ["word " * 100_000], [mark("[1]", 0)]))
    assert len(json.dumps(view)) < 20_000


def test_the_reading_line():
    made = result(
        "A.", FERRY, sources_format="JSON array of strings", format="ollama.chat", structured=True, prompt_tokens=306
    )
    assert build_view(made)["reading"] == (
        "3 sources (JSON array of strings); answer read as an Ollama /api/chat response with JSON citations; 306 prompt tokens"
    )
    assert build_view(made, "fr")["reading"] == (
        "3 sources (tableau JSON de textes)\u202f; réponse lue comme une réponse Ollama /api/chat avec citations JSON\u202f; 306 jetons d’invite"
    )


def test_json_is_named_once():
    made = result("A.", [], sources_format="none", format="json", structured=True)
    assert build_view(made)["reading"] == "no sources given; answer read as JSON"


def test_an_unknown_format_is_named_as_it_is():
    made = result("A.", [], sources_format="none", format="acme.v2")
    assert build_view(made)["reading"] == "no sources given; answer read as a response of the form acme.v2"


def test_uncited_sentences_are_marked_only_when_citations_have_places():
    made = result("Dogs run. Cats sleep.", FERRY, uncited=["Cats sleep."])
    assert '<span class="ragcite-uncited">Cats sleep.</span>' in build_view(made)["answer"]["html"]
    beside = result("Dogs run. Cats sleep.", FERRY, uncited=["Cats sleep."], placed=False, score=None)
    assert "ragcite-uncited" not in build_view(beside)["answer"]["html"]


def test_figures():
    made = result("Dogs [2]. Cats [7].", FERRY, [mark("[2]", 1), mark("[7]", None)], score=0.5)
    kpis = {kpi["key"]: (kpi["value"], kpi["tone"]) for kpi in build_view(made)["kpis"]}
    assert kpis["traceability"] == ("50%", "doubtful")
    assert kpis["citations"] == ("2", "neutral")
    assert kpis["invalid"] == ("1", "bad")
    assert {kpi["key"]: kpi["label"] for kpi in build_view(made)["kpis"]}["citations"] == "citations"
    (score, count) = build_view(result("", FERRY, provided=[placed(0)], score=None, placed=False))["kpis"][:2]
    assert (score["value"], count["value"], count["label"]) == ("not measurable", "1", "citation")


def test_alerts_carry_message_and_meaning_in_the_asked_locale():
    made = result("A [7].", FERRY, alerts=[("invalid_citation", {"count": 1, "citation": "[7]", "sources": 3})])
    alert = only(build_view(made, "fr"), "alerts")
    assert alert["message"].startswith("Citations invalides détectées")
    assert alert["severity_text"] == "Erreur"
    assert alert["meaning"]


def test_the_closing_list_is_shown_with_what_was_found():
    made = result(
        "A.\n\nSources:\n- X",
        FERRY,
        references=[Reference(14, 15, "X", None, "unknown"), Reference(14, 15, "1", 0, "valid")],
    )
    assert [e["text"] for e in build_view(made)["reference_list"]] == [
        "not among the given sources",
        "among the given sources",
    ]


def test_copied_text_keeps_the_marks_and_ends_with_the_cited_sources_once_each():
    made = result(
        "Bikes pay [3]. Dogs [2]. Again [3]. No [7].",
        FERRY,
        [mark("[3]", 2), mark("[2]", 1), mark("[3]", 2), mark("[7]", None)],
    )
    assert (
        build_view(made)["copy_text"]
        == f"Bikes pay [3]. Dogs [2]. Again [3]. No [7].\n\nSources\n[3] {FERRY[2]}\n[2] {FERRY[1]}"
    )


def test_numbers_follow_the_first_number():
    view = build_view(result("A [0].", FERRY, [mark("[0]", 0)], first_number=0))
    assert [source["number"] for source in view["sources"]] == ["0", "1", "2"]
    assert only(view, "badges")["name"].startswith("Source 0")


def test_a_runaway_answer_is_bounded_and_says_so():
    text = "A [1]. " * (MAX_BADGES + 5)
    view = build_view(result(text, FERRY * 300, [mark("[1]", 0)] * (MAX_BADGES + 5)))
    assert len(view["badges"]) == len(view["citations"]) == MAX_BADGES
    assert view["citations_more"] == "5 more citations are not shown here."
    assert len(view["sources"]) == MAX_SOURCES
    assert view["sources_more"] == f"{900 - MAX_SOURCES} more sources that are never cited are not shown."


def test_every_text_is_fit_for_json_and_html():
    bad = "a\ud800\x00b"
    made = result(
        f"{bad} [1].", [Source(bad, title=bad, section=bad)], [mark("[1]", 0)], [quote(bad, origin="structured")]
    )
    json.dumps(build_view(made), ensure_ascii=False).encode()


@pytest.mark.parametrize("locale", ["en", "fr", "de"])
def test_an_empty_answer_without_sources_has_a_view(locale):
    view = build_view(result("", [], sources_format="none", score=None), locale)
    assert view["answer"]["empty"]
    assert view["citations"] == view["badges"] == view["sources"] == []
