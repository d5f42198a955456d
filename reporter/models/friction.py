"""Patterns of tool calls in one session, as a closed document."""

from typing import Any, Final

from reporter.models.value import value
from reporter.vocabulary import FrictionNotMeasuredReason, FrictionSignal, FrictionState

FRICTION_VERSION: Final = 1
"""Version of the contract."""


@value(frozen=True, slots=True)
class Surfaced:
    """A result gave identifiers, and no later call used one of them.

    Of `identifierSurfacedUnused`, and of `searchRepeatedAfterIdentifier`, which names the
    repeats instead of counting the later calls. No identifier is kept, only where it stood.
    """

    kind: FrictionSignal
    information_call_index: int
    observed_at_call_index: int
    tool_name: str
    tool_call_id: str | None
    """The id of the call that gave the identifiers; None where it has none."""
    identifier_key_paths: tuple[str, ...]
    identifier_count: int
    later_call_count: int | None = None
    """Of `identifierSurfacedUnused` alone."""
    repeat_call_indexes: tuple[int, ...] = ()
    """Of `searchRepeatedAfterIdentifier` alone."""

    @property
    def at(self) -> int:
        """Index of the call at which the pattern was complete."""
        return self.observed_at_call_index

    @property
    def since(self) -> int:
        """Index of the call that the pattern begins with."""
        return self.information_call_index

    def to_wire(self) -> dict[str, Any]:
        """Return the signal in wire form, keys in contract order."""
        made: dict[str, Any] = {
            "kind": self.kind.value,
            "informationCallIndex": self.information_call_index,
            "observedAtCallIndex": self.observed_at_call_index,
            "toolName": self.tool_name,
        }
        if self.tool_call_id is not None:
            made["toolCallId"] = self.tool_call_id
        if self.repeat_call_indexes:
            made["repeatCallIndexes"] = list(self.repeat_call_indexes)
        made["identifierKeyPaths"] = list(self.identifier_key_paths)
        made["identifierCount"] = self.identifier_count
        if self.later_call_count is not None:
            made["laterCallCount"] = self.later_call_count
        return made


@value(frozen=True, slots=True)
class Adjacent:
    """One tool was called twice in a row."""

    kind: FrictionSignal
    call_index: int
    prior_call_index: int
    tool_name: str
    after_error: bool | None = None
    """Whether the prior call's result was an error; None for `paginationContinuation`."""
    pagination_keys: tuple[str, ...] = ()
    """Of `paginationContinuation` alone."""

    @property
    def at(self) -> int:
        """Index of the call at which the pattern was complete."""
        return self.call_index

    @property
    def since(self) -> int:
        """Index of the call that the pattern begins with."""
        return self.prior_call_index

    def to_wire(self) -> dict[str, Any]:
        """Return the signal in wire form, keys in contract order."""
        made: dict[str, Any] = {
            "kind": self.kind.value,
            "callIndex": self.call_index,
            "priorCallIndex": self.prior_call_index,
            "toolName": self.tool_name,
        }
        if self.after_error is not None:
            made["afterError"] = self.after_error
        else:
            made["paginationKeys"] = list(self.pagination_keys)
        return made


@value(frozen=True, slots=True)
class FrictionDocument:
    """The patterns of one session, and which half of them could be measured.

    Rule: friction.md section 8.
    """

    state: FrictionState
    not_measured_reason: FrictionNotMeasuredReason | None
    """None where the state is measured."""
    call_count: int
    result_available_count: int
    timed_call_count: int
    identifiers_not_measured: FrictionNotMeasuredReason | None
    """Why no signal about identifiers could be measured; None where they were."""
    signals: tuple[Surfaced | Adjacent, ...] = ()
    """By the call at which each was complete."""

    def to_wire(self) -> dict[str, Any]:
        """Return the document in wire form, keys in contract order."""
        made: dict[str, Any] = {"version": FRICTION_VERSION, "state": self.state.value}
        if self.not_measured_reason is not None:
            made["notMeasuredReason"] = self.not_measured_reason.value
        reason = self.identifiers_not_measured
        identifiers: dict[str, str] = {"state": FrictionState.MEASURED.value}
        if reason is not None:
            identifiers = {"state": FrictionState.NOT_MEASURED.value, "reason": reason.value}
        return made | {
            "callCount": self.call_count,
            "resultAvailableCount": self.result_available_count,
            "timedCallCount": self.timed_call_count,
            "identifierSignals": identifiers,
            "signals": [signal.to_wire() for signal in self.signals],
        }
