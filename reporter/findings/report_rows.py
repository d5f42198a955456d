"""List 4: single sessions as the persona told them and the judge saw them; no model needed."""

from typing import Final

from reporter.findings.coverage import row_notes
from reporter.findings.fold import stage_of_session
from reporter.findings.grouping import Cell
from reporter.findings.population_row import Scope, counted_row
from reporter.findings.row_id import cite, session_row_id
from reporter.findings.text import cut_account, fold_space, trim, utf16_length
from reporter.models.facts import SessionFacts
from reporter.models.finding import FindingRow, ReportExcerpt
from reporter.vocabulary import Basis, ScopeLevel

ACTUAL_LIMIT: Final = 1800
"""Code units of the cited account of what happened."""

ACCOUNT_LIMIT: Final = 600
"""Code units of the persona's own words."""


def report_row(cell: Cell, session: SessionFacts) -> FindingRow | None:
    """Return the report of one session, or None where one of its two voices is missing.

    Rule: findings.md section 9.1, session reports without a model.
    """
    excerpt = recorded_excerpt(session)
    return None if excerpt is None else session_report(cell, session, excerpt)


def session_report(
    cell: Cell, session: SessionFacts, excerpt: ReportExcerpt, *, by_model: bool = False
) -> FindingRow:
    """Return the row that reports one session.

    Args:
        cell: The cell that the session belongs to.
        session: The one session that it speaks for.
        excerpt: What happened there, and the persona's own words.
        by_model: A model wrote what happened.

    Rule: findings.md sections 9.1 and 12, list 4.
    """
    scope = Scope(
        ScopeLevel.SESSION, row_notes(session.notes), cell.persona, cell.goal, cell.target
    )
    finding = counted_row(
        session_row_id(session.session_id),
        scope,
        [session],
        1,
        disposition=session.disposition,
        stage=stage_of_session(session.chain),
        basis=Basis.SESSION_REPORT,
        citations=excerpt.citations,
        excerpt=excerpt,
    )
    return FindingRow(finding, order=4, target_id=cell.target_id, by_model=by_model)


def recorded_excerpt(session: SessionFacts) -> ReportExcerpt | None:
    """Return what the judge and the persona recorded of a session, or None where one did not.

    Rule: findings.md section 9.1, session reports without a model.
    """
    if not session.is_read or session.last_assistant_index is None:
        return None
    if session.report is None or not trim(session.report.account):
        return None
    actual = fold_space((session.judge and session.judge.reason) or "")
    if not actual or utf16_length(actual) > ACTUAL_LIMIT:
        return None
    return ReportExcerpt(
        actual=actual,
        account=cut_account(session.report.account, ACCOUNT_LIMIT),
        citations=cite(session.session_id, f"m:{session.last_assistant_index}"),
    )
