"""List 2: one row a cell that says how its goal came out, so that no goal is silent."""

from collections import Counter
from collections.abc import Sequence

from reporter.findings.fold import UNPLACED, fold, stage_of_sessions
from reporter.findings.grouping import Cell
from reporter.findings.population_row import cell_scope, counted_row
from reporter.findings.row_id import cite, goal_id
from reporter.models.facts import SessionFacts
from reporter.models.finding import FindingRow
from reporter.vocabulary import Disposition


def outcome_row(cell: Cell) -> FindingRow:
    """Say how the goal of one cell came out.

    The row counts only the sessions that share its disposition; the others are beside it.

    Rule: findings.md sections 6, 7 and 9.3.
    """
    disposition = fold(session.disposition for session in cell.sessions)
    counted = [session for session in cell.sessions if session.disposition is disposition]
    never_started = disposition is Disposition.NOT_RUN
    total = len(cell.sessions) if never_started else cell.started
    return FindingRow(
        finding=counted_row(
            goal_id(cell.persona.persona_ref_id, cell.run_id, cell.target_id),
            cell_scope(cell),
            counted,
            total,
            disposition=disposition,
            stage=UNPLACED if never_started else stage_of_sessions(counted),
            citations=[] if never_started else _citations(counted),
        ),
        order=2,
        target_id=cell.target_id,
        others=_others(cell, disposition),
    )


def _others(cell: Cell, disposition: Disposition) -> tuple[tuple[Disposition, int], ...]:
    others = [each.disposition for each in cell.sessions if each.disposition is not disposition]
    if not others:
        return ()
    counts = Counter(others)
    return tuple((word, counts[word]) for word in Disposition if word in counts)


def _citations(counted: Sequence[SessionFacts]) -> list[str]:
    citations: list[str] = []
    for session in counted:
        blocked = session.disposition is Disposition.BLOCKED_CONNECTING
        if blocked and session.has_connection_record:
            citations += cite(session.session_id, "k:connection")
        else:
            for criterion_id in session.failed_required:
                citations += cite(session.session_id, f"c:{criterion_id}")
    return citations
