"""Patterns of tool calls over the read sessions, each beside a harmless reading of it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from reporter.derive.friction_signals.limits import SIGNALS
from reporter.models.facts import SessionFacts, SuspicionFact
from reporter.models.friction import Adjacent, FrictionDocument, Surfaced
from reporter.view.anchor import session_anchor
from reporter.view.citations import PlaceLink
from reporter.view.count import Bar, Count, share_bar
from reporter.view.places import Places
from reporter.view.text import and_more, listed, one_line, plural
from reporter.vocabulary import (
    FrictionNotMeasuredReason,
    FrictionSignal,
    SuspectedCondition,
    SuspectedConditionConfidence,
)

LINKS_LIMIT: Final = 4
"""Sessions that one line links; the rest are counted."""
SESSION_LIMIT: Final = 4
"""Patterns that a session's own page spells out; the rest are counted."""

BENIGN: Final[Mapping[FrictionSignal, str]] = {
    FrictionSignal.IDENTIFIER_SURFACED_UNUSED: (
        "The list itself may have been the answer, and none of its entries was needed."
    ),
    FrictionSignal.SEARCH_REPEATED_AFTER_IDENTIFIER: (
        "Two questions may have needed two searches that have nothing to do with each other."
    ),
    FrictionSignal.IDENTICAL_RETRY: (
        "A state may have been asked for again because it was meant to change."
    ),
    FrictionSignal.CHANGED_RETRY: (
        "Several items may need a call each, and a search is often narrowed step by step."
    ),
    FrictionSignal.PAGINATION_CONTINUATION: (
        "Reading a long list page by page is what paging is for."
    ),
}
"""How each pattern comes about when nothing is wrong."""

_IDENTIFIER_KINDS: Final = frozenset(
    {
        FrictionSignal.IDENTIFIER_SURFACED_UNUSED,
        FrictionSignal.SEARCH_REPEATED_AFTER_IDENTIFIER,
    }
)


@dataclass(frozen=True, slots=True)
class PatternRow:
    """One kind of pattern."""

    label: str
    meaning: str
    benign: str
    """A reading in which nothing is wrong; of the same weight as the pattern."""
    count: Count
    """Sessions with it, of those in which it could be measured."""
    bar: Bar
    times: str
    """How often it occurred in them all, such as `66 times`, or at least how often, where a
    session has more than are kept; may be empty."""
    links: tuple[PlaceLink, ...]
    more: str


@dataclass(frozen=True, slots=True)
class SuspicionRow:
    """What was suspected behind one kind of pattern; recorded, not established."""

    condition: str
    signal: str
    meaning: str
    sessions: str
    """Such as `3 sessions`."""
    confidence: str
    remediation: str
    """What somebody proposed, quoted; may be empty."""
    is_answer: bool
    """True for an answer that was looked at and explains nothing: no suspicion is left."""


@dataclass(frozen=True, slots=True)
class PatternsView:
    """The patterns of a wave.

    Rule: report.md section 3.6; friction.md sections 8 and 10.
    """

    caption: str
    """In how many sessions patterns could be looked for, and why not in the others."""
    rows: tuple[PatternRow, ...]
    """Every kind, most sessions first, then in contract order; empty where none was measured."""
    suspicions: tuple[SuspicionRow, ...]


def patterns_view(
    facts: Sequence[SessionFacts], shown: Places, names: Mapping[str, str]
) -> PatternsView:
    """Count the patterns over the sessions that started."""
    known = [(fact, fact.friction_signals) for fact in facts if fact.friction_signals is not None]
    measured = [(fact, one) for fact, one in known if one.not_measured_reason is None]
    rows = [_row(kind, measured, shown, names) for kind in FrictionSignal] if measured else []
    rows.sort(key=lambda row: -row.count.count)
    return PatternsView(
        caption=_caption([one for _, one in known]),
        rows=tuple(rows),
        suspicions=tuple(_suspicions(facts)),
    )


def pattern_words(fact: SessionFacts) -> str:
    """Spell out the patterns of one session, or say why there are none to be had.

    Returns:
        An empty string for a session that never started.
    """
    document = fact.friction_signals
    if document is None:
        return ""
    if document.not_measured_reason is not None:
        return f"not measured: {document.not_measured_reason.label}"
    said = [_signal_words(signal) for signal in document.signals[:SESSION_LIMIT]]
    left = len(document.signals) - len(said)
    if left:
        said.append(f"{'at least ' if _is_full(document) else ''}{left:,} more")
    reason = document.identifiers_not_measured
    unknown = f"identifiers not measured: {reason.label}" if reason else ""
    return "; ".join([*(said or ["none"]), *([unknown] if unknown else [])])


def _signal_words(signal: Adjacent | Surfaced) -> str:
    place = f"calls {signal.since + 1} and {signal.at + 1}"
    return f"{signal.kind.label.lower()} ({one_line(signal.tool_name, 60)}, {place})"


