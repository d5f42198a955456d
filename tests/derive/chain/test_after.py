import pytest
from chain_cases import EXPECTING, Json, check, derive, outcome, span, states, turn

from reporter.derive.chain.after import place_after_failure, withdraw_provider_failures
from reporter.derive.chain.reading import read_evidence
from reporter.models.chain import Authored, ChainEvidence, StageEvidence, StageRow
from reporter.vocabulary import Stage, StageReason, StageState

OUTAGE: Json = {"stepError": {"source": "model", "code": "overloaded", "httpStatus": 529}}
WITHDRAWN = ("notMeasured", "providerError", None)
MISSED = turn(0, missing=[1], passed=False)
THEIRS: Json = {"outcome": "failed", "attribution": "theirs", "egressVerified": True}
OK: Json = {"outcome": "ok"}


def judged(verdict: str) -> Json:
    return {"judgeEvidence": {"status": "scored", "verdict": verdict, "reasons": ["why"]}}


@pytest.mark.parametrize(
    ("evidence", "stage"),
    [
        ({}, Stage.SELECTION),
        ({"traceAbsent": True}, Stage.CALL),
        ({"traceLacksSpanChannel": True}, Stage.RESPONSE),
        ({"prompts": [MISSED]}, Stage.SELECTION),
        ({"predicateResults": [check(passed=False, reason="why")]}, Stage.USER_VALUE),
        (judged("partial"), Stage.USER_VALUE),
        (judged("fail"), Stage.USER_VALUE),
    ],
)
def test_an_outage_takes_back_what_rests_on_absence(evidence: Json, stage: Stage) -> None:
    assert outcome(derive(evidence), stage) != WITHDRAWN
    chain = derive(evidence | OUTAGE)
    assert outcome(chain, stage) == WITHDRAWN
    assert chain.failure_category == "setup"
    assert chain.first_failed_stage is None


@pytest.mark.parametrize(
    ("evidence", "stage"),
    [
        ({"prompts": [turn(0, unexpected=[1], passed=False)]}, Stage.SELECTION),
        ({"prompts": [turn(0, argumentMismatches=[1])]}, Stage.CALL),
        ({"spans": [span(status="error")]}, Stage.RESPONSE),
        ({"spans": [span(mcpErrorCode=1)]}, Stage.CALL),
        ({"setupSignals": {"connection": THEIRS}}, Stage.CONNECTION),
        ({"setupSignals": {"connection": OK, "discovery": THEIRS}}, Stage.DISCOVERY),
        ({"prompts": [{"unexpected": [1]}]}, Stage.SELECTION),
        ({"evaluatorErrored": True}, Stage.USER_VALUE),
        ({"judgeEvidence": {"status": "pending"}}, Stage.USER_VALUE),
        (judged("pass"), Stage.USER_VALUE),
    ],
)
def test_an_outage_leaves_what_was_seen_to_happen(evidence: Json, stage: Stage) -> None:
    assert outcome(derive(evidence | OUTAGE), stage) == outcome(derive(evidence), stage)


def test_a_failed_widget_stands_through_an_outage() -> None:
    evidence = {"renderObservations": [{"status": "error"}]}
    authored = {**EXPECTING, "expectsWidgetRender": True}
    chain = derive(evidence | OUTAGE, authored)
    assert outcome(chain, Stage.RESPONSE) == ("failed", "renderFailed", None)


@pytest.mark.parametrize("error", [{"source": "setup"}, {"source": "Model"}, {}, {"code": "x"}])
def test_only_the_models_own_error_withdraws(error: Json) -> None:
    evidence: Json = {"prompts": [MISSED]}
    assert states(derive(evidence | {"stepError": error})) == states(derive(evidence))


def test_an_outage_that_takes_back_the_first_failure_still_cost_the_judge() -> None:
    chain = derive({"prompts": [MISSED], **judged("pass"), **OUTAGE})
    assert outcome(chain, Stage.USER_VALUE) == WITHDRAWN
    assert outcome(derive(judged("pass") | OUTAGE), Stage.USER_VALUE)[1] == "judgeObserved"


def test_a_setup_abort_with_signals_is_withdrawn_too() -> None:
    evidence: Json = {"traceAbsent": True, "setupSignals": {"connection": OK}, **OUTAGE}
    chain = derive(evidence, status="failed")
    assert states(chain)[:3] == [
        "passed/observed",
        "notMeasured/providerError",
        "notMeasured/setupAborted",
    ]


def test_a_row_that_is_renamed_keeps_its_evidence() -> None:
    shown = StageEvidence(predicate_reasons=("kept",))
    reason = StageReason.NO_EVIDENCE_CAPTURED
    row = StageRow(Stage.CALL, StageState.NOT_MEASURED, reason, shown)
    evidence = ChainEvidence(step_error_source="model")
    reading = read_evidence(Authored(mode="model_driven"), evidence)
    once = withdraw_provider_failures(reading, [row])
    assert once == [
        StageRow(Stage.CALL, StageState.NOT_MEASURED, StageReason.PROVIDER_ERROR, shown)
    ]
    assert withdraw_provider_failures(reading, once) == once


