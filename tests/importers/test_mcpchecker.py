"""Eval runs of an MCP server: every trap of the format with a small input of our own."""

import json
from pathlib import Path
from typing import Any

import pytest
from imported import SAMPLES, Taken, take, write

from reporter.derive.session import derive_session
from reporter.importers.mapping import mapping_of_options
from reporter.importers.mcpchecker_outcome import VERIFIED
from reporter.models.facts import SessionFacts
from reporter.models.records import (
    CatalogRecord,
    Connection,
    Criteria,
    ErrorRecord,
    GoalJudge,
    Message,
    SessionNotice,
    StepFinish,
    ToolCall,
    ToolResult,
)
from reporter.pipeline.options import Options
from reporter.pipeline.source import ForeignSource, open_source
from reporter.recording.reader import open_wave
from reporter.recording.recorder import write_wave
from reporter.vocabulary import Disposition, FrictionReason, Signal, Stage, StageState

Json = dict[str, Any]
OK: Json = {"Steps": [{"type": "script", "success": True}], "Success": True, "Error": ""}
MISSED: Json = {"Steps": [None], "Success": False, "Error": "exit status 1"}


def proxied(name: str = "find_book", at: str | None = "2026-08-17T09:00:00Z", **more: Any) -> Json:
    """One call as the proxy recorded it."""
    return {
        "serverName": "library",
        "timestamp": at,
        "success": True,
        "name": name,
        "result": {"content": [{"type": "text", "text": "shelf 3"}]},
        "request": {"Params": {"name": name, "arguments": {"title": "Atlas"}}},
        **more,
    }


def listed(call: Json, **more: Any) -> Json:
    """The same call in the agent's own list."""
    return {
        "title": call["name"],
        "status": "completed",
        "rawInput": call["request"]["Params"]["arguments"],
        "rawOutput": json.dumps(call.get("result")),
        **more,
    }


def agent(*steps: Json | str, **more: Any) -> Json:
    """The agent's side: calls and words, each told in three places."""
    calls = [step for step in steps if isinstance(step, dict)]
    return {
        "Steps": [
            {"type": "message", "success": True, "message": step}
            if isinstance(step, str)
            else {"type": "tool_call", "success": True, "message": step["title"]}
            for step in steps
        ],
        "Success": True,
        "Error": "",
        "agentDetails": {
            "toolCalls": calls or None,
            "outputSteps": [
                {"type": "message", "content": step}
                if isinstance(step, str)
                else {"type": "tool_call", "content": "", "toolCall": step}
                for step in steps
            ],
        },
        **more,
    }


def result(*calls: Json, **more: Any) -> Json:
    return {
        "taskName": "lend-atlas",
        "taskPath": "tasks/lend.yaml",
        "taskPassed": True,
        "taskOutput": "Lent.",
        "difficulty": "easy",
        "totalRuns": 1,
        "assertionResults": {"maxToolCalls": {"passed": True}},
        "allAssertionsPassed": True,
        "callHistory": {
            "ToolCalls": list(calls) or None,
            "ResourceReads": None,
            "PromptGets": None,
        },
        "setupOutput": OK,
        "agentOutput": agent(*(listed(call) for call in calls), "Lent."),
        "verifyOutput": OK,
        **more,
    }


def run(*results: Any, **more: Any) -> Json:
    tools = [{"name": "find_book", "inputSchema": {}}, {"name": "lend_book", "inputSchema": {}}]
    return {
        "summary": {
            "agent": {"type": "file", "name": "agent", "model": "maker:model-1"},
            "mcpServers": [{"name": "library", "type": "http", "tools": tools}],
            "evals": {"names": ["lend-atlas"]},
            "runs": 1,
            **more,
        },
        "results": list(results),
    }


def taken(folder: Path, *results: Any, **summary: Any) -> Taken:
    return take(write(folder / "run.json", run(*results, **summary)))


def facts_of(source: Taken, session_id: str = "run.lend-atlas") -> SessionFacts:
    return derive_session(source.contexts[session_id], source.recordings[session_id])


def of(source: Taken, kind: type, session_id: str = "run.lend-atlas") -> list[Any]:
    return [one for one in source.recordings[session_id].records if isinstance(one, kind)]


def reasons(source: Taken) -> list[tuple[str | None, str, int | None]]:
    return [(lost.kind, lost.reason, lost.count) for lost in source.wave.lost]


