"""Reads a file of one JSON object a line, line by line, past lines that cannot be read."""

import codecs
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final

from pydantic_core import from_json

from reporter.errors import Problem
from reporter.importers.losses import FILE_BROKEN
from reporter.importers.sound import sound_object
from reporter.importers.source import SourceEntry
from reporter.models.manifest import Lost, SourceFile

MOST_LINE: Final = 64 * 1024 * 1024
"""Bytes of the longest line that is read: a picture in line may make one very long."""

MOST_FILE: Final = 1024 * 1024 * 1024
"""Bytes of a file that are read; what lies beyond is left out, and that is said."""

LINE_BROKEN: Final = "unreadable-line"
"""The rule of the problem that says that one line cannot be read."""

_SHOWN: Final = 20
_INFINITY: Final = float("inf")


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if abs(number) != _INFINITY else None


_CAREFUL: Final = json.JSONDecoder(parse_constant=lambda _: None, parse_float=_finite)


def parse_line(line: bytes) -> dict[str, Any] | None:
    """Parse one line.

    Returns:
        The object, or None where the line is no JSON object or nests too deeply. A number
        that no double can hold may be infinite.
    """
    value: object
    try:
        value = from_json(line, allow_inf_nan=False, cache_strings="keys")
    except ValueError:
        try:
            # Half a character, a constant that JSON does not know: rare, and no reason to
            # lose a line.
            value = sound_object(_CAREFUL.decode(line.decode()))
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None


def first_objects(head: bytes, most: int = 50) -> list[dict[str, Any]]:
    """Return the objects of the whole lines in the first bytes of a file.

    Args:
        head: The first bytes; the last line may be cut off and is then not among them.
        most: Lines looked at.
    """
    lines = head.removeprefix(codecs.BOM_UTF8).split(b"\n", most)[:most]
    return [found for line in lines if line.strip() and (found := parse_line(line)) is not None]


@dataclass(slots=True)
class JsonLines:
    """One file on its way in; what is said of it is complete once its lines were read."""

    entry: SourceEntry
    file: SourceFile | None = None
    """Name, digest and size; None before the file was read."""
    unreadable: int = 0
    """Lines in the middle of the file that could not be read."""
    is_cut: bool = False
    """The file ends inside of a line, as it does while its writer is still writing."""
    is_too_large: bool = False
    lines: int = 0
    """Lines that hold anything."""
    _first_unreadable: list[int] = field(default_factory=list)
    _cut_line: int = 0

    @property
    def is_damaged(self) -> bool:
        """Something in the file that was written once is not in what was read."""
        return self.unreadable > 0 or self.is_too_large

    def objects(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield every object with the number of its line, from one on.

        Raises:
            OSError: The file cannot be read.
        """
        digest, size, number = hashlib.sha256(), 0, 0
        with self.entry.open() as stream:
            while line := stream.readline(MOST_LINE):
                number += 1
                digest.update(line)
                size += len(line)
                is_whole = line.endswith(b"\n")
                if not is_whole and len(line) == MOST_LINE:
                    rest = _skip_line(stream, digest)
                    size += rest
                    self._lose(number)
                    continue
                if size > MOST_FILE:
                    self.is_too_large = True
                    size += _skip_file(stream, digest)
                    break
                if number == 1:
                    line = line.removeprefix(codecs.BOM_UTF8)
                if line.isspace():
                    continue
                self.lines += 1
                found = parse_line(line)
                if found is not None:
                    yield number, found
                elif is_whole:
                    self._lose(number)
                else:
                    self.is_cut, self._cut_line = True, number
        self.file = SourceFile(name=self.entry.name, sha256=digest.hexdigest(), bytes=size)

    def problems(self) -> Iterator[Problem | Lost]:
        """Yield what is wrong with the file, once it was read."""
        name = self.entry.name
        if self.unreadable:
            shown = ", ".join(map(str, self._first_unreadable))
            more = ", …" if self.unreadable > len(self._first_unreadable) else ""
            yield Problem(
                file=name,
                place=f"line {shown}{more}",
                what=f"{self.unreadable} lines are no JSON objects and were not read."
                if self.unreadable > 1
                else "The line is no JSON object and was not read.",
                remedy="Copy the file again; the other lines are read.",
                rule=LINE_BROKEN,
            )
            yield Lost(
                place=f"{name}: line {shown}{more}",
                reason="lines that are no JSON objects",
                kind="unreadable",
                count=self.unreadable,
            )
        if self.is_cut:
            yield Problem(
                file=name,
                place=f"line {self._cut_line}",
                what="The file ends inside this line: it was still being written, or cut off.",
                remedy="The lines before it are read; copy the file again once it is complete.",
                rule=FILE_BROKEN,
                severity="note",
            )
            yield Lost(
                place=f"{name}: line {self._cut_line}",
                reason="the last line, of which only the beginning is there",
                kind="unreadable",
            )
        if self.is_too_large:
            yield Problem(
                file=name,
                place="",
                what=f"Only its first {MOST_FILE >> 20} MiB were read.",
                remedy="Take out what does not belong to the sessions.",
                rule=FILE_BROKEN,
            )
            yield Lost(
                place=name,
                reason=f"what lies beyond {MOST_FILE >> 20} MiB",
                kind="unreadable",
            )

    def _lose(self, number: int) -> None:
        self.unreadable += 1
        if len(self._first_unreadable) < _SHOWN:
            self._first_unreadable.append(number)


def _skip_line(stream: BinaryIO, digest: "hashlib._Hash") -> int:
    size = 0
    while piece := stream.readline(MOST_LINE):
        digest.update(piece)
        size += len(piece)
        if piece.endswith(b"\n"):
            break
    return size


def _skip_file(stream: BinaryIO, digest: "hashlib._Hash") -> int:
    size = 0
    while piece := stream.read(1 << 20):
        digest.update(piece)
        size += len(piece)
    return size
