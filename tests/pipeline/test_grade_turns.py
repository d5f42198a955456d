"""Checks of one turn and expected calls, graded over recordings: results, verdict and chain."""

import json
from pathlib import Path
from typing import Any

import pytest
from builders import Json, assistant, call, result, user
from click.testing import CliRunner, Result
from waves import session_lines, write_folder

from reporter.cli import main

TALK: tuple[Json, ...] = (
    user("I look for a book."),
    call("c1", "find_book", args={"words": "salt"}),
    result("c1", "B-101"),
    assistant("Found it. Shall I?"),
    user("Yes.", 1),
    call("c2", "place_hold", 1, args={"book": "B-102", "branch": "RIV"}),
    result("c2", "no", isError=True),
    call("c3", "place_hold", 1, args={"book": "B-101", "branch": "RIV"}),
    result("c3", "H-1"),
    assistant("It is held: H-1.", 1),
)
EXPECT = [
    {"toolName": "find_book", "turn": 1},
    {"toolName": "place_hold", "arguments": {"book": "B-101"}, "turn": 2},
]


def invoke(*arguments: object) -> Result:
    outcome = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert "Traceback" not in outcome.output
    assert "defect of swarm-reporter" not in outcome.output
    return outcome


def graded(tmp_path: Path, talk: tuple[Json, ...] = TALK, **checks: Any) -> Path:
    wave = tmp_path / "wave"
    if not wave.exists():
        write_folder(wave, sessions={"s1": session_lines(talk)})
    path = tmp_path / "desk.json"
    path.write_text(json.dumps(checks), "utf-8")
    folder = tmp_path / f"graded{len(list(tmp_path.iterdir()))}"
    outcome = invoke("grade", wave, "--checks", path, "-o", folder)
    assert outcome.exit_code == 0, outcome.output
    return folder


def results(folder: Path) -> list[Json]:
    lines = (folder / "sessions" / "s1.jsonl").read_text("utf-8").splitlines()
    found: list[Json] = [one for one in map(json.loads, lines) if one["type"] == "criteria"][-1][
        "results"
    ]
    return found


def word(one: Json) -> str:
    return str(one.get("status") or ("passed" if one["passed"] else "failed"))


def facts(folder: Path) -> Json:
    found: Json = json.loads(invoke("facts", folder).stdout)
    return found


def states(folder: Path) -> dict[str, tuple[str, str]]:
    rows = facts(folder)["chain"]["stages"]
    return {row["stage"]: (row["state"], row["reason"]) for row in rows}


@pytest.mark.parametrize(
    ("check", "first", "second"),
    [
        ({"type": "noToolErrors"}, "passed", "failed"),
        ({"type": "toolCalledAtLeastOnce", "toolName": "find_book"}, "passed", "failed"),
        ({"type": "toolNeverCalled", "toolName": "place_hold"}, "passed", "failed"),
        ({"type": "onlyToolsCalled", "toolNames": ["place_hold"]}, "failed", "passed"),
        ({"type": "firstToolWas", "toolName": "place_hold"}, "failed", "passed"),
        ({"type": "toolCallCountUnder", "count": 2}, "passed", "failed"),
        ({"type": "responseContains", "needle": "H-1"}, "failed", "passed"),
        (
            {"type": "toolCalledBefore", "toolName": "find_book", "beforeToolName": "place_hold"},
            "passed",
            "failed",
        ),
        ({"type": "noEndingQuestion", "role": "advisory"}, "failed", "passed"),
        (
            {
                "type": "toolInputMatches",
                "toolName": "place_hold",
                "path": "/book",
                "patterns": ["^B-101$"],
            },
            "failed",
            "passed",
        ),
    ],
)
def test_a_check_of_a_turn_reads_that_turn_alone(
    tmp_path: Path, check: Json, first: str, second: str
) -> None:
    folder = graded(tmp_path, checks=[{**check, "turn": 1}, {**check, "turn": 2}])
    found = results(folder)
    assert [word(one) for one in found] == [first, second]
    scopes = [{"kind": "turn", "promptIndex": 0}, {"kind": "turn", "promptIndex": 1}]
    assert [one["scope"] for one in found] == scopes
    rubric = json.loads((folder / "wave.json").read_text("utf-8"))["runs"][0]["rubric"]
    assert [one["scope"] for one in rubric] == scopes
    assert rubric[0]["label"].endswith("(turn 1)")
    assert len({one["criterionId"] for one in found}) == 2
    assert invoke("check", folder).exit_code == 0


def test_a_turn_that_the_session_never_had_is_not_measured(tmp_path: Path) -> None:
    (found,) = results(graded(tmp_path, checks=[{"type": "noToolErrors", "turn": 3}]))
    assert word(found) == "error"
    assert found["reason"] == "Turn 3 is not on record; the session has 2 turns."


