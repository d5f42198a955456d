"""The replies that were written by hand fit the example, and show a report with causes."""

import importlib
import json
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from shared import ROOT

from reporter.cli import main
from reporter.models.wave import DerivedWave
from reporter.phrases.asking import AskingOptions
from reporter.phrases.kept import PhrasesDocument, read_phrases
from reporter.pipeline.derive import derive_wave
from reporter.pipeline.options import Options
from reporter.pipeline.phrases import PhraseChoices
from reporter.pipeline.source import open_source
from reporter.vocabulary import ProposalState

EXAMPLE = ROOT / "examples" / "lending-desk"
KEPT = EXAMPLE / "phrases.json"
LEAST_CONFIRMED, LEAST_REJECTED = 8, 5


@pytest.fixture(scope="module")
def kept() -> PhrasesDocument:
    return read_phrases(KEPT)


@pytest.fixture(scope="module")
def again(kept: PhrasesDocument) -> tuple[DerivedWave, PhrasesDocument]:
    """The wave with the kept replies, and the replies as they are kept of that."""
    documents: list[PhrasesDocument] = []
    choices = PhraseChoices(
        model=kept.model,
        kept=kept,
        options=AskingOptions(kept.sample, kept.session_chars, kept.with_reports),
        keep=documents.append,
    )
    source = open_source(EXAMPLE / "wave", Options())
    wave = derive_wave(source, generated_at=datetime(2026, 1, 1, tzinfo=UTC), phrases=choices)
    return wave, documents[-1]


def replies(document: PhrasesDocument) -> list[dict[str, Any]]:
    return [reply.model_dump(mode="json") for reply in document.replies]


def test_no_reply_is_missing_or_stale_and_no_decision_is_another_one(
    kept: PhrasesDocument, again: tuple[DerivedWave, PhrasesDocument]
) -> None:
    """After questions or recording changed: `python by_hand.py -o phrases.json`, and read it."""
    assert replies(again[1]) == replies(kept)
    assert again[0].phrases is not None
    assert again[0].phrases.stale == 0


def test_the_file_is_what_the_script_writes(
    kept: PhrasesDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLE))
    try:
        by_hand = importlib.import_module("by_hand")
        assert replies(by_hand.answered()) == replies(kept)
    finally:
        for name in ("by_hand", "answers"):
            sys.modules.pop(name, None)


def test_causes_are_confirmed_and_what_is_false_is_not(
    again: tuple[DerivedWave, PhrasesDocument],
) -> None:
    work = again[0].phrases
    assert work is not None
    states = Counter(fate.state for fate in work.proposals)
    assert states[ProposalState.CONFIRMED] >= LEAST_CONFIRMED
    assert states[ProposalState.REJECTED] >= LEAST_REJECTED
    assert states[ProposalState.UNVERIFIED] > 0
    assert all(report.accepted for report in work.reports)
    assert again[0].violations == ()


def test_the_report_says_who_wrote_them_and_has_the_same_bytes_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    written: list[dict[str, bytes]] = []
    for name in ("one", "two"):
        out = tmp_path / name
        asked = ["report", str(EXAMPLE / "wave"), "--phrases", str(KEPT), "-o", str(out)]
        found = CliRunner().invoke(main, [*asked, "--format", "html,json"])
        assert found.exit_code == 0, found.output
        written.append({path.name: path.read_bytes() for path in out.iterdir() if path.is_file()})
    assert written[0] == written[1]
    assert b"by-hand" in written[0]["report.html"]
    findings = json.loads(written[0]["findings.json"])
    assert findings["verification"]["confirmed"] >= LEAST_CONFIRMED
