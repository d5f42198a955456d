"""Waves saved from MCPJam, with a small export of our own."""

import json
from pathlib import Path
from typing import Any

import pytest
from imported import Taken, take
from saved_export import (
    CHAT,
    DOCUMENT,
    LENT,
    RUN,
    TARGET,
    USUAL,
    answer,
    attempt,
    call,
    export,
    goal_run,
    page,
    renamed,
    save,
    session_row,
    span,
    talk,
    trace,
)

from reporter.derive.session import derive_session
from reporter.errors import Problem, RecordingError
from reporter.importers.identify import identify
from reporter.importers.mapping import FileMapping, mapping_of_options
from reporter.importers.mcpjam_documents import kind_of, unwrapped
from reporter.importers.wave import ImportedWave
from reporter.models.facts import SessionFacts
from reporter.models.records import (
    Criteria,
    ErrorRecord,
    GoalJudge,
    Message,
    OtherPart,
    Readiness,
    SessionComplete,
    SessionNotice,
    SessionStart,
    StepFinish,
    TextPart,
    ToolCallPart,
    ToolResult,
    ToolResultPart,
    TurnFinish,
    TurnStart,
)
from reporter.pipeline.import_ import import_source
from reporter.pipeline.options import Options
from reporter.pipeline.source import ForeignSource, open_source
from reporter.recording.reader import open_wave
from reporter.vocabulary import Disposition, ReadState, SessionVerdictReason, Signal

UNCLAIMED = f"unclaimed:{RUN}:0:1"


def taken(folder: Path, **more: Any) -> Taken:
    return take(save(folder, **more))


def facts_of(source: Taken, session_id: str = CHAT) -> SessionFacts:
    return derive_session(source.contexts[session_id], source.recordings[session_id])


def of(source: Taken, kind: type) -> list[Any]:
    return [one for one in source.recordings[CHAT].records if isinstance(one, kind)]


def losses(source: Taken, kind: str) -> list[str]:
    return [lost.reason for lost in source.wave.lost if lost.kind == kind]


def problems(source: Taken) -> list[Problem]:
    """Problems but for the note that the small export holds no insights."""
    missing = "published-findings-missing"
    return [one for one in source.wave.problems if one.rule != missing]


def bare_row(**more: Any) -> dict[str, Any]:
    """A session row as an older service gives it."""
    old = session_row(**more)
    for key in ("criteria", "observations", "verdict"):
        old.pop(key)
    return old


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Taken:
    return taken(tmp_path_factory.mktemp("export"))


def test_the_plan_is_the_services_own(usual: Taken) -> None:
    plan, manifest = usual.plan, usual.manifest
    assert (plan.wave_id, plan.name, plan.swarm_id) == ("wave-1", "Desk swarm", "swarm-1")
    assert (plan.created_at_ms, plan.finished_at_ms) == (1_788_000_000_000, 1_788_000_400_000)
    assert plan.terminal
    (run,) = plan.runs
    assert (run.run_id, run.sessions_per_target, run.max_turns) == (RUN, 2, 6)
    assert run.inferred is not None
    assert "current value" in run.inferred["maxTurns"]
    assert [(slot.session_id, slot.session_index, slot.document_id) for slot in plan.slots] == [
        (CHAT, 0, DOCUMENT),
        (UNCLAIMED, 1, None),
    ]
    assert manifest.recorder is not None
    assert manifest.recorder.name == "mcpjam-export"
    assert manifest.source is not None
    assert len(manifest.source.files) == 10


def test_who_tried_what_against_what(usual: Taken) -> None:
    (persona,), (goal,), (target,) = usual.plan.personas, usual.plan.goals, usual.plan.targets
    assert (persona.persona_ref_id, persona.name) == (
        "persona-rita",
        "Rita",
    )
    assert (persona.role, persona.notes) == ("Reader", "Patient.")
    assert (goal.title, goal.goal) == ("Borrow a book", "Borrow book 7.")
    assert (target.target_id, target.kind, target.id, target.label) == (
        TARGET,
        "environment",
        "env-a",
        "Staging",
    )
    assert (target.model_id, target.host_name, target.environment) == ("model-1", "Desk", None)


def test_a_slug_is_resolved_to_the_durable_id_in_the_said_order(tmp_path: Path) -> None:
    rows = page(session_row(personaId=None, personaLabel=None))
    listed = taken(tmp_path / "a", sessions=rows, **{"journeys.1": None})
    assert listed.plan.personas[0].persona_ref_id == "persona-rita"


