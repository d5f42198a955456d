"""What could not be read of a source, as a value with its place and reason."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from reporter.errors import Problem
from reporter.importers.jsontext import BrokenJsonError
from reporter.importers.naming import first_words
from reporter.importers.sound import sound_text
from reporter.models.manifest import Lost, LostKind

FILE_BROKEN: Final = "source-file-broken"
"""The rule of the problem that says a file was not read to its end."""

TEXTS_NOT_CAPTURED: Final = "source-texts-not-captured"
"""The rule of the note that says what was said was not captured, and how it would be."""

NO_PARTNER: Final = (
    "tool results that answer no recorded call; they stay messages and count as nobody's result"
)
"""Why a result without its call is not used."""

_PLACES_NAMED: Final = 3


@dataclass
class Tally:
    """How often one thing was met, and where first."""

    count: int = 0
    places: list[str] = field(default_factory=list)

    def add(self, place: str, count: int) -> None:
        """Count it, and keep the place where there is room."""
        self.count += count
        if place not in self.places and len(self.places) < _PLACES_NAMED:
            self.places.append(place)


class Losses:
    """Counts what could not be used of one file, so that a hundred equal losses are one.

    A place names where in the file it is, such as `line 12` or `simulations[3]`; the first
    few are kept. A reason says the same of all of them, so no number or id stands in it.

    Args:
        file: Name of the file inside the source.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self.tallies: dict[tuple[LostKind, str], Tally] = {}
        """What was met, by kind and reason."""

    def add(self, kind: LostKind, place: str, reason: str, count: int = 1) -> None:
        """Count what cannot be used; nothing where there is none of it."""
        if count > 0:
            self.tallies.setdefault((kind, reason), Tally()).add(place, count)

    def unknown_type(self, place: str, name: object, what: str = "records") -> None:
        """Count an element whose type this version does not know.

        Args:
            place: Where in the file it is.
            name: The type as the source gives it; anything that is no text is `none`.
            what: What has the type, in the plural, such as `records` or `spans`.
        """
        shown = first_words(sound_text(name)) if isinstance(name, str) else ""
        self.add("unknownType", place, f'{what} of type "{shown or "none"}", unknown here')

    def unmatched(self, place: str, count: int = 1) -> None:
        """Count tool results that answer no recorded call."""
        self.add("unmatched", place, NO_PARTNER, count)

    def disagreement(self, place: str, reason: str) -> None:
        """Count two places of the source that contradict each other, and which one counts."""
        self.add("disagreement", place, reason)

    def no_place(self, place: str, reason: str, count: int = 1) -> None:
        """Count what a recording has no place for; nothing is wrong with it."""
        self.add("noPlace", place, reason, count)

    def add_all(self, others: "Losses") -> None:
        """Count what was counted of a later part of the same file."""
        for key, tally in others.tallies.items():
            own = self.tallies.setdefault(key, Tally())
            for place in tally.places:
                own.add(place, 0)
            own.count += tally.count

    def lost(self) -> list[Lost]:
        """Return one loss a reason, in the order in which the reasons were first met."""
        return [
            Lost(
                place=f"{self._file}: {', '.join(tally.places)}{_more(tally)}",
                reason=reason,
                kind=kind,
                count=tally.count,
            )
            for (kind, reason), tally in self.tallies.items()
        ]


def _more(tally: Tally) -> str:
    return ", …" if tally.count > len(tally.places) == _PLACES_NAMED else ""


def left_out(file: str, place: str, reason: str, kind: LostKind = "noPlace") -> Lost:
    """Return what has no place in a recording; nothing is wrong with it."""
    return Lost(place=f"{file}: {place}", reason=reason, kind=kind)


def broken_session(file: str, place: str, reason: str, session_id: str | None = None) -> Problem:
    """Return the problem of a session that is not what its format says."""
    what = "The session" if session_id is None else "The conversation of the session"
    return Problem(
        file=file,
        place=place,
        what=f"{what} cannot be read: {reason}.",
        remedy="Export it again; the other sessions are read.",
        rule="source-session-unreadable",
        session_id=session_id,
    )


def lost_session(file: str, place: str, reason: str) -> Iterator[Lost | Problem]:
    """Yield the loss of a session of which not even the task can be told."""
    yield broken_session(file, place, reason)
    yield left_out(file, place, f"a session was left out: {reason}", "unreadable")


def lost_rest(file: str, error: BrokenJsonError) -> Iterator[Lost | Problem]:
    """Yield the loss of everything behind the place where a file breaks."""
    yield Problem(
        file=file,
        place=error.place,
        what=f"Nothing from here on was read: {error.what}.",
        remedy="Export or download the file again.",
        rule=FILE_BROKEN,
    )
    yield left_out(
        file, error.place, f"the file was read only up to here: {error.what}", "unreadable"
    )
