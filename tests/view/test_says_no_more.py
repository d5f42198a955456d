"""Sentences that once said more than was recorded, each held to what is."""

from dataclasses import replace
from typing import Any

import pytest
from builders import assistant, records, user
from finding_waves import chain, facts_of, idle, reported, signals, with_judge
from report_waves import (
    PROVENANCE,
    page_of,
    parsed,
    published,
    report_of,
    transcripts_of,
    wave_of,
)

from reporter.findings.document import findings_of_document, read_document
from reporter.findings.headline import headline
from reporter.findings.projection import project
from reporter.models.facts import (
    CallFact,
    ConnectionFact,
    FinishFact,
    JudgeFact,
    ModelFact,
    SessionFacts,
    SignalMatch,
    UsageFact,
)
from reporter.models.manifest import GOAL_UNRECORDED, Attempt, Lost
from reporter.models.session import SessionRecording
from reporter.render.pdf import print_page
from reporter.view.embed import embed_plan
from reporter.view.entries import SpeechEntry
from reporter.view.head import head_view
from reporter.view.orders import session_orders
from reporter.view.outline import outline
from reporter.view.paper_turns import paper_turns
from reporter.view.session import session_view
from reporter.view.transcript import transcript_view
from reporter.vocabulary import (
    CoverageNote,
    Disposition,
    GraderReadiness,
    Lifecycle,
    ReadState,
    SessionVerdictReason,
    Signal,
    Stage,
    StageReason,
)


def lines_of(fact: SessionFacts) -> dict[str, str]:
    return dict(session_view(report_of(wave_of([fact])), fact.session_id, None).lines)


def attempt_of(fact: SessionFacts) -> str:
    return session_view(report_of(wave_of([fact])), fact.session_id, None).row.attempt


@pytest.mark.parametrize(
    ("reason", "rule", "attempt", "ended"),
    [
        ("turnCap", "", "ran to its end, at the turn limit", "the turn limit"),
        ("turnCap", "max_steps", "ran to its end, at a limit", "a limit (inferred: max_steps)"),
        ("error", "", "ran to its end, with an error", "an error"),
        ("personaEnded", "", "ran to its end", "the persona"),
        # A rule that gave nothing is no news beside nothing.
        ("unknown", "the last step ended", "ran to its end", "not recorded"),
    ],
)
def test_a_session_that_was_cut_short_does_not_just_run_to_its_end(
    reason: str, rule: str, attempt: str, ended: str
) -> None:
    inferred = (("session_complete.endReason", rule),) if rule else ()
    fact = facts_of("s1", end_reason=reason, inferred=inferred)
    assert attempt_of(fact).startswith(attempt)
    assert attempt_of(fact).removeprefix(attempt)[:3] in ("", ", 1")
    assert lines_of(fact)["Ended by"] == ended


def test_tokens_of_some_steps_are_not_said_to_be_recorded_nowhere() -> None:
    fact = facts_of("s1", usage=UsageFact(None, None, None))
    assert lines_of(fact)["Tokens"] == "not recorded for every step"


@pytest.mark.parametrize(
    ("start", "end", "long"),
    [(1_000, 13_000, "12"), (1_000, 13_001, "12.0"), (1_500, 13_000, "11.5")],
)
def test_times_in_whole_seconds_measure_no_tenth(start: int, end: int, long: str) -> None:
    fact = facts_of("s1", started_at_ms=start, ended_at_ms=end)
    assert lines_of(fact)["Time"].endswith(f" UTC, {long}\u00a0s")


@pytest.mark.parametrize(
    ("models", "said"),
    [
        ((), None),
        ((ModelFact(None, "m-1"),), None),
        ((ModelFact("p", "m-1-20250514"),), None),
        ((ModelFact("p", "m-1-2025-05-14"), ModelFact("p", None)), None),
        ((ModelFact("p", "m-10"),), "p/m-10; the target names m-1"),
        ((ModelFact("p", "m-1"), ModelFact("q", "z-9")), "p/m-1 and q/z-9; the target names m-1"),
    ],
)
def test_the_models_that_answered_are_named_where_they_are_not_the_targets(
    models: tuple[ModelFact, ...], said: str | None
) -> None:
    target = next(iter(outline(wave_of([facts_of("s1")])).targets.values())).model
    expected = None if said is None else said.replace("m-1", target)
    renamed = tuple(
        replace(one, model_id=one.model_id and one.model_id.replace("m-1", target, 1))
        for one in models
    )
    view = session_view(report_of(wave_of([facts_of("s1", models=renamed)])), "s1", None)
    lines = dict(view.lines)
    assert lines.get("Models", lines.get("Model")) == expected
    assert (view.model == "") is (said is not None)


