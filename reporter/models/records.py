"""The session records of a native recording, one model a `type`, joined by that tag."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from reporter.models.wire import WireModel

Seq = Annotated[int, Field(ge=0)]
Count = Annotated[int, Field(ge=0)]


class TextPart(WireModel):
    """Words of a message."""

    kind: Literal["text"] = "text"
    text: str


class ToolCallPart(WireModel):
    """A tool call that stands inside a message."""

    kind: Literal["tool_call"] = "tool_call"
    tool_call_id: str
    tool_name: str
    args: dict[str, Any] = Field(default_factory=dict)


class ToolResultPart(WireModel):
    """A tool result that stands inside a message."""

    kind: Literal["tool_result"] = "tool_result"
    tool_call_id: str
    result: Any = None
    is_error: bool | None = None


class ImagePart(WireModel):
    """An image, by digest; its bytes are never recorded in line."""

    kind: Literal["image"] = "image"
    mime_type: str
    sha256: str
    bytes: Count


class OtherPart(WireModel):
    """Content of another kind, described in words."""

    kind: Literal["other"] = "other"
    note: str


Part = Annotated[
    TextPart | ToolCallPart | ToolResultPart | ImagePart | OtherPart, Field(discriminator="kind")
]


class BaseRecord(WireModel):
    """What every record has."""

    seq: Seq
    """Position in the session's file: greater than the one before; gaps are legal."""
    at: int | None = None
    """Epoch milliseconds, or None where no time was recorded."""
    session_id: str | None = None
    """The session, in the single-file form only."""
    inferred: dict[str, str] | None = None
    """Fields that were not recorded as such, each with the rule that gave them."""


class SessionStart(BaseRecord):
    """The session began."""

    type: Literal["session_start"] = "session_start"
    run_id: str
    target_id: str
    session_index: Count
    persona_name: str
    model_id: str | None = None
    provider: str | None = None
    max_turns: int | None = None


class SessionNotice(BaseRecord):
    """The runner said something about the session."""

    type: Literal["session_notice"] = "session_notice"
    kind: str
    message: str
    tool_id: str | None = None


class ConnectionFailure(WireModel):
    """What a failed connection phase answered."""

    code: int | str | None = None
    message: str


class Connection(BaseRecord):
    """One phase of reaching one server."""

    type: Literal["connection"] = "connection"
    phase: Literal["connect", "initialize", "tools_list", "resources_list", "prompts_list"]
    outcome: Literal["ok", "failed", "skipped"]
    server_id: str | None = None
    server_name: str | None = None
    error: ConnectionFailure | None = None
    attributable: Literal["server", "client", "network", "unknown"] = "unknown"
    egress_verified: bool | None = None
    duration_ms: float | None = None


class Tool(WireModel):
    """One entry of a tool catalogue."""

    name: str
    title: str | None = None
    description: str | None = None
    input_schema: dict[str, Any] | None = None
    output_schema: dict[str, Any] | None = None
    annotations: dict[str, Any] | None = None
    server_id: str | None = None
    visibility: list[Literal["model", "app"]] | None = None


class CatalogRecord(BaseRecord):
    """Tools that were listed in the session."""

    type: Literal["catalog"] = "catalog"
    catalog_id: str | None = None
    tools: list[Tool] | None = None
    complete: bool = False
    server_id: str | None = None
    view: Literal["model", "raw"] | None = None


class Message(BaseRecord):
    """One message of the conversation."""

    type: Literal["message"] = "message"
    index: Count
    """Zero-based position among the session's messages; what `m:<index>` cites."""
    turn_index: Count
    role: Literal["user", "assistant", "system", "tool"]
    author: Literal["persona", "assistant", "client", "tool"]
    content: str | list[Part]
    tool_call_id: str | None = None
    truncated: bool | None = None


class ToolCall(BaseRecord):
    """One tool call."""

    type: Literal["tool_call"] = "tool_call"
    turn_index: Count
    step_index: int | None = None
    tool_call_id: str
    tool_name: str
    args: dict[str, Any] = Field(default_factory=dict)
    server_id: str | None = None
    args_invalid: bool | None = None
    caller: Literal["assistant", "persona"] | None = None
    """Who called; absent reads as the assistant."""


class ResultSize(WireModel):
    """How large a result was."""

    bytes: Count
    basis: str | None = None
    complete: bool | None = None


class ToolResult(BaseRecord):
    """What came back for one tool call."""

    type: Literal["tool_result"] = "tool_result"
    tool_call_id: str
    result: Any = None
    is_error: bool | None = None
    mcp_error_code: int | None = None
    error: str | None = None
    truncated: bool | None = None
    duration_ms: float | None = None
    timing: Literal["span", "evidence"] | None = None
    size: ResultSize | None = None
    raw_bytes: int | None = None
    policy_blocked: bool | None = None
    answered_by: Literal["server", "client"] | None = None
    """Who answered; absent reads as the server."""


class Usage(WireModel):
    """Tokens of one step."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    total_tokens: int | None = None


class StepFinish(BaseRecord):
    """One step of the assistant's model ended."""

    type: Literal["step_finish"] = "step_finish"
    turn_index: Count
    step_number: int
    finish_reason: str | None = None
    usage: Usage | None = None
    model_id: str | None = None
    provider: str | None = None
    response_id: str | None = None
    ttfc_ms: float | None = None


