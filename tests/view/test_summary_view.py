from dataclasses import replace
from typing import Any

import pytest
from finding_waves import build, chain, facts_of, idle, plan_for, signals, with_judge
from report_waves import page_of, parsed, published, report_of, wave_of

from reporter.models.facts import CallFact, SessionFacts
from reporter.models.finding import FindingSet
from reporter.models.manifest import Attempt
from reporter.render.pdf import print_page
from reporter.view.cautions import cautions_view
from reporter.view.ledger import launch_words
from reporter.view.outline import outline
from reporter.view.summary import SummaryView
from reporter.view.terminal import summary_lines
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
    Tone,
)

FAILED = StageState.FAILED


def summary_of(*facts: SessionFacts, **more: Any) -> SummaryView:
    return report_of(wave_of(facts, **more)).summary


def missed(session_id: str, stage: Stage | None, **more: Any) -> SessionFacts:
    return facts_of(session_id, Disposition.GOAL_MISSED, chain=chain(stage), **more)


def test_the_kind_takes_the_tone_of_the_worst_goal() -> None:
    summary = summary_of(missed("s1", None), facts_of("s2", run_id="r2", persona_name="Ben"))
    assert (summary.kind.word, summary.kind.tone) == ("Goals blocked", Tone.FAIL)


def test_the_headline_counts_every_session_in_which_it_is_true() -> None:
    """A session keyed to an earlier signal still saw the later one."""
    summary = summary_of(
        missed("s1", None, **signals(Signal.TOOL_ERRORED)),
        missed("s2", None, session_index=1, **signals(Signal.TOOL_ERRORED)),
        missed(
            "s3", None, session_index=2, **signals(Signal.OUTPUT_TRUNCATED, Signal.TOOL_ERRORED)
        ),
    )
    assert summary.headline.text == "A tool errored in 3 of 3 read sessions."
    assert not summary.headline.model
    assert summary.items[0].text == (
        "No other recorded fact was seen in more, and no fact says why."
    )


def test_the_fact_that_keys_most_sessions_is_not_called_the_most_frequent_unless_it_is() -> None:
    both = signals(Signal.OUTPUT_TRUNCATED, Signal.TOOL_ERRORED)
    summary = summary_of(
        missed("s1", None, **both),
        missed("s2", None, session_index=1, **both),
        missed("s3", None, session_index=2, **signals(Signal.TOOL_ERRORED)),
    )
    assert summary.headline.text == "Reply cut off in 2 of 3 read sessions."
    assert summary.items[0].text == (
        "More sessions are counted first under this fact (2) than under any other, "
        "and no fact says why."
    )


def test_what_broke_first_is_the_first_failed_link_and_no_reason() -> None:
    summary = summary_of(
        missed("s1", Stage.RESPONSE),
        missed("s2", Stage.RESPONSE, session_index=1),
        missed("s3", Stage.SELECTION, session_index=2),
        missed("s4", None, session_index=3),
        facts_of("s5", session_index=4, chain=chain(Stage.CALL)),
    )
    assert summary.broke_first == (
        "Of the 4 sessions that did not meet the goal, the first failed link was the response in 2 "
        "and tool selection in 1; in 1 no link failed or none was measured."
    )
    assert "because" not in summary.broke_first


def test_the_last_link_is_explained_where_it_is_named_and_a_single_link_is_not_counted() -> None:
    """`User value in 171` says nothing to somebody who never saw the six links."""
    both = summary_of(
        missed("s1", Stage.USER_VALUE), missed("s2", Stage.USER_VALUE, session_index=1)
    )
    assert both.broke_first == (
        "In all 2 sessions that did not meet the goal, the first failed link was user value. "
        "User value is the last of the six links: whether the person got what was asked for."
    )
    alone = summary_of(missed("s1", Stage.CALL)).broke_first
    assert alone == (
        "In the one session that did not meet the goal, the first failed link was the tool call."
    )