def test_a_yes_or_a_no_of_a_judge_is_not_told_as_a_score() -> None:
    failed = chain(failed=Stage.USER_VALUE)
    rows = tuple(
        replace(row, reason=StageReason.JUDGE_FAILED) if row.stage is Stage.USER_VALUE else row
        for row in failed.rows
    )
    fact = facts_of(
        "s1",
        Disposition.GOAL_MISSED,
        chain=replace(failed, rows=rows),
        judge=JudgeFact("completed", passed=False),
    )
    page = parsed(page_of(wave_of([fact]))).by_id("goals").text
    assert "Because the judge found the goal not met." in page
    assert "partial floor" not in page_of(wave_of([fact]))
    # What a source said of its own chain stands as it is.
    kept = page_of(wave_of([replace(fact, chain_source="recorded")]))
    assert "Because the LLM judge scored below the partial floor." in kept


def test_only_a_refusal_that_is_shown_is_the_servers() -> None:
    failure = ConnectionFact("connect", "desk", "no route", None, "server", None, recovered=False)
    fact = facts_of(
        "s1",
        Disposition.NOT_MEASURED,
        started_by="refused",
        connection_failures=(failure,),
        chain=chain(),
    )
    row = session_view(report_of(wave_of([fact])), "s1", None).row
    assert row.first_words == "The connection failed: no route"
    shown = replace(fact, chain=chain(failed=Stage.CONNECTION))
    row = session_view(report_of(wave_of([shown])), "s1", None).row
    assert row.first_words == "The server refused the connection: no route"


def test_a_recorded_failure_to_connect_is_a_recorded_reason() -> None:
    failure = ConnectionFact("connect", None, "dns", None, "client", None, recovered=False)
    fact = facts_of(
        "s1",
        Disposition.NOT_RUN,
        started=False,
        chain=None,
        lifecycle=Lifecycle.BROKE,
        attempt=Attempt(status="failed"),
        connection_failures=(failure,),
    )
    row = session_view(report_of(wave_of([fact])), "s1", None).row
    assert row.first_words == "Broke off: the connection failed: dns"


def limits_of(*facts: SessionFacts) -> dict[str, str]:
    return {bar.wire: bar.limits for bar in report_of(wave_of(facts)).recorded.signals}


def test_sessions_without_a_call_that_do_not_count_are_counted_beside() -> None:
    called = facts_of("s1", tool_calls=(CallFact("c1", "find", 0),))
    cut = facts_of("s2", lifecycle=Lifecycle.WITHDRAWN, session_index=1)
    bare = facts_of("s3", catalog_complete=True, catalog_tools=frozenset(), session_index=2)
    assert limits_of(called, cut, bare)["noToolCalled"] == (
        "Not counted: 1 of 3 read sessions without a call did not run to its end and 1 of 3 read "
        "sessions had no tool on offer."
    )
    assert limits_of(called)["noToolCalled"] == ""


def test_a_step_without_a_finish_reason_is_not_known_to_be_whole() -> None:
    some = facts_of("s1", finish_reasons=(FinishFact(0, 0, "stop"), FinishFact(0, 1, None)))
    assert limits_of(some)["outputTruncated"] == (
        "In 1 of 1 read session some step has no recorded finish reason, so whether its reply "
        "was cut off is not known."
    )
    none = facts_of(
        "s1",
        finish_reasons=(FinishFact(0, 0, None),),
        signals_not_evaluated=(Signal.OUTPUT_TRUNCATED,),
    )
    assert limits_of(none)["outputTruncated"] == ""


def test_a_catalogue_that_only_a_rule_makes_whole_is_said_to_be_that() -> None:
    ruled = (("catalog.complete", "all that was offered"),)
    fact = facts_of("s1", catalog_complete=True, inferred=ruled)
    assert limits_of(fact)["hallucinatedTool"] == (
        "In 1 of 1 read session it is not recorded as such that the catalogue is complete; it "
        "follows from “all that was offered”."
    )
    assert limits_of(replace(fact, catalog_complete=False))["hallucinatedTool"] == ""


