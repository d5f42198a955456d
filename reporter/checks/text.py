"""How reasons quote: bounded, secrets first taken out."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from reporter.canonical import canonical_json

REASON_CAP: Final = 600
"""Code units of a whole reason."""
VALUE_CAP: Final = 200
"""Code units of a JSON value, a needle or a message."""
PATTERN_CAP: Final = 120
LISTED: Final = 3
"""Items that a reason lists; the rest are counted."""
REDACTED: Final = "«redacted»"
DEPTH_LIMIT: Final = "«depth-limit»"

_DEPTH: Final = 6
_ITEMS: Final = 20
_SECRET_KEY: Final = re.compile(
    r"authorization|bearer|password|passwd|secret|token|api[_-]?key|access[_-]?key"
    r"|client[_-]?secret|cookie|credential|private[_-]?key",
    re.IGNORECASE,
)
_VALUE: Final = r"[A-Za-z0-9_.\-+/=]"
_ASSIGNED: Final = re.compile(
    r"\b((?:authorization|password|passwd|secret|token|api[_-]?key|access[_-]?key"
    r"|client[_-]?secret|cookie|credential|private[_-]?key)\b[\"']?\s*[:=]\s*)"
    rf"[\"']?(?:bearer\s+)?{_VALUE}{{6,}}[\"']?",
    re.IGNORECASE,
)
_BEARER: Final = re.compile(rf"\bbearer\s+{_VALUE}{{8,}}", re.IGNORECASE)
_VENDOR: Final = re.compile(
    r"\b(?:sk|pk|rk|ghp|gho|ghu|ghs|ghr|xoxa|xoxb|xoxp|xoxr|xoxs)[-_][A-Za-z0-9_.\-]{8,}",
    re.IGNORECASE,
)


SPACE: Final = (
    "\t\n\x0b\x0c\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What ECMAScript calls white space; Python's own notion is another."""


def trimmed(text: str) -> str:
    """Return a text without white space at its ends.

    Rule: checks.md section 15, trimming.
    """
    return text.strip(SPACE)


def capped(text: str, cap: int) -> str:
    """Cut a text after so many UTF-16 code units, and say how many were dropped.

    Rule: checks.md section 5.1.
    """
    if len(text) * 2 <= cap or (text.isascii() and len(text) <= cap):
        return text
    units = text.encode("utf-16-le", "surrogatepass")
    left = len(units) // 2 - cap
    if left <= 0:
        return text
    head = units[: cap * 2].decode("utf-16-le", "replace").rstrip("\ufffd")
    return f"{head}…(+{left} chars)"


def redacted(value: Any, depth: int = 0) -> Any:  # noqa: ANN401  any JSON value
    """Return a JSON value with its secrets taken out by their keys.

    Rule: checks.md section 5.2, structured values.
    """
    if depth > _DEPTH:
        return DEPTH_LIMIT
    if isinstance(value, Mapping):
        return {
            key: REDACTED if _SECRET_KEY.search(str(key)) else redacted(item, depth + 1)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [redacted(item, depth + 1) for item in value[:_ITEMS]]
    return value


def scrubbed(text: str) -> str:
    """Return a session's free text with its secrets taken out.

    Rule: checks.md section 5.2, free text.
    """
    text = _ASSIGNED.sub(rf"\1{REDACTED}", text)
    text = _BEARER.sub(REDACTED, text)
    return _VENDOR.sub(REDACTED, text)


def quoted(text: str, cap: int = VALUE_CAP) -> str:
    """Quote author content."""
    return f"“{capped(text, cap)}”"


def said(text: str, cap: int = VALUE_CAP) -> str:
    """Quote what a session said, secrets taken out before it is cut."""
    return quoted(scrubbed(text), cap)


def shown(value: Any) -> str:  # noqa: ANN401  any JSON value
    """Show a JSON value, secrets taken out by their keys and in its text."""
    try:
        text = canonical_json(redacted(value))
    except ValueError:
        text = "a value that JSON cannot hold"
    return capped(scrubbed(text), VALUE_CAP)


def listed(items: Sequence[str] | Iterable[str]) -> str:
    """List the first few items and count the rest."""
    every = list(items)
    more = len(every) - LISTED
    tail = f" and {more} more" if more > 0 else ""
    return ", ".join(every[:LISTED]) + tail


def counted(number: int, one: str) -> str:
    """Such as `1 call` and `3 calls`."""
    return f"{number} {one}" if number == 1 else f"{number} {one}s"
