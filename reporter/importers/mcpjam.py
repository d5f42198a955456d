"""Imports a wave that was saved from the hosted MCPJam service, answer by answer."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from reporter.errors import Problem
from reporter.importers.described import Described, Gap
from reporter.importers.importer import ImportedItem, ImportedSession, SessionHead
from reporter.importers.jsontext import BrokenJsonError, read_json_text
from reporter.importers.losses import Losses, left_out
from reporter.importers.mapping import FileMapping, Stated
from reporter.importers.mcpjam_documents import Export, natural, read_export, unwrapped
from reporter.importers.mcpjam_plan import WavePlan, WavePlanner
from reporter.importers.mcpjam_published import published_of
from reporter.importers.mcpjam_session import SessionDocuments, SessionMaker
from reporter.importers.source import Look, SourceEntry

Json = Mapping[str, Any]

_DESCRIBED: Final = Described(
    title="MCPJam exports",
    files="a folder of saved answers of the service, told by their content; both spellings "
    "(`journeyId`/`goalId`, `waveId`/`swarmRunId`)",
    persona="`persona` of the run, with the durable id of its session rows",
    goal="`name` and `goal` of the goal as it is now (inferred)",
    target="`targets[]` of the run; an environment where one of that id is saved (inferred)",
    session="`attempts[]` of the run, joined by `chatSessionId`",
    turn="`promptIndex` of the spans, else a message of role `user`, up to the next",
    call="`tool-call` parts of the messages",
    result="`tool-result` parts, with what the tool span adds",
    error="error outputs, `status` or `mcpErrorCode` of the tool span",
    stop_reason="`finishReason` of the model spans; why the session ended is not exported",
    outcome="`criteria`, `goalScore`; the published `verdict` where roles are not exported",
    usage="model spans, a step each; the turn's rest (inferred), else the session's sum",
    time="`startedAt` and `endedAt` of session and turns",
    catalog=None,
    connection=None,
    gaps=(
        Gap("no tool catalog as of the wave", "toolCatalogMissing"),
        Gap("no connection or discovery outcomes", "notMeasured"),
        Gap("no transcript in older services", "transcriptMissing"),
        Gap("no finish reasons without a trace", "outputTruncated"),
        Gap("no turn limit where the goal is gone", "turnCapReached"),
        Gap("no end reason, no persona's own account", "notMeasured"),
    ),
)


@dataclass(frozen=True, slots=True)
class McpJam:
    """A folder with one file an answer; a wave is put together from them."""

    name: str = "mcpjam-export"
    version: int = 1
    looks_for: str = (
        "saved answers of MCPJam: a goal run with targets and attempts, its session lists, "
        "transcripts and traces"
    )
    described: Described = _DESCRIBED
    copies: frozenset[str] = frozenset({"otel-genai"})

    def claims(self, look: Look) -> bool:
        """Tell whether the file is an answer that only this service gives."""
        outline = look.outline
        if outline.kind != "object":
            return False
        if outline.string("format") == "mcpjam-export":
            return True
        return any(_is_run(look, prefix) for prefix in ("", "run.", "items[].")) or any(
            outline.has(*keys) for keys in _ONLY_HERE
        )

    def adopts(self, look: Look) -> bool:
        """Tell whether a file beside such answers may be another one; its keys decide later."""
        return look.outline.kind == "object"

    def bundles(self, files: Sequence[SourceEntry]) -> list[tuple[SourceEntry, ...]]:
        """Read everything together: one answer names what another holds."""
        return [tuple(files)]

    def sessions(
        self, bundle: Sequence[SourceEntry], mapping: FileMapping
    ) -> Iterator[ImportedItem]:
        """Read every file, then yield the wave's own plan and its sessions one by one."""
        export = Export()
        yield from read_export(bundle, export)
        losses = Losses("export")
        planner = WavePlanner(export, mapping.wave, losses)
        plan = planner.plan()
        if plan is None:
            yield from planner.problems
            yield from losses.lost()
            return
        problems = planner.problems
        published = published_of(export, plan, losses, problems)
        yield plan.manifest.model_copy(update={"published": published})
        yield from problems
        if mapping.rules or mapping.everywhere != Stated():
            reason = "the export names personas and targets itself, so the mapping is not used"
            yield left_out("export", "mapping", reason)
        first = min(file.name for file in bundle)
        yield from _sessions(export, plan, losses, first)
        _count_homeless(export, plan, losses)
        yield from losses.lost()


