"""Findings derived twice: by the package, and by a naive reading of the same rules."""

import json
from collections.abc import Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from builders import (
    Json,
    assistant,
    call,
    goal,
    manifest,
    persona,
    result,
    run,
    slot,
    target,
    user,
)
from click.testing import CliRunner
from finding_waves import facts_of, failed_checks, idle, plan_for, reported, signals, some_wave
from hypothesis import given, settings
from hypothesis import strategies as st
from report_waves import NOW
from second_findings import Beside, Recorded, SecondOpinion, dumped, from_folder
from shared import shared
from waves import session_lines, write_folder

from reporter.cli import main
from reporter.derive.facts_json import facts_line
from reporter.findings.build import build_findings
from reporter.findings.projection import dump_document, project
from reporter.models.facts import SessionFacts
from reporter.models.plan import Plan
from reporter.pipeline.derive import derive_wave
from reporter.pipeline.options import Options
from reporter.pipeline.source import open_source
from reporter.vocabulary import Disposition, Signal

EXAMPLE = Path(__file__).parents[2] / "examples" / "lending-desk" / "wave"
TRAITS = {
    "skeptical_airline": ("Skeptical", "airline"),
    "impatience_airline": ("Impatient", "airline"),
    "impatience_retail": ("Impatient", "retail"),
    "skeptical_telecom": ("Skeptical", "telecom"),
    "impatience_telecom": ("Impatient", "telecom"),
    "telecom_none": ("Baseline", "telecom"),
    "skeptical_telehealth": ("Skeptical", "telehealth"),
    "impatience_telehealth": ("Impatient", "telehealth"),
    "telehealth_none": ("Baseline", "telehealth"),
}
REVISION = "1" * 64


def said(document: Any) -> Json:
    """The document with what is optional written out, and through JSON once."""
    whole: Json = json.loads(json.dumps(document))
    for row in whole["findings"]:
        row.setdefault("signal", None)
    return whole


def command(*words: str | Path) -> None:
    outcome = CliRunner().invoke(main, [*map(str, words)])
    assert outcome.exit_code == 0, outcome.output


# Waves on disk, through the commands


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Gives the folder of a native recording: the example's, or that of an imported source."""
    folder = tmp_path_factory.mktemp("imported")

    @cache
    def native_folder(name: str) -> Path:
        if name == "lending-desk":
            return EXAMPLE
        mapping = folder / f"{name}.toml"
        rules = [
            f'[[files]]\nmatch = "{file}.json"\npersona = "{who}"\ntarget = "{where}"\n'
            for file, (who, where) in TRAITS.items()
        ]
        mapping.write_text("".join(rules) if name == "tau-trait" else "", encoding="utf-8")
        command("import", shared("recordings", name), "--output", folder / name, "--map", mapping)
        return folder / name

    return native_folder


@pytest.mark.parametrize(
    ("name", "scan_cap"),
    [
        ("lending-desk", None),
        ("lending-desk", 7),
        ("tau-trait", None),
        ("tau-bench", None),
        ("tau-bench", 90),
        ("tau2-bench-runs", None),
        ("tau2-bench-runs", 0),
    ],
)
def test_recorded_waves_say_the_same_twice(
    native: Any, name: str, scan_cap: int | None, tmp_path: Path
) -> None:
    folder = native(name)
    cap = [] if scan_cap is None else ["--scan-cap", str(scan_cap)]
    facts, findings = tmp_path / "facts.jsonl", tmp_path / "findings.json"
    command("facts", folder, "--output", facts, *cap)
    stamp = ("--generated-at", "1970-01-01T00:00:00Z")
    command("findings", folder, "--output", findings, *stamp, *cap)
    recorded = from_folder(folder, facts.read_text("utf-8"), scan_cap=scan_cap)
    written = findings.read_text("utf-8")
    assert said(json.loads(written)) == said(SecondOpinion(recorded).document())
    assert written == dumped(json.loads(written))


def opinions(folder: Path, scan_cap: int | None = None) -> tuple[Json, Json]:
    """What the package and what the second derivation say of a folder."""
    wave = derive_wave(open_source(folder, Options(scan_cap=scan_cap, jobs=1)), generated_at=NOW)
    facts = "\n".join(facts_line(one) for one in wave.facts)
    stamp = wave.findings.generated_at_ms
    recorded = from_folder(folder, facts, generated_at=stamp, scan_cap=scan_cap)
    second = SecondOpinion(recorded)
    assert wave.left_out == second.kept()[1]
    assert not [broken for broken in wave.violations if broken.checkable]
    return said(wave.document), said(second.document())


