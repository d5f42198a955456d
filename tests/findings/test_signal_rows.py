from dataclasses import replace

import pytest
from finding_waves import build, document_of, facts_of, idle, rows_of, signals

from reporter.vocabulary import (
    Basis,
    ChainStageBasis,
    Disposition,
    ReadState,
    ScopeLevel,
    Signal,
    Stage,
    Verdict,
)

D, S = Disposition, Signal


@pytest.mark.parametrize(
    ("signal", "stage", "phrase"),
    [
        (S.OUTPUT_TRUNCATED, Stage.RESPONSE, "reply was cut off"),
        (S.HALLUCINATED_TOOL, Stage.DISCOVERY, "called a tool that does not exist"),
        (S.TOOL_ERRORED, Stage.RESPONSE, "a tool call returned an error"),
        (S.NO_TOOL_CALLED, Stage.SELECTION, "finished without using any tool"),
        (S.TURN_CAP_REACHED, Stage.USER_VALUE, "used every allowed turn"),
    ],
)
def test_a_signal_row_states_a_recorded_fact_and_colours_nothing(
    signal: Signal, stage: Stage, phrase: str
) -> None:
    facts = [
        facts_of("s2", D.GOAL_MET_WITH_FRICTION, **signals(signal, turn=3)),
        facts_of("s1", D.GOAL_MET, **signals(signal)),
        facts_of("s3", D.GOAL_MISSED),
        facts_of("s4", D.GOAL_MISSED, read_state=ReadState.TRANSCRIPT_MISSING),
        idle("s5"),
    ]
    (row,) = rows_of(build(facts), 3)
    finding = row.finding
    assert (finding.basis, finding.scope_level) == (Basis.POPULATION_FACT, ScopeLevel.GOAL)
    assert (finding.signal, finding.outcome_phrase) == (signal, phrase)
    assert (finding.chain_stage, finding.chain_stage_state) == (stage, None)
    assert finding.chain_stage_basis is ChainStageBasis.REPORTED
    assert (finding.population.count, finding.population.total) == (2, 3)
    assert finding.session_ids == ["s1", "s2"]
    assert finding.citations == [f"s1/signal:{signal}:0", f"s2/signal:{signal}:3"]
    # It never makes a goal worse than its own sessions were.
    assert (finding.disposition, finding.verdict_seen) == (
        D.GOAL_MET_WITH_FRICTION,
        Verdict.PASSED,
    )
    assert finding.id == f"signal:{signal}::r1:t1"


def test_each_session_is_in_the_row_of_its_first_signal_only() -> None:
    facts = [
        facts_of("s1", **signals(S.OUTPUT_TRUNCATED, S.TOOL_ERRORED)),
        facts_of("s2", **signals(S.TOOL_ERRORED, S.TURN_CAP_REACHED)),
        facts_of("s3", **signals(S.TURN_CAP_REACHED)),
    ]
    named = [row.finding.session_ids for row in rows_of(build(facts), 3)]
    assert named == [["s1"], ["s2"], ["s3"]]


def test_signals_of_a_session_that_was_not_read_are_not_told() -> None:
    unread = replace(
        facts_of("s1", **signals(S.TOOL_ERRORED)), read_state=ReadState.TRANSCRIPT_MISSING
    )
    assert rows_of(build([unread]), 3) == []


def test_signal_rows_stand_by_priority_then_as_outcome_rows() -> None:
    facts = [
        facts_of("s1", run_id="r2", persona_name="Ben", **signals(S.TOOL_ERRORED)),
        facts_of("s2", run_id="r1", persona_name="Ana", **signals(S.TURN_CAP_REACHED)),
        facts_of("s3", run_id="r1", persona_name="Ana", **signals(S.TOOL_ERRORED)),
    ]
    named = [row.finding.session_ids[0] for row in rows_of(build(facts), 3)]
    assert named == ["s3", "s1", "s2"]


def test_signal_rows_whose_ids_collide_are_numbered_in_row_order() -> None:
    cells = [("a:b:c", "d"), ("a:b", "c:d"), ("a", "b:c:d")]
    facts = [
        facts_of(f"s{n}", run_id=run, target_id=target, **signals(S.TOOL_ERRORED))
        for n, (run, target) in enumerate(cells)
    ]
    ids = [row.finding.id for row in rows_of(build(facts), 3)]
    plain = "signal:toolErrored::a:b:c:d"
    assert ids == [plain, f"{plain}#2", f"{plain}#3"]


def test_the_signal_key_stands_on_signal_rows_only() -> None:
    rows = document_of([facts_of("s1", D.GOAL_MISSED, **signals(S.TOOL_ERRORED))])["findings"]
    assert [row.get("signal", "absent") for row in rows] == ["absent", "toolErrored"]


def test_an_id_with_half_a_character_still_fits_a_file() -> None:
    facts = [facts_of("s1", run_id="r\ud800", **signals(S.TOOL_ERRORED))]
    ids = [row.finding.id for row in build(facts).rows]
    assert ids == ['goal:[null,"r\\ud800","t1"]', "signal:toolErrored::r\\ud800:t1"]
    assert all(each.encode() for each in ids)
