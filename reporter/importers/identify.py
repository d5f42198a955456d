"""Tells what an input is: which importer's, a native recording, or a findings document."""

import itertools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reporter.errors import AmbiguousFormatError, Problem, RecordingError, UnknownFormatError
from reporter.importers.atif import Atif
from reporter.importers.chat_reward import ChatReward
from reporter.importers.claude_code import ClaudeCode
from reporter.importers.importer import Adopting, Importer
from reporter.importers.inspect_ai.importer import InspectAi
from reporter.importers.mcpchecker import McpChecker
from reporter.importers.naming import UniqueIds, safe_id
from reporter.importers.otel.importer import OtelGenAi
from reporter.importers.outline import HEAD_BYTES, Outline, outline_of
from reporter.importers.pi import Pi
from reporter.importers.sound import sound_text
from reporter.importers.source import LocalFile, Look, look_at
from reporter.importers.swe_agent.importer import SweAgent
from reporter.importers.swe_agent.mini import MiniSweAgent
from reporter.importers.tau2 import Tau2
from reporter.models.manifest import Lost

IMPORTERS: Final[tuple[Importer, ...]] = (
    ChatReward(),
    Tau2(),
    McpChecker(),
    InspectAi(),
    ClaudeCode(),
    Pi(),
    Atif(),
    SweAgent(),
    MiniSweAgent(),
    OtelGenAi(),
)
"""Every format that can be imported."""

# What stands beside data in a published folder, and is none.
_BESIDE: Final = frozenset({"readme", "license", "licence", "notice", "copying", "changelog"})
_BESIDE_SUFFIXES: Final = (".md", ".rst", ".txt")
_DATA_SUFFIXES: Final = (".json", ".jsonl")
_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class Identified:
    """A source that one importer reads."""

    importer: Importer
    name: str
    """The last part of the path that the user gave."""
    files: tuple[LocalFile, ...]
    """The files that the importer claims, sorted by name."""
    lost: tuple[Lost, ...] = ()
    """Files of the source that nobody reads, with the reason."""


def identify(path: Path, importers: Sequence[Importer] = IMPORTERS) -> Identified:
    """Tell which importer reads a file or a folder.

    Hidden files, and what usually stands beside data (README, LICENSE, `*.md` and the
    like), are passed over in silence. Links inside a folder are not followed.

    Args:
        path: A file, or a folder that is searched through.
        importers: The formats to try.

    Raises:
        AmbiguousFormatError: More than one importer claims a file, or different importers
            claim files of the folder.
        UnknownFormatError: No importer claims anything.
        RecordingError: The path cannot be read.
    """
    files, lost = _files(path)
    claims: list[tuple[LocalFile, list[Importer]]] = []
    looks: list[Look] = []
    for file in files:
        try:
            look = look_at(file)
        except OSError as error:
            lost.append(Lost(place=file.name, reason=f"cannot be read: {error.strerror}"))
            continue
        claims.append((file, [importer for importer in importers if importer.claims(look)]))
        looks.append(look)
    twice = [
        Problem(
            file=file.name,
            place="",
            what=f"The importers {_names(claiming)} both claim this file.",
            remedy="Report this as a defect, with the first lines of the file.",
            rule="ambiguous-format",
        )
        for file, claiming in claims
        if len(claiming) > 1
    ]
    if twice:
        raise AmbiguousFormatError(twice)
    claims = _with_adopted(claims, looks)
    owners = {claiming[0].name: claiming[0] for _, claiming in claims if claiming}
    if not owners:
        raise UnknownFormatError([_unknown(path, [file for file, _ in claims], importers)])
    if len(owners) > 1:
        raise AmbiguousFormatError([_mixed(path, claims)])
    lost.extend(
        Lost(place=file.name, reason="no importer knows this kind of file")
        for file, claiming in claims
        if not claiming
    )
    (importer,) = owners.values()
    return Identified(
        importer=importer,
        name=_given_name(path),
        files=tuple(file for file, claiming in claims if claiming),
        lost=tuple(sorted(lost, key=lambda entry: entry.place)),
    )


def _with_adopted(
    claims: list[tuple[LocalFile, list[Importer]]], looks: Sequence[Look]
) -> list[tuple[LocalFile, list[Importer]]]:
    """Give the one source that takes in files beside its own those that it knows."""
    adopting: dict[str, Adopting] = {
        importer.name: importer
        for _, claiming in claims
        for importer in claiming
        if isinstance(importer, Adopting)
    }
    if len(adopting) != 1:
        return claims
    (owner,) = adopting.values()
    return [
        (file, [owner] if claiming != [owner] and owner.adopts(look) else claiming)
        for (file, claiming), look in zip(claims, looks, strict=True)
    ]


def sniff_native(path: Path) -> bool:
    """Tell whether a path is a native recording: a folder, or the single-file form.

    A folder counts when it holds a manifest or, as an interrupted wave does, session
    files. What is wrong inside it is the reader's to say.

    Rule: recording.md section 2.
    """
    if path.is_dir():
        if (path / "wave.json").is_file():
            return True
        sessions = path / "sessions"
        return sessions.is_dir() and any(
            entry.suffix == ".jsonl" and not entry.name.startswith(".")
            for entry in sessions.iterdir()
        )
    outline = _outline(path)
    return outline.kind == "object" and (
        outline.string("type") == "wave" or outline.string("format") == "swarm-recording"
    )


