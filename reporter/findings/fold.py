"""Several sessions as one word: disposition, verdict and the stage that a row shows."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from reporter.models.chain import Chain
from reporter.models.facts import SessionFacts
from reporter.vocabulary import ChainStageBasis, Disposition, Stage, StageState, Verdict

# Fail tones outrank a met goal and stand in contract order; what is not known stands last.
_RANK: Final[Mapping[Disposition, int]] = MappingProxyType(
    {
        Disposition.BLOCKED_CONNECTING: 0,
        Disposition.LOST_FINDING_TOOL: 1,
        Disposition.BLOCKED_CALLING_TOOL: 2,
        Disposition.BLOCKED_BY_RESPONSE: 3,
        Disposition.GOAL_MISSED: 4,
        Disposition.GOAL_MET_WITH_FRICTION: 5,
        Disposition.GOAL_MET: 6,
        Disposition.NOT_MEASURED: 7,
        Disposition.NOT_RUN: 8,
    }
)


def fold(dispositions: Iterable[Disposition]) -> Disposition:
    """Fold dispositions into one; order does not matter, and folds can be folded again.

    Rule: findings.md section 6.
    """
    return min(dispositions, key=_RANK.__getitem__, default=Disposition.NOT_RUN)


def fold_verdicts(verdicts: Iterable[Verdict]) -> Verdict:
    """Fold the verdicts of the sessions that a row counts.

    Rule: findings.md section 6.2.
    """
    seen = set(verdicts)
    for decisive in (Verdict.FAILED, Verdict.INCONCLUSIVE):
        if decisive in seen:
            return decisive
    return Verdict.PASSED if seen == {Verdict.PASSED} else Verdict.NOT_ESTABLISHED


@dataclass(frozen=True, slots=True)
class StageShown:
    """The stage a row stands at, and what that rests on."""

    stage: Stage | None
    state: StageState | None
    basis: ChainStageBasis


UNPLACED: Final = StageShown(None, None, ChainStageBasis.UNMEASURED)
"""No stage could be placed."""

_PLACED: Final = {
    (stage, state): StageShown(stage, state, ChainStageBasis.DERIVED)
    for stage in Stage
    for state in (StageState.FAILED, StageState.PASSED)
}


def first_failed(chain: Chain | None) -> Stage | None:
    """Return the first failed stage of a chain in stage order, or None.

    Rule: findings.md section 4.4.
    """
    if chain is None:
        return None
    return next((row.stage for row in chain.rows if row.state is StageState.FAILED), None)


def stage_of_session(chain: Chain | None) -> StageShown:
    """Return the stage that one session's row shows.

    Rule: findings.md section 6.3, session rows.
    """
    if chain is None:
        return UNPLACED
    failed = first_failed(chain)
    if failed is not None:
        return _PLACED[failed, StageState.FAILED]
    passed = [row.stage for row in chain.rows if row.state is StageState.PASSED]
    return _PLACED[passed[-1], StageState.PASSED] if passed else UNPLACED


def stage_of_sessions(counted: Iterable[SessionFacts]) -> StageShown:
    """Return the stage that a row over several sessions shows: theirs, where they agree.

    Args:
        counted: The sessions the row counts, which decided its disposition.

    Rule: findings.md section 6.3, goal outcome row.
    """
    shown = {stage_of_session(session.chain) for session in counted}
    return shown.pop() if len(shown) == 1 else UNPLACED
