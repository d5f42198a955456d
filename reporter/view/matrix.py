"""Personas against goals: the picture that most readers look at first."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from reporter.findings.fold import fold
from reporter.findings.people import is_recorded
from reporter.view.anchor import goal_anchor, run_anchor
from reporter.view.count import Count
from reporter.view.outcomes import Outcomes, outcomes
from reporter.view.outline import Cell, Outline, PersonaRef, RunRef, goal_names, slot_kind
from reporter.view.ranking import met_note, missed_note, severity
from reporter.view.text import plural, set_width
from reporter.view.tone import ToneMark, tone_mark
from reporter.vocabulary import Disposition, Tone, tone_of

GROUPED_FROM: Final = 41
"""Goals from which on the matrix is grouped by target."""
SIDE_LIMIT: Final = 12
"""Personas that fit as columns."""
WORD_COLUMNS: Final = 6
"""Columns whose cells have room for words and lines on a screen of the usual width."""
MARKS_LIMIT: Final = 6
"""Sessions of a cell's line that are drawn one by one; more are drawn as a bar."""
LINES_LIMIT: Final = 4
"""Targets that fit in a cell."""
OPEN_ROWS: Final = 12
"""Rows that stand open where goals are many; the rest fold into one line."""
OPEN_ROWS_OF_GROUP: Final = 8
"""The same for each target of several."""
LONG_TARGET: Final = 18
"""Letters of a target's label from which on it has a line of its own in a cell."""
MATRIX_TITLE_LIMIT: Final = 220


@dataclass(frozen=True, slots=True)
class MatrixLine:
    """One target inside a cell."""

    target: str
    """Empty where the row's group already names it, or where the wave has only one."""
    marks: tuple[ToneMark, ...]
    """One a session; empty where a bar stands instead or no session is known."""
    outcomes: Outcomes | None
    """The bar of a line of many sessions."""
    words: str
    """Such as `Lost 1 of 2`."""
    share: str
    """The count alone, such as `1 of 2`, for a cell whose word stands beside it."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """One persona's try at one goal."""

    tried: bool
    """False: this persona did not try this goal; nothing else is set then."""
    who: str
    """The other side's name, for a page whose columns are stacked; empty where there is but
    one side, as without any recorded persona."""
    mark: ToneMark
    href: str
    lines: tuple[MatrixLine, ...]
    more: str
    """Such as `and 5 more targets`; may be empty."""


@dataclass(frozen=True, slots=True)
class MatrixHead:
    """A persona or a goal at the head of a column or row."""

    name: str
    note: str
    """A persona's role, or for how many personas a goal was not met; may be empty."""
    href: str
    """Empty for a persona."""
    mark: ToneMark | None
    """A persona's word; None for a goal."""


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One row: a head and as many cells as there are columns."""

    head: MatrixHead
    cells: tuple[MatrixCell, ...]


@dataclass(frozen=True, slots=True)
class MatrixTable:
    """One table of the matrix."""

    columns: tuple[MatrixHead, ...]
    rows: tuple[MatrixRow, ...]
    """What stands open, the worst first."""
    folded: tuple[MatrixRow, ...]
    """What folds into one line, in the same order; may be empty."""
    folded_words: str
    """That line, such as `31 more goals: 12 not met at least once, 19 met by all`."""


@dataclass(frozen=True, slots=True)
class OverviewLine:
    """One persona on one target, all goals together."""

    persona: str
    mark: ToneMark
    """The fold over this persona's goals on this target."""
    goals: str
    """Such as `30 goals`."""
    outcomes: Outcomes
    marks: tuple[ToneMark | None, ...]
    """One a goal, in the order of the group's table; None for a goal that was not tried."""
    marks_label: str
    """The marks in words, such as `36 not met, 5 met with friction, 19 met`."""


