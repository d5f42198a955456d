"""Reads a foreign JSON file: element by element, and up to the place where it breaks."""

import codecs
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from reporter.importers.sound import DEEPEST, sound_object
from reporter.importers.source import SourceEntry
from reporter.models.manifest import SourceFile

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_INFINITY: Final = float("inf")


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if abs(number) != _INFINITY else None


# Python writes NaN and Infinity into what it calls JSON; such a number was not known.
_DOCUMENT: Final = json.JSONDecoder(parse_constant=lambda _: None, parse_float=_finite)


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON number")


def _strictly_finite(digits: str) -> float:
    number = float(digits)
    if abs(number) == _INFINITY:
        _refuse(digits)
    return number


_ARGUMENTS: Final = json.JSONDecoder(parse_constant=_refuse, parse_float=_strictly_finite)


def parse_arguments(text: str) -> dict[str, Any] | None:
    """Parse the arguments of a tool call that were recorded as text.

    Returns:
        The arguments, or None where the text is no JSON object or nests too deeply.
    """
    try:
        value = _ARGUMENTS.decode(text)
    except (ValueError, RecursionError):
        return None
    # A level takes two characters, and only an escape makes half a character.
    if len(text) <= 2 * DEEPEST and text.isascii() and "\\u" not in text:
        return value if isinstance(value, dict) else None
    return sound_object(value)


class BrokenJsonError(Exception):
    """A document that stops being JSON, with the place where it does."""

    def __init__(self, what: str, place: str) -> None:
        self.what = what
        self.place = place
        super().__init__(f"{place}: {what}")


@dataclass(frozen=True, slots=True)
class JsonText:
    """The whole text of one source file."""

    file: SourceFile
    text: str
    cut: str | None = None
    """Why the text ends before the file does, or None where it does not."""

    def elements(self) -> Iterator[Any]:
        """Yield the elements of the document's array, one at a time.

        Raises:
            BrokenJsonError: The document is no array or stops being JSON; the elements
                before that place were yielded.
        """
        text, at = self.text, self._skip(0)
        if text[at : at + 1] != "[":
            raise self._broken("a JSON array was expected here", at)
        at = self._skip(at + 1)
        if text[at : at + 1] != "]":
            while True:
                value, at = self._value(at)
                yield value
                at = self._skip(at)
                mark = text[at : at + 1]
                if mark == "]":
                    break
                if mark != ",":
                    raise self._broken("a comma or the end of the array was expected here", at)
                at = self._skip(at + 1)
        self._end(at + 1)

    def value(self) -> Any:  # noqa: ANN401  any JSON value
        """Return the document.

        Raises:
            BrokenJsonError: The text is not JSON.
        """
        value, at = self._value(self._skip(0))
        self._end(at)
        return value

    def _skip(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        return found.end() if found else at

    def _value(self, at: int) -> tuple[Any, int]:
        try:
            return _DOCUMENT.raw_decode(self.text, at)
        except json.JSONDecodeError as error:
            raise self._broken(f"the file stops being JSON here ({error.msg})", error.pos) from None
        except RecursionError:
            raise self._broken("the JSON is nested too deeply here", at) from None
        except ValueError as error:
            raise self._broken(f"a number cannot be read ({error})", at) from None

    def _end(self, at: int) -> None:
        rest = self._skip(at)
        if rest < len(self.text) or self.cut:
            raise self._broken("text stands behind the end of the JSON document", rest)

    def _broken(self, what: str, at: int) -> BrokenJsonError:
        line = self.text.count("\n", 0, at) + 1
        column = at - (self.text.rfind("\n", 0, at) + 1) + 1
        return BrokenJsonError(self.cut or what, f"line {line}, column {column}")


def read_json_text(entry: SourceEntry) -> JsonText:
    """Read a file whole, with its digest.

    Bytes that are no UTF-8 end the text; `cut` then says so.

    Raises:
        OSError: The file cannot be read.
    """
    data = entry.read()
    file = SourceFile(name=entry.name, sha256=hashlib.sha256(data).hexdigest(), bytes=len(data))
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return JsonText(file, data.decode())
    except UnicodeDecodeError as error:
        return JsonText(file, data[: error.start].decode(), cut="the bytes here are no UTF-8")
