"""The files of a source, as an importer sees them."""

import errno
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, Protocol

from reporter.importers.outline import HEAD_BYTES, Outline, outline_of
from reporter.importers.stored import Stored, buffered, spooled
from reporter.importers.ziphead import members_of
from reporter.models.manifest import SourceFile

MOST_WHOLE: Final = 1024 * 1024 * 1024
"""Bytes of the largest file that is read at once; what is larger must be read as a stream."""

_STEP: Final = 1024 * 1024


class SourceEntry(Protocol):
    """One file of a source, wherever it lies: on disk, packed, or in an archive.

    An entry may be sent to another process, and may be read as often as one likes.
    """

    @property
    def name(self) -> str:
        """Its path inside the source, with `/` between the parts; never a machine's path."""

    @property
    def prefix(self) -> str:
        """What ids made up for this file begin with: safe, and no other file's."""

    @property
    def size(self) -> int:
        """Its bytes as far as they are known before it is read; 0 where they are not.

        An archive may lie about it: good for progress and order, never for a bound.
        """

    def head(self) -> bytes:
        """Return its first bytes."""

    def read(self) -> bytes:
        """Return all its bytes.

        Raises:
            OSError: It cannot be read, or is larger than `MOST_WHOLE`.
        """

    def open(self) -> BinaryIO:
        """Return a stream of its bytes, from the first on, for a `with` statement.

        It reads forward; where something must be looked for at the end, as in a ZIP, use
        `seekable`.

        Raises:
            OSError: It cannot be read; reading the stream raises the same.
        """


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

    @property
    def size(self) -> int:
        """Return the bytes of the file; 0 where it cannot be looked at."""
        try:
            return self.path.stat().st_size
        except OSError:
            return 0

    def read(self) -> bytes:
        """Return all bytes of the file."""
        if self.size > MOST_WHOLE:
            raise too_large()
        return self.path.read_bytes()

    def open(self) -> BinaryIO:
        """Return a stream of the file's bytes."""
        return self.path.open("rb")


@dataclass(frozen=True, slots=True)
class PackedFile:
    """A file that is packed or lies in an archive."""

    stored: Stored
    name: str
    prefix: str

    def head(self) -> bytes:
        """Return the file's first bytes, as many as are undamaged."""
        pieces: list[bytes] = []
        with self.open() as stream:
            try:
                while (want := HEAD_BYTES - sum(map(len, pieces))) and (piece := stream.read(want)):
                    pieces.append(piece)
            except OSError:
                if not pieces:
                    raise
        return b"".join(pieces)

    @property
    def size(self) -> int:
        """Return about how many bytes the file has."""
        try:
            return self.stored.size
        except OSError:
            return 0

    def read(self) -> bytes:
        """Return all bytes of the file."""
        pieces: list[bytes] = []
        left = MOST_WHOLE
        with self.open() as stream:
            while piece := stream.read(_STEP):
                pieces.append(piece)
                left -= len(piece)
                if left < 0:
                    raise too_large()
        return b"".join(pieces)

    def open(self) -> BinaryIO:
        """Return a stream of the file's bytes."""
        return buffered(self.stored.open())


@dataclass(frozen=True, slots=True)
class Look:
    """All that an importer may look at to tell whether a file is its own."""

    name: str
    head: bytes
    """The first bytes of the file; they may end anywhere."""
    outline: Outline
    """The keys seen in them, where they are JSON."""
    members: tuple[str, ...] = ()
    """The names of the first members, where they are a ZIP."""


def look_at(entry: SourceEntry) -> Look:
    """Take the bounded look at a file."""
    head = entry.head()
    return Look(entry.name, head, outline_of(head), members_of(head))


def too_large() -> OSError:
    """Return what `read` raises for a file that is larger than is read at once."""
    return OSError(errno.EFBIG, f"it is larger than {MOST_WHOLE >> 20} MiB")


def digest_of(entry: SourceEntry) -> SourceFile:
    """Return what the manifest says of a file, without holding more than a piece of it.

    Of a file that is damaged further on, it is said of the bytes before: nothing else of it
    can be read.

    Raises:
        OSError: The file cannot be read from its beginning.
    """
    digest, size = hashlib.sha256(), 0
    with entry.open() as stream:
        try:
            while piece := stream.read(_STEP):
                digest.update(piece)
                size += len(piece)
        except OSError:
            if not size:
                raise
    return SourceFile(name=entry.name, sha256=digest.hexdigest(), bytes=size)


@contextmanager
def seekable(entry: SourceEntry) -> Iterator[BinaryIO]:
    """Open a file so that it can be read in any order, as a ZIP has to be.

    What only reads forward is copied: a small file into memory, a larger one into a
    temporary file without a name, which is gone however the process ends.

    Raises:
        OSError: The file cannot be read. Where it is damaged further on, only reading
            there raises it.
    """
    stream = buffered(spooled(entry.stored)) if isinstance(entry, PackedFile) else entry.open()
    with stream:
        yield stream
