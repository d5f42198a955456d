"""What each field of a coding agent's trajectory becomes, SWE-agent's and mini-swe-agent's."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest
from imported import SAMPLES, Json, Taken, take, write

from reporter.errors import RecordingError
from reporter.importers.mapping import mapping_of_options
from reporter.models.records import (
    Message,
    Record,
    SessionComplete,
    SessionNotice,
    StepFinish,
    ToolCall,
    ToolResult,
)

Kind = TypeVar("Kind")


def of(found: Taken, kind: type[Kind]) -> list[Kind]:
    (recording,) = found.recordings.values()
    return kinds(recording.records, kind)


def kinds(records: Sequence[Record], kind: type[Kind]) -> list[Kind]:
    return [record for record in records if isinstance(record, kind)]


def lost(found: Taken) -> dict[str, int]:
    return {one.reason: one.count or 1 for one in found.wave.lost}


def step(action: Any = "ls", observation: Any = "desk.py", **more: Any) -> Json:
    return {"action": action, "observation": observation, "response": "I look.", **more}


def history(*more: Json, asked: str = "Repair the desk.") -> list[Json]:
    return [
        {"role": "system", "content": "You repair."},
        {"role": "user", "content": asked},
        *more,
    ]


def answer(action: str = "ls", *calls: Json) -> Json:
    return {"role": "assistant", "content": "I look.", "action": action, "tool_calls": list(calls)}


def run(*steps: Any, **more: Any) -> Json:
    return {
        "environment": "main",
        "trajectory": list(steps),
        "history": history(),
        "info": {"exit_status": "submitted"},
        **more,
    }


def taken(tmp_path: Path, document: Json, name: str = "shelf__desk-1.traj") -> Taken:
    return take(write(tmp_path / name, document))


def test_a_run_with_tool_calls() -> None:
    found = take(SAMPLES / "shelf__desk-7.traj")
    calls, results = of(found, ToolCall), of(found, ToolResult)
    assert [(one.tool_call_id, one.tool_name, one.args) for one in calls] == [
        ("call_1", "find_file", {"file_name": "desk.py"}),
        ("call_1#2", "bash", {"command": "python desk.py"}),
        ("step-4", "submit", {"command": "submit"}),
    ]
    assert [one.inferred for one in calls] == [
        None,
        {"toolCallId": "the source repeats the id"},
        {"toolCallId": "number of the step", "toolName": "first word of the command"},
    ]
    # What was recorded is the output, not the output as the agent was shown it.
    assert results[0].result == "Found 1 match: /desk/desk.py"
    assert [one.is_error for one in results] == [None, None, None]
    assert all("text alone" in (one.inferred or {})["isError"] for one in results)
    assert [one.duration_ms for one in results] == [250.0, 1500.0, 500.0]
    roles = [one.role for one in of(found, Message)]
    assert roles[:7] == ["system", "user", "assistant", "tool", "assistant", "assistant", "tool"]
    assert roles[7:] == ["assistant", "tool"]
    (finish,) = of(found, StepFinish)
    assert finish.usage is not None
    assert (finish.usage.input_tokens, finish.usage.output_tokens) == (700, 50)
    assert finish.inferred is not None
    (goal,) = found.manifest.goals
    assert goal.goal == "The desk is closed on Sundays.\n\nIt should not be."
    assert goal.inferred is not None
    assert "ISSUE" in goal.inferred["goal"]
    (target,) = found.manifest.targets
    assert (target.label, target.model_id, target.temperature) == ("shelf/desk", "maker/m", 0.5)
    assert target.inferred is None
    assert lost(found) == {
        "messages of worked examples, which are no part of the session": 1,
        "steps that ran no command, because the answer held none or none that was allowed": 1,
        "what the model cost (known)": 1,
        "the patch: whether it is right is not recorded": 1,
    }


def test_nobody_is_named_and_nothing_is_graded() -> None:
    found = take(SAMPLES / "shelf__desk-7.traj")
    assert [one.name for one in found.manifest.personas] == ["no persona recorded"]
    assert [one.rubric for one in found.manifest.runs] == [[]]
    stated = take(SAMPLES / "shelf__desk-7.traj", mapping_of_options("Ada", "desk", "n"))
    assert [one.name for one in stated.manifest.personas] == ["Ada"]
    assert stated.manifest.targets[0].inferred == {
        "id": "stated by the mapping, not recorded by the source",
        "label": "stated by the mapping, not recorded by the source",
        "modelId": "stated by the mapping, not recorded by the source",
    }


@pytest.mark.parametrize(
    ("action", "name", "rule"),
    [
        ("ls -F\n", "ls", "first word of the command"),
        ("edit 1:1\nx = 1\nend_of_edit", "edit", "first word of the command"),
        ("python3.11 a.py", "python3.11", "first word of the command"),
        ("./run.sh", "shell", "the command begins with no name of a program"),
        ("A=1 make", "shell", "the command begins with no name of a program"),
        ("(cd x; ls)", "shell", "the command begins with no name of a program"),
    ],
)
def test_a_text_command_is_named_by_its_first_word(
    tmp_path: Path, action: str, name: str, rule: str
) -> None:
    found = taken(tmp_path, run(step(action)))
    (one,) = of(found, ToolCall)
    assert (one.tool_name, one.args) == (name, {"command": action})
    assert one.inferred == {"toolCallId": "number of the step", "toolName": rule}


@pytest.mark.parametrize(
    ("more", "results"),
    [
        ({"observation": "", "execution_time": 0.3}, 1),
        ({"observation": ""}, 1),
        ({"observation": "", "execution_time": 0.0}, 0),
        ({"observation": None}, 0),
        ({"observation": {"output": "x", "returncode": 1}}, 1),
    ],
)
def test_an_empty_output_is_a_result_unless_nothing_was_run(
    tmp_path: Path, more: Json, results: int
) -> None:
    found = taken(tmp_path, run({**step(), **more}))
    assert len(of(found, ToolCall)) == 1
    assert len(of(found, ToolResult)) == results


def test_steps_that_are_tries_alone_do_not_shift_the_calls_of_the_history(tmp_path: Path) -> None:
    tried = step("rm -rf /", "", execution_time=0.0)
    real = {"id": "c", "function": {"name": "list", "arguments": "{}"}}
    document = run(tried, step("ls"), history=history(answer("ls", real)))
    names = [one.tool_name for one in of(taken(tmp_path, document), ToolCall)]
    assert names == ["rm", "list"]


def test_without_history_the_first_query_tells_what_was_said(tmp_path: Path) -> None:
    query = [{"role": "user", "content": "An example.", "is_demo": True}, *history()]
    document = run({**step(), "query": query})
    del document["history"]
    found = taken(tmp_path, document)
    assert [one.role for one in of(found, Message)] == ["system", "user", "assistant", "tool"]
    assert found.manifest.goals[0].goal == "Repair the desk."


@pytest.mark.parametrize(
    ("word", "status", "end_reason"),
    [
        ("submitted", "succeeded", "unknown"),
        ("exit_forfeit", "succeeded", "unknown"),
        ("exit_cost", "succeeded", "aborted"),
        ("submitted (exit_cost)", "succeeded", "aborted"),
        ("exit_total_execution_time", "succeeded", "aborted"),
        ("exit_context", "failed", "error"),
        ("submitted (exit_context)", "failed", "error"),
        ("exit_format", "failed", "error"),
        ("exit_environment_error", "failed", "error"),
        ("early_exit", "failed", "error"),
        ("CalledProcessError", "failed", "error"),
    ],
)
def test_the_exit_status_is_the_end(
    tmp_path: Path, word: str, status: str, end_reason: str
) -> None:
    found = taken(tmp_path, run(step(), info={"exit_status": word}))
    (slot,) = found.manifest.slots
    assert slot.attempt is not None
    assert slot.attempt.status == status
    (end,) = of(found, SessionComplete)
    assert (end.status, end.end_reason) == (status, end_reason)
    assert bool(end.inferred) is (end_reason != "unknown")
    notices = [one.message for one in of(found, SessionNotice)]
    assert notices == ([] if word == "submitted" else [f"exit_status: {word}"])


@pytest.mark.parametrize("info", [{}, {"exit_status": None}, {"exit_status": ""}, None])
def test_without_exit_status_no_end_is_known(tmp_path: Path, info: Any) -> None:
    found = taken(tmp_path, run(step(), info=info))
    assert found.manifest.slots[0].attempt is None
    assert of(found, SessionComplete) == []


def test_an_exit_status_unknown_here_is_counted_and_ends_nothing(tmp_path: Path) -> None:
    found = taken(tmp_path, run(step(), info={"exit_status": "vanished"}))
    assert found.manifest.slots[0].attempt is None
    assert 'exit statuses of type "vanished", unknown here' in lost(found)


def test_what_the_runner_writes_when_it_ends_a_session_is_no_answer(tmp_path: Path) -> None:
    last = step("", "Exited (autosubmitted)", response="Exit due to cost limit")
    found = taken(tmp_path, run(step(), last, info={"exit_status": "submitted (exit_cost)"}))
    assert [one.role for one in of(found, Message)] == ["system", "user", "assistant", "tool"]
    assert [one.message for one in of(found, SessionNotice)] == [
        "Exit due to cost limit",
        "exit_status: submitted (exit_cost)",
    ]


@pytest.mark.parametrize(
    ("stats", "known"),
    [
        ({"instance_cost": 0, "tokens_sent": 0, "tokens_received": 0, "api_calls": 11}, False),
        ({"total_cost": 0.0, "instance_cost": 0}, False),
        ({"instance_cost": 0.1, "tokens_sent": 5, "tokens_received": 1}, True),
    ],
)
def test_a_cost_of_nothing_is_unknown(tmp_path: Path, stats: Json, known: bool) -> None:
    found = taken(tmp_path, run(step(), info={"exit_status": "submitted", "model_stats": stats}))
    assert bool(of(found, StepFinish)) is known
    assert ("what the model cost (known)" in lost(found)) is known


@pytest.mark.parametrize(
    ("name", "settings", "label", "rule"),
    [
        ("shelf__desk-12.traj", {}, "shelf/desk", "the name of the task, shelf__desk-12"),
        ("a/shelf__desk-12.traj", {}, "shelf/desk", "the name of the task, shelf__desk-12"),
        ("run.traj", {}, "no target recorded", "the source names no target"),
        (
            "shelf__desk-12.traj",
            {"env": {"repo": {"github_url": "https://github.com/other/repo.git"}}},
            "other/repo",
            None,
        ),
        (
            "run.traj",
            {"problem_statement": {"id": "shelf__desk-3"}, "env": {"repo": None}},
            "shelf/desk",
            "the name of the task, shelf__desk-3",
        ),
    ],
)
def test_the_repository_is_recorded_or_in_the_tasks_name(
    tmp_path: Path, name: str, settings: Json, label: str, rule: str | None
) -> None:
    write(tmp_path / name, run(step(), replay_config=settings))
    (target,) = take(tmp_path).manifest.targets
    assert target.label == label
    assert (target.inferred or {}).get("label") == rule


def test_two_prompts_about_one_issue_are_one_goal(tmp_path: Path) -> None:
    older = history(asked="Here it is.\nISSUE:\nIt leaks.\n\nINSTRUCTIONS:\nOld ones.")
    newer = history(asked="<pr_description>\nIt leaks.\n</pr_description>\nNew ones.")
    write(tmp_path / "a" / "shelf__desk-1.traj", run(step(), history=older))
    write(tmp_path / "b" / "shelf__desk-1.traj", run(step(), history=newer))
    found = take(tmp_path)
    assert [one.goal for one in found.manifest.goals] == ["It leaks."]
    assert [one.sessions_per_target for one in found.manifest.runs] == [2]


def test_every_attempt_at_an_issue_is_a_session_and_the_best_one_is_no_other(
    tmp_path: Path,
) -> None:
    first, second = run(step("a")), run(step("b"), info={"exit_status": "exit_cost"})
    document = {"attempts": [first, second], **first}
    found = taken(tmp_path, document)
    assert list(found.recordings) == ["shelf__desk-1.traj.1", "shelf__desk-1.traj.2"]
    names = [
        one.tool_name
        for recording in found.recordings.values()
        for one in kinds(recording.records, ToolCall)
    ]
    assert names == ["a", "b"]


@pytest.mark.parametrize(
    ("steps", "place"),
    [
        (["text"], "trajectory[0]"),
        ([step(), step(7)], "trajectory[1].action"),
        ([step(response={"a": 1})], "trajectory[0].response"),
    ],
)
def test_a_step_that_is_none_leaves_the_session_without_its_conversation(
    tmp_path: Path, steps: list[Any], place: str
) -> None:
    found = taken(tmp_path, run(step(), *steps) if steps[0] != "text" else run(*steps))
    (recording,) = found.recordings.values()
    (problem,) = recording.problems
    assert problem.place.endswith(place.partition("]")[2])
    assert kinds(recording.records, Message) == []


def test_a_file_that_breaks_off_is_a_session_without_anything(tmp_path: Path) -> None:
    text = json.dumps(run(*[step(observation="x" * 100)] * 5))
    write(tmp_path / "whole.traj", run(step()))
    (tmp_path / "cut.traj").write_text(text[:400])
    found = take(tmp_path)
    assert list(found.recordings) == ["cut.traj", "whole.traj"]
    assert found.recordings["cut.traj"].damaged
    assert not found.manifest.terminal


def test_the_newer_agent_with_tool_calls_and_with_text() -> None:
    found = take(SAMPLES / "shelf__desk-8.traj.json")
    calls, results = of(found, ToolCall), of(found, ToolResult)
    assert [(one.tool_call_id, one.tool_name, one.args) for one in calls] == [
        ("call_1", "bash", {"command": "ls"}),
        ("message-4", "bash", {"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"}),
    ]
    assert [bool(one.inferred) for one in calls] == [False, True]
    assert [one.is_error for one in results] == [None, None]
    assert all("text alone" in (one.inferred or {})["isError"] for one in results)
    assert results[0].at == 1767225601500
    assert [one.role for one in of(found, Message)].count("user") == 1
    steps = of(found, StepFinish)
    assert [(one.finish_reason, one.usage and one.usage.total_tokens) for one in steps] == [
        ("tool_calls", 12),
        (None, 24),
    ]
    (target,) = found.manifest.targets
    assert (target.label, target.model_id, target.temperature) == ("shelf/desk", "maker/m", 0.0)
    assert found.manifest.goals[0].goal == "The desk is closed on Mondays."
    (end,) = of(found, SessionComplete)
    assert (end.status, end.end_reason) == ("succeeded", "unknown")


def mini(*messages: Json, word: str = "Submitted", **info: Any) -> Json:
    return {
        "info": {"exit_status": word, "mini_version": "1.0", **info},
        "messages": [{"role": "user", "content": "Repair it."}, *messages],
        "trajectory_format": "mini-swe-agent-1",
    }


def reply(content: Any = "", **more: Any) -> Json:
    return {"role": "assistant", "content": content, **more}


@pytest.mark.parametrize(
    ("said", "commands"),
    [
        (reply("```bash\nls\n```"), ["ls"]),
        (reply("```mswea_bash_command\nls -l\n```\n"), ["ls -l"]),
        (reply("```bash\nls\n```\n```bash\npwd\n```"), []),
        (reply("Just words."), []),
        (reply("x", extra={"actions": [{"command": "a"}, {"command": "b"}]}), ["a", "b"]),
        (reply("x", extra={"actions": ["a"]}), ["a"]),
        ({"object": "response", "output": [{"content": [{"text": "```bash\nls\n```"}]}]}, ["ls"]),
    ],
)
def test_the_commands_of_an_answer(tmp_path: Path, said: Json, commands: list[str]) -> None:
    seen = [{"role": "user", "content": f"output {n}"} for n in range(len(commands))]
    found = taken(tmp_path, mini(said, *seen), "a.traj.json")
    assert [one.args["command"] for one in of(found, ToolCall)] == commands
    assert [one.result for one in of(found, ToolResult)] == [one["content"] for one in seen]
    assert [one.role for one in of(found, Message)].count("user") == 1


def test_what_asks_for_a_better_answer_is_a_turn_and_an_empty_word_is_none(
    tmp_path: Path,
) -> None:
    nudge = {"role": "user", "content": "Give exactly one action."}
    empty = {"role": "user", "content": ""}
    document = mini(reply("words"), nudge, reply("words"), empty, word="LimitsExceeded")
    found = taken(tmp_path, document, "a.traj.json")
    assert [one.turn_index for one in of(found, Message)] == [0, 0, 1, 1]
    (end,) = of(found, SessionComplete)
    assert (end.status, end.end_reason) == ("succeeded", "aborted")
    assert lost(found)["messages of the user in which nothing stands"] == 1


@pytest.mark.parametrize("message", [{"role": "ghost"}, "text", reply("", extra={"actions": [7]})])
def test_a_message_that_is_none_leaves_the_session_without_its_conversation(
    tmp_path: Path, message: Any
) -> None:
    found = taken(tmp_path, mini(message), "a.traj.json")
    (recording,) = found.recordings.values()
    (problem,) = recording.problems
    assert problem.place.startswith("messages[1]")
    assert kinds(recording.records, Message) == []


def test_results_that_answer_nothing_are_counted(tmp_path: Path) -> None:
    alone = {"role": "tool", "tool_call_id": "c9", "content": "x"}
    found = taken(tmp_path, mini(alone), "a.traj.json")
    assert [one.kind for one in found.wave.lost] == ["unmatched"]


def test_a_run_that_never_began_holds_no_message(tmp_path: Path) -> None:
    document = mini(word="CalledProcessError", model_stats={"instance_cost": 0.0, "api_calls": 0})
    document["messages"] = []
    found = taken(tmp_path, document, "a.traj.json")
    (slot,) = found.manifest.slots
    assert slot.attempt is not None
    assert (slot.attempt.status, slot.message_count) == ("failed", 0)


def test_a_file_of_neither_agent_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordingError):
        take(write(tmp_path / "a.traj", {"trajectory": [{"role": "user"}], "info": {}}))