@dataclass(frozen=True, slots=True)
class MatrixGroup:
    """The goals of one target, or of the wave where goals are few."""

    anchor: str
    title: str
    """The target's label; empty where there is one group."""
    note: str
    """Model and size of the group; may be empty."""
    overview: tuple[OverviewLine, ...]
    """Personas with their outcomes over the group; only where goals are many."""
    table: MatrixTable


@dataclass(frozen=True, slots=True)
class MatrixView:
    """The matrix of a wave."""

    caption: str
    marks_caption: str
    """The same where one mark stands for a cell on a screen: in that style, and in more columns
    than have room for words; empty elsewhere."""
    rows_are: Literal["Goal", "Persona"]
    groups: tuple[MatrixGroup, ...]
    style: Literal["full", "marks"]
    """`marks`: many on both sides, so cells hold a mark only and the word stands at the goal."""
    key: tuple[tuple[ToneMark, str], ...]
    """The marks that occur, each with what it says."""
    single_sessions: bool
    """True: no cell holds more than one session."""
    dense: bool
    """True: goals are many or stand in one column, so rows are set tight."""
    long_targets: bool
    """True: what targets are called takes a line of its own in a cell."""


def matrix_view(outline: Outline) -> MatrixView:
    """Lay the matrix out; the shorter side makes the columns.

    Rule: report.md section 3.3.
    """
    many_goals = len(outline.goals) >= GROUPED_FROM
    many_personas = len(outline.personas) > SIDE_LIMIT
    turned = many_personas and len(outline.goals) <= SIDE_LIMIT
    style: Literal["full", "marks"] = "marks" if many_personas and not turned else "full"
    if many_goals and len(outline.targets) > 1:
        groups = tuple(
            _group(outline, target_id, turned=turned)
            for target_id in outline.targets
            if any(cell.target_id == target_id for run in outline.runs for cell in run.cells)
        )
    else:
        groups = (_group(outline, None, turned=turned),)
    cells = [cell for run in outline.runs for cell in run.cells]
    is_single_column = not turned and all(len(group.table.columns) == 1 for group in groups)
    single = outline.recorded and all(len(cell.facts) <= 1 for cell in cells)
    bare = style == "marks" or any(len(group.table.columns) > WORD_COLUMNS for group in groups)
    return MatrixView(
        caption=_caption(outline, single=single, grouped=len(groups) > 1, turned=turned),
        marks_caption=_marks_caption(outline, style, turned=turned) if bare else "",
        rows_are="Persona" if turned else "Goal",
        groups=groups,
        style=style,
        key=_key(outline),
        single_sessions=single,
        dense=many_goals or is_single_column,
        long_targets=len(outline.targets) > 1
        and any(set_width(one.label) > LONG_TARGET for one in outline.targets.values()),
    )


def _caption(outline: Outline, *, single: bool, grouped: bool, turned: bool) -> str:
    said = [_cells_are(outline, single=single, grouped=grouped)]
    if not outline.runs:
        return said[0]
    if not any(is_recorded(key) for key in outline.personas):
        said.append("No persona was recorded, so there is one column.")
    if any(tone_of(run.disposition) is Tone.FAIL for run in outline.runs):
        said.append(f"{_first(outline, turned=turned)}{' within each target' if grouped else ''}.")
    return " ".join(said)


def _cells_are(outline: Outline, *, single: bool, grouped: bool) -> str:
    if not outline.recorded:
        return "Each cell is named after its worst finding; single sessions are not on record."
    if not single:
        return "Each mark is one session, and each cell is named after its worst outcome."
    held = Counter(
        (run.persona, run.goal_id, cell.target_id if grouped else "")
        for run in outline.runs
        for cell in run.cells
        for _ in cell.facts
    )
    if not held:
        return "No session was planned, so there is no goal to show."
    if max(held.values()) > 1:
        return "Each line of a cell is one session, and each cell is named after its worst outcome."
    return "Each cell is one session."


