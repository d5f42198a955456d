import json
from pathlib import Path
from typing import Any

import pytest
from imported import SAMPLES, Json, Taken, results, simulation, take, write

from reporter.derive.session import derive_session
from reporter.errors import RecordingError
from reporter.importers.identify import identify
from reporter.importers.mapping import mapping_of_options
from reporter.importers.tau2_ending import ENDINGS
from reporter.importers.wave import ImportedWave
from reporter.models.records import (
    Criteria,
    Message,
    SessionComplete,
    StepFinish,
    ToolCall,
    ToolResult,
)

FIRST = "11111111-aaaa-4bbb-8ccc-000000000001"
SECOND = "11111111-aaaa-4bbb-8ccc-000000000002"
THIRD = "11111111-aaaa-4bbb-8ccc-000000000003"


@pytest.fixture(scope="module")
def desk() -> Taken:
    return take(SAMPLES / "results.json")


def of_type(taken: Taken, session_id: str, kind: type) -> list[Any]:
    return [r for r in taken.recordings[session_id].records if isinstance(r, kind)]


def test_persona_goal_and_target_come_from_the_file(desk: Taken) -> None:
    context = desk.contexts[FIRST]
    assert context.persona.name == "A patient reader"
    assert context.persona.inferred is None
    assert context.goal.title == "Task borrow: Borrow the atlas."
    assert (context.target.kind, context.target.id, context.target.label) == (
        "environment",
        "desk",
        "desk",
    )
    assert (context.target.model_id, context.target.temperature) == ("model-agent", 0.0)
    assert context.target.inferred is None
    other = desk.contexts[THIRD]
    assert other.persona.name == "no persona recorded"
    assert other.goal.goal == (
        "Reason for the call: You want to return a book.\n\nKnown: You are reader_3.\n\n"
        "Instructions: Be brief."
    )


def test_the_users_calls_are_the_personas_and_each_user_message_is_a_turn(desk: Taken) -> None:
    assert [
        (call.tool_call_id, call.caller, call.turn_index) for call in of_type(desk, FIRST, ToolCall)
    ] == [("u1", "persona", 0), ("a1", None, 1), ("a2", None, 1)]
    assert [(m.role, m.turn_index) for m in of_type(desk, FIRST, Message)] == [
        ("assistant", 0),
        ("user", 0),
        ("tool", 0),
        ("user", 1),
        ("assistant", 1),
        ("tool", 1),
        ("tool", 1),
        ("assistant", 1),
        ("user", 2),
    ]


def test_results_join_their_calls_and_keep_the_recorded_flag(desk: Taken) -> None:
    assert [
        (one.tool_call_id, one.result, one.is_error, one.inferred)
        for one in of_type(desk, FIRST, ToolResult)
    ] == [
        ("u1", "valid", True, None),
        ("a2", "no such book", True, None),
        ("a1", "shelf 3", False, None),
    ]


def test_a_step_stands_for_each_generated_message_of_the_assistant(desk: Taken) -> None:
    first, second = of_type(desk, FIRST, StepFinish)
    assert (first.turn_index, first.step_number, first.finish_reason) == (1, 0, "tool_calls")
    assert (first.model_id, first.at) == ("model-agent-2026", 1_772_355_603_000)
    assert first.usage.model_dump(exclude_none=True) == {
        "inputTokens": 100,
        "outputTokens": 20,
        "totalTokens": 120,
    }
    assert (second.turn_index, second.step_number, second.finish_reason) == (1, 1, "stop")
    assert second.usage.total_tokens is None
    assert [call.step_index for call in of_type(desk, FIRST, ToolCall)] == [None, 0, 0]


def test_only_times_that_are_points_in_time_count(desk: Taken) -> None:
    assert [m.at for m in of_type(desk, FIRST, Message)] == [
        None,
        1_772_355_601_000,
        None,
        1_772_355_602_000,
        1_772_355_603_000,
        None,
        None,
        1_772_355_604_000,
        1_772_355_605_000,
    ]
    # With a zone the written time is one as well.
    assert of_type(desk, SECOND, Message)[0].at == 1_772_352_060_000


