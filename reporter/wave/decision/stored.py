"""Decisions that somebody else stored: closed, and equal to what their counts give."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from reporter.models.wire import StrictWireModel
from reporter.vocabulary import TrialExclusionReason, ValidityFinding
from reporter.wave.decision.case import case_verdict, check_identities
from reporter.wave.decision.policy import RunTotals, check_policy, failed_checks, run_verdict
from reporter.wave.decision.refusal import DecisionRefusedError

_Count = Annotated[int, Field(ge=0)]
_Fraction = Annotated[int | float, Field(ge=0, le=1)]
_Reason = Annotated[ValidityFinding, Field(strict=False)]
_Word = Literal["passed", "failed", "inconclusive"]


class StoredRate(StrictWireModel):
    """A rate with its populations."""

    state: Literal["measured", "notMeasured"]
    value: int | float | None
    numerator: _Count
    denominator: _Count
    exclusions: dict[
        Annotated[TrialExclusionReason, Field(strict=False)], Annotated[int, Field(ge=1)]
    ]


class StoredVariant(StrictWireModel):
    """The model that a case ran under."""

    model: Annotated[str, Field(min_length=1, max_length=200)]
    provider: Annotated[str, Field(min_length=1, max_length=200)] | None = None


class StoredCase(StrictWireModel):
    """One case of a decision."""

    case_id: Annotated[str, Field(pattern=r"\A[A-Za-z0-9_-]{1,128}\z")]
    execution_variant: StoredVariant | None = None
    configured_trials: Annotated[int, Field(ge=1, le=100)]
    attempted_trials: _Count
    eligible_trials: _Count
    passed_trials: _Count
    failed_trials: _Count
    effective_pass_threshold: _Fraction
    pass_rate: StoredRate
    completion_rate: StoredRate
    observed_stability: StoredRate
    mixed_verdict: bool
    verdict: _Word
    reason: _Reason


class StoredValidity(StrictWireModel):
    """Whether the run covers enough to be decided."""

    policy: dict[str, Any]
    holds: bool
    configured_trials: _Count
    attempted_trials: _Count
    eligible_trials: _Count
    completion_rate: StoredRate
    evaluator_error_rate: StoredRate


class StoredDecision(StrictWireModel):
    """A decision under per-case grading."""

    verdict_policy_version: Literal[2]
    verdict: _Word
    reasons: list[_Reason]
    validity: StoredValidity
    cases: Annotated[list[StoredCase], Field(min_length=1)]


_ADAPTER = TypeAdapter(StoredDecision)


def decision_faults(raw: object) -> list[str]:
    """Say everything that is wrong with a stored decision, each with its place.

    Args:
        raw: Any JSON value.

    Returns:
        An empty list for a valid decision.

    Rule: decision.md section A5.
    """
    try:
        decision = _ADAPTER.validate_python(raw)
    except ValidationError as error:
        return [
            f"{'.'.join(map(str, one['loc']))}: {one['msg']}"
            for one in error.errors(include_url=False, include_input=False)
        ]
    try:
        check_policy(decision.validity.policy)
        check_identities([_bare(case) for case in decision.cases])
    except DecisionRefusedError as error:
        return [str(error)]
    return [*_case_faults(decision), *_run_faults(decision)]


def _bare(case: StoredCase) -> Mapping[str, Any]:
    return case.model_dump(exclude_none=True)


def _case_faults(decision: StoredDecision) -> Iterator[str]:
    for at, case in enumerate(decision.cases):
        place = f"cases.{at}"
        eligible, attempted = case.eligible_trials, case.attempted_trials
        if case.passed_trials + case.failed_trials != eligible:
            yield f"{place}.eligibleTrials: not the sum of passed and failed"
        if not eligible <= attempted <= case.configured_trials:
            yield f"{place}: eligible, attempted and configured trials do not contain each other"
        most = max(case.passed_trials, case.failed_trials)
        yield from _rate_faults(f"{place}.passRate", case.pass_rate, eligible, case.passed_trials)
        yield from _rate_faults(f"{place}.completionRate", case.completion_rate, attempted)
        yield from _rate_faults(
            f"{place}.observedStability", case.observed_stability, eligible, most
        )
        if case.completion_rate.numerator < eligible:
            yield f"{place}.completionRate: fewer completed trials than graded ones"
        if case.mixed_verdict is not (case.passed_trials > 0 and case.failed_trials > 0):
            yield f"{place}.mixedVerdict: not what the trials say"
        word, reason = case_verdict(case.passed_trials, eligible, case.effective_pass_threshold)
        if (case.verdict, case.reason) != (word, reason):
            yield f"{place}.verdict: the trials give {word}, {reason.value}"


def _rate_faults(
    place: str, rate: StoredRate, denominator: int, numerator: int | None = None
) -> Iterator[str]:
    if denominator == 0:
        blank = (rate.state, rate.value, rate.numerator, rate.denominator)
        if blank != ("notMeasured", None, 0, 0):
            yield f"{place}: measured over nothing"
        return
    if rate.state != "measured" or rate.denominator != denominator:
        yield f"{place}: its population is not the {denominator} trials that it is of"
    elif rate.numerator > denominator or numerator not in (None, rate.numerator):
        yield f"{place}.numerator: not what the trials say"
    elif rate.value != rate.numerator / denominator:
        yield f"{place}.value: not the exact quotient"


def _run_faults(decision: StoredDecision) -> Iterator[str]:
    validity, cases = decision.validity, decision.cases
    for name, total in (
        ("configured_trials", validity.configured_trials),
        ("attempted_trials", validity.attempted_trials),
        ("eligible_trials", validity.eligible_trials),
    ):
        if total != sum(getattr(case, name) for case in cases):
            yield f"validity.{name}: not the sum over the cases"
    completed = sum(case.completion_rate.numerator for case in cases)
    attempted = validity.attempted_trials
    yield from _rate_faults(
        "validity.completionRate", validity.completion_rate, attempted, completed
    )
    yield from _rate_faults("validity.evaluatorErrorRate", validity.evaluator_error_rate, attempted)
    failed = failed_checks(
        validity.policy,
        RunTotals(
            configured=validity.configured_trials,
            attempted=attempted,
            eligible=validity.eligible_trials,
            completion=validity.completion_rate.model_dump(),
            evaluator_errors=validity.evaluator_error_rate.model_dump(),
            all_cases_graded=all(case.eligible_trials for case in cases),
        ),
    )
    if validity.holds is bool(failed):
        yield "validity.holds: not what the checks give"
    word, reasons = run_verdict(failed, [case.verdict for case in cases])
    if decision.verdict != word:
        yield f"verdict: the checks and cases give {word}"
    if decision.reasons != reasons:
        yield f"reasons: {', '.join(reasons)} were expected, in this order"
