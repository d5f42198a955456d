"""Gathers the spans of a source: what they say, how they hang together, within bounds.

The spans of one conversation may stand in several traces and files, so all of them are read
before the first session is made. What is kept of a span is little: its place in its trace,
and, where it says something, what it says. A message is kept once, however many requests
repeat it, so that memory grows with what was said and not with what was recorded.
"""

import json
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from reporter.importers.otel.dialects import conversation_of, meaning_of
from reporter.importers.otel.meaning import (
    AgentRun,
    CallPart,
    Meaning,
    ModelCall,
    ResultPart,
    Spoken,
    SpokenPart,
    Told,
    ToolRun,
)
from reporter.importers.otel.read import error_type, went_wrong
from reporter.importers.otel.semconv import of_events, operation_unknown, with_details
from reporter.importers.otel.values import EventValue, LogValue, SpanValue

_EVALUATION: Final = "gen_ai.evaluation.result"

MOST_SPANS: Final = 2_000_000
"""Spans of a source that are kept; what is beyond is counted and left out."""

MOST_TEXT: Final = 512 * 1024 * 1024
"""Characters kept of all that was said in a source; each text counts once."""


@dataclass(slots=True)
class Node:
    """The place of a span in its trace."""

    parent_id: str | None
    start_ns: int | None


@dataclass(slots=True)
class Trace:
    """One trace, as far as it was gathered."""

    trace_id: str
    nodes: dict[str, Node] = field(default_factory=dict)
    told: dict[str, Told] = field(default_factory=dict)
    conversations: dict[str, str] = field(default_factory=dict)
    """Ids of conversations, by the span that names one."""
    logs: dict[str, list[EventValue]] = field(default_factory=dict)


@dataclass(slots=True)
class Gathering:
    """All spans of a source, as they come in."""

    most_spans: int = field(default_factory=lambda: MOST_SPANS)
    most_text: int = field(default_factory=lambda: MOST_TEXT)
    traces: dict[str, Trace] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    """What stands in the files and is of no known kind."""
    operations: Counter[str] = field(default_factory=Counter)
    """Operations that this version does not know."""
    _seen: set[tuple[str, str, str]] = field(default_factory=set)
    _kept: "_Kept | None" = None

    def add(self, item: SpanValue | LogValue, file: str) -> None:
        """Take in one span or log record."""
        trace = self.traces.get(item.trace_id)
        if trace is None:
            trace = self.traces.setdefault(item.trace_id, Trace(item.trace_id))
        if isinstance(item, LogValue):
            self.counts["log records"] += 1
            self.counts["evaluations"] += item.event.name == _EVALUATION
            trace.logs.setdefault(item.span_id, []).append(item.event)
            return
        self.counts["spans"] += 1
        if self.counts["spans"] > self.most_spans:
            self.counts["spans beyond the bound"] += 1
            return
        # A client and a server may share one id, so the kind tells them apart.
        key = (item.trace_id, item.span_id, item.kind)
        if key in self._seen:
            self.counts["repeated spans"] += 1
            return
        self._seen.add(key)
        self._span(trace, item, file)

    def finish(self) -> None:
        """Give the log records to the spans that they are about, once everything was added."""
        for trace in self.traces.values():
            for span_id, events in trace.logs.items():
                told = trace.told.get(span_id)
                if told is None:
                    self.counts["log records of spans that say nothing"] += len(events)
                else:
                    self._listen(told.meaning, events)
            trace.logs.clear()
        self._seen.clear()

    @property
    def refused(self) -> int:
        """Messages that were not kept, because too much had been said."""
        return self._texts.refused

    @property
    def kept_text(self) -> int:
        """Characters of everything that was said, each text once."""
        return self._texts.size

    @property
    def _texts(self) -> "_Kept":
        if self._kept is None:
            self._kept = _Kept(self.most_text)
        return self._kept

    def _span(self, trace: Trace, span: SpanValue, file: str) -> None:
        trace.nodes.setdefault(span.span_id, Node(span.parent_id, span.start_ns))
        conversation = conversation_of(span.attributes)
        if conversation is not None:
            trace.conversations.setdefault(span.span_id, conversation)
        self.counts["evaluations"] += sum(event.name == _EVALUATION for event in span.events)
        meaning = meaning_of(span)
        if meaning is None:
            self.counts["plumbing"] += 1
            operation = operation_unknown(span)
            if operation is not None:
                self.operations[operation] += 1
            return
        if isinstance(meaning, ModelCall) and span.dropped:
            meaning.tools_whole = False
        self._keep(meaning)
        trace.told.setdefault(
            span.span_id,
            Told(
                trace_id=span.trace_id,
                span_id=span.span_id,
                name=span.name,
                start_ns=span.start_ns,
                end_ns=span.end_ns,
                is_error=span.status == "error",
                is_ok=span.status == "ok",
                message=went_wrong(span) if span.status == "error" else None,
                error_type=error_type(span, with_details(span)),
                meaning=meaning,
                file=file,
                service=span.service,
                scope=span.scope,
            ),
        )

    def _listen(self, meaning: Meaning, events: Iterable[EventValue]) -> None:
        """Add what log records say to what the span itself says."""
        ordered = tuple(sorted(events, key=lambda event: event.at_ns or 0))
        if isinstance(meaning, ModelCall | AgentRun):
            details = SpanValue("", "", None, "", "internal", None, None, None, None, {}, ordered)
            inputs, outputs = of_events(ordered)
            told = _of_details(details)
            if meaning.inputs is None:
                meaning.inputs = inputs or (told.inputs if told else None)
            if meaning.outputs is None:
                meaning.outputs = outputs or (told.outputs if told else None)
            if isinstance(meaning, ModelCall):
                said = next((one.finish_reason for one in outputs or () if one.finish_reason), None)
                meaning.finish_reason = said or meaning.finish_reason
            self._keep(meaning)

    def _keep(self, meaning: Meaning) -> None:
        texts = self._texts
        if isinstance(meaning, ModelCall | AgentRun):
            meaning.inputs = texts.spoken(meaning.inputs)
            meaning.outputs = texts.spoken(meaning.outputs)
        if isinstance(meaning, ToolRun):
            size = len(_dumped(meaning.result))
            if not texts.has_room(size):
                meaning.result, meaning.has_result = None, False


