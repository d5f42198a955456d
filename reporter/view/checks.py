"""What the checks measure: which checks and graders file at which link, and what nothing does."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from reporter.canonical import canonical_json
from reporter.checks.coverage import Graders, LinkCoverage, coverage_of
from reporter.checks.lists import (
    LinkSeen,
    counted_check,
    judge_of,
    links_seen,
    lists_of_wave,
    runs_judged,
)
from reporter.derive.chain.predicates import shown_at
from reporter.models.manifest import Criterion, Run
from reporter.models.plan import Plan
from reporter.view.measures import coverage_words, kind_words, link_notes, seen_words
from reporter.view.outline import SHORT_TITLE_LIMIT, Outline
from reporter.view.text import capital, listed, one_line, quoted
from reporter.vocabulary import Stage

NAMED: Final = 6
"""Checks of no named kind that are named; the rest are counted."""
GOALS_NAMED: Final = 4
"""Goals without a check that are named; the rest are counted."""


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
    judged = runs_judged(outline.wave.facts)
    judge = _judge(plan, judged)
    table = coverage_of([counted_check(one) for one in authored], Graders(judge=judge))
    seen = links_seen(outline.wave.facts)
    return ChecksView(
        lead=_lead(outline, plan, judged),
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


def _judge(plan: Plan, judged: Container[str]) -> Literal["required", "advisory"] | None:
    """Return the strongest say that the judge of some run has, or None."""
    said = {judge_of(run, plan, spoke=run.run_id in judged) for run in plan.runs}
    return "required" if "required" in said else "advisory" if "advisory" in said else None


def _lead(outline: Outline, plan: Plan, judged: Container[str]) -> str:
    said = [
        "A link that nothing measures can never be seen to fail: a passed run says nothing of it."
    ]
    if plan.manifest_missing:
        said.append("Which checks the runs had is not known, as the wave has no manifest.")
        return " ".join(said)
    tried: dict[str, list[bool]] = {}
    for run in plan.runs:
        tried.setdefault(run.journey_ref_id, []).append(_decides(run, plan, judged))
    blank = [goal for goal, decided in tried.items() if not any(decided)]
    partly = [goal for goal, decided in tried.items() if any(decided) and not all(decided)]
    if tried and len(blank) == len(tried):
        said.append("No goal of this wave has a check or a judge that could decide it.")
    elif blank:
        said.append(f"Nothing decides {_titles(outline, blank)}.")
    if partly:
        said.append(f"In some runs, and not in all, something decides {_titles(outline, partly)}.")
    idle = _idle_goals(plan, {*blank, *partly}, judged)
    if idle:
        said.append(f"An agent that does nothing would pass the checks of {_goals_named(idle)}.")
    return " ".join(said)


def _titles(outline: Outline, goals: Sequence[str]) -> str:
    return _goals_named([outline.goals[goal].title for goal in goals if goal in outline.goals])


def _goals_named(titles: Sequence[str]) -> str:
    names = [quoted(one_line(title, SHORT_TITLE_LIMIT)) for title in titles[:GOALS_NAMED]]
    left = len(titles) - len(names)
    return listed([*names, *([f"{left:,} more"] if left > 0 else [])])


def _idle_goals(plan: Plan, named: Container[str], judged: Container[str]) -> list[str]:
    """Return the titles of goals whose deciding checks an agent that does nothing passes.

    Args:
        plan: The wave's plan.
        named: Goals of which some run has nothing that decides it.
        judged: Runs in which a judge has spoken.

    Rule: checks.md section 11; goals that nothing decides are named as such.
    """
    silent = {goal.title for goal in plan.goals if goal.journey_ref_id in named}
    lists = lists_of_wave(plan, (), judged)
    idle = [title for one in lists if one.lint.word == "vacuous" for title in one.goals or ()]
    return [title for title in dict.fromkeys(idle) if title not in silent]


def _decides(run: Run, plan: Plan, judged: Container[str]) -> bool:
    if any(criterion.role == "required" for criterion in run.rubric):
        return True
    return judge_of(run, plan, spoke=run.run_id in judged) == "required"


def _row(
    link: LinkCoverage,
    table: Sequence[LinkCoverage],
    seen: LinkSeen,
    unnamed: tuple[str, ...],
) -> ChecksRow:
    said = coverage_words(link, seen)
    measured = seen_words(seen)
    return ChecksRow(
        label=link.stage.label,
        checks=(*(kind_words(one) for one in link.kinds), *unnamed),
        graders=", ".join(link.graders),
        applies=f"{capital(said)}. {capital(measured)}.",
        notes=tuple(link_notes(link, table, seen)),
    )
