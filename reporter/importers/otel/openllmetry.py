"""OpenLLMetry, also called Traceloop: flattened prompts, and entities with input and output."""

from collections.abc import Mapping
from typing import Any, Final

from reporter.importers.otel import names
from reporter.importers.otel.meaning import (
    AgentRun,
    McpPhase,
    Meaning,
    ModelCall,
    Phase,
    Spoken,
    ToolRun,
)
from reporter.importers.otel.messages import (
    answer_of,
    loaded,
    spoken_list,
    spoken_of,
    tools_of,
    unflattened,
)
from reporter.importers.otel.read import count, error_type, number, text, word
from reporter.importers.otel.values import SpanValue

_FUNCTIONS: Final = "llm.request.functions"
_PROMPT: Final = "gen_ai.prompt"
_COMPLETION: Final = "gen_ai.completion"
_PHASES: Final[Mapping[str, Phase]] = {
    "initialize.mcp": "initialize",
    "tools/list.mcp": "tools_list",
    "resources/list.mcp": "resources_list",
    "prompts/list.mcp": "prompts_list",
}
_EXCHANGE: Final = (names.TRACELOOP_INPUT, names.TRACELOOP_OUTPUT)
_RUNS: Final = frozenset({"workflow", "agent", "task"})


def read(span: SpanValue) -> Meaning | None:
    """Return what a span says in this dialect, or None where it says nothing."""
    held = span.attributes
    phase = _PHASES.get(span.name)
    if phase is not None:
        return _phase(span, phase)
    kind = text(held, names.TRACELOOP_KIND)
    if kind == "tool":
        return _tool(span, held)
    if kind in _RUNS:
        return AgentRun(
            name=text(held, names.AGENT_NAME, names.TRACELOOP_NAME),
            inputs=_in(held.get(names.TRACELOOP_INPUT)),
            outputs=_out(held.get(names.TRACELOOP_OUTPUT)),
            is_agent=kind == "agent",
        )
    if text(held, "llm.request.type") in ("chat", "completion") or _has_prompts(held):
        return _model(held)
    return None


def _phase(span: SpanValue, phase: Phase) -> McpPhase:
    held = span.attributes
    found = McpPhase(
        phase=phase,
        side="server" if span.kind == "server" else "client",
        error_type=error_type(span, held),
    )
    asked, answer = (loaded(held.get(name)) for name in _EXCHANGE)
    if not isinstance(answer, dict):
        return found
    about = answer.get("serverInfo")
    if isinstance(about, dict):
        found.server = text(about, "name")
    if phase == "tools_list":
        found.tools = tools_of(answer.get("tools"))
        parameters = asked.get("params") if isinstance(asked, dict) else None
        is_first = isinstance(asked, dict) and not (parameters or {}).get("cursor")
        found.tools_whole = is_first and not answer.get("nextCursor")
    return found


def _has_prompts(held: Mapping[str, Any]) -> bool:
    return any(f"{prefix}.0.role" in held for prefix in (_PROMPT, _COMPLETION))


def _tool(span: SpanValue, held: Mapping[str, Any]) -> ToolRun:
    given = loaded(held.get(names.TRACELOOP_INPUT))
    name = text(held, names.TRACELOOP_NAME)
    arguments = given
    if isinstance(given, dict):
        inner = given.get("arguments", given.get("kwargs", given.get("inputs")))
        if isinstance(inner, dict):
            arguments = inner
        elif {"tool_name", "name"} & given.keys() and len(given) <= 2:  # noqa: PLR2004  the name and the arguments
            arguments = {}
    is_mcp = ".mcp" in (span.scope or "")
    run = ToolRun(
        side="client" if is_mcp else "agent",
        name=name or span.name.removesuffix(".tool") or None,
        call_id=word(held, names.TOOL_CALL_ID),
        arguments=arguments,
        error_type=error_type(span, held),
    )
    if names.TRACELOOP_OUTPUT in held:
        run.has_result = True
        run.result, run.said_error = answer_of(held[names.TRACELOOP_OUTPUT])
    return run


def _model(held: Mapping[str, Any]) -> ModelCall:
    outputs = _spoken(held, _COMPLETION, "assistant")
    flat = unflattened(held, _FUNCTIONS)
    tools = tools_of(flat) if flat else None
    return ModelCall(
        request_model=text(held, names.REQUEST_MODEL),
        response_model=text(held, names.RESPONSE_MODEL),
        provider=text(held, *names.PROVIDER),
        response_id=text(held, names.RESPONSE_ID),
        temperature=number(held, names.TEMPERATURE),
        inputs=_spoken(held, _PROMPT, "user"),
        outputs=outputs,
        finish_reason=next((one.finish_reason for one in outputs or () if one.finish_reason), None)
        or text(held, "llm.response.finish_reason", "gen_ai.response.finish_reason"),
        input_tokens=count(held, *names.INPUT_TOKENS),
        output_tokens=count(held, *names.OUTPUT_TOKENS),
        total_tokens=count(held, *names.TOTAL_TOKENS),
        tools=tools,
        tools_whole=tools is None or len(tools) == len(flat),
    )


def _spoken(held: Mapping[str, Any], prefix: str, role: str) -> tuple[Spoken, ...] | None:
    found: list[Spoken] = []
    for item in unflattened(held, prefix):
        if not isinstance(item, dict):
            continue
        message = dict(item)
        message.setdefault("role", role)
        one = spoken_of(message)
        if one is not None:
            found.append(one)
    return tuple(found) or None


def _in(value: object) -> tuple[Spoken, ...] | None:
    """Return what a run was given, where it holds messages or one text alone."""
    held = loaded(value)
    if isinstance(held, dict):
        inner = held.get("inputs", held)
        for name in ("messages", "contents"):
            spoken = spoken_list(inner.get(name)) if isinstance(inner, dict) else None
            if spoken:
                return spoken
        texts = _texts(held.get("args")) + _texts(held.get("kwargs"))
        if len(texts) == 1:
            return (Spoken("user", (texts[0],)),)
        return None
    return (Spoken("user", (value,)),) if held is None and isinstance(value, str) else None


def _out(value: object) -> tuple[Spoken, ...] | None:
    held = loaded(value)
    said = held if isinstance(held, str) else value if held is None else None
    return (Spoken("assistant", (said,)),) if isinstance(said, str) and said.strip() else None


def _texts(value: object) -> list[str]:
    items = value.values() if isinstance(value, dict) else value
    return [item for item in items if isinstance(item, str)] if items else []  # type: ignore[attr-defined]
