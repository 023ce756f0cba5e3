"""The widgets in real notebooks: JupyterLab 4 and Notebook 7, driven by mouse and keyboard, read back in Python.

The tests share one notebook per application; each runs its own cells, which make widgets of their own.
"""

import pytest

SETUP = '''
import ipywidgets
import pandas as pd
import ragcite_nb as rc
from ragcite_nb.display.widget import AnswerExplorer

TEXT = """Dogs are free: "Dogs travel free of charge" [2]. Bikes pay [3].

Tickets are sold on board [7].

- The ferry leaves at 07:40 [1].
"""
SOURCES = ["The ferry leaves at 07:40 on weekdays.", "Dogs travel free of charge on all ferries.", "Bicycles cost 4 euros per crossing."]
'''
CELLS = {
    "setup": SETUP,
    "widget": "widget = rc.check(TEXT, SOURCES).show()\nwidget",
    "open": "print('OPEN', widget.expanded, widget.selected)",
    "verdicts": "print([v['verdict'] for v in widget.verifications])",
    "first": "twice = rc.check(TEXT, SOURCES).show()\ntwice",
    "second": "twice",
    "from python": "twice.expanded = [0]",
    "box": "ipywidgets.HBox([rc.check(TEXT, SOURCES).show(), rc.check('Only one [1].', SOURCES).show()])",
    "tab": "ipywidgets.Tab([ipywidgets.HTML('first'), rc.check(TEXT, SOURCES).show()], titles=['First', 'Answer'])",
    "interactive": (
        "def shown(name_threshold):\n"
        "    named = [rc.Source('Dogs travel free.', title='Ferry rules')]\n"
        "    display(rc.check('Free [Source: Fery rule].', named, name_threshold=name_threshold).show())\n"
        "ipywidgets.interactive(shown, name_threshold=(0, 1))"
    ),
    "explorer": (
        "rows = [f'Dogs are free [{1 + i % 5}]. This is row {i}.' for i in range(50)]\n"
        "df = pd.DataFrame({'answer': rows, 'sources': [SOURCES] * 50, 'model': ['small', 'large'] * 25})\n"
        "explorer = AnswerExplorer(df, page_size=5)\n"
        "explorer"
    ),
    "explored": "print('ROW', explorer.row, explorer.query['alert'])",
    "stream": "growing = rc.check('Dogs are free [2]', SOURCES).show()\ngrowing",
    "grow": "import asyncio\nasyncio.get_running_loop().call_later(1, growing.append, '. Bikes pay [3].')",
}  # fmt: skip
FOUND = "Source 2, found verbatim"
UNKNOWN = "[7]: no such source"


@pytest.fixture(scope="module")
def notebooks(open_notebook):
    opened = {}

    def get(app):
        if app not in opened:
            opened[app] = open_notebook(app, *CELLS.values())
            opened[app].run(0)
        return opened[app]

    return get


@pytest.fixture(params=["lab", "notebook"])
def any_host(request, notebooks):
    return notebooks(request.param)


@pytest.fixture
def lab(notebooks):
    return notebooks("lab")


@pytest.fixture
def see(browser):
    from playwright.sync_api import expect

    return expect


def run(notebook, cell: str):
    return notebook.run(list(CELLS).index(cell))


def test_badges_by_mouse_and_keyboard_and_python_reads_them(any_host, see):
    output, keyboard = run(any_host, "widget"), any_host.page.keyboard
    badge = output.get_by_role("button", name=FOUND)
    badge.click()
    panel = output.get_by_role("group", name="Evidence for [2]")
    see(panel.locator("mark")).to_have_text("Dogs travel free of charge")
    see(badge).to_have_attribute("aria-expanded", "true")

    unknown = output.get_by_role("button", name=UNKNOWN)
    unknown.focus()
    keyboard.press("Enter")
    see(output.get_by_role("group", name="Evidence for [7]")).to_contain_text("Nothing among the given sources fits")
    see(run(any_host, "open")).to_contain_text("OPEN [0, 2] 2")

    bikes = output.get_by_role("button", name="Source 3, source exists, no quote to check")
    bikes.focus()
    keyboard.press("Space")
    evidence = output.get_by_role("group", name="Evidence for [3]")
    see(evidence).to_be_visible()
    verdict = evidence.get_by_role("button", name="Supports the statement")
    verdict.click()
    see(verdict).to_have_attribute("aria-pressed", "true")
    keyboard.press("j")  # would select the next cell
    see(verdict).to_be_focused()
    keyboard.press("Escape")
    see(evidence).to_be_hidden()
    see(bikes).to_be_focused()
    see(run(any_host, "verdicts")).to_contain_text("['confirmed']")
    assert any_host.foreign == []


