"""What a unit of a foreign source comes to, and how the pieces of a file are joined."""

from collections.abc import Callable
from dataclasses import replace

from reporter.importers.importer import ImportedSession, context_of
from reporter.importers.jsonarray import Piece
from reporter.importers.parts import Divisible, Joint, PartEnd, Rest
from reporter.importers.wave import Note, WorkUnit
from reporter.models.facts import SessionFacts
from reporter.models.manifest import SourceFile
from reporter.pipeline.session import derived

UnitNote = Note | SessionFacts | PartEnd
"""What comes of a unit: facts stand behind the head of their session."""


def derive_unit(unit: WorkUnit) -> list[UnitNote]:
    """Read a unit and derive its sessions."""
    notes: list[UnitNote] = []
    for item in unit.items():
        if isinstance(item, ImportedSession):
            notes.append(item.head)
            notes.append(derived(context_of(item.head), item.recording))
        else:
            notes.append(item)
    return notes


def head_unit(unit: WorkUnit) -> list[UnitNote]:
    """Read a unit for what it says of the plan; its sessions are not derived."""
    return [item.head if isinstance(item, ImportedSession) else item for item in unit.items()]


class Joining:
    """Puts what was read of the pieces of a file behind each other.

    Pieces are read without knowing what stands before them. One that would have read
    otherwise behind the others, as one does that does not end where it seemed to, is thrown
    away with all behind it, and the file is read on from there in this process: the result
    is always that of reading it from beginning to end.

    Args:
        work: What is done with a unit, here as in the processes that read the pieces.
    """

    def __init__(self, work: Callable[[WorkUnit], list[UnitNote]] = derive_unit) -> None:
        self._work = work
        self._joint: Joint | None = None

    def join(self, unit: WorkUnit, notes: list[UnitNote]) -> list[tuple[list[UnitNote], int]]:
        """Return what counts of a unit's notes, each part with the elements before it.

        Args:
            unit: The units of a source, one after the other in their order.
            notes: What came of it.
        """
        piece, importer = unit.part, unit.importer
        if not isinstance(piece, Piece) or not isinstance(importer, Divisible):
            return [(notes, 0)]
        if piece.start == 0:
            self._joint = importer.joint(unit.files[0], unit.mapping)
        if self._joint is None:
            return []
        joint, before = self._joint, self._joint.elements
        end = notes[-1] if notes else None
        if isinstance(end, PartEnd) and joint.take(end):
            taken = [(notes[:-1], before)]
            if piece.end is None:
                taken.append((self._work(replace(unit, part=Rest(joint))), 0))
            return taken
        self._joint = None
        files: list[UnitNote] = [note for note in notes if isinstance(note, SourceFile)]
        return [(files, 0), (self._work(replace(unit, part=Rest(joint, piece.start))), 0)]
