"""Sources in every form that notebooks and logs hold them, read into :class:`~ragcite_nb.models.Source`.

A source is a text, or an object with a text and fields about it. The names of those fields are a table: a new framework
that calls its text something else is one more name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date
from numbers import Real
from typing import Any

from ragcite_nb.labelled import read_labelled
from ragcite_nb.models import InputError, Source
from ragcite_nb.read import containers, fields, literal

_NAMES: dict[str, tuple[str, ...]] = {
    # For each field of Source the names that it goes by, the first of which that holds something counts.
    "text": ("text", "content", "page_content", "pageContent", "document", "document.content", "snippet", "body",
             "chunk", "chunk_text", "passage", "content_with_weight", "raw_content", "excerpt", "cited_text", "data",
             "context", "paragraph", "txt", "raw_text", "texte", "inhalt"),
    "id": ("id", "id_", "doc_id", "document_id", "documentId", "source_id", "chunk_id", "node_id", "_id", "uuid",
           "document.id"),
    "title": ("title", "document_title", "source_document", "name", "file_name", "filename", "document_name",
              "doc_name", "source_name", "source", "filepath", "file_path", "path"),
    "url": ("url", "uri", "link", "href", "source_url", "web_url", "doc_uri"),
    "document_type": ("document_type", "doc_type", "source_type"),
    "section": ("section", "section_title", "heading", "chapter"),
    # Loaders that count pages from 0 in "page" say what is printed on them in "page_label".
    "page": ("page_label", "page_number", "page", "page_num", "page_no", "pages"),
    "version": ("version", "doc_version", "document_version", "revision"),
    "last_updated": ("last_updated", "updated_at", "last_modified", "modified", "date", "published_date", "published",
                     "publication_date", "page_age"),
    "confidence": ("confidence", "confidence_score", "reliability"),
}  # fmt: skip
_FIELD = {name: (target, rank) for target, names in _NAMES.items() for rank, name in enumerate(names)}
_TEXT_NAMES = frozenset(_NAMES["text"])
_TEXT = frozenset([str])
_NESTED = ("metadata", "meta", "document.metadata", "node", "document", "payload", "_source", "extra_info",
           "attributes", "properties", "struct_data", "structData", "source")  # fmt: skip
"""Fields that hold further fields of the same source."""

_LISTS = ("documents", "sources", "contexts", "context", "chunks", "source_documents", "retrieved_contexts", "results",
          "source_nodes", "nodes", "passages", "matches", "citations", "data", "retrieval_context", "items", "hits",
          "search_results")  # fmt: skip
"""Fields that hold the sources in an object that a retriever returns as a whole."""

_SCORE_NAMES = {"document.score": "score", "_score": "score", "@search.score": "score"}
_NOISE = frozenset({"class_name", "embedding", "lc", "sparse_embedding", "embedding_type", "blob"})
_RULE = re.compile(r"^[ \t]*-{3,}[ \t]*$", re.MULTILINE)
_BLANK = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_URL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://")
_ID_SEPARATOR = re.compile(r"[,;|\s]+")
_PRINTED = re.compile(r"\[([^\[\]]*)\]")
"""Ids in brackets that are no literal, such as a printed array of numbers."""


class Corpus:
    """Texts by id, prepared once for many rows."""

    def __init__(self, sources: Iterable[tuple[Any, Source]]) -> None:
        self._sources = {_id_key(key): source for key, source in sources}

    def get(self, key: Any) -> Source | None:
        """The source with this id; ``3``, ``3.0`` and ``"3"`` are one id."""
        return self._sources.get(_id_key(key))

    def __len__(self) -> int:
        return len(self._sources)


def _id_key(value: Any) -> str:
    return fields.name(value) or ""


def read_corpus(corpus: Any) -> Corpus:
    """A corpus from a mapping id → text (or object), a frame or a list of objects with ids.

    >>> read_corpus({"faq": "Dogs travel free."}).get("faq").text
    'Dogs travel free.'
    """
    if isinstance(corpus, Corpus):
        return corpus
    if _is_frame(corpus):
        rows = _frame_rows(corpus)
        return Corpus((source.id if source.id is not None else label, source) for label, source in rows)
    if _is_series(corpus):
        return Corpus(
            (label, _labelled(label, text)) for label, text in zip(list(corpus.index), corpus.tolist(), strict=True)
        )
    listed = fields.items(corpus)
    if listed and not fields.is_pairs(listed):
        read = [_item(value, f"corpus, item {i + 1}") for i, value in enumerate(listed)]
        if any(source.id is None for source in read):
            raise InputError(
                "corpus: a list needs an id in each of its items; accepted are also a mapping id → text and a frame"
            )
        return Corpus((source.id, source) for source in read)
    table = fields.mapping(corpus)
    if not table:
        raise InputError(
            f"corpus: {_kind(corpus)} found; accepted are a mapping id → text and a frame with an id and a text column"
        )
    return Corpus((label, _labelled(label, text)) for label, text in table.items())


def plain_sources(value: Any) -> list[str] | None:
    """The texts when ``value`` is a list, tuple or array of strings only, else ``None``: the fast path of frames.

    >>> plain_sources(("a", "b")), plain_sources(["a", None])
    (['a', 'b'], None)
    """
    kind = type(value)
    if kind is not list:
        if kind is tuple:
            value = list(value)
        elif isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "tolist") or _is_frame(value):
            return None
        else:
            value = value.tolist()
            if type(value) is not list:
                return None
    texts: list[str] = value
    return texts if set(map(type, texts)) <= _TEXT else None


def read_sources(value: Any, corpus: Any = None) -> tuple[Source, ...]:
    r"""The sources in ``value``, numbered from 1 in this order.

    Args:
        value: a list of strings, dicts, dataclasses, :class:`Source` or documents of a framework; a JSON text of
            those; a text split by lines of ``---``, or else by ``[1]``, ``[2]``, … at the beginning of lines or by blank
            lines; a mapping label → text; a frame; ids with ``corpus``. ``None``, NaN and what they become as text are
            no sources; a ``None`` in a list is a source without text.
        corpus: texts by id, as a mapping or a frame.

    Raises:
        InputError: for anything else, saying what was found and where.

    >>> [s.text for s in read_sources("Dogs travel free.\n---\nBicycles cost 4 euros.")]
    ['Dogs travel free.', 'Bicycles cost 4 euros.']
    >>> read_sources([{"page_content": "Dogs travel free.", "metadata": {"source": "faq.md", "page": 3.0}}])[0].page
    3
    """
    return describe_sources(value, corpus)[0] or ()


def describe_sources(value: Any, corpus: Any = None) -> tuple[tuple[Source, ...] | None, str]:
    """The sources and how they were read; ``None`` sources when none were given.

    >>> describe_sources('["Dogs travel free."]')[1]
    'JSON array of strings'
    >>> describe_sources(None)
    (None, 'none')
    """
    if fields.is_missing(value):
        return None, "none"
    if isinstance(value, (bytes, bytearray)):
        value = containers.decode(bytes(value))
    if corpus is not None:
        found = _by_id(value, read_corpus(corpus))
        if found is not None:
            return found, "ids"
    if isinstance(value, str):
        return _from_text(value)
    return _from_data(value)


def _from_data(value: Any) -> tuple[tuple[Source, ...], str]:
    if isinstance(value, Source):
        return (value,), "objects"
    if _is_frame(value):
        return tuple(source for _, source in _frame_rows(value)), "frame"
    if _is_series(value):
        labels = list(value.index)
        if labels != list(range(len(labels))):
            return tuple(_labelled(k, v) for k, v in zip(labels, value.tolist(), strict=True)), "mapping"
    listed = fields.items(value)
    if listed and (not fields.is_pairs(listed) or all(map(_is_scored, listed))):
        return _from_list(listed)
    table = fields.mapping(value)
    if table:
        return _from_mapping(table)
    if isinstance(value, (list, tuple, set, frozenset, Mapping)) or hasattr(value, "tolist"):
        if getattr(value, "shape", None) == ():
            return describe_sources(value.item())  # type: ignore[return-value]
        return (), "strings"
    raise InputError(f"sources: {_kind(value)} found. {_ACCEPTED}")


_ACCEPTED = (
    "Accepted are a list of strings or of objects with a text, a JSON text of those, a text split by lines of --- or "
    "by blank lines, a mapping label → text, a frame, and ids by ragcite_nb.read_sources(…, corpus=…)."
)


def _is_scored(value: Any) -> bool:
    """Whether an item is a pair of a source and its score, as similarity searches return them."""
    if not isinstance(value, (list, tuple)) or len(value) != 2 or isinstance(value[1], bool):
        return False
    return isinstance(value[1], Real) and not isinstance(value[0], (Real, list, tuple)) and value[0] is not None


def _from_list(values: list[Any]) -> tuple[tuple[Source, ...], str]:
    if values and all(map(_is_scored, values)):
        read = [(_item(source, f"sources, item {i + 1}"), score) for i, (source, score) in enumerate(values)]
        return tuple(replace(source, metadata={**source.metadata, "score": score}) for source, score in read), "objects"
    if len(values) == 1 and isinstance(values[0], (list, tuple)) and values[0] and not fields.is_pairs(list(values[0])):
        return _from_list(list(values[0]))  # the answer of a vector store to a batch of one query
    sources = tuple(_item(value, f"sources, item {i + 1}") for i, value in enumerate(values))
    plain = all(isinstance(value, str) or value is None for value in values)
    return sources, "strings" if plain else "objects"


def _from_mapping(table: dict[str, Any]) -> tuple[tuple[Source, ...], str]:
    rows = _columns_to_rows(table)
    if rows is not None:
        return tuple(_from_object(row) for row in rows), "objects"
    for name in _LISTS:
        inner = table.get(name)
        if name == "hits" and isinstance(inner, Mapping):
            inner = inner.get("hits")
        listed = fields.items(inner)
        if (
            listed
            and not fields.is_pairs(listed)
            and not any(isinstance(table.get(n), str) for n in ("text", "page_content"))
        ):
            return _from_list(listed)
    if _is_source_object(table):
        return (_from_object(table),), "objects"
    bad = next((k for k, v in table.items() if not _is_text_or_object(v)), None)
    if bad is not None:
        raise InputError(
            f"sources: an object with the fields {_listing(table)} found, none of which is a text; the field {bad!r} "
            f"holds {_kind(table[bad])}. {_ACCEPTED}"
        )
    return tuple(_labelled(label, text) for label, text in table.items()), "mapping"


def _is_text_or_object(value: Any) -> bool:
    if isinstance(value, str) or fields.is_missing(value):
        return True
    return bool(fields.mapping(value))


def _is_source_object(table: Mapping[str, Any]) -> bool:
    """Whether an object is one source, rather than a mapping label → text."""
    if any(name in table for name in _TEXT_NAMES):
        return True
    known = sum(name in _FIELD or name in _NESTED for name in table)
    return known >= 1 and known == len(table)


def _columns_to_rows(table: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The rows of a table kept as columns, such as ``{"documents": [["a"]], "ids": [["1"]]}``."""
    singular = {"documents": "text", "texts": "text", "ids": "id", "metadatas": "metadata", "titles": "title",
    "urls": "url",
                "distances": "distance", "scores": "score", "sentences": "text"}  # fmt: skip
    columns: dict[str, list[Any]] = {}
    for name, value in table.items():
        column = fields.items(value)
        if len(column) == 1 and isinstance(column[0], (list, tuple)):
            column = list(column[0])
        if column:
            columns[singular.get(name, name)] = column
    texts = next((columns[name] for name in _NAMES["text"] if name in columns), None)
    if texts is None or len(columns) < 2 or not all(v is None or isinstance(v, (str, list)) for v in texts):
        return None
    if any(len(column) != len(texts) for column in columns.values()):
        return None
    return [{name: column[i] for name, column in columns.items()} for i in range(len(texts))]


