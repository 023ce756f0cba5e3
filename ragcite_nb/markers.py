r"""The grammar of citation markers: what each syntax looks like, and what stands in it.

``SYNTAXES`` is the table. A row says by which character a marker opens, which pattern it has and how its inside is read;
a new syntax is a new row. Reading is by the text alone: whether a marker cites anything is decided in ``resolve.py``, where
it stands (in code, after an identifier, in a link) in ``scan.py``.

All patterns are bounded or possessive, so that hostile text costs linear time.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ItemKind = Literal["number", "range", "zero", "name", "id", "turn"]


class Item(NamedTuple):
    """One reference as it is written. ``low`` and ``high`` are its numbers, if it has any.

    ``family`` is the kind of source that a prefix asks for (``"api"``, ``"law"``, …).
    """

    kind: ItemKind
    text: str
    low: int = 0
    high: int = 0
    locator: str | None = None
    family: str | None = None


class Parsed(NamedTuple):
    """What a marker's text says. ``sure`` is False for words in brackets that are a citation only if they name a source."""

    syntax: str
    kind: Literal["citation", "malformed", "provenance", "leaked"]
    items: tuple[Item, ...] = ()
    locator: str | None = None
    url: str | None = None
    sure: bool = True
    wraps: tuple[int, int] | None = None
    """Start and end, within the raw text, of the answer text that the marker wraps."""


class Syntax(NamedTuple):
    """One row of the table: the name of a syntax, its opening characters, its pattern and the reader of a match."""

    name: str
    opens: str
    pattern: re.Pattern[str]
    read: Callable[[re.Match[str]], Parsed | None]
    example: str


# ------------------------------------------------------------------------------------------------ numbers and locators
_NUMBER = r"\d{1,9}"
_DASH = r"[-–—−‑]"
_AND = r"(?:and|et|und|y|e|en|og|och|&|и|和|及|与|と)"
_TO = rf"(?:\s*{_DASH}\s*|\s++(?:to|through|à|bis)\s++)"
_RANGE = rf"{_NUMBER}(?:{_TO}{_NUMBER})?"
_GROUP = re.compile(
    rf"\s*+{_RANGE}(?:(?:\s*+[,;،、，；+/&]\s*+(?:{_AND}\s++)?|\s++{_AND}\s++){_RANGE})*+\s*+", re.IGNORECASE
)
_ONE = re.compile(rf"({_NUMBER})(?:{_TO}({_NUMBER}))?", re.IGNORECASE)
_LOCATOR = re.compile(
    r"(?:pp?\.?|pages?|seiten?|s\.|sections?|sec\.?|sect\.?|§+|articles?|artikel|art\.?|abschnitt|abschn\.?|absatz|absätze|abs\.|"
    r"alinéas?|al\.|punkt|point|kapitel|kap\.|chapters?|chap\.?|chapitre|paragraphs?|paragraphes?|paras?\.?|lines?|lignes?|zeilen?|l\d|"
    r"randnummer|rn\.|rz\.|figures?|fig\.?|tables?|tab\.?|"
    r"annex|annexe|anhang|appendix|clause|ziffer|nr\.|no\.|n°|págs?\.?|v\d|version)(?![^\W\d_])\.?:?\s*\S|"
    # words that may well begin a name stand before a number
    r"(?:pag(?:s|in[ae])?|páginas?|sezion[ei]|secci[óo]n(?:es)?|seç[ãa]o|cap|cap[íi]tulos?|capitol[oi]|apartados?|art[íi]culos?|articol[oi]|"
    r"artigos?|paragraf[oi]|párrafos?|slides?|folien?|rows?|steps?|chunks?|tabellen?|tableaux?|tablas?|tabella)\.?:?\s*\d|"
    r"第\s*[\d一二三四五六七八九十百]{1,6}(?:[.–-]\d{1,4}){0,5}\s*(?:[页頁章节節条條]|ページ)|"
    r"\d{1,6}(?:\s*[-–—~〜]\s*\d{1,6})?\s*(?:[页頁쪽]|ページ|페이지)",
    re.IGNORECASE,
)
"""How a piece begins that says where in a source, not which source."""


