"""Good English passes, its false twin does not, and what counts calls is held to the calls."""

from dataclasses import replace

import pytest
from phrases.adversarial_cases import Case
from phrases.english_cases import ENGLISH_CASES
from phrases.guard_worlds import AIRLINE

from reporter.phrases.guard import guard_refusals, slot_refusals
from reporter.phrases.tallies import Tally, tallies_of
from reporter.vocabulary import PhraseRule


def named(case: Case) -> str:
    return f"{case.slot}-{case.text[:40]!a}"


@pytest.mark.parametrize("case", ENGLISH_CASES, ids=named)
def test_a_phrase_comes_to_what_its_label_says(case: Case) -> None:
    evidence = case.world.evidence(measured=case.measured)
    phrases, names = (case.outcome, case.mechanism, case.fix), case.world.names
    found = (*slot_refusals(*phrases, names), *guard_refusals(*phrases, names, evidence))
    if case.rule is None:
        assert found == ()
    else:
        assert (case.rule, case.slot) in {(each.rule, each.slot) for each in found}


LOOKUP, OTHER = "get_reservation_details", "cancel_reservation"
FOUR = (Tally(LOOKUP, 3, 2), Tally(OTHER, 1, 1), Tally("", 4, 3))


@pytest.mark.parametrize(
    ("tallies", "mechanism", "refused"),
    [
        ((), "The reservation was not found until the second call.", True),
        ((Tally(LOOKUP, 1, 0),), "The reservation was not found until the second call.", True),
        (FOUR, "The reservation was not found until the second call.", False),
        (FOUR, "The reservation was not found until the third attempt.", False),
        (FOUR, "The reservation was not found until the fifth attempt.", True),
        (FOUR, "get_reservation_details failed twice for the reservation.", False),
        (FOUR, "get_reservation_details was called three times for the reservation.", False),
        (FOUR, "get_reservation_details was called four times for the reservation.", True),
        (FOUR, "cancel_reservation failed twice for the reservation.", True),
        (FOUR, "cancel_reservation and get_reservation_details failed three times.", False),
        (FOUR, "Four calls were made for the reservation.", False),
        (FOUR, "Seven calls were made for the reservation.", True),
        (FOUR, "The reservation costs three times the fare.", True),
        ((Tally(LOOKUP, 2, 2),), "Both calls answer that the reservation is not found.", False),
        ((Tally(LOOKUP, 3, 3),), "Both calls answer that the reservation is not found.", True),
    ],
)
def test_calls_are_counted_as_the_cited_turns_hold_them(
    tallies: tuple[Tally, ...], mechanism: str, refused: bool
) -> None:
    evidence = replace(AIRLINE.evidence(), tallies=tallies)
    found = guard_refusals(AIRLINE.outcome, mechanism, None, AIRLINE.names, evidence)
    rules = [each.rule for each in found]
    assert rules == ([PhraseRule.NUMBER_NOT_RECORDED] if refused else [])


def test_calls_of_a_session_are_counted_by_tool_and_all_together() -> None:
    calls = [("pay", False), ("find", True), ("pay", True)]
    assert tallies_of(calls) == (Tally("find", 1, 1), Tally("pay", 2, 1), Tally("", 3, 2))
    assert tallies_of([]) == ()
