"""How the spans of one trace hang together: what contains what, and what is one and the same."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from reporter.importers.otel.gather import Trace
from reporter.importers.otel.meaning import (
    AgentRun,
    Aside,
    CallPart,
    ModelCall,
    Spoken,
    Told,
    ToolRun,
)

_ROUNDING_NS: Final = 1_000_000
_INSIDE_A_TOOL: Final = "calls that a tool made itself"


@dataclass(slots=True)
class Operation:
    """One thing that happened, with every span that tells of it, the outermost first."""

    spans: list[Told]
    start_ns: int
    is_inner: bool
    """It happened while a tool ran: nobody spoke with the persona in it."""
    conversation: str | None

    @property
    def first(self) -> Told:
        """The outermost span."""
        return self.spans[0]

    @property
    def end_ns(self) -> int | None:
        """When the outermost span ended, or None."""
        return self.first.end_ns


class TraceTree:
    """The spans of a trace that say something, with the span that each of them stands in."""

    def __init__(self, trace: Trace, counts: Counter[str]) -> None:
        self._trace = trace
        self._counts = counts
        self._nearest: dict[str, str | None] = {}
        self._starts: dict[str, int] = {}
        self._outer: dict[str, str | None] = {}
        self._resolve()

    def operations(self) -> list[Operation]:
        """Return what happened, in the order of time; what several spans tell of is one."""
        told = self._trace.told
        same = _same_models(self) | _same_tools(self)
        dropped = {span_id for span_id, into in same.items() if into is None}
        dropped |= self._asides()
        groups: dict[str, list[Told]] = {}
        for span_id in sorted(told, key=self._rank):
            if span_id in dropped:
                continue
            root = span_id
            seen = {root}
            while (up := same.get(root)) is not None and up not in seen:
                root = up
                seen.add(up)
            if root not in dropped:
                groups.setdefault(root, []).append(told[span_id])
        whole = self._only_conversation()
        return [
            Operation(
                spans=spans,
                start_ns=self._starts[root],
                is_inner=self._is_inner(root),
                conversation=self._outer.get(root) or whole,
            )
            for root, spans in groups.items()
        ]

    def inside(self, span_id: str) -> Told | None:
        """Return the nearest span around one that says something itself, or None."""
        found = self._nearest.get(span_id)
        return None if found is None else self._trace.told[found]

    def told(self) -> Iterator[Told]:
        """Yield the spans that say something, in the order of time."""
        for span_id in sorted(self._trace.told, key=self._rank):
            yield self._trace.told[span_id]

    def leave_out(self, what: str) -> None:
        """Count something that is told nowhere else."""
        self._counts[what] += 1

    def _rank(self, span_id: str) -> tuple[int, int, str]:
        told = self._trace.told[span_id]
        # Of spans that begin together the longer one stands around the other.
        return (self._starts[span_id], -(told.end_ns or 0), span_id)

    def _is_inner(self, span_id: str) -> bool:
        return any(isinstance(around.meaning, ToolRun) for around in self._around(span_id))

    def _asides(self) -> set[str]:
        """Return the guardrails and evaluators, and what stands in them."""
        found: set[str] = set()
        for span_id, told in self._trace.told.items():
            if isinstance(told.meaning, Aside):
                found.add(span_id)
            elif any(isinstance(around.meaning, Aside) for around in self._around(span_id)):
                found.add(span_id)
                self._counts["spans in guardrails and evaluators"] += 1
        return found

    def _around(self, span_id: str) -> Iterator[Told]:
        """Yield the spans around one that say something themselves, from the inside out."""
        seen = {span_id}
        around = self.inside(span_id)
        while around is not None and around.span_id not in seen:
            yield around
            seen.add(around.span_id)
            around = self.inside(around.span_id)

    def _only_conversation(self) -> str | None:
        names = {
            name
            for span_id, name in self._trace.conversations.items()
            if self._outer.get(span_id) == name
        }
        return next(iter(names)) if len(names) == 1 else None

    def _resolve(self) -> None:
        for span_id in self._trace.nodes:
            self._climb(span_id)

    def _climb(self, span_id: str) -> None:
        """Work out a span's surroundings, from the outermost span down."""
        nodes, told = self._trace.nodes, self._trace.told
        path: list[str] = []
        seen: set[str] = set()
        at: str | None = span_id
        while at is not None and at in nodes and at not in self._starts and at not in seen:
            path.append(at)
            seen.add(at)
            at = nodes[at].parent_id
        if at in seen:
            self._counts["spans that contain themselves"] += 1
        for own in reversed(path):
            node = nodes[own]
            parent = node.parent_id
            known = parent is not None and parent in self._starts
            if not known or parent is None:
                self._nearest[own] = None
                self._outer[own] = self._trace.conversations.get(own)
                self._starts[own] = node.start_ns or 0
                if parent is not None:
                    self._counts["spans whose parent is not in the source"] += 1
                continue
            around = told.get(parent)
            # A chain or a task only says that something stands in it.
            says = around is not None and not _is_chain(around)
            self._nearest[own] = parent if says else self._nearest[parent]
            self._outer[own] = self._outer[parent] or self._trace.conversations.get(own)
            start = self._starts[parent]
            if node.start_ns is not None and node.start_ns + _ROUNDING_NS < start:
                # Two clocks: a span cannot begin before the one that it stands in.
                self._counts["spans that begin before their parent"] += 1
            self._starts[own] = max(start, node.start_ns or 0)


