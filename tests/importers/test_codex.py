import json
from pathlib import Path
from typing import Any

import pytest
from imported import SAMPLES, Taken, take

from reporter.errors import RecordingError
from reporter.importers.codex import Codex
from reporter.importers.source import LocalFile, look_at
from reporter.models.records import (
    Message,
    SessionComplete,
    SessionNotice,
    StepFinish,
    ToolCall,
    ToolResult,
)

Json = dict[str, Any]

ORCHARD = "0199a000-0000-7000-8000-000000000001"
ONE = "0199a000-0000-7000-8000-00000000000a"
TWO = "0199a000-0000-7000-8000-00000000000b"


def line(kind: str, **payload: Any) -> Json:
    return {"timestamp": "2026-03-02T12:00:00.000Z", "type": kind, "payload": payload}


def meta(session_id: str = ONE, **more: Any) -> Json:
    return line("session_meta", id=session_id, timestamp="x", cwd="/work-of-rosa/shed", **more)


def event(kind: str, **more: Any) -> Json:
    return line("event_msg", type=kind, **more)


def item(kind: str, **more: Any) -> Json:
    return line("response_item", type=kind, **more)


def wrote(role: str, words: str) -> Json:
    kind = "output_text" if role == "assistant" else "input_text"
    return item("message", role=role, content=[{"type": kind, "text": words}])


def asked(words: str) -> list[Json]:
    return [event("user_message", message=words), wrote("user", words)]


def called(call_id: str, output: Any = "ok", name: str = "exec_command") -> list[Json]:
    return [
        item("function_call", name=name, arguments="{}", call_id=call_id),
        item("function_call_output", call_id=call_id, output=output),
    ]


def write(path: Path, *lines: Json) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    return path


def of_type(taken: Taken, kind: type, session_id: str = ONE) -> list[Any]:
    return [one for one in taken.recordings[session_id].records if isinstance(one, kind)]


def spoken(taken: Taken, session_id: str = ONE) -> list[tuple[str, str]]:
    messages = of_type(taken, Message, session_id)
    return [(one.role, one.content) for one in messages if one.role in ("user", "assistant")]


def lost(taken: Taken, words: str) -> int:
    return sum(one.count or 1 for one in taken.wave.lost if words in one.reason)


def calls(taken: Taken, session_id: str = ONE) -> list[str]:
    return [one.tool_call_id for one in of_type(taken, ToolCall, session_id)]


@pytest.fixture(scope="module")
def orchard() -> Taken:
    return take(SAMPLES / "rollout.jsonl")


def test_the_sample_is_said_once_and_without_what_was_taken_back(orchard: Taken) -> None:
    assert spoken(orchard, ORCHARD) == [
        ("user", "Which trees need pruning?"),
        ("assistant", "The second tree of row 1."),
    ]
    assert calls(orchard, ORCHARD) == ["call_1", "call_2", "ws_1"]
    assert lost(orchard, "took back") == 3
    assert lost(orchard, "say again") == 3
    assert lost(orchard, 'records of type "blossom"') == 1


def test_the_sample_names_who_what_and_how_it_ended(orchard: Taken) -> None:
    context = orchard.contexts[ORCHARD]
    assert context.goal.goal == "Which trees need pruning?"
    assert (context.target.label, context.target.model_id) == ("orchard", "model-c")
    (ending,) = of_type(orchard, SessionComplete, ORCHARD)
    assert (ending.status, ending.end_reason) == ("succeeded", "unknown")
    assert orchard.slot(ORCHARD).inferred == {
        "attempt": "the last turn is recorded as complete (task_complete)"
    }


def test_errors_are_known_where_the_client_says_them(orchard: Taken) -> None:
    results = {one.tool_call_id: one for one in of_type(orchard, ToolResult, ORCHARD)}
    assert (results["call_1"].is_error, results["call_1"].duration_ms) == (True, 250.0)
    assert results["call_2"].is_error is True
    assert "ws_1" not in results
    (listed, *_) = of_type(orchard, ToolCall, ORCHARD)
    assert (listed.tool_name, listed.server_id) == ("mcp__orchard__list_trees", "orchard")


def test_tokens_count_each_time_the_total_grew(orchard: Taken) -> None:
    steps = of_type(orchard, StepFinish, ORCHARD)
    assert [one.usage.total_tokens for one in steps] == [1_050, 1_230]
    assert {one.model_id for one in steps} == {"model-c"}


def test_what_the_client_wrote_is_nobodys_turn(orchard: Taken) -> None:
    texts = [one.content for one in of_type(orchard, Message, ORCHARD) if one.role == "system"]
    assert texts == [
        "You are a careful gardener.",
        "Ask before you prune.",
        "<environment_context>\n  <cwd>orchard</cwd>\n</environment_context>",
        "We look at row 1.",
    ]


def test_without_events_a_users_items_are_told_by_their_text(tmp_path: Path) -> None:
    lines = [wrote("user", "# AGENTS.md instructions for /x"), wrote("user", "Hi.")]
    taken = take(write(tmp_path / "a.jsonl", meta(), *lines, wrote("assistant", "Ho.")))
    assert spoken(taken) == [("user", "Hi."), ("assistant", "Ho.")]
    (said,) = [one for one in of_type(taken, Message) if one.role == "user"]
    assert set(said.inferred) == {"author"}


