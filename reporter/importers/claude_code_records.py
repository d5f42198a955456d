"""The lines of a Claude Code session file, each cut down to what a recording has a place for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from reporter.importers.agent_log import count_of, milliseconds, picture
from reporter.importers.conversation import MESSAGE_LIMIT
from reporter.models.records import ImagePart, Usage

Kind = Literal["user", "assistant", "system", "attachment", "link"]
"""What a line of the tree is; a link only joins what stands before and after it."""

BOOKKEEPING: Final = frozenset(
    {
        "agent-color",
        "agent-name",
        "agent-setting",
        "ai-title",
        "atis-latch",
        "attribution-snapshot",
        "bridge-session",
        "continued-in",
        "cost-state",
        "custom-title",
        "file-history-delta",
        "file-history-snapshot",
        "last-prompt",
        "mode",
        "permission-mode",
        "pr-link",
        "progress",
        "queue-operation",
        "summary",
        "tag",
        "task-summary",
        "worktree-state",
    }
)
"""Types of lines that hold what the client keeps for itself: nobody said or did it."""

_LONGEST_MS: Final = 1e12
_SERVER_RESULTS: Final = "_tool_result"
_TREE: Final[Mapping[str, Kind]] = {
    "user": "user",
    "assistant": "assistant",
    "system": "system",
    "attachment": "attachment",
}
_CALLS: Final = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_UNSPOKEN: Final = frozenset({"thinking", "redacted_thinking"})


@dataclass(slots=True)
class Use:
    """A tool call."""

    call_id: object
    name: object
    arguments: object


@dataclass(slots=True)
class Answer:
    """A tool result, with what its line says beside it."""

    call_id: object
    content: Any
    is_error: bool


@dataclass(slots=True)
class Node:
    """One line of the tree, or of a sub-agent's."""

    kind: Kind
    line: int
    uuid: str | None
    parent: str | None
    has_parent: bool
    """The line says what it stands under, if only that it is nothing."""
    at: int | None
    session_id: str | None
    place: int = 0
    """Position in the session, over all of its files."""
    file: str = ""
    agent_id: str | None = None
    is_sidechain: bool = False
    is_meta: bool = False
    is_forked: bool = False
    is_copied: bool = False
    """The same record counts in another session."""
    # Of a message.
    content: str | list[Any] = ""
    """Text and parts, without calls and results."""
    uses: list[Use] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    unspoken: int = 0
    # Of the assistant.
    message_id: str | None = None
    model: str | None = None
    stop_reason: str | None = None
    usage: Mapping[str, Any] | None = None
    is_api_error: bool = False
    error: str | None = None
    status: int | None = None
    # Of a person, or what stands in a person's place.
    is_summary: bool = False
    origin: str | None = None
    is_interruption: bool = False
    denial: str | None = None
    spawned: str | None = None
    """The sub-agent that the call of this result sent to work."""
    duration_ms: float | None = None
    was_interrupted: bool = False
    # Of the client.
    subtype: str | None = None
    logical_parent: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    retracts: tuple[str, ...] = ()

    @property
    def speaks(self) -> bool:
        """A message of the conversation, whoever wrote it."""
        return self.kind in ("user", "assistant")

    @property
    def is_boundary(self) -> bool:
        """The context was shortened here."""
        return self.kind == "system" and self.subtype == "compact_boundary"

    @property
    def is_synthetic(self) -> bool:
        """The client wrote it in the assistant's place."""
        return self.is_api_error or self.model == "<synthetic>"


def node_of(record: Mapping[str, Any], line: int) -> Node | None:
    """Cut a line down, or return None for one that is no part of any tree."""
    kind = _kind(record)
    uuid = _text(record.get("uuid"))
    if kind is None:
        # A client once wrote its progress into the tree: what follows stands under it.
        return _node("link", record, line) if uuid is not None and "parentUuid" in record else None
    node = _node(kind, record, line)
    message = record.get("message")
    if kind == "system":
        _take_system(node, record)
    elif kind == "attachment":
        attachment = record.get("attachment")
        node.details = attachment if isinstance(attachment, dict) else {}
    elif isinstance(message, dict):
        _take_content(node, message.get("content"))
        if kind == "assistant":
            _take_assistant(node, record, message)
        else:
            _take_user(node, record)
    return node


def steering_of(record: Mapping[str, Any], line: int, above: str | None) -> Node | None:
    """Return what a person typed while the assistant worked, or None for any other line.

    Older clients keep it in the queue's own lines alone: `remove` is when it was handed on.

    Args:
        record: A line that is no part of any tree.
        line: Its number.
        above: The record that was written before it.
    """
    content = record.get("content")
    if record.get("type") != "queue-operation" or record.get("operation") != "remove":
        return None
    if not isinstance(content, str | list) or not content:
        return None
    node = _node("attachment", record, line)
    node.parent, node.has_parent = above, above is not None
    node.details = {"type": "queued_command", "prompt": content, "isFromQueue": True}
    return node


def _node(kind: Kind, record: Mapping[str, Any], line: int) -> Node:
    get = record.get
    return Node(
        kind=kind,
        line=line,
        uuid=_text(get("uuid")),
        parent=_text(get("parentUuid")),
        has_parent="parentUuid" in record,
        at=milliseconds(get("timestamp")),
        session_id=_text(get("sessionId")),
        agent_id=_text(get("agentId")),
        is_sidechain=get("isSidechain") is True,
        is_meta=get("isMeta") is True,
        is_forked=isinstance(get("forkedFrom"), dict),
    )


