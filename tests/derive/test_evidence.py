import pytest
from builders import Json, assistant, call, result, user
from session_cases import ended, finish, judged, recording

from reporter.derive.call_joint import JoinedCall
from reporter.derive.evidence import SessionEvidence, gather_evidence
from reporter.models.facts import UsageFact


def gathered(*raw: Json) -> SessionEvidence:
    return gather_evidence(recording(*raw))


def call_part(call_id: str = "c1", tool: str = "find_book", **more: object) -> Json:
    return {"kind": "tool_call", "toolCallId": call_id, "toolName": tool, "args": {}, **more}


def result_part(call_id: str = "c1", value: object = "ok", **more: object) -> Json:
    return {"kind": "tool_result", "toolCallId": call_id, "result": value, **more}


def text_part(text: str) -> Json:
    return {"kind": "text", "text": text}


def tool_message(call_id: str | None = "c1", content: object = "ok", **more: object) -> Json:
    whole = {"type": "message", "turnIndex": 0, "role": "tool", "author": "tool"}
    whole |= {"content": content, **more}
    return whole if call_id is None else {**whole, "toolCallId": call_id}


def only(evidence: SessionEvidence) -> JoinedCall:
    (joined,) = evidence.calls
    return joined


def test_a_part_and_a_record_of_one_id_are_one_call_at_the_first_place() -> None:
    parts = [call_part("c1", "old_name"), call_part("c2")]
    evidence = gathered(
        assistant(content=parts, turn=0),
        call("c3", turn=1),
        call("c1", "new_name", turn=2, args={"a": 1}),
    )
    assert [joined.tool_call_id for joined in evidence.calls] == ["c1", "c2", "c3"]
    first = evidence.calls[0]
    assert (first.tool_name, first.turn_index, first.args) == ("new_name", 2, {"a": 1})


def test_a_record_counts_before_a_part_that_follows_it() -> None:
    evidence = gathered(call("c1", "record", turn=1), assistant(content=[call_part("c1", "part")]))
    assert (only(evidence).tool_name, only(evidence).turn_index) == ("record", 1)


def test_two_records_of_one_id_count_as_the_first() -> None:
    evidence = gathered(call("c1", "first"), call("c1", "second", turn=3))
    assert (only(evidence).tool_name, only(evidence).turn_index) == ("first", 0)


@pytest.mark.parametrize(
    ("raw", "by_persona"),
    [
        ([call()], False),
        ([call(caller="assistant")], False),
        ([call(caller="persona")], True),
        ([user(content=[call_part()])], True),
        ([assistant(content=[call_part()])], False),
        ([user(content=[call_part()]), call()], False),
        ([assistant(content=[call_part()]), call(caller="persona")], True),
    ],
)
def test_whose_call_it_is(raw: list[Json], by_persona: bool) -> None:
    evidence = gathered(*raw)
    assert only(evidence).by_persona is by_persona
    assert len(evidence.assistant_calls) == (0 if by_persona else 1)


MARKED: list[tuple[Json, dict[str, object]]] = [
    (result(isError=True), {"is_error": True, "errored": True}),
    (result(isError=False), {"errored": False}),
    (result(mcpErrorCode=-32602), {"mcp_error_code": -32602, "errored": True}),
    (result(error="boom"), {"error": "boom", "errored": True}),
    (result(error=""), {"error": None, "errored": False}),
    (result(policyBlocked=True), {"policy_blocked": True, "from_server": False}),
    (result(answeredBy="client"), {"answered_by_client": True, "from_server": False}),
    (result(answeredBy="server"), {"from_server": True}),
]


@pytest.mark.parametrize(("marked", "expected"), MARKED)
@pytest.mark.parametrize("marked_first", [True, False])
def test_a_mark_stands_when_any_result_of_the_call_says_it(
    marked: Json, expected: dict[str, object], marked_first: bool
) -> None:
    plain: list[Json] = [tool_message(), assistant(content=[result_part()]), result()]
    ordered = [marked, *plain] if marked_first else [*plain, marked]
    outcome = only(gathered(call(), *ordered)).outcome
    assert outcome is not None
    for name, value in expected.items():
        assert getattr(outcome, name) == value


@pytest.mark.parametrize(
    ("message", "value"),
    [
        (tool_message(content="plain words"), "plain words"),
        (tool_message(content=[text_part("two"), text_part("parts")]), "two\nparts"),
        (tool_message(content=[result_part(value={"a": 1})]), {"a": 1}),
        (user(content=[result_part(value={"a": 1})]), {"a": 1}),
    ],
)
def test_a_message_can_be_a_result_without_an_error_mark(message: Json, value: object) -> None:
    outcome = only(gathered(call(), message)).outcome
    assert outcome is not None
    assert (outcome.value, outcome.errored) == (value, False)


def test_an_errored_part_is_an_error() -> None:
    outcome = only(gathered(call(), tool_message(content=[result_part(isError=True)]))).outcome
    assert outcome is not None
    assert outcome.is_error


def test_a_tool_message_without_a_call_id_is_no_result() -> None:
    assert only(gathered(call(), tool_message(None))).outcome is None


