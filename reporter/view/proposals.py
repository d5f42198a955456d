"""Every explanation that a model proposed: its words, what they rest on, what became of it.

What is not published is shown to be judged, never to be believed: it says that it is no
finding, and it has no tone.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from reporter.models.phrases import GroupFate, GroupKey, PhraseWork, ProposalFate, Refusal, Support
from reporter.view.anchor import anchor, cause_anchor, turn_anchor
from reporter.view.author import ModelWords, model_words
from reporter.view.citations import PlaceLink, pointer_anchor
from reporter.view.count import Count
from reporter.view.links import SessionLinks, turn_words
from reporter.view.text import CleanText, clip, listed, one_line, plural, quoted
from reporter.view.work_words import group_words, is_omitted, rules_words
from reporter.vocabulary import PhraseRule, ProposalState, Stage

SHOWN_OF_STATE: Final = 40
"""Proposals of one state that a page shows; the rest are counted by rule."""
FOLDED_FROM: Final = 7
"""Proposals from which on each is closed to a line."""
SUPPORTS_SHOWN: Final = 8
TURNS_SHOWN: Final = 12
PLACES_SHOWN: Final = 4
REFUSALS_SHOWN: Final = 8
PHRASE_CHARS: Final = 400
"""Characters of a proposed phrase; one that keeps the rules has 240 at most."""
QUOTE_CHARS: Final = 320
WHAT_CHARS: Final = 200

_COUNTED: Final = re.compile(r"[0-9,]+( of [0-9,]+)? [a-z]+")
"""What is counted of a phrase, such as `9 of 8 words`: code's words, all of them."""
_TURN: Final = re.compile(r"turn (-?[0-9]{1,9})")
FIX_SLOT: Final = "fixPhrase"
SLOT_WORDS: Final = {
    "outcomePhrase": "outcome",
    "mechanismPhrase": "cause",
    FIX_SLOT: "fix",
    "actual": "what happened",
    "account": "own words",
}
"""What a reader calls each phrase."""

_HEADS: Final = {
    ProposalState.CONFIRMED: "Confirmed",
    ProposalState.UNVERIFIED: "Not verified",
    ProposalState.REJECTED: "Rejected",
}
"""In the order of the page: what a reader acts on, what is open, what is thrown away."""
_LEADS: Final = {
    ProposalState.CONFIRMED: (
        "At least one cited session bore each of these out. Only such sessions are counted."
    ),
    ProposalState.UNVERIFIED: (
        "None of these is a finding. Nothing spoke against them, and nobody could say that the "
        "cited turns bear them out."
    ),
    ProposalState.REJECTED: (
        "None of these is a finding. They are here so that a reader can judge what was thrown "
        "away, and why."
    ),
}


@dataclass(frozen=True, slots=True)
class RefusalLine:
    """One rule that proposed words broke."""

    rule: str
    """Label of the rule."""
    slot: str
    """Such as `fix`; empty where the rule is about the whole proposal."""
    meaning: str
    what: str
    """What broke it, in code's words; may be empty."""
    piece: ModelWords
    """The words of the phrase that broke it; may be empty."""


@dataclass(frozen=True, slots=True)
class SupportLine:
    """One session that a proposal rests on."""

    session: PlaceLink
    """Its `href` is empty where the wave has no such session."""
    turns: tuple[PlaceLink, ...]
    more_turns: str
    quote: str | ModelWords
    """What the model says stands there: recorded words where they were found, else a model's."""
    is_cut: bool
    """True: the quotation goes on."""
    found: bool
    """True: the quotation stands in the recording."""
    places: tuple[PlaceLink, ...]
    """Where it stands."""
    answer: str
    """What the second look came to, by whom, or why there was none."""


