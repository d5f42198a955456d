"""The events of a sample: what messages cost, what calls came to, which tools there were."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from reporter.importers.conversation import Element
from reporter.importers.inspect_ai.log import from_pool
from reporter.importers.inspect_ai.texts import Texts
from reporter.importers.outcome import number_of
from reporter.importers.sound import sound_text
from reporter.models.records import Usage

# Spans and steps in which somebody else than the session's own agent works.
_ASIDE: Final = frozenset({"tool", "scorer", "scorers", "subtask", "handoff", "sentinel"})
_DEEPEST: Final = 20


@dataclass(slots=True)
class Step:
    """One answer of a model."""

    message: Element
    reason: str | None
    usage: Usage | None
    model: str | None
    at: int | None
    event: Element
    aside: bool
    """A grader's, a sub-agent's or another role's."""
    used: bool = False


@dataclass(slots=True)
class Done:
    """One call of a tool that came back."""

    content: Any
    error: Any
    at: int | None
    duration_ms: float | None
    truncated: bool
    aside: bool


@dataclass
class Trace:
    """What the events of one sample say, for its messages to find their own.

    Args:
        sample: The sample.
        texts: Its texts.
    """

    sample: Element
    texts: Texts
    steps: list[Step] = field(default_factory=list)
    tools: dict[str, Done] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    """What went wrong with calls of the model that gave no answer."""
    retries: int = 0
    """Calls of the model's provider that were made again."""
    modified: int = 0
    """Calls that an approver changed before they were made."""
    unknown: list[str] = field(default_factory=list)
    """Types of events that this version does not know."""
    _by_key: dict[tuple[str, Any], list[Step]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        events = self.sample.get("events")
        if not isinstance(events, list):
            # A log of the oldest version keeps its events and long texts in one place.
            transcript = self.sample.get("transcript")
            events = transcript.get("events") if isinstance(transcript, dict) else None
        self.has_events = isinstance(events, list) and bool(events)
        for event, aside in _flat(events if isinstance(events, list) else ()):
            self._take(event, aside)

    def step_of(self, message: Element) -> Step | None:
        """Return the answer of a model that a message is, each at most once."""
        for key in _keys(message, self.texts):
            for step in self._by_key.get(key, ()):
                if not step.used:
                    step.used = True
                    return step
        return None

    def last_conversation(self) -> list[Any] | None:
        """Return what the agent's model was last given and what it answered, or None.

        A sample that broke off may hold its first messages alone; what was said later then
        stands in the events.
        """
        for step in reversed(self.steps):
            if not step.aside:
                event = step.event
                given = event.get("input")
                if not given:
                    given = from_pool(event.get("input_refs"), self._pool())
                return [*(given if isinstance(given, list) else ()), step.message]
        return None

    def _pool(self) -> Sequence[Any]:
        data = self.sample.get("events_data")
        pool = data.get("messages") if isinstance(data, dict) else None
        return pool if isinstance(pool, list) else ()

    def _take(self, event: Element, aside: bool) -> None:
        kind = event.get("event")
        if kind == "model":
            self._model(event, aside or event.get("role") is not None)
        elif kind == "tool":
            self._tool(event, aside)
        elif kind == "approval":
            self.modified += event.get("decision") == "modify"
        elif not isinstance(kind, str) or kind not in _KNOWN:
            self.unknown.append(sound_text(kind) if isinstance(kind, str) else "none")

    def _model(self, event: Element, aside: bool) -> None:
        if event.get("pending") is True:
            return
        retries = event.get("retries")
        self.retries += retries if type(retries) is int else 0
        output = event.get("output")
        if isinstance(error := event.get("error"), str) and error:
            # What stands beside it as the answer is a placeholder.
            self.failed.append(error)
            return
        message = _first_choice(output).get("message")
        if not isinstance(output, dict) or not isinstance(message, dict):
            return
        step = Step(
            message=message,
            reason=reason_of(output),
            usage=usage_of(output.get("usage")),
            model=model_of(output, event),
            at=_completed(event, number_of(output.get("time"))),
            event=event,
            aside=aside,
        )
        self.steps.append(step)
        for key in _keys(message, self.texts):
            self._by_key.setdefault(key, []).append(step)

    def _tool(self, event: Element, aside: bool) -> None:
        own_id = event.get("id")
        if event.get("pending") is True or not isinstance(own_id, str):
            return
        seconds = number_of(event.get("working_time"))
        at = _completed(event, None) if event.get("completed") else None
        begun = moment(event.get("timestamp"))
        duration = None if seconds is None else 1000 * seconds
        if duration is None and at is not None and begun is not None:
            duration = float(at - begun)
        self.tools[own_id] = Done(
            content=event.get("result"),
            error=event.get("error"),
            at=at,
            duration_ms=duration if duration is not None and duration >= 0 else None,
            truncated=event.get("truncated") is not None,
            aside=aside,
        )


_KNOWN: Final = frozenset(
    {
        *("anchor", "branch", "checkpoint", "compaction", "error", "info", "input", "interrupt"),
        *("logger", "review", "sample_init", "sample_limit", "sandbox", "score", "score_edit"),
        *("sentinel", "span_begin", "span_end", "state", "step", "store", "subtask"),
    }
)


def reason_of(output: Element) -> str | None:
    """Return why a model stopped, as the log says it."""
    reason = _first_choice(output).get("stop_reason")
    return sound_text(reason) if isinstance(reason, str) else None


def model_of(output: Element, event: Element) -> str | None:
    """Return the model that answered, else the one that was asked."""
    for model in (output.get("model"), event.get("model")):
        if isinstance(model, str) and model:
            return sound_text(model)
    return None


def usage_of(usage: object) -> Usage | None:
    """Return the tokens of one answer, or None where none are recorded.

    What came from a cache is given apart, and belongs to what was read; the total shows
    whether it is counted among the input already, as in older logs.
    """
    if not isinstance(usage, dict):
        return None
    given, output = _tokens(usage, "input_tokens"), _tokens(usage, "output_tokens")
    total = _tokens(usage, "total_tokens")
    cached = sum(
        _tokens(usage, key) or 0 for key in ("input_tokens_cache_read", "input_tokens_cache_write")
    )
    if given is not None and cached and total == given + cached + (output or 0):
        given += cached
    return Usage(input_tokens=given, output_tokens=output, total_tokens=total)


def moment(written: object) -> int | None:
    """Return a written time in epoch milliseconds, or None: one without a zone is no moment."""
    if not isinstance(written, str):
        return None
    try:
        read = datetime.fromisoformat(written)
        return int(read.timestamp() * 1000) if read.tzinfo else None
    except (ValueError, OverflowError):
        return None


def _completed(event: Element, seconds: float | None) -> int | None:
    """Return when something was done: as recorded, else its begin and what it took."""
    done = moment(event.get("completed"))
    begun = moment(event.get("timestamp"))
    if done is not None or begun is None or seconds is None:
        return begun if done is None else done
    return begun + int(1000 * seconds) if 0 <= seconds < 1e9 else begun  # noqa: PLR2004  thirty years


def _keys(message: Element, texts: Texts) -> Iterator[tuple[str, Any]]:
    """Yield what a message may be found by, the surest first."""
    own_id = message.get("id")
    if isinstance(own_id, str) and own_id:
        yield "id", own_id
    calls = message.get("tool_calls")
    ids = tuple(
        call.get("id") for call in (calls if isinstance(calls, list) else ()) if _has_id(call)
    )
    yield ("calls", ids) if ids else ("text", texts.words(message.get("content")))


def _has_id(call: object) -> bool:
    return isinstance(call, dict) and isinstance(call.get("id"), str)


def _first_choice(output: object) -> Element:
    choices = output.get("choices") if isinstance(output, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else {}


def _tokens(usage: Mapping[str, Any], key: str) -> int | None:
    value = usage.get(key)
    return value if type(value) is int and value >= 0 else None


def _flat(
    events: Sequence[Any], aside: bool = False, depth: int = 0
) -> Iterator[tuple[Element, bool]]:
    """Yield all events, each with whether it belongs to somebody else than the agent.

    Newer logs nest by spans that name their parent, older ones by steps that begin and end,
    the oldest by lists inside events.
    """
    spans: dict[str, bool] = {}
    steps: list[bool] = []
    for event in events:
        if not isinstance(event, dict):
            continue
        kind = event.get("event")
        if kind == "span_begin" and isinstance(span := event.get("id"), str):
            spans[span] = spans.get(_text(event.get("parent_id")), aside) or _is_aside(event)
        elif kind == "step" and event.get("action") == "begin":
            steps.append(_is_aside(event))
        elif kind == "step" and steps:
            steps.pop()
        is_aside = spans.get(_text(event.get("span_id")), aside) or any(steps)
        yield event, is_aside
        inner = event.get("events")
        if isinstance(inner, list) and inner and depth < _DEEPEST:
            yield from _flat(inner, True, depth + 1)


def _is_aside(event: Element) -> bool:
    kind = event.get("type")
    return isinstance(kind, str) and kind in _ASIDE


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
