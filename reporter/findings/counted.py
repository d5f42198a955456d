"""Counts in words: always with a unit, always with a denominator."""

from collections.abc import Sequence
from typing import Final

from reporter.plural import plural

NOT_MEASURED: Final = "not measured"


def units(count: int, one: str, many: str = "") -> str:
    """Return a count with its unit in the right number, such as `1 session`."""
    return plural(count, one, many or None)


def count_of(count: int, total: int, one: str = "session", many: str = "") -> str:
    """Return `2 of 5 sessions`; a denominator of zero is not measured.

    Rule: findings.md section 7, reader rules.
    """
    return f"{count:,} of {units(total, one, many)}" if total else NOT_MEASURED


def listed(items: Sequence[str]) -> str:
    """Return `A`, `A and B`, or `A, B and C`."""
    if len(items) < 2:  # noqa: PLR2004  one item, or none, needs no word between
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"
