"""Writes one pi session as records."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from reporter.importers.agent_log import (
    AgentLog,
    Came,
    Ending,
    Step,
    count_of,
    picture,
    text_of,
)
from reporter.importers.conversation import BrokenElementError
from reporter.importers.losses import Losses
from reporter.importers.outcome import failed_attempt
from reporter.importers.pi_entries import PiEntry
from reporter.models.manifest import Attempt
from reporter.models.records import ImagePart, Usage

_STOP_REASONS: Final[Mapping[str, str]] = {"toolUse": "tool_use"}
"""Spellings of this client that no provider has."""

_QUIET: Final = frozenset({"label", "session_info", "thinking_level_change", "model_change"})
_UNSPOKEN: Final = frozenset({"thinking", "redactedThinking"})
_UNKNOWN_USAGE: Final = frozenset({"aborted", "error"})

_ENDED: Final = "the assistant's last step ended its turn (stopReason)"
_ABORTED: Final = "the user stopped the assistant's last step (stopReason aborted)"
_FAILED: Final = "the assistant's last step failed (stopReason error)"


class PiWriter:
    """Adds the records of one session, in the order of its path.

    Args:
        log: Takes the records.
        losses: Takes what has no place in them.
    """

    def __init__(self, log: AgentLog, losses: Losses) -> None:
        self.models: Counter[tuple[str | None, str]] = Counter()
        self.superseded: set[str] = set()
        self._log = log
        self._losses = losses
        self._answered: set[str] = set()
        self._unspoken = 0
        self._costs = 0
        self._last: Mapping[str, Any] = {}

    def write(self, entries: Sequence[PiEntry]) -> None:
        """Add everything that the entries hold; those that count elsewhere are passed over."""
        for entry in entries:
            self.superseded.update(entry.supersedes)
        for entry in entries:
            if not entry.is_copied:
                try:
                    self._entry(entry)
                except BrokenElementError as error:
                    self._losses.add(
                        "unreadable",
                        f"line {entry.line}{error.place}",
                        f"parts that are not what the format says: {error.reason}",
                    )
        self._losses.no_place(
            "message.content", "blocks of reasoning, which nobody was told", self._unspoken
        )
        self._losses.no_place(
            "message.usage.cost", "costs, for which a recording has no place", self._costs
        )

    def ending(self, *, is_cut: bool) -> Ending:
        """Return how the session ended, from the last message of it."""
        last = self._last
        if is_cut or last.get("role") != "assistant":
            return Ending()
        reason = last.get("stopReason")
        if reason == "aborted":
            return Ending(Attempt(status="failed"), "aborted", _ABORTED)
        if reason == "error":
            return Ending(failed_attempt(None, text_of(last.get("errorMessage"))), "error", _FAILED)
        if reason in ("stop", "length"):
            return Ending(Attempt(status="succeeded"), "unknown", _ENDED)
        return Ending()

    def _entry(self, entry: PiEntry) -> None:
        body, kind = entry.body, entry.kind
        if kind == "message":
            self._message(entry)
        elif kind == "compaction":
            self._shortened(body, entry.at)
        elif kind == "branch_summary":
            self._log.notice("branch", "The person went back; a branch was summed up.", entry.at)
            self._log.client(_plain(body.get("summary")), entry.at)
        elif kind == "custom_message":
            self._log.client(self._parts(body.get("content")), entry.at)
        elif kind == "custom":
            self._losses.no_place(
                f"line {entry.line}", "state that an extension keeps for itself (custom)"
            )
        elif kind == "model_change":
            by, model = text_of(body.get("provider")), text_of(body.get("modelId"))
            name = f"{by}/{model}" if by and model else model or text_of(body.get("model")) or "?"
            self._log.notice("model", f"The model was changed to {name}.", entry.at)
        elif kind in _QUIET:
            self._losses.no_place(
                f"line {entry.line}",
                "lines that the client keeps for itself (thinking level, labels, names)",
            )
        else:
            self._losses.unknown_type(f"line {entry.line}", kind)

    def _message(self, entry: PiEntry) -> None:
        message, role, at = entry.message, entry.role, entry.at
        if role in ("user", "assistant", "toolResult"):
            self._last = message
        if role == "user":
            self._log.said(self._parts(message.get("content")), at)
        elif role == "assistant":
            self._assistant(entry, message)
        elif role == "toolResult":
            self._result(entry, message)
        elif role == "bashExecution":
            self._bash(message, at)
        elif role in ("custom", "hookMessage"):
            self._log.client(self._parts(message.get("content")), at)
        elif role == "compactionSummary":
            self._shortened(message, at)
        elif role == "branchSummary":
            self._log.client(_plain(message.get("summary")), at)
        else:
            self._losses.unknown_type(f"line {entry.line}", role, "messages")

    def _assistant(self, entry: PiEntry, message: Mapping[str, Any]) -> None:
        content = message.get("content")
        blocks = content if isinstance(content, list) else [content]
        at = entry.at
        spoken = [block for block in blocks if not _is_silent(block)]
        self._unspoken += sum(1 for block in blocks if _kind(block) in _UNSPOKEN)
        self._log.assistant(self._parts(spoken), at)
        for block in blocks:
            if isinstance(block, dict) and _kind(block) == "toolCall":
                self._log.called(
                    block.get("id"), block.get("name"), block.get("arguments"), at, steps=True
                )
        recorded, provider = text_of(message.get("stopReason")), text_of(message.get("provider"))
        model = text_of(message.get("model"))
        if model is not None:
            self.models[provider, model] += 1
        self._log.step(
            Step(
                at=at,
                reason=_STOP_REASONS.get(recorded or "", recorded),
                usage=self._usage(message),
                model_id=model,
                provider=provider,
                response_id=text_of(message.get("responseId")),
            )
        )
        failed = text_of(message.get("errorMessage"))
        if failed is not None and recorded != "aborted":
            self._log.error(failed, None, at)
        if entry.own_id in self.superseded:
            self._log.notice("retry", "The client tried this step again by itself.", at)

    def _usage(self, message: Mapping[str, Any]) -> Usage | None:
        """Return the tokens of a step; none at all were counted by nobody."""
        usage = message.get("usage")
        if not isinstance(usage, dict):
            return None
        cost = usage.get("cost")
        self._costs += isinstance(cost, dict) and bool(cost.get("total"))
        read = count_of(usage.get("input"))
        if read is not None:
            read += count_of(usage.get("cacheRead")) or 0
            read += count_of(usage.get("cacheWrite")) or 0
        written = count_of(usage.get("output"))
        if not read and not written:
            return None
        if text_of(message.get("stopReason")) in _UNKNOWN_USAGE and not written:
            # What a step had read is known before it is cut off; what it wrote is not.
            written = None
        total = count_of(usage.get("totalTokens")) or None
        return Usage(input_tokens=read, output_tokens=written, total_tokens=total)

    def _result(self, entry: PiEntry, message: Mapping[str, Any]) -> None:
        call_id = message.get("toolCallId")
        if isinstance(call_id, str) and call_id in self._answered:
            self._losses.add("repeated", f"line {entry.line}", "results of one call again")
            return
        error = message.get("isError")
        came = Came(at=entry.at, is_error=error if isinstance(error, bool) else None)
        if self._log.came_back(call_id, self._parts(message.get("content")), came):
            self._answered.add(str(call_id))
        else:
            self._losses.unmatched(f"line {entry.line}")

    def _bash(self, message: Mapping[str, Any], at: int | None) -> None:
        """Add a command that the person ran in the client."""
        arguments = {
            key: message[key]
            for key in ("command", "exitCode", "cancelled")
            if isinstance(message.get(key), str | int)
        }
        call_id = self._log.called_by_person("bash", arguments, at)
        cut = message.get("truncated")
        self._log.came_back_to_person(
            call_id, _plain(message.get("output")), Came(at=at, truncated=cut is True or None)
        )

    def _shortened(self, body: Mapping[str, Any], at: int | None) -> None:
        before = count_of(body.get("tokensBefore"))
        size = f", {before:,} tokens before" if before is not None else ""
        self._log.notice("compaction", f"The context was shortened{size}.", at)
        summary = _plain(body.get("summary"))
        if summary:
            self._log.client(summary, at)

    def _parts(self, content: object) -> str | list[Any]:
        """Return content as a conversation takes it: one text, or a list of parts."""
        if content is None or isinstance(content, str):
            return content or ""
        if not isinstance(content, list):
            raise BrokenElementError(".content", "text or a list of parts was expected")
        parts = [_part(block) for block in content if block is not None]
        if not parts:
            return ""
        return parts[0] if len(parts) == 1 and isinstance(parts[0], str) else parts


def _kind(block: object) -> str | None:
    return text_of(block.get("type")) if isinstance(block, dict) else None


def _is_silent(block: object) -> bool:
    return _kind(block) == "toolCall" or _kind(block) in _UNSPOKEN


def _part(block: object) -> str | ImagePart | dict[str, Any]:
    if isinstance(block, str):
        return block
    if not isinstance(block, dict):
        return {"type": type(block).__name__}
    if isinstance(block.get("text"), str):
        return str(block["text"])
    found = picture(block.get("data"), block.get("mimeType"))
    return found if found is not None else {"type": block.get("type")}


def _plain(value: object) -> str:
    return value if isinstance(value, str) else ""
