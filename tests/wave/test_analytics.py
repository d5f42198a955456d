"""The funnel's rules as tables, and what must hold whatever the trials are."""

import json
import math
from dataclasses import replace
from typing import Any

import pytest
from finding_waves import chain, facts_of, idle
from hypothesis import given
from hypothesis import strategies as st

from reporter.models.analytics import (
    Measurements,
    RunIdentity,
    SetupSignal,
    StageMeasurement,
    TimedSpan,
    Trial,
)
from reporter.models.chain import StageEvidence, StageRow
from reporter.models.facts import CallFact
from reporter.vocabulary import (
    AnalyticsDimension,
    CoverageDetailKey,
    ExclusionClass,
    FailureCategory,
    IterationStatus,
    Lifecycle,
    MaterializationState,
    ParityBlocker,
    SessionVerdictReason,
    SetupPhase,
    Stage,
    StageReachState,
    StageReason,
    StageState,
)
from reporter.wave.analytics.counting import STAGES
from reporter.wave.analytics.document import funnel_problems
from reporter.wave.analytics.funnel import Funnel, funnel_of
from reporter.wave.analytics.inclusion import Reader, exclusion_of
from reporter.wave.analytics.measurements import (
    disagreement,
    is_admitted,
    measure,
    measurements_to_wire,
    read_measurements,
    union_length,
)
from reporter.wave.analytics.parity import blockers
from reporter.wave.analytics.rates import (
    mean_latency_ms,
    measured_pass_rate,
    measurement_coverage,
    rate,
    reach_rate,
)
from reporter.wave.analytics.setup import setup_rows
from reporter.wave.trials import READER, trial_of, wave_funnel

NOW_READER = Reader(11)
RUN = RunIdentity("run", "suite", MaterializationState.FINAL, 10, 11)
PASSED = tuple(StageRow(stage, StageState.PASSED) for stage in Stage)


def trial(key: str = "a", **more: Any) -> Trial:
    rows = more.pop("rows", PASSED)
    fields: dict[str, Any] = {
        "status": "completed",
        "stage_results": rows,
        "stage_analyzer_version": 11,
        "chain_verified": True,
        "measurements": measure(rows, (), analyzer_version=11),
        "measurements_verified": True,
        **more,
    }
    return Trial(key, **fields)


@pytest.mark.parametrize(
    ("state", "reach", "admitted"),
    [
        (StageState.PASSED, StageReachState.REACHED, True),
        (StageState.PASSED, StageReachState.UNKNOWN, False),
        (StageState.FAILED, StageReachState.REACHED, True),
        (StageState.NOT_REACHED, StageReachState.NOT_REACHED, True),
        (StageState.NOT_REACHED, StageReachState.REACHED, False),
        (StageState.NOT_APPLICABLE, StageReachState.NOT_APPLICABLE, True),
        (StageState.NOT_MEASURED, StageReachState.UNKNOWN, True),
        (StageState.NOT_MEASURED, StageReachState.REACHED, True),
        (StageState.NOT_MEASURED, StageReachState.NOT_REACHED, False),
    ],
)
def test_which_reach_a_state_admits(
    state: StageState, reach: StageReachState, *, admitted: bool
) -> None:
    assert is_admitted(state, reach) is admitted


@pytest.mark.parametrize(
    ("intervals", "length"),
    [
        ([], None),
        ([(0, 500), (250, 800)], 800),
        ([(0, 5), (5, 9)], 9),
        ([(0, 5), (7, 9)], 7),
        ([(3, 3)], 0),
        ([(5, 3)], None),
        ([(0, math.inf)], None),
        ([(math.nan, 4), (1, 2)], 1),
        ([(0, 10), (2, 3)], 10),
    ],
)
def test_the_length_of_a_union(intervals: list[tuple[float, float]], length: float | None) -> None:
    assert union_length(intervals) == length


