"""What a source was found to be, for whoever reads it."""

import errno
from dataclasses import dataclass
from typing import Final

from reporter.errors import Problem
from reporter.importers.importer import Importer
from reporter.importers.source import SourceEntry
from reporter.models.manifest import Lost

_SEE_TO_IT: Final = "See to its permissions, or take it out of the source."


@dataclass(frozen=True, slots=True)
class Identified:
    """A source that one importer reads."""

    importer: Importer
    name: str
    """The last part of the path that the user gave, or of the first few."""
    files: tuple[SourceEntry, ...]
    """The files that the importer claims, sorted by name."""
    lost: tuple[Lost, ...] = ()
    """Files of the source that nobody reads, with the reason."""
    problems: tuple[Problem, ...] = ()
    """Files that an importer might have read, had they been readable."""


def unreadable(file: str, error: OSError) -> Problem:
    """Return the problem of files that cannot be read at all."""
    return Problem(
        file=file,
        place="",
        what=f"The file cannot be read: {error.strerror or 'unknown reason'}.",
        remedy=_SEE_TO_IT
        if error.errno in (errno.EACCES, errno.EPERM)
        else "Get a sound copy of it, or take it out of the source.",
        rule="source-unreadable",
    )