@pytest.fixture(scope="module")
def sample() -> Taken:
    return take(SAMPLES / "eval_run.json")


def test_a_call_recorded_four_times_is_one_call(sample: Taken) -> None:
    calls = of(sample, ToolCall, "eval_run.lend-atlas")
    assert [(call.tool_name, call.server_id) for call in calls] == [
        ("find_book", "library"),
        ("lend_book", "library"),
        ("lend_book", "library"),
    ]
    assert len(of(sample, ToolResult, "eval_run.lend-atlas")) == 3


def test_success_says_only_that_the_transport_worked(sample: Taken) -> None:
    flags = [one.is_error for one in of(sample, ToolResult, "eval_run.lend-atlas")]
    assert flags == [None, True, None]
    facts = facts_of(sample, "eval_run.lend-atlas")
    assert [call.error for call in facts.tool_calls] == [None, "isError", None]
    assert not any("success" in lost.reason for lost in sample.wave.lost)


def test_times_of_nanoseconds_are_points_in_time(sample: Taken) -> None:
    assert [call.at for call in of(sample, ToolCall, "eval_run.lend-atlas")] == [
        1_786_960_364_464,
        1_786_960_365_500,
        1_786_960_366_000,
    ]


@pytest.mark.parametrize(
    "at",
    ["0001-01-01T00:00:00Z", "2026-08-17T09:00:00", "soon", "", None, 5, "2026-13-01T00:00:00Z"],
)
def test_what_is_no_point_in_time_is_none(tmp_path: Path, at: Any) -> None:
    (call,) = of(taken(tmp_path, result(proxied(at=at))), ToolCall)
    assert call.at is None


def test_calls_of_several_servers_stand_in_the_order_of_their_times(tmp_path: Path) -> None:
    late = proxied("lend_book", "2026-08-17T09:00:00.20000001Z")
    early = proxied("find_book", "2026-08-17T09:00:00.2Z", serverName="desk")
    two = [
        {"name": name, "type": "http", "tools": [{"name": tool}]}
        for name, tool in (("library", "lend_book"), ("desk", "find_book"))
    ]
    source = taken(tmp_path, result(late, early), mcpServers=two)
    assert [call.tool_name for call in of(source, ToolCall)] == ["find_book", "lend_book"]
    target = source.contexts["run.lend-atlas"].target
    assert (target.label, target.server_names) == ("library + desk", ["library", "desk"])
    assert facts_of(source).catalog_tools == frozenset({"find_book", "lend_book"})


def test_who_and_what_against(sample: Taken) -> None:
    context = sample.contexts["eval_run.lend-atlas"]
    assert context.persona.name == "no persona recorded"
    assert (context.goal.journey_ref_id, context.goal.title) == ("task-lend-atlas", "lend-atlas")
    assert context.goal.goal is None
    assert (context.target.label, context.target.model_id) == ("library", "maker:model-1")
    assert context.run.max_turns is None
    assert sample.slot("eval_run.lend-atlas").document_id == "MCPSESSION1"


def test_nobody_is_given_words_that_were_not_recorded(sample: Taken) -> None:
    (message,) = of(sample, Message, "eval_run.lend-atlas")
    assert (message.role, message.turn_index, message.content) == (
        "assistant",
        0,
        "The atlas is lent.",
    )
    facts = facts_of(sample, "eval_run.lend-atlas")
    assert (facts.turns, facts.turns_used, facts.first_words) == (0, 1, None)
    assert facts.signals_not_evaluated == (Signal.OUTPUT_TRUNCATED, Signal.TURN_CAP_REACHED)


def test_a_pass_with_a_failed_assertion_keeps_both(sample: Taken) -> None:
    facts = facts_of(sample, "eval_run.lend-atlas")
    assert [(one.criterion_id, one.role, one.outcome, one.reason) for one in facts.criteria] == [
        ("taskPassed", "required", "passed", "the verification passed"),
        (
            "assertion.maxToolCalls",
            "advisory",
            "failed",
            "Too many tool calls: expected <= 2, got 3",
        ),
        ("assertion.toolsUsed", "advisory", "passed", None),
    ]
    assert facts.verdict.verdict == "passed"
    assert facts.disposition is Disposition.GOAL_MET_WITH_FRICTION
    assert FrictionReason.ADVISORY_FAILED in facts.friction