def test_only_cited_spans_of_three_stages_give_a_latency() -> None:
    cited = StageEvidence(span_ids=("s", "gone", "open"))
    rows = tuple(StageRow(stage, StageState.PASSED, evidence=cited) for stage in Stage)
    spans = [TimedSpan("s", 1, 4), TimedSpan("", 0, 9), TimedSpan("open", 0, None)]
    found = {row.stage: row.latency_ms for row in measure(rows, spans, analyzer_version=1).rows}
    assert [stage for stage, value in found.items() if value == 3] == [
        Stage.SELECTION,
        Stage.CALL,
        Stage.RESPONSE,
    ]


def test_a_later_span_of_one_id_counts() -> None:
    rows = (StageRow(Stage.CALL, StageState.PASSED, evidence=StageEvidence(span_ids=("s",))),)
    spans = [TimedSpan("s", 0, 9), TimedSpan("s", 0, 2)]
    assert measure(rows, spans, analyzer_version=1).rows[3].latency_ms == 2


def test_what_was_not_measured_but_cites_a_span_was_reached() -> None:
    cited = StageEvidence(span_ids=("s",))
    rows = (StageRow(Stage.SELECTION, StageState.NOT_MEASURED, evidence=cited),)
    reach = [row.reach for row in measure(rows, [TimedSpan("s")], analyzer_version=1).rows]
    assert reach[2] is StageReachState.REACHED
    assert {reach[0], reach[1], *reach[3:]} == {StageReachState.UNKNOWN}


WIRE = measurements_to_wire(measure(PASSED, (), analyzer_version=3))


def changed(change: str) -> Any:
    raw = json.loads(json.dumps(WIRE))
    rows, ms = raw["rows"], {"unit": "ms", "basis": "evidence_span_union", "value": 1}
    edits: dict[str, Any] = {
        "no object": list,
        "extra key": lambda: raw | {"more": 1},
        "five rows": lambda: raw | {"rows": rows[:5]},
        "out of order": lambda: raw | {"rows": [rows[1], rows[0], *rows[2:]]},
        "no version": lambda: raw | {"stageAnalyzerVersion": True},
        "newer form": lambda: raw | {"schemaVersion": 2},
        "latency elsewhere": lambda: raw | {"rows": [rows[0] | {"latency": ms}, *rows[1:]]},
        "latency not reached": lambda: (
            raw | {"rows": [*rows[:3], rows[3] | {"reach": "unknown", "latency": ms}, *rows[4:]]}
        ),
        "negative": lambda: (
            raw | {"rows": [*rows[:3], rows[3] | {"latency": ms | {"value": -1}}, *rows[4:]]}
        ),
        "endless": lambda: (
            raw | {"rows": [*rows[:3], rows[3] | {"latency": ms | {"value": math.inf}}, *rows[4:]]}
        ),
        "other basis": lambda: (
            raw | {"rows": [*rows[:3], rows[3] | {"latency": ms | {"basis": "x"}}, *rows[4:]]}
        ),
        "half a latency": lambda: (
            raw | {"rows": [*rows[:3], rows[3] | {"latency": {"value": 1}}, *rows[4:]]}
        ),
        "unknown reach": lambda: raw | {"rows": [rows[0] | {"reach": "far"}, *rows[1:]]},
        "row with more": lambda: raw | {"rows": [rows[0] | {"x": 1}, *rows[1:]]},
    }
    return edits[change]()


@pytest.mark.parametrize(
    "change",
    [
        "no object",
        "extra key",
        "five rows",
        "out of order",
        "no version",
        "newer form",
        "latency elsewhere",
        "latency not reached",
        "negative",
        "endless",
        "other basis",
        "half a latency",
        "unknown reach",
        "row with more",
    ],
)
def test_measurements_that_are_refused(change: str) -> None:
    assert isinstance(read_measurements(changed(change)), str)


def test_measurements_are_read_as_they_are_written() -> None:
    made = measure(
        (StageRow(Stage.CALL, StageState.PASSED, evidence=StageEvidence(span_ids=("s",))),),
        [TimedSpan("s", 0, 2.5)],
        analyzer_version=3,
    )
    assert read_measurements(measurements_to_wire(made)) == made


