"""Waves that a model explained: a verified explanation beside what code derives."""

from dataclasses import replace
from typing import Any

from finding_waves import build, facts_of

from reporter.models.facts import SessionFacts
from reporter.models.finding import FindingRow, FindingSet, Verification
from reporter.vocabulary import Basis, ChainStageBasis, Disposition, Stage, StageState

REPORTS = 4
"""The list of session reports."""


def mechanism(session_id: str, **more: Any) -> FindingRow:
    """A verified explanation of one session of the first cell."""
    found = build([facts_of(session_id, Disposition.GOAL_MISSED, **more)]).rows[0]
    fields = {
        "id": f'{"a" * 64}:mechanism:{"b" * 16}:[null,"r1","t1"]',
        "basis": Basis.VERIFIED_MECHANISM,
        "mechanism_id": f"{'a' * 64}:mechanism:{'b' * 16}",
        "mechanism_phrase": "No tool is named for rooms.",
        "fix_phrase": "Say room in the name.",
        "outcome_phrase": "could not book",
        "chain_stage": Stage.SELECTION,
        "chain_stage_state": StageState.FAILED,
        "chain_stage_basis": ChainStageBasis.REPORTED,
        "citations": [f"{session_id}/m:0"],
        "disposition": Disposition.LOST_FINDING_TOOL,
    }
    return FindingRow(found.finding.model_copy(update=fields), 1, found.target_id)


def with_mechanism(*facts: SessionFacts) -> FindingSet:
    found = build(
        facts,
        verification=Verification(proposed=1, confirmed=1, rejected=0, unverified=0, omitted=0),
    )
    return replace(
        found,
        rows=(
            mechanism("s1"),
            *(replace(row, by_model=row.order == REPORTS) for row in found.rows),
        ),
        reasoning_model="model-two",
        extraction_model="model-two",
    )
