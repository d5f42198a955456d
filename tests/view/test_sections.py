"""The other sections: goals, recorded facts, sessions, integrity, words, provenance, head."""

from dataclasses import replace
from typing import Any

import pytest
from builders import persona, session_facts
from finding_waves import (
    build,
    chain,
    facts_of,
    failed_checks,
    idle,
    plan_for,
    reported,
    signals,
)
from model_waves import with_mechanism
from report_waves import NOW, PROVENANCE, page_of, parsed, published, report_of, wave_of

from reporter.errors import Problem
from reporter.identifiers import CriterionId
from reporter.models.chain import Chain
from reporter.models.facts import CallFact, CriterionFact, FinishFact, SessionFacts, UsageFact
from reporter.models.finding import Verification, Violation
from reporter.models.manifest import PERSONA_UNRECORDED, Attempt, Lost
from reporter.models.session import InputFile
from reporter.render.pdf import print_page
from reporter.view.embed import embed_plan, page_plan
from reporter.view.head import head_view
from reporter.view.names import session_names
from reporter.view.outline import outline
from reporter.view.report import ReportView
from reporter.view.session import session_view
from reporter.vocabulary import (
    Disposition,
    FailureCategory,
    FrictionReason,
    Lifecycle,
    ReadState,
    SessionVerdictReason,
    Signal,
    Stage,
)


def report(*facts: SessionFacts, **more: Any) -> ReportView:
    return report_of(wave_of(facts, **more))


def test_a_cause_is_a_models_words_with_what_it_rests_on() -> None:
    facts = [facts_of("s1", Disposition.GOAL_MISSED), facts_of("s2", session_index=1)]
    made = report_of(wave_of(facts, findings=with_mechanism(*facts)))
    cause = made.causes.causes[0]
    assert (cause.number, cause.phrase.text, cause.fix.text) == (
        1,
        "No tool is named for rooms.",
        "Say room in the name.",
    )
    assert cause.reach.text == "1 of 2 read sessions"
    assert (
        cause.stage
        == "Selection: what the explanation points at. This link failed in 0 of 1 session."
    )
    assert [place.label for place in cause.cited] == ["s1, message m0"]
    assert made.summary.headline.model
    assert made.summary.fix is not None
    assert made.summary.fix.model
    # A model's phrase may hold a number that the cited turns hold, and what is quoted is no code's.
    assert made.summary.model_words == (
        "Italic words here are a model's and rest on 1 session that a second reading confirmed. "
        "All other words are code's or recorded, and every count is code's."
    )
    assert made.summary.turns is not None
    assert made.summary.turns.href == f"#{cause.anchor}"
    assert "No model" not in made.summary.sent


def test_a_cause_of_a_run_says_its_words_once_however_many_targets_show_it() -> None:
    facts = [facts_of("s1", Disposition.GOAL_MISSED), facts_of("s2", session_index=1)]
    found = with_mechanism(*facts)
    row = found.rows[0]
    there = replace(row, finding=row.finding.model_copy(update={"id": f"{row.finding.id}-there"}))
    later = replace(
        row,
        finding=row.finding.model_copy(
            update={"id": f"{row.finding.id}-later", "chain_stage": Stage.RESPONSE}
        ),
    )
    found = replace(found, rows=(row, there, later, *found.rows[1:]))
    made = report_of(wave_of(facts, findings=found))
    evidence = made.goals.goals[0].runs[0].evidence
    # Another link of the same cause is another statement.
    assert [line.again for line in evidence.causes] == [False, True, False]


@pytest.mark.parametrize(
    ("verification", "model", "words"),
    [
        (None, "", "No model was used, so no explanation was proposed"),
        (
            Verification(proposed=0, confirmed=0, rejected=0, unverified=0, omitted=0),
            "m",
            "A model was asked for explanations and proposed none.",
        ),
        (
            Verification(proposed=2, confirmed=0, rejected=2, unverified=0, omitted=0),
            "m",
            "None of 2 proposed explanations held: 2 rejected.",
        ),
        (
            Verification(proposed=1, confirmed=0, rejected=0, unverified=1, omitted=0),
            "m",
            "The one explanation that was proposed did not hold: it was not verified.",
        ),
        (
            Verification(proposed=1, confirmed=1, rejected=0, unverified=0, omitted=1),
            "m",
            "1 explanation held",
        ),
    ],
)
def test_without_causes_one_sentence_says_why(
    verification: Verification | None, model: str, words: str
) -> None:
    facts = [facts_of("s1", Disposition.GOAL_MISSED)]
    found = replace(build(facts, verification=verification), reasoning_model=model)
    assert report_of(wave_of(facts, findings=found)).causes.why_none.startswith(words)


def test_a_goal_counts_its_own_disposition_and_prints_the_others_beside_it() -> None:
    made = report(
        facts_of("s1", Disposition.BLOCKED_BY_RESPONSE),
        facts_of("s2", Disposition.GOAL_MISSED, session_index=1),
        facts_of("s3", Disposition.GOAL_MISSED, session_index=2),
        idle("s4", session_index=3),
    )
    run = made.goals.goals[0].runs[0]
    line = run.evidence.outcomes[0].finding
    assert run.sessions == "1 Frustrated, 2 Stalled, 1 Not run, of 4 sessions"
    assert line.population.text == "1 of 3 started sessions"
    assert [(mark.word, count) for mark, count in line.others] == [("Not run", 1), ("Stalled", 2)]  # type: ignore[union-attr]  # a goal row


