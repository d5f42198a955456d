"""What a span says of an agent, in words of no dialect: who spoke, who called, what came back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from reporter.models.records import Tool

Role = Literal["system", "user", "assistant", "tool"]
ToolSide = Literal["agent", "client", "server"]
Phase = Literal["connect", "initialize", "tools_list", "resources_list", "prompts_list"]


@dataclass(frozen=True, slots=True)
class CallPart:
    """A call that the model asked for."""

    call_id: str | None
    name: str | None
    arguments: Any
    """An object, the text of one, or None where they were not captured."""


@dataclass(frozen=True, slots=True)
class ResultPart:
    """What a call came to, as the model was told."""

    call_id: str | None
    name: str | None
    value: Any
    is_error: bool | None = None


@dataclass(frozen=True, slots=True)
class NotePart:
    """Content that is no text, in words."""

    note: str


SpokenPart = str | CallPart | ResultPart | NotePart


@dataclass(frozen=True, slots=True)
class Spoken:
    """One message that a request or a response of a model held."""

    role: Role
    parts: tuple[SpokenPart, ...]
    finish_reason: str | None = None


@dataclass(slots=True)
class ModelCall:
    """One request to a model; what is None was not recorded."""

    request_model: str | None = None
    response_model: str | None = None
    provider: str | None = None
    response_id: str | None = None
    temperature: float | None = None
    inputs: tuple[Spoken, ...] | None = None
    outputs: tuple[Spoken, ...] | None = None
    finish_reason: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    total_tokens: int | None = None
    tools: tuple[Tool, ...] | None = None
    tools_whole: bool = True
    """Every tool that was offered is in `tools`, as far as can be told."""
    first_chunk_ms: float | None = None


@dataclass(slots=True)
class ToolRun:
    """One run of a tool, seen by the agent, by an MCP client or by an MCP server."""

    side: ToolSide
    name: str | None = None
    call_id: str | None = None
    arguments: Any = None
    has_result: bool = False
    result: Any = None
    said_error: bool | None = None
    """What the recorder said of the run in a field of its own, or None."""
    error_type: str | None = None
    rpc_code: int | None = None
    server: str | None = None
    mcp_session: str | None = None
    request_id: str | None = None


@dataclass(slots=True)
class AgentRun:
    """One run of an agent or a workflow."""

    name: str | None = None
    inputs: tuple[Spoken, ...] | None = None
    outputs: tuple[Spoken, ...] | None = None
    model: str | None = None
    tools: tuple[Tool, ...] | None = None
    """What the agent may call; its requests may tell it too."""
    is_agent: bool = True
    """False: a workflow, a task or a chain, which may hold agents."""


@dataclass(slots=True)
class McpPhase:
    """One step of an MCP client's connecting, or listing, with one server."""

    phase: Phase
    side: ToolSide
    server: str | None = None
    mcp_session: str | None = None
    error_type: str | None = None
    rpc_code: int | None = None
    tools: tuple[Tool, ...] | None = None
    """What the server listed, or None where that was not captured."""
    tools_whole: bool = False
    """The server said that there was no further page, and was asked for the first."""
    inferred: str | None = None
    """The rule, where the phase is not recorded as such."""


@dataclass(slots=True)
class Aside:
    """A guardrail or an evaluator: what happens in it is neither said nor done for the user."""

    kind: str


Meaning = ModelCall | ToolRun | AgentRun | McpPhase | Aside


@dataclass(slots=True)
class Told:
    """What one span came to, with all of it that a session may need."""

    trace_id: str
    span_id: str
    name: str
    start_ns: int | None
    end_ns: int | None
    is_error: bool
    is_ok: bool
    """The span was said to have gone well; false also where nothing was said."""
    message: str | None
    """What went wrong, in the recorder's words."""
    error_type: str | None
    meaning: Meaning
    file: str
    service: str | None
    scope: str | None


def fill(target: Meaning, other: Meaning) -> None:
    """Take over from another reading of the same span what the first left open."""
    if type(target) is not type(other):
        return
    for name in target.__dataclass_fields__:
        if name in ("side", "tools_whole", "is_agent", "has_result"):
            continue
        value = getattr(other, name)
        if getattr(target, name) is None and value is not None:
            setattr(target, name, value)
            if isinstance(target, ModelCall) and isinstance(other, ModelCall) and name == "tools":
                target.tools_whole = other.tools_whole
            if isinstance(target, ToolRun) and name == "result":
                target.has_result = True


def texts_of(spoken: Sequence[Spoken]) -> list[str]:
    """Return the texts of some messages."""
    return [part for one in spoken for part in one.parts if isinstance(part, str)]
