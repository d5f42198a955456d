import gc
import json
import subprocess
import sys
import weakref
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import goal, manifest, persona, run, session_facts, slot, user
from click.testing import CliRunner, Result
from imported import session, write
from shared import ROOT, shared
from waves import TALK, session_lines, write_folder

from reporter.cli import main
from reporter.cli.plainly import keep, kept_to_the_end
from reporter.derive.facts_json import facts_line
from reporter.wave.analytics.document import funnel_problems

EXAMPLE = ROOT / "examples" / "lending-desk" / "wave"
WHEN = "--generated-at=2026-01-02T03:04:05Z"


def invoke(*arguments: object) -> Result:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert "Traceback" not in result.output
    assert "defect of swarm-reporter" not in result.output
    return result


def graded(passed: bool = True) -> tuple[Any, ...]:
    judge = {"type": "goal_judge", "status": "completed", "passed": passed, "reason": "Seen."}
    return (*TALK, judge)


def judged_manifest(**more: Any) -> dict[str, Any]:
    policy = {"judge": {"automatic": True, "role": "required"}}
    return manifest(policy=policy, **more)


def two_sessions(tmp_path: Path, second: bytes) -> Path:
    """A wave of two goals; the second one's session file is what the case is about."""
    whole = judged_manifest(
        goals=[goal(), goal("g2", "Return a book")],
        runs=[run(), run("r2", "g2")],
        slots=[slot(), slot("s2", "r2")],
    )
    return write_folder(tmp_path / "wave", whole, {"s1": session_lines(graded()), "s2": second})


def test_help_names_every_command_and_imports_nothing_heavy() -> None:
    code = "import sys, reporter.cli; print(sorted(set(sys.modules) & {'pydantic', 'jinja2'}))"
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert found.stdout.strip() == "[]"
    output = invoke("--help").output
    for name in ("report", "findings", "facts", "funnel", "check", "schema", "import", "grade"):
        assert name in output


