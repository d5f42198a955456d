"""The JSON Schema of the native format, derived from the models that read it."""

import ast
import inspect
import re
import textwrap
from itertools import pairwise
from typing import Any, Final

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import JsonSchemaMode

from reporter.models import manifest, records
from reporter.models.manifest import CatalogFile, Manifest
from reporter.models.records import Record

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
"""The JSON Schema version that the document is written in."""

_NONE: Final = re.compile(r"\bNone\b")
_MODE: Final[JsonSchemaMode] = "validation"


def recording_schema() -> dict[str, Any]:
    """Return one JSON Schema for every JSON text of a recording.

    Returns:
        A schema that accepts a manifest, a line of a session file and a catalogue file;
        each also stands under `$defs` alone, as `Manifest`, `Record` and `CatalogFile`.
        Keys that the format does not know are allowed everywhere; what only whole
        recordings can break (ids, order, the plan) is left to `check`.

    Rule: recording.md sections 2 to 4.
    """
    places, whole = TypeAdapter.json_schemas(
        [
            ("Manifest", _MODE, TypeAdapter(Manifest)),
            ("Record", _MODE, TypeAdapter(Record)),
            ("CatalogFile", _MODE, TypeAdapter(CatalogFile)),
        ],
        ref_template="#/$defs/{model}",
    )
    definitions: dict[str, Any] = whole["$defs"]
    definitions["Record"] = {
        "title": "Record",
        "description": "One line of a session file; `type` says which.",
        **places["Record", _MODE],
    }
    for model in _models():
        if model.__name__ in definitions:
            _complete(model, definitions[model.__name__])
    _strip(whole)
    return {
        "$schema": DIALECT,
        "title": "Swarm recording, format version 1",
        "description": (
            "A wave's manifest (wave.json, or the first line of a single file, with"
            ' "type": "wave"), one line of a session file, or a catalogue file.'
        ),
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in ("Manifest", "Record", "CatalogFile")],
        "$defs": dict(sorted(definitions.items())),
    }


def _models() -> set[type[BaseModel]]:
    named = (*vars(manifest).values(), *vars(records).values())
    return {one for one in named if inspect.isclass(one) and issubclass(one, BaseModel)}


def _complete(model: type[BaseModel], schema: dict[str, Any]) -> None:
    """Describe a model's properties, and require the ones that say what the object is."""
    described: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if issubclass(base, BaseModel) and base is not BaseModel:
            described |= _field_docs(base)
    properties = schema.get("properties", {})
    for name, field in model.model_fields.items():
        if name in described:
            properties[field.alias]["description"] = described[name]
    constant = [key for key, value in properties.items() if "const" in value]
    for key in constant:
        properties[key].pop("default", None)
    if constant:
        schema["required"] = sorted(
            {*schema.get("required", ()), *constant}, key=list(properties).index
        )


def _field_docs(model: type[BaseModel]) -> dict[str, str]:
    """Read the string below each field of a model's own class body."""
    body = ast.parse(textwrap.dedent(inspect.getsource(model))).body[0]
    found: dict[str, str] = {}
    if isinstance(body, ast.ClassDef):
        for before, after in pairwise(body.body):
            if isinstance(before, ast.AnnAssign) and isinstance(after, ast.Expr):
                text = ast.literal_eval(after.value)
                found[ast.unparse(before.target)] = _NONE.sub("null", inspect.cleandoc(text))
    return found


def _strip(schema: object) -> None:
    """Take out what is OpenAPI's, and what only repeats a key or says that absent is absent."""
    if isinstance(schema, dict):
        schema.pop("discriminator", None)
        if "default" in schema and schema["default"] is None:
            del schema["default"]
        for value in schema.get("properties", {}).values():
            if isinstance(value, dict):
                value.pop("title", None)
        for value in schema.values():
            _strip(value)
    elif isinstance(schema, list):
        for value in schema:
            _strip(value)
