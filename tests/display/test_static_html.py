"""Static HTML is safe, self-contained, and says everything without style, ids and script."""

import base64
import hashlib
import re

from made_results import FERRY, mark, quote, result
from parsed_html import parse

from ragcite_nb.display.html import fragment, page, write
from ragcite_nb.models import Source

SEMANTIC = {
    *(
        "section",
        "div",
        "p",
        "ul",
        "li",
        "details",
        "summary",
        "blockquote",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    ),
    *("a", "bdi", "br", "mark", "q", "span", "strong"),
}


def stripped(html: str) -> str:
    """What a code host leaves: no style, class or id."""
    html = re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    return re.sub(r' (?:class|id|style|aria-label|title)="[^"]*"', "", html)


def test_answer_title_url_and_excerpt_are_escaped():
    evil = Source(
        "<script>alert(3)</script> harmless",
        id=1,
        title='"><img src=x onerror=alert(1)>',
        url="javascript:alert(2)",
        section='"><b>',
    )
    html = fragment(result("See <b>this</b> [1] & more.", [evil], [mark("[1]", 0)]))
    assert not re.search(r"<script|<img[^>]*onerror|href=[\"']?javascript:", html)
    tree = parse(html)
    assert "<b>this</b>" in tree.text
    assert "& more" in tree.text
    assert tree.all("img") == tree.all("script") == tree.all("b") == []
    assert not any(name.startswith("on") for element in tree.all() for name in element.attributes)


def test_no_text_of_a_source_can_become_a_placeholder():
    forged = '<span data-ragcite-badge="0"></span>'
    html = fragment(result("A [1].", [Source(forged, title=forged)], [mark("[1]", 0)]))
    assert len(parse(html).all("bdi", class_="ragcite-badge")) == 1


def test_ids_differ_between_views_and_links_lead_to_their_own():
    made = result("Dogs are free [2]. Still free [2].", FERRY, [mark("[2]", 1), mark("[2]", 1)])
    tree = parse(fragment(made) + fragment(made))
    ids = [e.attributes["id"] for e in tree.all() if "id" in e.attributes]
    assert len(ids) == len(set(ids)) == 4
    assert [e.attributes["href"] for e in tree.all("a")] == [f"#{name}" for name in ids]


def test_each_badge_has_its_evidence_right_behind_its_block():
    text = "Dogs are free [2].\n\nBikes pay [3]."
    tree = parse(
        fragment(result(text, FERRY, [mark("[2]", 1), mark("[3]", 2)], [quote("Dogs travel free", citation=0)]))
    )
    (answer,) = tree.all("div", class_="ragcite-answer")
    blocks = [child for child in answer.children if not isinstance(child, str)]
    assert [block.tag for block in blocks] == ["p", "div", "p", "div"]
    assert [e.text for e in blocks[1].all("mark")] == ["Dogs travel free"]
    assert FERRY[2] in blocks[3].text


def test_it_reads_well_where_styles_and_ids_are_stripped():
    made = result(
        '"free of charge" [1]. No [7].',
        FERRY,
        [mark("[1]", 0), mark("[7]", None)],
        [quote("free of charge", "elsewhere", source=1)],
    )
    tree = parse(stripped(fragment(made)))
    assert {e.tag for e in tree.all()} <= SEMANTIC
    for words in (
        "[1] ⇄",
        "found in another source",
        "Found in [2]",
        "✗ no such source",
        "never cited",
        "does not make an answer right",
    ):
        assert words in tree.text


def test_state_is_never_told_by_colour_alone():
    text = '"a b c d" [1] "e f g h" [2] [7]'
    quotes = [quote("a b c d", "altered", at="The ferry"), quote("e f g h", "absent", citation=1)]
    tree = parse(fragment(result(text, FERRY, [mark("[1]", 0), mark("[2]", 1), mark("[7]", None)], quotes)))
    links = [e.all("a")[0] for e in tree.all("bdi", class_="ragcite-badge")]
    assert [link.text for link in links] == ["[1] ≠", "[2] ✗", "[7] ✗"]
    assert [link.attributes["aria-label"].rpartition(" ")[2] for link in links] == ["altered", "found", "source"]


def test_badges_are_isolated_and_blocks_find_their_direction():
    text = "تبحر العبارة في الساعة 7:40 [1]. الكلاب مجانا [2]."
    tree = parse(fragment(result(text, FERRY, [mark("[1]", 0), mark("[2]", 1)])))
    badges = tree.all("bdi", class_="ragcite-badge")
    assert [badge.text for badge in badges] == ["[1]", "[2]"]
    assert {badge.parent.attributes["dir"] for badge in badges} == {"auto"}


def test_the_table_of_citations_is_there_without_any_marker():
    from test_view import NO_PLACE

    made = result("Dogs.", FERRY, provided=[NO_PLACE], quotes=[quote("travel free", "absent", origin="structured")])
    (table,) = parse(fragment(made)).all("table")
    assert [cell.text for cell in table.all("td")] == ["#1 [2]", "Source 2 travel free", "✗ not found"]


def test_a_page_makes_no_request_and_forbids_everything_but_its_style():
    html = page(result("A [1]. [x](https://a.example)", FERRY, [mark("[1]", 0)]))
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'" in html
    assert not re.search(r"<(?:script|link|img|iframe)\b|url\(|@import| style=", html)
    parse(html.removeprefix("<!doctype html>"))


def test_every_rule_of_the_style_is_scoped():
    style = re.search(r"<style>(.*?)</style>", fragment(result("A", FERRY)), re.DOTALL)[1]
    selectors = [s for s in re.findall(r"([^{}]+)\{", style) if not s.startswith("@")]
    for selector in selectors:
        for part in re.split(r",(?![^(]*\))", selector):
            assert ".ragcite" in part, part


def test_writing_returns_the_html(tmp_path):
    path = tmp_path / "é.html"
    assert write("<p>é</p>", path) == path.read_text(encoding="utf-8") == write("<p>é</p>", None)


def test_french():
    tree = parse(fragment(result("A [7].", [Source("x", confidence=0.95)], [mark("[7]", None)], locale="fr")))
    assert tree.all("section")[0].attributes["lang"] == "fr"
    for words in ("source inexistante", "jamais citée", "Très fiable (95\u202f%)"):
        assert words in tree.text
