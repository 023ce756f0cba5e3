"""Showing a result: one JSON-able view (:mod:`.view`), drawn as static HTML, as a widget or as text.

Nothing in here judges anything: all statuses, scores and alerts come from the :class:`~ragcite_nb.models.CheckResult`.
"""
