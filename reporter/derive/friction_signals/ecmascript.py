"""Text as ECMAScript measures, trims and sorts it."""

import re
from typing import Final

from reporter.canonical import canonical_json

# What ECMAScript counts as white space or a line's end; Python strips others as well.
SPACE: Final = (
    "\t\n\x0b\x0c\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_WIDE: Final = re.compile("[\U00010000-\U0010ffff]")


def trimmed(text: str) -> str:
    """Return a text without white space around it."""
    return text.strip(SPACE)


def code_units(text: str) -> int:
    """Count the UTF-16 code units of a text."""
    return len(text) if text.isascii() else len(text) + len(_WIDE.findall(text))


def by_code_unit(text: str) -> bytes:
    """Return the key that sorts texts by their UTF-16 code units."""
    return text.encode("utf-16-be", "surrogatepass")


def number_text(number: float) -> str | None:
    """Write a number as ECMAScript does, or return None for one that is not finite."""
    try:
        return canonical_json(number)
    except ValueError:
        return None
