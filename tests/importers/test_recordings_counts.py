"""What the README of each recorded source counts is what its import holds."""

import json
import re
import zipfile
from collections import Counter
from functools import lru_cache

import pytest
from imported import Taken, take
from shared import shared

from reporter.derive.session import derive_session
from reporter.importers.mapping import FileMapping
from reporter.importers.mapping_file import read_mapping
from reporter.vocabulary import Disposition

pytestmark = pytest.mark.shared

EXPECTED = {
    "tau-trait": {
        "sessions": 354,
        "messages": 12_042,
        "user turns": 3_590,
        "tool calls": 2_431,
        "tool results": 2_431,
        "tool errors": 77,
        "rewarded": 163,
    },
    "tau-bench": {
        "sessions": 200,
        "messages": 5_308,
        "user turns": 1_490,
        "tool calls": 1_164,
        "tool results": 1_164,
        "tool errors": 73,
        "rewarded": 84,
    },
    "tau2-bench-runs": {
        "sessions": 16,
        "messages": 197,
        "user turns": 55,
        "tool calls": 47,
        "tool results": 47,
        "tool errors": 0,
        "rewarded": 10,
    },
    "swe-agent": {
        "sessions": 4,
        "messages": 88,
        "user turns": 4,
        "tool calls": 40,
        "tool results": 40,
        "tool errors": 0,
    },
    "inspect-ai": {
        "sessions": 22,
        "messages": 360,
        "user turns": 57,
        "tool calls": 125,
        "tool results": 125,
        "tool errors": 6,
        "rewarded": 15,
    },
}
# File: results, tool calls, tool errors, passed, passed with a failed assertion, set-up or
# verification failed.
EVAL_FILES = {
    "builtin-openai-core-latest.json": (28, 200, 12, 26, 2, 2),
    "builtin-openai-helm-latest.json": (31, 222, 8, 30, 2, 1),
    "builtin-openai-kubevirt-latest.json": (47, 223, 19, 42, 2, 5),
}

# File: persona, target, sessions, tool calls, tool errors, rewarded.
TRAIT_FILES = {
    "skeptical_airline.json": ("skeptical", "airline", 60, 361, 14, 24),
    "impatience_airline.json": ("impatient", "airline", 60, 370, 16, 24),
    "impatience_retail.json": ("impatient", "retail", 120, 850, 22, 70),
    "skeptical_telecom.json": ("skeptical", "telecom", 18, 114, 3, 9),
    "impatience_telecom.json": ("impatient", "telecom", 18, 107, 9, 11),
    "telecom_none.json": ("baseline", "telecom", 18, 64, 3, 13),
    "skeptical_telehealth.json": ("skeptical", "telehealth", 20, 171, 7, 2),
    "impatience_telehealth.json": ("impatient", "telehealth", 20, 183, 1, 7),
    "telehealth_none.json": ("baseline", "telehealth", 20, 211, 2, 3),
}


@pytest.fixture(scope="module")
def trait_mapping(tmp_path_factory: pytest.TempPathFactory) -> FileMapping:
    rules = [
        f'[[files]]\nmatch = "{name}"\npersona = "{persona}"\ntarget = "{target}"\n'
        f'model = "gpt-5"\n'
        for name, (persona, target, *_) in TRAIT_FILES.items()
    ]
    path = tmp_path_factory.mktemp("map") / "map.toml"
    path.write_text("\n".join(rules), encoding="utf-8")
    return read_mapping(path)


@pytest.fixture(scope="module")
def mapped_trait(trait_mapping: FileMapping) -> Taken:
    return take(shared("recordings", "tau-trait"), trait_mapping)


@lru_cache
def unmapped(*parts: str) -> Taken:
    return take(shared("recordings", *parts))


def check_whole(taken: Taken) -> None:
    plan = taken.plan
    assert len(plan.slots) == len(taken.recordings) == len(taken.contexts)
    assert all(slot.listed and slot.in_plan and slot.recorded for slot in plan.slots)
    ids = [slot.session_id for slot in plan.slots]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[A-Za-z0-9._:-]{1,200}", session_id) for session_id in ids)
    assert taken.manifest.terminal
    assert taken.wave.problems == []


@pytest.mark.parametrize("source", EXPECTED)
def test_a_source_without_mapping_holds_what_its_readme_counts(source: str) -> None:
    taken = unmapped(source)
    assert dict(taken.counts()) == EXPECTED[source]
    check_whole(taken)


