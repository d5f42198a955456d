"""Recorded values, pretty-printed: arguments, results, and the parts of a message."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from reporter.models.records import (
    ImagePart,
    Message,
    OtherPart,
    TextPart,
    ToolResult,
    ToolResultPart,
)
from reporter.redaction import mask_value
from reporter.view.text import one_line, plural

Result = ToolResult | ToolResultPart | Message
"""Anything that carries what a call came back with."""

_PARSE_LIMIT: Final = 400_000
"""Characters of a text beyond which it is not tried as JSON."""
_SECRET_NAME: Final = re.compile(
    "token|secret|passw|passphrase|cookie|key|auth|cred|bearer", re.IGNORECASE
)
"""Part of every name that names a secret, and of many that do not."""
_SHORT: Final = 60
"""Characters of a text that is said instead of counted."""


def part_words(parts: Sequence[Any]) -> str:
    """Return the words of a message's parts; images and other content are named, not shown."""
    said: list[str] = []
    for part in parts:
        if isinstance(part, TextPart):
            said.append(part.text)
        elif isinstance(part, ImagePart):
            said.append(f"[image: {part.mime_type}, {part.bytes:,} bytes, not shown]")
        elif isinstance(part, OtherPart):
            said.append(f"[{part.note}]")
    return "\n\n".join(said)


def result_value(results: Sequence[Result]) -> Any:  # noqa: ANN401  any JSON value
    """Return what a call came back with: a result, else its error, else None."""
    for result in results:
        if isinstance(result, Message):
            return result.content if isinstance(result.content, str) else part_words(result.content)
        if result.result is not None:
            return result.result
        if isinstance(result, ToolResult) and result.error:
            return result.error
    return None


def first_words(value: Any) -> str:  # noqa: ANN401  any JSON value
    """Return the head of a text, and nothing of any other value."""
    return value[:2_000] if isinstance(value, str) else ""


def size_words(value: Any) -> str:  # noqa: ANN401  any JSON value
    """Say how much came back, such as `returned 3 items`, or what, where that is short."""
    parsed = _parsed(value)
    if parsed is None or parsed == "":
        return "returned nothing"
    if isinstance(parsed, Mapping) and isinstance(parsed.get("content"), list):
        return _parts_words(parsed)
    if isinstance(parsed, bool | int | float):
        return f"returned {one_line(json.dumps(parsed), 40)}"
    if isinstance(parsed, str):
        if len(parsed) <= _SHORT:
            return f"returned {one_line(parsed, _SHORT)}"
        return f"returned {plural(len(parsed), 'character')}"
    unit = "field" if isinstance(parsed, Mapping) else "item"
    return f"returned {plural(len(parsed), unit)}"


def _parts_words(value: Mapping[str, Any]) -> str:
    texts = _content_texts(value) or []
    if len(texts) == 1:
        return size_words(texts[0])
    return f"returned {plural(len(value['content']), 'item' if texts else 'part')}"


def _parsed(value: Any) -> Any:  # noqa: ANN401  any JSON value
    if not isinstance(value, str):
        return value
    if value[:1] not in ("{", "[") or len(value) > _PARSE_LIMIT:
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def shown_result(value: Any, *, cited: bool) -> str:  # noqa: ANN401  any JSON value
    """Pretty-print a result; a cited one that is text stays as recorded, to the letter."""
    if isinstance(value, str) and cited:
        return value
    parsed = _parsed(value)
    if isinstance(parsed, str):
        return parsed
    texts = _content_texts(parsed) if isinstance(parsed, Mapping) else None
    if texts is None:
        return pretty(parsed)
    values = [_parsed(text) for text in texts]
    shown = "\n".join(one if isinstance(one, str) else pretty(one) for one in values)
    more = parsed.get("structuredContent") if isinstance(parsed, Mapping) else None
    if more is None or more in (
        {"result": values},
        *values[:1],
        *({"result": one} for one in values),
    ):
        # The texts spell out the structure once more; once is enough.
        return shown
    return f"{shown}\n\nStructured content:\n{pretty(more)}"


def _content_texts(value: Mapping[str, Any]) -> list[str] | None:
    """Return the texts of an MCP result that holds nothing but text parts, else None."""
    parts = value.get("content")
    if not isinstance(parts, list) or set(value) - {"content", "isError", "structuredContent"}:
        return None
    texts = [
        part.get("text")
        for part in parts
        if isinstance(part, Mapping) and part.get("type") == "text"
    ]
    if len(texts) != len(parts) or not all(isinstance(text, str) for text in texts):
        return None
    return [str(text) for text in texts]


def pretty(value: Any) -> str:  # noqa: ANN401  any JSON value
    """Write a value as indented JSON, with secrets masked by the names they stand under.

    What is shaped like a secret is masked where the text is cleaned; walking every value
    for the names costs more than writing it, so it is done only where such a name stands.
    """
    text = _written(value)
    return _written(mask_value(value)) if _SECRET_NAME.search(text) else text


def _written(value: Any) -> str:  # noqa: ANN401  any JSON value
    try:
        return json.dumps(value, indent=2, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return repr(value)


def duration_words(results: Sequence[Result]) -> str:
    """Say how long a call took, such as `143 ms`; empty where nobody measured it."""
    for result in results:
        if isinstance(result, ToolResult) and result.duration_ms is not None:
            ms = result.duration_ms
            return f"{ms / 1000:,.1f} s" if ms >= 10_000 else f"{ms:,.0f} ms"  # noqa: PLR2004
    return ""
