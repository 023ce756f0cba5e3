"""The widget's traits and displays, without a browser."""

import json

import pytest
import traitlets
from made_results import FERRY, mark, quote, result
from parsed_html import parse

from ragcite_nb.check import check
from ragcite_nb.display.widget import CitedAnswer

TEXT = '"free of charge" [2]. No [7].'


def made(**more):
    return result(TEXT, FERRY, [mark("[2]", 1), mark("[7]", None)], [quote("free of charge")], **more)


def test_the_state_is_synced_and_is_json():
    widget = CitedAnswer(made())
    state = widget.get_state()
    assert {"view", "expanded", "selected", "verifications", "_esm", "_css"} <= set(state)
    json.dumps({name: state[name] for name in ("view", "expanded", "selected", "verifications")})


def test_only_badges_that_exist_are_open_each_once():
    widget = CitedAnswer(made())
    widget.expanded = [1, 1, 9, -1, 0]
    assert widget.expanded == [1, 0]


def test_verdicts_are_checked():
    widget = CitedAnswer(made())
    with pytest.raises(traitlets.TraitError, match="verdict"):
        widget.verifications = [{"citation": 0, "verdict": "perhaps"}]
    with pytest.raises(traitlets.TraitError, match="citation"):
        widget.verifications = [{"verdict": "confirmed"}]


def test_a_result_takes_no_further_options():
    with pytest.raises(TypeError, match="neither sources nor options"):
        CitedAnswer(made(), FERRY)


def test_the_mimebundle_lives_on_without_a_kernel():
    data, _ = CitedAnswer(made())._repr_mimebundle_()
    assert set(data) == {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"}
    assert "found verbatim" in parse(data["text/html"]).text
    assert data["text/plain"].startswith("Checked answer: ")


def test_a_saved_page_tells_the_readers_verdict(tmp_path):
    widget = CitedAnswer(made(locale="fr"))
    widget.verifications = [{"citation": 0, "source": "2", "verdict": "rejected", "time": "2026-01-01T00:00:00Z"}]
    widget.save(tmp_path / "a.html")
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert page.count("vérifié\u00a0: n’étaye pas l’affirmation") == 2  # in the panel and in the table
    assert "<script" not in page


def test_an_answer_is_checked_with_its_options():
    widget = CitedAnswer("Dogs are free [0].", FERRY, first_number=0, locale="fr")
    assert [citation.source for citation in widget.result.citations] == [0]
    assert widget.view["locale"] == "fr"


def test_an_unknown_option_names_the_near_one():
    with pytest.raises(TypeError, match="did you mean 'scope'"):
        CitedAnswer("A", FERRY, scop="block")


def test_a_stream_is_checked_as_it_grows_and_what_is_open_stays_open():
    widget = CitedAnswer("Dogs are free [2", FERRY)
    widget.append("]. Bikes")
    widget.expanded = [0]
    widget.append(" pay [3].")
    assert widget.result == CitedAnswer("Dogs are free [2]. Bikes pay [3].", FERRY).result
    assert widget.expanded == [0]
    assert [badge["label"] for badge in widget.view["badges"]] == ["[2]", "[3]"]


def test_a_stream_keeps_how_the_sources_were_read_and_the_options():
    widget = CitedAnswer("Free [0].", json.dumps(FERRY), first_number=0)
    widget.append(" Bikes [2].")
    assert "JSON array of strings" in widget.view["reading"]
    assert [citation.source for citation in widget.result.citations] == [0, 2]


def test_a_checked_result_can_grow_too():
    first = CitedAnswer("Free [2].", FERRY).result
    widget = CitedAnswer(first)
    widget.append(" Bikes pay [9].")
    assert [c.status for c in widget.result.citations] == ["valid", "unknown"]
    assert widget.result.sources_format == first.sources_format


@pytest.mark.parametrize(
    "pieces",
    [
        ["<think>", "perhaps [9]. ", "</think>", "Dogs travel free [2]."],
        ["<think>perhaps [9]. </th", "ink>Dogs [2]."],
        ['{"answer": "Dogs ride [1].", ', '"citations": [{"source": 1, "quote": "Dogs ride free"}]}'],
        ["```json\n", '{"answer": "Dogs ride [1].", "citations": []}', "\n```"],
        [
            f'data: {{"object": "chat.completion.chunk", "choices": [{{"delta": {{"content": "{piece}"}}}}]}}\n\n'
            for piece in ("Dogs", " [2].")
        ],
    ],
)
@pytest.mark.parametrize("sources", [FERRY, None])
def test_a_stream_is_checked_as_it_came(sources, pieces):
    widget = CitedAnswer("", sources)
    for piece in pieces:
        widget.append(piece)
    assert widget.result == check("".join(pieces), sources)


def test_reasoning_is_no_answer_while_it_streams():
    widget = CitedAnswer("<think>", FERRY)
    widget.append("perhaps [9]. ")
    assert widget.result.text == ""
    assert widget.result.truncated
    assert widget.result.citations == ()


def test_an_answer_that_came_as_data_grows_from_its_text():
    widget = CitedAnswer({"answer": "Dogs are free [2].", "citations": []}, FERRY)
    widget.append(" Bikes pay [9].")
    assert widget.result.text == "Dogs are free [2]. Bikes pay [9]."
