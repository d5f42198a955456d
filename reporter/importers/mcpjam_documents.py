"""What the files of an MCPJam export are, told by their content and put in page order."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from reporter.errors import Problem
from reporter.importers.conversation import Element
from reporter.importers.jsontext import BrokenJsonError, read_json_text
from reporter.importers.losses import left_out, lost_rest
from reporter.importers.sound import sound_text
from reporter.importers.source import SourceEntry
from reporter.models.manifest import Lost, SourceFile
from reporter.models.value import value

Json = Mapping[str, Any]

_WRAPPED: Final = ("run", "items", "journey", "goal", "swarm", "overview", "scorecard", "insights")
_COUNTED: Final = ("user", "assistant", "tool")
_NUMBER: Final = re.compile(r"(\d+)")
_PAGE: Final = re.compile(r"\.(\d+)\.json\Z")
NOT_THERE: Final = "NOT_FOUND"
"""The code of an answer that means: asked for, and there is none."""


@value(frozen=True, slots=True)
class Document:
    """One saved answer of the service."""

    kind: str
    file: str
    body: Json


@dataclass
class Export:
    """The documents of an export, by kind; long ones are only pointed at."""

    documents: dict[str, list[Document]] = field(default_factory=dict)
    items: dict[str, list[tuple[str, Json]]] = field(default_factory=dict)
    """Rows of pages by kind, each with its file."""
    details: dict[str, list[SourceEntry]] = field(default_factory=dict)
    """Files of a session's transcript, by the session's document id, in page order."""
    traces: dict[str, list[SourceEntry]] = field(default_factory=dict)
    not_there: list[str] = field(default_factory=list)
    """Files that say: asked for, and there is none."""
    chats: dict[str, str] = field(default_factory=dict)
    """Document ids by the id that attempts use, as far as transcripts say them."""
    loaded: Counter[str] = field(default_factory=Counter)
    """Messages that count, by the document id of their session."""
    unreadable: set[str] = field(default_factory=set)
    """Document ids of sessions whose transcript the service could not read."""

    def of(self, kind: str) -> Sequence[Document]:
        """Return the documents of a kind, in the order of their files."""
        return self.documents.get(kind, ())

    def envelopes(self) -> Iterator[Json]:
        """Yield every insights envelope, of runs and of its own."""
        for one in self.of("run"):
            if isinstance(one.body.get("insights"), Mapping):
                yield one.body["insights"]
        for one in self.of("envelope"):
            yield one.body

    def rows(self, kind: str) -> Sequence[tuple[str, Json]]:
        """Return the rows of all pages of a kind."""
        return self.items.get(kind, ())


def natural(name: str) -> tuple[Any, ...]:
    """Return what sorts names with numbers in them by these numbers."""
    return tuple(int(part) if part.isdigit() else part for part in _NUMBER.split(name))


def unwrapped(body: Json) -> Json:
    """Return the service's own answer where the command line printed it beside its project.

    Rule: import-mcpjam.md section 2.2.
    """
    inside = [key for key in _WRAPPED if key in body]
    if "project" not in body or len(inside) != 1:
        return body
    inner = body[inside[0]]
    if inside == ["items"]:
        return {key: body[key] for key in ("items", "nextCursor") if key in body}
    return inner if isinstance(inner, Mapping) else body


def kind_of(body: Json, name: str) -> str:
    """Tell what an answer is; `unknown` for one that fits no test, in the order of the tests.

    Rule: import-mcpjam.md section 3.
    """
    for kind, test in _TESTS:
        if test(body):
            return kind
    if isinstance(body.get("items"), list):
        return _page_kind(body["items"], name)
    return "otlp" if "resourceSpans" in body else "unknown"


def _has(*keys: str) -> Any:  # noqa: ANN401  a test
    return lambda body: all(key in body for key in keys)


def _is_error(body: Json) -> bool:
    inner = body.get("error")
    if isinstance(inner, Mapping) and len(body) == 1:
        body = inner
    is_said = isinstance(body.get("code"), str) and isinstance(body.get("message"), str)
    return is_said and "id" not in body and "items" not in body


def _is_run(body: Json) -> bool:
    summary = body.get("summary")
    is_counted = isinstance(summary, Mapping) and "total" in summary
    is_goal = "journeyId" in body or "goalId" in body
    return ("attempts" in body or is_counted) and is_goal and "targets" in body


def _is_envelope(body: Json) -> bool:
    scope = body.get("scope")
    return "schemaVersion" in body and isinstance(scope, Mapping) and "kind" in scope


def _is_swarm(body: Json) -> bool:
    counted = "sessionsPerTarget" in body or "iterations" in body
    return "environmentIds" in body and counted and "goal" not in body and "items" not in body


_TESTS: Final = (
    ("export", lambda body: body.get("format") == "mcpjam-export"),
    ("error", _is_error),
    ("trace", _has("traceVersion", "turns")),
    ("detail", _has("sessionId", "messages")),
    ("run", _is_run),
    ("scorecard", _has("runId", "criteria", "sessionsGraded")),
    (
        "waveInsights",
        lambda body: (
            ("waveId" in body or "swarmRunId" in body)
            and "insights" in body
            and "discovery" in body
        ),
    ),
    ("envelope", _is_envelope),
    ("findings", _has("contractVersion", "findings", "population", "summaryKind")),
    ("overview", _has("runs", "runsConsidered")),
    ("swarm", _is_swarm),
    ("goal", _has("id", "goal", "maxTurns", "name")),
)

_ROWS: Final = (
    ("trackedFindings", ("fingerprint",)),
    ("feed", ("sourceType",)),
    ("sessions", ("chatSessionId",)),
    ("runs", ("summary",)),
    ("goals", ("goal",)),
    ("personas", ("slug",)),
    ("environments", ("hostId", "revision")),
    ("hosts", ("hostConfigId",)),
)
# An empty page takes its kind from the name that the recipe gives it.
_NAMES: Final = (
    ("tracked-findings", "trackedFindings"),
    ("sessions-feed", "feed"),
    ("sessions", "sessions"),
    ("journey-runs", "runs"),
    ("goal-runs", "runs"),
    ("journeys", "goals"),
    ("goals", "goals"),
    ("personas", "personas"),
    ("environments", "environments"),
    ("hosts", "hosts"),
)


def _page_kind(items: Sequence[object], name: str) -> str:
    if not items:
        last = name.rsplit("/", 1)[-1]
        return next((kind for start, kind in _NAMES if last.startswith(start)), "unknown")
    first = items[0] if isinstance(items[0], Mapping) else {}
    return next((kind for kind, keys in _ROWS if all(key in first for key in keys)), "unknown")


Found = SourceFile | Lost | Problem


def read_export(files: Sequence[SourceEntry], export: Export) -> Iterator[Found]:
    """Read every file once: what it is, and what of it is kept."""
    pages: dict[tuple[str, str], list[tuple[int | None, str, bool]]] = {}
    for entry in sorted(files, key=lambda file: natural(file.name)):
        text = read_json_text(entry)
        yield text.file
        try:
            whole = text.value()
        except BrokenJsonError as error:
            yield from lost_rest(entry.name, error)
            continue
        if not isinstance(whole, dict):
            yield left_out(entry.name, "", "no document of this service", "unknownType")
            continue
        body = unwrapped(whole)
        kind = kind_of(body, entry.name)
        if isinstance(body.get("items"), list):
            number = _PAGE.search(entry.name)
            stem = _PAGE.sub("", entry.name)
            at = None if number is None else int(number[1])
            pages.setdefault((kind, stem), []).append(
                (at, entry.name, bool(body.get("nextCursor")))
            )
        yield from _take(kind, entry, body, export)
    for found in pages.values():
        said = _incomplete(found)
        if said is not None:
            yield Problem(
                file=found[-1][1],
                place="nextCursor",
                what=said,
                remedy="Save the remaining pages beside it.",
                rule="source-page-missing",
            )
            yield left_out(found[-1][1], "nextCursor", "pages that were not saved", "unreadable")


def _incomplete(pages: Sequence[tuple[int | None, str, bool]]) -> str | None:
    ordered = sorted(pages, key=lambda page: page[0] or 0)
    if ordered[-1][2]:
        return "The last page saved says that more pages follow."
    numbers = [at for at, _, _ in ordered if at is not None]
    if numbers and numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return "A page between the saved ones is missing."
    return None


def _take(kind: str, entry: SourceEntry, body: Json, export: Export) -> Iterator[Found]:
    match kind:
        case "unknown":
            yield left_out(
                entry.name, "", "no document of this service is known by its keys", "unknownType"
            )
        case "otlp":
            reason = "traces in the form of OpenTelemetry are not needed beside the service's own"
            yield left_out(entry.name, "resourceSpans", reason)
        case "error":
            yield from _error(entry, body, export)
        case "detail" | "trace":
            own = body.get("sessionId")
            if not isinstance(own, str):
                yield left_out(
                    entry.name, "sessionId", "a document that names no session", "unreadable"
                )
                return
            known = export.details if kind == "detail" else export.traces
            known.setdefault(own, []).append(entry)
            if kind == "detail":
                if isinstance(body.get("chatSessionId"), str):
                    export.chats.setdefault(body["chatSessionId"], own)
                told = [one for one in _messages(body) if one.get("role") in _COUNTED]
                export.loaded[own] += len(told)
                if body.get("transcriptUnavailable") is True:
                    export.unreadable.add(own)
        case _:
            if isinstance(body.get("items"), list):
                rows = export.items.setdefault(kind, [])
                rows.extend((entry.name, one) for one in body["items"] if isinstance(one, dict))
                return
            export.documents.setdefault(kind, []).append(Document(kind, entry.name, body))


def _messages(body: Json) -> list[Json]:
    said = body.get("messages")
    return [one for one in said if isinstance(one, dict)] if isinstance(said, list) else []


def _error(entry: SourceEntry, body: Json, export: Export) -> Iterator[Found]:
    """Take a saved refusal: nothing there, or nothing that could be read.

    Rule: import-mcpjam.md section 2.4.
    """
    inner = body.get("error")
    said = inner if isinstance(inner, Mapping) else body
    code, message = sound_text(str(said.get("code"))), sound_text(str(said.get("message")))
    if code == NOT_THERE:
        export.not_there.append(entry.name)
        return
    yield Problem(
        file=entry.name,
        place="code",
        what=f"The service answered {code} where a document was expected: {message[:300]}.",
        remedy="Save it again.",
        rule="source-unreadable",
    )
    yield left_out(entry.name, "code", f"an answer with the code {code}", "unreadable")


def spelled(body: Element, *names: str) -> Any:  # noqa: ANN401  any JSON value
    """Return the first value that stands under one of two spellings, or None.

    Rule: import-mcpjam.md section 2: an object has one spelling.
    """
    return next((body[name] for name in names if body.get(name) is not None), None)
