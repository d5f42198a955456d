import pytest
from chain_cases import EXPECTING, Json, check, derive, outcome, span, turn

from reporter.vocabulary import Stage

UNEQUAL = [{"path": "isbn"}]
CODED = span("coded", mcpErrorCode=-32603)
LOCAL = span("local", mcpErrorCode=-32001, status="ok")
DOMAIN = span("domain", status="error")
NEGATIVE: Json = {**EXPECTING, "isNegativeTest": True}
RENDERING: Json = {**EXPECTING, "expectsWidgetRender": True}
SCHEMA = "argumentsMatchToolSchema"

CALL = [
    # line 1
    (
        {
            "prompts": [turn(0, argumentMismatches=UNEQUAL), turn(1)],
            "spans": [CODED],
            "predicateResults": [check(SCHEMA, passed=False, reason="why")],
        },
        "failed",
        "argumentMismatch",
        {"promptIndexes": [0]},
    ),
    # line 2
    (
        {"spans": [CODED], "predicateResults": [check(SCHEMA, passed=False, reason="why")]},
        "failed",
        "argumentMismatch",
        {"predicateReasons": ["why"]},
    ),
    (
        {"predicateResults": [check("toolInputMatches", passed=False, reason="  ")]},
        "failed",
        "argumentMismatch",
        None,
    ),
    # line 3
    ({"spans": [span(), CODED, LOCAL]}, "failed", "protocolError", {"spanIds": ["coded", "local"]}),
    (
        {"spans": [span()], "toolErrors": [{"kind": "protocol-error"}]},
        "failed",
        "protocolError",
        {"spanIds": []},
    ),
    ({"spans": [span(None, mcpErrorCode=0)]}, "failed", "protocolError", {"spanIds": []}),
    # line 4
    ({"spans": [span(), DOMAIN]}, "passed", "observed", {"spanIds": ["s1", "domain"]}),
    ({"spans": [span(mcpErrorCode=True)]}, "passed", "observed", {"spanIds": ["s1"]}),
    ({"spans": [span(mcpErrorCode="-32603")]}, "passed", "observed", {"spanIds": ["s1"]}),
    (
        {"spans": [span()], "toolErrors": [{"kind": "content-error"}, {"kind": "tool_error"}]},
        "passed",
        "observed",
        {"spanIds": ["s1"]},
    ),
    # line 6: line 5 has a test of its own
    ({"predicateResults": [check(SCHEMA)], "traceAbsent": True}, "passed", "observed", None),
    # line 7
    ({"traceAbsent": True, "traceLacksSpanChannel": True}, "notMeasured", "traceAbsent", None),
    # line 8
    ({"traceLacksSpanChannel": True}, "notMeasured", "executorEmitsNoSpans", None),
    # line 9
    ({}, "notMeasured", "noEvidenceCaptured", None),
    ({"prompts": [turn()]}, "notMeasured", "noEvidenceCaptured", None),
    (
        {"spans": [span(category="error", mcpErrorCode=-32603)]},
        "notMeasured",
        "noEvidenceCaptured",
        None,
    ),
]

RESPONSE = [
    # line 1
    (
        {
            "spans": [span(), DOMAIN],
            "predicateResults": [check("noToolErrors", passed=False, reason="why")],
        },
        "failed",
        "toolError",
        {"spanIds": ["domain"]},
    ),
    (
        {"spans": [span()], "toolErrors": [{"kind": "content-error"}]},
        "failed",
        "toolError",
        {"spanIds": []},
    ),
    # line 2
    (
        {
            "spans": [span()],
            "predicateResults": [check("noToolErrors", passed=False, reason="why")],
        },
        "failed",
        "predicateFailed",
        {"predicateReasons": ["why"]},
    ),
    # line 6: lines 3 to 5 have a table of their own
    ({"spans": [span("a"), span("b", status=None)]}, "passed", "observed", {"spanIds": ["a", "b"]}),
    (
        {"spans": [span()], "toolErrors": [{"kind": "protocol-error"}]},
        "passed",
        "observed",
        {"spanIds": ["s1"]},
    ),
    # line 7
    (
        {"predicateResults": [check("toolResultContains")], "traceAbsent": True},
        "passed",
        "observed",
        None,
    ),
    # line 8
    ({"traceAbsent": True, "traceLacksSpanChannel": True}, "notMeasured", "traceAbsent", None),
    # line 9
    ({"traceLacksSpanChannel": True}, "notMeasured", "executorEmitsNoSpans", None),
    # line 10
    ({}, "notMeasured", "noEvidenceCaptured", None),
    ({"renderObservations": [{"status": "error"}]}, "notMeasured", "noEvidenceCaptured", None),
]

