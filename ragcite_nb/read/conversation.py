"""Conversations: the assistant's last message is the answer, what tools returned before it are its sources."""

from __future__ import annotations

import re
from typing import Any

from ragcite_nb.models import InputError, Source
from ragcite_nb.read import anthropic, bedrock, containers, fields, langchain, openai_chat, openai_responses, structured
from ragcite_nb.read.draft import Draft, SourceBook
from ragcite_nb.read.sources import describe_sources, source_from

_NAMES = {
    "assistant": ("assistant", "ai", "aimessage", "aimessagechunk", "model", "bot", "chatbot", "gpt", "chatgpt", "llm",
                  "agent", "ai_agent", "virtual_agent", "automated_agent", "human_agent", "ai_assistant",
                  "virtual_assistant", "copilot", "claude", "gemini", "assistent"),
    "user": ("user", "human", "humanmessage", "prompter", "customer", "client", "visitor", "end_user"),
    "system": ("system", "systemmessage", "developer"),
    "tool": ("tool", "toolmessage", "function", "functionmessage", "ipython", "function_call_output", "tool_result",
             "custom_tool_call_output", "tool_response", "function_response", "observation"),
    "step": ("function_call", "tool_call", "mcp_call", "reasoning"),
}  # fmt: skip
"""Who speaks, under the names of all providers and data sets, in lower case."""
_ROLES = {name: role for role, names in _NAMES.items() for name in names}


def _role(message: dict[str, Any]) -> str:
    """Who speaks: a key of :data:`_NAMES`, or the message's own word, which may be none."""
    said = fields.name(fields.first(message, "role", "_role", "message.role", "type", "from")) or ""
    return _ROLES.get(re.sub(r"[\s-]+", "_", said.strip().lower()), said)


def _content(message: dict[str, Any]) -> Any:
    return fields.first(message, "content", "_content", "message.content", "parts", "blocks", "output", "value", "text")


def _messages(data: dict[str, Any]) -> list[dict[str, Any]]:
    listed = fields.items(data.get("messages")) or fields.items(data.get("conversation"))
    messages = [fields.mapping(item) for item in listed]
    return [
        {"type": m["id"][-1], **fields.mapping(m.get("kwargs"))} if m.get("lc") and fields.items(m.get("id")) else m
        for m in messages
    ]


def is_message(data: dict[str, Any]) -> bool:
    """One message of a conversation, which stands in a list; who says so by ``role`` may be anybody."""
    known = _role(data) in ("user", "assistant", "system", "tool") or fields.name(data.get("role")) is not None
    return known and (_content(data) is not None or "tool_calls" in data)


def is_conversation(data: dict[str, Any]) -> bool:
    """A conversation as one object."""
    messages = _messages(data)
    return bool(messages) and any(is_message(message) for message in messages)


def is_answer(data: dict[str, Any]) -> bool:
    """A message of an assistant that stands alone."""
    named = fields.first(data, "role", "_role", "message.role") is not None
    return named and _role(data) == "assistant" and _content(data) is not None


def read_answer(data: dict[str, Any]) -> Draft:
    """Read a message that stands alone."""
    return read({"messages": [data]})


def join(events: list[dict[str, Any]], _done: bool) -> dict[str, Any]:
    """The messages of a list as one object."""
    return {"messages": events}


def read(data: dict[str, Any]) -> Draft:
    """Read a conversation."""
    messages = _messages(data)
    spoken = [i for i, message in enumerate(messages) if _role(message) == "assistant"]
    if not spoken:
        _refuse_strangers(messages)
    with_text = [i for i in spoken if _is_filled(messages[i])]
    last = with_text[-1] if with_text else spoken[-1] if spoken else len(messages)
    book = SourceBook()
    for message in messages[:last]:
        _add_sources(book, message)
    # Documents in the state of a graph, or beside the answer's own text, as chat applications keep them.
    for holder in (data, messages[last] if last < len(messages) else {}):
        for name in structured.CONTEXTS:
            if not len(book) and structured.holds_texts(holder.get(name)):
                book.extend(describe_sources(fields.items(holder[name]))[0] or ())
    draft = _read_message(messages[last], book) if last < len(messages) else Draft(format="conversation", book=book)
    draft.format = "conversation"
    return draft


def _is_filled(message: dict[str, Any]) -> bool:
    """Whether a message says anything."""
    content = _content(message)
    return bool(fields.items(content) or fields.mapping(content) or fields.name(content))


def _refuse_strangers(messages: list[dict[str, Any]]) -> None:
    """Raise when the answer may be by a speaker whose role nobody knows: an empty answer would look like no answer."""
    roles = list(dict.fromkeys(_role(message) for message in messages if _is_filled(message)))
    if any(role not in _NAMES for role in roles):
        raise InputError(
            f"answer: a conversation without a message of an assistant found; its roles are "
            f"{', '.join(repr(role) for role in roles[:12])}. Accepted for the assistant are "
            f"{', '.join(map(repr, _NAMES['assistant']))}"
        )


def _read_message(message: dict[str, Any], book: SourceBook) -> Draft:
    content = _content(message)
    blocks = fields.items(content)
    if message.get("type") in ("ai", "AIMessage", "AIMessageChunk"):
        return langchain.read_message(message, book)
    if any(fields.mapping(block).get("type") == "output_text" for block in blocks):
        draft = openai_responses.read({"output": [{**message, "type": "message"}]})
        return _with_sources(draft, book)
    if any("citationsContent" in fields.mapping(block) for block in blocks):
        return bedrock.read_converse({"output": {"message": {"content": blocks}}}, book)
    if blocks and "choices" not in message:
        draft = Draft(format="conversation", book=book)
        anthropic.read_blocks(draft, [_as_block(block) for block in blocks])
        draft.refusal = fields.text(message.get("refusal")) or None
        return draft
    draft = openai_chat.read(
        {"choices": [{"message": {**message, "content": content}, "finish_reason": message.get("finish_reason")}]}
    )
    return _with_sources(draft, book)


