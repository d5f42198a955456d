"""The plan of a wave after every rule of the manifest was applied: what was to run."""

from collections.abc import Mapping
from dataclasses import field

from reporter.identifiers import CatalogId, GoalId, RunId, SessionId, TargetId
from reporter.models.manifest import Attempt, Goal, JudgePolicy, Persona, Run, Target
from reporter.models.records import Tool
from reporter.models.value import value

PersonaKey = tuple[str | None, str]
"""`personaRefId` and name; both must match."""


@value(frozen=True, slots=True)
class Catalog:
    """A tool catalogue; a derivation reads the names alone."""

    tools: frozenset[str]
    complete: bool
    """True only when the recording says that every page of every server was listed."""
    definitions: tuple[Tool, ...] = ()
    """The tools as they were declared, for checks that read schemas and annotations."""
    keeps: frozenset[str] | None = None
    """Fields of a tool that the source keeps at all, or None for all of them."""


@value(frozen=True, slots=True)
class PlannedSlot:
    """One session that was to run."""

    session_id: SessionId
    run_id: RunId
    target_id: TargetId
    session_index: int
    attempt: Attempt | None = None
    recorded: bool = False
    message_count: int | None = None
    """Messages the source says it recorded, or None where it does not say."""
    document_id: str | None = None
    inferred: Mapping[str, str] = field(default_factory=dict)
    masked: Mapping[str, int] = field(default_factory=dict)
    """Secrets masked in the session when it was imported, by kind."""
    listed: bool = True
    """False: planned, and not in the manifest's slot list; its session id is made up."""
    in_plan: bool = True
    """False: listed, and not what runs x targets x sessions per target hold."""


@value(frozen=True, slots=True)
class SessionContext:
    """What a session's derivation may know beside its own records."""

    slot: PlannedSlot
    run: Run
    persona: Persona
    goal: Goal
    target: Target
    judge: JudgePolicy | None = None
    """The run's policy, else the manifest's, or None where neither was recorded."""
    catalog: Catalog | None = None
    """The catalogue that the target names, or None."""
    catalogs: Mapping[CatalogId, Catalog] = field(default_factory=dict)
    """Every catalogue of the wave, for a session's records that name one by id."""


@value(frozen=True, slots=True)
class Plan:
    """Personas, goals, targets, runs and slots, resolved against each other."""

    wave_id: str
    name: str | None
    swarm_id: str | None
    created_at_ms: int | None
    finished_at_ms: int | None
    terminal: bool
    personas: tuple[Persona, ...]
    """In manifest order, then those that only runs name."""
    goals: tuple[Goal, ...]
    """In manifest order, then those that only runs name (the id serves as title)."""
    targets: tuple[Target, ...]
    """In manifest order; labels are unique among look-alikes."""
    runs: tuple[Run, ...]
    """In manifest order; `target_ids` name only known targets."""
    slots: tuple[PlannedSlot, ...]
    """Listed slots in manifest order, then the missing ones in run, target, index order."""
    catalogs: Mapping[CatalogId, Catalog] = field(default_factory=dict)
    judge: JudgePolicy | None = None
    """The manifest's own policy."""
    manifest_missing: bool = False
    """True: the wave was interrupted and has no manifest; configured slots are unknown."""

    def run_by_id(self) -> dict[RunId, Run]:
        """Return the runs by their id."""
        return {RunId(run.run_id): run for run in self.runs}

    def target_by_id(self) -> dict[TargetId, Target]:
        """Return the targets by their id."""
        return {TargetId(target.target_id): target for target in self.targets}

    def goal_by_id(self) -> dict[GoalId, Goal]:
        """Return the goals by their id."""
        return {GoalId(goal.journey_ref_id): goal for goal in self.goals}

    def persona_by_key(self) -> dict[PersonaKey, Persona]:
        """Return the personas by the pair that identifies them."""
        return {persona.key: persona for persona in self.personas}

    def contexts(self) -> list[SessionContext]:
        """Return one context a slot, in slot order."""
        runs, targets = self.run_by_id(), self.target_by_id()
        goals, personas = self.goal_by_id(), self.persona_by_key()
        found: list[SessionContext] = []
        for slot in self.slots:
            run, target = runs[slot.run_id], targets[slot.target_id]
            catalog = self.catalogs.get(CatalogId(target.catalog_id)) if target.catalog_id else None
            found.append(
                SessionContext(
                    slot=slot,
                    run=run,
                    persona=personas[(run.persona_ref_id, run.persona_name)],
                    goal=goals[GoalId(run.journey_ref_id)],
                    target=target,
                    judge=run.judge or self.judge,
                    catalog=catalog,
                    catalogs=self.catalogs,
                )
            )
        return found
