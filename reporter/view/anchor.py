"""Stable ids for everything a link may lead to: deterministic, safe in a URL, unique."""

import functools
import hashlib
import re
from typing import Final

from reporter.redaction import mask_text
from reporter.view.text import Spelled

_OTHER: Final = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST: Final = 80


def anchor(kind: str, *parts: str | int) -> str:
    """Join a kind and parts into an id that no other kind or parts give.

    Letters, digits, `-` and `_` stay; every other character becomes `~` and its code
    point in hex, closed by `~`. The dot only ever separates, so parts cannot run into each
    other. A part that is too long keeps its head and a digest of the whole.
    """
    return Spelled(".".join([kind, *[_part(str(part)) for part in parts]]))


def inside(own: str) -> str:
    """Return where a link leads to an id of the same page."""
    return Spelled(f"#{own}")


def session_anchor(session_id: str) -> str:
    """Where a session's transcript stands, or its row where the page carries none."""
    return anchor("session", session_id)


def row_anchor(session_id: str) -> str:
    """Where a session's row stands in the list when its transcript has the session's id."""
    return anchor("row", session_id)


def message_anchor(session_id: str, index: int) -> str:
    """Where a message stands; `index` is what `m:<index>` cites."""
    return Spelled(f"{_session(session_id)}.m{index}")


def turn_anchor(session_id: str, turn_index: int) -> str:
    """Where a turn begins; `turn_index` counts from zero."""
    return Spelled(f"{_session(session_id)}.turn{turn_index}")


def call_anchor(session_id: str, tool_call_id: str) -> str:
    """Where a tool call stands."""
    return Spelled(f"{_session(session_id)}.call.{_part(tool_call_id)}")


def criterion_anchor(session_id: str, criterion_id: str) -> str:
    """Where the result of a check stands."""
    return anchor("session", session_id, "check", criterion_id)


def connection_anchor(session_id: str) -> str:
    """Where a session's connection record stands."""
    return anchor("session", session_id, "connection")


def safe_name(text: str) -> str:
    """Return text as a part of an id is spelled: letters, digits, `-`, `_` and `~` alone."""
    return _part(text)


def goal_anchor(goal_id: str, group: str = "") -> str:
    """Where a goal stands; with a group where goals stand once a target."""
    return anchor("goal", goal_id, group) if group else anchor("goal", goal_id)


def run_anchor(run_id: str, group: str = "") -> str:
    """Where one persona's run of one goal stands."""
    return anchor("run", run_id, group) if group else anchor("run", run_id)


def tool_anchor(name: str) -> str:
    """Where a tool stands among all tools that were called."""
    return anchor("tool", name)


def finding_anchor(row_id: str) -> str:
    """Where a finding stands; row ids are long and full of punctuation, so by digest."""
    return f"finding.{hashlib.sha256(row_id.encode(errors='surrogatepass')).hexdigest()[:16]}"


def cause_anchor(mechanism_id: str) -> str:
    """Where a cause stands."""
    return f"cause.{hashlib.sha256(mechanism_id.encode(errors='surrogatepass')).hexdigest()[:16]}"


# A session asks for an id for each of its entries, one behind the other.
@functools.lru_cache(maxsize=64)
def _session(session_id: str) -> str:
    return session_anchor(session_id)


@functools.lru_cache(maxsize=4096)
def _part(text: str) -> str:
    if mask_text(text) != text:
        # An id that looks like a credential must not stand in the page, however it is spelled.
        return f"~~{hashlib.sha256(text.encode(errors='surrogatepass')).hexdigest()[:32]}"
    if len(text) > _LONGEST:
        digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]
        return f"{_part(text[: _LONGEST // 2])}~~{digest}"
    return _OTHER.sub(lambda found: f"~{ord(found.group()):x}~", text)