def test_a_mapping_changes_who_and_where_and_nothing_else(mapped_trait: Taken) -> None:
    assert dict(mapped_trait.counts()) == EXPECTED["tau-trait"]
    check_whole(mapped_trait)
    plan = mapped_trait.plan
    assert [persona.name for persona in plan.personas] == ["impatient", "skeptical", "baseline"]
    assert sorted(target.label for target in plan.targets) == [
        "airline",
        "retail",
        "telecom",
        "telehealth",
    ]
    assert {target.model_id for target in plan.targets} == {"gpt-5"}
    # One task tried by several personas is one goal and a run for each of them.
    assert len(plan.goals) == 60 + 120 + 18 + 20
    assert len(plan.runs) == 354
    assert {run.sessions_per_target for run in plan.runs} == {1}


@pytest.mark.parametrize("name", TRAIT_FILES)
def test_each_trait_file_holds_what_its_row_says(mapped_trait: Taken, name: str) -> None:
    persona, target, sessions, calls, errors, rewarded = TRAIT_FILES[name]
    of_file = {
        session_id: recording
        for session_id, recording in mapped_trait.recordings.items()
        if recording.file == name
    }
    counts = Taken(mapped_trait.wave, {}, of_file, mapped_trait.manifest).counts()
    assert (counts["sessions"], counts["tool calls"]) == (sessions, calls)
    assert (counts["tool errors"], counts["rewarded"]) == (errors, rewarded)
    contexts = [mapped_trait.contexts[session_id] for session_id in of_file]
    assert {context.persona.name for context in contexts} == {persona}
    assert {context.target.label for context in contexts} == {target}


def test_without_mapping_the_same_task_in_several_files_repeats_in_one_run() -> None:
    plan = unmapped("tau-trait").plan
    assert Counter(run.sessions_per_target for run in plan.runs) == {1: 120, 2: 60, 3: 38}
    assert [persona.name for persona in plan.personas] == ["no persona recorded"]
    assert [target.label for target in plan.targets] == ["no target recorded"]
    assert all(run.max_turns is None for run in plan.runs)


def test_four_trials_are_four_sessions_of_one_run() -> None:
    plan = unmapped("tau-bench").plan
    assert len(plan.runs) == 50
    assert {run.sessions_per_target for run in plan.runs} == {4}
    ends = {slot.session_id.rsplit(".", 1)[1]: slot.session_index for slot in plan.slots}
    assert ends == {"0": 0, "1": 1, "2": 2, "3": 3}


def test_repeated_call_ids_are_told_apart() -> None:
    taken = unmapped("tau-bench")
    renamed = 0
    for recording in taken.recordings.values():
        ids = [record.tool_call_id for record in recording.records if record.type == "tool_call"]
        assert len(set(ids)) == len(ids)
        renamed += sum("#" in call_id for call_id in ids)
    assert renamed == 73


def test_both_kinds_of_reward_details_are_said() -> None:
    taken = unmapped("tau-bench")
    reasons = Counter(
        re.sub(r"[0-9.]+", "#", record.results[0].reason or "")
        for recording in taken.recordings.values()
        for record in recording.records
        if record.type == "criteria" and record.results
    )
    assert reasons == {
        "reward # (r_actions #)": 182,
        "reward # (r_outputs #, # of # expected outputs missing)": 13,
        "reward # (no details recorded)": 5,
    }


def test_the_runs_of_the_runner_name_target_persona_and_ending() -> None:
    taken = unmapped("tau2-bench-runs")
    plan = taken.plan
    assert sorted((target.label, target.model_id) for target in plan.targets) == [
        ("airline", "openai/gpt-4.1-mini"),
        ("mock", "openai/gpt-4.1-mini"),
        ("retail", "openai/gpt-4.1-mini"),
    ]
    assert {target.kind for target in plan.targets} == {"environment"}
    names = {persona.name for persona in plan.personas}
    assert "Professional and direct communicator" in names
    assert "no persona recorded" in names
    endings = Counter(
        record.end_reason
        for recording in taken.recordings.values()
        for record in recording.records
        if record.type == "session_complete"
    )
    assert endings == {"personaEnded": 14, "turnCap": 2}
    callers = Counter(
        record.caller
        for recording in taken.recordings.values()
        for record in recording.records
        if record.type == "tool_call"
    )
    assert callers == {None: 46, "persona": 1}
    steps = Counter(
        record.finish_reason
        for recording in taken.recordings.values()
        for record in recording.records
        if record.type == "step_finish"
    )
    assert steps == {"stop": 37, "tool_calls": 40}


