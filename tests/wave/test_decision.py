"""Deciding a run: the rules as tables, and what must hold whatever the trials are."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reporter.vocabulary import (
    NEXT_OWNER,
    FailureCategory,
    FallbackNextAction,
    IterationStatus,
    MeasurementUnit,
    Stage,
    TrialExclusionReason,
    UndecidedReason,
    ValidityFinding,
    VerdictSource,
)
from reporter.wave.decision.decide import decide
from reporter.wave.decision.item_chain import item_chain
from reporter.wave.decision.policy import DEFAULT_POLICY
from reporter.wave.decision.refusal import DecisionRefusedError
from reporter.wave.decision.statistics import trial_statistics
from reporter.wave.decision.stored import decision_faults
from reporter.wave.decision.summary import next_action, summarise, verdict_of
from reporter.wave.decision.summary_faults import summary_faults

Json = dict[str, Any]
PASSED: Json = {"status": "completed", "taskVerdict": "passed"}
FAILED: Json = {"status": "completed", "taskVerdict": "failed"}
BROKEN: Json = {"status": "completed", "evaluatorError": True}
NEVER: Json = {"status": "pending"}


def case(*trials: Json, threshold: float = 1, configured: int | None = None, **more: Any) -> Json:
    return {
        "caseId": "c1",
        "configuredTrials": len(trials) if configured is None else configured,
        "effectivePassThreshold": threshold,
        "trials": list(trials),
        **more,
    }


def run(*cases: Json, **policy: Any) -> Json:
    return {"policy": {**DEFAULT_POLICY, **policy}, "cases": list(cases)}


EXPLICIT = {"coverage": {"kind": "minEligibleTrials", "minEligibleTrials": 2}}
OUTCOMES: list[tuple[Json, str, list[str]]] = [
    (run(case(PASSED)), "passed", ["allMeasuredCasesMetThreshold"]),
    (run(case(PASSED, FAILED, threshold=0.5)), "passed", ["allMeasuredCasesMetThreshold"]),
    (run(case(PASSED, FAILED, threshold=0.51)), "failed", ["casePassRateBelowThreshold"]),
    (
        run(case(PASSED, configured=2)),
        "inconclusive",
        ["configuredTrialsNotAttempted"],
    ),
    (
        run(case(BROKEN, threshold=0), maxEvaluatorErrorRate=1),
        "inconclusive",
        ["noGradeableTrials", "caseHasNoEligibleTrials"],
    ),
    (
        run(case(PASSED, {"status": "timed_out"})),
        "inconclusive",
        ["completionRateBelowMinimum"],
    ),
    (
        run(case(PASSED, BROKEN)),
        "inconclusive",
        ["evaluatorErrorRateAboveMaximum"],
    ),
    (run(case(PASSED), **EXPLICIT), "inconclusive", ["eligibleTrialsBelowMinimum"]),
    (
        run(case(NEVER), **EXPLICIT),
        "inconclusive",
        [
            "eligibleTrialsBelowMinimum",
            "completionRateNotMeasured",
            "evaluatorErrorRateNotMeasured",
            "caseHasNoEligibleTrials",
        ],
    ),
    (
        run(case(PASSED, PASSED, configured=9), **EXPLICIT),
        "passed",
        ["allMeasuredCasesMetThreshold"],
    ),
]


@pytest.mark.parametrize(("source", "verdict", "reasons"), OUTCOMES)
def test_what_a_run_comes_to(source: Json, verdict: str, reasons: list[str]) -> None:
    made = decide(source)
    assert (made["verdict"], made["reasons"]) == (verdict, reasons)
    assert decision_faults(made) == []


def test_every_finding_is_reached() -> None:
    found = {reason for _, _, reasons in OUTCOMES for reason in reasons}
    found |= {row["reason"] for source, _, _ in OUTCOMES for row in decide(source)["cases"]}
    assert found == set(ValidityFinding)


@pytest.mark.parametrize(
    ("status", "attempted", "reason"),
    [
        ("pending", False, "notTerminal"),
        ("running", True, "notTerminal"),
        ("skipped", False, "skipped"),
        ("setup_failed", True, "setupFailed"),
        ("cancelled", False, "cancelled"),
        ("timed_out", True, "timedOut"),
        ("failed", True, "executionFailed"),
    ],
)
def test_where_a_trial_that_is_not_eligible_is_counted(
    status: str, reason: str, *, attempted: bool
) -> None:
    (row,) = decide(run(case(PASSED, {"status": status})))["cases"]
    assert row["passRate"]["exclusions"] == {reason: 1}
    assert row["completionRate"]["exclusions"] == ({} if attempted else {reason: 1})
    assert row["attemptedTrials"] == 1 + attempted


def test_a_broken_grading_completed_and_is_not_eligible() -> None:
    (row,) = decide(run(case(PASSED, BROKEN)))["cases"]
    assert row["completionRate"]["numerator"] == 2
    assert row["passRate"]["exclusions"] == {"evaluatorError": 1}


def test_every_status_and_reason_has_its_row() -> None:
    said: set[str] = set()
    for status in IterationStatus:
        trial = BROKEN if status == "completed" else {"status": status.value}
        (row,) = decide(run(case(PASSED, trial)))["cases"]
        said |= set(row["passRate"]["exclusions"])
    assert said == set(TrialExclusionReason)


def test_agreement_is_no_quality() -> None:
    (row,) = decide(run(case(FAILED, FAILED)))["cases"]
    assert row["observedStability"]["value"] == 1
    assert row["verdict"] == "failed"
    assert not row["mixedVerdict"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"policy": None}, "policy"),
        ({"policy": {**DEFAULT_POLICY, "more": 1}}, "policy"),
        ({"policy": {**DEFAULT_POLICY, "coverage": {"kind": "all"}}}, "coverage"),
        (
            {"policy": {**DEFAULT_POLICY, "coverage": {**EXPLICIT["coverage"], "x": 1}}},
            "coverage",
        ),
        ({"policy": {**DEFAULT_POLICY, "minCompletionRate": True}}, "fraction"),
        ({"cases": [case(PASSED, executionVariant={"model": "m", "x": 1})]}, "unknown keys"),
        ({"cases": [case(PASSED, executionVariant={"model": "m" * 201})]}, "non-empty string"),
        ({"cases": [case(PASSED, executionVariant={"model": "m", "provider": ""})]}, "provider"),
        ({"cases": [case(PASSED, caseId="c" * 129)]}, "caseId must match"),
        ({"cases": [case(PASSED, caseId="c\n")]}, "caseId must match"),
        ({"cases": [case(PASSED, configured=1, configuredTrials=True)]}, "integer within 1.."),
        (
            {"cases": [case(PASSED, caseId=f"c{n}") for n in range(501)]},
            "at most 500",
        ),
    ],
)
def test_what_else_is_refused(change: Json, words: str) -> None:
    with pytest.raises(DecisionRefusedError, match=words):
        decide({**run(case(PASSED)), **change})


def test_one_model_on_two_providers_is_two_rows() -> None:
    variants = [{"model": "m", "provider": one} for one in ("a", "b")] + [{"model": "m"}]
    made = decide(run(*(case(PASSED, executionVariant=one) for one in variants)))
    assert len(made["cases"]) == 3


@pytest.mark.parametrize(
    "path",
    [
        ("verdict",),
        ("reasons",),
        ("validity", "holds"),
        ("validity", "attemptedTrials"),
        ("validity", "completionRate", "value"),
        ("validity", "evaluatorErrorRate", "denominator"),
        ("cases", 0, "passedTrials"),
        ("cases", 0, "mixedVerdict"),
        ("cases", 0, "reason"),
        ("cases", 0, "passRate", "numerator"),
        ("cases", 0, "observedStability", "state"),
    ],
)
def test_a_stored_decision_that_contradicts_itself_is_refused(path: tuple[str | int, ...]) -> None:
    decision = copy.deepcopy(decide(run(case(PASSED, FAILED, threshold=0.5))))
    place: Any = decision
    for part in path[:-1]:
        place = place[part]
    old = place[path[-1]]
    changed: Any = {"verdict": "failed", "reasons": [], "reason": "casePassRateBelowThreshold"}
    place[path[-1]] = (
        changed.get(str(path[-1]))
        if path[-1] in changed
        else (not old if isinstance(old, bool) else "notMeasured" if old == "measured" else old + 1)
    )
    assert decision_faults(decision) != []


def test_a_decision_with_more_keys_is_refused() -> None:
    decision = decide(run(case(PASSED)))
    assert decision_faults({**decision, "more": 1}) != []
    assert decision_faults(None) != []


# The summary.

HELD = [{"stage": stage.value, "state": "passed"} for stage in Stage]


def iteration(**more: Any) -> Json:
    return {
        "id": "i1",
        "iterationNumber": 1,
        "status": "completed",
        "result": "failed",
        "stageAnalyzerVersion": 11,
        "stageResults": HELD,
        **more,
    }


def summary(*iterations: Json, **more: Any) -> Json:
    page = more.pop("page", {"complete": True})
    whole = {
        "projectId": "p/1",
        "run": {"id": "r 1", "status": "completed", "result": "failed", **more},
        "iterations": list(iterations),
        "page": page,
    }
    made = summarise(whole, known_analyzer=11)
    assert summary_faults(json.loads(json.dumps(made))) == []
    return made


def by_case(trial: Json) -> Json:
    """A run's keys when it was decided case by case."""
    return {"verdictPolicyVersion": 2, "verdictSummary": decide(run(case(trial)))}


