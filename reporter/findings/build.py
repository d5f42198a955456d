"""Session facts in, findings out: the full set, before any cap of the wire."""

from collections.abc import Sequence

from reporter.findings.coverage import envelope_notes
from reporter.findings.fold import fold
from reporter.findings.grouping import group_wave
from reporter.findings.personas import persona_rollups
from reporter.findings.population import tally_of
from reporter.findings.rows import all_rows
from reporter.findings.summary import summary_kind
from reporter.models.facts import SessionFacts
from reporter.models.finding import NO_ANALYSIS, Analysis, FindingSet
from reporter.models.plan import Plan


def build_findings(  # noqa: PLR0913  two inputs, and what only the caller knows
    plan: Plan,
    facts: Sequence[SessionFacts],
    *,
    generated_at_ms: int,
    source_revision: str,
    scan_cap: int | None = None,
    analysis: Analysis = NO_ANALYSIS,
) -> FindingSet:
    """Derive all findings of a wave.

    Args:
        plan: The resolved plan.
        facts: One entry a slot of the plan; their order changes nothing.
        generated_at_ms: The time the caller gives, so that equal input gives equal bytes.
        source_revision: Digest of everything that was read.
        scan_cap: How many slots were to be read, or None for all.
        analysis: What a model that was asked contributes; nothing where none was.

    Raises:
        ValueError: `facts` are not the facts of the plan's slots.

    Rule: findings.md sections 6 to 12.
    """
    planned = {slot.session_id for slot in plan.slots}
    if len(facts) != len(planned) or planned != {session.session_id for session in facts}:
        raise ValueError("there must be one entry of facts for each slot of the plan")
    wave = group_wave(plan, facts, scan_cap)
    rows = all_rows(wave, analysis.mechanisms, analysis.reports)
    population = tally_of(facts).population
    coverage = wave.whole.coverage
    notes = envelope_notes(coverage, population, analysis.verification, analysis.unanalysed)
    return FindingSet(
        generated_at_ms=generated_at_ms,
        source_revision=source_revision,
        summary_kind=summary_kind(population, [fold(s.disposition for s in facts)]),
        population=population,
        coverage_notes=tuple(notes),
        personas=persona_rollups(wave, rows),
        rows=rows,
        disclosure=analysis.disclosure,
        extraction_model=analysis.extraction_model,
        reasoning_model=analysis.reasoning_model,
        verification=analysis.verification,
        candidate_groups=len(coverage.candidates),
        note_sessions=notes,
    )