def test_where_no_chain_says_so_nothing_is_said_to_have_broken_first() -> None:
    assert summary_of(missed("s1", None)).broke_first == ""
    assert summary_of(facts_of("s1")).broke_first == ""


def test_without_a_model_no_fix_is_proposed_and_nothing_was_sent() -> None:
    summary = summary_of(missed("s1", None))
    assert summary.fix is None
    assert summary.no_fix == "None was proposed; code alone proposes none."
    assert summary.sent == "No model was used; nothing was sent."
    assert summary.model_words == ""


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ([facts_of("s1")], "The outcome is known for 1 of 1 planned session."),
        (
            [facts_of("s1"), facts_of("s2", session_index=1)],
            "The outcome is known for all 2 planned sessions.",
        ),
        (
            [facts_of("s1"), idle("s2", session_index=1)],
            "The outcome is known for 1 of 2 planned sessions. For the other one it is not known.",
        ),
        (
            [idle("s1"), idle("s2", session_index=1)],
            (
                "None of 2 planned sessions has a known outcome, "
                "so whether goals were met is not measured."
            ),
        ),
        (
            [idle("s1")],
            (
                "The one planned session has no known outcome, "
                "so whether goals were met is not measured."
            ),
        ),
        (
            [
                facts_of("s1"),
                facts_of(
                    "s2",
                    Disposition.BLOCKED_CONNECTING,
                    reason=SessionVerdictReason.EXECUTION_FAILED,
                    session_index=1,
                ),
                idle("s3", session_index=2),
                idle("s4", session_index=3),
            ],
            (
                "The outcome is known for 2 of 4 planned sessions: 1 graded and 1 that never "
                "connected. For the other 2 it is not known."
            ),
        ),
        ([], "No session was planned, so nothing is known."),
    ],
)
def test_how_sure_counts_what_is_known(facts: list[SessionFacts], words: str) -> None:
    assert summary_of(*facts).how_sure == words


def test_a_wave_that_never_launched_says_why_and_nothing_about_the_server() -> None:
    refused = Attempt(status="rate_limited", error_code="rate_limited", error_message="Too many.")
    summary = summary_of(
        idle("s1", Lifecycle.LIMITED, attempt=refused),
        idle("s2", Lifecycle.LIMITED, attempt=refused, session_index=1),
    )
    assert not summary.launched
    assert summary.kind.tone is Tone.MUTED
    assert summary.no_fix == ""
    assert [(line.text, line.count) for line in summary.refusals] == [
        ("Rate limited: Too many. (rate_limited)", "2 sessions")
    ]
    assert summary.broke_first == ""


def test_some_sessions_that_never_ran_quote_the_recorded_reason() -> None:
    refused = Attempt(status="failed", error_code="wallet_locked", error_message="Locked.")
    summary = summary_of(
        facts_of("s1"),
        idle("s2", attempt=refused, session_index=1),
        idle("s3", attempt=None, session_index=2),
    )
    assert summary.not_run == (
        "Recorded reason: “Locked”, for 1 of 2 sessions that did not start, "
        "from the service that ran the swarm and not from a model provider."
    )


@pytest.mark.parametrize(
    ("published_value", "words"),
    [
        ({}, ""),
        ({"decision": None}, ""),
        (
            {"decision": {"verdict": "failed", "verdictSource": "policyV2"}},
            "Failed, by verdict policy v2.",
        ),
        ({"decision": {"verdict": "dance"}}, ""),
        (
            {"decision": [{"verdict": "passed"}, {"verdict": "inconclusive"}, {}]},
            "Inconclusive. 1 run without a recorded decision.",
        ),
        ({"decision": [{"verdict": "passed"}, {"verdict": "passed"}]}, "Passed."),
        (
            {"decision": [{"verdict": "passed"}, {"verdict": "notEstablished"}]},
            "No verdict established.",
        ),
        ({"decision": "failed"}, ""),
    ],
)
def test_a_decision_stands_only_where_one_was_published(published_value: Any, words: str) -> None:
    assert summary_of(facts_of(), published=published_value).decision == words


