import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from builders import (
    Json,
    assistant,
    call,
    goal,
    manifest,
    manifest_model,
    persona,
    records,
    result,
    run,
    sequenced,
    slot,
    target,
    user,
)

from reporter.derive.session import derive_session
from reporter.errors import Problem
from reporter.identifiers import SessionId
from reporter.models.plan import SessionContext
from reporter.models.session import SessionRecording
from reporter.recording.plan import resolve_plan
from reporter.recording.reader import open_wave
from reporter.recording.validate import check, check_session

Writer = Callable[..., Path]
Place = tuple[str, str, str]

SESSION = "sessions/s1.jsonl"


def places(problems: Sequence[Problem]) -> list[Place]:
    return [(one.rule, one.file, one.place) for one in problems]


def start(**more: object) -> Json:
    return {
        "type": "session_start",
        "runId": "r1",
        "targetId": "t1",
        "sessionIndex": 0,
        "personaName": "Ana",
        **more,
    }


def complete(**more: object) -> Json:
    return {"type": "session_complete", "status": "succeeded", "endReason": "unknown", **more}


def judge(**more: object) -> Json:
    return {"type": "goal_judge", "status": "completed", **more}


def criteria(*results: str, **more: object) -> Json:
    found = [{"criterionId": one, "passed": True} for one in results]
    return {"type": "criteria", "status": "completed", "results": found, **more}


def echoed(**predicate: object) -> Json:
    """A result that repeats what its check is."""
    return criteria("a") | {
        "results": [{"criterionId": "a", "passed": True, "predicate": predicate}]
    }


def part(kind: str, call_id: str, **more: object) -> Json:
    return {"kind": kind, "toolCallId": call_id, **more}


RUBRIC = [{"id": "a", "role": "required"}, {"id": "b", "role": "advisory"}]

SOUND: list[list[Json]] = [
    [user(), echoed(role="required")],
    [user(), echoed(role="gating")],
    [user(), assistant()],
    [start(), user(), call(), result(), assistant(), complete(turnsUsed=1)],
    [user(), {**assistant(), "seq": 7}, {**user(turn=1), "seq": 9}],
    [user(), assistant(content=[part("tool_call", "x", toolName="t", args={})]), result("x")],
    [
        user(),
        assistant(content=[part("tool_call", "x", toolName="t", args={})]),
        call("x"),
        result("x"),
    ],
    [user(), call(), {**user("done"), "role": "tool", "author": "tool", "toolCallId": "c1"}],
    [user(), result("late"), call("late")],
    [user(), call(), result(), result()],
    [user(), call(caller="persona", turn=3), complete(turnsUsed=0)],
    [user(), {"type": "step_finish", "turnIndex": 2, "stepNumber": 0}, complete(turnsUsed=1)],
    [user(), judge(passed=True)],
    [user(), judge(score=0.5, threshold=0.4)],
    [user(), judge(), judge(passed=False)],
    [user(), {**judge(), "status": "failed"}],
    [user(), criteria("a", "b")],
    [user(), criteria("a", criterionIds=["a"])],
    [user(), criteria("a", "a"), criteria("a")],
]


@pytest.mark.parametrize("lines", SOUND)
def test_a_sound_session_has_no_problem(folder: Writer, lines: list[Json]) -> None:
    whole = manifest(runs=[run(rubric=RUBRIC)])
    assert check(folder(whole, {"s1": sequenced(*lines)})) == []


