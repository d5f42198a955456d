"""Whether two funnel documents may be set beside each other."""

from collections.abc import Mapping
from typing import Any, Final

from reporter.vocabulary import MaterializationState, ParityBlocker

_IDENTITIES: Final = (
    ("runGroupId", ParityBlocker.MISSING_RUN_GROUP, ParityBlocker.DIFFERENT_RUN_GROUP),
    (
        "configRevision",
        ParityBlocker.MISSING_CONFIG_IDENTITY,
        ParityBlocker.DIFFERENT_CONFIG_IDENTITY,
    ),
    (
        "caseSetFingerprint",
        ParityBlocker.MISSING_CASE_SET_IDENTITY,
        ParityBlocker.DIFFERENT_CASE_SET_IDENTITY,
    ),
)
_MIXED: Final = ("sourceStageAnalyzerVersions", "sourceMeasurementsSchemaVersions")
_EQUAL: Final = (
    ("stageAnalyzerVersion", ParityBlocker.DIFFERENT_ANALYZER_VERSION),
    ("measurementsSchemaVersion", ParityBlocker.DIFFERENT_MEASUREMENTS_VERSION),
    ("measurementUnit", ParityBlocker.DIFFERENT_MEASUREMENT_UNIT),
)


def blockers(left: Mapping[str, Any], right: Mapping[str, Any]) -> list[ParityBlocker]:
    """Return why two funnel documents cannot be compared, in contract order.

    Args:
        left: A valid document in wire form.
        right: Another.

    Returns:
        An empty list where they can. What is absent on either side is never a match.

    Rule: analytics.md section 10.
    """
    found: list[ParityBlocker] = []
    both = (left, right)
    for key, missing, different in _IDENTITIES:
        if any(row.get(key) is None for row in both):
            found.append(missing)
        elif left[key] != right[key]:
            found.append(different)
    if any(key in row for row in both for key in _MIXED):
        found.append(ParityBlocker.MIXED_SOURCE_VERSIONS)
    found.extend(blocker for key, blocker in _EQUAL if left.get(key) != right.get(key))
    if any(row.get("materializationState") == MaterializationState.PROVISIONAL for row in both):
        found.append(ParityBlocker.PROVISIONAL)
    return found
