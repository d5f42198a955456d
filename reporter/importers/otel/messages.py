"""Reads messages in the forms that chat programs give them, however an attribute holds them."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from reporter.importers.jsontext import finite
from reporter.importers.jsonvalue import swiftly
from reporter.importers.naming import first_words
from reporter.importers.otel.meaning import (
    CallPart,
    NotePart,
    ResultPart,
    Role,
    Spoken,
    SpokenPart,
)
from reporter.importers.otel.values import TooDeepError, plain
from reporter.models.records import Tool

ROLES: Final[Mapping[str, Role]] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "model": "assistant",
    "ai": "assistant",
    "tool": "tool",
    "function": "tool",
}
_SILENT: Final = frozenset({"reasoning", "thinking", "redacted_thinking", "compaction"})
_TEXT_TYPES: Final = (None, "text", "input_text", "output_text")
_CALL_TYPES: Final = frozenset({"tool_call", "tool_use", "function_call", "toolCall", "tool-call"})
_RESULT_TYPES: Final = frozenset(
    {"tool_call_response", "tool_result", "function_call_output", "toolResult", "tool-result"}
)
_DECODER: Final = json.JSONDecoder(parse_constant=lambda _: None)
_INDEXED: Final = re.compile(r"(0|[1-9][0-9]{0,5})(?:\.(.+))?", re.DOTALL)


def loaded(value: object) -> Any:  # noqa: ANN401  any JSON value
    """Return what a text of JSON holds, and every other value as it is.

    Returns:
        None where the text is no whole JSON, as one that was cut is.
    """
    if not isinstance(value, str):
        return value
    try:
        # Only what is deep or odd fails here, and is read with care.
        return finite(swiftly(value))
    except ValueError:
        pass
    try:
        return plain(_DECODER.decode(value))
    except (ValueError, RecursionError, TooDeepError):
        return None


def jsonish(value: object) -> Any:  # noqa: ANN401  any JSON value
    """Return the object or list that a text of JSON holds, and every other value as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        held = loaded(value)
        return value if held is None else held
    return value


def blocks_of(value: object) -> Any:  # noqa: ANN401  any JSON value
    """Return the content blocks that a text of JSON holds, and every other value as it is.

    A text of other JSON is what somebody said.
    """
    if isinstance(value, str) and value.lstrip().startswith("["):
        held = loaded(value)
        if isinstance(held, list) and held and all(map(_is_block, held)):
            return held
    return value


def _is_block(value: object) -> bool:
    return isinstance(value, dict) and (
        isinstance(value.get("type"), str)
        or isinstance(value.get("text"), str)
        or _is_call(value)
        or _is_result(value)
    )


def list_of(value: object) -> Sequence[Any] | None:
    """Return a list of messages, parts or tools, also out of a text or one of them alone.

    Returns:
        None where there is none.
    """
    held = loaded(value)
    if isinstance(held, list):
        # Attributes are lists of texts where they cannot hold objects.
        return [loaded(item) if isinstance(item, str) else item for item in held]
    return [held] if isinstance(held, dict) else None


def unflattened(attributes: Mapping[str, Any], prefix: str) -> list[Any]:
    """Return the list that was flattened into attributes such as `prefix.0.name`.

    Args:
        attributes: All attributes of a span.
        prefix: What the names begin with, without the last dot.

    Returns:
        The elements in the order of their numbers; gaps close up.
    """
    begin = f"{prefix}."
    flat = {
        name[len(begin) :]: value for name, value in attributes.items() if name.startswith(begin)
    }
    return _elements(flat)


def _elements(flat: Mapping[str, Any], levels: int = 8) -> list[Any]:
    groups: dict[int, dict[str, Any]] = {}
    for name, value in flat.items():
        found = _INDEXED.fullmatch(name)
        if found is not None:
            groups.setdefault(int(found[1]), {})[found[2] or ""] = value
    return [_nested(groups[index], levels) for index in sorted(groups)]