def _marks_caption(outline: Outline, style: str, *, turned: bool) -> str:
    said = (
        "Each cell shows its worst outcome; its sessions stand at the goal. "
        if style == "full"
        else "One mark a cell: its worst outcome, whose word stands at the goal. "
    ) + "An empty cell was not tried."
    if any(tone_of(run.disposition) is Tone.FAIL for run in outline.runs):
        said += f" {_first(outline, turned=turned)}."
    return said


def _first(outline: Outline, *, turned: bool) -> str:
    """Say what stands first, as `ranking.severity` orders it."""
    if turned:
        return "Personas with most goals not met come first"
    people = sum(is_recorded(key) for key in outline.personas)
    return f"{'Goals not met for most personas' if people > 1 else 'Goals not met'} come first"


def _key(outline: Outline) -> tuple[tuple[ToneMark, str], ...]:
    said = {
        "fail": "goal not met",
        "warn": "met with friction",
        "ok": "met",
        "unknown": "ran, outcome not known",
        "notrun": "did not run",
    }
    words = {run.disposition for run in outline.runs}
    words |= {cell.disposition for run in outline.runs for cell in run.cells}
    words |= {fact.disposition for fact in outline.facts.values()}
    found: dict[str, ToneMark] = {}
    for word in Disposition:
        if word in words:
            found.setdefault(tone_mark(word).mark, tone_mark(word))
    return tuple((found[mark], text) for mark, text in said.items() if mark in found)


def _group(outline: Outline, target_id: str | None, *, turned: bool) -> MatrixGroup:
    runs = [run for run in (_on(run, target_id) for run in outline.runs) if run is not None]
    goals: dict[str, list[RunRef]] = {}
    for run in runs:
        goals.setdefault(run.goal_id, []).append(run)
    used = {run.persona for run in runs}
    personas = [person for key, person in outline.personas.items() if key in used]
    if turned:
        table = _personas_down(outline, personas, goals, target_id)
    else:
        table = _goals_down(outline, personas, goals, target_id)
    target = outline.targets[target_id] if target_id is not None else None
    sessions = sum(len(run.facts) for run in runs)
    many = len(goals) >= GROUPED_FROM or target_id is not None
    order = sorted(goals, key=lambda goal_id: severity(goals[goal_id]))
    size = f"{outline.goals_words(goals)}, {plural(sessions, f'{slot_kind(outline)} session')}"
    return MatrixGroup(
        anchor="matrix"
        if target is None
        else f"matrix.{list(outline.targets).index(target_id or '')}",
        title=target.plain if target else "",
        note=f"{target.model}; {size}" if target and target.model else size if target else "",
        overview=tuple(_overview(outline, person, runs, order) for person in personas)
        if many
        else (),
        table=table,
    )


def _on(run: RunRef, target_id: str | None) -> RunRef | None:
    """Return the part of a run on one target, or None where it has none."""
    if target_id is None:
        return run
    cells = tuple(cell for cell in run.cells if cell.target_id == target_id)
    if not cells:
        return None
    return RunRef(
        run.run_id, run.persona, run.goal_id, cells, fold([cell.disposition for cell in cells])
    )


def _overview(
    outline: Outline, person: PersonaRef, runs: Sequence[RunRef], order: Sequence[str]
) -> OverviewLine:
    own = [run for run in runs if run.persona == person.key]
    tried: dict[str, list[Disposition]] = {}
    for run in own:
        tried.setdefault(run.goal_id, []).append(run.disposition)
    words = {goal_id: fold(found) for goal_id, found in tried.items()}
    return OverviewLine(
        persona=person.name if is_recorded(person.key) else "All sessions",
        marks=tuple(tone_mark(words[goal_id]) if goal_id in words else None for goal_id in order),
        marks_label=_marks_label(words.values()),
        mark=tone_mark(fold([run.disposition for run in own])),
        goals=outline.goals_words(run.goal_id for run in own),
        outcomes=outcomes([fact.disposition for run in own for fact in run.facts]),
    )


