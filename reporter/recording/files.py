"""Files of a recording: digests, and which of them may be opened."""

import hashlib
from pathlib import Path
from typing import Final

from reporter.errors import Problem

CHUNK: Final = 1024 * 1024
"""Bytes taken at a time where a file is only hashed."""


def file_digest(path: Path) -> str | None:
    """Return the SHA-256 of a file's bytes, or None where it cannot be read."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return None


def is_inside(path: Path, folder: Path) -> bool:
    """Tell whether a path, links followed, stays inside a folder."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):
        return False


def is_readable_file(path: Path) -> bool:
    """Tell whether a path is an ordinary file, links followed; devices and pipes are none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def outside(name: str) -> Problem:
    """Say that a file was not opened because it lies elsewhere."""
    return Problem(
        file=name,
        place="",
        what="It leads outside the recording's folder and was not opened.",
        remedy="Copy the file into the recording.",
        rule="outside-folder",
    )


def unreadable(name: str, error: OSError, session_id: str | None = None) -> Problem:
    """Say that a file could not be opened or read."""
    return Problem(
        file=name,
        place="",
        what=f"It cannot be read: {error.strerror or error}.",
        remedy="Check the file and its permissions.",
        rule="unreadable-file",
        session_id=session_id,
    )
