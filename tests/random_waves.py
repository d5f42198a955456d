"""Waves of every kind from a number: much that is usual, and a little of all that is odd."""

import json
from random import Random
from typing import Any

from builders import Json, goal, manifest, persona, run, target

TOOLS = ("find_book", "find_book", "lib__find_book", "shell", "lib__shell", "fly")
SHELF = [{"name": "find_book"}, {"name": "return_book", "visibility": ["app"]}]
KINDS = (
    None,
    "toolCalledAtLeastOnce",
    "onlyToolsCalled",
    "argumentsMatchToolSchema",
    "noToolErrors",
    "responseContains",
    "toolCalledWith",
    "toolNamesUnique",
    "somethingNew",
)
BROKEN = b'{"type": "message", "seq": 7, "sessionId": "%s", "cont\n'


class Dice:
    """Chances and choices, all from one number."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311  chances, not secrets

    def chance(self, percent: int) -> bool:
        """True so often."""
        return self._random.randrange(100) < percent

    def pick(self, *choices: Any) -> Any:
        """One of them."""
        return self._random.choice(choices)

    def upto(self, most: int) -> int:
        """A whole number from zero on."""
        return self._random.randint(0, most)

    def some(self, *items: Any) -> list[Any]:
        """A few of them, in any order."""
        return self._random.sample(items, self.upto(len(items)))

    def shuffled(self, items: list[Any]) -> list[Any]:
        """All of them, in any order."""
        return self._random.sample(items, len(items))


def said(**fields: Any) -> Json:
    """An object without what is None."""
    return {key: value for key, value in fields.items() if value is not None}


def random_wave(seed: int) -> tuple[Json, dict[str, bytes]]:
    """A manifest and its session files by name of the file."""
    dice = Dice(seed)
    runs = [_run(dice, name) for name in ("r1", "r2")]
    planned = [
        (one["runId"], target_id, index)
        for one in runs
        for target_id in one["targetIds"]
        for index in range(one["sessionsPerTarget"])
        if dice.chance(90)
    ]
    slots = [_slot(dice, number, *place) for number, place in enumerate(dice.shuffled(planned))]
    whole = manifest(
        personas=[persona()],
        goals=[goal()],
        targets=[
            target(
                "t1",
                catalogId="lib",
                serverIds=["a", "b"],
                serverNames=["A", "B"],
                builtInToolIds=["shell"],
            ),
            target("t2", toolNamePrefix="lib__", serverNames=["B"]),
        ],
        runs=runs,
        slots=slots,
        terminal=False,
        catalogs=[{"catalogId": "lib", "tools": SHELF, "complete": dice.chance(70)}],
    )
    if dice.chance(50):
        whole["policy"] = {"judge": _policy(dice)}
    files = {}
    for slot in slots:
        name = slot["sessionId"]
        if "documentId" in slot and dice.chance(50):
            name = slot["documentId"]
        if dice.chance(88) and "/" not in name:
            files[name.replace(":", "%3A")] = session_bytes(dice, name)
    return whole, files


def _run(dice: Dice, name: str) -> Json:
    rubric = [
        {
            "id": one,
            "role": dice.pick("required", "required", "advisory", None),
            "predicate": said(type=dice.pick(*KINDS)),
        }
        for one in dice.some("a", "b", "c")
    ]
    return run(
        name,
        target_ids=dice.pick(["t1"], ["t1", "t2"], ["t2", "unheard-of"]),
        sessionsPerTarget=1 + dice.upto(1),
        maxTurns=dice.pick(None, 2, 3, 9),
        rubric=rubric,
        judge=_policy(dice) if dice.chance(30) else None,
    )


def _policy(dice: Dice) -> Json:
    return said(
        automatic=dice.chance(50),
        role=dice.pick("advisory", "required"),
        requested=dice.pick(None, True, False),
    )


def _slot(dice: Dice, number: int, run_id: str, target_id: str, index: int) -> Json:
    odd = dice.pick("no/good", "s0", "s:1") if dice.chance(4) else None
    slot = said(
        sessionId=odd or f"s{number}",
        runId="unheard-of" if dice.chance(3) else run_id,
        targetId=target_id,
        sessionIndex=dice.upto(2) if dice.chance(6) else index,
        recorded=dice.chance(85),
        messageCount=dice.pick(None, None, None, 0, 2),
        documentId=f"doc-{number}" if dice.chance(15) else None,
    )
    status = dice.pick(*["succeeded"] * 9, "failed", "failed", "rate_limited", "running", "pending")
    code = dice.pick(*[None] * 9, "canceled", "spend_cap_exceeded", "boom")
    slot["attempt"] = None if dice.chance(7) else said(status=status, errorCode=code)
    return slot


def session_bytes(dice: Dice, name: str) -> bytes:
    """A session's file, now and then with a line that breaks off."""
    records = _session(dice)
    if dice.chance(12):
        records = dice.shuffled(records)
    lines = []
    index = 0
    for seq, record in enumerate(records):
        whole = {"seq": seq, "at": None, **record}
        if whole["type"] == "message":
            whole["index"] = index
            index += 1
        lines.append(json.dumps(whole).encode() + b"\n")
    if dice.chance(10):
        lines.insert(dice.upto(len(lines)), BROKEN % name.encode())
    return b"".join(lines)


