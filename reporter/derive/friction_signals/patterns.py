"""The patterns themselves: neighbours that repeat, and identifiers that nobody used."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from reporter.derive.friction_signals.calls import Call, is_before
from reporter.derive.friction_signals.ecmascript import by_code_unit
from reporter.derive.friction_signals.identifiers import is_used
from reporter.derive.friction_signals.limits import KEY_PATHS, PAGINATION_KEYS, REPEATS
from reporter.models.friction import Adjacent, Surfaced
from reporter.vocabulary import FrictionNotMeasuredReason, FrictionOrdering, FrictionSignal

_LEAST_UNUSED = 2
"""Later calls from which on an identifier counts as left unused."""


def adjacent_signals(calls: Sequence[Call]) -> Iterator[Adjacent]:
    """Yield one signal for every two neighbours that call the same tool.

    Neither results nor an ordering are needed.

    Rule: friction.md section 6.
    """
    for prior, call in pairwise(calls):
        if not call.name or call.name != prior.name:
            continue
        common = (call.index, prior.index, call.name)
        if call.canonical == prior.canonical:
            yield Adjacent(FrictionSignal.IDENTICAL_RETRY, *common, prior.is_error)
            continue
        pages = call.changed_pages(prior) if call.page_free == prior.page_free else ()
        if pages:
            kind = FrictionSignal.PAGINATION_CONTINUATION
            yield Adjacent(kind, *common, None, pages[:PAGINATION_KEYS])
        else:
            yield Adjacent(FrictionSignal.CHANGED_RETRY, *common, prior.is_error)


def identifier_gate(calls: Sequence[Call]) -> FrictionNotMeasuredReason | None:
    """Say why signals about identifiers cannot be measured, or None where they can.

    Rule: friction.md section 7, gate.
    """
    if not all(call.has_result for call in calls):
        return FrictionNotMeasuredReason.RESULTS_UNAVAILABLE
    orderings = {call.ordering for call in calls}
    if len(orderings) > 1 or FrictionOrdering.UNKNOWN in orderings:
        return FrictionNotMeasuredReason.ORDERING_UNKNOWN
    return None


def identifier_signals(calls: Sequence[Call]) -> Iterator[Surfaced]:
    """Yield the calls whose identifiers no later call made use of.

    A pattern whose last call stands before the call that it begins with, which calls that
    ran side by side can give, is left out: no index of it would be true.

    Rule: friction.md sections 7 and 12.
    """
    by_message = all(call.ordering is FrictionOrdering.MESSAGE_ORDER for call in calls)
    in_turn = by_message and _one_after_another(calls)
    for place, call in enumerate(calls):
        if not call.name or call.is_error:
            continue
        others = calls[place + 1 :] if by_message else calls
        later = (
            others
            if in_turn
            else [other for other in others if other is not call and is_before(call, other)]
        )
        if later and (found := _unused(call, later)):
            values, paths = found
            yield from _signals(call, later, len(values), paths)


def _one_after_another(calls: Sequence[Call]) -> bool:
    """Tell whether every call was answered before the next: then each was before all later ones."""
    last = -1
    for call in calls:
        if call.places is None or not last < call.places[0] <= call.places[1]:
            return False
        last = call.places[1]
    return True


def _unused(call: Call, later: Sequence[Call]) -> tuple[set[str], tuple[str, ...]] | None:
    """Return the identifiers of a result with their paths, or None when there is a use or none."""
    found = call.identifiers
    if not found:
        return None
    # No identifier goes over the line's end between two calls, which canonical text escapes.
    arguments = "\n".join([other.canonical for other in later])
    values = {value for value, _ in found}
    if any(is_used(value, arguments) for value in values):
        return None
    paths = sorted({path for _, path in found}, key=by_code_unit)
    return values, tuple(paths[:KEY_PATHS])


def _signals(
    call: Call, later: Sequence[Call], count: int, paths: tuple[str, ...]
) -> Iterator[Surfaced]:
    if len(later) >= _LEAST_UNUSED and later[-1].index > call.index:
        yield Surfaced(
            kind=FrictionSignal.IDENTIFIER_SURFACED_UNUSED,
            information_call_index=call.index,
            observed_at_call_index=later[-1].index,
            tool_name=call.name,
            tool_call_id=call.call_id,
            identifier_key_paths=paths,
            identifier_count=count,
            later_call_count=len(later),
        )
    repeats = [
        other.index
        for other in later
        if other.name == call.name and other.page_free != call.page_free
    ]
    if repeats and repeats[-1] > call.index:
        yield Surfaced(
            kind=FrictionSignal.SEARCH_REPEATED_AFTER_IDENTIFIER,
            information_call_index=call.index,
            observed_at_call_index=repeats[-1],
            tool_name=call.name,
            tool_call_id=call.call_id,
            identifier_key_paths=paths,
            identifier_count=count,
            repeat_call_indexes=tuple(repeats[:REPEATS]),
        )