def test_a_host_is_a_target_where_no_environment_is_saved(tmp_path: Path) -> None:
    run = goal_run(targets=[{"hostId": "host-9", "hostName": "Desk"}])
    run["attempts"] = [attempt(hostId="host-9", targetId=None)]
    run["summary"]["total"] = 1
    (target,) = taken(tmp_path, run=run).plan.targets
    assert (target.target_id, target.kind, target.id, target.label, target.model_id) == (
        "host:host-9",
        "host",
        "host-9",
        "Desk",
        None,
    )


def test_messages_with_their_parts(usual: Taken) -> None:
    messages = of(usual, Message)
    assert [(one.role, one.author, one.turn_index) for one in messages] == [
        ("user", "persona", 0),
        ("assistant", "assistant", 0),
        ("tool", "tool", 0),
        ("assistant", "assistant", 0),
    ]
    assert messages[1].content == [
        TextPart(text="Yes."),
        ToolCallPart(tool_call_id="c1", tool_name="lend_book", args={"id": "7"}),
    ]
    assert messages[2].content == [ToolResultPart(tool_call_id="c1", result=LENT["value"])]


def test_steps_turns_and_what_a_span_adds_to_a_result(usual: Taken) -> None:
    first, second = of(usual, StepFinish)
    assert (first.finish_reason, first.usage.total_tokens, first.response_id) == (
        "tool-calls",
        95,
        "r1",
    )
    assert (second.finish_reason, second.usage.input_tokens, second.usage.total_tokens) == (
        "stop",
        20,
        25,
    )
    assert second.inferred == {"usage": "tokens of the turn less those of its other steps"}
    facts = facts_of(usual)
    assert facts.usage is not None
    assert (facts.usage.input_tokens, facts.usage.total_tokens) == (100, 120)
    (result,) = of(usual, ToolResult)
    assert (result.duration_ms, result.timing, result.is_error) == (20.5, "span", None)
    assert result.model_extra == {"serverId": "server-1"}
    assert [one.at for one in of(usual, TurnStart)] == [1_788_000_001_000]
    assert [one.at for one in of(usual, TurnFinish)] == [1_788_000_003_000]
    (start,), (end,) = of(usual, SessionStart), of(usual, SessionComplete)
    assert (start.at, start.model_id) == (1_788_000_001_000, "model-1")
    assert (end.status, end.end_reason, end.at) == ("succeeded", "unknown", 1_788_000_009_000)


def test_grades_give_the_verdict_that_was_published(usual: Taken) -> None:
    facts = facts_of(usual)
    assert facts.disposition is Disposition.GOAL_MET
    assert facts.verdict.reason is SessionVerdictReason.ALL_GATING_CRITERIA_PASSED
    (criterion,) = facts.criteria
    assert (criterion.label, criterion.role, criterion.predicate_type) == (
        "It was lent",
        "required",
        "toolCalledAtLeastOnce",
    )
    (judge,) = of(usual, GoalJudge)
    assert (judge.passed, judge.score, judge.threshold) == (True, 0.9, 0.7)
    assert [one.status for one in of(usual, Readiness)] == ["completed"]
    assert usual.manifest.published is not None
    assert usual.manifest.published["sessions"][CHAT]["verdict"]["verdict"] == "passed"


def test_no_catalogue_is_known_so_missing_tools_are_not_looked_for(usual: Taken) -> None:
    facts = facts_of(usual)
    assert facts.signals_not_evaluated == (Signal.HALLUCINATED_TOOL,)
    assert "toolCatalogMissing" in facts.notes


def test_both_spellings_give_one_recording(tmp_path: Path, usual: Taken) -> None:
    folder = save(tmp_path)
    for path in folder.rglob("*.json"):
        path.write_text(json.dumps(renamed(json.loads(path.read_bytes()))))
    (folder / "export.json").write_text(json.dumps({"format": "mcpjam-export", "waveId": "wave-1"}))
    other = take(folder)
    assert other.manifest.model_copy(update={"source": None}) == usual.manifest.model_copy(
        update={"source": None}
    )
    assert other.recordings[CHAT].records == usual.recordings[CHAT].records


def test_the_command_lines_wrapping_is_taken_off(tmp_path: Path, usual: Taken) -> None:
    folder = save(tmp_path)
    for path, key in (
        ("runs/run-lend/run.json", "run"),
        ("swarm.json", "swarm"),
        ("runs/run-lend/scorecard.json", "scorecard"),
    ):
        body = json.loads((folder / path).read_bytes())
        (folder / path).write_text(json.dumps({"project": {"id": "p"}, key: body}))
    rows = json.loads((folder / "runs/run-lend/sessions.1.json").read_bytes())
    (folder / "runs/run-lend/sessions.1.json").write_text(json.dumps({"project": "p", **rows}))
    other = take(folder)
    assert other.recordings[CHAT].records == usual.recordings[CHAT].records
    assert other.manifest.runs == usual.manifest.runs