def test_a_judge_is_kept_with_its_tokens_and_does_not_decide(sample: Taken) -> None:
    (judge,) = of(sample, GoalJudge, "eval_run.lend-atlas")
    assert (judge.status, judge.passed, judge.model) == ("completed", True, "judge-1")
    assert judge.reason == "The reply names the atlas."
    assert judge.model_extra["judgeTokenUsage"]["totalTokens"] == 7
    assert facts_of(sample, "eval_run.lend-atlas").verdict.verdict_source == "requiredAssertions"
    (step,) = of(sample, StepFinish, "eval_run.lend-atlas")
    assert (step.usage.total_tokens, step.finish_reason, step.inferred) == (120, None, None)


@pytest.mark.parametrize(
    ("more", "status", "passed", "rule"),
    [
        ({"taskJudgeReason": "Good."}, "completed", True, "the task passed"),
        ({"taskJudgeReason": "Bad.", "taskPassed": False}, None, None, None),
        ({"taskJudgeError": "no answer"}, "failed", None, None),
        (
            {"verifyOutput": {"Steps": [{"type": "llmJudge", "success": False, "error": "gone"}]}},
            "failed",
            None,
            None,
        ),
    ],
)
def test_a_judge_says_only_what_it_said(
    tmp_path: Path, more: Json, status: str | None, passed: bool | None, rule: str | None
) -> None:
    judges = of(taken(tmp_path, result(**more)), GoalJudge)
    assert [(one.status, one.passed) for one in judges] == (
        [] if status is None else [(status, passed)]
    )
    if rule is not None:
        assert judges[0].inferred["passed"].startswith(rule)


def test_a_failed_set_up_never_ran_and_says_why(sample: Taken) -> None:
    facts = facts_of(sample, "eval_run.fix-shelf")
    assert facts.disposition is Disposition.NOT_RUN
    assert (facts.never_ran, facts.started, facts.chain) == (True, False, None)
    assert facts.attempt is not None
    assert facts.attempt.error_code == "setup_failed"
    assert "exit status 1" in (facts.attempt.error_message or "")
    assert of(sample, Criteria, "eval_run.fix-shelf") == []
    (error,) = of(sample, ErrorRecord, "eval_run.fix-shelf")
    assert error.message.startswith("failed to setup task")


@pytest.mark.parametrize(
    "error",
    [
        "failed to create mcp manager: refused",
        "failed to register extension x: y",
        "task exceeded timeout of 5m during setup",
    ],
)
def test_what_fails_before_the_agent_is_no_finding_about_a_server(
    tmp_path: Path, error: str
) -> None:
    bare = {"taskName": "lend-atlas", "taskPath": "x", "taskPassed": False, "taskError": error}
    facts = facts_of(taken(tmp_path, bare))
    assert facts.disposition is Disposition.NOT_RUN
    assert facts.attempt is not None
    assert (facts.attempt.status, facts.attempt.error_code) == ("failed", "setup_failed")


def test_a_verification_that_failed_was_made(tmp_path: Path) -> None:
    missed = result(
        proxied(), taskPassed=False, taskError="verification failed: exit 1", verifyOutput=MISSED
    )
    facts = facts_of(taken(tmp_path, missed))
    assert (facts.started, facts.disposition) == (True, Disposition.GOAL_MISSED)
    assert facts.criteria[0].reason == "verification failed: exit 1"
    assert facts.attempt is not None
    assert facts.attempt.status == "succeeded"


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"agentExecutionError": True, "taskError": "failed to run agent: boom"}, "agent_failed"),
        ({"timedOut": True, "taskError": "task exceeded timeout of 5m"}, "task_timeout"),
        ({"agentOutput": agent("Hm.", Success=False, Error="boom")}, "agent_failed"),
        ({"taskError": "the agent's key was refused"}, "task_failed"),
    ],
)
def test_an_agent_that_broke_off_was_not_judged(tmp_path: Path, more: Json, code: str) -> None:
    broken = result(proxied(), taskPassed=False, verifyOutput=None, **more)
    facts = facts_of(taken(tmp_path, broken))
    assert facts.attempt is not None
    assert (facts.attempt.status, facts.attempt.error_code) == ("failed", code)
    assert facts.criteria[0].outcome == "error"
    assert facts.disposition is Disposition.NOT_MEASURED


