"""The six-link chain: one session's marks, and many sessions' line, links and words."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from reporter.findings.goal_reading import StageEvidence, goal_rows, stage_colour, stage_evidence
from reporter.models.chain import Chain, StageRow
from reporter.models.facts import SessionFacts
from reporter.models.finding import FindingRow
from reporter.view.count import Count, percent
from reporter.view.text import listed, one_line, plural
from reporter.view.tone import StateMark, state_mark
from reporter.vocabulary import (
    SessionVerdictReason,
    Stage,
    StageReason,
    StageState,
    Tone,
    tone_of,
)

SERVER_LANE: Final = frozenset({Stage.CALL, Stage.RESPONSE})
"""Links on the server's side; the others are the client's."""

FULL: Final = 12.0
"""Thickness of the line, in pixels, where every started session went on."""
HAIR: Final = 1.5
"""Thickness below which a line would not be seen."""

# The worst measured state names a link; what was not measured never outranks what was.
_RANK: Final[Mapping[StageState, int]] = {
    StageState.FAILED: 0,
    StageState.PASSED: 1,
    StageState.NOT_MEASURED: 2,
    StageState.NOT_REACHED: 3,
    StageState.NOT_APPLICABLE: 4,
}
_MEASURED: Final = (StageState.PASSED, StageState.FAILED)


@dataclass(frozen=True, slots=True)
class MiniChain:
    """One session's chain as six small marks."""

    links: tuple[tuple[str, StateMark], ...]
    """Label and state of each link, in stage order; empty for a session without a chain."""
    words: str
    """The same in words: `connection passed, discovery not measured, …`."""

    @property
    def by_state(self) -> str:
        """The same, state by state: `passed: connection, call; failed: response`."""
        found: dict[str, list[str]] = {}
        for label, mark in self.links:
            found.setdefault(mark.word, []).append(label.lower())
        return "; ".join(f"{word}: {', '.join(labels)}" for word, labels in found.items())


@dataclass(frozen=True, slots=True)
class ChainStroke:
    """One piece of the line of the chain."""

    kind: Literal["on", "unknown", "off"]
    """Seen to go on, not known, nothing went on."""
    link: int
    """Place of the link that it leads on from; -1 for what enters the first."""
    x1: str
    x2: str
    y1: int
    y2: int
    width: str


@dataclass(frozen=True, slots=True)
class ChainLink:
    """One link over several sessions."""

    stage: str
    """Wire spelling."""
    label: str
    lane: Literal["client", "server"]
    mark: StateMark
    """The worst measured state."""
    worst: str
    """Such as `failed in 3 of 4`; `not measured in 4 of 4`."""
    rest: str
    """The other states with their counts, such as `passed in 1`; may be empty."""
    reason: str
    """Why the worst state holds, as a sentence beginning with `Because`; may be empty."""
    inferred: str
    """The rule, where the state rests on a field that was not recorded as such; may be empty."""
    x: str
    """Where the mark stands in the drawing."""
    y: int


@dataclass(frozen=True, slots=True)
class ChainView:
    """Several sessions' chains as one drawing and six columns of words."""

    links: tuple[ChainLink, ...]
    strokes: tuple[ChainStroke, ...]
    label: str
    """The text alternative of the drawing."""
    sessions: int
    """Started sessions with a chain: what every count on a link is out of."""
    first_failed: str
    """Label of the earliest link that failed in some session; empty where none did."""
    measured: bool
    """False: no link was measured in any session."""

    @property
    def ways(self) -> tuple[str, ...]:
        """For each link, names of the way on, for a line that runs down a narrow page.

        Such as `on-6 unknown-12 in`: whole pixels seen to go on and pixels with what is not
        known, never more than there were, and whether the line goes in to the server's lane
        or out of it.
        """
        named: list[list[str]] = [[] for _ in self.links]
        for stroke in self.strokes:
            if stroke.link >= 0:
                named[stroke.link].append(_way_down(stroke))
        for names, here, following in zip(named, self.links, self.links[1:], strict=False):
            if here.lane != following.lane:
                names.append("in" if following.lane == "server" else "out")
        return tuple(" ".join(names) for names in named)

    @property
    def entry(self) -> str:
        """The same of the line that enters at the first link."""
        return " ".join(_way_down(stroke) for stroke in self.strokes if stroke.link < 0)


