import pytest
from builders import Json, assistant, user
from session_cases import (
    AUTOMATIC,
    REQUIRED_JUDGE,
    check,
    criteria,
    facts_of,
    graded,
    judged,
    outcome,
)

from reporter.derive.grades import SCORE_RULE
from reporter.models.facts import SessionFacts
from reporter.vocabulary import CoverageNote, SessionVerdictReason, Stage, StageReason, StageState


def session(
    *raw: Json, rubric: list[Json] | None = None, judge: Json | None = None
) -> SessionFacts:
    return facts_of(user(), assistant(), *raw, rubric=rubric, judge=judge)


def rules(facts: SessionFacts) -> list[str]:
    return [problem.rule for problem in facts.problems]


@pytest.mark.parametrize(
    ("record", "judge", "reason"),
    [
        (judged(passed=True), None, "judgePassed"),
        (judged(passed=False), None, "judgeFailed"),
        (judged(passed=None, score=0.7, threshold=0.7), None, "judgePassed"),
        (judged(passed=None, score=0.69, threshold=0.7), None, "judgeFailed"),
        (judged(passed=False, score=0.9, threshold=0.7), None, "judgeFailed"),
        (judged(passed=None, score=0.9), None, "ungraded"),
        (judged(passed=None, threshold=0.7), None, "ungraded"),
        (judged(passed=None), AUTOMATIC, "gradingNotClaimed"),
        ({"type": "goal_judge", "status": "running", "passed": True}, None, "judgePending"),
        ({"type": "goal_judge", "status": "failed", "passed": True}, None, "judgeErrored"),
    ],
)
def test_what_a_judges_record_says(record: Json, judge: Json | None, reason: str) -> None:
    assert session(record, judge=judge).verdict.reason == reason


def test_a_decision_by_score_is_said_to_be_inferred() -> None:
    facts = session(judged(passed=None, score=0.8, threshold=0.7, reason="good enough"))
    assert facts.judge is not None
    assert (facts.judge.passed, facts.judge.inferred) == (True, SCORE_RULE)
    assert facts.inferred == (("goal_judge.passed", SCORE_RULE),)
    assert facts.inferred_stages == {Stage.USER_VALUE: (SCORE_RULE,)}
    assert rules(facts) == []


def test_a_decision_without_grounds_counts_as_not_recorded_and_is_reported() -> None:
    facts = session(judged(passed=None, reason="hm"), judge=AUTOMATIC)
    assert facts.judge is None
    assert rules(facts) == ["judge-without-decision"]
    assert facts.problems[0].place == "line 3"
    assert CoverageNote.JUDGE_NOT_RUN in facts.notes


def test_an_earlier_judge_stays_history_when_the_last_does_not_decide() -> None:
    assert session(judged(passed=True), judged(passed=None)).judge is None


def test_a_policy_that_nobody_recorded_asks_for_no_judge() -> None:
    facts = session()
    assert not facts.judge_policy_recorded
    assert facts.verdict.reason is SessionVerdictReason.UNGRADED
    assert facts.verdict.graders.judge == "notConfigured"


def test_a_grading_that_nobody_recorded_was_not_requested() -> None:
    facts = session(judge=AUTOMATIC)
    assert facts.judge_policy_recorded
    assert not facts.grading_recorded
    assert facts.verdict.grading.state == "notRequested"
    assert facts.verdict.reason is SessionVerdictReason.GRADING_NOT_CLAIMED
    settled = session(graded("settled"), judge=AUTOMATIC)
    assert settled.grading_recorded
    assert settled.verdict.reason is SessionVerdictReason.GRADING_UNAVAILABLE
    queued = session(graded("settled"), graded("queued", reasonCode="later"), judge=AUTOMATIC)
    assert queued.verdict.grading.reason_code == "later"
    assert queued.verdict.reason is SessionVerdictReason.JUDGE_PENDING


DROPPED = [
    (
        "duplicate",
        criteria(outcome(passed=True), outcome(passed=False)),
        ["criterion-duplicate"],
        "passed",
    ),
    (
        "duplicate, the first failed",
        criteria(outcome(passed=False), outcome(passed=True)),
        ["criterion-duplicate"],
        "failed",
    ),
    ("unknown", criteria(outcome("other"), outcome()), ["criterion-unknown"], "passed"),
    (
        "unclaimed",
        criteria(outcome(), criterionIds=[]),
        ["criterion-unclaimed"],
        "missing",
    ),
    (
        "unclaimed, then claimed nowhere",
        criteria(outcome(), outcome(), criterionIds=["other"]),
        ["criterion-unclaimed", "criterion-unclaimed"],
        "missing",
    ),
    ("claimed", criteria(outcome(), criterionIds=["check", "check"]), [], "passed"),
    ("no claim at all", criteria(outcome()), [], "passed"),
    ("errored", criteria(outcome(passed=False, status="error")), [], "error"),
    (
        "not applicable",
        criteria(outcome(notApplicable={"class": "noCalls", "reason": "no call to judge"})),
        [],
        "notApplicable",
    ),
    ("pending", {"type": "criteria", "status": "pending", "results": [outcome()]}, [], "missing"),
    ("failed", {"type": "criteria", "status": "failed"}, [], "missing"),
]


