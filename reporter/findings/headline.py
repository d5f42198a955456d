"""The summary's sentences, each a fact of its own that can be tested and marked."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from reporter.findings.causes import LeadCause, Reach, lead_cause, reach_of, signal_totals
from reporter.findings.counted import count_of, listed, units
from reporter.findings.goal_reading import (
    STAGE_IN_TEXT,
    GoalReading,
    diagnosis,
    read_goals,
    representative,
)
from reporter.findings.population import failed_to_launch
from reporter.findings.refusals import refusals
from reporter.findings.text import first_words
from reporter.models.facts import SessionFacts
from reporter.models.finding import FindingSet
from reporter.models.plan import Plan
from reporter.vocabulary import Disposition, Lifecycle, StageState, SummaryKind, Tone, tone_of

_TITLE_WORDS = 12
_GOALS_UNKNOWN = "Every measured goal was met; the rows do not say which."


@dataclass(frozen=True, slots=True)
class HeadlineItem:
    """One sentence of a summary."""

    key: str
    """Which fact it states, such as `cause` or `reach`."""
    text: str
    is_model_words: bool = False


@dataclass(frozen=True, slots=True)
class Headline:
    """What a summary says, in order."""

    kind: SummaryKind
    goals: tuple[HeadlineItem, ...]
    """How the goals came out, in one or two sentences; empty where nothing may be claimed."""
    items: tuple[HeadlineItem, ...]
    """The facts of the kind, in the contract's order; never empty."""
    fix: HeadlineItem | None
    """The lead cause's fix, a model's words, or None."""

    @property
    def text(self) -> str:
        """The facts of the kind as one paragraph."""
        return " ".join(item.text for item in self.items)

    @property
    def has_model_words(self) -> bool:
        """True where a model wrote some of it."""
        return self.fix is not None or any(item.is_model_words for item in self.items)


def headline(
    findings: FindingSet, plan: Plan | None = None, facts: Sequence[SessionFacts] = ()
) -> Headline:
    """Write the summary of a wave.

    Args:
        findings: The findings, of a recording or of a published document.
        plan: Its plan, or None; only then are goals without rows known by title.
        facts: Its sessions; without them no recorded refusal can be quoted, and whether
            sessions are still running is not known.

    Rule: findings.md section 13.1.
    """
    kind = findings.summary_kind
    goals = read_goals(findings, plan)
    if kind is SummaryKind.NOT_LAUNCHED:
        return Headline(kind, (), tuple(_not_launched(findings, facts)), None)
    if kind is SummaryKind.UNREAD:
        return Headline(kind, (), tuple(_unread(findings)), None)
    cause = lead_cause(findings.rows)
    fix = HeadlineItem("fix", cause.fix, is_model_words=True) if cause and cause.fix else None
    if cause is not None:
        items = tuple(_cause(cause, findings))
    elif signal_totals(findings.rows):
        items = tuple(_signal(findings))
    else:
        items = tuple(_of_kind(findings, goals, facts))
    return Headline(kind, tuple(_goals(goals)), items, fix)


def _not_launched(findings: FindingSet, facts: Sequence[SessionFacts]) -> Iterator[HeadlineItem]:
    counts = findings.population
    failed = failed_to_launch(counts)
    if failed:
        text = f"{count_of(failed, counts.configured, 'planned session')} failed to launch."
        yield HeadlineItem("failedToLaunch", text)
    if counts.limited:
        was = "was" if counts.limited == 1 else "were"
        text = (
            f"{count_of(counts.limited, counts.configured, 'planned session')} {was} rate limited."
        )
        yield HeadlineItem("rateLimited", text)
    yield HeadlineItem("untested", "Nothing about the server was tested.")
    yield HeadlineItem("reason", _refusal(facts))


def _refusal(facts: Sequence[SessionFacts]) -> str:
    if not facts:
        return "The document does not say why."
    found = refusals(facts)
    if not found.reasons:
        return "No reason was recorded."
    top = found.reasons[0]
    # A recorded sentence brings its own full stop.
    said = f"“{top.text}”" if top.text.endswith((".", "!", "?")) else f"“{top.text}”."
    if top.sessions < found.never_ran:
        told = count_of(top.sessions, found.never_ran, "session that", "sessions that")
        text = f"The reason recorded most often, for {told} never ran: {said}"
    elif found.never_ran == 1:
        text = f"The recorded reason: {said}"
    else:
        text = f"The recorded reason, the same for all {found.never_ran:,} sessions: {said}"
    if top.origin == "service":
        text += " It came from the service that ran the swarm, not from a model provider."
    return text


def _unread(findings: FindingSet) -> Iterator[HeadlineItem]:
    counts = findings.population
    verb = "was" if counts.started == 1 else "were"
    read = count_of(counts.read, counts.started, "started session")
    yield HeadlineItem("read", f"Only {read} {verb} read. Nothing else is claimed.")


