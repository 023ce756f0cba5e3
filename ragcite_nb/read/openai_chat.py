"""Chat completions of OpenAI and all that speak its language: Azure, Perplexity, Mistral, Groq, DeepSeek, vLLM, xAI.

What a dialect adds is told by its fields: ``message.context`` is Azure On Your Data, ``search_results`` and
``citations`` beside the choices are Perplexity's, content in chunks is Mistral's, ``message.reference`` is RAGFlow's.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from ragcite_nb.models import Source
from ragcite_nb.read import fields, mistral, openai_annotations
from ragcite_nb.read.draft import Draft
from ragcite_nb.read.ragflow import add_chunks
from ragcite_nb.read.sources import source_from

_CUT = ("length", "model_length", "max_tokens", "content_filter", "error")


def is_completion(data: dict[str, Any]) -> bool:
    """A response with its choices, of chat or of the older completions."""
    choice = _choice(data)
    return "message" in choice or isinstance(choice.get("text"), str)


def is_chunk(data: dict[str, Any]) -> bool:
    """One event of a stream."""
    if fields.text(data.get("object")).endswith("chat.completion.chunk"):
        return True
    choices = fields.items(data.get("choices"))
    return any("delta" in fields.mapping(choice) for choice in choices)


def _choice(data: dict[str, Any]) -> dict[str, Any]:
    """The first choice."""
    return fields.first_alternative([data], "choices")[0]


def join(events: list[dict[str, Any]], done: bool) -> dict[str, Any]:
    """The events of a stream as one response."""
    joined: dict[str, Any] = {}
    message: dict[str, Any] = {}
    parts: dict[str, list[str]] = {}
    chunks: list[Any] = []
    finish = None
    for event, choice in zip(events, fields.first_alternative(events, "choices"), strict=True):
        for key in ("usage", "citations", "search_results", "model", "object", "error"):
            if event.get(key):
                joined[key] = event[key]
        finish = choice.get("finish_reason") or finish
        delta = fields.mapping(choice.get("delta")) or fields.mapping(choice.get("message"))
        for key in ("content", "refusal", "reasoning_content", "reasoning"):
            value = delta.get(key)
            if isinstance(value, str):
                parts.setdefault(key, []).append(value)
                if key == "content" and value:
                    chunks.append({"type": "text", "text": value})
            elif key == "content":
                chunks.extend(fields.items(value))
        for key in ("context", "reference"):
            if delta.get(key):
                message[key] = _merged(message.get(key), delta[key])
        message.setdefault("annotations", []).extend(fields.items(delta.get("annotations")))
    message |= {key: "".join(values) for key, values in parts.items()}
    if any(mistral.is_reference(chunk) or fields.mapping(chunk).get("type") == "thinking" for chunk in chunks):
        message["content"] = mistral.merge_text(chunks)
    elif chunks and "content" not in parts:
        message["content"] = chunks
    # A stream without its last event was cut, unless it says [DONE].
    finish = finish or ("stop" if done else "incomplete log")
    return joined | {"choices": [{"index": 0, "finish_reason": finish, "message": message}]}


def _merged(held: Any, new: Any) -> Any:
    return {**held, **new} if isinstance(held, dict) and isinstance(new, dict) else new


def read(data: dict[str, Any]) -> Draft:
    """Read a response."""
    choice = _choice(data)
    message = fields.mapping(choice.get("message"))
    finish = fields.name(choice.get("finish_reason"))
    usage = fields.mapping(data.get("usage"))
    draft = Draft(
        format="openai.chat",
        finish_reason=None if finish == "incomplete log" else finish,
        truncated=finish in _CUT or finish == "incomplete log",
        prompt_tokens=fields.count(usage.get("prompt_tokens")),
        output_tokens=fields.count(usage.get("completion_tokens")),
        reasoning=[fields.text(fields.first(message, "reasoning_content", "reasoning"))],
        refusal=fields.text(message.get("refusal")) or (finish if finish in ("content_filter", "error") else None),
    )
    content = message.get("content") if message else choice.get("text")
    chunks = fields.items(content)
    if chunks:
        if any(fields.mapping(c).get("type") in ("reference", "tool_reference", "thinking") for c in chunks):
            draft.format = "mistral.chat"
        mistral.read_chunks(draft, chunks)
    else:
        draft.text = fields.text(content)
    openai_annotations.add(draft, fields.items(message.get("annotations")), draft.text, 0)
    _add_sources(draft, data, message)
    return draft


def _add_sources(draft: Draft, data: dict[str, Any], message: dict[str, Any]) -> None:
    """The sources that a dialect sends along; those of annotations are there already."""
    context = fields.mapping(message.get("context"))
    documents = fields.items(fields.first(context, "citations", "all_retrieved_documents"))
    if not documents:
        for entry in map(fields.mapping, fields.items(context.get("messages"))):
            inner = _json_object(entry.get("content"))
            documents = fields.items(inner.get("citations")) if entry.get("role") == "tool" else []
            if documents:
                break
    if documents:
        draft.format = "azure.on_your_data"
        draft.book.extend(tuple(_azure_source(fields.mapping(d)) for d in documents))
        return
    if message.get("reference"):
        draft.format = "ragflow"
        add_chunks(draft.book, message["reference"])
        return
    results = [fields.mapping(r) for r in fields.items(data.get("search_results"))]
    urls = [
        url
        for url in (
            fields.name(u) or fields.name(fields.mapping(u).get("url")) for u in fields.items(data.get("citations"))
        )
        if url
    ]
    if not results and not urls:
        return
    draft.format = "xai.chat" if fields.text(data.get("model")).startswith("grok") else "perplexity.chat"
    if len(urls) > len(results):
        # [n] counts the longer list; the results tell more of those that they hold.
        by_url = {fields.name(result.get("url")): result for result in results}
        results = [by_url.get(url, {"url": url}) for url in urls]
    draft.book.extend(tuple(_web_source(result) for result in results))


def _web_source(result: dict[str, Any]) -> Source:
    return Source(
        text=fields.text(fields.first(result, "snippet", "content")) or None,
        title=fields.name(result.get("title")),
        url=fields.name(result.get("url")),
        last_updated=fields.name(fields.first(result, "last_updated", "date")),
    )


def _azure_source(document: dict[str, Any]) -> Source:
    path, chunk = fields.name(document.get("filepath")), fields.name(document.get("chunk_id"))
    source = source_from(
        {key: value for key, value in document.items() if key not in ("filepath", "chunk_id", "id")} or None
    )
    own = fields.name(document.get("id")) or "#".join(part for part in (path, chunk) if part) or None
    return replace(source, id=own)


def _json_object(value: Any) -> dict[str, Any]:
    if not isinstance(value, str):
        return fields.mapping(value)
    try:
        return fields.mapping(json.loads(value))
    except (ValueError, RecursionError):
        return {}
