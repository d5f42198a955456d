"""A span and an event as every container comes to hold them: ids, times, plain attributes."""

import base64
import binascii
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from reporter.importers.sound import DEEPEST, sound_text

SpanKind = Literal["client", "server", "internal", "producer", "consumer", "unspecified"]
Status = Literal["ok", "error"]

_HEX: Final = re.compile(r"[0-9a-fA-F]{1,32}")
_LONGEST_ID: Final = 64
_NONE: Final = re.compile("0*")
# In the order of their numbers on the wire.
_KINDS: Final[tuple[SpanKind, ...]] = (
    "unspecified",
    "internal",
    "server",
    "client",
    "producer",
    "consumer",
)
_STATUSES: Final[Mapping[object, Status]] = {
    1: "ok",
    "1": "ok",
    "ok": "ok",
    "status_code_ok": "ok",
    2: "error",
    "2": "error",
    "error": "error",
    "status_code_error": "error",
}
_NS_A_US: Final = 1_000
_NS_A_SECOND: Final = 1_000_000_000
_MOST_NS: Final = 10**20
_INFINITY: Final = float("inf")


@dataclass(frozen=True, slots=True)
class EventValue:
    """Something that happened in a span: a span's event, or a log record that names the span."""

    name: str
    at_ns: int | None
    attributes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SpanValue:
    """One span, whatever file it stood in."""

    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    kind: SpanKind
    start_ns: int | None
    end_ns: int | None
    status: Status | None
    """None: nobody set it, which says neither that it went well nor that it did not."""
    status_message: str | None
    attributes: Mapping[str, Any]
    """Plain JSON values by name."""
    events: tuple[EventValue, ...] = ()
    service: str | None = None
    """Name of the service that wrote the span."""
    scope: str | None = None
    """Name of the instrumentation that made the span."""
    dropped: bool = False
    """Attributes were left out by the program that recorded it, which says so."""


@dataclass(frozen=True, slots=True)
class LogValue:
    """One log record that is an event of a span."""

    trace_id: str
    span_id: str
    event: EventValue


class TooDeepError(Exception):
    """A value nests more deeply than is kept."""


def identifier(value: object, digits: int) -> str | None:
    """Return an id in lower-case hexadecimal, however it is spelled.

    Args:
        value: Hexadecimal, with or without leading zeros or `0x`, or base64, as protobuf's
            JSON writes bytes.
        digits: Hexadecimal digits that such an id has.

    Returns:
        The id; a text that is neither as it stands; None for no id at all, which all zeros
        mean too.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        value = f"{value:x}" if 0 <= value < 16**digits else None
    if not isinstance(value, str):
        return None
    text = value.strip().removeprefix("0x")
    if _HEX.fullmatch(text) and len(text) <= digits:
        return None if _NONE.fullmatch(text) else text.lower().zfill(digits)
    if text.endswith("="):
        try:
            raw = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            raw = b""
        if len(raw) * 2 == digits:
            return raw.hex() if any(raw) else None
    return sound_text(text[:_LONGEST_ID]) or None


def nanoseconds(value: object, scale: int = 1) -> int | None:
    """Return a point in time in nanoseconds since the epoch, or None where there is none.

    Args:
        value: A number, the text of one, or a date and time with a zone.
        scale: Nanoseconds that one of the number's units has.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        text = value.strip()
        if text.isascii() and text.isdigit() and len(text) <= len(str(_MOST_NS)):
            value = int(text)
        else:
            return _moment(text)
    if isinstance(value, float):
        value = int(value) if abs(value) < _MOST_NS else None
    if not isinstance(value, int):
        return None
    time = value * scale
    return time if 0 < time < _MOST_NS else None


def _moment(text: str) -> int | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        return None
    return int(moment.timestamp()) * _NS_A_SECOND + moment.microsecond * _NS_A_US


