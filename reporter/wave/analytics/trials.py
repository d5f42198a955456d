"""Trials, signals and runs from their wire form, as a caller of the aggregation passes them."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, TypeVar

from reporter.models.analytics import Measurements, RunIdentity, SetupSignal, Trial
from reporter.models.chain import StageEvidence, StageRow
from reporter.vocabulary import (
    FailureCategory,
    MaterializationState,
    Stage,
    StageReason,
    StageState,
)
from reporter.wave.analytics.measurements import read_measurements

_Word = TypeVar("_Word", bound=StrEnum)


def trial_from_wire(raw: Mapping[str, Any]) -> Trial:
    """Read one trial.

    Measurements that are refused count as measurements that did not stand up to checking,
    except for a newer form, which is told apart by its version.

    Raises:
        ValueError: A stage row names a state, a reason or a stage that is not known.

    Rule: analytics.md section 3, `trial`.
    """
    measured = raw.get("measurements")
    read = None if measured is None else read_measurements(measured)
    refused = isinstance(read, str)
    return Trial(
        trial_key=raw["trialKey"],
        status=raw["status"],
        stage_results=_rows(raw.get("stageResults")),
        stage_analyzer_version=raw.get("stageAnalyzerVersion"),
        chain_verified=raw.get("chainVerified") is True,
        measurements=_unread(measured) if isinstance(read, str) else read,
        measurements_verified=raw.get("measurementsVerified") is True and not refused,
        failure_category=_category(raw.get("failureCategory")),
        evaluator_errored=raw.get("evaluatorErrored") is True,
        intent=raw.get("intent"),
        provider=raw.get("provider"),
        model=raw.get("model"),
        host_key=raw.get("hostKey"),
        host_name=raw.get("hostName"),
        execution_engine=raw.get("executionEngine"),
    )


def signal_from_wire(raw: Mapping[str, Any]) -> SetupSignal:
    """Read one copy of a set-up signal.

    Rule: analytics.md section 3, `setupSignals`.
    """
    return SetupSignal(
        phase=raw["phase"],
        outcome=raw["outcome"],
        attribution=raw.get("attribution"),
        egress_verified=raw.get("egressVerified"),
        duration_ms=raw.get("durationMs"),
        trial_key=raw.get("trialKey"),
    )


def run_from_wire(raw: Mapping[str, Any]) -> RunIdentity:
    """Read the run that a funnel is of.

    Rule: analytics.md section 3, `run`.
    """
    return RunIdentity(
        run_id=raw["runId"],
        suite_id=raw["suiteId"],
        materialization_state=_word(MaterializationState, raw["materializationState"]),
        now=raw["now"],
        reader_stage_analyzer_version=raw["readerStageAnalyzerVersion"],
        reader_measurements_schema_version=raw.get("readerMeasurementsSchemaVersion", 1),
        created_at=raw.get("createdAt"),
        run_group_id=raw.get("runGroupId"),
        config_revision=raw.get("configRevision"),
        case_set_fingerprint=raw.get("caseSetFingerprint"),
        organization_id=raw.get("organizationId"),
        workspace_id=raw.get("workspaceId"),
        project_id=raw.get("projectId"),
        run_completed_at=raw.get("runCompletedAt"),
        source_max_updated_at=raw.get("sourceMaxUpdatedAt"),
    )


def _rows(raw: Any) -> tuple[StageRow, ...] | None:  # noqa: ANN401  any JSON value
    if raw is None:
        return None
    return tuple(
        StageRow(
            stage=_word(Stage, row["stage"]),
            state=_word(StageState, row["state"]),
            reason=None if row.get("reason") is None else _word(StageReason, row["reason"]),
            evidence=_evidence(row.get("evidence")),
        )
        for row in raw
    )


def _evidence(raw: Mapping[str, Any] | None) -> StageEvidence | None:
    if raw is None:
        return None
    spans = raw.get("spanIds")
    return StageEvidence(span_ids=None if spans is None else tuple(spans))


def _category(raw: str | None) -> FailureCategory | None:
    return None if raw is None else _word(FailureCategory, raw)


def _unread(raw: Any) -> Measurements:  # noqa: ANN401  any JSON value
    """Keep of measurements that are not understood what tells how new they are."""
    known = raw if isinstance(raw, Mapping) else {}
    numbers = [known.get(key) for key in ("stageAnalyzerVersion", "schemaVersion")]
    version, schema = (one if isinstance(one, int) else 0 for one in numbers)
    return Measurements((), version, schema)


def _word(words: type[_Word], value: object) -> _Word:
    found = next((word for word in words if word == value), None)
    if found is None:
        raise ValueError(f"{value!r} is not one of {', '.join(words)}")
    return found
