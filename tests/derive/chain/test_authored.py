import pytest

from reporter.derive.chain.authored import AuthoredCase, CaseStep, CaseTurn, authored_half
from reporter.models.chain import Authored

MODEL = CaseTurn(needs_model=True)
SCRIPT = CaseTurn(needs_model=False)
WIDGET = CaseStep(does="assert", on_widget=True)


def asserting(kind: str | None) -> CaseStep:
    return CaseStep(does="assert", kind=kind)


def half(
    *, mode: str = "model_free", calls: bool = False, renders: bool = False, count: int = 0
) -> Authored:
    return Authored(
        mode="model_driven" if mode == "model_driven" else "model_free",
        expects_tool_call=calls,
        expects_widget_render=renders,
        assertion_count=count,
    )


CASES = [
    (AuthoredCase(), half()),
    (AuthoredCase(turns=[SCRIPT]), half()),
    (AuthoredCase(turns=[SCRIPT, MODEL]), half(mode="model_driven")),
    # what makes a case expect a call
    (AuthoredCase(expects_tool_calls=True), half(calls=True)),
    (AuthoredCase(turns=[CaseTurn(needs_model=False, expects_tool_calls=True)]), half(calls=True)),
    (AuthoredCase(steps=[CaseStep(does="toolCall")]), half(calls=True)),
    (AuthoredCase(steps=[CaseStep(does="prompt"), CaseStep(does="other")]), half()),
    (AuthoredCase(success_kinds=["toolCalledAtLeastOnce"]), half(calls=True)),
    (AuthoredCase(steps=[asserting("firstToolWas")]), half(calls=True)),
    (AuthoredCase(success_kinds=["toolNeverCalled", "onlyToolsCalled"]), half()),
    (AuthoredCase(success_kinds=["madeUpLater"]), half(count=1)),
    # a kind on a step that asserts nothing is no assertion
    (AuthoredCase(steps=[CaseStep(does="other", kind="firstToolWas")]), half()),
    # what counts as an assertion on user value
    (AuthoredCase(success_kinds=["noToolErrors"]), half(count=1)),
    (AuthoredCase(success_kinds=["argumentsMatchToolSchema", None]), half(count=2)),
    (AuthoredCase(success_kinds=["toolCalledWith"]), half(count=1)),
    (AuthoredCase(success_kinds=["toolNamesUnique"]), half(count=1)),
    (
        AuthoredCase(
            steps=[asserting("responseContains"), asserting("toolCallCountUnder"), asserting(None)]
        ),
        half(count=2),
    ),
    (AuthoredCase(expected_output="a receipt"), half(count=1)),
    (AuthoredCase(expected_output=""), half(count=1)),
    # widgets
    (AuthoredCase(case_type="widget_probe"), half(renders=True)),
    (AuthoredCase(case_type="chat"), half()),
    (AuthoredCase(steps=[WIDGET]), half(renders=True, count=1)),
    # all at once
    (
        AuthoredCase(
            turns=[MODEL],
            steps=[WIDGET, asserting("firstToolWas"), CaseStep(does="prompt")],
            success_kinds=["responseContains", "toolNeverCalled"],
            expected_output="a receipt",
        ),
        half(mode="model_driven", calls=True, renders=True, count=3),
    ),
]


@pytest.mark.parametrize(("case", "expected"), CASES)
def test_a_case_becomes_its_authored_half(case: AuthoredCase, expected: Authored) -> None:
    assert authored_half(case) == expected


@pytest.mark.parametrize("declared", [True, False, None])
def test_a_negative_case_is_one_only_where_it_says_so(declared: bool | None) -> None:
    assert authored_half(AuthoredCase(is_negative_test=declared)).is_negative_test is declared