def test_measurements_disagree_with_a_chain_by_version_place_or_state() -> None:
    made = measure(PASSED, (), analyzer_version=3)
    assert disagreement(made, PASSED, 3) is None
    assert "version" in (disagreement(made, PASSED, 4) or "")
    assert "place" in (disagreement(made, PASSED[1:], 3) or "")
    other = (replace(PASSED[0], state=StageState.NOT_REACHED), *PASSED[1:])
    assert "connection" in (disagreement(made, other, 3) or "")
    assert disagreement(Measurements(made.rows[:3], 3), PASSED, 3) is not None


LEFT_OUT: list[tuple[dict[str, Any], str, str]] = [
    ({"evaluator_errored": True, "status": "pending"}, "lifecycle", "evaluatorError"),
    ({"status": "pending"}, "lifecycle", "notTerminal"),
    ({"status": "running"}, "lifecycle", "notTerminal"),
    ({"status": "skipped"}, "lifecycle", "skipped"),
    ({"status": "cancelled"}, "lifecycle", "cancelled"),
    ({"status": "setup_failed"}, "lifecycle", "setupFailed"),
    ({"status": "timed_out"}, "lifecycle", "timedOut"),
    ({"status": "exploded"}, "lifecycle", "executionFailed"),
    ({"stage_analyzer_version": 12, "stage_results": None}, "version", "chainVersionAhead"),
    (
        {"measurements": Measurements((), 11, 2), "stage_results": None},
        "version",
        "measurementsVersionAhead",
    ),
    (
        {"stage_analyzer_version": None, "measurements": Measurements((), 12)},
        "version",
        "chainVersionAhead",
    ),
    ({"stage_results": None}, "integrity", "chainMissing"),
    ({"stage_results": ()}, "integrity", "chainMissing"),
    ({"chain_verified": False}, "integrity", "chainUnverified"),
    ({"measurements": None}, "integrity", "measurementsMissing"),
    ({"measurements_verified": False}, "integrity", "measurementsInvalid"),
    ({"stage_analyzer_version": 10}, "integrity", "analyzerMismatch"),
]


@pytest.mark.parametrize(("changes", "kind", "detail"), LEFT_OUT)
def test_why_a_trial_is_left_out(changes: dict[str, Any], kind: str, detail: str) -> None:
    found = exclusion_of(trial(**changes), NOW_READER)
    assert found is not None
    assert (found.kind, found.detail) == (kind, detail)


@pytest.mark.parametrize("changes", [{}, {"status": "failed"}, {"stage_analyzer_version": None}])
def test_which_trials_are_counted(changes: dict[str, Any]) -> None:
    assert exclusion_of(trial(**changes), NOW_READER) is None


def test_older_versions_are_counted_and_named() -> None:
    old = trial(
        "b",
        stage_analyzer_version=7,
        measurements=measure(PASSED, (), analyzer_version=7),
    )
    made = funnel_of([trial(), old], NOW_READER).document(RUN)
    assert made["stageAnalyzerVersion"] == 11
    assert made["sourceStageAnalyzerVersions"] == [7, 11]
    assert "sourceMeasurementsSchemaVersions" not in made
    assert blockers(made, made)[-1] is ParityBlocker.MIXED_SOURCE_VERSIONS


def test_an_empty_run_has_one_slice_and_the_readers_versions() -> None:
    made = funnel_of([], NOW_READER).document(RUN)
    assert [one["slice"] for one in made["slices"]] == [{"dimension": "overall"}]
    assert (made["stageAnalyzerVersion"], made["totalTrials"]) == (11, 0)
    assert funnel_problems(made, file="made.json") == []


def test_blank_intents_are_none_and_sort_last() -> None:
    intents = [None, " ", "zebra", " ape ", "\uffff"]
    made = funnel_of([trial(str(at), intent=one) for at, one in enumerate(intents)], NOW_READER)
    found = [one["slice"]["intent"] for one in made.document(RUN)["slices"][1:]]
    assert found == ["ape", "zebra", "\uffff", None]


def test_no_slice_is_invented_for_what_is_not_known() -> None:
    made = funnel_of([trial(provider="p"), trial("b", host_name="H")], NOW_READER).document(RUN)
    assert {one["slice"]["dimension"] for one in made["slices"]} == {"overall", "intent"}
    whole = funnel_of([trial(provider="p", model="m", host_key="h")], NOW_READER).document(RUN)
    assert [one["slice"]["dimension"] for one in whole["slices"]] == list(AnalyticsDimension)


