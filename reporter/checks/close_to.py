"""How near the final message comes to a reference.

Rule: checks.md section 6.5.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from reporter.checks.evidence import Evidence
from reporter.checks.numbers import is_number
from reporter.checks.outcome import Outcome, judged, unknown

LONGEST: Final = 100_000
"""Code units of either text."""
MOST_CELLS: Final = 4_000_000
"""Comparisons that are made at most."""

_SPACE: Final = re.compile(r"\s+")


def normalized(text: str, check: Mapping[str, Any]) -> str:
    """Return a text as it is compared."""
    folded = text if check.get("caseSensitive") is True else text.lower()
    if check.get("normalizeWhitespace") is True:
        return _SPACE.sub(" ", folded).strip()
    return folded


def is_valid(check: Mapping[str, Any]) -> bool:
    """Tell whether the check can be evaluated at all."""
    reference, most = check.get("reference"), check.get("maxDistance")
    return (
        isinstance(reference, str)
        and 1 <= _units(reference) <= LONGEST
        and is_number(most)
        and 0 <= most <= 1
        and all(
            isinstance(check.get(key, False), bool)
            for key in ("caseSensitive", "normalizeWhitespace")
        )
        and normalized(reference, check) != ""
    )


def response_close_to(check: Mapping[str, Any], evidence: Evidence) -> Outcome:
    """The final message is within an edit distance of a reference."""
    if not is_valid(check):
        return unknown("The check's reference or distance is not what it may be.")
    if evidence.final_message is None:
        return unknown("There is no final message.")
    left = normalized(evidence.final_message, check)
    right = normalized(check["reference"], check)
    if max(_units(evidence.final_message), _units(left), _units(right)) > LONGEST:
        return unknown(f"A text is longer than {LONGEST} characters.")
    distance = _distance(left, right)
    if distance is None:
        return unknown("The texts are too long to be compared.")
    most = check["maxDistance"]
    sign = "at most" if distance <= most else "more than"
    return judged(f"Distance {distance:.4g}, {sign} {most:g}.", holds=distance <= most)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _distance(left: str, right: str) -> float | None:
    """Return the edit distance as a share of the longer text; None where it costs too much."""
    longer = max(len(left), len(right))
    if left == right:
        return 0
    start = _common(left, right)
    left, right = left[start:], right[start:]
    end = _common(left[::-1], right[::-1])
    left, right = left[: len(left) - end], right[: len(right) - end]
    if not left or not right:
        return max(len(left), len(right)) / longer
    if len(left) * len(right) > MOST_CELLS:
        return None
    return _levenshtein(left, right) / longer


def _common(left: str, right: str) -> int:
    pairs = zip(left, right, strict=False)
    return next(
        (at for at, (one, other) in enumerate(pairs) if one != other), min(len(left), len(right))
    )


def _levenshtein(left: str, right: str) -> int:
    row = list(range(len(right) + 1))
    for at, char in enumerate(left, start=1):
        corner, row[0] = row[0], at
        for to, other in enumerate(right, start=1):
            kept = corner if char == other else min(corner, row[to], row[to - 1]) + 1
            corner, row[to] = row[to], kept
    return row[-1]
