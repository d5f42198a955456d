"""Reports with the model's words, end to end, by the command that users run."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from shared import ROOT, shared_folder

from real_model.figures import figures
from real_model.serving import NAME

EXAMPLE = ROOT / "examples" / "lending-desk" / "wave"
SESSIONS = 4
"""Sessions of the published trajectories: each costs minutes on a small machine."""

_STAMP = "2026-01-01T00:00:00Z"
_COMMAND = [sys.executable, "-m", "reporter"]


def _report(source: Path, folder: Path, options: Sequence[str]) -> None:
    written = ["--output", str(folder), "--format", "html,json", "--generated-at", _STAMP]
    subprocess.run([*_COMMAND, "report", str(source), *written, *options], cwd=ROOT, check=True)


def report(source: Path, folder: Path, url: str, *options: str) -> None:
    """Write a report with the model's words and print what came of it."""
    shutil.rmtree(folder, ignore_errors=True)
    begun = time.monotonic()
    # The server answers one request at a time, and slowly.
    asked = ["--model", NAME, "--model-url", url, "--max-concurrency", "1"]
    _report(source, folder, [*asked, "--model-timeout", "900", *options])
    print(*figures(folder, time.monotonic() - begun), sep="\n", flush=True)


def the_same_again(source: Path, folder: Path) -> None:
    """Write the report from the kept replies, with no server there, and compare the bytes."""
    again = folder.with_name(f"{folder.name}-again")
    shutil.rmtree(again, ignore_errors=True)
    _report(source, again, ["--phrases", str(folder / "phrases.json")])
    for name in ("report.html", "findings.json"):
        assert (again / name).read_bytes() == (folder / name).read_bytes(), name
    print("  from the kept replies, without the model: the same bytes", flush=True)


def few_trajectories(folder: Path) -> Path | None:
    """Return a file of a few published sessions, or None where they are not there."""
    source = shared_folder() / "recordings" / "tau-bench" / "gpt-4o-airline.json"
    if not source.exists():
        return None
    folder.mkdir(parents=True, exist_ok=True)
    few = folder / source.name
    sessions = json.loads(source.read_text("utf-8"))
    lost = [session for session in sessions if not session["reward"]]
    few.write_text(json.dumps(lost[:SESSIONS]), "utf-8")
    return few
