"""All that people read is there in three languages, with the same fields."""

import ast
import json
import re
from importlib.resources import files
from pathlib import Path

import pandas as pd
import pytest

import ragcite_nb as rc
from ragcite_nb.display.view import build_view
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


def _formats_of_the_reader() -> set[str]:
    """Every format that a reader may write into an answer."""
    found = set()
    for path in Path(str(files("ragcite_nb.read"))).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            values = []
            if (isinstance(node, ast.keyword) and node.arg == "format") or (
                isinstance(node, ast.Assign)
                and any(isinstance(t, ast.Attribute) and t.attr == "format" for t in node.targets)
            ):
                values = [node.value]
            for value in values:
                found |= {
                    part.value for part in ast.walk(value) if isinstance(part, ast.Constant) and "." in str(part.value)
                }
    return found


def test_every_format_has_a_name():
    formats = _formats_of_the_reader()
    assert len(formats) > 10
    assert formats <= set(catalog("view", "en")["format"])


@pytest.mark.parametrize(
    ("sources", "how"),
    [
        (["a"], "strings"), ([{"text": "a"}], "objects"), ('["a"]', "JSON array of strings"), ('[{"text": "a"}]', "JSON array of objects"),
        ('{"x": "a"}', "JSON object"), ("['a']", "list of strings, printed by Python"), ("a\n---\nb", "blocks between lines of ---"),
        ("a\n\nb", "paragraphs"), ({"x": "a"}, "labels and texts"), (pd.DataFrame({"text": ["a"]}), "table"),
    ],
)  # fmt: skip
def test_every_way_of_reading_sources_has_a_name(sources, how):
    assert f"({how})" in build_view(rc.check("A [1].", sources))["reading"]