def test_two_views_of_one_model_stay_in_step_and_a_closed_output_cleans_up(lab, see):
    outputs = [run(lab, "first"), run(lab, "second")]
    see(outputs[1].locator(".ragcite")).to_have_count(1)
    before = lab.page.locator(".ragcite").count()
    outputs[1].get_by_role("button", name=UNKNOWN).click()
    for output in outputs:
        see(output.get_by_role("button", name=UNKNOWN)).to_have_attribute("aria-expanded", "true")
    gone = outputs[1].locator(".ragcite").element_handle()
    lab.command(list(CELLS).index("second"), "notebook:clear-cell-output")
    see(lab.page.locator(".ragcite")).to_have_count(before - 1)
    run(lab, "from python")
    see(outputs[0].get_by_role("button", name=FOUND)).to_have_attribute("aria-expanded", "true")
    see(outputs[0].get_by_role("button", name=UNKNOWN)).to_have_attribute("aria-expanded", "false")
    # The view that went no longer listens to the model.
    assert gone.evaluate("(root, name) => root.querySelector(`[aria-label='${name}']`).ariaExpanded", UNKNOWN) == "true"


def test_a_growing_answer_keeps_what_is_open(lab, see):
    output = run(lab, "stream")
    badges = output.locator("button.ragcite-badge")
    run(lab, "grow")
    badges.first.click()
    see(badges).to_have_count(2)
    see(badges.first).to_have_attribute("aria-expanded", "true")
    see(badges.first).to_be_focused()


def test_inside_a_box_and_a_tab(lab, see):
    box = run(lab, "box")
    see(box.locator(".ragcite")).to_have_count(2)
    box.get_by_role("button", name="Source 1, source exists").last.click()
    see(box.get_by_role("group", name="Evidence for [1]")).to_have_count(1)
    widths = box.locator(".ragcite").evaluate_all("all => all.map(each => each.getBoundingClientRect().width)")
    assert min(widths) > 150

    tab = run(lab, "tab")
    tab.get_by_role("tab", name="Answer").click()
    tab.get_by_role("button", name=UNKNOWN).click()
    see(tab.get_by_role("group", name="Evidence for [7]")).to_be_visible()


def test_inside_interactive(lab, see):
    output = run(lab, "interactive")
    see(output.get_by_role("button", name="Source 1: Ferry rules")).to_be_visible()
    output.locator(".noUi-handle").focus()
    lab.page.keyboard.press("ArrowRight")
    see(output.get_by_role("button", name="no such source")).to_be_visible()
    see(output.locator(".ragcite")).to_have_count(1)


def test_the_explorer_filters_pages_and_shows_a_row(lab, see):
    output = run(lab, "explorer")
    rows = output.locator(".ragcite-explorer > .ragcite-scroll tbody tr")
    see(rows).to_have_count(5)
    output.get_by_label("Alert").select_option("invalid_citation")
    see(output.get_by_text("20 of 50 rows")).to_be_visible()
    output.get_by_role("button", name="Next page").click()
    see(rows.first).to_contain_text("This is row 14")
    rows.get_by_role("button", name="18", exact=True).click()
    unknown = output.get_by_role("button", name="[4]: no such source")
    unknown.click()
    see(output.get_by_role("group", name="Evidence for [4]")).to_be_visible()
    see(run(lab, "explored")).to_contain_text("ROW 18 invalid_citation")
