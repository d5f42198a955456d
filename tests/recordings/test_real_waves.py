"""Real recordings, counted by our reader: the figures that their publishers give."""

import json
from collections import Counter
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest
from shared import shared

from reporter.importers.mapping import FileMapping
from reporter.importers.mapping_file import read_mapping
from reporter.models.wave import DerivedWave
from reporter.pipeline.derive import derive_wave, lost_input
from reporter.pipeline.options import Options
from reporter.pipeline.source import open_source

FILES = {
    "skeptical_airline": ("Skeptical", "airline", 60, 361, 14, 24),
    "impatience_airline": ("Impatient", "airline", 60, 370, 16, 24),
    "impatience_retail": ("Impatient", "retail", 120, 850, 22, 70),
    "skeptical_telecom": ("Skeptical", "telecom", 18, 114, 3, 9),
    "impatience_telecom": ("Impatient", "telecom", 18, 107, 9, 11),
    "telecom_none": ("Baseline", "telecom", 18, 64, 3, 13),
    "skeptical_telehealth": ("Skeptical", "telehealth", 20, 171, 7, 2),
    "impatience_telehealth": ("Impatient", "telehealth", 20, 183, 1, 7),
    "telehealth_none": ("Baseline", "telehealth", 20, 211, 2, 3),
}
"""Persona, target, sessions, tool calls, tool errors and rewarded sessions of each file."""


def derive(path: Path, mapping: FileMapping | None = None) -> DerivedWave:
    source = open_source(path, Options(mapping=mapping or FileMapping(), jobs=1))
    return derive_wave(source, generated_at=datetime(2026, 1, 1, tzinfo=UTC))


@cache
def trait_mapping(folder: Path) -> FileMapping:
    rules = "".join(
        f'[[files]]\nmatch = "{name}.json"\npersona = "{persona}"\ntarget = "{target}"\n'
        for name, (persona, target, *_) in FILES.items()
    )
    path = folder / "map.toml"
    path.write_text(rules, encoding="utf-8")
    return read_mapping(path)


@pytest.fixture(scope="module")
def traits(tmp_path_factory: pytest.TempPathFactory) -> DerivedWave:
    mapping = trait_mapping(tmp_path_factory.mktemp("map"))
    return derive(shared("recordings", "tau-trait"), mapping)


def counts(wave: DerivedWave) -> tuple[int, int, int, int, int]:
    """Sessions, turns, tool calls, tool errors, rewarded sessions."""
    calls = [call for one in wave.facts for call in one.tool_calls]
    return (
        len(wave.facts),
        sum(one.turns for one in wave.facts),
        len(calls),
        sum(call.error == "isError" for call in calls),
        sum(one.verdict.verdict == "passed" for one in wave.facts),
    )


def test_trait_sessions_are_counted_as_published(traits: DerivedWave) -> None:
    assert counts(traits) == (354, 3590, 2431, 77, 163)
    systems = 354
    assert sum(one.message_count for one in traits.facts) == 12_042 - systems


def test_traits_by_file(traits: DerivedWave) -> None:
    found: dict[str, list[int]] = {}
    for one in traits.facts:
        name = one.file.removesuffix(".json")
        row = found.setdefault(name, [0, 0, 0, 0])
        row[0] += 1
        row[1] += len(one.tool_calls)
        row[2] += sum(call.error is not None for call in one.tool_calls)
        row[3] += one.verdict.verdict == "passed"
    assert found == {name: list(row[2:]) for name, row in FILES.items()}


def test_the_mapping_names_personas_and_targets(traits: DerivedWave) -> None:
    assert traits.plan is not None
    assert {one.name for one in traits.plan.personas} == {"Skeptical", "Impatient", "Baseline"}
    assert {one.label for one in traits.plan.targets} == {
        "airline",
        "retail",
        "telecom",
        "telehealth",
    }
    cells = Counter((one.persona_name, one.target_id.split("-")[0]) for one in traits.facts)
    expected = Counter(
        {(persona, target): sessions for persona, target, sessions, *_ in FILES.values()}
    )
    assert cells == expected


def test_nothing_is_made_up_about_traits(traits: DerivedWave) -> None:
    # The README's own figures: 264 end with the simulated user's word for it, 31 at the cap.
    ends = Counter(one.end_reason for one in traits.facts)
    assert ends == {"personaEnded": 264, "turnCap": 31, None: 59}
    for one in traits.facts:
        rules = dict(one.inferred)
        assert ("session_complete.endReason" in rules) is (one.end_reason is not None)
        assert one.started_at_ms is None
        assert one.usage is None
        assert one.catalog_tools is None
        assert one.max_turns is None
        assert dict(one.inferred)["slot.attempt"] == "outcome recorded"
        errors = [call for call in one.tool_calls if call.error]
        assert all(call.error_inferred for call in errors)
    assert "toolCatalogMissing" in traits.findings.coverage_notes
    assert not lost_input(traits)
    assert [broken for broken in traits.violations if broken.checkable] == []


def test_every_session_is_in_exactly_one_goal_row_of_its_disposition(traits: DerivedWave) -> None:
    counted = [
        session_id
        for row in traits.findings.rows
        if row.order == 2
        for session_id in row.finding.session_ids
    ]
    assert len(counted) == len(set(counted))
    others = sum(
        sessions for row in traits.findings.rows if row.order == 2 for _, sessions in row.others
    )
    assert len(counted) + others == 354


def test_bench_sessions_are_counted_as_published() -> None:
    wave = derive(shared("recordings", "tau-bench"))
    assert counts(wave) == (200, 1490, 1164, 73, 84)
    assert wave.plan is not None
    # 50 tasks, each tried 4 times: flaky and stable failures can be told apart.
    assert [run.sessions_per_target for run in wave.plan.runs] == [4] * 50


def test_tau2_sessions_are_counted_as_published() -> None:
    wave = derive(shared("recordings", "tau2-bench-runs"))
    assert counts(wave) == (16, 55, 47, 0, 10)
    assert sum(one.message_count for one in wave.facts) == 197
    ends = Counter(one.end_reason for one in wave.facts)
    assert ends == {"personaEnded": 14, "turnCap": 2}
    assert all(one.finish_reasons for one in wave.facts)


def test_a_source_and_its_import_say_the_same(tmp_path: Path) -> None:
    from reporter.pipeline.import_ import import_source  # noqa: PLC0415  one test needs it

    source = shared("recordings", "tau-trait", "skeptical_telecom.json")
    import_source(source, tmp_path / "wave", Options())
    direct, native = derive(source), derive(tmp_path / "wave")
    assert json.dumps(dict(direct.document, sourceRevision=""), sort_keys=True) == json.dumps(
        dict(native.document, sourceRevision=""), sort_keys=True
    )
