"""Which tools errored, in a sentence for the first screen: where a server's author looks first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from reporter.view.count import Count
from reporter.view.text import one_line, quoted

SHOWN: Final = 3
"""Tools that are named; the table of all tools has the others."""
NAME_LIMIT: Final = 60
SAID_LIMIT: Final = 90
"""Characters of the error that is quoted."""


class Called(Protocol):
    """What the sentence needs to know of a tool that was called."""

    @property
    def name(self) -> str:
        """Its name, cleaned."""
        ...

    @property
    def anchor(self) -> str:
        """Where it stands among all tools."""
        ...

    @property
    def missing(self) -> bool:
        """True: a complete catalogue does not offer it."""
        ...

    @property
    def errors(self) -> Count:
        """Calls that returned an error, of all calls."""
        ...

    @property
    def example_words(self) -> str:
        """The first error in the server's words; may be empty."""
        ...


@dataclass(frozen=True, slots=True)
class ErringPiece:
    """A piece of the sentence; one that names a tool leads to it."""

    text: str
    href: str = ""
    """Where the tool stands among all tools; empty for other words."""
    quotes: bool = False
    """True: the server's words, which paper leaves to the page."""


def erring_words(tools: Sequence[Called]) -> tuple[ErringPiece, ...]:
    """Name the tools that returned errors, and those that are not on offer.

    Of the first, the first recorded error is quoted. Empty where no tool errored and none is
    missing.

    Args:
        tools: Tools that were called, those with most errors first.

    Rule: report.md section 3.6.
    """
    erring = [tool for tool in tools if tool.errors.count and not tool.missing]
    missing = [tool for tool in tools if tool.missing]
    pieces: list[ErringPiece] = []
    if erring:
        pieces += _listed(erring, counts=True)
    if missing:
        verb = "was called and is" if len(missing) == 1 else "were called and are"
        pieces += [*_listed(missing, counts=False), ErringPiece(f" {verb} not on offer. ")]
    return tuple(pieces)


def _listed(tools: Sequence[Called], *, counts: bool) -> list[ErringPiece]:
    pieces: list[ErringPiece] = []
    named, left = tools[:SHOWN], len(tools) - SHOWN
    for place, tool in enumerate(named):
        if place:
            pieces.append(ErringPiece(" and " if place == len(named) - 1 and left <= 0 else ", "))
        pieces.append(ErringPiece(one_line(tool.name, NAME_LIMIT), f"#{tool.anchor}"))
        if counts and place == 0:
            said = one_line(tool.example_words, SAID_LIMIT).rstrip(".")
            first = f", the first with {quoted(said)}" if said else ""
            pieces.append(ErringPiece(f" in {tool.errors.text}"))
            if first:
                pieces.append(ErringPiece(first, quotes=True))
        elif counts:
            pieces.append(ErringPiece(f" in {tool.errors.short}"))
    if left > 0:
        pieces.append(ErringPiece(f" and {left:,} more"))
    return [*pieces, ErringPiece(". ")] if counts else pieces
