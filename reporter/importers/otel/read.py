"""Takes single values out of a span's attributes, whatever types its recorder gave them."""

from collections.abc import Mapping
from typing import Any, Final

from reporter.importers.otel import names
from reporter.importers.otel.values import SpanValue
from reporter.importers.outcome import number_of

_MOST_DIGITS: Final = 18
_TRACE: Final = "Traceback (most recent call last)"


def text(held: Mapping[str, Any], *attributes: str) -> str | None:
    """Return the first of these attributes that is a text with something in it."""
    for name in attributes:
        value = held.get(name)
        if isinstance(value, str) and value.strip():
            return value
    return None


def word(held: Mapping[str, Any], *attributes: str) -> str | None:
    """Return the first of these attributes that is a text or a whole number, as text."""
    for name in attributes:
        value = held.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, str) and value.strip():
            return value
    return None


def count(held: Mapping[str, Any], *attributes: str) -> int | None:
    """Return the first of these attributes that counts something; a number may be a text."""
    for name in attributes:
        whole = whole_number(held.get(name))
        if whole is not None and whole >= 0:
            return whole
    return None


def whole_number(value: object) -> int | None:
    """Return a whole number, also out of a text or a float, or None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str):
        digits = value.strip()
        body = digits.removeprefix("-")
        if body.isascii() and body.isdigit() and len(body) <= _MOST_DIGITS:
            return int(digits)
        return None
    return value if isinstance(value, int) else None


def number(held: Mapping[str, Any], attribute: str) -> float | None:
    """Return an attribute that is a number, or None."""
    return number_of(held.get(attribute))


def error_type(span: SpanValue, held: Mapping[str, Any]) -> str | None:
    """Return the class of error that a span ended with, or None.

    It stands on the span, or on the exception that one of its events tells of.
    """
    own = word(held, names.ERROR_TYPE)
    if own is not None:
        return own
    if span.status != "error":
        return None
    for event in span.events:
        if event.name == "exception":
            return text(event.attributes, "exception.type")
    return None


def rpc_code(held: Mapping[str, Any]) -> int | None:
    """Return the JSON-RPC error code that a server answered with, or None."""
    for name in (*names.RPC_STATUS, names.ERROR_TYPE):
        code = whole_number(held.get(name))
        if code is not None and code < 0:
            return code
    return None


def server(held: Mapping[str, Any]) -> str | None:
    """Return which server a client's span speaks with, or None."""
    address = text(held, names.SERVER_ADDRESS)
    if address is None:
        return None
    port = word(held, names.SERVER_PORT)
    return address if port is None else f"{address}:{port}"


def went_wrong(span: SpanValue) -> str | None:
    """Return what a span says went wrong, in its own words, or None."""
    said = span.status_message
    if said is not None and _TRACE not in said:
        return said
    for event in span.events:
        if event.name == "exception":
            found = text(event.attributes, "exception.message", "exception.type")
            if found is not None:
                return found
    # Some recorders write the whole stack behind what went wrong.
    return said if said is None else said.partition(_TRACE)[0].strip() or said
