"""All stages together: what belongs to what. Citations to sentences, quotes to markers, data to places."""

import json

import pytest

from ragcite_nb.check import check
from ragcite_nb.models import Answer, ProviderCitation, Source

FERRY = [
    "The ferry leaves at 07:40 on weekdays.",
    "Dogs travel free of charge on all ferries.",
    "Bicycles cost 4 euros per crossing.",
]


def cited(result):
    """For each sentence the references of its citations."""
    return [[result.citations[i].reference for i in s.citations] for s in result.sentences]


def kinds(result):
    return [s.kind for s in result.sentences]


# -------------------------------------------------------------------------------------- which sentence a marker belongs to
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dogs ride free [2]. Bikes pay [3].", [["2"], ["3"]]),
        ("Dogs ride free. [2] Bikes pay. [3]", [["2"], ["3"]]),
        ("Dogs ride free.[2] Bikes pay.[3]", [["2"], ["3"]]),
        ("Dogs ride free. [1] [2] Bikes pay.", [["1", "2"], []]),
        ("Dogs ride free.\n[2]\n\nBikes pay.", [["2"], []]),
        ("Dogs ride free.\n\n[2]\n\nBikes pay.", [["2"], []]),
        ("[2] Dogs ride free. [3] Bikes pay.", [["2"], ["3"]]),
        ("- [2] Dogs ride free.\n- [3] Bikes pay.", [["2"], ["3"]]),
        ("Dogs ride free. (Source 2) Bikes pay.", [["2"], []]),
        ("Dogs [2] ride free [1]. Bikes pay.", [["2", "1"], []]),
        ("As [2] says, dogs ride free. In [3], bikes pay.", [["2"], ["3"]]),
        ("## Pets [2]\n\nDogs ride free.", [["2"], []]),
        ("| Dog | free [2] |\n|---|---|\n| Bike | 4 [3] |", [["2"], ["3"]]),
        ("犬は無料です[2]。自転車は有料です。[3]以上です。", [["2"], ["3"], []]),
        ('It says "Stop. Go away." [2] Bikes pay.', [["2"], []]),
        ("Two say it:\n[2] Dogs ride free. Always.\n[3] Bikes pay.", [[], ["2"], [], ["3"]]),
        ("The rules say:\n[2]", [["2"]]),
    ],
)
def test_markers_belong_to_their_sentence(text, expected):
    assert cited(check(text, FERRY)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Pets\n\nDogs ride free.", ["heading", "claim"]),
        ("**Pets**\n\nDogs ride free.", ["heading", "claim"]),
        ("**Dogs ride free.** Cats too.", ["claim", "claim"]),
        ("- Pets\n  - Dogs ride free\n  - Cats too", ["heading", "claim", "claim"]),
        ("- Pets\n- Bikes", ["claim", "claim"]),
        ("- 大多数犬只可以免费乘船；\n  - 自行车收费", ["claim", "claim"]),
        ("- **犬只免费，但须系绳，不得入座**\n  - 自行车收费", ["claim", "claim"]),
        ("- Most dogs of all sizes can ride free on ferries\n  - Cats too", ["claim", "claim"]),
        ("- Dogs ride free [2]\n  - Cats too", ["claim", "claim"]),
        ("- Size, Weight and Age [2]\n  - Cats too", ["heading", "claim"]),
        ("Dogs ride free [2].\n\nOther Large Animals [3].\n\nBikes pay.", ["claim", "heading", "claim"]),
        ("Dogs ride free [2].\n\n**Other Animals** [3].\n\nBikes pay.", ["claim", "heading", "claim"]),
        ("Dogs ride free [2].\n\n**The fee is low** [3].\n\nBikes pay.", ["claim", "claim", "claim"]),
        ("Marie Curie [2].\n\nShe was a physicist.", ["claim", "claim"]),
        ("There are two rules:\n- Dogs ride free.", ["lead_in", "claim"]),
        ("There are two rules: [2].\n\n1. Dogs ride free [2].", ["lead_in", "claim"]),
        ("- **Dogs**: [2]\n  - They ride free [2].", ["lead_in", "claim"]),
        ("- **Dogs**: [2]\n- **Cats**: [1]", ["claim", "claim"]),
        ("The ferry has one rule: [2].\n\nDogs ride free [2].", ["claim", "claim"]),
        ("Voici les règles :\n- Les chiens voyagent.", ["lead_in", "claim"]),
        ("Is it free? Yes, for dogs.", ["question", "claim"]),
        ("無料ですか？犬は無料です。", ["question", "claim"]),
        ("| a | b |\n|---|---|\n| c | d: |", ["heading", "claim"]),
        ("✅ **Pets**\n\nDogs ride free.", ["heading", "claim"]),
        ("I hope this helps!", ["aside"]),
        ("Guten Tag!", ["aside"]),
        ("Bonne journée !", ["aside"]),
        ("Dogs ride free. (Source: [2])", ["claim"]),
        ("Dogs ride free (Source: [2])", ["claim"]),
        ("- Dogs ride free. (Quelle: [2])\n- Bikes pay. (Sources: [1], [3])", ["claim", "claim"]),
        ("The documents do not mention cats, but dogs ride free.", ["claim"]),
        ("Dogs ride free, but the reason is not stated in the documents.", ["claim"]),
        ("Les documents ne mentionnent pas les chats, mais les chiens voyagent gratuitement.", ["claim"]),
        ("Die Dokumente erwähnen Katzen nicht, aber Hunde fahren kostenlos mit.", ["claim"]),
        ("The documents do not mention cats, but I can help with other questions.", ["abstention"]),
        ("The documents do not mention cats, but they also do not mention dogs.", ["abstention"]),
        ("Die Dokumente nennen keinen Preis, aber auch keine Dauer.", ["abstention"]),
        ("Die Dokumente erwähnen Katzen nicht; Hunde fahren jedoch kostenlos mit.", ["claim"]),
        ("The documents do not mention cats, but they may be allowed elsewhere.", ["abstention"]),
        ("What the rule is for cats, however, is not apparent from the given context.", ["abstention"]),
        ("The documents do not mention cats.", ["abstention"]),
    ],
)
def test_kinds(text, expected):
    assert kinds(check(text, FERRY)) == expected


