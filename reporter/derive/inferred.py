"""Which stage rows of a session rest on values that were inferred rather than recorded."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, cast

from reporter.derive.chain import routed
from reporter.derive.evidence import SessionEvidence
from reporter.models.chain import Chain, StageRow
from reporter.models.facts import CriterionFact, JudgeFact
from reporter.vocabulary import Stage, StageReason, StageState


def inferred_stages(
    chain: Chain,
    evidence: SessionEvidence,
    criteria: Sequence[CriterionFact],
    judge: JudgeFact | None,
) -> Mapping[Stage, tuple[str, ...]]:
    """Return the stages whose row rests on inferred fields, with the rules that gave them.

    A failure that some recorded field shows by itself does not rest on an inferred one. A
    pass rests on everything that could have failed it.

    Args:
        chain: Derived from these records; a recorded chain rests on what its maker read.
        evidence: What the session's records hold.
        criteria: Every check of the session.
        judge: The judge's word, or None.

    Rule: chain.md section 12.3, inferred evidence.
    """
    found: dict[Stage, tuple[str, ...]] = {}
    for row in chain.rows:
        if row.state in _DECIDED:
            rules = _distinct(_rules(row, evidence, criteria, judge))
            if rules:
                found[row.stage] = rules
    return _shared(tuple(found.items()))


# The same few in every session of a wave, which all are kept.
@lru_cache(maxsize=256)
def _shared(found: tuple[tuple[Stage, tuple[str, ...]], ...]) -> Mapping[Stage, tuple[str, ...]]:
    return dict(found)


_DECIDED: Final = (StageState.PASSED, StageState.FAILED)


def _rules(
    row: StageRow,
    evidence: SessionEvidence,
    criteria: Sequence[CriterionFact],
    judge: JudgeFact | None,
) -> Iterable[str | None]:
    if row.stage in (Stage.CONNECTION, Stage.DISCOVERY):
        return _setup_rules(row, evidence)
    if row.reason in (StageReason.JUDGE_OBSERVED, StageReason.JUDGE_FAILED):
        return () if judge is None else (judge.inferred,)
    if row.reason in (StageReason.TOOL_ERROR, StageReason.PROTOCOL_ERROR):
        return _error_rules(evidence, coded=row.reason is StageReason.PROTOCOL_ERROR)
    if row.evidence is not None and row.evidence.span_ids is not None:
        return _clean_rules(evidence) if row.stage is Stage.RESPONSE else ()
    return _check_rules(row, criteria)


def _setup_rules(row: StageRow, evidence: SessionEvidence) -> Iterable[str | None]:
    """Rules behind the records of connecting and listing; spans imply a stage without them."""
    if row.reason is StageReason.IMPLIED_BY_LATER_EVIDENCE:
        return ()
    records = (*evidence.connections, *evidence.catalogs)
    return [rule for record in records for rule in (record.inferred or {}).values()]


def _error_rules(evidence: SessionEvidence, *, coded: bool) -> Iterable[str | None]:
    errored = [
        outcome
        for _, outcome in evidence.answered
        if outcome.errored and (outcome.mcp_error_code is not None) is coded
    ]
    if any(outcome.error_recorded for outcome in errored):
        return ()
    return [rule for outcome in errored for rule in outcome.error_rules]


def _clean_rules(evidence: SessionEvidence) -> Iterable[str | None]:
    return [rule for _, outcome in evidence.answered for rule in outcome.ok_rules]


def _check_rules(row: StageRow, criteria: Sequence[CriterionFact]) -> Iterable[str | None]:
    word = "failed" if row.state is StageState.FAILED else "passed"
    deciding = [
        fact.inferred
        for fact in criteria
        if fact.role == "required"
        and fact.outcome == word
        and routed(fact.predicate_type) is row.stage
    ]
    return () if word == "failed" and None in deciding else deciding


def _distinct(rules: Iterable[str | None]) -> tuple[str, ...]:
    found = dict.fromkeys(rules)
    found.pop(None, None)
    return tuple(cast("dict[str, None]", found))
