"""Counts of a funnel: one tally a stage and slice, and tallies of disjoint trials can be added."""

from collections import Counter
from collections.abc import Sequence
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


RowShape = tuple[StageState, StageReason | None, StageReachState]
"""All that is counted of one trial's row: its state, why, and how far the trial came."""


@dataclass(slots=True)
class StageTally:
    """What the counted trials of a slice came to at one stage.

    Tallies of one stage can be added where their trials are disjoint; tallies of two stages
    share trials, so adding them raises `ValueError`.

    Rule: analytics.md sections 1 (rule 6) and 6.
    """

    stage: Stage
    shapes: Counter[RowShape] = field(default_factory=Counter)
    """How often each shape was met: of few shapes every count below follows."""
    latency: LatencyTally = field(default_factory=LatencyTally)

    def add(self, shape: RowShape, latency_ms: float | None = None) -> None:
        """Count one trial's row at this stage."""
        self.shapes[shape] = self.shapes.get(shape, 0) + 1
        if latency_ms is not None:
            self.latency.add(latency_ms)

    @property
    def applicable(self) -> int:
        """Rows that the stage applies to."""
        return self.shapes.total() - self.not_applicable

    @property
    def reached(self) -> int:
        """Of these, those of trials that came this far."""
        return self._count(StageReachState.REACHED)

    @property
    def not_reached(self) -> int:
        """Those of trials that did not."""
        return self._count(StageReachState.NOT_REACHED)

    @property
    def reach_unknown(self) -> int:
        """Those of trials of which it is not known."""
        return self.applicable - self.reached - self.not_reached

    @property
    def measured(self) -> int:
        """Those that were reached and passed or failed."""
        return self.passed + self.failed

    @property
    def passed(self) -> int:
        """Those that were reached and passed."""
        return self._count(StageReachState.REACHED, StageState.PASSED)

    @property
    def failed(self) -> int:
        """Those that were reached and failed."""
        return self._count(StageReachState.REACHED, StageState.FAILED)

    @property
    def not_measured(self) -> int:
        """Those that were reached, with nothing found."""
        return self.reached - self.measured

    @property
    def not_applicable(self) -> int:
        """Rows that the stage does not apply to."""
        return sum(
            count
            for (state, _, _), count in self.shapes.items()
            if state is StageState.NOT_APPLICABLE
        )

    @property
    def excluded(self) -> Counter[ExclusionClass]:
        """Rows that say nothing of the stage, by why, in the order in which they were met."""
        found: Counter[ExclusionClass] = Counter()
        for shape, count in self.shapes.items():
            kind = _excluded(shape)
            if kind is not None:
                found[kind] += count
        return found

    @property
    def reasons(self) -> Counter[StageReason]:
        """Rows by the reason that they give; some give none."""
        found: Counter[StageReason] = Counter()
        for (_, reason, _), count in self.shapes.items():
            if reason is not None:
                found[reason] += count
        return found

    def _count(self, reached: StageReachState, only: StageState | None = None) -> int:
        """Count the rows that the stage applies to, by how far they came and by their state."""
        return sum(
            count
            for (state, _, reach), count in self.shapes.items()
            if reach is reached
            and state is not StageState.NOT_APPLICABLE
            and (only is None or state is only)
        )

    def __add__(self, other: "StageTally") -> "StageTally":
        if self.stage is not other.stage:
            raise ValueError(f"{self.stage} and {other.stage} share trials and are never added")
        return StageTally(self.stage, self.shapes + other.shapes, self.latency + other.latency)

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


def _excluded(shape: RowShape) -> ExclusionClass | None:
    state, _, reach = shape
    if state is StageState.NOT_APPLICABLE:
        return ExclusionClass.NOT_APPLICABLE
    if reach is StageReachState.REACHED:
        is_measured = state is StageState.PASSED or state is StageState.FAILED
        return None if is_measured else ExclusionClass.NOT_MEASURED
    return None if reach is StageReachState.NOT_REACHED else ExclusionClass.REACH_UNKNOWN


def _six() -> list[StageTally]:
    return [StageTally(stage) for stage in STAGES]


ShapedRow = tuple[int, RowShape, float | None]
"""The place of a row's stage, its shape, and how long it lasted in milliseconds, if known."""


def shaped_rows(trial: Trial) -> list[ShapedRow]:
    """Return what is counted of a trial's rows, those that stand at the place of their stage."""
    rows = trial.stage_results or ()
    measured = trial.measurements.rows if trial.measurements else ()
    found: list[ShapedRow] = []
    for place, (stage, row) in enumerate(zip(STAGES, rows, strict=False)):
        if row.stage is stage:
            reach, latency = _reached(row, measured[place] if place < len(measured) else None)
            found.append((place, (row.state, row.reason, reach), latency))
    return found


def _reached(
    row: StageRow, measured: StageMeasurement | None
) -> tuple[StageReachState, float | None]:
    """Return how far a trial came at a stage and for how long, as far as both agree."""
    if (
        measured is None
        or measured.stage is not row.stage
        or not is_admitted(row.state, measured.reach)
    ):
        return implied_reach(row.state), None
    is_timed = measured.reach is StageReachState.REACHED
    return measured.reach, measured.latency_ms if is_timed else None


@dataclass(slots=True)
class SliceTally:
    """The trials of one slice."""

    included: int = 0
    excluded: Counter[ExclusionClass] = field(default_factory=Counter)
    categories: Counter[FailureCategory] = field(default_factory=Counter)
    stages: list[StageTally] = field(default_factory=_six)

    def add(self, trial: Trial, exclusion: Exclusion | None, rows: Sequence[ShapedRow]) -> None:
        """Count one trial with its `shaped_rows`; one that is left out touches no stage."""
        if exclusion is not None:
            self.excluded[exclusion.kind] += 1
            return
        self.included += 1
        if trial.failure_category is not None:
            self.categories[trial.failure_category] += 1
        for place, shape, latency_ms in rows:
            self.stages[place].add(shape, latency_ms)

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