def test_models_sort_by_their_json_text() -> None:
    made = funnel_of(
        [trial("1", provider="p", model="a"), trial("2", provider="p", model="a b")], NOW_READER
    ).document(RUN)
    models = [one["slice"]["model"] for one in made["slices"] if "model" in one["slice"]]
    assert models == ["a b", "a"]


def test_a_host_keeps_the_name_of_the_first_trial_that_made_it() -> None:
    trials = [
        trial("1", host_key="h", host_name="First", execution_engine="e"),
        trial("2", host_key="h", host_name="Second"),
    ]
    slices = funnel_of(trials, NOW_READER).document(RUN)["slices"]
    assert slices[-1]["slice"] == {
        "dimension": "host",
        "hostKey": "h",
        "hostName": "First",
        "executionEngine": "e",
    }


def test_over_a_cap_the_most_counted_stay_and_the_rest_are_said() -> None:
    trials = [trial(f"{at}", intent=f"i{at:03}") for at in range(52)]
    trials += [trial("more", intent="i051")]
    made = funnel_of(trials, NOW_READER).document(RUN)
    kept = [one["slice"]["intent"] for one in made["slices"] if "intent" in one["slice"]]
    assert kept == [f"i{at:03}" for at in range(49)] + ["i051"]
    assert made["sliceTruncation"] == [
        {"dimension": "intent", "distinctValues": 52, "retained": 50}
    ]


def test_a_trial_that_is_left_out_touches_no_stage() -> None:
    made = funnel_of([trial(status="skipped", intent="i")], NOW_READER)
    assert made.overall.stages[0].applicable == 0
    document = made.document(RUN)
    assert [one["excludedTrials"] for one in document["slices"]] == [{"lifecycle": 1}] * 2
    assert document["excludedTrialDetail"] == {"skipped": 1}


def test_reasons_and_categories_are_counted_in_the_order_of_the_vocabulary() -> None:
    first, last = next(iter(StageReason)), list(StageReason)[-1]
    category = next(iter(FailureCategory))
    broken = StageRow(Stage.USER_VALUE, StageState.FAILED, last)
    rows = (StageRow(Stage.CONNECTION, StageState.PASSED, first), *PASSED[1:5], broken)
    trials = [trial(str(at), rows=rows, failure_category=category) for at in (1, 2)]
    overall = funnel_of(trials, NOW_READER).document(RUN)["slices"][0]
    assert overall["stages"][0]["reasons"] == [{"reason": first.value, "count": 2}]
    assert overall["stages"][5]["reasons"] == [{"reason": last.value, "count": 2}]
    assert overall["failureCategories"] == [{"category": category.value, "count": 2}]


def test_a_row_that_is_not_in_its_place_is_not_counted() -> None:
    rows = (PASSED[1], PASSED[0], *PASSED[2:])
    funnel = funnel_of(
        [trial(rows=rows, measurements=measure(PASSED, (), analyzer_version=11))], NOW_READER
    )
    assert [tally.applicable for tally in funnel.overall.stages] == [0, 0, 1, 1, 1, 1]


def test_a_measurement_that_its_state_does_not_admit_gives_way_to_the_state() -> None:
    odd = Measurements(
        tuple(StageMeasurement(stage, StageReachState.NOT_REACHED) for stage in Stage), 11
    )
    funnel = funnel_of([trial(measurements=odd)], NOW_READER)
    assert all(tally.reached == 1 for tally in funnel.overall.stages)


def signal(**more: Any) -> SetupSignal:
    return SetupSignal(**{"phase": "connection", "outcome": "failed", **more})


THEIRS = {"attribution": "theirs", "egress_verified": True}


