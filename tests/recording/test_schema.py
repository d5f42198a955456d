import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest
from builders import Json, assistant, call, manifest, result, run, sequenced, slot, user
from pydantic import ValidationError

from reporter.models.manifest import CatalogFile, Manifest
from reporter.models.records import RECORD, Record
from reporter.recording.schema import recording_schema

Writer = Callable[..., Path]

SCHEMA = recording_schema()


def errors(name: str, value: object) -> list[str]:
    whole = {**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{name}"}]}
    return [error.message for error in jsonschema.Draft202012Validator(whole).iter_errors(value)]


def strings(value: object, key: str) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get(key), str):
            yield value[key]
        for inner in value.values():
            yield from strings(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner, key)


def test_it_is_a_schema_of_the_named_dialect() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == jsonschema.Draft202012Validator.META_SCHEMA["$id"]
    assert not list(strings(SCHEMA, "$id"))
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA


def test_every_reference_lands_and_every_definition_is_described() -> None:
    for reference in strings(SCHEMA, "$ref"):
        assert reference.removeprefix("#/$defs/") in SCHEMA["$defs"]
    for name, definition in SCHEMA["$defs"].items():
        assert definition["description"], name
        assert "None" not in str(list(strings(definition, "description")))


def test_every_record_type_is_an_alternative() -> None:
    models = get_args(get_args(Record)[0])
    named = {one["$ref"].rsplit("/", 1)[1] for one in SCHEMA["$defs"]["Record"]["oneOf"]}
    assert named == {model.__name__ for model in models}


def test_fields_carry_their_descriptions() -> None:
    message = SCHEMA["$defs"]["Message"]["properties"]
    assert "m:<index>" in message["index"]["description"]
    assert "greater than the one before" in message["seq"]["description"]


SOUND_RECORDS = sequenced(
    user(),
    assistant(content=[{"kind": "text", "text": "x"}, {"kind": "other", "note": "y"}]),
    call(),
    result(value={"any": [1, None]}),
    {"type": "goal_judge", "status": "completed", "passed": True, "score": 0.5},
)

BROKEN_RECORDS: list[Json] = [
    {},
    {"seq": 0},
    {"type": "message"},
    {**SOUND_RECORDS[0], "role": "boss"},
    {**SOUND_RECORDS[0], "index": -1},
    {**SOUND_RECORDS[0], "seq": "0"},
    {**SOUND_RECORDS[0], "content": 5},
    {**SOUND_RECORDS[1], "content": [{"kind": "sound"}]},
    {**SOUND_RECORDS[1], "content": [{"text": "x"}]},
    {**SOUND_RECORDS[2], "args": []},
    {**SOUND_RECORDS[4], "score": 1.5},
    {**SOUND_RECORDS[0], "type": "unheard_of"},
]


@pytest.mark.parametrize("record", SOUND_RECORDS)
def test_a_sound_record_is_accepted_by_schema_and_model(record: Json) -> None:
    assert errors("Record", record) == []
    assert RECORD.validate_python(record).type == record["type"]


@pytest.mark.parametrize("record", BROKEN_RECORDS)
def test_a_broken_record_is_refused_by_schema_and_model(record: Json) -> None:
    assert errors("Record", record)
    with pytest.raises(ValidationError):
        RECORD.validate_python(record)


@pytest.mark.parametrize(
    "more",
    [
        {"terminal": "yes"},
        {"swarmRunGroupId": ""},
        {"formatVersion": 2},
        {"format": "other"},
        {"runs": [run(sessionsPerTarget=0)]},
        {"runs": [run(maxTurns=201)]},
        {"slots": [slot(attempt={"status": "odd"})]},
    ],
)
def test_a_broken_manifest_is_refused_by_schema_and_model(more: Json) -> None:
    assert errors("Manifest", manifest()) == []
    assert errors("Manifest", manifest(**more))
    with pytest.raises(ValidationError):
        Manifest.model_validate(manifest(**more))


def test_a_catalogue_file_needs_its_tools() -> None:
    assert errors("CatalogFile", {"tools": [{"name": "a"}]}) == []
    assert errors("CatalogFile", {})
    assert errors("CatalogFile", {"tools": [{}]})
    assert CatalogFile.model_validate({"tools": [{"name": "a"}]}).complete is None


def every_json(root: Path) -> Iterator[tuple[str, Any]]:
    yield "Manifest", json.loads((root / "wave.json").read_bytes())
    for path in sorted(root.glob("sessions/*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield "Record", json.loads(line)
    for path in sorted(root.glob("catalogs/*.json")):
        yield "CatalogFile", json.loads(path.read_bytes())


def test_it_accepts_what_the_recorder_writes(recorded: Path) -> None:
    seen = set()
    for name, value in every_json(recorded):
        seen.add(name)
        assert errors(name, value) == []
        assert jsonschema.Draft202012Validator(SCHEMA).is_valid(value)
    assert seen == {"Manifest", "Record", "CatalogFile"}
