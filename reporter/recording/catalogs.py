"""Tool catalogues of a recording, from its manifest and from files of their own."""

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath
from typing import Final

from pydantic import ValidationError
from pydantic_core import from_json

from reporter.errors import Problem
from reporter.identifiers import CatalogId
from reporter.models.manifest import CatalogEntry, CatalogFile
from reporter.models.plan import Catalog
from reporter.models.records import Tool
from reporter.recording.files import is_inside, is_readable_file, unreadable
from reporter.recording.lines import json_complaint, repaired
from reporter.recording.problems import Complaints, refusals, shown

_REMEDY: Final = "Without it, calls of tools that do not exist are not found."


def load_catalogs(
    entries: Iterable[CatalogEntry],
    *,
    manifest_file: str,
    root: Path | None,
    files: Mapping[str, str],
) -> tuple[dict[CatalogId, Catalog], tuple[str, ...], tuple[Problem, ...]]:
    """Load every catalogue of a recording.

    Args:
        entries: What the manifest lists.
        manifest_file: The manifest's name, for problems.
        root: The recording's folder, or None where it is a single file.
        files: Files of the catalogue folder, inside the recording, by catalogue id.

    Returns:
        The catalogues that could be read; the names of further files that entries point
        at; and what could not be read.

    Rule: recording.md section 3.
    """
    report = Complaints(manifest_file)
    found: dict[CatalogId, Catalog] = {}
    pointed: dict[str, None] = {}
    own_names = set(files.values())
    seen: set[str] = set()
    for number, entry in enumerate(entries):
        place = f"catalogs[{number}]"
        if entry.catalog_id in seen:
            report.add(
                f"{place}.catalogId",
                "duplicate-catalog",
                f"A second catalogue has the id {shown(entry.catalog_id)}; it is left out.",
            )
            continue
        seen.add(entry.catalog_id)
        if entry.tools is not None:
            found[CatalogId(entry.catalog_id)] = _catalog(entry, entry.tools, entry.complete)
            continue
        name = _file_of(entry, place, root, files, report)
        if name is None or root is None:
            continue
        if name not in own_names:
            pointed[name] = None
        content = _read(root / name, name, report)
        if content is not None:
            found[CatalogId(entry.catalog_id)] = _catalog(
                content, content.tools, content.complete, entry.complete
            )
    for catalog_id, name in files.items():
        if catalog_id not in seen and root is not None:
            content = _read(root / name, name, report)
            if content is not None:
                found[CatalogId(catalog_id)] = _catalog(content, content.tools, content.complete)
    return found, tuple(pointed), tuple(report.problems)


def _catalog(
    source: CatalogEntry | CatalogFile, tools: Iterable[Tool], *said: bool | None
) -> Catalog:
    """Complete needs somebody who says so and nobody who denies it."""
    words = [word for word in said if word is not None]
    declared = tuple(tools)
    return Catalog(
        tools=frozenset(tool.name for tool in declared),
        complete=bool(words) and all(words),
        definitions=declared,
        keeps=None if source.keeps is None else frozenset(source.keeps),
    )


def _file_of(
    entry: CatalogEntry,
    place: str,
    root: Path | None,
    files: Mapping[str, str],
    report: Complaints,
) -> str | None:
    if entry.path is None:
        name = files.get(entry.catalog_id)
        if name is None:
            what = f"The catalogue {shown(entry.catalog_id)} has neither tools nor a file."
            report.add(place, "catalog-without-tools", what, _REMEDY)
        return name
    if root is None:
        report.add(
            f"{place}.path",
            "catalog-path",
            "A recording in a single file has no folder to look in.",
            "Write the tools into the manifest.",
        )
        return None
    path = root / entry.path
    if PurePath(entry.path).is_absolute() or not is_inside(path, root):
        report.add(
            f"{place}.path",
            "outside-folder",
            f"The path {shown(entry.path)} leads outside the recording's folder and was not"
            " opened.",
            "Copy the catalogue into the recording.",
        )
        return None
    if not is_readable_file(path):
        report.add(
            f"{place}.path",
            "catalog-file-missing",
            f"There is no file {shown(entry.path)} in the recording.",
            _REMEDY,
        )
        return None
    return path.resolve().relative_to(root.resolve()).as_posix()


def _read(path: Path, name: str, report: Complaints) -> CatalogFile | None:
    own = Complaints(name, report.problems)
    try:
        data = repaired(path.read_bytes())
        return CatalogFile.model_validate_json(data)
    except OSError as error:
        report.problems.append(unreadable(name, error))
    except ValidationError as error:
        complaint = json_complaint(data, error)
        wrong = [("", complaint)] if complaint else refusals(error, from_json(data))
        for place, what in wrong:
            own.add(place, "catalog-invalid", f"{what} The catalogue is left out.", _REMEDY)
    return None
