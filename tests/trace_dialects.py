"""The conversation of `traces` as each dialect records it."""

import json

from imported import Json
from traces import ANSWER, ASK, CALL, RESULT, TOOL, TestSpan, agent, chat, span, tool

QUESTION = "Where is The Salt Road?"


# OpenInference.


def openinference() -> list[TestSpan]:
    llm: Json = {
        "openinference.span.kind": "LLM",
        "llm.model_name": "desk-model",
        "llm.token_count.prompt": 40,
        "llm.token_count.completion": 12,
        "llm.tools.0.tool.json_schema": json.dumps({"type": "function", "function": TOOL}),
        "llm.input_messages.0.message.role": "system",
        "llm.input_messages.0.message.content": "You help at a desk.",
        "llm.input_messages.1.message.role": "user",
        "llm.input_messages.1.message.contents.0.message_content.type": "text",
        "llm.input_messages.1.message.contents.0.message_content.text": QUESTION,
    }
    call = {
        "message.role": "assistant",
        "message.tool_calls.0.tool_call.id": "call_1",
        "message.tool_calls.0.tool_call.function.name": "find_book",
        "message.tool_calls.0.tool_call.function.arguments": '{"title": "The Salt Road"}',
    }
    first = llm | {f"llm.output_messages.0.{key}": value for key, value in call.items()}
    second = llm | {f"llm.input_messages.2.{key}": value for key, value in call.items()}
    return [
        span(
            "desk_agent",
            1,
            {"openinference.span.kind": "AGENT", "agent.name": "desk_agent", "session.id": "v"},
            lasts=100,
        ),
        span("chain", 7, {"openinference.span.kind": "CHAIN"}, parent=1, at=5, lasts=90),
        span("ChatCompletion", 2, first | {"llm.finish_reason": "tool_calls"}, parent=7, at=10),
        span(
            "find_book",
            3,
            {
                "openinference.span.kind": "TOOL",
                "tool.name": "find_book",
                "tool.id": "call_1",
                "input.value": '{"title": "The Salt Road"}',
                "output.value": json.dumps(RESULT),
            },
            parent=7,
            at=30,
        ),
        span(
            "ChatCompletion",
            4,
            second
            | {
                "llm.input_messages.3.message.role": "tool",
                "llm.input_messages.3.message.tool_call_id": "call_1",
                "llm.input_messages.3.message.content": "shelf 4",
                "llm.output_messages.0.message.role": "assistant",
                "llm.output_messages.0.message.content": "On shelf 4.",
                "llm.finish_reason": "stop",
            },
            parent=7,
            at=50,
        ),
    ]


# OpenLLMetry, as its older versions flattened prompts.


