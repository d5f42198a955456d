"""Expected calls: which calls are paired, what is missing, and what is said about arguments."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reporter.checks.evidence import Call, Evidence
from reporter.checks.expected import (
    AS_USUAL,
    ExpectedCall,
    Matched,
    MatchOptions,
    is_matcher,
    match_calls,
    match_outcome,
    predicates_of,
)

Named = tuple[str, Mapping[str, Any]]
A: Named = ("a", {})
B: Named = ("b", {})
C: Named = ("c", {})


def matched(expected: Sequence[Named], made: Sequence[Named], **options: Any) -> Matched:
    check = {
        "type": "toolCalls:match",
        "expectedToolCalls": [{"toolName": tool, "arguments": args} for tool, args in expected],
        **options,
    }
    return match_calls(check, Evidence(calls=[Call(tool, args) for tool, args in made]))


def outcome(kind: str, found: Matched) -> tuple[str, str]:
    said = match_outcome({"type": f"toolCalls:{kind}"}, found)
    return said.state, said.reason


@pytest.mark.parametrize(
    ("order", "made", "missing"),
    [
        ("ignore", [B, A], ()),
        ("superset", [B, A], ("b",)),
        ("superset", [A, C, B], ()),
        ("superset", [C], ("a", "b")),
        ("strict", [A, B], ()),
        ("strict", [C, A, B], ("a", "b")),
        ("strict", [A, C, B], ("b",)),
        ("strict", [A], ("b",)),
        ("ignore", [], ("a", "b")),
    ],
)
def test_orders(order: str, made: list[Named], missing: tuple[str, ...]) -> None:
    assert matched([A, B], made, toolCallOrder=order).missing == missing


def test_a_call_is_paired_once() -> None:
    found = matched([A, A], [A])
    assert (found.missing, found.extra) == (("a",), 0)


def test_a_call_with_other_arguments_is_made_and_not_missing() -> None:
    found = matched([("a", {"x": 1, "y": "string"})], [("a", {"x": 2, "y": 3, "z": 0})])
    assert (found.missing, found.mismatches) == ((), (("a", ("x", "y")),))
    assert outcome("match", found)[0] == "pass"
    state, reason = outcome("arguments", found)
    assert state == "fail"
    assert "a (x, y)" in reason


def test_the_call_that_fits_is_preferred_to_one_of_the_same_name() -> None:
    found = matched([("a", {"x": 1})], [("a", {"x": 2}), ("a", {"x": 1})])
    assert (found.mismatches, found.extra) == ((), 1)


@pytest.mark.parametrize(
    ("mode", "arguments", "differing"),
    [
        ("partial", {"x": 1, "more": True}, ()),
        ("exact", {"x": 1, "more": True}, ("more",)),
        ("exact", {}, ("x",)),
        ("exact", {"x": 1.0}, ()),
        ("ignore", {"x": 9}, None),
    ],
)
def test_modes(mode: str, arguments: dict[str, Any], differing: tuple[str, ...] | None) -> None:
    found = matched([("a", {"x": 1})], [("a", arguments)], argumentMatching=mode)
    assert found.missing == ()
    assert found.mismatches == ((("a", differing),) if differing else ())


def test_arguments_that_are_no_object_match_only_where_they_are_ignored() -> None:
    check = {"type": "toolCalls:match", "expectedToolCalls": [{"toolName": "a", "arguments": {}}]}
    made = Evidence(calls=[Call("a", {}, args_invalid=True)])
    assert match_calls(check, made).mismatches == (("a", ("all, as they are no object",)),)
    assert match_calls({**check, "argumentMatching": "ignore"}, made).mismatches == ()


@pytest.mark.parametrize(("most", "state"), [(None, "pass"), (1, "fail"), (2, "pass"), (0, "fail")])
def test_calls_beside_are_allowed_up_to_the_cap(most: int | None, state: str) -> None:
    found = matched([A], [A, B, C], maxExtraToolCalls=most)
    assert outcome("match", found)[0] == state


def test_arguments_of_calls_that_were_not_made_are_not_measured() -> None:
    found = matched([A], [B])
    assert outcome("match", found)[0] == "fail"
    assert outcome("arguments", found)[0] == "error"


def test_options_of_a_goal_stand_before_those_of_the_file() -> None:
    wider = MatchOptions("strict", "exact", 2)
    assert MatchOptions(is_unlimited=True).under(wider).to_wire() == {
        "toolCallOrder": "strict",
        "argumentMatching": "exact",
    }
    assert MatchOptions("ignore", None, 0).under(wider).to_wire() == {
        "maxExtraToolCalls": 0,
        "argumentMatching": "exact",
    }
    assert AS_USUAL.under(AS_USUAL).to_wire() == {}


def test_nothing_grades_arguments_that_are_ignored() -> None:
    calls = [ExpectedCall("a", {})]
    kinds = [one["type"] for one in predicates_of(calls, AS_USUAL)]
    assert kinds == ["toolCalls:match", "toolCalls:arguments"]
    ignoring = MatchOptions(argument_matching="ignore")
    assert [one["type"] for one in predicates_of(calls, ignoring)] == ["toolCalls:match"]


@pytest.mark.parametrize(
    "broken",
    [
        {"expectedToolCalls": []},
        {"expectedToolCalls": "a"},
        {"expectedToolCalls": [{"tool": "a"}]},
        {"expectedToolCalls": [{"toolName": "a", "arguments": []}]},
        {"toolCallOrder": "sorted"},
        {"argumentMatching": "fuzzy"},
        {"maxExtraToolCalls": -1},
        {"maxExtraToolCalls": True},
        {"type": "toolCalls:other"},
    ],
)
def test_what_is_no_matcher_is_not_run(broken: dict[str, Any]) -> None:
    whole = {"type": "toolCalls:match", "expectedToolCalls": [{"toolName": "a"}]}
    assert is_matcher(whole)
    assert not is_matcher({**whole, **broken})


CALLS = st.lists(
    st.tuples(st.sampled_from("abc"), st.fixed_dictionaries({"x": st.integers(0, 2)})), max_size=6
)
ORDERS = st.sampled_from(["ignore", "strict", "superset"])


@given(CALLS, CALLS, ORDERS, st.sampled_from(["partial", "exact", "ignore"]))
def test_every_call_is_paired_missing_or_beside(
    expected: list[Named], made: list[Named], order: str, mode: str
) -> None:
    found = matched(expected, made, toolCallOrder=order, argumentMatching=mode)
    paired = len(expected) - len(found.missing)
    assert paired + found.extra == len(made)
    assert len(found.mismatches) <= paired
    assert found.counts.missing == len(found.missing)
    if mode == "ignore":
        assert not found.mismatches


@given(CALLS, ORDERS, st.sampled_from(["partial", "exact", "ignore"]))
def test_what_was_expected_and_made_matches_in_every_order(
    calls: list[Named], order: str, mode: str
) -> None:
    found = matched(calls, calls, toolCallOrder=order, argumentMatching=mode)
    assert (found.missing, found.extra, found.mismatches) == ((), 0, ())


@given(CALLS, CALLS, st.sampled_from(["superset", "strict"]))
def test_an_order_misses_no_less_than_none(
    expected: list[Named], made: list[Named], order: str
) -> None:
    def misses(how: str) -> int:
        found = matched(expected, made, toolCallOrder=how, argumentMatching="ignore")
        return len(found.missing)

    assert misses("ignore") <= misses(order)
