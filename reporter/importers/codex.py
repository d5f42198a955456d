"""Imports rollouts of the Codex CLI: one line a thing said or done, one session a file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from reporter.errors import Problem
from reporter.importers.agent_head import goal_of_words, session_id_of, target_of
from reporter.importers.agent_log import AgentLog, text_of
from reporter.importers.codex_records import (
    WRAPPED,
    Item,
    Rollout,
    is_old_header,
    is_subagent,
    mark_copies,
    origin_of,
    read_rollout,
    without_rolled_back,
)
from reporter.importers.codex_session import CodexWriter
from reporter.importers.described import Described, Gap
from reporter.importers.importer import ImportedItem, ImportedSession, SessionHead
from reporter.importers.jsonlines import LINE_BROKEN, first_objects
from reporter.importers.mapping import FileMapping
from reporter.importers.source import Look, SourceEntry
from reporter.models.manifest import Lost
from reporter.plural import plural

_TAKEN_BACK: Final = "messages of turns that the person took back (thread_rolled_back)"
_COPIED: Final = "lines that count in the session they were copied from"

_DESCRIBED: Final = Described(
    title="Codex CLI rollouts",
    files="`rollout-*.jsonl`, one line a thing said or done, one session a file",
    persona=None,
    goal="the person's first message that was answered (inferred)",
    target="last part of `cwd` (inferred) with the model of most steps",
    session="`session_meta.id`; a sub-agent's rollout belongs to the session that sent it",
    turn="a `user_message` event, up to the next; without any, a user's item (inferred)",
    call="`*_call` items, those of sub-agents in the turn that sent them to work",
    result="`*_output` items with the call's id",
    error="`mcp_tool_call_end`, `patch_apply_end` and `success`; of other tools unknown",
    stop_reason=None,
    outcome=None,
    usage="`token_count` events, each time the total grew",
    time="`timestamp`",
    catalog=None,
    connection=None,
    gaps=(
        Gap("no persona; `--map` or `--persona` gives one", "notMeasured"),
        Gap("no outcome", "notMeasured"),
        Gap("no word for a failed command", "notMeasured"),
        Gap("no stop reason", "notMeasured"),
        Gap("no tool catalog", "toolCatalogMissing"),
        Gap("no transport evidence", "notMeasured"),
    ),
)


@dataclass(frozen=True, slots=True)
class Codex:
    """One session a file; forks and sub-agents are read with the session they began in."""

    name: str = "codex"
    version: int = 1
    looks_for: str = (
        "JSON lines with type (session_meta, response_item, event_msg) and payload (Codex CLI)"
    )
    described: Described = _DESCRIBED

    def claims(self, look: Look) -> bool:
        """Tell whether the first lines are those of a rollout."""
        if look.head.lstrip()[:1] != b"{":
            return False
        objects = first_objects(look.head, most=5)
        if objects:
            return any(map(_is_line, objects))
        outline = look.outline
        return outline.string("type") in WRAPPED and outline.has("payload")

    def bundles(self, files: Sequence[SourceEntry]) -> list[tuple[SourceEntry, ...]]:
        """Put a session together with those that were forked from it or sent by it."""
        groups: dict[str, list[SourceEntry]] = {}
        home: dict[str, str] = {}
        for file in files:
            own, origin = _names(file)
            keys = [home.get(name, name) for name in (own, origin) if name is not None]
            first = keys[0] if keys else f"file {file.name}"
            merged = groups.pop(first, [])
            for other in keys[1:]:
                merged = sorted([*merged, *groups.pop(other, [])], key=files.index)
            groups[first] = [*merged, file]
            home = {name: first if key in keys else key for name, key in home.items()}
            home |= {name: first for name in (own, origin) if name is not None}
        return [tuple(group) for group in groups.values()]

    def sessions(
        self, bundle: Sequence[SourceEntry], mapping: FileMapping
    ) -> Iterator[ImportedItem]:
        """Read the rollouts of a bundle, then write down each that is a session."""
        rollouts: list[Rollout] = []
        for entry in bundle:
            rollout = read_rollout(entry)
            yield rollout.file
            rollouts.append(rollout)
        distinct = list({one.file.sha256: one for one in reversed(rollouts)}.values())[::-1]
        by_id = {one.session_id: one for one in reversed(distinct) if one.session_id is not None}
        copied = {id(one): _copied(one, by_id) for one in distinct}
        without: list[Lost] = []
        for rollout in distinct:
            yield from _said_of(rollout)
            if not (rollout.is_subagent and rollout.origin in by_id):
                made = _session(rollout, distinct, mapping, copied[id(rollout)])
                if isinstance(made, Lost):
                    without.append(made)
                else:
                    yield made
        for rollout in distinct:
            yield from rollout.losses.lost()
        yield from without


def _is_line(record: Mapping[str, Any]) -> bool:
    if record.get("type") in tuple(WRAPPED):
        return isinstance(record.get("payload"), dict) and "seq" not in record
    return "type" not in record and is_old_header(record)


def _names(entry: SourceEntry) -> tuple[str | None, str | None]:
    """Return the session that a file holds and the one that it was begun by."""
    try:
        objects = first_objects(entry.head(), most=1)
    except OSError:
        return None, None
    payload = objects[0].get("payload", objects[0]) if objects else {}
    meta = payload if isinstance(payload, dict) else {}
    return text_of(meta.get("id")), origin_of(meta)


def _copied(rollout: Rollout, by_id: Mapping[str, Rollout]) -> int:
    origin = by_id.get(rollout.origin or "")
    if origin is None or origin is rollout:
        return 0
    copied = mark_copies(rollout.items, origin.items)
    rollout.losses.add("repeated", "payload", _COPIED, copied)
    return copied


def _said_of(rollout: Rollout) -> Iterator[ImportedItem]:
    """Yield what is wrong with a file, but for what is its session's to say."""
    for item in rollout.lines.problems():
        if not (isinstance(item, Problem) and item.rule == LINE_BROKEN):
            yield item


