"""Builds the records of one session in order: numbers, turns and call ids come out right."""

import json
from collections.abc import Mapping
from typing import Any, Final, NoReturn

from reporter.importers.jsontext import parse_arguments
from reporter.importers.naming import first_words
from reporter.importers.sound import sound_object, sound_text
from reporter.importers.trusted import maker, template
from reporter.models.records import (
    Criteria,
    CriterionResult,
    Message,
    OtherPart,
    Part,
    Record,
    SessionComplete,
    StepFinish,
    TextPart,
    ToolCall,
    ToolResult,
    Usage,
)

MESSAGE_LIMIT: Final = 1_000_000
"""Characters kept of the text of one message."""

_message: Final = maker(Message)
_tool_call: Final = maker(ToolCall)
_tool_result: Final = maker(ToolResult)

_OF_CLIENT: Final = template(Message, role="system", author="client")
_OF_PERSONA: Final = template(Message, role="user", author="persona")
_OF_ASSISTANT: Final = template(Message, role="assistant", author="assistant")
_OF_TOOL: Final = template(Message, role="tool", author="tool")
_CALL: Final = template(ToolCall)
_RESULT: Final = template(ToolResult)


class BrokenElementError(Exception):
    """Something in a session that is not what its format says.

    The place grows while the error rises: every level puts its own part before it.
    """

    def __init__(self, place: str, reason: str) -> None:
        self.place = place
        self.reason = reason
        super().__init__(f"{place}: {reason}")

    def raise_within(self, outer: str) -> NoReturn:
        """Raise the same error with the place of what holds it before its own."""
        raise BrokenElementError(outer + self.place, self.reason) from None


Element = Mapping[str, Any]
"""A JSON object of a source, unchecked."""


def object_of(value: object) -> Element:
    """Return a JSON object of a source.

    Raises:
        BrokenElementError: It is something else.
    """
    if not isinstance(value, dict):
        raise BrokenElementError("", "an object was expected")
    return value


