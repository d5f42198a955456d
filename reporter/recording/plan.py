"""A manifest's personas, goals, targets, runs and slots, resolved against each other."""

from collections.abc import Iterable, Mapping, Sequence

from reporter.errors import Problem
from reporter.identifiers import CatalogId
from reporter.models.manifest import (
    Criterion,
    Goal,
    Manifest,
    Persona,
    Run,
    Target,
    predicate_role,
)
from reporter.models.plan import Catalog, PersonaKey, Plan, PlannedSlot
from reporter.recording.problems import Complaints, shown
from reporter.recording.slots import resolve_slots


def resolve_plan(
    manifest: Manifest, *, file: str, catalogs: Mapping[CatalogId, Catalog]
) -> tuple[Plan, tuple[Problem, ...]]:
    """Turn a manifest into the plan of its wave.

    Args:
        manifest: As it was read.
        file: The manifest's name, for problems.
        catalogs: The tool catalogues of the recording that could be read.

    Returns:
        The plan, in which every reference leads somewhere, and what had to be added, left
        out or told apart for it.

    Rule: recording.md section 3.
    """
    report = Complaints(file)
    targets = _told_apart(_targets(manifest, catalogs, report), report)
    goals = _distinct_goals(manifest.goals, report)
    personas = _distinct_personas(manifest.personas, report)
    runs = _runs(manifest.runs, {target.target_id for target in targets}, report)
    for number, run in runs:
        _add_unknown(number, run, personas, goals, report)
    kept = [run for _, run in runs]
    slots = resolve_slots(manifest.slots, kept, {target.target_id for target in targets}, report)
    if manifest.terminal:
        _check_terminal(kept, slots, report)
    plan = Plan(
        wave_id=manifest.swarm_run_group_id,
        name=manifest.swarm_name,
        swarm_id=manifest.swarm_id,
        created_at_ms=manifest.created_at,
        finished_at_ms=manifest.finished_at,
        terminal=manifest.terminal,
        personas=tuple(personas.values()),
        goals=tuple(goals.values()),
        targets=tuple(targets),
        runs=tuple(kept),
        slots=tuple(slots),
        catalogs=dict(catalogs),
        judge=manifest.policy.judge if manifest.policy else None,
    )
    return plan, tuple(report.problems)


def _targets(
    manifest: Manifest, catalogs: Mapping[CatalogId, Catalog], report: Complaints
) -> dict[int, Target]:
    """Return the targets that count, by their place in the manifest."""
    found: dict[int, Target] = {}
    seen: set[str] = set()
    for number, target in enumerate(manifest.targets):
        place = f"targets[{number}]"
        if target.target_id in seen:
            report.add(
                f"{place}.targetId",
                "duplicate-target",
                f"A second target has the id {shown(target.target_id)}; it is left out.",
                "Give every target its own id.",
            )
            continue
        seen.add(target.target_id)
        found[number] = target
        if target.catalog_id is not None and CatalogId(target.catalog_id) not in catalogs:
            report.add(
                f"{place}.catalogId",
                "unknown-catalog",
                f"No catalogue {shown(target.catalog_id)} could be read.",
                "Without it, calls of tools that do not exist are not found.",
                severity="note",
            )
    return found


def _told_apart(targets: Mapping[int, Target], report: Complaints) -> list[Target]:
    """Number the labels of targets that a reader could not tell apart."""
    looks = {_look(target, target.label) for target in targets.values()}
    used: set[tuple[str | None, ...]] = set()
    found: list[Target] = []
    for number, target in targets.items():
        label = target.label
        if _look(target, label) in used:
            count = 2
            while _look(target, f"{label} ({count})") in looks | used:
                count += 1
            label = f"{label} ({count})"
            report.add(
                f"targets[{number}].label",
                "look-alike-target",
                "Another target has the same kind, id, label and model;"
                f" this one is called {shown(label)}.",
                "Give the targets labels that tell them apart.",
            )
            target = target.model_copy(update={"label": label})  # noqa: PLW2901  the numbered one
        used.add(_look(target, label))
        found.append(target)
    return found


def _look(target: Target, label: str) -> tuple[str | None, ...]:
    return (target.kind, target.id, label, target.model_id)


def _distinct_goals(goals: Iterable[Goal], report: Complaints) -> dict[str, Goal]:
    found: dict[str, Goal] = {}
    for number, goal in enumerate(goals):
        if goal.journey_ref_id in found:
            report.add(
                f"goals[{number}].journeyRefId",
                "duplicate-goal",
                f"A second goal has the id {shown(goal.journey_ref_id)}; it is left out.",
                "Give every goal its own id.",
            )
        else:
            found[goal.journey_ref_id] = goal
    return found


