"""How a sample ended, and what became of a sample that the log planned and does not hold."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from reporter.importers.conversation import Element
from reporter.importers.naming import first_words
from reporter.importers.outcome import OUTCOME_RECORDED, failed_attempt, number_of
from reporter.importers.sound import sound_text
from reporter.models.manifest import Attempt
from reporter.models.records import EndReason, SessionComplete, SessionNotice

LIMITS: Final[Mapping[str, tuple[EndReason, str]]] = {
    "message": ("turnCap", "a limit on messages, not on turns"),
    "turn": ("turnCap", "a limit on the model's answers, not on turns"),
    "token": ("aborted", "a limit on tokens"),
    "cost": ("aborted", "a limit on cost"),
    "time": ("aborted", "a limit on time"),
    "working": ("aborted", "a limit on working time"),
    "context": ("aborted", "the model's context was full"),
    "operator": ("aborted", "a person ended the sample"),
    "custom": ("aborted", "a limit of the task's own"),
}
"""Every limit that Inspect knows: what the session's end is, and why."""

# What Python's ways to run things at once raise in what they stop.
_CANCELLED: Final = ("CancelledError(", "Cancelled(")
CANCELED: Final = "canceled"


@dataclass(frozen=True, slots=True)
class Close:
    """The end of one sample."""

    attempt: Attempt | None
    inferred: Mapping[str, str] = field(default_factory=dict)
    complete: SessionComplete | None = None
    notice: SessionNotice | None = None
    unknown_limit: str | None = None
    """A kind of limit that this version does not know."""


def close_of(sample: Element, *, scored: bool) -> Close:
    """Return how a sample ended.

    Args:
        sample: The sample, or its summary, in which error and limit are words.
        scored: Whether anything was scored.
    """
    error = message_of(sample.get("error"))
    if error is not None:
        return _broken_off(error)
    limit = sample.get("limit")
    kind = limit.get("type") if isinstance(limit, dict) else limit
    if isinstance(kind, str) and kind:
        return _limited(sound_text(kind), limit if isinstance(limit, dict) else {})
    inferred = OUTCOME_RECORDED if scored else {"attempt": "a sample without error in the log"}
    return Close(
        Attempt(status="succeeded"),
        inferred,
        SessionComplete(seq=0, status="succeeded", end_reason="unknown"),
    )


def never_begun(header: Element) -> tuple[Attempt | None, Mapping[str, str]]:
    """Return the attempt of a sample that the run planned and that its log does not hold."""
    status = header.get("status")
    if status == "cancelled":
        attempt = failed_attempt(CANCELED, "the run was cancelled before the sample was logged")
        return attempt, {"attempt": "status cancelled, and the log does not hold the sample"}
    if status == "error":
        error = message_of(header.get("error")) or "the run broke off before the sample was logged"
        attempt = failed_attempt(None, error)
        return attempt, {"attempt": "status error, and the log does not hold the sample"}
    return None, {}


def message_of(error: object) -> str | None:
    """Return what an error says, or None where there is none."""
    if isinstance(error, str) and error:
        return sound_text(error)
    if not isinstance(error, dict):
        return None
    message = error.get("message")
    return sound_text(message) if isinstance(message, str) and message else "no message recorded"


def _broken_off(error: str) -> Close:
    cancelled = error.startswith(_CANCELLED)
    code = CANCELED if cancelled else None
    attempt = failed_attempt(code, error)
    complete = SessionComplete(
        seq=0,
        status="failed",
        end_reason="aborted" if cancelled else "error",
        error_code=code,
        error_message=attempt.error_message,
    )
    rule = "error of a cancelled task" if cancelled else "error of the sample recorded"
    return Close(attempt, {"attempt": rule}, complete)


def _limited(kind: str, limit: Mapping[str, Any]) -> Close:
    known = LIMITS.get(kind)
    end_reason, why = known or ("unknown", "a limit of unknown kind")
    value = number_of(limit.get("limit"))
    shown = "" if value is None else f" of {value:g}"
    reason = limit.get("reason")
    more = f": {first_words(sound_text(reason), 300)}" if isinstance(reason, str) else ""
    return Close(
        Attempt(status="succeeded"),
        {"attempt": f"ended at its {first_words(kind)} limit, without an error"},
        SessionComplete(
            seq=0,
            status="succeeded",
            end_reason=end_reason,
            inferred={"endReason": f"limit {first_words(kind)}: {why}"},
        ),
        SessionNotice(
            seq=0, kind="limit", message=f"ended at its {first_words(kind)} limit{shown}{more}"
        ),
        None if known else kind,
    )
