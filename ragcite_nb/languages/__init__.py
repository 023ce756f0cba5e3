"""Which language a text is in, and what the checker knows of each: one JSON file per language in this folder.

A file may hold

- ``abbreviations``: end a sentence only before a word that begins one (``starters``), ``never_end``: not even then,
  ``may_end``: before any capital; ``titles``: never end one (written with a capital: only when it is);
- ``before_number``: do not end one before a digit or a paragraph sign (written with a capital: only when they are);
  ``number_endings``: words with such an ending neither;
- ``months``: before which an ordinal's stop ends nothing;
- ``claims``: see ``claims.py``.

A new language is one new file and, if it is to be told from others, its function words here.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

_FUNCTION_WORDS = {
    "en": (
        "the of and to is are for with that this by from be you your it can as not or an have has was which must "
        "may do in on at if i we my our does did how what when where there here they their will would should no "
        "yes please let me hello thank "
    ),
    "fr": (
        "le la les des est et dans pour sur avec une du aux que qui vous votre pas ce cette il elle sont par au "
        "un de en ou ne se nous être à je j mon ma mes vos notre nos ai n d l c qu pouvez avez été fait très si tél réf "
        "mais où donc comment bonjour voici aucun aucune merci "
    ),
    "de": (
        "der die das und ist nicht mit für auf ein eine von den dem zu im sind werden wird sie ihr nach bei oder "
        "auch es als des beträgt gilt ich mir mich uns wir ihnen ihre kein keine keinen vor sich noch nur aber "
        "wenn dass hat haben kann können gerne bitte zum so um dazu hier sein liegen danke laut vom beim je "
        "quelle mindestens zwei in aus über nichts steht uhr durch wurde wurden seit diese dieser dieses diesem diesen "
    ),
    "es": ("el la los las y es una por con para del que su se al como más o no en la un de está son "),
    "it": (
        "il di che è per una del della con non sono gli le nel alla si un dei da in la e o l dell nell all delle nella ha "
    ),
    "pt": ("o os as é uma com para não do da em que por se ao dos das um de são mais e na no "),
    "nl": ("de het een en van is dat op te zijn met voor niet aan er om bij ook wordt of door uit in "),
}
_WORDS = {code: frozenset(words.split()) for code, words in _FUNCTION_WORDS.items()}
_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
)
_WORD = re.compile(r"[^\W\d_]+")
# Bytes of a text in UTF-8 that tell of no letter outside ASCII, and of none of the scripts above: ASCII, the later bytes of
# a character, and the first ones of punctuation, symbols and pictures; then also those of Latin letters.
_NO_LETTERS = bytes(range(0xC3)) + b"\xe2\xef\xf0"
_NO_SCRIPTS = bytes(range(0xD0)) + b"\xe2\xef\xf0"
_LOOK = 600
"""Characters of a text that decide its language."""


def detect(text: str) -> str:
    """The language of ``text``, by a cheap look at its script and function words; ``"en"`` when nothing tells.

    >>> detect("Le délai de retour est de 30 jours."), detect("Die Frist beträgt 14 Tage."), detect("返品は14日以内です。")
    ('fr', 'de', 'ja')
    """
    head = text[:_LOOK]
    foreign = b"" if head.isascii() else head.encode("utf-8", "surrogatepass").translate(None, _NO_LETTERS)
    if not foreign:
        first = head.find(" the ")
        if first >= 0 and head.find(" the ", first + 1) >= 0:
            return "en"
        if head.count(" the ") + head.count("The ") + head.count(" and ") > 1:
            return "en"
    elif foreign.translate(None, _NO_SCRIPTS):
        for code, script in _SCRIPTS:
            found = script.findall(head)
            if len(found) * 4 > len(head) or len(found) * 2 > sum(map(str.isalpha, head)):
                return code
    words = _WORD.findall(head.lower())
    best, most = "en", 0
    for code, known in _WORDS.items():
        score = sum(map(known.__contains__, words))
        if score > most:
            best, most = code, score
    return best


@cache
def rules(code: str) -> dict[str, Any]:
    """What is known of a language; English where there is no file for it.

    >>> "dr" in rules("de")["titles"]
    True
    """
    folder = files(__name__)
    file = folder.joinpath(f"{code}.json") if re.fullmatch("[a-z]{2,3}", code) else None
    if file is None or not file.is_file():
        file = folder.joinpath("en.json")
    loaded: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return loaded


def codes() -> tuple[str, ...]:
    """Codes of the languages that have a file.

    >>> {"en", "fr", "de"} <= set(codes())
    True
    """
    return tuple(sorted(f.name[:-5] for f in files(__name__).iterdir() if f.name.endswith(".json")))
