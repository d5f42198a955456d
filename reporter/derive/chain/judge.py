"""The goal judge's bands: how a raw score becomes pass, partial or fail."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

JUDGE_THRESHOLD: Final = 0.7
"""Score from which the goal counts as met, unless the run sets another in 0..1."""
JUDGE_PARTIAL_FLOOR: Final = 0.4
"""Score from which a goal that is not met counts as partly met."""
JUDGE_CAP_WITHOUT_RUBRIC: Final = 0.85
"""The most a judge may give where nobody wrote down what good looks like."""
JUDGE_TEMPLATE_VERSION: Final = 4
"""Version of the judge's template that these bands belong to."""

_UNGUIDED: Final = "no rubric"

JudgeVerdict = Literal["pass", "partial", "fail"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """A valid measurement by the judge."""

    score: float
    """After the cap."""
    passed: bool
    verdict: JudgeVerdict
    reason: str


def has_rubric(expected_output: str | None, criteria: int) -> bool:
    """True when something says what good looks like; instructions alone do not.

    Args:
        expected_output: What the case expects, or None.
        criteria: How many criteria the suite's rubric has.

    Rule: chain.md section 11.1, `has_rubric`.
    """
    return criteria > 0 or bool(expected_output and expected_output.strip())


def judge_verdict(score: float, threshold: float = JUDGE_THRESHOLD) -> JudgeVerdict:
    """Return the band that a score falls into.

    Rule: chain.md section 11.1, `verdict`.
    """
    if score >= threshold:
        return "pass"
    return "partial" if score >= JUDGE_PARTIAL_FLOOR else "fail"


def read_judgement(
    raw: object, *, with_rubric: bool, threshold: float = JUDGE_THRESHOLD
) -> Judgement | None:
    """Read what the judge answered, or return None for an answer that measures nothing.

    Rule: chain.md section 11.1.
    """
    if not isinstance(raw, Mapping):
        return None
    score, reason, hits = raw.get("score"), raw.get("reason"), raw.get("rubricHits")
    if isinstance(score, bool) or not isinstance(score, int | float):
        return None
    if not math.isfinite(score) or not 0 <= score <= 1:
        return None
    if not isinstance(reason, str) or not reason.strip():
        return None
    if not isinstance(hits, list) or not all(isinstance(hit, str) for hit in hits):
        return None
    if not with_rubric:
        score = min(score, JUDGE_CAP_WITHOUT_RUBRIC)
        if not reason.lower().startswith(_UNGUIDED):
            reason = f"{_UNGUIDED} — {reason}"
    return Judgement(
        score=float(score),
        passed=score >= threshold,
        verdict=judge_verdict(score, threshold),
        reason=reason,
    )
