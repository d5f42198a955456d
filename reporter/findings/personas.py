"""How each persona came out."""

from collections import defaultdict
from collections.abc import Iterable

from reporter.findings.fold import fold
from reporter.findings.grouping import Wave
from reporter.models.finding import FindingRow, PersonaIdentity, PersonaRollup
from reporter.vocabulary import Disposition, ScopeLevel, tone_of


def persona_rollups(wave: Wave, rows: Iterable[FindingRow]) -> tuple[PersonaRollup, ...]:
    """Fold each persona's goal rows, verified mechanisms included.

    Returns:
        Every persona of the plan once, by name and id; one without a run was not run.

    Rule: findings.md section 6, persona, and section 12.2, `personas`.
    """
    words: dict[tuple[str | None, str], list[Disposition]] = defaultdict(list)
    for row in rows:
        if row.finding.scope_level is ScopeLevel.GOAL:
            persona = row.finding.persona
            words[persona.persona_ref_id, persona.name].append(row.finding.disposition)
    rollups: list[PersonaRollup] = []
    for key in wave.by_persona:
        disposition = fold(words[key])
        rollups.append(
            PersonaRollup(
                persona=PersonaIdentity(persona_ref_id=key[0], name=key[1]),
                disposition=disposition,
                tone=tone_of(disposition),
                goal_run_ids=[run.run_id for run in wave.runs_of.get(key, ())],
            )
        )
    return tuple(rollups)
