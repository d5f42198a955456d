"""One session as it was read: its records, and what could not be read of it."""

from collections.abc import Mapping, Sequence
from dataclasses import field

from reporter.errors import Problem
from reporter.identifiers import SessionId
from reporter.models.records import Record
from reporter.models.value import value


@value(frozen=True, slots=True)
class InputFile:
    """A file that was read; thousands are kept, so this is no model with all that one carries."""

    name: str
    sha256: str
    bytes: int


@value(frozen=True, slots=True)
class SessionRecording:
    """Everything that was on record for one session, in file order."""

    session_id: SessionId
    records: Sequence[Record] = ()
    """In file order. Records of unknown type, and lines that do not parse, are not here."""
    lines: Sequence[int] = ()
    """One line number a record, one-based; empty where the source has no lines."""
    file: str = ""
    """File name inside the recording, or of the foreign source."""
    present: bool = True
    """False: there is no file for this session."""
    damaged: bool = False
    """True: a line could not be read, or a limit was reached, so something is missing."""
    problems: Sequence[Problem] = ()
    unknown_types: Mapping[str, int] = field(default_factory=dict)
    """Record types this version does not know, each with how often it occurred."""
    sha256: str | None = None
    """Digest of the bytes (findings.md 3.1), or None where there are none of its own."""
    bytes: int = 0