def test_the_first_failed_link_is_named_as_that_and_never_as_the_reason() -> None:
    run = (
        report(facts_of("s1", Disposition.GOAL_MISSED, chain=chain(Stage.RESPONSE)))
        .goals.goals[0]
        .runs[0]
    )
    assert run.first_failed == "First failed link: response"
    met = (
        report(facts_of("s1", Disposition.GOAL_MET_WITH_FRICTION, chain=chain(Stage.CALL)))
        .goals.goals[0]
        .runs[0]
    )
    assert met.first_failed == "First failed link: tool call, and the goal was still met"


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (chain(passed=[Stage.CALL]), "No measured link failed"),
        (chain(), "No link was measured"),
    ],
)
def test_where_no_link_failed_it_says_what_is_known(made: Any, words: str) -> None:
    assert report(facts_of("s1", chain=made)).goals.goals[0].runs[0].first_failed == words


def test_failing_runs_stand_open_up_to_a_limit() -> None:
    facts = [
        facts_of(
            f"s{n}",
            Disposition.GOAL_MISSED,
            run_id=f"r{n}",
            persona_name=f"P{n:02}",
            goal_id=f"g{n % 5}",
        )
        for n in range(23)
    ]
    goals = report(*facts).goals
    assert sum(run.open for goal in goals.goals for run in goal.runs) == 20
    assert goals.opened == "20 are open, and 3 more that were not met are closed."


def test_many_goals_fold_and_say_how_many_are_open() -> None:
    facts = [
        facts_of(f"s{n}", Disposition.GOAL_MISSED, run_id=f"r{n}", goal_id=f"g{n}")
        for n in range(50)
    ]
    goals = report(*facts).goals
    assert goals.folded
    assert sum(goal.open for goal in goals.goals) == 3
    assert goals.opened == "3 goals open, 47 more goals closed."


def test_a_fact_is_said_to_be_seen_in_more_sessions_than_its_row_counts() -> None:
    both = signals(Signal.OUTPUT_TRUNCATED, Signal.TOOL_ERRORED)
    facts = [
        facts_of("s1", **signals(Signal.TOOL_ERRORED)),
        facts_of("s2", session_index=1, **both),
    ]
    lines = report(*facts).goals.goals[0].runs[0].evidence.signals
    assert [(line.finding.signal, line.beside) for line in lines] == [  # type: ignore[union-attr]  # rows of a goal
        ("Reply cut off", ""),
        ("A tool errored", "; in 1 more it was seen beside a fact that is counted"),
    ]
    page, paper = page_of(wave_of(facts)), print_page(report(*facts), evidence="none")
    for text in (parsed(page).by_id("goals").text, parsed(paper).text):
        assert "in 1 more it was seen beside a fact that is counted." in text


def test_the_first_failed_link_of_a_session_that_met_its_goal_is_said_to_be_of_that() -> None:
    made = report(
        facts_of("s1", Disposition.GOAL_MISSED, chain=chain(failed=Stage.USER_VALUE)),
        facts_of(
            "s2",
            Disposition.GOAL_MET_WITH_FRICTION,
            chain=chain(failed=Stage.RESPONSE),
            session_index=1,
        ),
    )
    assert made.goals.goals[0].runs[0].first_failed == (
        "First failed link: response, where the goal was still met (1 session)"
    )


def test_friction_is_grouped_by_what_sessions_share() -> None:
    both = (FrictionReason.STAGE_FAILED, FrictionReason.TOOL_ERRORED)
    made = report(
        facts_of("s1", friction=both),
        facts_of("s2", friction=both, session_index=1),
        facts_of("s3", friction=(FrictionReason.ADVISORY_FAILED,), session_index=2),
    )
    lines = made.goals.goals[0].runs[0].evidence.friction
    assert [(line.text, line.count) for line in lines] == [
        ("A link failed on the way and a tool errored", "2 of 3 started sessions"),
        ("An advisory check did not hold", "1 of 3 started sessions"),
    ]


def test_where_to_look_first_follows_from_the_kind_of_failure_of_missed_goals_alone() -> None:
    def broken(category: FailureCategory | None) -> Chain:
        return replace(chain(failed=Stage.RESPONSE), failure_category=category)

    missed, met = Disposition.BLOCKED_BY_RESPONSE, Disposition.GOAL_MET
    made = report(
        facts_of("s1", missed, chain=broken(FailureCategory.USER_VALUE)),
        facts_of("s2", missed, chain=broken(FailureCategory.SERVER_DATA), session_index=1),
        facts_of("s3", missed, chain=broken(FailureCategory.SERVER_DATA), session_index=2),
        facts_of("s4", met, chain=broken(FailureCategory.SERVER_DATA), session_index=3),
        facts_of("s5", missed, chain=broken(None), session_index=4),
    )
    lines = made.goals.goals[0].runs[0].evidence.next_owner
    assert [(line.text, line.count) for line in lines] == [
        ("Inspect the tool response returned by the server", "2 of 5 started sessions"),
        ("Review whether the response answered the user's goal", "1 of 5 started sessions"),
    ]


