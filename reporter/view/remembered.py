"""What was made of texts lately, for sessions that say the same again."""

from collections.abc import Callable
from typing import Final, Generic, TypeVar

Made = TypeVar("Made")

_PARTS: Final = 8
"""A text that takes more than this part of the room is not kept: it would push out many."""
_ENTRY: Final = 200
"""Characters that would fill what an entry takes beside its own."""


class Remembered(Generic[Made]):
    """Makes something of a text and its bound, and keeps what was made, within a size.

    Whoever tries a goal again is told much of the same in the same words, and is given the
    same answers. What was used since half of the room was filled stays, the rest goes.
    """

    def __init__(
        self, make: Callable[[str, int], Made], room: int, size: Callable[[Made], int]
    ) -> None:
        """Keep nothing yet.

        Args:
            make: What is made of a text and a bound; the same for the same.
            room: Characters that are kept at most, of texts and of what was made of them.
            size: Characters that something made holds.
        """
        self._make = make
        self._half = room // 2
        self._size = size
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self._new: dict[tuple[str, int], Made] = {}
        self._old: dict[tuple[str, int], Made] = {}
        self._left = self._half

    def __call__(self, text: str, bound: int = 0) -> Made:
        """Return what is made of a text and a bound."""
        key = (text, bound)
        made = self._new.get(key)
        if made is not None:
            return made
        made = self._old.get(key)
        if made is None:
            made = self._make(text, bound)
        taken = _ENTRY + len(text) + self._size(made)
        if taken > self._half // _PARTS:
            return made
        if taken > self._left:
            self._old, self._new, self._left = self._new, {}, self._half
        self._new[key] = made
        self._left -= taken
        return made
