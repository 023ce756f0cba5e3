"""The ``ragcite`` command: check files of logged answers, for people and for continuous integration.

What was asked for goes to standard output, everything else to standard error. Exit codes: 0 good, 1 below the bar that
was set with ``--fail-under`` or ``--fail-on``, 2 bad input.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from ragcite_nb import tables
from ragcite_nb.check import check
from ragcite_nb.columns import NESTED, PAIRS
from ragcite_nb.frame import SCHEMA, check_frame, is_checked
from ragcite_nb.frame import result as frame_result
from ragcite_nb.messages import LOCALES
from ragcite_nb.models import OPTIONAL_SYNTAXES, InputError
from ragcite_nb.read import read_sources
from ragcite_nb.read.registry import FORMATS
from ragcite_nb.report import check_code, report, require_columns
from ragcite_nb.reporting.aggregate import VERIFICATIONS
from ragcite_nb.reporting.pairing import question_column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragcite_nb.models import CheckResult
    from ragcite_nb.report import Report

GOOD, BELOW, BAD_INPUT = 0, 1, 2

UNREADABLE = "errors"
"""What ``--fail-on`` calls rows that could not be read; all its other values are alert codes."""

_IN_MEMORY = 200_000_000
"""Parquet files of more bytes than this are checked block by block."""

_EXAMPLES = """\
examples:
  ragcite check log.jsonl                                  figures over all answers of a log
  ragcite check log.parquet --by model --report report.html
  ragcite check log.csv --answer reply --sources docs -o checked.csv
  ragcite check log.parquet --workers -1 -o checked.parquet --fail-under 0.8 --fail-on invalid_citation,quote_altered
  ragcite check response.json                              one response of a model, as it was logged
  cat log.jsonl | ragcite check - --format json

