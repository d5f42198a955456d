"""Imports the samples of an Inspect log: what was asked, said, called, and how it was scored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from reporter.importers.described import Described, Gap
from reporter.importers.importer import ImportedItem
from reporter.importers.inspect_ai.archive import ArchiveError, LogArchive
from reporter.importers.inspect_ai.log import (
    EvalLog,
    JsonLog,
    is_member_of_log,
)
from reporter.importers.inspect_ai.reading import Reading
from reporter.importers.jsontext import BrokenJsonError
from reporter.importers.losses import (
    lost_rest,
)
from reporter.importers.mapping import FileMapping
from reporter.importers.source import Look, SourceEntry, digest_of, seekable

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
        "version, eval.task and eval.model (Inspect AI)"
    )
    described: Described = _DESCRIBED

    def claims(self, look: Look) -> bool:
        """Tell whether the file is a log, by its members' names or its first keys."""
        if any(map(is_member_of_log, look.members)):
            return True
        if look.members:
            return False
        outline = look.outline
        return outline.kind == "object" and outline.has("version", "eval.task", "eval.model")

    def bundles(self, files: Sequence[SourceEntry]) -> list[tuple[SourceEntry, ...]]:
        """Read every log alone."""
        return [(file,) for file in files]

    def sessions(
        self, bundle: Sequence[SourceEntry], mapping: FileMapping
    ) -> Iterator[ImportedItem]:
        """Read the samples of each log, then what the run planned and the log does not hold."""
        for entry in bundle:
            yield digest_of(entry)
            reading = Reading(entry, mapping.stated(entry.name))
            if not entry.head().startswith(_ZIP):
                yield from reading.items(JsonLog(entry.open))
                continue
            try:
                with seekable(entry) as stream:
                    log = EvalLog(LogArchive(stream), reading.losses)
                    yield from reading.items(log)
            except ArchiveError as error:
                yield from lost_rest(entry.name, BrokenJsonError(error.reason, "the ZIP"))
