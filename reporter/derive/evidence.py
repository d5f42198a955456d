"""What one session's records hold, gathered in a single pass over them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from reporter.derive.finish import normalized_finish
from reporter.models.facts import FinishFact, UsageFact
from reporter.models.records import (
    BaseRecord,
    CatalogRecord,
    ChainRecord,
    Connection,
    Criteria,
    ErrorRecord,
    GoalJudge,
    Grading,
    Message,
    Readiness,
    SelfReport,
    SessionComplete,
    SessionNotice,
    SessionStart,
    StepFinish,
    TextPart,
    ToolCall,
    ToolCallPart,
    ToolResult,
    ToolResultPart,
    Usage,
)
from reporter.models.session import SessionRecording


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
    outcome: CallOutcome | None = None
    """None: no result was recorded."""


@dataclass(frozen=True, slots=True)
class SessionEvidence:
    """The records of one session, joined and counted."""

    calls: Sequence[JoinedCall]
    """In call order: the place of a call is that of its first part or record."""
    message_count: int
    """Messages that count: system messages do not."""
    last_assistant_index: int | None
    persona_text: str | None
    """The persona's first message that is not blank."""
    transcript_texts: Sequence[str]
    """Content strings and text parts of all messages, system messages included."""
    turns: frozenset[int]
    """Turns in which the assistant did something."""
    finishes: Sequence[FinishFact]
    usage: UsageFact | None
    connections: Sequence[Connection]
    catalogs: Sequence[CatalogRecord]
    start: SessionStart | None
    complete: SessionComplete | None
    """The last one."""
    goal_judge: GoalJudge | None
    criteria: Criteria | None
    grading: Grading | None
    chain: ChainRecord | None
    readiness: Readiness | None
    self_report: SelfReport | None
    notices: Sequence[SessionNotice]
    errors: Sequence[ErrorRecord]
    inferred: Sequence[tuple[str, str]]
    """Distinct (record type and field, rule) pairs, in order of first occurrence."""
    started_at_ms: int | None
    ended_at_ms: int | None

    @property
    def assistant_calls(self) -> list[JoinedCall]:
        """The calls of the assistant under test, in call order."""
        return [call for call in self.calls if not call.by_persona]


def gather_evidence(recording: SessionRecording) -> SessionEvidence:
    """Read a session's records once and join what belongs together.

    Contents are referred to, never copied.

    Rule: recording.md sections 4 and 4.1.
    """
    gathering = _Gathering()
    readers = _READERS
    first_at: int | None = None
    last_at: int | None = None
    for record in recording.records:
        reader = readers.get(type(record))
        if reader is not None:
            reader(gathering, record)
        if record.inferred is not None:
            gathering.note_inferred(record)
        at = record.at
        if at is not None:
            first_at = at if first_at is None or at < first_at else first_at
            last_at = at if last_at is None or at > last_at else last_at
    return gathering.evidence(first_at, last_at)


Reader = Any  # a function of the gathering and of one record type


