import pytest
from builders import Json, assistant, call, result, user
from session_cases import (
    FAILED,
    SUCCEEDED,
    catalog_record,
    chain_record,
    check,
    criteria,
    facts_of,
    finish,
    judged,
    outcome,
    planned,
    refusal,
)

from reporter.derive.options import DeriveOptions
from reporter.models.facts import SessionFacts
from reporter.vocabulary import Disposition, FrictionReason

TALK = (user(), assistant())
RECOVERED = [call("1"), result("1", isError=True), call("2"), result("2")]
MARGINAL = DeriveOptions(marginal_score=True)

ONE_EACH: dict[FrictionReason, tuple[list[Json], dict[str, object]]] = {
    FrictionReason.STAGE_FAILED: (
        [
            call(),
            result(),
            chain_record("passed", "passed", "failed", "passed", "passed", "passed"),
        ],
        {},
    ),
    FrictionReason.OUTPUT_TRUNCATED: ([call(), finish("length")], {}),
    FrictionReason.HALLUCINATED_TOOL: ([catalog_record("a"), call(tool="b")], {}),
    FrictionReason.TOOL_ERRORED: (RECOVERED, {}),
    FrictionReason.TURN_CAP_REACHED: ([call()], {"run": {"maxTurns": 1}}),
    FrictionReason.ADVISORY_FAILED: (
        [call(), criteria(outcome(passed=False))],
        {"rubric": [check(role="advisory")]},
    ),
    FrictionReason.EXECUTION_INTERRUPTED: ([call()], {"slot": planned(FAILED)}),
    FrictionReason.MARGINAL_SCORE: ([call()], {"options": MARGINAL}),
}


def derived(raw: list[Json], more: Json, *, passed: bool) -> SessionFacts:
    judge = judged(passed=passed, score=0.72 if passed else 0.1, threshold=0.7)
    return facts_of(*TALK, *raw, judge, **more)


@pytest.mark.parametrize("reason", list(FrictionReason))
def test_each_reason_makes_a_met_goal_uneasy(reason: FrictionReason) -> None:
    raw, more = ONE_EACH[reason]
    facts = derived(raw, more, passed=True)
    assert reason in facts.friction
    assert facts.verdict.verdict == "passed"
    assert facts.disposition is Disposition.GOAL_MET_WITH_FRICTION


@pytest.mark.parametrize("reason", [r for r in FrictionReason if r != "marginalScore"])
def test_each_reason_is_kept_for_a_session_that_did_not_pass(reason: FrictionReason) -> None:
    raw, more = ONE_EACH[reason]
    facts = derived(raw, more, passed=False)
    assert reason in facts.friction
    assert facts.verdict.verdict == "failed"


def test_nothing_to_remark_is_no_friction() -> None:
    facts = derived([call(), result()], {}, passed=True)
    assert facts.friction == ()
    assert facts.disposition is Disposition.GOAL_MET


def test_no_tool_call_alone_is_no_friction() -> None:
    facts = derived([], {}, passed=True)
    assert facts.signal_key == "noToolCalled"
    assert facts.disposition is Disposition.GOAL_MET


def test_a_failed_last_stage_is_no_friction() -> None:
    assert derived([call(), result()], {}, passed=False).friction == ()


def test_reasons_stand_in_contract_order() -> None:
    raw = [
        *RECOVERED,
        catalog_record("a"),
        finish("length"),
        criteria(outcome(passed=False)),
    ]
    more: Json = {
        "rubric": [check(role="advisory")],
        "run": {"maxTurns": 1},
        "slot": planned(FAILED),
        "options": MARGINAL,
    }
    facts = derived(raw, more, passed=True)
    assert facts.friction == tuple(FrictionReason)


@pytest.mark.parametrize(
    ("score", "threshold", "marginal"),
    [
        (0.70, 0.70, True),
        (0.7499, 0.70, True),
        (0.75, 0.70, False),
        (0.85, 0.80, False),
        (0.35, 0.30, False),
        (0.69, 0.70, False),
        (None, 0.70, False),
        (0.70, None, False),
    ],
)
def test_a_marginal_score_is_less_than_five_hundredths_above(
    score: float | None, threshold: float | None, marginal: bool
) -> None:
    judge = judged(passed=True, score=score, threshold=threshold)
    facts = facts_of(*TALK, call(), judge, options=MARGINAL)
    assert (FrictionReason.MARGINAL_SCORE in facts.friction) is marginal
    assert FrictionReason.MARGINAL_SCORE not in facts_of(*TALK, call(), judge).friction


def test_an_unread_session_has_friction_by_its_chain_alone() -> None:
    options = DeriveOptions(beyond_scan_cap=True)
    facts = facts_of(*TALK, *RECOVERED, judged(), options=options)
    assert facts.friction == (FrictionReason.STAGE_FAILED,)
    assert facts.disposition is Disposition.GOAL_MET_WITH_FRICTION
    assert facts.signals == ()


def test_a_refused_session_without_a_message_has_friction_too() -> None:
    facts = facts_of(refusal(egressVerified=True), slot=planned(SUCCEEDED))
    assert facts.friction == (FrictionReason.STAGE_FAILED,)
