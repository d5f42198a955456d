"""Numbers, texts and values as a check's author means them."""

from typing import Any, TypeGuard

from reporter.canonical import canonical_json


def is_number(value: object) -> TypeGuard[int | float]:
    """Tell whether a value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_whole(value: object) -> TypeGuard[int | float]:
    """Tell whether a value is a whole number; `2.0` is one."""
    return is_number(value) and value == value // 1


def is_positive(value: object) -> TypeGuard[int | float]:
    """Tell whether a value is a whole number from 1 up."""
    return is_whole(value) and value >= 1


def is_name(value: object) -> TypeGuard[str]:
    """Tell whether a value is a text that is not empty."""
    return isinstance(value, str) and value != ""


def equal(left: Any, right: Any) -> bool:  # noqa: ANN401  any JSON values
    """Tell whether two JSON values are deeply equal: 1 equals 1.0, true equals no number.

    What has no canonical form equals nothing.

    Rule: checks.md section 2.5.
    """
    try:
        return canonical_json(left) == canonical_json(right)
    except ValueError:
        return False


def plain(number: float) -> str:
    """Write a number without a needless fraction."""
    return f"{int(number)}" if number == number // 1 else f"{number:g}"
