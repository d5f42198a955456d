"""Small traces of our own, in every container, from one neutral form."""

import base64
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from imported import Json, Taken, take, write

START_NS = 1_770_000_000_000_000_000
MS = 1_000_000


@dataclass(frozen=True)
class TestSpan:
    """One span, before a container spells it."""

    __test__ = False

    name: str
    id: int
    attributes: Json = field(default_factory=dict)
    parent: int | None = None
    at: int = 0
    """Milliseconds behind the start of everything."""
    lasts: int = 10
    trace: int = 1
    kind: str = "internal"
    status: str | None = None
    message: str | None = None
    events: Sequence[tuple[str, Json]] = ()
    service: str = "lending-desk"
    scope: str = "desk"


def span(name: str, id: int, attributes: Json | None = None, **more: Any) -> TestSpan:  # noqa: A002
    return TestSpan(name, id, attributes or {}, **more)


def wrapped(value: Any) -> Json:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [wrapped(item) for item in value]}}
    if isinstance(value, dict):
        pairs = [{"key": key, "value": wrapped(item)} for key, item in value.items()]
        return {"kvlistValue": {"values": pairs}}
    return {"stringValue": value}


def pairs_of(attributes: Json) -> list[Json]:
    return [{"key": key, "value": wrapped(value)} for key, value in attributes.items()]


def hexadecimal(number: int, digits: int) -> str:
    return f"{number + 0xAB0000:0{digits}x}"


def in_base64(number: int, digits: int) -> str:
    return base64.b64encode(bytes.fromhex(hexadecimal(number, digits))).decode()


def otlp_span(one: TestSpan, spell: Any = hexadecimal, *, words: bool = False) -> Json:
    start = START_NS + one.at * MS
    made: Json = {
        "traceId": spell(one.trace, 32),
        "spanId": spell(one.id, 16),
        "name": one.name,
        "kind": f"SPAN_KIND_{one.kind.upper()}"
        if words
        else ["", "internal", "server", "client"].index(one.kind),
        "startTimeUnixNano": str(start),
        "endTimeUnixNano": start + one.lasts * MS if words else str(start + one.lasts * MS),
        "attributes": pairs_of(one.attributes),
        "events": [
            {"name": name, "timeUnixNano": str(start), "attributes": pairs_of(held)}
            for name, held in one.events
        ],
        "status": {},
    }
    if one.parent is not None:
        made["parentSpanId"] = spell(one.parent, 16)
    if one.status is not None:
        code = {"ok": 1, "error": 2}[one.status]
        made["status"] = {"code": f"STATUS_CODE_{one.status.upper()}" if words else code}
        if one.message is not None:
            made["status"]["message"] = one.message
    return made


def blocks(
    spans: Iterable[TestSpan], spell: Any = hexadecimal, *, words: bool = False
) -> list[Json]:
    grouped: dict[tuple[str, str], list[Json]] = {}
    for one in spans:
        made = otlp_span(one, spell, words=words)
        grouped.setdefault((one.service, one.scope), []).append(made)
    return [
        {
            "resource": {"attributes": pairs_of({"service.name": service})},
            "scopeSpans": [{"scope": {"name": scope}, "spans": made}],
        }
        for (service, scope), made in grouped.items()
    ]


def otlp(*spans: TestSpan) -> Json:
    return {"resourceSpans": blocks(spans)}


def otlp_words(*spans: TestSpan) -> Json:
    """protobuf's JSON: base64 ids, enums in words."""
    return {"resourceSpans": blocks(spans, in_base64, words=True)}


def otlp_snake(*spans: TestSpan) -> Json:
    """The same with the names that protobuf's files have."""
    return json.loads(  # type: ignore[no-any-return]
        json.dumps(otlp(*spans))
        .replace("resourceSpans", "resource_spans")
        .replace("scopeSpans", "scope_spans")
        .replace("traceId", "trace_id")
        .replace("spanId", "span_id")
        .replace("parentSpanId", "parent_span_id")
        .replace("TimeUnixNano", "_time_unix_nano")
        .replace("stringValue", "string_value")
        .replace("intValue", "int_value")
    )


