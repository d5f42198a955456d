"""How far a trial came at each stage, worked out from its chain and the spans it cites."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from reporter.models.analytics import (
    LATENCY_STAGES,
    MEASUREMENTS_VERSION,
    Measurements,
    StageMeasurement,
    TimedSpan,
)
from reporter.models.chain import StageRow
from reporter.vocabulary import Stage, StageReachState, StageState

_STAGES: Final = tuple(Stage)
_IMPLIED: Final[Mapping[StageState, StageReachState]] = {
    StageState.PASSED: StageReachState.REACHED,
    StageState.FAILED: StageReachState.REACHED,
    StageState.NOT_REACHED: StageReachState.NOT_REACHED,
    StageState.NOT_APPLICABLE: StageReachState.NOT_APPLICABLE,
    StageState.NOT_MEASURED: StageReachState.UNKNOWN,
}
_LATENCY_BASIS: Final = "evidence_span_union"
_KEYS: Final = frozenset({"schemaVersion", "stageAnalyzerVersion", "rows"})


def implied_reach(state: StageState) -> StageReachState:
    """Return how far a stage's state alone says that the trial came."""
    return _IMPLIED[state]


def is_admitted(state: StageState, reach: StageReachState) -> bool:
    """Tell whether a measured reach may stand beside a stage's state.

    Rule: analytics.md section 2.
    """
    if state is StageState.NOT_MEASURED:
        return reach in (StageReachState.UNKNOWN, StageReachState.REACHED)
    return reach is _IMPLIED[state]


def measure(
    rows: Sequence[StageRow], spans: Iterable[TimedSpan], *, analyzer_version: int
) -> Measurements:
    """Measure one trial.

    Args:
        rows: Its chain; a stage without a row is one of unknown reach.
        spans: Its trace spans; one with an empty id is ignored, a later one of the same id
            counts.
        analyzer_version: Version of the analyzer that made the chain.

    Rule: analytics.md section 2.
    """
    known = {span.id: span for span in spans if span.id}
    by_stage = {row.stage: row for row in rows}
    return Measurements(
        rows=tuple([_measured(stage, by_stage.get(stage), known) for stage in _STAGES]),
        stage_analyzer_version=analyzer_version,
    )


def _measured(
    stage: Stage, row: StageRow | None, spans: Mapping[str, TimedSpan]
) -> StageMeasurement:
    reach = StageReachState.UNKNOWN if row is None else _IMPLIED[row.state]
    evidence = None if row is None else row.evidence
    ids = evidence.span_ids if evidence is not None else None
    if not ids:
        return _UNTIMED[stage, reach]
    cited = [spans[one] for one in dict.fromkeys(ids) if one in spans]
    if reach is StageReachState.UNKNOWN and cited:
        reach = StageReachState.REACHED
    if reach is not StageReachState.REACHED or stage not in LATENCY_STAGES:
        return _UNTIMED[stage, reach]
    latency = union_length(
        (span.started_at, span.ended_at)
        for span in cited
        if span.started_at is not None and span.ended_at is not None
    )
    return _UNTIMED[stage, reach] if latency is None else StageMeasurement(stage, reach, latency)


_UNTIMED: Final = {
    (stage, reach): StageMeasurement(stage, reach) for stage in Stage for reach in StageReachState
}
"""Most rows of most waves are one of these."""


def union_length(intervals: Iterable[tuple[float, float]]) -> float | None:
    """Return how long at least one of the intervals lasted; overlaps count once.

    Returns:
        None where no interval is finite and runs forward. One of no length is a sample of 0.
    """
    usable = sorted(
        (start, end)
        for start, end in intervals
        if math.isfinite(start) and math.isfinite(end) and end >= start
    )
    if not usable:
        return None
    total: float = 0
    begin, until = usable[0]
    for start, end in usable[1:]:
        if start > until:
            total += until - begin
            begin, until = start, end
        else:
            until = max(until, end)
    return total + (until - begin)


