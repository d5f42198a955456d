import json
from pathlib import Path
from typing import Any

import pytest
from imported import SAMPLES, Taken, take

from reporter.errors import RecordingError
from reporter.importers.pi import Pi
from reporter.importers.source import LocalFile, look_at
from reporter.models.records import (
    ErrorRecord,
    Message,
    SessionComplete,
    SessionNotice,
    StepFinish,
    ToolCall,
    ToolResult,
)

Json = dict[str, Any]

KILN = "0b0e6f52-7a51-4c55-8a6e-3f6d0f2a9c11"
ONE = "0b0e6f52-7a51-4c55-8a6e-000000000001"
TWO = "0b0e6f52-7a51-4c55-8a6e-000000000002"


def header(session_id: str = ONE, **more: Any) -> Json:
    return {
        "type": "session",
        "id": session_id,
        "timestamp": "2026-03-02T11:00:05.000Z",
        "cwd": "/work-of-rosa/kiln",
        **more,
    }


def said(words: Any, minute: int = 1, **more: Any) -> Json:
    message = {"role": "user", "content": words, "timestamp": 1_772_449_200_000 + minute}
    return line("message", minute, message=message, **more)


def answered(*blocks: Json, minute: int = 2, **more: Any) -> Json:
    message = {
        "role": "assistant",
        "content": list(blocks),
        "provider": more.pop("provider", "maker"),
        "model": more.pop("model", "model"),
        "usage": more.pop("usage", {"input": 5, "output": 2}),
        "stopReason": more.pop("stop", "stop"),
    }
    if "error" in more:
        message["errorMessage"] = more.pop("error")
    return line("message", minute, message=message, **more)


def result(call_id: str, minute: int = 3, **more: Any) -> Json:
    message = {
        "role": "toolResult",
        "toolCallId": call_id,
        "toolName": "x",
        "content": [{"type": "text", "text": "ok"}],
        "isError": more.pop("error", False),
    }
    return line("message", minute, message=message, **more)


def line(kind: str, minute: int, **more: Any) -> Json:
    return {"type": kind, "timestamp": f"2026-03-02T11:{minute:02}:00.000Z", **more}


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def call(call_id: str, name: str = "read") -> Json:
    return {"type": "toolCall", "id": call_id, "name": name, "arguments": {}}


def write(path: Path, *lines: Json) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    return path


def chained(*lines: Json) -> list[Json]:
    """Entries of the later versions, each under the one before it."""
    entries = []
    for at, one in enumerate(lines):
        above = None if at == 0 else f"e{at - 1}"
        entries.append({"id": f"e{at}", "parentId": above, **one})
    return entries


def of_type(taken: Taken, kind: type, session_id: str = ONE) -> list[Any]:
    return [one for one in taken.recordings[session_id].records if isinstance(one, kind)]


def lost(taken: Taken, words: str) -> int:
    return sum(one.count or 1 for one in taken.wave.lost if words in one.reason)


def notices(taken: Taken, kind: str, session_id: str = ONE) -> list[str]:
    return [one.message for one in of_type(taken, SessionNotice, session_id) if one.kind == kind]


@pytest.fixture(scope="module")
def kiln() -> Taken:
    return take(SAMPLES / "kiln.jsonl")


def test_the_sample_is_the_way_to_its_last_entry(kiln: Taken) -> None:
    assert dict(kiln.counts()) == {
        "sessions": 1,
        "messages": 7,
        "user turns": 1,
        "tool calls": 4,
        "tool results": 3,
        "tool errors": 1,
    }
    (branch,) = notices(kiln, "branch", KILN)
    assert branch == (
        "2 messages stand on a branch that was left (line 3, begun with "
        '"Fire the kiln to 900 degrees.").'
    )
    context = kiln.contexts[KILN]
    assert context.goal.goal == "Fire the kiln to 980 degrees."
    assert (context.target.label, context.target.model_id) == ("kiln", "maker-b/model-b")


def test_what_the_person_ran_is_the_persons_call(kiln: Taken) -> None:
    calls = of_type(kiln, ToolCall, KILN)
    assert [(one.tool_name, one.caller) for one in calls] == [
        ("set_kiln", None),
        ("read_kiln", None),
        ("bash", "persona"),
        ("set_kiln", None),
    ]
    assert calls[2].args == {"command": "kiln close-door", "exitCode": 0, "cancelled": False}
    results = {one.tool_call_id: one for one in of_type(kiln, ToolResult, KILN)}
    assert (results[calls[2].tool_call_id].result, results["k1"].is_error) == ("closed", True)
    assert "k3" not in results


def test_the_clients_words_are_nobodys_turn(kiln: Taken) -> None:
    messages = of_type(kiln, Message, KILN)
    assert [one.content for one in messages if one.role == "system"] == [
        "The kiln was set.",
        "The kiln is closed.",
    ]
    assert notices(kiln, "compaction", KILN) == ["The context was shortened, 50,000 tokens before."]
    assert len(notices(kiln, "model", KILN)) == 2
    kinds = {one.reason: one.kind for one in kiln.wave.lost}
    assert kinds['records of type "ember", unknown here'] == "unknownType"
    assert lost(kiln, "an extension keeps for itself") == 1


