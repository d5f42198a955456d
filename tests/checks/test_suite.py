"""Files of checks: what may be written, and that every bad place is named at once."""

import json
from typing import Any

import pytest
from builders import goal
from hypothesis import given
from hypothesis import strategies as st

from reporter.checks.authoring import TURN_SCOPABLE, check_faults
from reporter.checks.evaluate import EVALUATORS
from reporter.checks.reading import read_suite
from reporter.checks.standard import STANDARD
from reporter.checks.suite import Suite
from reporter.errors import RecordingError
from reporter.models.manifest import Goal

DONE = {"type": "finalAssistantMessageNonEmpty"}
HELD = {"type": "toolCalledAtLeastOnce", "toolName": "place_hold"}


def goals(*pairs: tuple[str, str]) -> list[Goal]:
    return [Goal.model_validate(goal(*pair)) for pair in pairs]


TWO = (("g1", "Borrow a book"), ("g2", "Pay a fine"))


def suite(**raw: Any) -> Suite:
    return read_suite(json.dumps(raw).encode(), "desk.json")


def yaml(text: str) -> Suite:
    return read_suite(text.encode(), "desk.yaml")


def refused(text: str, name: str = "desk.yaml") -> list[tuple[str, str]]:
    with pytest.raises(RecordingError) as error:
        read_suite(text.encode(), name)
    assert all(problem.file == name for problem in error.value.problems)
    return [(problem.place, f"{problem.what} {problem.remedy}") for problem in error.value.problems]


def kinds(of: Suite, goal_id: str) -> list[tuple[str, str]]:
    return [(one.check["type"], one.role) for one in of.of_goals(goals(*TWO))[goal_id]]


def test_yaml_and_json_are_one_file() -> None:
    written = """
checks:
  - type: finalAssistantMessageNonEmpty
  - {type: toolCalledAtLeastOnce, toolName: place_hold}
"""
    assert yaml(written).checks == suite(checks=[DONE, HELD]).checks


def test_words_of_yaml_stay_words() -> None:
    found = yaml("checks: [{type: responseContains, needle: no}]").checks[0].check
    assert found["needle"] == "no"
    found = yaml("checks: [{type: responseContains, needle: 2026-01-02}]").checks[0].check
    assert found["needle"] == "2026-01-02"


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("inherit", [("finalAssistantMessageNonEmpty", "required")]),
        ("replace", [("toolCalledAtLeastOnce", "required")]),
        (
            "extend",
            [("finalAssistantMessageNonEmpty", "required"), ("toolCalledAtLeastOnce", "required")],
        ),
    ],
)
def test_modes(mode: str, expected: list[tuple[str, str]]) -> None:
    found = suite(checks=[DONE], goals={"Pay a fine": {"mode": mode, "checks": [HELD]}})
    assert kinds(found, "g2") == expected
    assert kinds(found, "g1") == [("finalAssistantMessageNonEmpty", "required")]


def test_a_goal_without_a_mode_extends() -> None:
    assert len(kinds(suite(checks=[DONE], goals={"g2": {"checks": [HELD]}}), "g2")) == 2


def test_what_is_suppressed_is_dropped_by_its_kind_and_only_of_the_file() -> None:
    errors = {"type": "noToolErrors"}
    found = suite(
        checks=[DONE, errors],
        goals={"g2": {"checks": [errors], "suppress": ["response.errors"]}},
    )
    assert [kind for kind, _ in kinds(found, "g1")] == [DONE["type"], "noToolErrors"]
    assert [kind for kind, _ in kinds(found, "g2")] == [DONE["type"], "noToolErrors"]
    found = suite(checks=[DONE, errors], suppress=["response.errors"])
    assert [kind for kind, _ in kinds(found, "g1")] == [DONE["type"]]


def test_of_two_equal_checks_the_gating_one_stands_and_it_is_said() -> None:
    found = suite(checks=[{**DONE, "role": "advisory"}, DONE])
    assert kinds(found, "g1") == [(DONE["type"], "required")]
    assert [note.rule for note in found.notes if note.rule == "check-twice"] == ["check-twice"]


