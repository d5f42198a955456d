"""The reading rules in one place: how a renderer takes findings, whatever order they come in."""

from reporter.findings.account import PersonaAccount, persona_account, persona_accounts
from reporter.findings.causes import LeadCause, Reach, lead_cause, signal_totals, suggested_fix
from reporter.findings.counted import units
from reporter.findings.goal_reading import (
    NO_STAGE_EVIDENCE,
    Diagnosis,
    GoalReading,
    StageEvidence,
    diagnosis,
    goal_rows,
    read_goals,
    representative,
    stage_colour,
    stage_evidence,
)
from reporter.findings.refusals import Refusal, Refusals, refusals
from reporter.models.finding import FindingSet
from reporter.vocabulary import CoverageNote

__all__ = [
    "NO_STAGE_EVIDENCE",
    "Diagnosis",
    "GoalReading",
    "LeadCause",
    "PersonaAccount",
    "Reach",
    "Refusal",
    "Refusals",
    "StageEvidence",
    "diagnosis",
    "footnotes",
    "goal_rows",
    "lead_cause",
    "persona_account",
    "persona_accounts",
    "read_goals",
    "refusals",
    "representative",
    "signal_totals",
    "stage_colour",
    "stage_evidence",
    "suggested_fix",
]


def footnotes(findings: FindingSet) -> tuple[str, ...]:
    """Return the caveats that are always printed beside a summary.

    Returns:
        The label of every envelope note in contract order, then what became of rejected and
        of unverified explanations, where there are any.

    Rule: findings.md section 11, footnotes.
    """
    raised = set(findings.coverage_notes)
    notes = [note.label for note in CoverageNote if note in raised]
    made = findings.verification
    if made is not None and made.rejected:
        verb = "was" if made.rejected == 1 else "were"
        notes.append(f"{units(made.rejected, 'possible cause')} {verb} rejected")
    if made is not None and made.unverified:
        notes.append(f"{units(made.unverified, 'possible cause')} could not be verified")
    return tuple(notes)
