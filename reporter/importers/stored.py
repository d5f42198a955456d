"""Where the bytes of a file lie that is no file on disk: packed, or in an archive."""

import errno
import io
import os
import struct
import tempfile
import zlib
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO, Final, Protocol, cast

from reporter.importers.unpacking import Codec, Unpacking, damaged

_STEP: Final = 1024 * 1024
_IN_MEMORY: Final = 256 * 1024
_SPOOLS_KEPT: Final = 64
_LOCAL_HEADER: Final = struct.Struct("<4s22xHH")
_LOCAL_MAGIC: Final = b"PK\x03\x04"
_STORED, _DEFLATED, _BZIP2, _ZSTD = 0, 8, 12, 93
ZIP_METHODS: Final[dict[int, Codec | None]] = {
    _STORED: None,
    _DEFLATED: "deflate",
    _BZIP2: "bzip2",
    _ZSTD: "zstd",
}
"""How members of a ZIP may be packed."""
_GUESSED_RATIO: Final = 5


class Stored(Hashable, Protocol):
    """Bytes that can be read again and again, and named to another process."""

    @property
    def size(self) -> int:
        """About how many bytes they are; never a bound."""

    def open(self) -> BinaryIO:
        """Return a stream of them, from the first on.

        Raises:
            OSError: They cannot be read; reading the stream raises the same.
        """


@dataclass(frozen=True, slots=True)
class OnDisk:
    """A whole file on disk."""

    path: Path

    @property
    def size(self) -> int:
        """Return its bytes."""
        return self.path.stat().st_size

    def open(self) -> BinaryIO:
        """Open the file."""
        return self.path.open("rb")


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What packed bytes unpack to."""

    packed: Stored
    codec: Codec

    @property
    def size(self) -> int:
        """Return what was found where they were copied, else a guess: a header may lie."""
        spool = _spools.get(self)
        return _GUESSED_RATIO * self.packed.size if spool is None else len(spool)

    def open(self) -> BinaryIO:
        """Unpack them, reading forward."""
        return cast("BinaryIO", Unpacking(self.packed.open(), self.codec))


@dataclass(frozen=True, slots=True)
class Span:
    """Some bytes of others, as a member of a tar archive is."""

    base: Stored
    start: int
    size: int

    def open(self) -> BinaryIO:
        """Return a stream of them that can seek."""
        return cast("BinaryIO", _Window(spooled(self.base), self.start, self.size))


@dataclass(frozen=True, slots=True)
class ZipMember:
    """A member of a ZIP archive."""

    base: Stored
    header: int
    """Bytes before its own header."""
    packed: int
    """Bytes that it takes in the archive."""
    size: int
    codec: Codec | None
    checksum: int

    def open(self) -> BinaryIO:
        """Return a stream of its bytes; one that can seek where it is not packed."""
        with spooled(self.base) as stream:
            stream.seek(self.header)
            head = stream.read(_LOCAL_HEADER.size)
            if len(head) < _LOCAL_HEADER.size or head[:4] != _LOCAL_MAGIC:
                raise damaged("ZIP", "hold no member where their directory says")
            _, name_length, extra_length = _LOCAL_HEADER.unpack(head)
        start = self.header + _LOCAL_HEADER.size + name_length + extra_length
        window = Span(self.base, start, self.packed).open()
        if self.codec is None:
            return window
        return cast("BinaryIO", _Checked(Unpacking(window, self.codec), self.size, self.checksum))


class _Buffered(io.BufferedReader):
    """Reads lines swiftly, and loses nothing of what comes before a place that is damaged."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Return so many bytes, fewer only at the end or before what is damaged."""
        left = -1 if size is None else size
        pieces: list[bytes] = []
        try:
            while left and (piece := self.read1(left if left > 0 else _STEP)):
                pieces.append(piece)
                left -= len(piece) if left > 0 else 0
        except OSError:
            # The next one that reads on meets it again.
            if not pieces:
                raise
        return b"".join(pieces)


def buffered(stream: BinaryIO) -> BinaryIO:
    """Return a stream that lines are read of."""
    return _Buffered(stream) if isinstance(stream, io.RawIOBase) else stream


