"""Scores and alerts: each alert is raised when it should be, once, and not otherwise."""

import json

import pytest

from ragcite_nb import messages
from ragcite_nb.check import check
from ragcite_nb.models import FAIL_ON, Answer, ProviderCitation, Source
from ragcite_nb.score import FULLY, SEVERITY, WEAK, traceability

FERRY = [
    "The ferry leaves at 07:40 on weekdays.",
    "Dogs travel free of charge on all ferries.",
    "Bicycles cost 4 euros per crossing.",
]
FAQS = [Source("a", title="FAQ v3.1"), Source("b", title="FAQ v3.2")]
PAGED = [Source("a", page=3), Source("b", page=4)]
LINKED = [Source("a", url="https://a.example")]
GOOD = "The boat leaves at 07:40 [1]. Dogs ride free [2]. Bikes cost 4 euros [3]."

# Code → (answer, sources) that raises it, and one that is near and does not.
RAISED = {
    "invalid_citation": (("Dogs ride free [7].", FERRY), ("Dogs ride free [3].", FERRY)),
    "quote_altered": (('It says "Bicycles cost 5 euros per crossing" [3].', FERRY), ('It says "Bicycles cost 4 euros per crossing" [3].', FERRY)),
    "quote_absent": (('It says "cats must stay at home" [2].', FERRY), ('It says "free" [2].', FERRY)),
    "no_sources": (("Dogs ride free [1].", None), ("Dogs ride free [1].", ["a"])),
    "weakly_sourced": (("Dogs ride free [2]. Cats too. Bikes pay.", FERRY), ("Dogs ride free [2]. Bikes pay.", FERRY)),
    "no_citations": (("Dogs ride free.", FERRY), ("Dogs ride free [9].", FERRY)),
    "truncated": ((Answer("Dogs ride free [2].", truncated=True, finish_reason="length"), FERRY), (Answer("Dogs ride free [2]."), FERRY)),
    "quote_elsewhere": (('It says "Dogs travel free of charge" [1].', FERRY), ('It says "Dogs travel free of charge" [2].', FERRY)),
    "ambiguous_citation": (("It is so [FAQ].", FAQS), ("It is so [FAQ v3.1].", FAQS)),
    "malformed_marker": (("Dogs ride free [2b].", FERRY), ("Dogs ride free [30S].", FERRY)),
    "unknown_reference": (("Dogs [2].\n\nSources:\n[2] Pets\n[9] Cats", FERRY), ("Dogs [2].\n\nSources:\n[2] Pets\n[3] Cats", FERRY)),
    "url_mismatch": (("Dogs [1](https://b.example).", LINKED), ("Dogs [1](http://www.a.example/?utm_source=openai#dogs).", LINKED)),
    "locator_mismatch": (("Dogs [1, p. 9].", PAGED), ("Dogs [1, pp. 2-3].", PAGED)),
    "numbering_unsure": (("Dogs [0] and cats [1].", FERRY), ("Dogs [1] and cats [2].", FERRY)),
    "position_unsure": ((Answer("Dogs.", citations=(ProviderCitation("1"),), misplaced=1), FERRY), (Answer("Dogs.", citations=(ProviderCitation("1"),)), FERRY)),
    "leaked_markup": (("[cite_start]Dogs ride free[cite: 2].", FERRY), ("Dogs ride free[cite: 2].", FERRY)),
    "duplicate_source": (("Dogs [1].", ["one text", "one text"]), ("Dogs [1].", ["one text", "other text"])),
    "refusal": ((Answer("", refusal="I cannot help."), FERRY), (Answer("I cannot help."), FERRY)),
    "empty_answer": ((" \n", FERRY), ("-", FERRY)),
    "abstention_with_citation": (("The documents do not mention cats [2].", FERRY), ("The documents do not mention cats.", FERRY)),
    "contradiction": (("The fee is about 4 euros here [1]. The fee is about 5 euros here [2].", FERRY), (GOOD, FERRY)),
    "uncited_claims": (("Dogs ride free [2]. Cats too.", FERRY), ("Dogs ride free [2]. Really?", FERRY)),
    "unused_sources": (("Dogs ride free [2].", FERRY), (GOOD, FERRY)),
    "abstention": (("The documents do not mention cats.", FERRY), ("The documents do not mention cats. Dogs ride free [2].", FERRY)),
    "partial_information": (("The documents only contain partial information about dogs [2].", FERRY), (GOOD, FERRY)),
    "unplaced_citations": (({"answer": "Dogs.", "citations": [{"source": 2}]}, FERRY), ({"answer": "Dogs [2].", "citations": [{"source": 2}]}, FERRY)),
    "footer_only": (("Dogs ride free.\n\nSources:\n[2] Pets", FERRY), ("Dogs ride free [2].\n\nSources:\n[2] Pets", FERRY)),
    "quote_near": (('It says "Dogs travell free of charge on all feries" [2].', FERRY), ('It says "Dogs travel free of charge on all ferries" [2].', FERRY)),
}  # fmt: skip


