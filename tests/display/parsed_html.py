"""A small HTML reader for tests: elements with their attributes and their text, nesting checked."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"br", "meta", "hr"}


class Element:
    def __init__(self, tag: str, attributes: dict[str, str | None], parent: Element | None) -> None:
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.children: list[Element | str] = []

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def all(self, tag: str | None = None, **attributes: str) -> list[Element]:
        """Elements inside, by tag and by a word of an attribute (``class_`` for class)."""
        found = []
        for child in self.children:
            if isinstance(child, Element):
                wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
                if tag in (None, child.tag) and all(
                    v in (child.attributes.get(n) or "").split() for n, v in wanted.items()
                ):
                    found.append(child)
                found += child.all(tag, **attributes)
        return found

    def inside(self, tag: str) -> bool:
        return self.parent is not None and (self.parent.tag == tag or self.parent.inside(tag))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self.at = Element("", {}, None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs), self.at)
        self.at.children.append(element)
        if tag not in VOID:
            self.at = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.at.tag, f"</{tag}> closes <{self.at.tag}>"
        assert self.at.parent is not None
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.children.append(data)


def parse(html: str) -> Element:
    """The tree of ``html``; a wrongly nested or unclosed element fails the test."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert reader.at is reader.root, f"<{reader.at.tag}> is not closed"
    return reader.root
