"""The shared MCPJam export: one wave in both spellings, and what each session comes to."""

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import pytest
from imported import Taken, take
from shared import shared

from reporter.derive.session import derive_session
from reporter.importers.identify import identify
from reporter.importers.wave import ImportedWave
from reporter.models.facts import SessionFacts
from reporter.models.wave import DerivedWave
from reporter.pipeline.derive import derive_wave
from reporter.pipeline.options import Options
from reporter.pipeline.source import open_source
from reporter.vocabulary import CoverageNote, Disposition, ReadState

pytestmark = pytest.mark.shared

SHIP = "synthrunship00000000000000000000"
DUP = "synthrundup000000000000000000000"
ADDR = "synthrunaddr00000000000000000000"
A, B = "env_synthenva00000000000000000000000", "env_synthenvb00000000000000000000000"

# Worked out from the transcripts before the code was run; the reason is what a reader of the
# transcript sees, in the words of findings.md section 5.
READ: Final[dict[str, tuple[Disposition, str]]] = {
    f"synth_{SHIP}_{A}_0": (
        Disposition.GOAL_MET,
        (
            "Looked the order up, noted the delay, said so; the required check held, nothing "
            "went wrong on the way."
        ),
    ),
    f"synth_{SHIP}_{A}_1": (
        Disposition.LOST_FINDING_TOOL,
        (
            "The lookup was refused (-32602, wrong argument name) and nobody tried again. One "
            "would say that calling the tool was what failed, as the published document does; but "
            "the check that decides asks for a call of add_note, which was never made, and a "
            "missing call is the selection's failure, which comes before the call's (chain.md 6.3 "
            "and 8.3 line 5, findings.md D3 before D4)."
        ),
    ),
    f"synth_{SHIP}_{B}_0": (
        Disposition.LOST_FINDING_TOOL,
        (
            "Called track_parcel, which nobody declared, gave up, and never called add_note: it "
            "did not find the tool. That track_parcel does not exist is not derived here, as the "
            "export holds no catalogue; the missing call alone decides."
        ),
    ),
    f"synth_{SHIP}_{B}_1": (
        Disposition.GOAL_MET_WITH_FRICTION,
        (
            "Looked up and noted, so the required check held; the last reply broke off at its "
            "output limit."
        ),
    ),
    f"synth_{DUP}_{A}_0": (
        Disposition.NOT_MEASURED,
        (
            "Two messages, then the run was canceled: it began, and nobody can say how it would "
            "have ended."
        ),
    ),
    f"unclaimed:{DUP}:1:0": (
        Disposition.NOT_RUN,
        "Canceled before it claimed a session: nothing was tried.",
    ),
    f"synth_{ADDR}_{B}_0": (
        Disposition.NOT_MEASURED,
        (
            "It ended, saying that no tool changes an address, and the only grader broke: "
            "inconclusive, which is neither met nor missed."
        ),
    ),
    f"unclaimed:{ADDR}:0:1": (
        Disposition.NOT_RUN,
        "The provider throttled, so it never began: nothing about the server was tested.",
    ),
}


def folder(name: str = "wave") -> Path:
    return shared("oracle", "mcpjam-export", name)


@lru_cache
def whole() -> Taken:
    return take(folder())


@lru_cache
def derived(name: str = "wave") -> DerivedWave:
    source = open_source(folder(name), Options())
    return derive_wave(source, generated_at=datetime(2026, 1, 1, tzinfo=UTC))


def by_id(wave: DerivedWave) -> dict[str, SessionFacts]:
    return {str(one.session_id): one for one in wave.facts}


def mutated(tmp_path: Path, change: Callable[[Path], None]) -> DerivedWave:
    copy = tmp_path / "copy"
    shutil.copytree(folder(), copy)
    for path in copy.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    change(copy)
    source = open_source(copy, Options())
    return derive_wave(source, generated_at=datetime(2026, 1, 1, tzinfo=UTC))


def edit(path: Path, change: Callable[[Any], None]) -> None:
    body = json.loads(path.read_bytes())
    change(body)
    path.write_text(json.dumps(body))


