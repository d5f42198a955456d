"""Texts that begin alike: where each first says something that no other says."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

ALIKE: Final = 24
"""Characters that two texts have in common at their beginning before they begin alike."""


def differs_from(texts: Mapping[str, str]) -> Mapping[str, int]:
    """Return for each text the place of the word with which it first differs from all others.

    A text has no place that begins like no other, and none that says nothing of its own: one
    that is there twice, or that another one goes on from.
    """
    order = sorted(texts, key=lambda key: (texts[key], key))
    shared = dict.fromkeys(order, 0)
    # Of sorted texts, none has more in common with a text than the one before it or behind it.
    for one, following in pairwise(order):
        common = _common(texts[one], texts[following])
        shared[one] = max(shared[one], common)
        shared[following] = max(shared[following], common)
    return {
        key: texts[key].rfind(" ", 0, common) + 1
        for key, common in shared.items()
        if ALIKE <= common < len(texts[key])
    }


def _common(one: str, other: str) -> int:
    """Count the characters that two texts begin with, in few comparisons of whole parts."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
