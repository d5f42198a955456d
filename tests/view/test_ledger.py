"""Every proposal of a model, with what it rests on and why it was thrown away."""

import re
from dataclasses import replace

import pytest
from finding_waves import build
from model_waves import (
    MODEL_TALK,
    OTHER,
    asked,
    every_fate,
    mechanism,
    proposal,
    some_sessions,
    support,
    work_of,
)
from report_waves import (
    Page,
    dead_links,
    page_of,
    parsed,
    published,
    repeated,
    report_of,
    wave_of,
)

from reporter.models.phrases import GroupFate, PhraseWork, ProposalFate, Refusal
from reporter.models.wave import DerivedWave
from reporter.render.assets import page_assets
from reporter.render.html import render_html, render_session
from reporter.render.pdf import print_page
from reporter.view.author import ModelWords
from reporter.view.proposals import FOLDED_FROM, SHOWN_OF_STATE, ProposalView
from reporter.vocabulary import PhraseRule, ProposalState, ReplyState, SupportAnswer

REJECTED, UNVERIFIED = ProposalState.REJECTED, ProposalState.UNVERIFIED


def only(work: PhraseWork, **more: object) -> ProposalView:
    """The one proposal of some work, as the ledger shows it."""
    (group,) = report_of(asked(work, **more)).verification.proposals.groups  # type: ignore[arg-type]  # of the helper
    (view,) = group.proposals
    return view


def ledger(wave: DerivedWave) -> tuple[str, str]:
    """The words of the section on the page, and of the whole paper."""
    page = parsed(page_of(wave))
    paper = print_page(report_of(wave), evidence="none")
    return words_of(page.by_id("verification").text), words_of(parsed(paper).text)


