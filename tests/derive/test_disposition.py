from typing import Any

import pytest
from builders import Json, assistant, call, result, user
from session_cases import (
    FAILED,
    PENDING,
    RUNNING,
    answered,
    chain_record,
    check,
    criteria,
    facts_of,
    judged,
    outcome,
    planned,
    refusal,
)

from reporter.models.facts import SessionFacts
from reporter.vocabulary import Disposition, Stage

MISSED = judged(passed=False)
MET = judged(passed=True)
CODE: Json = {"mcpErrorCode": -32602}
FLAG: Json = {"isError": True}


def failed(call_id: str, tool: str = "find", **mark: Any) -> list[Json]:
    return [call(call_id, tool), result(call_id, **mark)]


def clean(call_id: str, tool: str = "find") -> list[Json]:
    return failed(call_id, tool)


def session(*raw: Json, rubric: list[Json] | None = None, **more: Any) -> SessionFacts:
    return facts_of(user(), assistant(), *raw, rubric=rubric, **more)


def recorded(failing: str, reason: str | None = None) -> Json:
    """A recorded chain that fails at one stage."""
    stages = ("connection", "discovery", "selection", "call", "response", "userValue")
    rows: list[str | tuple[str, str]] = []
    for stage in stages:
        if stage == failing:
            rows.append("failed" if reason is None else ("failed", reason))
        else:
            rows.append("passed")
    return chain_record(*rows)


REFUSED = refusal(egressVerified=True)

TABLE: list[tuple[str, list[Json], Json, Disposition]] = [
    ("D1 never started", [], {"slot": planned(FAILED), "bare": True}, Disposition.NOT_RUN),
    ("D2 refused", [REFUSED], {}, Disposition.BLOCKED_CONNECTING),
    ("D2 before a verdict", [REFUSED, MET], {}, Disposition.BLOCKED_CONNECTING),
    ("D2 refused without a message", [REFUSED], {"bare": True}, Disposition.BLOCKED_CONNECTING),
    (
        "D2 by the reason of a recorded chain",
        [recorded("connection", "connectFailed")],
        {},
        Disposition.BLOCKED_CONNECTING,
    ),
    (
        "D2 by a record beside a recorded chain without a reason",
        [refusal(), recorded("connection")],
        {},
        Disposition.BLOCKED_CONNECTING,
    ),
    (
        "D2 needs evidence against the server",
        [recorded("connection"), MISSED],
        {},
        Disposition.GOAL_MISSED,
    ),
    (
        "D2 needs a failed stage",
        [refusal(), *clean("c1"), MISSED],
        {},
        Disposition.GOAL_MISSED,
    ),
    (
        "D3 at discovery",
        [answered(), refusal("tools_list"), MISSED],
        {},
        Disposition.LOST_FINDING_TOOL,
    ),
    (
        "D3 at selection",
        [criteria(outcome(passed=False))],
        {"rubric": [check(kind="toolCalledAtLeastOnce")]},
        Disposition.LOST_FINDING_TOOL,
    ),
    ("D4", [*failed("c1", **CODE), MISSED], {}, Disposition.BLOCKED_CALLING_TOOL),
    ("D5", [*failed("c1", **FLAG), MISSED], {}, Disposition.BLOCKED_BY_RESPONSE),
    (
        "D5 behind a call failure that does not stand",
        [*failed("c1", **CODE), *clean("c2"), *failed("c3", "pay", **FLAG), MISSED],
        {},
        Disposition.BLOCKED_BY_RESPONSE,
    ),
    (
        "D4 before D5 when both stand",
        [*failed("c1", **CODE), *failed("c3", "pay", **FLAG), MISSED],
        {},
        Disposition.BLOCKED_CALLING_TOOL,
    ),
    ("D6 no stage failed but the last", [MISSED], {}, Disposition.GOAL_MISSED),
    (
        "D6 chain unmeasured",
        [MISSED],
        {"slot": planned({"status": "succeeded"}, message_count=3), "bare": True},
        Disposition.GOAL_MISSED,
    ),
    ("D7", [*failed("c1", **FLAG), MET], {}, Disposition.GOAL_MET_WITH_FRICTION),
    ("D7 broke off", [MET], {"slot": planned(FAILED)}, Disposition.GOAL_MET_WITH_FRICTION),
    ("D8", [*clean("c1"), MET], {}, Disposition.GOAL_MET),
    ("D8 without any tool call", [MET], {}, Disposition.GOAL_MET),
    ("D9 nobody graded", [*failed("c1", **FLAG)], {}, Disposition.NOT_MEASURED),
    ("D9 inconclusive", [{"type": "goal_judge", "status": "failed"}], {}, Disposition.NOT_MEASURED),
    ("D9 running", [MET], {"slot": planned(RUNNING)}, Disposition.NOT_MEASURED),
    ("D9 pending", [MET], {"slot": planned(PENDING)}, Disposition.NOT_MEASURED),
]


def derived(raw: list[Json], more: Json) -> SessionFacts:
    rest = {key: value for key, value in more.items() if key != "bare"}
    return facts_of(*raw, **rest) if more.get("bare") else session(*raw, **rest)


@pytest.mark.parametrize(
    ("raw", "more", "expected"), [case[1:] for case in TABLE], ids=[case[0] for case in TABLE]
)
def test_first_condition_that_holds_words_the_session(
    raw: list[Json], more: Json, expected: Disposition
) -> None:
    assert derived(raw, more).disposition is expected


def test_every_disposition_is_reached() -> None:
    assert {case[3] for case in TABLE} == set(Disposition)


