"""One request to a model, put together from every span that tells of it: counted once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from reporter.importers.otel.meaning import ModelCall, Spoken, Told
from reporter.importers.otel.tree import Operation
from reporter.importers.sound import sound_text
from reporter.models.records import Tool, Usage

_SAME: Final = {
    "tool_call": "tool-calls",
    "tool_calls": "tool-calls",
    "tool_use": "tool-calls",
    "function_call": "tool-calls",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "content-filter",
}


@dataclass(frozen=True, slots=True)
class Request:
    """What is known of one request, each value from the span nearest to the model."""

    operation: Operation
    inputs: tuple[Spoken, ...] | None
    outputs: tuple[Spoken, ...] | None
    finish_reason: str | None
    usage: Usage | None
    model: str | None
    request_model: str | None
    temperature: float | None
    provider: str | None
    response_id: str | None
    tools: tuple[Tool, ...] | None
    tools_whole: bool
    first_chunk_ms: float | None
    failed: Told | None
    """The span that tells of its failure, where nothing came of it."""

    @property
    def is_inner(self) -> bool:
        """A tool made the request, so nothing in it was said to the persona."""
        return self.operation.is_inner


def request_of(operation: Operation, disagreements: list[str]) -> Request:
    """Put a request together from its spans.

    The span nearest to the model saw what the provider answered, so its values count; what
    another span says otherwise is told as a disagreement.
    """
    spans = list(reversed(operation.spans))
    calls = [one.meaning for one in spans if isinstance(one.meaning, ModelCall)]
    outputs = _one_choice(_nearest(calls, "outputs"))
    finish = _nearest(calls, "finish_reason")
    _compare_reasons(spans, disagreements)
    usage = _usage(spans, disagreements)
    request_model, response_model = (
        _model(calls),
        _nearest(calls, "response_model"),
    )
    provider, response_id = _nearest(calls, "provider"), _nearest(calls, "response_id")
    offering = next((call for call in calls if call.tools is not None), None)
    wrong = next((one for one in spans if one.is_error), None)
    model = response_model or request_model
    return Request(
        operation=operation,
        inputs=_nearest(calls, "inputs"),
        outputs=outputs,
        finish_reason=None if finish is None else sound_text(finish),
        usage=usage,
        model=None if model is None else sound_text(model),
        request_model=request_model or response_model,
        temperature=_nearest(calls, "temperature"),
        provider=None if provider is None else sound_text(provider),
        response_id=None if response_id is None else sound_text(response_id),
        tools=None if offering is None else offering.tools,
        tools_whole=offering is None or offering.tools_whole,
        first_chunk_ms=_nearest(calls, "first_chunk_ms"),
        failed=wrong if wrong is not None and not outputs else None,
    )


def _nearest(calls: Sequence[ModelCall], name: str) -> Any:  # noqa: ANN401  the field's own type
    for call in calls:
        value = getattr(call, name)
        if value is not None and value != ():
            return value
    return None


def _model(calls: Sequence[ModelCall]) -> str | None:
    """Return the model that was asked for; some recorders write that they do not know it."""
    named = [call.request_model for call in calls if call.request_model]
    return next((one for one in named if one.lower() != "unknown"), None)


def _one_choice(outputs: tuple[Spoken, ...] | None) -> tuple[Spoken, ...] | None:
    """Return what was answered: of several choices the first, which a client goes on with."""
    if outputs is None:
        return None
    answers = [one for one in outputs if one.role == "assistant"]
    if len(answers) > 1 and all(one.finish_reason for one in answers):
        return (answers[0],)
    return tuple(answers)


def same_reason(reason: str) -> str:
    """Return a finish reason in the spelling under which two of them are compared."""
    word = reason.strip().lower()
    return _SAME.get(word, word.replace("_", "-"))


def _compare_reasons(spans: Sequence[Told], disagreements: list[str]) -> None:
    said: dict[str, tuple[str, Told]] = {}
    for one in spans:
        reason = one.meaning.finish_reason if isinstance(one.meaning, ModelCall) else None
        if reason:
            said.setdefault(same_reason(reason), (reason, one))
    if len(said) > 1:
        words = " and ".join(f'"{reason}" ({one.name})' for reason, one in said.values())
        disagreements.append(f"finish reason: {words}; the first counts, nearest to the model")


def _usage(spans: Sequence[Told], disagreements: list[str]) -> Usage | None:
    """Return the tokens of a request: of the nearest span that tells of both kinds, once."""
    told: list[tuple[ModelCall, Told]] = [
        (one.meaning, one)
        for one in spans
        if isinstance(one.meaning, ModelCall)
        and (one.meaning.input_tokens is not None or one.meaning.output_tokens is not None)
    ]
    if not told:
        return None
    both = [pair for pair in told if None not in (pair[0].input_tokens, pair[0].output_tokens)]
    call, _ = (both or told)[0]
    counts = {(other.input_tokens, other.output_tokens) for other, _ in both}
    if len(counts) > 1:
        words = " and ".join(one.name for _, one in both)
        disagreements.append(f"tokens differ ({words}); the first counts, nearest to the model")
    return Usage(
        input_tokens=call.input_tokens,
        output_tokens=call.output_tokens,
        total_tokens=call.total_tokens,
    )
