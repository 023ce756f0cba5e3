"""The data model: names of sources, options, alerts and plain data."""

import json
import math
from datetime import date
from pathlib import PurePosixPath

import pytest

from ragcite_nb.models import Alert, InputError, Options, QuoteCheck, Source
from ragcite_nb.models import plain as as_plain


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (Source("x"), None),
        (Source("x", id=7), "7"),
        (Source("x", id="a"), "a"),
        (Source("x", id="a", title="CGV"), "CGV"),
        (Source("x", title="CGV", version="2.1"), "CGV v2.1"),
        (Source("x", title="CGV", version="v2.1"), "CGV v2.1"),
        (Source("x", title="CGV v2.1", version="2.1"), "CGV v2.1"),
        (Source("x", title="", id="a"), "a"),
        (Source("x", url="https://a.example"), None),
    ],
)
def test_name_of_a_source(source, name):
    assert source.name == name


def quote(status, warnings=()):
    return QuoteCheck("x", None, None, "answer", None, (), status, (), None, None, None, None, warnings)


@pytest.mark.parametrize(
    ("status", "warnings", "found"),
    [
        ("verbatim", (), True),
        ("normalized", (), True),
        ("elided", (), True),
        ("elided", ("negation_in_gap",), False),
        ("near", (), False),
        ("altered", (), False),
        ("elsewhere", (), False),
        ("absent", (), False),
        ("unverifiable", (), False),
    ],
)
def test_what_counts_as_found(status, warnings, found):
    assert quote(status, warnings).found is found


def test_options_are_checked_when_they_are_made():
    with pytest.raises(InputError, match="scope='page'"):
        Options(scope="page")
    with pytest.raises(InputError, match="language='DE'"):
        Options(language="DE")
    with pytest.raises(TypeError, match="did you mean 'min_quote'"):
        Options.of({"min_quotes": 3})


def test_options_can_be_kept_in_sets():
    assert len({Options(), Options(first_number=1), Options(syntaxes=["paren"]), Options(syntaxes="paren")}) == 2


def test_an_input_error_is_a_value_error():
    assert issubclass(InputError, ValueError)


def test_an_alert_is_worded_in_its_language():
    french = Alert("invalid_citation", "error", {"count": 1, "citation": "[7]", "sources": 3}, "fr")
    assert french.message.startswith("Citations invalides détectées")
    assert "[7]" in french.message


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (math.nan, None),
        (math.inf, None),
        ((1, 2), [1, 2]),
        ({1: {2}}, {"1": [2]}),
        (date(2024, 1, 15), "2024-01-15"),
        (PurePosixPath("a/b"), "a/b"),
        (True, True),
        (None, None),
        ("\ud800", None),
    ],
)
def test_plain_data(value, expected):
    got = as_plain(value)
    json.dumps(got, allow_nan=False).encode()
    if expected is not None or value is None or isinstance(value, float):
        assert got == expected