def test_steps_have_cached_tokens_and_one_spelling_of_their_end(kiln: Taken) -> None:
    first, second = of_type(kiln, StepFinish, KILN)
    assert (first.finish_reason, second.finish_reason) == ("tool_use", "aborted")
    assert first.usage.model_dump(exclude_none=True) == {
        "inputTokens": 135,
        "outputTokens": 20,
        "totalTokens": 155,
    }
    assert (first.provider, first.model_id) == ("maker-b", "model-b")


def test_the_person_stopped_it_at_the_end(kiln: Taken) -> None:
    (ending,) = of_type(kiln, SessionComplete, KILN)
    assert (ending.status, ending.end_reason, ending.error_code) == (
        "failed",
        "aborted",
        None,
    )
    assert "stopReason aborted" in ending.inferred["endReason"]


def test_one_clock_counts(tmp_path: Path) -> None:
    taken = take(write(tmp_path / "a.jsonl", header(), said("Hi.", 7), answered(text("Ho."))))
    first, second = of_type(taken, Message)
    # The header is later than the first message, as in a branched session.
    assert (first.at, second.at) == (1_772_449_620_000, 1_772_449_320_000)


def test_a_list_without_ids_is_all_session(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.jsonl",
        header(provider="maker", modelId="model-0"),
        said("One."),
        answered(call("a"), stop="toolUse"),
        result("a"),
        answered(text("Two.")),
        said([text("Three.")], 9),
    )
    taken = take(path)
    assert [one.turn_index for one in of_type(taken, Message)] == [0, 0, 0, 0, 1]
    assert taken.slot(ONE).attempt is None
    assert lost(taken, "branches") == 0


@pytest.mark.parametrize(
    ("stop", "status", "end"),
    [
        ("stop", "succeeded", "unknown"),
        ("length", "succeeded", "unknown"),
        ("aborted", "failed", "aborted"),
        ("error", "failed", "error"),
        ("toolUse", None, None),
        ("other", None, None),
    ],
)
def test_an_attempt_follows_from_the_last_step(
    tmp_path: Path, stop: str, status: str | None, end: str | None
) -> None:
    taken = take(
        write(tmp_path / "a.jsonl", header(), said("Hi."), answered(text("Ho"), stop=stop))
    )
    attempt = taken.slot(ONE).attempt
    assert (attempt.status if attempt else None) == status
    assert [one.end_reason for one in of_type(taken, SessionComplete)] == ([end] if end else [])


def test_a_failed_step_says_its_error(tmp_path: Path) -> None:
    lines = header(), said("Hi."), answered(stop="error", error="overloaded")
    taken = take(write(tmp_path / "a.jsonl", *lines))
    assert [one.message for one in of_type(taken, ErrorRecord)] == ["overloaded"]
    attempt = taken.slot(ONE).attempt
    assert attempt is not None
    assert attempt.error_message == "overloaded"


@pytest.mark.parametrize("stop", ["aborted", "stop"])
def test_no_tokens_at_all_are_unknown_and_not_none(tmp_path: Path, stop: str) -> None:
    usage = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "cost": {"total": 0}}
    lines = header(), said("Hi."), answered(stop=stop, usage=usage)
    taken = take(write(tmp_path / "a.jsonl", *lines))
    assert [one.usage for one in of_type(taken, StepFinish)] == [None]
    assert lost(taken, "costs") == 0


def test_the_goal_is_what_was_answered_and_not_what_was_stopped(tmp_path: Path) -> None:
    lines = header(), said("/mode"), answered(stop="aborted"), said("Fire."), answered(text("Yes."))
    assert take(write(tmp_path / "a.jsonl", *lines)).contexts[ONE].goal.goal == "Fire."


def test_the_model_of_most_steps_is_the_targets(tmp_path: Path) -> None:
    lines = [said("Hi."), answered(text("a"), model="first"), *[answered(text("b"))] * 2]
    taken = take(write(tmp_path / "a.jsonl", header(), *lines))
    assert taken.contexts[ONE].target.model_id == "maker/model"
    assert [one.model_id for one in of_type(taken, StepFinish)] == ["first", "model", "model"]


def test_a_branch_that_was_summed_up(tmp_path: Path) -> None:
    entries = chained(said("One."), answered(text("Two.")))
    back = line("branch_summary", 4, id="s", parentId="e0", fromId="e1", summary="Two was said.")
    more = said("Three.", 5, id="t", parentId="s")
    taken = take(write(tmp_path / "a.jsonl", header(version=3), *entries, back, more))
    words = [(one.role, one.content) for one in of_type(taken, Message)]
    assert words == [("user", "One."), ("system", "Two was said."), ("user", "Three.")]
    assert lost(taken, "branches that the person left") == 1


