from pathlib import Path
from typing import Any

import pytest
from claude_logs import ClaudeLog
from imported import SAMPLES, Taken, take, write

from reporter.errors import RecordingError
from reporter.importers.atif import Atif
from reporter.importers.mapping import mapping_of_options
from reporter.importers.source import LocalFile, look_at
from reporter.models.records import (
    CatalogRecord,
    Criteria,
    Message,
    SessionNotice,
    StepFinish,
    ToolCall,
    ToolResult,
)

Json = dict[str, Any]

DESK = "11111111-2222-4333-8444-555555555555"


def trajectory(*steps: Json, **more: Any) -> Json:
    return {
        "schema_version": "ATIF-v1.6",
        "session_id": "run-1",
        "agent": {"name": "desk-agent", "version": "2.1", "model_name": "model-large"},
        "steps": [{"step_id": at + 1, **step} for at, step in enumerate(steps)],
        **more,
    }


def asked(words: Any = "Lend me the atlas.", **more: Any) -> Json:
    return {"source": "user", "message": words, **more}


def acted(call_id: str = "", content: Any = "ok", words: str = "", **more: Any) -> Json:
    step: Json = {"source": "agent", "message": words, "metrics": {"prompt_tokens": 5}, **more}
    if call_id:
        step["tool_calls"] = [{"tool_call_id": call_id, "function_name": "find", "arguments": {}}]
        step.setdefault(
            "observation", {"results": [{"source_call_id": call_id, "content": content}]}
        )
    return step


def of_type(taken: Taken, kind: type, session_id: str) -> list[Any]:
    return [one for one in taken.recordings[session_id].records if isinstance(one, kind)]


def lost(taken: Taken, words: str) -> int:
    return sum(one.count or 1 for one in taken.wave.lost if words in one.reason)


def calls(taken: Taken, session_id: str) -> list[str]:
    return [one.tool_call_id for one in of_type(taken, ToolCall, session_id)]


@pytest.fixture(scope="module")
def desk() -> Taken:
    return take(SAMPLES / "trajectory.json")


def test_the_sample_is_one_session_with_its_sub_agents_calls(desk: Taken) -> None:
    assert dict(desk.counts()) == {
        "sessions": 1,
        "messages": 10,
        "user turns": 1,
        "tool calls": 4,
        "tool results": 4,
        "tool errors": 1,
    }
    assert calls(desk, DESK) == ["c1", "c2", "s1", "c3"]
    assert {one.caller for one in of_type(desk, ToolCall, DESK)} == {None}
    roles = [one.role for one in of_type(desk, Message, DESK)]
    assert roles.count("user") == 1
    assert roles[0] == "system"


def test_who_what_and_against_what(desk: Taken) -> None:
    context = desk.contexts[DESK]
    assert context.goal.goal == "Lend me the atlas and tell me when it is due."
    target = context.target
    assert (target.kind, target.label, target.model_id) == ("host", "desk-agent 2.1", "model-large")
    assert context.persona.name == "no persona recorded"
    attempt = desk.slot(DESK).attempt
    assert attempt is not None
    assert (attempt.status, desk.slot(DESK).inferred) == (
        "succeeded",
        {"attempt": "the agent's last step asks for no tool"},
    )


def test_an_error_is_known_only_where_a_writer_says_so(desk: Taken) -> None:
    results = {one.tool_call_id: one for one in of_type(desk, ToolResult, DESK)}
    assert results["c1"].is_error is None
    assert (results["c3"].is_error, results["c3"].inferred) == (
        True,
        {"isError": "extra.is_error of the result"},
    )


def test_tokens_count_once_and_totals_are_only_compared(desk: Taken) -> None:
    steps = of_type(desk, StepFinish, DESK)
    assert [one.usage.input_tokens for one in steps] == [500, 90, 700, 800]
    assert {one.finish_reason for one in steps} == {None}
    assert steps[2].inferred == {
        "usage": "several requests of the model in one step (llm_call_count)"
    }
    (disagreement,) = [one for one in desk.wave.lost if one.kind == "disagreement"]
    assert "total_prompt_tokens" in disagreement.place


