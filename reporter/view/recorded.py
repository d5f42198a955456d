"""Recorded facts: signals over read sessions, tools that failed or were missing, wider facts."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from reporter.models.facts import SessionFacts
from reporter.view.anchor import tool_anchor
from reporter.view.citations import PlaceLink, place_link
from reporter.view.count import Bar, BarKind, Count, bar, share_bar
from reporter.view.erring import ErringPiece, erring_head, erring_words
from reporter.view.outline import Outline
from reporter.view.patterns import PatternsView, patterns_view
from reporter.view.places import Places
from reporter.view.scopes import (
    GoalScope,
    PersonaScope,
    SessionScope,
    TargetScope,
    WaveScope,
    scope_view,
)
from reporter.view.text import and_more, capital, listed, one_line, plural, quoted
from reporter.vocabulary import FrictionReason, Lifecycle, Signal

LINKS_LIMIT: Final = 6
TOOLS_LIMIT: Final = 60
QUIET_SHOWN: Final = 6
"""Tools without an error that are listed in sight; more of them fold."""

NOT_KNOWN: Final = "not known"
"""Whether a tool exists, where no complete catalogue was recorded."""

_ERROR_FIELD: Final = "tool_result.isError"

_WHY_NOT_EVALUATED: Final[Mapping[Signal, str]] = {
    Signal.HALLUCINATED_TOOL: "no complete tool catalogue was recorded",
    Signal.TURN_CAP_REACHED: "no turn limit was recorded",
    Signal.OUTPUT_TRUNCATED: "no finish reason was recorded",
}


@dataclass(frozen=True, slots=True)
class SignalBar:
    """One signal over the read sessions it could be decided in, all matches counted."""

    label: str
    meaning: str
    wire: str
    count: Count
    """Of all read sessions; not measured where the recording can decide it in none."""
    bar: Bar
    keyed: int
    """Sessions counted first under this signal; these add up, the matches do not."""
    links: tuple[PlaceLink, ...]
    more: str
    not_evaluated: str
    """In how many read sessions it could not be decided, and why; may be empty."""
    limits: str = ""
    """What else the count does not see, or rests on without its being recorded; may be empty."""


@dataclass(frozen=True, slots=True)
class FrictionBar:
    """One reason why sessions did not go smoothly."""

    label: str
    meaning: str
    count: Count
    bar: Bar


@dataclass(frozen=True, slots=True)
class ToolRow:
    """One tool name that the assistant called."""

    name: str
    anchor: str
    exists: str
    """`yes`, `no, this tool does not exist`, in how many sessions it does not, or that no
    complete catalogue was recorded."""
    absent: Count
    """Read sessions in which it does not exist, of those that called it."""
    calls: int
    errors: Count
    """Calls that returned an error, of all calls of this name."""
    sessions: Count
    """Read sessions with an error, of those that called it."""
    bar: Bar
    """The sessions as a bar."""
    unanswered: int
    """Calls without a recorded result."""
    example: PlaceLink | None
    """Where the first error was seen."""
    example_words: str
    """The error in the server's words; may be empty."""

    @property
    def missing(self) -> bool:
        """True: in some session that called it, it does not exist."""
        return self.absent.count > 0


@dataclass(frozen=True, slots=True)
class RecordedView:
    """The recorded facts of a wave."""

    measured: bool
    """False: no session was read, or the document came without a recording."""
    why_not: str
    signals: tuple[SignalBar, ...]
    """By matches, most first, then by name."""
    caption: str
    """Empty where no session was read."""
    friction: tuple[FrictionBar, ...]
    friction_caption: str
    patterns: PatternsView | None
    """Patterns of tool calls; None without a recording."""
    tools: tuple[ToolRow, ...]
    tools_caption: str
    more_tools: str
    quiet_tools: tuple[ToolRow, ...]
    """Tools of which no error is on record, where they are many; they fold into one line."""
    erring: tuple[ErringPiece, ...]
    """Which tools errored or do not exist, for the first screen; empty where there is none."""
    erring_head: str
    """What the sentence of `erring` begins with; empty where there is none."""
    tools_known: bool
    """True: of at least one tool it is known whether it exists."""
    wider: tuple[PersonaScope | TargetScope | WaveScope, ...]
    """Facts about a persona, a target or the wave, in document order."""

    @property
    def quiet_words(self) -> str:
        """What the folded tools are, counted."""
        return f"{plural(len(self.quiet_tools), 'more tool')} without an error on record"

    @property
    def erring_words(self) -> str:
        """The sentence of `erring`, whole."""
        return "".join(piece.text for piece in self.erring).rstrip()