def _nested(flat: Mapping[str, Any], levels: int) -> Any:  # noqa: ANN401  any JSON value
    if "" in flat and len(flat) == 1:
        return flat[""]
    grown: dict[str, Any] = {}
    deeper: dict[str, dict[str, Any]] = {}
    for name, value in flat.items():
        head, mark, rest = name.partition(".")
        if mark and levels:
            deeper.setdefault(head, {})[rest] = value
        else:
            grown.setdefault(name, value)
    for head, inner in deeper.items():
        is_list = all(_INDEXED.fullmatch(name) for name in inner)
        grown[head] = _elements(inner, levels - 1) if is_list else _nested(inner, levels - 1)
    return grown


def spoken_of(message: object, default: Role | None = None) -> Spoken | None:
    """Return a message, or None where it is none.

    Args:
        message: In any of the usual forms: with `parts`, with `content` and `tool_calls`,
            with content blocks, or as a plain text.
        default: The role of a message that names none.
    """
    if isinstance(message, str):
        return Spoken(default, (message,)) if default and message else None
    if not isinstance(message, dict):
        return None
    named = message.get("role")
    role = ROLES.get(named.lower()) if isinstance(named, str) else default
    if role is None:
        return None
    parts: list[SpokenPart] = []
    held = message.get("parts")
    if not isinstance(held, list):
        content = message.get("content")
        held = jsonish(content) if role == "tool" else blocks_of(content)
    if held is None:
        held = message.get("contents")
    if role == "tool":
        parts.extend(_answers(message, held))
    else:
        parts.extend(_parts(held))
    calls = list_of(message.get("tool_calls")) or ()
    parts.extend(call_of(call) for call in calls if isinstance(call, dict))
    one = message.get("function_call")
    if isinstance(one, dict) and one.get("name"):
        parts.append(call_of(one))
    finish = message.get("finish_reason", message.get("stop_reason"))
    return Spoken(role, tuple(parts), finish if isinstance(finish, str) and finish else None)


def spoken_list(value: object, default: Role | None = None) -> tuple[Spoken, ...] | None:
    """Return the messages of a list, or None where there is no list of messages."""
    held = list_of(value)
    if held is None:
        return None
    return tuple(one for item in held if (one := spoken_of(item, default)) is not None)


def _answers(message: Mapping[str, Any], held: object) -> list[SpokenPart]:
    """Return the results that a tool's message holds."""
    blocks = held if isinstance(held, list) else []
    typed = [block for block in blocks if isinstance(block, dict) and _is_result(block)]
    if typed:
        return [_result(block) for block in typed]
    call_id = message.get("tool_call_id", message.get("id", message.get("call_id")))
    value = held
    texts = _parts(held) if blocks else []
    if texts and all(isinstance(part, str) for part in texts):
        value = "\n".join(str(part) for part in texts)
    return [ResultPart(_text(call_id), _text(message.get("name")), value)]


def _parts(held: object) -> list[SpokenPart]:
    if isinstance(held, str):
        return [held] if held else []
    if isinstance(held, dict):
        held = [held]
    if not isinstance(held, list):
        return []
    parts: list[SpokenPart] = []
    for block in held:
        if isinstance(block, str):
            parts.append(block)
        elif isinstance(block, dict):
            parts.extend(_part(block))
    return parts


def _part(block: Mapping[str, Any]) -> list[SpokenPart]:
    kind = block.get("type")
    # By far the most frequent part is asked for first.
    said = block.get("content", block.get("text")) if kind == "text" else None
    if isinstance(said, str):
        return [said] if said else []
    if _is_result(block):
        return [_result(block)]
    if _is_call(block):
        return [call_of(block)]
    inner = block.get("message_content")
    return _part(inner) if isinstance(inner, dict) else _other_part(block)


def _other_part(block: Mapping[str, Any]) -> list[SpokenPart]:
    kind = block.get("type")
    if kind in _SILENT or block.get("thought") is True:
        return []
    for name in ("text", "content"):
        said = block.get(name)
        if isinstance(said, str) and kind in _TEXT_TYPES:
            return [said] if said else []
    what = kind if isinstance(kind, str) else next(iter(block), "no type")
    return [NotePart(f"content of type {first_words(str(what), 40)}, not kept")]


_CALL_KEYS: Final = ("function_call", "functionCall", "toolUse", "tool_call")
_RESULT_KEYS: Final = ("function_response", "functionResponse", "toolResult")


_CALL_NAMES: Final = frozenset(_CALL_KEYS)
_RESULT_NAMES: Final = frozenset(_RESULT_KEYS)


