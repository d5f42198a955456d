"""What the checks measure: which checks and graders file at which link, and what nothing does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from reporter.canonical import canonical_json
from reporter.checks.coverage import (
    BUDGET_KINDS,
    Coverage,
    Graders,
    KindCount,
    LinkCoverage,
    coverage_of,
)
from reporter.checks.lists import LinkSeen, counted_check, judge_asked, links_seen
from reporter.derive.chain.predicates import shown_at
from reporter.models.manifest import Criterion, Run
from reporter.models.plan import Plan
from reporter.view.count import Count
from reporter.view.outline import SHORT_TITLE_LIMIT, Outline
from reporter.view.text import listed, one_line, plural, quoted
from reporter.vocabulary import Stage

NAMED: Final = 6
"""Checks of no named kind that are named; the rest are counted."""
GOALS_NAMED: Final = 4
"""Goals without a check that are named; the rest are counted."""

_SAID: Final[Mapping[Coverage, str]] = {
    "runner": "decided by what the runner itself records; no check can be written for it",
    "decides": "decided by checks or graders",
    "advisoryOnly": "only advisory checks or judges, which decide nothing",
    "observationsOnly": "only observations, which decide nothing",
    "none": "no check or grader files here: unmeasured, not fine",
}
RECORD_ALONE: Final = "no check or grader files here; what was recorded decides alone"
"""What is said of a link that no check files at and that was measured all the same."""
_RUNNER: Final = (
    "From inside a check a server that is down and a network of ours that is broken look the same."
)
_ARGUMENTS: Final = (
    "No check says whether arguments were valid against the schema of the tool; "
    "argumentsMatchToolSchema would."
)


@dataclass(frozen=True, slots=True)
class ChecksRow:
    """One link of the chain."""

    label: str
    checks: tuple[str, ...]
    """Kinds of checks that file here, with their number and role; empty where none does."""
    graders: str
    """Who else files here; may be empty."""
    applies: str
    """How far the link is measured, and in how many sessions it was."""
    notes: tuple[str, ...] = ()
    """What a reader must not conclude; may be empty."""


@dataclass(frozen=True, slots=True)
class ChecksView:
    """What is measured at all, link by link.

    Rule: report.md section 3.9; checks.md section 10.
    """

    lead: str
    rows: tuple[ChecksRow, ...]


def checks_view(outline: Outline) -> ChecksView | None:
    """Lay out what the checks measure.

    Returns:
        None for a document that came without a recording: it names no check.
    """
    plan = outline.wave.plan
    if plan is None:
        return None
    authored = _distinct(plan)
    table = coverage_of([counted_check(one) for one in authored], Graders(judge=_judge(plan)))
    seen = links_seen(outline.wave.facts)
    return ChecksView(
        lead=_lead(outline, plan),
        rows=tuple(
            _row(link, table, seen[link.stage], _unnamed(authored, link.stage)) for link in table
        ),
    )


def _distinct(plan: Plan) -> list[Criterion]:
    """Return every check of the wave once, however many runs carry it."""
    found: dict[tuple[str, str, str], Criterion] = {}
    for run in plan.runs:
        for criterion in run.rubric:
            if criterion.role is not None:
                kind = canonical_json(criterion.predicate)
                found.setdefault((criterion.id, criterion.role, kind), criterion)
    return list(found.values())


def _unnamed(authored: Sequence[Criterion], stage: Stage) -> tuple[str, ...]:
    """Name the checks whose kind the source does not say; they stand at user value."""
    if stage is not Stage.USER_VALUE:
        return ()
    names = [
        quoted(one_line(one.label or one.id, 80))
        for one in authored
        if shown_at(one.predicate_type) is None
    ]
    left = len(names) - NAMED
    return (*names[:NAMED], *((f"{left:,} more",) if left > 0 else ()))


def _judge(plan: Plan) -> Literal["required", "advisory"] | None:
    """Return the strongest role in which a run's judge is asked, or None."""
    asked = {judge_asked(run.judge or plan.judge) for run in plan.runs}
    return "required" if "required" in asked else "advisory" if "advisory" in asked else None


def _lead(outline: Outline, plan: Plan) -> str:
    said = ["A link that nothing measures can never be seen to fail, in a run that passed either."]
    blank: dict[str, None] = {}
    for run in plan.runs:
        if not _asserts(run, plan):
            blank[run.journey_ref_id] = None
    if len(blank) == len(outline.goals):
        said.append("No goal of this wave has a check or a judge that could decide it.")
    elif blank:
        titles = [
            quoted(one_line(outline.goals[goal].title, SHORT_TITLE_LIMIT))
            for goal in blank
            if goal in outline.goals
        ]
        left = len(titles) - GOALS_NAMED
        names = [*titles[:GOALS_NAMED], *([f"{left:,} more"] if left > 0 else [])]
        said.append(f"Nothing decides {listed(names)}.")
    return " ".join(said)


def _asserts(run: Run, plan: Plan) -> bool:
    judge = run.judge or plan.judge
    required = any(criterion.role == "required" for criterion in run.rubric)
    return required or (judge is not None and judge.role == "required")


def _row(
    link: LinkCoverage,
    table: Sequence[LinkCoverage],
    seen: LinkSeen,
    unnamed: tuple[str, ...],
) -> ChecksRow:
    count = Count(seen.measured, seen.started, kind="started")
    measured = f"Measured in {count.text}" if seen.started else "No session started"
    said = RECORD_ALONE if link.coverage == "none" and seen.measured else _SAID[link.coverage]
    unscored = f"; {plural(seen.errors, 'result')} could not be scored" if seen.errors else ""
    return ChecksRow(
        label=link.stage.label,
        checks=(*(kind_words(one) for one in link.kinds), *unnamed),
        graders=", ".join(link.graders),
        applies=f"{said[0].upper()}{said[1:]}. {measured}{unscored}.",
        notes=tuple(_notes(link, table)),
    )


def kind_words(one: KindCount) -> str:
    """Say how often a kind of check is authored, and in which roles."""
    parts = [
        f"{count:,} {word}"
        for count, word in (
            (one.gating, "required"),
            (one.advisory, "advisory"),
            (one.observation, "observing"),
        )
        if count
    ]
    return f"{one.kind} ({', '.join(parts)})"


def _notes(link: LinkCoverage, table: Sequence[LinkCoverage]) -> list[str]:
    if link.coverage == "runner":
        return [_RUNNER]
    selection = next(row for row in table if row.stage is Stage.SELECTION)
    found = []
    if link.stage is Stage.CALL and link.coverage == "none" and selection.coverage == "decides":
        found.append(_ARGUMENTS)
    budgets = [one.kind for one in link.kinds if one.kind in BUDGET_KINDS]
    if budgets:
        found.append(
            f"{budgets[0]} is a budget; it files here and decides as others do."
            if len(budgets) == 1
            else f"{listed(budgets)} are budgets; they file here and decide as others do."
        )
    return found