def test_what_was_copied_for_context_is_not_said_again(desk: Taken) -> None:
    assert lost(desk, "is_copied_context") == 1
    assert not any(one.content == "An earlier question." for one in of_type(desk, Message, DESK))


def test_the_tools_of_the_agent_are_listed_and_not_said_to_be_all(desk: Taken) -> None:
    (catalog,) = of_type(desk, CatalogRecord, DESK)
    assert [tool.name for tool in catalog.tools] == ["find_book", "lend"]
    assert (catalog.complete, catalog.view) == (False, "model")


@pytest.mark.parametrize("version", [f"ATIF-v1.{minor}" for minor in range(8)])
def test_every_version_is_read(tmp_path: Path, version: str) -> None:
    document = trajectory(asked(), acted("c1"), schema_version=version)
    assert calls(take(write(tmp_path / "a.json", document)), "a.run-1") == ["c1"]


def test_a_continuation_goes_on_in_the_same_session(tmp_path: Path) -> None:
    first = trajectory(asked(), acted("c1"), continued_trajectory_ref="trajectory.cont-1.json")
    second = trajectory(
        asked(is_copied_context=True), acted("c1", is_copied_context=True), acted("c2")
    )
    write(tmp_path / "agent" / "trajectory.json", first)
    write(tmp_path / "agent" / "trajectory.cont-1.json", second)
    taken = take(tmp_path)
    (session_id,) = taken.recordings
    assert calls(taken, session_id) == ["c1", "c2"]
    notices = of_type(taken, SessionNotice, session_id)
    assert [one.message for one in notices] == ["It goes on in agent/trajectory.cont-1.json."]
    assert lost(taken, "is_copied_context") == 2


def test_a_continuation_alone_keeps_only_what_is_new_and_its_goal(tmp_path: Path) -> None:
    document = trajectory(asked(is_copied_context=True), acted("c2"))
    taken = take(write(tmp_path / "trajectory.cont-1.json", document))
    (session_id,) = taken.recordings
    assert calls(taken, session_id) == ["c2"]
    assert taken.contexts[session_id].goal.goal == "Lend me the atlas."
    assert taken.counts()["user turns"] == 0


@pytest.mark.parametrize(
    ("reference", "own"),
    [
        ({"trajectory_path": "sub.json"}, {}),
        ({"trajectory_path": "/logs/agent/sub.json"}, {}),
        ({"trajectory_id": "sub"}, {"trajectory_id": "sub"}),
        ({"session_id": "run-2"}, {"session_id": "run-2"}),
    ],
)
def test_a_sub_agent_in_a_file_beside_is_no_session_of_its_own(
    tmp_path: Path, reference: Json, own: Json
) -> None:
    sent = {"results": [{"source_call_id": "c1", "subagent_trajectory_ref": [reference]}]}
    write(tmp_path / "main.json", trajectory(asked(), acted("c1", observation=sent)))
    write(tmp_path / "sub.json", trajectory(asked("Do it."), acted("s1"), **own))
    taken = take(tmp_path)
    (session_id,) = taken.recordings
    assert calls(taken, session_id) == ["c1", "s1"]
    assert taken.counts()["user turns"] == 1


def test_a_sub_agent_that_is_not_here_is_said(tmp_path: Path) -> None:
    reference = {"trajectory_path": "s3://somewhere/sub.json"}
    sent = {"results": [{"source_call_id": "c1", "subagent_trajectory_ref": [reference]}]}
    taken = take(write(tmp_path / "a.json", trajectory(asked(), acted("c1", observation=sent))))
    assert lost(taken, "whose trajectory is not in the source") == 1


