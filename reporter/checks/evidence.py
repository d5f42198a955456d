"""What a check reads: one session's evidence, and how far each channel of it was captured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

Capture = Literal["complete", "partial", "absent"]
"""`absent`: nobody looked; `partial`: looked, and a cap bit; `complete`: no row was dropped."""

_MISSING: Final = object()


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the assistant."""

    tool_name: str
    arguments: Mapping[str, Any]
    call_id: str | None = None
    args_invalid: bool = False
    """The recorded arguments were no object; `arguments` are empty in their place."""


@dataclass(frozen=True, slots=True)
class ToolError:
    """One call that failed."""

    kind: str
    tool_name: str | None = None
    message: str | None = None
    call_id: str | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What one call returned."""

    tool_name: str
    text: str | None = None
    truncated: bool = False
    """The kept text is not all of it; the size is still the whole one's."""
    structured: Any = _MISSING
    json: Any = _MISSING
    bytes: float | None = None
    basis: str | None = None
    size_complete: bool = False
    call_id: str | None = None

    @property
    def has_structured(self) -> bool:
        """Whether structured content was returned, null included."""
        return self.structured is not _MISSING

    @property
    def has_json(self) -> bool:
        """Whether a JSON value other than an MCP result was returned."""
        return self.json is not _MISSING


@dataclass(frozen=True, slots=True)
class Timing:
    """How long one call took."""

    tool_name: str
    duration_ms: float
    call_id: str | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as the model saw it, or as its server declared it."""

    name: str
    description: Any = None
    input_schema: Any = _MISSING
    output_schema: Any = None
    annotations: Mapping[str, Any] | None = None
    server: str = ""
    """The server's key; empty where none is known."""

    @property
    def has_input_schema(self) -> bool:
        """Whether the tool declares what it takes."""
        return self.input_schema is not _MISSING


@dataclass(frozen=True, slots=True)
class Widget:
    """One try to show a widget."""

    tool_name: str
    status: str
    elapsed_ms: float | None = None
    console_errors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of the session; None where a number was not recorded."""

    input_tokens: float | None = None
    output_tokens: float | None = None
    total_tokens: float | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything a check may read of one session.

    Rule: checks.md section 3.
    """

    calls: Sequence[Call] = ()
    errors: Sequence[ToolError] = ()
    final_message: str | None = None
    """The text of the last assistant message; None where it has none."""
    usage: Usage | None = None
    turn_count: float | None = None
    widgets: Sequence[Widget] | None = None
    """None: nobody looked."""
    results: Sequence[Result] = ()
    timings: Sequence[Timing] = ()
    inventory: Sequence[Tool] = ()
    """What the model was shown."""
    declarations: Sequence[Tool] | None = None
    """What the servers declared; None where that was not kept."""
    declared_fields: frozenset[str] | None = None
    """Fields that the source keeps of a declaration, by their JSON names; None for all."""
    captured: Mapping[str, Capture] = field(default_factory=dict)
    """State of `toolResults`, `toolCallTimings`, `toolInventory` and `toolDeclarations`."""

    def capture(self, channel: str) -> Capture:
        """Return how far a channel was captured."""
        return self.captured.get(channel, "absent")

    def calls_to(self, tool_name: str | None) -> list[Call]:
        """Return the calls of one tool, or all of them.

        Rule: checks.md section 4.1.
        """
        return [call for call in self.calls if tool_name in (None, call.tool_name)]

    def tool(self, name: str) -> Tool | None:
        """Return a tool of the inventory, or None for one that it does not hold."""
        return next((tool for tool in self.inventory if tool.name == name), None)


def evidence_of_wire(raw: Mapping[str, Any]) -> Evidence:
    """Read a transcript in wire form.

    Rule: checks.md section 3.
    """
    usage = raw.get("usage")
    widgets = raw.get("renderObservations")
    declarations = raw.get("toolDeclarations")
    return Evidence(
        calls=[
            Call(one["toolName"], one.get("arguments") or {}, one.get("toolCallId"))
            for one in raw.get("toolCalls", ())
        ],
        errors=[
            ToolError(one["kind"], one.get("toolName"), one.get("message"), one.get("toolCallId"))
            for one in raw.get("toolErrors", ())
        ],
        final_message=raw.get("finalAssistantMessage"),
        usage=None
        if usage is None
        else Usage(usage.get("inputTokens"), usage.get("outputTokens"), usage.get("totalTokens")),
        turn_count=raw.get("turnCount"),
        widgets=None if widgets is None else [_widget(one) for one in widgets],
        results=[_result(one) for one in raw.get("toolResults", ())],
        timings=[
            Timing(one["toolName"], one["durationMs"], one.get("toolCallId"))
            for one in raw.get("toolCallTimings", ())
        ],
        inventory=[tool_of_wire(one) for one in raw.get("toolInventory", ())],
        declarations=None if declarations is None else [tool_of_wire(one) for one in declarations],
        captured=raw.get("capture", {}),
    )


def tool_of_wire(raw: Mapping[str, Any]) -> Tool:
    """Read one entry of an inventory or of a list of declarations."""
    annotations = raw.get("annotations")
    return Tool(
        name=raw["name"],
        description=raw.get("description"),
        input_schema=raw.get("inputSchema", _MISSING),
        output_schema=raw.get("outputSchema"),
        annotations=annotations if isinstance(annotations, Mapping) else None,
        server=str(raw.get("serverKey") or ""),
    )


def _result(raw: Mapping[str, Any]) -> Result:
    size = raw.get("size") or {}
    return Result(
        tool_name=raw["toolName"],
        text=raw.get("text"),
        truncated=raw.get("truncated") is True,
        structured=raw.get("structuredContent", _MISSING),
        json=raw.get("json", _MISSING),
        bytes=size.get("bytes"),
        basis=size.get("basis"),
        size_complete=size.get("complete") is True,
        call_id=raw.get("toolCallId"),
    )


def _widget(raw: Mapping[str, Any]) -> Widget:
    return Widget(
        raw["toolName"],
        raw["status"],
        raw.get("elapsedMs"),
        tuple(raw.get("consoleErrors") or ()),
    )
