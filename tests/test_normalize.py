"""Folding: each rule with its reason, and the exact way back to the original text."""

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragcite_nb.normalize import bracketed_numbers, fold, fold_map, has_broken_word

# Characters that meet each other in rules: emphasis beside markers, marks beside letters, spaces beside CJK, ...
NASTY = 'aA b1-\n [1]】【^*_`~.,\u0301\u0316\u00ad\u200b½²ﬁ…℃’“«»œ&;<>():!"/ſ漢が ガﾞ\u3000·\ud800\x00ǰ\u1100\u1161\u11a8각ẛ̣\u09c7\u09beßİ\u202e\ufeff™'
PIECES = [
    "<sup>1</sup>",
    "<b>",
    "</b>",
    "<br>",
    "&amp;",
    "&nbsp;",
    "&shy;",
    "&quot;",
    "](https://x)",
    "[",
    "word",
    "« ",
    " »",
    "¹",
]
texts = st.one_of(
    st.text(max_size=60),
    st.text(st.sampled_from(NASTY), max_size=30),
    st.lists(st.sampled_from([*PIECES, *NASTY]), max_size=20).map("".join),
)

RULES = [
    ("a  b\tc\r\nd\x0be", "a b c d e", "layout is not wording"),
    (" \n a \u2003b\u2028c\u205f ", "a b c", "every kind of space, none at the edges"),
    ("Dogs TRAVEL", "dogs travel", "a quote in mid-sentence changes its capital"),
    ("STRASSE Straße", "strasse strasse", "capitals have no ß"),
    ("section １２ ＡＢ", "section 12 ab", "full width is the same text"),
    ("20 ℃ № 5 ㎏", "20 °c no 5 kg", "compatibility characters of CJK fonts"),
    ("signiﬁcant eﬀect oﬃce", "significant effect office", "PDF text has ligatures"),
    ("ſucceſs", "success", "long s in old prints"),
    ("It’s ‘so’ ‚it‛ ´is`x", "it's 'so' 'it' 'is`x", "all apostrophes are one"),
    ("“a” „b‟ «c» 「d」 ＂e＂ ‘f’", "'a' 'b' 'c' 'd' 'e' 'f'", "all quotation marks are one"),
    ('5′ 3″ or 5" or “14”', '5\' 3" or 5" or \'14"', "but feet are not inches"),
    ("« a », «b» et (« c »).", "'a', 'b' et ('c').", "French sets blanks inside quotation marks"),
    ("das »Wort« und »Ding« da", "das 'wort' und 'ding' da", "German sets them outside"),
    ("Attention : non ! Si ? (a) ; b", "attention: non! si? (a); b", "French sets signs apart"),
    ("4 : 3, x :y", "4 : 3, x:y", "but a ratio stays"),
    ("cœur, Œuvre, æon", "coeur, oeuvre, aeon", "ligatures of letters"),
    ("A &amp; B&nbsp;&#39;c&#x27; &quot;d&quot; &eacute;", "a & b 'c' 'd' é", "character references"),
    ("AT&T; a&b &unknown1;", "at&t; a&b &unknown1;", "what only looks like one"),
    ("a <b>bold</b> <EM>word</EM> one<br/>two", "a bold word one two", "tags of emphasis"),
    ("a <c> b < 3, List<T>", "a <c> b < 3, list<t>", "other brackets stay"),
    ("the [health portal](https://x.example/a_b_c) and [a](#b) x", "the health portal and a x", "link targets"),
    ("so it is [1](https://x.example), and", "so it is, and", "a linked citation"),
    ("f[i](x), see [that](it is)", "f[i](x), see [that](it is)", "no link targets"),
    ("stable¹ over, grew.¹² It “fell”³ (far).⁴", "stable over, grew. it 'fell' (far).", "numbers of notes"),
    ("stable<sup>1</sup> over<sup>2, 3</sup>.", "stable over.", "in tags, too"),
    ("5 m², 3 kilometres², 4 mol⁻¹, x², 10⁵", "5 m2, 3 kilometres2, 4 mol−1, x2, 10^5", "units and powers are none"),
    ("5 m<sup>2</sup> 10<sup>5</sup> H<sub>2</sub>O", "5 m2 10^5 h2o", "in tags, too: figures"),
    ("a – b — c − d ‑ e", "a - b - c - d - e", "all dashes are one"),
    ("wait… and ...", "wait... and ...", "an ellipsis is three dots"),
    ("in\u00adter\u00adnational", "international", "soft hyphens are invisible"),
    ("inter\u00ad\n  national", "international", "extraction leaves the line end of a soft hyphen"),
    ("inter-\nnational", "international", "a word broken at a line end"),
    ("assess- ments", "assessments", "the same after the line ends were lost"),
    ("pages 10-\n15", "pages 10-15", "a range of numbers keeps its dash"),
    ("a - b", "a - b", "a dash between spaces stays"),
    ("zero\u200bwidth \u2060joiner\ufeff \u202ebidi\u202c", "zerowidth joiner bidi", "invisible characters"),
    ("cafe\u0301", "café", "accents may be characters of their own"),
    ("**bold** __bold__ *it* _it_ ~~no~~ `code`", "bold bold it it no code", "Markdown emphasis"),
    ("**_both_**, (*x*) **Note:** y", "both, (x) note: y", "emphasis beside punctuation"),
    ("これは**重要**です", "これは重要です", "CJK has no spaces around emphasis"),
    ("snake_case and __init__.py", "snake_case and init.py", "an underscore inside a name is a letter"),
    ("4 * dimensions, 2**3, 4*5", "4 * dimensions, 2**3, 4*5", "an asterisk between numbers multiplies"),
    ("* item\n* item", "* item * item", "a bullet is no emphasis"),
    ("about ~5 kg", "about ~5 kg", "one tilde means about"),
    ("shown [12], and [1, 3] so【4】 or 【4:2†file.md】.", "shown, and so or.", "the source's own citations"),
    ("[1] First [2][3] line [4-6].", "first line.", "citations at the start, glued, and in ranges"),
    (
        "x[1] + my_list[2] + f(x)[0] + someName[3]",
        "x[1] + my_list[2] + f(x)[0] + somename[3]",
        "an index is no citation",
    ),
    ("in [2024] or [sic] or [a]", "in [2024] or [sic] or [a]", "years and words are no citations"),
    ("61·4% and a·b", "61.4% and a·b", "a middle dot is a decimal point between digits only"),
    ("次の 場合\nに　契 約", "次の場合に契約", "CJK ignores spaces"),
    (
        "圧力は ２．４　ＭＰａ とした",
        "圧力は2.4 mpaとした",
        "so do spaces beside it, but not those between Latin words",
    ),
    ("ten 2.4 or 2.40 or 1,000", "ten 2.4 or 2.40 or 1,000", "numbers stay as they are written"),
    ("10⁵ is not 105", "10^5 is not 105", "a power is no digit"),
    ("1½ cups, ½ cup", "1 1/2 cups, 1/2 cup", "a fraction beside a number is not its last digit"),
    ("m² and H₂O", "m2 and h2o", "beside letters they are plain digits"),
    ("③5", "3 5", "nor is a circled number a first digit"),
    ("Word™ is", "word is", "trade marks are not letters"),
    ("", "", "nothing"),
    ("\x00a\ud800", "\x00a\ud800", "what no encoding can carry stays"),
]