@dataclass(frozen=True, slots=True)
class ProposalView:
    """One proposal, and what became of it."""

    anchor: str
    number: int
    """Its place among all proposals, in the order in which they were asked for."""
    title: str
    """Such as `Proposal 3: rejected, not a finding`."""
    brief: str
    """Why, in a few words, for its closed line; empty for a published one."""
    is_published: bool
    outcome: ModelWords
    mechanism: ModelWords
    fix: ModelWords
    """Empty where none was proposed."""
    fix_refused: bool
    """True: the fix alone was refused, and nothing publishes it."""
    no_words: str
    """Said where the reply held nothing that could be read; empty otherwise."""
    stage: str
    """The link it names, or that it names none."""
    group: str
    """What it was asked about."""
    cause: PlaceLink | None
    """The cause it is published as, where the page shows that."""
    became: str
    """What became of it, in a sentence or two."""
    why: tuple[RefusalLine, ...]
    more_why: str
    supports: tuple[SupportLine, ...]
    more_supports: str


@dataclass(frozen=True, slots=True)
class ProposalGroup:
    """The proposals that ended in one state."""

    state: str
    """As the wire spells it."""
    title: str
    """Such as `Rejected: 3 of 8 proposals`."""
    lead: str
    rules: str
    """How often each rule was broken, where proposals are many; else empty."""
    proposals: tuple[ProposalView, ...]
    more: str
    """How many are not shown, by rule; may be empty."""


@dataclass(frozen=True, slots=True)
class ProposalsView:
    """All proposals of a wave."""

    groups: tuple[ProposalGroup, ...]
    folded: bool
    """True: there are many, so that each is closed to a line."""


NO_PROPOSALS: Final = ProposalsView((), folded=False)


def proposals_view(
    work: PhraseWork,
    links: SessionLinks,
    causes: Mapping[str, int],
    shown: int = SHOWN_OF_STATE,
) -> ProposalsView:
    """Lay every proposal out, grouped by what became of it.

    Args:
        work: All that became of asking a model.
        links: Leads to sessions.
        causes: Number of each cause that the page shows, by mechanism id.
        shown: Proposals of one state that are shown; the rest are counted by rule.

    Rule: report.md section 3.11.
    """
    numbered = list(zip(proposal_anchors(work), work.proposals, strict=True))
    ledger = _Ledger({fate.key: fate for fate in work.groups}, links, causes)
    groups = []
    for state in _HEADS:
        own = [
            _proposal(number, name, fate, ledger)
            for number, (name, fate) in enumerate(numbered, start=1)
            if fate.state is state
        ]
        if own:
            fates = [fate for _, fate in numbered if fate.state is state]
            count = Count(len(own), len(numbered), "proposal")
            groups.append(_group(state, count, own[:shown], fates))
    return ProposalsView(tuple(groups), folded=len(numbered) >= FOLDED_FROM)


def proposal_anchors(work: PhraseWork) -> tuple[str, ...]:
    """Name where each proposal stands; one that was said twice stands at two places."""
    seen: Counter[str] = Counter()
    names = []
    for fate in work.proposals:
        seen[fate.key] += 1
        again = (seen[fate.key],) if seen[fate.key] > 1 else ()
        names.append(anchor("proposal", fate.key, *again))
    return tuple(names)


def published_as(work: PhraseWork | None) -> Mapping[str, tuple[PlaceLink, ...]]:
    """Return the proposals that each published cause came from, by mechanism id."""
    found: dict[str, list[PlaceLink]] = {}
    if work is None:
        return {}
    for number, (name, fate) in enumerate(
        zip(proposal_anchors(work), work.proposals, strict=True), start=1
    ):
        if fate.mechanism_id is not None:
            link = PlaceLink(f"Proposal {number:,}", f"#{name}")
            found.setdefault(fate.mechanism_id, []).append(link)
    return {one: tuple(places) for one, places in found.items()}


def no_fix_words(work: PhraseWork | None, mechanism_id: str) -> str:
    """Say why a published cause has no fix: none was proposed, or the one that was is refused."""
    refused = [
        refusal
        for fate in (work.proposals if work is not None else ())
        if fate.mechanism_id == mechanism_id and fate.fix_refused
        for refusal in fate.refusals
        if refusal.slot == FIX_SLOT
    ]
    if refused:
        return f"One was proposed for this cause and refused: {rules_words(refused)}."
    return "None was proposed for this cause."


