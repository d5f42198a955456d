"""Rates of a run: exact quotients with their populations, or not measured over nothing."""

from collections.abc import Mapping
from typing import Any

from reporter.vocabulary import TrialExclusionReason


def rate_to_wire(
    numerator: int, denominator: int, exclusions: Mapping[TrialExclusionReason, int]
) -> dict[str, Any]:
    """Return a rate in wire form, keys in contract order.

    Args:
        numerator: Trials that count.
        denominator: Trials that could have.
        exclusions: Trials that are in neither, by reason; zeros are left out.

    Rule: decision.md section A2, rate form.
    """
    left_out = {reason.value: count for reason, count in exclusions.items() if count}
    if denominator <= 0:
        return {
            "state": "notMeasured",
            "value": None,
            "numerator": 0,
            "denominator": 0,
            "exclusions": left_out,
        }
    return {
        "state": "measured",
        "value": numerator / denominator,
        "numerator": numerator,
        "denominator": denominator,
        "exclusions": left_out,
    }


def is_fraction(value: object) -> bool:
    """Tell whether a value is a number from 0 to 1; a percentage is none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
