"""What Claude Code prints as it works: servers, tools, sub-agents and the end as it says it."""

import json
from pathlib import Path
from typing import Any, TypeVar

import pytest
from imported import SAMPLES, Taken, take

from reporter.errors import RecordingError
from reporter.importers.claude_code import ClaudeCode
from reporter.importers.claude_code_stream import ClaudeCodeStream
from reporter.importers.source import LocalFile, look_at
from reporter.models.records import (
    BaseRecord,
    CatalogRecord,
    Connection,
    Message,
    SessionComplete,
    SessionNotice,
    StepFinish,
    ToolCall,
    ToolResult,
)

Json = dict[str, Any]
R = TypeVar("R", bound=BaseRecord)
SESSION = "b00k5e11-0000-4000-8000-000000000007"
INIT: Json = {"type": "system", "subtype": "init", "session_id": "s-1", "tools": ["Bash"]}


def of_type(taken: Taken, kind: type[R], session: str = "s-1") -> list[R]:
    return [one for one in taken.recordings[session].records if isinstance(one, kind)]


def write(path: Path, *lines: Json) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def said(role: str, content: object, session: str = "s-1", **more: object) -> Json:
    message = {"role": role, "content": content, **({"id": "m"} if role == "assistant" else {})}
    line = {"type": role, "message": message, "session_id": session, "parent_tool_use_id": None}
    return {**line, **more}


def result(subtype: str, session: str = "s-1", **more: object) -> Json:
    line = {"type": "result", "subtype": subtype, "session_id": session, "num_turns": 1}
    return {**line, "is_error": False, **more}


HI, HO = said("user", "Hi."), said("assistant", [{"type": "text", "text": "Ho."}])


@pytest.fixture(scope="module")
def press() -> Taken:
    return take(SAMPLES / "press.jsonl")


def test_the_start_lists_tools_and_servers(press: Taken) -> None:
    (catalog,) = of_type(press, CatalogRecord, SESSION)
    assert [tool.name for tool in catalog.tools or ()][2:] == [
        "mcp__press__queue",
        "mcp__press__order",
    ]
    assert not catalog.complete
    servers = of_type(press, Connection, SESSION)
    reached = [(one.server_id, one.outcome, one.attributable) for one in servers]
    assert reached == [("press", "ok", "unknown"), ("paper", "failed", "unknown")]
    notices = of_type(press, SessionNotice, SESSION)
    assert [one.kind for one in notices] == ["mcp", "subagent", "compaction"]


def test_calls_of_a_sub_agent_stand_in_the_turn_that_sent_it(press: Taken) -> None:
    calls = of_type(press, ToolCall, SESSION)
    assert [(one.tool_call_id, one.server_id, one.turn_index) for one in calls] == [
        ("t1", "press", 0),
        ("t2", None, 0),
        ("t3", None, 0),
        ("t4", "press", 0),
    ]
    users = [one for one in of_type(press, Message, SESSION) if one.role == "user"]
    assert [one.content for one in users] == ["Print 200 posters for the fair, on the thick paper."]


def test_a_denied_call_is_no_error_of_a_server(press: Taken) -> None:
    results = of_type(press, ToolResult, SESSION)
    assert [(one.is_error, one.policy_blocked) for one in results] == [
        (False, None),
        (True, None),
        (False, None),
        (True, True),
    ]


def test_usage_counts_once_a_message(press: Taken) -> None:
    usages = [one.usage for one in of_type(press, StepFinish, SESSION) if one.usage is not None]
    assert [(one.input_tokens, one.output_tokens) for one in usages] == [
        (100, 30),
        (100, 9),
        (100, 9),
        (100, 9),
        (100, 9),
    ]


@pytest.mark.parametrize(
    ("end", "status", "reason"),
    [
        (result("success"), "succeeded", "unknown"),
        (result("success", is_error=True, result="API Error"), "failed", "error"),
        (result("error_max_turns"), "failed", "turnCap"),
        (result("error_during_execution", errors=["boom", 7]), "failed", "error"),
        (result("error_of_next_year"), "failed", "unknown"),
    ],
)
def test_the_last_result_line_tells_the_end(
    tmp_path: Path, end: Json, status: str, reason: str
) -> None:
    taken = take(write(tmp_path / "a.jsonl", INIT, HI, HO, end))
    (complete,) = of_type(taken, SessionComplete)
    assert (complete.status, complete.end_reason) == (status, reason)
    assert complete.inferred is not None
    slots = [one.attempt for one in taken.plan.slots if one.attempt is not None]
    assert [one.status for one in slots] == [status]


def test_a_stream_without_its_result_has_no_end(tmp_path: Path) -> None:
    taken = take(write(tmp_path / "a.jsonl", INIT, HI, HO))
    assert of_type(taken, SessionComplete) == []
    assert all(one.attempt is None for one in taken.plan.slots)


