from string import Formatter

import pytest

from ragcite_nb import messages
from ragcite_nb.report import report
from ragcite_nb.reporting.numerals import counted, percent, points, probability, signed, whole
from ragcite_nb.score import SEVERITY


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    else:
        yield path, value


@pytest.mark.parametrize("locale", messages.LOCALES)
def test_every_locale_says_the_same_things_with_the_same_fields(locale):
    english = dict(leaves(messages.catalog("report", "en")))
    other = dict(leaves(messages.catalog("report", locale)))
    assert set(other) == set(english)
    for path, text in other.items():
        fields = {name for _, name, _, _ in Formatter().parse(text) if name}
        expected = {name for _, name, _, _ in Formatter().parse(english[path]) if name}
        assert fields == expected, path


@pytest.mark.parametrize("locale", messages.LOCALES)
def test_every_alert_has_a_short_name_and_a_meaning_without_an_answer(locale):
    assert set(messages.catalog("report", locale)["alert"]) == set(SEVERITY)
    for code in SEVERITY:
        assert messages.text("alerts", code, locale, part="meaning", reason="…", count=2)


def test_the_summary_in_full(two_models):
    assert str(report(two_models, by="model")).splitlines() == [
        "Citation report: 80 responses · by model · the same questions compared (column question)",
        "  55% of the responses are fully cited (95% interval: 44.1% to 65.4%); their mean traceability is 80.6%.",
        "  Every citation fits one of the given sources.",
        "  1 difference between groups is more than noise.",
        "  Traceability: b is lower than a, by 26.2 points (93.8% → 67.5%, 40 shared questions)",
        "",
        "  Fully cited      44  55%",
        "  Partially cited  36  45%",
        "  Weakly cited     0   0%",
        "",
        "Groups",
        "  a  40 responses  93.8%  88% to 96.8%",
        "  b  40 responses  67.5%  59.4% to 74.7%",
        "  a → b  Traceability  −26.2 points  b is lower  (chance < 0.1%, 40 shared questions)",
        "",
        messages.text("view", "caveat", "en"),
    ]


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "0%"), (1, "100%"), (0.5, "50%"), (0.1234, "12.3%"), (0.00001, "0.1%"), (0.99999, "99.9%"), (None, "–")],
)
def test_a_share_is_none_or_all_only_if_it_is(share, text):
    assert percent(share, "en") == text


def test_numbers_by_locale():
    assert [whole(1234567, locale) for locale in ("en", "de")] == ["1,234,567", "1.234.567"]
    assert counted(1, 8, "fr") == "1 (12,5\u202f%)"
    assert points(0.01, "en") == "+1 point"
    assert points(-0.125, "de", sign=False) == "12,5 Punkte"
    assert signed(-0.5, "en") == "−50"
    assert probability(0, "en") == "< 0.1%"
