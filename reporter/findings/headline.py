"""The summary's sentences, each a fact of its own that can be tested and marked."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from reporter.findings.causes import (
    LeadCause,
    Reach,
    Sighting,
    lead_cause,
    reach_of,
    sightings,
    signal_totals,
)
from reporter.findings.counted import count_of, units
from reporter.findings.goal_counts import goal_sentences, is_named, measured, task, unit_of, who
from reporter.findings.goal_reading import (
    STAGE_IN_TEXT,
    GoalReading,
    diagnosis,
    read_goals,
    representative,
)
from reporter.findings.no_claim import Sentence, not_launched, unread
from reporter.findings.people import (
    Names,
    for_persona,
    for_personas,
    is_recorded,
    persona_names,
    recorded,
)
from reporter.findings.text import first_words
from reporter.models.facts import SessionFacts
from reporter.models.finding import FindingRow, FindingSet, GoalIdentity
from reporter.models.manifest import GOAL_UNRECORDED
from reporter.models.plan import Plan
from reporter.vocabulary import (
    Disposition,
    Lifecycle,
    ScopeLevel,
    Signal,
    Stage,
    StageState,
    SummaryKind,
    Tone,
    tone_of,
)

_TITLE_WORDS: Final = 12
_GOALS_UNKNOWN: Final = "Every measured goal was met; the rows do not say which."


@dataclass(frozen=True, slots=True)
class HeadlineItem:
    """One sentence of a summary."""

    key: str
    """Which fact it states, such as `cause` or `reach`."""
    text: str
    is_model_words: bool = False

    @property
    def marked(self) -> str:
        """The sentence for a place without type: a model's words are said to be a model's."""
        if not self.is_model_words:
            return self.text
        return f"A model's words: “{self.text}”"


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
        return " ".join(item.marked for item in self.items)

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
        is_unplanned = plan is not None and plan.manifest_missing
        sessions = "recorded session" if is_unplanned else "planned session"
        return Headline(kind, (), _items(not_launched(findings, facts, sessions)), None)
    if kind is SummaryKind.UNREAD:
        return Headline(kind, (), _items(unread(findings)), None)
    cause = lead_cause(findings.rows)
    fix = HeadlineItem("fix", cause.fix, is_model_words=True) if cause and cause.fix else None
    if cause is not None:
        items = tuple(_cause(cause, findings, facts))
    elif signal_totals(findings.rows):
        items = tuple(_signal(findings, facts))
    else:
        items = tuple(_of_kind(findings, goals, facts))
    return Headline(kind, _items(goal_sentences(goals, findings.population)), items, fix)


def _names(findings: FindingSet) -> Names:
    return persona_names(
        (each.persona.persona_ref_id, each.persona.name) for each in findings.personas
    )


def _items(sentences: Iterable[Sentence]) -> tuple[HeadlineItem, ...]:
    return tuple(HeadlineItem(key, text) for key, text in sentences)


def _cause(
    cause: LeadCause, findings: FindingSet, facts: Sequence[SessionFacts]
) -> Iterator[HeadlineItem]:
    if cause.phrase:
        yield HeadlineItem("cause", cause.phrase, is_model_words=True)
    sessions = len(cause.session_ids)
    seen = _in_read(sessions, findings)
    across = f", across {cause.reach.goals:,} goals" if cause.reach.goals > 1 else ""
    yield HeadlineItem("reach", f"Seen {seen}{across}.")
    if cause.stage is not None:
        yield HeadlineItem("stage", _stage_line(cause, facts))
    yield HeadlineItem("where", _where("The cause", cause.reach, _names(findings)))


def _stage_line(cause: LeadCause, facts: Sequence[SessionFacts]) -> str:
    sessions = len(cause.session_ids)
    stage = STAGE_IN_TEXT[cause.stage] if cause.stage else ""
    if cause.measured:
        every = "that session" if sessions == 1 else f"all {sessions:,}"
        # Their chains failed there; something before it may have failed as well.
        return f"The link that broke is {stage}, measured in {every}."
    lead = f"The explanation points at {stage};"
    counted = [each for each in facts if each.session_id in cause.session_ids]
    if cause.stage is None or not counted:
        return f"{lead} the recorded chains do not all show it."
    failed = sum(_failed_at(each, cause.stage) for each in counted)
    return f"{lead} this link failed in {count_of(failed, sessions)}."


def _failed_at(session: SessionFacts, stage: Stage) -> bool:
    return session.chain is not None and session.chain.row(stage).state is StageState.FAILED


def _signal(findings: FindingSet, facts: Sequence[SessionFacts]) -> Iterator[HeadlineItem]:
    signal, keyed = signal_totals(findings.rows)[0]
    if facts:
        yield from _seen_signal(signal, keyed, findings, facts)
        return
    text = f"{signal.label} {_in_read(keyed, findings)}"
    beside = "each session is counted under its first recorded fact"
    yield HeadlineItem("signal", f"{text}; {beside}.")
    rows = [row.finding for row in findings.rows if row.finding.signal is signal]
    yield HeadlineItem("where", _where("This fact", reach_of(sightings(rows)), _names(findings)))


def _seen_signal(
    signal: Signal, keyed: int, findings: FindingSet, facts: Sequence[SessionFacts]
) -> Iterator[HeadlineItem]:
    """Count every session that shows the signal, also those whose rows name another."""
    read = [session for session in facts if session.is_read]
    matches = Counter(match.signal for session in read for match in session.signals)
    seen = [each for each in read if any(match.signal is signal for match in each.signals)]
    beside = "no other recorded fact was seen in more"
    if max(matches.values()) > len(seen):
        beside = f"more sessions are counted first under this fact ({keyed:,}) than under any other"
    text = f"{signal.label} {_in_read(len(seen), findings)}; {beside}."
    yield HeadlineItem("signal", text)
    places = [
        Sighting(
            GoalIdentity(run_id=each.run_id, journey_ref_id=each.goal_id, title=each.goal_title),
            (each.persona_ref_id, each.persona_name),
            frozenset({each.session_id}),
        )
        for each in seen
    ]
    yield HeadlineItem("where", _where("This fact", reach_of(places), _names(findings)))


def _in_read(sessions: int, findings: FindingSet) -> str:
    read = findings.population.read
    if read == 0:
        return f"in {units(sessions, 'session')}, of how many read is not measured"
    return f"in {count_of(sessions, read, 'read session')}"


def _where(what: str, reach: Reach, names: Names) -> str:
    at = f"in “{reach.title}”"
    if reach.title == GOAL_UNRECORDED:
        at = "where no goal was recorded"
    if reach.goals == 1:
        place = at
    elif reach.is_most:
        place = f"most often {at}"
    else:
        place = f"in {reach.goals:,} goals, in none more often than {at}"
    whom = for_personas(reach.personas, names)
    # The personas are those of the goal that is named, not of every goal.
    there = whom if reach.goals == 1 else whom.replace(", for", ", there for", 1)
    return f"{what} was seen {place}{there}."


def _of_kind(
    findings: FindingSet, goals: Sequence[GoalReading], facts: Sequence[SessionFacts]
) -> Iterator[HeadlineItem]:
    match findings.summary_kind:
        case SummaryKind.BROKEN:
            return _broken(goals, _names(findings))
        case SummaryKind.FRICTION:
            return _friction(goals, _names(findings))
        case SummaryKind.LANDED:
            return _landed(goals)
        case _:
            return _ungraded(findings, facts)


def _broken(goals: Sequence[GoalReading], names: Names) -> Iterator[HeadlineItem]:
    broken = [goal for goal in goals if tone_of(goal.outcome) is Tone.FAIL]
    lead = _worst(broken)
    if lead is None:
        yield HeadlineItem("goal", "At least one goal was not met; the rows do not say which.")
        return
    found = diagnosis(_of_lead_target(lead))
    text = f"{_subject(lead)} was not met{for_persona(who(lead), names)}{_in_some(lead, goals)}."
    yield HeadlineItem("goal", f"{text} {found.text}" if found else text)
    others = _others(lead, broken, goals)
    if others:
        yield HeadlineItem("others", others)
    yield HeadlineItem("feeling", _feeling(lead, goals, names))


def _others(lead: GoalReading, broken: Sequence[GoalReading], goals: Sequence[GoalReading]) -> str:
    """Say how many other personas missed a goal; empty where nobody can be counted."""
    people = recorded(map(who, goals)) - {who(lead)}
    count = len(people & set(map(who, broken)))
    has = "has" if count == 1 else "have"
    missed = "a goal that was not met"
    if not is_recorded(who(lead)):
        return f"{units(count, 'recorded persona')} also {has} {missed}." if count else ""
    if count:
        return f"{units(count, 'other persona')} also {has} {missed}."
    if not people:
        return "There is no other recorded persona."
    return f"No other persona is known to have {missed}."


def _friction(goals: Sequence[GoalReading], names: Names) -> Iterator[HeadlineItem]:
    known = measured(goals)
    uneasy = [goal for goal in known if tone_of(goal.outcome) is Tone.WARN]
    lead = _worst(uneasy)
    if lead is None:
        yield HeadlineItem("count", "A goal was met with friction; the rows do not say which.")
        return
    one, many = unit_of(goals, "measured ")
    verb = "was" if len(uneasy) == 1 else "were"
    counted = count_of(len(uneasy), len(known), one, many)
    yield HeadlineItem("count", f"{counted} {verb} met with friction; none was missed.")
    met = f"{_subject(lead)} was met{for_persona(who(lead), names)}"
    text = f"{met}, though not smoothly{_in_some(lead, goals)}.{_failed_on_the_way(lead)}"
    yield HeadlineItem("goal", text)
    yield HeadlineItem("feeling", _feeling(lead, goals, names))


def _failed_on_the_way(goal: GoalReading) -> str:
    row = goal.representative
    if row is None or row.finding.chain_stage is None:
        return ""
    if row.finding.chain_stage_state is not StageState.FAILED:
        return ""
    return f" A link failed on the way: {STAGE_IN_TEXT[row.finding.chain_stage]}."


def _landed(goals: Sequence[GoalReading]) -> Iterator[HeadlineItem]:
    known = measured(goals)
    people = set(map(who, known))
    if known:
        named = {task(goal) for goal in known if is_named(goal)}
        text = f"Every measured goal was met: {units(len(named), 'goal')}"
        if len(named) < len(set(map(task, known))):
            beside = ", and what was tried without a recorded one"
            text = f"{text}{beside}" if named else "All that was measured was met"
        if people == recorded(people):
            text += f", tried by {units(len(people), 'persona')}"
        yield HeadlineItem("met", f"{text}.")
    else:
        yield HeadlineItem("met", _GOALS_UNKNOWN)
    yield from _unknown(goals)


def _unknown(goals: Sequence[GoalReading]) -> Iterator[HeadlineItem]:
    one, many = unit_of(goals)
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
    open_ended = sum(session.started and session.lifecycle in going for session in facts)
    if open_ended:
        # Whether they still run, or were cut short, is not on record.
        has = "has" if open_ended == 1 else "have"
        still = count_of(open_ended, counts.started, "started session")
        yield HeadlineItem("running", f"{still} {has} no recorded end, and no deciding grade.")
    elif facts:
        # Ended, not finished: some may have been taken back or have broken off.
        yield HeadlineItem("finished", f"{_all_of(counts.started)} ended without a deciding grade.")
    else:
        started = units(counts.started, "started session")
        yield HeadlineItem("graded", f"{counts.graded:,} of {started} got a grade.")
    yield HeadlineItem("caution", "That is no evidence that the server held.")


def _all_of(started: int) -> str:
    if started <= 2:  # noqa: PLR2004  of two, nobody says "all"
        return "The one started session" if started == 1 else "Both started sessions"
    return f"All {started:,} started sessions"


def _worst(goals: Sequence[GoalReading]) -> GoalReading | None:
    lead = representative(row for goal in goals for row in goal.rows)
    if lead is None:
        return None
    return next(goal for goal in goals if goal.run_id == lead.finding.goal.run_id)


def _subject(goal: GoalReading) -> str:
    if not is_named(goal):
        return "What was tried without a recorded goal"
    return f"“{first_words(goal.goal.title, _TITLE_WORDS)}”"


def _in_some(goal: GoalReading, goals: Sequence[GoalReading]) -> str:
    """Say that not all of a goal's sessions need have come out as it did."""
    alone = _is_one_session(goal) and not _has_other_runs(goal, goals)
    return "" if alone else " in at least one session"


