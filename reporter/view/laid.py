"""Writes JSON as a reader would: what fits on a line on one line, all else a line an item."""

import json
from json.encoder import encode_basestring
from typing import Any, Final

LONG_LINE: Final = 80
"""Characters that a written line may have before its value is broken into lines."""
_STEP: Final = 2
"""Spaces that a level is set in by."""
_WORDS: Final = {True: "true", False: "false", None: "null"}

encode: Final = json.JSONEncoder(ensure_ascii=False, default=str).encode
"""Writes any JSON value on one line."""


def laid(value: Any, indent: int = 0) -> str:  # noqa: ANN401  any JSON value
    """Write a value; its items are written once each, whether it is broken into lines or not.

    Args:
        value: Any JSON value.
        indent: Spaces that stand before the line it begins on.

    Raises:
        RecursionError: It is nested too deeply.
        ValueError: The same, or a value that JSON has no form for.
    """
    kind = type(value)
    if kind is str:
        return encode_basestring(value)
    if kind is int:
        return repr(value)
    if kind is bool or value is None:
        return _WORDS[value]
    inner = indent + _STEP
    if isinstance(value, dict):
        said = [
            f"{encode_basestring(str(key))}: {laid(item, inner)}" for key, item in value.items()
        ]
        return _joined(said, "{", "}", indent)
    if isinstance(value, list | tuple):
        return _joined([laid(item, inner) for item in value], "[", "]", indent)
    return encode(value)


def _joined(said: list[str], opening: str, closing: str, indent: int) -> str:
    # An item that was broken into lines is longer than a line already, so that what holds it
    # is broken as well.
    if indent + sum(map(len, said)) + 2 * (len(said) or 1) <= LONG_LINE:
        return f"{opening}{', '.join(said)}{closing}"
    margin = "\n" + " " * (indent + _STEP)
    return f"{opening}{margin}{f',{margin}'.join(said)}\n{' ' * indent}{closing}"
