"""Sessions graded piece by piece, here or in other processes, as the lines to be written."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from reporter.checks.grading import GradedSession, Grader, grade_session
from reporter.errors import Problem
from reporter.identifiers import SessionId
from reporter.models.plan import SessionContext
from reporter.models.session import SessionRecording
from reporter.pipeline.derive import LOSSES
from reporter.pipeline.import_ import whole_records
from reporter.pipeline.spread import spread
from reporter.recording.recorder import record_lines

CHUNK: Final = 16
"""Sessions that a process takes at a time."""


@dataclass(frozen=True, slots=True)
class GradeWork:
    """What every process needs to grade sessions."""

    read: Callable[[str], SessionRecording | None]
    """Reads a session; None for one that is not there."""
    contexts: Mapping[SessionId, SessionContext]
    """The sessions of the plan, which alone are graded."""
    within: frozenset[SessionId]
    """Those that no cap leaves out."""
    grader: Grader
    regrade: bool
    ended: bool
    """Whether sessions without a recorded end are taken as over."""
    writes_whole: bool
    """Whether the session's own records are written as well: those of a foreign source, whose
    secrets are masked already."""


@dataclass(frozen=True, slots=True)
class GradedLines:
    """One session, graded."""

    session_id: SessionId
    graded: GradedSession | None
    """Without its records; None for a session that the plan does not hold."""
    lines: bytes
    losses: tuple[Problem, ...] = ()
    """Problems of it that mean that something recorded could not be graded."""


def graded_lines(
    work: GradeWork, ids: Sequence[SessionId], *, jobs: int
) -> Generator[GradedLines, None, None]:
    """Grade sessions and yield what came of each, in the order asked for.

    Args:
        work: How, and of what.
        ids: The sessions.
        jobs: Processes; the bytes are the same however many there are.
    """
    pieces = [tuple(ids[at : at + CHUNK]) for at in range(0, len(ids), CHUNK)]
    for piece in spread(_grade_piece, pieces, jobs=jobs, prepare=_take, shared=(work,)):
        yield from piece


# One process grades one wave: what all its sessions share is kept here once.
_work: list[GradeWork] = []


def _take(work: GradeWork) -> None:
    _work[:] = [work]


def _grade_piece(ids: tuple[SessionId, ...]) -> list[GradedLines]:
    (work,) = _work
    return [_graded(work, session_id) for session_id in ids]


def _graded(work: GradeWork, session_id: SessionId) -> GradedLines:
    context = work.contexts.get(session_id)
    if context is None and not work.writes_whole:
        return GradedLines(session_id, None, b"")
    recording = work.read(session_id)
    if recording is None:
        return GradedLines(session_id, None, b"")
    lines = b""
    if work.writes_whole:
        lines = record_lines(whole_records(recording), masked=False)
    if context is None:
        return GradedLines(session_id, None, lines)
    graded = GradedSession(ungraded="beyondCap")
    if session_id in work.within:
        graded = grade_session(
            context, recording, work.grader, regrade=work.regrade, ended=work.ended
        )
    lines += record_lines(graded.records, masked=not work.writes_whole)
    return GradedLines(
        session_id,
        replace(graded, records=()),
        lines,
        tuple(one for one in recording.problems if one.rule in LOSSES),
    )
