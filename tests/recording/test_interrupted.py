import json
from collections.abc import Callable
from pathlib import Path

from builders import Json, assistant, sequenced, user

from reporter.recording.limits import Limits
from reporter.recording.reader import open_wave

Writer = Callable[..., Path]


def start(run_id: str = "r1", target_id: str = "t1", index: int = 0, **more: object) -> Json:
    return {
        "type": "session_start",
        "runId": run_id,
        "targetId": target_id,
        "sessionIndex": index,
        "personaName": "Ana",
        "modelId": "model-one",
        "maxTurns": 4,
        **more,
    }


def session(first: Json) -> list[Json]:
    return sequenced(first, user(), assistant())


def test_everything_the_manifest_would_say_is_filled_in_from_the_sessions(folder: Writer) -> None:
    root = folder(
        sessions={
            "b": session(start("r2", "t2", 3, personaName="Bo", modelId=None, maxTurns=None)),
            "a": session(start("r1", "t1", 0)),
            "C": session(start("r1", "t2", 1, modelId="model-two")),
        },
        without_manifest=True,
    )
    wave = open_wave(root)
    plan = wave.plan
    assert wave.manifest is None
    assert plan.manifest_missing
    assert not plan.terminal
    assert plan.wave_id == "unknown"
    assert plan.judge is None
    # Upper case goes first: the order is that of code points.
    assert [one.session_id for one in plan.slots] == ["C", "a", "b"]
    assert all(one.recorded and one.listed and one.in_plan for one in plan.slots)
    assert all(one.attempt is None for one in plan.slots)
    assert [one.key for one in plan.personas] == [(None, "Ana"), (None, "Bo")]
    assert [(one.journey_ref_id, one.title) for one in plan.goals] == [("r1", "r1"), ("r2", "r2")]
    assert [(one.target_id, one.kind, one.id, one.label, one.model_id) for one in plan.targets] == [
        ("t2", "host", "t2", "t2", "model-two"),
        ("t1", "host", "t1", "t1", "model-one"),
    ]
    first, second = plan.runs
    assert (first.run_id, first.status, first.rubric, first.max_turns) == ("r1", "running", [], 4)
    assert (first.target_ids, first.sessions_per_target) == (["t2", "t1"], 2)
    assert (second.sessions_per_target, second.max_turns) == (4, None)
    assert len(plan.contexts()) == 3
    assert [one.rule for one in wave.problems] == ["manifest-missing"]
    assert len(wave.read("a").records) == 3


def test_a_file_without_a_start_has_no_slot(folder: Writer) -> None:
    root = folder(
        sessions={"a": session(start()), "b": sequenced(user()), "c": b"oops\n", "d": b""},
        without_manifest=True,
    )
    wave = open_wave(root)
    assert [one.session_id for one in wave.plan.slots] == ["a"]
    assert wave.unplanned == ("b", "c", "d")


def test_a_start_counts_only_before_the_file_breaks_off(folder: Writer) -> None:
    late = sequenced(user(), start())
    root = folder(
        sessions={
            "late": late,
            "broken": b"oops\n" + _line(start()),
            "invalid": _line(start(sessionIndex=-1)),
            "long": _line({**user("x" * 5000), "seq": 0}) + _line(start(index=3)),
        },
        without_manifest=True,
    )
    wave = open_wave(root, Limits(line_bytes=1000))
    assert [one.session_id for one in wave.plan.slots] == ["late"]


def test_two_sessions_of_one_place_are_reported(folder: Writer) -> None:
    root = folder(sessions={"a": session(start()), "b": session(start())}, without_manifest=True)
    wave = open_wave(root)
    assert [one.rule for one in wave.problems] == [
        "manifest-missing",
        "duplicate-slot",
        "session-without-slot",
    ]
    assert [one.session_id for one in wave.plan.slots] == ["a"]


def test_values_beyond_a_manifests_bounds_are_no_obstacle(folder: Writer) -> None:
    root = folder(
        sessions={
            "a": session(start(index=400, maxTurns=900)),
            "b": session(start("r2", maxTurns=0)),
        },
        without_manifest=True,
    )
    first, second = open_wave(root).plan.runs
    assert (first.sessions_per_target, first.max_turns) == (401, 900)
    assert second.max_turns is None


def test_a_manifest_that_was_being_written_is_no_manifest(folder: Writer) -> None:
    root = folder(sessions={"a": session(start())}, without_manifest=True)
    (root / ".wave.json.part").write_bytes(b'{"format"')
    assert open_wave(root).plan.manifest_missing


def _line(record: Json) -> bytes:
    return json.dumps({"seq": 0, "at": None, **record}).encode() + b"\n"


def test_sessions_that_differ_on_what_the_manifest_would_say_are_reported(folder: Writer) -> None:
    root = folder(
        sessions={
            "a": session(start(index=0)),
            "b": session(start(index=1, modelId="model-two", maxTurns=9)),
            "c": session(start(index=2, modelId=None, maxTurns=None)),
        },
        without_manifest=True,
    )
    wave = open_wave(root)
    assert [target.model_id for target in wave.plan.targets] == ["model-one"]
    assert [run.max_turns for run in wave.plan.runs] == [4]
    said = [one.what for one in wave.problems if one.rule == "session-starts-differ"]
    model, limit = said
    assert model.startswith('Sessions differ on the model of target "t1": "model-one", "model-two"')
    assert limit.startswith('Sessions differ on the turn limit of run "r1": "4", "9"')