RENDER = [
    # line 3
    ({"spans": [span()]}, "notMeasured", "noEvidenceCaptured", None),
    ({"traceAbsent": True}, "notMeasured", "noEvidenceCaptured", None),
    # line 4
    (
        {"renderObservations": [{"status": "rendered"}, {"status": "timeout"}]},
        "failed",
        "renderFailed",
        None,
    ),
    ({"renderObservations": [{}]}, "failed", "renderFailed", None),
    # line 5
    (
        {"renderObservations": [{"status": "rendered"}], "spans": [span()]},
        "passed",
        "observed",
        None,
    ),
    # lines 1 and 2 come first
    (
        {"renderObservations": [{"status": "rendered"}], "spans": [DOMAIN]},
        "failed",
        "toolError",
        {"spanIds": ["domain"]},
    ),
    (
        {
            "renderObservations": [{"status": "rendered"}],
            "predicateResults": [check("toolLatencyUnder", passed=False, reason="slow")],
        },
        "failed",
        "predicateFailed",
        {"predicateReasons": ["slow"]},
    ),
]


@pytest.mark.parametrize(("evidence", "state", "reason", "shown"), CALL)
def test_call_follows_its_table(
    evidence: Json, state: str, reason: str, shown: Json | None
) -> None:
    assert outcome(derive(evidence), Stage.CALL) == (state, reason, shown)


@pytest.mark.parametrize(
    ("evidence", "state", "reason", "shown"),
    [
        (
            {"prompts": [turn(0), turn(1), turn(None)], "predicateResults": [check(SCHEMA)]},
            "passed",
            "observed",
            {"promptIndexes": [0, 1]},
        ),
        ({"prompts": [turn()], "spans": [span()]}, "passed", "observed", {"spanIds": ["s1"]}),
        ({}, "notMeasured", "noEvidenceCaptured", None),
    ],
)
def test_a_case_that_forbids_calls_passes_the_call_stage_by_its_turns(
    evidence: Json, state: str, reason: str, shown: Json | None
) -> None:
    assert outcome(derive(evidence, NEGATIVE), Stage.CALL) == (state, reason, shown)


@pytest.mark.parametrize(("evidence", "state", "reason", "shown"), RESPONSE)
def test_response_follows_its_table(
    evidence: Json, state: str, reason: str, shown: Json | None
) -> None:
    assert outcome(derive(evidence), Stage.RESPONSE) == (state, reason, shown)


@pytest.mark.parametrize(("evidence", "state", "reason", "shown"), RENDER)
def test_response_of_a_widget_case_follows_its_table(
    evidence: Json, state: str, reason: str, shown: Json | None
) -> None:
    assert outcome(derive(evidence, RENDERING), Stage.RESPONSE) == (state, reason, shown)


def test_a_call_that_gave_no_result_is_no_tool_error() -> None:
    chain = derive({"spans": [span(status="error", mcpErrorCode=-32603)]})
    assert outcome(chain, Stage.CALL)[1] == "protocolError"
    assert outcome(chain, Stage.RESPONSE) == ("notReached", "earlierStageFailed", None)
