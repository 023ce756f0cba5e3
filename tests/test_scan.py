"""One pass over an answer: where markers, code, links and quotations stand, and what only looks like them."""

import itertools
import time

import pytest

from ragcite_nb.models import Source
from ragcite_nb.resolve import SourceIndex
from ragcite_nb.scan import Scanner

FOUR = SourceIndex(4)


def scan(text, index=FOUR, optional=(), regions=()):
    return Scanner(optional).scan(text, index, list(regions))


def markers(text, **more):
    return [text[m.start : m.end] for m in scan(text, **more).named() if m.reading.kind == "citation"]


def masks(text):
    return [text[a:b] for a, b in scan(text).masks]


def quotes(text):
    return [text[a:b] for a, b in scan(text).quotes]


@pytest.mark.parametrize(
    "text",
    [
        "a[1]", "x[1][2]", "rows[0][2]", "row_items[2]", "rowItems[2]", "getRow[1][2]", "data[1].name", "handlers[1](event)",
        "total[1] = 5", "count[1] += 2", "obj.items[0]", "m.x[3]",
    ],
)  # fmt: skip
def test_array_indexes_cite_nothing(text):
    assert markers(f"Use {text} here.") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("free[2].", ["[2]"]),
        ("2023[3].", ["[3]"]),
        ("(all year)[2].", ["[2]"]),
        ("5%[2].", ["[2]"]),
        ("so[1][2].", ["[1]", "[2]"]),
        ("NASA[1].", ["[1]"]),
        ("gratuité[1].", ["[1]"]),
        ("無料[1]。", ["[1]"]),
        ('"quoted"[1].', ["[1]"]),
        ("`code`[1].", ["[1]"]),
        ("**bold**[1].", ["[1]"]),
        ("[1][2][3]", ["[1]", "[2]", "[3]"]),
        ("[1], [2] and [3]", ["[1]", "[2]", "[3]"]),
        ("([1])", ["[1]"]),
        ("[1]-[3]", ["[1]", "[3]"]),
        ("_[2]_.", ["[2]"]),
        ("__[2]__ so.", ["[2]"]),
        ("x_[2].", []),
    ],
)
def test_glued_to_a_word_or_to_another_marker_it_cites(text, expected):
    assert markers(f"It is {text}") == expected


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Run `a[1]` now", ["`a[1]`"]),
        ("Run ``a`[1]`` now", ["``a`[1]``"]),
        ("Let $x_[1]$ be", ["$x_[1]$"]),
        ("So $$a[1]$$ holds", ["$$a[1]$$"]),
        ("So \\(a[1]\\) holds", ["\\(a[1]\\)"]),
        ("So \\[ a[1] \\] holds", ["\\[ a[1] \\]"]),
        ("See ![1](a.png) there", ["![1](a.png)"]),
        ("See ![fig [1]](a.png) there", ["![fig [1]](a.png)"]),
        ("See [the rules](http://a.example/[1]) there", ["(http://a.example/[1])"]),
        ("See https://a.example/x there", ["https://a.example/x"]),
    ],
)
def test_nothing_cites_in_code_maths_images_and_link_targets(text, masked):
    found = scan(text)
    assert ([text[a:b] for a, b in found.masks + found.images], found.marks) == (masked, [])


@pytest.mark.parametrize(
    "text", ["It costs $5 [1] or $6.", "A lone ` back-tick [1].", "Between $ signs $ [1].", "\\(1 [1] open"]
)
def test_what_never_closes_masks_nothing(text):
    assert markers(text) == ["[1]"]


def test_ragflow_markers_are_read_before_maths():
    assert markers("So ##0$$ and ##1$$.") == ["##0$$", "##1$$"]


def test_escaped_markers_are_read_before_display_maths():
    assert markers("So \\[1\\] it is.") == ["\\[1\\]"]


def test_regions_are_left_out():
    assert markers("[1] and [2]", regions=[(0, 3)]) == ["[2]"]


