"""What one session's records hold, gathered in a single pass over them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from reporter.derive.call_joint import CallJoint, CallOutcome, JoinedCall
from reporter.derive.finish import normalized_finish
from reporter.models.facts import FinishFact, ModelFact, UsageFact
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
    SuspectedConditionRecord,
    TextPart,
    ToolCall,
    ToolCallPart,
    ToolResult,
    ToolResultPart,
    Usage,
)
from reporter.models.session import SessionRecording
from reporter.models.value import value


@value(frozen=True, slots=True)
class SessionEvidence:
    """The records of one session, joined and counted."""

    calls: Sequence[JoinedCall]
    """In call order: the place of a call is that of its first part or record."""
    answered: Sequence[tuple[JoinedCall, CallOutcome]]
    """Those that show something about a server, each with its outcome."""
    messages_loaded: int
    """Messages of any role."""
    message_count: int
    """Messages that count: system messages do not."""
    persona_messages: int
    """Messages of role user: each begins a turn."""
    last_assistant_index: int | None
    persona_text: str | None
    """The persona's first message that is not blank."""
    transcript_texts: Sequence[str]
    """Content strings and text parts of all messages, system messages included."""
    turns: frozenset[int]
    """Turns in which the assistant did something."""
    finishes: Sequence[FinishFact]
    usage: UsageFact | None
    models: tuple[ModelFact, ...]
    """Distinct, in order: of the steps, else of the session's start."""
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
    suspicions: Sequence[SuspectedConditionRecord]
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
    joint, readers, message = gathering.joint, _READERS, gathering.message
    first_at: int | None = None
    last_at: int | None = None
    # Every report pays for this once a record. An attribute of a pydantic model costs four
    # times what an entry of its mapping does; a kind is told by its exact class, because
    # `isinstance` asks the metaclass.
    for record in recording.records:
        kind, values = type(record), record.__dict__
        if kind is Message:
            message(values)
        elif kind is ToolCall:
            joint.tool_call(values)
        elif kind is ToolResult:
            joint.tool_result(values)
        elif kind in readers:
            readers[kind](gathering, record)
        inferred, at = values["inferred"], values["at"]
        if inferred is not None:
            gathering.note_inferred(values["type"], inferred)
        if at is not None:
            first_at = at if first_at is None or at < first_at else first_at
            last_at = at if last_at is None or at > last_at else last_at
    return gathering.evidence(first_at, last_at)


# The same few in every session.
@lru_cache(maxsize=1024)
def inferred_pair(kind: str, name: str, rule: str) -> tuple[str, str]:
    """Return what is said of an inferred field: the record type and the field, and the rule."""
    return f"{kind}.{name}", rule


