"""Links to sessions and their places, from parts of a report that name many of them."""

from collections.abc import Mapping
from dataclasses import dataclass

from reporter.models.facts import SessionFacts
from reporter.view.anchor import session_anchor, turn_anchor
from reporter.view.citations import PlaceLink, place_link
from reporter.view.outline import NAME_LIMIT
from reporter.view.places import Places
from reporter.view.text import one_line


@dataclass(frozen=True, slots=True)
class SessionLinks:
    """Where sessions stand and what they are called."""

    facts: Mapping[str, SessionFacts]
    shown: Places
    names: Mapping[str, str]

    def session(self, session_id: str) -> PlaceLink:
        """Lead to a session; one that the wave does not have leads nowhere."""
        if session_id not in self.facts:
            return PlaceLink(one_line(session_id, NAME_LIMIT) or "no id", "")
        name = self.names.get(session_id, session_id)
        return PlaceLink(name, self.shown.href(session_id, session_anchor(session_id)))

    def turn(self, session_id: str, turn_index: int) -> PlaceLink:
        """Lead to a turn, counted from one for a reader; one that is not there leads nowhere."""
        if not self.has_turn(session_id, turn_index):
            return PlaceLink(turn_words(turn_index), "")
        if not self.shown.is_whole(session_id):
            return PlaceLink(turn_words(turn_index), f"#{session_anchor(session_id)}")
        place = self.shown.href(session_id, turn_anchor(session_id, turn_index))
        return PlaceLink(turn_words(turn_index), place)

    def has_turn(self, session_id: str, turn_index: int) -> bool:
        """Tell whether a session has a turn of this zero-based index."""
        fact = self.facts.get(session_id)
        return fact is not None and 0 <= turn_index < _turns(fact)

    def place(self, citation: str) -> PlaceLink:
        """Lead to a cited place."""
        name = self.names.get(citation.partition("/")[0], "")
        found = place_link(citation, self.shown, self.facts.keys(), name=name)
        return PlaceLink(one_line(found.label, NAME_LIMIT), found.href)


def turn_words(turn_index: int) -> str:
    """Name a turn, counted from one; an index that no session can have is not spelled out."""
    if turn_index < 0:
        return "a turn before the first"
    return f"turn {turn_index + 1:,}" if turn_index < 10**6 else "a turn far behind the last"


def _turns(fact: SessionFacts) -> int:
    return max(fact.turns, fact.turns_used, *(one.turn_index + 1 for one in fact.tool_calls), 0)
