"""The sub-agents of a Claude Code session: who sent them to work, and what they called."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from reporter.importers.claude_code_records import Node
from reporter.importers.claude_code_speech import words_of

SENDERS: Final = frozenset({"Task", "Agent"})
"""Tools by which the assistant sends a sub-agent to work."""


@dataclass(slots=True)
class Agent:
    """One sub-agent's own records."""

    name: str
    nodes: list[Node] = field(default_factory=list)
    sent_by: str | None = None
    """The id of the call that sent it to work, or None where nothing tells."""

    @property
    def at(self) -> int | None:
        """When it began, or None."""
        return next((node.at for node in self.nodes if node.at is not None), None)

    @property
    def calls(self) -> int:
        """Its tool calls."""
        return sum(len(node.uses) for node in self.nodes)

    @property
    def prompt(self) -> str | None:
        """What it was told to do."""
        first = self.nodes[0]
        return words_of(first.content) if first.kind == "user" and not first.answers else None


def agents_of(
    sidechains: Iterable[Node], main: Sequence[Node], sent_by: Mapping[str, str]
) -> list[Agent]:
    """Put the records of sub-agents together and find out who sent each to work.

    Args:
        sidechains: All records of sub-agents, in the order in which they were written.
        main: The records of the session itself.
        sent_by: Of a sub-agent's id the call that a file beside its own names.
    """
    agents: dict[str, Agent] = {}
    own: dict[str, str] = {}
    for node in sidechains:
        if node.agent_id is not None:
            name = node.agent_id
        else:
            # Older clients named no agent: its records hang together by their parents.
            name = own.get(node.parent or "", node.parent or node.uuid or "unnamed")
        if node.uuid is not None:
            own[node.uuid] = name
        agents.setdefault(name, Agent(name)).nodes.append(node)
    everything = [*main, *(node for agent in agents.values() for node in agent.nodes)]
    _link(list(agents.values()), everything, sent_by)
    return list(agents.values())


def _link(agents: Sequence[Agent], nodes: Sequence[Node], sent_by: Mapping[str, str]) -> None:
    known = dict(sent_by)
    for node in nodes:
        # The record of a result names the sub-agent in its structured copy, or as its own.
        sent = node.spawned or (None if node.is_sidechain else node.agent_id)
        if sent is not None and node.answers and isinstance(node.answers[0].call_id, str):
            known.setdefault(sent, node.answers[0].call_id)
    # Word for word the same brief: that call, or the first of equal ones that is left.
    briefs: dict[str, list[str]] = {}
    for node in nodes:
        for use in node.uses:
            brief = use.arguments.get("prompt") if isinstance(use.arguments, dict) else None
            sends = isinstance(use.name, str) and use.name in SENDERS
            if sends and isinstance(brief, str) and isinstance(use.call_id, str):
                briefs.setdefault(brief, []).append(use.call_id)
    taken = {known[agent.name] for agent in agents if agent.name in known}
    for agent in agents:
        agent.sent_by = known.get(agent.name)
        if agent.sent_by is None and agent.prompt:
            free = [one for one in briefs.get(agent.prompt, ()) if one not in taken]
            if free:
                agent.sent_by = free[0]
                taken.add(free[0])
