"""The verdict on one session: what its grading settles, and what it leaves open."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from reporter.derive.lifecycle import lifecycle_of
from reporter.models.value import value
from reporter.models.verdict import (
    CriteriaOutcome,
    CriterionOutcome,
    GatingCounts,
    Graders,
    GradingState,
    GradingStateWord,
    RubricEntry,
    SessionVerdict,
    TrialObservation,
    VerdictGrader,
    VerdictInput,
)
from reporter.vocabulary import (
    SESSION_VERDICT,
    GraderReadiness,
    Lifecycle,
    SessionVerdictReason,
    Verdict,
)


@value(frozen=True, slots=True)
class _Case:
    """The inputs of a verdict, reduced to the questions that the decision table asks."""

    lifecycle: Lifecycle
    error_code: str | None
    has_transcript: bool
    required: bool
    """Some entry of the rubric is required."""
    failed: int
    unmeasured: int
    criteria: str | None
    """Status of the criteria, or None where there are none."""
    decisive: bool
    """The judge's word counts for the verdict."""
    owed: bool
    """The judge's word counts, and somebody asked for it or it is there."""
    score: str | None
    """Status of the goal score, or None where there is none."""
    score_passed: bool
    grading: str

    @property
    def waiting(self) -> bool:
        return self.grading in ("queued", "running")

    @property
    def missing(self) -> bool:
        """The judge's word is owed and has not come."""
        return self.owed and self.score != "completed"


_Reason = SessionVerdictReason

# The first row that holds decides. A row of the specification that gives one of two reasons
# stands here as two rows, the conditional one first.
_DECISIONS: Final[Sequence[tuple[_Reason, Callable[[_Case], bool]]]] = (
    (_Reason.ATTEMPT_PENDING, lambda c: c.lifecycle is Lifecycle.PENDING),
    (_Reason.ATTEMPT_RUNNING, lambda c: c.lifecycle is Lifecycle.RUNNING),
    (_Reason.WITHDRAWN, lambda c: c.lifecycle is Lifecycle.WITHDRAWN),
    (
        _Reason.SPEND_CAP_REACHED,
        lambda c: c.lifecycle is Lifecycle.LIMITED and c.error_code == "spend_cap_exceeded",
    ),
    (_Reason.NOT_RUN, lambda c: c.lifecycle is Lifecycle.LIMITED),
    (_Reason.GATING_CRITERION_FAILED, lambda c: c.failed > 0),
    (
        _Reason.JUDGE_FAILED,
        lambda c: c.decisive and c.score == "completed" and not c.score_passed,
    ),
    (
        _Reason.GRADING_UNAVAILABLE,
        lambda c: not c.has_transcript and c.lifecycle is Lifecycle.RAN,
    ),
    (_Reason.EXECUTION_FAILED, lambda c: not c.has_transcript),
    (_Reason.CRITERIA_GRADING_ERRORED, lambda c: c.required and c.criteria == "failed"),
    (
        _Reason.GATING_CRITERION_UNMEASURED,
        lambda c: c.required and c.criteria == "completed" and c.unmeasured > 0,
    ),
    (_Reason.JUDGE_ERRORED, lambda c: c.decisive and c.score == "failed"),
    (
        _Reason.GRADING_UNAVAILABLE,
        lambda c: c.grading == "unavailable" and (c.unmeasured > 0 or c.missing),
    ),
    (
        _Reason.GATING_CRITERION_UNMEASURED,
        lambda c: c.unmeasured > 0 and c.grading == "settled",
    ),
    (_Reason.CRITERIA_PENDING, lambda c: c.unmeasured > 0 and c.criteria is not None),
    (_Reason.GRADING_NOT_CLAIMED, lambda c: c.unmeasured > 0),
    (_Reason.GRADING_UNAVAILABLE, lambda c: c.missing and c.grading == "settled"),
    (_Reason.JUDGE_PENDING, lambda c: c.missing and (c.waiting or c.score == "running")),
    (_Reason.GRADING_NOT_CLAIMED, lambda c: c.missing),
    (_Reason.JUDGE_PENDING, lambda c: c.waiting and c.owed),
    (_Reason.CRITERIA_PENDING, lambda c: c.waiting),
    (
        _Reason.ALL_GRADERS_PASSED,
        lambda c: c.decisive and c.score == "completed" and c.required,
    ),
    (_Reason.JUDGE_PASSED, lambda c: c.decisive and c.score == "completed"),
    (_Reason.ALL_GATING_CRITERIA_PASSED, lambda c: c.required),
)

