"""Calls with their results, in the form that patterns are looked for in."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from reporter.canonical import canonical_json
from reporter.derive.friction_signals.identifiers import candidates, candidates_of_text
from reporter.derive.friction_signals.limits import CANDIDATES
from reporter.models.once import once
from reporter.vocabulary import FrictionOrdering

PAGINATION_KEYS: Final = (
    "cursor",
    "nextCursor",
    "page",
    "pageToken",
    "offset",
    "after",
    "before",
    "start",
    "limit",
)
"""Arguments that only ask for another page, in contract order."""

_PAGES: Final = frozenset(PAGINATION_KEYS)


class Call:
    """One call of a session.

    Args:
        index: Its position among the session's calls.
        name: The tool's name; empty where none is known.
        call_id: Its own id, or None.
        arguments: As recorded; None where there are none.
        raw: What was recorded as its result; ignored unless `has_result`.
        has_result: Whether a result was recorded at all.
        started: When it began, in epoch milliseconds, or None.
        settled: When its result was there, or None.
        places: Where the records of the call and of its result stand among all records of
            the session, or None where records have no order.

    Rule: friction.md section 2.
    """

    def __init__(  # noqa: PLR0913  the fields of one row
        self,
        index: int,
        name: str,
        call_id: str | None,
        arguments: Any,  # noqa: ANN401  any JSON value
        *,
        raw: Any = None,  # noqa: ANN401  any JSON value
        has_result: bool = False,
        started: float | None = None,
        settled: float | None = None,
        places: tuple[int, int] | None = None,
    ) -> None:
        self.index = index
        self.name = name
        self.call_id = call_id
        self.arguments = arguments
        self.raw = raw
        self.has_result = has_result
        timed = has_result and started is not None and settled is not None
        self.started = started if timed else None
        self.settled = settled if timed else None
        self.ordering = (
            FrictionOrdering.UNKNOWN
            if not has_result
            else FrictionOrdering.TIMED
            if timed
            else FrictionOrdering.MESSAGE_ORDER
        )
        """How the call can be placed among the others."""
        self.places = places

    @once
    def canonical(self) -> str:
        """The canonical text of the arguments.

        Raises:
            ValueError: They have none.
        """
        return canonical_json(self.arguments)

    @once
    def page_free(self) -> str:
        """The canonical text of the arguments without the keys that only page."""
        if not isinstance(self.arguments, Mapping) or _PAGES.isdisjoint(self.arguments):
            return self.canonical
        return canonical_json(
            {key: item for key, item in self.arguments.items() if key not in _PAGES}
        )

    def changed_pages(self, other: "Call") -> tuple[str, ...]:
        """Return the paging keys that two calls differ in, in contract order."""
        mine, theirs = _record(self.arguments), _record(other.arguments)
        return tuple(
            key
            for key in PAGINATION_KEYS
            if (key in mine or key in theirs)
            and (
                key not in mine
                or key not in theirs
                or canonical_json(mine[key]) != canonical_json(theirs[key])
            )
        )

    @once
    def is_error(self) -> bool:
        """Whether the retained result is an error; false without one.

        Rule: friction.md section 2.1, `isError`.
        """
        if not self.has_result:
            return False
        raw = _record(self.raw)
        if raw.get("isError") is True or _record(raw.get("result")).get("isError") is True:
            return True
        output = raw.get("output")
        return output is not None and _record(_record(output).get("value")).get("isError") is True

    @once
    def identifiers(self) -> Sequence[tuple[str, str]]:
        """The identifiers of the result with the paths they stand at, in walking order.

        Structured content stands before texts; a text that is no strict JSON is skipped.

        Rule: friction.md sections 2.1 and 4, `Source`.
        """
        if not self.has_result:
            return ()
        payload = _payload(self.raw)
        if isinstance(payload, Mapping) and "structuredContent" in payload:
            return candidates(payload["structuredContent"])
        texts = _texts(payload)
        if len(texts) == 1:
            return candidates_of_text(texts[0])
        found: list[tuple[str, str]] = []
        for text in texts:
            found.extend(candidates_of_text(text))
            if len(found) >= CANDIDATES:
                break
        return found[:CANDIDATES]


def is_before(earlier: Call, later: Call) -> bool:
    """Tell whether a call's result was there before another call began.

    Where records have an order it says what a clock of milliseconds cannot: which of two
    things of one moment came first, and that calls sent side by side had no result of each
    other.

    Rule: friction.md section 7, `available_before`.
    """
    if earlier.settled is not None and later.started is not None:
        if earlier.settled == later.started:
            return _is_recorded_before(earlier, later) is True
        return earlier.settled < later.started
    order = FrictionOrdering.MESSAGE_ORDER
    return (
        earlier.ordering is later.ordering is order
        and earlier.index < later.index
        and _is_recorded_before(earlier, later) is not False
    )


def _is_recorded_before(earlier: Call, later: Call) -> bool | None:
    """Tell whether a result's record stands before a call's; None: records have no order."""
    if earlier.places is None or later.places is None:
        return None
    return earlier.places[1] < later.places[0]


def call_of_wire(index: int, raw: object, results: Mapping[str, Any]) -> Call:
    """Read one call of a graded list, joined with its result by id and never by position.

    Args:
        index: Its position in the list.
        raw: The call, any JSON value.
        results: `{raw, startedAtMs?, settledAtMs?}` by call id.

    Rule: friction.md section 2.
    """
    call = _record(raw)
    call_id = call.get("toolCallId")
    own_id = call_id if isinstance(call_id, str) and call_id else None
    entry = results.get(own_id) if own_id is not None else None
    times = _record(entry)
    return Call(
        index,
        _name(call),
        own_id,
        call.get("arguments"),
        raw=times.get("raw"),
        has_result=entry is not None,
        started=_number(times.get("startedAtMs")),
        settled=_number(times.get("settledAtMs")),
    )


def results_of_messages(messages: Sequence[object]) -> dict[str, Any]:
    """Gather results from a transcript's tool messages; a later one of an id replaces the first.

    Rule: friction.md section 2.2.
    """
    found: dict[str, Any] = {}
    for message in map(_record, messages):
        content = message.get("content")
        if message.get("role") != "tool" or not isinstance(content, list):
            continue
        for item in map(_record, content):
            call_id = item.get("toolCallId")
            is_result = item.get("type") == "tool-result" and "result" in item
            if is_result and isinstance(call_id, str) and call_id:
                found[call_id] = {"raw": item}
    return found


def _name(call: Mapping[str, Any]) -> str:
    names = (call.get(key) for key in ("toolName", "tool", "name"))
    return next((name for name in names if isinstance(name, str) and name), "")


def _payload(raw: object) -> object:
    if not isinstance(raw, Mapping):
        return raw
    if "result" in raw:
        return raw["result"]
    output = raw.get("output")
    if isinstance(output, Mapping) and "value" in output:
        return output["value"]
    return raw


def _texts(payload: object) -> list[str]:
    if isinstance(payload, str):
        return [payload]
    content = _record(payload).get("content")
    items = content if isinstance(content, list) else []
    return [
        item["text"]
        for item in items
        if isinstance(item, Mapping)
        and item.get("type", "text") == "text"
        and isinstance(item.get("text"), str)
    ]


def _number(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number else None  # type: ignore[arg-type]  # checked above


def _record(value: object) -> Mapping[str, Any]:
    # What most values are comes first: to ask for an abstract class takes ten times as long.
    if type(value) is dict:
        return value
    if type(value) is str or not isinstance(value, Mapping):
        return {}
    return value
