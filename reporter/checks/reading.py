"""A file of checks from its bytes, with every bad place named at once.

Rule: checks.md section 2.
"""

import hashlib
from collections.abc import Mapping
from typing import Any, Final

from reporter.checks.authoring import effective_role, identity
from reporter.checks.document import parse_document
from reporter.checks.entries import Complaints, Entries
from reporter.checks.lint import lint_of
from reporter.checks.remarks import contradictions, is_negative, list_remarks
from reporter.checks.standard import STANDARD, suppressed_kinds
from reporter.checks.suite import NO_CALL, AuthoredCheck, GoalChecks, Suite
from reporter.errors import RecordingError

VACUOUS: Final = "checks-vacuous"
"""The rule of a note that nothing can fail a list of checks."""

_MODES: Final = ("inherit", "replace", "extend")
_LISTS: Final = ("checks", "standard", "expect", "match", "suppress")
_TOP: Final = ("checks", "standard", "expect", "match", "suppress", "goals")
_GOAL: Final = ("mode", "negative", *_LISTS)


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
    errors = [one for one in reading.say.problems if one.severity == "error"]
    if suite is None or errors:
        raise RecordingError(errors)
    return suite


class _Reading:
    """Goes through a file of checks once."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.say = Complaints(name)
        self._entries = Entries(self.say)

    def suite(self, raw: object, sha256: str) -> Suite | None:
        """Read the whole file; None for what is no object."""
        if not isinstance(raw, Mapping):
            self.say.fault(
                "", "The file holds no object.", "Write checks:, goals: or both at its top."
            )
            return None
        self.say.unknown_keys(raw, _TOP, "")
        whole = self._lists(raw, "")
        goals: dict[str, GoalChecks] = {}
        named = raw.get("goals", {})
        if isinstance(named, Mapping):
            goals = {key: self._goal(item, f"goals[{key!r}]") for key, item in named.items()}
        else:
            self.say.fault("goals", "It is no object.", "Name goals by their id or title.")
        lists = [whole, *goals.values()]
        if not any(one.checks or one.expect for one in lists) and not self.say.problems:
            remedy = "List at least one under checks:, expect:, standard: or goals:."
            self.say.fault("", "The file holds no check.", remedy)
        suite = Suite(
            self.name, sha256, whole.checks, goals, whole.suppress, whole.expect, whole.match
        )
        self._look_at(suite, "", None)
        for where, own in goals.items():
            self._look_at(suite, where, own)
        notes = tuple(one for one in self.say.problems if one.severity == "note")
        return Suite(
            suite.name,
            suite.sha256,
            suite.checks,
            suite.goals,
            suite.suppress,
            suite.expect,
            suite.match,
            notes=tuple(dict.fromkeys(notes)),
        )

    def _lists(self, raw: Mapping[str, Any], place: str) -> GoalChecks:
        """Read what the file may hold at its top and below a goal alike."""
        at = f"{place}." if place else ""
        entries = self._entries
        checks = entries.checks(raw.get("checks", []), f"{at}checks")
        if "standard" in raw:
            checks = (*checks, *entries.standard(raw["standard"], f"{at}standard"))
        return GoalChecks(
            checks=checks,
            suppress=entries.suppressed(raw.get("suppress", []), f"{at}suppress"),
            expect=entries.expected(raw.get("expect", []), f"{at}expect"),
            match=entries.options(raw.get("match", {}), f"{at}match"),
        )

    def _goal(self, raw: object, place: str) -> GoalChecks:
        if not isinstance(raw, Mapping):
            self.say.fault(place, "It is no object.", "Write mode: and checks: below the goal.")
            return GoalChecks()
        self.say.unknown_keys(raw, _GOAL, place)
        mode = raw.get("mode", "extend")
        if mode not in _MODES:
            self.say.fault(f"{place}.mode", f"{mode!r} is no mode.", f"Use {', '.join(_MODES)}.")
            mode = "extend"
        own = self._lists(raw, place)
        checks = own.checks
        negative = raw.get("negative", False)
        if not isinstance(negative, bool):
            self.say.fault(f"{place}.negative", "It is no true or false.", "Write true or false.")
        elif negative:
            checks = (*checks, AuthoredCheck(NO_CALL, identity(NO_CALL), label="No tool is called"))
        if mode == "inherit" and (checks or own.expect):
            what = "The goal inherits the file's checks, so its own are not used."
            self.say.note(place, what, "Use mode: extend.", "checks-unused")
        return GoalChecks(mode, checks, own.suppress, own.expect, own.match)

    def _look_at(self, suite: Suite, where: str, own: GoalChecks | None) -> None:
        """Note what a list of checks does not do as its author may think."""
        place = f"goals[{where!r}]" if own else "checks"
        self._look_at_twins(suite, place, own)
        self._look_at_suppressed(suite, place, own)
        listed = suite.effective(own)
        effective = [one.check for one in listed]
        if is_negative(effective):
            self._look_at_negative(effective, place)
            return
        whole = [one.check for one in listed if one.turn is None]
        for remark in list_remarks(whole):
            self.say.note(place, remark.what, remark.remedy, remark.rule)
        turns = 1 + max((one.turn or 0 for one in listed), default=0)
        if effective and lint_of(effective, turns=turns).word == "vacuous":
            decides = any(effective_role(check) == "required" for check in effective)
            what = "An agent that does nothing and says nothing passes these checks."
            if not decides:
                what = f"Every check only reports, so nothing decides. {what}"
            remedy = "Add a gating check of what the goal asks for, such as a reply or a call."
            self.say.note(place, what, remedy, VACUOUS)

    def _look_at_twins(self, suite: Suite, place: str, own: GoalChecks | None) -> None:
        base = suite.checks if own is None or own.mode == "extend" else ()
        seen: dict[tuple[str, int | None], AuthoredCheck] = {}
        for one in [*base, *(own.checks if own else ())]:
            if one.key in seen:
                what = f"{one.check['type']} stands twice with equal fields; one is used."
                if seen[one.key].role != one.role:
                    what = f"{what[:-1]}, and it is gating."
                self.say.note(place, what, "Keep one of them.", "check-twice")
            seen.setdefault(one.key, one)

    def _look_at_suppressed(self, suite: Suite, place: str, own: GoalChecks | None) -> None:
        names = own.suppress if own else suite.suppress
        held = {one.check["type"] for one in suite.checks}
        for name in sorted(names & STANDARD.keys()):
            if not suppressed_kinds([name]) & held:
                what = f"suppress names {name}, and the file holds no check of its kind to drop."
                self.say.note(place, what, "Take it out.", "suppress-unused")

    def _look_at_negative(self, effective: list[Mapping[str, Any]], place: str) -> None:
        """Refuse, or note, what demands a call where no tool may be called.

        Rule: checks.md section 2.6.
        """
        for kind, refused in contradictions(effective):
            what = f"No tool may be called here, and {kind} demands a call."
            remedy = "Use mode: replace, make it advisory, or let tools be called."
            if refused:
                self.say.fault(place, what, remedy)
            else:
                self.say.note(place, what, remedy, "checks-contradict")
