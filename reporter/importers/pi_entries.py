"""The lines of a pi session file, and the way through them that the session took."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reporter.errors import Problem
from reporter.importers.agent_log import milliseconds, text_of
from reporter.importers.jsonlines import JsonLines
from reporter.importers.losses import Losses
from reporter.importers.source import SourceEntry
from reporter.models.manifest import Lost, SourceFile


@dataclass(slots=True)
class PiEntry:
    """One line behind the header."""

    kind: str
    line: int
    place: int
    own_id: str | None
    parent: str | None
    has_parent: bool
    at: int | None
    """The outer of both clocks: when the line was written."""
    body: Mapping[str, Any]
    supersedes: tuple[str, ...] = ()
    is_copied: bool = False
    """The same entry counts in the session that this one was branched from."""

    @property
    def message(self) -> Mapping[str, Any]:
        """The message of the line, or nothing."""
        found = self.body.get("message")
        return found if isinstance(found, dict) else {}

    @property
    def role(self) -> object:
        """Who or what the message is of, or None."""
        return self.message.get("role")

    @property
    def key(self) -> tuple[object, ...] | None:
        """What is equal in the copies of one entry; None where nothing tells it from others."""
        if self.own_id is None and self.at is None:
            return None
        message = self.message
        return (
            self.own_id,
            self.kind,
            self.at,
            text_of(self.role),
            milliseconds(message.get("timestamp")),
            text_of(message.get("toolCallId")),
        )


@dataclass(slots=True)
class PiLog:
    """One session file, read."""

    entry: SourceEntry
    lines: JsonLines
    losses: Losses
    header: Mapping[str, Any]
    file: SourceFile
    entries: list[PiEntry] = field(default_factory=list)
    branches: list["PiBranch"] = field(default_factory=list)
    bridged: list[PiEntry] = field(default_factory=list)
    """Entries whose parent is missing: the one before stands in."""

    @property
    def session_id(self) -> str | None:
        """The session's id, or None where the file has no header."""
        return text_of(self.header.get("id"))

    @property
    def parent_file(self) -> str | None:
        """The name of the file that it was branched from, without its folder."""
        return parent_of(self.header)

    def problems(self) -> Iterator[Problem | Lost]:
        """Yield what is wrong with the file."""
        yield from self.losses.lost()
        yield from self.lines.problems()


@dataclass(frozen=True, slots=True)
class PiBranch:
    """Entries that the person left by going back."""

    first: PiEntry
    messages: int
    asked: PiEntry | None


def parent_of(header: Mapping[str, Any]) -> str | None:
    """Return the name of the file that a session was branched from, or None."""
    path = text_of(header.get("parentSession")) or text_of(header.get("branchedFrom"))
    return path.replace("\\", "/").rsplit("/", 1)[-1] if path is not None else None


def read_pi(entry: SourceEntry) -> PiLog:
    """Read one session file.

    Raises:
        OSError: The file cannot be read.
    """
    lines, losses = JsonLines(entry), Losses(entry.name)
    header: Mapping[str, Any] = {}
    entries: list[PiEntry] = []
    for number, record in lines.objects():
        kind = record.get("type")
        if kind == "session":
            if header:
                losses.add("repeated", f"line {number}", "further headers of the session")
            else:
                header = record
        elif isinstance(kind, str):
            entries.append(_entry(kind, number, len(entries), record))
        else:
            losses.unknown_type(f"line {number}", kind)
    if lines.file is None:
        raise OSError("the file was not read to its end")
    return PiLog(entry, lines, losses, header, lines.file, entries)


def _entry(kind: str, line: int, place: int, record: Mapping[str, Any]) -> PiEntry:
    superseded = record.get("supersedesEntryIds")
    return PiEntry(
        kind=kind,
        line=line,
        place=place,
        own_id=text_of(record.get("id")),
        parent=text_of(record.get("parentId")),
        has_parent="parentId" in record,
        at=milliseconds(record.get("timestamp")),
        body=record,
        supersedes=tuple(one for one in superseded if isinstance(one, str))
        if isinstance(superseded, list)
        else (),
    )


def path_of(log: PiLog) -> list[PiEntry]:
    """Return the session: the way from the last entry back to the first.

    A file of the first version is a list and has no ids: all of it is the session. Later
    ones are trees, only ever appended to, and the last entry is where the person is.
    Branches that were left are kept in `log.branches`.
    """
    entries = log.entries
    by_id = {entry.own_id: entry for entry in reversed(entries) if entry.own_id is not None}
    if not by_id:
        return entries
    on_path: set[int] = set()
    at: PiEntry | None = entries[-1]
    while at is not None and at.place not in on_path:
        on_path.add(at.place)
        at = _before(log, at, by_id)
    log.branches = list(_branches(entries, on_path, by_id))
    return [entry for entry in entries if entry.place in on_path]


def _before(log: PiLog, entry: PiEntry, by_id: Mapping[str, PiEntry]) -> PiEntry | None:
    if entry.parent is not None and entry.parent in by_id:
        return by_id[entry.parent]
    if (entry.has_parent and entry.parent is None) or entry.place == 0:
        return None
    if entry.parent is not None:
        log.bridged.append(entry)
    return log.entries[entry.place - 1]


def _branches(
    entries: Sequence[PiEntry], on_path: set[int], by_id: Mapping[str, PiEntry]
) -> Iterator[PiBranch]:
    roots: dict[int, int] = {}
    members: dict[int, list[PiEntry]] = {}
    for entry in entries:
        if entry.place in on_path:
            continue
        parent = by_id.get(entry.parent) if entry.parent is not None else None
        root = roots.get(parent.place, entry.place) if parent is not None else entry.place
        roots[entry.place] = root
        members.setdefault(root, []).append(entry)
    for own in members.values():
        messages = [entry for entry in own if entry.kind == "message"]
        if messages:
            asked = next((entry for entry in messages if entry.role == "user"), None)
            yield PiBranch(messages[0], len(messages), asked)
