"""What the checks measure, as it is shown: no link without a check is called fine."""

from dataclasses import replace
from typing import Any

from finding_waves import build, chain, facts_of, plan_for
from report_waves import published, report_of, wave_of

from reporter.identifiers import CriterionId
from reporter.models.facts import CriterionFact, JudgeFact, SessionFacts
from reporter.models.manifest import Criterion, JudgePolicy
from reporter.models.plan import Plan
from reporter.view.checks import ChecksRow, ChecksView
from reporter.vocabulary import Stage


def criterion(name: str, kind: str | None = None, role: str = "required") -> Criterion:
    predicate: dict[str, Any] | None = {"type": kind} if kind else None
    return Criterion.model_validate(
        {"id": name, "label": name, "role": role, "predicate": predicate}
    )


def planned(
    facts: list[SessionFacts], *checks: Criterion, judge: JudgePolicy | None = None
) -> Plan:
    plan = plan_for(facts)
    runs = tuple(run.model_copy(update={"rubric": list(checks)}) for run in plan.runs)
    return replace(plan, runs=runs, judge=judge)


def shown(plan: Plan, facts: list[SessionFacts]) -> ChecksView:
    view = report_of(wave_of(facts, plan)).checks
    assert view is not None
    return view


def row(view: ChecksView, stage: Stage) -> ChecksRow:
    return next(one for one in view.rows if one.label == stage.label)


def test_a_document_without_a_recording_names_no_check() -> None:
    assert report_of(published(build([facts_of()]))).checks is None


def test_a_link_without_a_check_is_unmeasured_and_not_fine() -> None:
    facts = [facts_of("a", chain=chain()), facts_of("b", chain=chain())]
    view = shown(planned(facts), facts)
    selection = row(view, Stage.SELECTION)
    assert (selection.checks, selection.graders) == ((), "")
    assert "unmeasured, not fine" in selection.applies
    assert "Measured in 0 of 2 started sessions" in selection.applies
    assert "No goal of this wave has a check or a judge that could decide it." in view.lead


def test_what_the_record_alone_decides_is_not_called_unmeasured() -> None:
    facts = [facts_of("a", chain=chain(passed=[Stage.RESPONSE]))]
    said = row(shown(planned(facts), facts), Stage.RESPONSE).applies
    assert said.startswith("No check or grader covers this link; what was recorded decides alone.")
    assert "unmeasured" not in said


def test_no_check_reaches_what_the_runner_decides() -> None:
    facts = [facts_of("a")]
    view = shown(planned(facts, criterion("c", "toolCalledWith")), facts)
    for stage in (Stage.CONNECTION, Stage.DISCOVERY):
        one = row(view, stage)
        assert "no check can be written for it" in one.applies
    # The sentence is of both links, and stands once.
    assert "look the same" in row(view, Stage.CONNECTION).notes[0]
    assert row(view, Stage.DISCOVERY).notes == ()


def test_valid_arguments_are_said_to_be_unmeasured_where_only_the_choice_is() -> None:
    facts = [facts_of("a")]
    chosen = criterion("c", "toolCalledWith")
    (note,) = row(shown(planned(facts, chosen), facts), Stage.CALL).notes
    assert "argumentsMatchToolSchema would" in note
    valid = criterion("d", "argumentsMatchToolSchema")
    assert row(shown(planned(facts, chosen, valid), facts), Stage.CALL).notes == ()
    assert row(shown(planned(facts), facts), Stage.CALL).notes == ()


def test_roles_and_budgets_are_told_apart() -> None:
    facts = [facts_of("a")]
    budget = criterion("b", "turnCountUnder", "advisory")
    value = row(shown(planned(facts, budget), facts), Stage.USER_VALUE)
    assert value.checks == ("turnCountUnder (1 advisory)",)
    assert value.notes == ("turnCountUnder is a budget; it files at this link as other checks do.",)
    assert "only advisory checks" in value.applies.lower()
    two = planned(facts, budget, criterion("t", "tokenBudgetUnder"))
    (note,) = row(shown(two, facts), Stage.USER_VALUE).notes
    assert note.startswith("turnCountUnder and tokenBudgetUnder are budgets")


def test_a_check_of_no_named_kind_is_named_at_user_value() -> None:
    facts = [facts_of("a")]
    value = row(shown(planned(facts, criterion("The reward")), facts), Stage.USER_VALUE)
    assert value.checks == ("“The reward”",)
    assert "Decided by checks or graders" in value.applies


