"""Funnel documents from elsewhere: their form, and the sums that must hold in them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from reporter.errors import Problem
from reporter.models.wire import StrictWireModel
from reporter.vocabulary import (
    CoverageDetailKey,
    ExclusionClass,
    FailureCategory,
    MaterializationState,
    SetupPhase,
    Stage,
    StageReason,
)

MOST_SLICES = 101
"""One overall slice, 50 intents, 25 models, 25 hosts."""

_Count = Annotated[int, Field(ge=0)]
_Amount = Annotated[int | float, Field(ge=0, allow_inf_nan=False)]
_Text = Annotated[str, Field(min_length=1)]


class LatencyRow(StrictWireModel):
    """Samples of a duration."""

    unit: Literal["ms"]
    basis: Literal["evidence_span_union", "setup_phase_wall"]
    sample_count: Annotated[int, Field(ge=1)]
    total_ms: _Amount
    min_ms: _Amount
    max_ms: _Amount


class ReasonCount(StrictWireModel):
    """How often a stage row named one reason."""

    reason: Annotated[StageReason, Field(strict=False)]
    count: Annotated[int, Field(ge=1)]


class CategoryCount(StrictWireModel):
    """How often a trial named one failure category."""

    category: Annotated[FailureCategory, Field(strict=False)]
    count: Annotated[int, Field(ge=1)]


_Excluded = dict[Annotated[ExclusionClass, Field(strict=False)], Annotated[int, Field(ge=1)]]
_Details = dict[Annotated[CoverageDetailKey, Field(strict=False)], Annotated[int, Field(ge=1)]]


class StageRowCounts(StrictWireModel):
    """One stage of a slice."""

    stage: Annotated[Stage, Field(strict=False)]
    applicable: _Count
    reached: _Count
    not_reached: _Count
    reach_unknown: _Count
    measured: _Count
    passed: _Count
    failed: _Count
    not_measured: _Count
    not_applicable: _Count
    excluded: _Excluded
    reasons: list[ReasonCount]
    latency: LatencyRow | None = None


class OverallSlice(StrictWireModel):
    """All trials."""

    dimension: Literal["overall"]


class IntentSlice(StrictWireModel):
    """Trials after one kind of thing; None for those that do not say."""

    dimension: Literal["intent"]
    intent: str | None


class ModelSlice(StrictWireModel):
    """Trials with one model."""

    dimension: Literal["model"]
    provider: str
    model: str


class HostSlice(StrictWireModel):
    """Trials in one client program."""

    dimension: Literal["host"]
    host_key: str
    host_name: str | None = None
    execution_engine: str | None = None


class SliceRow(StrictWireModel):
    """One slice with its counts."""

    slice: Annotated[
        OverallSlice | IntentSlice | ModelSlice | HostSlice, Field(discriminator="dimension")
    ]
    included_trials: _Count
    excluded_trials: _Excluded
    failure_categories: list[CategoryCount]
    stages: Annotated[list[StageRowCounts], Field(min_length=6, max_length=6)]


class SetupRow(StrictWireModel):
    """One phase of the run's set-up."""

    phase: Annotated[SetupPhase, Field(strict=False)]
    unique_attempts: _Count
    failed_attempts: _Count
    server_attributed_failures: _Count
    impacted_trials: _Count
    latency: LatencyRow | None = None


class Truncation(StrictWireModel):
    """How many slices of a dimension were left out."""

    dimension: Literal["intent", "model", "host"]
    distinct_values: _Count
    retained: _Count