@pytest.mark.parametrize(
    ("copies", "failed", "theirs", "impacted"),
    [
        ([signal(**THEIRS, trial_key="a"), signal(**THEIRS, trial_key="b")], 1, 1, 2),
        ([signal(**THEIRS), signal(attribution="ours", egress_verified=True)], 1, 0, 0),
        ([signal(**THEIRS), signal(egress_verified=True)], 1, 0, 0),
        ([signal(attribution="theirs")], 1, 0, 0),
        ([signal(**THEIRS, trial_key="a"), signal(outcome="ok", trial_key="b")], 1, 1, 1),
        ([signal(outcome="ok")], 0, 0, 0),
    ],
)
def test_copies_of_one_attempt_are_one_attempt(
    copies: list[SetupSignal], failed: int, theirs: int, impacted: int
) -> None:
    for order in (copies, copies[::-1]):
        (row,) = setup_rows(order)
        assert row["uniqueAttempts"] == 1
        assert (
            row["failedAttempts"],
            row["serverAttributedFailures"],
            row["impactedTrials"],
        ) == (failed, theirs, impacted)


@pytest.mark.parametrize(
    ("durations", "sample"),
    [([5, 5], 5), ([5, 6], None), ([None], None), ([-1, 4], 4), ([math.nan, 4], 4)],
)
def test_a_duration_counts_when_the_usable_copies_agree(
    durations: list[float | None], sample: float | None
) -> None:
    (row,) = setup_rows([signal(duration_ms=one) for one in durations])
    assert row.get("latency", {}).get("totalMs") == sample


def test_connection_comes_first_and_other_phases_are_ignored() -> None:
    rows = setup_rows([signal(phase="discovery"), signal(), signal(phase="elsewhere")])
    assert [row["phase"] for row in rows] == [phase.value for phase in SetupPhase]


@pytest.mark.parametrize(
    ("numerator", "denominator"), [(1, 0), (-1, 2), (3, 2), (0.5, 2), (1, 2.0), (True, 2)]
)
def test_what_is_no_rate_is_not_measured(numerator: float, denominator: float) -> None:
    found = rate(numerator, denominator, {ExclusionClass.NOT_MEASURED: 1})
    assert (found.state, found.value, found.numerator, found.denominator) == (
        "notMeasured",
        None,
        0,
        0,
    )
    assert found.exclusions == {ExclusionClass.NOT_MEASURED: 1}


def test_rates_carry_what_they_leave_out() -> None:
    mixed = [
        trial("1"),
        trial("2", rows=(StageRow(Stage.CONNECTION, StageState.NOT_MEASURED), *PASSED[1:])),
        trial("3", rows=(StageRow(Stage.CONNECTION, StageState.NOT_APPLICABLE), *PASSED[1:])),
        trial("4", rows=(StageRow(Stage.CONNECTION, StageState.FAILED), *PASSED[1:])),
    ]
    tally = funnel_of(mixed, NOW_READER).overall.stages[0]
    reach, coverage, passes = (
        reach_rate(tally),
        measurement_coverage(tally),
        measured_pass_rate(tally),
    )
    assert (reach.numerator, reach.denominator) == (2, 2)
    assert reach.exclusions == {
        ExclusionClass.NOT_APPLICABLE: 1,
        ExclusionClass.REACH_UNKNOWN: 1,
    }
    assert (coverage.numerator, coverage.denominator) == (2, 2)
    assert passes.value == 1 / 2
    assert mean_latency_ms(tally.latency) is None


BLOCKED: list[tuple[dict[str, Any], dict[str, Any], list[str]]] = [
    ({}, {}, []),
    ({"runGroupId": None}, {}, ["missingRunGroup"]),
    ({"runGroupId": "x"}, {}, ["differentRunGroup"]),
    ({"configRevision": None}, {"configRevision": None}, ["missingConfigIdentity"]),
    ({"configRevision": "x"}, {}, ["differentConfigIdentity"]),
    ({"caseSetFingerprint": None}, {}, ["missingCaseSetIdentity"]),
    ({"caseSetFingerprint": "x"}, {}, ["differentCaseSetIdentity"]),
    ({"stageAnalyzerVersion": 3}, {}, ["differentAnalyzerVersion"]),
    ({"measurementsSchemaVersion": 3}, {}, ["differentMeasurementsVersion"]),
    ({"measurementUnit": "x"}, {}, ["differentMeasurementUnit"]),
    ({"sourceStageAnalyzerVersions": [1, 2]}, {}, ["mixedSourceVersions"]),
    ({}, {"materializationState": "provisional"}, ["provisional"]),
    (
        {
            "runGroupId": None,
            "sourceMeasurementsSchemaVersions": [1, 2],
            "measurementUnit": "x",
        },
        {"materializationState": "provisional"},
        ["missingRunGroup", "mixedSourceVersions", "differentMeasurementUnit", "provisional"],
    ),
]