def test_every_sentence_but_headings_and_abstentions_is_a_claim_on_request():
    text = "# Pets\n\nHello! Is it free? The rules:\n- Dogs ride free.\n\nThe documents do not mention cats."
    assert kinds(check(text, FERRY, claims="all")) == ["heading", "claim", "claim", "claim", "claim", "abstention"]


@pytest.mark.parametrize(
    "text",
    [
        "Dogs ride free [2], but the age limit cannot be determined from the given context.",
        "The documents do not say who pays, but dogs ride free [2].",
        "Dogs ride free [2]; the price is not mentioned in the sources.",
        "Les documents ne précisent pas le prix, mais les chiens voyagent gratuitement [2].",
        "Die Quellen nennen keinen Preis, aber Hunde fahren kostenlos mit [2].",
    ],
)
def test_a_cited_clause_beside_one_that_finds_nothing_is_a_claim(text):
    result = check(text, FERRY)
    codes = {alert.code for alert in result.alerts}
    assert kinds(result) == ["claim"]
    assert "partial_information" in codes
    assert not codes & {"abstention", "abstention_with_citation"}


@pytest.mark.parametrize(
    "text",
    [
        "The sources [1, 2] do not mention cats.",
        "However, the documents [1] do not mention cats.",
        "The limit could vary, but the exact limit is not specified in the given context [1].",
    ],
)
def test_a_citation_of_what_says_nothing_leaves_an_abstention(text):
    assert kinds(check(text, FERRY)) == ["abstention"]


def test_the_context_of_a_topic_is_not_the_given_context():
    assert kinds(check("Dogs are not discussed in the context of war.", FERRY)) == ["claim"]


@pytest.mark.parametrize(
    "text", ["该船由A.M. Best建造[1]。", "船长：Dr. Franco Nori（亦为教授）[1]。", "理论由K.N. Chaudhuri提出[1]。"]
)
def test_latin_abbreviations_inside_chinese_end_no_sentence(text):
    assert cited(check(text, FERRY)) == [["1"]]


@pytest.mark.parametrize("mark", ["# ", "- ", "> ", "1. ", "| ", "- # "])
@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\x1f", "\x0b", "\u2009 "])
def test_no_sentence_begins_or_ends_with_a_blank(mark, space):
    text = f"{mark}{space}Dogs ride free{space}[2]{space}"
    [sentence] = check(text, FERRY).sentences
    assert text[sentence.start : sentence.end] == sentence.text == sentence.text.strip()


def test_referrals_listed_after_an_abstention_are_no_claims():
    text = "I could not find this in the documents. You can:\n\n1. Contact our support\n2. Visit the help centre"
    assert check(text, FERRY).abstained


