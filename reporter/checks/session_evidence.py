"""A recorded session as the evidence that checks read.

Rule: checks.md section 13.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from reporter.checks.evidence import (
    Call,
    Capture,
    Evidence,
    Result,
    Timing,
    Tool,
    ToolError,
    Usage,
    Widget,
)
from reporter.checks.response import compact
from reporter.checks.text import trimmed
from reporter.derive.call_joint import CallOutcome, JoinedCall
from reporter.derive.evidence import SessionEvidence, gather_evidence
from reporter.identifiers import CatalogId
from reporter.models import records as models
from reporter.models.plan import Catalog, SessionContext
from reporter.models.session import SessionRecording

_CHANNELS: Final = ("tool_results", "tool_call_timings", "tool_inventory", "tool_declarations")
_WIRE: Final = {
    "tool_results": "toolResults",
    "tool_call_timings": "toolCallTimings",
    "tool_inventory": "toolInventory",
    "tool_declarations": "toolDeclarations",
}


def evidence_of_session(
    context: SessionContext,
    recording: SessionRecording,
    gathered: SessionEvidence | None = None,
) -> Evidence:
    """Gather what checks may read of one recorded session.

    A call that a policy stopped is left out everywhere, the persona's calls are not the
    assistant's, and what a client answered by itself shows nothing about a server.

    Args:
        context: The session's place.
        recording: What could be read of it.
        gathered: What its records were joined to, where a caller has done that already.

    Returns:
        The evidence; a channel that nobody looked at is absent, never empty.
    """
    gathered = gathered or gather_evidence(recording)
    kept = assistant_calls(gathered)
    own = _own_records(recording.records)
    timings = _timings(kept, own)
    listing = _listing(context, gathered)
    prefix = context.target.tool_name_prefix or ""
    messages = [one for one in recording.records if isinstance(one, models.Message)]
    return Evidence(
        calls=[call_of(call, own.invalid) for call in kept],
        errors=[error for call in kept if (error := error_of(call)) is not None],
        final_message=final_message(messages),
        usage=_usage(gathered),
        turn_count=sum(one.role == "user" for one in messages) if messages else None,
        widgets=[
            widget_of(one) for one in recording.records if isinstance(one, models.WidgetRender)
        ]
        or None,
        results=_results(kept, own),
        timings=timings,
        inventory=[
            _tool(tool, prefix)
            for tool in listing.seen
            if tool.visibility is None or "model" in tool.visibility
        ],
        declarations=[_tool(tool, "") for tool in listing.declared]
        if listing.declared or listing.declared_whole
        else None,
        declared_fields=listing.fields,
        captured=_captured(recording, kept, timings, listing),
    )


class _Own:
    """The records that calls and results have for themselves, by call id."""

    def __init__(self) -> None:
        self.results: dict[str, models.ToolResult] = {}
        self.invalid: set[str] = set()


def _own_records(records: Sequence[models.Record]) -> _Own:
    own = _Own()
    for record in records:
        if isinstance(record, models.ToolResult):
            own.results.setdefault(record.tool_call_id, record)
        elif isinstance(record, models.ToolCall) and record.args_invalid:
            own.invalid.add(record.tool_call_id)
    return own


def assistant_calls(gathered: SessionEvidence) -> list[JoinedCall]:
    """Return the calls that checks read: the assistant's, but for those that a policy stopped."""
    return [
        call
        for call in gathered.calls
        if not call.by_persona and not (call.outcome is not None and call.outcome.policy_blocked)
    ]


def call_of(call: JoinedCall, invalid: Container[str]) -> Call:
    """Return a call as checks read it.

    Args:
        call: The call with its result.
        invalid: Ids of calls whose recorded arguments were no object.
    """
    is_invalid = call.tool_call_id in invalid
    return Call(call.tool_name, {} if is_invalid else call.args, call.tool_call_id, is_invalid)