def _is_chain(told: Told) -> bool:
    return isinstance(told.meaning, AgentRun) and not told.meaning.is_agent


def _same_models(tree: TraceTree) -> dict[str, str | None]:
    """Tell which spans tell of the same request to a model as another one around them.

    Returns:
        By span, the one around it; None for a span that only holds several requests.
    """
    inside: dict[str, list[Told]] = {}
    around: dict[str, Told] = {}
    for told in tree.told():
        outer = tree.inside(told.span_id)
        if (
            isinstance(told.meaning, ModelCall)
            and outer is not None
            and isinstance(outer.meaning, ModelCall)
        ):
            inside.setdefault(outer.span_id, []).append(told)
            around[outer.span_id] = outer
    same: dict[str, str | None] = {}
    for outer_id, held in inside.items():
        outer = around[outer_id]
        one = _match(outer, held)
        if one is not None:
            same[one.span_id] = outer_id
        else:
            same[outer_id] = None
            tree.leave_out("spans that hold several requests to a model")
    _join_answers(tree, same)
    return same


def _join_answers(tree: TraceTree, same: dict[str, str | None]) -> None:
    """Join spans that stand side by side and tell of the same answer at the same time."""
    answers: dict[str, Told] = {}
    for told in tree.told():
        meaning = told.meaning
        if told.span_id in same or not isinstance(meaning, ModelCall) or not meaning.response_id:
            continue
        other = answers.setdefault(meaning.response_id, told)
        if other is not told and overlap(other, told):
            same[told.span_id] = other.span_id


def overlap(one: Told, other: Told) -> bool:
    """Tell whether two spans ran at the same time, as far as both times are known."""
    if None in (one.start_ns, one.end_ns, other.start_ns, other.end_ns):
        return False
    return max(one.start_ns or 0, other.start_ns or 0) < min(one.end_ns or 0, other.end_ns or 0)


def _match(outer: Told, held: list[Told]) -> Told | None:
    """Return the inner span that tells of the same request, or None where none does."""
    if len(held) == 1:
        return held[0]
    whole = outer.meaning
    if isinstance(whole, ModelCall):
        for told in held:
            inner = told.meaning
            if isinstance(inner, ModelCall) and (
                (whole.response_id and whole.response_id == inner.response_id)
                or (whole.outputs and inner.outputs and _said(whole) == _said(inner))
            ):
                return told
    # Of several tries the one that did not fail gave the answer.
    good = [told for told in held if not told.is_error]
    return good[0] if len(good) == 1 else None


def _said(call: ModelCall) -> list[object]:
    found: list[object] = []
    for one in call.outputs or ():
        found.extend(_words(one))
    return found


def _words(one: Spoken) -> Iterator[object]:
    for part in one.parts:
        if isinstance(part, str):
            yield " ".join(part.split())
        elif isinstance(part, CallPart):
            yield part.call_id or part.name


def _same_tools(tree: TraceTree) -> dict[str, str | None]:
    """Tell which spans tell of the same run of a tool as another one around them."""
    inside: dict[str, list[Told]] = {}
    for told in tree.told():
        outer = tree.inside(told.span_id)
        if (
            isinstance(told.meaning, ToolRun)
            and outer is not None
            and isinstance(outer.meaning, ToolRun)
        ):
            inside.setdefault(outer.span_id, []).append(told)
    same: dict[str, str | None] = {}
    for outer_id, held in inside.items():
        remote = [told for told in held if _side(told) != "agent"]
        for told in held:
            around = tree.inside(told.span_id)
            alike = around is not None and _name(around) == _name(told)
            passed_on = remote == [told]
            # The server's span stands in the client's, whatever the name is there.
            if alike or passed_on or _side(told) == "server":
                same[told.span_id] = outer_id
            else:
                same[told.span_id] = None
                tree.leave_out(_INSIDE_A_TOOL)
    return same


def _side(told: Told) -> str:
    return told.meaning.side if isinstance(told.meaning, ToolRun) else ""


def _name(told: Told) -> str | None:
    return told.meaning.name if isinstance(told.meaning, ToolRun) else None


def is_run(operation: Operation) -> bool:
    """Tell whether an operation shows that an agent was at work, not only a server or a wire."""
    meaning = operation.first.meaning
    if isinstance(meaning, AgentRun):
        return meaning.is_agent
    return isinstance(meaning, ModelCall) or (
        isinstance(meaning, ToolRun) and meaning.side != "server"
    )
