"""Contradicting claims: the same statement with another figure is told, anything else is not."""

import pytest

from ragcite_nb import check
from ragcite_nb.contradictions import same_statement

SOURCES = ["The fee is about 4 euros here.", "The fee is about 5 euros here."]


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("The fee is about 4 euros here [1]. The fee is about 5 euros here [2].", True),
        ("The fee is about 4 € here [1]. The fee is about 5 € here [2].", True),
        ("The fee is about 4.50 € here [1]. According to the other source, the fee is about 5 € here [2].", True),
        ("Le café coûte environ 4 € ici [1]. Le café coûte environ 5 € ici [2].", True),
        ("The fee is about 4 euros here [1]. The fee is about 4 euros here [2].", False),
        ("The fee is about 4 euros here [1]. The fee is about 5 euros here [1].", False),
        ("The fee is about 4 euros here [1]. The fee is about 5 dollars here [2].", False),
        ("The fee is about 4 € here [1]. The fee is about 5 ₽ here [2].", False),
        ("The adult fee is about 4 euros here [1]. The child fee is about 5 euros here [2].", False),
        ("The fee is about 4 euros here [1]. The fee is about 5 euros here [7].", False),
        ("The fee is about 4 euros for 2 dogs [1]. The fee is about 5 euros for 2 dogs [2].", False),
        ("See section 4 of the terms here [1]. See section 5 of the terms here [2].", False),
    ],
)
def test_the_same_statement_with_another_figure(answer, found):
    alerts = [alert.code for alert in check(answer, SOURCES).alerts]
    assert ("contradiction" in alerts) is found


def test_statements_about_the_same_thing_have_the_same_words():
    assert same_statement("according to source 1, the fee is 4 euros.") == same_statement("the fee is 5 euros.")
    assert same_statement("the free plan allows 5 users.") != same_statement("the paid plan allows 5 users.")
