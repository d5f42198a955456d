"""What an agent's traces come to: each thing once, however many spans and requests tell of it."""

import json
from pathlib import Path
from typing import Any

import pytest
from imported import Json, Taken, take, write
from traces import (
    ANSWER,
    ASK,
    CALL,
    CONTAINERS,
    MCP,
    RESULT,
    TOLD,
    TOOL,
    agent,
    answers,
    chat,
    otlp,
    otlp_lines,
    says,
    second_turn,
    span,
    took,
    tool,
    visit,
)

from reporter.models.records import (
    CatalogRecord,
    Connection,
    ErrorRecord,
    Message,
    StepFinish,
    ToolCall,
    ToolResult,
)


def records(taken: Taken, session: str | None = None) -> list[Any]:
    recording = taken.recordings[session] if session else next(iter(taken.recordings.values()))
    return list(recording.records)


def of(taken: Taken, kind: type[Any], session: str | None = None) -> list[Any]:
    return [record for record in records(taken, session) if isinstance(record, kind)]


def said(taken: Taken, session: str | None = None) -> list[tuple[str, int, Any]]:
    return [(m.role, m.turn_index, m.content) for m in of(taken, Message, session)]


def lost(taken: Taken) -> str:
    return "\n".join(entry.words for entry in taken.wave.lost)


THE_VISIT = [
    ("user", 0, "Where is The Salt Road?"),
    ("assistant", 0, ""),
    ("assistant", 0, "On shelf 4."),
]


def check_visit(taken: Taken) -> None:
    assert list(taken.recordings) == ["visit-1"]
    assert said(taken) == THE_VISIT
    (call,) = of(taken, ToolCall)
    assert (call.tool_call_id, call.tool_name) == ("call_1", "find_book")
    assert call.args == {"title": "The Salt Road"}
    (result,) = of(taken, ToolResult)
    assert result.result == RESULT
    assert (result.is_error, result.inferred) == (False, None)
    assert result.duration_ms == 10
    steps = [(s.step_number, s.finish_reason, s.usage.input_tokens) for s in of(taken, StepFinish)]
    assert steps == [(0, "tool_call", 40), (1, "stop", 40)]
    (catalog,) = of(taken, CatalogRecord)
    assert [found.name for found in catalog.tools] == ["find_book"]
    assert (catalog.complete, catalog.view) == (True, "model")
    (context,) = taken.contexts.values()
    assert context.goal.goal == "Where is The Salt Road?"
    assert (context.target.label, context.target.model_id) == ("desk_agent", "desk-model")
    assert context.persona.name == "no persona recorded"
    attempt = taken.slot("visit-1").attempt
    assert attempt is not None
    assert attempt.status == "succeeded"


@pytest.mark.parametrize("container", CONTAINERS)
def test_every_container_gives_the_same_session(tmp_path: Path, container: str) -> None:
    path = write(tmp_path / "trace.json", CONTAINERS[container](*visit()))
    taken = take(path)
    check_visit(taken)
    assert taken.manifest.source is not None
    assert taken.manifest.source.importer == "otel-genai"
    assert taken.wave.problems == []


def test_spans_in_any_order_give_the_same_records(tmp_path: Path) -> None:
    forth = took(tmp_path / "a", *visit())
    back = took(tmp_path / "b", *reversed(visit()))
    assert records(forth) == records(back)


def test_a_span_exported_twice_counts_once(tmp_path: Path) -> None:
    taken = took(tmp_path, *visit(), *visit())
    check_visit(taken)
    assert "counted once (4)" in lost(taken)


def test_a_copy_of_a_file_counts_once(tmp_path: Path) -> None:
    write(tmp_path / "in" / "a.json", otlp(*visit()))
    write(tmp_path / "in" / "b.json", otlp(*visit()))
    taken = take(tmp_path / "in")
    check_visit(taken)
    assert "the same bytes as a.json" in lost(taken)


# One conversation in several traces and files.


def test_traces_of_one_conversation_are_its_turns(tmp_path: Path) -> None:
    taken = took(tmp_path, *second_turn(), *visit())
    assert said(taken) == [
        *THE_VISIT,
        ("user", 1, "And who wrote it?"),
        ("assistant", 1, "Mara Finch."),
    ]
    assert len(of(taken, ToolCall)) == 1


