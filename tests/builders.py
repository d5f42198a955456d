"""Small builders of recorded waves and facts: a case names only what it is about."""

from collections.abc import Sequence
from typing import Any

from reporter.identifiers import GoalId, RunId, SessionId, TargetId
from reporter.models.facts import SessionFacts
from reporter.models.manifest import Manifest
from reporter.models.records import RECORD, Record
from reporter.models.verdict import (
    GatingCounts,
    Graders,
    GradingState,
    SessionVerdict,
    TrialObservation,
)
from reporter.vocabulary import (
    SESSION_VERDICT,
    Disposition,
    GraderReadiness,
    Lifecycle,
    ReadState,
    SessionVerdictReason,
    Verdict,
)

Json = dict[str, Any]


def persona(name: str = "Ana", ref: str | None = None, **more: Any) -> Json:
    return {"personaRefId": ref, "name": name, **more}


def goal(ref: str = "g1", title: str = "Borrow a book", **more: Any) -> Json:
    return {"journeyRefId": ref, "title": title, **more}


def target(target_id: str = "t1", label: str | None = None, **more: Any) -> Json:
    return {
        "targetId": target_id,
        "kind": "host",
        "id": f"host-{target_id}",
        "label": label or f"Host {target_id}",
        "modelId": "model-one",
        **more,
    }


def run(
    run_id: str = "r1",
    goal_ref: str = "g1",
    persona_name: str = "Ana",
    target_ids: Sequence[str] = ("t1",),
    **more: Any,
) -> Json:
    return {
        "runId": run_id,
        "journeyRefId": goal_ref,
        "personaRefId": None,
        "personaName": persona_name,
        "targetIds": list(target_ids),
        "sessionsPerTarget": 1,
        "maxTurns": 5,
        "status": "completed",
        "rubric": [],
        **more,
    }


def slot(
    session_id: str = "s1", run_id: str = "r1", target_id: str = "t1", index: int = 0, **more: Any
) -> Json:
    return {
        "sessionId": session_id,
        "runId": run_id,
        "targetId": target_id,
        "sessionIndex": index,
        "attempt": {"status": "succeeded"},
        "recorded": True,
        **more,
    }


def manifest(**more: Any) -> Json:
    """A wave of one persona, one goal, one target, one run and one slot, unless said otherwise."""
    whole: Json = {
        "format": "swarm-recording",
        "formatVersion": 1,
        "swarmRunGroupId": "wave-1",
        "swarmName": "Test wave",
        "createdAt": None,
        "finishedAt": None,
        "terminal": True,
        "personas": [persona()],
        "goals": [goal()],
        "targets": [target()],
        "runs": [run()],
        "slots": [slot()],
    }
    whole.update(more)
    return whole


def manifest_model(**more: Any) -> Manifest:
    return Manifest.model_validate(manifest(**more))


def sequenced(*records: Json) -> list[Json]:
    """Give records their `seq`, and messages their `index`, where they have none."""
    numbered: list[Json] = []
    index = 0
    for seq, record in enumerate(records):
        whole = {"seq": seq, "at": None, **record}
        if whole["type"] == "message":
            whole.setdefault("index", index)
            index = whole["index"] + 1
        numbered.append(whole)
    return numbered


def records(*raw: Json) -> list[Record]:
    return [RECORD.validate_python(record) for record in sequenced(*raw)]


def user(text: str = "I want to borrow a book.", turn: int = 0, **more: Any) -> Json:
    return {
        "type": "message",
        "turnIndex": turn,
        "role": "user",
        "author": "persona",
        "content": text,
        **more,
    }


def assistant(text: str = "Done.", turn: int = 0, **more: Any) -> Json:
    return {
        "type": "message",
        "turnIndex": turn,
        "role": "assistant",
        "author": "assistant",
        "content": text,
        **more,
    }


def call(call_id: str = "c1", tool: str = "find_book", turn: int = 0, **more: Any) -> Json:
    return {
        "type": "tool_call",
        "turnIndex": turn,
        "toolCallId": call_id,
        "toolName": tool,
        "args": {},
        **more,
    }


def result(call_id: str = "c1", value: Any = "ok", **more: Any) -> Json:
    return {"type": "tool_result", "toolCallId": call_id, "result": value, **more}


def session_facts(
    session_id: str = "s1",
    *,
    run_id: str = "r1",
    target_id: str = "t1",
    persona_name: str = "Ana",
    persona_ref_id: str | None = None,
    goal_id: str = "g1",
    goal_title: str = "Borrow a book",
    disposition: Disposition = Disposition.GOAL_MET,
    reason: SessionVerdictReason = SessionVerdictReason.JUDGE_PASSED,
    lifecycle: Lifecycle = Lifecycle.RAN,
    started: bool = True,
    **more: Any,
) -> SessionFacts:
    """Facts of one session; consistency beyond these arguments is the caller's business."""
    verdict = SESSION_VERDICT[reason]
    decided = verdict in (Verdict.PASSED, Verdict.FAILED)
    fields: Json = {
        "session_id": SessionId(session_id),
        "run_id": RunId(run_id),
        "target_id": TargetId(target_id),
        "session_index": 0,
        "persona_ref_id": persona_ref_id,
        "persona_name": persona_name,
        "goal_id": GoalId(goal_id),
        "goal_title": goal_title,
        "attempt": None,
        "lifecycle": lifecycle,
        "message_count": 2 if started else 0,
        "has_transcript": started,
        "started": started,
        "started_by": "messages" if started else None,
        "never_ran": False,
        "read_state": ReadState.READ if started else None,
        "turns_used": 1 if started else 0,
        "max_turns": 5,
        "end_reason": None,
        "verdict": SessionVerdict(
            lifecycle=lifecycle,
            verdict=verdict,
            reason=reason,
            verdict_source="goalJudge" if decided else "none",
            grading=GradingState(state="settled"),
            graders=Graders(criteria=GraderReadiness.NOT_CONFIGURED, judge=GraderReadiness.SCORED),
            counts=GatingCounts(
                gating=0, gating_passed=0, gating_failed=0, gating_unmeasured=0, advisory_failed=0
            ),
            trial=TrialObservation(status="completed"),
        ),
        "disposition": disposition,
    }
    fields.update(more)
    return SessionFacts(**fields)
