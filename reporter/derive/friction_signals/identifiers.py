"""Identifiers in a result, and whether a later call makes use of one."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NoReturn

from pydantic_core import from_json

from reporter.derive.friction_signals.ecmascript import (
    SPACE,
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
# Both cases are spelled out and no letter is given back: this is asked of nearly every text
# of every result. White space around it, which no shape holds, is left out of the group.
_SHAPES: Final = re.compile(
    rf"[{SPACE}]*+"
    r"([A-Za-z]{1,12}+-[A-Za-z0-9]{1,32}+"
    r"|[0-9A-Fa-f]{8}(?:[0-9A-Fa-f]*+"
    r"|-[0-9A-Fa-f]{4}-[1-5][0-9A-Fa-f]{3}-[89ABab][0-9A-Fa-f]{3}-[0-9A-Fa-f]{12})"
    r"|[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{26})"
    rf"[{SPACE}]*+\Z"
)
_CLOSING: Final[Mapping[str, str]] = {"{": "}", "[": "]"}
_SHORT: Final = 10_000
"""Characters of a text that is remembered with its identifiers; most answers are shorter."""
_SHORTEST_BARE: Final = 8
"""Characters of the shortest text that has the shape of an identifier and no hyphen."""
_SHORTEST_NUMBER: Final = 10 ** (_SHORTEST_BARE - 1)
_PART_OF_A_WORD: Final = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
)


def names_identifier(key: str) -> bool:
    """Tell whether a key says that its value is an identifier.

    Rule: friction.md section 4, `names_identifier`.
    """
    return _NAMES.search(key) is not None or key.endswith("Id")


def is_id_shaped(text: str) -> bool:
    """Tell whether a whole text has the shape of an identifier.

    Rule: friction.md section 4, `id_shaped`.
    """
    shape = _SHAPES.match(text)
    return shape is not None and shape[1] == text


def candidates(content: object) -> list[tuple[str, str]]:
    """Return the identifiers of one JSON value with their paths, in walking order.

    Rule: friction.md section 4.
    """
    found: list[tuple[str, str]] = []
    _walk(content, "", 0, False, found)
    return found


def candidates_of_text(text: str) -> Sequence[tuple[str, str]]:
    """Return the identifiers of a text as `candidates` does; none of what is no strict JSON.

    Rule: friction.md section 4, `Source`.
    """
    return _remembered(text) if len(text) <= _SHORT else _parsed_candidates(text)


def _parsed_candidates(text: str) -> Sequence[tuple[str, str]]:
    bare = trimmed(text)
    closing = _CLOSING.get(bare[:1])
    if closing is None or closing not in bare:
        return ()
    try:
        content = from_json(text, allow_inf_nan=False)
    except ValueError:
        # It knows half a character, or one level of nesting more, as an error; this does not.
        try:
            content = _STRICT.decode(text)
        except (ValueError, RecursionError):
            return ()
    return candidates(content)


# Sessions of one wave ask the same server the same: half of its answers were given before.
_remembered: Final = lru_cache(maxsize=512)(_parsed_candidates)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


_STRICT: Final = json.JSONDecoder(parse_constant=_refuse)


def _walk(
    value: object,
    path: str,
    depth: int,
    is_named: bool,  # in its place, since this is called for many values of every result
    found: list[tuple[str, str]],
) -> None:
    kind = type(value)
    if kind is dict:
        if depth < DEPTH:
            _walk_object(value, path, depth, found)  # type: ignore[arg-type]  # see above
    elif kind is list:
        if depth < DEPTH:
            inner = f"{path}[]"
            for item in value[:ITEMS]:  # type: ignore[index]  # a list, see above
                _walk(item, inner, depth + 1, is_named, found)
    elif len(found) < CANDIDATES:
        text = _scalar(value, is_named=is_named)
        if text is not None:
            found.append((text, path or "$"))


def _walk_object(
    value: dict[str, object], path: str, depth: int, found: list[tuple[str, str]]
) -> None:
    prefix = f"{path}." if path else ""
    for key, is_named in _members(tuple(value)):
        item = value[key]
        kind = type(item)
        # Every value of every result comes by here: most are told apart without a call.
        if kind is str:
            text = _text(item, is_named=is_named)  # type: ignore[arg-type]  # a text
            if text is not None and len(found) < CANDIDATES:
                found.append((text, prefix + key))
        elif item is not None and kind is not bool:
            _walk(item, prefix + key, depth + 1, is_named, found)


def _text(item: str, *, is_named: bool) -> str | None:
    """Return a text that is an identifier by its key or by its shape."""
    if is_named:
        text = item.strip(SPACE)
        return text if len(text) >= SHORTEST or code_units(text) >= SHORTEST else None
    if len(item) < _SHORTEST_BARE and "-" not in item:
        return None
    # The shortest text of any shape is long enough.
    shape = _SHAPES.match(item)
    return None if shape is None else shape[1]


@lru_cache(maxsize=256)
def _members(keys: tuple[str, ...]) -> list[tuple[str, bool]]:
    """Return an object's keys in walking order, each with whether it names an identifier."""
    return [(key, names_identifier(key)) for key in sorted(keys, key=by_code_unit)]


def _scalar(value: object, *, is_named: bool) -> str | None:
    """Return the text of a value that is an identifier by its key or by its shape."""
    if isinstance(value, str):
        return _text(value, is_named=is_named)
    if isinstance(value, int | float) and not isinstance(value, bool):
        # No shorter number has the shape of an identifier, and writing one takes its time.
        if not is_named and -_SHORTEST_NUMBER < value < _SHORTEST_NUMBER:
            return None
        text = number_text(value)
        if text is not None and (is_named or _SHAPES.match(text)):
            return text if len(text) >= SHORTEST else None
    return None


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