def test_a_run_alone_is_enough_to_tell_what_was_planned(tmp_path: Path) -> None:
    path = tmp_path / "whatever.json"
    path.write_text(json.dumps(goal_run()))
    source = take(path)
    assert [slot.session_id for slot in source.plan.slots] == [CHAT, UNCLAIMED]
    assert source.recordings == {}
    assert source.plan.goals[0].title == "goal-lend"
    assert source.plan.runs[0].max_turns is None


def test_without_any_wave_a_lone_run_is_one(tmp_path: Path) -> None:
    source = taken(tmp_path, export=None, run=goal_run(waveId=None))
    assert source.plan.wave_id == f"solo:{RUN}"


def two_waves(folder: Path, **more: Any) -> Path:
    other = goal_run(id="run-other", waveId="wave-2")
    return save(folder, runs__run_other__run=other, **more)


def test_two_waves_in_one_folder_are_refused_unless_one_is_chosen(tmp_path: Path) -> None:
    folder = two_waves(tmp_path, export=None)
    wave = ImportedWave(identify(folder))
    assert list(wave.sessions()) == []
    with pytest.raises(RecordingError) as refused:
        wave.manifest()
    assert "wave-1, wave-2" in str(refused.value)
    chosen = take(folder, FileMapping(wave="wave-2"))
    assert [run.run_id for run in chosen.plan.runs] == ["run-other"]
    with pytest.raises(RecordingError, match="No run of the wave wave-3"):
        take(folder, FileMapping(wave="wave-3"))


def test_the_exports_own_word_chooses_too(tmp_path: Path) -> None:
    source = take(two_waves(tmp_path))
    assert [run.run_id for run in source.plan.runs] == [RUN]
    assert "runs of other waves" in losses(source, "noPlace")


@pytest.mark.parametrize("attempts", [[attempt(targetId="x")], [attempt(sessionIndex=None)]])
def test_an_attempt_without_a_place_is_left_out_and_said(tmp_path: Path, attempts: Any) -> None:
    source = taken(tmp_path, run=goal_run(*attempts))
    assert source.manifest.slots == []
    assert [one.rule for one in problems(source)] == [
        "slot-of-unknown-target",
        "session-without-slot",
    ]


def test_a_canceled_run_is_marked(tmp_path: Path) -> None:
    run = goal_run(
        attempt(status="failed", errorCode="canceled"), status="failed", canceled=True, stale=False
    )
    source = taken(tmp_path, run=run)
    assert source.plan.runs[0].error == "canceled"
    assert facts_of(source).lifecycle == "withdrawn"


def test_a_running_wave_has_not_ended(tmp_path: Path) -> None:
    source = taken(tmp_path, run=goal_run(status="running"))
    assert not source.manifest.terminal


def test_pages_are_joined_by_their_number_and_a_missing_one_is_named(tmp_path: Path) -> None:
    first = talk(("user", "Hi."), ("assistant", "Hello."), messageCount=3, nextMessageIndex=2)
    last = talk(("user", "Bye."))
    last["messages"][0]["index"] = 2
    whole = taken(
        tmp_path / "a",
        detail=first,
        **{f"sessions__{DOCUMENT}__detail.10": last},
        trace=None,
    )
    assert [one.index for one in of(whole, Message)] == [0, 1, 2]
    assert whole.recordings[CHAT].problems == ()
    cut = taken(tmp_path / "b", detail=first, trace=None)
    assert cut.recordings[CHAT].damaged
    assert facts_of(cut).read_state is ReadState.TRANSCRIPT_MISSING


def test_a_list_that_goes_on_is_incomplete(tmp_path: Path) -> None:
    source = taken(tmp_path, sessions=page(session_row(), cursor="more"))
    (problem,) = problems(source)
    assert (problem.rule, problem.file) == ("source-page-missing", "runs/run-lend/sessions.1.json")


@pytest.mark.parametrize("index", [2, None, "1"])
def test_a_hole_in_a_transcript_ends_it(tmp_path: Path, index: Any) -> None:
    broken = talk(("user", "Hi."), ("assistant", "Hello."))
    broken["messages"][1]["index"] = index
    source = taken(tmp_path, detail=broken, trace=None)
    assert [one.index for one in of(source, Message)] == [0]
    facts = facts_of(source)
    assert (facts.started, facts.is_read) == (True, False)


