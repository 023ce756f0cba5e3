"""One widget for all rows of a checked frame: filter, sort, page, and look at one.

Only the visible page and the selected answer travel to the browser; Python filters and sorts when the front end changes
the trait ``query``, and checks a row again when ``row`` names it. So a frame of any length is as light as a short one.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import traitlets

from ragcite_nb.display.html import stylesheet
from ragcite_nb.display.widget_base import AnswerWidget
from ragcite_nb.display.words import Words
from ragcite_nb.models import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from ragcite_nb.models import CheckResult

PREVIEW_LENGTH = 160
MOST_GROUPS = 200
_COUNTS = {"valid": "valid_citations", "invalid": "invalid_citations", "uncited": "uncited_sentences"}
_NO_ALERT = "-"  # the value of the filter "without alerts"; no code looks like it
_START = {"alert": "", "group": "", "sort": "row", "descending": False, "page": 0}


class AnswerExplorer(AnswerWidget):
    """All rows of a checked frame.

    Args:
        df: the answers, one a row. A frame with the columns of a check is not checked again.
        result_of: gives the whole result of a row, by position; by default the row is checked again.
        answer: the answers' column, as for :func:`ragcite_nb.check_frame`.
        sources: the sources' column.
        corpus: texts by id.
        by: column to filter by besides alerts; by default ``model``, if there is one.
        prefix: of the added columns.
        page_size: rows to show at once.
        locale: language of the explorer's own words: ``"en"``, ``"fr"`` or ``"de"``.
        options: the fields of :class:`ragcite_nb.Options`.

    Attributes:
        query: the filters ``alert`` and ``group``, the column ``sort``, ``descending`` and the number of the ``page``.
        row: position of the selected row.
        table: the page that is shown.
    """

    columns = traitlets.Dict().tag(sync=True)
    query = traitlets.Dict().tag(sync=True)
    table = traitlets.Dict().tag(sync=True)
    row = traitlets.Int(None, allow_none=True).tag(sync=True)
    error = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self,
        df: pd.DataFrame,
        result_of: Callable[[int], CheckResult] | None = None,
        *,
        answer: Any = None,
        sources: Any = None,
        corpus: Any = None,
        by: str | None = None,
        prefix: str = "",
        page_size: int = 20,
        locale: str = "en",
        **options: Any,
    ) -> None:
        from ragcite_nb import frame

        if not frame.is_checked(df, prefix):
            df = frame.check_frame(df, answer, sources, corpus=corpus, prefix=prefix, **options)
        if result_of is None:

            def result_of(row: int) -> CheckResult:
                return frame.result(df, row, answer, sources, corpus=corpus, **options)

        self._say = Words(locale)
        self._rows = _Rows(df, "model" if by is None and "model" in df.columns else by, prefix)
        self._page_size = page_size
        self._result_of = lru_cache(maxsize=4 * page_size)(result_of)
        super().__init__(columns=self._columns(), query=dict(_START))
        self._turn()

    @property
    def result(self) -> CheckResult | None:
        """The result of the selected row; ``None`` without one."""
        return None if self.row is None else self._result_of(self.row)

    @traitlets.validate("query")
    def _known_query(self, proposal: Any) -> dict[str, Any]:
        """A query of known keys and values; anything else falls back to the start."""
        query = _START | {key: value for key, value in proposal["value"].items() if key in _START}
        if query["sort"] not in self._rows.keys:
            query["sort"] = _START["sort"]
        query["page"] = max(0, int(query["page"]))
        query["descending"] = bool(query["descending"])
        return query

    @traitlets.observe("query")
    def _turn(self, _change: Any = None) -> None:
        say, size = self._say, self._page_size
        query = self.query
        found = self._rows.positions(query["alert"], query["group"], query["sort"], descending=query["descending"])
        pages = max(1, -(-len(found) // size))
        page = min(query["page"], pages - 1)
        total, count = say.number(len(self._rows)), say.number(len(found))
        self.table = {
            "rows": [self._line(int(position)) for position in found[page * size : (page + 1) * size]],
            "summary": say("explorer", "rows", number=total)
            if len(found) == len(self._rows)
            else say("explorer", "filtered", number=count, total=total),
            "position": say("explorer", "page", page=say.number(page + 1), pages=say.number(pages)),
            "page": page,
            "pages": pages,
            "query": dict(query),
        }

    @traitlets.observe("row")
    def _select(self, _change: Any = None) -> None:
        with self.hold_sync():
            self.expanded, self.selected, self.error = [], None, ""
            if self.row is None:
                self.view = {}
                return
            try:
                self._draw(self._result_of(self.row))
            except (InputError, IndexError) as error:
                self.view = {}
                self.error = self._say("explorer", "unreadable", error=error)

    def _line(self, position: int) -> dict[str, Any]:
        try:
            text = " ".join(self._result_of(position).text[: PREVIEW_LENGTH * 2].split())
        except InputError as error:
            text = self._say("explorer", "unreadable", error=error)
        short = text if len(text) <= PREVIEW_LENGTH else text[:PREVIEW_LENGTH] + "…"
        return {"position": position, "text": short, **self._rows.cells(position, self._say)}

    def _columns(self) -> dict[str, Any]:
        say = self._say
        words = say.parts("explorer")
        titles = {"row": words["row"], "text": words["answer"], "group": self._rows.group_name or words["group"]}
        shown = ["row", "text", *(["group"] if self._rows.group_name else []), "traceability", *_COUNTS, "alerts"]
        titled = [(key, titles.get(key, words.get(key, key))) for key in shown]
        every = {"value": "", "label": words["all"]}
        alerts = [every, {"value": _NO_ALERT, "label": words["none"]}]
        alerts += [{"value": code, "label": f"{code} ({say.number(n)})"} for code, n in self._rows.alert_counts()]
        groups = [every, *({"value": name, "label": name} for name in self._rows.groups())]
        return {
            "title": words["title"],
            "labels": words | {"group": titles["group"]},
            "columns": [
                {
                    "key": key,
                    "label": label,
                    "sort_label": say("explorer", "sort", column=label) if key in self._rows.keys else "",
                }
                for key, label in titled
            ],
            "alerts": alerts,
            "groups": groups if len(groups) > 1 else [],
        }

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return self._bundle(self._static_table(), str(self))

    def _static_table(self) -> str:
        columns = self.columns["columns"]
        heads = "".join(f'<th scope="col">{escape(column["label"])}</th>' for column in columns)
        lines = "".join(
            "<tr>" + "".join(f'<td dir="auto">{escape(row[c["key"]])}</td>' for c in columns) + "</tr>"
            for row in ({**line, "row": line["label"], "alerts": line["codes"]} for line in self.table["rows"])
        )
        answer = "" if not self.view else self._static(self._verified_view(self.row))
        return (
            f'<section class="ragcite ragcite-explorer" aria-label="{escape(self.columns["title"])}">'
            f"<style>{stylesheet()}</style><p>{escape(self.table['summary'])} · {escape(self.table['position'])}</p>"
            f'<div class="ragcite-scroll"><table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table></div>'
            f"</section>{answer}"
        )

    def __str__(self) -> str:
        table = self.table
        return f"{self.columns['title']}: {table['summary']}, {table['position']}"

    __repr__ = __str__


class _Rows:
    """The frame's columns as arrays, to be filtered and sorted fast."""

    def __init__(self, frame: pd.DataFrame, group: str | None, prefix: str) -> None:
        if group is not None and group not in frame.columns:
            raise InputError(f"by={group!r}: the frame has no such column")
        self.length = len(frame)
        self.labels = [str(label) for label in frame.index]
        self.group_name = group
        self.group = (
            frame[group].astype(object).where(frame[group].notna(), "").map(str).to_numpy(dtype=object)
            if group
            else np.full(self.length, "", dtype=object)
        )
        self.alerts = frame[f"{prefix}cite_alerts"].astype(object).fillna("").to_numpy(dtype=object)
        self.keys: dict[str, np.ndarray[Any, np.dtype[Any]]] = {
            "row": np.arange(self.length, dtype=float),
            "traceability": frame[f"{prefix}traceability_score"].to_numpy(dtype=float, na_value=np.nan),
            "alerts": np.array([text.count(";") + 1 if text else 0 for text in self.alerts], dtype=float),
        }
        for key, column in _COUNTS.items():
            self.keys[key] = frame[prefix + column].to_numpy(dtype=float, na_value=np.nan)
        self._last: tuple[Any, np.ndarray[Any, np.dtype[Any]]] | None = None

    def __len__(self) -> int:
        return self.length

    def positions(self, alert: str, group: str, sort: str, *, descending: bool) -> np.ndarray[Any, np.dtype[Any]]:
        """Positions of the rows that fit, in order; rows without a value come last either way."""
        asked = (alert, group, sort, descending)
        if self._last is None or self._last[0] != asked:
            fits = np.ones(self.length, dtype=bool)
            if alert == _NO_ALERT:
                fits &= self.alerts == ""
            elif alert:
                fits &= np.fromiter((alert in text.split("; ") for text in self.alerts), bool, self.length)
            if group:
                fits &= self.group == group
            found = np.flatnonzero(fits)
            values = self.keys[sort][found]
            order = np.argsort(-values if descending else values, kind="stable")
            self._last = (asked, found[order])
        return self._last[1]

    def cells(self, position: int, say: Words) -> dict[str, str]:
        """What a line shows of a row."""
        score = self.keys["traceability"][position]
        counts = {key: self.keys[key][position] for key in _COUNTS}
        return {
            "label": self.labels[position],
            "group": self.group[position],
            "traceability": "" if np.isnan(score) else say.percent(float(score)),
            "codes": self.alerts[position],
            "alerts": say.number(int(self.keys["alerts"][position])),
            **{key: "" if np.isnan(value) else say.number(int(value)) for key, value in counts.items()},
        }

    def alert_counts(self) -> list[tuple[str, int]]:
        """How many rows have each alert, the most frequent first."""
        counts: dict[str, int] = {}
        for text in self.alerts:
            for code in text.split("; ") if text else ():
                counts[code] = counts.get(code, 0) + 1
        return sorted(counts.items(), key=lambda item: (-item[1], item[0]))

    def groups(self) -> list[str]:
        """The groups, if they are few enough to choose from."""
        names = sorted({name for name in self.group.tolist() if name})
        return names if len(names) <= MOST_GROUPS else []
