"""The check of one answer, from what the caller has to what the caller wants: a result, or a frame's row of counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragcite_nb import score
from ragcite_nb.examine import Examined, examine
from ragcite_nb.messages import LOCALES
from ragcite_nb.models import (
    Answer,
    CheckResult,
    Citation,
    Marker,
    Options,
    QuoteCheck,
    Reference,
    Sentence,
    Source,
)
from ragcite_nb.quoted import bare
from ragcite_nb.quotes import FoldCache, Searcher
from ragcite_nb.read import describe_sources, is_plain, plain_sources, read_answer
from ragcite_nb.resolve import Resolved, SourceIndex, is_described
from ragcite_nb.scan import Scanner

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def check(answer: Any, sources: Any = None, **options: Any) -> CheckResult:
    """Check whether the citations of an answer hold against the sources that were sent to the model.

    Args:
        answer: the answer's text, or anything that holds it: a response of a model, an SDK or a framework as object, dict, JSON,
            NDJSON or SSE text; a ``messages`` list; JSON such as ``{"answer": …, "citations": [{"source": n, "quote": …}]}``.
        sources: the sources in the order in which they were numbered: texts, dicts, documents, a JSON string of those, one text
            with blocks separated by lines of ``---``, a mapping from label to text, a frame. ``None`` takes those in ``answer``.
        options: the fields of :class:`~ragcite_nb.models.Options`.

    Raises:
        InputError: for input that cannot be read; it says what was found and what is accepted.
        TypeError: for an unknown option.

    >>> result = check("Dogs ride free [1]. Bikes cost 4 euros [3].", ["Dogs travel free of charge.", "Bikes cost 4 euros."])
    >>> [(c.reference, c.status) for c in result.citations], result.traceability_score
    ([('1', 'valid'), ('3', 'unknown')], 0.5)
    """
    return Checker(Options.of(options)).result(answer, sources)


class Checker:
    """Checks many answers with the same options, and remembers what can be remembered between them."""

    def __init__(self, options: Options | None = None, *, corpus: Any = None) -> None:
        self.options = options or Options()
        self.corpus = corpus
        self._scanner = Scanner(self.options.syntaxes or ())
        self._folded = FoldCache()
        self._plain: dict[int, SourceIndex] = {}

    # ------------------------------------------------------------------------------------------------------- one answer
    def result(self, answer: Any, sources: Any = None) -> CheckResult:
        """Check one answer and build its result."""
        read = answer if isinstance(answer, Answer) else read_answer(answer)
        found, how = describe_sources(sources, self.corpus) if self.corpus is not None else describe_sources(sources)
        own = found is None
        if found is None:
            found, how = (read.sources, "payload") if read.sources is not None else ((), "none")
        x = self._begin(read, found, own_sources=own)
        examine([x], self._scanner, self._folded)
        return self.build(x, read, found, how)

    def _begin(self, read: Answer, sources: Sequence[Source], *, own_sources: bool) -> Examined:
        """An answer that was read, ready to be examined."""
        texts = [s.text for s in sources]
        if not any(map(is_described, sources)):
            index = self._plain_index(len(sources))
        else:
            index = SourceIndex(len(sources), self.options.first_number, sources, self.options.name_threshold)
        x = Examined(read.text, texts, index, self.options, read, own_sources=own_sources)
        x.duplicates = _duplicates(texts, index)
        return x

    def _plain_index(self, count: int) -> SourceIndex:
        index = self._plain.get(count)
        if index is None:
            index = self._plain[count] = SourceIndex(count, self.options.first_number)
        return index

    # ------------------------------------------------------------------------------------------------------ frame's rows
    def rows(self, rows: Iterable[tuple[Any, Any]]) -> list[tuple[Any, ...]]:
        """The values of a frame's columns for some rows, in the order of ``frame.SCHEMA`` without ``cite_error``.

        Args:
            rows: answer and sources of each.

        Raises:
            InputError: for a cell that cannot be read.
        """
        return [values(x) for x in self.examined(rows)]

    def examined(self, rows: Iterable[tuple[Any, Any]]) -> list[Examined]:
        """Examine some rows, each an answer and its sources, without building objects."""
        found = [self.read(answer, sources) for answer, sources in rows]
        examine(found, self._scanner, self._folded)
        return found

    def read(self, answer: Any, sources: Any) -> Examined:
        """One row, read and ready to be examined."""
        texts = plain_sources(sources) if self.corpus is None else None
        if texts is not None and type(answer) is str and is_plain(answer):
            x = Examined(answer, texts, self._plain_index(len(texts)), self.options)
            x.duplicates = _duplicates(texts)
            return x
        read = read_answer(answer)
        found = describe_sources(sources, self.corpus)[0] if self.corpus is not None else describe_sources(sources)[0]
        own = found is None
        return self._begin(read, (read.sources or ()) if found is None else found, own_sources=own)

    # ---------------------------------------------------------------------------------------------------------- objects
    def build(self, x: Examined, read: Answer, sources: Sequence[Source], how: str) -> CheckResult:
        """Objects from an examined answer."""
        sources = tuple(sources)
        markers, citations = _citations(x)
        of_sentence = _of_sentences(x, markers, citations)
        sentence_of = _sentence_of(x, markers, citations)
        times = [0] * len(sources)
        for _, _, r, _, _ in citations:
            if r.status == "valid":
                for s in r.sources:
                    times[s] += 1
        quotes = self._quotes(x, citations, [s.text for s in sources], of_sentence)
        locale = self.options.locale or (x.language if x.language in LOCALES else "en")
        result = CheckResult(
            answer=read,
            sources=sources,
            sources_format=how,
            markers=markers,
            citations=tuple(
                Citation(
                    mark, sentence_of.get(i), r.reference, r.status, _best(r, i, quotes), r.sources, r.nearest, r.score,
                    r.locator, start, end,
                )
                for i, (mark, _, r, start, end) in enumerate(citations)
            ),
            sentences=tuple(
                Sentence(s.start, s.end, x.text[s.start : s.end], s.kind, tuple(of_sentence[i]))
                for i, s in enumerate(x.named_sentences())
            ),
            quotes=quotes,
            reference_list=tuple(
                Reference(e.start, e.end, r.reference, r.source, r.status) for e, r in x.references
            ),
            unused_sources=tuple(i for i in range(len(sources)) if not x.cited_bits >> i & 1),
            times_cited=tuple(times),
            traceability_score=x.score,
            fully_sourced=x.score is not None and x.score >= score.FULLY,
            abstained=x.abstained,
            placed=x.placed,
            alerts=(),
            language=x.language,
            locale=locale,
            options=self.options,
        )  # fmt: skip
        object.__setattr__(result, "alerts", score.alerts(x, result))
        return result

    def _quotes(
        self,
        x: Examined,
        citations: Sequence[_Cited],
        texts: Sequence[str | None],
        of_sentence: Sequence[Sequence[int]],
    ) -> tuple[QuoteCheck, ...]:
        searcher = Searcher(texts, self._folded)
        first_of: dict[int, int] = {}
        of_data: dict[int, int] = {}
        for i, (mark, data, _, _, _) in enumerate(citations):
            if mark is not None:
                first_of.setdefault(mark, i)
            if data is not None:
                of_data.setdefault(data, i)
        found = []
        for q, status in zip(x.quotes, x.quote_statuses, strict=True):
            if q.mark is not None:
                citation = first_of.get(q.mark)
            elif q.data is not None:
                mark = x.data[q.data][2]
                citation = of_data.get(q.data, first_of.get(mark) if mark is not None else None)
            else:
                citation = next(iter(of_sentence[q.sentence]), None) if q.sentence is not None else None
            if q.unchecked:
                found.append(
                    QuoteCheck(
                        q.text,
                        q.start,
                        q.end,
                        "answer",
                        citation,
                        q.cited,
                        "unverifiable",
                        (),
                        None,
                        None,
                        None,
                        None,
                        (q.unchecked,),
                    )
                )
                continue
            v = searcher.check(bare(x, q), q.cited)
            found.append(
                QuoteCheck(
                    q.text,
                    q.start,
                    q.end,
                    q.origin,
                    citation,
                    q.cited,
                    status,
                    tuple(v.found_in),
                    v.source,
                    v.start,
                    v.end,
                    v.score,
                    tuple(v.warnings),
                )
            )
        return tuple(found)


_Cited = tuple["int | None", "int | None", Resolved, "int | None", "int | None"]
"""A citation before it is built: its marker, the provider citation that it came as, what it fits, and its span."""


def values(x: Examined) -> tuple[Any, ...]:
    """The columns of ``frame.SCHEMA`` but ``cite_error``."""
    quotes = x.quote_statuses
    return (
        x.valid,
        x.unknown + x.ambiguous,
        x.uncited if x.placed else None,
        x.score,
        len(x.sentences),
        x.claims,
        len(quotes),
        x.quotes_not_found,
        x.index.count - x.cited_bits.bit_count(),
        x.truncated,
        x.abstained,
        "; ".join(score.codes(x)),
    )


def _citations(x: Examined) -> tuple[tuple[Marker, ...], list[_Cited]]:
    """Markers and citations in the order of their places, citations without a place last."""
    free = sorted(
        (
            (given.start, given.end, d)
            for d, (given, _, mark) in enumerate(x.data)
            if mark is None and given.start is not None
        ),
        key=lambda item: item[:2],
    )
    marks = x.scan.named()
    markers: list[Marker] = []
    citations: list[_Cited] = []
    at = 0
    for number, mark in enumerate(marks):
        while at < len(free) and (free[at][0] or 0) < mark.start:
            start, end, d = free[at]
            citations.append((None, d, x.data[d][1], start, end))
            at += 1
        reading = mark.reading
        first = len(citations)
        if reading.kind == "citation":
            citations += [(number, None, r, mark.start, mark.end) for r in reading.citations]
        text_start, text_end = mark.wraps or (None, None)
        kind = reading.kind if reading.kind != "leaked" else "provenance"
        markers.append(
            Marker(
                mark.start, mark.end, x.text[mark.start : mark.end], reading.parsed.syntax, kind, reading.locator, mark.url,
                text_start, text_end, tuple(range(first, len(citations))),
            )
        )  # fmt: skip
    for start, end, d in free[at:]:
        citations.append((None, d, x.data[d][1], start, end))
    citations += [
        (None, d, resolved, None, None)
        for d, (given, resolved, mark) in enumerate(x.data)
        if mark is None and given.start is None
    ]
    return tuple(markers), citations


def _of_sentences(x: Examined, markers: Sequence[Marker], citations: Sequence[_Cited]) -> list[list[int]]:
    """For each sentence the positions of its citations."""
    of_data = {d: i for i, (_, d, _, _, _) in enumerate(citations) if d is not None}
    found = []
    for i, s in enumerate(x.named_sentences()):
        mine = [c for k in range(s.first, s.last) for c in markers[k].citations]
        mine += [c for k in x.covered.get(i, ()) for c in markers[k].citations]
        if x.data_sentences:
            mine += [of_data[d] for d in x.data_sentences[i]]
        found.append(sorted(set(mine)))
    return found


def _sentence_of(x: Examined, markers: Sequence[Marker], citations: Sequence[_Cited]) -> dict[int, int]:
    """The sentence in which each citation stands, or the first one that its span overlaps."""
    found = {
        c: i for i, s in enumerate(x.named_sentences()) for k in range(s.first, s.last) for c in markers[k].citations
    }
    of_data = {d: i for i, (_, d, _, _, _) in enumerate(citations) if d is not None}
    for i, data in enumerate(x.data_sentences):
        for d in data:
            found.setdefault(of_data[d], i)
    return found


def _best(resolved: Resolved, citation: int, quotes: Sequence[QuoteCheck]) -> int | None:
    """Of a document in chunks, the one in which the citation's quote is found, else the first."""
    if resolved.status == "valid" and len(resolved.sources) > 1:
        for q in quotes:
            if q.citation == citation and q.found and q.source in resolved.sources:
                return q.source
    return resolved.source


_END = 60
"""Characters at the end of a text that tell it from others of its length, cheaply."""


def _duplicates(texts: Sequence[str | None], index: SourceIndex | None = None) -> list[int]:
    """Sources that have the text of an earlier one, or its number: the chunks of one document share a name, not a number."""
    numbered = index.by_id if index is not None else None
    if numbered is None:
        # Texts are long: most differ in length, or else at their ends.
        if len(set(map(len, filter(None, texts)))) == len(texts):
            return []
        if len({(len(text), text[-_END:]) for text in texts if text}) == len(texts):
            return []
    found: set[int] = set()
    seen: set[str] = set()
    for i, text in enumerate(texts):
        if text:
            if text in seen:
                found.add(i)
            seen.add(text)
    if numbered is not None:
        found.update(i for positions in numbered.values() for i in positions[1:])
    return sorted(found)
