"""What a file of checks, or a recording's own rubric, measures of each link."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from reporter.checks.document import LARGEST, parse_document
from reporter.checks.lists import MeasuredList, lists_of_suite, lists_of_wave
from reporter.checks.reading import read_suite
from reporter.errors import Problem, RecordingError, ReporterError
from reporter.pipeline.derive import LOSSES
from reporter.pipeline.options import Options, Progress, quietly
from reporter.pipeline.source import DocumentSource, open_source


@dataclass(frozen=True, slots=True)
class CoverageReport:
    """What measures each link, list by list."""

    name: str
    """Of the file or the recording."""
    kind: Literal["checks", "recording"]
    lists: tuple[MeasuredList, ...]
    notes: tuple[Problem, ...] = ()
    losses: tuple[Problem, ...] = ()
    """Problems that mean that something recorded was not counted."""

    def to_wire(self) -> dict[str, Any]:
        """Return the report in wire form, keys in a fixed order."""
        return {
            "source": self.name,
            "kind": self.kind,
            "lists": [one.to_wire() for one in self.lists],
        }


def coverage_report(
    given: Path | Sequence[Path], options: Options, progress: Progress = quietly
) -> CoverageReport:
    """Tell what measures each link, from a file of checks or from a recording.

    Args:
        given: A file of checks, or a recording in any form that can be reported.
        options: How a recording is read.
        progress: Told how many of how many sessions are done.

    Raises:
        ReporterError: It is neither, or cannot be used; every bad place is named.

    Rule: checks.md section 10.
    """
    paths = [given] if isinstance(given, Path) else list(given)
    if len(paths) == 1 and is_checks_file(paths[0]):
        suite = read_suite(paths[0].read_bytes(), paths[0].name)
        return CoverageReport(suite.name, "checks", lists_of_suite(suite), notes=suite.notes)
    source = open_source(paths, options)
    if isinstance(source, DocumentSource):
        raise ReporterError(f"{source.name}: a findings document names no checks.")
    gathered = source.gather(progress)
    problems = [*gathered.problems, *(one for fact in gathered.facts for one in fact.problems)]
    return CoverageReport(
        source.name,
        "recording",
        lists_of_wave(gathered.plan, gathered.facts),
        losses=tuple(one for one in problems if one.rule in LOSSES),
    )


def is_checks_file(path: Path) -> bool:
    """Tell whether a path is a file of checks: YAML, or a JSON object that lists checks."""
    suffix = path.suffix.lower()
    if not path.is_file() or suffix not in {".yaml", ".yml", ".json"}:
        return False
    if suffix != ".json":
        return True
    if path.stat().st_size > LARGEST:
        return False
    try:
        raw = parse_document(path.read_bytes(), path.name)
    except RecordingError:
        return False
    if not isinstance(raw, dict) or "swarmRunGroupId" in raw:
        return False
    lists = any(isinstance(raw.get(key), list) for key in ("checks", "expect", "standard"))
    return lists or isinstance(raw.get("goals"), dict) or raw.get("standard") == "recommended"