def test_a_conversation_may_be_spread_over_files(tmp_path: Path) -> None:
    write(tmp_path / "in" / "1.json", otlp(*second_turn()))
    write(tmp_path / "in" / "2.jsonl", otlp_lines(*visit()))
    taken = take(tmp_path / "in")
    assert list(taken.recordings) == ["visit-1"]
    assert len(said(taken)) == 5


def test_without_a_conversation_a_trace_is_a_session(tmp_path: Path) -> None:
    nameless = {"gen_ai.conversation.id": None}
    first = [agent(attributes=nameless), *visit()[1:]]
    taken = took(tmp_path, *first, *second_turn(attributes=nameless))
    assert len(taken.recordings) == 2
    second = list(taken.recordings)[1]
    # What the first request repeats of another trace is nobody's speech here.
    assert [entry for entry in said(taken, second) if entry[0] != "system"] == [
        ("user", 0, "And who wrote it?"),
        ("assistant", 0, "Mara Finch."),
    ]
    assert of(taken, ToolCall, second) == []
    assert "count as nobody's speech (4)" in lost(taken)


def test_the_same_words_said_again_are_said_again(tmp_path: Path) -> None:
    again = [
        agent(11, trace=2, at=1000),
        chat(12, [ASK, CALL, TOLD, ANSWER, ASK], [ANSWER], trace=2, parent=11, at=1010),
    ]
    taken = took(tmp_path, *visit(), *again)
    assert said(taken)[3:] == [
        ("user", 1, "Where is The Salt Road?"),
        ("assistant", 1, "On shelf 4."),
    ]


def test_a_context_that_was_cut_repeats_nothing(tmp_path: Path) -> None:
    cut = [
        agent(11, trace=2, at=1000),
        chat(12, [ANSWER, says("Thanks")], [answers("Bye.")], trace=2, parent=11, at=1010),
    ]
    taken = took(tmp_path, *visit(), *cut)
    assert said(taken)[3:] == [("user", 1, "Thanks"), ("assistant", 1, "Bye.")]


def test_a_summary_in_the_place_of_a_history_is_no_speech(tmp_path: Path) -> None:
    summary = says("Summary: the user asked where a book is.")
    rewritten = [
        agent(11, trace=2, at=1000),
        chat(12, [summary, ANSWER, says("Thanks")], [answers("Bye.")], trace=2, parent=11, at=1010),
    ]
    taken = took(tmp_path, *visit(), *rewritten)
    assert said(taken)[3:] == [("user", 1, "Thanks"), ("assistant", 1, "Bye.")]
    assert "messages in later requests that stand in the place of earlier ones" in lost(taken)


def test_a_turn_whose_trace_was_sampled_out_is_known_from_the_history(tmp_path: Path) -> None:
    third = [
        agent(21, trace=3, at=2000),
        chat(
            22,
            [
                ASK,
                CALL,
                TOLD,
                ANSWER,
                says("And who wrote it?"),
                answers("Mara Finch."),
                says("Thanks"),
            ],
            [answers("Bye.")],
            trace=3,
            parent=21,
            at=2010,
        ),
    ]
    taken = took(tmp_path, *visit(), *third)
    assert [entry[:2] for entry in said(taken)[3:]] == [
        ("user", 1),
        ("assistant", 1),
        ("user", 2),
        ("assistant", 2),
    ]
    inferred = [message.inferred for message in of(taken, Message)[3:]]
    assert [bool(one) for one in inferred] == [True, True, False, False]


def test_words_of_the_user_amid_a_run_are_the_clients(tmp_path: Path) -> None:
    spans = visit()
    reminder = says("Remember to be brief.")
    spans[3] = chat(4, [ASK, CALL, TOLD, reminder], [ANSWER], parent=1, at=50)
    taken = took(tmp_path, *spans)
    roles = [(m.role, m.author, bool(m.inferred)) for m in of(taken, Message)]
    assert roles == [
        ("user", "persona", False),
        ("assistant", "assistant", False),
        ("system", "client", True),
        ("assistant", "assistant", False),
    ]


def test_a_conversation_in_one_trace_has_a_turn_for_each_question(tmp_path: Path) -> None:
    taken = took(
        tmp_path,
        span("a long talk", 1, lasts=100),
        chat(2, [says("Hello")], [answers("Hi.")], parent=1, at=10),
        chat(3, [says("Hello"), answers("Hi."), says("Bye")], [answers("Bye.")], parent=1, at=30),
    )
    assert said(taken) == [
        ("user", 0, "Hello"),
        ("assistant", 0, "Hi."),
        ("user", 1, "Bye"),
        ("assistant", 1, "Bye."),
    ]


