"""A count that carries its unit and its denominator, and the bar that draws it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reporter.view.text import plural

NOT_MEASURED = "not measured"

BarKind = Literal["ink", "rest", "gone", "none", "ok", "warn", "fail", "unknown"]
"""What a piece of a bar stands for.

`ink` a population, `rest` what the whole has beside it, `gone` what left before, outlined,
`none` nothing: room that only keeps bars on one scale;
`ok`, `warn`, `fail` outcomes; `unknown` what nothing on record decides, hatched.
"""


@dataclass(frozen=True, slots=True)
class Count:
    """So many of so many."""

    count: int
    total: int
    one: str = "session"
    """The unit in the singular."""
    kind: str = ""
    """A word before the unit, such as `read` or `started`."""

    @property
    def text(self) -> str:
        """Such as `2 of 5 read sessions`; `not measured` over nothing."""
        if self.total == 0:
            return NOT_MEASURED
        unit = self.one if self.total == 1 else self.one + "s"
        return f"{self.short} {self.kind} {unit}" if self.kind else f"{self.short} {unit}"

    @property
    def short(self) -> str:
        """Such as `2 of 5`, where a head or a caption says the unit."""
        return NOT_MEASURED if self.total == 0 else f"{self.count:,} of {self.total:,}"

    @property
    def whole(self) -> str:
        """The denominator with its unit, such as `5 read sessions`."""
        return plural(self.total, f"{self.kind} {self.one}" if self.kind else self.one)


@dataclass(frozen=True, slots=True)
class BarPiece:
    """One piece of a bar, in percent of its whole."""

    kind: BarKind
    start: str
    """Such as `33.33%`."""
    width: str
    first: bool
    """True: nothing stands to its left, so no gap is drawn."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar that always draws its whole, and says in words what it draws."""

    pieces: tuple[BarPiece, ...]
    """Empty where the whole is zero: then no bar is drawn."""
    label: str
    """The text alternative."""


def bar(parts: Sequence[tuple[BarKind, int]], label: str) -> Bar:
    """Draw parts that add up to their whole; a part that exists is never too thin to see."""
    total = sum(count for _, count in parts)
    if total == 0:
        return Bar((), label)
    shown = [(kind, count) for kind, count in parts if count]
    widths = [max(100 * count / total, 0.6) for _, count in shown]
    scale = 100 / sum(widths)
    pieces: list[BarPiece] = []
    start = 0.0
    for (kind, _), width in zip(shown, widths, strict=True):
        if kind != "none":
            pieces.append(BarPiece(kind, percent(start), percent(width * scale), first=not pieces))
        start += width * scale
    return Bar(tuple(pieces), label)


def share_bar(count: Count, kind: BarKind = "ink", rest: BarKind = "rest") -> Bar:
    """Draw a count and the rest of its whole."""
    return bar([(kind, count.count), (rest, count.total - count.count)], count.text)


def percent(value: float) -> str:
    """Write a share for an attribute, without a needless tail."""
    return f"{value:.2f}".rstrip("0").rstrip(".") + "%"
