"""What was asked of a model, what came of it, and what left the machine for it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from finding_waves import build
from model_waves import (
    KEY,
    OTHER,
    S1,
    S2,
    asked,
    counted,
    every_fate,
    proposal,
    some_sessions,
    support,
    work_of,
)
from report_waves import page_of, parsed, published, report_of, wave_of

from reporter.identifiers import SessionId
from reporter.models.finding import Verification
from reporter.models.phrases import GroupFate, PhraseWork, Refusal, ReportFate, SentSession, Spent
from reporter.models.wave import DerivedWave
from reporter.render.pdf import print_page
from reporter.view.asked import AskedView
from reporter.view.sent import SentView, ranges
from reporter.view.terminal import summary_lines
from reporter.vocabulary import CoverageNote, PhraseRule, ProposalState, ReplyState

UNANSWERED = [state for state in ReplyState if state is not ReplyState.ANSWERED]
REJECTED, UNVERIFIED = ProposalState.REJECTED, ProposalState.UNVERIFIED


def asked_of(work: PhraseWork) -> AskedView:
    view = report_of(asked(work)).verification.asked
    assert view is not None
    return view


def sent_of(work: PhraseWork) -> SentView:
    view = report_of(asked(work)).provenance.sent_by_session
    assert view is not None
    return view


def described(session_id: SessionId, *refusals: Refusal, **more: Any) -> ReportFate:
    """A model's account of one session, refused unless a case says otherwise."""
    fields: dict[str, Any] = {
        "accepted": False,
        "actual": "It said no.",
        "account": None,
        "citations": (),
        "refusals": refusals,
        **more,
    }
    return ReportFate(session_id, **fields)


def everything(wave: DerivedWave) -> str:
    """All words of page, paper and terminal."""
    paper = parsed(print_page(report_of(wave), evidence="none")).text
    return " ".join((parsed(page_of(wave)).text, paper, *summary_lines(wave)))


# Session reports


def test_session_reports_are_counted_by_what_became_of_them() -> None:
    view = asked_of(every_fate())
    assert view.reports_lead == (
        "A model was to say what happened in 3 sessions. Of its accounts, 1 was accepted and "
        "stands at the session's goal as a model's words; 1 was refused; 1 did not come "
        "(the call failed)."
    )
    assert [(one.rule, one.count.text) for one in view.rules] == [
        ("Blames the person", "1 of 3 sessions")
    ]
    (refused,) = view.refused
    assert (refused.session.label, refused.what) == ("s2", "Refused; not a finding.")
    assert refused.words.text == "The visitor failed to ask."


def test_an_account_that_lost_a_part_is_not_counted_as_refused() -> None:
    lost = Refusal(PhraseRule.NOT_PERSONA_WORDS, "account", "")
    kept = described(S1, lost, accepted=True)
    view = asked_of(work_of(reports=(kept,)))
    assert "1 was accepted" in view.reports_lead
    assert "refused" not in view.reports_lead
    assert view.refused[0].what == "Accepted without the part that broke the rule."
    assert view.refused[0].why[0].slot == "own words"


@pytest.mark.parametrize("rule", PhraseRule)
def test_every_rule_of_a_refused_account_is_named(rule: PhraseRule) -> None:
    fate = described(S2, Refusal(rule, "", ""))
    wave = asked(work_of(reports=(fate,)))
    for text in (parsed(page_of(wave)).text, parsed(print_page(report_of(wave))).text):
        assert rule.label[:1].upper() + rule.label[1:] in text
        assert rule.meaning in text


def test_without_session_reports_nothing_is_said_of_them() -> None:
    view = asked_of(work_of())
    assert (view.reports_lead, view.rules, view.refused) == ("", (), ())
    assert "Session reports of a model" not in everything(asked(work_of()))


