"""List 3: recorded facts of the sessions of one cell, each session under its first signal."""

from collections import defaultdict

from reporter.findings.fixed import SIGNAL_PHRASE, SIGNAL_STAGE
from reporter.findings.fold import StageShown, fold
from reporter.findings.grouping import Cell
from reporter.findings.population_row import cell_scope, counted_row
from reporter.findings.row_id import cite, signal_id
from reporter.models.facts import SessionFacts
from reporter.models.finding import FindingRow
from reporter.vocabulary import ChainStageBasis, Signal


def signal_rows(cell: Cell) -> dict[Signal, FindingRow]:
    """Return the signal rows of one cell, each session in at most one.

    Rule: findings.md section 8, keying and signal row.
    """
    keyed: dict[Signal, list[SessionFacts]] = defaultdict(list)
    for session in cell.sessions:
        if session.is_read and session.signal_key is not None:
            keyed[session.signal_key].append(session)
    return {signal: _row(cell, signal, sessions) for signal, sessions in keyed.items()}


def _row(cell: Cell, signal: Signal, sessions: list[SessionFacts]) -> FindingRow:
    citations: list[str] = []
    for session in sessions:
        turn = session.signals[0].turn_index
        citations += cite(session.session_id, f"signal:{signal}:{turn}")
    return FindingRow(
        finding=counted_row(
            signal_id(signal, cell.persona.persona_ref_id, cell.run_id, cell.target_id),
            cell_scope(cell),
            sessions,
            cell.read,
            disposition=fold(session.disposition for session in sessions),
            # A recorded fact has no state: it never colours a stage.
            stage=StageShown(SIGNAL_STAGE[signal], None, ChainStageBasis.REPORTED),
            citations=citations,
            phrase=SIGNAL_PHRASE[signal],
            signal=signal,
        ),
        order=3,
        target_id=cell.target_id,
    )