def _cause(cause: LeadCause, findings: FindingSet) -> Iterator[HeadlineItem]:
    if cause.phrase:
        yield HeadlineItem("cause", cause.phrase, is_model_words=True)
    sessions = len(cause.session_ids)
    seen = _in_read(sessions, findings)
    across = f", across {cause.reach.goals:,} goals" if cause.reach.goals > 1 else ""
    yield HeadlineItem("reach", f"Seen {seen}{across}.")
    if cause.stage is not None:
        yield HeadlineItem("stage", _stage_line(cause, sessions))
    yield HeadlineItem("where", _where(cause.reach))


def _stage_line(cause: LeadCause, sessions: int) -> str:
    stage = STAGE_IN_TEXT[cause.stage] if cause.stage else ""
    if cause.measured:
        every = "that session" if sessions == 1 else f"all {sessions:,}"
        return f"The link that broke first is {stage}, measured in {every}."
    return f"The explanation points at {stage}; the recorded chains do not all show it."


def _signal(findings: FindingSet) -> Iterator[HeadlineItem]:
    signal, sessions = signal_totals(findings.rows)[0]
    label = signal.label[0].lower() + signal.label[1:]
    yield HeadlineItem("signal", f"Recorded most often, {_in_read(sessions, findings)}: {label}.")
    rows = [row.finding for row in findings.rows if row.finding.signal is signal]
    yield HeadlineItem("where", _where(reach_of(rows)))


def _in_read(sessions: int, findings: FindingSet) -> str:
    read = findings.population.read
    if read == 0:
        return f"in {units(sessions, 'session')}, of how many read is not measured"
    return f"in {count_of(sessions, read, 'read session')}"


def _where(reach: Reach) -> str:
    most = "most often in" if reach.goals > 1 else "in"
    return f"It was seen {most} “{reach.title}”, for {listed(reach.personas)}."


def _of_kind(
    findings: FindingSet, goals: Sequence[GoalReading], facts: Sequence[SessionFacts]
) -> Iterator[HeadlineItem]:
    match findings.summary_kind:
        case SummaryKind.BROKEN:
            return _broken(goals)
        case SummaryKind.FRICTION:
            return _friction(goals)
        case SummaryKind.LANDED:
            return _landed(goals)
        case _:
            return _ungraded(findings, facts)


def _broken(goals: Sequence[GoalReading]) -> Iterator[HeadlineItem]:
    broken = [goal for goal in goals if tone_of(goal.outcome) is Tone.FAIL]
    lead = _worst(broken)
    if lead is None:
        yield HeadlineItem("goal", "At least one goal was not met; the rows do not say which.")
        return
    name = lead.persona.name
    found = diagnosis(lead.rows)
    text = f"“{_title(lead)}” was not met for {name}."
    yield HeadlineItem("goal", f"{text} {found.text}" if found else text)
    others = {_who(goal) for goal in broken} - {_who(lead)}
    if others:
        too = "also has" if len(others) == 1 else "also have"
        yield HeadlineItem("others", f"{units(len(others), 'other persona')} {too} a blocked goal.")
    else:
        yield HeadlineItem("others", "No other persona has a blocked goal.")
    yield HeadlineItem("feeling", _feeling(lead, lead.outcome))


def _friction(goals: Sequence[GoalReading]) -> Iterator[HeadlineItem]:
    measured = _measured(goals)
    uneasy = [goal for goal in measured if tone_of(goal.outcome) is Tone.WARN]
    lead = _worst(uneasy)
    if lead is None:
        yield HeadlineItem("count", "A goal was met with friction; the rows do not say which.")
        return
    one, many = _unit(goals, "measured ")
    verb = "was" if len(uneasy) == 1 else "were"
    counted = count_of(len(uneasy), len(measured), one, many)
    yield HeadlineItem("count", f"{counted} {verb} met with friction; nothing stopped a goal.")
    text = f"“{_title(lead)}” was met for {lead.persona.name}, though not smoothly."
    yield HeadlineItem("goal", f"{text}{_failed_on_the_way(lead)}")
    yield HeadlineItem("feeling", _feeling(lead, lead.outcome))


def _failed_on_the_way(goal: GoalReading) -> str:
    row = representative(goal.rows)
    if row is None or row.finding.chain_stage is None:
        return ""
    if row.finding.chain_stage_state is not StageState.FAILED:
        return ""
    return f" A link failed on the way: {STAGE_IN_TEXT[row.finding.chain_stage]}."


def _landed(goals: Sequence[GoalReading]) -> Iterator[HeadlineItem]:
    measured = _measured(goals)
    tasks = len({goal.goal.journey_ref_id for goal in measured})
    people = len(set(map(_who, measured)))
    what = f"Every measured goal was met: {units(tasks, 'goal')}, tried by "
    text = f"{what}{units(people, 'persona')}." if measured else _GOALS_UNKNOWN
    yield HeadlineItem("met", text)
    yield from _unknown(goals)