def test_the_ledger_adds_up_and_names_every_way_out() -> None:
    ledger = summary_of(
        facts_of("s1"),
        idle("s2", Lifecycle.LIMITED, session_index=1),
        idle("s3", Lifecycle.PENDING, session_index=2),
        facts_of(
            "s4",
            Disposition.NOT_MEASURED,
            session_index=3,
            reason=SessionVerdictReason.JUDGE_ERRORED,
        ),
    ).ledger
    assert [(step.label, step.count, step.left) for step in ledger.steps] == [
        ("Configured", 4, ""),
        ("Started", 2, "2 did not: 1 rate limited, 1 pending or still running"),
        ("Read", 2, ""),
        ("Graded", 1, "1 started and was not: judge broke"),
    ]
    assert ledger.outcomes is not None
    assert ledger.outcomes.words == "1 met, 3 not known"
    assert ledger.launch == "2 of 4 sessions started; 1 rate limited; 1 pending or still running."


def test_the_ledger_says_why_sessions_were_not_read() -> None:
    steps = summary_of(
        facts_of("s1"),
        facts_of("s2", read_state=ReadState.SCAN_CAPPED, session_index=1),
        facts_of("s3", read_state=ReadState.TRANSCRIPT_MISSING, session_index=2),
    ).ledger.steps
    assert steps[2].left == (
        "2 started and were not read: beyond the scan limit (1), transcript missing or damaged (1)"
    )


def test_a_published_document_has_counts_and_no_outcomes() -> None:
    findings = build([facts_of("s1"), idle("s2", Lifecycle.LIMITED, session_index=1)])
    ledger = report_of(published(findings)).summary.ledger
    assert ledger.outcomes is None
    assert ledger.launch == "1 of 2 sessions started; 1 rate limited."


def test_launch_lines_of_whole_and_empty_waves() -> None:
    assert launch_words(build([facts_of()]).population, None) == "The one planned session started."
    assert launch_words(build([]).population, None) == "No session was planned."


def cautions_of(*facts: SessionFacts, findings: FindingSet | None = None) -> dict[str, str]:
    wave = wave_of(facts, plan_for(facts), findings)
    return {
        one.label: f"{one.touches}: {one.meaning}" for one in cautions_view(outline(wave)).cautions
    }


def ungraded(session_id: str, judge: GraderReadiness, index: int) -> SessionFacts:
    fact = facts_of(session_id, Disposition.NOT_MEASURED, session_index=index)
    return with_judge(fact, judge)


def test_the_judge_caution_says_what_became_of_each_judge() -> None:
    said = cautions_of(
        ungraded("s1", GraderReadiness.NOT_CONFIGURED, 0),
        ungraded("s2", GraderReadiness.NOT_CONFIGURED, 1),
        ungraded("s3", GraderReadiness.ERRORED, 2),
        facts_of("s4", session_index=3),
    )[CoverageNote.JUDGE_NOT_RUN.label]
    assert said.startswith("3 of 4 sessions: ")
    assert said.endswith(
        "Of the judge: none has spoken and none is awaited for 2 sessions; it ran and failed, "
        "or could not run for 1 session. Their required checks: not configured for 3."
    )