def test_several_sessions_of_a_file_and_lines_of_other_kinds(tmp_path: Path) -> None:
    other = said("user", "Ahoy.", session="s-2"), result("success", session="s-2")
    odd = {"type": "stream_event", "session_id": "s-1"}, {"type": "oracle", "session_id": "s-1"}
    taken = take(write(tmp_path / "a.jsonl", INIT, HI, *odd, HO, result("success"), *other))
    assert sorted(taken.recordings) == ["s-1", "s-2"]
    lost = {one.reason: one.count for one in taken.manifest.source.lost}  # type: ignore[union-attr]
    assert any('"oracle"' in reason for reason in lost)
    assert any(reason.startswith("pieces of messages") for reason in lost)


def test_a_sub_agent_that_nobody_sent_is_not_lost(tmp_path: Path) -> None:
    use = {"type": "tool_use", "id": "x", "name": "Bash", "input": {}}
    alone = said("assistant", [use], parent_tool_use_id="gone")
    taken = take(write(tmp_path / "a.jsonl", INIT, HI, alone, HO))
    assert [(one.tool_call_id, one.turn_index) for one in of_type(taken, ToolCall)] == [("x", 0)]


def test_ids_that_are_no_texts(tmp_path: Path) -> None:
    answer = {"type": "tool_result", "tool_use_id": ["x"], "content": "?"}
    use = {"type": "tool_use", "id": {"x": 1}, "name": "Bash", "input": {}}
    lines = HI, said("assistant", [use]), said("user", [answer]), result("success")
    taken = take(write(tmp_path / "a.jsonl", INIT, *lines))
    assert len(of_type(taken, ToolCall)) == 1
    assert of_type(taken, ToolResult) == []


def test_a_stream_in_which_nobody_speaks(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="nothing was said or called"):
        take(write(tmp_path / "a.jsonl", INIT, result("error_during_execution")))


@pytest.mark.parametrize(
    ("line", "claimed"),
    [
        (INIT, True),
        (HO, True),
        (result("success"), True),
        ({**HO, "parentUuid": None, "uuid": "u", "sessionId": "s", "isSidechain": False}, False),
        ({"type": "session_start", "seq": 0, "session_id": "s"}, False),
        ({"type": "result", "session_id": "s", "value": 3}, False),
        ({"type": "user", "session_id": "s", "message": "Hi."}, False),
    ],
)
def test_claims_are_exact(tmp_path: Path, line: Json, claimed: bool) -> None:
    path = write(tmp_path / "x.jsonl", line, line)
    look = look_at(LocalFile(path, path.name, "x"))
    assert ClaudeCodeStream().claims(look) is claimed
    assert not (claimed and ClaudeCode().claims(look))


def array(path: Path, *elements: object, indent: int | None = 2) -> Path:
    path.write_text(json.dumps(elements, indent=indent), encoding="utf-8")
    return path


@pytest.mark.parametrize("indent", [None, 2])
def test_one_array_of_messages_is_the_same_stream(tmp_path: Path, indent: int | None) -> None:
    lines = [json.loads(line) for line in (SAMPLES / "press.jsonl").read_text().splitlines()]
    whole = array(tmp_path / "press.jsonl", *lines, indent=indent)
    assert take(whole).recordings == take(SAMPLES / "press.jsonl").recordings


@pytest.mark.parametrize("first", [INIT, HI, result("success")])
def test_an_array_that_begins_with_any_message_is_a_stream(tmp_path: Path, first: Json) -> None:
    look = look_at(LocalFile(array(tmp_path / "a.json", first), "a.json", "x"))
    assert ClaudeCodeStream().claims(look)


@pytest.mark.parametrize("first", [{"type": "user"}, {**HI, "seq": 1}, {**HI, "parentUuid": None}])
def test_an_array_of_anything_else_is_none(tmp_path: Path, first: Json) -> None:
    look = look_at(LocalFile(array(tmp_path / "a.json", first), "a.json", "x"))
    assert not ClaudeCodeStream().claims(look)


def test_an_array_that_breaks_off_keeps_what_is_before(tmp_path: Path) -> None:
    odd = {"type": "zap", "session_id": "s-1"}
    source = array(tmp_path / "a.json", INIT, HI, HO, 7, odd, said("assistant", "x" * 100))
    source.write_text(source.read_text()[:-60], encoding="utf-8")
    taken = take(source)
    assert len(of_type(taken, Message)) == 2
    (broken,) = [one for one in taken.wave.problems if one.rule == "source-file-broken"]
    assert broken.place.startswith("line ")
    places = {entry.place: entry.reason for entry in taken.wave.lost}
    assert places["a.json: [3]"] == "elements that are no JSON objects"
    assert 'of type "zap"' in places["a.json: [4]"]
