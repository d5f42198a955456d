"""What a session says of itself before its transcript, and what the list is filtered by."""

import pytest
from finding_waves import chain, facts_of, idle
from report_waves import report_of, wave_of

from reporter.models.chain import Chain, StageRow
from reporter.models.facts import SelfReportFact, SessionFacts
from reporter.models.manifest import PERSONA_UNRECORDED
from reporter.view.report import ReportView
from reporter.view.session import FailedLink, session_view
from reporter.vocabulary import (
    Disposition,
    FailureCategory,
    Stage,
    StageReason,
    StageState,
    Tone,
)


def report(*facts: SessionFacts) -> ReportView:
    return report_of(wave_of(facts))


def failed_of(fact: SessionFacts) -> FailedLink:
    found = session_view(report(fact), "s1", None).failed
    assert found is not None
    return found


def test_a_session_names_its_first_failed_link_and_why() -> None:
    broken = Chain(
        (
            StageRow(Stage.CONNECTION, StageState.PASSED),
            StageRow(Stage.DISCOVERY, StageState.PASSED),
            StageRow(Stage.SELECTION, StageState.PASSED),
            StageRow(Stage.CALL, StageState.PASSED),
            StageRow(Stage.RESPONSE, StageState.FAILED, StageReason.TOOL_ERROR),
            StageRow(Stage.USER_VALUE, StageState.FAILED, StageReason.JUDGE_FAILED),
        ),
        first_failed_stage=Stage.RESPONSE,
        failure_category=FailureCategory.SERVER_DATA,
    )
    failed = failed_of(facts_of("s1", Disposition.BLOCKED_BY_RESPONSE, chain=broken))
    assert failed.text == "First failed link: response, because the server reported a tool error."
    assert failed.look == "Look first: inspect the tool response returned by the server."
    assert failed.mark.tone is Tone.FAIL
    met = failed_of(facts_of("s1", Disposition.GOAL_MET_WITH_FRICTION, chain=broken))
    assert met.text.endswith("a tool error; the goal was still met.")
    assert met.look == ""


def test_a_first_failed_link_that_rests_on_an_inferred_field_names_the_rule() -> None:
    failed = failed_of(
        facts_of(
            "s1",
            Disposition.BLOCKED_BY_RESPONSE,
            chain=chain(Stage.RESPONSE),
            inferred_stages={Stage.RESPONSE: ("text starts with Error",)},
        )
    )
    said = "It rests on a field that was not recorded but follows from the rule “text starts"
    assert said in failed.text


def test_a_session_without_a_failed_link_names_none() -> None:
    assert session_view(report(facts_of("s1")), "s1", None).failed is None
    assert session_view(report(idle("s1")), "s1", None).failed is None


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (None, ""),
        (SelfReportFact("Fine."), ""),
        (SelfReportFact("Fine.", " "), ""),
        (
            SelfReportFact("Nobody said why.", "frustrated", "no"),
            "By their own account: the goal was not reached, felt “frustrated”. Not verified.",
        ),
        (
            SelfReportFact("", None, "partly"),
            "By their own account: the goal was reached in part. Not verified.",
        ),
    ],
)
def test_what_a_persona_says_of_the_goal_stands_beside_the_verdict(
    said: SelfReportFact | None, words: str
) -> None:
    view = session_view(report(facts_of("s1", report=said)), "s1", None)
    assert view.own_view == words


def test_filters_offer_groups_of_outcomes_and_the_links_that_failed_first() -> None:
    filters = report(
        facts_of("s1"),
        facts_of("s2", Disposition.GOAL_MISSED, session_index=1, chain=chain(Stage.CALL)),
        facts_of("s3", Disposition.LOST_FINDING_TOOL, session_index=2, chain=chain(Stage.CALL)),
    ).sessions.filters
    assert [one.pair for one in filters.outcome] == [
        ("ok goalMet", "met"),
        ("fail lostFindingTool goalMissed", "not met"),
    ]
    assert [one.value for one in filters.link] == ["call"]


def test_what_nobody_recorded_is_not_said_before_every_session() -> None:
    nobody = facts_of("s1", persona_name=PERSONA_UNRECORDED)
    assert session_view(report(nobody), "s1", None).persona == ""
    view = session_view(report(nobody, facts_of("s2", run_id="r2")), "s1", None)
    assert view.persona == PERSONA_UNRECORDED
    assert view.target == "Host t1"


@pytest.mark.parametrize(
    ("facts", "caption"),
    [
        ([facts_of("s1")], "Sessions, grouped by persona"),
        (
            [facts_of("s1"), facts_of("s2", session_index=1)],
            "Sessions, grouped by persona and goal",
        ),
        ([facts_of("s1", persona_name=PERSONA_UNRECORDED)], "Sessions"),
        (
            [
                facts_of("s1", persona_name=PERSONA_UNRECORDED),
                facts_of("s2", persona_name=PERSONA_UNRECORDED, session_index=1),
            ],
            "Sessions, grouped by goal",
        ),
        (
            [
                facts_of("s1", persona_name=PERSONA_UNRECORDED),
                facts_of(
                    "s2",
                    persona_name=PERSONA_UNRECORDED,
                    run_id="r2",
                    goal_id="g2",
                    target_id="t2",
                ),
            ],
            "Sessions, grouped by target",
        ),
    ],
)
def test_the_list_says_what_it_is_grouped_by(facts: list[SessionFacts], caption: str) -> None:
    assert report(*facts).sessions.caption == caption