def _item(value: Any, where: str) -> Source:
    """One item of a list."""
    if isinstance(value, str):
        return Source(value)
    if isinstance(value, Source):
        return value
    if fields.is_missing(value):
        return Source()
    if isinstance(value, (bytes, bytearray)):
        return Source(containers.decode(bytes(value)))
    number = fields.int_or_none(value)
    if number is not None:
        raise InputError(
            f"{where}: the number {value!r} found. If it is an id, read it with its text: "
            f"ragcite_nb.read_sources(…, corpus=…). {_ACCEPTED}"
        )
    table = fields.mapping(value)
    if table:
        return _from_object(table)
    if getattr(value, "shape", None) == ():
        return _item(value.item(), where)
    raise InputError(f"{where}: {_kind(value)} found. {_ACCEPTED}")


def _labelled(label: Any, value: Any) -> Source:
    """A source of a mapping, whose label is its id unless it names another."""
    key = label if isinstance(label, (str, int)) and not isinstance(label, bool) else fields.name(label)
    if isinstance(value, str):
        return Source(value, id=key)
    if isinstance(value, Source):
        source = value
    elif fields.is_missing(value):
        return Source(id=key)
    else:
        table = fields.mapping(value)
        if not table:
            raise InputError(f"sources, label {label!r}: {_kind(value)} found. {_ACCEPTED}")
        source = _from_object(table)
    return source if source.id is not None else _with_id(source, key)


