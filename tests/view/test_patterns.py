"""Patterns as they are shown: beside a harmless reading, over what could be measured."""

from typing import Any

from builders import call, result, user
from finding_waves import facts_of, idle
from report_waves import page_of, parsed, report_of, wave_of
from session_cases import facts_of as derived

from reporter.derive.facts_json import facts_object
from reporter.models.facts import SessionFacts, SuspicionFact
from reporter.models.friction import FrictionDocument
from reporter.view.patterns import BENIGN, PatternsView
from reporter.vocabulary import (
    FrictionNotMeasuredReason,
    FrictionSignal,
    SuspectedCondition,
    SuspectedConditionConfidence,
)

HIT = {"structuredContent": {"id": "PROJ-1"}}


def asked(*queries: str, answer: Any = HIT) -> FrictionDocument:
    """The friction of a session that asks one tool these questions."""
    records = [user()]
    for number, query in enumerate(queries):
        records += [
            call(f"c{number}", "find", args={"q": query}),
            result(f"c{number}", answer),
        ]
    made = derived(*records).friction_signals
    assert made is not None
    return made


def session(session_id: str, document: FrictionDocument | None, **more: Any) -> SessionFacts:
    return facts_of(session_id, friction_signals=document, **more)


def patterns_of(*facts: SessionFacts) -> PatternsView:
    found = report_of(wave_of(facts)).recorded.patterns
    assert found is not None
    return found


def counts(view: PatternsView) -> dict[str, str]:
    return {row.label: row.count.short for row in view.rows}


def test_every_pattern_has_a_harmless_reading() -> None:
    assert set(BENIGN) == set(FrictionSignal)
    assert all(text.endswith(".") for text in BENIGN.values())


def test_sessions_are_counted_once_and_occurrences_beside_them() -> None:
    view = patterns_of(
        session("a", asked("x", "y", "z")), session("b", asked("x"), session_index=1)
    )
    row = next(row for row in view.rows if row.label == FrictionSignal.CHANGED_RETRY.label)
    assert (row.count.text, row.times) == ("1 of 2 sessions", "2 times")
    assert [place.label for place in row.links] == ["a"]


def test_more_patterns_than_are_kept_are_counted_as_at_least_so_many() -> None:
    many = asked(*(f"q{number}" for number in range(30)))
    view = patterns_of(session("a", many), session("b", asked("x", "y"), session_index=1))
    row = next(row for row in view.rows if row.label == FrictionSignal.CHANGED_RETRY.label)
    assert row.times.startswith("at least ")
    assert "In 1 of 2 sessions of these only the first 24 are kept" in view.caption
    few = patterns_of(session("b", asked("x", "y")))
    assert "are kept" not in few.caption
    assert not any(row.times.startswith("at least") for row in few.rows)


def test_one_session_is_spoken_of_in_the_singular() -> None:
    unanswered = derived(user(), call("c1", "find"), call("c2", "find")).friction_signals
    assert "could be told in 0 of 1 session;" in patterns_of(session("a", unanswered)).caption


def test_a_kind_counts_over_the_sessions_in_which_it_could_be_measured() -> None:
    unanswered = derived(user(), call("c1", "find"), call("c2", "find")).friction_signals
    view = patterns_of(session("a", asked("x", "y")), session("b", unanswered, session_index=1))
    assert counts(view)[FrictionSignal.IDENTICAL_RETRY.label] == "1 of 2"
    assert counts(view)[FrictionSignal.SEARCH_REPEATED_AFTER_IDENTIFIER.label] == "1 of 1"
    assert "could be told in 1 of 2 sessions of these" in view.caption
    assert FrictionNotMeasuredReason.RESULTS_UNAVAILABLE.label in view.caption


def test_what_was_not_measured_is_named_and_never_a_zero() -> None:
    view = patterns_of(session("a", derived(user()).friction_signals))
    assert view.rows == ()
    assert "No pattern was looked for in the one started session; no" in view.caption
    assert FrictionNotMeasuredReason.NO_TOOL_CALLS.label in view.caption


def test_a_suspicion_keeps_its_word_and_a_clear_response_is_an_answer() -> None:
    sure, guess = SuspectedConditionConfidence.HIGH, SuspectedConditionConfidence.LOW
    suspicions = (
        SuspicionFact(FrictionSignal.CHANGED_RETRY, SuspectedCondition.MISSING_UNITS, sure, "Add."),
        SuspicionFact(FrictionSignal.CHANGED_RETRY, SuspectedCondition.UNCLEAR, guess, None),
        SuspicionFact(
            FrictionSignal.CHANGED_RETRY, SuspectedCondition.RESPONSE_WAS_CLEAR, sure, None
        ),
    )
    facts = session("a", asked("x", "y"), suspicions=suspicions)
    view = patterns_of(facts)
    assert [row.is_answer for row in view.suspicions] == [False, False, True]
    text = parsed(page_of(wave_of([facts]))).by_id("recorded").text
    assert "Suspected: value has no stated unit" in text
    assert "Suspected: could not attribute" in text
    assert "Looked at: the response was clear" in text
    assert "Suspected: the response was clear" not in text
    assert "Nothing here was established" in text


def test_a_recorded_suspicion_that_was_a_guess_is_unclear() -> None:
    facts = derived(
        user(),
        {
            "type": "suspected_condition",
            "signal": "changedRetry",
            "condition": "missingUnits",
            "confidence": "low",
            "remediation": "Say the unit. token=sk-live-1234567890abcdef1234",
        },
    )
    (one,) = facts.suspicions
    assert one.condition is SuspectedCondition.UNCLEAR
    assert "1234567890abcdef" not in (one.remediation or "")


def test_a_suspicion_in_unknown_words_is_named_and_not_shown() -> None:
    facts = derived(
        user(),
        {
            "type": "suspected_condition",
            "signal": "somethingElse",
            "condition": "missingUnits",
            "confidence": "low",
        },
    )
    assert facts.suspicions == ()
    assert [problem.rule for problem in facts.problems] == ["suspicion-unknown"]


def test_the_facts_line_carries_the_document() -> None:
    facts = derived(user(), call("c1", "find"), result("c1", HIT))
    assert facts_object(facts)["frictionSignals"]["state"] == "measured"
    assert facts_object(derived(present=False))["frictionSignals"]["notMeasuredReason"] == (
        "evidenceIncomplete"
    )
    assert facts_object(idle("a"))["frictionSignals"] is None
