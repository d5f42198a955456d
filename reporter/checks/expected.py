"""Expected calls: which of them a session made, with which arguments, and what it made beside.

Rule: checks.md sections 7.3 and 9; chain.md section 3.3.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeVar, cast

from reporter.checks.evidence import Call, Evidence
from reporter.checks.outcome import Outcome, broken, held, unknown
from reporter.checks.selection import arguments_match, value_matches
from reporter.checks.text import counted, listed
from reporter.derive.chain.predicates import CALLS_ARGUMENTS, CALLS_MATCH
from reporter.models.records import MatchCounts

Order = Literal["ignore", "strict", "superset"]
"""`ignore`: in any order; `strict`: each at its own place; `superset`: in this order, with
others between them."""
Matching = Literal["partial", "exact", "ignore"]

ORDERS: Final = ("ignore", "strict", "superset")
MATCHINGS: Final = ("partial", "exact", "ignore")
OPTIONS: Final = ("toolCallOrder", "maxExtraToolCalls", "argumentMatching")

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """How expected calls are looked for; None where the next wider list decides."""

    order: Order | None = None
    argument_matching: Matching | None = None
    most_extra: int | None = None
    """Calls beside the expected ones that are allowed; None where it is not said here."""
    is_unlimited: bool = False
    """`maxExtraToolCalls: null` was written: any number of other calls is allowed."""

    def under(self, wider: "MatchOptions") -> "MatchOptions":
        """Return these options, with what they leave open taken from a wider list."""
        said_extra = self.most_extra is not None or self.is_unlimited
        return MatchOptions(
            _or(self.order, wider.order),
            _or(self.argument_matching, wider.argument_matching),
            self.most_extra if said_extra else wider.most_extra,
            self.is_unlimited if said_extra else wider.is_unlimited,
        )

    def to_wire(self) -> dict[str, Any]:
        """Return what differs from the defaults, as it stands in a rubric."""
        pairs = (
            ("toolCallOrder", self.order, "ignore"),
            ("maxExtraToolCalls", self.most_extra, None),
            ("argumentMatching", self.argument_matching, "partial"),
        )
        return {key: own for key, own, usual in pairs if own not in (None, usual)}


AS_USUAL: Final = MatchOptions()
"""Nothing said: calls in any order, others beside them, arguments in part."""


def _or(own: _Value | None, wider: _Value | None) -> _Value | None:
    return wider if own is None else own


@dataclass(frozen=True, slots=True)
class ExpectedCall:
    """One call that an author expects."""

    tool_name: str
    arguments: Mapping[str, Any]
    turn: int | None = None
    """Zero-based turn that it belongs to; None for anywhere in the session."""


@dataclass(frozen=True, slots=True)
class Matched:
    """What a matcher found."""

    expected: int
    made: int
    missing: tuple[str, ...]
    """Tools of expected calls that were not made, in the order written."""
    extra: int
    """Calls beside those that were paired with an expected one."""
    most_extra: int | None
    mismatches: tuple[tuple[str, tuple[str, ...]], ...]
    """Tool and differing arguments of expected calls that were made otherwise."""

    @property
    def counts(self) -> MatchCounts:
        """The numbers that a chain reads."""
        return MatchCounts(
            missing=len(self.missing),
            unexpected=self.extra,
            argument_mismatches=len(self.mismatches),
        )

    @property
    def too_many(self) -> bool:
        """Whether more calls were made beside the expected ones than are allowed."""
        return self.most_extra is not None and self.extra > self.most_extra


def predicates_of(calls: Sequence[ExpectedCall], options: MatchOptions) -> Iterator[dict[str, Any]]:
    """Yield what grades expected calls of one scope: which were made, and their arguments.

    Nothing grades arguments where they are ignored.
    """
    wire = {
        "expectedToolCalls": [
            {"toolName": one.tool_name, "arguments": dict(one.arguments)} for one in calls
        ],
        **options.to_wire(),
    }
    yield {"type": CALLS_MATCH, **wire}
    if options.argument_matching != "ignore":
        yield {"type": CALLS_ARGUMENTS, **wire}


def is_matcher(check: Mapping[str, Any]) -> bool:
    """Tell whether a rubric's entry grades expected calls, in a form that is understood."""
    calls = check.get("expectedToolCalls")
    return (
        check.get("type") in (CALLS_MATCH, CALLS_ARGUMENTS)
        and isinstance(calls, list)
        and bool(calls)
        and all(_is_call(one) for one in calls)
        and not any(options_faults(check))
    )


def _is_call(raw: object) -> bool:
    return (
        isinstance(raw, Mapping)
        and isinstance(raw.get("toolName"), str)
        and isinstance(raw.get("arguments", {}), Mapping)
    )


