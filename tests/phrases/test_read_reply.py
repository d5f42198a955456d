"""A reply is one JSON value of the shape that was asked for, or it is refused by name."""

import json

import pytest
from asked_waves import proposal
from hypothesis import given
from hypothesis import strategies as st

from reporter.phrases.read_reply import (
    ProposalReply,
    ReportReply,
    UnfitReply,
    answer_of,
    proposals_of,
    report_of,
)
from reporter.vocabulary import PhraseRule, SupportAnswer

GOOD = json.dumps(proposal())


@pytest.mark.parametrize(
    "text",
    [
        f'{{"proposals": [{GOOD}]}}',
        f"[{GOOD}]",
        GOOD,
        f"```json\n[{GOOD}]\n```",
        f"<think>Hm, {{}} perhaps.</think>\n[{GOOD}]",
        f"  \n[{GOOD}]\n ",
    ],
)
def test_one_value_may_be_wrapped_as_models_do(text: str) -> None:
    (found,) = proposals_of(text)
    assert isinstance(found, ProposalReply)
    assert found.mechanism_phrase == proposal()["mechanismPhrase"]


@pytest.mark.parametrize("text", ['{"proposals": []}', "[]"])
def test_nothing_to_propose_is_no_proposal(text: str) -> None:
    assert proposals_of(text) == ()


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", PhraseRule.REPLY_NOT_JSON),
        ("Sorry, I cannot do that.", PhraseRule.REPLY_NOT_JSON),
        (f"Here you are: [{GOOD}]", PhraseRule.REPLY_NOT_JSON),
        (f"[{GOOD}", PhraseRule.REPLY_NOT_JSON),
        (f"[{GOOD}] [{GOOD}]", PhraseRule.REPLY_NOT_JSON),
        ("[" * 100_000, PhraseRule.REPLY_NOT_JSON),
        ('{"proposals": NaN}', PhraseRule.REPLY_NOT_JSON),
        ("9" * 10_000, PhraseRule.REPLY_NOT_JSON),
        (" " * 300_000 + "[]", PhraseRule.REPLY_NOT_JSON),
        ('"text"', PhraseRule.SHAPE),
        ("17", PhraseRule.SHAPE),
        ("null", PhraseRule.SHAPE),
        ("[1]", PhraseRule.SHAPE),
        ('{"proposals": {}}', PhraseRule.SHAPE),
        ('{"proposals": [], "note": "x"}', PhraseRule.SHAPE),
        ("{}", PhraseRule.SHAPE),
        (json.dumps(proposal(stage=3)), PhraseRule.SHAPE),
        (json.dumps(proposal(zebra="striped")), PhraseRule.SHAPE),
        (json.dumps(proposal(support=None)), PhraseRule.SHAPE),
        (json.dumps(proposal(support=[{"sessionId": "s1"}])), PhraseRule.SHAPE),
        (
            json.dumps(proposal(support=[{"sessionId": "s1", "turns": ["0"], "quote": "x"}])),
            PhraseRule.SHAPE,
        ),
        (
            json.dumps(proposal(support=[{"sessionId": "s1", "turns": [True], "quote": "x"}])),
            PhraseRule.SHAPE,
        ),
    ],
)
def test_what_does_not_fit_is_refused_by_name(text: str, rule: PhraseRule) -> None:
    (found,) = proposals_of(text)
    assert isinstance(found, UnfitReply)
    assert found.refusal.rule is rule
    assert "zebra" not in found.refusal.what
    assert "striped" not in found.refusal.what


def test_one_entry_that_does_not_fit_costs_the_others_nothing() -> None:
    found = proposals_of(json.dumps([proposal(), {"stage": "call"}, proposal()]))
    assert [isinstance(one, ProposalReply) for one in found] == [True, False, True]


def test_more_than_was_asked_for_is_not_looked_at() -> None:
    found = proposals_of(json.dumps([proposal()] * 6))
    assert [one.refusal.rule for one in found if isinstance(one, UnfitReply)] == [
        PhraseRule.TOO_MANY_PROPOSALS
    ] * 2


@pytest.mark.parametrize("answer", SupportAnswer)
def test_a_second_look_gives_one_of_three_answers(answer: SupportAnswer) -> None:
    assert answer_of(json.dumps({"answer": answer.value})) is answer
    assert answer_of(json.dumps({"answer": answer.value, "reason": "because"})) is answer


@pytest.mark.parametrize(
    "text", ["supports", '"supports"', '{"answer": "yes"}', '{"answer": null}', "{}", "[1]", ""]
)
def test_any_other_answer_is_none(text: str) -> None:
    assert answer_of(text) is None


def test_an_account_is_read() -> None:
    raw = {"actual": "It erred.", "account": None, "support": [{"turns": [0], "quote": "erred"}]}
    found = report_of(json.dumps(raw))
    assert isinstance(found, ReportReply)
    assert found.support[0].turns == [0]


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    proposals_of(text)
    report_of(text)
    answer_of(text)
