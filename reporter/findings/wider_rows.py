"""List 5: the few facts that may be stated of a persona, a target or the wave."""

from collections.abc import Iterator

from reporter.findings.fixed import FACT_PHRASE
from reporter.findings.fold import UNPLACED, fold
from reporter.findings.grouping import CellGroup, Wave, target_identity
from reporter.findings.population_row import Scope, counted_row
from reporter.findings.row_id import persona_fact_id, target_fact_id, wave_fact_id
from reporter.identifiers import TargetId
from reporter.models.finding import FindingRow, PersonaIdentity
from reporter.vocabulary import Disposition, ScopeLevel, Tone, WiderFact, tone_of


def wider_rows(wave: Wave) -> Iterator[FindingRow]:
    """Yield the wider facts: personas, then targets, then the wave.

    A persona with one run, and the only target, would repeat their goal rows, so they
    have no `notMet`.

    Rule: findings.md section 12.1.
    """
    for key, group in wave.by_persona.items():
        if len(wave.runs_of.get(key, ())) > 1:
            named = PersonaIdentity(persona_ref_id=key[0], name=key[1])
            scope = Scope(ScopeLevel.PERSONA, group.coverage.row_notes, persona=named)
            yield from _not_met(persona_fact_id(key, WiderFact.NOT_MET), scope, group)
    targets = {TargetId(target.target_id): target for target in wave.plan.targets}
    for target_id, group in wave.by_target.items():
        scope = Scope(
            ScopeLevel.TARGET, group.coverage.row_notes, target=target_identity(targets[target_id])
        )
        row_id = target_fact_id(target_id, WiderFact.NOT_STARTED)
        yield from _not_started(row_id, scope, group, target_id)
        if len(targets) > 1:
            row_id = target_fact_id(target_id, WiderFact.NOT_MET)
            yield from _not_met(row_id, scope, group, target_id)
    scope = Scope(ScopeLevel.WAVE, wave.whole.coverage.row_notes)
    yield from _not_started(wave_fact_id(WiderFact.NOT_STARTED), scope, wave.whole)


def _not_started(
    row_id: str, scope: Scope, group: CellGroup, target_id: TargetId | None = None
) -> Iterator[FindingRow]:
    sessions = group.sessions
    counted = [session for session in sessions if not session.started]
    if counted:
        yield FindingRow(
            finding=counted_row(
                row_id,
                scope,
                counted,
                len(sessions),
                disposition=Disposition.NOT_RUN,
                stage=UNPLACED,
                phrase=FACT_PHRASE[WiderFact.NOT_STARTED],
            ),
            order=5,
            target_id=target_id,
            fact=WiderFact.NOT_STARTED,
        )


def _not_met(
    row_id: str, scope: Scope, group: CellGroup, target_id: TargetId | None = None
) -> Iterator[FindingRow]:
    sessions = group.sessions
    counted = [session for session in sessions if tone_of(session.disposition) is Tone.FAIL]
    if counted:
        yield FindingRow(
            finding=counted_row(
                row_id,
                scope,
                counted,
                sum(session.started for session in sessions),
                disposition=fold(session.disposition for session in sessions),
                stage=UNPLACED,
                phrase=FACT_PHRASE[WiderFact.NOT_MET],
            ),
            order=5,
            target_id=target_id,
            fact=WiderFact.NOT_MET,
        )
