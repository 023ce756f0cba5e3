"""Sources in every form that notebooks and log tables hold them."""

import dataclasses
import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from ragcite_nb.models import InputError, Source
from ragcite_nb.read import describe_sources, plain_sources, read_corpus, read_sources

A, B = "Dogs travel free.", "Bicycles cost 4 euros."


@dataclasses.dataclass
class Passage:
    text: str
    doc_id: str


class Document:
    """An object of another library that only offers to_dict()."""

    def __init__(self, content):
        self.content = content

    def to_dict(self):
        return {"content": self.content, "meta": {"file_path": "faq.md"}}


def test_extension_array_of_maps():
    """Arrow map cells come out of pandas as lists of tuples."""
    table = pa.table(
        {"s": pa.array([[[("text", A), ("page", "3")]]], type=pa.list_(pa.map_(pa.string(), pa.string())))}
    )
    cell = table.to_pandas()["s"].iloc[0]
    assert [(s.text, s.page) for s in read_sources(cell)] == [(A, 3)]


@pytest.mark.parametrize(("value", "how"), [
    ([A, B], "strings"), ((A, B), "strings"), (np.array([A, B], dtype=object), "strings"), (pd.Series([A, B]), "strings"),
    (json.dumps([A, B]), "JSON array of strings"), (repr([A, B]), "Python array of strings"), (str((A, B)), "Python array of strings"),
    (f"{A}\n---\n{B}", "--- blocks"), (f"---\n{A}\n  -----  \n{B}\n---\n", "--- blocks"), (f"{A}\n\n{B}", "paragraphs"),
    (f"{A}\r\n\r\n{B}", "paragraphs"), (f"{A}\n \t\n\n{B}\n", "paragraphs"),
    ([{"text": A}, {"content": B}], "objects"), ([Passage(A, "a"), Passage(B, "b")], "objects"), ([Document(A), Document(B)], "objects"),
    ([Source(A), Source(B)], "objects"), ({"CGV": A, "FAQ": B}, "mapping"), ({"CGV": {"text": A}, "FAQ": Source(B)}, "mapping"),
    (json.dumps({"CGV": A, "FAQ": B}), "JSON object"), (json.dumps([{"text": A}, {"text": B}]), "JSON array of objects"),
    (json.dumps({"documents": [{"text": A}, {"text": B}]}), "JSON array of objects"),
    (pd.DataFrame({"text": [A, B], "title": ["a", "b"]}), "frame"), (pd.DataFrame({"passages": [A, B]}), "frame"),
    (pa.table({"text": [A, B]}), "frame"), (pd.Series({"a": A, "b": B}), "mapping"), ([[A, B]], "strings"),
    ({"documents": [[A, B]], "ids": [["1", "2"]], "distances": [[0.1, 0.2]]}, "objects"), ({"text": [A, B], "title": ["a", "b"]}, "objects"),
    ("[Document(page_content='" + A + "', metadata={'source': 'a'}), Document(page_content='" + B + "', metadata={})]", "Python array of objects"),
    (np.array([{"text": A, "page": 3.0}, {"text": B, "page": None}], dtype=object), "objects"),
    ({"hits": {"hits": [{"_source": {"text": A}}, {"_source": {"text": B}}]}}, "objects"), (f'["{A}", "{B}",]', "JSON array of strings"),
    (b'["Dogs travel free.", "Bicycles cost 4 euros."]', "JSON array of strings"),
    ("{'a': array(['x'], dtype=object), 'documents': array(['" + A + "', '" + B + "'], dtype=object)}", "Python array of strings"),
])  # fmt: skip
def test_forms(value, how):
    sources, described = describe_sources(value)
    assert [s.text for s in sources] == [A, B]
    assert described == how


@pytest.mark.parametrize("value", [None, float("nan"), np.float32("nan"), pd.NA, pd.NaT, "", "  \n"])
def test_not_given(value):
    assert describe_sources(value) == (None, "none")


@pytest.mark.parametrize("value", [[], (), np.array([]), "[]", {}])
def test_no_sources_are_not_the_same_as_not_given(value):
    assert describe_sources(value)[0] == ()