@pytest.mark.parametrize("stage", [Stage.CALL, Stage.RESPONSE])
def test_nobody_is_sent_to_look_at_an_error_that_was_recovered_from(stage: Stage) -> None:
    broken = replace(chain(failed=stage), failure_category=FailureCategory.SERVER_DATA)
    made = report(facts_of("s1", Disposition.GOAL_MISSED, chain=broken))
    (line,) = made.goals.goals[0].runs[0].evidence.next_owner
    assert line.text == "Review whether the response answered the user's goal"
    failed = session_view(made, "s1", None).failed
    assert failed is not None
    assert failed.look == "Look first: review whether the response answered the user's goal."


def test_a_failed_check_and_a_report_are_evidence() -> None:
    made = report(facts_of("s1", Disposition.GOAL_MISSED, **failed_checks("c1"), **reported()))
    evidence = made.goals.goals[0].runs[0].evidence
    assert [(line.text, line.count) for line in evidence.checks] == [
        ("“c1”", "1 of 1 started session")
    ]
    view: Any = evidence.reports[0].finding
    assert (view.account, view.actual, view.by_model) == ("I gave up.", "It was refused.", False)


def test_the_words_of_one_session_are_not_said_of_the_others() -> None:
    def missed(name: str, index: int, why: str | None, error: str) -> SessionFacts:
        check = CriterionFact(CriterionId("c"), "Held", "required", "failed", reason=why)
        return facts_of(
            name,
            Disposition.GOAL_MISSED,
            session_index=index,
            criteria=(check,),
            tool_calls=(CallFact("c1", "pay", 0, error="isError", error_text=error),),
            **signals(Signal.TOOL_ERRORED),
        )

    def said(*facts: SessionFacts) -> tuple[str, str]:
        evidence = report(*facts).goals.goals[0].runs[0].evidence
        check = evidence.checks[0]
        return f"{check.text}{check.why}", evidence.signals[0].said

    one = missed("a", 0, "No hold.", "Refused.")
    assert said(one) == ("“Held”: No hold.", "pay: “Refused.”")
    same = (one, missed("b", 1, "No hold.", "Refused."))
    assert said(*same)[0] == "“Held”: No hold."
    for other in ("Two holds.", None):
        found = said(one, missed("b", 1, other, "Full."))
        assert found == ("“Held”: for example, No hold.", "For example, pay: “Refused.”")
    assert said(missed("a", 0, None, "Full."))[0] == "“Held”"


def test_sessions_that_did_not_run_show_the_recorded_refusal() -> None:
    refused = Attempt(status="failed", error_code="sandbox_error", error_message="No box.")
    made = report(facts_of("s1"), idle("s2", attempt=refused, session_index=1))
    evidence = made.goals.goals[0].runs[0].evidence
    assert [(line.text, line.count) for line in evidence.not_run] == [
        ("Broke off: No box. (sandbox_error)", "1 session")
    ]
    row = made.sessions.groups[0].rows[1]
    assert (row.first_words, row.ran) == ("Broke off: No box. (sandbox_error)", False)


def test_signals_count_every_match_and_what_was_not_evaluated() -> None:
    blind = (Signal.HALLUCINATED_TOOL, Signal.TURN_CAP_REACHED)
    recorded = report(
        facts_of("s1", **signals(Signal.OUTPUT_TRUNCATED, Signal.TOOL_ERRORED, turn=1)),
        facts_of(
            "s2", session_index=1, signals_not_evaluated=blind, **signals(Signal.TOOL_ERRORED)
        ),
        facts_of("s3", session_index=2, signals_not_evaluated=(Signal.TURN_CAP_REACHED,)),
        facts_of("s4", session_index=3, read_state=ReadState.TRANSCRIPT_MISSING),
    ).recorded
    bars = {bar.wire: bar for bar in recorded.signals}
    assert bars["toolErrored"].count.text == "2 of 3 read sessions"
    assert (bars["toolErrored"].keyed, bars["outputTruncated"].keyed) == (1, 1)
    assert bars["hallucinatedTool"].not_evaluated == (
        "Not evaluated in 1 of 3 read sessions: no complete tool catalogue was recorded."
    )
    assert [place.label for place in bars["outputTruncated"].links] == ["s1, turn 2"]
    assert recorded.signals[0].wire == "toolErrored"


def test_a_signal_that_nothing_can_decide_is_not_measured_and_draws_no_bar() -> None:
    recorded = report(facts_of("s1", signals_not_evaluated=(Signal.TURN_CAP_REACHED,))).recorded
    bar = next(bar for bar in recorded.signals if bar.wire == "turnCapReached")
    assert bar.count.text == "not measured"
    assert bar.bar.pieces == ()