@pytest.mark.parametrize("session_id", READ)
def test_each_session_is_what_a_careful_reader_says(session_id: str) -> None:
    disposition, reason = READ[session_id]
    assert by_id(derived())[session_id].disposition is disposition, reason


def test_eight_slots_of_six_sessions() -> None:
    plan = whole().plan
    assert [slot.session_id for slot in plan.slots] == list(READ)
    assert len(whole().recordings) == 6
    assert [run.run_id for run in plan.runs] == [SHIP, DUP, ADDR]
    assert [(one.name, one.persona_ref_id) for one in plan.personas] == [
        ("Ana", "synthpersonaana00000000000000000"),
        ("Boris", "synthpersonaboris000000000000000"),
    ]
    assert [(one.kind, one.label) for one in plan.targets] == [
        ("environment", "Staging, host model"),
        ("environment", "Staging, small model"),
    ]
    assert len({one.host_id for one in plan.targets}) == 1
    population = derived().findings.population
    assert (population.configured, population.started, population.graded) == (8, 6, 4)
    assert (population.withdrawn, population.limited) == (2, 1)


def test_every_verdict_is_the_published_one() -> None:
    assert [one for one in derived().problems if one.rule.startswith("published-verdict")] == []


def test_the_published_document_is_kept_and_compared() -> None:
    wave = derived()
    assert wave.published["findings"]["summaryKind"] == "broken"
    assert wave.published["findingsJob"]["status"] == "completed"
    said = [one.what for one in wave.problems if one.rule == "published-findings-differ"]
    assert "Raised here is toolCatalogMissing, which is not published." in said
    assert not any("population" in one.place for one in wave.problems)
    assert CoverageNote.TOOL_CATALOG_MISSING in wave.findings.coverage_notes


def test_session_seven_quotes_nothing_and_counts_no_tokens() -> None:
    facts = by_id(derived())[f"synth_{ADDR}_{B}_0"]
    assert facts.usage is None
    assert [one.error for one in facts.tool_calls] == ["noResult"]


# What the renamed paths answer in the shared folder: no transcripts, personas, environments.
SAME = ("runs/*/run.json", "runs/*/sessions.*.json", "overview.json")


def reduced(tmp_path: Path) -> Path:
    """The export with the kinds of documents alone that the other spelling has too."""
    small = tmp_path / "small"
    for pattern in (*SAME, "journeys.*.json", "wave-insights.json"):
        for path in folder().glob(pattern):
            where = small / path.relative_to(folder())
            where.parent.mkdir(parents=True, exist_ok=True)
            where.write_bytes(path.read_bytes())
    return small


def without_source(taken: Taken) -> dict[str, Any]:
    manifest = taken.manifest.model_dump(mode="json")
    del manifest["source"]
    for insights in (manifest["published"]["insights"], *manifest["published"]["waveInsights"]):
        insights.pop("waveId", None)
        insights.pop("swarmRunId", None)
    return manifest


def test_both_spellings_give_the_same_recording(tmp_path: Path) -> None:
    older, renamed = take(reduced(tmp_path)), take(folder("goal-spelling"))
    assert without_source(older) == without_source(renamed)
    assert {own: one.records for own, one in older.recordings.items()} == {
        own: one.records for own, one in renamed.recordings.items()
    }


