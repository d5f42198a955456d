"""A proposal before a second look: what it cites must stand there, word for word."""

from pathlib import Path
from typing import Any

import pytest
from asked_waves import (
    ACCOUNT,
    ASKED,
    SAID,
    Scripted,
    asked_wave,
    derive_asked,
    proposal,
    support,
)

from reporter.models.phrases import ProposalFate
from reporter.phrases.asking import AskingOptions
from reporter.phrases.exchange import Question
from reporter.vocabulary import PhraseRule, ProposalState

CAUSES = AskingOptions(with_reports=False)


def of_the_large_group(*proposals: Any) -> Any:
    """Propose for the group of four, nothing for the other."""

    def reply(question: Question) -> Any:
        return {"proposals": list(proposals) if '"s1"' in question.prompt else []}

    return reply


@pytest.fixture(scope="module")
def wave(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asked_wave(tmp_path_factory.mktemp("asked") / "wave")


def fates(wave: Path, *proposals: Any) -> tuple[ProposalFate, ...]:
    found = derive_asked(wave, Scripted(propose=of_the_large_group(*proposals)), options=CAUSES)
    assert found.phrases is not None
    assert found.violations == ()
    return found.phrases.proposals


def rules(fate: ProposalFate) -> set[PhraseRule]:
    return {refusal.rule for refusal in fate.refusals}


def test_a_proposal_that_holds_is_confirmed_by_the_second_look(wave: Path) -> None:
    (fate,) = fates(wave, proposal())
    assert fate.state is ProposalState.CONFIRMED
    assert [one.citations for one in fate.support] == [("s1/t:c1",), ("s2/t:c1",)]


@pytest.mark.parametrize(
    ("cited", "rule"),
    [
        ([], PhraseRule.NO_SUPPORT),
        ([support("s9")], PhraseRule.UNKNOWN_SESSION),
        ([support("s6", quote="Lent until Friday")], PhraseRule.UNKNOWN_SESSION),
        ([support("S1")], PhraseRule.UNKNOWN_SESSION),
        ([support("s1", turns=[])], PhraseRule.TURN_MISSING),
        ([support("s1", turns=[1])], PhraseRule.TURN_MISSING),
        ([support("s1", turns=[0, 7])], PhraseRule.TURN_MISSING),
        ([support("s1", turns=[-1])], PhraseRule.TURN_MISSING),
        ([support("s1", quote="")], PhraseRule.QUOTE_TOO_SHORT),
        ([support("s1", quote="Error: card ")], PhraseRule.QUOTE_TOO_SHORT),
        ([support("s1", quote="   8 digits    ")], PhraseRule.QUOTE_TOO_SHORT),
        (
            [support("s1", quote="Error: card number must have 9 digits")],
            PhraseRule.QUOTE_NOT_FOUND,
        ),
        (
            [support("s1", quote="error: card number must have 8 digits")],
            PhraseRule.QUOTE_NOT_FOUND,
        ),
        ([support("s1", quote='"card": "122"')], PhraseRule.QUOTE_NOT_FOUND),
        ([support("s1"), support("s2", quote="Lent until Friday")], PhraseRule.QUOTE_NOT_FOUND),
        ([support("s1", quote=ASKED)], PhraseRule.PERSONA_QUOTES_ONLY),
        (
            [support("s1", quote=ASKED), support("s2", quote=ASKED)],
            PhraseRule.PERSONA_QUOTES_ONLY,
        ),
    ],
)
def test_what_is_cited_must_be_there(wave: Path, cited: Any, rule: PhraseRule) -> None:
    (fate,) = fates(wave, proposal(support=cited))
    assert fate.state is ProposalState.REJECTED
    assert rule in rules(fate)


@pytest.mark.parametrize(
    "cited",
    [
        [support("s1", quote="card number must have 8 digits")],
        [support("s1", quote="card number   must\nhave 8 digits")],
        [support("s1", quote='"card": "121"}')],
        [support("s1", quote='{"title": "Blue atlas"')],
        [support("s1", quote=SAID)],
        [support("s1", quote=ASKED), support("s2", quote=SAID)],
        [support("s4"), support("s3")],
        [support("s1"), support("s1", quote=SAID)],
    ],
)
def test_any_place_of_the_cited_turns_may_be_quoted(wave: Path, cited: Any) -> None:
    (fate,) = fates(wave, proposal(support=cited))
    assert fate.state is ProposalState.CONFIRMED, fate.refusals


def test_the_link_must_be_one_of_six(wave: Path) -> None:
    (fate,) = fates(wave, proposal(stage="backend"))
    assert PhraseRule.UNKNOWN_STAGE in rules(fate)
    assert fate.stage is None


def test_a_session_that_was_not_read_cannot_be_cited(wave: Path) -> None:
    """The account of one session is refused, so it is not read, and its group goes on."""
    asker = Scripted(
        report=lambda question: "no" if '"s1"' in question.prompt else ACCOUNT,
        propose=lambda question: [proposal()] if '"s3"' in question.prompt else [],
    )
    found = derive_asked(wave, asker)
    assert found.phrases is not None
    (fate,) = found.phrases.proposals
    assert rules(fate) == {PhraseRule.NOT_READ}
    assert found.phrases.groups[0].shown == ("s2", "s3", "s4")


def test_of_two_that_say_the_same_the_first_is_kept(wave: Path) -> None:
    same = proposal(
        mechanismPhrase="Borrow_book refuses the card number; and names no way to find one"
    )
    first, second, third = fates(wave, proposal(), same, proposal(stage="call"))
    assert first.state is ProposalState.CONFIRMED
    assert rules(second) == {PhraseRule.REPEATED}
    assert third.state is ProposalState.CONFIRMED
    assert len({first.key, second.key, third.key}) == 3


def test_an_entry_of_another_shape_is_a_rejected_proposal_and_costs_no_other(wave: Path) -> None:
    unfit, fine = fates(wave, {"mechanismPhrase": "It broke.", "stage": 3}, proposal())
    assert (unfit.state, rules(unfit)) == (ProposalState.REJECTED, {PhraseRule.SHAPE})
    assert unfit.mechanism_phrase == "It broke."
    assert fine.state is ProposalState.CONFIRMED


def test_words_that_are_kept_for_the_ledger_are_bounded_and_masked(wave: Path) -> None:
    secret = "sk-" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6"
    (fate,) = fates(
        wave,
        proposal(
            mechanismPhrase=f"The key {secret} is shown. " + "x" * 5_000,
            support=[support("s1", quote=f"key {secret}")],
        ),
    )
    assert fate.state is ProposalState.REJECTED
    assert secret not in repr(fate)
    assert len(fate.mechanism_phrase) < 1_100