def _numbers(text: str, kind: ItemKind = "number") -> tuple[Item, ...] | None:
    """The items of a group such as ``1, 3-4``; ``None`` if the text is not one."""
    if not _GROUP.fullmatch(text):
        return None
    items = []
    for m in _ONE.finditer(text):
        low = int(m[1])
        if m[2] is None:
            items.append(Item(kind, str(low), low, low))
        else:
            items.append(Item("range", m[0], low, int(m[2]), family="zero" if kind == "zero" else None))
    return tuple(items)


def _located(text: str, kind: ItemKind, word: str) -> tuple[Item, ...]:
    """Several numbers of which some say where in their source, as in ``2, p. 3; 9, p. 4``; the prefix may come again."""
    parts = _SPLIT_SEMI.split(text)
    commas = len(parts) == 1
    if commas:
        parts = _SPLIT_COMMA.split(text)
    items: list[Item] = []
    for part in parts if len(parts) > 1 else ():
        if word:
            part = re.sub(rf"^{re.escape(word)}\s*[:：]?\s*", "", part, flags=re.IGNORECASE)  # noqa: PLW2901
        if not commas and (numbers := _numbers(part, kind)):
            items += numbers
            continue
        one = _with_locator(part, kind)
        if one is None:
            return ()
        items.append(one)
    return tuple(items)


def _with_locator(text: str, kind: ItemKind) -> Item | None:
    """One number that says where in its source: ``2, p. 3``, ``2 (p. 3)``, ``2, v1.2``."""
    m = _BEFORE_LOCATOR.match(text)
    locator = text[m.end() :] if m else ""
    if m is None or not _piece_is_locator(locator):
        return None
    if m[2] is None and not any(map(str.isdigit, locator)):
        return None  # [5 pages long]
    if m[2] == "(":
        locator = locator.removesuffix(")").rstrip()
    return Item(kind, m[1], int(m[1]), int(m[1]), locator)


