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

MOST_SUPPRESSED: Final = 64
"""Ids that one list may suppress."""


def suppressed_kinds(ids: Iterable[str]) -> frozenset[str]:
    """Return the kinds of check that suppressing these standard checks drops."""
    presets = (STANDARD.get(name) for name in ids)
    return frozenset(str(preset["type"]) for preset in presets if preset is not None)