def test_only_unmeasured_rows_behind_the_first_failure_are_overwritten() -> None:
    failed, passed, unmeasured, inapplicable = (
        StageState.FAILED,
        StageState.PASSED,
        StageState.NOT_MEASURED,
        StageState.NOT_APPLICABLE,
    )
    before = [unmeasured, failed, unmeasured, passed, inapplicable, failed]
    shown = StageEvidence(span_ids=("s1",))
    rows = [
        StageRow(stage, state, StageReason.EVALUATOR_ERROR, shown)
        for stage, state in zip(Stage, before, strict=True)
    ]
    after = place_after_failure(rows)
    cut = StageRow(Stage.SELECTION, StageState.NOT_REACHED, StageReason.EARLIER_STAGE_FAILED)
    assert list(after) == [*rows[:2], cut, *rows[3:]]


def test_rows_without_a_failure_stay_as_they_are() -> None:
    rows = [StageRow(stage, StageState.NOT_MEASURED) for stage in Stage]
    assert place_after_failure(rows) == rows


CATEGORIES = [
    ({}, None, None),
    ({"evaluatorErrored": True}, None, "evaluator"),
    ({"evaluatorErrored": True, **OUTAGE}, None, "evaluator"),
    (OUTAGE, None, "setup"),
    ({"stepError": {"source": "setup"}}, None, None),
    ({"setupSignals": {"connection": THEIRS}}, "connection", "setup"),
    ({"setupSignals": {"connection": OK, "discovery": THEIRS}}, "discovery", "setup"),
    ({"prompts": [MISSED]}, "selection", "selection"),
    ({"prompts": [turn(0, argumentMismatches=[1])]}, "call", "arguments"),
    (
        {"prompts": [turn(0, argumentMismatches=[1])], "spans": [span(mcpErrorCode=-32000)]},
        "call",
        "arguments",
    ),
    ({"spans": [span(mcpErrorCode=-32603)]}, "call", "serverData"),
    ({"spans": [span(mcpErrorCode=-32001)]}, "call", "setup"),
    ({"spans": [span(mcpErrorCode=1), span(mcpErrorCode=-32000)]}, "call", "setup"),
    (
        {"spans": [span(mcpErrorCode=1), {"category": "error", "mcpErrorCode": -32000}]},
        "call",
        "setup",
    ),
    ({"toolErrors": [{"kind": "protocol-error"}]}, "call", "serverData"),
    ({"spans": [span(status="error")]}, "response", "serverData"),
    ({"predicateResults": [check(passed=False)]}, "userValue", "userValue"),
    ({"judgeEvidence": {"status": "error"}}, None, None),
    ({"evaluatorErrored": True, "spans": [span(status="error")]}, "response", "serverData"),
]


@pytest.mark.parametrize(("evidence", "first", "category"), CATEGORIES)
def test_a_failure_has_the_category_of_its_stage(
    evidence: Json, first: str | None, category: str | None
) -> None:
    chain = derive(evidence)
    assert (chain.first_failed_stage, chain.failure_category) == (first, category)


BLAME: Json = {"status": "scored", "attributed": True, "reasons": ["the description misleads"]}


def blamed(**more: object) -> Json:
    return {"metadataAttribution": {**BLAME, **more}}


def test_attribution_adds_its_reasons_to_the_selection_row() -> None:
    chain = derive({"prompts": [MISSED], **blamed(reasons=["", "a" * 501, "b"])})
    assert chain.failure_category == "metadata"
    assert outcome(chain, Stage.SELECTION) == (
        "failed",
        "missingToolCall",
        {"promptIndexes": [0], "predicateReasons": ["a" * 499 + "…", "b"]},
    )


def test_attribution_replaces_the_reasons_of_a_check() -> None:
    broken = check("toolNeverCalled", passed=False, reason="it was called")
    chain = derive({"predicateResults": [broken], **blamed()})
    shown = {"predicateReasons": ["the description misleads"]}
    assert outcome(chain, Stage.SELECTION) == ("failed", "unexpectedToolCall", shown)


def test_attribution_stands_where_the_row_had_no_evidence() -> None:
    chain = derive({"predicateResults": [check("toolNeverCalled", passed=False)], **blamed()})
    shown = {"predicateReasons": ["the description misleads"]}
    assert outcome(chain, Stage.SELECTION)[2] == shown


@pytest.mark.parametrize(
    "more",
    [
        {"status": "error"},
        {"status": "pending", "pendingKind": "scheduled"},
        {"attributed": False},
        {"attributed": 1},
        {"attributed": None},
        {"reasons": []},
        {"reasons": ["  ", "\n"]},
        {"reasons": [7]},
    ],
)
def test_attribution_without_a_usable_reason_changes_nothing(more: Json) -> None:
    chain = derive({"prompts": [MISSED], **blamed(**more)})
    assert chain.failure_category == "selection"
    assert outcome(chain, Stage.SELECTION)[2] == {"promptIndexes": [0]}


@pytest.mark.parametrize(
    "evidence", [{"prompts": [turn()]}, {"setupSignals": {"connection": THEIRS}}]
)
def test_attribution_speaks_only_for_a_selection_that_failed_first(evidence: Json) -> None:
    assert derive(evidence | blamed()) == derive(evidence)
