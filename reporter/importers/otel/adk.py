"""The attributes that Google's Agent Development Kit gives its spans: `gcp.vertex.agent.*`."""

from collections.abc import Mapping
from typing import Any

from reporter.importers.otel import names
from reporter.importers.otel.meaning import Meaning, ModelCall, Spoken, ToolRun
from reporter.importers.otel.messages import jsonish, loaded, spoken_list, spoken_of, tools_of
from reporter.importers.otel.read import count, error_type, text, word
from reporter.importers.otel.values import SpanValue
from reporter.importers.outcome import number_of


def read(span: SpanValue) -> Meaning | None:
    """Return what a span says in this dialect, or None where it says nothing."""
    held = span.attributes
    if names.ADK_ARGUMENTS in held or names.ADK_RESULT in held:
        return _tool(span, held)
    if names.ADK_REQUEST in held:
        return _model(held)
    return None


def _tool(span: SpanValue, held: Mapping[str, Any]) -> ToolRun:
    arguments = loaded(held.get(names.ADK_ARGUMENTS))
    run = ToolRun(
        side="agent",
        name=text(held, names.TOOL_NAME),
        call_id=word(held, names.TOOL_CALL_ID),
        arguments=arguments if isinstance(arguments, dict) else None,
        error_type=error_type(span, held),
    )
    result = held.get(names.ADK_RESULT)
    # An empty object stands where the recorder was told to keep no contents.
    if result is not None and result != "{}":
        run.has_result, run.result = True, _unwrapped(jsonish(result))
    return run


def _unwrapped(result: Any) -> Any:  # noqa: ANN401  any JSON value
    """Return what a tool answered, out of the single field that a plain value is put into."""
    if isinstance(result, dict) and len(result) == 1 and isinstance(result.get("result"), dict):
        inner = result["result"]
        return inner if "isError" in inner or "content" in inner else result
    return result


def _model(held: Mapping[str, Any]) -> ModelCall:
    request, response = loaded(held.get(names.ADK_REQUEST)), loaded(held.get(names.ADK_RESPONSE))
    call = ModelCall(request_model=text(held, names.REQUEST_MODEL))
    if isinstance(request, dict) and request:
        config = request.get("config")
        config = config if isinstance(config, dict) else {}
        call.inputs = (*_system(config), *(spoken_list(request.get("contents"), "user") or ()))
        call.tools = tools_of(config.get("tools"))
        call.temperature = number_of(config.get("temperature"))
        if call.request_model is None:
            call.request_model = text(request, "model")
    if isinstance(response, dict) and response:
        said = spoken_of(response.get("content"), "assistant")
        call.outputs = None if said is None else (said,)
        reason = response.get("finish_reason")
        call.finish_reason = reason.lower() if isinstance(reason, str) and reason else None
        usage = response.get("usage_metadata")
        if isinstance(usage, dict):
            call.input_tokens = count(usage, "prompt_token_count")
            call.output_tokens = count(usage, "candidates_token_count")
            call.total_tokens = count(usage, "total_token_count")
    return call


def _system(config: Mapping[str, Any]) -> tuple[Spoken, ...]:
    held = config.get("system_instruction")
    if isinstance(held, dict):
        held = held.get("parts")
    said = spoken_of({"role": "system", "content": held})
    return () if said is None or not said.parts else (said,)