def _row(
    kind: FrictionSignal,
    measured: Sequence[tuple[SessionFacts, FrictionDocument]],
    shown: Places,
    names: Mapping[str, str],
) -> PatternRow:
    able = [
        (fact, one)
        for fact, one in measured
        if kind not in _IDENTIFIER_KINDS or one.identifiers_not_measured is None
    ]
    times = [(fact, sum(1 for signal in one.signals if signal.kind is kind)) for fact, one in able]
    having = [fact for fact, often in times if often]
    count = Count(len(having), len(able))
    total = sum(often for _, often in times)
    least = "at least " if any(map(_is_full, (one for _, one in able))) else ""
    return PatternRow(
        label=kind.label,
        meaning=kind.meaning,
        benign=BENIGN[kind],
        count=count,
        bar=share_bar(count),
        times=f"{least}{plural(total, 'time')}" if total else "",
        links=tuple(
            PlaceLink(
                names[fact.session_id],
                shown.href(fact.session_id, session_anchor(fact.session_id)),
            )
            for fact in having[:LINKS_LIMIT]
        ),
        more=and_more(len(having) - LINKS_LIMIT),
    )


def _is_full(document: FrictionDocument) -> bool:
    """Tell whether a session may have more patterns than its document keeps.

    Rule: friction.md section 1, signals kept.
    """
    return len(document.signals) >= SIGNALS


def _of_these(count: int, total: int) -> str:
    return Count(count, total).text + (" of these" if total > 1 else "")


def _caption(documents: Sequence[FrictionDocument]) -> str:
    if not documents:
        return "No session started, so no pattern could be looked for."
    measured = [one for one in documents if one.not_measured_reason is None]
    able = [one for one in measured if one.identifiers_not_measured is None]
    looked = Count(len(measured), len(documents), kind="started").text
    first = (
        "A pattern says what the calls looked like, never that something was wrong. "
        f"Looked for in {looked}{_why(documents)}."
    )
    if not measured:
        which = "the one started session"
        if len(documents) > 1:
            which = f"any of {plural(len(documents), 'started session')}"
        first = f"No pattern was looked for in {which}{_why(documents)}."
    said = [first]
    if len(able) < len(measured):
        reasons = Counter(
            one.identifiers_not_measured
            for one in measured
            if one.identifiers_not_measured is not None
        )
        said.append(
            "Whether identifiers were used could be told in "
            f"{_of_these(len(able), len(measured))}{_reasons(reasons)}."
        )
    full = sum(map(_is_full, measured))
    if full:
        said.append(
            f"In {_of_these(full, len(measured))} only the first {SIGNALS} are kept, so "
            "there may have been more."
        )
    return " ".join(said)


def _why(documents: Sequence[FrictionDocument]) -> str:
    return _reasons(
        Counter(one.not_measured_reason for one in documents if one.not_measured_reason is not None)
    )


def _reasons(reasons: Counter[FrictionNotMeasuredReason]) -> str:
    parts = [
        f"{reason.label} in {reasons[reason]:,}"
        for reason in FrictionNotMeasuredReason
        if reasons[reason]
    ]
    return f"; {listed(parts)}" if parts else ""


def _suspicions(facts: Sequence[SessionFacts]) -> list[SuspicionRow]:
    """Group what was suspected by condition, pattern and confidence."""
    sessions: dict[
        tuple[SuspectedCondition, FrictionSignal, SuspectedConditionConfidence], set[str]
    ] = {}
    proposed: dict[object, str] = {}
    for fact in facts:
        for one in fact.suspicions:
            key = (one.condition, one.signal, one.confidence)
            sessions.setdefault(key, set()).add(fact.session_id)
            if one.remediation:
                proposed.setdefault(key, one.remediation)
    ranked = sorted(
        sessions,
        key=lambda key: (
            -len(sessions[key]),
            list(SuspectedCondition).index(key[0]),
            list(FrictionSignal).index(key[1]),
            key[2],
        ),
    )
    return [
        SuspicionRow(
            condition=condition.label,
            signal=signal.label,
            meaning=condition.meaning,
            sessions=plural(len(sessions[condition, signal, confidence]), "session"),
            confidence=confidence.label,
            remediation=one_line(proposed.get((condition, signal, confidence), ""), 300),
            is_answer=condition is SuspectedCondition.RESPONSE_WAS_CLEAR,
        )
        for condition, signal, confidence in ranked
    ]


def suspicion_words(suspicions: Sequence[SuspicionFact]) -> str:
    """Spell out what was suspected about one session; empty where nothing was."""
    said = []
    for one in suspicions:
        answer = one.condition is SuspectedCondition.RESPONSE_WAS_CLEAR
        word = "looked at" if answer else "suspected"
        sure = f", {one.confidence.label} confidence"
        said.append(f"{word}: {one.condition.label} (behind “{one.signal.label.lower()}”{sure})")
    return "; ".join(said)
