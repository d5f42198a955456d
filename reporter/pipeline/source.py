"""The three things a path can be: a native recording, a foreign source, a document."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from reporter.canonical import canonical_digest
from reporter.derive.published import published_differences
from reporter.errors import Problem, RecordingError
from reporter.findings.contract import WireDocument
from reporter.findings.document import read_document
from reporter.identifiers import SessionId
from reporter.importers.importer import SessionHead
from reporter.importers.inputs import given_name, is_pattern
from reporter.importers.parts import PartEnd
from reporter.importers.sniff import only_file, sniff_document, sniff_native
from reporter.importers.wave import ImportedWave, WorkUnit
from reporter.models.facts import SessionFacts
from reporter.models.graded import GradedBy, graders_of
from reporter.models.manifest import Lost, Manifest
from reporter.models.plan import Plan, SessionContext
from reporter.models.session import InputFile, SessionRecording
from reporter.pipeline.collector import collector_paused
from reporter.pipeline.options import Options, Progress, quietly
from reporter.pipeline.session import derived
from reporter.pipeline.spread import core_count, spread
from reporter.pipeline.units import Joining, UnitNote, derive_unit, head_unit
from reporter.recording.catalogs import load_catalogs
from reporter.recording.plan import resolve_plan
from reporter.recording.reader import NativeWave, looks_native, open_wave

CHUNK: Final = 32
"""Sessions a process takes at a time."""

WORTH_SPREADING: Final = 400
"""Sessions from which on a second process pays for its start."""

WORTH_SPREADING_BYTES: Final = 8 * 1024 * 1024
"""The same for a foreign source, of which only the size is known beforehand."""

MOST_DOCUMENT_BYTES: Final = 256 * 1024 * 1024
"""The largest findings document that is read."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """All facts of a wave, and what was found on the way."""

    plan: Plan
    facts: tuple[SessionFacts, ...]
    """One entry a slot, in slot order."""
    problems: tuple[Problem, ...]
    """Of the wave; a session's own stand in its facts."""
    files: tuple[InputFile, ...]
    lost: tuple[Lost, ...]
    source_revision: str
    recorder: str
    graded_by: tuple[GradedBy, ...] = ()
    published: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NativeSource:
    """A native recording."""

    wave: NativeWave
    options: Options

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.wave.name

    @property
    def kind(self) -> str:
        """What the report calls this input."""
        return "swarm-recording"

    def problems(self) -> Sequence[Problem]:
        """What is wrong with the wave, as far as it was read."""
        return self.wave.problems

    def facts(self, progress: Progress = quietly) -> Iterator[SessionFacts]:
        """Derive every slot, in slot order, with memory for one chunk of sessions."""
        slots = len(self.wave.plan.slots)
        bounds = [(start, min(start + CHUNK, slots)) for start in range(0, slots, CHUNK)]
        jobs = self.options.jobs or (core_count() if slots >= WORTH_SPREADING else 1)
        chunks = spread(
            _derive_slots,
            bounds,
            jobs=jobs,
            prepare=_take_wave,
            shared=(self.wave, self.options.scan_cap),
        )
        done = 0
        progress(0, slots)
        for chunk in chunks:
            yield from chunk
            done += len(chunk)
            progress(done, slots)

    def gather(self, progress: Progress = quietly) -> Gathered:
        """Derive the whole wave."""
        with collector_paused():
            facts = tuple(self.facts(progress))
        wave = self.wave
        digests: dict[str, str] = {
            one.session_id: one.sha256 for one in facts if one.sha256 is not None
        }
        manifest = wave.manifest
        recorder = manifest.recorder if manifest else None
        return Gathered(
            plan=wave.plan,
            facts=facts,
            problems=(
                *wave.problems,
                *published_differences(
                    (manifest.published or {}) if manifest else {},
                    facts,
                    wave.plan.slots,
                    file=wave.form.manifest_file,
                ),
            ),
            files=wave.files(digests),
            lost=tuple(manifest.source.lost) if manifest and manifest.source else (),
            source_revision=wave.source_revision(digests),
            recorder=f"{recorder.name} {recorder.version}" if recorder else "",
            graded_by=graders_of(manifest.model_extra) if manifest else (),
            published=(manifest.published or {}) if manifest else {},
        )

    def transcript(self, session_id: str) -> SessionRecording | None:
        """Read one session again."""
        recording = self.wave.read(session_id)
        return recording if recording.present else None