def test_the_unfinished_last_sentence_of_a_cut_answer_is_no_claim():
    cut = Answer("Dogs ride free [2]. Bikes cost 4", truncated=True)
    assert kinds(check(cut, FERRY)) == ["claim", "aside"]
    assert kinds(check(Answer(cut.text), FERRY)) == ["claim", "claim"]
    assert kinds(check(Answer(cut.text + " euros.", truncated=True), FERRY)) == ["claim", "claim"]


# -------------------------------------------------------------------------------------------------------- scope="block"
@pytest.mark.parametrize(
    ("text", "uncited"),
    [
        ("Dogs ride free. Cats too [2].", []),
        ("Dogs ride free [2]. Cats too.", ["Cats too."]),
        ("Dogs ride free.\nCats too.\n[2]", []),
        ("Dogs ride free. Cats too [2].\n\nBikes pay.", ["Bikes pay."]),
        ("The rules [2]:\n- Dogs ride free.\n- Cats too.\n\nBikes pay.", ["Bikes pay."]),
        ("The rules: [2]\n- Dogs ride free.", []),
        ("The rules [2]:\n- Pets\n  - Dogs ride free.\n- Cats too.", []),
        ("The rules:\n- Dogs ride free.\n- Cats too [2].", ["Dogs ride free."]),
        ("- Pets [2]:\n  - Dogs ride free.\n- Bikes pay.", ["Bikes pay."]),
        ("## Rules [2]\n\n- Dogs ride free.", []),
    ],
)
def test_a_marker_can_cover_its_block(text, uncited):
    assert [s.text for s in check(text, FERRY, scope="block").uncited_sentences] == uncited


def test_under_sentence_scope_it_does_not():
    assert [s.text for s in check("Dogs ride free. Cats too [2].", FERRY).uncited_sentences] == ["Dogs ride free."]


def test_a_covering_marker_counts_for_the_score_only_if_it_is_valid():
    assert check("Dogs ride free. Cats too [9].", FERRY, scope="block").traceability_score == 0.0


# ---------------------------------------------------------------------------------------------- which marker a quote cites
def sources_of_quotes(result):
    return [(q.text, list(q.sources)) for q in result.quotes]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '"Dogs travel free" [2] and "Bicycles cost 4 euros" [3].',
            [("Dogs travel free", [1]), ("Bicycles cost 4 euros", [2])],
        ),
        (
            '"Dogs travel free" and "Bicycles cost 4 euros" [2, 3].',
            [("Dogs travel free", [1, 2]), ("Bicycles cost 4 euros", [1, 2])],
        ),
        ('As [2] says, "Dogs travel free" everywhere.', [("Dogs travel free", [1])]),
        ('"Dogs travel free [2]" here.', [("Dogs travel free [2]", [1])]),
        ('"Dogs travel free". Bikes pay [3].', []),
        ('"Dogs travel free" [9].', [("Dogs travel free", [])]),
        ('"Dogs travel free" [1][2].', [("Dogs travel free", [0, 1])]),  # one run of markers
    ],
)
def test_a_quote_belongs_to_the_marker_after_it(text, expected):
    assert sources_of_quotes(check(text, FERRY)) == expected


def test_a_quote_is_looked_up_without_the_markers_in_it():
    [quote] = check('"Dogs travel free of charge [2] on all ferries".', FERRY).quotes
    assert quote.found


def test_short_quotes_are_not_judged():
    text = 'It is "free" [2].'
    [quote] = check(text, FERRY).quotes
    assert (quote.status, quote.warnings) == ("unverifiable", ("too_short",))
    assert [q.status for q in check(text, FERRY, min_quote=4).quotes] == ["verbatim"]


def test_a_cjk_character_counts_for_two():
    assert [q.status for q in check("「犬は無料」とある[1]。", ["犬は無料です。"]).quotes] == ["verbatim"]


def test_of_a_document_in_chunks_the_one_with_the_quote_is_cited():
    chunks = [Source("Open the valve slowly.", id="guide.pdf"), Source("Close it after every use.", id="guide.pdf")]
    [citation] = check('It says "Close it after every use" [guide.pdf].', chunks).citations
    assert (citation.source, citation.sources) == (1, (0, 1))


# ------------------------------------------------------------------------------------------------- citations that are data
def given(*citations, text="Dogs ride free. Bikes pay.", sources=FERRY):
    return check(Answer(text, citations=tuple(citations)), sources)


def test_a_citation_with_a_span_counts_for_every_sentence_that_it_overlaps():
    assert cited(given(ProviderCitation("2", 0, 15))) == [["2"], []]
    assert cited(given(ProviderCitation("2", 5, 20))) == [["2"], ["2"]]


