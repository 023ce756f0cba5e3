"""LangChain: what chains return (answer and documents), messages with their annotations, and results of models."""

from __future__ import annotations

from typing import Any

from ragcite_nb.models import Source
from ragcite_nb.read import anthropic, cohere, fields, gemini, offsets, openai_annotations, structured
from ragcite_nb.read.draft import Draft, SourceBook
from ragcite_nb.read.sources import describe_sources

_ANSWERS = ("answer", "result", "output", "output_text", "response", "actual_output", "actualOutput")
_CONTEXTS = (*structured.CONTEXTS[:-1], "retrievalContext")
_CUT = ("length", "max_tokens", "model_length", "max_output_tokens", "MAX_TOKENS", "incomplete", "content_filter")
_REFUSED = ("content_filter", "refusal", "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII")


def is_message(data: dict[str, Any]) -> bool:
    """A message of a model."""
    return data.get("type") in ("ai", "AIMessage") and "content" in data


def is_chunk(data: dict[str, Any]) -> bool:
    """One chunk of a stream of messages."""
    return data.get("type") == "AIMessageChunk" and "content" in data


def join(events: list[dict[str, Any]], _done: bool) -> dict[str, Any]:
    """The chunks of a stream as one message."""
    joined: dict[str, Any] = {"type": "ai"}
    content: list[Any] = []
    for event in events:
        piece = event.get("content")
        for part in [piece] if isinstance(piece, str) else fields.items(piece):
            block = {"type": "text", "text": part} if isinstance(part, str) else fields.mapping(part)
            same = (
                content
                and content[-1].get("type") == block.get("type") == "text"
                and not content[-1].get("annotations")
            )
            if same and content[-1].get("index") == block.get("index") and not content[-1].get("citations"):
                content[-1] = {
                    **content[-1],
                    **block,
                    "text": fields.text(content[-1].get("text")) + fields.text(block.get("text")),
                }
            elif block:
                content.append(block)
        for name in ("response_metadata", "additional_kwargs", "usage_metadata"):
            joined[name] = {**joined.get(name, {}), **{k: v for k, v in fields.mapping(event.get(name)).items() if v}}
    return joined | {"content": content}


def read_message(data: dict[str, Any], book: SourceBook | None = None) -> Draft:
    """Read a message; ``book`` holds sources that came before it."""
    about = fields.mapping(data.get("response_metadata"))
    extra = fields.mapping(data.get("additional_kwargs"))
    usage = fields.mapping(data.get("usage_metadata"))
    counted = fields.mapping(fields.first(about, "token_usage", "usage"))
    reason = fields.name(fields.first(about, "finish_reason", "stop_reason", "done_reason", "stopReason"))
    reason = (
        reason
        or fields.name(fields.mapping(about.get("incomplete_details")).get("reason"))
        or fields.name(about.get("status"))
    )
    draft = Draft(
        format="langchain.message",
        finish_reason=reason,
        truncated=reason in _CUT,
        refusal=fields.text(extra.get("refusal")) or (reason if reason in _REFUSED else None),
        prompt_tokens=fields.count(fields.first({**counted, **usage}, "input_tokens", "prompt_tokens")),
        output_tokens=fields.count(fields.first({**counted, **usage}, "output_tokens", "completion_tokens")),
        reasoning=[fields.text(extra.get("reasoning_content"))],
        book=book or SourceBook(),
    )
    grounding = fields.mapping(fields.first(about, "grounding_metadata", "groundingMetadata"))
    content = data.get("content")
    pieces = _read_content(
        draft, [content] if isinstance(content, str) else fields.items(content), about, annotate=not grounding
    )
    if grounding:
        gemini.add_grounding(draft, grounding, pieces)
    provider = {**about, **extra}
    if provider.get("documents") and any(fields.mapping(c) for c in fields.items(provider.get("citations"))):
        found = cohere.read_v1(
            {"text": draft.text, "documents": provider["documents"], "citations": provider.get("citations")}
        )
        draft.book, draft.citations, draft.misplaced = found.book, found.citations, found.misplaced
    elif not len(draft.book):
        listed = fields.items(provider.get("search_results")) or fields.items(provider.get("citations"))
        pages = [{"url": page} if isinstance(page, str) else page for page in listed]
        if pages and all(fields.mapping(page).get("url") for page in pages):
            draft.book.extend(describe_sources(pages)[0] or ())
    draft.truncated |= draft.refusal is not None and reason in _REFUSED and bool(draft.text)
    return draft


