import json
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pytest
from builders import Json, goal, manifest, manifest_model, persona, records, run, target, user
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from reporter.derive.session import derive_session
from reporter.errors import RecordingError
from reporter.models import manifest as manifest_models
from reporter.models import records as record_models
from reporter.models.manifest import (
    Attempt,
    CatalogEntry,
    Goal,
    Manifest,
    Persona,
    Policy,
    Recorder,
    Run,
    Target,
)
from reporter.models.records import RECORD, CriterionResult, Message, Record, TextPart, Tool, Usage
from reporter.recording.encode import json_line, manifest_bytes, wire_object
from reporter.recording.naming import is_session_id, planned_session_id
from reporter.recording.reader import open_wave
from reporter.recording.recorder import WaveRecorder, write_wave
from reporter.recording.validate import check
from reporter.redaction import is_secret_key

SOMEBODY = Recorder(name="test", version="1")


def wave(folder: Path, **more: Any) -> WaveRecorder:
    """Record one persona, goal and target; a run of two sessions unless said otherwise."""
    fields: Json = {
        "wave_id": "wave-1",
        "name": "Test",
        "personas": [Persona.model_validate(persona())],
        "goals": [Goal.model_validate(goal())],
        "targets": [Target.model_validate(target())],
        "runs": [Run.model_validate(run(sessionsPerTarget=2))],
        "recorder": SOMEBODY,
        "clock": lambda: 1000,
        **more,
    }
    return WaveRecorder(folder, **fields)


def lines(folder: Path, stem: str = "s1") -> list[Json]:
    text = (folder / "sessions" / f"{stem}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def json_values() -> st.SearchStrategy[Any]:
    plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
    finite = plain.filter(lambda value: not isinstance(value, float) or abs(value) < 1e300)
    keys = st.text("abc", max_size=3)
    # Two levels by hand: hypothesis guesses from its draws whether `recursive` recurses.
    inner = finite | st.lists(finite, max_size=2) | st.dictionaries(keys, finite, max_size=2)
    return finite | st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3)


def bound(metadata: Sequence[Any], name: str) -> Any:
    """One bound of a field, wherever pydantic keeps it."""
    flat = [deep for one in metadata for deep in getattr(one, "metadata", [one])]
    return next((getattr(one, name) for one in flat if hasattr(one, name)), None)


def values(annotation: Any, metadata: Sequence[Any] = ()) -> st.SearchStrategy[Any]:
    """A strategy for the JSON of any type that a model of the format uses."""
    origin, inside = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return values(inside[0], inside[1:])
    if origin in (Union, UnionType):
        return st.one_of([values(one, metadata) for one in inside])
    if origin is Literal:
        return st.sampled_from(inside)
    if origin is list:
        return st.lists(values(inside[0]), max_size=2)
    if origin is dict:
        return st.dictionaries(st.text("abc", max_size=3), values(inside[1]), max_size=2)
    low, high = bound(metadata, "ge"), bound(metadata, "le")
    plain: dict[Any, st.SearchStrategy[Any]] = {
        int: st.integers(low, high),
        str: st.text(min_size=bound(metadata, "min_length") or 0, max_size=20),
        bool: st.booleans(),
        float: st.floats(low, high, allow_nan=False, allow_infinity=False),
        type(None): st.none(),
        Any: json_values(),
    }
    return plain[annotation] if annotation in plain else objects(annotation)


def objects(model: type[BaseModel]) -> st.SearchStrategy[Any]:
    needed: dict[str, st.SearchStrategy[Any]] = {}
    optional: dict[str, st.SearchStrategy[Any]] = {}
    for name, field in model.model_fields.items():
        key = field.alias or name
        place = needed if field.is_required() or key in ("type", "kind") else optional
        place[key] = values(field.annotation, field.metadata)
    return st.fixed_dictionaries(needed, optional=optional).map(model.model_validate)


any_record: st.SearchStrategy[Record] = st.one_of(
    [objects(model) for model in get_args(get_args(Record)[0])]
)


