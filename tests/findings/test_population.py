import pytest
from finding_waves import build, facts_of, idle, plan_for

from reporter.findings.population import Tally, failed_to_launch, tally_of
from reporter.models.facts import SessionFacts
from reporter.models.finding import Population
from reporter.vocabulary import Disposition, Lifecycle, ReadState, SessionVerdictReason, Verdict

D = Disposition
WAVE: list[SessionFacts] = [
    facts_of("s01", D.GOAL_MET),
    facts_of("s02", D.GOAL_MET_WITH_FRICTION),
    facts_of("s03", D.GOAL_MISSED),
    facts_of("s04", D.BLOCKED_CONNECTING, reason=SessionVerdictReason.EXECUTION_FAILED),
    facts_of("s05", D.NOT_MEASURED, reason=SessionVerdictReason.JUDGE_ERRORED),
    facts_of("s06", D.NOT_MEASURED, read_state=ReadState.TRANSCRIPT_MISSING),
    facts_of("s07", D.NOT_MEASURED, lifecycle=Lifecycle.WITHDRAWN),
    *(idle(f"t{number}", lifecycle) for number, lifecycle in enumerate(Lifecycle)),
]


def test_the_envelope_counts_each_slot_where_it_belongs() -> None:
    assert tally_of(WAVE).population == Population(
        configured=13, started=7, read=6, unread=1, withdrawn=2, limited=1, graded=3
    )


def test_the_five_parts_of_did_not_start_add_up() -> None:
    parts = tally_of(WAVE).launch
    assert (parts.rate_limited, parts.withdrawn, parts.failed, parts.silent) == (1, 1, 1, 1)
    assert parts.pending_or_running == 2
    assert parts.total == 13 - 7
    assert failed_to_launch(tally_of(WAVE).population) == 5


def test_the_outcome_partition_adds_up_to_configured() -> None:
    parts = tally_of(WAVE).partition
    assert (parts.met, parts.met_with_friction, parts.not_met, parts.not_known) == (1, 1, 2, 9)
    assert (parts.total, parts.known) == (13, 4)


def test_why_started_sessions_were_not_graded_adds_up() -> None:
    reasons = tally_of(WAVE).ungraded_reasons
    assert dict(reasons) == {
        SessionVerdictReason.EXECUTION_FAILED: 1,
        SessionVerdictReason.JUDGE_ERRORED: 1,
        SessionVerdictReason.UNGRADED: 2,
    }
    assert [reason for reason, _ in reasons] == [
        reason for reason in SessionVerdictReason if reason in dict(reasons)
    ]


def test_inconclusive_is_not_graded() -> None:
    session = facts_of("s1", D.NOT_MEASURED, reason=SessionVerdictReason.JUDGE_ERRORED)
    assert session.verdict.verdict is Verdict.INCONCLUSIVE
    assert tally_of([session]).graded == 0


@pytest.mark.parametrize("cut", range(len(WAVE) + 1))
def test_tallies_of_parts_add_up_to_the_tally_of_the_whole(cut: int) -> None:
    assert tally_of(WAVE[:cut]) + tally_of(WAVE[cut:]) == tally_of(WAVE)
    assert tally_of([]) == Tally()


def test_a_session_refused_by_the_server_is_started_and_ungraded() -> None:
    refused = facts_of(
        "s1",
        D.BLOCKED_CONNECTING,
        reason=SessionVerdictReason.EXECUTION_FAILED,
        message_count=0,
        started_by="refused",
    )
    counts = build([refused]).population
    assert (counts.started, counts.read, counts.graded) == (1, 1, 0)


def test_findings_need_one_entry_of_facts_a_slot() -> None:
    plan = plan_for(WAVE)
    with pytest.raises(ValueError, match="one entry of facts for each slot"):
        build(WAVE[1:], plan)
    with pytest.raises(ValueError, match="one entry of facts for each slot"):
        build([*WAVE[1:], WAVE[1]], plan)