def test_many_refused_accounts_are_bounded() -> None:
    why = Refusal(PhraseRule.EMPTY, "actual", "")
    fates = tuple(described(SessionId(f"x{number}"), why) for number in range(50))
    view = asked_of(work_of(reports=fates))
    assert len(view.refused) == 20
    assert view.more_refused == "30 more refused accounts not shown."
    assert view.rules[0].more == "and 38 more"


# Requests


@pytest.mark.parametrize("state", ReplyState)
def test_every_state_of_a_request_is_counted_with_what_it_means(state: ReplyState) -> None:
    wave = asked(work_of(states={state: 2}))
    (line,) = asked_of(work_of(states={state: 2})).states
    assert line.count.text == "2 of 2 requests"
    assert line.meaning.startswith(state.meaning)
    assert ("is not known" in line.meaning) is (state is not ReplyState.ANSWERED)
    assert everything(wave).count(line.meaning) == 2  # page and paper


def test_requests_that_were_not_sent_are_said_to_be() -> None:
    states = {ReplyState.ANSWERED: 4, ReplyState.OVER_BUDGET: 1, ReplyState.MISSING: 1}
    assert asked_of(work_of(states=states)).states_lead == (
        "6 requests for model-two, by what became of them; 2 were not sent."
    )
    assert asked_of(work_of(states={ReplyState.FAILED: 1})).states_lead == (
        "1 request for model-two, by what became of it."
    )
    assert asked_of(work_of(states={})).states_lead == (
        "No request for model-two was needed, so none was made."
    )


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, ()),
        (
            {"stale": 1},
            (
                (
                    "1 kept reply belongs to requests that this recording no longer gives. "
                    "It was not "
                    "used."
                ),
            ),
        ),
        (
            {"stale": 4},
            (
                (
                    "4 kept replies belong to requests that this recording no longer "
                    "gives. None of "
                    "them was used."
                ),
            ),
        ),
        (
            {"by_person": 2},
            ("2 answers of the second look were given by a person in place of a model.",),
        ),
        (
            {"changed": 1},
            (
                (
                    "1 kept decision is not what this version comes to with this "
                    "recording. The report "
                    "shows what it comes to now."
                ),
            ),
        ),
    ],
)
def test_kept_replies_persons_and_changes_are_said(
    more: Mapping[str, Any], said: tuple[str, ...]
) -> None:
    assert asked_of(work_of(**more)).said == said
    text = everything(asked(work_of(**more)))
    assert all(text.count(one) == 2 for one in said)  # page and paper


# Groups


@pytest.mark.parametrize("state", UNANSWERED)
def test_a_group_without_an_answer_was_not_analysed_and_may_have_a_cause(state: ReplyState) -> None:
    group = GroupFate(KEY, 7, (), state, 0)
    wave = asked(work_of(groups=(group,), states={state: 1}, sent=()))
    view = report_of(wave).verification.asked
    assert view is not None
    assert view.groups[0].outcome == f"Not analysed. {state.meaning}"
    why = report_of(wave).causes.why_none
    assert why.startswith("The one group of sessions that look alike (7 sessions) was not analysed")
    assert why.endswith("That does not say that there is no cause.")
    text = everything(wave)
    assert "No model was used" not in text
    assert "proposed no explanation" not in text
    assert "nothing to explain" not in text


def test_many_groups_are_bounded_and_those_left_out_counted() -> None:
    groups = tuple(GroupFate(KEY, 2, (), ReplyState.FAILED, 0) for _ in range(33))
    view = asked_of(work_of(groups=groups))
    assert len(view.groups) == 30
    assert view.more_groups == "3 more groups of 6 sessions not shown; 3 of them not analysed."


# Causes: why there is none


