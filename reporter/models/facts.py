"""What one session came to: the only thing that folds, rows and views read of it."""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from reporter.errors import Problem
from reporter.identifiers import CriterionId, GoalId, RunId, SessionId, TargetId
from reporter.models.chain import Chain
from reporter.models.friction import FrictionDocument
from reporter.models.manifest import Attempt
from reporter.models.value import value
from reporter.models.verdict import SessionVerdict
from reporter.vocabulary import (
    CoverageNote,
    Disposition,
    FrictionReason,
    FrictionSignal,
    Lifecycle,
    ReadState,
    Signal,
    Stage,
    SuspectedCondition,
    SuspectedConditionConfidence,
)

CallError = Literal["isError", "protocol", "noResult"]
ConnectionWord = Literal["ok", "failedServer", "failedOther", "unknown"]
CriterionWord = Literal["passed", "failed", "error", "missing", "notApplicable"]


@value(frozen=True, slots=True)
class CallFact:
    """One tool call, joined with its result."""

    tool_call_id: str
    tool_name: str
    turn_index: int
    caller: Literal["assistant", "persona"] = "assistant"
    answered_by: Literal["server", "client"] = "server"
    policy_blocked: bool = False
    error: CallError | None = None
    """None also for a call that a policy blocked or the client answered."""
    error_text: str | None = None
    """The error in the server's words, bounded and masked; None where there are none."""
    error_inferred: str | None = None
    """The rule that made this an error, where the source did not mark it."""
    started_at: int | None = None
    """When the call was recorded, in epoch milliseconds; None where that is not known."""
    ended_at: int | None = None
    """When its result was recorded, in epoch milliseconds; None where that is not known."""

    @property
    def is_error(self) -> bool:
        """True where it came back with an error; false also where no result is on record."""
        return self.error in ("isError", "protocol")


@value(frozen=True, slots=True)
class SuspicionFact:
    """What somebody suspected behind a friction signal; recorded, never established here."""

    signal: FrictionSignal
    condition: SuspectedCondition
    """`unclear` where the suspicion was only a guess."""
    confidence: SuspectedConditionConfidence
    remediation: str | None
    """What was proposed, bounded and masked; None where nothing was."""


@value(frozen=True, slots=True)
class FinishFact:
    """Why one step of the assistant's model ended."""

    turn_index: int
    step_number: int
    reason: str | None
    """Normalised (findings.md 8); None where nothing usable was recorded."""


@value(frozen=True, slots=True)
class UsageFact:
    """Tokens of the whole session; a sum with a missing part is None."""

    input_tokens: int | None
    output_tokens: int | None
    total_tokens: int | None


@value(frozen=True, slots=True)
class ModelFact:
    """A model that answered in a session; None where a word was not recorded."""

    provider: str | None
    model_id: str | None


@value(frozen=True, slots=True)
class SignalMatch:
    """One signal that the session matches, with the turn it cites."""

    signal: Signal
    turn_index: int


@value(frozen=True, slots=True)
class CriterionFact:
    """One check of the session, in rubric order."""

    criterion_id: CriterionId
    label: str | None
    role: Literal["advisory", "required"]
    outcome: CriterionWord
    reason: str | None = None
    predicate_type: str | None = None
    inferred: str | None = None


@value(frozen=True, slots=True)
class JudgeFact:
    """The judge's last word, as recorded."""

    status: Literal["running", "completed", "failed"]
    passed: bool | None = None
    score: float | None = None
    threshold: float | None = None
    reason: str | None = None
    inferred: str | None = None
    """The rule that gave `passed`, where it was not recorded."""


@value(frozen=True, slots=True)
class ConnectionFact:
    """One connection record that failed."""

    phase: str
    server: str | None
    message: str | None
    code: str | None
    attributable: str
    egress_verified: bool | None
    recovered: bool
    """True: the same server answered later."""


@value(frozen=True, slots=True)
class SelfReportFact:
    """The persona's own account."""

    account: str
    feeling: str | None = None
    goal_reached: str | None = None