def test_ids_come_from_content_alone() -> None:
    first = suite(checks=[DONE, HELD]).checks
    second = suite(checks=[{**HELD, "role": "advisory"}, DONE]).checks
    assert {one.id for one in first} == {one.id for one in second}
    assert first[0].id == "predicate:finalAssistantMessageNonEmpty#f86dfa9b"


def test_names_of_authors_are_kept_and_no_part_of_the_check() -> None:
    (found,) = suite(checks=[{**HELD, "id": "hold", "label": "A hold is placed"}]).checks
    assert (found.id, found.label) == ("hold", "A hold is placed")
    assert found.identity == suite(checks=[HELD]).checks[0].identity
    assert found.criterion().predicate == HELD


def test_a_check_without_a_name_is_called_by_its_kind_and_its_tools() -> None:
    before = {"type": "toolCalledBefore", "toolName": "find_book", "beforeToolName": "place_hold"}
    labels = [one.criterion().label for one in suite(checks=[DONE, HELD, before]).checks]
    assert labels == [
        "finalAssistantMessageNonEmpty",
        "toolCalledAtLeastOnce: place_hold",
        "toolCalledBefore: find_book, then place_hold",
    ]


def test_required_is_stored_as_absent() -> None:
    (found,) = suite(checks=[{**HELD, "role": "required"}]).checks
    assert found.check == HELD


def test_every_bad_place_is_named_at_once() -> None:
    found = refused(
        json.dumps(
            {
                "chekcs": [],
                "checks": [
                    {"type": "noToolErorrs"},
                    {"type": "toolLatencyUnder", "ms": 0},
                    {"type": "noEndingQuestion"},
                    {**DONE, "toolNmae": "x"},
                    {"type": "responseMatches", "pattern": "("},
                    "x",
                ],
                "goals": {"g1": {"mode": "also", "checks": {}}, "g2": 3},
                "suppress": ["response.error"],
            }
        ),
        "desk.json",
    )
    assert [place for place, _ in found] == [
        "chekcs",
        "checks[0].type",
        "checks[1].ms",
        "checks[2].role",
        "checks[3].toolNmae",
        "checks[4].pattern",
        "checks[5]",
        "suppress[0]",
        "goals['g1'].mode",
        "goals['g1'].checks",
        "goals['g2']",
    ]
    assert "Did you mean checks?" in found[0][1]


@pytest.mark.parametrize(
    "text",
    [
        "checks: [&a {type: noToolErrors, role: advisory}, *a]",
        "checks:\n  - type: noToolErrors\n    type: noToolErrors",
        "checks: [{type: !!python/name:os.system x}]",
        "checks: [{type: responseContains, needle: !!binary aGVsbG8=}]",
        "checks: [{1: 2}]",
        "checks: [\n",
        "checks: [{type: responseContains, needle: .inf}",
        "[" * 3000,
        "{a: " * 3000,
        "- 1",
        "",
        "checks: []",
        "checks: x",
        "goals: []",
        "a: 1\n---\nb: 2",
        "checks: ['\x00']",
        "x" * (1024 * 1024 + 1),
    ],
)
def test_what_is_no_file_of_checks_is_refused(text: str) -> None:
    assert refused(text)


@pytest.mark.parametrize(
    "text", ['{"checks": [NaN]}', '{"checks": [], "checks": []}', "{", "checks: []", '{"a": 1e999}']
)
def test_what_is_no_json_is_refused(text: str) -> None:
    assert refused(text, "desk.json")


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(RecordingError, match="UTF-8"):
        read_suite(b"checks: \xff", "desk.yaml")


def test_unknown_goals_are_named_with_what_is_nearby() -> None:
    found = suite(goals={"Borow a book": {"checks": [DONE]}, "zzz": {"checks": [DONE]}})
    with pytest.raises(RecordingError) as error:
        found.of_goals(goals(*TWO))
    first, second = error.value.problems
    assert "'Borrow a book'" in first.remedy
    assert "'g1', 'g2'" in second.remedy


def test_a_goal_named_by_id_and_by_title_is_refused() -> None:
    found = suite(goals={"g1": {"checks": [DONE]}, "Borrow a book": {"checks": [HELD]}})
    with pytest.raises(RecordingError, match="second time"):
        found.of_goals(goals(*TWO))