def test_a_judge_that_only_advises_decides_nothing_beside_checks_that_must_be_met() -> None:
    facts = [facts_of("a")]
    advising = JudgePolicy(automatic=True, role="advisory")
    held = criterion("c", "toolCalledWith")
    view = shown(planned(facts, held, judge=advising), facts)
    value = row(view, Stage.USER_VALUE)
    assert value.graders == "judge:goalCompletion"
    assert "which decide nothing" in value.applies
    assert "could decide" not in view.lead


def test_a_judge_that_only_advises_decides_where_no_check_must_be_met() -> None:
    # Its word is the verdict there, so that nothing decides must not stand beside it.
    facts = [facts_of("a")]
    advising = JudgePolicy(automatic=True, role="advisory")
    for checks in ((), (criterion("c", "turnCountUnder", "advisory"),)):
        view = shown(planned(facts, *checks, judge=advising), facts)
        assert "Decided by checks or graders" in row(view, Stage.USER_VALUE).applies
        assert "could decide" not in view.lead


def test_a_judge_that_spoke_without_a_recorded_policy_decides() -> None:
    facts = [facts_of("a", judge=JudgeFact("completed", passed=True))]
    view = shown(planned(facts), facts)
    value = row(view, Stage.USER_VALUE)
    assert (value.graders, value.applies[:29]) == (
        "judge:goalCompletion",
        "Decided by checks or graders.",
    )
    assert "could decide" not in view.lead


def test_a_goal_that_some_run_decides_is_not_called_undecided() -> None:
    facts = [facts_of("a", run_id="r1"), facts_of("b", run_id="r2")]
    plan = planned(facts)
    first, second = plan.runs
    held = first.model_copy(update={"rubric": [criterion("c", "toolCalledWith")]})
    view = shown(replace(plan, runs=(held, second)), facts)
    assert "could decide" not in view.lead
    assert "Nothing decides" not in view.lead
    assert "In some runs, and not in all, something decides “" in view.lead
    # What nothing decides is no check that an agent could pass.
    assert "does nothing" not in view.lead


def test_results_that_could_not_be_scored_are_counted_at_their_link() -> None:
    broken = CriterionFact(
        CriterionId("c"), "c", "required", "error", predicate_type="toolCalledWith"
    )
    facts = [facts_of("a", criteria=(broken,)), facts_of("b")]
    view = shown(planned(facts, criterion("c", "toolCalledWith")), facts)
    assert "1 result could not be scored" in row(view, Stage.SELECTION).applies
    assert "could not be scored" not in row(view, Stage.USER_VALUE).applies


def test_checks_of_what_servers_declare_are_said_to_decide_no_link() -> None:
    facts = [facts_of("a")]
    found = row(shown(planned(facts, criterion("c", "toolNamesUnique")), facts), Stage.DISCOVERY)
    assert found.checks == ("toolNamesUnique (1 required)",)
    assert "never decide the link" in found.notes[0]
    bare = row(shown(planned(facts), facts), Stage.DISCOVERY)
    assert bare.notes == ()


def test_a_kind_that_could_be_scored_in_no_session_is_named_at_its_link() -> None:
    def scored(name: str, kind: str, outcome: str) -> CriterionFact:
        return CriterionFact(CriterionId(name), name, "advisory", outcome, predicate_type=kind)  # type: ignore[arg-type]  # a word of the test

    blind = scored("c", "argumentsMatchToolSchema", "error")
    seen = scored("d", "toolInputMatches", "passed")
    facts = [facts_of("a", criteria=(blind, seen)), facts_of("b", criteria=(blind,))]
    checks = (criterion("c", "argumentsMatchToolSchema"), criterion("d", "toolInputMatches"))
    note = row(shown(planned(facts, *checks), facts), Stage.CALL).notes[-1]
    assert note == (
        "Authored, but cannot be measured here: argumentsMatchToolSchema. "
        "What it reads is not on record."
    )
    once = [
        facts_of("a", criteria=(blind,)),
        facts_of("b", criteria=(scored("c", "argumentsMatchToolSchema", "failed"),)),
    ]
    assert row(shown(planned(once, *checks), once), Stage.CALL).notes == ()


def test_goals_that_an_agent_that_does_nothing_would_pass_are_named() -> None:
    facts = [facts_of("a")]
    idle = shown(planned(facts, criterion("c", "noToolErrors")), facts).lead
    assert "An agent that does nothing would pass the checks of “" in idle
    held = criterion("d", "finalAssistantMessageNonEmpty")
    lead = shown(planned(facts, criterion("c", "noToolErrors"), held), facts).lead
    assert "does nothing" not in lead
    # Where nothing decides, that alone is said.
    advisory = shown(planned(facts, criterion("c", "noToolErrors", "advisory")), facts).lead
    assert "does nothing" not in advisory
