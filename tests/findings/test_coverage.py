from dataclasses import replace
from typing import Any

import pytest
from finding_waves import (
    build,
    chain,
    facts_of,
    idle,
    rows_of,
    signals,
    with_judge,
)

from reporter.findings.coverage import WAVE_ONLY, candidate_group, coverage_of
from reporter.identifiers import SessionId
from reporter.models.facts import SessionFacts
from reporter.models.finding import Verification
from reporter.models.manifest import Attempt
from reporter.vocabulary import (
    CoverageNote,
    Disposition,
    GraderReadiness,
    Lifecycle,
    ReadState,
    SessionVerdictReason,
    Signal,
    Stage,
    StageState,
)

D, N = Disposition, CoverageNote
LIMITED = Attempt(status="rate_limited")


def unread(state: ReadState) -> SessionFacts:
    return facts_of("s1", read_state=state, catalog_complete=False, chain=None)


def undecided(
    readiness: GraderReadiness, reason: SessionVerdictReason = SessionVerdictReason.UNGRADED
) -> SessionFacts:
    return with_judge(facts_of("s1", D.NOT_MEASURED, reason=reason), readiness)


@pytest.mark.parametrize(
    ("session", "notes"),
    [
        pytest.param(facts_of(), set(), id="nothing to say"),
        pytest.param(unread(ReadState.SCAN_CAPPED), {N.SESSION_SCAN_CAPPED}, id="capped"),
        pytest.param(unread(ReadState.BUDGET_EXHAUSTED), {N.BUDGET_EXHAUSTED}, id="budget"),
        pytest.param(unread(ReadState.TRANSCRIPT_MISSING), {N.TRANSCRIPT_MISSING}, id="lost"),
        pytest.param(unread(ReadState.CONTEXT_TOO_LARGE), {N.CONTEXT_TOO_LARGE}, id="too large"),
        pytest.param(unread(ReadState.EXTRACTION_REJECTED), {N.EXTRACTION_REJECTED}, id="rejected"),
        pytest.param(facts_of(chain=None), {N.CHAIN_UNMEASURED}, id="no chain"),
        pytest.param(facts_of(chain=chain()), {N.CHAIN_UNMEASURED}, id="nothing measured"),
        pytest.param(
            facts_of(chain=chain(Stage.CONNECTION, after=StageState.NOT_REACHED)),
            set(),
            id="a failed stage is measured",
        ),
        pytest.param(facts_of(catalog_complete=False), {N.TOOL_CATALOG_MISSING}, id="no catalogue"),
        pytest.param(
            undecided(GraderReadiness.NOT_CONFIGURED), {N.JUDGE_NOT_RUN}, id="no judge configured"
        ),
        pytest.param(
            undecided(GraderReadiness.ERRORED, SessionVerdictReason.JUDGE_ERRORED),
            {N.JUDGE_NOT_RUN},
            id="the judge broke",
        ),
        pytest.param(undecided(GraderReadiness.SCORED), set(), id="judged, and not by it"),
        pytest.param(
            with_judge(facts_of(), GraderReadiness.SILENT), set(), id="decided without a judge"
        ),
        pytest.param(
            facts_of("s1", lifecycle=Lifecycle.WITHDRAWN), {N.SESSIONS_WITHDRAWN}, id="withdrawn"
        ),
        pytest.param(
            idle("s1", Lifecycle.WITHDRAWN), {N.SESSIONS_WITHDRAWN}, id="withdrawn, never started"
        ),
        pytest.param(idle("s1", Lifecycle.LIMITED), {N.SESSIONS_RATE_LIMITED}, id="limited"),
        pytest.param(
            facts_of("s1", lifecycle=Lifecycle.BROKE, attempt=LIMITED),
            {N.SESSIONS_RATE_LIMITED},
            id="limited midway",
        ),
        pytest.param(
            facts_of("s1", lifecycle=Lifecycle.WITHDRAWN, attempt=LIMITED),
            {N.SESSIONS_WITHDRAWN, N.SESSIONS_RATE_LIMITED},
            id="limited midway and withdrawn by its code",
        ),
        pytest.param(
            idle("s1", Lifecycle.WITHDRAWN, attempt=LIMITED),
            {N.SESSIONS_WITHDRAWN},
            id="withdrawn by its code before it started",
        ),
        pytest.param(idle("s1", Lifecycle.BROKE), set(), id="broke before its first message"),
    ],
)
def test_each_note_is_raised_by_what_it_says(
    session: SessionFacts, notes: set[CoverageNote]
) -> None:
    found = build([session])
    assert set(found.coverage_notes) - {N.PARTIAL_READ, N.ANALYSIS_UNAVAILABLE} == notes
    assert all(found.note_sessions[note] == 1 for note in notes)
    for row in found.rows:
        assert set(row.finding.coverage_notes) == notes - WAVE_ONLY


def test_a_row_carries_the_notes_of_its_whole_scope() -> None:
    facts = [
        facts_of("s1", D.GOAL_MISSED),
        facts_of("s2", D.GOAL_MET, chain=None),
        facts_of("s3", D.GOAL_MET, run_id="r2", target_id="t2"),
    ]
    first, second = rows_of(build(facts), 2)
    assert first.finding.session_ids == ["s1"]
    assert first.finding.coverage_notes == [N.CHAIN_UNMEASURED]
    assert second.finding.coverage_notes == []