@pytest.mark.parametrize("command", ["findings", "facts", "funnel", "check"])
def test_data_commands_load_no_renderer(command: str) -> None:
    code = (
        "import sys\nfrom reporter.cli import main\n"
        f"try: main([{command!r}, {str(EXAMPLE)!r}])\n"
        "except SystemExit as end: assert end.code == 0, end.code\n"
        "bad = {'weasyprint', 'jinja2', 'markdown_it', 'mcp'} & set(sys.modules)\n"
        "assert not bad, bad\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, cwd=ROOT)
    assert ran.returncode == 0, ran.stderr.decode()


def test_findings_are_the_same_bytes_for_the_same_input_and_time(tmp_path: Path) -> None:
    for name, jobs in (("a", 1), ("b", 2)):
        assert (
            invoke("findings", EXAMPLE, WHEN, "--jobs", jobs, "-o", tmp_path / name).exit_code == 0
        )
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert json.loads((tmp_path / "a").read_bytes())["generatedAt"] == 1_767_323_045_000


def test_findings_go_to_standard_output_without_a_file() -> None:
    result = invoke("findings", EXAMPLE, WHEN)
    assert json.loads(result.stdout)["contractVersion"] == 1


def test_the_clock_can_be_given_by_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000")
    document = json.loads(invoke("findings", write_folder(tmp_path / "w")).stdout)
    assert document["generatedAt"] == 1_000_000


def test_the_funnel_is_a_valid_document_of_every_planned_session(tmp_path: Path) -> None:
    target = tmp_path / "funnel.json"
    assert invoke("funnel", EXAMPLE, WHEN, "-o", target).exit_code == 0
    document = json.loads(target.read_bytes())
    assert funnel_problems(document, file="funnel.json") == []
    planned = json.loads((EXAMPLE / "wave.json").read_bytes())
    assert document["totalTrials"] == len(planned["slots"])
    assert document["runId"] == planned["swarmRunGroupId"]
    assert document["updatedAt"] == 1_767_323_045_000
    timed = [row for row in document["slices"][0]["stages"] if "latency" in row]
    assert {row["stage"] for row in timed} == {"call", "response"}


def test_a_findings_document_has_no_funnel(tmp_path: Path) -> None:
    invoke("findings", EXAMPLE, WHEN, "-o", tmp_path / "findings.json")
    result = invoke("funnel", tmp_path / "findings.json")
    assert result.exit_code == 2
    assert "name the recording" in result.output


def test_facts_give_one_line_a_planned_session() -> None:
    lines = [json.loads(line) for line in invoke("facts", EXAMPLE).stdout.splitlines()]
    planned = json.loads((EXAMPLE / "wave.json").read_bytes())["slots"]
    assert [line["sessionId"] for line in lines] == [one["sessionId"] for one in planned]
    expected = set(json.loads(facts_line(session_facts())))
    assert {frozenset(line) for line in lines} == {frozenset(expected)}


def test_documents_hold_to_the_independent_check(tmp_path: Path) -> None:
    tool = shared("tools", "wire_check.py")
    target = tmp_path / "findings.json"
    sources = (EXAMPLE, shared("recordings", "tau-bench"), shared("recordings", "tau-trait"))
    for source in sources:
        assert invoke("findings", source, WHEN, "-o", target).exit_code == 0
        ran = subprocess.run(
            [sys.executable, str(tool), str(target)], capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize(
    ("condition", "passed", "status"),
    [("broken", False, 1), ("broken", True, 0), ("coverage", True, 1), ("friction", True, 0)],
)
def test_fail_on_decides_the_exit_status(
    condition: str,
    passed: bool,
    status: int,
    tmp_path: Path,
) -> None:
    wave = write_folder(tmp_path / "wave", judged_manifest(), {"s1": session_lines(graded(passed))})
    result = invoke(
        "report", wave, "-o", tmp_path / "out", "--format", "json", "--fail-on", condition
    )
    assert result.exit_code == status


def test_nothing_executed_is_said_first_and_can_fail_a_pipeline(tmp_path: Path) -> None:
    refused = {"status": "failed", "errorCode": "sandbox_unavailable", "errorMessage": "No room."}
    wave = write_folder(
        tmp_path / "wave", manifest(slots=[slot(attempt=refused, recorded=False)]), {}
    )
    result = invoke(
        "report", wave, "-o", tmp_path / "out", "--format", "json", "--fail-on", "notLaunched"
    )
    assert result.exit_code == 1
    assert result.stdout.splitlines()[0].startswith("Not launched.")
    assert "No room." in result.stdout
    assert "0 started" in result.stdout


Break = Callable[[Path], Path]


def empty_folder(root: Path) -> Path:
    (root / "nothing").mkdir()
    return root / "nothing"


def broken_manifest(root: Path) -> Path:
    wave = write_folder(root / "wave")
    (wave / "wave.json").write_text("{", encoding="utf-8")
    return wave


def wrong_words(root: Path) -> Path:
    return write_folder(
        root / "wave", manifest(terminal="yes", runs=[run(status="finished", rubric=None)])
    )


def no_importer(root: Path) -> Path:
    (root / "notes.json").write_text('{"hello": 1}', encoding="utf-8")
    return root / "notes.json"


def newer_document(root: Path) -> Path:
    (root / "findings.json").write_text(
        json.dumps({"contractVersion": 2, "population": {}, "findings": [], "personas": []}),
        encoding="utf-8",
    )
    return root / "findings.json"


def mixed_formats(root: Path) -> Path:
    (root / "mixed").mkdir()
    task = {"instruction": "Borrow.", "actions": [], "outputs": [], "user_id": "u"}
    chat = [
        {
            "task_id": 0,
            "trial": 0,
            "reward": 1.0,
            "info": {"task": task, "source": "user", "reward_info": None},
            "traj": [{"role": "user", "content": "Hello."}],
        }
    ]
    (root / "mixed" / "chat.json").write_text(json.dumps(chat), encoding="utf-8")
    results = {
        "timestamp": "2026-01-01T00:00:00",
        "info": {"num_trials": 1, "agent_info": {"llm": "m"}, "user_info": {},
                 "environment_info": {"domain_name": "desk"}},
        "tasks": [],
        "simulations": [],
    }  # fmt: skip
    (root / "mixed" / "results.json").write_text(json.dumps(results), encoding="utf-8")
    return root / "mixed"


def wave_of_another_version(root: Path) -> Path:
    return write_folder(root / "wave", manifest(formatVersion=2))


UNREADABLE = [
    pytest.param(empty_folder, ["nothing", "wave.json"], id="empty folder"),
    pytest.param(broken_manifest, ["wave.json", "not JSON"], id="broken manifest"),
    pytest.param(
        wrong_words,
        ["terminal", "runs[0].status", "completed", "runs[0].rubric"],
        id="every wrong place at once",
    ),
    pytest.param(no_importer, ["notes.json", "wave.json"], id="claimed by nobody"),
    pytest.param(newer_document, ["contractVersion", "newer", "Update"], id="newer contract"),
    pytest.param(mixed_formats, ["different formats", "chat.json", "results.json"], id="ambiguous"),
    pytest.param(wave_of_another_version, ["format version 2", "Update"], id="newer recording"),
]


@pytest.mark.parametrize(("make", "words"), UNREADABLE)
@pytest.mark.parametrize("command", ["report", "findings", "facts", "check"])
def test_an_unreadable_source_is_named_with_place_and_remedy(
    command: str, make: Break, words: list[str], tmp_path: Path
) -> None:
    source = make(tmp_path)
    more = ["-o", str(tmp_path / "out")] if command == "report" else []
    result = invoke(command, source, *more)
    assert result.exit_code == 2
    for word in words:
        assert word in result.output
    assert str(tmp_path) not in result.output.replace(f"Wrote {tmp_path}", "")
    out = tmp_path / "out"
    assert not out.exists() or list(out.iterdir()) == []


def truncated() -> bytes:
    return session_lines(graded())[:-30]


def not_utf8() -> bytes:
    return session_lines(graded()).replace(b"borrow", b"b\xff\xfew")


def huge_line() -> bytes:
    return session_lines([user("x" * 10_000_000), *graded()[1:]])


def doubled_call() -> bytes:
    return session_lines([*TALK[:2], TALK[1], *graded()[2:]])


def unknown_record() -> bytes:
    return session_lines([*graded(), {"type": "weather", "sky": "blue"}])


@pytest.mark.parametrize(
    ("damage", "status", "words"),
    [
        pytest.param(truncated, 4, ["sessions/s2.jsonl", "line 5"], id="truncated last line"),
        pytest.param(not_utf8, 4, ["sessions/s2.jsonl", "line 1", "UTF-8"], id="bad UTF-8"),
        pytest.param(huge_line, 4, ["sessions/s2.jsonl", "line 1", "longer"], id="10 MB line"),
        pytest.param(doubled_call, 0, ["sessions/s2.jsonl", "c1"], id="duplicate ids"),
        pytest.param(unknown_record, 0, ["sessions/s2.jsonl", "weather"], id="unknown record"),
        pytest.param(lambda: b"", 0, [], id="empty file"),
    ],
)
def test_one_broken_session_never_costs_the_others_their_report(
    damage: Callable[[], bytes], status: int, words: list[str], tmp_path: Path
) -> None:
    wave = two_sessions(tmp_path, damage())
    out = tmp_path / "out"
    result = invoke("report", wave, "-o", out, "--format", "json,html", WHEN)
    assert result.exit_code == status, result.output
    checked = invoke("check", wave).output
    page = (out / "report.html").read_text(encoding="utf-8")
    for word in words:
        assert word in checked
        assert word in page
        assert status == 0 or word in result.output
    rows = json.loads((out / "findings.json").read_bytes())["findings"]
    ours = [row for row in rows if row["id"] == 'goal:[null,"r1","t1"]']
    assert [row["disposition"] for row in ours] == ["goalMet"]


@pytest.mark.parametrize("command", ["report", "findings", "facts"])
def test_every_loss_is_named(command: str, tmp_path: Path) -> None:
    lost = 25
    whole = judged_manifest(
        runs=[run(sessionsPerTarget=lost)], slots=[slot(f"s{n}", index=n) for n in range(lost)]
    )
    broken = session_lines(graded()) + b"{broken\n"
    source = write_folder(tmp_path / "wave", whole, {f"s{n}": broken for n in range(lost)})
    output = tmp_path / "out"
    more = ["--format", "json"] if command == "report" else []
    result = invoke(command, source, "-o", output, *more)
    assert result.exit_code == 4
    assert all(f"sessions/s{n}.jsonl: line 6" in result.stderr for n in range(lost))


def test_a_session_file_for_no_slot_is_counted_and_not_mixed_in(tmp_path: Path) -> None:
    sessions = {"s1": session_lines(graded()), "stray": session_lines(graded())}
    wave = write_folder(tmp_path / "wave", judged_manifest(), sessions)
    result = invoke("report", wave, "-o", tmp_path / "out", "--format", "json")
    assert result.exit_code == 4
    assert "stray" in result.output
    assert "1 configured, 1 started" in result.stdout


def test_ids_that_climb_out_of_the_folder_open_nothing(tmp_path: Path) -> None:
    (tmp_path / "secret.jsonl").write_bytes(session_lines(graded()))
    slots = [slot(), slot("../../secret", index=1)]
    whole = judged_manifest(slots=slots, runs=[run(sessionsPerTarget=2)])
    wave = write_folder(tmp_path / "wave", whole, {"s1": session_lines(graded())})
    document = json.loads(invoke("findings", wave, WHEN).stdout)
    assert document["population"]["started"] == 1
    assert "../../secret" not in json.dumps(document)
    assert "../../secret" in invoke("check", wave).output


def test_a_manifest_without_sessions_reports_what_is_missing(tmp_path: Path) -> None:
    wave = write_folder(tmp_path / "wave", manifest(), {})
    result = invoke("report", wave, "-o", tmp_path / "out", "--format", "json")
    assert result.exit_code == 4
    assert "sessions/s1.jsonl" in result.output
    assert "transcript unavailable" in result.stdout


def test_an_interrupted_wave_is_reported_and_says_so(tmp_path: Path) -> None:
    start = {
        "type": "session_start",
        "runId": "r1",
        "targetId": "t1",
        "sessionIndex": 0,
        "personaName": "Ana",
        "maxTurns": 3,
    }
    wave = write_folder(tmp_path / "wave", None, {"s1": session_lines([start, *TALK])})
    (wave / "wave.json").unlink()
    result = invoke("report", wave, "-o", tmp_path / "out", "--format", "json")
    assert result.exit_code == 0
    assert "interrupted" in result.stdout


def test_a_published_document_is_reported_without_a_recording(tmp_path: Path) -> None:
    source = shared("oracle", "mcpjam-export", "published-fixture", "insights-envelope.json")
    result = invoke("report", source, "-o", tmp_path / "out", "--format", "html,json", WHEN)
    assert result.exit_code == 0, result.output
    published = json.loads(source.read_bytes())["journeyFindings"]
    assert json.loads((tmp_path / "out" / "findings.json").read_bytes()) == published
    assert "The requested change was rejected." in result.stdout
    facts = invoke("facts", source)
    assert facts.exit_code == 2
    assert "holds no sessions" in facts.output


def test_import_writes_a_native_wave_with_the_same_findings(tmp_path: Path) -> None:
    source = shared("recordings", "tau2-bench-runs")
    assert invoke("import", source, "-o", tmp_path / "wave").exit_code == 0
    direct = json.loads(invoke("findings", source, WHEN).stdout)
    native = json.loads(invoke("findings", tmp_path / "wave", WHEN).stdout)
    assert native.pop("sourceRevision") != direct.pop("sourceRevision")
    assert native == direct
    again = invoke("import", source, "-o", tmp_path / "wave")
    assert again.exit_code == 2
    assert invoke("import", tmp_path / "wave", "-o", tmp_path / "other").exit_code == 2


def test_a_mapping_states_what_only_a_file_name_says(tmp_path: Path) -> None:
    source = shared("recordings", "tau-trait", "skeptical_telecom.json")
    rules = tmp_path / "map.toml"
    rules.write_text(
        '[[files]]\nmatch = "skeptical_*.json"\npersona = "skeptical"\ntarget = "telecom"\n',
        encoding="utf-8",
    )
    document = json.loads(invoke("findings", source, "--map", rules, WHEN).stdout)
    assert [one["persona"]["name"] for one in document["personas"]] == ["skeptical"]
    unmapped = json.loads(invoke("findings", source, WHEN).stdout)
    assert [one["persona"]["name"] for one in unmapped["personas"]] == ["no persona recorded"]


def test_a_scan_cap_leaves_later_sessions_unread() -> None:
    capped = json.loads(invoke("findings", EXAMPLE, "--scan-cap", 5, WHEN).stdout)
    whole = json.loads(invoke("findings", EXAMPLE, WHEN).stdout)
    assert capped["population"]["read"] < whole["population"]["read"]
    assert capped["population"]["graded"] == whole["population"]["graded"]
    assert "sessionScanCapped" in capped["coverageNotes"]
    source = shared("recordings", "tau2-bench-runs")
    foreign = json.loads(invoke("findings", source, "--scan-cap", 5, WHEN).stdout)
    assert foreign["population"]["read"] == 5


def test_schema_is_json_and_can_be_written_to_a_file(tmp_path: Path) -> None:
    assert "$defs" in json.loads(invoke("schema").stdout)
    assert invoke("schema", "-o", tmp_path / "schema.json").exit_code == 0
    assert json.loads((tmp_path / "schema.json").read_bytes())


@pytest.mark.parametrize(
    "arguments",
    [
        ["report", "no-such-folder"],
        ["report", str(EXAMPLE), "--format", "docx"],
        ["report", str(EXAMPLE), "--fail-on", "sadness"],
        ["findings", str(EXAMPLE), "--generated-at", "yesterday"],
        ["import", str(EXAMPLE)],
    ],
)
def test_bad_usage_exits_with_2(arguments: list[str]) -> None:
    assert invoke(*arguments).exit_code == 2


def test_a_failed_write_leaves_what_was_there(tmp_path: Path) -> None:
    wave = write_folder(tmp_path / "wave")
    out = tmp_path / "out"
    out.mkdir()
    (out / "findings.json").mkdir()
    result = invoke("report", wave, "-o", out, "--format", "json")
    assert result.exit_code == 3
    assert [path.name for path in out.iterdir()] == ["findings.json"]


def test_a_person_named_like_markup_stays_text(tmp_path: Path) -> None:
    name = "<img src=x onerror=alert(1)>"
    whole = manifest(personas=[persona(name)], runs=[run(persona_name=name)])
    wave = write_folder(tmp_path / "wave", whole)
    assert invoke("report", wave, "-o", tmp_path / "out", "--format", "html").exit_code == 0
    assert "<img src=x" not in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_several_sources_and_patterns_are_one_wave(tmp_path: Path) -> None:
    for number, name in enumerate(("a/x.json", "b/x.json", "y.json")):
        write(tmp_path / "runs" / name, [session(number)])
    with zipfile.ZipFile(tmp_path / "old.zip", "w") as archive:
        archive.writestr("z.json", json.dumps([session(9)]))
    pattern = tmp_path / "runs" / "**" / "x.json"
    result = invoke("facts", pattern, tmp_path / "runs" / "y.json", tmp_path / "old.zip")
    assert result.exit_code == 0
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert sorted(line["sessionId"] for line in lines) == [
        "old.zip.z.9.0",
        "runs.a.x.0.0",
        "runs.b.x.1.0",
        "y.2.0",
    ]
    assert invoke("check", tmp_path / "runs", tmp_path / "old.zip").exit_code == 0
    wave = tmp_path / "wave"
    assert invoke("import", pattern, tmp_path / "old.zip", "-o", wave).exit_code == 0
    assert (wave / "wave.json").exists()
    assert str(tmp_path) not in (wave / "wave.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("source", "said"),
    [("nowhere.json", "does not exist"), ("no*where.json", "The pattern fits no file.")],
)
def test_a_source_that_is_not_there_is_named(tmp_path: Path, source: str, said: str) -> None:
    write(tmp_path / "a.json", [session(1)])
    result = invoke("findings", tmp_path / "a.json", tmp_path / source)
    assert result.exit_code == 2
    assert source in result.output
    assert said in result.output


def test_what_an_archive_holds_that_is_refused_is_lost_input(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "runs.zip", "w") as archive:
        archive.writestr("a.json", json.dumps([session(1)]))
        archive.writestr("../b.json", json.dumps([session(2)]))
    result = invoke("facts", tmp_path / "runs.zip")
    assert result.exit_code == 4
    assert "../b.json: Not read: a path that leads out of the archive." in result.stderr


class Large:
    """Something that a command keeps."""


def test_what_a_command_keeps_is_never_looked_through_and_gone_after_the_next() -> None:
    gc.enable()
    with kept_to_the_end():
        assert not gc.isenabled()
        first = weakref.ref(keep(Large()))
    assert gc.isenabled()
    assert gc.get_freeze_count() > 0
    gc.collect()
    assert first() is not None
    with kept_to_the_end():
        assert gc.get_freeze_count() == 0
        keep(Large())
    assert first() is None
    gc.unfreeze()


def test_an_interrupt_does_not_look_through_what_was_kept_either() -> None:
    def interrupted() -> None:
        with kept_to_the_end():
            keep(Large())
            raise KeyboardInterrupt

    gc.unfreeze()
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert gc.get_freeze_count() > 0
    gc.unfreeze()
