"""Makes the session of a Claude Code log: who, what for, against what, and how it ended."""

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from reporter.errors import Problem
from reporter.identifiers import SessionId
from reporter.importers.agent_head import goal_of_words, session_id_of, target_of
from reporter.importers.agent_log import AgentLog
from reporter.importers.claude_code_agents import Agent, agents_of
from reporter.importers.claude_code_ending import ending_of
from reporter.importers.claude_code_family import Log, Member
from reporter.importers.claude_code_records import Node
from reporter.importers.claude_code_session import SessionWriter
from reporter.importers.claude_code_speech import words_of
from reporter.importers.claude_code_tree import Branch, Path, path_of
from reporter.importers.importer import ImportedItem, ImportedSession, SessionHead
from reporter.importers.jsonlines import LINE_BROKEN
from reporter.importers.losses import Losses
from reporter.importers.mapping import FileMapping
from reporter.importers.naming import first_words
from reporter.models.manifest import Lost
from reporter.plural import plural
from reporter.redaction import mask_text

_LEFT: Final = (
    "messages on branches that were left, by an edited prompt or a retry; the session is the way "
    "to the latest message"
)
_SENT_FROM_THERE: Final = (
    "calls of sub-agents that were sent to work on a branch that was left, or count in another "
    "session"
)
_REPEATED: Final = "records that stand in the logs more than once"
_REPEATED_CALLS: Final = "calls and results of one id again"
_COPIED: Final = "messages that count in the session they were copied from"
_TAKEN_BACK: Final = "messages that the client took back"
_BRIDGED: Final = "records whose parent is missing; the record before it in the file stands in"
_BROKEN: Final = "parts that are not what the format says"
_UNSPOKEN: Final = "blocks of reasoning, which nobody was told"
_ATTACHED: Final = "context that the client added for the model"
_ABOUT_ITSELF: Final = "lines of the client about itself (hooks, durations)"


def written(
    member: Member, mapping: FileMapping, sent_by: Mapping[str, str]
) -> Iterator[ImportedItem]:
    """Yield one session, or why there is none, and what of it could not be used."""
    own = [one for one in member.logs if one.session_id == member.session_id]
    first = own[0] if own else member.logs[0]
    path = path_of(member.nodes)
    agents = agents_of(member.sidechains, member.nodes, sent_by)
    log = AgentLog(is_sound=True)
    writer = SessionWriter(log, agents)
    _announce(log, member, path)
    writer.write(path.nodes)
    ending = ending_of(path.nodes, is_cut=any(one.lines.is_cut for one in own))
    session_id = session_id_of(member.session_id, first.entry.prefix)
    problem = yield from _file_losses(own, session_id)
    yield from _losses(member, path, writer, agents)
    if not log.message_count and not writer.calls:
        yield _no_session(member)
        return
    log.end(ending)
    stated = mapping.stated(first.name)
    records = log.records
    head = SessionHead(
        session_id=session_id,
        file=first.name,
        persona=stated.persona_or(None),
        goal=goal_of_words(records),
        target=target_of(stated, first.cwd, _model(path.nodes)),
        attempt=ending.attempt,
        message_count=log.message_count,
        inferred=ending.inferred,
    )
    yield ImportedSession(head, records, problem)


def _announce(log: AgentLog, member: Member, path: Path) -> None:
    """Say at the top of the session what a reader of it alone would miss."""
    for name, count in sorted(member.copied_from.items()):
        if count:
            log.notice(
                "resumed",
                f"It goes on from session {name}: "
                f"{plural(count, 'message counts', 'messages count')} there.",
            )
    if member.follows is not None and not member.copied_from:
        log.notice("resumed", f"It goes on from session {member.follows}.")
    elif path.begins_elsewhere and not member.copied_from:
        log.notice("resumed", "What the first record follows is in no file of the source.")
    for branch in path.branches:
        log.notice(
            "branch",
            f"{plural(branch.messages, 'message stands', 'messages stand')} on {_words(branch)}.",
        )


def _words(branch: Branch) -> str:
    asked = branch.asked
    said = first_words(words_of(asked.content)) if asked is not None else ""
    what = f', begun with "{mask_text(said)}"' if said.strip() else ""
    return f"a branch that was left (line {branch.first.line}{what})"


def _losses(
    member: Member, path: Path, writer: SessionWriter, agents: Sequence[Agent]
) -> Iterator[Lost]:
    """Yield what of a session has no place in its records, file by file."""
    tallies, found = writer.tallies, {log.name: Losses(log.name) for log in member.logs}
    first = found[member.logs[0].name]
    for branch in path.branches:
        found[branch.first.file].no_place(_at(branch.first), _LEFT, branch.messages)
    for agent in agents:
        if agent.name not in writer.agents_written:
            node = agent.nodes[0]
            found[node.file].no_place(_at(node), _SENT_FROM_THERE, agent.calls)
    first.add("repeated", "uuid", _REPEATED, member.repeated)
    first.add("repeated", "uuid", _COPIED, sum(member.copied_from.values()))
    first.add("repeated", "tool_use", _REPEATED_CALLS, tallies.repeated)
    first.no_place("uuid", _TAKEN_BACK, path.retracted)
    for node in path.bridged:
        found[node.file].disagreement(_at(node), _BRIDGED)
    for node in tallies.unmatched:
        found[node.file].unmatched(_at(node))
    for node, reason in tallies.broken:
        found[node.file].add("unreadable", _at(node), f"{_BROKEN}: {reason}")
    first.no_place("thinking", _UNSPOKEN, tallies.unspoken)
    first.no_place("attachment", _ATTACHED, tallies.attachments)
    first.no_place("system", _ABOUT_ITSELF, tallies.bookkeeping)
    for losses in found.values():
        yield from losses.lost()


def _at(node: Node) -> str:
    return f"line {node.line}"


def _file_losses(
    logs: Sequence[Log], session_id: SessionId
) -> Generator[ImportedItem, None, Problem | None]:
    """Yield what is wrong with the files; returns the problem that is the session's own."""
    own: Problem | None = None
    for log in logs:
        yield from log.losses.lost()
        for item in log.lines.problems():
            if isinstance(item, Problem) and item.rule == LINE_BROKEN and own is None:
                own = replace(item, session_id=session_id)
            else:
                yield item
    return own


def _no_session(member: Member) -> Lost:
    copied = [node for node in member.nodes if node.is_copied and node.speaks]
    if copied and all(node.is_copied for node in member.nodes if node.speaks):
        names = ", ".join(sorted(member.copied_from))
        reason = f"all its messages count in session {names}, so there is no session of its own"
        return Lost(place=member.logs[0].name, reason=reason, kind="repeated")
    if any(node.speaks for node in member.nodes):
        reason = "only the client speaks in it, so there is no session"
    elif member.sidechains:
        reason = "only a sub-agent speaks in it and calls nothing, so there is no session"
    else:
        reason = "no record of a conversation stands in it, so there is no session"
    return Lost(place=member.logs[0].name, reason=reason, kind="noPlace")


def _model(nodes: Sequence[Node]) -> str | None:
    """Return the model of most messages, the first of equally many, or None."""
    models: Counter[str] = Counter()
    seen: set[str] = set()
    for node in nodes:
        if node.kind != "assistant" or node.is_copied or node.is_synthetic or not node.model:
            continue
        if node.message_id is None or node.message_id not in seen:
            models[node.model] += 1
            seen.add(node.message_id or "")
    return models.most_common(1)[0][0] if models else None
