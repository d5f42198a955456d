"""What measures each link, in lines for a terminal."""

from collections.abc import Mapping, Sequence
from typing import Final

from reporter.checks.coverage import BUDGET_KINDS, Coverage, LinkCoverage
from reporter.checks.lists import LinkSeen, MeasuredList
from reporter.view.checks import RECORD_ALONE, kind_words
from reporter.view.text import listed, one_line, plural, quoted
from reporter.vocabulary import Stage

GOALS_NAMED: Final = 3
LISTS_SHOWN: Final = 20
"""Lists that are written out; the JSON form holds all of them."""

_TITLE: Final = 60
_WIDTH: Final = 14
_INDENT: Final = "  " + " " * _WIDTH
_SAID: Final[Mapping[Coverage, str]] = {
    "runner": "no check can be written for it; the runner's own record decides",
    "decides": "decided by",
    "advisoryOnly": "not decided; advisory only:",
    "observationsOnly": "not decided; observed only:",
    "none": "nothing measures it: unmeasured, not fine",
}
_WHY: Final = (
    "Connection and discovery have no check: from inside a session a server that is down and a "
    "broken network of ours look the same. Read the chain of the run for them."
)
_ARGUMENTS: Final = (
    "whether arguments were valid against the tool's own schema is not measured; "
    "argumentsMatchToolSchema would"
)
_VACUOUS: Final = "An agent that does nothing and says nothing passes these checks."
_CHAINS: Final = "Read the chain of sessions that passed too: a link not measured is not a pass."


def coverage_lines(lists: Sequence[MeasuredList]) -> list[str]:
    """Say for each list of checks what measures every link, and what nothing does.

    Rule: checks.md section 10.
    """
    if not lists:
        return ["There is no goal that anything could be asked of."]
    lines: list[str] = []
    for one in lists[:LISTS_SHOWN]:
        lines += [*_list_lines(one), ""]
    if len(lists) > LISTS_SHOWN:
        lines += [f"and {len(lists) - LISTS_SHOWN:,} more lists, with --format json.", ""]
    return [*lines, _WHY, _CHAINS]


def _list_lines(one: MeasuredList) -> list[str]:
    lines = [_head(one.goals)]
    for link in one.links:
        lines += _link_lines(link, one)
    if one.lint == "vacuous":
        lines.append(f"  {_VACUOUS}")
    return lines


def _head(goals: tuple[str, ...] | None) -> str:
    if goals is None:
        return "Every goal that is not named below:"
    names = [quoted(one_line(name, _TITLE)) for name in goals[:GOALS_NAMED]]
    left = len(goals) - len(names)
    more = [f"{left:,} more"] if left > 0 else []
    return f"{'Goal' if len(goals) == 1 else 'Goals'} {listed([*names, *more])}:"


def _link_lines(link: LinkCoverage, one: MeasuredList) -> list[str]:
    parts = [
        *(kind_words(kind) for kind in link.kinds),
        *link.graders,
        *([f"{link.unnamed:,} of no named kind"] if link.unnamed else []),
    ]
    said = _SAID[link.coverage]
    if link.coverage == "none" and one.seen is not None and one.seen[link.stage].measured:
        said = RECORD_ALONE
    if link.coverage == "runner" and parts:
        said = f"{said}; of its declarations:"
    named = f" {', '.join(parts)}" if parts else ""
    lines = [f"  {link.stage.label:<{_WIDTH}}{said}{named}"]
    lines += [f"{_INDENT}{note}" for note in _notes(link, one)]
    return lines


def _notes(link: LinkCoverage, one: MeasuredList) -> list[str]:
    found: list[str] = []
    selection = next(row for row in one.links if row.stage is Stage.SELECTION)
    if link.stage is Stage.CALL and link.coverage == "none" and selection.coverage == "decides":
        found.append(_ARGUMENTS)
    if budgets := [kind.kind for kind in link.kinds if kind.kind in BUDGET_KINDS]:
        found.append(f"budgets, which are filed here: {listed(budgets)}")
    if one.seen is not None:
        found += _seen(link, one.seen[link.stage])
    return found


def _seen(link: LinkCoverage, seen: LinkSeen) -> list[str]:
    if not seen.started:
        return ["no session started"]
    found = [f"measured in {seen.measured:,} of {plural(seen.started, 'started session')}"]
    if seen.errors:
        total = seen.errors + seen.scored
        found.append(f"{seen.errors:,} of {total:,} results could not be scored")
    if link.kinds and seen.errors and not seen.scored:
        found.append("authored, but cannot be measured here: what it reads is not on record")
    return found
