"""OpenTelemetry's own conventions for GenAI and MCP, the current ones and those before them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from reporter.importers.otel import names
from reporter.importers.otel.meaning import (
    AgentRun,
    McpPhase,
    Meaning,
    ModelCall,
    Phase,
    Role,
    Spoken,
    ToolRun,
    ToolSide,
)
from reporter.importers.otel.messages import (
    answer_of,
    blocks_of,
    jsonish,
    loaded,
    spoken_list,
    spoken_of,
    tools_of,
)
from reporter.importers.otel.read import count, error_type, number, rpc_code, server, text, word
from reporter.importers.otel.values import EventValue, SpanValue
from reporter.models.records import Tool

_MODEL: Final = frozenset({"chat", "generate_content", "text_completion"})
_AGENT: Final = frozenset({"invoke_agent", "invoke_workflow"})
_OTHER: Final = frozenset(
    {
        "create_agent",
        "embeddings",
        "retrieval",
        "plan",
        "create_memory",
        "create_memory_store",
        "delete_memory",
        "delete_memory_store",
        "search_memory",
        "update_memory",
        "upsert_memory",
    }
)
_MESSAGE_EVENTS: Final[Mapping[str, Role]] = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_CHOICE: Final = "gen_ai.choice"
_DETAILS: Final = "gen_ai.client.inference.operation.details"
_PROMPT: Final = "gen_ai.content.prompt"
_COMPLETION: Final = "gen_ai.content.completion"
_DISCOVER: Final = "server/discover"
_BY_DISCOVERY: Final = "newer protocols ask server/discover where older ones initialize"
_PHASES: Final[Mapping[str, Phase]] = {
    "initialize": "initialize",
    _DISCOVER: "initialize",
    "tools/list": "tools_list",
    "resources/list": "resources_list",
    "prompts/list": "prompts_list",
}
_STATUS: Final[Mapping[str | None, bool]] = {"error": True, "success": False}
_CALL_METHOD: Final = "tools/call"


def read(span: SpanValue) -> Meaning | None:
    """Return what a span says in these conventions, or None where it says nothing."""
    held = with_details(span)
    method = text(held, names.MCP_METHOD)
    if method is not None and method in _PHASES:
        return McpPhase(
            phase=_PHASES[method],
            side=_side(span),
            server=server(held),
            mcp_session=text(held, names.MCP_SESSION),
            error_type=error_type(span, held),
            rpc_code=rpc_code(held),
            inferred=_BY_DISCOVERY if method == _DISCOVER else None,
        )
    operation = text(held, names.OPERATION)
    if method == _CALL_METHOD or operation == "execute_tool":
        return _tool(span, held, is_mcp=method is not None)
    if method is not None or operation in _OTHER:
        return None
    if operation in _AGENT:
        inputs, outputs = _messages(span, held)
        name = text(held, names.AGENT_NAME, "gen_ai.workflow.name")
        return AgentRun(
            name,
            inputs,
            outputs,
            model=text(held, names.REQUEST_MODEL),
            tools=tools_of(held.get(names.TOOL_DEFINITIONS)) or _named(held),
            is_agent=operation == "invoke_agent",
        )
    if operation in _MODEL or _looks_like_model(held, span):
        return _model(span, held)
    return None


def with_details(span: SpanValue) -> Mapping[str, Any]:
    """Return a span's attributes with those of its event that tells the details."""
    held: Mapping[str, Any] = span.attributes
    for event in span.events:
        if event.name == _DETAILS:
            held = {**event.attributes, **held}
    return held


def operation_unknown(span: SpanValue) -> str | None:
    """Return the span's operation where it is none that this version knows."""
    operation = text(span.attributes, names.OPERATION)
    if operation is None or operation in _MODEL | _AGENT | _OTHER or operation == "execute_tool":
        return None
    return operation


