"""The lists of asides, abstentions and the like recognise what they should, and nothing else."""

import json
from pathlib import Path

import pytest

from ragcite_nb.check import check
from ragcite_nb.claims import ABSTENTION, ASIDE, CONTRADICTION, PARTIAL, claim_rules, core_of

FLAGS = {"abstention": ABSTENTION, "partial": PARTIAL, "contradiction": CONTRADICTION, "aside": ASIDE}
PHRASES = [
    json.loads(line)
    for line in Path(__file__).with_name("cases").joinpath("phrases.jsonl").read_text("utf-8").splitlines()
]


def recognised(language, text):
    rules = claim_rules(language)
    core = core_of(text)
    possible = rules.possible(text)
    if rules.may_be_aside(core):
        possible |= ASIDE
    return rules.flags(core, possible)


@pytest.mark.parametrize("phrase", PHRASES, ids=lambda p: f"{p['language']}-{p['kind']}-{p['text'][:40]}")
def test_phrases_are_told_apart(phrase):
    """Each list matches its phrases, cues and first words included, and none of their look-alikes."""
    assert bool(recognised(phrase["language"], phrase["text"]) & FLAGS[phrase["kind"]]) is phrase["matches"]


def kinds(text):
    return [s.kind for s in check(text, ["Text.", "Text."]).sentences]


@pytest.mark.parametrize("text", ["Non mentionné.", "Information non disponible.", "Unbekannt.", "Not stated."])
def test_a_refusal_too_short_to_tell_its_language_is_one_in_any(text):
    assert kinds(text) == ["abstention"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The sources describe the process but do not specify the duration.", "abstention"),
        ("The sources describe the process [1] but do not specify the duration.", "claim"),
        ("The document states that dogs ride free but does not mention cats.", "claim"),
    ],
)
def test_sources_that_only_have_a_topic_state_nothing(text, kind):
    assert kinds(text) == [kind]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('Customers often ask, "Is it free?"', "claim"),
        ('The leaflet is titled "What is diabetes?" [1]', "claim"),
        ("La page s'intitule « Que faire en cas de panne ? » [1]", "claim"),
        ("Er fragte: „Ist es frei?“", "claim"),
        ("第3章题为“什么是糖尿病？”[1]", "claim"),
        ('The CEO said "We will refund everyone:" [1]', "claim"),
        ('"Is it free?"', "question"),
        ("“Is it free?” [1]", "question"),
        ("„Ist es frei?“", "question"),
        ('Question 1: "Is it free?"', "question"),
        ("_" * 700 + 'a "Is it free?"', "question"),
        ('Did she ask, "Is it free?"', "question"),
        ('It has "many" parts:', "lead_in"),
    ],
)
def test_a_sentence_that_ends_in_a_quoted_question_asks_nothing(text, kind):
    assert kinds(text) == [kind]


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Best regards,\nThe Support Team", "aside"),
        ("Kind regards,\n\nAnna Miller\nAcme Ltd", "aside"),
        ("Mit freundlichen Grüßen\nIhr Support-Team", "aside"),
        ("Cordialement,\nL'équipe du support", "aside"),
        ("Best regards,\nDogs ride free.", "claim"),
        ("Best regards,\nThe Support Team [1]", "claim"),
        ("Thanks for asking!\nDogs ride free", "claim"),
    ],
)
def test_who_signs_claims_nothing(text, last):
    assert kinds(f"Dogs ride free [1].\n\n{text}")[-1] == last
