"""Static pages and exported notebooks in Chromium: no script, no request, light and dark, narrow, printed."""

import sys
from pathlib import Path

import nbformat
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "display"))
from made_results import FERRY, mark, quote, result

from ragcite_nb.display import html
from ragcite_nb.display.widget import CitedAnswer
from ragcite_nb.models import Source

CONTRAST = """() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgb = (...colors) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const color of colors) { canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = color => color.map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const poor = [];
  for (const element of document.querySelectorAll('.ragcite *')) {
    const own = [...element.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || !element.checkVisibility() || element.tagName === 'STYLE') continue;
    const behind = [];
    for (let each = element; each; each = each.parentElement) behind.unshift(getComputedStyle(each).backgroundColor);
    const [a, b] = [light(rgb(getComputedStyle(element).color)), light(rgb('white', ...behind))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.push([element.className, element.textContent.slice(0, 30), ratio.toFixed(2)]);
  }
  return poor;
}"""
OPEN_ALL = "() => document.querySelectorAll('details').forEach(each => { each.open = true })"


def everything(locale: str = "en"):
    """A result with all that can be drawn."""
    long = "Articles made to order are not taken back. " * 30
    cgv = Source(
        f"You have thirty days to return an article. Refunds are made within fourteen days. {long}",
        title="CGV", version="2.1", section="5.2", page=12, last_updated="2024-01-15", url="https://shop.example/cgv", confidence=0.95,
    )  # fmt: skip
    others = [
        Source(text, title=f"FAQ v3.{n}", confidence=c)
        for n, (text, c) in enumerate([("Free.", 0.72), ("4.90.", 0.55), (None, 0.3)])
    ]
    text = (
        '## Returns\n\nYou have "thirty days to return" [CGV]. Refunds come "within ten days" [1]. It is free [FAQ]. Nobody knows.\n\n'
        "| Way | Price |\n|:--|--:|\n| Shop | free [2] |\n| Home | 4.90 [3] |\n\n- A **very** long_word_"
        + "x"
        * 120
        + " [7]\n- Ours [policy]\n\n"
        "```python\nprint('[1]', " + "'long', " * 20 + ")\n```\n\nEnd [1, 4].\n"
    )
    marks = [
        mark("[CGV]", 0), mark("[1]", 0), mark("[FAQ]", None, status="ambiguous", candidates=(1, 2)), mark("[2]", 1), mark("[3]", 2),
        mark("[7]", None, nearest=3), mark("[policy]", kind="provenance"), mark("[1, 4]", 0, 3),
    ]  # fmt: skip
    return result(
        text, [cgv, *others], marks,
        quotes=[quote("thirty days to return"), quote("within ten days", "altered", 1, at="within fourteen days")],
        uncited=["Nobody knows."],
        alerts=[("invalid_citation", {"count": 1, "citation": "[7]", "sources": 4}), ("abstention", {}),
                ("weakly_sourced", {"percent": 40, "cited": 2, "claims": 5})],
        locale=locale, score=0.4, sources_format="objects", format="ollama.chat", prompt_tokens=1306,
    )  # fmt: skip


@pytest.fixture
def page_of(new_page, tmp_path):
    """Shows HTML from a file; fails on any message on the console and any request."""

    def show(text: str, **options):
        path = tmp_path / "page.html"
        path.write_text(text, encoding="utf-8")
        page = new_page(**options)
        page.route(lambda url: not url.startswith("file:"), lambda route: route.abort())
        messages = []
        page.on("console", lambda message: messages.append(message.text))
        page.on("request", lambda request: messages.append(request.url) if request.url != path.as_uri() else None)
        page.goto(path.as_uri())
        page.messages = messages
        return page

    return show


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("locale", ["en", "fr"])
def test_every_text_can_be_read_in_light_and_dark(page_of, scheme, locale):
    page = page_of(html.page(everything(locale)), color_scheme=scheme)
    page.evaluate(OPEN_ALL)
    assert page.evaluate(CONTRAST) == []
    assert page.messages == []
    background = page.evaluate("() => getComputedStyle(document.querySelector('.ragcite')).backgroundColor")
    assert background == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(22, 24, 29)")


@pytest.mark.parametrize(
    ("attribute", "dark"),
    [('data-jp-theme-light="false"', True), ('data-jp-theme-light="true"', False), ('class="vscode-dark"', True)],
)
def test_a_host_that_says_its_theme_is_believed(page_of, attribute, dark):
    page = page_of(f"<body {attribute}>{html.fragment(everything())}</body>", color_scheme="light" if dark else "dark")
    page.evaluate(OPEN_ALL)
    assert page.evaluate(CONTRAST) == []
    background = page.evaluate("() => getComputedStyle(document.querySelector('.ragcite')).backgroundColor")
    assert background == ("rgb(22, 24, 29)" if dark else "rgb(255, 255, 255)")


