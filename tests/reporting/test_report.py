import json
import pickle
from dataclasses import FrozenInstanceError

import pandas as pd
import pytest

import ragcite_nb as rc
from ragcite_nb.report import Report, report

DESIGNED = {
    "total_responses", "fully_cited", "partially_cited", "weakly_cited", "without_citations", "invalid_citations",
    "user_verifications", "traceability_rate", "partial_rate", "uncited_rate", "verification_rate", "mean_traceability",
    "alerts", "intervals", "unscored", "errors",
}  # fmt: skip


@pytest.fixture
def raw():
    """A log that was not checked yet."""
    return pd.DataFrame(
        {
            "model": ["a", "a", "b", "b"],
            "question": ["q1", "q2", "q1", "q2"],
            "answer": ["It is free [1].", "It is open [2].", "It is free [7].", "It is open."],
            "sources": [["It is free.", "It is open."]] * 4,
        }
    )


def test_the_dict_holds_the_figures(mixed):
    data = report(mixed).to_dict()
    assert set(data) >= DESIGNED
    assert data["traceability_rate"] == pytest.approx(4 / 12)
    assert data["partial_rate"] == pytest.approx(3 / 12)
    assert data["uncited_rate"] == pytest.approx(3 / 12)
    assert data["verification_rate"] == 0
    assert list(data["alerts"])[:2] == ["weakly_sourced", "invalid_citation"], "the most frequent first"
    low, high = data["intervals"]["traceability_rate"]
    assert low < data["traceability_rate"] < high
    assert sum(data["histogram"]) == 10


def test_the_dict_is_json(mixed):
    data = report(mixed, by="model").to_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_an_empty_frame_has_no_rates(checked):
    data = report(checked([])).to_dict()
    assert data["total_responses"] == 0
    for name in ("traceability_rate", "partial_rate", "uncited_rate", "verification_rate", "mean_traceability"):
        assert data[name] is None
    assert set(data["intervals"].values()) == {None}


def test_an_empty_frame_can_be_shown(checked):
    frame = checked([]).assign(model=[])
    for found in (report(frame), report(frame, by="model")):
        assert "no responses" in str(found)
        assert "no responses" in found.to_html()
        assert found.worst().empty
        assert found.failing().empty
    assert report(frame, by="model").groups == {}


def test_a_frame_is_checked_first(raw):
    found = report(raw, by="model")
    assert found.total_responses == 4
    assert found.groups["b"].invalid_citations == 1
    assert found.groups["b"].without_citations == 1
    assert list(raw.columns) == ["model", "question", "answer", "sources"]


def test_a_checked_frame_is_taken_as_it_is(raw):
    frame = rc.check_frame(raw)
    assert report(frame).frame is frame


def test_options_of_the_check_are_passed_on(raw):
    zero_based = raw.assign(answer="It is free [0].")
    assert report(zero_based).total.invalid_citations == 4
    assert report(zero_based, first_number=0).total.invalid_citations == 0


def test_columns_can_be_named(raw):
    renamed = raw.rename(columns={"answer": "said", "sources": "seen"})
    assert report(renamed, answer="said", sources="seen").total_responses == 4


def test_groups_by_one_or_several_columns(checked):
    rows = [{"model": m, "k": k} for m in "ab" for k in (10, 5)]
    assert list(report(checked(rows), by="model").groups) == ["a", "b"]
    assert list(report(checked(rows), by=["model", "k"]).groups) == [("a", 5), ("a", 10), ("b", 5), ("b", 10)]
    assert list(report(checked(rows), by=["model", "model"]).groups) == ["a", "b"]
    assert list(report(checked(rows).rename(columns={"model": 5}), by=5).groups) == ["a", "b"]


def test_a_missing_value_is_a_group_of_its_own(checked):
    frame = checked([{"model": "a"}, {"model": None}, {"model": None}])
    assert report(frame, by="model").groups[None].total_responses == 2


@pytest.mark.parametrize("cut", [0, 3, 12])
def test_reports_on_parts_add_up(mixed, cut):
    whole = report(mixed, by="model")
    parts = report(mixed[:cut], by="model") + report(mixed[cut:], by="model")
    assert parts.to_dict() == whole.to_dict()
    assert str(parts) == str(whole)


def test_the_sum_of_many_reports(mixed):
    parts = [report(mixed[i : i + 1], by="model") for i in range(len(mixed))]
    assert sum(parts).to_dict() == report(mixed, by="model").to_dict()
    assert sum(reversed(parts)).to_dict() == report(mixed, by="model").to_dict()


def test_a_sum_has_no_rows(mixed):
    both = report(mixed) + report(mixed)
    assert both.frame is None
    with pytest.raises(rc.InputError, match="does not keep"):
        both.worst()
    with pytest.raises(rc.InputError, match="does not keep"):
        both.failing()


def test_reports_by_different_columns_do_not_add_up(mixed):
    with pytest.raises(rc.InputError, match="do not add up"):
        report(mixed) + report(mixed, by="model")
    with pytest.raises(TypeError):
        report(mixed) + 1


