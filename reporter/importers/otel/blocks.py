"""The shapes in which trace files hold spans: who wrote them, with which instrumentation."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from reporter.importers.otel.values import (
    EventValue,
    LogValue,
    SpanKind,
    SpanValue,
    Status,
    TooDeepError,
    attributes_of,
    identifier,
    nanoseconds,
    span_kind,
    status_of,
    unwrapped,
)
from reporter.importers.sound import sound_text

_TRACE_DIGITS: Final = 32
_SPAN_DIGITS: Final = 16
_NS_A_US: Final = 1_000
_SPANS: Final = ("resourceSpans", "resource_spans", "batches")
_LOGS: Final = ("resourceLogs", "resource_logs")
_SCOPES: Final = (
    "scopeSpans",
    "scope_spans",
    "instrumentationLibrarySpans",
    "instrumentation_library_spans",
    "ilSpans",
    "scopeLogs",
    "scope_logs",
)
_HOLDERS: Final = ("trace", "traces", "result", "data")
_EVENT_NAME: Final = ("event.name", "event_name")


def first(mapping: Mapping[str, Any], *names: str) -> Any:  # noqa: ANN401  any JSON value
    """Return the value of the first of these names that is there, or None."""
    for name in names:
        if mapping.get(name) is not None:
            return mapping[name]
    return None


def text_of(value: object) -> str | None:
    """Return a text that says something, or None."""
    return sound_text(value) if isinstance(value, str) and value.strip() else None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


class Container:
    """Finds the spans of a parsed document, whichever of the containers it is."""

    def __init__(self, unknown: Counter[str]) -> None:
        self._unknown = unknown

    def items(self, value: object, levels: int = 5) -> Iterator[SpanValue | LogValue]:
        """Yield the spans and log records of a document."""
        if levels == 0:
            return
        if isinstance(value, list):
            for item in value:
                yield from self.items(item, levels - 1)
        elif isinstance(value, dict):
            yield from self._object(value, levels)
        else:
            self._unknown["values that are no objects"] += 1

    def _object(self, value: Mapping[str, Any], levels: int) -> Iterator[SpanValue | LogValue]:
        if "spans" in value and ("processes" in value or "traceID" in value):
            trace = JaegerTrace(_mapping(value.get("processes")), list(_list(value["spans"])))
            yield from trace.spans(self._unknown)
            return
        if "context" in value and "name" in value:
            yield from console_span(value, self._unknown)
            return
        known = False
        for name in (*_SPANS, *_LOGS):
            if name in value:
                known = True
                for block in _list(value[name]):
                    yield from self._block(_mapping(block))
        for name in _HOLDERS:
            if isinstance(value.get(name), dict | list):
                known = True
                yield from self.items(value[name], levels - 1)
        if not known:
            self._unknown["documents of no known kind"] += 1

    def _block(self, value: Mapping[str, Any]) -> Iterator[SpanValue | LogValue]:
        block = block_of(_mapping(value.get("resource")))
        for name in _SCOPES:
            for held in _list(value.get(name)):
                scoped = _mapping(held)
                named = _mapping(
                    first(scoped, "scope", "instrumentationLibrary", "instrumentation_library")
                )
                inside = block.with_scope(named)
                for span in _list(scoped.get("spans")):
                    yield from inside.span(span, self._unknown)
                for record in _list(first(scoped, "logRecords", "log_records", "logs")):
                    yield from inside.log(record, self._unknown)


@dataclass(frozen=True, slots=True)
class Block:
    """Spans in OTLP's form that one service wrote with one instrumentation."""

    service: str | None = None
    scope: str | None = None

    def with_scope(self, value: Mapping[str, Any]) -> "Block":
        """Return the same service with another instrumentation."""
        return replace(self, scope=text_of(value.get("name")))

    def span(self, value: object, unknown: Counter[str]) -> Iterator[SpanValue]:
        """Yield the span, or count a value that is none."""
        span = _mapping(value)
        trace_id = identifier(first(span, "traceId", "trace_id", "traceID"), _TRACE_DIGITS)
        span_id = identifier(first(span, "spanId", "span_id", "spanID"), _SPAN_DIGITS)
        if trace_id is None or span_id is None:
            unknown["spans without ids"] += 1
            return
        status = _mapping(span.get("status"))
        dropped = first(span, "droppedAttributesCount", "dropped_attributes_count")
        yield SpanValue(
            trace_id=trace_id,
            span_id=span_id,
            parent_id=identifier(
                first(span, "parentSpanId", "parent_span_id", "parentSpanID"), _SPAN_DIGITS
            ),
            name=text_of(span.get("name")) or "",
            kind=span_kind(span.get("kind")),
            start_ns=nanoseconds(first(span, "startTimeUnixNano", "start_time_unix_nano")),
            end_ns=nanoseconds(first(span, "endTimeUnixNano", "end_time_unix_nano")),
            status=status_of(status.get("code")),
            status_message=text_of(status.get("message")),
            attributes=attributes_of(span.get("attributes")),
            events=tuple(_events(span.get("events"))),
            service=self.service,
            scope=self.scope,
            dropped=bool(dropped),
        )

    def log(self, value: object, unknown: Counter[str]) -> Iterator[LogValue]:
        """Yield the log record where it is the event of a span."""
        record = _mapping(value)
        trace_id = identifier(first(record, "traceId", "trace_id"), _TRACE_DIGITS)
        span_id = identifier(first(record, "spanId", "span_id"), _SPAN_DIGITS)
        attributes = attributes_of(record.get("attributes"))
        name = first(record, "eventName", "event_name") or first(attributes, *_EVENT_NAME)
        if trace_id is None or span_id is None or not isinstance(name, str):
            unknown["log records of no span"] += 1
            return
        try:
            body = unwrapped(record.get("body"))
        except TooDeepError:
            body = None
        if isinstance(body, dict):
            attributes = {**body, **attributes}
        elif isinstance(body, str):
            attributes.setdefault("body", body)
        at = first(record, "timeUnixNano", "time_unix_nano", "observedTimeUnixNano")
        event = EventValue(sound_text(name), nanoseconds(at), attributes)
        yield LogValue(trace_id, span_id, event)


