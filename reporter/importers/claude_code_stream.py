"""Imports what Claude Code prints as it works: `--output-format stream-json`, a message a line."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from reporter.errors import Problem
from reporter.importers.agent_head import goal_of_words, session_id_of, target_of
from reporter.importers.agent_log import AgentLog, Ending, text_of
from reporter.importers.claude_code_agents import Agent, agents_of
from reporter.importers.claude_code_array import MessageArray, is_message_array
from reporter.importers.claude_code_records import Node, node_of
from reporter.importers.claude_code_session import SessionWriter
from reporter.importers.described import Described, Gap
from reporter.importers.importer import ImportedItem, ImportedSession, SessionHead
from reporter.importers.jsonlines import LINE_BROKEN, JsonLines, first_objects
from reporter.importers.losses import Losses
from reporter.importers.mapping import FileMapping
from reporter.importers.outcome import failed_attempt
from reporter.importers.source import Look, SourceEntry, look_at
from reporter.models.manifest import Attempt, Lost
from reporter.models.records import EndReason

_DESCRIBED: Final = Described(
    title="Claude Code streams",
    files="what `claude -p --output-format stream-json` printed, one message a line; the same "
    "messages as one JSON array (`--output-format json --verbose`, the execution file of "
    "claude-code-action)",
    persona=None,
    goal="the person's first words (inferred), where the stream repeats them",
    target="last part of `cwd` (inferred) with the model of most steps",
    session="`session_id`",
    turn="a `user` message with words of the person, up to the next",
    call="`tool_use` blocks, those of sub-agents in the turn that sent them to work",
    result="the `tool_result` block with the call's id",
    error="`is_error`; absent is false; what `permission_denials` lists is no server's",
    stop_reason="`message.stop_reason`, often null; the end by `result.subtype`",
    outcome=None,
    usage="`message.usage`, once a message, cache tokens among the input",
    time="`timestamp`, in newer streams",
    catalog="names in `init.tools`, never complete",
    connection="`init.mcp_servers` that are connected or failed, nobody's fault",
    gaps=(
        Gap("no persona; `--map` or `--persona` gives one", "notMeasured"),
        Gap("no outcome", "notMeasured"),
        Gap("no complete tool catalog", "toolCatalogMissing"),
    ),
)
_UNSAID: Final = frozenset({"stream_event", "rate_limit_event", "tool_progress", "auth_status"})
_PIECES: Final = "pieces of messages and signs of progress, said again in whole messages"
_ABOUT_ITSELF: Final = "lines of the client about itself (hooks, state, tasks)"
_UNSPOKEN: Final = "blocks of reasoning, which nobody was told"
_REPEATED: Final = "calls and results of one id again"
_COST: Final = "costs, for which a recording has no place"
_BROKEN: Final = "parts that are not what the format says"
_RULE: Final = "the client's last result line"
_LIMIT_RULE: Final = f"{_RULE}: a limit on steps of the model, not on turns"
_DENIED: Final = "permission"
_ENDS: Final[Mapping[str, EndReason]] = {
    "error_max_turns": "turnCap",
    "error_during_execution": "error",
    "error_max_budget_usd": "aborted",
}


@dataclass(slots=True)
class _Stream:
    """One session of a file."""

    session_id: str
    place: str
    """Where a message stands, with a hole for its number."""
    nodes: list[Node] = field(default_factory=list)
    sidechains: list[Node] = field(default_factory=list)
    cwd: str | None = None
    model: str | None = None
    result: Mapping[str, Any] | None = None
    denied: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class ClaudeCodeStream:
    """Every session of a stream, in the order in which they began."""

    name: str = "claude-code-stream"
    version: int = 1
    looks_for: str = (
        "JSON lines with type (system, assistant, user, result) and session_id, without parentUuid "
        "(stream-json of Claude Code), or one JSON array of them"
    )
    described: Described = _DESCRIBED

    def claims(self, look: Look) -> bool:
        """Tell whether the first lines are messages of a stream."""
        if look.outline.kind == "array":
            return is_message_array(look.outline)
        if look.head.lstrip()[:1] != b"{":
            return False
        objects = first_objects(look.head, most=5)
        if objects:
            return any(map(_is_message, objects))
        outline = look.outline
        return outline.string("type") == "system" and outline.has("subtype", "session_id", "tools")

    def bundles(self, files: Sequence[SourceEntry]) -> list[tuple[SourceEntry, ...]]:
        """Read each file by itself."""
        return [(file,) for file in files]

    def sessions(
        self, bundle: Sequence[SourceEntry], mapping: FileMapping
    ) -> Iterator[ImportedItem]:
        """Read a stream to its end, then write down each session that it holds."""
        for entry in bundle:
            losses = Losses(entry.name)
            is_array = is_message_array(look_at(entry).outline)
            lines = MessageArray(entry) if is_array else JsonLines(entry)
            streams = _read(lines, losses)
            if lines.file is not None:
                yield lines.file
            own: Problem | None = None
            for item in lines.problems():
                if isinstance(item, Problem) and item.rule == LINE_BROKEN and streams:
                    own = item
                else:
                    yield item
            written = 0
            for stream in streams:
                made = _session(stream, entry, mapping, losses)
                if made is not None:
                    # A line that is broken may be any session's: the first carries it.
                    problem = own if own is None else replace(own, session_id=made.head.session_id)
                    own = None
                    written += 1
                    yield replace(made, problem=problem)
            if own is not None:
                yield own
            yield from losses.lost()
            if not written:
                yield Lost(
                    place=entry.name,
                    reason="nothing was said or called in it, so there is no session",
                    kind="noPlace",
                )


def _is_message(record: Mapping[str, Any]) -> bool:
    if text_of(record.get("session_id")) is None or "seq" in record or "parentUuid" in record:
        return False
    kind = record.get("type")
    if kind == "system":
        return isinstance(record.get("subtype"), str)
    if kind == "result":
        return isinstance(record.get("subtype"), str) and "num_turns" in record
    is_said = kind in ("assistant", "user") and isinstance(record.get("message"), dict)
    return is_said and "parent_tool_use_id" in record


def _read(lines: JsonLines | MessageArray, losses: Losses) -> list[_Stream]:
    streams: dict[str, _Stream] = {}
    latest: str | None = None
    counted: Counter[str] = Counter()
    place = "[{}]" if isinstance(lines, MessageArray) else "line {}"
    for number, record in lines.objects():
        latest = text_of(record.get("session_id")) or latest
        kind = text_of(record.get("type"))
        if kind in _UNSAID:
            counted[_PIECES] += 1
        elif latest is None or kind not in ("system", "assistant", "user", "result"):
            losses.unknown_type(place.format(number), kind)
        else:
            stream = streams.setdefault(latest, _Stream(latest, place))
            _take(stream, kind, record, number)
            counted[_COST] += kind == "result" and "total_cost_usd" in record
    losses.no_place("type", _PIECES, counted[_PIECES])
    losses.no_place("result.total_cost_usd", _COST, counted[_COST])
    return list(streams.values())


def _take(stream: _Stream, kind: str, record: Mapping[str, Any], line: int) -> None:
    if kind == "result":
        stream.result = record
        denials = record.get("permission_denials")
        for one in denials if isinstance(denials, list) else ():
            call_id = text_of(one.get("tool_use_id")) if isinstance(one, dict) else None
            if call_id is not None:
                stream.denied.add(call_id)
        return
    node = node_of(_as_logged(record), line)
    if node is None:
        return
    if kind == "system" and node.subtype == "init":
        stream.cwd = stream.cwd or text_of(record.get("cwd"))
        stream.model = stream.model or text_of(record.get("model"))
        node.kind, node.details = "attachment", _offered(record)
    sender = text_of(record.get("parent_tool_use_id"))
    if sender is None:
        stream.nodes.append(node)
    else:
        node.is_sidechain, node.agent_id = True, sender
        stream.sidechains.append(node)


def _as_logged(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a line of the stream in the words of the client's own log."""
    as_logged = {
        key: value for key, value in record.items() if key not in ("parentUuid", "agentId")
    }
    as_logged["sessionId"] = record.get("session_id")
    as_logged["compactMetadata"] = _spelt(record.get("compact_metadata"))
    as_logged["toolUseResult"] = record.get("tool_use_result")
    as_logged["isMeta"] = record.get("isSynthetic") is True
    as_logged["isApiErrorMessage"] = isinstance(record.get("error"), str)
    return as_logged