VERDICTS: list[tuple[Json, str, str, str | None]] = [
    ({"status": "running"}, "notEstablished", "none", "runNotTerminal"),
    ({"status": "queued", "verdictPolicyVersion": 2}, "notEstablished", "none", "runNotTerminal"),
    (
        {"status": "completed", "verdictPolicyVersion": 2, "result": "passed"},
        "notEstablished",
        "none",
        "verdictSummaryUnavailable",
    ),
    (
        {
            "status": "cancelled",
            **by_case(FAILED),
        },
        "failed",
        "policyV2",
        None,
    ),
    ({"status": "timed_out", "result": "passed"}, "notEstablished", "none", "runStatusNotAVerdict"),
    ({"status": "completed", "result": "odd"}, "notEstablished", "none", "runResultNotAVerdict"),
    ({"status": "completed", "result": "passed"}, "passed", "legacy", None),
    (
        {"status": "completed", "result": "failed", "verdictPolicyVersion": "2"},
        "failed",
        "legacy",
        None,
    ),
]


@pytest.mark.parametrize(("recorded", "verdict", "source", "reason"), VERDICTS)
def test_where_a_verdict_comes_from(
    recorded: Json, verdict: str, source: str, reason: str | None
) -> None:
    made = verdict_of(recorded)
    assert (made["verdict"], made["verdictSource"]) == (verdict, source)
    assert made.get("undecided", {}).get("reason") == reason