def test_slots_beyond_the_scan_cap_are_counted_in_plan_order() -> None:
    facts = [
        facts_of("b"),
        idle("a", run_id="r2"),
        facts_of("c", run_id="r3", read_state=ReadState.SCAN_CAPPED),
    ]
    found = build(facts, scan_cap=1)
    assert found.note_sessions[N.SESSION_SCAN_CAPPED] == 2
    noted = [N.SESSION_SCAN_CAPPED in row.finding.coverage_notes for row in rows_of(found, 2)]
    assert noted == [False, True, True]
    assert N.SESSION_SCAN_CAPPED not in build(facts[:2], scan_cap=2).coverage_notes


def test_a_note_that_a_session_raises_beside_its_read_state_is_counted() -> None:
    both = replace(
        unread(ReadState.SCAN_CAPPED), notes=(N.SESSION_SCAN_CAPPED, N.TRANSCRIPT_MISSING)
    )
    found = build([both], scan_cap=0)
    assert found.note_sessions == {N.SESSION_SCAN_CAPPED: 1, N.TRANSCRIPT_MISSING: 1}


@pytest.mark.parametrize(("read", "raised"), [(0, False), (1, True), (2, True), (3, False)])
def test_partly_read_needs_a_read_and_an_unread_session(read: int, raised: bool) -> None:
    states = [ReadState.READ] * read + [ReadState.TRANSCRIPT_MISSING] * (3 - read)
    found = build([facts_of(f"s{n}", read_state=state) for n, state in enumerate(states)])
    assert (N.PARTIAL_READ in found.coverage_notes) is raised
    assert found.note_sessions.get(N.PARTIAL_READ, 0) == (3 - read if raised else 0)


def verification(rejected: int = 0, unverified: int = 0) -> Verification:
    return Verification(
        proposed=rejected + unverified + 1,
        confirmed=1,
        rejected=rejected,
        unverified=unverified,
        omitted=0,
    )


@pytest.mark.parametrize(
    ("disposition", "made", "touched"),
    [
        (D.GOAL_MISSED, None, {N.ANALYSIS_UNAVAILABLE: 2}),
        (D.GOAL_MET_WITH_FRICTION, None, {N.ANALYSIS_UNAVAILABLE: 2}),
        (D.GOAL_MET, None, {}),
        (D.NOT_MEASURED, None, {}),
        (D.GOAL_MISSED, verification(), {}),
        (D.GOAL_MISSED, verification(unverified=3), {N.ANALYSIS_UNAVAILABLE: 3}),
        (D.GOAL_MISSED, verification(rejected=2), {N.MECHANISMS_REJECTED: 2}),
        (D.GOAL_MET, verification(unverified=3), {}),
    ],
)
def test_causes_that_nobody_analysed_are_said_to_be_missing(
    disposition: Disposition, made: Verification | None, touched: dict[CoverageNote, int]
) -> None:
    facts = [with_judge(facts_of(f"s{n}", disposition), GraderReadiness.SCORED) for n in range(2)]
    assert build(facts, verification=made).note_sessions == touched


def of_group(**more: Any) -> SessionFacts:
    return facts_of("s1", D.GOAL_MISSED, **more)


def test_candidates_are_grouped_by_signal_stage_and_disposition() -> None:
    facts = [
        of_group(),
        of_group(),
        of_group(**signals(Signal.TOOL_ERRORED, Signal.TURN_CAP_REACHED)),
        of_group(chain=chain(Stage.CALL)),
        facts_of("s1", D.GOAL_MET_WITH_FRICTION),
    ]
    assert sorted(coverage_of(facts).candidates.values()) == [1, 1, 1, 2]
    numbered = [replace(each, session_id=SessionId(f"s{n}")) for n, each in enumerate(facts)]
    assert build(numbered).candidate_groups == 4


@pytest.mark.parametrize(
    "session",
    [
        of_group(read_state=ReadState.TRANSCRIPT_MISSING),
        of_group(message_count=0),
        facts_of("s1", D.GOAL_MET),
        idle("s1"),
    ],
)
def test_a_session_without_a_turn_to_cite_or_a_loss_to_explain_is_no_candidate(
    session: SessionFacts,
) -> None:
    assert candidate_group(session) is None


def test_notes_stand_once_each_in_contract_order() -> None:
    facts = [
        idle("s1", Lifecycle.LIMITED),
        undecided(GraderReadiness.NOT_CONFIGURED),
        *(facts_of(f"x{n}", chain=None, catalog_complete=False) for n in range(3)),
        replace(unread(ReadState.TRANSCRIPT_MISSING), session_id=SessionId("s9")),
    ]
    facts[1] = replace(facts[1], session_id=SessionId("s2"))
    notes = list(build(facts).coverage_notes)
    assert notes == [note for note in CoverageNote if note in set(notes)]
    assert {N.TRANSCRIPT_MISSING, N.SESSIONS_RATE_LIMITED, N.PARTIAL_READ} <= set(notes)


def test_coverages_of_parts_add_up() -> None:
    facts = [of_group(), of_group(chain=None), idle("s2", Lifecycle.WITHDRAWN)]
    for cut in range(4):
        assert coverage_of(facts[:cut]) + coverage_of(facts[cut:]) == coverage_of(facts)
