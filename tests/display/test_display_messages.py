"""All that people read is there in three languages, with the same fields."""

import json
import re
from importlib.resources import files

import pytest

from ragcite_nb.messages import LOCALES, catalog, text
from ragcite_nb.score import SEVERITY


def leaves(value, path=()):
    if isinstance(value, dict):
        return {name: leaf for key, each in value.items() for name, leaf in leaves(each, (*path, key)).items()}
    return {path: value}


@pytest.mark.parametrize("section", ["view", "alerts"])
def test_locales_have_the_same_keys_and_fields(section):
    english = leaves(catalog(section, "en"))
    for locale in LOCALES:
        other = leaves(catalog(section, locale))
        assert other.keys() == english.keys()
        for key, message in other.items():
            if key[-1] != "one":  # "1 citation" may or may not repeat the number
                assert set(re.findall(r"{(\w+)}", message)) == set(re.findall(r"{(\w+)}", english[key])), key


@pytest.mark.parametrize("section", ["view", "alerts"])
@pytest.mark.parametrize("locale", LOCALES)
def test_files_are_canonical_json(section, locale):
    raw = files("ragcite_nb.messages").joinpath(f"{section}.{locale}.json").read_text(encoding="utf-8")
    assert raw == json.dumps(json.loads(raw), ensure_ascii=False, indent=2) + "\n"


def test_every_alert_is_worded_and_no_other():
    assert catalog("alerts", "en").keys() == SEVERITY.keys()


@pytest.mark.parametrize("locale", LOCALES)
def test_french_and_german_have_their_own_words(locale):
    if locale != "en":
        same = {
            key
            for key, message in leaves(catalog("alerts", locale)).items()
            if message == leaves(catalog("alerts", "en"))[key]
        }
        assert same == set()


def test_french_typography():
    for section in ("view", "alerts"):
        for key, message in leaves(catalog(section, "fr")).items():
            assert not re.search(r"(?<=\w) [;:!?%»]|« |\w'\w", message), key


TITLES = {
    "invalid_citation": "Citations invalides détectées",
    "weakly_sourced": "Réponse faiblement sourcée",
    "contradiction": "Sources contradictoires utilisées",
}


@pytest.mark.parametrize(("code", "title"), TITLES.items())
def test_titles_that_users_know(code, title):
    params = dict.fromkeys(("citation", "sources", "percent", "cited", "claims", "first", "second"), "x")
    for count in (1, 2):
        assert text("alerts", code, "fr", part="message", count=count, **params).startswith(title)
