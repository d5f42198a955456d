"""The fold over trials that a funnel document is written from."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from reporter.models.analytics import RunIdentity, SetupSignal, Trial
from reporter.vocabulary import AnalyticsDimension, CoverageDetailKey, ExclusionClass
from reporter.wave.analytics.counting import SliceTally, shaped_rows
from reporter.wave.analytics.inclusion import Reader, exclusion_of
from reporter.wave.analytics.setup import setup_rows

CAPS: Final[Mapping[AnalyticsDimension, int]] = {
    AnalyticsDimension.INTENT: 50,
    AnalyticsDimension.MODEL: 25,
    AnalyticsDimension.HOST: 25,
}
"""Slices of one dimension that a document keeps."""

_LAST: Final = "\uffff"
_COPIED_KEYS: Final = (
    ("runGroupId", "run_group_id"),
    ("configRevision", "config_revision"),
    ("caseSetFingerprint", "case_set_fingerprint"),
    ("organizationId", "organization_id"),
    ("workspaceId", "workspace_id"),
    ("projectId", "project_id"),
    ("runCompletedAt", "run_completed_at"),
)


class SliceKey(NamedTuple):
    """What tells slices apart."""

    dimension: AnalyticsDimension
    key: str
    """Sort key inside the dimension."""
    is_named: bool = True
    """False: the slice of trials without an intent, which sorts as a text of its own could."""


@dataclass(slots=True)
class Slice:
    """One slice: what it is called on the wire, and its counts."""

    identity: dict[str, Any]
    tally: SliceTally = field(default_factory=SliceTally)


OVERALL: Final = SliceKey(AnalyticsDimension.OVERALL, "")


@dataclass(slots=True)
class Funnel:
    """Trials of one run, counted; funnels over disjoint trials of the same run can be added.

    Adding those of two runs raises `ValueError`: what they counted was asked under other
    conditions.

    Args:
        reader: The newest versions that are understood.
        run: Id of the run, or empty where the caller keeps runs apart.

    Rule: analytics.md sections 1 (rule 6), 5 and 6. Rates are worked out on reading.
    """

    reader: Reader
    run: str = ""
    included: int = 0
    total: int = 0
    excluded: Counter[ExclusionClass] = field(default_factory=Counter)
    detail: Counter[CoverageDetailKey] = field(default_factory=Counter)
    slices: dict[SliceKey, Slice] = field(
        default_factory=lambda: {OVERALL: Slice({"dimension": "overall"})}
    )
    analyzer_versions: set[int] = field(default_factory=set)
    """Of the included trials."""
    measurement_versions: set[int] = field(default_factory=set)

    def add(self, trial: Trial) -> None:
        """Count one trial."""
        exclusion = exclusion_of(trial, self.reader)
        self.total += 1
        if exclusion is None:
            self.included += 1
            if trial.analyzer_version is not None:
                self.analyzer_versions.add(trial.analyzer_version)
            if trial.measurements is not None:
                self.measurement_versions.add(trial.measurements.schema_version)
        else:
            self.excluded[exclusion.kind] += 1
            self.detail[exclusion.detail] += 1
        rows = shaped_rows(trial) if exclusion is None else []
        for key, identity in _slices_of(trial):
            known = self.slices.get(key)
            if known is None:
                # A slice has a tally a stage: not one for every trial that is in it.
                known = self.slices[key] = Slice(identity)
            known.tally.add(trial, exclusion, rows)

    def __add__(self, other: "Funnel") -> "Funnel":
        if self.run != other.run:
            raise ValueError(f"{self.run!r} and {other.run!r} are two runs and are never merged")
        merged = Funnel(
            self.reader,
            self.run,
            self.included + other.included,
            self.total + other.total,
            self.excluded + other.excluded,
            self.detail + other.detail,
            {key: Slice(one.identity, one.tally) for key, one in self.slices.items()},
            self.analyzer_versions | other.analyzer_versions,
            self.measurement_versions | other.measurement_versions,
        )
        for key, one in other.slices.items():
            known = merged.slices.setdefault(key, Slice(one.identity))
            known.tally = known.tally + one.tally
        return merged

    @property
    def overall(self) -> SliceTally:
        """The slice of all trials."""
        return self.slices[OVERALL].tally

    def of_dimension(self, dimension: AnalyticsDimension) -> list[Slice]:
        """Return the slices of one dimension in the order of their sort keys, without a cap."""
        own = sorted((key for key in self.slices if key.dimension is dimension), key=_by_code_unit)
        return [self.slices[key] for key in own]

    def document(self, run: RunIdentity, signals: Iterable[SetupSignal] = ()) -> dict[str, Any]:
        """Write the funnel document, keys in contract order.

        Args:
            run: Which run it is of, and the caller's clock.
            signals: Every copy of how the run's set-up came out.

        Rule: analytics.md section 8.
        """
        kept, truncation = self._emitted()
        document: dict[str, Any] = {
            "schemaVersion": 1,
            "measurementUnit": "trial",
            "runId": run.run_id,
            "suiteId": run.suite_id,
        }
        for wire, name in _COPIED_KEYS:
            if getattr(run, name) is not None:
                document[wire] = getattr(run, name)
        document["sourceIterationCount"] = self.total
        if run.source_max_updated_at is not None:
            document["sourceMaxUpdatedAt"] = run.source_max_updated_at
        document |= _versions(
            "stageAnalyzerVersion", self.analyzer_versions, run.reader_stage_analyzer_version
        )
        document |= _versions(
            "measurementsSchemaVersion",
            self.measurement_versions,
            run.reader_measurements_schema_version,
        )
        document |= {
            "materializationState": run.materialization_state.value,
            "createdAt": run.now if run.created_at is None else run.created_at,
            "updatedAt": run.now,
            "includedTrials": self.included,
            "excludedTrials": {kind.value: count for kind, count in self.excluded.items()},
            "totalTrials": self.total,
            "excludedTrialDetail": {key.value: count for key, count in self.detail.items()},
            "slices": [one.tally.to_wire(one.identity) for one in kept],
            "setup": setup_rows(signals),
        }
        if truncation:
            document["sliceTruncation"] = truncation
        return document

    def _emitted(self) -> tuple[list[Slice], list[dict[str, Any]]]:
        kept = [self.slices[OVERALL]]
        truncation: list[dict[str, Any]] = []
        for dimension, cap in CAPS.items():
            own = sorted(
                (key for key in self.slices if key.dimension is dimension), key=_by_code_unit
            )
            if len(own) > cap:
                truncation.append(
                    {
                        "dimension": dimension.value,
                        "distinctValues": len(own),
                        "retained": cap,
                    }
                )
                # Sorting is stable, so ties stay in the order of their sort keys.
                most = sorted(own, key=lambda key: -self.slices[key].tally.included)[:cap]
                own = sorted(most, key=_by_code_unit)
            kept.extend(self.slices[key] for key in own)
        return kept, truncation


def funnel_of(trials: Iterable[Trial], reader: Reader, run: str = "") -> Funnel:
    """Count the trials of one run."""
    funnel = Funnel(reader, run)
    for trial in trials:
        funnel.add(trial)
    return funnel


def _versions(name: str, found: set[int], reader: int) -> dict[str, Any]:
    """Stamp the newest version that was counted, and name all where they were several."""
    stamped: dict[str, Any] = {name: max(found, default=reader)}
    if len(found) > 1:
        stamped[f"source{name[0].upper()}{name[1:]}s"] = sorted(found)
    return stamped


def _slices_of(trial: Trial) -> list[tuple[SliceKey, dict[str, Any]]]:
    """Name every slice that a trial belongs to; no slice is invented for what is not known."""
    intent = (trial.intent or "").strip() or None
    found: list[tuple[SliceKey, dict[str, Any]]] = [
        (OVERALL, {"dimension": "overall"}),
        (
            SliceKey(AnalyticsDimension.INTENT, intent or _LAST, intent is not None),
            {"dimension": "intent", "intent": intent},
        ),
    ]
    if trial.provider is not None and trial.model is not None:
        pair = json.dumps([trial.provider, trial.model], ensure_ascii=False, separators=(",", ":"))
        found.append(
            (
                SliceKey(AnalyticsDimension.MODEL, pair),
                {"dimension": "model", "provider": trial.provider, "model": trial.model},
            )
        )
    if trial.host_key is not None:
        identity: dict[str, Any] = {"dimension": "host", "hostKey": trial.host_key}
        if trial.host_name is not None:
            identity["hostName"] = trial.host_name
        if trial.execution_engine is not None:
            identity["executionEngine"] = trial.execution_engine
        found.append((SliceKey(AnalyticsDimension.HOST, trial.host_key), identity))
    return found


def _by_code_unit(key: SliceKey) -> tuple[bytes, bool]:
    return key.key.encode("utf-16-be", "surrogatepass"), not key.is_named