# ------------------------------------------------------------------------------------------------------ named sources
_SOURCE_WORDS = (
    "source|sources|src|quelle|quellen|fuente|fuentes|fonte|fonti|fontes|bron|bronnen|источник|doc|docs|document|documents|"
    "dok|dokument|dokumente|documento|documenti|documentos|passage|passages|chunk|context|kontext|contexte|excerpt|extrait|"
    "auszug|citation|citations|cite|cites|cit|ref|refs|reference|references|référence|références|réf|réfs|referenz|"
    "referenzen|result|evidence|snippet|webpage|file|files|fichier|fichiers|datei|dateien|id|ids|link|url|来源|文档|出典|資料|引用"
)
_FAMILIES = {
    "faq": "faq",
    "api": "api",
    "code": "code",
    "loi": "law", "law": "law", "gesetz": "law", "ley": "law", "legge": "law",
    "règl": "regulation", "règlement": "regulation", "reg": "regulation", "regulation": "regulation",
    "verordnung": "regulation", "vo": "regulation", "regl": "regulation", "reglement": "regulation",
    "directive": "regulation", "richtlinie": "regulation",
    "contrat": "contract", "contract": "contract", "vertrag": "contract", "contrato": "contract",
    "manual": "manual", "manuel": "manual", "handbuch": "manual", "guide": "manual",
    "ticket": "ticket", "kb": "kb",
    "art": "article", "article": "article", "artikel": "article",
}  # fmt: skip
"""Prefixes that name a kind of source, and the kind."""
_PLURAL = frozenset(
    [
        "sources",
        "quellen",
        "fuentes",
        "fonti",
        "fontes",
        "bronnen",
        "docs",
        "documents",
        "dokumente",
        "documenti",
        "documentos",
        "passages",
        "citations",
        "cites",
        "refs",
        "references",
        "références",
        "réfs",
        "referenzen",
        "files",
        "fichiers",
        "dateien",
        "ids",
    ]
)
_ZERO = frozenset({"id", "ids"})
_PREFIX = re.compile(
    rf"\s*+({_SOURCE_WORDS}|{'|'.join(sorted(_FAMILIES, key=len, reverse=True))})(?![^\W\d_])(\.?\s*[:：=]\s*|\.?[ \u00a0]+(?:n°|no\.?|nr\.?|#)?\s*|(?=\d|#\d))(?=(\S))",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\s*(?:,\s*)?(?:et|and|und|\+)\s+\d+\s+(?:autres?|others?|more|other|weitere[nr]?|andere)(?:\s+(?:sources?|quellen?|documents?|dokumente))?\s*$",
    re.IGNORECASE,
)
_EXTENSIONS = (
    "pdf|md|mdx|txt|rst|html?|docx?|odt|rtf|xlsx?|ods|csv|tsv|pptx?|odp|json|jsonl|ya?ml|xml|toml|ini|cfg|log|tex|epub|eml|msg|"
    "py|ipynb|js|mjs|ts|tsx|jsx|java|kt|go|rs|rb|php|c|h|cpp|hpp|cc|cs|swift|scala|sh|sql|r|png|jpe?g|gif|svg|parquet"
)
_FILE_NAME = re.compile(
    rf"(?:[^\s,;|<>\[\](){{}}\"']{{1,200}}(?: [^\s,;|<>\[\](){{}}\"']{{1,60}}){{0,6}}?)?[^\s,;|<>\[\](){{}}\"'/]\.(?:{_EXTENSIONS})"
    rf"(?:\#[^\s,;|\[\]()]{{1,80}}|:L?\d+(?:-L?\d+)?)?(?:\([^()\[\]]{{1,80}}\))?",
    re.IGNORECASE,
)
FILE_ENDING = re.compile(rf"\.(?:{_EXTENSIONS})$", re.IGNORECASE)
"""The extension of a file's name."""
_URL = re.compile(r"https?://[^\s\[\]<>]{1,500}", re.IGNORECASE)
_SPLIT_SEMI = re.compile(r"\s*[;；]\s*")
_SPLIT_COMMA = re.compile(r"\s*[,、，;；]\s*")
_PROVENANCE = re.compile(
    r"\s*(?:(?:tool|calculation|calc|function|outil|werkzeug|berechnung|calcul)\s*:\s*[^\[\]]{1,80}|policy|unverified|"
    r"not verified|non vérifié|unverifiziert|nicht verifiziert|unsourced|non sourcé|ohne quelle|calculated|calculé|"
    r"berechnet|computed|derived|estimated|estimate|assumption|assumed|hypothèse|annahme|inferred|inference|"
    r"general knowledge|common knowledge|connaissances? générales?|allgemeinwissen|model knowledge|parametric|"
    r"no source|aucune source|keine quelle|source needed|citation needed|réf\. nécessaire|"
    r"note\s*:\s*(?:réponse non sourcée|unsourced|answer without sources?|nicht belegte|antwort ohne quellen?|ohne quellen?)[^\[\]]{0,120})\s*",
    re.IGNORECASE,
)
"""Tags that say that a statement does not come from a source."""
_BEFORE_LOCATOR = re.compile(rf"({_NUMBER})(?:\s*([,:;|(，、：])\s*|\s+[-–—]\s+|\s+|(?=§))")
_TITLED = re.compile(rf"({_NUMBER})(?:\s*[:：,|]\s*|\s+[-–—]\s+)[^\W\d_]")
"""A number with the title of its source behind it: Source 2: Opening hours."""
_STUCK = re.compile(r"\s*(\d{1,4})[a-zA-Z]\s*")
_SHORT_WORDS = frozenset({"sic", "x", "ibid", "ibid.", "...", "…", "note", "emphasis added"})


def _piece_is_locator(piece: str) -> bool:
    return bool(_LOCATOR.match(piece)) or bool(_DATED.match(piece))


_DATED = re.compile(
    r"(?:v\.?\s*\d|version\s*\d|(?:m\.?a\.?j|mise à jour|updated|last updated|stand|aktualisiert|date|datum|rev)\b[.:\s]*|"
    r"\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}$)",
    re.IGNORECASE,
)


def _named(text: str, family: str | None, *, plural: bool) -> tuple[Item, ...]:
    """The items of names in a marker: ``;`` separates them, a comma only after a plural prefix or between files."""
    items: list[Item] = []
    text = _OTHERS.sub("", text)
    for part in (name for names in _SPLIT_SEMI.split(text) for name in _joined(names)):
        if items and _piece_is_locator(part.strip()):  # "Pets; p. 3"
            items[-1] = _name_item(f"{items[-1].text}; {part.strip()}", family)._replace(locator=part.strip())
            continue
        pieces = _SPLIT_COMMA.split(part) if "|" not in part else [part]
        groups: list[list[str]] = []
        for piece in pieces:
            if groups and (_piece_is_locator(piece) or not (plural or is_file(piece))):
                groups[-1].append(piece)
            elif piece:
                groups.append([piece])
        if len(groups) <= 1:
            if part.strip():
                items.append(_name_item(part.strip(), family))
        else:
            items += [_name_item(", ".join(group).strip(), family) for group in groups]
    return tuple(items)


