"""What measures each link, in lines for a terminal."""

from collections.abc import Sequence
from typing import Final

from reporter.checks.coverage import LinkCoverage
from reporter.checks.lists import MeasuredList
from reporter.view.measures import (
    PASSING_TOO,
    WHY_RUNNER,
    coverage_words,
    filed_words,
    link_notes,
    lint_words,
    seen_words,
)
from reporter.view.text import listed, one_line, quoted

GOALS_NAMED: Final = 3
LISTS_SHOWN: Final = 20
"""Lists that are written out; the JSON form holds all of them."""

_TITLE: Final = 60
_WIDTH: Final = 14
_INDENT: Final = "  " + " " * _WIDTH
_WHY: Final = f"Connection and discovery have no check. {WHY_RUNNER} Read the run's chain for them."


def coverage_lines(lists: Sequence[MeasuredList]) -> list[str]:
    """Say for each list of checks what measures every link, and what nothing does.

    Rule: checks.md sections 10 and 11.
    """
    if not lists:
        return ["There is no goal that anything could be asked of."]
    lines: list[str] = []
    for one in lists[:LISTS_SHOWN]:
        lines += [*_list_lines(one), ""]
    if len(lists) > LISTS_SHOWN:
        lines += [f"and {len(lists) - LISTS_SHOWN:,} more lists, with --format json.", ""]
    return [*lines, _WHY, PASSING_TOO]


def _list_lines(one: MeasuredList) -> list[str]:
    lines = [_head(one.goals)]
    for link in one.links:
        lines += _link_lines(link, one)
    return [*lines, f"  {lint_words(one.lint)}"]


def _head(goals: tuple[str, ...] | None) -> str:
    if goals is None:
        return "Every goal that is not named below:"
    names = [quoted(one_line(name, _TITLE)) for name in goals[:GOALS_NAMED]]
    left = len(goals) - len(names)
    more = [f"{left:,} more"] if left > 0 else []
    return f"{'Goal' if len(goals) == 1 else 'Goals'} {listed([*names, *more])}:"


def _link_lines(link: LinkCoverage, one: MeasuredList) -> list[str]:
    seen = None if one.seen is None else one.seen[link.stage]
    named = [*filed_words(link), *([f"{link.unnamed:,} of no named kind"] if link.unnamed else [])]
    said = coverage_words(link, seen)
    if named:
        said += f": {', '.join(named)}"
    lines = [f"  {link.stage.label:<{_WIDTH}}{said}"]
    # Why the runner decides two links is said once below, not under each of them.
    notes = [note for note in link_notes(link, one.links, seen) if note != WHY_RUNNER]
    if seen is not None:
        notes = [seen_words(seen), *notes]
    return lines + [f"{_INDENT}{note}" for note in notes]