def words_of(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_proposals_stand_by_what_became_of_them_in_the_order_of_asking() -> None:
    groups = report_of(asked(every_fate(), published=True)).verification.proposals.groups
    assert [group.title for group in groups] == [
        "Confirmed: 3 of 6 proposals",
        "Not verified: 1 of 6 proposals",
        "Rejected: 2 of 6 proposals",
    ]
    assert [[one.number for one in group.proposals] for group in groups] == [[1, 2, 3], [4], [5, 6]]


def test_what_is_not_published_says_that_it_is_no_finding_on_page_and_paper() -> None:
    wave = asked(every_fate(), published=True)
    page, paper = page_of(wave), print_page(report_of(wave), evidence="none")
    shown = [
        one for group in report_of(wave).verification.proposals.groups for one in group.proposals
    ]
    assert [one.is_published for one in shown] == [True, True, False, False, False, False]
    for one in shown:
        assert ("not a finding" in one.title) is not one.is_published
        assert f"<h4>{one.title}</h4>" in page
        assert f"<b>{one.title}</b>" in paper
    heads = re.findall(r'<details class="pr( nf)?"', page)
    assert heads == ["", "", " nf", " nf", " nf", " nf"]
    assert paper.count('<tr class="nf">') == len(heads) - 2
    for group in report_of(wave).verification.proposals.groups[1:]:
        assert group.lead.startswith("None of these is a finding.")


def test_nothing_in_the_ledger_has_a_tone() -> None:
    page = page_of(asked(every_fate(), published=True))
    section = page[page.index('id="verification"') : page.index('id="integrity"')]
    assert section.count("<details class=") > len(ProposalState)
    assert not re.search(r'class="[^"]*\b(fail|warn|ok)\b', section)
    assert 'class="fix' not in section


@pytest.mark.parametrize("rule", PhraseRule)
def test_every_rule_is_named_with_its_meaning_and_what_broke_it(rule: PhraseRule) -> None:
    refusal = Refusal(rule, "mechanismPhrase", "says: nine readers")
    wave = asked(work_of(proposal(REJECTED, refusals=(refusal,))))
    for text in ledger(wave):
        said = f"{rule.label} (cause). {rule.meaning} (says: ".lower()
        assert re.search(rf"{re.escape(said)}.{{1,20}} words: “nine readers”\)", text.lower())
    words = {one.label for group in report_of(wave).words.groups for one in group.words}
    assert rule.label[:1].upper() + rule.label[1:] in words


@pytest.mark.parametrize(
    ("refusal", "code", "model"),
    [
        (Refusal(PhraseRule.PERSONA_NAMED, "fixPhrase", "persona: Ana: b"), "persona", "Ana: b"),
        (Refusal(PhraseRule.MARKUP, "fixPhrase", "*bold*"), "", "*bold*"),
        (Refusal(PhraseRule.TOO_MANY_WORDS, "fixPhrase", "9 of 8 words"), "9 of 8 words", ""),
        (Refusal(PhraseRule.TOO_MANY_SENTENCES, "fixPhrase", "3 sentences"), "3 sentences", ""),
        (Refusal(PhraseRule.TURN_MISSING, "", "turn 7"), "turn 8", ""),
        (Refusal(PhraseRule.TURN_MISSING, "", "turn -1"), "a turn before the first", ""),
        (Refusal(PhraseRule.SHAPE, "", "stage missing"), "stage missing", ""),
        (Refusal(PhraseRule.EMPTY, "fixPhrase", ""), "", ""),
    ],
)
def test_what_broke_a_rule_is_told_apart_by_who_wrote_it(
    refusal: Refusal, code: str, model: str
) -> None:
    (line,) = only(work_of(proposal(REJECTED, refusals=(refusal,)))).why
    assert (line.what, line.piece.text) == (code, model)


@pytest.mark.parametrize("by_person", [False, True])
@pytest.mark.parametrize("answer", SupportAnswer)
def test_every_answer_says_who_gave_it(answer: SupportAnswer, *, by_person: bool) -> None:
    work = work_of(proposal(support=(support(answer=answer, by_person=by_person),)))
    said = f"Second look, by a {'person' if by_person else 'model'}: {answer.label}."
    for text in ledger(asked(work, published=True)):
        assert said in text


@pytest.mark.parametrize("state", ReplyState)
def test_without_an_answer_the_reason_is_said(state: ReplyState) -> None:
    silent = support(answer=None, unanswered=state)
    work = work_of(proposal(UNVERIFIED, PhraseRule.NOT_ASKED, support=(silent,)))
    for text in ledger(asked(work)):
        assert f"Second look: no answer. {state.meaning}" in text
    never = work_of(proposal(REJECTED, PhraseRule.EMPTY, support=(support(answer=None),)))
    assert only(never).supports[0].answer == "Second look: none was asked for."


def test_a_quotation_is_a_models_words_until_it_was_found() -> None:
    found, lost = support(), support("s2", citations=(), answer=None)
    view = only(work_of(proposal(REJECTED, PhraseRule.QUOTE_NOT_FOUND, support=(found, lost))))
    assert view.supports[0].quote == "the desk is closed today"
    assert [one.label for one in view.supports[0].places] == ["s1, message m1"]
    assert view.supports[1].quote == ModelWords("the desk is closed today")
    assert view.supports[1].places == ()
    page, paper = ledger(
        asked(work_of(proposal(REJECTED, PhraseRule.QUOTE_NOT_FOUND, support=(lost,))))
    )
    assert "s words: “the desk is closed today” (quoted by the model; not found there)" in page
    assert "s words: “the desk is closed today” (not found there)" in paper


def test_a_session_or_turn_that_is_not_there_leads_nowhere() -> None:
    strange = support("s77", turns=(0,), citations=(), answer=None)
    beyond = support("s1", turns=(-1, 0, 2, 9, 10**30), citations=(), answer=None)
    view = only(work_of(proposal(REJECTED, PhraseRule.UNKNOWN_SESSION, support=(strange, beyond))))
    assert (view.supports[0].session.label, view.supports[0].session.href) == ("s77", "")
    assert [(one.label, bool(one.href)) for one in view.supports[1].turns] == [
        ("a turn before the first", False),
        ("turn 1", True),
        ("turn 3", True),
        ("turn 10", False),
        ("a turn far behind the last", False),
    ]
    for text in ledger(asked(work_of(proposal(REJECTED, support=(strange,))))):
        assert "s77 (no session of this wave), turn 1" in text


def whole_page(wave: DerivedWave) -> Page:
    return parsed(page_of(wave, MODEL_TALK))


def test_every_link_of_the_ledger_lands_and_no_id_stands_twice() -> None:
    twice = proposal(
        REJECTED, PhraseRule.REPEATED, support=(support(citations=("s1/m:0", "s1/t:x")),)
    )
    work = replace(every_fate(), proposals=(*every_fate().proposals, twice, twice))
    page = whole_page(asked(work, published=True))
    assert dead_links(page) == []
    assert repeated(page.ids()) == []
    links = [one for one in page.links() if one.startswith("#session.s1.")]
    assert {"#session.s1.m0", "#session.s1.m1", "#session.s1.turn0"} <= set(links)


def test_links_to_pages_of_sessions_land_there() -> None:
    wave = asked(every_fate(), published=True)
    report = report_of(wave, layout="site")
    page = parsed("".join(render_html(report, MODEL_TALK)))
    links = [one for one in page.links() if one.startswith("pages/s-s1.html#")]
    assert "pages/s-s1.html#session.s1.turn0" in links
    assets = page_assets(session=True)
    session = parsed("".join(render_session(report, "s1", MODEL_TALK, assets=assets)))
    assert {one.partition("#")[2] for one in links} - set(session.ids()) == set()


def test_a_turn_that_only_a_rejected_proposal_cites_is_not_marked_as_cited() -> None:
    page = whole_page(
        asked(work_of(proposal(REJECTED, PhraseRule.MARKUP, support=(support("s4"),))))
    )
    assert "#session.s4.m1" in page.links()
    assert "marked by a rule" not in page.by_id("session.s4").text


def test_a_confirmed_one_leads_to_the_cause_it_became_and_the_cause_leads_back() -> None:
    wave = asked(work_of(proposal()), published=True)
    view = only(work_of(proposal()), published=True)
    assert view.cause is not None
    assert view.cause.label == "Cause 1"
    (cause,) = report_of(wave).causes.causes
    assert [(one.label, one.href) for one in cause.proposals] == [("Proposal 1", f"#{view.anchor}")]
    assert view.cause.href == f"#{cause.anchor}"
    assert "How it was checked: Proposal 1" in words_of(parsed(page_of(wave)).by_id("causes").text)
    assert "How it was checked: Proposal 1" in ledger(wave)[1]


def test_a_published_cause_that_the_page_does_not_show_is_said_to_be_published() -> None:
    view = only(work_of(proposal(mechanism_id="x:mechanism:y")))
    assert view.cause is None
    assert view.became == "Published as a cause that this page has no room for."


@pytest.mark.parametrize("rule", [PhraseRule.NEAR_DUPLICATE, PhraseRule.NO_ROOM])
def test_a_confirmed_one_that_is_not_published_says_why(rule: PhraseRule) -> None:
    view = only(work_of(proposal(ProposalState.CONFIRMED, rule)))
    assert view.title == "Proposal 1: confirmed but not published, not a finding"
    assert view.became == "Confirmed, and not published."
    assert [one.rule for one in view.why] == [rule.label]


def test_a_refused_fix_stands_nowhere_but_in_the_ledger_and_its_rule_is_named() -> None:
    refused = proposal(
        fix_refused=True,
        fix_phrase="Train the users.",
        refusals=(Refusal(PhraseRule.NOT_CONTROLLABLE, "fixPhrase", ""),),
    )
    facts = some_sessions()
    row = mechanism("s1")
    row = replace(row, finding=row.finding.model_copy(update={"fix_phrase": None}))
    found = build(facts)
    found = replace(found, rows=(row, *found.rows), reasoning_model="m")
    wave = wave_of(facts, findings=found, phrases=work_of(refused))
    said = "One was proposed for this cause and refused: “not the author's to change”."
    report = report_of(wave)
    assert report.causes.causes[0].no_fix == said
    assert report.summary.no_fix == said
    page = parsed(page_of(wave))
    assert "Train the users" not in page.by_id("summary").text + page.by_id("causes").text
    text, paper = ledger(wave)
    assert "Refused fix" in text
    assert "Train the users" in text
    assert "Refused fix. A model’s words: “Train the users.”" in paper  # noqa: RUF001  the sign is meant
    assert "the cause stands without it" in text
    assert "Proposal 1: confirmed and published fix refused: “not the author's to change”" in text


def test_a_rejected_one_says_whether_somebody_looked_again() -> None:
    looked = support(answer=SupportAnswer.CONTRADICTS)
    view = only(work_of(proposal(REJECTED, PhraseRule.CONTRADICTED, support=(looked,))))
    assert view.became == "Rejected after a second look at the cited turns."
    view = only(work_of(proposal(REJECTED, PhraseRule.DIGIT, support=(support(answer=None),))))
    assert view.became == "Rejected by code before any second look."


def test_a_reply_without_words_says_so_and_a_missing_link_is_said() -> None:
    blank = proposal(
        REJECTED,
        PhraseRule.REPLY_NOT_JSON,
        outcome_phrase="",
        mechanism_phrase="",
        fix_phrase=None,
        stage=None,
        support=(),
    )
    for text in ledger(asked(work_of(blank))):
        assert "The reply held no words that could be read as a proposal." in text
        assert "It names none of the six links." in text


def test_the_group_is_in_words_with_what_the_model_was_shown() -> None:
    assert only(work_of(proposal(REJECTED))).group == (
        "2 sessions with “Frustrated”; first failed link: the response; recorded fact: "
        "“A tool errored”; 2 of them were shown to the model."
    )
    work = work_of(
        proposal(REJECTED, group=OTHER),
        groups=(GroupFate(OTHER, 9, (), ReplyState.ANSWERED, 1),),
    )
    assert only(work).group == (
        "9 sessions with “Stalled”; first failed link: none measured; recorded fact: none; "
        "none was shown to the model."
    )


def many(count: int, state: ProposalState = REJECTED) -> list[ProposalFate]:
    rules = (PhraseRule.DIGIT, PhraseRule.EMPTY)
    return [
        proposal(state, rules[number % 2], key=f"{number:016x}", mechanism_phrase=f"No {number}.")
        for number in range(count)
    ]


def test_a_long_ledger_folds_and_counts_what_it_leaves_out() -> None:
    few = asked(work_of(*many(FOLDED_FROM - 1)))
    assert page_of(few).count('<details class="pr nf"') == page_of(few).count(
        " open>\n<summary><h4>"
    )
    wave = asked(work_of(*many(SHOWN_OF_STATE + 5)))
    (group,) = report_of(wave).verification.proposals.groups
    assert len(group.proposals) == SHOWN_OF_STATE
    assert group.title == "Rejected: 45 of 45 proposals"
    assert group.more == "5 more proposals of this state not shown: 2 “empty” and 3 “digit”."
    rules = "By rule, of which one proposal can break several: “digit” in 23 and “empty” in 22."
    assert group.rules == rules
    assert all(rules in text for text in ledger(wave))
    page = page_of(wave)
    assert " open>\n<summary><h4>" not in page
    # A closed line says what became of it before it says what it was.
    first = re.search(r"<summary><h4>Proposal 1: .*?</summary>", page)
    assert first is not None
    assert first[0].index("not a finding") < first[0].index("No 0.")
    assert group.more in page
    paper = print_page(report_of(wave), evidence="none")
    assert "30 more proposals of this state not shown: 15 “empty” and 15 “digit”." in paper
    assert "Proposal 15:" in paper
    assert "Proposal 16:" not in paper


def test_many_supports_turns_and_rules_are_bounded() -> None:
    wide = proposal(
        REJECTED,
        *list(PhraseRule)[:11],
        support=tuple(support(f"s{number}", turns=tuple(range(40))) for number in range(30)),
    )
    view = only(work_of(wide))
    assert view.more_supports == "and 22 more cited sessions"
    assert view.supports[0].more_turns == "and 28 more turns"
    assert view.more_why == "and 3 more rules"


def test_a_document_that_came_alone_has_counts_and_no_proposals() -> None:
    found = build(some_sessions(), verification=work_counts())
    wave = published(replace(found, reasoning_model="m"))
    view = report_of(wave).verification
    assert view.proposals.groups == ()
    assert view.asked is None
    assert "does not keep their words" in ledger(wave)[0]
    assert "does not keep their words" not in ledger(asked(every_fate()))[0]


def work_counts() -> object:
    return asked(every_fate()).findings.verification


def test_a_cause_of_several_proposals_names_each() -> None:
    wave = asked(work_of(proposal(), proposal(key="1" * 16)), published=True)
    (cause,) = report_of(wave).causes.causes
    assert [one.label for one in cause.proposals] == ["Proposal 1", "Proposal 2"]