@pytest.mark.parametrize(
    ("place", "expected"), [(15, [["2"], []]), (14, [["2"], []]), (26, [[], ["2"]]), (20, [[], ["2"]])]
)
def test_an_insertion_point_counts_for_the_sentence_in_or_after_which_it_stands(place, expected):
    assert cited(given(ProviderCitation("2", place, place))) == expected


def test_a_citation_on_a_marker_is_that_markers_resolution():
    result = given(ProviderCitation("3", 15, 18), text="Dogs ride free [1].")
    assert [(c.reference, c.source, c.marker) for c in result.citations] == [("3", 2, 0)]


def test_a_citation_over_text_and_marker_is_one_citation():
    result = given(ProviderCitation("1", 0, 19), text="Dogs ride free [1].")
    assert len(result.citations) == 1


def test_without_a_place_sentences_cannot_be_called_uncited():
    result = given(ProviderCitation("2", quote="Dogs travel free"))
    assert (result.uncited_sentences, result.traceability_score, len(result.citations)) == (None, None, 1)
    assert [(q.status, q.citation) for q in result.quotes] == [("verbatim", 0)]


def test_without_a_place_but_with_markers_that_cite_the_same_it_is_that_marker():
    result = given(ProviderCitation("2", quote="Dogs travel free"), text="Dogs ride free [2].")
    assert (len(result.citations), result.traceability_score) == (1, 1.0)
    assert result.quotes[0].citation == 0


@pytest.mark.parametrize(
    ("citation", "source"),
    [
        (ProviderCitation("x", 0, 4, sent_source=2), 2),
        (ProviderCitation("x", 0, 4, id="b"), 1),
        (ProviderCitation("x", 0, 4, url="https://a.example/2"), 1),
        (ProviderCitation("x", 0, 4, url="https://a.example/2/"), 1),
        (ProviderCitation("x", 0, 4, title="Pet rules"), 1),
        (ProviderCitation("2", 0, 4), 1),
        (ProviderCitation("Pet rules", 0, 4), 1),
        (ProviderCitation("2", 0, 4, sent_source=7), None),
        (ProviderCitation("nothing", 0, 4), None),
        (ProviderCitation("x", 0, 4, payload_source=1), None),
    ],
)
def test_which_source_a_given_citation_means(citation, source):
    sources = [
        Source(FERRY[0], id="a"),
        Source(FERRY[1], id="b", title="Pet rules", url="https://a.example/2"),
        Source(FERRY[2], id="c"),
    ]
    assert [c.source for c in given(citation, sources=sources).citations] == [source]


def test_a_position_among_the_payloads_own_sources():
    answer = Answer(
        "Dogs ride free.", citations=(ProviderCitation("x", 0, 4, payload_source=1),), sources=tuple(map(Source, FERRY))
    )
    assert [c.source for c in check(answer).citations] == [1]


def test_the_quote_of_an_incomplete_citation_is_not_judged():
    assert given(ProviderCitation("2", quote="Dogs travel fr", complete=False)).quotes == ()


def test_structured_quotes_keep_their_origin():
    [quote] = check({"answer": "Dogs.", "citations": [{"source": 2, "quote": "Dogs travel free"}]}, FERRY).quotes
    assert (quote.origin, quote.start, quote.status) == ("structured", None, "verbatim")


def test_an_empty_structured_quote_is_unverifiable():
    [quote] = check({"answer": "Dogs.", "citations": [{"source": 2, "quote": ""}]}, FERRY).quotes
    assert quote.status == "unverifiable"


# ------------------------------------------------------------------------------------------------------------------ numbers
IDS = [Source("a", id=10), Source("b", id=20), Source("c", id=30)]


@pytest.mark.parametrize(
    ("text", "sources", "unsure"),
    [
        ("So [10] and [30].", [0, 2], False),
        ("So [1] and [3].", [0, 2], True),
        ("So [1] and [10].", [None, 0], False),
        ("So [1] and [9].", [None, None], False),
    ],
)
def test_numbers_mean_ids_unless_none_is_one_and_all_are_positions(text, sources, unsure):
    result = check(text, IDS)
    assert [c.source for c in result.citations] == sources
    assert ("numbering_unsure" in [a.code for a in result.alerts]) is unsure


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("So [0].", [0]),
        ("So [2].", [2]),
        ("So [3].", [None]),
        ("So [0-2].", [0, 1, 2]),
        ("So [ID:0].", [0]),
        ("So ##0$$.", [0]),
        ("So <co: 0>x</co: 0>.", [0]),
    ],
)
def test_numbers_from_zero(text, expected):
    assert [c.source for c in check(text, FERRY, first_number=0).citations] == expected


