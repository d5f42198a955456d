"""What each session is called on the page: its id, or a short name where ids are long."""

from collections.abc import Iterable, Mapping
from typing import Final

from reporter.view.text import one_line

LONGEST: Final = 26
"""Characters of an id that is still read at a glance."""


def session_names(session_ids: Iterable[str]) -> Mapping[str, str]:
    """Name sessions: by their ids where those are short, else by their place in the wave.

    What all ids have in common at their ends is left out where the rest still tells them
    apart and begins and ends with a letter or a digit; else a session is called by its number, such
    as `s07`. The id itself always stands at the session, whole.
    """
    ids = list(dict.fromkeys(session_ids))
    if all(len(one) <= LONGEST for one in ids):
        return {one: one for one in ids}
    start = _common(ids)
    end = _common([one[::-1] for one in ids])
    short = [one[start : len(one) - end] for one in ids]
    readable = all(
        part and len(part) <= LONGEST and part[0].isalnum() and part[-1].isalnum() for part in short
    )
    if readable and len(set(short)) == len(ids) > 1:
        return dict(zip(ids, short, strict=True))
    width = len(str(len(ids)))
    return {one: f"s{number:0{width}d}" for number, one in enumerate(ids, start=1)}


def shown_id(session_id: str) -> str:
    """Return a session's id as it is printed whole."""
    return one_line(session_id, 220)


def _common(texts: list[str]) -> int:
    """Count the characters that all texts begin with."""
    low, high = min(texts), max(texts)
    return next((at for at, char in enumerate(low) if high[at : at + 1] != char), len(low))
