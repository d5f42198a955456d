import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from shared import ROOT

from reporter.derive.session import derive_session
from reporter.models.facts import SessionFacts
from reporter.recording.reader import open_wave
from reporter.recording.validate import check
from reporter.vocabulary import Disposition, Lifecycle, Signal, Stage, Verdict

EXAMPLE = ROOT / "examples" / "lending-desk"
WAVE = EXAMPLE / "wave"

TIMES = frozenset({"at", "createdAt", "finishedAt", "durationMs"})
# Pydantic writes its own version into what it says about wrong arguments.
PYDANTIC_VERSION = re.compile(r"(?<=errors\.pydantic\.dev/)[0-9.]+")


def timeless(value: Any) -> Any:
    """A recorded value as it is at every recording: without times and library versions."""
    if isinstance(value, dict):
        return {key: timeless(item) for key, item in value.items() if key not in TIMES}
    if isinstance(value, list):
        return [timeless(item) for item in value]
    return PYDANTIC_VERSION.sub("*", value) if isinstance(value, str) else value


def recorded(wave: Path) -> dict[str, Any]:
    """Everything in a wave folder that a second recording has to repeat, by file."""
    return {
        path.relative_to(wave).as_posix(): [
            timeless(json.loads(line)) for line in path.read_text("utf-8").splitlines()
        ]
        if path.suffix == ".jsonl"
        else timeless(json.loads(path.read_text("utf-8")))
        for path in sorted(wave.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    return dict(json.loads((WAVE / "wave.json").read_text("utf-8")))


def records(session_id: str) -> list[dict[str, Any]]:
    lines = (WAVE / "sessions" / f"{session_id}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_recording_anew_gives_the_committed_wave(tmp_path: Path) -> None:
    anew = tmp_path / "wave"
    run = subprocess.run(
        [sys.executable, EXAMPLE / "swarm.py", "-o", anew],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert run.returncode == 0, run.stderr
    fresh, committed = recorded(anew), recorded(WAVE)
    assert sorted(fresh) == sorted(committed)
    stale = [name for name, content in fresh.items() if content != committed[name]]
    assert not stale, f"record {WAVE.relative_to(ROOT)} anew, as its README says: {stale}"


def test_a_changed_word_makes_the_recording_stale(tmp_path: Path) -> None:
    line = json.dumps({"type": "message", "at": 1, "content": "Good morning!"})
    for name, text in (("one", line), ("two", line.replace("morning", "evening"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "s.jsonl").write_text(text + "\n", "utf-8")
    assert recorded(tmp_path / "one") != recorded(tmp_path / "two")


def test_only_times_may_differ(tmp_path: Path) -> None:
    for name, at in (("one", 1), ("two", 2)):
        (tmp_path / name).mkdir()
        record = {"type": "tool_result", "at": at, "durationMs": at, "result": {"isError": True}}
        (tmp_path / name / "s.jsonl").write_text(json.dumps(record) + "\n", "utf-8")
    assert recorded(tmp_path / "one") == recorded(tmp_path / "two")


def test_three_personas_pursue_four_goals_on_two_targets(manifest: dict[str, Any]) -> None:
    pairs = {(run["personaName"], run["journeyRefId"]) for run in manifest["runs"]}
    assert len(manifest["personas"]) == 3
    assert len(manifest["goals"]) == 4
    assert len(manifest["targets"]) == 2
    assert len(pairs) == len(manifest["runs"]) == 12
    assert all(len(run["targetIds"]) == 2 for run in manifest["runs"])
    assert len(manifest["slots"]) == 30


def test_no_model_is_claimed_where_words_are_scripted(manifest: dict[str, Any]) -> None:
    assert {target["modelId"] for target in manifest["targets"]} == {"scripted"}
    judges = {
        record["model"]
        for path in (WAVE / "sessions").iterdir()
        for record in records(path.stem)
        if record["type"] == "goal_judge"
    }
    assert judges == {"rule-based judge"}


MET, UNEASY, LOST = (
    Disposition.GOAL_MET,
    Disposition.GOAL_MET_WITH_FRICTION,
    Disposition.LOST_FINDING_TOOL,
)
CAME_OUT_AS = {
    "bettina-hold.browser.0": MET,
    "bettina-hold.browser.1": UNEASY,
    "bettina-hold.desktop.0": Disposition.BLOCKED_BY_RESPONSE,
    "bettina-hold.desktop.1": UNEASY,
    "bettina-renew.browser.0": UNEASY,
    "bettina-renew.desktop.0": Disposition.BLOCKED_CONNECTING,
    "bettina-fine.browser.0": UNEASY,
    "bettina-fine.desktop.0": MET,
    "bettina-move.browser.0": LOST,
    "bettina-move.desktop.0": MET,
    "seun-hold.browser.0": MET,
    "seun-hold.desktop.0": Disposition.GOAL_MISSED,
    "seun-renew.browser.0": Disposition.BLOCKED_CALLING_TOOL,
    "seun-renew.desktop.0": UNEASY,
    "seun-fine.browser.0": Disposition.BLOCKED_BY_RESPONSE,
    "seun-fine.browser.1": UNEASY,
    "seun-fine.desktop.0": MET,
    "seun-fine.desktop.1": Disposition.NOT_RUN,
    "seun-move.browser.0": UNEASY,
    "seun-move.desktop.0": Disposition.NOT_MEASURED,
    "tomasz-hold.browser.0": LOST,
    "tomasz-hold.desktop.0": MET,
    "tomasz-renew.browser.0": MET,
    "tomasz-renew.desktop.0": Disposition.NOT_MEASURED,
    "tomasz-fine.browser.0": Disposition.GOAL_MISSED,
    "tomasz-fine.desktop.0": UNEASY,
    "tomasz-move.browser.0": Disposition.GOAL_MISSED,
    "tomasz-move.browser.1": MET,
    "tomasz-move.desktop.0": LOST,
    "tomasz-move.desktop.1": Disposition.NOT_RUN,
}


@pytest.fixture(scope="module")
def facts() -> dict[str, SessionFacts]:
    wave = open_wave(WAVE)
    return {
        context.slot.session_id: derive_session(context, wave.read(context.slot.session_id))
        for context in wave.plan.contexts()
    }


def test_the_check_finds_nothing_wrong_with_the_committed_wave() -> None:
    assert check(WAVE) == []


def test_no_session_contradicts_itself(facts: dict[str, SessionFacts]) -> None:
    assert {one.session_id: one.problems for one in facts.values() if one.problems} == {}


def test_every_planned_session_is_in_the_table(facts: dict[str, SessionFacts]) -> None:
    assert facts.keys() == CAME_OUT_AS.keys()
    # Every word that a session can come out as is in the example.
    assert set(CAME_OUT_AS.values()) == set(Disposition)


@pytest.mark.parametrize(("session_id", "disposition"), CAME_OUT_AS.items())
def test_a_session_comes_out_as_intended(
    facts: dict[str, SessionFacts], session_id: str, disposition: Disposition
) -> None:
    assert facts[session_id].disposition is disposition


def test_the_readme_tells_how_every_session_came_out(facts: dict[str, SessionFacts]) -> None:
    readme = (EXAMPLE / "README.md").read_text("utf-8")
    told = dict(re.findall(r"^\| `([\w.-]+\.\d)` \| .+ \| ([\w ]+) \|$", readme, re.MULTILINE))
    assert told == {session_id: one.disposition.label for session_id, one in facts.items()}


FIRST_FAILED = {
    "bettina-renew.desktop.0": Stage.CONNECTION,
    "bettina-move.browser.0": Stage.SELECTION,
    "seun-renew.browser.0": Stage.CALL,
    "seun-fine.browser.0": Stage.RESPONSE,
    "seun-hold.desktop.0": Stage.USER_VALUE,
    "tomasz-fine.browser.0": Stage.USER_VALUE,
    "seun-renew.desktop.0": Stage.CALL,
    "bettina-hold.browser.1": Stage.RESPONSE,
    "bettina-fine.desktop.0": None,
}


@pytest.mark.parametrize(("session_id", "stage"), FIRST_FAILED.items())
def test_the_first_failed_link_is_the_one_that_broke(
    facts: dict[str, SessionFacts], session_id: str, stage: Stage | None
) -> None:
    chain = facts[session_id].chain
    assert chain is not None
    assert chain.first_failed_stage is stage


SIGNALS = {
    "bettina-fine.browser.0": Signal.OUTPUT_TRUNCATED,
    "bettina-move.browser.0": Signal.HALLUCINATED_TOOL,
    "bettina-hold.desktop.0": Signal.TOOL_ERRORED,
    "tomasz-hold.browser.0": Signal.NO_TOOL_CALLED,
    "tomasz-move.browser.0": Signal.TURN_CAP_REACHED,
}


@pytest.mark.parametrize(("session_id", "signal"), SIGNALS.items())
def test_every_signal_is_in_the_example(
    facts: dict[str, SessionFacts], session_id: str, signal: Signal
) -> None:
    assert set(SIGNALS.values()) == set(Signal)
    assert facts[session_id].signal_key is signal


LIFECYCLES = {
    "tomasz-move.desktop.1": Lifecycle.PENDING,
    "seun-move.desktop.0": Lifecycle.WITHDRAWN,
    "seun-fine.desktop.1": Lifecycle.LIMITED,
    "bettina-renew.desktop.0": Lifecycle.BROKE,
    "tomasz-renew.desktop.0": Lifecycle.RAN,
}


@pytest.mark.parametrize(("session_id", "lifecycle"), LIFECYCLES.items())
def test_the_swarms_own_mishaps_are_told_apart(
    facts: dict[str, SessionFacts], session_id: str, lifecycle: Lifecycle
) -> None:
    assert facts[session_id].verdict.lifecycle is lifecycle
    assert facts[session_id].verdict.verdict not in (Verdict.PASSED, Verdict.FAILED)


def test_the_refusal_is_the_servers_own_answer(facts: dict[str, SessionFacts]) -> None:
    (failure,) = facts["bettina-renew.desktop.0"].connection_failures
    assert failure.attributable == "server"
    assert failure.egress_verified is True
    assert failure.message == "The lending desk is closed: stock-taking until Monday"


def test_errors_are_what_the_server_really_answered(facts: dict[str, SessionFacts]) -> None:
    said = {
        (call.tool_name, call.error, call.error_text)
        for one in facts.values()
        for call in one.tool_calls
        if call.error is not None and "validation error" not in (call.error_text or "")
    }
    assert said == {
        ("place_hold", "isError", "Error executing tool place_hold: Branch not valid."),
        ("pay_fine", "isError", "Error executing tool pay_fine"),
        ("renew_loan", "protocol", "Invalid params"),
        ("move_hold", "isError", "Unknown tool: move_hold"),
        ("change_pickup_branch", "isError", "Unknown tool: change_pickup_branch"),
        ("update_hold", "isError", "Unknown tool: update_hold"),
    }