@pytest.mark.parametrize(("text", "folded", "why"), RULES, ids=[why for _, _, why in RULES])
def test_rule(text, folded, why):
    assert fold(text) == folded
    assert fold_map(text)[0] == folded


def test_hyphen_at_a_line_end_may_belong_to_the_word():
    """Only the language knows: "per-⏎tenant" is "per-tenant", so the caller can have it both ways."""
    assert fold("per-\ntenant") == "pertenant"
    assert fold("per-\ntenant", keep_hyphens=True) == "per-tenant"
    assert has_broken_word("per-\ntenant")
    assert not has_broken_word("per-tenant - x-ray")


@given(
    st.one_of(
        st.text(st.characters(max_codepoint=127), max_size=60), st.text(st.sampled_from("a- \n[1]*_`~"), max_size=20)
    )
)
def test_has_broken_word_never_misses_one(text):
    if fold(text) != fold(text, keep_hyphens=True):
        assert has_broken_word(text)


@settings(max_examples=600)
@given(texts, st.booleans())
def test_map_gives_the_folded_text(text, keep):
    """The two roads lead to one text, whatever the text is."""
    folded, offsets = fold_map(text, keep_hyphens=keep)
    assert folded == fold(text, keep_hyphens=keep)
    assert len(offsets.starts) == len(offsets.ends) == len(folded)


