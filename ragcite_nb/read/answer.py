"""A payload of any shape into one answer: open its container, find its format, read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragcite_nb.models import Answer, InputError
from ragcite_nb.read import containers, fields, grounded_text, registry
from ragcite_nb.read.draft import Draft

if TYPE_CHECKING:
    from collections.abc import Mapping

_EMPTY = Answer()
_SUSPECT = frozenset('{[(" \t\r\n\ufeff:deirRCAG')
"""First characters of a text that may be a container or a grounded text."""
_GROUNDED_STARTS = ("Relevant Documents", "Cited Documents", "Answer:", "Grounded answer:")


_HEAD = 200
"""So many events of a stream are looked at before it is called unknown."""


def is_plain(text: str) -> bool:
    """Whether :func:`read_answer` returns this text as it is; cheap, and in doubt ``False``.

    >>> is_plain("Dogs are free [2]."), is_plain("<think>Hm.</think>Dogs are free.")
    (True, False)
    """
    # Searches for one character cost a tenth of those for more: each stands before the search that it saves.
    if "<" in text or "◁" in text or ("`" in text and "```" in text) or ("/" in text and "[/THINK]" in text):
        return False
    if "{" in text and grounded_text.EVIDENCE_SIGN in text:
        return False
    return text[:1] not in _SUSPECT or not (containers.may_be_container(text) or text.startswith(_GROUNDED_STARTS))


def read_answer(payload: Any) -> Answer:
    """The answer in a payload of any shape.

    Args:
        payload: a text; a response of any known provider or framework as dict, SDK object, JSON, NDJSON, server-sent
            events or list of events; a list of messages; JSON such as ``{"answer": …, "citations": […]}``. ``None``,
            NaN and ``""`` are an empty answer. A payload that has the fields of two shapes is read as the more specific
            one, that is the one that stands first in ``registry.FORMATS``.

    Raises:
        InputError: when the payload has no known shape; the message names what was found and what is known.

    >>> read_answer("Dogs are free [2].").text
    'Dogs are free [2].'
    >>> read_answer({"message": {"content": "Dogs are"}, "done": True, "done_reason": "length"}).truncated
    True
    """
    if isinstance(payload, str):
        return _read_text(payload)
    if isinstance(payload, Answer):
        return payload
    if fields.is_missing(payload):
        return _EMPTY
    if isinstance(payload, (bytes, bytearray)):
        return _read_text(containers.decode(bytes(payload)))
    return _read_data(containers.Opened(payload, "data"), None)


def _read_text(text: str) -> Answer:
    if is_plain(text):
        return Answer(text)
    try:
        opened = containers.open_text(text)
    except InputError:
        opened = containers.Opened(text, "text")  # a printed array among the answers is text
    if opened.kind == "text" or not isinstance(opened.value, (dict, list)):
        return Draft(format="text", text=text).finish()
    return _read_data(opened, text)


def _read_data(opened: containers.Opened, text: str | None) -> Answer:
    """Read opened data; ``text`` is what they were opened from, which is the answer itself if it is no container."""
    value = opened.value
    if opened.kind == "sse" and not value:
        return _EMPTY  # a stream that says nothing but that it is complete
    listed = fields.items(value)
    if listed and fields.is_pairs(listed):
        value, listed = fields.mapping(value), []
    draft = _read_list(listed, opened, text) if listed else _read_mapping(fields.mapping(value), opened, text)
    if draft is None:
        return Draft(format="text", text=text or "").finish()
    draft.truncated |= opened.cut
    return draft.finish()


def _read_mapping(data: dict[str, Any], opened: containers.Opened, text: str | None) -> Draft | None:
    data = registry.unwrap(data)
    for row in registry.FORMATS:
        if row.detect(data):
            return row.read(data, opened.open) if row.takes_open else row.read(data)
    for row in registry.FORMATS:
        if row.is_event is not None and row.join is not None and row.is_event(data):
            return row.read(row.join([data], opened.done))
    if text is not None and (opened.cut or opened.kind == "prefix" or not data):
        return None  # begins like JSON, and is none that can be read: a text
    raise InputError(_unknown(opened.value, data))


def _read_list(listed: list[Any], opened: containers.Opened, text: str | None) -> Draft | None:
    if len(listed) == 1 and opened.kind in ("data", "json"):
        alone = registry.unwrap(fields.mapping(listed[0]))
        row = next((row for row in registry.FORMATS if row.detect(alone)), None)
        if row is not None:
            return row.read(alone)
    events = [registry.unwrap(event) for event in map(fields.mapping, listed) if event]
    for event in events[:_HEAD]:
        for row in registry.FORMATS:
            if row.is_event is not None and row.join is not None and row.is_event(event):
                return row.read(row.join([e for e in events if e], opened.done))
    if text is not None and not any(events):
        return None  # [1] or ["a"]: a text in brackets
    what = f"a list of {len(listed)} items"
    if events:
        raise InputError(f"answer: {what} found, the first with the fields {_names(events[0])}. {_known()}")
    raise InputError(f"answer: {what} of type {type(listed[0]).__name__} found. {_known()}")


def _unknown(value: Any, data: Mapping[str, Any]) -> str:
    if data:
        error = fields.mapping(data.get("error")) or data.get("error")
        if error:
            said = (
                fields.name(fields.mapping(error).get("message"))
                or fields.name(error)
                or str(dict(fields.mapping(error)))
            )
            return f"answer: the response of a failed call found, without an answer: {said[:200]}"
        return f"answer: an object with the fields {_names(data)} found, which is no known shape. {_known()}"
    if hasattr(value, "__next__"):
        return f"answer: a stream ({type(value).__name__}) that is not read yet found; pass list(stream)"
    return f"answer: a value of type {type(value).__name__} found. {_known()}"


def _names(data: Mapping[str, Any]) -> str:
    names = [repr(str(name)[:40]) for name in data]
    return ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")


def _known() -> str:
    shapes = "; ".join(f"{row.name} ({row.fields})" for row in registry.FORMATS)
    return f"Accepted are a text, a list of messages or stream events, and the shapes: {shapes}."
