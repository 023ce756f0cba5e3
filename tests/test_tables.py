import gzip
import io
import json

import pandas as pd
import pytest

from ragcite_nb import tables
from ragcite_nb.models import InputError

ROWS = [
    {"id": "007", "answer": "It is free [1].", "sources": ["It is free."]},
    {"id": "008", "answer": "None", "sources": ["It is open.", "Ça coûte 3 €."]},
]
OLLAMA = {
    "model": "m",
    "message": {"role": "assistant", "content": "It is free [1]."},
    "done": True,
    "done_reason": "stop",
}
OPENAI = {
    "object": "chat.completion",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "It is free [1]."}}],
}


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return str(path)


def jsonl(items):
    return "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("log.jsonl", jsonl(ROWS)),
        ("log.ndjson", "\ufeff" + jsonl(ROWS).replace("\n", "\r\n\r\n")),
        ("log.json", json.dumps(ROWS)),
        ("log.JSON", json.dumps(ROWS, indent=2)),
        ("log.json", jsonl(ROWS)),
    ],
)
def test_rows_of_json(tmp_path, name, text):
    loaded = tables.load(write(tmp_path / name, text))
    assert loaded.payload is None
    assert loaded.frame.to_dict("records") == ROWS


def test_rows_of_csv_stay_text(tmp_path):
    loaded = tables.load(write(tmp_path / "log.csv", 'id,answer,sources\n007,None,"[""a""]"\n008,,NA\n'))
    assert loaded.frame["id"].tolist() == ["007", "008"]
    assert loaded.frame["answer"].iloc[0] == "None"
    assert pd.isna(loaded.frame["answer"].iloc[1])
    assert loaded.frame["sources"].iloc[1] == "NA"


def test_tabs_and_gzip(tmp_path):
    path = tmp_path / "log.tsv.gz"
    path.write_bytes(gzip.compress(b"answer\tsources\nIt is free [1].\tIt is free.\n"))
    assert tables.load(str(path)).frame["sources"].tolist() == ["It is free."]


def test_parquet(tmp_path):
    pd.DataFrame(ROWS).to_parquet(tmp_path / "log.parquet")
    assert tables.load(str(tmp_path / "log.parquet")).frame["id"].tolist() == ["007", "008"]


@pytest.mark.parametrize(
    "content",
    [
        OPENAI,
        OLLAMA,
        [OPENAI],
        {"answer": "It is free [1].", "citations": [{"source": 1, "quote": "free"}]},
    ],
)
def test_one_response(tmp_path, content):
    loaded = tables.load(write(tmp_path / "response.json", json.dumps(content)))
    assert loaded.frame is None
    assert loaded.payload


def test_the_events_of_one_stream_are_one_response(tmp_path):
    events = [
        {"model": "m", "message": {"role": "assistant", "content": part}, "done": False} for part in ("It is ", "free")
    ]
    events.append({"model": "m", "message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop"})
    for name in ("stream.jsonl", "stream.json"):
        loaded = tables.load(write(tmp_path / name, jsonl(events)))
        assert loaded.frame is None
        assert len(loaded.payload) == 3


def test_a_response_that_was_cut_off_is_still_one(tmp_path):
    loaded = tables.load(write(tmp_path / "cut.json", json.dumps(OPENAI)[:-6]))
    assert loaded.frame is None
    assert "It is free" in loaded.payload


def test_a_stream_of_server_sent_events_is_one_response(tmp_path):
    text = 'data: {"choices": [{"delta": {"content": "It is free"}}]}\n\ndata: [DONE]\n'
    assert tables.load(write(tmp_path / "stream.txt", text)).payload == text


def test_several_whole_responses_are_rows(tmp_path):
    """Ollama's responses look like events of a stream; each of these says that it is done."""
    for items in ([OLLAMA] * 3, [OPENAI] * 2):
        loaded = tables.load(write(tmp_path / "responses.jsonl", jsonl(items)))
        assert loaded.answer == tables.RESPONSE
        assert loaded.frame[tables.RESPONSE].tolist() == items


def test_fields_beside_the_response_can_be_compared_by(tmp_path):
    items = [{"answer": "It is free.", "citations": [], "model": m} for m in "ab"]
    loaded = tables.load(write(tmp_path / "answers.jsonl", jsonl(items)))
    assert loaded.frame["model"].tolist() == ["a", "b"]
    assert loaded.answer == tables.RESPONSE


def test_one_row_as_an_object(tmp_path):
    loaded = tables.load(write(tmp_path / "row.json", json.dumps(ROWS[0])))
    assert loaded.frame.to_dict("records") == [ROWS[0]]