def test_two_conversations_in_one_trace_are_two_sessions(tmp_path: Path) -> None:
    one, two = ({"gen_ai.conversation.id": name} for name in ("c-1", "c-2"))
    taken = took(
        tmp_path,
        span("nightly batch", 1, lasts=100),
        agent(2, parent=1, at=1, lasts=20, attributes=one),
        chat(3, [says("One")], [answers("1")], parent=2, at=2),
        agent(4, parent=1, at=30, lasts=20, attributes=two),
        chat(5, [says("Two")], [answers("2")], parent=4, at=31),
    )
    assert [said(taken, name)[0][2] for name in ("c-1", "c-2")] == ["One", "Two"]


# One request to a model in several spans.


def test_a_request_in_two_spans_is_one_and_its_tokens_count_once(tmp_path: Path) -> None:
    wrapper = chat(
        2,
        None,
        None,
        parent=1,
        at=10,
        lasts=30,
        attributes={"gen_ai.response.finish_reasons": ["stop"]},
    )
    inner = chat(
        3,
        [ASK],
        [CALL | {"finish_reason": "tool_call"}],
        parent=2,
        at=11,
        attributes={"gen_ai.usage.input_tokens": 41},
    )
    taken = took(tmp_path, agent(), wrapper, inner)
    (step,) = of(taken, StepFinish)
    # The span nearest to the model counts; what another says otherwise is told.
    assert (step.finish_reason, step.usage.input_tokens) == ("tool_call", 41)
    assert 'finish reason: "tool_call" (chat desk-model) and "stop" (chat desk-model)' in lost(
        taken
    )
    assert "tokens differ" in lost(taken)
    # The answer came when the inner span ended, whatever the outer one waited for.
    assert step.at - of(taken, Message)[0].at == 11


def test_two_instrumentations_side_by_side_tell_of_one_request(tmp_path: Path) -> None:
    same = {"gen_ai.response.id": "r-1"}
    taken = took(
        tmp_path,
        agent(),
        chat(2, [ASK], [ANSWER], parent=1, at=10, attributes=same),
        chat(3, [ASK], [ANSWER], parent=1, at=12, attributes=same, scope="other"),
        # A made-up id that stands on every answer joins nothing that came later.
        chat(4, [ASK, ANSWER], [answers("More.")], parent=1, at=40, attributes=same),
    )
    assert len(of(taken, StepFinish)) == 2


def test_of_several_tries_the_one_that_was_answered_is_the_request(tmp_path: Path) -> None:
    failed: Json = {
        "status": "error",
        "message": "overloaded",
        "attributes": {
            "gen_ai.usage.input_tokens": None,
            "gen_ai.usage.output_tokens": None,
            "error.type": "503",
        },
    }
    taken = took(
        tmp_path,
        agent(),
        chat(2, [ASK], [ANSWER], parent=1, at=10, lasts=50),
        chat(3, [ASK], None, parent=2, at=11, **failed),
        chat(4, [ASK], [ANSWER], parent=2, at=30),
    )
    assert said(taken) == [
        ("user", 0, "Where is The Salt Road?"),
        ("assistant", 0, "On shelf 4."),
    ]
    assert len(of(taken, StepFinish)) == 1
    (error,) = of(taken, ErrorRecord)
    assert (error.message, error.code) == ("overloaded", "503")


def test_of_several_choices_the_first_is_what_was_said(tmp_path: Path) -> None:
    choices = [answers(text) | {"finish_reason": "stop"} for text in ("First.", "Second.")]
    taken = took(tmp_path, agent(), chat(2, [ASK], choices, parent=1))
    assert [entry[2] for entry in said(taken)] == ["Where is The Salt Road?", "First."]


# One tool call in several places.


def test_agent_client_and_server_tell_of_one_call(tmp_path: Path) -> None:
    taken = took(
        tmp_path,
        *visit(),
        span("tools/call find_book", 5, MCP, parent=3, at=31, lasts=8, kind="client"),
        span(
            "tools/call find_book", 6, MCP, parent=5, at=33, lasts=4, kind="server", service="books"
        ),
    )
    check_visit(taken)
    assert of(taken, ToolCall)[0].server_id == "books.example:8080"