def test_tools_are_listed_with_errors_first_and_missing_ones_above() -> None:
    recorded = report(
        facts_of(
            "s1",
            tool_calls=(
                CallFact("c1", "find", 0),
                CallFact("c2", "pay", 0, error="isError", error_text="No."),
                CallFact("c3", "pay", 0),
                CallFact("c4", "room", 0, error="protocol", error_text="Unknown tool"),
                CallFact("c5", "find", 0, error="noResult"),
                CallFact("c6", "mine", 0, caller="persona"),
            ),
            hallucinated_tools=("room",),
        )
    ).recorded
    assert [
        (tool.name, tool.exists, tool.errors.text, tool.unanswered) for tool in recorded.tools
    ] == [
        ("room", "no, this tool does not exist", "1 of 1 call", 0),
        ("pay", "yes", "1 of 2 calls", 0),
        ("find", "yes", "0 of 2 calls", 1),
    ]
    assert recorded.tools_caption == (
        "5 calls by the assistant in 1 read session, of which 2 errored and 1 has no "
        "recorded result. 1 name called where no such tool exists."
    )


def test_without_a_catalogue_nothing_is_said_to_exist() -> None:
    recorded = report(
        facts_of("s1", catalog_complete=False, tool_calls=(CallFact("c1", "find", 0),))
    ).recorded
    assert recorded.tools[0].exists == "not known"
    assert "No complete catalogue was recorded" in recorded.tools_caption


def test_a_tool_that_one_target_has_and_another_has_not_is_said_to_be_just_that() -> None:
    called = (CallFact("c1", "find", 0),)
    recorded = report(
        facts_of("s1", tool_calls=called),
        facts_of("s2", tool_calls=called, hallucinated_tools=("find",), target_id="t2"),
    ).recorded
    (tool,) = recorded.tools
    assert (tool.exists, tool.missing) == ("not in 1 of 2 sessions", True)
    assert "no catalogue" not in recorded.tools_caption
    assert recorded.erring_head == "Missing tools."
    assert recorded.erring_words == "find was called where it does not exist."


def test_a_name_is_not_said_to_be_in_the_catalogue_where_the_client_has_it() -> None:
    recorded = report(facts_of("s1", tool_calls=(CallFact("c1", "search", 0),))).recorded
    assert recorded.tools_caption.endswith("is a tool of the recorded catalogue or of the client.")
    head = parsed(page_of(wave_of([facts_of("s1", tool_calls=(CallFact("c1", "search", 0),))])))
    # A tool that only the app may call exists, and was not offered to the assistant.
    assert "Offered" not in head.by_id("recorded").text


def test_an_error_that_nobody_recorded_as_such_is_not_counted_as_if_it_were() -> None:
    ruled = (("tool_result.isError", "text starts with Error"),)
    facts = [
        facts_of("s1", tool_calls=(CallFact("c1", "find", 0),), inferred=ruled),
        facts_of("s2", tool_calls=(CallFact("c1", "find", 0, error="noResult"),)),
        facts_of("s3", tool_calls=(CallFact("c1", "find", 0, caller="persona", error="noResult"),)),
    ]
    bars = {bar.wire: bar for bar in report(*facts).recorded.signals}
    assert bars["toolErrored"].limits == (
        "In 1 of 3 read sessions it is not recorded as such whether some call errored; "
        "it follows from “text starts with Error”. In 1 of 3 read sessions some call has no "
        "recorded result, so whether it errored is not known."
    )
    assert {bar.limits for wire, bar in bars.items() if wire != "toolErrored"} == {""}
    assert bars["toolErrored"].limits in parsed(page_of(wave_of(facts))).by_id("recorded").text


def test_one_session_is_spoken_of_in_the_singular() -> None:
    recorded = report(facts_of("s1", friction=(FrictionReason.TOOL_ERRORED,))).recorded
    assert recorded.caption.startswith("0 of 1 read session shows at least one of these.")
    assert "whatever its outcome" in recorded.friction_caption


def test_the_reason_of_most_sessions_comes_first() -> None:
    few, many, other = (
        FrictionReason.OUTPUT_TRUNCATED,
        FrictionReason.TOOL_ERRORED,
        FrictionReason.STAGE_FAILED,
    )
    bars = report(
        facts_of("s1", friction=(few, many)), facts_of("s2", friction=(many, other))
    ).recorded.friction
    assert [bar.label for bar in bars] == [
        "A tool errored",
        "A link failed on the way",
        "A reply was cut off",
    ]


def test_tools_that_are_not_shown_are_counted_with_their_errors() -> None:
    def called(name: str, error: Any = None) -> CallFact:
        return CallFact(f"c-{name}", name, 0, error=error)

    quiet = [called(f"t{n:02}") for n in range(62)]
    assert report(facts_of("s1", tool_calls=tuple(quiet))).recorded.more_tools == (
        "2 more tools without an error not shown."
    )
    loud = [called(f"t{n:02}", "isError") for n in range(61)]
    assert report(facts_of("s1", tool_calls=tuple(loud))).recorded.more_tools == (
        "1 more tool with 1 error not shown."
    )


def test_a_published_document_adds_up_its_own_signal_rows() -> None:
    found = build(
        [facts_of("s1", **signals(Signal.NO_TOOL_CALLED)), facts_of("s2", session_index=1)]
    )
    recorded = report_of(published(found)).recorded
    assert [(bar.wire, bar.count.text) for bar in recorded.signals] == [
        ("noToolCalled", "1 of 2 read sessions")
    ]


