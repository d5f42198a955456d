"""Recording a wave while it runs: every record is on disk before the next one happens."""

import shutil
import threading
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from reporter.errors import Problem, RecordingError
from reporter.identifiers import RunId, SessionId, TargetId
from reporter.models.manifest import (
    Attempt,
    CatalogEntry,
    CatalogFile,
    Goal,
    Manifest,
    Persona,
    Policy,
    Recorder,
    Run,
    RunStatus,
    Slot,
    Target,
)
from reporter.models.records import Record, Tool
from reporter.recording.encode import (
    json_bytes,
    json_line,
    manifest_bytes,
    wire_object,
    write_file_whole,
)
from reporter.recording.naming import (
    CATALOGS_FOLDER,
    MANIFEST_NAME,
    SESSION_ID_REMEDY,
    SESSIONS_FOLDER,
    catalog_file,
    is_session_id,
    missing_session_id,
    planned_session_id,
    session_file,
)
from reporter.recording.session_recorder import Clock, SessionRecorder

SlotKey = tuple[str, str, int]
"""Run, target and session index."""

_NANOSECONDS_A_MILLISECOND: Final = 1_000_000


def system_clock() -> int:
    """Return the time of the machine in epoch milliseconds."""
    return time.time_ns() // _NANOSECONDS_A_MILLISECOND