def test_a_started_agent_without_a_word_is_a_transcript_that_is_missing(tmp_path: Path) -> None:
    silent = result(
        proxied(), taskOutput="", agentOutput={"Steps": None, "Success": True, "Error": ""}
    )
    source = taken(tmp_path, silent)
    assert source.slot("run.lend-atlas").message_count == 1
    assert source.slot("run.lend-atlas").inferred is not None
    facts = facts_of(source)
    assert (facts.started, facts.started_by, facts.is_read) == (True, "lost", False)
    assert len(facts.tool_calls) == 1


def test_calls_that_only_the_agent_lists_are_counted_and_named(sample: Taken) -> None:
    (notice,) = of(sample, SessionNotice, "eval_run.lend-atlas")
    assert "did not see: 1 (find_book)" in notice.message
    (lost,) = [lost for lost in sample.wave.lost if lost.kind == "unmatched"]
    assert lost.count == 1


def test_the_one_with_an_answer_is_the_call_that_the_proxy_saw(tmp_path: Path) -> None:
    call = proxied()
    steps = agent("First.", listed(call, rawOutput=""), "Second.", listed(call), "Third.")
    source = taken(tmp_path, result(call, agentOutput=steps))
    kinds = [
        one.content if isinstance(one, Message) else one.type
        for one in source.recordings["run.lend-atlas"].records
        if isinstance(one, Message | ToolCall)
    ]
    assert kinds == ["First.", "Second.", "tool_call", "Third."]


def test_where_the_agents_account_is_short_the_reply_still_comes_last(tmp_path: Path) -> None:
    calls = [proxied(at=f"2026-08-17T09:00:0{n}Z") for n in range(3)]
    source = taken(tmp_path, result(*calls, agentOutput=None))
    records = source.recordings["run.lend-atlas"].records
    assert [one.type for one in records if isinstance(one, ToolCall | Message)] == [
        "tool_call",
        "tool_call",
        "tool_call",
        "message",
    ]
    assert [one.seq for one in records] == list(range(len(records)))


def test_titles_with_the_server_before_the_tool_are_joined(tmp_path: Path) -> None:
    call = proxied()
    steps = agent(listed(call, title="mcp__library__find_book"), "Lent.")
    source = taken(tmp_path, result(call, agentOutput=steps))
    assert not any(lost.kind == "unmatched" for lost in source.wave.lost)
    assert facts_of(source).catalog_complete


def test_an_unseen_call_of_an_unknown_name_leaves_missing_tools_open(tmp_path: Path) -> None:
    call = proxied()
    steps = agent(listed(call), listed(call, title="Read the file", rawInput={}), "Lent.")
    facts = facts_of(taken(tmp_path, result(call, agentOutput=steps)))
    assert Signal.HALLUCINATED_TOOL in facts.signals_not_evaluated
    assert facts.hallucinated_tools == ()


@pytest.mark.parametrize("history", [None, {}, {"ToolCalls": None}, {"ToolCalls": []}])
def test_without_a_history_the_agents_own_calls_count_without_a_result(
    tmp_path: Path, history: Any
) -> None:
    steps = agent(listed(proxied(), rawOutput=""), "Lent.")
    source = taken(tmp_path, result(callHistory=history, agentOutput=steps))
    (call,) = of(source, ToolCall)
    assert call.tool_name == "find_book"
    assert "agent's own list" in call.inferred["toolName"]
    facts = facts_of(source)
    assert [one.error for one in facts.tool_calls] == ["noResult"]
    assert facts.signals == ()


def test_a_session_without_any_call_used_no_tool(tmp_path: Path) -> None:
    facts = facts_of(taken(tmp_path, result()))
    assert facts.signal_key is Signal.NO_TOOL_CALLED
    assert facts.chain is not None
    # Nothing shows that this session reached the server or listed its tools.
    assert [facts.chain.row(stage).state for stage in (Stage.CONNECTION, Stage.DISCOVERY)] == [
        StageState.NOT_MEASURED,
        StageState.NOT_MEASURED,
    ]
    assert facts.catalog_complete


def test_a_tool_that_no_server_lists_is_found(tmp_path: Path) -> None:
    facts = facts_of(taken(tmp_path, result(proxied("burn_book"))))
    assert facts.hallucinated_tools == ("burn_book",)
    assert facts.signal_key is Signal.HALLUCINATED_TOOL