def _is_one_session(goal: GoalReading) -> bool:
    rows = [row.finding for row in goal.rows if row.finding.scope_level is ScopeLevel.GOAL]
    places = {row.target for row in rows}
    return len(places) == 1 and all(row.population.total == 1 for row in rows)


def _has_other_runs(goal: GoalReading, goals: Sequence[GoalReading]) -> bool:
    """Tell whether the same persona tried the same task in another run as well."""
    return sum((who(one), task(one)) == (who(goal), task(goal)) for one in goals) > 1


def _of_lead_target(goal: GoalReading) -> list[FindingRow]:
    """Return the rows of the target that the goal takes its word from: no link of another's."""
    lead = goal.representative
    return [row for row in goal.rows if lead and row.finding.target == lead.finding.target]


def _feeling(goal: GoalReading, goals: Sequence[GoalReading], names: Names) -> str:
    """Say how the lead row's sessions left the persona, and how many of how many those were."""
    # Other personas and their goals were spoken of in the meantime.
    what = "The goal named here" if is_named(goal) else "What was tried without a recorded goal"
    whom = names.get(who(goal), goal.persona.name) if is_recorded(who(goal)) else "the person"
    return f"{what} left {whom} {goal.disposition.label.lower()}{_share(goal, goals)}."


def _share(goal: GoalReading, goals: Sequence[GoalReading]) -> str:
    lead, repeated = goal.representative, _has_other_runs(goal, goals)
    if lead is None or (_is_one_session(goal) and not repeated):
        return ""
    finding = lead.finding
    if finding.scope_level is ScopeLevel.SESSION:
        return " in one session"
    share = count_of(finding.population.count, finding.population.total, "started session")
    several = len({row.finding.target for row in goal.rows}) > 1
    place = f" on {finding.target.label}" if several else ""
    return f" in {share}{place}{' of one run' if repeated else ''}"