@pytest.mark.parametrize(
    ("facts", "note", "ending"),
    [
        (
            [facts_of("s1"), idle("s2", Lifecycle.WITHDRAWN, session_index=1)],
            CoverageNote.SESSIONS_WITHDRAWN,
            "1 before the first message.",
        ),
        (
            [facts_of("s1"), idle("s2", Lifecycle.LIMITED, session_index=1)],
            CoverageNote.SESSIONS_RATE_LIMITED,
            "1 never started.",
        ),
        (
            [
                facts_of("s1"),
                facts_of("s2", read_state=ReadState.TRANSCRIPT_MISSING, session_index=1),
            ],
            CoverageNote.TRANSCRIPT_MISSING,
            (
                "The outcome is known all the same for 1 of 1 session of this kind; its recorded "
                "facts are not evaluated."
            ),
        ),
        (
            [
                facts_of("s1"),
                facts_of("s2", read_state=ReadState.TRANSCRIPT_MISSING, session_index=1),
            ],
            CoverageNote.PARTIAL_READ,
            "1 of 2 started sessions was read; not read: transcript missing or damaged (1).",
        ),
        (
            [
                facts_of(
                    "s1", catalog_complete=False, signals_not_evaluated=(Signal.HALLUCINATED_TOOL,)
                )
            ],
            CoverageNote.TOOL_CATALOG_MISSING,
            "“Called a tool that does not exist” was not evaluated in 1 of 1 read session.",
        ),
        (
            [facts_of("s1", chain=chain())],
            CoverageNote.CHAIN_UNMEASURED,
            "No link is known in 1 of 1 read session.",
        ),
        (
            [facts_of("s1", Disposition.GOAL_MISSED)],
            CoverageNote.ANALYSIS_UNAVAILABLE,
            "No model was used; 1 group of sessions that look alike waits for an explanation.",
        ),
    ],
)
def test_each_caution_says_what_it_comes_to_here(
    facts: list[SessionFacts], note: CoverageNote, ending: str
) -> None:
    said = cautions_of(*facts)[note.label]
    assert said.endswith(ending)
    assert note.meaning in said


def test_every_note_and_count_stands_in_one_sentence() -> None:
    view = cautions_view(
        outline(wave_of([facts_of("s1"), idle("s2", Lifecycle.LIMITED, session_index=1)]))
    )
    assert view.heading == "1 caution on these numbers:"
    assert view.sentence == "some sessions were rate limited (1 session)."


def test_a_wave_without_a_note_says_that_there_is_none() -> None:
    view = cautions_view(outline(wave_of([facts_of("s1")])))
    assert view.heading == "No coverage note was raised on these numbers."
    assert view.sentence == ""


def test_what_was_not_recorded_is_said() -> None:
    facts = [facts_of("s1", judge_policy_recorded=False, grading_recorded=True)]
    plan = plan_for(facts, manifest_missing=True)
    said = cautions_view(outline(wave_of(facts, plan))).unrecorded
    assert said[0].startswith("The wave has no manifest")
    assert said[1] == (
        "How the judge was set up is not recorded for 1 of 1 started session: "
        "it is taken as advisory and not automatic."
    )
    assert len(said) == 2


def test_a_document_alone_says_that_its_sessions_are_not_here() -> None:
    said = cautions_view(outline(published(build([facts_of("s1")])))).unrecorded
    assert len(said) == 1
    assert said[0].startswith("This is a published findings document without its recording")


def test_policy_and_grading_that_are_missing_from_the_same_sessions_are_said_at_once() -> None:
    both = [facts_of(f"s{n}", judge_policy_recorded=False, grading_recorded=False) for n in (1, 2)]
    assert cautions_view(outline(wave_of(both))).unrecorded == (
        (
            "How judge and grading were set up is recorded for none of 2 started sessions: the "
            "judge is taken as advisory and not automatic, grading as not requested."
        ),
    )
    apart = [
        facts_of("s1", judge_policy_recorded=False, grading_recorded=True),
        facts_of("s2", judge_policy_recorded=True, grading_recorded=False),
    ]
    said = cautions_view(outline(wave_of(apart))).unrecorded
    assert [line.split(":")[0] for line in said] == [
        "How the judge was set up is not recorded for 1 of 2 started sessions",
        "How grading was set up is not recorded for 1 of 2 started sessions",
    ]