@pytest.mark.parametrize("gap", [None, float("nan"), pd.NA])
def test_a_gap_in_a_list_keeps_the_numbering(gap):
    assert [s.text for s in read_sources([A, gap, B])] == [A, None, B]


def test_one_text_is_one_source():
    assert [s.text for s in read_sources("[1] Dogs travel free.\nAlways.")] == ["[1] Dogs travel free.\nAlways."]


@pytest.mark.parametrize("text", [
    "['a' 'b'\n 'c']", "['a'\n \"it's b\"]", "[\"a\" 'b']", "['a' 'b' ... 'c' 'd']", "[{'text': 'a'}\n {'text': 'b'}]",
    str(np.array([A, B, "C"], dtype=object)), str(np.array([f"s{i}" for i in range(2000)], dtype=object)),
])  # fmt: skip
def test_a_printed_array_is_refused(text):
    """ast.literal_eval would join its strings into one source without a word."""
    with pytest.raises(InputError, match="numpy array"):
        read_sources(text)


@pytest.mark.parametrize(
    "scored",
    [
        [(A, 0.3), (B, 0.2)],
        [[A, 0.3], [B, np.float32(0.2)]],
        [({"page_content": A}, 0.3), ({"page_content": B}, 1)],
        '[["Dogs travel free.", 0.3], ["Bicycles cost 4 euros.", 0.2]]',
    ],
)
def test_pairs_of_a_source_and_its_score(scored):
    """As similarity searches return them; the score is kept."""
    read = read_sources(scored)
    assert [source.text for source in read] == [A, B]
    assert read[0].metadata["score"] == 0.3


@pytest.mark.parametrize("text", ['["Dogs travel', '[{"text": "Dogs"}, {"te', "['Dogs', 'Bik"])
def test_a_cut_list_is_refused(text):
    with pytest.raises(InputError, match="cut off"):
        read_sources(text)


@pytest.mark.parametrize(("value", "match"), [(3, "type int"), ([3], "item 1.*corpus="), ([A, object()], "item 2.*object"), ({"a": 3}, "'a'"),
                                               (pd.DataFrame({"x": [1], "y": [2]}), "'x', 'y'"), (1.5, "float")])  # fmt: skip
def test_bad_input_says_what_where_and_what_is_accepted(value, match):
    with pytest.raises(InputError, match=match):
        read_sources(value)