@value(frozen=True, slots=True)
class SessionFacts:
    """Everything derived from one session (recording.md section 5)."""

    session_id: SessionId
    run_id: RunId
    target_id: TargetId
    session_index: int
    persona_ref_id: str | None
    persona_name: str
    goal_id: GoalId
    goal_title: str

    attempt: Attempt | None
    """The manifest's, else the session's own last word, or None."""
    lifecycle: Lifecycle
    message_count: int
    has_transcript: bool
    started: bool
    started_by: Literal["messages", "refused", "lost"] | None
    """Which clause of findings.md 4.3 made it started; None when it did not start."""
    never_ran: bool
    read_state: ReadState | None
    """None for a session that did not start."""
    turns_used: int
    """Turns that the assistant answered: what the run's cap is compared with."""
    max_turns: int | None
    end_reason: str | None
    """As recorded, or None where nothing was."""
    verdict: SessionVerdict
    disposition: Disposition

    turns: int = 0
    """Turns that the persona began, one a message of theirs."""
    tool_calls: tuple[CallFact, ...] = ()
    """Every call in call order, the persona's included."""
    finish_reasons: tuple[FinishFact, ...] = ()
    usage: UsageFact | None = None
    models: tuple[ModelFact, ...] = ()
    """Distinct models that answered, in order, as the steps name them, else the session's start."""
    catalog_complete: bool = False
    catalog_tools: frozenset[str] | None = None
    """Names the session is judged by, or None where no catalogue is known."""
    connection: ConnectionWord = "unknown"
    connection_failures: tuple[ConnectionFact, ...] = ()
    has_connection_record: bool = False
    chain: Chain | None = None
    """None for a session that never started."""
    chain_source: Literal["recorded", "derived"] | None = None
    call_failure_stands: bool = False
    """The call stage failed and no recovery explains it away (findings.md 5)."""
    response_failure_stands: bool = False
    inferred_stages: Mapping[Stage, tuple[str, ...]] = field(default_factory=dict)
    """Stages whose row rests on an inferred field, with the rules."""
    signals: tuple[SignalMatch, ...] = ()
    """All matches in priority order; empty for a session that was not read."""
    signals_not_evaluated: tuple[Signal, ...] = ()
    """Signals that the recording cannot decide here (no complete catalogue, no turn cap)."""
    hallucinated_tools: tuple[str, ...] = ()
    """Names called that do not exist, in call order, each once."""
    friction: tuple[FrictionReason, ...] = ()
    """In contract order, for every started session whatever its verdict."""
    friction_signals: FrictionDocument | None = None
    """Patterns of the assistant's tool calls; None for a session that never started."""
    suspicions: tuple[SuspicionFact, ...] = ()
    """In the order of recording."""
    criteria: tuple[CriterionFact, ...] = ()
    judge: JudgeFact | None = None
    judge_policy_recorded: bool = False
    grading_recorded: bool = False
    report: SelfReportFact | None = None
    messages_loaded: int | None = None
    """Message records of any role that were loaded, which `m:<index>` may cite; None: unknown."""
    last_assistant_index: int | None = None
    """Message index of the last assistant message, or None."""
    first_words: str | None = None
    """The persona's first message, bounded and masked, or None."""
    notes: tuple[CoverageNote, ...] = ()
    """Coverage notes this session alone raises, in contract order."""
    problems: tuple[Problem, ...] = ()
    unknown_types: Mapping[str, int] = field(default_factory=dict)
    inferred: tuple[tuple[str, str], ...] = ()
    """Distinct (record type and field, rule) pairs, in order of first occurrence."""
    masked: Mapping[str, int] = field(default_factory=dict)
    """Secrets masked when the session was imported, by kind, each once."""
    started_at_ms: int | None = None
    ended_at_ms: int | None = None
    transcript_chars: int = 0
    file: str = ""
    sha256: str | None = None
    bytes: int = 0

    @property
    def is_graded(self) -> bool:
        """Started, with a verdict of passed or failed."""
        return self.started and self.verdict.verdict in ("passed", "failed")

    @property
    def is_read(self) -> bool:
        """Started, and everything recorded was loaded."""
        return self.read_state is ReadState.READ

    @property
    def is_lost(self) -> bool:
        """Started, and what is on record of its messages could not be loaded."""
        return self.read_state is ReadState.TRANSCRIPT_MISSING

    @property
    def signal_key(self) -> Signal | None:
        """The first matching signal in priority order, or None."""
        return self.signals[0].signal if self.signals else None

    @property
    def own_calls(self) -> list[CallFact]:
        """The tool calls of the assistant, in order; those of a simulated user are not."""
        return [call for call in self.tool_calls if call.caller == "assistant"]

    def rules_of(self, inferred: str) -> list[str]:
        """Return the rules by which a field was inferred, in order; none where it was recorded.

        Args:
            inferred: Record type and field, such as `tool_result.isError`.

        Rule: recording.md section 5a.
        """
        return [rule for name, rule in self.inferred if name == inferred]

    @property
    def failed_required(self) -> tuple[CriterionId, ...]:
        """Ids of the failed required criteria, in rubric order."""
        return tuple(
            fact.criterion_id
            for fact in self.criteria
            if fact.role == "required" and fact.outcome == "failed"
        )