def _way_down(stroke: ChainStroke) -> str:
    return f"{stroke.kind}-{max(int(float(stroke.width)), 1)}"


def mini_chain(chain: Chain | None) -> MiniChain:
    """Show one session's chain."""
    if chain is None:
        return MiniChain((), "no chain")
    return _mini(tuple((row.stage, row.state) for row in chain.rows))


# There are few chains; a wave has each of them thousands of times.
@lru_cache(maxsize=1024)
def _mini(states: tuple[tuple[Stage, StageState], ...]) -> MiniChain:
    links = tuple((stage.label, state_mark(state)) for stage, state in states)
    words = ", ".join(f"{label.lower()} {mark.word}" for label, mark in links)
    return MiniChain(links, words)


def chain_view(facts: Sequence[SessionFacts]) -> ChainView | None:
    """Draw the chains of the started sessions among `facts`; None where there is none.

    Rule: report.md section 3.5.
    """
    found = [(fact, fact.chain) for fact in facts if fact.started and fact.chain is not None]
    if not found:
        return None
    chains = [chain for _, chain in found]
    links = tuple(_link(stage, position, found) for position, stage in enumerate(Stage))
    failed = [link.label for link in links if link.mark.wire == StageState.FAILED]
    return ChainView(
        links=links,
        strokes=tuple(_strokes(chains)),
        label="Chain. " + "; ".join(f"{link.label}: {_said(link)}" for link in links) + ".",
        sessions=len(chains),
        first_failed=failed[0] if failed else "",
        measured=any(not chain.is_unmeasured for chain in chains),
    )


def published_chain(rows: Sequence[FindingRow]) -> ChainView | None:
    """Draw what a document's own rows say of each link; None where they say nothing.

    No session is known, so nothing is known of how many went on: the line is barred.

    Rule: findings.md section 13, `Stage colour` and `Stage evidence text`.
    """
    colours = {stage: stage_colour(rows, stage) for stage in Stage}
    evidence = {stage: stage_evidence(rows, stage) for stage in Stage}
    if not any(colours.values()) and not any(evidence.values()):
        return None
    links = []
    for index, stage in enumerate(Stage):
        x, y = position(index, stage)
        state = _PUBLISHED[colours[stage]]
        counted = _published_count(rows, stage, state)
        links.append(
            ChainLink(
                stage=stage.value,
                label=stage.label,
                lane=lane_of(stage),
                mark=state_mark(state),
                worst=f"{state_mark(state).word}{counted}",
                rest="",
                reason=_published_reason(evidence[stage], measured=colours[stage] is not None),
                inferred="",
                x=x,
                y=y,
            )
        )
    failed = [link.label for link in links if link.mark.wire == StageState.FAILED]
    return ChainView(
        links=tuple(links),
        strokes=tuple(_barred()),
        label="Chain. " + "; ".join(f"{link.label}: {link.worst}" for link in links) + ".",
        sessions=0,
        first_failed=failed[0] if failed else "",
        measured=any(colours.values()),
    )


def _published_count(rows: Sequence[FindingRow], stage: Stage, state: StageState) -> str:
    """Count the sessions that a link's state rests on; empty where no finding speaks of one.

    Rows can share sessions, so that of several rows the sessions are counted, each once.

    Rule: findings.md section 7, reader rules.
    """
    speaking = [
        row.finding
        for row in goal_rows(rows)
        if row.finding.chain_stage is stage
        and row.finding.chain_stage_state is state
        and tone_of(row.finding.disposition) is not Tone.MUTED
    ]
    if not speaking:
        return ""
    if len(speaking) == 1:
        return f", {Count(speaking[0].population.count, speaking[0].population.total).text}"
    named = {session for finding in speaking for session in finding.session_ids}
    return f" in {plural(len(named), 'session')} that findings name"


