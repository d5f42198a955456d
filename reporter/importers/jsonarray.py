"""Reads the elements of one JSON array from a stream, with memory for a few of them."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any, Final, Protocol

from reporter.importers.jsonvalue import DOCUMENT, swiftly
from reporter.models.value import value

AT_ONCE: Final = 65_536
"""Bytes of which all elements are parsed together: enough to be quick, and few to keep."""

MOST_ELEMENT: Final = 64 * 1024 * 1024
"""Bytes of the largest element that is read (recording.md section 2: of a session)."""

_STEP: Final = 1024 * 1024
_CUT: Final = "the bytes here are no UTF-8"
_SPACE: Final = re.compile(rb"[ \t\n\r]*")
_NEXT: Final = re.compile(rb'\}[ \t\n\r]*,[ \t\n\r]*\{[ \t\n\r]*"[^"\\]{0,200}"')
_GOES_ON: Final = re.compile(rb"[\x80-\xbf]")
_BOM: Final = b"\xef\xbb\xbf"
# A text that goes on behind the window fails close to its end, if not in a long string.
_CLOSE_TO_END: Final = 32
_OPEN_STRING: Final = "Unterminated string"


class Readable(Protocol):
    """What an array is read from."""

    def read(self, most: int, /) -> bytes:
        """Return the next bytes, at most so many; none at the end."""


@value(frozen=True, slots=True)
class Batch:
    """Neighbouring elements of an array, with where they stand."""

    values: list[Any]
    is_raw: bool
    """They were parsed swiftly: no half characters are in them, and a number that no double
    can hold is infinite."""
    start: int
    """Bytes before the first element."""
    end: int
    """Bytes up to the end of the last one."""


class ArrayBreakError(Exception):
    """An array that stops being one, with the bytes before the place where it does."""

    def __init__(self, what: str, at: int) -> None:
        self.what = what
        self.at = at
        super().__init__(f"byte {at}: {what}")


@dataclass(frozen=True, slots=True)
class Piece:
    """Some elements of an array that were cut out without reading what is before them."""

    start: int
    """Bytes before its first element."""
    end: int | None
    """Bytes up to where it ends, or None for the end of the file."""


@dataclass
class ArrayReader:
    """The elements of an array, in batches.

    Most elements are parsed many at a time. What looks like the border of two elements
    (the bytes between the first two come again) is one if everything up to it is a list
    of JSON values: JSON has no two readings. What cannot be parsed so is parsed with care,
    element by element.
    """

    stream: Readable
    """Stands at the first byte to read."""
    base: int = 0
    """Bytes of the file before that."""
    piece: Piece | None = None
    """What is read, or None for the whole array."""
    _data: bytes = b""
    _is_whole: bool = False
    """Whether nothing comes behind the window."""
    _mark: bytes = b""
    """What stood between two elements last: from the end of one to the first key of the next."""
    _damage: str | None = None
    """Why the bytes end before the file does, or None where they do not."""
    _careful_until: int = 0
    """Bytes up to which elements were tried together, and could not be parsed so."""
    _usual: int = AT_ONCE

    @property
    def mark(self) -> bytes:
        """What stands between two elements, as far as is known; empty where it is not."""
        return self._mark

    def batches(self) -> Iterator[Batch]:
        """Yield the elements in their order.

        Raises:
            ArrayBreakError: What is read is no array, or stops being JSON; the elements
                before that place were yielded.
        """
        at = self._first()
        is_first = True
        while True:
            at = self._skip(at)
            mark = self._byte(at)
            if mark == b"]" and self._closes:
                self._end(at + 1)
                return
            if not mark and not self._closes and not self._damage:
                return
            if not is_first:
                if mark != b",":
                    what = "a comma or the end of the array was expected here"
                    raise self._broken(what, self.base + at)
                at = self._skip(at + 1)
            at = self._forget(at)
            batch = self._several(at) or self._one(at)
            is_first = False
            at = batch.end - self.base
            yield batch

    @property
    def _closes(self) -> bool:
        return self.piece is None or self.piece.end is None

    def _first(self) -> int:
        if self.piece is not None and self.piece.start > 0:
            return 0
        self._fill(len(_BOM))
        at = self._skip(len(_BOM) if self._data.startswith(_BOM) else 0)
        if self._byte(at) != b"[":
            raise self._broken("a JSON array was expected here", self.base + at)
        return at + 1

    def _several(self, at: int) -> Batch | None:
        """Parse some elements together, or none where that cannot be done."""
        if self.base + at < self._careful_until:
            return None
        end = self._border(at)
        data = self._data[at:end]
        try:
            values = swiftly(b"[%b]" % data if end is not None else b"[" + data)
        except ValueError:
            self._careful_until = self.base + (len(self._data) if end is None else end)
            return None
        if end is None:
            end = len(self._data.rstrip(b" \t\n\r")) - 1
        return Batch(values, True, self.base + at, self.base + end) if values else None

    def _border(self, at: int) -> int | None:
        """Return where some elements end, or None where they are all that are left."""
        mark, want = self._mark, 2 * AT_ONCE
        if not mark:
            self._fill(at + want)
            if not self._is_whole or len(self._data) - at >= want:
                return at
            return None if self._closes else len(self._data)
        while True:
            self._fill(at + want)
            found = self._data.find(mark, at + AT_ONCE)
            if found < 0:
                found = self._data.rfind(mark, at)
            if found >= 0:
                return found + 1
            if self._is_whole:
                return None if self._closes else len(self._data)
            if want >= MOST_ELEMENT:
                return at
            want *= 4

    def _one(self, at: int) -> Batch:
        """Parse one element with care."""
        want = self._usual
        while True:
            self._fill(at + want)
            text, cut = self._text(at, at + want)
            is_whole = cut is not None or (self._is_whole and len(self._data) <= at + want)
            try:
                element, length = DOCUMENT.raw_decode(text)
            except json.JSONDecodeError as error:
                if is_whole or not _may_go_on(error, len(text)):
                    what = cut or f"the file stops being JSON here ({error.msg})"
                    raise self._broken(what, self._place(at, text, error.pos)) from None
            except RecursionError:
                what = "the JSON is nested too deeply here"
                raise self._broken(what, self.base + at) from None
            except ValueError as error:
                what = f"a number cannot be read ({error})"
                raise self._broken(what, self.base + at) from None
            else:
                # A number at the end of the window may go on behind it.
                if is_whole or length + _CLOSE_TO_END < len(text):
                    break
            if want >= MOST_ELEMENT:
                what = f"one element is larger than {MOST_ELEMENT >> 20} MiB"
                raise self._broken(what, self.base + at)
            want *= 4
        end = self._place(at, text, length)
        self._usual = max(256, 2 * (end - self.base - at))
        self._learn(end - self.base)
        return Batch([element], False, self.base + at, end)

    def _learn(self, end: int) -> None:
        self._fill(end + 512)
        found = _NEXT.match(self._data, end - 1)
        if found is not None:
            self._mark = found[0]

    def _place(self, at: int, text: str, length: int) -> int:
        """Return how many bytes of the file stand before a character of a text."""
        inside = length if text.isascii() else len(text[:length].encode())
        return self.base + at + inside

    def _broken(self, what: str, at: int) -> ArrayBreakError:
        """Return what is raised: where the bytes are damaged, nothing else is wrong."""
        return ArrayBreakError(self._damage or what, at)

    def _text(self, at: int, end: int) -> tuple[str, str | None]:
        """Return the text of a part of the window, and why it ends early where it does."""
        data = self._data[at:end]
        try:
            return data.decode(), None
        except UnicodeDecodeError as error:
            is_halved = error.reason == "unexpected end of data" and error.end == len(data)
            is_last = self._is_whole and end >= len(self._data)
            return data[: error.start].decode(), None if is_halved and not is_last else _CUT

    def _end(self, at: int) -> None:
        rest = self._skip(at)
        if self._byte(rest) or self._damage:
            what = "text stands behind the end of the JSON document"
            _, cut = self._text(rest, len(self._data))
            raise self._broken(cut or what, self.base + rest)

    def _skip(self, at: int) -> int:
        """Return the place of the next byte that is no space."""
        while True:
            found = _SPACE.match(self._data, at)
            at = found.end() if found else at
            if at < len(self._data) or self._is_whole:
                return at
            at = self._forget(at)
            self._fill(at + 1)

    def _byte(self, at: int) -> bytes:
        return self._data[at : at + 1]

    def _forget(self, at: int) -> int:
        """Let go of what was read, where that is worth it; return the place as it is then."""
        if at < _STEP // 2:
            return at
        self._data = self._data[at:]
        self.base += at
        return 0

    def _fill(self, want: int) -> None:
        """Read on until the window holds so many bytes, or everything."""
        if self._is_whole or len(self._data) >= want:
            return
        pieces = [self._data]
        have = len(self._data)
        try:
            while have < want and not self._is_whole:
                piece = self.stream.read(max(_STEP, want - have))
                pieces.append(piece)
                have += len(piece)
                self._is_whole = not piece
        except OSError as error:
            if not self.base and not have:
                raise
            self._is_whole = True
            self._damage = error.strerror or "the file cannot be read from here on"
        self._data = b"".join(pieces)


def _may_go_on(error: json.JSONDecodeError, length: int) -> bool:
    """Tell whether a text may only have broken off where the window ends."""
    return error.pos + _CLOSE_TO_END >= length or error.msg.startswith(_OPEN_STRING)


def place_in(stream: Readable, at: int) -> str:
    """Return the line and column that so many bytes of a file stand before.

    Args:
        stream: The file's bytes, from the first on.
        at: A number of bytes; what is no UTF-8 before them counts as no column.
    """
    line, column, left = 1, 0, at
    while left > 0 and (piece := stream.read(min(_STEP, left))):
        is_first = left == at
        left -= len(piece)
        if is_first:
            piece = piece.removeprefix(_BOM)
        breaks = piece.count(b"\n")
        if breaks:
            line += breaks
            column = 0
            piece = piece[piece.rfind(b"\n") + 1 :]
        # Every character has one byte that does not go on with another.
        column += len(piece) - (0 if piece.isascii() else len(_GOES_ON.findall(piece)))
    return f"line {line}, column {column + 1}"


def borders(stream: IO[bytes], size: int, step: int) -> list[Piece]:
    """Cut a large array into pieces, by what looks like the border of two elements.

    What looks so may be none: then a piece does not parse up to its end, and what follows
    must be read from its beginning.

    Args:
        stream: The file's bytes; it can seek and stands at the first.
        size: Bytes of the file.
        step: Bytes of a piece, at least.

    Returns:
        The pieces in their order, which hold all elements; one that is the whole file where
        no border is seen.
    """
    ends: list[int | None] = []
    starts = [0]
    mark = _first_mark(stream)
    for wanted in range(step, size - step // 2, step) if mark else ():
        stream.seek(wanted)
        found = wanted + stream.read(_STEP).find(mark)
        # The same border may be the next one of two places.
        if found >= wanted and found > starts[-1]:
            ends.append(found + 1)
            starts.append(found + mark.index(b"{", 1))
    return [Piece(start, end) for start, end in zip(starts, [*ends, None], strict=True)]


def _first_mark(stream: Readable) -> bytes:
    reader = ArrayReader(stream, _careful_until=MOST_ELEMENT)
    try:
        next(reader.batches(), None)
    except ArrayBreakError:
        return b""
    return reader.mark


def part_of(stream: IO[bytes], piece: Piece) -> Readable:
    """Return a stream of a piece's bytes alone."""
    stream.seek(piece.start)
    return stream if piece.end is None else _Part(stream, piece.end - piece.start)


class _Part:
    """So many bytes of a stream from where it stands."""

    def __init__(self, stream: Readable, size: int) -> None:
        self._stream = stream
        self._left = size

    def read(self, most: int) -> bytes:
        """Return the next bytes; none at the end."""
        data = self._stream.read(min(most, self._left))
        self._left -= len(data)
        return data