@dataclass(frozen=True, slots=True)
class ForeignSource:
    """A recording in another format, read through its importer."""

    wave: ImportedWave
    options: Options

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.wave.identified.name

    @property
    def kind(self) -> str:
        """What the report calls this input: the importer's name."""
        return self.wave.identified.importer.name

    def problems(self) -> Sequence[Problem]:
        """What is wrong with the source, as far as it was read."""
        return self.wave.problems

    def facts(self, progress: Progress = quietly) -> Iterator[SessionFacts]:
        """Derive every slot; a place in the plan is known only when all of them are."""
        yield from self.gather(progress).facts

    def gather(self, progress: Progress = quietly) -> Gathered:
        """Derive the whole wave in one pass over the source."""
        # Everything that is made here is kept: looking for what is not takes a second for
        # ten thousand sessions.
        with collector_paused():
            return self._gathered(progress)

    def _gathered(self, progress: Progress) -> Gathered:
        wave = self.wave
        known = self._take_in(*self._worked(derive_unit, progress))
        manifest = wave.manifest()
        catalogs, _, broken = load_catalogs(
            manifest.catalogs or (), manifest_file=self.name, root=None, files={}
        )
        plan, unresolved = resolve_plan(manifest, file=self.name, catalogs=catalogs)
        facts = tuple(
            self._settled(context, known, beyond=_beyond(at, self.options.scan_cap))
            for at, context in enumerate(plan.contexts())
        )
        files = tuple(
            InputFile(file.name, file.sha256, file.bytes)
            for file in sorted(wave.files, key=lambda file: file.name)
        )
        return Gathered(
            plan=plan,
            facts=facts,
            problems=(
                *wave.problems,
                *broken,
                *unresolved,
                *published_differences(manifest.published or {}, facts, plan.slots, file=self.name),
            ),
            files=files,
            lost=tuple(wave.lost),
            source_revision=canonical_digest(
                {"sources": sorted([file.name, file.sha256] for file in files)}
            ),
            recorder="",
            published=manifest.published or {},
        )

    @property
    def jobs(self) -> int:
        """Processes that reading is spread over."""
        size = sum(unit.size for unit in self.wave.work())
        return self.options.jobs or (core_count() if size >= WORTH_SPREADING_BYTES else 1)

    def listed(self, progress: Progress = quietly) -> list[SessionId]:
        """Read everything once for the plan alone, and return the sessions in source order."""
        units, taken = self._worked(head_unit, progress)
        joining = Joining(head_unit)
        found: list[SessionId] = []
        for at, unit in enumerate(units):
            for notes, before in joining.join(unit, taken.pop(at)):
                for note in notes:
                    if isinstance(note, SessionFacts | PartEnd):
                        continue
                    if self.wave.add(note, before) and isinstance(note, SessionHead):
                        found.append(note.session_id)
        return found

    def _worked(
        self, work: Callable[[WorkUnit], list[UnitNote]], progress: Progress
    ) -> tuple[Sequence[WorkUnit], dict[int, list[UnitNote]]]:
        """Do the same with every unit of the source, and return what came of each, by place."""
        units = self.wave.work()
        size = sum(unit.size for unit in units)
        # The largest first: with few files, the last one decides how long it takes.
        by_size = sorted(range(len(units)), key=lambda at: -units[at].whole_size)
        taken: dict[int, list[UnitNote]] = {}
        done = 0
        progress(done, size)
        results = spread(work, [units[at] for at in by_size], jobs=self.jobs)
        for at, notes in zip(by_size, results, strict=True):
            taken[at] = notes
            done += units[at].size
            progress(done, size)
        return units, taken

    def transcript(self, session_id: str) -> SessionRecording | None:
        """Read one session again."""
        return self.wave.transcript(session_id)

    def sessions(self) -> Iterator[tuple[SessionContext, SessionRecording]]:
        """Read everything once, in this process, for writing it elsewhere."""
        yield from self.wave.sessions()

    def manifest(self) -> Manifest:
        """Return the manifest of what was read; complete after `sessions` or `gather`."""
        return self.wave.manifest()

    def _take_in(
        self, units: Sequence[WorkUnit], taken: dict[int, list[UnitNote]]
    ) -> dict[SessionId, SessionFacts]:
        known: dict[SessionId, SessionFacts] = {}
        joining = Joining()
        for at, unit in enumerate(units):
            for notes, before in joining.join(unit, taken.pop(at)):
                is_wanted = False
                for note in notes:
                    if isinstance(note, SessionFacts):
                        if is_wanted:
                            known[note.session_id] = note
                    elif not isinstance(note, PartEnd):
                        is_wanted = self.wave.add(note, before)
        return {session_id: self.wave.settled(facts) for session_id, facts in known.items()}

    def _settled(
        self, context: SessionContext, known: Mapping[SessionId, SessionFacts], *, beyond: bool
    ) -> SessionFacts:
        facts = known.get(context.slot.session_id)
        if facts is not None and not beyond:
            return facts
        recording = self.wave.transcript(context.slot.session_id)
        return derived(
            context,
            recording or SessionRecording(context.slot.session_id, present=False),
            beyond=beyond,
        )