def _kind(record: Mapping[str, Any]) -> Kind | None:
    kind = record.get("type")
    return _TREE.get(kind) if isinstance(kind, str) else None


def _text(value: object) -> str | None:
    # A line that was parsed holds no half characters.
    return value if isinstance(value, str) and value else None


def _take_system(node: Node, record: Mapping[str, Any]) -> None:
    node.subtype = _text(record.get("subtype"))
    node.content = _kept(record.get("content"))
    node.logical_parent = _text(record.get("logicalParentUuid"))
    if node.is_boundary:
        details = record.get("compactMetadata")
        node.details = details if isinstance(details, dict) else {}
    elif node.subtype == "api_error":
        node.details = {
            key: record.get(key) for key in ("error", "retryAttempt", "maxRetries") if key in record
        }
    node.retracts = _ids(record.get("retractedMessageUuids"))


def _take_assistant(node: Node, record: Mapping[str, Any], message: Mapping[str, Any]) -> None:
    node.message_id = _text(message.get("id")) or _text(record.get("requestId"))
    node.model = _text(message.get("model"))
    node.stop_reason = _text(message.get("stop_reason"))
    usage = message.get("usage")
    node.usage = usage if isinstance(usage, dict) else None
    node.is_api_error = record.get("isApiErrorMessage") is True
    node.error = _text(record.get("error"))
    node.status = count_of(record.get("apiErrorStatus"))
    node.retracts = _ids(record.get("supersedesUuids"))


def _take_user(node: Node, record: Mapping[str, Any]) -> None:
    node.is_summary = record.get("isCompactSummary") is True
    node.is_meta = node.is_meta or record.get("isVisibleInTranscriptOnly") is True
    origin = record.get("origin")
    node.origin = _text(origin.get("kind")) if isinstance(origin, dict) else None
    node.is_interruption = _text(record.get("interruptedMessageId")) is not None
    node.denial = _text(record.get("toolDenialKind"))
    copy = record.get("toolUseResult")
    if isinstance(copy, dict):
        node.spawned = _text(copy.get("agentId"))
        node.was_interrupted = copy.get("interrupted") is True
        duration = copy.get("durationMs")
        if isinstance(duration, int | float) and 0 <= duration < _LONGEST_MS:
            node.duration_ms = float(duration)


def _take_content(node: Node, content: object) -> None:
    if not isinstance(content, list):
        node.content = _kept(content)
        return
    parts: list[Any] = []
    for block in content:
        kind = _text(block.get("type")) if isinstance(block, dict) else None
        if not isinstance(block, dict):
            parts.append(_kept(block))
        elif kind in _CALLS:
            node.uses.append(Use(block.get("id"), _called(block), block.get("input")))
        elif kind == "tool_result" or (
            kind is not None and kind.endswith(_SERVER_RESULTS) and "tool_use_id" in block
        ):
            node.answers.append(
                Answer(
                    block.get("tool_use_id"),
                    _result(block.get("content")),
                    block.get("is_error") is True,
                )
            )
        elif kind in _UNSPOKEN:
            node.unspoken += 1
        else:
            parts.append(_part(block))
    # One text alone is that text.
    node.content = parts[0] if len(parts) == 1 and isinstance(parts[0], str) else parts


def _called(block: Mapping[str, Any]) -> object:
    server, name = block.get("server_name"), block.get("name")
    if block.get("type") == "mcp_tool_use" and isinstance(server, str) and isinstance(name, str):
        return f"mcp__{server}__{name}"
    return name


def _result(content: object) -> str | list[Any]:
    if not isinstance(content, list):
        return _kept(content)
    parts = [_part(block) if isinstance(block, dict) else _kept(block) for block in content]
    return parts[0] if len(parts) == 1 and isinstance(parts[0], str) else parts


def _part(block: Mapping[str, Any]) -> str | ImagePart | dict[str, Any]:
    text = block.get("text")
    if isinstance(text, str):
        return text[: MESSAGE_LIMIT + 1]
    source = block.get("source")
    if isinstance(source, dict):
        found = picture(source.get("data"), source.get("media_type"))
        if found is not None:
            return found
    return {"type": block.get("type")}


def _kept(content: object) -> str:
    # One character more than is kept: that the text was longer can still be seen.
    return content[: MESSAGE_LIMIT + 1] if isinstance(content, str) else ""


def _ids(value: object) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def usage_of(usage: Mapping[str, Any] | None) -> Usage | None:
    """Return the tokens of one request, or None where they are not recorded.

    What the model read from its provider's cache, and what it wrote there, was read all the
    same; the source counts these apart from `input_tokens`.
    """
    if usage is None:
        return None
    read, written = count_of(usage.get("input_tokens")), count_of(usage.get("output_tokens"))
    if read is not None:
        read += count_of(usage.get("cache_creation_input_tokens")) or 0
        read += count_of(usage.get("cache_read_input_tokens")) or 0
    if not read and not written:
        return None
    return Usage(input_tokens=read, output_tokens=written)
