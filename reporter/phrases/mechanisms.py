"""Confirmed proposals as mechanisms, and the rows that publish them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from reporter.findings.fixed import OWN_WORD
from reporter.findings.fold import StageShown
from reporter.findings.grouping import Cell, Wave
from reporter.findings.population_row import cell_scope, counted_row
from reporter.models.facts import SessionFacts
from reporter.models.finding import FindingRow, Verification
from reporter.models.phrases import ProposalFate, Refusal
from reporter.phrases.mechanism_id import are_near, mechanism_id, mechanism_row_id, words_of
from reporter.phrases.proposal import Readings
from reporter.phrases.verdicts import supporting
from reporter.vocabulary import (
    Basis,
    ChainStageBasis,
    Disposition,
    PhraseRule,
    ProposalState,
    Stage,
    StageState,
    Verdict,
)

MECHANISM_LIMIT: Final = 20
"""Mechanisms that a report publishes (findings.md section 9.5)."""


@dataclass(slots=True)
class Mechanism:
    """One cause: all confirmed proposals that say it in the same words about the same link."""

    id: str
    stage: Stage
    proposals: list[ProposalFate] = field(default_factory=list)
    """In the order of asking; the first one's words are published."""
    citations: dict[str, list[str]] = field(default_factory=dict)
    """By supporting session, each once, in the order of asking."""

    @property
    def fix_phrase(self) -> str | None:
        """The first fix that was proposed for it and stands."""
        return next(
            (one.fix_phrase for one in self.proposals if one.fix_phrase and not one.fix_refused),
            None,
        )


@dataclass(frozen=True, slots=True)
class Published:
    """What of all proposals is published."""

    mechanisms: tuple[Mechanism, ...]
    """Most supporting sessions first, ties by id."""
    proposals: tuple[ProposalFate, ...]
    """All of them, in the order of asking, each with what was published of it."""
    verification: Verification


def publish(proposals: Sequence[ProposalFate], wave_id: str, extraction_version: int) -> Published:
    """Join confirmed proposals into mechanisms, and drop those that there is no room for.

    A mechanism that says nearly the same as a larger one is dropped, and its sessions with
    it: they were looked at for its own words, not for those of the other.

    Rule: findings.md sections 9.5 and 9.6.
    """
    joined: dict[str, Mechanism] = {}
    for fate in proposals:
        if fate.state is ProposalState.CONFIRMED and fate.stage is not None:
            name = mechanism_id(wave_id, extraction_version, fate.stage, fate.mechanism_phrase)
            mechanism = joined.setdefault(name, Mechanism(name, fate.stage))
            mechanism.proposals.append(fate)
            for one in supporting(fate):
                mechanism.citations.setdefault(one.session_id, []).extend(one.citations)
    ranked = sorted(joined.values(), key=lambda one: (-len(one.citations), one.id))
    kept: list[Mechanism] = []
    dropped: dict[str, PhraseRule] = {}
    for mechanism in ranked:
        if _near_one_of(mechanism, kept):
            dropped[mechanism.id] = PhraseRule.NEAR_DUPLICATE
        elif len(kept) == MECHANISM_LIMIT:
            dropped[mechanism.id] = PhraseRule.NO_ROOM
        else:
            kept.append(mechanism)
    published = {one.key: name for name, each in joined.items() for one in each.proposals}
    fates = tuple(_told(fate, published.get(fate.key), dropped) for fate in proposals)
    return Published(tuple(kept), fates, _counted(fates, dropped, published))


def mechanism_rows(
    mechanisms: Sequence[Mechanism], wave: Wave, readings: Readings
) -> tuple[FindingRow, ...]:
    """Write the rows of mechanisms: one a cell that has a supporting session.

    Rule: findings.md section 9.6.
    """
    cells: dict[str, Cell] = {
        session.session_id: cell for cell in wave.cells for session in cell.sessions
    }
    rows: list[FindingRow] = []
    for mechanism in mechanisms:
        by_cell: dict[tuple[str, str], Cell] = {}
        for session_id in mechanism.citations:
            cell = cells[session_id]
            by_cell[cell.run_id, cell.target_id] = cell
        rows += [_row(mechanism, cell, readings) for cell in by_cell.values()]
    return tuple(rows)


def _row(mechanism: Mechanism, cell: Cell, readings: Readings) -> FindingRow:
    counted = [one for one in cell.sessions if one.session_id in mechanism.citations]
    passed = all(session.verdict.verdict is Verdict.PASSED for session in counted)
    own = {session.session_id for session in counted}
    # What happened may have been said otherwise of sessions that came out otherwise.
    said = next(
        one for one in mechanism.proposals if own & {each.session_id for each in supporting(one)}
    )
    finding = counted_row(
        mechanism_row_id(mechanism.id, cell.persona.persona_ref_id, cell.run_id, cell.target_id),
        cell_scope(cell),
        counted,
        cell.read,
        disposition=(Disposition.GOAL_MET_WITH_FRICTION if passed else OWN_WORD[mechanism.stage]),
        stage=_stage_shown(mechanism.stage, counted, readings),
        basis=Basis.VERIFIED_MECHANISM,
        citations=[
            cited
            for session in counted
            for cited in dict.fromkeys(mechanism.citations[session.session_id])
        ],
        phrase=said.outcome_phrase,
    )
    words = {
        "mechanism_phrase": mechanism.proposals[0].mechanism_phrase,
        "fix_phrase": mechanism.fix_phrase,
        "mechanism_id": mechanism.id,
    }
    return FindingRow(finding.model_copy(update=words), 1, cell.target_id)


def _stage_shown(stage: Stage, counted: Sequence[SessionFacts], readings: Readings) -> StageShown:
    """Call the link measured only where every counted session's own chain failed there.

    Rule: findings.md section 6.3, mechanism row.
    """
    measured = readings.all_failed_at((one.session_id for one in counted), stage)
    basis = ChainStageBasis.DERIVED if measured else ChainStageBasis.REPORTED
    return StageShown(stage, StageState.FAILED, basis)


def _near_one_of(mechanism: Mechanism, kept: Sequence[Mechanism]) -> bool:
    words = words_of(mechanism.proposals[0].mechanism_phrase)
    return any(
        one.stage is mechanism.stage
        and are_near(words, words_of(one.proposals[0].mechanism_phrase))
        for one in kept
    )


def _told(
    fate: ProposalFate, mechanism: str | None, dropped: Mapping[str, PhraseRule]
) -> ProposalFate:
    if mechanism is None:
        return fate
    if mechanism in dropped:
        refusal = Refusal(dropped[mechanism], "", "")
        return replace(fate, refusals=(*fate.refusals, refusal))
    return replace(fate, mechanism_id=mechanism)


def _counted(
    fates: Sequence[ProposalFate],
    dropped: Mapping[str, PhraseRule],
    published: Mapping[str, str],
) -> Verification:
    states: dict[ProposalState, int] = defaultdict(int)
    for fate in fates:
        states[fate.state] += 1
    return Verification(
        proposed=len(fates),
        confirmed=states[ProposalState.CONFIRMED],
        rejected=states[ProposalState.REJECTED],
        unverified=states[ProposalState.UNVERIFIED],
        omitted=sum(mechanism in dropped for mechanism in published.values()),
    )
