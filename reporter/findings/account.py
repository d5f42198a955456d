"""What a persona's card says in one paragraph, and whose words those are."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from reporter.findings.goal_reading import diagnosis, goal_rows, representative
from reporter.models.finding import FindingRow, FindingSet, PersonaIdentity
from reporter.models.plan import PersonaKey
from reporter.vocabulary import Basis

NO_EVIDENCE: Final = "No session left evidence to quote here."
"""What a card says where nothing was recorded to say."""

AccountKind = Literal["report", "outcome", "diagnosis", "none"]


@dataclass(frozen=True, slots=True)
class PersonaAccount:
    """One paragraph about one persona."""

    kind: AccountKind
    """`report` the session's own account; `outcome` the lead row's phrase; else code's words."""
    text: str
    """Never empty."""
    lead_row_id: str | None
    """The row that stands for the persona, or None where it has none."""
    session_id: str | None = None
    """The one session that a report describes."""
    cited: str | None = None
    """The cited sentence about that session."""
    citations: tuple[str, ...] = ()
    own_words: bool = False
    """True: the text is the persona's own account, not the cited sentence."""
    is_model_words: bool = False
    """True: a model wrote the text."""


def persona_accounts(findings: FindingSet) -> dict[PersonaKey, PersonaAccount]:
    """Return the account of every persona of the roll-ups, the rows grouped once."""
    own: dict[PersonaKey, list[FindingRow]] = defaultdict(list)
    for row in goal_rows(findings.rows):
        own[_key(row.finding.persona)].append(row)
    return {
        key: _account(own.get(key, []))
        for key in (_key(rollup.persona) for rollup in findings.personas)
    }


def persona_account(findings: FindingSet, persona: PersonaIdentity) -> PersonaAccount:
    """Return the account of one persona: of the session that its lead row counts.

    Rule: findings.md section 13, persona account.
    """
    own = [row for row in goal_rows(findings.rows) if _key(row.finding.persona) == _key(persona)]
    return _account(own)


def _key(persona: PersonaIdentity) -> PersonaKey:
    return (persona.persona_ref_id, persona.name)


def _account(own: Sequence[FindingRow]) -> PersonaAccount:
    lead = representative(own)
    if lead is None:
        return PersonaAccount("none", NO_EVIDENCE, None)
    report = _report(own, lead)
    if report is not None and report.finding.report_excerpt is not None:
        excerpt = report.finding.report_excerpt
        return PersonaAccount(
            kind="report",
            text=excerpt.account or excerpt.actual,
            lead_row_id=lead.finding.id,
            session_id=report.finding.session_ids[0],
            cited=excerpt.actual,
            citations=tuple(excerpt.citations),
            own_words=bool(excerpt.account),
            is_model_words=report.account_by_model if excerpt.account else report.by_model,
        )
    if lead.finding.outcome_phrase:
        return PersonaAccount(
            "outcome",
            lead.finding.outcome_phrase,
            lead.finding.id,
            is_model_words=lead.finding.basis is Basis.VERIFIED_MECHANISM,
        )
    found = diagnosis(row for row in own if row.finding.goal == lead.finding.goal)
    if found is not None:
        text = found.about(lead.finding.goal.title)
        return PersonaAccount("diagnosis", text, lead.finding.id)
    return PersonaAccount("none", NO_EVIDENCE, lead.finding.id)


def _report(own: Sequence[FindingRow], lead: FindingRow) -> FindingRow | None:
    counted = set(lead.finding.session_ids)
    reports = [
        row
        for row in own
        if row.finding.basis is Basis.SESSION_REPORT
        and row.finding.report_excerpt is not None
        and row.finding.goal.run_id == lead.finding.goal.run_id
        and row.finding.target == lead.finding.target
        and row.finding.session_ids
        and row.finding.session_ids[0] in counted
    ]
    return min(
        reports,
        key=lambda row: (
            not (row.finding.report_excerpt and row.finding.report_excerpt.account),
            row.finding.session_ids[0],
        ),
        default=None,
    )