@settings(max_examples=60, deadline=None)
@given(any_record)
def test_record_to_json_to_record_is_identity(record: Record) -> None:
    line = json.dumps(wire_object(record), ensure_ascii=False).encode()
    assert RECORD.validate_json(line) == record


@settings(max_examples=15, deadline=None)
@given(objects(Manifest))
def test_manifest_to_json_to_manifest_is_identity(whole: Manifest) -> None:
    assert Manifest.model_validate_json(json.dumps(wire_object(whole))) == whole


@settings(max_examples=20, deadline=None)
@given(st.lists(any_record, max_size=5))
def test_what_was_recorded_is_what_is_read(
    tmp_path_factory: pytest.TempPathFactory, recorded: list[Record]
) -> None:
    root = tmp_path_factory.mktemp("any") / "wave"
    with wave(root, clock=lambda: None) as one, one.session("s1", "r1", "t1") as session:
        for record in recorded:
            session.append(record)
    read = open_wave(root).read("s1")
    index = iter(range(len(recorded)))
    expected = [
        record.model_copy(
            update={"seq": seq, **({"index": next(index)} if isinstance(record, Message) else {})}
        )
        for seq, record in enumerate(recorded, start=1)
    ]
    assert list(read.records[1:]) == expected
    assert not read.damaged


def test_a_wave_is_recorded_line_by_line_and_finished_last(tmp_path: Path) -> None:
    root = tmp_path / "new" / "wave"
    one = wave(root, created_at_ms=5, policy=Policy.model_validate({"judge": None}))
    session = one.session("s1", "r1", "t1")
    assert [record["type"] for record in lines(root)] == ["session_start"]
    assert session.message("user", "hello", turn_index=0) == 0
    assert session.message("assistant", [TextPart(text="hi")], turn_index=0, at=7) == 1
    assert [record["type"] for record in lines(root)][1:] == ["message", "message"]
    assert not (root / "wave.json").exists()
    session.complete("succeeded", end_reason="personaEnded", turns_used=1)
    session.close()
    session.close()
    path = one.finish(9)
    whole = json.loads(path.read_text(encoding="utf-8"))
    assert (whole["createdAt"], whole["finishedAt"], whole["terminal"]) == (5, 9, True)
    assert lines(root)[0] == {
        "type": "session_start",
        "seq": 0,
        "at": 1000,
        "runId": "r1",
        "targetId": "t1",
        "sessionIndex": 0,
        "personaName": "Ana",
        "modelId": "model-one",
        "maxTurns": 5,
    }
    assert [record["at"] for record in lines(root)] == [1000, 1000, 7, 1000]
    assert [path.name for path in root.iterdir() if path.name.startswith(".")] == []
    assert check(root) == []


def test_slots_say_what_was_recorded(tmp_path: Path) -> None:
    root = tmp_path / "wave"
    with wave(root, runs=[Run.model_validate(run(sessionsPerTarget=4))]) as one:
        with one.session("s1", "r1", "t1") as session:
            session.message("system", "be nice", turn_index=0)
            session.message("user", "hello", turn_index=0)
            session.complete("failed", error_code="session_failed", error_message="broke")
        with one.session("s2", "r1", "t1", 1):
            pass
        one.slot("s3", "r1", "t1", 2, document_id="d3")
        one.attempt("s3", Attempt(status="rate_limited", error_code="billing_limit_reached"))
    assert check(root) == []
    slots = open_wave(root).plan.slots
    assert [(slot.session_id, slot.recorded, slot.message_count) for slot in slots] == [
        ("s1", True, 1),
        ("s2", True, 0),
        ("s3", False, None),
        ("synth_r1_host-t1_3", False, None),
    ]
    first, second, third, fourth = (slot.attempt for slot in slots)
    assert first == Attempt(status="failed", error_code="session_failed", error_message="broke")
    assert second is None
    assert third is not None
    assert third.status == "rate_limited"
    assert fourth is None
    assert slots[2].document_id == "d3"