def test_every_source_reason_and_unit_is_reached() -> None:
    assert {source for _, _, source, _ in VERDICTS} == set(VerdictSource)
    assert {reason for _, _, _, reason in VERDICTS if reason} == set(UndecidedReason)
    units = {
        verdict_of(one)["counts"]["measurementUnit"]
        for one in (
            {
                "status": "completed",
                **by_case(PASSED),
            },
            {"status": "completed", "result": "passed", "summary": {"passed": 1}},
        )
    }
    assert units == set(MeasurementUnit)


def test_a_count_that_is_missing_is_not_zero() -> None:
    recorded = {"total": 3, "passed": -1, "failed": True}
    made = verdict_of({"status": "completed", "result": "passed", "summary": recorded})
    assert made["counts"] == {"measurementUnit": "trial", "total": 3}
    assert "counts" not in verdict_of({"status": "completed", "result": "passed", "summary": {}})


def test_what_did_not_pass_is_listed_with_what_has_no_result() -> None:
    passed, open_ended = iteration(id="i2", result="passed"), iteration(id="i3", result=None)
    made = summary(iteration(), passed, open_ended)
    assert [item["iterationId"] for item in made["diagnostics"]["items"]] == ["i1", "i3"]
    assert "result" not in made["diagnostics"]["items"][1]
    assert made["diagnostics"]["scannedIterations"] == 3


