"""The wave laid out for a reader: personas, goals, targets, and a cell for each combination.

A wave with a recording is laid out from its plan and facts; a published document that came
alone is laid out from its rows, and then no session is known beyond its id.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from reporter.findings.fold import fold
from reporter.models.facts import SessionFacts
from reporter.models.finding import FindingRow, TargetIdentity
from reporter.models.manifest import GOAL_UNRECORDED, TARGET_UNRECORDED, Target
from reporter.models.plan import PersonaKey, Plan
from reporter.models.wave import DerivedWave
from reporter.view.alike import ALIKE, differs_from
from reporter.view.apart import says_nothing, told_apart
from reporter.view.erring import erring_places
from reporter.view.text import ELLIPSIS, CleanText, isolated, listed, one_line, plural
from reporter.vocabulary import Disposition, ScopeLevel

NAME_LIMIT = 160
"""Characters of a name; longer ones are cut, with an ellipsis."""
TITLE_LIMIT = 1_200
"""Characters of a goal's title where it stands whole."""
SHORT_TITLE_LIMIT = 96
"""Characters of a goal's title where it only points at the goal."""
NO_TITLE: Final = "no title recorded"
"""What a goal is called whose title says nothing; its id stands behind it."""
NO_NAME: Final = "no name recorded"
"""The same of a persona."""
NO_LABEL: Final = "no label recorded"
"""The same of a target."""


TargetKey = tuple[str, str, str, str | None]
"""Kind, id, label and model: all that a findings document says of a target."""


@dataclass(frozen=True, slots=True)
class PersonaRef:
    """Somebody, as the page names them."""

    key: PersonaKey
    name: str
    role: str
    """Empty where none was recorded."""
    disposition: Disposition
    """The roll-up's word."""


@dataclass(frozen=True, slots=True)
class GoalRef:
    """A task, as the page names it."""

    goal_id: str
    title: str
    """No other goal has it; its id tells it from those of the same title."""
    short_title: str
    """Cut at a word, and still that of no other goal; of goals that begin alike, with the words
    in which each first differs."""
    text: str
    """The authored text where it says more than the title; empty otherwise."""
    plain: str
    """The title alone, as sentences of the findings say it."""

    @property
    def recorded(self) -> bool:
        """False: no goal was recorded, and this one stands for the want of it."""
        return self.plain != GOAL_UNRECORDED


@dataclass(frozen=True, slots=True)
class TargetRef:
    """What sessions ran against, as the page names it."""

    target_id: str
    label: str
    """Its label; with its model, where others have the same label, and its id, where that too."""
    model: str
    """Empty where no model was recorded."""
    plain: str
    """The label alone, for where the model stands beside it and tells it from others."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One run on one target: the unit that a goal row speaks for."""

    run_id: str
    persona: PersonaKey
    goal_id: str
    target_id: str
    disposition: Disposition
    facts: tuple[SessionFacts, ...] = ()
    """In slot order; empty for a document without a recording."""
    rows: tuple[FindingRow, ...] = ()
    """Every row of goal or session scope that speaks of this cell, in document order."""

    @property
    def started(self) -> tuple[SessionFacts, ...]:
        """The sessions that started."""
        return tuple(fact for fact in self.facts if fact.started)

    @property
    def outcome(self) -> FindingRow | None:
        """The goal outcome row, or None in a document that has none."""
        return next((row for row in self.rows if row.order == 2), None)  # noqa: PLR2004  list 2


@dataclass(frozen=True, slots=True)
class RunRef:
    """One persona's run of one goal, over its targets."""

    run_id: str
    persona: PersonaKey
    goal_id: str
    cells: tuple[Cell, ...]
    disposition: Disposition
    """The fold over the cells."""

    @property
    def facts(self) -> tuple[SessionFacts, ...]:
        """Every session of the run, by target and slot."""
        return tuple(fact for cell in self.cells for fact in cell.facts)

    @property
    def rows(self) -> tuple[FindingRow, ...]:
        """Every row that speaks of the run, by target."""
        return tuple(row for cell in self.cells for row in cell.rows)