@dataclass(slots=True)
class _Gathering:
    """The state of one pass."""

    calls: dict[str, JoinedCall] = field(default_factory=dict)
    outcomes: dict[str, CallOutcome] = field(default_factory=dict)
    message_count: int = 0
    last_assistant_index: int | None = None
    persona_text: str | None = None
    texts: list[str] = field(default_factory=list)
    turns: set[int] = field(default_factory=set)
    finishes: list[FinishFact] = field(default_factory=list)
    usages: list[Usage | None] = field(default_factory=list)
    connections: list[Connection] = field(default_factory=list)
    catalogs: list[CatalogRecord] = field(default_factory=list)
    notices: list[SessionNotice] = field(default_factory=list)
    errors: list[ErrorRecord] = field(default_factory=list)
    start: SessionStart | None = None
    last: dict[type[BaseRecord], Any] = field(default_factory=dict)
    inferred: dict[tuple[str, str], None] = field(default_factory=dict)

    def message(self, record: Message) -> None:
        role = record.role
        if role != "system":
            self.message_count += 1
            if role == "assistant":
                self.last_assistant_index = record.index
                self.turns.add(record.turn_index)
        content = record.content
        if isinstance(content, str):
            self.texts.append(content)
            if role == "tool" and record.tool_call_id is not None:
                self._plain_result(record.tool_call_id, content)
            elif role == "user" and self.persona_text is None:
                self._persona_text(record, content)
        else:
            self._parts(record, content)

    def _parts(self, record: Message, parts: Sequence[Any]) -> None:
        words: list[str] = []
        holds_result = False
        for part in parts:
            kind = type(part)
            if kind is TextPart:
                words.append(part.text)
            elif kind is ToolCallPart:
                self._call_part(record, part)
            elif kind is ToolResultPart:
                holds_result = True
                self._result_part(record, part)
        self.texts.extend(words)
        if record.role == "tool" and record.tool_call_id is not None and not holds_result:
            self._plain_result(record.tool_call_id, "\n".join(words))
        elif record.role == "user" and self.persona_text is None and words:
            self._persona_text(record, "\n".join(words))

    def _persona_text(self, record: Message, text: str) -> None:
        if record.author == "persona" and not text.isspace() and text:
            self.persona_text = text

    def _call_part(self, record: Message, part: ToolCallPart) -> None:
        if part.tool_call_id not in self.calls:
            self.calls[part.tool_call_id] = JoinedCall(
                tool_call_id=part.tool_call_id,
                tool_name=part.tool_name,
                turn_index=record.turn_index,
                by_persona=record.role == "user",
                args=part.args,
                from_record=False,
            )

    def tool_call(self, record: ToolCall) -> None:
        known = self.calls.get(record.tool_call_id)
        if known is None:
            self.calls[record.tool_call_id] = JoinedCall(
                tool_call_id=record.tool_call_id,
                tool_name=record.tool_name,
                turn_index=record.turn_index,
                by_persona=record.caller == "persona",
                args=record.args,
                from_record=True,
            )
        elif not known.from_record:
            known.tool_name = record.tool_name
            known.turn_index = record.turn_index
            known.by_persona = record.caller == "persona"
            known.args = record.args
            known.from_record = True

    def _outcome(self, call_id: str) -> CallOutcome:
        outcome = self.outcomes.get(call_id)
        if outcome is None:
            outcome = self.outcomes[call_id] = CallOutcome()
        return outcome

    def tool_result(self, record: ToolResult) -> None:
        outcome = self._outcome(record.tool_call_id)
        if record.result is not None:
            outcome.value = record.result
        if record.policy_blocked:
            outcome.policy_blocked = True
        if record.answered_by == "client":
            outcome.answered_by_client = True
        inferred = record.inferred
        if record.is_error:
            outcome.is_error = True
            _mark_error(outcome, inferred, "isError")
        elif inferred is not None and "isError" in inferred:
            outcome.ok_rules = (*outcome.ok_rules, inferred["isError"])
        if record.mcp_error_code is not None:
            if outcome.mcp_error_code is None:
                outcome.mcp_error_code = record.mcp_error_code
            _mark_error(outcome, inferred, "mcpErrorCode")
        if record.error:
            if outcome.error is None:
                outcome.error = record.error
            _mark_error(outcome, inferred, "error")

    def _result_part(self, record: Message, part: ToolResultPart) -> None:
        outcome = self._outcome(part.tool_call_id)
        if outcome.value is None:
            outcome.value = part.result
        if part.is_error:
            outcome.is_error = True
            _mark_error(outcome, record.inferred, "isError")

    def _plain_result(self, call_id: str, text: str) -> None:
        outcome = self._outcome(call_id)
        if outcome.value is None:
            outcome.value = text

    def step_finish(self, record: StepFinish) -> None:
        self.turns.add(record.turn_index)
        self.usages.append(record.usage)
        self.finishes.append(
            FinishFact(
                turn_index=record.turn_index,
                step_number=record.step_number,
                reason=normalized_finish(record.finish_reason),
            )
        )

    def session_start(self, record: SessionStart) -> None:
        if self.start is None:
            self.start = record

    def connection(self, record: Connection) -> None:
        self.connections.append(record)

    def catalog(self, record: CatalogRecord) -> None:
        self.catalogs.append(record)

    def notice(self, record: SessionNotice) -> None:
        self.notices.append(record)

    def error(self, record: ErrorRecord) -> None:
        self.errors.append(record)

    def keep_last(self, record: BaseRecord) -> None:
        self.last[type(record)] = record

    def note_inferred(self, record: Any) -> None:  # noqa: ANN401  any record; each has a `type`
        for name, rule in record.inferred.items():
            self.inferred.setdefault((f"{record.type}.{name}", rule))

    def evidence(self, first_at: int | None, last_at: int | None) -> SessionEvidence:
        outcomes, turns = self.outcomes, self.turns
        calls = list(self.calls.values())
        for call in calls:
            call.outcome = outcomes.get(call.tool_call_id)
            if not call.by_persona:
                turns.add(call.turn_index)
        last = self.last
        return SessionEvidence(
            calls=calls,
            message_count=self.message_count,
            last_assistant_index=self.last_assistant_index,
            persona_text=self.persona_text,
            transcript_texts=self.texts,
            turns=frozenset(turns),
            finishes=self.finishes,
            usage=_usage(self.usages),
            connections=self.connections,
            catalogs=self.catalogs,
            start=self.start,
            complete=last.get(SessionComplete),
            goal_judge=last.get(GoalJudge),
            criteria=last.get(Criteria),
            grading=last.get(Grading),
            chain=last.get(ChainRecord),
            readiness=last.get(Readiness),
            self_report=last.get(SelfReport),
            notices=self.notices,
            errors=self.errors,
            inferred=tuple(self.inferred),
            started_at_ms=first_at,
            ended_at_ms=last_at,
        )


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


def _usage(usages: Sequence[Usage | None]) -> UsageFact | None:
    """Add up the tokens of all steps; what one step lacks, the sum lacks.

    Rule: recording.md section 5, `usage`.
    """
    known = [usage for usage in usages if usage is not None]
    if not known:
        return None
    whole = len(known) == len(usages)
    return UsageFact(
        input_tokens=_sum([usage.input_tokens for usage in known]) if whole else None,
        output_tokens=_sum([usage.output_tokens for usage in known]) if whole else None,
        total_tokens=_sum([usage.total_tokens for usage in known]) if whole else None,
    )


def _sum(parts: Sequence[int | None]) -> int | None:
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None


# By exact class: `isinstance` on a pydantic model costs more than the reading itself.
_READERS: Final[Mapping[type[Any], Reader]] = {
    Message: _Gathering.message,
    ToolCall: _Gathering.tool_call,
    ToolResult: _Gathering.tool_result,
    StepFinish: _Gathering.step_finish,
    SessionStart: _Gathering.session_start,
    Connection: _Gathering.connection,
    CatalogRecord: _Gathering.catalog,
    SessionNotice: _Gathering.notice,
    ErrorRecord: _Gathering.error,
    SessionComplete: _Gathering.keep_last,
    GoalJudge: _Gathering.keep_last,
    Criteria: _Gathering.keep_last,
    Grading: _Gathering.keep_last,
    ChainRecord: _Gathering.keep_last,
    Readiness: _Gathering.keep_last,
    SelfReport: _Gathering.keep_last,
}
