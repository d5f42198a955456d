"""Puts Claude Code logs together that speak of one session, or repeat records of another."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from reporter.errors import Problem
from reporter.importers.agent_log import text_of
from reporter.importers.claude_code_records import BOOKKEEPING, Node, node_of, steering_of
from reporter.importers.jsonlines import JsonLines, first_objects
from reporter.importers.losses import Losses
from reporter.importers.source import SourceEntry, digest_of
from reporter.models.manifest import Lost, SourceFile

META_SUFFIX: Final = ".meta.json"

_AGENT_FILE: Final = re.compile(r"agent-(?P<id>[^/]+?)(?:\.meta\.json|\.jsonl)")
_INSIDE: Final = re.compile(r"(?:^|/)(?P<session>[^/]+)/subagents/")
_KEPT_BOOKS: Final = (
    "lines that the client keeps for itself (titles, modes, snapshots of files, its queue): "
    "nobody said or did them"
)


@dataclass(slots=True, eq=False)
class Log:
    """One file, read."""

    entry: SourceEntry
    file: SourceFile
    lines: JsonLines
    losses: Losses
    nodes: list[Node] = field(default_factory=list)
    cwd: str | None = None
    """The working folder of its first record that names one."""
    session_id: str | None = None
    """Of the session that the file belongs to, or None where no record names one."""

    @property
    def name(self) -> str:
        """Its name inside the source."""
        return self.entry.name

    @property
    def begins_ms(self) -> int:
        """When its first record was written; late where that is unknown."""
        return next((node.at for node in self.nodes if node.at is not None), 1 << 62)

    def without_session(self) -> Iterator[Lost | Problem]:
        """Yield why there is no session in the file."""
        yield from self.lines.problems()
        yield from self.losses.lost()
        if not self.name.endswith(META_SUFFIX):
            yield Lost(
                place=self.name,
                reason="no record of a conversation stands in it, so there is no session",
                kind="noPlace",
            )


@dataclass(slots=True)
class Member:
    """One session, with all that the logs hold of it."""

    session_id: str
    logs: list[Log]
    """Files that hold something of it; the first that began."""
    nodes: list[Node]
    """Of the session's own tree, in the order in which they were written."""
    sidechains: list[Node]
    repeated: int = 0
    """Records that stand in it more than once."""
    follows: str | None = None
    """The session whose record its first one stands under, or None."""
    copied_from: dict[str, int] = field(default_factory=dict)
    """Sessions that hold some of its records too, each with how many count there."""


def families(files: Sequence[SourceEntry]) -> list[tuple[SourceEntry, ...]]:
    """Group files so that no session, and no repeated record, is spread over two groups."""
    parents = list(range(len(files)))

    def root(at: int) -> int:
        while parents[at] != at:
            parents[at] = parents[parents[at]]
            at = parents[at]
        return at

    first: dict[str, int] = {}
    for at, entry in enumerate(files):
        for key in _keys(entry):
            other = first.setdefault(key, at)
            low, high = sorted((root(other), root(at)))
            parents[high] = low
    groups: dict[int, list[SourceEntry]] = {}
    for at, entry in enumerate(files):
        groups.setdefault(root(at), []).append(entry)
    return [tuple(group) for group in groups.values()]


def _keys(entry: SourceEntry) -> Iterator[str]:
    """Yield what a file shares with others of its family."""
    stem = entry.name.rsplit("/", 1)[-1]
    inside = _INSIDE.search(entry.name)
    if inside is not None:
        yield f"session {inside['session']}"
    agent = _AGENT_FILE.fullmatch(stem)
    if agent is not None:
        yield f"agent {agent['id']}"
    if entry.name.endswith(META_SUFFIX):
        return
    try:
        objects = first_objects(entry.head())
    except OSError:
        return
    if inside is None and agent is None:
        yield f"session {stem.removesuffix('.jsonl')}"
    uuids = 0
    for record in objects:
        session_id = text_of(record.get("sessionId"))
        if session_id is not None:
            yield f"session {session_id}"
        forked = record.get("forkedFrom")
        if isinstance(forked, dict) and (origin := text_of(forked.get("sessionId"))) is not None:
            yield f"session {origin}"
        uuid = text_of(record.get("uuid"))
        # A session that another was continued from has the same records at its beginning.
        if uuid is not None and uuids == 0:
            uuids += 1
            yield f"record {uuid}"


