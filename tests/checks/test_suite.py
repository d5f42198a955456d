"""Files of checks: what may be written, and that every bad place is named at once."""

import json
from typing import Any

import pytest
from builders import goal
from hypothesis import given
from hypothesis import strategies as st

from reporter.checks.suite import Suite, read_suite
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
        "goals['g1'].mode",
        "goals['g1'].checks",
        "goals['g2']",
        "suppress[0]",
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
