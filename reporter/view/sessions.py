"""The session list: every planned session, with what it came to."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final, Literal

from reporter.findings.fold import first_failed
from reporter.findings.people import is_recorded
from reporter.models.chain import Chain
from reporter.models.facts import SessionFacts
from reporter.view.anchor import row_anchor, session_anchor
from reporter.view.attempts import is_silent, lifecycle_words, reason_words
from reporter.view.chain import MiniChain, mini_chain
from reporter.view.embed import EmbedPlan
from reporter.view.erring import tools_with_errors
from reporter.view.evidence import connection_words, refusal_words
from reporter.view.names import shown_id
from reporter.view.orders import SessionOrder, session_orders
from reporter.view.outcomes import GROUP_LABELS, Outcomes, outcomes
from reporter.view.outline import NAME_LIMIT, Outline, goal_names, slot_kind
from reporter.view.places import Places
from reporter.view.text import bare, capital, one_line, plural, quoted
from reporter.view.tone import ToneMark, tone_mark
from reporter.view.weight import FIRST_ROWS
from reporter.vocabulary import (
    Basis,
    Disposition,
    ReadState,
    ScopeLevel,
    Signal,
    Stage,
    StageState,
    Tone,
    tone_of,
)

FIRST_WORDS_LIMIT: Final = 110
SHORT_NAME: Final = 7
"""Characters that a session may be called by to take little room."""
LONG_NAME: Final = 14
"""Characters that it may be called by to take the usual room."""
LONG_TARGET: Final = 22
"""Characters of a target's label from which on its column is wider."""

CHOICE_LIMIT: Final = 70
"""Characters of a goal's title where the filter offers it."""

TOOL_LIMIT: Final = 120
"""Characters of a tool's name, there and in the table of tools."""

ChainKey = tuple[tuple[Stage, StageState], ...]


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session of the list."""

    session_id: str
    """As it is printed whole."""
    name: str
    """How the page calls it."""
    anchor: str
    """The row's own id: the session's where the page carries no transcript of it."""
    href: str
    """Where the session stands: its transcript, its own page, else this row."""
    has_transcript: bool
    """True: what `href` leads to carries it."""
    mark: ToneMark
    attempt: str
    """Such as `ran to its end, 4 turns`."""
    persona: str
    goal: str
    target: str
    first_words: str
    """What the persona said first, quoted; the recorded refusal where it did not run."""
    ran: bool
    verdict: str
    reason: str
    chain: MiniChain
    signals: tuple[str, ...]
    """Labels of all matches."""
    recorded: str
    """The same in words; without a match it says what was looked for: `none; 1 not evaluated`."""
    friction: tuple[str, ...]
    """Labels of the reasons, signals left out because they stand before."""
    read_note: str
    """Why it was not read; empty for a read session."""
    file: str
    """File of its transcript where the page does not carry it and the id does not say; else
    empty."""
    filters: Mapping[str, str]
    """Values that the page's filter compares, by name."""
    chain_id: str = ""
    """Id of its chain among the chains of the list; empty without a chain."""


@dataclass(frozen=True, slots=True)
class RowsOf:
    """Builds rows of the list."""

    outline: Outline
    places: Places
    names: Mapping[str, str]
    chain_ids: Mapping[ChainKey, str]
    words: bool = True
    """False: of no session words of the persona are recorded, which the list says once."""

    def row(self, fact: SessionFacts) -> SessionRow:
        """Show one session as the list does."""
        row = session_row(self.outline, fact, self.places, self.names)
        if not (self.words or _is_refused(fact)):
            row = replace(row, first_words="")
        if fact.chain is None:
            return row
        return replace(row, chain_id=self.chain_ids[_chain_key(fact.chain)])


@dataclass(frozen=True, slots=True)
class SessionGroup:
    """The sessions of one persona and goal, or of one persona and target."""

    title: str
    outcomes: Outcomes
    facts: tuple[SessionFacts, ...]
    """For building rows; never for templates."""
    rows_of: RowsOf
    """The same."""

    @property
    def rows(self) -> tuple[SessionRow, ...]:
        """The rows in order, built when they are wanted: those of all groups are large."""
        return tuple(self.rows_of.row(fact) for fact in self.facts)

    def cut(self, start: int, end: int) -> "SessionGroup":
        """Return a part of the group, under the same head."""
        return replace(self, facts=self.facts[start:end])

    @property
    def session_ids(self) -> tuple[str, ...]:
        """The sessions in order."""
        return tuple(fact.session_id for fact in self.facts)


@dataclass(frozen=True, slots=True)
class FilterOption:
    """One choice of one filter."""

    value: str
    label: str

    @property
    def pair(self) -> tuple[str, str]:
        """Value and label."""
        return (self.value, self.label)