def led_to(work: PhraseWork | None, links: SessionLinks) -> Mapping[str, frozenset[str]]:
    """Return the ids of places inside sessions that the ledger leads to, by session id."""
    found: dict[str, set[str]] = {}
    supports = [one for fate in work.proposals for one in fate.support] if work is not None else []
    for support in supports:
        for citation in support.citations[:PLACES_SHOWN]:
            session_id, _, pointer = citation.partition("/")
            found.setdefault(session_id, set()).add(pointer_anchor(session_id, pointer))
        own = found.setdefault(support.session_id, set())
        own.update(
            turn_anchor(support.session_id, index)
            for index in support.turns[:TURNS_SHOWN]
            if links.has_turn(support.session_id, index)
        )
    return {one: frozenset(places) for one, places in found.items() if places}


def refusal_lines(refusals: Iterable[Refusal]) -> tuple[RefusalLine, ...]:
    """Show why words were refused."""
    return tuple(
        RefusalLine(
            rule=one.rule.label,
            slot=SLOT_WORDS.get(one.slot, one_line(one.slot, 40)),
            meaning=one.rule.meaning,
            what=_what(one)[0],
            piece=_what(one)[1],
        )
        for one in refusals
    )


def _what(refusal: Refusal) -> tuple[str, ModelWords]:
    """Tell code's words about a refusal from the piece of a phrase that they name."""
    said = one_line(refusal.what, WHAT_CHARS)
    turn = _TURN.fullmatch(said)
    if turn is not None and refusal.rule is PhraseRule.TURN_MISSING:
        # Files count turns from zero; a reader of the page counts from one.
        return turn_words(int(turn[1])), ModelWords("")
    if not refusal.slot or _COUNTED.fullmatch(said):
        return said, ModelWords("")
    head, colon, piece = said.partition(": ")
    return (head, ModelWords(piece)) if colon else ("", ModelWords(said))


def _group(
    state: ProposalState,
    count: Count,
    shown: Sequence[ProposalView],
    fates: Sequence[ProposalFate],
) -> ProposalGroup:
    return ProposalGroup(
        state=state.value,
        title=f"{_HEADS[state]}: {count.text}",
        lead=_LEADS[state],
        rules=_rules(fates) if len(fates) >= FOLDED_FROM else "",
        proposals=tuple(shown),
        more=_more_words(fates[len(shown) :]),
    )


def _rules(fates: Sequence[ProposalFate]) -> str:
    counts = Counter(rule for fate in fates for rule in {one.rule for one in fate.refusals})
    ranked = sorted((rule for rule in PhraseRule if counts[rule]), key=lambda one: -counts[one])
    said = [f"{quoted(rule.label)} in {counts[rule]:,}" for rule in ranked]
    return f"By rule, of which one proposal can break several: {listed(said)}." if said else ""


def _more_words(rest: Sequence[ProposalFate]) -> str:
    """Count proposals that are not shown, by the first rule that each broke."""
    if not rest:
        return ""
    counts = Counter(fate.refusals[0].rule for fate in rest if fate.refusals)
    said = [f"{counts[rule]:,} {quoted(rule.label)}" for rule in PhraseRule if counts[rule]]
    tail = f": {listed(said)}" if said else ""
    return f"{plural(len(rest), 'more proposal')} of this state not shown{tail}."


@dataclass(frozen=True, slots=True)
class _Ledger:
    """What every proposal is laid out with."""

    groups: Mapping[GroupKey, GroupFate]
    links: SessionLinks
    causes: Mapping[str, int]