@dataclass(frozen=True, slots=True)
class DocumentSource:
    """A findings document that came without a recording."""

    name: str
    document: WireDocument
    raw: Mapping[str, Any]
    job: Mapping[str, Any] | None
    file: InputFile

    @property
    def kind(self) -> str:
        """What the report calls this input."""
        return "findings document"

    def transcript(self, session_id: str) -> SessionRecording | None:  # noqa: ARG002  no recording
        """There is no session to read."""
        return None


Source = NativeSource | ForeignSource | DocumentSource


def open_source(source: Path | Sequence[Path], options: Options) -> Source:
    """Tell what a source is, and open it.

    Args:
        source: A path, or several that are one foreign source: files, folders, archives
            and patterns of names.
        options: How it is read.

    Raises:
        RecordingError: It is none of what can be read, or it is and cannot be used; every
            problem is named. `UnknownFormatError`, `AmbiguousFormatError` and
            `DocumentError` say so more closely.
    """
    paths = [source] if isinstance(source, Path) else list(source)
    if len(paths) == 1 and not is_pattern(paths[0]):
        (path,) = paths
        document = path if path.is_file() else only_file(path)
        if document is not None and sniff_document(document):
            return _open_document(document)
        if _is_native(path) or _is_empty_folder(path):
            return NativeSource(open_wave(path, options.limits), options)
    elif alone := [path for path in paths if _is_native(path) or sniff_document(path)]:
        what = "A recorded wave, or a findings document, is a source of its own."
        remedy = "Give it alone."
        raise RecordingError(
            [Problem(given_name(path), "", what, remedy, "not-alone") for path in alone]
        )
    # Every importer is loaded with it, which a recorded wave has no use for.
    from reporter.importers.identify import identify  # noqa: PLC0415

    return ForeignSource(ImportedWave(identify(paths), options.mapping), options)


def _is_native(path: Path) -> bool:
    return sniff_native(path) or looks_native(path)


def _beyond(index: int, scan_cap: int | None) -> bool:
    return scan_cap is not None and index >= scan_cap


def _is_empty_folder(path: Path) -> bool:
    return path.is_dir() and not any(path.iterdir())


def _open_document(path: Path) -> DocumentSource:
    data = path.read_bytes() if path.stat().st_size <= MOST_DOCUMENT_BYTES else b""
    if not data:
        raise RecordingError(
            [Problem(path.name, "", "The document is empty or larger than 256 MiB.", "")]
        )
    raw = _parsed(path, data)
    document, job = read_document(raw, file=path.name)
    inner = raw.get("journeyFindings", raw)
    return DocumentSource(
        name=path.name,
        document=document,
        raw=inner,
        job=job,
        file=InputFile(name=path.name, sha256=hashlib.sha256(data).hexdigest(), bytes=len(data)),
    )


def _parsed(path: Path, data: bytes) -> Any:  # noqa: ANN401  any JSON value
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        what = f"The document is not JSON: {error}."
        remedy = "Save the document again, or ask its source for it."
        raise RecordingError(
            [Problem(path.name, "", what, remedy, "unreadable-document")]
        ) from None


# One process derives one wave: what all its sessions share is kept here once.
_wave: list[tuple[NativeWave, Sequence[SessionContext], int | None]] = []


def _take_wave(wave: NativeWave, scan_cap: int | None) -> None:
    _wave[:] = [(wave, wave.plan.contexts(), scan_cap)]


def _derive_slots(bounds: tuple[int, int]) -> list[SessionFacts]:
    ((wave, contexts, scan_cap),) = _wave
    return [
        derived(
            contexts[at],
            wave.read(contexts[at].slot.session_id),
            beyond=_beyond(at, scan_cap),
        )
        for at in range(*bounds)
    ]
