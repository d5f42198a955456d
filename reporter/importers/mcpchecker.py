"""Imports eval runs of an MCP server with the history of calls that a proxy recorded."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from reporter.identifiers import CatalogId, SessionId
from reporter.importers.conversation import BrokenElementError, Element, object_of
from reporter.importers.described import Described, Gap
from reporter.importers.importer import ImportedItem, ImportedSession, SessionHead
from reporter.importers.jsonobject import JsonMembers
from reporter.importers.jsontext import BrokenJsonError
from reporter.importers.losses import Losses, broken_session, lost_rest, lost_session
from reporter.importers.mapping import FileMapping, Stated
from reporter.importers.mcpchecker_outcome import (
    Outcome,
    checks_of,
    has_run,
    outcome_of,
    verified_only,
)
from reporter.importers.mcpchecker_run import NO_RUN, EvalRun, names_servers, run_of
from reporter.importers.mcpchecker_session import (
    SessionRecords,
    server_names,
    session_records,
)
from reporter.importers.naming import UniqueIds, safe_id, short_digest
from reporter.importers.sound import sound_text
from reporter.importers.source import Look, SourceEntry, digest_of
from reporter.models.manifest import Criterion, Goal
from reporter.models.plan import Catalog

_RESULTS: Final = "results"
_MOST_RUNS: Final = 100

_DESCRIBED: Final = Described(
    title="MCP eval runs with call history (mcpchecker)",
    files="one JSON object a run (or the older array of results); an element of `results[]` is "
    "a session",
    persona=None,
    goal="`taskName`; the prompt is not in the file",
    target="`summary.mcpServers[].name` with `summary.agent.model`",
    session="file, `taskName` and `runIndex`; tasks of `summary.evals.names` without a result "
    "are planned and not recorded",
    turn="one a session: an autonomous agent with one prompt",
    call="`callHistory.ToolCalls[]`; the agent's own list only where the proxy recorded none",
    result="`callHistory.ToolCalls[].result`",
    error="`result.isError`, or `error` beside `success: false`",
    stop_reason=None,
    outcome="`taskPassed` (required), `assertionResults` (advisory), the judge's step of "
    "`verifyOutput`; a failed set-up judges nothing",
    usage="`tokenEstimate`, inferred unless its `source` is `actual`",
    time="`callHistory.ToolCalls[].timestamp`, when the call began",
    catalog="`summary.mcpServers[].tools`, listed once for the run (inferred)",
    connection="`Mcp-Session-Id` and `Mcp-Protocol-Version` of the calls' headers (inferred)",
    gaps=(
        Gap("no persona and no prompt; `--map` or `--persona` names one", "notMeasured"),
        Gap("no finish reason", "outputTruncated"),
        Gap("no turn limit", "turnCapReached"),
        Gap("no tools in older files", "toolCatalogMissing"),
        Gap("no words of the agent where it broke off", "transcriptMissing"),
    ),
)


@dataclass(frozen=True, slots=True)
class McpChecker:
    """One JSON object a run, `summary` and `results`; older files are the results alone."""

    name: str = "mcpchecker"
    version: int = 1
    looks_for: str = (
        "a JSON object with summary.agent and summary.mcpServers beside results, or results "
        "with taskName, taskPath and taskPassed (mcpchecker)"
    )
    described: Described = _DESCRIBED

    def claims(self, look: Look) -> bool:
        """Tell whether the file begins as an eval run does."""
        outline = look.outline
        if outline.kind == "array":
            return outline.has("[].taskName", "[].taskPath", "[].taskPassed")
        if outline.kind != "object":
            return False
        return outline.has("results[].taskName", "results[].taskPath", "results[].taskPassed") or (
            outline.has("summary.agent.type", "summary.mcpServers[].name")
            and outline.has("summary.mcpServers[].type")
        )

    def bundles(self, files: Sequence[SourceEntry]) -> list[tuple[SourceEntry, ...]]:
        """Read every run alone."""
        return [(file,) for file in files]

    def sessions(
        self, bundle: Sequence[SourceEntry], mapping: FileMapping
    ) -> Iterator[ImportedItem]:
        """Read the results of each run, then what it planned and holds no result of."""
        for entry in bundle:
            yield digest_of(entry)
            yield from _Reading(entry, mapping.stated(entry.name)).items()


def _summary(entry: SourceEntry) -> tuple[object, BrokenJsonError | None]:
    """Return what a run says of itself, wherever in the file it stands."""
    with entry.open() as stream:
        try:
            for member in JsonMembers(stream, _RESULTS).members():
                if member.key == "summary":
                    return member.value, None
                if not member.key:
                    break
        except BrokenJsonError as error:
            return None, error
    return None, None


@dataclass
class _Reading:
    """One run on its way in."""

    entry: SourceEntry
    stated: Stated
    run: EvalRun = NO_RUN
    ids: UniqueIds = field(default_factory=UniqueIds)
    catalogs: Mapping[CatalogId, Catalog] = field(default_factory=dict)
    rubrics: dict[str, tuple[Criterion, ...]] = field(default_factory=dict)
    """Checks of a task, as its first result that was checked lists them."""
    tried: Counter[str] = field(default_factory=Counter)
    planned: dict[str, int] = field(default_factory=dict)
    """Runs of a task, where one of its results says how many there are."""
    known_names: set[str] = field(default_factory=set)
    """Ids of MCP sessions that already name a session."""

    def __post_init__(self) -> None:
        self.losses = Losses(self.entry.name)

    def items(self) -> Iterator[ImportedItem]:
        summary, _ = _summary(self.entry)
        called = () if names_servers(summary) else self._called()
        self.run = run_of(summary, self.stated, self.losses, called)
        # One and the same for all sessions: what is sent to another process is sent once.
        self.catalogs = self.run.catalogs
        if self.run.catalog is not None:
            yield self.run.catalog
        # What never ran lists no checks; what the task's are, other results say.
        never_ran: list[tuple[str, Element]] = []
        broken: BrokenJsonError | None = None
        has_results = False
        with self.entry.open() as stream:
            try:
                for member in JsonMembers(stream, _RESULTS).members():
                    if member.index is None:
                        has_results = has_results or member.key == _RESULTS
                        self._count_member(member.key, member.value)
                        continue
                    has_results = True
                    place = f"{member.key}[{member.index}]"
                    try:
                        result = object_of(member.value)
                        _task(result)
                    except BrokenElementError as error:
                        yield from lost_session(self.entry.name, place + error.place, error.reason)
                        continue
                    if has_run(result):
                        yield self._session(place, result)
                    else:
                        never_ran.append((place, result))
            except BrokenJsonError as error:
                broken = error
        for place, result in never_ran:
            yield self._session(place, result)
        if broken is not None:
            yield from lost_rest(self.entry.name, broken)
        elif not has_results and not self.tried:
            reason = "a list of results was expected"
            yield from lost_session(self.entry.name, _RESULTS, reason)
        yield from self._planned(is_whole=broken is None)
        yield from self.losses.lost()

    def _called(self) -> Sequence[str]:
        """Return the servers that the calls of the file name, in order of their names."""
        found: set[str] = set()
        with self.entry.open() as stream:
            try:
                for member in JsonMembers(stream, _RESULTS).members():
                    if member.index is not None and isinstance(member.value, dict):
                        found.update(server_names(member.value))
            except BrokenJsonError:
                pass  # said where the results themselves are read
        return sorted(found)

    def _count_member(self, key: str, value: object) -> None:
        if key == _RESULTS and value is not None:
            self.losses.add("unreadable", _RESULTS, "results that are no list")
        elif key not in ("summary", _RESULTS):
            self.losses.unknown_type(sound_text(key), key, "members of the document")

    def _session(self, place: str, result: Element) -> ImportedSession:
        task = _task(result)
        self.tried[task] += 1
        index = _whole(result.get("runIndex")) or 0
        total = _whole(result.get("totalRuns"))
        if total is not None:
            self.planned[task] = max(total, self.planned.get(task, 0))
        session_id = self._session_id(task, index, is_one=(total or 1) <= 1 and index == 0)
        outcome = outcome_of(result, place, self.losses)
        problem = None
        try:
            taken = session_records(result, self.run, outcome, place, self.losses)
        except BrokenElementError as error:
            problem = broken_session(self.entry.name, place + error.place, error.reason, session_id)
            self.losses.add("unreadable", place + error.place, f"a session: {error.reason}")
            # Half a session would pass for a whole one once it is written down again.
            taken = SessionRecords()
        head = SessionHead(
            session_id=session_id,
            file=self.entry.name,
            persona=self.stated.persona_or(None),
            goal=_goal(task, result.get("difficulty")),
            target=self.run.target,
            rubric=self._rubric(task, outcome),
            repetition=index,
            attempt=outcome.attempt,
            message_count=1 if problem else taken.message_count,
            document_id=self._document_id(taken.mcp_sessions),
            inferred={**outcome.inferred, **taken.inferred},
            catalogs=self.catalogs,
        )
        return ImportedSession(head, taken.records, problem)

    def _rubric(self, task: str, outcome: Outcome) -> tuple[Criterion, ...]:
        if not outcome.checked:
            return self.rubrics.get(task, verified_only())
        own = checks_of(outcome)
        self.rubrics.setdefault(task, own)
        return own

    def _planned(self, *, is_whole: bool) -> Iterator[ImportedItem]:
        """Yield what the run planned and holds no result of.

        Of a file that breaks off nobody knows whether the rest held it.
        """
        missing: list[tuple[str, int]] = []
        for name, listed in Counter(self.run.names).items():
            runs = min(self.planned.get(name, self.run.runs), _MOST_RUNS) * listed
            missing.extend((name, index) for index in range(self.tried[name], runs))
        if not is_whole:
            reason = "planned sessions that may stand where the file was not read"
            self.losses.add("unreadable", "summary.evals.names", reason, len(missing))
            return
        for name, index in missing:
            is_one = self.planned.get(name, self.run.runs) <= 1 and index == 0
            head = SessionHead(
                session_id=self._session_id(name, index, is_one=is_one),
                file=self.entry.name,
                persona=self.stated.persona_or(None),
                goal=_goal(name, None),
                target=self.run.target,
                rubric=self.rubrics.get(name, verified_only()),
                repetition=index,
                recorded=False,
                catalogs=self.catalogs,
            )
            yield ImportedSession(head)

    def _session_id(self, task: str, index: int, *, is_one: bool) -> SessionId:
        repetition = "" if is_one else f".{index}"
        return SessionId(self.ids.take(f"{self.entry.prefix}.{safe_id(task)}{repetition}"))

    def _document_id(self, mcp_sessions: Sequence[str]) -> str | None:
        """Return the id that the server knows the session by, where it is no other's."""
        if len(mcp_sessions) != 1 or mcp_sessions[0] in self.known_names:
            return None
        self.known_names.add(mcp_sessions[0])
        return mcp_sessions[0]


def _task(result: Element) -> str:
    name = result.get("taskName")
    if not isinstance(name, str) or not name.strip():
        raise BrokenElementError(".taskName", "a text was expected")
    return sound_text(name)


def _goal(task: str, difficulty: object) -> Goal:
    safe = safe_id(task)
    ref = f"task-{safe}" if safe == task else f"task-{safe}-{short_digest(task)}"
    more: dict[str, Any] = {}
    if isinstance(difficulty, str) and difficulty:
        more["difficulty"] = sound_text(difficulty)
    return Goal(
        journey_ref_id=ref,
        title=" ".join(task.split()),
        inferred={"title": "name of the task; its prompt is not in the file"},
        **more,
    )


def _whole(value: object) -> int | None:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and 0 <= value <= _MOST_RUNS else None  # type: ignore[operator, return-value]