@pytest.mark.parametrize(
    "servers",
    [
        [{"name": "library", "type": "http"}],
        [{"name": "library", "type": "http", "tools": None}],
        [{"name": "a", "tools": [{"name": "find_book"}], "type": "http"}, {"name": "b"}],
        [{"name": "library", "type": "http", "tools": [{"name": "find_book"}, {"title": "?"}]}],
    ],
)
def test_a_list_of_tools_that_is_not_whole_decides_nothing(tmp_path: Path, servers: Any) -> None:
    facts = facts_of(taken(tmp_path, result(proxied("burn_book")), mcpServers=servers))
    assert not facts.catalog_complete
    assert facts.hallucinated_tools == ()


def test_the_catalogue_is_said_once_and_named_by_the_sessions(sample: Taken) -> None:
    catalogs = sample.manifest.catalogs
    assert catalogs is not None
    (entry,) = catalogs
    assert [tool.name for tool in entry.tools or ()] == ["find_book", "lend_book"]
    (record,) = of(sample, CatalogRecord, "eval_run.lend-atlas")
    assert (record.catalog_id, record.tools, record.complete) == (entry.catalog_id, None, True)
    assert record.inferred == {"tools": "listed once for the whole run, not in this session"}


def test_headers_show_a_connection_and_nothing_else_of_them_is_kept(sample: Taken) -> None:
    (record,) = of(sample, Connection, "eval_run.lend-atlas")
    assert (record.phase, record.outcome, record.server_name) == ("initialize", "ok", "library")
    assert record.inferred is not None
    assert record.model_extra == {"protocolVersion": "2025-11-25"}
    assert facts_of(sample, "eval_run.lend-atlas").connection == "ok"


def test_a_bearer_token_in_a_header_goes_nowhere(tmp_path: Path) -> None:
    call = proxied()
    call["request"]["Extra"] = {"Header": {"Authorization": ["Bearer abcdef0123456789"]}}
    source = taken(tmp_path, result(call))
    assert of(source, Connection) == []
    records = source.recordings["run.lend-atlas"].records
    assert not any("abcdef0123456789" in one.model_dump_json() for one in records)


def test_a_transport_that_failed_is_an_error_with_its_words(tmp_path: Path) -> None:
    broken = proxied(success=False, error='calling "tools/call": EOF', result=None)
    wordless = proxied("lend_book", success=False, result=None)
    results = of(taken(tmp_path, result(broken, wordless)), ToolResult)
    assert [(one.error, one.is_error, one.inferred) for one in results] == [
        ('calling "tools/call": EOF', None, None),
        (None, True, {"isError": "success is false"}),
    ]


def test_resources_and_prompts_are_named_and_are_no_tool_calls(tmp_path: Path) -> None:
    history = {
        "ToolCalls": None,
        "ResourceReads": [{"serverName": "library", "uri": "book://7", "success": True}],
        "PromptGets": [{"serverName": "library", "name": "greet", "success": False, "error": "no"}],
    }
    source = taken(tmp_path, result(callHistory=history))
    assert [(one.kind, one.message) for one in of(source, SessionNotice)] == [
        ("resource_read", "book://7 of library answered"),
        ("prompt_get", "greet of library failed: no"),
    ]
    assert of(source, ToolCall) == []
    assert [count for kind, reason, count in reasons(source) if "shown as notices" in reason] == [
        1,
        1,
    ]


@pytest.mark.parametrize(
    ("estimate", "usage"),
    [
        ({"inputTokens": 0, "outputTokens": 0, "totalTokens": 0}, None),
        ({"inputTokens": 5, "outputTokens": 6, "totalTokens": 11, "source": "actual"}, None),
        ({"inputTokens": 5, "outputTokens": 6, "source": "estimated"}, "source estimated"),
        ({"inputTokens": 5, "outputTokens": 6}, "source not recorded"),
        (None, None),
    ],
)
def test_tokens_say_where_they_come_from(tmp_path: Path, estimate: Any, usage: str | None) -> None:
    steps = of(taken(tmp_path, result(tokenEstimate=estimate)), StepFinish)
    if not estimate or not estimate["inputTokens"]:
        assert steps == []
        return
    assert steps[0].usage.input_tokens == 5
    assert steps[0].inferred == (None if usage is None else {"usage": f"tokenEstimate, {usage}"})


def test_disagreements_are_counted(tmp_path: Path) -> None:
    call = proxied()
    call["request"]["Params"]["name"] = "other"
    odd = result(
        call,
        allAssertionsPassed=False,
        tokenEstimate={"inputTokens": 5, "outputTokens": 5, "totalTokens": 9, "source": "actual"},
    )
    found = [reason for kind, reason, _ in reasons(taken(tmp_path, odd)) if kind == "disagreement"]
    assert len(found) == 3