def test_calls_of_which_no_error_is_recorded_as_such_are_not_said_to_be_free_of_it() -> None:
    ruled = (("tool_result.isError", "text starts with Error"),)
    calls = tuple(CallFact(f"c{at}", f"tool{at}", 0) for at in range(7))
    recorded = report_of(wave_of([facts_of("s1", tool_calls=calls, inferred=ruled)])).recorded
    assert (
        "Whether a call errored is not recorded as such in 1 of 1 read session."
        in recorded.tools_caption
    )
    assert recorded.quiet_words == "1 more tool without an error on record"


def untitled(*names: str, **more: Any) -> list[SessionFacts]:
    return [
        facts_of(name, goal_id="none", goal_title="no goal recorded", run_id=f"r{name}", **more)
        for name in names
    ]


def test_where_no_goal_was_recorded_none_is_counted() -> None:
    wave = wave_of(untitled("s1", "s2"))
    assert head_view(outline(wave)).size == (
        "1 persona and 1 target: 2 planned sessions. No goal was recorded."
    )
    said = headline(wave.findings, wave.plan, wave.facts)
    assert [item.text for item in said.goals] == ["No goal was recorded; what was tried was met."]
    assert report_of(wave).goals.goals[0].title == "no goal recorded"


def test_sessions_without_a_goal_are_counted_beside_those_with_one() -> None:
    wave = wave_of([facts_of("s1"), *untitled("s2", disposition=Disposition.GOAL_MISSED)])
    assert head_view(outline(wave)).size == (
        "1 persona, 1 goal and 1 target: 2 planned sessions, 1 without a recorded goal."
    )
    said = headline(wave.findings, wave.plan, wave.facts)
    assert [item.text for item in said.goals] == [
        "The one goal was met.",
        "What was tried without a recorded goal was not met.",
    ]
    assert said.items[0].text.startswith("What was tried without a recorded goal was not met")


def test_what_is_listed_and_in_no_run_is_not_said_to_be_unrecorded() -> None:
    size = head_view(outline(wave_of([]))).size
    assert "was recorded" not in size
    assert size.startswith("0 planned sessions.")


@pytest.mark.parametrize(
    ("times", "said"),
    [
        (((1_000, 2_000), (None, None)), "1 of 2 sessions of 1 January 1970, 00:00 to 00:00 UTC"),
        (((1_000, 2_000), (1_000, 2_000)), "sessions of 1 January 1970, 00:00 to 00:00 UTC"),
    ],
)
def test_times_of_some_sessions_are_not_those_of_all(
    times: tuple[tuple[int | None, int | None], ...], said: str
) -> None:
    facts = [
        facts_of(f"s{at}", session_index=at, started_at_ms=start, ended_at_ms=end)
        for at, (start, end) in enumerate(times)
    ]
    assert head_view(outline(wave_of(facts))).when == said


def test_a_tie_of_recorded_facts_is_no_most() -> None:
    both = tuple(SignalMatch(one, 0) for one in (Signal.TOOL_ERRORED, Signal.TURN_CAP_REACHED))
    fact = facts_of("s1", signals=both)
    summary = report_of(wave_of([fact])).summary
    assert summary.items[0].text == "No other recorded fact was seen in more, and no fact says why."


def test_a_document_alone_does_not_say_which_analyzer_made_its_chains() -> None:
    made = report_of(published(wave_of([facts_of("s1")]).findings))
    assert "analyzer" not in made.provenance.versions
    assert "The document states findings contract 1, pipeline" in made.provenance.versions
    kept = report_of(wave_of([facts_of("s1", chain_source="recorded")])).provenance.versions
    assert "chain analyzer 11 (1 session with the chain recorded for it)" in kept


def test_a_goal_that_no_finding_names_is_not_said_not_to_have_run() -> None:
    found = wave_of([facts_of("s1")]).findings
    (rollup,) = found.personas
    more = rollup.model_copy(update={"goal_run_ids": [*rollup.goal_run_ids, "r-other"]})
    matrix = report_of(published(replace(found, personas=(more,)))).matrix
    words = {row.head.name: row.cells[0].mark.word for row in matrix.groups[0].table.rows}
    assert words["r-other"] == "Unscored"


