"""The words of the display in one locale, with its way of writing numbers."""

from __future__ import annotations

from typing import Any

from ragcite_nb import messages


class Words:
    r"""Messages of the section ``view``; calling it gives one.

    >>> say = Words("fr")
    >>> say("never_cited"), say.count("sources_count", 1200).replace("\u202f", " ")
    ('jamais citée', '1 200 sources')
    """

    def __init__(self, locale: str) -> None:
        self.locale = locale if locale in messages.LOCALES else "en"

    def __call__(self, key: str, part: str | None = None, **params: Any) -> str:
        """The message ``key``, or its part."""
        return messages.text("view", key, self.locale, part=part, **params)

    def has(self, key: str, part: str) -> bool:
        """Whether the message ``key`` has this part."""
        return part in messages.catalog("view", self.locale)[key]

    def parts(self, key: str) -> dict[str, str]:
        """All parts of a message, as they are."""
        return dict(messages.catalog("view", self.locale)[key])

    def number(self, value: int) -> str:
        """A whole number, with the locale's separator from 1000 on.

        >>> Words("de").number(12345)
        '12.345'
        """
        return f"{value:,}".replace(",", self("thousands"))

    def count(self, key: str, value: int, **params: Any) -> str:
        """A message in singular or plural."""
        return self(key, count=value, number=self.number(value), **params)

    def percent(self, share: float) -> str:
        """A share in whole percent; only all is 100 and only nothing is 0.

        >>> Words("en").percent(0.999), Words("en").percent(0.001), Words("en").percent(1)
        ('99%', '1%', '100%')
        """
        share = min(max(share, 0.0), 1.0)
        rounded = int(share * 100 + 0.5)
        if 0 < share < 1:
            rounded = min(max(rounded, 1), 99)
        return self("percent", number=rounded)

    def decimal(self, value: float) -> str:
        """A number with at most four digits behind the point.

        >>> Words("fr").decimal(0.83)
        '0,83'
        """
        shown = f"{value:.4f}".rstrip("0").rstrip(".")
        return shown if self.locale == "en" else shown.replace(".", ",")
