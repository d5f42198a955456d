"""One run of SWE-agent, as records: what it was told, its steps, and what they returned."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from reporter.importers.conversation import (
    BrokenElementError,
    Conversation,
    Element,
    object_of,
)
from reporter.importers.naming import first_words
from reporter.importers.outcome import number_of
from reporter.importers.sound import sound_text
from reporter.importers.swe_agent.endings import Close
from reporter.importers.swe_agent.facts import NO_FLAG, child_of, text_of
from reporter.models.records import SessionNotice, Usage

KEPT: Final = ("action", "observation", "response", "thought", "execution_time", "state")
"""What is read of a step; beside it stands all that the model was shown, time and again."""

_WORD: Final = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_SHELL: Final = "shell"
_BY_WORD: Final = {
    "toolCallId": "number of the step",
    "toolName": "first word of the command",
}
_BY_SHELL: Final = {
    "toolCallId": "number of the step",
    "toolName": "the command begins with no name of a program",
}
_ALL: Final = "info.model_stats: all calls of the session together"
# What the runner writes into the place of an answer when it ends a session.
_EXITED: Final = ("Exit", "Environment died")


@dataclass
class Run:
    """One run on its way in.

    Args:
        steps: Its steps.
        history: Its prompts, with the worked examples among them.
        info: What the runner says of it.
        model: Name of the model, where one is recorded.
    """

    steps: Sequence[Element]
    history: Sequence[Any]
    info: Element
    model: str | None = None
    conversation: Conversation = field(default_factory=Conversation)
    demonstrations: int = 0
    """Messages of a worked example, which is another session."""
    not_run: int = 0
    """Steps whose command was never run: the answer held none, or none that was allowed."""

    def __post_init__(self) -> None:
        messages = [message for message in self.history if isinstance(message, dict)]
        self._own = [message for message in messages if message.get("is_demo") is not True]
        self.demonstrations = len(messages) - len(self._own)

    @property
    def asked(self) -> str | None:
        """The first message of the user, which tells the issue; None where there is none."""
        for message in self._told():
            if message.get("role") == "user":
                return text_of(message.get("content"))
        return None

    def build(self, close: Close) -> None:
        """Add everything that was said and done.

        Raises:
            BrokenElementError: A step or a message is not what the format says.
        """
        for message in self._told():
            self._tell(message)
        answers = [one for one in self._own if one.get("role") == "assistant"]
        at = 0
        for index, step in enumerate(self.steps):
            try:
                answer = answers[at] if at < len(answers) else {}
                is_its = _is_of(answer, step)
                at += is_its
                is_last = index == len(self.steps) - 1
                self._step(index, object_of(step), answer if is_its else {}, close, is_last)
            except BrokenElementError as error:
                error.raise_within(f"trajectory[{index}]")
        self._usage()

    def _told(self) -> Iterator[Element]:
        """Yield what was said before the agent's first answer."""
        for message in self._own:
            if message.get("role") == "assistant":
                return
            yield message

    def _tell(self, message: Element) -> None:
        if message.get("role") == "system":
            self.conversation.system(message.get("content"))
        elif message.get("role") == "user":
            self.conversation.persona(message.get("content"))

    def _step(
        self, index: int, step: Element, answer: Element, close: Close, is_last: bool
    ) -> None:
        action, said = step.get("action"), step.get("response") or step.get("thought") or ""
        if action is not None and not isinstance(action, str):
            raise BrokenElementError(".action", "a text was expected")
        if not isinstance(said, str | list):
            raise BrokenElementError(".response", "a text was expected")
        is_call = bool(action and action.strip())
        if is_last and not is_call and not close.is_plain and str(said).startswith(_EXITED):
            message = first_words(sound_text(str(said)), 300)
            self.conversation.append(SessionNotice(seq=0, kind="exit", message=message))
            return
        self.conversation.assistant(said)
        if not is_call:
            self.not_run += 1
            return
        own_id = self._call(index, str(action), answer)
        observation = _observed(step.get("observation"))
        if observation is None or _was_never_run(step):
            self.not_run += observation is not None
            return
        self.conversation.tool(own_id, observation, inferred=NO_FLAG)
        seconds = number_of(step.get("execution_time"))
        if seconds:
            fields = {"duration_ms": 1000 * seconds, "timing": "span"}
            self.conversation.amend("tool_result", fields)

    def _call(self, index: int, action: str, answer: Element) -> str:
        """Add the call that a step is, and return the id that its result answers."""
        calls = answer.get("tool_calls")
        first: str | None = None
        for call in calls if isinstance(calls, list) else ():
            function = child_of(call, "function")
            own_id = call.get("id") if isinstance(call, dict) else None
            if not isinstance(function.get("name"), str):
                continue
            own_id = own_id if isinstance(own_id, str) and own_id else f"step-{index + 1}"
            self.conversation.call(own_id, function["name"], function.get("arguments"))
            first = first or own_id
        if first is not None:
            return first
        own_id = f"step-{index + 1}"
        word = _WORD.match(action.strip())
        # Only a whole word names a program: `a=1 make` or `./run` do not begin with one.
        rest = action.strip()[word.end() :] if word else ""
        is_name = word is not None and (not rest or rest[0].isspace())
        name = word[0] if word is not None and is_name else _SHELL
        self.conversation.call(own_id, name, {"command": action})
        inferred = dict(_BY_WORD if is_name else _BY_SHELL)
        self.conversation.amend("tool_call", {"inferred": inferred})
        return own_id

    def _usage(self) -> None:
        """Add what all calls of the model used together; nothing where that is not known.

        A session that was replayed, or guided by hand, counts none: that is not nothing.
        """
        stats = child_of(self.info, "model_stats")
        sent, received = _tokens(stats, "tokens_sent"), _tokens(stats, "tokens_received")
        if sent or received:
            usage = Usage(input_tokens=sent, output_tokens=received)
            self.conversation.step_finish(None, usage, self.model)
            self.conversation.amend("step_finish", {"inferred": {"usage": _ALL}})


def costs_of(info: Element) -> bool | None:
    """Tell whether what a run cost is known; None where nothing is said of it."""
    stats = child_of(info, "model_stats")
    costs = [number_of(stats.get(key)) for key in ("instance_cost", "total_cost")]
    known = [cost for cost in costs if cost is not None]
    return None if not known else any(known)


def _is_of(answer: Element, step: object) -> bool:
    """Tell whether a message of the history is a step's: tries that failed are steps alone."""
    if not isinstance(step, dict) or not answer:
        return False
    if "action" in answer:
        return answer.get("action") == step.get("action")
    return text_of(answer.get("content")) in (step.get("response"), step.get("thought"))


def _was_never_run(step: Element) -> bool:
    """Tell whether nothing came back because nothing was run: it took no time at all."""
    return step.get("observation") == "" and step.get("execution_time") == 0


def _observed(observation: object) -> object:
    if observation is None or isinstance(observation, str | list):
        return observation
    return json.dumps(observation, ensure_ascii=False)


def _tokens(stats: Element, key: str) -> int | None:
    value = number_of(stats.get(key))
    return int(value) if value is not None and value >= 0 else None
