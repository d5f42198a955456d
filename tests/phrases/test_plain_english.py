"""Good English passes, its false twin does not, and what counts calls is held to the calls."""

from dataclasses import replace

import pytest
from phrases.adversarial_cases import Case
from phrases.english_cases import ENGLISH_CASES
from phrases.guard_worlds import AIRLINE

from reporter.phrases.guard import guard_refusals, slot_refusals
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


@pytest.mark.parametrize(("calls", "refused"), [(0, True), (1, True), (2, False), (5, False)])
def test_a_second_call_is_spoken_of_where_the_turns_hold_two(calls: int, refused: bool) -> None:
    evidence = replace(AIRLINE.evidence(), most_calls=calls)
    mechanism = "The reservation was not found until the second call."
    found = guard_refusals(AIRLINE.outcome, mechanism, None, AIRLINE.names, evidence)
    rules = [each.rule for each in found]
    assert rules == ([PhraseRule.NUMBER_NOT_RECORDED] if refused else [])