def _distinct_personas(
    personas: Iterable[Persona], report: Complaints
) -> dict[PersonaKey, Persona]:
    found: dict[PersonaKey, Persona] = {}
    for number, persona in enumerate(personas):
        if persona.key in found:
            report.add(
                f"personas[{number}]",
                "duplicate-persona",
                f"A second persona is called {shown(persona.name)} under the same id;"
                " it is left out.",
                "Give personas ids, or names that differ.",
            )
        else:
            found[persona.key] = persona
    return found


def _runs(
    runs: Iterable[Run], known_targets: set[str], report: Complaints
) -> list[tuple[int, Run]]:
    """Return the runs that count with their place, naming only targets there are."""
    found: list[tuple[int, Run]] = []
    seen: set[str] = set()
    for number, run in enumerate(runs):
        place = f"runs[{number}]"
        if run.run_id in seen:
            report.add(
                f"{place}.runId",
                "duplicate-run",
                f"A second run has the id {shown(run.run_id)}; it is left out.",
                "Give every run its own id.",
            )
            continue
        seen.add(run.run_id)
        target_ids = _target_ids(place, run, known_targets, report)
        rubric = _rubric(place, run.rubric, report)
        if target_ids != run.target_ids or len(rubric) != len(run.rubric):
            run = run.model_copy(  # noqa: PLW2901  the resolved one
                update={"target_ids": target_ids, "rubric": rubric}
            )
        found.append((number, run))
    return found


def _target_ids(place: str, run: Run, known: set[str], report: Complaints) -> list[str]:
    found: list[str] = []
    for number, target_id in enumerate(run.target_ids):
        where = f"{place}.targetIds[{number}]"
        if target_id not in known:
            report.add(
                where,
                "unknown-target",
                f"No target has the id {shown(target_id)}; the entry is left out.",
                "List the target under `targets`.",
            )
        elif target_id in found:
            report.add(
                where,
                "duplicate-target",
                f"The run names target {shown(target_id)} twice; the second is left out.",
                "Use `sessionsPerTarget` for several sessions.",
            )
        else:
            found.append(target_id)
    if not run.target_ids:
        report.add(f"{place}.targetIds", "run-without-target", "The run names no target.")
    return found


def _rubric(place: str, rubric: Sequence[Criterion], report: Complaints) -> list[Criterion]:
    found: dict[str, Criterion] = {}
    for number, criterion in enumerate(rubric):
        where = f"{place}.rubric[{number}]"
        if criterion.id in found:
            report.add(
                f"{where}.id",
                "duplicate-criterion",
                f"A second criterion has the id {shown(criterion.id)}; it is left out.",
                "Give every criterion of a run its own id.",
            )
            continue
        found[criterion.id] = criterion
        if criterion.role is None:
            report.add(
                f"{where}.role",
                "criterion-role-unknown",
                "Nobody said whether this criterion decides; it counts nowhere.",
                "Record `required` or `advisory`.",
            )
        inner = predicate_role(criterion.predicate)
        if inner is not None and inner != criterion.role:
            report.add(
                f"{where}.predicate.role",
                "criterion-role-differs",
                f"The predicate's role {shown(inner)} is not the criterion's;"
                " the criterion's counts.",
                "Record one role.",
            )
    return list(found.values())


def _add_unknown(
    number: int,
    run: Run,
    personas: dict[PersonaKey, Persona],
    goals: dict[str, Goal],
    report: Complaints,
) -> None:
    """Add the persona and the goal that only this run names."""
    key = (run.persona_ref_id, run.persona_name)
    if key not in personas:
        personas[key] = Persona(persona_ref_id=key[0], name=key[1])
        report.add(
            f"runs[{number}].personaName",
            "unknown-persona",
            f"The persona {shown(run.persona_name)} with this id is not in the list;"
            " it is added behind the others.",
            "List the persona under `personas`.",
        )
    if run.journey_ref_id not in goals:
        goals[run.journey_ref_id] = Goal(
            journey_ref_id=run.journey_ref_id, title=run.journey_ref_id
        )
        report.add(
            f"runs[{number}].journeyRefId",
            "unknown-goal",
            f"The goal {shown(run.journey_ref_id)} is not in the list; its id serves as title.",
            "List the goal under `goals`.",
        )


def _check_terminal(runs: Iterable[Run], slots: Iterable[PlannedSlot], report: Complaints) -> None:
    remedy = "Write `terminal: false` for a wave that still runs."
    for run in runs:
        if run.status == "running":
            what = f"The wave is said to have ended, and run {shown(run.run_id)} still runs."
            report.add("terminal", "terminal-but-running", what, remedy)
    for slot in slots:
        if slot.attempt is not None and slot.attempt.status == "running":
            what = f"The wave is said to have ended, and session {slot.session_id} still runs."
            report.add("terminal", "terminal-but-running", what, remedy, session_id=slot.session_id)
