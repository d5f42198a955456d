"""The files in an archive, without unpacking it, and what of it is refused and why."""

import re
import stat
import struct
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, BinaryIO, Final, Literal, cast

from reporter.importers.sound import sound_text
from reporter.importers.stored import (
    ZIP_METHODS,
    Span,
    Stored,
    Unpacked,
    ZipMember,
    buffered,
    spooled,
)
from reporter.importers.unpacking import (
    MOST_RATIO,
    MOST_UNPACKED,
    RATIO_FREE,
    codec_of,
    refused,
)
from reporter.importers.ziphead import members_of

MOST_MEMBERS: Final = 100_000
"""Members that an archive may have."""

MOST_TOTAL: Final = 16 * 1024**3
"""Bytes that all members of an archive may come to."""

_MOST_DIRECTORY: Final = 64 * 1024**2
_MOST_TAR_HEADER: Final = 1024**2
_ENCRYPTED: Final = 0x01
_ELSEWHERE: Final = 0xFFFFFFFF
_ENTRY: Final = b"PK\x01\x02"
_END: Final = struct.Struct("<4s4H2IH")
_END_MAGIC: Final = b"PK\x05\x06"
_END_64: Final = struct.Struct("<4sQ2H2I4Q")
_LOCATOR_64: Final = struct.Struct("<4sIQI")
_TAR_MAGIC: Final = slice(257, 262)
_LINK: Final = "a link; links are not followed"

Kind = Literal["zip", "tar"]