@pytest.mark.parametrize(
    ("work", "words"),
    [
        (
            work_of(groups=(), states={}, sent=()),
            "No session that was read called for an explanation, so none was asked for.",
        ),
        (
            work_of(),
            (
                "A model was asked about 1 group of sessions that look alike and proposed no "
                "explanation."
            ),
        ),
        (
            work_of(
                groups=(
                    GroupFate(KEY, 3, (S1,), ReplyState.ANSWERED, 0),
                    GroupFate(OTHER, 2, (), ReplyState.TIMED_OUT, 0),
                )
            ),
            (
                "1 of 2 groups of sessions that look alike (2 sessions) was not "
                "analysed: timed out. "
                "That does not say that there is no cause. For the other groups no explanation was "
                "proposed."
            ),
        ),
        (
            work_of(proposal(REJECTED), proposal(REJECTED), proposal(UNVERIFIED)),
            "None of 3 proposed explanations held: 2 rejected and 1 not verified.",
        ),
        (
            work_of(proposal(REJECTED)),
            "The one explanation that was proposed did not hold: it was rejected.",
        ),
        (
            work_of(
                proposal(UNVERIFIED),
                groups=(
                    GroupFate(KEY, 3, (S1,), ReplyState.ANSWERED, 1),
                    GroupFate(OTHER, 2, (), ReplyState.OVER_BUDGET, 0),
                ),
            ),
            (
                "The one explanation that was proposed did not hold: it was not "
                "verified. 1 of 2 groups "
                "of sessions that look alike (2 sessions) was not analysed: not sent for want of "
                "budget. That does not say that there is no cause."
            ),
        ),
        (
            work_of(proposal(ProposalState.CONFIRMED, PhraseRule.NO_ROOM)),
            "1 explanation held, and this document publishes none of them.",
        ),
    ],
)
def test_why_there_is_no_cause_is_told_apart(work: PhraseWork, words: str) -> None:
    wave = asked(work)
    assert report_of(wave).causes.why_none == words
    text = everything(wave)
    assert "No model was used" not in text
    assert "None: no confirmed cause is published, and a fix stands only with its cause." in text


def test_counters_of_a_ledger_come_from_its_proposals_where_the_document_has_none() -> None:
    wave = asked(every_fate())
    bare = replace(wave, findings=replace(wave.findings, verification=None))
    assert report_of(bare).verification.lines == report_of(wave).verification.lines
    assert len(report_of(bare).verification.lines) == 3


def zeros(**more: int) -> Verification:
    return counted(work_of()).model_copy(update=more)


def test_a_document_whose_analysis_failed_does_not_say_that_nothing_was_proposed() -> None:
    found = replace(
        build(some_sessions(), verification=zeros()),
        reasoning_model="m",
        coverage_notes=(CoverageNote.ANALYSIS_UNAVAILABLE,),
    )
    wave = published(found)
    why = report_of(wave).causes.why_none
    assert why.startswith("Causes could not be analysed, so none is published.")
    assert "proposed none" not in everything(wave)


def test_a_document_that_only_names_a_model_of_extraction_was_made_with_a_model() -> None:
    found = replace(build(some_sessions()), extraction_model="m")
    assert "No model was used" not in everything(published(found))


def test_a_long_list_of_what_a_published_document_sent_is_counted_in_its_sentence() -> None:
    found = build(some_sessions())
    sent = [f"session s{number}" for number in range(40)]
    disclosure = found.disclosure.model_copy(update={"evidence_sent": sent})
    wave = published(replace(found, reasoning_model="m", disclosure=disclosure))
    assert report_of(wave).provenance.sent == (
        "session s0, session s1, session s2 and 37 more that the document lists, to m through the "
        "gateway rail."
    )


def test_without_a_model_every_place_says_so() -> None:
    wave = wave_of(some_sessions())
    report = report_of(wave)
    assert report.provenance.sent == "No model was used; nothing was sent."
    assert report.provenance.sent_by_session is None
    assert report.causes.why_none.startswith("No model was used")
    assert list(summary_lines(wave))[-1] == "No model was used; nothing was sent."
    assert "What was asked" not in everything(wave)


# The terminal


