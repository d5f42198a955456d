"""One session's chain: what goes into the analyzer and what comes out."""

from collections.abc import Sequence
from typing import Any, Final, Literal

from reporter.models.value import value
from reporter.vocabulary import FailureCategory, IterationStatus, Stage, StageReason, StageState

ANALYZER_VERSION: Final = 11
"""Version of the analyzer rules that `reporter.derive.chain` carries out."""


_PLACE: Final = {stage: place for place, stage in enumerate(Stage)}


@value(frozen=True, slots=True)
class StageEvidence:
    """What a stage row rests on; None means that the key is absent, which empty does not."""

    span_ids: tuple[str, ...] | None = None
    prompt_indexes: tuple[int | float, ...] | None = None
    predicate_reasons: tuple[str, ...] | None = None

    def to_wire(self) -> dict[str, Any]:
        """Return the evidence with the keys that are present, in contract order."""
        pairs = (
            ("spanIds", self.span_ids),
            ("promptIndexes", self.prompt_indexes),
            ("predicateReasons", self.predicate_reasons),
        )
        return {key: list(value) for key, value in pairs if value is not None}


@value(frozen=True, slots=True)
class StageRow:
    """What was learned about one stage."""

    stage: Stage
    state: StageState
    reason: StageReason | None = None
    """None only in a recorded chain that left it out."""
    evidence: StageEvidence | None = None

    def to_wire(self) -> dict[str, Any]:
        """Return the row in wire form, keys in the recorded order, absent keys absent."""
        row: dict[str, Any] = {"stage": self.stage.value, "state": self.state.value}
        if self.reason is not None:
            row["reason"] = self.reason.value
        if self.evidence is not None:
            row["evidence"] = self.evidence.to_wire()
        return row


@value(frozen=True, slots=True)
class Chain:
    """Six stage rows in stage order, and what follows from them."""

    rows: tuple[StageRow, ...]
    first_failed_stage: Stage | None = None
    failure_category: FailureCategory | None = None
    analyzer_version: int = ANALYZER_VERSION

    def row(self, stage: Stage) -> StageRow:
        """Return the row of one stage."""
        return self.rows[_PLACE[stage]]

    @property
    def is_unmeasured(self) -> bool:
        """True when no stage passed, failed or was cut off.

        Rule: findings.md section 4.4.
        """
        blank = (StageState.NOT_MEASURED, StageState.NOT_APPLICABLE)
        return all(row.state in blank for row in self.rows)


@value(frozen=True, slots=True)
class Authored:
    """What the case asks for (chain.md 3.1); a switch is on only when it is exactly true."""

    mode: Literal["model_driven", "model_free"]
    is_negative_test: bool | None = None
    expects_tool_call: bool | None = None
    expects_widget_render: bool | None = None
    assertion_count: int = 0
    has_user_ask: bool | None = None
    tool_expectation: Literal["required", "not_required", "open"] | None = None


@value(frozen=True, slots=True)
class Span:
    """The skeleton of one trace span."""

    id: str | None = None
    category: str | None = None
    status: str | None = None
    tool_name: str | None = None
    prompt_index: int | float | None = None
    mcp_error_code: int | float | None = None


@value(frozen=True, slots=True)
class TurnSummary:
    """What the tool-call matcher recorded about one turn; of the lists only emptiness counts."""

    prompt_index: int | float | None = None
    expected_tool_calls: bool = False
    missing: bool = False
    unexpected: bool = False
    argument_mismatches: bool = False
    passed: bool | None = None


@value(frozen=True, slots=True)
class PredicateRow:
    """The result of one authored check."""

    passed: bool | None = None
    reason: str | None = None
    status: str | None = None
    kind: str | None = None
    role: str | None = None


@value(frozen=True, slots=True)
class PhaseSignal:
    """How connecting or listing tools came out for the run."""

    outcome: Literal["ok", "failed"]
    attribution: str | None = None
    egress_verified: bool | None = None
    span_ids: tuple[str, ...] = ()


@value(frozen=True, slots=True)
class JudgeEvidence:
    """What a judge said."""

    status: str
    pending_kind: str | None = None
    verdict: str | None = None
    reasons: tuple[str, ...] = ()


@value(frozen=True, slots=True)
class MetadataAttribution:
    """Whether a judge blames the tool metadata for the selection."""

    status: str
    pending_kind: str | None = None
    attributed: bool | None = None
    reasons: tuple[str, ...] = ()


@value(frozen=True, slots=True)
class ChainEvidence:
    """What was captured (chain.md 3.2)."""

    spans: Sequence[Span] = ()
    trace_lacks_span_channel: bool = False
    trace_absent: bool = False
    prompts: Sequence[TurnSummary] = ()
    predicate_results: Sequence[PredicateRow] = ()
    tool_error_kinds: Sequence[str] = ()
    step_error_source: str | None = None
    render_statuses: Sequence[str | None] = ()
    tools_total_before: int | float | None = None
    connection_signal: PhaseSignal | None = None
    discovery_signal: PhaseSignal | None = None
    evaluator_errored: bool = False
    judge: JudgeEvidence | None = None
    metadata: MetadataAttribution | None = None


@value(frozen=True, slots=True)
class ChainInput:
    """Everything the analyzer reads."""

    authored: Authored
    evidence: ChainEvidence
    status: IterationStatus
    policy_blocked: bool = False
