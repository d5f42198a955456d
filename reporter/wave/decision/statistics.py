"""Statistics that only report: they travel beside a decision and never decide."""

import math
from collections.abc import Mapping
from typing import Any, Final

_Z: Final = 1.959963984540054
_CONFIDENCE: Final = 0.95


def trial_statistics(eligible: int, passed: int, k: int) -> dict[str, Any]:
    """Return how likely k trials hold a pass, or only passes, and how sure the pass rate is.

    The order of operations gives the published doubles to the last bit.

    Args:
        eligible: Graded trials.
        passed: Those that passed.
        k: How many are drawn.

    Returns:
        `passAtK`, `passHatK` and `passRateInterval`; null where they mean nothing.

    Rule: decision.md section A7.
    """
    if eligible == 0:
        return {"passAtK": None, "passHatK": None, "passRateInterval": None}
    drawn = 1 <= k <= eligible
    return {
        "passAtK": 1 - _ratio(eligible - passed, eligible, k) if drawn else None,
        "passHatK": _ratio(passed, eligible, k) if drawn else None,
        "passRateInterval": _interval(passed, eligible),
    }


def _ratio(among: int, whole: int, k: int) -> float:
    if k > among:
        return 0
    product = 1.0
    for i in range(k):
        product *= (among - i) / (whole - i)
    return product


def _interval(passed: int, whole: int) -> dict[str, float]:
    squared = _Z * _Z
    width = whole + squared
    centre = (passed + squared / 2) / width
    spread = (_Z / width) * math.sqrt(passed * (whole - passed) / whole + squared / 4)
    return {
        "confidence": _CONFIDENCE,
        "lower": 0 if passed == 0 else max(0.0, centre - spread),
        "upper": 1 if passed == whole else min(1.0, centre + spread),
    }


def decision_statistics(decision: Mapping[str, Any]) -> dict[str, Any]:
    """Return the statistics of a decision's cases, k being each case's graded trials.

    Rule: decision.md section A7, block.
    """
    rows: list[dict[str, Any]] = []
    for case in decision["cases"]:
        eligible, passed = case["eligibleTrials"], case["passedTrials"]
        row: dict[str, Any] = {"caseId": case["caseId"]}
        if "executionVariant" in case:
            row["executionVariant"] = case["executionVariant"]
        row |= {"eligibleTrials": eligible, "passedTrials": passed, "k": eligible}
        rows.append(row | trial_statistics(eligible, passed, eligible))
    return {
        "unit": "caseVariant",
        "eligibleTrials": sum(row["eligibleTrials"] for row in rows),
        "passedTrials": sum(row["passedTrials"] for row in rows),
        "cases": rows,
    }
