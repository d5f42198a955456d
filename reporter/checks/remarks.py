"""What an author may write and should know: checks that can never hold, or never fail.

Rule: checks.md sections 2.6, 6, 9 and 11.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from reporter.checks.authoring import effective_role
from reporter.checks.patterns import has_nested_quantifier
from reporter.checks.selection import is_placeholder
from reporter.derive.chain.predicates import CALLS_MATCH, MATCHERS

_DEMANDING: Final = frozenset({"toolCalledWith", "toolCalledAtLeastOnce", "firstToolWas"})
_PATTERNS: Final = frozenset({"toolInputMatches", "toolResultMatches"})
_REFUSED_WITH_NEGATIVE: Final = frozenset({"toolCalledWith", *_PATTERNS, *MATCHERS})


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that an author should know."""

    what: str
    remedy: str
    rule: str


def check_remarks(check: Mapping[str, Any]) -> Iterator[Remark]:
    """Say of one check that may be written what it does not do as one would think."""
    kind, gating = check["type"], effective_role(check) == "required"
    if kind == "responseMatches" and has_nested_quantifier(check["pattern"]):
        yield Remark(
            "The pattern repeats a group that repeats. It is not run, so the check fails in "
            "every session.",
            "Write it without the inner or the outer repetition.",
            "check-fails-always",
        )
    if kind == "turnCountUnder" and check["turns"] <= 1:
        yield Remark(
            "Fewer than 1 turn is asked for, and a session has one from its first message on.",
            "turns: 2 allows one turn.",
            "check-fails-always",
        )
    if kind == "toolCalledBefore" and check["toolName"] == check["beforeToolName"]:
        yield Remark(
            "Both names are one tool, and a call is its own earlier call: nothing can fail it.",
            "Name two tools.",
            "check-holds-always",
        )
    if kind == "toolCalledWith":
        args = check["args"]
        yield from arguments_remarks(args["args"], args.get("argumentMatching", "partial"))
        if gating and _is_plain(check):
            yield Remark(
                "A deciding toolCalledWith counts as user value, whichever link the miss was at.",
                "Under expect: a missing call shows at selection, and wrong arguments at the call.",
                "check-decides-elsewhere",
            )


def _is_plain(check: Mapping[str, Any]) -> bool:
    """Tell whether an expected call says the same: one call, arguments in part.

    Rule: checks.md section 9.
    """
    mode = check["args"].get("argumentMatching", "partial")
    return bool(check.get("minCount", 1) == 1 and mode == "partial")


def arguments_remarks(arguments: Mapping[str, Any], mode: str) -> Iterator[Remark]:
    """Say where a word for a type is compared as the text that it is.

    Rule: checks.md section 6.1, matching modes.
    """
    if mode == "ignore":
        return
    for key, wanted in arguments.items():
        if is_placeholder(wanted):
            if mode == "exact":
                yield Remark(
                    f"{key}: {wanted!r} is compared as a text in the mode exact, not as a type.",
                    "Use partial to ask for a type.",
                    "placeholder-as-text",
                )
        elif inner := next(_placeholders_in(wanted), None):
            yield Remark(
                f"{key}: {inner!r} stands inside a value, where it is compared as a text.",
                "A type can be asked for at the top of the arguments alone.",
                "placeholder-as-text",
            )


def _placeholders_in(value: object) -> Iterator[str]:
    inner: Iterable[object] = ()
    if isinstance(value, Mapping):
        inner = value.values()
    elif isinstance(value, list):
        inner = value
    elif is_placeholder(value):
        yield str(value)
    for one in inner:
        yield from _placeholders_in(one)


def is_negative(checks: Iterable[Mapping[str, Any]]) -> bool:
    """Tell whether a list lets no tool be called at all, so that doing nothing is its design.

    Rule: checks.md sections 2.6 and 11.
    """
    return any(
        check.get("type") == "onlyToolsCalled"
        and check.get("toolNames") == []
        and effective_role(check) == "required"
        for check in checks
    )


def contradictions(checks: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, bool]]:
    """Yield each gating check that demands a call where none may be made.

    Yields:
        What demands the call, and whether such a list is refused: by others it is only
        noted.

    Rule: checks.md section 2.6.
    """
    for check in checks:
        if demanded_tools(check):
            kind = str(check["type"])
            yield kind, kind in _REFUSED_WITH_NEGATIVE


def demanded_tools(check: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the tools that a gating check demands to be called; `any tool` where it names none.

    Rule: checks.md section 2.6.
    """
    kind = check["type"]
    if effective_role(check) != "required":
        return ()
    if kind in _DEMANDING:
        return (check["toolName"],)
    if kind in _PATTERNS and check.get("min", 1) >= 1:
        return (check.get("toolName", "any tool"),)
    if kind == CALLS_MATCH:
        return tuple(dict.fromkeys(one["toolName"] for one in check["expectedToolCalls"]))
    return ()


def list_remarks(checks: Sequence[Mapping[str, Any]]) -> Iterator[Remark]:
    """Say of a list of gating checks which of them no session can hold together.

    Args:
        checks: The effective checks of one goal over the whole session.
    """
    gating = [check for check in checks if effective_role(check) == "required"]
    wanted = list(dict.fromkeys(tool for check in gating for tool in demanded_tools(check)))
    barred = {check["toolName"] for check in gating if check["type"] == "toolNeverCalled"}
    only = [check["toolNames"] for check in gating if check["type"] == "onlyToolsCalled"]
    for tool in wanted:
        if tool == "any tool":
            continue
        outside = any(names and tool not in names for names in only)
        if tool in barred or outside:
            why = "toolNeverCalled bars it" if tool in barred else "onlyToolsCalled leaves it out"
            yield Remark(
                f"A call of {tool} is demanded, and {why}: no session can hold both.",
                "Take one of the two back.",
                "checks-contradict",
            )
    seen = {
        tool for check in gating if check["type"] not in _PATTERNS for tool in demanded_tools(check)
    }
    for check in gating:
        if check["type"] == "toolInputMatches" and demanded_tools(check):
            tool = check["toolName"]
            if tool not in seen:
                yield Remark(
                    f"Where {tool} is never called, its toolInputMatches fails at the call.",
                    f"toolCalledAtLeastOnce of {tool} shows the miss at selection as well.",
                    "check-decides-elsewhere",
                )
