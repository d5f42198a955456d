"""Where the planned sessions went: four steps on one scale, and how they came out."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from reporter.findings.population import NotStarted, Tally, failed_to_launch, tally_of
from reporter.models.facts import SessionFacts
from reporter.models.finding import Population
from reporter.view.attempts import broke_off_unseen
from reporter.view.count import Bar, bar
from reporter.view.outcomes import Outcomes, outcomes_of
from reporter.view.outline import Outline, slot_kind
from reporter.view.text import plural
from reporter.vocabulary import ReadState, SessionVerdictReason


@dataclass(frozen=True, slots=True)
class LedgerStep:
    """One step of the population."""

    label: str
    """`Configured`, `Started`, `Read` or `Graded`."""
    count: int
    bar: Bar
    """Over the configured sessions; what left is outlined."""
    left: str
    """What left before this step, in words; empty where nothing did."""


@dataclass(frozen=True, slots=True)
class LedgerView:
    """The population of a wave as a picture and as words."""

    title: str
    steps: tuple[LedgerStep, ...]
    outcomes: Outcomes | None
    """None for a document that came without a recording: outcomes of sessions are not in it."""
    launch: str
    """The launch line."""


def ledger_view(outline: Outline) -> LedgerView:
    """Lay the population out.

    Rule: report.md section 3.2; findings.md section 7.
    """
    population = outline.wave.findings.population
    tally = tally_of(outline.facts.values()) if outline.recorded else None
    kind = f"{slot_kind(outline)} session"
    planned = kind if population.configured == 1 else plural(population.configured, kind)
    return LedgerView(
        title=f"Where the {planned} went",
        steps=_steps(outline, population, tally),
        outcomes=_outcomes(tally) if tally else None,
        launch=launch_words(population, tally.launch if tally else None, kind),
    )


def _steps(outline: Outline, population: Population, tally: Tally | None) -> tuple[LedgerStep, ...]:
    whole = population.configured
    gone = whole - population.started
    ungraded = population.started - population.graded
    return (
        LedgerStep("Configured", whole, _bar(whole, whole, "configured"), ""),
        LedgerStep(
            "Started",
            population.started,
            _bar(population.started, whole, "started"),
            _not_started(tally.launch) if tally and gone else _plain(gone, "did not"),
        ),
        LedgerStep(
            "Read",
            population.read,
            _bar(population.read, whole, "read"),
            _unread(outline, population.unread),
        ),
        LedgerStep(
            "Graded",
            population.graded,
            _bar(population.graded, whole, "graded"),
            _ungraded(outline)
            if tally and ungraded
            else _plain(ungraded, f"started and {'was' if ungraded == 1 else 'were'} not"),
        ),
    )


def _bar(count: int, whole: int, word: str) -> Bar:
    return bar(
        [("ink", count), ("gone", max(0, whole - count))],
        f"{count:,} of {plural(whole, 'session')} {word}",
    )


def _unread(outline: Outline, unread: int) -> str:
    states = Counter(fact.read_state for fact in outline.facts.values() if fact.started)
    missed = [state for state in ReadState if state is not ReadState.READ]
    why = [f"{state.label} ({states[state]:,})" for state in missed if states[state]]
    if len(why) == 1:
        why = [state.label for state in missed if states[state]]
    verb = "was" if unread == 1 else "were"
    words = f"started and {verb} not read"
    if not unread or not why:
        return _plain(unread, words)
    return f"{unread:,} {words}: {', '.join(why)}"


def _plain(count: int, words: str) -> str:
    return f"{count:,} {words}" if count else ""


def _not_started(launch: NotStarted) -> str:
    return f"{launch.total:,} did not: {', '.join(ways(launch))}"


def ways(launch: NotStarted) -> list[str]:
    """Name every way in which sessions did not start, with its number.

    Rule: findings.md section 7, launch line.
    """
    parts = (
        (launch.rate_limited, "rate limited"),
        (launch.withdrawn, "withdrawn before starting"),
        (launch.pending_or_running, "pending or still running"),
        (launch.failed, "failed before the first message"),
        (launch.silent, "completed without a recorded message"),
    )
    return [f"{count:,} {words}" for count, words in parts if count]


def _ungraded(outline: Outline) -> str:
    # Several reasons are one and the same to who reads how far sessions came.
    order = list(SessionVerdictReason)
    open_ones = [fact for fact in outline.facts.values() if fact.started and not fact.is_graded]
    open_ones.sort(key=lambda fact: order.index(fact.verdict.reason))
    why = Counter(map(_short, open_ones))
    total = len(open_ones)
    parts = [f"{count:,} {words}" for words, count in why.items()]
    said = ", ".join(parts) if len(parts) > 1 else next(iter(why))
    return f"{total:,} started and {'was' if total == 1 else 'were'} not: {said}"


_SHORT: Final[Mapping[SessionVerdictReason, str]] = {
    SessionVerdictReason.ATTEMPT_PENDING: "no end on record",
    SessionVerdictReason.ATTEMPT_RUNNING: "no end on record",
    SessionVerdictReason.WITHDRAWN: "withdrawn midway",
    SessionVerdictReason.SPEND_CAP_REACHED: "stopped by a spending cap",
    SessionVerdictReason.NOT_RUN: "rate limited",
    SessionVerdictReason.GRADING_UNAVAILABLE: "grading not done",
    SessionVerdictReason.EXECUTION_FAILED: "never connected",
    SessionVerdictReason.CRITERIA_GRADING_ERRORED: "grading the checks broke",
    SessionVerdictReason.GATING_CRITERION_UNMEASURED: "a required check without a score",
    SessionVerdictReason.JUDGE_ERRORED: "judge broke",
    SessionVerdictReason.CRITERIA_PENDING: "checks still owed",
    SessionVerdictReason.GRADING_NOT_CLAIMED: "taken up by no grader",
    SessionVerdictReason.JUDGE_PENDING: "judge's word still owed",
    SessionVerdictReason.UNGRADED: "no deciding grade",
}


def _short(fact: SessionFacts) -> str:
    if broke_off_unseen(fact):
        return "broke off, messages lost"
    reason = fact.verdict.reason
    return _SHORT.get(reason, reason.label)


def launch_words(
    population: Population, launch: NotStarted | None, kind: str = "planned session"
) -> str:
    """Write the launch line.

    Rule: findings.md section 7, launch line.
    """
    started = f"{population.started:,} of {plural(population.configured, 'session')} started"
    if population.started == population.configured:
        if population.configured == 0:
            return "No session was planned."
        if population.configured == 1:
            return f"The one {kind} started."
        return f"All {plural(population.configured, kind)} started."
    if launch is not None:
        return f"{started}; {'; '.join(ways(launch))}."
    said = [started]
    if population.limited:
        said.append(f"{population.limited:,} rate limited")
    failed = failed_to_launch(population)
    if failed:
        said.append(f"{failed:,} did not start for other reasons")
    return "; ".join(said) + "."


def _outcomes(tally: Tally) -> Outcomes:
    parts = tally.partition
    return outcomes_of((parts.met, parts.met_with_friction, parts.not_met, parts.not_known))