def read_measurements(raw: object) -> Measurements | str:
    """Read a measurement document, or say why it is refused.

    Args:
        raw: Any JSON value.

    Returns:
        The measurements; or the place and the fault in one sentence.

    Rule: analytics.md section 2.
    """
    if not isinstance(raw, Mapping) or set(raw) - _KEYS:
        return f"It is no object of {', '.join(sorted(_KEYS))}."
    rows = raw.get("rows")
    if raw.get("schemaVersion") != MEASUREMENTS_VERSION:
        return f"schemaVersion is not {MEASUREMENTS_VERSION}."
    version = raw.get("stageAnalyzerVersion")
    if not isinstance(version, int) or isinstance(version, bool) or version < 0:
        return "stageAnalyzerVersion is not a whole number from 0 up."
    if not isinstance(rows, list) or len(rows) != len(_STAGES):
        return f"rows is not a list of exactly {len(_STAGES)} rows."
    made: list[StageMeasurement] = []
    for index, (stage, row) in enumerate(zip(_STAGES, rows, strict=True)):
        read = _read_row(stage, row)
        if isinstance(read, str):
            return f"rows[{index}] {read}"
        made.append(read)
    return Measurements(tuple(made), version)


def _read_row(stage: Stage, raw: object) -> StageMeasurement | str:
    if not isinstance(raw, Mapping) or set(raw) - {"stage", "reach", "latency"}:
        return "is no object of stage, reach and latency."
    if raw.get("stage") != stage.value:
        return f"does not stand at its place, which is {stage.value}'s."
    reach = next((word for word in StageReachState if word == raw.get("reach")), None)
    if reach is None:
        return "has no reach that is known."
    if "latency" not in raw:
        return StageMeasurement(stage, reach)
    return _read_latency(stage, reach, raw["latency"])


def _read_latency(stage: Stage, reach: StageReachState, raw: object) -> StageMeasurement | str:
    if stage not in LATENCY_STAGES or reach is not StageReachState.REACHED:
        return "has a latency, which only a reached selection, call or response can have."
    if not isinstance(raw, Mapping) or set(raw) != {"unit", "basis", "value"}:
        return "has a latency that is no object of unit, basis and value."
    length: Any = raw["value"]
    is_number = isinstance(length, int | float) and not isinstance(length, bool)
    if raw["unit"] != "ms" or raw["basis"] != _LATENCY_BASIS:
        return f"has a latency that is not in ms over {_LATENCY_BASIS}."
    if not is_number or not math.isfinite(length) or length < 0:
        return "has a latency that is negative or no number."
    return StageMeasurement(stage, reach, length)


def disagreement(
    measurements: Measurements, rows: Sequence[StageRow], analyzer_version: int
) -> str | None:
    """Say where measurements and a chain contradict each other, or return None.

    Rule: analytics.md section 2, last paragraph.
    """
    if measurements.stage_analyzer_version != analyzer_version:
        return (
            f"measured analyzer version {measurements.stage_analyzer_version}, and the chain is "
            f"of version {analyzer_version}"
        )
    if [row.stage for row in rows] != list(_STAGES):
        return "the chain has not every stage in its place"
    for row, measured in zip(rows, measurements.rows, strict=False):
        if measured.stage is not row.stage or not is_admitted(row.state, measured.reach):
            return (
                f"{row.stage.value} is {row.state.value} and was measured as {measured.reach.value}"
            )
    if len(measurements.rows) != len(_STAGES):
        return "the measurements have not every stage"
    return None


def measurements_to_wire(measurements: Measurements) -> dict[str, Any]:
    """Return measurements in wire form, keys in contract order."""
    rows: list[dict[str, Any]] = []
    for row in measurements.rows:
        made: dict[str, Any] = {"stage": row.stage.value, "reach": row.reach.value}
        if row.latency_ms is not None:
            made["latency"] = {"unit": "ms", "basis": _LATENCY_BASIS, "value": row.latency_ms}
        rows.append(made)
    return {
        "schemaVersion": measurements.schema_version,
        "stageAnalyzerVersion": measurements.stage_analyzer_version,
        "rows": rows,
    }
