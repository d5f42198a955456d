"""The short form of a document, for a reader with little room."""

from collections.abc import Mapping
from typing import Any, Final

from reporter.findings.text import excerpt
from reporter.vocabulary import Basis

FINDINGS: Final = 8
CITATIONS: Final = 2
SESSION_IDS: Final = 5
EXCERPT: Final = 400
"""Code units of an excerpt, its ellipsis included."""


def compact(document: Mapping[str, Any]) -> dict[str, Any]:
    """Shorten a wire document; what it leaves out is counted.

    Returns:
        The document with at most 8 findings, verified explanations first. `population` and
        `personas` stay whole. `omittedFindings` counts the rows left out, and
        `omittedEvidence` the session ids and citations left out of the rows that are kept.

    Rule: findings.md section 13.3.
    """
    rows = document["findings"]
    first = [row for row in rows if row["basis"] == Basis.VERIFIED_MECHANISM]
    rest = [row for row in rows if row["basis"] != Basis.VERIFIED_MECHANISM]
    kept = [*first, *rest][:FINDINGS]
    short = [_short_row(row) for row in kept]
    return {
        **document,
        "findings": short,
        "omittedFindings": len(rows) - len(kept),
        "omittedEvidence": sum(map(_evidence, kept)) - sum(map(_evidence, short)),
    }


def _short_row(row: Mapping[str, Any]) -> dict[str, Any]:
    short = {
        **row,
        "sessionIds": row["sessionIds"][:SESSION_IDS],
        "citations": row["citations"][:CITATIONS],
    }
    if row["reportExcerpt"] is not None:
        report = dict(row["reportExcerpt"])
        report["citations"] = report["citations"][:CITATIONS]
        for slot in ("actual", "account"):
            if report.get(slot) is not None:
                report[slot] = excerpt(report[slot], EXCERPT)
        short["reportExcerpt"] = report
    return short


def _evidence(row: Mapping[str, Any]) -> int:
    return len(row["sessionIds"]) + len(row["citations"])
