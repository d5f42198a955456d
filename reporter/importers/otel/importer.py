"""Imports OpenTelemetry traces of agents: OTLP, Jaeger and Tempo JSON, in the usual dialects."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from reporter.importers.described import Described, Gap
from reporter.importers.importer import ImportedItem
from reporter.importers.losses import left_out
from reporter.importers.mapping import FileMapping
from reporter.importers.otel.containers import read_spans
from reporter.importers.otel.gather import Gathering
from reporter.importers.otel.left_out import losses_of
from reporter.importers.otel.sessions import Assembly
from reporter.importers.otel.values import LogValue, SpanValue
from reporter.importers.outline import Outline
from reporter.importers.source import Look, SourceEntry, digest_of, look_at

_SHOWN: Final = 5

_DESCRIBED: Final = Described(
    title="OpenTelemetry GenAI traces",
    files=(
        "OTLP JSON (one request, or one a line), Jaeger JSON, Tempo JSON, console spans; GenAI "
        "and MCP conventions, OpenInference, OpenLLMetry, Google ADK, Vercel AI SDK"
    ),
    persona=None,
    goal="the first text of the user (inferred)",
    target="`gen_ai.agent.name`, else `service.name`, with `gen_ai.request.model`",
    session="`gen_ai.conversation.id` or `session.id`, else the trace",
    turn="a trace; in one trace, what the user says behind an answer",
    call="`execute_tool` and `tools/call` spans and the calls in messages, joined by id",
    result="`gen_ai.tool.call.result` and its likes, else the message that answers the call",
    error=(
        "`isError` of the result, the span's status, `error.type`, `rpc.response.status_code`; "
        "that a span ended without any of them counts as no error"
    ),
    stop_reason="`finish_reason` of the span nearest to the model",
    outcome=None,
    usage="`gen_ai.usage.*` of the span nearest to the model, once a request",
    time="start and end of the spans",
    catalog="tools that the requests offer the model (`gen_ai.tool.definitions` and its likes)",
    connection="`initialize`, `tools/list` spans; else answered HTTP requests to `/mcp` (inferred)",
    gaps=(
        Gap("no persona; `--map` or `--persona` gives one", "notMeasured"),
        Gap("no outcome", "notMeasured"),
        Gap("often no texts: recorders keep none by default", "transcriptMissing"),
        Gap("often no tool definitions", "toolCatalogMissing"),
        Gap("sampled traces are not there", "notMeasured"),
    ),
)


@dataclass(frozen=True, slots=True)
class OtelGenAi:
    """Traces in which agents, models and tools left spans; one conversation is a session."""

    name: str = "otel-genai"
    version: int = 1
    looks_for: str = (
        "a JSON object, or one a line, with resourceSpans (OTLP, Tempo), batches of them (Tempo) "
        "or data[].spans (Jaeger)"
    )
    described: Described = _DESCRIBED

    def claims(self, look: Look) -> bool:
        """Tell whether the file has the shape of a container of spans, or of its answer keys."""
        outline = look.outline
        return _holds_spans(outline) or _is_eval_set(outline)

    def bundles(self, files: Sequence[SourceEntry]) -> list[tuple[SourceEntry, ...]]:
        """Read all files together: a conversation may be spread over any of them."""
        return [tuple(files)] if files else []

    def sessions(
        self, bundle: Sequence[SourceEntry], mapping: FileMapping
    ) -> Iterator[ImportedItem]:
        """Read every file, then make the sessions out of all their spans together."""
        gathering = Gathering()
        spans: list[SourceEntry] = []
        for entry in bundle:
            if _is_eval_set(look_at(entry).outline):
                yield digest_of(entry)
                yield left_out(
                    entry.name,
                    "eval_cases",
                    "golden cases say what should happen, not what happened",
                )
                continue
            spans.append(entry)
            for item in read_spans(entry, gathering.unknown):
                if isinstance(item, SpanValue | LogValue):
                    gathering.add(item, entry.name)
                else:
                    yield item
        gathering.finish()
        assembly = Assembly(gathering, mapping)
        yield from assembly.sessions()
        yield from losses_of(_named(spans), gathering, assembly)


_KEYS: Final = ("resourceSpans", "resource_spans", "resourceLogs", "resource_logs")
_AROUND: Final = ("", "[].", "trace.", "result.", "data.", "traces[].")
_IN_BATCHES: Final = (
    "resource",
    "scopeSpans",
    "scope_spans",
    "instrumentationLibrarySpans",
    "instrumentation_library_spans",
)
_JAEGER: Final = (
    ("data[].traceID", "data[].spans"),
    ("data[].spans", "data[].processes"),
    ("traceID", "spans", "processes"),
    ("traceID", "spans[].spanID"),
    ("[].traceID", "[].spans"),
)
_CONSOLE: Final = (
    ("name", "context.trace_id", "context.span_id"),
    ("[].name", "[].context.trace_id", "[].context.span_id"),
)


def _holds_spans(outline: Outline) -> bool:
    if any(outline.has(f"{around}{key}") for around in _AROUND for key in _KEYS):
        return True
    if any(
        outline.has(f"{around}batches[].{key}") for around in ("", "trace.") for key in _IN_BATCHES
    ):
        return True
    return any(outline.has(*keys) for keys in (*_JAEGER, *_CONSOLE))


def _is_eval_set(outline: Outline) -> bool:
    return outline.kind == "object" and outline.has("eval_set_id", "eval_cases")


def _named(files: Sequence[SourceEntry]) -> str:
    shown = ", ".join(file.name for file in files[:_SHOWN])
    return shown if len(files) <= _SHOWN else f"{shown} and {len(files) - _SHOWN} more"