def test_half_a_conversation_is_not_written_down_as_a_whole_one(tmp_path: Path) -> None:
    broken = talk(("user", "Hi."), ("assistant", "Hello."), messageCount=9)
    folder = save(tmp_path / "in", detail=broken, trace=None)
    import_source(folder, tmp_path / "out", Options())
    wave = open_wave(tmp_path / "out")
    context = next(one for one in wave.plan.contexts() if one.slot.session_id == CHAT)
    facts = derive_session(context, wave.read(CHAT))
    assert (facts.read_state, facts.message_count) == (ReadState.TRANSCRIPT_MISSING, 0)


def test_written_down_and_read_again_the_facts_are_the_same(tmp_path: Path) -> None:
    folder = save(tmp_path / "in")
    source = open_source(folder, Options())
    assert isinstance(source, ForeignSource)
    gathered = source.gather()
    import_source(folder, tmp_path / "out", Options())
    wave = open_wave(tmp_path / "out")
    assert wave.problems == ()
    for context, own in zip(wave.plan.contexts(), gathered.facts, strict=True):
        again = derive_session(context, wave.read(context.slot.session_id))
        assert (again.disposition, again.verdict, again.usage, again.signals, again.problems) == (
            own.disposition,
            own.verdict,
            own.usage,
            own.signals,
            own.problems,
        )


@pytest.mark.parametrize(
    ("more", "count", "started"),
    [
        ({"detail": None}, 4, True),
        ({"detail": None, "sessions": page(session_row(messageCount=0))}, None, False),
        (
            {
                "detail": talk(messageCount=None, transcriptUnavailable=True),
                "sessions": page(session_row(messageCount=0)),
            },
            1,
            True,
        ),
        ({"detail": talk(messageCount=None, transcriptUnavailable=True)}, 4, True),
    ],
)
def test_a_transcript_that_is_not_there(
    tmp_path: Path, more: Any, count: int | None, started: bool
) -> None:
    source = taken(tmp_path, trace=None, **more)
    assert source.slot(CHAT).message_count == count
    facts = facts_of(source)
    assert facts.started is started
    assert facts.read_state is (ReadState.TRANSCRIPT_MISSING if started else None)


@pytest.mark.parametrize(
    ("output", "result", "is_error"),
    [
        ({"type": "json", "value": {"a": 1}}, {"a": 1}, None),
        ({"type": "text", "value": "ok"}, "ok", None),
        ({"type": "content", "value": [{"type": "text"}]}, [{"type": "text"}], None),
        ({"type": "error-text", "value": "no"}, "no", True),
        ({"type": "error-json", "value": {"e": 1}}, {"e": 1}, True),
        ({"type": "json", "value": {"isError": True}}, {"isError": True}, True),
        ({"content": [], "isError": True}, {"content": [], "isError": True}, True),
        ("plain", "plain", None),
        ({"type": "denied", "value": 1}, {"type": "denied", "value": 1}, None),
    ],
)
def test_outputs_of_tools(tmp_path: Path, output: Any, result: Any, is_error: Any) -> None:
    said = talk(("user", "Hi."), ("assistant", [call()]), ("tool", [answer(output)]))
    source = taken(tmp_path, detail=said, trace=None)
    (part,) = of(source, Message)[2].content
    assert (part.result, part.is_error) == (result, is_error)


def test_older_names_of_arguments_and_results(tmp_path: Path) -> None:
    old_call = {"type": "tool-call", "toolCallId": "c1", "toolName": "x", "args": {"a": 1}}
    old_answer = {"type": "tool-result", "toolCallId": "c1", "result": "ok"}
    said = talk(("user", "Hi."), ("assistant", [old_call]), ("tool", [old_answer]))
    messages = of(taken(tmp_path, detail=said, trace=None), Message)
    assert messages[1].content[0].args == {"a": 1}
    assert messages[2].content[0].result == "ok"


def test_a_repeated_call_id_is_told_apart_and_results_follow_the_latest(tmp_path: Path) -> None:
    said = talk(
        ("user", "Hi."),
        ("assistant", [call()]),
        ("tool", [answer(LENT)]),
        ("assistant", [call()]),
        ("tool", [answer({"type": "error-text", "value": "no"})]),
    )
    spans = [span("tool", toolCallId="c1"), span("tool", toolCallId="c1", mcpErrorCode=-32602)]
    source = taken(tmp_path, detail=said, trace=trace(*spans))
    facts = facts_of(source)
    assert [(one.tool_call_id, one.error) for one in facts.tool_calls] == [
        ("c1", None),
        ("c1#2", "protocol"),
    ]


