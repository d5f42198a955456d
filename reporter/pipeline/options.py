"""What a caller decides about reading and deriving a wave."""

from collections.abc import Callable
from dataclasses import dataclass, field

from reporter.importers.mapping import FileMapping
from reporter.recording.limits import Limits

Progress = Callable[[int, int], None]
"""Told how many of how many pieces of work are done; called from the caller's thread."""


@dataclass(frozen=True, slots=True)
class Options:
    """Choices that are no part of the recording; none of them changes a number but the cap."""

    mapping: FileMapping = field(default_factory=FileMapping)
    limits: Limits = field(default_factory=Limits)
    scan_cap: int | None = None
    """Sessions to read, in the order of the plan, or None for all."""
    jobs: int | None = None
    """Processes to derive with, or None to choose by the size of the wave."""


def quietly(done: int, total: int) -> None:
    """Report no progress."""
