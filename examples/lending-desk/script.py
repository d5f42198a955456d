"""The lines a play is made of: what the persona and the assistant say, call and report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Says:
    """The persona speaks, and a turn begins."""

    text: str


@dataclass(frozen=True)
class Replies:
    """The assistant speaks."""

    text: str
    finish_reason: Literal["stop", "length"] = "stop"


@dataclass(frozen=True)
class Calls:
    """The assistant calls a tool; what comes back is the server's business."""

    tool: str
    args: Mapping[str, Any]
    fails: bool = False
    """Whether the play goes on as after an error; the swarm stops where the server disagrees."""


@dataclass(frozen=True)
class Reports:
    """The persona looks back."""

    account: str
    feeling: str
    goal_reached: Literal["yes", "no", "partly", "unknown"]


@dataclass(frozen=True)
class Withdrawn:
    """The operator stops the session here."""

    why: str


Line = Says | Replies | Calls | Reports | Withdrawn


@dataclass(frozen=True)
class Play:
    """One session that takes place."""

    lines: Sequence[Line]
    closed: str | None = None
    """Why the desk refuses everybody, or None where it is open."""


@dataclass(frozen=True)
class Throttled:
    """A session that the model's provider would not serve."""

    message: str
    retry_after_ms: int


@dataclass(frozen=True)
class NeverStarted:
    """A session that the swarm did not get to."""


Scene = Play | Throttled | NeverStarted
