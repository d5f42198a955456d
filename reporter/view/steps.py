"""From one session's page to the next one, to the next that failed, and back to the report."""

from bisect import bisect_left
from dataclasses import dataclass

from reporter.view.anchor import session_anchor
from reporter.view.citations import PlaceLink
from reporter.view.places import INDEX
from reporter.view.report import ReportView
from reporter.view.text import plural


@dataclass(frozen=True, slots=True)
class Steps:
    """Where a session stands in a row of sessions, and what stands beside it."""

    place: str
    """Such as `Session 2 of 5: Ana, pay a fine`."""
    before: PlaceLink | None
    """The session before it, or None for the first."""
    after: PlaceLink | None
    """The session after it, or None for the last."""


@dataclass(frozen=True, slots=True)
class SessionSteps:
    """The ways out of the page that a session has for itself."""

    back: str
    """The session's row on the report's page."""
    group: Steps
    """Among the sessions of its group."""
    missed: Steps | None
    """Among all sessions of the list that did not meet their goal, whether or not it is one of
    them; None where there is no other."""


def session_steps(report: ReportView, session_id: str) -> SessionSteps:
    """Return the ways out of the page that a session has for itself.

    Rule: report.md section 4, `Size`.
    """
    sessions = report.sessions
    group_at, at = sessions.seats[session_id]
    group = sessions.groups[group_at]
    facts = group.facts

    def link(other: int) -> PlaceLink | None:
        return _link(report, facts[other].session_id) if 0 <= other < len(facts) else None

    return SessionSteps(
        back=f"../{INDEX}#{session_anchor(session_id)}",
        group=Steps(
            f"Session {at + 1:,} of {len(facts):,}: {group.title}", link(at - 1), link(at + 1)
        ),
        missed=_missed(report, session_id),
    )


def _missed(report: ReportView, session_id: str) -> Steps | None:
    missed = report.sessions.missed
    seat = report.sessions.seats[session_id]
    at = bisect_left(missed, (seat, ""))
    is_one = at < len(missed) and missed[at][0] == seat
    before, after = at - 1, at + is_one
    if before < 0 and after >= len(missed):
        return None
    return Steps(
        _missed_words(at, len(missed), is_one=is_one),
        _link(report, missed[before][1]) if before >= 0 else None,
        _link(report, missed[after][1]) if after < len(missed) else None,
    )


def _missed_words(at: int, total: int, *, is_one: bool) -> str:
    if is_one:
        return f"Goal not met: {at + 1:,} of {total:,} such sessions of the wave"
    return f"{plural(total, 'session')} of the wave did not meet the goal"


def _link(report: ReportView, session_id: str) -> PlaceLink:
    return PlaceLink(report.names[session_id], report.places.files[session_id])
