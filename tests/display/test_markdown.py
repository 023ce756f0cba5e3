"""Markdown is rendered once, with every mark in its place whatever stands around it."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parsed_html import parse

from ragcite_nb.display.markdown import Place, render, safe_url


def places(text: str, *marks: str) -> list[Place]:
    """A place for each mark, in the order of the text."""
    found, position = [], 0
    for badge, mark in enumerate(marks):
        start = text.index(mark, position)
        position = start + len(mark)
        found.append(Place(start, position, badge))
    return found


def badges(html: str) -> list[int]:
    return [
        int(e.attributes["data-ragcite-badge"]) for e in parse(html).all("span") if "data-ragcite-badge" in e.attributes
    ]


def test_a_mark_inside_emphasis_and_strikethrough_becomes_a_badge():
    text = "**Dogs are free [2]** and *bikes pay [3]*. See ~~the old rule [1]~~."
    tree = parse(render(text, places(text, "[2]", "[3]", "[1]")))
    assert [len(tree.all(tag)[0].all("span")) for tag in ("strong", "em", "s")] == [1, 1, 1]
    assert "[" not in tree.text


@pytest.mark.parametrize(
    "text",
    ["__Dogs__[1] run", "_Dogs_[1]", "[1]__Dogs__", "**[1] Dogs**", "a **Dogs**[1]b", "*Dogs [1]*, x", "_Dogs [1]_."],
)
def test_emphasis_beside_a_mark_stays_emphasis(text):
    tree = parse(render(text, places(text, "[1]")))
    assert "_" not in tree.text
    assert "*" not in tree.text
    assert len(tree.all("strong") + tree.all("em")) == 1


@pytest.mark.parametrize(
    "mark",
    [
        "[[1]]",
        "[Doc: *x*]",
        "[1](https://a.example)",
        "[CGV | Section: 5.2]",
        "[^1]",
        "\\[1\\]",
        "`",
        "<sup>1</sup>",
        "【4:0†x】",
    ],
)
def test_markdown_does_not_eat_a_mark(mark):
    text = f"| A | B |\n|---|---|\n| x {mark} | y |\n"
    tree = parse(render(text, places(text, mark)))
    assert badges(render(text, places(text, mark))) == [0]
    assert [[cell.text for cell in row.all("td")] for row in tree.all("tr")[1:]] == [["x ", "y"]]


def test_a_table_keeps_its_columns_and_its_panels_stand_behind_it():
    text = "| Item | Price |\n|---|---|\n| Dog | free [2] |\n| Bike | 4 euros |\n"
    start = text.index("| Bike")
    tree = parse(render(text, places(text, "[2]"), uncited=[(start, start + len("| Bike | 4 euros |"))]))
    assert [len(row.all("td") or row.all("th")) for row in tree.all("tr")] == [2, 2, 2]
    assert [e.text for e in tree.all("span", class_="ragcite-uncited")] == ["Bike", "4 euros"]
    panels = [e for e in tree.all("div") if "data-ragcite-panels" in e.attributes]
    assert [panel.inside("table") or panel.inside("div") for panel in panels] == [False]


def test_code_is_shown_byte_for_byte():
    text = "Start it [1]:\n\n```bash\nrun --all \ue000\ue011 [1]\n```\n\n`in [2] \ue003`\n\n    ind\t[3]\n"
    codes = [e.text for e in parse(render(text, places(text, "[1]"))).all("code")]
    assert codes == ["run --all \ue000\ue011 [1]\n", "in [2] \ue003", "ind\t[3]\n"]


def test_private_use_characters_of_the_answer_cannot_pass_for_badges():
    forged = "\u27e6\ue000\ue015\u27e7 \u27e6\ue002\u27e7 [1]"
    html = render(forged, places(forged, "[1]"))
    assert badges(html) == [0]
    assert parse(html).text.startswith("\u27e6\ue000\ue015\u27e7 \u27e6\ue002\u27e7 ")


def test_html_of_the_answer_is_text():
    text = 'See <b>this</b> <span data-ragcite-badge="5"></span> <script>x</script> & more [1].'
    html = render(text, places(text, "[1]"))
    assert badges(html) == [0]
    assert '<b>this</b> <span data-ragcite-badge="5"></span> <script>x</script> & more' in parse(html).text


def test_no_picture_and_no_unsafe_link():
    text = '![p](https://evil.example/p.png) [a](javascript:alert(1)) [b](data:text/html,x) [c](https://ok.example "t") <mailto:a@b.example>'
    tree = parse(render(text))
    assert tree.all("img") == []
    assert [e.attributes["href"] for e in tree.all("a")] == [
        "https://evil.example/p.png",
        "https://ok.example",
        "mailto:a@b.example",
    ]
    assert {e.attributes["rel"] for e in tree.all("a")} == {"noopener noreferrer nofollow"}


@pytest.mark.parametrize(
    "url",
    [
        "javascript:x",
        " JAVASCRIPT:x",
        "data:text/html,x",
        "//a.example",
        "a.example",
        "",
        None,
        "https://a b",
        'https://a"b',
        "vbscript:x",
    ],
)
def test_only_web_and_mail_addresses_are_links(url):
    assert safe_url(url) is None


def test_lines_that_look_like_link_definitions_stay():
    text = "Free [1].\n\n[1]: https://a.example/x"
    assert "[1]: https://a.example/x" in parse(render(text, places(text, "[1]"))).text


def test_a_badge_never_stands_inside_a_link():
    text = "[the rule [1] says](https://a.example)"
    html = render(text, places(text, "[1]"))
    assert badges(html) == [0]
    assert not any(e.inside("a") for e in parse(html).all("span"))


def test_tags_around_text_are_hidden_and_the_text_stays():
    text = 'It is <cite id="1">free of **charge**</cite> today.'
    start, inner, behind = text.index("<cite"), text.index("free"), text.index("</cite>")
    html = render(text, [Place(behind, behind + len("</cite>"), 0)], hidden=[(start, inner)])
    assert parse(html).text.strip() == "It is free of charge today."
    assert badges(html) == [0]


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("Dogs are free. Bikes pay.", "Dogs are free."),
        ("Dogs are **free** today.", "Dogs are **free**"),
        ("Dogs.\n\n", "Dogs.\n\n"),
        ("A\n\n---\n\nB", "A\n\n---"),
        ("A\n\n```py\nx = 1\n```\nB", "A\n\n```py\nx = 1\n```"),
        ("A\n\n```py\nx = 1\n```\nB", "A\n\n```py"),
        ("| a | b |\n|---|---|\n| c | d |\n", "| a | b |\n|---|---|\n| c | d |"),
        ("| a | b |\n|---|---|\n| c | d |\n", "| a | b |\n|---|---|"),
        ("# Title\n\nText", ""),
        ("Title\n=====\nText", "Title\n====="),
        ("- a\n- b", "- a\n-"),
        ("[a](https://x.example/y) b", "[a](https://x."),
        ("`code` b", "`co"),
        ("\n\n  ", "\n\n"),
    ],
)
def test_a_badge_at_the_end_of_a_span_leaves_the_markdown_as_it_is(text, before):
    html = render(text, [Place(len(before), len(before), 0)])
    assert badges(html) == [0]

    def shape(html: str) -> list[str]:
        tree = parse(html)
        return [e.tag for e in tree.all() if not {"data-ragcite-badge", "data-ragcite-panels"} & set(e.attributes)]

    plain = shape(render(text))
    with_badge = shape(html)
    # A badge that found no place in the text stands in a paragraph of its own, behind code and at the end.
    assert with_badge in (plain, [*plain, "p"]) or sorted(with_badge) == sorted([*plain, "p"])


def test_an_uncited_sentence_is_marked_across_emphasis_and_named_in_words():
    text = "Dogs **run fast** here. Next [1]."
    tree = parse(render(text, places(text, "[1]"), uncited=[(0, 23)], uncited_mark="non sourcé"))
    assert "".join(e.text for e in tree.all("span", class_="ragcite-uncited")) == "Dogs run fast here."
    assert [e.text for e in tree.all("sup")] == ["non sourcé"]


def test_cells_carry_no_style_attribute():
    tree = parse(render("| a | b |\n|:-:|--:|\n| c | d |"))
    assert [e.attributes.get("class") for e in tree.all("td")] == ["ragcite-center", "ragcite-right"]
    assert not any("style" in e.attributes for e in tree.all())


def test_blocks_find_their_own_direction():
    tree = parse(render("تبحر\n\n- a\n\n> b\n\n# c\n\n| d |\n|---|\n| e |"))
    assert {e.tag for e in tree.all(dir="auto")} >= {"p", "ul", "li", "blockquote", "h3", "th", "td"}


def test_characters_that_no_page_can_carry_are_replaced():
    html = render("a\x00b\ud800c [1]", [Place(6, 9, 0)])
    html.encode()
    assert parse(html).text.startswith("a\ufffdb\ufffdc")


@pytest.mark.parametrize(
    "hostile",
    ["[" * 60_000, "[1" * 30_000, "*a " * 30_000, "> " * 30_000, "`a``" * 20_000, "[a](" * 20_000, "~~" * 40_000, "|" * 60_000, "- " * 30_000, "a\n" * 30_000],
)  # fmt: skip
def test_hostile_markdown_is_drawn_in_seconds(hostile):
    started = time.perf_counter()
    render(hostile, [Place(n * 50, n * 50, n) for n in range(1, 1000)])
    assert time.perf_counter() - started < 10


def test_a_very_long_answer_is_drawn_as_paragraphs():
    text = "Dogs are **free** [1].\nNext\n\n" * 8_000
    html = render(text, places(text, "[1]"))
    assert badges(html) == [0]
    assert "**free**" in html


PIECES = st.sampled_from([
    "Dogs ", "**", "*", "_", "`", "```", "\n", "\n\n", "- ", "1. ", "> ", "| ", "|---|", "# ", "[a](https://x.example)", "~~", "<b>", "&amp;", "\\", "    ",
    "\ue000", "\u27e6", "\u27e7", "أ", "😀", "---", "===",
])  # fmt: skip


@given(st.lists(PIECES, max_size=30), st.data())
@settings(max_examples=150, deadline=None)
def test_every_badge_is_drawn_exactly_once_whatever_the_answer(pieces, data):
    text = "".join(pieces)
    where = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    marks, taken = [], 0
    for badge, start in enumerate(where):
        end = data.draw(st.integers(start, min(start + 3, len(text))))
        if start < taken:
            end = start
        taken = max(taken, end)
        marks.append(Place(start, end, badge))
    bounds = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2)))
    html = render(text, marks, uncited=[(bounds[0], bounds[1])], last=[len(marks)])
    assert sorted(badges(html)) == list(range(len(marks) + 1))
    panels = [
        e.attributes["data-ragcite-panels"] for e in parse(html).all("div") if "data-ragcite-panels" in e.attributes
    ]
    assert sorted(int(n) for each in panels for n in each.split()) == list(range(len(marks) + 1))
