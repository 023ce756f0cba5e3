"""The widgets: one answer with its evidence, and an explorer over many.

A notebook without a kernel, an export or a code host shows their static HTML, which is in the same output.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from ragcite_nb.display import html
from ragcite_nb.display.explorer import AnswerExplorer
from ragcite_nb.display.text import summary
from ragcite_nb.display.widget_base import AnswerWidget
from ragcite_nb.models import CheckResult

if TYPE_CHECKING:
    from os import PathLike

__all__ = ["AnswerExplorer", "CitedAnswer"]


class CitedAnswer(AnswerWidget):
    """An answer whose citation badges open the evidence.

    Args:
        answer: a result of :func:`ragcite_nb.check`, or an answer in any form that ``check`` reads.
        sources: the sources, as for ``check``.
        options: the options of ``check``.

    An answer that is a text grows as it came: what looks like text may turn out to be reasoning or JSON with the next piece.
    A checked result, or another payload, grows from the text that was read.

    >>> import ragcite_nb as rc
    >>> widget = CitedAnswer("Dogs are free [1].", ["Dogs travel free of charge."])
    >>> widget.append(" Bikes pay [2].")
    >>> [badge["state"] for badge in widget.view["badges"]]
    ['valid', 'unknown']
    """

    def __init__(self, answer: Any, sources: Any = None, **options: Any) -> None:
        if isinstance(answer, CheckResult):
            if sources is not None or options:
                raise TypeError("a checked result takes neither sources nor options; pass those to check()")
            result = answer
            options = {f.name: getattr(result.options, f.name) for f in fields(result.options)}
        else:
            from ragcite_nb.check import check

            result = check(answer, sources, **options)
        self._options = options
        if isinstance(answer, str):
            self._grown, self._sources = answer, sources
        else:
            self._grown, self._sources = result.text, result.sources or None if sources is None else sources
        self._result = result
        super().__init__()
        self._draw(result)

    @property
    def result(self) -> CheckResult:
        """The result that is shown."""
        return self._result

    def append(self, text: str) -> None:
        """Add the next piece of a stream; the whole text is checked and drawn anew, and what is open stays open."""
        from ragcite_nb.check import check

        self._grown += text
        result = check(self._grown, self._sources, **self._options)
        if self._sources is not None:  # else they are the answer's own, which come with it
            result = replace(result, sources_format=self._result.sources_format)
        self._result = result
        self._draw(result)

    def save(self, path: str | PathLike[str]) -> None:
        """Write a page that needs neither kernel nor network, with the verdicts given so far."""
        view = self._verified_view()
        html.write(html.document(view["title"], view["locale"], html.section(view, style=False)), path)

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return self._bundle(self._static(self._verified_view()), str(self))

    def __str__(self) -> str:
        return summary(self._result)

    __repr__ = __str__
