"""The shape that every row shares which code counted itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reporter.findings.fold import StageShown, fold_verdicts
from reporter.findings.grouping import NO_GOAL, NO_TARGET, NOBODY, Cell
from reporter.models.facts import SessionFacts
from reporter.models.finding import (
    Finding,
    GoalIdentity,
    PersonaIdentity,
    ReportExcerpt,
    RowPopulation,
    TargetIdentity,
)
from reporter.vocabulary import Basis, CoverageNote, Disposition, ScopeLevel, Signal, tone_of


@dataclass(frozen=True, slots=True)
class Scope:
    """How far a row speaks, and the caveats of all it speaks for."""

    level: ScopeLevel
    notes: list[CoverageNote]
    """Of the whole scope, in contract order."""
    persona: PersonaIdentity = NOBODY
    goal: GoalIdentity = NO_GOAL
    target: TargetIdentity = NO_TARGET


def cell_scope(cell: Cell) -> Scope:
    """Return the scope of a goal row."""
    return Scope(ScopeLevel.GOAL, cell.coverage.row_notes, cell.persona, cell.goal, cell.target)


def counted_row(  # noqa: PLR0913  one argument a column of the contract's table
    row_id: str,
    scope: Scope,
    counted: Sequence[SessionFacts],
    total: int,
    *,
    disposition: Disposition,
    stage: StageShown,
    basis: Basis = Basis.POPULATION_FACT,
    citations: Sequence[str] = (),
    phrase: str | None = None,
    excerpt: ReportExcerpt | None = None,
    signal: Signal | None = None,
) -> Finding:
    """Make a row over the sessions it counts.

    Args:
        row_id: Its id.
        scope: What it speaks for.
        counted: The sessions it counts, in session id order.
        total: Of how many.
        disposition: Its word; the tone follows.
        stage: The stage it stands at.
        basis: What it rests on.
        citations: Its evidence.
        phrase: Code's own words for what happened, or None.
        excerpt: What was reported of the one session, or None.
        signal: The recorded fact it states, or None: the key is then absent on the wire.

    Rule: findings.md sections 3.3, 6.2 and 7.
    """
    optional: dict[str, Any] = {} if signal is None else {"signal": signal}
    session_ids: list[str] = [session.session_id for session in counted]
    return Finding(
        id=row_id,
        basis=basis,
        scope_level=scope.level,
        persona=scope.persona,
        goal=scope.goal,
        target=scope.target,
        population=RowPopulation(count=len(counted), total=total, unit="sessions"),
        session_ids=session_ids,
        citations=list(citations),
        verdict_seen=fold_verdicts(session.verdict.verdict for session in counted),
        chain_stage=stage.stage,
        chain_stage_state=stage.state,
        chain_stage_basis=stage.basis,
        disposition=disposition,
        tone=tone_of(disposition),
        coverage_notes=scope.notes,
        outcome_phrase=phrase,
        mechanism_phrase=None,
        fix_phrase=None,
        report_excerpt=excerpt,
        mechanism_id=None,
        **optional,
    )
