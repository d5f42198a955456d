"""What second looks come to: confirmed, rejected or not verified."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from reporter.models.phrases import ProposalFate, Refusal, Support
from reporter.phrases.guard import speaks_of_all
from reporter.phrases.proposal import Readings
from reporter.vocabulary import PhraseRule, ProposalState, ReplyState, Stage, SupportAnswer

LookKey = tuple[str, str]
"""A proposal's key and the id of a session that it cites."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a second look at one session came to."""

    answer: SupportAnswer | None
    """None where there was none."""
    reply: ReplyState = ReplyState.ANSWERED
    by_person: bool = False


def awaiting(fates: Sequence[ProposalFate]) -> tuple[tuple[ProposalFate, Stage, str], ...]:
    """Return each proposal that awaits a second look, its link, and each session it cites."""
    return tuple(
        (fate, fate.stage, session_id)
        for fate in fates
        if fate.state is ProposalState.UNVERIFIED and fate.stage is not None
        for session_id in dict.fromkeys(one.session_id for one in fate.support)
    )


def settled(fate: ProposalFate, looks: Mapping[LookKey, Look], readings: Readings) -> ProposalFate:
    """Settle one proposal by its second looks; one that was rejected before stays so.

    Rule: findings.md section 9.5.
    """
    if fate.state is not ProposalState.UNVERIFIED:
        return fate
    support = tuple(_looked_at(fate.key, one, looks) for one in fate.support)
    answers = {one.answer for one in support}
    confirmed = {one.session_id for one in support if one.answer is SupportAnswer.SUPPORTS}
    state: ProposalState = ProposalState.UNVERIFIED
    rule: PhraseRule | None = PhraseRule.NOT_SETTLED
    if confirmed:
        state, rule = ProposalState.CONFIRMED, None
        if speaks_of_all(fate.mechanism_phrase) and not readings.covers_all(confirmed):
            state, rule = ProposalState.REJECTED, PhraseRule.WIDER_THAN_CONFIRMED
    elif SupportAnswer.CONTRADICTS in answers:
        state, rule = ProposalState.REJECTED, PhraseRule.CONTRADICTED
    elif SupportAnswer.CANNOT_TELL not in answers:
        rule = PhraseRule.NOT_ASKED
    refusals = fate.refusals if rule is None else (*fate.refusals, Refusal(rule, "", ""))
    return replace(fate, state=state, support=support, refusals=refusals)


def supporting(fate: ProposalFate) -> tuple[Support, ...]:
    """Return the cited sessions that bear a proposal out; only they are counted and cited."""
    return tuple(one for one in fate.support if one.answer is SupportAnswer.SUPPORTS)


def _looked_at(key: str, support: Support, looks: Mapping[LookKey, Look]) -> Support:
    look = looks.get((key, support.session_id))
    if look is None:
        return replace(support, unanswered=ReplyState.MISSING)
    if look.answer is None:
        return replace(support, unanswered=look.reply, by_person=look.by_person)
    return replace(support, answer=look.answer, by_person=look.by_person)