@pytest.mark.parametrize(("document", "want"), [
    ({"page_content": A, "metadata": {"source": "p.md", "page": 0, "page_label": "1"}}, {"text": A, "title": "p.md", "page": 1}),
    ({"page_content": A, "metadata": {"source": "https://shop.example"}}, {"url": "https://shop.example", "title": None}),
    ({"text": A, "source_document": "CGV", "document_type": "policy", "section": "5.2", "page_number": 12, "version": 2.1, "last_updated": "2026-01-02",
      "confidence_score": 0.92}, {"title": "CGV", "document_type": "policy", "section": "5.2", "page": 12, "version": "2.1", "last_updated": "2026-01-02", "confidence": 0.92}),
    ({"text": A, "score": 0.83, "confidence": None}, {"confidence": None, "metadata": {"score": 0.83}}),
    ({"text": A, "confidence": 17}, {"confidence": None, "metadata": {"confidence": 17}}),
    ({"text": A, "confidence": "high"}, {"confidence": None, "metadata": {"confidence": "high"}}),
    ({"document.id": "d", "document.content": A, "document.score": 0.5, "document.metadata": '{"title": "T"}'}, {"text": A, "id": "d", "title": "T", "metadata": {"score": 0.5}}),
    ({"id": 3.0, "text": A, "page": 7.0, "title": None}, {"id": 3, "page": 7, "title": None}),
    ({"id": "x", "document": {"text": A, "title": "T"}}, {"text": A, "title": "T", "id": "x"}),
    ({"document": A, "id": 0}, {"text": A, "id": 0}),
    ({"node": {"id_": "n", "text": A, "metadata": {"file_name": "f.md", "page_label": "iv"}}, "score": 0.1}, {"text": A, "id": "n", "title": "f.md", "page": "iv"}),
    ({"id": "p", "score": 0.1, "payload": {"text": A, "file_name": "f.md"}}, {"text": A, "id": "p", "title": "f.md"}),
    ({"id": "p", "metadata": {"text": A}}, {"text": A, "id": "p"}),
    ({"snippet": A, "link": "https://l.example", "date": "2026"}, {"text": A, "url": "https://l.example", "last_updated": "2026"}),
    ({"content": [{"type": "text", "text": A}, {"type": "text", "text": B}]}, {"text": f"{A}\n{B}"}),
    ({"content": [{"type": "text", "text": f"{A} "}, {"type": "text", "text": B}]}, {"text": f"{A} {B}"}),
    ({"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": A}, "title": "T", "context": B},
     {"text": A, "title": "T", "metadata": {"type": "document", "media_type": "text/plain", "context": B}}),
    ({"context": A, "title": "T"}, {"text": A, "title": "T"}),
    ({"text": A, "updated_at": pd.Timestamp("2026-01-02")}, {"last_updated": "2026-01-02T00:00:00"}),
    ({"text": A, "source": {"title": "T", "url": "https://t.example"}}, {"title": "T", "url": "https://t.example"}),
    ({"text": "", "title": "T"}, {"text": "", "title": "T"}),
    ({"title": "T", "url": "https://t.example"}, {"text": None, "title": "T"}),
    ({"content": A, "name": np.str_("N"), "page": np.int64(4)}, {"title": "N", "page": 4}),
    ({"text": A, "version": float("nan"), "page": pd.NA}, {"version": None, "page": None}),
    ({"text": A, "embedding": [0.1] * 3}, {"metadata": {}}),
])  # fmt: skip
def test_fields(document, want):
    (source,) = read_sources([document])
    assert {name: getattr(source, name) for name in want} == want


def test_mapping_labels_are_ids():
    assert [(s.id, s.text) for s in read_sources({"CGV": A, 7: B, "gone": None})] == [
        ("CGV", A),
        (7, B),
        ("gone", None),
    ]
    assert read_sources({"CGV": {"text": A, "id": "own"}})[0].id == "own"


CORPUS = {"a": A, 2: B, "3": {"text": "C", "title": "Third"}}


@pytest.mark.parametrize(
    "value",
    [
        ["a", 2],
        np.array(["a", 2], dtype=object),
        "a, 2",
        "a;2",
        '["a", 2]',
        "['a', 2]",
        [{"id": "a"}, {"id": 2.0, "score": 0.5}],
        ("a", "2"),
    ],
)
def test_ids_with_a_corpus(value):
    sources, how = describe_sources(value, CORPUS)
    assert how == "ids"
    assert [s.text for s in sources] == [A, B]
    assert [str(s.id) for s in sources] == ["a", "2"]


NUMBERS = {11: A, 12: B}


@pytest.mark.parametrize(
    "value",
    [
        "[11, 12]",
        " [ 11 , 12 ]\n",
        "[11.0, 12.0]",
        '[11, "12"]',
        "(11, 12)",
        "[11 12]",
        "array([11, 12])",
        "[np.int64(11), np.int64(12)]",
        json.dumps("[11, 12]"),
        b"[11, 12]",
    ],
)
def test_lists_of_numbers_are_ids_with_a_corpus(value):
    """An answer's marker ``[11]`` is a list where ids are meant."""
    assert [(str(s.id), s.text) for s in read_sources(value, NUMBERS)] == [("11", A), ("12", B)]
    assert [s.text for s in read_sources("[11]", NUMBERS)] == [A]


def test_a_cut_list_of_ids_is_refused():
    for value in ("[11, 12", '["11", "1'):
        with pytest.raises(InputError, match="cut off at its end"):
            read_sources(value, NUMBERS)


def test_texts_in_brackets_stay_texts_with_a_corpus():
    assert describe_sources(f"[1] {A}\n[2] {B}" + " and more" * 20, NUMBERS)[1] == "numbered blocks"
    assert [s.text for s in read_sources("[1], [2]", {"[1]": A, "[2]": B})] == [A, B]
    assert [s.text for s in read_sources("[1]", {"[1]": A, "[2]": B})] == [A]


