import pytest
from chain_cases import Json, check, derive, outcome, span

from reporter.vocabulary import Stage


def judge(status: str, **more: object) -> Json:
    return {"judgeEvidence": {"status": status, **more}}


SCORED = judge("scored", verdict="pass", reasons=["fine"])

TABLE = [
    # line 1
    (
        {"evaluatorErrored": True, "predicateResults": [check(passed=False, reason="why")]},
        "notMeasured",
        "evaluatorError",
        None,
    ),
    # line 2
    (
        {"predicateResults": [check(passed=False, reason="why"), check(reason="held")], **SCORED},
        "failed",
        "predicateFailed",
        {"predicateReasons": ["why"]},
    ),
    (
        {"predicateResults": [check("madeUpLater", passed=False, reason="why")]},
        "failed",
        "predicateFailed",
        {"predicateReasons": ["why"]},
    ),
    # line 3
    ({"predicateResults": [check()], "traceAbsent": True}, "passed", "observed", None),
    (
        {"predicateResults": [check()], **judge("scored", verdict="fail")},
        "passed",
        "observed",
        None,
    ),
    ({"predicateResults": [{"reason": "says nothing"}]}, "passed", "observed", None),
    # line 4
    ({"traceAbsent": True, **SCORED}, "notMeasured", "traceAbsent", None),
    # line 5
    (SCORED, "passed", "judgeObserved", {"predicateReasons": ["fine"]}),
    (judge("scored", verdict="pass"), "passed", "judgeObserved", None),
    # line 6
    (
        judge("scored", verdict="partial", reasons=["half"]),
        "failed",
        "judgePartial",
        {"predicateReasons": ["half"]},
    ),
    # line 7
    (
        judge("scored", verdict="fail", reasons=["no", " ", "never"]),
        "failed",
        "judgeFailed",
        {"predicateReasons": ["no", "never"]},
    ),
    # line 8
    (
        judge("error", reasons=["no answer"]),
        "notMeasured",
        "evaluatorError",
        {"predicateReasons": ["no answer"]},
    ),
    # line 9
    (judge("pending", pendingKind="not_requested"), "notMeasured", "judgeNotRequested", None),
    # line 10
    (
        judge("pending", pendingKind="scheduled", reasons=["soon"]),
        "notMeasured",
        "judgePending",
        {"predicateReasons": ["soon"]},
    ),
    (judge("pending"), "notMeasured", "judgePending", None),
    # line 11
    ({}, "notMeasured", "noEvidenceCaptured", None),
    (judge("skipped", reasons=["cap"]), "notMeasured", "noEvidenceCaptured", None),
    (judge("not_applicable"), "notMeasured", "noEvidenceCaptured", None),
    (judge("scored", reasons=["?"]), "notMeasured", "noEvidenceCaptured", None),
    (judge("scored", verdict="maybe"), "notMeasured", "noEvidenceCaptured", None),
    ({"traceLacksSpanChannel": True}, "notMeasured", "noEvidenceCaptured", None),
    # neither an advisory nor an unscored row decides, and neither silences the judge
    (
        {"predicateResults": [check(passed=False, role="advisory")], **SCORED},
        "passed",
        "judgeObserved",
        {"predicateReasons": ["fine"]},
    ),
    (
        {"predicateResults": [check(passed=False, status="error")], **SCORED},
        "passed",
        "judgeObserved",
        {"predicateReasons": ["fine"]},
    ),
    # rows of other stages, and of none, leave the stage to the judge
    (
        {"predicateResults": [check("toolNamesUnique", passed=False)], **SCORED},
        "passed",
        "judgeObserved",
        {"predicateReasons": ["fine"]},
    ),
]


@pytest.mark.parametrize(("evidence", "state", "reason", "shown"), TABLE)
def test_user_value_follows_its_table(
    evidence: Json, state: str, reason: str, shown: Json | None
) -> None:
    assert outcome(derive(evidence), Stage.USER_VALUE) == (state, reason, shown)


def test_a_judge_that_broke_gives_no_category_and_a_broken_grader_does() -> None:
    assert derive(judge("error")).failure_category is None
    assert derive({"evaluatorErrored": True}).failure_category == "evaluator"


def test_a_judge_says_nothing_once_an_earlier_stage_failed() -> None:
    chain = derive({"spans": [span(status="error")], **SCORED})
    assert outcome(chain, Stage.USER_VALUE) == ("notReached", "earlierStageFailed", None)


def test_a_check_says_what_it_saw_whatever_failed_before_it() -> None:
    chain = derive({"spans": [span(status="error")], "predicateResults": [check()]})
    assert outcome(chain, Stage.USER_VALUE) == ("passed", "observed", None)