def test_a_named_column_of_answers_makes_rows_of_anything(tmp_path):
    path = write(tmp_path / "log.jsonl", jsonl([{"said": "It is free [1].", "seen": ["It is free."]}]))
    assert tables.load(path, "said").frame.columns.tolist() == ["said", "seen"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("log.xlsx", b"x", "files ending in .parquet"),
        ("log.jsonl", b'{"answer": "a"}\n{"answer": \n', "line 2: not JSON"),
        ("log.jsonl", b'{"answer": "a"}\n3\n', "item 2 is no object but int"),
        ("log.json", b"[]", "the list is empty"),
        ("log.json", b'"text"', "a list or an object was expected, not str"),
        ("log.json", b"{oops", "not JSON"),
        ("log.json", b" \n", "the file is empty"),
        ("log.csv", b"", "the file is empty"),
        ("log.csv", b'a,b\n1,"', "not a table of separated values"),
        ("log.csv", b"a\n\xff\n", "not UTF-8 text"),
        ("log.json.gz", b"{}", "not a gzip file"),
        ("log.parquet", b"PAR1 no", "not a parquet file"),
        ("log.jsonl", b'{"a": 1}\n{"a": 2}\n', "no column of answers found"),
        ("log.json", b'{"a": 1}', "no known shape"),
        ("log.json", b'{"a": 1}\n{"a": 2}\n', "no column of answers found"),
        ("log.jsonl", b'{"model_answer": "a", "llm_answer": "b"}\n', "several columns could"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path, name, content, said):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=said):
        tables.load(str(tmp_path / name))


def test_a_missing_file_is_named():
    with pytest.raises(InputError, match=r"nowhere\.csv: No such file"):
        tables.load("nowhere.csv")


@pytest.mark.parametrize(
    "data",
    [jsonl(ROWS).encode(), json.dumps(ROWS).encode(), b"id,answer,sources\n007,a,b\n008,c,d\n"],
)
def test_standard_input_is_recognised(monkeypatch, data):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert tables.load("-").frame["id"].tolist() == ["007", "008"]


def test_parquet_and_streams_on_standard_input(monkeypatch, tmp_path):
    pd.DataFrame(ROWS).to_parquet(tmp_path / "log.parquet")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((tmp_path / "log.parquet").read_bytes())))
    assert len(tables.load("-").frame) == 2
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"data: {}\n\n")))
    assert tables.load("-").payload == "data: {}\n\n"


@pytest.mark.parametrize(
    "name", ["out.jsonl", "out.json", "out.csv", "out.tsv", "out.parquet", "out.jsonl.gz", "out.csv.gz"]
)
def test_what_is_written_is_read_again(tmp_path, name):
    frame = pd.DataFrame(ROWS).assign(
        score=pd.array([0.5, None], dtype="Float64"),
        n=pd.array([None, 3], dtype="Int64"),
        on=pd.array([True, None], dtype="boolean"),
    )
    path = str(tmp_path / name)
    tables.save(frame, path)
    again = tables.load(path).frame
    assert again["id"].tolist() == ["007", "008"]
    assert again["answer"].tolist() == ["It is free [1].", "None"]
    assert pd.isna(again["score"].iloc[1])
    assert float(again["score"].iloc[0]) == 0.5
    cell = again["sources"].iloc[1]
    assert (json.loads(cell) if isinstance(cell, str) else list(cell)) == ROWS[1]["sources"]


def test_array_cells_are_not_printed_into_csv(tmp_path):
    """A printed array reads as one joined string afterwards."""
    pd.DataFrame(ROWS).to_parquet(tmp_path / "log.parquet")
    tables.save(tables.load(str(tmp_path / "log.parquet")).frame, str(tmp_path / "log.csv"))
    assert json.loads(tables.load(str(tmp_path / "log.csv")).frame["sources"].iloc[1]) == ROWS[1]["sources"]


def test_only_known_endings_are_written():
    with pytest.raises(InputError, match=r"out\.xlsx: files ending in"):
        tables.check_writable("out.xlsx")


def test_mixed_columns_cannot_be_parquet(tmp_path):
    with pytest.raises(InputError, match=r"write \.jsonl instead"):
        tables.save(pd.DataFrame({"a": [1, "x", [2]]}), str(tmp_path / "out.parquet"))


def test_a_corpus_is_a_mapping_or_a_table(tmp_path):
    assert tables.corpus(write(tmp_path / "c.json", '{"faq": "It is free."}')) == {"faq": "It is free."}
    assert tables.corpus(write(tmp_path / "c.jsonl", '{"id": 1, "text": "a"}\n')) == [{"id": 1, "text": "a"}]
    assert tables.corpus(write(tmp_path / "c.csv", "id,text\n1,a\n"))["text"].tolist() == ["a"]
    with pytest.raises(InputError, match=r"c\.json"):
        tables.corpus(write(tmp_path / "c.json", "{"))
    with pytest.raises(InputError, match="a JSON object id"):
        tables.corpus(write(tmp_path / "c.txt", "text"))