def test_the_reward_is_a_criterion_with_its_breakdown(desk: Taken) -> None:
    reasons = {
        session_id: [(r.passed, r.status, r.reason) for r in criteria.results]
        for session_id in (FIRST, SECOND, THIRD)
        for criteria in of_type(desk, session_id, Criteria)
    }
    assert reasons == {
        FIRST: [(True, None, "reward 1.0 (DB 1.0, COMMUNICATE 1.0)")],
        SECOND: [(False, None, "reward 0.0 (Stopped early: max_steps)")],
        # What the runner writes when it broke off itself judges nobody.
        THIRD: [(False, "error", "reward 0.0 (Stopped early)")],
    }


@pytest.mark.parametrize(
    ("session_id", "status", "end_reason", "code"),
    [
        (FIRST, "succeeded", "personaEnded", None),
        (SECOND, "succeeded", "turnCap", None),
        (THIRD, "failed", "error", "infrastructure_error"),
    ],
)
def test_how_it_ended(
    desk: Taken, session_id: str, status: str, end_reason: str, code: str | None
) -> None:
    (ending,) = of_type(desk, session_id, SessionComplete)
    assert (ending.status, ending.end_reason, ending.error_code) == (status, end_reason, code)
    attempt = desk.slot(session_id).attempt
    assert attempt is not None
    assert (attempt.status, attempt.error_code) == (status, code)
    assert ending.seq == len(desk.recordings[session_id].records) - 1


def test_a_limit_on_steps_is_only_inferred_to_be_a_limit_on_turns(desk: Taken) -> None:
    (ending,) = of_type(desk, SECOND, SessionComplete)
    assert ending.inferred == {
        "endReason": "termination_reason max_steps: a limit on steps, not on turns"
    }
    assert desk.contexts[SECOND].run.max_turns is None


@pytest.mark.parametrize("word", ENDINGS)
def test_every_reason_of_the_runner_has_an_ending(tmp_path: Path, word: str) -> None:
    document = results([simulation(termination_reason=word)])
    taken = take(write(tmp_path / "results.json", document))
    (ending,) = of_type(taken, "sim-1", SessionComplete)
    assert ending.end_reason == ENDINGS[word].end_reason
    assert (ending.status == "failed") is ENDINGS[word].broke_off
    (criteria,) = of_type(taken, "sim-1", Criteria)
    assert (criteria.results[0].status is None) is ENDINGS[word].judged


def test_an_unknown_reason_is_unknown_and_listed(tmp_path: Path) -> None:
    document = results([simulation(termination_reason="bored")])
    taken = take(write(tmp_path / "results.json", document))
    (ending,) = of_type(taken, "sim-1", SessionComplete)
    assert (ending.status, ending.end_reason) == ("succeeded", "unknown")
    assert any('"bored" is unknown (1 session)' in entry.reason for entry in taken.wave.lost)


@pytest.mark.parametrize(
    ("more", "status", "inferred"),
    [
        ({"reward_info": None}, "succeeded", {"attempt": "termination_reason user_stop"}),
        ({"termination_reason": None}, "succeeded", {"attempt": "outcome recorded"}),
        ({"termination_reason": None, "reward_info": None}, None, None),
        ({"termination_reason": "bored", "reward_info": None}, None, None),
    ],
)
def test_an_attempt_needs_something_recorded(
    tmp_path: Path, more: dict[str, Any], status: str | None, inferred: dict[str, str] | None
) -> None:
    taken = take(write(tmp_path / "results.json", results([simulation(**more)])))
    slot = taken.slot("sim-1")
    assert (slot.attempt.status if slot.attempt else None) == status
    assert slot.inferred == inferred


def test_what_the_run_planned_and_does_not_hold_is_a_slot_that_never_ran(desk: Taken) -> None:
    slot = desk.slot("results.return.1")
    assert (slot.recorded, slot.attempt, slot.message_count) == (False, None, None)
    assert not desk.recordings["results.return.1"].present
    assert desk.recordings["results.return.1"].records == ()
    assert len(desk.plan.slots) == 4


