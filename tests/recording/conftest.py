import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from builders import (
    Json,
    assistant,
    goal,
    manifest,
    persona,
    run,
    sequenced,
    target,
    user,
)

from reporter.models.manifest import Goal, Persona, Recorder, Run, Target
from reporter.models.records import CriterionResult, TextPart, Tool, Usage
from reporter.recording.recorder import WaveRecorder

Lines = bytes | Sequence[Json]
FolderWriter = Callable[..., Path]


def _bytes(lines: Lines) -> bytes:
    if isinstance(lines, bytes):
        return lines
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


@pytest.fixture
def conversation() -> list[Json]:
    return sequenced(user(), assistant())


@pytest.fixture
def folder(tmp_path: Path) -> FolderWriter:
    """Write a wave folder: a manifest (None for none) and sessions by file stem."""

    def write(
        whole: Json | bytes | None = None,
        sessions: Mapping[str, Lines] | None = None,
        *,
        catalogs: Mapping[str, Any] | None = None,
        without_manifest: bool = False,
    ) -> Path:
        root = tmp_path / "wave"
        root.mkdir()
        if not without_manifest:
            whole = manifest() if whole is None else whole
            data = whole if isinstance(whole, bytes) else json.dumps(whole).encode()
            (root / "wave.json").write_bytes(data)
        for stem, lines in (sessions or {}).items():
            (root / "sessions").mkdir(exist_ok=True)
            (root / "sessions" / f"{stem}.jsonl").write_bytes(_bytes(lines))
        for stem, catalog in (catalogs or {}).items():
            (root / "catalogs").mkdir(exist_ok=True)
            text = catalog if isinstance(catalog, bytes) else json.dumps(catalog).encode()
            (root / "catalogs" / f"{stem}.json").write_bytes(text)
        return root

    return write


@pytest.fixture
def single(tmp_path: Path) -> FolderWriter:
    """Write a wave in one file: the manifest's line, then any lines."""

    def write(*lines: bytes | Json, first: bytes | Json | None = None) -> Path:
        head = {"type": "wave", **manifest()} if first is None else first
        path = tmp_path / "wave.jsonl"
        whole = [one if isinstance(one, bytes) else _bytes([one]) for one in (head, *lines)]
        path.write_bytes(b"".join(whole))
        return path

    return write


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A small wave, written by our own recorder."""
    root = tmp_path / "recorded"
    with (
        WaveRecorder(
            root,
            wave_id="wave-1",
            personas=[Persona.model_validate(persona())],
            goals=[Goal.model_validate(goal())],
            targets=[Target.model_validate(target(catalogId="lib"))],
            runs=[Run.model_validate(run(rubric=[{"id": "c", "role": "required"}]))],
            recorder=Recorder(name="test", version="1"),
        ) as wave,
        wave.session("s:1", "r1", "t1") as session,
    ):
        wave.add_catalog("lib", [Tool(name="find", description="Finds.")], complete=True)
        session.connection("initialize", "ok", server_id="one", attributable="server")
        session.catalog(complete=True, catalog_id="lib")
        session.message("user", "Find it.", turn_index=0)
        session.tool_call("c1", "find", {"what": "it"}, turn_index=0)
        session.tool_result("c1", {"found": None}, duration_ms=1.5)
        session.message("assistant", [TextPart(text="Found.")], turn_index=0)
        session.step_finish(0, turn_index=0, finish_reason="stop", usage=Usage(input_tokens=1))
        session.criteria("completed", [CriterionResult(criterion_id="c", passed=True)])
        session.grading("settled")
        session.complete("succeeded", end_reason="personaEnded", turns_used=1)
    return root
