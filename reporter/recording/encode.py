"""Models as the JSON they are written as."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

from reporter.models.manifest import Manifest
from reporter.redaction import IDENTIFIERS, mask_id, mask_value
from reporter.whole_file import whole_file

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


def wire_object(model: BaseModel, *, masked: bool = False) -> dict[str, Any]:
    """Return a model as a JSON object in which absent optional fields stay absent.

    Null is written for a required field, for a field that the format asks for in any case,
    and for a field of any type that was set to it.

    Args:
        model: A manifest, a record, or a part of one.
        masked: True replaces secrets. Ids are names that have to stay apart, so only what
            opens an address is replaced in them.

    Rule: recording.md section 7, last sentence.
    """
    whole: dict[str, Any] = {}
    for name, key, always, open_type in _layout(type(model)):
        value = getattr(model, name)
        if value is None and not always and not (open_type and name in model.model_fields_set):
            continue
        plain = _plain(value, masked=masked)
        if masked and plain is value:
            plain = mask_id(value) if key in IDENTIFIERS else mask_value(value)
        whole[key] = plain
    extra = model.model_extra or {}
    whole.update(mask_value(extra) if masked else extra)
    return whole


def _plain(value: object, *, masked: bool) -> object:
    """Return models as objects, and a value that holds none as it is."""
    if isinstance(value, BaseModel):
        return wire_object(value, masked=masked)
    if isinstance(value, list) and any(isinstance(item, BaseModel) for item in value):
        return [_plain(item, masked=masked) for item in value]
    return value


def json_line(value: dict[str, Any]) -> bytes:
    """Write a JSON object as one line, with its line feed.

    Raises:
        ValueError: A number in it is not finite.
        TypeError: A value in it has no JSON form.
    """
    return json_bytes(value) + b"\n"


def json_bytes(value: dict[str, Any], *, indent: int | None = None) -> bytes:
    """Write a JSON object as UTF-8; lone surrogates become escapes."""
    text = json.dumps(
        value,
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
    return json_bytes(wire_object(manifest, masked=True), indent=2) + b"\n"


def write_file_whole(path: Path, content: bytes) -> None:
    """Write a file so that a reader sees all of it or none."""
    with whole_file(path) as stream:
        stream.write(content)
