"""Numbers as people write them: decimal comma, thousands, percent signs, by locale."""

from __future__ import annotations

from ragcite_nb import messages


def whole(value: int, locale: str) -> str:
    """A whole number.

    >>> whole(12345, "de")
    '12.345'
    """
    return f"{value:,}".replace(",", messages.text("view", "thousands", locale))


def percent(share: float | None, locale: str) -> str:
    """A share as percent, with a digit after the point where it tells something.

    >>> percent(0.125, "en"), percent(0.5, "en"), percent(None, "en")
    ('12.5%', '50%', '–')
    """
    if share is None:
        return "–"
    return messages.text("view", "percent", locale, number=_decimal(share * 100, locale))


def counted(count: int, total: int, locale: str) -> str:
    """A count with its share of the total.

    >>> counted(3, 12, "en")
    '3 (25%)'
    """
    return f"{whole(count, locale)} ({percent(count / total, locale)})"


def points(difference: float, locale: str, *, sign: bool = True) -> str:
    """A difference of two shares in percentage points.

    >>> points(-0.081, "fr"), points(-0.01, "en", sign=False)
    ('−8,1 points', '1 point')
    """
    number = _decimal(abs(difference) * 100, locale)
    text = signed(difference, locale) if sign else number
    return messages.text("report", "points", locale, count=1 if number == "1" else 2, number=text)


def signed(difference: float, locale: str) -> str:
    """The number of percentage points alone.

    >>> signed(0.125, "de"), signed(0, "de")
    ('+12,5', '0')
    """
    number = _decimal(abs(difference) * 100, locale)
    return number if number == "0" else f"{'−' if difference < 0 else '+'}{number}"


def probability(value: float, locale: str) -> str:
    """A chance, never rounded to none at all.

    >>> probability(0.00001, "en"), probability(0.021, "en")
    ('< 0.1%', '2.1%')
    """
    return f"< {percent(0.001, locale)}" if value < 0.001 else percent(value, locale)


def _decimal(value: float, locale: str) -> str:
    text = f"{value:.1f}".removesuffix(".0")
    if text in ("0", "100") and value not in (0, 100):
        text = "0.1" if text == "0" else "99.9"  # one response in ten thousand is not none
    return text.replace(".", messages.text("report", "decimal", locale))