def _joined(part: str) -> list[str]:
    """``CGV, p. 3 and FAQ, p. 2`` is two names: a name behind "and" begins another one after a locator."""
    for m in _AND_NAME.finditer(part):
        before = _SPLIT_COMMA.split(part[: m.start()])
        if len(before) > 1 and _piece_is_locator(before[-1]) and not _piece_is_locator(part[m.end() :]):
            return [part[: m.start()], *_joined(part[m.end() :])]
    return [part]


_AND_NAME = re.compile(r"(?<=\w)\s+(?:and|et|und|&)\s+(?=[^\W\d_])", re.IGNORECASE)


def has_prefix(text: str) -> bool:
    """Whether a text begins with a word such as ``Source:``.

    >>> has_prefix("Source: guide.pdf"), has_prefix("guide.pdf")
    (True, False)
    """
    return _PREFIX.match(text) is not None


def is_file(text: str) -> bool:
    """Whether a text is built like a file name or a URL."""
    return bool(_FILE_NAME.fullmatch(text) or _URL.fullmatch(text))


def _name_item(text: str, family: str | None) -> Item:
    return Item("name", text, locator=locator_of(text), family=family)


_LOCATOR_START = re.compile(
    r"(?<!\s)\s*+[,|，、]\s*+|(?<!\s)\s++[-–—]\s++|(?<!\s)\s++(?=\()|(?<=[^\s#])#(?=\S)|(?<=\w):(?=L?\d)", re.IGNORECASE
)


def locator_of(name: str) -> str | None:
    """The part of a name that says where in the source, as written: after a comma, a bar, ``#`` or ``:line``.

    >>> locator_of("CGV, Section 5.2 - Droit de retour"), locator_of("policy.pdf#page=3"), locator_of("CGV")
    ('Section 5.2 - Droit de retour', 'page=3', None)
    """
    if name[:4].lower() == "http":
        _, mark, fragment = name.partition("#")
        return fragment if mark and fragment else None
    for m in _LOCATOR_START.finditer(name):
        if m.start() == 0:
            continue
        rest = name[m.end() :].strip()
        if m[0].strip() in ("#", ":") or _piece_is_locator(rest):
            return rest.rstrip(")") if m[0].strip() == "" and rest.startswith("(") else rest or None
    return None


# --------------------------------------------------------------------------------------------------- square brackets
def read_inside(inside: str) -> Parsed | None:
    """Read what stands in square brackets; ``None`` if it cannot be a marker.

    >>> [item.text for item in read_inside("1, 3-4").items]
    ['1', '3-4']
    >>> read_inside("Source: CGV, Section 5.2").items[0].locator
    'Section 5.2'
    """
    stripped = inside.strip()
    if not stripped or len(inside) > _LONGEST:
        return None
    first = stripped[0]
    if first == "^":
        footnote = stripped[1:].rstrip("^")
        items = _numbers(footnote)
        if items:
            return Parsed("footnote", "citation", items)
        if one := _with_locator(footnote, "number"):
            return Parsed("footnote", "citation", (one,), one.locator)
        return Parsed("footnote", "citation", (Item("name", footnote),), sure=False) if footnote.strip() else None
    if first.isdigit():
        items = _numbers(stripped)
        if items:
            return Parsed("number", "citation", items)
        if several := _located(stripped, "number", ""):
            return Parsed("number", "citation", several)
        if one := _with_locator(stripped, "number"):
            return Parsed("number", "citation", (one,), one.locator)
        stuck = _STUCK.fullmatch(stripped)
        if stuck:
            return Parsed("number", "malformed", (Item("number", stuck[1], int(stuck[1]), int(stuck[1])),), sure=False)
    if first == "@":
        keys = [k.strip() for k in _SPLIT_SEMI.split(stripped)]
        if all(k.startswith("@") and len(k) > 1 for k in keys):
            items = tuple(
                Item("name", key.strip(), locator=locator.strip() or None)
                for key, _, locator in (k[1:].partition(",") for k in keys)
            )
            return Parsed("pandoc", "citation", items)
        return None
    if _PROVENANCE.fullmatch(stripped):
        return Parsed("provenance", "provenance")
    if first in "Dd" and stripped[:5].lower() == "data:":
        records = _graphrag(stripped)
        if records:
            return Parsed("graphrag", "citation", records)
    if _LEAKED.fullmatch(stripped):
        return Parsed("leaked", "leaked")
    prefix = _PREFIX.match(stripped)
    if prefix:
        return _prefixed(stripped, prefix)
    if _URL.fullmatch(stripped) or _FILE_NAME.fullmatch(stripped):
        return Parsed("file", "citation", (_name_item(stripped, None),))
    pieces = _SPLIT_COMMA.split(stripped)
    if len(pieces) > 1 and all(map(is_file, pieces)):
        return Parsed("file", "citation", tuple(_name_item(piece, None) for piece in pieces))
    if stripped.lower() in _SHORT_WORDS or not any(map(str.isalpha, stripped)):
        return None
    if "|" in stripped:
        rest = stripped.partition("|")[2].strip()
        return Parsed("name", "citation", _named(stripped, None, plural=False), sure=_piece_is_locator(rest))
    return Parsed("name", "citation", _named(stripped, None, plural=False), sure=False)


