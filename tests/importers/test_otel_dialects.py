"""The same conversation in each dialect: what recorders really write, and what they wrote once."""

import json
from pathlib import Path
from typing import Any

import pytest
from imported import SAMPLES, Json, Taken, take, write
from trace_dialects import DIALECTS, QUESTION, adk, events
from traces import (
    ANSWER,
    ASK,
    CONTAINERS,
    agent,
    chat,
    hexadecimal,
    otlp,
    pairs_of,
    span,
    took,
    wrapped,
)

from reporter.importers.otel.messages import answer_of
from reporter.models.records import (
    CatalogRecord,
    Connection,
    Message,
    StepFinish,
    ToolCall,
    ToolResult,
)


def of(taken: Taken, kind: type[Any]) -> list[Any]:
    (recording,) = taken.recordings.values()
    return [record for record in recording.records if isinstance(record, kind)]


def told(taken: Taken) -> Json:
    """What every dialect must tell of the conversation."""
    (context,) = taken.contexts.values()
    return {
        "said": [(m.role, m.content) for m in of(taken, Message) if m.role != "system"],
        "calls": [(c.tool_call_id, c.tool_name, c.args) for c in of(taken, ToolCall)],
        "errors": [r.is_error for r in of(taken, ToolResult)],
        "steps": [
            (s.finish_reason, s.usage.input_tokens, s.usage.output_tokens)
            for s in of(taken, StepFinish)
        ],
        "tools": [tool.name for c in of(taken, CatalogRecord) for tool in c.tools],
        "agent": context.target.label,
        "model": context.target.model_id,
    }


def expected(**more: Any) -> Json:
    return {
        "said": [("user", QUESTION), ("assistant", ""), ("assistant", "On shelf 4.")],
        "calls": [("call_1", "find_book", {"title": "The Salt Road"})],
        "errors": [False],
        "steps": [("tool_calls", 40, 12), ("stop", 40, 12)],
        "tools": ["find_book"],
        "agent": "desk_agent",
        "model": "desk-model",
    } | more


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_in_every_container_tells_the_same(
    tmp_path: Path, dialect: str, container: str
) -> None:
    path = write(tmp_path / "trace.json", CONTAINERS[container](*DIALECTS[dialect]()))
    taken = take(path)
    assert list(taken.recordings) == ["v"]
    assert told(taken) == expected()
    assert taken.wave.problems == []


def test_the_kits_word_for_why_it_stopped_disagrees_and_does_not_count(tmp_path: Path) -> None:
    taken = took(tmp_path, *adk())
    (entry,) = [entry for entry in taken.wave.lost if entry.kind == "disagreement"]
    assert entry.place == "trace.json: session v"
    assert entry.reason.startswith(
        'finish reason: "tool_calls" (openai.chat) and "stop" (call_llm); the first counts'
    )


