"""Recorded values, pretty-printed: arguments, results, and the parts of a message."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from reporter.credentials import quick_search
from reporter.models.records import (
    ImagePart,
    Message,
    OtherPart,
    TextPart,
    ToolResult,
    ToolResultPart,
)
from reporter.redaction import mask_value
from reporter.view.laid import LONG_LINE, encode, laid
from reporter.view.parts import (
    has_base64,
    noted,
    part_kind,
    part_line,
    result_parts,
    without_base64,
)
from reporter.view.text import ELLIPSIS, clean, one_line, plural

Result = ToolResult | ToolResultPart | Message
"""Anything that carries what a call came back with."""

_PARSE_LIMIT: Final = 400_000
"""Characters of a text beyond which it is not tried as JSON."""
_may_name_secret: Final = quick_search(
    "(?i)token|secret|passw|passphrase|cookie|key|auth|cred|bearer"
)
"""Finds a part of every name that names a secret, and of many that do not."""
_SHORT: Final = 60
"""Characters of a text that is said instead of counted."""
_SOME_WORDS: Final = 24
"""Characters of room below which the head of an argument says nothing."""
_MARGIN: Final = 2_000
_ENDS: Final = re.compile(r"^.*\\n.*$", re.MULTILINE)
_LINE_END: Final = re.compile(r'(?<!\\)(?:\\\\)*\\n(?!")')
_PLAIN_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


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
    """Say how much came back, such as `returned 3 items`, or what, where that is short.

    A result that is null says nothing of what the tool answered: it may not have been kept.
    """
    if value is None:
        return "answered, with no content on record"
    note = noted(value)
    if note:
        return f"answered: {note}"
    return returned_words(parsed_value(value))


def returned_words(value: Any) -> str:  # noqa: ANN401  any JSON value
    """Say how much a value is that is no note, in the same words."""
    parts = result_parts(value)
    return f"returned {_amount(value)}" if parts is None else _parts_size(parts)


def _amount(value: Any) -> str:  # noqa: ANN401  any JSON value
    if isinstance(value, bool | int | float):
        return one_line(_written(value), 40)
    if isinstance(value, str):
        if len(value) > _SHORT:
            return plural(len(value), "character")
        return one_line(value, _SHORT) or "an empty text"
    return plural(len(value), "field" if isinstance(value, Mapping) else "item")


def _parts_size(parts: Sequence[Mapping[str, Any]]) -> str:
    kinds = Counter(part_kind(part) for part in parts)
    if set(kinds) == {"text"}:
        if len(parts) == 1:
            return size_words(parts[0]["text"])
        return f"returned {plural(len(parts), 'item')}"
    if len(parts) == 1:
        return f"returned {one_line(part_line(parts[0]), _SHORT) or '1 part'}"
    said = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items())
    return f"returned {plural(len(parts), 'part')}{': ' + said if said else ''}"


def parsed_value(value: Any) -> Any:  # noqa: ANN401  any JSON value
    """Return the value that a text spells as JSON, and anything else as it is."""
    if not isinstance(value, str):
        return value
    if value.lstrip()[:1] not in ("{", "[") or len(value) > _PARSE_LIMIT:
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def json_text(value: Any) -> str | None:  # noqa: ANN401  any JSON value
    """Return the text that `parsed_value` makes the same value of; None where there is none."""
    if not isinstance(value, dict | list):
        return None
    try:
        text = encode(value)
    except (ValueError, RecursionError):
        return None
    return text if len(text) <= _PARSE_LIMIT else None


def shown_result(value: Any, *, cited: bool) -> str:  # noqa: ANN401  any JSON value
    """Pretty-print a result; a cited one that is text stays as recorded, to the letter.

    The parts of an MCP result are unpacked: text that is JSON shows its structure, and what
    is no text is named by its type and size.
    """
    if isinstance(value, str) and cited:
        return value
    parsed = parsed_value(value)
    if isinstance(parsed, str):
        return parsed
    parts = result_parts(parsed)
    if parts is None:
        return pretty(parsed)
    texts = [part["text"] for part in parts if part_kind(part) == "text"]
    values = texts if cited else [parsed_value(text) for text in texts]
    shown = "\n".join(_shown_part(part, cited=cited) for part in parts)
    more = parsed.get("structuredContent") if isinstance(parsed, Mapping) else None
    if more is None or more in (
        {"result": values},
        *values[:1],
        *({"result": one} for one in values),
    ):
        # The texts spell out the structure once more; once is enough.
        return shown
    return f"{shown}\n\nStructured content:\n{pretty(more)}"


def _shown_part(part: Mapping[str, Any], *, cited: bool) -> str:
    if part_kind(part) == "text":
        value = part["text"] if cited else parsed_value(part["text"])
        return value if isinstance(value, str) else pretty(value)
    return part_line(part) or pretty(part)


def pretty(value: Any) -> str:  # noqa: ANN401  any JSON value
    """Write a value as JSON, indented where a line is too short for it.

    Secrets are masked by the names they stand under. A long text with line ends is broken
    after each of them, as its author would see it, and a value that is a file in base64 is
    named by its size. What is shaped like a secret is masked where the text is cleaned;
    walking every value for the names costs more than writing it, so it is done only where
    such a name stands.
    """
    text = _written(value)
    shown = mask_value(value) if _may_name_secret(text) else value
    shown = without_base64(shown) if has_base64(text) else shown
    if shown is not value:
        text = _written(shown)
    return _ENDS.sub(_broken, text) if "\\n" in text else text


def short_arguments(args: Mapping[str, Any], limit: int) -> tuple[str, bool]:
    """Write arguments as they fit on a line, `title: "Emma", copies: 2`.

    Returns:
        The text, cut behind a whole argument or inside the text of one, and whether that is
        all of them.
    """
    said: list[str] = []
    left = limit
    for name, value in args.items():
        key = name if _PLAIN_NAME.fullmatch(name) else _compact(name[:limit])
        text = _argument(name, value, limit)
        left -= len(key) + len(text) + 4
        if left >= 0:
            said.append(f"{key}: {text}")
            continue
        room = left + len(text)
        if isinstance(value, str) and room >= _SOME_WORDS:
            said.append(f"{key}: {text[:room].rstrip(chr(92))}{ELLIPSIS}")
        else:
            said.append(ELLIPSIS)
        return clean(", ".join(said)), False
    return clean(", ".join(said)), True


def _argument(name: str, value: Any, limit: int) -> str:  # noqa: ANN401  any JSON value
    if isinstance(value, str) and len(value) > limit:
        # What may be a secret is masked whole, before its head is shown.
        value = clean(value[: limit + _MARGIN])[: limit + 1]
    return _compact(mask_value({name: value})[name])


def _compact(value: Any) -> str:  # noqa: ANN401  any JSON value
    try:
        return encode(value)
    except (ValueError, RecursionError):
        return ELLIPSIS


def _broken(found: re.Match[str]) -> str:
    line = found.group()
    if len(line) <= LONG_LINE:
        return line
    indent = " " * (len(line) - len(line.lstrip(" ")) + 2)
    return _LINE_END.sub(lambda end: f"{end.group()}\n{indent}", line)


def _written(value: Any) -> str:  # noqa: ANN401  any JSON value
    try:
        return laid(value)
    except (ValueError, RecursionError):
        return "[nested too deeply to be shown]"


def duration_words(results: Sequence[Result]) -> str:
    """Say how long a call took, such as `143 ms`; empty where nobody measured it."""
    for result in results:
        if isinstance(result, ToolResult) and result.duration_ms is not None:
            ms = result.duration_ms
            return f"{ms / 1000:,.1f} s" if ms >= 10_000 else f"{ms:,.0f} ms"  # noqa: PLR2004
    return ""
