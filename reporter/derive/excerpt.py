"""Short pieces of recorded text that facts carry: one line, bounded, with secrets masked."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from reporter.canonical import canonical_json
from reporter.redaction import mask_text

_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,15}://\S+")
# Enough raw text to fill a bound with words, however much white space stands between them.
_SLACK: Final = 8


def bounded(text: str, limit: int) -> str | None:
    """Return text on one line, masked, of at most `limit` characters; None for a blank one.

    A cut is marked by an ellipsis, which counts.
    """
    window = text
    if len(text) > limit * _SLACK:
        text = text.strip()
        window = text[: limit * _SLACK]
        if len(window) < len(text):
            # A cut may halve a credential, so that it no longer looks like one: drop its rest.
            window = window.rsplit(maxsplit=1)[0]
    line = " ".join(mask_text(window).split())
    if not line:
        return None
    if len(line) <= limit and len(window) == len(text):
        return line
    return line[: limit - 1].rstrip() + "…"


def quoted(name: str) -> str:
    """Return a recorded name as it may stand in a message: quoted, short, masked."""
    return f'"{bounded(name, 60) or ""}"'


def refusal_text(text: str | None) -> str | None:
    """Return a runner's error message as it may be shown: no URL, one line, 500 characters.

    Rule: recording.md section 3, Attempt.
    """
    if text is None:
        return None
    return bounded(_URL.sub("", text), 500)


def error_words(value: Any, limit: int) -> str | None:  # noqa: ANN401  any recorded result
    """Return the words of a tool result, or None where it has none.

    Args:
        value: A text, a result with a `content` list of text items, or any other JSON.
        limit: Most characters to return.
    """
    if value is None:
        return None
    text = value if isinstance(value, str) else _words(value)
    if text is None:
        try:
            text = canonical_json(value)
        except ValueError:
            return None
    return bounded(text, limit)


def _words(value: object) -> str | None:
    """Return the text inside a structured result, or None where it holds none in sight."""
    items = value
    if isinstance(value, Mapping):
        items = value.get("content")
        if items is None:
            error = value.get("error")
            said = error.get("message") if isinstance(error, Mapping) else error
            said = value.get("message") if said is None else said
            return said if isinstance(said, str) else None
    if isinstance(items, str):
        return items
    if not isinstance(items, Sequence):
        return None
    texts = [item.get("text") for item in items if isinstance(item, Mapping)]
    return "\n".join(text for text in texts if isinstance(text, str)) or None