def test_a_title_of_several_goals_means_all_of_them() -> None:
    found = suite(goals={"Same": {"checks": [DONE]}})
    asked = found.of_goals(goals(("g1", "Same"), ("g2", "Same"), ("g3", "Other")))
    assert [len(asked[one]) for one in ("g1", "g2", "g3")] == [1, 1, 0]


def test_two_checks_of_one_id_are_refused() -> None:
    found = refused(json.dumps({"checks": [{**DONE, "id": "a"}, {**HELD, "id": "a"}]}), "desk.json")
    assert [place for place, _ in found] == ["checks[1].id"]


@pytest.mark.parametrize(
    ("check", "noted"),
    [
        ({"type": "noToolErrors"}, True),
        ({"type": "toolNeverCalled", "toolName": "x"}, True),
        (DONE, False),
        (HELD, False),
        ({"type": "toolLatencyUnder", "ms": 5}, False),
    ],
)
def test_checks_that_nothing_can_fail_are_noted(check: dict[str, Any], noted: bool) -> None:
    rules = [note.rule for note in suite(checks=[check]).notes]
    assert ("checks-vacuous" in rules) is noted


def noted(**raw: Any) -> list[str]:
    return [note.rule for note in suite(**raw).notes]


def placed(**raw: Any) -> list[str]:
    return [place for place, _ in refused(json.dumps(raw), "desk.json")]


def test_a_turn_is_counted_from_one_and_kept_beside_the_check() -> None:
    (first, other) = suite(checks=[{**DONE, "turn": 1}, {**DONE, "turn": 2}]).checks
    assert (first.turn, other.turn) == (0, 1)
    assert first.check == DONE
    assert first.id == "predicate:finalAssistantMessageNonEmpty#f86dfa9b@turn1"
    assert first.criterion().scope == {"kind": "turn", "promptIndex": 0}
    assert noted(checks=[{**DONE, "turn": 1}, DONE]) == []
    assert "check-twice" in noted(checks=[{**DONE, "turn": 1}, {**DONE, "turn": 1}])


@pytest.mark.parametrize("turn", [0, -1, 201, True, "1", 1.5, None, [1]])
def test_what_is_no_turn_is_refused(turn: object) -> None:
    assert placed(checks=[{**DONE, "turn": turn}]) == ["checks[0].turn"]
    assert placed(expect=[{"toolName": "a", "turn": turn}]) == ["expect[0].turn"]


WHOLE: dict[str, dict[str, Any]] = {
    "toolCalledWith": {"toolName": "a", "args": {"args": {}}},
    "toolCalledAtLeastOnce": {"toolName": "a"},
    "toolNeverCalled": {"toolName": "a"},
    "onlyToolsCalled": {"toolNames": ["a"]},
    "firstToolWas": {"toolName": "a"},
    "toolCallCountUnder": {"count": 2},
    "toolCalledBefore": {"toolName": "a", "beforeToolName": "b"},
    "toolInputMatches": {"toolName": "a", "patterns": ["x"]},
    "toolLatencyUnder": {"ms": 5},
    "toolResultContains": {"needle": "x"},
    "toolResultMatches": {"patterns": ["x"]},
    "toolResultMatchesSchema": {"schema": {}},
    "toolResultSizeUnder": {"maxBytes": 5},
    "responseContains": {"needle": "x"},
    "responseMatches": {"pattern": "x"},
    "responseCloseTo": {"reference": "x", "maxDistance": 0.5},
    "tokenBudgetUnder": {"tokens": 5},
    "turnCountUnder": {"turns": 5},
    "widgetRenderLatencyUnder": {"ms": 5},
}


@pytest.mark.parametrize("kind", EVALUATORS)
def test_a_kind_is_let_at_a_turn_exactly_where_a_turn_can_feed_it(kind: str) -> None:
    check = {"type": kind, **WHOLE.get(kind, {}), "role": "advisory"}
    suite(checks=[check])
    if kind in TURN_SCOPABLE:
        assert suite(checks=[{**check, "turn": 1}]).checks[0].turn == 0
    else:
        assert placed(checks=[{**check, "turn": 1}]) == ["checks[0].turn"]