def test_nothing_runs_over_on_a_narrow_screen(page_of):
    page = page_of(html.page(everything("fr")), viewport={"width": 320, "height": 800})
    page.evaluate(OPEN_ALL)
    assert page.evaluate("() => document.documentElement.scrollWidth") == 320
    clipped = """() => [...document.querySelectorAll('.ragcite-panel-body, .ragcite-badge')]
        .filter(each => each.checkVisibility() && each.getBoundingClientRect().right > 320).length"""
    assert page.evaluate(clipped) == 0


def test_a_badge_leads_to_its_evidence_without_a_script(page_of):
    page = page_of(html.page(everything()), java_script_enabled=True)
    passage = page.locator(".ragcite-panel mark").first
    assert not passage.is_visible()
    page.get_by_role("link", name="Source 1: CGV v2.1, section 5.2, p. 12, found verbatim").click()
    passage.wait_for()
    assert passage.inner_text() == "thirty days to return"


def test_print_shows_all_evidence(page_of):
    page = page_of(html.page(everything()))
    closed = """() => [...document.querySelectorAll('details.ragcite-panel')]
        .filter(each => getComputedStyle(each, '::details-content').contentVisibility === 'hidden').length"""
    assert page.evaluate(closed) == 8
    page.emulate_media(media="print")
    assert page.evaluate(closed) == 0


def test_states_can_be_told_apart_in_forced_colours(page_of):
    page = page_of(html.page(everything()), forced_colors="active")
    badges = page.locator(".ragcite-badge")
    assert badges.all_inner_texts() == ["[CGV] ✓", "[1] ≠", "[FAQ] ?", "[2]", "[3]", "[7] ✗", "[policy]", "[1, 4]"]
    assert set(badges.evaluate_all("all => all.map(each => getComputedStyle(each).borderTopStyle)")) == {"solid"}


def test_brackets_are_not_mirrored_in_right_to_left_text(page_of):
    text = "تبحر العبارة في الساعة 7:40 [1]. الكلاب مجانا [2]."
    page = page_of(html.page(result(text, FERRY, [mark("[1]", 0), mark("[2]", 1)])))
    first, second = (badge.bounding_box() for badge in page.locator(".ragcite-badge").all())
    assert first["x"] > second["x"]  # the first mark stands to the right of the second
    assert page.locator(".ragcite-answer p").first.evaluate("each => getComputedStyle(each).direction") == "rtl"
    order = """each => { const range = document.createRange(), text = each.querySelector('a').firstChild;
        return [0, 1, 2].map(i => { range.setStart(text, i); range.setEnd(text, i + 1); return range.getBoundingClientRect().x }) }"""
    opening, digit, closing = page.locator(".ragcite-badge").first.evaluate(order)
    assert opening < digit < closing


def test_a_saved_widget_page_is_as_strict(page_of, tmp_path):
    CitedAnswer(everything()).save(tmp_path / "saved.html")
    page = page_of((tmp_path / "saved.html").read_text(encoding="utf-8"))
    assert page.locator(".ragcite-badge").count() == 8
    assert page.messages == []


def test_an_exported_notebook_without_kernel_shows_result_and_widget(new_page, tmp_path):
    from nbclient import NotebookClient
    from nbconvert import HTMLExporter

    code = [
        "import ragcite_nb as rc\nresult = rc.check('Dogs are free: \"travel free of charge\" [1]. No [7].', ['Dogs travel free of charge.'])\nresult",
        "result.show()",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in code])
    NotebookClient(notebook, store_widget_state=False).execute()
    exported, _ = HTMLExporter().from_notebook_node(notebook)
    path = tmp_path / "export.html"
    path.write_text(exported, encoding="utf-8")
    page = new_page()
    page.route(lambda url: not url.startswith("file:"), lambda route: route.abort())  # a reader without network
    page.goto(path.as_uri(), wait_until="domcontentloaded")
    views = page.locator(".ragcite")
    assert views.count() == 2
    for view in views.all():
        assert view.is_visible()
        view.locator("details.ragcite-panel summary").first.click()
        assert view.locator("details.ragcite-panel mark").first.inner_text() == "travel free of charge"
    assert "model not found" not in page.locator("body").inner_text()

    # A notebook's own style for HTML outputs does not show through.
    view = views.first
    view.locator("details").evaluate_all("all => all.forEach(each => { each.open = true })")
    of = "(each, name) => getComputedStyle(each)[name]"
    assert {li.evaluate(of, "listStyleType") for li in view.locator("ul > li").all()} == {"none"}
    assert {td.evaluate(of, "textAlign") for td in view.locator("td").all()} == {"start"}
    for badge in view.locator(".ragcite-badge").all():
        assert badge.locator("a").evaluate(of, "color") == badge.evaluate(of, "color")
