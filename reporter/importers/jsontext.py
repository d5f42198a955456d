"""Reads a foreign JSON file: element by element, and up to the place where it breaks."""

import codecs
import hashlib
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from reporter.importers.jsonarray import ArrayBreakError, ArrayReader
from reporter.importers.jsonvalue import DOCUMENT, swiftly
from reporter.importers.sound import DEEPEST, sound_object
from reporter.importers.source import SourceEntry
from reporter.models.manifest import SourceFile

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_INFINITY: Final = float("inf")


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
        value = swiftly(text)
    except ValueError:
        return _parse_carefully(text)
    if isinstance(value, dict) and (
        _PLAIN.issuperset(map(type, value.values())) or _is_kept_as_is(value, DEEPEST)
    ):
        return value
    return _parse_carefully(text)


_PLAIN: Final = frozenset({str, int, bool, type(None)})
"""Kinds of JSON values that are always finite and hold nothing."""


def _parse_carefully(text: str) -> dict[str, Any] | None:
    try:
        value = _ARGUMENTS.decode(text)
    except (ValueError, RecursionError):
        return None
    return sound_object(value)


def _is_kept_as_is(value: Any, levels: int) -> bool:  # noqa: ANN401  any JSON value
    """Tell whether a parsed value is finite and does not nest too deeply."""
    if isinstance(value, float):
        return abs(value) != _INFINITY
    if not isinstance(value, dict | list):
        return True
    items = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(
        _is_kept_as_is(item, levels - 1) for item in items if type(item) not in _PLAIN
    )


def finite(value: Any) -> Any:  # noqa: ANN401  any JSON value
    """Return a parsed value with None in the place of every infinite number.

    Objects and lists are changed in place.
    """
    if isinstance(value, float):
        return value if abs(value) != _INFINITY else None
    if isinstance(value, dict):
        for key, item in value.items():
            if type(item) not in _PLAIN:
                value[key] = finite(item)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if type(item) not in _PLAIN:
                value[index] = finite(item)
    return value


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
        for element, is_raw in self.raw_elements():
            yield finite(element) if is_raw else element

    def raw_elements(self) -> Iterator[tuple[Any, bool]]:
        """Yield the elements of the document's array, each with whether it is raw.

        A raw one was parsed swiftly: it holds no half characters, and a number in it that
        no double can hold is infinite, where `elements` gives None.

        Raises:
            BrokenJsonError: As `elements`.
        """
        reader = ArrayReader(io.BytesIO(self.text.encode()))
        try:
            for batch in reader.batches():
                for element in batch.values:
                    yield element, batch.is_raw
        except ArrayBreakError as error:
            at = len(self.text.encode()[: error.at].decode())
            raise self._broken(error.what, at) from None
        if self.cut:
            raise self._broken(self.cut, len(self.text))

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
            return DOCUMENT.raw_decode(self.text, at)
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