@pytest.mark.parametrize(
    ("work", "line"),
    [
        (
            every_fate(),
            (
                "Causes: 6 proposed by model-two, 3 confirmed, 2 rejected, 1 not "
                "verified; 1 confirmed "
                "and not published; 1 of 2 groups not analysed (not sent for want of budget)."
            ),
        ),
        (
            work_of(proposal()),
            "Causes: 1 proposed by model-two, 1 confirmed, 0 rejected, 0 not verified.",
        ),
        (
            work_of(groups=(GroupFate(KEY, 3, (), ReplyState.FAILED, 0),)),
            (
                "Causes: the one group of sessions that look alike (3 sessions) was "
                "not analysed: the "
                "call failed. That does not say that there is no cause."
            ),
        ),
    ],
)
def test_a_terminal_counts_what_became_of_explanations(work: PhraseWork, line: str) -> None:
    lines = list(summary_lines(asked(work)))
    assert line in lines
    assert "No model was used; nothing was sent." not in lines


def test_a_terminal_says_what_was_sent_and_what_it_took() -> None:
    assert list(summary_lines(asked(work_of())))[-1] == (
        "Sent, now or when replies were kept: Masked words of 2 sessions (3 of 4 turns, 932 "
        "characters), to model-two through the gateway rail. 3 requests: 2,400 tokens in and 310 "
        "out, as the provider counted them. Cost: 0.0042 US dollars."
    )
    nothing = work_of(sent=(), spent=Spent(), states={ReplyState.MISSING: 1})
    assert list(summary_lines(asked(nothing)))[-1] == (
        "Sent, now or when replies were kept: model-two was to be asked, and nothing was sent to "
        "it."
    )


# What was sent


def test_what_was_sent_stands_session_by_session_and_nothing_else_was() -> None:
    view = sent_of(work_of())
    assert [
        (one.session.label, one.turns, one.which, one.chars, one.requests) for one in view.lines
    ] == [
        ("s1", "2 of 3 turns", "1 to 2", "812", "2"),
        ("s2", "1 of 1 turn", "1", "120", "1"),
    ]
    assert view.nothing_else.endswith(
        "Nothing else was sent. Of 2 other started sessions nothing was sent."
    )
    report = report_of(asked(work_of()))
    assert report.provenance.sent == (
        "Masked words of 2 sessions (3 of 4 turns, 932 characters), to model-two through the "
        "gateway rail."
    )
    assert report.summary.sent == f"Sent to a model: m{report.provenance.sent[1:]}"
    text = everything(asked(work_of()))
    assert text.count(view.nothing_else) == 2  # page and paper


def test_a_model_that_was_sent_nothing_is_said_to_have_been_sent_nothing() -> None:
    work = work_of(sent=(), spent=Spent(), states={ReplyState.OVER_BUDGET: 1})
    report = report_of(asked(work))
    assert report.provenance.sent == "model-two was to be asked, and nothing was sent to it."
    view = sent_of(work)
    assert (view.lines, view.spent) == ((), ())
    assert view.nothing_else == "Nothing of the recording was sent."


def test_many_sessions_that_were_sent_are_bounded_and_counted() -> None:
    sent = tuple(SentSession(SessionId(f"s{number:03}"), (0, 1), 2, 100, 1) for number in range(45))
    view = sent_of(work_of(sent=sent))
    assert len(view.lines) == 30
    assert view.more == "and 15 more sessions, with 30 turns and 1,500 characters."


@pytest.mark.parametrize(
    ("turns", "words"),
    [
        ((), ""),
        ((0,), "1"),
        ((0, 1, 2, 6), "1 to 3, 7"),
        (tuple(range(0, 40, 2)), "1, 3, 5, 7, 9, 11, 13, 15 and 12 more"),
    ],
)
def test_turns_are_named_in_runs(turns: tuple[int, ...], words: str) -> None:
    assert ranges(turns) == words