def test_the_runners_word_outranks_the_sessions(tmp_path: Path) -> None:
    root = tmp_path / "wave"
    with wave(root) as one:
        with one.session("s1", "r1", "t1") as session:
            session.complete("succeeded")
        one.attempt("s1", Attempt(status="failed", error_code="canceled"))
    attempt = open_wave(root).plan.slots[0].attempt
    assert attempt is not None
    assert attempt.error_code == "canceled"
    assert [problem.rule for problem in check(root)] == ["attempt-differs"]


def test_a_wave_left_by_an_exception_stays_interrupted_and_readable(tmp_path: Path) -> None:
    root = tmp_path / "wave"

    def record() -> None:
        with wave(root) as one, one.session("s1", "r1", "t1") as session:
            session.message("user", "hello", turn_index=0)
            raise KeyError

    with pytest.raises(KeyError):
        record()
    interrupted = open_wave(root)
    assert interrupted.plan.manifest_missing
    assert len(interrupted.read("s1").records) == 2


def test_a_wave_is_read_while_it_is_recorded(tmp_path: Path) -> None:
    one = wave(tmp_path / "wave")
    with one.session("s1", "r1", "t1") as session:
        for count in range(3):
            session.message("user", "hello", turn_index=count)
            assert len(open_wave(one.folder).read("s1").records) == count + 2


def test_a_wave_whose_runs_have_not_ended_is_not_terminal(tmp_path: Path) -> None:
    running = [Run.model_validate(run(status="running")), Run.model_validate(run("r2"))]
    with wave(tmp_path / "a", runs=running):
        pass
    assert not open_wave(tmp_path / "a").plan.terminal
    with wave(tmp_path / "b", runs=running) as one:
        one.run_status("r1", "failed", error="stale_runner")
    plan = open_wave(tmp_path / "b").plan
    assert plan.terminal
    assert (plan.runs[0].status, plan.runs[0].error) == ("failed", "stale_runner")


def test_catalogues_are_files_that_targets_name(tmp_path: Path) -> None:
    root = tmp_path / "wave"
    targets = [Target.model_validate(target(catalogId="a/b"))]
    known = [CatalogEntry(catalog_id="early", tools=[Tool(name="x")], complete=True)]
    with wave(root, targets=targets, catalogs=known) as one:
        one.add_catalog("a/b", [Tool(name="find", input_schema={"type": "object"})], complete=True)
        one.add_catalog("a/b", [Tool(name="find"), Tool(name="lend")])
    assert sorted(path.name for path in (root / "catalogs").iterdir()) == [
        "a%2Fb.json",
        "early.json",
    ]
    plan = open_wave(root).plan
    catalog = plan.contexts()[0].catalog
    assert catalog is not None
    assert (sorted(catalog.tools), catalog.complete) == (["find", "lend"], False)
    assert check(root) == []


def test_a_catalogue_without_tools_is_listed_and_not_written_as_empty(tmp_path: Path) -> None:
    root = tmp_path / "wave"
    with wave(root, catalogs=[CatalogEntry(catalog_id="own", path="own.json", complete=True)]):
        (root / "own.json").write_text('{"tools": [{"name": "x"}], "complete": true}')
    assert not (root / "catalogs").exists()
    assert [sorted(one.tools) for one in open_wave(root).plan.catalogs.values()] == [["x"]]


def test_secrets_are_masked_before_they_are_written(tmp_path: Path) -> None:
    root = tmp_path / "wave"
    key = "sk-" + "a1B2" * 8
    people = [Persona(persona_ref_id=None, name="Ana", notes=f"uses {key}")]
    with wave(root, personas=people) as one, one.session("s1", "r1", "t1") as session:
        session.message("user", f"my key is {key}", turn_index=0)
        session.tool_call("c1", "login", {"password": "hunter2hunter2"}, turn_index=0)
        session.tool_result("c1", {"nested": [{"apiKey": "0123456789"}]})
    written = b"".join(path.read_bytes() for path in root.rglob("*.json*"))
    for secret in (key, "hunter2hunter2", "0123456789"):
        assert secret.encode() not in written
    assert written.count(b"[redacted]") == 4


