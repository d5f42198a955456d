"""Published decisions as they are shown: every count with its unit, nothing worked out here."""

import base64
from typing import Any

from finding_waves import facts_of
from report_waves import page_of, parsed, report_of, wave_of

from reporter.view.decision import DecisionView, decision_view
from reporter.wave.decision.decide import decide
from reporter.wave.decision.policy import DEFAULT_POLICY
from reporter.wave.decision.summary import summarise

PASSED = {"status": "completed", "taskVerdict": "passed"}
FAILED = {"status": "completed", "taskVerdict": "failed"}


def decision(*trials: dict[str, Any], case_id: str = "c1", configured: int = 0) -> dict[str, Any]:
    case = {
        "caseId": case_id,
        "configuredTrials": configured or len(trials),
        "effectivePassThreshold": 1,
        "trials": list(trials),
    }
    return decide({"policy": DEFAULT_POLICY, "cases": [case]})


def view_of(*published: dict[str, Any]) -> DecisionView:
    found = decision_view({"decision": list(published)})
    assert found is not None
    return found


def test_no_decision_is_no_block() -> None:
    assert decision_view({}) is None
    assert decision_view({"decision": [{"runId": "r1", "verdict": None}]}) is None
    assert report_of(wave_of([facts_of("a")])).decision is None


def test_counts_carry_their_unit_and_rates_their_population() -> None:
    (run,) = view_of({"runId": "r1", **decision(PASSED, FAILED)}).runs
    assert run.counts == "0 passed, 1 failed, 0 inconclusive, of 1 case variant"
    (case,) = run.cases
    assert (case.passed, case.asked) == ("1 of 2 graded trials", "a share of 1")
    assert case.agreement == "1 of 2 graded trials"
    assert [line.value for line in run.validity] == [
        "2 of 2 configured trials attempted, 2 graded",
        "2 of 2 attempted trials",
        "0 of 2 attempted trials",
    ]


def test_an_inconclusive_run_says_which_checks_failed() -> None:
    (run,) = view_of({"runId": "r1", **decision(PASSED, configured=3)}).runs
    assert run.verdict == "inconclusive"
    assert run.reasons == (
        "some configured trial never ran, so the run does not cover what it was asked to",
    )
    assert run.cases[0].left_out == "2 not finished"


def test_a_rate_over_nothing_is_not_measured() -> None:
    (run,) = view_of(decision({"status": "pending"})).runs
    assert run.validity[1].value == "not measured"
    assert run.cases[0].passed == "not measured"


def test_no_number_of_a_contradicting_decision_is_shown() -> None:
    broken = decision(PASSED)
    broken["cases"][0]["passedTrials"] = 5
    (run,) = view_of({"runId": "r1", **broken}).runs
    assert (run.counts, run.validity, run.cases) == ("", (), ())
    assert "does not stand up to checking" in run.refused


def test_a_case_of_a_target_is_named_by_its_target() -> None:
    coded = base64.urlsafe_b64encode(b"environment:desk").decode().rstrip("=")
    (run,) = view_of(decision(PASSED, case_id=f"target_{coded}")).runs
    assert run.cases[0].name == "environment:desk"
    (odd,) = view_of(decision(PASSED, case_id="target_a")).runs
    assert odd.cases[0].name == "target_a"


def summary(*iterations: dict[str, Any], complete: bool = True, **run: Any) -> dict[str, Any]:
    whole = {"id": "r1", "status": "completed", "result": "failed", **run}
    return summarise(
        {
            "projectId": "p",
            "run": whole,
            "iterations": list(iterations),
            "page": {"complete": complete} | ({} if complete else {"nextCursor": "n"}),
        },
        known_analyzer=11,
    )


def trial(**more: Any) -> dict[str, Any]:
    return {"id": "i1", "iterationNumber": 1, "status": "completed", "result": "failed", **more}


def test_trials_beneath_a_verdict_say_how_far_was_looked() -> None:
    (whole,) = view_of(summary(trial(title="Late parcel"))).runs
    assert [one.name for one in whole.trials] == ["Late parcel"]
    assert whole.trials_note.startswith("All 1 trial were looked through")
    (empty,) = view_of(summary()).runs
    assert "none failed to pass" in empty.trials_note
    (part,) = view_of(summary(complete=False)).runs
    assert "nothing was seen to fail yet" in part.trials_note
    (partial,) = view_of(summary(trial(), complete=False)).runs
    assert "there may be more" in partial.trials_note


def test_the_two_gradings_are_never_mixed() -> None:
    (legacy,) = view_of(summary(summary={"total": 6, "passed": 4})).runs
    assert legacy.counts == "4 passed, of 6 trials"
    assert legacy.source == "legacy percent-threshold run"
    assert legacy.validity == ()
    (blank,) = view_of(summary()).runs
    assert blank.counts == ""


def test_a_run_without_a_verdict_says_why() -> None:
    (run,) = view_of(summary(status="cancelled", result=None)).runs
    assert run.verdict == "no verdict established"
    (reason,) = run.reasons
    assert reason.startswith("the run stopped before it finished")


def test_the_page_sets_it_out_in_the_summary() -> None:
    wave = wave_of([facts_of("a")], published={"decision": {"runId": "r1", **decision(PASSED)}})
    page = parsed(page_of(wave))
    text = page.by_id("decision").text
    for words in (
        "Decision, as published",
        "r1",
        "1 passed",
        "case variant",
        "Whether the run",
    ):
        assert words in text
    assert "%" not in text