def _with_id(source: Source, key: str | int | None) -> Source:
    values = {name: getattr(source, name) for name in Source.__dataclass_fields__}
    return Source(**(values | {"id": key}))


def source_from(value: Any) -> Source:
    """One source from a text or an object of any kind.

    >>> source_from({"content": "Dogs travel free.", "score": 0.8}).metadata
    {'score': 0.8}
    """
    return _item(value, "source")


def _from_object(table: dict[str, Any]) -> Source:
    best: dict[str, tuple[int, Any, str]] = {}
    metadata: dict[str, Any] = {}
    _collect(table, best, metadata, 0, 0)
    got = {target: held[1] for target, held in best.items()}
    return Source(
        text=got.get("text"),
        id=got.get("id"),
        title=got.get("title"),
        url=got.get("url"),
        document_type=got.get("document_type"),
        section=got.get("section"),
        page=got.get("page"),
        version=got.get("version"),
        last_updated=got.get("last_updated"),
        confidence=got.get("confidence"),
        metadata=metadata,
    )


def _collect(
    table: dict[str, Any], best: dict[str, tuple[int, Any, str]], metadata: dict[str, Any], offset: int, depth: int
) -> None:
    """Sort the fields of an object, and of those nested in it, into those of a source and the rest."""
    nested: list[tuple[str, dict[str, Any]]] = []
    # Anthropic's documents hold their text in "source"; "context" is what the model is told about them.
    about = "context" if table.get("type") == "document" and "source" in table else None
    for name, value in table.items():
        if value is None or name in _NOISE or fields.is_missing(value):
            continue
        if name == about:
            metadata.setdefault(name, value)
            continue
        if name in _NESTED and depth < 4 and not (isinstance(value, str) and name in ("source", "document")):
            inner = fields.mapping(_json_object(value) if isinstance(value, str) else value)
            if inner:
                nested.append((name, inner))
                continue
        spec = _FIELD.get(name)
        if spec is not None:
            target, rank = spec
            read = _READERS[target](value)
            if target == "title" and name == "source" and isinstance(read, str) and _URL.match(read):
                target = "url"
            if read is not None:
                held = best.get(target)
                if held is None or rank + offset < held[0]:
                    if held is not None and held[1] != read:
                        _keep(metadata, held[2], held[1])
                    best[target] = (rank + offset, read, name)
                elif read != held[1]:
                    _keep(metadata, name, value)
                continue
            if value in ("", [], {}):
                continue
        _keep(metadata, str(name), value)
    for name, inner in nested:
        # What an object says of itself comes before what its metadata say.
        _collect(inner, best, metadata, offset + 100, depth + 1)
        if name == "source" and "title" not in best and "name" in inner:
            best["title"] = (offset + 100, fields.name(inner["name"]), "name")