def test_a_widget_belongs_to_the_turn_of_its_call_or_of_its_place(tmp_path: Path) -> None:
    talk = (
        *TALK,
        {"type": "widget_render", "toolName": "w", "status": "rendered", "toolCallId": "c1"},
        {"type": "widget_render", "toolName": "w", "status": "mount_failed"},
    )
    check = {"type": "widgetRendered"}
    folder = graded(tmp_path, talk, checks=[{**check, "turn": 1}, {**check, "turn": 2}])
    assert [word(one) for one in results(folder)] == ["passed", "failed"]


def test_expected_calls_that_were_made_pass_selection_and_call(tmp_path: Path) -> None:
    folder = graded(tmp_path, expect=EXPECT)
    found = results(folder)
    assert [word(one) for one in found] == ["passed"] * 4
    assert [one["criterionId"].split("#")[0] for one in found] == [
        "toolCalls:match",
        "toolCalls:arguments",
    ] * 2
    assert found[2]["match"] == {"missing": 0, "unexpected": 1, "argumentMismatches": 0}
    seen = states(folder)
    assert seen["selection"] == ("passed", "observed")
    assert seen["call"] == ("passed", "observed")
    assert facts(folder)["verdict"]["verdict"] == "passed"
    assert invoke("check", folder).exit_code == 0


def test_an_expected_call_that_was_not_made_fails_selection_at_its_turn(tmp_path: Path) -> None:
    folder = graded(tmp_path, expect=[*EXPECT, {"toolName": "send_letter", "turn": 2}])
    (row,) = [one for one in facts(folder)["chain"]["stages"] if one["stage"] == "selection"]
    assert (row["state"], row["reason"]) == ("failed", "missingToolCall")
    assert row["evidence"]["promptIndexes"] == [1]
    assert facts(folder)["disposition"] == "lostFindingTool"


def test_other_arguments_fail_the_call_and_not_selection(tmp_path: Path) -> None:
    expect = [{"toolName": "place_hold", "arguments": {"branch": "HAR"}}]
    folder = graded(tmp_path, expect=expect)
    seen = states(folder)
    assert seen["selection"][0] == "passed"
    assert seen["call"] == ("failed", "argumentMismatch")
    assert facts(folder)["disposition"] == "blockedCallingTool"


def test_more_calls_than_are_allowed_fail_selection(tmp_path: Path) -> None:
    expect = [{"toolName": "find_book"}]
    folder = graded(tmp_path, expect=expect, match={"maxExtraToolCalls": 1})
    assert states(folder)["selection"] == ("failed", "unexpectedToolCall")
    assert states(graded(tmp_path, expect=expect))["selection"][0] == "passed"


def test_the_options_of_a_goal_stand_before_those_of_the_file(tmp_path: Path) -> None:
    expect = [{"toolName": "place_hold"}, {"toolName": "find_book"}]
    checks: Json = {"expect": expect, "match": {"toolCallOrder": "strict"}}
    assert states(graded(tmp_path, **checks))["selection"][0] == "failed"
    goals = {"Borrow a book": {"match": {"toolCallOrder": "ignore"}}}
    assert states(graded(tmp_path, **checks, goals=goals))["selection"][0] == "passed"


def test_coverage_names_what_grades_expected_calls(tmp_path: Path) -> None:
    folder = graded(tmp_path, expect=EXPECT)
    for source in (tmp_path / "desk.json", folder):
        told = json.loads(invoke("coverage", source, "--format", "json").stdout)
        (one,) = told["lists"]
        links = {row["stage"]: row for row in one["links"]}
        assert links["selection"]["graders"] == ["toolCalls:match"]
        assert links["call"]["graders"] == ["toolCalls:arguments"]
        assert links["selection"]["coverage"] == links["call"]["coverage"] == "decides"
        assert links["userValue"]["kinds"] == []
        assert one["canFail"] == "can_fail"


def test_a_goal_that_no_tool_may_be_called_for(tmp_path: Path) -> None:
    goals = {"Borrow a book": {"negative": True}}
    folder = graded(tmp_path, goals=goals)
    assert states(folder)["selection"] == ("failed", "unexpectedToolCall")
    (one,) = json.loads(invoke("coverage", folder, "--format", "json").stdout)["lists"]
    assert one["canFail"] == "not_applicable"


def test_grading_again_finds_what_is_there(tmp_path: Path) -> None:
    checks: Json = {"checks": [{"type": "noToolErrors", "turn": 2}], "expect": EXPECT}
    folder = graded(tmp_path, **checks)
    path, again = tmp_path / "desk.json", tmp_path / "again"
    outcome = invoke("grade", folder, "--checks", path, "-o", again, "--regrade")
    assert outcome.exit_code == 0
    assert "say otherwise" not in outcome.stdout
    assert "5 results" in outcome.stdout
    assert results(again) == results(folder)
