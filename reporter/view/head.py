"""The head of the report: which wave, when, how large, against what."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from reporter.findings.people import is_recorded, recorded
from reporter.models.manifest import TARGET_UNRECORDED
from reporter.models.wave import DerivedWave
from reporter.view.outline import NAME_LIMIT, Outline, TargetRef, is_without_plan
from reporter.view.text import listed, one_line, plural

TARGETS_SHOWN: Final = 6
REVISION_SHOWN: Final = 12
NO_TIME: Final = "no time recorded"


@dataclass(frozen=True, slots=True)
class HeadView:
    """The head; it carries no verdict."""

    name: str
    """The wave's name, or `Unnamed wave`."""
    wave_id: str
    """Empty where none was recorded."""
    when: str
    """When it ran, or that no time was recorded."""
    size: str
    """Such as `3 personas, 4 goals and 2 targets: 48 planned sessions.`"""
    targets: tuple[str, ...]
    """Such as `Browser host (atlas-2-large)`; empty where none was recorded."""
    more_targets: str
    revision: str
    """The first characters of the source revision."""
    version: str
    """Version of this program; may be empty."""
    source: str
    """Name of what was read."""


def head_view(outline: Outline) -> HeadView:
    """Lay the head out.

    Rule: report.md section 3.1.
    """
    wave = outline.wave
    plan = wave.plan
    targets = [
        f"{target.plain} ({target.model})" if target.model else target.plain
        for target in recorded_targets(outline)
    ]
    left = len(targets) - TARGETS_SHOWN
    name = plan.name if plan is not None else None
    return HeadView(
        name=one_line(name or "", NAME_LIMIT) or _unnamed(outline),
        wave_id=one_line(plan.wave_id, NAME_LIMIT) if plan is not None else "",
        when=_when_of(wave),
        size=_size(outline),
        targets=tuple(targets[:TARGETS_SHOWN]),
        more_targets=f"and {plural(left, 'more target')}" if left > 0 else "",
        revision=wave.findings.source_revision[:REVISION_SHOWN],
        version=wave.provenance.reporter_version,
        source=one_line(wave.provenance.input_name, NAME_LIMIT),
    )


def recorded_targets(outline: Outline) -> list[TargetRef]:
    """Return the targets that a source named and that some run is on, in manifest order."""
    used = {cell.target_id for run in outline.runs for cell in run.cells}
    return [
        target
        for key, target in outline.targets.items()
        if key in used and target.plain != TARGET_UNRECORDED
    ]


def moment(ms: int | None) -> datetime | None:
    """Return a recorded time in UTC, or None where there is none that a calendar knows."""
    if ms is None:
        return None
    try:
        return datetime.fromtimestamp(ms / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def date_words(when: datetime) -> str:
    """Such as `12 March 2026`."""
    return f"{when.day} {when:%B} {when.year}"


def time_words(when: datetime) -> str:
    """Such as `12 March 2026, 09:14 UTC`."""
    return f"{date_words(when)}, {when:%H:%M} UTC"


def _when_of(wave: DerivedWave) -> str:
    """Say when the wave ran; where it does not say so itself, when its sessions did."""
    plan = wave.plan
    if plan is None or plan.created_at_ms is not None or plan.finished_at_ms is not None:
        return _when(plan.created_at_ms, plan.finished_at_ms) if plan else NO_TIME
    started = [fact for fact in wave.facts if fact.started] or list(wave.facts)
    timed = [fact for fact in started if fact.started_at_ms is not None]
    starts = [fact.started_at_ms for fact in timed if fact.started_at_ms is not None]
    ends = [fact.ended_at_ms for fact in timed if fact.ended_at_ms is not None]
    said = _when(min(starts, default=None), max(ends, default=None))
    if said == NO_TIME:
        return said
    some = "" if len(timed) == len(started) else f"{len(timed):,} of {len(started):,} "
    return f"{some}sessions of {said}"


def _when(created: int | None, finished: int | None) -> str:
    start, end = moment(created), moment(finished)
    if start is None and end is None:
        return NO_TIME
    if start is None or end is None:
        known = start or end
        word = "finished" if start is None else "begun"
        return f"{word} {time_words(known)}" if known else NO_TIME
    if end < start:
        return f"begun {time_words(start)} and finished before that, {time_words(end)}, as recorded"
    if start.date() == end.date():
        return f"{date_words(start)}, {start:%H:%M} to {end:%H:%M} UTC"
    return f"{time_words(start)} to {time_words(end)}"


def _unnamed(outline: Outline) -> str:
    name = outline.wave.provenance.input_name
    return one_line(name, NAME_LIMIT) or "Unnamed wave"


def _untried(outline: Outline, people: int, goals: int, targets: int) -> str:
    """Count what the wave lists and no run is about; mostly nothing."""
    named = [one for one in outline.targets.values() if one.plain != TARGET_UNRECORDED]
    parts = (
        (len(recorded(outline.personas)) - people, "persona"),
        (sum(goal.recorded for goal in outline.goals.values()) - goals, "goal"),
        (len(named) - targets, "target"),
    )
    said = [plural(count, word) for count, word in parts if count > 0]
    return f" Listed beside, and in no run: {listed(said)}." if said else ""


def _lacking(outline: Outline) -> list[tuple[str, int]]:
    """Count the sessions that record no persona, no goal and no target."""
    facts = outline.facts.values()
    goals, targets = outline.goals, outline.targets
    return [
        ("persona", sum(not is_recorded((one.persona_ref_id, one.persona_name)) for one in facts)),
        ("goal", sum(not goals[one.goal_id].recorded for one in facts)),
        ("target", sum(targets[one.target_id].plain == TARGET_UNRECORDED for one in facts)),
    ]


def _size(outline: Outline) -> str:
    population = outline.wave.findings.population
    people = len(recorded(run.persona for run in outline.runs))
    goals = sum(outline.goals[one].recorded for one in {run.goal_id for run in outline.runs})
    targets = len(recorded_targets(outline))
    counted = ((people, "persona"), (goals, "goal"), (targets, "target"))
    tried = listed([plural(count, word) for count, word in counted if count])
    missing = [word for count, word in counted if outline.runs and not count]
    unsaid = f" No {' and no '.join(missing)} was recorded." if missing else ""
    unsaid += _untried(outline, people, goals, targets)
    some = [
        f"{count:,} without a recorded {word}"
        for word, count in _lacking(outline)
        if count and word not in missing
    ]
    without = f", {listed(some)}" if some else ""
    lead = f"{tried}: " if tried else ""
    if is_without_plan(outline):
        sessions = f"{plural(population.configured, 'recorded session')}{without}"
        return f"{lead}{sessions}; how many were planned is not known.{unsaid}"
    return f"{lead}{plural(population.configured, 'planned session')}{without}.{unsaid}"