@pytest.mark.parametrize(("left", "right", "found"), BLOCKED)
def test_what_keeps_two_funnels_from_being_compared(
    left: dict[str, Any], right: dict[str, Any], found: list[str]
) -> None:
    run = replace(RUN, run_group_id="g", config_revision="c", case_set_fingerprint="s")
    made = funnel_of([trial()], NOW_READER).document(run)
    assert blockers(made | left, made | right) == found


def test_every_word_of_a_funnel_is_produced() -> None:
    assert {detail for _, _, detail in LEFT_OUT} == set(CoverageDetailKey)
    assert {blocker for _, _, found in BLOCKED for blocker in found} == set(ParityBlocker)
    rows = tuple(
        StageRow(stage, state)
        for stage, state in zip(Stage, [*StageState, StageState.PASSED], strict=True)
    )
    cited = StageEvidence(span_ids=("s",))
    blank = tuple(StageRow(stage, StageState.NOT_MEASURED, evidence=cited) for stage in Stage)
    reached = measure(blank, [TimedSpan("s")], analyzer_version=11)
    reaches_found = {row.reach for row in measure(rows, (), analyzer_version=11).rows}
    assert reaches_found == set(StageReachState)
    trials = [trial(rows=rows), trial("b", rows=blank, measurements=reached)]
    trials += [trial(str(at), **changes) for at, (changes, _, _) in enumerate(LEFT_OUT)]
    whole = funnel_of(trials, NOW_READER)
    inside = {kind for tally in whole.overall.stages for kind in tally.excluded}
    assert inside | set(whole.excluded) == set(ExclusionClass)
    assert inside.isdisjoint(whole.excluded)
    named = funnel_of([trial(provider="p", model="m", host_key="h")], NOW_READER)
    assert {key.dimension for key in named.slices} == set(AnalyticsDimension)
    for state in MaterializationState:
        made = whole.document(replace(RUN, materialization_state=state))
        assert funnel_problems(made, file="made.json") == []


@pytest.mark.parametrize(
    ("facts", "detail"),
    [
        (idle("a", Lifecycle.PENDING), CoverageDetailKey.NOT_TERMINAL),
        (idle("a", Lifecycle.RUNNING), CoverageDetailKey.NOT_TERMINAL),
        (idle("a", Lifecycle.WITHDRAWN), CoverageDetailKey.CANCELLED),
        (idle("a", Lifecycle.LIMITED), CoverageDetailKey.SETUP_FAILED),
        (idle("a", Lifecycle.BROKE), CoverageDetailKey.SETUP_FAILED),
        (idle("a", Lifecycle.RAN), CoverageDetailKey.CHAIN_MISSING),
        (facts_of("a", lifecycle=Lifecycle.WITHDRAWN), CoverageDetailKey.CANCELLED),
        (facts_of("a", lifecycle=Lifecycle.RUNNING), CoverageDetailKey.NOT_TERMINAL),
        (
            facts_of("a", reason=SessionVerdictReason.JUDGE_ERRORED),
            CoverageDetailKey.EVALUATOR_ERROR,
        ),
        (facts_of("a"), None),
        (facts_of("a", lifecycle=Lifecycle.BROKE), None),
        (facts_of("a", lifecycle=Lifecycle.LIMITED), None),
    ],
)
def test_which_sessions_of_a_wave_are_counted(facts: Any, detail: CoverageDetailKey | None) -> None:
    found = exclusion_of(trial_of(facts), READER)
    assert (found.detail if found else None) is detail


def test_every_status_has_a_place() -> None:
    for status in IterationStatus:
        found = exclusion_of(trial(status=status.value), NOW_READER)
        assert (found is None) is (status.value in ("completed", "failed"))