def test_sessions_are_grouped_by_pair_where_pairs_have_several() -> None:
    sessions = report(facts_of("s1"), facts_of("s2", session_index=1)).sessions
    assert [group.title for group in sessions.groups] == ["Ana, Borrow a book"]
    assert not sessions.goal_in_row
    sparse = report(
        facts_of("s1"), facts_of("s2", run_id="r2", goal_id="g2", target_id="t2")
    ).sessions
    assert [group.title for group in sparse.groups] == ["Ana, Host t1", "Ana, Host t2"]
    assert sparse.goal_in_row


def test_a_session_that_can_be_read_is_never_one_that_has_not_begun() -> None:
    pending = facts_of(
        "s1",
        Disposition.NOT_MEASURED,
        lifecycle=Lifecycle.PENDING,
        reason=SessionVerdictReason.ATTEMPT_PENDING,
    )
    made = report(pending)
    row = made.sessions.groups[0].rows[0]
    assert row.attempt.startswith("how it ended is not recorded")
    assert row.reason == "how it ended is not recorded"
    assert "not begun" not in str(made.goals)
    words = {line.label for group in made.words.groups for line in group.words}
    assert not words & {"Not started yet", "The attempt has not begun"}
    waiting = report(idle("s2", Lifecycle.PENDING)).sessions.groups[0].rows[0]
    assert waiting.reason == "the attempt has not begun"


def test_targets_of_one_label_are_told_apart_by_their_model() -> None:
    facts = [facts_of("s1"), facts_of("s2", run_id="r2", target_id="t2")]
    plan = plan_for(facts)
    same = tuple(
        target.model_copy(update={"label": "desk", "model_id": model})
        for target, model in zip(plan.targets, ("m-1", None), strict=True)
    )
    made = report_of(wave_of(facts, replace(plan, targets=same)))
    labels = [target.label for target in made.outline.targets.values()]
    assert labels == ["desk (m-1)", "desk (no model recorded)"]
    assert made.head.targets == ("desk (m-1)", "desk")
    assert [row.label for row in made.targets.rows] == ["desk", "desk"]


def test_a_column_of_words_that_nobody_recorded_is_said_once() -> None:
    said = report(facts_of("s1", first_words="Hello"), facts_of("s2", session_index=1)).sessions
    rows = said.groups[0].rows
    assert said.words_head == "First words"
    assert [row.first_words for row in rows] == ["“Hello”", "No words of the persona were recorded"]
    silent = report(facts_of("s1"), facts_of("s2", session_index=1)).sessions
    assert silent.lead.endswith("No words of a persona were recorded.")
    assert silent.words_head == ""
    assert [row.first_words for row in silent.groups[0].rows] == ["", ""]
    failed = Attempt(status="failed", error_message="No box.")
    refused = report(facts_of("s1"), idle("s2", session_index=1, attempt=failed)).sessions
    assert refused.words_head == ""
    assert [row.first_words for row in refused.groups[0].rows] == ["", "Broke off: No box."]
    none = report(idle("s1", attempt=failed)).sessions
    assert "No words" not in none.lead


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (facts_of("s1"), "none"),
        (
            facts_of("s1", signals_not_evaluated=(Signal.HALLUCINATED_TOOL,)),
            "none; 1 not evaluated",
        ),
        (facts_of("s1", read_state=ReadState.SCAN_CAPPED), "not evaluated"),
        (idle("s1"), "did not run"),
        (
            facts_of("s1", **signals(Signal.TOOL_ERRORED, Signal.TURN_CAP_REACHED)),
            "A tool errored, Hit the turn limit",
        ),
    ],
)
def test_a_session_never_claims_a_fact_that_nobody_looked_for(
    fact: SessionFacts, words: str
) -> None:
    assert report(fact).sessions.groups[0].rows[0].recorded == words


def test_what_the_filter_knows_of_a_run_is_known_of_each_of_its_sessions() -> None:
    erring = signals(Signal.TOOL_ERRORED, Signal.TURN_CAP_REACHED)
    made = report(
        facts_of("s1", chain=chain(Stage.RESPONSE), **erring),
        facts_of("s2", Disposition.GOAL_MISSED, chain=chain(Stage.CALL), session_index=1),
        idle("s3", session_index=2),
    )
    _, _, sessions, findings = made.goals.goals[0].runs[0].keys.split("|")
    assert set(sessions.split()) == {
        "0:goalMet:response:toolErrored+turnCapReached:",
        "0:goalMissed:call::",
        "0:notRun:::",
    }
    assert "0:populationFact:goal" in findings.split()
    alone = report_of(published(build([facts_of("s1", Disposition.GOAL_MISSED)])))
    assert alone.goals.goals[0].runs[0].keys.split("|")[2] == "0:goalMissed:::"


