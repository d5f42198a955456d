"""The suite's policy: when a run covers enough to be decided at all."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from reporter.vocabulary import ValidityFinding
from reporter.wave.decision.rates import is_fraction
from reporter.wave.decision.refusal import DecisionRefusedError

DEFAULT_POLICY: Final[Mapping[str, Any]] = {
    "coverage": {"kind": "allConfiguredTrialsAttempted", "minGradeableTrials": 1},
    "minCompletionRate": 0.8,
    "maxEvaluatorErrorRate": 0.1,
}
"""The policy of a suite that states none.

Rule: decision.md section A1.
"""

_KEYS: Final = frozenset({"coverage", "minCompletionRate", "maxEvaluatorErrorRate"})


@dataclass(frozen=True, slots=True)
class RunTotals:
    """What the validity of a run is told by."""

    configured: int
    attempted: int
    eligible: int
    completion: Mapping[str, Any]
    """The run's completion rate in wire form."""
    evaluator_errors: Mapping[str, Any]
    """The run's rate of broken gradings in wire form."""
    all_cases_graded: bool
    """Every case has a trial that could be graded."""


def check_policy(policy: object) -> Mapping[str, Any]:
    """Return a policy that was checked.

    Raises:
        DecisionRefusedError: It is not what a policy may be.

    Rule: decision.md sections A1 and A4.
    """
    if not isinstance(policy, Mapping) or set(policy) - _KEYS:
        raise DecisionRefusedError("policy: an object of coverage and two rates was expected")
    for key in ("minCompletionRate", "maxEvaluatorErrorRate"):
        if not is_fraction(policy.get(key)):
            raise DecisionRefusedError(f"policy.{key} must be a fraction in [0,1]")
    _check_coverage(policy.get("coverage"))
    return policy


def _check_coverage(coverage: object) -> None:
    kind = coverage.get("kind") if isinstance(coverage, Mapping) else None
    if isinstance(coverage, Mapping) and kind == "allConfiguredTrialsAttempted":
        floor = coverage.get("minGradeableTrials")
        if set(coverage) != {"kind", "minGradeableTrials"}:
            raise DecisionRefusedError("policy.coverage: it has other keys than its kind takes")
        if floor != 1 or isinstance(floor, bool):
            raise DecisionRefusedError(
                "policy.coverage.minGradeableTrials is pinned to 1 under the default coverage rule"
            )
    elif isinstance(coverage, Mapping) and kind == "minEligibleTrials":
        floor = coverage.get("minEligibleTrials")
        if set(coverage) != {"kind", "minEligibleTrials"}:
            raise DecisionRefusedError("policy.coverage: it has other keys than its kind takes")
        if not isinstance(floor, int) or isinstance(floor, bool) or floor < 1:
            raise DecisionRefusedError("policy.coverage.minEligibleTrials must be at least 1")
    else:
        raise DecisionRefusedError("policy.coverage: its kind is none of the known ones")


def failed_checks(policy: Mapping[str, Any], run: RunTotals) -> list[ValidityFinding]:
    """Return the validity checks that a run fails, in contract order.

    Rule: decision.md section A3.
    """
    coverage = policy["coverage"]
    found: set[ValidityFinding] = set()
    if coverage["kind"] == "minEligibleTrials":
        if run.eligible < coverage["minEligibleTrials"]:
            found.add(ValidityFinding.ELIGIBLE_TRIALS_BELOW_MINIMUM)
    else:
        if run.attempted != run.configured:
            found.add(ValidityFinding.CONFIGURED_TRIALS_NOT_ATTEMPTED)
        if run.eligible < 1:
            found.add(ValidityFinding.NO_GRADEABLE_TRIALS)
    if run.completion["state"] != "measured":
        found.add(ValidityFinding.COMPLETION_RATE_NOT_MEASURED)
    elif run.completion["value"] < policy["minCompletionRate"]:
        found.add(ValidityFinding.COMPLETION_RATE_BELOW_MINIMUM)
    if run.evaluator_errors["state"] != "measured":
        found.add(ValidityFinding.EVALUATOR_ERROR_RATE_NOT_MEASURED)
    elif run.evaluator_errors["value"] > policy["maxEvaluatorErrorRate"]:
        found.add(ValidityFinding.EVALUATOR_ERROR_RATE_ABOVE_MAXIMUM)
    if not run.all_cases_graded:
        found.add(ValidityFinding.CASE_HAS_NO_ELIGIBLE_TRIALS)
    return [finding for finding in ValidityFinding if finding in found]


def run_verdict(
    failed: list[ValidityFinding], case_verdicts: list[str]
) -> tuple[str, list[ValidityFinding]]:
    """Decide a run from its failed checks and its cases' verdicts.

    Returns:
        The verdict and its reasons: never a case's own, never two for a decided run.

    Rule: decision.md section A3.
    """
    if failed:
        return "inconclusive", failed
    if "failed" in case_verdicts:
        return "failed", [ValidityFinding.CASE_PASS_RATE_BELOW_THRESHOLD]
    return "passed", [ValidityFinding.ALL_MEASURED_CASES_MET_THRESHOLD]
