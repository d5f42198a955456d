"""Models as the JSON they are written as."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

from reporter.models.manifest import Manifest
from reporter.redaction import mask_value

_SURROGATE: Final = re.compile("[\ud800-\udfff]")

# Fields of the format that are always present and may be null, though a reader of ours
# also takes their absence.
_ALWAYS: Final = frozenset(
    {
        ("BaseRecord", "at"),
        ("SessionStart", "max_turns"),
        ("Manifest", "swarm_id"),
        ("Manifest", "swarm_name"),
        ("Manifest", "created_at"),
        ("Manifest", "finished_at"),
    }
)


@cache
def _layout(model: type[BaseModel]) -> tuple[tuple[str, str, bool, bool], ...]:
    """One entry a field: name, JSON key, whether null is written, whether only when set."""
    owners = [base.__name__ for base in model.__mro__]
    return tuple(
        (
            name,
            field.alias or name,
            field.is_required() or any((owner, name) in _ALWAYS for owner in owners),
            field.annotation is Any,
        )
        for name, field in model.model_fields.items()
    )


def wire_object(model: BaseModel) -> dict[str, Any]:
    """Return a model as a JSON object in which absent optional fields stay absent.

    Null is written for a required field, for a field that the format asks for in any case,
    and for a field of any type that was set to it.
    """
    whole: dict[str, Any] = {}
    for name, key, always, open_type in _layout(type(model)):
        value = getattr(model, name)
        if value is None and not always and not (open_type and name in model.model_fields_set):
            continue
        whole[key] = _plain(value)
    whole.update(model.model_extra or {})
    return whole


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return wire_object(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value


def masked_line(value: dict[str, Any]) -> bytes:
    """Write a JSON object as one line, secrets masked, with its line feed.

    Raises:
        ValueError: A number in it is not finite.
        TypeError: A value in it has no JSON form.

    Rule: recording.md section 7.
    """
    return masked_json(value) + b"\n"


def masked_json(value: dict[str, Any], *, indent: int | None = None) -> bytes:
    """Write a JSON object as UTF-8, secrets masked; lone surrogates become escapes."""
    text = json.dumps(
        mask_value(value),
        ensure_ascii=False,
        allow_nan=False,
        indent=indent,
        separators=(",", ":") if indent is None else None,
    )
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text).encode()


def manifest_bytes(manifest: Manifest) -> bytes:
    """Return a manifest as it is written, secrets masked."""
    return masked_json(wire_object(manifest), indent=2) + b"\n"


def write_file_whole(path: Path, content: bytes) -> None:
    """Write a file so that a reader sees all of it or none."""
    temporary = path.with_name(f".{path.name}.part")
    temporary.write_bytes(content)
    temporary.replace(path)
