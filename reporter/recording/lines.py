"""Lines of a recording as records: what can be read is, and what cannot is said."""

import json
import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn, get_args

from pydantic import ValidationError
from pydantic_core import from_json

from reporter.errors import Problem
from reporter.identifiers import SessionId
from reporter.models.records import RECORD, Message, Record, TextPart
from reporter.recording.limits import Limits
from reporter.recording.problems import refusals, shown

RECORD_TYPES: Final = frozenset(
    model.model_fields["type"].default for model in get_args(get_args(Record)[0])
)
"""Every `type` that this version knows."""

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"

_SHOWN_LINES: Final = 50
"""Unreadable lines of one session that are described; more are only counted."""

_ESCAPE: Final = re.compile(
    rb"\\(?:(u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    rb"|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
_REPLACEMENT: Final = rb"\ufffd"
_WHERE: Final = re.compile(r"(?:line 1 )?column \d+$")

# The adapter's own method wraps this one; the loop below runs once a recorded line.
_validate: Final[Callable[[bytes], Record]] = RECORD.validator.validate_json


@dataclass(slots=True)
class ReadLines:
    """What came out of the lines of one session."""

    records: list[Record] = field(default_factory=list)
    lines: "array[int]" = field(default_factory=lambda: array("L"))
    """One line number a record."""
    damaged: bool = False
    problems: list[Problem] = field(default_factory=list)
    unknown_types: dict[str, int] = field(default_factory=dict)


def repaired(line: bytes) -> bytes:
    """Return JSON text with escapes of lone surrogates replaced by U+FFFD.

    Such an escape is what is left of an emoji that was cut in half. It is legal JSON and
    no legal Unicode, so nothing could be written of it later.
    """
    if b"\\u" not in line:
        return line
    return _ESCAPE.sub(lambda found: _REPLACEMENT if found[2] else found[0], line)


def may_hold_constants(text: bytes) -> bool:
    """Tell whether `NaN` or `Infinity` stands anywhere in a text; mostly inside of words."""
    return b"NaN" in text or b"Infinity" in text


def has_bare_constant(text: bytes) -> bool:
    """Tell whether JSON text holds `NaN` or `Infinity` outside of strings."""
    if not may_hold_constants(text):
        return False
    try:
        json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return True
    return False


def json_complaint(text: bytes, error: ValidationError) -> str | None:
    """Return why bytes are no JSON, as a sentence, or None where they are JSON."""
    # Bytes that are no JSON give one error; a long list of others is not worth listing.
    if error.error_count() != 1:
        return None
    details = error.errors(include_url=False, include_input=False)[0]
    if details["type"] != "json_invalid":
        return None
    try:
        text.decode()
    except UnicodeDecodeError as broken:
        return f"It is not UTF-8: byte {broken.start + 1} fits no character."
    reason = str(details["ctx"]["error"])
    where = _WHERE.search(reason)
    if where is not None and b"\n" not in text.rstrip(b"\n"):
        reason = reason.replace("line 1 column", "column")
    return f"It is not JSON: {reason}."


def read_lines(
    numbered: Iterable[tuple[int, bytes]],
    *,
    file: str,
    session_id: str,
    limits: Limits,
    look_for_constants: bool = True,
) -> ReadLines:
    """Turn the lines of one session into records.

    Args:
        numbered: Line number and bytes, with or without the line feed, in order.
        file: File name for problems.
        session_id: The session, for problems.
        limits: Bounds on a line and on a message.
        look_for_constants: False where the caller knows that no line may hold `NaN` or
            `Infinity`: one search through a file is cheaper than two a line.

    Returns:
        The records before the first line that cannot be read, and a description of that
        line and of those behind it.

    Rule: recording.md section 2.
    """
    found = ReadLines()
    add_record, add_line = found.records.append, found.lines.append
    trouble = _Trouble(found, file, SessionId(session_id))
    longest, most_text = limits.line_bytes + 1, limits.message_chars
    for number, line in numbered:
        if len(line) > longest or (look_for_constants and may_hold_constants(line)):
            record = trouble.careful(number, line, limits)
        else:
            try:
                record = _validate(line)
            except ValidationError as error:
                record = trouble.explain(number, line, error)
        if record is None or found.damaged:
            continue
        if len(line) > most_text and type(record) is Message:
            record = trouble.cut(number, record, most_text)
        add_record(record)
        add_line(number)
    trouble.summarise()
    return found


class _Trouble:
    """Keeps what was wrong with one session's lines."""

    def __init__(self, found: ReadLines, file: str, session_id: SessionId) -> None:
        self._found = found
        self._file = file
        self._session_id = session_id
        self._unreadable = 0
        self._first_seen: dict[str, int] = {}

    def careful(self, number: int, line: bytes, limits: Limits) -> Record | None:
        """Read a line that is too long or may hold a number that is none."""
        if len(line.removesuffix(b"\n")) > limits.line_bytes:
            self._unreadable_line(
                number,
                "line-too-long",
                [("", f"The line is longer than {limits.line_bytes:,} bytes.")],
                "Raise the limit, or record large results by digest.",
            )
            return None
        if has_bare_constant(line):
            self._unreadable_line(
                number,
                "unreadable-line",
                [("", "It is not JSON: NaN and Infinity have no JSON form.")],
                "Write null for a number that is not finite.",
            )
            return None
        try:
            return _validate(line)
        except ValidationError as error:
            return self.explain(number, line, error)

    def explain(self, number: int, line: bytes, error: ValidationError) -> Record | None:
        """Say what is wrong with a line; a lone surrogate and a new type are forgiven."""
        if not line.strip():
            return None
        whole = repaired(line)
        if whole != line:
            try:
                record = _validate(whole)
            except ValidationError as again:
                line, error = whole, again
            else:
                self._note(number, "lone-surrogate", "Half of a character stands alone there.")
                return record
        complaint = json_complaint(line, error)
        if complaint is not None:
            self._not_json(number, line, complaint)
            return None
        value: Any = from_json(line)
        kind = value.get("type") if isinstance(value, dict) else None
        if isinstance(kind, str) and kind not in RECORD_TYPES:
            self._unknown_type(number, kind)
            return None
        self._unreadable_line(
            number,
            "invalid-record",
            refusals(error, value, tagged=True),
            "Mend the recorder; the JSON Schema lists what each record holds.",
        )
        return None

    def cut(self, number: int, message: Message, most: int) -> Message:
        """Return a message with its text cut to what is kept."""
        content, is_cut = _cut_content(message.content, most)
        if not is_cut:
            return message
        self._note(number, "message-text-cut", f"The message's text is cut to {most:,} characters.")
        return message.model_copy(update={"content": content, "truncated": True})

    def summarise(self) -> None:
        """Add what is said once a session."""
        found = self._found
        for kind, times in found.unknown_types.items():
            self._note(
                self._first_seen[kind],
                "unknown-record-type",
                f"Records of type {shown(kind)} are not known here and were left out: {times}.",
                severity="note",
            )
        more = self._unreadable - _SHOWN_LINES
        if more > 0:
            found.problems.append(
                self._problem("", "unreadable-line", f"{more} more lines cannot be read.", "")
            )

    def _not_json(self, number: int, line: bytes, complaint: str) -> None:
        if line.endswith(b"\n"):
            rule = "bad-utf8" if "UTF-8" in complaint else "unreadable-line"
            remedy = "Records before it are used; mend the line or record the session again."
        else:
            rule = "truncated-line"
            complaint = f"The file ends in the middle of the line. {complaint}"
            remedy = "The recorder was stopped while writing; records before it are used."
        self._unreadable_line(number, rule, [("", complaint)], remedy)

    def _unknown_type(self, number: int, kind: str) -> None:
        if not self._found.damaged:
            known = self._found.unknown_types
            known[kind] = known.get(kind, 0) + 1
            self._first_seen.setdefault(kind, number)

    def _unreadable_line(
        self, number: int, rule: str, complaints: Sequence[tuple[str, str]], remedy: str
    ) -> None:
        self._found.damaged = True
        self._unreadable += 1
        if self._unreadable > _SHOWN_LINES:
            return
        for place, what in complaints:
            where = f"line {number}: {place}" if place else f"line {number}"
            self._found.problems.append(self._problem(where, rule, what, remedy))

    def _note(self, number: int, rule: str, what: str, severity: str = "note") -> None:
        problem = self._problem(f"line {number}", rule, what, "", severity)
        self._found.problems.append(problem)

    def _problem(
        self, place: str, rule: str, what: str, remedy: str, severity: str = "error"
    ) -> Problem:
        return Problem(
            file=self._file,
            place=place,
            what=what,
            remedy=remedy,
            rule=rule,
            session_id=self._session_id,
            severity=severity,
        )


def _cut_content(content: Any, most: int) -> tuple[Any, bool]:  # noqa: ANN401  text or parts
    if isinstance(content, str):
        return content[:most], len(content) > most
    left, is_cut, parts = most, False, []
    for part in content:
        if isinstance(part, TextPart):
            if len(part.text) > left:
                part = part.model_copy(update={"text": part.text[:left]})  # noqa: PLW2901  the cut one
                is_cut = True
            left -= len(part.text)
        parts.append(part)
    return parts, is_cut


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)