def test_a_message_that_the_service_cut_says_nothing_in_words(tmp_path: Path) -> None:
    said = talk(("user", "Hi."), ("assistant", [call()]), ("tool", '[{"type":"tool-result",…'))
    said["messages"][2]["truncated"] = True
    source = taken(tmp_path, detail=said, trace=None)
    cut = of(source, Message)[2]
    assert (cut.role, cut.author, cut.truncated, cut.tool_call_id) == ("tool", "client", True, None)
    note, words = cut.content
    assert "not its words" in note.note
    assert words.text.startswith("[{")
    assert [one.error for one in facts_of(source).tool_calls] == ["noResult"]
    assert any("the service cut" in reason for reason in losses(source, "noPlace"))


def test_parts_that_are_no_words_become_notes(tmp_path: Path) -> None:
    parts = [
        {"type": "reasoning", "text": "Hm."},
        {"type": "image", "mediaType": "image/png", "data": "…"},
        {"type": "dance"},
        {"type": "tool-call", "toolName": "x"},
        answer(LENT, own="nobody"),
        7,
    ]
    said = talk(("user", "Hi."), ("assistant", parts), ("narrator", "Later."))
    source = taken(tmp_path, detail=said, trace=None)
    messages = of(source, Message)
    assert all(isinstance(one, OtherPart) for one in messages[1].content)
    assert (messages[2].role, messages[2].author) == ("system", "client")
    assert losses(source, "unmatched") == [
        "tool results that answer no recorded call; they stay messages and count as nobody's result"
    ]
    assert {'parts of a message of type "dance", unknown here'} <= set(
        losses(source, "unknownType")
    )


def test_turns_without_spans_begin_with_each_word_of_the_persona(tmp_path: Path) -> None:
    said = talk(("assistant", "Hello."), ("user", "Hi."), ("assistant", "Yes?"), ("user", "Bye."))
    messages = of(taken(tmp_path, detail=said, trace=None), Message)
    assert [one.turn_index for one in messages] == [0, 0, 0, 1]


def test_an_error_needs_only_one_of_its_three_marks(tmp_path: Path) -> None:
    spans = [span("tool", toolCallId="c1", status="error"), span("error", message="boom")]
    source = taken(tmp_path, trace=trace(*spans))
    assert [one.error for one in facts_of(source).tool_calls] == ["isError"]
    assert [one.message for one in of(source, ErrorRecord)] == ["boom"]


def test_zeros_are_no_tokens_and_missing_spans_no_steps(tmp_path: Path) -> None:
    nothing = {"inputTokens": 0, "outputTokens": 0, "totalTokens": 0}
    source = taken(tmp_path, trace=trace(usage=nothing, spansUnavailable=True))
    (step,) = of(source, StepFinish)
    assert (step.usage, step.finish_reason) == (None, "stop")
    assert facts_of(source).usage is None
    assert "turns of which no spans are exported" in losses(source, "unreadable")


def test_without_a_trace_the_sum_of_the_session_stands(tmp_path: Path) -> None:
    feed: dict[str, Any] = {"id": DOCUMENT, "sourceType": "swarm", "chatSessionId": CHAT}
    feed |= {"cumulativeInputTokens": 50, "cumulativeOutputTokens": 5}
    source = taken(tmp_path, trace=None, **{"sessions-feed.1": page(feed)})
    (step,) = of(source, StepFinish)
    assert (step.usage.input_tokens, step.finish_reason) == (50, None)
    assert Signal.OUTPUT_TRUNCATED in facts_of(source).signals_not_evaluated


def test_a_trace_of_another_version_is_refused_and_the_transcript_kept(tmp_path: Path) -> None:
    newer = trace(span("step", finishReason="length")) | {"traceVersion": 2}
    source = taken(tmp_path, trace=newer)
    assert of(source, StepFinish) == []
    assert len(of(source, Message)) == 4
    assert "traces of another version" in losses(source, "unreadable")


def test_turns_that_a_trace_leaves_out_are_counted(tmp_path: Path) -> None:
    source = taken(tmp_path, trace=trace() | {"turnCount": 4})
    (lost,) = [one for one in source.wave.lost if "turns of a trace" in one.reason]
    assert lost.count == 3


