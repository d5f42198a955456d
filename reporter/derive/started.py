"""Whether a session started, how, and whether it was read."""

from typing import Final, Literal

from reporter.derive.options import CONTEXT_CHARS, DeriveOptions
from reporter.models.plan import PlannedSlot
from reporter.models.session import SessionRecording
from reporter.models.value import value
from reporter.vocabulary import Lifecycle, ReadState

StartedBy = Literal["messages", "refused", "lost"]

NEVER_RAN: Final = frozenset({Lifecycle.BROKE, Lifecycle.LIMITED, Lifecycle.WITHDRAWN})
"""Lifecycles of an attempt that ended without doing what it was for."""


@value(frozen=True, slots=True)
class Start:
    """How a session began, or that it did not."""

    started_by: StartedBy | None
    """The first clause that holds; None where the session never started."""
    never_ran: bool
    """It ended without a start: nothing about the server was exercised."""
    lost: bool
    """Messages were recorded and none of them could be loaded."""

    @property
    def started(self) -> bool:
        """Some clause holds."""
        return self.started_by is not None


def start_of(
    slot: PlannedSlot,
    recording: SessionRecording,
    *,
    message_count: int,
    lifecycle: Lifecycle,
    refused: bool,
) -> Start:
    """Tell whether a session started.

    Args:
        slot: What the source says it recorded.
        recording: What could be read of it.
        message_count: Messages that count and could be loaded.
        lifecycle: What became of the attempt.
        refused: A server refused the client and never answered afterwards.

    Rule: findings.md section 4.3; recording.md section 3, Slot.
    """
    limited = lifecycle is Lifecycle.LIMITED
    lost = message_count == 0 and not limited and _is_lost(slot, recording)
    started_by: StartedBy | None = None
    if message_count > 0:
        started_by = "messages"
    elif refused and not limited:
        started_by = "refused"
    elif lost:
        started_by = "lost"
    never_ran = started_by is None and lifecycle in NEVER_RAN
    return Start(started_by=started_by, never_ran=never_ran, lost=lost)


def _is_lost(slot: PlannedSlot, recording: SessionRecording) -> bool:
    """True when messages were recorded, going by the slot, although none could be loaded."""
    if slot.message_count is not None:
        return slot.message_count > 0
    return slot.recorded and (recording.damaged or not recording.present)


def read_state_of(
    start: Start, options: DeriveOptions, *, damaged: bool, transcript_chars: int
) -> ReadState | None:
    """Tell what became of a session's transcript, or None where the session never started.

    Args:
        start: How the session began.
        options: The scan cap's word, and what a model made of the session.
        damaged: A line of the session could not be read, or a limit was reached.
        transcript_chars: Length of the transcript after redaction; read only with a model.

    Rule: findings.md section 4.3, read state.
    """
    if not start.started:
        return None
    if options.beyond_scan_cap:
        return ReadState.SCAN_CAPPED
    if is_transcript_missing(start, damaged=damaged):
        return ReadState.TRANSCRIPT_MISSING
    return _model_state(options, transcript_chars) if options.with_model else ReadState.READ


def _model_state(options: DeriveOptions, transcript_chars: int) -> ReadState:
    limit = CONTEXT_CHARS if options.context_chars is None else options.context_chars
    if transcript_chars > limit:
        return ReadState.CONTEXT_TOO_LARGE
    if options.budget_exhausted:
        return ReadState.BUDGET_EXHAUSTED
    return ReadState.EXTRACTION_REJECTED if options.extraction_rejected else ReadState.READ


def is_transcript_missing(start: Start, *, damaged: bool) -> bool:
    """Tell whether part of a started session's transcript could not be loaded."""
    return start.started and (start.lost or damaged)
