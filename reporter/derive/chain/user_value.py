"""User value: whether whoever asked got what they asked for."""

from reporter.derive.chain.bounds import reason_evidence
from reporter.derive.chain.predicates import failed_rows
from reporter.derive.chain.reading import Reading
from reporter.derive.chain.rows import failed, not_measured, passed
from reporter.models.chain import JudgeEvidence, StageEvidence, StageRow
from reporter.vocabulary import Stage, StageReason

_STAGE = Stage.USER_VALUE


def user_value_row(reading: Reading, judge: JudgeEvidence | None) -> StageRow:
    """Derive the user-value row.

    Args:
        reading: The session's evidence.
        judge: The judge's word, or None where it has none or lost it to an earlier failure.

    Rule: chain.md sections 8.6 and 11.3.
    """
    if reading.evidence.evaluator_errored:
        return not_measured(_STAGE, StageReason.EVALUATOR_ERROR)
    broken = failed_rows(reading.user_value_rows)
    if broken:
        texts = reason_evidence(row.reason for row in broken)
        return failed(_STAGE, StageReason.PREDICATE_FAILED, texts)
    if reading.user_value_rows:
        return passed(_STAGE, StageReason.OBSERVED)
    if reading.evidence.trace_absent:
        return not_measured(_STAGE, StageReason.TRACE_ABSENT)
    if judge is None:
        return not_measured(_STAGE, StageReason.NO_EVIDENCE_CAPTURED)
    return _judged_row(judge)


def _judged_row(judge: JudgeEvidence) -> StageRow:
    texts = reason_evidence(judge.reasons)
    match judge.status:
        case "scored":
            return _scored_row(judge.verdict, texts)
        case "error":
            return not_measured(_STAGE, StageReason.EVALUATOR_ERROR, texts)
        case "pending":
            never_asked = judge.pending_kind == "not_requested"
            return not_measured(
                _STAGE,
                StageReason.JUDGE_NOT_REQUESTED if never_asked else StageReason.JUDGE_PENDING,
                texts,
            )
        case _:
            return not_measured(_STAGE, StageReason.NO_EVIDENCE_CAPTURED)


def _scored_row(verdict: str | None, texts: StageEvidence | None) -> StageRow:
    match verdict:
        case "pass":
            return passed(_STAGE, StageReason.JUDGE_OBSERVED, texts)
        case "partial":
            return failed(_STAGE, StageReason.JUDGE_PARTIAL, texts)
        case "fail":
            return failed(_STAGE, StageReason.JUDGE_FAILED, texts)
        case _:
            return not_measured(_STAGE, StageReason.NO_EVIDENCE_CAPTURED)
