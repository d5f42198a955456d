"""The caveats that one session raises on the counts it takes part in."""

from reporter.derive.catalog import JudgedCatalog
from reporter.derive.started import Start, is_transcript_missing
from reporter.models.chain import Chain
from reporter.models.manifest import Attempt
from reporter.models.verdict import SessionVerdict
from reporter.vocabulary import (
    CoverageNote,
    GraderReadiness,
    Lifecycle,
    ReadState,
    Verdict,
)

_DECIDED = (Verdict.PASSED, Verdict.FAILED)


def notes_of(  # noqa: PLR0913  each is one thing a note speaks of
    start: Start,
    verdict: SessionVerdict,
    *,
    read_state: ReadState | None,
    attempt: Attempt | None,
    chain: Chain | None,
    catalog: JudgedCatalog,
    beyond_scan_cap: bool,
    damaged: bool,
) -> tuple[CoverageNote, ...]:
    """Return the coverage notes of one session, in contract order.

    Notes that only a whole wave can raise are not among them.

    Rule: findings.md section 11.
    """
    read = read_state is ReadState.READ
    judged = verdict.graders.judge is GraderReadiness.SCORED
    throttled = attempt is not None and attempt.status == "rate_limited"
    raised = {
        CoverageNote.SESSION_SCAN_CAPPED: beyond_scan_cap,
        CoverageNote.BUDGET_EXHAUSTED: read_state is ReadState.BUDGET_EXHAUSTED,
        CoverageNote.TRANSCRIPT_MISSING: is_transcript_missing(start, damaged=damaged),
        CoverageNote.CONTEXT_TOO_LARGE: read_state is ReadState.CONTEXT_TOO_LARGE,
        CoverageNote.EXTRACTION_REJECTED: read_state is ReadState.EXTRACTION_REJECTED,
        CoverageNote.CHAIN_UNMEASURED: read and (chain is None or chain.is_unmeasured),
        CoverageNote.JUDGE_NOT_RUN: (
            start.started and verdict.verdict not in _DECIDED and not judged
        ),
        CoverageNote.SESSIONS_WITHDRAWN: verdict.lifecycle is Lifecycle.WITHDRAWN,
        CoverageNote.SESSIONS_RATE_LIMITED: (
            verdict.lifecycle is Lifecycle.LIMITED or (start.started and throttled)
        ),
        CoverageNote.TOOL_CATALOG_MISSING: read and not catalog.complete,
    }
    return tuple(note for note, holds in raised.items() if holds)
