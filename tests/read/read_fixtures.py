"""Payloads of every format that is read, with what reading them gives.

``CASES`` and ``FRAMES`` come from ``tests/cases``; ``PAYLOADS`` are further variants: name → (payload, expected fields of the
Answer). In an expectation, ``sources`` lists texts and ``cites`` lists, for each citation, only the fields that matter.
"""

import json
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent / "cases"


def lines(name):
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines() if line.strip()]


CASES = lines("formats.jsonl")
FRAMES = lines("frames.jsonl")

POLICY = "Items may be returned within 30 days of delivery."
FAQ = "Refunds are paid within 5 working days."
BAG = "🎒 Café gear: 30 days. Refunds: 5 days."


def sse(*events, done=False, names=False):
    """A stream as server-sent events."""
    log = "".join((f"event: {e.get('type')}\n" if names else "") + f"data: {json.dumps(e)}\n\n" for e in events)
    return log + ("data: [DONE]\n\n" if done else "")


def ndjson(*events):
    return "".join(json.dumps(e) + "\n" for e in events)


def chat(message, finish="stop", **more):
    return {"id": "1", "object": "chat.completion", "model": "m", "choices": [{"index": 0, "finish_reason": finish, "message": message}],
            "usage": {"prompt_tokens": 7, "completion_tokens": 3}, **more}  # fmt: skip


def delta(content=None, finish=None, **more):
    fields = {k: v for k, v in {"content": content, **more}.items() if v is not None}
    return {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


def choice(index, content, finish=None):
    """One event of a stream of several answers."""
    return {"choices": [{"index": index, "delta": {"content": content}, "finish_reason": finish}]}


def response(*output, status="completed", **more):
    return {
        "id": "r",
        "object": "response",
        "status": status,
        "output": list(output),
        "usage": {"input_tokens": 5, "output_tokens": 2},
        **more,
    }


def output_text(text, *annotations):
    return {"type": "message", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": list(annotations)}]}  # fmt: skip


def anthropic(*content, stop="end_turn", **more):
    return {"id": "m", "type": "message", "role": "assistant", "model": "c", "content": list(content), "stop_reason": stop,
            "usage": {"input_tokens": 10, "output_tokens": 4, "cache_read_input_tokens": 90}, **more}  # fmt: skip


def gemini(text, finish="STOP", supports=(), chunks=(), **more):
    return {"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": finish,
                            "groundingMetadata": {"groundingSupports": list(supports), "groundingChunks": list(chunks)}}], **more}  # fmt: skip


SEARCH_RESULT = {
    "type": "search_result",
    "source": "https://shop.example/faq",
    "title": "FAQ",
    "content": [{"type": "text", "text": FAQ}],
}
NODE = {
    "node": {"id_": "n1", "metadata": {"file_name": "policy.md", "page_label": "3"}, "text": "Source 1:\n" + POLICY},
    "score": 0.8,
}
MCQ = {"answer": "30 days.", "citations": [{"source": 1, "quote": "within 30 days"}]}
KB = {"content": {"text": POLICY}, "location": {"type": "S3", "s3Location": {"uri": "s3://kb/policy.md"}},
      "metadata": {"x-amz-bedrock-kb-document-page-number": 3.0}}  # fmt: skip
KB_WEB = {"content": {"text": FAQ}, "location": {"type": "WEB", "webLocation": {"url": "https://shop.example/faq"}}}


def generated(text, start, end, *references):
    return {
        "generatedResponsePart": {"textResponsePart": {"text": text, "span": {"start": start, "end": end}}},
        "retrievedReferences": list(references),
    }


