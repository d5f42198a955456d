"""A foreign source in, a native recording out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reporter.errors import Problem, ReporterError
from reporter.models.manifest import Goal, Lost, Persona, Target
from reporter.models.records import Record
from reporter.models.session import SessionRecording
from reporter.pipeline.derive import LOSSES
from reporter.pipeline.options import Options
from reporter.pipeline.source import ForeignSource, open_source
from reporter.recording.recorder import write_wave

_CONVERSATION: Final = frozenset(
    {"message", "tool_call", "tool_result", "step_finish", "turn_start", "turn_finish"}
)


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of an import."""

    importer: str
    files: int
    sessions: int
    lost: tuple[Lost, ...]
    losses: tuple[Problem, ...]
    """Problems that mean that something recorded is not in the new recording."""
    masked: tuple[Mapping[str, int], ...]
    """Secrets masked on reading by kind, one entry a session."""
    masked_parts: tuple[Mapping[str, int], ...]
    """The same, one entry a persona, goal or target."""


def import_source(given: Path | Sequence[Path], folder: Path, options: Options) -> Imported:
    """Write a foreign source as a native recording.

    The source is read twice: once for the plan, which only all of its sessions decide,
    and once for the records, so that no more than a few sessions of it are in memory.

    Raises:
        ReporterError: It is a native recording or a document already, or cannot be read,
            or the folder is not empty.

    Rule: recording.md sections 2 and 5a.
    """
    source = open_source(given, options)
    if not isinstance(source, ForeignSource):
        raise ReporterError(f"{source.name}: it is a {source.kind} already; nothing to import.")
    listed = [context.slot.session_id for context, _ in source.sessions()]
    manifest = source.manifest()

    def sessions() -> Iterator[tuple[str, Sequence[Record]]]:
        for session_id in listed:
            recording = source.transcript(session_id)
            records = () if recording is None else whole_records(recording)
            if records:
                yield session_id, records

    # What importers hand over is masked already; looking again would cost half of it all.
    write_wave(folder, manifest, sessions(), is_masked=True)
    problems = source.wave.problems
    parts: list[Persona | Goal | Target] = [
        *manifest.personas,
        *manifest.goals,
        *manifest.targets,
    ]
    return Imported(
        importer=source.kind,
        files=len(source.wave.files),
        sessions=len(listed),
        lost=tuple(source.wave.lost),
        losses=tuple(problem for problem in problems if problem.rule in LOSSES),
        masked=tuple(slot.masked or {} for slot in manifest.slots),
        masked_parts=tuple(part.masked or {} for part in parts),
    )


def whole_records(recording: SessionRecording) -> Sequence[Record]:
    """Return what of a session may be written down.

    Half a conversation would pass for a whole one. Without any of it the session is one
    whose messages were lost, as its slot says.
    """
    if not recording.damaged:
        return recording.records
    return [record for record in recording.records if record.type not in _CONVERSATION]
