import pytest
from chain_cases import CHAT, EXPECTING, Json, check, derive, outcome, span, states, turn

from reporter.vocabulary import Stage

BUSY: Json = {
    "setupSignals": {"connection": {"outcome": "ok"}},
    "spans": [span(status="error")],
    "prompts": [turn(0, missing=[1], passed=False)],
    "evaluatorErrored": True,
}
"""Evidence that would fail three stages."""

NOTHING: Json = {"traceAbsent": True}
NARROW: Json = {"mode": "model_free", "assertionCount": 1}
"""A case to which only connection, discovery and user value apply."""
INAPPLICABLE = "notApplicable/notAuthored"


@pytest.mark.parametrize("status", ["running", "completed", "cancelled", "setup_failed", "failed"])
def test_a_policy_block_comes_first_and_forces_no_category(status: str) -> None:
    chain = derive(NOTHING, status=status, policy={"blocked": True, "reason": "budget"})
    assert states(chain) == ["notMeasured/blockedByPolicy"] * 6
    assert chain.first_failed_stage is None
    assert chain.failure_category is None


def test_a_policy_block_keeps_the_category_of_a_broken_grader() -> None:
    assert derive(BUSY, policy={"blocked": True}).failure_category == "evaluator"
    outage = {"stepError": {"source": "model"}}
    assert derive(outage, policy={"blocked": True}).failure_category == "setup"


@pytest.mark.parametrize("policy", [{"blocked": False}, {"blocked": 1}, {}, None])
def test_only_a_block_that_is_exactly_true_blocks(policy: Json | None) -> None:
    assert "notMeasured/blockedByPolicy" not in states(derive({}, policy=policy))


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("cancelled", "lifecycleStopped"),
        ("timed_out", "lifecycleStopped"),
        ("skipped", "lifecycleStopped"),
        ("setup_failed", "setupAborted"),
    ],
)
def test_a_stopped_run_discards_what_it_saw(status: str, reason: str) -> None:
    chain = derive(BUSY, status=status)
    assert states(chain) == [f"notMeasured/{reason}"] * 6
    assert chain.failure_category == "setup"
    assert chain.first_failed_stage is None


@pytest.mark.parametrize("status", ["pending", "running", "completed", "failed"])
def test_every_other_status_is_derived_from_what_there_is(status: str) -> None:
    chain = derive(BUSY, status=status)
    assert states(chain)[:3] == [
        "passed/observed",
        "passed/impliedByLaterEvidence",
        "failed/missingToolCall",
    ]


@pytest.mark.parametrize("status", ["failed", "setup_failed"])
def test_an_aborted_setup_without_signals_measured_nothing(status: str) -> None:
    chain = derive(NOTHING, status=status)
    assert states(chain) == ["notMeasured/setupAborted"] * 6
    assert chain.failure_category == "setup"


@pytest.mark.parametrize(
    "evidence",
    [
        {},
        NOTHING | {"spans": [span(category="llm")]},
        NOTHING | {"prompts": [turn()]},
        NOTHING | {"predicateResults": [check("toolNamesUnique")]},
    ],
    ids=["a trace", "a span of any category", "a turn", "an eligible row"],
)
def test_a_failed_run_that_captured_something_is_no_aborted_setup(evidence: Json) -> None:
    chain = derive(evidence, status="failed")
    assert "notMeasured/setupAborted" not in states(chain)
    assert chain.failure_category is None


@pytest.mark.parametrize("more", [{"role": "advisory"}, {"status": "error"}])
def test_a_row_no_stage_may_read_captures_nothing(more: Json) -> None:
    evidence = NOTHING | {"predicateResults": [check(passed=False, **more)]}
    assert states(derive(evidence, status="failed")) == ["notMeasured/setupAborted"] * 6


def test_a_setup_failure_that_captured_something_is_a_stopped_run() -> None:
    evidence = NOTHING | {"prompts": [turn()], "setupSignals": {"connection": {"outcome": "ok"}}}
    assert states(derive(evidence, status="setup_failed")) == ["notMeasured/setupAborted"] * 6


THEIRS = {"outcome": "failed", "attribution": "theirs", "egressVerified": True}
ABORTS = [
    (
        {"connection": THEIRS},
        EXPECTING,
        ["failed/connectFailed", *["notReached/earlierStageFailed"] * 5],
        "connection",
    ),
    (
        {"connection": {"outcome": "ok"}, "discovery": THEIRS},
        EXPECTING,
        [
            "passed/observed",
            "failed/toolsListFailed",
            *["notReached/earlierStageFailed"] * 4,
        ],
        "discovery",
    ),
    (
        {"connection": THEIRS, "discovery": {"outcome": "ok"}},
        EXPECTING,
        ["failed/connectFailed", "passed/observed", *["notReached/earlierStageFailed"] * 4],
        "connection",
    ),
    (
        {"connection": {"outcome": "failed", "attribution": "ours"}},
        EXPECTING,
        ["notMeasured/setupAborted", "notMeasured/traceAbsent", *["notMeasured/setupAborted"] * 4],
        None,
    ),
    (
        {"discovery": {"outcome": "failed"}},
        EXPECTING,
        [
            "notMeasured/traceAbsent",
            "notMeasured/egressUnverified",
            *["notMeasured/setupAborted"] * 4,
        ],
        None,
    ),
    (
        {"connection": THEIRS},
        NARROW,
        [
            "failed/connectFailed",
            "notReached/earlierStageFailed",
            *[INAPPLICABLE] * 3,
            "notReached/earlierStageFailed",
        ],
        "connection",
    ),
    (
        {"connection": {"outcome": "ok"}},
        NARROW,
        [
            "passed/observed",
            "notMeasured/traceAbsent",
            *[INAPPLICABLE] * 3,
            "notMeasured/setupAborted",
        ],
        None,
    ),
]


