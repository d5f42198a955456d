"""Whether a failed call or response is what kept the persona from the goal."""

from collections.abc import Sequence
from typing import Final

from reporter.derive.call_joint import JoinedCall
from reporter.derive.chain import routed
from reporter.models.chain import Chain, StageRow
from reporter.models.facts import CriterionFact
from reporter.vocabulary import Stage, StageReason, StageState

_ERRORED_CALL: Final = frozenset({StageReason.PROTOCOL_ERROR, StageReason.TOOL_ERROR, None})
"""Reasons that an errored call leaves on a row; a missing reason reads as one of them."""


def standing_failures(
    chain: Chain, calls: Sequence[JoinedCall], criteria: Sequence[CriterionFact]
) -> frozenset[Stage]:
    """Return those of the call and response stages whose failure nothing explains away.

    Args:
        chain: The session's chain.
        calls: Every call of the session, in call order.
        criteria: Every check of the session.

    Rule: findings.md section 5, when a call or response failure stands.
    """
    return frozenset(
        row.stage
        for row in chain.rows
        if row.stage in (Stage.CALL, Stage.RESPONSE)
        and row.state is StageState.FAILED
        and _stands(row, calls, criteria)
    )


def _stands(row: StageRow, calls: Sequence[JoinedCall], criteria: Sequence[CriterionFact]) -> bool:
    """True unless errored calls alone failed the stage and the session got past each of them."""
    if row.reason not in _ERRORED_CALL or _required_check_failed(row.stage, criteria):
        return True
    return not _all_recovered(row.stage, calls)


def _required_check_failed(stage: Stage, criteria: Sequence[CriterionFact]) -> bool:
    return any(
        fact.role == "required"
        and fact.outcome == "failed"
        and routed(fact.predicate_type) is stage
        for fact in criteria
    )


def _all_recovered(stage: Stage, calls: Sequence[JoinedCall]) -> bool:
    """True when the stage has errored calls and each was followed by a clean one of its tool."""
    some_errored = False
    answered_later: set[str] = set()
    for call in reversed(calls):
        outcome = call.outcome
        if outcome is None or not call.shows_a_server:
            continue
        if not outcome.errored:
            answered_later.add(call.tool_name)
        elif (outcome.mcp_error_code is not None) is (stage is Stage.CALL):
            if call.tool_name not in answered_later:
                return False
            some_errored = True
    return some_errored
