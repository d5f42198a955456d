"""Reads spans out of the files that hold traces: OTLP, Jaeger and Tempo JSON, console output.

A file of modest size is parsed document by document, which is quick. A larger one, and what
is left of one that breaks off, is read event by event: then only one span is in memory at a
time, and every span before the break is still used.
"""

import codecs
import errno
import hashlib
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Final

import ijson  # type: ignore[import-untyped]
from pydantic_core import from_json

from reporter.errors import Problem
from reporter.importers.losses import FILE_BROKEN, left_out
from reporter.importers.otel.blocks import Block, Container, JaegerTrace, block_of
from reporter.importers.otel.values import LogValue, SpanValue
from reporter.importers.source import SourceEntry
from reporter.models.manifest import Lost, SourceFile

MOST_AT_ONCE: Final = 32 * 1024 * 1024
"""Bytes of a document that is parsed in one go; it takes some ten times as many in memory."""

_STEP: Final = 1024 * 1024
_MOST_BROKEN: Final = 20
"""Broken lines of a file that are told one by one."""
_DECODER: Final = json.JSONDecoder(parse_constant=lambda _: None)
_SPACE: Final = b" \t\r\n"
_WORD: Final = re.compile(r"[^ \t\r\n]")

Read = SourceFile | SpanValue | LogValue | Lost | Problem


def read_spans(entry: SourceEntry, unknown: Counter[str]) -> Iterator[Read]:
    """Read a file: its spans and log records, what is wrong with it, and last its digest.

    A file that cannot be read, or not to its end, is a problem: others go on.

    Args:
        entry: The file.
        unknown: Counts what stands in it and is of no known kind.
    """
    try:
        with entry.open() as stream:
            digested = _Digested(stream)
            yield from _File(entry.name, io.BufferedReader(digested, _STEP), unknown).items()
            yield digested.file(entry.name)
    except OSError as error:
        reason = error.strerror or "unknown reason"
        yield Problem(
            file=entry.name,
            place="",
            what=f"The file cannot be read: {reason}.",
            remedy="See to its permissions, or take it out of the source."
            if error.errno in (errno.EACCES, errno.EPERM)
            else "Get a sound copy of it, or take it out of the source.",
            rule="source-unreadable",
        )
        yield left_out(entry.name, "", f"cannot be read: {reason}", "unreadable")


class _Digested(io.RawIOBase):
    """A stream that keeps count of what is read from it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._digest = hashlib.sha256()
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:  # noqa: ANN401  any buffer
        data = self._stream.read(len(into))
        into[: len(data)] = data
        self._digest.update(data)
        self._size += len(data)
        return len(data)

    def file(self, name: str) -> SourceFile:
        """Return what the manifest says of the file, once everything was read."""
        while data := self._stream.read(_STEP):
            self._digest.update(data)
            self._size += len(data)
        return SourceFile(name=name, sha256=self._digest.hexdigest(), bytes=self._size)


class _File:
    """One file on its way in."""

    def __init__(self, name: str, stream: io.BufferedReader, unknown: Counter[str]) -> None:
        self._name = name
        self._stream = stream
        self._unknown = unknown
        self._container = Container(unknown)
        self._broken = 0

    def items(self) -> Iterator[Read]:
        first = self._stream.readline(MOST_AT_ONCE).removeprefix(codecs.BOM_UTF8)
        second = self._stream.readline(MOST_AT_ONCE) if first.endswith(b"\n") else b""
        # Where the first line alone is broken, the second shows that there are lines.
        if second.strip(_SPACE) and (_is_whole(first) or _is_whole(second)):
            yield from self._lines(first, second)
            return
        data = first + second
        data += self._stream.read(max(0, MOST_AT_ONCE - len(data)))
        if len(data) < MOST_AT_ONCE:
            yield from self._document(data, 0)
        else:
            yield from self._events(_Chained(data, self._stream), 0)

    def _lines(self, *first: bytes) -> Iterator[Read]:
        ahead = list(reversed(first))
        number = 0
        while line := ahead.pop() if ahead else self._stream.readline(MOST_AT_ONCE):
            number += 1
            if len(line) >= MOST_AT_ONCE and not line.endswith(b"\n"):
                yield from self._break(number, f"longer than {MOST_AT_ONCE >> 20} MiB")
                while line and not line.endswith(b"\n"):
                    line = self._stream.readline(_STEP)
            elif line.strip(_SPACE):
                yield from self._document(line, number)
        if self._broken > _MOST_BROKEN:
            yield left_out(
                self._name,
                "more lines",
                f"{self._broken - _MOST_BROKEN} more lines are no whole JSON",
                "unreadable",
            )

    def _document(self, data: bytes, line: int) -> Iterator[Read]:
        if len(data) <= MOST_AT_ONCE:
            try:
                values, rest = [_parsed(data)], b""
            except ValueError:
                # Not one whole document: perhaps several, perhaps one that breaks off.
                values, rest = _several(data)
            for value in values:
                yield from self._container.items(value)
            data = rest
        if data.strip(_SPACE):
            yield from self._events(io.BytesIO(data), line)

    def _events(self, stream: "io.BytesIO | _Chained", line: int) -> Iterator[Read]:
        reading = _Events(self._unknown)
        try:
            yield from reading.items(stream)
        except (ijson.JSONError, ValueError, RecursionError) as error:
            yield from reading.rest()
            words = " ".join(str(error).split(":", 1)[0].split())[:100]
            yield from self._break(line, f"it stops being JSON ({words or 'no JSON'})")

    def _break(self, line: int, what: str) -> Iterator[Read]:
        self._broken += 1
        if self._broken > _MOST_BROKEN:
            return
        where = "The line" if line else "The file"
        yield Problem(
            file=self._name,
            place=f"line {line}" if line else "",
            what=f"{where} cannot be read to its end: {what}; spans before that are used.",
            remedy="Export or download the file again.",
            rule=FILE_BROKEN,
        )
        yield left_out(
            self._name,
            f"line {line}" if line else "",
            f"was not read to its end: {what}; spans before that are used",
            "unreadable",
        )


class _Chained:
    """Bytes that were read already, and the stream behind them."""

    def __init__(self, data: bytes, stream: io.BufferedReader) -> None:
        self._data = io.BytesIO(data)
        self._stream = stream

    def read(self, most: int = -1) -> bytes:
        return self._data.read(most) or self._stream.read(most)


def _is_whole(data: bytes) -> bool:
    try:
        return isinstance(_parsed(data), dict)
    except ValueError:
        return False


def _parsed(data: bytes) -> Any:  # noqa: ANN401  any JSON value
    """Parse one document.

    Raises:
        ValueError: The bytes are not exactly one JSON document, or nest too deeply.
    """
    try:
        return from_json(data, allow_inf_nan=False, cache_strings="keys")
    except ValueError:
        pass
    try:
        return _DECODER.decode(data.decode())
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _several(data: bytes) -> tuple[list[Any], bytes]:
    """Parse documents that follow each other, up to one that is not whole.

    Returns:
        The whole ones and the bytes behind them.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return [], data
    values: list[Any] = []
    at = 0
    try:
        while (found := _WORD.search(text, at)) is not None:
            at = found.start()
            value, at = _DECODER.raw_decode(text, at)
            values.append(value)
    except (ValueError, RecursionError):
        pass
    return values, text[at:].encode()


