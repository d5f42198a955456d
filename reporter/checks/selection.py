"""Checks of which tools were called.

Rule: checks.md section 6.1.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from reporter.checks.evidence import Call, Evidence
from reporter.checks.numbers import equal, is_name, is_positive, plain
from reporter.checks.outcome import Outcome, broken, held, judged, unknown
from reporter.checks.text import LISTED, counted, listed, quoted, shown, trimmed

Check = Mapping[str, Any]

_DEPRECATED: Final = (
    re.compile(r"\A\s*\[?\s*deprecated\b", re.IGNORECASE),
    re.compile(r"this (?:tool|endpoint|method) is deprecated", re.IGNORECASE),
    re.compile(r"\bdeprecated[:.]", re.IGNORECASE),
    re.compile(r"\buse\s+\S+\s+instead\b", re.IGNORECASE),
)
_PLACEHOLDERS: Final[Mapping[str, Any]] = {
    "any": lambda _: True,
    "string": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, Mapping),
    "array": lambda value: isinstance(value, list),
    "null": lambda value: value is None,
}


def marks_itself_deprecated(description: object) -> bool:
    """Tell whether a tool's description says that the tool itself is deprecated."""
    return isinstance(description, str) and any(
        pattern.search(description) for pattern in _DEPRECATED
    )


def tool_called_with(check: Check, evidence: Evidence) -> Outcome:
    """At least so many calls of one tool have matching arguments."""
    least = check.get("minCount", 1)
    if not is_positive(least):
        return broken("The check asks for a number of calls that is no whole number from 1 up.")
    name = check["toolName"]
    expected = check["args"]["args"]
    mode = check["args"].get("argumentMatching", "partial")
    calls = evidence.calls_to(name)
    found = sum(1 for call in calls if arguments_match(call, expected, mode))
    said = (
        f"{name}: {found} of {counted(len(calls), 'call')} matched ({mode}); {plain(least)} needed"
    )
    if found >= least:
        return held(f"{said}.")
    if not calls:
        return broken(f"{said}. {name} was never called. Expected arguments: {shown(expected)}.")
    actual = ", ".join(shown(call.arguments) for call in calls[:LISTED])
    return broken(f"{said}. Expected arguments: {shown(expected)}. Called with: {actual}.")


def arguments_match(call: Call, expected: Mapping[str, Any], mode: str) -> bool:
    """Tell whether a call has the arguments that are expected.

    Args:
        call: The call.
        expected: Arguments by name.
        mode: `partial`, `exact` or `ignore`.

    Rule: checks.md section 6.1, matching modes.
    """
    if mode == "ignore":
        return True
    if call.args_invalid:
        return False
    if mode == "exact":
        return equal(call.arguments, expected)
    return all(
        key in call.arguments and value_matches(call.arguments[key], wanted)
        for key, wanted in expected.items()
    )


def is_placeholder(wanted: object) -> bool:
    """Tell whether an expected text asks for a type of value and not for itself."""
    return isinstance(wanted, str) and trimmed(wanted).lower() in _PLACEHOLDERS


def value_matches(value: object, wanted: object) -> bool:
    """Tell whether one argument is what is expected, where a text may name a type.

    Rule: checks.md section 6.1, `partial`.
    """
    if isinstance(wanted, str) and is_placeholder(wanted):
        return bool(_PLACEHOLDERS[trimmed(wanted).lower()](value))
    return equal(value, wanted)


def tool_called_at_least_once(check: Check, evidence: Evidence) -> Outcome:
    """One tool was called."""
    calls = len(evidence.calls_to(check["toolName"]))
    return judged(f"{check['toolName']} was called {counted(calls, 'time')}.", holds=calls > 0)


def tool_never_called(check: Check, evidence: Evidence) -> Outcome:
    """One tool was not called."""
    name = check.get("toolName")
    if not is_name(name):
        return broken("The check names no tool.")
    calls = len(evidence.calls_to(name))
    return judged(f"{name} was called {counted(calls, 'time')}.", holds=calls == 0)