def test_a_session_is_filtered_by_each_tool_that_returned_it_an_error() -> None:
    calls = (
        CallFact("c1", "find_book", 0, error="isError"),
        CallFact("c2", "place_hold", 0, error="protocol"),
        CallFact("c3", "place_hold", 0, error="isError"),
        CallFact("c4", "renew", 0),
        CallFact("c5", "pay", 0, error="isError", caller="persona"),
    )
    found = report(
        facts_of("s1", tool_calls=calls),
        facts_of("s2", tool_calls=calls[1:], session_index=1),
        facts_of("s3", tool_calls=calls, read_state=ReadState.SCAN_CAPPED, session_index=2),
    )
    tools = found.sessions.filters.tool
    # Those of most sessions first; a session that was not read has none.
    assert [one.label for one in tools] == ["place_hold", "find_book"]
    rows = found.sessions.groups[0].rows
    assert [row.filters["tool"] for row in rows] == ["1 0", "0", ""]
    shown = {row.name: row.sessions.count for row in found.recorded.tools}
    for one in tools:
        having = [row for row in rows if one.value in row.filters["tool"].split()]
        assert shown[one.label] == len(having)


def test_filters_offer_only_what_occurs() -> None:
    filters = report(
        facts_of("s1", Disposition.GOAL_MISSED, **signals(Signal.NO_TOOL_CALLED)),
        idle("s2", session_index=1),
    ).sessions.filters
    assert [one.label for one in filters.disposition] == ["Not run", "Stalled"]
    assert [one.value for one in filters.signal] == ["noToolCalled"]


@pytest.mark.parametrize(
    ("ids", "names"),
    [
        (["s1", "s2"], ["s1", "s2"]),
        (["wave-2026-03-12-run-a-17.x", "b"], ["wave-2026-03-12-run-a-17.x", "b"]),
        ([f"a-very-long-prefix-of-ids-{n}-and-tail" for n in (1, 2)], ["1", "2"]),
        ([f"{c * 40}" for c in "ab"], ["s1", "s2"]),
        ([f"{'x' * 30}{n}-{'y' * n * 20}" for n in (1, 2)], ["s1", "s2"]),
    ],
)
def test_sessions_are_called_by_what_tells_them_apart(ids: list[str], names: list[str]) -> None:
    assert list(session_names(ids).values()) == names


def test_cited_and_failed_transcripts_find_room_first() -> None:
    facts = [
        facts_of("s1", bytes=1_000),
        facts_of("s2", Disposition.GOAL_MISSED, bytes=1_000),
        facts_of("s3", bytes=1_000),
        facts_of("s4", Disposition.GOAL_MET_WITH_FRICTION, bytes=1_000),
        facts_of("s5", bytes=90_000),
        idle("s6"),
    ]
    assert embed_plan(facts, {"s3"}, 15_000).session_ids == ("s2", "s3", "s4")
    assert embed_plan(facts, {"s3"}, 10_000).session_ids == ("s2", "s3")
    assert embed_plan(facts, set(), 1_000_000).left_out == 0
    small = embed_plan(facts, {"s3"}, 10_000)
    assert (small.available, small.left_out) == (5, 3)
    assert small.note.startswith("This file carries 2 of 5 transcripts")
    assert "1 of 1 session whose goal was not met" in small.note
    assert embed_plan([idle("s1")], set()).note == ""


def test_calls_are_shown_also_where_no_word_was_captured() -> None:
    untold = facts_of(
        "s1",
        read_state=ReadState.TRANSCRIPT_MISSING,
        has_transcript=False,
        tool_calls=(CallFact("c1", "find", 0),),
    )
    assert page_plan([untold], set()).session_ids == ("s1",)
    made = report(untold)
    (caution,) = (one for one in made.summary.cautions.cautions if "ranscript" in one.label)
    assert caution.meaning.endswith(
        "Of 1 of 1 session calls are on record and no words: nothing that was said was captured."
    )
    assert made.recorded.caption == ""
    assert made.recorded.why_not == "No session was read, so no recorded fact was computed."
    bare = facts_of("s2", read_state=ReadState.TRANSCRIPT_MISSING, has_transcript=False)
    assert page_plan([bare], set()).why == "One page, without a transcript."


def test_one_session_says_what_it_came_to() -> None:
    fact = facts_of(
        "s1",
        tool_calls=(
            CallFact("c1", "x", 0, error="isError"),
            CallFact("c2", "y", 0, error="noResult"),
        ),
        finish_reasons=(FinishFact(0, 0, "stop"), FinishFact(0, 1, None)),
        usage=UsageFact(1_200, 30, None),
        started_at_ms=1_773_306_000_000,
        ended_at_ms=1_773_306_012_500,
        end_reason="personaEnded",
    )
    made = report(fact)
    lines = dict(session_view(made, "s1", None).lines)
    assert lines == {
        "Calls": "2 calls, 1 error, 1 without a recorded result",
        "Finish": "1 stop, 1 not recorded",
        "Turns": "1 of 5 allowed",
        "Tokens": "1,200 in, 30 out",
        "Time": "12 March 2026, 09:00:00 UTC, 12.5\u00a0s",
        "Ended by": "the persona",
    }


def test_a_session_that_never_ran_shows_the_recorded_refusal_and_counts_nothing() -> None:
    told = Attempt(status="failed", error_code="sandbox_error", error_message="It died.")
    made = report(facts_of("s1"), idle("s2", attempt=told, session_index=1))
    never = session_view(made, "s2", None)
    assert never.lines == (("Did not run", "Broke off: It died. (sandbox_error)"),)
    assert "Did not run" not in dict(session_view(made, "s1", None).lines)


