"""Single values of an MCPJam export, taken for what they are or not at all."""

from collections.abc import Mapping, Sequence
from typing import Any

from reporter.importers.sound import sound_object, sound_text


def text(said: object) -> str | None:
    """Return a text that says something, or None."""
    return sound_text(said) if isinstance(said, str) and said.strip() else None


def whole(said: object, least: int = 0, most: int | None = None) -> int | None:
    """Return a whole number within bounds, or None."""
    if isinstance(said, bool) or not isinstance(said, int):
        return None
    return said if said >= least and (most is None or said <= most) else None


def moment(said: object) -> int | None:
    """Return epoch milliseconds, fractions cut off, or None.

    Rule: import-mcpjam.md section 4.
    """
    if isinstance(said, bool) or not isinstance(said, int | float):
        return None
    return int(said) if 0 < said < 1e15 else None  # noqa: PLR2004  the year 33658


def mapping(said: object) -> Mapping[str, Any]:
    """Return an object, or an empty one."""
    return said if isinstance(said, Mapping) else {}


def rows(said: object) -> Sequence[Mapping[str, Any]]:
    """Return the objects of a list, or nothing."""
    return [one for one in said if isinstance(one, Mapping)] if isinstance(said, list) else []


def kept(said: object) -> Any:  # noqa: ANN401  any JSON value
    """Return a value fit to be written down; None for one that nests too deeply."""
    copy = sound_object({"value": said})
    return None if copy is None else copy["value"]
