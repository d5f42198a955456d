"""What an importer is asked, and what it answers with."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from typing import Final, NamedTuple, Protocol, runtime_checkable

from reporter.canonical import canonical_json
from reporter.errors import Problem
from reporter.identifiers import CatalogId, RunId, SessionId, TargetId
from reporter.importers.described import Described
from reporter.importers.mapping import FileMapping
from reporter.importers.naming import short_digest
from reporter.importers.source import Look, SourceEntry
from reporter.models.manifest import (
    Attempt,
    CatalogEntry,
    Criterion,
    Goal,
    JudgePolicy,
    Lost,
    Manifest,
    Persona,
    Run,
    SourceFile,
    Target,
)
from reporter.models.plan import Catalog, PlannedSlot, SessionContext
from reporter.models.records import Record
from reporter.models.session import SessionRecording
from reporter.models.value import value

RUN_STATUS_RULE: Final = "from the attempts of its sessions"
"""How a run's status is marked: no foreign format records one."""


# Few distinct ones, asked for with every session.
_facets: Final = lru_cache(maxsize=1024)(short_digest)


def _canonical(predicate: object) -> str:
    # Asked for with every session, and most have none.
    return "null" if predicate is None else canonical_json(predicate)


class Spot(NamedTuple):
    """Where a session stands in its file, so that it can be read again alone."""

    start: int
    """Bytes before the batch of elements that it was parsed with."""
    end: int
    """Bytes up to the end of that batch."""
    place: int
    """Elements of the batch before it."""
    number: int
    """Elements of the file before it; of the piece, where a piece was read."""


@value(frozen=True, slots=True)
class SessionHead:
    """Who tried what against what, and how it ended: all that the plan needs of a session."""

    session_id: SessionId
    """Unique in its file; of two files with one id the first counts."""
    file: str
    """Name of the source file that it stands in."""
    persona: Persona
    goal: Goal
    target: Target
    rubric: tuple[Criterion, ...] = ()
    judge: JudgePolicy | None = None
    max_turns: int | None = None
    repetition: int | None = None
    """The source's own number of this repetition: decides the order, not the index."""
    attempt: Attempt | None = None
    recorded: bool = True
    """False: the source planned the session and holds nothing of it."""
    message_count: int | None = None
    document_id: str | None = None
    inferred: Mapping[str, str] = field(default_factory=dict)
    catalogs: Mapping[CatalogId, Catalog] = field(default_factory=dict)
    """Catalogues that its target and its records name; their entries were yielded before it."""
    masked: Mapping[str, int] = field(default_factory=dict)
    """Secrets masked in the session, by kind; no importer sets it (`importers.masking`)."""
    own_run_id: RunId | None = None
    """The run, where it is no longer to be told from the fields that it follows from."""
    planned: SessionContext | None = None
    """The place that the source's own plan gives it; None where the source has no plan."""

    spot: Spot | None = None
    """Where it stands, for an importer that can read it alone (`reporter.importers.parts`)."""

    @property
    def run_id(self) -> RunId:
        """The run that holds the session: same goal, persona, checks and limits, same run."""
        if self.own_run_id is not None:
            return self.own_run_id
        rubric = tuple((c.id, c.label, c.role, _canonical(c.predicate)) for c in self.rubric)
        judge = self.judge.model_dump_json() if self.judge else None
        facets = _facets(self.persona.key, rubric, judge, self.max_turns)
        return RunId(f"{self.goal.journey_ref_id}.{facets}")


@value(frozen=True, slots=True)
class ImportedSession:
    """One session of a source."""

    head: SessionHead
    records: Sequence[Record] = ()
    problem: Problem | None = None
    """Why the conversation could not be read; `records` then hold none of it."""

    @property
    def recording(self) -> SessionRecording:
        """The session as a reader of recordings would hand it on."""
        return SessionRecording(
            session_id=self.head.session_id,
            records=self.records,
            file=self.head.file,
            present=self.head.recorded,
            damaged=self.problem is not None,
            problems=(self.problem,) if self.problem else (),
        )


ImportedItem = ImportedSession | Lost | SourceFile | Problem | CatalogEntry | Manifest
"""What reading files yields: the files read, their sessions, and what could not be used.

A source that plans its sessions itself, as runs with slots, yields one manifest before its
sessions: their places are that plan's, and no plan is put together from their heads. All
files of such a source are one bundle. `source` and the end of `terminal` are filled in by
whoever reads it.
"""


class Importer(Hashable, Protocol):
    """One foreign format."""

    @property
    def name(self) -> str:
        """Name of the format, as it stands in a manifest's `source`."""

    @property
    def version(self) -> int:
        """Raised whenever the same bytes would give another recording."""

    @property
    def looks_for(self) -> str:
        """What a file must show to be claimed, in words that a user can check."""

    @property
    def described(self) -> Described:
        """What the format says of a session and what it cannot say."""

    def claims(self, look: Look) -> bool:
        """Tell whether a file is of this format, from a bounded look at it."""

    def bundles(self, files: Sequence[SourceEntry]) -> list[tuple[SourceEntry, ...]]:
        """Group the claimed files into those that must be read together.

        Bundles are read independently of each other, so a format whose session or whose
        names are spread over files puts these into one bundle. Most formats have one
        file a bundle.
        """

    def sessions(
        self, bundle: Sequence[SourceEntry], mapping: FileMapping
    ) -> Iterator[ImportedItem]:
        """Read a bundle: each file's digest, then what is in it, session by session.

        Nothing that is wrong with a file raises: a session that cannot be read, or the
        rest of a file that breaks off, becomes a `Lost` and a `Problem` with its place.

        Raises:
            OSError: A file cannot be read at all.
        """


@runtime_checkable
class Adopting(Importer, Protocol):
    """An importer whose sources hold files that say too little to be claimed alone."""

    @property
    def copies(self) -> frozenset[str]:
        """Names of importers whose files may stand beside its own, as copies of the same."""

    def adopts(self, look: Look) -> bool:
        """Tell whether a file belongs to a source of which other files were claimed.

        Asked of files that nobody claims, and of those that an importer of `copies` claims.
        """


def context_of(head: SessionHead) -> SessionContext:
    """Return what may be known of a session while the rest of the wave is still unread.

    Everything but the place is final. Run id and index are final too, unless the source
    repeats a session, leaves a repetition out or runs targets unequally often; the place
    that counts then is the manifest's (`reporter.importers.assemble`).
    """
    if head.planned is not None:
        return head.planned
    run_id = head.run_id
    target_id = TargetId(head.target.target_id)
    slot = PlannedSlot(
        session_id=head.session_id,
        run_id=run_id,
        target_id=target_id,
        session_index=head.repetition or 0,
        attempt=head.attempt,
        recorded=head.recorded,
        message_count=head.message_count,
        document_id=head.document_id,
        inferred=head.inferred,
        masked=head.masked,
    )
    run = Run(
        run_id=run_id,
        journey_ref_id=head.goal.journey_ref_id,
        persona_ref_id=head.persona.persona_ref_id,
        persona_name=head.persona.name,
        target_ids=[target_id],
        sessions_per_target=1,
        max_turns=head.max_turns,
        status="completed",
        rubric=list(head.rubric),
        judge=head.judge,
        inferred={"status": RUN_STATUS_RULE},
    )
    return SessionContext(
        slot=slot,
        run=run,
        persona=head.persona,
        goal=head.goal,
        target=head.target,
        judge=head.judge,
        catalog=head.catalogs.get(CatalogId(head.target.catalog_id or "")),
        catalogs=head.catalogs,
    )
