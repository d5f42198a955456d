"""The order in which a policy, a stop, an aborted setup and the stages have their say."""

from collections.abc import Sequence
from typing import Final

from reporter.derive.chain.after import finished, place_after_failure, withdraw_provider_failures
from reporter.derive.chain.applicability import Applicability, applicable_stages
from reporter.derive.chain.call import call_row
from reporter.derive.chain.reading import Reading, read_evidence
from reporter.derive.chain.response import response_row
from reporter.derive.chain.rows import not_authored, not_measured
from reporter.derive.chain.selection import selection_row
from reporter.derive.chain.setup_stages import connection_row, discovery_row
from reporter.derive.chain.user_value import user_value_row
from reporter.models.chain import Chain, ChainInput, StageRow
from reporter.vocabulary import FailureCategory, IterationStatus, Stage, StageReason, StageState

_STAGES: Final = tuple(Stage)
_STOPPED: Final = (
    IterationStatus.CANCELLED,
    IterationStatus.TIMED_OUT,
    IterationStatus.SETUP_FAILED,
    IterationStatus.SKIPPED,
)


def derive_chain(source: ChainInput) -> Chain:
    """Derive the six stage rows of one session.

    Pure: the same input gives the same rows, and nothing else is read.

    Rule: chain.md section 7.
    """
    reading = read_evidence(source.authored, source.evidence)
    applies = applicable_stages(reading)
    if source.policy_blocked:
        return finished(reading, _uniform(applies, StageReason.BLOCKED_BY_POLICY))
    if _is_setup_abort(source, reading):
        return finished(reading, _aborted(reading, applies), FailureCategory.SETUP)
    if source.status in _STOPPED:
        reason = (
            StageReason.SETUP_ABORTED
            if source.status is IterationStatus.SETUP_FAILED
            else StageReason.LIFECYCLE_STOPPED
        )
        return finished(reading, _uniform(applies, reason), FailureCategory.SETUP)
    return finished(reading, _ordinary(reading, applies))


def _is_setup_abort(source: ChainInput, reading: Reading) -> bool:
    return (
        source.status in (IterationStatus.FAILED, IterationStatus.SETUP_FAILED)
        and source.evidence.trace_absent
        and reading.nothing_captured
    )


def _uniform(applies: Applicability, reason: StageReason) -> list[StageRow]:
    """Say the same of every stage that applies."""
    return [
        not_measured(stage, reason) if applied else not_authored(stage)
        for stage, applied in zip(_STAGES, applies, strict=True)
    ]


def _aborted(reading: Reading, applies: Applicability) -> Sequence[StageRow]:
    """Derive the rows of a run that never began; setup signals can still name the side."""
    evidence = reading.evidence
    if evidence.connection_signal is None and evidence.discovery_signal is None:
        return _uniform(applies, StageReason.SETUP_ABORTED)
    rest = _uniform(applies, StageReason.SETUP_ABORTED)[2:]
    return place_after_failure([connection_row(reading), discovery_row(reading), *rest])


def _ordinary(reading: Reading, applies: Applicability) -> Sequence[StageRow]:
    rows = [
        connection_row(reading),
        discovery_row(reading),
        selection_row(reading) if applies.selection else not_authored(Stage.SELECTION),
        call_row(reading) if applies.call else not_authored(Stage.CALL),
        response_row(reading) if applies.response else not_authored(Stage.RESPONSE),
    ]
    # The judge loses its word to any earlier failure, even to one that is withdrawn below.
    cut = any(row.state is StageState.FAILED for row in rows)
    judge = None if cut else reading.evidence.judge
    rows.append(
        user_value_row(reading, judge) if applies.user_value else not_authored(Stage.USER_VALUE)
    )
    # In this order, or later rows would cite a failure that no longer exists.
    return place_after_failure(withdraw_provider_failures(reading, rows))