def test_a_result_may_stand_before_its_call_and_one_without_a_call_is_left_out() -> None:
    evidence = gathered(result("c1", isError=True), result("c9"), call("c1"))
    outcome = only(evidence).outcome
    assert outcome is not None
    assert outcome.is_error


@pytest.mark.parametrize(
    ("results", "recorded", "errors", "cleans"),
    [
        ([result(isError=True)], True, (), ()),
        ([result(isError=True, inferred={"isError": "rule"})], False, ("rule",), ()),
        ([result(isError=False, inferred={"isError": "rule"})], False, (), ("rule",)),
        (
            [result(isError=True, error="x", inferred={"isError": "rule"})],
            True,
            ("rule",),
            (),
        ),
        (
            [
                result(isError=True, inferred={"isError": "rule"}),
                result(error="x", inferred={"error": "other"}),
                result(mcpErrorCode=1, inferred={"mcpErrorCode": "rule"}),
            ],
            False,
            ("rule", "other"),
            (),
        ),
        (
            [
                tool_message(
                    content=[result_part(isError=True)], inferred={"isError": "said in text"}
                )
            ],
            False,
            ("said in text",),
            (),
        ),
    ],
)
def test_inferred_marks_keep_their_rules(
    results: list[Json], recorded: bool, errors: tuple[str, ...], cleans: tuple[str, ...]
) -> None:
    outcome = only(gathered(call(), *results)).outcome
    assert outcome is not None
    assert outcome.error_recorded is recorded
    assert (outcome.error_rules, outcome.ok_rules) == (errors, cleans)


def test_system_messages_do_not_count() -> None:
    evidence = gathered(
        user(role="system", author="client"), user(), assistant(), tool_message(None), assistant()
    )
    assert evidence.message_count == 4
    assert evidence.last_assistant_index == 4


def test_turns_are_those_in_which_the_assistant_did_something() -> None:
    evidence = gathered(
        user(turn=9),
        assistant(turn=0),
        call("c1", turn=2),
        call("c2", turn=8, caller="persona"),
        finish(turn=3),
        {"type": "turn_start", "turnIndex": 7},
    )
    assert evidence.turns == {0, 2, 3}


def test_the_personas_first_words_are_its_own_and_not_blank() -> None:
    evidence = gathered(
        user("from the client", author="client"),
        user("  \n "),
        user(content=[{"kind": "other", "note": "a picture"}]),
        user(content=[text_part("hello"), text_part("there")]),
        user("later"),
    )
    assert evidence.persona_text == "hello\nthere"


def test_the_transcript_is_all_content_strings_and_text_parts() -> None:
    evidence = gathered(
        user("ab", role="system", author="client"),
        assistant(content=[text_part("cd"), call_part(), result_part(value="not counted")]),
        tool_message(content="ef"),
    )
    assert list(evidence.transcript_texts) == ["ab", "cd", "ef"]


USED = {"inputTokens": 10, "outputTokens": 2, "totalTokens": 12}


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([], None),
        ([finish()], None),
        ([finish(usage=USED)], UsageFact(10, 2, 12)),
        ([finish(usage=USED), finish(usage=USED)], UsageFact(20, 4, 24)),
        ([finish(usage=USED), finish()], UsageFact(None, None, None)),
        (
            [finish(usage=USED), finish(usage={"inputTokens": 1, "outputTokens": 1})],
            UsageFact(11, 3, None),
        ),
        ([finish(usage={"inputTokens": 1})], UsageFact(1, None, None)),
    ],
)
def test_a_sum_with_a_missing_part_is_no_smaller_number(
    steps: list[Json], expected: UsageFact | None
) -> None:
    assert gathered(*steps).usage == expected


def test_the_last_of_a_graders_records_counts_and_the_first_start() -> None:
    evidence = gathered(judged(passed=True), ended("failed"), judged(passed=False), ended())
    assert evidence.goal_judge is not None
    assert evidence.goal_judge.passed is False
    assert evidence.complete is not None
    assert evidence.complete.status == "succeeded"


def test_inferred_fields_are_listed_once_in_order() -> None:
    rule = {"isError": "text starts with Error"}
    evidence = gathered(
        user(inferred={"turnIndex": "by order"}),
        call("c1"),
        call("c2"),
        result("c1", isError=True, inferred=rule),
        result("c2", isError=True, inferred=rule),
    )
    assert evidence.inferred == (
        ("message.turnIndex", "by order"),
        ("tool_result.isError", "text starts with Error"),
    )


@pytest.mark.parametrize(
    ("times", "expected"),
    [([], (None, None)), ([None, 5], (5, 5)), ([7, None, 3, 9], (3, 9))],
)
def test_a_session_lasts_from_its_earliest_to_its_latest_record(
    times: list[int | None], expected: tuple[int | None, int | None]
) -> None:
    evidence = gathered(*[user(at=at) for at in times])
    assert (evidence.started_at_ms, evidence.ended_at_ms) == expected


def test_notices_and_errors_are_kept() -> None:
    evidence = gathered(
        {"type": "session_notice", "kind": "tool_suppressed", "message": "hidden"},
        {"type": "error", "message": "boom"},
        {"type": "widget_render", "toolName": "card", "status": "rendered"},
    )
    assert [notice.kind for notice in evidence.notices] == ["tool_suppressed"]
    assert [error.message for error in evidence.errors] == ["boom"]
