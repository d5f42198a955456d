from dataclasses import dataclass, field
from typing import Any

import pytest
from chain_cases import CHAT, EXPECTING, Json, check, derive, outcome, span, turn

from reporter.vocabulary import Stage

BASE: Json = {
    "setupSignals": {"connection": {"outcome": "ok"}, "discovery": {"outcome": "ok"}},
    "spans": [span("s1")],
    "prompts": [turn(0)],
}

Row = tuple[str, str, Json | None]


def row(state: str, reason: str, **evidence: Any) -> Row:
    return state, reason, evidence or None


UNREACHED = row("notReached", "earlierStageFailed")
INAPPLICABLE = row("notApplicable", "notAuthored")
UNCOUNTED: Json = {"mode": "model_driven", "assertionCount": 0}
ASSERTING: Json = {"mode": "model_driven", "assertionCount": 1}

BASE_ROWS: dict[str, Row] = {
    "connection": row("passed", "observed"),
    "discovery": row("passed", "observed"),
    "selection": row("passed", "observed"),
    "call": row("passed", "observed", spanIds=["s1"]),
    "response": row("passed", "observed", spanIds=["s1"]),
    "userValue": row("notMeasured", "noEvidenceCaptured"),
}


@dataclass
class Example:
    """One line of the table: what changes in the input, what changes in the rows."""

    name: str
    evidence: Json = field(default_factory=dict)
    """Keys that replace the base's; None takes a key away."""
    authored: Json = field(default_factory=lambda: EXPECTING)
    status: str = "completed"
    rows: dict[str, Row] = field(default_factory=dict)
    first_failed: str | None = None
    category: str | None = None


def all_rows(one: Row) -> dict[str, Row]:
    return {stage.value: one for stage in Stage}


def rows(*stages: str, each: Row) -> dict[str, Row]:
    return dict.fromkeys(stages, each)


MISSED = turn(0, missing=[{"toolName": "find_book"}], passed=False)
EXTRA = [{"toolName": "burn_book"}]

