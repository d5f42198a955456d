"""Proposals true and false against the guard: each comes to what its label says."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from asked_waves import Scripted, asked_wave, derive_asked
from phrases.adversarial_cases import CASES, Case
from phrases.adversarial_replies import REPLIES, Reply
from phrases.fourth_look_cases import FOURTH_LOOK
from phrases.held_out_cases import HELD_OUT
from phrases.second_look_cases import SECOND_LOOK
from phrases.third_look_cases import THIRD_LOOK

from reporter.models.phrases import Refusal
from reporter.phrases.asking import AskingOptions
from reporter.phrases.exchange import Question
from reporter.phrases.guard import guard_refusals, slot_refusals
from reporter.vocabulary import ProposalState

TRUE_AT_LEAST, ALL_AT_LEAST = 40, 200


def refusals(case: Case) -> tuple[Refusal, ...]:
    evidence = case.world.evidence(
        measured=case.measured, covers_all=case.covers_all, disposition=case.disposition
    )
    names, phrases = case.world.names, (case.outcome, case.mechanism, case.fix)
    return (*slot_refusals(*phrases, names), *guard_refusals(*phrases, names, evidence))


def named(case: Case) -> str:
    return f"{case.category}-{case.slot}-{case.text[:40]!a}"


EVERY = (*CASES, *HELD_OUT, *SECOND_LOOK, *THIRD_LOOK, *FOURTH_LOOK)


@pytest.mark.parametrize("case", EVERY, ids=named)
def test_a_proposal_comes_to_what_its_label_says(case: Case) -> None:
    found = refusals(case)
    if case.rule is None:
        assert found == ()
    else:
        assert (case.rule, case.slot) in {(each.rule, each.slot) for each in found}
        assert {each.slot for each in found} == {case.slot}


def test_nothing_false_is_accepted_and_nothing_true_refused() -> None:
    kinds = Counter(
        ("true" if case.rule is None else "false", bool(refusals(case))) for case in EVERY
    )
    assert kinds["true", False] + kinds["true", True] >= TRUE_AT_LEAST
    assert len(EVERY) >= ALL_AT_LEAST
    assert (kinds["true", True], kinds["false", False]) == (0, 0)


@pytest.fixture(scope="module")
def wave(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asked_wave(tmp_path_factory.mktemp("adversarial") / "wave")


@pytest.mark.parametrize("reply", REPLIES, ids=lambda reply: reply.name)
def test_a_reply_comes_to_what_its_label_says(wave: Path, reply: Reply) -> None:
    """Everybody who is asked for a second look says yes: what is refused, code refused."""

    def proposed(question: Question) -> dict[str, Any]:
        return {"proposals": [reply.entry] if '"s1"' in question.prompt else []}

    options = AskingOptions(with_reports=False)
    found = derive_asked(wave, Scripted(propose=proposed, verify="supports"), options=options)
    assert found.phrases is not None
    (fate,) = found.phrases.proposals
    rules = {refusal.rule for refusal in fate.refusals}
    if reply.rule is None:
        assert (fate.state, rules) == (ProposalState.CONFIRMED, set())
    else:
        assert fate.state is ProposalState.REJECTED
        assert reply.rule in rules
