"""A recording as one file: the manifest first, then records that name their session."""

import hashlib
import re
from array import array
from bisect import bisect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final

from pydantic import ValidationError

from reporter.errors import Problem, RecordingError
from reporter.identifiers import SessionId
from reporter.models.session import InputFile, SessionRecording
from reporter.recording.files import CHUNK, unreadable
from reporter.recording.folder import RecordHead, say_too_large
from reporter.recording.limits import Limits
from reporter.recording.lines import json_complaint, read_lines, repaired
from reporter.recording.naming import SESSION_ID_REMEDY, is_session_id
from reporter.recording.problems import Complaints, shown

_NAMED: Final = re.compile(rb'"sessionId"\s*:\s*"([A-Za-z0-9._:-]{1,200})"')
_OVERLAP: Final = 300
"""Bytes that a session's name in a raw line may take: what two chunks must share."""
_SHOWN_LINES: Final = 50
"""Lines without a session that are described; more are only counted."""


@dataclass(frozen=True, slots=True)
class SessionLines:
    """Where the lines of one session are: three equally long arrays, in file order."""

    offsets: "array[int]" = field(default_factory=lambda: array("Q"))
    lengths: "array[int]" = field(default_factory=lambda: array("Q"))
    numbers: "array[int]" = field(default_factory=lambda: array("Q"))

    def add(self, number: int, offset: int, length: int) -> None:
        """Add a line where its number puts it."""
        at = bisect(self.numbers, number)
        self.numbers.insert(at, number)
        self.offsets.insert(at, offset)
        self.lengths.insert(at, length)

    def take(self, other: "SessionLines") -> None:
        """Add the lines of another where their numbers put them."""
        places = zip(other.numbers, other.offsets, other.lengths, strict=True)
        for number, offset, length in places:
            self.add(number, offset, length)


@dataclass(frozen=True, slots=True)
class SingleFileForm:
    """One file, and where in it the sessions are."""

    path: Path
    sessions: Mapping[str, SessionLines]
    """By id, in code-point order."""
    manifest_sha256: str
    sha256: str
    bytes: int

    @property
    def manifest_file(self) -> str:
        """The file's own name."""
        return self.path.name

    def session_ids(self) -> tuple[str, ...]:
        """Return the ids that have a line, in code-point order."""
        return tuple(self.sessions)

    def file_of(self, file_id: str) -> str:  # noqa: ARG002  the same for every session
        """Return the name of the file."""
        return self.path.name

    def read(self, file_id: str, session_id: str, limits: Limits) -> SessionRecording:
        """Read the lines of one session."""
        name, own = self.path.name, SessionId(session_id)
        reading = _Reading(self.sessions[file_id], limits)
        try:
            with self.path.open("rb") as stream:
                found = read_lines(reading.lines(stream), file=name, session_id=own, limits=limits)
        except OSError as error:
            problem = unreadable(name, error, own)
            return SessionRecording(session_id=own, file=name, damaged=True, problems=(problem,))
        if reading.stopped_at is not None:
            say_too_large(found, reading.stopped_at, name, own, limits)
        return SessionRecording(
            session_id=own,
            records=found.records,
            lines=found.lines,
            file=name,
            damaged=found.damaged,
            problems=found.problems,
            unknown_types=found.unknown_types,
            sha256=reading.digest.hexdigest(),
            bytes=reading.bytes,
        )

    def copy_session(self, file_id: str, stream: BinaryIO) -> None:
        """Write a session's lines as they are.

        Raises:
            OSError: The file cannot be read.
        """
        lines = self.sessions[file_id]
        with self.path.open("rb") as source:
            for offset, length in zip(lines.offsets, lines.lengths, strict=True):
                source.seek(offset)
                left = length
                while left > 0 and (chunk := source.read(min(left, CHUNK))):
                    stream.write(chunk)
                    left -= len(chunk)
                # A last line may end with the file.
                if not chunk.endswith(b"\n"):
                    stream.write(b"\n")

    def other_files(self) -> Iterator[tuple[str, Path]]:
        """Yield nothing: all of the wave is in the one file."""
        yield from ()

    def sources(self, known: Mapping[str, str | None]) -> dict[str, Any]:
        """Return the digests of manifest and sessions, for the revision of the source.

        Rule: findings.md section 3.1.
        """
        digests = {own: known.get(own) or self._digest(own) for own in self.sessions}
        return {
            "catalogs": [],
            "manifest": self.manifest_sha256,
            "sessions": [[own, digest] for own, digest in digests.items() if digest],
        }

    def files(self, known: Mapping[str, str | None]) -> tuple[InputFile, ...]:  # noqa: ARG002
        """Return the one file."""
        return (InputFile(name=self.path.name, sha256=self.sha256, bytes=self.bytes),)

    def _digest(self, file_id: str) -> str | None:
        reading = _Reading(self.sessions[file_id], Limits())
        try:
            with self.path.open("rb") as stream:
                for _ in reading.lines(stream):
                    pass
        except OSError:
            return None
        return reading.digest.hexdigest()