def span_kind(value: object) -> SpanKind:
    """Return what a span is to the one it speaks with, from a number or any spelling."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(_KINDS):
        return _KINDS[value]
    if isinstance(value, str):
        word = value.lower().removeprefix("span_kind_").removeprefix("spankind.")
        for kind in _KINDS:
            if word == kind:
                return kind
    return "unspecified"


def status_of(code: object) -> Status | None:
    """Return a span's status, from a number or any spelling; None where it was not set."""
    if isinstance(code, bool):
        return None
    if isinstance(code, str):
        code = code.lower()
    return _STATUSES.get(code) if isinstance(code, int | str) else None


def plain(value: object, levels: int = DEEPEST) -> Any:  # noqa: ANN401  any JSON value
    """Return an attribute's value as plain JSON, with sound texts and finite numbers.

    Raises:
        TooDeepError: It nests too deeply.
    """
    if isinstance(value, str):
        return sound_text(value)
    if isinstance(value, float):
        return value if abs(value) != _INFINITY and value == value else None  # noqa: PLR0124  not NaN
    if not isinstance(value, dict | list):
        return value if value is None or isinstance(value, int) else None
    if levels == 0:
        raise TooDeepError
    if isinstance(value, list):
        return [plain(item, levels - 1) for item in value]
    return {sound_text(key): plain(item, levels - 1) for key, item in value.items()}


def unwrapped(value: object, levels: int = DEEPEST) -> Any:  # noqa: ANN401  any JSON value
    """Return a value that protobuf's JSON wraps in the name of its type as plain JSON.

    Raises:
        TooDeepError: It nests too deeply.
    """
    if levels == 0:
        raise TooDeepError
    if isinstance(value, dict):
        if not value:
            return None
        if len(value) == 1:
            ((word, held),) = value.items()
            read = _WRAPPED.get(word)
            if read is not None:
                return read(held, levels)
    return plain(value, levels)


def _whole(held: object, _: int) -> object:
    if isinstance(held, str):
        text = held.strip()
        digits = text.removeprefix("-")
        return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 20 else None  # noqa: PLR2004  digits of 64 bits
    return held if isinstance(held, int) else None


def _list(held: object, levels: int) -> object:
    values = held.get("values") if isinstance(held, dict) else held
    return [unwrapped(item, levels - 1) for item in values] if isinstance(values, list) else []


def _pairs(held: object, levels: int) -> object:
    values = held.get("values") if isinstance(held, dict) else held
    return _by_key(values, levels - 1) if isinstance(values, list) else {}


_WRAPPED: Final[Mapping[str, Callable[[Any, int], Any]]] = {
    "stringValue": plain,
    "string_value": plain,
    "boolValue": plain,
    "bool_value": plain,
    "doubleValue": plain,
    "double_value": plain,
    "intValue": _whole,
    "int_value": _whole,
    "bytesValue": plain,
    "bytes_value": plain,
    "arrayValue": _list,
    "array_value": _list,
    "kvlistValue": _pairs,
    "kvlist_value": _pairs,
}
"""How protobuf's JSON wraps a value, in both spellings."""


def _by_key(pairs: Sequence[object], levels: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for pair in pairs:
        if not isinstance(pair, dict):
            continue
        key = pair.get("key")
        if isinstance(key, str):
            found[sound_text(key)] = unwrapped(pair.get("value"), levels)
    return found


def attributes_of(value: object) -> dict[str, Any]:
    """Return attributes as one mapping: from a list of keys and values, or a mapping.

    A value that nests too deeply is left out.
    """
    pairs: list[tuple[object, object, Callable[[object], Any]]]
    if isinstance(value, dict):
        pairs = [(key, held, plain) for key, held in value.items()]
    elif isinstance(value, list):
        # Jaeger's say the type beside the value, protobuf's around it.
        pairs = [
            (pair.get("key"), pair.get("value"), plain if "type" in pair else unwrapped)
            for pair in value
            if isinstance(pair, dict)
        ]
    else:
        return {}
    found: dict[str, Any] = {}
    for key, held, read in pairs:
        if isinstance(key, str):
            try:
                found[sound_text(key)] = read(held)
            except TooDeepError:
                continue
    return found