def test_a_wave_of_which_too_little_was_read_claims_nothing_beside_its_population() -> None:
    facts = [
        missed("s1", Stage.RESPONSE, tool_calls=(CallFact("c1", "pay", 0, error="isError"),)),
        facts_of("s2", session_index=1, read_state=ReadState.SCAN_CAPPED),
        facts_of("s3", session_index=2, read_state=ReadState.SCAN_CAPPED),
    ]
    wave = wave_of(facts)
    summary = report_of(wave).summary
    assert "That is too little for a word on how the goals went." in str(summary.headline.text)
    assert summary.broke == ()
    text = parsed(page_of(wave)).by_id("summary").text
    assert "What broke first" not in text
    assert "Tools that errored" not in text
    page_one = parsed(print_page(report_of(wave), evidence="none")).text.partition("Cautions")[0]
    assert "Tools that errored" not in page_one
    assert "Tools that errored" in parsed(page_of(wave_of(facts[:1]))).by_id("summary").text


def test_what_became_of_a_session_is_called_the_same_everywhere() -> None:
    """One session was `not begun` in the terminal and `pending or still running` in the report."""
    facts = [
        facts_of("s1"),
        facts_of(
            "s2",
            Disposition.BLOCKED_CONNECTING,
            reason=SessionVerdictReason.EXECUTION_FAILED,
            session_index=1,
        ),
        idle("s3", Lifecycle.PENDING, session_index=2),
    ]
    wave = wave_of(facts)
    summary = report_of(wave).summary
    assert "1 pending or still running" in summary.ledger.launch
    assert "Did not start: 1 pending or still running." in list(summary_lines(wave))
    # Beside it, the same session is one `that never connected`.
    assert summary.ledger.steps[3].left == "1 started and was not: never connected"
    assert "1 that never connected" in summary.how_sure


def test_the_words_of_the_matrix_lead_to_their_meanings() -> None:
    page = parsed(page_of(wave_of([facts_of("s1")])))
    assert "What each word means" in page.by_id("matrix").text
    assert "What each word means" in parsed(print_page(report_of(wave_of([facts_of("s1")])))).text


def test_a_reason_is_given_to_nobody_else_who_did_not_start() -> None:
    told = Attempt(status="rate_limited", error_message="Too many.")
    facts = [
        facts_of("s1"),
        idle("s2", Lifecycle.LIMITED, attempt=told, session_index=1),
        idle("s3", Lifecycle.PENDING, session_index=2),
    ]
    said = summary_of(*facts).not_run
    assert said == "Recorded reason: “Too many”, for 1 of 2 sessions that did not start."
    assert summary_of(*facts[:2]).not_run == "Recorded reason: “Too many”."


def test_what_was_planned_is_not_said_where_nobody_recorded_a_plan() -> None:
    facts = [facts_of("s1"), facts_of("s2", Disposition.NOT_MEASURED, session_index=1)]
    plan = replace(plan_for(facts), manifest_missing=True)
    wave = wave_of(facts, plan)
    for text in (parsed(page_of(wave)).text, parsed(print_page(report_of(wave))).text):
        said = text.replace("how many were planned is not known", "")
        said = said.replace("how many sessions were planned is not known", "")
        assert "planned session" not in said
        assert "sessions planned" not in said
    summary = report_of(wave).summary
    assert summary.how_sure == (
        "The outcome is known for 1 of 2 recorded sessions. For the other one it is not known."
    )
    silent = [idle("s1", Lifecycle.RAN)]
    never = wave_of(silent, replace(plan_for(silent), manifest_missing=True))
    said = str(report_of(never).summary.headline.text)
    assert said.startswith("1 of 1 recorded session did not")


def test_an_empty_wave_has_no_label_without_words() -> None:
    plan = replace(plan_for([facts_of()]), slots=(), runs=(), goals=(), targets=(), personas=())
    page = parsed(page_of(wave_of([], plan)))
    assert "Why sessions did not run" not in page.text
    assert "Each cell" not in page.text
    assert "one column" not in page.text
    assert page.text.count("No session was planned, so there is no goal to show.") == 2
    assert "could decide" not in page.by_id("checks").text


def test_one_ungraded_session_of_a_document_alone_is_one() -> None:
    facts = [facts_of("s1"), facts_of("s2", Disposition.NOT_MEASURED, session_index=1)]
    steps = report_of(published(build(facts))).summary.ledger.steps
    assert steps[-1].left == "1 started and was not"