class TurnStart(BaseRecord):
    """A turn began."""

    type: Literal["turn_start"] = "turn_start"
    turn_index: Count
    prompt: str | None = None


class TurnFinish(BaseRecord):
    """A turn ended."""

    type: Literal["turn_finish"] = "turn_finish"
    turn_index: Count
    prompt: str | None = None


class ErrorRecord(BaseRecord):
    """The runner reported an error."""

    type: Literal["error"] = "error"
    message: str
    details: Any = None
    turn_index: int | None = None
    code: int | str | None = None


class Capture(BaseRecord):
    """What the recorder could see."""

    type: Literal["capture"] = "capture"
    tool_results: Literal["complete", "partial", "absent"] | None = None
    tool_call_timings: Literal["complete", "partial", "absent"] | None = None
    tool_inventory: Literal["complete", "partial", "absent"] | None = None
    tool_declarations: Literal["complete", "partial", "absent"] | None = None


class WidgetRender(BaseRecord):
    """A widget was rendered, or was not."""

    type: Literal["widget_render"] = "widget_render"
    tool_name: str
    status: str
    elapsed_ms: float | None = None
    console_errors: list[str] | None = None
    tool_call_id: str | None = None
    server_id: str | None = None


class GoalJudge(BaseRecord):
    """The judge's word on the goal."""

    type: Literal["goal_judge"] = "goal_judge"
    status: Literal["running", "completed", "failed"]
    passed: bool | None = None
    score: float | None = Field(default=None, ge=0, le=1)
    threshold: float | None = None
    reason: str | None = None
    model: str | None = None
    error: str | None = None


class NotApplicable(WireModel):
    """Why a check had nothing to judge."""

    # `class` is a keyword of Python, so the alias is written out.
    class_: str | None = Field(default=None, alias="class")
    reason: str | None = None


class MatchCounts(WireModel):
    """What the matcher found of the expected calls of one turn, or of a whole session."""

    missing: Count
    """Expected calls that were not made."""
    unexpected: Count
    """Calls beside the expected ones, also those that were allowed."""
    argument_mismatches: Count
    """Expected calls that were made with other arguments."""


class CriterionResult(WireModel):
    """The result of one check."""

    criterion_id: str
    passed: bool
    status: Literal["scored", "error"] | None = None
    reason: str | None = None
    scope: Any = None
    predicate: dict[str, Any] | None = None
    not_applicable: NotApplicable | None = None
    match: MatchCounts | None = None
    """Of the result of expected calls: what it rests on, for the chain."""


class Criteria(BaseRecord):
    """Results of the run's checks."""

    type: Literal["criteria"] = "criteria"
    status: Literal["pending", "completed", "failed"]
    generation: int | None = None
    criterion_ids: list[str] | None = None
    results: list[CriterionResult] | None = None
    graded_at: int | None = None


class Grading(BaseRecord):
    """How far grading got."""

    type: Literal["grading"] = "grading"
    state: Literal["notRequested", "queued", "running", "settled", "unavailable"]
    reason_code: str | None = None


class SelfReport(BaseRecord):
    """The persona's own account."""

    type: Literal["self_report"] = "self_report"
    account: str
    feeling: str | None = None
    goal_reached: Literal["yes", "no", "partly", "unknown"] | None = None
    turn_index: int | None = None


class ChainRecord(BaseRecord):
    """A chain that the recorder already derived; validated in derive, not here."""

    type: Literal["chain"] = "chain"
    analyzer_version: Any = None
    stages: Any = None


class Readiness(BaseRecord):
    """What the runner counted of the session's tools."""

    type: Literal["readiness"] = "readiness"
    status: Literal["pending", "completed", "partial", "failed"]
    tool_call_count: int | None = None
    tool_error_count: int | None = None
    used_tool_count: int | None = None
    advertised_tool_count: int | None = None
    advertised_tools_known: bool | None = None
    hallucinated_tools: list[str] | None = None
    failing_tools: Any = None


class SuspectedConditionRecord(BaseRecord):
    """A suspicion that somebody recorded; advisory."""

    type: Literal["suspected_condition"] = "suspected_condition"
    signal: str
    condition: str
    confidence: str
    remediation: str | None = None
    judge: Any = None


EndReason = Literal["personaEnded", "turnCap", "error", "aborted", "rateLimited", "unknown"]


class SessionComplete(BaseRecord):
    """The session ended."""

    type: Literal["session_complete"] = "session_complete"
    status: Literal["succeeded", "failed", "rate_limited"]
    end_reason: EndReason = "unknown"
    error_code: str | None = None
    error_message: str | None = None
    turns_used: int | None = None


Record = Annotated[
    SessionStart
    | SessionNotice
    | Connection
    | CatalogRecord
    | Message
    | ToolCall
    | ToolResult
    | StepFinish
    | TurnStart
    | TurnFinish
    | ErrorRecord
    | Capture
    | WidgetRender
    | GoalJudge
    | Criteria
    | Grading
    | SelfReport
    | ChainRecord
    | Readiness
    | SuspectedConditionRecord
    | SessionComplete,
    Field(discriminator="type"),
]
"""Any record of a session file."""

RECORD: TypeAdapter[Record] = TypeAdapter(Record)
"""Validates one record, from a line's bytes or from a mapping."""
