"""One logged response from end to end: JSON sources, JSON citations, no markers."""

import json

import ragcite_nb as rc

SOURCES = json.dumps([
    "pgvector adds vector columns and similarity search to PostgreSQL.",
    "For HNSW indexes, hnsw.ef_search is 40 by default; higher values give better recall at the cost of speed.",
    "IVFFlat indexes should be built after the table holds data.",
    "Each vector takes 4 * dimensions + 8 bytes of storage.",
])  # fmt: skip
CITATIONS = [
    {"source": 2, "quote": "hnsw.ef_search is 40 by default"},
    {"source": 4, "quote": "4 bytes per dimension plus 8"},
]
RESPONSE = {
    "model": "llama3.1",
    "message": {"role": "assistant", "content": json.dumps({"answer": "The default is 40.", "citations": CITATIONS})},
    "done": True,
    "done_reason": "stop",
    "prompt_eval_count": 306,
}


def test_the_view_says_how_things_were_read_and_what_does_not_hold():
    result = rc.check(RESPONSE, SOURCES)
    html, text = result._repr_html_(), str(result)
    for shown in (html, text):
        assert (
            "4 sources (JSON array of strings); answer read as an Ollama /api/chat response with JSON citations; 306 prompt tokens"
            in shown
        )
        assert "the excerpt of citation #2 is not in source [4]" in shown
        assert "Never cited: sources 1, 3 (2 of 4)" in shown
    assert "<mark>hnsw.ef_search is 40 by default</mark>" in html
    assert html.count("never cited") == 2
