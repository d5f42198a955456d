"""How a derivation states what is wrong with one session's records."""

from reporter.errors import Problem
from reporter.models.records import BaseRecord
from reporter.models.session import SessionRecording


def session_problem(  # noqa: PLR0913  the fields of a problem, by name
    recording: SessionRecording,
    record: BaseRecord | None,
    what: str,
    *,
    rule: str,
    place: str = "",
    remedy: str = "",
    severity: str = "error",
) -> Problem:
    """Return a problem of one session, placed at a record's line where lines are known.

    Args:
        recording: The session.
        record: The record it is about, or None for the session as a whole.
        what: What is wrong, in one sentence.
        rule: Stable name of the rule that was broken.
        place: Dotted path inside the record; empty for the record itself.
        remedy: What to do about it.
        severity: `error` or `note`.
    """
    places = (_line(recording, record), place)
    return Problem(
        file=recording.file or f"session {recording.session_id}",
        place=": ".join(part for part in places if part),
        what=what,
        remedy=remedy,
        rule=rule,
        session_id=recording.session_id,
        severity=severity,
    )


def _line(recording: SessionRecording, record: BaseRecord | None) -> str:
    if record is None:
        return ""
    # By identity: comparing pydantic models would compare their contents.
    for index, candidate in enumerate(recording.records):
        if candidate is record:
            has_lines = index < len(recording.lines)
            return f"line {recording.lines[index]}" if has_lines else f"record {index + 1}"
    return ""
