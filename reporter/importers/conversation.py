"""Builds the records of one session in order: numbers, turns and call ids come out right."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from sys import intern
from typing import Any, Final, Literal, NoReturn

from reporter.importers.jsontext import finite, parse_arguments
from reporter.importers.naming import first_words
from reporter.importers.sound import sound_object, sound_text
from reporter.importers.trusted import records_of
from reporter.models.records import (
    CriterionResult,
    ImagePart,
    OtherPart,
    Part,
    Record,
    SessionComplete,
    StepFinish,
    TextPart,
    ToolCall,
    Usage,
)

MESSAGE_LIMIT: Final = 1_000_000
"""Characters kept of the text of one message."""

_Role = Literal["system", "user", "assistant", "tool"]
_AUTHORS: Final[Mapping[object, str]] = {
    "system": "client",
    "user": "persona",
    "assistant": "assistant",
    "tool": "tool",
}


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
        self.unmatched_results = 0
        """Tool messages that answer no recorded call."""
        self._is_sound = is_sound
        self._values: list[dict[str, Any]] = []
        self._ready: dict[int, Record] = {}
        """Records that were made with care, by their place."""
        self._at: int | None = None
        self._index = 0
        self._unheard = 0
        """Messages that do not count."""
        self._turn = 0
        self._turn_begun = False
        self._step = 0
        self._uses: dict[str, int] = {}
        self._latest: dict[str, str] = {}

    @property
    def records(self) -> list[Record]:
        """All records so far, made anew whenever they are asked for."""
        records = records_of(self._values)
        for place, record in self._ready.items():
            records[place] = record
        return records

    @property
    def message_count(self) -> int:
        """Messages that count: those of persona, assistant and tools."""
        return self._index - self._unheard

    def chat(  # noqa: C901  one loop without calls, see inside
        self, messages: Sequence[Any], said_of: Callable[[str], tuple[bool, dict[str, str]]]
    ) -> None:
        """Add messages in the form that chat programs exchange, without times and steps.

        Each is an object with `role` and `content`, and `tool_calls` or a `tool_call_id`.

        Args:
            messages: As they were parsed; numbers may be infinite.
            said_of: Tells of a result's text whether it is an error, and by which rule.

        Raises:
            BrokenElementError: A message is not of that form.
        """
        self._at = None
        rows, first, is_sound = self._values, self._index, self._is_sound
        place = 0
        # Every session of a source pays for each line of this loop once a message, so it
        # does by itself what `persona`, `assistant` and `tool` do in calls.
        try:
            for place, message in enumerate(messages):
                if not isinstance(message, dict):
                    object_of(message)
                role, content = message.get("role"), message.get("content")
                truncated = own = None
                if role == "assistant":
                    author = "assistant"
                elif role == "user":
                    author = "persona"
                    self._begin_turn()
                elif role == "tool":
                    author = "tool"
                    own = self._called(message.get("tool_call_id"))
                elif role == "system":
                    author = "client"
                    self._unheard += 1
                else:
                    _refuse_role()
                if (
                    not isinstance(content, str)
                    or len(content) > MESSAGE_LIMIT
                    or not (is_sound or content.isascii())
                ):
                    content, truncated = self._content(content and finite(content))
                rows.append(
                    {
                        "seq": len(rows),
                        "at": None,
                        "session_id": None,
                        "inferred": None,
                        "type": "message",
                        "index": first + place,
                        "turn_index": self._turn,
                        "role": role,
                        "author": author,
                        "content": content,
                        "tool_call_id": own,
                        "truncated": truncated,
                    }
                )
                if role == "assistant":
                    calls = message.get("tool_calls")
                    if calls is not None:
                        self._chat_calls(calls)
                elif role == "tool":
                    is_text = isinstance(content, str)
                    is_error, inferred = said_of(content) if is_text else (None, None)
                    self._result(own, content, truncated, is_error, inferred)
        except BrokenElementError as error:
            error.raise_within(f"[{place}]")
        self._index = first + len(messages)

    def _chat_calls(self, calls: object) -> None:
        if not isinstance(calls, list):
            if finite(calls) is None:
                return
            raise BrokenElementError(".tool_calls", "a list or null was expected")
        for index, call in enumerate(calls):
            try:
                function = object_of(object_of(call).get("function"))
                arguments = function.get("arguments")
                if not isinstance(arguments, str):
                    arguments = finite(arguments)
                self.call(call.get("id"), function.get("name"), arguments)
            except BrokenElementError as error:
                error.raise_within(f".tool_calls[{index}].function")

    def system(self, content: object) -> None:
        """Add a message of the client, such as the policy."""
        self._unheard += 1
        self._message("system", content)

    def persona(self, content: object, at: int | None = None) -> None:
        """Add a message of the persona: the next turn begins with it."""
        self._begin_turn()
        self._message("user", content, at)

    def assistant(self, content: object, at: int | None = None) -> None:
        """Add a message of the assistant under test."""
        self._message("assistant", content, at)

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
        values: dict[str, Any] = {
            "seq": len(self._values),
            "at": self._at,
            "session_id": None,
            "inferred": None if rule is None else {"toolCallId": rule},
            "type": "tool_call",
            "turn_index": self._turn,
            "step_index": self._step if has_steps else None,
            "tool_call_id": own,
            # Few names, each thousands of times: in facts, and on the way to another process.
            "tool_name": intern(name if name.isascii() else sound_text(name)),
            "args": args or {},
            "server_id": None,
            "args_invalid": None,
            "caller": "persona" if by_persona else None,
        }
        if args is not None:
            self._values.append(values)
            return
        # The text stays on record beside the empty arguments that stand for it.
        raw = arguments if isinstance(arguments, str) else json.dumps(arguments)
        more = {"args_invalid": True, "rawArgs": _kept(sound_text(raw))}
        self._add_ready(ToolCall.model_validate(values | more))

    def tool(
        self,
        call_id: object,
        content: object,
        *,
        is_error: bool | None = None,
        inferred: dict[str, str] | None = None,
        at: int | None = None,
    ) -> None:
        """Add a tool's message and, where it answers a recorded call, that call's result."""
        own = self._called(call_id)
        values = self._message("tool", content, at, tool_call_id=own)
        self._result(own, values["content"], values["truncated"], is_error, inferred)
        if own is not None:
            self._values[-1]["at"] = at

    def answer(self, call_id: object, content: object, *, is_error: bool | None = None) -> None:
        """Add the result of a call that has no message of its own."""
        whole, truncated = self._content(content)
        self._result(self._called(call_id), whole, truncated, is_error, None)

    def amend(self, kind: str, fields: Mapping[str, Any]) -> None:
        """Say more of the record that was added last, if it is of a kind.

        Args:
            kind: The record's `type`; of another one nothing changes, as where a tool's
                message answers no call and so has no result.
            fields: By their Python names, each of the type that the model declares; what
                is said of `inferred` is added to what stands there.
        """
        place = len(self._values) - 1
        if place < 0 or self._values[place]["type"] != kind:
            return
        inferred = {**(self._values[place]["inferred"] or {}), **fields.get("inferred", {})}
        more = {**fields, "inferred": inferred or None}
        if place in self._ready:
            self._ready[place] = self._ready[place].model_copy(update=more)
            self._values[place] = self._ready[place].__dict__
        else:
            self._values[place] |= more

    def _result(
        self,
        own: str | None,
        content: str | list[Part],
        truncated: bool | None,
        is_error: bool | None,
        inferred: dict[str, str] | None,
    ) -> None:
        if own is None:
            self.unmatched_results += 1
            return
        result: Any = content
        if not isinstance(content, str):
            result = [part.model_dump(mode="json", exclude_none=True) for part in content]
        self._values.append(
            {
                "seq": len(self._values),
                "at": None,
                "session_id": None,
                "inferred": inferred,
                "type": "tool_result",
                "tool_call_id": own,
                "result": result,
                "is_error": is_error,
                "mcp_error_code": None,
                "error": None,
                "truncated": truncated,
                "duration_ms": None,
                "timing": None,
                "size": None,
                "raw_bytes": None,
                "policy_blocked": None,
                "answered_by": None,
            }
        )

    def step_finish(
        self, reason: str | None, usage: Usage | None, model_id: str | None = None
    ) -> None:
        """Add the end of the step of the assistant's model that gave the message at hand."""
        self._add_ready(
            StepFinish(
                seq=len(self._values),
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
        self._values.append(
            {
                "seq": len(self._values),
                "at": None,
                "session_id": None,
                "inferred": {"passed": rule},
                "type": "criteria",
                "status": "completed",
                "generation": None,
                "criterion_ids": None,
                "results": [_criterion_result(criterion_id, passed, reason, judged)],
                "graded_at": None,
            }
        )

    def complete(self, ending: SessionComplete) -> None:
        """Add the end of the session, whose `seq` is set here."""
        self.append(ending)

    def append(self, record: Record) -> None:
        """Add any other record, whose `seq` is set here."""
        self._add_ready(record.model_copy(update={"seq": len(self._values)}))

    def _add_ready(self, record: Record) -> None:
        self._ready[len(self._values)] = record
        self._values.append(record.__dict__)

    def _begin_turn(self) -> None:
        if self._turn_begun:
            self._turn += 1
        self._turn_begun = True
        self._step = 0

    def _message(
        self,
        role: _Role,
        content: object,
        at: int | None = None,
        tool_call_id: str | None = None,
    ) -> dict[str, Any]:
        whole, truncated = self._content(content)
        values = {
            "seq": len(self._values),
            "at": at,
            "session_id": None,
            "inferred": None,
            "type": "message",
            "index": self._index,
            "turn_index": self._turn,
            "role": role,
            "author": _AUTHORS[role],
            "content": whole,
            "tool_call_id": tool_call_id,
            "truncated": truncated,
        }
        self._values.append(values)
        self._at = at
        self._index += 1
        return values

    def _content(self, content: object) -> tuple[str | list[Part], bool | None]:
        """Return a message's content as it is kept, and whether it was cut."""
        if not isinstance(content, str):
            return _parts(content), None
        whole = content if self._is_sound else sound_text(content)
        return (whole[:MESSAGE_LIMIT], True) if len(whole) > MESSAGE_LIMIT else (whole, None)

    def _new_call_id(self, wanted: object) -> tuple[str, str | None]:
        """Return an id that no call of the session has, and the rule where it was made up.

        Rule: recording.md section 4.1.
        """
        if not (isinstance(wanted, str) and wanted):
            return self._unused("call"), "the source gives the call no id"
        own = self._unused(wanted if wanted.isascii() else sound_text(wanted))
        self._latest[wanted] = own
        return own, None if own == wanted else "the source repeats the id"

    def _called(self, call_id: object) -> str | None:
        """Return the recorded call that a result with the source's id answers, or None."""
        return self._latest.get(call_id) if isinstance(call_id, str) else None

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


def _refuse_role() -> NoReturn:
    raise BrokenElementError(".role", "one of system, user, assistant, tool was expected")


# A benchmark says one of a few things of a session.
@lru_cache(maxsize=256)
def _criterion_result(
    criterion_id: str, passed: bool, reason: str, judged: bool
) -> CriterionResult:
    return CriterionResult(
        criterion_id=criterion_id,
        passed=passed,
        status=None if judged else "error",
        reason=reason,
    )


def _parts(content: object) -> str | list[Part]:
    if content is None:
        return ""
    if not isinstance(content, list):
        raise BrokenElementError(".content", "text, a list of parts or null was expected")
    parts: list[Part] = []
    for index, part in enumerate(content):
        if isinstance(part, TextPart | ImagePart | OtherPart):
            parts.append(part)
        elif isinstance(part, str):
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