class _Events:
    """Spans out of a stream of JSON events, whatever the depth at which they stand."""

    def __init__(self, unknown: Counter[str]) -> None:
        self._unknown = unknown
        self._block = Block()
        self._trace: JaegerTrace | None = None

    def items(self, stream: "io.BytesIO | _Chained") -> Iterator[SpanValue | LogValue]:
        """Yield spans and log records.

        Raises:
            ijson.JSONError: The bytes stop being JSON; what came before was yielded.
        """
        builder: Any = None
        depth = 0
        place = ""
        events = ijson.parse(stream, multiple_values=True, use_float=True)
        for prefix, event, value in events:
            if builder is not None:
                builder.event(event, value)
                depth += _STEPS.get(event, 0)
                if depth == 0:
                    built, builder = builder.value, None
                    yield from self._take(place, built)
                continue
            kind = _kind(prefix, event)
            if kind == "":
                continue
            if kind in _BUILT:
                builder = ijson.ObjectBuilder()
                builder.event(event, value)
                depth, place = 1, kind
            elif kind == "block":
                self._block = Block()
            elif kind == "trace":
                self._trace = JaegerTrace()
            elif kind == "end":
                yield from self.rest()

    def rest(self) -> Iterator[SpanValue | LogValue]:
        """Yield the spans that were kept until their trace was read to its end."""
        if self._trace is not None:
            yield from self._trace.spans(self._unknown)
        self._trace = None

    def _take(self, place: str, value: Mapping[str, Any]) -> Iterator[SpanValue | LogValue]:
        if place == "resource":
            self._block = block_of(value)
        elif place == "scope":
            self._block = self._block.with_scope(value)
        elif place == "processes" and self._trace is not None:
            self._trace.processes = value
        elif place == "span" and self._trace is not None:
            self._trace.raw.append(value)
        elif place == "span":
            yield from self._block.span(value, self._unknown)
        elif place == "log":
            yield from self._block.log(value, self._unknown)


_STEPS: Final = {"start_map": 1, "start_array": 1, "end_map": -1, "end_array": -1}
_BUILT: Final = frozenset({"resource", "scope", "processes", "span", "log"})
_BLOCKS: Final = (
    "resourceSpans.item",
    "resource_spans.item",
    "batches.item",
    "resourceLogs.item",
    "resource_logs.item",
)
_SCOPES: Final = (".scope", ".instrumentationLibrary", ".instrumentation_library")
_LOGS: Final = ("logRecords.item", "log_records.item")
_TRACES: Final = ("data.item", "data.item.item")


def _kind(prefix: str, event: str) -> str:  # noqa: PLR0911  a table by the end of a path
    """Return what begins or ends at a place of the stream, or nothing."""
    if event == "end_map":
        return "end" if prefix in _TRACES else ""
    if event != "start_map":
        return ""
    if prefix.endswith(".resource"):
        return "resource"
    if prefix.endswith(_SCOPES):
        return "scope"
    if prefix.endswith("spans.item"):
        return "span"
    if prefix.endswith(_LOGS):
        return "log"
    if prefix.endswith(_BLOCKS):
        return "block"
    if prefix in _TRACES:
        return "trace"
    return "processes" if prefix.endswith(".processes") else ""