def test_a_server_in_a_trace_of_its_own_is_joined_by_its_request(tmp_path: Path) -> None:
    failing = MCP | {"error.type": "-32602", "rpc.response.status_code": "-32602"}
    taken = took(
        tmp_path,
        *visit(),
        span("tools/call find_book", 5, MCP, parent=3, at=31, lasts=8, kind="client"),
        span("tools/call find_book", 6, failing, trace=9, at=33, kind="server", status="error"),
    )
    assert list(taken.recordings) == ["visit-1"]
    (result,) = of(taken, ToolResult)
    assert result.mcp_error_code == -32602


def test_a_server_that_nothing_joins_is_counted_and_no_session(tmp_path: Path) -> None:
    alone = MCP | {"mcp.session.id": "wire-2"}
    taken = took(tmp_path, *visit(), span("tools/call find_book", 6, alone, trace=9, kind="server"))
    check_visit(taken)
    assert "spans of MCP clients or servers that no agent's session" in lost(taken)


def test_where_only_servers_were_recorded_their_wires_are_the_sessions(tmp_path: Path) -> None:
    taken = took(
        tmp_path,
        span("tools/call find_book", 1, MCP, trace=1, kind="server"),
        span("tools/call find_book", 2, MCP, trace=2, at=50, kind="server"),
        span("initialize", 3, MCP | {"mcp.method.name": "initialize"}, trace=3, kind="server"),
    )
    assert list(taken.recordings) == ["wire-1"]
    assert len(of(taken, ToolCall)) == 2
    slot = taken.slot("wire-1")
    # Somebody said something to somebody; what is not known.
    assert slot.message_count == 2
    assert slot.inferred is not None
    assert "messageCount" in slot.inferred


def test_calls_that_a_tool_makes_itself_are_no_calls_of_the_model(tmp_path: Path) -> None:
    inner = [
        span(
            f"tools/call {name}",
            number,
            MCP | {"gen_ai.tool.name": name},
            parent=3,
            at=31,
            kind="client",
            lasts=2,
        )
        for number, name in ((5, "list_shelves"), (6, "read_shelf"))
    ]
    taken = took(tmp_path, *visit(), *inner)
    check_visit(taken)
    assert "the model asked for that one alone (2)" in lost(taken)


def test_two_instrumentations_beside_each_other_see_one_run(tmp_path: Path) -> None:
    other = tool(
        5, parent=1, at=31, lasts=5, scope="other", attributes={"gen_ai.tool.call.id": None}
    )
    taken = took(tmp_path, *visit(), other)
    assert len(of(taken, ToolCall)) == 1


def test_a_call_without_id_is_found_by_name_and_arguments(tmp_path: Path) -> None:
    def asks(title: str) -> Json:
        return {"type": "tool_call", "name": "find_book", "arguments": {"title": title}}

    both: Json = {"role": "assistant", "parts": [asks("A"), asks("B")]}
    nameless = {"gen_ai.tool.call.id": None}
    taken = took(
        tmp_path,
        agent(),
        chat(2, [ASK], [both], parent=1, at=10),
        tool(
            3,
            "b",
            parent=1,
            at=30,
            attributes=nameless | {"gen_ai.tool.call.arguments": '{"title": "B"}'},
        ),
        tool(
            4,
            "a",
            parent=1,
            at=31,
            attributes=nameless | {"gen_ai.tool.call.arguments": '{"title": "A"}'},
        ),
    )
    calls = {call.tool_call_id: call.args["title"] for call in of(taken, ToolCall)}
    results = {result.tool_call_id: result.result for result in of(taken, ToolResult)}
    assert {title: results[call_id] for call_id, title in calls.items()} == {"A": "a", "B": "b"}


def test_a_call_whose_tool_has_a_prefix_with_the_client_is_the_same(tmp_path: Path) -> None:
    prefixed = json.loads(json.dumps(CALL).replace("find_book", "books__find_book"))
    taken = took(
        tmp_path,
        agent(),
        chat(2, [ASK], [prefixed], parent=1, at=10),
        span("tools/call find_book", 3, MCP, parent=1, at=30, kind="client"),
    )
    (call,) = of(taken, ToolCall)
    assert call.tool_name == "books__find_book"
    assert len(of(taken, ToolResult)) == 1


