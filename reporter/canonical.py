"""Canonical JSON: one text for one value, so that a digest means something."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any, Final

import rfc8785

_SURROGATE = re.compile("[\ud800-\udfff]")


def canonical_json(value: Any) -> str:  # noqa: ANN401  any JSON value
    """Write a JSON value in its canonical form.

    Args:
        value: None, a boolean, a number, a string, or a list, tuple or mapping of such.
            Integers beyond 2^53 are written as the double they round to.

    Returns:
        The text: no spaces, keys by UTF-16 code unit, ECMAScript numbers, and lone
        surrogates as lower-case escapes, so that the text always encodes to UTF-8.

    Raises:
        ValueError: The value is not JSON, holds a number that is not finite, or is nested
            without end.

    Rule: friction.md section 3.
    """
    parts: list[str] = []
    try:
        if _is_plain(value):
            # What most arguments are; the form is the same, and C writes it.
            return _plain(value)
        _write(value, parts)
    except RecursionError as error:
        raise ValueError("a value nested this deep has no JSON form") from error
    return "".join(parts)


def canonical_digest(value: Any) -> str:  # noqa: ANN401  any JSON value
    """Return the SHA-256 of a value's canonical JSON, as 64 lower-case hex digits."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


_PLAIN: Final = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, sort_keys=True, separators=(",", ":")
)
_plain: Final = _PLAIN.encode
_EXACT: Final = 2**53


def _is_plain(value: object) -> bool:
    """Tell whether a value holds only what Python writes as its canonical form is."""
    kind = type(value)
    if kind is str:
        return str(value).isascii()
    if kind is dict:
        for key, item in value.items():  # type: ignore[attr-defined]  # a dict, see above
            # Most members are texts: no call for these.
            is_plain = item.isascii() if type(item) is str else _is_plain(item)
            if not (is_plain and type(key) is str and key.isascii()):
                return False
        return True
    if kind is list:
        return all(map(_is_plain, value))  # type: ignore[call-overload]
    if kind is int:
        return -_EXACT <= value <= _EXACT  # type: ignore[operator]
    return kind is bool or value is None


def _write(value: object, parts: list[str]) -> None:
    if value is None or isinstance(value, bool):
        parts.append("null" if value is None else "true" if value else "false")
    elif isinstance(value, str):
        parts.append(_string(str(value)))
    elif isinstance(value, int | float):
        parts.append(_number(value))
    elif isinstance(value, Mapping):
        _write_object(value, parts)
    elif isinstance(value, list | tuple):
        parts.append("[")
        for index, item in enumerate(value):
            if index:
                parts.append(",")
            _write(item, parts)
        parts.append("]")
    else:
        raise ValueError(f"{type(value).__name__} has no JSON form")


def _write_object(value: Mapping[Any, object], parts: list[str]) -> None:
    if not all(isinstance(key, str) for key in value):
        raise ValueError("an object key is not a string")
    parts.append("{")
    # rfc8785 itself refuses lone surrogates, which recorded text may hold.
    ordered = sorted(value, key=lambda key: str(key).encode("utf-16-be", "surrogatepass"))
    for index, key in enumerate(ordered):
        if index:
            parts.append(",")
        parts.append(_string(str(key)))
        parts.append(":")
        _write(value[key], parts)
    parts.append("}")


def _string(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", quoted)


def _number(number: float) -> str:
    try:
        return rfc8785.dumps(float(number)).decode()
    except (OverflowError, rfc8785.FloatDomainError) as error:
        raise ValueError(f"{number} has no JSON form") from error
