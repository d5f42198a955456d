"""Messages of a session saved from MCPJam, with the parts that its message library writes."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from reporter.importers.conversation import MESSAGE_LIMIT
from reporter.importers.losses import Losses
from reporter.importers.mcpjam_values import kept, mapping, rows, text, whole
from reporter.importers.sound import sound_object, sound_text
from reporter.models.records import (
    Message,
    OtherPart,
    Part,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)

Json = Mapping[str, Any]

_ROLES: Final = {
    "user": ("user", "persona"),
    "assistant": ("assistant", "assistant"),
    "system": ("system", "client"),
    "tool": ("tool", "tool"),
}
_SAID: Final = ("json", "text", "content")
_FAILED: Final = ("error-text", "error-json")
_CUT: Final = (
    "messages that the service cut: the beginning of JSON text, which nobody said in words"
)
_CUT_NOTE: Final = "cut by the service: the beginning of the message's JSON follows, not its words"


@dataclass
class MessageReader:
    """Turns saved messages into records, in their order.

    Rule: import-mcpjam.md section 4.5.
    """

    turns: Sequence[tuple[int, int, int]]
    """First and last message of a span, and the turn that it belongs to."""
    losses: Losses
    place: str
    latest: dict[str, str] = field(default_factory=dict)
    """The id that a call has here, by the source's id; a repeated one has several."""
    uses: dict[str, list[str]] = field(default_factory=dict)
    """Every id given for a source's id, in call order."""
    _personas: int = 0
    _turn: int = 0

    def message(self, raw: Json, index: int) -> Message:
        """Return one message as a record without its place among the records."""
        said = text(raw.get("role"))
        role, author = _ROLES.get(said or "", ("system", "client"))
        if said not in _ROLES:
            self.losses.unknown_type(f"{self.place}.messages[{index}].role", said, "messages")
        if role == "user":
            self._personas += 1
        is_cut = raw.get("truncated") is True
        content = raw.get("content")
        where = f"{self.place}.messages[{index}]"
        if is_cut:
            self.losses.no_place(where, _CUT)
        is_long = False
        found: str | list[Part]
        if isinstance(content, str) and is_cut:
            # Nobody said it in words, so it is nobody's who was there.
            author = "client"
            found = [OtherPart(note=_CUT_NOTE), TextPart(text=sound_text(content[:MESSAGE_LIMIT]))]
        elif isinstance(content, str):
            found, is_long = sound_text(content[:MESSAGE_LIMIT]), len(content) > MESSAGE_LIMIT
        elif isinstance(content, list) and not is_cut:
            found = [self._part(part, f"{where}.content[{n}]") for n, part in enumerate(content)]
        elif content is None:
            found = ""
        else:
            found = [OtherPart(note="a stored message without content of its own")]
        self._turn = max(self._turn, self._turn_of(index))
        return Message.model_validate(
            {
                "seq": 0,
                "index": index,
                "turn_index": self._turn,
                "role": role,
                "author": author,
                "content": found,
                "truncated": True if is_cut or is_long else None,
            }
        )

    def _turn_of(self, index: int) -> int:
        spanned = next((turn for first, last, turn in self.turns if first <= index <= last), None)
        return spanned if spanned is not None else max(self._personas - 1, 0)

    def _part(self, raw: object, where: str) -> Part:
        part = {"type": "text", "text": raw} if isinstance(raw, str) else mapping(raw)
        kind, words = part.get("type"), part.get("text")
        if kind == "text" and isinstance(words, str):
            return TextPart(text=sound_text(words[:MESSAGE_LIMIT]))
        if kind == "tool-call":
            return self._call(part, where)
        if kind == "tool-result":
            return self._result(part, where)
        if kind == "reasoning":
            return OtherPart(note="reasoning, which is no reply")
        return self._no_words(part, kind, where)

    def _no_words(self, part: Json, kind: object, where: str) -> Part:
        if kind in ("file", "image"):
            media = text(part.get("mediaType")) or text(part.get("mimeType")) or "unknown kind"
            return OtherPart(note=f"{kind} of {media[:100]}; its bytes are not kept")
        self.losses.unknown_type(where, kind, "parts of a message")
        return OtherPart(note=f"content of type {(text(kind) or 'none')[:80]}, not kept")

    def _call(self, part: Json, where: str) -> Part:
        own, name = text(part.get("toolCallId")), text(part.get("toolName"))
        if own is None or name is None:
            self.losses.add("unreadable", where, "tool calls without an id or a name")
            return OtherPart(note="a tool call without an id or a name")
        given = part["input"] if part.get("input") is not None else part.get("args")
        if isinstance(given, str):
            given = _parsed(given)
        args = sound_object(given) if given is not None else {}
        if args is None:
            self.losses.add("unreadable", where, "arguments of tool calls that are no object")
        used = self.uses.setdefault(own, [])
        here = own if not used else f"{own}#{len(used) + 1}"
        used.append(here)
        self.latest[own] = here
        return ToolCallPart(tool_call_id=here, tool_name=name, args=args or {})

    def _result(self, part: Json, where: str) -> Part:
        own = self.latest.get(text(part.get("toolCallId")) or "")
        if own is None:
            self.losses.unmatched(where)
            return OtherPart(note="a tool result that answers no recorded call")
        output = part["output"] if "output" in part else part.get("result")
        result, is_error = self._output(output, where)
        if part.get("isError") is True:
            is_error = True
        return ToolResultPart(
            tool_call_id=own, result=kept(result), is_error=True if is_error else None
        )

    def _output(self, output: object, where: str) -> tuple[object, bool]:
        tagged = mapping(output)
        kind, said = tagged.get("type"), tagged.get("value")
        if "type" not in tagged or "value" not in tagged:
            return output, tagged.get("isError") is True
        if kind in _FAILED:
            return said, True
        if kind not in _SAID:
            self.losses.unknown_type(f"{where}.output", kind, "outputs of a tool")
            return output, False
        return said, isinstance(said, Mapping) and said.get("isError") is True


def _parsed(given: str) -> object:
    try:
        return json.loads(given)
    except (ValueError, RecursionError):
        return given


def turns_of(trace: Sequence[Json]) -> list[tuple[int, int, int]]:
    """Return which messages belong to which turn, as far as spans say so."""
    found: list[tuple[int, int, int]] = []
    for turn in trace:
        own = whole(turn.get("promptIndex"), 0, 100_000)
        for one in (turn, *rows(turn.get("spans"))):
            first = whole(one.get("messageStartIndex"))
            last = whole(one.get("messageEndIndex"))
            at = whole(one.get("promptIndex"), 0, 100_000)
            at = own if at is None else at
            if first is not None and last is not None and at is not None:
                found.append((first, last, at))
    return found