_SAID: Final[Mapping[Tone, str]] = {
    Tone.FAIL: "not met",
    Tone.WARN: "met with friction",
    Tone.OK: "met",
}
_MUTED: Final[Mapping[Disposition, str]] = {
    Disposition.NOT_MEASURED: "not measured",
    Disposition.NOT_RUN: "not run",
}


def _marks_label(words: Iterable[Disposition]) -> str:
    # In the words of the summary, which tells what ran from what did not.
    counts = Counter(_MUTED.get(word) or _SAID[tone_of(word)] for word in words)
    parts = [
        f"{counts[label]:,} {label}"
        for label in (*_SAID.values(), *_MUTED.values())
        if counts[label]
    ]
    return f"{plural(sum(counts.values()), 'goal')}: {', '.join(parts)}"


def _goals_down(
    outline: Outline,
    personas: Sequence[PersonaRef],
    goals: dict[str, list[RunRef]],
    target_id: str | None,
) -> MatrixTable:
    order = sorted(goals, key=lambda goal_id: severity(goals[goal_id]))
    # With one persona the cell says it already; in a target's group rows are set tight.
    noted = target_id is None and len(personas) > 1
    names = goal_names(outline.goals.values(), MATRIX_TITLE_LIMIT)
    rows = [
        MatrixRow(
            _goal_head(goal_id, names[goal_id], goals[goal_id], note=noted),
            tuple(
                _cell(
                    outline,
                    [run for run in goals[goal_id] if run.persona == person.key],
                    person.name if is_recorded(person.key) or len(personas) > 1 else "",
                    target_id,
                )
                for person in personas
            ),
        )
        for goal_id in order
    ]
    many = len(rows) >= GROUPED_FROM or target_id is not None
    most = OPEN_ROWS if target_id is None else OPEN_ROWS_OF_GROUP
    opened = most if many and len(rows) > most + 2 else len(rows)
    return MatrixTable(
        columns=tuple(
            _persona_head(person, worded=target_id is None, alone=len(personas) == 1)
            for person in personas
        ),
        rows=tuple(rows[:opened]),
        folded=tuple(rows[opened:]),
        folded_words=_folded_words([goals[goal_id] for goal_id in order[opened:]], "goal"),
    )


def _persona_head(person: PersonaRef, *, worded: bool, alone: bool) -> MatrixHead:
    if alone and not is_recorded(person.key):
        return MatrixHead("Outcome", "", "", None)
    # In one target's group the persona's word over the whole wave would mislead.
    return MatrixHead(
        person.name, person.role, "", tone_mark(person.disposition) if worded else None
    )


def _folded_words(rest: Sequence[Sequence[RunRef]], what: str) -> str:
    if not rest:
        return ""
    counts = Counter(map(_standing, rest))
    said = [f"{counts[word]:,} {word}" for word in _STANDINGS if counts[word]]
    return f"{plural(len(rest), f'more {what}')}: {', '.join(said)}"


_STANDINGS: Final = (
    "not met at least once",
    "met with friction",
    "not known",
    "not run",
    "not fully known",
    "met wherever tried",
    "met wherever it is known",
)


def _standing(runs: Sequence[RunRef]) -> str:
    """Say how a goal that stands in no sight came out, in the order in which goals stand."""
    rank = severity(runs)[0]
    if rank == 2:  # noqa: PLR2004  some of it, or all of it, is not known
        if all(run.disposition is Disposition.NOT_RUN for run in runs):
            return "not run"
        known = any(tone_of(run.disposition) is not Tone.MUTED for run in runs)
        return "not fully known" if known else "not known"
    return met_note(runs) if rank == 3 else _STANDINGS[rank]  # noqa: PLR2004  met


