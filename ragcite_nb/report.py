"""A report over many checked answers: rates with intervals, groups compared, the rows to look at.

A report holds sums (:mod:`ragcite_nb.reporting.tally`), not rows, so reports on parts of a table add up to the report
on the whole. Only :meth:`Report.worst` and :meth:`Report.failing` need the rows: a report keeps a reference to its
frame for them, and a sum of reports has none.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pandas as pd

from ragcite_nb import messages
from ragcite_nb.models import InputError
from ragcite_nb.reporting import aggregate
from ragcite_nb.reporting.aggregate import alert_codes
from ragcite_nb.reporting.comparison import Comparison, Group, compare
from ragcite_nb.reporting.pairing import question_column
from ragcite_nb.reporting.tally import Tally
from ragcite_nb.score import SEVERITY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike

    from matplotlib.figure import Figure


def report(
    df: pd.DataFrame,
    by: str | Sequence[str] | None = None,
    answer: Any = None,
    sources: Any = None,
    *,
    corpus: Any = None,
    prefix: str = "",
    pair_on: str | None = None,
    verifications: Any = None,
    locale: str | None = None,
    **options: Any,
) -> Report:
    """Sum up a frame of answers; it is checked first unless it holds the columns of a check already.

    A checked frame is checked anew when columns or options are given here.

    Args:
        df: the answers, one a row; never changed.
        by: column or columns whose values are compared, such as ``"model"``.
        answer: the column of answers; like ``sources``, ``corpus`` and the options as for
            :func:`ragcite_nb.check_frame`.
        sources: the column of sources.
        corpus: texts by id, when the sources are ids.
        prefix: in front of the names of the columns that a check adds.
        pair_on: column that says which question a row answers, so that groups are compared on the same questions. By
            default the first there is of ``question``, ``query``, ``user_input``, ``user_query``, ``question_id``,
            ``qid``, ``input``, ``prompt``, ``id``.
        verifications: what users verified: a column, an ``AnswerExplorer`` over the frame, a mapping from row position,
            or one value per row (a count, a collection, or a ``CitedAnswer``). By default the column
            ``user_verifications`` if there is one.
        locale: language of the report, ``"en"``, ``"fr"`` or ``"de"``.
        **options: the fields of :class:`ragcite_nb.Options`.

    Raises:
        InputError: for columns that do not exist; the message names those that do.

    >>> df = pd.DataFrame({
    ...     "model": ["a", "b"], "answer": ["It is free [1].", "It is free [7]."], "sources": [["It is free."]] * 2,
    ... })
    >>> report(df, by="model").groups["b"].invalid_citations
    1
    """
    from ragcite_nb.frame import check_frame, is_checked

    # Columns may have numbers for names.
    names: Any = () if by is None else by if pd.api.types.is_list_like(by) else (by,)
    columns: tuple[str, ...] = tuple(dict.fromkeys(names))
    require_columns(df.columns, columns, pair_on)
    if locale is not None and locale not in messages.LOCALES:
        raise InputError(f"locale={locale!r}: accepted are {', '.join(map(repr, messages.LOCALES))}")
    asked = bool(options) or any(value is not None for value in (answer, sources, corpus))
    if asked or not is_checked(df, prefix):
        df = check_frame(df, answer, sources, corpus=corpus, prefix=prefix, **options)
    pair_on = pair_on or question_column(df.columns.difference(list(columns), sort=False))
    groups = aggregate.groups(df, columns, pair_on, prefix, verifications)
    return Report(columns, _ordered(groups), pair_on, locale or "en", prefix, df)


def require_columns(names: pd.Index, by: Sequence[str] = (), pair_on: str | None = None) -> None:
    """Refuse columns that are not there.

    >>> require_columns(pd.Index(["model", "answer"]), by=("modell",))
    Traceback (most recent call last):
        ...
    ragcite_nb.models.InputError: by='modell': no such column; did you mean 'model'? The columns are 'model', 'answer'
    """
    for keyword, name in [*(("by", column) for column in by), *([("pair_on", pair_on)] if pair_on else [])]:
        if name not in names:
            near = difflib.get_close_matches(str(name), map(str, names), n=1)
            hint = f"; did you mean {near[0]!r}?" if near else "."
            listed = ", ".join(map(repr, names.tolist()))
            raise InputError(f"{keyword}={name!r}: no such column{hint} The columns are {listed}")


def _ordered(groups: Iterable[Group]) -> tuple[Group, ...]:
    """By their labels, numbers as numbers: the order of the rows must not show in the report."""

    def place(group: Group) -> tuple[tuple[int, float, str], ...]:
        return tuple(
            (0, float(value), "")
            if isinstance(value, (int, float))
            else (1 if value is not None else 2, 0.0, str(value))
            for value in group.labels.values()
        )

    return tuple(sorted(groups, key=place))


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """What is known about many answers, altogether and by group; made by :func:`report`.

    In a notebook a report shows itself; ``print`` gives a summary. ``a + b`` is the report on the rows of both.

    Attributes:
        by: the columns that the groups come from; empty without groups.
        parts: the groups with their sums; one without labels when ``by`` is empty.
        pair_on: the column that says which question a row answers, if any.
        locale: language of the report.
        prefix: in front of the names of the checked columns in ``frame``.
        frame: the checked rows, by reference; ``None`` for a sum of reports.
    """

    by: tuple[str, ...]
    parts: tuple[Group, ...]
    pair_on: str | None = None
    locale: str = "en"
    prefix: str = ""
    frame: pd.DataFrame | None = None

    @cached_property
    def total(self) -> Tally:
        """Counts and rates over all responses."""
        return sum((part.tally for part in self.parts), start=Tally())

    @property
    def groups(self) -> Mapping[Any, Tally]:
        """Counts and rates by group: by its value, or by the tuple of its values when there are several columns."""
        if not self.by:
            return {}
        return {
            next(iter(part.labels.values())) if len(self.by) == 1 else tuple(part.labels.values()): part.tally
            for part in self.parts
        }

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Every two groups compared, corrected for all comparisons together; empty for more than 25 groups."""
        return compare(self.parts)

    @property
    def total_responses(self) -> int:
        """All responses, those without a score included."""
        return self.total.total_responses

    @property
    def traceability_rate(self) -> float | None:
        """Share of responses that are fully cited; ``None`` without responses."""
        return self.total.traceability_rate

    @property
    def mean_traceability(self) -> float | None:
        """Mean score of the responses that have one; ``None`` without any."""
        return self.total.mean_traceability

    @property
    def alerts(self) -> Mapping[str, int]:
        """Responses by alert code, the most frequent first."""
        alerts: Mapping[str, int] = self.total.to_dict()["alerts"]
        return alerts

    def __add__(self, other: Report) -> Report:
        if not isinstance(other, Report):
            return NotImplemented
        if self.by != other.by:
            raise InputError(f"reports by {list(self.by)} and by {list(other.by)} do not add up; use the same columns")
        pair_on = self.pair_on if self.pair_on == other.pair_on else None
        merged: dict[tuple[Any, ...], Group] = {}
        for part in (*self.parts, *other.parts):
            key = tuple(part.labels.values())
            pairs = part.pairs if pair_on else None
            if (known := merged.get(key)) is not None:
                both = known.pairs + pairs if known.pairs is not None and pairs is not None else None
                merged[key] = Group(part.labels, known.tally + part.tally, both)
            else:
                merged[key] = Group(part.labels, part.tally, pairs)
        return Report(self.by, _ordered(merged.values()), pair_on, self.locale, self.prefix)

    def __radd__(self, other: object) -> Report:
        return self if other == 0 else NotImplemented  # sum(reports) starts from 0

    def in_locale(self, locale: str) -> Report:
        """The same report in another language."""
        if locale not in messages.LOCALES:
            raise InputError(f"locale={locale!r}: accepted are {', '.join(map(repr, messages.LOCALES))}")
        return replace(self, locale=locale)

    def worst(self, n: int = 10) -> pd.DataFrame:
        """The ``n`` rows to look at first: those with the most kinds of errors, then the lowest scores.

        Raises:
            InputError: for a sum of reports, which has no rows.
        """
        frame = self._rows("worst")

        def column(name: str) -> pd.Series:
            return frame[self.prefix + name].reset_index(drop=True)

        alerts = column("cite_alerts").astype(object)
        order = pd.DataFrame(
            {
                "errors": -alerts.map(_errors, na_action="ignore").astype("Float64").fillna(0)
                - column("cite_error").notna(),
                "score": column("traceability_score").fillna(2),  # unscored rows last
                "invalid": -column("invalid_citations").fillna(0),
                "quotes": -column("cite_quotes_not_found").fillna(0),
                "uncited": -column("uncited_sentences").fillna(0),
            }
        ).sort_values(["errors", "score", "invalid", "quotes", "uncited"], kind="stable")
        return frame.iloc[order.index[: max(0, n)].to_numpy()]

    def failing(self, code: str | None = None) -> pd.DataFrame:
        """The rows with the alert ``code``; by default those that could not be read or have an alert that is an error.

        Raises:
            InputError: for a code that does not exist, and for a sum of reports, which has no rows.
        """
        frame = self._rows("failing")
        alerts = frame[self.prefix + "cite_alerts"].astype(object)
        if code is None:
            mask = alerts.map(_errors, na_action="ignore").astype("Float64").fillna(0) > 0
            mask |= frame[self.prefix + "cite_error"].notna()
        else:
            check_code(code, self.alerts)
            mask = (
                alerts.map(lambda cell: code in alert_codes(cell), na_action="ignore")
                .astype("boolean")
                .fillna(value=False)
            )
        return frame[mask.to_numpy(dtype=bool)]

    def _rows(self, method: str) -> pd.DataFrame:
        if self.frame is None:
            raise InputError(f"{method}() needs the rows, which a sum of reports does not keep; call it on the parts")
        return self.frame

    def to_dict(self) -> dict[str, Any]:
        """Counts, rates, intervals, and with ``by`` the groups and their comparisons, as plain JSON data.

        >>> df = pd.DataFrame({"answer": ["It is free [1]."], "sources": [["It is free."]]})
        >>> report(df).to_dict()["traceability_rate"]
        1.0
        """
        data = self.total.to_dict()
        if self.by:
            data["by"] = list(self.by)
            data["pair_on"] = self.pair_on
            data["groups"] = [{"group": dict(part.labels), **part.tally.to_dict()} for part in self.parts]
            data["comparisons"] = [comparison.to_dict() for comparison in self.comparisons]
        return data

    def to_frame(self) -> pd.DataFrame:
        """One row per group (one in all without ``by``): counts, rates and the ends of their intervals."""
        rows = [_flat(part.tally) for part in self.parts]
        table = pd.DataFrame(
            {
                name: pd.array([row[name] for row in rows], dtype="Float64" if _is_rate(name) else "Int64")
                for name in _flat(Tally())
            }
        )
        if self.by:
            labels = [[part.labels[column] for part in self.parts] for column in self.by]
            table.index = (
                pd.Index(labels[0], name=self.by[0])
                if len(labels) == 1
                else pd.MultiIndex.from_arrays(labels, names=self.by)
            )
        return table

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """A self-contained page that needs neither network nor JavaScript; written to ``path`` if given."""
        from ragcite_nb.reporting.html import page

        html = page(self)
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123 - any path-like
                file.write(html)
        return html

    def plot(self) -> Figure:
        """Histogram, alerts and groups as a matplotlib figure; needs ``pip install ragcite_nb[plot]``."""
        from ragcite_nb.reporting.figure import figure

        return figure(self)

    def _repr_html_(self) -> str:
        from ragcite_nb.reporting.html import fragment

        return fragment(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:  # noqa: ARG002
        return {"text/plain": str(self), "text/html": self._repr_html_()}

    def __str__(self) -> str:
        from ragcite_nb.reporting.text import summary

        return summary(self)

    __repr__ = __str__


def _errors(cell: str) -> int:
    return sum(SEVERITY.get(code) == "error" for code in alert_codes(cell))


def _flat(tally: Tally) -> dict[str, Any]:
    """The figures of a tally as cells of one row."""
    data = tally.to_dict()
    intervals = data.pop("intervals")
    del data["alerts"], data["histogram"]
    for name, pair in intervals.items():
        data[f"{name}_low"], data[f"{name}_high"] = pair or (None, None)
    return data


def _is_rate(name: str) -> bool:
    return name.endswith(("_rate", "_low", "_high")) or name == "mean_traceability"


def check_code(code: str, present: Iterable[str] = ()) -> None:
    """Refuse an alert code that does not exist.

    >>> check_code("invalid_citations")
    Traceback (most recent call last):
        ...
    ragcite_nb.models.InputError: unknown alert 'invalid_citations'; did you mean 'invalid_citation'? The alerts are ...
    """
    if code in SEVERITY or code in present:
        return
    near = difflib.get_close_matches(code, SEVERITY, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else "."
    raise InputError(f"unknown alert {code!r}{hint} The alerts are {', '.join(SEVERITY)}")