def _is_call(block: Mapping[str, Any]) -> bool:
    return block.get("type") in _CALL_TYPES or not _CALL_NAMES.isdisjoint(block)


def _is_result(block: Mapping[str, Any]) -> bool:
    return block.get("type") in _RESULT_TYPES or not _RESULT_NAMES.isdisjoint(block)


def _inside(block: Mapping[str, Any], keys: Sequence[str]) -> Mapping[str, Any]:
    for key in keys:
        inner = block.get(key)
        if isinstance(inner, dict):
            return inner
    return block


def _first(mapping: Mapping[str, Any], *names: str) -> Any:  # noqa: ANN401  any JSON value
    for name in names:
        if mapping.get(name) is not None:
            return mapping[name]
    return None


def call_of(block: Mapping[str, Any]) -> CallPart:
    """Return a call that a model asked for, in any of the usual forms."""
    inner = _inside(block, _CALL_KEYS)
    function = inner.get("function")
    named = function if isinstance(function, dict) else inner
    arguments = _first(named, "arguments", "args", "input")
    if arguments is None:
        arguments = _first(inner, "arguments", "args", "input")
    call_id = _first(inner, "id", "toolUseId", "call_id", "toolCallId")
    if call_id is None:
        call_id = block.get("id")
    return CallPart(_text(call_id), _text(_first(named, "name", "toolName")), arguments)


def _result(block: Mapping[str, Any]) -> ResultPart:
    inner = _inside(block, _RESULT_KEYS)
    value = _first(inner, "response", "result", "output", "content")
    flag = _first(inner, "is_error", "isError")
    if not isinstance(flag, bool):
        flag = {"error": True, "success": False}.get(str(inner.get("status")))
    call_id = _first(
        inner, "id", "tool_use_id", "toolUseId", "tool_call_id", "call_id", "toolCallId"
    )
    return ResultPart(_text(call_id), _text(inner.get("name")), jsonish(value), flag)


def _text(value: object) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value else None


def answer_of(value: object) -> tuple[Any, bool | None]:
    """Return what a tool answered, out of the message that a chat program made of it.

    Returns:
        The answer, and whether that message calls it an error; None where it does not say.
    """
    held = jsonish(value)
    inner = held
    for name in ("output", "data", "kwargs"):
        inner = _inside(inner, (name,)) if isinstance(inner, dict) else inner
    if not isinstance(inner, dict) or inner is held or "content" not in inner:
        return held, None
    if "tool_call_id" not in inner and inner.get("type") != "tool":
        return held, None
    return blocks_of(inner["content"]), True if inner.get("status") == "error" else None


def tools_of(value: object) -> tuple[Tool, ...] | None:
    """Return the tools that a request offers, or None where no list of them is recorded."""
    # Every request offers the same ones.
    return _tools_in(value) if isinstance(value, str) else _tools(value)


def _tools(value: object) -> tuple[Tool, ...] | None:
    held = list_of(value)
    if held is None:
        return None
    found: list[Tool] = []
    for item in held:
        if not isinstance(item, dict):
            continue
        group = _first(item, "function_declarations", "functionDeclarations")
        if isinstance(group, list):
            found.extend(tools_of(group) or ())
            continue
        tool = _tool(item)
        if tool is not None:
            found.append(tool)
    return tuple(found)


_tools_in: Final = lru_cache(maxsize=64)(_tools)


def _tool(item: Mapping[str, Any]) -> Tool | None:
    for key in ("function", "toolSpec", "tool"):
        inner = item.get(key)
        if isinstance(inner, dict):
            return _tool(inner)
    schema = item.get("json_schema")
    if schema is not None:
        held = loaded(schema)
        return _tool(held) if isinstance(held, dict) and "json_schema" not in held else None
    name = _text(item.get("name"))
    if name is None:
        return None
    parameters = loaded(
        _first(
            item,
            "parameters",
            "parameters_json_schema",
            "parametersJsonSchema",
            "input_schema",
            "inputSchema",
        )
    )
    if isinstance(parameters, dict) and isinstance(parameters.get("json"), dict):
        parameters = parameters["json"]
    return Tool(
        name=name,
        description=_text(item.get("description")),
        input_schema=parameters if isinstance(parameters, dict) else None,
    )
