"""Opening a native recording: the plan at once, sessions one at a time."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from pydantic import ValidationError
from pydantic_core import from_json

from reporter.canonical import canonical_digest
from reporter.errors import Problem, RecordingError
from reporter.identifiers import SessionId
from reporter.models.manifest import Manifest
from reporter.models.plan import Plan
from reporter.models.session import InputFile, SessionRecording
from reporter.recording.catalogs import load_catalogs
from reporter.recording.files import unreadable
from reporter.recording.folder import FolderForm, scan_folder
from reporter.recording.interrupted import interrupted_plan
from reporter.recording.limits import Limits
from reporter.recording.lines import (
    BYTE_ORDER_MARK,
    has_bare_constant,
    json_complaint,
    repaired,
)
from reporter.recording.naming import MANIFEST_NAME, session_file
from reporter.recording.plan import resolve_plan
from reporter.recording.problems import refusals
from reporter.recording.single_file import SingleFileForm, scan_single_file

_SNIFFED: Final = 65_536
"""Bytes of a file that are looked at to tell a recording from something else."""
_MANIFEST_REMEDY: Final = "The JSON Schema of the format says what a manifest holds."


@dataclass(frozen=True, slots=True)
class NativeWave:
    """One native recording, its plan read and its sessions still on disk.

    It can be pickled: another process reads other sessions from it.
    """

    name: str
    """The last part of the path: never a path of the machine."""
    plan: Plan
    manifest: Manifest | None
    """As it was written but for its slots, which stand in the plan; None where it is missing."""
    problems: tuple[Problem, ...]
    """What is wrong with the wave; a session's own problems come with the session."""
    unplanned: tuple[str, ...]
    """Ids of recorded sessions that no slot knows, in code-point order."""
    limits: Limits
    form: FolderForm | SingleFileForm
    """How it lies on disk."""
    recorded: Mapping[SessionId, str]
    """The id that a session is filed under, by the id of its slot."""
    digests: dict[str, str | None] = field(default_factory=dict, compare=False)
    """Digests known so far, by the id that a session is filed under."""

    def read(self, session_id: str) -> SessionRecording:
        """Read one session.

        Args:
            session_id: Of a slot, or one of `unplanned`.

        Returns:
            Its records, or an empty recording with `present` false where there are none.
        """
        filed = self._filed(session_id)
        if filed is None:
            return SessionRecording(session_id=SessionId(session_id), present=False)
        recording = self.form.read(filed, session_id, self.limits)
        self.digests[filed] = recording.sha256
        return recording

    def whole_manifest(self) -> Manifest | None:
        """Read the manifest again, as it was written, its slots too; None where it is missing.

        Raises:
            RecordingError: It can no longer be read, or no longer be used.
        """
        if self.manifest is None:
            return None
        form = self.form
        is_line = isinstance(form, SingleFileForm)
        path = form.path if isinstance(form, SingleFileForm) else form.root / MANIFEST_NAME
        try:
            with path.open("rb") as stream:
                data = stream.readline() if is_line else stream.read()
        except OSError as error:
            raise RecordingError([unreadable(form.manifest_file, error)]) from error
        return parse_manifest(data, file=form.manifest_file, is_line=is_line)

    def files(self, digests: Mapping[str, str] | None = None) -> tuple[InputFile, ...]:
        """Return every file of the recording with its digest and size, by name.

        Args:
            digests: Session digests that were computed elsewhere, by session id.
        """
        return self.form.files(self._known(digests))

    def source_revision(self, digests: Mapping[str, str] | None = None) -> str:
        """Return the digest of everything that the recording holds.

        Args:
            digests: Session digests that were computed elsewhere, by session id; what
                this object has read itself it knows.

        Rule: findings.md section 3.1.
        """
        return canonical_digest(self.form.sources(self._known(digests)))

    def _filed(self, session_id: str) -> str | None:
        filed = self.recorded.get(SessionId(session_id))
        return session_id if filed is None and session_id in self.unplanned else filed

    def _known(self, digests: Mapping[str, str] | None) -> dict[str, str | None]:
        known = dict(self.digests)
        for session_id, digest in (digests or {}).items():
            filed = self._filed(session_id)
            if filed is not None:
                known[filed] = digest
        return known