def test_an_id_used_again_in_a_later_run_is_another_call(tmp_path: Path) -> None:
    later = [
        agent(11, trace=2, at=1000),
        chat(12, [ASK, CALL, TOLD, ANSWER, says("Again")], [CALL], trace=2, parent=11, at=1010),
        tool(13, trace=2, parent=11, at=1030),
    ]
    taken = took(tmp_path, *visit(), *later)
    assert [call.tool_call_id for call in of(taken, ToolCall)] == ["call_1", "call_1#2"]
    assert [result.tool_call_id for result in of(taken, ToolResult)] == ["call_1", "call_1#2"]


def test_a_call_that_nothing_answers_has_no_result(tmp_path: Path) -> None:
    taken = took(tmp_path, agent(), chat(2, [ASK], [CALL], parent=1))
    assert len(of(taken, ToolCall)) == 1
    assert of(taken, ToolResult) == []


def test_a_result_known_only_from_the_next_request_counts(tmp_path: Path) -> None:
    spans = [one for one in visit() if one.id != 3]
    taken = took(tmp_path, *spans)
    (result,) = of(taken, ToolResult)
    assert (result.result, result.is_error) == ("shelf 4", None)


# Errors.

FAILED = {"content": [{"type": "text", "text": "no such book"}], "isError": True}


@pytest.mark.parametrize(
    ("result", "more", "is_error", "error"),
    [
        pytest.param(FAILED, {}, True, None, id="the result says so"),
        pytest.param(
            RESULT,
            {"status": "error", "message": "broken pipe"},
            True,
            "broken pipe",
            id="the span says so",
        ),
        pytest.param(
            None,
            {"attributes": {"error.type": "timeout"}},
            True,
            "the span of the call ended with an error (timeout)",
            id="error.type says so",
        ),
        pytest.param(RESULT, {"status": "ok"}, False, None, id="both say that it went well"),
        pytest.param("shelf 4", {}, False, None, id="nobody says anything"),
        pytest.param(
            None,
            {"attributes": {"gen_ai.tool.status": "error"}},
            True,
            None,
            id="the recorder says so",
        ),
    ],
)
def test_any_sign_of_an_error_is_one(
    tmp_path: Path, result: Any, more: Json, is_error: bool, error: str | None
) -> None:
    spans = [*visit()[:2], tool(3, result, parent=1, at=30, **more)]
    (found,) = of(took(tmp_path, *spans), ToolResult)
    assert (found.is_error, found.error) == (is_error, error)
    # Only a result's own word for it is recorded; a span that ended well is not.
    recorded = result in (FAILED, RESULT) or is_error
    assert (found.inferred is None) == recorded


def test_a_run_that_merely_ended_tells_nothing_of_its_result(tmp_path: Path) -> None:
    spans = [*visit()[:2], tool(3, None, parent=1, at=30)]
    assert of(took(tmp_path, *spans), ToolResult) == []
    # MCP's own spans are to name an error that a tool answers with.
    wire = span("tools/call find_book", 5, MCP, parent=3, at=31, lasts=8, kind="client")
    (result,) = of(took(tmp_path, *spans, wire), ToolResult)
    assert (result.is_error, bool(result.inferred)) == (False, True)
    assert result.result == [{"kind": "other", "note": "what the tool answered was not captured"}]


def test_signs_that_disagree_are_told(tmp_path: Path) -> None:
    spans = [*visit()[:2], tool(3, FAILED, parent=1, at=30, status="ok")]
    taken = took(tmp_path, *spans)
    assert of(taken, ToolResult)[0].is_error is True
    assert "a call: status OK of the span, isError true in its result" in lost(taken)


def test_an_error_of_something_else_is_no_tool_error(tmp_path: Path) -> None:
    get = span(
        "GET",
        9,
        {"http.method": "GET", "http.status_code": 404},
        parent=1,
        status="error",
        kind="client",
    )
    taken = took(tmp_path, *visit(), get)
    check_visit(taken)
    assert of(taken, ErrorRecord) == []


def test_an_agent_that_broke_off_is_a_failed_attempt(tmp_path: Path) -> None:
    broken = agent(status="error", message="the model is gone", attributes={"error.type": "Gone"})
    taken = took(tmp_path, broken, chat(2, [ASK], None, parent=1, status="error", message="gone"))
    attempt = taken.slot("visit-1").attempt
    assert attempt is not None
    assert (attempt.status, attempt.error_code) == ("failed", "Gone")
    assert attempt.error_message == "the model is gone"