class _Window(io.RawIOBase):
    """Some bytes of a stream that can seek, as a stream of their own."""

    def __init__(self, stream: BinaryIO, start: int, size: int) -> None:
        super().__init__()
        self._stream = stream
        self._start = start
        self._size = size
        self._at = 0

    def readable(self) -> bool:
        """Return true."""
        return True

    def seekable(self) -> bool:
        """Return true."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a place inside."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill the buffer as far as it goes."""
        want = min(len(buffer), max(0, self._size - self._at))
        if not want:
            return 0
        self._stream.seek(self._start + self._at)
        data = self._stream.read(want)
        if not data:
            raise damaged("archive's", "break off here")
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def close(self) -> None:
        """Close the stream as well."""
        self._stream.close()
        super().close()


class _Checked(io.RawIOBase):
    """Compares what a member of a ZIP unpacks to with what its directory says of it."""

    def __init__(self, stream: Unpacking, size: int, checksum: int) -> None:
        super().__init__()
        self._stream = stream
        self._left = size
        self._expected = checksum
        self._checksum = 0

    def readable(self) -> bool:
        """Return true."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill the buffer as far as it goes at once."""
        length = self._stream.readinto(buffer)
        self._checksum = zlib.crc32(buffer[:length], self._checksum)
        self._left -= length
        if self._left < 0 or (not length and self._left):
            raise damaged("ZIP", "are of another size than their directory says")
        if not length and self._checksum != self._expected:
            raise damaged("ZIP", "do not match their checksum")
        return length

    def close(self) -> None:
        """Close the stream as well."""
        self._stream.close()
        super().close()


class _Spool:
    """A copy that can seek of what reads only forward; gone with the process.

    Small ones stay in memory, others go to a temporary file without a name. Processes that
    are forked later share it.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._memory = b""
        self._file: IO[bytes] | None = None
        self._size = 0
        self._damage: OSError | None = None
        try:
            self._fill(stream)
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise
            self._damage = error

    def _fill(self, stream: IO[bytes]) -> None:
        while piece := stream.read(_STEP):
            if self._file is None and self._size + len(piece) > _IN_MEMORY:
                self._file = tempfile.TemporaryFile()  # noqa: SIM115  closed with the spool
                self._file.write(self._memory)
                self._memory = b""
            if self._file is None:
                self._memory += piece
            else:
                self._file.write(piece)
            self._size += len(piece)
        if self._file is not None:
            self._file.flush()

    def __len__(self) -> int:
        return self._size

    def read(self, at: int, most: int) -> bytes:
        """Return bytes from a place on; none at the end.

        Raises:
            OSError: What was copied is damaged from here on.
        """
        if self._file is None:
            data = self._memory[at : at + most]
        elif hasattr(os, "pread"):
            # Processes that share the file share its position too.
            data = os.pread(self._file.fileno(), most, at)
        else:
            self._file.seek(at)
            data = self._file.read(most)
        if not data and most and self._damage is not None:
            raise OSError(*self._damage.args)
        return data

    def __del__(self) -> None:
        # Not where it is put away: somebody may still read it.
        if self._file is not None:
            self._file.close()


class _SpoolReader(io.RawIOBase):
    """A stream over a copy."""

    def __init__(self, spool: _Spool) -> None:
        super().__init__()
        self._spool = spool
        self._at = 0

    def readable(self) -> bool:
        """Return true."""
        return True

    def seekable(self) -> bool:
        """Return true."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a place."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: len(self._spool)}[whence]
        self._at = max(0, base + offset)
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill the buffer as far as it goes."""
        data = self._spool.read(self._at, len(buffer))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


_spools: OrderedDict[Hashable, _Spool] = OrderedDict()


def spooled(stored: Stored) -> BinaryIO:
    """Open bytes so that they can be read in any order.

    What only reads forward is copied, once for as long as there is room among the copies.

    Raises:
        OSError: They cannot be read. Where they are damaged further on, only reading
            there raises it.
    """
    if stored not in _spools:
        stream = stored.open()
        if stream.seekable():
            return stream
        with stream:
            _spools[stored] = _Spool(stream)
        while len(_spools) > _SPOOLS_KEPT:
            _spools.popitem(last=False)
    _spools.move_to_end(stored)
    return cast("BinaryIO", _SpoolReader(_spools[stored]))
