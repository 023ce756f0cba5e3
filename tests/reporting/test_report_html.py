import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest

from ragcite_nb import messages
from ragcite_nb.report import report

HOSTILE = '<script>alert("x")</script><img src=x onerror=alert(1)>&"\''


class Page(HTMLParser):
    """Tags, attributes and visible text of a page."""

    VOID = frozenset({"meta", "br", "img", "input", "link", "hr"})

    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes, self.texts, self.open = [], [], [], []
        self.feed(html)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes.extend(attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes.extend(attrs)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.texts.append(data)

    @property
    def text(self):
        return " ".join(self.texts)


@pytest.mark.parametrize("by", [None, "model"])
def test_a_page_is_well_formed_and_self_contained(mixed, by):
    html = report(mixed, by=by).to_html()
    page = Page(html)
    assert "default-src 'none'" in html
    assert not {"script", "link", "img", "iframe", "object", "form"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on") or name in ("src", "href")]
    assert "url(" not in html
    assert "@import" not in html


def test_everything_from_the_data_is_escaped(checked):
    rows = [{"model": HOSTILE, "question": HOSTILE, "traceability_score": 0.1, "cite_alerts": HOSTILE.replace(";", "")}]
    rows += [
        {"model": "b", "question": HOSTILE, "cite_error": HOSTILE, "cite_alerts": None, "traceability_score": None}
    ]
    html = report(checked(rows, index=[HOSTILE, "b"]), by="model").to_html()
    page = Page(html)
    assert not {"script", "img"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert page.text.count(HOSTILE) >= 4, "the row's label, both questions and the reason"


def test_plots_are_svg_with_words_for_those_who_do_not_see_them(mixed):
    plots = re.findall(r"<svg.*?</svg>", report(mixed, by="model").to_html(), re.DOTALL)
    assert len(plots) == 4
    ids = []
    for plot in plots:
        root = ET.fromstring(plot)
        title, description = root.find("title"), root.find("desc")
        assert root.get("role") == "img"
        assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
        assert re.search(r"\d", description.text), "the description holds the numbers"
        ids += [title.get("id"), description.get("id")]
        for element in root.iter():
            for name in ("x", "y", "width", "height", "cx", "x1", "x2"):
                assert float(element.get(name, 0)) >= 0
    assert len(ids) == len(set(ids))


def test_the_histogram_puts_every_score_where_it_belongs(checked):
    found = report(checked([{"traceability_score": s} for s in (0.0, 0.049, 0.05, 0.9, 0.95, 1.0)]))
    assert [(i, n) for i, n in enumerate(found.total.histogram) if n] == [(0, 2), (1, 1), (18, 1), (19, 2)]


def test_the_same_report_gives_the_same_html(mixed):
    """Committed notebooks must not change from run to run."""
    assert report(mixed, by="model").to_html() == report(mixed, by="model").to_html()


@pytest.mark.parametrize("locale", messages.LOCALES)
def test_every_locale_shows_everything(mixed, locale):
    html = report(mixed, by="model", locale=locale).to_html()
    text = Page(html).text
    assert f'<html lang="{locale}">' in html
    assert messages.text("view", "caveat", locale) in text
    for name in ("shares", "histogram", "alerts", "groups", "comparisons", "worst", "figures"):
        assert messages.text("report", "section", locale, part=name) in text
    assert not re.search(r"\{\w+\}", text), "a field that nobody filled in"


def test_numbers_are_written_as_the_language_does(mixed):
    assert "33.3%" in Page(report(mixed).to_html()).text
    assert "33,3\u202f%" in Page(report(mixed, locale="fr").to_html()).text
    assert "33,3\u202f%" in Page(report(mixed).in_locale("de").to_html()).text


def test_the_findings_name_what_matters(two_models):
    text = Page(report(two_models, by="model").to_html()).text
    assert "1 difference between groups is more than noise." in text
    assert "Traceability: b is lower than a, by 26.2 points" in text
    assert "40 shared questions" in text


def test_noise_is_called_noise(checked):
    rows = [{"model": m, "question": q, "traceability_score": (q + (m == "b")) % 3 / 2} for m in "ab" for q in range(9)]
    text = Page(report(checked(rows), by="model").to_html()).text
    assert "No difference between the groups is more than noise." in text
    assert "could be noise" in text


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"model": "a"}], "There is only one group"),
        ([{"model": "a"}, {"model": "b"}], "Nothing varies"),
        ([{"model": i} for i in range(26)], "With more than 25 groups"),
    ],
)
def test_a_report_says_why_it_compares_nothing(checked, rows, said):
    found = report(checked(rows), by="model")
    assert said in Page(found.to_html()).text
    assert said in str(found)


