"""The manifest of a native recording, as it is written: nothing resolved, nothing dropped."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from reporter.models.records import Tool
from reporter.models.wire import WireModel

NonEmpty = Annotated[str, Field(min_length=1)]

AttemptStatus = Literal["pending", "running", "succeeded", "failed", "rate_limited"]
RunStatus = Literal["running", "completed", "partial", "failed", "rate_limited"]

TARGET_UNRECORDED: Final = "no target recorded"
"""Label of the target that sessions ran against when the source names none."""

GOAL_UNRECORDED: Final = "no goal recorded"
"""Title of the goal of sessions whose source does not say what was asked for."""

PERSONA_UNRECORDED: Final = "no persona recorded"
"""Stands in the place of a name, with a null id, where a source does not say whose it was."""


class Persona(WireModel):
    """Somebody who pursues goals; identified by the pair of both ids."""

    persona_ref_id: str | None
    name: str
    role: str | None = None
    notes: str | None = None
    inferred: dict[str, str] | None = None
    masked: dict[str, int] | None = None
    """Secrets masked on reading, by kind, each once; None where there was none."""

    @property
    def key(self) -> tuple[str | None, str]:
        """The pair that identifies a persona; both halves must match."""
        return (self.persona_ref_id, self.name)


class Goal(WireModel):
    """An authored task."""

    journey_ref_id: str
    title: str
    goal: str | None = None
    archived: bool | None = None
    inferred: dict[str, str] | None = None
    masked: dict[str, int] | None = None
    """Secrets masked on reading, by kind, each once; None where there was none."""


class EnvironmentRef(WireModel):
    """The environment behind a target."""

    environment_id: str
    name: str
    revision: int


class Target(WireModel):
    """What a session runs against."""

    target_id: str
    kind: Literal["environment", "host"]
    id: str
    label: str
    model_id: str | None
    host_id: str | None = None
    host_name: str | None = None
    environment: EnvironmentRef | None = None
    server_ids: list[str] | None = None
    server_names: list[str] | None = None
    built_in_tool_ids: list[str] | None = None
    tool_name_prefix: str | None = None
    system_prompt_sha256: str | None = None
    temperature: float | None = None
    catalog_id: str | None = None
    inferred: dict[str, str] | None = None
    masked: dict[str, int] | None = None
    """Secrets masked on reading, by kind, each once; None where there was none."""


class JudgePolicy(WireModel):
    """Whether a judge speaks, and whether its word decides."""

    automatic: bool
    role: Literal["advisory", "required"]
    requested: bool | None = None


class Policy(WireModel):
    """Defaults for runs."""

    judge: JudgePolicy | None = None


def predicate_role(predicate: Mapping[str, Any] | None) -> object:
    """Return the role that a predicate states, or None; `gating` is another word for required.

    Rule: checks.md, `role`.
    """
    role = None if predicate is None else predicate.get("role")
    return "required" if role == "gating" else role


class Criterion(WireModel):
    """One check of a run's rubric."""

    id: str
    label: str | None = None
    role: Literal["advisory", "required"] | None
    """None: the source did not say, so the entry counts nowhere."""
    predicate: dict[str, Any] | None = None
    scope: dict[str, Any] | None = None
    """`{kind: turn, promptIndex: n}` for a check of one turn; None for the whole session."""

    @property
    def predicate_type(self) -> str | None:
        """The kind of check, or None where the recording names none."""
        kind = (self.predicate or {}).get("type")
        return kind if isinstance(kind, str) else None


class Run(WireModel):
    """One goal tried by one persona."""

    run_id: str
    journey_ref_id: str
    persona_ref_id: str | None
    persona_name: str
    target_ids: list[str]
    sessions_per_target: Annotated[int, Field(ge=1, le=100)]
    max_turns: Annotated[int, Field(ge=1, le=200)] | None
    status: RunStatus
    error: str | None = None
    rubric: list[Criterion]
    judge: JudgePolicy | None = None
    created_at: int | None = None
    inferred: dict[str, str] | None = None


class Attempt(WireModel):
    """What the runner recorded about a slot."""

    status: AttemptStatus
    error_code: str | None = None
    error_message: str | None = None
    retry_after_ms: int | None = None


class Slot(WireModel):
    """One planned session."""

    session_id: str
    run_id: str
    target_id: str
    session_index: Annotated[int, Field(ge=0)]
    attempt: Attempt | None
    recorded: bool
    message_count: int | None = None
    document_id: str | None = None
    inferred: dict[str, str] | None = None
    masked: dict[str, int] | None = None
    """Secrets masked in the session on reading, by kind, each once; None where there was none."""


class CatalogEntry(WireModel):
    """A tool catalogue named in the manifest."""

    catalog_id: str
    path: str | None = None
    tools: list[Tool] | None = None
    complete: bool | None = None
    keeps: list[str] | None = None
    """Fields of a tool that the source keeps at all, by their JSON names; None for all: what
    a tool does not have, it then does not declare."""


class CatalogFile(WireModel):
    """A tool catalogue in a file of its own."""

    tools: list[Tool]
    complete: bool | None = None
    keeps: list[str] | None = None
    """As in the manifest's entry."""


class Recorder(WireModel):
    """The program that wrote the recording."""

    name: str
    version: str


class SourceFile(WireModel):
    """A file that an importer read."""

    name: str
    sha256: str
    bytes: int


LostKind = Literal["unmatched", "unknownType", "unreadable", "disagreement", "repeated", "noPlace"]
"""What kind of loss it is: a result that answers no recorded call, a record whose type is
unknown, what could not be read, two places of the source that contradict each other, what was
recorded twice, and what a recording has no place for."""


class Lost(WireModel):
    """Something an importer could not use, with its reason."""

    place: str
    """File, then the place in it; of several, the first few."""
    reason: str
    """Why it is not used; says the same of every equal loss, whatever their number."""
    kind: LostKind | None = None
    """What kind of loss it is, or None where the importer does not say."""
    count: Annotated[int, Field(ge=1)] | None = None
    """How many equal losses this one stands for; None reads as one."""

    def __str__(self) -> str:
        """Write `place: reason`, with the number where it stands for several."""
        return f"{self.place}: {self.words}"

    @property
    def words(self) -> str:
        """The reason, with the number where the loss stands for several."""
        return f"{self.reason} ({self.count:,})" if (self.count or 1) > 1 else self.reason


class Source(WireModel):
    """What was read and what could not be used."""

    importer: str
    importer_version: int | str
    files: list[SourceFile]
    lost: list[Lost] = Field(default_factory=list)


class Manifest(WireModel):
    """The plan of a wave, `wave.json`."""

    format: Literal["swarm-recording"] = "swarm-recording"
    format_version: Literal[1] = 1
    swarm_run_group_id: NonEmpty
    swarm_id: str | None = None
    swarm_name: str | None = None
    created_at: int | None = None
    finished_at: int | None = None
    terminal: bool
    personas: list[Persona]
    goals: list[Goal]
    targets: list[Target]
    runs: list[Run]
    slots: list[Slot]
    catalogs: list[CatalogEntry] | None = None
    policy: Policy | None = None
    recorder: Recorder | None = None
    source: Source | None = None
    published: dict[str, Any] | None = None
    """What the source itself derived: findings, decision, report, analytics, sessions."""
