"""Checks of one session as they are shown: what did not hold first, the rest one click away."""

from typing import Any

import pytest
from finding_waves import facts_of
from report_waves import page_of, parsed, report_of, wave_of

from reporter.identifiers import CriterionId
from reporter.models.facts import CriterionFact, SessionFacts
from reporter.view.citations import pointer_words
from reporter.view.session import SessionView, session_view


def checked(*outcomes: str) -> SessionFacts:
    facts: list[Any] = [
        CriterionFact(CriterionId(f"c{at}"), f"Check {at}", "required", word, f"Reason {at}.")  # type: ignore[arg-type]  # a word of the test
        for at, word in enumerate(outcomes)
    ]
    return facts_of("a", criteria=tuple(facts))


def shown(fact: SessionFacts) -> SessionView:
    return session_view(report_of(wave_of([fact])), "a", None)


def test_few_checks_are_all_read_at_once() -> None:
    view = shown(checked("passed", "failed", "passed", "error"))
    assert [one.label for one in view.checks] == ["Check 0", "Check 1", "Check 2", "Check 3"]
    assert view.held == ()


def test_of_many_checks_those_that_held_are_folded_and_none_is_lost() -> None:
    fact = checked("passed", "failed", "passed", "error", "passed", "notApplicable")
    view = shown(fact)
    assert [one.label for one in view.checks] == ["Check 1", "Check 3", "Check 5"]
    assert [one.label for one in view.held] == ["Check 0", "Check 2", "Check 4"]
    page = page_of(wave_of([fact]))
    for at in range(6):
        assert f"Reason {at}." in page
        assert page.count(f'id="{(*view.checks, *view.held)[at].anchor}"') == 1
    assert "3 checks" in parsed(page).text


@pytest.mark.parametrize(
    ("check", "words"),
    [
        ("done", "check done"),
        ("predicate:noToolErrors#1a2b3c4d", "check noToolErrors"),
        ("predicate:noToolErrors#1a2b3c4d@turn2", "check noToolErrors, turn 2"),
        ("toolCalls:match#1a2b3c4d", "check toolCalls:match"),
        ("issue#12", "check issue#12"),
    ],
)
def test_a_made_up_id_is_called_by_its_kind(check: str, words: str) -> None:
    assert pointer_words(f"c:{check}") == words
