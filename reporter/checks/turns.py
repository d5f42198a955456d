"""The evidence of one turn alone.

Rule: checks.md section 2.4.
"""

from typing import Any

from reporter.checks.evidence import Evidence, Widget
from reporter.checks.session_evidence import (
    assistant_calls,
    call_of,
    error_of,
    final_message,
    widget_of,
)
from reporter.derive.evidence import SessionEvidence
from reporter.models import records as models
from reporter.models.session import SessionRecording

MOST_TURNS = 200
"""Turns that a run may have."""


def turn_scope(turn: int) -> dict[str, Any]:
    """Return the scope of a check of one turn in wire form.

    Args:
        turn: Zero-based.
    """
    return {"kind": "turn", "promptIndex": turn}


def turns_of(recording: SessionRecording, gathered: SessionEvidence) -> frozenset[int]:
    """Return the zero-based turns that something was said or called in."""
    said = {
        one.turn_index
        for one in recording.records
        if isinstance(one, models.Message) and one.role != "system"
    }
    return frozenset(said | {call.turn_index for call in assistant_calls(gathered)})


def evidence_of_turn(recording: SessionRecording, gathered: SessionEvidence, turn: int) -> Evidence:
    """Gather what checks may read of one turn: its calls, errors, text and widgets alone.

    Args:
        recording: What could be read of the session.
        gathered: What its records were joined to.
        turn: Zero-based; one of `turns_of`.
    """
    invalid = {
        one.tool_call_id
        for one in recording.records
        if isinstance(one, models.ToolCall) and one.args_invalid
    }
    calls = [call for call in assistant_calls(gathered) if call.turn_index == turn]
    messages = [
        one
        for one in recording.records
        if isinstance(one, models.Message) and one.turn_index == turn
    ]
    turn_by_call = {call.tool_call_id: call.turn_index for call in gathered.calls}
    return Evidence(
        calls=[call_of(call, invalid) for call in calls],
        errors=[error for call in calls if (error := error_of(call)) is not None],
        final_message=final_message(messages),
        widgets=_widgets(recording, turn_by_call, turn) or None,
    )


def _widgets(recording: SessionRecording, turn_by_call: dict[str, int], turn: int) -> list[Widget]:
    """Return a turn's widgets: by the call they belong to, else by where they stand."""
    found: list[Widget] = []
    now = 0
    for record in recording.records:
        if isinstance(record, models.Message | models.ToolCall):
            now = record.turn_index
        elif isinstance(record, models.WidgetRender):
            own = turn_by_call.get(record.tool_call_id or "", now)
            if own == turn:
                found.append(widget_of(record))
    return found
