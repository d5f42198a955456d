from typing import Any

import pytest
from builders import run
from finding_waves import build, facts_of, idle, plan_for, rows_of

from reporter.findings.grouping import NO_GOAL, NO_TARGET, NOBODY
from reporter.models.facts import SessionFacts
from reporter.models.finding import FindingRow
from reporter.vocabulary import (
    Basis,
    ChainStageBasis,
    CoverageNote,
    Disposition,
    Lifecycle,
    ScopeLevel,
    Tone,
    Verdict,
    WiderFact,
)

D, F = Disposition, WiderFact


def by_id(rows: list[FindingRow]) -> dict[str, FindingRow]:
    return {row.finding.id: row for row in rows}


def wave() -> list[SessionFacts]:
    """Ana tries two goals on two targets, Ben one; some never start, some fail."""
    ana: dict[str, Any] = {"persona_name": "Ana", "persona_ref_id": "p1"}
    ben: dict[str, Any] = {"persona_name": "Ben"}
    return [
        facts_of("s1", D.GOAL_MISSED, run_id="r1", target_id="t1", **ana),
        facts_of("s2", D.BLOCKED_CALLING_TOOL, run_id="r2", target_id="t1", **ana),
        facts_of("s3", D.GOAL_MET, run_id="r2", target_id="t2", **ana),
        idle("s4", Lifecycle.LIMITED, run_id="r1", target_id="t2", **ana),
        facts_of("s5", D.GOAL_MISSED, run_id="r3", target_id="t2", **ben),
        idle("s6", Lifecycle.WITHDRAWN, run_id="r3", target_id="t2", **ben),
    ]


def test_facts_stand_by_persona_target_and_wave() -> None:
    rows = rows_of(build(wave()), 5)
    assert [row.finding.id for row in rows] == [
        'persona:["p1","Ana","notMet"]',
        'target:["t1","notMet"]',
        'target:["t2","notStarted"]',
        'target:["t2","notMet"]',
        'wave:["notStarted"]',
    ]
    assert [row.fact for row in rows] == [
        F.NOT_MET,
        F.NOT_MET,
        F.NOT_STARTED,
        F.NOT_MET,
        F.NOT_STARTED,
    ]


def test_not_met_counts_failing_sessions_of_started_ones() -> None:
    finding = by_id(rows_of(build(wave()), 5))['persona:["p1","Ana","notMet"]'].finding
    assert (finding.basis, finding.scope_level) == (Basis.POPULATION_FACT, ScopeLevel.PERSONA)
    assert (finding.population.count, finding.population.total) == (2, 3)
    assert finding.session_ids == ["s1", "s2"]
    assert (finding.disposition, finding.tone) == (D.BLOCKED_CALLING_TOOL, Tone.FAIL)
    assert finding.outcome_phrase == "did not meet the goal"
    assert finding.verdict_seen is Verdict.FAILED
    assert (finding.chain_stage, finding.chain_stage_basis) == (None, ChainStageBasis.UNMEASURED)
    assert finding.citations == []
    assert finding.persona.name == "Ana"
    assert (finding.goal, finding.target) == (NO_GOAL, NO_TARGET)
    assert finding.coverage_notes == [CoverageNote.SESSIONS_RATE_LIMITED]


def test_not_started_is_about_the_launch_and_never_about_the_server() -> None:
    rows = by_id(rows_of(build(wave()), 5))
    for row_id, total in (('target:["t2","notStarted"]', 4), ('wave:["notStarted"]', 6)):
        finding = rows[row_id].finding
        assert (finding.population.count, finding.population.total) == (2, total)
        assert finding.session_ids == ["s4", "s6"]
        assert (finding.disposition, finding.tone) == (D.NOT_RUN, Tone.MUTED)
        assert finding.outcome_phrase == "did not start"
        assert (finding.persona, finding.goal) == (NOBODY, NO_GOAL)
    assert rows['wave:["notStarted"]'].finding.target == NO_TARGET
    assert rows['target:["t2","notStarted"]'].finding.target.label == "Host t2"


def test_nothing_is_said_where_there_is_nothing_to_count() -> None:
    facts = [facts_of("s1", run_id="r1"), facts_of("s2", run_id="r2", target_id="t2")]
    assert rows_of(build(facts), 5) == []


def test_a_persona_with_one_run_and_the_only_target_have_no_not_met() -> None:
    facts = [facts_of("s1", D.GOAL_MISSED), facts_of("s2", D.GOAL_MISSED)]
    assert rows_of(build(facts), 5) == []


@pytest.mark.parametrize(
    ("targets", "runs", "ids"),
    [
        (["t1", "t2"], [], ['target:["t1","notMet"]']),
        ([], [run("r9", "g9", "Ana", ["t1"])], ['persona:[null,"Ana","notMet"]']),
    ],
)
def test_runs_and_targets_are_the_manifests(
    targets: list[str], runs: list[dict[str, Any]], ids: list[str]
) -> None:
    facts = [facts_of("s1", D.GOAL_MISSED)]
    plan = plan_for(facts, targets=targets, runs=runs)
    assert [row.finding.id for row in rows_of(build(facts, plan), 5)] == ids


def test_there_is_never_a_wave_wide_not_met() -> None:
    assert not any(
        row.fact is F.NOT_MET and row.finding.scope_level is ScopeLevel.WAVE
        for row in build(wave()).rows
    )


def test_a_name_that_equals_an_id_is_told_apart() -> None:
    facts = [
        facts_of("s1", D.GOAL_MISSED, run_id="r1", persona_ref_id="x", persona_name="y"),
        facts_of("s2", run_id="r2", persona_ref_id="x", persona_name="y"),
        facts_of("s3", D.GOAL_MISSED, run_id="r3", persona_ref_id="y", persona_name="x"),
        facts_of("s4", run_id="r4", persona_ref_id="y", persona_name="x"),
    ]
    ids = [row.finding.id for row in rows_of(build(facts), 5)]
    assert ids == ['persona:["y","x","notMet"]', 'persona:["x","y","notMet"]']


def test_personas_come_once_each_by_name_with_their_runs_in_manifest_order() -> None:
    facts = [
        facts_of("s1", D.GOAL_MISSED, run_id="r2", persona_name="Ben"),
        facts_of("s2", D.GOAL_MET, run_id="r1", persona_name="Ana", persona_ref_id="b"),
        facts_of("s3", D.NOT_MEASURED, run_id="r0", persona_name="Ana", persona_ref_id="b"),
        facts_of("s4", D.NOT_MEASURED, run_id="r5", persona_name="Ana"),
    ]
    plan = plan_for(facts, personas=[("z", "Idle"), ("b", "Ana"), ("b", "Ana")])
    told = [
        (each.persona.persona_ref_id, each.persona.name, each.disposition, each.goal_run_ids)
        for each in build(facts, plan).personas
    ]
    assert told == [
        (None, "Ana", D.NOT_MEASURED, ["r5"]),
        ("b", "Ana", D.GOAL_MET, ["r1", "r0"]),
        (None, "Ben", D.GOAL_MISSED, ["r2"]),
        ("z", "Idle", D.NOT_RUN, []),
    ]