def test_many_groups_are_listed_but_not_drawn(checked):
    html = report(checked([{"model": i} for i in range(41)]), by="model").to_html()
    assert html.count("<svg") == 2, "shares and histogram; there are no alerts"
    assert '<th scope="row" class="rr-text">40</th>' in html


def test_long_group_names_are_cut(checked):
    prompt = "You are a careful assistant. " * 100
    rows = [{"prompt": prompt + m, "traceability_score": s} for m, s in (("a", 0.0), ("b", 1.0)) for _ in range(20)]
    found = report(checked(rows), by="prompt")
    assert found.comparisons[0].different
    assert prompt not in found.to_html()
    assert max(map(len, str(found).splitlines())) < 400
    assert found.to_dict()["groups"][0]["group"]["prompt"] == prompt + "a"


def test_many_comparisons_are_folded_away(checked):
    rows = [{"model": m, "traceability_score": (m + i) % 5 / 4} for m in range(12) for i in range(4)]
    text = Page(report(checked(rows), by="model").to_html()).text
    assert "54 more comparisons" in text


def test_rows_to_look_at_leave_out_good_ones(mixed):
    text = Page(report(mixed).to_html()).text
    section = text[text.index("Rows to look at first") : text.index("All figures")]
    assert "question 2" in section
    assert "could not be read: answer: a number was found" in section
    assert "question 0" not in section, "both rows of this question are good"


def test_nothing_wrong_is_said(checked):
    text = Page(report(checked([{}] * 3)).to_html()).text
    assert "No row has an error" in text
    assert "No alerts." in text
    assert "Every citation fits" in text


def test_no_scores_at_all(checked):
    found = report(checked([{"traceability_score": None}] * 2))
    assert "No response has a traceability score" in Page(found.to_html()).text
    assert "none of them has a traceability score" in str(found)


def test_all_rows_unreadable(checked):
    from conftest import UNREADABLE

    text = Page(report(checked([UNREADABLE] * 2)).to_html()).text
    assert "2 rows could not be read" in text
    assert "Every citation fits" not in text


def test_a_sum_of_reports_is_shown_without_rows(mixed):
    text = Page((report(mixed) + report(mixed)).to_html()).text
    assert "24 responses" in text
    assert "Rows to look at first" not in text


def test_a_code_of_a_later_version_is_shown_as_it_is(checked):
    found = report(checked([{"cite_alerts": "brand_new; truncated"}]))
    assert "brand_new" in Page(found.to_html()).text
    assert "brand_new" in str(found)
    assert len(found.failing("brand_new")) == 1


def test_the_page_is_written(mixed, tmp_path):
    html = report(mixed).to_html(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == html


def test_a_fragment_styles_nothing_but_itself(mixed):
    style = re.search(r"<style>(.*?)</style>", report(mixed)._repr_html_(), re.DOTALL)[1]
    bare = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    selectors = [s.strip() for rule in re.findall(r"([^{}]+)\{", bare) for s in rule.split(",")]
    assert selectors
    assert all(s.startswith("@media") or ".rr" in s for s in selectors), selectors
