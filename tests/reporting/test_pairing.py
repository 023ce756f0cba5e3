import numpy as np
import pandas as pd
import pytest

from ragcite_nb.reporting.pairing import PairTable, question_column, question_hashes


def table(keys, scores):
    return PairTable.of(np.array(keys, dtype=np.uint64), np.array(scores, dtype=float).reshape(-1, 1))


def test_rows_of_one_question_are_averaged():
    first, second = table([1, 1, 2], [0.0, 1.0, 0.5]).shared(table([2, 1], [0.25, 1.0]), 0)
    assert first.tolist() == [0.5, 0.5]
    assert second.tolist() == [1.0, 0.25]


def test_a_question_without_a_score_on_one_side_is_left_out():
    first, second = table([1, 2, 3], [0.1, np.nan, 0.3]).shared(table([1, 2, 4], [1.0, 1.0, 1.0]), 0)
    assert first.tolist() == [0.1]
    assert second.tolist() == [1.0]


def test_tables_of_parts_add_up():
    keys, scores = [5, 3, 5, 1, 3], [0.5, 1.0, np.nan, 0.0, 0.5]
    whole = table(keys, scores)
    both = table(keys[:2], scores[:2]) + table(keys[2:], scores[2:])
    assert both.keys.tolist() == whole.keys.tolist() == [1, 3, 5]
    assert both.sums.tolist() == whole.sums.tolist()
    assert both.counts.tolist() == whole.counts.tolist()


def test_empty_tables_share_nothing():
    assert table([], []).shared(table([1], [1.0]), 0)[0].size == 0
    assert (table([], []) + table([1], [1.0])).keys.tolist() == [1]


@pytest.mark.parametrize("column", [[1, 2], [1.0, 2.0], ["1", "2"], pd.array([1, 2], dtype="Int64")])
def test_the_same_ids_are_the_same_questions_in_any_dtype(column):
    """A missing value turns a part's column of numbers into floats."""
    hashes, known = question_hashes(pd.Series(column))
    expected, _ = question_hashes(pd.Series(["1", "2"], dtype=object))
    assert hashes.tolist() == expected.tolist()
    assert known.all()


def test_missing_questions_are_known_to_be_missing():
    _, known = question_hashes(pd.Series(["a", None, float("nan"), pd.NA, ""], dtype=object))
    assert known.tolist() == [True, False, False, False, True]


def test_questions_that_are_objects_have_a_hash():
    """Logs keep messages or dicts as input."""
    hashes, _ = question_hashes(pd.Series([{"q": 1}, {"q": 1}, ["x"]]))
    assert hashes[0] == hashes[1] != hashes[2]


def test_the_most_telling_column_is_taken():
    assert question_column(pd.Index(["id", "user_input", "question"])) == "question"
    assert question_column(pd.Index(["answer", "id"])) == "id"
    assert question_column(pd.Index(["answer"])) is None