def recorded_view(outline: Outline, shown: Places, names: Mapping[str, str]) -> RecordedView:
    """Count what was recorded.

    Rule: report.md section 3.6.
    """
    read = [fact for fact in outline.facts.values() if fact.is_read]
    wider = _wider(outline)
    if not outline.recorded:
        return _published(outline, wider)
    signals = [_signal(signal, read, shown, names) for signal in Signal]
    signals.sort(key=lambda bar: (-bar.count.count, bar.label))
    some = sum(1 for fact in read if fact.signals)
    tools = _tools(read, shown, names)
    loud = _loud(tools)
    friction, friction_caption = _friction(list(outline.facts.values()))
    return RecordedView(
        measured=bool(read),
        why_not="" if read else "No session was read, so no recorded fact was computed.",
        signals=tuple(signals),
        caption=(
            f"{Count(some, len(read), kind='read').text} "
            f"{'shows' if some == 1 or len(read) == 1 else 'show'} "
            "at least one of these. A session can show several, so the counts overlap and must "
            "not be added. “Counted first” has each session under one fact, so it can be."
        )
        if read
        else "",
        friction=friction,
        friction_caption=friction_caption,
        patterns=patterns_view(outline.wave.facts, shown, names),
        tools=tuple(tools[:loud]),
        quiet_tools=tuple(tools[loud:TOOLS_LIMIT]),
        erring=erring_words(tools),
        erring_head=erring_head(tools),
        tools_known=any(tool.exists != NOT_KNOWN for tool in tools),
        tools_caption=_tools_caption(read, tools),
        more_tools=_more_tools(tools[TOOLS_LIMIT:]),
        wider=wider,
    )


def _wider(outline: Outline) -> tuple[PersonaScope | TargetScope | WaveScope, ...]:
    found: list[PersonaScope | TargetScope | WaveScope] = []
    for row in outline.wave.findings.rows:
        view = scope_view(row)
        if isinstance(view, SessionScope | GoalScope):
            continue
        if isinstance(view, TargetScope):
            name = outline.target_name(row.finding.target)
            if name and name != view.target:
                # Two targets of one label are told apart here as everywhere on the page.
                view = replace(view, target=name, model="")
        found.append(view)
    return tuple(found)


def _more_tools(left: Sequence[ToolRow]) -> str:
    if not left:
        return ""
    errors = sum(tool.errors.count for tool in left)
    said = f"with {plural(errors, 'error')}" if errors else "without an error"
    return f"{plural(len(left), 'more tool')} {said} not shown."


def _loud(tools: Sequence[ToolRow]) -> int:
    """Return how many tools stand in sight: those with something to say come first."""
    loud = sum(1 for tool in tools if tool.missing or tool.errors.count or tool.unanswered)
    return max(loud, QUIET_SHOWN) if len(tools) - loud > QUIET_SHOWN else len(tools)


def _published(
    outline: Outline, wider: tuple[PersonaScope | TargetScope | WaveScope, ...]
) -> RecordedView:
    """Show what a document's own signal rows add up to; each session is in one of them."""
    findings = outline.wave.findings
    totals: Counter[Signal] = Counter()
    for row in findings.rows:
        if row.finding.signal is not None:
            totals[row.finding.signal] += row.finding.population.count
    bars = []
    for signal, total in sorted(totals.items(), key=lambda item: (-item[1], item[0].label)):
        count = Count(total, max(findings.population.read, total), kind="read")
        bars.append(
            SignalBar(
                signal.label,
                signal.meaning,
                signal.value,
                count,
                share_bar(count),
                total,
                (),
                "",
                "",
            )
        )
    return RecordedView(
        measured=bool(bars),
        why_not=""
        if bars
        else "The published document holds no recorded fact, and no recording came with it.",
        signals=tuple(bars),
        caption="As published: each session is counted under its first fact only.",
        friction=(),
        friction_caption="",
        patterns=None,
        tools=(),
        tools_caption="",
        more_tools="",
        quiet_tools=(),
        erring=(),
        erring_head="",
        tools_known=False,
        wider=wider,
    )


