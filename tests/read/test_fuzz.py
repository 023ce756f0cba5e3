"""Whatever becomes of a log, reading it gives an answer or an InputError, never another exception.

Every fixture is cut at every byte, loses keys, and has values replaced by values of other types. In the usual run a sample
of these is tried; ``RAGCITE_FUZZ=full`` tries all of them, and ``RAGCITE_FUZZ=<number>`` that many random changes a fixture.
"""

import collections
import copy
import json
import os
import random
import time

import pytest
from read_fixtures import CASES, FRAMES, PAYLOADS

from ragcite_nb.models import Answer, InputError, Source
from ragcite_nb.read import conversations, describe_sources, read_answer, read_row
from ragcite_nb.read.containers import open_text

WISH = os.environ.get("RAGCITE_FUZZ", "")
CUTS = None if WISH == "full" else 12
CHANGES = 2000 if WISH == "full" else int(WISH or 10)
ODD = (None, True, 0, -1, 3.5, 10**30, float("nan"), float("inf"), "", "text", "[", "{", "\ud83d", b"bytes", [], [None], [[]], ["a"],
       [{}], {}, {"a": 1}, {"text": None}, {"content": [1]}, [("a", "b")], ({},), "9" * 400, 2**63, {"type": "text"})  # fmt: skip

INPUTS = {**{case["id"]: case["input"] for case in CASES}, **{name: payload for name, (payload, _) in PAYLOADS.items()}}


TRIALS = collections.Counter()


@pytest.fixture(scope="module", autouse=True)
def count(record_testsuite_property):
    """How often something was read, in the report of the run."""
    yield
    record_testsuite_property("trials", TRIALS["read"])
    if WISH:
        print(f"\n{TRIALS['read']} trials")  # noqa: T201 - for who asked for the long run


def attempt(read, value):
    """Read, and see that what comes out is sound."""
    TRIALS["read"] += 1
    try:
        found = read(value)
    except InputError:
        return
    if isinstance(found, Answer):
        assert isinstance(found.text, str)
        for citation in found.citations:
            assert isinstance(citation.reference, str)
            assert (citation.start is None) == (citation.end is None)
            if citation.start is not None:
                assert 0 <= citation.start <= citation.end <= len(found.text), citation
            if citation.payload_source is not None:
                assert 0 <= citation.payload_source < len(found.sources)
        for source in found.sources or ():
            sound(source)
    elif isinstance(found, tuple) and found and isinstance(found[0], tuple):
        for source in found[0]:
            sound(source)


def sound(source):
    assert isinstance(source, Source)
    for name in ("text", "title", "url", "section", "version", "last_updated", "document_type"):
        assert isinstance(getattr(source, name), (str, type(None))), (name, source)


def everywhere(value):
    """All containers in a payload."""
    found, stack = [], [value]
    while stack:
        item = stack.pop()
        if isinstance(item, (dict, list)) and item:
            found.append(item)
            stack.extend(item.values() if isinstance(item, dict) else item)
    return found


def change(value, rng):
    """A copy with a key deleted, a value replaced, an item doubled or the order turned."""
    value = copy.deepcopy(value)
    for _ in range(rng.choice((1, 1, 2, 5))):
        places = everywhere(value)
        if not places:
            return rng.choice(ODD)
        place = rng.choice(places)
        key = rng.choice(list(place) if isinstance(place, dict) else range(len(place)))
        what = rng.random()
        if what < 0.35:
            del place[key]
        elif what < 0.85:
            place[key] = copy.deepcopy(rng.choice(ODD))
        elif isinstance(place, list):
            place.insert(rng.randrange(len(place) + 1), copy.deepcopy(place[key]))
        else:
            place[rng.choice(("text", "content", "type", "output", "message", "citations", "data"))] = place[key]
    return value


def cuts(data, rng):
    """The places to cut: all, or some of them and both ends."""
    length = len(data)
    if CUTS is None or length <= CUTS:
        return range(length + 1)
    return sorted({0, 1, length - 1, length, *rng.sample(range(length), CUTS)})


@pytest.mark.parametrize("name", INPUTS)
def test_cut_payloads(name):
    """A log that ends anywhere, also inside a character."""
    payload = INPUTS[name]
    data = (payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=False, default=str)).encode(
        "utf-8", "surrogatepass"
    )
    for place in cuts(data, random.Random(name)):
        attempt(read_answer, data[:place].decode("utf-8", "ignore"))
    if not isinstance(payload, str):
        lines = payload if isinstance(payload, list) else [payload]
        log = "".join(f"data: {json.dumps(line, default=str)}\r\n\r\n" for line in lines)
        for place in cuts(log, random.Random(name)):
            attempt(read_answer, log[:place])
        printed = repr(payload)
        for place in cuts(printed, random.Random(name)):
            attempt(read_answer, printed[:place])


@pytest.mark.parametrize("name", INPUTS)
def test_changed_payloads(name):
    """Keys deleted and types changed, as dict and as JSON."""
    rng = random.Random(f"change {name}")
    payload = INPUTS[name]
    if isinstance(payload, str):
        opened = open_text(payload).value if payload[:1] in "{d[" and name != "printed array as an answer" else None
        payload = opened if isinstance(opened, (dict, list)) else []
    for _ in range(CHANGES if payload else 0):
        changed = change(payload, rng)
        attempt(read_answer, changed)
        attempt(read_answer, json.dumps(changed, default=str))


@pytest.mark.parametrize("frame", FRAMES, ids=lambda f: f["schema"])
def test_changed_rows(frame):
    """Rows of log tables, whole and as spans; their cells as sources."""
    rng = random.Random(f"rows {frame['schema']}")
    for _ in range(CHANGES):
        row = change(frame["row"], rng)
        attempt(read_row, row)
        attempt(lambda value: conversations([value]), row)
        for cell in list(row.values()) if isinstance(row, dict) else []:
            attempt(describe_sources, cell)
            attempt(describe_sources, json.dumps(cell, default=str))
            attempt(describe_sources, repr(cell))
            attempt(lambda value: describe_sources(value, {"a": "Text.", 1: "Text."}), cell)


@pytest.mark.parametrize("text", ["[" * 100_000, "{" * 100_000, '{"a":' * 50_000, "[{'a':" * 50_000, '{"answer": "' + "\\" * 200_001,
                                  "data: " * 100_000, "data: {\n" * 50_000, "<think>" * 50_000, "</think>" * 50_000, '["a" ' * 50_000,
                                  "```json\n{" * 50_000, "<cited_answer><answer>" * 30_000, '{"id": "citation"}\n' * 20_000,
                                  "Answer:\n" * 50_000, "<|channel|>" * 50_000, "f(" * 50_000, "[f(a=" * 50_000, "--- \n" * 50_000,
                                  "\n \n" * 50_000, "[1" * 50_000, "Grounded answer:" * 30_000, "<|start_of_cite|>" * 30_000,
                                  '{"id":' + " " * 100_000, '"[' * 50_000, '"' + '\\"' * 100_000, '"[' + '\\"' * 100_000 + ']"', "\n" + '{"id": ' * 30_000, "\n" * 200_000 + "{"],
                         ids=lambda t: t[:12].strip() or "blank")  # fmt: skip
def test_hostile_text_takes_linear_time(text):
    """Half a megabyte of unclosed brackets, quotes and tags takes a moment, not minutes."""
    started = time.process_time()
    attempt(read_answer, text)
    attempt(describe_sources, text)
    assert time.process_time() - started < 3
