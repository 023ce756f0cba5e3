"""Hostile answers cost time in proportion to their length, and nothing but time."""

import importlib.util
import json
import time
from pathlib import Path

import pytest

from ragcite_nb.check import Checker, check

_SPEC = importlib.util.spec_from_file_location("hostile", Path(__file__).parent.parent / "benchmarks" / "hostile.py")
hostile = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(hostile)

LENGTH = 30_000
QUICK = 0.6
"""Seconds of CPU within which nothing of this length has grown out of proportion."""


@pytest.mark.parametrize("name", hostile.ALL)
def test_time_grows_with_length(name):
    """Four times the length takes about four times as long; sixteen times would be quadratic."""
    row = hostile.ALL[name]
    taken = hostile.seconds(row, LENGTH)
    if taken > QUICK:
        assert hostile.seconds(row, LENGTH, runs=2) < 9 * max(hostile.seconds(row, LENGTH // 4, runs=3), QUICK / 9)


def test_one_line_of_a_megabyte():
    started = time.process_time()
    result = check("The ferry leaves at seven [1] and goes on " * 25_000, ["x"])
    assert len(result.citations) == 25_000
    assert len(result.sentences) == 1
    assert time.process_time() - started < 20


def test_a_hundred_thousand_sentences():
    started = time.process_time()
    row = Checker().rows([("Dogs ride free [1]. " * 100_000, ["x"])])[0]
    assert row[:5] == (100_000, 0, 0, 1.0, 100_000)
    assert time.process_time() - started < 20


def test_huge_ranges_and_numbers_are_not_written_out():
    result = check("So [1-999999999], [7-4000000000], [99999999999999999999] and [1-2, 5-900000].", ["a", "b"])
    assert len(result.citations) < 20


def test_brackets_without_end_cite_nothing():
    text = (
        "[" * 50_000
        + "[1" * 20_000
        + "<a "
        + 'x="' * 20_000
        + "`" * 50_000
        + "\\[" * 20_000
        + "$x " * 20_000
        + "A. " * 20_000
    )
    started = time.process_time()
    assert check(text, ["a", "b", "c"]).citations == ()
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    "text",
    [
        "\ud800\udfff [1]. \udc00",
        "\0[1]\0. \0",
        "\u202e[1]\u202c [2].",
        "[\u200b1]\u200b. A\u0301[1].",
        "\ufeffDogs [1].\ufeff",
        "\x7f. \x7f[1]. \x7fA",
        "\x85[1]\u2028[1]\u2029\x0b\x0c\x1c[1]",
        "\ue200\ue201\ue202\ue203[1]",
        "Le plan B\u00a0. Suite\u3000. A\u2009. B\x1f.",
        "𝟙[𝟙] １. [１] ①[①] ²[²] ٣[٣]",
        "İ[1] ß ŉ ǰ ΐ. ﬁ[1]",
        "[1]" + "\u0300" * 500 + ". B",
    ],
)
def test_odd_characters_keep_spans_true(text):
    result = check(text, ["x\ud800", "\0"])
    assert "".join(result.text) == text.removeprefix("\ufeff") or result.text == text
    for marker in result.markers:
        assert result.text[marker.start : marker.end] == marker.raw
    for sentence in result.sentences:
        assert result.text[sentence.start : sentence.end] == sentence.text
    json.dumps(result.to_dict(), allow_nan=False)