def block_of(resource: Mapping[str, Any]) -> Block:
    """Return who wrote the spans of a block, from its resource."""
    attributes = attributes_of(resource.get("attributes"))
    return Block(service=text_of(attributes.get("service.name")))


def _events(value: object) -> Iterator[EventValue]:
    for item in _list(value):
        event = _mapping(item)
        at = first(event, "timeUnixNano", "time_unix_nano", "timestamp")
        yield EventValue(
            text_of(event.get("name")) or "",
            nanoseconds(at),
            attributes_of(event.get("attributes")),
        )


@dataclass(slots=True)
class JaegerTrace:
    """One trace in Jaeger's form: its spans name their services by a key."""

    processes: Mapping[str, Any] = field(default_factory=dict)
    raw: list[Any] = field(default_factory=list)

    def spans(self, unknown: Counter[str]) -> Iterator[SpanValue]:
        """Yield the spans of the trace."""
        for value in self.raw:
            yield from self._span(_mapping(value), unknown)

    def _span(self, span: Mapping[str, Any], unknown: Counter[str]) -> Iterator[SpanValue]:
        trace_id = identifier(span.get("traceID"), _TRACE_DIGITS)
        span_id = identifier(span.get("spanID"), _SPAN_DIGITS)
        if trace_id is None or span_id is None:
            unknown["spans without ids"] += 1
            return
        tags = attributes_of(span.get("tags"))
        start = nanoseconds(span.get("startTime"), _NS_A_US)
        duration = nanoseconds(span.get("duration"), _NS_A_US) or 0
        process = _mapping(span.get("process")) or _mapping(
            self.processes.get(str(span.get("processID")))
        )
        yield SpanValue(
            trace_id=trace_id,
            span_id=span_id,
            parent_id=_jaeger_parent(span, trace_id),
            name=text_of(span.get("operationName")) or "",
            kind=_tag_kind(tags),
            start_ns=start,
            end_ns=None if start is None else start + duration,
            status=_tag_status(tags),
            status_message=text_of(tags.get("otel.status_description")),
            attributes=tags,
            events=tuple(_jaeger_logs(span.get("logs"))),
            service=text_of(process.get("serviceName")),
            scope=text_of(first(tags, "otel.scope.name", "otel.library.name")),
        )


def _jaeger_parent(span: Mapping[str, Any], trace_id: str) -> str | None:
    """Return the span that this one is a child of, else the one that it follows."""
    follows: str | None = None
    for item in _list(span.get("references")):
        reference = _mapping(item)
        other = identifier(reference.get("traceID"), _TRACE_DIGITS)
        if other not in (None, trace_id):
            continue
        parent = identifier(reference.get("spanID"), _SPAN_DIGITS)
        if reference.get("refType") != "FOLLOWS_FROM":
            return parent
        follows = follows or parent
    return follows or identifier(span.get("parentSpanID"), _SPAN_DIGITS)


def _tag_kind(tags: Mapping[str, Any]) -> SpanKind:
    return span_kind(tags.get("span.kind"))


def _tag_status(tags: Mapping[str, Any]) -> Status | None:
    if tags.get("error") in (True, "true"):
        return "error"
    return status_of(tags.get("otel.status_code"))


def _jaeger_logs(value: object) -> Iterator[EventValue]:
    for item in _list(value):
        log = _mapping(item)
        fields = attributes_of(log.get("fields"))
        name = first(fields, "event", "name", "message")
        yield EventValue(
            name if isinstance(name, str) else "",
            nanoseconds(log.get("timestamp"), _NS_A_US),
            fields,
        )


def console_span(value: Mapping[str, Any], unknown: Counter[str]) -> Iterator[SpanValue]:
    """Yield a span as the Python SDK's console exporter prints it."""
    context = _mapping(value.get("context"))
    trace_id = identifier(context.get("trace_id"), _TRACE_DIGITS)
    span_id = identifier(context.get("span_id"), _SPAN_DIGITS)
    if trace_id is None or span_id is None:
        unknown["spans without ids"] += 1
        return
    status = _mapping(value.get("status"))
    resource = attributes_of(_mapping(value.get("resource")).get("attributes"))
    yield SpanValue(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=identifier(value.get("parent_id"), _SPAN_DIGITS),
        name=text_of(value.get("name")) or "",
        kind=span_kind(value.get("kind")),
        start_ns=nanoseconds(value.get("start_time")),
        end_ns=nanoseconds(value.get("end_time")),
        status=status_of(status.get("status_code")),
        status_message=text_of(status.get("description")),
        attributes=attributes_of(value.get("attributes")),
        events=tuple(_events(value.get("events"))),
        service=text_of(resource.get("service.name")),
    )