def test_the_published_verdict_stands_in_where_roles_are_not_exported(tmp_path: Path) -> None:
    row = session_row()
    del row["observations"]
    source = taken(tmp_path, sessions=page(row))
    facts = facts_of(source)
    assert facts.disposition is Disposition.GOAL_MET
    assert [one.criterion_id for one in facts.criteria] == ["published-verdict"]
    (record,) = of(source, Criteria)
    assert record.inferred == {"passed": "the verdict that the service published"}


def test_without_roles_and_verdict_nothing_is_established(tmp_path: Path) -> None:
    source = taken(tmp_path, sessions=page(bare_row()))
    facts = facts_of(source)
    assert facts.verdict.verdict == "notEstablished"
    assert facts.disposition is Disposition.NOT_MEASURED
    assert of(source, GoalJudge)[0].passed


def test_without_a_rubric_the_judge_decides(tmp_path: Path) -> None:
    refusal = {"code": "NOT_FOUND", "message": "This run has no rubric"}
    source = taken(tmp_path, sessions=page(bare_row()), scorecard=refusal)
    assert facts_of(source).verdict.reason is SessionVerdictReason.JUDGE_PASSED
    # Where nobody asked for the scorecard, nothing is known of the rubric.
    other = taken(tmp_path / "b", sessions=page(bare_row()), scorecard=None)
    assert facts_of(other).verdict.verdict == "notEstablished"


def test_a_judge_beside_required_checks_decides_where_it_was_heard(tmp_path: Path) -> None:
    row = session_row(goalScore={"status": "completed", "passed": False, "reason": "No."})
    row["verdict"] |= {"verdict": "failed", "reason": "judgeFailed"}
    row["verdict"]["graders"]["judge"] = "scored"
    source = taken(tmp_path, sessions=page(row))
    assert source.plan.runs[0].judge is not None
    assert facts_of(source).verdict.reason is SessionVerdictReason.JUDGE_FAILED


@pytest.mark.parametrize("code", ["FORBIDDEN", "INTERNAL_ERROR"])
def test_an_answer_that_could_not_be_read_is_said(tmp_path: Path, code: str) -> None:
    source = taken(tmp_path, trace={"error": {"code": code, "message": "No."}})
    (problem,) = problems(source)
    assert (problem.rule, problem.file) == (
        "source-unreadable",
        f"sessions/{DOCUMENT}/trace.1.json",
    )
    assert code in problem.what


def test_two_refusals_of_equal_bytes_are_no_copies(tmp_path: Path) -> None:
    refusal = {"code": "NOT_FOUND", "message": "None."}
    source = taken(tmp_path, trace=refusal, **{"wave-insights": refusal})
    assert not any("same bytes" in one.reason for one in source.wave.lost)
    assert facts_of(source).disposition is Disposition.GOAL_MET


def test_what_the_service_says_of_tools_is_its_word(tmp_path: Path) -> None:
    readiness = {
        "status": "partial",
        "advertisedToolsKnown": True,
        "advertisedToolCount": 3,
        "hallucinatedTools": ["burn_book"],
    }
    source = taken(tmp_path, sessions=page(session_row(readiness=readiness)))
    (notice,) = of(source, SessionNotice)
    assert "burn_book" in notice.message
    assert Signal.HALLUCINATED_TOOL in facts_of(source).signals_not_evaluated


@pytest.mark.parametrize(
    ("insights", "said"),
    [
        (None, "No insights were saved"),
        ({"journeyFindingsJob": {"status": "pending"}}, "job is pending"),
        ({}, "hold no findings document"),
    ],
)
def test_no_document_is_not_no_findings(tmp_path: Path, insights: Any, said: str) -> None:
    more = {} if insights is None else {"insights": envelope(**insights)}
    (problem,) = taken(tmp_path, **more).wave.problems
    assert (problem.rule, problem.severity) == ("published-findings-missing", "note")
    assert said in problem.what


def envelope(**more: Any) -> dict[str, Any]:
    return {
        "schemaVersion": 1,
        "scope": {"kind": "swarm_wave", "id": "wave-1"},
        "status": "completed",
        "updatedAt": 5,
        "findings": [],
        **more,
    }


def test_the_newest_findings_document_is_kept_as_published(tmp_path: Path) -> None:
    run = goal_run(insights=envelope(journeyFindings={"generatedAt": 1}))
    other = envelope(journeyFindings={"generatedAt": 2}, journeyFindingsJob={"status": "completed"})
    source = taken(tmp_path, run=run, insights=other)
    published = source.manifest.published
    assert published is not None
    assert published["findings"] == {"generatedAt": 2}
    assert published["findingsJob"] == {"status": "completed"}
    assert "journeyFindings" not in published["insights"]
    assert any("differ from run to run" in one for one in losses(source, "disagreement"))