def first_tool_was(check: Check, evidence: Evidence) -> Outcome:
    """The very first call of the session was to one tool."""
    name = check.get("toolName")
    if not is_name(name):
        return broken("The check names no tool.")
    if not evidence.calls:
        return broken(f"Expected {name} first; no tool was called.")
    first = evidence.calls[0].tool_name
    return judged(f"Expected {name} first; {quoted(first)} was.", holds=first == name)


def only_tools_called(check: Check, evidence: Evidence) -> Outcome:
    """No tool outside a list was called."""
    names = check.get("toolNames")
    if not isinstance(names, list) or not all(
        isinstance(name, str) and trimmed(name) for name in names
    ):
        return broken("The check's list of tools is no list of names.")
    if any(not trimmed(call.tool_name) for call in evidence.calls):
        return broken("A call has no usable name.")
    outside = dict.fromkeys(
        call.tool_name for call in evidence.calls if call.tool_name not in names
    )
    if outside:
        return broken(f"Called outside the list: {listed(map(quoted, outside))}.")
    return held(f"All {counted(len(evidence.calls), 'call')} stayed inside the list.")


def tool_call_count_under(check: Check, evidence: Evidence) -> Outcome:
    """Fewer calls than a number."""
    name = check.get("toolName")
    calls = len(evidence.calls_to(name))
    scope = f"to {name}" if name else "in all"
    return judged(
        f"{counted(calls, 'call')} {scope}; fewer than {plain(check['count'])} asked.",
        holds=calls < check["count"],
    )


def tool_called_before(check: Check, evidence: Evidence) -> Outcome:
    """Every call of one tool has an earlier call of another."""
    first, second = check.get("toolName"), check.get("beforeToolName")
    if not is_name(first) or not is_name(second):
        return broken("The check does not name both tools.")
    seen = False
    later = 0
    for call in evidence.calls:
        if call.tool_name == second:
            later += 1
            if not seen and first != second:
                return broken(f"{second} was called before any call to {first}.")
        seen = seen or call.tool_name == first
    if not later:
        return held(f"{second} was never called.")
    return held(f"Every call to {second} ({later}) came after one to {first}.")


def no_deprecated_tool_called(check: Check, evidence: Evidence) -> Outcome:  # noqa: ARG001  one form for all kinds
    """No called tool's description marks itself as deprecated."""
    if evidence.capture("toolInventory") != "complete":
        return unknown("What the model was shown was not captured whole.")
    undescribed: dict[str, None] = {}
    for name in _distinct(evidence.calls):
        tool = evidence.tool(name)
        if tool is None:
            undescribed[name] = None
        elif marks_itself_deprecated(tool.description):
            return broken(f"{quoted(name)} was called, and its description says deprecated.")
    if undescribed:
        return unknown(f"Not described in the inventory: {listed(map(quoted, undescribed))}.")
    return held(f"None of {counted(len(_distinct(evidence.calls)), 'called tool')} says so.")


def no_destructive_tool_called(check: Check, evidence: Evidence) -> Outcome:  # noqa: ARG001  one form for all kinds
    """No called tool is destructive; a writing tool without a hint counts as one."""
    if evidence.capture("toolInventory") != "complete":
        return unknown("What the model was shown was not captured whole.")
    if not any(tool.annotations is not None for tool in evidence.inventory):
        return unknown("No tool of the inventory carries annotations.")
    aside: dict[str, None] = {}
    for name in _distinct(evidence.calls):
        tool = evidence.tool(name)
        hints = tool.annotations if tool else None
        if hints is None:
            aside[name] = None
        elif hints.get("destructiveHint") is True:
            return broken(f"{quoted(name)} was called, and is annotated as destructive.")
        elif hints.get("readOnlyHint") is not True and hints.get("destructiveHint") is not False:
            return broken(
                f"{quoted(name)} was called; it is not annotated as read-only, and its absent "
                "destructive hint counts as destructive."
            )
    if aside:
        return unknown(f"Without annotations: {listed(map(quoted, aside))}.")
    return held(f"None of {counted(len(_distinct(evidence.calls)), 'called tool')} is destructive.")


def _distinct(calls: Sequence[Call]) -> list[str]:
    return list(dict.fromkeys(call.tool_name for call in calls))
