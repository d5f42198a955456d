"""A foreign source as one wave: read in pieces, anywhere, and put together in one place.

A source is cut into work units, bundles of files that are read independently of each
other, in this process or in another. A unit yields sessions with everything that deriving
one needs. What only all sessions together decide, the place of a session in the plan, is
settled once every unit was read: the parent adds the heads of the units in their order and
moves the few facts whose place turned out to be another.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from reporter.errors import Problem, RecordingError
from reporter.identifiers import RunId, SessionId
from reporter.importers.assemble import ManifestAssembler, Placement
from reporter.importers.identified import Identified, unreadable
from reporter.importers.importer import (
    ImportedItem,
    ImportedSession,
    Importer,
    SessionHead,
    Spot,
    context_of,
)
from reporter.importers.jsonarray import Piece
from reporter.importers.losses import FILE_BROKEN
from reporter.importers.mapping import FileMapping
from reporter.importers.masking import masked_items
from reporter.importers.parts import PartEnd, Rest, divisible
from reporter.importers.reread import Rereader
from reporter.importers.source import SourceEntry
from reporter.importers.stated_goals import with_stated_goals
from reporter.models.facts import SessionFacts
from reporter.models.manifest import CatalogEntry, Lost, Manifest, Slot, Source, SourceFile
from reporter.models.plan import SessionContext
from reporter.models.session import SessionRecording
from reporter.plural import plural

_KEPT_BYTES: Final = 16 * 1024 * 1024
"""Source bytes whose sessions stay in memory while transcripts are looked up."""

Note = SessionHead | Lost | SourceFile | Problem | CatalogEntry | Manifest
"""What the parent must hear of a unit: everything but the records."""


PIECE_BYTES: Final = 8 * 1024 * 1024
"""About so much of a large file is one piece of work."""

UnitItem = ImportedItem | PartEnd
"""What a work unit yields."""


@dataclass(frozen=True, slots=True)
class WorkUnit:
    """Files that are read together, or a part of one; may be sent to another process."""

    importer: Importer
    files: tuple[SourceEntry, ...]
    mapping: FileMapping
    part: Piece | Spot | Rest | None = None
    """What of the one file is read, or None for all of all files. A rest stays here."""

    @property
    def size(self) -> int:
        """About how many bytes are read."""
        if not isinstance(self.part, Piece):
            return self.whole_size
        return (self.whole_size if self.part.end is None else self.part.end) - self.part.start

    @property
    def whole_size(self) -> int:
        """About how many bytes the files have."""
        return sum(file.size for file in self.files)

    def items(self) -> Iterator[UnitItem]:
        """Read the files; a file that cannot be opened is a problem, not an exception."""
        try:
            yield from masked_items(with_stated_goals(self._items(), self.mapping))
        except OSError as error:
            names = ", ".join(file.name for file in self.files)
            yield unreadable(names, error)
            yield Lost(place=names, reason=f"cannot be read: {error.strerror}", kind="unreadable")

    def _items(self) -> Iterator[UnitItem]:
        if isinstance(self.part, Rest):
            return self.part.items()
        if self.part is not None and (importer := divisible(self.importer)) is not None:
            return importer.part(self.files[0], self.part, self.mapping)
        return self.importer.sessions(self.files, self.mapping)


@dataclass
class ImportedWave:
    """The wave that a foreign source is."""

    identified: Identified
    mapping: FileMapping = field(default_factory=FileMapping)
    problems: list[Problem] = field(default_factory=list)
    """What is wrong with the source, in the order of reading; complete once it was read."""
    lost: list[Lost] = field(default_factory=list)
    """What could not be used, in the order of reading."""
    files: list[SourceFile] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._assembler = ManifestAssembler()
        self._places: dict[SessionId, Placement] | None = None
        self._catalogs: dict[str, CatalogEntry] = {}
        self._own: Manifest | None = None
        self._file_of: dict[SessionId, str] = {}
        self._spots: dict[SessionId, Spot] = {}
        self._masked: dict[SessionId, Mapping[str, int]] = {}
        self._digests: dict[str, str] = {}
        self._copies: set[str] = set()
        self._broken = False
        self._units = self.units()
        self._unit_of = {
            file.name: at for at, unit in enumerate(self._units) for file in unit.files
        }
        self._rereaders: dict[int, Rereader] = {}
        self._read: OrderedDict[tuple[int, int | None], _Kept] = OrderedDict()
        self.problems.extend(self.mapping.check(file.name for file in self.identified.files))
        self.lost.extend(self.identified.lost)
        self.problems.extend(self.identified.problems)

    def units(self) -> list[WorkUnit]:
        """Return the work, in the order in which its results must be added."""
        importer = self.identified.importer
        return [
            WorkUnit(importer, bundle, self.mapping)
            for bundle in importer.bundles(self.identified.files)
        ]

    def work(self) -> list[WorkUnit]:
        """Return the same work with large files in pieces, whose results must be joined."""
        return [piece for unit in self._units for piece in _pieces(unit)]

    def add(self, note: Note, before: int = 0) -> bool:
        """Take in what a unit yielded; units in order, and inside a unit in its order.

        Args:
            note: What it yielded.
            before: Elements of the file before the piece that the unit read.

        Returns:
            True. False only for the head of a session that was there before, whose facts
            must not be counted a second time.
        """
        if isinstance(note, SessionHead):
            return self._add_head(note, before)
        if isinstance(note, SourceFile):
            self._add_file(note)
        elif isinstance(note, Lost):
            self.lost.append(note)
        elif isinstance(note, CatalogEntry):
            self._catalogs.setdefault(note.catalog_id, note)
        elif isinstance(note, Manifest):
            self._take_plan(note)
        else:
            self.problems.append(note)
            self._broken = self._broken or note.rule == FILE_BROKEN
        return True

    def sessions(self) -> Iterator[tuple[SessionContext, SessionRecording]]:
        """Read everything in this process: one session in memory at a time.

        The context's run id and index may still move; `settled` says where to.
        """
        for unit in self._units:
            for item in unit.items():
                if isinstance(item, ImportedSession):
                    if self.add(item.head):
                        yield context_of(item.head), item.recording
                elif not isinstance(item, PartEnd):
                    self.add(item)

    def settled(self, facts: SessionFacts) -> SessionFacts:
        """Return facts with the place that the session has in the manifest."""
        place = self.placements().get(facts.session_id)
        if place is None:  # a source's own plan may leave a session out
            return facts
        if (facts.run_id, facts.session_index) == (place.run_id, place.session_index):
            return facts
        return replace(facts, run_id=place.run_id, session_index=place.session_index)

    def placements(self) -> dict[SessionId, Placement]:
        """Return where every session stands, once everything was added."""
        if self._places is None:
            if self._own is None:
                self._places = self._assembler.placements()
            else:
                self._places = {
                    SessionId(slot.session_id): Placement(RunId(slot.run_id), slot.session_index)
                    for slot in self._own.slots
                }
        return self._places

    def manifest(self) -> Manifest:
        """Return the manifest of what was added.

        Raises:
            RecordingError: There is no session in the source.
        """
        if self._own is None and not len(self._assembler):
            errors = [problem for problem in self.problems if problem.severity == "error"]
            raise RecordingError(errors or [self._empty()])
        importer = self.identified.importer
        source = Source(
            importer=importer.name,
            importer_version=importer.version,
            files=sorted(self.files, key=lambda file: file.name),
            lost=self.lost,
        )
        if self._own is not None:
            terminal = self._own.terminal and not self._broken
            slots = [self._with_masked(slot) for slot in self._own.slots]
            more = {"source": source, "terminal": terminal, "slots": slots}
            return self._own.model_copy(update=more)
        manifest = self._assembler.manifest(source, terminal=not self._broken)
        if not self._catalogs:
            return manifest
        return manifest.model_copy(update={"catalogs": list(self._catalogs.values())})

    def _with_masked(self, slot: Slot) -> Slot:
        masked = self._masked.get(SessionId(slot.session_id))
        return slot.model_copy(update={"masked": dict(masked)}) if masked else slot

    def transcript(self, session_id: str) -> SessionRecording | None:
        """Read one session again, or return None for one that the source does not hold.

        Asking in the order of the source reads every file once; what was read last is
        kept, up to a bound.
        """
        own_id = SessionId(session_id)
        if own_id not in self._file_of:
            return None
        at = self._unit_of[self._file_of[own_id]]
        spot = self._spots.get(own_id)
        if spot is None and self._units[at].size > _KEPT_BYTES:
            if at not in self._rereaders:
                self._rereaders[at] = Rereader(partial(self._recordings, at))
            return self._rereaders[at].find(own_id)
        key = (at, None if spot is None else spot.start)
        kept = self._read.get(key)
        if kept is None or (spot is not None and spot.place not in kept.recordings):
            self._read[key] = self._read_again(at, spot, kept)
            while len(self._read) > 1 and sum(r.bytes for r in self._read.values()) > _KEPT_BYTES:
                self._read.popitem(last=False)
        self._read.move_to_end(key)
        recordings = self._read[key].recordings
        if spot is None:
            return recordings.get(own_id)
        return _renamed(recordings.get(spot.place), own_id)

    def _recordings(self, at: int) -> Iterator[SessionRecording]:
        """Read the sessions of a unit again, in its order."""
        for item in self._units[at].items():
            if isinstance(item, ImportedSession) and item.head.file not in self._copies:
                yield item.recording

    def _add_head(self, head: SessionHead, before: int) -> bool:
        self._places = None
        if head.file in self._copies:
            return False
        if not self._assembler.add(head):
            self.problems.append(
                Problem(
                    file=head.file,
                    place="",
                    what=f"The session {head.session_id} is already in "
                    f"{self._file_of[head.session_id]}; this one was left out.",
                    remedy="Keep one of both files.",
                    rule="source-session-repeated",
                    session_id=head.session_id,
                )
            )
            reason = f"session {head.session_id} repeats one of {self._file_of[head.session_id]}"
            self.lost.append(Lost(place=head.file, reason=reason, kind="repeated"))
            return False
        self._file_of[head.session_id] = head.file
        if head.spot is not None:
            spot = head.spot
            self._spots[head.session_id] = spot._replace(number=spot.number + before)
        if head.masked:
            self._masked[head.session_id] = head.masked
        return True

    def _take_plan(self, plan: Manifest) -> None:
        """Go by the source's own plan, in which no file stands for sessions of its own."""
        self._own = self._own or plan
        self.lost[:] = [lost for lost in self.lost if lost.place not in self._copies]
        self._copies.clear()

    def _add_file(self, file: SourceFile) -> None:
        self.files.append(file)
        first = self._digests.setdefault(file.sha256, file.name)
        if first != file.name:
            self._copies.add(file.name)
            self.lost.append(
                Lost(
                    place=file.name,
                    reason=f"the same bytes as {first}, counted once",
                    kind="repeated",
                )
            )

    def _read_again(self, at: int, spot: Spot | None, kept: "_Kept | None") -> "_Kept":
        recordings: dict[object, SessionRecording] = dict(kept.recordings) if kept else {}
        unit = replace(self._units[at], part=spot)
        for item in unit.items():
            if isinstance(item, ImportedSession) and item.head.file not in self._copies:
                place = item.head.spot.place if spot and item.head.spot else item.head.session_id
                recordings.setdefault(place, item.recording)
        return _Kept(spot.end - spot.start if spot else unit.size, recordings)

    def _empty(self) -> Problem:
        # Of one file the reason is worth more than the advice.
        read = plural(len(self.files), "file")
        why = f": {self.lost[-1].words}" if len(self.files) == 1 and self.lost else ""
        return Problem(
            file=self.identified.name,
            place="",
            what=f"The source holds no session ({read} read{why}).",
            remedy="Give the file or folder that holds the sessions themselves.",
            rule="source-empty",
        )


@dataclass(frozen=True, slots=True)
class _Kept:
    """Sessions that were read again, in memory as long as there is room."""

    bytes: int
    """What was read for them."""
    recordings: Mapping[object, SessionRecording]
    """By session id; of a batch of elements, by place, those that were asked for at least."""


def _renamed(recording: SessionRecording | None, own_id: SessionId) -> SessionRecording | None:
    """Return a recording under the id that it has in the whole file."""
    if recording is None or recording.session_id == own_id:
        return recording
    problems = tuple(replace(one, session_id=own_id) for one in recording.problems)
    return replace(recording, session_id=own_id, problems=problems)


def _pieces(unit: WorkUnit) -> Sequence[WorkUnit]:
    """Cut a unit, where it is one large file of a format that can be cut."""
    importer = divisible(unit.importer)
    if importer is None or len(unit.files) != 1 or unit.size < 2 * PIECE_BYTES:
        return [unit]
    try:
        pieces = importer.pieces(unit.files[0], PIECE_BYTES)
    except OSError:
        return [unit]  # what is wrong with it is said where it is read
    return [replace(unit, part=piece) for piece in pieces] if len(pieces) > 1 else [unit]
