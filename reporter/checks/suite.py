"""What a file of checks asks of every goal, and what of some.

Rule: checks.md sections 2.3, 2.5 and 12.
"""

import difflib
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from reporter.canonical import canonical_json
from reporter.checks.authoring import effective_role
from reporter.checks.expected import AS_USUAL, ExpectedCall, MatchOptions, predicates_of
from reporter.checks.standard import suppressed_kinds
from reporter.checks.turns import turn_scope
from reporter.derive.chain.predicates import CALLS_ARGUMENTS, MATCHERS
from reporter.errors import Problem, RecordingError
from reporter.models.manifest import Criterion, Goal

Mode = Literal["inherit", "replace", "extend"]
"""Which list a goal is held to: the file's, its own, or both."""

NO_CALL: Final[Mapping[str, Any]] = {"type": "onlyToolsCalled", "toolNames": []}
"""What a negative case comes to: no tool may be called at all."""

_NEAREST: Final = 3
_SIMILAR: Final = 0.5
_SHOWN_GOALS: Final = 5
_DIGITS: Final = 8


@dataclass(frozen=True, slots=True)
class AuthoredCheck:
    """One check of the file."""

    check: Mapping[str, Any]
    """As authored, without its names; a gating role is stored as absent."""
    identity: str
    """Canonical text that tells checks apart."""
    own_id: str | None = None
    """The id that its author gave it."""
    label: str | None = None
    turn: int | None = None
    """Zero-based turn that it is held to alone; None for the whole session."""

    @property
    def key(self) -> tuple[str, int | None]:
        """What makes two entries one check: the same content over the same scope."""
        return self.identity, self.turn

    @property
    def id(self) -> str:
        """Its own id, or one that its content gives."""
        return self.own_id or generated_id(self.check, self.identity, self.turn)

    @property
    def role(self) -> Literal["advisory", "required"]:
        """What a failure of it does."""
        return "advisory" if effective_role(self.check) == "advisory" else "required"

    def criterion(self) -> Criterion:
        """Return the check as an entry of a run's rubric.

        One that its author gave no name is called by its kind and its tools: a reader of a
        report has no use for an id that was made up.
        """
        label = self.label
        if label is None and self.own_id is None:
            label = called(self.check, self.turn)
        return Criterion(
            id=self.id,
            label=label,
            role=self.role,
            predicate=dict(self.check),
            scope=None if self.turn is None else turn_scope(self.turn),
        )


@dataclass(frozen=True, slots=True)
class GoalChecks:
    """What the file says of one goal."""

    mode: Mode = "extend"
    checks: tuple[AuthoredCheck, ...] = ()
    suppress: frozenset[str] = frozenset()
    expect: tuple[ExpectedCall, ...] = ()
    match: MatchOptions = AS_USUAL


