"""A proposal before anybody looks twice: what it cites must stand there, and its words must hold.

Nothing here asks a model. A proposal that breaks a rule is rejected with every rule it broke.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from reporter.canonical import canonical_digest
from reporter.models.facts import SessionFacts
from reporter.models.phrases import GroupKey, ProposalFate, Refusal, Support
from reporter.phrases.cited import cited, kept_words
from reporter.phrases.guard import PhraseEvidence, SpokenNames, guard_refusals, slot_refusals
from reporter.phrases.mechanism_id import normalized
from reporter.phrases.read_reply import ProposalReply, SupportReply, UnfitReply
from reporter.phrases.tallies import Tally
from reporter.phrases.transcript import Piece, ReadTranscript
from reporter.redaction import REDACTED
from reporter.vocabulary import PhraseRule, ProposalState, Stage, StageState

_LEAST_FOR_ALL: Final = 2
"""Sessions from which on words such as "always" are no claim about what was not seen."""
_KEY_DIGITS: Final = 16
_STAGES: Final = {stage.value: stage for stage in Stage}


@dataclass(frozen=True)
class Readings:
    """What proposals are checked against: the wave's sessions, and those a model was shown."""

    facts: Mapping[str, SessionFacts]
    """Every session of the wave, by id."""
    transcripts: Mapping[str, ReadTranscript]
    """Sessions of which turns were shown, by id."""
    names: SpokenNames

    @cached_property
    def _read_by_cell(self) -> Mapping[tuple[str, str], frozenset[str]]:
        cells: dict[tuple[str, str], set[str]] = defaultdict(set)
        for session in self.facts.values():
            if session.is_read:
                cells[session.run_id, session.target_id].add(session.session_id)
        return {cell: frozenset(ids) for cell, ids in cells.items()}

    def covers_all(self, session_ids: Iterable[str]) -> bool:
        """Tell whether these are all read sessions of every cell that they belong to.

        One session shows nothing of "always", so there are at least two.
        """
        named = set(session_ids)
        cells = {(self.facts[one].run_id, self.facts[one].target_id) for one in named}
        return len(named) >= _LEAST_FOR_ALL and all(
            self._read_by_cell[cell] <= named for cell in cells
        )

    def all_failed_at(self, session_ids: Iterable[str], stage: Stage) -> bool:
        """Tell whether the own chain of every session failed at a link.

        Rule: findings.md section 6.3, mechanism row.
        """
        chains = [self.facts[one].chain for one in session_ids]
        return bool(chains) and all(
            chain is not None and chain.row(stage).state is StageState.FAILED for chain in chains
        )


def checked_proposals(
    key: GroupKey, entries: Sequence[ProposalReply | UnfitReply], readings: Readings
) -> tuple[ProposalFate, ...]:
    """Check all proposals of one reply.

    Returns:
        One fate an entry, in order: `rejected` with every rule that it broke, else
        `unverified`, which a second look settles.

    Rule: findings.md section 9.4.
    """
    seen: set[tuple[Stage, str]] = set()
    fates: list[ProposalFate] = []
    for entry in entries:
        if isinstance(entry, UnfitReply):
            fates.append(_unfit(key, entry, len(fates)))
            continue
        fate = _checked(key, entry, readings)
        if fate.stage is not None:
            same = (fate.stage, normalized(entry.mechanism_phrase))
            if same in seen:
                refusal = Refusal(PhraseRule.REPEATED, "", "")
                fate = replace(
                    fate, state=ProposalState.REJECTED, refusals=(*fate.refusals, refusal)
                )
            seen.add(same)
        fates.append(fate)
    return tuple(_told_apart(fates))


def proposal_decision(fate: ProposalFate) -> str:
    """Say in wire words what became of a proposal."""
    rules = sorted({refusal.rule.value for refusal in fate.refusals})
    why = f" ({', '.join(rules)})" if rules else ""
    return f"{fate.key}: {fate.state.value}{why}"


def _checked(key: GroupKey, reply: ProposalReply, readings: Readings) -> ProposalFate:
    stage = _STAGES.get(reply.stage)
    refusals = [] if stage else [Refusal(PhraseRule.UNKNOWN_STAGE, "", "")]
    words = (reply.outcome_phrase, reply.mechanism_phrase, reply.fix_phrase)
    refusals += slot_refusals(*words, readings.names)
    refusals += _masked_words(reply)
    support, broken, pieces = _support(reply.support, readings)
    refusals += broken
    fix_refusals: list[Refusal] = []
    if stage is not None and not broken:
        named = {one.session_id for one in support}
        evidence = PhraseEvidence(
            texts=tuple(text for piece in pieces for text in (*piece.texts, piece.head)),
            stage=stage,
            disposition=key.disposition,
            measured=readings.all_failed_at(named, stage),
            covers_all=readings.covers_all(named),
            tallies=_all_tallies(support, readings),
        )
        for refusal in guard_refusals(*words, readings.names, evidence):
            (fix_refusals if refusal.slot == "fixPhrase" else refusals).append(refusal)
    return ProposalFate(
        key=_key(key, reply),
        group=key,
        stage=stage,
        outcome_phrase=kept_words(reply.outcome_phrase),
        mechanism_phrase=kept_words(reply.mechanism_phrase),
        fix_phrase=None if reply.fix_phrase is None else kept_words(reply.fix_phrase),
        support=support,
        state=ProposalState.REJECTED if refusals else ProposalState.UNVERIFIED,
        refusals=(*dict.fromkeys([*refusals, *fix_refusals]),),
        fix_refused=bool(fix_refusals),
    )