def test_a_number_without_a_corpus():
    """The advice holds for everybody who gets it: not all that read sources take ``corpus=``."""
    with pytest.raises(InputError, match=r"the number 5 found.*ragcite_nb\.read_sources\(…, corpus=…\)"):
        read_sources([5])


@pytest.mark.parametrize("corpus", [
    pd.DataFrame({"id": ["a", "2"], "text": [A, B]}), pd.DataFrame({"doc_id": ["a", 2], "content": [A, B]}), pd.DataFrame({"text": [A, B]}, index=["a", 2]),
    pd.Series({"a": A, 2: B}), [{"id": "a", "text": A}, {"id": 2, "text": B}], pa.table({"id": ["a", "2"], "text": [A, B]}),
])  # fmt: skip
def test_corpora(corpus):
    assert [s.text for s in read_sources(["a", 2], corpus)] == [A, B]
    assert [s.text for s in read_sources(["a", 2], read_corpus(corpus))] == [A, B]


def test_unknown_ids():
    """One unknown id is a source without text; nothing but unknown ids is a mistake."""
    assert [(s.id, s.text) for s in read_sources(["a", "gone"], CORPUS)] == [("a", A), ("gone", None)]
    with pytest.raises(InputError, match=r"'x', 'y'.*corpus of 3"):
        read_sources(["x", "y"], CORPUS)
    assert read_sources([], CORPUS) == ()
    assert describe_sources(None, CORPUS) == (None, "none")


def test_objects_with_texts_need_no_corpus():
    assert read_sources([{"id": "a", "text": "own"}], CORPUS)[0].text == "own"


def test_bad_corpus():
    with pytest.raises(InputError, match="corpus"):
        read_sources(["a"], 3)
    with pytest.raises(InputError, match="corpus"):
        read_sources(["a"], [{"text": A}])


def test_fast_path():
    """Only lists of plain strings take it, and it does not copy a list."""
    texts = [A, B]
    assert plain_sources(texts) is texts
    assert plain_sources(np.array(texts, dtype=object)) == texts
    for other in (
        None,
        A,
        [A, None],
        [A, {"text": B}],
        {"a": A},
        pd.DataFrame({"text": [A]}),
        np.array([1, 2]),
        3,
        np.float64("nan"),
    ):
        assert plain_sources(other) is None


def test_deep_metadata_are_left_out():
    """What comes later walks metadata by recursion."""
    deep = []
    for _ in range(400):
        deep = [deep]
    assert read_sources([{"text": A, "deep": deep, "flat": [1]}])[0].metadata == {"flat": [1]}


@pytest.mark.parametrize("text", ["nan", "NaN", "None", "null", "<NA>", " nan "])
def test_a_missing_cell_turned_into_text_is_no_source(text):
    assert describe_sources(text) == (None, "none")


@pytest.mark.parametrize(
    "text",
    [
        f"array(['{A}', '{B}'], dtype=object)",
        f"np.array(['{A}', '{B}'])",
        json.dumps(json.dumps([A, B])),
        json.dumps(json.dumps([{"text": A}, {"text": B}])),
        json.dumps(json.dumps(json.dumps([A, B]))),
        json.dumps(f"[1] {A}\n[2] {B}"),
        f"[1] {A}\n[2] {B}",
        f"[1]: {A}\n[2]: {B}",
        json.dumps([{"txt": A}, {"context": B}]),
    ],
)
def test_lists_as_logs_write_them(text):
    assert [source.text for source in read_sources(text)] == [A, B]


@pytest.mark.parametrize("text", [f"array([{A}", f'"{A}"', f"[1] {A}\n[3] {B}", f"[2] {A}\n[3] {B}"])
def test_what_only_looks_like_a_list_is_one_text(text):
    assert [source.text for source in read_sources(text)] == [text]


def test_numbers_before_paragraphs():
    assert [s.text for s in read_sources(f"[1] {A}\n\nAlways.\n\n[2] {B}")] == [f"{A}\n\nAlways.", B]
