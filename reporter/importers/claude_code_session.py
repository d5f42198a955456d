"""Writes one Claude Code session as records."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from reporter.importers.agent_log import AgentLog, Rules, Step, text_of
from reporter.importers.claude_code_agents import Agent
from reporter.importers.claude_code_answers import came_of
from reporter.importers.claude_code_records import Answer, Node, Use, usage_of
from reporter.importers.claude_code_speech import is_clients_own, speech_of, words_of
from reporter.importers.conversation import BrokenElementError
from reporter.importers.jsontext import finite
from reporter.importers.naming import first_words
from reporter.importers.sound import sound_object
from reporter.models.records import Tool
from reporter.redaction import mask_text

_QUEUED_RULE: Final = "typed while the assistant worked, handed on from the client's queue"
_LONGEST_LIST: Final = 2_000


@dataclass
class Tallies:
    """What has no place in the records, by what it is."""

    unspoken: int = 0
    bookkeeping: int = 0
    attachments: int = 0
    repeated: int = 0
    unmatched: list[Node] = field(default_factory=list)
    broken: list[tuple[Node, str]] = field(default_factory=list)
    """Records whose message or call is not what the format says."""


@dataclass
class SessionWriter:
    """Adds the records of one session, in the order of its path."""

    log: AgentLog
    agents: Sequence[Agent] = ()
    tallies: Tallies = field(default_factory=Tallies)

    def __post_init__(self) -> None:
        self._sent: dict[str, list[Agent]] = {}
        self._roaming: list[Agent] = []
        for agent in self.agents:
            if agent.sent_by is None:
                self._roaming.append(agent)
            else:
                self._sent.setdefault(agent.sent_by, []).append(agent)
        self._answered: set[str] = set()
        self._names: dict[str, str] = {}
        self.agents_written: set[str] = set()
        self.calls = 0
        self._typed: frozenset[str] = frozenset()
        """What a record of its own says that the person typed."""

    def write(self, nodes: Sequence[Node]) -> None:
        """Add everything that the nodes hold; those that count elsewhere are passed over."""
        self._typed = _typed(nodes)
        for place, (node, group) in enumerate(_with_messages(nodes)):
            if not node.is_copied:
                self._begin_roaming(node)
                self._node(node, group, nodes, place)
        for agent in self._roaming:
            self._agent(agent)

    def _node(self, node: Node, group: Sequence[Node], nodes: Sequence[Node], place: int) -> None:
        self.tallies.unspoken += node.unspoken
        if node.kind == "user":
            self._user(node, nodes, place)
        elif node.kind == "assistant" and group:
            self._assistant(group)
        elif node.kind == "system":
            self._system(node)
        elif node.kind == "attachment":
            self._attachment(node)

    def _user(self, node: Node, nodes: Sequence[Node], place: int) -> None:
        for answer in node.answers:
            self._answer(answer, node)
        if node.answers and not node.content:
            return
        after = next((nodes[at] for at in range(place + 1, len(nodes)) if nodes[at].speaks), None)
        # A command that the client carries out itself is followed by its output, by the
        # next words of the person, or by nothing.
        asked = after is not None and (after.kind == "assistant" or _is_expansion(after))
        speech = speech_of(node, goes_to_model=asked)
        for text in speech.client:
            if speech.is_stop:
                self.log.notice("interrupted", "The user stopped the assistant.", node.at)
            else:
                self._add(node, text, speech.client_rules)
        if speech.said is not None:
            rules = {"content": speech.said_rule} if speech.said_rule else {}
            self._said(node, speech.said, rules)

    def _said(self, node: Node, content: str | list[Any], rules: Rules) -> None:
        try:
            self.log.said(content, node.at, rules)
        except BrokenElementError as error:
            self.tallies.broken.append((node, error.reason))

    def _add(self, node: Node, text: str | list[Any], rules: Rules) -> None:
        try:
            self.log.client(text, node.at, rules)
        except BrokenElementError as error:
            self.tallies.broken.append((node, error.reason))

    def _answer(self, answer: Answer, node: Node) -> None:
        call_id = answer.call_id
        if isinstance(call_id, str) and call_id in self._answered:
            self.tallies.repeated += 1
            return
        name = self._names.get(call_id, "") if isinstance(call_id, str) else ""
        try:
            matched = self.log.came_back(call_id, answer.content, came_of(answer, node, name))
        except BrokenElementError as error:
            self.tallies.broken.append((node, error.reason))
            return
        if matched and isinstance(call_id, str):
            self._answered.add(call_id)
        else:
            self.tallies.unmatched.append(node)

    def _assistant(self, group: Sequence[Node]) -> None:
        first = group[0]
        content = _content(group)
        if first.is_synthetic:
            if any(node.is_api_error for node in group):
                code = next((node.error or node.status for node in group), None)
                self.log.error(words_of(content) or "an error of the model's API", code, first.at)
            else:
                self._add(first, content, {})
            return
        try:
            self.log.assistant(content, first.at)
        except BrokenElementError as error:
            self.tallies.broken.append((first, error.reason))
            return
        self._work(group)

    def _uses(self, group: Sequence[Node]) -> list[str]:
        """Add the calls of one message, each once however often the message was written."""
        seen: list[str] = []
        for node in group:
            for use in node.uses:
                if isinstance(use.call_id, str) and use.call_id in seen:
                    self.tallies.repeated += 1
                elif self._use(use, node) and isinstance(use.call_id, str):
                    seen.append(use.call_id)
            # What the provider's own tools answered stands in the same message.
            for answer in node.answers:
                self._answer(answer, node)
        return seen

    def _use(self, use: Use, node: Node) -> bool:
        try:
            self.log.called(use.call_id, use.name, use.arguments, node.at, steps=True)
        except BrokenElementError as error:
            self.tallies.broken.append((node, error.reason))
            return False
        self.calls += 1
        if isinstance(use.call_id, str) and isinstance(use.name, str):
            self._names[use.call_id] = use.name
            self._answered.discard(use.call_id)
        return True

    def _step(self, group: Sequence[Node]) -> None:
        # The records of one message repeat its usage, or write it down as it grows.
        usage = next((node.usage for node in reversed(group) if node.usage is not None), None)
        reason = next((node.stop_reason for node in reversed(group) if node.stop_reason), None)
        last = group[-1]
        self.log.step(Step(last.at, reason, usage_of(usage), last.model, None, last.message_id))

    def _begin_roaming(self, node: Node) -> None:
        """Add sub-agents that nobody is known to have sent where they began."""
        if node.at is None:
            return
        while self._roaming and (self._roaming[0].at or 0) <= node.at and self.log.turn_begun:
            self._agent(self._roaming.pop(0))

    def _agent(self, agent: Agent) -> None:
        """Add what a sub-agent called: the assistant had it done, in the turn at hand."""
        if agent.name in self.agents_written:
            return
        self.agents_written.add(agent.name)
        told = f', told "{mask_text(first_words(agent.prompt))}"' if agent.prompt else ""
        self.log.notice(
            "subagent",
            f"Sub-agent {agent.name}{told}: the calls from here to the end of its work are its "
            f"own; what it wrote is no part of the conversation.",
            agent.at,
        )
        for node, group in _with_messages(agent.nodes):
            self.tallies.unspoken += node.unspoken
            if node.kind == "user":
                for answer in node.answers:
                    self._answer(answer, node)
            elif group and not node.is_synthetic:
                self._work(group)

    def _work(self, group: Sequence[Node]) -> None:
        """Add the calls of one message of a model, and the work of whom it sent."""
        uses = self._uses(group)
        self._step(group)
        for call_id in uses:
            for agent in self._sent.pop(call_id, ()):
                self._agent(agent)

    def _system(self, node: Node) -> None:
        if node.is_boundary:
            before, trigger = node.details.get("preTokens"), node.details.get("trigger")
            size = f", {before:,} tokens before" if type(before) is int else ""
            how = f" ({trigger})" if isinstance(trigger, str) else ""
            self.log.notice("compaction", f"The context was shortened{how}{size}.", node.at)
        elif node.subtype == "api_error":
            error = node.details.get("error")
            said = error if isinstance(error, str) else text_of(_message_in(error))
            attempt = node.details.get("retryAttempt")
            again = f" (attempt {attempt})" if type(attempt) is int else ""
            self.log.notice("api_error", f"{said or 'The API of the model failed'}{again}", node.at)
        else:
            self.tallies.bookkeeping += 1

    def _attachment(self, node: Node) -> None:
        details = node.details
        kind = details.get("type")
        if kind == "queued_command" and _is_persons(details):
            prompt = details.get("prompt")
            content = prompt if isinstance(prompt, str) else _texts(prompt)
            if "isFromQueue" in details and words_of(content).strip() in self._typed:
                return
            self._said(node, content, {"author": _QUEUED_RULE})
        elif kind == "deferred_tools_delta":
            names = [name for name in _list(details, "addedNames") if isinstance(name, str)]
            if names:
                self.log.tools([Tool(name=name) for name in names], node.at)
            self._servers(details, node)
        elif kind == "prompt_snapshot":
            tools = [tool for one in _list(details, "tools") if (tool := _tool(one)) is not None]
            if tools:
                self.log.tools(tools, node.at)
        else:
            self.tallies.attachments += 1

    def _servers(self, details: Mapping[str, Any], node: Node) -> None:
        for one in _list(details, "connectedMcpServers"):
            name = one.get("name") if isinstance(one, dict) else one
            if isinstance(name, str) and name:
                self.log.connected(name, node.at)
        for one in _list(details, "failedMcpServers"):
            name = one.get("name") if isinstance(one, dict) else one
            code = one.get("errorCode") if isinstance(one, dict) else None
            if isinstance(name, str) and name:
                self.log.no_connection(
                    name, "the client lists it as failed", text_of(code), node.at
                )
        for one in _list(details, "needsAuthMcpServers"):
            name = one.get("name") if isinstance(one, dict) else one
            if isinstance(name, str) and name:
                self.log.notice("mcp", f"The server {name} needs to be authorised first.", node.at)


def _with_messages(nodes: Sequence[Node]) -> Iterator[tuple[Node, Sequence[Node]]]:
    """Yield each record, with all records of its message where it is the first of them.

    Some providers give every message the same id: no message goes on behind a person's words.
    """
    messages: dict[tuple[int, str], list[Node]] = {}
    groups: list[Sequence[Node]] = []
    spoke = 0
    for node in nodes:
        group: list[Node] = []
        if node.kind == "user" and not node.answers:
            spoke += 1
        elif node.kind == "assistant":
            group = (
                [] if node.message_id is None else messages.setdefault((spoke, node.message_id), [])
            )
            group.append(node)
        groups.append(group)
    for node, whole in zip(nodes, groups, strict=True):
        yield node, whole if whole and whole[0] is node else ()


def _is_expansion(node: Node) -> bool:
    """Tell whether a user record is what a command stands for, written out for the model."""
    return node.is_meta and not node.answers and not is_clients_own(words_of(node.content))


def _content(group: Sequence[Node]) -> str | list[Any]:
    """Return the words of one message, whose records may hold one and the same text again."""
    parts: list[Any] = []
    for node in group:
        for part in [node.content] if isinstance(node.content, str) else node.content:
            if part == "" or part in parts:
                continue
            last = parts[-1] if parts else None
            if isinstance(part, str) and isinstance(last, str) and part.startswith(last):
                parts[-1] = part
            else:
                parts.append(part)
    if not parts:
        return ""
    return parts[0] if len(parts) == 1 and isinstance(parts[0], str) else parts


def _is_persons(details: Mapping[str, Any]) -> bool:
    origin = details.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else None
    prompt = details.get("prompt")
    words = prompt if isinstance(prompt, str) else words_of(_texts(prompt))
    return (
        details.get("commandMode") in (None, "prompt")
        and kind in (None, "human")
        and details.get("isMeta") is not True
        and bool(words.strip())
        and not words.lstrip().startswith("<task-notification>")
    )


def _typed(nodes: Sequence[Node]) -> frozenset[str]:
    """Return all texts that stand in a record of their own, not only in the queue's lines."""
    found: set[str] = set()
    for node in nodes:
        prompt = node.details.get("prompt")
        if node.kind == "user":
            found.add(words_of(node.content).strip())
        elif prompt is not None and "isFromQueue" not in node.details:
            found.add((prompt if isinstance(prompt, str) else words_of(_texts(prompt))).strip())
    return frozenset(found)


def _texts(prompt: object) -> list[Any]:
    if not isinstance(prompt, list):
        return []
    return [
        part["text"]
        for part in prompt
        if isinstance(part, dict) and isinstance(part.get("text"), str)
    ]


def _list(details: Mapping[str, Any], key: str) -> Iterable[Any]:
    found = details.get(key)
    return found[:_LONGEST_LIST] if isinstance(found, list) else ()


def _tool(value: object) -> Tool | None:
    name = value.get("name") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(name, str) or not name:
        return None
    schema = value.get("input_schema")
    return Tool(
        name=name,
        description=text_of(value.get("description")),
        input_schema=sound_object(finite(schema)),
    )


def _message_in(error: object) -> object:
    """Return the words of an error that may be wrapped in others."""
    for _ in range(4):
        if not isinstance(error, dict):
            return error
        error = error.get("message") or error.get("error")
    return None