@pytest.mark.parametrize("status", ["failed", "setup_failed"])
@pytest.mark.parametrize(("signals", "authored", "expected", "first"), ABORTS)
def test_setup_signals_name_the_side_that_broke(
    signals: Json, authored: Json, expected: list[str], first: str | None, status: str
) -> None:
    chain = derive(NOTHING | {"setupSignals": signals}, authored, status)
    assert states(chain) == expected
    assert chain.first_failed_stage == first
    assert chain.failure_category == "setup"


def test_the_same_signals_count_as_usual_in_a_run_that_captured_something() -> None:
    evidence = {"setupSignals": {"connection": THEIRS}, "traceAbsent": True}
    assert states(derive(evidence, CHAT)) == [
        "failed/connectFailed",
        *["notReached/earlierStageFailed"] * 5,
    ]


@pytest.mark.parametrize(
    ("status", "policy"),
    [("completed", None), ("cancelled", None), ("failed", None), ("completed", {"blocked": True})],
)
def test_what_does_not_apply_stays_so_in_every_branch(status: str, policy: Json | None) -> None:
    chain = derive(NOTHING, NARROW, status, policy)
    assert states(chain)[2:5] == [INAPPLICABLE] * 3


APPLICABILITY = [
    ({"mode": "model_driven"}, {}, "selection"),
    ({"mode": "model_free"}, {}, ""),
    ({"mode": "model_free", "expectsToolCall": True}, {}, "call response"),
    ({"mode": "model_free", "isNegativeTest": True}, {}, "call response"),
    ({"mode": "model_free", "toolExpectation": "required"}, {}, "call response"),
    ({"mode": "model_free", "toolExpectation": "open"}, {}, "call response"),
    ({"mode": "model_free", "toolExpectation": "not_required"}, {}, ""),
    ({"mode": "model_free", "expectsWidgetRender": True}, {}, "response userValue"),
    ({"mode": "model_free", "assertionCount": 1}, {}, "userValue"),
    ({"mode": "model_free", "assertionCount": True}, {}, ""),
    ({"mode": "model_free", "hasUserAsk": True}, {}, "userValue"),
    ({"mode": "model_free", "expectsToolCall": 1, "hasUserAsk": "yes"}, {}, ""),
    ({"mode": "model_free", "isNegativeTest": "true", "expectsWidgetRender": 1}, {}, ""),
    ({"mode": "model_free"}, {"toolErrors": [{"kind": "content-error"}]}, "response"),
    ({"mode": "model_free"}, {"toolErrors": [{"kind": "protocol-error"}]}, ""),
    ({"mode": "model_free"}, {"toolErrors": [{"kind": "tool_error"}, {}]}, ""),
    ({"mode": "model_free"}, {"spans": [span(status="error")]}, "response"),
    ({"mode": "model_free"}, {"spans": [span(status="error", mcpErrorCode=-32603)]}, ""),
    ({"mode": "model_free"}, {"spans": [span(status="error", category="llm")]}, ""),
    ({"mode": "model_free"}, {"spans": [span()]}, ""),
    (
        {"mode": "model_free"},
        {
            "predicateResults": [
                check("noToolErrors", passed=False),
                check("argumentsMatchToolSchema", passed=False),
                check("responseContains", passed=False),
            ]
        },
        "",
    ),
]


@pytest.mark.parametrize(("authored", "evidence", "applies"), APPLICABILITY)
def test_a_stage_applies_by_what_was_authored(authored: Json, evidence: Json, applies: str) -> None:
    chain = derive(evidence, authored)
    named = [row.stage.value for row in chain.rows if row.state != "notApplicable"]
    assert named == ["connection", "discovery", *applies.split()]


def test_routing_never_hands_a_row_back() -> None:
    evidence = {"predicateResults": [check("toolLatencyUnder", passed=False, reason="slow")]}
    chain = derive(evidence, NARROW)
    assert outcome(chain, Stage.RESPONSE) == ("notApplicable", "notAuthored", None)
    assert outcome(chain, Stage.USER_VALUE) == ("notMeasured", "noEvidenceCaptured", None)