@pytest.mark.parametrize("trials", [None, "2", 0, True, 10**6])
def test_a_number_of_trials_that_says_nothing_plans_nothing(tmp_path: Path, trials: Any) -> None:
    document = results([simulation()])
    document["info"]["num_trials"] = trials
    assert len(take(write(tmp_path / "results.json", document)).plan.slots) == 1


def test_what_cannot_be_used_is_listed_once_a_file(desk: Taken) -> None:
    assert [entry.place for entry in desk.wave.lost] == [
        "results.json: simulations[*].agent_cost, user_cost",
        "results.json: simulations[*].start_time, end_time, timestamp",
        "results.json: info.environment_info.policy",
        "results.json: tasks[*].evaluation_criteria",
    ]


def test_a_mapping_stands_before_what_is_recorded_and_that_is_listed() -> None:
    mapping = mapping_of_options(persona="Somebody", target="my desk", model="other")
    taken = take(SAMPLES / "results.json", mapping)
    assert [persona.name for persona in taken.plan.personas] == ["Somebody"]
    (target,) = taken.plan.targets
    assert (target.label, target.model_id) == ("my desk", "other")
    assert target.inferred is not None
    assert set(target.inferred) == {"id", "label", "modelId"}
    assert "results.json: tasks[*].user_scenario.persona" in [e.place for e in taken.wave.lost]


def test_a_long_persona_is_cut_and_kept_whole_beside(tmp_path: Path) -> None:
    start = "A reader who " + "really " * 12
    tasks = [
        {"id": task_id, "user_scenario": {"persona": start + end, "instructions": "Borrow."}}
        for task_id, end in (("t", "likes\nbooks"), ("u", "likes music"))
    ]
    simulations = [simulation(), simulation(id="sim-2", task_id="u")]
    taken = take(write(tmp_path / "results.json", results(simulations, tasks=tasks)))
    first, second = taken.plan.personas
    assert first.name == second.name
    assert len(first.name) <= 81
    assert first.name.endswith("…")
    assert first.persona_ref_id != second.persona_ref_id
    assert first.notes == start + "likes\nbooks"
    assert first.inferred == {"name": "first words of the persona's description"}


def test_a_task_that_is_not_listed_still_has_a_goal(tmp_path: Path) -> None:
    taken = take(write(tmp_path / "results.json", results([simulation(task_id="other")], tasks=[])))
    (goal,) = taken.plan.goals
    assert (goal.title, goal.goal) == ("Task other", None)


def test_several_answers_in_one_tool_message_are_several(tmp_path: Path) -> None:
    calls = [{"id": x, "name": "f", "arguments": {}, "requestor": "assistant"} for x in "ab"]
    messages = [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": None, "tool_calls": calls},
        {
            "role": "tool",
            "tool_messages": [
                {"role": "tool", "id": "a", "content": "1", "error": False},
                {"role": "tool", "id": "b", "content": "2", "error": True},
            ],
        },
    ]
    taken = take(write(tmp_path / "results.json", results([simulation(messages=messages)])))
    assert [(r.tool_call_id, r.is_error) for r in of_type(taken, "sim-1", ToolResult)] == [
        ("a", False),
        ("b", True),
    ]


def test_sound_is_named_and_not_kept(tmp_path: Path) -> None:
    messages = [{"role": "user", "content": "UklGRg==", "is_audio": True}]
    taken = take(write(tmp_path / "results.json", results([simulation(messages=messages)])))
    (message,) = of_type(taken, "sim-1", Message)
    (part,) = message.content
    assert part.note == "content of type audio, not kept"


def test_arguments_that_nest_without_end_are_kept_as_text(tmp_path: Path) -> None:
    deep: Any = {}
    for _ in range(150):
        deep = {"a": deep}
    calls = [{"id": "c", "name": "f", "arguments": deep}]
    messages = [{"role": "assistant", "content": "", "tool_calls": calls}]
    taken = take(write(tmp_path / "results.json", results([simulation(messages=messages)])))
    (call,) = of_type(taken, "sim-1", ToolCall)
    assert (call.args, call.args_invalid) == ({}, True)
    assert call.model_dump()["rawArgs"] == json.dumps(deep)


