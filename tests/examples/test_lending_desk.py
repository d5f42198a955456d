import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from shared import ROOT

EXAMPLE = ROOT / "examples" / "lending-desk"
WAVE = EXAMPLE / "wave"

TIMES = frozenset({"at", "createdAt", "finishedAt", "durationMs"})
# Pydantic writes its own version into what it says about wrong arguments.
PYDANTIC_VERSION = re.compile(r"(?<=errors\.pydantic\.dev/)[0-9.]+")


def timeless(value: Any) -> Any:
    """A recorded value as it is at every recording: without times and library versions."""
    if isinstance(value, dict):
        return {key: timeless(item) for key, item in value.items() if key not in TIMES}
    if isinstance(value, list):
        return [timeless(item) for item in value]
    return PYDANTIC_VERSION.sub("*", value) if isinstance(value, str) else value


def recorded(wave: Path) -> dict[str, Any]:
    """Everything in a wave folder that a second recording has to repeat, by file."""
    return {
        path.relative_to(wave).as_posix(): [
            timeless(json.loads(line)) for line in path.read_text("utf-8").splitlines()
        ]
        if path.suffix == ".jsonl"
        else timeless(json.loads(path.read_text("utf-8")))
        for path in sorted(wave.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    return dict(json.loads((WAVE / "wave.json").read_text("utf-8")))


def records(session_id: str) -> list[dict[str, Any]]:
    lines = (WAVE / "sessions" / f"{session_id}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_recording_anew_gives_the_committed_wave(tmp_path: Path) -> None:
    anew = tmp_path / "wave"
    run = subprocess.run(
        [sys.executable, EXAMPLE / "swarm.py", "-o", anew],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert run.returncode == 0, run.stderr
    fresh, committed = recorded(anew), recorded(WAVE)
    assert sorted(fresh) == sorted(committed)
    stale = [name for name, content in fresh.items() if content != committed[name]]
    assert not stale, f"record {WAVE.relative_to(ROOT)} anew, as its README says: {stale}"


def test_a_changed_word_makes_the_recording_stale(tmp_path: Path) -> None:
    line = json.dumps({"type": "message", "at": 1, "content": "Good morning!"})
    for name, text in (("one", line), ("two", line.replace("morning", "evening"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "s.jsonl").write_text(text + "\n", "utf-8")
    assert recorded(tmp_path / "one") != recorded(tmp_path / "two")


def test_only_times_may_differ(tmp_path: Path) -> None:
    for name, at in (("one", 1), ("two", 2)):
        (tmp_path / name).mkdir()
        record = {"type": "tool_result", "at": at, "durationMs": at, "result": {"isError": True}}
        (tmp_path / name / "s.jsonl").write_text(json.dumps(record) + "\n", "utf-8")
    assert recorded(tmp_path / "one") == recorded(tmp_path / "two")


def test_three_personas_pursue_four_goals_on_two_targets(manifest: dict[str, Any]) -> None:
    pairs = {(run["personaName"], run["journeyRefId"]) for run in manifest["runs"]}
    assert len(manifest["personas"]) == 3
    assert len(manifest["goals"]) == 4
    assert len(manifest["targets"]) == 2
    assert len(pairs) == len(manifest["runs"]) == 12
    assert all(len(run["targetIds"]) == 2 for run in manifest["runs"])
    assert len(manifest["slots"]) == 30


def test_no_model_is_claimed_where_words_are_scripted(manifest: dict[str, Any]) -> None:
    assert {target["modelId"] for target in manifest["targets"]} == {"scripted"}
    judges = {
        record["model"]
        for path in (WAVE / "sessions").iterdir()
        for record in records(path.stem)
        if record["type"] == "goal_judge"
    }
    assert judges == {"rule-based judge"}
