import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reporter.view.anchor import anchor, call_anchor, finding_anchor, message_anchor

parts = st.lists(st.text(), min_size=1, max_size=3)


@given(parts, parts)
def test_different_parts_give_different_anchors(left: list[str], right: list[str]) -> None:
    assert (anchor("x", *left) == anchor("x", *right)) == (left == right)


@given(parts)
def test_an_anchor_is_safe_in_a_url_and_a_selector(found: list[str]) -> None:
    assert re.fullmatch(r"[A-Za-z0-9._~-]+", anchor("x", *found))


@given(st.text(min_size=81), st.text(min_size=81))
def test_long_parts_stay_apart_and_short(left: str, right: str) -> None:
    assert (anchor("x", left) == anchor("x", right)) == (left == right)
    assert len(anchor("x", "a" * 100_000)) < 120


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (message_anchor("s1", 4), "session.s1.m4"),
        (call_anchor("s1", "m4"), "session.s1.call.m4"),
        (anchor("goal", "a.b"), "goal.a~2e~b"),
        (anchor("goal", ""), "goal."),
    ],
)
def test_anchors_are_stable(made: str, expected: str) -> None:
    assert made == expected


def test_an_id_that_looks_like_a_secret_is_not_spelled_out() -> None:
    secret = "ghp_" + "a1" * 20
    assert secret not in anchor("session", secret)


def test_findings_are_told_apart_by_their_row_id() -> None:
    assert finding_anchor('goal:[null,"r1","t1"]') != finding_anchor('goal:[null,"r1","t2"]')