def otlp_lines(*spans: TestSpan) -> str:
    """One request a line, as a collector writes them, the last span first."""
    return "".join(json.dumps(otlp(one)) + "\n" for one in reversed(spans))


def tempo(*spans: TestSpan) -> Json:
    return {"batches": blocks(spans, in_base64)}


def tempo_v2(*spans: TestSpan) -> Json:
    return {"trace": {"resourceSpans": blocks(spans, in_base64)}}


def jaeger(*spans: TestSpan) -> Json:
    traces: dict[int, list[TestSpan]] = {}
    for one in spans:
        traces.setdefault(one.trace, []).append(one)
    return {"data": [jaeger_trace(held) for held in traces.values()], "errors": None}


def jaeger_trace(spans: Sequence[TestSpan]) -> Json:
    services = list(dict.fromkeys(one.service for one in spans))
    return {
        "traceID": hexadecimal(spans[0].trace, 32),
        "spans": [
            {
                "traceID": hexadecimal(one.trace, 32),
                "spanID": hexadecimal(one.id, 16),
                "operationName": one.name,
                "references": []
                if one.parent is None
                else [
                    {
                        "refType": "CHILD_OF",
                        "traceID": hexadecimal(one.trace, 32),
                        "spanID": hexadecimal(one.parent, 16),
                    }
                ],
                "startTime": (START_NS + one.at * MS) // 1000,
                "duration": one.lasts * 1000,
                "tags": tags_of(one),
                "logs": [
                    {
                        "timestamp": (START_NS + one.at * MS) // 1000,
                        "fields": [tag("event", name), *(tag(*pair) for pair in held.items())],
                    }
                    for name, held in one.events
                ],
                "processID": f"p{services.index(one.service)}",
                "warnings": None,
            }
            for one in spans
        ],
        "processes": {
            f"p{index}": {"serviceName": service, "tags": []}
            for index, service in enumerate(services)
        },
    }


def tag(key: str, value: Any) -> Json:
    if isinstance(value, bool):
        return {"key": key, "type": "bool", "value": value}
    if isinstance(value, int):
        return {"key": key, "type": "int64", "value": value}
    if isinstance(value, float):
        return {"key": key, "type": "float64", "value": value}
    text = value if isinstance(value, str) else json.dumps(value)
    return {"key": key, "type": "string", "value": text}


def tags_of(one: TestSpan) -> list[Json]:
    more: Json = {"span.kind": one.kind, "otel.scope.name": one.scope}
    if one.status == "error":
        more |= {"error": True, "otel.status_code": "ERROR"}
    elif one.status == "ok":
        more["otel.status_code"] = "OK"
    if one.message is not None:
        more["otel.status_description"] = one.message
    return [tag(key, value) for key, value in (one.attributes | more).items()]


def console(*spans: TestSpan) -> str:
    """What the Python SDK prints: one document behind the other, over many lines."""
    return "\n".join(json.dumps(console_span(one), indent=4) for one in spans)


def console_span(one: TestSpan) -> Json:
    start = "2026-02-02T02:40:00.{:03d}000Z"
    return {
        "name": one.name,
        "context": {
            "trace_id": f"0x{hexadecimal(one.trace, 32)}",
            "span_id": f"0x{hexadecimal(one.id, 16)}",
            "trace_state": "[]",
        },
        "kind": f"SpanKind.{one.kind.upper()}",
        "parent_id": None if one.parent is None else f"0x{hexadecimal(one.parent, 16)}",
        "start_time": start.format(one.at),
        "end_time": start.format(one.at + one.lasts),
        "status": {"status_code": (one.status or "unset").upper()}
        | ({} if one.message is None else {"description": one.message}),
        "attributes": one.attributes,
        "events": [
            {"name": name, "timestamp": start.format(one.at), "attributes": held}
            for name, held in one.events
        ],
        "links": [],
        "resource": {"attributes": {"service.name": one.service}, "schema_url": ""},
    }


CONTAINERS = {
    "otlp": otlp,
    "otlp-words": otlp_words,
    "otlp-snake": otlp_snake,
    "otlp-lines": otlp_lines,
    "tempo": tempo,
    "tempo-v2": tempo_v2,
    "jaeger": jaeger,
    "console": console,
}


