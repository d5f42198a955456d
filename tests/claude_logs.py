"""Builds Claude Code session logs of our own, record by record."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Json = dict[str, Any]

SESSION = "5eedba11-0000-4000-8000-000000000001"


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def use(call_id: str, name: str, **arguments: Any) -> Json:
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def usage(read: int, written: int, **more: int) -> Json:
    return {"input_tokens": read, "output_tokens": written, **more}


@dataclass
class ClaudeLog:
    """One log; each record stands under the one before it unless told otherwise."""

    session_id: str = SESSION
    records: list[Json] = field(default_factory=list)
    agent: str | None = None
    latest: str | None = None
    clock: int = 0

    def add(self, kind: str, under: str | None = "latest", **more: Any) -> str:
        """Add a record of the tree and return its uuid."""
        self.clock += 1
        uuid = more.pop("uuid", f"{self.agent or 'r'}-{len(self.records) + 1}")
        record = {
            "parentUuid": self.latest if under == "latest" else under,
            "isSidechain": self.agent is not None,
            "userType": "external",
            "cwd": "/work-of-rosa/allotment",
            "sessionId": self.session_id,
            "version": "2.1.200",
            "gitBranch": "main",
            **({"agentId": self.agent} if self.agent else {}),
            "type": kind,
            **more,
            "uuid": uuid,
            "timestamp": more.get("timestamp", f"2026-03-02T09:{self.clock:02}:00.000Z"),
        }
        self.records.append(record)
        self.latest = uuid
        return str(uuid)

    def line(self, kind: str, **more: Any) -> None:
        """Add a line that is no part of the tree."""
        self.records.append({"type": kind, **more})

    def user(self, content: Any, under: str | None = "latest", **more: Any) -> str:
        return self.add("user", under, message={"role": "user", "content": content}, **more)

    def assistant(
        self, *blocks: Json, under: str | None = "latest", of: str | None = None, **more: Any
    ) -> str:
        message = {
            "id": of or f"msg_{len(self.records) + 1}",
            "type": "message",
            "role": "assistant",
            "model": more.pop("model", "model-large"),
            "content": list(blocks),
            "stop_reason": more.pop("stop_reason", None),
            "usage": more.pop("usage", usage(10, 5)),
        }
        return self.add("assistant", under, message=message, **more)

    def result(
        self, call_id: str, content: Any = "done", under: str | None = "latest", **more: Any
    ) -> str:
        block = {"type": "tool_result", "tool_use_id": call_id, "content": content}
        if "is_error" in more:
            block["is_error"] = more.pop("is_error")
        return self.user([block], under, **more)

    def write(self, path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(record) + "\n" for record in self.records]
        path.write_text("".join(lines), encoding="utf-8")
        return path
