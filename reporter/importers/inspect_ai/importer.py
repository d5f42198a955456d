"""Imports the samples of an Inspect log: what was asked, said, called, and how it was scored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Final

from reporter.errors import Problem
from reporter.importers.described import Described, Gap
from reporter.importers.importer import ImportedItem, Spot
from reporter.importers.inspect_ai.archive import ArchiveError, LogArchive
from reporter.importers.inspect_ai.log import (
    EvalLog,
    JsonLog,
    is_member_of_log,
)
from reporter.importers.inspect_ai.reading import ZIP, Met, Reading
from reporter.importers.jsonarray import Piece
from reporter.importers.losses import FILE_BROKEN, Losses, left_out
from reporter.importers.mapping import FileMapping, Stated
from reporter.importers.parts import Joint, PartEnd
from reporter.importers.source import Look, SourceEntry, digest_of, seekable
from reporter.models.manifest import Lost

_ZIP: Final = b"PK"
_DESCRIBED: Final = Described(
    title="Inspect AI logs",
    files="one `.eval` ZIP or `.json` document a run; a sample of an epoch is a session",
    persona=None,
    goal="`samples[].id` with `input`",
    target="`eval.task` with `eval.model`",
    session="`samples[].id`, `epoch` and, where there is one, `uuid`",
    turn="a message of role `user`, up to the next",
    call="`messages[].tool_calls[]`, what the model's provider called by itself (`tool_use` "
    "parts), and what an agent took out of its messages again (`events[]`)",
    result="the `tool` message with the call's id, else the `tool` event with it",
    error="`error` of the tool message; by its `type` a policy or Inspect itself answered "
    "(inferred)",
    stop_reason="`error`, else `limit.type` (inferred); a step's is `output.choices[].stop_reason`",
    outcome="`scores`: C passes, I, P and N fail; true, yes and 1 pass and their opposites fail "
    "where the accuracy metric counts them (inferred); the headline metric decides, else the "
    "first scorer",
    usage="`usage` of the `model` event whose answer a message is",
    time="`completed` or `timestamp` of the `model` and `tool` events",
    catalog="`tools` of the `model` events of the session's own answers",
    connection=None,
    gaps=(
        Gap("no persona; `--map` or `--persona` gives one", "notMeasured"),
        Gap("scores without a threshold, such as 0.7", "judgeNotRun"),
        Gap("logs without events have no tool catalog", "toolCatalogMissing"),
        Gap("no transport evidence", "notMeasured"),
    ),
)


@dataclass(frozen=True, slots=True)
class InspectAi:
    """One log a run: `eval`, `samples` and, when the run was finished, `results`."""

    name: str = "inspect-ai"
    version: int = 1
    looks_for: str = (
        "an .eval ZIP with samples/*_epoch_*.json or _journal/start.json, or a JSON object with "
        "version, eval.task and eval.dataset or eval.model (Inspect AI)"
    )
    described: Described = _DESCRIBED

    def claims(self, look: Look) -> bool:
        """Tell whether the file is a log, by its members' names or its first keys."""
        if any(map(is_member_of_log, look.members)):
            return True
        if look.members:
            return False
        outline = look.outline
        # The model stands behind the ids of all samples, which may be more than is looked at.
        return (
            outline.kind == "object"
            and outline.has("version", "eval.task")
            and (outline.has("eval.model") or outline.has("eval.dataset"))
        )

    def bundles(self, files: Sequence[SourceEntry]) -> list[tuple[SourceEntry, ...]]:
        """Read every log alone."""
        return [(file,) for file in files]

    def sessions(
        self, bundle: Sequence[SourceEntry], mapping: FileMapping
    ) -> Iterator[ImportedItem]:
        """Read the samples of each log, then what the run planned and the log does not hold."""
        for entry in bundle:
            yield digest_of(entry)
            yield from LogJoint(entry, mapping.stated(entry.name)).rest(0)

    def pieces(self, entry: SourceEntry, step: int) -> Sequence[Piece]:
        """Cut an `.eval` log between its samples; a `.json` log is one piece."""
        if entry.head().startswith(ZIP):
            try:
                with seekable(entry) as stream:
                    return _log(stream).pieces(step)
            except ArchiveError:
                pass  # what is wrong with it is said where it is read
        return [Piece(0, None)]

    def part(
        self, entry: SourceEntry, part: Piece | Spot, mapping: FileMapping
    ) -> Iterator[ImportedItem | PartEnd]:
        """Read some samples of an `.eval` log, or one of them again."""
        reading = Reading(entry, mapping.stated(entry.name))
        if isinstance(part, Piece) and part.start == 0:
            yield digest_of(entry)
        with seekable(entry) as stream:
            if isinstance(part, Spot):
                yield from reading.again(_log(stream), part)
                return
            # What is wrong with the log itself counts with its first samples.
            log = _log(stream, reading.met.losses if part.start == 0 else None)
            yield from reading.samples(log, part)
        yield _PartEnd(reading.met)

    def joint(self, entry: SourceEntry, mapping: FileMapping) -> Joint:
        """Return a log of which nothing was read."""
        return LogJoint(entry, mapping.stated(entry.name))


@dataclass(frozen=True, slots=True)
class _PartEnd(PartEnd):
    """The end of some samples of a log."""

    met: Met


class LogJoint:
    """A log that is put together of its samples, in one go or in pieces.

    Args:
        entry: The file.
        stated: What the user states about it.
    """

    def __init__(self, entry: SourceEntry, stated: Stated) -> None:
        self._entry = entry
        self._reading = Reading(entry, stated)

    @property
    def elements(self) -> int:
        """Samples before the next piece."""
        return self._reading.met.elements

    def take(self, end: PartEnd) -> bool:
        """Put some samples behind those before them."""
        return isinstance(end, _PartEnd) and self._reading.met.take(end.met)

    def rest(self, start: int) -> Iterator[ImportedItem]:
        """Read everything from a sample on."""
        reading = self._reading
        if not self._entry.head().startswith(ZIP):
            yield from reading.items(JsonLog(self._entry.open))
            return
        try:
            with seekable(self._entry) as stream:
                log = _log(stream, reading.met.losses if start == 0 else None)
                yield from reading.items(log, Piece(start, None))
        except ArchiveError as error:
            yield from _lost_log(self._entry.name, error.reason)

    def close(self) -> Iterator[ImportedItem]:
        """Yield what comes behind the last sample."""
        with seekable(self._entry) as stream:
            yield from self._reading.close(_log(stream))


def _log(stream: IO[bytes], losses: Losses | None = None) -> EvalLog:
    return EvalLog(LogArchive(stream), losses or Losses(""))


def _lost_log(file: str, reason: str) -> Iterator[Lost | Problem]:
    """Yield the loss of a log whose ZIP cannot be opened: what is in it stands at its end."""
    yield Problem(
        file=file,
        place="",
        what=f"Nothing of the log was read: {reason}.",
        remedy="Copy or download it again, once the evaluation is over.",
        rule=FILE_BROKEN,
    )
    yield left_out(file, "the ZIP", f"nothing of the log was read: {reason}", "unreadable")