# What was not captured.


def test_a_session_without_texts_says_so(tmp_path: Path) -> None:
    taken = took(
        tmp_path,
        agent(),
        chat(2, None, None, parent=1, at=10),
        tool(3, None, parent=1, at=30, attributes={"gen_ai.tool.call.arguments": None}),
        chat(4, None, None, parent=1, at=50),
    )
    assert of(taken, Message) == []
    (call,) = of(taken, ToolCall)
    assert (call.tool_name, call.args) == ("find_book", {})
    assert call.inferred == {"args": "the source holds no arguments of the call"}
    assert len(of(taken, StepFinish)) == 2
    slot = taken.slot("visit-1")
    assert slot.message_count == 3
    assert "sessions of which no text was captured" in lost(taken)
    (note,) = (one for one in taken.wave.problems if one.rule == "source-texts-not-captured")
    assert note.severity == "note"
    assert "of 1 session," in note.what
    assert "CAPTURE_MESSAGE_CONTENT" in note.remedy
    (context,) = taken.contexts.values()
    assert (context.goal.title, context.goal.goal) == ("no goal recorded", None)


def test_the_agents_own_span_speaks_where_no_request_does(tmp_path: Path) -> None:
    told = {
        "gen_ai.input.messages": json.dumps([ASK]),
        "gen_ai.output.messages": json.dumps([ANSWER]),
    }
    taken = took(tmp_path, agent(attributes=told), chat(2, None, None, parent=1, at=10))
    assert said(taken) == [
        ("user", 0, "Where is The Salt Road?"),
        ("assistant", 0, "On shelf 4."),
    ]
    assert all(message.inferred for message in of(taken, Message))


def test_texts_that_were_cut_are_not_read_as_others(tmp_path: Path) -> None:
    spans = visit()
    cut = spans[3].attributes["gen_ai.input.messages"][:60]
    spans[3].attributes["gen_ai.input.messages"] = cut
    assert said(took(tmp_path, *spans)) == THE_VISIT