def _personas_down(
    outline: Outline,
    personas: Sequence[PersonaRef],
    goals: dict[str, list[RunRef]],
    target_id: str | None,
) -> MatrixTable:
    every: dict[tuple[str | None, str], list[RunRef]] = {}
    for run in (run for runs in goals.values() for run in runs):
        every.setdefault(run.persona, []).append(run)
    order = sorted(personas, key=lambda person: severity(every.get(person.key, [])))
    names = goal_names(outline.goals.values(), MATRIX_TITLE_LIMIT)
    rows = [
        MatrixRow(
            MatrixHead(person.name, person.role, "", tone_mark(person.disposition)),
            tuple(
                _cell(
                    outline,
                    [run for run in every.get(person.key, []) if run.goal_id == goal_id],
                    outline.goals[goal_id].short_title,
                    target_id,
                )
                for goal_id in goals
            ),
        )
        for person in order
    ]
    opened = OPEN_ROWS if len(rows) >= GROUPED_FROM else len(rows)
    return MatrixTable(
        columns=tuple(_goal_head(goal_id, names[goal_id], runs) for goal_id, runs in goals.items()),
        rows=tuple(rows[:opened]),
        folded=tuple(rows[opened:]),
        folded_words=_folded_words(
            [every.get(person.key, []) for person in order[opened:]], "persona"
        ),
    )


def _goal_head(goal_id: str, name: str, runs: Sequence[RunRef], *, note: bool = True) -> MatrixHead:
    return MatrixHead(
        name,
        missed_note(runs) if note else "",
        f"#{goal_anchor(goal_id)}",
        None,
    )


def _cell(outline: Outline, runs: Sequence[RunRef], who: str, target_id: str | None) -> MatrixCell:
    if not runs:
        return MatrixCell(
            tried=False,
            who=who,
            mark=tone_mark(Disposition.NOT_RUN),
            href="",
            lines=(),
            more="",
        )
    cells = [cell for run in runs for cell in run.cells]
    named = target_id is None and len(outline.targets) > 1
    worst = sorted(cells, key=lambda cell: _tone_rank(cell.disposition))
    kept = worst[: LINES_LIMIT - 1] if len(cells) > LINES_LIMIT else cells
    return MatrixCell(
        tried=True,
        who=who,
        # A run that no finding of a document names has no cell, and its own word.
        mark=tone_mark(fold([run.disposition for run in runs])),
        href=f"#{run_anchor(runs[0].run_id)}",
        lines=tuple(
            _line(cell, outline.targets[cell.target_id].label if named else "") for cell in kept
        ),
        more=f"and {plural(len(cells) - len(kept), 'more target')}"
        if len(kept) < len(cells)
        else "",
    )


def _tone_rank(word: Disposition) -> tuple[int, int]:
    rank = {Tone.FAIL: 0, Tone.WARN: 1, Tone.MUTED: 2, Tone.OK: 3}[tone_of(word)]
    return rank, list(Disposition).index(word)


def _line(cell: Cell, target: str) -> MatrixLine:
    if not cell.facts:
        return MatrixLine(target, (), None, _row_words(cell), "")
    same = sum(1 for fact in cell.facts if fact.disposition is cell.disposition)
    many = len(cell.facts) > MARKS_LIMIT
    return MatrixLine(
        target=target,
        marks=() if many else tuple(tone_mark(fact.disposition) for fact in cell.facts),
        outcomes=outcomes([fact.disposition for fact in cell.facts]) if many else None,
        words=f"{cell.disposition.label} {same:,} of {len(cell.facts):,}",
        share=f"{same:,} of {len(cell.facts):,}",
    )


def _row_words(cell: Cell) -> str:
    """Say what a document's own rows count in a cell; they may share sessions."""
    best = next((row for row in cell.rows if row.finding.disposition is cell.disposition), None)
    if best is None:
        return cell.disposition.label
    population = best.finding.population
    counted = Count(population.count, population.total, population.unit.removesuffix("s"))
    return f"{cell.disposition.label} {counted.text}"