def error_of(call: JoinedCall) -> ToolError | None:
    """Return the error of a call that a server answered with one; None for any other."""
    outcome = call.outcome
    if outcome is None or outcome.answered_by_client or not outcome.errored:
        return None
    kind = "content-error" if outcome.mcp_error_code is None else "protocol-error"
    message = outcome.error or payload_of(outcome.value)[0]
    return ToolError(kind, call.tool_name, message or None, call.tool_call_id)


def payload_of(value: object) -> tuple[str | None, dict[str, Any]]:
    """Return the text of a recorded result, and its structured content or JSON value.

    Rule: checks.md section 13, result payload.
    """
    if isinstance(value, str):
        return value, {}
    if isinstance(value, Mapping) and isinstance(value.get("content"), list):
        parts = [
            part["text"]
            for part in value["content"]
            if isinstance(part, Mapping)
            and part.get("type", "text") == "text"
            and isinstance(part.get("text"), str)
        ]
        more = {"structured": value["structuredContent"]} if "structuredContent" in value else {}
        return ("\n".join(parts) if parts else None), more
    return None, {} if value is None else {"json": value}


def _results(calls: Iterable[JoinedCall], own: _Own) -> list[Result]:
    found = []
    for call in calls:
        outcome = call.outcome
        if outcome is None or outcome.answered_by_client or outcome.value is None:
            continue
        found.append(_result(call, outcome, own.results.get(call.tool_call_id)))
    return found


def _result(call: JoinedCall, outcome: CallOutcome, record: models.ToolResult | None) -> Result:
    text, more = payload_of(outcome.value)
    truncated = bool(record and record.truncated)
    size = record.size if record else None
    return Result(
        tool_name=call.tool_name,
        text=text,
        truncated=truncated,
        bytes=size.bytes if size else len(compact(outcome.value).encode("utf-8", "replace")),
        basis=size.basis if size else "raw_result",
        size_complete=bool(size.complete) if size else not truncated,
        call_id=call.tool_call_id,
        **more,
    )


def _timings(calls: Iterable[JoinedCall], own: _Own) -> list[Timing]:
    timed = ((call, own.results.get(call.tool_call_id)) for call in calls)
    return [
        Timing(call.tool_name, record.duration_ms, call.tool_call_id)
        for call, record in timed
        if record is not None and record.duration_ms is not None
    ]


def final_message(messages: Sequence[models.Message]) -> str | None:
    """Return the text of the last assistant message; never an earlier one's.

    Rule: checks.md section 3, final assistant message.
    """
    last = next((one for one in reversed(messages) if one.role == "assistant"), None)
    if last is None:
        return None
    text = (
        last.content
        if isinstance(last.content, str)
        else "".join(part.text for part in last.content if isinstance(part, models.TextPart))
    )
    return text if trimmed(text) else None


def _usage(gathered: SessionEvidence) -> Usage | None:
    usage = gathered.usage
    if usage is None:
        return None
    parts = (usage.input_tokens, usage.output_tokens, usage.total_tokens)
    return Usage(*parts) if any(part is not None for part in parts) else None


@dataclass(frozen=True, slots=True)
class _Listing:
    """The tools that were listed: as the model saw them, and as the servers declared them."""

    seen: Sequence[models.Tool] = ()
    seen_whole: bool = False
    declared: Sequence[models.Tool] = ()
    declared_whole: bool = False
    fields: frozenset[str] | None = None
    """Fields of a tool that the source keeps, or None for all of them."""


def _listing(context: SessionContext, gathered: SessionEvidence) -> _Listing:
    """Return what was listed; a list that is said to be one of both says nothing of the other."""
    if not gathered.catalogs:
        catalog = context.catalog
        if catalog is None:
            return _Listing()
        tools, whole = list(catalog.definitions), catalog.complete
        return _Listing(tools, whole, tools, whole, catalog.keeps)
    seen = [one for one in gathered.catalogs if one.view != "raw"]
    declared = [one for one in gathered.catalogs if one.view != "model"]
    return _Listing(
        *_joined(context, seen, once=True),
        *_joined(context, declared, once=False),
        _fields(context, declared),
    )


