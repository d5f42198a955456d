"""The sums that hold in every honest document: rules A1 to A9."""

from collections.abc import Iterator

from reporter.findings.recorded import Recorded
from reporter.models.finding import Finding, FindingSet, Violation
from reporter.vocabulary import Disposition, SummaryKind


def check_arithmetic(
    findings: FindingSet, recorded: Recorded | None, id_cap: int | None
) -> Iterator[Violation]:
    """Check the counts of the envelope and of every row.

    Args:
        findings: What to check.
        recorded: The recording, or None: then A9 is not checked.
        id_cap: The most session ids a row may carry, or None for the full set.

    Rule: findings.md section 7, checks A1 to A9.
    """
    yield from _envelope(findings)
    for row in findings.rows:
        yield from _row(row.finding, id_cap)
        if recorded is not None:
            yield from _named_slots(row.finding, recorded)


def _envelope(findings: FindingSet) -> Iterator[Violation]:
    counts = findings.population
    if counts.read + counts.unread != counts.started:
        yield Violation(
            "A1",
            None,
            f"read {counts.read} + unread {counts.unread} is not {counts.started} started",
        )
    if counts.started + counts.limited > counts.configured:
        yield Violation(
            "A2",
            None,
            f"started {counts.started} + limited {counts.limited} exceeds "
            f"{counts.configured} configured",
        )
    if counts.graded > counts.started:
        yield Violation("A3", None, f"{counts.graded} graded exceeds {counts.started} started")
    if counts.withdrawn + counts.limited > counts.configured:
        yield Violation(
            "A4",
            None,
            f"withdrawn {counts.withdrawn} + limited {counts.limited} exceeds "
            f"{counts.configured} configured",
        )
    if (counts.started == 0) is not (findings.summary_kind is SummaryKind.NOT_LAUNCHED):
        yield Violation(
            "A5", None, f"{counts.started} started, and the summary is {findings.summary_kind}"
        )
    made = findings.verification
    if made is None:
        return
    if made.proposed != made.confirmed + made.rejected + made.unverified:
        yield Violation(
            "A6",
            None,
            f"confirmed {made.confirmed} + rejected {made.rejected} + unverified "
            f"{made.unverified} is not {made.proposed} proposed",
        )
    if made.omitted > made.proposed:
        yield Violation("A6", None, f"{made.omitted} omitted exceeds {made.proposed} proposed")


def _row(row: Finding, id_cap: int | None) -> Iterator[Violation]:
    count, total = row.population.count, row.population.total
    if count > total:
        yield Violation("A7", row.id, f"the row counts {count} of {total} sessions")
    distinct = len(set(row.session_ids))
    if distinct != len(row.session_ids):
        yield Violation("A8", row.id, "a session id stands there twice")
    wanted = count if id_cap is None else min(count, id_cap)
    if distinct != wanted:
        yield Violation("A8", row.id, f"{distinct} session ids stand for a count of {count}")


def _named_slots(row: Finding, recorded: Recorded) -> Iterator[Violation]:
    unknown = [each for each in row.session_ids if each not in recorded.sessions]
    if unknown:
        yield Violation(
            "A9", row.id, f"{len(unknown)} session ids are no slot of the wave, as {unknown[0]}"
        )
    if row.disposition is Disposition.NOT_RUN:
        return
    idle = [each for each in recorded.known(row.session_ids) if not each.started]
    if idle:
        yield Violation(
            "A9",
            row.id,
            f"{len(idle)} named sessions never started, as {idle[0].session_id}, and the row "
            "is not about the launch",
        )
