"""Follows the frames of a zstd stream, to tell an end from a place where it breaks off."""

from collections.abc import Callable
from typing import Final

_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_SKIPPED: Final = range(0x184D2A50, 0x184D2A60)
_RLE: Final = 1
# Bytes of the dictionary id and of the content size, by the flags of a frame's header.
_ID_BYTES: Final = (0, 1, 2, 4)
_SIZE_BYTES: Final = (0, 2, 4, 8)


class ZstdFrames:
    """Hands on bytes and follows what they are: headers, blocks and checksums.

    Only lengths are looked at; whether the blocks are sound is the decoder's to say.

    Args:
        take: Returns the next packed bytes, at most so many; none at the end.
    """

    def __init__(self, take: Callable[[int], bytes]) -> None:
        self._take = take
        self._pending = b""
        self._skip = 0
        """Bytes to come before the next header."""
        self._is_between = True
        """The next header is a frame's, not a block's."""
        self._checksum = 0

    @property
    def is_complete(self) -> bool:
        """Whether what was handed on ends where a frame does."""
        return self._is_between and not self._skip and not self._pending

    def read(self, most: int = -1) -> bytes:
        """Return the next bytes, at most so many."""
        data = self._take(most) if most > 0 else self._take(65_536)
        self._follow(data)
        return data

    def _follow(self, data: bytes) -> None:
        data = self._pending + data
        at = 0
        while True:
            step = min(self._skip, len(data) - at)
            at += step
            self._skip -= step
            if self._skip:
                break
            length = self._frame(data, at) if self._is_between else self._block(data, at)
            if length == 0:
                break
            at += length
        self._pending = data[at:]

    def _frame(self, data: bytes, at: int) -> int:
        """Take a frame's header; 0 while it is not there whole."""
        if len(data) - at < 8:  # noqa: PLR2004  the shortest frame has as many
            return 0
        if data[at : at + 4] != _MAGIC:
            is_skipped = int.from_bytes(data[at : at + 4], "little") in _SKIPPED
            self._skip = int.from_bytes(data[at + 4 : at + 8], "little") if is_skipped else 0
            # What is no frame at all is the decoder's to refuse.
            return 8 if is_skipped else len(data) - at
        flags = data[at + 4]
        is_single = bool(flags & 0x20)
        size = _SIZE_BYTES[flags >> 6] or int(is_single)
        self._checksum = 4 if flags & 0x04 else 0
        self._is_between = False
        self._skip = int(not is_single) + _ID_BYTES[flags & 0x03] + size
        return 5

    def _block(self, data: bytes, at: int) -> int:
        """Take a block's header; 0 while it is not there whole."""
        if len(data) - at < 3:  # noqa: PLR2004  the bytes of a block's header
            return 0
        header = int.from_bytes(data[at : at + 3], "little")
        is_last, kind, size = header & 1, header >> 1 & 3, header >> 3
        self._skip = 1 if kind == _RLE else size
        if is_last:
            self._is_between = True
            self._skip += self._checksum
        return 3