def _session(dice: Dice) -> list[Json]:
    before = [_connection(dice) for _ in range(dice.upto(3))] if dice.chance(45) else []
    before += [_catalog(dice) for _ in range(dice.upto(2))]
    talk = [] if dice.chance(12) else _talk(dice)
    return [*before, *talk, *_grades(dice)]


def _talk(dice: Dice) -> list[Json]:
    found: list[Json] = []
    if dice.chance(20):
        found.append(_message(dice, "system", 0))
    for turn in range(1 + dice.upto(2)):
        found.append(_message(dice, "user", turn))
        for number in range(dice.upto(3)):
            found += _call(dice, f"c{turn}{number}", turn)
        if dice.chance(60):
            found.append(_step(dice, turn))
        if dice.chance(85):
            found.append(_message(dice, "assistant", turn))
    return found


def _message(dice: Dice, role: str, turn: int, **more: Any) -> Json:
    content: Any = dice.pick("Find me a book.", "", [{"kind": "text", "text": "Here."}])
    return {
        "type": "message",
        "turnIndex": turn,
        "role": role,
        "author": "client",
        "content": content,
        **more,
    }


def _call(dice: Dice, name: str, turn: int) -> list[Json]:
    """A call as a part, as a record or both, and its result likewise, or none."""
    found: list[Json] = []
    tool = dice.pick(*TOOLS)
    as_part, as_record = dice.pick((True, False), (False, True), (True, True))
    if as_part:
        part = {"kind": "tool_call", "toolCallId": name, "toolName": tool, "args": {}}
        role = dice.pick("assistant", "assistant", "assistant", "tool", "user")
        found.append(_message(dice, role, turn, content=[part]))
    if as_record:
        record = said(
            type="tool_call",
            turnIndex=turn + dice.pick(0, 0, 0, 1),
            toolCallId=name,
            toolName=dice.pick(tool, tool, "fly"),
            args={},
            caller=dice.pick(None, None, None, "assistant", "persona"),
        )
        found += [record] * dice.pick(1, 1, 1, 2)
    if dice.chance(85):
        found.append(_result(dice, name))
    if dice.chance(15):
        part = said(
            kind="tool_result",
            toolCallId=name,
            result="ok",
            isError=dice.pick(None, None, True, False),
        )
        found.append(_message(dice, dice.pick("tool", "user"), turn, content=[part]))
    if dice.chance(15):
        found.append(_message(dice, "tool", turn, toolCallId=name))
    return dice.shuffled(found) if dice.chance(10) else found


def _result(dice: Dice, name: str) -> Json:
    return said(
        type="tool_result",
        toolCallId=name if dice.chance(97) else "nobody",
        result="ok",
        isError=dice.pick(None, None, False, True),
        mcpErrorCode=dice.pick(*[None] * 6, -32602, -32001),
        error=dice.pick(*[None] * 6, "", "boom"),
        policyBlocked=dice.pick(*[None] * 8, True, False),
        answeredBy=dice.pick(*[None] * 8, "server", "client"),
    )


