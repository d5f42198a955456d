"""Builds the records of a coding agent's session: what its client did stands beside its talk."""

import base64
import binascii
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from reporter.importers.conversation import Conversation
from reporter.importers.jsontext import finite
from reporter.importers.sound import sound_text
from reporter.models.manifest import Attempt
from reporter.models.records import (
    CatalogRecord,
    Connection,
    ConnectionFailure,
    EndReason,
    ErrorRecord,
    ImagePart,
    SessionComplete,
    SessionNotice,
    StepFinish,
    Tool,
    Usage,
)

Rules = Mapping[str, str]
"""Fields of a record that follow from a rule, each with the rule."""

_NOTICE_CHARS: Final = 2_000
_MCP_NAME: Final = re.compile(r"mcp__(?P<server>.+?)__(?P<tool>.+)")
_LATEST_MS: Final = 100_000_000_000_000


@dataclass(frozen=True, slots=True)
class Came:
    """How a result came back, beside what it holds."""

    at: int | None = None
    is_error: bool | None = None
    policy_blocked: bool | None = None
    by_client: bool = False
    mcp_error_code: int | None = None
    truncated: bool | None = None
    duration_ms: float | None = None
    inferred: Rules = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """The end of one step of a model."""

    at: int | None = None
    reason: str | None = None
    usage: Usage | None = None
    model_id: str | None = None
    provider: str | None = None
    response_id: str | None = None
    inferred: Rules = field(default_factory=dict)


class AgentLog(Conversation):
    """The records of one session of a coding agent, in the order in which they are added."""

    def client(self, content: object, at: int | None, inferred: Rules | None = None) -> None:
        """Add text that the client wrote where a person could have."""
        self.system(content)
        self._mark(at, inferred)

    def said(self, content: object, at: int | None, inferred: Rules | None = None) -> None:
        """Add a message of the person: the next turn begins with it."""
        self.persona(content, at)
        self._mark(at, inferred)

    def called(
        self, call_id: object, name: object, arguments: object, at: int | None, *, steps: bool
    ) -> str:
        """Add a call of the assistant, or of one that it sent to work, and return its own id.

        Args:
            call_id: The source's id of the call.
            name: The tool's name as the model sees it; one of an MCP server names it.
            arguments: An object, or the text of one, or nothing.
            at: Epoch milliseconds, or None.
            steps: Whether the call belongs to a recorded step.

        Raises:
            BrokenElementError: The tool has no name.
        """
        self.call(call_id, name, finite(arguments), has_steps=steps)
        more: dict[str, Any] = {"at": at}
        found = _MCP_NAME.fullmatch(self._values[-1]["tool_name"])
        if found is not None:
            more["server_id"] = found["server"]
        self.amend("tool_call", more)
        return str(self._values[-1]["tool_call_id"])

    def called_by_person(self, name: str, arguments: Mapping[str, Any], at: int | None) -> str:
        """Add a call that the person made in the client, and return its id."""
        self.call(None, name, dict(arguments), by_persona=True)
        self.amend("tool_call", {"at": at})
        return str(self._values[-1]["tool_call_id"])

    def came_back(self, call_id: object, content: object, came: Came) -> bool:
        """Add a tool's message and, where it answers a recorded call, that call's result.

        Returns:
            Whether it answers one.

        Raises:
            BrokenElementError: The content is neither text nor a list of parts.
        """
        own = self._called(call_id)
        message = self._message("tool", content, came.at, tool_call_id=own)
        self._result(own, message["content"], message["truncated"], came.is_error, None)
        if own is not None:
            self._came(came)
        return own is not None

    def came_back_to_person(self, call_id: str, output: str, came: Came) -> None:
        """Add the result of a call that the person made; it is no message of the talk."""
        text = sound_text(output)
        self._result(call_id, text, None, came.is_error, None)
        self._came(came)

    def step(self, step: Step) -> None:
        """Add the end of the step of the model that gave the message at hand."""
        self._add_ready(
            StepFinish(
                seq=len(self._values),
                at=step.at,
                turn_index=self._turn,
                step_number=self._step,
                finish_reason=step.reason,
                usage=step.usage,
                model_id=step.model_id,
                provider=step.provider,
                response_id=step.response_id,
                inferred=dict(step.inferred) or None,
            )
        )
        self._step += 1

    def notice(self, kind: str, message: str, at: int | None = None) -> None:
        """Add what the client did, in words."""
        self._add_ready(
            SessionNotice(
                seq=len(self._values),
                at=at,
                kind=kind,
                message=sound_text(message)[:_NOTICE_CHARS],
            )
        )

    def error(self, message: str, code: int | str | None, at: int | None) -> None:
        """Add an error of the client, of its model's provider or of the way there."""
        self._add_ready(
            ErrorRecord(
                seq=len(self._values),
                at=at,
                message=sound_text(message)[:_NOTICE_CHARS],
                turn_index=self._turn,
                code=code,
            )
        )

    def tools(self, tools: list[Tool], at: int | None) -> None:
        """Add tools that the source lists, which may not be all."""
        self._add_ready(
            CatalogRecord(seq=len(self._values), at=at, tools=tools, complete=False, view="model")
        )

    def no_connection(self, server: str, message: str, code: str | None, at: int | None) -> None:
        """Add that a server could not be reached, without saying whose fault that is."""
        self._add_ready(
            Connection(
                seq=len(self._values),
                at=at,
                phase="connect",
                outcome="failed",
                server_id=server,
                server_name=server,
                error=ConnectionFailure(code=code, message=message),
                attributable="unknown",
            )
        )

    def connected(self, server: str, at: int | None) -> None:
        """Add that a server was reached."""
        self._add_ready(
            Connection(
                seq=len(self._values),
                at=at,
                phase="connect",
                outcome="ok",
                server_id=server,
                server_name=server,
            )
        )

    def end(self, ending: "Ending") -> None:
        """Add the session's end, where one is known."""
        if ending.attempt is None:
            return
        status = ending.attempt.status
        self.complete(
            SessionComplete(
                seq=0,
                status="succeeded"
                if status == "succeeded"
                else "rate_limited"
                if status == "rate_limited"
                else "failed",
                end_reason=ending.end_reason,
                error_code=ending.attempt.error_code,
                error_message=ending.attempt.error_message,
                inferred={"status": ending.rule, "endReason": ending.rule},
            )
        )

    @property
    def turn_begun(self) -> bool:
        """The person has spoken."""
        return self._turn_begun

    def _mark(self, at: int | None, inferred: Rules | None) -> None:
        values = self._values[-1]
        values["at"] = at
        values["inferred"] = dict(inferred or {}) or None

    def _came(self, came: Came) -> None:
        values = self._values[-1]
        values["at"] = came.at
        values["policy_blocked"] = came.policy_blocked
        values["answered_by"] = "client" if came.by_client else None
        values["mcp_error_code"] = came.mcp_error_code
        values["duration_ms"] = came.duration_ms
        values["truncated"] = came.truncated or values["truncated"]
        values["inferred"] = dict(came.inferred) or None


