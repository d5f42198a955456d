"""Which operations make a session: those of one conversation, else those of one trace."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from reporter.identifiers import SessionId
from reporter.importers.importer import ImportedSession, SessionHead
from reporter.importers.mapping import FileMapping, Stated
from reporter.importers.naming import UniqueIds, first_words, safe_id, short_digest
from reporter.importers.otel.builder import SessionBuilder
from reporter.importers.otel.gather import Gathering, Trace
from reporter.importers.otel.meaning import AgentRun, McpPhase, ModelCall, Told, ToolRun
from reporter.importers.otel.requests import Request, request_of
from reporter.importers.otel.tree import Operation, TraceTree, is_run
from reporter.importers.outcome import failed_attempt
from reporter.importers.sound import sound_text
from reporter.models.manifest import GOAL_UNRECORDED, Attempt, Goal, Target

_SESSION_ID: Final = re.compile(r"[A-Za-z0-9._:-]{1,200}")
_UNKNOWN_SERVICE: Final = "unknown_service"
_ENDED: Final = {"attempt": "the span of the last run ended without an error"}
_UNCAPTURED: Final = {
    "messageCount": "each request to a model and each call of a tool is a message"
}
_NO_GOAL: Final = Goal(
    journey_ref_id="no-goal-recorded",
    title=GOAL_UNRECORDED,
    inferred={"title": "the source holds no text of the user"},
)


@dataclass(slots=True)
class _Session:
    """The operations of one session, by the trace that they stand in."""

    name: str
    traces: dict[str, list[Operation]] = field(default_factory=dict)

    def runs(self) -> list[list[Operation]]:
        """Return the agent's runs in the order of time."""
        runs = [sorted(run, key=_order) for run in self.traces.values()]
        return sorted(runs, key=lambda run: (run[0].start_ns, run[0].first.trace_id))


def _order(operation: Operation) -> tuple[int, str]:
    return (operation.start_ns, operation.first.span_id)


@dataclass(slots=True)
class Assembly:
    """Makes sessions of everything that was gathered."""

    gathering: Gathering
    mapping: FileMapping
    counts: Counter[str] = field(default_factory=Counter)
    disagreements: list[tuple[str, str]] = field(default_factory=list)
    """Where the source contradicts itself: the session, and what says what."""
    untold: int = 0
    """Sessions of which no text was captured."""

    def sessions(self) -> Iterator[ImportedSession]:
        """Yield the sessions, in the order in which they began."""
        grouped, wires = self._grouped()
        self._attach(grouped, wires)
        ids = UniqueIds()
        ordered = sorted(grouped.values(), key=lambda one: (one.runs()[0][0].start_ns, one.name))
        for session in ordered:
            yield self._session(session, SessionId(ids.take(_safe(session.name))))

    def _grouped(self) -> tuple[dict[str, _Session], list[list[Operation]]]:
        """Group the operations by session; traces without an agent at work come apart."""
        grouped: dict[str, _Session] = {}
        wires: list[list[Operation]] = []
        for trace in self.gathering.traces.values():
            operations = self._operations(trace)
            if not any(map(is_run, operations)):
                wire = [one for one in operations if not isinstance(one.first.meaning, AgentRun)]
                if wire:
                    wires.append(wire)
                elif trace.nodes:
                    self.counts["traces that say nothing of an agent"] += 1
                continue
            for operation in operations:
                name = operation.conversation or trace.trace_id
                session = grouped.setdefault(name, _Session(name))
                session.traces.setdefault(trace.trace_id, []).append(operation)
        return self._without_bare_wires(grouped, wires), wires

    def _operations(self, trace: Trace) -> list[Operation]:
        operations = TraceTree(trace, self.counts).operations()
        return _plain_wires(operations)

    def _without_bare_wires(
        self, grouped: dict[str, _Session], wires: list[list[Operation]]
    ) -> dict[str, _Session]:
        """Take out sessions of which only the connecting is told: they are part of others."""
        kept: dict[str, _Session] = {}
        for name, session in grouped.items():
            operations = [one for run in session.traces.values() for one in run]
            if any(map(is_run, operations)):
                kept[name] = session
            else:
                wires.append(operations)
        return kept

    def _attach(self, grouped: dict[str, _Session], wires: Sequence[list[Operation]]) -> None:
        """Give what servers and connections tell to the sessions that they were part of."""
        by_request: dict[tuple[str, str], Operation] = {}
        by_wire: dict[str, tuple[_Session, str]] = {}
        for session in grouped.values():
            for trace_id, run in session.traces.items():
                for operation in run:
                    for told in operation.spans:
                        wire, request = _wire(told)
                        if wire is None:
                            continue
                        by_wire.setdefault(wire, (session, trace_id))
                        if request is not None:
                            by_request.setdefault((wire, request), operation)
        alone: dict[str, _Session] = {}
        for operations in wires:
            for operation in operations:
                self._place(operation, by_request, by_wire, None if grouped else alone)
        grouped.update(alone)

    def _place(
        self,
        operation: Operation,
        by_request: dict[tuple[str, str], Operation],
        by_wire: dict[str, tuple[_Session, str]],
        alone: dict[str, _Session] | None,
    ) -> None:
        wire, request = _wire(operation.first)
        is_call = isinstance(operation.first.meaning, ToolRun)
        if wire is not None and request is not None and (wire, request) in by_request and is_call:
            by_request[wire, request].spans.extend(operation.spans)
        elif wire is not None and wire in by_wire:
            session, trace_id = by_wire[wire]
            session.traces[trace_id].append(operation)
        elif alone is not None and is_call:
            # Nothing but servers was recorded: what one client asked of one is a session.
            name = wire or operation.first.trace_id
            session = alone.setdefault(name, _Session(name))
            session.traces.setdefault(operation.first.trace_id, []).append(operation)
        else:
            self.counts["MCP spans of no session"] += len(operation.spans)

    def _session(self, session: _Session, session_id: SessionId) -> ImportedSession:
        mine: list[str] = []
        builder = SessionBuilder(self.counts, mine)
        runs = session.runs()
        for run in runs:
            builder.run(run)
        records = builder.records()
        self.disagreements.extend((f"session {session_id}", sound_text(one)) for one in mine)
        operations = [operation for run in runs for operation in run]
        file = min(told.file for operation in operations for told in operation.spans)
        stated = self.mapping.stated(file)
        attempt, inferred = _attempt(runs[-1])
        count: int | None = None
        if builder.message_count == 0:
            self.untold += 1
            count = max(1, builder.models + builder.tool_runs)
            inferred = {**inferred, **_UNCAPTURED}
        head = SessionHead(
            session_id=session_id,
            file=file,
            persona=stated.persona_or(None),
            goal=_goal(builder.first_words),
            target=_target(operations, stated),
            attempt=attempt,
            message_count=count,
            inferred=inferred,
        )
        return ImportedSession(head, records)