def _unknown(goals: Sequence[GoalReading]) -> Iterator[HeadlineItem]:
    one, many = _unit(goals)
    for key, disposition, verb in (
        ("notMeasured", Disposition.NOT_MEASURED, "not measured"),
        ("notRun", Disposition.NOT_RUN, "not run"),
    ):
        count = sum(goal.outcome is disposition for goal in goals)
        if count:
            was = "was" if count == 1 else "were"
            yield HeadlineItem(key, f"{count_of(count, len(goals), one, many)} {was} {verb}.")


def _ungraded(findings: FindingSet, facts: Sequence[SessionFacts]) -> Iterator[HeadlineItem]:
    counts = findings.population
    going = (Lifecycle.PENDING, Lifecycle.RUNNING)
    running = sum(session.started and session.lifecycle in going for session in facts)
    started = units(counts.started, "started session")
    if running:
        verb = "is" if running == 1 else "are"
        still = count_of(running, counts.started, "started session")
        yield HeadlineItem("running", f"{still} {verb} still running, and nothing was graded.")
    elif facts:
        yield HeadlineItem("finished", f"{_all_of(counts.started)} finished with nothing graded.")
    else:
        yield HeadlineItem("graded", f"{counts.graded:,} of {started} got a grade.")
    yield HeadlineItem("caution", "That is no evidence that the server held.")


def _all_of(started: int) -> str:
    return "The one started session" if started == 1 else f"All {started:,} started sessions"


def _goals(goals: Sequence[GoalReading]) -> Iterator[HeadlineItem]:
    """Say how the goals came out: first the authored tasks, then their runs by outcome."""
    if len(goals) < 2:  # noqa: PLR2004  one goal needs no parts
        yield from (
            HeadlineItem("goals", f"The one goal was {word}.")
            for word, count in _by_outcome(goals)
            if count
        )
        return
    broken = [goal for goal in goals if tone_of(goal.outcome) is Tone.FAIL]
    tasks = {goal.goal.journey_ref_id or goal.run_id for goal in goals}
    if broken:
        blocked = {goal.goal.journey_ref_id or goal.run_id for goal in broken}
        people = set(map(_who, goals))
        was = "was" if len(blocked) == 1 else "were"
        whom = f" for at least one of {len(people):,} personas" if len(people) > 1 else ""
        text = f"{count_of(len(blocked), len(tasks), 'goal')} {was} blocked{whom}."
        yield HeadlineItem("goals", text)
    elif not _measured(goals):
        yield HeadlineItem("goals", f"None of {units(len(tasks), 'goal')} was measured.")
        return
    else:
        yield HeadlineItem("goals", f"None of {units(len(tasks), 'goal')} was blocked.")
    one, many = _unit(goals)
    found = [(count, word) for word, count in _by_outcome(goals) if count]
    was = "was" if found[0][0] == 1 else "were"
    parts = [f"{count:,} {word}" for count, word in found]
    parts[0] = f"{found[0][0]:,} {was} {found[0][1]}"
    yield HeadlineItem("outcomes", f"Of {units(len(goals), one, many)}, {listed(parts)}.")


def _by_outcome(goals: Sequence[GoalReading]) -> list[tuple[str, int]]:
    def count(wanted: Iterable[Disposition]) -> int:
        return sum(goal.outcome in set(wanted) for goal in goals)

    failing = [word for word in Disposition if tone_of(word) is Tone.FAIL]
    words = {
        "blocked": failing,
        "met with friction": [Disposition.GOAL_MET_WITH_FRICTION],
        "met": [Disposition.GOAL_MET],
        "not measured": [Disposition.NOT_MEASURED],
        "not run": [Disposition.NOT_RUN],
    }
    return [(word, count(members)) for word, members in words.items()]


def _unit(goals: Sequence[GoalReading], kind: str = "") -> tuple[str, str]:
    """Name what is counted: goals where each was tried once, else persona and goal pairs."""
    tasks = {goal.goal.journey_ref_id or goal.run_id for goal in goals}
    unit = "goal" if len(tasks) == len(goals) else "persona and goal pair"
    return f"{kind}{unit}", f"{kind}{unit}s"


def _measured(goals: Sequence[GoalReading]) -> list[GoalReading]:
    return [goal for goal in goals if tone_of(goal.outcome) is not Tone.MUTED]


def _worst(goals: Sequence[GoalReading]) -> GoalReading | None:
    lead = representative(row for goal in goals for row in goal.rows)
    if lead is None:
        return None
    return next(goal for goal in goals if goal.run_id == lead.finding.goal.run_id)


def _who(goal: GoalReading) -> tuple[str | None, str]:
    return (goal.persona.persona_ref_id, goal.persona.name)


def _title(goal: GoalReading) -> str:
    return first_words(goal.goal.title, _TITLE_WORDS)


def _feeling(goal: GoalReading, disposition: Disposition) -> str:
    return f"It left {goal.persona.name} {disposition.label.lower()}."