@pytest.mark.parametrize(
    ("broken", "place"),
    [
        ("text", "simulations[0]"),
        (simulation(task_id=None), "simulations[0].task_id"),
        (simulation(trial=1.5), "simulations[0].trial"),
        (simulation(messages={}), "simulations[0].messages"),
        (simulation(messages=None, ticks=[{}]), "simulations[0].messages"),
    ],
)
def test_a_simulation_that_cannot_be_told_is_left_out_by_place(
    tmp_path: Path, broken: Any, place: str
) -> None:
    document = results([broken, simulation(id="sim-2")])
    document["info"]["num_trials"] = None
    taken = take(write(tmp_path / "results.json", document))
    assert list(taken.recordings) == ["sim-2"]
    assert f"results.json: {place}" in [entry.place for entry in taken.wave.lost]


@pytest.mark.parametrize(
    ("message", "place"),
    [
        (3, "messages[0]"),
        ({"role": "robot"}, "messages[0].role"),
        ({"role": "assistant", "content": 1}, "messages[0].content"),
        ({"role": "assistant", "tool_calls": "x"}, "messages[0].tool_calls"),
        ({"role": "assistant", "tool_calls": [1]}, "messages[0].tool_calls[0]"),
        ({"role": "assistant", "tool_calls": [{"id": "x"}]}, "messages[0].tool_calls[0].name"),
        ({"role": "tool", "tool_messages": [1]}, "messages[0].tool_messages[0]"),
    ],
)
def test_a_broken_message_costs_its_own_session_only(
    tmp_path: Path, message: Any, place: str
) -> None:
    document = results([simulation(messages=[message]), simulation(id="sim-2")])
    taken = take(write(tmp_path / "results.json", document))
    assert [one.damaged for one in taken.recordings.values()] == [True, False]
    (problem,) = taken.recordings["sim-1"].problems
    assert problem.place == f"simulations[0].{place}"
    assert taken.slot("sim-1").message_count == 1
    assert len(of_type(taken, "sim-2", Message)) == 2


@pytest.mark.parametrize("cut", [100, -30])
def test_a_file_that_breaks_off_is_refused_with_its_place(tmp_path: Path, cut: int) -> None:
    text = json.dumps(results([simulation()]), indent=1)
    # What is left still shows whose it is.
    document = text[: text.index('"tasks"') + cut] if cut > 0 else text[:cut]
    with pytest.raises(RecordingError) as caught:
        take(write(tmp_path / "results.json", document))
    (problem,) = caught.value.problems
    assert problem.file == "results.json"
    assert problem.place.startswith("line ")


def test_a_broken_file_costs_no_other_file(tmp_path: Path) -> None:
    text = json.dumps(results([simulation()]))
    write(tmp_path / "a" / "results.json", text[:-2])
    write(tmp_path / "b" / "results.json", results([simulation(id="sim-2")]))
    taken = take(tmp_path)
    assert list(taken.recordings) == ["sim-1", "sim-2"]
    assert [problem.file for problem in taken.wave.problems] == ["a/results.json"]


def test_a_run_without_simulations_says_so(tmp_path: Path) -> None:
    document = results([])
    document["simulations"] = {}
    with pytest.raises(RecordingError) as caught:
        take(write(tmp_path / "results.json", document))
    assert caught.value.problems[0].place == "simulations"


def test_what_a_broken_file_planned_may_have_run(tmp_path: Path) -> None:
    document = results([simulation()])
    document["info"]["num_trials"] = 3
    whole = json.dumps(document)
    at = whole.index('"simulations"')
    first = json.dumps(simulation())
    assert len(take(write(tmp_path / "whole.json", whole)).manifest.slots) == 3
    cut = f'{whole[:at]}"simulations": [{first}, {{"id": "sim-2", "task_id"'
    taken = take(write(tmp_path / "cut.json", cut))
    assert [slot.session_id for slot in taken.manifest.slots] == ["sim-1"]
    assert [problem.rule for problem in taken.wave.problems] == ["source-file-broken"]
    assert not taken.manifest.terminal


