import copy
import json
from functools import cache
from typing import Any

import pytest
from builders import Json
from shared import shared

from reporter.derive.verdict import derive_verdict, read_verdict_input
from reporter.vocabulary import (
    GRADER_STATES,
    SESSION_VERDICT,
    GraderReadiness,
    Lifecycle,
    SessionVerdictReason,
)

CORPUS = ("oracle", "findings", "swarm-session-verdict-parity-fixtures.json")


@cache
def corpus() -> dict[str, list[Json]]:
    whole: dict[str, list[Json]] = json.loads(shared(*CORPUS).read_text(encoding="utf-8"))
    return whole


def derived(source: Json) -> Json:
    return derive_verdict(read_verdict_input(source)).to_wire()


@pytest.mark.shared
def test_the_corpus_is_whole() -> None:
    rows = corpus()
    assert {kind: len(rows[kind]) for kind in ("accept", "reject", "derive")} == {
        "accept": 1,
        "reject": 6,
        "derive": 34,
    }


def disagreements(rows: list[Json]) -> list[str]:
    """Labels of the rows whose output is not the expected one to the key."""
    return [row["__label"] for row in rows if derived(row["input"]) != row["expected"]]


@pytest.mark.shared
@pytest.mark.parametrize("number", range(34))
def test_every_derived_row_agrees_to_the_key(number: int) -> None:
    assert disagreements([corpus()["derive"][number]]) == []


@pytest.mark.shared
@pytest.mark.parametrize("number", range(34))
def test_a_corrupted_row_is_found_among_the_others(number: int) -> None:
    rows = copy.deepcopy(corpus()["derive"])
    spoilt = rows[number]
    for key in list(spoilt["expected"]):
        right = spoilt["expected"].pop(key)
        assert disagreements(rows) == [spoilt["__label"]]
        spoilt["expected"][key] = {"other": right}
        assert disagreements(rows) == [spoilt["__label"]]
        spoilt["expected"][key] = right
    spoilt["expected"]["extra"] = None
    assert disagreements(rows) == [spoilt["__label"]]


@pytest.mark.shared
def test_the_accepted_row_is_read() -> None:
    (row,) = corpus()["accept"]
    assert read_verdict_input(row["input"]).goal_score is not None


@pytest.mark.shared
@pytest.mark.parametrize("number", range(6))
def test_every_rejected_row_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_verdict_input(corpus()["reject"][number]["input"])


def source(**more: Any) -> Json:
    whole: Json = {
        "attempt": {"status": "succeeded"},
        "hasTranscript": True,
        "rubric": [],
        "criteria": None,
        "goalScore": None,
        "judge": {"automatic": False, "role": "advisory"},
        "grading": {"state": "settled"},
    }
    whole.update(more)
    return whole


def entry(name: str = "check", role: str = "required") -> Json:
    return {"id": name, "role": role}


def completed(*results: Json, claimed: list[str] | None = None) -> Json:
    criteria: Json = {"status": "completed", "results": list(results)}
    return criteria if claimed is None else {**criteria, "criterionIds": claimed}


def result(name: str = "check", *, passed: bool = True, **more: Any) -> Json:
    return {"criterionId": name, "passed": passed, **more}


PASSED = {"status": "completed", "passed": True}
MISSED = {"status": "completed", "passed": False}
AUTOMATIC = {"automatic": True, "role": "advisory"}
REQUIRED_JUDGE = {"automatic": True, "role": "required"}
UNMEASURED = {"rubric": [entry()], "criteria": None}

INPUT_ERRORS = [
    ("unknown key", source(extra=1), "extra"),
    ("unknown nested key", source(judge={**AUTOMATIC, "extra": 1}), "extra"),
    ("our own spelling", {**source(), "has_transcript": True}, "has_transcript"),
    ("missing key", {key: value for key, value in source().items() if key != "judge"}, "judge"),
    ("wrong type", source(hasTranscript="yes"), "hasTranscript"),
    ("unknown status", source(attempt={"status": "done"}), "status"),
    ("rubric id twice", source(rubric=[entry(), entry(role="advisory")]), "more than once"),
    (
        "claimed twice",
        source(rubric=[entry()], criteria=completed(claimed=["check", "check"])),
        "more than once",
    ),
    ("claimed and not defined", source(criteria=completed(claimed=["check"])), "the rubric"),
    ("graded and not defined", source(criteria=completed(result())), "the rubric"),
    (
        "graded twice",
        source(rubric=[entry()], criteria=completed(result(), result())),
        "more than once",
    ),
    (
        "graded outside the claim",
        source(rubric=[entry()], criteria=completed(result(), claimed=[])),
        "criterionIds",
    ),
    ("score without decision", source(goalScore={"status": "completed"}), "goalScore.passed"),
]


