"""A wave's sessions by cell, persona and target, grouped once for everything that counts them."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from reporter.findings.coverage import Coverage, capped_slots, coverage_of, sum_coverage
from reporter.identifiers import GoalId, RunId, TargetId
from reporter.models.facts import SessionFacts
from reporter.models.finding import GoalIdentity, PersonaIdentity, TargetIdentity
from reporter.models.manifest import Run, Target
from reporter.models.plan import PersonaKey, Plan

NOBODY = PersonaIdentity(persona_ref_id=None, name="")
"""The persona of a row that may not name one."""

NO_GOAL = GoalIdentity(run_id="", journey_ref_id="", title="")
"""The goal of a row that may not name one."""

NO_TARGET = TargetIdentity(kind="host", id="", label="", model_id=None)
"""The target of a row that may not name one; its kind means nothing."""

_CellKey = tuple[RunId, TargetId]


def null_first(text: str | None) -> tuple[bool, str]:
    """Return a sort key that puts None before every string."""
    return (text is not None, text or "")


def persona_order(key: PersonaKey) -> tuple[str, tuple[bool, str]]:
    """Return the sort key of a persona: by name, then by id.

    Rule: findings.md section 12, order.
    """
    return (key[1], null_first(key[0]))


def target_identity(target: Target) -> TargetIdentity:
    """Return a target as a row names it."""
    return TargetIdentity(
        kind=target.kind, id=target.id, label=target.label, model_id=target.model_id
    )


@dataclass(frozen=True, slots=True)
class Cell:
    """All slots of one run on one target: what a goal row speaks for."""

    run_id: RunId
    target_id: TargetId
    persona: PersonaIdentity
    goal: GoalIdentity
    target: TargetIdentity
    sessions: tuple[SessionFacts, ...]
    """In session id order."""
    coverage: Coverage

    @property
    def persona_key(self) -> PersonaKey:
        """The pair that identifies the persona."""
        return (self.persona.persona_ref_id, self.persona.name)

    @property
    def started(self) -> int:
        """Sessions that started."""
        return sum(session.started for session in self.sessions)

    @property
    def read(self) -> int:
        """Sessions that were read."""
        return sum(session.is_read for session in self.sessions)


@dataclass(frozen=True, slots=True)
class CellGroup:
    """The cells of one persona, of one target, or of the wave."""

    cells: tuple[Cell, ...] = ()

    @property
    def sessions(self) -> list[SessionFacts]:
        """All sessions of the group, in session id order."""
        return _by_id(session for cell in self.cells for session in cell.sessions)

    @property
    def coverage(self) -> Coverage:
        """What limits the counts of the group."""
        return sum_coverage(cell.coverage for cell in self.cells)


@dataclass(frozen=True)
class Wave:
    """A plan and its sessions, grouped."""

    plan: Plan
    cells: tuple[Cell, ...]
    """In the order of goal outcome rows: persona name and id, run, target of the run."""

    @cached_property
    def by_persona(self) -> dict[PersonaKey, CellGroup]:
        """Every persona of the plan once, by name and id; one without a run has no cells."""
        groups: dict[PersonaKey, list[Cell]] = {
            key: [] for key in sorted((each.key for each in self.plan.personas), key=persona_order)
        }
        for cell in self.cells:
            groups[cell.persona_key].append(cell)
        return {key: CellGroup(tuple(cells)) for key, cells in groups.items()}

    @cached_property
    def by_target(self) -> dict[TargetId, CellGroup]:
        """Every target of the plan, in manifest order."""
        groups: dict[TargetId, list[Cell]] = {
            TargetId(target.target_id): [] for target in self.plan.targets
        }
        for cell in self.cells:
            groups[cell.target_id].append(cell)
        return {key: CellGroup(tuple(cells)) for key, cells in groups.items()}

    @cached_property
    def whole(self) -> CellGroup:
        """The wave itself."""
        return CellGroup(self.cells)

    @cached_property
    def runs_of(self) -> dict[PersonaKey, tuple[Run, ...]]:
        """The runs of each persona, in manifest order."""
        runs: dict[PersonaKey, list[Run]] = defaultdict(list)
        for run in self.plan.runs:
            runs[run.persona_ref_id, run.persona_name].append(run)
        return {key: tuple(found) for key, found in runs.items()}


def group_wave(plan: Plan, facts: Iterable[SessionFacts], scan_cap: int | None = None) -> Wave:
    """Group the sessions of a wave by cell; every slot is in exactly one.

    Raises:
        KeyError: A session belongs to a run or target that the plan does not hold.

    Rule: findings.md section 1, cell.
    """
    capped = capped_slots(plan, scan_cap)
    found: dict[_CellKey, list[SessionFacts]] = defaultdict(list)
    for session in facts:
        found[session.run_id, session.target_id].append(session)
    runs, goals = plan.run_by_id(), plan.goal_by_id()
    personas = {
        key: PersonaIdentity(persona_ref_id=key[0], name=key[1]) for key in plan.persona_by_key()
    }
    titled = {
        run_id: GoalIdentity(
            run_id=run.run_id,
            journey_ref_id=run.journey_ref_id,
            title=goals[GoalId(run.journey_ref_id)].title,
        )
        for run_id, run in runs.items()
    }
    targets = {TargetId(target.target_id): target_identity(target) for target in plan.targets}
    cells = tuple(
        Cell(
            run_id=run_id,
            target_id=target_id,
            persona=personas[runs[run_id].persona_ref_id, runs[run_id].persona_name],
            goal=titled[run_id],
            target=targets[target_id],
            sessions=tuple(_by_id(sessions)),
            coverage=coverage_of(sessions, capped),
        )
        for (run_id, target_id), sessions in sorted(found.items(), key=_cell_order(plan))
    )
    return Wave(plan, cells)


def _cell_order(plan: Plan) -> Callable[[tuple[_CellKey, object]], tuple[object, ...]]:
    runs = {
        RunId(run.run_id): (
            persona_order((run.persona_ref_id, run.persona_name)),
            position,
            {target_id: place for place, target_id in enumerate(dict.fromkeys(run.target_ids))},
        )
        for position, run in enumerate(plan.runs)
    }
    targets = {target.target_id: place for place, target in enumerate(plan.targets)}

    def order(item: tuple[_CellKey, object]) -> tuple[object, ...]:
        run_id, target_id = item[0]
        persona, position, places = runs[run_id]
        # A listed slot may name a target that its run does not have: after the run's own.
        place = places.get(target_id, len(places) + targets[target_id])
        return (*persona, position, place)

    return order


def _by_id(sessions: Iterable[SessionFacts]) -> list[SessionFacts]:
    return sorted(sessions, key=attrgetter("session_id"))
