"""Decision summaries from elsewhere: closed, and true to their own counts."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import Field, TypeAdapter, ValidationError

from reporter.models.wire import StrictWireModel
from reporter.vocabulary import (
    FailureCategory,
    Stage,
    StageReason,
    StageState,
    UndecidedReason,
)
from reporter.wave.decision.stored import decision_faults
from reporter.wave.decision.summary import variant_counts

_Count = Annotated[int, Field(ge=0)]
_Text = Annotated[str, Field(min_length=1)]
_Names = Annotated[list[_Text], Field(min_length=1)]


class StageEvidenceWire(StrictWireModel):
    """What one stage rests on."""

    span_ids: list[str] | None = None
    prompt_indexes: list[int | float] | None = None
    predicate_reasons: list[str] | None = None


class StageWire(StrictWireModel):
    """One stage of a chain."""

    stage: Annotated[Stage, Field(strict=False)]
    state: Annotated[StageState, Field(strict=False)]
    reason: Annotated[StageReason, Field(strict=False)] | None = None
    evidence: StageEvidenceWire | None = None


class AheadWire(StrictWireModel):
    """A newer analyzer than is known."""

    reported: _Count
    known: _Count


class VerifiedChain(StrictWireModel):
    """A chain that holds up."""

    status: Literal["verified"]
    stages: Annotated[list[StageWire], Field(min_length=6, max_length=6)]
    first_failed_stage: Annotated[Stage, Field(strict=False)] | None = None
    failure_category: Annotated[FailureCategory, Field(strict=False)] | None = None
    analyzer_version: _Count
    analyzer_version_ahead: AheadWire | None = None


class UnverifiedChain(StrictWireModel):
    """Rows were offered and do not hold up."""

    status: Literal["unverified"]
    analyzer_version: _Count | None = None
    analyzer_version_ahead: AheadWire | None = None


class AbsentChain(StrictWireModel):
    """Nothing was offered."""

    status: Literal["absent"]


class ExpectedWire(StrictWireModel):
    """Tools that the case expects."""

    tool_names: _Names


class ObservedWire(StrictWireModel):
    """What was seen."""

    tool_names: _Names | None = None
    failure: _Text | None = None


class EvidenceWire(StrictWireModel):
    """Where a trial can be looked up."""

    run_id: _Text
    iteration_id: _Text
    trace_path: _Text
    stage: Annotated[Stage, Field(strict=False)] | None = None
    span_ids: _Names | None = None
    prompt_indexes: Annotated[list[int | float], Field(min_length=1)] | None = None
    reasons: Annotated[list[str], Field(min_length=1)] | None = None


class ItemWire(StrictWireModel):
    """One trial that did not pass."""

    iteration_id: _Text
    iteration_number: _Count
    case_id: Annotated[str, Field(pattern=r"\A[A-Za-z0-9_-]{1,128}\z")] | None = None
    test_case_id: _Text | None = None
    title: _Text | None = None
    status: _Text
    result: Literal["passed", "failed"] | None = None
    chain: Annotated[VerifiedChain | UnverifiedChain | AbsentChain, Field(discriminator="status")]
    expected: ExpectedWire | None = None
    observed: ObservedWire | None = None
    evidence: EvidenceWire
    next_action: _Text


class DiagnosticsWire(StrictWireModel):
    """The trials beneath a verdict, one page of them."""

    items: list[ItemWire]
    complete: bool
    next_cursor: _Text | None = None
    scanned_iterations: _Count


class UndecidedWire(StrictWireModel):
    """Why there is no verdict."""

    reason: Annotated[UndecidedReason, Field(strict=False)]
    detail: _Text | None = None


class VariantCounts(StrictWireModel):
    """Cases by verdict."""

    measurement_unit: Literal["caseVariant"]
    total: _Count
    passed: _Count
    failed: _Count
    inconclusive: _Count


class TrialCounts(StrictWireModel):
    """Trials, as far as they were counted."""

    measurement_unit: Literal["trial"]
    total: _Count | None = None
    passed: _Count | None = None
    failed: _Count | None = None


class SummaryWire(StrictWireModel):
    """A decision summary.

    Rule: decision.md section B7.
    """

    schema_version: Literal[1]
    run_id: _Text
    run_status: _Text
    diagnostics: DiagnosticsWire
    verdict: Literal["passed", "failed", "inconclusive", "notEstablished"]
    verdict_source: Literal["policyV2", "legacy", "none"]
    undecided: UndecidedWire | None = None
    counts: (
        Annotated[VariantCounts | TrialCounts, Field(discriminator="measurement_unit")] | None
    ) = None
    decision: dict[str, Any] | None = None


_ADAPTER: Final = TypeAdapter(SummaryWire)


def summary_faults(raw: object) -> list[str]:
    """Say everything that is wrong with a decision summary, each with its place.

    Rule: decision.md section B7.
    """
    try:
        summary = _ADAPTER.validate_python(raw)
    except ValidationError as error:
        return [
            f"{'.'.join(map(str, one['loc']))}: {one['msg']}"
            for one in error.errors(include_url=False, include_input=False)
        ]
    faults = _source_faults(summary)
    page = summary.diagnostics
    if len(page.items) > page.scanned_iterations:
        faults.append("diagnostics.items: more than were scanned")
    if page.complete and page.next_cursor is not None:
        faults.append("diagnostics.nextCursor: a complete page has none")
    if summary.decision is not None:
        faults.extend(f"decision.{fault}" for fault in decision_faults(summary.decision))
    return faults or _tally_faults(raw)


def _source_faults(summary: SummaryWire) -> list[str]:
    has = {
        "undecided": summary.undecided is not None,
        "counts": summary.counts is not None,
        "decision": summary.decision is not None,
    }
    unit = summary.counts.measurement_unit if summary.counts else None
    match summary.verdict_source:
        case "policyV2":
            right = has["decision"] and unit == "caseVariant" and not has["undecided"]
        case "legacy":
            right = (
                summary.verdict in ("passed", "failed")
                and unit in (None, "trial")
                and not (has["decision"] or has["undecided"])
            )
        case "none":
            right = (
                summary.verdict == "notEstablished"
                and has["undecided"]
                and not (has["counts"] or has["decision"])
            )
    return [] if right else ["verdictSource: what stands beside it belongs to another source"]


def _tally_faults(raw: object) -> list[str]:
    whole: Mapping[str, Any] = raw if isinstance(raw, Mapping) else {}
    decision = whole.get("decision")
    if decision is None:
        return []
    faults = []
    if whole["verdict"] != decision["verdict"]:
        faults.append("verdict: not the decision's own")
    if dict(whole["counts"]) != variant_counts(decision):
        faults.append("counts: not the tally of the decision's cases")
    return faults
