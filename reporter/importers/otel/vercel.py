"""The spans of Vercel's AI SDK: `ai.generateText`, `ai.streamText` and `ai.toolCall`."""

from collections.abc import Mapping
from typing import Any, Final

from reporter.importers.otel import names
from reporter.importers.otel.meaning import (
    AgentRun,
    CallPart,
    Meaning,
    ModelCall,
    Spoken,
    SpokenPart,
    ToolRun,
)
from reporter.importers.otel.messages import (
    call_of,
    jsonish,
    list_of,
    loaded,
    spoken_list,
    tools_of,
)
from reporter.importers.otel.read import count, error_type, text, word
from reporter.importers.otel.values import SpanValue

_RUNS: Final = ("ai.generateText", "ai.streamText", "ai.generateObject", "ai.streamObject")
_REQUESTS: Final = tuple(f"{run}.do{part}" for run in _RUNS for part in ("Generate", "Stream"))
_CALL: Final = "ai.toolCall"


def read(span: SpanValue) -> Meaning | None:
    """Return what a span says in this dialect, or None where it says nothing."""
    held = span.attributes
    operation = text(held, "ai.operationId")
    if operation == _CALL:
        return _tool(span, held)
    if operation in _REQUESTS:
        return _model(held)
    if operation in _RUNS:
        return AgentRun(
            name=text(held, "ai.telemetry.functionId", "resource.name"),
            inputs=_prompt(held),
            outputs=_said(held),
            model=text(held, "ai.model.id"),
        )
    return None


def _tool(span: SpanValue, held: Mapping[str, Any]) -> ToolRun:
    run = ToolRun(
        side="agent",
        name=text(held, "ai.toolCall.name"),
        call_id=word(held, "ai.toolCall.id"),
        arguments=held.get("ai.toolCall.args", held.get("ai.toolCall.input")),
        error_type=error_type(span, held),
    )
    for name in ("ai.toolCall.result", "ai.toolCall.output"):
        if name in held:
            run.has_result, run.result = True, jsonish(held[name])
            break
    return run


def _model(held: Mapping[str, Any]) -> ModelCall:
    return ModelCall(
        request_model=text(held, names.REQUEST_MODEL, "ai.model.id"),
        response_model=text(held, "ai.response.model"),
        provider=text(held, *names.PROVIDER, "ai.model.provider"),
        response_id=text(held, "ai.response.id"),
        inputs=spoken_list(held.get("ai.prompt.messages"), "user"),
        outputs=_said(held),
        finish_reason=text(held, "ai.response.finishReason"),
        input_tokens=count(held, "ai.usage.inputTokens", "ai.usage.promptTokens"),
        output_tokens=count(held, "ai.usage.outputTokens", "ai.usage.completionTokens"),
        total_tokens=count(held, "ai.usage.totalTokens", "ai.usage.tokens"),
        tools=tools_of(held.get("ai.prompt.tools")),
    )


def _prompt(held: Mapping[str, Any]) -> tuple[Spoken, ...] | None:
    prompt = loaded(held.get("ai.prompt"))
    if not isinstance(prompt, dict):
        return None
    words = prompt.get("prompt")
    if isinstance(words, str):
        return (Spoken("user", (words,)),)
    return spoken_list(prompt.get("messages") or words, "user")


def _said(held: Mapping[str, Any]) -> tuple[Spoken, ...] | None:
    words = text(held, "ai.response.text", "ai.response.object")
    parts: list[SpokenPart] = [] if words is None else [words]
    calls = list_of(held.get("ai.response.toolCalls")) or ()
    asked: list[CallPart] = [call_of(call) for call in calls if isinstance(call, dict)]
    parts.extend(asked)
    return (Spoken("assistant", tuple(parts)),) if parts else None