def test_insights_of_something_else_are_left_out(tmp_path: Path) -> None:
    other = envelope(scope={"kind": "eval_run", "id": "x"}, journeyFindings={"generatedAt": 2})
    source = taken(tmp_path, insights=other)
    assert "findings" not in (source.manifest.published or {})
    assert [one.rule for one in problems(source)] == ["insights-of-another-kind"]


def test_decisions_are_one_a_run_and_reports_stay_as_they_are(tmp_path: Path) -> None:
    decided = {"status": "decided", "decision": {"verdict": "failed", "reasons": []}}
    run = goal_run(verdictSummary=decided, report={"runId": RUN, "observations": []})
    published = taken(tmp_path, run=run).manifest.published
    assert published is not None
    assert published["decision"] == [
        {"verdict": "failed", "reasons": [], "runId": RUN, "status": "decided"}
    ]
    assert published["report"] == [{"runId": RUN, "observations": []}]


def test_only_tracked_findings_of_this_wave_are_kept(tmp_path: Path) -> None:
    tracked = [
        {"fingerprint": name, "occurrenceCount": 1, "lastSeenWaveId": wave}
        for name, wave in (("a", "wave-1"), ("b", "wave-0"))
    ]
    published = taken(tmp_path, **{"tracked-findings.1": page(*tracked)}).manifest.published
    assert published is not None
    assert [one["fingerprint"] for one in published["trackedFindings"]] == ["a"]


def test_a_run_known_from_a_list_alone_has_unknown_slots(tmp_path: Path) -> None:
    listed = goal_run()
    del listed["attempts"]
    folder = save(tmp_path, run=None, **{"journey-runs.goal-lend.1": page(listed)})
    wave = ImportedWave(identify(folder))
    list(wave.sessions())
    manifest = wave.manifest()
    assert (manifest.slots, manifest.runs[0].sessions_per_target) == ([], 2)
    assert {one.rule for one in wave.problems} >= {"source-run-listed-only"}


def test_a_run_known_from_the_overview_alone(tmp_path: Path) -> None:
    overview = {
        "runsConsidered": 1,
        "runs": [
            {
                "runId": "run-seen",
                "journeyId": "goal-gone",
                "journeyName": "Gone goal",
                "journeyArchived": True,
                "personaName": "Otto",
                "status": "completed",
                "summary": {"total": 3},
                "targets": [{"environmentName": "Staging", "hostName": "Desk", "modelId": "m"}],
                "waveId": "wave-1",
            }
        ],
    }
    source = save(tmp_path, overview=overview)
    wave = ImportedWave(identify(source))
    list(wave.sessions())
    manifest = wave.manifest()
    run = next(one for one in manifest.runs if one.run_id == "run-seen")
    assert (run.persona_name, run.sessions_per_target) == ("Otto", 3)
    goal = next(one for one in manifest.goals if one.journey_ref_id == "goal-gone")
    assert (goal.title, goal.archived) == ("Gone goal", True)


def test_later_rows_of_one_id_count_and_are_said(tmp_path: Path) -> None:
    rows = page(session_row(messageCount=3), session_row(messageCount=4))
    source = taken(tmp_path, sessions=rows)
    assert source.slot(CHAT).message_count == 4
    assert losses(source, "repeated") == ["rows of one id; the later one counts"]


def test_disagreements_are_counted(tmp_path: Path) -> None:
    run = goal_run(canceled=True, error="stale_runner")
    run["summary"]["total"] = 4
    source = save(tmp_path, run=run, sessions=page(session_row(outcome="failed")))
    wave = ImportedWave(identify(source))
    list(wave.sessions())
    assert len([one for one in wave.lost if one.kind == "disagreement"]) == 4


def test_what_the_user_states_of_files_is_not_used(tmp_path: Path) -> None:
    source = take(save(tmp_path), mapping_of_options("Somebody"))
    assert source.plan.personas[0].name == "Rita"
    assert any("mapping is not used" in one for one in losses(source, "noPlace"))


def test_files_that_are_no_answers_are_named(tmp_path: Path) -> None:
    source = taken(
        tmp_path, odd={"a": 1}, **{"otlp.1": {"resourceSpans": []}}, list=[1], broken="{"
    )
    said = {one.place.split(":")[0]: one.reason for one in source.wave.lost}
    assert "no document of this service" in said["odd.json"]
    assert "OpenTelemetry" in said["otlp.1.json"]
    assert "no importer knows" in said["list.json"]
    assert any(one.rule == "source-file-broken" for one in source.wave.problems)
    assert facts_of(source).disposition is Disposition.GOAL_MET


