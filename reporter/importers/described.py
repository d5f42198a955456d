"""What each format says of a session and what it cannot say: the table of the docs."""

from typing import Final

from reporter.models.value import value

SAYS: Final = (
    "persona",
    "goal",
    "target",
    "session",
    "turn",
    "call",
    "result",
    "error",
    "stop_reason",
    "outcome",
    "usage",
    "time",
    "catalog",
    "connection",
)
"""What every format is asked for, in the order of the table's columns."""


@value(frozen=True, slots=True)
class Gap:
    """Something that a format does not record, and what the report says instead."""

    what: str
    """What is missing, such as "no tool catalog"."""
    consequence: str
    """The coverage note, signal or link state that follows, by its wire word."""


@value(frozen=True, slots=True)
class Described:
    """One row of the table of formats.

    Each of the fields of `SAYS` names the place in the source that the value comes from,
    in a few words with field names in backticks, and the rule where it is inferred. None
    means that the format does not say it.
    """

    title: str
    """The format's name as its users know it."""
    files: str
    """Which files it reads, as `looks_for` says it, in a few words."""
    persona: str | None
    goal: str | None
    target: str | None
    session: str | None
    turn: str | None
    call: str | None
    result: str | None
    error: str | None
    stop_reason: str | None
    outcome: str | None
    usage: str | None
    time: str | None
    catalog: str | None
    connection: str | None
    gaps: tuple[Gap, ...] = ()
