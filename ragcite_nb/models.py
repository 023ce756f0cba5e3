"""The data that flows through the checker: what goes in, what each stage found, what comes out.

Everything here is plain data with no knowledge of providers, pandas or display. All spans are half-open and count
Unicode code points: spans of the answer index ``Answer.text``, spans of a source index that source's ``text``.
``source`` fields are 0-based positions in the sequence of sources.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ragcite_nb import messages

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from ragcite_nb.display.widget import CitedAnswer
    from ragcite_nb.mend import Repair, Suggestion

SCHEMA_VERSION = 1
"""Version of the shape that :meth:`CheckResult.to_dict` returns."""

MarkerKind = Literal["citation", "malformed", "provenance"]
CitationStatus = Literal["valid", "unknown", "ambiguous"]
SentenceKind = Literal["claim", "abstention", "question", "heading", "lead_in", "aside"]
QuoteOrigin = Literal["answer", "structured", "provider"]
QuoteStatus = Literal["verbatim", "normalized", "elided", "near", "altered", "elsewhere", "absent", "unverifiable"]
Severity = Literal["error", "warning", "info"]


class InputError(ValueError):
    """Input that cannot be read; the message says what was found, where, and what is accepted."""


OPTIONAL_SYNTAXES = ("paren", "superscript", "curly")
"""Marker syntaxes that are read only on request, because they have too many innocent look-alikes."""


@dataclass(frozen=True, slots=True)
class Options:
    """How an answer is judged. All fields are keyword options of :func:`ragcite_nb.check`.

    Attributes:
        first_number: the number of the first source in bare markers such as ``[1]``; 0 for zero-based logs. Syntax
            families with a base of their own (``[ID:0]``, ``##0$$``, ``<co: 0>``) keep it.
        syntaxes: opt-in marker syntaxes: ``"paren"`` for ``(1)``, ``"superscript"`` for ``¹²``, ``"curly"`` for ``{1}``.
        scope: ``"sentence"``: a marker covers its sentence; ``"block"``: a marker that ends a paragraph or a list's
            lead-in covers the whole paragraph or list.
        claims: ``"default"``: greetings, offers, headings and the like need no citation; ``"all"``: every sentence does.
        name_threshold: how alike the letters of a cited name and a source's name must be, 0 to 1. Digits must always agree.
        language: ``"auto"`` or a two-letter code; decides which sentence and claim rules apply.
        locale: language of messages, ``"en"``, ``"fr"`` or ``"de"``; ``None`` follows the answer's language.
        min_quote: shortest quoted text that is checked, in characters; a CJK character counts as 2.

    >>> Options(scope="block").scope
    'block'
    """

    first_number: int = 1
    syntaxes: tuple[str, ...] | None = None
    scope: Literal["sentence", "block"] = "sentence"
    claims: Literal["default", "all"] = "default"
    name_threshold: float = 0.8
    language: str = "auto"
    locale: str | None = None
    min_quote: int = 8

    def __post_init__(self) -> None:
        if isinstance(self.syntaxes, str):
            object.__setattr__(self, "syntaxes", (self.syntaxes,))
        elif self.syntaxes is not None:
            object.__setattr__(self, "syntaxes", tuple(self.syntaxes))
        if isinstance(self.first_number, bool) or self.first_number not in (0, 1):
            raise InputError(f"first_number={self.first_number!r}: accepted are 0 and 1")
        _one_of("scope", self.scope, ("sentence", "block"))
        _one_of("claims", self.claims, ("default", "all"))
        for syntax in self.syntaxes or ():
            _one_of("syntaxes", syntax, OPTIONAL_SYNTAXES)
        if self.locale is not None:
            _one_of("locale", self.locale, messages.LOCALES)
        if isinstance(self.name_threshold, bool) or not 0 <= self.name_threshold <= 1:
            raise InputError(f"name_threshold={self.name_threshold!r}: a number from 0 to 1 is accepted")
        if isinstance(self.min_quote, bool) or not isinstance(self.min_quote, int) or self.min_quote < 1:
            raise InputError(f"min_quote={self.min_quote!r}: a whole number of at least 1 is accepted")
        if not isinstance(self.language, str) or not re.fullmatch("auto|[a-z]{2,3}", self.language):
            raise InputError(
                f"language={self.language!r}: 'auto' or a code in small letters, such as 'fr', is accepted"
            )

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Options:
        """Options from keywords; an unknown one raises a ``TypeError`` that names the near one.

        >>> Options.of({"scop": "block"})
        Traceback (most recent call last):
            ...
        TypeError: unknown option 'scop'; did you mean 'scope'? The options are first_number, syntaxes, ...
        """
        known = [f.name for f in fields(cls)]
        for name in options:
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1)
                hint = f"; did you mean {near[0]!r}?" if near else "."
                raise TypeError(f"unknown option {name!r}{hint} The options are {', '.join(known)}")
        return cls(**options)


def _one_of(name: str, value: object, accepted: Sequence[str]) -> None:
    if value not in accepted:
        raise InputError(f"{name}={value!r}: accepted are {', '.join(map(repr, accepted))}")


@dataclass(frozen=True, slots=True)
class Source:
    """One source as it was sent to the model: a text and what is known about it.

    ``confidence`` is a statement about the source's reliability, 0 to 1. A retrieval score is something else and belongs
    into ``metadata``.

    >>> Source("Returns take 30 days.", title="CGV", version="2.1").name
    'CGV v2.1'
    """

    text: str | None = None
    id: str | int | None = None
    title: str | None = None
    url: str | None = None
    document_type: str | None = None
    section: str | None = None
    page: int | str | None = None
    version: str | None = None
    last_updated: str | None = None
    confidence: float | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str | None:
        """What people call the source: its title with its version, else its id; ``None`` if it has neither."""
        if self.title:
            version = self.version
            if version and version.casefold() not in self.title.casefold():
                return f"{self.title} {version if version[:1] in 'vV' else 'v' + version}"
            return self.title
        return None if self.id is None else str(self.id)

    def to_citation(self, locale: str = "en") -> str:
        """The source in the written form of its trade, in English, French or German; the checker reads it back.

        >>> Source(title="CGV", section="5.2", page=12, version="2.3", last_updated="2024-01-15").to_citation("fr")
        'CGV | Section: 5.2 | Page 12 | v2.3 | MAJ: 15/01/2024'
        """
        from ragcite_nb.citation_form import to_citation

        return to_citation(self, locale)

    @classmethod
    def from_document(cls, document: Any, **known: Any) -> Source:
        """A source from a document of a framework (LangChain, LlamaIndex, Haystack, …), a dict or a text.

        Args:
            document: the document.
            known: fields to set or to replace.

        >>> document = {"page_content": "Dogs travel free.", "metadata": {"source": "faq.md", "page": 3}}
        >>> Source.from_document(document, version="1.2").name
        'faq.md v1.2'
        """
        from ragcite_nb.read.sources import source_from

        return replace(source_from(document), **known)


class ProviderCitation(NamedTuple):
    """A citation that came as data beside or instead of a marker: from a provider's fields or from a JSON answer.

    The first of these that is given and fits decides which source is meant: ``payload_source`` (only when the payload's
    own sources are used), ``sent_source``, ``id``, ``url``, ``title``, and last ``reference``, read like the inside of a marker.

    Attributes:
        reference: what people see, as text: ``"2"``, ``"Returns FAQ"``.
        start, end: span of answer text that it supports; ``n, n`` for an insertion point; ``None`` without a place.
        quote: text of the *source* that it quotes; never text of the answer.
        origin: ``"provider"`` or ``"structured"`` (the JSON that the model itself wrote).
        locator: page, section or character range in the source, as text.
        payload_source: position in ``Answer.sources``.
        sent_source: position among the sources that were sent with the request.
        complete: False when the log was cut inside it: its quote is then not judged.
    """

    reference: str
    start: int | None = None
    end: int | None = None
    quote: str | None = None
    origin: Literal["structured", "provider"] = "provider"
    locator: str | None = None
    payload_source: int | None = None
    sent_source: int | None = None
    id: str | None = None
    url: str | None = None
    title: str | None = None
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered, whatever shape it came in.

    Attributes:
        text: the answer itself, without reasoning; "" for none.
        reasoning: thinking that came with it; never checked.
        format: how it was read: ``"text"``, ``"ollama.chat"``, ``"openai.chat"``, ``"json"``, …
        structured: the text was unpacked from JSON that the model wrote.
        finish_reason: the provider's own word for why generation stopped.
        truncated: the answer or its log was cut off.
        refusal: the refusal or the safety stop, in the provider's words.
        citations: citations that came as data.
        sources: the payload's own sources; ``None`` when the format carries none.
        misplaced: citations whose offsets fit no text and were dropped to ``None``.
    """

    text: str = ""
    reasoning: str | None = None
    format: str = "text"
    structured: bool = False
    finish_reason: str | None = None
    truncated: bool = False
    refusal: str | None = None
    prompt_tokens: int | None = None
    output_tokens: int | None = None
    citations: tuple[ProviderCitation, ...] = ()
    sources: tuple[Source, ...] | None = None
    misplaced: int = 0


@dataclass(frozen=True, slots=True)
class Marker:
    """One mark in the answer, such as ``[1, 3]``. ``citations`` are positions in ``CheckResult.citations``."""

    start: int
    end: int
    raw: str
    syntax: str
    kind: MarkerKind
    locator: str | None
    url: str | None
    text_start: int | None
    text_end: int | None
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Citation:
    """One reference of one marker, or one provider citation, and the source that it fits."""

    marker: int | None
    sentence: int | None
    reference: str
    status: CitationStatus
    source: int | None
    sources: tuple[int, ...]
    nearest: int | None
    score: float | None
    locator: str | None
    start: int | None
    end: int | None


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of the answer. ``citations`` are positions in ``CheckResult.citations``."""

    start: int
    end: int
    text: str
    kind: SentenceKind
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """One quoted text and where it stands in the sources, if it does."""

    text: str
    start: int | None
    end: int | None
    origin: QuoteOrigin
    citation: int | None
    sources: tuple[int, ...]
    status: QuoteStatus
    found_in: tuple[int, ...]
    source: int | None
    source_start: int | None
    source_end: int | None
    score: float | None
    warnings: tuple[str, ...]

    @property
    def found(self) -> bool:
        """Whether the quote stands in the cited source: verbatim, normalized, or elided without a warning."""
        return self.status in ("verbatim", "normalized") or (self.status == "elided" and not self.warnings)


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry of the answer's own closing list of sources."""

    start: int
    end: int
    label: str
    source: int | None
    status: CitationStatus


@dataclass(frozen=True, slots=True)
class Alert:
    """Something that the reader of the answer should know."""

    code: str
    severity: Severity
    params: Mapping[str, Any] = field(default_factory=dict)
    locale: str = "en"

    @property
    def message(self) -> str:
        """One sentence that names citation and source."""
        return messages.text("alerts", self.code, self.locale, part="message", **self.params)

    @property
    def meaning(self) -> str:
        """What this means and what to do."""
        return messages.text("alerts", self.code, self.locale, part="meaning", **self.params)


FAIL_ON = ("invalid_citation", "quote_altered", "quote_absent", "no_sources")
"""Alert codes that fail :meth:`CheckResult.ok` by default: those of severity ``"error"``."""


@dataclass(frozen=True, slots=True, repr=False)
class CheckResult:
    """What a check found. In a notebook it shows itself; ``print`` gives a summary.

    Attributes:
        unused_sources: positions of the sources that no citation cites.
        times_cited: for each source, how many citations cite it.
        traceability_score: share of claims with at least one valid citation, 0 to 1; ``None`` without claims or when
            the citations have no place in the text.
        placed: whether the citations have a place in the text, so that sentences can be called uncited.
    """

    answer: Answer
    sources: tuple[Source, ...]
    sources_format: str
    markers: tuple[Marker, ...]
    citations: tuple[Citation, ...]
    sentences: tuple[Sentence, ...]
    quotes: tuple[QuoteCheck, ...]
    reference_list: tuple[Reference, ...]
    unused_sources: tuple[int, ...]
    times_cited: tuple[int, ...]
    traceability_score: float | None
    fully_sourced: bool
    abstained: bool
    placed: bool
    alerts: tuple[Alert, ...]
    language: str
    locale: str
    options: Options

    @property
    def text(self) -> str:
        """The answer's text."""
        return self.answer.text

    @property
    def truncated(self) -> bool:
        """Whether the answer or its log was cut off."""
        return self.answer.truncated

    @property
    def valid_citations(self) -> tuple[Citation, ...]:
        """Citations that fit one document among the sources."""
        return tuple(c for c in self.citations if c.status == "valid")

    @property
    def invalid_citations(self) -> tuple[Citation, ...]:
        """Citations that fit no source, or different documents."""
        return tuple(c for c in self.citations if c.status != "valid")

    @property
    def claims(self) -> tuple[Sentence, ...]:
        """Sentences that need a citation."""
        return tuple(s for s in self.sentences if s.kind == "claim")

    @property
    def uncited_sentences(self) -> tuple[Sentence, ...] | None:
        """Claims without any citation; ``None`` when the citations have no place in the text."""
        return tuple(s for s in self.claims if not s.citations) if self.placed else None

    @property
    def quotes_not_found(self) -> tuple[QuoteCheck, ...]:
        """Quotes that do not stand in the cited source: near, altered, elsewhere, absent, elided with a warning."""
        return tuple(q for q in self.quotes if not q.found and q.status != "unverifiable")

    def label(self, index: int) -> str:
        """What people call source ``index``: its name, else its number.

        >>> import ragcite_nb as rc
        >>> rc.check("It is free [1].", ["Dogs travel free."]).label(0)
        '1'
        """
        return self.sources[index].name or str(index + self.options.first_number)

    def ok(self, fail_on: Iterable[str] = FAIL_ON) -> bool:
        """Whether none of the alerts ``fail_on`` is present; the gate for one answer.

        Raises:
            InputError: for a code that does not exist.

        >>> import ragcite_nb as rc
        >>> rc.check("It is free [7].", ["Dogs travel free."]).ok()
        False
        """
        from ragcite_nb.score import SEVERITY

        codes = (fail_on,) if isinstance(fail_on, str) else tuple(fail_on)
        for code in codes:
            if code not in SEVERITY:
                near = difflib.get_close_matches(code, SEVERITY, n=1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                raise InputError(f"unknown alert {code!r}{hint}; the alerts are {', '.join(SEVERITY)}")
        return not any(alert.code in codes for alert in self.alerts)

    def to_dict(self) -> dict[str, Any]:
        """The whole result as plain JSON data (``schema_version`` 1).

        >>> import ragcite_nb as rc
        >>> rc.check("It is free [1].", ["Dogs travel free."]).to_dict()["citations"][0]["status"]
        'valid'
        """
        answer = {
            name: getattr(self.answer, name)
            for name in ("text", "reasoning", "format", "structured", "finish_reason", "truncated", "refusal")
        }
        answer |= {"prompt_tokens": self.answer.prompt_tokens, "output_tokens": self.answer.output_tokens}
        answer["sources_format"] = self.sources_format
        return {
            "schema_version": SCHEMA_VERSION,
            "answer": answer,
            "sources": [
                {"index": i, "label": self.label(i)}
                | {name: plain(getattr(source, name)) for name in source.__dataclass_fields__}
                | {"times_cited": self.times_cited[i]}
                for i, source in enumerate(self.sources)
            ],
            "markers": [_plain_fields(m) for m in self.markers],
            "citations": [_plain_fields(c) for c in self.citations],
            "sentences": [_plain_fields(s) for s in self.sentences],
            "quotes": [_plain_fields(q) for q in self.quotes],
            "reference_list": [_plain_fields(r) for r in self.reference_list],
            "unused_sources": list(self.unused_sources),
            "traceability_score": self.traceability_score,
            "fully_sourced": self.fully_sourced,
            "abstained": self.abstained,
            "alerts": [
                {"code": a.code, "severity": a.severity, "message": a.message, "params": plain(a.params)}
                for a in self.alerts
            ],
        }

    # The methods below hand over to stages that build on this one; they are imported where they are called.

    def show(self) -> CitedAnswer:
        """The answer as an interactive widget."""
        from ragcite_nb.display.widget import CitedAnswer

        return CitedAnswer(self)

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """A self-contained page that needs neither network nor JavaScript; written to ``path`` if given."""
        from ragcite_nb.display.html import page, write

        return write(page(self), path)

    def suggest(self) -> tuple[Suggestion, ...]:
        """What could be meant where a citation, a quote or a missing citation is at fault; nothing is changed."""
        from ragcite_nb.mend import suggest

        return suggest(self)

    def repair(self, suggestions: Iterable[Suggestion]) -> Repair:
        """Apply the chosen suggestions and check again: the new text, a diff and the new result."""
        from ragcite_nb.mend import repair

        return repair(self, suggestions)

    def _repr_html_(self) -> str:
        from ragcite_nb.display.html import fragment

        return fragment(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:  # noqa: ARG002
        return {"text/plain": str(self), "text/html": self._repr_html_()}

    def __str__(self) -> str:
        from ragcite_nb.display.text import summary

        return summary(self)

    __repr__ = __str__


def plain(value: Any) -> Any:
    """``value`` as JSON data: containers rebuilt, scalars of numpy and pandas unboxed, anything else as its text.

    >>> plain({"page": 3, "tags": ("a", "b")})
    {'page': 3, 'tags': ['a', 'b']}
    """
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else None  # NaN and infinities are not JSON
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(v) for v in value]
    if callable(getattr(value, "tolist", None)):
        return plain(value.tolist())
    return str(value)


def _plain_fields(item: Any) -> dict[str, Any]:
    return {name: list(v) if isinstance(v := getattr(item, name), tuple) else v for name in item.__dataclass_fields__}