def test_tool_definitions_that_were_dropped_make_no_complete_catalog(tmp_path: Path) -> None:
    document = otlp(*visit())
    for one in document["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        one["droppedAttributesCount"] = 2
    (catalog,) = of(take(write(tmp_path / "t.json", document)), CatalogRecord)
    assert catalog.complete is False


def test_an_agents_own_span_may_list_its_tools_by_name_alone(tmp_path: Path) -> None:
    listed = {"gen_ai.agent.tools": '["find_book", "lend_book"]', "gen_ai.request.model": "m-1"}
    bare = {"gen_ai.request.model": None, "gen_ai.response.model": None}
    taken = took(
        tmp_path, agent(attributes=listed), chat(2, [ASK], [CALL], parent=1, attributes=bare)
    )
    (catalog,) = of(taken, CatalogRecord)
    assert [found.name for found in catalog.tools] == ["find_book", "lend_book"]
    assert catalog.complete is True
    (context,) = taken.contexts.values()
    assert context.target.model_id == "m-1"


def test_a_request_whose_tools_were_not_captured_leaves_the_catalog_open(tmp_path: Path) -> None:
    spans = visit()
    other = json.loads(json.dumps(CALL).replace("call_1", "call_2"))
    spans.append(chat(5, [ASK, CALL, TOLD, ANSWER], [other], parent=1, at=70))
    (catalog,) = of(took(tmp_path, *spans), CatalogRecord)
    assert catalog.complete is False


def test_a_name_that_only_a_wire_shows_leaves_the_catalog_open(tmp_path: Path) -> None:
    defined = {"gen_ai.tool.definitions": json.dumps([TOOL | {"name": "books__find_book"}])}
    taken = took(
        tmp_path,
        agent(),
        chat(2, None, None, parent=1, at=10, attributes=defined),
        span("tools/call find_book", 3, MCP, parent=1, at=30, kind="client"),
    )
    (catalog,) = of(taken, CatalogRecord)
    assert catalog.complete is False


def test_arguments_that_are_no_object_are_kept_beside(tmp_path: Path) -> None:
    broken = json.loads(json.dumps(CALL))
    broken["parts"][0]["arguments"] = '{"title": '
    (call,) = of(took(tmp_path, agent(), chat(2, [ASK], [broken], parent=1)), ToolCall)
    assert (call.args, call.args_invalid) == ({}, True)
    assert call.model_dump(by_alias=True)["rawArgs"] == '{"title": '


# Agents in agents.


def test_an_agent_that_is_a_tool_speaks_with_nobody(tmp_path: Path) -> None:
    inner_call = json.loads(
        json.dumps(CALL).replace("call_1", "call_9").replace("find_book", "shelf")
    )
    taken = took(
        tmp_path,
        *visit()[:2],
        tool(3, "On shelf 4", parent=1, at=30, lasts=18),
        agent(5, parent=3, at=31, lasts=15, attributes={"gen_ai.conversation.id": "inner"}),
        chat(6, [says("Look it up")], [inner_call], parent=5, at=32, lasts=2),
        tool(
            7,
            parent=5,
            at=35,
            lasts=2,
            attributes={"gen_ai.tool.call.id": "call_9", "gen_ai.tool.name": "shelf"},
        ),
        visit()[3],
    )
    assert list(taken.recordings) == ["visit-1"]
    assert said(taken) == THE_VISIT
    # Its calls and its tokens are the agent's that was spoken to.
    assert [call.tool_name for call in of(taken, ToolCall)] == ["find_book", "shelf"]
    assert all(call.caller is None for call in of(taken, ToolCall))
    assert len(of(taken, StepFinish)) == 3
    assert "agents are counted (2)" in lost(taken)


def test_an_agent_that_takes_over_answers_the_user(tmp_path: Path) -> None:
    context = says("For context: desk_agent handed over.")
    taken = took(
        tmp_path,
        agent(),
        chat(2, [ASK], [answers("One moment.")], parent=1, at=10),
        agent(3, parent=1, at=20, lasts=30, attributes={"gen_ai.agent.name": "books_agent"}),
        chat(4, [ASK, context], [ANSWER], parent=3, at=21),
    )
    assert [entry[0] for entry in said(taken)] == ["user", "assistant", "system", "assistant"]
    assert {entry[1] for entry in said(taken)} == {0}
    (found,) = taken.contexts.values()
    assert found.target.label == "desk_agent"


# Connections.


def test_mcp_spans_show_how_connecting_went(tmp_path: Path) -> None:
    wire = {"mcp.session.id": "wire-1", "server.address": "books.example"}
    taken = took(
        tmp_path,
        *visit(),
        span(
            "initialize", 5, wire | {"mcp.method.name": "initialize"}, parent=1, at=1, kind="client"
        ),
        span(
            "tools/list",
            6,
            wire
            | {
                "mcp.method.name": "tools/list",
                "error.type": "-32603",
                "rpc.response.status_code": "-32603",
            },
            parent=1,
            at=2,
            kind="client",
            status="error",
            message="list is gone",
        ),
    )
    first, second = of(taken, Connection)
    assert (first.phase, first.outcome, first.server_name) == ("initialize", "ok", "books.example")
    assert (second.phase, second.outcome, second.attributable) == ("tools_list", "failed", "server")
    assert (second.error.code, second.error.message) == (-32603, "list is gone")
    assert second.egress_verified is None


def test_what_newer_protocols_ask_first_shows_the_same(tmp_path: Path) -> None:
    discover = {"mcp.method.name": "server/discover", "mcp.protocol.version": "2026-07-28"}
    taken = took(tmp_path, *visit(), span("server/discover", 5, discover, parent=1, kind="server"))
    (found,) = of(taken, Connection)
    assert (found.phase, found.outcome, list(found.inferred)) == ("initialize", "ok", ["phase"])


def test_a_connection_made_before_belongs_to_the_session_that_used_it(tmp_path: Path) -> None:
    start = {"mcp.method.name": "initialize", "mcp.session.id": "wire-1"}
    taken = took(
        tmp_path,
        span("initialize", 8, start, trace=7, kind="client"),
        *visit(),
        span("tools/call find_book", 5, MCP, parent=3, at=31, lasts=8, kind="client"),
    )
    check_visit(taken)
    assert [found.phase for found in of(taken, Connection)] == ["initialize"]


@pytest.mark.parametrize(
    ("held", "count"),
    [
        (
            {
                "http.request.method": "POST",
                "url.full": "http://b.example:80/mcp",
                "http.response.status_code": 200,
            },
            1,
        ),
        ({"http.method": "POST", "http.url": "http://b.example/mcp/", "http.status_code": 202}, 1),
        ({"http.method": "POST", "http.url": "http://b.example/mcp", "http.status_code": 404}, 0),
        ({"http.method": "POST", "http.url": "http://b.example/chat", "http.status_code": 200}, 0),
        ({"http.method": "GET", "http.url": "http://b.example/mcp", "http.status_code": 200}, 0),
        ({"http.method": "POST", "http.url": "http://[b/mcp", "http.status_code": 200}, 0),
    ],
)
def test_an_answered_request_to_mcp_shows_that_a_server_was_reached(
    tmp_path: Path, held: Json, count: int
) -> None:
    taken = took(tmp_path, *visit(), span("POST", 9, held, parent=1, at=2, kind="client"))
    found = of(taken, Connection)
    assert len(found) == count
    assert all(one.outcome == "ok" and one.inferred for one in found)


# Times and trees that are not whole.


def test_a_span_of_another_clock_does_not_come_before_its_parent(tmp_path: Path) -> None:
    spans = visit()
    early = [*spans[:2], tool(3, parent=1, at=30), spans[3]]
    child = chat(9, [says("inner")], [answers("inner")], parent=3, at=-9000, service="elsewhere")
    taken = took(tmp_path, *early, child)
    assert said(taken) == THE_VISIT
    assert "spans that begin before the span they stand in" in lost(taken)


def test_spans_whose_parent_is_missing_still_count(tmp_path: Path) -> None:
    orphans = [one for one in visit() if one.id != 1]
    taken = took(tmp_path, *orphans)
    assert len(of(taken, ToolCall)) == 1
    assert said(taken) == THE_VISIT
    assert "exported elsewhere (3)" in lost(taken)
    (context,) = taken.contexts.values()
    assert context.target.label == "lending-desk"


def test_spans_that_contain_each_other_end(tmp_path: Path) -> None:
    taken = took(
        tmp_path,
        agent(1, parent=2),
        chat(2, [ASK], [ANSWER], parent=1, at=10),
        span("loop", 3, parent=3),
    )
    assert len(taken.recordings) == 1


def test_traces_without_agents_are_counted(tmp_path: Path) -> None:
    taken = took(tmp_path, *visit(), span("GET /", 50, {"http.method": "GET"}, trace=5))
    assert "traces without a span of an agent, a model or a tool" in lost(taken)


def test_what_nobody_knows_is_counted(tmp_path: Path) -> None:
    odd = {"gen_ai.operation.name": "dream"}
    document = otlp(*visit(), span("dream", 60, odd, parent=1))
    document["resourceSpans"].append({"scopeSpans": [{"spans": [{"name": "no ids"}, 7]}]})
    text = json.dumps(document) + "\n" + json.dumps({"resourceMetrics": []}) + "\n"
    taken = take(write(tmp_path / "t.jsonl", text))
    check_visit(taken)
    assert 'spans of the operation "dream", unknown here' in lost(taken)
    assert "spans without ids (2)" in lost(taken)
    assert "documents of no known kind" in lost(taken)


def test_evaluations_are_counted_and_decide_nothing(tmp_path: Path) -> None:
    result = {"gen_ai.evaluation.name": "relevance", "gen_ai.evaluation.score.label": "pass"}
    spans = visit()
    judged = chat(9, None, None, parent=1, at=90, events=[("gen_ai.evaluation.result", result)])
    taken = took(tmp_path, *spans, judged)
    assert "evaluation results, which name no mark from which on they pass" in lost(taken)
    assert taken.counts()["rewarded"] == 0


def test_a_conversation_may_have_a_number(tmp_path: Path) -> None:
    taken = took(
        tmp_path,
        agent(attributes={"gen_ai.conversation.id": 7}),
        chat(2, [ASK], [ANSWER], parent=1),
    )
    assert list(taken.recordings) == ["7"]


def test_an_id_that_is_none_for_a_file_is_made_one(tmp_path: Path) -> None:
    names = ["a/b", "a b", "x" * 300]
    spans = []
    for number, name in enumerate(names):
        held = {"gen_ai.conversation.id": name}
        spans += [
            agent(10 * number + 1, trace=number + 1, at=number, attributes=held),
            chat(10 * number + 2, [ASK], [ANSWER], trace=number + 1, parent=10 * number + 1),
        ]
    found = list(took(tmp_path, *spans).recordings)
    assert len(set(found)) == 3
    assert all(len(name) <= 200 and "/" not in name and " " not in name for name in found)