def test_a_missing_parent_is_bridged(tmp_path: Path) -> None:
    entries = chained(said("One."), answered(text("Two.")), said("Three."))
    taken = take(write(tmp_path / "a.jsonl", header(), entries[0], entries[2]))
    assert len(of_type(taken, Message)) == 2
    assert lost(taken, "whose parent is missing") == 1


def test_a_step_that_was_tried_again_is_still_a_step(tmp_path: Path) -> None:
    entries = chained(said("One."), answered(stop="error", error="x"), answered(text("Two.")))
    entries[2]["supersedesEntryIds"] = ["e1"]
    taken = take(write(tmp_path / "a.jsonl", header(), *entries))
    assert len(of_type(taken, StepFinish)) == 2
    assert len(notices(taken, "retry")) == 1


@pytest.mark.parametrize("key", ["parentSession", "branchedFrom"])
@pytest.mark.parametrize("ids", [True, False])
def test_entries_copied_to_a_branched_session_count_once(
    tmp_path: Path, key: str, ids: bool
) -> None:
    lines = [said("One."), answered(call("a"), stop="toolUse"), result("a"), answered(text("Two."))]
    lines = chained(*lines) if ids else lines
    write(tmp_path / "one.jsonl", header(ONE), *lines)
    more = [said("Three.", 20), answered(call("b"), stop="stop", minute=21)]
    if ids:
        more = [
            {"id": "n0", "parentId": "e3", **more[0]},
            {"id": "n1", "parentId": "n0", **more[1]},
        ]
    write(tmp_path / "two.jsonl", header(TWO, **{key: "/old/one.jsonl"}), *lines, *more)
    taken = take(tmp_path)
    assert [one.tool_call_id for one in of_type(taken, ToolCall)] == ["a"]
    assert [one.tool_call_id for one in of_type(taken, ToolCall, TWO)] == ["b"]
    assert notices(taken, "resumed", TWO) == [
        "It was branched: 4 entries count in the session before."
    ]
    assert lost(taken, "count in the session they were copied from") == 4


def test_a_branched_session_alone_keeps_everything(tmp_path: Path) -> None:
    lines = header(TWO, parentSession="/old/one.jsonl"), said("One."), answered(call("a"))
    taken = take(write(tmp_path / "two.jsonl", *lines))
    assert len(of_type(taken, ToolCall, TWO)) == 1
    assert notices(taken, "resumed", TWO) == [
        "It was branched from a session that is not in the source."
    ]


def test_a_result_without_call_and_a_second_result(tmp_path: Path) -> None:
    lines = said("One."), answered(call("a")), result("a"), result("a"), result("gone")
    taken = take(write(tmp_path / "a.jsonl", header(), *lines))
    assert [one.tool_call_id for one in of_type(taken, ToolResult)] == ["a"]
    assert (lost(taken, "of one call again"), lost(taken, "no recorded call")) == (1, 1)


def test_messages_of_other_kinds(tmp_path: Path) -> None:
    messages = [
        {"role": "custom", "content": "injected"},
        {"role": "hookMessage", "content": [text("hooked")]},
        {"role": "compactionSummary", "summary": "short", "tokensBefore": 5},
        {"role": "branchSummary", "summary": "left"},
        {"role": "oracle", "content": "?"},
        {"role": "user", "content": 7},
        {"role": "assistant", "content": [{"type": "toolCall", "id": "x"}]},
    ]
    lines = [line("message", at, message=one) for at, one in enumerate(messages)]
    taken = take(write(tmp_path / "a.jsonl", header(), *lines, said("Hi.")))
    texts = [one.content for one in of_type(taken, Message) if one.role == "system"]
    assert texts == ["injected", "hooked", "short", "left"]
    assert lost(taken, 'messages of type "oracle"') == 1
    assert lost(taken, "not what the format says") == 2


def test_a_file_without_header_or_messages(tmp_path: Path) -> None:
    taken = take(write(tmp_path / "a.jsonl", said("Hi."), answered(text("Ho."))))
    assert list(taken.recordings) == ["a"]
    assert taken.contexts["a"].target.label == "no target recorded"
    with pytest.raises(RecordingError, match="no message stands in it"):
        take(write(tmp_path / "b.jsonl", header()))


@pytest.mark.parametrize(
    ("first", "claimed"),
    [
        (header(), True),
        ({"type": "session", "version": 3, "id": "x", "timestamp": "t"}, True),
        ({"type": "session", "id": "x"}, False),
        ({"type": "wave", "format": "swarm-recording"}, False),
        ({"type": "session_start", "seq": 0, "runId": "r"}, False),
        ({"type": "message", "seq": 0, "role": "user"}, False),
        ({"type": "message", "uuid": "u", "parentUuid": None, "message": {"role": "user"}}, False),
    ],
)
def test_claims_are_exact(tmp_path: Path, first: Json, claimed: bool) -> None:
    path = write(tmp_path / "x.jsonl", first, first)
    assert Pi().claims(look_at(LocalFile(path, path.name, "x"))) is claimed
