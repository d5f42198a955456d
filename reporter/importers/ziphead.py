"""The names of a ZIP's first members, from the first bytes of the file alone."""

import struct
from typing import Final

_MAGIC: Final = b"PK\x03\x04"
_HEADER: Final = struct.Struct("<4s5H3I2H")
_MOST: Final = 64
_SIZE_BEHIND: Final = 0x0008
_UTF8: Final = 0x0800
_SIZE_ELSEWHERE: Final = 0xFFFFFFFF


def members_of(head: bytes) -> tuple[str, ...]:
    """Return the names of the members that begin in the first bytes of a ZIP.

    Args:
        head: The file's first bytes; they may end anywhere.

    Returns:
        Names in the order of the file, as many as can be told: where the size of a member
        stands behind it, nothing is known of the next one. Empty for what is no ZIP.
    """
    names: list[str] = []
    at = 0
    while len(names) < _MOST and head[at : at + 4] == _MAGIC and at + _HEADER.size <= len(head):
        _, _, flags, _, _, _, _, packed, _, name_length, extra_length = _HEADER.unpack_from(
            head, at
        )
        begin = at + _HEADER.size
        name = head[begin : begin + name_length]
        if len(name) < name_length:
            break
        names.append(name.decode("utf-8" if flags & _UTF8 else "cp437", "replace"))
        if flags & _SIZE_BEHIND or packed == _SIZE_ELSEWHERE:
            break
        at = begin + name_length + extra_length + packed
    return tuple(names)