@pytest.mark.parametrize(
    ("spent", "said"),
    [
        (
            Spent(3, 2_400, 310, cost_usd="0.0042"),
            (
                "3 requests: 2,400 tokens in and 310 out, as the provider counted them.",
                "Cost: 0.0042 US dollars.",
            ),
        ),
        (
            Spent(3, 2_400, 310, unmeasured=1, cost_usd="0.0042"),
            (
                (
                    "3 requests: at least 2,400 tokens in and at least 310 out, as the "
                    "provider counted "
                    "them."
                ),
                "1 answer came without a count and is not in these sums.",
                "Cost: at least 0.0042 US dollars.",
            ),
        ),
        (
            Spent(2, unmeasured=2),
            (
                "2 requests; the provider did not count their tokens.",
                "Cost: the price is not known.",
            ),
        ),
        (Spent(), ()),
    ],
)
def test_what_it_took_is_what_the_provider_counted(spent: Spent, said: tuple[str, ...]) -> None:
    assert sent_of(work_of(spent=spent)).spent == said


# Cautions


def caution(work: PhraseWork, note: CoverageNote) -> str:
    wave = asked(work)
    found = replace(wave.findings, coverage_notes=(note,))
    (one,) = report_of(replace(wave, findings=found)).summary.cautions.cautions
    return one.meaning.removeprefix(note.meaning).strip()


def test_a_budget_that_ended_says_what_was_not_asked() -> None:
    short = ReplyState.OVER_BUDGET
    work = work_of(
        proposal(UNVERIFIED, support=(support(answer=None, unanswered=short),)),
        groups=(GroupFate(OTHER, 3, (), short, 0),),
        reports=(described(S1, actual="", reply=short),),
    )
    assert caution(work, CoverageNote.BUDGET_EXHAUSTED) == (
        "Not asked for that reason: what happened in 1 session, the cause of 1 group of sessions "
        "and 1 second look."
    )


def test_refused_accounts_are_counted_with_their_rules() -> None:
    assert caution(every_fate(), CoverageNote.EXTRACTION_REJECTED) == (
        "Of 1 of 3 sessions the model’s account was refused, by “blames the person”."  # noqa: RUF001  the sign is meant
    )


def test_rejected_explanations_are_told_apart_by_who_refused_them() -> None:
    assert caution(every_fate(), CoverageNote.MECHANISMS_REJECTED) == (
        "2 of 6 explanations rejected: 1 by code before a second look and 1 after one."
    )


def test_causes_that_were_not_analysed_are_counted_in_sessions_and_explanations() -> None:
    assert caution(every_fate(), CoverageNote.ANALYSIS_UNAVAILABLE) == (
        "1 of 2 groups of sessions that look alike (1 session) was not analysed: not sent for "
        "want of budget. That does not say that there is no cause. 1 explanation could not be "
        "checked."
    )
    wave = asked(every_fate())
    said = "causes could not be analysed (1 session and 1 explanation)"
    assert said in report_of(wave).summary.cautions.sentence
    assert any(said in line for line in summary_lines(wave))


def test_a_failed_analysis_does_not_say_that_explanations_could_not_be_checked() -> None:
    work = work_of(groups=(GroupFate(KEY, 3, (), ReplyState.TIMED_OUT, 0),))
    said = caution(work, CoverageNote.ANALYSIS_UNAVAILABLE)
    assert said.startswith("The one group of sessions that look alike (3 sessions) was not")
    assert "could not be checked" not in said
    assert "No model was used" not in said


# Words


def test_only_the_words_that_occur_are_explained() -> None:
    def titles(work: PhraseWork) -> dict[str, list[str]]:
        groups = report_of(asked(work)).words.groups
        return {group.title: [one.label for one in group.words] for group in groups}

    found = titles(every_fate())
    assert found["Proposals"] == ["Confirmed", "Rejected", "Not verified"]
    assert found["Answers of a second look"] == ["Supports", "Contradicts", "Cannot tell"]
    assert found["Requests to a model"] == ["Answered", "Call failed", "Timed out", "Not sent"]
    assert "Blames the person" in found["Why a model’s words were refused"]  # noqa: RUF001  the sign is meant
    assert "Markup" not in found["Why a model’s words were refused"]  # noqa: RUF001  the sign is meant
    assert "Proposals" not in titles(work_of())
