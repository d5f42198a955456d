"""The lines of a Codex CLI rollout: what was said and done, and what is only said again."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from reporter.canonical import canonical_json
from reporter.importers.agent_log import milliseconds, text_of
from reporter.importers.jsonlines import JsonLines
from reporter.importers.losses import Losses
from reporter.importers.source import SourceEntry
from reporter.models.manifest import SourceFile

WRAPPED: Final = frozenset(
    {"session_meta", "response_item", "event_msg", "turn_context", "compacted"}
)
"""Types of the lines that hold everything in a `payload`."""

_BARE: Final = frozenset(
    {"message", "reasoning", "function_call", "function_call_output", "local_shell_call"}
)
_QUIET: Final = frozenset({"world_state", "ghost_snapshot", "turn_context"})


@dataclass(slots=True)
class Item:
    """One line."""

    kind: str
    """`meta`, `item`, `event`, `context` or `compacted`."""
    name: str
    """Type of the payload, or empty."""
    line: int
    at: int | None
    body: Mapping[str, Any]
    is_copied: bool = False
    """The same line counts in the session that this one was forked from."""

    @property
    def is_ask(self) -> bool:
        """A person's words, as the client keeps them apart."""
        return self.kind == "event" and self.name == "user_message"

    @property
    def digest(self) -> str:
        """What is equal in the copies of one line: all but its time."""
        try:
            written = canonical_json([self.kind, self.name, self.body])
        except ValueError:
            written = f"{self.kind} {self.name} {self.line}"
        return hashlib.sha256(written.encode()).hexdigest()


@dataclass(slots=True)
class Rollout:
    """One file, read."""

    entry: SourceEntry
    lines: JsonLines
    losses: Losses
    file: SourceFile
    meta: Mapping[str, Any]
    """The file's own header: of a fork, the first of two."""
    items: list[Item] = field(default_factory=list)
    rolled_back: list[tuple[Item, int]] = field(default_factory=list)
    """First item and number of messages of what the person took back."""

    @property
    def session_id(self) -> str | None:
        """The id of the session, or None where the header is missing."""
        return text_of(self.meta.get("id"))

    @property
    def origin(self) -> str | None:
        """The session that this one was forked from or sent to work by, or None."""
        return origin_of(self.meta)

    @property
    def is_subagent(self) -> bool:
        """Another session's assistant sent it to work; nobody speaks in it."""
        return is_subagent(self.meta)


def origin_of(meta: Mapping[str, Any]) -> str | None:
    """Return the session that a header names as its origin, or None."""
    spawned = _spawn(meta).get("parent_thread_id")
    return (
        text_of(spawned)
        or text_of(meta.get("parent_thread_id"))
        or text_of(meta.get("forked_from_id"))
    )


def is_subagent(meta: Mapping[str, Any]) -> bool:
    """Tell whether a header is that of a session which another one's assistant began."""
    source = meta.get("source")
    return (
        isinstance(source, dict) and ("subagent" in source or "sub_agent" in source)
    ) or meta.get("thread_source") == "subagent"


def _spawn(meta: Mapping[str, Any]) -> Mapping[str, Any]:
    source = meta.get("source")
    for key in ("subagent", "sub_agent", "thread_spawn"):
        inner = source.get(key) if isinstance(source, dict) else None
        source = inner if isinstance(inner, dict) else source
    return source if isinstance(source, dict) else {}


def read_rollout(entry: SourceEntry) -> Rollout:
    """Read one file.

    Raises:
        OSError: The file cannot be read.
    """
    lines, losses = JsonLines(entry), Losses(entry.name)
    items: list[Item] = []
    metas: list[Mapping[str, Any]] = []
    for number, record in lines.objects():
        item = item_of(record, number)
        if item is None:
            losses.unknown_type(f"line {number}", record.get("type"))
        elif item.kind == "meta":
            metas.append(item.body)
        else:
            items.append(item)
    if lines.file is None:
        raise OSError("the file was not read to its end")
    return Rollout(entry, lines, losses, lines.file, metas[0] if metas else {}, items)


def item_of(record: Mapping[str, Any], line: int) -> Item | None:
    """Return a line's content, or None for a line of a type that is unknown here."""
    kind, at = text_of(record.get("type")), milliseconds(record.get("timestamp"))
    payload = record.get("payload")
    if kind in WRAPPED and isinstance(payload, dict):
        name = text_of(payload.get("type")) or ""
        short = {"session_meta": "meta", "response_item": "item", "event_msg": "event"}
        short |= {"turn_context": "context"}
        return Item(short.get(kind, kind), name, line, at, payload)
    if kind in _BARE:
        # The first versions wrote what is an item now as a line of its own.
        return Item("item", kind, line, at, record)
    if kind is None and is_old_header(record):
        return Item("meta", "", line, at, record)
    if kind in _QUIET or record.get("record_type") == "state":
        return Item("context", "", line, at, {})
    return None


def is_old_header(record: Mapping[str, Any]) -> bool:
    """Tell whether a line is the header that the first versions wrote."""
    return isinstance(record.get("id"), str) and "timestamp" in record and "instructions" in record


def mark_copies(items: Sequence[Item], origin: Sequence[Item]) -> int:
    """Mark what a fork repeats of its origin, and return how many lines that are.

    Only its beginning can: up to the first thing said or done that the origin does not hold.
    """
    known = {item.digest for item in origin}
    copied = 0
    for item in items:
        if item.digest in known:
            item.is_copied = True
            copied += 1
        elif item.kind == "item" or item.is_ask:
            break
    return copied


def without_rolled_back(rollout: Rollout) -> Iterator[Item]:
    """Yield the items of the session; turns that the person took back are put aside."""
    kept: list[Item] = []
    has_asks = any(item.is_ask for item in rollout.items)
    for item in rollout.items:
        turns = item.body.get("num_turns")
        if item.name != "thread_rolled_back" or not isinstance(turns, int) or turns < 1:
            kept.append(item)
            continue
        begins = [
            at
            for at, one in enumerate(kept)
            if (one.is_ask if has_asks else one.body.get("role") == "user")
        ]
        if begins:
            first = begins[max(0, len(begins) - turns)]
            # Some versions write the item of a person's words before their event.
            if has_asks and first > 0 and kept[first - 1].body.get("role") == "user":
                first -= 1
            gone = kept[first:]
            del kept[first:]
            messages = sum(one.kind == "item" for one in gone)
            rollout.rolled_back.append((gone[0], messages))
    yield from kept