def _signal(
    signal: Signal,
    read: Sequence[SessionFacts],
    shown: Places,
    names: Mapping[str, str],
) -> SignalBar:
    decided = [fact for fact in read if signal not in fact.signals_not_evaluated]
    found = [
        (fact, match.turn_index)
        for fact in decided
        for match in fact.signals
        if match.signal is signal
    ]
    left = len(read) - len(decided)
    # A fact that could be decided nowhere is not measured; its zero would be a claim.
    count = Count(len(found), len(read) if decided else 0, kind="read")
    pieces: list[tuple[BarKind, int]] = [
        ("ink", len(found)),
        ("rest", len(decided) - len(found)),
        ("unknown", left),
    ]
    why = _WHY_NOT_EVALUATED.get(signal, "the recording does not hold what it needs")
    return SignalBar(
        label=signal.label,
        meaning=signal.meaning,
        wire=signal.value,
        count=count,
        bar=bar(pieces if decided else [], count.text),
        keyed=sum(1 for fact in read if fact.signal_key is signal),
        links=tuple(
            place_link(
                f"{fact.session_id}/signal:{signal}:{turn}", shown, name=names[fact.session_id]
            )
            for fact, turn in found[:LINKS_LIMIT]
        ),
        more=and_more(len(found) - LINKS_LIMIT),
        not_evaluated=(
            f"Not evaluated in {Count(left, len(read), kind='read').text}: {why}." if left else ""
        ),
        limits=_limits(signal, read),
    )


def _limits(signal: Signal, read: Sequence[SessionFacts]) -> str:
    """Say what the count of a fact does not see, or rests on without its being recorded."""
    match signal:
        case Signal.TOOL_ERRORED:
            return _error_limits(read)
        case Signal.HALLUCINATED_TOOL:
            return _catalogue_limits(read)
        case Signal.NO_TOOL_CALLED:
            return _idle_limits(read)
        case Signal.OUTPUT_TRUNCATED:
            return _finish_limits(read)
        case _:
            return ""


def _catalogue_limits(read: Sequence[SessionFacts]) -> str:
    """Say where it only follows from a rule that no tool is missing from a catalogue.

    Rule: recording.md section 5a.
    """
    ruled = [
        rules
        for fact in read
        if fact.catalog_complete and (rules := fact.rules_of("catalog.complete"))
    ]
    if not ruled:
        return ""
    return (
        f"In {Count(len(ruled), len(read), kind='read').text} it is not recorded as such that "
        f"the catalogue is complete; it follows from {_named(ruled)}."
    )


def _idle_limits(read: Sequence[SessionFacts]) -> str:
    """Count the sessions without a call of which the fact is not stated.

    Rule: findings.md section 8, `noToolCalled`.
    """
    idle = [
        fact
        for fact in read
        if not fact.own_calls
        and all(match.signal is not Signal.NO_TOOL_CALLED for match in fact.signals)
    ]
    cut = sum(fact.lifecycle is not Lifecycle.RAN for fact in idle)
    bare = sum(
        fact.lifecycle is Lifecycle.RAN and fact.catalog_tools == frozenset() for fact in idle
    )
    said = []
    if cut:
        said.append(f"{Count(cut, len(read), kind='read').text} without a call did not run to")
        said[-1] += f" {'its' if cut == 1 else 'their'} end"
    if bare:
        said.append(f"{Count(bare, len(read), kind='read').text} had no tool on offer")
    return f"Not counted: {listed(said)}." if said else ""


def _finish_limits(read: Sequence[SessionFacts]) -> str:
    """Say where some step does not say how it finished, so that its reply may have been cut."""
    partly = sum(
        Signal.OUTPUT_TRUNCATED not in fact.signals_not_evaluated
        and any(step.reason is None for step in fact.finish_reasons)
        for fact in read
    )
    if not partly:
        return ""
    return (
        f"In {Count(partly, len(read), kind='read').text} some step has no recorded finish "
        "reason, so whether its reply was cut off is not known."
    )


def _error_limits(read: Sequence[SessionFacts]) -> str:
    """Say where it is not on record as such whether a call errored.

    Rule: recording.md section 5a; findings.md section 8, a call without any recorded result.
    """
    ruled = [rules for fact in read if (rules := fact.rules_of(_ERROR_FIELD))]
    open_ended = sum(any(call.error == "noResult" for call in fact.own_calls) for fact in read)
    said = []
    if ruled:
        said.append(
            f"In {Count(len(ruled), len(read), kind='read').text} it is not recorded as such "
            f"whether some call errored; it follows from {_named(ruled)}."
        )
    if open_ended:
        said.append(
            f"In {Count(open_ended, len(read), kind='read').text} some call has no recorded "
            "result, so whether it errored is not known."
        )
    return " ".join(said)


def _named(ruled: Sequence[Sequence[str]]) -> str:
    return listed([quoted(one_line(rule, 120)) for rule in sorted(set().union(*ruled))])