BROKEN: list[tuple[str, list[Json], list[tuple[str, str]]]] = [
    ("seq twice", [user(), {**assistant(), "seq": 0}], [("seq-order", "line 2: seq")]),
    (
        "seq backwards",
        [{**user(), "seq": 5}, {**assistant(), "seq": 3}, {**user(), "seq": 4}],
        [("seq-order", "line 2: seq")],
    ),
    ("index from one", [{**user(), "index": 1}], [("message-index", "line 1: index")]),
    (
        "index with a gap",
        [user(), {**assistant(), "index": 2}, {**user(), "index": 3}],
        [("message-index", "line 2: index")],
    ),
    (
        "index twice",
        [user(), {**assistant(), "index": 0}],
        [("message-index", "line 2: index")],
    ),
    (
        "result of no call",
        [user(), result("nope")],
        [("result-for-unknown-call", "line 2: toolCallId")],
    ),
    (
        "part result of no call",
        [user(), assistant(content=[part("tool_result", "nope", result=1)])],
        [("result-for-unknown-call", "line 2: toolCallId")],
    ),
    (
        "tool message of no call",
        [{**user(), "role": "tool", "author": "tool", "toolCallId": "nope"}],
        [("result-for-unknown-call", "line 1: toolCallId")],
    ),
    (
        "two calls of one id",
        [user(), call(), result(), call()],
        [("duplicate-tool-call", "line 4: toolCallId")],
    ),
    (
        "another persona",
        [start(personaName="Bo"), user()],
        [("persona-differs", "line 1: personaName")],
    ),
    ("another slot", [start(sessionIndex=4), user()], [("session-start-differs", "line 1")]),
    (
        "another session",
        [user(), {**assistant(), "sessionId": "s2"}],
        [("session-id-differs", "line 2: sessionId")],
    ),
    (
        "criterion twice",
        [user(), criteria("a", "a")],
        [("criterion-duplicate", "line 2: results[1].criterionId")],
    ),
    (
        "criterion unknown",
        [user(), criteria("a", "z")],
        [("criterion-unknown", "line 2: results[1].criterionId")],
    ),
    (
        "criterion unclaimed",
        [user(), criteria("a", "b", criterionIds=["a"])],
        [("criterion-unclaimed", "line 2: results[1].criterionId")],
    ),
    (
        "criterion unclaimed, twice",
        [user(), criteria("b", "b", criterionIds=["a"])],
        [
            ("criterion-unclaimed", "line 2: results[0].criterionId"),
            ("criterion-unclaimed", "line 2: results[1].criterionId"),
        ],
    ),
    (
        "claims twice and unknown",
        [user(), criteria(criterionIds=["a", "a", "z"])],
        [
            ("criterion-duplicate", "line 2: criterionIds[1]"),
            ("criterion-unknown", "line 2: criterionIds[2]"),
        ],
    ),
    (
        "a result of another kind and role",
        [user(), echoed(type="noToolErrors", role="advisory")],
        [
            ("criterion-echo-differs", "line 2: results[0].predicate.type"),
            ("criterion-echo-differs", "line 2: results[0].predicate.role"),
        ],
    ),
    ("judge without decision", [user(), judge()], [("judge-without-decision", "line 2")]),
    ("judge with half", [user(), judge(score=0.5)], [("judge-without-decision", "line 2")]),
    (
        "too many turns",
        [assistant(turn=turn) for turn in range(6)],
        [("max-turns-exceeded", "")],
    ),
    (
        "turns counted otherwise",
        [user(), assistant(), complete(turnsUsed=2)],
        [("turns-used-differs", "line 3: turnsUsed")],
    ),
    (
        "attempt differs",
        [user(), complete(status="failed")],
        [("attempt-differs", "line 2: status")],
    ),
]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [pytest.param(lines, expected, id=name) for name, lines, expected in BROKEN],
)
def test_a_broken_session_is_named_by_rule_and_line(
    folder: Writer, lines: list[Json], expected: list[tuple[str, str]]
) -> None:
    whole = manifest(runs=[run(rubric=RUBRIC)])
    problems = check(folder(whole, {"s1": sequenced(*lines)}))
    assert places(problems) == [(rule, SESSION, place) for rule, place in expected]
    assert all(one.session_id == "s1" and one.what for one in problems)


CALL_PART = part("tool_call", "c1", toolName="find_book", args={})

COUNTED_ONCE: list[tuple[str, list[Json], int, list[str]]] = [
    (
        "a second record of one call is no turn",
        [user(), call(), call(turn=3), result(), assistant()],
        1,
        ["duplicate-tool-call"],
    ),
    (
        "a record moves the call that a part spoke of",
        [user(), assistant(role="tool", content=[CALL_PART]), call(turn=2), assistant()],
        2,
        [],
    ),
    (
        "a part in a message of nobody's is the assistant's call",
        [user(), assistant(turn=3, role="tool", content=[CALL_PART]), assistant()],
        2,
        [],
    ),
    (
        "a part in a message of the persona's is not",
        [user(turn=3, content=[CALL_PART]), assistant()],
        1,
        [],
    ),
]


@pytest.mark.parametrize(
    ("lines", "turns", "rules"),
    [pytest.param(*row, id=name) for name, *row in COUNTED_ONCE],
)
def test_turns_are_counted_as_the_derivation_counts_them(
    folder: Writer, lines: list[Json], turns: int, rules: list[str]
) -> None:
    held = folder(sessions={"s1": sequenced(*lines, complete(turnsUsed=turns))})
    assert [one.rule for one in check(held)] == rules
    wave = open_wave(held)
    context = wave.plan.contexts()[0]
    assert derive_session(context, wave.read("s1")).turns_used == turns


