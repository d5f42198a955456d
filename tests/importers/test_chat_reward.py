import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from imported import SAMPLES, Json, Taken, session, take, write

from reporter.errors import RecordingError
from reporter.importers.mapping_file import read_mapping
from reporter.models.records import Criteria, Message, SessionComplete, ToolCall, ToolResult

FIRST = "desk_runs.7.0"


@pytest.fixture(scope="module")
def desk() -> Taken:
    return take(SAMPLES / "desk_runs.json")


def messages(taken: Taken, session_id: str) -> list[Message]:
    records = taken.recordings[session_id].records
    return [record for record in records if isinstance(record, Message)]


def test_every_element_is_a_session(desk: Taken) -> None:
    assert set(desk.recordings) == {
        "desk_runs.7.0",
        "desk_runs.7.1",
        "desk_runs.7.2",
        "desk_runs.8.0",
    }


def test_records_are_numbered_without_gap(desk: Taken) -> None:
    for recording in desk.recordings.values():
        assert [record.seq for record in recording.records] == list(range(len(recording.records)))
        assert [one.index for one in messages(desk, recording.session_id)] == list(
            range(len(messages(desk, recording.session_id)))
        )


def test_roles_authors_and_turns(desk: Taken) -> None:
    assert [(one.role, one.author, one.turn_index) for one in messages(desk, FIRST)] == [
        ("system", "client", 0),
        ("user", "persona", 0),
        ("assistant", "assistant", 0),
        ("tool", "tool", 0),
        ("assistant", "assistant", 0),
        ("tool", "tool", 0),
        ("assistant", "assistant", 0),
        ("user", "persona", 1),
    ]
    assert [one.content for one in messages(desk, FIRST)][1:5] == [
        "I want the atlas.",
        "",
        "Error: book not found",
        "One moment.",
    ]


def test_a_repeated_call_id_gets_a_number_and_its_result_follows(desk: Taken) -> None:
    records = desk.recordings[FIRST].records
    calls = [record for record in records if isinstance(record, ToolCall)]
    results = [record for record in records if isinstance(record, ToolResult)]
    assert [(call.tool_call_id, call.args) for call in calls] == [
        ("c1", {"title": "atlas"}),
        ("c1#2", {"title": "Atlas"}),
    ]
    assert [call.inferred for call in calls] == [
        None,
        {"toolCallId": "the source repeats the id"},
    ]
    assert [(one.tool_call_id, one.result, one.is_error) for one in results] == [
        ("c1", "Error: book not found", True),
        ("c1#2", '{"shelf": 3}', False),
    ]
    assert [one.tool_call_id for one in messages(desk, FIRST) if one.role == "tool"] == [
        "c1",
        "c1#2",
    ]


def test_what_only_the_text_shows_is_marked_inferred(desk: Taken) -> None:
    results = [
        record for record in desk.recordings[FIRST].records if isinstance(record, ToolResult)
    ]
    assert [one.inferred for one in results] == [
        {"isError": "text starts with Error"},
        {"isError": "text does not start with Error"},
    ]


def test_arguments_that_are_no_json_are_kept_as_text(desk: Taken) -> None:
    (call,) = (r for r in desk.recordings["desk_runs.7.1"].records if isinstance(r, ToolCall))
    assert call.args == {}
    assert call.args_invalid is True
    assert call.model_dump(by_alias=True)["rawArgs"] == "not JSON"


@pytest.mark.parametrize(
    ("session_id", "passed", "reason"),
    [
        (FIRST, True, "reward 1.0 (r_outputs 1.0, 0 of 1 expected outputs missing)"),
        ("desk_runs.7.1", False, "reward 0.0 (no details recorded)"),
        ("desk_runs.8.0", False, "reward 0.0 (r_actions 0.0)"),
    ],
)
def test_the_reward_is_a_required_criterion(
    desk: Taken, session_id: str, passed: bool, reason: str
) -> None:
    (record,) = (r for r in desk.recordings[session_id].records if isinstance(r, Criteria))
    assert record.status == "completed"
    assert record.inferred == {"passed": "reward within 1e-6 of 1.0"}
    (result,) = record.results or []
    assert (result.criterion_id, result.passed, result.reason) == ("reward", passed, reason)
    (criterion,) = desk.contexts[session_id].run.rubric
    assert (criterion.id, criterion.role, criterion.predicate) == ("reward", "required", None)


