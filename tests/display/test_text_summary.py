"""The text summary is short and names what matters."""

from made_results import FERRY, mark, quote, result

from ragcite_nb.display.text import summary


def test_figures_alerts_citations_and_caveat():
    made = result(
        '"Dogs fly" [2]. No [7].', FERRY, [mark("[2]", 1), mark("[7]", None)], [quote("Dogs fly", "absent")],
        alerts=[("quote_absent", {"citation": "[2]", "source": "2", "quote": "Dogs fly"})], score=0.5,
    )  # fmt: skip
    lines = summary(made).splitlines()
    assert lines[0].startswith("Checked answer: traceability 50% · ")
    assert lines[1] == "3 sources (strings); answer read as plain text"
    assert lines[2].startswith("Error: Quote not found: the excerpt of citation [2] is not in source [2]")
    assert lines[4:6] == ["  #1 [2] Source 2: ✗ not found “Dogs fly”", "  #2 [7] no source: ✗ no such source"]
    assert lines[-1].startswith("A match of numbers")


def test_many_citations_are_cut():
    made = result("A [1]. " * 30, FERRY, [mark("[1]", 0)] * 30)
    assert len(summary(made).splitlines()) < 30