@dataclass(frozen=True, slots=True)
class Ending:
    """How a session ended, as far as its last records show it."""

    attempt: Attempt | None = None
    end_reason: EndReason = "unknown"
    rule: str = ""
    """How that follows from the last records; empty where nothing follows."""

    @property
    def inferred(self) -> Rules:
        """The mark of the slot's attempt."""
        return {"attempt": self.rule} if self.attempt is not None else {}


def milliseconds(value: object) -> int | None:
    """Return a point in time of a source as epoch milliseconds, or None where it is none.

    Args:
        value: A number of milliseconds, or a text such as `2026-03-01T10:00:00.000Z`. A
            text without a zone is no point in time.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return int(value) if 0 < value < _LATEST_MS else None
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
        return int(moment.timestamp() * 1000) if moment.tzinfo else None
    except (ValueError, OverflowError, OSError):
        return None


def count_of(value: object) -> int | None:
    """Return a recorded number of tokens, or None where there is none."""
    return value if type(value) is int and value >= 0 else None


def text_of(value: object) -> str | None:
    """Return a text of a source that is not empty, or None."""
    return sound_text(value) if isinstance(value, str) and value else None


def picture(data: object, mime_type: object) -> ImagePart | None:
    """Return a picture that stands in line in base64 as its digest, or None for no such thing."""
    if not isinstance(data, str) or not isinstance(mime_type, str):
        return None
    try:
        content = base64.b64decode(data, validate=True)
    except (ValueError, binascii.Error):
        return None
    return ImagePart(
        mime_type=sound_text(mime_type)[:100],
        sha256=hashlib.sha256(content).hexdigest(),
        bytes=len(content),
    )


def last_part(path: str) -> str | None:
    """Return the name of a folder without where it lies, or None where it has none."""
    parts = [part for part in re.split(r"[/\\]", path) if part and not part.endswith(":")]
    return parts[-1] if parts else None
