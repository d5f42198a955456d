import json

import pytest
from builders import Json, assistant, call, result, user
from session_cases import (
    FAILED,
    absent,
    catalog_record,
    chain_record,
    check,
    context,
    criteria,
    ended,
    facts_of,
    finish,
    judged,
    outcome,
    planned,
)

from reporter.derive.facts_json import facts_line
from reporter.derive.session import derive_session
from reporter.models.facts import SessionFacts

KEYS = [
    "sessionId",
    "runId",
    "targetId",
    "sessionIndex",
    "persona",
    "goal",
    "attempt",
    "lifecycle",
    "messageCount",
    "hasTranscript",
    "started",
    "neverRan",
    "readState",
    "turns",
    "turnsUsed",
    "maxTurns",
    "endReason",
    "toolCalls",
    "finishReasons",
    "usage",
    "catalogComplete",
    "catalogTools",
    "connection",
    "verdict",
    "chain",
    "signals",
    "signalKey",
    "signalTurns",
    "friction",
    "disposition",
    "tone",
    "report",
    "notes",
    "frictionSignals",
    "models",
    "criteria",
]


def full() -> SessionFacts:
    return facts_of(
        user(),
        assistant(),
        catalog_record("return_book", "find_book"),
        call("c1"),
        result("c1", isError=True),
        call("c2", "fly"),
        call("c3", caller="persona"),
        finish("max_tokens", usage={"inputTokens": 7, "outputTokens": 2, "totalTokens": 9}),
        judged(passed=False),
        {"type": "self_report", "account": "I gave up.", "goalReached": "no"},
        ended("failed", endReason="error"),
        slot=planned({"status": "failed", "errorCode": "session_failed", "retryAfterMs": 5}),
        run={"maxTurns": 1},
        rubric=[check()],
    )


def read(facts: SessionFacts) -> Json:
    line = facts_line(facts)
    assert "\n" not in line
    whole: Json = json.loads(line)
    return whole


def test_a_full_session_to_the_key() -> None:
    whole = read(full())
    assert list(whole) == KEYS
    verdict, chain = whole.pop("verdict"), whole.pop("chain")
    assert whole == {
        "sessionId": "s1",
        "runId": "r1",
        "targetId": "t1",
        "sessionIndex": 0,
        "persona": {"personaRefId": None, "name": "Ana"},
        "goal": {"journeyRefId": "g1", "title": "Borrow a book"},
        "attempt": {"status": "failed", "errorCode": "session_failed", "retryAfterMs": 5},
        "lifecycle": "broke",
        "messageCount": 2,
        "hasTranscript": True,
        "started": True,
        "neverRan": False,
        "readState": "read",
        "turns": 1,
        "turnsUsed": 1,
        "maxTurns": 1,
        "endReason": "error",
        "toolCalls": [
            {
                "toolCallId": "c1",
                "toolName": "find_book",
                "turnIndex": 0,
                "caller": "assistant",
                "answeredBy": "server",
                "policyBlocked": False,
                "error": "isError",
            },
            {
                "toolCallId": "c2",
                "toolName": "fly",
                "turnIndex": 0,
                "caller": "assistant",
                "answeredBy": "server",
                "policyBlocked": False,
                "error": "noResult",
            },
            {
                "toolCallId": "c3",
                "toolName": "find_book",
                "turnIndex": 0,
                "caller": "persona",
                "answeredBy": "server",
                "policyBlocked": False,
                "error": "noResult",
            },
        ],
        "finishReasons": [{"turnIndex": 0, "stepNumber": 0, "reason": "length"}],
        "usage": {"inputTokens": 7, "outputTokens": 2, "totalTokens": 9},
        "catalogComplete": True,
        "catalogTools": ["find_book", "return_book"],
        "connection": "unknown",
        "signals": ["outputTruncated", "hallucinatedTool", "toolErrored", "turnCapReached"],
        "signalKey": "outputTruncated",
        "signalTurns": {
            "outputTruncated": 0,
            "hallucinatedTool": 0,
            "toolErrored": 0,
            "turnCapReached": 0,
        },
        "friction": [
            "stageFailed",
            "outputTruncated",
            "hallucinatedTool",
            "toolErrored",
            "turnCapReached",
            "executionInterrupted",
        ],
        "disposition": "notMeasured",
        "tone": "muted",
        "report": {"account": "I gave up.", "feeling": None, "goalReached": "no"},
        "notes": ["judgeNotRun"],
        "frictionSignals": {
            "version": 1,
            "state": "measured",
            "callCount": 2,
            "resultAvailableCount": 1,
            "timedCallCount": 0,
            "identifierSignals": {"state": "notMeasured", "reason": "resultsUnavailable"},
            "signals": [],
        },
        "models": [],
        "criteria": [{"criterionId": "check", "role": "required", "outcome": "missing"}],
    }
    assert verdict["reason"] == "gradingNotClaimed"
    assert verdict["trial"] == {"status": "failed"}
    assert list(chain) == [
        "analyzerVersion",
        "source",
        "stages",
        "firstFailedStage",
        "failureCategory",
    ]
    assert (chain["source"], chain["firstFailedStage"]) == ("derived", "response")
    assert [row["stage"] for row in chain["stages"]] == [
        "connection",
        "discovery",
        "selection",
        "call",
        "response",
        "userValue",
    ]


def test_a_session_that_never_started_to_the_key() -> None:
    whole = read(derive_session(context(planned(FAILED, recorded=False)), absent()))
    assert list(whole) == KEYS
    assert whole["chain"] is None
    assert whole["readState"] is None
    assert whole["disposition"] == "notRun"
    assert whole["neverRan"] is True
    assert (whole["usage"], whole["report"], whole["catalogTools"]) == (None, None, None)
    assert (whole["signals"], whole["signalKey"], whole["signalTurns"]) == ([], None, {})
    assert whole["notes"] == []


def test_an_attempt_that_nobody_recorded_is_null() -> None:
    assert read(facts_of(user(), slot=planned(None)))["attempt"] is None


def test_a_recorded_chain_has_no_category() -> None:
    states = ("passed", "passed", "passed", "passed", "failed", "notReached")
    chain = read(facts_of(user(), chain_record(*states)))["chain"]
    assert list(chain) == ["analyzerVersion", "source", "stages", "firstFailedStage"]
    assert chain["stages"][4] == {"stage": "response", "state": "failed"}


@pytest.mark.parametrize("text", ["ünïcode ☃", "a\ud800b", "\u2028", "\x00"])
def test_any_recorded_text_stays_on_one_line_of_utf8(text: str) -> None:
    facts = facts_of(user(), {"type": "self_report", "account": text})
    line = facts_line(facts)
    assert len(line.encode().splitlines()) == 1
    assert json.loads(line)["report"]["account"] == text


def test_equal_facts_give_equal_text() -> None:
    names = [f"tool{number}" for number in range(50)]
    lines = {facts_line(facts_of(user(), catalog_record(*order))) for order in (names, names[::-1])}
    assert len(lines) == 1


def test_words_that_need_no_escape_have_none() -> None:
    facts = facts_of(user(), criteria(outcome()), {"type": "self_report", "account": "é</x>"})
    assert '"account":"é</x>"' in facts_line(facts)
