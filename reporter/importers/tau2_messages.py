"""The messages of a τ²-bench simulation, as records."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from reporter.importers.conversation import (
    BrokenElementError,
    Conversation,
    Element,
    object_of,
)
from reporter.importers.sound import sound_text
from reporter.models.records import Usage

# Seconds since the epoch that can be meant: from 2001 to a year of five digits.
_SECONDS: Final = (1_000_000_000, 100_000_000_000)


def converse(conversation: Conversation, messages: Sequence[object]) -> None:
    """Add the messages of one simulation.

    Raises:
        BrokenElementError: A message is not what the format says.
    """
    for index, message in enumerate(messages):
        try:
            _add(conversation, object_of(message))
        except BrokenElementError as error:
            error.raise_within(f".messages[{index}]")


def counted(messages: Sequence[object]) -> int:
    """Return how many messages count, whether they can be read or not."""
    return sum(
        1 for message in messages if not (isinstance(message, dict) and _role(message) == "system")
    )


def _add(conversation: Conversation, message: Element) -> None:
    role = _role(message)
    content = [{"type": "audio"}] if message.get("is_audio") is True else message.get("content")
    at = _at(message)
    if role == "tool":
        for answer in _answers(message):
            error = answer.get("error")
            conversation.tool(
                answer.get("id"),
                answer.get("content"),
                is_error=error if isinstance(error, bool) else None,
            )
    elif role == "assistant":
        usage, reason, model = _usage(message), _finish_reason(message), _model(message)
        is_step = usage is not None or reason is not None
        conversation.assistant(content, at)
        _add_calls(conversation, message, has_steps=is_step)
        # The greeting and a prepared history were never generated: they are no steps.
        if is_step:
            conversation.step_finish(reason, usage, model)
    elif role == "user":
        conversation.persona(content, at)
        _add_calls(conversation, message, by_persona=True)
    elif role == "system":
        conversation.system(content)
    else:
        raise BrokenElementError(".role", "one of system, user, assistant, tool was expected")


def _add_calls(
    conversation: Conversation,
    message: Element,
    *,
    by_persona: bool = False,
    has_steps: bool = False,
) -> None:
    calls = message.get("tool_calls")
    if calls is None:
        return
    if not isinstance(calls, list):
        raise BrokenElementError(".tool_calls", "a list or null was expected")
    for index, call in enumerate(calls):
        try:
            own = object_of(call)
            conversation.call(
                own.get("id"),
                own.get("name"),
                own.get("arguments"),
                by_persona=by_persona or own.get("requestor") == "user",
                has_steps=has_steps,
            )
        except BrokenElementError as error:
            error.raise_within(f".tool_calls[{index}]")


def _answers(message: Element) -> Iterator[Element]:
    """Yield the single answers of a tool message, which may hold several."""
    several = message.get("tool_messages")
    if not isinstance(several, list):
        yield message
        return
    for index, answer in enumerate(several):
        try:
            yield object_of(answer)
        except BrokenElementError as error:
            error.raise_within(f".tool_messages[{index}]")


def _role(message: Element) -> object:
    return message.get("role")


def _raw(message: Element) -> Element:
    raw = message.get("raw_data")
    return raw if isinstance(raw, dict) else {}


def _at(message: Element) -> int | None:
    """Return when a message came, or None: a time without zone is no point in time."""
    created = _raw(message).get("created")
    if isinstance(created, int | float) and _SECONDS[0] < created < _SECONDS[1]:
        return int(created * 1000)
    written = message.get("timestamp")
    if not isinstance(written, str):
        return None
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return None
    return int(moment.timestamp() * 1000) if moment.tzinfo else None


def _finish_reason(message: Element) -> str | None:
    choices = _raw(message).get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    reason = first.get("finish_reason") if isinstance(first, dict) else None
    return sound_text(reason) if isinstance(reason, str) else None


def _model(message: Element) -> str | None:
    model = _raw(message).get("model")
    return sound_text(model) if isinstance(model, str) else None


def _usage(message: Element) -> Usage | None:
    usage = message.get("usage")
    if not isinstance(usage, dict):
        return None
    raw = _raw(message).get("usage")
    return Usage(
        input_tokens=_tokens(usage, "prompt_tokens"),
        output_tokens=_tokens(usage, "completion_tokens"),
        total_tokens=_tokens(usage, "total_tokens")
        if "total_tokens" in usage
        else _tokens(raw, "total_tokens"),
    )


def _tokens(usage: object, key: str) -> int | None:
    value = usage.get(key) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None
