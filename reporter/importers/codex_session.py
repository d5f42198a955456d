"""Writes one Codex CLI session as records."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from reporter.importers.agent_log import AgentLog, Came, Ending, Step, count_of, text_of
from reporter.importers.codex_records import Item
from reporter.importers.conversation import BrokenElementError
from reporter.importers.losses import Losses
from reporter.importers.outcome import failed_attempt
from reporter.models.manifest import Attempt
from reporter.models.records import Usage

_INJECTED: Final = re.compile(
    r"\s*(?:<(?:environment_context|user_instructions|turn_aborted|user_shell_command|skill"
    r"|subagent_notification|permissions instructions|collaboration_mode)[ >]"
    r"|# AGENTS\.md instructions)"
)
_REQUEST: Final = "## My request for Codex:"
_REFUSED: Final = re.compile(
    r"(?:exec command|patch) rejected by user|user (?:rejected|cancelled) MCP tool call"
)
_STOPPED: Final = re.compile(r"aborted by user")
_UNSUPPORTED: Final = re.compile(r"unsupported (?:custom tool )?call: ")

_SAID_RULE: Final = "the text does not begin as the client's own does"
_REQUEST_RULE: Final = "what stands behind the client's own heading"
_REFUSED_RULE: Final = "the text is the client's own for a call that was not allowed"
_STOPPED_RULE: Final = "the text is the client's own for a call that was stopped"
_UNSUPPORTED_RULE: Final = "the text is the client's own for a tool that it does not know"
_COMPLETE: Final = "the last turn is recorded as complete (task_complete)"
_ABORTED: Final = "the last turn was stopped (turn_aborted)"
_ERROR: Final = "the last that is recorded: an error"

_REPEATED: Final = frozenset({"agent_message", "agent_reasoning", "mcp_tool_call_begin"})
"""Events that say again what an item says."""


@dataclass(frozen=True, slots=True)
class _End:
    """What an event says of how a call ended."""

    is_error: bool | None = None
    server: str | None = None
    duration_ms: float | None = None


class CodexWriter:
    """Adds the records of one session, in the order in which they were written.

    Args:
        log: Takes the records.
        losses: Takes what has no place in them.
        is_subagent: Nobody speaks in it: another session's assistant sent it to work.
    """

    def __init__(self, log: AgentLog, losses: Losses, *, is_subagent: bool = False) -> None:
        self.models: Counter[str] = Counter()
        self.calls = 0
        self.sent: dict[str, list[tuple[Sequence[Item], Losses]]] = {}
        """Sub-agents' items and losses, by their session's id."""
        self._log = log
        self._losses = losses
        self._is_subagent = is_subagent
        self._model: str | None = None
        self._total: object = None
        self._asks: frozenset[str] = frozenset()
        self._ends: dict[str, _End] = {}
        self._answered: set[str] = set()
        self._last: Item | None = None

    def write(self, items: Sequence[Item]) -> None:
        """Add everything that the items hold; those that count elsewhere are passed over."""
        self._asks = frozenset(_plain(item.body.get("message")) for item in items if item.is_ask)
        self._ends = {
            call_id: _end_of(item)
            for item in items
            if item.kind == "event"
            and item.name.endswith("_end")
            and (call_id := text_of(item.body.get("call_id"))) is not None
        }
        for item in items:
            if item.is_copied:
                continue
            try:
                self._item(item)
            except BrokenElementError as error:
                self._losses.add(
                    "unreadable",
                    f"line {item.line}",
                    f"parts that are not what the format says: {error.reason}",
                )

    def write_rest(self) -> None:
        """Add sub-agents that no result of a call names, at the end."""
        for session_id in list(self.sent):
            self._subagent(session_id)

    def ending(self, *, is_cut: bool) -> Ending:
        """Return how the session ended, from its last event or item."""
        last = self._last
        if last is None or is_cut:
            return Ending()
        if last.name == "task_complete":
            return Ending(Attempt(status="succeeded"), "unknown", _COMPLETE)
        if last.name == "turn_aborted":
            return Ending(Attempt(status="failed"), "aborted", _ABORTED)
        if last.name == "error":
            message = text_of(last.body.get("message"))
            return Ending(failed_attempt(None, message), "error", _ERROR)
        return Ending()

    def _item(self, item: Item) -> None:
        body, at = item.body, item.at
        if item.kind == "context":
            self._model = text_of(body.get("model")) or self._model
        elif item.kind == "compacted":
            self._log.notice("compaction", "The context was shortened.", at)
            if summary := _plain(body.get("message")):
                self._log.client(summary, at)
        elif item.kind == "event":
            self._event(item)
        elif item.name == "message":
            self._last = item
            self._message(item)
        elif item.name == "reasoning":
            self._losses.no_place("reasoning", "blocks of reasoning, which nobody was told")
        elif item.name.endswith("_output") and "call_id" in body:
            self._last = item
            self._result(item)
        elif item.name.endswith("_call"):
            self._last = item
            self._call(item)
        elif item.name == "ghost_snapshot":
            self._losses.no_place(item.name, "snapshots of files that the client keeps")
        else:
            self._losses.unknown_type(f"line {item.line}", item.name, "items")

    def _message(self, item: Item) -> None:
        role, content = item.body.get("role"), _content(item.body.get("content"))
        words = _words(content)
        if role == "assistant":
            if not self._is_subagent:
                self._log.assistant(content, item.at)
        elif role == "user" and not self._is_subagent:
            if words.strip() in self._asks:
                return
            if self._asks or _INJECTED.match(words):
                self._log.client(content, item.at)
            elif words.strip() or content:
                self._log.said(content, item.at, {"author": _SAID_RULE})
        elif role != "user":
            self._log.client(content, item.at)

    def _event(self, item: Item) -> None:
        name, body, at = item.name, item.body, item.at
        if name in ("user_message", "task_started", "task_complete", "turn_aborted", "error"):
            self._last = item
        if name == "user_message" and not self._is_subagent:
            words = _plain(body.get("message"))
            _, mark, request = words.partition(_REQUEST)
            if mark and request.strip():
                self._log.said(request.strip(), at, {"content": _REQUEST_RULE})
            elif words:
                self._log.said(words, at)
        elif name == "token_count":
            self._tokens(item)
        elif name == "turn_aborted":
            self._log.notice("interrupted", "The turn was stopped before its end.", at)
        elif name == "error":
            self._log.error(text_of(body.get("message")) or "an error of the client", None, at)
        elif name in _REPEATED or name.endswith("_end"):
            self._losses.add("repeated", "event_msg", "events that say again what an item says")
        else:
            self._losses.no_place("event_msg", "events of the client about itself")

    def _tokens(self, item: Item) -> None:
        """Add a step where tokens were used: the event is also written when none were."""
        info = item.body.get("info")
        used = info.get("last_token_usage") if isinstance(info, dict) else None
        if not isinstance(info, dict) or not isinstance(used, dict):
            return
        total = info.get("total_token_usage")
        if total is not None and total == self._total:
            return
        self._total = total
        usage = Usage(
            input_tokens=count_of(used.get("input_tokens")),
            output_tokens=count_of(used.get("output_tokens")),
            total_tokens=count_of(used.get("total_tokens")),
        )
        if self._model is not None and not self._is_subagent:
            self.models[self._model] += 1
        self._log.step(Step(at=item.at, usage=usage, model_id=self._model))

    def _call(self, item: Item) -> None:
        body = item.body
        name = text_of(body.get("name")) or item.name.removesuffix("_call")
        space = text_of(body.get("namespace"))
        if space is not None and space.startswith("mcp__") and not name.startswith("mcp__"):
            name = f"{space.rstrip('_')}__{name}"
        arguments = next(
            (body[key] for key in ("arguments", "input", "action") if key in body), None
        )
        if isinstance(arguments, str) and item.name == "custom_tool_call":
            arguments = {"input": arguments}
        call_id = body.get("call_id", body.get("id"))
        self._log.called(call_id, name, arguments, item.at, steps=True)
        self.calls += 1
        end = self._ends.get(call_id) if isinstance(call_id, str) else None
        if end is not None and end.server is not None:
            self._log.amend("tool_call", {"server_id": end.server})

    def _result(self, item: Item) -> None:
        body, call_id = item.body, item.body.get("call_id")
        if isinstance(call_id, str) and call_id in self._answered:
            self._losses.add("repeated", f"line {item.line}", "results of one call again")
            return
        output = body.get("output", body.get("tools"))
        success = output.get("success") if isinstance(output, dict) else None
        if isinstance(output, dict):
            output = output.get("content", output.get("output"))
        content = _content(output)
        end = self._ends.get(call_id) if isinstance(call_id, str) else None
        came = _came(item, _words(content), end or _End(), success)
        if self._log.came_back(call_id, content, came):
            self._answered.add(str(call_id))
        else:
            self._losses.unmatched(f"line {item.line}")
        for session_id in [one for one in self.sent if one in _words(content)]:
            self._subagent(session_id)

    def _subagent(self, session_id: str) -> None:
        for items, losses in self.sent.pop(session_id, ()):
            self._log.notice(
                "subagent",
                f"Sub-agent {session_id}: the calls from here to the end of its work are its "
                f"own; what it wrote is no part of the conversation.",
            )
            writer = CodexWriter(self._log, losses, is_subagent=True)
            writer.sent = self.sent
            writer.write(items)
            self.calls += writer.calls


def _end_of(item: Item) -> _End:
    body = item.body
    invocation, result = body.get("invocation"), body.get("result")
    server = text_of(invocation.get("server")) if isinstance(invocation, dict) else None
    is_error: bool | None = None
    if isinstance(result, dict) and item.name == "mcp_tool_call_end":
        answer = result.get("Ok")
        if "Err" in result:
            is_error = True
        elif isinstance(answer, dict):
            is_error = answer.get("isError", answer.get("is_error")) is True
    elif item.name == "patch_apply_end" and isinstance(body.get("success"), bool):
        is_error = not body["success"]
    return _End(is_error, server, _duration(body.get("duration")))


def _duration(value: object) -> float | None:
    if not isinstance(value, dict):
        return None
    seconds, rest = count_of(value.get("secs")), count_of(value.get("nanos"))
    return None if seconds is None or rest is None else seconds * 1_000 + rest / 1_000_000


def _came(item: Item, words: str, end: _End, success: object) -> Came:
    blocked: bool | None = None
    by_client = False
    inferred: dict[str, str] = {}
    if _REFUSED.match(words):
        blocked, inferred = True, {"policyBlocked": _REFUSED_RULE}
    elif _STOPPED.match(words):
        by_client, inferred = True, {"answeredBy": _STOPPED_RULE}
    elif _UNSUPPORTED.match(words):
        by_client, inferred = True, {"answeredBy": _UNSUPPORTED_RULE}
    is_error = not success if isinstance(success, bool) else end.is_error
    return Came(
        at=item.at,
        is_error=is_error,
        policy_blocked=blocked,
        by_client=by_client,
        duration_ms=end.duration_ms,
        inferred=inferred,
    )


def _content(content: object) -> str | list[Any]:
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        raise BrokenElementError("", "text or a list of parts was expected")
    parts: list[Any] = [
        part["text"] if isinstance(part, dict) and isinstance(part.get("text"), str) else part
        for part in content
    ]
    if len(parts) == 1 and isinstance(parts[0], str):
        return parts[0]
    return parts or ""


def _words(content: str | list[Any]) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part for part in content if isinstance(part, str))


def _plain(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
