"""Grading a recording by a file of checks: what is written, kept, and said to differ."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from builders import Json, assistant, goal, manifest, run, slot, user
from click.testing import CliRunner, Result
from imported import session, write
from session_cases import chain_record
from waves import TALK, session_lines, write_folder

from reporter.cli import main
from reporter.pipeline.grade import GradeChoices, grade_source
from reporter.pipeline.options import Options
from reporter.version import VERSION

DONE = {"type": "finalAssistantMessageNonEmpty", "id": "done"}
FOUND = {"type": "toolCalledAtLeastOnce", "toolName": "find_book", "id": "found"}
HELD = {"type": "toolCalledAtLeastOnce", "toolName": "place_hold", "id": "held"}
SCHEMA = {"type": "argumentsMatchToolSchema", "id": "schema"}


def invoke(*arguments: object) -> Result:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert "Traceback" not in result.output
    assert "defect of swarm-reporter" not in result.output
    return result


def checks_file(tmp_path: Path, *checks: Json, **more: Any) -> Path:
    path = tmp_path / "desk.json"
    path.write_text(json.dumps({"checks": checks, **more}), "utf-8")
    return path


def grade(
    tmp_path: Path, wave: Path, *checks: Json, to: str = "graded", flags: Sequence[str] = ()
) -> Result:
    path = checks_file(tmp_path, *checks)
    return invoke("grade", wave, "--checks", path, "-o", tmp_path / to, *flags)


def facts(wave: Path) -> list[Json]:
    output = invoke("facts", wave).stdout
    return [json.loads(line) for line in output.splitlines()]


def criteria(wave: Path, session_id: str = "s1") -> Json:
    lines = (wave / "sessions" / f"{session_id}.jsonl").read_text("utf-8").splitlines()
    found: Json = [one for one in map(json.loads, lines) if one["type"] == "criteria"][-1]
    return found


def words(record: Json) -> dict[str, str]:
    return {
        one["criterionId"]: one.get("status") or ("passed" if one["passed"] else "failed")
        for one in record["results"]
    }


def test_results_flow_into_verdict_and_chain(tmp_path: Path) -> None:
    wave = write_folder(tmp_path / "wave")
    result = grade(tmp_path, wave, DONE, FOUND, HELD)
    assert result.exit_code == 0, result.output
    assert "Graded 1 of 1 session: 3 results, 2 passed, 1 failed, 0 not measured." in result.stdout
    (found,) = facts(tmp_path / "graded")
    assert found["verdict"]["verdict"] == "failed"
    states = {row["stage"]: row["state"] for row in found["chain"]["stages"]}
    assert states["selection"] == "failed"
    assert invoke("check", tmp_path / "graded").exit_code == 0


def test_what_is_not_measured_is_no_pass_and_no_fail(tmp_path: Path) -> None:
    grade(tmp_path, write_folder(tmp_path / "wave"), DONE, SCHEMA)
    assert words(criteria(tmp_path / "graded")) == {"done": "passed", "schema": "error"}
    (found,) = facts(tmp_path / "graded")
    assert (found["verdict"]["verdict"], found["verdict"]["reason"]) == (
        "inconclusive",
        "gatingCriterionUnmeasured",
    )


def test_it_is_written_down_who_graded_what(tmp_path: Path) -> None:
    grade(tmp_path, write_folder(tmp_path / "wave"), DONE)
    digest = hashlib.sha256((tmp_path / "desk.json").read_bytes()).hexdigest()
    grader = {
        "name": "swarm-reporter",
        "version": VERSION,
        "checks": {"name": "desk.json", "sha256": digest},
    }
    whole = json.loads((tmp_path / "graded" / "wave.json").read_text("utf-8"))
    assert whole["gradedBy"] == [{**grader, "regrade": False}]
    assert criteria(tmp_path / "graded")["gradedBy"] == [{**grader, "criterionIds": ["done"]}]
    assert whole["runs"][0]["rubric"] == [
        {"id": "done", "role": "required", "predicate": {"type": DONE["type"]}}
    ]


def test_the_recording_is_copied_as_it_is(tmp_path: Path) -> None:
    odd = b'{"type":"of_tomorrow","seq":9,"at":null,"more":[1, 2]}'
    wave = write_folder(tmp_path / "wave", None, {"s1": session_lines() + odd, "other": odd})
    (wave / "catalogs").mkdir()
    (wave / "catalogs" / "c1.json").write_text('{"tools": []}', "utf-8")
    before = {path: path.read_bytes() for path in wave.rglob("*") if path.is_file()}
    grade(tmp_path, wave, DONE)
    assert {path: path.read_bytes() for path in wave.rglob("*") if path.is_file()} == before
    graded = tmp_path / "graded"
    whole = (graded / "sessions" / "s1.jsonl").read_bytes()
    assert whole.startswith(session_lines() + odd + b"\n")
    assert (graded / "sessions" / "other.jsonl").read_bytes() == odd
    assert (graded / "catalogs" / "c1.json").read_bytes() == b'{"tools": []}'
    assert "out-of-order" not in invoke("check", graded).stdout


def test_the_same_checks_give_the_same_bytes(tmp_path: Path) -> None:
    wave = write_folder(tmp_path / "wave")
    grade(tmp_path, wave, DONE, HELD, to="one")
    grade(tmp_path, wave, DONE, HELD, to="two")
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / name).rglob("*") if path.is_file()}
        for name in ("one", "two")
    )
    assert one == two


def recorded_wave(tmp_path: Path, *results: Json, **more: Any) -> Path:
    """A wave whose recorder graded `done` and `held` and a reward of its own."""
    rubric = [
        {"id": "done", "role": "required", "predicate": {"type": DONE["type"]}},
        {
            "id": "held",
            "role": "required",
            "predicate": {"type": HELD["type"], "toolName": "place_hold"},
        },
        {"id": "reward", "role": "required"},
    ]
    record = {"type": "criteria", "status": "completed", "results": list(results), **more}
    return write_folder(
        tmp_path / "wave",
        manifest(runs=[run(rubric=rubric)]),
        {"s1": session_lines((*TALK, record))},
    )


def scored(name: str, passed: bool, **more: Any) -> Json:
    return {"criterionId": name, "passed": passed, **more}


def test_results_on_record_are_kept(tmp_path: Path) -> None:
    wave = recorded_wave(
        tmp_path,
        scored("reward", True),
        scored("held", True, reason="seen by the recorder"),
        inferred={"results[0].passed": "by the score"},
    )
    result = grade(tmp_path, wave, HELD, FOUND)
    assert "Kept as recorded: 2 results." in result.stdout
    assert "say otherwise" not in result.stdout
    record = criteria(tmp_path / "graded")
    # `done` stands in the recording's own rubric and nobody has graded it yet.
    assert words(record) == {
        "reward": "passed",
        "held": "passed",
        "done": "passed",
        "found": "passed",
    }
    assert record["results"][1]["reason"] == "seen by the recorder"
    assert record["inferred"] == {"results[0].passed": "by the score"}


def test_another_look_lists_where_it_differs(tmp_path: Path) -> None:
    wave = recorded_wave(
        tmp_path,
        scored("done", True),
        scored("held", True),
        scored("reward", True),
        inferred={"results": "by the score"},
    )
    result = grade(tmp_path, wave, HELD, flags=["--regrade"])
    assert "The checks say otherwise than the recording in 1 result:" in result.stdout
    assert "s1: held: recorded passed, now failed. place_hold was called 0 times." in result.stdout
    record = criteria(tmp_path / "graded")
    assert words(record) == {"done": "passed", "held": "failed", "reward": "passed"}
    assert record["inferred"] == {"results[2].passed": "by the score"}
    assert record["gradedBy"][0]["disagreements"] == [
        {"criterionId": "held", "recorded": "passed", "now": "failed"}
    ]


def test_grading_twice_changes_nothing_more(tmp_path: Path) -> None:
    wave = write_folder(tmp_path / "wave")
    grade(tmp_path, wave, DONE, HELD, to="one")
    result = grade(tmp_path, tmp_path / "one", DONE, HELD, to="two")
    assert "Not graded: 1 session with no check that was not graded before." in result.stdout
    first, second = (tmp_path / name / "sessions" / "s1.jsonl" for name in ("one", "two"))
    assert first.read_bytes() == second.read_bytes()
    rubrics = [
        json.loads((tmp_path / name / "wave.json").read_text("utf-8"))["runs"][0]["rubric"]
        for name in ("one", "two")
    ]
    assert rubrics[0] == rubrics[1]
    assert (
        "say otherwise"
        not in grade(tmp_path, tmp_path / "one", DONE, to="three", flags=["--regrade"]).stdout
    )


def test_what_is_not_applicable_or_of_one_turn_is_not_graded_again(tmp_path: Path) -> None:
    wave = recorded_wave(
        tmp_path,
        scored("done", False, notApplicable={"class": "x", "reason": "y"}),
        scored("held", True, scope={"kind": "turn", "promptIndex": 0}),
    )
    grade(tmp_path, wave, HELD, flags=["--regrade"])
    record = criteria(tmp_path / "graded")
    assert words(record) == {"done": "failed", "held": "passed"}


def test_a_chain_on_record_is_derived_anew(tmp_path: Path) -> None:
    lines = session_lines((*TALK, chain_record(*["passed"] * 6)))
    wave = write_folder(tmp_path / "wave", None, {"s1": lines})
    grade(tmp_path, wave, HELD)
    (found,) = facts(tmp_path / "graded")
    states = {row["stage"]: row["state"] for row in found["chain"]["stages"]}
    assert states["selection"] == "failed"


def test_one_bad_session_stops_no_other(tmp_path: Path) -> None:
    whole = manifest(
        goals=[goal(), goal("g2", "Return a book"), goal("g3", "Ask"), goal("g4", "Wait")],
        runs=[run(), run("r2", "g2"), run("r3", "g3"), run("r4", "g4")],
        slots=[
            slot(),
            slot("s2", "r2"),
            slot("s3", "r3", recorded=False, attempt={"status": "failed"}),
            slot("s4", "r4", attempt={"status": "running"}),
        ],
    )
    broken = session_lines() + b'{"type": "mess'
    wave = write_folder(
        tmp_path / "wave", whole, {"s1": session_lines(), "s2": broken, "s4": session_lines()}
    )
    result = grade(tmp_path, wave, DONE)
    assert result.exit_code == 4
    assert "Graded 1 of 4 sessions: 1 result, 1 passed, 0 failed, 0 not measured." in result.stdout
    assert "Not graded: 1 session without a transcript." in result.stdout
    assert "Not graded: 1 session still running or not begun." in result.stdout
    assert "Not graded: 1 session whose file breaks off or cannot be read." in result.stdout
    assert "s2.jsonl" in result.stderr
    assert (tmp_path / "graded" / "sessions" / "s2.jsonl").read_bytes() == broken
    before, after = facts(wave), facts(tmp_path / "graded")
    assert [one["readState"] for one in before] == [one["readState"] for one in after]
    assert after[1]["verdict"]["verdict"] == "notEstablished"


def test_a_single_file_becomes_a_folder(tmp_path: Path) -> None:
    head = {"type": "wave", **manifest(terminal=False)}
    lines = [json.loads(line) for line in session_lines().splitlines()]
    raw = "\n".join(
        json.dumps(one) for one in (head, *({**one, "sessionId": "s1"} for one in lines))
    )
    (tmp_path / "wave.jsonl").write_text(raw, "utf-8")
    result = grade(tmp_path, tmp_path / "wave.jsonl", HELD)
    assert result.exit_code == 0, result.output
    assert facts(tmp_path / "graded")[0]["verdict"]["verdict"] == "failed"


def test_an_interrupted_wave_is_graded_and_stays_interrupted(tmp_path: Path) -> None:
    start = {
        "type": "session_start",
        "runId": "r1",
        "targetId": "t1",
        "sessionIndex": 0,
        "personaName": "Ana",
        "maxTurns": 5,
    }
    ended = {"type": "session_complete", "status": "succeeded", "endReason": "personaEnded"}
    wave = write_folder(tmp_path / "wave", None, {"s1": session_lines((start, *TALK, ended))})
    (wave / "wave.json").unlink()
    result = grade(tmp_path, wave, HELD)
    assert result.exit_code in (0, 4), result.output
    assert facts(tmp_path / "graded")[0]["verdict"]["verdict"] == "failed"
    whole = json.loads((tmp_path / "graded" / "wave.json").read_text("utf-8"))
    assert (whole["terminal"], whole["swarmRunGroupId"]) == (False, "unknown")


def test_a_foreign_recording_becomes_a_graded_wave(tmp_path: Path) -> None:
    source = write(tmp_path / "in.json", [session(0)])
    result = grade(tmp_path, source, DONE)
    assert result.exit_code == 0, result.output
    found = words(criteria(tmp_path / "graded", facts(tmp_path / "graded")[0]["sessionId"]))
    assert found["done"] == "passed"
    assert "reward" in found
    assert (tmp_path / "graded" / "wave.json").exists()


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_the_order_of_sessions_does_not_matter(tmp_path: Path, order: tuple[int, ...]) -> None:
    goals = [goal(f"g{at}", f"Goal {at}") for at in range(3)]
    talks = [TALK, (user(), assistant("")), (user(), assistant("Yes?"))]
    whole = manifest(
        goals=goals,
        runs=[run(f"r{at}", f"g{at}") for at in order],
        slots=[slot(f"s{at}", f"r{at}") for at in order],
    )
    sessions = {f"s{at}": session_lines(talks[at]) for at in order}
    grade(tmp_path, write_folder(tmp_path / "wave", whole, sessions), DONE, FOUND)
    found = {at: words(criteria(tmp_path / "graded", f"s{at}")) for at in range(3)}
    assert found == {
        0: {"done": "passed", "found": "passed"},
        1: {"done": "failed", "found": "failed"},
        2: {"done": "passed", "found": "failed"},
    }


def test_bad_checks_leave_nothing_behind(tmp_path: Path) -> None:
    wave = write_folder(tmp_path / "wave")
    result = grade(tmp_path, wave, {"type": "noEndingQuestion"}, {"type": "x"})
    assert result.exit_code == 2
    assert "desk.json: checks[0].role" in result.stderr
    assert "desk.json: checks[1].type" in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["desk.json", "wave"]


def test_goals_that_are_not_there_are_named(tmp_path: Path) -> None:
    path = checks_file(tmp_path, goals={"Borow a book": {"checks": [DONE]}})
    result = invoke(
        "grade", write_folder(tmp_path / "wave"), "--checks", path, "-o", tmp_path / "o"
    )
    assert result.exit_code == 2
    assert "Did you mean 'Borrow a book'?" in result.stderr
    assert not (tmp_path / "o").exists()


def test_an_id_of_another_criterion_is_refused(tmp_path: Path) -> None:
    wave = recorded_wave(tmp_path, scored("reward", True))
    result = grade(tmp_path, wave, {**FOUND, "id": "reward"})
    assert result.exit_code == 2
    assert "another criterion of the id 'reward'" in result.stderr


def test_a_folder_that_holds_something_is_refused(tmp_path: Path) -> None:
    wave = write_folder(tmp_path / "wave")
    result = grade(tmp_path, wave, DONE, to="wave")
    assert result.exit_code == 2
    assert "not an empty folder" in result.stderr


def test_the_recorded_role_counts(tmp_path: Path) -> None:
    wave = recorded_wave(tmp_path, scored("reward", True), scored("done", True))
    result = grade(tmp_path, wave, {**HELD, "role": "advisory"})
    assert "the rubric's role counts" in result.stderr
    assert facts(tmp_path / "graded")[0]["verdict"]["verdict"] == "failed"


def test_the_cap_holds(tmp_path: Path) -> None:
    result = grade(tmp_path, write_folder(tmp_path / "wave"), DONE, flags=["--scan-cap", "0"])
    assert "Not graded: 1 session beyond the cap." in result.stdout


def test_checks_that_nothing_can_fail_are_noted_unless_something_else_decides(
    tmp_path: Path,
) -> None:
    errors = {"type": "noToolErrors"}
    alone = grade(tmp_path, write_folder(tmp_path / "plain"), errors, to="one")
    assert "An agent that does nothing and says nothing passes" in alone.stderr
    beside = grade(tmp_path, recorded_wave(tmp_path, scored("reward", True)), errors, to="two")
    assert "An agent that does nothing" not in beside.stderr


@pytest.mark.parametrize(
    ("judge", "verdict"),
    [
        (None, "passed"),
        ({"automatic": False, "role": "advisory"}, "passed"),
        ({"automatic": True, "role": "required"}, "notEstablished"),
    ],
)
def test_grading_that_was_waited_for_is_settled_unless_a_judge_is_owed(
    tmp_path: Path, judge: Json | None, verdict: str
) -> None:
    more: dict[str, Any] = {} if judge is None else {"judge": judge}
    queued = {"type": "grading", "state": "queued"}
    pending = {"type": "criteria", "status": "pending"}
    wave = write_folder(
        tmp_path / "wave",
        manifest(runs=[run(**more)]),
        {"s1": session_lines((*TALK, pending, queued))},
    )
    grade(tmp_path, wave, DONE)
    assert facts(tmp_path / "graded")[0]["verdict"]["verdict"] == verdict


def big_wave(tmp_path: Path) -> Path:
    """A wave of more sessions than one process takes at a time, some of them damaged."""
    whole = manifest(
        runs=[run(sessionsPerTarget=40)],
        slots=[slot(f"s{at:02d}", index=at) for at in range(40)],
    )
    sessions = {
        f"s{at:02d}": session_lines(TALK if at % 3 else (user(), assistant("")))
        + (b"{broken" if at % 7 == 0 else b"")
        for at in range(40)
        if at != 11
    }
    return write_folder(tmp_path / "wave", whole, {**sessions, "stray": session_lines()})


def written(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_several_processes_write_the_bytes_of_one(tmp_path: Path) -> None:
    wave = big_wave(tmp_path)
    said = []
    for jobs in (1, 2, 3):
        result = grade(
            tmp_path, wave, DONE, FOUND, SCHEMA, to=f"g{jobs}", flags=["--jobs", str(jobs)]
        )
        assert result.exit_code == 4
        said.append((result.stdout.replace(f"g{jobs}", "g"), result.stderr))
    assert written(tmp_path / "g1") == written(tmp_path / "g2") == written(tmp_path / "g3")
    assert len(set(said)) == 1
    assert len(written(tmp_path / "g1")) == 41


def test_several_processes_write_the_bytes_of_one_for_imports_too(tmp_path: Path) -> None:
    for at in range(3):
        write(
            tmp_path / "given" / f"f{at}.json",
            [session(10 * at + task, trial) for task in range(9) for trial in range(2)],
        )
    said = []
    for jobs in (1, 2):
        flags = ["--jobs", str(jobs), "--target", "Desk"]
        result = grade(tmp_path, tmp_path / "given", DONE, to=f"g{jobs}", flags=flags)
        assert result.exit_code == 0, result.output
        said.append(result.stdout.replace(f"g{jobs}", "g"))
    assert written(tmp_path / "g1") == written(tmp_path / "g2")
    assert said[0] == said[1]
    assert len(written(tmp_path / "g1")) == 55


def test_progress_is_told_to_its_end(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    choices = GradeChoices(checks_file(tmp_path, DONE))

    def said(done: int, total: int) -> None:
        seen.append((done, total))

    grade_source(big_wave(tmp_path), tmp_path / "a", choices, Options(), said)
    assert seen[0] == (0, 40)
    assert seen[-1][1] == 40
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    write(tmp_path / "given.json", [session(task) for task in range(5)])
    seen.clear()
    grade_source(tmp_path / "given.json", tmp_path / "b", choices, Options(), said)
    shares = [done / total for done, total in seen]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 1)


def test_a_check_that_no_session_can_feed_is_named_with_the_reason(tmp_path: Path) -> None:
    result = grade(tmp_path, write_folder(tmp_path / "wave"), DONE, SCHEMA)
    (line,) = [one for one in result.stdout.splitlines() if one.startswith("Measured in no")]
    assert line.startswith("Measured in no session: schema. ")
    assert "captured" in line


def test_checks_of_widgets_without_a_browser_are_pointed_out(tmp_path: Path) -> None:
    rendered = {"type": "widgetRendered"}
    alone = grade(tmp_path, write_folder(tmp_path / "wave"), DONE, rendered)
    assert "widgetRendered: no try to show a widget is on record, so each fails." in alone.stderr
    shown = {"type": "widget_render", "toolName": "w", "status": "rendered"}
    seen = write_folder(tmp_path / "seen", None, {"s1": session_lines((*TALK, shown))})
    assert "widget" not in grade(tmp_path, seen, DONE, rendered, to="other").stderr


def unended(tmp_path: Path, attempt: Json | None, *more: Json) -> Path:
    return write_folder(
        tmp_path / "wave",
        manifest(slots=[slot(attempt=attempt)]),
        {"s1": session_lines((*TALK, *more))},
    )


def test_a_session_without_a_recorded_end_is_graded_where_it_is_stated_to_be_over(
    tmp_path: Path,
) -> None:
    wave = unended(tmp_path, None)
    usual = grade(tmp_path, wave, DONE, to="usual")
    assert (
        "1 session without a recorded end; if they are over, say so with --ended." in usual.stdout
    )
    assert facts(tmp_path / "usual")[0]["verdict"]["reason"] == "attemptPending"
    stated = grade(tmp_path, wave, DONE, to="stated", flags=["--ended"])
    assert "Graded 1 of 1 session" in stated.stdout
    (found,) = facts(tmp_path / "stated")
    assert (found["verdict"]["verdict"], found["attempt"]["status"]) == ("passed", "succeeded")
    lines = (tmp_path / "stated" / "sessions" / "s1.jsonl").read_text("utf-8").splitlines()
    (end,) = [one for one in map(json.loads, lines) if one["type"] == "session_complete"]
    assert end["inferred"] == {"status": "stated by whoever graded: the session is over"}
    whole = json.loads((tmp_path / "stated" / "wave.json").read_text("utf-8"))
    assert whole["gradedBy"][0]["ended"] is True
    assert whole["slots"][0]["attempt"] is None
    assert invoke("check", tmp_path / "stated").exit_code == 0


@pytest.mark.parametrize("status", ["pending", "running"])
def test_what_is_on_record_as_waiting_or_running_is_never_stated_to_be_over(
    tmp_path: Path, status: str
) -> None:
    result = grade(tmp_path, unended(tmp_path, {"status": status}), DONE, flags=["--ended"])
    assert "Not graded: 1 session still running or not begun." in result.stdout
    assert facts(tmp_path / "graded")[0]["verdict"]["verdict"] == "notEstablished"


def test_an_end_on_record_is_not_stated_again(tmp_path: Path) -> None:
    failed = {"type": "session_complete", "status": "failed", "endReason": "error"}
    grade(tmp_path, unended(tmp_path, None, failed), DONE, flags=["--ended"])
    (found,) = facts(tmp_path / "graded")
    assert found["attempt"]["status"] == "failed"


def page(tmp_path: Path, wave: Path) -> str:
    folder = tmp_path / f"report-{wave.name}"
    when = ("--generated-at", "2026-03-12T10:30:00Z")
    result = invoke("report", wave, "-o", folder, "--format", "html", *when)
    assert result.exit_code == 0, result.output
    return (folder / "report.html").read_text("utf-8")


def test_a_report_says_who_graded_and_where_another_look_came_out_otherwise(
    tmp_path: Path,
) -> None:
    wave = recorded_wave(tmp_path, scored("reward", True), scored("held", True))
    assert "Graded by" not in page(tmp_path, wave)
    grade(tmp_path, wave, HELD, flags=["--regrade"])
    digest = hashlib.sha256((tmp_path / "desk.json").read_bytes()).hexdigest()
    told = page(tmp_path, tmp_path / "graded")
    assert f"swarm-reporter {VERSION} by desk.json (sha256 {digest})" in told
    assert "results on record evaluated again" in told
    assert "regrade-differs" in told
    assert "was recorded as passed and graded failed by" in told


def test_who_graded_is_written_by_anybody_and_stops_no_report(tmp_path: Path) -> None:
    for at, junk in enumerate([3, [3, {}], {"name": 5}, [{"disagreements": [1, {}], "name": "x"}]]):
        criteria = {"type": "criteria", "status": "completed", "results": [], "gradedBy": junk}
        wave = write_folder(
            tmp_path / f"w{at}",
            manifest(gradedBy=junk),
            {"s1": session_lines((*TALK, criteria))},
        )
        page(tmp_path, wave)