@pytest.mark.parametrize("source", EXPECTED)
def test_reading_twice_gives_the_same_manifest(source: str) -> None:
    assert take(shared("recordings", source)).manifest == unmapped(source).manifest


@lru_cache
def eval_runs() -> Taken:
    return take(shared("recordings", "mcpchecker-kubernetes"))


def test_eval_runs_hold_what_their_readme_counts() -> None:
    taken = eval_runs()
    counts = taken.counts()
    assert (counts["tool calls"], counts["tool results"], counts["tool errors"]) == (645, 645, 39)
    assert (counts["rewarded"], counts["user turns"]) == (98, 0)
    slots = taken.plan.slots
    assert Counter(slot.recorded for slot in slots) == {True: 106, False: 12}
    assert sorted({slot.session_id.rsplit(".", 1)[1] for slot in slots if not slot.recorded}) == [
        "ahoy",
        "identify-context-for-task",
        "list-contexts",
        "view-current-config",
    ]
    assert taken.manifest.terminal
    assert taken.wave.problems == []


@pytest.mark.parametrize("name", EVAL_FILES)
def test_each_eval_file_holds_what_its_row_says(name: str) -> None:
    sessions, calls, errors, passed, both, broken = EVAL_FILES[name]
    taken = eval_runs()
    of_file = {
        own: recording
        for own, recording in taken.recordings.items()
        if recording.file == name and recording.present
    }
    counts = Taken(taken.wave, {}, of_file, taken.manifest).counts()
    assert (counts["sessions"], counts["tool calls"]) == (sessions, calls)
    assert (counts["tool errors"], counts["rewarded"]) == (errors, passed)
    facts = [derive_session(taken.contexts[own], recording) for own, recording in of_file.items()]
    assert both == sum(
        one.verdict.verdict == "passed" and one.verdict.counts.advisory_failed > 0 for one in facts
    )
    never_ran = sum(one.disposition is Disposition.NOT_RUN for one in facts)
    missed = sum(one.verdict.verdict == "failed" for one in facts)
    assert (never_ran, never_ran + missed) == (1, broken)


def test_the_biggest_eval_session_and_the_tasks_of_all_three_files() -> None:
    taken = eval_runs()
    calls = {
        own: sum(record.type == "tool_call" for record in recording.records)
        for own, recording in taken.recordings.items()
    }
    of_kubevirt = {own: count for own, count in calls.items() if "kubevirt" in own}
    assert max(of_kubevirt.items(), key=lambda item: item[1]) == (
        "builtin-openai-kubevirt-latest.list-images-for-pods",
        32,
    )
    recorded = Counter(
        taken.contexts[own].goal.journey_ref_id
        for own, recording in taken.recordings.items()
        if recording.present
    )
    assert Counter(recorded.values()) == {3: 28, 1: 22}
    plan = taken.plan
    assert [(target.label, target.model_id) for target in plan.targets] == [
        ("kubernetes", "openai:gpt-5")
    ]
    assert sorted(len(catalog.tools) for catalog in plan.catalogs.values()) == [20, 23, 31]
    # 116 calls stand in the agent's own list alone; they are counted and are no calls.
    assert sum(lost.count or 1 for lost in taken.wave.lost if lost.kind == "unmatched") == 116


CTF = ("docent-intercode-ctf", "log.eval")

# File: sessions, messages, tool calls, outcomes.
INSPECT_FILES = {
    "docent-intercode-ctf/log.eval": (15, 332, 121, {True: 9, False: 6}),
    "inspect_ai-test_logs/2025-05-12T20-27-36-04-00_browser.json": (1, 10, 4, {True: 1}),
    "inspect_ai-test_logs/2025-05-12T20-28-13-04-00_popularity.json": (
        3,
        9,
        0,
        {True: 2, False: 1},
    ),
    "inspect_ai-test_logs/2025-05-12T20-28-26-04-00_security-guide.json": (3, 9, 0, {True: 3}),
}


@pytest.mark.parametrize("name", INSPECT_FILES)
def test_each_inspect_log_holds_what_its_row_says(name: str) -> None:
    sessions, messages, calls, outcomes = INSPECT_FILES[name]
    taken = unmapped("inspect-ai")
    of_file = {
        session_id: recording
        for session_id, recording in taken.recordings.items()
        if recording.file == name
    }
    counts = Taken(taken.wave, {}, of_file, taken.manifest).counts()
    assert (counts["sessions"], counts["messages"]) == (sessions, messages)
    assert counts["tool calls"] == calls
    assert outcomes == Counter(
        result.passed
        for recording in of_file.values()
        for record in recording.records
        if record.type == "criteria"
        for result in record.results or ()
    )