def looks_native(path: Path) -> bool:
    """Tell whether a path is a native recording, without reading more than its beginning.

    Args:
        path: A folder or a file.

    Returns:
        True for a folder with a manifest or session files, for a manifest, and for a file
        whose first line calls itself a wave; false for anything else.
    """
    try:
        if path.is_dir():
            form, _ = scan_folder(path)
            return form.has_manifest or bool(form.sessions)
        if path.name == MANIFEST_NAME:
            return path.is_file()
        with path.open("rb") as stream:
            head = stream.readline(_SNIFFED)
    except OSError:
        return False
    return b'"swarm-recording"' in head


def open_wave(path: Path, limits: Limits = Limits()) -> NativeWave:  # noqa: B008  frozen
    """Open a native recording.

    Args:
        path: A wave's folder, its manifest, or a recording in a single file.
        limits: How much is read of it.

    Raises:
        RecordingError: There is nothing to read, or the manifest cannot be used; it names
            every place that is wrong.

    Rule: recording.md section 2.
    """
    if path.is_dir():
        return _open_folder(path, limits)
    if not path.exists():
        raise _nothing(path.name, "not-found", "There is no such file or folder.", "")
    if path.name == MANIFEST_NAME:
        return _open_folder(path.absolute().parent, limits)
    return _open_single_file(path, limits)


def _open_folder(root: Path, limits: Limits) -> NativeWave:
    name = root.absolute().name
    try:
        form, problems = scan_folder(root)
    except OSError as error:
        raise RecordingError([unreadable(name, error)]) from error
    if not form.has_manifest:
        if not form.sessions:
            nothing = Problem(
                file=name,
                place="",
                what=f"The folder holds neither {MANIFEST_NAME} nor session files.",
                remedy="Name the folder that a recorder or `import` has written, or one with files "
                "of a format that `swarm-reporter formats` lists.",
                rule="empty-folder",
            )
            raise RecordingError([*problems, nothing])
        plan, missing = interrupted_plan(form.starts(limits))
        return _wave(
            name, form, plan=plan, manifest=None, problems=(*problems, *missing), limits=limits
        )
    try:
        data = (root / MANIFEST_NAME).read_bytes()
    except OSError as error:
        raise RecordingError([unreadable(MANIFEST_NAME, error)]) from error
    manifest = parse_manifest(data, file=MANIFEST_NAME)
    catalogs, pointed, broken = load_catalogs(
        manifest.catalogs or (), manifest_file=MANIFEST_NAME, root=root, files=form.catalogs
    )
    plan, unresolved = resolve_plan(manifest, file=MANIFEST_NAME, catalogs=catalogs)
    form = replace(form, pointed=pointed)
    problems = (*problems, *broken, *unresolved)
    return _wave(name, form, plan=plan, manifest=manifest, problems=problems, limits=limits)


def _open_single_file(path: Path, limits: Limits) -> NativeWave:
    try:
        with path.open("rb") as stream:
            first = stream.readline(limits.line_bytes + 2)
    except OSError as error:
        raise RecordingError([unreadable(path.name, error)]) from error
    if len(first.removesuffix(b"\n")) > limits.line_bytes:
        what = f"The manifest's line is longer than {limits.line_bytes:,} bytes."
        raise _nothing(path.name, "line-too-long", what, "Use the folder form.")
    manifest = parse_manifest(first, file=path.name, is_line=True)
    catalogs, _, broken = load_catalogs(
        manifest.catalogs or (), manifest_file=path.name, root=None, files={}
    )
    plan, unresolved = resolve_plan(manifest, file=path.name, catalogs=catalogs)
    names = {str(slot.session_id): str(slot.session_id) for slot in plan.slots}
    names |= {slot.document_id: slot.session_id for slot in plan.slots if slot.document_id}
    form, homeless = scan_single_file(path, known=names, limits=limits)
    problems = (*broken, *unresolved, *homeless)
    name = path.absolute().name
    return _wave(name, form, plan=plan, manifest=manifest, problems=problems, limits=limits)


