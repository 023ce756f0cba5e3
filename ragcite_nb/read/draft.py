"""An answer while a format's reader fills it in, and what is done to all answers alike when it is finished.

The reader of a format says what its fields mean. Finishing splits off reasoning, unpacks JSON and grounded text that
the model wrote as its answer, and keeps the spans of citations true to the text that is left.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ragcite_nb.models import Answer, ProviderCitation, Source
from ragcite_nb.read import containers, grounded_text, offsets, reasoning, structured


class SourceBook:
    """The sources that a payload mentions, each once, in the order of their first mention."""

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self.given = False  # the payload has a list of sources, were it an empty one
        self._index: dict[Any, int] = {}
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.sources)

    def add(self, source: Source, key: Any = None) -> int:
        """The position of the source; ``key`` says which mentions are the same one."""
        if key is None:
            key = (source.id, source.url, source.title, source.text)
        index = self._index.setdefault(key, len(self.sources))
        if index == len(self.sources):
            self.sources.append(source)
        else:
            held = self.sources[index]
            missing = {
                name: getattr(source, name)
                for name in ("text", "id", "title", "url", "page")
                if getattr(held, name) is None and getattr(source, name) is not None
            }
            if missing:
                self.sources[index] = replace(held, **missing)
        return index

    def add_next(self, kind: str, source: Source) -> int:
        """Add the next source of a kind: providers count documents and search results apart, each from 0."""
        number = self._numbers.get(kind, 0)
        self._numbers[kind] = number + 1
        return self.add(source, (kind, number))

    def find(self, key: Any) -> int | None:
        """The position of the source that was added with this key."""
        return self._index.get(key)

    def extend(self, sources: tuple[Source, ...]) -> None:
        """Add sources that are all their own, equal or not."""
        self.given = True
        for source in sources:
            self.add(source, ("position", len(self.sources)))


@dataclass(slots=True)
class Draft:
    """What a reader found; the fields are those of :class:`~ragcite_nb.models.Answer`.

    ``open`` holds the ids of the containers that a cut log left unclosed.
    """

    format: str
    text: str = ""
    reasoning: list[str] = field(default_factory=list)
    finish_reason: str | None = None
    truncated: bool = False
    refusal: str | None = None
    prompt_tokens: int | None = None
    output_tokens: int | None = None
    citations: list[ProviderCitation] = field(default_factory=list)
    book: SourceBook = field(default_factory=SourceBook)
    misplaced: int = 0
    structured: bool = False

    def cite(self, span: offsets.Span | None, **known: Any) -> None:
        """Add a citation at a span; ``None`` means that its offsets fit nowhere."""
        if span is None:
            self.misplaced += 1
            self.cite_unplaced(**known)
        else:
            self.citations.append(ProviderCitation(start=span[0], end=span[1], **known))

    def cite_unplaced(self, **known: Any) -> None:
        """Add a citation of a format that gives no places."""
        self.citations.append(ProviderCitation(**known))

    def finish(self) -> Answer:
        """The answer."""
        if not self.text.isascii():
            self.text = mend_surrogates(self.text)
        self._split_reasoning()
        self._unpack()
        return Answer(
            text=self.text,
            reasoning="\n".join(part for part in self.reasoning if part) or None,
            format=self.format,
            structured=self.structured,
            finish_reason=self.finish_reason,
            truncated=self.truncated,
            refusal=self.refusal,
            prompt_tokens=self.prompt_tokens,
            output_tokens=self.output_tokens,
            citations=tuple(self.citations),
            sources=tuple(self.book.sources) if len(self.book) or self.book.given else None,
            misplaced=self.misplaced,
        )

    def _split_reasoning(self) -> None:
        split = reasoning.split(self.text)
        if split is None:
            return
        if split.unclosed:
            self.truncated = True
        if split.reasoning:
            self.reasoning.append(split.reasoning)
        self._keep(split.kept)

    def _keep(self, kept: tuple[tuple[int, int], ...]) -> None:
        """Cut the text down to some of its spans, and move the citations along."""
        if self.citations:
            self.citations = [_moved(citation, kept) for citation in self.citations]
        self.text = "".join(self.text[start:end] for start, end in kept)

    def _unpack(self) -> None:
        """Read what the model wrote in place of prose: JSON with citations, or a grounded text format."""
        kept = grounded_text.body(self.text)
        if kept is not None:
            for citation in grounded_text.citations(self.text, kept):
                self.citations.append(citation)
            self._keep(((kept.start, kept.end),))
            return
        cited = grounded_text.read_cited_answer(self.text)
        if cited is None:
            cited = _json_answer(self.text)
        if cited is None:
            return
        self.structured = True
        self.truncated |= cited.cut
        self.text = cited.text
        self.misplaced += sum(c.start is not None for c in self.citations)
        self.citations = [c._replace(start=None, end=None) for c in self.citations] + list(cited.citations)
        self._split_reasoning()


def _json_answer(text: str) -> structured.Unpacked | None:
    """The JSON answer that a text is, if it is one."""
    text = containers.unquoted(text) or text
    head = text.lstrip()[:1]
    opened = containers.open_text(text) if head == "{" else containers.open_fence(text) if "```" in text else None
    if opened is None or not isinstance(opened.value, dict) or not structured.is_written(opened.value):
        return None
    return structured.unpack(opened.value, opened.open, cut=opened.cut)


def _moved(citation: ProviderCitation, kept: tuple[tuple[int, int], ...]) -> ProviderCitation:
    """The citation with its span counted in the kept text; without a span when its text is gone."""
    if citation.start is None or citation.end is None:
        return citation
    offset = 0
    new: list[tuple[int, int]] = []
    for start, end in kept:
        first, last = max(citation.start, start), min(citation.end, end)
        if first < last or (first == last and citation.start == citation.end):
            new.append((offset + first - start, offset + last - start))
        offset += end - start
    if not new:
        return citation._replace(start=None, end=None)
    return citation._replace(start=new[0][0], end=new[-1][1])


def mend_surrogates(text: str) -> str:
    r"""``text`` with halves of characters joined: streams in JSON cut characters between two events.

    >>> mend_surrogates("\ud83c" + "\udf92 bag")
    '🎒 bag'
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