@dataclass(frozen=True, slots=True)
class Outline:
    """Everything the sections of a report are laid out from."""

    wave: DerivedWave
    personas: Mapping[PersonaKey, PersonaRef]
    """In the order of the roll-ups."""
    goals: Mapping[str, GoalRef]
    targets: Mapping[str, TargetRef]
    runs: tuple[RunRef, ...]
    """In manifest order."""
    facts: Mapping[str, SessionFacts] = field(default_factory=dict)
    """Facts by session id."""
    persona_places: Mapping[PersonaKey, int] = field(default_factory=dict)
    """Place of each persona in order, which filters go by; the same for goals and targets."""
    goal_places: Mapping[str, int] = field(default_factory=dict)
    target_places: Mapping[str, int] = field(default_factory=dict)
    tool_places: Mapping[str, int] = field(default_factory=dict)
    """The same for tools that returned an error."""
    target_names: Mapping[TargetKey, str] = field(default_factory=dict)
    """Labels of the targets, told apart as `targets` tells them, by what a document says."""

    def target_name(self, target: TargetIdentity) -> str:
        """Return what the page calls the target of a finding; empty where none was recorded."""
        if target.label == TARGET_UNRECORDED:
            return ""
        known = self.target_names.get(_target_key(target))
        return known or isolated(one_line(target.label, NAME_LIMIT))

    @property
    def recorded(self) -> bool:
        """True: there is a recording, so that sessions, chains and signals are known."""
        return self.wave.plan is not None

    def goals_words(self, goal_ids: Iterable[str]) -> str:
        """Count goals, such as `4 goals`; sessions without a recorded goal are said apart."""
        ids = set(goal_ids)
        named = sum(self.goals[one].recorded for one in ids)
        said = [plural(named, "goal")] if named or not ids else []
        return listed([*said, *(["sessions of no recorded goal"] if named < len(ids) else [])])

    def runs_of_goal(self) -> dict[str, list[RunRef]]:
        """Return the runs of each goal, goals and runs in manifest order."""
        found: dict[str, list[RunRef]] = {}
        for run in self.runs:
            found.setdefault(run.goal_id, []).append(run)
        return found


def _target_key(target: TargetIdentity | Target) -> TargetKey:
    return (target.kind, target.id, target.label, target.model_id)


def outline(wave: DerivedWave) -> Outline:
    """Lay a wave out."""
    dispositions = {
        (rollup.persona.persona_ref_id, rollup.persona.name): rollup.disposition
        for rollup in wave.findings.personas
    }
    if wave.plan is not None:
        return _from_plan(wave, wave.plan, dispositions)
    return _from_rows(wave, dispositions)


def is_without_plan(laid: Outline) -> bool:
    """Tell whether the wave was interrupted, so that nobody knows what was planned."""
    return laid.wave.plan is not None and laid.wave.plan.manifest_missing


def slot_kind(laid: Outline) -> str:
    """Return what the sessions of the wave are when all are counted: planned, or recorded."""
    return "recorded" if is_without_plan(laid) else "planned"