# ------------------------------------------------------------------------------------------------------------ closing lists
def test_a_closing_list_cites_nothing_and_claims_nothing():
    result = check("Dogs ride free [2].\n\nSources:\n[1] Timetable\n[2] Pet rules\n[7] Cats", FERRY)
    assert (len(result.citations), len(result.sentences), result.traceability_score) == (1, 1, 1.0)
    assert [(e.label, e.source, e.status) for e in result.reference_list] == [
        ("1", 0, "valid"),
        ("2", 1, "valid"),
        ("7", None, "unknown"),
    ]
    assert result.unused_sources == (0, 2)


def test_entries_are_matched_by_link_or_name_before_their_number():
    sources = [Source("a", title="Timetable", url="https://a.example/t"), Source("b", title="Pet rules")]
    text = "Dogs ride free [2].\n\nSources:\n1. Pet rules\n2. [Our times](https://a.example/t)\n3. Nothing"
    assert [(e.label, e.source) for e in check(text, sources).reference_list] == [("1", 1), ("2", 0), ("3", None)]


def test_a_list_without_markers_gives_no_score():
    result = check("Dogs ride free.\n\nSources:\n- Pet rules", [Source("b", title="Pet rules")])
    assert (result.placed, result.traceability_score, result.uncited_sentences) == (False, None, None)


def test_spans_of_closing_list_entries_give_their_line():
    result = check("Dogs [2].\n\nSources:\n  [1] Timetable  \n- [2] Pet rules", FERRY)
    assert [result.text[e.start : e.end] for e in result.reference_list] == ["[1] Timetable", "- [2] Pet rules"]


# ----------------------------------------------------------------------------------------------------------- contradictions
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The sources contradict each other [1][2].", "stated"),
        ("Les sources se contredisent [1][2].", "stated"),
        ("Die Quellen widersprechen sich [1][2].", "stated"),
        ("The return period is 14 days [1]. The return period is 30 days [2].", "figures"),
        (
            "Big parcels stay for 14 days [1]. Small letters stay for 14 days [2]. Small letters stay for 30 days [1].",
            "figures",
        ),
        (
            "".join(f"Item {c} stays there for 14 days [1]. " for c in "abcdefghijk")
            + "Item a stays there for 30 days [2].",
            "figures",
        ),
        ("Le délai de retour est de 14 jours [1]. Le délai de retour est de 30 jours [2].", "figures"),
        ("The return period is 14 days [1]. The return period is 30 days [1].", None),
        ("The return period is 14 days [1]. The return period is 14 days [2].", None),
        ("The return period is 14 days [1]. The warranty period is 30 days [2].", None),
        ("The free plan allows 5 users [1]. The paid plan allows 50 users [2].", None),
        ("The return period is 14 days. The return period is 30 days [2].", None),
    ],
)
def test_contradictions(text, kind):
    found = [a.params["kind"] for a in check(text, FERRY).alerts if a.code == "contradiction"]
    assert found == ([kind] if kind else [])


# ---------------------------------------------------------------------------------------------------------------- reasoning
def test_reasoning_is_no_part_of_the_answer():
    result = check("<think>Maybe [3] says so. [1]</think>\nDogs are free [2].", FERRY)
    assert (result.text.strip(), [c.reference for c in result.citations]) == ("Dogs are free [2].", ["2"])


def test_json_inside_a_response():
    payload = {
        "message": {"content": json.dumps({"answer": "Dogs [2].", "citations": []})},
        "done": True,
        "done_reason": "stop",
    }
    result = check(payload, FERRY)
    assert (result.text, result.answer.structured) == ("Dogs [2].", True)


FAQS = [Source("a", title="FAQ", version="3.1"), Source("b", title="FAQ", version="3.2"), Source("c", title="Fees")]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("- FAQ", ("ambiguous", None)),
        ("- FAQ v3.2", ("valid", 1)),
        ("[2] FAQ", ("valid", 1)),
        ("[3] FAQ", ("ambiguous", None)),
        ("- Fees", ("valid", 2)),
    ],
)
def test_entries_of_closing_lists_are_matched_like_names(entry, expected):
    (found,) = check(f"Dogs are free.\n\nSources:\n{entry}", FAQS).reference_list
    assert (found.status, found.source) == expected