def test_a_wave_without_a_manifest_knows_neither_its_checks_nor_what_targets_were_given() -> None:
    facts = [facts_of("s1"), facts_of("s2", target_id="t2", run_id="r2")]
    wave = wave_of(facts)
    assert wave.plan is not None
    lost = replace(wave, plan=replace(wave.plan, manifest_missing=True))
    report = report_of(lost)
    assert report.targets.lead.startswith("What each target was given is not known")
    assert report.checks is not None
    assert report.checks.lead.endswith(
        "Which checks the runs had is not known, as the wave has no manifest."
    )


def test_the_reader_is_not_said_to_have_used_everything() -> None:
    lost = replace(PROVENANCE, lost=(Lost(place="x.json", reason="no session"),))
    wave = wave_of([facts_of("s1")])
    assert report_of(wave).integrity.reader == "no warning; every file could be read"
    said = report_of(replace(wave, provenance=lost)).integrity.reader
    assert said == "no warning; what is on record and was not used is listed below"


def test_rules_of_rows_say_over_how_many_they_were_asked() -> None:
    empty = [check.result for check in report_of(wave_of([])).integrity.checks]
    assert empty.count("nothing to check, as the document has no row") == 3
    some = [check.result for check in report_of(wave_of([facts_of("s1")])).integrity.checks]
    assert "0 violations in 1 row" in some


def test_one_reason_is_counted_once_on_the_way_to_a_grade() -> None:
    facts = [
        facts_of(
            f"s{at}", Disposition.NOT_MEASURED, session_index=at, lifecycle=lifecycle, reason=reason
        )
        for at, (lifecycle, reason) in enumerate(
            (
                (Lifecycle.PENDING, SessionVerdictReason.ATTEMPT_PENDING),
                (Lifecycle.RUNNING, SessionVerdictReason.ATTEMPT_RUNNING),
            )
        )
    ]
    graded = report_of(wave_of(facts)).summary.ledger.steps[-1]
    assert graded.left == "2 started and were not: no end on record"


def test_the_line_of_a_document_alone_is_not_as_thick_as_a_share() -> None:
    found = wave_of([facts_of("s1")]).findings
    alone = page_of(published(found))
    assert "It is barred throughout" in alone
    assert "as thick as the share" not in parsed(alone).by_id("goals").text
    assert "as thick as the share" in page_of(wave_of([facts_of("s1")]))


def test_on_paper_too_a_note_of_a_document_alone_does_not_say_what_it_touches() -> None:
    found = wave_of([facts_of("s1")]).findings
    bare = replace(found, note_sessions={}, coverage_notes=(CoverageNote.TRANSCRIPT_MISSING,))
    paper = print_page(report_of(published(bare)), evidence="none")
    assert "<td>not said</td>" in paper
    assert "<td>the wave</td>" not in paper


def test_a_connection_record_is_no_transcript() -> None:
    refused = facts_of("s1", has_transcript=False, has_connection_record=True, message_count=0)
    told = facts_of("s2", session_index=1)
    assert embed_plan([refused], frozenset()).note == (
        "What was recorded of 1 session is in this file."
    )
    assert embed_plan([refused, told], frozenset()).note == (
        "What was recorded of 2 sessions is in this file."
    )
    assert embed_plan([told], frozenset()).note == "The one transcript is in this file."


def lost(session_id: str, **more: Any) -> SessionFacts:
    """A session whose messages the recording counts and does not hold."""
    return facts_of(
        session_id,
        Disposition.NOT_MEASURED,
        reason=SessionVerdictReason.EXECUTION_FAILED,
        lifecycle=Lifecycle.BROKE,
        started_by="lost",
        has_transcript=False,
        read_state=ReadState.TRANSCRIPT_MISSING,
        chain=None,
        **more,
    )


def test_of_lost_messages_nobody_says_that_there_were_none() -> None:
    facts = [lost("s1"), facts_of("s2", session_index=1)]
    report = report_of(wave_of(facts))
    page = parsed(page_of(wave_of(facts)))
    assert report.summary.ledger.steps[-1].left == (
        "1 started and was not: broke off, messages lost"
    )
    row = session_view(report, "s1", None).row
    assert row.reason == "the attempt broke off, and no message of it could be loaded"
    assert row.first_words == "No words of the persona could be loaded"
    assert "before its first message" not in page.text
    told = transcript_view(lost("s1"), None, {})
    assert told.note == "What was recorded of this session could not be loaded."
    assert transcript_view(facts_of("s1"), None, {}).note == "No file of this session was recorded."
    assert "before anything was said" not in page.by_id("words").text
    alone = report_of(wave_of([lost("s1")]))
    assert "No words of a persona were recorded" not in alone.sessions.lead