def _session(
    rollout: Rollout, family: Sequence[Rollout], mapping: FileMapping, copied: int
) -> ImportedSession | Lost:
    """Return the session of a rollout, or why there is none."""
    log = AgentLog(is_sound=True)
    writer = CodexWriter(log, rollout.losses, is_subagent=rollout.is_subagent)
    for one in _sent_by(rollout, family):
        own = (list(without_rolled_back(one)), one.losses)
        writer.sent.setdefault(one.session_id or one.entry.name, []).append(own)
    items = list(without_rolled_back(rollout))
    _announce(log, rollout, copied)
    writer.write(items)
    writer.write_rest()
    for first, messages in rollout.rolled_back:
        rollout.losses.no_place(f"line {first.line}", _TAKEN_BACK, messages)
    if not log.message_count and not writer.calls:
        return Lost(
            place=rollout.entry.name,
            reason="nothing was said or called in it, so there is no session",
            kind="repeated" if copied else "noPlace",
        )
    ending = writer.ending(is_cut=rollout.lines.is_cut)
    log.end(ending)
    stated = mapping.stated(rollout.entry.name)
    session_id = session_id_of(rollout.session_id, rollout.entry.prefix)
    problem: Problem | None = None
    for item in rollout.lines.problems():
        if isinstance(item, Problem) and item.rule == LINE_BROKEN:
            problem = replace(item, session_id=session_id)
    models = writer.models.most_common(1)
    head = SessionHead(
        session_id=session_id,
        file=rollout.entry.name,
        persona=stated.persona_or(None),
        goal=goal_of_words(log.records),
        target=target_of(
            stated, text_of(rollout.meta.get("cwd")), models[0][0] if models else _named(items)
        ),
        attempt=ending.attempt,
        message_count=log.message_count,
        inferred=ending.inferred,
    )
    return ImportedSession(head, log.records, problem)


def _sent_by(rollout: Rollout, family: Sequence[Rollout]) -> Iterator[Rollout]:
    """Yield the sub-agents of a session, and theirs."""
    for one in family:
        if one.is_subagent and one is not rollout and one.origin == rollout.session_id:
            yield one
            yield from (
                inner
                for inner in family
                if is_subagent(inner.meta) and inner.origin == one.session_id and inner is not one
            )


def _announce(log: AgentLog, rollout: Rollout, copied: int) -> None:
    instructions = rollout.meta.get("base_instructions", rollout.meta.get("instructions"))
    if isinstance(instructions, dict):
        instructions = instructions.get("text")
    if isinstance(instructions, str) and instructions.strip():
        log.client(instructions, None)
    if rollout.is_subagent:
        log.notice("subagent", "Another session's assistant began it; that session is not here.")
    elif copied:
        log.notice(
            "resumed",
            f"It goes on from {rollout.origin}: "
            f"{plural(copied, 'line counts', 'lines count')} there.",
        )
    elif rollout.origin is not None:
        log.notice(
            "resumed",
            f"It was forked from {rollout.origin}, which is not here: what it repeats of it "
            f"cannot be told from its own.",
        )


def _named(items: Sequence[Item]) -> str | None:
    """Return the model that the session was set to, where no step says one."""
    return next((model for item in items if (model := text_of(item.body.get("model")))), None)
