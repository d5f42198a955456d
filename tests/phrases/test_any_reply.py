"""Whatever a model replies, the document holds and says nothing that was not proposed and kept."""

from pathlib import Path
from typing import Any

import pytest
from asked_waves import (
    ACCOUNT,
    ASKED,
    ERROR,
    SAID,
    Scripted,
    asked_wave,
    derive_asked,
    proposal,
    support,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reporter.findings.scope import check_findings
from reporter.phrases.exchange import Question
from reporter.phrases.proposal import proposal_decision
from reporter.vocabulary import PhraseRule, ProposalState, ReplyState, Stage, SupportAnswer

ANY_TEXT = st.text(max_size=60)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)
SESSIONS = st.sampled_from(["s1", "s2", "s3", "s4", "s5", "s6", "s7"])
QUOTES = st.sampled_from([ERROR, SAID, ASKED, "card number must", "Lent until Friday"]) | ANY_TEXT
CITED = st.builds(support, SESSIONS, st.lists(st.integers(-1, 2), max_size=2), QUOTES) | st.builds(
    support, SESSIONS
)
PHRASES = st.sampled_from(
    [
        "borrow_book refuses the card number and names no way to find one.",
        "borrow_book wants a card number of 8 digits and says so only in its error.",
        "Every session ends at the card number.",
        "borrow_book was slow.",
    ]
)
PROPOSALS = st.builds(
    proposal,
    stage=st.sampled_from([*(stage.value for stage in Stage), "backend"]),
    outcomePhrase=st.sampled_from(["ended without the book", "got 2 books", ""]) | ANY_TEXT,
    mechanismPhrase=PHRASES | ANY_TEXT,
    fixPhrase=st.none() | st.just("Say in the error what a card number is.") | ANY_TEXT,
    support=st.lists(CITED, max_size=4),
)
REPLIES = st.lists(PROPOSALS, max_size=5) | JSON | ANY_TEXT | st.sampled_from(list(ReplyState)[:6])
ANSWERS = st.sampled_from([answer.value for answer in SupportAnswer]) | ANY_TEXT
ACCOUNTS = st.just(ACCOUNT) | JSON | ANY_TEXT


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asked_wave(tmp_path_factory.mktemp("asked") / "wave")


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_reply_ends_in_a_document_that_holds(folder: Path, data: st.DataObject) -> None:
    def drawn(question: Question) -> Any:
        strategy = {"report": ACCOUNTS, "propose": REPLIES, "verify": ANSWERS}[question.kind]
        return data.draw(strategy)

    found = derive_asked(folder, Scripted(report=drawn, propose=drawn, verify=drawn))
    assert found.violations == ()
    assert found.plan is not None
    assert check_findings(found.findings, found.plan, found.facts) == ()
    work, rows = found.phrases, [row for row in found.findings.rows if row.order == 1]
    assert work is not None
    confirmed = [fate for fate in work.proposals if fate.state is ProposalState.CONFIRMED]
    # Only words that were proposed and confirmed are published, and only where they were.
    for row in rows:
        own = [fate for fate in confirmed if fate.mechanism_id == row.finding.mechanism_id]
        assert row.finding.mechanism_phrase in {fate.mechanism_phrase for fate in own}
        assert row.finding.outcome_phrase in {fate.outcome_phrase for fate in own}
        assert row.finding.fix_phrase in {None, *(fate.fix_phrase for fate in own)}
        supporting = {
            one.session_id
            for fate in own
            for one in fate.support
            if one.answer is SupportAnswer.SUPPORTS
        }
        assert set(row.finding.session_ids) <= supporting
        assert row.finding.citations
    # Whatever is not confirmed says why, and whatever is confirmed broke no rule of its words.
    telling = {PhraseRule.NEAR_DUPLICATE, PhraseRule.NO_ROOM}
    for fate in work.proposals:
        assert proposal_decision(fate)
        if fate.state is not ProposalState.CONFIRMED:
            assert fate.refusals
        else:
            rules = {one.rule for one in fate.refusals if one.slot != "fixPhrase"}
            assert rules <= telling
    reported = {row.finding.session_ids[0] for row in found.findings.rows if row.order == 4}
    assert reported == {one.session_id for one in work.reports if one.accepted}