def test_the_renamed_answers_among_the_older_ones_change_nothing(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(folder(), copy)
    for path in copy.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    for old in copy.glob("journey*.json"):
        old.unlink()
    for path in folder("goal-spelling").rglob("*.json"):
        target = copy / path.relative_to(folder("goal-spelling"))
        if target.name.startswith("sessions."):
            for page in target.parent.glob("sessions.*.json"):
                page.unlink()
        target.write_bytes(path.read_bytes())
    (copy / "wave-insights.json").unlink()
    mixed = take(copy)
    assert without_source(mixed) == without_source(whole())
    assert {own: one.records for own, one in mixed.recordings.items()} == {
        own: one.records for own, one in whole().recordings.items()
    }


def test_the_published_fixture_is_reported_without_a_recording() -> None:
    wave = derived("published-fixture")
    assert (wave.plan, wave.facts) == (None, ())
    assert wave.findings.rows
    assert any(not one.checkable for one in wave.violations)


def test_without_transcripts_nothing_is_read(tmp_path: Path) -> None:
    wave = mutated(tmp_path, lambda copy: shutil.rmtree(copy / "sessions"))
    started = [one for one in wave.facts if one.started]
    assert {one.read_state for one in started} == {ReadState.TRANSCRIPT_MISSING}
    assert (len(started), wave.findings.summary_kind) == (6, "unread")


def test_an_older_service_leaves_what_it_did_not_export_open(tmp_path: Path) -> None:
    def older(copy: Path) -> None:
        for path in copy.glob("runs/*/run.json"):
            edit(path, _without("report", "verdictSummary", "insights"))
        for path in copy.glob("runs/*/sessions.*.json"):
            edit(path, _rows_without("verdict", "criteria", "observations"))
        shutil.rmtree(copy / "sessions")

    wave = mutated(tmp_path, older)
    # The judge passed it, and nobody can tell whether the judge's word decides.
    facts = by_id(wave)[f"synth_{SHIP}_{A}_0"]
    assert facts.judge is not None
    assert facts.judge.passed
    assert facts.disposition is Disposition.NOT_MEASURED
    assert "findings" not in wave.published
    assert "decision" not in wave.published


def _without(*keys: str) -> Callable[[Any], None]:
    def change(body: Any) -> None:
        for key in keys:
            body.pop(key, None)

    return change


def _rows_without(*keys: str) -> Callable[[Any], None]:
    def change(body: Any) -> None:
        for row in body["items"]:
            _without(*keys)(row)

    return change


def test_a_page_that_was_not_saved_is_named(tmp_path: Path) -> None:
    wave = mutated(tmp_path, lambda copy: (copy / f"runs/{SHIP}/sessions.2.json").unlink())
    (problem,) = [one for one in wave.problems if one.rule == "source-page-missing"]
    assert problem.file == f"runs/{SHIP}/sessions.1.json"


def test_an_unreadable_transcript_is_not_an_empty_one(tmp_path: Path) -> None:
    def change(copy: Path) -> None:
        path = copy / "sessions/synthchatsession4000000000000000/detail.1.json"
        edit(
            path,
            lambda body: body.update(transcriptUnavailable=True, messageCount=None, messages=[]),
        )

    facts = by_id(mutated(tmp_path, change))[f"synth_{SHIP}_{B}_1"]
    assert (facts.started, facts.read_state) == (True, ReadState.TRANSCRIPT_MISSING)


def test_a_second_wave_in_the_folder_is_named_or_left_out(tmp_path: Path) -> None:
    def change(copy: Path) -> None:
        edit(copy / f"runs/{ADDR}/run.json", lambda body: body.update(waveId="wave-other"))

    wave = mutated(tmp_path, change)
    assert wave.plan is not None
    assert [run.run_id for run in wave.plan.runs] == [SHIP, DUP]


def test_a_run_as_the_command_line_prints_it(tmp_path: Path) -> None:
    def change(copy: Path) -> None:
        path = copy / f"runs/{SHIP}/run.json"
        path.write_text(json.dumps({"project": {"id": "p"}, "run": json.loads(path.read_bytes())}))

    wave = mutated(tmp_path, change)
    assert {own: one.disposition for own, one in by_id(wave).items()} == {
        own: disposition for own, (disposition, _) in READ.items()
    }


def test_every_file_is_taken_in_and_none_is_another_importers() -> None:
    for name in ("wave", "goal-spelling"):
        found = identify(folder(name))
        assert (found.importer.name, found.lost) == ("mcpjam-export", ())
        assert ImportedWave(found).problems == []


def test_read_again_the_sessions_are_the_same() -> None:
    taken = whole()
    for own, recording in taken.recordings.items():
        assert taken.wave.transcript(own) == recording
        facts = derive_session(taken.contexts[own], recording)
        assert facts.problems == ()