# What the session did, the failing stage, and whether its failure stands.
STANDING: list[tuple[str, list[Json], list[Json], Stage, bool]] = [
    ("one error", [*failed("c1", **FLAG)], [], Stage.RESPONSE, True),
    ("one code", [*failed("c1", **CODE)], [], Stage.CALL, True),
    ("recovered", [*failed("c1", **FLAG), *clean("c2")], [], Stage.RESPONSE, False),
    ("a code recovered", [*failed("c1", **CODE), *clean("c2")], [], Stage.CALL, False),
    (
        "one of two recovered",
        [*failed("c1", **FLAG), *clean("c2"), *failed("c3", **FLAG)],
        [],
        Stage.RESPONSE,
        True,
    ),
    (
        "one of two tools recovered",
        [*failed("c1", **FLAG), *failed("c2", "pay", **FLAG), *clean("c3")],
        [],
        Stage.RESPONSE,
        True,
    ),
    (
        "two errors, both recovered by one later call",
        [*failed("c1", **FLAG), *failed("c2", **FLAG), *clean("c3")],
        [],
        Stage.RESPONSE,
        False,
    ),
    (
        "recovered by another tool",
        [*failed("c1", **FLAG), *clean("c2", "look")],
        [],
        Stage.RESPONSE,
        True,
    ),
    (
        "success before the error",
        [*clean("c1"), *failed("c2", **FLAG)],
        [],
        Stage.RESPONSE,
        True,
    ),
    (
        "later is by call order and not by the order of results",
        [call("c1", "find"), call("c2", "find"), result("c2"), result("c1", **FLAG)],
        [],
        Stage.RESPONSE,
        False,
    ),
    (
        "a retry without a result",
        [*failed("c1", **FLAG), call("c2", "find")],
        [],
        Stage.RESPONSE,
        True,
    ),
    (
        "a retry that a policy blocked",
        [*failed("c1", **FLAG), call("c2", "find"), result("c2", policyBlocked=True)],
        [],
        Stage.RESPONSE,
        True,
    ),
    (
        "a retry that the client answered",
        [*failed("c1", **FLAG), call("c2", "find"), result("c2", answeredBy="client")],
        [],
        Stage.RESPONSE,
        True,
    ),
    (
        "a retry of the persona",
        [*failed("c1", **FLAG), call("c2", "find", caller="persona"), result("c2")],
        [],
        Stage.RESPONSE,
        True,
    ),
    (
        "a failed check beside a recovered error",
        [*failed("c1", **FLAG), *clean("c2"), criteria(outcome(passed=False))],
        [check(kind="noToolErrors")],
        Stage.RESPONSE,
        True,
    ),
    (
        "a failed check of another stage beside a recovered error",
        [*failed("c1", **FLAG), *clean("c2"), criteria(outcome(passed=False))],
        [check(kind="responseContains")],
        Stage.RESPONSE,
        False,
    ),
    (
        "a failed advisory check beside a recovered error",
        [*failed("c1", **FLAG), *clean("c2"), criteria(outcome(passed=False))],
        [check(role="advisory", kind="noToolErrors")],
        Stage.RESPONSE,
        False,
    ),
    (
        "a check that failed alone",
        [*clean("c1"), criteria(outcome(passed=False))],
        [check(kind="toolLatencyUnder")],
        Stage.RESPONSE,
        True,
    ),
    (
        "arguments that failed a check beside a recovered code",
        [*failed("c1", **CODE), *clean("c2"), criteria(outcome(passed=False))],
        [check(kind="argumentsMatchToolSchema")],
        Stage.CALL,
        True,
    ),
    (
        "a recorded chain without calls",
        [recorded("response", "toolError")],
        [],
        Stage.RESPONSE,
        True,
    ),
    (
        "a recorded chain of no reason and a recovered error",
        [*failed("c1", **FLAG), *clean("c2"), recorded("response")],
        [],
        Stage.RESPONSE,
        False,
    ),
    (
        "a recorded chain of another reason and a recovered error",
        [*failed("c1", **FLAG), *clean("c2"), recorded("response", "renderFailed")],
        [],
        Stage.RESPONSE,
        True,
    ),
    (
        "a recorded call failure beside errors of the response only",
        [*failed("c1", **FLAG), *clean("c2"), recorded("call", "protocolError")],
        [],
        Stage.CALL,
        True,
    ),
    ("a stage that did not fail", [*clean("c1")], [], Stage.RESPONSE, False),
]


@pytest.mark.parametrize(
    ("raw", "rubric", "stage", "stands"),
    [case[1:] for case in STANDING],
    ids=[case[0] for case in STANDING],
)
def test_when_a_failure_stands(
    raw: list[Json], rubric: list[Json], stage: Stage, stands: bool
) -> None:
    facts = session(*raw, MISSED, rubric=rubric)
    held = {
        Stage.CALL: facts.call_failure_stands,
        Stage.RESPONSE: facts.response_failure_stands,
    }
    assert held[stage] is stands


def test_a_recovered_protocol_error_beside_a_standing_tool_error() -> None:
    raw = [*failed("c1", **CODE), *clean("c2"), *failed("c3", "pay", **FLAG), MISSED]
    facts = session(*raw)
    assert facts.chain is not None
    assert facts.chain.first_failed_stage is Stage.CALL
    assert (facts.call_failure_stands, facts.response_failure_stands) == (False, True)
    assert facts.disposition is Disposition.BLOCKED_BY_RESPONSE


def test_a_failure_that_does_not_stand_changes_only_the_word() -> None:
    facts = session(*failed("c1", **FLAG), *clean("c2"), MISSED)
    assert facts.disposition is Disposition.GOAL_MISSED
    assert facts.chain is not None
    assert facts.chain.first_failed_stage is Stage.RESPONSE
    assert [match.signal for match in facts.signals] == ["toolErrored"]
    assert facts.friction == ("stageFailed", "toolErrored")
