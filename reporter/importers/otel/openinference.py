"""OpenInference: `openinference.span.kind` and flattened `llm.*` attributes."""

from collections.abc import Mapping
from typing import Any, Final

from reporter.importers.otel import names
from reporter.importers.otel.meaning import AgentRun, Aside, Meaning, ModelCall, Spoken, ToolRun
from reporter.importers.otel.messages import (
    answer_of,
    jsonish,
    loaded,
    spoken_list,
    spoken_of,
    tools_of,
    unflattened,
)
from reporter.importers.otel.read import count, error_type, text, word
from reporter.importers.otel.values import SpanValue
from reporter.importers.outcome import number_of

_INPUT: Final = "input.value"
_OUTPUT: Final = "output.value"


def read(span: SpanValue) -> Meaning | None:
    """Return what a span says in this dialect, or None where it says nothing."""
    held = span.attributes
    kind = text(held, names.OPENINFERENCE_KIND)
    if kind is None:
        return None
    match kind.upper():
        case "LLM":
            return _model(held)
        case "TOOL":
            return _tool(span, held)
        case "AGENT" | "CHAIN":
            inputs, outputs = _in(held), _out(held)
            name = text(held, "agent.name", "graph.node.id")
            return AgentRun(name, inputs, outputs, is_agent=kind.upper() == "AGENT")
        case "EVALUATOR" | "GUARDRAIL":
            return Aside(kind.lower())
        case _:
            return None


def _tool(span: SpanValue, held: Mapping[str, Any]) -> ToolRun:
    run = ToolRun(
        side="agent",
        name=text(held, "tool.name") or span.name or None,
        call_id=word(held, "tool.id", "tool_call.id", names.TOOL_CALL_ID),
        arguments=_arguments(held),
        error_type=error_type(span, held),
    )
    if _OUTPUT in held:
        run.has_result = True
        run.result, run.said_error = answer_of(held[_OUTPUT])
    return run


def _arguments(held: Mapping[str, Any]) -> object:
    value = jsonish(held.get(_INPUT))
    if value is None:
        # What is named parameters is the tool's schema with some and the arguments with others.
        parameters = loaded(held.get("tool.parameters"))
        is_schema = isinstance(parameters, dict) and "properties" in parameters
        return None if is_schema else parameters
    return value


def _model(held: Mapping[str, Any]) -> ModelCall:
    inputs = _spoken(held, "llm.input_messages")
    outputs = _spoken(held, "llm.output_messages")
    flat = unflattened(held, "llm.tools")
    tools = tools_of(flat) if flat else None
    parameters = loaded(held.get("llm.invocation_parameters"))
    return ModelCall(
        request_model=text(held, "llm.request.model_name", "llm.model_name"),
        response_model=text(held, "llm.response.model_name"),
        provider=text(held, "llm.provider", "llm.system"),
        response_id=_response_id(held),
        temperature=number_of(parameters.get("temperature"))
        if isinstance(parameters, dict)
        else None,
        inputs=inputs or _in(held),
        outputs=outputs or _out(held),
        finish_reason=text(held, "llm.finish_reason"),
        input_tokens=count(held, "llm.token_count.prompt"),
        output_tokens=count(held, "llm.token_count.completion"),
        total_tokens=count(held, "llm.token_count.total"),
        tools=tools,
        tools_whole=tools is None or len(tools) == len(flat),
    )


def _response_id(held: Mapping[str, Any]) -> str | None:
    answer = _whole(held.get(_OUTPUT))
    own = answer.get("id") if isinstance(answer, dict) else None
    return own if isinstance(own, str) and "choices" in answer else None


def _whole(value: object) -> Any:  # noqa: ANN401  any JSON value
    """Return the provider's own request or response, where the attribute holds it whole."""
    return loaded(value) if isinstance(value, str) and value.lstrip()[:1] == "{" else None


def _spoken(held: Mapping[str, Any], prefix: str) -> tuple[Spoken, ...] | None:
    messages = [_message(item) for item in unflattened(held, prefix)]
    found = tuple(one for one in messages if one is not None)
    return found or None


def _message(item: object) -> Spoken | None:
    message = item.get("message") if isinstance(item, dict) else None
    if not isinstance(message, dict):
        return None
    calls = message.get("tool_calls")
    plain = dict(message)
    if isinstance(calls, list):
        plain["tool_calls"] = [
            call["tool_call"] if isinstance(call, dict) and "tool_call" in call else call
            for call in calls
        ]
    legacy = message.get("function_call_name")
    if isinstance(legacy, str):
        plain["function_call"] = {
            "name": legacy,
            "arguments": message.get("function_call_arguments_json"),
        }
    return spoken_of(plain)


def _in(held: Mapping[str, Any]) -> tuple[Spoken, ...] | None:
    """Return what went into a span as messages, where its value holds some or is plain text."""
    value = held.get(_INPUT)
    whole = loaded(value) if isinstance(value, str) and value.lstrip()[:1] in ("{", "[") else None
    if isinstance(whole, dict):
        for name in ("messages", "contents", "input", "question", "query"):
            inner = whole.get(name)
            if isinstance(inner, str):
                return (Spoken("user", (inner,)),)
            spoken = spoken_list(inner) if inner is not None else None
            if spoken:
                return spoken
        return None
    if isinstance(whole, list):
        return spoken_list(whole) or None
    return (Spoken("user", (value,)),) if isinstance(value, str) and value.strip() else None


def _out(held: Mapping[str, Any]) -> tuple[Spoken, ...] | None:
    value = held.get(_OUTPUT)
    if not isinstance(value, str) or not value.strip() or value.lstrip()[:1] in ("{", "["):
        return None
    return (Spoken("assistant", (value,)),)
