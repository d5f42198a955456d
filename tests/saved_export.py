"""A small export of our own as MCPJam's service answers: one wave at a library's desk."""

import copy
import json
from pathlib import Path
from typing import Any

Json = dict[str, Any]

RUN = "run-lend"
CHAT = "chat_run-lend_0"
DOCUMENT = "document-1"
TARGET = "environment:env-a"


def attempt(index: int = 0, chat: str | None = CHAT, **more: Any) -> Json:
    return {
        "chatSessionId": chat,
        "errorCode": None,
        "errorMessage": None,
        "hostId": "host-1",
        "targetId": TARGET,
        "sessionIndex": index,
        "status": "succeeded",
        **more,
    }


def goal_run(*attempts: Json, **more: Any) -> Json:
    listed = list(attempts) or [attempt(), attempt(1, None, status="rate_limited")]
    return {
        "id": RUN,
        "journeyId": "goal-lend",
        "waveId": "wave-1",
        "projectId": "p",
        "status": "partial",
        "createdAt": 1_788_000_000_000,
        "lastHeartbeatAt": 1_788_000_400_000,
        "persona": {"personaId": "rita", "name": "Rita", "role": "Reader"},
        "summary": {"total": len(listed), "succeeded": 1, "failed": 0, "rateLimited": 1},
        "targets": [
            {"hostId": "host-1", "hostName": "Desk", "modelId": "model-1", "targetId": TARGET}
        ],
        "attempts": listed,
        **more,
    }


def session_row(**more: Any) -> Json:
    return {
        "id": DOCUMENT,
        "chatSessionId": CHAT,
        "runId": RUN,
        "journeyId": "goal-lend",
        "personaId": "persona-rita",
        "personaLabel": "Rita",
        "outcome": "succeeded",
        "messageCount": 4,
        "modelId": "model-1",
        "startedAt": 1_788_000_001_000.5,
        "lastActivityAt": 1_788_000_009_000,
        "readiness": {"status": "completed", "verdict": "ready", "issueCount": 0},
        "goalScore": {"status": "completed", "passed": True, "score": 0.9, "threshold": 0.7},
        "criteria": {
            "status": "completed",
            "generation": 1,
            "criterionIds": ["lent"],
            "results": [{"criterionId": "lent", "passed": True, "status": "scored"}],
        },
        "observations": [
            {
                "evaluatorId": "lent",
                "predicateType": "toolCalledAtLeastOnce",
                "role": "required",
                "status": "passed",
            }
        ],
        "verdict": {
            "contractVersion": 1,
            "verdict": "passed",
            "reason": "allGatingCriteriaPassed",
            "graders": {"criteria": "scored", "judge": "silent"},
            "grading": {"state": "settled"},
        },
        **more,
    }


def call(own: str = "c1", name: str = "lend_book", **more: Any) -> Json:
    return {"type": "tool-call", "toolCallId": own, "toolName": name, "input": {"id": "7"}, **more}


def answer(output: Any, own: str = "c1", **more: Any) -> Json:
    return {"type": "tool-result", "toolCallId": own, "toolName": "x", "output": output, **more}


LENT = {"type": "json", "value": {"content": [{"type": "text", "text": "lent"}]}}


def talk(*contents: tuple[str, Any], **more: Any) -> Json:
    """A transcript in one page."""
    messages = [
        {"index": index, "role": role, "content": content}
        for index, (role, content) in enumerate(contents)
    ]
    return {
        "sessionId": DOCUMENT,
        "chatSessionId": CHAT,
        "messageCount": len(messages),
        "messages": messages,
        **more,
    }


USUAL = talk(
    ("user", "Lend me book 7."),
    ("assistant", [{"type": "text", "text": "Yes."}, call()]),
    ("tool", [answer(LENT)]),
    ("assistant", [{"type": "text", "text": "It is yours."}]),
)


def span(category: str, step: int = 0, **more: Any) -> Json:
    return {"category": category, "stepIndex": step, "promptIndex": 0, "status": "ok", **more}


