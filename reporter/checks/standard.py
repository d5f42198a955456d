"""The menu of standard checks: what each id stands for.

Rule: checks.md section 12.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

STANDARD: Final[Mapping[str, Mapping[str, Any] | None]] = {
    "connection.success": None,
    "discovery.toolsList": None,
    "discovery.description": {"type": "toolDescriptionsPresent", "minLength": 20},
    "discovery.annotations": {"type": "toolAnnotationsPresent"},
    "discovery.collisions": {"type": "toolNamesUnique"},
    "discovery.deprecated": {"type": "noDeprecatedToolExposed"},
    "call.schema": {"type": "toolInputSchemasWellFormed"},
    "response.schema": {"type": "toolOutputSchemasPresent"},
    "selection.hops": {"type": "toolCallCountUnder", "count": 4},
    "call.parameters": {"type": "argumentsMatchToolSchema"},
    "call.repeated": {"type": "noRepeatedIdenticalCall"},
    "response.performance": {"type": "toolLatencyUnder", "ms": 5000},
    "response.size": {"type": "toolResultSizeUnder", "maxBytes": 64000},
    "response.errors": {"type": "noToolErrors"},
    "response.recovery": {"type": "toolErrorNamesInput"},
    "response.pagination": {"type": "fullPageHasContinuation"},
    "userValue.turns": {"type": "turnCountUnder", "turns": 6},
    "userValue.outcome": None,
}
"""What each id presets; None where the runner or the goal judge measures it instead."""

RECOMMENDED: Final[tuple[tuple[str | None, Mapping[str, Any]], ...]] = (
    ("response.errors", {"type": "noToolErrors"}),
    ("call.parameters", {"type": "argumentsMatchToolSchema"}),
    (None, {"type": "noDeprecatedToolCalled"}),
)
"""What a new file is advised to begin with; the last has no id in the menu."""

MOST_SUPPRESSED: Final = 64
"""Ids that one list may name."""


def suppressed_kinds(ids: Iterable[str]) -> frozenset[str]:
    """Return the kinds of check that suppressing these standard checks drops."""
    presets = (STANDARD.get(name) for name in ids)
    return frozenset(str(preset["type"]) for preset in presets if preset is not None)


def why_no_check(name: str) -> tuple[str, str]:
    """Say why a standard check cannot be written into a file, and what measures it instead."""
    if name == "userValue.outcome":
        what = "The goal judge measures userValue.outcome; no check of this kind can be written."
        return what, "Record the judge's word, or ask it by the recording's policy."
    what = f"The runner measures {name}: from inside a session nothing can decide it."
    return what, "Leave it out; the chain shows it where the recorder recorded it."
