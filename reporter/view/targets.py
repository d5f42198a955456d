"""Targets side by side: what was launched on each, and how the started sessions came out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reporter.findings.people import recorded
from reporter.findings.population import tally_of
from reporter.models.facts import SessionFacts
from reporter.models.manifest import TARGET_UNRECORDED
from reporter.view.count import Bar, Count, bar
from reporter.view.ledger import ways
from reporter.view.outcomes import Outcomes, outcomes
from reporter.view.outline import Outline, TargetRef, is_without_plan
from reporter.view.text import listed, plural

CAUTION = "A difference in who was counted is not a difference in quality."
"""What a reader must know before comparing two rows."""


@dataclass(frozen=True, slots=True)
class TargetRow:
    """One target with its model; launch and outcome are counted apart."""

    label: str
    model: str
    """Empty where no model was recorded."""
    faced: str
    """What was tried on it, such as `4 goals, 3 personas`."""
    started: Count
    """Of its configured sessions."""
    launch: Bar
    """Drawn over the largest number of sessions that any target was given."""
    ways: str
    """Why sessions did not start; empty where all started."""
    outcomes: Outcomes
    """The started sessions alone."""
    graded: Count
    """Of its started sessions."""


@dataclass(frozen=True, slots=True)
class TargetsView:
    """The targets of a wave."""

    lead: str
    """Whether the targets faced the same work, and the caution; or why nothing is compared."""
    rows: tuple[TargetRow, ...]
    """In manifest order; empty where there is nothing to set side by side."""


def targets_view(outline: Outline) -> TargetsView:
    """Set the targets side by side.

    Rule: report.md section 3.8; findings.md section 7.
    """
    if not outline.recorded:
        return TargetsView(
            "Not counted by target: a findings document without its recording does not say how "
            "many sessions each target was given.",
            (),
        )
    facts = _by_target(outline)
    if len(facts) < 2:  # noqa: PLR2004  two make a comparison
        return TargetsView(f"{_alone([outline.targets[one] for one in facts])}{_idle(outline)}", ())
    most = max(len(own) for own in facts.values())
    return TargetsView(
        f"{_same_work(outline, facts)} {CAUTION}{_idle(outline)}",
        tuple(_row(outline, target_id, own, most) for target_id, own in facts.items()),
    )


def _by_target(outline: Outline) -> dict[str, list[SessionFacts]]:
    found: dict[str, list[SessionFacts]] = {target_id: [] for target_id in outline.targets}
    for run in outline.runs:
        for cell in run.cells:
            found.setdefault(cell.target_id, []).extend(cell.facts)
    return {target_id: own for target_id, own in found.items() if own}


def _alone(targets: Sequence[TargetRef]) -> str:
    if len(targets) != 1:
        return "No session was planned on any target, so there is nothing to set side by side."
    (target,) = targets
    if target.plain == TARGET_UNRECORDED:
        return (
            "No target was recorded, so there is nothing to set side by side; the counts are those "
            "of the wave."
        )
    model = f", with the model {target.model}" if target.model else "; its model was not recorded"
    return (
        f"The only target is {target.label}{model}. There is nothing to set beside it; its "
        "counts are those of the wave."
    )


def _idle(outline: Outline) -> str:
    """Name the targets that are listed and that no session was planned on."""
    used = {cell.target_id for run in outline.runs for cell in run.cells if cell.facts}
    idle = [target.label for key, target in outline.targets.items() if key not in used]
    return f" No session was planned on {listed(idle)}." if used and idle else ""


def _row(outline: Outline, target_id: str, facts: Sequence[SessionFacts], most: int) -> TargetRow:
    tally = tally_of(facts)
    target = outline.targets[target_id]
    started = Count(tally.started, tally.configured)
    gone = tally.configured - tally.started
    return TargetRow(
        label=target.plain,
        model=target.model,
        faced=_faced(outline, target_id),
        started=started,
        launch=bar(
            [("ink", tally.started), ("gone", gone), ("none", most - tally.configured)],
            f"{started.text} started",
        ),
        ways=", ".join(ways(tally.launch)),
        outcomes=outcomes(fact.disposition for fact in facts if fact.started),
        graded=Count(tally.graded, tally.started, kind="started"),
    )


def _faced(outline: Outline, target_id: str) -> str:
    runs = [run for run in outline.runs if any(cell.target_id == target_id for cell in run.cells)]
    goals = outline.goals_words(run.goal_id for run in runs)
    people = {run.persona for run in runs}
    known = recorded(people)
    if len(outline.personas) < 2:  # noqa: PLR2004  nobody to tell apart
        return goals
    said = [plural(len(known), "persona")] if known else []
    said += ["sessions of no recorded persona"] if len(known) < len(people) else []
    return f"{goals}, {listed(said)}"


def _same_work(outline: Outline, facts: Mapping[str, Sequence[SessionFacts]]) -> str:
    """Say how the work differed: which goals, how often, and who was lost before it began."""
    if is_without_plan(outline):
        return "What each target was given is not known, as the wave has no manifest."
    if not all(outline.goals[run.goal_id].recorded for run in outline.runs):
        return "Whether the targets faced the same work is not known: not every goal was recorded."
    planned = {target_id: _work(outline, target_id) for target_id in facts}
    goals = [{goal for _, goal in work} for work in planned.values()]
    common = set.intersection(*goals)
    every = set.union(*goals)
    if common != every:
        shared = f"{len(common):,} of {plural(len(every), 'goal')}" if common else "no goal"
        was = "were" if len(common) > 1 else "was"
        return f"The targets did not face the same work: {shared} {was} given to all of them."
    if len({tuple(sorted(work.items(), key=repr)) for work in planned.values()}) > 1:
        return (
            "The targets did not face the same work: all goals were given to each, but not by "
            "the same personas equally often."
        )
    lost = [
        f"{gone.text} on {outline.targets[target_id].label}"
        for target_id, gone in _lost(facts).items()
    ]
    is_known = outline.personas.keys() == recorded(outline.personas)
    by = " by the same personas" if is_known else ""
    same = f"Every target was given the same goals{by}, equally often"
    return f"{same}; {listed(lost)} did not start." if lost else f"{same}."


def _lost(facts: Mapping[str, Sequence[SessionFacts]]) -> dict[str, Count]:
    """Count the sessions that never started, for the targets that have some."""
    lost = {
        target_id: Count(sum(1 for fact in own if not fact.started), len(own))
        for target_id, own in facts.items()
    }
    return {target_id: gone for target_id, gone in lost.items() if gone.count}


def _work(outline: Outline, target_id: str) -> Counter[tuple[object, str]]:
    found: Counter[tuple[object, str]] = Counter()
    for run in outline.runs:
        for cell in run.cells:
            if cell.target_id == target_id:
                found[run.persona, run.goal_id] += len(cell.facts)
    return found