def _of_details(span: SpanValue) -> ModelCall | None:
    held = with_details(span)
    if not held:
        return None
    meaning = meaning_of(replace(span, attributes=held, events=()))
    return meaning if isinstance(meaning, ModelCall) else None


def _dumped(value: object) -> str:
    try:
        return json.dumps(value, sort_keys=True, default=str, separators=(",", ":"))
    except (ValueError, RecursionError):
        return ""


@dataclass(slots=True)
class _Kept:
    """Messages that are kept once however often they were recorded, up to a bound."""

    most: int
    size: int = 0
    refused: int = 0
    _messages: dict[tuple[object, ...], Spoken] = field(default_factory=dict)

    def has_room(self, size: int) -> bool:
        # Once something is missing, what follows would read as if nothing were.
        if self.refused or self.size + size > self.most:
            self.refused += 1
            return False
        self.size += size
        return True

    def spoken(self, messages: tuple[Spoken, ...] | None) -> tuple[Spoken, ...] | None:
        kept: list[Spoken] = []
        # A message without content was not captured: only its role or its end was.
        for one in messages or ():
            if not one.parts:
                continue
            key = (one.role, one.finish_reason, *map(_key, one.parts))
            known = self._messages.get(key)
            if known is None:
                if not self.has_room(sum(map(_size, key))):
                    continue
                known = self._messages.setdefault(key, one)
            kept.append(known)
        return tuple(kept) or None


def _key(part: SpokenPart) -> Hashable:
    """Return what makes a part the same again; texts are no copies."""
    match part:
        case CallPart():
            return ("call", part.call_id, part.name, _text(part.arguments))
        case ResultPart():
            return ("result", part.call_id, part.name, part.is_error, _text(part.value))
        case _:
            return part


def _text(value: object) -> str:
    return value if isinstance(value, str) else _dumped(value)


def _size(key: object) -> int:
    if isinstance(key, tuple):
        return sum(map(_size, key))
    return len(key) if isinstance(key, str) else 0