def sniff_document(path: Path) -> bool:
    """Tell whether a file is a findings document, or an insights envelope that holds one.

    Rule: findings.md sections 3.1 and 3.4.
    """
    if path.is_dir():
        return False
    outline = _outline(path)
    if outline.kind != "object":
        return False
    return (
        outline.has("contractVersion", "population")
        or outline.has("contractVersion", "summaryKind")
        or outline.has("contractVersion", "findings")
        or outline.has("journeyFindings")
        or outline.has("schemaVersion", "scope.kind")
    )


def only_file(path: Path) -> Path | None:
    """Return the one file of a folder, or None for a folder of none or several.

    What is passed over when a folder is searched does not count.
    """
    if not path.is_dir():
        return None
    found = list(itertools.islice(_walk(path, []), 2))
    return found[0][1] if len(found) == 1 else None


def _outline(path: Path) -> Outline:
    try:
        with path.open("rb") as stream:
            return outline_of(stream.read(HEAD_BYTES))
    except OSError:
        return Outline(None)


def _files(path: Path) -> tuple[list[LocalFile], list[Lost]]:
    lost: list[Lost] = []
    try:
        if path.is_dir():
            found = sorted(_walk(path, lost))
        else:
            path.stat()
            found = [(sound_text(path.name), path)]
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise RecordingError(
            [
                Problem(
                    file=_given_name(path),
                    place="",
                    what=f"The source cannot be read: {reason}.",
                    remedy="Give the path of a recording, a file or a folder.",
                    rule="source-unreadable",
                )
            ]
        ) from None
    prefixes = UniqueIds()
    files = [
        LocalFile(path=where, name=name, prefix=prefixes.take(_prefix(name)))
        for name, where in found
    ]
    return files, lost


def _prefix(name: str) -> str:
    return safe_id(name.removesuffix(".json").removesuffix(".jsonl").replace("/", "."))


def _walk(root: Path, lost: list[Lost]) -> Iterator[tuple[str, Path]]:
    """Yield the files of a folder with their names inside it."""

    def unreadable(error: OSError) -> None:
        place = _inside(root, Path(error.filename))
        lost.append(Lost(place=place, reason=f"cannot be read: {error.strerror}"))

    for folder, subfolders, names in os.walk(root, onerror=unreadable):
        here = Path(folder)
        subfolders[:] = sorted(name for name in subfolders if not name.startswith("."))
        for name in [*names, *(name for name in subfolders if (here / name).is_symlink())]:
            where = here / name
            inside = _inside(root, where)
            if name.startswith(".") or _stands_beside(name.lower()):
                continue
            if where.is_symlink():
                lost.append(Lost(place=inside, reason="a link; links are not followed"))
            elif where.is_file():
                yield inside, where
            else:
                lost.append(Lost(place=inside, reason="neither a file nor a folder"))


def _stands_beside(name: str) -> bool:
    if name.endswith(_DATA_SUFFIXES):
        return False
    return name.endswith(_BESIDE_SUFFIXES) or name.partition(".")[0] in _BESIDE


def _inside(root: Path, where: Path) -> str:
    # A name that is no UTF-8 reaches Python with half characters in it.
    return sound_text(where.relative_to(root).as_posix())


def _given_name(path: Path) -> str:
    """Return the last part of a path as it was given; `.` and `..` have no name of their own."""
    return sound_text(path.name if path.name not in ("", "..") else path.resolve().name)


def _unknown(path: Path, files: Sequence[LocalFile], importers: Sequence[Importer]) -> Problem:
    if path.is_dir() and not files:
        what = "The folder holds no file that could be a recording."
    elif path.is_dir():
        more = f" and {len(files) - _SHOWN} more" if len(files) > _SHOWN else ""
        shown = ", ".join(file.name for file in files[:_SHOWN])
        what = f"No importer knows any of its files ({shown}{more})."
    elif path.stat().st_size == 0:
        what = "The file is empty."
    else:
        what = "No importer knows this file."
    looked_for = "; ".join(f"{importer.name}: {importer.looks_for}" for importer in importers)
    return Problem(
        file=_given_name(path),
        place="",
        what=f"{what} Looked for a native recording (a folder with wave.json), {looked_for}.",
        remedy="Give the file or folder that holds the sessions themselves.",
        rule="unknown-format",
    )


def _mixed(path: Path, claims: Sequence[tuple[LocalFile, Sequence[Importer]]]) -> Problem:
    first: dict[str, str] = {}
    for file, claiming in claims:
        if claiming:
            first.setdefault(claiming[0].name, file.name)
    kinds = ", ".join(f"{name} ({file})" for name, file in first.items())
    return Problem(
        file=_given_name(path),
        place="",
        what=f"Its files are of different formats: {kinds}.",
        remedy="Put the files of each format into a folder of their own.",
        rule="mixed-formats",
    )


def _names(importers: Sequence[Importer]) -> str:
    return " and ".join(importer.name for importer in importers)
