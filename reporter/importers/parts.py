"""Parts of one file that is too large for one piece of work, and how they are joined again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol, runtime_checkable

from reporter.importers.importer import ImportedItem, Importer, Spot
from reporter.importers.jsonarray import Piece
from reporter.importers.mapping import FileMapping
from reporter.importers.source import SourceEntry


class PartEnd:
    """Closes what was read of a piece, with all that joining it to the others needs."""


class Joint(Protocol):
    """One file, as it is put together of its pieces in their order."""

    @property
    def elements(self) -> int:
        """Elements before the next piece."""

    def take(self, end: PartEnd) -> bool:
        """Put a piece behind those before it.

        Returns:
            False, and nothing is taken, when it would read otherwise behind them, or does
            not reach the next piece: then `rest` reads from its beginning on.
        """

    def rest(self, start: int) -> Iterator[ImportedItem]:
        """Read everything from a byte on where an element begins, or from the first."""

    def close(self) -> Iterator[ImportedItem]:
        """Yield what comes behind the last piece, once all were taken."""


@dataclass(frozen=True, slots=True)
class Rest:
    """What is read in the process that joins: from a place on, or what closes the file."""

    joint: Joint
    start: int | None = None

    def items(self) -> Iterator[ImportedItem]:
        """Read it."""
        return self.joint.close() if self.start is None else self.joint.rest(self.start)


@runtime_checkable
class Divisible(Importer, Protocol):
    """An importer that can read one file in pieces, and a single session alone."""

    def pieces(self, entry: SourceEntry, step: int) -> Sequence[Piece]:
        """Cut a file into pieces of about so many bytes; one piece where it cannot be cut.

        Raises:
            OSError: The file cannot be read.
        """

    def part(
        self, entry: SourceEntry, part: Piece | Spot, mapping: FileMapping
    ) -> Iterator[ImportedItem | PartEnd]:
        """Read a piece, closed by its end, or the session that a spot names.

        The first piece begins with the file's digest. With a spot's session others of its
        batch may come, where they cost nothing. Only their recordings count; their heads
        may lack what the rest of the file says of them.

        Raises:
            OSError: The file cannot be read.
        """

    def joint(self, entry: SourceEntry, mapping: FileMapping) -> Joint:
        """Return the file without any of its pieces."""


@cache
def divisible(importer: Importer) -> Divisible | None:
    """Return an importer as one that reads files in pieces, or None where it cannot.

    Kept for each, as asking a class for all that it can takes as long as a short session.
    """
    return importer if isinstance(importer, Divisible) else None