def _masked_words(reply: ProposalReply) -> Iterator[Refusal]:
    """Refuse a phrase that held a secret, or that hands on the mark that stands for one."""
    words = {
        "outcomePhrase": reply.outcome_phrase,
        "mechanismPhrase": reply.mechanism_phrase,
        "fixPhrase": reply.fix_phrase or "",
    }
    for slot, text in words.items():
        if REDACTED in text:
            yield Refusal(PhraseRule.CREDENTIAL, slot, "")


def _support(
    entries: Sequence[SupportReply], readings: Readings
) -> tuple[tuple[Support, ...], list[Refusal], list[Piece]]:
    """Return the cited sessions, what is wrong with them, and the cited pieces."""
    support: list[Support] = []
    refusals: list[Refusal] = []
    pieces: list[Piece] = []
    speakers: set[bool] = set()
    for entry in entries:
        own = readings.transcripts.get(entry.session_id)
        found: tuple[Piece, ...] = ()
        is_found = False
        if own is None:
            refusals.append(_strange_session(entry.session_id, readings))
        else:
            at = cited(own, entry.turns, entry.quote)
            pieces += at.pieces
            refusals += at.refusals
            found = at.found
            is_found = at.holds
        if is_found:
            speakers.add(all(piece.by == "persona" for piece in found))
        support.append(
            Support(
                session_id=kept_words(entry.session_id) if own is None else entry.session_id,
                turns=tuple(entry.turns),
                quote=kept_words(entry.quote),
                citations=_places(found),
            )
        )
    if not entries:
        refusals.append(Refusal(PhraseRule.NO_SUPPORT, "", ""))
    if speakers == {True}:
        refusals.append(Refusal(PhraseRule.PERSONA_QUOTES_ONLY, "", ""))
    return tuple(support), refusals, pieces


def _all_tallies(support: Sequence[Support], readings: Readings) -> tuple[Tally, ...]:
    """Count the calls of the cited turns, session by session."""
    turns: dict[str, set[int]] = defaultdict(set)
    for one in support:
        turns[one.session_id] |= set(one.turns)
    return tuple(
        tally for name, own in turns.items() for tally in readings.transcripts[name].tallies(own)
    )


def _strange_session(session_id: str, readings: Readings) -> Refusal:
    known = readings.facts.get(session_id)
    if known is not None and not known.is_read:
        return Refusal(PhraseRule.NOT_READ, "", "")
    return Refusal(PhraseRule.UNKNOWN_SESSION, "", "")


def _places(found: Sequence[Piece]) -> tuple[str, ...]:
    """Return where a quotation stands: what others said of it before what the persona did."""
    heard = [piece for piece in found if piece.by != "persona"] or found
    return tuple(dict.fromkeys(one for piece in heard[:1] for one in piece.citations))


def _unfit(key: GroupKey, entry: UnfitReply, place: int) -> ProposalFate:
    def word(name: str) -> str:
        value: Any = entry.words.get(name)
        return kept_words(value) if isinstance(value, str) else ""

    return ProposalFate(
        key=canonical_digest([key.text, "unfit", place])[:_KEY_DIGITS],
        group=key,
        stage=_STAGES.get(word("stage")),
        outcome_phrase=word("outcomePhrase"),
        mechanism_phrase=word("mechanismPhrase"),
        fix_phrase=word("fixPhrase") or None,
        support=(),
        state=ProposalState.REJECTED,
        refusals=(entry.refusal,),
    )


def _key(key: GroupKey, reply: ProposalReply) -> str:
    support = [[one.session_id, one.turns, one.quote] for one in reply.support]
    words = [reply.outcome_phrase, reply.mechanism_phrase, reply.fix_phrase]
    return canonical_digest([key.text, reply.stage, *words, support])[:_KEY_DIGITS]


def _told_apart(fates: Sequence[ProposalFate]) -> Iterator[ProposalFate]:
    """Give proposals that are equal to the letter keys of their own."""
    times: dict[str, int] = {}
    for fate in fates:
        times[fate.key] = times.get(fate.key, 0) + 1
        again = times[fate.key]
        yield fate if again == 1 else replace(fate, key=f"{fate.key}-{again}")
