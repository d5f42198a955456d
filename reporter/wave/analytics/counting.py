"""Counts of a funnel: one tally a stage and slice, and tallies of disjoint trials can be added."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from reporter.models.analytics import StageMeasurement, Trial
from reporter.models.chain import StageRow
from reporter.vocabulary import (
    ExclusionClass,
    FailureCategory,
    Stage,
    StageReachState,
    StageReason,
    StageState,
)
from reporter.wave.analytics.inclusion import Exclusion
from reporter.wave.analytics.measurements import implied_reach, is_admitted

STAGES: Final = tuple(Stage)


@dataclass(slots=True)
class LatencyTally:
    """Samples of a duration in milliseconds."""

    samples: int = 0
    total: float = 0
    least: float = 0
    most: float = 0

    def add(self, value: float) -> None:
        """Take one sample in."""
        self.least = value if not self.samples else min(self.least, value)
        self.most = value if not self.samples else max(self.most, value)
        self.samples += 1
        self.total += value

    def __add__(self, other: "LatencyTally") -> "LatencyTally":
        if not self.samples or not other.samples:
            return self if self.samples else other
        return LatencyTally(
            self.samples + other.samples,
            self.total + other.total,
            min(self.least, other.least),
            max(self.most, other.most),
        )

    def to_wire(self, basis: str) -> dict[str, Any]:
        """Return the samples in wire form, keys in contract order."""
        return {
            "unit": "ms",
            "basis": basis,
            "sampleCount": self.samples,
            "totalMs": self.total,
            "minMs": self.least,
            "maxMs": self.most,
        }


@dataclass(slots=True)
class StageTally:
    """What the counted trials of a slice came to at one stage.

    Tallies of one stage can be added where their trials are disjoint; tallies of two stages
    share trials, so adding them raises `ValueError`.

    Rule: analytics.md sections 1 (rule 6) and 6.
    """

    stage: Stage
    applicable: int = 0
    reached: int = 0
    not_reached: int = 0
    reach_unknown: int = 0
    measured: int = 0
    passed: int = 0
    failed: int = 0
    not_measured: int = 0
    not_applicable: int = 0
    excluded: Counter[ExclusionClass] = field(default_factory=Counter)
    reasons: Counter[StageReason] = field(default_factory=Counter)
    latency: LatencyTally = field(default_factory=LatencyTally)

    def add(self, row: StageRow, measured: StageMeasurement | None) -> None:
        """Count one trial's row at this stage."""
        agrees = (
            measured is not None
            and measured.stage is row.stage
            and is_admitted(row.state, measured.reach)
        )
        reach = measured.reach if agrees and measured else implied_reach(row.state)
        if row.reason is not None:
            self.reasons[row.reason] += 1
        if row.state is StageState.NOT_APPLICABLE:
            self.not_applicable += 1
            self.excluded[ExclusionClass.NOT_APPLICABLE] += 1
            return
        self.applicable += 1
        if reach is StageReachState.NOT_REACHED:
            self.not_reached += 1
        elif reach is not StageReachState.REACHED:
            self.reach_unknown += 1
            self.excluded[ExclusionClass.REACH_UNKNOWN] += 1
        else:
            self._reached(row.state)
            if agrees and measured and measured.latency_ms is not None:
                self.latency.add(measured.latency_ms)

    def _reached(self, state: StageState) -> None:
        self.reached += 1
        if state is StageState.PASSED:
            self.measured += 1
            self.passed += 1
        elif state is StageState.FAILED:
            self.measured += 1
            self.failed += 1
        else:
            self.not_measured += 1
            self.excluded[ExclusionClass.NOT_MEASURED] += 1

    def __add__(self, other: "StageTally") -> "StageTally":
        if self.stage is not other.stage:
            raise ValueError(f"{self.stage} and {other.stage} share trials and are never added")
        return StageTally(
            self.stage,
            applicable=self.applicable + other.applicable,
            reached=self.reached + other.reached,
            not_reached=self.not_reached + other.not_reached,
            reach_unknown=self.reach_unknown + other.reach_unknown,
            measured=self.measured + other.measured,
            passed=self.passed + other.passed,
            failed=self.failed + other.failed,
            not_measured=self.not_measured + other.not_measured,
            not_applicable=self.not_applicable + other.not_applicable,
            excluded=self.excluded + other.excluded,
            reasons=self.reasons + other.reasons,
            latency=self.latency + other.latency,
        )

    def to_wire(self) -> dict[str, Any]:
        """Return the tally in wire form, keys in contract order."""
        made: dict[str, Any] = {
            "stage": self.stage.value,
            "applicable": self.applicable,
            "reached": self.reached,
            "notReached": self.not_reached,
            "reachUnknown": self.reach_unknown,
            "measured": self.measured,
            "passed": self.passed,
            "failed": self.failed,
            "notMeasured": self.not_measured,
            "notApplicable": self.not_applicable,
            "excluded": {kind.value: count for kind, count in self.excluded.items()},
            "reasons": [
                {"reason": reason.value, "count": self.reasons[reason]}
                for reason in StageReason
                if self.reasons[reason]
            ],
        }
        if self.latency.samples:
            made["latency"] = self.latency.to_wire("evidence_span_union")
        return made


def _six() -> list[StageTally]:
    return [StageTally(stage) for stage in STAGES]


@dataclass(slots=True)
class SliceTally:
    """The trials of one slice."""

    included: int = 0
    excluded: Counter[ExclusionClass] = field(default_factory=Counter)
    categories: Counter[FailureCategory] = field(default_factory=Counter)
    stages: list[StageTally] = field(default_factory=_six)

    def add(self, trial: Trial, exclusion: Exclusion | None) -> None:
        """Count one trial; one that is left out touches no stage."""
        if exclusion is not None:
            self.excluded[exclusion.kind] += 1
            return
        self.included += 1
        if trial.failure_category is not None:
            self.categories[trial.failure_category] += 1
        rows = trial.stage_results or ()
        measured = trial.measurements.rows if trial.measurements else ()
        for place, (stage, tally) in enumerate(zip(STAGES, self.stages, strict=True)):
            if place < len(rows) and rows[place].stage is stage:
                tally.add(rows[place], measured[place] if place < len(measured) else None)

    def __add__(self, other: "SliceTally") -> "SliceTally":
        return SliceTally(
            self.included + other.included,
            self.excluded + other.excluded,
            self.categories + other.categories,
            [left + right for left, right in zip(self.stages, other.stages, strict=True)],
        )

    def to_wire(self, identity: dict[str, Any]) -> dict[str, Any]:
        """Return the slice in wire form, keys in contract order."""
        return {
            "slice": identity,
            "includedTrials": self.included,
            "excludedTrials": {kind.value: count for kind, count in self.excluded.items()},
            "failureCategories": [
                {"category": category.value, "count": self.categories[category]}
                for category in FailureCategory
                if self.categories[category]
            ],
            "stages": [tally.to_wire() for tally in self.stages],
        }
