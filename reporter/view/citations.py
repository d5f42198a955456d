"""Which places of which sessions findings cite, and where a link to such a place leads."""

import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from reporter.models.finding import Finding, FindingRow
from reporter.view.anchor import (
    call_anchor,
    cause_anchor,
    connection_anchor,
    criterion_anchor,
    finding_anchor,
    message_anchor,
    session_anchor,
    turn_anchor,
)
from reporter.view.places import Places
from reporter.view.text import one_line
from reporter.vocabulary import Basis

_SIGNAL_PARTS: Final = 3


@dataclass(frozen=True, slots=True)
class CiteLink:
    """A finding that cites a place."""

    label: str
    """What the finding says, in two to five words."""
    href: str
    """Fragment that leads to the finding, with its `#`."""


@dataclass(frozen=True, slots=True)
class PlaceLink:
    """A place of a session, as another part of the page points at it."""

    label: str
    """Such as `s09, turn 2`."""
    href: str


CitedPlaces = Mapping[str, Mapping[str, tuple[CiteLink, ...]]]
"""By session id, then by pointer (`m:4`, `signal:toolErrored:1`, `k:connection`)."""


def cited_places(
    rows: Iterable[FindingRow], causes: Mapping[str, int], *, home: str = ""
) -> CitedPlaces:
    """Index every citation of every finding.

    Args:
        rows: The rows of the full set.
        causes: Number of each cause that the page shows, by mechanism id.
        home: Where the report's own page stands, seen from the page of a session; empty
            where both are one page.

    Rule: findings.md section 9.3.
    """
    found: dict[str, dict[str, dict[CiteLink, None]]] = {}
    for row in rows:
        label, anchor = _cited_by(row.finding, causes)
        link = CiteLink(label, f"{home}#{anchor}")
        for citation in row.finding.citations:
            session_id, _, pointer = citation.partition("/")
            found.setdefault(session_id, {}).setdefault(pointer, {})[link] = None
    return {
        session_id: {pointer: tuple(links) for pointer, links in places.items()}
        for session_id, places in found.items()
    }


def place_link(
    citation: str, shown: Places, known: AbstractSet[str] | None = None, *, name: str = ""
) -> PlaceLink:
    """Say where a citation leads.

    Args:
        citation: `<sessionId>/<pointer>`.
        shown: Where each session is shown; one without its transcript leads to its row.
        known: Sessions that have a row; None when every session has one. A citation of any
            other leads nowhere and its `href` is empty.
        name: How the session is called; its id when empty.
    """
    session_id, _, pointer = citation.partition("/")
    words = pointer_words(pointer)
    label = f"{name or session_id}, {words}" if words else name or session_id
    if known is not None and session_id not in known:
        return PlaceLink(label, "")
    if not shown.is_whole(session_id):
        return PlaceLink(label, f"#{session_anchor(session_id)}")
    return PlaceLink(label, shown.href(session_id, pointer_anchor(session_id, pointer)))


def pointer_words(pointer: str) -> str:
    """Name the place that a pointer means; turns count from one for a reader."""
    kind, _, rest = pointer.partition(":")
    if kind == "m":
        return f"message m{rest}"
    if kind == "signal":
        parts = pointer.split(":")
        turn = parts[-1]
        return f"turn {int(turn) + 1}" if turn.isdecimal() else ""
    if kind == "t":
        return "tool call"
    if kind == "c":
        return f"check {one_line(_check_name(rest), 24)}"
    return "connection" if kind == "k" else pointer


_MADE: Final = re.compile(r"(?:predicate:)?(.+)#[0-9a-f]{8}(?:@turn(\d+))?")
"""An id that a check's content gave, such as `predicate:noToolErrors#1a2b3c4d@turn2`."""


def _check_name(check_id: str) -> str:
    """Return an id as a reader meets it: of one that was made up, its kind and its turn."""
    made = _MADE.fullmatch(check_id)
    if made is None:
        return check_id
    return made[1] if made[2] is None else f"{made[1]}, turn {made[2]}"


def pointer_anchor(session_id: str, pointer: str) -> str:
    """Return the id of the place that a pointer means."""
    kind, _, rest = pointer.partition(":")
    if kind == "m" and rest.isdecimal():
        return message_anchor(session_id, int(rest))
    if kind == "t":
        return call_anchor(session_id, rest)
    if kind == "c":
        return criterion_anchor(session_id, rest)
    if kind == "k":
        return connection_anchor(session_id)
    parts = pointer.split(":")
    if kind == "signal" and len(parts) == _SIGNAL_PARTS and parts[2].isdecimal():
        return turn_anchor(session_id, int(parts[2]))
    return session_anchor(session_id)


def _cited_by(finding: Finding, causes: Mapping[str, int]) -> tuple[str, str]:
    if finding.mechanism_id is not None and finding.mechanism_id in causes:
        number = causes[finding.mechanism_id]
        return f"cause {number}", cause_anchor(finding.mechanism_id)
    anchor = finding_anchor(finding.id)
    if finding.signal is not None:
        return f"“{finding.signal.label}”", anchor
    if finding.basis is Basis.SESSION_REPORT:
        return "the session report", anchor
    return f"the outcome “{finding.disposition.label}”", anchor