class _Reading:
    """Goes through the lines of one session once, and hashes them on the way."""

    def __init__(self, lines: SessionLines, limits: Limits) -> None:
        self.digest = hashlib.sha256()
        self.bytes = 0
        self.stopped_at: int | None = None
        """Number of the first line beyond the limit, or None."""
        self._lines = lines
        self._limits = limits

    def lines(self, stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
        """Yield number and bytes of the lines within the limit; a long line is cut short."""
        longest = self._limits.line_bytes + 2
        places = self._lines
        for number, offset, length in zip(
            places.numbers, places.offsets, places.lengths, strict=True
        ):
            stream.seek(offset)
            text = stream.read(min(length, longest))
            self.digest.update(text)
            self.bytes += length
            left = length - len(text)
            while left > 0 and (chunk := stream.read(min(left, CHUNK))):
                self.digest.update(chunk)
                left -= len(chunk)
            if self.bytes > self._limits.session_bytes:
                self.stopped_at = self.stopped_at or number
            else:
                yield number, text


def scan_single_file(
    path: Path, *, known: Mapping[str, str], limits: Limits
) -> tuple[SingleFileForm, tuple[Problem, ...]]:
    """Find the lines of every session in one pass that keeps nothing but their places.

    Args:
        path: The recording; its first line is the manifest.
        known: The session id that each name stands for which the manifest's slots know.
        limits: Bounds on a line.

    Returns:
        The form, and the lines that belong to no session.

    Raises:
        RecordingError: The file cannot be read.

    Rule: recording.md section 2.
    """
    scan = _Scan(path.name, limits)
    try:
        with path.open("rb") as stream:
            scan.run(stream)
    except OSError as error:
        raise RecordingError([unreadable(path.name, error)]) from error
    sessions = scan.attributed(known)
    form = SingleFileForm(
        path=path,
        sessions=dict(sorted(sessions.items())),
        manifest_sha256=scan.manifest.hexdigest(),
        sha256=scan.whole.hexdigest(),
        bytes=scan.offset,
    )
    return form, tuple(scan.report.problems)


class _Scan:
    """One pass over a file."""

    def __init__(self, name: str, limits: Limits) -> None:
        self.report = Complaints(name)
        self.whole = hashlib.sha256()
        self.manifest = hashlib.sha256()
        self.offset = 0
        self._longest = limits.line_bytes
        self._sessions: dict[str, SessionLines] = {}
        self._broken: list[tuple[int, int, int, tuple[str, ...]]] = []
        """Number, offset, length and the names in it, of lines that are no JSON."""
        self._homeless = 0

    def run(self, stream: BinaryIO) -> None:
        """Look at every line."""
        number = 0
        while line := stream.readline(self._longest + 2):
            number += 1
            self.whole.update(line)
            if number == 1:
                self.manifest.update(line)
                self.offset += len(line)
            elif len(line.removesuffix(b"\n")) > self._longest:
                self._take_long(number, line, stream)
            else:
                self._take(number, line)
                self.offset += len(line)

    def attributed(self, known: Mapping[str, str]) -> dict[str, SessionLines]:
        """Give every broken line to the session it names, and return all sessions.

        Lines under either name of a session are its lines, in the order of the file.

        An argument of a tool may be called `sessionId`, too, so a name that the wave knows
        goes before one that it does not.
        """
        recorded = set(self._sessions)
        for number, offset, length, names in self._broken:
            ours = [name for name in names if name in known or name in recorded]
            owner = (ours or list(names))[0]
            self._sessions.setdefault(owner, SessionLines()).add(number, offset, length)
        for name, own in known.items():
            if name != own and name in self._sessions and own in self._sessions:
                self._sessions[own].take(self._sessions.pop(name))
        more = self._homeless - _SHOWN_LINES
        if more > 0:
            self.report.add("", "record-without-session", f"{more} more lines name no session.")
        return self._sessions

    def _take(self, number: int, line: bytes) -> None:
        try:
            try:
                head = RecordHead.model_validate_json(line)
            except ValidationError:
                head = RecordHead.model_validate_json(repaired(line))
        except ValidationError as error:
            if line.strip():
                self._take_broken(number, line, error)
            return
        own = head.sessionId
        if isinstance(own, str) and is_session_id(own):
            self._sessions.setdefault(own, SessionLines()).add(number, self.offset, len(line))
        elif isinstance(own, str):
            what = f"{shown(own)} is no session id; the record is left out."
            self._complain(number, "bad-session-id", what, SESSION_ID_REMEDY)
        elif head.type == "wave":
            what = "A second manifest stands here; it is left out."
            self._complain(number, "second-manifest", what, "Keep one wave a file.")
        else:
            what = "The record names no session; it is left out."
            remedy = "Write `sessionId` into every record of the single-file form."
            self._complain(number, "record-without-session", what, remedy)

    def _take_broken(self, number: int, line: bytes, error: ValidationError) -> None:
        names = _names(line)
        if names:
            self._broken.append((number, self.offset, len(line), names))
            return
        complaint = json_complaint(line, error)
        what = complaint or "The line is no JSON object."
        rule = "bad-utf8" if "UTF-8" in what else "unreadable-line"
        if not line.endswith(b"\n"):
            rule, what = "truncated-line", f"The file ends in the middle of the line. {what}"
        self._complain(number, rule, f"{what} It names no session, so none is blamed.", "")

    def _take_long(self, number: int, line: bytes, stream: BinaryIO) -> None:
        """Go to the end of a line that is longer than allowed, a chunk at a time."""
        names, start, tail = list(_names(line)), self.offset, line
        self.offset += len(line)
        while not tail.endswith(b"\n") and (chunk := stream.readline(CHUNK)):
            self.whole.update(chunk)
            self.offset += len(chunk)
            names += _names(tail[-_OVERLAP:] + chunk)
            tail = chunk
        if names:
            length = self.offset - start
            self._broken.append((number, start, length, tuple(dict.fromkeys(names))))
        else:
            what = f"The line is longer than {self._longest:,} bytes and names no session."
            self._complain(number, "line-too-long", what, "")

    def _complain(self, number: int, rule: str, what: str, remedy: str) -> None:
        self._homeless += 1
        if self._homeless <= _SHOWN_LINES:
            self.report.add(f"line {number}", rule, what, remedy)


def _names(text: bytes) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found.decode() for found in _NAMED.findall(text)))