def test_reports_paired_on_different_columns_add_up_unpaired(two_models):
    other = two_models.rename(columns={"question": "query"})
    both = report(two_models, by="model") + report(other, by="model")
    assert both.pair_on is None
    assert not both.comparisons[0].paired


def test_a_report_can_be_sent_to_another_process(mixed):
    found = report(mixed, by="model")
    assert pickle.loads(pickle.dumps(found)).to_dict() == found.to_dict()


def test_a_report_cannot_be_changed(mixed):
    with pytest.raises(FrozenInstanceError):
        report(mixed).locale = "fr"


def test_the_worst_rows_come_first(mixed):
    worst = report(mixed).worst(4)
    assert worst.index.tolist() == [8, 10, 7, 11], "two kinds of errors; then by score, unreadable rows last"
    assert list(worst.columns) == list(mixed.columns)


def test_worst_takes_any_number_and_any_index(checked):
    frame = checked([{"traceability_score": 1.0}, {"traceability_score": 0.0}], index=["x", "x"])
    assert report(frame).worst(100)["traceability_score"].tolist() == [0.0, 1.0]
    assert report(frame).worst(0).empty


def test_failing_rows_by_code(mixed):
    found = report(mixed)
    assert found.failing("invalid_citation").index.tolist() == [7, 10]
    assert found.failing("refusal").empty


def test_failing_rows_are_those_with_errors_by_default(mixed):
    assert report(mixed).failing().index.tolist() == [7, 8, 10, 11]


def test_an_unknown_code_names_the_near_one(mixed):
    with pytest.raises(rc.InputError, match="did you mean 'invalid_citation'"):
        report(mixed).failing("invalid_citations")


def test_an_unknown_column_names_the_near_one_and_all(mixed):
    with pytest.raises(rc.InputError, match=r"did you mean 'model'\?.*'question'"):
        report(mixed, by="modell")
    with pytest.raises(rc.InputError, match="pair_on='case'"):
        report(mixed, pair_on="case")


def test_an_unknown_locale_is_refused(mixed):
    with pytest.raises(rc.InputError, match="'fr'"):
        report(mixed, locale="it")
    with pytest.raises(rc.InputError, match="'fr'"):
        report(mixed).in_locale("it")


def test_the_frame_has_one_row_a_group(mixed):
    table = report(mixed, by="model").to_frame()
    assert table.index.tolist() == ["a", "b"]
    assert table.index.name == "model"
    assert table.loc["a", "total_responses"] == 6
    assert table.loc["a", "mean_traceability_low"] < table.loc["a", "mean_traceability"]
    assert str(table["fully_cited"].dtype) == "Int64"
    assert str(table["traceability_rate"].dtype) == "Float64"


def test_the_frame_without_groups_and_with_several_columns(checked):
    rows = [{"model": "a", "k": 1}, {"model": "b", "k": 2}]
    assert len(report(checked(rows)).to_frame()) == 1
    table = report(checked(rows), by=["model", "k"]).to_frame()
    assert table.index.names == ["model", "k"]
    empty = report(checked([]).assign(model=[]), by="model").to_frame()
    assert len(empty) == 0
    assert empty.dtypes.equals(report(checked(rows), by="model").to_frame().dtypes)


def test_prefixed_columns(checked):
    frame = checked([{"invalid_citations": 1, "cite_alerts": "invalid_citation"}], prefix="rc_")
    found = report(frame, prefix="rc_")
    assert found.total.invalid_citations == 1
    assert len(found.failing("invalid_citation")) == 1
    assert "Invalid citations" in found.to_html()


def test_a_notebook_gets_html_and_text(mixed):
    bundle = report(mixed)._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert bundle["text/plain"].startswith("Citation report: 12 responses")
    assert bundle["text/html"].startswith("<div")


def test_the_accessor_makes_the_same_report(raw):
    assert raw.ragcite.report(by="model").to_dict() == report(raw, by="model").to_dict()


def test_plot_needs_matplotlib_and_says_so(mixed, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"ragcite_nb\[plot\]"):
        report(mixed).plot()


def test_plot_draws_one_panel_for_each_part(mixed):
    pytest.importorskip("matplotlib")
    assert len(report(mixed).plot().axes) == 2
    drawn = report(mixed, by="model", locale="fr").plot()
    assert [axis.get_title() for axis in drawn.axes] == ["Traçabilité des réponses", "Alertes", "Traçabilité moyenne"]
    assert isinstance(report(mixed), Report)


def test_options_check_a_checked_frame_anew(raw):
    checked = raw.ragcite.check()
    asked = report(checked, first_number=0).to_dict()
    assert asked["invalid_citations"] == report(raw, first_number=0).to_dict()["invalid_citations"]
    assert asked["invalid_citations"] != report(checked).to_dict()["invalid_citations"]
    with pytest.raises(TypeError, match="first_nummber"):
        report(checked, first_nummber=0)
