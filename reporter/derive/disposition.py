"""How one session came out, in the one word that everything above it is folded from."""

from collections.abc import Collection
from typing import Final

from reporter.models.chain import Chain
from reporter.vocabulary import Disposition, Stage, StageReason, StageState, Verdict

_LOST: Final = (Stage.DISCOVERY, Stage.SELECTION)


def disposition_of(
    verdict: Verdict,
    chain: Chain | None,
    *,
    refused: bool,
    standing: Collection[Stage],
    friction: bool,
) -> Disposition:
    """Word one session.

    Args:
        verdict: The session's verdict.
        chain: The session's chain, or None for a session that never started.
        refused: A connection record shows that a server refused and never answered later.
        standing: Of the call and response stages those whose failure stands.
        friction: The session has a friction reason.

    Rule: findings.md section 5, D1 to D9.
    """
    if chain is None:
        return Disposition.NOT_RUN
    if _is_stuck(chain, refused=refused):
        return Disposition.BLOCKED_CONNECTING
    if verdict is Verdict.FAILED:
        return _missed(chain.first_failed_stage, standing)
    if verdict is Verdict.PASSED:
        return Disposition.GOAL_MET_WITH_FRICTION if friction else Disposition.GOAL_MET
    return Disposition.NOT_MEASURED


def _is_stuck(chain: Chain, *, refused: bool) -> bool:
    row = chain.row(Stage.CONNECTION)
    if row.state is not StageState.FAILED:
        return False
    return refused or row.reason is StageReason.CONNECT_FAILED


def _missed(first_failed: Stage | None, standing: Collection[Stage]) -> Disposition:
    if first_failed in _LOST:
        return Disposition.LOST_FINDING_TOOL
    if first_failed is Stage.CALL and Stage.CALL in standing:
        return Disposition.BLOCKED_CALLING_TOOL
    if first_failed in (Stage.CALL, Stage.RESPONSE) and Stage.RESPONSE in standing:
        return Disposition.BLOCKED_BY_RESPONSE
    return Disposition.GOAL_MISSED
