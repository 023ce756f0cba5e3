"""Prompt templates: complete in every language, replaceable by one's own."""

from __future__ import annotations

import json
import re

import pytest

from ragcite_nb.models import InputError
from ragcite_nb.write.templates import LANGUAGES, RULES, STYLES, fill, templates_for


def keys(value, where=""):
    """Paths of all keys, but for what an example's sources hold."""
    if isinstance(value, dict) and not where.endswith(".sources"):
        return {where} | {k for name, v in value.items() for k in keys(v, f"{where}.{name}")}
    return {where}


def fields(value):
    if isinstance(value, dict):
        return {name: fields(v) for name, v in value.items() if name != "example" or isinstance(v, str)}
    if isinstance(value, list):
        return [fields(v) for v in value]
    return set(re.findall(r"\{([a-z_]+)\}", str(value)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_is_missing(language):
    templates = templates_for(language)
    assert keys(templates_for("en")) == keys(templates)
    assert set(STYLES) == set(templates["styles"])
    assert set(RULES) == set(templates["rules"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_template_has_the_same_fields(language):
    assert fields(templates_for("en")) == fields(templates_for(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_principles_are_not_lost_in_translation(language):
    assert len(templates_for("en")["principles"]) == len(templates_for(language)["principles"])


def test_own_templates_replace_single_texts():
    own = {"styles": {"numbered": {"form": ["Use [n]."]}}, "rules": {"partial": "Say what is missing."}}
    merged = templates_for("en", own)
    assert merged["styles"]["numbered"]["form"] == ["Use [n]."]
    assert merged["styles"]["named"] == templates_for("en")["styles"]["named"]
    assert templates_for("en")["rules"]["partial"] != "Say what is missing.", "the shipped ones stay as they are"


def test_own_templates_come_from_a_file(tmp_path):
    path = tmp_path / "own.json"
    path.write_text(json.dumps({"user": "{question} {context}"}), encoding="utf-8")
    assert templates_for("de", path)["user"] == "{question} {context}"
    assert templates_for("de", str(path))["user"] == "{question} {context}"


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ({"sistem": "x {form}"}, "did you mean 'system'"),
        ({"styles": {"nummbered": {}}}, "did you mean 'numbered'"),
        ({"user": "{question}"}, r"\{context\} is missing"),
        ({"system": 3}, "a text is expected, a int"),
        ({"principles": "one"}, "a list is expected"),
        ({"styles": "numbered"}, "an object is expected"),
    ],
)
def test_bad_templates_are_named(own, message):
    with pytest.raises(InputError, match=message):
        templates_for("en", own)


def test_bad_files_are_named(tmp_path):
    path = tmp_path / "own.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be read as a JSON file"):
        templates_for("en", path)
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(InputError, match="an object is expected"):
        templates_for("en", path)
    with pytest.raises(InputError, match="cannot be read"):
        templates_for("en", tmp_path / "none.json")


def test_unknown_language_names_those_there_are():
    with pytest.raises(InputError, match="'en', 'fr', 'de'"):
        templates_for("es")


def test_filling_is_one_pass():
    assert fill("{question}: {context}", question="{context}", context="C") == "{context}: C"
