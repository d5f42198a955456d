"""What a stage says when no evidence speaks for or against it."""

from reporter.derive.chain.reading import Reading
from reporter.derive.chain.rows import not_measured
from reporter.models.chain import StageRow
from reporter.vocabulary import Stage, StageReason


def nothing_seen(stage: Stage, reading: Reading) -> StageRow:
    """Return the unmeasured row of selection, call or response.

    Rule: chain.md sections 8.3, 8.4 and 8.5, last three lines.
    """
    evidence = reading.evidence
    if evidence.trace_absent:
        return not_measured(stage, StageReason.TRACE_ABSENT)
    if evidence.trace_lacks_span_channel:
        return not_measured(stage, StageReason.EXECUTOR_EMITS_NO_SPANS)
    return not_measured(stage, StageReason.NO_EVIDENCE_CAPTURED)
