"""Checks of how tools were called.

Rule: checks.md section 6.2.
"""

from collections.abc import Mapping
from typing import Any

from reporter.canonical import canonical_json
from reporter.checks.evidence import Call, Evidence
from reporter.checks.json_schema import Violation, violations
from reporter.checks.outcome import Outcome, broken, held, unknown
from reporter.checks.text import LISTED, counted, listed, quoted

Check = Mapping[str, Any]

_UNPROVEN = "Valid arguments do not prove that they are what the user wanted."


def arguments_match_tool_schema(check: Check, evidence: Evidence) -> Outcome:
    """Every call's arguments are valid against its tool's own schema."""
    if evidence.capture("toolInventory") != "complete":
        return unknown("What the model was shown was not captured whole.")
    calls = evidence.calls_to(check.get("toolName"))
    if not calls:
        return held("No call in scope.")
    found: list[tuple[str, Violation]] = []
    undeclared: dict[str, None] = {}
    for call in calls:
        tool = evidence.tool(call.tool_name)
        if tool is None or not tool.has_input_schema:
            what = "is not in the inventory" if tool is None else "declares no input schema"
            return unknown(f"{quoted(call.tool_name)} {what}.")
        seen = _violations(call, tool.input_schema)
        if isinstance(seen, str):
            return unknown(f"{quoted(call.tool_name)}: {seen}.")
        found.extend((call.tool_name, one) for one in seen)
        undeclared |= dict.fromkeys(_undeclared(call, tool.input_schema))
    extra = f" Not declared: {listed(map(quoted, undeclared))}." if undeclared else ""
    if found:
        said = listed(f"{name} {one.kind} at {one.location}" for name, one in found)
        return broken(f"{counted(len(found), 'violation')}: {said}.{extra}")
    return held(f"All {counted(len(calls), 'call')} valid.{extra} {_UNPROVEN}")


def _violations(call: Call, schema: object) -> list[Violation] | str:
    if call.args_invalid:
        return [Violation("other", "#")]
    return violations(dict(call.arguments), schema)


def _undeclared(call: Call, schema: object) -> list[str]:
    declared = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(declared, Mapping) or not declared:
        return []
    return [key for key in call.arguments if key not in declared][:LISTED]


def no_repeated_identical_call(check: Check, evidence: Evidence) -> Outcome:
    """No call directly follows one of the same tool with the same arguments."""
    name = check.get("toolName")
    repeated = [
        call.tool_name
        for before, call in zip(evidence.calls, evidence.calls[1:], strict=False)
        if call.tool_name == before.tool_name
        and name in (None, call.tool_name)
        and _same(before, call)
    ]
    if repeated:
        return broken(
            f"Repeated back-to-back {counted(len(repeated), 'time')}: "
            f"{listed(map(quoted, dict.fromkeys(repeated)))}."
        )
    return held(f"No repeat in {counted(len(evidence.calls), 'call')}.")


def _same(left: Call, right: Call) -> bool:
    if left.args_invalid or right.args_invalid:
        return False
    try:
        return canonical_json(left.arguments) == canonical_json(right.arguments)
    except ValueError:
        return False