def _fields(
    context: SessionContext, records: Sequence[models.CatalogRecord]
) -> frozenset[str] | None:
    """Return the fields that every one of the lists keeps, or None where all keep all."""
    kept = [
        catalog.keeps
        for record in records
        if record.tools is None
        and (catalog := _named(context, record)) is not None
        and catalog.keeps is not None
    ]
    return frozenset.intersection(*kept) if kept else None


def _joined(
    context: SessionContext, records: Sequence[models.CatalogRecord], *, once: bool
) -> tuple[list[models.Tool], bool]:
    """Return the tools of several lists, and whether that is all of them.

    Args:
        context: Holds the catalogues that a list may name by id.
        records: The lists; a later one of a server that was listed before adds what is new.
        once: Whether a name twice in one list is one tool, as it is to a model.
    """
    found: list[models.Tool] = []
    known: set[tuple[str, str]] = set()
    is_whole = bool(records)
    for record in records:
        listed = _tools_of(context, record)
        if listed is None:
            is_whole = False
            continue
        is_whole = is_whole and record.complete
        before = frozenset(known)
        for tool in listed:
            key = (tool.server_id or record.server_id or "", tool.name)
            if key not in (known if once else before):
                found.append(
                    tool
                    if tool.server_id or not record.server_id
                    else tool.model_copy(update={"server_id": record.server_id})
                )
            known.add(key)
    return found, is_whole and _every_server(context, records, known)


def _every_server(
    context: SessionContext,
    records: Sequence[models.CatalogRecord],
    known: Iterable[tuple[str, str]],
) -> bool:
    """Tell whether no server of the target is missing, as far as lists name their servers."""
    listed = {record.server_id for record in records} | {server for server, _ in known}
    for wanted in (context.target.server_ids, context.target.server_names):
        if wanted and not listed.isdisjoint(wanted):
            return listed.issuperset(wanted)
    return True


def _tools_of(
    context: SessionContext, record: models.CatalogRecord
) -> Sequence[models.Tool] | None:
    if record.tools is not None:
        return record.tools
    named = _named(context, record)
    return None if named is None else named.definitions


def _named(context: SessionContext, record: models.CatalogRecord) -> Catalog | None:
    return context.catalogs.get(CatalogId(record.catalog_id or "")) or (
        context.catalog if record.catalog_id == context.target.catalog_id else None
    )


def _tool(tool: models.Tool, prefix: str) -> Tool:
    more: dict[str, Any] = {}
    if tool.input_schema is not None:
        more["input_schema"] = tool.input_schema
    return Tool(
        name=tool.name if prefix and tool.name.startswith(prefix) else prefix + tool.name,
        description=tool.description,
        output_schema=tool.output_schema,
        annotations=tool.annotations,
        server=tool.server_id or "",
        **more,
    )


def widget_of(record: models.WidgetRender) -> Widget:
    """Return one try to show a widget as checks read it."""
    return Widget(
        record.tool_name,
        record.status,
        record.elapsed_ms,
        tuple(record.console_errors or ()),
    )


def _captured(
    recording: SessionRecording,
    calls: Sequence[JoinedCall],
    timings: Sequence[Timing],
    listing: "_Listing",
) -> dict[str, Capture]:
    """Say how far each channel was captured: as declared, else as the records show it."""
    shown: dict[str, Capture] = {
        "tool_results": _share(len(calls), sum(call.outcome is not None for call in calls)),
        "tool_call_timings": _share(len(calls), len(timings)),
        "tool_inventory": "complete" if listing.seen_whole else "absent",
        "tool_declarations": "complete" if listing.declared_whole else "absent",
    }
    declared = next(
        (one for one in reversed(recording.records) if isinstance(one, models.Capture)), None
    )
    said = {channel: getattr(declared, channel, None) or shown[channel] for channel in _CHANNELS}
    if recording.damaged:
        said = dict.fromkeys(_CHANNELS, "partial")
    return {_WIRE[channel]: state for channel, state in said.items()}


def _share(calls: int, rows: int) -> Capture:
    if rows >= calls:
        return "complete"
    return "partial" if rows else "absent"