def _plain_wires(operations: list[Operation]) -> list[Operation]:
    """Leave out what plain HTTP shows of a server where MCP's own spans tell more.

    Of the others one a server is enough: the first that shows that it was reached.
    """
    has_own = any(
        isinstance(one.first.meaning, McpPhase) and one.first.meaning.phase != "connect"
        for one in operations
    )
    kept: list[Operation] = []
    reached: set[str | None] = set()
    for one in operations:
        meaning = one.first.meaning
        if isinstance(meaning, McpPhase) and meaning.phase == "connect":
            if has_own or meaning.server in reached:
                continue
            reached.add(meaning.server)
        kept.append(one)
    return kept


def _wire(told: Told) -> tuple[str | None, str | None]:
    """Return the MCP session that a span was part of, and its request there."""
    meaning = told.meaning
    if isinstance(meaning, ToolRun):
        return meaning.mcp_session, meaning.request_id
    return (meaning.mcp_session, None) if isinstance(meaning, McpPhase) else (None, None)


def _safe(name: str) -> str:
    return name if _SESSION_ID.fullmatch(name) else f"{safe_id(name)}-{short_digest(name)}"


def _goal(words: str | None) -> Goal:
    if words is None or not words.strip():
        return _NO_GOAL
    said = sound_text(words)
    return Goal(
        journey_ref_id=f"ask-{short_digest(said)}",
        title=first_words(said),
        goal=said,
        inferred={
            "title": "first words that the user said",
            "goal": "what the user said first",
        },
    )


def _target(operations: Sequence[Operation], stated: Stated) -> Target:
    """Return what was tried: the agent that was spoken to, else the service that it ran in."""
    outer = [one for one in operations if not one.is_inner]
    agents = [
        told.meaning
        for one in outer
        for told in one.spans
        if isinstance(told.meaning, AgentRun) and told.meaning.name
    ]
    agents_named = [one.name for one in agents if one.is_agent]
    runs_named = [one.name for one in agents]
    services = [
        told.service
        for one in outer
        for told in one.spans
        if told.service and not told.service.startswith(_UNKNOWN_SERVICE)
    ]
    label = next(iter([*agents_named, *services, *runs_named]), None)
    requests = _requests(outer)
    first = requests[0] if requests else None
    model = None if first is None else first.request_model
    model = model or next((one.model for one in agents if one.model), None)
    return stated.target_or(
        None if label is None else sound_text(label),
        None if model is None else sound_text(model),
        None if first is None else first.temperature,
    )


def _requests(operations: Sequence[Operation]) -> list[Request]:
    return [request_of(one, []) for one in operations if isinstance(one.first.meaning, ModelCall)]


def _attempt(run: Sequence[Operation]) -> tuple[Attempt | None, dict[str, str]]:
    """Return what became of a session: how the outermost span of its last run ended."""
    told = max(
        (one.first for one in run if is_run(one)),
        default=run[-1].first,
        key=lambda one: ((one.end_ns or 0), isinstance(one.meaning, AgentRun)),
    )
    if told.end_ns is None:
        return None, {}
    if told.is_error and not isinstance(told.meaning, ToolRun):
        return failed_attempt(told.error_type, told.message), {}
    return Attempt(status="succeeded"), dict(_ENDED)
