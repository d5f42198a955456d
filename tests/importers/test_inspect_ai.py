"""What each field of an Inspect log becomes, and what is said where it becomes nothing."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import inspect_logs as logs
import pytest
from imported import SAMPLES, Taken, take, write
from inspect_logs import Json, call, done, failed, log, model, sample, says, tool, user

from reporter.errors import RecordingError
from reporter.importers.mapping import mapping_of_options
from reporter.models.manifest import Slot
from reporter.models.records import (
    CatalogRecord,
    Criteria,
    CriterionResult,
    ImagePart,
    Message,
    OtherPart,
    Record,
    SessionComplete,
    SessionNotice,
    StepFinish,
    TextPart,
    ToolCall,
    ToolResult,
)


def taken(tmp_path: Path, *samples: Any, **more: Any) -> Taken:
    return take(write(tmp_path / "a.json", log(*samples, **more)))


def only(found: Taken) -> list[Record]:
    (recording,) = found.recordings.values()
    return list(recording.records)


Kind = TypeVar("Kind")


def of(records: Sequence[Record], kind: type[Kind]) -> list[Kind]:
    return [record for record in records if isinstance(record, kind)]


def slot_of(found: Taken) -> Slot:
    (slot,) = found.manifest.slots
    return slot


def lost(found: Taken) -> dict[str, int]:
    return {one.reason: one.count or 1 for one in found.wave.lost}


def graded_in(criteria: Criteria) -> list[CriterionResult]:
    return list(criteria.results or ())


def roles(records: Sequence[Record]) -> list[str]:
    return [one.role for one in of(records, Message)]


@pytest.mark.parametrize("name", ["library_desk.eval", "library_desk.json"])
def test_logs_that_inspect_wrote(name: str) -> None:
    found = take(SAMPLES / name)
    records = next(iter(found.recordings.values())).records
    calls, results = of(records, ToolCall), of(records, ToolResult)
    assert [one.tool_name for one in calls] == ["find_book", "find_book", "open_door", "submit"]
    assert [one.error for one in results[:3]] == [
        "unknown: the catalogue is closed",
        None,
        "parsing: Tool open_door not found",
    ]
    assert [one.answered_by for one in results] == [None, None, "client", None]
    assert results[3].result == "shelf 4"
    assert str(results[1].result).endswith("lent out. ")
    assert all(one.duration_ms is not None and one.at is not None for one in results)
    steps = of(records, StepFinish)
    assert [(one.finish_reason, one.usage and one.usage.total_tokens) for one in steps] == [
        ("tool_calls", 15)
    ] * 4
    (catalog,) = of(records, CatalogRecord)
    assert [one.name for one in catalog.tools or ()] == ["find_book", "submit"]
    assert (catalog.complete, catalog.view) == (True, "model")
    (criteria,) = of(records, Criteria)
    assert [(one.criterion_id, one.passed) for one in criteria.results or ()] == [
        ("includes", True)
    ]
    (notice,) = of(records, SessionNotice)
    assert notice.message.startswith("scorer politeness: score 0.7; answer: fairly")
    (target,) = found.manifest.targets
    assert (target.label, target.model_id) == ("library_desk", "mockllm/model")


def test_both_forms_of_one_log_are_the_same_sessions(tmp_path: Path) -> None:
    ones = [sample(1), sample(2, scores=logs.score("I"))]
    more = {"eval": logs.evaluation([1, 2]), "results": {"scores": logs.scores_header("right")}}
    as_json = take(write(tmp_path / "a.json", log(*ones, **more)))
    as_zip = take(logs.write_eval(tmp_path / "b.eval", logs.members(*ones, **more)))
    told = [
        [recording.records for recording in found.recordings.values()]
        for found in (as_json, as_zip)
    ]
    assert told[0] == told[1]
    assert [run.rubric for run in as_json.manifest.runs] == [
        run.rubric for run in as_zip.manifest.runs
    ]


def test_a_sample_of_an_epoch_is_a_session_of_its_goal(tmp_path: Path) -> None:
    ones = [sample("a/b", 2, uuid="UUID2"), sample("a/b", 1, uuid="UUID1")]
    found = taken(tmp_path, *ones, eval=logs.evaluation(["a/b"], 2))
    assert [(slot.session_id, slot.session_index) for slot in found.manifest.slots] == [
        ("a-b.1.UUID1", 0),
        ("a-b.2.UUID2", 1),
    ]
    (goal,) = found.manifest.goals
    assert (goal.title, goal.goal) == ("Task a/b: Find a book.", "Find a book.")
    (persona,) = found.manifest.personas
    assert persona.name == "no persona recorded"


def test_a_run_that_goes_on_where_another_broke_off_counts_its_samples_once(
    tmp_path: Path,
) -> None:
    first = sample(1, uuid="U1")
    write(tmp_path / "a.json", log(first, status="error", eval=logs.evaluation([1])))
    write(tmp_path / "b.json", log(first, sample(2, uuid="U2"), eval=logs.evaluation([1, 2])))
    assert sorted(take(tmp_path).recordings) == ["1.1.U1", "2.1.U2"]


def test_the_user_states_persona_target_and_model(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", log(sample()))
    found = take(path, mapping_of_options("Ada", "shelf", "maker/n"))
    assert found.manifest.personas[0].name == "Ada"
    (target,) = found.manifest.targets
    assert (target.label, target.model_id) == ("shelf", "maker/n")


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ("Find a book.", "Find a book."),
        ([user("Find.")], "Find."),
        ([{"role": "system", "content": "Be kind."}, user([{"type": "text", "text": "F"}])], "F"),
        ([user("One."), says("Two."), user("Three.")], "user: One.\n\nassistant: Two.\n\nuser: Th"),
        ("attachment://abc", "A long question."),
        ("attachment://missing", None),
        (None, None),
    ],
)
def test_the_goal_is_what_the_sample_asks(tmp_path: Path, given: Any, asked: str | None) -> None:
    found = taken(tmp_path, sample(input=given, attachments={"abc": "A long question."}))
    goal = found.manifest.goals[0].goal
    assert goal is None if asked is None else goal is not None and goal.startswith(asked)


def test_contents_are_text_or_parts_with_attachments_in_place(tmp_path: Path) -> None:
    picture = "data:image/png;base64,aGVsbG8="
    content = [
        {"type": "text", "text": "attachment://t"},
        {"type": "image", "image": "attachment://p"},
        {"type": "image", "image": "https://example.org/a.png"},
        {"type": "reasoning", "reasoning": "hm", "signature": "x"},
        {"type": "text", "text": "attachment://gone"},
        {"type": "audio", "audio": "x", "format": "wav"},
    ]
    messages = [user(content), says("tc://t"), user("attachment://gone")]
    attached = {"t": "long text", "p": picture}
    found = taken(tmp_path, sample(messages=messages, attachments=attached))
    first, second, third = of(only(found), Message)
    assert isinstance(first.content, list)
    assert first.content[0] == TextPart(text="long text")
    assert isinstance(first.content[1], ImagePart)
    assert (first.content[1].mime_type, first.content[1].bytes) == ("image/png", 5)
    notes = [part.note for part in first.content[2:] if isinstance(part, OtherPart)]
    assert notes == [
        "an image whose bytes are not in the log",
        "content of type reasoning, not kept",
        "text of attachment://gone, which the log does not hold",
        "content of type audio, not kept",
    ]
    assert second.content == "long text"
    assert isinstance(third.content, list)
    assert lost(found)["contents of type attachment"] == 2


@pytest.mark.parametrize(
    ("error", "is_error", "answered_by", "blocked"),
    [
        ({}, False, None, None),
        ({"error": None}, False, None, None),
        (failed("timeout"), True, None, None),
        (failed("unknown"), True, None, None),
        (failed("parsing"), True, "client", None),
        (failed("cancelled"), True, "client", None),
        (failed("sandbox_unavailable"), True, "client", None),
        (failed("approval"), True, None, True),
        ({"tool_error": "it failed"}, True, None, None),
    ],
)
def test_who_answered_a_call_and_whether_it_is_an_error(
    tmp_path: Path, error: Json, is_error: bool, answered_by: str | None, blocked: bool | None
) -> None:
    messages = [user(), says("", call()), tool(**error)]
    (result,) = of(only(taken(tmp_path, sample(messages=messages))), ToolResult)
    assert (result.is_error, result.answered_by) == (is_error, answered_by)
    assert result.policy_blocked is blocked
    assert bool(result.inferred) == bool(answered_by or blocked)
    assert ("it failed" in (result.error or "")) is is_error


def test_a_call_that_the_model_wrote_wrongly_has_no_arguments(tmp_path: Path) -> None:
    wrong = call() | {"parse_error": "no JSON", "arguments": {"find": "{"}}
    (one,) = of(only(taken(tmp_path, sample(messages=[user(), says("", wrong)]))), ToolCall)
    assert (one.args_invalid, one.args) == (True, {"find": "{"})


def test_messages_find_their_model_events_by_id_by_calls_or_by_text(tmp_path: Path) -> None:
    with_id, with_call, with_text = says("a", id="x"), says("b", call()), says("c")
    events = [
        model(says("other words", id="x"), completed="2026-01-01T00:00:05+00:00"),
        model(says("attachment://long", call())),
        model(says("c")),
        model(says("c"), role="grader"),
    ]
    messages = [user(), with_id, with_call, tool(), with_text]
    records = only(taken(tmp_path, sample(messages=messages, events=events)))
    steps = of(records, StepFinish)
    assert [one.model_id for one in steps] == ["m-1"] * 3
    assert [one.usage and one.usage.input_tokens for one in steps] == [3, 3, 3]
    assert [one.at for one in of(records, Message) if one.role == "assistant"] == [
        1767225605000,
        1767225600000,
        1767225600000,
    ]


def test_an_answer_without_event_has_unknown_usage_so_that_no_sum_leaves_it_out(
    tmp_path: Path,
) -> None:
    messages = [user(), says("a"), user(), says("b")]
    records = only(taken(tmp_path, sample(messages=messages, events=[model(says("a"))])))
    assert [one.usage is None for one in of(records, StepFinish)] == [False, True]


def test_without_any_event_the_last_answer_is_the_samples_output(tmp_path: Path) -> None:
    usage = {"input_tokens": 7, "output_tokens": 1, "total_tokens": 8}
    output = {"choices": [{"stop_reason": "max_tokens"}], "usage": usage}
    given = says("an example", source="input")
    messages = [user(), given, user(), says("a"), user(), says("b")]
    records = only(taken(tmp_path, sample(messages=messages, output=output)))
    steps = of(records, StepFinish)
    assert [(one.finish_reason, one.usage and one.usage.input_tokens) for one in steps] == [
        (None, None),
        ("max_tokens", 7),
    ]


@pytest.mark.parametrize(
    ("usage", "given"),
    [
        ({"input_tokens": 3, "output_tokens": 2, "total_tokens": 5}, 3),
        (
            {
                "input_tokens": 3,
                "output_tokens": 2,
                "total_tokens": 9,
                "input_tokens_cache_read": 4,
            },
            7,
        ),
        (
            {
                "input_tokens": 7,
                "output_tokens": 2,
                "total_tokens": 9,
                "input_tokens_cache_read": 4,
            },
            7,
        ),
        ({"input_tokens": "3", "output_tokens": 2}, None),
        ({"input_tokens": 2, "input_tokens_cache_write": 1}, 2),
    ],
)
def test_cached_tokens_count_once(tmp_path: Path, usage: Json, given: int | None) -> None:
    event = model(says())
    event["output"]["usage"] = usage
    (step,) = of(only(taken(tmp_path, sample(events=[event]))), StepFinish)
    assert step.usage is not None
    assert step.usage.input_tokens == given


def test_pooled_messages_are_put_together_where_a_sample_broke_off(tmp_path: Path) -> None:
    pool = [user(), says("", call()), tool(), user("unrelated")]
    events = [
        model(says("", call()), input_refs=[[0, 1]]),
        done(),
        model(says("the end"), input_refs=[[0, 3], [99, 200], ["x"], [1]]),
    ]
    broken = sample(
        messages=[user()],
        events=events,
        events_data={"messages": pool, "calls": []},
        error={"message": "RuntimeError('late')", "traceback": "secret"},
        scores={},
    )
    found = taken(tmp_path, broken)
    records = only(found)
    assert roles(records) == ["user", "assistant", "tool", "assistant"]
    assert [one.kind for one in of(records, SessionNotice)] == ["messages"]
    assert len(of(records, ToolResult)) == 1
    slot = slot_of(found)
    assert slot.attempt is not None
    assert (slot.attempt.status, slot.attempt.error_message) == ("failed", "RuntimeError('late')")
    assert slot.message_count == 4


def test_a_call_that_the_agent_took_out_again_is_in_the_models_answer(tmp_path: Path) -> None:
    events = [
        model(says("I am done", call("s", "submit", answer="4"), id="x")),
        done("s", "4"),
    ]
    messages = [user(), says("I am done\n\n4", id="x")]
    records = only(taken(tmp_path, sample(messages=messages, events=events)))
    (one,) = of(records, ToolCall)
    (result,) = of(records, ToolResult)
    assert (one.tool_name, one.args, result.result) == ("submit", {"answer": "4"}, "4")


def test_a_result_that_came_after_the_last_message_stands_in_the_event(tmp_path: Path) -> None:
    events = [model(says("", call())), done(**failed("timeout"), working_time=2.5)]
    messages = [user(), says("", call())]
    limited = sample(messages=messages, events=events, limit={"type": "message", "limit": 2})
    records = only(taken(tmp_path, limited))
    (result,) = of(records, ToolResult)
    assert (result.is_error, result.duration_ms, result.timing) == (True, 2500.0, "span")
    assert roles(records) == ["user", "assistant"]


def test_pending_events_are_none(tmp_path: Path) -> None:
    events = [model(says(), pending=True), done(pending=True), model(says())]
    records = only(taken(tmp_path, sample(messages=[user(), says()], events=events)))
    assert len(of(records, StepFinish)) == 1
    assert of(records, ToolResult) == []


@pytest.mark.parametrize(
    "nested",
    [
        [
            {"event": "span_begin", "id": "t", "type": "tool", "span_id": "t"},
            {"event": "span_begin", "id": "a", "parent_id": "t", "type": "agent", "span_id": "a"},
            model(says("", call("sub")), span_id="a"),
            done("sub", span_id="a"),
        ],
        [
            {"event": "step", "action": "begin", "type": "scorer", "name": "g"},
            model(says("", call("sub"))),
            done("sub"),
            {"event": "step", "action": "end", "type": "scorer", "name": "g"},
        ],
        [{"event": "subtask", "name": "s", "events": [model(says("", call("sub"))), done("sub")]}],
    ],
)
def test_sub_agents_and_graders_are_not_the_session(tmp_path: Path, nested: list[Json]) -> None:
    found = taken(tmp_path, sample(events=[*nested, model(says())]))
    records = only(found)
    assert of(records, ToolCall) == []
    assert len(of(records, StepFinish)) == 1
    reasons = lost(found)
    assert sum(count for reason, count in reasons.items() if "sub-agents" in reason) == 2


def test_a_grader_alone_is_no_answer_to_the_user(tmp_path: Path) -> None:
    broken = sample(
        messages=[user()], events=[model(says(), role="grader")], error={"message": "boom"}
    )
    assert roles(only(taken(tmp_path, broken))) == []


def test_calls_of_the_models_provider_are_calls_of_their_server(tmp_path: Path) -> None:
    part = {
        "type": "tool_use",
        "tool_type": "mcp_call",
        "id": "p1",
        "name": "lookup",
        "context": "books",
        "arguments": '{"q": 1}',
        "result": "found",
    }
    wrong = {**part, "id": "p2", "error": "no such book", "result": ""}
    message = says([part, {"type": "text", "text": "Done."}, wrong])
    records = only(taken(tmp_path, sample(messages=[user(), message], events=[model(message)])))
    calls, results = of(records, ToolCall), of(records, ToolResult)
    assert [(one.tool_name, one.server_id, one.args) for one in calls] == [
        ("lookup", "books", {"q": 1})
    ] * 2
    assert [(one.is_error, one.error) for one in results] == [(False, None), (True, "no such book")]
    (catalog,) = of(records, CatalogRecord)
    assert not catalog.complete


@pytest.mark.parametrize(
    ("value", "metric", "passed"),
    [
        ("C", "mean", True),
        ("I", "mean", False),
        ("P", "accuracy", False),
        ("N", "accuracy", False),
        (True, "accuracy", True),
        (False, "accuracy", False),
        (True, "mean", None),
        (1, "accuracy", True),
        (1.0, "accuracy", True),
        (0, "accuracy", False),
        (0.5, "accuracy", None),
        (1, "mean", None),
        ("yes", "accuracy", True),
        ("no", "accuracy", False),
        ("yes", "mean", None),
        ("A", "accuracy", None),
        ([1, 0], "accuracy", None),
        (7.5, "mean", None),
    ],
)
def test_which_words_of_a_scorer_pass_or_fail(
    tmp_path: Path, value: Any, metric: str, passed: bool | None
) -> None:
    results = {"scores": logs.scores_header("right", metric=metric)}
    found = taken(tmp_path, sample(scores=logs.score(value)), results=results)
    records = only(found)
    graded = [one for record in of(records, Criteria) for one in record.results or ()]
    notices = of(records, SessionNotice)
    if passed is None:
        assert graded == []
        assert len(notices) == 1
        assert sum("neither pass nor fail" in reason for reason in lost(found)) == 1
    else:
        assert [(one.criterion_id, one.passed) for one in graded] == [("right", passed)]
        assert notices == []
        is_plain = value in ("C", "I")
        assert bool(of(records, Criteria)[0].inferred) is not is_plain


def test_scores_without_threshold_make_no_check_that_would_be_owed(tmp_path: Path) -> None:
    results = {"scores": logs.scores_header("right", metric="mean")}
    found = taken(tmp_path, sample(scores=logs.score(0.7)), results=results)
    assert [run.rubric for run in found.manifest.runs] == [[]]


def test_a_scorer_that_could_not_score_leaves_its_check_open(tmp_path: Path) -> None:
    text = json.dumps(log(sample(scores=logs.score("NAN", reason="grader_failed"))))
    path = write(tmp_path / "a.json", text.replace('"NAN"', "NaN"))
    (criteria,) = of(only(take(path)), Criteria)
    result = graded_in(criteria)[0]
    assert (result.passed, result.status) == (False, "error")
    assert result.reason == "score not scored; grader_failed"


@pytest.mark.parametrize(
    ("more", "roles_of"),
    [
        ({}, {"a": "required", "b": "advisory"}),
        ({"headline_metric": {"scorer": "b"}}, {"a": "advisory", "b": "required"}),
        ({"headline_metric": {"scorer": "n"}}, {"a": "advisory", "b": "advisory"}),
    ],
)
def test_of_several_scorers_the_headline_decides_else_the_first(
    tmp_path: Path, more: Json, roles_of: dict[str, str]
) -> None:
    scores = {**logs.score("C", "b"), **logs.score("I", "a"), **logs.score(3, "n")}
    results = {"scores": logs.scores_header("n", "a", "b", metric="mean")}
    found = taken(
        tmp_path, sample(scores=scores), results=results, eval=logs.evaluation([1], **more)
    )
    (run,) = found.manifest.runs
    assert {one.id: one.role for one in run.rubric} == roles_of


def test_each_value_of_a_scorer_of_several_is_a_check_of_its_own(tmp_path: Path) -> None:
    scores = logs.score({"right": "C", "kind": 1, "warm": 0.3, "none": None}, "many")
    scorers = [{"name": "many", "metrics": {"*": [{"name": "inspect_ai/accuracy"}]}}]
    found = taken(
        tmp_path, sample(scores=scores), results=None, eval=logs.evaluation([1], scorers=scorers)
    )
    (criteria,) = of(only(found), Criteria)
    assert [(one.criterion_id, one.passed) for one in criteria.results or ()] == [
        ("many/right", True),
        ("many/kind", True),
    ]


def test_an_invalidated_sample_keeps_its_scores_and_passes_nothing(tmp_path: Path) -> None:
    found = taken(tmp_path, sample(invalidation={"reason": "wrong key"}), invalidated=True)
    records = only(found)
    (criteria,) = of(records, Criteria)
    result = graded_in(criteria)[0]
    assert (result.passed, result.status) == (False, "error")
    assert result.reason == "invalidated: wrong key; before that: score C"
    assert [one.message for one in of(records, SessionNotice)] == ["invalidated: wrong key"]


def test_earlier_tries_of_a_sample_are_said_and_are_no_sessions(tmp_path: Path) -> None:
    found = taken(tmp_path, sample(error_retries=[{"message": "busy"}, {"message": "busy"}]))
    assert [one.message for one in of(only(found), SessionNotice)] == [
        "an earlier try broke off: busy"
    ] * 2


@pytest.mark.parametrize(
    ("kind", "end_reason"),
    [
        ("message", "turnCap"),
        ("turn", "turnCap"),
        ("token", "aborted"),
        ("time", "aborted"),
        ("working", "aborted"),
        ("cost", "aborted"),
        ("context", "aborted"),
        ("operator", "aborted"),
        ("custom", "aborted"),
        ("lunar", "unknown"),
    ],
)
def test_a_limit_ends_a_session_and_breaks_nothing(
    tmp_path: Path, kind: str, end_reason: str
) -> None:
    found = taken(tmp_path, sample(limit={"type": kind, "limit": 50.0, "reason": "too many"}))
    records = only(found)
    (end,) = of(records, SessionComplete)
    assert (end.status, end.end_reason) == ("succeeded", end_reason)
    assert end.inferred is not None
    (notice,) = of(records, SessionNotice)
    assert notice.message == f"ended at its {kind} limit of 50: too many"
    assert any("lunar" in reason for reason in lost(found)) is (kind == "lunar")


def test_a_normal_end_after_submit_is_no_error(tmp_path: Path) -> None:
    event = model(says("", call("s", "submit")))
    event["output"]["choices"][0]["stop_reason"] = "tool_calls"
    messages = [user(), says("", call("s", "submit")), tool("s", "4")]
    records = only(taken(tmp_path, sample(messages=messages, events=[event])))
    (end,) = of(records, SessionComplete)
    assert (end.status, end.end_reason, end.inferred) == ("succeeded", "unknown", None)
    assert of(records, StepFinish)[0].finish_reason == "tool_calls"


@pytest.mark.parametrize("events", [[], [model(says(""), error="ConnectionError(...)")]])
def test_what_broke_off_before_the_first_answer_did_not_run(
    tmp_path: Path, events: list[Json]
) -> None:
    error = {"message": "RuntimeError('no sandbox at https://host/x')", "traceback": "..."}
    found = taken(tmp_path, sample(messages=[user()], events=events, error=error, scores={}))
    slot = slot_of(found)
    assert slot.attempt is not None
    assert slot.attempt.status == "failed"
    assert slot.attempt.error_message == "RuntimeError('no sandbox at"
    assert slot.message_count == 0
    assert slot.inferred is not None
    assert "messageCount" in slot.inferred
    assert roles(only(found)) == []


def test_a_cancelled_sample_is_withdrawn(tmp_path: Path) -> None:
    slot = slot_of(taken(tmp_path, sample(error={"message": "CancelledError()"}, scores={})))
    assert slot.attempt is not None
    assert slot.attempt.error_code == "canceled"


def test_an_error_beside_scores_keeps_both(tmp_path: Path) -> None:
    found = taken(tmp_path, sample(error={"message": "boom"}))
    slot = slot_of(found)
    assert slot.attempt is not None
    assert slot.attempt.status == "failed"
    (criteria,) = of(only(found), Criteria)
    assert [one.passed for one in criteria.results or ()] == [True]


@pytest.mark.parametrize(
    ("status", "attempt"),
    [
        ("cancelled", ("failed", "canceled", "the run was cancelled before the sample was logged")),
        ("error", ("failed", None, "RuntimeError('no docker')")),
        ("started", None),
    ],
)
def test_planned_samples_that_nobody_ran(
    tmp_path: Path, status: str, attempt: tuple[str, str | None, str] | None
) -> None:
    found = taken(
        tmp_path,
        sample(1),
        status=status,
        error={"message": "RuntimeError('no docker')"},
        eval=logs.evaluation([1, 2], 2),
    )
    absent = [slot for slot in found.manifest.slots if not slot.recorded]
    assert len(found.manifest.slots) == 4
    assert len(absent) == 3
    assert {slot.session_id for slot in absent} == {"a.1.2", "a.2.1", "a.2.2"}
    for slot in absent:
        shown = slot.attempt and (
            slot.attempt.status,
            slot.attempt.error_code,
            slot.attempt.error_message,
        )
        assert shown == attempt
    # The same task with the same words: the other epoch of it is the same goal.
    assert len(found.manifest.goals) == 2


@pytest.mark.parametrize(
    "more",
    [
        {"status": "success"},
        {"status": "success", "results": {"completed_samples": 3}},
        {"status": "cancelled", "results": {"completed_samples": 3}},
        {"status": "error", "eval": logs.evaluation([1, 2, 3], log_samples=False)},
    ],
)
def test_samples_that_ran_and_are_not_in_the_log_are_no_sessions(
    tmp_path: Path, more: Json
) -> None:
    if "eval" in more:
        more["eval"]["config"]["log_samples"] = False
    found = taken(tmp_path, sample(1), **{"eval": logs.evaluation([1, 2, 3]), **more})
    assert len(found.manifest.slots) == 1
    # One number against another is one contradiction, however many samples it is about.
    (said,) = (one for one in lost(found).items() if "not hold" in one[0])
    assert said[0].endswith("that its log does not hold: 2 of 3") or said[0].endswith(
        "that it does not hold: 2 of 3"
    )
    assert said[1] == 1


def test_a_log_of_the_first_version(tmp_path: Path) -> None:
    old = sample(
        score={"value": "C"},
        transcript={"events": [model(says("tc://abc"))], "content": {"abc": "Here you are."}},
    )
    del old["scores"], old["events"]
    results = {"scorer": {"name": "right", "scorer": "right"}, "metrics": logs.ACCURACY}
    records = only(taken(tmp_path, old, version=1, results=results))
    (criteria,) = of(records, Criteria)
    assert [one.criterion_id for one in criteria.results or ()] == ["score"]
    assert of(records, StepFinish)[0].model_id == "m-1"


def test_members_in_any_order(tmp_path: Path) -> None:
    whole = log(sample(), status="cancelled", eval=logs.evaluation([1, 2]))
    turned = {"samples": whole.pop("samples"), **whole}
    # What is looked at to tell the format is the beginning of the file.
    found = take(write(tmp_path / "a.json", turned))
    assert [target.label for target in found.manifest.targets] == ["desk"]
    assert len(found.manifest.slots) == 2


@pytest.mark.parametrize(
    ("broken", "place"),
    [
        ("text", "samples[0]"),
        (sample(None), "samples[0].id"),
        (sample(True), "samples[0].id"),
        (sample(epoch=-1), "samples[0].epoch"),
    ],
)
def test_a_sample_that_is_none_is_a_loss(tmp_path: Path, broken: Any, place: str) -> None:
    found = taken(tmp_path, broken, sample(2))
    assert len(found.recordings) == 1
    assert [problem.place for problem in found.wave.problems] == [place]


@pytest.mark.parametrize(
    ("messages", "place"),
    [
        ("text", "samples[0].messages"),
        ([user(), "text"], "samples[0].messages[1]"),
        ([user(), {"role": "ghost", "content": ""}], "samples[0].messages[1].role"),
        ([user(7)], "samples[0].messages[0].content"),
        ([user(), says("", call() | {"function": 1})], "samples[0].messages[1].tool_calls[0]"),
        ([user(), says() | {"tool_calls": "x"}], "samples[0].messages[1].tool_calls"),
    ],
)
def test_a_conversation_that_is_none_leaves_the_session_and_its_scores(
    tmp_path: Path, messages: Any, place: str
) -> None:
    found = taken(tmp_path, sample(messages=messages), sample(2))
    assert len(found.recordings) == 2
    first = next(iter(found.recordings.values()))
    assert first.damaged
    (problem,) = first.problems
    assert problem.place.startswith(place)
    assert roles(first.records) == []
    assert len(of(first.records, Criteria)) == 1


def test_events_of_types_unknown_here_are_counted(tmp_path: Path) -> None:
    found = taken(tmp_path, sample(events=[{"event": "telepathy"}, {"event": 1}, "text"]))
    reasons = lost(found)
    assert reasons['events of type "telepathy", unknown here'] == 1
    assert reasons['events of type "none", unknown here'] == 1


def test_the_right_answer_is_no_message(tmp_path: Path) -> None:
    found = taken(tmp_path, sample(target="the key"))
    assert "the key" not in found.manifest.model_dump_json()
    assert sum("right answers" in reason for reason in lost(found)) == 1


def test_what_is_used_by_others_has_no_place(tmp_path: Path) -> None:
    usage = {"m": {"input_tokens": 1, "total_cost": 0.5}}
    found = taken(tmp_path, sample(model_usage=usage))
    assert sum("cost" in reason for reason in lost(found)) == 1


def test_contents_handed_on_for_a_tool_are_nobodys_turn(tmp_path: Path) -> None:
    messages = [user(), says("", call()), tool(), user("a picture", tool_call_id=["c1"]), says()]
    records = only(taken(tmp_path, sample(messages=messages)))
    assert roles(records) == ["user", "assistant", "tool", "system", "assistant"]
    assert {one.turn_index for one in of(records, Message)} == {0}


def test_tools_that_come_later_are_in_the_catalogue_too(tmp_path: Path) -> None:
    more = [{"name": "lend", "parameters": {"type": "object"}}, {"name": 3}, "x"]
    events = [model(says("a")), model(says("b"), tools=more)]
    messages = [user(), says("a"), user(), says("b")]
    (catalog,) = of(only(taken(tmp_path, sample(messages=messages, events=events))), CatalogRecord)
    assert [one.name for one in catalog.tools or ()] == ["find", "lend"]
    assert (catalog.tools or [])[0].input_schema == {"type": "object"}


def test_the_rest_of_a_log_that_breaks_off_is_lost_and_not_planned(tmp_path: Path) -> None:
    text = json.dumps(log(sample(1), sample(2), status="error", eval=logs.evaluation([1, 2, 3])))
    path = write(tmp_path / "a.json", text[: text.index('"id": 2') + 20])
    found = take(path)
    assert len(found.manifest.slots) == 1
    assert not found.manifest.terminal
    assert [problem.rule for problem in found.wave.problems] == ["source-file-broken"]
    # Without any scored sample to look at, the check is still the one of the header.
    assert [one.id for one in found.manifest.runs[0].rubric] == ["right"]


def test_a_log_without_samples_is_refused_unless_it_planned_some(tmp_path: Path) -> None:
    empty = log(eval={"task": "desk", "model": "m"}, results=None)
    with pytest.raises(RecordingError, match="holds no session"):
        take(write(tmp_path / "a.json", empty))
    planned = logs.header(status="error", eval=logs.evaluation([1]), error=None, results=None)
    found = take(write(tmp_path / "b.json", planned))
    assert Counter(slot.recorded for slot in found.manifest.slots) == {False: 1}


def test_a_log_of_more_samples_than_are_looked_at_is_still_one(tmp_path: Path) -> None:
    whole = log(sample(), status="success", results=None)
    run = {"task": "desk", "dataset": {"sample_ids": [f"sample-{n}" for n in range(20_000)]}}
    whole["eval"] = {**run, "model": "maker/m", "config": {}}
    (target,) = take(write(tmp_path / "a.json", whole)).manifest.targets
    assert target.model_id == "maker/m"