@pytest.mark.parametrize(
    "text",
    [
        "[2024]",
        "[1999, 2001]",
        "[sic]",
        "[x]",
        "[ ]",
        "[]",
        "[1.5]",
        "[5 mg]",
        "[Fig. 2]",
        "[Save]",
        "[10:30]",
        "[0-9]",
        "[12/03/2024]",
        "[3.4.2024]",
        "[10,000]",
        "[1,050,000]",
    ],
)
def test_other_words_and_figures_in_brackets_cite_nothing(text):
    assert markers(f"It is {text} here.") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("For x in [0, 1] it is.", []),
        ("On [0, 1) it is.", []),
        ("It is [0, 1].", ["[0, 1]"]),
        ("Let f: [0, 1] → [0, 2] be so.", []),
        ("On [0, 1] × [2, 3] it is.", []),
        ("Both hold [1, 2] → so [3].", ["[1, 2]", "[3]"]),
        ("A change of 2 (95% CI [1, 3]).", []),
        ("The IQR: [1-3] is small [2].", ["[2]"]),
        ("It is so [1-3].", ["[1-3]"]),
    ],
)
def test_intervals(text, expected):
    assert markers(text) == expected


@pytest.mark.parametrize(
    ("text", "raw", "url"),
    [
        ("So [1](http://a.example).", "[1](http://a.example)", "http://a.example"),
        ('So [1](http://a.example "A").', '[1](http://a.example "A")', "http://a.example"),
        ("So [[1]](http://a.example).", "[[1]](http://a.example)", "http://a.example"),
        ("So [1](http://a.example/b_(c)).", "[1](http://a.example/b_(c))", "http://a.example/b_(c)"),
        ("So [1](#ref).", "[1](#ref)", None),
    ],
)
def test_a_linked_number_is_one_marker_with_its_link(text, raw, url):
    [mark] = scan(text).named()
    assert (text[mark.start : mark.end], mark.url) == (raw, url)


def test_a_link_to_a_source_cites_it_whatever_its_words():
    index = SourceIndex(1, sources=[Source("x", url="https://a.example/faq")])
    assert markers("See [our questions](https://a.example/faq) here.", index=index) == [
        "[our questions](https://a.example/faq)"
    ]


@pytest.mark.parametrize(
    ("text", "wrapped"),
    [
        ("Dogs <co: 1>ride free</co: 1>.", "ride free"),
        ('Dogs <cite index="1-2">ride free</cite>.', "ride free"),
        ('<|start_of_cite|>{"document_id": "1"}ride free<|end_of_cite|>', "ride free"),
    ],
)
def test_tags_around_text_leave_the_text(text, wrapped):
    [mark] = scan(text).named()
    assert text[slice(*mark.wraps)] == wrapped


