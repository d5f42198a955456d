"""A small wave that has one of most things, so that a golden page shows them all."""

from builders import (
    Json,
    assistant,
    call,
    goal,
    manifest,
    persona,
    result,
    run,
    slot,
    target,
    user,
)

TOOLS = {
    "type": "catalog",
    "tools": [{"name": "find_book"}, {"name": "place_hold"}],
    "complete": True,
}
STOP = {"type": "step_finish", "turnIndex": 0, "stepNumber": 0, "finishReason": "stop"}
CONNECTED = {
    "type": "connection",
    "phase": "initialize",
    "outcome": "ok",
    "serverName": "desk",
    "attributable": "server",
}
REFUSED = {
    **CONNECTED,
    "outcome": "failed",
    "error": {"code": 503, "message": "The desk is closed."},
    "egressVerified": True,
}


def judged(*, passed: bool, reason: str = "As asked.") -> Json:
    return {"type": "goal_judge", "status": "completed", "passed": passed, "reason": reason}


def checked(*, passed: bool) -> Json:
    outcome = {"criterionId": "held", "passed": passed, "reason": "One hold expected."}
    return {"type": "criteria", "status": "completed", "results": [outcome]}


WAVE = manifest(
    swarmRunGroupId="small-wave",
    swarmName="Small desk",
    createdAt=1_773_306_000_000,
    finishedAt=1_773_306_900_000,
    personas=[persona("Ana", "p1", role="In a hurry"), persona("Ben", "p2")],
    goals=[
        goal("hold", "Place a hold", goal="Place a hold on a book that is out."),
        goal("fine", "Pay a fine"),
    ],
    targets=[target("web", "Browser host"), target("desk", "Desktop host", modelId=None)],
    policy={"judge": {"automatic": True, "role": "required"}},
    runs=[
        run(
            "ana-hold",
            "hold",
            "Ana",
            ["web", "desk"],
            personaRefId="p1",
            rubric=[{"id": "held", "label": "A hold was placed", "role": "required"}],
        ),
        run("ben-hold", "hold", "Ben", ["web"], personaRefId="p2", sessionsPerTarget=2),
        run("ana-fine", "fine", "Ana", ["desk"], personaRefId="p1"),
    ],
    slots=[
        slot("s1", "ana-hold", "web"),
        slot("s2", "ana-hold", "desk"),
        slot("s3", "ben-hold", "web"),
        slot(
            "s4",
            "ben-hold",
            "web",
            1,
            attempt={
                "status": "rate_limited",
                "errorCode": "rate_limited",
                "errorMessage": "Too many requests.",
            },
            recorded=False,
        ),
        slot("s5", "ana-fine", "desk", attempt={"status": "failed", "errorCode": "session_failed"}),
    ],
)

SESSIONS: dict[str, list[Json]] = {
    "s1": [
        CONNECTED,
        TOOLS,
        user("Please place a hold on <em>Momo</em>."),
        call("c1", "find_book", args={"title": "Momo"}),
        result("c1", {"items": [{"id": "b1"}]}, durationMs=12),
        call("c2", "place_hold", args={"id": "b1", "branch": "Dockside"}),
        result("c2", "branch: not a valid code", isError=True),
        assistant("I could **not** place it:\n\n- the branch is not known"),
        STOP,
        judged(passed=False, reason="No hold was placed."),
        checked(passed=False),
        {"type": "self_report", "account": "It asked me for a code I do not have."},
        {"type": "grading", "state": "settled"},
    ],
    "s2": [
        CONNECTED,
        TOOLS,
        user("A hold on Momo, please."),
        call("c1", "reserve", args={}),
        result("c1", error="Unknown tool: reserve", mcpErrorCode=-32602),
        call("c2", "place_hold", args={"id": "b1"}),
        result("c2", {"content": [{"type": "text", "text": "Held."}]}),
        assistant("Done."),
        STOP,
        judged(passed=True),
        checked(passed=True),
        {"type": "grading", "state": "settled"},
    ],
    "s3": [
        TOOLS,
        user("I want Momo."),
        assistant("It is yours."),
        STOP,
        {"type": "goal_judge", "status": "failed", "error": "The judge's call failed."},
        {"type": "grading", "state": "unavailable"},
    ],
    "s5": [REFUSED],
}
