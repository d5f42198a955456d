"""No secret of a source gets past the place where importers hand over, whatever holds it."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
from builders import Json
from click.testing import CliRunner
from imported import results, session, simulation, take, write
from pydantic import BaseModel

from reporter.cli import main
from reporter.errors import Problem
from reporter.identifiers import SessionId
from reporter.importers.importer import ImportedSession, SessionHead, context_of
from reporter.importers.masking import _texts_of, counted, masked_items, masked_model
from reporter.importers.naming import goal_of, safe_id
from reporter.models.manifest import (
    Attempt,
    Criterion,
    Goal,
    Lost,
    Manifest,
    Persona,
    Run,
    Target,
)
from reporter.models.records import (
    Message,
    Record,
    StepFinish,
    TextPart,
    Tool,
    ToolCall,
    ToolResult,
    Usage,
)
from reporter.redaction import IDENTIFIERS

SECRETS = {
    "a private key": "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEI\n-----END EC PRIVATE KEY-----",
    "a key in base64": "LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFWS0tLS0tCk1IY0NBUUVFSWNhbmFyeQ==",
    "a token": "ghp_canaryaB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0",
    "a web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.dBjftJeZ4CVPmB92K27u",
    "an API key": "sk-canaryaB3dE5fG7hI9jK1lM2nO4pQ6",
    "a connection string": "postgres://ana:canary-hunter2@db/books",
    "a header": "GET /\nAuthorization: Bearer canary0123456789abc\nAccept: x",
    "a cookie": "Host: a\nSet-Cookie: sid=canary-cookie; Path=/",
    "an environment line": "PATH=/bin\nDB_PASSWORD=canary-env",
    "JSON in text": '{"client_secret": "canary-json"}',
    "YAML": "user: a\n  password: canary-yaml\n",
    "an address": "see https://a.b/c?api_key=canary-query&d=1",
}
CANARIES = (
    *("MHcCAQEE", "k1IY0NB", "ghp_canary", "dBjftJeZ4CVP", "sk-canary"),
    *("canary-hunter2", "canary0123456789", "canary-cookie", "canary-env", "canary-json"),
    *("canary-yaml", "canary-query", "canary-value"),
)
EVERYTHING = "\n".join(SECRETS.values())
NESTED: Json = {
    "password": "canary-value",
    "deep": [{"text": EVERYTHING}, {"name": "DB_PASSWORD", "value": "canary-value"}],
}
NAMES = IDENTIFIERS | {"toolName"}
RECORDS = get_args(get_args(Record)[0])


def kept(text: str) -> list[str]:
    """Return what of the planted secrets still stands in a text."""
    return [canary for canary in CANARIES if canary in text]


def kinds_in(annotation: Any) -> Iterator[Any]:
    yield annotation
    for inner in get_args(annotation):
        yield from kinds_in(inner)


def origins(annotation: Any) -> list[Any]:
    return [get_origin(kind) for kind in kinds_in(annotation)]


def planted(annotation: Any) -> Any:
    """Return a value of a field's type with secrets wherever it can hold text."""
    kinds = list(kinds_in(annotation))
    models = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]
    value: Any = 1
    if models:
        value = filled(models[0])
    elif Any in kinds:
        value = NESTED
    elif dict in origins(annotation):
        value = {"a": EVERYTHING if str in kinds else 1}
    elif str in kinds:
        value = EVERYTHING
    return [value] if list in origins(annotation) else value


def filled(model: type[BaseModel]) -> BaseModel:
    """Return a model with secrets in every field but ids, names of tools and words of a list."""
    values: Json = {"rawMore": NESTED, "rawText": EVERYTHING}
    for name, field in model.model_fields.items():
        key, is_list = (
            field.alias or name,
            list in origins(field.annotation),
        )
        if key in NAMES or (model is Tool and name == "name"):
            values[name] = ["an-id"] if is_list else "an-id"
        elif Literal in origins(field.annotation):
            words = next(kind for kind in kinds_in(field.annotation) if get_origin(kind) is Literal)
            values[name] = get_args(words)[0]
        else:
            values[name] = planted(field.annotation)
    return model.model_construct(**values)


def dumped(value: object) -> str:
    return json.dumps(value, default=lambda one: {**one.__dict__, **(one.model_extra or {})})


