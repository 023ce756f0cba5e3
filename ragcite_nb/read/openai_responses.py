"""OpenAI Responses: output items with annotated text, whole or as a stream of ``response.*`` events."""

from __future__ import annotations

from typing import Any

from ragcite_nb.models import Source
from ragcite_nb.read import fields, openai_annotations
from ragcite_nb.read.draft import Draft
from ragcite_nb.read.sources import source_from


def is_response(data: dict[str, Any]) -> bool:
    """A whole response."""
    if data.get("object") == "response":
        return True
    output = fields.items(data.get("output"))
    return bool(output) and all("type" in fields.mapping(item) for item in output)


def is_event(data: dict[str, Any]) -> bool:
    """One event of a stream."""
    return fields.text(data.get("type")).startswith("response.")


def join(events: list[dict[str, Any]], _done: bool) -> dict[str, Any]:
    """The events of a stream as one response: the object in the last event, or its pieces when the log was cut."""
    items: dict[int, dict[str, Any]] = {}
    texts: dict[tuple[int, int, str], list[str]] = {}
    whole: dict[tuple[int, int, str], str] = {}
    marks: dict[tuple[int, int], list[Any]] = {}
    started: dict[str, Any] = {}
    for event in events:
        kind = fields.text(event.get("type"))
        response = fields.mapping(event.get("response"))
        if kind in ("response.completed", "response.incomplete", "response.failed"):
            if fields.items(response.get("output")) or not texts:
                return response
            started = response
        elif response:
            started = started or response
        output = fields.int_or_none(event.get("output_index")) or 0
        content = fields.int_or_none(event.get("content_index")) or fields.int_or_none(event.get("summary_index")) or 0
        part = next(
            (p for p in ("output_text", "refusal", "reasoning_summary_text", "reasoning_text") if f".{p}." in kind), ""
        )
        if kind == "response.output_item.done":
            items[output] = fields.mapping(event.get("item"))
        elif part and kind.endswith(".delta"):
            texts.setdefault((output, content, part), []).append(fields.text(event.get("delta")))
        elif part and kind.endswith(".done"):
            whole[output, content, part] = fields.text(fields.first(event, "text", "refusal"))
        elif kind.endswith("annotation.added"):
            marks.setdefault((output, content), []).append(event.get("annotation"))
    for output, content, part in sorted({*texts, *whole}):
        if fields.items(items.get(output, {}).get("content")) and (output, content, part) not in texts:
            continue
        text = whole.get((output, content, part)) or "".join(texts.get((output, content, part), ()))
        item = items.setdefault(output, {})
        if item.get("status") == "completed" and fields.items(item.get("content")):
            continue
        item.setdefault("type", "reasoning" if part.startswith("reasoning") else "message")
        block = {"type": part, "text": text, "annotations": marks.get((output, content), [])}
        if part == "refusal":
            block["refusal"] = text
        item["content"] = [*fields.items(item.get("content")), block]
    status = fields.name(started.get("status"))
    ended = status in ("completed", "incomplete", "failed")
    output_items = [items[index] for index in sorted(items)]
    return {**started, "object": "response", "status": status if ended else "incomplete log", "output": output_items}


def read(data: dict[str, Any]) -> Draft:
    """Read a response."""
    usage = fields.mapping(data.get("usage"))
    status = fields.name(data.get("status"))
    reason = fields.name(fields.mapping(data.get("incomplete_details")).get("reason"))
    draft = Draft(
        format="openai.responses",
        finish_reason=reason or (None if status == "incomplete log" else status),
        truncated=status not in (None, "completed"),
        refusal=reason if reason == "content_filter" else None,
        prompt_tokens=fields.count(usage.get("input_tokens")),
        output_tokens=fields.count(usage.get("output_tokens")),
    )
    output = [fields.mapping(item) for item in fields.items(data.get("output"))]
    for item in output:
        _add_results(draft, item)
    parts: list[str] = []
    position = 0
    for item in output:
        kind = item.get("type")
        content = [fields.mapping(part) for part in fields.items(item.get("content"))]
        if kind == "reasoning":
            summary = [fields.mapping(part) for part in fields.items(item.get("summary"))]
            draft.reasoning.extend(fields.text(part.get("text")) for part in (*summary, *content))
            continue
        if kind != "message":
            continue
        draft.truncated |= item.get("status") == "incomplete"
        for part in content:
            if part.get("type") == "refusal":
                draft.refusal = fields.text(part.get("refusal")) or draft.refusal or "refusal"
            elif part.get("type") in ("output_text", "text"):
                text = fields.text(part.get("text"))
                openai_annotations.add(draft, fields.items(part.get("annotations")), text, position)
                parts.append(text)
                position += len(text)
    draft.text = "".join(parts)
    return draft


def _add_results(draft: Draft, item: dict[str, Any]) -> None:
    """The sources that tools returned, as far as the request asked for them to be included."""
    if item.get("type") == "file_search_call":
        for number, result in enumerate(map(fields.mapping, fields.items(item.get("results")))):
            own, title = fields.name(result.get("file_id")), fields.name(result.get("filename"))
            text = fields.text(result.get("text")) or None
            extra = {key: result[key] for key in ("score", "attributes") if result.get(key)}
            key = ("file", own) if draft.book.find(("file", own)) is None else ("file", own, id(item), number)
            draft.book.add(Source(text, id=own, title=title, metadata=extra), key)
    elif item.get("type") == "web_search_call":
        action = fields.mapping(item.get("action"))
        for result in map(fields.mapping, fields.items(action.get("sources"))):
            url = fields.name(result.get("url"))
            if url is not None:
                draft.book.add(source_from({"url": url, "title": result.get("title")}), ("url", url))