def openllmetry() -> list[TestSpan]:
    llm: Json = {
        "llm.request.type": "chat",
        "gen_ai.system": "OpenAI",
        "gen_ai.request.model": "desk-model",
        "gen_ai.usage.prompt_tokens": 40,
        "gen_ai.usage.completion_tokens": 12,
        "llm.usage.total_tokens": 52,
        "llm.request.functions.0.name": "find_book",
        "llm.request.functions.0.description": "Find a book.",
        "llm.request.functions.0.parameters": json.dumps(TOOL["parameters"]),
        "gen_ai.prompt.0.role": "system",
        "gen_ai.prompt.0.content": "You help at a desk.",
        "gen_ai.prompt.1.role": "user",
        "gen_ai.prompt.1.content": QUESTION,
        "gen_ai.completion.0.role": "assistant",
    }
    call = {
        "tool_calls.0.id": "call_1",
        "tool_calls.0.name": "find_book",
        "tool_calls.0.arguments": '{"title": "The Salt Road"}',
    }
    first = llm | {f"gen_ai.completion.0.{key}": value for key, value in call.items()}
    second = llm | {f"gen_ai.prompt.2.{key}": value for key, value in call.items()}
    return [
        span(
            "desk.workflow",
            1,
            {
                "traceloop.span.kind": "workflow",
                "traceloop.entity.name": "desk",
                "traceloop.association.properties.session_id": "v",
            },
            lasts=100,
        ),
        span(
            "desk_agent.agent",
            6,
            {"traceloop.span.kind": "agent", "traceloop.entity.name": "desk_agent"},
            parent=1,
            at=1,
            lasts=90,
        ),
        span(
            "openai.chat",
            2,
            first | {"gen_ai.completion.0.finish_reason": "tool_calls"},
            parent=6,
            at=10,
        ),
        span(
            "find_book.tool",
            3,
            {
                "traceloop.span.kind": "tool",
                "traceloop.entity.name": "find_book",
                "traceloop.entity.input": json.dumps({"inputs": {"title": "The Salt Road"}}),
                "traceloop.entity.output": json.dumps(RESULT),
            },
            parent=6,
            at=30,
        ),
        span(
            "openai.chat",
            4,
            second
            | {
                "gen_ai.prompt.2.role": "assistant",
                "gen_ai.prompt.3.role": "tool",
                "gen_ai.prompt.3.tool_call_id": "call_1",
                "gen_ai.prompt.3.content": "shelf 4",
                "gen_ai.completion.0.content": "On shelf 4.",
                "gen_ai.completion.0.finish_reason": "stop",
            },
            parent=6,
            at=50,
        ),
    ]


# Google's kit: a span of its own around that of the model's client.


def adk() -> list[TestSpan]:
    own = {"id": "call_1", "name": "find_book"}
    asked = {"role": "user", "parts": [{"text": QUESTION}]}
    called = {
        "role": "model",
        "parts": [{"function_call": {**own, "args": {"title": "The Salt Road"}}}],
    }
    came = {"role": "user", "parts": [{"function_response": {**own, "response": RESULT}}]}
    config = {
        "system_instruction": "You help at a desk.",
        "tools": [{"function_declarations": [TOOL]}],
    }

    def request(*contents: Json) -> str:
        return json.dumps({"model": "desk-model", "config": config, "contents": contents})

    def call_llm(number: int, at: int, asking: str, answer: Json) -> TestSpan:
        return span(
            "call_llm",
            number,
            {
                "gen_ai.system": "gcp.vertex.agent",
                "gen_ai.request.model": "desk-model",
                "gcp.vertex.agent.session_id": "v",
                "gcp.vertex.agent.invocation_id": "e-1",
                "gcp.vertex.agent.llm_request": asking,
                "gcp.vertex.agent.llm_response": json.dumps({"content": answer}),
                "gen_ai.usage.input_tokens": 40,
                "gen_ai.usage.output_tokens": 12,
                # The kit says stop whatever the model did.
                "gen_ai.response.finish_reasons": ["stop"],
            },
            parent=1,
            at=at,
            lasts=25,
        )

    def client(number: int, parent: int, at: int, reason: str) -> TestSpan:
        held = {
            "llm.request.type": "chat",
            "gen_ai.request.model": "desk-model",
            "gen_ai.usage.prompt_tokens": 40,
            "gen_ai.usage.completion_tokens": 12,
            "gen_ai.completion.0.finish_reason": reason,
        }
        return span("openai.chat", number, held, parent=parent, at=at, lasts=5)

    run = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "find_book",
        "gen_ai.tool.call.id": "call_1",
        "gen_ai.tool.type": "MCPTool",
        "gcp.vertex.agent.llm_request": "{}",
        "gcp.vertex.agent.llm_response": "{}",
        "gcp.vertex.agent.tool_call_args": '{"title": "The Salt Road"}',
        "gcp.vertex.agent.tool_response": json.dumps(RESULT),
    }
    merged = run | {
        "gen_ai.tool.name": "(merged tools)",
        "gen_ai.tool.call.id": "event-9",
        "gcp.vertex.agent.tool_call_args": "N/A",
    }
    return [
        span("invocation", 9, {}, lasts=120),
        agent(1, parent=9, attributes={"gen_ai.conversation.id": "v"}),
        call_llm(2, 10, request(asked), called),
        client(5, 2, 11, "tool_calls"),
        # The kit runs the tool while the span of the model's request is still open.
        span("execute_tool find_book", 3, run, parent=2, at=20),
        span("execute_tool (merged tools)", 8, merged, parent=2, at=31, lasts=1),
        call_llm(
            4,
            50,
            request(asked, called, came),
            {"role": "model", "parts": [{"text": "On shelf 4."}]},
        ),
        client(6, 4, 51, "stop"),
    ]