def trace(*spans: Json, **more: Any) -> Json:
    """A trace of one turn."""
    turn = {
        "turnId": "t0",
        "promptIndex": 0,
        "startedAt": 1_788_000_001_000,
        "endedAt": 1_788_000_003_000,
        "finishReason": "stop",
        "modelId": "model-1",
        "spanCount": len(spans),
        "spans": list(spans),
        "usage": {"inputTokens": 100, "outputTokens": 20, "totalTokens": 120},
        **more,
    }
    return {"traceVersion": 1, "turnCount": 1, "sessionId": DOCUMENT, "turns": [turn]}


def page(*items: Any, cursor: str | None = None) -> Json:
    return {"items": list(items), **({"nextCursor": cursor} if cursor else {})}


def export(**more: Any) -> dict[str, Any]:
    """File names and bodies; None takes a file away, a name with `__` is a path."""
    files: dict[str, Any] = {
        "export.json": {"format": "mcpjam-export", "formatVersion": 1, "waveId": "wave-1"},
        "journeys.1.json": page(
            {
                "id": "goal-lend",
                "name": "Borrow a book",
                "goal": "Borrow book 7.",
                "personaId": "persona-rita",
                "sessionsPerTarget": 2,
                "maxTurns": 6,
                "swarmId": "swarm-1",
            }
        ),
        "personas.1.json": page(
            {"id": "persona-rita", "slug": "rita", "name": "Rita", "notes": "Patient."}
        ),
        "environments.1.json": page(
            {"id": "env-a", "hostId": "host-1", "name": "Staging", "revision": 3},
            {"id": "env-b", "hostId": "host-1", "name": "Other", "revision": 1},
        ),
        "swarm.json": {
            "id": "swarm-1",
            "name": "Desk swarm",
            "environmentIds": ["env-a"],
            "sessionsPerTarget": 2,
        },
        "runs/run-lend/run.json": goal_run(),
        "runs/run-lend/scorecard.json": {
            "runId": RUN,
            "criteria": [{"id": "lent", "label": "It was lent", "kind": "toolCalledAtLeastOnce"}],
            "sessionsTotal": 1,
            "sessionsGraded": 1,
        },
        "runs/run-lend/sessions.1.json": page(session_row()),
        f"sessions/{DOCUMENT}/detail.1.json": USUAL,
        f"sessions/{DOCUMENT}/trace.1.json": trace(
            span("step", 0, finishReason="tool-calls", messageStartIndex=0, messageEndIndex=2),
            span("llm", 0, inputTokens=80, outputTokens=15, totalTokens=95, responseId="r1"),
            span("tool", 0, toolCallId="c1", startMs=5, endMs=25.5, serverId="server-1"),
            span("step", 1, finishReason="stop", messageStartIndex=3, messageEndIndex=3),
        ),
    }
    names = {
        "run": "runs/run-lend/run.json",
        "scorecard": "runs/run-lend/scorecard.json",
        "sessions": "runs/run-lend/sessions.1.json",
        "detail": f"sessions/{DOCUMENT}/detail.1.json",
        "trace": f"sessions/{DOCUMENT}/trace.1.json",
    }
    for name, body in more.items():
        key = names.get(name, f"{name}.json".replace("__", "/"))
        if body is None:
            del files[key]
        else:
            files[key] = body
    return copy.deepcopy(files)


def save(folder: Path, **more: Any) -> Path:
    """Write an export into a folder."""
    for name, body in export(**more).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = body if isinstance(body, str) else json.dumps(body, indent=1)
        path.write_text(text, encoding="utf-8")
    return folder


RENAMED = {"journeyId": "goalId", "waveId": "swarmRunId", "sessionsPerTarget": "iterations"}


def renamed(value: Any) -> Any:
    """The same answer as the renamed paths give it."""
    if isinstance(value, list):
        return [renamed(one) for one in value]
    if isinstance(value, dict):
        return {RENAMED.get(key, key): renamed(one) for key, one in value.items()}
    return value
