"""A second look by a person: what there is to look at, and what they said of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reporter.models.phrases import ProposalFate
from reporter.phrases.kept import PersonAnswer, PhrasesDocument
from reporter.phrases.shown import shown_turns
from reporter.phrases.transcript import ReadTranscript
from reporter.vocabulary import SupportAnswer


@dataclass(frozen=True, slots=True)
class OpenLook:
    """One proposal beside the turns of one session that it cites."""

    proposal: ProposalFate
    session_id: str
    turns: tuple[int, ...]
    """Zero-based, ascending."""
    quote: str
    text: str
    """The cited turns, masked."""
    answer: SupportAnswer | None
    """What a model or a person said of it before, or None."""
    by_person: bool


def open_looks(
    proposals: Sequence[ProposalFate], transcripts: Mapping[str, ReadTranscript]
) -> tuple[OpenLook, ...]:
    """Return every cited session of every proposal that passed the rules, in order of asking.

    What was rejected before a second look is not there: no answer would change it.
    """
    looks: dict[tuple[str, str], OpenLook] = {}
    for fate in proposals:
        for one in fate.support:
            if one.answer is None and one.unanswered is None:
                continue
            own = [each for each in fate.support if each.session_id == one.session_id]
            turns = sorted({turn for each in own for turn in each.turns})
            shown = shown_turns(transcripts[one.session_id], turns, own[0].quote)
            look = OpenLook(
                proposal=fate,
                session_id=one.session_id,
                turns=tuple(turns),
                quote=own[0].quote,
                text=shown.text,
                answer=one.answer,
                by_person=one.by_person,
            )
            looks.setdefault((fate.key, one.session_id), look)
    return tuple(looks.values())


def with_answer(
    document: PhrasesDocument, look: OpenLook, answer: SupportAnswer
) -> PhrasesDocument:
    """Return the kept replies with what a person said; an earlier word of theirs gives way."""
    said = PersonAnswer(proposal=look.proposal.key, session_id=look.session_id, answer=answer)
    others = [
        one
        for one in document.persons
        if (one.proposal, one.session_id) != (said.proposal, said.session_id)
    ]
    return document.model_copy(update={"persons": [*others, said]})
