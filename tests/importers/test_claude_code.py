import base64
import json
from pathlib import Path
from typing import Any

import pytest
from claude_logs import SESSION, ClaudeLog, text, usage, use
from imported import SAMPLES, Taken, take

from reporter.errors import RecordingError
from reporter.importers.claude_code import ClaudeCode
from reporter.importers.source import LocalFile, look_at
from reporter.models.records import (
    CatalogRecord,
    Connection,
    ErrorRecord,
    Message,
    SessionComplete,
    SessionNotice,
    StepFinish,
    ToolCall,
    ToolResult,
)


def of_type(taken: Taken, kind: type, session_id: str = SESSION) -> list[Any]:
    return [one for one in taken.recordings[session_id].records if isinstance(one, kind)]


def spoken(taken: Taken, session_id: str = SESSION) -> list[tuple[str, str]]:
    """Who said what: messages that count, in order."""
    return [
        (one.role, one.content)
        for one in of_type(taken, Message, session_id)
        if one.role != "system"
    ]


def aside(taken: Taken) -> list[str]:
    return [one.content for one in of_type(taken, Message) if one.role == "system"]


def notices(taken: Taken, kind: str, session_id: str = SESSION) -> list[str]:
    return [one.message for one in of_type(taken, SessionNotice, session_id) if one.kind == kind]


def lost(taken: Taken, words: str) -> int:
    return sum(one.count or 1 for one in taken.wave.lost if words in one.reason)


def log_of(tmp_path: Path, log: ClaudeLog, name: str = f"{SESSION}.jsonl") -> Taken:
    return take(log.write(tmp_path / name))


@pytest.fixture(scope="module")
def allotment() -> Taken:
    return take(SAMPLES / "claude-code")


# The whole session of the samples.


def test_the_sample_is_one_session_of_the_last_branch(allotment: Taken) -> None:
    assert dict(allotment.counts()) == {
        "sessions": 1,
        "messages": 24,
        "user turns": 3,
        "tool calls": 10,
        "tool results": 9,
        "tool errors": 3,
    }
    words = [content for role, content in spoken(allotment) if role == "user"]
    assert words == [
        "Reserve ten packets of beans for bed 3, and find out when the last frost is due here.",
        "Then release whatever is still reserved for bed 2.",
        "R-71 is for bed 4! Look the number up first.",
    ]
    (branch,) = notices(allotment, "branch")
    assert branch.startswith("5 messages stand on a branch that was left (line 6, begun with ")
    assert '"Reserve ten packets of leeks for bed 3."' in branch
    assert lost(allotment, "messages on branches that were left") == 5


def test_goal_target_and_persona(allotment: Taken) -> None:
    context = allotment.contexts[SESSION]
    assert context.goal.goal == (
        "Reserve ten packets of beans for bed 3, and find out when the last frost is due here."
    )
    assert set(context.goal.inferred or ()) == {"title", "goal"}
    assert (context.target.label, context.target.model_id) == ("allotment", "model-large")
    assert set(context.target.inferred or ()) == {"id", "label"}
    assert context.persona.name == "no persona recorded"
    assert context.run.max_turns is None
    assert context.run.rubric == []


def test_calls_of_mcp_servers_name_their_server(allotment: Taken) -> None:
    calls = {one.tool_call_id: one for one in of_type(allotment, ToolCall)}
    reserve = calls["toolu_reserve"]
    assert (reserve.tool_name, reserve.server_id) == ("mcp__seedbank__reserve", "seedbank")
    # The client writes the server into the name: that is recorded.
    assert reserve.inferred is None
    assert (calls["toolu_read"].tool_name, calls["toolu_read"].server_id) == ("Read", None)


def test_a_sub_agents_calls_are_the_assistants_in_the_turn_that_sent_it(allotment: Taken) -> None:
    calls = of_type(allotment, ToolCall)
    names = [one.tool_call_id for one in calls]
    assert names[:4] == ["toolu_search", "toolu_task", "toolu_s1", "toolu_s2"]
    assert {one.turn_index for one in calls[:4]} == {0}
    assert {one.caller for one in calls} == {None}
    (notice,) = notices(allotment, "subagent")
    assert notice.startswith('Sub-agent a7f05e, told "Find the date of the last frost')
    # What it was told and what it wrote is nobody's message: the call and its result say it.
    assert not any("Find the date" in content for _, content in spoken(allotment))


def test_usage_counts_once_a_message_with_what_the_cache_held(allotment: Taken) -> None:
    steps = of_type(allotment, StepFinish)
    assert (steps[0].response_id, steps[0].usage.input_tokens, steps[0].usage.output_tokens) == (
        "msg_a",
        4_200,
        140,
    )
    assert [one.model_id for one in steps[:5]] == [
        "model-large",
        "model-small",
        "model-small",
        "model-small",
        "model-large",
    ]
    assert len(steps) == 8 + 3


def test_an_error_of_the_protocol_keeps_its_code(allotment: Taken) -> None:
    (result,) = [r for r in of_type(allotment, ToolResult) if r.tool_call_id == "toolu_reserve"]
    assert (result.is_error, result.mcp_error_code) == (True, -32602)
    assert result.inferred == {"mcpErrorCode": "the text begins with MCP error <code>"}