def _from_plan(
    wave: DerivedWave, plan: Plan, dispositions: Mapping[PersonaKey, Disposition]
) -> Outline:
    order = [key for key in dispositions if key in plan.persona_by_key()]
    order += [persona.key for persona in plan.personas if persona.key not in dispositions]
    by_key = plan.persona_by_key()
    names = _names(order)
    personas = {
        key: PersonaRef(
            key=key,
            name=names[key],
            role=one_line(by_key[key].role or "", NAME_LIMIT),
            disposition=dispositions.get(key, Disposition.NOT_MEASURED),
        )
        for key in order
    }
    goals = _goal_refs({goal.journey_ref_id: (goal.title, goal.goal) for goal in plan.goals})
    targets = _target_refs({one.target_id: _target_key(one) for one in plan.targets})
    facts = _grouped((fact.run_id, fact.target_id, fact) for fact in wave.facts)
    rows = _rows_by_cell(wave.findings.rows, plan)
    runs = []
    for run in plan.runs:
        key = (run.persona_ref_id, run.persona_name)
        named = [*run.target_ids]
        named += [target for target in facts.get(run.run_id, {}) if target not in named]
        cells = tuple(
            Cell(
                run_id=run.run_id,
                persona=key,
                goal_id=run.journey_ref_id,
                target_id=target_id,
                disposition=fold(
                    [fact.disposition for fact in facts.get(run.run_id, {}).get(target_id, [])]
                ),
                facts=tuple(facts.get(run.run_id, {}).get(target_id, [])),
                rows=tuple(rows.get((run.run_id, target_id), [])),
            )
            for target_id in named
        )
        runs.append(
            RunRef(
                run.run_id,
                key,
                run.journey_ref_id,
                cells,
                fold([cell.disposition for cell in cells]),
            )
        )
    return Outline(
        wave=wave,
        personas=personas,
        goals=goals,
        targets=targets,
        runs=tuple(runs),
        facts={fact.session_id: fact for fact in wave.facts},
        persona_places=_places(personas),
        goal_places=_places(goals),
        target_places=_places(targets),
        tool_places=erring_places(wave.facts),
        target_names={_target_key(one): targets[one.target_id].label for one in plan.targets},
    )


def goal_names(goals: Iterable[GoalRef], limit: int) -> dict[str, CleanText]:
    """Name goals by their titles cut at `limit` characters, by id; no two have one name.

    Goals that begin alike are called by their beginning and by the words with which the authored
    text of each first differs from the others, where a title ends before it comes to them.
    """
    refs = list(goals)
    places = differs_from({goal.goal_id: goal.text or goal.plain for goal in refs})
    titles = [(_own_line(one, places.get(one.goal_id), limit), [one.goal_id]) for one in refs]
    named = map(isolated, told_apart(titles, NO_TITLE))
    return dict(zip((goal.goal_id for goal in refs), named, strict=True))