def _looks_like_model(held: Mapping[str, Any], span: SpanValue) -> bool:
    if text(held, names.OPERATION) is not None or text(held, names.TOOL_NAME) is not None:
        return False
    speaks = names.OUTPUT_MESSAGES in held or any(event.name == _CHOICE for event in span.events)
    asks = names.REQUEST_MODEL in held or names.RESPONSE_MODEL in held
    return asks and (speaks or any(name in held for name in (*names.PROVIDER, names.RESPONSE_ID)))


def _named(held: Mapping[str, Any]) -> tuple[Tool, ...] | None:
    """Return the tools of an agent of which only the names are recorded."""
    listed = loaded(held.get("gen_ai.agent.tools"))
    if not isinstance(listed, list):
        return None
    return tuple(Tool(name=name) for name in listed if isinstance(name, str) and name)


def _side(span: SpanValue) -> ToolSide:
    return "server" if span.kind == "server" else "client"


def _tool(span: SpanValue, held: Mapping[str, Any], *, is_mcp: bool) -> ToolRun:
    run = ToolRun(
        side=_side(span) if is_mcp else "agent",
        name=text(held, names.TOOL_NAME),
        call_id=word(held, names.TOOL_CALL_ID),
        arguments=held.get(names.TOOL_ARGUMENTS, held.get("tool_arguments")),
        error_type=error_type(span, held),
        rpc_code=rpc_code(held) if is_mcp else None,
        server=server(held) if is_mcp else None,
        mcp_session=text(held, names.MCP_SESSION),
        request_id=word(held, *names.JSONRPC_ID),
        said_error=_STATUS.get(text(held, "gen_ai.tool.status")),
    )
    if run.name is None and span.name.startswith(("execute_tool ", "tools/call ")):
        run.name = span.name.split(" ", 1)[1].strip() or None
    for name in (names.TOOL_RESULT, "tool_response"):
        if name in held:
            run.has_result = True
            run.result, said = answer_of(held[name])
            run.said_error = said if run.said_error is None else run.said_error
            break
    _tool_events(run, span.events)
    return run


def _tool_events(run: ToolRun, events: Sequence[EventValue]) -> None:
    """Read what a tool was given and answered out of the events of its span."""
    for event in events:
        if event.name == "gen_ai.tool.message" and run.arguments is None:
            run.arguments = event.attributes.get("content")
            run.call_id = run.call_id or word(event.attributes, "id")
        elif event.name == _CHOICE and not run.has_result and "message" in event.attributes:
            run.has_result, run.result = True, jsonish(event.attributes["message"])


def _model(span: SpanValue, held: Mapping[str, Any]) -> ModelCall:
    inputs, outputs = _messages(span, held)
    reasons = loaded(held.get(names.FINISH_REASONS))
    if isinstance(reasons, list):
        reasons = reasons[0] if reasons else None
    elif reasons is None:
        reasons = held.get(names.FINISH_REASONS)
    spoken = next((one.finish_reason for one in outputs or () if one.finish_reason), None)
    chunk = number(held, names.FIRST_CHUNK)
    tools = tools_of(held.get(names.TOOL_DEFINITIONS))
    return ModelCall(
        request_model=text(held, names.REQUEST_MODEL),
        response_model=text(held, names.RESPONSE_MODEL),
        provider=text(held, *names.PROVIDER),
        response_id=text(held, names.RESPONSE_ID),
        temperature=number(held, names.TEMPERATURE),
        inputs=inputs,
        outputs=outputs,
        finish_reason=spoken or (reasons if isinstance(reasons, str) and reasons else None),
        input_tokens=count(held, *names.INPUT_TOKENS),
        output_tokens=count(held, *names.OUTPUT_TOKENS),
        total_tokens=count(held, *names.TOTAL_TOKENS),
        tools=tools,
        first_chunk_ms=None if chunk is None else chunk * 1000,
    )


