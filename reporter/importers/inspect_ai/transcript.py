"""The conversation of a sample, as records: its messages, and what its events add to them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from reporter.importers.conversation import (
    BrokenElementError,
    Conversation,
    Element,
    object_of,
)
from reporter.importers.inspect_ai.texts import Texts
from reporter.importers.inspect_ai.trace import Done, Step, Trace, reason_of, usage_of
from reporter.importers.naming import first_words
from reporter.importers.sound import sound_object, sound_text
from reporter.models.records import CatalogRecord, SessionNotice, Tool

_MOST_TOOLS: Final = 10_000
_LONGEST_ERROR: Final = 2_000

# Words of a result's error that say who answered: the log has no field for it.
_BY_CLIENT: Final = {
    "parsing": "error.type parsing: Inspect refused the call before any tool ran",
    "cancelled": "error.type cancelled: the call was stopped, no tool answered",
    "sandbox_unavailable": "error.type sandbox_unavailable: no tool answered",
}
_COMPLETE: Final = {"complete": "what the model was offered is all that it could call"}
_CUT_FIRST: Final = "messages from the last call of the model: the log holds the first ones alone"


@dataclass
class Transcript:
    """One sample on its way into a conversation.

    Args:
        sample: The sample.
        texts: Its texts.
        trace: Its events.
    """

    sample: Element
    texts: Texts
    trace: Trace
    conversation: Conversation = field(default_factory=Conversation)
    extra_calls: int = 0
    """Calls that the messages no longer hold, and the model's answers do."""
    from_events: bool = False
    """The messages were taken from the events."""
    _called: set[str] = field(default_factory=set)
    _answered: set[str] = field(default_factory=set)

    @property
    def aside_calls(self) -> int:
        """Calls in the events that are not the agent's own."""
        return sum(1 for own_id in self.trace.tools if own_id not in self._called)

    def build(self) -> None:
        """Add everything that was said and done.

        Raises:
            BrokenElementError: A message is not what the format says.
        """
        messages = self._messages()
        steps = [self._step(message) for message in messages]
        self._catalog(steps)
        if self.from_events:
            self.conversation.append(SessionNotice(seq=0, kind="messages", message=_CUT_FIRST))
        generated = [at for at, message in enumerate(messages) if _is_generated(message)]
        for at, (message, step) in enumerate(zip(messages, steps, strict=True)):
            try:
                self._add(object_of(message), step, is_last=generated[-1:] == [at])
            except BrokenElementError as error:
                error.raise_within(f".messages[{at}]")
        self._late_results()

    def _messages(self) -> Sequence[Any]:
        messages = self.sample.get("messages")
        if messages is None:
            messages = []
        if not isinstance(messages, list):
            raise BrokenElementError(".messages", "a list of messages was expected")
        if not has_answer(messages):
            told = self.trace.last_conversation()
            if told is not None:
                self.from_events = True
                return told
        return messages

    def _step(self, message: Any) -> Step | None:  # noqa: ANN401  any JSON value
        return self.trace.step_of(message) if _is_generated(message) else None

    def _catalog(self, steps: Sequence[Step | None]) -> None:
        """Add the tools that the agent's model was offered, where its calls say which."""
        tools: dict[str, Tool] = {}
        known = False
        for step in steps:
            offered = step.event.get("tools") if step is not None else None
            if not isinstance(offered, list):
                continue
            known = True
            for tool in offered:
                name = tool.get("name") if isinstance(tool, dict) else None
                if isinstance(name, str) and name not in tools and len(tools) < _MOST_TOOLS:
                    tools[name] = self._tool(name, tool)
        if not known:
            return
        # A provider's own tools, and those of servers that it connects to, are not listed.
        is_complete = not any(
            _kind(part) == "tool_use"
            for step in steps
            if step is not None
            for part in _parts(step.message)
        )
        self.conversation.append(
            CatalogRecord(
                seq=0,
                tools=list(tools.values()),
                complete=is_complete,
                view="model",
                inferred=_COMPLETE if is_complete else None,
            )
        )

    def _tool(self, name: str, tool: Element) -> Tool:
        described = tool.get("description")
        words = self.texts.text(described) if isinstance(described, str) else None
        return Tool(
            name=sound_text(name),
            description=sound_text(words) if words is not None else None,
            input_schema=sound_object(self.texts.value(tool.get("parameters"))),
        )

    def _add(self, message: Element, step: Step | None, *, is_last: bool) -> None:
        role, content = message.get("role"), self.texts.content(message.get("content"))
        if role == "assistant":
            self._assistant(message, content, step, is_last=is_last)
        elif role == "tool":
            self._tool_message(message, content)
        elif role == "user" and not message.get("tool_call_id"):
            self.conversation.persona(content)
        elif role in ("system", "user"):
            # What a tool returned may be handed on as a user's message; nobody said it.
            self.conversation.system(content)
        else:
            raise BrokenElementError(".role", "one of system, user, assistant, tool was expected")

    def _assistant(
        self, message: Element, content: object, step: Step | None, *, is_last: bool
    ) -> None:
        is_step = _is_generated(message)
        self.conversation.assistant(content, step.at if step else None)
        for part in _parts(message):
            if _kind(part) == "tool_use":
                self._provider_call(part)
        own_calls = list(_calls(message))
        for index, call in enumerate(own_calls):
            try:
                self._call(object_of(call), has_steps=is_step)
            except BrokenElementError as error:
                error.raise_within(f".tool_calls[{index}]")
        if step is not None:
            self._taken_out(step, own_calls, has_steps=is_step)
        if is_step:
            self._finish(step, is_last=is_last)

    def _taken_out(self, step: Step, own_calls: Sequence[object], *, has_steps: bool) -> None:
        """Add the calls of an answer that its message no longer holds.

        An agent may take the call that ends it out of its messages again.
        """
        answered = list(_calls(step.message))
        if len(answered) <= len(own_calls):
            return
        kept = [call.get("id") for call in own_calls if isinstance(call, dict)]
        for call in answered:
            own_id = call.get("id") if isinstance(call, dict) else None
            if isinstance(own_id, str) and own_id not in kept:
                self._call(object_of(call), has_steps=has_steps)
                self.extra_calls += 1

    def _finish(self, step: Step | None, *, is_last: bool) -> None:
        if step is not None:
            self.conversation.step_finish(step.reason, step.usage, step.model)
            return
        output = self.sample.get("output")
        if is_last and not self.trace.has_events and isinstance(output, dict):
            self.conversation.step_finish(reason_of(output), usage_of(output.get("usage")))
        else:
            # The step is known, and what it cost is not: no sum may leave it out.
            self.conversation.step_finish(None, None)

    def _call(self, call: Element, *, has_steps: bool) -> None:
        own_id = call.get("id")
        arguments = self.texts.value(call.get("arguments"))
        try:
            self.conversation.call(own_id, call.get("function"), arguments, has_steps=has_steps)
        except BrokenElementError:
            raise BrokenElementError(".function", "the call names no tool") from None
        if isinstance(call.get("parse_error"), str):
            self.conversation.amend("tool_call", {"args_invalid": True})
        if isinstance(own_id, str):
            self._called.add(own_id)
            self._answered.discard(own_id)

    def _provider_call(self, part: Element) -> None:
        """Add a call that the model's provider made by itself, with what came of it."""
        own_id, context = part.get("id"), part.get("context")
        arguments = self.texts.value(part.get("arguments"))
        self.conversation.call(own_id, part.get("name"), arguments)
        if isinstance(context, str) and context:
            self.conversation.amend("tool_call", {"server_id": sound_text(context)})
        error = part.get("error")
        result = self.texts.content(part.get("result"))
        self.conversation.answer(own_id, result, is_error=bool(error))
        if isinstance(error, str) and error:
            self.conversation.amend("tool_result", {"error": _short(error)})
        if isinstance(own_id, str):
            self._called.add(own_id)
            self._answered.add(own_id)

    def _tool_message(self, message: Element, content: object) -> None:
        own_id = message.get("tool_call_id")
        done = self.trace.tools.get(own_id) if isinstance(own_id, str) else None
        error = message.get("error")
        if error is None and isinstance(message.get("tool_error"), str):
            error = {"type": "unknown", "message": message["tool_error"]}
        is_error = isinstance(error, dict)
        self.conversation.tool(
            own_id, content, is_error=is_error, at=done.at if done is not None else None
        )
        if done is not None or is_error:
            self.conversation.amend("tool_result", result_fields(error, done))
        if isinstance(own_id, str):
            self._answered.add(own_id)

    def _late_results(self) -> None:
        """Add results of calls that no message holds: a limit may have come before it."""
        for own_id, done in self.trace.tools.items():
            if own_id in self._called and own_id not in self._answered:
                content = self.texts.content(_plain(done.content))
                is_error = isinstance(done.error, dict)
                self.conversation.answer(own_id, content, is_error=is_error)
                fields = {**result_fields(done.error, done), "at": done.at}
                self.conversation.amend("tool_result", fields)


