"""How the goals of a wave came out, counted in one or two sentences."""

from collections.abc import Iterable, Sequence

from reporter.findings.counted import count_of, listed, units
from reporter.findings.fold import fold
from reporter.findings.goal_reading import GoalReading
from reporter.findings.people import is_recorded, recorded
from reporter.models.finding import Population
from reporter.models.manifest import GOAL_UNRECORDED
from reporter.models.plan import PersonaKey
from reporter.vocabulary import Disposition, Tone, tone_of


def who(goal: GoalReading) -> PersonaKey:
    """Return the pair that identifies a goal's persona."""
    return (goal.persona.persona_ref_id, goal.persona.name)


def task(goal: GoalReading) -> str:
    """Return what identifies the authored task, as far as is known."""
    return goal.goal.journey_ref_id or goal.run_id


def measured(goals: Iterable[GoalReading]) -> list[GoalReading]:
    """Return the goals that came out one way or the other."""
    return [goal for goal in goals if tone_of(goal.outcome) is not Tone.MUTED]


def is_named(goal: GoalReading) -> bool:
    """Tell whether a goal was recorded, or only stands for the want of one."""
    return goal.goal.title != GOAL_UNRECORDED


def unit_of(goals: Sequence[GoalReading], kind: str = "") -> tuple[str, str]:
    """Name what is counted, one and many.

    Goals, where each was tried once; else persona and goal pairs, or runs where it is not
    on record who all the personas are, or what all the goals, or where a persona tried one
    in several.
    """
    pairs = {(who(goal), task(goal)) for goal in goals}
    if not all(map(is_named, goals)):
        unit = "run"
    elif len({task(goal) for goal in goals}) == len(goals):
        unit = "goal"
    elif len(pairs) == len(goals) and all(is_recorded(who(goal)) for goal in goals):
        unit = "persona and goal pair"
    else:
        unit = "run"
    return f"{kind}{unit}", f"{kind}{unit}s"


def goal_sentences(goals: Sequence[GoalReading], population: Population) -> list[tuple[str, str]]:
    """Say how the goals came out: the authored tasks, then their runs by outcome.

    A goal takes the word of its worst session. Where one may have had several, the
    sentences say so; and where some outcome is not known, they say what is known. What was
    tried without a recorded goal is no goal, and is said apart.

    Returns:
        Key and text of each sentence; none for a wave without goals.

    Rule: findings.md sections 6 and 13.1; report.md section 2, every count.
    """
    once = population.configured == len(goals)
    sure = population.graded == population.configured
    named = [goal for goal in goals if is_named(goal)]
    if len(named) < len(goals):
        rest = fold([goal.outcome for goal in goals if not is_named(goal)])
        return _with_unnamed(goal_sentences(named, population), _one(rest, once=once, sure=sure))
    tasks = len({task(goal) for goal in goals})
    if not goals:
        return []
    if len(goals) == 1:
        return [("goals", f"The one goal was {_one(goals[0].outcome, once=once, sure=sure)}.")]
    if not measured(goals):
        text = "The one goal was not" if tasks == 1 else f"None of {units(tasks, 'goal')} was"
        return [("goals", f"{text} measured.")]
    outcomes = ("outcomes", _outcomes(goals, once=once))
    if tasks == len(goals):
        # Each goal was tried by one persona: the parts say all that a sum could.
        return [outcomes]
    return [("goals", _tasks(goals, once=once, sure=sure)), outcomes]


def _with_unnamed(said: list[tuple[str, str]], word: str) -> list[tuple[str, str]]:
    """Say what came of sessions without a recorded goal, behind what is said of goals."""
    if not said:
        return [("goals", f"No goal was recorded; what was tried was {word}.")]
    return [*said, ("unnamed", f"What was tried without a recorded goal was {word}.")]


def _one(outcome: Disposition, *, once: bool, sure: bool) -> str:
    match tone_of(outcome):
        case Tone.FAIL:
            return "not met" if once else "not met in at least one session"
        case Tone.WARN:
            return "met with friction" if once else "met, with friction in at least one session"
        case Tone.OK:
            return "met" if sure else "met wherever it was measured"
        case Tone.MUTED:
            return "not run" if outcome is Disposition.NOT_RUN else "not measured"


def _tasks(goals: Sequence[GoalReading], *, once: bool, sure: bool) -> str:
    tasks = {task(goal) for goal in goals}
    missed = {task(goal) for goal in goals if tone_of(goal.outcome) is Tone.FAIL}
    if not missed:
        known = "was missed" if sure else "is known to have been missed"
        if len(tasks) == 1:
            return f"The one goal {known.replace(' ', ' not ', 1)}."
        return f"None of {units(len(tasks), 'goal')} {known}."
    people = {who(goal) for goal in goals}
    whom = "" if once else " in at least one session"
    if once and len(people) > 1 and people == recorded(people):
        whom = f" for at least one of {len(people):,} personas"
    was = "was" if len(missed) == 1 else "were"
    subject = "The one goal" if len(tasks) == 1 else count_of(len(missed), len(tasks), "goal")
    return f"{subject} {was} not met{whom}."


def _outcomes(goals: Sequence[GoalReading], *, once: bool) -> str:
    one, many = unit_of(goals)
    found = [(count, word) for word, count in _by_outcome(goals) if count]
    was = "was" if found[0][0] == 1 else "were"
    parts = [f"{count:,} {word}" for count, word in found]
    parts[0] = f"{found[0][0]:,} {was} {found[0][1]}"
    worst = "" if once else " each by its worst known session,"
    return f"Of {units(len(goals), one, many)},{worst} {listed(parts)}."


def _by_outcome(goals: Sequence[GoalReading]) -> list[tuple[str, int]]:
    def count(wanted: Iterable[Disposition]) -> int:
        return sum(goal.outcome in set(wanted) for goal in goals)

    failing = [word for word in Disposition if tone_of(word) is Tone.FAIL]
    words = {
        "not met": failing,
        "met with friction": [Disposition.GOAL_MET_WITH_FRICTION],
        "met": [Disposition.GOAL_MET],
        "not measured": [Disposition.NOT_MEASURED],
        "not run": [Disposition.NOT_RUN],
    }
    return [(word, count(members)) for word, members in words.items()]
