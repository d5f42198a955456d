"""Proposals true and false against the guard: each comes to what its label says."""

from collections import Counter

import pytest
from phrases.adversarial_cases import CASES, Case

from reporter.models.phrases import Refusal
from reporter.phrases.guard import guard_refusals, slot_refusals

TRUE_AT_LEAST, ALL_AT_LEAST = 40, 200


def refusals(case: Case) -> tuple[Refusal, ...]:
    evidence = case.world.evidence(
        measured=case.measured, covers_all=case.covers_all, disposition=case.disposition
    )
    names, phrases = case.world.names, (case.outcome, case.mechanism, case.fix)
    return (*slot_refusals(*phrases, names), *guard_refusals(*phrases, names, evidence))


def named(case: Case) -> str:
    return f"{case.category}-{case.slot}-{case.text[:40]!a}"


@pytest.mark.parametrize("case", CASES, ids=named)
def test_a_proposal_comes_to_what_its_label_says(case: Case) -> None:
    found = refusals(case)
    if case.rule is None:
        assert found == ()
    else:
        assert (case.rule, case.slot) in {(each.rule, each.slot) for each in found}
        assert {each.slot for each in found} == {case.slot}


def test_nothing_false_is_accepted_and_nothing_true_refused() -> None:
    kinds = Counter(
        ("true" if case.rule is None else "false", bool(refusals(case))) for case in CASES
    )
    assert kinds["true", False] + kinds["true", True] >= TRUE_AT_LEAST
    assert len(CASES) >= ALL_AT_LEAST
    assert (kinds["true", True], kinds["false", False]) == (0, 0)
