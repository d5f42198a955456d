"""Targets side by side: launch apart from outcome, and never without their populations."""

from dataclasses import replace

from finding_waves import build, facts_of, idle, plan_for
from report_waves import page_of, parsed, published, report_of, wave_of

from reporter.models.facts import SessionFacts
from reporter.models.manifest import PERSONA_UNRECORDED, TARGET_UNRECORDED
from reporter.view.targets import CAUTION, TargetsView
from reporter.vocabulary import Disposition, Lifecycle


def targets_of(*facts: SessionFacts) -> TargetsView:
    return report_of(wave_of(facts)).targets


def tried(session_id: str, target_id: str, run_id: str = "r1", **more: object) -> SessionFacts:
    disposition = more.pop("disposition", Disposition.GOAL_MET)
    assert isinstance(disposition, Disposition)
    return facts_of(session_id, disposition, target_id=target_id, run_id=run_id, **more)


def test_launch_and_outcome_are_counted_apart_and_each_over_its_own_population() -> None:
    view = targets_of(
        tried("a1", "t1"),
        tried("a2", "t1", session_index=1, disposition=Disposition.GOAL_MISSED),
        tried("b1", "t2"),
        idle("b2", Lifecycle.LIMITED, target_id="t2", session_index=1),
    )
    first, second = view.rows
    assert (first.started.text, first.ways) == ("2 of 2 sessions", "")
    assert (second.started.text, second.ways) == ("1 of 2 sessions", "1 rate limited")
    assert (first.outcomes.words, first.outcomes.total) == ("1 met, 1 not met", 2)
    # The session that never started has no outcome on this target's row.
    assert (second.outcomes.words, second.outcomes.total) == ("1 met", 1)
    assert second.graded.text == "1 of 1 started session"


def test_a_target_on_which_nothing_started_has_no_outcome() -> None:
    view = targets_of(tried("a1", "t1"), idle("b1", Lifecycle.BROKE, target_id="t2"))
    assert view.rows[1].outcomes.total == 0
    assert view.rows[1].graded.text == "not measured"
    page = parsed(page_of(wave_of([tried("a1", "t1"), idle("b1", target_id="t2")])))
    assert "0 of 1 session started" in page.text


def test_equal_work_is_said_to_be_equal_and_who_was_lost() -> None:
    same = targets_of(tried("a1", "t1"), tried("b1", "t2"))
    assert same.lead.startswith("Every target was given the same goals by the same personas")
    assert same.lead.endswith(CAUTION)
    lost = targets_of(tried("a1", "t1"), idle("b1", target_id="t2"))
    assert "1 of 1 session on Host t2 did not start" in lost.lead


def test_different_goals_are_said_to_be_different_work() -> None:
    view = targets_of(
        tried("a1", "t1", goal_id="g1"),
        tried("a2", "t1", "r2", goal_id="g2"),
        tried("b1", "t2", goal_id="g1"),
    )
    assert "1 of 2 goals was given to all of them" in view.lead
    nothing = targets_of(tried("a1", "t1", goal_id="g1"), tried("b1", "t2", "r2", goal_id="g2"))
    assert "no goal was given to all of them" in nothing.lead


def test_the_same_goals_by_other_personas_are_different_work() -> None:
    view = targets_of(
        tried("a1", "t1", persona_name="Ana"),
        tried("b1", "t2", "r2", persona_name="Ben"),
    )
    assert "not by the same personas equally often" in view.lead


def test_launch_bars_share_one_scale() -> None:
    view = targets_of(tried("a1", "t1"), tried("a2", "t1", session_index=1), tried("b1", "t2"))
    assert [piece.width for piece in view.rows[0].launch.pieces] == ["100%"]
    assert [piece.width for piece in view.rows[1].launch.pieces] == ["50%"]


def test_one_target_has_nothing_beside_it() -> None:
    view = targets_of(tried("a1", "t1"))
    assert view.rows == ()
    assert "The only target is Host t1" in view.lead


def test_a_document_without_a_recording_says_what_it_does_not_count() -> None:
    wave = wave_of([tried("a1", "t1"), tried("b1", "t2")])
    view = report_of(published(wave.findings)).targets
    assert view.rows == ()
    assert view.lead.startswith("Not counted by target")