def _with_sources(draft: Draft, book: SourceBook) -> Draft:
    """The answer with the sources of its conversation in place of those that it mentions itself."""
    if len(book):
        draft.book = book
        draft.citations = [c._replace(payload_source=None) for c in draft.citations]
    return draft


def _as_block(block: Any) -> Any:
    """A content block in the shape of Anthropic's: parts of other APIs call their text differently."""
    data = fields.mapping(block)
    text = fields.first(data, "text", "content", "message_content.text")
    kind = data.get("type", data.get("block_type", "text"))
    return (
        {**data, "type": "text", "text": text} if isinstance(text, str) and kind in ("text", "output_text") else block
    )


def _add_sources(book: SourceBook, message: dict[str, Any]) -> None:
    """Add what a message before the answer gave to the model to read."""
    role, content = _role(message), _content(message)
    if role == "tool":
        _add_result(book, content, fields.name(message.get("name")))
        return
    for block in map(fields.mapping, fields.items(content)):
        _add_block(book, block)


def _add_block(book: SourceBook, block: dict[str, Any]) -> None:
    """Add a document, a search result or a tool's result in the content of a message."""
    kind = block.get("type")
    if kind in ("tool_result", "tool_call_response"):
        _add_result(book, fields.first(block, "content", "result", "response"), None)
    elif kind == "document" and "source" in block:
        origin = fields.mapping(block.get("source"))
        inner = [fields.text(fields.mapping(part).get("text")) for part in fields.items(origin.get("content"))]
        text = fields.text(origin.get("data")) if origin.get("type") == "text" else "".join(inner)
        title, url = fields.name(block.get("title")), fields.name(origin.get("url"))
        book.add_next("document", Source(text or None, title=title, url=url))
    elif kind == "search_result":
        book.add_next("search_result", _search_result(block))
    elif "toolResult" in block:
        for part in map(fields.mapping, fields.items(fields.mapping(block["toolResult"]).get("content"))):
            _add_result(book, fields.first(part, "text", "json"), None)
    elif "searchResult" in block:
        book.add_next("searchResultIndex", _search_result(fields.mapping(block["searchResult"])))
    elif "document" in block and kind is None:
        document = fields.mapping(block["document"])
        text = fields.text(fields.mapping(document.get("source")).get("text"))
        book.add_next("documentIndex", Source(text or None, title=fields.name(document.get("name"))))


def _search_result(block: dict[str, Any]) -> Source:
    texts = [fields.text(fields.mapping(part).get("text")) for part in fields.items(block.get("content"))]
    origin = fields.name(block.get("source"))
    is_url = origin is not None and "://" in origin
    return Source(
        "".join(texts) or None,
        id=None if is_url else origin,
        title=fields.name(block.get("title")),
        url=origin if is_url else None,
    )


def _add_result(book: SourceBook, content: Any, name: str | None) -> None:
    """Add the result of a tool: documents if it holds any, else its text as one source."""
    if isinstance(content, str):
        found = _documents(containers.open_text(content).value) if content.lstrip()[:1] in ("[", "{") else None
        book.extend(found if found is not None else (Source(content, title=name),) if content.strip() else ())
        return
    blocks = fields.items(content)
    for block in blocks:
        data = fields.mapping(block)
        if data.get("type") in ("search_result", "document") and ("source" in data or "content" in data):
            _add_block(book, data)
        elif isinstance(data.get("document"), dict):
            inner = data["document"]
            held = fields.text(inner.get("data"))
            parsed = _documents(containers.open_text(held).value) if held.lstrip()[:1] == "{" else None
            own = fields.name(inner.get("id"))
            source = parsed[0] if parsed and len(parsed) == 1 else source_from(inner)
            book.extend((source if own is None else _with_id(source, own),))
        elif isinstance(fields.first(data, "text", "content"), str) and set(data) <= {
            "type",
            "text",
            "content",
            "id",
            "annotations",
        }:
            _add_result(book, fields.first(data, "text", "content"), name)
        else:
            found = _documents([block])
            book.extend(found if found is not None else (Source(fields.as_json(data)),) if data else ())
    if not blocks and fields.mapping(content):
        data = fields.mapping(content)
        found = _documents(data)
        book.extend(found if found is not None else (Source(fields.as_json(data), title=name),))


def _with_id(source: Source, own: str) -> Source:
    return (
        source
        if source.id is not None
        else Source(source.text, id=own, title=source.title, url=source.url, metadata=source.metadata)
    )


def _documents(value: Any) -> tuple[Source, ...] | None:
    """The documents in a tool's result; ``None`` when it holds other data."""
    try:
        sources, how = describe_sources(value)
    except InputError:
        return None
    if how == "mapping" and not all(isinstance(item, dict) for item in fields.mapping(value).values()):
        return None  # any record has texts under names
    return sources if sources and any(source.text for source in sources) and not isinstance(value, str) else None


def last_question(messages: list[dict[str, Any]]) -> str | None:
    """What the user said last.

    >>> last_question([{"role": "user", "content": "How long?"}, {"role": "assistant", "content": "30 days."}])
    'How long?'
    """
    for message in reversed(messages):
        if _role(message) == "user":
            content = _content(message)
            if isinstance(content, str):
                return content or None
            parts = [
                fields.text(fields.first(fields.mapping(part), "text", "content")) for part in fields.items(content)
            ]
            return "".join(parts) or None
    return None