def test_simulations_may_stand_before_what_they_are_read_with(tmp_path: Path) -> None:
    usual = results([simulation(), simulation(id="sim-2", trial=1)])
    turned = dict(reversed(usual.items()))
    assert next(iter(turned)) == "simulations"
    first = take(write(tmp_path / "a" / "results.json", usual))
    second = take(write(tmp_path / "b" / "results.json", turned))
    assert first.recordings == second.recordings
    assert first.manifest.slots == second.manifest.slots
    assert first.manifest.goals == second.manifest.goals


@pytest.mark.parametrize("document", [[simulation()], "text", 7])
def test_a_document_that_is_no_run_is_a_loss(tmp_path: Path, document: Any) -> None:
    path = write(tmp_path / "results.json", results([simulation()]))
    identified = identify(path)
    write(path, json.dumps(document))
    wave = ImportedWave(identified)
    assert list(wave.sessions()) == []
    assert [problem.file for problem in wave.problems] == ["results.json"]


def equipped(tool_defs: Any, **more: Any) -> Json:
    call = {"id": "c1", "name": "shelve", "arguments": {}, "requestor": "assistant"}
    talk = [
        {"role": "user", "content": "Shelve it."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "id": "c1", "content": "no such tool", "error": True},
    ]
    document = results([simulation(messages=talk)])
    document["info"]["environment_info"]["tool_defs"] = tool_defs
    document["info"]["agent_info"] |= more
    return document


LEND = {
    "name": "lend",
    "doc": "Lend a book.",
    "params": {"type": "object"},
    "returns": {"type": "string"},
}


@pytest.mark.parametrize(
    "tool_defs",
    [
        {"lend": LEND},
        {"lend": {key: LEND[key] for key in ("doc", "params", "returns")}},
        [LEND],
        [{"type": "function", "function": {"name": "lend", "parameters": {}}}],
    ],
)
def test_the_tools_of_a_run_are_its_targets_catalogue(tool_defs: Any, tmp_path: Path) -> None:
    taken = take(write(tmp_path / "results.json", equipped(tool_defs)))
    (entry,) = taken.manifest.catalogs or []
    (target,) = taken.plan.targets
    assert target.catalog_id == entry.catalog_id
    assert [tool.name for tool in entry.tools or []] == ["lend"]
    facts = derive_session(taken.contexts["sim-1"], taken.recordings["sim-1"])
    assert (facts.catalog_complete, facts.hallucinated_tools) == (True, ("shelve",))


def test_a_tool_keeps_what_is_said_of_it(tmp_path: Path) -> None:
    taken = take(write(tmp_path / "results.json", equipped({"lend": LEND})))
    (entry,) = taken.manifest.catalogs or []
    (tool,) = entry.tools or []
    assert (tool.description, tool.input_schema, tool.output_schema) == (
        "Lend a book.",
        {"type": "object"},
        {"type": "string"},
    )


@pytest.mark.parametrize(
    ("tool_defs", "more"),
    [({"lend": LEND}, {"implementation": "llm_agent_solo"}), ({"lend": LEND, "x": 7}, {})],
)
def test_a_list_that_may_lack_a_tool_calls_no_call_made_up(
    tool_defs: Any, more: Json, tmp_path: Path
) -> None:
    taken = take(write(tmp_path / "results.json", equipped(tool_defs, **more)))
    facts = derive_session(taken.contexts["sim-1"], taken.recordings["sim-1"])
    assert (facts.catalog_complete, facts.hallucinated_tools) == (False, ())


@pytest.mark.parametrize("tool_defs", [7, "lend", {"": 7}, [None, {"name": 3}]])
def test_definitions_that_cannot_be_used_are_named(tool_defs: Any, tmp_path: Path) -> None:
    taken = take(write(tmp_path / "results.json", equipped(tool_defs)))
    lost = [entry for entry in taken.wave.lost if "tool_defs" in entry.place]
    assert [entry.kind for entry in lost] == ["unreadable"]
    assert set(taken.recordings) == {"sim-1"}
