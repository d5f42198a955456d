"""Checks of what servers declare, whatever the model did.

Rule: checks.md section 6.6.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from reporter.checks.evidence import Evidence, Tool
from reporter.checks.numbers import is_positive
from reporter.checks.outcome import Outcome, broken, held, unknown
from reporter.checks.selection import marks_itself_deprecated
from reporter.checks.text import counted, listed, said, trimmed

Check = Mapping[str, Any]


def _each(
    evidence: Evidence, holds: Callable[[Tool], bool], what: str, field: str = "name"
) -> Outcome:
    declared = evidence.declarations
    if evidence.declared_fields is not None and field not in evidence.declared_fields:
        return unknown(f"The recording does not keep the {field} of what servers declare.")
    if declared is None or evidence.capture("toolDeclarations") != "complete":
        return unknown("What the servers declare was not captured whole.")
    if not declared:
        return held("The complete catalog is empty.")
    failing = [tool for tool in declared if not holds(tool)]
    if not failing:
        return held(f"All {counted(len(declared), 'declaration')} {what}.")
    return broken(f"{len(failing)} of {counted(len(declared), 'declaration')}: {_names(failing)}.")


def _names(tools: Iterable[Tool]) -> str:
    return listed(said(f"{tool.server}/{tool.name}") for tool in tools)


def tool_descriptions_present(check: Check, evidence: Evidence) -> Outcome:
    """Every declaration has a description of some length."""
    least = check.get("minLength", 20)
    if not is_positive(least):
        return unknown("The check's least length is no whole number from 1 up.")
    return _each(
        evidence,
        lambda tool: isinstance(tool.description, str) and len(trimmed(tool.description)) >= least,
        "described",
        "description",
    )


def tool_annotations_present(check: Check, evidence: Evidence) -> Outcome:
    """Every declaration has annotations, with the hints asked for."""
    asked: Sequence[str] = check.get("require") or ()
    return _each(
        evidence,
        lambda tool: (
            tool.annotations is not None
            and all(isinstance(tool.annotations.get(hint), bool) for hint in asked)
        ),
        "annotated",
        "annotations",
    )


def tool_names_unique(check: Check, evidence: Evidence) -> Outcome:  # noqa: ARG001  one form for all kinds
    """No server declares one name twice."""
    seen: set[tuple[str, str]] = set()

    def fresh(tool: Tool) -> bool:
        known = (tool.server, tool.name) in seen
        seen.add((tool.server, tool.name))
        return not known

    return _each(evidence, fresh, "with a name of its own")


def no_deprecated_tool_exposed(check: Check, evidence: Evidence) -> Outcome:  # noqa: ARG001  one form for all kinds
    """No declaration marks itself as deprecated."""
    return _each(
        evidence,
        lambda tool: not marks_itself_deprecated(tool.description),
        "without a word of deprecation",
        "description",
    )


def tool_input_schemas_well_formed(check: Check, evidence: Evidence) -> Outcome:  # noqa: ARG001  one form for all kinds
    """Every declaration's input schema is an object that describes its properties."""
    return _each(evidence, _is_well_formed, "with a well-formed input schema", "inputSchema")


def _is_well_formed(tool: Tool) -> bool:
    schema = tool.input_schema
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        return False
    if "properties" not in schema:
        return True
    properties = schema["properties"]
    return isinstance(properties, Mapping) and all(
        isinstance(one, Mapping)
        and isinstance(one.get("description"), str)
        and trimmed(one["description"]) != ""
        for one in properties.values()
    )


def tool_output_schemas_present(check: Check, evidence: Evidence) -> Outcome:  # noqa: ARG001  one form for all kinds
    """Every declaration says what it returns."""
    return _each(
        evidence,
        lambda tool: tool.output_schema is not None,
        "with an output schema",
        "outputSchema",
    )