_LONGEST = 400
_LEAKED = re.compile(
    r"cite_(?:start|end)|webpage \d+ (?:begin|end)|/?(?:cite|citation|grounding|INST)|end_of_(?:citation|text)",
    re.IGNORECASE,
)
"""Markup of prompts and renderers that leaks into answers and cites nothing."""


def _prefixed(stripped: str, prefix: re.Match[str], *, again: bool = True) -> Parsed | None:
    word, mark = prefix[1].lower(), prefix[2]
    rest = stripped[prefix.end() :]
    colon = any(c in mark for c in ":：=")
    family = _FAMILIES.get(word)
    plain = family is None
    if plain and colon and again and (numbered := _numbered(rest)):
        return numbered
    if plain:
        kind: ItemKind = "zero" if word in _ZERO else "number"
        # A prefix may be said again before each number: [ID:0, ID:5], [Source 1, Source 2].
        bare = re.sub(rf"([,;]|{_AND})\s*{re.escape(prefix[1])}\s*[:：]?\s*", r"\1 ", rest, flags=re.IGNORECASE)
        items = _numbers(bare, kind)
        if items:
            return Parsed("id" if kind == "zero" else "prefix", "citation", items)
        if several := _located(rest, kind, prefix[1]):
            return Parsed("prefix", "citation", several)
        if one := _with_locator(rest, kind):
            return Parsed("prefix", "citation", (one,), one.locator)
        if not colon and (titled := _TITLED.match(rest)):
            return Parsed("prefix", "citation", (Item(kind, titled[1], int(titled[1]), int(titled[1])),))
    if not colon:
        # "[Source of the data]", "[Article 5]": words that are a citation only if they name a source.
        return Parsed("name", "citation", _named(stripped, None, plural=False), sure=False)
    if not rest.strip():
        return None
    rest = re.sub(rf"\s*[,;；]\s*{re.escape(prefix[1])}\s*[:：]\s*", "; ", rest, flags=re.IGNORECASE)
    return Parsed("prefix", "citation", _named(rest, family or None, plural=word in _PLURAL))


def without_prefix(text: str) -> str | None:
    """What stands behind a prefix with a colon, if it is a numbered prefix again: ``Document 2`` in ``Source: Document 2``."""
    prefix = _PREFIX.match(text)
    if prefix is None or prefix[1].lower() in _FAMILIES or not any(c in prefix[2] for c in ":：="):
        return None
    rest = text[prefix.end() :].strip()
    return rest if _numbered(rest) else None


def _numbered(rest: str) -> Parsed | None:
    """``Document 2``, ``#2`` or ``No. 2`` behind a prefix: a number as if it stood alone."""
    if bare := _NUMBER_SIGN.match(rest):
        items = _numbers(rest[bare.end() :])
        parsed = Parsed("prefix", "citation", items) if items else None
    elif (inner := _PREFIX.match(rest)) and inner[1].lower() not in _FAMILIES:
        parsed = _prefixed(rest, inner, again=False)
    else:
        return None
    # "Document 2016/679", "Doc 12-3" and "Document 2024" are names.
    counted = parsed is not None and all(
        i.kind in ("number", "range", "zero") and i.low <= i.high < _LEAST_YEAR for i in parsed.items
    )
    return parsed if counted else None