def test_a_single_moment_is_no_duration() -> None:
    fact = facts_of("s1", started_at_ms=1_773_306_000_000, ended_at_ms=1_773_306_000_000)
    lines = dict(session_view(report(fact), "s1", None).lines)
    assert lines["Time"] == "12 March 2026, 09:00:00 UTC"


def test_tokens_that_nobody_counted_as_such_say_so() -> None:
    rule = "tokenEstimate, source estimated"
    fact = facts_of("s1", usage=UsageFact(1_200, 30, None), inferred=(("step_finish.usage", rule),))
    lines = dict(session_view(report(fact), "s1", None).lines)
    assert lines["Tokens"] == f"1,200 in, 30 out (inferred: {rule})"


def test_integrity_counts_violations_and_names_them() -> None:
    facts = [
        facts_of("s1", problems=(Problem("s1.jsonl", "line 3", "is cut off.", rule="truncated"),))
    ]
    wave = wave_of(
        facts,
        violations=(
            Violation("S4", "row-1", "total is too large"),
            Violation("S2", None, "needs a recording", checkable=False),
        ),
        problems=(Problem("wave.json", "", "is odd.", severity="note"),),
        provenance=replace(PROVENANCE, lost=(Lost(place="x.json", reason="no session"),)),
    )
    integrity = report_of(wave).integrity
    assert [check.result for check in integrity.checks] == [
        "0 violations",
        "1 violation in 1 row; 1 rule of 11 not checkable without a recording",
        "0 violations; A6 had nothing to check, as no proposal is counted",
        "0 violations in 1 row",
        "0 violations in 1 row",
    ]
    assert [(line.places, line.rule) for line in integrity.violations] == [(("row-1",), "S4")]
    assert [line.places for line in integrity.warnings] == [("s1.jsonl, line 3",), ("wave.json",)]
    assert integrity.reader == "1 error and 1 note of the reader. Nothing was repaired."
    assert [line.what for group in integrity.losses for line in group.lines] == ["no session"]
    assert not integrity.clean


def test_equal_losses_of_many_files_are_one_line_and_what_could_not_be_read_comes_first() -> None:
    lost = (
        Lost(place="a.jsonl: line 1", reason="costs", kind="noPlace", count=2),
        Lost(place="b.jsonl: line 4", reason="costs", kind="noPlace"),
        Lost(place="c.jsonl: line 9", reason="broken lines", kind="unreadable", count=1_000),
        Lost(place="d.jsonl", reason="untold"),
    )
    wave = wave_of([facts_of("s1")], provenance=replace(PROVENANCE, lost=lost))
    lines = [line for group in report_of(wave).integrity.losses for line in group.lines]
    assert [(line.places, line.what, line.count) for line in lines] == [
        (("c.jsonl: line 9",), "broken lines", 1_000),
        (("d.jsonl",), "untold", 1),
        (("a.jsonl: line 1", "b.jsonl: line 4"), "costs", 3),
    ]


@pytest.mark.parametrize(
    ("job", "words"),
    [
        (None, ""),
        ({"status": "completed"}, ""),
        ({"status": "pending"}, "The findings job had not finished when this was published."),
        (
            {"status": "failed", "errorCode": "E1"},
            "The findings job failed; what is here may be incomplete. Its error code is E1.",
        ),
        ({"status": "skipped"}, "The findings job was skipped; nothing was analysed."),
        ({"status": 7}, ""),
    ],
)
def test_the_state_of_a_published_job_is_said(job: Any, words: str) -> None:
    assert report_of(published(build([facts_of()]), job=job)).integrity.job == words


def test_only_words_that_occur_are_explained() -> None:
    made = report(facts_of("s1", Disposition.GOAL_MISSED), idle("s2", session_index=1))
    groups = {group.title: [word.label for word in group.words] for group in made.words.groups}
    assert groups["How a goal ended"] == ["Not run", "Stalled"]
    assert "Recorded facts" not in groups
    assert groups["State of a link"] == ["Passed", "Not measured"]
    assert all(word.meaning for group in made.words.groups for word in group.words)


def test_provenance_says_what_is_left_out_inferred_and_hashed() -> None:
    wave = wave_of(
        [facts_of("s1", inferred=(("tool_result.isError", "text starts with Error"),))],
        left_out={2: 3, 5: 1},
        provenance=replace(
            PROVENANCE,
            files=tuple(InputFile(name=f"f{n:02}", sha256="0" * 64, bytes=10) for n in range(32)),
            recorder="recorder 1",
        ),
    )
    made = report_of(wave).provenance
    assert made.left_out == (
        "The findings document holds at most 200 rows; this report shows 3 goal outcome rows and "
        "1 wider fact row that it has no room for."
    )
    assert [(one.field, one.rule, one.sessions) for one in made.inferred] == [
        ("tool_result.isError", "text starts with Error", 1)
    ]
    assert len(made.files) == 30
    assert made.more_files == "and 2 more files; the source revision above covers every one."
    assert made.generated.startswith("12 March 2026, 10:30 UTC")