@pytest.mark.parametrize(
    ("reward", "passed"),
    [(1, True), (0.9999999, True), (1.0000001, True), (0.99, False), (2, False)],
)
def test_a_reward_passes_only_at_one(tmp_path: Path, reward: float, passed: bool) -> None:
    taken = take(write(tmp_path / "a.json", [session(reward=reward)]))
    assert taken.counts()["rewarded"] == passed


def test_nothing_is_recorded_that_the_source_does_not_say(desk: Taken) -> None:
    types = {r.type for recording in desk.recordings.values() for r in recording.records}
    assert types == {"message", "tool_call", "tool_result", "criteria", "session_complete"}
    endings = [
        record
        for one in desk.recordings.values()
        for record in one.records
        if isinstance(record, SessionComplete)
    ]
    assert all(set(ending.inferred or {}) == {"endReason"} for ending in endings)
    assert all(r.at is None for one in desk.recordings.values() for r in one.records)
    assert {run.max_turns for run in desk.plan.runs} == {None}
    assert {run.judge for run in desk.plan.runs} == {None}
    assert desk.manifest.policy is None


@pytest.mark.parametrize(
    ("last", "info", "reason"),
    [
        ("Bye ###STOP###", {"reward_info": {}}, "personaEnded"),
        ("Bye", {"reward_info": {}}, None),
        ("Bye ###STOP###", {"reward_info": None}, "turnCap"),
        ("Bye", {}, None),
        (None, {}, None),
        ([{"type": "text", "text": "###STOP###"}], {}, None),
    ],
)
def test_the_end_follows_from_the_last_words_and_the_missing_reward_info(
    last: Any, info: Json, reason: str | None, tmp_path: Path
) -> None:
    talk = [{"role": "user", "content": last}, {"role": "tool", "content": "###STOP###"}]
    taken = take(write(tmp_path / "a.json", [session(traj=talk, info=info)]))
    (recording,) = taken.recordings.values()
    endings = [one for one in recording.records if isinstance(one, SessionComplete)]
    assert [one.end_reason for one in endings] == ([] if reason is None else [reason])


def test_persona_and_target_are_missing_and_say_so(desk: Taken) -> None:
    (persona,) = desk.plan.personas
    (target,) = desk.plan.targets
    assert persona.name == "no persona recorded"
    assert persona.inferred == {"name": "the source names no persona"}
    assert (target.label, target.model_id) == ("no target recorded", None)
    assert target.inferred is not None
    assert target.inferred["label"] == "the source names no target"


def test_a_mapping_names_them_and_is_marked() -> None:
    taken = take(SAMPLES / "desk_runs.json", read_mapping(SAMPLES / "map.toml"))
    (persona,) = taken.plan.personas
    (target,) = taken.plan.targets
    assert (persona.name, persona.role) == ("Impatient reader", "regular")
    assert persona.notes == "Does not like to wait."
    assert (target.label, target.model_id) == ("lending desk", "model-agent")
    for inferred in (persona.inferred, target.inferred):
        assert inferred
        assert set(inferred.values()) == {"stated by the mapping, not recorded by the source"}


def test_the_goal_is_the_task_and_what_was_asked(desk: Taken) -> None:
    atlas, back = desk.plan.goals
    assert atlas.title == (
        "Task 7: You are reader_12. You want to borrow the atlas, and you do not like to wait.…"
    )
    assert atlas.inferred == {"title": "task id and first words of the instruction"}
    assert atlas.goal is not None
    assert atlas.goal.endswith("not asked.")
    assert back.title == "Task 8: You want to give a book back."


def test_the_same_task_in_another_file_is_the_same_goal(tmp_path: Path) -> None:
    write(tmp_path / "a.json", [session(1)])
    write(tmp_path / "b.json", [session(1), session(2)])
    other = session(1, trial=1)
    other["info"]["task"]["instruction"] = "Do something else."
    write(tmp_path / "c.json", [other])
    plan = take(tmp_path).plan
    assert [goal.title for goal in plan.goals] == [
        "Task 1: Do task 1.",
        "Task 2: Do task 2.",
        "Task 1: Do something else.",
    ]


