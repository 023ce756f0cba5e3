"""Suggestions for what is at fault, and repairs that apply the chosen ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ragcite_nb.check import check
from ragcite_nb.mend import MOST, Suggestion, repair, suggest
from ragcite_nb.models import Answer, InputError, ProviderCitation, Source
from ragcite_nb.samples import conversations

SOURCES = [
    "Dogs travel free of charge on all ferries.",
    "Bicycles cost 4 euros per crossing.",
    "Boats leave at 7:40 every morning.",
]
NAMED = [
    {"id": "CGV-2.1", "title": "CGV", "version": "2.1", "section": "5.2", "page": 12, "text": SOURCES[0]},
    {"id": "FAQ-112", "title": "Travel FAQ", "version": "3.2", "page": 38, "text": SOURCES[1]},
    {"id": "guide.pdf#page=4", "text": SOURCES[2]},
]


def row(row_id):
    r = conversations().set_index("id").loc[row_id]
    return check(r["answer"], r["sources"])


def first(answer, sources=SOURCES, **options):
    found = suggest(check(answer, sources, **options))
    return (found[0].reason, found[0].source, found[0].new) if found else None


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Boats leave at 7:40 every morning [4].", ("off_by_one", 2, "[3]")),
        ("Dogs travel free on ferries [0].", ("off_by_one", 0, "[1]")),
        ("Boats leave at 7:40 every morning 【4】.", ("off_by_one", 2, "【3】")),
        ("Boats leave at 7:40 every morning [^4].", ("off_by_one", 2, "[^3]")),
        ("Boats leave at 7:40 every morning [Source: 4].", ("off_by_one", 2, "[Source: 3]")),
        ("Bicycles cost 4 euros per crossing [9].", ("carries_claim", 1, "[2]")),
        ("Bicycles cost 4 euros per crossing.", ("carries_claim", 1, " [2]")),
        ("Boats leave at 9:15 every morning [4].", None),
        ("Trains are late in winter [4].", None),
        ("Trains are late in winter.", None),
        ("Dogs travel free on ferries [1][7].", None),
    ],
)
def test_numbers(answer, expected):
    assert first(answer) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            "Dogs travel free of charge [Source: CGV v2.2, Section 5.2].",
            ("nearest_name", 0, "[Source: CGV v2.1, Section 5.2]"),
        ),
        (
            "Dogs travel free of charge [Source: CGV v2.1, Section 5.3].",
            ("nearest_name", 0, "[Source: CGV v2.1, Section 5.2]"),
        ),
        (
            "Bicycles cost 4 euros per crossing [Source: Travel FAQ v3.2, Page 39].",
            ("nearest_name", 1, "[Source: Travel FAQ v3.2, Page 38]"),
        ),
        ("Bicycles cost 4 euros per crossing [Ref: FAQ-121].", ("nearest_name", 1, "[Ref: FAQ-112]")),
        ("Boats leave at 7:40 every morning [guide.pdf#page=5].", ("nearest_name", 2, "[guide.pdf#page=4]")),
        ("Trains are late in winter [Source: CGV v2.2].", None),
        ("Cats pay 3 euros [guide.pdf#page=5].", None),
    ],
)
def test_names(answer, expected):
    assert first(answer, NAMED) == expected


def test_an_ambiguous_name_is_decided_by_the_words():
    sources = [
        {"id": "a", "title": "FAQ", "version": "3.1", "text": SOURCES[0]},
        {"id": "b", "title": "FAQ", "version": "3.2", "text": SOURCES[1]},
    ]
    result = check("Bicycles cost 4 euros per crossing [Source: FAQ].", sources)
    assert result.citations[0].status == "ambiguous"
    found = suggest(result)
    assert (found[0].reason, found[0].source) == ("one_of_several", 1)
    assert repair(result, found[:1]).result.valid_citations[0].source == 1


def test_numbering_from_zero_is_one_suggestion_for_each_marker():
    result = check("Dogs travel free [0]. Bicycles cost 4 euros [1]. Boats leave at 7:40 [2, 2].", SOURCES)
    found = suggest(result)
    assert [(s.reason, s.old, s.new) for s in found] == [
        ("zero_based", "[0]", "[1]"),
        ("zero_based", "[1]", "[2]"),
        ("zero_based", "[2, 2]", "[3]"),
    ]
    mended = repair(result, found)
    assert mended.text == "Dogs travel free [1]. Bicycles cost 4 euros [2]. Boats leave at 7:40 [3]."
    assert [c.source for c in mended.result.citations] == [0, 1, 2]


def test_a_constant_shift():
    result = check("Dogs travel free on ferries [11]. Bicycles cost 4 euros [12].", SOURCES)
    assert [(s.reason, s.new) for s in suggest(result)] == [("shift", "[1]"), ("shift", "[2]")]
    assert "-10" in suggest(result)[0].message


def test_numbers_that_fit_are_not_shifted():
    assert suggest(check("Dogs travel free [1]. Bicycles cost 4 euros [2]. Boats leave at 7:40 [3].", SOURCES)) == ()


def test_wrong_numbers_without_common_words_are_not_shifted():
    assert suggest(check("It rains often [0]. It snows rarely [1].", SOURCES)) == ()


def test_altered_quotes_show_the_wording_of_the_source():
    result = row("en-02-alder")
    found = [s for s in suggest(result) if s.fault == "quote"]
    assert [s.reason for s in found] == ["own_wording"]
    assert "5,000 mm" in found[0].new
    assert "3,000 mm" in found[0].old
    mended = repair(result, found)
    assert mended.result.quotes_not_found == ()
    assert mended.result.ok()
    assert "-The Fjellhus" not in mended.diff
    assert '+Its data sheet says "The flysheet has a water column of 5,000 mm' in mended.diff


@pytest.mark.parametrize("row_id", ["en-03-alder", "fr-08-alder", "de-06-alder"])
def test_quotes_of_another_source_get_its_citation(row_id):
    result = row(row_id)
    found = [s for s in suggest(result) if s.fault == "quote"]
    assert [s.reason for s in found] == ["other_source"]
    mended = repair(result, found)
    assert mended.result.quotes_not_found == ()


@pytest.mark.parametrize("row_id", ["en-06-alder", "de-04-alder"])
def test_an_invented_quote_has_no_suggestion(row_id):
    assert [s for s in suggest(row(row_id)) if s.fault == "quote"] == []


def test_nothing_is_suggested_where_nothing_is_at_fault():
    assert suggest(row("en-01-birch")) == ()
    assert suggest(check("", SOURCES)) == ()
    assert suggest(check("Dogs travel free [1].", None)) == ()


def test_at_most_a_few_suggestions_best_first():
    sources = [f"Bicycles cost 4 euros per crossing in zone {letter}." for letter in "abcdef"]
    found = suggest(check("Bicycles cost 4 euros per crossing.", sources))
    assert len(found) == MOST
    assert [s.score for s in found] == sorted((s.score for s in found), reverse=True)


def test_a_suggestion_shows_its_passage():
    sources = ["Cats pay. Bicycles cost 4 euros per crossing. Dogs are free."]
    s = suggest(check("Bicycles cost 4 euros per crossing.", sources))[0]
    assert sources[0][s.passage_start : s.passage_end] == "Bicycles cost 4 euros per crossing."


@pytest.mark.parametrize(
    ("locale", "word"), [("en", "fits no source"), ("fr", "aucune source"), ("de", "passt zu keiner")]
)
def test_messages_follow_the_locale(locale, word):
    assert word in suggest(check("Boats leave at 7:40 every morning [4].", SOURCES, locale=locale))[0].message


def test_several_citations_of_one_marker_are_one_change():
    result = check(
        "Dogs travel free of charge on all ferries [0, 4].", [SOURCES[0], SOURCES[1], SOURCES[0] + " Always."]
    )
    found = [s for s in suggest(result) if s.fault == "citation"]
    by_index = {}
    for s in found:
        by_index.setdefault(s.index, s)
    mended = repair(result, by_index.values())
    assert mended.result.invalid_citations == ()
    assert mended.text.endswith("[1][3].")


def test_repairing_keeps_citations_that_came_as_data():
    payload = {
        "answer": "Trains leave.\n\nBoats leave at 7:40 every morning.",
        "citations": [{"source": 1, "quote": "Dogs travel free"}],
    }
    result = check(payload, SOURCES)
    assert not result.placed
    assert suggest(result) == ()
    shifted = check(
        {
            "text": "Boats leave at 7:40 every morning [4]. Dogs travel free.",
            "citations": [{"id": "x", "source": "1", "start": 39, "end": 56}],
        },
        SOURCES,
    )
    mended = repair(shifted, [s for s in suggest(shifted) if s.fault == "citation"])
    assert [c.source for c in mended.result.valid_citations] == [2, 0]


def test_repairing_nothing_changes_nothing():
    result = row("en-01-alder")
    mended = repair(result, ())
    assert mended.text == result.text
    assert mended.diff == ""
    assert str(mended) == ""
    assert mended.applied == ()
    assert mended.result.to_dict()["citations"] == result.to_dict()["citations"]


def test_a_single_suggestion_may_be_given_alone():
    result = check("Boats leave at 7:40 every morning [4].", SOURCES)
    assert repair(result, suggest(result)[0]).text.endswith("[3].")
    assert result.repair(result.suggest()).text.endswith("[3].")


def test_the_result_itself_is_left_alone():
    result = check("Boats leave at 7:40 every morning [4].", SOURCES)
    before = result.to_dict()
    repair(result, suggest(result))
    assert result.to_dict() == before


def test_options_are_kept():
    result = check("Boats leave at 7:40 every morning (4).", SOURCES, syntaxes="paren", locale="de")
    mended = repair(result, suggest(result))
    assert mended.result.options == result.options


def test_bad_suggestions_are_named():
    result = check("Boats leave at 7:40 every morning [4].", SOURCES)
    good = suggest(result)[0]
    with pytest.raises(InputError, match="a str found"):
        repair(result, ["[4]"])
    with pytest.raises(InputError, match="has no place"):
        repair(result, [replace(good, start=None, end=None)])
    with pytest.raises(InputError, match="belongs to another text"):
        repair(check("Boats leave [4] at 7:40 every morning.", SOURCES), [good])
    with pytest.raises(InputError, match="meet at one place"):
        repair(result, [good, good])
    quote = Suggestion("quote", 0, "own_wording", 0, 1.0, 0, 3, 30, good.end, result.text[30 : good.end], "x", "m")
    with pytest.raises(InputError, match="overlap"):
        repair(result, [good, quote])


def test_every_sample_can_be_mended():
    for r in conversations().itertuples():
        result = check(r.answer, r.sources)
        best = {}
        for s in suggest(result):
            if s.start is not None:
                best.setdefault((s.fault, s.index), s)
        mended = repair(result, best.values())
        assert len(mended.result.invalid_citations) + len(mended.result.quotes_not_found) <= len(
            result.invalid_citations
        ) + len(result.quotes_not_found)
        if best:
            assert mended.diff


def test_one_wrong_number_does_not_shift_the_right_ones():
    sources = ["Bicycles and dogs are welcome on board.", "Bicycles cost 4 euros per crossing.", SOURCES[2]]
    answer = "Bicycles cost some euros on board [2]. Boats leave every morning before seven [4]."
    result = check(answer, sources)
    assert [(s.reason, s.old, s.new) for s in suggest(result)] == [("off_by_one", "[4]", "[3]")]


def test_a_long_passage_with_a_few_of_the_words_carries_nothing():
    text = (
        "Our ferries have four decks, and on two of them the doors are closed at night because of the cold wind, "
        "while bicycles and other things of passengers stay below until all cars have left the harbour in the morning."
    )
    assert first("Bicycles cost nothing in the morning [2].", [text]) is None


def cited(result):
    return [(c.reference, c.status, c.source) for c in result.citations]


BICYCLE = "Bicycles cost 4 euros per crossing"


@pytest.mark.parametrize(
    ("answer", "citations"),
    [
        (f"{BICYCLE} [4].", [{"source": 4, "quote": BICYCLE}]),
        (f"{BICYCLE} [4].", [{"source": 4, "quote": BICYCLE}, {"source": 4, "quote": "4 euros per crossing"}]),
        (f"{BICYCLE} [4].", [{"source": 4}]),
    ],
)
def test_data_of_a_repaired_marker_move_with_it(answer, citations):
    sources = [*SOURCES[:1], SOURCES[2], SOURCES[1]]
    result = check({"answer": answer, "citations": citations}, sources)
    assert cited(result) == [("4", "unknown", None)]
    mended = repair(result, suggest(result)[:1]).result
    assert cited(mended) == [("3", "valid", 2)]
    assert [(q.text, q.status, q.citation) for q in mended.quotes] == [
        (c["quote"], "verbatim", 0) for c in citations if "quote" in c
    ]
    assert mended.ok()


@pytest.mark.parametrize("place", [(0, 38), (35, 38), (38, 38), (35, 35)])
def test_data_placed_at_a_repaired_marker_move_with_it(place):
    data = ProviderCitation("4", *place, quote=BICYCLE, sent_source=3)
    result = check(Answer(f"{BICYCLE} [4].", citations=(data,)), [*SOURCES[:1], SOURCES[2], SOURCES[1]])
    assert cited(result) == [("4", "unknown", None)]
    mended = repair(result, suggest(result)[:1]).result
    assert cited(mended) == [("3", "valid", 2)]
    assert [(q.status, q.citation) for q in mended.quotes] == [("verbatim", 0)]


def test_data_named_otherwise_are_named_like_the_new_source():
    answer = {"answer": f"{BICYCLE} [Travel FAQ v3.1].", "citations": [{"source": "Travel FAQ v3.1", "quote": BICYCLE}]}
    result = check(answer, NAMED)
    mended = repair(result, suggest(result)[:1]).result
    assert [c.status for c in mended.citations] == ["valid"]
    assert [c.reference for c in mended.answer.citations] == ["Travel FAQ v3.2"]


def test_data_of_shifted_markers_are_shifted_too():
    answer = "Dogs travel free [0]. Bicycles cost 4 euros [1]. Boats leave at 7:40 [2]. Ferries [0, 2]."
    quotes = ["Dogs travel free", "Bicycles cost 4", "Boats leave at 7:40"]
    result = check({"answer": answer, "citations": [{"source": i, "quote": q} for i, q in enumerate(quotes)]}, SOURCES)
    mended = repair(result, [s for s in suggest(result) if s.reason == "zero_based"]).result
    assert [c.source for c in mended.citations] == [0, 1, 2, 0, 2]
    assert [(q.status, q.source) for q in mended.quotes] == [("verbatim", 0), ("verbatim", 1), ("verbatim", 2)]


def test_data_whose_quote_stands_elsewhere_move_with_the_marker_that_cites_it_now():
    result = check({"answer": f"{BICYCLE} [1].", "citations": [{"source": 1, "quote": BICYCLE}]}, SOURCES)
    mended = repair(result, [s for s in suggest(result) if s.reason == "other_source"]).result
    assert cited(mended) == [("2", "valid", 1)]
    assert mended.quotes_not_found == ()


def test_data_whose_quote_is_found_keep_their_source():
    data = [{"source": 1, "quote": "Dogs travel free of charge"}, {"source": 1, "quote": BICYCLE}]
    result = check({"answer": f"Dogs travel free [1]. {BICYCLE} [1].", "citations": data}, SOURCES)
    mended = repair(result, [s for s in suggest(result) if s.reason == "other_source"]).result
    assert len(mended.citations) == 2
    assert mended.quotes_not_found == ()


def test_only_the_repaired_citation_of_a_marker_takes_its_data_along():
    data = [{"source": 1, "quote": "Dogs travel free"}, {"source": 4, "quote": "Boats leave at 7:40"}]
    result = check(
        {"answer": "Dogs travel free and boats leave at 7:40 every morning [1, 4].", "citations": data}, SOURCES
    )
    mended = repair(result, next(s for s in suggest(result) if s.fault == "citation" and s.source == 2)).result
    assert cited(mended) == [("1", "valid", 0), ("3", "valid", 2)]
    assert [q.status for q in mended.quotes] == ["verbatim", "verbatim"]


def test_data_around_a_repaired_quote_stay():
    text = 'The rules say "Bicycles cost 5 euros per crossing" here.'
    result = check(Answer(text, citations=(ProviderCitation("2", 0, len(text), sent_source=1),)), SOURCES)
    mended = repair(result, [s for s in suggest(result) if s.reason == "own_wording"])
    assert cited(mended.result) == [("2", "valid", 1)]
    assert mended.result.answer.citations[0].end == len(mended.text)


def test_an_answer_with_sources_of_its_own_is_checked_against_them_again():
    data = ProviderCitation("4", quote=BICYCLE), ProviderCitation("1", payload_source=0)
    result = check(Answer(f"{BICYCLE} [4].", citations=data, sources=tuple(map(Source, SOURCES))))
    assert result.sources_format == "payload"
    mended = repair(result, next(s for s in suggest(result) if s.source == 1)).result
    assert mended.sources_format == "payload"
    assert cited(mended) == [("2", "valid", 1), ("1", "valid", 0)]