_SOURCE: Final[Mapping[_Reason, VerdictGrader]] = {
    _Reason.GATING_CRITERION_FAILED: "requiredAssertions",
    _Reason.JUDGE_FAILED: "goalJudge",
    _Reason.ALL_GRADERS_PASSED: "combined",
    _Reason.JUDGE_PASSED: "goalJudge",
    _Reason.ALL_GATING_CRITERIA_PASSED: "requiredAssertions",
}


def derive_verdict(source: VerdictInput) -> SessionVerdict:
    """Decide one session.

    Args:
        source: Consistent input: `read_verdict_input` has checked it, or
            `reporter.derive.grades` has made it.

    Returns:
        The verdict with its reason, what decided it, how far each grader got and what
        the checks came to.

    Rule: findings.md section 4.2.
    """
    lifecycle = lifecycle_of(source.attempt, has_transcript=source.has_transcript)
    outcomes = _outcomes(source.criteria)
    counts = _counts(source.rubric, outcomes)
    score, judge = source.goal_score, source.judge
    decisive = is_judge_decisive(source)
    owed = decisive and (judge.automatic or judge.requested is True or score is not None)
    case = _Case(
        lifecycle=lifecycle,
        error_code=None if source.attempt is None else source.attempt.error_code,
        has_transcript=source.has_transcript,
        required=any(entry.role == "required" for entry in source.rubric),
        failed=counts.failed,
        unmeasured=counts.unmeasured,
        criteria=None if source.criteria is None else source.criteria.status,
        decisive=decisive,
        owed=owed,
        score=None if score is None else score.status,
        score_passed=score is not None and score.passed is True,
        grading=source.grading.state,
    )
    reason = next((word for word, holds in _DECISIONS if holds(case)), _Reason.UNGRADED)
    return _verdict(
        lifecycle,
        reason,
        (source.grading.state, source.grading.reason_code),
        (_criteria_readiness(source.rubric, source.criteria, outcomes), _judge_readiness(case)),
        counts,
    )


def is_judge_decisive(source: VerdictInput) -> bool:
    """Tell whether the judge's word counts for the verdict.

    Rule: findings.md section 4.2, `decisive`.
    """
    return source.judge.role == "required" or all(
        entry.role != "required" for entry in source.rubric
    )


def read_verdict_input(mapping: Mapping[str, Any]) -> VerdictInput:
    """Read the input of a verdict from its wire form.

    Raises:
        ValueError: A key is unknown or missing, a word is not in its list, an id is
            defined, claimed or graded twice, a result belongs to no defined or claimed
            check, or a completed score does not say whether the goal was met. Pydantic's
            `ValidationError` is a `ValueError` too.

    Rule: findings.md section 4.2, input errors.
    """
    source = VerdictInput.model_validate(mapping, by_alias=True, by_name=False)
    defined = [entry.id for entry in source.rubric]
    _refuse_repeats("rubric", defined)
    if source.criteria is not None:
        graded = [outcome.criterion_id for outcome in source.criteria.results or ()]
        _refuse_repeats("criteria.results", graded)
        _refuse_strangers("criteria.results", graded, "the rubric", set(defined))
        if source.criteria.criterion_ids is not None:
            claimed = source.criteria.criterion_ids
            _refuse_repeats("criteria.criterionIds", claimed)
            _refuse_strangers("criteria.criterionIds", claimed, "the rubric", set(defined))
            _refuse_strangers("criteria.results", graded, "criterionIds", set(claimed))
    score = source.goal_score
    if score is not None and score.status == "completed" and score.passed is None:
        raise ValueError("goalScore.passed: a completed score says whether the goal was met")
    return source


def _refuse_repeats(place: str, ids: Sequence[str]) -> None:
    if len(set(ids)) != len(ids):
        repeated = next(name for name in ids if ids.count(name) > 1)
        raise ValueError(f"{place}: {repeated!r} stands there more than once")


def _refuse_strangers(place: str, ids: Sequence[str], home: str, known: Collection[str]) -> None:
    for name in ids:
        if name not in known:
            raise ValueError(f"{place}: {name!r} is not in {home}")