def test_a_crash_is_a_failed_attempt_of_the_same_goal_and_no_outcome(desk: Taken) -> None:
    slot = desk.slot("desk_runs.7.2")
    assert slot.attempt is not None
    assert slot.attempt.status == "failed"
    # The address is taken out and the line breaks are folded.
    assert slot.attempt.error_message == "The provider at did not answer."
    assert slot.inferred == {"attempt": "info.error recorded"}
    assert slot.message_count == 0
    assert desk.recordings["desk_runs.7.2"].records == []
    assert desk.contexts["desk_runs.7.2"].goal == desk.contexts[FIRST].goal


def test_a_crash_before_its_task_was_seen_still_finds_the_goal(tmp_path: Path) -> None:
    crash = session(1, trial=0, reward=0.0, info={"error": "broken pipe"}, traj=[])
    taken = take(write(tmp_path / "a.json", [crash, session(1, trial=1)]))
    assert len(taken.plan.goals) == 1
    assert [slot.session_id for slot in taken.plan.slots] == ["a.1.0", "a.1.1"]
    assert taken.plan.runs[0].status == "partial"


def test_a_crash_of_a_task_with_two_briefs_has_a_goal_of_its_own(tmp_path: Path) -> None:
    other = session(1, trial=1)
    other["info"]["task"]["instruction"] = "Do something else."
    crash = session(1, trial=2, info={"error": "x"}, traj=[])
    plan = take(write(tmp_path / "a.json", [session(1), other, crash])).plan
    assert [goal.title for goal in plan.goals][2] == "Task 1"
    assert plan.goals[2].goal is None


def test_an_attempt_succeeds_because_an_outcome_is_recorded(desk: Taken) -> None:
    slot = desk.slot(FIRST)
    assert slot.attempt is not None
    assert slot.attempt.status == "succeeded"
    assert slot.inferred == {"attempt": "outcome recorded"}
    assert slot.message_count == 7


def test_without_an_outcome_there_is_neither_attempt_nor_grade(tmp_path: Path) -> None:
    taken = take(write(tmp_path / "a.json", [session(reward=None)]))
    assert taken.slot("a.1.0").attempt is None
    assert all(record.type == "message" for record in taken.recordings["a.1.0"].records)


def test_what_a_recording_has_no_place_for_is_said_once_a_file(desk: Taken) -> None:
    lost = {entry.place: entry.reason for entry in desk.manifest.source.lost}  # type: ignore[union-attr]  # the manifest of an import has a source
    assert set(lost) == {"desk_runs.json: [*].info.user_cost", "desk_runs.json: [*].info.task"}
    cost = lost["desk_runs.json: [*].info.user_cost"]
    assert "known for 1 session, unknown (0 or null) for 2" in cost


