"""The entries of a transcript, as they stand on the page: speech, calls, and what just happened."""

from dataclasses import dataclass
from typing import Literal

from reporter.view.citations import CiteLink
from reporter.view.markdown import SetMessage
from reporter.view.text import Clipped

Speaker = Literal["persona", "assistant", "system", "client", "tool"]


@dataclass(frozen=True, slots=True)
class SpeechEntry:
    """Somebody said something."""

    kind: Literal["speech"]
    anchor: str
    label: str
    """What the margin calls it, such as `m4`."""
    turn_anchors: tuple[str, ...]
    """Turns that begin here, so that a link to the turn lands; mostly none or one."""
    turn: str
    """`Turn 3` where a turn begins with this entry, else empty."""
    speaker: Speaker
    name: str
    body: SetMessage | None
    """The message set from its Markdown; None where only the recorded text is shown."""
    source: str
    """The message as recorded, cleaned and bounded; empty where `body` says the same."""
    note: str
    """What is missing of it: characters left out, cut short when recorded; may be empty."""
    cites: tuple[CiteLink, ...] = ()
    """Findings that cite this message: such a message is shown as recorded, to the letter."""
    folded: str = ""
    """For a system message: the words of its closed line; empty for all others."""


@dataclass(frozen=True, slots=True)
class CallEntry:
    """A tool was called."""

    kind: Literal["call"]
    anchor: str
    label: str
    """What the margin calls it, such as `c3`."""
    turn_anchors: tuple[str, ...]
    turn: str
    name: str
    by: str
    """`Called` or `The persona called`."""
    state: Literal["returned", "error", "missing", "blocked", "client"]
    line: str
    """What came back, in a few words: `returned 3 items`, `error: no such branch`."""
    duration: str
    """Such as `143 ms`, or empty."""
    arguments: Clipped
    result: Clipped | None
    """None where no result was recorded."""
    inferred: str
    """Which field follows from a rule instead of being recorded; may be empty."""
    cites: tuple[CiteLink, ...] = ()


@dataclass(frozen=True, slots=True)
class NoteEntry:
    """Something happened that nobody said."""

    kind: Literal["note"]
    anchor: str
    """Empty where nothing links here."""
    turn_anchors: tuple[str, ...]
    text: str
    tone: Literal["", "fail"]
    cites: tuple[CiteLink, ...] = ()


Entry = SpeechEntry | CallEntry | NoteEntry


@dataclass(frozen=True, slots=True)
class TranscriptView:
    """The turns of one session, in order."""

    session_id: str
    entries: tuple[Entry, ...]
    turns: tuple[tuple[str, str], ...]
    """Href and number of each turn, for sessions long enough to need them; else empty."""
    note: str
    """What could not be read, or that nothing was recorded; empty where all is here."""
