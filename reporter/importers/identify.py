"""Tells which importer reads a source; the only place that knows them all."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from reporter.errors import AmbiguousFormatError, Problem, RecordingError, UnknownFormatError
from reporter.importers.atif import Atif
from reporter.importers.chat_reward import ChatReward
from reporter.importers.claude_code import ClaudeCode
from reporter.importers.claude_code_stream import ClaudeCodeStream
from reporter.importers.codex import Codex
from reporter.importers.identified import Identified, unreadable
from reporter.importers.importer import Adopting, Importer
from reporter.importers.inputs import Found, find_inputs, is_pattern
from reporter.importers.inspect_ai.importer import InspectAi
from reporter.importers.mcpchecker import McpChecker
from reporter.importers.mcpjam import McpJam
from reporter.importers.otel.importer import OtelGenAi
from reporter.importers.pi import Pi
from reporter.importers.sniff import is_document, is_native
from reporter.importers.source import Look, SourceEntry, look_at
from reporter.importers.swe_agent.importer import SweAgent
from reporter.importers.swe_agent.mini import MiniSweAgent
from reporter.importers.tau2 import Tau2
from reporter.models.manifest import Lost

IMPORTERS: Final[tuple[Importer, ...]] = (
    ChatReward(),
    Tau2(),
    McpChecker(),
    McpJam(),
    InspectAi(),
    ClaudeCode(),
    ClaudeCodeStream(),
    Codex(),
    Pi(),
    Atif(),
    SweAgent(),
    MiniSweAgent(),
    OtelGenAi(),
)
"""Every format that can be imported."""

_SHOWN: Final = 5


def identify(
    source: Path | Sequence[Path], importers: Sequence[Importer] = IMPORTERS
) -> Identified:
    """Tell which importer reads a source.

    Args:
        source: A path, or several that are one source; see `find_inputs` for what a path
            may be.
        importers: The formats to try.

    Raises:
        AmbiguousFormatError: More than one importer claims a file, or different importers
            claim files of the source.
        UnknownFormatError: No importer claims anything.
        RecordingError: A path cannot be read, or holds a recorded wave that must be given
            alone.
    """
    paths = [source] if isinstance(source, Path) else list(source)
    found = find_inputs(paths)
    lost, problems = found.lost, found.problems
    claims: list[tuple[SourceEntry, list[Importer]]] = []
    looks: list[Look] = []
    for file in found.files:
        try:
            look = look_at(file)
        except OSError as error:
            reason = f"cannot be read: {error.strerror}"
            lost.append(Lost(place=file.name, reason=reason))
            problems.append(unreadable(file.name, error))
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
        _refuse_ours(claims, looks)
        raise UnknownFormatError([*problems, _unknown(paths, found, importers)])
    if len(owners) > 1:
        raise AmbiguousFormatError([_mixed(found.name, claims)])
    lost.extend(
        Lost(place=file.name, reason="no importer knows this kind of file")
        for file, claiming in claims
        if not claiming
    )
    (importer,) = owners.values()
    return Identified(
        importer=importer,
        name=found.name,
        files=tuple(file for file, claiming in claims if claiming),
        lost=tuple(sorted(lost, key=lambda entry: entry.place)),
        problems=tuple(problems),
    )


def _refuse_ours(claims: Sequence[tuple[SourceEntry, object]], looks: Sequence[Look]) -> None:
    """Say of a recorded wave or a findings document how it must be given.

    Raises:
        RecordingError: There is one, packed or among others.
    """
    for (file, _), look in zip(claims, looks, strict=True):
        what = ""
        if is_native(look.outline):
            what = "a recorded wave"
        elif is_document(look.outline):
            what = "a findings document"
        if what:
            raise RecordingError(
                [
                    Problem(
                        file=file.name,
                        place="",
                        what=f"It is {what}, which is a source of its own.",
                        remedy="Unpack it where it is packed, and give it alone.",
                        rule="not-alone",
                    )
                ]
            )


def _with_adopted(
    claims: list[tuple[SourceEntry, list[Importer]]], looks: Sequence[Look]
) -> list[tuple[SourceEntry, list[Importer]]]:
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

    def may_take(claiming: list[Importer]) -> bool:
        return not claiming or claiming[0].name in owner.copies

    return [
        (file, [owner] if may_take(claiming) and owner.adopts(look) else claiming)
        for (file, claiming), look in zip(claims, looks, strict=True)
    ]


def _unknown(paths: Sequence[Path], found: Found, importers: Sequence[Importer]) -> Problem:
    files = found.files
    if len(files) == 1 and len(paths) == 1 and not paths[0].is_dir():
        what = "No importer knows this file."
        if not is_pattern(paths[0]) and paths[0].stat().st_size == 0:
            what = "The file is empty."
    elif files:
        more = f" and {len(files) - _SHOWN} more" if len(files) > _SHOWN else ""
        shown = ", ".join(file.name for file in files[:_SHOWN])
        what = f"No importer knows any of its files ({shown}{more})."
    else:
        kind = "folder" if paths[0].is_dir() else "source"
        what = f"The {kind} holds no file that could be a recording."
    looked_for = ", ".join(importer.name for importer in importers)
    return Problem(
        file=found.name,
        place="",
        what=f"{what} Looked for a native recording (a folder with wave.json) and for "
        f"{looked_for}.",
        remedy="Give the file or folder that holds the sessions themselves; `swarm-reporter "
        "formats` says what each format is known by.",
        rule="unknown-format",
    )


def _mixed(name: str, claims: Sequence[tuple[SourceEntry, Sequence[Importer]]]) -> Problem:
    first: dict[str, str] = {}
    for file, claiming in claims:
        if claiming:
            first.setdefault(claiming[0].name, file.name)
    kinds = ", ".join(f"{kind} ({file})" for kind, file in first.items())
    return Problem(
        file=name,
        place="",
        what=f"Its files are of different formats: {kinds}.",
        remedy="Put the files of each format into a folder of their own.",
        rule="mixed-formats",
    )


def _names(importers: Sequence[Importer]) -> str:
    return " and ".join(importer.name for importer in importers)
