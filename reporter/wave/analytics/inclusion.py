"""Which trials a funnel counts, and what exactly keeps the others out."""

from collections.abc import Mapping
from typing import Final

from reporter.models.analytics import MEASUREMENTS_VERSION, Trial
from reporter.models.value import value
from reporter.vocabulary import CoverageDetailKey, ExclusionClass, IterationStatus


@value(frozen=True, slots=True)
class Exclusion:
    """Why a whole trial is left out."""

    kind: ExclusionClass
    detail: CoverageDetailKey


@value(frozen=True, slots=True)
class Reader:
    """The newest versions that the reader of trials understands."""

    stage_analyzer_version: int
    measurements_schema_version: int = MEASUREMENTS_VERSION


_NOT_COUNTED: Final[Mapping[str, CoverageDetailKey]] = {
    IterationStatus.PENDING: CoverageDetailKey.NOT_TERMINAL,
    IterationStatus.RUNNING: CoverageDetailKey.NOT_TERMINAL,
    IterationStatus.SKIPPED: CoverageDetailKey.SKIPPED,
    IterationStatus.CANCELLED: CoverageDetailKey.CANCELLED,
    IterationStatus.SETUP_FAILED: CoverageDetailKey.SETUP_FAILED,
    IterationStatus.TIMED_OUT: CoverageDetailKey.TIMED_OUT,
}
_COUNTED: Final = frozenset({IterationStatus.COMPLETED.value, IterationStatus.FAILED.value})


def exclusion_of(trial: Trial, reader: Reader) -> Exclusion | None:
    """Say why a trial is not counted, or None for one that is; the first reason wins.

    Rule: analytics.md section 4.
    """
    return _lifecycle(trial) or _version(trial, reader) or _integrity(trial)


def _lifecycle(trial: Trial) -> Exclusion | None:
    if trial.evaluator_errored:
        return Exclusion(ExclusionClass.LIFECYCLE, CoverageDetailKey.EVALUATOR_ERROR)
    if trial.status in _COUNTED:
        return None
    detail = _NOT_COUNTED.get(trial.status, CoverageDetailKey.EXECUTION_FAILED)
    return Exclusion(ExclusionClass.LIFECYCLE, detail)


def _version(trial: Trial, reader: Reader) -> Exclusion | None:
    version, measured = trial.analyzer_version, trial.measurements
    if version is not None and version > reader.stage_analyzer_version:
        return Exclusion(ExclusionClass.VERSION, CoverageDetailKey.CHAIN_VERSION_AHEAD)
    if measured is not None and measured.schema_version > reader.measurements_schema_version:
        return Exclusion(ExclusionClass.VERSION, CoverageDetailKey.MEASUREMENTS_VERSION_AHEAD)
    return None


def _integrity(trial: Trial) -> Exclusion | None:
    measured = trial.measurements
    detail = None
    if not trial.stage_results:
        detail = CoverageDetailKey.CHAIN_MISSING
    elif not trial.chain_verified:
        detail = CoverageDetailKey.CHAIN_UNVERIFIED
    elif measured is None:
        detail = CoverageDetailKey.MEASUREMENTS_MISSING
    elif not trial.measurements_verified:
        detail = CoverageDetailKey.MEASUREMENTS_INVALID
    elif trial.stage_analyzer_version not in (None, measured.stage_analyzer_version):
        detail = CoverageDetailKey.ANALYZER_MISMATCH
    return Exclusion(ExclusionClass.INTEGRITY, detail) if detail else None
