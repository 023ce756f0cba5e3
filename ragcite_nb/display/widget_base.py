"""What the widgets share: the front end, the view of one answer and what a reader does with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from ragcite_nb.display.html import STATIC, section
from ragcite_nb.display.view import build_view
from ragcite_nb.display.words import Words

if TYPE_CHECKING:
    from ragcite_nb.models import CheckResult

VERDICTS = ("confirmed", "rejected")


class AnswerWidget(anywidget.AnyWidget):
    """An answer on the screen, kept in step with all of its views by synced traits.

    Attributes:
        view: what is shown; see :mod:`ragcite_nb.display.view`.
        expanded: positions of the open badges in ``view["badges"]``.
        selected: the badge that was opened or closed last.
        verifications: the reader's own verdicts: dicts with ``citation`` (its position in ``result.citations``),
            ``source`` (label), ``verdict`` (``"confirmed"`` or ``"rejected"``) and ``time`` (ISO 8601).
    """

    _esm = STATIC / "widget.js"
    _css = STATIC / "widget.css"

    view = traitlets.Dict().tag(sync=True)
    expanded = traitlets.List(traitlets.Int()).tag(sync=True)
    selected = traitlets.Int(None, allow_none=True).tag(sync=True)
    verifications = traitlets.List(traitlets.Dict()).tag(sync=True)

    @traitlets.validate("expanded")
    def _existing_badges(self, proposal: Any) -> list[int]:
        """Each badge once, and only badges that exist: the answer may have changed since the reader's click."""
        badges = len(self.view.get("badges", ()))
        return [index for index in dict.fromkeys(proposal["value"]) if 0 <= index < badges]

    @traitlets.validate("verifications")
    def _known_verdicts(self, proposal: Any) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = proposal["value"]
        for entry in entries:
            if entry.get("verdict") not in VERDICTS or not isinstance(entry.get("citation"), int):
                message = f"a verification needs a citation's position and a verdict of {VERDICTS}, not {entry}"
                raise traitlets.TraitError(message)
        return entries

    def _draw(self, result: CheckResult) -> None:
        """Show ``result``; what is open stays open as far as it still exists."""
        with self.hold_sync():
            self.view = build_view(result)
            self.expanded = list(self.expanded)
            if self.selected is not None and self.selected >= len(self.view["badges"]):
                self.selected = None

    def _verified_view(self, row: int | None = None) -> dict[str, Any]:
        """The view with the reader's verdicts written into it, for displays without a kernel."""
        say = Words(self.view["locale"])
        verdicts = {v["citation"]: v["verdict"] for v in self.verifications if v.get("row") == row}
        citations = [
            citation | {"verified": say("verified", verdicts[citation["index"]])}
            if citation["index"] in verdicts
            else citation
            for citation in self.view["citations"]
        ]
        return dict(self.view) | {"citations": citations}

    def _bundle(self, html: str, text: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """The widget for a live notebook, and what is left of it elsewhere."""
        live = super()._repr_mimebundle_() or ({}, {})
        data, metadata = live if isinstance(live, tuple) else (live, {})
        return {**data, "text/plain": text, "text/html": html}, metadata

    @staticmethod
    def _static(view: dict[str, Any]) -> str:
        return section(view)
