"""The entries of a file of checks, one by one: checks, expected calls, standard checks.

Rule: checks.md sections 2 and 12.
"""

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, Final

from reporter.checks.authoring import (
    TURN_SCOPABLE,
    check_faults,
    effective_role,
    identity,
    known_fields,
)
from reporter.checks.expected import (
    OPTIONS,
    ExpectedCall,
    MatchOptions,
    options_faults,
    read_options,
)
from reporter.checks.numbers import is_name
from reporter.checks.remarks import arguments_remarks, check_remarks
from reporter.checks.standard import MOST_SUPPRESSED, RECOMMENDED, STANDARD, why_no_check
from reporter.checks.suite import AuthoredCheck
from reporter.checks.turns import MOST_TURNS
from reporter.errors import Problem

MOST_EXPECTED: Final = 100
"""Calls that one list may expect."""

_NAMED: Final = ("id", "label", "turn")
_EXPECTED: Final = ("toolName", "arguments", "turn")


class Complaints:
    """Gathers what is wrong with a file of checks, and what its author should know."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.problems: list[Problem] = []

    def fault(self, place: str, what: str, remedy: str) -> None:
        """Refuse what stands at a place."""
        self.problems.append(Problem(self._name, place, what, remedy, "check-refused"))

    def note(self, place: str, what: str, remedy: str, rule: str) -> None:
        """Say what is allowed and worth a thought."""
        self.problems.append(Problem(self._name, place, what, remedy, rule, severity="note"))

    def unknown_keys(self, raw: Mapping[str, Any], known: Sequence[str], place: str) -> None:
        """Refuse every key that nothing reads."""
        for key in raw:
            if key not in known:
                where = f"{place}.{key}" if place else key
                near = difflib.get_close_matches(key, known, 1)
                remedy = f"Did you mean {near[0]}?" if near else f"Known are {', '.join(known)}."
                self.fault(where, "Nothing reads this key.", remedy)


class Entries:
    """Reads the lists of a file of checks."""

    def __init__(self, complaints: Complaints) -> None:
        self._say = complaints
        self._ids: dict[str, tuple[str, int | None]] = {}

    def checks(self, raw: object, place: str) -> tuple[AuthoredCheck, ...]:
        """Read a list of checks; what cannot be used is refused and left out."""
        if not isinstance(raw, list):
            self._say.fault(place, "It is no list.", "List checks, each an object with a type.")
            return ()
        found = [self._check(item, f"{place}[{at}]") for at, item in enumerate(raw)]
        return tuple(one for one in found if one is not None)

    def _check(self, raw: object, place: str) -> AuthoredCheck | None:
        faults = check_faults(raw)
        if not isinstance(raw, Mapping):
            self._say.fault(place, "It is no object.", "Write type: and the fields of that kind.")
            return None
        for fault in faults:
            where, _, what = fault.partition(": ")
            self._say.fault(f"{place}.{where}" if what else place, _sentence(what or where), "")
        for name in ("id", "label"):
            if name in raw and not (isinstance(raw[name], str) and raw[name].strip()):
                self._say.fault(
                    f"{place}.{name}", "It is no text.", "Write a name, or leave it out."
                )
                faults = [*faults, name]
        kind = raw.get("type")
        known = known_fields(kind) if isinstance(kind, str) else ()
        before = len(self._say.problems)
        turn = self._turn(raw, place)
        if turn is not None and not faults and kind not in TURN_SCOPABLE:
            what = f"{kind} reads what no single turn has, so it cannot be held to one."
            self._say.fault(f"{place}.turn", what, "Leave turn out: it then reads the session.")
        if len(self._say.problems) > before:
            faults = [*faults, "turn"]
        if not faults:
            self._say.unknown_keys(raw, (*known, *_NAMED), place)
        return None if faults else self._authored(raw, turn, place)

    def _turn(self, raw: Mapping[str, Any], place: str) -> int | None:
        """Return the zero-based turn that an entry is held to, or None for none."""
        if "turn" not in raw:
            return None
        turn = raw["turn"]
        if isinstance(turn, int) and not isinstance(turn, bool) and 1 <= turn <= MOST_TURNS:
            return turn - 1
        what = f"{turn!r} is no turn."
        remedy = f"Turns are counted from 1, as in the report, up to {MOST_TURNS}."
        self._say.fault(f"{place}.turn", what, remedy)
        return None

    def _authored(
        self, raw: Mapping[str, Any], turn: int | None, place: str
    ) -> AuthoredCheck | None:
        check = {key: item for key, item in raw.items() if key not in _NAMED}
        if effective_role(check) == "required":
            check.pop("role", None)
        try:
            text = identity(check)
        except ValueError:
            what = "It holds a value that JSON cannot hold."
            self._say.fault(place, what, "Write it as plain text.")
            return None
        own = raw.get("id")
        if own is not None and self._ids.setdefault(own, (text, turn)) != (text, turn):
            what = f"The id {own!r} is another check's already."
            self._say.fault(f"{place}.id", what, "Give every check an id of its own.")
        for remark in check_remarks(check):
            self._say.note(place, remark.what, remark.remedy, remark.rule)
        return AuthoredCheck(check, text, own, raw.get("label"), turn)

    def expected(self, raw: object, place: str) -> tuple[ExpectedCall, ...]:
        """Read a list of expected calls."""
        if not isinstance(raw, list) or len(raw) > MOST_EXPECTED:
            what = f"It is no list of at most {MOST_EXPECTED} calls."
            self._say.fault(place, what, "List calls, each an object with a toolName.")
            return ()
        found = [self._expected(item, f"{place}[{at}]") for at, item in enumerate(raw)]
        return tuple(one for one in found if one is not None)

    def _expected(self, raw: object, place: str) -> ExpectedCall | None:
        if not isinstance(raw, Mapping):
            self._say.fault(place, "It is no object.", "Write toolName: and perhaps arguments:.")
            return None
        before = len(self._say.problems)
        self._say.unknown_keys(raw, _EXPECTED, place)
        name, arguments = raw.get("toolName"), raw.get("arguments", {})
        if not is_name(name):
            self._say.fault(f"{place}.toolName", "A name is needed.", "Write the tool's name.")
        turn = self._turn(raw, place)
        if not isinstance(arguments, Mapping):
            what = "An object of arguments is needed."
            self._say.fault(f"{place}.arguments", what, "Write each argument with its value.")
        if len(self._say.problems) > before or not isinstance(arguments, Mapping):
            return None
        for remark in arguments_remarks(arguments, "partial"):
            self._say.note(f"{place}.arguments", remark.what, remark.remedy, remark.rule)
        return ExpectedCall(str(name), dict(arguments), turn)

    def options(self, raw: object, place: str) -> MatchOptions:
        """Read how expected calls are matched."""
        if not isinstance(raw, Mapping):
            self._say.fault(place, "It is no object.", f"Known are {', '.join(OPTIONS)}.")
            return MatchOptions()
        self._say.unknown_keys(raw, OPTIONS, place)
        faults = list(options_faults(raw))
        for key, remedy in faults:
            self._say.fault(f"{place}.{key}", f"{raw[key]!r} is not known here.", remedy)
        return MatchOptions() if faults else read_options(raw)

    def standard(self, raw: object, place: str) -> tuple[AuthoredCheck, ...]:
        """Read a list of standard checks, or the word for those that are recommended.

        Rule: checks.md section 12: each is added as an advisory check that warns.
        """
        if raw == "recommended":
            return tuple(_standard(name, preset) for name, preset in RECOMMENDED)
        if not isinstance(raw, list) or len(raw) > MOST_SUPPRESSED:
            what = f"It is neither recommended nor a list of at most {MOST_SUPPRESSED} ids."
            self._say.fault(place, what, "List ids of standard checks.")
            return ()
        found: list[AuthoredCheck] = []
        for at, name in enumerate(raw):
            preset = STANDARD.get(name) if isinstance(name, str) else None
            if preset is None:
                self._no_standard(name, f"{place}[{at}]")
                continue
            found.append(_standard(name, preset))
        return tuple(found)

    def suppressed(self, raw: object, place: str) -> frozenset[str]:
        """Read a list of standard checks that are left out."""
        if not isinstance(raw, list) or len(raw) > MOST_SUPPRESSED:
            what = f"It is no list of at most {MOST_SUPPRESSED} ids."
            self._say.fault(place, what, "List ids of standard checks.")
            return frozenset()
        for at, name in enumerate(raw):
            if not isinstance(name, str) or name not in STANDARD:
                self._no_standard(name, f"{place}[{at}]")
        return frozenset(name for name in raw if isinstance(name, str))

    def _no_standard(self, name: object, place: str) -> None:
        if isinstance(name, str) and name in STANDARD:
            what, remedy = why_no_check(name)
            self._say.fault(place, what, remedy)
            return
        near = difflib.get_close_matches(str(name), STANDARD, 1)
        remedy = f"Did you mean {near[0]}?" if near else f"Known are {', '.join(STANDARD)}."
        self._say.fault(place, f"{name!r} is no standard check.", remedy)


def _standard(name: str | None, preset: Mapping[str, Any]) -> AuthoredCheck:
    check = {**preset, "role": "advisory", "severity": "warn"}
    label = None if name is None else f"{name}: {preset['type']}"
    return AuthoredCheck(check, identity(check), name, label)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