def test_a_refused_call_is_no_servers_error(allotment: Taken) -> None:
    (result,) = [r for r in of_type(allotment, ToolResult) if r.tool_call_id == "toolu_release"]
    assert (result.is_error, result.policy_blocked, result.inferred) == (True, True, None)


def test_shortened_context_is_a_notice_and_its_summary_nobodys_words(allotment: Taken) -> None:
    assert notices(allotment, "compaction") == [
        "The context was shortened (auto), 1,900 tokens before."
    ]
    assert aside(allotment)[-1].startswith("This session is being continued")
    assert lost(allotment, "whose parent is missing") == 0


def test_stopped_at_the_end(allotment: Taken) -> None:
    (ending,) = of_type(allotment, SessionComplete)
    assert (ending.status, ending.end_reason, ending.error_code) == (
        "failed",
        "aborted",
        None,
    )
    slot = allotment.slot(SESSION)
    assert slot.attempt is not None
    assert slot.inferred == {"attempt": "the last that is recorded: the user stopped the assistant"}
    assert len(notices(allotment, "interrupted")) == 2


def test_servers_and_tools_that_the_client_lists(allotment: Taken) -> None:
    (catalog,) = of_type(allotment, CatalogRecord)
    assert [tool.name for tool in catalog.tools][:2] == [
        "mcp__seedbank__search_seeds",
        "mcp__seedbank__reserve",
    ]
    assert catalog.complete is False
    (failed,) = of_type(allotment, Connection)
    assert (failed.server_name, failed.outcome, failed.attributable) == (
        "frost-watch",
        "failed",
        "unknown",
    )
    assert failed.error.code == "ECONNREFUSED"


def test_the_log_alone_holds_no_calls_of_its_sub_agent() -> None:
    source = SAMPLES / "claude-code" / "allotment" / f"{SESSION}.jsonl"
    taken = take(source)
    assert len(of_type(taken, ToolCall)) == 8
    assert notices(taken, "subagent") == []


# The tree.


def test_edited_twice_the_last_one_counts(tmp_path: Path) -> None:
    log = ClaudeLog()
    root = log.user("First.", None)
    log.assistant(text("One."), stop_reason="end_turn")
    log.user("Second.", root)
    log.assistant(text("Two."), stop_reason="end_turn")
    log.user("Third.", root)
    log.assistant(text("Three."), stop_reason="end_turn")
    taken = log_of(tmp_path, log)
    assert [content for _, content in spoken(taken)] == ["First.", "Third.", "Three."]
    assert len(notices(taken, "branch")) == 2
    assert lost(taken, "messages on branches") == 3


