"""Prompts that make a model cite in a form that the checker reads."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Literal, Self

from ragcite_nb import messages
from ragcite_nb.models import InputError, Source
from ragcite_nb.read import read_sources
from ragcite_nb.write.choices import one_of
from ragcite_nb.write.context import CONTEXT_STYLES, Context, ContextStyle, format_context
from ragcite_nb.write.marks import Marks, marks_for
from ragcite_nb.write.numbering import numbers
from ragcite_nb.write.templates import RULES, STYLES, fill, templates_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from os import PathLike

PromptStyle = Literal["numbered", "named", "json", "support", "technical", "legal"]


class Prompt(str):
    """A prompt; a ``str`` of the whole text that also knows its parts.

    Attributes:
        system, user: the two messages.
        context: the sources as they stand in it, a :class:`~ragcite_nb.write.context.Context`.
        schema: for the style ``"json"``, the JSON schema of the answer for structured outputs; else ``None``.
        notes: what could not be done as asked: sources left out, names that are missing.
    """

    __slots__ = ("context", "notes", "schema", "system", "user")

    system: str
    user: str
    context: Context
    schema: dict[str, Any] | None
    notes: tuple[str, ...]

    def __new__(
        cls, system: str, user: str, context: Context, schema: dict[str, Any] | None, notes: tuple[str, ...]
    ) -> Self:
        """Join the two messages."""
        self = super().__new__(cls, f"{system}\n\n{user}")
        self.system, self.user, self.context, self.schema, self.notes = system, user, context, schema, notes
        return self

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.system, self.user, self.context, self.schema, self.notes

    @property
    def messages(self) -> list[dict[str, str]]:
        """The prompt as chat messages."""
        return [{"role": "system", "content": self.system}, {"role": "user", "content": self.user}]


def citation_prompt(
    question: str,
    sources: Any,
    *,
    style: PromptStyle = "numbered",
    language: str = "en",
    rules: Iterable[str] | Literal["all"] = (),
    context_style: ContextStyle = "numbered",
    max_chars: int | None = None,
    max_tokens: int | None = None,
    count_tokens: Callable[[str], int] | None = None,
    templates: Mapping[str, Any] | str | PathLike[str] | None = None,
) -> Prompt:
    """A prompt that asks for an answer in which every claim is cited, in a form that :func:`ragcite_nb.check` reads.

    Args:
        question: what is asked.
        sources: anything that :func:`ragcite_nb.read_sources` takes.
        style: the form of citations: ``"numbered"`` for ``[1]``, ``"named"`` for ``[Source: CGV v2.1, Section 5.2]``,
            ``"json"`` for an answer with quotes as JSON; or of a trade: ``"support"``, ``"technical"``, ``"legal"``.
        language: of the instructions: ``"en"``, ``"fr"`` or ``"de"``.
        rules: optional rules: ``"contradictions"``, ``"partial"``, ``"no_source"``, or ``"all"`` of them.
        context_style: the form of the sources, see :func:`format_context`.
        max_chars: budget of the sources in characters.
        max_tokens: budget of the sources in tokens.
        count_tokens: the tokenizer of your model.
        templates: texts to use in place of the shipped ones, as a mapping or a JSON file; see ``templates.py``.

    Raises:
        InputError: for a style, language or rule that there is none of; the message names those there are.

    Warns:
        UserWarning: when sources have no title in a style that cites by name, and are called by id or number.

    >>> prompt = citation_prompt("Are dogs free?", ["Dogs travel free."], rules=["no_source"])
    >>> prompt.messages[1]["content"].splitlines()[-1]
    'Question: Are dogs free?'
    """
    if not isinstance(question, str) or not question.strip():
        raise InputError(f"question={question!r}: a text is expected")
    one_of("style", style, STYLES)
    one_of("context_style", context_style, CONTEXT_STYLES)
    wanted = (
        RULES if isinstance(rules, str) and rules == "all" else (rules,) if isinstance(rules, str) else tuple(rules)
    )
    for rule in wanted:
        one_of("rules", rule, (*RULES, "all"))
    texts = templates_for(language, templates)
    read = read_sources(sources)
    if not read:
        raise InputError("sources: none found; a prompt without sources cannot ask for citations")
    named = style not in ("numbered", "json")
    marks = marks_for(read, style, language, texts["marks"]) if named else None
    if named and context_style == "rule":
        raise InputError(f"context_style='rule': bare texts have no names to cite in the style {style!r}; accepted are "
                         f"{', '.join(repr(s) for s in CONTEXT_STYLES if s != 'rule')}")  # fmt: skip
    context = format_context(
        read,
        context_style,
        language=language,
        max_chars=max_chars,
        max_tokens=max_tokens,
        count_tokens=count_tokens,
        marks=None if marks is None else marks.marks,
    )
    notes = tuple(_notes(marks, read, language)) if marks is not None else ()
    for note in notes:
        warnings.warn(note, stacklevel=2)
    if context.note:
        notes = (*notes, context.note)
    chosen = texts["styles"][style]
    optional = "\n".join(f"- {fill(texts['rules'][r], no_source_reply=texts['no_source_reply'])}" for r in wanted)
    system = fill(
        texts["system"],
        principles=_listed(texts["principles"]),
        form=_listed(chosen["form"]),
        rules=f"{optional}\n\n" if optional else "",
        example=_example(chosen["example"], texts, style, language),
    )
    user = fill(texts["user"], context=context, question=question.strip())
    return Prompt(system, user, context, answer_schema(read) if style == "json" else None, notes)


def answer_schema(sources: Any) -> dict[str, Any]:
    """The JSON schema of an answer in the style ``"json"``, strict enough for structured outputs.

    >>> answer_schema(["Dogs travel free.", "Bicycles cost 4 euros."])["required"]
    ['answer', 'citations']
    """
    allowed = sorted(set(numbers(read_sources(sources))))
    citation = {
        "type": "object",
        "properties": {"source": {"type": "integer", "enum": allowed}, "quote": {"type": "string"}},
        "required": ["source", "quote"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"answer": {"type": "string"}, "citations": {"type": "array", "items": citation}},
        "required": ["answer", "citations"],
        "additionalProperties": False,
    }


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _example(example: Mapping[str, Any], texts: Mapping[str, Any], style: str, language: str) -> str:
    """The worked example: its sources as blocks, the question and an answer that cites them."""
    shown = tuple(Source(**source) for source in example["sources"])
    marks = None if style in ("numbered", "json") else marks_for(shown, style, language, texts["marks"]).marks
    context = format_context(shown, language=language, marks=marks)
    return f"{context}\n\n{fill(texts['example'], question=example['question'], answer=example['answer'])}"


def _notes(marks: Marks, sources: tuple[Source, ...], language: str) -> Iterable[str]:
    if marks.by_id:
        names = ", ".join(str(sources[i].id) for i in marks.by_id)
        yield messages.text("write", "named_by_id", language, count=len(marks.by_id), names=names)
    if marks.by_number:
        names = ", ".join(marks.marks[i] for i in marks.by_number)
        yield messages.text("write", "named_by_number", language, count=len(marks.by_number), names=names)