def test_a_total_that_holds_more_than_its_parts_contradicts_nothing(tmp_path: Path) -> None:
    cached = result(
        tokenEstimate={"inputTokens": 5, "outputTokens": 5, "totalTokens": 99, "source": "actual"},
    )
    found = [kind for kind, reason, _ in reasons(taken(tmp_path, cached)) if "totalTok" in reason]
    assert found == ["noPlace"]


def test_what_was_planned_and_has_no_result_was_not_recorded(sample: Taken) -> None:
    slot = sample.slot("eval_run.never-run")
    assert (slot.recorded, slot.attempt, slot.message_count) == (False, None, None)
    assert len(sample.manifest.slots) == 3


def test_repeated_and_parallel_runs_keep_their_number(tmp_path: Path) -> None:
    results = [
        result(runIndex=2, totalRuns=4, parallel=True),
        result(totalRuns=4, parallel=True),
        result(runIndex=1, totalRuns=4, parallel=True),
    ]
    source = taken(tmp_path, *results, runs=4)
    (planned,) = source.manifest.runs
    assert planned.sessions_per_target == 4
    assert [
        (slot.session_id, slot.session_index, slot.recorded) for slot in source.manifest.slots
    ] == [
        ("run.lend-atlas.0", 0, True),
        ("run.lend-atlas.1", 1, True),
        ("run.lend-atlas.2", 2, True),
        ("run.lend-atlas.3", 3, False),
    ]


def test_one_task_in_three_files_is_one_goal_tried_three_times(tmp_path: Path) -> None:
    for name, tools in (("a", ["find_book"]), ("b", ["find_book", "burn_book"]), ("c", [])):
        servers = [{"name": "library", "type": "http", "tools": [{"name": tool} for tool in tools]}]
        write(tmp_path / f"{name}.json", run(result(proxied("burn_book")), mcpServers=servers))
    source = take(tmp_path)
    plan = source.manifest
    assert (len(plan.goals), len(plan.targets), len(plan.runs)) == (1, 1, 1)
    assert plan.runs[0].sessions_per_target == 3
    # Each file's own tools judge its session.
    found = {own: facts_of(source, own).hallucinated_tools for own in source.recordings}
    assert found == {
        "a.lend-atlas": ("burn_book",),
        "b.lend-atlas": (),
        "c.lend-atlas": ("burn_book",),
    }


def test_a_set_up_that_failed_stands_in_the_run_of_its_task(tmp_path: Path) -> None:
    failed = result(
        runIndex=0,
        totalRuns=2,
        assertionResults=None,
        agentOutput=None,
        callHistory=None,
        verifyOutput=None,
        setupOutput=MISSED,
        taskOutput="",
        taskPassed=False,
        taskError="failed to setup task: x",
    )
    source = taken(tmp_path, failed, result(runIndex=1, totalRuns=2), runs=2)
    assert len(source.manifest.runs) == 1
    assert [one.id for one in source.manifest.runs[0].rubric] == [
        VERIFIED.id,
        "assertion.maxToolCalls",
    ]


def test_older_files_are_the_results_alone(tmp_path: Path) -> None:
    old = {
        key: value
        for key, value in result(proxied()).items()
        if not key.endswith("Output") or key == "taskOutput"
    }
    source = take(write(tmp_path / "old.json", [old]))
    facts = facts_of(source, "old.lend-atlas")
    assert facts.disposition is Disposition.GOAL_MET
    target = source.contexts["old.lend-atlas"].target
    assert (target.label, target.model_id) == ("library", None)
    assert target.inferred is not None
    assert target.inferred["label"] == "servers that the calls name"
    assert not facts.catalog_complete


def test_one_bad_result_never_stops_the_others(tmp_path: Path) -> None:
    histories: list[Any] = [[], {"ToolCalls": [{"name": 5}]}, {"ToolCalls": [7]}]
    bad = [7, {"taskName": ""}, *(result(callHistory=history) for history in histories)]
    source = taken(tmp_path, *bad, result(taskName="other"))
    assert facts_of(source, "run.other").disposition is Disposition.GOAL_MET
    assert [problem.place for problem in source.wave.problems] == [
        "results[0]",
        "results[1].taskName",
    ]
    broken = [one for one in source.recordings.values() if one.damaged]
    assert [(one.records, one.problems[0].place) for one in broken] == [
        ((), "results[2].callHistory"),
        ((), "results[3].callHistory.ToolCalls[0].name"),
        ((), "results[4].callHistory.ToolCalls[0]"),
    ]


