"""The published decisions, summaries and refusals, compared as their own notes say."""

import copy
import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from shared import shared

from reporter.wave.decision.decide import decide
from reporter.wave.decision.observation import has_evaluator_error, trial_observation
from reporter.wave.decision.refusal import DecisionRefusedError
from reporter.wave.decision.statistics import decision_statistics, trial_statistics
from reporter.wave.decision.stored import decision_faults
from reporter.wave.decision.summary import summarise
from reporter.wave.decision.summary_faults import summary_faults

pytestmark = pytest.mark.shared
Json = dict[str, Any]
SUMMARIES = "eval-run-decision-summary-fixtures.subset.json"
RUNS = "eval-verdict-run-aggregation-parity-fixtures.subset.json"
POLICY = "eval-verdict-policy-parity-fixtures.subset.json"
ROWS = {
    (SUMMARIES, "cases"): 10,
    (RUNS, "runs"): 10,
    (RUNS, "refusals"): 14,
    (RUNS, "evaluatorErrorSignals"): 17,
    (RUNS, "trialObservations"): 8,
    (POLICY, "accept"): 4,
    (POLICY, "reject"): 5,
    (POLICY, "trialStatistics"): 19,
}
ANALYZER = 11


def bare(value: Any) -> Any:
    """A value without the keys that only annotate it, at every level."""
    if isinstance(value, Mapping):
        return {key: bare(item) for key, item in value.items() if not key.startswith("__")}
    return [bare(item) for item in value] if isinstance(value, list) else value


def rows(file: str, cohort: str) -> list[Json]:
    whole = json.loads(shared("oracle", "decision", file).read_text(encoding="utf-8"))
    found: list[Json] = whole[cohort]
    return found


def each(file: str, cohort: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("at", range(ROWS[file, cohort]))


@pytest.mark.parametrize(("file", "cohort"), ROWS)
def test_no_row_is_skipped(file: str, cohort: str) -> None:
    assert len(rows(file, cohort)) == ROWS[file, cohort]


@each(SUMMARIES, "cases")
def test_a_summary_is_assembled_key_by_key(at: int) -> None:
    case = bare(rows(SUMMARIES, "cases")[at])
    made = summarise(case["input"], known_analyzer=ANALYZER)
    assert json.dumps(made) == json.dumps(case["expected"])
    assert summary_faults(case["expected"]) == []


@each(RUNS, "runs")
def test_a_run_is_decided_with_its_statistics(at: int) -> None:
    case = bare(rows(RUNS, "runs")[at])
    assert decide(case["input"]) == case["expected"]
    assert decision_statistics(case["expected"]) == case["expectedTrialStatistics"]
    assert decision_faults(case["expected"]) == []


@each(RUNS, "refusals")
def test_malformed_evidence_is_refused(at: int) -> None:
    case = bare(rows(RUNS, "refusals")[at])
    with pytest.raises(DecisionRefusedError) as caught:
        decide(case["input"])
    assert case["expectedErrorIncludes"] in str(caught.value)


@each(RUNS, "evaluatorErrorSignals")
def test_a_broken_grading_is_told_from_metadata(at: int) -> None:
    case = bare(rows(RUNS, "evaluatorErrorSignals")[at])
    assert has_evaluator_error(case.get("metadata")) is case["expected"]


@each(RUNS, "trialObservations")
def test_an_iteration_becomes_a_trial(at: int) -> None:
    case = bare(rows(RUNS, "trialObservations")[at])
    if "expectedErrorIncludes" in case:
        with pytest.raises(DecisionRefusedError) as caught:
            trial_observation(case["row"])
        assert case["expectedErrorIncludes"] in str(caught.value)
    else:
        assert trial_observation(case["row"]) == case["expected"]


@each(POLICY, "accept")
def test_an_accepted_decision_is_valid(at: int) -> None:
    assert decision_faults(bare(rows(POLICY, "accept")[at])) == []


@each(POLICY, "reject")
def test_a_refused_decision_is_refused(at: int) -> None:
    row = rows(POLICY, "reject")[at]
    assert decision_faults(bare(row)) != [], row["__label"]


@each(POLICY, "trialStatistics")
def test_statistics_to_the_last_bit(at: int) -> None:
    row = rows(POLICY, "trialStatistics")[at]
    case = bare(row)
    given = case["input"]
    made = trial_statistics(given["eligibleTrials"], given["passedTrials"], given["k"])
    assert made == case["expected"]
    for name, parts in (case.get("handComputed") or {}).items():
        if parts is not None:
            assert made[name] == pytest.approx(float(Fraction(*parts)), abs=1e-12)
    for name, value in (case.get("publishedInterval") or {}).items():
        assert made["passRateInterval"][name] == pytest.approx(value, abs=5e-5)


def test_corrupted_rows_are_noticed() -> None:
    run = bare(rows(RUNS, "runs")[0])
    broken = copy.deepcopy(run["input"])
    broken["cases"][0]["trials"][0]["taskVerdict"] = "failed"
    assert decide(broken) != run["expected"]
    decision = copy.deepcopy(run["expected"])
    decision["cases"][0]["passedTrials"] -= 1
    assert decision_faults(decision) != []
    summary = bare(rows(SUMMARIES, "cases")[0])["expected"]
    summary["counts"]["passed"] += 1
    assert summary_faults(summary) != []
