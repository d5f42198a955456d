"""One session's calls in, its friction document out."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from reporter.derive.call_joint import JoinedCall
from reporter.derive.friction_signals.calls import Call, call_of_wire
from reporter.derive.friction_signals.ecmascript import by_code_unit
from reporter.derive.friction_signals.limits import CALLS, SIGNALS
from reporter.derive.friction_signals.patterns import (
    adjacent_signals,
    identifier_gate,
    identifier_signals,
)
from reporter.models.friction import Adjacent, FrictionDocument, Surfaced
from reporter.vocabulary import (
    FrictionNotMeasuredReason,
    FrictionOrdering,
    FrictionSignal,
    FrictionState,
)

_PLACE: Final = {kind: place for place, kind in enumerate(FrictionSignal)}


def friction_of_wire(
    calls: Sequence[object],
    results: Mapping[str, Any],
    evidence_hole: FrictionNotMeasuredReason | None = None,
) -> FrictionDocument:
    """Derive the friction document of one trial's graded calls.

    Args:
        calls: The calls as graded, any JSON values.
        results: `{raw, startedAtMs?, settledAtMs?}` by call id.
        evidence_hole: A reason that the producer knows already, or None.

    Rule: friction.md section 2.
    """
    rows = [call_of_wire(index, raw, results) for index, raw in enumerate(calls)]
    return derive_friction(rows, evidence_hole)


def friction_of_session(calls: Sequence[JoinedCall], *, is_whole: bool) -> FrictionDocument:
    """Derive the friction document of a recorded session.

    The persona's own calls are not the assistant's and stand in no pattern. A call is timed
    where both its record and its result's carry a time; what happened within one millisecond
    is in the order of its records.

    Args:
        calls: Every call of the session, in call order.
        is_whole: False where part of the session could not be read.

    Rule: friction.md sections 2 and 5; recording.md section 4, who called.
    """
    own = [call for call in calls if not call.by_persona]
    hole = None if is_whole else FrictionNotMeasuredReason.EVIDENCE_INCOMPLETE
    return derive_friction([_row(index, call) for index, call in enumerate(own)], hole)


def _row(index: int, call: JoinedCall) -> Call:
    outcome = call.outcome
    raw = None
    if outcome is not None:
        errored = outcome.errored and outcome.from_server
        raw = {"result": outcome.value, "isError": True} if errored else {"result": outcome.value}
    return Call(
        index,
        call.tool_name,
        call.tool_call_id,
        call.args,
        raw=raw,
        has_result=outcome is not None,
        started=call.at,
        settled=None if outcome is None else outcome.at,
        places=_places(call),
    )


def _places(call: JoinedCall) -> tuple[int, int] | None:
    if call.seq is None or call.outcome is None or call.outcome.seq is None:
        return None
    return call.seq, call.outcome.seq


def derive_friction(
    calls: Sequence[Call], evidence_hole: FrictionNotMeasuredReason | None = None
) -> FrictionDocument:
    """Derive the friction document of one session.

    Rule: friction.md section 5.
    """
    reason = evidence_hole or _not_measured(calls)
    if reason is not None:
        return _document(calls, FrictionState.NOT_MEASURED, reason, reason, ())
    gate = identifier_gate(calls)
    found: list[Adjacent | Surfaced] = list(adjacent_signals(calls))
    if gate is None:
        found.extend(identifier_signals(calls))
    found.sort(key=_order)
    return _document(calls, FrictionState.MEASURED, None, gate, tuple(found[:SIGNALS]))


def _not_measured(calls: Sequence[Call]) -> FrictionNotMeasuredReason | None:
    if not calls:
        return FrictionNotMeasuredReason.NO_TOOL_CALLS
    if len(calls) > CALLS:
        return FrictionNotMeasuredReason.TRUNCATED
    try:
        for call in calls:
            _ = call.canonical
    except ValueError:
        return FrictionNotMeasuredReason.EVIDENCE_INCOMPLETE
    return None


def _order(signal: Adjacent | Surfaced) -> tuple[int, int, int, bytes]:
    return signal.at, _PLACE[signal.kind], signal.since, by_code_unit(signal.tool_name)


def _document(
    calls: Sequence[Call],
    state: FrictionState,
    reason: FrictionNotMeasuredReason | None,
    identifiers: FrictionNotMeasuredReason | None,
    signals: tuple[Adjacent | Surfaced, ...],
) -> FrictionDocument:
    return FrictionDocument(
        state=state,
        not_measured_reason=reason,
        call_count=len(calls),
        result_available_count=sum(1 for call in calls if call.has_result),
        timed_call_count=sum(1 for call in calls if call.ordering is FrictionOrdering.TIMED),
        identifiers_not_measured=identifiers,
        signals=signals,
    )
