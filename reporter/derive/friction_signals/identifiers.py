"""Identifiers in a result, and whether a later call makes use of one."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from reporter.derive.friction_signals.ecmascript import (
    by_code_unit,
    code_units,
    number_text,
    trimmed,
)
from reporter.derive.friction_signals.limits import CANDIDATES, DEPTH, ITEMS, SHORTEST

# The word is the whole key or follows an underscore; or the key ends with exactly `Id`.
_NAMES: Final = re.compile(
    r"(?:\A|_)(?:id|ids|key|uuid|slug|number|ref|identifier)\Z", re.ASCII | re.IGNORECASE
)
_SHAPES: Final = re.compile(
    r"\A(?:[a-z]{1,12}-[a-z0-9]{1,32}"
    r"|[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
    r"|[0-9a-hjkmnp-tv-z]{26}"
    r"|[0-9a-f]{8,})\Z",
    re.ASCII | re.IGNORECASE,
)
_SHORTEST_NUMBER: Final = 10**7
"""The shape of bare hex digits takes eight of them."""
_PART_OF_A_WORD: Final = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
)


@lru_cache(maxsize=4096)
def names_identifier(key: str) -> bool:
    """Tell whether a key says that its value is an identifier.

    Rule: friction.md section 4, `names_identifier`.
    """
    return _NAMES.search(key) is not None or key.endswith("Id")


def is_id_shaped(text: str) -> bool:
    """Tell whether a whole text has the shape of an identifier.

    Rule: friction.md section 4, `id_shaped`.
    """
    return _SHAPES.match(text) is not None


def candidates(contents: Sequence[object]) -> list[tuple[str, str]]:
    """Return the identifiers of one result with the paths they stand at, in walking order.

    Args:
        contents: The JSON values of the result.

    Rule: friction.md section 4.
    """
    found: list[tuple[str, str]] = []
    for content in contents:
        _walk(content, "", 0, False, found)
    return found[:CANDIDATES]


def unused(contents: Sequence[object], arguments: str) -> list[tuple[str, str]]:
    """Return the identifiers of one result as `candidates` does, or none if one is used.

    Most results hold one that a later call uses, and few of their values stand before it:
    nothing is looked at behind it.

    Args:
        contents: The JSON values of the result.
        arguments: The canonical texts of the arguments of all later calls.

    Rule: friction.md sections 4 and 4.1.
    """
    found = _Unused(arguments)
    try:
        for content in contents:
            _walk(content, "", 0, False, found)
    except _UsedError:
        return []
    return found


class _UsedError(Exception):
    """An identifier is used."""


class _Unused(list[tuple[str, str]]):
    """Identifiers with their paths, none of which is used."""

    def __init__(self, arguments: str) -> None:
        super().__init__()
        self._arguments = arguments
        self._seen: set[str] = set()

    def append(self, found: tuple[str, str], /) -> None:
        """Add one that is not used.

        Raises:
            _UsedError: It is.
        """
        if found[0] not in self._seen:
            if is_used(found[0], self._arguments):
                raise _UsedError
            self._seen.add(found[0])
        super().append(found)


def _walk(
    value: object,
    path: str,
    depth: int,
    is_named: bool,  # in its place, since this is called for every value of every result
    found: list[tuple[str, str]],
) -> None:
    kind = type(value)
    if kind is dict or isinstance(value, Mapping):
        if depth < DEPTH:
            prefix = f"{path}." if path else ""
            for key in _sorted(value):  # type: ignore[arg-type]  # a mapping, see above
                item = value[key]  # type: ignore[index]
                # Most values are short texts that are no identifiers: no call for these.
                named = names_identifier(key)
                if named or type(item) is not str or _SHAPES.match(item) or not item.isalnum():
                    _walk(item, prefix + key, depth + 1, named, found)
    elif kind is list or isinstance(value, list):
        if depth < DEPTH:
            inner = f"{path}[]"
            for item in value[:ITEMS]:  # type: ignore[index]
                _walk(item, inner, depth + 1, is_named, found)
    elif len(found) < CANDIDATES:
        text = _scalar(value, is_named=is_named)
        if text is not None:
            found.append((text, path or "$"))


def _sorted(value: Mapping[str, object]) -> list[str]:
    keys = list(value)
    # Code points and code units sort alike below the surrogates, which nearly all keys are.
    return sorted(keys) if all(map(str.isascii, keys)) else sorted(keys, key=by_code_unit)


def _scalar(value: object, *, is_named: bool) -> str | None:
    """Return the text of a value that is an identifier by its key or by its shape."""
    if isinstance(value, str):
        text: str | None = trimmed(value)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        # No shorter number has the shape of an identifier, and writing one takes its time.
        if not is_named and -_SHORTEST_NUMBER < value < _SHORTEST_NUMBER:
            return None
        text = number_text(value)
    else:
        return None
    if text is None or not (is_named or _SHAPES.match(text)):
        return None
    return text if code_units(text) >= SHORTEST else None


def is_used(identifier: str, arguments: str) -> bool:
    """Tell whether an identifier stands by itself in the canonical text of arguments.

    Rule: friction.md section 4.1.
    """
    at = arguments.find(identifier)
    while at >= 0:
        end = at + len(identifier)
        before, after = arguments[at - 1 : at] if at else "", arguments[end : end + 1]
        if before not in _PART_OF_A_WORD and after not in _PART_OF_A_WORD:
            return True
        at = arguments.find(identifier, at + 1)
    return False
