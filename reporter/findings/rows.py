"""All rows of the full set, in list order."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from reporter.findings.grouping import Wave
from reporter.findings.outcome_rows import outcome_row
from reporter.findings.report_rows import report_row
from reporter.findings.row_id import unique_ids
from reporter.findings.signal_rows import signal_rows
from reporter.findings.wider_rows import wider_rows
from reporter.models.finding import FindingRow
from reporter.vocabulary import Signal


def all_rows(
    wave: Wave, mechanisms: Sequence[FindingRow] = (), reports: Sequence[FindingRow] = ()
) -> tuple[FindingRow, ...]:
    """Return every row in the order of the full set, with ids that are unique.

    Args:
        wave: The grouped wave.
        mechanisms: Rows of verified mechanisms (list 1), in any order.
        reports: Session reports of a model (list 4), of sessions that have none of code's.

    Rule: findings.md section 12.
    """
    rows = [
        *_mechanism_order(mechanisms),
        *(outcome_row(cell) for cell in wave.cells),
        *_signal_order(wave),
        *_report_order(wave, reports),
        *wider_rows(wave),
    ]
    ids = unique_ids(row.finding.id for row in rows)
    return tuple(_named(row, row_id) for row, row_id in zip(rows, ids, strict=True))


def mechanism_support(rows: Iterable[FindingRow]) -> dict[str, set[str]]:
    """Return the distinct supporting sessions of each mechanism, over all its rows."""
    support: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.finding.mechanism_id is not None:
            support[row.finding.mechanism_id].update(row.finding.session_ids)
    return support


def _mechanism_order(mechanisms: Sequence[FindingRow]) -> list[FindingRow]:
    support = mechanism_support(mechanisms)

    def order(row: FindingRow) -> tuple[int, str, str, str, str, str]:
        finding = row.finding
        mechanism = finding.mechanism_id or ""
        return (
            -len(support.get(mechanism, ())),
            mechanism,
            finding.persona.name,
            finding.goal.run_id,
            row.target_id or "",
            finding.id,
        )

    return sorted(mechanisms, key=order)


def _signal_order(wave: Wave) -> Iterator[FindingRow]:
    by_cell = [signal_rows(cell) for cell in wave.cells]
    for signal in Signal:
        yield from (rows[signal] for rows in by_cell if signal in rows)


def _report_order(wave: Wave, more: Sequence[FindingRow]) -> list[FindingRow]:
    reports = (report_row(cell, session) for cell in wave.cells for session in cell.sessions)
    found = [*(row for row in reports if row is not None), *more]
    return sorted(found, key=lambda row: row.finding.session_ids)


def _named(row: FindingRow, row_id: str) -> FindingRow:
    if row_id == row.finding.id:
        return row
    return replace(row, finding=row.finding.model_copy(update={"id": row_id}))
