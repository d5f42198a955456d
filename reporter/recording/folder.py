"""A recording as a folder: a manifest, a file a session, catalogues."""

import hashlib
import io
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from pydantic import BaseModel, ValidationError

from reporter.errors import Problem
from reporter.identifiers import SessionId
from reporter.models.records import RECORD, SessionStart
from reporter.models.session import InputFile, SessionRecording
from reporter.recording.files import (
    CHUNK,
    file_digest,
    is_inside,
    is_readable_file,
    outside,
    unreadable,
)
from reporter.recording.limits import Limits
from reporter.recording.lines import (
    BYTE_ORDER_MARK,
    ReadLines,
    may_hold_constants,
    read_lines,
    repaired,
)
from reporter.recording.naming import (
    CATALOG_SUFFIX,
    CATALOGS_FOLDER,
    MANIFEST_NAME,
    SESSION_ID_REMEDY,
    SESSION_SUFFIX,
    SESSIONS_FOLDER,
    decoded,
    encoded,
    is_session_id,
)
from reporter.recording.problems import Complaints


class RecordHead(BaseModel):
    """What tells one record from another, read without the rest of it."""

    type: Any = None
    sessionId: Any = None  # noqa: N815  the key as it is written


@dataclass(frozen=True, slots=True)
class FolderForm:
    """The files of one recorded wave, found and not yet read."""

    root: Path
    has_manifest: bool
    sessions: Mapping[str, str]
    """Name inside the folder by id, in code-point order of the ids."""
    not_read: tuple[tuple[str, str], ...] = ()
    """Id and name of session files that no session is read from."""
    catalogs: Mapping[str, str] = field(default_factory=dict)
    """Name inside the folder by the id that the file name stands for."""
    pointed: tuple[str, ...] = ()
    """Names of catalogue files elsewhere in the folder that the manifest points at."""

    @property
    def manifest_file(self) -> str:
        """The manifest's name, also where it is missing."""
        return MANIFEST_NAME

    def session_ids(self) -> tuple[str, ...]:
        """Return the ids that have a file, in code-point order."""
        return tuple(self.sessions)

    def file_of(self, file_id: str) -> str:
        """Return the name of a session's file."""
        return self.sessions[file_id]

    def read(self, file_id: str, session_id: str, limits: Limits) -> SessionRecording:
        """Read one session's file, once and whole."""
        name = self.sessions[file_id]
        return read_session_file(
            self.root / name, name=name, session_id=SessionId(session_id), limits=limits
        )

    def copy_session(self, file_id: str, stream: BinaryIO) -> None:
        """Write a session's bytes as they are.

        Raises:
            OSError: The file cannot be read.
        """
        with (self.root / self.sessions[file_id]).open("rb") as source:
            shutil.copyfileobj(source, stream, CHUNK)

    def other_files(self) -> Iterator[tuple[str, Path]]:
        """Yield name and place of the files that belong to the wave and hold no session."""
        names = dict.fromkeys((*self.catalogs.values(), *self.pointed))
        for name in (*names, *(name for _, name in self.not_read)):
            yield name, self.root / name

    def starts(self, limits: Limits) -> Iterator[tuple[SessionId, SessionStart]]:
        """Return the first `session_start` of every file that has one before it breaks off."""
        for session_id, name in self.sessions.items():
            start = _first_start(self.root / name, limits)
            if start is not None:
                yield SessionId(session_id), start

    def sources(self, known: Mapping[str, str | None]) -> dict[str, Any]:
        """Return the digests of every file, for the revision of the source.

        Args:
            known: Digests by session file id that need not be computed again.

        Rule: findings.md section 3.1.
        """
        sessions = [(file_id, self._digest(file_id, known)) for file_id in self.sessions]
        sessions += [(file_id, file_digest(self.root / name)) for file_id, name in self.not_read]
        catalogs = [(own, file_digest(self.root / name)) for own, name in self.catalogs.items()]
        catalogs += [(_stem_id(name), file_digest(self.root / name)) for name in self.pointed]
        manifest = file_digest(self.root / MANIFEST_NAME) if self.has_manifest else None
        return {
            "catalogs": sorted([own, digest] for own, digest in catalogs if digest),
            "manifest": manifest,
            "sessions": sorted([own, digest] for own, digest in sessions if digest),
        }

    def files(self, known: Mapping[str, str | None]) -> tuple[InputFile, ...]:
        """Return every file of the recording that can be read, by name."""
        digests = {
            **{name: self._digest(file_id, known) for file_id, name in self.sessions.items()},
            **{name: file_digest(self.root / name) for _, name in self.not_read},
            **{name: file_digest(self.root / name) for name in self.catalogs.values()},
            **{name: file_digest(self.root / name) for name in self.pointed},
        }
        if self.has_manifest:
            digests[MANIFEST_NAME] = file_digest(self.root / MANIFEST_NAME)
        return tuple(
            InputFile(name=name, sha256=digest, bytes=(self.root / name).stat().st_size)
            for name, digest in sorted(digests.items())
            if digest is not None
        )

    def _digest(self, file_id: str, known: Mapping[str, str | None]) -> str | None:
        digest = known.get(file_id)
        return file_digest(self.root / self.sessions[file_id]) if digest is None else digest


