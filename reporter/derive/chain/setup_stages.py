"""Connection and discovery: what happens before anybody asks for anything."""

from reporter.derive.chain.bounds import signal_evidence, span_evidence
from reporter.derive.chain.reading import Reading
from reporter.derive.chain.rows import failed, not_measured, passed
from reporter.models.chain import PhaseSignal, StageRow
from reporter.vocabulary import Stage, StageReason


def connection_row(reading: Reading) -> StageRow:
    """Derive the connection row.

    A later sign of life beats a failed signal. Only a server that is somebody else's, with
    proof that our own network path works, can fail this stage.

    Rule: chain.md section 8.1.
    """
    stage = Stage.CONNECTION
    signal = reading.evidence.connection_signal
    if signal is not None and signal.outcome == "ok":
        return passed(stage, StageReason.OBSERVED, signal_evidence(signal.span_ids))
    if reading.reached:
        return passed(stage, StageReason.IMPLIED_BY_LATER_EVIDENCE, span_evidence(reading.reached))
    if reading.tools_were_listed:
        return passed(stage, StageReason.IMPLIED_BY_LATER_EVIDENCE)
    if signal is not None:
        return _refused(signal)
    return _silent(stage, reading)


def discovery_row(reading: Reading) -> StageRow:
    """Derive the discovery row.

    A server that answered initialize needs no further proof of our network path. Tools
    that were withheld from the model do not fail this stage.

    Rule: chain.md section 8.2.
    """
    stage = Stage.DISCOVERY
    signal = reading.evidence.discovery_signal
    if signal is not None and signal.outcome == "ok":
        return passed(stage, StageReason.OBSERVED, signal_evidence(signal.span_ids))
    if reading.tools_were_listed:
        return passed(stage, StageReason.OBSERVED)
    if reading.tool_spans:
        return passed(
            stage, StageReason.IMPLIED_BY_LATER_EVIDENCE, span_evidence(reading.tool_spans)
        )
    if signal is not None:
        return _unlisted(signal, reached=reading.connection_was_reached)
    return _silent(stage, reading)


def _refused(signal: PhaseSignal) -> StageRow:
    stage, evidence = Stage.CONNECTION, signal_evidence(signal.span_ids)
    if signal.attribution == "theirs" and signal.egress_verified is True:
        return failed(stage, StageReason.CONNECT_FAILED, evidence)
    if signal.attribution in ("theirs", "unknown", None):
        return not_measured(stage, StageReason.EGRESS_UNVERIFIED, evidence)
    return not_measured(stage, StageReason.SETUP_ABORTED, evidence)


def _unlisted(signal: PhaseSignal, *, reached: bool) -> StageRow:
    stage, evidence = Stage.DISCOVERY, signal_evidence(signal.span_ids)
    if signal.attribution == "theirs" and reached:
        return failed(stage, StageReason.TOOLS_LIST_FAILED, evidence)
    if signal.attribution == "ours":
        return not_measured(stage, StageReason.SETUP_ABORTED, evidence)
    return not_measured(stage, StageReason.EGRESS_UNVERIFIED, evidence)


def _silent(stage: Stage, reading: Reading) -> StageRow:
    absent = reading.evidence.trace_absent
    return not_measured(
        stage, StageReason.TRACE_ABSENT if absent else StageReason.NO_EVIDENCE_CAPTURED
    )
