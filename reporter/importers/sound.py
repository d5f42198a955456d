"""Makes recorded values fit to be written down: no half characters, no endless nesting."""

import re
from typing import Any, Final

DEEPEST: Final = 100
"""Levels of nesting kept of a tool call's arguments: no writer need fear for its stack."""

_LONE: Final = re.compile("[\ud800-\udfff]")


def sound_text(text: str) -> str:
    """Return a text in which U+FFFD stands for every half of a character.

    JSON can escape one half alone; no UTF-8 text can hold it.
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return _LONE.sub("\ufffd", text)
    return text


class _TooDeepError(Exception):
    """A value nests deeper than is kept."""


def sound_object(value: object) -> dict[str, Any] | None:
    """Return a copy of a JSON object whose texts are all sound.

    Returns:
        None where the value is no object or nests too deeply.
    """
    if not isinstance(value, dict):
        return None
    try:
        return {sound_text(key): _sound(item, DEEPEST - 1) for key, item in value.items()}
    except _TooDeepError:
        return None


def _sound(value: Any, levels: int) -> Any:  # noqa: ANN401  any JSON value
    if isinstance(value, str):
        return sound_text(value)
    if not isinstance(value, dict | list):
        return value
    if levels == 0:
        raise _TooDeepError
    if isinstance(value, list):
        return [_sound(item, levels - 1) for item in value]
    return {sound_text(key): _sound(item, levels - 1) for key, item in value.items()}