BROKEN: list[tuple[str, Any, str]] = [
    ("role", {"role": "narrator", "content": "x"}, "[1].traj[1].role"),
    ("message", "not an object", "[1].traj[1]"),
    ("content", {"role": "user", "content": 3}, "[1].traj[1].content"),
    ("part", {"role": "user", "content": [4]}, "[1].traj[1].content[0]"),
    ("calls", {"role": "assistant", "content": None, "tool_calls": {}}, "[1].traj[1].tool_calls"),
    (
        "call",
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c"}]},
        "[1].traj[1].tool_calls[0].function",
    ),
    (
        "name",
        {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": None}}]},
        "[1].traj[1].tool_calls[0].function.name",
    ),
]


@pytest.mark.parametrize(
    ("message", "place"), [case[1:] for case in BROKEN], ids=[c[0] for c in BROKEN]
)
def test_a_broken_conversation_costs_no_other_session(
    tmp_path: Path, message: Any, place: str
) -> None:
    broken = session(2, traj=[{"role": "user", "content": "Hi."}, message])
    taken = take(write(tmp_path / "a.json", [session(1), broken, session(3)]))
    assert [len(one.records) for one in taken.recordings.values()] == [3, 1, 3]
    lost = [entry.place for entry in taken.wave.lost]
    assert f"a.json: {place}" in lost
    # The session stays in the plan, with the number of messages nobody could read.
    recording = taken.recordings["a.2.0"]
    assert recording.damaged
    (problem,) = recording.problems
    assert (problem.file, problem.place, problem.session_id) == ("a.json", place, "a.2.0")
    assert taken.slot("a.2.0").message_count == 2
    assert [record.type for record in recording.records] == ["criteria"]


@pytest.mark.parametrize(
    ("element", "place"),
    [
        ("text", "[1]"),
        (None, "[1]"),
        (session(None), "[1].task_id"),
        (session(True), "[1].task_id"),
        (session(1, trial="first"), "[1].trial"),
        (session(1, trial=-1), "[1].trial"),
        (session(1, traj="none"), "[1].traj"),
    ],
)
def test_an_element_that_cannot_be_told_is_left_out_by_place(
    tmp_path: Path, element: Any, place: str
) -> None:
    taken = take(write(tmp_path / "a.json", [session(5), element, session(6)]))
    assert list(taken.recordings) == ["a.5.0", "a.6.0"]
    assert f"a.json: {place}" in [entry.place for entry in taken.wave.lost]
    (problem,) = taken.wave.problems
    assert (problem.place, problem.severity) == (place, "error")
    assert taken.manifest.terminal


def test_a_truncated_file_keeps_what_stands_before_the_break(tmp_path: Path) -> None:
    whole = json.dumps([session(1), session(2), session(3)], indent=1)
    cut = whole[: whole.index('"task_id": 3') + 6]
    taken = take(write(tmp_path / "a.json", cut))
    assert list(taken.recordings) == ["a.1.0", "a.2.0"]
    (problem,) = taken.wave.problems
    assert problem.rule == "source-file-broken"
    assert problem.place.startswith(f"line {cut.count(chr(10)) + 1}, column ")
    assert problem.remedy
    assert not taken.manifest.terminal
    assert any(entry.place.startswith("a.json: line ") for entry in taken.wave.lost)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('[{"task_id": 1, "reward": 0, "traj": [}]', "line 1, column 39"),
        ('[{"task_id": 1, "reward": 0, "traj": []\n', "line 2, column 1"),
    ],
)
def test_a_file_of_which_nothing_can_be_read_is_refused(
    tmp_path: Path, text: str, place: str
) -> None:
    with pytest.raises(RecordingError) as caught:
        take(write(tmp_path / "a.json", text))
    (problem,) = caught.value.problems
    assert (problem.file, problem.place) == ("a.json", place)
    assert problem.remedy


def test_text_behind_the_array_is_reported_and_the_sessions_stay(tmp_path: Path) -> None:
    taken = take(write(tmp_path / "a.json", json.dumps([session(1)]) + "]"))
    assert list(taken.recordings) == ["a.1.0"]
    assert [problem.rule for problem in taken.wave.problems] == ["source-file-broken"]


def test_bytes_that_are_no_utf8_end_the_file_there(tmp_path: Path) -> None:
    data = json.dumps([session(1), session(2)]).encode()
    at = data.rindex(b"Done.")
    (tmp_path / "a.json").write_bytes(data[:at] + b"\xff\xfe" + data[at:])
    taken = take(tmp_path / "a.json")
    assert list(taken.recordings) == ["a.1.0"]
    assert "UTF-8" in taken.wave.problems[0].what


def test_half_a_character_is_replaced_and_nothing_else(tmp_path: Path) -> None:
    whole = session(1)
    whole["traj"][0]["content"] = "x \ud83d y \U0001f600"
    whole["traj"][1]["tool_calls"] = [
        {"id": "c", "function": {"name": "f", "arguments": '{"a": "\\ud800"}'}}
    ]
    taken = take(write(tmp_path / "a.json", [whole]))
    assert messages(taken, "a.1.0")[0].content == "x \ufffd y \U0001f600"
    (call,) = (r for r in taken.recordings["a.1.0"].records if isinstance(r, ToolCall))
    assert call.args == {"a": "\ufffd"}