_NUMBER_SIGN = re.compile(r"(?:#|n°|№|no?\.|nr\.?|no(?=\s))\s*(?=\d)", re.IGNORECASE)
_LEAST_YEAR = 1800

_RECORDS = re.compile(r"\s*([A-Za-z]{1,30})\s*\(([^()]{1,300})\)\s*[,;.]?")


def _graphrag(stripped: str) -> tuple[Item, ...]:
    items = []
    end = 5
    while m := _RECORDS.match(stripped, end):
        items += [Item("id", f"{m[1]}:{number}") for number in re.findall(r"\d+", m[2])]
        end = m.end()
    return tuple(items) if end == len(stripped) else ()


# ---------------------------------------------------------------------------------------------- the other opening marks
def _lenticular(m: re.Match[str]) -> Parsed | None:
    inside = m[1]
    if "†" not in inside:
        parsed = read_inside(inside)
        return parsed._replace(syntax="lenticular") if parsed and parsed.sure else None
    key, *rest = inside.split("†")
    if key.startswith("F:"):
        return Parsed("codex", "citation", (Item("name", key[2:], locator=rest[0] or None),), rest[0] or None)
    locator = next((r for r in rest if re.fullmatch(r"L\d+(?:-L\d+)?", r)), None)
    label = next((r for r in rest if r != locator and r.lower() not in ("source", "sources", "")), None)
    assistants = re.fullmatch(r"(\d{1,6}):(\d{1,6})", key)
    if assistants:
        number = int(assistants[2])
        return Parsed("assistants", "citation", (Item("id", key, number, number, label),), locator)
    return Parsed("cursor", "citation", (Item("id", key, locator=label),), locator)


_TURN = re.compile(r"turn\d{1,4}[a-z]{2,12}\d{1,4}")


def _turn(m: re.Match[str]) -> Parsed | None:
    locator = re.search(r"L\d+(?:-L\d+)?", m[0])
    items = tuple(Item("turn", t) for t in _TURN.findall(m[0]))
    return Parsed("turn", "citation", items, locator[0] if locator else None) if items else None


def _zero(m: re.Match[str]) -> Parsed:
    items = _numbers(m[1], "zero") or ()
    wraps = m.span("text") if "text" in m.re.groupindex else None
    return Parsed("command_r" if wraps else "ragflow", "citation", items, wraps=_inside(m, wraps))


def _inside(m: re.Match[str], span: tuple[int, int] | None) -> tuple[int, int] | None:
    return (span[0] - m.start(), span[1] - m.start()) if span and span[0] >= 0 else None


def _cite_tag(m: re.Match[str]) -> Parsed | None:
    keys = re.findall(r"[\w.#:/-]+", m["ids"] or "")[:_MOST]
    items = []
    for key in keys:
        document = re.fullmatch(r"(\d{1,6})-(\d{1,6})(?::\d+)?", key)
        if document:
            number = int(document[1])
            items.append(Item("id", key, number, number, document[2]))
        elif key.isdecimal() and len(key) < 7:
            items.append(Item("number", key, int(key), int(key)))
        else:
            items.append(Item("name", key))
    return Parsed("tag", "citation", tuple(items), wraps=_inside(m, m.span("text"))) if items else None


_MOST = 50
"""Keys that are read from one marker."""


def _id(syntax: str) -> Callable[[re.Match[str]], Parsed]:
    def read(m: re.Match[str]) -> Parsed:
        key = m["key"].strip()
        number = int(key) if key.isdecimal() and len(key) < 7 else 0
        wraps = m.span("text") if "text" in m.re.groupindex else None
        return Parsed(syntax, "citation", (Item("id", key, number, number),), wraps=_inside(m, wraps))

    return read


def _sup(m: re.Match[str]) -> Parsed | None:
    items = _numbers(m[1].strip("[] "))
    return Parsed("sup", "citation", items) if items else None


def _directive(m: re.Match[str]) -> Parsed | None:
    items = _numbers(m[1])
    return Parsed("directive", "citation", items) if items else None


_SEE = re.compile(r"^\s*(?:see(?: also)?|cf\.?|vgl\.?|siehe(?: auch)?|voir(?: aussi)?)\s+", re.IGNORECASE)