def _keep(metadata: dict[str, Any], name: str, value: Any) -> None:
    if not isinstance(value, (dict, list, tuple)) or not fields.is_deep(value):
        metadata.setdefault(_SCORE_NAMES.get(name, name), value)


def _json_object(value: str) -> Any:
    if not value.lstrip().startswith("{"):
        return None
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


def _read_text(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    listed = fields.items(value)
    if listed:
        # Content in blocks: [{"type": "text", "text": "…"}], or the sentences of a text.
        parts = [part if isinstance(part, str) else _block_text(part) for part in listed]
        return _joined([part for part in parts if part]) or None
    return _block_text(value)


def _joined(parts: list[str]) -> str:
    """The parts of one text, on lines of their own where no blank parts them: two words must not become one."""
    text = ""
    for part in parts:
        glued = text and not text[-1].isspace() and not part[0].isspace()
        text += f"\n{part}" if glued else part
    return text


def _block_text(value: Any) -> str | None:
    inner = fields.first(fields.mapping(value), "text", "content", "page_content", "snippet", "data")
    return inner if isinstance(inner, str) else None


def _read_id(value: Any) -> str | int | None:
    if isinstance(value, str):
        return value or None
    number = fields.int_or_none(value)
    return number if number is not None else fields.name(value)


def _read_page(value: Any) -> int | str | None:
    number = fields.int_or_none(value)
    return number if number is not None else fields.name(value)


def _read_version(value: Any) -> str | None:
    # 2.0 is a version, not the whole number 2.
    return str(value) if isinstance(value, float) else fields.name(value)


def _read_date(value: Any) -> str | None:
    return value.isoformat() if isinstance(value, date) else fields.name(value)


def _read_confidence(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if 0 <= number <= 1 else None


_READERS: dict[str, Any] = {
    "text": _read_text, "id": _read_id, "title": fields.name, "url": fields.name, "document_type": fields.name,
    "section": fields.name, "page": _read_page, "version": _read_version, "last_updated": _read_date,
    "confidence": _read_confidence,
}  # fmt: skip


_NOTHING = frozenset(["nan", "NaN", "None", "null", "<NA>"])
"""What a missing cell becomes in a frame that was turned into text."""
_ARRAY = re.compile(r"(?:np\.|numpy\.)?array\(\[")
_NUMBER = re.compile(r"^\[(\d{1,5})\][ \t:]*", re.MULTILINE)


def _from_text(value: str) -> tuple[tuple[Source, ...] | None, str]:
    bare = value.strip()
    if not bare or bare in _NOTHING:
        return None, "none"
    inner = containers.unquoted(bare)
    if inner is not None:
        return _from_text(inner)
    if _ARRAY.match(bare) and bare[-1] == ")":
        with suppress(literal.NotLiteral):
            parsed = literal.parse(bare, bare.index("array"), python=True)
            return _from_data(parsed.value)[0], "Python array of strings"
    labelled = read_labelled(value)
    if labelled is not None:
        return labelled, "labelled blocks"
    opened = containers.open_text(value)
    if opened.kind not in ("text", "prefix"):
        if opened.cut:
            raise _cut_off(opened, value)
        sources, how = _from_data(opened.value)
        notation = "Python" if opened.kind == "python" else "JSON"
        what = {"strings": "array of strings", "objects": "array of objects", "mapping": "object"}[how]
        return sources, f"{notation} {what}"
    blocks = _RULE.split(value)
    how = "--- blocks"
    if len(blocks) == 1:
        blocks = _BLANK.split(value.replace("\r\n", "\n"))
        how = "paragraphs"
        numbered = _numbered(bare)
        if len(numbered) > 1 and len(numbered) != sum(1 for block in blocks if block.strip()):
            blocks, how = numbered, "numbered blocks"
    return tuple(Source(block.strip()) for block in blocks if block.strip()), how


def _cut_off(opened: containers.Opened, value: str) -> InputError:
    """The error for a list of sources, or of their ids, whose end is missing."""
    return InputError(
        f"sources: the text begins like {'a Python literal' if opened.kind == 'python' else 'JSON'} but is cut "
        f"off at its end ({value.rstrip()[-30:]!r}); the sources cannot be read from it"
    )


def _numbered(text: str) -> list[str]:
    """The texts after ``[1]``, ``[2]``, … at the beginning of lines, if the numbers rise by one; else nothing."""
    if not text.startswith("[1]"):
        return []
    pieces = _NUMBER.split(text)  # before the first number, then in turns number and text
    rising = all(number == str(i) for i, number in enumerate(pieces[1::2], 1))
    return pieces[2::2] if rising else []


def _by_id(value: Any, corpus: Corpus) -> tuple[Source, ...] | None:
    """Sources that are named by their ids; ``None`` when ``value`` holds the texts themselves."""
    if isinstance(value, str):
        ids = _ids_in(value, corpus)
    elif fields.int_or_none(value) is not None:
        ids = [value]
    elif _is_frame(value):
        return None
    else:
        ids = fields.items(value)
    if not ids or fields.is_pairs(ids):
        return None if not isinstance(value, (list, tuple)) or value else ()
    keys = [_item_id(item) for item in ids]
    if all(key is None for key in keys):
        return None  # objects that bring their texts
    found = [None if key is None else corpus.get(key) for key in keys]
    if all(source is None for source in found):
        raise InputError(
            f"sources: none of the ids {_listing(k for k in keys if k is not None)} is in the corpus of {len(corpus)} "
            "texts"
        )
    sources = []
    for item, key, source in zip(ids, keys, found, strict=True):
        if key is None:
            sources.append(_item(item, "sources"))
        else:
            number = fields.int_or_none(key) if not isinstance(key, str) else None
            sources.append(_with_id(source or Source(), number if number is not None else fields.name(key)))
    return tuple(sources)


def _ids_in(value: str, corpus: Corpus) -> list[Any]:
    """The ids that a text lists; none when it is a longer text or an object."""
    bare = value.strip()
    if corpus.get(bare) is not None:
        return [bare]
    listed = containers.open_list(value)
    if listed is not None and listed.cut:
        raise _cut_off(listed, value)
    if listed is not None:
        return fields.items(listed.value)
    if containers.open_text(value).kind != "text":
        return []
    printed = _PRINTED.fullmatch(bare)
    ids = [part for part in _ID_SEPARATOR.split(printed[1] if printed else bare) if part]
    return ids if len(ids) <= 20 or any(corpus.get(key) is not None for key in ids) else []


def _item_id(item: Any) -> Any:
    """The id that an item is, or has in place of a text."""
    if isinstance(item, str) or fields.int_or_none(item) is not None:
        return item
    if isinstance(item, Source):
        return item.id if item.text is None else None
    table = fields.mapping(item)
    if not table:
        return None
    source = _from_object(table)
    return source.id if source.text is None else None


def _is_frame(value: Any) -> bool:
    return hasattr(value, "columns") and (
        hasattr(value, "to_dict") or hasattr(value, "to_dicts") or hasattr(value, "to_pylist")
    )


def _is_series(value: Any) -> bool:
    return (
        hasattr(value, "index")
        and hasattr(value, "to_dict")
        and hasattr(value, "tolist")
        and not hasattr(value, "columns")
    )


def _frame_rows(frame: Any) -> list[tuple[Any, Source]]:
    """Label and source of each row of a pandas, polars or Arrow table."""
    if hasattr(frame, "to_pylist"):
        rows = frame.to_pylist()
    elif hasattr(frame, "to_dicts"):
        rows = frame.to_dicts()
    else:
        rows = frame.to_dict("records")
    labels = list(frame.index) if hasattr(frame, "index") and not callable(frame.index) else list(range(len(rows)))
    read = [_from_object({str(k): v for k, v in row.items()}) for row in rows]
    if rows and all(source.text is None for source in read):
        columns = [str(name) for name in rows[0]]
        if len(columns) != 1:
            raise InputError(
                f"sources: a frame with the columns {_listing(columns)} found, none of which is known to hold texts "
                f"({', '.join(_NAMES['text'][:7])} …); rename it or pass the column itself"
            )
        read = [_labelled(label, next(iter(row.values()))) for label, row in zip(labels, rows, strict=True)]
    return list(zip(labels, read, strict=True))


def _kind(value: Any) -> str:
    return f"a value of type {type(value).__name__}"


def _listing(names: Iterable[Any]) -> str:
    shown = [repr(name) for name in names]
    return ", ".join(shown[:8]) + (f" and {len(shown) - 8} more" if len(shown) > 8 else "")