def test_bad_expected_calls_are_refused_at_their_place() -> None:
    call = {"toolName": "a"}
    assert placed(
        expect=[
            "a",
            {},
            {"toolName": ""},
            {**call, "arguments": []},
            {**call, "args": {}},
            {**call, "turn": 0},
        ],
        match={"toolCallOrder": "sorted", "maxExtraToolCalls": -1, "order": 1},
        goals={"g1": {"match": {"argumentMatching": 1}, "expect": call}},
    ) == [
        "expect[0]",
        "expect[1].toolName",
        "expect[2].toolName",
        "expect[3].arguments",
        "expect[4].args",
        "expect[5].turn",
        "match.order",
        "match.toolCallOrder",
        "match.maxExtraToolCalls",
        "goals['g1'].expect",
        "goals['g1'].match.argumentMatching",
    ]


def test_expected_calls_of_one_scope_are_graded_together() -> None:
    found = suite(
        expect=[{"toolName": "a"}, {"toolName": "b", "turn": 2}],
        goals={"g2": {"expect": [{"toolName": "c"}], "match": {"argumentMatching": "ignore"}}},
    )
    asked = found.of_goals(goals(*TWO))
    assert [(one.check["type"], one.turn) for one in asked["g1"]] == [
        ("toolCalls:match", None),
        ("toolCalls:arguments", None),
        ("toolCalls:match", 1),
        ("toolCalls:arguments", 1),
    ]
    named = [[call["toolName"] for call in one.check["expectedToolCalls"]] for one in asked["g2"]]
    assert named == [["a", "c"], ["b"]]
    assert [one.criterion().label for one in asked["g2"]] == [
        "Expected calls: a, c",
        "Expected calls: b (turn 2)",
    ]


def test_standard_checks_are_added_to_report_and_to_warn() -> None:
    found = suite(standard=["response.performance", "selection.hops"])
    assert [(one.id, one.check) for one in found.checks] == [
        (
            "response.performance",
            {"type": "toolLatencyUnder", "ms": 5000, "role": "advisory", "severity": "warn"},
        ),
        (
            "selection.hops",
            {"type": "toolCallCountUnder", "count": 4, "role": "advisory", "severity": "warn"},
        ),
    ]
    kinds = [one.check["type"] for one in suite(standard="recommended").checks]
    assert kinds == ["noToolErrors", "argumentsMatchToolSchema", "noDeprecatedToolCalled"]
    dropped = suite(standard="recommended", suppress=["response.errors"]).effective()
    assert len(dropped) == 2


@pytest.mark.parametrize("name", STANDARD)
def test_each_standard_check_is_added_or_it_is_said_who_measures_it(name: str) -> None:
    if STANDARD[name] is not None:
        (one,) = suite(standard=[name]).checks
        assert (one.role, one.check["severity"]) == ("advisory", "warn")
        assert check_faults(one.check) == []
        return
    ((place, said),) = refused(json.dumps({"standard": [name]}), "desk.json")
    assert place == "standard[0]"
    assert "measures" in said


def test_a_standard_check_that_there_is_not_is_refused() -> None:
    ((place, said),) = refused(json.dumps({"standard": ["response.error"]}), "desk.json")
    assert place == "standard[0]"
    assert "Did you mean response.errors?" in said
    assert placed(standard="all") == ["standard"]


@pytest.mark.parametrize(
    ("check", "rule"),
    [
        ({"type": "responseMatches", "pattern": "(a+)+b"}, "check-fails-always"),
        ({"type": "responseMatches", "pattern": "a+b"}, None),
        ({"type": "turnCountUnder", "turns": 1}, "check-fails-always"),
        ({"type": "turnCountUnder", "turns": 2}, None),
        (
            {"type": "toolCalledBefore", "toolName": "a", "beforeToolName": "a"},
            "check-holds-always",
        ),
        (
            {"type": "toolCalledWith", "toolName": "a", "args": {"args": {}}},
            "check-decides-elsewhere",
        ),
        (
            {"type": "toolCalledWith", "toolName": "a", "args": {"args": {}}, "minCount": 2},
            None,
        ),
        (
            {
                "type": "toolCalledWith",
                "toolName": "a",
                "args": {"args": {"x": "string"}, "argumentMatching": "exact"},
            },
            "placeholder-as-text",
        ),
        (
            {
                "type": "toolCalledWith",
                "toolName": "a",
                "args": {"args": {"x": {"y": ["number"]}}},
                "role": "advisory",
            },
            "placeholder-as-text",
        ),
        (
            {
                "type": "toolCalledWith",
                "toolName": "a",
                "args": {"args": {"x": "string"}},
                "role": "advisory",
            },
            None,
        ),
        (
            {"type": "toolInputMatches", "toolName": "a", "patterns": ["x"]},
            "check-decides-elsewhere",
        ),
        (
            {"type": "toolInputMatches", "toolName": "a", "patterns": ["x"], "min": 0, "max": 0},
            None,
        ),
    ],
)
def test_what_does_not_do_as_one_would_think_is_noted(
    check: dict[str, Any], rule: str | None
) -> None:
    found = [one for one in noted(checks=[check, DONE]) if one != "checks-vacuous"]
    assert found == ([] if rule is None else [rule])


