"""How near the final message comes to a reference.

Rule: checks.md section 6.5.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from reporter.checks.evidence import Evidence
from reporter.checks.numbers import is_number
from reporter.checks.outcome import Outcome, judged, unknown
from reporter.checks.text import SPACE, trimmed

LONGEST: Final = 100_000
"""Code units of either text."""
MOST_CELLS: Final = 4_000_000
"""Comparisons that are made at most."""

_SPACE: Final = re.compile(f"[{SPACE}]+")


def normalized(text: str, check: Mapping[str, Any]) -> str:
    """Return a text as it is compared."""
    folded = text if check.get("caseSensitive") is True else text.lower()
    if check.get("normalizeWhitespace") is True:
        return trimmed(_SPACE.sub(" ", folded))
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
    """Return the edit distance, a whole column of the table at a time.

    The column is kept as two numbers: where it grows by one from cell to cell, and where it
    shrinks. That takes a thousandth of the time of filling the table.
    """
    places: dict[str, int] = {}
    for at, char in enumerate(left):
        places[char] = places.get(char, 0) | 1 << at
    whole, last = (1 << len(left)) - 1, 1 << (len(left) - 1)
    grows, shrinks, distance = whole, 0, len(left)
    for char in right:
        equal = places.get(char, 0)
        crossed = (((equal & grows) + grows) ^ grows) | equal | shrinks
        up = shrinks | ~(crossed | grows) & whole
        down = grows & crossed
        distance += (up & last != 0) - (down & last != 0)
        up = (up << 1 | 1) & whole
        down = down << 1 & whole
        grows = down | ~(crossed | up) & whole
        shrinks = up & crossed
    return distance