def test_what_is_not_known_is_counted(tmp_path: Path) -> None:
    odd = result(
        agentOutput={
            "Success": True,
            "agentDetails": {
                "outputSteps": [
                    {"type": "dance"},
                    {"type": "thinking", "content": "Hm."},
                    {"type": "message", "content": "Lent."},
                ]
            },
        }
    )
    source = taken(tmp_path, odd, novelty=1)
    found = {reason for kind, reason, _ in reasons(source) if kind in ("unknownType", "noPlace")}
    assert found == {
        'steps of the agent of type "dance", unknown here',
        "thoughts of the agent are no message",
        'members of the summary of type "novelty", unknown here',
    }


def test_arguments_that_are_no_object_stay_on_record(tmp_path: Path) -> None:
    call = proxied()
    call["request"]["Params"]["arguments"] = '{"title": "Atlas"}'
    odd = proxied()
    odd["request"]["Params"]["arguments"] = [1]
    first, second = of(taken(tmp_path, result(call, odd)), ToolCall)
    assert (first.args, first.args_invalid) == ({"title": "Atlas"}, None)
    assert (second.args, second.args_invalid) == ({}, True)
    assert second.model_extra == {"rawArgs": "[1]"}


def test_a_broken_file_says_nothing_of_what_its_rest_may_hold(tmp_path: Path) -> None:
    text = json.dumps(run(result(), evals={"names": ["lend-atlas", "other"]}))
    source = take(write(tmp_path / "run.json", text[:-2]))
    assert [slot.session_id for slot in source.manifest.slots] == ["run.lend-atlas"]
    assert [problem.rule for problem in source.wave.problems] == ["source-file-broken"]
    assert any("not read" in lost.reason for lost in source.wave.lost)
    assert not source.manifest.terminal


def test_a_summary_behind_the_results_is_found(tmp_path: Path) -> None:
    document = run(result(proxied()))
    turned = {"results": document["results"], "summary": document["summary"]}
    source = take(write(tmp_path / "run.json", turned))
    assert source.contexts["run.lend-atlas"].target.label == "library"


def test_what_the_user_states_counts(tmp_path: Path) -> None:
    path = write(tmp_path / "run.json", run(result()))
    source = take(path, mapping_of_options("Ana", "desk", "model-9"))
    context = source.contexts["run.lend-atlas"]
    assert (context.persona.name, context.target.label) == ("Ana", "desk")
    assert context.target.model_id == "model-9"


def test_written_down_and_read_again_the_facts_are_the_same(tmp_path: Path, sample: Taken) -> None:
    source = open_source(SAMPLES / "eval_run.json", Options())
    assert isinstance(source, ForeignSource)
    facts = source.gather().facts
    records = ((own, one.records) for own, one in sample.recordings.items() if one.records)
    write_wave(tmp_path / "wave", sample.manifest, records)
    wave = open_wave(tmp_path / "wave")
    assert wave.problems == ()
    for context, own in zip(wave.plan.contexts(), facts, strict=True):
        again = derive_session(context, wave.read(context.slot.session_id))
        assert (again.disposition, again.signals, again.catalog_complete, again.problems) == (
            own.disposition,
            own.signals,
            own.catalog_complete,
            own.problems,
        )


def test_results_that_name_no_server_ran_against_nobody_knows_what(tmp_path: Path) -> None:
    bare = {key: value for key, value in result().items() if key != "callHistory"}
    source = take(write(tmp_path / "old.json", [bare]))
    assert source.contexts["old.lend-atlas"].target.label == "no target recorded"


def test_the_spelling_of_the_manual_is_read_too(tmp_path: Path) -> None:
    history = {"toolCalls": [{"serverName": "library", "toolName": "find_book"}]}
    (call,) = of(taken(tmp_path, result(callHistory=history)), ToolCall)
    assert (call.tool_name, call.server_id) == ("find_book", "library")


def test_what_judges_a_session_early_is_what_the_plan_holds(sample: Taken) -> None:
    for own, context in sample.contexts.items():
        planned = next(one for one in sample.plan.contexts() if one.slot.session_id == own)
        assert (context.catalog, context.catalogs) == (planned.catalog, planned.catalogs)
