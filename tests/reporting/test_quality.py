import json

import pytest

from ragcite_nb.models import InputError
from ragcite_nb.quality import THRESHOLDS, check_quality
from ragcite_nb.report import report

OFF = dict.fromkeys(THRESHOLDS)


def codes(alerts):
    return [alert.code for alert in alerts]


def batch(checked, size, bad=0, **row):
    """``size`` good rows, the first ``bad`` of them changed."""
    return checked([{"question": i, **(row if i < bad else {})} for i in range(size)])


def test_a_good_batch_raises_nothing(checked):
    assert check_quality(batch(checked, 50)) == ()


def test_an_empty_batch_is_an_error(checked):
    (alert,) = check_quality(checked([]))
    assert (alert.code, alert.severity) == ("no_responses", "error")
    assert "empty" in alert.message


@pytest.mark.parametrize(
    ("code", "severity", "row"),
    [
        ("weakly_cited", "warning", {"traceability_score": 0.25}),
        ("without_citations", "warning", {"traceability_score": 0.0, "valid_citations": 0}),
        ("invalid_citations", "error", {"invalid_citations": 3}),
        ("altered_quotes", "error", {"cite_alerts": "quote_altered"}),
        ("absent_quotes", "error", {"cite_alerts": "quote_absent"}),
        ("contradictions", "warning", {"cite_alerts": "contradiction"}),
        ("truncated", "warning", {"cite_truncated": True}),
        ("errors", "error", {"cite_error": "broken"}),
    ],
)
def test_each_share_has_its_bar(checked, code, severity, row):
    """At the bar is still good; one response more is not."""
    most = 5
    assert check_quality(batch(checked, 100, most, **row), **OFF | {code: 0.05}) == ()
    (alert,) = check_quality(batch(checked, 100, most + 1, **row), **OFF | {code: 0.05})
    assert (alert.code, alert.severity) == (code, severity)
    assert (alert.count, alert.total, alert.value, alert.threshold) == (6, 100, 0.06, 0.05)
    assert alert.message.startswith("6 of 100 ")
    assert "at most 5%" in alert.message


def test_one_altered_quote_is_too_much_by_default(checked):
    alerts = check_quality(batch(checked, 1000, 1, cite_alerts="quote_altered"))
    assert codes(alerts) == ["altered_quotes"]


def test_the_mean_has_a_floor(checked):
    alerts = check_quality(batch(checked, 10, 10, traceability_score=0.7))
    assert codes(alerts) == ["mean_traceability"]
    assert alerts[0].message == "Mean traceability is 70%; at least 80% is expected."


def test_errors_come_first(mixed):
    severities = [alert.severity for alert in check_quality(mixed)]
    assert severities == sorted(severities)
    assert {"error", "warning"} == set(severities)


def test_a_threshold_can_be_turned_off(mixed):
    assert check_quality(mixed, **OFF) == ()


def test_a_drop_against_the_baseline_beyond_noise(checked):
    alerts = check_quality(batch(checked, 60, 30, traceability_score=0.5), baseline=batch(checked, 60), **OFF)
    assert codes(alerts) == ["drop"]
    drop = alerts[0]
    assert drop.comparison.paired
    assert (drop.value, drop.threshold, drop.severity) == (0.75, 1.0, "error")
    assert drop.message == "Traceability went from 100% to 75% (−25 points), which is more than noise."


def test_more_invalid_citations_are_a_drop_too(checked):
    alerts = check_quality(batch(checked, 60, 20, invalid_citations=1), baseline=batch(checked, 60), **OFF)
    assert [alert.comparison.outcome for alert in alerts] == ["invalid_citations"]


def test_a_small_change_is_noise_and_a_rise_is_no_drop(checked):
    good, less = batch(checked, 60), batch(checked, 60, 2, traceability_score=0.5)
    much_less = batch(checked, 60, 40, traceability_score=0.5)
    assert check_quality(less, baseline=good, **OFF) == ()
    assert check_quality(good, baseline=much_less, **OFF) == ()


def test_a_baseline_with_other_questions_is_compared_as_a_whole(checked):
    base = batch(checked, 60).assign(question=[f"other {i}" for i in range(60)])
    (drop,) = check_quality(batch(checked, 60, 30, traceability_score=0.5), baseline=base, **OFF)
    assert not drop.comparison.paired


def test_reports_by_group_and_sums_can_be_compared(checked):
    base = report(batch(checked, 30).assign(model="a"), by="model") + report(
        batch(checked, 60)[30:].assign(model="b"), by="model"
    )
    (drop,) = check_quality(report(batch(checked, 60, 30, traceability_score=0.5)), baseline=base, **OFF)
    assert drop.comparison.paired
    assert drop.comparison.sizes == (60, 60)


def test_an_unknown_threshold_names_the_near_one(checked):
    with pytest.raises(TypeError, match="did you mean 'invalid_citations'"):
        check_quality(checked([{}]), invalid_citation=0.1)
    with pytest.raises(TypeError, match="The thresholds are weakly_cited"):
        check_quality(checked([{}]), xyz=0.1)


@pytest.mark.parametrize("value", [-0.1, 5, "0.1", True])
def test_a_threshold_is_a_share(checked, value):
    with pytest.raises(InputError, match="from 0 to 1"):
        check_quality(checked([{}]), truncated=value)


def test_only_reports_and_frames_are_taken(checked):
    with pytest.raises(InputError, match="not list"):
        check_quality([1])
    with pytest.raises(InputError, match="not str"):
        check_quality(checked([{}]), baseline="last week")


@pytest.mark.parametrize(("locale", "said"), [("fr", "contiennent un extrait modifié"), ("de", "geänderten Wortlaut")])
def test_messages_are_in_the_language_asked_for(checked, locale, said):
    (alert,) = check_quality(batch(checked, 10, 2, cite_alerts="quote_altered"), locale=locale)
    assert said in alert.message


def test_alerts_are_json(mixed, checked):
    for alert in (*check_quality(mixed), *check_quality(mixed, baseline=batch(checked, 60), **OFF)):
        data = alert.to_dict()
        assert json.loads(json.dumps(data, allow_nan=False)) == data
        assert data["message"]
