"""What is known of a session while its records are set, one after another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from reporter.findings.people import is_recorded
from reporter.models.facts import CallFact, SessionFacts
from reporter.models.records import BaseRecord
from reporter.view.anchor import turn_anchor
from reporter.view.citations import CiteLink
from reporter.view.entries import Entry
from reporter.view.text import Clipped, one_line
from reporter.view.value import Result


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many characters of a place are shown; what is left out is counted beside it."""

    message: int = 20_000
    system: int = 6_000
    """Of a system message, which is shown once where sessions share it."""
    value: int = 4_000
    """Of a call's arguments, and of its result."""


IN_THE_PAGE: Final = Bounds()
"""Where many transcripts share a page."""
ON_ITS_OWN: Final = Bounds(message=400_000, system=400_000, value=400_000)
"""Where a session has a page of its own."""


@dataclass(slots=True)
class Play:
    """What is known while the records of one session are walked."""

    session_id: str
    facts: SessionFacts
    cites: Mapping[str, tuple[CiteLink, ...]]
    results: dict[str, list[Result]]
    call_facts: dict[str, CallFact]
    bounds: Bounds
    began_ms: int | None = None
    """When the first record was made, or None where no time was recorded."""
    entries: list[Entry] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    calls: int = 0
    seen_calls: set[str] = field(default_factory=set)
    cited_calls: dict[str, tuple[CiteLink, ...]] = field(default_factory=dict)
    shown_systems: dict[str, str] | None = None
    silent: frozenset[int] = frozenset()
    """Indexes of messages without a word that only carry a call, which is shown instead."""
    connection_shown: bool = False
    name: str = ""
    """What the page calls the session."""
    answered: frozenset[int] | None = None
    """Turns in which the assistant did something; others are none of the turns it used. None
    where records are lost, so that an answer may be as well."""

    @property
    def persona(self) -> str:
        """The persona's name, or the word for one that was not recorded."""
        facts = self.facts
        if not is_recorded((facts.persona_ref_id, facts.persona_name)):
            return "Persona"
        return one_line(facts.persona_name, 40)

    def open_turns(self, turn_index: int) -> tuple[tuple[str, ...], str]:
        """Return the anchors of turns that begin at an entry, and the words for its margin."""
        last = self.turns[-1] if self.turns else -1
        if turn_index <= last:
            return (), ""
        # A turn without an entry of its own still has to be found by links to it.
        begun = range(last + 1, turn_index + 1) if turn_index - last < 1_000 else [turn_index]  # noqa: PLR2004
        self.turns.append(turn_index)
        anchors = tuple(turn_anchor(self.session_id, index) for index in begun)
        return anchors, f"Turn {turn_index + 1}"

    def since(self, at_ms: int | None) -> str:
        """Say how long after the session's first record, such as `0:14`; empty if unknown."""
        if at_ms is None or self.began_ms is None or at_ms <= self.began_ms:
            return ""
        seconds = (at_ms - self.began_ms) // 1000
        hours, minutes = seconds // 3600, seconds // 60 % 60
        clock = f"{hours:,}:{minutes:02}" if hours else str(minutes)
        return f"{clock}:{seconds % 60:02}"

    def left_out(self, clipped: Clipped, records: Sequence[object]) -> str:
        """Say how much of a place is not shown and where it stands; empty if all is shown."""
        if not clipped.left_out:
            return ""
        where = one_line(self.facts.file, 120)
        seq = next((one.seq for one in records if isinstance(one, BaseRecord)), None)
        place = f"seq {seq}" if seq is not None else ""
        found = ", ".join(part for part in (where, place) if part)
        return f"{clipped.note}; whole in {found}" if found else clipped.note
