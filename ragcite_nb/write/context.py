"""Sources as the text that goes into a prompt, within a budget."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Literal, Self

from ragcite_nb import messages
from ragcite_nb.labelled import LABELS, Block, write_numbered, write_xml
from ragcite_nb.models import InputError, Source, plain
from ragcite_nb.read import read_sources
from ragcite_nb.write.choices import one_of
from ragcite_nb.write.numbering import numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ContextStyle = Literal["numbered", "xml", "json", "rule"]
CONTEXT_STYLES = ("numbered", "xml", "json", "rule")
"""``[Document 1]`` blocks, XML, a JSON array, and texts divided by lines of ``---``."""

CHARACTERS_A_TOKEN = 4
"""What one token is taken for when no counter is given: about right for English, too many for most other languages."""

_RULE_LINE = re.compile(r"^([ \t]*\\*-{3,}[ \t]*)$", re.MULTILINE)


class Context(str):
    """The text that goes into the prompt; a ``str`` that also knows what is in it.

    Attributes:
        sources: all sources as they were read.
        included: positions of the sources in the text.
        left_out: positions of those that did not fit the budget; always the last ones.
        note: one sentence that says what was left out; "" when nothing was.
    """

    __slots__ = ("included", "left_out", "note", "sources")

    sources: tuple[Source, ...]
    included: tuple[int, ...]
    left_out: tuple[int, ...]
    note: str

    def __new__(cls, text: str, sources: tuple[Source, ...], count: int, language: str) -> Self:
        """Note the sources that ``text`` holds: the first ``count``."""
        self = super().__new__(cls, text)
        self.sources = sources
        self.included = tuple(range(count))
        self.left_out = tuple(range(count, len(sources)))
        cited_by = numbers(sources)
        names = ", ".join(f"[{cited_by[i]}] {sources[i].name or ''}".strip() for i in self.left_out)
        self.note = (
            messages.text("write", "left_out", language, count=len(self.left_out), total=len(sources), names=names)
            if self.left_out
            else ""
        )
        return self

    def __getnewargs__(self) -> tuple[Any, ...]:
        return str(self), self.sources, len(self.included), "en"


def format_context(
    sources: Any,
    style: ContextStyle = "numbered",
    *,
    language: str = "en",
    max_chars: int | None = None,
    max_tokens: int | None = None,
    count_tokens: Callable[[str], int] | None = None,
    marks: Sequence[str] | None = None,
) -> Context:
    """Write the sources for a prompt, numbered as the checker numbers them.

    Sources are taken in their order until the next one does not fit the budget, so that numbers stay those of the whole
    list. :func:`ragcite_nb.read_sources` reads the text back; in the style ``"rule"`` with a backslash before its own lines of
    ``---``, and with "…" for a source without text.

    Args:
        sources: anything that :func:`ragcite_nb.read_sources` takes.
        style: ``"numbered"`` for ``[Document 1]`` blocks, ``"xml"``, ``"json"``, or ``"rule"`` for bare texts divided
            by lines of ``---``.
        language: of the words around them: ``"en"``, ``"fr"`` or ``"de"``.
        max_chars: budget of the whole text in characters.
        max_tokens: budget in tokens, counted by ``count_tokens``, or else as one for every 4 characters.
        count_tokens: the tokenizer of your model.
        marks: for each source the exact mark that cites it, to be told to the model.

    Raises:
        InputError: for a style or language that there is none of, and for a budget that not even the first source fits.

    >>> context = format_context(["Dogs travel free.", "Bicycles cost 4 euros."], max_chars=60)
    >>> print(context)
    [Document 1]
    Content:
    Dogs travel free.
    >>> context.left_out
    (1,)
    """
    one_of("style", style, CONTEXT_STYLES)
    one_of("language", language, tuple(LABELS))
    read = read_sources(sources)
    if marks is not None and len(marks) != len(read):
        raise InputError(f"marks: {len(marks)} found for {len(read)} sources; accepted is one for each source")
    blocks = [
        Block(number, source, marks[i] if marks is not None else None)
        for i, (number, source) in enumerate(zip(numbers(read), read, strict=True))
    ]
    fits = _budget(max_chars, max_tokens, count_tokens)
    if fits is None:
        return Context(_write(blocks, style, language), read, len(blocks), language)
    count = _most_that_fit(blocks, lambda some: fits(_write(some, style, language)))
    if blocks and not count:
        raise InputError(
            f"max_chars={max_chars!r}, max_tokens={max_tokens!r}: not even the first source fits, whose block has "
            f"{len(_write(blocks[:1], style, language))} characters"
        )
    return Context(_write(blocks[:count], style, language), read, count, language)


def _budget(
    max_chars: int | None, max_tokens: int | None, count_tokens: Callable[[str], int] | None
) -> Callable[[str], bool] | None:
    for name, value in (("max_chars", max_chars), ("max_tokens", max_tokens)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
            raise InputError(f"{name}={value!r}: a whole number of at least 1 is accepted")
    if max_chars is None and max_tokens is None:
        return None
    count = count_tokens or (lambda text: -(-len(text) // CHARACTERS_A_TOKEN))
    return lambda text: (
        (max_chars is None or len(text) <= max_chars) and (max_tokens is None or count(text) <= max_tokens)
    )


def _most_that_fit(blocks: list[Block], fits: Callable[[list[Block]], bool]) -> int:
    """How many blocks, from the first on, fit; found by halving, since a tokenizer may be slow."""
    low, high = 0, len(blocks)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(blocks[:middle]):
            low = middle
        else:
            high = middle - 1
    return low


def _write(blocks: list[Block], style: ContextStyle, language: str) -> str:
    if style == "numbered":
        return write_numbered(blocks, language)
    if style == "xml":
        return write_xml(blocks)
    if style == "json":
        return json.dumps([_object(block) for block in blocks], ensure_ascii=False, indent=1)
    # A line before each text, so that a single one with paragraphs, or one that looks like JSON, is read back as it is.
    texts = (_RULE_LINE.sub(r"\\\1", (block.source.text or "").strip()) or "…" for block in blocks)
    return "\n".join(f"---\n{text}" for text in texts)


def _object(block: Block) -> dict[str, Any]:
    source = block.source
    known = {
        name: plain(value)
        for name in source.__dataclass_fields__
        if name not in ("text", "metadata", "confidence") and (value := getattr(source, name)) is not None
    }
    cite = {"cite_as": block.mark} if block.mark else {}
    return {"number": block.number} | known | cite | {"text": source.text}
