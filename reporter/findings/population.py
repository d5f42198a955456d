"""How many sessions, and where they went: sums that add up and can be merged."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from reporter.models.facts import SessionFacts
from reporter.models.finding import Population
from reporter.vocabulary import Disposition, Lifecycle, SessionVerdictReason, Tone, tone_of

_Word = TypeVar("_Word", Lifecycle, Disposition, SessionVerdictReason)


@dataclass(frozen=True, slots=True)
class NotStarted:
    """Why planned sessions never started; the five parts add up to `total`.

    Rule: findings.md section 7, launch line.
    """

    rate_limited: int
    withdrawn: int
    """Taken back before they started."""
    pending_or_running: int
    """Not over yet when the recording ended."""
    failed: int
    """Broke off before the first message."""
    silent: int
    """Completed without a recorded message."""

    @property
    def total(self) -> int:
        """Configured sessions that did not start."""
        return (
            self.rate_limited + self.withdrawn + self.pending_or_running + self.failed + self.silent
        )


@dataclass(frozen=True, slots=True)
class OutcomePartition:
    """Every configured session by what is known of its outcome; the parts add up to `total`.

    Rule: findings.md section 7, outcome partition.
    """

    met: int
    met_with_friction: int
    not_met: int
    """Includes sessions that never connected, which nobody graded."""
    not_known: int

    @property
    def total(self) -> int:
        """All configured sessions."""
        return self.met + self.met_with_friction + self.not_met + self.not_known

    @property
    def known(self) -> int:
        """Sessions whose outcome is known."""
        return self.total - self.not_known


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts over some sessions; tallies of disjoint sets of sessions can be added."""

    configured: int = 0
    started: int = 0
    read: int = 0
    graded: int = 0
    withdrawn: int = 0
    limited: int = 0
    not_started: Mapping[Lifecycle, int] = field(default_factory=dict)
    """Sessions that did not start, by lifecycle; no entry is zero."""
    outcomes: Mapping[Disposition, int] = field(default_factory=dict)
    """All sessions by disposition; no entry is zero."""
    ungraded: Mapping[SessionVerdictReason, int] = field(default_factory=dict)
    """Sessions that started and were not graded, by the verdict's reason; no entry is zero."""

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            configured=self.configured + other.configured,
            started=self.started + other.started,
            read=self.read + other.read,
            graded=self.graded + other.graded,
            withdrawn=self.withdrawn + other.withdrawn,
            limited=self.limited + other.limited,
            not_started=_sum(self.not_started, other.not_started),
            outcomes=_sum(self.outcomes, other.outcomes),
            ungraded=_sum(self.ungraded, other.ungraded),
        )

    @property
    def population(self) -> Population:
        """The counts of the envelope.

        Rule: findings.md section 7, envelope counts.
        """
        return Population(
            configured=self.configured,
            started=self.started,
            read=self.read,
            unread=self.started - self.read,
            withdrawn=self.withdrawn,
            limited=self.limited,
            graded=self.graded,
        )

    @property
    def launch(self) -> NotStarted:
        """Why sessions did not start."""
        parts = self.not_started
        return NotStarted(
            rate_limited=parts.get(Lifecycle.LIMITED, 0),
            withdrawn=parts.get(Lifecycle.WITHDRAWN, 0),
            pending_or_running=parts.get(Lifecycle.PENDING, 0) + parts.get(Lifecycle.RUNNING, 0),
            failed=parts.get(Lifecycle.BROKE, 0),
            silent=parts.get(Lifecycle.RAN, 0),
        )

    @property
    def partition(self) -> OutcomePartition:
        """Every session by what is known of its outcome."""
        by_tone: Counter[Tone] = Counter()
        for disposition, sessions in self.outcomes.items():
            by_tone[tone_of(disposition)] += sessions
        return OutcomePartition(
            met=by_tone[Tone.OK],
            met_with_friction=by_tone[Tone.WARN],
            not_met=by_tone[Tone.FAIL],
            not_known=by_tone[Tone.MUTED],
        )

    @property
    def ungraded_reasons(self) -> tuple[tuple[SessionVerdictReason, int], ...]:
        """Why started sessions were not graded, in contract order; adds up to started - graded."""
        return tuple(
            (reason, self.ungraded[reason])
            for reason in SessionVerdictReason
            if reason in self.ungraded
        )


def tally_of(sessions: Iterable[SessionFacts]) -> Tally:
    """Count sessions: of a wave, or of any scope inside it.

    Rule: findings.md sections 4.3 and 7.
    """
    configured = started = read = graded = withdrawn = limited = 0
    not_started: Counter[Lifecycle] = Counter()
    outcomes: Counter[Disposition] = Counter()
    ungraded: Counter[SessionVerdictReason] = Counter()
    for session in sessions:
        configured += 1
        outcomes[session.disposition] += 1
        withdrawn += session.lifecycle is Lifecycle.WITHDRAWN
        limited += session.lifecycle is Lifecycle.LIMITED
        if not session.started:
            not_started[session.lifecycle] += 1
            continue
        started += 1
        read += session.is_read
        if session.is_graded:
            graded += 1
        else:
            ungraded[session.verdict.reason] += 1
    return Tally(
        configured=configured,
        started=started,
        read=read,
        graded=graded,
        withdrawn=withdrawn,
        limited=limited,
        not_started=dict(not_started),
        outcomes=dict(outcomes),
        ungraded=dict(ungraded),
    )


def failed_to_launch(population: Population) -> int:
    """Return how many planned sessions failed to launch, rate limits apart.

    Rule: findings.md section 7, launch line.
    """
    return max(0, population.configured - population.started - population.limited)


def _sum(left: Mapping[_Word, int], right: Mapping[_Word, int]) -> dict[_Word, int]:
    return dict(Counter(left) + Counter(right))
