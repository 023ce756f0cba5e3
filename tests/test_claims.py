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