def test_an_unrecorded_target_is_named_nowhere_in_a_goal_finding() -> None:
    wave = wave_of([tried("a1", "t1")])
    assert wave.plan is not None
    labelled = [
        row.finding.model_copy(
            update={"target": row.finding.target.model_copy(update={"label": TARGET_UNRECORDED})}
        )
        for row in wave.findings.rows
    ]
    rows = tuple(
        replace(row, finding=finding)
        for row, finding in zip(wave.findings.rows, labelled, strict=True)
    )
    made = report_of(replace(wave, findings=replace(wave.findings, rows=rows)))
    line = made.goals.goals[0].runs[0].evidence.outcomes[0]
    assert line.finding.target == ""


def test_a_target_that_no_session_was_planned_on_is_said_to_be_just_that() -> None:
    facts = [tried("a1", "t1")]
    both = plan_for([*facts, tried("b1", "t2")])
    plan = replace(plan_for(facts), targets=both.targets)
    made = report_of(wave_of(facts, plan))
    assert made.targets.lead.startswith("The only target is Host t1")
    assert made.targets.lead.endswith(" No session was planned on Host t2.")
    assert made.head.size == (
        "1 persona, 1 goal and 1 target: 1 planned session. Listed beside, and in no run: 1 target."
    )
    assert made.head.targets == ("Host t1 (model-one)",)


def test_a_goal_and_a_persona_that_no_run_is_about_are_not_counted_as_tried() -> None:
    facts = [tried("a1", "t1")]
    more = plan_for([*facts, tried("b1", "t1", "r2", goal_id="g2", persona_name="Ben")])
    plan = replace(plan_for(facts), goals=more.goals, personas=more.personas)
    assert report_of(wave_of(facts, plan)).head.size == (
        "1 persona, 1 goal and 1 target: 1 planned session. "
        "Listed beside, and in no run: 1 persona and 1 goal."
    )


def test_an_unrecorded_target_is_not_called_the_only_one() -> None:
    facts = [tried("a1", "t1")]
    plan = plan_for(facts)
    named = plan.targets[0].model_copy(update={"label": TARGET_UNRECORDED})
    lead = report_of(wave_of(facts, replace(plan, targets=(named,)))).targets.lead
    assert lead.startswith("No target was recorded, so there is nothing to set side by side")


def test_sessions_of_nobody_make_no_persona_of_a_target() -> None:
    view = targets_of(
        tried("a1", "t1"),
        tried("a2", "t1", "r2", persona_name=PERSONA_UNRECORDED),
        tried("b1", "t2"),
        tried("b2", "t2", "r3", persona_name=PERSONA_UNRECORDED),
    )
    assert view.rows[0].faced == "1 goal, 1 persona and sessions of no recorded persona"


def test_several_shared_goals_are_spoken_of_in_the_plural() -> None:
    view = targets_of(
        tried("a1", "t1", goal_id="g1"),
        tried("a2", "t1", "r2", goal_id="g2"),
        tried("a3", "t1", "r3", goal_id="g3"),
        tried("b1", "t2", goal_id="g1"),
        tried("b2", "t2", "r2", goal_id="g2"),
    )
    assert "2 of 3 goals were given to all of them" in view.lead


def test_targets_of_one_label_are_told_apart_in_findings_causes_and_slices() -> None:
    facts = [tried("a1", "t1"), tried("b1", "t2", disposition=Disposition.GOAL_MISSED)]
    plan = plan_for(facts)
    first, second = plan.targets
    plan = replace(
        plan,
        targets=(
            first.model_copy(update={"label": "Host", "model_id": "one", "host_name": "Host"}),
            second.model_copy(update={"label": "Host", "model_id": "two", "host_name": "Host"}),
        ),
    )
    page = parsed(page_of(wave_of(facts, plan)))
    goals = page.by_id("goals").text
    assert "Host (one): " in goals
    assert "Host (two): " in goals
    alone = parsed(page_of(published(build(facts, plan))))
    assert "Host (one): " in alone.by_id("goals").text
    assert "Host (two)" in alone.by_id("matrix").text