EXAMPLES = [
    Example("the base"),
    Example(
        "only a forbidden call is asserted",
        {
            "prompts": None,
            "predicateResults": [check("toolNeverCalled", passed=False, reason="why")],
        },
        UNCOUNTED,
        rows={
            "selection": row("failed", "unexpectedToolCall", predicateReasons=["why"]),
            **rows("call", "response", "userValue", each=INAPPLICABLE),
        },
        first_failed="selection",
        category="selection",
    ),
    Example(
        "content error without an expected call",
        {
            "spans": None,
            "toolErrors": [{"kind": "content-error"}],
            "predicateResults": [check("responseContains")],
        },
        ASSERTING,
        rows={
            "call": INAPPLICABLE,
            "response": row("failed", "toolError", spanIds=[]),
            "userValue": row("passed", "observed"),
        },
        first_failed="response",
        category="serverData",
    ),
    Example(
        "the provider failed and a call is missing",
        {"spans": None, "prompts": [MISSED], "stepError": {"source": "model"}},
        status="failed",
        rows=rows(
            "selection",
            "call",
            "response",
            "userValue",
            each=row("notMeasured", "providerError"),
        ),
        category="setup",
    ),
    Example(
        "a call is missing",
        {"spans": None, "prompts": [MISSED]},
        status="failed",
        rows={
            "selection": row("failed", "missingToolCall", promptIndexes=[0]),
            **rows("call", "response", "userValue", each=UNREACHED),
        },
        first_failed="selection",
        category="selection",
    ),
    Example(
        "cancelled",
        status="cancelled",
        rows=all_rows(row("notMeasured", "lifecycleStopped")),
        category="setup",
    ),
    Example(
        "setup failed and nothing was captured",
        {"setupSignals": None, "spans": None, "prompts": None, "traceAbsent": True},
        status="setup_failed",
        rows=all_rows(row("notMeasured", "setupAborted")),
        category="setup",
    ),
    Example(
        "setup aborted, their server, no canary",
        {
            "setupSignals": {"connection": {"outcome": "failed", "attribution": "theirs"}},
            "spans": None,
            "prompts": None,
            "traceAbsent": True,
        },
        status="failed",
        rows={
            "connection": row("notMeasured", "egressUnverified"),
            "discovery": row("notMeasured", "traceAbsent"),
            **rows(
                "selection",
                "call",
                "response",
                "userValue",
                each=row("notMeasured", "setupAborted"),
            ),
        },
        category="setup",
    ),
    Example(
        "the judge saw half of it",
        {"judgeEvidence": {"status": "scored", "verdict": "partial", "reasons": ["half"]}},
        rows={"userValue": row("failed", "judgePartial", predicateReasons=["half"])},
        first_failed="userValue",
        category="userValue",
    ),
    Example(
        "wrong arguments silence the judge",
        {
            "prompts": [turn(0, argumentMismatches=[{"path": "isbn"}], passed=False)],
            "judgeEvidence": {"status": "scored", "verdict": "pass"},
        },
        rows={
            "call": row("failed", "argumentMismatch", promptIndexes=[0]),
            "userValue": UNREACHED,
        },
        first_failed="call",
        category="arguments",
    ),
    Example(
        "the tool metadata misled the model",
        {
            "spans": None,
            "prompts": [MISSED],
            "metadataAttribution": {
                "status": "scored",
                "attributed": True,
                "reasons": ["the description names another tool"],
            },
        },
        rows={
            "selection": row(
                "failed",
                "missingToolCall",
                promptIndexes=[0],
                predicateReasons=["the description names another tool"],
            ),
            **rows("call", "response", "userValue", each=UNREACHED),
        },
        first_failed="selection",
        category="metadata",
    ),
    Example(
        "tolerated extras",
        {"prompts": [turn(0, unexpected=EXTRA)]},
        rows={"selection": row("passed", "observed", promptIndexes=[0])},
    ),
    Example(
        "extras without a verdict",
        {"prompts": [{"promptIndex": 0, "unexpected": EXTRA}]},
        rows={"selection": row("notMeasured", "matchVerdictUnavailable", promptIndexes=[0])},
    ),
    Example(
        "extras beside wrong arguments",
        {
            "prompts": [
                turn(0, unexpected=EXTRA, argumentMismatches=[{"path": "isbn"}], passed=False)
            ]
        },
        rows={
            "selection": row("passed", "observed", promptIndexes=[0]),
            "call": row("failed", "argumentMismatch", promptIndexes=[0]),
            "userValue": UNREACHED,
        },
        first_failed="call",
        category="arguments",
    ),
    Example(
        "a failing advisory row",
        {"predicateResults": [check("responseContains", passed=False, role="advisory")]},
    ),
    Example(
        "a row that could not be scored",
        {"predicateResults": [check("responseContains", passed=False, status="error")]},
    ),
    Example(
        "content error beside a failed check of the same stage",
        {
            "toolErrors": [{"kind": "content-error"}],
            "predicateResults": [
                check("noToolErrors", passed=False, reason="one error"),
                check("responseContains"),
            ],
        },
        rows={
            "response": row("failed", "toolError", spanIds=[]),
            "userValue": row("passed", "observed"),
        },
        first_failed="response",
        category="serverData",
    ),
    Example(
        "a routed check makes nothing apply",
        {"prompts": None, "predicateResults": [check("toolLatencyUnder", passed=False)]},
        ASSERTING,
        rows={
            "selection": row("notMeasured", "noEvidenceCaptured"),
            **rows("call", "response", each=INAPPLICABLE),
        },
    ),
    Example(
        "the judge broke",
        {"judgeEvidence": {"status": "error"}},
        rows={"userValue": row("notMeasured", "evaluatorError")},
    ),
    Example(
        "a broken grader hides no failure",
        {"evaluatorErrored": True, "prompts": [MISSED]},
        rows={
            "selection": row("failed", "missingToolCall", promptIndexes=[0]),
            "userValue": UNREACHED,
        },
        first_failed="selection",
        category="selection",
    ),
    Example(
        "a stray gating check of a promoted kind",
        {"predicateResults": [check("toolCalledWith", passed=False)]},
        rows={"userValue": row("failed", "predicateFailed")},
        first_failed="userValue",
        category="userValue",
    ),
    Example(
        "a chat session nobody graded",
        {
            "setupSignals": None,
            "prompts": None,
            "judgeEvidence": {
                "status": "pending",
                "pendingKind": "not_requested",
            },
        },
        CHAT,
        rows={
            "connection": row("passed", "impliedByLaterEvidence", spanIds=["s1"]),
            "discovery": row("passed", "impliedByLaterEvidence", spanIds=["s1"]),
            "selection": row("notMeasured", "matchVerdictUnavailable", spanIds=["s1"]),
            "userValue": row("notMeasured", "judgeNotRequested"),
        },
    ),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_a_worked_example_comes_out_as_written(example: Example) -> None:
    evidence = {
        key: value for key, value in {**BASE, **example.evidence}.items() if value is not None
    }
    chain = derive(evidence, example.authored, example.status)
    assert {stage.value: outcome(chain, stage) for stage in Stage} == {**BASE_ROWS, **example.rows}
    assert chain.first_failed_stage == example.first_failed
    assert chain.failure_category == example.category