_OF_A_LOG: Final = re.compile(r"_journal/.|samples/.+_epoch_\d", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Member:
    """A file of an archive."""

    name: str
    """Its path inside, with `/` between the parts."""
    stored: Stored


@dataclass(frozen=True, slots=True)
class Refused:
    """What of an archive is not read."""

    name: str
    """Its path inside as the archive has it, or empty for everything that would follow."""
    reason: str
    is_loss: bool = True
    """Whether a recording may be lost with it; no link and no device is one."""


def kind_of(stored: Stored, head: bytes) -> tuple[Kind, Stored] | None:
    """Tell whether bytes are an archive, or are packed and would be one.

    An evaluation log that is a ZIP itself is none: it is one file, of one format.

    Args:
        stored: The bytes.
        head: The first of them.

    Returns:
        What kind of archive and its bytes, unpacked where it is packed as a whole; None for
        anything else.
    """
    if head.startswith((b"PK\x03\x04", _END_MAGIC)):
        return None if _is_one_file(members_of(head)) else ("zip", stored)
    codec = codec_of(head)
    if codec is not None:
        stored = Unpacked(stored, codec)
        try:
            with buffered(stored.open()) as stream:
                head = stream.read(tarfile.BLOCKSIZE)
        except OSError:
            return None
    return ("tar", stored) if head[_TAR_MAGIC] == b"ustar" else None


def members(kind: Kind, stored: Stored) -> Iterator[Member | Refused]:
    """Yield the files of an archive in its order, and what of it is refused.

    Of members with one name the first counts. Members are looked at no further than their
    headers; what they say of their size is held to when they are read.
    """
    seen: set[str] = set()
    total = 0
    found = _zip_members(stored) if kind == "zip" else _tar_members(stored)
    for count, one in enumerate(found):
        if count >= MOST_MEMBERS:
            yield Refused("", f"the archive has more than {MOST_MEMBERS} members")
            return
        if isinstance(one, Refused):
            yield one
            continue
        name = _inside(one.name)
        if name is None:
            yield Refused(sound_text(one.name), "a path that leads out of the archive")
        elif name in seen:
            yield Refused(name, "the archive holds this name before; the first one is read")
        else:
            seen.add(name)
            total += one.stored.size
            if total > MOST_TOTAL:
                yield Refused(name, f"the archive holds more than {MOST_TOTAL >> 20} MiB")
                return
            yield Member(name, one.stored)


def _is_one_file(names: tuple[str, ...]) -> bool:
    """Tell whether a ZIP is the log of an evaluation: a header, samples and a journal."""
    return names[:1] == ("header.json",) or any(map(_OF_A_LOG.match, names))


def _inside(name: str) -> str | None:
    """Return a member's path with plain `/`, or None where it leads out of the archive."""
    parts = name.replace("\\", "/").split("/")
    if ".." in parts or not parts[0] or parts[0].endswith(":"):
        return None
    return sound_text("/".join(part for part in parts if part not in ("", ".")))


def _zip_members(stored: Stored) -> Iterator[Member | Refused]:
    try:
        with spooled(stored) as stream:
            _check_directory(stream)
            with zipfile.ZipFile(stream) as archive:
                listed = archive.infolist()
    except OSError as error:
        yield Refused("", error.strerror or str(error))
        return
    except (zipfile.BadZipFile, NotImplementedError, ValueError, struct.error):
        yield Refused(
            "",
            "the directory at the end of the ZIP is damaged or missing: it was cut off, or is "
            "still being written",
        )
        return
    for info in listed:
        if not info.is_dir():
            yield _zip_member(stored, info)


def _zip_member(stored: Stored, info: zipfile.ZipInfo) -> Member | Refused:
    name = info.filename
    mode = info.external_attr >> 16
    if stat.S_ISLNK(mode):
        return Refused(sound_text(name), _LINK, is_loss=False)
    reason = ""
    if info.flag_bits & _ENCRYPTED:
        reason = "it is encrypted"
    elif info.compress_type not in ZIP_METHODS:
        reason = f"it is packed in a way that is not read (method {info.compress_type})"
    elif info.file_size > MOST_UNPACKED:
        reason = f"it unpacks to more than {MOST_UNPACKED >> 20} MiB"
    elif info.file_size > max(RATIO_FREE, MOST_RATIO * info.compress_size):
        reason = f"it unpacks to more than {MOST_RATIO} times its size"
    if reason:
        return Refused(sound_text(name), f"{reason}; unpack the archive yourself, if you trust it")
    codec = ZIP_METHODS[info.compress_type]
    size = info.file_size if codec else info.compress_size
    return Member(
        name,
        ZipMember(stored, info.header_offset, info.compress_size, size, codec, info.CRC),
    )


def _check_directory(stream: BinaryIO) -> None:
    """Look at how large the directory is before it is read.

    The number of members that an archive says it has may be a lie; the bytes of its
    directory are there, and each member begins with the same four.

    Raises:
        OSError: There are too many members.
        BadZipFile: There is no directory.
    """
    end = stream.seek(0, 2)
    tail_start = max(0, end - _END.size - 0xFFFF)
    stream.seek(tail_start)
    tail = _read(stream, end - tail_start)
    at = tail.rfind(_END_MAGIC)
    if at < 0 or len(tail) - at < _END.size:
        raise zipfile.BadZipFile
    size = _END.unpack_from(tail, at)[5]
    if size == _ELSEWHERE and at >= _LOCATOR_64.size:
        stream.seek(_LOCATOR_64.unpack_from(tail, at - _LOCATOR_64.size)[2])
        size = _END_64.unpack(_read(stream, _END_64.size))[8]
    start = tail_start + at - size
    if size > _MOST_DIRECTORY:
        raise refused(f"the archive has more than {MOST_MEMBERS} members")
    if start < 0:
        raise zipfile.BadZipFile
    # A 64-bit end stands behind the directory too: reading a little less does no harm.
    stream.seek(start)
    if _read(stream, size).count(_ENTRY) > MOST_MEMBERS:
        raise refused(f"the archive has more than {MOST_MEMBERS} members")


def _read(stream: BinaryIO, size: int) -> bytes:
    pieces: list[bytes] = []
    while size > 0 and (piece := stream.read(size)):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


class _Headers:
    """A stream for reading headers alone: none of them is large."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.seek = stream.seek
        self.tell = stream.tell

    def read(self, size: int) -> bytes:
        """Return so many bytes, fewer only at the end."""
        if not 0 <= size <= _MOST_TAR_HEADER:
            raise tarfile.ReadError("a header that large is none")
        return _read(self._stream, size)


def _tar_members(stored: Stored) -> Iterator[Member | Refused]:
    try:
        with spooled(stored) as stream:
            size = stream.seek(0, 2)
            stream.seek(0)
            headers = cast("IO[bytes]", _Headers(stream))
            with tarfile.open(fileobj=headers, mode="r:", errorlevel=2) as archive:
                yield from _listed(archive, stored, size)
    except OSError as error:
        yield Refused("", error.strerror or str(error))
    except (tarfile.TarError, ValueError, OverflowError, RecursionError):
        yield Refused("", "the tar archive is damaged or breaks off here")


def _listed(archive: tarfile.TarFile, stored: Stored, size: int) -> Iterator[Member | Refused]:
    state = vars(archive)
    while (info := archive.next()) is not None:
        state["members"].clear()
        name = sound_text(info.name)
        if info.isdir():
            continue
        if info.issym() or info.islnk():
            yield Refused(name, _LINK, is_loss=False)
        elif info.issparse():
            yield Refused(name, "a sparse file; unpack the archive yourself")
        elif not info.isreg():
            yield Refused(name, "neither a file nor a folder", is_loss=False)
        else:
            yield Member(info.name, Span(stored, info.offset_data, info.size))
            if info.offset_data + info.size > size:
                raise tarfile.ReadError
    # A header that is none ends the list in silence, as the zeros behind the last member do.
    with spooled(stored) as stream:
        stream.seek(state["offset"])
        end = _read(stream, tarfile.BLOCKSIZE)
    if len(end) < tarfile.BLOCKSIZE or any(end):
        raise tarfile.ReadError