@pytest.mark.parametrize(
    ("text", "malformed"),
    [
        ("Dogs ride free [1", ["[1"]),
        ("Dogs ride free [1, 2", ["[1, 2"]),
        ("Dogs ride free [1\nBikes pay", ["[1"]),
        ("Dogs ride free [Source: Pet r", ["[Source: Pet r"]),
        ("Dogs ride free [", ["["]),
        ("Dogs ride free [2b].", ["[2b]"]),
        ("Dogs ride free [9b].", []),
        ("Dogs ride free [3-1].", ["[3-1]"]),
        ("Dogs [1 of them", []),
        ("Dogs [1 of them and bikes [2].", ["[1"]),
        ("Dogs [1. Bikes pay [2].", ["[1"]),
        ("Dogs [Source 1. Bikes pay", ["[Source 1"]),
        ("Dogs [9. Bikes pay [2].", []),
        ("x[1 is not closed [2].", []),
        ("L'intervalle [1 ; 3[ est ouvert [2].", []),
        ("Dogs [\nBikes", []),
    ],
)
def test_malformed(text, malformed):
    assert [text[m.start : m.end] for m in scan(text).named() if m.reading.kind == "malformed"] == malformed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('It says "dogs ride free" here.', ["dogs ride free"]),
        ("It says “dogs ride free” here.", ["dogs ride free"]),
        ("Es heißt „Hunde fahren frei“ hier.", ["Hunde fahren frei"]),
        ("Es heißt »Hunde fahren frei« hier.", ["Hunde fahren frei"]),
        ("Il dit « les chiens » ici.", ["les chiens"]),
        ("「犬は無料」とある。", ["犬は無料"]),
        ('"One" and "two" here.', ["One", "two"]),
        ("It's the dogs' and cats' deck.", []),
        ('A 5" and a 3" disk.', []),
        ('It says "dogs ride free.', []),
        ('It says "dogs\n\nride" free.', []),
        ('Run `echo "hello"` now.', []),
        # one of its kind inside: the whole is quoted
        ("Il dit « le délai « net » vaut » ici.", ["le délai « net » vaut"]),
        ("Es heißt „der Begriff „Ware“ umfasst alles“ hier.", ["der Begriff „Ware“ umfasst alles"]),
        ("Es heißt „der Begriff “Ware” umfasst alles“ hier.", ["der Begriff “Ware” umfasst alles"]),
        ("Es heißt »der Begriff »Ware« umfasst alles« hier.", ["der Begriff »Ware« umfasst alles"]),
        ("It says “the “net” and the “gross” price” and “more”.", ["the “net” and the “gross” price", "more"]),
        ("It says “a “b “c” d” e” here.", ["a “b “c” d” e"]),
        ("規約に「この「商品」は」とある。", ["この「商品」は"]),
        # marks without their partner end as soon as they can
        ("Il dit « le délai « net » vaut ici. Il dit « non ».", ["le délai « net", "non"]),
        ("It says “the “net price” is. It says “no” too.", ["the “net price", "no"]),
        ("It says “the “net price” is.\n\nIt says no” too.", ["the “net price"]),
        ("Es heißt „Ware“ und „Preis“ hier.", ["Ware", "Preis"]),
        # a plain mark closes a typographic one
        ('Es heißt „dreißig Tage" hier, „zehn Tage" da.', ["dreißig Tage", "zehn Tage"]),
        ('It says “thirty days" here, “ten days” there.', ["thirty days", "ten days"]),
        ('It says “in "thirty" days" here.', ['in "thirty" days']),
        ('It says “in "thirty" days” here.', ['in "thirty" days']),
        ('It says “the 5" pipe is long” here.', ['the 5" pipe is long']),
        ('It says “the 5" pipe is long" here.', ['the 5" pipe is long']),
        ('Es heißt „in "dreißig" Tagen“ hier.', ['in "dreißig" Tagen']),
        # no blanks around marks in Chinese and Japanese
        ('合同说"费用应付"，又说"三十天"。', ["费用应付", "三十天"]),
        ('規約には"返品は可"とある。', ["返品は可"]),
        ('长度为5"的管和6"的管。', []),
    ],
)
def test_quotations(text, expected):
    assert quotes(text) == expected


@pytest.mark.parametrize("unit", ["“", "«a «b» ", '“a" ', '“a "b', "「「」", "„a “b” "])
def test_quotation_marks_in_linear_time(unit):
    times = []
    for size in (8_000, 64_000):
        started = time.process_time()
        scan(unit * (size // len(unit)))
        times.append(time.process_time() - started)
    assert times[1] < 24 * max(times[0], 0.01)


def test_leaked_markup_is_told_apart_from_markers():
    text = "[cite_start]Dogs ride free[cite: 1]. <source>x</source>"
    assert [text[a:b] for a, b in scan(text).leaks] == ["[cite_start]", "<source>", "</source>"]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("paren", "It is free (1), see (2, 3).", ["(1)", "(2, 3)"]),
        ("paren", "(1) Open it.", []),
        ("curly", "It is free {1}.", ["{1}"]),
        ("superscript", "It is free², 5 m² and 10³.", ["²"]),
    ],
)
def test_optional_syntaxes(name, text, expected):
    assert markers(text) == []
    assert markers(text, optional=(name,)) == expected