def test_a_call_that_a_stage_cites_shows_that_it_was_reached() -> None:
    cited = StageRow(
        Stage.SELECTION, StageState.NOT_MEASURED, evidence=StageEvidence(span_ids=("c1",))
    )
    rows = chain(passed=[Stage.USER_VALUE])
    made = replace(
        rows, rows=tuple(cited if row.stage is Stage.SELECTION else row for row in rows.rows)
    )
    called = facts_of("a", chain=made, tool_calls=(CallFact("c1", "find", 0),))
    silent = facts_of("b", chain=made)
    tally = wave_funnel([called, silent]).overall.stages[2]
    assert (tally.reached, tally.not_measured, tally.reach_unknown) == (1, 1, 1)


def test_calls_that_ran_side_by_side_take_their_time_once() -> None:
    cited = StageRow(Stage.CALL, StageState.PASSED, evidence=StageEvidence(span_ids=("a", "b")))
    rows = chain(passed=[Stage.CALL])
    made = replace(rows, rows=tuple(cited if r.stage is Stage.CALL else r for r in rows.rows))
    beside = (
        CallFact("a", "find", 0, started_at=100, ended_at=200),
        CallFact("b", "find", 0, started_at=150, ended_at=250),
    )
    untimed = (CallFact("a", "find", 0, started_at=100), CallFact("b", "find", 0))
    timed = facts_of("s", chain=made, tool_calls=beside)
    silent = facts_of("t", chain=made, tool_calls=untimed)
    latency = wave_funnel([timed, silent]).overall.stages[3].latency
    assert (latency.samples, latency.total) == (1, 150)


states = st.sampled_from(list(StageState))
reaches = st.sampled_from(list(StageReachState))


@st.composite
def some_trial(draw: st.DrawFn) -> Trial:
    rows = tuple(StageRow(stage, draw(states)) for stage in Stage)
    latency = st.none() | st.floats(0, 1e6)
    measured = Measurements(
        tuple(StageMeasurement(stage, draw(reaches), draw(latency)) for stage in Stage), 11
    )
    return trial(
        draw(st.text(max_size=4)),
        rows=rows,
        measurements=draw(st.none() | st.just(measured)),
        status=draw(st.sampled_from(["completed", "failed", "pending", "x"])),
        intent=draw(st.none() | st.text(max_size=3)),
        host_key=draw(st.none() | st.text(max_size=2)),
        failure_category=draw(st.none() | st.sampled_from(list(FailureCategory))),
        chain_verified=draw(st.booleans()),
    )


def counts(funnel: Funnel) -> dict[str, Any]:
    made = funnel.document(RUN)
    # Sums of fractions depend on their order in the last digit; everything else must not.
    for one in made["slices"]:
        for stage in one["stages"]:
            if "latency" in stage:
                stage["latency"]["totalMs"] = round(stage["latency"]["totalMs"], 3)
        one["slice"].pop("hostName", None)
    return made


@given(st.lists(some_trial(), max_size=12), st.integers(0, 12), st.randoms())
def test_the_order_and_the_parts_of_a_run_never_matter(
    trials: list[Trial], cut: int, random: Any
) -> None:
    whole = counts(funnel_of(trials, NOW_READER))
    mixed = list(trials)
    random.shuffle(mixed)
    parts = funnel_of(mixed[:cut], NOW_READER) + funnel_of(mixed[cut:], NOW_READER)
    assert counts(parts) == whole
    assert funnel_problems(parts.document(RUN), file="made.json") == []


@given(st.lists(some_trial(), max_size=12))
def test_every_count_adds_up(trials: list[Trial]) -> None:
    funnel = funnel_of(trials, NOW_READER)
    assert funnel.included + sum(funnel.excluded.values()) == funnel.total == len(trials)
    assert sum(funnel.detail.values()) == sum(funnel.excluded.values())
    for tally in funnel.overall.stages:
        assert tally.passed + tally.failed == tally.measured
        assert tally.measured + tally.not_measured == tally.reached
        assert tally.reached + tally.not_reached + tally.reach_unknown == tally.applicable
        assert tally.applicable + tally.not_applicable == funnel.included
        assert tally.latency.samples <= tally.reached
    assert len(funnel.overall.stages) == len(STAGES)