def _read_content(
    draft: Draft, content: list[Any], about: dict[str, Any], *, annotate: bool
) -> list[tuple[int, int, str]]:
    """Add content blocks to the answer; returns its pieces as (index, position, text)."""
    pieces: list[tuple[int, int, str]] = []
    for index, item in enumerate(content):
        block = {"type": "text", "text": item} if isinstance(item, str) else fields.mapping(item)
        kind = block.get("type", "text" if "text" in block else None)
        if kind == "reasoning":
            summary = [fields.text(fields.mapping(part).get("text")) for part in fields.items(block.get("summary"))]
            draft.reasoning.append(fields.text(block.get("reasoning")) or "".join(summary))
        elif kind == "refusal":
            draft.refusal = fields.text(block.get("refusal")) or "refusal"
        elif kind in ("text", "output_text"):
            text, base = fields.text(block.get("text")), len(draft.text)
            anthropic.read_blocks(draft, [{**block, "type": "text"}])
            pieces.append((index, base, text))
            marks = fields.items(block.get("annotations")) if annotate else []
            openai_annotations.add(draft, marks, text, base)
            for mark in map(fields.mapping, marks):
                if mark.get("type") == "citation":
                    _cite(draft, mark, text, base, fields.text(about.get("model_provider")))
        else:
            anthropic.read_blocks(draft, [block])
    return pieces


def _cite(draft: Draft, mark: dict[str, Any], text: str, base: int, provider: str) -> None:
    """Add one standard annotation.

    Its ``cited_text`` is text of a source for some providers and a piece of the answer for others, whose offsets may
    then be bytes: text that stands in the answer is taken to fit the span, not to check a quote.
    """
    url, title = fields.name(mark.get("url")), fields.name(mark.get("title"))
    extras = fields.mapping(mark.get("extras"))
    index = fields.int_or_none(fields.first(extras, "document_index", "search_result_index"))
    own = fields.name(fields.first(extras, "file_id", "id")) or fields.name(mark.get("file_id"))
    cited = fields.text(mark.get("cited_text"))
    start, end = fields.int_or_none(mark.get("start_index")), fields.int_or_none(mark.get("end_index"))
    place = draft.book.add(
        Source(id=own, title=title, url=url), ("document", index) if index is not None else ("url", url or title or own)
    )
    known: dict[str, Any] = {
        "reference": title or url or own or "", "url": url, "title": title, "id": own, "sent_source": index,
        "payload_source": place,
    }  # fmt: skip
    of_answer = bool(cited) and (
        provider.startswith("google") or (cited in text and not provider.startswith("anthropic"))
    )
    if cited and not of_answer:
        known["quote"] = cited
    if of_answer:
        span = offsets.fit(text, cited, start, end, unit="bytes")
    elif start is None or end is None:
        span = (0, len(text))  # an annotation of the whole block
    else:
        span = offsets.fit_link(text, url or "", start, end)
    draft.cite(offsets.shifted(span, base), **known)


def is_result(data: dict[str, Any]) -> bool:
    """The result of a model, as tracing keeps it."""
    return bool(_generation(data))


def _generation(data: dict[str, Any]) -> dict[str, Any]:
    listed = fields.items(data.get("generations"))
    inner = fields.items(listed[0]) if listed else []
    return fields.mapping(inner[0] if inner else listed[0] if listed else None)


def read_result(data: dict[str, Any]) -> Draft:
    """Read the result of a model."""
    generation = _generation(data)
    message = fields.mapping(generation.get("message"))
    message = fields.mapping(message.get("kwargs")) or message
    if "content" in message:
        return read_message(message)
    about = fields.mapping(generation.get("generation_info"))
    return read_message({"content": fields.text(generation.get("text")), "response_metadata": about})


def is_chain(data: dict[str, Any]) -> bool:
    """What a chain returns: an answer beside the documents that it was given."""
    return _answer_of(data) is not None and any(_is_context(data.get(key)) for key in _CONTEXTS)


def _answer_of(data: dict[str, Any]) -> Any:
    for key in _ANSWERS:
        value = data.get(key)
        inner = fields.mapping(value)
        if isinstance(value, str) or is_message(inner) or is_chunk(inner) or structured.is_answer(inner):
            return value
    return None


def _is_context(value: Any) -> bool:
    if isinstance(value, (str, bytes)):
        return isinstance(value, str)
    return isinstance(value, (list, tuple)) or hasattr(value, "tolist")


def read_chain(data: dict[str, Any], opened: frozenset[int] = frozenset()) -> Draft:
    """Read what a chain returns."""
    answer = _answer_of(data)
    inner = fields.mapping(answer)
    draft = Draft(format="langchain.chain")
    if isinstance(answer, str):
        draft.text = answer
        listed = {"citations": data.get("citations")}
        if data.get("source_documents") and isinstance(data.get("sources"), str):
            listed["sources"] = data["sources"]  # the names that a chain "with sources" lists beside its documents
        cited = structured.unpack({"answer": answer, **listed}, opened)
    elif "content" in inner:
        draft = read_message(inner)
        draft.format, cited = "langchain.chain", None
        # The documents of the chain are the sources, those that its message mentions are among them.
        draft.book = SourceBook()
        draft.citations = [c._replace(payload_source=None) for c in draft.citations]
    else:
        cited = structured.unpack(inner, opened)
        draft.structured = True
        draft.text = cited.text if cited else ""
    if cited is not None:
        draft.citations.extend(cited.citations)
    for key in _CONTEXTS:
        value = data.get(key)
        if _is_context(value) and value is not None:
            draft.book.extend(describe_sources(value)[0] or ())
            break
    return draft
