"""Every marker syntax in every place: whatever a marker looks like, it belongs to the same sentence."""

from itertools import product

import pytest

from ragcite_nb.check import check
from ragcite_nb.models import Source

SYNTAXES = {
    "number": "[{n}]",
    "with blanks": "[ {n} ]",
    "doubled": "[[{n}]]",
    "footnote": "[^{n}]",
    "caret": "[^{n}^]",
    "lenticular": "【{n}】",
    "full width": "［{n}］",
    "escaped": "\\[{n}\\]",
    "source": "[Source {n}]",
    "source colon": "[source: {n}]",
    "doc": "[doc{n}]",
    "Quelle": "[Quelle {n}]",
    "cite": "[cite: {n}]",
    "citation": "[citation:{n}]",
    "directive": ":cite[{n}]",
    "round": "(Source {n})",
    "in round brackets": "([{n}])",
    "bold": "**[{n}]**",
    "italic": "*[{n}]*",
    "link": "[{n}](https://a.example/{n})",
    "doubled link": "[[{n}]](https://a.example/{n})",
    "raised": "<sup>{n}</sup>",
    "raised brackets": "<sup>[{n}]</sup>",
    "from zero": "##{z}$$",
    "id from zero": "[ID:{z}]",
    "assistants": "【4:{z}†source】",
    "page": "[{n}, p. 3]",
    "name": "[Source: Pet rules {n}]",
    "file": "[rules-{n}.pdf]",
    "file page": "[rules-{n}.pdf#page=3]",
    "key": "[@rules-{n}.pdf]",
    "turn": "\ue200cite\ue202turn0search{n}\ue201",
}

# Text with two places for markers, and for each sentence the places that belong to it.
PLACES = {
    "before the stop": ("Dogs ride free {1}. Bikes pay {2}. Cats stay.", [[1], [2], []]),
    "after the stop": ("Dogs ride free. {1} Bikes pay. {2} Cats stay.", [[1], [2], []]),
    "glued to the stop": ("Dogs ride free.{1} Bikes pay.{2} Cats stay.", [[1], [2], []]),
    "glued to the word": ("Dogs ride free{1}. Bikes must pay{2}. Cats stay.", [[1], [2], []]),
    "two together": ("Dogs ride free {1}{2}. Bikes pay.", [[1, 2], []]),
    "two with a blank": ("Dogs ride free {1} {2}. Bikes pay.", [[1, 2], []]),
    "two after the stop": ("Dogs ride free. {1}{2} Bikes pay.", [[1, 2], []]),
    "inside": ("Dogs {1} and cats {2} ride free. Bikes pay.", [[1, 2], []]),
    "after a comma": ("Dogs ride free {1}, bikes pay {2}. Cats stay.", [[1, 2], []]),
    "list items": ("- Dogs ride free {1}\n- Bikes pay {2}\n- Cats stay", [[1], [2], []]),
    "numbered items": ("1. Dogs ride free. {1}\n2. Bikes pay. {2}\n3. Cats stay.", [[1], [2], []]),
    "items with semicolons": ("- Dogs ride free {1} ;\n- Bikes pay {2}.", [[1], [2]]),
    "lead-in": ("The rules {1}:\n- Dogs ride free {2}", [[1], [2]]),
    "table cells": ("| Item | Fee |\n|---|---|\n| Dogs | free {1} |\n| Bikes | 4 {2} |", [[], [1], [2]]),
    "heading": ("## Dogs {1}\n\nBikes pay.", [[1], []]),
    "after a quotation": ('It says "Dogs ride free." {1} Bikes pay.', [[1], []]),
    "after round brackets": ("Dogs ride free (all year) {1}. Bikes pay.", [[1], []]),
    "after emphasis": ("**Dogs ride free** {1}. Bikes pay.", [[1], []]),
    "after emphasis with a stop": ("**Dogs ride free.** {1} Bikes pay.", [[1], []]),
    "question": ("Is it free {1}? Yes. {2} Cats stay.", [[1], [2], []]),
    "after code": ("Run `a[1]` first {1}. Bikes pay.", [[1], []]),
    "after a number": ("It costs 4 {1}. Bikes pay.", [[1], []]),
    "after a number with a stop": ("It costs 4. {1} Bikes pay.", [[1], []]),
    "after a sign": ("It rose by 5 % {1}. Bikes pay.", [[1], []]),
    "after an abbreviation": ("Cables, screws, etc. {1} Bikes pay.", [[1], []]),
    "after a URL": ("See https://b.example/x {1}. Bikes pay.", [[1], []]),
    "at the end": ("Dogs ride free. Bikes pay {1}", [[], [1]]),
    "Japanese": ("犬は無料です{1}。自転車は有料です。{2}以上です。", [[1], [2], []]),
    "Chinese": ("狗免费{1}。自行车要钱{2}！好。", [[1], [2], []]),
    "French": ("Les chiens sont admis\u00a0{1}. C'est gratuit\u00a0! {2} Les vélos paient.", [[1], [2], []]),
    "Hindi": ("कुत्ते मुफ़्त हैं {1}। साइकिल का शुल्क है।", [[1], []]),
    "alone on the next line": ("Dogs ride free.\n{1}\n\nBikes pay.", [[1], []]),
    "before the sentence": ("{1} Dogs ride free. {2} Bikes pay.", [[1], [2]]),
    "before the paragraph": ("{1} Dogs ride free.\n\n{2} Bikes pay.", [[1], [2]]),
}


def sources(syntax):
    if syntax == "turn":
        return [Source("x", id=f"turn0search{n}") for n in (1, 2)]
    if syntax in ("name", "file", "file page", "key"):
        return [Source("x", id=f"rules-{n}.pdf", title=f"Pet rules {n}") for n in (1, 2)]
    return ["x", "y"]


@pytest.mark.parametrize(("syntax", "place"), list(product(SYNTAXES, PLACES)))
def test_a_marker_belongs_to_the_same_sentence_whatever_its_syntax(syntax, place):
    text, expected = PLACES[place]
    for n in (1, 2):
        text = text.replace(f"{{{n}}}", SYNTAXES[syntax].format(n=n, z=n - 1))
    result = check(text, sources(syntax))
    assert [[result.citations[i].source + 1 for i in s.citations] for s in result.sentences] == expected
