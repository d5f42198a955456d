"""Which tools errored, in a sentence for the first screen: where a server's author looks first."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from reporter.models.facts import SessionFacts
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
    def absent(self) -> Count:
        """Sessions in which it does not exist, of those that called it."""
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


def tools_with_errors(fact: SessionFacts) -> tuple[str, ...]:
    """Return the tools that returned an error to the assistant, each once, in order.

    None of a session that was not read: its calls are counted nowhere.

    Rule: report.md section 3.6.
    """
    if not fact.is_read:
        return ()
    return tuple(dict.fromkeys(call.tool_name for call in fact.own_calls if call.is_error))


def erring_places(facts: Iterable[SessionFacts]) -> dict[str, int]:
    """Number the tools that returned an error, from zero, those of most sessions first."""
    sessions = Counter(tool for fact in facts for tool in tools_with_errors(fact))
    ranked = sorted(sessions, key=lambda tool: (-sessions[tool], tool))
    return {tool: place for place, tool in enumerate(ranked)}


def erring_words(tools: Sequence[Called]) -> tuple[ErringPiece, ...]:
    """Name the tools that returned errors, and those that do not exist.

    Of the first, the first recorded error is quoted. Empty where no tool errored and every one
    exists.

    Args:
        tools: Tools that were called, those with most errors first.

    Rule: report.md section 3.6.
    """
    erring = _erring(tools)
    missing = [tool for tool in tools if tool.absent.count]
    pieces: list[ErringPiece] = []
    if erring:
        pieces += _listed(erring, counts=True)
    if missing:
        was, does = ("was", "does") if len(missing) == 1 else ("were", "do")
        # A tool that one target has may be called on another that has it not.
        link = "where it" if len(missing) == 1 else "where they"
        apart = all(map(_is_nowhere, missing))
        said = f"{was} called and {does}" if apart else f"{was} called {link} {does}"
        pieces += [*_listed(missing, counts=False), ErringPiece(f" {said} not exist. ")]
    return tuple(pieces)


def erring_head(tools: Sequence[Called]) -> str:
    """Return what the sentence is about; empty where there is none."""
    if _erring(tools):
        return "Tools that errored."
    return "Missing tools." if any(tool.absent.count for tool in tools) else ""


def _erring(tools: Sequence[Called]) -> list[Called]:
    """Return the tools that returned errors; those of a tool that nobody has are no tool's."""
    return [tool for tool in tools if tool.errors.count and not _is_nowhere(tool)]


def _is_nowhere(tool: Called) -> bool:
    return 0 < tool.absent.count == tool.absent.total


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
            pieces.append(ErringPiece(f" in {tool.errors.text}{first}"))
        elif counts:
            pieces.append(ErringPiece(f" in {tool.errors.short}"))
    if left > 0:
        pieces.append(ErringPiece(f" and {left:,} more"))
    return [*pieces, ErringPiece(". ")] if counts else pieces
