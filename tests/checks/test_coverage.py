"""What measures each link, told from the checks as written and the graders beside them."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reporter.checks.coverage import Graders, LinkCoverage, coverage_of
from reporter.vocabulary import Stage


def at(
    stage: Stage, *checks: dict[str, str] | None, graders: Graders | None = None
) -> LinkCoverage:
    return next(row for row in coverage_of(checks, graders) if row.stage is stage)


def check(kind: str, role: str | None = None) -> dict[str, str]:
    return {"type": kind, **({"role": role} if role else {})}


@pytest.mark.parametrize(
    ("checks", "stage", "coverage"),
    [
        ([], Stage.CONNECTION, "runner"),
        ([], Stage.DISCOVERY, "runner"),
        ([], Stage.SELECTION, "none"),
        ([check("toolCalledWith")], Stage.SELECTION, "decides"),
        ([check("toolCalledWith", "advisory")], Stage.SELECTION, "advisoryOnly"),
        ([check("argumentsMatchToolSchema")], Stage.CALL, "decides"),
        ([check("noToolErrors")], Stage.RESPONSE, "decides"),
        ([check("noToolErrors")], Stage.CALL, "none"),
        ([check("turnCountUnder")], Stage.USER_VALUE, "decides"),
        ([None], Stage.USER_VALUE, "decides"),
        ([{"role": "advisory"}], Stage.USER_VALUE, "advisoryOnly"),
    ],
)
def test_a_link_is_measured_as_far_as_what_files_there_decides(
    checks: list[dict[str, str] | None], stage: Stage, coverage: str
) -> None:
    assert at(stage, *checks).coverage == coverage


def test_a_suite_of_three_usual_checks_leaves_three_links_unmeasured() -> None:
    rows = coverage_of(
        [check(one) for one in ("toolCalledWith", "noToolErrors", "responseContains")]
    )
    assert [row.coverage for row in rows] == [
        "runner",
        "runner",
        "decides",
        "none",
        "decides",
        "decides",
    ]
    assert [row.decided_by for row in rows] == ["runner"] * 2 + ["checks"] * 4


def test_graders_beside_the_checks_file_at_their_link() -> None:
    both = Graders(expects_calls=True, judge="advisory")
    assert at(Stage.SELECTION, graders=both).graders == ("toolCalls:match",)
    assert at(Stage.CALL, graders=both).graders == ("toolCalls:arguments",)
    value = at(Stage.USER_VALUE, graders=both)
    assert (value.graders, value.coverage) == (("judge:goalCompletion",), "advisoryOnly")
    assert at(Stage.USER_VALUE, graders=Graders(judge="required")).coverage == "decides"
    loose = Graders(expects_calls=True, ignores_arguments=True)
    assert at(Stage.CALL, graders=loose).coverage == "none"


def test_kinds_are_counted_by_what_they_may_decide_in_the_order_written() -> None:
    row = at(
        Stage.USER_VALUE,
        check("responseContains", "advisory"),
        check("turnCountUnder"),
        check("responseContains"),
    )
    assert row.to_wire()["kinds"] == [
        {"kind": "responseContains", "gating": 1, "advisory": 1, "observation": 0},
        {"kind": "turnCountUnder", "gating": 1, "advisory": 0, "observation": 0},
    ]


KINDS = ("toolCalledWith", "noToolErrors", "responseContains", "argumentsMatchToolSchema")
ROLES = st.sampled_from([None, "advisory", "required"])


@given(st.lists(st.builds(check, st.sampled_from(KINDS), ROLES)), st.randoms(use_true_random=False))
def test_the_order_of_checks_changes_no_word(checks: list[dict[str, str]], chance: Random) -> None:
    shuffled = list(checks)
    chance.shuffle(shuffled)
    words = [row.coverage for row in coverage_of(checks)]
    assert [row.coverage for row in coverage_of(shuffled)] == words
    counted = [sum(one.gating + one.advisory for one in row.kinds) for row in coverage_of(checks)]
    assert sum(counted) == len(checks)
