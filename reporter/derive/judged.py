"""What a session's grades come to, worked out once for all sessions that are graded alike."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from reporter.derive.verdict import derive_verdict
from reporter.models.manifest import AttemptStatus
from reporter.models.verdict import (
    CriteriaOutcome,
    CriterionOutcome,
    GoalScore,
    GradingState,
    GradingStateWord,
    RubricEntry,
    SessionVerdict,
    VerdictAttempt,
    VerdictInput,
    VerdictJudge,
)

Role = Literal["advisory", "required"]
Mark = tuple[str, bool, Literal["scored", "error"] | None]
"""Check, outcome and status of one result."""


class Check(NamedTuple):
    """One entry of a rubric whose role is known."""

    id: str
    role: Role
    kind: str | None


class Marks(NamedTuple):
    """Everything that decides a session, as a value that tells sessions graded alike."""

    attempt: tuple[AttemptStatus, str | None] | None
    """Status and error code, or None where the runner recorded nothing."""
    has_transcript: bool
    rubric: tuple[Check, ...]
    """The checks that have something to judge."""
    criteria: Literal["pending", "completed", "failed"] | None
    """Status of the criteria, or None where there are none."""
    claimed: tuple[str, ...] | None
    """The claimed checks, or None where the criteria do not say."""
    results: tuple[Mark, ...] | None
    """None where there can be none."""
    score: tuple[Literal["running", "completed", "failed"], bool | None] | None
    """The judge's status and word."""
    judge: tuple[bool, Role, bool | None]
    """Whether a judge speaks by itself, whether it decides, and whether it was asked."""
    grading: tuple[GradingStateWord, str | None]
    """State and reason code."""


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The input of the verdict and the verdict; told by identity, as `judged` shares them."""

    source: VerdictInput
    verdict: SessionVerdict


# A wave holds few distinct grades, and nobody changes what comes of them: to make it anew for
# every session takes longer than to choose the grades does.
@lru_cache(maxsize=2048)
def judged(marks: Marks) -> Judged:
    """Return the input of the verdict, and the verdict, of sessions with these marks."""
    source = VerdictInput(
        attempt=None
        if marks.attempt is None
        else VerdictAttempt(status=marks.attempt[0], error_code=marks.attempt[1]),
        has_transcript=marks.has_transcript,
        rubric=[
            RubricEntry(id=check.id, role=check.role, predicate_type=check.kind)
            for check in marks.rubric
        ],
        criteria=None
        if marks.criteria is None
        else CriteriaOutcome(
            status=marks.criteria,
            criterion_ids=None if marks.claimed is None else list(marks.claimed),
            results=None
            if marks.results is None
            else [
                CriterionOutcome(criterion_id=name, passed=passed, status=status)
                for name, passed, status in marks.results
            ],
        ),
        goal_score=None
        if marks.score is None
        else GoalScore(status=marks.score[0], passed=marks.score[1]),
        judge=VerdictJudge(automatic=marks.judge[0], role=marks.judge[1], requested=marks.judge[2]),
        grading=GradingState(state=marks.grading[0], reason_code=marks.grading[1]),
    )
    return Judged(source, derive_verdict(source))