@pytest.mark.parametrize(
    ("output", "is_error", "blocked", "client"),
    [
        ("ok", None, None, None),
        ({"content": "no", "success": False}, True, None, None),
        ({"content": "yes", "success": True}, False, None, None),
        ("exec command rejected by user", None, True, None),
        ("aborted by user after 3.1s", None, None, "client"),
        ("unsupported call: nothing", None, None, "client"),
    ],
)
def test_whose_error_a_result_is(
    tmp_path: Path,
    output: Any,
    *,
    is_error: bool | None,
    blocked: bool | None,
    client: str | None,
) -> None:
    lines = [*asked("Go."), *called("c1", output)]
    (result,) = of_type(take(write(tmp_path / "a.jsonl", meta(), *lines)), ToolResult)
    assert (result.is_error, result.policy_blocked, result.answered_by) == (
        is_error,
        blocked,
        client,
    )


@pytest.mark.parametrize(
    ("last", "status", "end"),
    [
        ([event("task_complete")], "succeeded", "unknown"),
        ([event("turn_aborted", reason="interrupted")], "failed", "aborted"),
        ([event("error", message="no network")], "failed", "error"),
        ([], None, None),
        ([event("task_complete"), event("user_message", message="And?")], None, None),
    ],
)
def test_an_attempt_follows_from_the_last_event(
    tmp_path: Path, last: list[Json], status: str | None, end: str | None
) -> None:
    lines = [*asked("Hi."), wrote("assistant", "Ho."), *last]
    taken = take(write(tmp_path / "a.jsonl", meta(), *lines))
    attempt = taken.slot(ONE).attempt
    assert (attempt.status if attempt else None) == status
    assert [one.end_reason for one in of_type(taken, SessionComplete)] == ([end] if end else [])


def test_two_turns_taken_back_whichever_line_came_first(tmp_path: Path) -> None:
    lines = [*asked("One."), *reversed(asked("Two.")), *called("c2"), *asked("Three.")]
    back = event("thread_rolled_back", num_turns=2)
    taken = take(write(tmp_path / "a.jsonl", meta(), *lines, back, *asked("Four.")))
    assert spoken(taken) == [("user", "One."), ("user", "Four.")]
    assert calls(taken) == []
    assert lost(taken, "took back") == 4


def test_a_sub_agents_rollout_is_the_sessions_that_sent_it(tmp_path: Path) -> None:
    spawn = called("c1", json.dumps({"agent_id": TWO}), "spawn_agent")
    write(tmp_path / "one.jsonl", meta(), *asked("Go."), *spawn, wrote("assistant", "Done."))
    source = {"subagent": {"thread_spawn": {"parent_thread_id": ONE, "depth": 1}}}
    write(tmp_path / "two.jsonl", meta(TWO, source=source), *asked("Look."), *called("c2"))
    taken = take(tmp_path)
    assert list(taken.recordings) == [ONE]
    assert calls(taken) == ["c1", "c2"]
    assert spoken(taken) == [("user", "Go."), ("assistant", "Done.")]


def test_a_sub_agents_rollout_alone_is_a_session_of_calls(tmp_path: Path) -> None:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": ONE}}}
    lines = meta(TWO, source=source), *asked("Look."), *called("c2"), wrote("assistant", "Done.")
    taken = take(write(tmp_path / "two.jsonl", *lines))
    assert calls(taken, TWO) == ["c2"]
    assert spoken(taken, TWO) == []


def test_what_a_fork_repeats_counts_once(tmp_path: Path) -> None:
    lines = [*asked("One."), *called("c1"), wrote("assistant", "Done.")]
    write(tmp_path / "one.jsonl", meta(), *lines)
    fork = meta(TWO, forked_from_id=ONE)
    write(tmp_path / "two.jsonl", fork, meta(), *lines, *asked("Two."), *called("c2"))
    taken = take(tmp_path)
    assert (calls(taken), calls(taken, TWO)) == (["c1"], ["c2"])
    assert spoken(taken, TWO) == [("user", "Two.")]
    notices = [one.message for one in of_type(taken, SessionNotice, TWO)]
    assert notices == [f"It goes on from {ONE}: 5 lines count there."]
    alone = take(tmp_path / "two.jsonl")
    assert calls(alone, TWO) == ["c1", "c2"]


def test_the_first_versions_wrote_items_as_lines(tmp_path: Path) -> None:
    old = {"id": ONE, "timestamp": "2025-06-01T10:00:00.000Z", "instructions": None}
    lines = [one["payload"] for one in (wrote("user", "Hi."), *called("c1"))]
    state = {"record_type": "state"}
    taken = take(write(tmp_path / "a.jsonl", old, state, *lines))
    assert (spoken(taken), calls(taken)) == ([("user", "Hi.")], ["c1"])


def test_results_without_call_and_twice(tmp_path: Path) -> None:
    lines = [*asked("Hi."), *called("c1"), called("c1")[1], called("gone")[1]]
    taken = take(write(tmp_path / "a.jsonl", meta(), *lines))
    assert len(of_type(taken, ToolResult)) == 1
    assert (lost(taken, "of one call again"), lost(taken, "no recorded call")) == (1, 1)


def test_a_file_in_which_nothing_happens_says_so(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="nothing was said or called"):
        take(write(tmp_path / "a.jsonl", meta(), event("task_started")))


@pytest.mark.parametrize(
    ("first", "claimed"),
    [
        (meta(), True),
        (event("task_started"), True),
        ({"id": "x", "timestamp": "t", "instructions": None}, True),
        ({"type": "session_meta"}, False),
        ({"type": "session_start", "seq": 0, "payload": {}}, False),
        ({"id": "x", "timestamp": "t"}, False),
    ],
)
def test_claims_are_exact(tmp_path: Path, first: Json, claimed: bool) -> None:
    path = write(tmp_path / "x.jsonl", first)
    assert Codex().claims(look_at(LocalFile(path, path.name, "x"))) is claimed
