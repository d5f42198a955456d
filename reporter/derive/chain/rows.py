"""How a stage row is made: one function a state."""

from reporter.models.chain import StageEvidence, StageRow
from reporter.vocabulary import Stage, StageReason, StageState


def passed(stage: Stage, reason: StageReason, evidence: StageEvidence | None = None) -> StageRow:
    """Return a row that passed."""
    return StageRow(stage, StageState.PASSED, reason, evidence)


def failed(stage: Stage, reason: StageReason, evidence: StageEvidence | None = None) -> StageRow:
    """Return a row that failed."""
    return StageRow(stage, StageState.FAILED, reason, evidence)


def not_measured(
    stage: Stage, reason: StageReason, evidence: StageEvidence | None = None
) -> StageRow:
    """Return a row about which nothing is known, and why."""
    return StageRow(stage, StageState.NOT_MEASURED, reason, evidence)


def not_reached(stage: Stage) -> StageRow:
    """Return a row that an earlier failure cut off."""
    return StageRow(stage, StageState.NOT_REACHED, StageReason.EARLIER_STAGE_FAILED)


def not_authored(stage: Stage) -> StageRow:
    """Return a row that does not apply to the case."""
    return StageRow(stage, StageState.NOT_APPLICABLE, StageReason.NOT_AUTHORED)