def test_error_codes_that_differ_are_reported(folder: Writer) -> None:
    whole = manifest(slots=[slot(attempt={"status": "failed", "errorCode": "canceled"})])
    lines = sequenced(user(), complete(status="failed", errorCode="session_failed"))
    assert places(check(folder(whole, {"s1": lines}))) == [
        ("attempt-differs", SESSION, "line 2: errorCode")
    ]


def test_a_damaged_session_is_not_blamed_for_turns_it_lost(folder: Writer) -> None:
    data = b"".join(
        json.dumps(one).encode() + b"\n"
        for one in sequenced(user(), assistant(), complete(turnsUsed=2))
    )
    assert places(check(folder(sessions={"s1": data + b"oops\n"}))) == [
        ("unreadable-line", SESSION, "line 4")
    ]


PLAN: list[tuple[str, Json, list[Place]]] = [
    (
        "unknown run",
        {"slots": [slot(), slot("s2", "r9")]},
        [("slot-of-unknown-run", "wave.json", "slots[1].runId")],
    ),
    (
        "unknown target",
        {"slots": [slot(), slot("s2", "r1", "t9")]},
        [("slot-of-unknown-target", "wave.json", "slots[1].targetId")],
    ),
    (
        "outside the plan",
        {"slots": [slot(), slot("s2", index=1, recorded=False)]},
        [("slot-outside-plan", "wave.json", "slots[1]")],
    ),
    (
        "not listed",
        {"runs": [run(sessionsPerTarget=2)]},
        [("slot-not-listed", "wave.json", "slots")],
    ),
    (
        "unknown persona",
        {"personas": []},
        [("unknown-persona", "wave.json", "runs[0].personaName")],
    ),
    ("unknown goal", {"goals": []}, [("unknown-goal", "wave.json", "runs[0].journeyRefId")]),
    (
        "unknown target of a run",
        {"runs": [run(target_ids=["t1", "t9"])]},
        [("unknown-target", "wave.json", "runs[0].targetIds[1]")],
    ),
    (
        "duplicate slot",
        {"slots": [slot(), slot("s2")]},
        [("duplicate-slot", "wave.json", "slots[1].sessionIndex")],
    ),
    (
        "look-alikes",
        {"targets": [target("t1", "A", id="x"), target("t2", "A", id="x")]},
        [("look-alike-target", "wave.json", "targets[1].label")],
    ),
    (
        "no file",
        {"runs": [run(sessionsPerTarget=2)], "slots": [slot(), slot("s2", index=1)]},
        [("session-file-missing", "sessions/s2.jsonl", "")],
    ),
    (
        "role unknown",
        {"runs": [run(rubric=[{"id": "a", "role": None}])]},
        [("criterion-role-unknown", "wave.json", "runs[0].rubric[0].role")],
    ),
    (
        "terminal but running",
        {"slots": [slot(attempt={"status": "running"})]},
        [("terminal-but-running", "wave.json", "terminal")],
    ),
    ("no slot", {"slots": [], "runs": []}, [("session-without-slot", SESSION, "")]),
]


@pytest.mark.parametrize(
    ("more", "expected"), [pytest.param(more, expected, id=name) for name, more, expected in PLAN]
)
def test_a_broken_plan_is_named_by_rule_and_place(
    folder: Writer, conversation: list[Json], more: Json, expected: list[Place]
) -> None:
    assert places(check(folder(manifest(**more), {"s1": conversation}))) == expected


def test_every_problem_of_a_wave_comes_at_once_by_file_and_line(folder: Writer) -> None:
    whole = manifest(
        personas=[persona("Bo")],
        goals=[goal("g2")],
        runs=[run(sessionsPerTarget=3)],
        slots=[slot("s1"), slot("s2", index=1), slot("s3", index=2)],
    )
    good = sequenced(user(), assistant())
    many = [user(), {**assistant(), "seq": 0}, *[{"type": "later"}] * 9, result("nope")]
    root = folder(whole, {"s1": sequenced(*many), "s2": b"oops\n", "zz": good})
    problems = check(root)
    assert places(problems) == [
        ("seq-order", SESSION, "line 2: seq"),
        ("unknown-record-type", SESSION, "line 3"),
        ("result-for-unknown-call", SESSION, "line 12: toolCallId"),
        ("unreadable-line", "sessions/s2.jsonl", "line 1"),
        ("session-file-missing", "sessions/s3.jsonl", ""),
        ("session-without-slot", "sessions/zz.jsonl", ""),
        ("unknown-persona", "wave.json", "runs[0].personaName"),
        ("unknown-goal", "wave.json", "runs[0].journeyRefId"),
    ]
    assert all(one.rule and one.what.endswith(".") for one in problems)