def has_answer(messages: Sequence[Any]) -> bool:
    """Tell whether a model answered anything in a list of messages."""
    return any(map(_is_generated, messages))


def result_fields(error: object, done: Done | None) -> dict[str, Any]:
    """Return what is known of a result beside its content.

    Rule: recording.md section 4, who answered a call.
    """
    fields: dict[str, Any] = {}
    if done is not None:
        fields["duration_ms"] = done.duration_ms
        fields["timing"] = "span" if done.duration_ms is not None else None
        if done.truncated:
            fields["truncated"] = True
    if not isinstance(error, dict):
        return fields
    kind, message = error.get("type"), error.get("message")
    words = [text for text in (kind, message) if isinstance(text, str) and text]
    fields["error"] = _short(": ".join(words)) or "error"
    if kind == "approval":
        fields["policy_blocked"] = True
        fields["inferred"] = {"policyBlocked": "error.type approval: the approver said no"}
    elif isinstance(kind, str) and kind in _BY_CLIENT:
        fields["answered_by"] = "client"
        fields["inferred"] = {"answeredBy": _BY_CLIENT[kind]}
    return fields


def _is_generated(message: object) -> bool:
    """Tell whether a model wrote a message; one that was given to it has no step of its own."""
    return (
        isinstance(message, dict)
        and message.get("role") == "assistant"
        and message.get("source") != "input"
    )


def _calls(message: Element) -> Iterator[object]:
    calls = message.get("tool_calls")
    if calls is None:
        return
    if not isinstance(calls, list):
        raise BrokenElementError(".tool_calls", "a list or null was expected")
    yield from calls


def _parts(message: Element) -> Iterator[Element]:
    content = message.get("content")
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict):
            yield part


def _kind(part: Element) -> object:
    return part.get("type")


def _plain(result: object) -> object:
    """Return a tool's result as a message would hold it: numbers and the like as text."""
    if isinstance(result, dict):
        return [result]
    return result if isinstance(result, str | list) or result is None else str(result)


def _short(text: str) -> str:
    return first_words(sound_text(text), _LONGEST_ERROR)