def test_the_logs_of_inspect_say_how_calls_failed_and_samples_ended() -> None:
    taken = unmapped("inspect-ai")
    records = [record for one in taken.recordings.values() for record in one.records]
    errors = Counter(
        (record.error or "").partition(":")[0]
        for record in records
        if record.type == "tool_result" and record.is_error
    )
    assert errors == {"timeout": 5, "unicode_decode": 1}
    endings = Counter(record.end_reason for record in records if record.type == "session_complete")
    assert endings == {"unknown": 19, "turnCap": 3}
    usage = [record.usage for record in records if record.type == "step_finish"]
    assert all(one is not None and one.total_tokens for one in usage)
    biggest = max(taken.recordings, key=lambda own: len(taken.recordings[own].records))
    assert biggest.endswith(".86.1")
    assert taken.slot(biggest).message_count == 49
    assert sum(record.type == "message" for record in taken.recordings[biggest].records) == 50
    promised = "samples that the log says were completed, and that it does not hold: 775 of 790"
    assert [one.count for one in taken.wave.lost if one.reason == promised] == [1]


def test_the_tokens_of_each_sample_are_those_that_its_log_sums_up() -> None:
    """What the session's own answers cost is all that a log without graders counts."""
    taken = unmapped("inspect-ai")
    total = sum(
        record.usage.total_tokens or 0
        for recording in taken.recordings.values()
        if recording.file.endswith("log.eval")
        for record in recording.records
        if record.type == "step_finish" and record.usage
    )
    with zipfile.ZipFile(shared("recordings", "inspect-ai", *CTF)) as archive:
        summed = sum(
            usage["total_tokens"]
            for summary in json.loads(archive.read("summaries.json"))
            for usage in summary["model_usage"].values()
        )
    assert total == summed


# File: steps, messages of the history without worked examples.
TRAJECTORIES = {
    "pydicom__pydicom-1458.traj": (12, 25),
    "6e44b9__sweagenttestrepo-1c2844.traj": (5, 10),
    "function_calling__install-1.marshmallow-code__marshmallow-1867.traj": (11, 24),
    "xml_sys-env_cursors_window100.marshmallow-code__marshmallow-1867.traj": (12, 25),
}


def test_each_trajectory_holds_its_steps_and_not_the_worked_example() -> None:
    taken = unmapped("swe-agent")
    assert sorted(taken.recordings) == sorted(TRAJECTORIES)
    for session_id, (steps, history) in TRAJECTORIES.items():
        records = taken.recordings[session_id].records
        assert sum(record.type == "tool_call" for record in records) == steps
        assert sum(record.type == "message" and record.role == "user" for record in records) == 1
        # The last step's output is no message of the history, nor is its answer everywhere.
        messages = sum(record.type == "message" for record in records)
        assert messages - history in (0, 1, 2)
    demonstrations = [one for one in taken.wave.lost if "worked examples" in one.reason]
    assert [(one.place.partition(":")[0], one.count) for one in demonstrations] == [
        ("pydicom__pydicom-1458.traj", 1)
    ]


def test_the_same_issue_in_both_forms_is_one_goal_and_its_cost_of_nothing_is_unknown() -> None:
    taken = unmapped("swe-agent")
    plan = taken.plan
    assert len(plan.goals) == 3
    assert sorted({target.label for target in plan.targets}) == [
        "SWE-agent/test-repo",
        "marshmallow-code/marshmallow",
        "pydicom/pydicom",
    ]
    assert all(
        slot.attempt is not None and slot.attempt.status == "succeeded" for slot in plan.slots
    )
    assert all(run.rubric == [] for run in plan.runs)
    used = {
        session_id: [record.usage for record in recording.records if record.type == "step_finish"]
        for session_id, recording in taken.recordings.items()
    }
    known = {session_id for session_id, usages in used.items() if usages}
    assert known == {"pydicom__pydicom-1458.traj", "6e44b9__sweagenttestrepo-1c2844.traj"}
    errors = {
        record.is_error
        for recording in taken.recordings.values()
        for record in recording.records
        if record.type == "tool_result"
    }
    assert errors == {None}