@pytest.mark.parametrize("model", [*RECORDS, Persona, Goal, Target, Attempt, Criterion, Lost])
def test_no_field_of_any_model_lets_a_secret_through(model: type[BaseModel]) -> None:
    whole = filled(model)
    assert set(kept(dumped(whole))) == set(CANARIES)
    masked = masked_model(whole, {})
    assert kept(dumped(masked)) == []
    for name, field in model.model_fields.items():
        if (field.alias or name) in NAMES:
            assert getattr(masked, name) == getattr(whole, name)


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
def test_each_kind_is_masked_in_text_arguments_and_results(secret: str) -> None:
    records: list[Record] = [
        Message(seq=0, index=0, turn_index=0, role="user", author="persona", content=secret),
        Message(
            seq=1,
            index=1,
            turn_index=0,
            role="assistant",
            author="assistant",
            content=[TextPart(text=secret)],
        ),
        ToolCall(seq=2, turn_index=0, tool_call_id="c1", tool_name="find", args={"q": [secret]}),
        ToolResult(seq=3, tool_call_id="c1", result={"content": [{"text": secret}]}),
        ToolResult(seq=4, tool_call_id="c1", error=secret),
    ]
    (masked,) = masked_items(iter([imported(records)]))
    assert isinstance(masked, ImportedSession)
    assert all("[redacted]" in dumped(record) for record in masked.records)
    assert kept(dumped(list(masked.records))) == []
    assert sum(masked.head.masked.values()) == 1


def imported(records: list[Record], **more: Any) -> ImportedSession:
    head = SessionHead(
        session_id=SessionId("s1"),
        file="a.json",
        persona=Persona(persona_ref_id=None, name="Ana"),
        goal=goal_of("1", "Borrow a book."),
        target=Target(target_id="t", kind="host", id="h", label="Desk", model_id=None),
    )
    return ImportedSession(replace(head, **more), records)


def only(items: Iterator[object]) -> ImportedSession:
    (item,) = items
    assert isinstance(item, ImportedSession)
    return item


def test_a_clean_session_is_handed_on_as_it_is() -> None:
    whole = imported(
        [Message(seq=0, index=0, turn_index=0, role="user", author="persona", content="Hello")]
    )
    assert only(masked_items(iter([whole]))) is whole


def test_what_the_plan_says_is_masked_and_counted_where_it_stands() -> None:
    whole = imported(
        [],
        persona=Persona(persona_ref_id=None, name="Ana", notes=SECRETS["YAML"]),
        goal=Goal(journey_ref_id="g", title="Log in", goal=SECRETS["JSON in text"]),
        target=Target(
            target_id="t", kind="host", id="h", label=SECRETS["a connection string"], model_id=None
        ),
        attempt=Attempt(status="failed", error_message=SECRETS["a token"]),
    )
    head = only(masked_items(iter([whole]))).head
    assert head.persona.masked == {"passwords": 1}
    assert head.goal.masked == {"secrets": 1}
    assert head.target.masked == {"passwords": 1}
    assert head.masked == {"tokens": 1}
    assert context_of(head).slot.masked == {"tokens": 1}
    assert (head.goal.journey_ref_id, head.target.target_id) == ("g", "t")
    assert kept(dumped([head.persona, head.goal, head.target, head.attempt])) == []


def test_what_only_a_secret_tells_apart_stays_apart() -> None:
    def head(secret: str) -> SessionHead:
        check = Criterion(
            id="c", role="required", predicate={"type": "contains", "text": f"ghp_{secret * 36}"}
        )
        name = f"the one with password=hunter{secret}2"
        whole = imported([], persona=Persona(persona_ref_id=None, name=name), rubric=(check,))
        return only(masked_items(iter([whole]))).head

    a, b = head("a"), head("b")
    assert a.persona.name == b.persona.name == "the one with password=[redacted]"
    assert a.persona.key != b.persona.key
    assert a.rubric == b.rubric
    assert a.run_id != b.run_id
    assert head("a") == a