def test_a_partial_page_keeps_its_cursor() -> None:
    made = summary(page={"complete": False, "nextCursor": "n"})
    assert (made["diagnostics"]["complete"], made["diagnostics"]["nextCursor"]) == (False, "n")
    assert "nextCursor" not in summary(page={"complete": True, "nextCursor": ""})["diagnostics"]


def test_places_of_a_trial_are_escaped() -> None:
    (item,) = summary(iteration(id="a/b~(c)"))["diagnostics"]["items"]
    assert item["evidence"]["tracePath"] == (
        "/projects/p%2F1/eval-runs/r%201/iterations/a%2Fb~(c)/trace"
    )


def broken(**more: Any) -> Json:
    cited = {"spanIds": ["s", "s"], "promptIndexes": [0, 0], "predicateReasons": ["r", "r"]}
    rows = [*HELD[:3], {"stage": "call", "state": "failed", "evidence": cited}, *HELD[4:]]
    return iteration(stageResults=rows, firstFailedStage="call", **more)


def test_evidence_is_of_the_first_failed_stage_alone() -> None:
    (item,) = summary(broken(failureCategory="arguments"))["diagnostics"]["items"]
    assert item["evidence"]["stage"] == "call"
    assert (item["evidence"]["spanIds"], item["evidence"]["reasons"]) == (["s"], ["r"])
    assert item["evidence"]["promptIndexes"] == [0]
    assert item["nextAction"] == NEXT_OWNER[FailureCategory.ARGUMENTS]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({}, "verified"),
        ({"stageResults": None}, "absent"),
        ({"stageResults": None, "stageResultsUnverified": True}, "unverified"),
        ({"stageResults": HELD[:5]}, "unverified"),
        ({"stageResults": [*HELD[1:], HELD[0]]}, "unverified"),
        ({"stageResults": [{**HELD[0], "reason": None}, *HELD[1:]]}, "unverified"),
        ({"stageResults": [{**HELD[0], "more": 1}, *HELD[1:]]}, "verified"),
        ({"stageResults": [{**HELD[0], "evidence": {"spanIds": [1]}}, *HELD[1:]]}, "unverified"),
        ({"stageResults": [{**HELD[0], "state": "odd"}, *HELD[1:]]}, "unverified"),
        ({"firstFailedStage": "call"}, "unverified"),
        ({"firstFailedStage": None}, "unverified"),
        ({"failureCategory": "odd"}, "unverified"),
        ({"failureCategory": "setup"}, "verified"),
        ({"stageAnalyzerVersion": -1}, "unverified"),
        ({"stageAnalyzerVersion": True}, "unverified"),
        ({"stageAnalyzerVersion": 99}, "verified"),
    ],
)
def test_when_a_chain_holds_up(change: Json, status: str) -> None:
    made = item_chain(iteration(**change), known_analyzer=11)
    assert made["status"] == status
    assert ("stages" in made) is (status == "verified")


def test_a_newer_analyzer_is_flagged_and_not_refused() -> None:
    made = item_chain(iteration(stageAnalyzerVersion=12), known_analyzer=11)
    assert made["analyzerVersionAhead"] == {"reported": 12, "known": 11}