def _round(m: re.Match[str]) -> Parsed | None:
    """Round brackets: a known prefix with a number or name, or (decided later) exactly an id or title."""
    inside = _SEE.sub("", m[1])
    prefix = _PREFIX.match(inside)
    if prefix:
        parsed = _prefixed(inside.strip(), _PREFIX.match(inside.strip()) or prefix)
        if parsed and parsed.sure:
            return parsed._replace(syntax="round")
    if inside.strip().isdigit() or not any(map(str.isalpha, inside)):
        return None
    return Parsed("round", "citation", (Item("name", inside.strip()),), sure=False)


_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁼", "0123456789--")


def _superscript(m: re.Match[str]) -> Parsed | None:
    digits = m[0].translate(_SUPERSCRIPT)
    items = [Item("number", part, int(part), int(part)) for part in re.findall(r"\d{1,6}", digits)]
    return Parsed("superscript", "citation", tuple(items)) if items else None


def _paren(m: re.Match[str]) -> Parsed | None:
    items = _numbers(m[1])
    return Parsed("paren", "citation", items) if items else None


def _curly(m: re.Match[str]) -> Parsed | None:
    items = _numbers(m[1])
    return Parsed("curly", "citation", items) if items else None


def _bracket(m: re.Match[str]) -> Parsed | None:
    return read_inside(m[1])


def _full_width(m: re.Match[str]) -> Parsed | None:
    parsed = read_inside(m[1])
    return parsed._replace(syntax="full_width") if parsed and parsed.sure and parsed.kind == "citation" else None