def scan_folder(root: Path) -> tuple[FolderForm, tuple[Problem, ...]]:
    """Find the files of a recorded wave.

    Args:
        root: The wave's folder.

    Returns:
        What there is, and what is there and cannot be used: links that lead elsewhere,
        names that are no session id, two files of one session.

    Rule: recording.md section 2.
    """
    problems: list[Problem] = []
    manifest = root / MANIFEST_NAME
    has_manifest = is_readable_file(manifest)
    if has_manifest and not is_inside(manifest, root):
        problems.append(outside(MANIFEST_NAME))
        has_manifest = False
    sessions: dict[str, str] = {}
    not_read: list[tuple[str, str]] = []
    for name, own in _listed(root, SESSIONS_FOLDER, SESSION_SUFFIX, problems):
        report = Complaints(name, problems)
        if own is None or not is_session_id(own):
            what = "The file name stands for no session id; the file is left out."
            report.add("", "bad-session-id", what, SESSION_ID_REMEDY)
            not_read.append((own or name, name))
        elif own in sessions:
            # The spelling of our own recorder goes first, whatever the order of the folder.
            ours = f"{SESSIONS_FOLDER}/{encoded(own)}{SESSION_SUFFIX}"
            kept, dropped = (name, sessions[own]) if name == ours else (sessions[own], name)
            sessions[own] = kept
            not_read.append((own, dropped))
            Complaints(dropped, problems).add(
                "",
                "duplicate-session-file",
                f"It and {kept} both stand for session {own}; this one is left out.",
                "Keep one file for every session.",
                session_id=own,
            )
        else:
            sessions[own] = name
    catalogs = {
        own: name
        for name, own in _listed(root, CATALOGS_FOLDER, CATALOG_SUFFIX, problems)
        if own is not None
    }
    form = FolderForm(
        root=root,
        has_manifest=has_manifest,
        sessions=dict(sorted(sessions.items())),
        not_read=tuple(not_read),
        catalogs=dict(sorted(catalogs.items())),
    )
    return form, tuple(problems)


def read_session_file(
    path: Path, *, name: str, session_id: SessionId, limits: Limits
) -> SessionRecording:
    """Read one session's file: its records, its digest and its size in one go.

    Args:
        path: Where it is.
        name: Its name for problems and citations.
        session_id: The session.
        limits: How much is read; the digest is always that of the whole file.
    """
    try:
        with path.open("rb") as stream:
            size = path.stat().st_size
            data = stream.read(min(size, limits.session_bytes) + 1)
            digest, total = hashlib.sha256(data), len(data)
            while chunk := stream.read(CHUNK):
                digest.update(chunk)
                total += len(chunk)
    except OSError as error:
        return SessionRecording(
            session_id=session_id,
            file=name,
            damaged=True,
            problems=(unreadable(name, error, session_id),),
        )
    is_over = total > limits.session_bytes
    if is_over:
        data = data[: data.rfind(b"\n", 0, limits.session_bytes) + 1]
    lines = enumerate(io.BytesIO(data.removeprefix(BYTE_ORDER_MARK)), start=1)
    found = read_lines(
        lines,
        file=name,
        session_id=session_id,
        limits=limits,
        look_for_constants=may_hold_constants(data),
    )
    if is_over:
        say_too_large(found, data.count(b"\n") + 1, name, session_id, limits)
    return SessionRecording(
        session_id=session_id,
        records=found.records,
        lines=found.lines,
        file=name,
        damaged=found.damaged,
        problems=found.problems,
        unknown_types=found.unknown_types,
        sha256=digest.hexdigest(),
        bytes=total,
    )


def say_too_large(found: ReadLines, line: int, file: str, session_id: str, limits: Limits) -> None:
    """Say that a session was read up to the limit only."""
    found.damaged = True
    Complaints(file, found.problems).add(
        f"line {line}",
        "session-too-large",
        f"The session is larger than {limits.session_bytes:,} bytes and is read up to here.",
        "Raise the limit to read all of it.",
        session_id=session_id,
    )


def _listed(
    root: Path, folder: str, suffix: str, problems: list[Problem]
) -> list[tuple[str, str | None]]:
    """Return name and id of the files of one kind, by name."""
    place = root / folder
    if not place.is_dir():
        return []
    if not is_inside(place, root):
        problems.append(outside(folder))
        return []
    found: list[tuple[str, str | None]] = []
    with os.scandir(place) as entries:
        ordered = sorted(entries, key=lambda entry: entry.name)
    for entry in ordered:
        if entry.name.startswith("."):
            continue
        # A file system may hold names that no terminal should be given; none is an id of ours.
        name = f"{folder}/{entry.name}"
        is_shown = name.isprintable()
        if not is_shown:
            name = "".join(char if char.isprintable() else "?" for char in name)
        report = Complaints(name, problems)
        if entry.is_symlink() and not is_inside(Path(entry.path), root):
            problems.append(outside(name))
        elif not entry.name.endswith(suffix) or not entry.is_file():
            what = f"It is no ordinary {suffix} file and was not read."
            report.add("", "unexpected-file", what, severity="note")
        elif not is_shown:
            what = "Its name holds characters that cannot be shown; it was not read."
            report.add("", "unexpected-file", what)
        else:
            found.append((name, decoded(entry.name.removesuffix(suffix))))
    return found


def _stem_id(name: str) -> str:
    stem = PurePosixPath(name).stem
    return decoded(stem) or stem


def _first_start(path: Path, limits: Limits) -> SessionStart | None:
    longest = limits.line_bytes + 1
    try:
        with path.open("rb") as stream:
            while line := stream.readline(longest + 1):
                line = repaired(line.removeprefix(BYTE_ORDER_MARK))
                if len(line) > longest:
                    return None
                if not line.strip() or RecordHead.model_validate_json(line).type != "session_start":
                    continue
                record = RECORD.validate_json(line)
                return record if isinstance(record, SessionStart) else None
    except (OSError, ValidationError):
        return None
    return None