@pytest.mark.parametrize(
    ("record", "reported", "word"),
    [case[1:] for case in DROPPED],
    ids=[case[0] for case in DROPPED],
)
def test_which_results_count(record: Json, reported: list[str], word: str) -> None:
    facts = session(record, rubric=[check()])
    assert rules(facts) == reported
    (fact,) = facts.criteria
    assert (fact.criterion_id, fact.outcome) == ("check", word)


def test_every_word_of_a_criterion_is_reached() -> None:
    words = {"passed", "failed", "error", "missing", "notApplicable"}
    assert {case[3] for case in DROPPED} == words


def test_a_dropped_result_is_reported_at_its_place() -> None:
    facts = session(criteria(outcome(), outcome()), rubric=[check()])
    (problem,) = facts.problems
    assert problem.place == "line 3: results[1].criterionId"
    assert problem.session_id == "s1"
    assert "check" in problem.what


def test_a_result_that_does_not_apply_is_owed_by_a_required_check() -> None:
    facts = session(
        criteria(outcome(notApplicable={"class": "x"})), graded("settled"), rubric=[check()]
    )
    assert facts.verdict.counts.gating_unmeasured == 1
    assert facts.verdict.reason is SessionVerdictReason.GATING_CRITERION_UNMEASURED


def test_an_advisory_check_that_does_not_apply_is_left_out_for_the_session() -> None:
    record = criteria(
        outcome("a", passed=False, notApplicable={"class": "x", "reason": "nothing to see"}),
        criterionIds=["a"],
    )
    facts = session(record, judged(passed=True), rubric=[check("a", "advisory")])
    assert facts.verdict.graders.criteria == "notConfigured"
    assert facts.verdict.counts.advisory_failed == 0
    assert facts.friction == ()
    (fact,) = facts.criteria
    assert (fact.outcome, fact.reason) == ("notApplicable", "nothing to see")


def test_a_check_of_unknown_role_is_out_with_its_results() -> None:
    rubric = [check("silent", None), check("loud")]
    record = criteria(
        outcome("silent", passed=False), outcome("loud"), criterionIds=["silent", "loud"]
    )
    facts = session(record, rubric=rubric)
    assert [fact.criterion_id for fact in facts.criteria] == ["loud"]
    assert facts.verdict.counts.gating == 1
    assert facts.verdict.reason is SessionVerdictReason.ALL_GATING_CRITERIA_PASSED
    assert rules(facts) == []


def test_a_rubric_of_unknown_roles_alone_is_empty() -> None:
    facts = session(criteria(outcome(passed=False)), judged(), rubric=[check(role=None)])
    assert facts.criteria == ()
    assert facts.verdict.graders.criteria == "notConfigured"
    assert facts.verdict.reason is SessionVerdictReason.JUDGE_PASSED


def test_the_first_of_two_entries_with_one_id_counts() -> None:
    facts = session(criteria(outcome(passed=False)), rubric=[check(), check(role="advisory")])
    assert [fact.role for fact in facts.criteria] == ["required"]
    assert facts.verdict.counts.gating_failed == 1


def test_an_outcome_of_no_known_kind_decides_like_any_other() -> None:
    facts = session(criteria(outcome(passed=False)), rubric=[check()])
    assert facts.verdict.reason is SessionVerdictReason.GATING_CRITERION_FAILED
    assert facts.failed_required == ("check",)
    assert facts.chain is not None
    row = facts.chain.row(Stage.USER_VALUE)
    assert (row.state, row.reason) == (StageState.FAILED, StageReason.PREDICATE_FAILED)


def test_role_and_kind_come_from_the_rubric_and_not_from_an_echo() -> None:
    echo = {"type": "noToolErrors", "role": "advisory"}
    facts = session(
        criteria(outcome(passed=False, predicate=echo)), rubric=[check(kind="responseContains")]
    )
    assert [(fact.role, fact.predicate_type) for fact in facts.criteria] == [
        ("required", "responseContains")
    ]
    assert facts.chain is not None
    assert facts.chain.first_failed_stage is Stage.USER_VALUE


@pytest.mark.parametrize(
    ("inferred", "expected"),
    [
        ({"results": "reward 1.0"}, ["reward 1.0", "reward 1.0"]),
        ({"results[1]": "reward 1.0"}, [None, "reward 1.0"]),
        ({"results[0].passed": "a", "passed": "b"}, ["a", "b"]),
        ({"gradedAt": "file time"}, [None, None]),
    ],
)
def test_the_rule_behind_an_inferred_result(
    inferred: dict[str, str], expected: list[str | None]
) -> None:
    record = criteria(outcome("a"), outcome("b"), inferred=inferred)
    facts = session(record, rubric=[check("a"), check("b")])
    assert [fact.inferred for fact in facts.criteria] == expected


def test_recorded_reasons_are_masked() -> None:
    secret = "AKIA" + "ABCD" * 4
    facts = session(
        criteria(outcome(passed=False, reason=f"leaked {secret}")),
        judged(passed=False, reason=f"saw {secret}"),
        rubric=[check()],
        judge=REQUIRED_JUDGE,
    )
    assert facts.judge is not None
    assert facts.judge.reason == "saw [redacted]"
    assert facts.criteria[0].reason == "leaked [redacted]"
    assert secret not in str(facts.chain)