def read_log(entry: SourceEntry, sent_by: dict[str, str]) -> Log:
    """Read one file.

    Args:
        entry: The file.
        sent_by: Of a sub-agent's id the call that sent it to work; grows.

    Raises:
        OSError: The file cannot be read.
    """
    lines = JsonLines(entry)
    if entry.name.endswith(META_SUFFIX):
        _read_meta(entry, sent_by)
        return Log(entry, digest_of(entry), lines, Losses(entry.name))
    losses = Losses(entry.name)
    nodes: list[Node] = []
    cwd: str | None = None
    kept = 0
    for number, record in lines.objects():
        kind = text_of(record.get("type"))
        node = node_of(record, number) or steering_of(record, number, _latest(nodes))
        if node is None or node.kind == "link":
            if kind in BOOKKEEPING:
                kept += 1
            else:
                losses.unknown_type(f"line {number}", kind)
        if node is not None:
            node.file = entry.name
            nodes.append(node)
            if cwd is None:
                cwd = text_of(record.get("cwd"))
    losses.no_place("type", _KEPT_BOOKS, kept)
    file = lines.file
    if file is None:
        raise OSError("the file was not read to its end")
    log = Log(entry, file, lines, losses, nodes, cwd)
    log.session_id = _session_of(log)
    return log


def _latest(nodes: Sequence[Node]) -> str | None:
    return next((node.uuid for node in reversed(nodes) if not node.is_sidechain), None)


def _read_meta(entry: SourceEntry, sent_by: dict[str, str]) -> None:
    agent = _AGENT_FILE.fullmatch(entry.name.rsplit("/", 1)[-1])
    try:
        document = json.loads(entry.head())
    except (ValueError, RecursionError):
        return
    call_id = text_of(document.get("toolUseId")) if isinstance(document, dict) else None
    if agent is not None and call_id is not None:
        sent_by[agent["id"]] = call_id


def _session_of(log: Log) -> str | None:
    """Return the session of a file: the one that it is named after, else its last record's."""
    named = [node.session_id for node in log.nodes if node.session_id is not None]
    stem = log.name.rsplit("/", 1)[-1].removesuffix(".jsonl")
    if stem in named:
        return stem
    return named[-1] if named else None


def members_of(logs: Iterable[Log]) -> list[Member]:
    """Return the sessions of a family, and settle which of them each record counts in.

    A record belongs to the session that it names, whichever file it stands in.
    """
    members: dict[str, Member] = {}
    ordered = sorted(logs, key=lambda log: (log.begins_ms, log.name))
    seen: set[tuple[str, str]] = set()
    for log in ordered:
        if log.session_id is not None:
            # The file's own session comes first, so that what is wrong with it is said.
            _join(members, log.session_id, log)
        for node in log.nodes:
            named = node.session_id or log.session_id
            if named is None:
                continue
            member = _join(members, named, log)
            if node.uuid is not None and (named, node.uuid) in seen:
                member.repeated += 1
                continue
            if node.uuid is not None:
                seen.add((named, node.uuid))
            (member.sidechains if node.is_sidechain else member.nodes).append(node)
    found = list(members.values())
    if len(found) > 1:
        _settle(found)
    return found


def _join(members: dict[str, Member], session_id: str, log: Log) -> Member:
    member = members.setdefault(session_id, Member(session_id, [], [], []))
    if log not in member.logs:
        member.logs.append(log)
    return member


def _settle(members: Sequence[Member]) -> None:
    """Mark, of records that stand in several sessions, all but one."""
    holders: dict[str, list[tuple[Member, Node]]] = {}
    for member in members:
        for node in (*member.nodes, *member.sidechains):
            if node.uuid is not None:
                holders.setdefault(node.uuid, []).append((member, node))
    ends = {member.session_id: _end(member) for member in members}
    for held in holders.values():
        if len(held) > 1:
            _settle_one(held, ends)
    for member in members:
        parents = (node.parent or node.logical_parent for node in member.nodes[:1])
        for parent in parents:
            others = [one for one, _ in holders.get(parent or "", ()) if one is not member]
            member.follows = others[0].session_id if others else None


def _settle_one(held: Sequence[tuple[Member, Node]], ends: Mapping[str, int]) -> None:
    def order(one: tuple[Member, Node]) -> tuple[Any, ...]:
        member, node = one
        # The original is not marked as a copy, names its own session, and was left earlier.
        is_own = node.session_id == member.session_id
        return (node.is_forked, not is_own, ends[member.session_id], member.session_id)

    owner, *others = sorted(held, key=order)
    for member, node in others:
        node.is_copied = True
        name = owner[0].session_id
        member.copied_from[name] = member.copied_from.get(name, 0) + node.speaks


def _end(member: Member) -> int:
    return max((node.at for node in member.nodes if node.at is not None), default=0)
