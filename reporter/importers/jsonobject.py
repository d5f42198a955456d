"""Reads a JSON document member by member from a stream, and one of its arrays by elements."""

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final

from reporter.importers.jsontext import BrokenJsonError, finite
from reporter.importers.jsonvalue import swiftly
from reporter.models.value import value

MOST_VALUE: Final = 64 * 1024 * 1024
"""Characters of the largest value that is parsed at once (recording.md section 2: a session)."""

_STEP: Final = 1024 * 1024
_USUAL: Final = 256 * 1024
# A number, or a text that goes on behind the window, fails close to its end.
_CLOSE_TO_END: Final = 32
_SPACE: Final = re.compile(r"[ \t\n\r]*")
_INFINITY: Final = float("inf")


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if abs(number) != _INFINITY else None


# A number that no double holds, and what Python writes for none, was not known.
_DECODER: Final = json.JSONDecoder(parse_constant=lambda _: None, parse_float=_finite)


@value(frozen=True, slots=True)
class Member:
    """One value of a document."""

    key: str
    """Its key in the document's object; empty in a document that is an array."""
    index: int | None
    """Its place in the array, or None for a member that was read whole."""
    value: Any


@dataclass
class JsonMembers:
    """The members of a document, with memory for one of them.

    Args:
        stream: The document's bytes, from the first on.
        array: Key of the member whose elements are read one by one.
        most: Characters of the largest value that is parsed at once.
    """

    stream: BinaryIO
    array: str
    most: int = field(default_factory=lambda: MOST_VALUE)
    _decoder: codecs.IncrementalDecoder = field(
        default_factory=codecs.getincrementaldecoder("utf-8-sig")
    )
    _text: str = ""
    _at: int = 0
    _is_whole: bool = False
    _cut: str | None = None
    _lines: int = 0
    """Line breaks in what was let go of."""
    _column: int = 0
    """Characters behind the last of them."""

    def members(self) -> Iterator[Member]:
        """Yield the members in the order of the document.

        Raises:
            BrokenJsonError: The document is neither an object nor an array, or stops being
                JSON; what stands before that place was yielded.
            OSError: The stream cannot be read.
        """
        opening = self._next()
        if opening == "[":
            for index, element in enumerate(self._elements()):
                yield Member("", index, element)
        elif opening == "{":
            yield from self._members()
        else:
            raise self._broken("a JSON object or array was expected here", self._at)
        if self._next():
            raise self._broken("text stands behind the end of the JSON document", self._at)
        if self._cut:
            raise self._broken(self._cut, self._at)

    def _members(self) -> Iterator[Member]:
        self._at += 1
        if self._next() == "}":
            self._at += 1
            return
        while True:
            if self._next() != '"':
                raise self._broken("a key was expected here", self._at)
            key = self._value()
            self._take(":", "a colon was expected here")
            if key == self.array and self._next() == "[":
                for index, element in enumerate(self._elements()):
                    yield Member(key, index, element)
            else:
                yield Member(key, None, self._value())
            if self._take(",}", "a comma or the end of the object was expected here") == "}":
                return

    def _elements(self) -> Iterator[Any]:
        self._at += 1
        if self._next() == "]":
            self._at += 1
            return
        close = self._close()
        while True:
            self._next()
            yield self._swiftly(close) if close else self._value()
            if self._take(",]", "a comma or the end of the array was expected here") == "]":
                return

    def _take(self, marks: str, what: str) -> str:
        mark = self._next()
        if not mark or mark not in marks:
            raise self._broken(what, self._at)
        self._at += 1
        return mark

    def _next(self) -> str:
        """Return the next character that is no space, without taking it; empty at the end."""
        while True:
            found = _SPACE.match(self._text, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if self._is_whole:
                return ""
            self._fill(1)

    def _value(self) -> Any:  # noqa: ANN401  any JSON value
        self._next()
        want = _USUAL
        while True:
            self._fill(want)
            try:
                found, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if self._is_whole or not self._may_go_on(error):
                    what = f"the file stops being JSON here ({error.msg})"
                    raise self._broken(what, error.pos) from None
            except RecursionError:
                raise self._broken("the JSON is nested too deeply here", self._at) from None
            except ValueError as error:
                raise self._broken(f"a number cannot be read ({error})", self._at) from None
            else:
                if self._is_whole or end + _CLOSE_TO_END < len(self._text):
                    self._at = end
                    return found
            if want >= self.most:
                what = f"one value is larger than {self.most >> 20} MiB"
                raise self._broken(what, self._at)
            want *= 4

    def _close(self) -> str:
        """Return what ends an element that begins on a line of its own, else nothing.

        The line break is none of a text, where it would be escaped.
        """
        space = self._text[self._text.rfind("\n", 0, self._at) : self._at]
        is_object = self._text[self._at : self._at + 1] == "{"
        return f"{space}}}" if space.startswith("\n") and not space.strip() and is_object else ""

    def _swiftly(self, close: str) -> Any:  # noqa: ANN401  any JSON value
        """Parse what reaches to the mark: if it is JSON it is the value, which has one reading."""
        searched, want = self._at, _USUAL
        while (found := self._text.find(close, searched)) < 0:
            if self._is_whole or want >= self.most:
                return self._value()
            have = len(self._text) - self._at
            self._fill(want)
            searched = self._at + max(0, have - len(close))
            want *= 4
        end = found + len(close)
        try:
            element = finite(swiftly(self._text[self._at : end]))
        except ValueError:
            return self._value()
        self._at = end
        return element

    def _may_go_on(self, error: json.JSONDecodeError) -> bool:
        is_close = error.pos + _CLOSE_TO_END >= len(self._text)
        return is_close or error.msg.startswith("Unterminated string")

    def _fill(self, want: int) -> None:
        """Read on until so many characters are before us, or everything is."""
        if self._is_whole or len(self._text) - self._at >= want:
            return
        self._forget()
        pieces, have = [self._text], len(self._text)
        while have < want and not self._is_whole:
            data = self.stream.read(_STEP)
            self._is_whole = not data
            try:
                piece = self._decoder.decode(data, final=not data)
            except UnicodeDecodeError as error:
                piece = error.object[: error.start].decode()
                self._cut, self._is_whole = "the bytes here are no UTF-8", True
            pieces.append(piece)
            have += len(piece)
        self._text = "".join(pieces)

    def _forget(self) -> None:
        gone = self._text[: self._at]
        breaks = gone.count("\n")
        self._lines += breaks
        self._column = (0 if breaks else self._column) + len(gone) - (gone.rfind("\n") + 1)
        self._text, self._at = self._text[self._at :], 0

    def _broken(self, what: str, at: int) -> BrokenJsonError:
        before = self._text[:at]
        breaks = before.count("\n")
        column = (0 if breaks else self._column) + len(before) - (before.rfind("\n") + 1)
        place = f"line {self._lines + breaks + 1}, column {column + 1}"
        return BrokenJsonError(self._cut or what, place)
