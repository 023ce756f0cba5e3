"""The table of formats: how each is recognised and which function reads it.

The first row that recognises a payload reads it, so the more specific shapes stand first: a payload that has the
fields of two shapes is read as the one that stands higher. A new provider is one module and one row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ragcite_nb.read import (
    anthropic,
    bedrock,
    cohere,
    conversation,
    fields,
    gemini,
    haystack,
    json_answer,
    langchain,
    llama_index,
    mistral,
    ollama,
    openai_assistants,
    openai_chat,
    openai_responses,
    ragflow,
    vertex,
)

if TYPE_CHECKING:
    from ragcite_nb.read.draft import Draft


Join = Callable[[list[dict[str, Any]], bool], dict[str, Any]]
"""Puts the events of a stream together; the flag says that the stream called itself complete."""


class Format(NamedTuple):
    """One row.

    Attributes:
        name: how people call it.
        fields: the fields that tell it, for messages.
        detect: whether a whole response has this shape.
        read: reads a whole response.
        is_event: whether one event of a stream has this shape.
        join: puts events together into a whole response.
        takes_open: ``read`` also takes the ids of containers that a cut left open.
    """

    name: str
    fields: str
    detect: Callable[[dict[str, Any]], bool]
    read: Callable[..., Draft]
    is_event: Callable[[dict[str, Any]], bool] | None = None
    join: Join | None = None
    takes_open: bool = False


def never(_data: dict[str, Any]) -> bool:
    """The detector of a format that has no whole responses."""
    return False


FORMATS: tuple[Format, ...] = (
    Format(
        "OpenAI Assistants",
        "object: thread.message",
        openai_assistants.is_message,
        openai_assistants.read,
        openai_assistants.is_event,
        openai_assistants.join,
    ),
    Format(
        "OpenAI Responses",
        "object: response, output",
        openai_responses.is_response,
        openai_responses.read,
        openai_responses.is_event,
        openai_responses.join,
    ),
    Format(
        "Mistral conversations",
        "object: conversation.response, outputs",
        mistral.is_conversation,
        mistral.read_conversation,
        mistral.is_conversation_event,
        mistral.join_conversation,
    ),
    Format(
        "chat completions",
        "choices",
        openai_chat.is_completion,
        openai_chat.read,
        openai_chat.is_chunk,
        openai_chat.join,
    ),
    Format(
        "Anthropic", "type: message, content", anthropic.is_message, anthropic.read, anthropic.is_event, anthropic.join
    ),
    Format("Ollama chat", "message, done", ollama.is_chat, ollama.read_chat, ollama.is_chat, ollama.join_chat),
    Format(
        "Ollama generate",
        "response, done",
        ollama.is_generate,
        ollama.read_generate,
        ollama.is_generate,
        ollama.join_generate,
    ),
    Format("Cohere v2", "message, finish_reason", cohere.is_v2, cohere.read_v2, cohere.is_v2_event, cohere.join_v2),
    Format("Cohere v1", "text, generation_id", cohere.is_v1, cohere.read_v1, cohere.is_v1_event, cohere.join_v1),
    Format("Gemini", "candidates", gemini.is_response, gemini.read, gemini.is_response, gemini.join),
    Format("Vertex AI Search", "answer.answerText", vertex.is_answer, vertex.read, vertex.is_answer, vertex.join),
    Format(
        "Bedrock Converse",
        "output.message, stopReason",
        bedrock.is_converse,
        bedrock.read_converse,
        bedrock.is_converse_event,
        bedrock.join_converse,
    ),
    Format(
        "Bedrock RetrieveAndGenerate",
        "output.text, citations",
        bedrock.is_generated,
        bedrock.read_generated,
        bedrock.is_generated_event,
        bedrock.join_generated,
    ),
    Format("Bedrock agentic retrieval", "answer, citations.startIndex", bedrock.is_agentic, bedrock.read_agentic),
    Format("Bedrock agent", "chunk.bytes", never, bedrock.read_generated, bedrock.is_agent_event, bedrock.join_agent),
    Format("LlamaIndex", "response, source_nodes", llama_index.is_response, llama_index.read),
    Format("Haystack", "data, query, documents", haystack.is_answer, haystack.read),
    Format("RAGFlow", "data.answer, data.reference", ragflow.is_response, ragflow.read, ragflow.is_event, ragflow.join),
    Format(
        "chain",
        "answer or result, context or source_documents",
        langchain.is_chain,
        langchain.read_chain,
        takes_open=True,
    ),
    Format(
        "LangChain message",
        "type: ai, content",
        langchain.is_message,
        langchain.read_message,
        langchain.is_chunk,
        langchain.join,
    ),
    Format("LangChain result", "generations", langchain.is_result, langchain.read_result),
    Format(
        "conversation",
        "messages",
        conversation.is_conversation,
        conversation.read,
        conversation.is_message,
        conversation.join,
    ),
    Format("assistant message", "role: assistant, content", conversation.is_answer, conversation.read_answer),
    Format("rich answer", "text, citations", json_answer.is_rich, json_answer.read_rich, takes_open=True),
    Format("JSON answer", "answer, citations", json_answer.is_answer, json_answer.read, takes_open=True),
)


def unwrap(data: dict[str, Any]) -> dict[str, Any]:
    """A payload without the envelope that a client or a serializer put around it.

    >>> unwrap({"lc": 1, "type": "constructor", "id": ["AIMessage"], "kwargs": {"content": "30 days"}})["content"]
    '30 days'
    """
    if data.get("lc") == 1 and "kwargs" in data:
        path = fields.items(data.get("id"))
        kind = _LC_TYPES.get(fields.text(path[-1]) if path else "", "constructor")
        return {"type": kind, **fields.mapping(data["kwargs"])}
    inner = fields.mapping(data.get("data"))
    if inner and set(data) <= {"data", "event", "id", "retry"} and not ragflow.is_response(data):
        return inner
    return data


_LC_TYPES = {"AIMessage": "ai", "AIMessageChunk": "AIMessageChunk", "HumanMessage": "human", "ToolMessage": "tool"}
