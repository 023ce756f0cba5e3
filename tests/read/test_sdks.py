"""Real objects of the SDKs are read like their JSON, without our importing any of them.

Each test is skipped where its SDK is not installed: ``pip install openai anthropic ollama cohere google-genai mistralai
langchain-core llama-index-core haystack-ai`` and ``pytest -m sdk``.
"""

import importlib
import importlib.metadata
import json
import warnings

import pytest
from read_fixtures import CASES, FAQ, PAYLOADS, POLICY

from ragcite_nb.read import describe_sources, read_answer

pytestmark = [pytest.mark.sdk, pytest.mark.filterwarnings("ignore")]
BY_ID = {case["id"]: case["input"] for case in CASES}


def sdk(module, package=None):
    """The module of an SDK, or a skip that says what is missing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(module)
    except ImportError as error:
        pytest.skip(f"{package or module.split('.')[0]} is not installed: {error}")


def same(built, plain):
    """Reading an object gives what reading its JSON gives."""
    assert read_answer(built) == read_answer(plain)


@pytest.mark.parametrize(
    "name",
    [
        "openai_chat",
        "openai_chat_content_filter",
        "azure_on_your_data",
        "deepseek_reasoning_content",
        "vllm_reasoning",
        "think_inline",
    ],
)
def test_openai_chat(name):
    same(sdk("openai.types.chat", "openai").ChatCompletion.model_validate(BY_ID[name]), BY_ID[name])


def test_openai_chat_annotations():
    payload = {**PAYLOADS["openai annotations"][0], "created": 1}
    same(sdk("openai.types.chat", "openai").ChatCompletion.construct(**payload), payload)


def test_openai_stream():
    chunk = sdk("openai.types.chat", "openai").ChatCompletionChunk
    events = [json.loads(line[6:]) for line in BY_ID["openai_chat_stream"].splitlines() if line.startswith("data: {")]
    same([chunk.model_validate(event) for event in events], BY_ID["openai_chat_stream"])


def test_openai_responses():
    payload = BY_ID["openai_responses_url_citation"]
    same(sdk("openai.types.responses", "openai").Response.model_validate(payload), payload)


def test_openai_responses_stream():
    types = sdk("openai.types.responses", "openai")
    events = [
        json.loads(line[6:]) for line in BY_ID["openai_responses_stream"].splitlines() if line.startswith("data: {")
    ]
    models = {"response.created": types.ResponseCreatedEvent, "response.output_text.delta": types.ResponseTextDeltaEvent,
              "response.output_text.annotation.added": types.ResponseOutputTextAnnotationAddedEvent,
              "response.output_text.done": types.ResponseTextDoneEvent, "response.completed": types.ResponseCompletedEvent}  # fmt: skip
    same([models[e["type"]].model_validate(e) for e in events], BY_ID["openai_responses_stream"])
    cut = [models[e["type"]].model_validate(e) for e in events if e["type"] != "response.completed"]
    assert read_answer(cut).text == read_answer(BY_ID["openai_responses_stream"]).text
    assert read_answer(cut).truncated


def test_openai_assistants():
    payload = BY_ID["openai_assistants_message"]
    same(sdk("openai.types.beta.threads", "openai").Message.model_validate(payload), payload)


@pytest.mark.parametrize(
    "name", [name for name in BY_ID if name.startswith("anthropic") and name != "anthropic_stream"]
)
def test_anthropic(name):
    same(sdk("anthropic.types", "anthropic").Message.model_validate(BY_ID[name]), BY_ID[name])


def test_anthropic_stream():
    types = sdk("anthropic.types", "anthropic")
    from pydantic import TypeAdapter

    adapter = TypeAdapter(types.RawMessageStreamEvent)
    events = [json.loads(line[6:]) for line in BY_ID["anthropic_stream"].splitlines() if line.startswith("data: {")]
    same([adapter.validate_python(event) for event in events], BY_ID["anthropic_stream"])


@pytest.mark.parametrize("name", ["ollama_chat", "ollama_chat_structured", "ollama_chat_structured_truncated"])
def test_ollama(name):
    same(sdk("ollama").ChatResponse.model_validate(BY_ID[name]), BY_ID[name])


def test_ollama_streams():
    ollama = sdk("ollama")
    chat = [json.loads(line) for line in BY_ID["ollama_chat_stream_truncated"].splitlines()]
    same([ollama.ChatResponse.model_validate(event) for event in chat], BY_ID["ollama_chat_stream_truncated"])
    generate = [json.loads(line) for line in BY_ID["ollama_generate_stream"].splitlines()]
    same([ollama.GenerateResponse.model_validate(event) for event in generate], BY_ID["ollama_generate_stream"])


def test_cohere():
    cohere = sdk("cohere")
    same(cohere.V2ChatResponse.model_validate(BY_ID["cohere_v2_chat"]), BY_ID["cohere_v2_chat"])
    same(cohere.NonStreamedChatResponse.model_validate(BY_ID["cohere_v1_chat"]), BY_ID["cohere_v1_chat"])


@pytest.mark.parametrize("name", ["gemini_google_search", "gemini_blocked"])
def test_gemini(name):
    same(sdk("google.genai.types", "google-genai").GenerateContentResponse.model_validate(BY_ID[name]), BY_ID[name])


def test_gemini_stream():
    model = sdk("google.genai.types", "google-genai").GenerateContentResponse
    events = [json.loads(line[6:]) for line in BY_ID["gemini_stream"].splitlines() if line.startswith("data: {")]
    same([model.model_validate(event) for event in events], BY_ID["gemini_stream"])


def mistral_models():
    try:
        return importlib.import_module("mistralai.client.models")
    except ImportError:
        return sdk("mistralai.models", "mistralai")


def test_mistral():
    models = mistral_models()
    payload = {
        **PAYLOADS["mistral references"][0],
        "created": 1,
        "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
    }
    payload["choices"][0]["message"]["role"] = "assistant"
    same(models.ChatCompletionResponse.model_validate(payload), payload)
    payload = BY_ID["mistral_conversations_tool_reference"]
    same(models.ConversationResponse.model_validate(payload), payload)


def test_langchain():
    messages = sdk("langchain_core.messages", "langchain-core")
    documents = sdk("langchain_core.documents", "langchain-core")
    payload = BY_ID["langchain_aimessage_content_blocks"]
    same(messages.AIMessage(**{key: value for key, value in payload.items() if key != "type"}), payload)
    document = documents.Document(page_content=POLICY, metadata={"source": "policy.md", "page": 3})
    chain = {"input": "q", "context": [document], "answer": messages.AIMessage("30 days [1].")}
    answer = read_answer(chain)
    assert (answer.format, answer.text) == ("langchain.chain", "30 days [1].")
    assert (answer.sources[0].text, answer.sources[0].title, answer.sources[0].page) == (POLICY, "policy.md", 3)
    found, how = describe_sources([document, documents.Document(page_content=FAQ)])
    assert ([s.text for s in found], how) == ([POLICY, FAQ], "objects")
    talk = [
        messages.HumanMessage("q"),
        messages.ToolMessage(POLICY, tool_call_id="t"),
        messages.AIMessage("30 days [1]."),
    ]
    assert [s.text for s in read_answer({"messages": talk}).sources] == [POLICY]
    assert read_answer(talk).text == "30 days [1]."
    chunks = [
        messages.AIMessageChunk("30 "),
        messages.AIMessageChunk("days.", response_metadata={"finish_reason": "length"}),
    ]
    assert (read_answer(chunks).text, read_answer(chunks).truncated) == ("30 days.", True)
    dumped = sdk("langchain_core.load", "langchain-core").dumpd(talk[-1])
    assert read_answer(dumped).text == "30 days [1]."


def test_langchain_translates_annotations():
    """What LangChain's own translators make of the responses of providers."""
    messages = sdk("langchain_core.messages", "langchain-core")
    content = [{"type": "text", "text": "30 days", "citations": [{"type": "char_location", "cited_text": POLICY, "document_index": 0,
                "document_title": "P", "start_char_index": 0, "end_char_index": 49}]}]  # fmt: skip
    message = messages.AIMessage(content, response_metadata={"model_provider": "anthropic", "stop_reason": "end_turn"})
    assert read_answer(message).citations[0].quote == POLICY
    standard = {"type": "ai", "content": message.content_blocks, "response_metadata": message.response_metadata}
    assert read_answer(standard).citations[0].quote == POLICY
    grounding = {"grounding_chunks": [{"web": {"uri": "https://r.example", "title": "r"}}],
                 "grounding_supports": [{"segment": {"start_index": 5, "end_index": 13, "text": "Café ok."}, "grounding_chunk_indices": [0]}]}  # fmt: skip
    message = messages.AIMessage(
        "🎒 Café ok.", response_metadata={"model_provider": "google_genai", "grounding_metadata": grounding}
    )
    for payload in (message, {"type": "ai", "content": message.content_blocks}):
        citation = read_answer(payload).citations[0]
        assert (citation.start, citation.end, citation.quote) == (2, 10, None)