def _published_reason(evidence: Sequence[StageEvidence], *, measured: bool) -> str:
    """Say what a document's rows rest a link's state on; empty where their count says it."""
    if not evidence:
        return _MUTED_ALONE if measured else _NO_FINDING
    if measured:
        return ""
    first = evidence[0]
    if first.words == "signal":
        fact = f"{first.text[:1].lower()}{first.text[1:]}"
        return f"Not a pass. Recorded here: {fact}, {first.population}."
    return f"Not a pass. An explanation points here: {first.population}."


_MUTED_ALONE: Final = (
    "Measured only where the outcome is not known, which is no evidence of how the goal went."
)
_NO_FINDING: Final = "No finding speaks of this link. That is not a pass."
"""What a document that came alone says of a link: the recording may hold more."""

_PUBLISHED: Final[Mapping[Tone | None, StageState]] = {
    Tone.FAIL: StageState.FAILED,
    Tone.OK: StageState.PASSED,
    None: StageState.NOT_MEASURED,
}


def _barred() -> Iterator[ChainStroke]:
    stages = list(Stage)
    yield ChainStroke("unknown", -1, "-34", "0", 15, 15, f"{FULL / 2:g}")
    for index in range(len(stages) - 1):
        (x1, y1), (x2, y2) = position(index, stages[index]), position(index + 1, stages[index + 1])
        yield ChainStroke("unknown", index, x1, x2, y1, y2, f"{FULL / 2:g}")


def lane_of(stage: Stage) -> Literal["client", "server"]:
    """Return the side a link stands on."""
    return "server" if stage in SERVER_LANE else "client"


def position(index: int, stage: Stage) -> tuple[str, int]:
    """Return where a link's mark stands: percent across, pixels down."""
    return percent(100 * index / len(Stage)), 55 if stage in SERVER_LANE else 15


def _said(link: ChainLink) -> str:
    return f"{link.worst}, {link.rest}" if link.rest else link.worst


def _link(stage: Stage, index: int, found: Sequence[tuple[SessionFacts, Chain]]) -> ChainLink:
    rows = [(fact, chain.row(stage)) for fact, chain in found]
    states = Counter([row.state for _, row in rows])
    order = sorted(states, key=_RANK.__getitem__)
    worst, rest = order[0], order[1:]
    total = len(rows)
    met = [(fact, row) for fact, row in rows if row.state is worst]
    reasons = Counter([stage_reason(fact, row) for fact, row in met if row.reason is not None])
    ruled = [rules for fact, _ in met if (rules := fact.inferred_stages.get(stage))]
    x, y = position(index, stage)
    return ChainLink(
        stage=stage.value,
        label=stage.label,
        lane=lane_of(stage),
        mark=state_mark(worst),
        worst=f"{state_mark(worst).word} in {states[worst]:,} of {total:,}",
        rest="; ".join(f"{state_mark(state).word} in {states[state]:,}" for state in rest),
        reason=_reason(worst, reasons),
        inferred=_inferred(ruled, len(met)),
        x=x,
        y=y,
    )


def stage_reason(fact: SessionFacts, row: StageRow) -> str:
    """Say why a link has its state.

    A chain knows what of a judge is on record, and nothing of whether one was owed, nor of
    checks that are; where the verdict waits for something else, its word stands, lest one
    page say both.

    Rule: findings.md section 4.2, `judgeOwed`; chain.md section 12.3.
    """
    label = row.reason.label if row.reason is not None else ""
    return _other_reason(fact, row) or label


def is_said_otherwise(fact: SessionFacts, row: StageRow) -> bool:
    """Tell whether a link's reason is told in other words than those of the contract."""
    return bool(_other_reason(fact, row))


def _other_reason(fact: SessionFacts, row: StageRow) -> str:
    """Return what a link's reason is called in place of the contract's words; mostly nothing."""
    # The link's reason denies what the session's verdict waits for.
    if row.reason in _DENIED and fact.verdict.reason in _DENIED[row.reason]:
        return fact.verdict.reason.label
    return _JUDGED.get(row.reason, "") if fact.chain_source != "recorded" else ""


