from typing import Any

import pytest

from reporter.importers.conversation import MESSAGE_LIMIT, BrokenElementError, Conversation
from reporter.models.records import (
    RECORD,
    Message,
    OtherPart,
    Record,
    SessionNotice,
    ToolCall,
    ToolResult,
)


def ids_of(wanted: list[str]) -> list[str]:
    conversation = Conversation()
    for call_id in wanted:
        conversation.call(call_id, "f", {})
    return [record.tool_call_id for record in conversation.records if record.type == "tool_call"]


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        (["a", "b"], ["a", "b"]),
        (["a", "a", "a"], ["a", "a#2", "a#3"]),
        (["a", "b", "a", "b"], ["a", "b", "a#2", "b#2"]),
        (["a#2", "a", "a"], ["a#2", "a", "a#3"]),
        (["a", "a", "a#2"], ["a", "a#2", "a#2#2"]),
    ],
)
def test_call_ids(wanted: list[str], given: list[str]) -> None:
    assert ids_of(wanted) == given


def test_a_result_answers_the_latest_call_of_its_id() -> None:
    conversation = Conversation()
    conversation.call("a", "f", {})
    conversation.call("a", "f", {})
    conversation.tool("a", "second")
    conversation.call("a", "f", {})
    conversation.tool("a", "third")
    results = [record for record in conversation.records if record.type == "tool_result"]
    assert [(one.tool_call_id, one.result) for one in results] == [
        ("a#2", "second"),
        ("a#3", "third"),
    ]


@pytest.mark.parametrize(
    ("arguments", "args", "raw"),
    [
        ({"a": 1}, {"a": 1}, None),
        ('{"a": [1, {"b": null}]}', {"a": [1, {"b": None}]}, None),
        ("", {}, None),
        (None, {}, None),
        ("{}", {}, None),
        ("[1]", {}, "[1]"),
        ('{"a": NaN}', {}, '{"a": NaN}'),
        ('{"a": 1e999}', {}, '{"a": 1e999}'),
        ("{", {}, "{"),
        ([1], {}, "[1]"),
        (7, {}, "7"),
        ("[" * 5000, {}, "[" * 5000),
    ],
)
def test_arguments(arguments: object, args: dict[str, Any], raw: str | None) -> None:
    conversation = Conversation()
    conversation.call("a", "f", arguments)
    (call,) = conversation.records
    assert isinstance(call, ToolCall)
    assert call.args == args
    assert call.args_invalid is (None if raw is None else True)
    assert call.model_dump().get("rawArgs") == raw


def test_a_long_message_is_cut_and_says_so() -> None:
    conversation = Conversation()
    conversation.call("a", "f", {})
    conversation.assistant("x" * MESSAGE_LIMIT)
    conversation.tool("a", "y" * (MESSAGE_LIMIT + 1))
    _, whole, cut, result = conversation.records
    assert isinstance(whole, Message)
    assert isinstance(cut, Message)
    assert isinstance(result, ToolResult)
    assert whole.truncated is None
    assert (len(cut.content), cut.truncated) == (MESSAGE_LIMIT, True)
    assert (len(result.result), result.truncated) == (MESSAGE_LIMIT, True)


def test_parts_of_a_message_are_kept_by_kind() -> None:
    conversation = Conversation()
    conversation.persona(
        [{"type": "text", "text": "a"}, "b", {"type": "image_url", "image_url": {"url": "data:"}}]
    )
    (message,) = conversation.records
    assert isinstance(message, Message)
    assert isinstance(message.content, list)
    assert [part.model_dump() for part in message.content] == [
        {"kind": "text", "text": "a"},
        {"kind": "text", "text": "b"},
        {"kind": "other", "note": "content of type image_url, not kept"},
    ]


def test_the_place_of_an_error_grows_while_it_rises() -> None:
    with pytest.raises(BrokenElementError) as caught:
        Conversation().call("a", None, {})
    assert caught.value.place == ".name"
    with pytest.raises(BrokenElementError) as risen:
        caught.value.raise_within(".tool_calls[3]")
    assert risen.value.place == ".tool_calls[3].name"


def every_kind() -> list[Record]:
    conversation = Conversation()
    conversation.system("policy")
    conversation.assistant("Hello", at=5)
    conversation.persona(None)
    conversation.assistant("", at=7)
    conversation.call("a", "f", {"x": [1, 2.5, None]}, has_steps=True)
    conversation.call("a", "f", {}, by_persona=True)
    conversation.tool("a", "text", is_error=True, inferred={"isError": "rule"})
    conversation.tool("nobody", ["part"])
    return conversation.records


@pytest.mark.parametrize("number", range(9))
def test_a_record_made_without_checks_is_the_checked_one(number: int) -> None:
    record = every_kind()[number]
    checked = RECORD.validate_json(record.model_dump_json(exclude_none=True))
    assert record == checked
    assert type(record) is type(checked)
    assert list(record.model_dump()) == list(checked.model_dump())
    assert record.model_dump_json() == checked.model_dump_json()
    assert record.model_copy(update={"seq": 99}).seq == 99
    assert list(record.__dict__) == list(type(record).model_fields)


def test_no_two_records_share_what_can_be_changed() -> None:
    conversation = Conversation()
    conversation.call("a", "f", None)
    conversation.call("b", "f", None)
    first, second = conversation.records
    assert isinstance(first, ToolCall)
    assert isinstance(second, ToolCall)
    assert first.args is not second.args
    assert first.model_extra == second.model_extra == {}
    assert first.model_extra is not second.model_extra


def test_a_result_without_a_message_is_a_result_alone() -> None:
    conversation = Conversation()
    conversation.assistant("Searching.")
    conversation.call("a", "search", {})
    conversation.answer("a", "found", is_error=False)
    conversation.answer("unknown", "found")
    kinds = [record.type for record in conversation.records]
    assert kinds == ["message", "tool_call", "tool_result"]
    assert conversation.message_count == 1
    assert conversation.unmatched_results == 1


@pytest.mark.parametrize("arguments", [{"a": 1}, "{"])
def test_more_can_be_said_of_the_record_added_last(arguments: object) -> None:
    conversation = Conversation()
    conversation.call(None, "f", arguments)
    conversation.amend("tool_call", {"server_id": "s", "inferred": {"serverId": "rule"}})
    conversation.amend("tool_result", {"error": "not this one"})
    (call,) = conversation.records
    assert isinstance(call, ToolCall)
    assert call.server_id == "s"
    assert call.inferred == {"toolCallId": "the source gives the call no id", "serverId": "rule"}
    Conversation().amend("tool_call", {})


def test_other_records_and_parts_are_taken_as_they_are() -> None:
    conversation = Conversation()
    part = OtherPart(note="a picture")
    conversation.persona([part], at=1)
    conversation.append(SessionNotice(seq=99, kind="limit", message="50 messages"))
    conversation.tool("nobody", "text", at=2)
    message, notice, _ = conversation.records
    assert isinstance(message, Message)
    assert message.content == [part]
    assert [record.seq for record in conversation.records] == [0, 1, 2]
    assert notice.type == "session_notice"
