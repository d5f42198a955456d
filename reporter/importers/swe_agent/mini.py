"""Imports mini-swe-agent trajectories (`.traj.json`): one file a session, all in its messages.

The format is described by its writer alone, mini-swe-agent's `save_traj` (1.x, text replies
with one bash block) and `DefaultAgent.serialize` (2.x, calls of tools beside them); there is
no other description of it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from reporter.identifiers import SessionId
from reporter.importers.conversation import (
    BrokenElementError,
    Conversation,
    Element,
    object_of,
)
from reporter.importers.described import Described
from reporter.importers.importer import ImportedItem, ImportedSession, SessionHead
from reporter.importers.jsonobject import JsonMembers
from reporter.importers.jsontext import BrokenJsonError
from reporter.importers.losses import Losses, broken_session, lost_rest
from reporter.importers.mapping import FileMapping, Stated
from reporter.importers.naming import first_words
from reporter.importers.outcome import number_of
from reporter.importers.sound import sound_text
from reporter.importers.source import Look, SourceEntry, digest_of
from reporter.importers.swe_agent.endings import Close, close_of
from reporter.importers.swe_agent.facts import (
    GAPS,
    NO_FLAG,
    child_of,
    goal_for,
    repository_of,
    stem_of,
    target_for,
    text_of,
)
from reporter.importers.swe_agent.trajectory import costs_of
from reporter.models.records import SessionNotice, Usage

_FORMAT: Final = "mini-swe-agent-"
_MOST_VALUE: Final = 256 * 1024 * 1024
_BLOCK: Final = re.compile(r"```(?:bash|mswea_bash_command)[ \t]*\n(.*?)\n?```", re.DOTALL)
_BASH: Final = "bash"
_BY_BLOCK: Final = {
    "toolName": "the one bash block of the answer",
    "toolCallId": "number of the message",
}
_BY_ACTION: Final = {
    "toolName": "every action of this agent is a bash command",
    "toolCallId": "number of the message",
}
# Seconds since the epoch that can be meant: from 2001 to a year of five digits.
_SECONDS: Final = (1_000_000_000, 100_000_000_000)

_DESCRIBED: Final = Described(
    title="mini-swe-agent trajectories",
    files="one `.traj.json` document a session",
    persona=None,
    goal="the task in the first message of role `user`",
    target="the name of the instance (inferred), with `info.config.model.model_name`",
    session="the file",
    turn="a message of role `user` that is no observation, up to the next",
    call="`tool_calls[]` or `extra.actions[]` of an answer, else its one bash block (inferred)",
    result="the `tool` message with the call's id, else the `user` message behind the call",
    error=None,
    stop_reason="`info.exit_status` (inferred where a limit or an error ended it)",
    outcome=None,
    usage="`extra.response.usage` of an answer",
    time="`extra.timestamp`",
    catalog=None,
    connection=None,
    gaps=GAPS,
)


@dataclass(frozen=True, slots=True)
class MiniSweAgent:
    """One JSON object a session: `info`, `messages` and `trajectory_format`."""

    name: str = "mini-swe-agent"
    version: int = 1
    looks_for: str = (
        "a JSON object with info.mini_version, or with a trajectory_format of mini-swe-agent "
        "(.traj.json)"
    )
    described: Described = _DESCRIBED

    def claims(self, look: Look) -> bool:
        """Tell whether the file says so, or was written by a version of this agent."""
        outline = look.outline
        word = outline.string("trajectory_format") or ""
        return outline.kind == "object" and (
            word.startswith(_FORMAT) or outline.has("info.mini_version")
        )

    def bundles(self, files: Sequence[SourceEntry]) -> list[tuple[SourceEntry, ...]]:
        """Read every file alone."""
        return [(file,) for file in files]

    def sessions(
        self, bundle: Sequence[SourceEntry], mapping: FileMapping
    ) -> Iterator[ImportedItem]:
        """Read the one session of each file."""
        for entry in bundle:
            yield digest_of(entry)
            yield from _read(entry, mapping.stated(entry.name))


def _read(entry: SourceEntry, stated: Stated) -> Iterator[ImportedItem]:
    document: dict[str, Any] = {}
    broken: BrokenJsonError | None = None
    try:
        with entry.open() as stream:
            for member in JsonMembers(stream, "", _MOST_VALUE).members():
                document[member.key] = member.value
    except BrokenJsonError as error:
        broken = error
        yield from lost_rest(entry.name, error)
    info = child_of(document, "info")
    messages = document.get("messages")
    losses, close = Losses(entry.name), close_of(info.get("exit_status"))
    talk, problem = _Talk(messages if isinstance(messages, list) else []), None
    session_id = SessionId(entry.prefix)
    if broken is not None:
        problem = broken_session(entry.name, broken.place, broken.what, session_id)
    else:
        try:
            talk.build()
        except BrokenElementError as error:
            problem = broken_session(entry.name, error.place, error.reason, session_id)
            losses.add("unreadable", error.place, f"a session: {error.reason}")
            talk.conversation = Conversation()
    if close.complete is not None:
        talk.conversation.complete(close.complete)
    task_id = document.get("instance_id")
    task_id = task_id if isinstance(task_id, str) and task_id else stem_of(entry.name)
    _count(losses, info, talk, close)
    head = SessionHead(
        session_id=session_id,
        file=entry.name,
        persona=stated.persona_or(None),
        goal=goal_for(task_id, talk.asked),
        target=target_for(
            stated,
            repository_of({}, task_id),
            child_of(child_of(info, "config"), "model"),
        ),
        attempt=close.attempt,
        message_count=talk.conversation.message_count if problem is None else None,
        inferred=close.inferred,
    )
    yield ImportedSession(head, talk.conversation.records, problem)
    yield from losses.lost()


@dataclass
class _Talk:
    """The messages of one run on their way in."""

    messages: Sequence[Any]
    conversation: Conversation = field(default_factory=Conversation)
    empty: int = 0
    """Messages of the user in which nothing stands."""
    _waiting: list[str] = field(default_factory=list)
    """Calls that the next messages of the user answer, in order."""

    @property
    def asked(self) -> str | None:
        """The first message of the user, which tells the task; None where there is none."""
        for message in self.messages:
            if isinstance(message, dict) and message.get("role") == "user":
                return text_of(message.get("content"))
        return None

    def build(self) -> None:
        """Add everything that was said and done.

        Raises:
            BrokenElementError: A message is not what the format says.
        """
        for index, message in enumerate(self.messages):
            try:
                self._add(index, object_of(message))
            except BrokenElementError as error:
                error.raise_within(f"messages[{index}]")

    def _add(self, index: int, message: Element) -> None:
        role, extra = message.get("role"), child_of(message, "extra")
        content, at = message.get("content"), _at(extra)
        if role == "assistant" or message.get("object") == "response":
            self._answer(index, message, extra, at)
        elif role == "tool" or message.get("type") == "function_call_output":
            own_id = message.get("tool_call_id", message.get("call_id"))
            output = message.get("output", content)
            self.conversation.tool(own_id, output, inferred=NO_FLAG, at=at)
        elif role == "system":
            self.conversation.system(content)
        elif role == "exit":
            words = first_words(sound_text(str(extra.get("exit_status") or content)), 300)
            self.conversation.append(SessionNotice(seq=0, kind="exit", message=words, at=at))
        elif role != "user":
            raise BrokenElementError(".role", "one of system, user, assistant, tool was expected")
        elif self._waiting:
            self.conversation.tool(self._waiting.pop(0), content, inferred=NO_FLAG, at=at)
        elif content == "":
            # What old versions write when a limit ends the session.
            self.empty += 1
        else:
            self.conversation.persona(content, at)

    def _answer(self, index: int, message: Element, extra: Element, at: int | None) -> None:
        content = message.get("content")
        if message.get("object") == "response":
            content = list(_texts_of(message.get("output")))
        self.conversation.assistant(content, at)
        # An answer behind calls that nothing came back for: what follows is not theirs.
        self._waiting.clear()
        calls = message.get("tool_calls")
        actions = extra.get("actions")
        if isinstance(calls, list) and calls:
            for call in calls:
                function = child_of(call, "function")
                own_id = call.get("id") if isinstance(call, dict) else None
                self.conversation.call(own_id, function.get("name"), function.get("arguments"))
        elif isinstance(actions, list):
            for at_action, action in enumerate(actions):
                self._action(f"message-{index}.{at_action + 1}", action)
        else:
            blocks = _BLOCK.findall(text_of(content) or "")
            # Its writer runs an answer's command only where there is exactly one.
            if len(blocks) == 1:
                self._command(f"message-{index}", blocks[0].strip(), _BY_BLOCK)
        response = child_of(extra, "response")
        usage = _usage_of(response.get("usage"))
        model = response.get("model")
        self.conversation.step_finish(
            _reason_of(response), usage, sound_text(model) if isinstance(model, str) else None
        )

    def _action(self, made_id: str, action: object) -> None:
        command = action.get("command") if isinstance(action, dict) else action
        if not isinstance(command, str):
            raise BrokenElementError(".extra.actions", "a command was expected")
        own_id = action.get("tool_call_id") if isinstance(action, dict) else None
        if isinstance(own_id, str) and own_id:
            self.conversation.call(own_id, _BASH, {"command": command})
            rule = {"toolName": _BY_ACTION["toolName"]}
            self.conversation.amend("tool_call", {"inferred": rule})
        else:
            self._command(made_id, command, _BY_ACTION)

    def _command(self, made_id: str, command: str, rules: dict[str, str]) -> None:
        """Add a call that no id names: the next message of the user answers it."""
        self.conversation.call(made_id, _BASH, {"command": command})
        self.conversation.amend("tool_call", {"inferred": rules})
        self._waiting.append(made_id)


def _count(losses: Losses, info: Element, talk: _Talk, close: Close) -> None:
    losses.unmatched("messages", talk.conversation.unmatched_results)
    losses.no_place("messages", "messages of the user in which nothing stands", talk.empty)
    cost = costs_of(info)
    if cost is not None:
        known = "known" if cost else "0, which is unknown: nobody was asked, or nobody counted"
        losses.no_place("info.model_stats", f"what the model cost ({known})")
    if info.get("submission"):
        losses.no_place("info.submission", "the patch: whether it is right is not recorded")
    if close.is_unknown:
        losses.unknown_type("info.exit_status", close.word, "exit statuses")


def _at(extra: Element) -> int | None:
    seconds = number_of(extra.get("timestamp"))
    if seconds is None or not _SECONDS[0] < seconds < _SECONDS[1]:
        return None
    return int(1000 * seconds)


def _reason_of(response: Element) -> str | None:
    choices = response.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    reason = first.get("finish_reason") if isinstance(first, dict) else None
    return sound_text(reason) if isinstance(reason, str) else None


def _usage_of(usage: object) -> Usage | None:
    if not isinstance(usage, dict):
        return None

    def first_of(*keys: str) -> int | None:
        return next((usage[key] for key in keys if type(usage.get(key)) is int), None)

    return Usage(
        input_tokens=first_of("prompt_tokens", "input_tokens"),
        output_tokens=first_of("completion_tokens", "output_tokens"),
        total_tokens=first_of("total_tokens"),
    )


def _texts_of(output: object) -> Iterator[Element]:
    """Yield the texts of an answer in the form that OpenAI calls a response."""
    for item in output if isinstance(output, list) else ():
        content = item.get("content") if isinstance(item, dict) else None
        for part in content if isinstance(content, list) else ():
            if isinstance(part, dict) and isinstance(part.get("text"), str):
                yield part