def test_a_key_that_nobody_knows_is_masked_by_its_name(tmp_path: Path) -> None:
    root = tmp_path / "wave"
    with wave(root) as one, one.session("s1", "r1", "t1") as session:
        session.append({**user(), "seq": 0, "headers": {"authorization": "hunter2hunter2"}})
        session.append({**user(), "seq": 0, "apiKey": "hunter2hunter2"})
    held = lines(root)
    assert held[1]["headers"] == {"authorization": "[redacted]"}
    assert held[2]["apiKey"] == "[redacted]"


def test_no_field_of_the_format_is_named_like_a_secret() -> None:
    named = (*vars(manifest_models).values(), *vars(record_models).values())
    held = [one for one in named if isinstance(one, type) and issubclass(one, BaseModel)]
    keys = [field.alias or name for one in held for name, field in one.model_fields.items()]
    assert len(keys) > 100
    assert not [key for key in keys if is_secret_key(key)]


def test_ids_that_look_like_keys_stay_apart_and_joined(tmp_path: Path) -> None:
    root = tmp_path / "wave"
    first, second = ("sk-" + "a1B2" * 8 + end for end in "xy")
    rubric = [{"id": name, "role": "required"} for name in (first, second)]
    runs = [Run.model_validate(run(first, rubric=rubric, target_ids=[second]))]
    targets = [Target.model_validate(target(second))]
    with (
        wave(root, runs=runs, targets=targets) as one,
        one.session(first, first, second) as session,
    ):
        session.tool_call(first, "find", {}, turn_index=0)
        session.tool_call(second, "find", {}, turn_index=0)
        session.tool_result(second, "no", is_error=True)
        results = [CriterionResult(criterion_id=name, passed=True) for name in (first, second)]
        session.criteria("completed", results, criterion_ids=[first, second])
    assert check(root) == []
    held = open_wave(root)
    context = held.plan.contexts()[0]
    facts = derive_session(context, held.read(first))
    assert [call.error for call in facts.tool_calls] == ["noResult", "isError"]
    assert facts.verdict.counts.gating_passed == 2


def test_an_address_that_is_an_id_gives_no_password_away(tmp_path: Path) -> None:
    root = tmp_path / "wave"
    address = "https://ana:hunter2hunter2@library.test/mcp"
    runs = [Run.model_validate(run(target_ids=[address]))]
    targets = [Target.model_validate(target(address, serverIds=[address]))]
    with wave(root, runs=runs, targets=targets) as one, one.session("s1", "r1", address) as session:
        session.connection("connect", "ok", server_id=address)
    assert b"hunter2" not in b"".join(path.read_bytes() for path in root.rglob("*.json*"))
    assert check(root) == []


def test_text_is_written_as_it_is_and_half_a_character_as_an_escape(tmp_path: Path) -> None:
    root = tmp_path / "wave"
    with wave(root) as one, one.session("s1", "r1", "t1") as session:
        session.message("user", "Grüße 😀", turn_index=0)
        session.message("user", "half \ud83d", turn_index=1)
    data = (root / "sessions" / "s1.jsonl").read_bytes()
    assert "Grüße 😀".encode() in data
    assert rb"half \ud83d" in data
    assert data.decode()


def test_a_value_that_is_no_json_is_refused_and_nothing_of_it_written(tmp_path: Path) -> None:
    root = tmp_path / "wave"
    with wave(root) as one, one.session("s1", "r1", "t1") as session:
        with pytest.raises(ValueError, match="JSON"):
            session.tool_call("c1", "t", {"x": float("nan")}, turn_index=0)
        with pytest.raises(TypeError):
            session.tool_result("c1", object())
        session.message("user", "still here", turn_index=0)
    assert [record["seq"] for record in lines(root)] == [0, 1]