# What happens in most tests: somebody asks where a book is, the agent looks it up and says it.

TOOL: Json = {
    "type": "function",
    "name": "find_book",
    "description": "Find a book.",
    "parameters": {"type": "object", "properties": {"title": {"type": "string"}}},
}
ASK: Json = {"role": "user", "parts": [{"type": "text", "content": "Where is The Salt Road?"}]}
CALL: Json = {
    "role": "assistant",
    "parts": [
        {
            "type": "tool_call",
            "id": "call_1",
            "name": "find_book",
            "arguments": {"title": "The Salt Road"},
        }
    ],
}
TOLD: Json = {
    "role": "tool",
    "parts": [{"type": "tool_call_response", "id": "call_1", "response": "shelf 4"}],
}
ANSWER: Json = {"role": "assistant", "parts": [{"type": "text", "content": "On shelf 4."}]}
RESULT: Json = {"content": [{"type": "text", "text": "shelf 4"}], "isError": False}


def says(text: str) -> Json:
    return {"role": "user", "parts": [{"type": "text", "content": text}]}


def answers(text: str) -> Json:
    return {"role": "assistant", "parts": [{"type": "text", "content": text}]}


def agent(id: int = 1, **more: Any) -> TestSpan:  # noqa: A002
    held = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "desk_agent",
        "gen_ai.conversation.id": "visit-1",
    }
    held |= more.pop("attributes", {})
    return span("invoke_agent desk_agent", id, held, **({"lasts": 100} | more))


def chat(
    id: int,  # noqa: A002
    inputs: list[Json] | None,
    outputs: list[Json] | None,
    **more: Any,
) -> TestSpan:
    held: Json = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "desk.models",
        "gen_ai.request.model": "desk-model",
        "gen_ai.usage.input_tokens": 40,
        "gen_ai.usage.output_tokens": 12,
    }
    if inputs is not None:
        held["gen_ai.input.messages"] = json.dumps(inputs)
    if outputs is not None:
        held["gen_ai.output.messages"] = json.dumps(outputs)
    held |= more.pop("attributes", {})
    held = {key: value for key, value in held.items() if value is not None}
    return span("chat desk-model", id, held, **({"kind": "client"} | more))


def tool(id: int, result: Any = RESULT, **more: Any) -> TestSpan:  # noqa: A002
    held: Json = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "find_book",
        "gen_ai.tool.call.id": "call_1",
        "gen_ai.tool.call.arguments": '{"title": "The Salt Road"}',
    }
    if result is not None:
        held["gen_ai.tool.call.result"] = result if isinstance(result, str) else json.dumps(result)
    held |= more.pop("attributes", {})
    held = {key: value for key, value in held.items() if value is not None}
    return span("execute_tool find_book", id, held, **more)


def visit() -> list[TestSpan]:
    """The whole conversation in the current conventions."""
    return [
        agent(),
        chat(
            2,
            [ASK],
            [CALL | {"finish_reason": "tool_call"}],
            parent=1,
            at=10,
            attributes={"gen_ai.tool.definitions": json.dumps([TOOL])},
        ),
        tool(3, parent=1, at=30),
        chat(
            4,
            [ASK, CALL, TOLD],
            [ANSWER | {"finish_reason": "stop"}],
            parent=1,
            at=50,
            attributes={"gen_ai.tool.definitions": json.dumps([TOOL])},
        ),
    ]


def second_turn(**more: Any) -> list[TestSpan]:
    history = [ASK, CALL, TOLD, ANSWER, says("And who wrote it?")]
    return [
        agent(11, trace=2, at=1000, **more),
        chat(12, history, [answers("Mara Finch.")], trace=2, parent=11, at=1010),
    ]


MCP = {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "find_book",
    "mcp.session.id": "wire-1",
    "jsonrpc.request.id": "3",
    "server.address": "books.example",
    "server.port": 8080,
}


def took(folder: Path, *spans: TestSpan) -> Taken:
    """Import spans in OTLP's form."""
    return take(write(folder / "trace.json", otlp(*spans)))