def test_messages_in_log_records_belong_to_the_span_that_they_name(tmp_path: Path) -> None:
    spans = events()
    records = []
    for one in spans:
        for number, (name, held) in enumerate(one.events):
            body = {
                key: json.loads(value) if key in ("message", "tool_calls") else value
                for key, value in held.items()
            }
            records.append(
                {
                    "traceId": hexadecimal(one.trace, 32),
                    "spanId": hexadecimal(one.id, 16),
                    "timeUnixNano": str(number + 1),
                    "body": wrapped(body),
                    "attributes": pairs_of({"event.name": name}),
                }
            )
    bare = [
        span(one.name, one.id, one.attributes, parent=one.parent, at=one.at, lasts=one.lasts)
        for one in spans
    ]
    logs = {"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}
    # The logs come first: what they are about is not known yet.
    write(tmp_path / "in" / "a-logs.json", logs)
    write(tmp_path / "in" / "b-traces.json", otlp(*bare))
    assert told(take(tmp_path / "in")) == expected()


@pytest.mark.parametrize(
    ("sample", "session"), [("trace_openllmetry", "visit-7"), ("trace_openinference", "visit-8")]
)
def test_what_the_public_instrumentations_record_is_read(sample: str, session: str) -> None:
    taken = take(SAMPLES / f"{sample}.json")
    assert list(taken.recordings) == [session]
    found = told(taken)
    assert found["said"][0] == ("user", QUESTION)
    assert found["said"][-1] == ("assistant", "The Salt Road is on shelf 4.")
    assert found["calls"] == [("call_a1", "find_book", {"title": "The Salt Road"})]
    assert [step[1:] for step in found["steps"]] == [(40, 12), (60, 9)]
    assert found["tools"] == ["find_book"]
    assert found["errors"] == [False]
    assert taken.wave.lost == []


def test_what_the_public_instrumentation_of_mcp_records_is_read() -> None:
    taken = take(SAMPLES / "trace_mcp.json")
    assert [(c.phase, c.server_name) for c in of(taken, Connection)] == [
        ("initialize", "desk"),
        ("initialize", "desk"),
        ("tools_list", None),
    ]
    (catalog,) = of(taken, CatalogRecord)
    # The server listed all of its own; what the model was offered beside is not on record.
    assert (catalog.view, catalog.complete, len(catalog.tools)) == ("raw", False, 1)
    results = of(taken, ToolResult)
    assert [result.is_error for result in results] == [False, True]
    assert of(taken, Message) == []


def test_with_its_contents_off_the_kit_leaves_no_texts(tmp_path: Path) -> None:
    spans = adk()
    for one in spans:
        for name in one.attributes:
            if name.startswith("gcp.vertex.agent.") and str(one.attributes[name]).startswith(
                ("{", "N")
            ):
                one.attributes[name] = "{}"
    taken = took(tmp_path, *spans)
    assert of(taken, Message) == []
    assert [(c.tool_name, c.args) for c in of(taken, ToolCall)] == [("find_book", {})]
    assert [step.usage.input_tokens for step in of(taken, StepFinish)] == [40, 40]


def test_content_that_is_no_text_is_told_in_words(tmp_path: Path) -> None:
    picture: Json = {
        "role": "user",
        "parts": [
            {"type": "text", "content": "What is this?"},
            {"type": "blob", "modality": "image", "mime_type": "image/png", "content": "AAAA"},
        ],
    }
    thinking: Json = {
        "role": "assistant",
        "parts": [{"type": "reasoning", "content": "hm"}, {"type": "text", "content": "A cat."}],
    }
    first, second = of(took(tmp_path, agent(), chat(2, [picture], [thinking], parent=1)), Message)
    assert [part.model_dump(exclude_none=True) for part in first.content] == [
        {"kind": "text", "text": "What is this?"},
        {"kind": "other", "note": "content of type blob, not kept"},
    ]
    assert second.content == "A cat."


@pytest.mark.parametrize(
    "words", ['{"a": 1}', "[1, 2]", '["x"]', "[", '[{"a": 1}]', "null", "\ud800"]
)
def test_words_that_look_like_json_stay_words(tmp_path: Path, words: str) -> None:
    ask: Json = {"role": "user", "content": words}
    (message, *_) = of(took(tmp_path, agent(), chat(2, [ask], [ANSWER], parent=1)), Message)
    assert message.content == words.replace("\ud800", "\ufffd")


def test_a_request_in_one_attribute_is_read(tmp_path: Path) -> None:
    prompt = json.dumps({"messages": [{"role": "user", "content": QUESTION}]})
    one = chat(2, None, [ANSWER], parent=1, attributes={"gen_ai.prompt": prompt})
    assert [m.content for m in of(took(tmp_path, agent(), one), Message)] == [
        QUESTION,
        "On shelf 4.",
    ]


@pytest.mark.parametrize(
    ("output", "answer", "flag"),
    [
        (
            {"type": "tool", "data": {"content": "no", "type": "tool", "status": "error"}},
            "no",
            True,
        ),
        ({"output": {"lc": 1, "kwargs": {"content": "4", "tool_call_id": "c"}}}, "4", None),
        ({"output": {"content": "4"}}, {"output": {"content": "4"}}, None),
        ({"content": "4", "tool_call_id": "c"}, {"content": "4", "tool_call_id": "c"}, None),
        ("4", "4", None),
        ([1], [1], None),
    ],
)
def test_an_answer_comes_out_of_the_message_made_of_it(
    output: Any, answer: Any, flag: bool | None
) -> None:
    assert answer_of(output) == (answer, flag)


def test_a_stack_behind_what_went_wrong_is_no_part_of_it(tmp_path: Path) -> None:
    stack = "ValueError('gone')Traceback (most recent call last):\n  File x"
    broken = agent(status="error", message=stack)
    taken = took(tmp_path, broken, chat(2, [ASK], [ANSWER], parent=1))
    attempt = taken.slot("visit-1").attempt
    assert attempt is not None
    assert attempt.error_message == "ValueError('gone')"


def test_a_model_that_the_recorder_does_not_know_is_none(tmp_path: Path) -> None:
    held = {"gen_ai.request.model": "unknown", "gen_ai.response.model": "desk-model-2"}
    taken = took(tmp_path, agent(), chat(2, [ASK], [ANSWER], parent=1, attributes=held))
    (context,) = taken.contexts.values()
    assert context.target.model_id == "desk-model-2"


def test_what_a_judge_says_in_a_trace_is_not_the_agents(tmp_path: Path) -> None:
    judged = {
        "openinference.span.kind": "LLM",
        "llm.model_name": "judge-model",
        "llm.token_count.prompt": 900,
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": "Was this answer good?",
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.content": "Yes.",
    }
    spans = [
        *DIALECTS["openinference"](),
        span("relevance", 20, {"openinference.span.kind": "EVALUATOR"}, parent=1, at=80),
        span("judge", 21, judged, parent=20, at=81),
    ]
    taken = took(tmp_path, *spans)
    assert told(taken) == expected()
    words = [entry.reason for entry in taken.wave.lost]
    assert "requests and calls of guardrails and evaluators, which are not the agent's" in words