@dataclass(frozen=True, slots=True)
class Suite:
    """A file of checks, every rule of authoring held."""

    name: str
    sha256: str
    """Digest of the file's bytes."""
    checks: tuple[AuthoredCheck, ...] = ()
    """Of every goal."""
    goals: Mapping[str, GoalChecks] = field(default_factory=dict)
    """By goal id or title, as the file names it."""
    suppress: frozenset[str] = frozenset()
    expect: tuple[ExpectedCall, ...] = ()
    """Calls that every goal expects."""
    match: MatchOptions = AS_USUAL
    notes: tuple[Problem, ...] = ()
    """What is allowed and worth an author's notice."""

    def effective(self, own: GoalChecks | None = None) -> tuple[AuthoredCheck, ...]:
        """Return the checks of a goal, in the order of their results: expected calls last.

        Of two equal ones the first stays, gating when either is.

        Args:
            own: What the file says of the goal, or None where it says nothing.

        Rule: checks.md sections 2.3 and 2.5.
        """
        own = own or GoalChecks(mode="inherit")
        dropped = suppressed_kinds(self.suppress | own.suppress)
        listed: Sequence[AuthoredCheck] = ()
        if own.mode != "replace":
            listed = [one for one in self.checks if one.check["type"] not in dropped]
        if own.mode != "inherit":
            listed = (*listed, *own.checks)
        kept: dict[tuple[str, int | None], AuthoredCheck] = {}
        for one in (*listed, *self._expectations(own)):
            before = kept.get(one.key)
            if before is None or (before.role == "advisory" and one.role == "required"):
                kept[one.key] = one
        return tuple(kept.values())

    def _expectations(self, own: GoalChecks) -> list[AuthoredCheck]:
        """Return what grades the calls that a goal expects, scope by scope.

        Rule: checks.md section 7.3: options of the goal stand before those of the file.
        """
        calls = () if own.mode == "replace" else self.expect
        if own.mode != "inherit":
            calls = (*calls, *own.expect)
        options = own.match.under(self.match)
        by_turn: dict[int | None, list[ExpectedCall]] = {}
        for one in calls:
            by_turn.setdefault(one.turn, []).append(one)
        return [
            AuthoredCheck(check, canonical_json(check), turn=turn)
            for turn in sorted(by_turn, key=lambda turn: -1 if turn is None else turn)
            for check in predicates_of(by_turn[turn], options)
        ]

    def of_goals(self, goals: Iterable[Goal]) -> dict[str, tuple[AuthoredCheck, ...]]:
        """Return the effective checks of every goal, by goal id.

        Raises:
            RecordingError: The file names goals that the recording does not have, or one of
                them twice; every one is named with what is there instead.
        """
        known = list(goals)
        named, problems = self._named(known)
        if problems:
            raise RecordingError(problems)
        return {
            goal.journey_ref_id: self.effective(named.get(goal.journey_ref_id)) for goal in known
        }

    def _named(self, goals: Sequence[Goal]) -> tuple[dict[str, GoalChecks], list[Problem]]:
        by_id = {goal.journey_ref_id: goal for goal in goals}
        named: dict[str, GoalChecks] = {}
        problems: list[Problem] = []
        for key, own in self.goals.items():
            meant = [by_id[key]] if key in by_id else [one for one in goals if one.title == key]
            place = f"goals[{key!r}]"
            if not meant:
                what = "The recording has no goal of this id or title."
                problems.append(
                    Problem(self.name, place, what, _nearby(key, goals), "goal-unknown")
                )
            twice = [one for one in meant if one.journey_ref_id in named]
            if twice:
                what = f"The goal {twice[0].journey_ref_id!r} is named a second time here."
                remedy = "Name a goal once, by its id or by its title."
                problems.append(Problem(self.name, place, what, remedy, "goal-twice"))
            named |= {one.journey_ref_id: own for one in meant}
        return named, problems


def generated_id(check: Mapping[str, Any], text: str, turn: int | None = None) -> str:
    """Return the id that a check's content gives: the same in every file, at every place.

    Args:
        check: The check.
        text: Its identity.
        turn: Zero-based turn that it is held to alone.

    Rule: checks.md section 2.5.
    """
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    kind = str(check["type"])
    name = f"{kind if kind in MATCHERS else f'predicate:{kind}'}#{digest}"
    return name if turn is None else f"{name}@turn{turn + 1}"


def called(check: Mapping[str, Any], turn: int | None = None) -> str:
    """Call a check by its kind and its tools, as a reader of a report meets it."""
    if check["type"] in MATCHERS:
        names = list(dict.fromkeys(one["toolName"] for one in check["expectedToolCalls"]))
        word = (
            "Arguments of expected calls" if check["type"] == CALLS_ARGUMENTS else "Expected calls"
        )
        said = f"{word}: {', '.join(names)}"
    else:
        names = [check[key] for key in ("toolName", "beforeToolName") if key in check]
        said = f"{check['type']}: {', then '.join(names)}" if names else str(check["type"])
    return said if turn is None else f"{said} (turn {turn + 1})"


def _nearby(key: str, goals: Sequence[Goal]) -> str:
    """Name the goals that may be meant."""
    names: dict[str, str] = {}
    for goal in goals:
        names.setdefault(goal.title.lower(), goal.title)
        names.setdefault(goal.journey_ref_id.lower(), goal.journey_ref_id)
    wanted = key.lower()
    inside = [name for low, name in names.items() if wanted and wanted in low][:_NEAREST]
    near = inside or [
        names[low] for low in difflib.get_close_matches(wanted, names, _NEAREST, _SIMILAR)
    ]
    if near:
        return f"Did you mean {' or '.join(map(repr, near))}?"
    first = [repr(goal.journey_ref_id) for goal in goals[:_SHOWN_GOALS]]
    more = len(goals) - len(first)
    return f"There are {', '.join(first)}{f' and {more} more' if more > 0 else ''}."
