"""One trial as the stage funnel counts it."""

from typing import Final, Literal

from reporter.models.chain import StageRow
from reporter.models.value import value
from reporter.vocabulary import FailureCategory, MaterializationState, Stage, StageReachState

MEASUREMENTS_VERSION: Final = 1
"""Version of the form that measurements have here."""
LATENCY_STAGES: Final = frozenset({Stage.SELECTION, Stage.CALL, Stage.RESPONSE})
"""Stages whose evidence can have lasted some time."""


@value(frozen=True, slots=True)
class StageMeasurement:
    """How far a trial came at one stage, and for how long."""

    stage: Stage
    reach: StageReachState
    latency_ms: float | None = None
    """Length of the union of the cited spans; None without one that has both its times."""


@value(frozen=True, slots=True)
class Measurements:
    """What was measured of one trial.

    Rule: analytics.md section 2.
    """

    rows: tuple[StageMeasurement, ...]
    """One a stage, in stage order."""
    stage_analyzer_version: int
    """Version of the analyzer whose chain was measured."""
    schema_version: int = MEASUREMENTS_VERSION


@value(frozen=True, slots=True)
class TimedSpan:
    """One trace span with its times, in epoch milliseconds; None where a time is missing."""

    id: str
    started_at: float | None = None
    ended_at: float | None = None


@value(frozen=True, slots=True)
class Trial:
    """One session as the funnel counts it.

    Rule: analytics.md section 3.
    """

    trial_key: str
    status: str
    """The iteration's execution status; any word may be recorded."""
    stage_results: tuple[StageRow, ...] | None = None
    stage_analyzer_version: int | None = None
    chain_verified: bool = False
    measurements: Measurements | None = None
    measurements_verified: bool = False
    failure_category: FailureCategory | None = None
    evaluator_errored: bool = False
    intent: str | None = None
    provider: str | None = None
    model: str | None = None
    host_key: str | None = None
    host_name: str | None = None
    execution_engine: str | None = None

    @property
    def analyzer_version(self) -> int | None:
        """The trial's own analyzer version, else its measurements', else None."""
        if self.stage_analyzer_version is not None or self.measurements is None:
            return self.stage_analyzer_version
        return self.measurements.stage_analyzer_version


@value(frozen=True, slots=True)
class SetupSignal:
    """One copy of how a phase of the run's set-up came out.

    Rule: analytics.md sections 3 and 7.
    """

    phase: str
    outcome: Literal["ok", "failed"]
    attribution: str | None = None
    egress_verified: bool | None = None
    duration_ms: float | None = None
    trial_key: str | None = None


@value(frozen=True, slots=True)
class RunIdentity:
    """The run that a funnel is of, and what the reader of its trials understands.

    Rule: analytics.md section 3.
    """

    run_id: str
    suite_id: str
    materialization_state: MaterializationState
    """Supplied by the caller; never inferred from the trials."""
    now: int
    """Epoch milliseconds."""
    reader_stage_analyzer_version: int
    reader_measurements_schema_version: int = MEASUREMENTS_VERSION
    created_at: int | None = None
    """Epoch milliseconds; None means `now`."""
    run_group_id: str | None = None
    config_revision: str | None = None
    case_set_fingerprint: str | None = None
    organization_id: str | None = None
    workspace_id: str | None = None
    project_id: str | None = None
    run_completed_at: int | None = None
    source_max_updated_at: int | None = None
