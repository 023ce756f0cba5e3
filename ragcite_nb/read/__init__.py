"""Reading: payloads of any shape into one :class:`~ragcite_nb.models.Answer`, sources of any shape into ``Source``.

``answer`` opens containers and asks the table in ``registry`` for the format; one module reads one family of formats.
``rows`` and ``spans`` find answer and sources in the tables of trackers. Nothing here knows how answers are checked
or shown, and no SDK is imported.
"""

from ragcite_nb.read.answer import is_plain, read_answer
from ragcite_nb.read.rows import read_row
from ragcite_nb.read.sources import Corpus, describe_sources, plain_sources, read_corpus, read_sources
from ragcite_nb.read.spans import conversations

__all__ = [
    "Corpus",
    "conversations",
    "describe_sources",
    "is_plain",
    "plain_sources",
    "read_answer",
    "read_corpus",
    "read_row",
    "read_sources",
]