def _friction(facts: Sequence[SessionFacts]) -> tuple[tuple[FrictionBar, ...], str]:
    started = [fact for fact in facts if fact.started]
    bars = []
    for reason in FrictionReason:
        total = sum(1 for fact in started if reason in fact.friction)
        if total:
            count = Count(total, len(started), kind="started")
            bars.append(
                FrictionBar(
                    capital(reason.label),
                    reason.meaning,
                    count,
                    share_bar(count),
                )
            )
    # Most sessions first, as the facts above it stand; reasons of as many keep their own order.
    bars.sort(key=lambda one: -one.count.count)
    some = sum(1 for fact in started if fact.friction)
    caption = (
        f"{Count(some, len(started), kind='started').text} had at least one of these, whatever "
        f"{'its' if len(started) == 1 else 'their'} outcome. A reason never changes a verdict, "
        "and one session can have several."
    )
    return tuple(bars), caption


@dataclass(slots=True)
class _ToolTally:
    calls: int = 0
    errors: int = 0
    unanswered: int = 0
    sessions: set[str] = field(default_factory=set)
    failing: set[str] = field(default_factory=set)
    example: tuple[str, str, str] | None = None
    absent: set[str] = field(default_factory=set)
    known: bool = True
    """False once a session without a complete catalogue called it."""


def _tools(read: Sequence[SessionFacts], shown: Places, names: Mapping[str, str]) -> list[ToolRow]:
    tallies: defaultdict[str, _ToolTally] = defaultdict(_ToolTally)
    for fact in read:
        for call in fact.own_calls:
            tally = tallies[call.tool_name]
            tally.calls += 1
            tally.sessions.add(fact.session_id)
            tally.unanswered += call.error == "noResult"
            tally.known = tally.known and fact.catalog_complete
            if call.tool_name in fact.hallucinated_tools:
                tally.absent.add(fact.session_id)
            if call.is_error:
                tally.errors += 1
                tally.failing.add(fact.session_id)
                if tally.example is None:
                    tally.example = (fact.session_id, call.tool_call_id, call.error_text or "")
    ranked = sorted(
        tallies.items(),
        key=lambda item: (
            not item[1].absent,
            -item[1].errors,
            -item[1].unanswered,
            -item[1].calls,
            item[0],
        ),
    )
    return [_tool_row(name, tally, shown, names) for name, tally in ranked]


def _tool_row(name: str, tally: _ToolTally, shown: Places, names: Mapping[str, str]) -> ToolRow:
    example = None
    words = ""
    if tally.example is not None:
        session_id, call_id, words = tally.example
        link = place_link(f"{session_id}/t:{call_id}", shown, name=names[session_id])
        example = PlaceLink(names[session_id], link.href)
    absent = Count(len(tally.absent), len(tally.sessions))
    return ToolRow(
        name=one_line(name, 120) or "(no name)",
        anchor=tool_anchor(name),
        exists=_exists(absent, known=tally.known),
        absent=absent,
        calls=tally.calls,
        errors=Count(tally.errors, tally.calls, "call"),
        sessions=(failing := Count(len(tally.failing), len(tally.sessions))),
        bar=share_bar(failing),
        unanswered=tally.unanswered,
        example=example,
        example_words=one_line(words, 120),
    )


def _exists(absent: Count, *, known: bool) -> str:
    """Say whether a tool exists; targets may differ in what they have."""
    if absent.count == absent.total:
        return "no, this tool does not exist"
    if absent.count:
        return f"not in {absent.text}"
    return "yes" if known else NOT_KNOWN


def _tools_caption(read: Sequence[SessionFacts], tools: Sequence[ToolRow]) -> str:
    calls = sum(row.calls for row in tools)
    errors = sum(row.errors.count for row in tools)
    missing = sum(row.missing for row in tools)
    asked = f"{plural(calls, 'call')} by the assistant in {plural(len(read), 'read session')}"
    unanswered = sum(row.unanswered for row in tools)
    beside = f" and {unanswered:,} have no recorded result" if unanswered > 1 else ""
    beside = " and 1 has no recorded result" if unanswered == 1 else beside
    erred = f"of which {errors:,} errored" if errors else "none with a recorded error"
    said = [f"{asked}, {erred}{beside}."]
    ruled = sum(1 for fact in read if fact.rules_of(_ERROR_FIELD))
    if ruled:
        said.append(
            "Whether a call errored is not recorded as such in "
            f"{Count(ruled, len(read), kind='read').text}."
        )
    complete = sum(1 for fact in read if fact.catalog_complete)
    if complete < len(read):
        said.append(
            f"A complete catalogue was recorded for {Count(complete, len(read), kind='read').text}"
            ", so whether a name exists is not known in the others."
            if complete
            else "No complete catalogue was recorded, so whether a name exists is not known."
        )
    elif missing:
        said.append(f"{plural(missing, 'name')} called where no such tool exists.")
    else:
        said.append("Every name called is a tool of the recorded catalogue or of the client.")
    return " ".join(said)