def test_every_method_writes_its_record(tmp_path: Path) -> None:
    root = tmp_path / "wave"
    with wave(root) as one, one.session("s1", "r1", "t1") as session:
        session.connection("connect", "ok", server_id="s", attributable="server")
        session.catalog(complete=True, tools=[Tool(name="t")], view="model")
        session.capture(tool_results="complete")
        session.turn_start(0, "hello")
        session.message("user", "hello", turn_index=0)
        session.tool_call("c1", "t", {}, turn_index=0)
        session.tool_result("c1", None, is_error=True, duration_ms=3)
        session.widget_render("t", "ok", console_errors=["x"])
        session.step_finish(0, turn_index=0, finish_reason="stop", usage=Usage(input_tokens=3))
        session.turn_finish(0)
        session.notice("tool_suppressed", "t was hidden", tool_id="t")
        session.error("oops", code=5)
        session.self_report("it went well", goal_reached="yes")
        session.goal_judge("completed", passed=True)
        session.criteria("completed", [CriterionResult(criterion_id="c", passed=True)])
        session.grading("settled")
        session.chain(11, [{"stage": "connection", "state": "passed"}])
        session.append({"type": "readiness", "status": "completed", "toolCallCount": 1})
        session.append(
            {"type": "suspected_condition", "signal": "x", "condition": "y", "confidence": "low"}
        )
        session.complete("succeeded")
    written = lines(root)
    kinds = {model.model_fields["type"].default for model in get_args(get_args(Record)[0])}
    assert {record["type"] for record in written} == kinds
    assert [record["seq"] for record in written] == list(range(len(written)))
    assert written[7]["result"] is None
    assert all("index" not in one for one in written if one["type"] != "message")
    read = open_wave(root).read("s1")
    assert not read.damaged
    assert list(read.problems) == []


