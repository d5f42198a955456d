"""Imports session files of the pi coding agent: one entry a line, one session a file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from reporter.errors import Problem
from reporter.importers.agent_head import goal_of_words, session_id_of, target_of
from reporter.importers.agent_log import AgentLog, text_of
from reporter.importers.described import Described, Gap
from reporter.importers.importer import ImportedItem, ImportedSession, SessionHead
from reporter.importers.jsonlines import LINE_BROKEN, first_objects
from reporter.importers.mapping import FileMapping
from reporter.importers.naming import first_words
from reporter.importers.pi_entries import PiBranch, PiEntry, PiLog, parent_of, path_of, read_pi
from reporter.importers.pi_messages import PiWriter
from reporter.importers.source import Look, SourceEntry
from reporter.models.manifest import Lost
from reporter.plural import plural
from reporter.redaction import mask_text

_LEFT: Final = (
    "messages on branches that the person left by going back; the session is the way to the last "
    "entry"
)
_COPIED: Final = "entries that count in the session they were copied from"
_BRIDGED: Final = "entries whose parent is missing; the entry before it in the file stands in"

_DESCRIBED: Final = Described(
    title="pi coding agent sessions",
    files="`*.jsonl`, one entry a line, one session a file",
    persona=None,
    goal="the person's first message (inferred); a session may pursue many",
    target="last part of `cwd` (inferred) with provider and model of most steps",
    session="`session.id`; the path from the last entry to the first, other branches counted",
    turn="a message of role `user`, up to the next",
    call="`toolCall` blocks; `bashExecution` is a call of the person",
    result="the `toolResult` message with the call's id",
    error="`isError`",
    stop_reason="`stopReason` (`toolUse` is written `tool_use`); `aborted`: the person's stop",
    outcome=None,
    usage="`usage`, cache tokens among the input; all zero is unknown",
    time="`timestamp` of the line, not the one inside of its message",
    catalog=None,
    connection=None,
    gaps=(
        Gap("no persona; `--map` or `--persona` gives one", "notMeasured"),
        Gap("no outcome", "notMeasured"),
        Gap("no tool catalog, no system prompt", "toolCatalogMissing"),
        Gap("no transport evidence", "notMeasured"),
        Gap("no place for costs", "notMeasured"),
    ),
)


@dataclass(frozen=True, slots=True)
class Pi:
    """One session a file: a header, then entries, since version 2 a tree of them."""

    name: str = "pi"
    version: int = 1
    looks_for: str = (
        'JSON lines of which the first has type "session", id, timestamp and cwd (pi coding agent)'
    )
    described: Described = _DESCRIBED

    def claims(self, look: Look) -> bool:
        """Tell whether the first lines are the header of a session, or its entries."""
        if look.head.lstrip()[:1] != b"{":
            return False
        objects = first_objects(look.head, most=5)
        return any(map(_is_header, objects)) or (len(objects) > 1 and all(map(_is_entry, objects)))

    def bundles(self, files: Sequence[SourceEntry]) -> list[tuple[SourceEntry, ...]]:
        """Put a session together with those that were branched from it."""
        named = {file.name.rsplit("/", 1)[-1]: at for at, file in enumerate(files)}
        parents = list(range(len(files)))
        for at, file in enumerate(files):
            origin = _origin(file)
            if origin in named:
                low, high = sorted((_root(parents, at), _root(parents, named[origin])))
                parents[high] = low
        groups: dict[int, list[SourceEntry]] = {}
        for at, file in enumerate(files):
            groups.setdefault(_root(parents, at), []).append(file)
        return [tuple(group) for group in groups.values()]

    def sessions(
        self, bundle: Sequence[SourceEntry], mapping: FileMapping
    ) -> Iterator[ImportedItem]:
        """Read the sessions of a bundle; an entry copied from one to another counts once."""
        logs: list[PiLog] = []
        for entry in bundle:
            log = read_pi(entry)
            yield log.file
            logs.append(log)
        distinct = {log.file.sha256: log for log in reversed(logs)}
        for log in [log for log in logs if distinct[log.file.sha256] is log]:
            origins = [one for one in logs if _name(one) == log.parent_file and one is not log]
            yield from _session(log, origins, mapping)


def _is_header(record: Mapping[str, Any]) -> bool:
    return (
        record.get("type") == "session"
        and isinstance(record.get("id"), str)
        and "timestamp" in record
        and ("cwd" in record or "version" in record)
    )


def _is_entry(record: Mapping[str, Any]) -> bool:
    """Tell whether a line could stand behind a header that was lost."""
    message = record.get("message")
    return "uuid" not in record and (
        (record.get("type") == "message" and isinstance(message, dict) and "role" in message)
        or (record.get("type") in ("model_change", "thinking_level_change"))
    )


def _origin(entry: SourceEntry) -> str | None:
    try:
        objects = first_objects(entry.head(), most=1)
    except OSError:
        return None
    return parent_of(objects[0]) if objects else None


def _root(parents: list[int], at: int) -> int:
    while parents[at] != at:
        at = parents[at]
    return at


def _name(log: PiLog) -> str:
    return log.entry.name.rsplit("/", 1)[-1]


def _session(log: PiLog, origins: Sequence[PiLog], mapping: FileMapping) -> Iterator[ImportedItem]:
    known = {entry.key for origin in origins for entry in origin.entries} - {None}
    path = path_of(log)
    for entry in log.entries:
        entry.is_copied = entry.key in known
    talk = AgentLog(is_sound=True)
    copied = sum(entry.is_copied for entry in path)
    _announce(talk, log, copied)
    writer = PiWriter(talk, log.losses)
    writer.write(path)
    _count(log, copied)
    session_id = session_id_of(log.session_id, log.entry.prefix)
    problem: Problem | None = None
    for item in log.problems():
        if isinstance(item, Problem) and item.rule == LINE_BROKEN:
            problem = replace(item, session_id=session_id)
        else:
            yield item
    if not talk.message_count:
        reason = (
            "all its messages count in the session it was branched from"
            if copied
            else "no message stands in it, so there is no session"
        )
        yield Lost(place=log.entry.name, reason=reason, kind="repeated" if copied else "noPlace")
        return
    ending = writer.ending(is_cut=log.lines.is_cut)
    talk.end(ending)
    stated = mapping.stated(log.entry.name)
    records = talk.records
    head = SessionHead(
        session_id=session_id,
        file=log.entry.name,
        persona=stated.persona_or(None),
        goal=goal_of_words(records),
        target=target_of(stated, _folder(log), _model(writer, log)),
        attempt=ending.attempt,
        message_count=talk.message_count,
        inferred=ending.inferred,
    )
    yield ImportedSession(head, records, problem)


def _announce(talk: AgentLog, log: PiLog, copied: int) -> None:
    if copied:
        talk.notice(
            "resumed",
            f"It was branched: {plural(copied, 'entry counts', 'entries count')} in the session "
            f"before.",
        )
    elif log.parent_file is not None:
        talk.notice("resumed", "It was branched from a session that is not in the source.")
    for branch in log.branches:
        talk.notice(
            "branch",
            f"{plural(branch.messages, 'message stands', 'messages stand')} on {_words(branch)}.",
        )


def _words(branch: PiBranch) -> str:
    said = first_words(_text(branch.asked)) if branch.asked is not None else ""
    what = f', begun with "{mask_text(said)}"' if said.strip() else ""
    return f"a branch that was left (line {branch.first.line}{what})"


def _text(entry: PiEntry) -> str:
    content = entry.message.get("content")
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else ()
    texts = (block.get("text") for block in blocks if isinstance(block, dict))
    return "\n".join(text for text in texts if isinstance(text, str))


def _count(log: PiLog, copied: int) -> None:
    for branch in log.branches:
        log.losses.no_place(f"line {branch.first.line}", _LEFT, branch.messages)
    log.losses.add("repeated", "message", _COPIED, copied)
    for entry in log.bridged:
        log.losses.disagreement(f"line {entry.line}", _BRIDGED)


def _folder(log: PiLog) -> str | None:
    cwd = log.header.get("cwd")
    return cwd if isinstance(cwd, str) else None


def _model(writer: PiWriter, log: PiLog) -> str | None:
    """Return provider and model of most steps, else those that the header names."""
    if writer.models:
        (provider, model), _ = writer.models.most_common(1)[0]
        return f"{provider}/{model}" if provider else model
    named, by = text_of(log.header.get("modelId")), text_of(log.header.get("provider"))
    return f"{by}/{named}" if named is not None and by is not None else named