def test_sessions_that_share_the_id_of_a_run_are_two(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        write(tmp_path / folder / "trajectory.json", trajectory(asked(folder), acted("c1")))
    assert sorted(take(tmp_path).recordings) == ["one.trajectory.run-1", "two.trajectory.run-1"]


def test_documents_that_only_name_each_other_are_one_session(tmp_path: Path) -> None:
    write(tmp_path / "a.json", trajectory(asked(), acted("c1"), continued_trajectory_ref="b.json"))
    write(tmp_path / "b.json", trajectory(acted("c2"), continued_trajectory_ref="a.json"))
    taken = take(tmp_path)
    (session_id,) = taken.recordings
    assert calls(taken, session_id) == ["c1", "c2"]


def test_a_step_that_no_model_took_is_no_step_of_one(tmp_path: Path) -> None:
    document = trajectory(asked(), acted("c1", llm_call_count=0, metrics=None))
    taken = take(write(tmp_path / "a.json", document))
    assert calls(taken, "a.run-1") == ["c1"]
    assert of_type(taken, StepFinish, "a.run-1") == []
    assert lost(taken, "no model took") == 1


def test_an_error_beside_the_only_result_of_a_step(tmp_path: Path) -> None:
    extra = {"tool_result_is_error": True}
    taken = take(write(tmp_path / "a.json", trajectory(asked(), acted("c1", extra=extra))))
    (result,) = of_type(taken, ToolResult, "a.run-1")
    assert result.is_error is True
    assert result.inferred == {"isError": "extra.tool_result_is_error of the step"}


def test_results_of_no_call_and_of_an_unknown_one(tmp_path: Path) -> None:
    results = [{"content": "the lamp flickers"}, {"source_call_id": "gone", "content": "x"}]
    document = trajectory(asked(), acted(observation={"results": results}))
    taken = take(write(tmp_path / "a.json", document))
    assert of_type(taken, ToolResult, "a.run-1") == []
    assert taken.counts()["messages"] == 4
    assert (lost(taken, "of no tool call"), lost(taken, "no recorded call")) == (1, 1)


def test_the_system_speaks_as_the_client(tmp_path: Path) -> None:
    managed = {
        "source": "system",
        "message": "Compaction.",
        "observation": {"results": [{"content": "A summary."}]},
        "extra": {"context_management": {"type": "compaction", "boundary": "replace"}},
    }
    taken = take(write(tmp_path / "a.json", trajectory(asked(), managed, acted(words="Done."))))
    texts = [one.content for one in of_type(taken, Message, "a.run-1") if one.role == "system"]
    assert texts == ["Compaction.", "A summary."]
    assert [one.kind for one in of_type(taken, SessionNotice, "a.run-1")] == ["compaction"]


def test_totals_that_no_step_accounts_for_are_not_given_to_one(tmp_path: Path) -> None:
    document = trajectory(
        asked(), acted(words="x", metrics=None), final_metrics={"total_prompt_tokens": 9}
    )
    taken = take(write(tmp_path / "a.json", document))
    assert [one.usage for one in of_type(taken, StepFinish, "a.run-1")] == [None]
    assert lost(taken, "no step accounts for") == 1


@pytest.mark.parametrize(
    "step",
    [
        7,
        {"source": "oracle", "message": "x"},
        {"source": "agent", "message": 7},
        {"source": "agent", "message": "x", "tool_calls": [{"tool_call_id": "c"}]},
        {"source": "user", "message": {"text": "x"}},
    ],
)
def test_a_step_that_is_none_is_counted_and_the_rest_read(tmp_path: Path, step: Any) -> None:
    document = trajectory(asked(), acted("c1"))
    document["steps"].insert(1, step)
    taken = take(write(tmp_path / "a.json", document))
    assert "c1" in calls(taken, "a.run-1")
    assert sum(one.kind in ("unreadable", "unknownType") for one in taken.wave.lost) == 1


def test_a_trajectory_without_steps_says_so(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="no step of a conversation"):
        take(write(tmp_path / "a.json", trajectory()))


def test_what_the_user_states_counts_before_what_is_recorded(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", trajectory(asked(), acted("c1")))
    taken = take(path, mapping_of_options("Rosa", "the desk", "other"))
    context = taken.contexts["a.run-1"]
    assert (context.persona.name, context.target.label) == ("Rosa", "the desk")
    assert (context.target.kind, context.target.model_id) == ("environment", "other")


@pytest.mark.parametrize(
    ("document", "claimed"),
    [
        (trajectory(), True),
        (
            {"schema_version": "1.4", **{k: trajectory(asked())[k] for k in ("agent", "steps")}},
            True,
        ),
        ({"schema_version": "OTIF-v1.0", "steps": []}, False),
        ({"schema_version": 1}, False),
        ([trajectory()], False),
    ],
)
def test_claims_are_exact(tmp_path: Path, document: Any, claimed: bool) -> None:
    path = write(tmp_path / "x.json", document)
    assert Atif().claims(look_at(LocalFile(path, path.name, "x"))) is claimed


# What Harbor writes beside a trajectory.


def result(**more: Any) -> Json:
    return {
        "task_name": "lend-atlas",
        "trial_name": "lend-atlas__x1",
        "agent_info": {"name": "desk-agent", "model_info": {"name": "model-large"}},
        "verifier_result": {"rewards": {"reward": 1.0}},
        "exception_info": None,
        **more,
    }


def trial(folder: Path, document: Json | None, **more: Any) -> None:
    write(folder / "result.json", result(**more))
    if document is not None:
        write(folder / "agent" / "trajectory.json", document)


def test_a_trial_names_task_and_outcome_and_is_its_agents_log_only_once(tmp_path: Path) -> None:
    trial(tmp_path / "job" / "a", trajectory(asked(), acted("c1")))
    trial(
        tmp_path / "job" / "b",
        trajectory(asked(), acted("c2")),
        verifier_result={"rewards": {"reward": 0.5, "style": 1}},
    )
    write(tmp_path / "job" / "result.json", {"id": "x", "n_total_trials": 2, "stats": {}})
    log = ClaudeLog()
    log.user("Lend me the atlas.", None)
    log.write(tmp_path / "job" / "a" / "agent" / "sessions" / "projects" / "-app" / "s.jsonl")
    taken = take(tmp_path)
    assert calls(taken, "job.a.agent.trajectory.run-1") == ["c1"]
    assert (len(taken.recordings), taken.counts()["rewarded"]) == (2, 1)
    (goal,) = taken.plan.goals
    assert (goal.title, goal.goal) == ("Task lend-atlas", "Lend me the atlas.")
    attempts = {slot.inferred["attempt"] for slot in taken.manifest.slots if slot.inferred}
    assert attempts == {"outcome recorded"}
    assert lost(taken, "the agent's own log, which the trajectory") == 1
    assert lost(taken, "of which nothing says when they hold") == 1
    assert lost(taken, "the sum of its trials") == 1


def test_a_trial_that_broke_before_its_agent_began_never_ran(tmp_path: Path) -> None:
    trial(tmp_path / "a", trajectory(asked(), acted("c1")))
    crash = {"exception_type": "EnvironmentStartTimeoutError", "exception_message": "no image"}
    trial(tmp_path / "b", None, exception_info=crash, verifier_result=None)
    trial(tmp_path / "c", None)
    taken = take(tmp_path)
    slot = taken.slot("b.result")
    assert slot.attempt is not None
    assert (slot.recorded, slot.attempt.status, slot.attempt.error_code) == (
        False,
        "failed",
        "EnvironmentStartTimeoutError",
    )
    assert slot.attempt.error_message == "no image"
    assert len({run.journey_ref_id for run in taken.plan.runs}) == 1
    assert lost(taken, "an outcome alone shows no session") == 1


def test_a_trial_that_broke_while_its_agent_worked_keeps_both(tmp_path: Path) -> None:
    crash = {"exception_type": "AgentTimeoutError"}
    trial(
        tmp_path / "a",
        trajectory(asked(), acted(words="Almost.")),
        exception_info=crash,
        verifier_result={"rewards": {"reward": 0.0}},
    )
    taken = take(tmp_path)
    (slot,) = taken.manifest.slots
    assert slot.attempt is not None
    assert (slot.attempt.status, slot.attempt.error_code) == ("failed", "AgentTimeoutError")
    (criteria,) = of_type(taken, Criteria, slot.session_id)
    assert [one.passed for one in criteria.results] == [False]


def test_a_log_of_an_agent_whose_trajectory_is_gone_says_so(tmp_path: Path) -> None:
    write(tmp_path / "a" / "agent" / "trajectory.json", trajectory(asked(), acted("c1")))
    log = ClaudeLog()
    log.user("Lend me the atlas.", None)
    log.write(tmp_path / "b" / "agent" / "s.jsonl")
    assert lost(take(tmp_path), "without its trajectory; give it alone") == 1
