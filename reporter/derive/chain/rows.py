"""How a stage row is made: one function a state."""

from functools import cache

from reporter.models.chain import StageEvidence, StageRow
from reporter.vocabulary import Stage, StageReason, StageState


def passed(stage: Stage, reason: StageReason, evidence: StageEvidence | None = None) -> StageRow:
    """Return a row that passed."""
    return _row(stage, StageState.PASSED, reason, evidence)


def failed(stage: Stage, reason: StageReason, evidence: StageEvidence | None = None) -> StageRow:
    """Return a row that failed."""
    return _row(stage, StageState.FAILED, reason, evidence)


def not_measured(
    stage: Stage, reason: StageReason, evidence: StageEvidence | None = None
) -> StageRow:
    """Return a row about which nothing is known, and why."""
    return _row(stage, StageState.NOT_MEASURED, reason, evidence)


def not_reached(stage: Stage) -> StageRow:
    """Return a row that an earlier failure cut off."""
    return _bare(stage, StageState.NOT_REACHED, StageReason.EARLIER_STAGE_FAILED)


def not_authored(stage: Stage) -> StageRow:
    """Return a row that does not apply to the case."""
    return _bare(stage, StageState.NOT_APPLICABLE, StageReason.NOT_AUTHORED)


def _row(
    stage: Stage, state: StageState, reason: StageReason, evidence: StageEvidence | None
) -> StageRow:
    if evidence is None:
        return _bare(stage, state, reason)
    return StageRow(stage, state, reason, evidence)


# A wave's facts hold six rows a session, of which many are one of these few.
@cache
def _bare(stage: Stage, state: StageState, reason: StageReason) -> StageRow:
    return StageRow(stage, state, reason)
