"""What measures each link, told from a file of checks and from a recording."""

import json
from pathlib import Path

from builders import Json, goal, manifest, run, slot
from click.testing import CliRunner, Result
from waves import session_lines, write_folder

from reporter.cli import main

FOUND = {"type": "toolCalledAtLeastOnce", "toolName": "find_book"}
DONE = {"type": "finalAssistantMessageNonEmpty"}


def invoke(*arguments: object) -> Result:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert "Traceback" not in result.output
    assert "defect of swarm-reporter" not in result.output
    return result


def written(tmp_path: Path, raw: Json, name: str = "desk.json") -> Path:
    path = tmp_path / name
    path.write_text(json.dumps(raw), "utf-8")
    return path


def told(path: Path) -> list[Json]:
    result = invoke("coverage", path, "--format", "json")
    assert result.exit_code == 0, result.output
    found: list[Json] = json.loads(result.stdout)["lists"]
    return found


def of_links(one: Json) -> dict[str, str]:
    return {row["stage"]: row["coverage"] for row in one["links"]}


def test_a_file_says_link_by_link_what_measures_it(tmp_path: Path) -> None:
    checks = [
        FOUND,
        {"type": "noToolErrors", "role": "advisory"},
        {"type": "noRepeatedIdenticalCall", "role": "advisory"},
        {"type": "toolNamesUnique"},
    ]
    (one,) = told(written(tmp_path, {"checks": checks}))
    assert one["goals"] is None
    assert one["canFail"] == "can_fail"
    assert of_links(one) == {
        "connection": "runner",
        "discovery": "runner",
        "selection": "decides",
        "call": "observationsOnly",
        "response": "advisoryOnly",
        "userValue": "none",
    }


def test_a_file_of_goals_says_it_for_each_list(tmp_path: Path) -> None:
    goals = {
        "a": {"mode": "replace", "checks": [DONE]},
        "b": {"mode": "replace", "checks": [DONE]},
        "c": {"checks": [DONE]},
    }
    found = told(written(tmp_path, {"checks": [FOUND], "goals": goals}))
    assert [one["goals"] for one in found] == [None, ["a", "b"], ["c"]]
    assert of_links(found[1])["selection"] == "none"
    assert of_links(found[2])["selection"] == "decides"


def test_the_lines_say_why_and_what_is_missing(tmp_path: Path) -> None:
    path = written(tmp_path, {"checks": [FOUND, {"type": "turnCountUnder", "turns": 3}]}, "a.yaml")
    text = invoke("coverage", path).stdout
    assert "Connection and discovery have no check" in text
    assert "argumentsMatchToolSchema would" in text
    assert "turnCountUnder is a budget; it files at this link as other checks do." in text
    assert "Response      no check or grader covers this link: it is unmeasured, not fine" in text


def test_checks_that_nothing_can_fail_are_said(tmp_path: Path) -> None:
    path = written(tmp_path, {"checks": [{"type": "noToolErrors"}]})
    result = invoke("coverage", path)
    assert "An agent that does nothing and says nothing passes these checks." in result.stdout
    assert "Note: desk.json: checks:" in result.stderr


def test_a_recording_says_what_its_sessions_came_to(tmp_path: Path) -> None:
    wave = write_folder(
        tmp_path / "wave",
        manifest(
            goals=[goal(), goal("g2", "Pay a fine")],
            runs=[run(), run("r2", "g2")],
            slots=[slot(), slot("s2", "r2")],
        ),
        {"s1": session_lines(), "s2": session_lines()},
    )
    schema = {"type": "argumentsMatchToolSchema"}
    path = written(tmp_path, {"checks": [FOUND], "goals": {"g2": {"checks": [schema]}}})
    graded = tmp_path / "graded"
    assert invoke("grade", wave, "--checks", path, "-o", graded).exit_code == 0
    first, second = told(graded)
    assert (first["goals"], second["goals"]) == (["Borrow a book"], ["Pay a fine"])
    rows = {row["stage"]: row for row in second["links"]}
    assert (rows["selection"]["sessionsMeasured"], rows["selection"]["sessionsStarted"]) == (1, 1)
    assert (rows["call"]["resultsNotMeasured"], rows["call"]["resultsScored"]) == (1, 0)
    text = invoke("coverage", graded).stdout
    assert "measured in 1 of 1 started session" in text
    assert "Authored, but cannot be measured here: argumentsMatchToolSchema." in text


def test_a_wave_without_checks_says_so(tmp_path: Path) -> None:
    (one,) = told(write_folder(tmp_path / "wave"))
    assert one["links"][5]["coverage"] == "none"
    assert one["canFail"] == "vacuous"


def test_what_is_neither_is_refused(tmp_path: Path) -> None:
    assert invoke("coverage", written(tmp_path, {"a": 1})).exit_code == 2
    assert invoke("coverage", written(tmp_path, {"a": 1}, "a.yaml")).exit_code == 2
    bad = written(tmp_path, {"checks": [{"type": "noEndingQuestion"}]})
    result = invoke("coverage", bad)
    assert result.exit_code == 2
    assert "checks[0].role" in result.stderr
