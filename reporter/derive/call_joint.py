"""Tool calls and their results, joined by id from the parts and records that speak of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from reporter.models.records import ToolCallPart, ToolResultPart


@dataclass(slots=True)
class CallOutcome:
    """Everything that was recorded as the result of one call, joined.

    Filled while the records are read and not changed afterwards.
    """

    is_error: bool = False
    mcp_error_code: int | None = None
    error: str | None = None
    """The first error text that is not empty."""
    policy_blocked: bool = False
    answered_by_client: bool = False
    value: Any = None
    """What came back: a record's result before a part's and before a tool message's text."""
    error_recorded: bool = False
    """Some error mark of this result was recorded as such, not inferred."""
    error_rules: tuple[str, ...] = ()
    """Rules by which error marks were inferred."""
    ok_rules: tuple[str, ...] = ()
    """Rules by which the absence of an error was inferred."""
    at: int | None = None
    """When the result was recorded, in epoch milliseconds, or None."""
    seq: int | None = None
    """`seq` of the first record that speaks of the result; None where none gives one."""

    @property
    def from_server(self) -> bool:
        """False where nothing reached a server, so that the result shows nothing about one."""
        return not (self.policy_blocked or self.answered_by_client)

    @property
    def errored(self) -> bool:
        """The result carries an error flag, a protocol code or an error text."""
        return self.is_error or self.mcp_error_code is not None or self.error is not None


@dataclass(slots=True)
class JoinedCall:
    """One tool call, joined from parts and records.

    Filled while the records are read and not changed afterwards.
    """

    tool_call_id: str
    tool_name: str
    turn_index: int
    by_persona: bool
    args: Mapping[str, Any]
    from_record: bool
    """A `tool_call` record spoke, so what a message part says does not count."""
    at: int | None = None
    """When the call was recorded, in epoch milliseconds, or None."""
    seq: int | None = None
    """`seq` of the first record that names the call."""
    outcome: CallOutcome | None = None
    """None: no result was recorded."""

    @property
    def shows_a_server(self) -> bool:
        """The call's result is evidence about a server, and so has a span.

        False for a call without a result, for one that a policy stopped or the client
        answered by itself, and for the persona's.

        Rule: chain.md section 12.3, spans; recording.md section 4, who answered a call.
        """
        outcome = self.outcome
        return outcome is not None and outcome.from_server and not self.by_persona


@dataclass(slots=True)
class CallJoint:
    """Joins the calls of one session while its records are read, in file order.

    Rule: recording.md section 4.1.
    """

    calls: dict[str, JoinedCall] = field(default_factory=dict)
    """By id, in call order: the place of a call is that of whatever names it first."""
    outcomes: dict[str, CallOutcome] = field(default_factory=dict)
    """By id; a result may stand before its call."""

    def joined(self) -> list[JoinedCall]:
        """Return every call with its result, in call order; call this once, at the end."""
        calls = list(self.calls.values())
        for call in calls:
            call.outcome = self.outcomes.get(call.tool_call_id)
        return calls

    # Records come as the mappings of their fields: see `gather_evidence`.

    def call_part(self, message: Mapping[str, Any], part: ToolCallPart) -> None:
        """Take a call that stands inside a message."""
        if part.tool_call_id not in self.calls:
            self.calls[part.tool_call_id] = JoinedCall(
                tool_call_id=part.tool_call_id,
                tool_name=part.tool_name,
                turn_index=message["turn_index"],
                by_persona=message["role"] == "user",
                args=part.args,
                from_record=False,
                at=message["at"],
                seq=message["seq"],
            )

    def tool_call(self, record: Mapping[str, Any]) -> None:
        """Take a call's own record: where a part differs, the record counts."""
        call_id = record["tool_call_id"]
        known = self.calls.get(call_id)
        if known is None:
            self.calls[call_id] = JoinedCall(
                call_id,
                record["tool_name"],
                record["turn_index"],
                record["caller"] == "persona",
                record["args"],
                True,
                record["at"],
                record["seq"],
            )
        elif not known.from_record:
            known.tool_name = record["tool_name"]
            known.turn_index = record["turn_index"]
            known.by_persona = record["caller"] == "persona"
            known.args = record["args"]
            known.from_record = True
            known.at = record["at"] if record["at"] is not None else known.at

    def _outcome(self, call_id: str, seq: int | None) -> CallOutcome:
        outcome = self.outcomes.get(call_id)
        if outcome is None:
            outcome = self.outcomes[call_id] = CallOutcome(seq=seq)
        return outcome

    def tool_result(self, record: Mapping[str, Any]) -> None:
        """Take a result's own record."""
        outcome = self._outcome(record["tool_call_id"], record["seq"])
        outcome.at = record["at"] if outcome.at is None else outcome.at
        if record["result"] is not None:
            outcome.value = record["result"]
        if record["policy_blocked"]:
            outcome.policy_blocked = True
        if record["answered_by"] == "client":
            outcome.answered_by_client = True
        inferred = record["inferred"]
        if record["is_error"]:
            outcome.is_error = True
            _mark_error(outcome, inferred, "isError")
        elif inferred is not None and "isError" in inferred:
            outcome.ok_rules = (*outcome.ok_rules, inferred["isError"])
        code, error = record["mcp_error_code"], record["error"]
        if code is not None:
            if outcome.mcp_error_code is None:
                outcome.mcp_error_code = code
            _mark_error(outcome, inferred, "mcpErrorCode")
        if error:
            if outcome.error is None:
                outcome.error = error
            _mark_error(outcome, inferred, "error")

    def result_part(self, message: Mapping[str, Any], part: ToolResultPart) -> None:
        """Take a result that stands inside a message."""
        outcome = self._outcome(part.tool_call_id, message["seq"])
        outcome.at = message["at"] if outcome.at is None else outcome.at
        if outcome.value is None:
            outcome.value = part.result
        if part.is_error:
            outcome.is_error = True
            _mark_error(outcome, message["inferred"], "isError")

    def plain_result(self, call_id: str, text: str, seq: int | None) -> None:
        """Take the text of a tool message: a result without an error mark."""
        outcome = self._outcome(call_id, seq)
        if outcome.value is None:
            outcome.value = text


def _mark_error(
    outcome: CallOutcome,
    inferred: Mapping[str, str] | None,
    name: Literal["isError", "mcpErrorCode", "error"],
) -> None:
    rule = None if inferred is None else inferred.get(name)
    if rule is None:
        outcome.error_recorded = True
    elif rule not in outcome.error_rules:
        outcome.error_rules = (*outcome.error_rules, rule)