def parse_manifest(data: bytes, *, file: str, is_line: bool = False) -> Manifest:
    """Read a manifest.

    Args:
        data: Its bytes.
        file: Its name, for problems.
        is_line: True for the first line of a single file, which has to call itself a wave.

    Raises:
        RecordingError: It cannot be used; every place that is wrong is named.

    Rule: recording.md section 3.
    """
    text = repaired(data.removeprefix(BYTE_ORDER_MARK))
    where = "line 1" if is_line else ""
    if not text.strip():
        raise _nothing(file, "manifest-invalid", "The manifest is empty.", _MANIFEST_REMEDY)
    try:
        manifest = Manifest.model_validate_json(text)
    except ValidationError as error:
        raise RecordingError(_manifest_problems(text, error, file, where)) from error
    unsaid = {"format", "format_version"} - manifest.model_fields_set
    if unsaid:
        what = "It does not say `format` and `formatVersion`."
        remedy = 'Write `"format": "swarm-recording"` and `"formatVersion": 1`.'
        raise _nothing(file, "manifest-invalid", what, remedy)
    if has_bare_constant(text):
        what = "It is not JSON: NaN and Infinity have no JSON form."
        raise _nothing(file, "manifest-invalid", what, _MANIFEST_REMEDY)
    if is_line and (manifest.model_extra or {}).get("type") != "wave":
        what = 'The first line is no manifest: it has to say `"type": "wave"`.'
        raise _nothing(file, "manifest-missing", what, _MANIFEST_REMEDY)
    return manifest


def _manifest_problems(text: bytes, error: ValidationError, file: str, where: str) -> list[Problem]:
    complaint = json_complaint(text, error)
    if complaint is not None:
        return [Problem(file, where, complaint, _MANIFEST_REMEDY, "manifest-invalid")]
    value = from_json(text)
    if where and isinstance(value, dict) and value.get("type") != "wave":
        what = 'The first line is no manifest: it has to say `"type": "wave"`.'
        return [Problem(file, where, what, _MANIFEST_REMEDY, "manifest-missing")]
    version = value.get("formatVersion") if isinstance(value, dict) else None
    if isinstance(version, int) and version > 1:
        what = f"The recording is of format version {version}; version 1 is read here."
        return [Problem(file, where, what, "Update the reporter.", "manifest-version")]
    return [
        Problem(
            file,
            ": ".join(part for part in (where, place) if part),
            what,
            _MANIFEST_REMEDY,
            "manifest-invalid",
        )
        for place, what in refusals(error, value)
    ]


def _wave(  # noqa: PLR0913  the parts of a wave
    name: str,
    form: FolderForm | SingleFileForm,
    *,
    plan: Plan,
    manifest: Manifest | None,
    problems: Iterable[Problem],
    limits: Limits,
) -> NativeWave:
    filed = set(form.session_ids())
    recorded: dict[SessionId, str] = {}
    found = list(problems)
    for slot in plan.slots:
        if slot.session_id in filed:
            recorded[slot.session_id] = slot.session_id
            if slot.document_id != slot.session_id and slot.document_id in filed:
                filed.remove(slot.document_id)
                found.append(_second_file(slot.session_id, slot.document_id, form))
        elif slot.document_id is not None and slot.document_id in filed:
            recorded[slot.session_id] = slot.document_id
        elif slot.recorded:
            found.append(_missing_file(slot.session_id, form))
    unplanned = tuple(sorted(filed.difference(recorded.values())))
    found += [_without_slot(own, form) for own in unplanned]
    return NativeWave(
        name=name,
        plan=plan,
        manifest=manifest.model_copy(update={"slots": []}) if manifest else None,
        problems=tuple(found),
        unplanned=unplanned,
        limits=limits,
        form=form,
        recorded=recorded,
    )


def _missing_file(session_id: SessionId, form: FolderForm | SingleFileForm) -> Problem:
    is_folder = isinstance(form, FolderForm)
    return Problem(
        file=session_file(session_id) if is_folder else form.manifest_file,
        place="",
        what=f"Session {session_id} is said to be recorded, and there is nothing of it.",
        remedy="Restore the file, or write `recorded: false`.",
        rule="session-file-missing",
        session_id=session_id,
    )


def _second_file(
    session_id: SessionId, document_id: str, form: FolderForm | SingleFileForm
) -> Problem:
    return Problem(
        file=form.file_of(document_id),
        place="",
        what=f"It and {form.file_of(session_id)} both stand for session {session_id}, which is"
        f" called {document_id}, too; this one is left out.",
        remedy="Keep one file for every session.",
        rule="duplicate-session-file",
        session_id=session_id,
    )


def _without_slot(own: str, form: FolderForm | SingleFileForm) -> Problem:
    return Problem(
        file=form.file_of(own),
        place="",
        what=f"No slot of the wave is called {own}; the session counts and stands nowhere else.",
        remedy="List it under `slots`, or take it out of the recording.",
        rule="session-without-slot",
        session_id=own,
    )


def _nothing(file: str, rule: str, what: str, remedy: str) -> RecordingError:
    return RecordingError([Problem(file=file, place="", what=what, remedy=remedy, rule=rule)])
