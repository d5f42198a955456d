"""What reading each foreign format costs, beside parsing the same bytes and no more.

A format is one row of `FORMATS`: its folder among the shared recordings, and the function
that does nothing but parse its files. To add one, add a row.
"""

import json
import os
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shared import shared_folder

Measure = Callable[..., dict[str, Any]]
"""Runs one piece of work in a process of its own and says what it took."""


def json_files(folder: Path) -> int:
    """`json.loads` of every JSON file."""
    return sum(1 for path in _files(folder, ".json", ".traj") if json.loads(path.read_bytes()))


def json_lines(folder: Path) -> int:
    """`json.loads` of every line of every JSONL file."""
    parsed = 0
    for path in _files(folder, ".jsonl"):
        for line in path.read_bytes().splitlines():
            json.loads(line)
            parsed += 1
    return parsed


def zipped_json(folder: Path) -> int:
    """`zipfile` and `json.loads` of every JSON member, and of every JSON file beside them."""
    parsed = json_files(folder)
    for path in _files(folder, ".eval"):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if name.endswith(".json"):
                    json.loads(archive.read(name))
                    parsed += 1
    return parsed


@dataclass(frozen=True)
class Format:
    """One row of the table."""

    folder: str
    """Folder among the shared recordings."""
    plain: Callable[[Path], int]
    """Parses the same bytes and nothing else; returns how many documents."""
    beside: str = "json.loads"
    """What the column of `plain` is called."""

    @property
    def source(self) -> Path:
        """Where the recordings are."""
        return shared_folder() / "recordings" / self.folder


FORMATS = (
    Format("tau-trait", json_files),
    Format("tau-bench", json_files),
    Format("tau2-bench-runs", json_files),
    Format("mcpchecker-kubernetes", json_files),
    Format("swe-agent", json_files),
    Format("inspect-ai", zipped_json, "zipfile + json.loads"),
    Format("pi-coding-agent", json_lines),
    Format("claude-code-records", json_lines),
    Format("otel-genai-kagent", json_files),
)


def plain(folder: str) -> int:
    """Parse the files of one format, as its row says."""
    (row,) = [row for row in FORMATS if row.folder == folder]
    return row.plain(row.source)


def table(measured: Measure) -> None:
    """Print one line a format."""
    print("Formats, read and derived on one core")
    print(f"  {'':<24}{'MB':>7}{'MB/s':>8}{'peak MB':>9}{'beside':>24}{'MB/s':>8}{'times':>7}")
    for row in FORMATS:
        if not row.source.exists():
            print(f"  {row.folder:<24} is not at {row.source}")
            continue
        size = sum(path.stat().st_size for path in _files(row.source)) / 1e6
        ours, alone = measured("derive", row.source, 1), measured("plain", row.folder)
        print(
            f"  {row.folder:<24}{size:7.1f}{size / ours['seconds']:8.0f}{ours['peak_mb']:9.0f}"
            f"{row.beside:>24}{size / alone['seconds']:8.0f}"
            f"{ours['seconds'] / alone['seconds']:6.1f}x",
            flush=True,
        )


def _files(folder: Path, *suffixes: str) -> Iterator[Path]:
    for here, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith(suffixes or ("",)) and not name.startswith(("README", "LICENSE")):
                yield Path(here, name)