@dataclass(frozen=True, slots=True)
class FilterChoices:
    """What the page's filter offers: names of the parameters and their choices."""

    persona: tuple[FilterOption, ...]
    goal: tuple[FilterOption, ...]
    target: tuple[FilterOption, ...]
    outcome: tuple[FilterOption, ...]
    """Groups of outcomes, such as `not met`; a value lists the tone and its outcomes."""
    disposition: tuple[FilterOption, ...]
    link: tuple[FilterOption, ...]
    """Links that failed first in some session."""
    signal: tuple[FilterOption, ...]
    tool: tuple[FilterOption, ...]
    """Tools that returned an error in some session, those of most sessions first."""
    basis: tuple[FilterOption, ...]
    scope: tuple[FilterOption, ...]

    @property
    def table(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        """Value and label of every choice, by the name of its parameter."""
        return {
            one.name: [choice.pair for choice in getattr(self, one.name)] for one in fields(self)
        }


@dataclass(frozen=True, slots=True)
class SessionsView:
    """The sessions section."""

    lead: str
    """How many were planned and how many started."""
    groups: tuple[SessionGroup, ...]
    late: bool
    """True: sessions are many, so that those beyond the first wait to be built."""
    first: int
    """Sessions that a long list begins with."""
    chains: tuple[tuple[str, MiniChain], ...]
    """The chains that occur in a long list, each with its id, so that rows can point at one."""
    goal_in_row: bool
    """True: groups do not name the goal, so rows do."""
    caption: str
    """How the list is grouped, for those who do not see it."""
    words_head: str
    """`First words`; empty where none are recorded, and then a refusal stands with the verdict."""
    target_in_row: bool
    """True: the wave has several targets and groups do not name them, so rows do."""
    name_room: Literal["little", "usual", "much"]
    """How much room it takes what sessions are called."""
    long_targets: bool
    """True: what targets are called takes more room than usual."""
    embed: EmbedPlan
    filters: FilterChoices
    orders: tuple[SessionOrder, ...]
    """Other orders that the list may be read in; empty where nothing tells sessions apart."""
    total: int
    seats: Mapping[str, tuple[int, int]]
    """Group of each session, and its place in the group, both counted from zero."""
    missed: tuple[tuple[tuple[int, int], str], ...]
    """Seat and id of each session that did not meet its goal, in the order of the list."""
    edition: str
    """Which list this is, in few letters: that of another recording, or of another grading of
    this one, has others. By it the page of a session knows whether a link speaks of its list."""

    @property
    def head(self) -> tuple[SessionGroup, ...]:
        """The groups, or their parts, that the list begins with."""
        return tuple(self.parts(0, self.first))

    def parts(self, start: int, end: int) -> Iterator[SessionGroup]:
        """Return the groups, or their parts, that hold the sessions from one place to another."""
        at = 0
        for group in self.groups:
            size = len(group.facts)
            low, high = max(start - at, 0), min(end - at, size)
            if low < high:
                yield group.cut(low, high)
            at += size


def sessions_view(
    outline: Outline,
    embed: EmbedPlan,
    places: Places,
    names: Mapping[str, str],
    *,
    late: bool = False,
) -> SessionsView:
    """Lay the list out.

    Rule: report.md section 3.10.
    """
    facts = list(outline.facts.values())
    pairs = max(1, len(outline.runs))
    by_pair = len(facts) / pairs >= 2  # noqa: PLR2004  a head for every row would be noise
    grouped: dict[tuple[object, str], list[SessionFacts]] = {}
    several = len(outline.targets) > 1
    for fact in sorted(
        facts, key=lambda one: outline.persona_places[one.persona_ref_id, one.persona_name]
    ):
        grouped.setdefault(_group_of(outline, fact, by_pair=by_pair, several=several), []).append(
            fact
        )
    chains: dict[ChainKey, tuple[str, Chain]] = {}
    for fact in facts:
        if fact.chain is not None:
            chains.setdefault(_chain_key(fact.chain), (f"chain-{len(chains) + 1}", fact.chain))
    words = any(fact.first_words or fact.is_lost for fact in facts if fact.started)
    rows_of = RowsOf(outline, places, names, {key: one for key, (one, _) in chains.items()}, words)
    groups = tuple(
        SessionGroup(
            _title(outline, group[0], by_pair=by_pair, several=several),
            outcomes([fact.disposition for fact in group]),
            tuple(group),
            rows_of,
        )
        for group in grouped.values()
    )
    seats: dict[str, tuple[int, int]] = {
        fact.session_id: (group_at, at)
        for group_at, group in enumerate(groups)
        for at, fact in enumerate(group.facts)
    }
    return SessionsView(
        lead=_lead(outline, facts, words=words),
        groups=groups,
        late=late,
        first=min(FIRST_ROWS, len(facts)) if late else len(facts),
        chains=tuple((one, mini_chain(chain)) for one, chain in chains.values()) if late else (),
        goal_in_row=not by_pair,
        caption=_caption(outline, by_pair=by_pair),
        words_head="First words" if words else "",
        target_in_row=several and by_pair,
        name_room=_name_room(names.values()),
        long_targets=any(len(one.label) > LONG_TARGET for one in outline.targets.values()),
        embed=embed,
        filters=_choices(outline, facts),
        orders=session_orders([fact for group in groups for fact in group.facts]),
        total=len(facts),
        seats=seats,
        missed=tuple(
            (seats[fact.session_id], fact.session_id)
            for group in groups
            for fact in group.facts
            if tone_of(fact.disposition) is Tone.FAIL
        ),
        edition=_edition(outline, groups),
    )


def _edition(outline: Outline, groups: Iterable[SessionGroup]) -> str:
    said = hashlib.sha256(outline.wave.findings.source_revision.encode(errors="surrogatepass"))
    for group in groups:
        for fact in group.facts:
            line = f"{fact.session_id} {fact.disposition.value}\n"
            said.update(line.encode(errors="surrogatepass"))
    return said.hexdigest()[:8]


def _lead(outline: Outline, facts: Sequence[SessionFacts], *, words: bool) -> str:
    if not outline.recorded:
        return "This document came without its recording, so no session can be listed."
    started = sum(fact.started for fact in facts)
    kind = slot_kind(outline)
    said = f"{plural(len(facts), f'{kind} session')}, {started:,} of which started."
    if started == len(facts):
        said = f"All {plural(len(facts), f'{kind} session')} started."
    if len(facts) == 1:
        said = f"The one {kind} session {'started' if started else 'did not start'}."
    return said if words or not started else f"{said} No words of a persona were recorded."


def _is_refused(fact: SessionFacts) -> bool:
    return not fact.started or fact.started_by == "refused"


def _group_of(
    outline: Outline, fact: SessionFacts, *, by_pair: bool, several: bool
) -> tuple[object, str]:
    """Return what a session has in common with its group: who it is of, and of what."""
    who = (fact.persona_ref_id, fact.persona_name)
    what = fact.goal_id if by_pair else fact.target_id if several else ""
    return (who if any(map(is_recorded, outline.personas)) else "", what)


def _title(outline: Outline, fact: SessionFacts, *, by_pair: bool, several: bool) -> str:
    key = (fact.persona_ref_id, fact.persona_name)
    persona = outline.personas[key].name
    if not any(map(is_recorded, outline.personas)):
        # Nobody is recorded at all: what there is to tell apart are goals and targets.
        goal, target = outline.goals[fact.goal_id].short_title, outline.targets[fact.target_id]
        return goal if by_pair else target.label if several else "All sessions"
    if by_pair:
        return f"{persona}, {outline.goals[fact.goal_id].short_title}"
    return f"{persona}, {outline.targets[fact.target_id].label}" if several else persona


def _name_room(names: Iterable[str]) -> Literal["little", "usual", "much"]:
    longest = max(map(len, names), default=0)
    return "little" if longest <= SHORT_NAME else "usual" if longest <= LONG_NAME else "much"


def _caption(outline: Outline, *, by_pair: bool) -> str:
    several = len(outline.targets) > 1
    who = ["persona"] if any(map(is_recorded, outline.personas)) else []
    if by_pair:
        who.append("goal")
    elif several:
        who.append("target")
    return f"Sessions, grouped by {' and '.join(who)}" if who else "Sessions"


def session_row(
    outline: Outline, fact: SessionFacts, places: Places, names: Mapping[str, str]
) -> SessionRow:
    """Show one session as the list does."""
    embedded = fact.session_id in places.embedded
    whole = places.is_whole(fact.session_id)
    signals = {match.signal: None for match in fact.signals}
    said = {signal.value for signal in signals}
    first = one_line(fact.first_words or "", FIRST_WORDS_LIMIT)
    return SessionRow(
        session_id=shown_id(fact.session_id),
        name=names[fact.session_id],
        anchor=row_anchor(fact.session_id) if embedded else session_anchor(fact.session_id),
        href=places.href(fact.session_id, session_anchor(fact.session_id)),
        has_transcript=whole,
        mark=tone_mark(fact.disposition),
        attempt=attempt_words(fact),
        persona=outline.personas[(fact.persona_ref_id, fact.persona_name)].name,
        goal=outline.goals[fact.goal_id].short_title,
        target=outline.targets[fact.target_id].label,
        first_words=_first_words(fact, first),
        ran=fact.started,
        verdict=fact.verdict.verdict.label,
        reason=verdict_reason(fact),
        chain=mini_chain(fact.chain),
        signals=tuple(signal.label for signal in signals),
        recorded=_recorded_words(fact),
        friction=tuple(reason.label for reason in fact.friction if reason.value not in said),
        read_note=_read_note(fact),
        file=_file(fact) if fact.has_transcript and not whole else "",
        filters={
            "persona": str(outline.persona_places[fact.persona_ref_id, fact.persona_name]),
            "goal": str(outline.goal_places[fact.goal_id]),
            "target": str(outline.target_places[fact.target_id]),
            "disposition": fact.disposition.value,
            "signal": " ".join(signals),
            "link": first_failed(fact.chain) or "",
            "tool": " ".join(str(outline.tool_places[tool]) for tool in tools_with_errors(fact)),
        },
    )


def _chain_key(chain: Chain) -> ChainKey:
    return tuple((row.stage, row.state) for row in chain.rows)


def attempt_words(fact: SessionFacts) -> str:
    """Say what became of the attempt, and how many turns it took."""
    turns = f", {plural(fact.turns_used, 'turn')}" if fact.turns_used else ""
    inferred = (fact.attempt.model_extra or {}).get("inferred") if fact.attempt else None
    return f"{lifecycle_words(fact)}{turns}{' (inferred)' if inferred else ''}"


def verdict_reason(fact: SessionFacts) -> str:
    """Say why the verdict is what it is, with the judge's or the check's own words."""
    said = reason_words(fact)
    failed = [
        check for check in fact.criteria if check.outcome == "failed" and check.role == "required"
    ]
    if failed:
        named = [one_line(check.label or check.criterion_id, NAME_LIMIT) for check in failed[:3]]
        said += f": {', '.join(quoted(name) for name in named)}"
    return said


def _file(fact: SessionFacts) -> str:
    # A recording has one file a session, of the session's name: thousands need no telling.
    if fact.file == f"sessions/{fact.session_id}.jsonl":
        return ""
    return one_line(fact.file, NAME_LIMIT)


def _first_words(fact: SessionFacts, first: str) -> str:
    if not fact.started:
        return refusal_words(fact)
    if fact.started_by == "refused":
        said = connection_words(fact, FIRST_WORDS_LIMIT)
        return capital(said)
    if first:
        return quoted(first)
    # What is lost may have held some.
    loaded = "could be loaded" if fact.is_lost else "were recorded"
    return f"No words of the persona {loaded}"


def _recorded_words(fact: SessionFacts) -> str:
    """Name the matches; "none" alone would claim what nothing on record can decide."""
    if fact.signals:
        return ", ".join(match.signal.label for match in fact.signals)
    if not fact.started:
        return "no message recorded" if is_silent(fact) else "did not run"
    if not fact.is_read:
        return "not evaluated"
    blind = len(fact.signals_not_evaluated)
    return f"none; {blind} not evaluated" if blind else "none"


def _read_note(fact: SessionFacts) -> str:
    if fact.read_state is None or fact.read_state is ReadState.READ:
        return ""
    return f"not read: {fact.read_state.label}"


def _choices(outline: Outline, facts: Sequence[SessionFacts]) -> FilterChoices:
    words = Counter(fact.disposition for fact in facts)
    signals = Counter(match.signal for fact in facts for match in fact.signals)
    findings = [row.finding for row in outline.wave.findings.rows]
    bases = {finding.basis for finding in findings}
    scopes = {finding.scope_level for finding in findings}
    links = {first_failed(fact.chain) for fact in facts}
    return FilterChoices(
        persona=_options([person.name for person in outline.personas.values()]),
        goal=_options(list(goal_names(outline.goals.values(), CHOICE_LIMIT).values())),
        target=_options([target.label for target in outline.targets.values()]),
        outcome=tuple(_outcome_options(words)),
        disposition=tuple(
            FilterOption(word.value, word.label) for word in Disposition if words[word]
        ),
        link=tuple(FilterOption(one.value, one.label) for one in Stage if one in links),
        signal=tuple(
            FilterOption(signal.value, signal.label) for signal in Signal if signals[signal]
        ),
        tool=_options([one_line(tool, TOOL_LIMIT) or "(no name)" for tool in outline.tool_places]),
        basis=tuple(FilterOption(one.value, one.label) for one in Basis if one in bases),
        scope=tuple(FilterOption(one.value, one.label) for one in ScopeLevel if one in scopes),
    )


def _outcome_options(words: Counter[Disposition]) -> Iterator[FilterOption]:
    for tone, label in GROUP_LABELS:
        own = [word.value for word in Disposition if words[word] and tone_of(word) is tone]
        if own:
            yield FilterOption(" ".join([tone.value, *own]), label)


def _options(labels: Sequence[str]) -> tuple[FilterOption, ...]:
    return tuple(FilterOption(str(index), bare(label)) for index, label in enumerate(labels))
