"""What could not be read of a source, as a value with its place and reason."""

from collections.abc import Iterator
from typing import Final

from reporter.errors import Problem
from reporter.importers.jsontext import BrokenJsonError
from reporter.models.manifest import Lost

FILE_BROKEN: Final = "source-file-broken"
"""The rule of the problem that says a file was not read to its end."""


def left_out(file: str, place: str, reason: str) -> Lost:
    """Return what has no place in a recording; nothing is wrong with it."""
    return Lost(place=f"{file}: {place}", reason=reason)


def broken_session(file: str, place: str, reason: str, session_id: str | None = None) -> Problem:
    """Return the problem of a session that is not what its format says."""
    what = "The session" if session_id is None else "The conversation of the session"
    return Problem(
        file=file,
        place=place,
        what=f"{what} cannot be read: {reason}.",
        remedy="Export it again; the other sessions are read.",
        rule="source-session-unreadable",
        session_id=session_id,
    )


def lost_session(file: str, place: str, reason: str) -> Iterator[Lost | Problem]:
    """Yield the loss of a session of which not even the task can be told."""
    yield broken_session(file, place, reason)
    yield left_out(file, place, f"a session was left out: {reason}")


def lost_rest(file: str, error: BrokenJsonError) -> Iterator[Lost | Problem]:
    """Yield the loss of everything behind the place where a file breaks."""
    yield Problem(
        file=file,
        place=error.place,
        what=f"Nothing from here on was read: {error.what}.",
        remedy="Export or download the file again.",
        rule=FILE_BROKEN,
    )
    yield left_out(file, error.place, f"the file was read only up to here: {error.what}")
