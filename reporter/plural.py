"""A count with its unit, in the right number: the one place where prose chooses it."""


def plural(count: int, one: str, many: str | None = None) -> str:
    """Such as `1 session` and `2,400 sessions`.

    Args:
        count: How many.
        one: The unit in the singular; may carry words before it, such as `read session`.
        many: The plural, where an `s` at the end is not it.
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"
