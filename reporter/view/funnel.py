"""Where value stopped: for each link of the chain, who came that far and what was found."""

from dataclasses import dataclass

from reporter.view.count import Bar


@dataclass(frozen=True, slots=True)
class FunnelCell:
    """One count of a row, beside its column's head."""

    label: str
    """Head of the column, such as `Reached`."""
    count: int


@dataclass(frozen=True, slots=True)
class FunnelRow:
    """One link over the counted sessions; rows share sessions and are never added."""

    label: str
    bar: Bar
    """Passed, failed, not known, and what never ran or does not apply."""
    cells: tuple[FunnelCell, ...]
    """In the same order in every row."""


@dataclass(frozen=True, slots=True)
class FunnelView:
    """The stage funnel of one wave.

    Rule: report.md section 3.7.
    """

    lead: str
    caption: str
    """Every session that is left out, with its class."""
    key: tuple[tuple[str, str, str], ...]
    """Marks of the bar's pieces: mark name, tone, words."""
    rows: tuple[FunnelRow, ...]
