"""Response: whether what the tools answered, or the widget showed, was sound."""

from reporter.derive.chain.bounds import reason_evidence, span_evidence
from reporter.derive.chain.predicates import failed_rows
from reporter.derive.chain.reading import Reading
from reporter.derive.chain.rows import failed, not_measured, passed
from reporter.derive.chain.silence import nothing_seen
from reporter.models.chain import StageRow
from reporter.vocabulary import Stage, StageReason

_STAGE = Stage.RESPONSE


def response_row(reading: Reading) -> StageRow:
    """Derive the response row; one error that was recovered from still fails it.

    Rule: chain.md section 8.5.
    """
    if reading.tool_failure_observed:
        return failed(_STAGE, StageReason.TOOL_ERROR, span_evidence(reading.domain_errors))
    broken = failed_rows(reading.response_rows)
    if broken:
        texts = reason_evidence(row.reason for row in broken)
        return failed(_STAGE, StageReason.PREDICATE_FAILED, texts)
    if reading.authored.expects_widget_render is True:
        return _rendered_row(reading)
    if reading.unfailed:
        return passed(_STAGE, StageReason.OBSERVED, span_evidence(reading.unfailed))
    if reading.response_rows:
        return passed(_STAGE, StageReason.OBSERVED)
    return nothing_seen(_STAGE, reading)


def _rendered_row(reading: Reading) -> StageRow:
    statuses = reading.evidence.render_statuses
    if not statuses:
        return not_measured(_STAGE, StageReason.NO_EVIDENCE_CAPTURED)
    if any(status != "rendered" for status in statuses):
        return failed(_STAGE, StageReason.RENDER_FAILED)
    return passed(_STAGE, StageReason.OBSERVED)
