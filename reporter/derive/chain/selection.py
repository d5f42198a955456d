"""Selection: whether the model picked the tools that the case asks for."""

from collections.abc import Sequence

from reporter.derive.chain.bounds import reason_evidence, span_evidence, turn_evidence
from reporter.derive.chain.predicates import failed_rows, failure_reason
from reporter.derive.chain.reading import Reading
from reporter.derive.chain.rows import failed, not_measured, passed
from reporter.derive.chain.silence import nothing_seen
from reporter.models.chain import StageRow, TurnSummary
from reporter.vocabulary import Stage, StageReason

_STAGE = Stage.SELECTION


def selection_row(reading: Reading) -> StageRow:
    """Derive the selection row.

    Rule: chain.md section 8.3.
    """
    if _is_open(reading):
        return _open_row(reading)
    turns = reading.turns
    missing = [turn for turn in turns if turn.missing]
    if missing:
        return failed(_STAGE, StageReason.MISSING_TOOL_CALL, turn_evidence(missing))
    broken = failed_rows(reading.selection_rows)
    if broken:
        reasons = {failure_reason(row.kind) for row in broken}
        reason = (
            StageReason.MISSING_TOOL_CALL
            if StageReason.MISSING_TOOL_CALL in reasons
            else StageReason.UNEXPECTED_TOOL_CALL
        )
        return failed(_STAGE, reason, reason_evidence(row.reason for row in broken))
    if turns:
        return _matched_row(turns)
    if reading.selection_rows:
        return passed(_STAGE, StageReason.OBSERVED)
    return nothing_seen(_STAGE, reading)


def _is_open(reading: Reading) -> bool:
    """True when nobody said which calls were right, so that none proves anything."""
    return (
        not reading.selection_rows
        and reading.authored.tool_expectation == "open"
        and not any(turn.expected_tool_calls for turn in reading.turns)
    )


def _open_row(reading: Reading) -> StageRow:
    if reading.evidence.trace_absent:
        return not_measured(_STAGE, StageReason.TRACE_ABSENT)
    if reading.tool_spans:
        return not_measured(
            _STAGE, StageReason.MATCH_VERDICT_UNAVAILABLE, span_evidence(reading.tool_spans)
        )
    return not_measured(_STAGE, StageReason.NO_EVIDENCE_CAPTURED)


def _matched_row(turns: Sequence[TurnSummary]) -> StageRow:
    """Judge turns of which none misses a call."""
    extra = [turn for turn in turns if turn.unexpected]
    if not extra:
        return passed(_STAGE, StageReason.OBSERVED)
    # Where the arguments differ as well, the verdict does not say which of the two sank
    # the turn; the call stage takes it.
    refused = [turn for turn in extra if turn.passed is False and not turn.argument_mismatches]
    if refused:
        return failed(_STAGE, StageReason.UNEXPECTED_TOOL_CALL, turn_evidence(refused))
    unknown = [turn for turn in extra if turn.passed is None]
    if unknown:
        return not_measured(_STAGE, StageReason.MATCH_VERDICT_UNAVAILABLE, turn_evidence(unknown))
    return passed(_STAGE, StageReason.OBSERVED, turn_evidence(turns))