class FunnelDocument(StrictWireModel):
    """A funnel document, closed throughout.

    Rule: analytics.md section 8.
    """

    schema_version: Literal[1]
    measurement_unit: Literal["trial"]
    run_id: _Text
    suite_id: _Text
    run_group_id: str | None = None
    config_revision: str | None = None
    case_set_fingerprint: str | None = None
    organization_id: str | None = None
    workspace_id: str | None = None
    project_id: str | None = None
    run_completed_at: _Amount | None = None
    source_iteration_count: _Count
    source_max_updated_at: _Amount | None = None
    stage_analyzer_version: _Count
    source_stage_analyzer_versions: list[_Count] | None = None
    measurements_schema_version: _Count
    source_measurements_schema_versions: list[_Count] | None = None
    materialization_state: Annotated[MaterializationState, Field(strict=False)]
    created_at: _Amount
    updated_at: _Amount
    included_trials: _Count
    excluded_trials: _Excluded
    total_trials: _Count
    excluded_trial_detail: _Details
    slices: Annotated[list[SliceRow], Field(max_length=MOST_SLICES)]
    setup: list[SetupRow]
    slice_truncation: list[Truncation] | None = None


_ADAPTER = TypeAdapter(FunnelDocument)


def funnel_problems(raw: Mapping[str, Any], *, file: str) -> list[Problem]:
    """Say everything that is wrong with a funnel document.

    Args:
        raw: The document in wire form.
        file: Name of the file that it stands in.

    Returns:
        An empty list where it is valid; wrong sums are looked for only in a right form.

    Rule: analytics.md section 8, document checks.
    """
    try:
        document = _ADAPTER.validate_python(raw)
    except ValidationError as error:
        return [
            _problem(file, ".".join(map(str, one["loc"])), f"{one['msg']}.")
            for one in error.errors(include_url=False, include_input=False)
        ]
    return [_problem(file, place, what) for place, what in _sums(document)]


def _problem(file: str, place: str, what: str) -> Problem:
    return Problem(file, place, what, "Export the document again.", "analytics-invalid")


def _sums(document: FunnelDocument) -> Iterator[tuple[str, str]]:
    overall = [row for row in document.slices if row.slice.dimension == "overall"]
    if len(overall) != 1:
        yield "slices", f"There are {len(overall)} overall slices, and not exactly one."
    elif overall[0].included_trials != document.included_trials:
        yield "includedTrials", "The overall slice counts another number of included trials."
    if document.included_trials > document.total_trials:
        yield "includedTrials", "More trials are included than there are."
    for phase, count in Counter(row.phase for row in document.setup).items():
        if count > 1:
            yield "setup", f"The phase {phase.value} stands there {count} times."
    for at, row in enumerate(document.slices):
        yield from _stage_sums(f"slices.{at}", row)
    for at, setup in enumerate(document.setup):
        place = f"setup.{at}"
        if setup.failed_attempts > setup.unique_attempts:
            yield place, "More attempts failed than were made."
        if setup.server_attributed_failures > setup.failed_attempts:
            yield place, "More failures are the server's than there are."
        yield from _latency_sums(place, setup.latency)


def _stage_sums(place: str, row: SliceRow) -> Iterator[tuple[str, str]]:
    for stage, counts in zip(Stage, row.stages, strict=True):
        where = f"{place}.stages.{stage.value}"
        if counts.stage is not stage:
            yield where, f"The row of {counts.stage.value} stands in this place."
        if counts.passed + counts.failed != counts.measured:
            yield where, "passed and failed do not add up to measured."
        if counts.measured + counts.not_measured != counts.reached:
            yield where, "measured and notMeasured do not add up to reached."
        if counts.reached + counts.not_reached + counts.reach_unknown != counts.applicable:
            yield where, "reached, notReached and reachUnknown do not add up to applicable."
        if counts.latency and counts.latency.sample_count > counts.reached:
            yield where, "It has more latency samples than trials that reached it."
        yield from _latency_sums(where, counts.latency)


def _latency_sums(place: str, latency: LatencyRow | None) -> Iterator[tuple[str, str]]:
    if latency is None:
        return
    if latency.min_ms > latency.max_ms:
        yield place, "The least latency is above the most."
    least, most = latency.min_ms * latency.sample_count, latency.max_ms * latency.sample_count
    # Sums of decimal fractions miss their bound by a hair.
    slack = 1e-9 * max(1.0, most)
    if not least - slack <= latency.total_ms <= most + slack:
        yield place, "The total latency is not between its least and its most."