def _proposal(number: int, name: str, fate: ProposalFate, ledger: _Ledger) -> ProposalView:
    is_published = fate.mechanism_id is not None and fate.state is ProposalState.CONFIRMED
    supports = fate.support[:SUPPORTS_SHOWN]
    words = (fate.outcome_phrase, fate.mechanism_phrase, fate.fix_phrase)
    return ProposalView(
        anchor=name,
        number=number,
        title=f"Proposal {number:,}: {_state_words(fate, is_published=is_published)}",
        brief=_brief(fate, is_published=is_published),
        is_published=is_published,
        outcome=model_words(fate.outcome_phrase, PHRASE_CHARS),
        mechanism=model_words(fate.mechanism_phrase, PHRASE_CHARS),
        fix=model_words(fate.fix_phrase, PHRASE_CHARS),
        fix_refused=fate.fix_refused,
        no_words="" if any(words) else "The reply held no words that could be read as a proposal.",
        stage=_stage_words(fate.stage),
        group=_asked_about(fate, ledger.groups.get(fate.group)),
        cause=_cause(fate, ledger.causes) if is_published else None,
        became=" ".join(_became(fate, ledger.causes, is_published=is_published)),
        why=refusal_lines(fate.refusals[:REFUSALS_SHOWN]),
        more_why=_more(len(fate.refusals) - REFUSALS_SHOWN, "more rule"),
        supports=tuple(_support(one, ledger.links) for one in supports),
        more_supports=_more(len(fate.support) - SUPPORTS_SHOWN, "more cited session"),
    )


def _state_words(fate: ProposalFate, *, is_published: bool) -> str:
    if is_published:
        return "confirmed and published"
    if fate.state is ProposalState.CONFIRMED:
        return "confirmed but not published, not a finding"
    return f"{fate.state.label}, not a finding"


def _brief(fate: ProposalFate, *, is_published: bool) -> str:
    if not is_published:
        return rules_words(fate.refusals)
    return f"fix refused: {rules_words(fate.refusals)}" if fate.fix_refused else ""


def _stage_words(stage: Stage | None) -> str:
    return stage.label if stage else "It names none of the six links."


def _asked_about(fate: ProposalFate, group: GroupFate | None) -> str:
    words = group_words(fate.group)
    if group is None:
        return f"Sessions with {words}."
    shown = len(group.shown)
    if group.sessions == 1:
        was = "was shown" if shown else "was not shown"
        return f"1 session with {words}, which {was} to the model."
    of = f"{shown:,} of them {'was' if shown == 1 else 'were'}" if shown else "none was"
    return f"{plural(group.sessions, 'session')} with {words}; {of} shown to the model."


def _cause(fate: ProposalFate, causes: Mapping[str, int]) -> PlaceLink | None:
    if fate.mechanism_id is None or fate.mechanism_id not in causes:
        return None
    return PlaceLink(f"Cause {causes[fate.mechanism_id]:,}", f"#{cause_anchor(fate.mechanism_id)}")


def _became(fate: ProposalFate, causes: Mapping[str, int], *, is_published: bool) -> Iterator[str]:
    looked = any(one.answer is not None for one in fate.support)
    if is_published:
        if fate.mechanism_id not in causes:
            yield "Published as a cause that this page has no room for."
        if fate.fix_refused:
            yield "Its fix was refused and is published nowhere; the cause stands without it."
    elif is_omitted(fate):
        yield "Confirmed, and not published."
    elif fate.state is ProposalState.UNVERIFIED:
        yield "Not published."
    else:
        yield (
            "Rejected after a second look at the cited turns."
            if looked
            else "Rejected by code before any second look."
        )


def _support(support: Support, links: SessionLinks) -> SupportLine:
    session = links.session(support.session_id)
    found = bool(support.citations)
    said = clip(one_line(support.quote, QUOTE_CHARS * 2), QUOTE_CHARS)
    quote = CleanText(said.text)
    return SupportLine(
        session=session,
        turns=tuple(links.turn(support.session_id, one) for one in support.turns[:TURNS_SHOWN]),
        more_turns=_more(len(support.turns) - TURNS_SHOWN, "more turn"),
        quote=quote if found else ModelWords(quote),
        is_cut=bool(said.left_out),
        found=found,
        places=tuple(links.place(one) for one in support.citations[:PLACES_SHOWN]),
        answer=_answer(support),
    )


def _answer(support: Support) -> str:
    if support.answer is not None:
        by = "a person" if support.by_person else "a model"
        return f"Second look, by {by}: {support.answer.label}."
    if support.unanswered is not None:
        return f"Second look: no answer. {support.unanswered.meaning}"
    return "Second look: none was asked for."


def _more(left: int, one: str) -> str:
    return f"and {plural(left, one)}" if left > 0 else ""
