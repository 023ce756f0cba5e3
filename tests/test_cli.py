"""The command line, most of it run as a process: its exit codes and streams are its interface."""

import json
import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError

import pandas as pd
import pytest

from ragcite_nb import cli

SOURCES = ["It is free.", "It opens at nine and costs 5 euros."]
ROWS = [
    {"model": "a", "question": "q1", "answer": "It is free [1].", "sources": SOURCES},
    {"model": "a", "question": "q2", "answer": "It opens at nine [2]. It is big.", "sources": SOURCES},
    {"model": "b", "question": "q1", "answer": "It is free [7].", "sources": SOURCES},
    {"model": "b", "question": "q2", "answer": "It opens at nine [2].", "sources": SOURCES},
]


def ragcite(*arguments, stdin=None, cwd=None):
    """The command as a process of its own, with warnings as errors."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "ragcite_nb", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=cwd,
        timeout=120,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        check=False,
    )


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return path


def run(*arguments):
    """The command within this process, for what a process of its own would only slow down."""
    try:
        return cli.main([str(argument) for argument in arguments])
    except SystemExit as end:  # argparse's own errors
        return end.code


def test_a_log_is_summed_up(log):
    done = ragcite("check", log)
    assert done.returncode == 0
    assert done.stdout.startswith("Citation report: 4 responses")
    assert "A match of numbers, names and quotes does not make an answer right" in done.stdout
    assert done.stderr == ""


def test_json_goes_to_stdout_alone(log, tmp_path):
    done = ragcite("check", log, "--format", "json", "--by", "model", "--report", tmp_path / "r.html")
    data = json.loads(done.stdout)
    assert data["total_responses"] == 4
    assert [group["group"] for group in data["groups"]] == [{"model": "a"}, {"model": "b"}]
    assert "wrote" in done.stderr
    assert "<svg" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_standard_input(log):
    done = ragcite("check", "-", "--format", "json", stdin=log.read_text(encoding="utf-8"))
    assert done.returncode == 0
    assert json.loads(done.stdout)["invalid_citations"] == 1


@pytest.mark.parametrize(
    ("bar", "code", "said"),
    [
        (("--fail-under", "0.6"), 0, ""),
        (("--fail-under", "0.7"), 1, "mean traceability 0.625, at least 0.7 expected"),
        (("--fail-on", "invalid_citation"), 1, "1 responses with invalid_citation"),
        (("--fail-on", "quote_altered,truncated"), 0, ""),
        (("--fail-under", "0.9", "--fail-on", "invalid_citation"), 1, "expected; 1 responses with invalid_citation"),
    ],
)
def test_the_bar_decides_the_exit_code(log, bar, code, said, capsys):
    assert run("check", log, *bar) == code
    streams = capsys.readouterr()
    assert said in streams.err
    assert streams.out.startswith("Citation report")


def test_below_the_bar_is_1_for_the_process(log):
    done = ragcite("check", log, "--fail-under", "0.7")
    assert done.returncode == 1
    assert done.stderr == "ragcite: below the bar: mean traceability 0.625, at least 0.7 expected\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check", "nowhere.jsonl"), "nowhere.jsonl: No such file"),
        (("check", "{log}", "--fail-on", "invalid_citations"), "did you mean 'invalid_citation'"),
        (("check", "{log}", "--fail-on", ""), "no code given"),
        (("check", "{log}", "--by", "modell"), "did you mean 'model'"),
        (("check", "{log}", "--pair-on", "case"), "pair_on='case'"),
        (("check", "{log}", "--answer", "reply"), "'reply'"),
        (("check", "{log}", "-o", "out.xlsx"), "out.xlsx"),
        (("check", "{log}", "--workers", "0"), "workers=0"),
        (("check", "{log}", "--fail-under", "80"), "not between 0 and 1"),
        (("check", "{log}", "--corpus", "nowhere.json"), "nowhere.json"),
        (("check", "{log}", "--locale", "it"), "invalid choice: 'it'"),
        (("show", "{log}", "--row", "4"), "4 rows, 0 to 3"),
        (("check",), "FILE"),
        ((), "COMMAND"),
    ],
)
def test_bad_input_is_2_with_a_reason(log, arguments, said, monkeypatch, capsys):
    monkeypatch.chdir(log.parent)
    assert run(*(argument.format(log=log) for argument in arguments)) == 2
    streams = capsys.readouterr()
    assert said in streams.err
    assert streams.out == ""


def test_bad_input_ends_the_process_without_a_traceback():
    done = ragcite("check", "nowhere.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "ragcite: error: nowhere.jsonl: No such file or directory\n"


@pytest.mark.parametrize("ending", ["parquet", "csv", "jsonl", "json"])
def test_rows_are_written_by_ending(log, tmp_path, ending):
    out = tmp_path / f"out.{ending}"
    assert run("check", log, "-o", out) == 0
    # What was written is read again and not checked a second time.
    read = {"parquet": pd.read_parquet, "csv": pd.read_csv}.get(ending)
    if read is None:
        text = out.read_text(encoding="utf-8")
        table = pd.DataFrame(json.loads(text) if ending == "json" else map(json.loads, text.splitlines()))
    else:
        table = read(out)
    assert table["invalid_citations"].tolist() == [0, 0, 1, 0]
    assert table["model"].tolist() == ["a", "a", "b", "b"]
    assert len(table["sources"].iloc[0]) in (2, len(json.dumps(SOURCES)))


def test_a_checked_file_is_not_checked_again(log, tmp_path, capsys):
    out = tmp_path / "checked.parquet"
    run("check", log, "-o", out)
    checked = pd.read_parquet(out)
    checked["invalid_citations"] = pd.array([5, 5, 5, 5], dtype="Int64")
    checked.to_parquet(out)
    capsys.readouterr()
    assert run("check", out, "--format", "json") == 0
    streams = capsys.readouterr()
    assert json.loads(streams.out)["invalid_citations"] == 4
    assert "checked before" in streams.err
    # With options of the check it is: the old columns may have come from other ones.
    run("check", out, "--format", "json", "--scope", "block")
    assert json.loads(capsys.readouterr().out)["invalid_citations"] == 1


def test_several_files_are_one_table(log, tmp_path, capsys):
    other = tmp_path / "other.jsonl"
    other.write_text(log.read_text(encoding="utf-8"), encoding="utf-8")
    assert run("check", log, other, "--by", "file", "--format", "json") == 0
    groups = json.loads(capsys.readouterr().out)["groups"]
    assert [group["group"]["file"] for group in groups] == [str(log), str(other)]
    assert [group["total_responses"] for group in groups] == [4, 4]


def test_columns_and_a_corpus_can_be_named(tmp_path, capsys):
    (tmp_path / "corpus.json").write_text('{"faq": "It is free."}', encoding="utf-8")
    pd.DataFrame({"said": ["It is free [1]."], "ids": ['["faq"]']}).to_csv(tmp_path / "log.csv")
    arguments = (
        "check",
        tmp_path / "log.csv",
        "--answer",
        "said",
        "--sources",
        "ids",
        "--corpus",
        tmp_path / "corpus.json",
    )
    assert run(*arguments, "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["fully_cited"] == 1


def test_options_of_the_check(tmp_path, capsys):
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps({"answer": "It is free (0).", "sources": ["It is free."]}) + "\n", encoding="utf-8")
    run("check", "--syntaxes", "paren,curly", path, path, "--format", "json", "--first-number", "0")
    assert json.loads(capsys.readouterr().out)["fully_cited"] == 2


def test_an_unknown_syntax_names_the_known_ones(tmp_path, capsys):
    assert run("check", "--syntaxes", "paren,round", tmp_path / "log.jsonl") == 2
    assert "'round' is none of paren" in capsys.readouterr().err


def test_version(capsys):
    assert run("--version") == 0
    assert capsys.readouterr().out.startswith("ragcite_nb ")


def test_version_where_the_package_is_not_installed(capsys, monkeypatch):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(cli, "version", missing)
    assert run("--version") == 0
    assert capsys.readouterr().out == "ragcite_nb (not installed)\n"


def test_rows_that_cannot_be_read_are_counted_and_named(tmp_path, capsys):
    rows = [*ROWS, {**ROWS[0], "answer": 3.5}]
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert run("check", path) == 0
    assert "1 of 5 rows could not be read, the first at position 4: " in capsys.readouterr().err
    assert run("check", path, "--fail-on", "errors") == 1
    path.write_text(json.dumps(rows[4]) + "\n", encoding="utf-8")
    assert run("check", path) == 2


@pytest.fixture
def response(tmp_path):
    """One response as it was logged, without its sources."""
    path = tmp_path / "response.json"
    message = {"role": "assistant", "content": "It is free [1]. It is big [7]."}
    path.write_text(json.dumps({"model": "m", "message": message, "done": True}), encoding="utf-8")
    return path


def test_one_response(response, tmp_path):
    sources = tmp_path / "sources.txt"
    sources.write_text("It is free.\n---\nIt is big.", encoding="utf-8")
    done = ragcite("check", response, "--sources", sources, "--fail-on", "invalid_citation")
    assert done.returncode == 1
    assert done.stdout.startswith("Checked answer")
    assert "below the bar: invalid_citation" in done.stderr
    assert run("check", response, "--sources", sources, "--fail-under", "0.5") == 0
    assert run("check", response, "--sources", sources, "--fail-under", "0.6") == 1


def test_one_response_as_json_and_in_french(response, capsys):
    assert run("check", response, "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["schema_version"] == 1
    run("check", response, "--locale", "fr")
    assert "Réponse vérifiée" in capsys.readouterr().out


def test_one_response_in_a_report(response, tmp_path, capsys):
    assert run("check", response, "--report", tmp_path / "r.html", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["total_responses"] == 1


def test_a_response_needs_no_corpus(response, tmp_path):
    (tmp_path / "c.json").write_text("{}", encoding="utf-8")
    assert run("check", response, "--corpus", tmp_path / "c.json") == 2
    assert run("check", response, "--sources", tmp_path / "nowhere.txt") == 2


def test_responses_and_rows_do_not_mix(response, log, capsys):
    assert run("check", response, log) == 2
    assert "one by one" in capsys.readouterr().err


def test_show_prints_or_writes_one_answer(log, tmp_path, capsys):
    assert run("show", log, "--row", "2") == 0
    assert "Invalid citations" in capsys.readouterr().out
    assert run("show", log, "--row", "-1", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["answer"]["text"] == ROWS[3]["answer"]
    assert run("show", log, "--row", "2", "--locale", "fr", "-o", tmp_path / "page.html") == 0
    assert "Citations invalides" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_show_takes_one_response(response, capsys):
    assert run("show", response) == 0
    assert "Checked answer" in capsys.readouterr().out
    assert run("show", response, "--row", "1") == 2


@pytest.fixture
def parquet(tmp_path):
    pd.DataFrame(ROWS * 5).to_parquet(tmp_path / "log.parquet")
    return tmp_path / "log.parquet"


def test_large_parquet_is_checked_in_blocks_with_the_same_result(parquet, tmp_path, monkeypatch, capsys):
    run("check", parquet, "--by", "model", "--format", "json")
    whole = json.loads(capsys.readouterr().out)
    monkeypatch.setattr(cli, "_IN_MEMORY", 10)
    monkeypatch.setattr(cli, "check_frame", None)
    assert run("check", parquet, "--by", "model", "--format", "json", "-o", tmp_path / "out.parquet") == 0
    assert json.loads(capsys.readouterr().out) == whole
    assert pd.read_parquet(tmp_path / "out.parquet")["invalid_citations"].sum() == 5
    assert run("check", parquet, "--by", "model", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out) == whole
    assert sorted(p.name for p in tmp_path.iterdir() if "parquet" in p.name) == ["log.parquet", "out.parquet"]


def test_a_folder_of_parquet_files(parquet, capsys):
    assert run("check", parquet.parent, "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["total_responses"] == 20


def test_large_parquet_fails_before_the_work(parquet, monkeypatch, capsys):
    monkeypatch.setattr(cli, "_IN_MEMORY", 10)
    monkeypatch.setattr("ragcite_nb.parquet.check_parquet", None)
    assert run("check", parquet, "--by", "modell") == 2
    assert "did you mean 'model'" in capsys.readouterr().err
    assert run("check", parquet, "-o", "out.csv") == 2


def test_formats_lists_what_can_be_read(capsys):
    assert run("formats") == 0
    printed = capsys.readouterr().out
    for name in ("Ollama chat", "choices", "retrieved_contexts", ".parquet", "MLflow traces"):
        assert name in printed


def test_help_has_examples():
    done = ragcite("check", "--help")
    assert done.returncode == 0
    assert "ragcite check log.parquet --by model --report report.html" in done.stdout
    assert "exit codes" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="there is no head")
def test_a_reader_that_stops_reading_is_no_error(log):
    command = f'"{sys.executable}" -W error -m ragcite_nb check "{log}" | head -n 1'
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_an_interrupt_ends_quietly(log, monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "check_frame", interrupted)
    assert run("check", log) == 130
    assert capsys.readouterr().err == "ragcite: interrupted\n"


def test_a_folder_with_a_broken_parquet_file_is_bad_input(tmp_path, capsys):
    (tmp_path / "part.parquet").write_bytes(b"garbage")
    assert run("check", tmp_path) == 2
    assert "this is no parquet file" in capsys.readouterr().err
