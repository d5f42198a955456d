"""One session of a test wave: its context, its recording, and the facts derived from both."""

from collections.abc import Mapping
from typing import Any

import builders
from builders import Json

from reporter.derive.options import DeriveOptions
from reporter.derive.session import derive_session
from reporter.identifiers import CatalogId, RunId, SessionId, TargetId
from reporter.models.facts import SessionFacts
from reporter.models.manifest import Attempt, Goal, JudgePolicy, Persona, Run, Target
from reporter.models.plan import Catalog, PlannedSlot, SessionContext
from reporter.models.session import SessionRecording

SUCCEEDED: Json = {"status": "succeeded"}
FAILED: Json = {"status": "failed"}
LIMITED: Json = {"status": "rate_limited"}
RUNNING: Json = {"status": "running"}
PENDING: Json = {"status": "pending"}
WITHDRAWN: Json = {"status": "failed", "errorCode": "canceled"}

AUTOMATIC: Json = {"automatic": True, "role": "advisory"}
REQUIRED_JUDGE: Json = {"automatic": True, "role": "required"}


def planned(
    attempt: Json | None = SUCCEEDED,
    *,
    recorded: bool = True,
    message_count: int | None = None,
    inferred: Mapping[str, str] | None = None,
) -> PlannedSlot:
    return PlannedSlot(
        session_id=SessionId("s1"),
        run_id=RunId("r1"),
        target_id=TargetId("t1"),
        session_index=0,
        attempt=None if attempt is None else Attempt.model_validate(attempt),
        recorded=recorded,
        message_count=message_count,
        inferred=inferred or {},
    )


def context(
    slot: PlannedSlot | None = None,
    *,
    rubric: list[Json] | None = None,
    judge: Json | None = None,
    catalog: Catalog | None = None,
    catalogs: Mapping[CatalogId, Catalog] | None = None,
    target: Json | None = None,
    run: Json | None = None,
) -> SessionContext:
    return SessionContext(
        slot=slot or planned(),
        run=Run.model_validate(builders.run(rubric=rubric or [], **(run or {}))),
        persona=Persona.model_validate(builders.persona()),
        goal=Goal.model_validate(builders.goal()),
        target=Target.model_validate(builders.target(**(target or {}))),
        judge=None if judge is None else JudgePolicy.model_validate(judge),
        catalog=catalog,
        catalogs=catalogs or {},
    )


def recording(*raw: Json, **more: Any) -> SessionRecording:
    """A session's recording; record n stands on line n."""
    held = builders.records(*raw)
    whole = {"lines": range(1, len(held) + 1), "file": "sessions/s1.jsonl", **more}
    return SessionRecording(session_id=SessionId("s1"), records=held, **whole)


def absent() -> SessionRecording:
    """What a reader returns where there is no file."""
    return SessionRecording(session_id=SessionId("s1"), file="sessions/s1.jsonl", present=False)


def facts_of(
    *raw: Json,
    options: DeriveOptions | None = None,
    damaged: bool = False,
    present: bool = True,
    **more: Any,
) -> SessionFacts:
    """The facts of a session with these records; `more` goes to `context`."""
    session = recording(*raw, damaged=damaged, present=present)
    return derive_session(context(**more), session, options or DeriveOptions())


def refusal(phase: str = "connect", **more: Any) -> Json:
    return {
        "type": "connection",
        "phase": phase,
        "outcome": "failed",
        "attributable": "server",
        "error": {"code": 503, "message": "go away"},
        **more,
    }


def answered(phase: str = "initialize", **more: Any) -> Json:
    return {"type": "connection", "phase": phase, "outcome": "ok", "attributable": "server", **more}


def judged(*, passed: bool | None = True, **more: Any) -> Json:
    return {"type": "goal_judge", "status": "completed", "passed": passed, **more}


def graded(state: str = "settled", **more: Any) -> Json:
    return {"type": "grading", "state": state, **more}


def check(
    criterion_id: str = "check", role: str | None = "required", kind: str | None = None
) -> Json:
    entry: Json = {"id": criterion_id, "role": role}
    if kind is not None:
        entry["predicate"] = {"type": kind}
    return entry


def outcome(criterion_id: str = "check", *, passed: bool = True, **more: Any) -> Json:
    return {"criterionId": criterion_id, "passed": passed, **more}


def criteria(*results: Json, **more: Any) -> Json:
    return {"type": "criteria", "status": "completed", "results": list(results), **more}


def catalog_record(*names: str, complete: bool = True, **more: Any) -> Json:
    tools = [{"name": name} for name in names]
    return {"type": "catalog", "tools": tools, "complete": complete, **more}


def finish(reason: str | None = "stop", turn: int = 0, step: int = 0, **more: Any) -> Json:
    return {
        "type": "step_finish",
        "turnIndex": turn,
        "stepNumber": step,
        "finishReason": reason,
        **more,
    }


def ended(status: str = "succeeded", **more: Any) -> Json:
    return {"type": "session_complete", "status": status, **more}


def began(**more: Any) -> Json:
    return {
        "type": "session_start",
        "runId": "r1",
        "targetId": "t1",
        "sessionIndex": 0,
        "personaName": "Ana",
        "maxTurns": 5,
        **more,
    }


def chain_record(*states: str | tuple[str, str], version: object = 11, **more: Any) -> Json:
    """A recorded chain; a state may come with its reason."""
    stages = ("connection", "discovery", "selection", "call", "response", "userValue")
    rows: list[Json] = []
    for stage, state in zip(stages, states, strict=True):
        word, reason = (state, None) if isinstance(state, str) else state
        row: Json = {"stage": stage, "state": word}
        rows.append(row if reason is None else {**row, "reason": reason})
    return {"type": "chain", "analyzerVersion": version, "stages": rows, **more}