PAYLOADS = {
    # --- text and JSON that a model wrote
    "plain text": ("Dogs are free [2].", {"text": "Dogs are free [2].", "format": "text", "sources": None}),
    "brackets": ("[1] says 30 days.", {"text": "[1] says 30 days."}),
    "braces": ("{not JSON} at all", {"text": "{not JSON} at all"}),
    "broken JSON": ('{"answer" "30 days"}', {"text": '{"answer" "30 days"}', "structured": False}),
    "array of numbers": ("[1, 2]", {"text": "[1, 2]", "format": "text"}),
    "printed array as an answer": ("['a' 'b']", {"text": "['a' 'b']"}),
    "stream that only ends": (": ping\n\ndata: [DONE]\n\n", {"text": "", "truncated": False, "sources": None}),
    "stream that only ends, without a blank line": ("data: [DONE]", {"text": ""}),
    "the end of a stream in prose": ("data: [DONE] ends it.\n", {"text": "data: [DONE] ends it.\n"}),
    "colon": (": 30 days", {"text": ": 30 days"}),
    "data in prose": ("data: 30 days\n\nMore.", {"text": "data: 30 days\n\nMore."}),
    "bytes": ("Café [1].".encode(), {"text": "Café [1]."}),
    "json text": (json.dumps(MCQ), {"text": "30 days.", "format": "json", "structured": True,
        "cites": [{"reference": "1", "quote": "within 30 days", "origin": "structured", "start": None, "complete": True}]}),
    "json dict": (MCQ, {"text": "30 days.", "format": "json", "cites": [{"reference": "1"}]}),
    "json python repr": (repr(MCQ), {"text": "30 days.", "format": "json", "cites": [{"quote": "within 30 days"}]}),
    "json fenced": ("```json\n" + json.dumps(MCQ) + "\n```", {"text": "30 days.", "structured": True, "cites": [{"reference": "1"}]}),
    "json fenced, with prose": ("Here it is:\n```json\n" + json.dumps(MCQ) + "\n```\nBye", {"text": "30 days.", "cites": [{"reference": "1"}]}),
    "code in a fence is text": ('Use:\n```json\n{"a": 1}\n```', {"text": 'Use:\n```json\n{"a": 1}\n```', "structured": False}),
    "json shown in a long answer": ("The service returns this shape. " * 8 + "\n```json\n" + json.dumps(MCQ) + "\n```", {"structured": False, "cites": []}),
    "json before a long answer": (json.dumps(MCQ) + "\n" + "The real answer follows. " * 20, {"structured": False, "format": "text"}),
    "json with a closing remark": (json.dumps(MCQ) + "\nHope this helps!", {"text": "30 days.", "cites": [{"reference": "1"}]}),
    "json cut in a quote": (json.dumps(MCQ)[:-8], {"text": "30 days.", "truncated": True,
        "cites": [{"reference": "1", "quote": "within 30 ", "complete": False}]}),
    "json cut in the answer": ('{"answer": "Items can be ret', {"text": "Items can be ret", "truncated": True}),
    "json cut after a whole citation": ('{"answer": "A.", "citations": [{"source": 1, "quote": "x y"}, {"sou', {"text": "A.", "truncated": True,
        "cites": [{"reference": "1", "quote": "x y", "complete": True}]}),
    "json numbers": ({"answer": "A.", "citations": [1, 4]}, {"cites": [{"reference": "1"}, {"reference": "4"}]}),
    "json names": ({"answer": "A.", "citations": ["faq.md"]}, {"cites": [{"reference": "faq.md", "quote": None}]}),
    "json title and page": ({"answer": "A.", "citations": [{"title": "FAQ", "page": 3, "quote": "q"}]},
        {"cites": [{"reference": "FAQ", "locator": "p. 3", "quote": "q"}]}),
    "json list in a string": ({"evidences": '["Dogs travel free", "Bicycles cost 4"]'},
        {"text": "", "cites": [{"quote": "Dogs travel free"}, {"quote": "Bicycles cost 4"}]}),
    "json with sources": ({"answer": "A [1].", "sources": [{"title": "P", "text": POLICY}]}, {"text": "A [1].", "sources": [POLICY], "cites": []}),
    "json keys of another schema": ({"reply": "A.", "citations": [{"source": 2, "quote": "q"}]}, {"text": "A.", "cites": [{"reference": "2", "quote": "q"}]}),
    "json record in content": ({"message": {"content": '{"result": "positive", "score": 3}'}, "done": True}, {"structured": False, "text": '{"result": "positive", "score": 3}'}),
    "json answer alone in content": ({"message": {"content": '{"answer": "A [1]."}'}, "done": True}, {"structured": True, "text": "A [1]."}),
    "json raw line break": ('{"answer": "one\ntwo", "citations": []}', {"text": "one\ntwo"}),
    "rich": ({"text": "30 days [c1].", "citations": [{"id": "c1", "text": "within 30 days", "source": "Policy"}]},
        {"format": "rich", "text": "30 days [c1].", "cites": [{"reference": "Policy", "quote": "within 30 days", "start": 8, "end": 12}]}),
    "rich without source": ({"text": "30 days [1].", "citations": [{"id": 1, "text": "within 30 days"}]},
        {"format": "rich", "cites": [{"reference": "1", "quote": "within 30 days", "start": None}]}),
    "rich source object": ({"text": "30 days.", "citations": [{"id": "a", "text": "30", "source": {"title": "FAQ", "url": "https://x.example"}}]},
        {"cites": [{"reference": "FAQ", "url": "https://x.example"}]}),
    "json written twice": (json.dumps(json.dumps(MCQ)), {"text": "30 days.", "format": "json", "cites": [{"reference": "1", "quote": "within 30 days"}]}),
    "json written three times": (json.dumps(json.dumps(json.dumps(chat({"content": "30 days [1]."})))), {"text": "30 days [1].", "format": "openai.chat"}),
    "json written twice, indented": ("\ufeff" + json.dumps("\n" + json.dumps([{"role": "assistant", "content": "30 days."}], indent=1)), {"text": "30 days.", "format": "conversation"}),
    "json written twice in content": (chat({"content": json.dumps(json.dumps(MCQ))}), {"text": "30 days.", "structured": True, "cites": [{"reference": "1"}]}),
    "a text in quotation marks": ('"30 days [1]."', {"text": '"30 days [1]."', "format": "text"}),
    "a marker in quotation marks": ('"[1] says 30 days."', {"text": '"[1] says 30 days."', "format": "text"}),
    "a printed array in quotation marks": (chat({"content": '"[\'a\' \'b\']"'}), {"text": '"[\'a\' \'b\']"', "structured": False}),
    "a quotation before fenced json": ('"30 days" it is:\n```json\n' + json.dumps(MCQ) + "\n```", {"text": "30 days.", "structured": True}),
    # --- reasoning
    "think": ("<think>Maybe [3].</think>\nDogs are free [2].", {"text": "Dogs are free [2].", "reasoning": "Maybe [3]."}),
    "think unclosed": ("<think>Maybe [3]", {"text": "", "reasoning": "Maybe [3]", "truncated": True}),
    "think lone close": ("Maybe [3].</think>Dogs [2].", {"text": "Dogs [2].", "reasoning": "Maybe [3]."}),
    "think twice": ("<think>a</think>One [1]. <think>b</think>Two [2].", {"text": "One [1]. Two [2].", "reasoning": "a\nb"}),
    "think in code": ("Write `<think>` first.", {"text": "Write `<think>` first.", "reasoning": None, "truncated": False}),
    "think in a fence": ("Use:\n```\n<think>x</think>\n```\nOk.", {"text": "Use:\n```\n<think>x</think>\n```\nOk.", "reasoning": None}),
    "think and response": ("<think>a</think>\n<response>Dogs [2].</response>", {"text": "Dogs [2].", "reasoning": "a"}),
    "think mistral": ("[THINK]a[/THINK]Dogs.", {"text": "Dogs.", "reasoning": "a"}),
    "think and json": ("<think>a</think>" + json.dumps(MCQ), {"text": "30 days.", "reasoning": "a", "structured": True}),
    "gpt-oss": ("<|channel|>analysis<|message|>hm [3]<|end|><|start|>assistant<|channel|>final<|message|>Dogs [2].<|return|>",
        {"text": "Dogs [2].", "reasoning": "hm [3]"}),
    "html is no reasoning": ("a < b and <b>c</b>", {"text": "a < b and <b>c</b>", "reasoning": None}),
    # --- grounded texts
    "command-r": ("Relevant Documents: 0,1\nCited Documents: 0\nAnswer: 30 days.\nGrounded answer: Returns take <co: 0>30 days</co: 0>.",
        {"text": "Returns take <co: 0>30 days</co: 0>."}),
    "granite": ('Returns take 30 days<|start_of_cite|>{"document_id": "1"}<|end_of_cite|>.\n\n{"id": "citation"}\n1: "within 30 days"\n\n{"id": "hallucination"}\n1. Risk low: x',
        {"text": 'Returns take 30 days<|start_of_cite|>{"document_id": "1"}<|end_of_cite|>.',
         "cites": [{"reference": "1", "quote": "within 30 days", "start": 20, "end": 72}]}),
    "cited_answer": ("<cited_answer><answer>30 days.</answer><citations><citation><source_id>0</source_id><quote>within 30 days</quote></citation></citations></cited_answer>",
        {"text": "30 days.", "structured": True, "cites": [{"sent_source": 0, "quote": "within 30 days", "complete": True}]}),
    "cited_answer cut": ("<cited_answer><answer>30 days.</answer><citations><citation><source_id>0</source_id><quote>within",
        {"text": "30 days.", "truncated": True, "cites": [{"quote": "within", "complete": False}]}),
    # --- Ollama
    "ollama length": ({"model": "m", "message": {"role": "assistant", "content": "Dogs are fr"}, "done": True, "done_reason": "length", "prompt_eval_count": 9},
        {"format": "ollama.chat", "truncated": True, "prompt_tokens": 9, "finish_reason": "length"}),
    "ollama load": ({"model": "m", "message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "load"}, {"text": "", "truncated": False}),
    "ollama stream without its end": (ndjson({"message": {"content": "Dogs "}, "done": False}, {"message": {"content": "are"}, "done": False}),
        {"text": "Dogs are", "truncated": True}),
    "ollama stream cut in a line": (ndjson({"message": {"content": "Dogs "}, "done": False})[:-1] + '\n{"message": {"content": "are fr', {"text": "Dogs are fr", "truncated": True}),
    "ollama events": ([{"message": {"content": "A"}, "done": False}, {"message": {"content": "B"}, "done": True, "done_reason": "stop"}], {"text": "AB", "truncated": False}),
    "ollama generate": ({"response": "30 days.", "done": True, "done_reason": "stop", "thinking": "hm", "context": [1]}, {"format": "ollama.generate", "text": "30 days.", "reasoning": "hm"}),
    "ollama split emoji": (ndjson({"message": {"content": "\ud83c"}, "done": False}, {"message": {"content": "\udf92 bag"}, "done": True}), {"text": "🎒 bag"}),
    "ollama rich content": ({"message": {"content": json.dumps({"text": "A [1].", "citations": [{"id": 1, "text": "q"}]})}, "done": True},
        {"format": "ollama.chat", "structured": True, "text": "A [1].", "cites": [{"quote": "q"}]}),
    "ollama other JSON": ({"message": {"content": '{"price": 3}'}, "done": True}, {"text": '{"price": 3}', "structured": False}),
    # --- OpenAI chat and its dialects
    "openai annotations": (chat({"role": "assistant", "content": "30 days (x).", "annotations": [{"type": "url_citation", "url_citation": {"start_index": 8, "end_index": 11, "title": "P", "url": "https://p.example"}}]}),
        {"format": "openai.chat", "sources": [None], "cites": [{"start": 8, "end": 11, "url": "https://p.example", "payload_source": 0}]}),
    "openai annotation outside": (chat({"content": "30 days.", "annotations": [{"type": "url_citation", "url_citation": {"start_index": 80, "end_index": 90, "url": "https://p.example"}}]}),
        {"misplaced": 1, "cites": [{"start": None, "end": None, "url": "https://p.example"}]}),
    "openai utf-16 annotation": (chat({"content": "🎒🎒 ok ([p](https://p.example)).", "annotations": [{"type": "url_citation", "url_citation": {"start_index": 8, "end_index": 32, "url": "https://p.example"}}]}),
        {"cites": [{"start": 6, "end": 30}]}),
    "openai refusal": (chat({"content": None, "refusal": "I can't help with that."}), {"text": "", "refusal": "I can't help with that.", "truncated": False}),
    "openai null content": (chat({"content": None, "tool_calls": []}, "tool_calls"), {"text": ""}),
    "openai second choice first": ({"choices": [{"index": 1, "message": {"content": "B"}}, {"index": 0, "message": {"content": "A"}}]}, {"text": "A"}),
    "openai completions": ({"object": "text_completion", "choices": [{"index": 0, "text": "30 days.", "finish_reason": "length"}]}, {"text": "30 days.", "truncated": True}),
    "openai stream of two choices": ([choice(1, "B two"), choice(0, "A one"), choice(1, " [2].", "length"), choice(0, " [1].", "stop"), choice(1, " B.")], {"text": "A one [1].", "truncated": False, "finish_reason": "stop"}),
    "openai stream of two choices in one": (sse({"choices": [*choice(1, "B")["choices"], *choice(0, "A")["choices"]]}, choice(1, "B"), done=True), {"text": "A", "truncated": False}),
    "openai stream of the second choice": ([choice(1, "B "), choice(1, "two.", "stop")], {"text": "B two."}),
    "openai stream cut": (sse(delta("Dogs "), delta("are")), {"text": "Dogs are", "truncated": True, "finish_reason": None}),
    "openai stream [DONE]": (sse(delta("Dogs "), delta("are."), done=True), {"text": "Dogs are.", "truncated": False}),
    "openai stream refusal": (sse(delta(refusal="I can't"), delta(refusal=" help."), delta(finish="stop"), done=True), {"text": "", "refusal": "I can't help."}),
    "openai stream comments": (": ping\r\n\r\n" + sse(delta("Hi.", "stop"), done=True).replace("\n", "\r\n"), {"text": "Hi.", "truncated": False}),
    "openai stream without blank lines": (sse(delta("Hi."), delta(" Ho.", "stop"), done=True).replace("\n\n", "\n"), {"text": "Hi. Ho.", "truncated": False}),
    "openai one chunk": (delta("Hi."), {"text": "Hi.", "truncated": True}),
    "deepseek stream": (sse(delta(reasoning_content="hm "), delta(reasoning_content="[4]"), delta("Dogs.", "stop")), {"text": "Dogs.", "reasoning": "hm [4]"}),
    "vllm stream": ([delta(reasoning="hm [4]"), delta("Dogs."), delta(finish="length")], {"text": "Dogs.", "reasoning": "hm [4]", "truncated": True}),
    "openai structured": (chat({"content": json.dumps(MCQ)}), {"format": "openai.chat", "structured": True, "text": "30 days."}),
    "perplexity": (chat({"content": "30 days [1]."}, search_results=[{"title": "P", "url": "https://p.example", "snippet": POLICY, "date": "2026-01-02"}], citations=["https://p.example"]),
        {"format": "perplexity.chat", "sources": [POLICY]}),
    "perplexity old": (chat({"content": "30 days [2]."}, citations=["https://p.example", "https://q.example"]), {"format": "perplexity.chat", "sources": [None, None]}),
    "perplexity longer citations": (chat({"content": "30 days [2]."}, citations=["https://p.example", "https://q.example"], search_results=[{"url": "https://q.example", "snippet": FAQ}]),
        {"sources": [None, FAQ]}),
    "perplexity stream": (sse({**delta("30 "), "search_results": [{"title": "P", "url": "https://p.example"}]}, {**delta("days [1].", "stop"), "search_results": [{"title": "P", "url": "https://p.example", "snippet": POLICY}]}),
        {"text": "30 days [1].", "sources": [POLICY], "format": "perplexity.chat"}),
    "xai": ({**chat({"content": "30 days[[1]](https://p.example)."}, citations=["https://p.example"]), "model": "grok-4"}, {"format": "xai.chat", "sources": [None]}),
    "groq": (chat({"content": "30 days.", "annotations": [{"type": "document_citation", "document_citation": {"document_id": "policy", "start_index": 0, "end_index": 7}}]}),
        {"cites": [{"id": "policy", "start": 0, "end": 7}]}),
    "azure filtered": ({"error": {"message": "The response was filtered", "code": "content_filter"}}, {"error": "filtered"}),
    "mistral references": (chat({"content": [{"type": "text", "text": "Paris is the capital"}, {"type": "reference", "reference_ids": [0]}, {"type": "text", "text": ". It has 2 million people"}, {"type": "reference", "reference_ids": [1, "faq"]}, {"type": "text", "text": "."}]}),
        {"format": "mistral.chat", "text": "Paris is the capital. It has 2 million people.", "cites": [
            {"start": 0, "end": 20, "sent_source": 0, "id": "0"}, {"start": 22, "end": 45, "sent_source": 1}, {"start": 22, "end": 45, "id": "faq"}]}),
    "mistral conversation, reference first": ({"outputs": [{"type": "message.output", "content": "One."}, {"type": "message.output", "content": [{"type": "tool_reference", "title": "P", "url": "https://p.example"}]}]},
        {"text": "One.", "cites": [{"start": 4, "end": 4}]}),
    "serialised with an odd id": ({"lc": 1, "id": 3, "type": "constructor", "kwargs": {"content": "30 days.", "type": "ai"}}, {"text": "30 days."}),
    "mistral thinking": (chat({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm [4]"}]}, {"type": "text", "text": "Dogs."}]}), {"text": "Dogs.", "reasoning": "hm [4]"}),
    "mistral model length": (chat({"content": "Dogs are"}, "model_length"), {"truncated": True}),
    "mistral error": (chat({"content": "Dogs are"}, "error"), {"refusal": "error"}),
    "mistral stream": ([{"data": delta("Paris is ")}, {"data": delta([{"type": "text", "text": "the capital"}])}, {"data": delta([{"type": "reference", "reference_ids": [0]}])}, {"data": delta(".", "stop")}],
        {"format": "mistral.chat", "text": "Paris is the capital.", "cites": [{"start": 0, "end": 20, "sent_source": 0}]}),
    "mistral conversation string": ({"object": "conversation.response", "outputs": [{"type": "message.output", "content": "30 days."}], "usage": {"prompt_tokens": 1, "completion_tokens": 2}},
        {"format": "mistral.conversations", "text": "30 days.", "output_tokens": 2}),
    "mistral conversation stream": (sse({"type": "conversation.response.started"}, {"type": "message.output.delta", "content": "30 "}, {"type": "message.output.delta", "content": {"type": "text", "text": "days"}},
            {"type": "message.output.delta", "content": {"type": "tool_reference", "title": "P", "url": "https://p.example"}}, {"type": "conversation.response.done", "usage": {"prompt_tokens": 3}}),
        {"text": "30 days", "truncated": False, "prompt_tokens": 3, "cites": [{"start": 0, "end": 7, "url": "https://p.example"}]}),
    # --- OpenAI Responses and Assistants
    "responses file search": (response({"type": "file_search_call", "results": [{"file_id": "f1", "filename": "policy.md", "text": POLICY, "score": 0.9}]}, output_text("30 days.", {"type": "file_citation", "index": 7, "file_id": "f1", "filename": "policy.md"})),
        {"format": "openai.responses", "sources": [POLICY], "cites": [{"start": 7, "end": 7, "id": "f1", "payload_source": 0}]}),
    "responses two parts": (response({"type": "message", "content": [{"type": "output_text", "text": "One. ", "annotations": []}, {"type": "output_text", "text": "Two.", "annotations": [{"type": "url_citation", "start_index": 0, "end_index": 4, "url": "https://p.example", "title": "P"}]}]}),
        {"text": "One. Two.", "cites": [{"start": 5, "end": 9}]}),
    "responses index outside": (response(output_text("30 days.", {"type": "file_citation", "index": 99, "file_id": "f1"})), {"misplaced": 1, "cites": [{"start": None, "id": "f1"}]}),
    "responses container file": (response(output_text("30 days.", {"type": "container_file_citation", "start_index": 0, "end_index": 7, "container_id": "c", "file_id": "f", "filename": "a.csv"}, {"type": "file_path", "file_id": "g", "index": 1})),
        {"cites": [{"start": 0, "end": 7, "id": "f", "title": "a.csv"}]}),
    "responses incomplete": (response(output_text("30 da"), status="incomplete", incomplete_details={"reason": "max_output_tokens"}), {"truncated": True, "finish_reason": "max_output_tokens", "refusal": None}),
    "responses filtered": (response(output_text("30 da"), status="incomplete", incomplete_details={"reason": "content_filter"}), {"truncated": True, "refusal": "content_filter"}),
    "responses refusal": (response({"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}), {"text": "", "refusal": "No.", "truncated": False}),
    "responses reasoning": (response({"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]}, output_text("A.")), {"text": "A.", "reasoning": "hm"}),
    "responses failed": (response(status="failed"), {"text": "", "truncated": True}),
    "responses stream cut": (sse({"type": "response.created", "response": {"object": "response", "status": "in_progress", "output": []}}, {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "30 "},
            {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "days"}, {"type": "response.output_text.annotation.added", "output_index": 0, "content_index": 0, "annotation": {"type": "url_citation", "start_index": 0, "end_index": 7, "url": "https://p.example"}}, names=True),
        {"text": "30 days", "truncated": True, "cites": [{"start": 0, "end": 7}]}),
    "responses stream refusal": (sse({"type": "response.refusal.delta", "delta": "No"}, {"type": "response.refusal.done", "refusal": "No."}, {"type": "response.completed", "response": response({"type": "message", "content": [{"type": "refusal", "refusal": "No."}]})}),
        {"refusal": "No.", "truncated": False}),
    "assistants quote": ({"object": "thread.message", "role": "assistant", "status": "completed", "content": [{"type": "text", "text": {"value": "30 days【4:0†source】.", "annotations": [{"type": "file_citation", "text": "【4:0†source】", "start_index": 7, "end_index": 19, "file_citation": {"file_id": "f1", "quote": "within 30 days"}}]}}]},
        {"format": "openai.assistants", "cites": [{"start": 7, "end": 19, "quote": "within 30 days", "id": "f1"}]}),
    "assistants wrong offsets": ({"object": "thread.message", "content": [{"type": "text", "text": {"value": "🎒 30 days【4:0†source】.", "annotations": [{"type": "file_citation", "text": "【4:0†source】", "start_index": 90, "end_index": 99, "file_citation": {"file_id": "f1"}}]}}]},
        {"cites": [{"start": 9, "end": 21}], "misplaced": 0}),
    "assistants stream": ([{"event": "thread.message.delta", "data": {"object": "thread.message.delta", "delta": {"content": [{"index": 0, "type": "text", "text": {"value": "30 "}}]}}},
            {"event": "thread.message.delta", "data": {"object": "thread.message.delta", "delta": {"content": [{"index": 0, "type": "text", "text": {"value": "days【1†s】", "annotations": [{"type": "file_citation", "text": "【1†s】", "start_index": 7, "end_index": 12, "file_citation": {"file_id": "f"}}]}}]}}}],
        {"text": "30 days【1†s】", "truncated": True, "cites": [{"start": 7, "end": 12}]}),
    "assistants list": ({"object": "list", "data": [{"object": "thread.message", "role": "assistant", "created_at": 2, "content": [{"type": "text", "text": {"value": "New.", "annotations": []}}]}, {"object": "thread.message", "role": "user", "created_at": 3, "content": []}]}, {"text": "New."}),
    # --- Anthropic
    "anthropic cache tokens": (anthropic({"type": "text", "text": "A."}), {"format": "anthropic.messages", "prompt_tokens": 100, "output_tokens": 4, "sources": None}),
    "anthropic block location": (anthropic({"type": "text", "text": "A.", "citations": [{"type": "content_block_location", "cited_text": FAQ, "document_index": 1, "document_title": None, "start_block_index": 2, "end_block_index": 4}]}),
        {"cites": [{"sent_source": 1, "quote": FAQ, "locator": "block 2–3", "reference": "2"}]}),
    "anthropic pause": (anthropic({"type": "text", "text": "Let me"}, stop="pause_turn"), {"truncated": True, "refusal": None}),
    "anthropic context": (anthropic({"type": "text", "text": "Let me"}, stop="model_context_window_exceeded"), {"truncated": True}),
    "anthropic refusal": (anthropic(stop="refusal", stop_details={"category": "cyber", "explanation": "Not allowed."}), {"text": "", "refusal": "Not allowed.", "truncated": False}),
    "anthropic refusal mid answer": (anthropic({"type": "text", "text": "I can"}, stop="refusal"), {"refusal": "refusal", "truncated": True}),
    "anthropic same page twice": (anthropic({"type": "text", "text": "A.", "citations": [{"type": "web_search_result_location", "url": "https://p.example", "title": "P", "cited_text": "x"}]}, {"type": "text", "text": "B.", "citations": [{"type": "web_search_result_location", "url": "https://p.example", "title": "P", "cited_text": "y"}]}),
        {"sources": [None], "cites": [{"start": 0, "end": 2, "quote": "x"}, {"start": 2, "end": 4, "quote": "y"}]}),
    "anthropic fetched page": (anthropic({"type": "web_fetch_tool_result", "content": {"type": "web_fetch_result", "url": "https://p.example", "content": {"type": "document", "title": "P", "source": {"type": "text", "data": POLICY}}}}, {"type": "text", "text": "A."}), {"sources": [POLICY]}),
    "anthropic stream cut": (sse({"type": "message_start", "message": {"type": "message", "content": [], "usage": {"input_tokens": 3, "output_tokens": 1}}}, {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}, {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm [4]"}}, {"type": "ping"},
            {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}}, {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Dogs"}}, names=True),
        {"text": "Dogs", "reasoning": "hm [4]", "truncated": True, "prompt_tokens": 3}),
    # --- Cohere
    "cohere v2 thinking": ({"finish_reason": "COMPLETE", "message": {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "30 days."}], "citations": [{"start": 0, "end": 2, "text": "hm", "type": "THINKING_CONTENT", "content_index": 0, "sources": [{"type": "document", "id": "x"}]}, {"start": 0, "end": 7, "text": "30 days", "type": "TEXT_CONTENT", "content_index": 1, "sources": [{"type": "tool", "id": "t:0", "tool_output": {"content": POLICY}}]}]}},
        {"format": "cohere.v2", "text": "30 days.", "reasoning": "hm", "sources": [POLICY], "cites": [{"start": 0, "end": 7, "id": "t:0", "quote": None}]}),
    "cohere v2 bytes": ({"finish_reason": "MAX_TOKENS", "message": {"content": [{"type": "text", "text": "🎒 30 days"}], "citations": [{"start": 5, "end": 12, "text": "30 days", "sources": [{"type": "document", "id": "p", "document": {"data": POLICY}}]}]}},
        {"truncated": True, "cites": [{"start": 2, "end": 9}]}),
    "cohere v2 text not there": ({"finish_reason": "COMPLETE", "message": {"content": [{"type": "text", "text": "30 days"}], "citations": [{"start": 0, "end": 4, "text": "60 days", "sources": [{"type": "document", "id": "p"}]}]}},
        {"misplaced": 1, "cites": [{"start": None, "id": "p"}]}),
    "cohere v2 stream": (sse({"type": "message-start"}, {"type": "content-start", "index": 0, "delta": {"message": {"content": {"type": "text", "text": ""}}}}, {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "30 "}}}}, {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "days"}}}},
            {"type": "citation-start", "index": 0, "delta": {"message": {"citations": {"start": 0, "end": 7, "text": "30 days", "type": "TEXT_CONTENT", "sources": [{"type": "document", "id": "p", "document": {"text": POLICY}}]}}}}, {"type": "citation-end", "index": 0},
            {"type": "message-end", "delta": {"finish_reason": "COMPLETE", "usage": {"tokens": {"input_tokens": 7.0, "output_tokens": 3.0}}}}),
        {"text": "30 days", "truncated": False, "prompt_tokens": 7, "sources": [POLICY], "cites": [{"start": 0, "end": 7, "payload_source": 0}]}),
    "cohere v2 stream cut": ([{"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "30 "}}}}], {"text": "30 ", "truncated": True}),
    "cohere v1 toxic": ({"text": "I w", "generation_id": "g", "finish_reason": "ERROR_TOXIC"}, {"refusal": "ERROR_TOXIC", "truncated": True}),
    "cohere v1 stream": (ndjson({"event_type": "stream-start", "generation_id": "g"}, {"event_type": "search-results", "documents": [{"id": "p", "snippet": POLICY}]}, {"event_type": "text-generation", "text": "30 days"}, {"event_type": "citation-generation", "citations": [{"start": 0, "end": 7, "text": "30 days", "document_ids": ["p"]}]}, {"event_type": "stream-end", "finish_reason": "COMPLETE", "response": {"text": "30 days", "generation_id": "g"}}),
        {"format": "cohere.v1", "text": "30 days", "sources": [POLICY], "truncated": False, "cites": [{"start": 0, "end": 7, "payload_source": 0}]}),
    # --- Gemini and Vertex
    "gemini snake case": ({"candidates": [{"content": {"parts": [{"text": "hm", "thought": True}, {"text": BAG}]}, "finish_reason": "FinishReason.STOP", "grounding_metadata": {"grounding_chunks": [{"retrieved_context": {"rag_chunk": {"text": POLICY, "page_span": {"first_page": 3}}, "title": "P", "uri": "gs://p"}}], "grounding_supports": [{"segment": {"part_index": 1, "start_index": None, "end_index": 25, "text": "🎒 Café gear: 30 days."}, "grounding_chunk_indices": [0]}]}}], "usage_metadata": {"prompt_token_count": 5, "candidates_token_count": 6, "thoughts_token_count": 2}},
        {"format": "gemini", "text": BAG, "reasoning": "hm", "finish_reason": "STOP", "sources": [POLICY], "output_tokens": 8, "cites": [{"start": 0, "end": 21, "payload_source": 0, "quote": None}]}),
    "gemini safety stop": (gemini("I can", "SAFETY"), {"text": "I can", "refusal": "SAFETY", "truncated": True}),
    "gemini max tokens": (gemini("I can", "MAX_TOKENS"), {"truncated": True, "refusal": None}),
    "gemini no segment text": (gemini(BAG, supports=[{"segment": {"endIndex": 26}, "groundingChunkIndices": [0]}, {"segment": {"endIndex": 3}, "groundingChunkIndices": [0]}, {"segment": {"endIndex": 990}, "groundingChunkIndices": [0]}], chunks=[{"retrievedContext": {"text": POLICY}}]),
        {"misplaced": 2, "cites": [{"start": 0, "end": 22}, {"start": None}, {"start": None}]}),
    "gemini two parts": ({"candidates": [{"content": {"parts": [{"text": "🎒 One. "}, {"text": "Two."}]}, "finishReason": "STOP", "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://r.example", "title": "r"}}], "groundingSupports": [{"segment": {"partIndex": 1, "startIndex": 0, "endIndex": 4, "text": "Two."}, "groundingChunkIndices": [0]}]}}]},
        {"text": "🎒 One. Two.", "cites": [{"start": 7, "end": 11}]}),
    "gemini citation metadata": ({"candidates": [{"content": {"parts": [{"text": "A."}]}, "finishReason": "STOP", "citationMetadata": {"citationSources": [{"startIndex": 0, "endIndex": 2, "uri": "https://x.example"}]}}]}, {"cites": [], "sources": None}),
    "gemini array": ([gemini("🎒 On", None), gemini("e.", "STOP")], {"text": "🎒 One.", "truncated": False}),
    "gemini stream of two candidates": ([{"candidates": [{**gemini(text, finish)["candidates"][0], "index": i}]} for i, text, finish in ((0, "A one", None), (1, "B two", None), (0, " [1].", "STOP"), (1, " [2].", "MAX_TOKENS"))],
        {"text": "A one [1].", "truncated": False, "finish_reason": "STOP"}),
    "gemini stream cut": (sse(gemini("One", None)), {"text": "One", "truncated": True}),
    "gemini blocked stream": (sse({"promptFeedback": {"blockReason": "SAFETY"}}), {"text": "", "refusal": "SAFETY", "truncated": False}),
    "vertex structured": ({"answer": {"answerText": "30 days.", "state": "SUCCEEDED", "citations": [{"endIndex": "7", "sources": [{"referenceId": "0"}]}], "references": [{"structuredDocumentInfo": {"document": "d", "structData": {"title": "P", "content": POLICY}}}]}},
        {"format": "vertex.answer", "sources": [POLICY], "cites": [{"start": 0, "end": 7, "payload_source": 0, "id": "0"}]}),
    "vertex snake case": ({"answer": {"answer_text": "30 days.", "state": "IN_PROGRESS", "references": [{"chunk_info": {"content": POLICY, "document_metadata": {"title": "P", "page_identifier": "3"}}}], "citations": [{"start_index": 0, "end_index": 7, "sources": [{"reference_id": "0"}]}]}},
        {"truncated": True, "sources": [POLICY], "cites": [{"start": 0, "end": 7}]}),
    "vertex skipped": ({"answer": {"state": "SUCCEEDED", "answerText": "", "answerSkippedReasons": ["ADVERSARIAL_QUERY_IGNORED"]}}, {"text": "", "refusal": "ADVERSARIAL_QUERY_IGNORED"}),
    # --- Bedrock
    "converse guardrail": ({"output": {"message": {"role": "assistant", "content": [{"text": "Sorry."}]}}, "stopReason": "guardrail_intervened", "usage": {"inputTokens": 3}}, {"format": "bedrock.converse", "refusal": "guardrail_intervened", "text": "Sorry."}),
    "converse filtered": ({"output": {"message": {"content": [{"text": "I w"}]}}, "stopReason": "content_filtered"}, {"refusal": "content_filtered", "truncated": True}),
    "converse reasoning": ({"output": {"message": {"content": [{"reasoningContent": {"reasoningText": {"text": "hm"}}}, {"text": "A."}]}}, "stopReason": "end_turn"}, {"text": "A.", "reasoning": "hm"}),
    "converse web": ({"output": {"message": {"content": [{"citationsContent": {"content": [{"text": "A."}], "citations": [{"title": "P", "location": {"web": {"url": "https://p.example", "domain": "p.example"}}, "sourceContent": [{"text": "x"}]}]}}]}}, "stopReason": "end_turn"},
        {"cites": [{"start": 0, "end": 2, "url": "https://p.example", "quote": "x"}], "sources": [None]}),
    "converse stream cut": ([{"messageStart": {"role": "assistant"}}, {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "Dogs"}}}], {"text": "Dogs", "truncated": True}),
    "generate": ({"output": {"text": "30 days. 5 days. 30 days."}, "sessionId": "s", "citations": [generated("30 days.", 0, 7, KB), generated("5 days.", 9, 15, KB_WEB, KB), generated("30 days.", 17, 24, KB), generated("x", 0, 1)]},
        {"format": "bedrock.retrieve_and_generate", "sources": [POLICY, FAQ], "cites": [{"start": 0, "end": 8, "payload_source": 0}, {"start": 9, "end": 16, "payload_source": 1}, {"start": 9, "end": 16, "payload_source": 0}, {"start": 17, "end": 25, "payload_source": 0}]}),
    "generate guardrail": ({"output": {"text": "Sorry."}, "sessionId": "s", "citations": [], "guardrailAction": "INTERVENED"}, {"refusal": "guardrail INTERVENED", "truncated": False}),
    "generate stream nested only": ([{"output": {"text": "30 days."}}, {"citation": {"citation": generated("30 days.", 0, 8, KB)}}], {"cites": [{"start": 0, "end": 8}], "truncated": False}),
    "agent": ([{"chunk": {"bytes": b"30 days.", "attribution": {"citations": [generated("30 days.", 0, 8, KB)]}}}], {"text": "30 days.", "sources": [POLICY], "cites": [{"start": 0, "end": 8}]}),
    "agentic": ({"answer": "🎒 30 days.", "citations": [{"startIndex": 2, "endIndex": 9, "references": [KB]}], "results": [KB]}, {"format": "bedrock.agentic_retrieve", "sources": [POLICY], "cites": [{"start": 2, "end": 9, "payload_source": 0}]}),
    # --- frameworks
    "chain documents": ({"input": "q", "context": [{"page_content": POLICY, "metadata": {"source": "p.md", "page": 3.0}, "type": "Document"}], "answer": "30 days [1]."}, {"format": "langchain.chain", "sources": [POLICY], "text": "30 days [1]."}),
    "retrieval qa": ({"query": "q", "result": "30 days.", "source_documents": [{"page_content": POLICY, "metadata": {}}]}, {"sources": [POLICY]}),
    "chain without documents": ({"answer": "30 days.", "context": []}, {"sources": []}),
    "chain with sources": ({"answer": "30 days.", "sources": "p.md, faq.md"}, {"structured": True, "cites": [{"reference": "p.md"}, {"reference": "faq.md"}]}),
    "chain with sources and documents": ({"answer": "30 days.", "sources": "p.md\nfaq.md", "source_documents": [{"page_content": POLICY, "metadata": {"source": "p.md"}}]}, {"format": "langchain.chain", "sources": [POLICY], "cites": [{"reference": "p.md"}, {"reference": "faq.md"}]}),
    "dify": ({"event": "message", "mode": "chat", "answer": "30 days [1].", "metadata": {"retriever_resources": [{"position": 1, "document_name": "p.md", "score": 0.9, "content": POLICY}]}}, {"text": "30 days [1].", "sources": [POLICY]}),
    "a name with a comma": ({"answer": "30 days.", "citations": "Smith, 2020"}, {"cites": [{"reference": "Smith, 2020"}]}),
    "chain quoted answer": ({"question": "q", "context": [{"page_content": POLICY}], "answer": {"answer": "30 days.", "citations": [{"source_id": 0, "quote": "within"}]}}, {"sources": [POLICY], "structured": True, "cites": [{"reference": "0", "quote": "within"}]}),
    "chain message": ({"question": "q", "context": [POLICY], "answer": {"type": "ai", "content": "30 days [1].", "response_metadata": {"finish_reason": "length"}}}, {"text": "30 days [1].", "truncated": True, "sources": [POLICY]}),
    "message anthropic content": ({"type": "ai", "content": [{"type": "text", "text": "30 days", "citations": [{"type": "char_location", "cited_text": POLICY, "document_index": 0, "document_title": "P", "start_char_index": 0, "end_char_index": 5}]}], "response_metadata": {"stop_reason": "max_tokens"}},
        {"format": "langchain.message", "truncated": True, "cites": [{"start": 0, "end": 7, "quote": POLICY, "sent_source": 0}]}),
    "message gemini": ({"type": "ai", "content": BAG, "response_metadata": {"model_provider": "google_genai", "grounding_metadata": {"grounding_chunks": [{"web": {"uri": "https://r.example", "title": "r"}}], "grounding_supports": [{"segment": {"start_index": 26, "end_index": 42, "text": "Refunds: 5 days."}, "grounding_chunk_indices": [0]}]}}},
        {"cites": [{"start": 22, "end": 38, "quote": None, "url": "https://r.example"}]}),
    "message gemini annotation": ({"type": "ai", "content": [{"type": "text", "text": BAG, "annotations": [{"type": "citation", "url": "https://r.example", "title": "r", "start_index": 26, "end_index": 42, "cited_text": "Refunds: 5 days."}]}]},
        {"cites": [{"start": 22, "end": 38, "quote": None}]}),
    "message ollama": ({"type": "ai", "content": "Dogs", "response_metadata": {"done_reason": "length"}, "usage_metadata": {"input_tokens": 4, "output_tokens": 1}}, {"truncated": True, "prompt_tokens": 4}),
    "message perplexity": ({"type": "ai", "content": "30 days [1].", "additional_kwargs": {"citations": ["https://p.example"]}}, {"sources": [None]}),
    "message serialised": ({"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessage"], "kwargs": {"content": "30 days.", "type": "ai"}}, {"format": "langchain.message", "text": "30 days."}),
    "message chunks": ([{"type": "AIMessageChunk", "content": "30 "}, {"type": "AIMessageChunk", "content": "days.", "response_metadata": {"finish_reason": "stop"}}], {"text": "30 days.", "truncated": False}),
    "llm result": ({"generations": [[{"text": "30 days.", "generation_info": {"finish_reason": "length"}}]]}, {"text": "30 days.", "truncated": True}),
    "llama index old": ({"response": "30 days [1].", "source_nodes": [{"node": {"node_id": "n1", "extra_info": {"file_name": "p.md"}, "text": POLICY, "ref_doc_id": "d"}, "score": 0.5}]}, {"format": "llama_index", "sources": [POLICY]}),
    "llama index resource": ({"response": "A.", "source_nodes": [{"node": {"id_": "n", "text_resource": {"text": POLICY}, "metadata": {}}, "score": None}]}, {"sources": [POLICY]}),
    "llama index": ({"response": "30 days [1].", "source_nodes": [NODE], "metadata": {}}, {"sources": ["Source 1:\n" + POLICY]}),
    "haystack": ({"data": "30 days [2].", "query": "q", "documents": [{"id": "h1", "content": POLICY, "meta": {"source_index": 2, "referenced": True}, "score": 0.4}], "meta": {"finish_reason": "length"}}, {"format": "haystack", "sources": [POLICY], "truncated": True}),
    "haystack legacy": ({"type": "haystack.dataclasses.answer.GeneratedAnswer", "init_parameters": {"data": "30 days [1].", "query": "q", "documents": [{"id": "h1", "content": POLICY, "meta": {}}], "meta": {}}}, {"sources": [POLICY], "text": "30 days [1]."}),
    "haystack pipeline": ({"answer_builder": {"answers": [{"data": "A.", "query": "q", "documents": [], "meta": {}}]}}, {"text": "A.", "sources": []}),
    "ragflow stream": ('data:{"code": 0, "data": {"answer": "30", "reference": {}}}\n\ndata:{"code": 0, "data": {"answer": "30 days", "reference": {}}}\n\ndata:' + json.dumps({"code": 0, "data": {"answer": "30 days ##0$$.", "reference": {"chunks": [{"chunk_id": "c", "content_with_weight": POLICY, "docnm_kwd": "p.md"}]}}}) + '\n\ndata:{"code": 0, "data": true}\n\n',
        {"format": "ragflow", "text": "30 days ##0$$.", "sources": [POLICY], "truncated": False}),
    "ragflow deltas": ('data:{"code": 0, "data": {"answer": "30 ", "reference": {}}}\n\ndata:{"code": 0, "data": {"answer": "days [ID:0]", "reference": {}}}\n\n', {"text": "30 days [ID:0]", "truncated": True}),
    "ragflow openai": (chat({"content": "30 days [ID:0].", "reference": [{"id": "c", "content": POLICY, "document_name": "p.md"}]}), {"format": "ragflow", "sources": [POLICY]}),
    # --- conversations
    "messages": ({"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": None, "tool_calls": [{}]}, {"role": "tool", "content": json.dumps([{"title": "P", "content": POLICY}, {"content": FAQ}])}, {"role": "assistant", "content": "30 days [1]."}]},
        {"format": "conversation", "text": "30 days [1].", "sources": [POLICY, FAQ]}),
    "messages list": ([{"role": "user", "content": "q"}, {"role": "tool", "content": POLICY}, {"role": "assistant", "content": "30 days [1]."}], {"text": "30 days [1].", "sources": [POLICY]}),
    "message of an application": ({"role": "assistant", "content": "30 days [1].", "sources": [{"source": {"name": "p.md", "id": "f"}, "document": [POLICY], "metadata": [{"source": "p.md"}]}]}, {"format": "conversation", "text": "30 days [1].", "sources": [POLICY]}),
    "messages langchain": ({"messages": [{"type": "human", "content": "q"}, {"type": "tool", "content": POLICY, "name": "search"}, {"type": "ai", "content": "30 days [1]."}]}, {"text": "30 days [1].", "sources": [POLICY]}),
    "messages anthropic": ([{"role": "user", "content": [{"type": "document", "title": "P", "source": {"type": "text", "media_type": "text/plain", "data": POLICY}}, SEARCH_RESULT, {"type": "text", "text": "q"}]}, {"role": "assistant", "content": [{"type": "text", "text": "5 days.", "citations": [{"type": "search_result_location", "cited_text": FAQ, "search_result_index": 0, "source": "https://shop.example/faq", "title": "FAQ", "start_block_index": 0, "end_block_index": 1}]}]}],
        {"sources": [POLICY, FAQ], "cites": [{"payload_source": 1, "quote": FAQ, "start": 0, "end": 7}]}),
    "messages anthropic tool": ([{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": POLICY}]}]}, {"role": "assistant", "content": [{"type": "text", "text": "30 days [1]."}]}], {"sources": [POLICY]}),
    "messages record tool": ([{"role": "tool", "content": '{"temperature": "21", "city": "Paris"}'}, {"role": "assistant", "content": "21 degrees."}], {"sources": ['{"temperature": "21", "city": "Paris"}']}),
    "messages otel": ([{"role": "assistant", "parts": [{"type": "text", "content": "30 days [1]."}], "finish_reason": "stop"}], {"text": "30 days [1]."}),
    "messages phoenix": ([{"message.role": "assistant", "message.content": "30 days [1]."}], {"text": "30 days [1]."}),
    "messages responses": ([{"role": "user", "content": "q"}, output_text("30 days.", {"type": "url_citation", "start_index": 0, "end_index": 7, "url": "https://p.example"})], {"text": "30 days.", "cites": [{"start": 0, "end": 7}]}),
    "messages sharegpt": ({"conversation": [{"from": "human", "value": "q"}, {"from": "observation", "value": POLICY}, {"from": "gpt", "value": "30 days [1]."}]}, {"text": "30 days [1].", "sources": [POLICY]}),
    "messages agent": ([{"role": "END_USER", "content": "q"}, {"role": "Virtual Agent", "content": "30 days."}], {"text": "30 days."}),
    "message of an agent alone": ({"role": "agent", "content": "30 days."}, {"text": "30 days.", "format": "conversation"}),
    "messages by class": ({"messages": [{"lc": 1, "type": "constructor", "id": ["m", "HumanMessage"], "kwargs": {"content": "q"}}, {"lc": 1, "type": "constructor", "id": ["m", "AIMessage"], "kwargs": {"content": "30 days."}}]}, {"text": "30 days."}),
    "messages of a stranger": ([{"role": "user", "content": "q"}, {"role": "helper", "content": "30 days."}], {"error": "'user', 'helper'.*Accepted.*'assistant', .*'gpt'"}),
    "messages of strangers": ([{"role": "caller", "content": "q"}, {"role": "helper", "content": "30 days."}], {"error": "'caller', 'helper'.*Accepted.*'assistant'"}),
    "messages of nobody": ([{"role": "user", "content": "q"}, {"content": "30 days."}], {"error": "'user', ''.*Accepted.*'assistant'"}),
    "messages of a stranger that are empty": ([{"role": "user", "content": "q"}, {"role": "helper", "content": ""}], {"text": ""}),
    "messages before an answer": ([{"role": "system", "content": "s"}, {"role": "user", "content": "q"}, {"from": "function_call", "value": "{}"}, {"role": "tool", "content": POLICY}], {"text": "", "sources": [POLICY]}),
    "messages without an answer": ([{"role": "user", "content": "q"}], {"text": ""}),
    "messages last has only calls": ([{"role": "assistant", "content": "30 days."}, {"role": "assistant", "content": "", "tool_calls": [{}]}], {"text": "30 days."}),
    "message alone": ({"role": "assistant", "content": "30 days."}, {"text": "30 days.", "format": "conversation"}),
    "graph state": ({"messages": [{"type": "ai", "content": "30 days [1]."}], "context": [{"page_content": POLICY}]}, {"text": "30 days [1].", "sources": [POLICY]}),
    "arrow map": ([("answer", "30 days."), ("citations", [1])], {"text": "30 days.", "cites": [{"reference": "1"}]}),
}  # fmt: skip
