import pytest
from builders import run
from finding_waves import (
    build,
    chain,
    document_of,
    facts_of,
    failed_checks,
    idle,
    plan_for,
    rows_of,
)

from reporter.models.facts import SessionFacts
from reporter.vocabulary import (
    Basis,
    ChainStageBasis,
    Disposition,
    Lifecycle,
    ScopeLevel,
    SessionVerdictReason,
    Stage,
    StageState,
    Tone,
    Verdict,
)

D = Disposition


def test_a_goal_row_counts_only_the_sessions_of_its_word() -> None:
    facts = [
        facts_of("s3", D.GOAL_MISSED),
        facts_of("s1", D.BLOCKED_BY_RESPONSE, chain=chain(Stage.RESPONSE), **failed_checks("c1")),
        facts_of("s2", D.GOAL_MISSED),
        idle("s4"),
    ]
    (row,) = rows_of(build(facts), 2)
    finding = row.finding
    assert (finding.basis, finding.scope_level) == (Basis.POPULATION_FACT, ScopeLevel.GOAL)
    assert (finding.disposition, finding.tone) == (D.BLOCKED_BY_RESPONSE, Tone.FAIL)
    assert (finding.population.count, finding.population.total) == (1, 3)
    assert finding.session_ids == ["s1"]
    assert finding.citations == ["s1/c:c1"]
    assert finding.verdict_seen is Verdict.FAILED
    assert (finding.chain_stage, finding.chain_stage_state) == (Stage.RESPONSE, StageState.FAILED)
    assert row.others == ((D.NOT_RUN, 1), (D.GOAL_MISSED, 2))
    assert finding.outcome_phrase is None


def test_a_goal_that_never_ran_counts_its_slots_and_cites_nothing() -> None:
    facts = [idle("s1", has_connection_record=True, **failed_checks("c1")), idle("s2")]
    (row,) = rows_of(build(facts), 2)
    finding = row.finding
    assert (finding.disposition, finding.tone) == (D.NOT_RUN, Tone.MUTED)
    assert (finding.population.count, finding.population.total) == (2, 2)
    assert finding.session_ids == ["s1", "s2"]
    assert finding.citations == []
    assert finding.chain_stage is None
    assert finding.chain_stage_basis is ChainStageBasis.UNMEASURED


@pytest.mark.parametrize(
    ("reasons", "verdict"),
    [
        ([SessionVerdictReason.UNGRADED] * 2, Verdict.NOT_ESTABLISHED),
        (
            [SessionVerdictReason.UNGRADED, SessionVerdictReason.JUDGE_ERRORED],
            Verdict.INCONCLUSIVE,
        ),
    ],
)
def test_the_verdict_seen_folds_the_counted_sessions(
    reasons: list[SessionVerdictReason], verdict: Verdict
) -> None:
    facts = [facts_of(f"s{n}", D.NOT_MEASURED, reason=reason) for n, reason in enumerate(reasons)]
    (row,) = rows_of(build(facts), 2)
    assert row.finding.verdict_seen is verdict


def test_the_verdict_seen_leaves_out_sessions_of_another_word() -> None:
    facts = [facts_of("s1", D.GOAL_MET), facts_of("s2", D.NOT_MEASURED)]
    (row,) = rows_of(build(facts), 2)
    assert row.finding.verdict_seen is Verdict.PASSED


def blocked(session_id: str, **more: object) -> SessionFacts:
    return facts_of(session_id, D.BLOCKED_CONNECTING, **more)


def test_a_goal_row_cites_the_connection_else_each_failed_required_check() -> None:
    facts = [
        blocked("s3", has_connection_record=True, **failed_checks("c9")),
        blocked("s1", has_connection_record=False, **failed_checks("c2", "c1")),
        blocked("s2"),
    ]
    (row,) = rows_of(build(facts), 2)
    assert row.finding.citations == ["s1/c:c2", "s1/c:c1", "s3/k:connection"]


def test_a_connection_that_did_not_block_the_session_is_not_cited() -> None:
    connected = {"has_connection_record": True, **failed_checks("c1")}
    (row,) = rows_of(build([facts_of("s1", D.GOAL_MISSED, **connected)]), 2)
    assert row.finding.citations == ["s1/c:c1"]


def test_a_check_whose_id_no_citation_can_hold_is_not_cited() -> None:
    facts = [facts_of("s1", D.GOAL_MISSED, **failed_checks("two\nlines", "a/b"))]
    (row,) = rows_of(build(facts), 2)
    assert row.finding.citations == ["s1/c:a/b"]


def test_no_goal_is_silent_and_cells_stand_in_order() -> None:
    facts = [
        facts_of("a", run_id="r4", persona_name="Ben", persona_ref_id="p9"),
        facts_of("b", run_id="r3", persona_name="Ben", persona_ref_id=None),
        facts_of("c", run_id="r2", persona_name="Ana", target_id="t1"),
        facts_of("d", run_id="r2", persona_name="Ana", target_id="t3"),
        facts_of("e", run_id="r1", persona_name="Ana", target_id="t2"),
        facts_of("f", run_id="r1", persona_name="Ana", target_id="t1"),
    ]
    rows = rows_of(build(facts, plan_for(facts, targets=["t3", "t2", "t1"])), 2)
    # Persona name, id with null first, run in manifest order, target in the run's order.
    assert [row.finding.session_ids[0] for row in rows] == ["c", "d", "e", "f", "b", "a"]


def test_a_slot_on_a_target_that_its_run_does_not_have_has_a_row_of_its_own() -> None:
    facts = [facts_of("s1", target_id="t2"), facts_of("s2", target_id="t1")]
    plan = plan_for(facts, targets=["t1", "t2"], runs=[run("r1", "g1", "Ana", ["t2"])])
    rows = rows_of(build(facts, plan), 2)
    assert [row.target_id for row in rows] == ["t2", "t1"]


def test_ids_tell_cells_apart_whose_parts_hold_colons_and_quotes() -> None:
    facts = [
        facts_of("s1", run_id="a:b", target_id="c", persona_ref_id="p"),
        facts_of("s2", run_id="a", target_id="b:c", persona_ref_id="p"),
        facts_of("s3", run_id='x","y', target_id="t1", persona_ref_id=None),
    ]
    ids = {row.finding.session_ids[0]: row.finding.id for row in rows_of(build(facts), 2)}
    assert ids == {
        "s1": 'goal:["p","a:b","c"]',
        "s2": 'goal:["p","a","b:c"]',
        "s3": 'goal:[null,"x\\",\\"y","t1"]',
    }


def test_a_row_names_persona_goal_and_target_as_the_manifest_does() -> None:
    (row,) = document_of([facts_of("s1", goal_title="Renew a loan", lifecycle=Lifecycle.BROKE)])[
        "findings"
    ]
    assert row["persona"] == {"personaRefId": None, "name": "Ana"}
    assert row["goal"] == {"runId": "r1", "journeyRefId": "g1", "title": "Renew a loan"}
    assert row["target"] == {
        "kind": "host",
        "id": "host-t1",
        "label": "Host t1",
        "modelId": "model-one",
    }