def test_a_session_that_is_left_out_of_the_funnel_is_called_what_the_ledger_calls_it() -> None:
    never = (Lifecycle.PENDING, SessionVerdictReason.ATTEMPT_PENDING)
    facts = [facts_of("s1", Disposition.NOT_MEASURED, lifecycle=never[0], reason=never[1])]
    wave = wave_of(facts)
    said = "no end on record"
    assert report_of(wave).summary.ledger.steps[-1].left.endswith(said)
    assert f"by lifecycle, 1 {said}." in parsed(page_of(wave)).by_id("funnel").text


def test_a_judge_who_does_not_decide_is_said_not_to() -> None:
    told = facts_of("s1", judge=JudgeFact("completed", passed=False, reason="Not done."))
    silent = with_judge(told, GraderReadiness.SILENT)
    views = [session_view(report_of(wave_of([one])), "s1", None) for one in (told, silent)]
    assert [one.judge for one in views] == [
        "goal not met. Not done.",
        "goal not met (does not decide here). Not done.",
    ]


def test_what_nobody_recorded_stands_in_no_quotation_marks() -> None:
    named = parsed(page_of(wave_of([facts_of("s1")]))).text
    assert "“Borrow a book”, on" in named
    unnamed = facts_of("s1", goal_title=GOAL_UNRECORDED)
    text = parsed(page_of(wave_of([unnamed]))).text
    assert f"“{GOAL_UNRECORDED}”" not in text
    assert f"{GOAL_UNRECORDED}, on" in text


def test_a_session_is_called_its_name_where_another_shows_what_it_shares() -> None:
    system = {
        "type": "message",
        "role": "system",
        "author": "client",
        "turnIndex": 0,
        "content": "Be kind.",
    }
    told = SessionRecording("x", records(system))  # type: ignore[arg-type]  # an id of a test
    shown: dict[str, str] = {}
    transcript_view(facts_of("long-id-1"), told, {}, shown, name="s1")
    again = transcript_view(facts_of("long-id-2"), told, {}, shown, name="s2").entries[0]
    assert isinstance(again, SpeechEntry)
    assert again.folded.endswith("the same as in session s1")


def test_a_turn_without_an_answer_is_none_of_the_turns_that_were_used() -> None:
    talk = records(user(), assistant(), user("Thanks.", 1))
    told = SessionRecording("s1", talk)  # type: ignore[arg-type]  # an id of a test
    entries = transcript_view(facts_of("s1", turns_used=1), told, {}).entries
    said = [one.turn for one in entries if isinstance(one, SpeechEntry) and one.turn]
    assert said == ["Turn 1", "Turn 2, no answer recorded"]
    # Where records are lost, the answer may be among them.
    damaged = replace(told, damaged=True)
    entries = transcript_view(facts_of("s1", turns_used=1), damaged, {}).entries
    assert [one.turn for one in entries if isinstance(one, SpeechEntry) and one.turn][1] == "Turn 2"


def test_steps_that_do_not_say_how_they_ended_are_not_counted_as_if_they_were_all() -> None:
    silent = FinishFact(0, 0, None)
    assert lines_of(facts_of("s1", finish_reasons=(silent,)))["Finish"] == "not recorded"
    some = (FinishFact(0, 0, "stop"), replace(silent, step_number=1))
    assert lines_of(facts_of("s1", finish_reasons=some))["Finish"] == "1 stop, 1 not recorded"


@pytest.mark.parametrize(("start", "end"), [(1_000, 13_000), (1_000, 13_001), (0, 900_000)])
def test_the_list_says_a_duration_as_the_session_itself_does(start: int, end: int) -> None:
    fact = facts_of("s1", started_at_ms=start, ended_at_ms=end)
    order = session_orders([fact, facts_of("s2", started_at_ms=0, ended_at_ms=5)])[-1]
    assert order.name == "time"
    assert lines_of(fact)["Time"].endswith(f" UTC, {order.words[0]}")
    assert str(order.table["words"]).split("|") == list(order.words)