def codes(result):
    return [a.code for a in result.alerts]


def test_every_alert_has_a_case_here_and_words_in_every_language():
    assert set(RAISED) == set(SEVERITY)


@pytest.mark.parametrize("code", RAISED)
def test_alert_is_raised_once(code):
    answer, sources = RAISED[code][0]
    assert codes(check(answer, sources)).count(code) == 1


@pytest.mark.parametrize("code", RAISED)
def test_alert_is_not_raised_by_its_look_alike(code):
    answer, sources = RAISED[code][1]
    assert code not in codes(check(answer, sources))


@pytest.mark.parametrize("locale", messages.LOCALES)
@pytest.mark.parametrize("code", RAISED)
def test_alert_is_worded_out(code, locale):
    """Message and meaning are filled in, nothing of the pattern is left, and all of it is JSON."""
    answer, sources = RAISED[code][0]
    [alert] = [a for a in check(answer, sources, locale=locale).alerts if a.code == code]
    for text in (alert.message, alert.meaning):
        assert text.strip()
        assert "{" not in text
        assert "None" not in text
    assert alert.severity == SEVERITY[code]
    json.dumps(dict(alert.params), allow_nan=False)


def test_a_good_answer_raises_nothing():
    result = check(GOOD, FERRY)
    assert (codes(result), result.traceability_score, result.fully_sourced) == ([], 1.0, True)


def test_alerts_come_in_the_order_of_gravity():
    result = check('Dogs "ride for a fee" [2] or [7]. Cats stay. Bats fly.', FERRY)
    order = {"error": 0, "warning": 1, "info": 2}
    assert len(result.alerts) > 3
    assert [order[a.severity] for a in result.alerts] == sorted(order[a.severity] for a in result.alerts)


