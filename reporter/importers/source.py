"""The files of a source, as an importer sees them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from reporter.importers.outline import HEAD_BYTES, Outline, outline_of


class SourceEntry(Protocol):
    """One file of a source, wherever it lies: on disk now, in an archive some day."""

    @property
    def name(self) -> str:
        """Its path inside the source, with `/` between the parts; never a machine's path."""

    @property
    def prefix(self) -> str:
        """What ids made up for this file begin with: safe, and no other file's."""

    def head(self) -> bytes:
        """Return its first bytes."""

    def read(self) -> bytes:
        """Return all its bytes."""


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file on disk."""

    path: Path
    name: str
    prefix: str

    def head(self) -> bytes:
        """Return the file's first bytes."""
        with self.path.open("rb") as stream:
            return stream.read(HEAD_BYTES)

    def read(self) -> bytes:
        """Return all bytes of the file."""
        return self.path.read_bytes()


@dataclass(frozen=True, slots=True)
class Look:
    """All that an importer may look at to tell whether a file is its own."""

    name: str
    head: bytes
    """The first bytes of the file; they may end anywhere."""
    outline: Outline
    """The keys seen in them, where they are JSON."""


def look_at(entry: SourceEntry) -> Look:
    """Take the bounded look at a file."""
    head = entry.head()
    return Look(entry.name, head, outline_of(head))
