import pytest
from chain_cases import EXPECTING, Json, check, derive, outcome, span, turn

from reporter.vocabulary import FailureCategory, Stage, StageReason, StageState

OK: Json = {"outcome": "ok"}
THEIRS: Json = {"outcome": "failed", "attribution": "theirs", "egressVerified": True}

PRODUCED: dict[StageReason, tuple[Stage, StageState, Json]] = {
    StageReason.NO_EVIDENCE_CAPTURED: (Stage.CALL, StageState.NOT_MEASURED, {}),
    StageReason.MATCH_VERDICT_UNAVAILABLE: (
        Stage.SELECTION,
        StageState.NOT_MEASURED,
        {"evidence": {"prompts": [{"unexpected": [1]}]}},
    ),
    StageReason.TRACE_ABSENT: (
        Stage.CALL,
        StageState.NOT_MEASURED,
        {"evidence": {"traceAbsent": True}},
    ),
    StageReason.EXECUTOR_EMITS_NO_SPANS: (
        Stage.CALL,
        StageState.NOT_MEASURED,
        {"evidence": {"traceLacksSpanChannel": True}},
    ),
    StageReason.BLOCKED_BY_POLICY: (
        Stage.CALL,
        StageState.NOT_MEASURED,
        {"policy": {"blocked": True}},
    ),
    StageReason.EVALUATOR_ERROR: (
        Stage.USER_VALUE,
        StageState.NOT_MEASURED,
        {"evidence": {"evaluatorErrored": True}},
    ),
    StageReason.PROVIDER_ERROR: (
        Stage.CALL,
        StageState.NOT_MEASURED,
        {"evidence": {"stepError": {"source": "model"}}},
    ),
    StageReason.SETUP_ABORTED: (
        Stage.CALL,
        StageState.NOT_MEASURED,
        {"evidence": {"traceAbsent": True}, "status": "setup_failed"},
    ),
    StageReason.CONNECT_FAILED: (
        Stage.CONNECTION,
        StageState.FAILED,
        {"evidence": {"setupSignals": {"connection": THEIRS}}},
    ),
    StageReason.TOOLS_LIST_FAILED: (
        Stage.DISCOVERY,
        StageState.FAILED,
        {"evidence": {"setupSignals": {"connection": OK, "discovery": THEIRS}}},
    ),
    StageReason.EGRESS_UNVERIFIED: (
        Stage.CONNECTION,
        StageState.NOT_MEASURED,
        {"evidence": {"setupSignals": {"connection": {"outcome": "failed"}}}},
    ),
    StageReason.LIFECYCLE_STOPPED: (
        Stage.CALL,
        StageState.NOT_MEASURED,
        {"status": "cancelled"},
    ),
    StageReason.NOT_AUTHORED: (
        Stage.CALL,
        StageState.NOT_APPLICABLE,
        {"authored": {"mode": "model_free"}},
    ),
    StageReason.EARLIER_STAGE_FAILED: (
        Stage.CALL,
        StageState.NOT_REACHED,
        {"evidence": {"prompts": [turn(missing=[1])]}},
    ),
    StageReason.MISSING_TOOL_CALL: (
        Stage.SELECTION,
        StageState.FAILED,
        {"evidence": {"prompts": [turn(missing=[1])]}},
    ),
    StageReason.UNEXPECTED_TOOL_CALL: (
        Stage.SELECTION,
        StageState.FAILED,
        {"evidence": {"prompts": [turn(unexpected=[1], passed=False)]}},
    ),
    StageReason.ARGUMENT_MISMATCH: (
        Stage.CALL,
        StageState.FAILED,
        {"evidence": {"prompts": [turn(argumentMismatches=[1])]}},
    ),
    StageReason.TOOL_ERROR: (
        Stage.RESPONSE,
        StageState.FAILED,
        {"evidence": {"spans": [span(status="error")]}},
    ),
    StageReason.PROTOCOL_ERROR: (
        Stage.CALL,
        StageState.FAILED,
        {"evidence": {"spans": [span(mcpErrorCode=-32603)]}},
    ),
    StageReason.RENDER_FAILED: (
        Stage.RESPONSE,
        StageState.FAILED,
        {
            "evidence": {"renderObservations": [{"status": "error"}]},
            "authored": {**EXPECTING, "expectsWidgetRender": True},
        },
    ),
    StageReason.PREDICATE_FAILED: (
        Stage.USER_VALUE,
        StageState.FAILED,
        {"evidence": {"predicateResults": [check(passed=False)]}},
    ),
    StageReason.OBSERVED: (
        Stage.CALL,
        StageState.PASSED,
        {"evidence": {"spans": [span()]}},
    ),
    StageReason.IMPLIED_BY_LATER_EVIDENCE: (
        Stage.CONNECTION,
        StageState.PASSED,
        {"evidence": {"spans": [span()]}},
    ),
    StageReason.JUDGE_OBSERVED: (
        Stage.USER_VALUE,
        StageState.PASSED,
        {"evidence": {"judgeEvidence": {"status": "scored", "verdict": "pass"}}},
    ),
    StageReason.JUDGE_PARTIAL: (
        Stage.USER_VALUE,
        StageState.FAILED,
        {"evidence": {"judgeEvidence": {"status": "scored", "verdict": "partial"}}},
    ),
    StageReason.JUDGE_FAILED: (
        Stage.USER_VALUE,
        StageState.FAILED,
        {"evidence": {"judgeEvidence": {"status": "scored", "verdict": "fail"}}},
    ),
    StageReason.JUDGE_PENDING: (
        Stage.USER_VALUE,
        StageState.NOT_MEASURED,
        {"evidence": {"judgeEvidence": {"status": "pending"}}},
    ),
    StageReason.JUDGE_NOT_REQUESTED: (
        Stage.USER_VALUE,
        StageState.NOT_MEASURED,
        {"evidence": {"judgeEvidence": {"status": "pending", "pendingKind": "not_requested"}}},
    ),
}

NEVER_PRODUCED = {
    StageReason.NO_SPAN_CHANNEL: "analyzers from version 2 on say executorEmitsNoSpans instead;"
    " it is still read from older chains",
}


@pytest.mark.parametrize("reason", PRODUCED, ids=str)
def test_a_reason_is_produced(reason: StageReason) -> None:
    stage, state, arguments = PRODUCED[reason]
    found, why, _ = outcome(derive(**{"evidence": {}, **arguments}), stage)
    assert (found, why) == (state, reason)


def test_every_reason_is_produced_or_said_never_to_be() -> None:
    assert len(StageReason) == 29
    assert set(PRODUCED) | set(NEVER_PRODUCED) == set(StageReason)
    assert not set(PRODUCED) & set(NEVER_PRODUCED)


def test_every_state_is_produced() -> None:
    assert {state for _, state, _ in PRODUCED.values()} == set(StageState)


def test_every_category_is_produced() -> None:
    blame = {"status": "scored", "attributed": True, "reasons": ["why"]}
    cases: list[Json] = [arguments for _, _, arguments in PRODUCED.values()]
    cases.append({"evidence": {"prompts": [turn(missing=[1])], "metadataAttribution": blame}})
    found = {derive(**{"evidence": {}, **case}).failure_category for case in cases}
    assert found == {None, *FailureCategory}
