"""Call: whether the calls were well formed and came back with a result."""

from reporter.derive.chain.bounds import reason_evidence, span_evidence, turn_evidence
from reporter.derive.chain.predicates import failed_rows
from reporter.derive.chain.reading import Reading
from reporter.derive.chain.rows import failed, passed
from reporter.derive.chain.silence import nothing_seen
from reporter.models.chain import StageRow
from reporter.vocabulary import Stage, StageReason

_STAGE = Stage.CALL


def call_row(reading: Reading) -> StageRow:
    """Derive the call row; a result that says it is an error is not this stage's.

    Rule: chain.md section 8.4.
    """
    mismatched = [turn for turn in reading.turns if turn.argument_mismatches]
    if mismatched:
        return failed(_STAGE, StageReason.ARGUMENT_MISMATCH, turn_evidence(mismatched))
    broken = failed_rows(reading.call_rows)
    if broken:
        texts = reason_evidence(row.reason for row in broken)
        return failed(_STAGE, StageReason.ARGUMENT_MISMATCH, texts)
    if reading.coded or "protocol-error" in reading.evidence.tool_error_kinds:
        return failed(_STAGE, StageReason.PROTOCOL_ERROR, span_evidence(reading.coded))
    if reading.tool_spans:
        return passed(_STAGE, StageReason.OBSERVED, span_evidence(reading.tool_spans))
    return _uncalled_row(reading)


def _uncalled_row(reading: Reading) -> StageRow:
    if reading.authored.is_negative_test is True and reading.turns:
        return passed(_STAGE, StageReason.OBSERVED, turn_evidence(reading.turns))
    if reading.call_rows:
        return passed(_STAGE, StageReason.OBSERVED)
    return nothing_seen(_STAGE, reading)