ATTEMPTS: Sequence[Json | None] = (
    *[{"status": "succeeded"}] * 9,
    {"status": "failed", "errorCode": "session_failed", "errorMessage": "It broke."},
    {"status": "failed", "errorCode": "canceled"},
    {"status": "rate_limited", "errorCode": "rate_limited"},
    {"status": "rate_limited", "errorCode": "run_timeout"},
    {"status": "rate_limited", "errorCode": "spend_cap_exceeded"},
    {"status": "pending"},
    {"status": "running"},
    None,
)


@st.composite
def some_records(draw: st.DrawFn) -> list[Json]:
    """The records of one session; few of them agree with each other on anything."""
    records: list[Json] = []
    refused: Json = {
        "type": "connection",
        "phase": draw(st.sampled_from(["connect", "initialize", "tools_list"])),
        "outcome": "failed",
        "attributable": draw(st.sampled_from(["server", "network"])),
        "egressVerified": draw(st.booleans()),
    }
    records += [refused] * draw(st.integers(0, 1))
    if draw(st.booleans()):
        tools = [{"name": "find_book"}]
        records.append({"type": "catalog", "tools": tools, "complete": draw(st.booleans())})
    for turn in range(draw(st.sampled_from([1, 2, 0]))):
        records.append(user(turn=turn))
        for number in range(draw(st.integers(0, 2))):
            name = f"c{turn}{number}"
            tool = draw(st.sampled_from(["find_book", "take_book"]))
            records.append(call(name, tool, turn))
            ending: Json = draw(
                st.sampled_from(
                    [{}, {}, {"isError": True}, {"mcpErrorCode": -32602}, {"policyBlocked": True}]
                )
            )
            records.append(result(name, **ending))
        if draw(st.booleans()):
            reason = draw(st.sampled_from(["stop", "length"]))
            records.append(
                {"type": "step_finish", "turnIndex": turn, "stepNumber": 0, "finishReason": reason}
            )
        records += [assistant(turn=turn)] * draw(st.integers(0, 1))
    decided = st.sampled_from([{"passed": True}, {"passed": False}])
    scored = st.sampled_from([{"score": 0.5, "threshold": 0.5}, {}])
    word: Json = draw(st.sampled_from([{"reason": " As   said. "}, {}, {"reason": "x" * 1801}]))
    status = draw(st.sampled_from([*["completed"] * 5, None, "failed", "running"]))
    if status == "completed":
        decision = draw(st.one_of(decided, decided, decided, scored))
        records.append({"type": "goal_judge", "status": status, **decision, **word})
    elif status:
        records.append({"type": "goal_judge", "status": status, **word})
    if draw(st.booleans()):
        results = [
            {"criterionId": name, "passed": bool(draw(st.integers(0, 3))), **more}
            for name in ("k1", "k:2", "k3")
            if (more := draw(st.sampled_from([{}, {}, {}, {"status": "error"}, None]))) is not None
        ]
        records.append({"type": "criteria", "status": "completed", "results": results})
    records.append(
        {
            "type": "grading",
            "state": draw(st.sampled_from(["settled", "settled", "settled", "queued"])),
        }
    )
    if draw(st.booleans()):
        account = draw(st.sampled_from([" ", "It went on. " * 60, "I gave up."]))
        records.append({"type": "self_report", "account": account})
    return records


RUBRIC = [
    {"id": "k1", "role": "required", "predicate": {"type": "responseContains"}},
    {"id": "k:2", "role": "required", "predicate": {"type": "toolCalledAtLeastOnce"}},
    {"id": "k3", "role": "advisory", "predicate": {"type": "noToolErrors"}},
]


@st.composite
def some_manifest(draw: st.DrawFn) -> Json:
    """A plan with equal names, colons in ids, and targets that look alike; slots may be missing."""
    people: list[tuple[str | None, str]] = [(None, "Ana"), ("p:1", "Ana"), ("p", "Ben"), ("q", "")]
    targets = [target("t1"), target("t:1", id="host-t1", label="Host t1"), target("a")][
        : draw(st.integers(1, 3))
    ]
    names = [each["targetId"] for each in targets]
    runs = []
    for name in ["r1", "r", "r:1", "b"][: draw(st.integers(1, 4))]:
        ref, who = draw(st.sampled_from(people))
        runs.append(
            run(
                name,
                draw(st.sampled_from(["g1", "g2"])),
                who,
                draw(st.lists(st.sampled_from(names), min_size=1, unique=True)),
                personaRefId=ref,
                sessionsPerTarget=draw(st.integers(1, 3)),
                rubric=RUBRIC[: draw(st.integers(0, 3))],
                judge={"automatic": draw(st.booleans()), "role": "required"},
                maxTurns=draw(st.sampled_from([None, 1, 5])),
            )
        )
    numbers = count(draw(st.integers(8, 12)))
    slots = [
        slot(
            f"s:{next(numbers)}",
            one["runId"],
            name,
            index,
            attempt=draw(st.sampled_from(ATTEMPTS)),
            **draw(st.sampled_from([{}, {"messageCount": 0}, {"messageCount": 3}])),
        )
        for one in runs
        # A target that is not the run's is a surplus slot: reported, and counted.
        for name in [*one["targetIds"], *names[: draw(st.integers(0, 1))]]
        for index in range(one["sessionsPerTarget"])
        if draw(st.integers(0, 9))
    ]
    places: dict[tuple[str, str, int], Json] = {}
    for one in slots:
        places.setdefault((one["runId"], one["targetId"], one["sessionIndex"]), one)
    return manifest(
        personas=[persona(who, ref) for ref, who in people[: draw(st.integers(1, 4))]],
        goals=[goal("g1"), goal("g2", "Pay a fine")][: draw(st.integers(1, 2))],
        targets=targets,
        runs=runs,
        slots=list(places.values()),
    )


