"""Formats in which a model was trained to write grounded answers as one text: Command-R, Granite, tagged answers.

Their inline tags are markers of the answer and are read later with all others. Read here is what stands around the
answer: lists of documents before it, evidence after it.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from ragcite_nb.models import ProviderCitation
from ragcite_nb.read import fields
from ragcite_nb.read.structured import Unpacked

_GROUNDED = "Grounded answer:"
_PREAMBLE = re.compile(r"\s*(?:Relevant Documents|Cited Documents|Answer|Grounded answer)\s*:", re.IGNORECASE)
_GROUNDED_LINE = re.compile(r"^[ \t]*Grounded answer:[ \t]*\r?\n?", re.MULTILINE | re.IGNORECASE)
EVIDENCE_SIGN = '{"id":'
_EVIDENCE = re.compile(r'^[ \t]*\{"id"\s*:\s*"(citation|hallucination)"\s*\}[ \t]*$', re.MULTILINE)
_EVIDENCE_LINE = re.compile(r'^\s*(\d+)\s*[:.]\s*(".*"|.*\S)\s*$', re.MULTILINE)
_CITE = re.compile(r'<\|start_of_cite\|>\s*\{\s*"?document_id"?\s*:\s*"?([^"}]{1,100})"?\s*\}([^<]*)<\|end_of_cite\|>')
_TAG = re.compile(r"<(/?)(cited_answer|answer|citations|citation|source_id|quote)\s*(/?)>", re.IGNORECASE)


class Body(NamedTuple):
    """The span of the answer in the whole text, and where the evidence begins and ends."""

    start: int
    end: int
    evidence: tuple[int, int] | None


def body(text: str) -> Body | None:
    r"""The span of the answer itself in a grounded text; ``None`` for any other text.

    >>> text = "Relevant Documents: 0\nAnswer: 30 days.\nGrounded answer: <co: 0>30 days</co: 0>."
    >>> text[body(text).start:]
    '<co: 0>30 days</co: 0>.'
    """
    if _GROUNDED in text and _PREAMBLE.match(text):
        grounded = _GROUNDED_LINE.search(text)
        if grounded is not None:
            return Body(grounded.end() + _blank(text, grounded.end()), len(text.rstrip()), None)
    parts = list(_EVIDENCE.finditer(text)) if EVIDENCE_SIGN in text else []
    if not parts:
        return None
    evidence = None
    for i, part in enumerate(parts):
        if part[1].lower().startswith("citation"):
            evidence = part.end(), parts[i + 1].start() if i + 1 < len(parts) else len(text)
    return Body(0, len(text[: parts[0].start()].rstrip()), evidence)


def _blank(text: str, position: int) -> int:
    return len(text) - position - len(text[position:].lstrip())


def citations(text: str, found: Body) -> list[ProviderCitation]:
    """The evidence listed after a Granite answer: text of the sources, each at the marker that it belongs to."""
    if found.evidence is None:
        return []
    cites = list(_CITE.finditer(text, found.start, found.end))
    result: list[ProviderCitation] = []
    lines = list(_EVIDENCE_LINE.finditer(text, *found.evidence))
    for order, line in enumerate(lines):
        number, quote = line[1], _unquoted(line[2])
        own = [cite for cite in cites if cite[1].strip() == number]
        marks = own or cites[order : order + 1]
        known: dict[str, Any] = {"reference": number, "id": number, "quote": quote}
        if marks:
            known |= {
                "id": marks[0][1].strip(),
                "reference": marks[0][1].strip(),
                "start": marks[0].start(),
                "end": marks[0].end(),
            }
        result.append(ProviderCitation(**known))
    return result


def _unquoted(value: str) -> str:
    if value.startswith('"'):
        try:
            return str(json.loads(value))
        except ValueError:
            return value.strip('"')
    return value


def read_cited_answer(text: str) -> Unpacked | None:
    """An answer in the tags ``<cited_answer>``, whose source ids count from 0.

    >>> found = read_cited_answer(
    ...     "<cited_answer><answer>30 days.</answer><citations><citation><source_id>0</source_id>"
    ...     "<quote>within 30 days</quote></citation></citations></cited_answer>"
    ... )
    >>> found.text, found.citations[0].sent_source, found.citations[0].quote
    ('30 days.', 0, 'within 30 days')
    """
    if "<cited_answer" not in text:
        return None
    answer, cited, open_tags = "", [], [("", 0)]
    current: dict[str, str] = {}
    begun = False
    for tag in _TAG.finditer(text):
        name = tag[2].lower()
        if tag[1]:
            while len(open_tags) > 1 and open_tags[-1][0] != name:
                open_tags.pop()
            if len(open_tags) == 1:
                open_tags = [("", 0)]
                continue
            content = text[open_tags.pop()[1] : tag.start()].strip()
            if name == "answer":
                answer = content
            elif name in ("source_id", "quote"):
                current[name] = content
            elif name == "citation":
                cited.append(_tagged_citation(current, complete=True))
                current, begun = {}, False
        elif not tag[3]:
            open_tags.append((name, tag.end()))
            begun |= name == "citation"
    cut = len(open_tags) > 1
    if cut:
        name, start = open_tags[-1]
        if name == "answer":
            answer = text[start:].strip()
        elif name in ("source_id", "quote"):
            current[name] = text[start:].strip()
        if begun and current:
            cited.append(_tagged_citation(current, complete=False))
    return Unpacked(answer, tuple(cited), cut)


def _tagged_citation(data: dict[str, str], *, complete: bool) -> ProviderCitation:
    reference = data.get("source_id", "")
    return ProviderCitation(
        reference,
        quote=data.get("quote") or None,
        origin="structured",
        sent_source=fields.int_or_none(reference),
        id=reference or None,
        complete=complete,
    )
