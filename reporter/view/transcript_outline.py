"""What makes a long session navigable: its outline, runs of calls, and the way between errors."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from reporter.view.anchor import inside
from reporter.view.citations import PlaceLink
from reporter.view.entries import (
    NO_ANSWER,
    CallEntry,
    CallRun,
    Entry,
    ErrorLinks,
    NoteEntry,
    OutlineView,
    SpeechEntry,
    TurnLine,
)
from reporter.view.text import and_more, listed, plural

LONG_RUN: Final = 6
"""Uneventful calls in a row that stand behind one line."""
MANY_TURNS: Final = 7
"""Turns from which a session has an outline; fewer are seen at a glance."""
MANY_ENTRIES: Final = 40
"""Entries from which it has one, however few its turns are."""
PLACES: Final = 60
"""Errors, and cited places, that an outline leads to; the rest are counted."""
TURNS: Final = 300
"""Turns that it leads to."""
_NAMED_TOOLS: Final = 4


def blocks(entries: Sequence[Entry]) -> tuple[Entry | CallRun, ...]:
    """Put runs of calls behind one line each, in place.

    A call that failed, has no result, never reached a server, was made by the persona, or
    is cited ends a run and stands for itself, so that nothing that matters is folded away.
    """
    return tuple(_blocks(entries))


def _blocks(entries: Sequence[Entry]) -> Iterator[Entry | CallRun]:
    run: list[CallEntry] = []
    for entry in entries:
        if isinstance(entry, CallEntry) and _is_uneventful(entry):
            if entry.turn_anchors:
                # Where a turn begins is never folded away with what was before it.
                yield from _run(run)
                run = []
            run.append(entry)
            continue
        yield from _run(run)
        run = []
        yield entry
    yield from _run(run)


def _is_uneventful(entry: CallEntry) -> bool:
    return entry.state == "returned" and entry.by == "Called" and not entry.cites


def _run(calls: Sequence[CallEntry]) -> Iterator[Entry | CallRun]:
    if len(calls) < LONG_RUN:
        yield from calls
        return
    tools = Counter(call.name for call in calls)
    said = [f"{count:,} {name}" for name, count in tools.most_common()]
    more = len(said) - _NAMED_TOOLS
    if more > 1:
        rest = sum(count for _, count in tools.most_common()[_NAMED_TOOLS:])
        said = [*said[:_NAMED_TOOLS], f"{rest:,} of {plural(more, 'other tool')}"]
    yield CallRun("run", f"{plural(len(calls), 'call')}: {listed(said)}", tuple(calls))


def near_errors(entries: Sequence[Entry]) -> Mapping[str, ErrorLinks]:
    """Lead from each error to the one before and the one after, by the id of its entry."""
    places = _errors(entries)
    if len(places) < 2:  # noqa: PLR2004  there is no way to go
        return {}
    before = {after.href: one for one, after in pairwise(places)}
    after = {one.href: after for one, after in pairwise(places)}
    return {one.href[1:]: ErrorLinks(before.get(one.href), after.get(one.href)) for one in places}


def outline(entries: Sequence[Entry]) -> OutlineView | None:
    """Sum a session up where it begins; None where it is short enough to be seen."""
    turns = list(_turns(entries))
    if len(turns) < MANY_TURNS and len(entries) < MANY_ENTRIES:
        return None
    calls = [entry for entry in entries if isinstance(entry, CallEntry)]
    missing = sum(call.state == "missing" for call in calls)
    open_ones = sum(not turn.is_answered for turn in turns)
    beside = f" ({open_ones:,} without a recorded answer)" if open_ones else ""
    said = [
        plural(len(turns), "turn") + beside,
        plural(len(calls), "call") if calls else "no calls",
    ]
    if missing:
        said.append(f"{plural(missing, 'result')} not recorded")
    errors = _errors(entries)
    cited = [_place(entry) for entry in entries if entry.cites and _label(entry)]
    lines = turns if len(turns) > 1 else []
    return OutlineView(
        line=", ".join(said),
        errors=errors[:PLACES],
        more_errors=and_more(len(errors) - PLACES),
        cited=tuple(cited[:PLACES]),
        more_cited=and_more(len(cited) - PLACES),
        turns=tuple(turn.line() for turn in lines[:TURNS]),
        more_turns=and_more(len(lines) - TURNS),
    )


@dataclass(slots=True)
class _Turn:
    """One turn, counted while the entries are walked."""

    anchor: str
    number: int
    is_answered: bool = True
    words: str = ""
    calls: int = 0
    errors: int = 0

    def line(self) -> TurnLine:
        counts = [plural(self.calls, "call")] if self.calls else []
        if self.errors:
            counts.append(plural(self.errors, "error"))
        label = f"Turn {self.number}{'' if self.is_answered else NO_ANSWER}"
        return TurnLine(inside(self.anchor), label, self.words, ", ".join(counts))


def _turns(entries: Sequence[Entry]) -> Iterator[_Turn]:
    turn: _Turn | None = None
    for entry in entries:
        if entry.turn_anchors:
            if turn is not None:
                yield turn
            anchor = entry.turn_anchors[-1]
            number = int(anchor.rpartition(".turn")[2]) + 1
            turn = _Turn(anchor, number, not isinstance(entry, SpeechEntry) or entry.is_answered)
        if turn is None:
            continue
        if isinstance(entry, SpeechEntry) and entry.speaker == "persona" and not turn.words:
            turn.words = entry.first
        elif isinstance(entry, CallEntry):
            turn.calls += 1
            turn.errors += entry.state == "error"
    if turn is not None:
        yield turn


def _errors(entries: Sequence[Entry]) -> tuple[PlaceLink, ...]:
    return tuple(
        PlaceLink(entry.label, inside(entry.anchor))
        for entry in entries
        if isinstance(entry, CallEntry) and entry.state == "error"
    )


def _label(entry: Entry) -> str:
    return "" if isinstance(entry, NoteEntry) else entry.label


def _place(entry: Entry) -> PlaceLink:
    return PlaceLink(_label(entry), inside(entry.anchor))