def test_transcripts_of_nobody_are_counted(tmp_path: Path) -> None:
    stray = talk(("user", "Hi.")) | {"sessionId": "nobody"}
    source = taken(tmp_path, sessions__nobody__detail=stray)
    assert "transcripts of sessions that no run lists" in losses(source, "unmatched")


@pytest.mark.parametrize(
    ("name", "body", "kind"),
    [
        ("x", {"code": "A", "message": "b"}, "error"),
        ("x", {"error": {"code": "A", "message": "b"}}, "error"),
        ("x", {"code": "A", "message": "b", "id": 1}, "unknown"),
        ("x", {"traceVersion": 1, "turns": []}, "trace"),
        ("x", {"sessionId": "a", "messages": []}, "detail"),
        ("x", {"waveId": "w", "insights": None, "discovery": None}, "waveInsights"),
        ("x", {"runs": [], "runsConsidered": 0}, "overview"),
        ("x", {"contractVersion": 1, "findings": 0, "population": 0, "summaryKind": 0}, "findings"),
        ("x", {"resourceSpans": []}, "otlp"),
        ("x", {"items": [{"hostConfigId": 1}]}, "hosts"),
        ("deep/goal-runs.a.1.json", {"items": []}, "runs"),
        ("sessions-feed.1.json", {"items": []}, "feed"),
        ("x", {"items": []}, "unknown"),
        ("x", {"items": [7]}, "unknown"),
    ],
)
def test_a_document_is_told_by_its_content(name: str, body: Any, kind: str) -> None:
    assert kind_of(body, name) == kind


def test_what_is_not_wrapped_stays_as_it_is() -> None:
    body = {"project": "p", "run": {}, "swarm": {}}
    assert unwrapped(body) is body
    assert unwrapped({"project": "p", "run": 7}) == {"project": "p", "run": 7}


def test_every_file_of_the_export_belongs_to_it(tmp_path: Path) -> None:
    found = identify(save(tmp_path))
    assert found.importer.name == "mcpjam-export"
    assert len(found.files) == len(export())
    assert found.lost == ()
    assert USUAL["messageCount"] == 4


def test_traces_of_the_service_beside_it_are_no_second_format(tmp_path: Path) -> None:
    span_ = {"traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": "b7ad6b7169203331"}
    otlp = {"resourceSpans": [{"scopeSpans": [{"spans": [span_ | {"name": "chat m"}]}]}]}
    found = identify(save(tmp_path, **{"otlp.1": otlp}))
    assert (found.importer.name, found.lost) == ("mcpjam-export", ())


def test_a_run_saved_twice_counts_once(tmp_path: Path) -> None:
    source = taken(tmp_path, again=goal_run())
    assert len(source.plan.runs) == 1
    assert losses(source, "repeated") == ["runs of one id in several files; the last one counts"]


def test_rows_that_do_not_name_their_run_are_joined_by_their_attempt(tmp_path: Path) -> None:
    source = taken(tmp_path, sessions=page(session_row(runId=None)))
    assert source.slot(CHAT).document_id == DOCUMENT
    assert facts_of(source).disposition is Disposition.GOAL_MET
    other = taken(tmp_path / "b", sessions=page(session_row(runId="another")))
    assert facts_of(other).disposition is Disposition.GOAL_MET
    assert any("the run that claims it" in one for one in losses(other, "disagreement"))


def test_without_its_row_a_session_is_known_by_the_feed_or_by_its_transcript(
    tmp_path: Path,
) -> None:
    source = taken(tmp_path / "a", sessions=None)
    assert source.slot(CHAT).document_id == DOCUMENT
    assert len(of(source, Message)) == 4
    assert facts_of(source).disposition is Disposition.NOT_MEASURED
    feed = {"id": DOCUMENT, "sourceType": "swarm", "chatSessionId": CHAT, "messageCount": 7}
    fed = taken(tmp_path / "b", sessions=None, detail=None, **{"sessions-feed.1": page(feed)})
    assert fed.slot(CHAT).message_count == 7
    # What is no session of the wave's runs stays out of it.
    stray = page({**feed, "chatSessionId": "x", "id": "y"})
    other = taken(tmp_path / "c", **{"sessions-feed.1": stray})
    assert problems(other) == []
