import math
from typing import Any

import pytest

from reporter.derive.chain.judge import (
    JUDGE_CAP_WITHOUT_RUBRIC,
    JUDGE_PARTIAL_FLOOR,
    JUDGE_TEMPLATE_VERSION,
    JUDGE_THRESHOLD,
    has_rubric,
    judge_verdict,
    read_judgement,
)


def raw(score: Any = 0.9, reason: Any = "clear", hits: Any = ()) -> dict[str, Any]:
    return {"score": score, "reason": reason, "rubricHits": list(hits)}


def test_the_bands_have_these_limits() -> None:
    limits = (JUDGE_THRESHOLD, JUDGE_PARTIAL_FLOOR, JUDGE_CAP_WITHOUT_RUBRIC)
    assert limits == (0.7, 0.4, 0.85)
    assert JUDGE_TEMPLATE_VERSION == 4


@pytest.mark.parametrize(
    ("score", "threshold", "verdict"),
    [
        (1, 0.7, "pass"),
        (0.7, 0.7, "pass"),
        (0.6999, 0.7, "partial"),
        (0.4, 0.7, "partial"),
        (0.3999, 0.7, "fail"),
        (0, 0.7, "fail"),
        (0.3, 0.2, "pass"),
        (0.9, 0.95, "partial"),
        (0, 0, "pass"),
    ],
)
def test_a_score_falls_into_its_band(score: float, threshold: float, verdict: str) -> None:
    assert judge_verdict(score, threshold) == verdict
    read = read_judgement(raw(score), with_rubric=True, threshold=threshold)
    assert read is not None
    assert (read.verdict, read.passed) == (verdict, verdict == "pass")


@pytest.mark.parametrize(
    ("expected_output", "criteria", "guided"),
    [(None, 0, False), ("", 0, False), (" \n", 0, False), ("a receipt", 0, True), (None, 1, True)],
)
def test_a_rubric_is_an_expected_output_or_a_criterion(
    expected_output: str | None, criteria: int, guided: bool
) -> None:
    assert has_rubric(expected_output, criteria) is guided


@pytest.mark.parametrize(
    ("score", "with_rubric", "expected"),
    [(1, True, 1), (1, False, 0.85), (0.85, False, 0.85), (0.5, False, 0.5)],
)
def test_a_judge_without_a_rubric_may_not_give_full_marks(
    score: float, with_rubric: bool, expected: float
) -> None:
    read = read_judgement(raw(score), with_rubric=with_rubric)
    assert read is not None
    assert read.score == expected


def test_the_cap_can_cost_the_pass() -> None:
    read = read_judgement(raw(1), with_rubric=False, threshold=0.9)
    assert read is not None
    assert (read.passed, read.verdict) == (False, "partial")


@pytest.mark.parametrize(
    ("reason", "with_rubric", "expected"),
    [
        ("clear", True, "clear"),
        ("clear", False, "no rubric — clear"),
        ("No Rubric given", False, "No Rubric given"),
        ("there was no rubric", False, "no rubric — there was no rubric"),
    ],
)
def test_a_judge_without_a_rubric_says_so(reason: str, with_rubric: bool, expected: str) -> None:
    read = read_judgement(raw(reason=reason), with_rubric=with_rubric)
    assert read is not None
    assert read.reason == expected


@pytest.mark.parametrize(
    "answer",
    [
        None,
        "0.9",
        [],
        {},
        raw(True),
        raw("0.9"),
        raw(1.01),
        raw(-0.01),
        raw(math.nan),
        raw(math.inf),
        raw(None),
        raw(reason=""),
        raw(reason="  "),
        raw(reason=7),
        {"score": 0.9, "reason": "clear"},
        {"score": 0.9, "reason": "clear", "rubricHits": "one"},
        {"score": 0.9, "reason": "clear", "rubricHits": ["one", 2]},
    ],
)
def test_an_answer_that_measures_nothing_is_no_judgement(answer: object) -> None:
    assert read_judgement(answer, with_rubric=True) is None