@pytest.mark.parametrize(
    ("code", "answer", "sources", "params"),
    [
        ("invalid_citation", "Dogs [7] and cats [9] [7].", FERRY, {"count": 3, "citation": "[7], [9]", "sources": 3}),
        ("invalid_citation", "Dogs [1, 7].", FERRY, {"count": 1, "citation": "[7]"}),
        ("invalid_citation", "Dogs [Source: Cats].", FERRY, {"count": 1, "citation": "[Source: Cats]"}),
        ("ambiguous_citation", "So [FAQ].", FAQS, {"count": 1, "citation": "[FAQ]", "sources": "FAQ v3.1, FAQ v3.2"}),
        ("quote_elsewhere", 'It says "Dogs travel free of charge" [1].', FERRY, {"citation": "[1]", "source": "1", "elsewhere": "2"}),
        ("quote_altered", 'It says "Bicycles cost 5 euros per crossing" [3].', FERRY, {"citation": "[3]", "source": "3", "found": "Bicycles cost 4 euros per crossing"}),
        ("weakly_sourced", "Dogs [2]. Cats ride. Bikes pay.", FERRY, {"percent": 33, "cited": 1, "claims": 3}),
        ("no_citations", "Dogs ride. Bikes pay.", FERRY, {"claims": 2}),
        ("uncited_claims", "Dogs [2]. Cats ride.", FERRY, {"count": 1, "claims": 2}),
        ("unused_sources", "Dogs [2].", FERRY, {"count": 2, "label": "1, 3", "sources": 3}),
        ("truncated", Answer("Dogs [2].", truncated=True, finish_reason="max_tokens"), FERRY, {"reason": "max_tokens"}),
        ("malformed_marker", "Dogs [2b], cats [1", FERRY, {"count": 2, "marker": "[2b], [1"}),
        ("url_mismatch", "Dogs [1](https://b.example).", LINKED, {"url": "https://b.example", "source": "1"}),
        ("locator_mismatch", "Dogs [1, p. 9].", PAGED, {"source": "1", "locator": "p. 9"}),
        ("unknown_reference", "Dogs [2].\n\nSources:\n[8] Bats\n[9] Cats", FERRY, {"count": 2, "label": "8, 9"}),
    ],
)  # fmt: skip
def test_alerts_name_citation_and_source(code, answer, sources, params):
    [alert] = [a for a in check(answer, sources).alerts if a.code == code]
    assert {name: alert.params[name] for name in params} == params


def test_a_citation_without_a_marker_is_named_by_its_number():
    result = check({"answer": "Dogs.", "citations": [{"source": 1, "quote": "cats stay at home"}]}, FERRY)
    [alert] = [a for a in result.alerts if a.code == "quote_absent"]
    assert (alert.params["citation"], alert.params["source"]) == ("#1", "1")


def test_quotes_are_alerted_one_by_one():
    result = check('"cats stay at home" [1] and "bats live in caves" [2].', FERRY)
    assert codes(result).count("quote_absent") == 2


def test_messages_follow_the_answers_language():
    result = check("Les chiens voyagent gratuitement sur tous les bateaux [7].", FERRY)
    assert result.locale == "fr"
    [alert] = [a for a in result.alerts if a.code == "invalid_citation"]
    assert alert.message.startswith("Citations invalides détectées")


@pytest.mark.parametrize(
    ("text", "score", "fully"),
    [
        (" ".join(["Dogs ride free [2]."] * 9 + ["Cats too."]), 0.9, True),
        (" ".join(["Dogs ride free [2]."] * 8 + ["Cats too."] * 2), 0.8, False),
        ("Dogs ride free [2] [2] [2].", 1.0, True),
        ("Dogs ride free [9].", 0.0, False),
        ("Dogs ride free [9] [2].", 1.0, True),
        ("Really?", None, False),
        ("", None, False),
    ],
)
def test_traceability_is_the_share_of_claims_with_a_valid_citation(text, score, fully):
    result = check(text, FERRY)
    assert (result.traceability_score, result.fully_sourced) == (score, fully)


def test_traceability_of_counts():
    assert [traceability(0, 0), traceability(4, 0), traceability(4, 3), traceability(4, 4)] == [None, 0.0, 0.75, 1.0]


def test_thresholds():
    assert (FULLY, WEAK) == (0.9, 0.5)
    assert "weakly_sourced" not in codes(check("Dogs ride free [2]. Cats too.", FERRY))


@pytest.mark.parametrize(
    ("text", "fail_on", "ok"),
    [
        (GOOD, FAIL_ON, True),
        ("Dogs [7].", FAIL_ON, False),
        ("Dogs [2].", FAIL_ON, True),
        ("Dogs [2].", ("unused_sources",), False),
        ("Dogs [2].", "unused_sources", False),
        ("Dogs [7].", (), True),
    ],
)
def test_ok_is_a_gate(text, fail_on, ok):
    assert check(text, FERRY).ok(fail_on=fail_on) is ok


def test_the_gate_fails_by_default_on_what_is_an_error():
    assert set(FAIL_ON) == {code for code, severity in SEVERITY.items() if severity == "error"}
