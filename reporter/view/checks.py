"""What the checks measure: which checks and graders file at which link, and what nothing does."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChecksRow:
    """One link of the chain."""

    label: str
    checks: tuple[str, ...]
    """Kinds of checks that file here, as authored; empty where nothing measures the link."""
    graders: str
    """Who else files here; may be empty."""
    applies: str
    """Where it applies, such as `36 of 48 sessions`; or why no check can be written."""


@dataclass(frozen=True, slots=True)
class ChecksView:
    """What is measured at all, link by link.

    Rule: report.md section 3.9.
    """

    lead: str
    rows: tuple[ChecksRow, ...]
