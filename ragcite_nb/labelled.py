"""Sources as labelled blocks of text, the form in which prompts hold them, written and read back.

Two forms: ``[Document 1]`` blocks with a line that names the source, and XML. What would end a block inside a source's
text is escaped, so that a source can never pass for two.
"""

from __future__ import annotations

import re
from html import escape, unescape
from typing import TYPE_CHECKING, Any, NamedTuple

from ragcite_nb.citation_form import parse_citation, to_citation
from ragcite_nb.models import Source

if TYPE_CHECKING:
    from collections.abc import Iterable


class Labels(NamedTuple):
    """The words that mark the parts of a block."""

    document: str
    source: str
    cite: str
    content: str


LABELS = {
    "en": Labels("Document", "Source", "Cite as", "Content"),
    "fr": Labels("Document", "Source", "Citer ainsi", "Contenu"),
    "de": Labels("Dokument", "Quelle", "Zitieren als", "Inhalt"),
}
"""By language. They are read back by :func:`read_labelled`, so they are not free text."""


class Block(NamedTuple):
    """One source to be written, with its number and, if the model is to be told, the exact mark that cites it."""

    number: int
    source: Source
    mark: str | None = None


_DOCUMENT = rf"(?:{'|'.join(dict.fromkeys(w.document for w in LABELS.values()))})"
_HEAD = re.compile(rf"^\[{_DOCUMENT} (\d{{1,9}})\][ \t]*$", re.MULTILINE)
_LOOKS_LIKE_HEAD = re.compile(rf"^(\\*\[{_DOCUMENT} \d{{1,9}}\][ \t]*)$", re.MULTILINE)
_ESCAPED_HEAD = re.compile(rf"^\\(\\*\[{_DOCUMENT} \d{{1,9}}\][ \t]*)$", re.MULTILINE)
_SOURCE_LINE = re.compile(rf"(?:{'|'.join(dict.fromkeys(w.source for w in LABELS.values()))}) ?: (.*)")
_CITE_LINE = re.compile(rf"(?:{'|'.join(w.cite for w in LABELS.values())}) ?: ")
_CONTENT_LINE = re.compile(rf"(?:{'|'.join(w.content for w in LABELS.values())}) ?:[ \t]*")


def write_numbered(blocks: Iterable[Block], language: str) -> str:
    """``[Document 1]`` blocks.

    >>> print(write_numbered([Block(1, Source("Dogs travel free.", title="FAQ", page=3))], "en"))
    [Document 1]
    Source: FAQ | Page 3
    Content:
    Dogs travel free.
    """
    labels = LABELS[language]
    colon = " :" if language == "fr" else ":"
    written = []
    for number, source, mark in blocks:
        lines = [f"[{labels.document} {number}]"]
        if source.title or source.id is not None or source.url:
            lines.append(f"{labels.source}{colon} {to_citation(source, language)}")
        if mark:
            lines.append(f"{labels.cite}{colon} {mark}")
        lines += [f"{labels.content}{colon}", _LOOKS_LIKE_HEAD.sub(r"\\\1", (source.text or "").strip())]
        written.append("\n".join(lines))
    return "\n\n".join(written)


_XML_FIELDS = ("id", "title", "section", "page", "version", "last_updated", "url", "document_type")


def write_xml(blocks: Iterable[Block]) -> str:
    """A ``<documents>`` element.

    >>> print(write_xml([Block(1, Source("Dogs & cats travel free.", title="FAQ"))]))
    <documents>
    <document index="1">
    <title>FAQ</title>
    <content>
    Dogs &amp; cats travel free.
    </content>
    </document>
    </documents>
    """
    lines = ["<documents>"]
    for number, source, mark in blocks:
        lines.append(f'<document index="{number}">')
        for name in _XML_FIELDS:
            value = getattr(source, name)
            if value is not None and value != "":
                lines.append(f"<{name}>{escape(str(value), quote=False)}</{name}>")
        if mark:
            lines.append(f"<cite_as>{escape(mark, quote=False)}</cite_as>")
        lines += ["<content>", escape((source.text or "").strip(), quote=False), "</content>", "</document>"]
    return "\n".join([*lines, "</documents>"])


def read_labelled(text: str) -> tuple[Source, ...] | None:
    r"""The sources in a text that :func:`write_numbered` or :func:`write_xml` wrote; ``None`` for any other text.

    >>> read_labelled("[Document 1]\nSource: FAQ | Page 3\nContent:\nDogs travel free.")[0].page
    3
    >>> read_labelled("[Document] lost") is None
    True
    """
    start = text.lstrip()
    if start.startswith("<documents>"):
        return _read_xml(start)
    if start.startswith("[") and (first := _HEAD.match(start)):
        return _read_numbered(start, first)
    return None


def _read_numbered(text: str, first: re.Match[str]) -> tuple[Source, ...]:
    heads = [first, *_HEAD.finditer(text, first.end())]
    ends = [*(head.start() for head in heads[1:]), len(text)]
    plain = [int(head[1]) for head in heads] == list(range(1, len(heads) + 1))
    sources = []
    for head, end in zip(heads, ends, strict=True):
        fields: dict[str, Any] = {}
        at = head.end() + 1
        while at < end:
            stop = text.find("\n", at, end)
            line = text[at : stop if stop >= 0 else end]
            if "title" not in fields and (m := _SOURCE_LINE.fullmatch(line)):
                fields |= parse_citation(m[1])
            elif not _CITE_LINE.match(line):
                at += len(line) if _CONTENT_LINE.fullmatch(line) else 0
                break
            at += len(line) + 1
        body = text[at:end]
        if not plain:
            fields["id"] = int(head[1])
        sources.append(Source(_ESCAPED_HEAD.sub(r"\1", body.strip()) or None, **fields))
    return tuple(sources)


_ELEMENT = re.compile(r"<([a-z_]{2,20})>([^<]*)</\1>")


def _read_xml(text: str) -> tuple[Source, ...]:
    sources = []
    # Text is escaped, so that "<" only ever opens an element: splitting is exact and takes linear time.
    for part in text.split("<document index=")[1:]:
        found = {m[1]: unescape(m[2]).strip() for m in _ELEMENT.finditer(part)}
        fields: dict[str, Any] = {name: found[name] for name in _XML_FIELDS if found.get(name)}
        if fields.get("page", "").isdecimal():
            fields["page"] = int(fields["page"])
        sources.append(Source(found.get("content") or None, **fields))
    return tuple(sources)
