"""What goes into a session's verdict and what comes out, in the contract's own keys."""

from typing import Any, Literal

from pydantic import Field

from reporter.models.wire import StrictWireModel
from reporter.vocabulary import GraderReadiness, Lifecycle, SessionVerdictReason, Verdict

GradingStateWord = Literal["notRequested", "queued", "running", "settled", "unavailable"]
VerdictGrader = Literal["requiredAssertions", "goalJudge", "combined", "none"]


class VerdictAttempt(StrictWireModel):
    """What the runner recorded."""

    status: Literal["pending", "running", "succeeded", "failed", "rate_limited"]
    error_code: str | None = None


class RubricEntry(StrictWireModel):
    """One check that was defined."""

    id: str
    role: Literal["advisory", "required"]
    predicate_type: str | None = None


class CriterionOutcome(StrictWireModel):
    """One check's result."""

    criterion_id: str
    passed: bool
    status: Literal["scored", "error"] | None = None


class CriteriaOutcome(StrictWireModel):
    """The results of all checks."""

    status: Literal["pending", "completed", "failed"]
    criterion_ids: list[str] | None = None
    results: list[CriterionOutcome] | None = None


class GoalScore(StrictWireModel):
    """The judge's word."""

    status: Literal["running", "completed", "failed"]
    passed: bool | None = None


class VerdictJudge(StrictWireModel):
    """The judge's part in the decision."""

    automatic: bool
    role: Literal["advisory", "required"]
    requested: bool | None = None


class GradingState(StrictWireModel):
    """How far grading got."""

    state: GradingStateWord
    reason_code: str | None = None


class VerdictInput(StrictWireModel):
    """Everything the decision table reads."""

    attempt: VerdictAttempt | None
    has_transcript: bool
    rubric: list[RubricEntry]
    criteria: CriteriaOutcome | None
    goal_score: GoalScore | None
    judge: VerdictJudge
    grading: GradingState


class Graders(StrictWireModel):
    """How far each grader got."""

    criteria: GraderReadiness
    judge: GraderReadiness


class GatingCounts(StrictWireModel):
    """What the checks came to."""

    gating: int = Field(ge=0)
    gating_passed: int = Field(ge=0)
    gating_failed: int = Field(ge=0)
    gating_unmeasured: int = Field(ge=0)
    advisory_failed: int = Field(ge=0)


class TrialObservation(StrictWireModel):
    """The session as one trial of a run."""

    status: Literal[
        "pending", "running", "completed", "failed", "cancelled", "timed_out", "setup_failed"
    ]
    task_verdict: Literal["passed", "failed"] | None = None
    evaluator_error: bool | None = None

    def to_wire(self) -> dict[str, Any]:
        """Return the observation in wire form, absent keys absent."""
        pairs = (("taskVerdict", self.task_verdict), ("evaluatorError", self.evaluator_error))
        return {"status": self.status, **{key: value for key, value in pairs if value is not None}}


class SessionVerdict(StrictWireModel):
    """The verdict on one session, whole."""

    contract_version: Literal[1] = 1
    lifecycle: Lifecycle
    verdict: Verdict
    reason: SessionVerdictReason
    verdict_source: VerdictGrader
    grading: GradingState
    graders: Graders
    counts: GatingCounts
    trial: TrialObservation | None
    """None for a session that ran to its end and whose goal nobody decided or broke over."""

    def to_wire(self) -> dict[str, Any]:
        """Return the verdict in wire form: absent keys stay absent, and `trial` may be null."""
        grading: dict[str, Any] = {"state": self.grading.state}
        if self.grading.reason_code is not None:
            grading["reasonCode"] = self.grading.reason_code
        counts = self.counts
        return {
            "contractVersion": self.contract_version,
            "lifecycle": self.lifecycle.value,
            "verdict": self.verdict.value,
            "reason": self.reason.value,
            "verdictSource": self.verdict_source,
            "grading": grading,
            "graders": {
                "criteria": self.graders.criteria.value,
                "judge": self.graders.judge.value,
            },
            "counts": {
                "gating": counts.gating,
                "gatingPassed": counts.gating_passed,
                "gatingFailed": counts.gating_failed,
                "gatingUnmeasured": counts.gating_unmeasured,
                "advisoryFailed": counts.advisory_failed,
            },
            "trial": None if self.trial is None else self.trial.to_wire(),
        }
