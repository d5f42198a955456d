"""A session's tool calls as facts."""

from collections.abc import Sequence
from typing import Final

from reporter.derive.call_joint import CallOutcome, JoinedCall
from reporter.derive.excerpt import bounded, error_words
from reporter.models.facts import CallError, CallFact

_ERROR_CHARS: Final = 300


def call_facts(calls: Sequence[JoinedCall]) -> tuple[CallFact, ...]:
    """Return one fact a call, in call order, the persona's calls included.

    Rule: recording.md section 5, `toolCalls`.
    """
    return tuple(_fact(call) for call in calls)


def _fact(call: JoinedCall) -> CallFact:
    outcome = call.outcome
    error = _error(outcome)
    text = inferred = None
    if outcome is not None and error is not None:
        text = _error_text(outcome)
        if not outcome.error_recorded and outcome.error_rules:
            inferred = "; ".join(outcome.error_rules)
    return CallFact(
        tool_call_id=call.tool_call_id,
        tool_name=call.tool_name,
        turn_index=call.turn_index,
        caller="persona" if call.by_persona else "assistant",
        answered_by="client" if outcome is not None and outcome.answered_by_client else "server",
        policy_blocked=outcome is not None and outcome.policy_blocked,
        error=error,
        error_text=text,
        error_inferred=inferred,
        started_at=call.at,
        ended_at=None if outcome is None else outcome.at,
    )


def _error(outcome: CallOutcome | None) -> CallError | None:
    if outcome is None:
        return "noResult"
    if not outcome.from_server or not outcome.errored:
        return None
    return "isError" if outcome.mcp_error_code is None else "protocol"


def _error_text(outcome: CallOutcome) -> str | None:
    if outcome.error is not None:
        return bounded(outcome.error, _ERROR_CHARS)
    return error_words(outcome.value, _ERROR_CHARS)
