"""What happens to six rows once they stand: withdrawal, position, category, attribution."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from reporter.derive.chain.bounds import bounded_reasons
from reporter.derive.chain.reading import Reading
from reporter.derive.chain.rows import not_measured, not_reached
from reporter.models.chain import Chain, StageEvidence, StageRow
from reporter.vocabulary import FailureCategory, Stage, StageReason, StageState

_EMPTY_HANDED: Final = frozenset(
    {
        StageReason.NO_EVIDENCE_CAPTURED,
        StageReason.TRACE_ABSENT,
        StageReason.EXECUTOR_EMITS_NO_SPANS,
    }
)
_RESTS_ON_ABSENCE: Final = frozenset(
    {
        StageReason.MISSING_TOOL_CALL,
        StageReason.PREDICATE_FAILED,
        StageReason.JUDGE_PARTIAL,
        StageReason.JUDGE_FAILED,
    }
)


def withdraw_provider_failures(reading: Reading, rows: Sequence[StageRow]) -> Sequence[StageRow]:
    """Take back what the model provider's outage explains as well.

    A verdict that something did not happen has a rival explanation when the provider
    failed; a verdict that something did happen stands. Running it twice changes nothing.

    Rule: chain.md section 9.1.
    """
    if reading.evidence.step_error_source != "model":
        return rows
    return [_withdrawn(row) for row in rows]


def _withdrawn(row: StageRow) -> StageRow:
    if row.state is StageState.NOT_MEASURED and row.reason in _EMPTY_HANDED:
        return replace(row, reason=StageReason.PROVIDER_ERROR)
    if row.state is StageState.FAILED and row.reason in _RESTS_ON_ABSENCE:
        return not_measured(row.stage, StageReason.PROVIDER_ERROR)
    return row


def place_after_failure(rows: Sequence[StageRow]) -> Sequence[StageRow]:
    """Say of what was not measured behind the first failure that it was not reached.

    Rule: chain.md section 9.2.
    """
    first = next((place for place, row in enumerate(rows) if row.state is StageState.FAILED), None)
    if first is None:
        return rows
    return [
        not_reached(row.stage) if place > first and row.state is StageState.NOT_MEASURED else row
        for place, row in enumerate(rows)
    ]


def first_failed(rows: Sequence[StageRow]) -> StageRow | None:
    """Return the earliest failed row, or None where nothing failed.

    Rule: chain.md section 9.3.
    """
    return next((row for row in rows if row.state is StageState.FAILED), None)


def finished(
    reading: Reading, rows: Sequence[StageRow], forced: FailureCategory | None = None
) -> Chain:
    """Close a derivation: last withdrawal, first failed stage, category and attribution.

    Args:
        reading: The session's evidence.
        rows: Six rows in stage order, after position where position applies.
        forced: The category that stands whatever failed, or None.

    Rule: chain.md sections 9.1, 9.3 and 9.4.
    """
    rows = withdraw_provider_failures(reading, rows)
    broken = first_failed(rows)
    category = _category(reading, broken) if forced is None else forced
    if category is FailureCategory.SELECTION:
        blame = _metadata_reasons(reading)
        if blame is not None:
            category = FailureCategory.METADATA
            rows = [_blamed(row, blame) if row is broken else row for row in rows]
    return Chain(
        rows=tuple(rows),
        first_failed_stage=None if broken is None else broken.stage,
        failure_category=category,
    )


def _category(reading: Reading, broken: StageRow | None) -> FailureCategory | None:
    if broken is None:
        return _category_of_no_failure(reading)
    match broken.stage:
        case Stage.CONNECTION | Stage.DISCOVERY:
            return FailureCategory.SETUP
        case Stage.SELECTION:
            return FailureCategory.SELECTION
        case Stage.CALL:
            return _call_category(reading, broken)
        case Stage.RESPONSE:
            return FailureCategory.SERVER_DATA
        case Stage.USER_VALUE:
            return FailureCategory.USER_VALUE


def _category_of_no_failure(reading: Reading) -> FailureCategory | None:
    if reading.evidence.evaluator_errored:
        return FailureCategory.EVALUATOR
    return FailureCategory.SETUP if reading.evidence.step_error_source == "model" else None


def _call_category(reading: Reading, broken: StageRow) -> FailureCategory:
    if broken.reason is StageReason.ARGUMENT_MISMATCH:
        return FailureCategory.ARGUMENTS
    return FailureCategory.SETUP if reading.transport_failed else FailureCategory.SERVER_DATA


def _metadata_reasons(reading: Reading) -> tuple[str, ...] | None:
    """Return why the tool metadata is to blame for the selection, or None where it is not.

    Rule: chain.md section 9.4.
    """
    attribution = reading.evidence.metadata
    if attribution is None or attribution.status != "scored" or attribution.attributed is not True:
        return None
    return bounded_reasons(attribution.reasons)


def _blamed(row: StageRow, reasons: tuple[str, ...]) -> StageRow:
    evidence = row.evidence or StageEvidence()
    return replace(row, evidence=replace(evidence, predicate_reasons=reasons))