def test_what_no_session_can_hold_together_is_noted() -> None:
    never = {"type": "toolNeverCalled", "toolName": "place_hold"}
    only = {"type": "onlyToolsCalled", "toolNames": ["find_book"]}
    assert noted(checks=[HELD, never]) == ["checks-contradict"]
    assert noted(checks=[HELD, only]) == ["checks-contradict"]
    assert noted(checks=[HELD, {**never, "role": "advisory"}]) == []
    assert noted(checks=[HELD, {**never, "turn": 1}]) == []
    assert noted(checks=[never], expect=[{"toolName": "place_hold"}]) == ["checks-contradict"]


def test_suppressing_what_is_not_there_is_noted() -> None:
    assert noted(checks=[DONE], suppress=["response.errors"]) == ["suppress-unused"]
    assert noted(checks=[DONE, {"type": "noToolErrors"}], suppress=["response.errors"]) == []


NEGATIVE = {"negative": True, "mode": "replace"}


@pytest.mark.parametrize(
    ("more", "refuses", "notes"),
    [
        ({}, False, []),
        ({"checks": [DONE]}, False, []),
        ({"checks": [HELD]}, False, ["checks-contradict"]),
        ({"checks": [{"type": "firstToolWas", "toolName": "a"}]}, False, ["checks-contradict"]),
        ({"checks": [{**HELD, "role": "advisory"}]}, False, []),
        (
            {"checks": [{"type": "toolCalledWith", "toolName": "a", "args": {"args": {}}}]},
            True,
            [],
        ),
        ({"checks": [{"type": "toolResultMatches", "patterns": ["x"]}]}, True, []),
        (
            {"checks": [{"type": "toolResultMatches", "patterns": ["x"], "min": 0, "max": 0}]},
            False,
            [],
        ),
        ({"expect": [{"toolName": "a"}]}, True, []),
    ],
)
def test_a_goal_without_calls_contradicts_what_demands_one(
    more: dict[str, Any], refuses: bool, notes: list[str]
) -> None:
    goal = {"g1": {**NEGATIVE, **more}}
    if refuses:
        assert placed(goals=goal) == ["goals['g1']"]
    else:
        assert noted(goals=goal) == notes


def test_a_goal_without_calls_is_held_to_the_files_checks_as_well() -> None:
    with_call = {"checks": [{"type": "toolCalledWith", "toolName": "a", "args": {"args": {}}}]}
    assert placed(**with_call, goals={"g1": {"negative": True}}) == ["goals['g1']"]
    assert placed(goals={"g1": {"negative": "yes"}}) == ["goals['g1'].negative"]


def test_checks_of_which_none_decides_are_noted_as_such() -> None:
    (note,) = suite(standard=["response.errors"]).notes
    assert note.what.startswith("Every check only reports, so nothing decides.")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, st.sampled_from(["checks", "goals", "suppress", "x"]))
def test_whatever_is_written_is_read_or_refused(value: Any, key: str) -> None:
    named: list[int] = []
    for raw in (value, {key: value}, {"checks": [{"type": "responseContains", "needle": value}]}):
        data = json.dumps(raw).encode("utf-8", "surrogatepass")
        for name in ("a.json", "a.yaml"):
            try:
                read_suite(data, name)
            except RecordingError as error:
                named.append(len(error.problems))
    assert 0 not in named


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = len(read_suite(text.encode("utf-8", "replace"), "a.yaml").name)
    except RecordingError as error:
        found = len(error.problems)
    assert found
