"""What made a session uncomfortable, whether or not it met its goal."""

from collections.abc import Collection
from typing import Final

from reporter.models.chain import Chain
from reporter.models.facts import JudgeFact
from reporter.vocabulary import FrictionReason, Lifecycle, Signal, Stage, StageState

_SIGNALS: Final = (
    (Signal.OUTPUT_TRUNCATED, FrictionReason.OUTPUT_TRUNCATED),
    (Signal.HALLUCINATED_TOOL, FrictionReason.HALLUCINATED_TOOL),
    (Signal.TOOL_ERRORED, FrictionReason.TOOL_ERRORED),
    (Signal.TURN_CAP_REACHED, FrictionReason.TURN_CAP_REACHED),
)
"""Signals that are friction; a session without any tool call is not uncomfortable by that."""

_MARGIN: Final = 0.05
_DECIMALS: Final = 9


def friction_of(
    chain: Chain,
    signals: Collection[Signal],
    *,
    lifecycle: Lifecycle,
    advisory_failed: int,
    marginal: bool = False,
) -> tuple[FrictionReason, ...]:
    """Return the friction reasons of one started session, in contract order.

    Args:
        chain: The session's chain.
        signals: Every signal the session matches, not only the one it is keyed to.
        lifecycle: What became of the attempt.
        advisory_failed: How many advisory checks did not hold.
        marginal: The judge's score was barely enough, and the caller wants to know.

    Rule: findings.md section 5, Friction.
    """
    reasons: list[FrictionReason] = []
    if any(
        row.state is StageState.FAILED and row.stage is not Stage.USER_VALUE for row in chain.rows
    ):
        reasons.append(FrictionReason.STAGE_FAILED)
    reasons.extend(reason for signal, reason in _SIGNALS if signal in signals)
    if advisory_failed > 0:
        reasons.append(FrictionReason.ADVISORY_FAILED)
    if lifecycle is Lifecycle.BROKE:
        reasons.append(FrictionReason.EXECUTION_INTERRUPTED)
    if marginal:
        reasons.append(FrictionReason.MARGINAL_SCORE)
    return tuple(reasons)


def is_marginal(judge: JudgeFact | None) -> bool:
    """Tell whether a judge's score reached its threshold by less than 0.05.

    Rule: findings.md section 5, `marginalScore`.
    """
    if judge is None or judge.score is None or judge.threshold is None:
        return False
    # Rounded, because 0.85 is a little less than 0.8 + 0.05 in binary.
    return 0 <= round(judge.score - judge.threshold, _DECIMALS) < _MARGIN