@pytest.mark.parametrize(
    ("change", "result", "action"),
    [
        ({}, "failed", FallbackNextAction.VERDICT_CHAIN_DISAGREEMENT),
        ({"stageAnalyzerVersion": 6}, "failed", FallbackNextAction.STALE_ANALYZER_DISAGREEMENT),
        ({}, None, FallbackNextAction.NO_CATEGORY),
        ({"stageResults": None}, "failed", FallbackNextAction.NO_CATEGORY),
        (
            {"stageResults": [{**row, "state": "notApplicable"} for row in HELD]},
            "failed",
            FallbackNextAction.NO_CATEGORY,
        ),
    ],
)
def test_who_looks_first_where_no_category_says_it(
    change: Json, result: str | None, action: FallbackNextAction
) -> None:
    chain = item_chain(iteration(**change), known_analyzer=11)
    assert next_action(chain, result) == action.label


def test_every_category_and_fallback_has_its_text() -> None:
    assert set(NEXT_OWNER) == set(FailureCategory)
    assert len({word.label for word in FallbackNextAction}) == 3


NOBODY = {"total": 0, "passed": 0, "failed": 0, "inconclusive": 0}


@pytest.mark.parametrize(
    "change",
    [
        {"more": 1},
        {"verdictSource": "policyV2"},
        {"verdictSource": "none"},
        {"verdict": "inconclusive"},
        {"undecided": {"reason": "runNotTerminal"}},
        {"counts": {"measurementUnit": "caseVariant", **NOBODY}},
        {"diagnostics": {"items": [], "complete": True, "nextCursor": "x", "scannedIterations": 0}},
    ],
)
def test_a_summary_that_contradicts_itself_is_refused(change: Json) -> None:
    made = summary(summary={"total": 1})
    assert summary_faults({**made, **change}) != []


STATUSES: list[Json] = [{"status": one.value} for one in IterationStatus if one != "completed"]
trials = st.sampled_from([PASSED, FAILED, BROKEN, *STATUSES])


@st.composite
def some_run(draw: st.DrawFn) -> Json:
    cases = []
    for number in range(draw(st.integers(1, 4))):
        listed = draw(st.lists(trials, max_size=6))
        configured = max(1, len(listed) + draw(st.integers(0, 2)))
        threshold = draw(st.sampled_from([0, 0.5, 2 / 3, 1]))
        cases.append(case(*listed, threshold=threshold, configured=configured, caseId=f"c{number}"))
    policy: Json = {"minCompletionRate": draw(st.sampled_from([0, 0.8]))}
    if draw(st.booleans()):
        policy |= EXPLICIT
    return run(*cases, **policy)


@given(some_run(), st.randoms())
def test_counts_add_up_and_order_never_matters(source: Json, random: Any) -> None:
    made = decide(source)
    assert decision_faults(json.loads(json.dumps(made))) == []
    validity = made["validity"]
    for name in ("configuredTrials", "attemptedTrials", "eligibleTrials"):
        assert validity[name] == sum(row[name] for row in made["cases"])
    for row in made["cases"]:
        left = sum(row["passRate"]["exclusions"].values())
        assert row["eligibleTrials"] + left == row["configuredTrials"]
        never = sum(row["completionRate"]["exclusions"].values())
        assert row["attemptedTrials"] + never == row["configuredTrials"]
    mixed = copy.deepcopy(source)
    random.shuffle(mixed["cases"])
    for one in mixed["cases"]:
        random.shuffle(one["trials"])
    other = decide(mixed)
    assert (other["verdict"], other["reasons"], other["validity"]) == (
        made["verdict"],
        made["reasons"],
        validity,
    )


@given(st.integers(0, 60), st.data())
def test_statistics_stay_within_their_bounds(eligible: int, data: st.DataObject) -> None:
    passed = data.draw(st.integers(0, eligible))
    k = data.draw(st.integers(0, 70))
    made = trial_statistics(eligible, passed, k)
    assert (made["passAtK"] is None) is (eligible == 0 or not 1 <= k <= eligible)
    if made["passRateInterval"]:
        interval = made["passRateInterval"]
        assert 0 <= interval["lower"] <= passed / eligible <= interval["upper"] <= 1