_JUDGED: Final[Mapping[StageReason | None, str]] = {
    # The contract's words are about a score, and what decided was a yes or a no.
    StageReason.JUDGE_OBSERVED: SessionVerdictReason.JUDGE_PASSED.label,
    StageReason.JUDGE_FAILED: SessionVerdictReason.JUDGE_FAILED.label,
}


_DENIED: Final[Mapping[StageReason | None, tuple[SessionVerdictReason, ...]]] = {
    # That no judge was ever owed, or that what is owed is a judge's word.
    StageReason.JUDGE_NOT_REQUESTED: (
        SessionVerdictReason.JUDGE_PENDING,
        SessionVerdictReason.GRADING_NOT_CLAIMED,
        SessionVerdictReason.GRADING_UNAVAILABLE,
    ),
    StageReason.JUDGE_PENDING: (
        SessionVerdictReason.CRITERIA_PENDING,
        SessionVerdictReason.GATING_CRITERION_UNMEASURED,
        SessionVerdictReason.GRADING_NOT_CLAIMED,
        SessionVerdictReason.GRADING_UNAVAILABLE,
    ),
}


def _reason(worst: StageState, reasons: Counter[str]) -> str:
    not_a_pass = "Not a pass. " if worst is StageState.NOT_MEASURED else ""
    if not reasons or worst is StageState.PASSED:
        # A pass needs no excuse, but one that only a later link implies says so.
        implied = [label for label in reasons if "implies" in label]
        if worst is StageState.PASSED and implied and len(reasons) == 1:
            return f"Because {implied[0]}."
        return not_a_pass.strip()
    if len(reasons) == 1:
        return f"{not_a_pass}Because {next(iter(reasons))}."
    ranked = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    return not_a_pass + "Because " + "; ".join(f"{label} ({n:,})" for label, n in ranked) + "."


def _inferred(ruled: Sequence[Sequence[str]], sessions: int) -> str:
    """Name the rules that a state rests on, and in how many of its sessions where not in all."""
    if not ruled:
        return ""
    rules = sorted({rule for own in ruled for rule in own})
    named = listed([f"“{one_line(rule, 120)}”" for rule in rules])
    lead = (
        "Rests on"
        if len(ruled) == sessions
        else f"In {Count(len(ruled), sessions).text} it rests on"
    )
    word = "rule" if len(rules) == 1 else "rules"
    return f"{lead} a field that was not recorded but follows from the {word} {named}."


def _strokes(chains: Sequence[Chain]) -> list[ChainStroke]:
    strokes = [ChainStroke("on", -1, "-34", "0", 15, 15, f"{FULL:g}")]
    total = len(chains)
    stages = list(Stage)
    # Many sessions went the same way.
    alike = Counter(tuple(row.state for row in chain.rows) for chain in chains)
    for index in range(len(stages) - 1):
        ways: Counter[str] = Counter()
        for states, sessions in alike.items():
            ways[_way(states, index)] += sessions
        (x1, y1), (x2, y2) = position(index, stages[index]), position(index + 1, stages[index + 1])
        on, unknown = ways["on"], ways["unknown"]
        if on + unknown == 0:
            strokes.append(ChainStroke("off", index, x1, x2, y1, y2, f"{HAIR:g}"))
            continue
        if unknown:
            strokes.append(
                ChainStroke("unknown", index, x1, x2, y1, y2, _width(on + unknown, total))
            )
        if on:
            strokes.append(ChainStroke("on", index, x1, x2, y1, y2, _width(on, total)))
    return strokes


def _way(states: Sequence[StageState], index: int) -> Literal["on", "unknown", "off"]:
    """Tell whether a session was seen to go on past a link.

    One that never reached a link ended before it, though what its user got was judged. That
    a user got nothing of value shows of no link before it that anything came that far.
    """
    if StageState.NOT_REACHED in states[: index + 2]:
        return "off"
    later = states[index + 1 :]
    came = later[0] in _MEASURED or StageState.PASSED in later or StageState.FAILED in later[:-1]
    return "on" if came else "unknown"


def _width(count: int, total: int) -> str:
    return f"{max(FULL * count / total, HAIR):.3g}"