# The older form of the conventions: messages are events of the span.


def events() -> list[TestSpan]:
    asked = ("gen_ai.user.message", {"content": QUESTION})
    system = ("gen_ai.system.message", {"content": "You help at a desk."})
    calls = json.dumps(
        [
            {
                "id": "call_1",
                "type": "function",
                "function": {"name": "find_book", "arguments": '{"title": "The Salt Road"}'},
            }
        ]
    )
    called = ("gen_ai.assistant.message", {"tool_calls": calls})
    came = ("gen_ai.tool.message", {"id": "call_1", "content": "shelf 4"})
    first = {
        "index": 0,
        "finish_reason": "tool_calls",
        "message": json.dumps({"tool_calls": json.loads(calls)}),
    }
    second = {
        "index": 0,
        "finish_reason": "stop",
        "message": json.dumps({"content": "On shelf 4."}),
    }
    defined = {"gen_ai.tool.definitions": json.dumps([TOOL])}
    return [
        agent(attributes={"gen_ai.conversation.id": "v"}),
        chat(
            2,
            None,
            None,
            parent=1,
            at=10,
            attributes=defined,
            events=[system, asked, ("gen_ai.choice", first)],
        ),
        tool(3, parent=1, at=30),
        chat(
            4,
            None,
            None,
            parent=1,
            at=50,
            attributes=defined,
            events=[system, asked, called, came, ("gen_ai.choice", second)],
        ),
    ]


# An agent kit whose events hold content blocks of a provider, and the tool's too.


def block_events() -> list[TestSpan]:
    def blocks(*held: Json) -> str:
        return json.dumps(held)

    use = {
        "toolUse": {"toolUseId": "call_1", "name": "find_book", "input": {"title": "The Salt Road"}}
    }
    came = {
        "toolResult": {"toolUseId": "call_1", "status": "success", "content": [{"text": "shelf 4"}]}
    }
    defined = {"gen_ai.tool.definitions": json.dumps([{"toolSpec": {"name": "find_book"}}])}
    asked = ("gen_ai.user.message", {"content": blocks({"text": QUESTION})})
    return [
        agent(attributes={"gen_ai.conversation.id": "v"}),
        chat(
            2,
            None,
            None,
            parent=1,
            at=10,
            attributes=defined,
            events=[
                asked,
                ("gen_ai.choice", {"finish_reason": "tool_calls", "message": blocks(use)}),
            ],
        ),
        span(
            "execute_tool find_book",
            3,
            {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": "find_book",
                "gen_ai.tool.call.id": "call_1",
            },
            parent=1,
            at=30,
            events=[
                (
                    "gen_ai.tool.message",
                    {"role": "tool", "content": '{"title": "The Salt Road"}', "id": "call_1"},
                ),
                ("gen_ai.choice", {"message": json.dumps(RESULT), "id": "call_1"}),
            ],
        ),
        chat(
            4,
            None,
            None,
            parent=1,
            at=50,
            attributes=defined,
            events=[
                asked,
                ("gen_ai.assistant.message", {"content": blocks(use)}),
                ("gen_ai.tool.message", {"content": blocks(came)}),
                (
                    "gen_ai.choice",
                    {"finish_reason": "stop", "message": blocks({"text": "On shelf 4."})},
                ),
            ],
        ),
    ]


# The current form as an event of the span.


