"""Findings: the rows of the full set, and the document that carries them on the wire."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field

from reporter.identifiers import TargetId
from reporter.models.wire import StrictWireModel
from reporter.vocabulary import (
    Basis,
    ChainStageBasis,
    CoverageNote,
    Disposition,
    ScopeLevel,
    Signal,
    Stage,
    StageState,
    SummaryKind,
    Tone,
    Verdict,
    WiderFact,
)


def _not_empty(text: str) -> str:
    # A constraint of pydantic's own would also refuse lone surrogates.
    if not text:
        raise ValueError("is empty")
    return text


class PersonaIdentity(StrictWireModel):
    """Who; empty strings and null where the scope may not name one."""

    persona_ref_id: str | None
    name: str


class GoalIdentity(StrictWireModel):
    """Which task, as this wave ran it."""

    run_id: str
    journey_ref_id: str
    title: str


class TargetIdentity(StrictWireModel):
    """Against what."""

    kind: Literal["environment", "host"]
    id: str
    label: str
    model_id: str | None


class RowPopulation(StrictWireModel):
    """How many of how many; a total of zero is "not measured"."""

    count: int = Field(ge=0)
    total: int = Field(ge=0)
    unit: Literal["sessions"] = "sessions"


class Population(StrictWireModel):
    """The counts of the whole wave."""

    configured: int = Field(ge=0)
    started: int = Field(ge=0)
    read: int = Field(ge=0)
    unread: int = Field(ge=0)
    withdrawn: int = Field(ge=0)
    limited: int = Field(ge=0)
    graded: int = Field(ge=0)


class ReportExcerpt(StrictWireModel):
    """What happened in one session, cited, and the persona's own words, uncited."""

    actual: str
    account: str | None = None
    citations: list[str]


class Finding(StrictWireModel):
    """One finding, with every session id and citation it has."""

    id: Annotated[str, AfterValidator(_not_empty)]
    basis: Basis
    scope_level: ScopeLevel
    persona: PersonaIdentity
    goal: GoalIdentity
    target: TargetIdentity
    population: RowPopulation
    session_ids: list[str]
    citations: list[str]
    verdict_seen: Verdict
    chain_stage: Stage | None
    chain_stage_state: StageState | None
    chain_stage_basis: ChainStageBasis
    disposition: Disposition
    tone: Tone
    coverage_notes: list[CoverageNote]
    outcome_phrase: str | None
    mechanism_phrase: str | None
    fix_phrase: str | None
    report_excerpt: ReportExcerpt | None
    mechanism_id: str | None
    signal: Signal | None = None


class PersonaRollup(StrictWireModel):
    """How one persona came out."""

    persona: PersonaIdentity
    disposition: Disposition
    tone: Tone
    goal_run_ids: list[str]


class Disclosure(StrictWireModel):
    """What was sent to a model, and through what."""

    rail: Literal["gateway", "openrouter"]
    evidence_sent: list[str]


class Verification(StrictWireModel):
    """What became of a model's proposals."""

    proposed: int = Field(ge=0)
    confirmed: int = Field(ge=0)
    rejected: int = Field(ge=0)
    unverified: int = Field(ge=0)
    omitted: int = Field(ge=0)


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding of the full set, with what the wire has no place for."""

    finding: Finding
    order: Literal[1, 2, 3, 4, 5]
    """The list it stands in: mechanism, goal outcome, signal, session report, wider fact."""
    target_id: TargetId | None = None
    """The target's own id, which the wire does not carry; None where none is named."""
    fact: WiderFact | None = None
    """Which wider fact a row of list 5 states."""
    others: tuple[tuple[Disposition, int], ...] = ()
    """For a goal outcome row: the cell's other dispositions and their sessions, contract order."""
    by_model: bool = False
    """For a session report: True where a model wrote its `actual`, not the recorded judge."""
    account_by_model: bool = False
    """For a session report: True where a model may have written its `account` as well. Only a
    published document leaves that open; what is derived here holds recorded words alone."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a model that was asked contributes to the findings of a wave."""

    mechanisms: tuple[FindingRow, ...] = ()
    """Rows of verified mechanisms, list 1, in any order."""
    reports: tuple[FindingRow, ...] = ()
    """Session reports that it wrote, list 4, in any order."""
    verification: Verification | None = None
    """What became of its proposals, or None where it was not asked for any."""
    disclosure: Disclosure = field(
        default_factory=lambda: Disclosure(rail="gateway", evidence_sent=[])
    )
    extraction_model: str = ""
    """The model that was asked for accounts of sessions; empty where none was."""
    reasoning_model: str = ""
    """The model that was asked for explanations; empty where none was."""
    unanalysed: int = 0
    """Sessions of candidate groups for which it gave no usable answer."""


NO_ANALYSIS: Final = Analysis()
"""No model was asked."""


@dataclass(frozen=True, slots=True)
class FindingSet:
    """All findings of a wave, uncapped, and the envelope over them."""

    generated_at_ms: int
    source_revision: str
    summary_kind: SummaryKind
    population: Population
    coverage_notes: tuple[CoverageNote, ...]
    personas: tuple[PersonaRollup, ...]
    rows: tuple[FindingRow, ...]
    """In list order, 1 to 5, and inside a list in the order of findings.md 12."""
    disclosure: Disclosure
    pipeline_version: int = 1
    extraction_version: int = 1
    extraction_model: str = ""
    reasoning_model: str = ""
    verification: Verification | None = None
    candidate_groups: int = 0
    """Groups of sessions whose cause nobody analysed, or that were analysed (findings.md 9.4)."""
    note_sessions: Mapping[CoverageNote, int] = field(default_factory=dict)
    """How many sessions (or slots, or explanations) each coverage note touches."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that a document breaks, and where."""

    rule: str
    """`S1` to `S11`, `A1` to `A9`, `P1`, `P2`, or `contract`."""
    row_id: str | None
    """The row, or None for the envelope."""
    what: str
    checkable: bool = True
    """False: the rule needs a recording and there is none, so it was not checked."""