def test_a_new_root_leaves_the_whole_tree_before(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("First.", None)
    log.assistant(text("One."))
    log.user("Instead.", None)
    log.assistant(text("Two."))
    taken = log_of(tmp_path, log)
    assert [content for _, content in spoken(taken)] == ["Instead.", "Two."]
    assert lost(taken, "messages on branches") == 2


def test_results_of_parallel_calls_hang_beside_the_path_and_belong_to_it(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("Both, please.", None)
    first = log.assistant(use("a", "Read", path="1"), of="m", stop_reason="tool_use")
    second = log.assistant(use("b", "Read", path="2"), of="m", stop_reason="tool_use")
    log.result("a", "one", first)
    log.result("b", "two", second)
    log.assistant(text("Done."), stop_reason="end_turn")
    taken = log_of(tmp_path, log)
    assert [one.tool_call_id for one in of_type(taken, ToolResult)] == ["a", "b"]
    assert lost(taken, "branches") == 0
    assert len(of_type(taken, StepFinish)) == 2


def test_a_missing_parent_is_bridged_and_said(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("Hello.", None)
    log.assistant(text("Hi."))
    log.user("Go on.", "gone")
    log.assistant(text("Gladly."), stop_reason="end_turn")
    taken = log_of(tmp_path, log)
    assert len(spoken(taken)) == 4
    assert lost(taken, "whose parent is missing") == 1


def test_a_first_record_under_one_elsewhere_says_so(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("Go on.", "in-another-file")
    log.assistant(text("Gladly."))
    taken = log_of(tmp_path, log)
    assert notices(taken, "resumed") == [
        "What the first record follows is in no file of the source."
    ]
    assert lost(taken, "whose parent is missing") == 0


@pytest.mark.parametrize("logical", ["r-2", "gone", None])
def test_what_stood_before_a_boundary_is_kept_whatever_it_names(
    tmp_path: Path, logical: str | None
) -> None:
    log = ClaudeLog()
    log.user("Hello.", None)
    log.assistant(text("Hi."))
    log.add("system", None, subtype="compact_boundary", logicalParentUuid=logical, content="x")
    log.user("A summary.", isCompactSummary=True)
    log.user("Go on.")
    log.assistant(text("Gladly."))
    taken = log_of(tmp_path, log)
    assert [content for _, content in spoken(taken)] == ["Hello.", "Hi.", "Go on.", "Gladly."]
    assert aside(taken) == ["A summary."]
    assert lost(taken, "branches") == 0


def test_what_was_kept_may_stand_behind_the_boundary_that_it_was_before(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("Hello.", None)
    log.assistant(text("Hi."))
    log.user("Go on.")
    log.add("system", None, subtype="compact_boundary", logicalParentUuid="kept", content="x")
    log.user("A summary.", isCompactSummary=True)
    log.assistant(text("I went on."), uuid="kept")
    log.user("Bye.")
    log.assistant(text("Bye."))
    taken = log_of(tmp_path, log)
    words = [content for _, content in spoken(taken)]
    assert words == ["Hello.", "Hi.", "Go on.", "I went on.", "Bye.", "Bye."]
    assert lost(taken, "branches") == 0


def test_an_old_summary_without_boundary_is_no_new_root(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("Hello.", None)
    log.assistant(text("Hi."))
    log.user("This session is being continued from a previous conversation that ran out.", None)
    log.records[-1]["isCompactSummary"] = True
    log.assistant(text("Gladly."))
    taken = log_of(tmp_path, log)
    assert [content for _, content in spoken(taken)] == ["Hello.", "Hi.", "Gladly."]


def test_a_circle_of_parents_ends(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("Hello.", "r-2")
    log.assistant(text("Hi."), under="r-1")
    assert len(spoken(log_of(tmp_path, log))) == 2


def test_what_the_client_took_back_is_not_said(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("Hello.", None)
    refused = log.assistant(text("I must not."))
    log.assistant(text("Hi."), supersedesUuids=[refused])
    taken = log_of(tmp_path, log)
    assert [content for _, content in spoken(taken)] == ["Hello.", "Hi."]
    assert lost(taken, "took back") == 1


# Who spoke.


@pytest.mark.parametrize(
    ("content", "more", "rule"),
    [
        ("Injected.", {"isMeta": True}, None),
        ("Injected.", {"isCompactSummary": True}, None),
        ("Injected.", {"isVisibleInTranscriptOnly": True}, None),
        ("A task ended.", {"origin": {"kind": "task-notification"}}, None),
        ("Injected.", {"origin": {"kind": "peer"}}, None),
        ("<local-command-stdout>ok</local-command-stdout>", {}, "author"),
        ("<local-command-stderr>no</local-command-stderr>", {}, "author"),
        ("<bash-input>ls</bash-input>", {}, "author"),
        ("<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>", {}, "author"),
        ("<task-notification><task-id>x</task-id></task-notification>", {}, "author"),
        ("<command-name>/clear</command-name>", {}, "author"),
        ("<system-reminder>Mind the gap.</system-reminder>", {}, "author"),
        ('<teammate-message teammate_id="a">x</teammate-message>', {}, "author"),
        (
            "Caveat: The messages below were generated by the user while running local x",
            {},
            "author",
        ),
        ("This session is being continued from a previous conversation. Sum.", {}, "author"),
    ],
)
def test_what_is_not_the_persons(
    tmp_path: Path, content: str, more: dict[str, Any], rule: str | None
) -> None:
    log = ClaudeLog()
    log.user("Hello.", None)
    log.user(content, **more)
    log.user("Bye.")
    log.assistant(text("Bye."))
    taken = log_of(tmp_path, log)
    assert [words for role, words in spoken(taken) if role == "user"] == ["Hello.", "Bye."]
    (own,) = [one for one in of_type(taken, Message) if one.role == "system"]
    assert own.content == content
    assert set(own.inferred or ()) == ({rule} if rule else set())


def test_a_reminder_inside_of_what_was_said_is_taken_out(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("<system-reminder>\nA\n</system-reminder>\nHello.", None)
    log.user([text("<ide_opened_file>x.py</ide_opened_file>"), text("Look at x.")])
    log.assistant(text("Hi."))
    taken = log_of(tmp_path, log)
    assert [words for role, words in spoken(taken) if role == "user"] == ["Hello.", "Look at x."]
    assert all(
        "content" in (one.inferred or {}) for one in of_type(taken, Message) if one.role == "user"
    )
    assert len(aside(taken)) == 2


def test_angle_brackets_of_a_person_stay(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("Is <b>this</b> bold?\n", None)
    log.assistant(text("Yes."))
    taken = log_of(tmp_path, log)
    assert spoken(taken)[0] == ("user", "Is <b>this</b> bold?\n")
    assert of_type(taken, Message)[0].inferred is None


def test_a_command_that_reaches_the_model_is_what_the_person_asked(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user(
        "<command-message>review is running…</command-message>\n"
        "<command-name>/review</command-name>\n<command-args>pull 12</command-args>",
        None,
    )
    log.user([text("You are a reviewer. Review pull 12.")], isMeta=True)
    log.assistant(text("It is fine."), stop_reason="end_turn")
    taken = log_of(tmp_path, log)
    assert spoken(taken)[0] == ("user", "/review pull 12")
    assert taken.contexts[SESSION].goal.title == "/review pull 12"
    assert set(of_type(taken, Message)[0].inferred) == {"content"}


def test_a_command_of_the_client_is_no_turn_though_a_caveat_follows(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("<command-name>/model</command-name>", None)
    log.user("<local-command-caveat>Caveat: do not answer</local-command-caveat>", isMeta=True)
    log.user("Hello.")
    log.assistant(text("Hi."))
    assert spoken(log_of(tmp_path, log))[0] == ("user", "Hello.")


def test_words_typed_while_it_worked_are_the_persons(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("Hello.", None)
    log.assistant(use("a", "Read"), stop_reason="tool_use")
    log.result("a")
    log.add(
        "attachment",
        attachment={"type": "queued_command", "prompt": "Hurry up.", "commandMode": "prompt"},
    )
    log.add(
        "attachment",
        attachment={
            "type": "queued_command",
            "prompt": "<task-notification>x</task-notification>",
            "commandMode": "task-notification",
        },
    )
    log.assistant(text("Done."))
    taken = log_of(tmp_path, log)
    assert [words for role, words in spoken(taken) if role == "user"] == ["Hello.", "Hurry up."]
    assert [one.turn_index for one in of_type(taken, StepFinish)] == [0, 1]


@pytest.mark.parametrize("recorded", [None, "user", "attachment"])
def test_words_that_only_the_queue_holds_are_the_persons_once(
    tmp_path: Path, recorded: str | None
) -> None:
    log = ClaudeLog()
    log.user("Hello.", None)
    log.assistant(use("a", "Read"), stop_reason="tool_use")
    log.line("queue-operation", operation="enqueue", content="Hurry up.", sessionId=SESSION)
    log.line("queue-operation", operation="remove", content="Hurry up.", sessionId=SESSION)
    log.result("a")
    if recorded == "user":
        log.user("Hurry up.")
    elif recorded == "attachment":
        log.add("attachment", attachment={"type": "queued_command", "prompt": "Hurry up."})
    log.assistant(text("Done."))
    taken = log_of(tmp_path, log)
    assert [words for role, words in spoken(taken) if role == "user"] == ["Hello.", "Hurry up."]


def test_a_goal_is_the_first_words_that_were_answered(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("Wrong.", None)
    log.user("[Request interrupted by user]")
    log.user("Right.")
    log.assistant(text("Yes."))
    assert log_of(tmp_path, log).contexts[SESSION].goal.goal == "Right."


# The assistant's messages.


def test_records_of_one_message_are_one_message_with_one_usage(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("Hello.", None)
    log.assistant({"type": "thinking", "thinking": "hm"}, of="m", usage=usage(10, 1))
    log.assistant(text("Hi"), of="m", usage=usage(10, 2))
    log.assistant(text("Hi there."), of="m", usage=usage(10, 4))
    log.assistant(use("a", "Read"), of="m", usage=usage(10, 9), stop_reason="tool_use")
    log.assistant(use("a", "Read"), of="m", usage=usage(10, 9), stop_reason="tool_use")
    log.result("a")
    log.assistant(text("Done."), stop_reason="end_turn")
    taken = log_of(tmp_path, log)
    assert [words for role, words in spoken(taken) if role == "assistant"] == ["Hi there.", "Done."]
    assert len(of_type(taken, ToolCall)) == 1
    first, _ = of_type(taken, StepFinish)
    assert (first.usage.input_tokens, first.usage.output_tokens) == (10, 9)
    assert first.finish_reason == "tool_use"
    assert lost(taken, "of one id again") == 1
    assert lost(taken, "reasoning") == 1


def test_a_provider_that_gives_every_message_one_id(tmp_path: Path) -> None:
    log = ClaudeLog()
    root = log.user("Left.", None)
    log.assistant(text("Left too."), of="m")
    root = log.user("Hello.", None)
    log.assistant(text("Hi."), of="m", usage=usage(1, 1))
    log.user("And?")
    log.assistant(text("Nothing."), of="m", usage=usage(2, 2))
    log.user("Never said.", root)
    log.assistant(text("Never answered."), of="m")
    log.user("Really?", "r-6")
    log.assistant(text("Really."), of="m", usage=usage(3, 3))
    taken = log_of(tmp_path, log)
    assert [words for _, words in spoken(taken)] == [
        "Hello.",
        "Hi.",
        "And?",
        "Nothing.",
        "Really?",
        "Really.",
    ]
    assert [one.usage.input_tokens for one in of_type(taken, StepFinish)] == [1, 2, 3]


def test_a_copy_of_the_result_beside_it_is_no_second_result(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("Hello.", None)
    log.assistant(use("a", "Bash", command="ls"), stop_reason="tool_use")
    log.result("a", "x", toolUseResult={"stdout": "x", "stderr": "", "interrupted": False})
    log.assistant(text("x"), stop_reason="end_turn")
    taken = log_of(tmp_path, log)
    (result,) = of_type(taken, ToolResult)
    assert (result.result, result.is_error, result.inferred) == ("x", False, None)


@pytest.mark.parametrize(
    ("name", "content", "more", "blocked", "client", "inferred"),
    [
        ("Bash", "no such file", {}, None, None, set()),
        ("Bash", "x", {"toolDenialKind": "permission-rule"}, True, None, set()),
        ("Bash", "x", {"toolDenialKind": "interrupted"}, None, "client", set()),
        (
            "Bash",
            "The user doesn't want to proceed with this tool use. The tool use was rejected",
            {},
            True,
            None,
            {"policyBlocked"},
        ),
        (
            "mcp__a__b",
            "Claude requested permissions to use mcp__a__b, but you haven't granted it yet.",
            {},
            True,
            None,
            {"policyBlocked"},
        ),
        (
            "Bash",
            "[Request interrupted by user for tool use]",
            {},
            None,
            "client",
            {"answeredBy"},
        ),
        (
            "nothing",
            "<tool_use_error>Error: No such tool available: nothing</tool_use_error>",
            {},
            None,
            "client",
            {"answeredBy"},
        ),
        (
            "mcp__a__b",
            "<tool_use_error>InputValidationError: mcp__a__b failed</tool_use_error>",
            {},
            None,
            "client",
            {"answeredBy"},
        ),
        (
            "Edit",
            "<tool_use_error>File has not been read yet.</tool_use_error>",
            {},
            None,
            None,
            set(),
        ),
        ("Bash", "MCP error -32000: closed", {}, None, None, set()),
    ],
)
def test_whose_error_a_result_is(
    tmp_path: Path,
    name: str,
    content: str,
    *,
    more: dict[str, Any],
    blocked: bool | None,
    client: str | None,
    inferred: set[str],
) -> None:
    log = ClaudeLog()
    log.user("Hello.", None)
    log.assistant(use("a", name), stop_reason="tool_use")
    log.result("a", content, is_error=True, **more)
    log.assistant(text("Oh."))
    (result,) = of_type(log_of(tmp_path, log), ToolResult)
    assert result.is_error is True
    assert (result.policy_blocked, result.answered_by) == (blocked, client)
    assert set(result.inferred or ()) == inferred


def test_an_error_of_the_api_is_not_what_the_assistant_said(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("Hello.", None)
    log.assistant(
        text("API Error: Rate limit reached"),
        model="<synthetic>",
        usage=usage(0, 0),
        isApiErrorMessage=True,
        error="rate_limit",
        apiErrorStatus=429,
    )
    taken = log_of(tmp_path, log)
    assert spoken(taken) == [("user", "Hello.")]
    (error,) = of_type(taken, ErrorRecord)
    assert (error.message, error.code) == ("API Error: Rate limit reached", "rate_limit")
    assert of_type(taken, StepFinish) == []
    slot = taken.slot(SESSION)
    assert slot.attempt is not None
    assert (slot.attempt.status, slot.attempt.error_code) == ("rate_limited", "rate_limit")


def test_a_retry_after_an_error_is_a_notice_and_the_session_goes_on(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("Hello.", None)
    log.add(
        "system", subtype="api_error", error={"error": {"message": "Overloaded"}}, retryAttempt=2
    )
    log.assistant(text("Hi."), stop_reason="end_turn")
    taken = log_of(tmp_path, log)
    assert notices(taken, "api_error") == ["Overloaded (attempt 2)"]
    attempt = taken.slot(SESSION).attempt
    assert attempt is not None
    assert attempt.status == "succeeded"


def test_what_the_client_says_in_the_assistants_place_is_the_clients(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("Hello.", None)
    log.assistant(text("No response requested."), model="<synthetic>", usage=usage(0, 0))
    taken = log_of(tmp_path, log)
    assert aside(taken) == ["No response requested."]
    assert taken.slot(SESSION).attempt is None


@pytest.mark.parametrize(
    ("blocks", "reason", "status", "rule"),
    [
        ([text("Done.")], "end_turn", "succeeded", "the assistant's last step ended its turn"),
        ([text("Done.")], None, "succeeded", "the assistant's last message asks for no tool"),
        ([text("Do"), use("a", "Read")], "tool_use", None, None),
        ([use("a", "Read")], None, None, None),
    ],
)
def test_an_attempt_follows_from_the_last_message_or_is_unknown(
    tmp_path: Path, blocks: list[Any], reason: str | None, status: str | None, rule: str | None
) -> None:
    log = ClaudeLog()
    log.user("Hello.", None)
    log.assistant(*blocks, stop_reason=reason)
    slot = log_of(tmp_path, log).slot(SESSION)
    assert (slot.attempt.status if slot.attempt else None) == status
    assert (slot.inferred or {}).get("attempt") == rule


def test_tokens_that_were_never_counted_are_unknown(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("Hello.", None)
    log.assistant(text("Hi."), usage=usage(0, 0))
    (step,) = of_type(log_of(tmp_path, log), StepFinish)
    assert step.usage is None


def test_pictures_are_kept_by_their_digest(tmp_path: Path) -> None:
    data = base64.b64encode(b"a picture").decode()
    source = {"type": "base64", "media_type": "image/png", "data": data}
    log = ClaudeLog()
    log.user([text("Look."), {"type": "image", "source": source}], None)
    log.assistant(use("a", "Read"), {"type": "fallback", "from": {}})
    log.result("a", [{"type": "image", "source": source}, {"type": "tool_reference"}])
    taken = log_of(tmp_path, log)
    said = of_type(taken, Message)[0].content
    assert [part.kind for part in said] == ["text", "image"]
    assert (said[1].mime_type, said[1].bytes) == ("image/png", 9)
    (result,) = of_type(taken, ToolResult)
    assert [part["kind"] for part in result.result] == ["image", "other"]
    assert data not in "".join(one.model_dump_json() for one in taken.recordings[SESSION].records)


def test_tools_of_the_provider_answer_in_the_same_message(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("Search.", None)
    log.assistant(
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "s", "content": "found"},
        {"type": "mcp_tool_use", "id": "m", "server_name": "kb", "name": "find", "input": {}},
        {"type": "mcp_tool_result", "tool_use_id": "m", "is_error": True, "content": [text("no")]},
        text("There."),
    )
    taken = log_of(tmp_path, log)
    assert [(one.tool_name, one.server_id) for one in of_type(taken, ToolCall)] == [
        ("web_search", None),
        ("mcp__kb__find", "kb"),
    ]
    assert [(one.result, one.is_error) for one in of_type(taken, ToolResult)] == [
        ("found", False),
        ("no", True),
    ]


def test_a_result_without_its_call_is_nobodys(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.result("gone", "x", None)
    taken = log_of(tmp_path, log)
    assert spoken(taken) == [("tool", "x")]
    assert of_type(taken, ToolResult) == []
    assert lost(taken, "answer no recorded call") == 1


def test_calls_that_are_none_are_counted(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("Hello.", None)
    log.assistant({"type": "tool_use", "id": "a", "name": None, "input": {}}, use("b", "Read"))
    log.result("b", {"not": "content"})
    taken = log_of(tmp_path, log)
    assert [one.tool_call_id for one in of_type(taken, ToolCall)] == ["b"]
    assert lost(taken, "not what the format says: the call names no tool") == 1


# Sub-agents.


def agent_log(name: str, brief: str, **more: Any) -> ClaudeLog:
    log = ClaudeLog(agent=name, **more)
    log.user(brief, None)
    log.assistant(use(f"{name}-call", "Read"), stop_reason="tool_use", usage=usage(3, 1))
    log.result(f"{name}-call", "inside")
    log.assistant(text("It says inside."), usage=usage(4, 1))
    return log


def main_log(*briefs: str) -> ClaudeLog:
    log = ClaudeLog()
    log.user("Hello.", None)
    log.assistant(
        *(use(f"t{at}", "Task", prompt=brief) for at, brief in enumerate(briefs)),
        stop_reason="tool_use",
    )
    for at, _ in enumerate(briefs):
        log.result(f"t{at}", "It says inside.")
    log.user("And now?")
    log.assistant(text("Done."), stop_reason="end_turn")
    return log


@pytest.mark.parametrize(
    "where",
    ["agent-x.jsonl", f"{SESSION}/subagents/agent-x.jsonl", f"{SESSION}/subagents/w/agent-x.jsonl"],
)
def test_a_sub_agents_file_beside_or_below_is_the_sessions(tmp_path: Path, where: str) -> None:
    main_log("Look inside.").write(tmp_path / f"{SESSION}.jsonl")
    agent_log("x", "Look inside.").write(tmp_path / where)
    taken = take(tmp_path)
    assert list(taken.recordings) == [SESSION]
    calls = of_type(taken, ToolCall)
    assert [(one.tool_call_id, one.turn_index) for one in calls] == [("t0", 0), ("x-call", 0)]
    assert len(of_type(taken, StepFinish)) == 4


def test_a_sub_agent_inside_of_the_log_is_told_by_its_mark(tmp_path: Path) -> None:
    log, inner = main_log("Look inside."), agent_log("x", "Look inside.")
    for record in inner.records:
        del record["agentId"]
    log.records[2:2] = inner.records
    taken = log_of(tmp_path, log)
    assert [one.tool_call_id for one in of_type(taken, ToolCall)] == ["t0", "x-call"]
    assert [words for role, words in spoken(taken) if role == "user"] == ["Hello.", "And now?"]


def test_a_result_may_name_its_sub_agent_as_its_own(tmp_path: Path) -> None:
    log = main_log("Look inside.")
    log.records[2]["agentId"] = "x"
    log.write(tmp_path / f"{SESSION}.jsonl")
    agent_log("x", "Said otherwise.").write(tmp_path / "agent-x.jsonl")
    assert [one.tool_call_id for one in of_type(take(tmp_path), ToolCall)] == ["t0", "x-call"]


def test_equal_briefs_take_one_sub_agent_each(tmp_path: Path) -> None:
    main_log("Look.", "Look.").write(tmp_path / f"{SESSION}.jsonl")
    agent_log("x", "Look.").write(tmp_path / "agent-x.jsonl")
    agent_log("y", "Look.").write(tmp_path / "agent-y.jsonl")
    calls = [one.tool_call_id for one in of_type(take(tmp_path), ToolCall)]
    assert calls == ["t0", "t1", "x-call", "y-call"]


def test_a_sub_agent_that_nobody_is_known_to_have_sent_counts_once(tmp_path: Path) -> None:
    main_log("Look inside.").write(tmp_path / f"{SESSION}.jsonl")
    agent_log("x", "Something else.", clock=30).write(tmp_path / "agent-x.jsonl")
    taken = take(tmp_path)
    assert [one.tool_call_id for one in of_type(taken, ToolCall)] == ["t0", "x-call"]


def test_a_sub_agent_sent_from_a_branch_that_was_left_is_left_with_it(tmp_path: Path) -> None:
    log = ClaudeLog()
    root = log.user("Hello.", None)
    log.assistant(use("t0", "Task", prompt="Look inside."), stop_reason="tool_use")
    log.user("Do it yourself.", root)
    log.assistant(text("I did."))
    log.write(tmp_path / f"{SESSION}.jsonl")
    agent_log("x", "Look inside.").write(tmp_path / "agent-x.jsonl")
    taken = take(tmp_path)
    assert of_type(taken, ToolCall) == []
    assert lost(taken, "sent to work on a branch that was left") == 1


def test_a_sub_agent_may_send_another(tmp_path: Path) -> None:
    main_log("Outer.").write(tmp_path / f"{SESSION}.jsonl")
    outer = ClaudeLog(agent="x")
    outer.user("Outer.", None)
    outer.assistant(use("x-task", "Agent", prompt="Inner."), stop_reason="tool_use")
    outer.result("x-task", "ok", toolUseResult={"agentId": "y"})
    outer.write(tmp_path / "agent-x.jsonl")
    agent_log("y", "Said otherwise.").write(tmp_path / "agent-y.jsonl")
    calls = [one.tool_call_id for one in of_type(take(tmp_path), ToolCall)]
    assert calls == ["t0", "x-task", "y-call"]


def test_a_sub_agents_file_alone_is_a_session_of_calls(tmp_path: Path) -> None:
    agent_log("x", "Look inside.").write(tmp_path / "agent-x.jsonl")
    taken = take(tmp_path)
    assert [one.tool_call_id for one in of_type(taken, ToolCall)] == ["x-call"]
    assert taken.contexts[SESSION].goal.title == "no goal recorded"
    assert taken.counts()["user turns"] == 0


# Several files.

OTHER = "5eedba11-0000-4000-8000-000000000002"


def resumed(base: ClaudeLog, **more: Any) -> ClaudeLog:
    """A log that repeats another one's records and goes on."""
    records = [{**record, **more} for record in base.records]
    log = ClaudeLog(OTHER, records, None, base.latest, base.clock)
    log.user("Once more.")
    log.assistant(use("again", "Read"), stop_reason="tool_use")
    log.result("again")
    log.assistant(text("Done again."), stop_reason="end_turn")
    return log


@pytest.mark.parametrize(
    "more",
    [
        {"sessionId": OTHER},
        {},
        {"sessionId": OTHER, "forkedFrom": {"sessionId": SESSION, "messageUuid": "x"}},
    ],
)
def test_records_that_a_resumed_session_repeats_count_once(
    tmp_path: Path, more: dict[str, Any]
) -> None:
    base = main_log("Look.")
    base.write(tmp_path / f"{SESSION}.jsonl")
    resumed(base, **more).write(tmp_path / f"{OTHER}.jsonl")
    taken = take(tmp_path)
    assert sorted(taken.recordings) == [SESSION, OTHER]
    assert [one.tool_call_id for one in of_type(taken, ToolCall)] == ["t0"]
    assert [one.tool_call_id for one in of_type(taken, ToolCall, OTHER)] == ["again"]
    assert spoken(taken, OTHER)[0] == ("user", "Once more.")
    (notice,) = notices(taken, "resumed", OTHER)
    assert notice.startswith(f"It goes on from session {SESSION}")
    # Copies that still name their own session are that session's records once more.
    again = "count in the session they were copied from" if more else "stand in the logs more"
    assert lost(taken, again) == 5


def test_a_resumed_session_alone_keeps_what_it_repeats(tmp_path: Path) -> None:
    taken = log_of(tmp_path, resumed(main_log("Look."), sessionId=OTHER), f"{OTHER}.jsonl")
    assert [one.tool_call_id for one in of_type(taken, ToolCall, OTHER)] == ["t0", "again"]


def test_two_sessions_in_one_file_are_two(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("Hello.", None)
    log.assistant(text("Hi."), stop_reason="end_turn")
    other = ClaudeLog(OTHER)
    other.user("Bye.", None, uuid="o-1")
    other.line("marble")
    log.records.extend(other.records)
    taken = log_of(tmp_path, log, "both.jsonl")
    assert (spoken(taken), spoken(taken, OTHER)) == (
        [("user", "Hello."), ("assistant", "Hi.")],
        [("user", "Bye.")],
    )
    assert notices(taken, "resumed", OTHER) == []
    assert lost(taken, 'records of type "marble"') == 1


def test_an_older_copy_of_the_same_log_adds_nothing(tmp_path: Path) -> None:
    base = main_log("Look.")
    base.write(tmp_path / f"{SESSION}.jsonl")
    older = ClaudeLog(SESSION, base.records[:3])
    older.write(tmp_path / "backup" / f"{SESSION}.jsonl")
    taken = take(tmp_path)
    assert [one.tool_call_id for one in of_type(taken, ToolCall)] == ["t0"]
    assert lost(taken, "stand in the logs more than once") == 3


def test_a_fork_that_was_never_used_is_no_session(tmp_path: Path) -> None:
    base = main_log("Look.")
    base.write(tmp_path / f"{SESSION}.jsonl")
    copies = [{**record, "sessionId": OTHER} for record in base.records]
    ClaudeLog(OTHER, copies).write(tmp_path / f"{OTHER}.jsonl")
    taken = take(tmp_path)
    assert len(taken.recordings) == 1
    assert lost(taken, "so there is no session of its own") == 1


def test_files_that_share_nothing_are_read_apart(tmp_path: Path) -> None:
    main_log("Look.").write(tmp_path / f"{SESSION}.jsonl")
    other = ClaudeLog(OTHER)
    other.user("Hello.", None, uuid="other-1")
    other.write(tmp_path / f"{OTHER}.jsonl")
    taken = take(tmp_path)
    assert len(taken.wave.units()) == 2
    assert len(taken.recordings) == 2


# Lines.


def test_unknown_lines_are_counted_by_type_and_known_ones_as_bookkeeping(tmp_path: Path) -> None:
    log = main_log("Look.")
    log.line("marble", x=1)
    log.line("marble", x=2)
    log.line("ai-title", aiTitle="x", sessionId=SESSION)
    log.records.append({"no": "type"})
    taken = log_of(tmp_path, log)
    found = {(one.kind, one.reason): one.count for one in taken.wave.lost}
    assert found["unknownType", 'records of type "marble", unknown here'] == 2
    assert found["unknownType", 'records of type "none", unknown here'] == 1
    assert lost(taken, "the client keeps for itself") == 1


def test_what_the_client_once_wrote_into_the_tree_joins_it(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("Hello.", None)
    log.add("progress", data={"type": "hook_progress"})
    log.assistant(text("Hi."))
    taken = log_of(tmp_path, log)
    assert len(spoken(taken)) == 2
    assert lost(taken, "the client keeps for itself") == 1


def test_a_last_line_that_is_still_being_written(tmp_path: Path) -> None:
    path = main_log("Look.").write(tmp_path / f"{SESSION}.jsonl")
    path.write_bytes(path.read_bytes()[:-20])
    taken = take(path)
    assert [(one.rule, one.severity) for one in taken.wave.problems] == [
        ("source-file-broken", "note")
    ]
    assert not taken.manifest.terminal
    assert taken.slot(SESSION).attempt is None
    assert not taken.recordings[SESSION].damaged
    assert len(of_type(taken, ToolCall)) == 1


def test_a_line_that_is_broken_leaves_the_rest_and_marks_the_session(tmp_path: Path) -> None:
    path = main_log("Look.").write(tmp_path / f"{SESSION}.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    lines[1] = b'{"type": "assis\n'
    path.write_bytes(b"".join(lines))
    taken = take(path)
    recording = taken.recordings[SESSION]
    assert recording.damaged
    assert [(one.rule, one.place) for one in recording.problems] == [("unreadable-line", "line 2")]
    assert [words for role, words in spoken(taken) if role == "user"] == ["Hello.", "And now?"]


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([{"type": "summary", "summary": "x", "leafUuid": "y"}], "no record of a conversation"),
        (
            [{"type": "queue-operation", "operation": "enqueue", "sessionId": SESSION}],
            "no record of a conversation",
        ),
    ],
)
def test_a_file_without_a_conversation_says_why(
    tmp_path: Path, records: list[Any], said: str
) -> None:
    path = ClaudeLog(SESSION, records).write(tmp_path / "a.jsonl")
    with pytest.raises(RecordingError, match=said):
        take(path)


def test_only_the_client_speaking_is_no_session(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("<command-name>/model</command-name>", None)
    log.user("<local-command-stdout>ok</local-command-stdout>")
    with pytest.raises(RecordingError, match="only the client speaks"):
        log_of(tmp_path, log)


@pytest.mark.parametrize(
    ("line", "claimed"),
    [
        ({"type": "user", "uuid": "a", "parentUuid": None, "sessionId": "s"}, True),
        ({"type": "user", "uuid": "a", "parentUuid": None, "isSidechain": False}, True),
        ({"type": "user", "uuid": "a", "sessionId": "s"}, False),
        ({"type": "message", "seq": 0, "uuid": "a", "parentUuid": None, "sessionId": "s"}, False),
        ({"type": "summary", "summary": "x"}, False),
        ({"type": "session", "id": "a", "timestamp": "t", "cwd": "/"}, False),
    ],
)
def test_claims_are_exact(tmp_path: Path, line: dict[str, Any], claimed: bool) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(line) + "\n")
    assert ClaudeCode().claims(look_at(LocalFile(path, path.name, "x"))) is claimed


def test_a_first_line_longer_than_the_look_is_still_known(tmp_path: Path) -> None:
    log = ClaudeLog()
    log.user("x" * 100_000, None)
    log.assistant(text("Long."))
    taken = log_of(tmp_path, log)
    assert len(spoken(taken)) == 2
