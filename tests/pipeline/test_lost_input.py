"""What makes a report say that some input was lost, by rule."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import Json, manifest, run, sequenced, slot, target
from report_waves import derived_from
from shared import ROOT
from waves import TALK, write_folder

from reporter.pipeline.derive import LOSSES, lost_input


def folder(**more: object) -> Callable[[Path], Path]:
    return lambda path: write_folder(path, manifest(**more))


def single_file(*extra: Json) -> Callable[[Path], Path]:
    def write(path: Path) -> Path:
        records = [{**record, "sessionId": "s1"} for record in sequenced(*TALK)]
        lines = [{"type": "wave", **manifest()}, *records, *extra]
        path.with_suffix(".jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
        return path.with_suffix(".jsonl")

    return write


@pytest.mark.parametrize(
    ("rule", "write"),
    [
        ("slot-of-unknown-run", folder(slots=[slot(), slot("s2", "r9")])),
        ("slot-of-unknown-target", folder(slots=[slot(), slot("s2", target_id="t9")])),
        ("duplicate-slot", folder(slots=[slot(), slot("s2")])),
        ("bad-session-id", folder(slots=[slot(), slot("s/2", index=1)])),
        (
            "catalog-file-missing",
            folder(
                targets=[target(catalogId="k")],
                catalogs=[{"catalogId": "k", "path": "catalogs/k.json"}],
            ),
        ),
        (
            "session-file-missing",
            folder(
                runs=[run(sessionsPerTarget=2)], slots=[slot(), slot("s2", index=1, recorded=True)]
            ),
        ),
        ("record-without-session", single_file({"type": "error", "message": "x", "seq": 9})),
        ("second-manifest", single_file({"type": "wave", **manifest()})),
    ],
)
def test_what_was_left_out_is_lost(
    rule: str, write: Callable[[Path], Path], tmp_path: Path
) -> None:
    wave, _ = derived_from(write(tmp_path / "wave"))
    assert rule in {problem.rule for problem in lost_input(wave)}


@pytest.mark.parametrize("write", [folder(), single_file()])
def test_a_whole_recording_has_lost_nothing(write: Callable[[Path], Path], tmp_path: Path) -> None:
    wave, _ = derived_from(write(tmp_path / "wave"))
    assert lost_input(wave) == []


def test_every_loss_is_a_rule_that_something_raises() -> None:
    sources = [
        path.read_text("utf-8")
        for path in (ROOT / "reporter").rglob("*.py")
        if path.parts[-2:] != ("pipeline", "derive.py")
    ]
    assert [rule for rule in LOSSES if not any(f'"{rule}"' in text for text in sources)] == []