def test_ids_that_join_are_never_touched() -> None:
    own = "sk-canaryaB3dE5fG7hI9jK1lM2nO4pQ6"
    records: list[Record] = [
        ToolCall(
            seq=0, turn_index=0, tool_call_id=own, tool_name=own, args={"token": "canary-value"}
        ),
        ToolResult(seq=1, tool_call_id=own, result="fine"),
    ]
    masked = only(masked_items(iter([imported(records, session_id=SessionId(own))])))
    assert masked.head.session_id == own
    call, answer = masked.records
    assert isinstance(call, ToolCall)
    assert isinstance(answer, ToolResult)
    assert (call.tool_call_id, call.tool_name, answer.tool_call_id) == (own, own, own)
    assert call.args == {"token": "[redacted]"}


def test_a_secret_counts_once_a_session_wherever_it_stands() -> None:
    token = SECRETS["a token"]
    records: list[Record] = [
        Message(seq=at, index=at, turn_index=0, role="user", author="persona", content=text)
        for at, text in enumerate([token, f"again {token}", "password: canary-yaml"])
    ]
    head = only(masked_items(iter([imported(list(records))]))).head
    assert head.masked == {"passwords": 1, "tokens": 1}
    assert counted({}) == {}


def test_losses_and_problems_do_not_quote_secrets() -> None:
    items = [
        Lost(place="a.json: x", reason=f"unknown {SECRETS['a token']}"),
        Problem(file="a.json", place="x", what=SECRETS["a header"]),
    ]
    assert kept(dumped([str(item) for item in masked_items(iter(items))])) == []


def test_a_plan_of_the_source_is_masked_like_its_sessions() -> None:
    persona = Persona(persona_ref_id=None, name="password=hunter2!")
    run = Run(
        run_id="r",
        journey_ref_id="g",
        persona_ref_id=None,
        persona_name=persona.name,
        target_ids=["t"],
        sessions_per_target=1,
        max_turns=None,
        status="failed",
        error=SECRETS["a connection string"],
        rubric=[],
    )
    manifest = Manifest(
        swarm_run_group_id="w",
        terminal=True,
        personas=[persona],
        goals=[Goal(journey_ref_id="g", title="Log in", goal=EVERYTHING)],
        targets=[],
        runs=[run],
        slots=[],
        published={"report": EVERYTHING},
    )
    (masked,) = masked_items(iter([manifest]))
    assert isinstance(masked, Manifest)
    assert kept(masked.model_dump_json()) == []
    assert masked.personas[0].key == (masked.runs[0].persona_ref_id, masked.runs[0].persona_name)


def test_endless_nesting_hides_nothing_and_breaks_nothing() -> None:
    deep: Any = SECRETS["a token"]
    for _ in range(3_000):
        deep = [deep]
    records = [ToolResult(seq=0, tool_call_id="c", result=deep)]
    (result,) = only(masked_items(iter([imported(list(records))]))).records
    assert isinstance(result, ToolResult)
    depth, value = 0, result.result
    while isinstance(value, list):
        depth, value = depth + 1, value[0]
    assert value == "[redacted]"
    assert depth <= 200


def tau2_source(folder: Path) -> Path:
    """A run with every secret in everything that the format holds."""
    messages: list[Json] = [
        {"role": "user", "content": f"Log me in.\n{EVERYTHING}"},
        {
            "role": "assistant",
            "content": EVERYTHING,
            "tool_calls": [{"id": "c1", "name": "log_in", "arguments": NESTED}],
        },
        {"role": "tool", "id": "c1", "content": EVERYTHING, "error": True},
        {"role": "tool", "id": "nobody", "content": EVERYTHING, "error": True},
        {"role": "system", "content": EVERYTHING},
        {"role": "assistant", "content": f"Bye. {EVERYTHING}"},
    ]
    document = results(
        [
            simulation(messages=messages),
            simulation(id="sim-2", termination_reason=EVERYTHING, reward_info=None),
            simulation(id="sim-3", messages=[{"role": EVERYTHING}]),
        ],
        tasks=[
            {
                "id": "t",
                "user_scenario": {"persona": f"Ana {EVERYTHING}", "instructions": EVERYTHING},
            }
        ],
    )
    document["info"]["environment_info"] |= {
        "domain_name": f"desk {SECRETS['a connection string']}",
        "policy": EVERYTHING,
        "tool_defs": [{"name": "log_in", "description": EVERYTHING, "parameters": NESTED}],
    }
    return write(folder / "results.json", document)