exit codes: 0 good, 1 below the bar (--fail-under, --fail-on), 2 bad input
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, by default the process's own, and return its exit code."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        return int(given.run(given))
    except (InputError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            # The reader of our output has gone, as in `ragcite … | head`; a second error at exit would say so again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return GOOD
        print(f"ragcite: error: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("ragcite: interrupted", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ragcite",
        description="Check whether the citations of RAG answers hold against their sources; offline, without a model.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"ragcite_nb {_version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    checking = commands.add_parser(
        "check",
        help="check one response or a whole log",
        description="Check one response or a log of answers, and sum up what was found.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    checking.add_argument("files", nargs="+", metavar="FILE", help="parquet, csv, jsonl or json; - for standard input")
    _add_reading(checking)
    checking.add_argument(
        "-o", "--output", metavar="OUT", help="write the rows with what was found: .parquet, .csv, .jsonl"
    )
    checking.add_argument("--report", metavar="R.html", help="write a report as a self-contained HTML page")
    checking.add_argument("--by", metavar="COL", help="compare the values of a column, or of several: COL,COL")
    checking.add_argument("--pair-on", metavar="COL", help="column that says which question a row answers")
    checking.add_argument(
        "--fail-under", type=_share, metavar="X", help="exit 1 if the mean traceability is below X (0 to 1)"
    )
    checking.add_argument(
        "--fail-on",
        metavar="CODES",
        help=f"exit 1 if any response has one of these alerts (a,b,…); {UNREADABLE!r}: rows that could not be read",
    )
    checking.add_argument("--workers", type=int, default=1, metavar="N", help="processes; -1 for all cores (default 1)")
    checking.add_argument(
        "--format", choices=("table", "json"), default="table", help="of what is printed (default table)"
    )
    checking.set_defaults(run=_check)

    show = commands.add_parser("show", help="show one answer with its citations", description="Show one answer.")
    show.add_argument("file", metavar="FILE", help="parquet, csv, jsonl or json; - for standard input")
    _add_reading(show)
    show.add_argument("--row", type=int, default=0, metavar="N", help="position of the row, from 0; -1 is the last one")
    show.add_argument("-o", "--output", metavar="PAGE.html", help="write a self-contained HTML page")
    show.add_argument("--format", choices=("table", "json"), default="table", help="of what is printed (default table)")
    show.set_defaults(run=_show)

    formats = commands.add_parser("formats", help="list what can be read", description="List what can be read.")
    formats.set_defaults(run=_formats)
    return parser


def _version() -> str:
    try:
        return version("ragcite_nb")
    except PackageNotFoundError:  # run from its folder
        return "(not installed)"


def _add_reading(parser: argparse.ArgumentParser) -> None:
    """How the input is to be read and judged."""
    parser.add_argument("--answer", metavar="COL", help="column of the answers; found by itself in known logs")
    parser.add_argument("--sources", metavar="COL", help="column of the sources; for one response also a file of them")
    parser.add_argument(
        "--corpus", metavar="FILE", help="texts by id, when the sources are ids: .json, .jsonl, .csv, .parquet"
    )
    parser.add_argument("--locale", choices=LOCALES, help="language of the output")
    judging = parser.add_argument_group("how answers are judged")
    judging.add_argument("--first-number", type=int, choices=(0, 1), help="number of the first source (default 1)")
    judging.add_argument("--scope", choices=("sentence", "block"), help="what a citation covers (default sentence)")
    judging.add_argument("--claims", choices=("default", "all"), help="which sentences need a citation")
    judging.add_argument(
        "--syntaxes", type=_syntaxes, metavar="NAMES", help=f"further marker syntaxes: {','.join(OPTIONAL_SYNTAXES)}"
    )


def _share(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return value


def _syntaxes(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    if unknown := [name for name in names if name not in OPTIONAL_SYNTAXES]:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is none of {', '.join(OPTIONAL_SYNTAXES)}")
    return names


def _options(given: argparse.Namespace) -> dict[str, Any]:
    names = ("first_number", "scope", "claims", "syntaxes")
    return {name: value for name in names if (value := getattr(given, name)) is not None}


def _check(given: argparse.Namespace) -> int:
    codes = _codes(given.fail_on)
    if given.output:
        tables.check_writable(given.output)
    if len(given.files) == 1 and _is_large(given.files[0]):
        return _judge(_check_blocks(given), given, codes)
    loaded = [tables.load(path, given.answer) for path in given.files]
    if len(loaded) == 1 and loaded[0].frame is None and not (given.output or given.report or given.by):
        result = _single(loaded[0].payload, given)
        print(json.dumps(result.to_dict(), ensure_ascii=False) if given.format == "json" else result)
        return _judge_one(result, given, codes)
    frame, answer = _together(loaded, given)
    options = _options(given)
    if is_checked(frame) and not options and given.answer is None and given.sources is None:
        print("ragcite: the file was checked before; its columns are used as they are", file=sys.stderr)
    else:
        corpus = tables.corpus(given.corpus) if given.corpus else None
        frame = check_frame(frame, answer, given.sources, corpus=corpus, workers=given.workers, **options)
    if given.output:
        tables.save(frame.drop(columns=tables.RESPONSE, errors="ignore"), given.output)
        print(f"ragcite: wrote {given.output}", file=sys.stderr)
    return _judge(_reported(frame, given), given, codes)


def _codes(listed: str | None) -> list[str]:
    codes = [code.strip() for code in (listed or "").split(",") if code.strip()]
    if listed is not None and not codes:
        raise InputError(f"--fail-on {listed!r}: no code given; leave the option out for a run without a bar on codes")
    for code in codes:
        check_code(code, (UNREADABLE,))
    return codes


def _is_large(path: str) -> bool:
    """Folders of parquet files, and files that had better not be loaded as a whole."""
    place = Path(path)
    if place.is_dir():
        return True
    return tables.suffix(path) in (".parquet", ".pq") and place.is_file() and place.stat().st_size > _IN_MEMORY


def _check_blocks(given: argparse.Namespace) -> Report:
    """Check a parquet file block by block; only the columns that the report needs are loaded in the end."""
    import pyarrow.parquet as pq

    from ragcite_nb.parquet import check_parquet

    if given.output and tables.suffix(given.output) not in (".parquet", ".pq"):
        raise InputError(f"-o {given.output}: the result of checking so much parquet is written to .parquet")
    source = Path(given.files[0])
    first = min(source.glob("*.parquet"), default=source) if source.is_dir() else source
    try:
        names = pd.Index(pq.read_schema(first).names if first.is_file() else [])
    except ValueError as error:  # as pyarrow's errors are
        raise InputError(f"{first}: this is no parquet file: {error}") from error
    by = _by(given.by, names)
    require_columns(names, by, given.pair_on)
    question = given.pair_on or question_column(names.difference(list(by), sort=False))
    kept = [*by, *([question] if question else []), *names.intersection([VERIFICATIONS])]
    corpus = tables.corpus(given.corpus) if given.corpus else None
    with tempfile.TemporaryDirectory(prefix="ragcite-") as folder:
        target = given.output or str(Path(folder) / "checked.parquet")
        check_parquet(
            source,
            target,
            given.answer,
            given.sources,
            columns=None if given.output else kept,
            corpus=corpus,
            workers=given.workers,
            **_options(given),
        )
        if given.output:
            print(f"ragcite: wrote {given.output}", file=sys.stderr)
        return _reported(pd.read_parquet(target, columns=[*kept, *SCHEMA]), given)


def _single(payload: Any, given: argparse.Namespace) -> CheckResult:
    """Check one response; ``--sources`` is a file then, since there are no columns."""
    sources = None
    if given.sources is not None:
        try:
            sources = read_sources(Path(given.sources).read_text(encoding="utf-8-sig"))
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"--sources {given.sources}: for one response this is a text file ({error})") from error
    if given.corpus is not None:
        raise InputError("--corpus: for tables whose sources are ids; this is one response")
    return check(payload, sources, locale=given.locale, **_options(given))


def _together(loaded: list[tables.Loaded], given: argparse.Namespace) -> tuple[pd.DataFrame, str | None]:
    """All files as one table, with the column of answers if it is known."""
    frames, answers = [], set()
    for path, (frame, payload, answer) in zip(given.files, loaded, strict=True):
        rows = frame if frame is not None else pd.DataFrame({tables.RESPONSE: [payload]})
        answers.add(tables.RESPONSE if frame is None else given.answer or answer)
        # Where a row comes from is worth comparing when there are several files.
        frames.append(rows if len(loaded) == 1 or "file" in rows.columns else rows.assign(file=path))
    if len(answers) > 1:
        raise InputError("some files hold responses and others rows; check them one by one")
    frame = frames[0] if len(frames) == 1 else pd.concat(frames, ignore_index=True)
    require_columns(frame.columns, _by(given.by, frame.columns), given.pair_on)
    return frame, answers.pop()


def _by(listed: str | None, names: pd.Index) -> tuple[str, ...]:
    """The columns to compare by: one whose name may hold a comma, or several."""
    if listed is None:
        return ()
    return (listed,) if listed in names else tuple(name.strip() for name in listed.split(","))


def _reported(frame: pd.DataFrame, given: argparse.Namespace) -> Report:
    found = report(frame, _by(given.by, frame.columns), pair_on=given.pair_on, locale=given.locale)
    if given.report:
        found.to_html(given.report)
        print(f"ragcite: wrote {given.report}", file=sys.stderr)
    return found


def _judge(found: Report, given: argparse.Namespace, codes: list[str]) -> int:
    """Print the report and compare it with the bar."""
    print(json.dumps(found.to_dict(), ensure_ascii=False) if given.format == "json" else found)
    total = found.total
    if total.errors:
        print(
            f"ragcite: {total.errors} of {total.total_responses} rows could not be read{_first(found)}", file=sys.stderr
        )
        if total.errors == total.total_responses:
            return BAD_INPUT
    reasons = [
        f"{count} responses with {code}"
        for code in codes
        if (count := total.errors if code == UNREADABLE else found.alerts.get(code, 0))
    ]
    return _verdict([*_under(found.mean_traceability, given.fail_under), *reasons])


def _first(found: Report) -> str:
    assert found.frame is not None
    reasons = found.frame["cite_error"].reset_index(drop=True).dropna()
    return f", the first at position {reasons.index[0]}: {reasons.iloc[0]}"


def _judge_one(result: CheckResult, given: argparse.Namespace, codes: list[str]) -> int:
    present = {alert.code for alert in result.alerts}
    return _verdict(
        [*_under(result.traceability_score, given.fail_under), *(code for code in codes if code in present)]
    )


def _under(score: float | None, least: float | None) -> list[str]:
    if least is None or (score is not None and score >= least):
        return []
    # What could not be measured has not reached the bar.
    return [
        f"mean traceability {'could not be measured' if score is None else f'{score:.3f}'}, at least {least} expected"
    ]


def _verdict(reasons: list[str]) -> int:
    if reasons:
        print(f"ragcite: below the bar: {'; '.join(reasons)}", file=sys.stderr)
    return BELOW if reasons else GOOD


def _show(given: argparse.Namespace) -> int:
    loaded = tables.load(given.file, given.answer)
    if loaded.frame is None:
        if given.row not in (0, -1):
            raise InputError(f"--row {given.row}: {given.file} holds one response, row 0")
        result = _single(loaded.payload, given)
    else:
        rows = len(loaded.frame)
        if not -rows <= given.row < rows:
            raise InputError(f"--row {given.row}: {given.file} has {rows} rows, 0 to {rows - 1}")
        corpus = tables.corpus(given.corpus) if given.corpus else None
        answer = given.answer or loaded.answer
        options = _options(given) | {"locale": given.locale}
        result = frame_result(loaded.frame, given.row, answer, given.sources, corpus=corpus, **options)
    if given.output:
        result.to_html(given.output)
        print(f"ragcite: wrote {given.output}", file=sys.stderr)
    else:
        print(json.dumps(result.to_dict(), ensure_ascii=False) if given.format == "json" else result)
    return GOOD


def _formats(given: argparse.Namespace) -> int:  # noqa: ARG001 - all commands are called alike
    print("Files: " + ", ".join(tables.READABLE) + "; all but parquet also with .gz; - for standard input")
    print("\nResponses of models, also as JSON lines, server-sent events or lists of events, and their known fields:")
    for row in FORMATS:
        print(f"  {row.name:<28} {row.fields}")
    print("\nLogs whose columns are found by themselves (answer, sources):")
    for pair in PAIRS:
        print(f"  {pair.tool:<34} {pair.answer}, {pair.sources}")
    for nested in NESTED:
        print(f"  {nested.tool:<34} {', '.join(nested.answer)}")
    return GOOD