@settings(max_examples=300)
@given(texts)
def test_map_points_into_the_text_in_order(text):
    _, offsets = fold_map(text)
    spans = list(zip(offsets.starts, offsets.ends, strict=True))
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(a[0] <= b[0] and a[1] <= b[1] for a, b in pairwise(spans))


@given(st.text(st.sampled_from("abc dé\n "), max_size=30))
def test_span_of_a_character_folds_to_it(text):
    """Without rules that look around, each span alone gives its character."""
    folded, offsets = fold_map(text)
    for at, char in enumerate(folded):
        start, end = offsets.span(at, at + 1)
        assert text[start:end].isspace() if char == " " else fold(text[start:end]) == char


@pytest.mark.parametrize(
    ("text", "part", "original"),
    [
        ("Add ½ cup… at 20 ℃, then stir twice.", "stir twice", "stir twice"),
        ("Add ½ cup… at 20 ℃, then", "1/2 cup... at 20 °c", "½ cup… at 20 ℃"),
        ("a signiﬁcant day", "significant", "signiﬁcant"),
        ("an inter-\nnational law", "international law", "inter-\nnational law"),
        ("**returns** [3] are _free_.", "returns are free", "returns** [3] are _free"),
        ("次の　場合 に", "場合に", "場合 に"),
        ("cafe\u0301 au lait", "café", "cafe\u0301"),
        ("the [health portal](https://x.example) is", "health portal", "health portal"),
        ("a &quot;net&quot; price", "'net'", "&quot;net&quot;"),
        ("it was <b>very</b> stable¹ over", "very stable over", "very</b> stable¹ over"),
        ("le « net » vaut", "'net'", "« net »"),
    ],
)
def test_span_of_a_part(text, part, original):
    folded, offsets = fold_map(text)
    at = folded.index(part)
    start, end = offsets.span(at, at + len(part))
    assert text[start:end] == original


def test_span_of_nothing():
    assert fold_map("")[1].span(0, 0) == (0, 0)
    assert fold_map("a  b")[1].span(2, 2) == (3, 3)
    assert fold_map("ab")[1].span(2, 2) == (2, 2)


def test_bracketed_numbers():
    assert bracketed_numbers("within [14] days, x[1], [2024]") == ["14"]
    assert bracketed_numbers("【4:2†a.md】 and [2, 3-5]") == ["4", "2", "3", "5"]
    assert bracketed_numbers("no brackets") == []


@pytest.mark.parametrize(
    "unit",
    [
        "*",
        "_ ",
        "[1] ",
        "[1, ",
        "【1:",
        "~~a",
        "a- ",
        "\u00ad\n",
        "a\u0301\u0316",
        "\u0316\u0301",
        "ﾞ\u0316",
        "1½",
        "<sup>1",
        "&amp",
        "[a](",
        "](/",
        "« ",
        "»",
        "a¹,",
        ' "',
    ],
)
def test_linear_time(unit):
    """Eight times the text may take some ten times as long, not sixty-four: normalising sorts marks in quadratic time."""
    small, large = unit * 5_000, unit * 40_000
    times = []
    for text in (small, large):
        tries = []
        for _ in range(3):  # the quickest: others may use the machine
            started = time.process_time()
            fold(text)
            tries.append(time.process_time() - started)
        times.append(min(tries))
    assert times[1] < 24 * max(times[0], 0.002)


def test_too_many_marks_are_cut_in_both():
    text = "a" + "\u0301\u0316" * 200 + " b"
    folded, offsets = fold_map(text)
    assert folded == fold(text)
    assert len(folded) < 40
    start, end = offsets.span(len(folded) - 1, len(folded))
    assert text[start:end] == "b"
