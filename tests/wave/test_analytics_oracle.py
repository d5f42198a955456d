"""The published funnel, compared as its own notes say."""

import copy
import json
from typing import Any

import pytest
from shared import shared

from reporter.models.analytics import TimedSpan
from reporter.wave.analytics.document import funnel_problems
from reporter.wave.analytics.funnel import Funnel, funnel_of
from reporter.wave.analytics.inclusion import Reader
from reporter.wave.analytics.measurements import measure, measurements_to_wire
from reporter.wave.analytics.parity import blockers
from reporter.wave.analytics.trials import run_from_wire, signal_from_wire, trial_from_wire

pytestmark = pytest.mark.shared
Json = dict[str, Any]


def text_of(name: str) -> str:
    return shared("oracle", "analytics", name).read_text(encoding="utf-8")


def scenario() -> Json:
    loaded: Json = json.loads(text_of("stage-analytics-golden-input.json"))
    return loaded


def golden() -> Json:
    loaded: Json = json.loads(text_of("stage-analytics-golden.json"))
    return loaded


def folded(raw: Json) -> Funnel:
    reader = Reader(raw["run"]["readerStageAnalyzerVersion"])
    return funnel_of(map(trial_from_wire, raw["trials"]), reader)


def written(raw: Json) -> Json:
    signals = map(signal_from_wire, raw.get("setupSignals", ()))
    return folded(raw).document(run_from_wire(raw["run"]), signals)


def test_the_golden_document_comes_out_byte_for_byte() -> None:
    made = json.dumps(written(scenario()), indent=2, ensure_ascii=False) + "\n"
    assert made == text_of("stage-analytics-golden.json")


def test_the_corpus_is_large_enough_to_mean_something() -> None:
    raw = scenario()
    assert len(raw["trials"]) == 7
    assert len(golden()["slices"]) >= 6


def test_measurements_are_derived_again_from_their_spans() -> None:
    measured = [trial for trial in scenario()["trials"] if "measurements" in trial]
    assert len(measured) == 4
    assert sum("__spans" in trial for trial in measured) >= 1
    for raw in measured:
        spans = [
            TimedSpan(span.get("id", ""), span.get("startedAt"), span.get("endedAt"))
            for span in raw.get("__spans", ())
        ]
        rows = trial_from_wire(raw).stage_results
        assert rows is not None
        version = raw["measurements"]["stageAnalyzerVersion"]
        made = measurements_to_wire(measure(rows, spans, analyzer_version=version))
        assert made == raw["measurements"], raw["trialKey"]


def test_a_corrupted_trial_is_noticed() -> None:
    raw = scenario()
    raw["trials"][0]["stageResults"][2]["state"] = "failed"
    assert written(raw) != golden()


def test_the_golden_document_is_valid_and_blocks_itself_as_provisional() -> None:
    assert funnel_problems(golden(), file="golden.json") == []
    assert blockers(golden(), golden()) == ["provisional"]


@pytest.mark.parametrize(
    "path",
    [
        ("includedTrials",),
        ("slices", 0, "includedTrials"),
        ("slices", 0, "stages", 2, "passed"),
        ("slices", 0, "stages", 2, "reached"),
        ("slices", 0, "stages", 2, "applicable"),
        ("slices", 0, "stages", 2, "latency", "totalMs"),
        ("slices", 0, "stages", 2, "latency", "minMs"),
        ("setup", 0, "serverAttributedFailures"),
        ("setup", 0, "failedAttempts"),
    ],
)
def test_a_sum_that_is_wrong_is_refused(path: tuple[str | int, ...]) -> None:
    raw = golden()
    place: Any = raw
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] += 3
    assert funnel_problems(raw, file="golden.json") != []


@pytest.mark.parametrize("change", ["extra", "second overall", "no overall", "twice a phase"])
def test_a_form_that_is_wrong_is_refused(change: str) -> None:
    raw = golden()
    if change == "extra":
        raw["slices"][0]["more"] = 1
    elif change == "second overall":
        raw["slices"].append(copy.deepcopy(raw["slices"][0]))
    elif change == "no overall":
        raw["slices"] = raw["slices"][1:]
    else:
        raw["setup"].append(copy.deepcopy(raw["setup"][0]))
    assert funnel_problems(raw, file="golden.json") != []


def test_parts_of_the_run_add_up_to_the_whole() -> None:
    raw = scenario()
    first, second = ({**raw, "trials": raw["trials"][at::2]} for at in (0, 1))
    whole = folded(first) + folded(second)
    made = whole.document(
        run_from_wire(raw["run"]), map(signal_from_wire, raw.get("setupSignals", ()))
    )
    # The order of first occurrence is the only thing that may differ.
    assert made == golden()