def _outcomes(criteria: CriteriaOutcome | None) -> dict[str, CriterionOutcome]:
    if criteria is None or criteria.status != "completed":
        return {}
    return {outcome.criterion_id: outcome for outcome in criteria.results or ()}


class _Counts(NamedTuple):
    passed: int
    failed: int
    unmeasured: int
    advisory_failed: int


def _counts(rubric: Sequence[RubricEntry], outcomes: Mapping[str, CriterionOutcome]) -> _Counts:
    passed = failed = unmeasured = advisory_failed = 0
    for entry in rubric:
        outcome = outcomes.get(entry.id)
        if outcome is None or outcome.status == "error":
            unmeasured += entry.role == "required"
        elif entry.role == "required":
            passed += outcome.passed
            failed += not outcome.passed
        else:
            advisory_failed += not outcome.passed
    return _Counts(passed, failed, unmeasured, advisory_failed)


def _criteria_readiness(
    rubric: Sequence[RubricEntry],
    criteria: CriteriaOutcome | None,
    outcomes: Mapping[str, CriterionOutcome],
) -> GraderReadiness:
    if not rubric:
        return GraderReadiness.NOT_CONFIGURED
    if criteria is None:
        return GraderReadiness.NOT_CLAIMED
    if criteria.status == "pending":
        return GraderReadiness.PENDING
    if criteria.status == "failed":
        return GraderReadiness.ERRORED
    claimed = criteria.criterion_ids
    for entry in rubric:
        if entry.role == "required" or claimed is None or entry.id in claimed:
            outcome = outcomes.get(entry.id)
            if outcome is None or outcome.status == "error":
                return GraderReadiness.ERRORED
    return GraderReadiness.SCORED


def _judge_readiness(case: _Case) -> GraderReadiness:
    if not case.decisive:
        return GraderReadiness.SILENT
    if case.score == "completed":
        return GraderReadiness.SCORED
    if case.score == "failed":
        return GraderReadiness.ERRORED
    if case.score == "running" or (case.owed and case.waiting):
        return GraderReadiness.PENDING
    if case.owed and case.grading == "unavailable":
        return GraderReadiness.ERRORED
    return GraderReadiness.NOT_CONFIGURED


# A wave holds few distinct verdicts, and a frozen one can be shared: making each anew costs
# more than the whole decision.
@lru_cache(maxsize=1024)
def _verdict(
    lifecycle: Lifecycle,
    reason: SessionVerdictReason,
    grading: tuple[GradingStateWord, str | None],
    graders: tuple[GraderReadiness, GraderReadiness],
    counts: _Counts,
) -> SessionVerdict:
    verdict = SESSION_VERDICT[reason]
    state, reason_code = grading
    criteria, judge = graders
    return SessionVerdict(
        contract_version=1,
        lifecycle=lifecycle,
        verdict=verdict,
        reason=reason,
        verdict_source=_SOURCE.get(reason, "none"),
        grading=GradingState(state=state, reason_code=reason_code),
        graders=Graders(criteria=criteria, judge=judge),
        counts=GatingCounts(
            gating=counts.passed + counts.failed + counts.unmeasured,
            gating_passed=counts.passed,
            gating_failed=counts.failed,
            gating_unmeasured=counts.unmeasured,
            advisory_failed=counts.advisory_failed,
        ),
        trial=_trial(lifecycle, verdict),
    )


def _trial(lifecycle: Lifecycle, verdict: Verdict) -> TrialObservation | None:
    match lifecycle:
        case Lifecycle.PENDING:
            return TrialObservation(status="pending")
        case Lifecycle.RUNNING:
            return TrialObservation(status="running")
        case Lifecycle.WITHDRAWN:
            return TrialObservation(status="cancelled")
        case Lifecycle.LIMITED:
            return TrialObservation(status="setup_failed")
        case Lifecycle.BROKE:
            return TrialObservation(status="failed")
        case Lifecycle.RAN:
            return _ended_trial(verdict)


def _ended_trial(verdict: Verdict) -> TrialObservation | None:
    if verdict is Verdict.PASSED:
        return TrialObservation(status="completed", task_verdict="passed")
    if verdict is Verdict.FAILED:
        return TrialObservation(status="completed", task_verdict="failed")
    if verdict is Verdict.INCONCLUSIVE:
        return TrialObservation(status="completed", evaluator_error=True)
    return None