def test_llama_index():
    schema = sdk("llama_index.core.schema", "llama-index-core")
    response = sdk("llama_index.core.base.response.schema", "llama-index-core")
    node = schema.TextNode(
        id_="n1", text="Source 1:\n" + POLICY, metadata={"file_name": "policy.md", "page_label": "3"}
    )
    built = response.Response(
        response="30 days [1].", source_nodes=[schema.NodeWithScore(node=node, score=0.8)], metadata={}
    )
    answer = read_answer(built)
    assert (answer.format, answer.text) == ("llama_index", "30 days [1].")
    source = answer.sources[0]
    assert (source.text, source.id, source.title, source.page) == ("Source 1:\n" + POLICY, "n1", "policy.md", 3)
    assert source.metadata["score"] == 0.8
    found, _ = describe_sources([schema.NodeWithScore(node=node, score=0.8), schema.Document(text=FAQ)])
    assert [s.text for s in found] == ["Source 1:\n" + POLICY, FAQ]


def test_haystack():
    dataclasses = sdk("haystack.dataclasses", "haystack-ai")
    documents = [dataclasses.Document(content=POLICY, meta={"source_index": 2, "file_path": "policy.md"}, score=0.4)]
    built = dataclasses.GeneratedAnswer(
        data="30 days [2].", query="q", documents=documents, meta={"finish_reason": "length"}
    )
    for payload in (built, built.to_dict(), {"answer_builder": {"answers": [built]}}):
        answer = read_answer(payload)
        assert (answer.format, answer.text, answer.truncated) == ("haystack", "30 days [2].", True)
        assert (answer.sources[0].text, answer.sources[0].id) == (POLICY, 2)
    talk = [dataclasses.ChatMessage.from_user("q"), dataclasses.ChatMessage.from_assistant("30 days [1].")]
    for payload in (talk, {"messages": talk}, [message.to_dict() for message in talk]):
        assert read_answer(payload).text == "30 days [1]."
    assert [s.text for s in describe_sources(documents)[0]] == [POLICY]


def test_versions(record_property):
    """Which versions were tried, in the report of the run."""
    for package in (
        "openai",
        "anthropic",
        "ollama",
        "cohere",
        "google-genai",
        "mistralai",
        "langchain-core",
        "llama-index-core",
        "haystack-ai",
    ):
        try:
            record_property(package, importlib.metadata.version(package))
        except importlib.metadata.PackageNotFoundError:
            record_property(package, "not installed")