def _own_line(goal: GoalRef, place: int | None, limit: int) -> CleanText:
    line, text = one_line(goal.plain, limit), goal.text or goal.plain
    at = line.find(text[:ALIKE])
    if limit >= TITLE_LIMIT or place is None or at < 0 or place < len(line.rstrip(ELLIPSIS)) - at:
        return line
    room = min(limit, SHORT_TITLE_LIMIT)
    begins = one_line(goal.plain, room // 2)
    return CleanText(f"{begins} {one_line(text[place:], room - len(begins))}")


def _names(keys: Sequence[PersonaKey]) -> dict[PersonaKey, str]:
    """Name personas; two of one name are told apart by their ids, as the wire tells them."""
    lines = [
        (one_line(name, NAME_LIMIT), [ref] if ref else [] if says_nothing(name) else ["no id"])
        for ref, name in keys
    ]
    return dict(zip(keys, map(isolated, told_apart(lines, NO_NAME)), strict=True))


_Key = TypeVar("_Key")


def _places(ordered: Mapping[_Key, object]) -> dict[_Key, int]:
    return {key: place for place, key in enumerate(ordered)}


def _grouped(
    items: Iterable[tuple[str, str, SessionFacts]],
) -> dict[str, dict[str, list[SessionFacts]]]:
    found: dict[str, dict[str, list[SessionFacts]]] = {}
    for run_id, target_id, fact in items:
        found.setdefault(run_id, {}).setdefault(target_id, []).append(fact)
    return found


def _rows_by_cell(
    rows: Sequence[FindingRow], plan: Plan
) -> dict[tuple[str, str], list[FindingRow]]:
    known = {
        (target.kind, target.id, target.label, target.model_id): target.target_id
        for target in plan.targets
    }
    found: dict[tuple[str, str], list[FindingRow]] = {}
    for row in rows:
        if row.finding.scope_level not in (ScopeLevel.GOAL, ScopeLevel.SESSION):
            continue
        target = row.finding.target
        target_id = row.target_id or known.get(
            (target.kind, target.id, target.label, target.model_id), ""
        )
        found.setdefault((row.finding.goal.run_id, target_id), []).append(row)
    return found


def _from_rows(wave: DerivedWave, dispositions: Mapping[PersonaKey, Disposition]) -> Outline:
    names = _names(list(dispositions))
    personas = {
        key: PersonaRef(key, names[key], "", disposition)
        for key, disposition in dispositions.items()
    }
    goals: dict[str, tuple[str, str | None]] = {}
    targets: dict[str, TargetKey] = {}
    grouped: dict[tuple[PersonaKey, str], dict[str, list[FindingRow]]] = {}
    goal_of: dict[str, str] = {}
    for rollup in wave.findings.personas:
        key = (rollup.persona.persona_ref_id, rollup.persona.name)
        for run_id in rollup.goal_run_ids:
            grouped.setdefault((key, run_id), {})
    for row in wave.findings.rows:
        finding = row.finding
        if finding.scope_level not in (ScopeLevel.GOAL, ScopeLevel.SESSION):
            continue
        key = (finding.persona.persona_ref_id, finding.persona.name)
        target_id = "\n".join(str(part or "") for part in _target_key(finding.target))
        targets[target_id] = _target_key(finding.target)
        goals.setdefault(finding.goal.journey_ref_id, (finding.goal.title, None))
        goal_of[finding.goal.run_id] = finding.goal.journey_ref_id
        cells = grouped.setdefault((key, finding.goal.run_id), {})
        cells.setdefault(target_id, []).append(row)
    runs = []
    for (key, run_id), cells in grouped.items():
        goal_id = goal_of.get(run_id, run_id)
        # A goal that no row names has only the run's id to be called by.
        goals.setdefault(goal_id, (run_id, None))
        made = tuple(
            Cell(run_id, key, goal_id, target_id, _rows_word(rows), (), tuple(rows))
            for target_id, rows in cells.items()
        )
        word = fold([cell.disposition for cell in made]) if made else Disposition.NOT_MEASURED
        runs.append(RunRef(run_id, key, goal_id, made, word))
        if key not in personas:
            personas[key] = PersonaRef(key, isolated(one_line(key[1], NAME_LIMIT)), "", word)
    named = _target_refs(targets)
    return Outline(
        wave=wave,
        personas=personas,
        goals=_goal_refs(goals),
        targets=named,
        runs=tuple(runs),
        persona_places=_places(personas),
        goal_places=_places(goals),
        target_places=_places(targets),
        target_names={key: named[one].label for one, key in targets.items()},
    )


def _rows_word(rows: Sequence[FindingRow]) -> Disposition:
    spoken = [row for row in rows if row.finding.scope_level is ScopeLevel.GOAL] or rows
    return fold([row.finding.disposition for row in spoken])


def _goal_refs(goals: Mapping[str, tuple[str, str | None]]) -> dict[str, GoalRef]:
    """Return goals by id, each given by its title and its text."""
    refs = {}
    for goal_id, (title, text) in goals.items():
        plain = one_line(title, TITLE_LIMIT)
        more = one_line(text or "", TITLE_LIMIT)
        refs[goal_id] = GoalRef(goal_id, "", "", "" if more == plain else more, plain)
    whole = goal_names(refs.values(), TITLE_LIMIT)
    short = goal_names(refs.values(), SHORT_TITLE_LIMIT)
    return {
        goal_id: replace(goal, title=whole[goal_id], short_title=short[goal_id])
        for goal_id, goal in refs.items()
    }


def _target_refs(targets: Mapping[str, TargetKey]) -> dict[str, TargetRef]:
    """Return the targets by id; those that share a label are called with their model."""
    lines, models, alike = [], [], Counter[tuple[str, str]]()
    for kind, own, label, model_id in targets.values():
        line, model = one_line(label, NAME_LIMIT), one_line(model_id or "", NAME_LIMIT)
        lines.append((line, [model or "no model recorded", own, kind]))
        models.append(model)
        alike[line, model] += 1
    refs: dict[str, TargetRef] = {}
    named = zip(targets, lines, models, told_apart(lines, NO_LABEL), strict=True)
    for target_id, (line, _), model, name in named:
        is_plain = alike[line, model] == 1 and not says_nothing(line)
        refs[target_id] = TargetRef(
            target_id, isolated(name), model, isolated(line if is_plain else name)
        )
    return refs