@dataclass(slots=True)
class _Gathering:
    """The state of one pass."""

    joint: CallJoint = field(default_factory=CallJoint)
    roles: list[str] = field(default_factory=list)
    """Of every message."""
    last_assistant_index: int | None = None
    persona_text: str | None = None
    texts: list[str] = field(default_factory=list)
    turns: set[int] = field(default_factory=set)
    finishes: list[FinishFact] = field(default_factory=list)
    usages: list[Usage | None] = field(default_factory=list)
    models: dict[tuple[str | None, str | None], None] = field(default_factory=dict)
    """Provider and model of every step that names one of them."""
    connections: list[Connection] = field(default_factory=list)
    catalogs: list[CatalogRecord] = field(default_factory=list)
    notices: list[SessionNotice] = field(default_factory=list)
    errors: list[ErrorRecord] = field(default_factory=list)
    suspicions: list[SuspectedConditionRecord] = field(default_factory=list)
    start: SessionStart | None = None
    last: dict[type[BaseRecord], Any] = field(default_factory=dict)
    inferred: dict[tuple[str, str, str], None] = field(default_factory=dict)
    """Record type, field and rule."""

    def message(self, values: Mapping[str, Any]) -> None:
        role, content = values["role"], values["content"]
        self.roles.append(role)
        if role == "assistant":
            self.last_assistant_index = values["index"]
            self.turns.add(values["turn_index"])
        if not isinstance(content, str):
            self._parts(values, content)
            return
        self.texts.append(content)
        if role == "tool":
            call_id = values["tool_call_id"]
            if call_id is not None:
                self.joint.plain_result(call_id, content, values["seq"])
        elif role == "user" and self.persona_text is None:
            self._persona_text(values, content)

    def _parts(self, values: Mapping[str, Any], parts: Sequence[Any]) -> None:
        words: list[str] = []
        holds_result = False
        for part in parts:
            kind = type(part)
            if kind is TextPart:
                words.append(part.text)
            elif kind is ToolCallPart:
                self.joint.call_part(values, part)
            elif kind is ToolResultPart:
                holds_result = True
                self.joint.result_part(values, part)
        self.texts.extend(words)
        role, call_id = values["role"], values["tool_call_id"]
        if role == "tool" and call_id is not None and not holds_result:
            self.joint.plain_result(call_id, "\n".join(words), values["seq"])
        elif role == "user" and self.persona_text is None and words:
            self._persona_text(values, "\n".join(words))

    def _persona_text(self, values: Mapping[str, Any], text: str) -> None:
        if values["author"] == "persona" and not text.isspace() and text:
            self.persona_text = text

    def step_finish(self, record: StepFinish) -> None:
        self.turns.add(record.turn_index)
        self.usages.append(record.usage)
        if record.model_id is not None or record.provider is not None:
            self.models[record.provider, record.model_id] = None
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

    def suspicion(self, record: SuspectedConditionRecord) -> None:
        self.suspicions.append(record)

    def keep_last(self, record: BaseRecord) -> None:
        self.last[type(record)] = record

    def note_inferred(self, kind: str, inferred: Mapping[str, str]) -> None:
        for name, rule in inferred.items():
            self.inferred[kind, name, rule] = None

    def _models(self) -> tuple[ModelFact, ...]:
        if self.models:
            return tuple([_model(*one) for one in self.models])
        start = self.start
        if start is None or (start.model_id is None and start.provider is None):
            return ()
        return (_model(start.provider, start.model_id),)

    def evidence(self, first_at: int | None, last_at: int | None) -> SessionEvidence:
        calls = self.joint.joined()
        turns = self.turns
        turns.update([call.turn_index for call in calls if not call.by_persona])
        last, roles = self.last, self.roles
        return SessionEvidence(
            calls=calls,
            answered=[
                (call, outcome)
                for call in calls
                if (outcome := call.outcome) is not None and call.shows_a_server
            ],
            messages_loaded=len(roles),
            message_count=len(roles) - roles.count("system"),
            persona_messages=roles.count("user"),
            last_assistant_index=self.last_assistant_index,
            persona_text=self.persona_text,
            transcript_texts=self.texts,
            turns=frozenset(turns),
            finishes=self.finishes,
            usage=_usage(self.usages),
            models=self._models(),
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
            suspicions=self.suspicions,
            inferred=tuple([inferred_pair(*one) for one in self.inferred]),
            started_at_ms=first_at,
            ended_at_ms=last_at,
        )


# The same few in every session of a wave.
@lru_cache(maxsize=256)
def _model(provider: str | None, model_id: str | None) -> ModelFact:
    return ModelFact(provider, model_id)


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


_READERS: Final[Mapping[type[Any], Callable[[_Gathering, Any], None]]] = {
    StepFinish: _Gathering.step_finish,
    SessionStart: _Gathering.session_start,
    Connection: _Gathering.connection,
    CatalogRecord: _Gathering.catalog,
    SessionNotice: _Gathering.notice,
    ErrorRecord: _Gathering.error,
    SuspectedConditionRecord: _Gathering.suspicion,
    SessionComplete: _Gathering.keep_last,
    GoalJudge: _Gathering.keep_last,
    Criteria: _Gathering.keep_last,
    Grading: _Gathering.keep_last,
    ChainRecord: _Gathering.keep_last,
    Readiness: _Gathering.keep_last,
    SelfReport: _Gathering.keep_last,
}
