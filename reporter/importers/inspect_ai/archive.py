"""The members of an `.eval` log: a ZIP that is read member by member, within bounds."""

import struct
import zipfile
import zlib
from typing import IO, Final

import zstandard

MOST_MEMBERS: Final = 200_000
"""Members of the largest log that is read."""

MOST_MEMBER: Final = 512 * 1024 * 1024
"""Bytes of the largest member that is unpacked."""

HIGHEST_RATIO: Final = 2_000
"""Times its packed size that a member may unpack to, once it is larger than `SMALL`."""

SMALL: Final = 16 * 1024 * 1024
"""Bytes that a member may unpack to however small it is packed."""

_MOST_DIRECTORY: Final = 64 * 1024 * 1024
_ZSTANDARD: Final = 93
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, _ZSTANDARD)
_ENCRYPTED: Final = 0x1
_LOCAL: Final = struct.Struct("<4s5H3I2H")
_LOCAL_MAGIC: Final = b"PK\x03\x04"
_END: Final = struct.Struct("<4s4H2IH")
_END_MAGIC: Final = b"PK\x05\x06"
_END_REACH: Final = _END.size + 0xFFFF
_END64: Final = struct.Struct("<4sQ2H2I4Q")
_LOCATOR64: Final = struct.Struct("<4sIQI")
_LOCATOR64_MAGIC: Final = b"PK\x06\x07"
_ELSEWHERE: Final = 0xFFFFFFFF
_STEP: Final = 1024 * 1024
_WINDOW: Final = 1 << 27
# What zipfile raises over bytes that are no ZIP, whatever they are instead.
_NO_ZIP: Final = (
    zipfile.BadZipFile,
    NotImplementedError,
    ValueError,
    struct.error,
    EOFError,
    OverflowError,
)


class ArchiveError(Exception):
    """Why a ZIP, or one of its members, is not read."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class LogArchive:
    """An open `.eval` log.

    Args:
        stream: Its bytes, in any order.

    Raises:
        ArchiveError: It is no ZIP, or one that nobody reads.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        size = stream.seek(0, 2)
        _check_directory(stream, size)
        try:
            self._zip = zipfile.ZipFile(stream)
        except _NO_ZIP as error:
            raise ArchiveError(f"the file is no ZIP that can be read ({error})") from None
        found = self._zip.infolist()
        if len(found) > MOST_MEMBERS:
            raise ArchiveError(f"the ZIP has more than {MOST_MEMBERS:,} members")
        if sum(info.compress_size for info in found) > size:
            raise ArchiveError("the members of the ZIP are larger than it is, or overlap")
        self._members = {info.filename: info for info in found}
        self.superseded = len(found) - len(self._members)
        """Members that another one of the same name stands behind: that one counts."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the members, in the order in which they were written first."""
        return tuple(self._members)

    def packed_size(self, name: str) -> int:
        """Return how many bytes a member takes in the ZIP."""
        return self._members[name].compress_size

    def read(self, name: str) -> bytes:
        """Return a member's bytes.

        Raises:
            ArchiveError: There is none of that name, or it is not read.
        """
        info = self._members.get(name)
        if info is None:
            raise ArchiveError("it is not in the log")
        _check(info)
        try:
            data = self._zstandard(info) if info.compress_type == _ZSTANDARD else self._plain(info)
        except (*_NO_ZIP, zlib.error, zstandard.ZstdError) as error:
            raise ArchiveError(f"it cannot be unpacked ({error})") from None
        if len(data) > info.file_size:
            raise ArchiveError("it is larger than the ZIP says")
        if len(data) < info.file_size or zlib.crc32(data) != info.CRC:
            raise ArchiveError("its bytes are not those that were written")
        return data

    def _plain(self, info: zipfile.ZipInfo) -> bytes:
        with self._zip.open(info) as member:
            return member.read(info.file_size + 1)

    def _zstandard(self, info: zipfile.ZipInfo) -> bytes:
        """Unpack what Python's own module knows only from 3.14 on."""
        self._stream.seek(info.header_offset)
        header = self._stream.read(_LOCAL.size)
        magic, *_, name_length, extra_length = _LOCAL.unpack(header)
        if magic != _LOCAL_MAGIC:
            raise ArchiveError("it is not where the ZIP says")
        self._stream.seek(name_length + extra_length, 1)
        packed = self._stream.read(info.compress_size)
        reader = zstandard.ZstdDecompressor(max_window_size=_WINDOW).stream_reader(
            packed, read_across_frames=True
        )
        pieces: list[bytes] = []
        have = 0
        while have <= info.file_size and (piece := reader.read(_STEP)):
            pieces.append(piece)
            have += len(piece)
        return b"".join(pieces)


def _check(info: zipfile.ZipInfo) -> None:
    if info.flag_bits & _ENCRYPTED:
        raise ArchiveError("it is encrypted")
    if info.compress_type not in _METHODS:
        raise ArchiveError(f"it is packed by a method that is not read ({info.compress_type})")
    if info.file_size > MOST_MEMBER:
        raise ArchiveError(f"it is larger than {MOST_MEMBER >> 20} MiB")
    if info.file_size > max(SMALL, HIGHEST_RATIO * info.compress_size):
        raise ArchiveError(f"it would unpack to more than {HIGHEST_RATIO:,} times its size")


def _check_directory(stream: IO[bytes], size: int) -> None:
    """Refuse a ZIP whose list of members alone would fill the memory.

    Raises:
        ArchiveError: It has such a list, or none.
    """
    stream.seek(max(0, size - _END_REACH))
    tail = stream.read(_END_REACH)
    at = tail.rfind(_END_MAGIC)
    if at < 0 or at + _END.size > len(tail):
        raise ArchiveError("the ZIP has no end: it was cut off, or is still being written")
    directory = _END.unpack_from(tail, at)[5]
    before = at - _LOCATOR64.size
    if directory == _ELSEWHERE and before >= 0:
        magic, _, where, _ = _LOCATOR64.unpack_from(tail, before)
        if magic == _LOCATOR64_MAGIC and where + _END64.size <= size:
            stream.seek(where)
            directory = _END64.unpack(stream.read(_END64.size))[8]
    if directory > _MOST_DIRECTORY:
        raise ArchiveError(f"the list of its members is larger than {_MOST_DIRECTORY >> 20} MiB")
