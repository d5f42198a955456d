"""What is written for machines masks the secrets that a native recording has in its words."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import goal, manifest, persona, run, slot, target
from click.testing import CliRunner
from waves import session_lines, write_folder

from reporter.cli import main

SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
IDS = {"personaRefId", "journeyRefId", "runId", "goalRunIds"}
"""What joins the parts of a recording stays as it is."""


@pytest.fixture
def wave(tmp_path: Path) -> Path:
    named = f"Ana {SECRET}"
    whole = manifest(
        personas=[persona(named, personaRefId=SECRET)],
        goals=[goal(SECRET, f"Borrow {SECRET}")],
        targets=[target("t1", f"Desk {SECRET}", hostName=f"Host {SECRET}", modelId=SECRET)],
        runs=[run(SECRET, SECRET, named, personaRefId=SECRET)],
        slots=[slot("s1", SECRET), slot("s2", SECRET, index=1, recorded=False)],
    )
    whole["slots"][1]["attempt"] = {"status": "failed", "errorCode": SECRET, "errorMessage": SECRET}
    return write_folder(tmp_path / "wave", whole, {"s1": session_lines()})


def texts(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a document with the key that it stands under."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from texts(one, name)
    elif isinstance(value, list):
        for one in value:
            yield from texts(one, key)
    elif isinstance(value, str):
        yield key, value


@pytest.mark.parametrize("command", ["findings", "facts", "funnel"])
def test_only_ids_keep_what_looks_like_a_secret(command: str, wave: Path) -> None:
    written = CliRunner().invoke(main, [command, str(wave)])
    assert written.exit_code == 0, written.output
    lines = [written.stdout] if command != "facts" else written.stdout.splitlines()
    said = [one for line in lines for one in texts(json.loads(line))]
    assert any("[redacted]" in text for _, text in said)
    kept = {key for key, text in said if SECRET in text}
    assert kept <= IDS | {"id"}