def _rx(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


SYNTAXES: tuple[Syntax, ...] = (
    Syntax("bing", "[", _rx(r"\[\^\d{1,4}\^\]\[(\d{1,4})\]"), _bracket, "Refunds [^1^][2]."),
    Syntax("double", "[", _rx(r"\[\[\s*([^\[\]\n]{1,200}?)\s*\]\]"), _bracket, "Dogs ride free [[2]]."),
    Syntax("ref", "[", _rx(r"\[ref=(?P<key>[^\[\]\s]{1,120})\]"), _id("ref"), "Refunds [ref=a1]."),
    Syntax("square", "[", _rx(r"\[([^\[\]\n]{1,400}+)\]"), _bracket, "Refunds take 5 days [1]."),
    Syntax("escaped", "\\", _rx(r"\\\[([^\[\]\\\n]{1,200}+)\\\]"), _bracket, r"Refunds \[1\]."),
    Syntax("turn", "\\", _rx(r"\\ue202(turn\d{1,4}[a-z]{2,12}\d{1,4})"), _turn, r"Refunds \ue202turn0search0."),
    Syntax("lenticular", "【", _rx(r"【([^【】\n]{1,200}+)】"), _lenticular, "返品は14日以内【1】。"),
    Syntax("full_width", "［", _rx(r"［([^［］\n]{1,200}+)］"), _full_width, "送料は無料です［２］。"),
    Syntax("ragflow", "#", _rx(r"##(\d{1,6})\$\$"), _zero, "Refunds ##0$$."),
    Syntax("directive", ":", _rx(r":cite\[([^\[\]\n]{1,60})\]"), _directive, "Refunds :cite[2]."),
    Syntax("turn", "\ue200", _rx("\ue200(?:file)?cite\ue202[^\ue200\ue201\n]{1,400}+\ue201"), _turn, "…\ue200cite\ue202turn0search1\ue201."),
    Syntax("turn", "\ue202", _rx("\ue202turn\\d{1,4}[a-z]{2,12}\\d{1,4}"), _turn, "…\ue202turn0search0."),
    Syntax(
        "command_r", "<",
        _rx(r"<co:\s*(\d{1,4}(?:\s*,\s*\d{1,4}){0,20})>(?P<text>[^<]{0,2000}+)</co:\s*[\d,\s]{1,80}>"),
        _zero, "Refunds take <co: 0,1>5 days</co: 0,1>.",
    ),
    Syntax(
        "tag", "<",
        _rx(r"<(?:uip:)?cite\b[^<>]{0,40}?(?:index|id|ids|ref|source|sources|title)=[\"'](?P<ids>[^\"'<>]{1,200})[\"'][^<>]{0,200}>(?P<text>[^<]{0,2000}+)</(?:uip:)?cite>"),
        _cite_tag, '<cite index="1-2">refunds take 5 days</cite>.',
    ),
    Syntax(
        "granite", "<",
        _rx(r"<\|start_of_cite\|>\s*\{\s*\"?document_id\"?\s*:\s*\"?(?P<key>[^\"{}]{1,80}?)\"?\s*\}(?P<text>[^<]{0,2000}+)<\|end_of_cite\|>"),
        _id("granite"), '<|start_of_cite|>{"document_id": "1"}fact<|end_of_cite|>',
    ),
    Syntax(
        "grok", "<",
        _rx(r"<grok:render\b[^<>]{0,300}>\s*<argument name=\"citation_id\">\s*(?P<key>[^<>]{1,40}?)\s*</argument>\s*</grok:render>"),
        _id("grok"), '<grok:render><argument name="citation_id">37</argument></grok:render>',
    ),
    Syntax("sup", "<", _rx(r"<sup>\s*(\[?\s*\d{1,4}(?:\s*[,;–-]\s*\d{1,4}){0,20}\s*\]?)\s*</sup>"), _sup, "Refunds<sup>2</sup>."),
    Syntax(
        "quote_tag", "<",
        _rx(r"<ref\s+text=\"[^\"<>]{0,1000}\">\s*\[\s*\"(?P<key>[^\"<>\[\]]{1,120})\"\s*\]\s*</ref>"),
        _id("quote_tag"), '<ref text="30 days">["a1"]</ref>',
    ),
    Syntax("file_tag", "<", _rx(r"<CIT\s+(?P<key>[^<>/\s]{1,120})\s*/>"), _id("file_tag"), "<CIT file-9 />"),
    Syntax("file_token", "<", _rx(r"<\|(?P<key>file-[^<>|]{1,120})\|>"), _id("file_token"), "<|file-528246|>"),
    Syntax("round", "(", _rx(r"\(([^()\n\[\]]{2,160}+)\)"), _round, "Each 30,000 km (Source 3)."),
    Syntax("round", "（", _rx(r"（([^（）\n\[\]]{2,160}+)）"), _round, "送料は無料です（出典：3）。"),
)  # fmt: skip
"""The table of marker syntaxes that are always read, in the order in which they are tried."""

OPTIONAL: dict[str, Syntax] = {
    "paren": Syntax("paren", "(", _rx(r"\(\s*(\d{1,4}(?:\s*[,;–-]\s*\d{1,4}){0,20})\s*\)"), _paren, "It is free (1)."),
    "superscript": Syntax(
        "superscript", "⁰¹²³⁴⁵⁶⁷⁸⁹", _rx("[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,6}(?:[,⁻⁼][⁰¹²³⁴⁵⁶⁷⁸⁹]{1,6}){0,10}"), _superscript, "5 days¹²."
    ),
    "curly": Syntax("curly", "{", _rx(r"\{\s*(\d{1,4}(?:\s*[,;–-]\s*\d{1,4}){0,20})\s*\}"), _curly, "Refunds {1}."),
}
"""The opt-in syntaxes of ``Options.syntaxes``."""

BARE_TURN = re.compile(r"\b(?:file)?cite(?:turn\d{1,4}(?:search|image|news|video|ref|file|url|block|view)\d{1,4})+")
"""ChatGPT's marker after its glyphs were lost in copying."""

read_turn = _turn

CUT = re.compile(
    rf"\[\s*(?:{_NUMBER}(?:\s*[,;–-]\s*{_NUMBER}){{0,20}}\s*(?=[,;]|[,;–-]?\s*$)|(?:{_SOURCE_WORDS}|{'|'.join(_FAMILIES)})\s*[:：][^\[\]\n]{{0,120}}$|\^?$)",
    re.IGNORECASE,
)
"""A marker that was never closed on its line (matched against the rest of the line)."""

CUT_NUMBER = re.compile(
    rf"\[\s*(?:(?:{_SOURCE_WORDS})\s*[:：]?\s*)?({_NUMBER})(?=([.!?]?)\s)(?!\s*[;,]\s*\d)", re.IGNORECASE
)
"""The same in the middle of its line: a number, perhaps a stop, and the text goes on."""


def by_opening(optional: tuple[str, ...]) -> dict[str, tuple[Syntax, ...]]:
    """The active syntaxes by their opening character; opted-in ones are tried first."""

    def rows() -> Iterator[Syntax]:
        yield from (OPTIONAL[name] for name in optional)
        yield from SYNTAXES

    table: dict[str, list[Syntax]] = {}
    for syntax in rows():
        for opening in syntax.opens:
            table.setdefault(opening, []).append(syntax)
    return {opening: tuple(found) for opening, found in table.items()}
