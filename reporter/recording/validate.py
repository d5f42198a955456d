"""What is wrong with a recording: every rule that its records can break, all at once."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from reporter.errors import Problem, RecordingError
from reporter.models.plan import SessionContext
from reporter.models.session import SessionRecording
from reporter.recording.folder import scan_folder
from reporter.recording.limits import Limits
from reporter.recording.naming import MANIFEST_NAME
from reporter.recording.reader import NativeWave, open_wave
from reporter.recording.session_look import SessionLook

SessionCheck = Callable[[SessionContext, SessionRecording], Iterable[Problem]]
"""A further look at one session, such as one that needs what is derived from it."""

_LINE: Final = re.compile(r"line (\d+)")


def check_session(context: SessionContext | None, recording: SessionRecording) -> list[Problem]:
    """Find what contradicts itself in the records of one session.

    Args:
        context: What the plan says of the session, or None for one without a slot.
        recording: The session as it was read. What could not be read of it stands in its
            own `problems` and is not repeated.

    Returns:
        The problems in file order.

    Rule: recording.md section 8.
    """
    if not recording.records:
        return []
    look = SessionLook(context, recording)
    look.go_through()
    look.compare()
    return sorted(look.report.problems, key=_file_and_line)


def check(
    path: Path,
    limits: Limits = Limits(),  # noqa: B008  frozen
    *,
    further: SessionCheck | None = None,
) -> list[Problem]:
    """Find everything that is wrong with a native recording.

    Args:
        path: A wave's folder, its manifest, or a recording in a single file.
        limits: How much is read.
        further: One more look at every session that has a slot.

    Returns:
        By file, then by line; what has no line comes first.

    Rule: recording.md section 8.
    """
    return sorted(_all_problems(path, limits, further), key=_file_and_line)


def _all_problems(path: Path, limits: Limits, further: SessionCheck | None) -> Iterator[Problem]:
    try:
        wave = open_wave(path, limits)
    except RecordingError as error:
        yield from error.problems
        yield from _sessions_alone(path, limits, error.problems)
        return
    yield from wave.problems
    for context in wave.plan.contexts():
        yield from _session_problems(wave, context.slot.session_id, context, further)
    for session_id in wave.unplanned:
        yield from _session_problems(wave, session_id, None, None)


def _session_problems(
    wave: NativeWave, session_id: str, context: SessionContext | None, further: SessionCheck | None
) -> Iterator[Problem]:
    recording = wave.read(session_id)
    yield from recording.problems
    yield from check_session(context, recording)
    if further is not None and context is not None:
        yield from further(context, recording)


def _sessions_alone(path: Path, limits: Limits, said: Sequence[Problem]) -> Iterator[Problem]:
    """Check the sessions of a folder whose manifest cannot be used."""
    root = path.absolute().parent if path.name == MANIFEST_NAME else path
    if not root.is_dir():
        return
    form, problems = scan_folder(root)
    yield from (problem for problem in problems if problem not in said)
    for session_id in form.session_ids():
        recording = form.read(session_id, session_id, limits)
        yield from recording.problems
        yield from check_session(None, recording)


def _file_and_line(problem: Problem) -> tuple[str, int]:
    line = _LINE.match(problem.place)
    return (problem.file, int(line[1]) if line else 0)