def _messages(
    span: SpanValue, held: Mapping[str, Any]
) -> tuple[tuple[Spoken, ...] | None, tuple[Spoken, ...] | None]:
    inputs = spoken_list(held.get(names.INPUT_MESSAGES), "user")
    outputs = spoken_list(held.get(names.OUTPUT_MESSAGES), "assistant")
    system = _system(held.get(names.SYSTEM_INSTRUCTIONS))
    if inputs is None and outputs is None:
        inputs, outputs = of_events([*span.events, *_written(held.get("events"))])
    if inputs is None:
        inputs = _prompted(held.get("gen_ai.prompt"))
    if system is not None and not any(one.role == "system" for one in inputs or ()):
        inputs = (system, *(inputs or ()))
    return inputs, outputs


def _written(value: object) -> list[EventValue]:
    """Return events that an attribute holds as JSON, as some recorders write them."""
    held = loaded(value) if isinstance(value, str) else value
    found: list[EventValue] = []
    for item in held if isinstance(held, list) else ():
        name = item.get("event.name") if isinstance(item, dict) else None
        if isinstance(name, str):
            found.append(EventValue(name, None, item))
    return found


def _prompted(value: object) -> tuple[Spoken, ...] | None:
    """Return a request that stands whole in one attribute, as some recorders write it."""
    held = loaded(value) if isinstance(value, str) else None
    if isinstance(held, dict):
        held = held.get("messages")
    return spoken_list(held, "user") if isinstance(held, list) else None


def _system(value: object) -> Spoken | None:
    if value is None:
        return None
    held = loaded(value)
    if held is None:
        held = value
    if isinstance(held, list):
        return spoken_of({"role": "system", "parts": held})
    return spoken_of({"role": "system", "content": held}) if isinstance(held, str) else None


def of_events(
    events: Sequence[EventValue],
) -> tuple[tuple[Spoken, ...] | None, tuple[Spoken, ...] | None]:
    """Return what events say went into a model and came out of it, in the older form.

    Returns:
        Requests and responses; None for either where no event tells of it.
    """
    inputs: list[Spoken] = []
    outputs: list[Spoken] = []
    for event in events:
        if event.name in _MESSAGE_EVENTS:
            inputs.extend(_of_event(event, _MESSAGE_EVENTS[event.name]))
        elif event.name == _CHOICE:
            outputs.extend(_of_choice(event))
        elif event.name == _PROMPT:
            inputs.extend(spoken_list(event.attributes.get("gen_ai.prompt"), "user") or ())
        elif event.name == _COMPLETION:
            outputs.extend(
                spoken_list(event.attributes.get("gen_ai.completion"), "assistant") or ()
            )
    return tuple(inputs) or None, tuple(outputs) or None


def _of_event(event: EventValue, role: Role) -> list[Spoken]:
    held = event.attributes
    body = loaded(held.get("body"))
    message = {**held, **body} if isinstance(body, dict) else dict(held)
    if not any(name in message for name in ("content", "tool_calls", "parts")):
        return []
    named = message.get("role")
    # What a tool answered may be said by a message that has the name of the user's.
    message["role"] = named if isinstance(named, str) and named else role
    one = spoken_of(message, role)
    return [] if one is None else [one]


def _of_choice(event: EventValue) -> list[Spoken]:
    held = event.attributes
    body = loaded(held.get("body"))
    choice = {**held, **body} if isinstance(body, dict) else dict(held)
    finish = choice.get("finish_reason")
    message = jsonish(choice.get("message"))
    if isinstance(message, dict):
        inner = dict(message)
        inner.setdefault("tool_calls", choice.get("tool_calls"))
    else:
        content = message if message is not None else choice.get("content")
        inner = {"content": blocks_of(content), "tool_calls": choice.get("tool_calls")}
    inner["role"] = "assistant"
    inner.setdefault("finish_reason", finish)
    one = spoken_of(inner, "assistant")
    return [] if one is None else [one]