def _step(dice: Dice, turn: int) -> Json:
    usage = said(
        inputTokens=dice.pick(1, 1, 1, None), outputTokens=2, totalTokens=dice.pick(3, None)
    )
    return said(
        type="step_finish",
        turnIndex=turn,
        stepNumber=0,
        finishReason=dice.pick(None, "stop", "stop", " Max_Tokens", "length", "tool_use", " "),
        usage=dice.pick(usage, usage, None),
    )


def _connection(dice: Dice) -> Json:
    return said(
        type="connection",
        phase=dice.pick("connect", "initialize", "tools_list", "resources_list"),
        outcome=dice.pick("ok", "failed", "failed", "skipped"),
        attributable=dice.pick("server", "server", "client", "network", "unknown"),
        egressVerified=dice.pick(None, True, False),
        serverId=dice.pick(None, "a", "b"),
        serverName=dice.pick(None, None, "B"),
    )


def _catalog(dice: Dice) -> Json:
    return dict(
        dice.pick(
            {"type": "catalog", "tools": SHELF, "complete": True},
            {"type": "catalog", "tools": SHELF, "complete": True, "view": "model"},
            {"type": "catalog", "tools": [], "complete": True},
            {"type": "catalog", "tools": [{"name": "fly"}], "complete": False},
            {"type": "catalog", "catalogId": "lib", "complete": True, "view": "raw"},
            {"type": "catalog", "catalogId": "unheard-of", "complete": True},
            {"type": "catalog", "catalogId": "lib"},
        )
    )


def _grades(dice: Dice) -> list[Json]:
    found: list[Json] = []
    found += [_judge(dice) for _ in range(dice.pick(0, 1, 1, 2))]
    found += [_criteria(dice) for _ in range(dice.pick(0, 1, 1, 1, 2))]
    if dice.chance(60):
        state = dice.pick("settled", "settled", "queued", "running", "unavailable", "notRequested")
        found.append({"type": "grading", "state": state})
    if dice.chance(15):
        found.append(_chain(dice))
    if dice.chance(20):
        found.append(
            said(
                type="readiness",
                status="completed",
                advertisedToolsKnown=dice.pick(None, True, False),
                advertisedToolCount=dice.pick(None, 0, 4),
            )
        )
    if dice.chance(20):
        found.append({"type": dice.pick("unheard_of", "another")})
    if dice.chance(50):
        found.append(
            said(
                type="session_complete",
                status=dice.pick("succeeded", "succeeded", "failed", "rate_limited"),
                errorCode=dice.pick(*[None] * 4, "canceled"),
            )
        )
    return found


def _judge(dice: Dice) -> Json:
    return said(
        type="goal_judge",
        status=dice.pick(*["completed"] * 5, "running", "failed"),
        passed=dice.pick(None, True, True, False),
        score=dice.pick(None, 0.5, 0.9),
        threshold=dice.pick(None, 0.5, 0.7),
    )


def _criteria(dice: Dice) -> Json:
    return said(
        type="criteria",
        status=dice.pick(*["completed"] * 6, "pending", "failed"),
        results=[_outcome(dice, name) for name in _names(dice)],
        criterionIds=dice.pick(None, None, ["a", "b", "c"], dice.some("a", "b", "c", "z")),
    )


def _names(dice: Dice) -> list[str]:
    usual = ["a", "b", "c"]
    return usual if dice.chance(70) else [*dice.some(*usual), *dice.some("z", "a", "b")]


def _outcome(dice: Dice, name: str) -> Json:
    return said(
        criterionId=name,
        passed=dice.chance(75),
        status=dice.pick(*[None] * 8, "scored", "error"),
        notApplicable={"class": "none", "reason": "no call"} if dice.chance(8) else None,
    )


def _chain(dice: Dice) -> Json:
    rows: list[Json] = []
    for stage in ("connection", "discovery", "selection", "call", "response", "userValue"):
        state = dice.pick("passed", "passed", "passed", "failed", "notMeasured", "notReached")
        reason = dice.pick(None, None, "toolError", "protocolError", "observed", "connectFailed")
        rows.append(said(stage=stage, state=state, reason=reason))
    version = dice.pick(11, 11, 11, 11, 3, 0, 12, -1, True, "11")
    if dice.chance(8):
        rows = dice.shuffled(rows)
    return {"type": "chain", "analyzerVersion": version, "stages": rows}
