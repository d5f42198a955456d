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
_PLAIN: Final = frozenset({int, float, bool, type(None)})
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
    except (ValueError, TypeError):
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
            _walk_object(value, f"{path}." if path else "", depth, found)  # type: ignore[arg-type]  # see above
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
    value: dict[str, object], prefix: str, depth: int, found: list[tuple[str, str]]
) -> None:
    # Every value of every result comes by here: most are told apart without a call.
    below = depth + 1
    for key, is_named in _members(tuple(value)):
        item = value[key]
        kind = type(item)
        if kind is str:
            text: str | None
            if is_named:
                text = _named_text(item)  # type: ignore[arg-type]  # a text
            elif len(item) >= _SHORTEST_BARE or "-" in item:  # type: ignore[arg-type,operator]  # a text
                text = _shaped_text(item)  # type: ignore[arg-type]  # a text
            else:
                continue
            if text is not None and len(found) < CANDIDATES:
                found.append((text, prefix + key))
        elif kind is dict:
            if below < DEPTH:
                _walk_object(item, f"{prefix}{key}.", below, found)  # type: ignore[arg-type]  # an object
        elif is_named or kind not in _PLAIN or _is_long(item):
            _walk(item, prefix + key, below, is_named, found)


def _is_long(item: object) -> bool:
    """Tell whether a plain value is a number of as many digits as an identifier has at least."""
    return item is not None and not -_SHORTEST_NUMBER < item < _SHORTEST_NUMBER  # type: ignore[operator]  # a number or a truth value


def _named_text(text: str) -> str | None:
    """Return a text that is an identifier by its key."""
    bare = trimmed(text)
    return bare if len(bare) >= SHORTEST or code_units(bare) >= SHORTEST else None


def _shaped_text(text: str) -> str | None:
    """Return a text that is an identifier by its shape; the shortest of any is long enough."""
    shape = _SHAPES.match(text)
    return None if shape is None else shape[1]


@lru_cache(maxsize=256)
def _members(keys: tuple[str, ...]) -> list[tuple[str, bool]]:
    """Return an object's keys in walking order, each with whether it names an identifier."""
    return [(key, names_identifier(key)) for key in sorted(keys, key=by_code_unit)]


def _scalar(value: object, *, is_named: bool) -> str | None:
    """Return the text of a value that is an identifier by its key or by its shape."""
    if isinstance(value, str):
        return _named_text(value) if is_named else _shaped_text(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        # No shorter number has the shape of an identifier, and writing one takes its time.
        if not (is_named or _is_long(value)):
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
