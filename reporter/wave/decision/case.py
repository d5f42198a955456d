"""One case of a run: its trials counted, and its own verdict."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from reporter.vocabulary import IterationStatus, TrialExclusionReason, ValidityFinding
from reporter.wave.decision.rates import is_fraction, rate_to_wire
from reporter.wave.decision.refusal import DecisionRefusedError

MOST_TRIALS: Final = 100
"""Trials that one case may be configured with."""
MOST_CASES: Final = 500
MOST_ROWS: Final = 50_000

CASE_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,128}", re.ASCII)
"""What a case may be called."""

_LONGEST_NAME: Final = 200
_NOT_ATTEMPTED: Final = frozenset(
    {IterationStatus.PENDING, IterationStatus.SKIPPED, IterationStatus.CANCELLED}
)
_EXCLUDED: Final[Mapping[str, TrialExclusionReason]] = {
    IterationStatus.PENDING: TrialExclusionReason.NOT_TERMINAL,
    IterationStatus.RUNNING: TrialExclusionReason.NOT_TERMINAL,
    IterationStatus.SKIPPED: TrialExclusionReason.SKIPPED,
    IterationStatus.SETUP_FAILED: TrialExclusionReason.SETUP_FAILED,
    IterationStatus.CANCELLED: TrialExclusionReason.CANCELLED,
    IterationStatus.TIMED_OUT: TrialExclusionReason.TIMED_OUT,
    IterationStatus.FAILED: TrialExclusionReason.EXECUTION_FAILED,
}


@dataclass(slots=True)
class CaseTally:
    """The trials of one case under one variant."""

    configured: int
    attempted: int = 0
    completed: int = 0
    passed: int = 0
    failed: int = 0
    evaluator_errors: int = 0
    not_eligible: Counter[TrialExclusionReason] = field(default_factory=Counter)
    """Every trial that is not in the pass rate, by reason, in the order of occurrence."""
    not_attempted: Counter[TrialExclusionReason] = field(default_factory=Counter)
    """Those of them that never began."""

    @property
    def eligible(self) -> int:
        """Trials that completed with a verdict."""
        return self.passed + self.failed


def check_identity(case: Mapping[str, Any], place: str) -> None:
    """Check what a case is called.

    Raises:
        DecisionRefusedError: Its id or its variant cannot be.

    Rule: decision.md sections A1 and A4.
    """
    case_id = case.get("caseId")
    if not isinstance(case_id, str) or not CASE_ID.fullmatch(case_id):
        raise DecisionRefusedError(
            f"{place}.caseId must match 1 to 128 letters, digits, underscores or hyphens"
        )
    variant = case.get("executionVariant")
    if variant is None:
        return
    if not isinstance(variant, Mapping) or set(variant) - {"model", "provider"}:
        raise DecisionRefusedError(f"{place}.executionVariant: unknown keys")
    for key in ("model", "provider"):
        name = variant.get(key)
        is_named = isinstance(name, str) and 1 <= len(name) <= _LONGEST_NAME
        if not is_named and (key == "model" or key in variant):
            raise DecisionRefusedError(
                f"{place}.executionVariant.{key} must be a non-empty string of at most "
                f"{_LONGEST_NAME} characters"
            )


def identity(case: Mapping[str, Any]) -> tuple[str, str | None, str | None]:
    """Return what tells rows apart: a case without a variant equals no variant's row.

    Rule: decision.md section A4, identity of a row.
    """
    variant = case.get("executionVariant")
    if variant is None:
        return case["caseId"], None, None
    return case["caseId"], variant.get("provider", ""), variant["model"]


def check_identities(cases: Sequence[Mapping[str, Any]]) -> None:
    """Check that no case stands there twice, and none both with and without a variant.

    Raises:
        DecisionRefusedError: One does, or there are too many.
    """
    seen: dict[tuple[str, str | None, str | None], int] = {}
    fans: dict[str, bool] = {}
    if len(cases) > MOST_ROWS:
        raise DecisionRefusedError(f"cases: {len(cases)} rows; at most {MOST_ROWS} are decided")
    for at, case in enumerate(cases):
        place = f"cases[{at}]"
        check_identity(case, place)
        own = identity(case)
        if own in seen:
            raise DecisionRefusedError(
                f"{place}: {own[0]} already has an aggregate in cases[{seen[own]}]"
            )
        seen[own] = at
        keyed = own[2] is not None
        if fans.setdefault(own[0], keyed) is not keyed:
            raise DecisionRefusedError(
                f"{place}: {own[0]} mixes variant-keyed and unkeyed aggregates"
            )
    if len(fans) > MOST_CASES:
        raise DecisionRefusedError(f"cases: {len(fans)} cases; at most {MOST_CASES} are decided")


def count_case(case: Mapping[str, Any], place: str) -> CaseTally:
    """Count the trials of one case.

    Raises:
        DecisionRefusedError: A number, a threshold or a trial cannot be.

    Rule: decision.md sections A2 and A4.
    """
    configured = case.get("configuredTrials")
    whole = isinstance(configured, int) and not isinstance(configured, bool)
    if not whole or not 1 <= configured <= MOST_TRIALS:  # type: ignore[operator]  # whole
        raise DecisionRefusedError(
            f"{place}.configuredTrials must be an integer within 1..{MOST_TRIALS}"
        )
    if not is_fraction(case.get("effectivePassThreshold")):
        raise DecisionRefusedError(f"{place}.effectivePassThreshold must be a fraction in [0,1]")
    trials = case.get("trials") or ()
    if len(trials) > configured:  # type: ignore[operator]  # whole
        raise DecisionRefusedError(
            f"{place}.trials: reported {len(trials)} trials for {configured} configured"
        )
    tally = CaseTally(configured)  # type: ignore[arg-type]  # whole
    for at, trial in enumerate(trials):
        _count_trial(tally, trial, f"{place}.trials[{at}]")
    silent = tally.configured - len(trials)
    if silent:
        tally.not_eligible[TrialExclusionReason.NOT_TERMINAL] += silent
        tally.not_attempted[TrialExclusionReason.NOT_TERMINAL] += silent
    return tally


def _count_trial(tally: CaseTally, trial: Mapping[str, Any], place: str) -> None:
    status = trial.get("status")
    attempted = status not in _NOT_ATTEMPTED
    tally.attempted += attempted
    if status == IterationStatus.COMPLETED:
        _count_completed(tally, trial, place)
        return
    reason = _EXCLUDED.get(str(status))
    if reason is None:
        raise DecisionRefusedError(f"{place}: unknown lifecycle status {status!r}")
    tally.not_eligible[reason] += 1
    if not attempted:
        tally.not_attempted[reason] += 1


def _count_completed(tally: CaseTally, trial: Mapping[str, Any], place: str) -> None:
    tally.completed += 1
    if trial.get("evaluatorError") is True:
        tally.evaluator_errors += 1
        tally.not_eligible[TrialExclusionReason.EVALUATOR_ERROR] += 1
        return
    verdict = trial.get("taskVerdict")
    if verdict not in ("passed", "failed"):
        raise DecisionRefusedError(
            f"{place}: completed with neither a task verdict nor an evaluator error"
        )
    tally.passed += verdict == "passed"
    tally.failed += verdict == "failed"


def case_verdict(passed: int, eligible: int, threshold: float) -> tuple[str, ValidityFinding]:
    """Decide one case; meeting the threshold exactly passes.

    Rule: decision.md section A2.
    """
    if eligible == 0:
        return "inconclusive", ValidityFinding.CASE_HAS_NO_ELIGIBLE_TRIALS
    if passed / eligible >= threshold:
        return "passed", ValidityFinding.CASE_PASS_RATE_MET_THRESHOLD
    return "failed", ValidityFinding.CASE_PASS_RATE_BELOW_THRESHOLD


def case_row(case: Mapping[str, Any], tally: CaseTally) -> dict[str, Any]:
    """Return a case in wire form, keys in contract order.

    Rule: decision.md section A2.
    """
    threshold = case["effectivePassThreshold"]
    verdict, reason = case_verdict(tally.passed, tally.eligible, threshold)
    row: dict[str, Any] = {"caseId": case["caseId"]}
    if case.get("executionVariant") is not None:
        row["executionVariant"] = dict(case["executionVariant"])
    return row | {
        "configuredTrials": tally.configured,
        "attemptedTrials": tally.attempted,
        "eligibleTrials": tally.eligible,
        "passedTrials": tally.passed,
        "failedTrials": tally.failed,
        "effectivePassThreshold": threshold,
        "passRate": rate_to_wire(tally.passed, tally.eligible, tally.not_eligible),
        "completionRate": rate_to_wire(tally.completed, tally.attempted, tally.not_attempted),
        "observedStability": rate_to_wire(
            max(tally.passed, tally.failed), tally.eligible, tally.not_eligible
        ),
        "mixedVerdict": tally.passed > 0 and tally.failed > 0,
        "verdict": verdict,
        "reason": reason.value,
    }