@pytest.mark.parametrize(
    ("wrong", "said"), [case[1:] for case in INPUT_ERRORS], ids=[case[0] for case in INPUT_ERRORS]
)
def test_an_input_error_is_refused_with_its_place(wrong: Json, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_verdict_input(wrong)


# One row of the decision table a line: its number, what differs from the base, the reason.
TABLE = [
    ("1", {"attempt": None, "goalScore": MISSED}, "attemptPending"),
    ("2", {"attempt": {"status": "running"}, "goalScore": MISSED}, "attemptRunning"),
    (
        "3",
        {"attempt": {"status": "succeeded", "errorCode": "run_timeout"}, "goalScore": MISSED},
        "withdrawn",
    ),
    (
        "4",
        {
            "attempt": {"status": "rate_limited", "errorCode": "spend_cap_exceeded"},
            "hasTranscript": False,
            "goalScore": MISSED,
        },
        "spendCapReached",
    ),
    (
        "4, with a transcript it is no refusal",
        {"attempt": {"status": "rate_limited", "errorCode": "spend_cap_exceeded"}},
        "ungraded",
    ),
    (
        "5",
        {"attempt": {"status": "rate_limited"}, "hasTranscript": False, "goalScore": MISSED},
        "notRun",
    ),
    (
        "6 before 7",
        {
            "rubric": [entry()],
            "criteria": completed(result(passed=False)),
            "goalScore": MISSED,
            "judge": REQUIRED_JUDGE,
        },
        "gatingCriterionFailed",
    ),
    ("7", {"goalScore": MISSED, "hasTranscript": False}, "judgeFailed"),
    ("8", {"hasTranscript": False, "goalScore": PASSED}, "gradingUnavailable"),
    (
        "9",
        {"hasTranscript": False, "attempt": {"status": "failed"}, "goalScore": PASSED},
        "executionFailed",
    ),
    (
        "10",
        {**UNMEASURED, "criteria": {"status": "failed"}, "judge": REQUIRED_JUDGE},
        "criteriaGradingErrored",
    ),
    (
        "10 needs a required check",
        {"rubric": [entry(role="advisory")], "criteria": {"status": "failed"}},
        "ungraded",
    ),
    ("11", {**UNMEASURED, "criteria": completed()}, "gatingCriterionUnmeasured"),
    (
        "11 before 12",
        {
            **UNMEASURED,
            "criteria": completed(result(status="error", passed=False)),
            "goalScore": {"status": "failed"},
            "judge": REQUIRED_JUDGE,
        },
        "gatingCriterionUnmeasured",
    ),
    ("12", {"goalScore": {"status": "failed"}}, "judgeErrored"),
    (
        "12 needs a decisive judge",
        {
            "rubric": [entry()],
            "criteria": completed(result()),
            "goalScore": {"status": "failed"},
        },
        "allGatingCriteriaPassed",
    ),
    (
        "13, a check is owed",
        {**UNMEASURED, "grading": {"state": "unavailable"}},
        "gradingUnavailable",
    ),
    (
        "13, the judge is owed",
        {"judge": AUTOMATIC, "grading": {"state": "unavailable", "reasonCode": "quota"}},
        "gradingUnavailable",
    ),
    (
        "13 leaves a scored session alone",
        {"judge": AUTOMATIC, "goalScore": PASSED, "grading": {"state": "unavailable"}},
        "judgePassed",
    ),
    ("14", UNMEASURED, "gatingCriterionUnmeasured"),
    (
        "14, checks pending after grading settled",
        {**UNMEASURED, "criteria": {"status": "pending"}},
        "gatingCriterionUnmeasured",
    ),
    (
        "15, pending",
        {**UNMEASURED, "criteria": {"status": "pending"}, "grading": {"state": "running"}},
        "criteriaPending",
    ),
    (
        "15, not claimed",
        {**UNMEASURED, "grading": {"state": "notRequested"}},
        "gradingNotClaimed",
    ),
    ("16", {"judge": AUTOMATIC}, "gradingUnavailable"),
    (
        "16, asked for",
        {"judge": {"automatic": False, "role": "advisory", "requested": True}},
        "gradingUnavailable",
    ),
    (
        "16 needs a judge that is owed",
        {"judge": {"automatic": False, "role": "advisory", "requested": False}},
        "ungraded",
    ),
    (
        "16, a score that never came",
        {"goalScore": {"status": "running"}},
        "gradingUnavailable",
    ),
    (
        "17, waiting",
        {"judge": AUTOMATIC, "grading": {"state": "queued"}},
        "judgePending",
    ),
    (
        "17, score running",
        {"goalScore": {"status": "running"}, "grading": {"state": "notRequested"}},
        "judgePending",
    ),
    (
        "17, not claimed",
        {"judge": AUTOMATIC, "grading": {"state": "notRequested"}},
        "gradingNotClaimed",
    ),
    (
        "18, judge",
        {"judge": AUTOMATIC, "goalScore": PASSED, "grading": {"state": "running"}},
        "judgePending",
    ),
    (
        "18, checks",
        {
            "rubric": [entry()],
            "criteria": completed(result()),
            "grading": {"state": "running"},
        },
        "criteriaPending",
    ),
    (
        "18, nothing configured",
        {"grading": {"state": "queued"}},
        "criteriaPending",
    ),
    (
        "19, combined",
        {
            "rubric": [entry()],
            "criteria": completed(result()),
            "goalScore": PASSED,
            "judge": REQUIRED_JUDGE,
        },
        "allGradersPassed",
    ),
    ("19, judge alone", {"goalScore": PASSED}, "judgePassed"),
    (
        "20",
        {"rubric": [entry()], "criteria": completed(result()), "goalScore": MISSED},
        "allGatingCriteriaPassed",
    ),
    ("21", {}, "ungraded"),
]


@pytest.mark.parametrize(
    ("change", "reason"), [case[1:] for case in TABLE], ids=[case[0] for case in TABLE]
)
def test_the_decision_table_row_by_row(change: Json, reason: str) -> None:
    verdict = derive_verdict(read_verdict_input(source(**change)))
    assert verdict.reason == reason
    assert verdict.verdict is SESSION_VERDICT[verdict.reason]


def test_every_reason_is_reached() -> None:
    assert {case[2] for case in TABLE} == set(SessionVerdictReason)


ADVISORY = [entry("a", "advisory"), entry("b", "advisory")]

CRITERIA_READINESS = [
    ("empty rubric", {"criteria": {"status": "failed"}}, "notConfigured"),
    ("no criteria", UNMEASURED, "notClaimed"),
    ("pending", {**UNMEASURED, "criteria": {"status": "pending"}}, "pending"),
    ("failed", {**UNMEASURED, "criteria": {"status": "failed"}}, "errored"),
    ("required without result", {**UNMEASURED, "criteria": completed(claimed=[])}, "errored"),
    (
        "claimed advisory without result",
        {"rubric": ADVISORY, "criteria": completed(result("a"), claimed=["a", "b"])},
        "errored",
    ),
    (
        "unclaimed advisory without result",
        {"rubric": ADVISORY, "criteria": completed(result("a"), claimed=["a"])},
        "scored",
    ),
    (
        "advisory without result and no claim at all",
        {"rubric": ADVISORY, "criteria": completed(result("a"))},
        "errored",
    ),
    (
        "errored result",
        {"rubric": [entry()], "criteria": completed(result(status="error"))},
        "errored",
    ),
    ("scored", {"rubric": [entry()], "criteria": completed(result(passed=False))}, "scored"),
]

JUDGE_READINESS = [
    (
        "not decisive",
        {"rubric": [entry()], "criteria": completed(result()), "goalScore": PASSED},
        "silent",
    ),
    ("scored", {"goalScore": MISSED}, "scored"),
    ("score failed", {"goalScore": {"status": "failed"}}, "errored"),
    (
        "score running",
        {"goalScore": {"status": "running"}, "grading": {"state": "unavailable"}},
        "pending",
    ),
    ("owed and waiting", {"judge": AUTOMATIC, "grading": {"state": "running"}}, "pending"),
    (
        "owed and unavailable",
        {"judge": AUTOMATIC, "grading": {"state": "unavailable"}},
        "errored",
    ),
    ("not owed and unavailable", {"grading": {"state": "unavailable"}}, "notConfigured"),
    ("owed and settled", {"judge": AUTOMATIC}, "notConfigured"),
]


@pytest.mark.parametrize(
    ("change", "state"),
    [case[1:] for case in CRITERIA_READINESS],
    ids=[case[0] for case in CRITERIA_READINESS],
)
def test_how_far_the_checks_got(change: Json, state: str) -> None:
    verdict = derive_verdict(read_verdict_input(source(**change)))
    assert verdict.graders.criteria == state


@pytest.mark.parametrize(
    ("change", "state"),
    [case[1:] for case in JUDGE_READINESS],
    ids=[case[0] for case in JUDGE_READINESS],
)
def test_how_far_the_judge_got(change: Json, state: str) -> None:
    verdict = derive_verdict(read_verdict_input(source(**change)))
    assert verdict.graders.judge == state


def test_every_grader_state_is_reached_where_it_can_stand() -> None:
    by_criteria = {case[2] for case in CRITERIA_READINESS}
    by_judge = {case[2] for case in JUDGE_READINESS}
    for state in GraderReadiness:
        assert (state in by_criteria) is ("criteria" in GRADER_STATES[state])
        assert (state in by_judge) is ("judge" in GRADER_STATES[state])


TRIALS = [
    (Lifecycle.PENDING, {"attempt": None}, {"status": "pending"}),
    (Lifecycle.RUNNING, {"attempt": {"status": "running"}}, {"status": "running"}),
    (
        Lifecycle.WITHDRAWN,
        {"attempt": {"status": "failed", "errorCode": "canceled"}},
        {"status": "cancelled"},
    ),
    (
        Lifecycle.LIMITED,
        {"attempt": {"status": "rate_limited"}, "hasTranscript": False},
        {"status": "setup_failed"},
    ),
    (
        Lifecycle.BROKE,
        {"attempt": {"status": "failed"}, "goalScore": PASSED},
        {"status": "failed"},
    ),
    (Lifecycle.RAN, {"goalScore": PASSED}, {"status": "completed", "taskVerdict": "passed"}),
    (Lifecycle.RAN, {"goalScore": MISSED}, {"status": "completed", "taskVerdict": "failed"}),
    (
        Lifecycle.RAN,
        {"goalScore": {"status": "failed"}},
        {"status": "completed", "evaluatorError": True},
    ),
    (Lifecycle.RAN, {}, None),
]


@pytest.mark.parametrize(("lifecycle", "change", "trial"), TRIALS)
def test_the_session_as_a_trial(lifecycle: Lifecycle, change: Json, trial: Json | None) -> None:
    whole = derived(source(**change))
    assert whole["lifecycle"] == lifecycle
    assert whole["trial"] == trial


def test_counts_tell_required_from_advisory() -> None:
    rubric = [entry("p"), entry("f"), entry("e"), entry("m"), *ADVISORY, entry("c", "advisory")]
    outcomes = [
        result("p"),
        result("f", passed=False),
        result("e", passed=False, status="error"),
        result("a", passed=False),
        result("b", passed=False, status="error"),
        result("c"),
    ]
    counts = derived(source(rubric=rubric, criteria=completed(*outcomes)))["counts"]
    assert counts == {
        "gating": 4,
        "gatingPassed": 1,
        "gatingFailed": 1,
        "gatingUnmeasured": 2,
        "advisoryFailed": 1,
    }


@pytest.mark.parametrize("status", ["pending", "failed"])
def test_results_exist_only_once_the_checks_are_completed(status: str) -> None:
    criteria = {"status": status, "results": [result(passed=False)]}
    counts = derived(source(rubric=[entry()], criteria=criteria))["counts"]
    assert (counts["gatingFailed"], counts["gatingUnmeasured"]) == (0, 1)