def test_sessions_are_checked_beside_a_manifest_that_cannot_be_used(folder: Writer) -> None:
    root = folder(b"{", {"s1": sequenced(user(), {**assistant(), "seq": 0}), "s2": b"oops\n"})
    for path in (root, root / "wave.json"):
        assert places(check(path)) == [
            ("seq-order", SESSION, "line 2: seq"),
            ("unreadable-line", "sessions/s2.jsonl", "line 1"),
            ("manifest-invalid", "wave.json", ""),
        ]


def test_an_unplanned_session_is_checked_too(folder: Writer, conversation: list[Json]) -> None:
    lines = sequenced(start(personaName="Bo"), user(), {**user(), "seq": 0}, criteria("z"))
    root = folder(sessions={"s1": conversation, "zz": lines})
    assert places(check(root)) == [
        ("session-without-slot", "sessions/zz.jsonl", ""),
        ("seq-order", "sessions/zz.jsonl", "line 3: seq"),
    ]


def test_what_cannot_be_opened_is_a_problem_and_no_exception(tmp_path: Path) -> None:
    assert places(check(tmp_path)) == [("empty-folder", tmp_path.name, "")]
    assert places(check(tmp_path / "none")) == [("not-found", "none", "")]
    (tmp_path / "x.json").write_text("[]")
    assert [one.rule for one in check(tmp_path / "x.json")] == ["manifest-invalid"]


def test_the_single_file_form_is_checked_with_its_own_line_numbers(single: Writer) -> None:
    lines = [{**one, "sessionId": "s1"} for one in sequenced(user(), {**assistant(), "seq": 0})]
    assert places(check(single(*lines))) == [("seq-order", "wave.jsonl", "line 3: seq")]


def test_an_interrupted_wave_with_two_personas_on_one_run_is_reported(folder: Writer) -> None:
    root = folder(
        sessions={
            "a": sequenced(start(), user()),
            "b": sequenced(start(personaName="Bo", sessionIndex=1), user()),
        },
        without_manifest=True,
    )
    assert places(check(root)) == [
        ("persona-differs", "sessions/b.jsonl", "line 1: personaName"),
        ("manifest-missing", "wave.json", ""),
    ]


def test_a_further_look_is_taken_at_every_planned_session(
    folder: Writer, conversation: list[Json]
) -> None:
    def further(context: SessionContext, recording: SessionRecording) -> list[Problem]:
        return [Problem(recording.file, "line 1", f"{context.run.run_id}.", rule="mine")]

    root = folder(sessions={"s1": conversation, "zz": conversation})
    assert places(check(root, further=further)) == [
        ("mine", SESSION, "line 1"),
        ("session-without-slot", "sessions/zz.jsonl", ""),
    ]


def test_a_document_id_is_a_name_of_the_session_too(folder: Writer) -> None:
    lines = [{**one, "sessionId": "d1"} for one in sequenced(user(), assistant())]
    whole = manifest(slots=[slot(documentId="d1")])
    assert check(folder(whole, {"s1": lines})) == []


def test_an_outcome_is_compared_only_with_an_attempt_that_was_recorded(folder: Writer) -> None:
    lines = sequenced(user(), complete(status="failed"))
    assert check(folder(manifest(slots=[slot(attempt=None)]), {"s1": lines})) == []


def test_records_without_lines_are_counted_instead() -> None:
    plan, _ = resolve_plan(manifest_model(), file="wave.json", catalogs={})
    recording = SessionRecording(
        session_id=SessionId("s1"), records=records(user(), {**user(), "seq": 0}), file="a.json"
    )
    problems = check_session(plan.contexts()[0], recording)
    assert places(problems) == [("seq-order", "a.json", "record 2: seq")]


def test_a_session_without_records_has_nothing_to_contradict() -> None:
    assert check_session(None, SessionRecording(session_id=SessionId("s1"), present=False)) == []