def options_faults(raw: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each option that is written wrong, with what is wanted.

    Rule: checks.md section 7.3, matcher options.
    """
    if "toolCallOrder" in raw and raw["toolCallOrder"] not in ORDERS:
        yield "toolCallOrder", f"Use {', '.join(ORDERS)}."
    if "argumentMatching" in raw and raw["argumentMatching"] not in MATCHINGS:
        yield "argumentMatching", f"Use {', '.join(MATCHINGS)}."
    most = raw.get("maxExtraToolCalls")
    if most is not None and (not isinstance(most, int) or isinstance(most, bool) or most < 0):
        yield "maxExtraToolCalls", "Write a whole number from 0 up, or null for no limit."


def read_options(raw: Mapping[str, Any]) -> MatchOptions:
    """Read options that have no fault."""
    return MatchOptions(
        cast("Order | None", raw.get("toolCallOrder")),
        cast("Matching | None", raw.get("argumentMatching")),
        raw.get("maxExtraToolCalls"),
        "maxExtraToolCalls" in raw and raw["maxExtraToolCalls"] is None,
    )


def match_calls(check: Mapping[str, Any], evidence: Evidence) -> Matched:
    """Pair expected calls with those that were made.

    A pair has one tool and arguments that match. What stays over on both sides and names one
    tool is a call with other arguments, so that it is not called missing.

    Args:
        check: A rubric's entry that `is_matcher`.
        evidence: Of the session, or of one turn.
    """
    options = read_options(check)
    expected = [
        ExpectedCall(one["toolName"], one.get("arguments", {}))
        for one in check["expectedToolCalls"]
    ]
    pairing = _Pairing(expected, evidence.calls, options)
    pairing.pair()
    pairing.pair_by_name()
    free = len(evidence.calls) - len(pairing.taken)
    return Matched(
        expected=len(expected),
        made=len(evidence.calls),
        missing=tuple(one.tool_name for at, one in enumerate(expected) if at not in pairing.paired),
        extra=free,
        most_extra=options.most_extra,
        mismatches=tuple(
            (expected[at].tool_name, _differing(expected[at], evidence.calls[made], options))
            for at, made in sorted(pairing.mismatched.items())
        ),
    )


class _Pairing:
    """Which expected call is which call, by places."""

    def __init__(
        self, expected: Sequence[ExpectedCall], calls: Sequence[Call], options: MatchOptions
    ) -> None:
        self._expected = expected
        self._calls = calls
        self._order = options.order or "ignore"
        self._matching = options.argument_matching or "partial"
        self._from = [0] * len(expected)
        """Where looking for an expected call begins: behind what was found before it, where
        the order counts."""
        self.paired: dict[int, int] = {}
        self.taken: set[int] = set()
        self.mismatched: dict[int, int] = {}

    def pair(self) -> None:
        """Pair by tool and arguments, each with the first call that fits."""
        begin = 0
        for at, wanted in enumerate(self._expected):
            self._from[at] = begin
            found = next(
                (
                    place
                    for place in self._places(at)
                    if place not in self.taken and self._fits(wanted, self._calls[place])
                ),
                None,
            )
            if found is not None:
                self._take(at, found)
                begin = found + 1 if self._order == "superset" else 0
            elif self._order == "superset":
                # What comes in order cannot be found behind one that is not there.
                begin = len(self._calls)

    def pair_by_name(self) -> None:
        """Pair what is left by its tool alone: it was called with other arguments."""
        for at, wanted in enumerate(self._expected):
            if at in self.paired:
                continue
            for place in self._places(at):
                if place not in self.taken and self._calls[place].tool_name == wanted.tool_name:
                    self._take(at, place)
                    self.mismatched[at] = place
                    break

    def _places(self, at: int) -> range:
        if self._order == "strict":
            return range(at, min(at + 1, len(self._calls)))
        return range(self._from[at], len(self._calls))

    def _fits(self, wanted: ExpectedCall, call: Call) -> bool:
        return wanted.tool_name == call.tool_name and arguments_match(
            call, wanted.arguments, self._matching
        )

    def _take(self, at: int, place: int) -> None:
        self.paired[at] = place
        self.taken.add(place)


def _differing(wanted: ExpectedCall, call: Call, options: MatchOptions) -> tuple[str, ...]:
    """Name the arguments that differ, never their values."""
    if call.args_invalid:
        return ("all, as they are no object",)
    if options.argument_matching == "exact":
        keys = dict.fromkeys([*wanted.arguments, *call.arguments])
        return tuple(
            key
            for key in keys
            if key not in call.arguments
            or key not in wanted.arguments
            or not arguments_match(
                replace(call, arguments={key: call.arguments[key]}),
                {key: wanted.arguments[key]},
                "exact",
            )
        )
    return tuple(
        key
        for key, item in wanted.arguments.items()
        if key not in call.arguments or not value_matches(call.arguments[key], item)
    )


def match_outcome(check: Mapping[str, Any], found: Matched) -> Outcome:
    """Return what came of a rubric's entry over what its matcher found."""
    if check["type"] == CALLS_ARGUMENTS:
        return _arguments_outcome(found)
    paired = found.expected - len(found.missing)
    said = f"{paired} of {counted(found.expected, 'expected call')} made"
    if found.missing:
        said += f"; missing: {listed(found.missing)}"
    said += f"; {counted(found.extra, 'call')} beside them"
    if found.most_extra is not None:
        said += f", {found.most_extra} allowed"
    bad = bool(found.missing) or found.too_many or not found.made
    return broken(f"{said}.") if bad else held(f"{said}.")


def _arguments_outcome(found: Matched) -> Outcome:
    paired = found.expected - len(found.missing)
    if not paired:
        return unknown("No expected call was made, so there are no arguments to compare.")
    if not found.mismatches:
        return held(f"The arguments of {counted(paired, 'expected call')} match.")
    named = listed([f"{tool} ({', '.join(keys)})" for tool, keys in found.mismatches])
    return broken(
        f"{len(found.mismatches)} of {counted(paired, 'expected call')} made with other "
        f"arguments: {named}."
    )
