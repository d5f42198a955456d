"""How much of a recording is read before the rest is left out and said to be."""

from dataclasses import dataclass
from typing import Final

_MIB: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on what one recording may cost; each one that is reached is reported.

    Rule: recording.md section 2, Limits.
    """

    session_bytes: int = 64 * _MIB
    """Bytes of one session; what lies beyond is left out."""
    line_bytes: int = 8 * _MIB
    """Bytes of one line, its line feed not counted; a longer one counts as unreadable."""
    message_chars: int = 1_000_000
    """Characters of text kept in one message."""
