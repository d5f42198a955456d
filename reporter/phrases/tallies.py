"""How often the cited turns hold a call: counts that code makes, and phrases may say."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from reporter.phrases.plain_text import straight

_SMALL: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_CARDINALS: Final = (*_SMALL, "eleven", "twelve")
_ORDINALS: Final = ("second", "third", *(f"{word}th" for word in ("four", "fif", "six")))
_VALUES: Final = {
    word: value for words in (_CARDINALS, _ORDINALS) for value, word in enumerate(words, 2)
}
_CALLS: Final = r"(?:attempts|tries|calls|requests|retries|errors|failures|searches|lookups)"
_CALL: Final = r"(?:time|attempt|try|call|request|retry|error|failure|search|lookup)"
_COUNT: Final = re.compile(
    rf"\b(?:(?P<many>\d{{1,3}}|{'|'.join(_CARDINALS)})"
    rf" (?:times(?! (?:as|the|more|less|its)\b)|(?:\w+ )?{_CALLS})"
    rf"|(?P<pair>twice|both (?:of )?(?:the |these |those )?(?:times|(?:\w+ )?{_CALLS}))"
    rf"|(?P<place>{'|'.join(_ORDINALS)}) (?:\w+ )?{_CALL})\b",
    re.IGNORECASE,
)
_PAIR: Final = 2


@dataclass(frozen=True, slots=True)
class Tally:
    """What the cited turns of one session hold of one tool."""

    tool: str
    """Its name, folded; empty for all tools together."""
    calls: int
    errors: int
    """Calls that the server answered with an error."""


@dataclass(frozen=True, slots=True)
class CountsSaid:
    """What a text says of how often something was called."""

    rest: str
    """The text with a sign in the place of each count that is right."""
    wrong: str | None
    """The first count that is more than the calls of the tools that the text names."""


def counts_said(text: str, tallies: Sequence[Tally]) -> CountsSaid:
    """Hold the counts of calls in a text against those that code counted.

    Of tools that the text names their own calls or errors count, one by one and together; else
    those of any one tool or of all. Of a second or later call there must have been that many.
    Fewer than all of the calls may be meant, more cannot be.
    """
    words = set(re.findall(r"[\w\-.]+", straight(text).casefold()))
    named = [tally for tally in tallies if tally.tool in words]
    pool = [*named, _together(named)] if named else tallies
    counted = {number for tally in pool for number in (tally.calls, tally.errors)}
    most = max((tally.calls for tally in pool), default=0)
    wrong: list[str] = []

    def replaced(found: re.Match[str]) -> str:
        number = _PAIR if found["pair"] else _number(found["many"] or found["place"])
        if number > most:
            wrong.append(found[0])
        holds = number <= most if found["place"] else number in counted
        return "…" if holds else found[0]

    rest = _COUNT.sub(replaced, text)
    return CountsSaid(rest, wrong[0] if named and wrong else None)


def _together(tallies: Sequence[Tally]) -> Tally:
    return Tally("", sum(one.calls for one in tallies), sum(one.errors for one in tallies))


def tallies_of(calls: Sequence[tuple[str, bool]]) -> tuple[Tally, ...]:
    """Count the calls of one session.

    Args:
        calls: A folded name and whether the server answered with an error, one a call.
    """
    return tuple(_tallies(calls))


def _tallies(calls: Sequence[tuple[str, bool]]) -> Iterator[Tally]:
    for tool in sorted({name for name, _ in calls}):
        own = [is_error for name, is_error in calls if name == tool]
        yield Tally(tool, len(own), sum(own))
    if calls:
        yield Tally("", len(calls), sum(is_error for _, is_error in calls))


def _number(word: str) -> int:
    if word.isdigit():
        return int(word)
    return _VALUES[word.casefold()]