def test_a_model_that_was_sent_something_is_named_with_what_was_sent() -> None:
    facts = [facts_of("s1", Disposition.GOAL_MISSED)]
    found = with_mechanism(*facts)
    sent = found.disclosure.model_copy(
        update={"evidence_sent": ["Redacted turns"], "rail": "openrouter"}
    )
    made = report_of(wave_of(facts, findings=replace(found, disclosure=sent))).provenance
    assert made.sent == "Redacted turns, to model-two through the openrouter rail."
    assert made.written.startswith("1 cause and 1 fix, and any other words in italic.")


@pytest.mark.parametrize(
    ("times", "words"),
    [
        ({}, "no time recorded"),
        ({"created_at_ms": 1_773_306_000_000}, "begun 12 March 2026, 09:00 UTC"),
        ({"finished_at_ms": 1_773_306_000_000}, "finished 12 March 2026, 09:00 UTC"),
        (
            {"created_at_ms": 1_773_306_000_000, "finished_at_ms": 1_773_309_600_000},
            "12 March 2026, 09:00 to 10:00 UTC",
        ),
        (
            {"created_at_ms": 1_773_306_000_000, "finished_at_ms": 1_773_392_400_000},
            "12 March 2026, 09:00 UTC to 13 March 2026, 09:00 UTC",
        ),
        ({"created_at_ms": 10**18}, "no time recorded"),
    ],
)
def test_the_head_says_when_it_ran_or_that_nobody_recorded_it(times: Any, words: str) -> None:
    facts = [facts_of("s1")]
    plan = replace(plan_for(facts), **times)
    assert head_view(outline(wave_of(facts, plan))).when == words


def test_the_head_counts_and_names_targets() -> None:
    facts = [facts_of(f"s{n}", target_id=f"t{n}") for n in range(8)]
    head = head_view(outline(wave_of(facts)))
    assert head.size == "1 persona, 1 goal and 8 targets: 8 planned sessions."
    assert head.targets[0] == "Host t0 (model-one)"
    assert head.more_targets == "and 2 more targets"


def test_personas_of_one_name_are_told_apart_by_their_ids() -> None:
    made = report(
        facts_of("s1", run_id="r1"),
        facts_of("s2", run_id="r2", persona_ref_id="p2"),
        facts_of("s3", run_id="r3", persona_name="Ben", persona_ref_id="p3"),
    )
    assert [head.name for head in made.matrix.groups[0].table.columns] == [
        "Ana (no id)",
        "Ana (p2)",
        "Ben",
    ]


def test_titles_that_are_long_are_whole_at_their_goal_and_short_elsewhere() -> None:
    long = "Find the book " + "with a very long name " * 10
    made = report(session_facts(goal_title=long, catalog_complete=True, chain=chain()))
    goal = made.goals.goals[0]
    assert goal.title == long.strip()
    assert len(goal.short_title) < 100
    assert goal.short_title.endswith("…")


def test_the_report_is_a_value_of_its_input() -> None:
    facts = [facts_of("s1")]
    assert persona()["name"] == facts[0].persona_name
    first, second = (report(*facts) for _ in range(2))
    assert first.goals == second.goals
    assert first.generated_at == NOW
    assert first.title == "wave: goals met. Swarm report, 12 March 2026"


def test_lifecycles_are_said_at_each_session() -> None:
    made = report(
        facts_of("s1", turns_used=4),
        idle("s2", Lifecycle.WITHDRAWN, session_index=1),
    )
    assert [row.attempt for row in made.sessions.groups[0].rows] == [
        "ran to its end, 4 turns",
        "withdrawn",
    ]


def test_what_a_plan_infers_is_named_with_the_sessions_that_rest_on_it() -> None:
    wave = wave_of([facts_of("s1"), facts_of("s2", session_index=1)])
    plan = wave.plan
    assert plan is not None
    stated = [
        persona.model_copy(update={"inferred": {"name": "stated by the mapping"}})
        for persona in plan.personas
    ]
    lines = report_of(replace(wave, plan=replace(plan, personas=tuple(stated)))).provenance.inferred
    assert [(line.field, line.rule, line.sessions) for line in lines] == [
        ("persona.name", "stated by the mapping", 2)
    ]


@pytest.mark.parametrize(
    ("name", "heads"),
    [
        ("Ana", ["Ana, run 1 of 2", "Ana, run 2 of 2"]),
        (PERSONA_UNRECORDED, ["Run 1 of 2", "Run 2 of 2"]),
    ],
)
def test_two_runs_of_one_goal_are_told_apart_and_neither_claims_all_sessions(
    name: str, heads: list[str]
) -> None:
    facts = [
        facts_of("a", run_id="r1", persona_name=name),
        facts_of("b", Disposition.GOAL_MISSED, run_id="r2", persona_name=name),
    ]
    view = report_of(wave_of(facts)).goals
    (goal,) = view.goals
    assert sorted(run.persona for run in goal.runs) == heads
    assert view.unit == "runs"
    text = parsed(page_of(wave_of(facts))).by_id("goals").text
    assert "All its sessions" not in text
    alone = report_of(wave_of(facts[:1])).goals
    assert alone.goals[0].runs[0].persona == ("Ana" if name == "Ana" else "")
    assert alone.unit == "goals"