def test_an_account_that_is_cut_is_said_to_be_its_beginning() -> None:
    whole = facts_of("s1", Disposition.GOAL_MISSED, **reported("I gave up."))
    cut = facts_of("s1", Disposition.GOAL_MISSED, **reported("I gave up. " * 80))
    notes = [parsed(page_of(wave_of([one]))).by_id("goals").text for one in (whole, cut)]
    assert "The persona’s own account of this one session, not verified." in notes[0]  # noqa: RUF001  the sign is meant
    assert "The beginning of the persona’s own account of this one session" in notes[1]  # noqa: RUF001  the same


def test_a_document_alone_does_not_say_who_wrote_a_report_nor_that_it_was_checked() -> None:
    found = wave_of([facts_of("s1", Disposition.GOAL_MISSED, **reported())]).findings
    document, _ = project(replace(found, extraction_model="m"))
    alone = page_of(published(findings_of_document(read_document(document, file="")[0])))
    assert "checked against what it cites" not in alone.replace("nor whether it was checked", "")
    assert "by a model or by its judge" in alone


def test_no_link_of_a_document_alone_is_passed_and_not_a_pass_at_once() -> None:
    fact = facts_of("s1", Disposition.NOT_MEASURED, chain=chain(passed=[Stage.RESPONSE]))
    text = parsed(page_of(published(wave_of([fact]).findings))).by_id("goals").text
    assert "passed No finding speaks" not in " ".join(text.split())
    assert "Measured only where the outcome is not known" in text
    errored = facts_of("s1", Disposition.GOAL_MISSED, chain=None, **signals(Signal.TOOL_ERRORED))
    text = parsed(page_of(published(wave_of([errored]).findings))).by_id("goals").text
    assert "Not a pass. Recorded here: a tool errored, 1 of 1 session." in text


def test_who_never_connected_did_not_meet_the_goal_whatever_was_graded() -> None:
    stuck = facts_of(
        "s1",
        Disposition.BLOCKED_CONNECTING,
        reason=SessionVerdictReason.JUDGE_PASSED,
        chain=chain(Stage.CONNECTION),
    )
    failed = session_view(report_of(wave_of([stuck])), "s1", None).failed
    assert failed is not None
    assert failed.text.endswith("; its verdict is passed all the same.")
    other = facts_of("s2", session_index=1)
    for facts in ([stuck], [stuck, other]):
        assert "the goal was still met" not in parsed(page_of(wave_of(facts))).text


def test_a_link_of_a_document_alone_counts_the_sessions_of_all_that_names_it() -> None:
    facts = [
        facts_of("s1", Disposition.BLOCKED_BY_RESPONSE, chain=chain(Stage.RESPONSE)),
        facts_of(
            "s2", Disposition.BLOCKED_BY_RESPONSE, chain=chain(Stage.RESPONSE), target_id="t2"
        ),
    ]
    text = parsed(page_of(published(wave_of(facts).findings))).by_id("goals").text
    assert "failed in 2 sessions that findings name" in text
    text = parsed(page_of(published(wave_of(facts[:1]).findings))).by_id("goals").text
    assert "failed, 1 of 1 session" in text


def test_a_session_that_succeeded_in_silence_did_not_run_to_its_end_and_not_run_at_once() -> None:
    silent = idle("s1", Lifecycle.RAN, attempt=Attempt(status="succeeded"))
    view = session_view(report_of(wave_of([silent])), "s1", None)
    assert view.row.attempt == "said to have succeeded, no message recorded"
    assert view.row.recorded == "no message recorded"
    assert dict(view.lines)["Not started"] == "Completed without a recorded message"
    other = session_view(report_of(wave_of([idle("s1")])), "s1", None)
    assert (other.row.attempt, other.row.recorded) == ("broke off", "did not run")


def test_on_paper_too_turns_that_are_lost_are_not_all_there() -> None:
    for fact, tail in ((facts_of("s1"), "."), (lost("s1"), ", as far as it could be loaded.")):
        turns = paper_turns(report_of(wave_of([fact])), "all", transcripts_of({}))
        assert turns.lead == f"Every recorded turn of 1 session that started{tail}"