def _spelt(metadata: object) -> dict[str, Any]:
    if not isinstance(metadata, dict):
        return {}
    return {"trigger": metadata.get("trigger"), "preTokens": metadata.get("pre_tokens")}


def _offered(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the client offered the model as it began, as its log says it."""
    servers = record.get("mcp_servers")
    by_status: dict[object, list[dict[str, Any]]] = {}
    for one in servers if isinstance(servers, list) else ():
        if isinstance(one, dict) and isinstance(one.get("status"), str):
            by_status.setdefault(one["status"], []).append(one)
    return {
        "type": "deferred_tools_delta",
        "addedNames": record.get("tools"),
        "connectedMcpServers": by_status.get("connected", []),
        "failedMcpServers": by_status.get("failed", []),
        "needsAuthMcpServers": by_status.get("needs-auth", []),
    }


def _session(
    stream: _Stream, entry: SourceEntry, mapping: FileMapping, losses: Losses
) -> ImportedSession | None:
    for node in (*stream.nodes, *stream.sidechains):
        asked = [one.call_id for one in node.answers if isinstance(one.call_id, str)]
        if not stream.denied.isdisjoint(asked):
            node.denial = _DENIED
    log = AgentLog(is_sound=True)
    agents = _agents(stream)
    writer = SessionWriter(log, agents)
    writer.write(stream.nodes)
    tallies = writer.tallies
    losses.no_place("thinking", _UNSPOKEN, tallies.unspoken)
    losses.no_place("system", _ABOUT_ITSELF, tallies.bookkeeping)
    losses.add("repeated", "tool_use", _REPEATED, tallies.repeated)
    for node in tallies.unmatched:
        losses.unmatched(stream.place.format(node.line))
    for node, reason in tallies.broken:
        losses.add("unreadable", stream.place.format(node.line), f"{_BROKEN}: {reason}")
    if not log.message_count and not writer.calls:
        return None
    ending = _ending(stream.result)
    log.end(ending)
    stated = mapping.stated(entry.name)
    records = log.records
    head = SessionHead(
        session_id=session_id_of(stream.session_id, entry.prefix),
        file=entry.name,
        persona=stated.persona_or(None),
        goal=goal_of_words(records),
        target=target_of(stated, stream.cwd, _model(stream)),
        attempt=ending.attempt,
        message_count=log.message_count,
        inferred=ending.inferred,
    )
    return ImportedSession(head, records)


def _agents(stream: _Stream) -> list[Agent]:
    """Return the sub-agents, each with the call that sent it where the stream holds that."""
    nodes = (*stream.nodes, *stream.sidechains)
    calls = {use.call_id for node in nodes for use in node.uses if isinstance(use.call_id, str)}
    named = (node.agent_id for node in stream.sidechains if node.agent_id in calls)
    return agents_of(stream.sidechains, stream.nodes, {one: one for one in named if one})


def _model(stream: _Stream) -> str | None:
    models = Counter(
        node.model
        for node in stream.nodes
        if node.kind == "assistant" and node.model and not node.is_synthetic
    )
    return models.most_common(1)[0][0] if models else stream.model


def _ending(result: Mapping[str, Any] | None) -> Ending:
    """Return how a session ended; a stream without a result line was cut off somewhere."""
    if result is None:
        return Ending()
    subtype, words = text_of(result.get("subtype")), text_of(result.get("result"))
    if subtype == "success" and result.get("is_error") is not True:
        return Ending(Attempt(status="succeeded"), "unknown", _RULE)
    if subtype == "success":
        return Ending(failed_attempt(None, words), "error", _RULE)
    errors = result.get("errors")
    told = [one for one in errors if isinstance(one, str)] if isinstance(errors, list) else []
    reason = _ENDS.get(subtype or "", "unknown")
    rule = _LIMIT_RULE if reason == "turnCap" else _RULE
    return Ending(failed_attempt(subtype, words or "; ".join(told[:5])), reason, rule)
