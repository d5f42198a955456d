"""What could not be read or used of a recording: equal things once, with their number."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from reporter.errors import Problem
from reporter.models.facts import SessionFacts
from reporter.models.manifest import Lost
from reporter.models.wave import DerivedWave
from reporter.view.text import one_line, plural

PLACES_SHOWN: Final = 2
"""Places of one line that are always in sight."""

PLACES_LISTED: Final = 40
"""Places behind those that can be opened; the rest are counted."""

# What differs between two problems that are the same: numbers, and what is quoted.
_VARIES: Final = re.compile(r'"[^"]*"|“[^”]*”|\'[^\']*\'|\b[0-9a-f]{8,}\b|\d[\d,.]*')

_NUMBER: Final = re.compile(r"\d[\d,.]*")

_TITLES: Final = {
    "unreadable": "Could not be read",
    "disagreement": "Two places that contradict each other",
    "unanswered": "Calls without a recorded result",
    "unmatched": "Calls and results without their partner",
    "unknownType": "Records of a type unknown here",
    "other": "Left aside",
    "repeated": "Recorded twice, counted once",
    "noPlace": "What a recording has no place for",
}
_REASON: Final = 160
"""Characters of a reason on a terminal's line."""
_UNANSWERED: Final = "whether these calls succeeded is unknown"


@dataclass(frozen=True, slots=True)
class IntegrityLine:
    """One thing that is wrong, or several that are the same."""

    places: tuple[str, ...]
    """Rows, files or lines; of many the first."""
    what: str
    rule: str = ""
    """Empty where no rule has a name."""
    count: int = 1
    further: tuple[str, ...] = ()
    """The places behind the first few, each with its own words where they differ."""
    more: str = ""
    """How many places are not listed at all; may be empty."""

    @property
    def number(self) -> str:
        """Such as `37 times`, or nothing for what was met once."""
        return f"{self.count:,} times" if self.count > 1 else ""

    @property
    def folded(self) -> str:
        """What opens the further places, such as `34 more places`; may be empty."""
        return plural(len(self.further), "more place") if self.further else ""


@dataclass(frozen=True, slots=True)
class LossGroup:
    """One kind of what could not be used."""

    kind: str
    title: str
    count: int
    lines: tuple[IntegrityLine, ...]

    @property
    def heading(self) -> str:
        """Such as `Could not be read: 12`."""
        return f"{self.title}: {self.count:,}"


@dataclass
class _Same:
    """Things that are the same but for their place."""

    what: str
    rule: str
    count: int = 0
    places: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    """Places with words of their own, which never stand where only a place is looked for."""
    hidden: int = 0

    def add(self, place: str, what: str, count: int = 1) -> None:
        self.count += count
        if len(self.places) + len(self.others) == PLACES_SHOWN + PLACES_LISTED:
            self.hidden += 1
        elif place and what == self.what:
            self.places.append(place)
        elif place:
            self.others.append(f"{place}: {what}")

    def line(self) -> IntegrityLine:
        return IntegrityLine(
            places=tuple(self.places[:PLACES_SHOWN]),
            what=self.what,
            rule=self.rule,
            count=self.count,
            further=(*self.places[PLACES_SHOWN:], *self.others),
            more=f"and {plural(self.hidden, 'place')} more" if self.hidden else "",
        )


def problem_lines(problems: Iterable[Problem]) -> list[IntegrityLine]:
    """Return what the reader met, errors first, equal things as one line."""
    known: dict[tuple[str, str, str], _Same] = {}
    for problem in sorted(problems, key=lambda one: one.severity != "error"):
        what = one_line(f"{problem.what} {problem.remedy}".strip(), 600)
        key = (problem.severity, problem.rule, _VARIES.sub("#", what))
        known.setdefault(key, _Same(what, problem.rule)).add(_place(problem), what)
    return [same.line() for same in known.values()]


def loss_groups(wave: DerivedWave) -> tuple[LossGroup, ...]:
    """Return what could not be used, kind by kind; the kinds that matter most first."""
    known: dict[str, dict[str, _Same]] = {kind: {} for kind in _TITLES}
    for lost in _losses(wave):
        what = one_line(lost.reason)
        group = known[lost.kind or "other"]
        same = group.setdefault(_NUMBER.sub("#", what), _Same(what, ""))
        same.add(one_line(lost.place, 160), what, lost.count or 1)
    unanswered = _unanswered(wave.facts)
    if unanswered.count:
        known["unanswered"][""] = unanswered
    return tuple(
        LossGroup(
            kind,
            _TITLES[kind],
            sum(same.count for same in group.values()),
            tuple(same.line() for same in group.values()),
        )
        for kind, group in known.items()
        if group
    )


def unused_words(wave: DerivedWave) -> str:
    """Say in one line what could not be used, for a terminal; empty where all was.

    Each kind says its most frequent reason. What a recording has no place for, and what was
    there twice, is nobody's loss.
    """
    return "; ".join(
        f"{group.title[0].lower()}{group.title[1:]} ({group.count:,}{_reason(group)})"
        for group in loss_groups(wave)
        if group.kind not in ("repeated", "noPlace")
    )


def _reason(group: LossGroup) -> str:
    line = max(group.lines, key=lambda one: one.count)
    lead = "such as " if len(group.lines) > 1 else ""
    return f": {lead}{one_line(line.what, _REASON)}" if line.what else ""


def _losses(wave: DerivedWave) -> Iterator[Lost]:
    yield from wave.provenance.lost
    unknown: Counter[str] = Counter()
    for fact in wave.facts:
        unknown.update(fact.unknown_types)
    for kind, count in sorted(unknown.items()):
        yield Lost(
            place="session files",
            reason=f'records of type "{one_line(kind, 60)}"',
            kind="unknownType",
            count=count,
        )


def _unanswered(facts: Sequence[SessionFacts]) -> _Same:
    same = _Same(_UNANSWERED, "")
    for fact in facts:
        count = sum(call.error == "noResult" for call in fact.tool_calls)
        if count:
            said = f"session {one_line(fact.session_id, 120)} ({count:,})"
            same.add(said, same.what, count)
    return same


def _place(problem: Problem) -> str:
    place = ", ".join(part for part in (problem.file, problem.place) if part)
    return one_line(place or problem.session_id or "", 200)