# Beside a goal run: a trace, a list of sessions, the insights of a wave, an overview.
_ONLY_HERE: Final = (
    ("traceVersion", "turns[].promptIndex"),
    ("traceVersion", "turnCount", "sessionId"),
    ("items[].chatSessionId", "items[].journeyId"),
    ("items[].chatSessionId", "items[].goalId"),
    ("discovery", "insights", "waveId"),
    ("discovery", "insights", "swarmRunId"),
    ("insights.discovery", "insights.insights"),
    ("runs[].runId", "runs[].journeyId", "runs[].summary.total"),
    ("runs[].runId", "runs[].goalId", "runs[].summary.total"),
    ("overview.runs[].runId", "overview.runs[].summary.total"),
)


def _is_run(look: Look, prefix: str) -> bool:
    outline = look.outline
    if not (outline.has(f"{prefix}journeyId") or outline.has(f"{prefix}goalId")):
        # The insights stand before it in an answer whose keys are sorted.
        return outline.has(f"{prefix}attempts[].chatSessionId", f"{prefix}attempts[].sessionIndex")
    return outline.has(f"{prefix}targets[].hostId") or outline.has(
        f"{prefix}attempts[].sessionIndex"
    )


def _sessions(export: Export, plan: WavePlan, losses: Losses, first: str) -> Iterator[ImportedItem]:
    feed = {str(one.get("id")): one for _, one in export.rows("feed")}
    for own, context in plan.contexts.items():
        document = context.slot.document_id or ""
        documents = SessionDocuments(
            row=plan.rows.get(own, {}),
            feed=feed.get(document, {}),
            by_published=plan.gradings[context.slot.run_id].by_published,
        )
        problems: list[Problem] = []
        documents.details = list(_pages(export.details.get(document, ()), problems))
        documents.traces = list(_pages(export.traces.get(document, ()), problems))
        maker = SessionMaker(context, documents, losses)
        records = maker.make()
        if not records:
            continue
        head = SessionHead(
            session_id=own,
            file=_file(export, document, context.slot.run_id) or first,
            persona=context.persona,
            goal=context.goal,
            target=context.target,
            rubric=tuple(context.run.rubric),
            attempt=context.slot.attempt,
            planned=context,
        )
        problem = maker.problem
        if problem is None and problems:
            problem = replace(problems[0], session_id=own)
        yield ImportedSession(head, records, problem)


def _pages(entries: Sequence[SourceEntry], problems: list[Problem]) -> Iterator[tuple[str, Json]]:
    """Read the pages of one document again; it was seen before that each is one."""
    for entry in sorted(entries, key=lambda file: natural(file.name)):
        try:
            whole = read_json_text(entry).value()
        except (BrokenJsonError, OSError) as error:
            what = f"The file changed while it was read: {error}."
            problems.append(Problem(entry.name, "", what, "", "source-session-unreadable"))
            return
        if isinstance(whole, Mapping):
            yield entry.name, unwrapped(whole)


def _file(export: Export, document: str, run_id: str) -> str | None:
    """Return the file that says most of a session: its transcript, its row, its run."""
    details = export.details.get(document, ())
    if details:
        return details[0].name
    runs = [one.file for one in export.of("run") if one.body.get("id") == run_id]
    lists = [file for file, one in export.rows("sessions") if one.get("id") == document]
    return next(iter([*lists, *runs]), None)


def _count_homeless(export: Export, plan: WavePlan, losses: Losses) -> None:
    """Count transcripts and traces of sessions that the wave does not hold."""
    known = set(plan.documents.values())
    for what, files in (("transcripts", export.details), ("traces", export.traces)):
        for document, entries in files.items():
            if document not in known:
                losses.add("unmatched", entries[0].name, f"{what} of sessions that no run lists")