def chat_source(folder: Path) -> Path:
    call = {"id": "c1", "function": {"name": "log_in", "arguments": json.dumps(NESTED)}}
    odd = {"id": "c2", "function": {"name": "log_in", "arguments": EVERYTHING}}
    one = session(
        traj=[
            {"role": "system", "content": EVERYTHING},
            {"role": "user", "content": EVERYTHING},
            {"role": "assistant", "content": None, "tool_calls": [call, odd]},
            {"role": "tool", "tool_call_id": "c1", "content": f"Error: {EVERYTHING}"},
        ]
    )
    one["info"]["task"]["instruction"] = EVERYTHING
    crashed = session(2, traj=[], reward=0.0, info={"error": EVERYTHING})
    return write(folder / "runs.json", [one, crashed])


@pytest.mark.parametrize("source", [tau2_source, chat_source])
def test_no_output_holds_a_secret_of_the_source(source: Any, tmp_path: Path) -> None:
    path, out = source(tmp_path / "in"), tmp_path / "out"
    runner = CliRunner()
    said = [
        runner.invoke(main, ["report", str(path), "-o", str(out), "--generated-at", "2026-01-01"]),
        runner.invoke(main, ["facts", str(path), "-o", str(out / "sessions.jsonl")]),
        runner.invoke(main, ["import", str(path), "-o", str(out / "wave")]),
        runner.invoke(main, ["check", str(path)]),
        runner.invoke(main, ["report", str(out / "wave"), "-o", str(out / "again")]),
    ]
    assert all(one.exit_code in (0, 2, 4) for one in said), [one.output for one in said]
    for one in said:
        assert kept(one.output) == []
    files = [file for file in out.rglob("*") if file.is_file()]
    assert {"report.html", "findings.json", "sessions.jsonl", "wave.json"} <= {
        file.name for file in files
    }
    for file in files:
        text = file.read_text(encoding="utf-8", errors="replace")
        if file.suffix == ".pdf":
            text = subprocess.run(
                ["pdftotext", str(file), "-"], capture_output=True, check=True, text=True
            ).stdout
            text = text.replace("\n", "")
        assert kept(text) == [], file.name
        if file.name in ("report.html", "wave.json"):
            assert "[redacted]" in text, file.name
    masked = [one.output for one in said if "Masked on reading: " in one.output]
    assert len(masked) == 3


def test_counts_survive_the_way_through_a_native_recording(tmp_path: Path) -> None:
    path = chat_source(tmp_path)
    wave = take(path)
    by_session = {
        slot.session_id: slot.masked for slot in wave.manifest.slots if slot.masked is not None
    }
    assert set(by_session) == {"runs.1.0"}
    runner = CliRunner()
    runner.invoke(main, ["import", str(path), "-o", str(tmp_path / "wave")])
    lines = [
        [
            line
            for line in runner.invoke(
                main, ["report", str(source), "-o", str(tmp_path / name), "--format", "json"]
            ).output.splitlines()
            if line.startswith("Masked on reading: ")
        ]
        for name, source in (("a", path), ("b", tmp_path / "wave"))
    ]
    assert lines[0] == lines[1] != []


def test_an_id_made_of_a_text_holds_no_secret_of_it_and_tells_two_apart() -> None:
    a, b = (safe_id(f"desk at postgres://ana:canary-{word}@db/x") for word in ("one", "two"))
    assert a != b
    assert a.startswith("desk-at-postgres")
    assert "canary" not in a + b
    assert safe_id("desk") == "desk"


def test_a_step_is_looked_through_for_its_texts_and_not_for_its_counts() -> None:
    usage = Usage(input_tokens=5, output_tokens=7)
    clean = imported([StepFinish(seq=0, turn_index=0, step_number=0, usage=usage)])
    assert only(masked_items(iter([clean]))) is clean
    whole = imported(
        [StepFinish(seq=0, turn_index=0, step_number=0, response_id=SECRETS["a token"])]
    )
    (step,) = only(masked_items(iter([whole]))).records
    assert isinstance(step, StepFinish)
    assert step.response_id == "[redacted]"


def test_counts_of_tokens_are_no_clue() -> None:
    steps = [StepFinish(seq=0, turn_index=0, step_number=0, usage=Usage(input_tokens=5))]
    assert _texts_of(steps) == ([], [])
