"""Small Inspect logs of our own."""

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Json = dict[str, Any]

ACCURACY = {"accuracy": {"name": "accuracy", "value": 1.0}}


def user(content: Any = "A book, please.", **more: Any) -> Json:
    return {"role": "user", "source": "input", "content": content, **more}


def says(content: Any = "Here you are.", *calls: Json, **more: Any) -> Json:
    message = {"role": "assistant", "source": "generate", "content": content, **more}
    return message | ({"tool_calls": list(calls)} if calls else {})


def call(own_id: str = "c1", function: str = "find", **arguments: Any) -> Json:
    return {"id": own_id, "function": function, "arguments": arguments, "type": "function"}


def tool(own_id: str = "c1", content: Any = "found", **more: Any) -> Json:
    return {"role": "tool", "tool_call_id": own_id, "function": "find", "content": content, **more}


def failed(kind: str, message: str = "it failed") -> Json:
    return {"error": {"type": kind, "message": message}}


def model(message: Json, **more: Any) -> Json:
    """The event of a model that gave a message."""
    return {
        "event": "model",
        "timestamp": "2026-01-01T00:00:00+00:00",
        "model": "m",
        "input": [],
        "tools": [{"name": "find", "description": "Finds.", "parameters": {"type": "object"}}],
        "output": {
            "model": "m-1",
            "choices": [{"message": message, "stop_reason": "stop"}],
            "usage": {"input_tokens": 3, "output_tokens": 2, "total_tokens": 5},
        },
        **more,
    }


def done(own_id: str = "c1", result: Any = "found", **more: Any) -> Json:
    """The event of a tool that came back."""
    return {
        "event": "tool",
        "timestamp": "2026-01-01T00:00:01+00:00",
        "completed": "2026-01-01T00:00:03+00:00",
        "id": own_id,
        "function": "find",
        "arguments": {},
        "result": result,
        **more,
    }


def score(value: Any = "C", scorer: str = "right", **more: Any) -> Json:
    return {scorer: {"value": value, **more}}


def sample(own_id: Any = 1, epoch: int = 1, **more: Any) -> Json:
    return {
        "id": own_id,
        "epoch": epoch,
        "input": "Find a book.",
        "target": "",
        "messages": [user(), says()],
        "output": {"choices": [{"stop_reason": "stop"}]},
        "scores": score(),
        "events": [],
        **more,
    }


def scores_header(*names: str, metric: str = "accuracy") -> list[Json]:
    metrics = {metric: {"name": metric, "value": 0.5}}
    return [{"name": name, "scorer": name, "metrics": metrics} for name in names]


def header(**more: Any) -> Json:
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "task": "desk",
            "model": "maker/m",
            "dataset": {"sample_ids": [1]},
            "config": {"epochs": 1},
        },
        "results": {"completed_samples": 1, "scores": scores_header("right")},
        **more,
    }


def evaluation(ids: list[Any], epochs: int = 1, **more: Any) -> Json:
    return {
        "task": "desk",
        "model": "maker/m",
        "dataset": {"sample_ids": ids},
        "config": {"epochs": epochs},
        **more,
    }


def log(*samples: Any, **more: Any) -> Json:
    """A `.json` log."""
    return {**header(**more), "samples": list(samples)}


def members(*samples: Json, **more: Any) -> dict[str, Any]:
    """The members of a finished `.eval` log."""
    start = header(**more)
    return {
        "_journal/start.json": {key: start[key] for key in ("version", "eval")},
        **{f"samples/{one['id']}_epoch_{one['epoch']}.json": one for one in samples},
        "summaries.json": [summary(one) for one in samples],
        "header.json": start,
    }


def summary(one: Json) -> Json:
    return {
        "id": one["id"],
        "epoch": one["epoch"],
        "scores": one.get("scores"),
        "completed": True,
        "message_count": len(one["messages"]) if isinstance(one["messages"], list) else 0,
    }


def packed(found: Mapping[str, Any], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, value in found.items():
            data = value if isinstance(value, bytes) else json.dumps(value).encode()
            archive.writestr(zipfile.ZipInfo(name), data, compress_type=method)
    return buffer.getvalue()


def write_eval(path: Path, found: Mapping[str, Any]) -> Path:
    path.write_bytes(packed(found))
    return path
