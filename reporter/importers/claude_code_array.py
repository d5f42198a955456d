"""Reads the messages of a Claude Code stream that were written as one JSON array."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from reporter.errors import Problem
from reporter.importers.jsonarray import ArrayBreakError, ArrayReader, place_in
from reporter.importers.jsontext import BrokenJsonError
from reporter.importers.losses import Losses, lost_rest
from reporter.importers.outline import Outline
from reporter.importers.sound import sound_object
from reporter.importers.source import SourceEntry, digest_of
from reporter.models.manifest import Lost, SourceFile

_NO_OBJECT: Final = "elements that are no JSON objects"


def is_message_array(outline: Outline) -> bool:
    """Tell whether the first element of an array is a message of a stream."""
    if outline.kind != "array" or not outline.has("[].type", "[].session_id"):
        return False
    if outline.has("[].parentUuid") or outline.has("[].seq"):
        return False
    return outline.has("[].subtype") or outline.has("[].message", "[].parent_tool_use_id")


@dataclass(slots=True)
class MessageArray:
    """One file on its way in, as `JsonLines` is for one message a line."""

    entry: SourceEntry
    file: SourceFile | None = None
    """Name, digest and size; None before the file was read."""
    _odd: Losses | None = None
    _broken: ArrayBreakError | None = None

    def objects(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield every message with its index, from zero on, as far as the array is sound.

        Raises:
            OSError: The file cannot be read.
        """
        self.file = digest_of(self.entry)
        self._odd = Losses(self.entry.name)
        number = -1
        with self.entry.open() as stream:
            try:
                for batch in ArrayReader(stream).batches():
                    for one in batch.values:
                        number += 1
                        found = sound_object(one) if not batch.is_raw else one
                        if isinstance(found, dict):
                            yield number, found
                        else:
                            self._odd.add("unreadable", f"[{number}]", _NO_OBJECT)
            except ArrayBreakError as error:
                self._broken = error

    def problems(self) -> Iterator[Problem | Lost]:
        """Yield what is wrong with the file, once it was read."""
        if self._odd is not None:
            yield from self._odd.lost()
        if self._broken is not None:
            with self.entry.open() as stream:
                where = place_in(stream, self._broken.at)
            yield from lost_rest(self.entry.name, BrokenJsonError(self._broken.what, where))