class WaveRecorder:
    """Writes one wave: a file a session as it happens, the manifest at the end.

    Until `finish` the folder has no manifest and is read as an interrupted wave. Used as
    a context manager, the wave finishes at the end of the block and stays interrupted when
    the block is left by an exception.

    Args:
        folder: Where to write; created when it is not there, refused when it holds a wave.
        wave_id: Id of the wave (`swarmRunGroupId`).
        personas: Who pursues goals.
        goals: What they pursue.
        targets: What they pursue it against.
        runs: Goal by persona; `target_ids` and `sessions_per_target` say which sessions
            are planned.
        recorder: Name and version of the program that records.
        name: Name of the wave, or None.
        swarm_id: Id of the swarm that was launched, or None.
        policy: Judge policy of the wave, or None where there is none to record.
        catalogs: Tool catalogues known from the start, each written as by `add_catalog`; one
            that names a file instead of tools is listed as it is.
        created_at_ms: When the wave was launched; by default now.
        clock: Gives the time of a record in epoch milliseconds, or None for no time.

    Raises:
        RecordingError: The folder already holds a wave.

    Rule: recording.md section 7.
    """

    def __init__(  # noqa: PLR0913  a wave has that many parts
        self,
        folder: Path,
        *,
        wave_id: str,
        personas: Sequence[Persona],
        goals: Sequence[Goal],
        targets: Sequence[Target],
        runs: Sequence[Run],
        recorder: Recorder,
        name: str | None = None,
        swarm_id: str | None = None,
        policy: Policy | None = None,
        catalogs: Iterable[CatalogEntry] = (),
        created_at_ms: int | None = None,
        clock: Clock = system_clock,
    ) -> None:
        self.folder = folder
        self._clock = clock
        self._lock = threading.Lock()
        self._runs = {run.run_id: run for run in runs}
        self._targets = {target.target_id: target for target in targets}
        self._slots: dict[str, Slot] = {}
        self._keys: dict[SlotKey, str] = {}
        self._sessions: dict[str, SessionRecorder] = {}
        self._catalogs: dict[str, CatalogEntry] = {}
        self._finished = False
        self._head = Manifest(
            swarm_run_group_id=wave_id,
            swarm_id=swarm_id,
            swarm_name=name,
            created_at=clock() if created_at_ms is None else created_at_ms,
            finished_at=None,
            terminal=False,
            personas=list(personas),
            goals=list(goals),
            targets=list(targets),
            runs=list(runs),
            slots=[],
            policy=policy,
            recorder=recorder,
        )
        _refuse_existing_wave(folder)
        (folder / SESSIONS_FOLDER).mkdir(parents=True, exist_ok=True)
        for entry in catalogs:
            if entry.tools is None:
                self._catalogs[entry.catalog_id] = entry
            else:
                self.add_catalog(entry.catalog_id, entry.tools, complete=entry.complete or False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is None and not self._finished:
            self.finish()

    def add_catalog(
        self, catalog_id: str, tools: Iterable[Tool], *, complete: bool = False
    ) -> None:
        """Write a tool catalogue, to be named by targets and `catalog` records.

        Args:
            catalog_id: Its id; a second catalogue of one id replaces the first.
            tools: What was listed.
            complete: True only when every page of every server was listed.
        """
        name = catalog_file(catalog_id)
        content = CatalogFile(tools=list(tools), complete=complete)
        (self.folder / CATALOGS_FOLDER).mkdir(exist_ok=True)
        written = json_bytes(wire_object(content, masked=True), indent=2) + b"\n"
        write_file_whole(self.folder / name, written)
        with self._lock:
            self._catalogs[catalog_id] = CatalogEntry(
                catalog_id=catalog_id, path=name, complete=complete
            )

    def slot(
        self,
        session_id: str,
        run_id: str,
        target_id: str,
        session_index: int,
        *,
        document_id: str | None = None,
    ) -> SessionId:
        """Name a planned session without recording anything of it yet.

        Raises:
            ValueError: The id breaks the pattern of session ids or is taken, the place is
                taken, or the wave has no such run or target.
        """
        with self._lock:
            self._declare(session_id, (run_id, target_id, session_index), document_id)
        return SessionId(session_id)

    def session(  # noqa: PLR0913  a slot has three coordinates, and a name
        self,
        session_id: str,
        run_id: str,
        target_id: str,
        session_index: int = 0,
        *,
        document_id: str | None = None,
        at: int | None = None,
    ) -> SessionRecorder:
        """Open a session's file and write its first record.

        Several sessions may be open at once, each in a thread of its own.

        Args:
            session_id: Letters, digits and `._:-`, at most 200.
            run_id: A run of this wave.
            target_id: A target of this wave.
            session_index: Which of the run's sessions against that target, from zero.
            document_id: A second name of the session, or None.
            at: When it began; by default now.

        Returns:
            The session, to be used as a context manager or closed by hand.

        Raises:
            ValueError: As for `slot`, or the session was opened before.
            RecordingError: The file cannot be created.
        """
        with self._lock:
            key = (run_id, target_id, session_index)
            if session_id not in self._slots or self._keys.get(key) != session_id:
                self._declare(session_id, key, document_id)
            if session_id in self._sessions:
                raise ValueError(f"session {session_id} was opened before")
            try:
                stream = (self.folder / session_file(session_id)).open("xb")
            except OSError as error:
                raise _refused(
                    session_file(session_id),
                    f"The file cannot be created: {error.strerror or error}.",
                    "Choose a shorter session id, or make room.",
                ) from error
            session = SessionRecorder(session_id, stream, self._clock)
            self._sessions[session_id] = session
        run, target = self._runs[run_id], self._targets[target_id]
        session.start(run=run, target=target, session_index=session_index, at=at)
        return session

    def attempt(self, session_id: str, attempt: Attempt) -> None:
        """Set what the runner says about a slot; it outranks the session's own last word.

        Raises:
            ValueError: The wave has no such slot.
        """
        with self._lock:
            if session_id not in self._slots:
                raise ValueError(f"the wave has no slot {session_id}: name it with slot() first")
            self._slots[session_id] = self._slots[session_id].model_copy(
                update={"attempt": attempt}
            )

    def run_status(self, run_id: str, status: RunStatus, *, error: str | None = None) -> None:
        """Set how a run ended.

        Raises:
            ValueError: The wave has no such run.
        """
        with self._lock:
            if run_id not in self._runs:
                raise ValueError(f"the wave has no run {run_id}")
            self._runs[run_id] = self._runs[run_id].model_copy(
                update={"status": status, "error": error}
            )

    def finish(self, finished_at_ms: int | None = None, *, terminal: bool | None = None) -> Path:
        """Write the manifest, which ends the recording.

        Planned sessions that were never named are listed as not recorded.

        Args:
            finished_at_ms: When the wave ended; by default now.
            terminal: Whether every run has ended; by default true when none is `running`.

        Returns:
            The manifest's path.

        Raises:
            ValueError: A session is still open, or the wave was finished before.
        """
        with self._lock:
            still_open = sorted(name for name, one in self._sessions.items() if not one.closed)
            if still_open or self._finished:
                raise ValueError(f"still open: {still_open}" if still_open else "finished before")
            self._list_planned()
            runs = list(self._runs.values())
            if terminal is None:
                terminal = all(run.status != "running" for run in runs)
            manifest = self._head.model_copy(
                update={
                    "finished_at": self._clock() if finished_at_ms is None else finished_at_ms,
                    "terminal": terminal,
                    "runs": runs,
                    "slots": [self._closed_slot(slot) for slot in self._slots.values()],
                    "catalogs": list(self._catalogs.values()) or None,
                }
            )
            path = self.folder / MANIFEST_NAME
            write_file_whole(path, manifest_bytes(manifest))
            self._finished = True
        return path

    def _declare(self, session_id: str, key: SlotKey, document_id: str | None) -> None:
        run_id, target_id, session_index = key
        if self._finished:
            raise ValueError("the wave is finished")
        if not is_session_id(session_id):
            raise ValueError(f"{session_id!r} is no session id: {SESSION_ID_REMEDY}")
        if run_id not in self._runs or target_id not in self._targets:
            raise ValueError(f"the wave has no run {run_id} or no target {target_id}")
        if session_id in self._slots or key in self._keys:
            raise ValueError(f"the slot {session_id} or its place {key} is taken")
        self._keys[key] = session_id
        self._slots[session_id] = Slot(
            session_id=session_id,
            run_id=run_id,
            target_id=target_id,
            session_index=session_index,
            attempt=None,
            recorded=False,
            document_id=document_id,
        )

    def _list_planned(self) -> None:
        for run in self._runs.values():
            for target_id in run.target_ids:
                for index in range(run.sessions_per_target):
                    key = (run.run_id, target_id, index)
                    if key in self._keys or target_id not in self._targets:
                        continue
                    session_id = planned_session_id(run, self._targets[target_id], index)
                    if session_id in self._slots:
                        session_id = missing_session_id(
                            RunId(run.run_id), TargetId(target_id), index
                        )
                    self._declare(session_id, key, None)

    def _closed_slot(self, slot: Slot) -> Slot:
        session = self._sessions.get(slot.session_id)
        if session is None:
            return slot
        return slot.model_copy(
            update={
                "attempt": slot.attempt or session.outcome,
                "recorded": True,
                "message_count": session.message_count,
            }
        )


def write_wave(
    folder: Path,
    manifest: Manifest,
    sessions: Iterable[tuple[str, Iterable[Record]]],
    *,
    is_masked: bool = False,
) -> None:
    """Write a whole recorded wave at once, or nothing.

    Args:
        folder: Where to write; must not exist, or be empty.
        manifest: The plan, as it is to stand in the manifest.
        sessions: One pair a session that recorded anything: its id, and its records in
            order, with `seq` and `index` as they are to be written. Consumed one by one.
        is_masked: True: the records hold no secrets any more, so none is looked for again.

    Raises:
        RecordingError: The folder is not empty, an id breaks the pattern of session ids or
            comes twice, or a file cannot be written. Nothing is left behind then.

    Rule: recording.md section 2.
    """
    write_lines(
        folder,
        manifest,
        (
            (session_id, (record_lines([record], masked=not is_masked) for record in records))
            for session_id, records in sessions
        ),
    )


def record_lines(records: Iterable[Record], *, masked: bool) -> bytes:
    """Return records as the lines that they are written as.

    Args:
        records: In order, with `seq` and `index` as they are to be written.
        masked: True replaces secrets.
    """
    return b"".join(json_line(wire_object(record, masked=masked)) for record in records)


def write_lines(
    folder: Path, manifest: Manifest, sessions: Iterable[tuple[str, Iterable[bytes]]]
) -> None:
    """Write a whole recorded wave whose sessions are lines already; see `write_wave`.

    Raises:
        RecordingError: As for `write_wave`.
    """
    with new_folder(folder) as temporary:
        (temporary / SESSIONS_FOLDER).mkdir()
        for session_id, lines in sessions:
            _write_session(temporary, session_id, lines)
        (temporary / MANIFEST_NAME).write_bytes(manifest_bytes(manifest))


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """Make a folder that takes its name when the block ends well, and never otherwise.

    Args:
        folder: Must not exist, or be empty.

    Raises:
        RecordingError: It holds something, or it cannot be written.
    """
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise _refused(folder.name, "It exists and is not an empty folder.", "Name a new folder.")
    temporary = folder.absolute().with_name(f".{folder.name}.{uuid.uuid4().hex}.part")
    try:
        temporary.mkdir(parents=True)
        yield temporary
        temporary.replace(folder)
    except OSError as error:
        raise _refused(folder.name, f"It cannot be written: {error.strerror}.", "") from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _write_session(folder: Path, session_id: str, lines: Iterable[bytes]) -> None:
    name = session_file(session_id)
    if not is_session_id(session_id):
        raise _refused(name, f"{session_id!r} is no session id.", SESSION_ID_REMEDY)
    path = folder / name
    if path.exists():
        raise _refused(name, "Two sessions have this id.", "Give every session its own id.")
    with path.open("xb") as stream:
        stream.writelines(lines)


def _refuse_existing_wave(folder: Path) -> None:
    sessions = folder / SESSIONS_FOLDER
    if (folder / MANIFEST_NAME).exists() or (sessions.is_dir() and any(sessions.iterdir())):
        raise _refused(
            folder.name, "The folder already holds a recorded wave.", "Record into a new folder."
        )


def _refused(file: str, what: str, remedy: str) -> RecordingError:
    return RecordingError([Problem(file=file, place="", what=what, remedy=remedy, rule="write")])