@settings(deadline=None)
@given(data=st.data())
def test_any_recording_says_the_same_twice(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    whole = data.draw(some_manifest())
    sessions = {
        one["sessionId"].replace(":", "%3A"): session_lines(data.draw(some_records()))
        + data.draw(st.sampled_from([*[b""] * 7, b"{broken\n"]))
        for one in whole["slots"]
        if data.draw(st.integers(0, 7)) < 7
    }
    folder = write_folder(tmp_path_factory.mktemp("wave") / "w", whole, sessions)
    first, second = opinions(folder, data.draw(st.sampled_from([None, None, 2])))
    assert first == second


# Facts that no recording needs to hold


def beside(one: SessionFacts) -> Beside:
    return Beside(
        one.failed_required,
        one.has_connection_record,
        one.judge.reason if one.judge else None,
        one.last_assistant_index,
    )


def plan_manifest(plan: Plan) -> Json:
    return {
        key: [one.model_dump(mode="json", by_alias=True) for one in getattr(plan, key)]
        for key in ("personas", "goals", "targets", "runs")
    }


def both(plan: Plan, facts: Sequence[SessionFacts]) -> tuple[Json, Json]:
    findings = build_findings(plan, facts, generated_at_ms=0, source_revision=REVISION)
    document, left_out = project(findings)
    recorded = Recorded(
        plan_manifest(plan),
        [json.loads(facts_line(one)) for one in facts],
        {one.session_id: beside(one) for one in facts},
        REVISION,
    )
    second = SecondOpinion(recorded)
    assert left_out == second.kept()[1]
    assert dump_document(document) == dumped(json.loads(dump_document(document)))
    return said(document), said(second.document())


@settings(deadline=None)
@given(wave=some_wave())
def test_any_facts_say_the_same_twice(wave: tuple[Plan, list[SessionFacts]]) -> None:
    first, second = both(*wave)
    assert first == second


@st.composite
def some_wide_wave(draw: st.DrawFn) -> tuple[Plan, list[SessionFacts]]:
    """A wave of more rows than the wire document has room for, and one crowded cell."""
    kinds = draw(st.lists(st.sampled_from(Disposition), min_size=1, max_size=12))
    wide, crowd = draw(st.integers(60, 130)), draw(st.sampled_from([0, 31, 1001]))
    facts = []
    for number in range(wide + crowd):
        kind = kinds[number % len(kinds)]
        run_id = f"r{number}" if number < wide else "crowd"
        place: dict[str, Any] = {"run_id": run_id, "persona_name": f"P{number % 3}"}
        if run_id == "crowd":
            place["persona_name"] = "P0"
        place["target_id"] = f"t{number % 2}" if number < wide else "t0"
        name = f"s{number:04}"
        if kind is Disposition.NOT_RUN:
            facts.append(idle(name, **place))
            continue
        more = {**signals(*list(Signal)[number % 7 : number % 7 + 1]), **failed_checks("c")}
        facts.append(facts_of(name, kind, **place, **more, **(reported() if number % 2 else {})))
    return plan_for(facts), facts


@settings(deadline=None, max_examples=5)
@given(wave=some_wide_wave())
def test_a_wave_too_wide_for_the_wire_is_cut_the_same_way_twice(
    wave: tuple[Plan, list[SessionFacts]],
) -> None:
    first, second = both(*wave)
    assert first == second


def test_a_changed_session_is_noticed() -> None:
    facts = [facts_of("s1"), facts_of("s2", Disposition.GOAL_MISSED)]
    document, _ = both(plan_for(facts), facts)
    worse = [facts_of("s1", Disposition.GOAL_MISSED), facts[1]]
    _, other = both(plan_for(facts), worse)
    assert document != other
