"""The parts of a tool's result: text, and what is no text, named by its type and size."""

import re
from collections.abc import Mapping
from typing import Any, Final

from reporter.credentials import quick_search
from reporter.view.text import one_line, plural

_AROUND: Final = frozenset({"content", "isError", "structuredContent", "_meta"})
"""What an MCP result may hold beside its parts without becoming something else."""
_LONG: Final = 400
"""Characters below which base64 is left as it is: an id may look like it."""
_NOTE: Final = 160
"""Characters of a note."""
_has_run: Final = quick_search(rf"[A-Za-z0-9+/_-]{{{_LONG}}}")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
_DATA: Final = re.compile(r"data:([A-Za-z0-9.+/-]{1,80})(?:;[^,;]{1,40})*;base64,", re.IGNORECASE)
_CLASSES: Final = (re.compile("[a-z]"), re.compile("[A-Z]"), re.compile("[0-9]"))


def result_parts(value: Any) -> list[Mapping[str, Any]] | None:  # noqa: ANN401  any JSON value
    """Return the parts of an MCP result, or of a bare list of parts; None for any other value."""
    if isinstance(value, Mapping):
        if set(value) - _AROUND:
            return None
        value = value.get("content")
    elif not value:
        return None
    if not isinstance(value, list) or not all(_is_part(one) for one in value):
        return None
    return value


def _is_part(one: Any) -> bool:  # noqa: ANN401  any JSON value
    if not isinstance(one, Mapping) or not isinstance(one.get("type"), str):
        return False
    return one["type"] != "text" or isinstance(one.get("text"), str)


def part_kind(part: Mapping[str, Any]) -> str:
    """Name the type of a part as it was recorded, such as `text` or `image`."""
    return one_line(part["type"], 40)


def part_line(part: Mapping[str, Any]) -> str:
    """Name a part that is no text, such as `[image: image/png, 9,216 bytes, not shown]`.

    Returns:
        Empty where the part is none of those that MCP knows; it is written out then.
    """
    kind = part_kind(part)
    if kind in ("image", "audio") and isinstance(part.get("data"), str):
        return f"[{kind}: {_type_of(part)}{_size(part['data'])}, not shown]"
    if kind == "resource_link":
        name = one_line(str(part.get("name") or "unnamed"), 120)
        return f"[link to a resource: {name}, {one_line(str(part.get('uri') or ''), 200)}]"
    held = part.get("resource")
    if kind == "resource" and isinstance(held, Mapping):
        head = f"resource {one_line(str(held.get('uri') or ''), 200)}".strip()
        if isinstance(held.get("blob"), str):
            return f"[{head}: {_type_of(held)}{_size(held['blob'])}, not shown]"
        if isinstance(held.get("text"), str):
            return f"[{head}]\n{held['text']}"
    return ""


def noted(value: Any) -> str:  # noqa: ANN401  any JSON value
    """Return what a result says of itself where an importer only describes it; else nothing.

    An importer writes such a part in place of what its source did not capture.

    Rule: recording.md section 4, parts of kind `other`.
    """
    if not isinstance(value, list) or not value or not all(map(_is_note, value)):
        return ""
    return "; ".join(one_line(one["note"], _NOTE) for one in value)


def _is_note(one: Any) -> bool:  # noqa: ANN401  any JSON value
    if not isinstance(one, Mapping) or one.keys() != {"kind", "note"}:
        return False
    return one["kind"] == "other" and isinstance(one["note"], str) and one["note"].strip() != ""


def has_base64(text: str) -> bool:
    """Tell whether a text may hold a file in base64."""
    return len(text) >= _LONG and _has_run(text)


def without_base64(value: Any) -> Any:  # noqa: ANN401  any JSON value
    """Return a JSON value with each long text in base64 replaced by its type and size."""
    if isinstance(value, str):
        return _named(value) if len(value) >= _LONG else value
    if isinstance(value, Mapping):
        return {key: without_base64(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_base64(item) for item in value]
    return value


def _named(text: str) -> str:
    data = _DATA.match(text)
    if data:
        return f"[{data[1]}, {_size(text[data.end() :])}, not shown]"
    # A single letter a million times over is no file, whatever alphabet it is from.
    if _BASE64.fullmatch(text) and all(one.search(text) for one in _CLASSES):
        return f"[{plural(len(text), 'character')} that look like base64, not shown]"
    return text


def _type_of(part: Mapping[str, Any]) -> str:
    found = part.get("mimeType")
    return f"{one_line(found, 80)}, " if isinstance(found, str) and found else ""


def _size(encoded: str) -> str:
    held = len(encoded) * 3 // 4 - encoded[-2:].count("=")
    return plural(max(held, 0), "byte")
