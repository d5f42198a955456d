"""Published decisions and funnels: each number that differs from what is counted is named."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from builders import Json, assistant, call, manifest, result, run, slot, user
from report_waves import NOW, page_of
from waves import session_lines, write_folder

from reporter.models.wave import DerivedWave
from reporter.pipeline.derive import derive_wave
from reporter.pipeline.funnel import funnel_document
from reporter.pipeline.options import Options
from reporter.pipeline.source import open_source
from reporter.wave.decision.decide import decide
from reporter.wave.decision.policy import DEFAULT_POLICY
from reporter.wave.published import differences, target_case

JUDGED = {"type": "goal_judge", "status": "completed", "passed": True}
MISSED = {**JUDGED, "passed": False}
POLICY = {"judge": {"automatic": True, "role": "required"}}


def derived(tmp_path: Path, published: Json | None = None) -> DerivedWave:
    """A wave of one run of two sessions: one met its goal, the other did not."""
    more: Json = {} if published is None else {"published": published}
    whole = manifest(
        runs=[run(sessionsPerTarget=2)],
        slots=[slot("s1"), slot("s2", index=1)],
        policy=POLICY,
        **more,
    )
    talk = (user(), call(), result(), assistant())
    sessions = {
        "s1": session_lines((*talk, JUDGED)),
        "s2": session_lines((*talk, MISSED)),
    }
    name = f"wave{len(list(tmp_path.iterdir()))}"
    folder = write_folder(tmp_path / name, whole, sessions)
    return derive_wave(open_source(folder, Options()), generated_at=NOW)


def said(wave: DerivedWave) -> dict[str, str]:
    return {
        one.place: one.what
        for one in wave.problems
        if one.rule in ("published-decision-differs", "published-funnel-differs")
    }


def decision(*verdicts: str, threshold: float = 0.5, target: str = "t1") -> Json:
    trials = [{"status": "completed", "taskVerdict": verdict} for verdict in verdicts]
    case = {
        "caseId": target_case(target),
        "configuredTrials": len(trials),
        "effectivePassThreshold": threshold,
        "trials": trials,
    }
    return {
        "runId": "r1",
        "status": "decided",
        **decide({"policy": DEFAULT_POLICY, "cases": [case]}),
    }


def test_a_decision_that_agrees_is_not_mentioned(tmp_path: Path) -> None:
    assert said(derived(tmp_path, {"decision": [decision("passed", "failed")]})) == {}
    assert said(derived(tmp_path, {"decision": decision("failed", "passed")})) == {}
    assert said(derived(tmp_path)) == {}


def test_each_number_of_a_decision_that_differs_is_named(tmp_path: Path) -> None:
    wave = derived(tmp_path, {"decision": [decision("failed", "failed")]})
    found = said(wave)
    case = f"published.decision[0].cases[{target_case('t1')}]"
    assert found["published.decision[0].verdict"] == (
        'verdict: published is "failed", counted here "passed".'
    )
    assert found[f"{case}.passedTrials"] == (
        'Target "t1", passedTrials: published is 0, counted here 1.'
    )
    assert found[f"{case}.passRate.value"] == (
        'Target "t1", passRate.value: published is 0.0, counted here 0.5.'
    )
    assert found[f"{case}.mixedVerdict"] == (
        'Target "t1", mixedVerdict: published is false, counted here true.'
    )
    assert "published.decision[0].validity.completionRate" not in found
    # What was published is shown as it is, and the difference stands in Integrity.
    page = page_of(wave)
    assert "0 of 2 graded trials" in page
    assert f"cases[{target_case('t1')}].passedTrials" in page


@pytest.mark.parametrize(
    ("change", "place", "words"),
    [
        ({"runId": "r9"}, "runId", 'no run "r9"'),
        ({"cases": "other"}, "cases", "no target of the run on record"),
    ],
)
def test_what_cannot_be_compared_is_said_once(
    tmp_path: Path, change: Json, place: str, words: str
) -> None:
    told = decision("passed", "failed", target="t9" if "cases" in change else "t1")
    told |= {key: item for key, item in change.items() if key != "cases"}
    found = said(derived(tmp_path, {"decision": [told]}))
    assert list(found) == [f"published.decision[0].{place}"]
    assert words in found[f"published.decision[0].{place}"]


def test_a_decision_that_contradicts_itself_is_not_compared(tmp_path: Path) -> None:
    broken = decision("passed", "failed")
    broken["cases"][0]["passedTrials"] = 2
    assert said(derived(tmp_path, {"decision": [broken]})) == {}


def test_counts_of_a_threshold_over_trials_are_compared(tmp_path: Path) -> None:
    summary = {
        "runId": "r1",
        "verdict": "passed",
        "verdictSource": "legacy",
        "counts": {"measurementUnit": "trial", "total": 2, "passed": 2},
        "diagnostics": {"items": [], "complete": True, "scannedIterations": 2},
    }
    found = said(derived(tmp_path, {"decision": [summary]}))
    assert found == {
        "published.decision[0].counts.passed": "counts.passed: published is 2, counted here 1."
    }


def funnel(tmp_path: Path) -> Json:
    return funnel_document(derived(tmp_path), generated_at=NOW)


@pytest.mark.parametrize("run_id", ["wave-1", "r1"])
def test_a_funnel_that_agrees_is_not_mentioned(tmp_path: Path, run_id: str) -> None:
    told = {**funnel(tmp_path), "runId": run_id, "createdAt": 7}
    assert said(derived(tmp_path, {"analytics": told})) == {}


def test_each_number_of_a_funnel_that_differs_is_named(tmp_path: Path) -> None:
    told = funnel(tmp_path)
    for row in told["slices"]:
        row["stages"][5] |= {"passed": 2, "failed": 0}
    told["slices"].append(
        {**copy.deepcopy(told["slices"][1]), "slice": {"dimension": "intent", "intent": "Another"}}
    )
    found = said(derived(tmp_path, {"analytics": [told]}))
    assert found["published.analytics[0].slices[overall].stages[userValue].passed"] == (
        "passed: published is 2, counted here 1."
    )
    assert found["published.analytics[0].slices[intent 'Another']"] == (
        "intent 'Another': published is includedTrials 2, and nothing is counted here."
    )
    assert not any("selection" in place for place in found)


def test_a_funnel_of_another_run_or_with_wrong_sums_is_not_compared(tmp_path: Path) -> None:
    told = funnel(tmp_path)
    found = said(derived(tmp_path, {"analytics": {**told, "runId": "elsewhere"}}))
    assert list(found) == ["published.analytics.runId"]
    broken = copy.deepcopy(told)
    broken["slices"][0]["stages"][5]["measured"] = 9
    (what,) = said(derived(tmp_path, {"analytics": broken})).values()
    assert "does not stand up to checking" in what


@pytest.mark.parametrize("junk", [3, "x", [], [3], {}, {"verdict": "passed"}, [{"runId": 5}], None])
def test_whatever_is_published_stops_no_report(tmp_path: Path, junk: Any) -> None:
    wave = derived(tmp_path, {"decision": junk, "analytics": junk})
    assert len(wave.facts) == 2


def test_rows_are_told_by_what_they_are_of_and_not_by_their_place() -> None:
    left = [{"reason": "a", "count": 1}, {"reason": "b", "count": 2}]
    assert list(differences(left, list(reversed(left)))) == []
    ((place, what),) = differences(left, [{"reason": "b", "count": 3}, left[0]])
    assert (place, what) == ("[b].count", "count: published is 2, counted here 3.")


def test_of_many_differences_the_first_are_named_and_the_rest_counted(tmp_path: Path) -> None:
    told = funnel(tmp_path)
    for at in range(50):
        row = copy.deepcopy(told["slices"][1])
        told["slices"].append({**row, "slice": {"dimension": "intent", "intent": f"g{at}"}})
    wave = derived(tmp_path, {"analytics": json.loads(json.dumps(told))})
    found = [one for one in wave.problems if one.rule == "published-funnel-differs"]
    assert len(found) == 41
    assert found[-1].what == "10 more of its numbers differ."