class Conversation:
    """The records of one session, as they are added in the order of the source.

    Args:
        is_sound: No text of the source holds half a character, so none is looked for.

    Rule: recording.md sections 4 and 4.1.
    """

    def __init__(self, *, is_sound: bool = False) -> None:
        self.records: list[Record] = []
        self.message_count = 0
        """Messages that count: those of persona, assistant and tools."""
        self.unmatched_results = 0
        """Tool messages that answer no recorded call."""
        self._is_sound = is_sound
        self._at: int | None = None
        self._index = 0
        self._turn = 0
        self._turn_begun = False
        self._step = 0
        self._uses: dict[str, int] = {}
        self._latest: dict[str, str] = {}

    def system(self, content: object) -> None:
        """Add a message of the client, such as the policy."""
        self._message(_OF_CLIENT, content)

    def persona(self, content: object, at: int | None = None) -> None:
        """Add a message of the persona: the next turn begins with it."""
        if self._turn_begun:
            self._turn += 1
        self._turn_begun = True
        self._step = 0
        self._message(_OF_PERSONA, content, at)

    def assistant(self, content: object, at: int | None = None) -> None:
        """Add a message of the assistant under test."""
        self._message(_OF_ASSISTANT, content, at)

    def call(
        self,
        call_id: object,
        name: object,
        arguments: object,
        *,
        by_persona: bool = False,
        has_steps: bool = False,
    ) -> None:
        """Add a tool call of the message at hand.

        Args:
            call_id: The source's id of the call; a call without one gets one made up.
            name: The tool's name.
            arguments: An object, or the text of one, or nothing.
            by_persona: Whether the simulated user called.
            has_steps: Whether the message is a recorded step of the assistant's model.

        Raises:
            BrokenElementError: The tool has no name.
        """
        if not isinstance(name, str):
            raise BrokenElementError(".name", "the call names no tool")
        args: dict[str, Any] | None = {}
        # An empty text stands for no arguments, as nothing at all does.
        if isinstance(arguments, str) and arguments:
            args = parse_arguments(arguments)
        elif arguments:
            args = sound_object(arguments)
        own, rule = self._new_call_id(call_id)
        values = _CALL.copy()
        values["seq"] = len(self.records)
        values["at"] = self._at
        values["turn_index"] = self._turn
        values["tool_call_id"] = own
        values["tool_name"] = name if name.isascii() else sound_text(name)
        values["args"] = args or {}
        if rule is not None:
            values["inferred"] = {"toolCallId": rule}
        if has_steps:
            values["step_index"] = self._step
        if by_persona:
            values["caller"] = "persona"
        if args is None:
            # The text stays on record beside the empty arguments that stand for it.
            raw = arguments if isinstance(arguments, str) else json.dumps(arguments)
            more = {"args_invalid": True, "rawArgs": _kept(sound_text(raw))}
            self.records.append(ToolCall.model_validate(values | more))
        else:
            self.records.append(_tool_call(values))

    def tool(
        self,
        call_id: object,
        content: object,
        *,
        is_error: bool | None = None,
        inferred: dict[str, str] | None = None,
    ) -> None:
        """Add a tool's message and, where it answers a recorded call, that call's result."""
        own = self._latest.get(call_id) if isinstance(call_id, str) else None
        message = self._message(_OF_TOOL, content, tool_call_id=own)
        if own is None:
            self.unmatched_results += 1
            return
        result: Any = message.content
        if not isinstance(result, str):
            result = [part.model_dump(mode="json", exclude_none=True) for part in result]
        values = _RESULT.copy()
        values["seq"] = len(self.records)
        values["tool_call_id"] = own
        values["result"] = result
        values["is_error"] = is_error
        values["inferred"] = inferred
        values["truncated"] = message.truncated
        self.records.append(_tool_result(values))

    def step_finish(
        self, reason: str | None, usage: Usage | None, model_id: str | None = None
    ) -> None:
        """Add the end of the step of the assistant's model that gave the message at hand."""
        self.records.append(
            StepFinish(
                seq=len(self.records),
                at=self._at,
                turn_index=self._turn,
                step_number=self._step,
                finish_reason=reason,
                usage=usage,
                model_id=model_id,
            )
        )
        self._step += 1

    def outcome(
        self, criterion_id: str, *, passed: bool, reason: str, rule: str, judged: bool = True
    ) -> None:
        """Add the outcome of the session's one check.

        Args:
            criterion_id: The check, as the run's rubric names it.
            passed: Whether it held.
            reason: What was recorded, in words.
            rule: How `passed` follows from it.
            judged: False: the source wrote an outcome without having judged anything.
        """
        result = CriterionResult(
            criterion_id=criterion_id,
            passed=passed,
            status=None if judged else "error",
            reason=reason,
        )
        self.records.append(
            Criteria(
                seq=len(self.records),
                inferred={"passed": rule},
                status="completed",
                results=[result],
            )
        )

    def complete(self, ending: SessionComplete) -> None:
        """Add the end of the session, whose `seq` is set here."""
        self.records.append(ending.model_copy(update={"seq": len(self.records)}))

    def _message(
        self,
        of: dict[str, Any],
        content: object,
        at: int | None = None,
        tool_call_id: str | None = None,
    ) -> Message:
        values = of.copy()
        if isinstance(content, str):
            whole = content if self._is_sound or content.isascii() else sound_text(content)
            if len(whole) > MESSAGE_LIMIT:
                whole = whole[:MESSAGE_LIMIT]
                values["truncated"] = True
            values["content"] = whole
        else:
            values["content"] = _parts(content)
        values["seq"] = len(self.records)
        values["at"] = at
        values["index"] = self._index
        values["turn_index"] = self._turn
        values["tool_call_id"] = tool_call_id
        message = _message(values)
        self.records.append(message)
        self._at = at
        self._index += 1
        if of is not _OF_CLIENT:
            self.message_count += 1
        return message

    def _new_call_id(self, wanted: object) -> tuple[str, str | None]:
        """Return an id that no call of the session has, and the rule where it was made up.

        Rule: recording.md section 4.1.
        """
        if not (isinstance(wanted, str) and wanted):
            return self._unused("call"), "the source gives the call no id"
        own = self._unused(wanted if wanted.isascii() else sound_text(wanted))
        self._latest[wanted] = own
        return own, None if own == wanted else "the source repeats the id"

    def _unused(self, wanted: str) -> str:
        uses = self._uses
        if wanted not in uses:
            uses[wanted] = 1
            return wanted
        number = uses[wanted] + 1
        while f"{wanted}#{number}" in uses:
            number += 1
        own = f"{wanted}#{number}"
        uses[wanted] = number
        uses[own] = 1
        return own


def _parts(content: object) -> str | list[Part]:
    if content is None:
        return ""
    if not isinstance(content, list):
        raise BrokenElementError(".content", "text, a list of parts or null was expected")
    parts: list[Part] = []
    for index, part in enumerate(content):
        if isinstance(part, str):
            parts.append(TextPart(text=_kept(sound_text(part))))
        elif not isinstance(part, dict):
            raise BrokenElementError(f".content[{index}]", "a part of a message was expected")
        elif isinstance(part.get("text"), str):
            parts.append(TextPart(text=_kept(sound_text(part["text"]))))
        else:
            kind = first_words(sound_text(str(part.get("type"))))
            parts.append(OtherPart(note=f"content of type {kind}, not kept"))
    return parts


def _kept(text: str) -> str:
    return text if len(text) <= MESSAGE_LIMIT else text[:MESSAGE_LIMIT]
