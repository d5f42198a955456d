"""The entries of a transcript, as they stand on the page: speech, calls, and what just happened."""

from collections.abc import Mapping
from dataclasses import field
from typing import Final, Literal

from reporter.models.value import value
from reporter.view.citations import CiteLink, PlaceLink
from reporter.view.markdown import SetMessage
from reporter.view.text import Clipped

NO_ANSWER: Final = ", no answer recorded"
"""Said behind a turn in which the assistant did nothing."""

Speaker = Literal["persona", "assistant", "system", "client", "tool"]


@value(frozen=True, slots=True)
class SpeechEntry:
    """Somebody said something."""

    kind: Literal["speech"]
    anchor: str
    label: str
    """What the margin calls it, such as `m4`."""
    turn_anchors: tuple[str, ...]
    """Turns that begin here, so that a link to the turn lands; mostly none or one."""
    turn: str
    """`Turn 3` where a turn begins with this entry, else empty; of one in which the
    assistant did nothing that is said, as it is none of the turns that a session used."""
    speaker: Speaker
    name: str
    body: SetMessage | None
    """The message set from its Markdown; None where only the recorded text is shown."""
    source: str
    """The message as recorded, cleaned and bounded; empty where `body` says the same."""
    note: str
    """What is missing of it and where that stands; may be empty."""
    time: str = ""
    """How long after the session's first record, such as `0:14`; only where a turn begins."""
    first: str = ""
    """What a turn's first message begins with, for an outline; empty for all others."""
    cites: tuple[CiteLink, ...] = ()
    """Findings that cite this message: such a message is shown as recorded, to the letter."""
    is_answered: bool = True
    """False: a turn begins here in which the assistant did nothing."""
    folded: str = ""
    """For a system message: the words of its closed line; empty for all others."""


@value(frozen=True, slots=True)
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
    """`Called`, or who else called, such as `Ana called`."""
    short: str
    """The arguments as they stand on the call's line: `title: "Emma"`; cut at an argument."""
    state: Literal["returned", "error", "missing", "blocked", "client"]
    line: str
    """What came back, in a few words: `returned 3 items`, `error: no such branch`."""
    duration: str
    """Such as `143 ms`, or empty."""
    arguments: Clipped
    arguments_note: str
    """What of the arguments is left out and where it stands; empty where all is here."""
    folded_arguments: bool
    """True: the line does not hold all of the arguments, so they stand folded beneath it."""
    result: Clipped | None
    """None where no result was recorded."""
    result_note: str
    """The same of the result."""
    inferred: str
    """Which field follows from a rule instead of being recorded; may be empty."""
    cites: tuple[CiteLink, ...] = ()


@value(frozen=True, slots=True)
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


@value(frozen=True, slots=True)
class CallRun:
    """Calls in a row that all came back and that nothing cites, behind one line."""

    kind: Literal["run"]
    line: str
    """How many, and of which tools: `12 calls: 9 get_order and 3 get_user`."""
    calls: tuple[CallEntry, ...]


@value(frozen=True, slots=True)
class TurnLine:
    """One turn in the outline of a long session."""

    href: str
    label: str
    """`Turn 3`."""
    words: str
    """What it begins with; empty where nobody said anything."""
    counts: str
    """Its calls and errors, such as `12 calls, 1 error`; empty where there are none."""


@value(frozen=True, slots=True)
class OutlineView:
    """What a long session holds and where, before it begins."""

    line: str
    """Such as `88 turns, 391 calls`."""
    errors: tuple[PlaceLink, ...]
    """The calls that came back as errors; each leads on to the next where there are more."""
    more_errors: str
    """Such as `and 12 more`; mostly empty."""
    cited: tuple[PlaceLink, ...]
    """The places that findings cite."""
    more_cited: str
    turns: tuple[TurnLine, ...]
    more_turns: str


@value(frozen=True, slots=True)
class ErrorLinks:
    """The errors before and after an error, for a reader who goes from one to the next."""

    before: PlaceLink | None
    after: PlaceLink | None


@value(frozen=True, slots=True)
class TranscriptView:
    """The turns of one session, in order."""

    session_id: str
    entries: tuple[Entry, ...]
    note: str
    """What could not be read, or that nothing was recorded; empty where all is here."""
    blocks: tuple[Entry | CallRun, ...] = ()
    """The same entries, with runs of many uneventful calls behind one line each."""
    outline: OutlineView | None = None
    """None for a session that is seen at a glance."""
    near_errors: Mapping[str, ErrorLinks] = field(default_factory=dict)
    """By the id of an error's entry, for sessions with an outline."""