def details() -> list[TestSpan]:
    def told_by_event(one: TestSpan) -> TestSpan:
        moved = {
            name: one.attributes[name]
            for name in ("gen_ai.input.messages", "gen_ai.output.messages")
            if name in one.attributes
        }
        kept = {key: value for key, value in one.attributes.items() if key not in moved}
        event = ("gen_ai.client.inference.operation.details", moved)
        return span(one.name, one.id, kept, parent=one.parent, at=one.at, events=[event])

    defined = {"gen_ai.tool.definitions": json.dumps([TOOL])}
    return [
        agent(attributes={"gen_ai.conversation.id": "v"}),
        told_by_event(
            chat(
                2,
                [ASK],
                [CALL | {"finish_reason": "tool_calls"}],
                parent=1,
                at=10,
                attributes=defined,
            )
        ),
        tool(3, parent=1, at=30),
        told_by_event(
            chat(
                4,
                [ASK, CALL],
                [ANSWER | {"finish_reason": "stop"}],
                parent=1,
                at=50,
                attributes=defined,
            )
        ),
    ]


# Vercel's SDK: its own words around the conventions' tokens.


def vercel() -> list[TestSpan]:
    asked: Json = {"role": "user", "content": [{"type": "text", "text": QUESTION}]}
    given = {"title": "The Salt Road"}
    called: Json = {
        "role": "assistant",
        "content": [
            {"type": "tool-call", "toolCallId": "call_1", "toolName": "find_book", "input": given}
        ],
    }
    came: Json = {
        "role": "tool",
        "content": [
            {
                "type": "tool-result",
                "toolCallId": "call_1",
                "toolName": "find_book",
                "output": {"type": "json", "value": RESULT},
            }
        ],
    }
    run = {"ai.operationId": "ai.generateText", "ai.telemetry.functionId": "desk_agent"}
    request: Json = {
        "ai.operationId": "ai.generateText.doGenerate",
        "gen_ai.system": "desk.models",
        "gen_ai.request.model": "desk-model",
        "gen_ai.usage.input_tokens": 40,
        "gen_ai.usage.output_tokens": 12,
        "ai.prompt.tools": [json.dumps(TOOL)],
    }
    return [
        span(
            "ai.generateText",
            1,
            run | {"ai.prompt": json.dumps({"prompt": QUESTION}), "session.id": "v"},
            lasts=100,
        ),
        span(
            "ai.generateText.doGenerate",
            2,
            request
            | {
                "ai.prompt.messages": json.dumps([asked]),
                "ai.response.toolCalls": json.dumps(
                    [{"toolCallId": "call_1", "toolName": "find_book", "input": given}]
                ),
                "ai.response.finishReason": "tool_calls",
            },
            parent=1,
            at=10,
        ),
        span(
            "ai.toolCall",
            3,
            {
                "ai.operationId": "ai.toolCall",
                "ai.toolCall.name": "find_book",
                "ai.toolCall.id": "call_1",
                "ai.toolCall.args": json.dumps(given),
                "ai.toolCall.result": json.dumps(RESULT),
            },
            parent=1,
            at=30,
        ),
        span(
            "ai.generateText.doGenerate",
            4,
            request
            | {
                "ai.prompt.messages": json.dumps([asked, called, came]),
                "ai.response.text": "On shelf 4.",
                "ai.response.finishReason": "stop",
            },
            parent=1,
            at=50,
        ),
    ]


# Events written into an attribute, and a request that stands in one.


def written() -> list[TestSpan]:
    spans = events()
    made = []
    for one in spans:
        listed = [{"event.name": name, **held} for name, held in one.events]
        more = {"events": json.dumps(listed)} if listed else {}
        made.append(
            span(
                one.name,
                one.id,
                one.attributes | more,
                parent=one.parent,
                at=one.at,
                lasts=one.lasts,
            )
        )
    return made


DIALECTS = {
    "openinference": openinference,
    "openllmetry": openllmetry,
    "adk": adk,
    "events": events,
    "block-events": block_events,
    "details": details,
    "vercel": vercel,
    "written": written,
}