def test_sessions_may_be_recorded_by_threads_of_their_own(tmp_path: Path) -> None:
    root = tmp_path / "wave"
    count, messages = 8, 50
    one = wave(root, runs=[Run.model_validate(run(sessionsPerTarget=count))])

    def record(index: int) -> None:
        with one.session(f"s{index}", "r1", "t1", index) as session:
            for turn in range(messages):
                session.message("user", f"{index}-{turn}", turn_index=turn)

    threads = [threading.Thread(target=record, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    one.finish()
    assert check(root) == []
    read = open_wave(root)
    for index in range(count):
        texts = [one.content for one in read.read(f"s{index}").records if isinstance(one, Message)]
        assert texts == [f"{index}-{turn}" for turn in range(messages)]


def test_one_session_may_be_shared_by_threads(tmp_path: Path) -> None:
    root = tmp_path / "wave"
    with wave(root) as one, one.session("s1", "r1", "t1") as session:

        def record() -> None:
            for _ in range(50):
                session.message("user", "x", turn_index=0)

        threads = [threading.Thread(target=record) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert check(root) == []
    assert len(lines(root)) == 201


@pytest.mark.parametrize(
    "misuse",
    [
        lambda one: one.session("a/b", "r1", "t1"),
        lambda one: one.session("", "r1", "t1"),
        lambda one: one.session("s9", "r9", "t1"),
        lambda one: one.session("s9", "r1", "t9"),
        lambda one: one.session("s1", "r1", "t1"),
        lambda one: one.session("s1", "r1", "t1", 1),
        lambda one: one.session("s9", "r1", "t1"),
        lambda one: one.slot("s1", "r1", "t1", 1),
        lambda one: one.attempt("s9", Attempt(status="failed")),
        lambda one: one.run_status("r9", "failed"),
        lambda one: (one.finish(), one.finish()),
        lambda one: (one.finish(), one.slot("s9", "r1", "t1", 1)),
    ],
)
def test_misuse_is_refused_at_once(tmp_path: Path, misuse: Callable[[WaveRecorder], Any]) -> None:
    one = wave(tmp_path / "wave")
    one.session("s1", "r1", "t1").close()
    with pytest.raises(ValueError, match=r"\w"):
        misuse(one)


def test_a_wave_does_not_finish_under_an_open_session(tmp_path: Path) -> None:
    one = wave(tmp_path / "wave")
    with one.session("s1", "r1", "t1"), pytest.raises(ValueError, match="still open"):
        one.finish()
    assert one.finish().is_file()


def test_a_record_that_is_none_is_refused(tmp_path: Path) -> None:
    with wave(tmp_path / "wave") as one, one.session("s1", "r1", "t1") as session:
        with pytest.raises(ValidationError):
            session.append({"type": "message", "role": "boss"})
        session.close()
        with pytest.raises(ValueError, match="closed"):
            session.message("user", "late", turn_index=0)


def test_a_session_id_too_long_for_a_file_name_is_refused_with_a_remedy(tmp_path: Path) -> None:
    one = wave(tmp_path / "wave")
    with pytest.raises(RecordingError, match="shorter session id"):
        one.session(":" * 150, "r1", "t1")


def test_a_folder_that_holds_a_wave_is_not_recorded_over(tmp_path: Path) -> None:
    root = tmp_path / "wave"
    with wave(root):
        pass
    for _ in range(2):
        with pytest.raises(RecordingError, match="already holds"):
            wave(root)
        (root / "wave.json").unlink(missing_ok=True)
        (root / "sessions" / "x.jsonl").write_bytes(b"")


def test_planned_ids_are_session_ids_whatever_the_target_is_called() -> None:
    plain = planned_session_id(
        Run.model_validate(run()), Target.model_validate(target(kind="environment")), 3
    )
    assert plain == "synth_r1_env_host-t1_3"
    strange = planned_session_id(
        Run.model_validate(run()), Target.model_validate(target(id="a/b")), 3
    )
    assert strange.startswith("missing:")
    assert is_session_id(strange)


def test_two_targets_on_one_host_get_two_planned_ids(tmp_path: Path) -> None:
    targets = [Target.model_validate(target(name, id="same")) for name in ("t1", "t2")]
    runs = [Run.model_validate(run(target_ids=["t1", "t2"]))]
    with wave(tmp_path / "wave", targets=targets, runs=runs):
        pass
    ids = [slot.session_id for slot in open_wave(tmp_path / "wave").plan.slots]
    assert len(set(ids)) == 2
    assert [one.rule for one in check(tmp_path / "wave")] == []


def test_a_whole_wave_is_written_and_read_back(tmp_path: Path) -> None:
    root = tmp_path / "deep" / "wave"
    whole = manifest_model()
    recorded = records(user(), user("again", turn=1))
    write_wave(root, whole, [("s1", iter(recorded))])
    assert check(root) == []
    read = open_wave(root)
    assert read.whole_manifest() == whole
    assert list(read.read("s1").records) == recorded
    assert [path.name for path in root.parent.iterdir()] == ["wave"]
    assert (root / "wave.json").read_bytes() == manifest_bytes(whole)


def test_a_wave_is_not_written_over_anything(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    write_wave(tmp_path / "empty", manifest_model(), [])
    (tmp_path / "file").write_text("x")
    for name in ("empty", "file"):
        with pytest.raises(RecordingError, match="not an empty folder"):
            write_wave(tmp_path / name, manifest_model(), [])


def test_a_wave_that_cannot_be_written_whole_leaves_nothing_behind(tmp_path: Path) -> None:
    def broken() -> Iterator[tuple[str, list[Record]]]:
        yield "s1", records(user())
        raise KeyError

    with pytest.raises(KeyError):
        write_wave(tmp_path / "a", manifest_model(), broken())
    bad: list[list[tuple[str, list[Record]]]] = [[("../a", [])], [("s1", []), ("s1", [])]]
    for sessions in bad:
        with pytest.raises(RecordingError):
            write_wave(tmp_path / "b", manifest_model(), sessions)
    assert list(tmp_path.iterdir()) == []


def test_required_fields_are_written_as_null_and_optional_ones_not_at_all() -> None:
    whole = wire_object(Manifest.model_validate(manifest()))
    assert whole["swarmId"] is None
    assert whole["personas"] == [{"personaRefId": None, "name": "Ana"}]
    assert "policy" not in whole
    assert json_line({"a": None}) == b'{"a":null}\n'
