"""What a caller decides about deriving one session."""

from dataclasses import dataclass
from typing import Final

CONTEXT_CHARS: Final = 400_000
"""Longest transcript a model reads, where the caller sets no other limit."""


@dataclass(frozen=True, slots=True)
class DeriveOptions:
    """Choices that are no part of the recording."""

    beyond_scan_cap: bool = False
    """The session's slot stands behind the scan cap, so it is not read."""
    marginal_score: bool = False
    """A judge's score that was barely enough counts as friction."""
    with_model: bool = False
    """A model reads the session; what follows says nothing without one."""
    context_chars: int | None = None
    """Longest transcript the model reads, or None for the usual limit."""
    budget_exhausted: bool = False
    """The analysis budget ended before this session."""
    extraction_rejected: bool = False
    """What the model made of this session did not pass the checks."""