def test_the_same_session_twice_gets_an_id_of_its_own(tmp_path: Path) -> None:
    taken = take(write(tmp_path / "a.json", [session(1), session(1), session("1")]))
    assert list(taken.recordings) == ["a.1.0", "a.1.0:2", "a.1.0:3"]
    assert [slot.session_index for slot in taken.plan.slots] == [0, 1, 2]


def test_ids_are_safe_whatever_the_task_is_called(tmp_path: Path) -> None:
    taken = take(write(tmp_path / "a b.json", [session("../x/y z"), session("é" * 300)]))
    first, second = taken.recordings
    assert first == "a-b...-x-y-z.0"
    assert len(second) <= 200
    assert second.isascii()


def test_a_tool_message_that_answers_nothing_stays_a_message(tmp_path: Path) -> None:
    traj = [
        {"role": "user", "content": "Hi."},
        {"role": "tool", "tool_call_id": "nobody", "content": "Error: x"},
    ]
    taken = take(write(tmp_path / "a.json", [session(traj=traj)]))
    assert taken.counts()["tool results"] == 0
    assert messages(taken, "a.1.0")[1].tool_call_id is None
    assert any("answer no recorded call" in entry.reason for entry in taken.wave.lost)


def test_a_call_without_id_gets_one_and_says_so(tmp_path: Path) -> None:
    call = {"id": None, "function": {"name": "f", "arguments": ""}}
    traj = [{"role": "assistant", "content": None, "tool_calls": [call, call]}]
    taken = take(write(tmp_path / "a.json", [session(traj=traj)]))
    calls = [r for r in taken.recordings["a.1.0"].records if isinstance(r, ToolCall)]
    assert [one.tool_call_id for one in calls] == ["call", "call#2"]
    assert {str(one.inferred) for one in calls} == {
        "{'toolCallId': 'the source gives the call no id'}"
    }
    assert [one.args_invalid for one in calls] == [None, None]


texts = st.text(max_size=30)
traj = st.lists(
    st.one_of(
        st.fixed_dictionaries({"role": st.just("user"), "content": texts}),
        st.fixed_dictionaries({"role": st.just("assistant"), "content": st.none() | texts}),
        st.fixed_dictionaries(
            {
                "role": st.just("assistant"),
                "content": st.none(),
                "tool_calls": st.lists(
                    st.fixed_dictionaries(
                        {
                            "id": st.sampled_from(["a", "b", "a#2"]),
                            "function": st.fixed_dictionaries(
                                {
                                    "name": texts,
                                    "arguments": st.sampled_from(["{}", '{"x": 1}', "?"]),
                                }
                            ),
                        }
                    ),
                    max_size=3,
                ),
            }
        ),
        st.fixed_dictionaries(
            {
                "role": st.just("tool"),
                "tool_call_id": st.sampled_from(["a", "b", "c"]),
                "content": texts,
            }
        ),
    ),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(traj, min_size=1, max_size=3))
def test_every_text_and_every_call_comes_through(
    tmp_path_factory: pytest.TempPathFactory, conversations: list[list[Json]]
) -> None:
    folder = tmp_path_factory.mktemp("generated")
    document = [session(number, traj=list(one)) for number, one in enumerate(conversations)]
    taken = take(write(folder / "a.json", document))
    for number, conversation in enumerate(conversations):
        records = taken.recordings[f"a.{number}.0"].records
        assert [(r.role, r.content) for r in records if isinstance(r, Message)] == [
            (one["role"], one["content"] or "") for one in conversation
        ]
        calls = [r for r in records if isinstance(r, ToolCall)]
        wanted = [call for one in conversation for call in one.get("tool_calls") or ()]
        assert [r.tool_name for r in calls] == [call["function"]["name"] for call in wanted]
        ids = [r.tool_call_id for r in calls]
        assert len(set(ids)) == len(ids)
        results = [r.tool_call_id for r in records if isinstance(r, ToolResult)]
        assert set(results) <= set(ids)
        turns = [r.turn_index for r in records if isinstance(r, Message)]
        assert turns == sorted(turns)