def test_superscripts_are_one_number_or_several_by_the_number_of_sources():
    [mark] = scan("So it is¹².", SourceIndex(12), ("superscript",)).named()
    assert [c.reference for c in mark.reading.citations] == ["12"]
    [mark] = scan("So it is¹².", SourceIndex(4), ("superscript",)).named()
    assert [c.reference for c in mark.reading.citations] == ["1", "2"]


def test_bare_turns():
    assert markers("So it is citeturn0search0turn0search8.") == ["citeturn0search0turn0search8"]


def test_a_link_definition_is_no_citation():
    assert markers("[1]: http://a.example") == []


def test_marks_masks_and_quotes_are_in_order():
    found = scan('A [1] `b` "some quote" [2](http://c.example) $x$ citeturn0search0 [3] “more” http://d.example [4].')
    for spans in ([(m.start, m.end) for m in found.named()], found.masks, found.quotes):
        assert spans == sorted(spans)
        assert all(a[1] <= b[0] for a, b in itertools.pairwise(spans))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is free (Source 2).", ["(Source 2)"]),
        ("It is free (see Source 2).", ["(see Source 2)"]),
        ("无需付费（来源：2）。", ["（来源：2）"]),
        ("It is free (see below).", []),
    ],
)
def test_round_brackets_cite_by_prefix(text, expected):
    assert markers(text) == expected


@pytest.mark.parametrize(
    ("text", "ids", "expected"),
    [
        ("It is free (Source: Document 2).", ("rules", "fees"), [("2", 1)]),
        ("It is free (Source: Document 2).", ("Document 4", "Document 2"), [("Document 2", 1)]),
        ("It is free (Document 1).", ("Document 4", "Document 2"), [("Document 1", None)]),
        ("It is free 【Source: Document 1】.", ("Document 4", "Document 2"), [("Document 1", None)]),
    ],
)
def test_in_all_brackets_a_number_is_a_name_where_sources_are_called_so(text, ids, expected):
    index = SourceIndex(2, sources=[Source("x", id=i) for i in ids])
    assert [(c.reference, c.source) for m in scan(text, index).named() for c in m.reading.citations] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It works (CPA).", ["(CPA)"]),
        ("The Compositional Perturbation Autoencoder (CPA) works.", []),
        ("The CPA (Compositional Perturbation Autoencoder) works.", []),
    ],
)
def test_a_spelt_out_abbreviation_cites_nothing(text, expected):
    index = SourceIndex(
        2, sources=[Source("x", title="CPA"), Source("x", title="Compositional Perturbation Autoencoder")]
    )
    assert [text[m.start : m.end] for m in Scanner().scan(text, index, []).named()] == expected


def test_a_bare_turn_in_code_cites_nothing():
    text = "Dogs go citeturn0search0 and `citeturn0search1`.\n```\nciteturn0search2\n```"
    code = text.index("```")
    assert [text[m.start : m.end] for m in scan(text, regions=[(code, len(text))]).named()] == ["citeturn0search0"]


@pytest.mark.parametrize(
    ("marker", "ids", "expected"),
    [
        ("【4:0†contract.pdf】", ("rules.pdf", "terms.pdf"), None),
        ("【4:0†terms.pdf】", ("rules.pdf", "terms.pdf"), 1),
        ("【4:1†Terms.pdf】", ("rules.pdf", "price-terms.pdf"), None),
        ("【4:1†price_terms.pdf】", ("rules.pdf", "price-terms.pdf"), 1),
        ("【4:1†source】", ("rules.pdf", "terms.pdf"), 1),
        ("【4:1†contract.pdf】", ("Rules", "Terms"), 1),
    ],
)
def test_the_file_name_of_an_assistants_marker_comes_before_its_position(marker, ids, expected):
    index = SourceIndex(2, sources=[Source("x", id=i) for i in ids])
    [mark] = scan(f"It is free{marker}.", index).named()
    assert [c.source for c in mark.reading.citations] == [expected]
