"""A file of checks: what it asks of every goal, and what of some.

Rule: checks.md sections 2.3, 2.5 and 12.
"""

import difflib
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from reporter.checks.authoring import check_faults, effective_role, identity, known_fields
from reporter.checks.document import parse_document
from reporter.checks.lint import lint_of
from reporter.checks.standard import MOST_SUPPRESSED, STANDARD, suppressed_kinds
from reporter.errors import Problem, RecordingError
from reporter.models.manifest import Criterion, Goal

Mode = Literal["inherit", "replace", "extend"]
"""Which list a goal is held to: the file's, its own, or both."""

VACUOUS: Final = "checks-vacuous"
"""The rule of a note that nothing can fail a list of checks."""

_MODES: Final = ("inherit", "replace", "extend")
_TOP: Final = ("checks", "goals", "suppress")
_GOAL: Final = ("mode", "checks", "suppress")
_NAMED: Final = ("id", "label")
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

    @property
    def id(self) -> str:
        """Its own id, or one that its content gives."""
        return self.own_id or generated_id(self.check, self.identity)

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
            label = _called(self.check)
        return Criterion(id=self.id, label=label, role=self.role, predicate=dict(self.check))


@dataclass(frozen=True, slots=True)
class GoalChecks:
    """What the file says of one goal."""

    mode: Mode = "extend"
    checks: tuple[AuthoredCheck, ...] = ()
    suppress: frozenset[str] = frozenset()


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
    notes: tuple[Problem, ...] = ()
    """What is allowed and worth an author's notice."""

    def effective(self, own: GoalChecks | None = None) -> tuple[AuthoredCheck, ...]:
        """Return the checks of a goal, in the order of their results.

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
        kept: dict[str, AuthoredCheck] = {}
        for one in listed:
            before = kept.get(one.identity)
            if before is None or (before.role == "advisory" and one.role == "required"):
                kept[one.identity] = one
        return tuple(kept.values())

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


def generated_id(check: Mapping[str, Any], text: str) -> str:
    """Return the id that a check's content gives: the same in every file, at every place.

    Rule: checks.md section 2.5.
    """
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"predicate:{check['type']}#{digest[:_DIGITS]}"


def _called(check: Mapping[str, Any]) -> str:
    names = [check[key] for key in ("toolName", "beforeToolName") if key in check]
    return f"{check['type']}: {', then '.join(names)}" if names else str(check["type"])


def read_suite(data: bytes, name: str) -> Suite:
    """Read a file of checks, and refuse everything an author may not write.

    Args:
        data: The whole file.
        name: Its name, for problems and for the record of who graded.

    Raises:
        RecordingError: It cannot be used; every bad place is named at once.

    Rule: checks.md section 2.
    """
    reading = _Reading(name)
    suite = reading.suite(parse_document(data, name), hashlib.sha256(data).hexdigest())
    errors = [one for one in reading.problems if one.severity == "error"]
    if suite is None or errors:
        raise RecordingError(errors)
    return suite


class _Reading:
    """Goes through a file of checks once and gathers what is wrong with it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.problems: list[Problem] = []
        self.ids: dict[str, str] = {}

    def suite(self, raw: object, sha256: str) -> Suite | None:
        """Read the whole file; None for what is no object."""
        if not isinstance(raw, Mapping):
            what = "The file holds no object."
            self._fault("", what, "Write checks:, goals: or both at its top.")
            return None
        self._keys(raw, _TOP, "")
        checks = self._checks(raw.get("checks", []), "checks")
        goals: dict[str, GoalChecks] = {}
        named = raw.get("goals", {})
        if isinstance(named, Mapping):
            goals = {key: self._goal(item, f"goals[{key!r}]") for key, item in named.items()}
        else:
            self._fault("goals", "It is no object.", "Name goals by their id or title.")
        if not checks and not any(one.checks for one in goals.values()) and not self.problems:
            self._fault(
                "", "The file holds no check.", "List at least one under checks: or goals:."
            )
        suite = Suite(
            self.name, sha256, checks, goals, self._suppressed(raw.get("suppress", []), "suppress")
        )
        for where, own in (("", None), *goals.items()):
            self._look_at(suite, where, own)
        notes = tuple(one for one in self.problems if one.severity == "note")
        return Suite(
            suite.name, suite.sha256, suite.checks, suite.goals, suite.suppress, notes=notes
        )

    def _goal(self, raw: object, place: str) -> GoalChecks:
        if not isinstance(raw, Mapping):
            self._fault(place, "It is no object.", "Write mode: and checks: below the goal.")
            return GoalChecks()
        self._keys(raw, _GOAL, place)
        mode = raw.get("mode", "extend")
        if mode not in _MODES:
            self._fault(f"{place}.mode", f"{mode!r} is no mode.", f"Use {', '.join(_MODES)}.")
            mode = "extend"
        checks = self._checks(raw.get("checks", []), f"{place}.checks")
        if mode == "inherit" and checks:
            what = "The goal inherits the file's checks, so its own are not used."
            self._note(place, what, "Use mode: extend.", "checks-unused")
        return GoalChecks(
            mode, checks, self._suppressed(raw.get("suppress", []), f"{place}.suppress")
        )

    def _checks(self, raw: object, place: str) -> tuple[AuthoredCheck, ...]:
        if not isinstance(raw, list):
            self._fault(place, "It is no list.", "List checks, each an object with a type.")
            return ()
        found = [self._check(item, f"{place}[{at}]") for at, item in enumerate(raw)]
        return tuple(one for one in found if one is not None)

    def _check(self, raw: object, place: str) -> AuthoredCheck | None:
        faults = check_faults(raw)
        if not isinstance(raw, Mapping):
            self._fault(place, "It is no object.", "Write type: and the fields of that kind.")
            return None
        for fault in faults:
            where, _, what = fault.partition(": ")
            self._fault(f"{place}.{where}" if what else place, _sentence(what or where), "")
        for name in _NAMED:
            if name in raw and not (isinstance(raw[name], str) and raw[name].strip()):
                self._fault(f"{place}.{name}", "It is no text.", "Write a name, or leave it out.")
                faults = [*faults, name]
        kind = raw.get("type")
        known = known_fields(kind) if isinstance(kind, str) else ()
        if not faults:
            self._keys(raw, (*known, *_NAMED), place)
        return None if faults else self._authored(raw, place)

    def _authored(self, raw: Mapping[str, Any], place: str) -> AuthoredCheck | None:
        check = {key: item for key, item in raw.items() if key not in _NAMED}
        if effective_role(check) == "required":
            check.pop("role", None)
        try:
            text = identity(check)
        except ValueError:
            self._fault(place, "It holds a value that JSON cannot hold.", "Write it as plain text.")
            return None
        own = raw.get("id")
        if own is not None and self.ids.setdefault(own, text) != text:
            what = f"The id {own!r} is another check's already."
            self._fault(f"{place}.id", what, "Give every check an id of its own.")
        return AuthoredCheck(check, text, own, raw.get("label"))

    def _suppressed(self, raw: object, place: str) -> frozenset[str]:
        if not isinstance(raw, list) or len(raw) > MOST_SUPPRESSED:
            what = f"It is no list of at most {MOST_SUPPRESSED} ids."
            self._fault(place, what, "List ids of standard checks.")
            return frozenset()
        for at, name in enumerate(raw):
            if not isinstance(name, str) or name not in STANDARD:
                what = f"{name!r} is no standard check."
                self._fault(f"{place}[{at}]", what, f"Known are {', '.join(STANDARD)}.")
        return frozenset(name for name in raw if isinstance(name, str))

    def _keys(self, raw: Mapping[str, Any], known: Sequence[str], place: str) -> None:
        for key in raw:
            if key not in known:
                where = f"{place}.{key}" if place else key
                near = difflib.get_close_matches(key, known, 1)
                remedy = f"Did you mean {near[0]}?" if near else f"Known are {', '.join(known)}."
                self._fault(where, "Nothing reads this key.", remedy)

    def _look_at(self, suite: Suite, where: str, own: GoalChecks | None) -> None:
        """Note what is written twice, and a list that nothing can fail."""
        place = f"goals[{where!r}]" if own else "checks"
        base = suite.checks if own is None or own.mode == "extend" else ()
        listed = [*base, *(own.checks if own else ())]
        seen: dict[str, AuthoredCheck] = {}
        for one in listed:
            if one.identity in seen:
                what = f"{one.check['type']} stands twice with equal fields; one is used."
                if seen[one.identity].role != one.role:
                    what = f"{what[:-1]}, and it is gating."
                self._note(place, what, "Keep one of them.", "check-twice")
            seen.setdefault(one.identity, one)
        effective = [one.check for one in suite.effective(own)]
        if effective and lint_of(effective) == "vacuous":
            what = "An agent that does nothing and says nothing passes these checks."
            remedy = "Add a gating check of what the goal asks for, such as a reply or a call."
            self._note(place, what, remedy, VACUOUS)

    def _fault(self, place: str, what: str, remedy: str) -> None:
        self.problems.append(Problem(self.name, place, what, remedy, "check-refused"))

    def _note(self, place: str, what: str, remedy: str, rule: str) -> None:
        self.problems.append(Problem(self.name, place, what, remedy, rule, severity="note"))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


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
