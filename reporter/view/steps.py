"""From one session's page to the next one, and back to the report."""

from dataclasses import dataclass

from reporter.view.anchor import session_anchor
from reporter.view.citations import PlaceLink
from reporter.view.places import INDEX
from reporter.view.report import ReportView


@dataclass(frozen=True, slots=True)
class SessionSteps:
    """Where a session stands among those of its group, and the ways out of its page."""

    place: str
    """Such as `Session 2 of 5: Ana, pay a fine`."""
    back: str
    """The session's row on the report's page."""
    before: PlaceLink | None
    """The session before it in the group, or None for the first."""
    after: PlaceLink | None
    """The session after it in the group, or None for the last."""


def session_steps(report: ReportView, session_id: str) -> SessionSteps:
    """Return the ways out of the page that a session has for itself.

    Rule: report.md section 4, `Size`.
    """
    sessions = report.sessions
    group_at, at = sessions.seats[session_id]
    group = sessions.groups[group_at]
    facts = group.facts

    def link(other: int) -> PlaceLink | None:
        if not 0 <= other < len(facts):
            return None
        own = facts[other].session_id
        return PlaceLink(report.names[own], report.places.files[own])

    return SessionSteps(
        place=f"Session {at + 1:,} of {len(facts):,}: {group.title}",
        back=f"../{INDEX}#{session_anchor(session_id)}",
        before=link(at - 1),
        after=link(at + 1),
    )
